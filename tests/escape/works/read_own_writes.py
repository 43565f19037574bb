# what was written is read back, also after a second change
from aims import read, write

write("results.txt", b"first")
assert read("results.txt") == b"first"
write("results.txt", b"second")
assert read("results.txt") == b"second"
write("notes.txt", b"mine now")
assert read("notes.txt") == b"mine now"
