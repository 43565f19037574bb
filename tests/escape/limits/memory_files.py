# memory: files in /dev/shm and /tmp, 1.5 GB together
# needs: linux
# options: --max-memory 400M
# expect: 3
import os

from aims import MARK

try:
    for number in range(15):
        for place in ("/dev/shm", "/tmp"):
            with open(f"{place}/{MARK}-{number}", "wb") as stream:
                for _ in range(50):
                    stream.write(b"x" * 1_000_000)
finally:
    for number in range(15):
        for place in ("/dev/shm", "/tmp"):
            if os.path.exists(f"{place}/{MARK}-{number}"):
                os.remove(f"{place}/{MARK}-{number}")
