# tensorflow-hub
import tensorflow as tf
import tensorflow_hub as hub

embed = hub.load("https://tfhub.dev/google/universal-sentence-encoder/4")
vectors = embed(["a sentence", "another one"])
print("KNOWN", vectors.shape.rank if hasattr(vectors, "shape") else None)
inputs = tf.keras.Input((224, 224, 3))
features = hub.KerasLayer("https://tfhub.dev/google/imagenet/mobilenet_v2_100_224/feature_vector/5",
                          output_shape=[1280])
print("LAYER", features.trainable)
