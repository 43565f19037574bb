"""Calls that TensorFlow's own docstrings show and that ended a program here."""
import dataclasses

import numpy as np
import pytest


@pytest.fixture
def tf(tf2):
    return tf2


def test_a_tensor_array_takes_numbers_of_python_in_its_dtype(tf):
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
    array = array.write(0, 10).write(1, 20)
    assert array.stack().dtype is tf.float32 and array.stack().shape.rank == 1
    with pytest.raises(TypeError, match="TensorArray dtype is float32 but Op is trying to write dtype int32"):
        array.write(2, tf.constant(1))


@pytest.mark.parametrize("method", ["scatter_nd_add", "scatter_nd_sub", "scatter_nd_min", "scatter_nd_max",
                                    "scatter_nd_update"])
def test_variables_scatter_into_cells(tf, method):
    variable = tf.Variable([1., 2., 3., 4.])
    assert getattr(variable, method)([[1], [3]], [9., 10.]).shape == [4]


@pytest.mark.parametrize("method", ["scatter_add", "scatter_div", "scatter_min", "scatter_max"])
def test_variables_scatter_rows(tf, method):
    variable = tf.Variable(tf.ones([4, 2]))
    delta = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([3]))
    assert getattr(variable, method)(delta).shape == [4, 2]


def test_a_variable_ignores_what_only_makers_of_variables_take(tf):
    assert tf.Variable(True, use_resource=True).dtype is tf.bool


def test_a_tape_knows_no_gradient_of_what_it_does_not_watch(tf):
    trained, fixed = tf.Variable(1.), tf.Variable(2., trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        loss = trained * 2. + fixed * 3.
    assert tape.gradient(loss, trained).shape == [] and tape.gradient(loss, fixed) is None
    assert tape.gradient(loss, [fixed], unconnected_gradients="zero")[0].shape == []
    with tf.GradientTape() as tape:
        tape.watch(fixed)
        loss = fixed * 3.
    assert tape.gradient(loss, fixed).shape == []
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        loss = trained * 3.
    assert tape.gradient(loss, trained) is None


def test_a_function_is_no_eager_code_to_its_script(tf):
    seen = []

    @tf.function
    def example():
        x = tf.constant(1.0)
        y = x * 2.0
        seen.append((tf.executing_eagerly(), tf.inside_function(),
                     tf.compat.v1.executing_eagerly_outside_functions()))
        with tf.init_scope():
            seen.append((tf.executing_eagerly(), tf.inside_function()))
        with tf.Graph().as_default():
            seen.append((tf.executing_eagerly(), tf.inside_function()))
        return tf.gradients(y + y, [x, y])

    assert [g.shape.as_list() for g in example()] == [[], []]
    assert seen == [(False, True, True), (True, False), (False, False)]
    assert tf.executing_eagerly() and not tf.inside_function()
    with pytest.raises(RuntimeError, match="tf.gradients is not supported when eager execution is enabled"):
        tf.gradients(tf.constant(1.), tf.constant(1.))


def test_map_fn_takes_the_rows_of_a_sparse_tensor(tf):
    sparse = tf.sparse.SparseTensor([[0, 0], [2, 0], [2, 1]], [7, 8, 9], [4, 2])
    assert tf.map_fn(tf.sparse.reduce_sum, sparse, fn_output_signature=tf.int32).shape == [4]
    rows = tf.map_fn(tf.sparse.to_dense, sparse, fn_output_signature=tf.TensorSpec([None], tf.int32))
    assert rows.shape == [4, 2]


def test_map_fn_takes_the_rows_of_what_is_not_modelled(tf):
    class Vehicle(tf.experimental.BatchableExtensionType):
        top_speed: tf.Tensor
        mpg: tf.Tensor

    batch = Vehicle([120, 150, 80], [30, 40, 12])
    tf.map_fn(lambda vehicle: vehicle.top_speed * vehicle.mpg, batch, fn_output_signature=tf.int32).numpy()


def test_tables_from_datasets(tf):
    keys = tf.data.Dataset.range(100)
    pairs = tf.data.Dataset.zip((keys, keys.map(lambda x: tf.strings.as_string(x * 2))))
    table = tf.lookup.StaticHashTable(tf.data.experimental.DatasetInitializer(pairs), "")
    found = table.lookup(tf.constant([0, 1, 2], tf.int64))
    assert found.dtype is tf.string and found.shape == [3]
    table = tf.data.experimental.table_from_dataset(pairs, default_value="n/a", key_dtype=tf.int64)
    assert table.lookup(tf.constant([[1]], tf.int64)).shape == [1, 1]
    table = tf.data.experimental.index_table_from_dataset(keys, key_dtype=tf.int64)
    assert table.lookup(tf.constant([1], tf.int64)).dtype is tf.int64


def test_stateless_numbers_over_the_whole_range(tf):
    drawn = tf.random.stateless_uniform([10], seed=(2, 3), minval=None, maxval=None, dtype=tf.int32)
    assert drawn.shape == [10] and drawn.dtype is tf.int32
    with pytest.raises(ValueError, match="maxval"):
        tf.random.stateless_uniform([10], seed=(2, 3), dtype=tf.int32)


def test_rows_of_a_stack_may_have_other_lengths(tf):
    stacked = tf.ragged.stack([tf.constant([[1, 2, 3], [4, 5, 6]]), tf.constant([[5], [6], [7]])], axis=0)
    assert stacked.shape.as_list() == [2, None, None]


def test_strings_padded_to_a_fixed_length(tf):
    assert tf.io.decode_raw(tf.constant([["1"], ["23"]]), tf.uint8, fixed_length=4).shape == [2, 1, 4]
    assert tf.io.decode_raw(tf.constant([["1"], ["2"]]), tf.uint8).shape == [2, 1, 1]


def test_structures_of_classes_that_flatten_themselves(tf):
    @dataclasses.dataclass
    class Masked:
        mask: bool
        value: object

        def __tf_flatten__(self):
            return (self.mask,), (self.value,)

        @classmethod
        def __tf_unflatten__(cls, metadata, components):
            return cls(metadata[0], components[0])

    one = Masked(True, tf.constant([1]))
    assert tf.nest.is_nested(one) and not tf.nest.is_nested(Masked)
    doubled = tf.nest.map_structure(lambda x: x * 2, one)
    assert isinstance(doubled, Masked) and doubled.mask and doubled.value.shape == [1]
    tf.nest.assert_same_structure(one, Masked(False, 1))


def test_the_values_of_enumerations_of_messages_that_are_not_modelled(tf):
    spec = tf.quantization.experimental.QuantizationComponentSpec
    spec(quantization_component=spec.COMPONENT_ACTIVATION, tensor_type=spec.TENSORTYPE_INT_8)


def test_values_of_a_checkpoint_of_objects(tf, tmp_path):
    path = tf.train.Checkpoint(var_list={"a": tf.Variable(1.0)}).save(str(tmp_path / "tmp"))
    reader = tf.train.load_checkpoint(path)
    assert reader.has_tensor("var_list/a/.ATTRIBUTES/VARIABLE_VALUE")
    reader.get_tensor("var_list/a/.ATTRIBUTES/VARIABLE_VALUE")


def test_the_global_step_of_an_eager_program(tf):
    step = tf.Variable(10, trainable=False, name="global_step")
    assert tf.compat.v1.train.global_step(None, step) == 10
    assert np.shape(tf.compat.v1.train.global_step(None, step)) == ()


def test_what_tf_function_gives_is_a_generic_function(tf):
    kinds = tf.types.experimental
    double = tf.function(lambda x: x * 2)
    assert isinstance(double, kinds.GenericFunction) and isinstance(double, kinds.Callable)
    assert kinds.PolymorphicFunction is kinds.GenericFunction
    one = double.get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert isinstance(one, kinds.ConcreteFunction) and not isinstance(one, kinds.GenericFunction)
    assert not isinstance(len, kinds.Callable) and one(tf.ones([2])).shape == [2]
