# asyncio.open_connection, which connects without waiting
import asyncio

from aims import TCP


async def main():
    _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", TCP), 2)
    writer.write(b"hello")
    await writer.drain()


asyncio.run(main())
