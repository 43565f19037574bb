# settings of the kernel opened for writing in /proc/sys, /sys, /proc/sysrq-trigger (opened only)
# needs: linux
# done: not held
import os

names = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches",
         "/proc/sysrq-trigger", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/fs/file-max", "/sys/power/state",
         "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/uevent_helper",
         "/sys/fs/cgroup/cgroup.procs", "/proc/sys/user/max_user_namespaces"]
for name in names:
    try:
        os.close(os.open(name, os.O_WRONLY))
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("refused, all of it")
