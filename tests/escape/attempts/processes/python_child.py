# another Python, without this one's patches and hooks, that removes and writes
import subprocess
import sys

code = "import os, shutil; shutil.rmtree('checkpoints'); open('notes.txt', 'w').write('changed')"
subprocess.run([sys.executable, "-I", "-c", code], check=True)
with open("notes.txt") as stream:
    assert stream.read() == "changed"
