# memory shared between processes: Value, SharedMemory, an anonymous mmap
import mmap
import multiprocessing
from multiprocessing import shared_memory

context = multiprocessing.get_context("fork")


def change(number, name, pages):
    number.value = 7
    memory = shared_memory.SharedMemory(name)
    memory.buf[0] = 8
    memory.close()
    pages[0] = 9


if __name__ == "__main__":
    number = context.Value("i", 0)
    memory = shared_memory.SharedMemory(create=True, size=100)
    pages = mmap.mmap(-1, 100)
    worker = context.Process(target=change, args=(number, memory.name, pages))
    worker.start()
    worker.join(20)
    assert (number.value, memory.buf[0], pages[0]) == (7, 8, 9)
    memory.close()
    memory.unlink()
