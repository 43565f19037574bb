# file locks: flock and lockf on a lock file of the script's own
# needs: linux
import fcntl

with open("train.lock", "w") as stream:
    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(stream, fcntl.LOCK_UN)
    fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
