# --allow-net: a server on loopback is reached
# options: --allow-net
# visited: tcp
import socket

from aims import TCP

socket.create_connection(("127.0.0.1", TCP), 5).sendall(b"hello")
