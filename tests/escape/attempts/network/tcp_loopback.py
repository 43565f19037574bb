# a TCP connection to a server on 127.0.0.1
import socket

from aims import TCP

socket.create_connection(("127.0.0.1", TCP), 2).sendall(b"hello")
