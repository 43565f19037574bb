# keras' get_file, as tutorials begin
import tensorflow as tf
from aims import TCP

path = tf.keras.utils.get_file("data.bin", f"http://127.0.0.1:{TCP}/data.bin")
with open(path, "rb") as stream:
    stream.read()
