"""Nobody waits for a script that sleeps, and one that only waits comes to its end."""
import pytest

from command import report_of, write

ONCE = """import time
import tensorflow as tf
v = tf.get_variable("v", [3, 4])
def evaluate_once():
    if not tf.train.latest_checkpoint("nowhere"):
        return
"""
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n"


def checked(folder, text):
    write(folder, train=text)
    report, done = report_of(folder, "--time-limit", "30")
    return report, done


def test_a_loop_that_waits_for_checkpoints_ends(tmp_path):
    report, done = checked(tmp_path, ONCE + "while True:\n    evaluate_once()\n    time.sleep(600)\n")
    assert done.returncode == 0, done.stdout
    assert any("waits for what nobody brings" in f["message"] for f in report["findings"])


def test_a_loop_that_waits_for_the_rest_of_an_interval_ends(tmp_path):
    report, done = checked(tmp_path, ONCE + """def loop():
    while True:
        start = time.time()
        evaluate_once()
        left = start + 600 - time.time()
        if left > 0:
            time.sleep(left)
loop()
""")
    assert done.returncode == 0, done.stdout
    assert any("waits for what nobody brings" in f["message"] for f in report["findings"])


@pytest.mark.parametrize("sleep", ["time.sleep(0.05)", "time.sleep(40)",
                                   "time.sleep(600) if turn < 2 else None"])
def test_a_loop_that_sleeps_goes_on(tmp_path, sleep):
    report, done = checked(tmp_path, ONCE + f"for turn in range(10):\n    tf.zeros([2])\n    {sleep}\n" + BUG)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF101"], done.stdout


@pytest.mark.parametrize("loop", ["for p in range(20):\n    time.sleep(30)\n",
                                  "waited = 0\nwhile waited < 300:\n    time.sleep(30)\n    waited += 30\n",
                                  "page = []\nwhile len(page) < 9:\n    time.sleep(30)\n    page += [1]\n"])
def test_a_loop_that_comes_to_its_own_end_does(tmp_path, loop):
    """Nothing of TensorFlow is in it: something is fetched, page after page."""
    report, done = checked(tmp_path, ONCE + loop + BUG)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF101"], done.stdout


def test_a_thread_is_waited_for(tmp_path):
    text = ONCE + ("import threading\ndone = []\ndef work():\n    time.sleep(100)\n    time.sleep(0.05)\n"
                   "    done.append(1)\nthreading.Thread(target=work).start()\n"
                   "while not done:\n    time.sleep(100)\n") + BUG
    report, done = checked(tmp_path, text)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF101"], done.stdout


def test_what_is_no_number_fails_as_python_says(tmp_path):
    report, done = checked(tmp_path, ONCE + "try:\n    time.sleep(-1)\nexcept ValueError:\n    " + BUG)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF101"], done.stdout


def test_short_sleeps_are_real(tmp_path):
    text = ONCE + ("import signal\nrung = []\nsignal.signal(signal.SIGALRM, lambda *_: rung.append(1))\n"
                   "signal.setitimer(signal.ITIMER_REAL, 0.1)\ntime.sleep(0.5)\nassert rung\n") + BUG
    report, done = checked(tmp_path, text)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF101"], done.stdout


def test_a_program_that_has_made_nothing_sleeps(tmp_path):
    write(tmp_path, train="import time\ntime.sleep(30)\n")
    report, done = report_of(tmp_path, "--time-limit", "1")
    assert done.returncode == 3, done.stdout
