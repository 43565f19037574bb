# scratch space: one file of 20 GB (sparse but for 1 GB)
# expect: 3
# options: --max-memory 400M
with open("huge.bin", "wb") as stream:
    for _ in range(100):
        stream.write(b"x" * 10_000_000)
    stream.seek(20 * 10**9)
    stream.write(b"x")
