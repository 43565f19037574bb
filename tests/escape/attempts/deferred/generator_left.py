# a generator whose `finally` writes when it is thrown away
from aims import write


def batches():
    try:
        yield 1
    finally:
        write("notes.txt", b"changed")


kept = batches()
next(kept)
