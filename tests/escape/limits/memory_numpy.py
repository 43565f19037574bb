# memory: an array that is filled, 3 GB at most
# options: --max-memory 400M
# expect: 3
# says: memory
import numpy as np

kept = []
for _ in range(30):
    kept.append(np.ones(100_000_000, np.uint8))
raise SystemExit("3 GB were had")
