# the same in children
import multiprocessing
import subprocess
import sys


def draw(number):
    return hash("a string")


if __name__ == "__main__":
    print(subprocess.run([sys.executable, "-c", "print(hash('a string'), {'one', 'two', 'three'})"],
                         capture_output=True, text=True).stdout)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map(draw, [1, 2]))
