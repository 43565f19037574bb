"""Small graphs with devices, for TensorFlow and for us: each text builds one in the default graph.

`run` answers what became of each: the device of every node that both have, or the error. With a file name as
argument: under the TensorFlow of this Python, on three virtual CPUs.
"""
import json
import re
import sys

PREPARE = """
def var(name, shape=(2,), **kwargs):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), use_resource=False, **kwargs)
def res(name, shape=(2,), **kwargs):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), use_resource=True, **kwargs)
def on(device):
    return tf.device(device)
"""

TEXTS = """
x = tf.constant(1.); y = x + 2.
---
with on('/cpu:1'): x = tf.constant(1.)
y = x + 2.
---
with on('/cpu:1'): x = tf.constant(1.); y = x + 2.
z = y * 3.
---
x = tf.constant(1.)
with on('/cpu:2'): y = x + 2.
---
x = tf.constant(1.)
with on('/cpu:2'): y = x + 2.
with on('/cpu:1'): z = x + 2.
---
with on('/cpu:1'):
    with on('/cpu:2'): x = tf.constant([1.]); y = tf.identity(x)
    z = tf.identity(x)
---
with on('/cpu:1'):
    with on(None): y = tf.identity(tf.constant(1.))
---
with on('/job:localhost'):
    with on('/cpu:2'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:2'):
    with on('/task:0'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:2'):
    with on('/job:localhost/replica:0'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:1'):
    with on('/cpu'): y = tf.identity(tf.constant(1.))
---
with on('cpu:2'): y = tf.identity(tf.constant(1.))
---
with on('/device:CPU:2'): y = tf.identity(tf.constant(1.))
---
with on('/device:cpu:2'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:*'): y = tf.identity(tf.constant(1.))
---
with on('/task:0'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:02'): y = tf.identity(tf.constant(1.))
---
with on(''): y = tf.identity(tf.constant(1.))
---
with on('/gpu:0'): y = tf.identity(tf.constant(1.))
---
with on('/gpu:0'): x = tf.constant(1.)
---
with on('/gpu'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:3'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:17'): y = tf.constant(1.) + 2.
---
with on('/job:worker'): y = tf.constant(1.) + 2.
---
with on('/job:ps/task:1/cpu:0'): y = tf.constant(1.) + 2.
---
with on('/task:4'): y = tf.constant(1.) + 2.
---
with on('/replica:1'): y = tf.constant(1.) + 2.
---
with on('/device:TPU:0'): y = tf.constant(1.) + 2.
---
with on('/device:FPGA:0'): y = tf.constant(1.) + 2.
---
with on('/foo:0'): y = tf.constant(1.) + 2.
---
with on('/cpu:x'): y = tf.constant(1.) + 2.
---
with on('/device:cpu'): y = tf.constant(1.) + 2.
---
with on('/cpu:0/gpu:1'): y = tf.constant(1.) + 2.
---
with on('/job:a/job:localhost'): y = tf.constant(1.) + 2.
---
v = var('v'); y = v + 1.
---
with on('/cpu:1'): v = var('v')
y = v + 1.
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'): y = v + 1.
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'): y = tf.assign_add(v, [1., 2.])
---
with on('/cpu:1'): v = var('v')
y = tf.assign(v, [1., 2.]); z = y * 2.
---
v = var('v')
with on('/cpu:1'): y = tf.assign_sub(v, [1., 2.])
---
with on('/cpu:1'): v = var('v')
with on('/gpu:0'): y = tf.assign_add(v, tf.zeros([2]))
---
with on('/gpu:0'): v = var('v')
y = v + 1.
---
with on('/cpu:1'): v = res('v')
y = v + 1.
---
with on('/cpu:1'): v = res('v')
with on('/cpu:2'): y = v + 1.; z = tf.assign_add(v, [1., 1.])
---
with on('/cpu:2'): v = res('v'); w = res('w')
y = v * w
---
v = res('v')
with on('/cpu:2'): z = tf.assign_add(v, [1., 1.])
---
with on('/cpu:1'): a = var('a')
with on('/cpu:2'): b = var('b')
c = a + b
---
with on('/cpu:1'): a = var('a')
with on('/cpu:2'): b = tf.assign(a, a + 1.); c = b * 2.
---
with on('/cpu:1'): a = var('a', (3, 2))
g = tf.gather(a, [0, 1])
with on('/cpu:2'): h = tf.gather(a, [2])
---
with on('/cpu:1'): a = var('a', (3, 2))
with on('/cpu:2'): u = tf.scatter_add(a, [0], [[1., 1.]])
---
x = tf.placeholder(tf.float32, [None, 3])
with on('/cpu:1'): y = x * 2.
s = tf.shape(y)
---
x = tf.placeholder(tf.float32, [None, 3])
with on('/cpu:1'): y = x * 2.
s = tf.size(y); r = tf.rank(x); n = s + 1
---
x = tf.placeholder(tf.float32, [None, 3])
with on('/cpu:1'): y = x * 2.
with on('/cpu:2'): s = tf.shape(y)
---
with on('/cpu:1'): x = tf.placeholder(tf.float32, [None, 3])
with on('/cpu:2'): y = tf.reshape(x, [-1])
---
with on('/cpu:1'): a = tf.random_uniform([2, 2])
with on('/cpu:2'): b = tf.random_normal([2, 2])
c = tf.matmul(a, b)
---
with on('/cpu:1'): x = tf.constant(1.)
with tf.colocate_with(x.op): y = tf.identity(tf.constant(3.))
---
with on('/cpu:1'): v = var('v')
with tf.colocate_with(v): y = tf.identity(tf.constant(3.))
---
with on('/cpu:1'): v = var('v')
with tf.colocate_with(v):
    with on('/cpu:2'): y = tf.identity(tf.constant(3.))
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'):
    with tf.colocate_with(v): y = tf.identity(tf.constant(3.))
    z = tf.identity(y)
---
with on('/cpu:1'): a = tf.identity(tf.constant(1.))
with on('/cpu:2'): b = tf.identity(tf.constant(2.))
with tf.colocate_with(a):
    with tf.colocate_with(b): c = tf.identity(tf.constant(3.))
---
with on('/cpu:1'): a = tf.identity(tf.constant(1.))
with on('/cpu:2'): b = tf.identity(tf.constant(2.))
with tf.colocate_with(a):
    with tf.colocate_with(b, ignore_existing=True): c = tf.identity(tf.constant(3.))
---
a = tf.identity(tf.constant(1.))
with on('/cpu:2'): b = tf.identity(tf.constant(2.))
with tf.colocate_with(a):
    with tf.colocate_with(b): c = tf.identity(tf.constant(3.))
---
with on('/gpu:1'): a = tf.constant(1.)
with tf.colocate_with(a.op): c = a + 2.
---
with on('/cpu:1'): a = tf.identity(tf.constant(1.))
with tf.colocate_with(a): b = tf.identity(tf.constant(2.))
with tf.colocate_with(b): c = tf.identity(tf.constant(3.))
---
def choose(op):
    return '/cpu:1' if op.type == 'Const' else '/cpu:2'
with on(choose): y = tf.constant(1.) + 2.
---
with on('/cpu:1'):
    with on(lambda op: '/cpu:2'): y = tf.constant(1.) + 2.
---
with on(lambda op: '/cpu:2'):
    with on('/cpu:1'): y = tf.constant(1.) + 2.
---
with on(lambda op: ''): y = tf.constant(1.) + 2.
---
with on(tf.DeviceSpec(device_type='CPU', device_index=2)): y = tf.constant(1.) + 2.
---
with on(tf.DeviceSpec.from_string('/job:localhost/cpu:1')): y = tf.constant(1.) + 2.
---
with on(tf.DeviceSpec(job='ps', task=3)): y = tf.constant(1.) + 2.
---
with on(tf.train.replica_device_setter(ps_tasks=0)): v = var('v'); y = v + 1.
---
with on(tf.train.replica_device_setter(ps_tasks=2)): v = var('v'); y = v + 1.
---
with on(tf.train.replica_device_setter(ps_tasks=1, ps_device='/cpu:1', worker_device='/cpu:2')):
    v = var('v'); y = v + 1.
---
losses = []
for i in range(3):
    with on('/cpu:%d' % i), tf.variable_scope('tower', reuse=tf.AUTO_REUSE):
        losses.append(tf.reduce_sum(var('w') * float(i)))
total = tf.add_n(losses)
---
with on('/cpu:0'): v = var('v')
sums = []
for i in (1, 2):
    with on('/cpu:%d' % i): sums.append(tf.reduce_sum(v * float(i)))
mean = tf.add_n(sums) / 2.
---
with on('/cpu:1'):
    x = tf.identity(tf.constant(1.))
    with tf.control_dependencies([x]): n = tf.no_op()
---
x = tf.constant(2)
with on('/cpu:1'): y = tf.cond(x > 1, lambda: tf.constant(1.) + 1., lambda: tf.constant(2.) + 2.)
---
with on('/cpu:1'): i = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
---
with on('/cpu:1'): q = tf.FIFOQueue(3, [tf.float32], shapes=[()])
with on('/cpu:2'): e = q.enqueue(1.)
---
with on('/cpu:1'): s = tf.as_string(tf.constant(1.)); t = tf.string_join([s, 'a'])
---
with on('/cpu:1'): a, b = tf.split(tf.zeros([4]), 2)
with on('/cpu:2'): c = tf.concat([a, b], 0); d = tf.stack([a, b])
---
with on('/cpu:2'): x = tf.zeros([2, 3]); y = tf.ones_like(x); z = tf.zeros_like(y)
---
with on('/cpu:1'): w = tf.constant(1.);
with on('/gpu:3'): u = tf.identity(w);
with on('/cpu:9'): v = tf.identity(u)
---
with on('/cpu:1'): g = tf.train.get_or_create_global_step()
with on('/cpu:2'): h = tf.assign_add(g, 1)
---
with on('/cpu:1'):
    m = tf.metrics.mean([1., 2.])[1]
---
with on('/cpu:1'): v = var('v')
saver = tf.train.Saver([v])
---
with tf.name_scope('a'), on('/cpu:1'):
    with tf.name_scope('b'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'): o = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(v * v))
---
with on('/cpu:1'): v = res('v')
o = tf.train.MomentumOptimizer(.1, .9).minimize(tf.reduce_sum(v * v))
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'): w = var('w')
o = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(v * w))
---
with on('/cpu:1'): a = tf.constant([1.])
with on('/cpu:2'):
    with tf.colocate_with(a): b = tf.identity(a)
    c = tf.identity(b)
---
with on('/cpu:1'): a, b = tf.split(tf.ones([4]), 2)
c = tf.concat([a, b], 0)
with on('/cpu:2'): d = tf.stack([a, b])
---
with on('/job:worker/cpu:1'): a = tf.constant([1.])
---
with on('/cpu:1/cpu:2'): a = tf.constant(1.)
---
losses = []
for i in range(2):
    with on('/cpu:%d' % (i + 1)), tf.variable_scope('t', reuse=i > 0):
        w = var('w', (3, 2)); losses.append(tf.reduce_mean(tf.matmul(tf.ones([4, 3]), w)))
with on('/cpu:0'): total = tf.add_n(losses)
---
o = tf.train.GradientDescentOptimizer(.1)
grads = []
for i in range(2):
    with on('/cpu:%d' % (i + 1)), tf.variable_scope('t', reuse=i > 0), tf.name_scope('tower%d' % i):
        w = res('w', (3, 2)); loss = tf.reduce_sum(tf.square(tf.matmul(tf.ones([4, 3]), w)))
        grads.append(o.compute_gradients(loss))
with on('/cpu:0'):
    mean = [(tf.reduce_mean(tf.stack([g for g, _ in pair]), 0), pair[0][1]) for pair in zip(*grads)]
    step = o.apply_gradients(mean)
---
with on(tf.train.replica_device_setter(ps_tasks=0)): v = var('v'); y = tf.identity(v)
---
with on(tf.train.replica_device_setter(ps_tasks=2, ps_device='/cpu:1', worker_device='/cpu:2')):
    v = var('v'); w = res('w'); y = v + w
---
with on(tf.train.replica_device_setter(ps_tasks=1, worker_device='/job:worker/cpu:2')):
    v = var('v'); y = v + 1.
---
with on('/cpu:1'): v = res('v')
with tf.colocate_with(v.op if hasattr(v, 'op') else v):
    with on('/cpu:2'): y = tf.ones([2]); z = tf.identity(y)
---
with on('/cpu:1'): a = tf.identity(tf.constant([1.]))
with on('/cpu:2'):
    b = tf.identity(tf.constant([2.]))
    with tf.colocate_with(b):
        with tf.colocate_with(a, ignore_existing=True): c = tf.identity(a)
        d = tf.identity(c)
---
with on('/cpu:1'): a = tf.identity(tf.constant([1.]))
with on('/cpu:2'): b = tf.identity(tf.constant([2.]))
with tf.colocate_with(a):
    with tf.colocate_with(b): c = a + b
---
with on('/cpu:1'): p = tf.less(tf.constant(1.), 2.)
x = tf.constant([3.])
def left():
    with on('/cpu:2'): return tf.square(x)
y = tf.cond(p, left, lambda: tf.negative(x))
---
def body(i, h):
    with on('/cpu:2'): return i + 1, tf.tanh(h)
with on('/cpu:1'): i, h = tf.while_loop(lambda i, h: i < 3, body, [0, tf.ones([2])])
---
with on('/cpu:1'): q = tf.FIFOQueue(4, [tf.float32], shapes=[[2]])
with on('/cpu:2'): put = q.enqueue(tf.ones([2])); n = q.size()
---
with on('/cpu:2'): v = res('v')
with on('/cpu:1'): y = tf.gather(v, [0, 1]); a = v.assign_add(tf.ones([2])); r = v.read_value()
---
with on(lambda op: '/cpu:1' if 'w' in op.name else ''):
    with on('/cpu:2'): w = var('w'); u = var('u'); y = tf.add(w, u, name='y')
---
with on('/gpu:0'): s = tf.constant(['a', 'b']); t = tf.strings.join([s, s]); n = tf.strings.length(t)
---
with on('/cpu:2'):
    x = tf.ones([2]); y = tf.py_func(lambda a: a * 2, [x], tf.float32)
    with on('/cpu:1'): s = tf.summary.scalar('s', tf.reduce_sum(y))
---
with on('/cpu:1'): v = var('v'); w = var('w')
with tf.control_dependencies([v.assign(tf.ones([2])), w.assign_add(tf.ones([2]))]):
    with on('/cpu:2'): y = tf.identity(tf.constant(1.)); g = tf.group(v, w)
---
with on('/cpu:1'): v = var('v')
with on('/cpu:2'):
    e = tf.train.ExponentialMovingAverage(.9); up = e.apply([v])
    a = tf.identity(e.average(v), name='average')
---
with on('/cpu:2'): v = var('v', (3, 2)); w = res('w', (2,)); h = tf.matmul(tf.ones([1, 3]), v) + w
with on('/cpu:1'):
    o = tf.train.AdamOptimizer(.1); step = o.minimize(tf.reduce_sum(h)); m = tf.identity(o.get_slot(v, 'm'))
---
with on('/device:CPU:1'):
    with on(tf.DeviceSpec(device_type='CPU', device_index=2)): a = tf.identity(tf.constant(1.))
    with on(tf.DeviceSpec(job='localhost')): b = tf.identity(tf.constant(1.))
---
with on('/cpu:3'): a = tf.identity(tf.constant(1.))
---
with on('/tpu:0'): a = tf.identity(tf.constant(1.))
---
with on('/cpu:1'): a = tf.identity(tf.constant(1.))
with on('/gpu:0'):
    with tf.colocate_with(a): b = tf.identity(a)
---
with on('/cpu:1'): v = var('v', (5, 3))
with on('/cpu:2'): y = tf.nn.embedding_lookup(v, [0, 1], name='y'); s = tf.reduce_sum(y)
---
with on('/cpu:2'): v = res('v', (5, 3))
with on('/cpu:1'): y = tf.nn.embedding_lookup(v, [0, 1], name='y'); s = tf.reduce_sum(y)
---
with on('/cpu:1'): a = var('a', (5, 3))
with on('/cpu:2'):
    b = var('b', (5, 3)); y = tf.nn.embedding_lookup([a, b], [0, 1], name='y'); s = tf.reduce_sum(y)
---
with on('/cpu:1'): v = var('v', (5, 3))
with on('/cpu:2'):
    y = tf.nn.embedding_lookup(v, [0, 1]); step = tf.train.AdamOptimizer(.1).minimize(tf.reduce_sum(y))
---
with on(tf.train.replica_device_setter(ps_tasks=0)): v = var('v'); y = v * 2.
---
with on('/job:localhost/task:0/device:CPU:2'): v = var('v'); w = tf.Variable([1., 2.], name='w')
y = v + w
---
with on('/cpu:1'):
    v = tf.Variable(tf.random_uniform([2, 2], seed=1), name='v')
    u = tf.assign_sub(v, tf.ones([2, 2]), name='u')
with on('/cpu:2'): z = tf.assign(v, tf.zeros([2, 2]), name='z')
---
towers = []
for i in range(2):
    with on('/cpu:%d' % (i + 1)), tf.variable_scope('t', reuse=tf.AUTO_REUSE):
        w = tf.get_variable('w', [3, 3], initializer=tf.ones_initializer())
        towers.append(tf.reduce_sum(tf.matmul(tf.ones([2, 3]), w)))
with on('/cpu:0'): total = tf.add_n(towers, name='total')
---
with on('/cpu:1'): x = tf.ones([4, 4]); parts = tf.split(x, 2, name='parts')
with on('/cpu:2'): y = tf.concat(parts, 1, name='y'); z = tf.stack(tf.unstack(y, name='u'), name='z')
---
with on('/cpu:2'):
    a = tf.TensorArray(tf.float32, 3, name='a').write(0, [1.]).write(1, [2.]).write(2, [3.])
with on('/cpu:1'): y = tf.identity(a.stack(), name='y')
---
with on('/cpu:1'): h = tf.identity(tf.constant([1])); k = tf.one_hot(h, 3, name='k')
with on('/cpu:2'): e = tf.einsum('ij->ji', k, name='e')
---
with on('/cpu:2'): v = var('v')
with tf.colocate_with(v.op): a = tf.identity(tf.ones([2]), name='a')
with on('/cpu:1'):
    with tf.colocate_with(v): b = tf.identity(a, name='b')
    c = tf.identity(b, name='c')
---
with on('/cpu:1'):
    with tf.name_scope('n'):
        with on('/cpu:2'): a = tf.identity(tf.constant(1.), name='a')
        b = tf.identity(a, name='b')
        with on(''): c = tf.identity(b, name='c')
---
def f(op): return '/cpu:2' if op.type == 'MatMul' else '/cpu:1'
with on(f): a = tf.ones([2, 2]); b = tf.matmul(a, a, name='b'); c = tf.nn.relu(b, name='c')
---
with on('/cpu:1'): ds = tf.random_uniform([3], seed=2); m = tf.nn.moments(ds, [0]); r = tf.range(3, name='r')
with on('/cpu:2'): o = tf.sort(ds, name='o'); t = tf.nn.top_k(ds, 2, name='t').values
---
with on('/cpu:7'): v = var('v')
---
with on('/job:worker'): v = var('v'); y = tf.identity(v)
---
with on('/device:XPU:0'): y = tf.identity(tf.constant(1.))
---
with on('/cpu:1'): b = tf.identity(tf.constant([1.]))
s = tf.scan(lambda a, x: a + x, tf.ones([3]), tf.constant(0.))
q = tf.map_fn(lambda x: x * 2., tf.ones([3]))
with on('/cpu:2'): f = tf.foldl(lambda a, x: a + x, tf.ones([3])); d = tf.identity(s + q + f, name='d')
---
with on('/cpu:2'):
    v = res('v'); i = v.is_initialized(); c = tf.cond(tf.constant(True), lambda: v + 1., lambda: v - 1.)
---
with on('/cpu:1'):
    v = var('v', (3,)); w = tf.train.MomentumOptimizer(.1, .9).minimize(tf.reduce_sum(v * v))
with on('/cpu:2'): u = tf.train.RMSPropOptimizer(.1).minimize(tf.reduce_sum(v))
"""


def programs():
    return [text.strip("\n") for text in TEXTS.split("---\n")]


def plain(message):
    """TensorFlow's message without lines, wrappers and the ways that versions write the name of a node."""
    message = message.split("\n\t [[")[0].split("\nOp: ")[0]
    message = message[max(message.find("Cannot assign"), message.find("Cannot colocate"), 0):]
    message = re.sub(r"\s+", " ", message)
    message = re.sub(r"\{\{(?:colocation_)?node ([^}]*)\}\}", r"\1", message)
    message = re.sub(r"node (\S+) \(defined at [^)]*\)( placed on device .*?)?(?= and node|: Cannot| was|$)",
                     r"\1", message, flags=re.DOTALL)
    without = message.replace(" placed on device No device assignments were active", "")
    return re.sub(r"\s+", " ", without).strip()


def evaluate(tf, text, soft, session):
    """{"devices": {node: "CPU:1"}} or {"error": class, "message": text}."""
    with tf.Graph().as_default() as graph:
        names = {"tf": tf}
        try:
            exec(PREPARE + text, names)
            return {"devices": session(tf, graph, soft)}
        except Exception as error:
            return {"error": type(error).__name__, "message": plain(str(error))}


def _real_session(tf, graph, soft):
    config = tf.ConfigProto(device_count={"CPU": 3}, allow_soft_placement=soft)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    wanted = [op for op in graph.get_operations()
              if op.type not in ("Placeholder", "RestoreV2", "SaveV2", "Merge", "Switch", "QueueEnqueueV2")
              and "save/" not in op.name
              and graph.is_fetchable(op) and (op.type == "Exit" or "while/" not in op.name)]
    feeds = {op.outputs[0]: [[1.0] * 3] for op in graph.get_operations() if op.type == "Placeholder"}
    variables = {op.name for op in wanted if op.type in ("VariableV2", "VarHandleOp")}
    first = [op for op in wanted if op.type in ("Assign", "AssignVariableOp")
             and op.name.rpartition("/")[0] in variables]
    metadata = tf.RunMetadata()
    with tf.Session(config=config, graph=graph) as session:
        session.run(first, feeds)
        session.run(wanted, feeds, tf.RunOptions(output_partition_graphs=True), metadata)
    return {node.name: node.device.rpartition("device:")[2]
            for part in metadata.partition_graphs for node in part.node}


def main(path):
    import os

    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    found = [[evaluate(tf, text, soft, _real_session) for soft in (False, True)] for text in programs()]
    with open(path, "w") as out:
        json.dump(found, out)


if __name__ == "__main__":
    main(sys.argv[1])
