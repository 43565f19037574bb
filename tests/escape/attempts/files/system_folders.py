# files in /etc, /usr, /var, /opt, /root, /mnt and /: a name of the run's own in each
import os

from aims import MARK, all_of, write

places = [place for place in ("/etc", "/usr/lib", "/var/tmp", "/opt", "/root", "/mnt", "/srv", "/run", "/")
          if os.path.isdir(place)]
all_of(*(lambda place=place: write(os.path.join(place, MARK), b"left") for place in places))
