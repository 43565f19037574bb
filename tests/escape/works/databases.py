# sqlite: a transaction, a roll-back, a journal; the rows that were there are there
import sqlite3

db = sqlite3.connect("shop.db")
assert db.execute("select name from things").fetchall() == [("first",)]
db.execute("pragma journal_mode=wal")
with db:
    db.execute("insert into things values ('second')")
try:
    with db:
        db.execute("insert into things values ('third')")
        raise KeyError
except KeyError:
    pass
assert len(db.execute("select * from things").fetchall()) == 2
db.close()
assert len(sqlite3.connect("shop.db").execute("select * from things").fetchall()) == 2
