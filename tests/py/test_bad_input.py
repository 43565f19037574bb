"""Bad input gets the class of error, and the words, that TensorFlow 1.15.0 gives (asked of it).

Each row: what is tried, the expression, the class (OK: it is legal), how the message begins.
"""
import numpy as np
import pytest

ROWS = [
    ('neg placeholder', 'tf.placeholder(tf.float32,[-2,3])',
     'ValueError', 'Error converting shape to a TensorShape: Dimension -2 must be >= 0.'),
    ('neg reshape', 'tf.reshape(tf.zeros([6]),[-2,3])',
     'ValueError', 'Invalid value in tensor used for shape: -2'),
    ('two -1', 'tf.reshape(tf.zeros([6]),[-1,-1])',
     'OK', ''),
    ('huge placeholder', 'tf.placeholder(tf.float32,[2**62,8])',
     'ValueError', 'Shape [4611686018427387904,8] is too large (more than 2**63 - 1 entries)'),
    ('dim past int64', 'tf.placeholder(tf.float32,[2**64])',
     'ValueError', 'Error converting shape to a TensorShape: Value out of range: 18446744073709551616'),
    ('float dim', 'tf.placeholder(tf.float32,[2.5])',
     'ValueError', 'Error converting shape to a TensorShape: Ambiguous dimension: 2.5.'),
    ('str dim', "tf.placeholder(tf.float32,['a'])",
     'ValueError', "Error converting shape to a TensorShape: invalid literal for int() with base 10: 'a'."),
    ('bad dtype', "tf.placeholder('float99',[2])",
     'TypeError', ''),
    ('dtype mix', 'tf.add(tf.zeros([2]),tf.zeros([2],tf.int32))',
     'TypeError', "Input 'y' of 'Add' Op has type int32 that does not match type float32 of argument 'x'."),
    ('op mix', 'tf.zeros([2])+tf.zeros([2],tf.int32)',
     'TypeError', "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'."),
    ('unknown attr', 'tf.matmul(tf.zeros([2,2]),tf.zeros([2,2]),foo=1)',
     'TypeError', "matmul() got an unexpected keyword argument 'foo'"),
    ('bad padding', "tf.nn.conv2d(tf.zeros([1,5,5,1]),tf.zeros([2,2,1,1]),[1,1,1,1],'FULL')",
     'ValueError', 'Attr \'padding\' of \'Conv2D\' Op passed string \'FULL\' not in: "SAME", "VALID", "EXPLICIT".'),
    ('bad input and padding', "tf.nn.conv2d(tf.zeros([1,5,5,1]),tf.zeros([2,2,1,1],tf.int32),[1,1,1,1],'FULL')",
     'TypeError', "Input 'filter' of 'Conv2D' Op has type int32 that does not match type float32 of argument 'input'."),
    ('strides len', "tf.nn.conv2d(tf.zeros([1,5,5,1]),tf.zeros([2,2,1,1]),[1,1],'SAME')",
     'OK', ''),
    ('missing arg', 'tf.matmul(tf.zeros([2,2]))',
     'TypeError', "matmul() missing 1 required positional argument: 'b'"),
    ('ragged const', 'tf.constant([[1,2],[3]])',
     'ValueError', 'Argument must be a dense tensor: [[1, 2], [3]] - got shape [2], but wanted [2, 2].'),
    ('none const', 'tf.constant(None)',
     'ValueError', 'None values not supported.'),
    ('reduce axis', 'tf.reduce_sum(tf.zeros([2,2]),axis=5)',
     'ValueError', 'Invalid reduction dimension 5 for input with 2 dimensions.'),
    ('concat axis', 'tf.concat([tf.zeros([2,2]),tf.zeros([2,2])],axis=3)',
     'ValueError', 'Shape must be at least rank 4 but is rank 2'),
    ('split', 'tf.split(tf.zeros([5,2]),2)',
     'ValueError', 'Dimension size must be evenly divisible by 2 but is 5 \tNumber of ways to split should evenly divide the split dimension'),
    ('slice', 'tf.slice(tf.zeros([5]),[3],[4])',
     'OK', ''),
    ('index', 'tf.zeros([5])[7]',
     'ValueError', 'slice index 7 of dimension 0 out of bounds.'),
    ('name', "tf.zeros([2],name='1 bad name')",
     'ValueError', "'1 bad name' is not a valid scope name"),
    ('op name', "tf.placeholder(tf.float32,name='a b')",
     'ValueError', "'a b' is not a valid scope name"),
    ('fetch other graph', 'sess.run(other)',
     'ValueError', 'Fetch argument <tf.Tensor \'other:0\' shape=(2,) dtype=float32> cannot be interpreted as a Tensor. (Tensor Tensor("other:0'),
    ('fetch none', 'sess.run(None)',
     'TypeError', "Fetch argument None has invalid type <class 'NoneType'>"),
    ('fetch int', 'sess.run(3)',
     'TypeError', "Fetch argument 3 has invalid type <class 'int'>, must be a string or Tensor. (Can not convert a int into a Tensor or Ope"),
    ('fetch name absent', "sess.run('nope:0')",
     'ValueError', 'Fetch argument \'nope:0\' cannot be interpreted as a Tensor. ("The name \'nope:0\' refers to a Tensor which does not exist. '),
    ('fetch op name', "sess.run('y')",
     'InvalidArgumentError', "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]"),
    ('fetch bad output', "sess.run('y:3')",
     'ValueError', 'Fetch argument \'y:3\' cannot be interpreted as a Tensor. ("The name \'y:3\' refers to a Tensor which does not exist. The op'),
    ('feed missing', 'sess.run(y)',
     'InvalidArgumentError', "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]"),
    ('feed shape', 'sess.run(y,{x:np.zeros([2,4])})',
     'ValueError', "Cannot feed value of shape (2, 4) for Tensor 'x:0', which has shape '(?, 3)'"),
    ('feed dtype', "sess.run(y,{x:'abc'})",
     'ValueError', "could not convert string to float: 'abc'"),
    ('feed non-placeholder', 'sess.run(y,{y:np.zeros([1,3])}).shape',
     'OK', ''),
    ('feed tensor', 'sess.run(y,{x:tf.zeros([2,3])})',
     'TypeError', 'The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, numpy n'),
    ('feed key', 'sess.run(y,{3:np.zeros([2,3])})',
     'TypeError', 'Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor.'),
    ('feed other graph', 'sess.run(y,{other:np.zeros([2])})',
     'TypeError', 'Cannot interpret feed_dict key as Tensor: Tensor Tensor("other:0", shape=(2,), dtype=float32) is not an element of this '),
    ('feed ragged', 'sess.run(y,{x:[[1,2,3],[1]]})',
     'ValueError', 'setting an array element with a sequence.'),
    ('feed none', 'sess.run(y,{x:None})',
     'ValueError', "Cannot feed value of shape () for Tensor 'x:0', which has shape '(?, 3)'"),
    ('uninit', 'sess.run(w)',
     'FailedPreconditionError', 'Attempting to use uninitialized value w'),
    ('bool', 'bool(y)',
     'OperatorNotAllowedInGraphError', 'using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. Use Eager execution or decorate this function '),
    ('iter', 'list(x)',
     'OperatorNotAllowedInGraphError', 'iterating over `tf.Tensor` is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.fun'),
    ('mixed graphs', 'tf.add(y, other)',
     'ValueError', 'Tensor("other:0", shape=(2,), dtype=float32) must be from the same graph as Tensor("y:0", shape=(?, 3), dtype=float32).'),
    ('get_tensor op', "tf.get_default_graph().get_tensor_by_name('y')",
     'ValueError', 'The name \'y\' refers to an Operation, not a Tensor. Tensor names must be of the form "<op_name>:<output_index>".'),
    ('get_op tensor', "tf.get_default_graph().get_operation_by_name('y:0')",
     'ValueError', "Name 'y:0' appears to refer to a Tensor, not a Operation."),
    ('get_tensor absent', "tf.get_default_graph().get_tensor_by_name('zz:0')",
     'KeyError', '"The name \'zz:0\' refers to a Tensor which does not exist. The operation, \'zz\', does not exist in the graph."'),
    ('grad none', 'tf.gradients(tf.argmax(x,1), x)',
     'OK', ''),
    ('minimize none', 'tf.train.GradientDescentOptimizer(.1).minimize(tf.constant(1.0))',
     'ValueError', 'No gradients provided for any variable, check your graph for ops that do not support gradients, between variables ["<tf.'),
    ('assign shape', 'w.assign(tf.zeros([3]))',
     'ValueError', 'Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3].'),
    ('set_shape', 'tf.zeros([2]).set_shape([3])',
     'ValueError', 'Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3].'),
    ('get_var twice', "[tf.get_variable('q',[2]) for _ in range(2)]",
     'ValueError', 'Variable q already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?'),
    ('expand', 'tf.expand_dims(tf.zeros([2]),5)',
     'ValueError', 'dim 5 not in the interval [-2, 1].'),
    ('squeeze', 'tf.squeeze(tf.zeros([2,1]),[0])',
     'ValueError', 'Can not squeeze dim[0], expected a dimension of 1, got 2'),
    ('transpose', 'tf.transpose(tf.zeros([2,3]),[0,1,2])',
     'ValueError', 'Dimension must be 2 but is 3'),
    ('transpose dup', 'tf.transpose(tf.zeros([2,3]),[0,0])',
     'OK', ''),
    ('one_hot', 'tf.one_hot([1,2],-3)',
     'ValueError', 'Dimension size, given by scalar input 1, must be non-negative but is -3'),
    ('tile', 'tf.tile(tf.zeros([2]),[2,2])',
     'ValueError', 'Shape must be rank 1 but is rank 2'),
    ('pad', 'tf.pad(tf.zeros([2]),[[1,1],[1,1]])',
     'ValueError', 'Shape must be rank 2 but is rank 1'),
    ('stack', 'tf.stack([tf.zeros([2]),tf.zeros([3])])',
     'ValueError', 'Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3]. \tFrom merging shape 0 with other shap'),
    ('unstack', 'tf.unstack(tf.placeholder(tf.float32,[None,2]))',
     'ValueError', 'Cannot infer num from shape (?, 2)'),
    ('cast str', "tf.cast(tf.zeros([2]),'flot32')",
     'TypeError', "Cannot convert value 'flot32' to a TensorFlow DType."),
    ('range', 'tf.range(0,10,0)',
     'ValueError', 'Requires delta != 0'),
    ('fill', 'tf.fill([2,-1],0.0)',
     'ValueError', 'Fill dimensions must be >= 0'),
    ('gather', 'tf.gather(tf.zeros([3]),[5])',
     'OK', ''),
]


@pytest.fixture
def world(tf):
    """The names that the expressions use."""
    other_graph = tf.Graph()
    with other_graph.as_default():
        other = tf.placeholder(tf.float32, [2], name="other")
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.identity(x, name="y")
    w = tf.Variable(tf.zeros([2]), name="w")
    return {"tf": tf, "np": np, "other": other, "g2": other_graph, "x": x, "y": y, "w": w,
            "sess": tf.Session()}


@pytest.mark.parametrize("label,expression,kind,words", ROWS, ids=[row[0] for row in ROWS])
def test_as_tensorflow(world, label, expression, kind, words):
    try:
        eval(expression, world)
    except Exception as error:
        assert type(error).__name__ == kind, error
        assert str(error).replace("\n", " ").startswith(words)
    else:
        assert kind == "OK"


def test_closed_session(world, tf):
    sess = world["sess"]
    sess.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
        sess.run(world["y"], {world["x"]: np.zeros([2, 3])})


def test_empty_graph(tf):
    with tf.Graph().as_default():
        with pytest.raises(RuntimeError, match="The Session graph is empty"):
            tf.Session().run([])
        with pytest.raises(RuntimeError, match="The Session graph is empty"):
            tf.Session().run("x:0")


def test_finalized_graph(tf):
    with tf.Graph().as_default() as graph:
        tf.zeros([1])
        graph.finalize()
        with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
            tf.zeros([2])


def test_eval_without_session(world):
    with pytest.raises(ValueError, match="Cannot evaluate tensor using `eval\\(\\)`: No default session"):
        world["y"].eval({world["x"]: np.zeros([1, 3])})


def test_cyclic_graph(tf):
    a = tf.placeholder(tf.float32, [2], name="a")
    b = tf.identity(a, name="b")
    c = tf.identity(b, name="c")
    b.op._update_input(0, c)
    with pytest.raises(tf.errors.InvalidArgumentError, match="cycle"):
        tf.Session().run(c)


def test_deep_recursion_of_a_feed_and_of_a_constant(tf):
    deep = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises((ValueError, TypeError, RecursionError)):
        tf.constant(deep)
    endless = []
    endless.append(endless)
    with pytest.raises((ValueError, TypeError, RecursionError)):
        tf.constant(endless)


def test_a_chain_of_many_ops_does_not_overflow_the_stack(tf):
    x = tf.placeholder(tf.float32, [2])
    y = x
    for _ in range(100000):
        y = tf.identity(y)
    assert tf.Session().run(y, {x: np.zeros(2)}).shape == (2,)
    assert tf.gradients(y, x)[0].shape.as_list() == [2]
