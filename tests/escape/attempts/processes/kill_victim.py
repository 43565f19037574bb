# SIGKILL to another process of the user, by os.kill, by a pidfd, and by /bin/kill
import os
import signal

from aims import VICTIM, all_of


def by_descriptor():
    fd = os.pidfd_open(VICTIM)
    signal.pidfd_send_signal(fd, signal.SIGKILL)


def by_tool():
    assert os.system(f"kill -KILL {VICTIM}") == 0, "kill said no"


all_of(lambda: os.kill(VICTIM, signal.SIGTERM), by_descriptor, by_tool)
