# kill(-1), every process there is (signal 0 only, which asks whether it could)
# done: not held
import os

os.kill(-1, 0)
