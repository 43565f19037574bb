# a program that uses the network: curl
# needs: curl
import subprocess

from aims import TCP

subprocess.run(["curl", "-s", "-m", "2", f"http://127.0.0.1:{TCP}/"], check=True)
