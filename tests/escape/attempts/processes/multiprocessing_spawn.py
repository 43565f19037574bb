# multiprocessing by spawn and forkserver: workers that write
import multiprocessing


def work(method):
    with open(f"by-{method}.txt", "w") as stream:
        stream.write("made")
    with open("notes.txt", "w") as stream:
        stream.write("changed")


if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        worker = multiprocessing.get_context(method).Process(target=work, args=(method,))
        worker.start()
        worker.join(20)
        assert worker.exitcode == 0, worker.exitcode
