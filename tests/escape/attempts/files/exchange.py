# renameat2(RENAME_EXCHANGE) of two files
# needs: linux
from aims import read, syscall

before = read("notes.txt")
syscall("renameat2", -100, b"notes.txt", -100, b"log.txt", 2)
assert read("log.txt") == before
