"""A seeded generator of calls: shapes that fit, now and then bent, and as often partly hidden."""
import random

KNOWN = (1, 2, 3, 4, 5, 6)


class Draw(random.Random):
    """Random pieces of calls."""

    def dim(self):
        return self.choice(KNOWN)

    def shape(self, low=0, high=4):
        return [self.dim() for _ in range(self.randint(low, high))]

    def axis(self, rank):
        return self.randint(-rank, rank - 1) if rank else 0

    def flag(self):
        return self.random() < 0.5


# Each function draws the inputs of one family with fitting shapes and the text of one call.
def binary(r):
    b = r.shape()
    a = [d if r.random() < 0.8 else 1 for d in b][r.randint(0, len(b)) if r.random() < 0.3 else 0:]
    name = r.choice("add subtract multiply maximum squared_difference pow less equal".split())
    sign = {"a": ["float32", a], "b": ["float32", b]}
    return sign, r.choice(["tf.%s(a, b)" % name, "tf.%s(b, a)" % name])


def logical(r):
    s = r.shape()
    return {"a": ["bool", s], "b": ["bool", s]}, "tf.logical_and(a, tf.logical_not(b))"


def unary(r):
    name = r.choice("exp nn.relu nn.softmax nn.log_softmax identity sign zeros_like ones_like "
                    "nn.l2_loss shape size rank nn.sigmoid stop_gradient".split())
    return {"a": ["float32", r.shape(0 if name not in ("nn.softmax", "nn.log_softmax") else 1)]}, \
        "tf.%s(a)" % name


def select(r):
    s = r.shape(0, 3)
    c = s if r.flag() else s[:1]
    return {"c": ["bool", c], "a": ["float32", s], "b": ["float32", s]}, \
        r.choice(["tf.where(c, a, b)", "tf.where(c)", "tf.where_v2(c, a, b)"])


def add_n(r):
    s = r.shape()
    return {"a": ["float32", s], "b": ["float32", s]}, "tf.add_n([a, b, a])"


def matmul(r):
    m, k, n = r.dim(), r.dim(), r.dim()
    batch = r.shape(0, 2)
    ta, tb = r.flag(), r.flag()
    a, b = [k, m] if ta else [m, k], [n, k] if tb else [k, n]
    rhs = batch if r.random() < 0.8 else []
    return {"a": ["float32", batch + a], "b": ["float32", rhs + b]}, \
        "tf.matmul(a, b, transpose_a=%s, transpose_b=%s)" % (ta, tb)


def einsum(r):
    sizes = {c: r.dim() for c in "bijk"}
    lhs, rhs, out = r.choice([("ij", "jk", "ik"), ("bij", "bjk", "bik"), ("ij", "ij", ""),
                              ("bij", "jk", "bik"), ("i", "j", "ij"), ("bij", "bj", "i")])
    return {"a": ["float32", [sizes[c] for c in lhs]], "b": ["float32", [sizes[c] for c in rhs]]}, \
        "tf.einsum('%s,%s->%s', a, b)" % (lhs, rhs, out)


def tensordot(r):
    n = r.randint(0, 2)
    shared = [r.dim() for _ in range(n)]
    return {"a": ["float32", r.shape(0, 2) + shared], "b": ["float32", shared + r.shape(0, 2)]}, \
        "tf.tensordot(a, b, %d)" % n


def reshape(r):
    s = r.shape(1, 4)
    count = 1
    for d in s:
        count *= d
    to, rest = [], count
    for _ in range(r.randint(0, 3)):
        d = r.choice([d for d in range(1, 7) if rest % d == 0])
        to.append(d)
        rest //= d
    to.append(rest)
    if r.flag():
        to[r.randrange(len(to))] = -1
    if r.random() < 0.3:
        return {"a": ["float32", s]}, "tf.reshape(a, [tf.shape(a)[0], -1])"
    return {"a": ["float32", s]}, "tf.reshape(a, %s)" % to


def transpose(r):
    s = r.shape(1, 4)
    perm = r.sample(range(len(s)), len(s))
    return {"a": ["float32", s]}, r.choice(["tf.transpose(a)", "tf.transpose(a, %s)" % perm])


def axes(r):
    s = r.shape(1, 4)
    s[r.randrange(len(s))] = 1
    return {"a": ["float32", s]}, r.choice([
        "tf.expand_dims(a, %d)" % r.randint(-len(s) - 1, len(s)), "tf.squeeze(a)",
        "tf.squeeze(a, [%d])" % r.axis(len(s)), "tf.reverse(a, [%d])" % r.axis(len(s)),
        "tf.roll(a, 1, %d)" % r.axis(len(s)), "tf.cumsum(a, %d)" % r.axis(len(s)),
        "tf.nn.l2_normalize(a, %d)" % r.axis(len(s)), "tf.argmax(a, %d)" % r.axis(len(s)),
        "tf.argmin(a)"])


def reduction(r):
    s = r.shape(0, 4)
    axis = r.choice([None, r.axis(len(s)), [r.axis(len(s))], sorted({r.axis(len(s)) for _ in s})])
    name = r.choice("reduce_sum reduce_mean reduce_max reduce_prod reduce_logsumexp".split())
    return {"a": ["float32", s]}, "tf.%s(a, axis=%s, keepdims=%s)" % (name, axis, r.flag())


def concat(r):
    a = r.shape(1, 4)
    axis = r.axis(len(a))
    b = list(a)
    b[axis] = r.dim()
    return {"a": ["float32", a], "b": ["float32", b]}, "tf.concat([a, b, a], %d)" % axis


def stack(r):
    s = r.shape(0, 3)
    return {"a": ["float32", s], "b": ["float32", s]}, \
        "tf.stack([a, b], axis=%d)" % r.randint(-len(s) - 1, len(s))


def unstack(r):
    s = r.shape(1, 3)
    return {"a": ["float32", s]}, "tf.unstack(a, axis=%d)" % r.axis(len(s))


def split(r):
    s = r.shape(1, 4)
    axis = r.axis(len(s))
    n = r.randint(1, 3)
    s[axis] *= n
    cut = r.randint(0, s[axis])
    return {"a": ["float32", s]}, r.choice([
        "tf.split(a, %d, %d)" % (n, axis), "tf.split(a, [%d, %d], %d)" % (cut, s[axis] - cut, axis),
        "tf.split(a, [%d, -1], %d)" % (cut, axis)])


def slices(r):
    s = r.shape(1, 4)
    items = []
    for d in s[:r.randint(1, len(s))]:
        items.append(r.choice([":", str(r.randrange(d)), "-1", "%d:" % r.randint(-d, d), "::2", "::-1",
                               ":%d" % r.randint(-d, d), "tf.newaxis", "1:3"]))
    if items.count("tf.newaxis") == 0 and r.random() < 0.2:
        items.insert(r.randrange(len(items)), "...")
    return {"a": ["float32", s]}, "a[%s]" % ", ".join(items)


def slice_op(r):
    s = r.shape(1, 3)
    begin = [r.randint(0, d) for d in s]
    size = [r.choice([-1, r.randint(0, d - b)]) for d, b in zip(s, begin)]
    return {"a": ["float32", s]}, "tf.slice(a, %s, %s)" % (begin, size)


def gather(r):
    s, i = r.shape(1, 3), r.shape(0, 2)
    return {"a": ["float32", s], "i": ["int32", i]}, r.choice([
        "tf.gather(a, i)", "tf.gather(a, i, axis=%d)" % r.axis(len(s)),
        "tf.nn.embedding_lookup(a, i)"])


def gather_nd(r):
    s = r.shape(1, 4)
    return {"a": ["float32", s], "i": ["int32", r.shape(0, 2) + [r.randint(0, len(s))]]}, \
        "tf.gather_nd(a, i)"


def repeat(r):
    s = r.shape(1, 3)
    many = [r.randint(0, 3) for _ in s]
    pad = [[r.randint(0, 2), r.randint(0, 2)] for _ in s]
    return {"a": ["float32", s]}, r.choice(["tf.tile(a, %s)" % many, "tf.pad(a, %s)" % pad,
                                            "tf.broadcast_to(a, %s)" % ([2] + s)])


def creation(r):
    s = r.shape(0, 3)
    return {"a": ["int32", s]}, r.choice([
        "tf.one_hot(a, %d)" % r.dim(), "tf.one_hot(a, 3, axis=%d)" % r.randint(-1, len(s)),
        "tf.cast(a, tf.float32)", "tf.zeros(tf.shape(a))", "tf.fill([2, 3], 1.0)", "tf.range(1, 9, 3)",
        "tf.eye(3, batch_shape=[2])", "tf.sequence_mask(a, 5)", "tf.random_normal(tf.shape(a))",
        "tf.ones([3] + a.get_shape().as_list())", "tf.linspace(0.0, 1.0, 7)"])


def _window(r, size, kernel, same):
    return kernel if same else min(kernel, size)


def conv2d(r):
    n, c, out = r.dim(), r.dim(), r.dim()
    padding, stride, dilation = r.choice(["SAME", "VALID"]), r.randint(1, 3), r.choice([1, 1, 2])
    h, w = r.randint(4, 12), r.randint(4, 12)
    kernel = [r.randint(1, 2), r.randint(1, 2)]
    call = r.choice(["tf.nn.conv2d(a, f, [1, {s}, {s}, 1], '{p}', dilations=[1, {d}, {d}, 1])",
                     "tf.nn.depthwise_conv2d(a, f, [1, {s}, {s}, 1], '{p}')"])
    return {"a": ["float32", [n, h, w, c]], "f": ["float32", kernel + [c, out]]}, \
        call.format(s=stride, p=padding, d=dilation if stride == 1 else 1)


def conv_other(r):
    n, c, out, stride = r.dim(), r.dim(), r.dim(), r.randint(1, 3)
    padding = r.choice(["SAME", "VALID"])
    if r.flag():
        return {"a": ["float32", [n, r.randint(4, 9), c]], "f": ["float32", [r.randint(1, 3), c, out]]}, \
            "tf.nn.conv1d(a, f, %d, '%s')" % (stride, padding)
    return {"a": ["float32", [n] + [r.randint(4, 7)] * 3 + [c]], "f": ["float32", [2, 2, 2, c, out]]}, \
        "tf.nn.conv3d(a, f, [1, {s}, {s}, {s}, 1], '{p}')".format(s=stride, p=padding)


def conv_back(r):
    n, h, c, out, stride = r.dim(), r.dim(), r.dim(), r.dim(), r.randint(1, 3)
    return {"a": ["float32", [n, h, h, c]], "f": ["float32", [stride, stride, out, c]]}, \
        "tf.nn.conv2d_transpose(a, f, [%d, %d, %d, %d], [1, %d, %d, 1], 'SAME')" % (
            n, h * stride, h * stride, out, stride, stride)


def pool(r):
    s = [r.dim(), r.randint(3, 9), r.randint(3, 9), r.dim()]
    return {"a": ["float32", s]}, "tf.nn.%s_pool(a, [1, %d, %d, 1], [1, %d, %d, 1], '%s')" % (
        r.choice(["max", "avg"]), r.randint(1, 3), r.randint(1, 3), r.randint(1, 3), r.randint(1, 3),
        r.choice(["SAME", "VALID"]))


def bias(r):
    s = r.shape(2, 4)
    return {"a": ["float32", s], "b": ["float32", s[-1:]]}, "tf.nn.bias_add(a, b)"


def image(r):
    b = r.randint(1, 2)
    s = [r.dim(), r.dim() * b, r.dim() * b, r.dim() * b * b]
    return {"a": ["float32", s]}, r.choice([
        "tf.space_to_depth(a, 2)", "tf.depth_to_space(a, 2)", "tf.image.resize_images(a, [4, 5])",
        "tf.image.flip_left_right(a)", "tf.image.resize_nearest_neighbor(a, [7, 8])",
        "tf.nn.local_response_normalization(a)", "tf.image.crop_to_bounding_box(a, 0, 0, 1, 1)",
        "tf.image.central_crop(a, 0.5)", "tf.image.rgb_to_grayscale(a)",
        "tf.nn.moments(a, [0, 1, 2])"])


def loss(r):
    n, k = r.dim(), r.dim()
    if r.flag():
        return {"a": ["float32", [n, k]], "y": ["int32", [n]]}, r.choice([
            "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=a)",
            "tf.nn.in_top_k(a, y, 1)", "tf.losses.sparse_softmax_cross_entropy(y, a)"])
    return {"a": ["float32", [n, k]], "y": ["float32", [n, k]]}, r.choice([
        "tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=a)",
        "tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=a)",
        "tf.losses.mean_squared_error(y, a)", "tf.losses.absolute_difference(y, a)",
        "tf.losses.softmax_cross_entropy(y, a)"])


def matrix(r):
    n, batch = r.dim(), r.shape(0, 2)
    return {"a": ["float32", batch + [n, n]], "b": ["float32", batch + [n, r.dim()]]}, r.choice([
        "tf.cholesky(a)", "tf.matrix_inverse(a)", "tf.matrix_solve(a, b)", "tf.matrix_diag_part(b)",
        "tf.matrix_band_part(b, 1, 0)", "tf.matrix_determinant(a)", "tf.trace(b)",
        "tf.matrix_transpose(b)", "tf.matrix_diag(b)", "tf.linalg.norm(b, axis=-1)", "tf.qr(b)",
        "tf.svd(b)", "tf.self_adjoint_eig(a)", "tf.matrix_triangular_solve(a, b)"])


def segment(r):
    n, rest = r.dim(), r.shape(0, 2)
    return {"a": ["float32", [n] + rest], "i": ["int32", [n]]}, r.choice([
        "tf.segment_sum(a, i)", "tf.unsorted_segment_sum(a, i, 4)", "tf.dynamic_partition(a, i, 2)",
        "tf.unsorted_segment_max(a, i, tf.size(i))"])


def scatter(r):
    n, k = r.dim(), r.randint(1, 2)
    to = r.shape(k, 3)
    return {"i": ["int32", [n, k]], "u": ["float32", [n] + to[k:]]}, "tf.scatter_nd(i, u, %s)" % to


def sequence(r):
    n, t, rest = r.dim(), r.dim(), r.shape(0, 2)
    return {"a": ["float32", [n, t] + rest], "l": ["int32", [n]]}, r.choice([
        "tf.reverse_sequence(a, l, seq_axis=1)", "tf.boolean_mask(a, tf.greater(l, 0))",
        "tf.nn.top_k(a, 1)", "tf.nn.dropout(a, keep_prob=0.5)", "tf.clip_by_value(a, 0.0, 1.0)",
        "tf.space_to_batch_nd(a, [1], [[0, 0]])", "tf.nn.batch_normalization(a, 0.0, 1.0, None, None, 1e-3)",
        "tf.map_fn(lambda x: x * 2, a)", "tf.unique(l)", "tf.meshgrid(l, l)"])


def operators(r):
    b = r.shape(0, 3)
    a = [d if r.random() < 0.8 else 1 for d in b]
    return {"a": ["float32", a], "b": ["float32", b]}, r.choice([
        "a + b", "a - b", "a * b", "a / b", "a ** b", "a // b", "a % b", "-a", "abs(a)", "a + 1", "2.0 * a",
        "1.0 / a", "a < b", "a >= b", "a[..., None] * 2.0", "tf.add(a, 1.0)", "tf.multiply(2.0, b)",
        "tf.divide(a, b)", "tf.truediv(a, b)", "tf.floordiv(a, b)", "tf.mod(a, b)", "tf.minimum(a, 0.0)",
        "tf.greater(a, b)", "tf.not_equal(a, b)", "tf.greater_equal(a, 0.0)", "tf.less_equal(a, b)",
        "tf.atan2(a, b)", "tf.math.divide_no_nan(a, b)", "tf.assert_equal(a, a)", "tf.where(a > 0.0, a, 0.0 * a)"])


def activation(r):
    return {"a": ["float32", r.shape(1, 4)]}, "tf.%s(a)" % r.choice(
        "nn.elu nn.leaky_relu nn.selu nn.softplus nn.softsign nn.crelu nn.relu6 tanh nn.tanh sigmoid erf log "
        "log1p sqrt rsqrt square floor ceil round abs negative reciprocal sin cos is_nan is_finite digamma "
        "lgamma math.softplus nn.swish nn.gelu nn.sigmoid exp math.log_sigmoid to_float to_int32 "
        "count_nonzero reduce_all reduce_std".replace("reduce_all reduce_std", "reduce_sum").split())


def clip(r):
    s = r.shape(1, 3)
    return {"a": ["float32", s], "b": ["float32", r.shape(0, 3)]}, r.choice([
        "tf.clip_by_norm(a, 5.0)", "tf.clip_by_norm(a, 1.0, axes=[%d])" % r.axis(len(s)),
        "tf.clip_by_global_norm([a, b], 1.0)", "tf.global_norm([a, b])", "tf.clip_by_value(a, -1.0, 1.0)",
        "tf.clip_by_value(a, b, b)", "tf.clip_by_average_norm(a, 1.0)", "tf.nn.l2_loss(a) + tf.nn.l2_loss(b)",
        "tf.identity_n([a, b])", "tf.tuple([a, b])", "tf.group(a, b)"])


def make(r):
    s = r.shape(0, 3)
    return {"a": ["float32", s]}, r.choice([
        "tf.zeros({s})", "tf.ones({s}, tf.int32)", "tf.fill({s}, 2)", "tf.random_uniform({s})",
        "tf.random_normal({s}, stddev=0.1)", "tf.truncated_normal({s})", "tf.random_uniform({s}, 0, 9, tf.int32)",
        "tf.constant(1.0, shape={s})", "tf.constant([1, 2, 3])", "tf.constant([1.0, 2.0, 3.0, 4.0], shape=[2, 2])",
        "tf.constant(np.zeros({s}))", "tf.convert_to_tensor(np.zeros({s}, np.float32)) + a", "tf.range(%d)" % r.dim(),
        "tf.range(0.0, 1.0, 0.25)", "tf.zeros_like(a, tf.int64)", "tf.ones_like(a) * a", "tf.cast(a, tf.int32)",
        "tf.saturate_cast(a, tf.uint8)", "tf.Variable(tf.zeros({s})).assign(a)", "tf.random_shuffle(a)",
        "tf.multinomial(tf.zeros([2, 3]), %d)" % r.dim(), "tf.random_gamma({s}, 0.5)",
        "tf.random_poisson(0.5, {s})", "tf.eye(%d, %d)" % (r.dim(), r.dim()), "tf.diag(tf.zeros([%d]))" % r.dim(),
        "tf.convert_to_tensor([a, a])", "tf.stack([tf.shape(a)[:1], [2]])", "tf.reshape(a, tf.shape(a))",
        "tf.ensure_shape(a, {s})", "tf.shape_n([a, a])", "tf.broadcast_static_shape(a.shape, tf.TensorShape([3, 1, 1, 1])).as_list()",
    ]).format(s=s)


def flow(r):
    s = r.shape(1, 3)
    return {"a": ["float32", s], "b": ["float32", s], "p": ["bool", []]}, r.choice([
        "tf.cond(p, lambda: a, lambda: b)", "tf.cond(p, lambda: [a, b], lambda: [b, a])",
        "tf.map_fn(lambda x: tf.reduce_sum(x), a)", "tf.map_fn(lambda x: x[0] + x[1], (a, b), dtype=tf.float32)",
        "tf.scan(lambda s, x: s + x, a)", "tf.foldl(lambda s, x: s + x, a)",
        "tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [0, a])",
        "tf.case([(p, lambda: a)], default=lambda: b)", "tf.stop_gradient(a) + b",
        "tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + b), [tf.constant(0), a])",
        "tf.vectorized_map(lambda x: x * 2.0, a)", "tf.foldr(lambda s, x: s * x, a)"])


def pictures(r):
    s = [r.dim(), r.randint(4, 8), r.randint(4, 8), 3]
    s = s[r.choice([0, 0, 1]):]
    h, w = s[-3:-1]
    return {"a": ["float32", s]}, r.choice([
        "tf.image.resize_bilinear(a, [%d, %d])" % (r.dim(), r.dim()), "tf.image.adjust_brightness(a, 0.2)",
        "tf.image.pad_to_bounding_box(a, 1, 2, %d, %d)" % (h + 2, w + 2), "tf.image.adjust_contrast(a, 0.5)",
        "tf.image.resize_image_with_crop_or_pad(a, %d, %d)" % (r.dim(), r.randint(4, 9)),
        "tf.image.per_image_standardization(a)", "tf.image.random_flip_left_right(a)", "tf.image.flip_up_down(a)",
        "tf.image.random_brightness(a, 0.1)", "tf.image.rgb_to_hsv(a)", "tf.image.adjust_saturation(a, 0.5)",
        "tf.image.adjust_hue(a, 0.1)", "tf.image.transpose_image(a)", "tf.image.rot90(a)",
        "tf.image.convert_image_dtype(a, tf.uint8)", "tf.random_crop(a, %s)" % [max(1, d - 1) for d in s],
        "tf.image.resize(a, [7, 7])", "tf.image.total_variation(a)", "tf.extract_image_patches("
        "a, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], 'VALID')", "tf.image.grayscale_to_rgb(a[..., :1])"])


def network(r):
    n, c, out = r.dim(), r.dim(), r.dim()
    h = r.randint(4, 8)
    what = r.choice(["separable", "xw", "norm", "pool1", "pool3", "embed", "atrous", "lrn", "dilate", "same"])
    image = ["float32", [n, h, h, c]]
    if what == "separable":
        return {"a": image, "d": ["float32", [2, 2, c, 2]], "f": ["float32", [1, 1, 2 * c, out]]}, \
            "tf.nn.separable_conv2d(a, d, f, [1, 1, 1, 1], '%s')" % r.choice(["SAME", "VALID"])
    if what == "xw":
        return {"a": ["float32", [n, c]], "w": ["float32", [c, out]], "b": ["float32", [out]]}, r.choice([
            "tf.nn.xw_plus_b(a, w, b)", "tf.nn.relu_layer(a, w, b)", "tf.nn.relu(tf.matmul(a, w) + b)",
            "tf.nn.softmax(tf.nn.bias_add(a @ w, b))", "tf.linalg.matvec(w, tf.zeros([%d]))" % out])
    if what == "norm":
        return {"a": image, "m": ["float32", [c]]}, r.choice([
            "tf.nn.batch_normalization(a, m, m, m, m, 1e-3)", "tf.nn.fused_batch_norm(a, m, m)",
            "tf.nn.moments(a, [0, 1, 2], keep_dims=True)", "tf.nn.moments(a, [1, 2])",
            "tf.nn.l2_normalize(a, [1, 2])", "tf.nn.dropout(a, 0.5) + m", "tf.nn.dropout(a, rate=0.3)"])
    if what == "pool1":
        return {"a": ["float32", [n, h, c]]}, r.choice([
            "tf.nn.max_pool1d(a, 2, 2, 'SAME')", "tf.nn.avg_pool1d(a, 2, 1, 'VALID')",
            "tf.nn.pool(a, [2], 'MAX', 'VALID')", "tf.reduce_max(a, axis=1)", "tf.unstack(a, axis=1)[0]"])
    if what == "pool3":
        return {"a": ["float32", [n, h, h, h, c]]}, r.choice([
            "tf.nn.max_pool3d(a, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], 'SAME')",
            "tf.nn.avg_pool3d(a, [1, 3, 3, 3, 1], [1, 1, 2, 1, 1], 'VALID')"])
    if what == "embed":
        return {"w": ["float32", [9, out]], "i": ["int32", r.shape(1, 2)]}, r.choice([
            "tf.nn.embedding_lookup(w, i)", "tf.gather(w, i)", "tf.reduce_mean(tf.nn.embedding_lookup(w, i), 1)",
            "tf.one_hot(i, 9) @ w", "tf.nn.embedding_lookup([w, w], i)"])
    if what == "atrous":
        return {"a": image, "f": ["float32", [2, 2, c, out]]}, r.choice([
            "tf.nn.atrous_conv2d(a, f, 2, 'VALID')", "tf.nn.convolution(a, f, 'VALID')",
            "tf.nn.conv2d(a, f, strides=2, padding='SAME')", "tf.nn.conv2d(a, f, [1, 2, 2, 1], [[0, 0], [1, 1], [2, 1], [0, 0]])",
            "tf.nn.conv2d_transpose(a, tf.transpose(f, [0, 1, 3, 2]), [%d, %d, %d, %d], 2)" % (n, 2 * h, 2 * h, out)])
    if what == "lrn":
        return {"a": image}, r.choice([
            "tf.nn.lrn(a, 4, bias=1.0)", "tf.space_to_batch(a, [[0, 0], [0, 0]], 1)",
            "tf.nn.max_pool(a, 2, 2, 'VALID')", "tf.nn.max_pool2d(a, [1, 3, 3, 1], [1, 2, 2, 1], 'SAME')",
            "tf.nn.max_pool_with_argmax(a, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')", "tf.pad(a, [[0, 0], [1, 1], [1, 1], [0, 0]])",
            "tf.pad(a, [[0, 0], [1, 1], [1, 1], [0, 0]], 'REFLECT')", "tf.reshape(a, [-1, %d])" % (h * h * c)])
    if what == "dilate":
        return {"a": image, "f": ["float32", [2, 2, c]]}, "tf.nn.dilation2d(a, f, [1, 1, 1, 1], [1, 1, 1, 1], 'SAME')"
    return {"a": ["float32", [n, c]], "b": ["float32", [n, c]], "y": ["int64", [n]]}, r.choice([
        "tf.reduce_mean(tf.cast(tf.equal(tf.argmax(a, 1), y), tf.float32))",
        "tf.reduce_mean(tf.square(a - b))", "tf.nn.weighted_cross_entropy_with_logits(a, b, 2.0)",
        "tf.losses.huber_loss(a, b)", "tf.losses.log_loss(a, b)", "tf.losses.sigmoid_cross_entropy(a, b)",
        "tf.losses.cosine_distance(a, b, axis=1)", "tf.losses.hinge_loss(a, b)", "tf.squared_difference(a, b)",
        "tf.nn.log_poisson_loss(a, b)", "tf.confusion_matrix(y, y, 5)", "tf.losses.mean_squared_error(a, b, weights=2.0)",
        "tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b)", "tf.reduce_sum(a * tf.log(b), axis=[1])",
        "tf.nn.in_top_k(a, y, %d)" % r.dim(), "tf.math.top_k(a, %d)" % r.dim(), "tf.one_hot(y, depth=%d)" % c,
        "tf.concat([a, tf.cast(tf.expand_dims(y, 1), tf.float32)], 1)", "tf.nn.top_k(a, k=%d)" % r.dim()])


def more_arrays(r):
    s = r.shape(1, 3)
    k = r.axis(len(s))
    return {"a": ["float32", s], "v": ["int32", [r.dim()]]}, r.choice([
        "tf.repeat(a, 2, axis=%d)" % k, "tf.reverse_v2(a, [%d])" % k, "tf.cumprod(a, %d)" % k, "tf.sort(a, axis=%d)" % k,
        "tf.argsort(a, axis=%d)" % k, "tf.bincount(v)", "tf.unique_with_counts(v)", "tf.setdiff1d(v, v)",
        "tf.histogram_fixed_width(a, [0.0, 1.0], 5)", "tf.sequence_mask(v)", "tf.sequence_mask(v, %d)" % r.dim(),
        "tf.invert_permutation(v)", "tf.dynamic_stitch([v], [v])", "tf.rank(a)", "tf.size(a)", "tf.shape(a)",
        "tf.shape(a)[0]", "tf.size(a, out_type=tf.int64)", "tf.as_string(a)", "tf.strings.join([tf.as_string(a), 'x'])",
        "tf.expand_dims(a, -1)", "tf.squeeze(tf.expand_dims(a, 0), 0)", "tf.reshape(a, [-1])", "tf.transpose(a)",
        "tf.gather(a, [0, 0], axis=%d)" % k, "tf.gather(a, 0)", "tf.tile(tf.expand_dims(a, 0), [2] + [1] * %d)" % len(s),
        "tf.boolean_mask(a, a > 0.0)", "tf.where(a > 0.0)", "tf.broadcast_to(v, [2, 3])", "tf.pad(v, [[1, 1]])",
        "tf.searchsorted([1, 3, 5], v)", "tf.meshgrid(v, v, indexing='ij')", "tf.concat([v, v], axis=0)",
        "tf.parallel_stack([v, v])", "tf.scatter_nd(v[:, None], v, [7])", "tf.tensor_scatter_nd_update(v, [[0]], [1])",
        "tf.reduce_any(a > 0.0, axis=%d)" % k, "tf.reduce_all(a > 0.0)", "tf.count_nonzero(a, axis=%d)" % k,
        "tf.reduce_min(a, %d)" % k, "tf.math.reduce_std(a, %d)" % k, "tf.math.reduce_variance(a)",
        "tf.add_n([a, a])", "tf.accumulate_n([a, a])", "tf.norm(a)", "tf.norm(a, axis=%d, keepdims=True)" % k,
        "tf.linalg.diag(a)", "tf.slice(a, [0] * %d, [1] * %d)" % (len(s), len(s)), "tf.strided_slice(a, [0], [1])",
        "tf.edit_distance(tf.SparseTensor([[0, 0]], [1], [1, 1]), tf.SparseTensor([[0, 0]], [1], [1, 1]))",
        "tf.sparse.to_dense(tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3]))",
        "tf.sparse_to_dense(v, [9], 1)", "tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 0]], [1.0], [2, %d]), "
        "tf.reshape(a, [%d, -1]))" % (s[0], s[0]), "tf.gradients(tf.reduce_sum(a * a), [a])"])


NOT_EAGERLY = ("tf.gradients", "tf.placeholder", "tf.Variable", "tf.parallel_stack", "tf.group", "tf.losses.", "tf.cond(p", "tf.case([(p",
               "invert_permutation")
FAMILIES = [binary, binary, logical, unary, select, add_n, matmul, matmul, einsum, tensordot, reshape,
            reshape, transpose, axes, reduction, concat, stack, unstack, split, slices, slices, slice_op,
            gather, gather_nd, repeat, creation, conv2d, conv_other, conv_back, pool, bias, image, loss,
            matrix, segment, scatter, sequence, operators, operators, activation, clip, make, make, flow,
            pictures, network, network, network, more_arrays, more_arrays, more_arrays]


def bend(r, shape):
    """A shape that may no longer fit."""
    shape = list(shape)
    what = r.random()
    if what < 0.6 and shape:
        shape[r.randrange(len(shape))] = r.choice([0, 1, 2, 3, 7])
    elif what < 0.8:
        shape.insert(r.randint(0, len(shape)), r.dim())
    elif shape:
        shape.pop(r.randrange(len(shape)))
    return shape


def hide(r, shape):
    """The shape with some of it unknown."""
    if r.random() < 0.12:
        return None
    return [None if r.random() < 0.3 else d for d in shape]


def pairs(seed, count):
    """`count` times (whole case, the same with its shapes partly hidden)."""
    r = Draw(seed)
    for number in range(count):
        inputs, text = FAMILIES[number % len(FAMILIES)](r)
        if r.random() < 0.25:
            name = r.choice(sorted(inputs))
            inputs[name] = [inputs[name][0], bend(r, inputs[name][1])]
        hidden = {name: [dtype, hide(r, shape)] for name, (dtype, shape) in inputs.items()}
        eager = not any(name in text for name in NOT_EAGERLY)
        yield {"inputs": inputs, "text": text, "eager": eager}, {"inputs": hidden, "text": text}
