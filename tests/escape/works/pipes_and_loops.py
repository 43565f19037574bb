# what needs no network: socketpair, pipes, an asyncio loop with timers and an executor
import asyncio
import os
import socket

left, right = socket.socketpair()
left.sendall(b"hello")
assert right.recv(10) == b"hello"
reading, writing = os.pipe()
os.write(writing, b"x")
assert os.read(reading, 1) == b"x"


async def main():
    await asyncio.sleep(0.01)
    return await asyncio.get_running_loop().run_in_executor(None, os.path.exists, "notes.txt")


assert asyncio.run(main())
