# a check inside a check: a script that checks another one
import os
import subprocess
import sys

with open("other.py", "w") as stream:
    stream.write("import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\ntf.matmul(x, x)\n")
environment = {key: value for key, value in os.environ.items() if key != "SHAPEFLOW_SANDBOX"}
done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "--format", "concise", "other.py"],
                      capture_output=True, text=True, env=environment)
assert done.returncode == 1 and "SF101" in done.stdout, (done.returncode, done.stdout, done.stderr)
