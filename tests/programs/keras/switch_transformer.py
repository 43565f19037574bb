"""A switch transformer: tokens routed to experts by one-hot dispatch and einsum."""
import keras
import numpy as np
from keras import layers, ops

vocab_size, num_tokens, embed_dim, ff_dim, num_experts, num_heads = 100, 16, 16, 16, 4, 2
batch_size = 10
num_tokens_per_batch = batch_size * num_tokens
x_train = np.random.randint(0, vocab_size, (40, num_tokens))
y_train = np.random.randint(0, 2, 40)


def load_balanced_loss(router_probs, expert_mask):
    num_experts = ops.shape(expert_mask)[-1]
    density = ops.mean(expert_mask, axis=0)
    density_proxy = ops.mean(router_probs, axis=0)
    return ops.mean(density_proxy * density) * ops.cast(num_experts ** 2, "float32")


class Router(layers.Layer):
    def __init__(self, num_experts, expert_capacity):
        super().__init__()
        self.num_experts, self.expert_capacity = num_experts, expert_capacity
        self.route = layers.Dense(units=num_experts)

    def call(self, inputs, training=False):
        router_logits = self.route(inputs)
        if training:
            router_logits += keras.random.uniform(shape=router_logits.shape, minval=0.9, maxval=1.1)
        router_probs = keras.activations.softmax(router_logits, axis=-1)
        expert_gate, expert_index = ops.top_k(router_probs, k=1)
        expert_mask = ops.one_hot(expert_index, self.num_experts)
        expert_mask = ops.squeeze(expert_mask, axis=1)
        self.add_loss(load_balanced_loss(router_probs, expert_mask))
        position_in_expert = ops.cast(ops.cumsum(expert_mask, axis=0) * expert_mask, "int32")
        expert_mask *= ops.cast(ops.less(position_in_expert, self.expert_capacity), "float32")
        expert_mask_flat = ops.sum(expert_mask, axis=-1)
        expert_gate = ops.squeeze(expert_gate, axis=-1) * expert_mask_flat
        combined = ops.expand_dims(
            expert_gate * expert_mask_flat * ops.squeeze(ops.one_hot(expert_index, self.num_experts), 1)[:, 0], -1)
        combined = ops.expand_dims(combined * expert_mask, -1) * ops.one_hot(
            ops.max(position_in_expert, -1), self.expert_capacity)[:, None, :]
        return ops.cast(combined, "bool"), combined


class Switch(layers.Layer):
    def __init__(self, num_experts, embed_dim, ff_dim, num_tokens_per_batch):
        super().__init__()
        self.num_experts, self.embed_dim = num_experts, embed_dim
        # wrong: self.experts = [layers.Dense(ff_dim * 2, activation="gelu") for _ in range(num_experts)]
        self.experts = [layers.Dense(ff_dim, activation="gelu") for _ in range(num_experts)]
        self.expert_capacity = num_tokens_per_batch // num_experts
        self.router = Router(num_experts, self.expert_capacity)

    def call(self, inputs):
        num_tokens_per_batch = inputs.shape[0]
        dispatch, combine = self.router(inputs)
        expert_inputs = ops.einsum("ab,acd->cdb", inputs, ops.cast(dispatch, "float32"))
        expert_inputs = ops.reshape(expert_inputs, [self.num_experts, self.expert_capacity, self.embed_dim])
        outputs = [self.experts[i](one) for i, one in enumerate(ops.unstack(expert_inputs))]
        outputs = ops.stack(outputs, axis=1)
        outputs = ops.einsum("abc,xba->xc", outputs, combine)
        return ops.reshape(outputs, [num_tokens_per_batch, self.embed_dim])  # E: SF104


class TransformerBlock(layers.Layer):
    def __init__(self, ffn):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = ffn
        self.norm1, self.norm2 = layers.LayerNormalization(epsilon=1e-6), layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs, training=False):
        out1 = self.norm1(inputs + self.att(inputs, inputs))
        flat = ops.reshape(out1, [num_tokens_per_batch, embed_dim])
        ffn_output = ops.reshape(self.ffn(flat), [batch_size, num_tokens, embed_dim])
        return self.norm2(out1 + ffn_output)


inputs = layers.Input(batch_shape=(batch_size, num_tokens))
x = layers.Embedding(vocab_size, embed_dim)(inputs)
x = TransformerBlock(Switch(num_experts, embed_dim, ff_dim, num_tokens_per_batch))(x)
x = layers.GlobalAveragePooling1D()(x)
outputs = layers.Dense(2, activation="softmax")(layers.Dropout(0.2)(x))
classifier = keras.Model(inputs, outputs)
classifier.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
classifier.fit(x_train, y_train, batch_size=batch_size, epochs=1, verbose=0)
