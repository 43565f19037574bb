# threads that write different files at the same time, and one file by turns
import threading

lock = threading.Lock()


def work(number):
    for step in range(20):
        with open(f"thread-{number}.txt", "a") as stream:
            stream.write(f"{step}\n")
        with lock, open("log.txt", "a") as stream:
            stream.write("x\n")


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for number in range(4):
    with open(f"thread-{number}.txt") as stream:
        assert len(stream.readlines()) == 20
with open("log.txt") as stream:
    assert len(stream.readlines()) == 83
