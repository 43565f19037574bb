# programs that only read: subprocess with output, a pipe, os.popen, shutil.which
import os
import shutil
import subprocess

assert subprocess.check_output(["echo", "hello"]) == b"hello\n"
assert subprocess.run("cat log.txt | wc -l", shell=True, capture_output=True).stdout.strip() == b"3"
assert os.popen("echo again").read() == "again\n"
assert shutil.which("sh")
assert subprocess.run(["sh", "-c", "exit 3"]).returncode == 3
