# dbm and shelve: a new database, and an entry added
import dbm.dumb
import shelve

from aims import all_of


def dumb():
    with dbm.dumb.open("names", "c") as db:
        db[b"a"] = b"1"


def shelf():
    with shelve.open("shelf") as db:
        db["a"] = [1, 2]
    with shelve.open("shelf", flag="r") as db:
        assert db["a"] == [1, 2]


all_of(dumb, shelf)
