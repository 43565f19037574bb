# http.server in a thread, reached from outside
# knock: yes
import http.server
import threading
import time

from aims import LISTEN

server = http.server.ThreadingHTTPServer(("127.0.0.1", LISTEN), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
time.sleep(0.8)
