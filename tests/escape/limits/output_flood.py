# output: printed without an end (15 s at most)
# expect: 3
# says: printed more than
# options: --show-output
import time

end = time.monotonic() + 15
line = "x" * 10_000
while time.monotonic() < end:
    print(line)
