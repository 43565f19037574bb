"""Gradients that a program gives itself reach what an op of its own has none for (rounding, above all)."""
import pytest

ROUND = {"Round": "Identity"}


def ways(tf):
    @tf.custom_gradient
    def custom(x):
        return tf.floor(x), lambda dy: dy

    def overridden(x):
        with tf.get_default_graph().gradient_override_map(ROUND):
            return tf.round(x)
    return {"custom_gradient": custom, "gradient_override_map": overridden}


@pytest.mark.parametrize("way", ["custom_gradient", "gradient_override_map"])
def test_a_gradient_of_the_programs_own(tf, way):
    w = tf.get_variable("w", [3, 2])
    y = ways(tf)[way](tf.matmul(tf.ones([4, 3]), w))
    assert tf.gradients(y, w)[0].shape.as_list() == [3, 2]
    assert tf.gradients(tf.round(w), w) == [None]  # outside there is none
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
    with tf.get_default_graph().gradient_override_map({"Relu": "Identity"}):  # of another op
        assert tf.gradients(tf.round(tf.nn.relu(w)), w) == [None]
        with tf.get_default_graph().gradient_override_map(ROUND):
            assert tf.gradients(tf.round(tf.nn.relu(w)), w)[0].shape.as_list() == [3, 2]
        assert tf.gradients(tf.round(tf.nn.relu(w)), w) == [None]
    with pytest.raises(ValueError, match="No gradients provided"):
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.round(w)))
