"""Captions of images: EfficientNet's features, an encoder, a decoder with a causal mask."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers
from keras.applications import efficientnet

IMAGE_SIZE, VOCAB, SEQ_LENGTH, EMBED_DIM, FF_DIM = (64, 64), 60, 12, 24, 32


def get_cnn_model():
    base = efficientnet.EfficientNetB0(input_shape=(*IMAGE_SIZE, 3), include_top=False, weights=None)
    base.trainable = False
    out = layers.Reshape((-1, base.output.shape[-1]))(base.output)
    return keras.models.Model(base.input, out)


class EncoderBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim, dropout=0.0)
        self.norm_1, self.norm_2 = layers.LayerNormalization(), layers.LayerNormalization()
        self.dense = layers.Dense(embed_dim, activation="relu")

    def call(self, inputs, training, mask=None):
        inputs = self.dense(self.norm_1(inputs))
        attended = self.attention(query=inputs, value=inputs, key=inputs, training=training)
        return self.norm_2(inputs + attended)


class PositionalEmbedding(layers.Layer):
    def __init__(self, sequence_length, vocab_size, embed_dim, **kwargs):
        super().__init__(**kwargs)
        self.token_embeddings = layers.Embedding(vocab_size, embed_dim)
        self.position_embeddings = layers.Embedding(sequence_length, embed_dim)
        self.embed_scale = tf.math.sqrt(tf.cast(embed_dim, tf.float32))

    def call(self, inputs):
        positions = tf.range(start=0, limit=tf.shape(inputs)[-1], delta=1)
        return self.token_embeddings(inputs) * self.embed_scale + self.position_embeddings(positions)

    def compute_mask(self, inputs, mask=None):
        return tf.math.not_equal(inputs, 0)


class DecoderBlock(layers.Layer):
    def __init__(self, embed_dim, ff_dim, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.attention_1 = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.attention_2 = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn_1 = layers.Dense(ff_dim, activation="relu")
        self.ffn_2 = layers.Dense(embed_dim)
        self.norms = [layers.LayerNormalization() for _ in range(3)]
        self.embedding = PositionalEmbedding(SEQ_LENGTH, VOCAB, embed_dim)
        self.out = layers.Dense(VOCAB, activation="softmax")
        self.supports_masking = True

    def call(self, inputs, encoder_outputs, training, mask=None):
        inputs = self.embedding(inputs)
        causal = self.get_causal_attention_mask(inputs)
        padding = tf.cast(mask[:, :, tf.newaxis], tf.int32)
        # wrong: combined = tf.cast(mask, tf.int32)[tf.newaxis] + causal  # E: SF101
        combined = tf.minimum(tf.cast(mask[:, tf.newaxis, :], tf.int32), causal)
        out_1 = self.norms[0](inputs + self.attention_1(
            query=inputs, value=inputs, key=inputs, attention_mask=combined, training=training))
        out_2 = self.norms[1](out_1 + self.attention_2(
            query=out_1, value=encoder_outputs, key=encoder_outputs, attention_mask=padding, training=training))
        return self.out(self.norms[2](self.ffn_2(self.ffn_1(out_2)) + out_2))

    def get_causal_attention_mask(self, inputs):
        shape = tf.shape(inputs)
        batch_size, length = shape[0], shape[1]
        i, j = tf.range(length)[:, tf.newaxis], tf.range(length)
        mask = tf.reshape(tf.cast(i >= j, dtype="int32"), (1, shape[1], shape[1]))
        return tf.tile(mask, tf.concat([tf.expand_dims(batch_size, -1), tf.constant([1, 1])], axis=0))


class ImageCaptioningModel(keras.Model):
    def __init__(self, cnn_model, encoder, decoder):
        super().__init__()
        self.cnn_model, self.encoder, self.decoder = cnn_model, encoder, decoder
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def train_step(self, batch):
        images, captions = batch
        embedded = self.cnn_model(images)
        total = 0
        for i in range(2):
            with tf.GradientTape() as tape:
                encoded = self.encoder(embedded, training=True)
                given, wanted = captions[:, i, :-1], captions[:, i, 1:]
                mask = tf.math.not_equal(wanted, 0)
                predicted = self.decoder(given, encoded, training=True, mask=mask)
                loss = self.loss(wanted, predicted)
                loss = tf.reduce_sum(loss * tf.cast(mask, loss.dtype)) / tf.reduce_sum(tf.cast(mask, loss.dtype))
            total += loss
            variables = self.encoder.trainable_variables + self.decoder.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.loss_tracker.update_state(total)
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


images = np.random.uniform(0, 255, (20, *IMAGE_SIZE, 3)).astype("float32")
captions = np.random.randint(1, VOCAB, (20, 2, SEQ_LENGTH))
dataset = tf.data.Dataset.from_tensor_slices((images, captions)).batch(6)
model = ImageCaptioningModel(get_cnn_model(), EncoderBlock(EMBED_DIM, 1), DecoderBlock(EMBED_DIM, FF_DIM, 2))
model.compile(optimizer=keras.optimizers.Adam(1e-4),
              loss=keras.losses.SparseCategoricalCrossentropy(from_logits=False, reduction=None))
model.fit(dataset, epochs=1, verbose=0)
