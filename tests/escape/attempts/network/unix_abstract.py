# a connection to an abstract Unix socket (as of D-Bus and X11)
# needs: linux
import socket

from aims import ABSTRACT

socket.socket(socket.AF_UNIX).connect(ABSTRACT)
