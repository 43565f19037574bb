"""Translation as tutorials do it: encoder and decoder layers with masks, label smoothing, a learning rate schedule."""
import numpy as np
import tensorflow as tf


def positional_encoding(length, depth):
    depth = depth / 2
    positions, depths = np.arange(length)[:, np.newaxis], np.arange(depth)[np.newaxis, :] / depth
    angles = positions * (1 / (10000 ** depths))
    return tf.cast(np.concatenate([np.sin(angles), np.cos(angles)], axis=-1), dtype=tf.float32)


class PositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = tf.keras.layers.Embedding(vocab_size, d_model, mask_zero=True)
        # wrong: self.pos_encoding = positional_encoding(length=2048, depth=d_model * 2)
        self.pos_encoding = positional_encoding(length=2048, depth=d_model)

    def compute_mask(self, *args, **kwargs):
        return self.embedding.compute_mask(*args, **kwargs)

    def call(self, x):
        length = tf.shape(x)[1]
        x = self.embedding(x)
        x *= tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        return x + self.pos_encoding[tf.newaxis, :length, :]  # E: SF101


class Attend(tf.keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__()
        self.mha = tf.keras.layers.MultiHeadAttention(**kwargs)
        self.layernorm, self.add = tf.keras.layers.LayerNormalization(), tf.keras.layers.Add()

    def call(self, x, context, causal=False):
        output, scores = self.mha(query=x, key=context, value=context, use_causal_mask=causal, return_attention_scores=True)
        self.last_scores = scores
        return self.layernorm(self.add([x, output]))


class Translator(tf.keras.Model):
    def __init__(self, d_model=32, heads=4, size=100):
        super().__init__()
        self.source, self.target = PositionalEmbedding(size, d_model), PositionalEmbedding(size, d_model)
        self.self_attention = Attend(num_heads=heads, key_dim=8, dropout=0.1)
        self.causal = Attend(num_heads=heads, key_dim=8)
        self.cross = Attend(num_heads=heads, key_dim=8)
        self.final = tf.keras.layers.Dense(size)

    def call(self, inputs):
        context, x = inputs
        context = self.source(context)
        context = self.self_attention(context, context)
        x = self.target(x)
        x = self.causal(x, x, causal=True)
        logits = self.final(self.cross(x, context))
        try:
            del logits._keras_mask
        except AttributeError:
            pass
        return logits


class Schedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup=4000):
        super().__init__()
        self.d_model, self.warmup = tf.cast(d_model, tf.float32), warmup

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(tf.math.rsqrt(step), step * self.warmup ** -1.5)


def masked_loss(label, pred):
    mask = label != 0
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")(label, pred)
    mask = tf.cast(mask, dtype=loss.dtype)
    return tf.reduce_sum(loss * mask) / tf.reduce_sum(mask)


source, target = np.random.randint(0, 100, (48, 11)), np.random.randint(0, 100, (48, 9))
data = tf.data.Dataset.from_tensor_slices((source, target)).batch(16)
data = data.map(lambda s, t: ((s, t[:, :-1]), t[:, 1:])).prefetch(tf.data.AUTOTUNE)
translator = Translator()
translator.compile(loss=masked_loss, optimizer=tf.keras.optimizers.Adam(Schedule(32), beta_1=0.9, beta_2=0.98, epsilon=1e-9))
translator.fit(data, epochs=1, verbose=0)
out = tf.TensorArray(dtype=tf.int64, size=0, dynamic_size=True)
out = out.write(0, tf.constant([1], tf.int64))
for i in tf.range(4):
    so_far = tf.transpose(out.stack())
    logits = translator((tf.constant(source[:1]), so_far), training=False)[:, -1:, :]
    out = out.write(i + 1, tf.argmax(logits, axis=-1)[0])
print(tf.transpose(out.stack()).shape, translator.cross.last_scores.shape)
