# reading what `deny-read` of [tool.shapeflow] names: by open, os.open, a link, /proc/self/root and a listing
# deny: secret
# done: not held
import os

from aims import PROJECT, read

secret = PROJECT + "/secret/key.txt"
os.path.lexists("peek") or os.symlink(secret, "peek")
for path in (secret, "secret/key.txt", "peek", "/proc/self/root" + secret, "link_dir/../secret/key.txt"):
    try:
        assert read(path) != b"the key\n"
    except OSError:
        continue
    raise SystemExit(0)
raise SystemExit("none of the ways led there")
