"""Pictures changed by chance, keras.random and Normalization, against what TensorFlow 2.21 says."""
import numpy as np
import pytest

STAY = ("RandomFlip()", "RandomRotation(0.1)", "RandomZoom(0.1)", "RandomTranslation(0.1, 0.1)",
        "RandomShear(0.1)", "RandomHue(0.1)", "RandomInvert(0.1)", "RandomPosterization(4)", "RandAugment()",
        "AutoContrast()")


def kind(tensor):
    """Those of a KerasTensor are a tuple and a text."""
    return list(tensor.shape), getattr(tensor.dtype, "name", tensor.dtype)


@pytest.mark.parametrize("name", STAY)
def test_the_shape_stays(tf2, name):
    layer = eval(name, dict(vars(tf2.keras.layers)))
    assert kind(layer(np.zeros((2, 8, 8, 3), "uint8"), training=True)) == ([2, 8, 8, 3], "float32")
    assert kind(layer(tf2.keras.Input((None, None, 3), dtype="uint8"))) == ([None, None, None, 3], "float32")
    assert kind(layer(tf2.ones([8, 8, 3]))) == ([8, 8, 3], "float32")
    assert layer.weights == []


def test_crops_and_integers(tf2):
    layers = tf2.keras.layers
    assert kind(layers.RandomCrop(4, 5)(np.zeros((2, 8, 8, 3), "uint8"))) == ([2, 4, 5, 3], "float32")
    assert kind(layers.RandomBrightness(0.1)(np.zeros((2, 8, 8, 3), "uint8"))) == ([2, 8, 8, 3], "uint8")
    assert kind(layers.RandomHeight(0.2)(tf2.ones([2, 8, 8, 3]))) == ([2, None, 8, 3], "float32")


def test_pictures_beside_labels(tf2):
    given = {"images": tf2.ones([2, 8, 8, 3]), "labels": tf2.ones([2, 5])}
    layers = tf2.keras.layers
    for layer, size in ((layers.CutMix(), 8), (layers.RandomCrop(4, 4), 4), (layers.CenterCrop(4, 4), 4),
                        (layers.Resizing(5, 5), 5)):
        made = layer(given, training=True)
        assert {key: kind(value)[0] for key, value in made.items()} == {
            "images": [2, size, size, 3], "labels": [2, 5]}


def test_in_a_model_and_in_data(tf2):
    keras, layers = tf2.keras, tf2.keras.layers
    model = keras.Sequential([keras.Input((8, 8, 3)), layers.RandomFlip("horizontal"), layers.RandomZoom(0.1),
                              layers.Rescaling(1 / 255), layers.Conv2D(3, 3), layers.Flatten(),
                              layers.Dense(2)])
    model.compile("adam", "mse")
    model.fit(np.zeros((4, 8, 8, 3), "uint8"), np.zeros((4, 2)), verbose=0)
    assert (model.count_params(), model.output_shape) == (302, (None, 2))
    change = keras.Sequential([layers.RandomFlip(), layers.RandomRotation(0.2)])
    data = tf2.data.Dataset.from_tensor_slices(np.zeros((8, 8, 8, 3), "uint8")).batch(4)
    data = data.map(lambda x: change(x, training=True))
    assert data.element_spec.shape.as_list() == [None, 8, 8, 3] and data.element_spec.dtype == tf2.float32


@pytest.mark.parametrize("axis, shape, kept", [(-1, [4, 3], (3,)), (None, [4, 3], ()),
                                               ((1, 2), [4, 3, 5], (3, 5)), (1, [4, 3, 5], (3,))])
def test_normalization(tf2, axis, shape, kept):
    layer = tf2.keras.layers.Normalization(axis=axis)
    layer.adapt(np.ones(shape, "float32"))
    assert [tuple(weight.shape) for weight in layer.weights] == [kept, kept, ()]
    assert kind(layer(tf2.ones(shape, tf2.int32))) == (shape, "float32")


def test_normalization_adapted_to_a_data_set(tf2):
    """Which has the dim that the model's input leaves open."""
    layer = tf2.keras.layers.Normalization()
    layer.adapt(tf2.data.Dataset.from_tensor_slices(np.zeros((8, 3), "float32")).batch(2))
    assert layer(tf2.keras.Input((None,))).shape == (None, None)
    layer = tf2.keras.layers.Normalization()
    layer.adapt(tf2.data.Dataset.from_tensor_slices(np.zeros((8, 3), "float32")).batch(2))
    assert layer(tf2.ones([2, 3])).shape == [2, 3] and layer.count_params() == 7


def test_a_data_set_may_have_its_own_number_of_batches(tf2):
    class Own(tf2.keras.utils.Sequence):
        def __len__(self):
            return 3

    class Plain(tf2.keras.utils.PyDataset):
        def __len__(self):
            return 3

    assert Own().num_batches == 3 and Plain(workers=2).num_batches == 3 and not hasattr(Plain(), "other")


def test_normalization_by_what_is_given_or_unknown(tf2):
    layer = tf2.keras.layers.Normalization(mean=1.0, variance=2.0)
    assert layer(tf2.ones([4, 3])).shape == [4, 3] and layer.weights == []
    with pytest.raises(ValueError, match="must have a known shape"):
        tf2.keras.layers.Normalization(axis=1)(tf2.keras.Input((None, 3)))


def test_numbers_by_chance(tf2):
    random, rows = tf2.keras.random, tf2.keras.ops.shape(tf2.ones([5, 2]))[0]
    seed = random.SeedGenerator(3)
    assert kind(random.normal((rows, 3), seed=seed)) == ([5, 3], "float32")
    assert kind(random.truncated_normal([2, 3], dtype="float16")) == ([2, 3], "float16")
    assert kind(random.uniform((), 0, 2)) == ([], "float32")
    assert kind(random.randint((2, 2), 0, 5)) == ([2, 2], "int32")
    assert kind(random.categorical(tf2.zeros([3, 7]), 4)) == ([3, 4], "int32")
    assert kind(random.dropout(tf2.ones([2, 3]), 0.5)) == kind(random.shuffle(tf2.ones([2, 3])))
    for made in random.gamma((3,), 2.0), random.beta((3,), 1.0, 2.0), random.binomial((3,), 5.0, 0.5):
        assert kind(made) == ([3], "float32")
    assert kind(seed.next()) == ([2], "int64")
    assert random.SeedGenerator.from_config(seed.get_config()).get_config()["seed"] == 3
    with pytest.raises(ValueError, match="must be an integer"):
        random.SeedGenerator(1.5)


def test_numbers_for_a_batch_that_is_not_known(tf2):
    @tf2.function(input_signature=[tf2.TensorSpec([None, 4])])
    def noisy(x):
        return x + tf2.keras.random.normal(tf2.keras.ops.shape(x))

    assert noisy(tf2.ones([3, 4])).shape == [3, 4]
