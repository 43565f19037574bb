# sqlite3: a row into a database that was there, and a new one
import sqlite3

from aims import all_of


def row():
    db = sqlite3.connect("shop.db")
    db.execute("insert into things values ('changed')")
    db.commit()
    assert db.execute("select count(*) from things").fetchone() == (2,)
    db.close()


def new():
    db = sqlite3.connect("new.db")
    db.execute("create table t (x)")
    db.commit()
    db.close()


all_of(row, new)
