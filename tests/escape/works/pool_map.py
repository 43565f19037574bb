# multiprocessing.Pool.map by fork, and what a worker wrote is read by the parent
import multiprocessing
import os


def square(number):
    with open(f"part-{number}.txt", "w") as stream:
        stream.write(str(number))
    return number * number


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(square, range(6)) == [0, 1, 4, 9, 16, 25]
    assert sorted(name for name in os.listdir(".") if name.startswith("part-")) == [
        f"part-{number}.txt" for number in range(6)]
