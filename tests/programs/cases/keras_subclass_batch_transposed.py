import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)

    def call(self, inputs):
        return tf.nn.relu(tf.matmul(inputs, self.w) + self.b)  # E: SF101


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(32), Block(16)]
        self.drop = tf.keras.layers.Dropout(0.5)
        self.head = tf.keras.layers.Dense(4)

    def call(self, x, training=False):
        for block in self.blocks:
            x = block(x)
        x = self.drop(x, training=training)
        return self.head(x)


model = Net()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.random.normal([70, 8]), tf.zeros([70], tf.int64))).batch(32)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(tf.transpose(x), training=True)
        loss = loss_fn(y, logits)  # E: SF108
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for x, y in data:
    train_step(x, y)
print(len(model.trainable_variables), [v.shape for v in model.weights])
