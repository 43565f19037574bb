# multiprocessing by spawn: workers that are programs of their own
import multiprocessing


def square(number):
    return number * number


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(square, [2, 3]) == [4, 9]
