# keras-nlp
import keras
import keras_nlp

inputs = keras.Input((None,), dtype="int32")
embedding = keras_nlp.layers.TokenAndPositionEmbedding(50, 20, 8)
x = embedding(inputs)
x = keras_nlp.layers.TransformerEncoder(intermediate_dim=16, num_heads=2)(x)
model = keras.Model(inputs, x)
print("SHAPE", model.output_shape, len(model.weights))
