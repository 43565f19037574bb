# a server on all addresses, reached from outside
# knock: yes
import socket
import time

from aims import LISTEN

server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("", LISTEN))
server.listen()
time.sleep(0.8)
