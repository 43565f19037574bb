# scratch space: many files, 3 GB together
# expect: 3
# options: --max-memory 400M
for number in range(300):
    with open(f"part-{number}.bin", "wb") as stream:
        stream.write(b"x" * 10_000_000)
