# another process of the user: its priority, limits, CPUs, scheduling and OOM score changed
# needs: linux
import os
import resource

from aims import VICTIM, all_of, syscall, write

all_of(lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 19),
       lambda: os.setpriority(os.PRIO_PGRP, VICTIM, 19),  # it leads a group of its own
       lambda: resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (64, 64)),
       lambda: os.sched_setaffinity(VICTIM, {min(os.sched_getaffinity(0))}),
       lambda: os.sched_setscheduler(VICTIM, os.SCHED_BATCH, os.sched_param(0)),
       lambda: syscall("ioprio_set", 1, VICTIM, 3 << 13),
       lambda: write(f"/proc/{VICTIM}/oom_score_adj", b"500"))
