# the scratch folder itself replaced by a link to the project, which the check would then remove
import glob
import os
import posix

from aims import PROJECT

for folder in glob.glob(os.path.join(os.environ["TMPDIR"], "shapeflow-*")):
    posix.rename(folder, folder + "-away")
    posix.symlink(PROJECT, folder)
    raise SystemExit(0)
raise SystemExit("there is none")
