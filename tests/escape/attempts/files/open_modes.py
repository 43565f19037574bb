# open() in every mode that writes, text and binary, on files that exist and on new ones
from aims import PROJECT, all_of, read, write

changes = [lambda mode=mode: write("notes.txt", "changed" if "b" not in mode else b"changed", mode)
           for mode in ("w", "a", "r+", "w+", "a+", "wb", "ab", "r+b", "w+b", "a+b")]
makes = [lambda mode=mode: write(f"{PROJECT}/new-{mode}.txt", "made", mode) for mode in ("w", "a", "x")]
all_of(*changes, *makes)
assert b"changed" in read("notes.txt") and read("new-x.txt") == b"made"
