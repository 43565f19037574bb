# escape sequences in what the check says about a script: its exception, its exit status, names of its files
# format: full
import os

name = "\x1b]0;changed\x07\x1b[2J.py"
with open(name, "w") as stream:
    stream.write("raise ValueError('\\x1b[31m\\x9b31m ' + __file__)\n")
with open(name) as stream:
    exec(compile(stream.read(), os.path.abspath(name), "exec"), {"__file__": name})
