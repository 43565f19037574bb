# another Python that connects
import subprocess
import sys

from aims import TCP

code = f"import socket; socket.create_connection(('127.0.0.1', {TCP}), 2)"
subprocess.run([sys.executable, "-I", "-c", code], check=True)
