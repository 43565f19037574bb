# sethostname and setdomainname
# needs: linux
import socket

from aims import MARK

socket.sethostname(MARK[:30])
