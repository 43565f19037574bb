# a TCP connection to a server on ::1
import socket

from aims import TCP6

socket.create_connection(("::1", TCP6), 2).sendall(b"hello")
