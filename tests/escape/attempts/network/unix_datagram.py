# a datagram to a Unix socket in the file system (as of syslog)
import os
import socket

from aims import UNIX

client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
os.chdir(os.path.dirname(UNIX))
client.sendto(b"hello", os.path.basename(UNIX) + "d")
