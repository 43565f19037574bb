# tensorflow-hub
import tensorflow as tf
import tensorflow_hub as hub

embed = hub.load("https://tfhub.dev/google/universal-sentence-encoder/4")
vectors = embed(["a sentence", "another one"])
tf.matmul(vectors, tf.zeros([512, 3]))  # nobody knows what it gives: no error
print("SHAPE", tf.concat([vectors, tf.zeros([2, 3])], 1).shape.rank, tf.zeros([2, 3]).shape)
features = hub.KerasLayer("https://tfhub.dev/google/imagenet/mobilenet_v2_100_224/feature_vector/5",
                          output_shape=[1280])
print("LAYER", features.trainable)
