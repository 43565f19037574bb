# tf.gfile / tf.io.gfile: GFile, makedirs, copy, rename, remove, rmtree
import tensorflow as tf
from aims import all_of

gfile = tf.io.gfile


def written():
    with gfile.GFile("notes.txt", "w") as stream:
        stream.write("changed")


all_of(written, lambda: gfile.makedirs("runs2/1"), lambda: gfile.copy("data.bin", "log.txt", overwrite=True),
       lambda: gfile.rename("array.npy", "moved.npy"), lambda: gfile.remove("archive.zip"),
       lambda: gfile.rmtree("checkpoints"))
assert not gfile.exists("checkpoints") and gfile.exists("moved.npy")
