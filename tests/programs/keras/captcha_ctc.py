"""Reading of captchas: convolutions, a recurrent net over the columns, CTC as a layer that adds a loss."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

characters = list("abcdefgh23456")
img_width, img_height, max_length, batch_size = 100, 24, 5, 8
char_to_num = layers.StringLookup(vocabulary=characters, mask_token=None)


def encode_single_sample(image, label):
    image = ops.transpose(ops.image.resize(image, [img_height, img_width]), axes=[1, 0, 2])
    label = char_to_num(tf.strings.unicode_split(label, input_encoding="UTF-8"))
    return {"image": image, "label": label}


images = np.random.rand(24, 50, 200, 1).astype("float32")
labels = ["".join(np.random.choice(characters, max_length)) for _ in images]
dataset = tf.data.Dataset.from_tensor_slices((images, labels))
dataset = dataset.map(encode_single_sample, num_parallel_calls=tf.data.AUTOTUNE).batch(batch_size)


class CTCLayer(layers.Layer):
    def call(self, y_true, y_pred):
        batch_len = ops.shape(y_true)[0]
        input_length = ops.shape(y_pred)[1] * ops.ones((batch_len,), dtype="int32")
        label_length = ops.shape(y_true)[1] * ops.ones((batch_len,), dtype="int32")
        loss = ops.ctc_loss(y_true, y_pred, label_length, input_length)
        self.add_loss(ops.mean(loss))
        return y_pred


def build_model():
    input_img = layers.Input(shape=(img_width, img_height, 1), name="image", dtype="float32")
    label = layers.Input(name="label", shape=(None,), dtype="int64")
    x = layers.Conv2D(16, (3, 3), activation="relu", padding="same")(input_img)
    x = layers.MaxPooling2D((2, 2))(x)
    x = layers.Conv2D(32, (3, 3), activation="relu", padding="same")(x)
    x = layers.MaxPooling2D((2, 2))(x)
    # wrong: x = layers.Reshape(target_shape=(img_width // 4, img_height * 32))(x)  # E: SF104
    x = layers.Reshape(target_shape=(img_width // 4, (img_height // 4) * 32))(x)
    x = layers.Dropout(0.2)(layers.Dense(32, activation="relu")(x))
    x = layers.Bidirectional(layers.LSTM(16, return_sequences=True, dropout=0.25))(x)
    x = layers.Dense(len(char_to_num.get_vocabulary()) + 1, activation="softmax", name="dense2")(x)
    output = CTCLayer(name="ctc_loss")(label, x)
    return keras.Model(inputs=[input_img, label], outputs=output, name="ocr_model_v1")


model = build_model()
model.compile(optimizer="adam")
model.fit(dataset, epochs=1, verbose=0)
prediction_model = keras.Model(model.inputs[0], model.get_layer(name="dense2").output)
print(prediction_model.predict(np.zeros((2, img_width, img_height, 1)), verbose=0).shape)
