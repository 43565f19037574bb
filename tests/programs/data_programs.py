"""Small programs whose data are not there: what tests/programs/without_data holds.

`=== name` begins a program. Lines that begin with `#: ` make its data, for a run with real TensorFlow. A line
that ends with `#! code` is right as it stands, and wrong with that code in its place: each such program is
two, of which the second must have an error: in that line, or in the one that ends with `#^`. `#? reason` says
why a program cannot be proved here.
"""
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "without_data"


class Program:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.setup = "".join(line[3:] + "\n" for line in text.splitlines() if line.startswith("#: "))
        self.unproved = re.search(r"^#\? (.*)", text, re.M)
        self.version = "1.15.0" if re.search(r"^#tf 1$", text, re.M) else "2.21.0"
        self.bug = next((number for number, line in enumerate(text.splitlines(), 1) if "#! " in line), None)
        self.error = next((number for number, line in enumerate(text.splitlines(), 1) if line.endswith("#^")),
                          self.bug)

    @property
    def wrong(self):
        """The program with its mistake."""
        lines = self.text.splitlines()
        line = lines[self.bug - 1]
        indent = line[:len(line) - len(line.lstrip())]
        lines[self.bug - 1] = indent + line.partition("#! ")[2]
        return "\n".join(lines) + "\n"


def programs():
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.M)
        found += [Program(f"{path.stem}: {name}", text) for name, text in zip(parts[1::2], parts[2::2])]
    return found
