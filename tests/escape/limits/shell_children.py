# processes: 400 children started by a shell, each in a session of its own
# expect: 3
# says: processes
import subprocess
import time

subprocess.run(["sh", "-c", "for i in $(seq 400); do setsid sleep 20 & done"])
time.sleep(20)
