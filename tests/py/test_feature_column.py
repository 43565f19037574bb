"""tf.feature_column: shapes and variables of columns, and TensorFlow 1.15's words (seen under it)."""

import pytest


def features(tf):
    return {
        "n": tf.placeholder(tf.float32, [None]),
        "m": tf.placeholder(tf.float32, [None, 2]),
        "s": tf.placeholder(tf.string, [None]),
        "i": tf.placeholder(tf.int64, [None, 3]),
        "p": tf.sparse_placeholder(tf.string),
    }


def variables(tf):
    return [(v.op.name, v.shape.as_list()) for v in tf.global_variables()]


@pytest.mark.parametrize(
    "columns, width, made",
    [
        (lambda c: [c.numeric_column("n"), c.numeric_column("m", shape=2)], 3, []),
        (lambda c: [c.bucketized_column(c.numeric_column("n"), [1, 2, 3])], 4, []),
        (
            lambda c: [
                c.indicator_column(
                    c.categorical_column_with_vocabulary_list("s", ["a", "b"], num_oov_buckets=1)
                )
            ],
            3,
            [],
        ),
        (
            lambda c: [
                c.embedding_column(c.categorical_column_with_hash_bucket("s", 100), 8),
                c.embedding_column(c.categorical_column_with_identity("i", 20), 4),
            ],
            12,
            [
                ("input_layer/i_embedding/embedding_weights", [20, 4]),
                ("input_layer/s_embedding/embedding_weights", [100, 8]),
            ],
        ),
        (
            lambda c: [c.embedding_column(c.categorical_column_with_hash_bucket("p", 100), 8)],
            8,
            [("input_layer/p_embedding/embedding_weights", [100, 8])],
        ),
        (
            lambda c: [
                c.indicator_column(
                    c.crossed_column(["s", c.bucketized_column(c.numeric_column("n"), [1, 2])], 50)
                )
            ],
            50,
            [],
        ),
    ],
    ids=["numeric", "bucketized", "indicator", "embedding", "sparse", "crossed"],
)
def test_a_layer_of_columns(tf, columns, width, made):
    layer = tf.feature_column.input_layer(features(tf), columns(tf.feature_column))
    assert layer.shape.as_list() == [None, width] and variables(tf) == made


def test_shared_embeddings_have_one_table(tf):
    c = tf.feature_column
    given = {"i": tf.placeholder(tf.int64, [None, 3]), "j": tf.placeholder(tf.int64, [None])}
    shared = c.shared_embedding_columns([c.categorical_column_with_identity(k, 20) for k in "ij"], 4)
    assert c.input_layer(given, shared).shape.as_list() == [None, 8] and len(variables(tf)) == 1


def test_a_linear_model(tf):
    c = tf.feature_column
    model = c.linear_model(
        features(tf),
        [
            c.numeric_column("m", shape=[2]),
            c.categorical_column_with_hash_bucket("s", 100),
            c.bucketized_column(c.numeric_column("n"), [1, 2]),
        ],
        units=3,
    )
    assert model.shape.as_list() == [None, 3] and variables(tf) == [
        ("linear_model/m/weights", [2, 3]),
        ("linear_model/n_bucketized/weights", [3, 3]),
        ("linear_model/s/weights", [100, 3]),
        ("linear_model/bias_weights", [3]),
    ]


def test_the_rows_of_a_run_are_those_of_the_feed(tf):
    c, given = tf.feature_column, features(tf)
    layer = c.input_layer(given, [c.embedding_column(c.categorical_column_with_identity("i", 20), 4)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(layer, {given["i"]: [[1, 2, 3]] * 5}).shape == (5, 4)


@pytest.mark.parametrize(
    "columns, message",
    [
        (
            lambda c: [c.categorical_column_with_hash_bucket("s", 9)],
            "Items of feature_columns must be a _DenseColumn.",
        ),
        (lambda c: [c.numeric_column("z")], "Feature z is not in features dictionary."),
        (
            lambda c: [c.numeric_column("n"), c.numeric_column("n")],
            "Duplicate feature column name found for columns",
        ),
        (
            lambda c: [c.indicator_column(c.categorical_column_with_hash_bucket("i", 9))],
            "Column dtype and SparseTensors dtype must be compatible. key: i",
        ),
        (
            lambda c: [c.indicator_column(c.categorical_column_with_identity("s", 9))],
            "Invalid input, not integer. key: s",
        ),
        (lambda c: [], "feature_columns must not be empty."),
        (lambda c: [c.numeric_column("n", shape=[0])], "shape dimensions must be greater than 0."),
        (lambda c: [c.bucketized_column(c.numeric_column("n"), [2, 1])], "boundaries must be a sorted list."),
        (
            lambda c: [c.categorical_column_with_vocabulary_list("s", ["a", "a"])],
            "Duplicate keys in vocabulary_list",
        ),
        (
            lambda c: [c.embedding_column(c.categorical_column_with_hash_bucket("s", 9), 0)],
            "Invalid dimension 0.",
        ),
        (lambda c: [c.crossed_column(["s"], 9)], "keys must be a list with length > 1."),
        (
            lambda c: [c.categorical_column_with_vocabulary_file("s", "/nowhere/at/all")],
            "vocabulary_file in s does not exist.",
        ),
    ],
)
def test_what_does_not_fit_is_refused(tf, columns, message):
    with pytest.raises(ValueError, match=message):
        tf.feature_column.input_layer(features(tf), columns(tf.feature_column))


def test_a_feature_of_another_width(tf):
    c = tf.feature_column
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape"):
        given = features(tf)
        session.run(c.input_layer(given, [c.numeric_column("m", shape=[3])]), {given["m"]: [[1, 2]] * 4})


def test_what_an_example_must_have(tf):
    c = tf.feature_column
    spec = c.make_parse_example_spec(
        [c.numeric_column("n"), c.indicator_column(c.crossed_column(["s", "t"], 5))]
    )
    assert sorted((key, type(value).__name__) for key, value in spec.items()) == [
        ("n", "FixedLenFeature"),
        ("s", "VarLenFeature"),
        ("t", "VarLenFeature"),
    ]


# What 1.15 gave for the same columns, in graph and in eager code.
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_columns_as_a_layer_of_keras(version, mode):
    tf = version("1.15.0", mode)
    c = tf.feature_column
    age = c.numeric_column("age")
    kind = c.categorical_column_with_vocabulary_list("kind", ["a", "b"])
    columns = [age, c.embedding_column(kind, 8), c.indicator_column(kind),
               c.bucketized_column(age, [10, 20, 30])]

    def given(count):
        return {"age": tf.ones([count, 1]), "kind": tf.constant([["a"], ["b"]] * (count // 2))}

    layer, kept = tf.keras.layers.DenseFeatures(columns), {}
    with tf.GradientTape() as tape:
        out = layer(given(4), cols_to_output_tensors=kept)
    assert out.shape.as_list() == [4, 15] and layer(given(6)).shape.as_list() == [6, 15]
    assert sorted(made.shape.as_list() for made in kept.values()) == [[4, 1], [4, 2], [4, 4], [4, 8]]
    weight, = layer.trainable_variables
    assert weight.name == "dense_features/kind_embedding/embedding_weights:0"
    assert weight.shape.as_list() == [2, 8] and len(layer.weights) == 1
    if mode == "eager":
        assert tape.gradient(out, weight) is not None
    frozen = tf.keras.layers.DenseFeatures(columns[1], trainable=False)
    frozen(given(2))
    assert len(frozen.weights) == 1 and not frozen.trainable_variables
    assert layer.compute_output_shape((None, 3)).as_list() == [None, 15]
    model = tf.keras.Sequential([tf.keras.layers.DenseFeatures(columns[:2]), tf.keras.layers.Dense(3)])
    assert model(given(4)).shape.as_list() == [4, 3]
    with pytest.raises(ValueError, match="We expected a dictionary here"):
        layer(tf.ones([2, 2]))
    with pytest.raises(ValueError, match="Feature age is not in features dictionary"):
        layer({"kind": tf.constant([["a"]])})
    with pytest.raises(ValueError, match="Items of feature_columns must be a"):
        tf.keras.layers.DenseFeatures([kind])
