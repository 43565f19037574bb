# an unnamed file (O_TMPFILE) that gets a name afterwards
# needs: linux
import os

fd = os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o600)
os.write(fd, b"named later")
os.link(f"/proc/self/fd/{fd}", "appeared.txt", src_dir_fd=fd, follow_symlinks=True)
assert os.path.exists("appeared.txt")
