# chroot
# needs: linux
# done: not held
import os

os.chroot("deep")
