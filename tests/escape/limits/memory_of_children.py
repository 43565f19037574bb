# memory: of children together, none of which is large
# options: --max-memory 400M
# expect: 3
# says: memory
import os
import time

for _ in range(8):
    if os.fork() == 0:
        kept = bytearray(b"x" * 90_000_000)
        time.sleep(15)
        os._exit(0)
time.sleep(15)
