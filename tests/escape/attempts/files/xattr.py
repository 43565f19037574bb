# os.setxattr
# needs: linux
import os

os.setxattr("notes.txt", "user.shapeflow", b"changed")
assert os.getxattr("notes.txt", "user.shapeflow") == b"changed"
