# a TCP connection to this machine by its other names: 0.0.0.0, localhost, its own address
import socket

from aims import TCP, all_of

names = ["0.0.0.0", "localhost", "127.1.2.3", socket.gethostname()]
all_of(*(lambda name=name: socket.create_connection((name, TCP), 2) for name in names))
