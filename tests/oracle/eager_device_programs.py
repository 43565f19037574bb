"""Small eager programs whose tensors say where they are: run under TensorFlow and under ShapeFlow.

    python eager_device_programs.py ANSWERS.json       TensorFlow's answers, on four virtual CPUs
"""
import json
import sys

# Each defines `answer`, a list of tensors, variables, names or nothing; `tf` is there, with four CPUs.
PROGRAMS = [
    "answer = [tf.constant([1.])]",
    "with tf.device('CPU:1'):\n    a = tf.constant([1.])\nanswer = [a, a + a, tf.identity(a)]",
    "a = tf.constant([1.])\nwith tf.device('/cpu:2'):\n    answer = [a, a + a, tf.identity(a), "
    "tf.stack([a, a])]",
    "with tf.device('CPU:1'):\n    with tf.device('CPU:3'):\n        a = tf.zeros([2])\n    b = a + 1\n"
    "answer = [a, b]",
    "with tf.device('CPU:1'):\n    with tf.device(None):\n        a = tf.zeros([2])\n    with tf.device(''):"
    "\n        b = tf.zeros([2])\n    with tf.device('/job:localhost'):\n        c = tf.zeros([2])\n"
    "answer = [a, b, c]",
    "with tf.device('CPU:2'):\n    with tf.device('/device:CPU:*'):\n        a = tf.zeros([2])\n"
    "    with tf.device('/cpu'):\n        b = tf.zeros([2])\nanswer = [a, b]",
    "with tf.device(tf.DeviceSpec(device_type='CPU', device_index=2)):\n    answer = [tf.range(3)]",
    "with tf.device('/replica:0/cpu:2'):\n    a = tf.ones([1])\nwith tf.device('/task:0/cpu:1'):\n"
    "    answer = [a, a * 2]",
    "with tf.device('/job:localhost/replica:0/task:0/device:CPU:1'):\n    answer = [tf.ones([1])]",
    # variables
    "with tf.device('CPU:1'):\n    v = tf.Variable([1., 2.])\nwith tf.device('CPU:2'):\n"
    "    answer = [v, v.value(), v.read_value(), v + 1, tf.convert_to_tensor(v), v.sparse_read([0])]",
    "with tf.device('CPU:1'):\n    v = tf.Variable([1., 2.])\nwith tf.device('CPU:2'):\n"
    "    answer = [v.assign([1., 2.]), v.value(), v.assign_add([1., 1.]), v.value(), v, v[0]]",
    "with tf.device('CPU:1'):\n    v = tf.Variable([1., 2.])\nw = tf.ones([2])\nv.assign(w)\n"
    "answer = [v, v.value(), w, v.read_value()]",
    "with tf.device('CPU:7'):\n    answer = [tf.Variable(1.)]",
    # functions
    "with tf.device('CPU:1'):\n    a = tf.ones([2])\nf = tf.function(lambda x: (x + 1, x))\nr = f(a)\n"
    "with tf.device('CPU:2'):\n    s = f(a)\nanswer = [*r, *s]",
    "names = []\n@tf.function\ndef f(x):\n    with tf.device('CPU:3'):\n        y = x + 1\n"
    "    names.extend([x.device, y.device, (y * 2).device])\n    return y, tf.constant(2.)\n"
    "answer = [*f(tf.ones([2])), *names]",
    "v = tf.Variable([1.])\nf = tf.function(lambda x: (v + x, v.value(), tf.identity(v)))\n"
    "with tf.device('CPU:2'):\n    answer = [*f(tf.ones([1]))]",
    # gradients
    "with tf.device('CPU:1'):\n    v = tf.Variable([1.])\nwith tf.GradientTape() as t:\n"
    "    with tf.device('CPU:2'):\n        y = tf.reduce_sum(v * v)\nwith tf.device('CPU:3'):\n"
    "    g = t.gradient(y, v)\nanswer = [y, g]",
    # what runs in a scope
    "a = tf.constant([1., 2.])\nwith tf.device('CPU:2'):\n    answer = [tf.shape(a), tf.random.normal([3]), "
    "tf.cond(a[0] > 0, lambda: a + 1, lambda: a), tf.map_fn(lambda x: x * 2, a), tf.constant('a'), "
    "tf.concat([[1.], [2.]], 0), tf.reshape(a, [1, 2]), *tf.unstack(a)]",
    "a = tf.constant([1., 2.])\nwith tf.device('CPU:2'):\n    answer = [tf.convert_to_tensor(a), a.cpu(), "
    "tf.sparse.from_dense([[1., 0.]]).values, tf.ragged.constant([[1.], [2., 3.]]).values, "
    "tf.TensorArray(tf.float32, 1).write(0, 1.).stack()]",
    "with tf.device('CPU:2'):\n    a = tf.ones([1])\nanswer = [a.cpu(), a]",
    "with tf.device('CPU:2'):\n    answer = list(tf.data.Dataset.range(3).batch(2))",
    "with tf.device('CPU:2'):\n    answer = [tf.py_function(lambda x: x + 1, [tf.ones([1])], tf.float32), "
    "tf.numpy_function(lambda x: x + 1, [tf.ones([1])], tf.float32)]",
    # devices that are not there
    "with tf.device('CPU:7'):\n    answer = [tf.ones([1])]",
    "with tf.device('/gpu:3'):\n    answer = [tf.ones([1]), tf.Variable(1.)]",
    "a = tf.ones([1])\nwith tf.device('/job:worker'):\n    answer = [a + a]",
    "a = tf.ones([1])\nwith tf.device('/job:localhost/task:1'):\n    answer = [a + a]",
    "tf.config.set_soft_device_placement(False)\nwith tf.device('CPU:7'):\n    answer = [tf.ones([1])]",
    "tf.config.set_soft_device_placement(False)\nwith tf.device('/job:worker/cpu:1'):\n"
    "    answer = [tf.ones([1])]",
    "with tf.device('/job:worker'):\n    pass\nanswer = []",
    "with tf.device(lambda op: 'CPU:1'):\n    answer = [tf.ones([1])]",
    "with tf.device('foo'):\n    answer = [tf.ones([1])]",
    "with tf.device(3):\n    answer = [tf.ones([1])]",
    # strategies
    "s = tf.distribute.MirroredStrategy(['cpu:1', 'cpu:2'])\nwith s.scope():\n    v = tf.Variable([1.])\n"
    "    c = tf.constant(1.)\nanswer = [v, *v.values, c, v + 1]",
    "s = tf.distribute.MirroredStrategy(['cpu:1', 'cpu:2'])\nwith s.scope():\n    v = tf.Variable([1.])\n"
    "r = s.run(lambda x: (x * 2, v * x, v.read_value()), args=(tf.ones([1]),))\n"
    "answer = [t for x in r for t in s.experimental_local_results(x)]",
    "s = tf.distribute.MirroredStrategy(['cpu:1', 'cpu:2'])\nwith s.scope():\n    v = tf.Variable([1.])\n"
    "v.assign([2.])\nanswer = [*v.values, s.reduce('SUM', s.run(lambda: v * 2), axis=None)]",
    "s = tf.distribute.MirroredStrategy()\nanswer = list(s.extended.worker_devices)",
    "s = tf.distribute.MirroredStrategy(['cpu:1', 'cpu:2'])\n"
    "d = s.experimental_distribute_dataset(tf.data.Dataset.range(8).batch(4))\n"
    "answer = [t for b in d for t in s.experimental_local_results(b)]",
    "s = tf.distribute.OneDeviceStrategy('cpu:2')\nwith s.scope():\n    v = tf.Variable(1.)\n"
    "answer = [v, s.run(lambda: v + 1)]",
    # what is asked
    "answer = [d.name for d in tf.config.list_logical_devices()]",
    "tf.config.set_logical_device_configuration(tf.config.list_physical_devices('CPU')[0], "
    "[tf.config.LogicalDeviceConfiguration()])\nanswer = []",
    "tf.config.set_visible_devices([], 'CPU')\nanswer = []",
    "tf.config.set_visible_devices(tf.config.PhysicalDevice('/x', 'GPU'))\nanswer = []",
    "answer = [str(tf.config.get_soft_device_placement()), "
    "str(len(tf.config.get_logical_device_configuration(tf.config.list_physical_devices('CPU')[0])))]",
]


def configure(tf, count=4):
    """Makes virtual CPUs, before anything else."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
    tf.config.list_logical_devices()


def evaluate(tf, text):
    """The device of each answer, or the error."""
    tf.config.set_soft_device_placement(True)
    names = {"tf": tf}
    try:
        exec(compile(text, "<program>", "exec"), names)
    except Exception as error:  # which op it was, TensorFlow says of some
        return {"error": [type(error).__name__, str(error).partition(" [Op:")[0]]}
    return {"devices": [a if isinstance(a, str) else a.device for a in names["answer"]]}


if __name__ == "__main__":
    import tensorflow

    configure(tensorflow)
    with open(sys.argv[1], "w") as file:
        json.dump([evaluate(tensorflow, text) for text in PROGRAMS], file)
