# name look-ups, which ask a server: getaddrinfo, gethostbyname
# done: not held
import socket

if socket.getaddrinfo("example.org", 80):
    raise SystemExit(0)
