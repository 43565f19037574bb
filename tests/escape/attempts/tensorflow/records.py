# TFRecordWriter over a file that was there, and tf.io.write_file
import tensorflow as tf
from aims import all_of


def records():
    with tf.io.TFRecordWriter("data.bin") as writer:
        writer.write(b"changed")


all_of(records, lambda: tf.io.write_file("notes.txt", "changed"))
