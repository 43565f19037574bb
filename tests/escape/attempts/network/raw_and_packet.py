# sockets below TCP: raw IP, packet, vsock, Bluetooth, AF_ALG
# needs: linux
# done: not held
import socket

for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW),
                     (40, socket.SOCK_STREAM), (31, socket.SOCK_RAW), (38, socket.SOCK_SEQPACKET)):
    try:
        made = socket.socket(family, kind, 1 if kind == socket.SOCK_RAW else 0)
    except OSError:
        continue
    if family != socket.AF_INET:
        raise SystemExit(0)
    made.settimeout(1)
    try:  # an echo request that counts only when it is let through
        made.sendto(b"\x08\0\xf7\xff\0\0\0\0", ("127.0.0.1", 0))
        made.recv(100)
        raise SystemExit(0)
    except OSError:
        pass
raise SystemExit("refused, all of it")
