# pickle, json and csv into files that were there; fileinput in place
import csv
import fileinput
import json
import pickle

from aims import all_of, read


def dump(module, path, mode):
    with open(path, mode) as stream:
        module.dump({"changed": 1}, stream)


def table():
    with open("log.txt", "a", newline="") as stream:
        csv.writer(stream).writerow([1, 2])


def in_place():
    with fileinput.input("deep/a/b/c.txt", inplace=True) as lines:
        for line in lines:
            print(line.upper(), end="")


all_of(lambda: dump(pickle, "data.bin", "wb"), lambda: dump(json, "notes.txt", "w"), table, in_place)
assert json.loads(read("notes.txt")) == {"changed": 1} and read("deep/a/b/c.txt") == b"DEEP\n"
