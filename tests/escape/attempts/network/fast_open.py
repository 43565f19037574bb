# data in a TCP SYN: sendto with MSG_FASTOPEN, which never calls connect
# needs: linux
import socket

from aims import TCP

socket.socket().sendto(b"hello", socket.MSG_FASTOPEN, ("127.0.0.1", TCP))
