# a UDP datagram to a socket on 127.0.0.1, by sendto and by connect
import socket

from aims import UDP, all_of

sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def connected():
    sender.connect(("127.0.0.1", UDP))
    sender.send(b"hello")


all_of(lambda: sender.sendto(b"hello", ("127.0.0.1", UDP)), connected)
