# a server process started as scripts start TensorBoard, its environment emptied
import subprocess

from aims import MARK

subprocess.Popen(["/bin/sh", "-c", f": {MARK}; sleep 60; :"], env={}, close_fds=False)
