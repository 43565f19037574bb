# memory: in a memfd, which belongs to no process's pages
# needs: linux
# options: --max-memory 400M
# expect: 3
# says: memory
import os
import time

for _ in range(6):
    fd = os.memfd_create("hog")
    for _ in range(250):
        os.write(fd, b"x" * 1_000_000)
time.sleep(1)
raise SystemExit("1.5 GB were had")
