"""What Keras 2 asks of TensorFlow: the graph of a function, nested structures, name scopes, wrapped lists."""
import pytest


def test_a_function_is_a_graph_to_its_body(tf2):
    seen = []

    @tf2.function
    def body(x):
        graph = tf2.compat.v1.get_default_graph()
        with graph.as_default():
            y = x + 1.0
        seen.append((repr(graph), graph.building_function, len(graph.get_operations()), graph.outer_graph))
        assert tf2.compat.v1.get_default_graph() is graph
        return y

    outside = tf2.compat.v1.get_default_graph()
    assert body(tf2.ones([2])).shape == [2]
    text, building, operations, outer = seen[0]
    assert text.startswith("FuncGraph(name=body, id=") and building and operations > 0 and outer is outside
    assert tf2.compat.v1.get_default_graph() is outside


def test_a_concrete_function_is_traced_as_a_graph(tf2):
    modes = []

    @tf2.function
    def body(x):
        modes.append((tf2.executing_eagerly(), tf2.inside_function()))
        return x

    assert body.get_concrete_function(tf2.TensorSpec([None])).outputs[0].shape.as_list() == [None]
    assert modes == [(False, True)]


def test_init_scope_keeps_the_name_scope(tf2):
    with tf2.Graph().as_default(), tf2.name_scope("outer"):
        with tf2.init_scope():
            assert tf2.get_current_name_scope() == "outer"
            assert tf2.Variable(1.0, name="x").name == "outer/x:0"
    with tf2.name_scope("outer"), tf2.init_scope():
        assert tf2.get_current_name_scope() == "outer"
    assert tf2.get_current_name_scope() == ""


def test_nodes_and_paths(tf2):
    nest = tf2.__internal__.nest
    assert nest.is_mapping({}) and not nest.is_mapping([]) and not nest.is_attrs([])
    assert nest.sequence_like((1, 2), [3, 4]) == (3, 4)
    assert nest.sequence_like({"b": 1, "a": 2}, [3, 4]) == {"a": 3, "b": 4}
    assert list(nest.yield_flat_paths({"a": [1, (2,)], "b": 3})) == [("a", 0), ("a", 1, 0), ("b",)]
    assert list(nest.yield_flat_paths(1)) == [()]
    assert tf2.nest.map_structure(lambda x: x + 1, {"a": 1, "b": 2}.values()) == [2, 3]
    assert nest.get_traverse_shallow_structure(lambda s: isinstance(s, dict), {"a": [1, 2]}) == {"a": False}
    with pytest.raises(TypeError, match="non-bool scalar"):
        nest.get_traverse_shallow_structure(lambda s: 1, [1])


def test_leaves_with_their_paths(tf2):
    from shapeflow.tensorflow.python.util import nest_paths

    assert nest_paths.flatten_with_joined_string_paths({"a": [1, 2]}) == [("a/0", 1), ("a/1", 2)]
    sums = nest_paths.map_structure_with_paths(lambda path, x, y: (path, x + y), [1, 2], [3, 4])
    assert sums == [("0", 4), ("1", 6)]


def test_a_list_of_layers_answers_for_them(tf2):
    class Part(tf2.__internal__.tracking.Trackable):
        trainable_variables = trainable_weights = [1]
        non_trainable_variables = non_trainable_weights = [2]
        losses = [3]

    parts = tf2.__internal__.tracking.wrap([Part(), [Part()], {"a": Part()}, 5])
    assert parts.trainable_weights == [1, 1, 1] and parts.variables == [1, 1, 1, 2, 2, 2]
    assert len(parts.layers) == 3 and parts.losses == [3, 3, 3]
    parts.trainable = False
    assert parts.trainable_variables == [] and len(parts.non_trainable_variables) == 6


def test_a_concrete_function_has_the_variables_that_it_names(tf2):
    class Scale(tf2.Module):
        def __init__(self):
            self.w = tf2.Variable(1.0)
            self.fixed = tf2.Variable(2.0, trainable=False)

        @tf2.function(input_signature=[tf2.TensorSpec([None])])
        def __call__(self, x):
            return x * self.w + self.fixed

    made = Scale().__call__.get_concrete_function()
    assert len(made.variables) == 2 and len(made.trainable_variables) == 1
    outside = tf2.Variable(3.0)
    made = tf2.function(lambda x: x + outside).get_concrete_function(tf2.TensorSpec([]))
    assert len(made.variables) == 1 and made.variables[0] is outside


def test_a_graph_waits_for_nothing_that_was_computed_eagerly(tf2):
    """As a layer of Keras 2 that assigns to its variables while a model is made."""
    variable = tf2.Variable(tf2.zeros([3]))
    with tf2.Graph().as_default():
        with tf2.control_dependencies([variable, tf2.no_op()]):
            assert tf2.identity(tf2.zeros([2])).shape == [2]
