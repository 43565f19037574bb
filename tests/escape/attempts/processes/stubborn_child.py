# a child that ignores SIGTERM, SIGHUP and SIGINT in a session of its own, not waited for
import subprocess

subprocess.Popen(["/bin/sh", "-c", "trap '' TERM HUP INT; sleep 60; sleep 61"], start_new_session=True,
                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
