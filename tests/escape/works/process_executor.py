# concurrent.futures: threads and processes, queues and locks between them
import concurrent.futures
import multiprocessing
import queue
import threading

context = multiprocessing.get_context("fork")


def fill(box):
    for number in range(3):
        box.put(number)


if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, -2])) == [1, 2]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(abs, [-1, -2])) == [1, 2]
    box = context.Queue()
    worker = context.Process(target=fill, args=(box,))
    worker.start()
    assert [box.get(timeout=10) for _ in range(3)] == [0, 1, 2]
    worker.join()
    thread_box = queue.Queue()
    thread = threading.Thread(target=fill, args=(thread_box,))
    thread.start()
    thread.join()
    assert thread_box.qsize() == 3
