# files in /dev/shm, by open() and by multiprocessing.shared_memory, left behind
# needs: linux
from multiprocessing import resource_tracker, shared_memory

from aims import MARK, all_of, read, write


def left():
    memory = shared_memory.SharedMemory(MARK + "-m", create=True, size=4096)
    memory.buf[:4] = b"left"
    resource_tracker.unregister(memory._name, "shared_memory")
    memory.close()


all_of(lambda: write(f"/dev/shm/{MARK}", b"left"), left)
assert read(f"/dev/shm/{MARK}") == b"left"
