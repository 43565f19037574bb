"""`shapeflow numeric` of eager code: what is written to variables comes back in the next step."""
import json
import subprocess
import sys
import textwrap

import pytest

from command import need

HEAD = """\
import numpy as np
import tensorflow as tf
rng = np.random.RandomState(0)
X = rng.rand(64, 8).astype("float32")
Y = rng.randint(0, 3, 64)
B = rng.randint(0, 2, (64, 1)).astype("float32")
IMAGES = rng.rand(64, 12, 12, 3).astype("float32")
TEXTS = rng.rand(64, 10, 4).astype("float32")
"""


def suspects(tmp_path, *programs):
    """[(what stands in the line, op, condition, in_gradient)] of all programs in one."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + "".join(textwrap.dedent(program) for program in programs), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)], cwd=tmp_path,
                          capture_output=True, text=True)
    document = json.loads(done.stdout)
    assert done.returncode == int(bool(document["suspects"])), done.stderr
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(lines[s["line"] - 1].strip(), s["op"], s["condition"], s["in_gradient"])
            for s in document["suspects"]]


def step(loss, start="w = tf.Variable(tf.ones([8, 1]))", update="w.assign_sub(0.1 * tape.gradient(loss, w))"):
    return f"""
{start}
for i in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean({loss})
    {update}
"""


@pytest.mark.parametrize("loss, op, condition, in_gradient", [
    ("X / w[0]", "RealDiv", "zero", False),  # 1 before it is trained
    ("tf.math.log(w)", "Log", "nonpositive", False),
    ("tf.exp(X @ w)", "Exp", "overflow", False),
    ("tf.sqrt(tf.reduce_sum(w))", "Sqrt", "negative", False),
    ("tf.sqrt(tf.reduce_sum(tf.square(w)))", "Sqrt", "zero", True),
    ("tf.math.log(1 - tf.sigmoid(X @ w))", "Log", "nonpositive", False),
    ("tf.math.log(tf.nn.softmax(X @ w, 0))", "Log", "nonpositive", False),
    ("X[:1] / tf.reduce_sum(tf.cast(X @ w > 0.5, tf.float32))", "RealDiv", "zero", False),
])
def test_what_breaks_after_training_is_found(tmp_path, loss, op, condition, in_gradient):
    found = suspects(tmp_path, step(loss))
    assert found == [(f"loss = tf.reduce_mean({loss})", op, condition, in_gradient)]


def test_what_training_cannot_break_is_none(tmp_path):
    assert suspects(
        tmp_path,
        step("tf.square(X @ w - B)"),
        step("tf.nn.sigmoid_cross_entropy_with_logits(labels=B, logits=X @ w)"),
        step("tf.math.log(tf.clip_by_value(tf.nn.softmax(X @ w, 0), 1e-9, 1.0))"),
        step("tf.sqrt(tf.reduce_sum(tf.square(w)) + 1e-9)"),
        step("tf.math.log(w)", update="w.assign(tf.clip_by_value(w - tape.gradient(loss, w), 0.1, 1.0))"),
        """
        # a rule of one's own: m is any number, v and what is left of it never below zero
        w, m, v = (tf.Variable(tf.zeros([300, 20])) for _ in range(3))
        for i in range(1, 50):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.abs(w - 1))
            g = tape.gradient(loss, w)
            m.assign(0.9 * m + 0.1 * g)
            v.assign_add(0.001 * (tf.square(g) - v))
            w.assign_sub(0.01 * m / (tf.sqrt(v) + 1e-7))
        """,
        """
        steps = tf.Variable(0, dtype=tf.int64)  # no count of steps overflows
        for i in range(50):
            print(1 / tf.cast(steps + 1, tf.float32), tf.sqrt(tf.cast(steps, tf.float32)))
            steps.assign_add(1)
        """) == []


def test_content_that_is_too_large_to_be_kept_is_bounded(tmp_path):
    found = suspects(tmp_path, """
        data = np.random.uniform(1, 2, (100, 100))
        print(tf.math.log(tf.constant(data.astype("float32"))), tf.math.log(tf.constant(data, tf.float32)))
        print(1 / (tf.ones([300, 300]) * 3), tf.sqrt(tf.Variable(tf.ones([200, 100]))))
        print(tf.math.log(tf.constant(data - 1.5)))  # below zero
        print(tf.math.log(np.zeros([100, 100])))  # all alike: stands for data that are not here
        print(tf.sqrt(tf.subtract(data, data + 0.5)))  # two tensors from outside in one place
    """)
    assert [line[:36] for line, *_ in found] == [
        "print(tf.math.log(tf.constant(data -", "print(tf.math.log(np.zeros([100, 100",
        "print(tf.sqrt(tf.subtract(data, data"]


KERAS = ["""
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"),
                             tf.keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="%s", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(X, Y, epochs=3, batch_size=16)
""" % name for name in ("adam", "sgd", "rmsprop", "nadam", "adamax", "adagrad", "adadelta", "ftrl", "lion",
                        "adamw")]


def test_no_optimizer_of_keras_is_suspect(tmp_path):
    need("keras")
    assert suspects(tmp_path, *KERAS) == []


EMBEDDING = """
model = tf.keras.Sequential([tf.keras.layers.Embedding(50, 8), tf.keras.layers.GlobalAveragePooling1D(),
                             tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.get("%s")
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            Y, model(rng.randint(0, 50, (64, 12)), training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


def test_no_optimizer_of_keras_is_suspect_with_an_embedding(tmp_path):
    """Its gradient is tf.IndexedSlices, squares of which are summed up."""
    need("keras")
    assert suspects(tmp_path, *(EMBEDDING % name for name in ("adam", "rmsprop", "nadam", "adagrad"))) == []


def test_right_programs_of_keras(tmp_path):
    need("keras")
    assert suspects(
        tmp_path,
        """
        model = tf.keras.Sequential([
            tf.keras.layers.Conv2D(8, 3), tf.keras.layers.BatchNormalization(), tf.keras.layers.ReLU(),
            tf.keras.layers.MaxPooling2D(), tf.keras.layers.Flatten(), tf.keras.layers.Dropout(0.5),
            tf.keras.layers.Dense(3)])
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
                      loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["accuracy"])
        model.fit(IMAGES, Y, epochs=2, validation_split=0.2)
        model.evaluate(IMAGES, Y)
        """,
        """
        i = tf.keras.Input((10, 4))
        x = tf.keras.layers.Dense(16)(i)
        a = tf.keras.layers.MultiHeadAttention(2, 8)(x, x)
        x = tf.keras.layers.LayerNormalization(epsilon=1e-6)(x + a)
        x = tf.keras.layers.GlobalAveragePooling1D()(x)
        model = tf.keras.Model(i, tf.keras.layers.Dense(1, activation="sigmoid")(x))
        model.compile(tf.keras.optimizers.Adam(1e-3, clipnorm=1.0), loss="binary_crossentropy")
        model.fit(TEXTS, B, epochs=2)
        """,
        """
        model = tf.keras.Sequential([tf.keras.layers.LSTM(12), tf.keras.layers.Dense(1)])
        model.compile("rmsprop", loss="mse", metrics=["mae"])
        model.fit(TEXTS, B, epochs=2)
        """,
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(3)])
        optimizer = tf.keras.optimizers.Adam(1e-3)
        entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        mean = tf.keras.metrics.Mean()

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = entropy(y, model(x, training=True))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            mean.update_state(loss)

        for epoch in range(3):
            for x, y in tf.data.Dataset.from_tensor_slices((X, Y)).shuffle(64).batch(16):
                step(x, y)
            print(mean.result())
            mean.reset_state()
        """) == []


def test_wrong_programs_of_keras(tmp_path):
    need("keras")
    found = suspects(
        tmp_path,
        """
        scale = tf.Variable(1.0)
        optimizer = tf.keras.optimizers.Adam(0.1)
        for i in range(20):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((X / 2) ** 2) + tf.math.log(scale)  # a
            optimizer.apply_gradients([(tape.gradient(loss, scale), scale)])
        """,
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])

        def entropy(y, p):
            return -tf.reduce_mean(y * tf.math.log(p + 1e-7) + (1 - y) * tf.math.log(1 - p))  # b

        model.compile("adam", loss=entropy)
        model.fit(X, B, epochs=1)
        """,
        """
        encoder = tf.keras.Sequential([tf.keras.layers.Dense(8)])

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                mean, sigma = tf.split(encoder(x), 2, axis=1)
                loss = tf.reduce_mean(tf.square(mean) - tf.math.log(tf.square(sigma)))  # c
            gradients = tape.gradient(loss, encoder.trainable_variables)
            optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))

        optimizer = tf.keras.optimizers.Adam(0.1)
        for i in range(3):
            step(X)
        """,
        """
        class Entropy(tf.keras.layers.Layer):
            def call(self, p):
                return -tf.reduce_sum(p * tf.math.log(p), -1)  # d

        model = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="softmax"), Entropy()])
        model.compile("sgd", loss="mse")
        model.fit(X, B[:, 0], epochs=1)
        """)
    assert [(line[-1], op, condition) for line, op, condition, _ in found] == [
        (letter, "Log", "nonpositive") for letter in "abcd"]


def test_where_masks_a_value_and_not_its_derivative(tmp_path):
    start = "x = tf.Variable(tf.ones([4]))"
    update = "x.assign_sub(tape.gradient(loss, x))"
    masked = "tf.where(x > 0, tf.math.log(x), tf.zeros_like(x))"
    twice = "tf.where(x > 0, tf.math.log(tf.where(x > 0, x, tf.ones_like(x))), tf.zeros_like(x))"
    other = "tf.where(x > 0, x, tf.math.log(x))"
    found = suspects(tmp_path, step(masked, start, update), step(twice, start, update),
                     f"print(tf.reduce_sum({masked}))\n", step(other, start, update))
    assert found == [(f"loss = tf.reduce_mean({masked})", "Log", "nonpositive", True),
                     (f"loss = tf.reduce_mean({other})", "Log", "nonpositive", False)]


def test_what_a_data_set_gives_has_the_bounds_of_its_arrays(tmp_path):
    """Through batches and functions, whose own numbers may break."""
    assert [line for line, *_ in suspects(tmp_path, """
    def scale(x, y):
        good = x / (tf.reduce_max(x) + 1)
        bad = x / tf.reduce_max(x)
        return good, bad, tf.cast(y, tf.float32)

    Z = X * (X > 0.5)
    data = tf.data.Dataset.from_tensor_slices((Z, Y)).shuffle(64)
    for good, bad, y in data.map(scale).repeat(2).batch(16).prefetch(1):
        print(tf.math.log(good + 1e-3), tf.sqrt(y), 1 / (y + 1))
        print(tf.math.log(good))
        print(1 / y)
    for x in data.map(lambda x, y: x + 1).batch(8).unbatch():
        print(tf.math.log(x), tf.sqrt(x - 1))
    for x, y in tf.data.Dataset.zip((tf.data.Dataset.from_tensors(X), data)).take(1):
        print(tf.math.log(x + 1), tf.math.log(tf.cast(y[1], tf.float32) + 1), tf.math.log(y[0]))
    """)] == [
        "bad = x / tf.reduce_max(x)", "print(tf.math.log(good))", "print(1 / y)",
        "print(tf.math.log(x + 1), tf.math.log(tf.cast(y[1], tf.float32) + 1), tf.math.log(y[0]))"]


def test_what_keras_is_given_has_bounds(tmp_path):
    need("keras")
    assert [line for line, *_ in suspects(tmp_path, """
    def dice(y, p):
        return 1 - (2 * tf.reduce_sum(y * p) + 1) / (tf.reduce_sum(y) + tf.reduce_sum(p) + 1)

    def overlap(y, p):
        return 1 - tf.reduce_sum(y * p) / tf.reduce_sum(y)

    for loss in (dice, overlap):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])
        model.compile("sgd", loss)
        model.fit(X, B, epochs=2)
    """)] == ["return 1 - tf.reduce_sum(y * p) / tf.reduce_sum(y)"]


NAN = """
D = X.copy()
D[3, 2] = np.nan
w = tf.Variable(tf.ones([8, 1]))
"""


@pytest.mark.parametrize("line, says", [
    ("print(tf.reduce_sum(tf.constant(D) @ w))", True),
    ("print(tf.reduce_sum(tf.constant(D[:4]) @ w))", True),
    ("print(list(tf.data.Dataset.from_tensor_slices(D).batch(8)))", True),
    ("tf.where(tf.math.is_nan(tf.constant(D)), 0., 1.)", False),
    ("print(tf.constant(np.full([8, 8], np.nan)))", False),
    ("print(tf.constant(np.nan), tf.constant(X))", False)])
def test_nan_in_the_data_of_eager_code_is_said_as_that(tmp_path, line, says):
    assert suspects(tmp_path, NAN + line) == [(line, "Placeholder", "nan_in_data", False)] * says


def test_an_epsilon_that_is_zero_in_float16_is_found_and_no_other(tmp_path):
    """TensorFlow 2.21 gives NaN and -inf with 1e-8 where gradients are 0 and 1e-4, and numbers with 1e-7.
    Powers of 0.999 do not leave [0, 1] in float16 either."""
    need("keras")
    program = """
    w = tf.keras.Variable(np.ones([8, 1]), dtype="float16")
    optimizer = tf.keras.optimizers.Adam(0.01, epsilon={0})
    for i in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.constant(X, tf.float16) @ w.value))
        optimizer.apply([tape.gradient(loss, w.value)], [w])  # {0}
    """
    found = suspects(tmp_path, program.format(1e-7), program.format(1e-8))
    assert {(line[-5:], op, condition) for line, op, condition, _ in found} == {("1e-08", "RealDiv", "zero")}


def test_a_mask_that_multiplies_what_breaks_does_not_hide_it(tmp_path):
    """NaN times 0 is NaN; a softmax, or a tangent, between the two made it none."""
    assert suspects(tmp_path, """
    Z = rng.randn(64, 4).astype("float32")
    mask = np.eye(4, dtype="float32")[Y]
    print(tf.nn.softmax(Z + tf.math.log(tf.random.uniform([64, 4]))) * mask)
    print(tf.tanh(Z - tf.math.log(tf.random.uniform([64, 4]))) * mask)
    print(tf.exp(Z + tf.math.log(tf.random.uniform([64, 4]))) * mask)
    """) == [(f"print(tf.{of} tf.math.log(tf.random.uniform([64, 4]))) * mask)", "Log", "nonpositive", False)
             for of in ("nn.softmax(Z +", "tanh(Z -", "exp(Z +")]


def test_where_bounds_come_from_ends_at_what_is_trained_or_drawn(tmp_path):
    """Not at the shape, or the seed, of what was drawn for its initial value."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + step("tf.math.log(tf.nn.softmax(X @ w, 0))",
                                "w = tf.Variable(tf.random.normal([8, 3]))") +
                    "tf.math.log(tf.random.uniform([5]))\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)], cwd=tmp_path,
                          capture_output=True, text=True)
    ends = [suspect["sources"][-1] for suspect in json.loads(done.stdout)["suspects"]]
    assert sorted((end["op"], end["why"]) for end in ends) == [
        ("RandomUniform", "[0, 1]"), ("variable", "a variable that is trained: any number")]
