# a connection to a Unix socket in the file system (as of docker or ssh-agent)
import os
import socket

from aims import UNIX

client = socket.socket(socket.AF_UNIX)
os.chdir(os.path.dirname(UNIX))
client.connect(os.path.basename(UNIX))
client.sendall(b"hello")
