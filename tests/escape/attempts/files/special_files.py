# os.mkfifo and os.mknod in the project
import os
import stat

from aims import all_of

all_of(lambda: os.mkfifo("pipe"), lambda: os.mknod("node", 0o600 | stat.S_IFREG))
assert stat.S_ISFIFO(os.stat("pipe").st_mode)
