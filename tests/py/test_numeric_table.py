"""Each operation that cannot take some operand, each idiom that keeps it from that, and each source of
bounds, once: a line marked S is a suspect by its value, D by its derivative alone, all others are none."""
import json
import re
import subprocess
import sys

import pytest

HEAD = """\
import numpy as np
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_eager_execution()
outs = []
def keep(a):
    outs.append(tf.reduce_sum(a))
def variable(name, initializer, **options):
    return v1.get_variable(name, [8], initializer=initializer, **options)
x = v1.placeholder(tf.float32, [None, 10])
data = np.random.rand(32, 10).astype("float32") * 2 - 1
w = v1.get_variable("w", [10, 10])
t = tf.matmul(x, w)
"""
TAIL = """
loss = tf.add_n(outs)
train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
with v1.Session() as s:
    s.run(v1.global_variables_initializer())
    for k in range(3):
        s.run(train, FED)
"""
OPERATIONS = """\
unit, pos, prob = tf.clip_by_value(t, -1., 1.), tf.nn.relu(t), tf.sigmoid(t)
safe_unit, safe_pos = tf.clip_by_value(t, -.9, .9), pos + .1
one_up = 1 + pos
keep(1 / t)  # S
keep(tf.math.reciprocal(pos))  # S
keep(tf.exp(t))  # S
keep(tf.math.expm1(t))  # S
keep(tf.exp(tf.clip_by_value(t, -80., 80.)))
keep(tf.math.log(prob))  # S
keep(tf.math.log1p(unit))  # S
keep(tf.math.log1p(safe_unit))
keep(tf.sqrt(t))  # S
keep(tf.sqrt(pos))  # D
keep(tf.sqrt(safe_pos))
keep(tf.math.rsqrt(pos))  # S
keep(tf.math.rsqrt(safe_pos))
keep(tf.pow(t, .5))  # S
keep(tf.pow(pos, .5))  # D
keep(tf.pow(pos, -1.))  # S
keep(tf.pow(t, 3.))
keep(tf.pow(tf.clip_by_value(t, -10., 10.), 4.))
keep(tf.math.lgamma(pos))  # S
keep(tf.math.lgamma(safe_pos))
keep(tf.math.digamma(pos))  # S
keep(tf.acos(t))  # S
keep(tf.acos(unit))  # D
keep(tf.acos(safe_unit))
keep(tf.asin(t))  # S
keep(tf.asin(unit))  # D
keep(tf.asin(safe_unit))
keep(tf.atanh(unit))  # S
keep(tf.atanh(tf.tanh(t)))  # S
keep(tf.atanh(safe_unit))
keep(tf.acosh(t))  # S
keep(tf.acosh(one_up))  # D
keep(tf.acosh(one_up + .1))
keep(tf.linalg.inv(t[:10]))  # S
keep(tf.norm(t, axis=1))  # D
keep(tf.norm(pos + .1, axis=1))
keep(tf.math.xdivy(t, pos))  # S
keep(tf.math.xlogy(t, pos))  # S
keep(tf.math.divide_no_nan(t, pos))
keep(tf.cosh(t))  # S
keep(tf.sinh(t))  # S
keep(tf.math.softplus(t))
keep(tf.tanh(t))
keep(tf.linalg.cholesky(t[:10]))  # S
keep(tf.linalg.solve(t[:10], t[:10]))  # S
keep(t / tf.reduce_sum(pos, 1, keepdims=True))  # S
keep(pos / tf.reduce_sum(safe_pos, 1, keepdims=True))
keep(tf.math.mod(t, pos))  # S
keep(tf.math.floordiv(t, pos))  # S
keep(tf.math.erfinv(unit))  # S
keep(tf.math.ndtri(prob))  # S
keep(tf.math.ndtri(tf.clip_by_value(prob, 1e-6, 1.)))  # S
keep(tf.math.ndtri(tf.clip_by_value(prob, 1e-6, .99)))
keep(tf.math.erfinv(safe_unit))
keep(tf.atan2(pos, t))  # D
keep(tf.atan2(safe_pos, t))
keep(tf.math.xlog1py(t, unit))  # S
keep(tf.math.xlog1py(t, pos))
keep(tf.math.mod(t, 2.))
keep(tf.math.floordiv(t, safe_pos))
keep(tf.math.reduce_euclidean_norm(t, 1))  # D
keep(tf.math.reduce_std(t, 1))  # D
keep(tf.math.reduce_variance(t, 1))
"""
IDIOMS = """\
x = v1.placeholder(tf.float32, [None, 10])
y = v1.placeholder(tf.float32, [None, 10])
z = v1.placeholder(tf.float32, [None, 10])
numbers = np.abs(data)
numbers[0], numbers[1] = 0, 1
onehot = np.eye(10, dtype="float32")[np.arange(32) % 10]
logits = tf.matmul(x, w)
p, u = tf.nn.softmax(logits), tf.nn.relu(logits)
keep(tf.math.log(p))  # S
keep(tf.math.log(p + 1e-7))
keep(tf.math.log(tf.clip_by_value(p, 1e-10, 1.0)))
keep(tf.nn.log_softmax(logits))
keep(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
m = logits - tf.reduce_max(logits, 1, keepdims=True)
keep(tf.exp(m))
keep(tf.exp(m) / tf.reduce_sum(tf.exp(m), 1, keepdims=True))
keep(tf.exp(logits))  # S
keep(tf.where(u > 0, tf.math.log(u), tf.zeros_like(u)))  # D
keep(tf.math.log(tf.where(u > 0, u, tf.ones_like(u))))
keep(tf.math.log(1 - z + 1e-8))
keep(tf.math.log(z + 1e-8))
keep(tf.math.log(1 - tf.clip_by_value(z, 0., 1 - 1e-8)))  # S
keep(tf.math.log(1 - tf.clip_by_value(z, 0., 1 - 1e-6)))
mean, var = tf.nn.moments(x, [0])
keep((x - mean) / tf.sqrt(var))  # S
keep((x - mean) / tf.sqrt(var + 1e-5))
keep(tf.nn.batch_normalization(x, mean, var, None, None, 1e-5))
keep(tf.math.rsqrt(var + 1e-5))
keep(tf.sqrt(tf.reduce_sum(tf.square(u), 1)))  # D
keep(tf.sqrt(tf.reduce_sum(tf.square(u), 1) + 1e-8))
keep(x / tf.norm(x, axis=1, keepdims=True))  # S
keep(tf.nn.l2_normalize(x, 1))
keep(tf.math.divide_no_nan(x, tf.reduce_sum(z, 1, keepdims=True)))
keep(x / tf.reduce_sum(z, 1, keepdims=True))  # S
keep(x / (tf.reduce_sum(z, 1, keepdims=True) + 1e-6))
keep(z / (1.0 + tf.exp(-tf.abs(x))))
keep(x / (1.0 + tf.square(logits)))
sg = tf.sigmoid(logits)
keep(y * tf.math.log(sg))  # S
keep(tf.math.log(1 - sg))  # S
keep(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
keep(tf.math.log1p(tf.exp(-tf.abs(logits))))
keep(tf.nn.softplus(logits))
keep(tf.math.log1p(-z))  # S
keep(tf.acos(tf.clip_by_value(logits, -1., 1.)))  # D
keep(tf.acos(tf.clip_by_value(logits, -1 + 1e-6, 1 - 1e-6)))
keep(tf.math.reduce_logsumexp(logits, 1))
keep(tf.math.log(tf.reduce_sum(tf.exp(m), 1)))
keep(x / tf.reduce_max(tf.abs(x)))  # S
keep(tf.pow(u, 0.5))  # D
keep(tf.pow(u + 1e-6, 0.5))
keep(tf.pow(logits, 0.3))  # S
keep(tf.pow(x, 2.0))
lam = 0.5
keep((tf.pow(u, lam) - 1) / lam)  # D
keep((tf.pow(u + 1e-3, lam) - 1) / lam)
keep(tf.reduce_sum(p * tf.math.log(p / (tf.nn.softmax(x))), 1))  # S
keep(tf.reduce_sum(x * z, 1) / (tf.norm(x, axis=1) * tf.norm(z, axis=1)))  # S
keep(tf.math.xlogy(z, z + 1e-9))
keep(tf.reduce_sum(-z * tf.math.log(tf.maximum(z, 1e-12))))
keep(tf.reduce_mean((z - tf.reduce_min(z)) / (tf.reduce_max(z) - tf.reduce_min(z))))  # S
keep((z - tf.reduce_min(z)) / (tf.reduce_max(z) - tf.reduce_min(z) + 1e-6))
keep(tf.linalg.inv(tf.matmul(x, x, transpose_a=True)))  # S
"""
SOURCES = """\
images = np.random.randint(0, 256, (64, 8)).astype("uint8")
images[0], images[1] = 0, 255
x, raw = v1.placeholder(tf.float32, [None, 8]), v1.placeholder(tf.float32, [None, 8])
ints, text = v1.placeholder(tf.int32, [None]), v1.placeholder(tf.string, [None])
keep(tf.acos(x * .9))
keep(tf.math.log(x))  # S
keep(tf.math.log(x + 1))
keep(tf.exp(x))
keep(tf.exp(raw))  # S
keep(1 / (2 - x))
keep(1 / (x - .5))  # S
keep(tf.math.log(tf.constant([1., 2., 3.])))
keep(1 / tf.constant([1., 0.]))  # S
trunc = variable("trunc", v1.truncated_normal_initializer(stddev=.1), trainable=False)
normal = variable("normal", v1.random_normal_initializer(mean=3., stddev=.1), trainable=False)
uniform = variable("uniform", v1.random_uniform_initializer(.5, 1.), trainable=False)
trained = variable("trained", v1.random_uniform_initializer(.5, 1.))
clipped = variable("clipped", v1.random_uniform_initializer(.5, 1.),
                   constraint=lambda v: tf.clip_by_value(v, .1, 2.))
keep(1 / (1 + trunc))
keep(tf.math.log(uniform))
keep(tf.math.log(normal))
keep(x / trained)  # S
keep(x / clipped)
u = tf.random.uniform([8])
keep(-tf.math.log(u))  # S
keep(-tf.math.log(-tf.math.log(u + 1e-10) + 1e-10))
keep(tf.math.log(1 - u))
keep(tf.math.log(tf.random.truncated_normal([8]) + 3))
keep(tf.math.log(tf.random.normal([8]) + 3))  # S
keep(tf.math.log(1. + tf.cast(ints, tf.float32)))
keep(1 / tf.cast(ints, tf.float32))  # S
h = tf.cast(x, tf.float16)
keep(tf.cast(tf.math.log(h + 1e-8), tf.float32))  # S
keep(tf.cast(tf.math.log(h + 1e-3), tf.float32))
d = tf.cast(x, tf.float64)
keep(tf.cast(tf.math.log(1 - d + 1e-300), tf.float32))
keep(tf.cast(tf.math.log((1 + 1e-12) - d), tf.float32))
keep(tf.cast(tf.math.log((1 + 1e-20) - d), tf.float32))  # S
length = tf.strings.length(text)
keep(tf.math.sqrt(tf.cast(length, tf.float32)))
i, total = tf.while_loop(lambda i, t: i < 10, lambda i, t: (i + 1, t * 2 + 1), [0, 1.])
keep(tf.math.log(total))
i, wild = tf.while_loop(lambda i, t: i < 10, lambda i, t: (i + 1, t - 1), [0, 1.])
keep(tf.math.log(wild))  # S
"""
FED = {"operations": (OPERATIONS, "{x: data}"),
       "idioms": (IDIOMS, "{x: data, y: onehot, z: numbers}"),
       "sources": (SOURCES, "{x: images / 255., raw: images, ints: np.arange(64), text: ['a'] * 64}")}


@pytest.mark.parametrize("name", FED)
def test_each_line_is_decided_rightly(tmp_path, name):
    lines, fed = FED[name]
    program = HEAD + lines + TAIL.replace("FED", fed)
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)],
                          cwd=tmp_path, capture_output=True, text=True)
    found = {}
    for suspect in json.loads(done.stdout)["suspects"]:
        found.setdefault(suspect["line"], []).append(suspect["in_gradient"])
    wrong = []
    for number, line in enumerate(program.splitlines(), 1):
        mark = re.search(r"  # ([SD])$", line)
        mine = found.get(number, [])
        if bool(mine) != bool(mark) or mark and mark.group(1) == "D" and not all(mine):
            wrong.append((line, mine))
    assert not wrong
