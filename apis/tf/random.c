/* tf.random: distributions, shuffles, samples; seeds only matter as attrs. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

enum { SEED_ATTRS = 2 };

static SfStatus shape_arg(SfCall *c, SfTensor *out)
{
    const SfArg *shape;
    SF_TRY(sf_api_sizes(c, sf_api_arg(c, "shape"), &shape));
    return sf_api_tensor_hint(c, shape, SF_DT_INT32, "shape", out);
}

/* One random op of a shape; `inputs` follow the shape. */
static SfStatus draw(SfCall *c, const char *op, const char *name, const SfTensor *in, int nin,
                     SfDtype dtype, SfTensor *out)
{
    SfAttrArg attrs[SEED_ATTRS + 1];
    int n = sf_compose_seed_attrs(c, attrs);
    if (dtype != SF_DT_INVALID) {
        attrs[n++] = (SfAttrArg)SF_ATYPE("dtype", dtype);
    }
    return sf_api_op(c, op, name, in, nin, attrs, n, out);
}

/* An argument that is one number for nearly every program: so is what nobody knows. */
static SfStatus as_number(SfCall *c, SfTensor *x)
{
    if (sf_tensor_rank(*x) >= 0 || !sf_tensor_is_unmodelled(x, SF_UNMODELLED_SHAPE)) {
        return SF_OK;
    }
    return sf_compose_reshape(c, *x, NULL, 0, NULL, x);
}

/* normal */
/* draw * stddev + mean */
static SfStatus scaled(SfCall *c, const char *scope, SfTensor drawn, SfTensor *out)
{
    SfTensor mean, stddev;
    SF_TRY(sf_compose_arg_as(c, "mean", drawn.dtype, &mean));
    SF_TRY(sf_compose_arg_as(c, "stddev", drawn.dtype, &stddev));
    SF_TRY(as_number(c, &mean));
    SF_TRY(as_number(c, &stddev));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", drawn, stddev, &drawn));
    const bool words2 = sf_api_is_v2(c);
    return sf_compose_binary(c, words2 ? "AddV2" : "Add", scope, drawn, mean, out);
}

static SfStatus body_normal(SfCall *c, const char *scope, SfTensor *out)
{
    const char *op = c->sig->row->data;
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor shape;
    SF_TRY(shape_arg(c, &shape));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(draw(c, op, op, &shape, 1, sf_dtype_base(dtype), out));
    return scaled(c, scope, *out, out);
}

static SfStatus api_normal(SfCall *c)
{
    const bool truncated = c->sig->row->data[0] == 'T';
    return sf_compose_scoped(c, truncated ? "truncated_normal" : "random_normal", body_normal);
}

/* uniform */
static SfStatus check_uniform(SfCall *c, SfDtype dtype)
{
    const bool integers = sf_dtype_is_integer(dtype);
    const bool fits = sf_dtype_is_floating(dtype) || dtype == SF_DT_INT32 || dtype == SF_DT_INT64;
    if (!fits && !sf_api_is_v2(c)) {
        return sf_api_value_error(c, "Invalid dtype tf.%s", sf_dtype_name(dtype));
    }
    if (integers && sf_arg_is_none(sf_api_arg(c, "maxval"))) {
        return sf_api_value_error(c, "Must specify maxval for integer dtype tf.%s",
                                  sf_dtype_name(dtype));
    }
    return SF_OK;
}

static SfStatus uniform_limits(SfCall *c, SfDtype dtype, SfTensor *low, SfTensor *high)
{
    const SfArg *max = sf_api_arg(c, "maxval");
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "minval"), dtype, "min", low));
    if (sf_arg_is_none(max)) {
        return sf_compose_scalar(c, 1, dtype, "max", high);
    }
    return sf_api_tensor_named(c, max, dtype, "max", high);
}

/* TensorFlow 2 leaves [0, 1) as it is drawn. */
static bool plain_range(const SfCall *c)
{
    const SfArg *low = sf_api_arg(c, "minval"), *high = sf_api_arg(c, "maxval");
    int64_t from = 1, to = 1;
    return sf_api_is_v2(c) && low->kind != SF_ARG_TENSOR && sf_arg_as_int(low, &from) &&
           from == 0 && low->kind == SF_ARG_INT &&
           (sf_arg_is_none(high) || (sf_arg_as_int(high, &to) && to == 1 &&
                                     high->kind != SF_ARG_TENSOR && high->kind != SF_ARG_ARRAY));
}

static SfStatus body_uniform(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor in[3], width;
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    dtype = sf_dtype_base(dtype);
    SF_TRY(check_uniform(c, dtype));
    SF_TRY(shape_arg(c, &in[0]));
    SF_TRY(uniform_limits(c, dtype, &in[1], &in[2]));
    SF_TRY(as_number(c, &in[1]));
    SF_TRY(as_number(c, &in[2]));
    if (sf_dtype_is_integer(dtype)) {
        return draw(c, "RandomUniformInt", scope, in, 3, SF_DT_INVALID, out);
    }
    SF_TRY(draw(c, "RandomUniform", "RandomUniform", in, 1, dtype, out));
    if (plain_range(c)) {
        return SF_OK;
    }
    SF_TRY(sf_compose_binary(c, "Sub", "sub", in[2], in[1], &width));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", *out, width, out));
    return sf_compose_binary(c, sf_api_is_v2(c) ? "AddV2" : "Add", scope, *out, in[1], out);
}

/* other distributions */
/* RandomGamma(shape, alpha) / beta */
static SfStatus body_gamma(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor in[2], beta, zeros;
    const SfArg *beta_arg = sf_api_arg(c, "beta");
    const SfArg one = {.kind = SF_ARG_FLOAT, .u.f = 1};
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(shape_arg(c, &in[0]));
    SF_TRY(sf_compose_arg_as(c, "alpha", dtype, &in[1]));
    SF_TRY(
        sf_api_tensor_named(c, sf_arg_is_none(beta_arg) ? &one : beta_arg, dtype, "beta", &beta));
    SF_TRY(sf_compose_unary(c, "ZerosLike", NULL, beta, &zeros));
    SF_TRY(sf_compose_binary(c, "AddV2", "add", in[1], zeros, &in[1]));
    SF_TRY(draw(c, "RandomGamma", "RandomGamma", in, 2, SF_DT_INVALID, out));
    SF_TRY(sf_compose_binary(c, "RealDiv", "truediv", *out, beta, out));
    return sf_compose_const_binary(c, "Maximum", NULL, 1e-38, *out, out);
}

static SfStatus body_poisson(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor in[2];
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(shape_arg(c, &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "lam", SF_DT_FLOAT, &in[1]));
    return draw(c, "RandomPoissonV2", NULL, in, 2, sf_dtype_base(dtype), out);
}

/* tf.multinomial and tf.random.categorical: [batch, num_samples] */
static SfStatus body_categorical(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    SfDtype dtype = SF_DT_INT64;
    SfAttrArg attrs[SEED_ATTRS + 1];
    SF_TRY(sf_compose_arg(c, "logits", &in[0]));
    SF_TRY(sf_compose_arg_as(c, "num_samples", SF_DT_INT32, &in[1]));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_api_dtype(c, "output_dtype", &dtype));
    int n = sf_compose_seed_attrs(c, attrs);
    attrs[n++] = (SfAttrArg)SF_ATYPE("output_dtype", sf_dtype_base(dtype));
    return sf_api_op(c, "Multinomial", NULL, in, 2, attrs, n, out);
}

/* random_crop */
/* The eager message of tf.Assert, which fails before anything is made. */
static SfStatus crop_refused(SfCall *c, SfTensor shape, SfTensor size)
{
    const SfValue *const rows[] = {shape.value, size.value};
    const char *text = "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized "
                       "data: b'Need value.shape >= size, got '";
    for (int i = 0; text && i < 2; i++) {
        for (int64_t k = 0; text && k < sf_value_count(rows[i]); k++) {
            const SfElem e = sf_value_elem(rows[i], k);
            const char *between = k == 0 ? "\n" : ", ";
            text = e.kind == SF_ELEM_INT
                       ? sf_arena_printf(c->arena, "%s%s%lld", text, between, (long long)e.u.i)
                       : sf_arena_printf(c->arena, "%s%s?", text, between);
        }
    }
    return sf_compose_assert_fails(c, text);
}

/* Assert(shape >= size, ["Need value.shape >= size, got ", shape, size], summarize=1000) */
static SfStatus crop_assert(SfCall *c, SfTensor shape, SfTensor size, SfTensor fits)
{
    static const char said[] = "Need value.shape >= size, got ";
    const SfArg message = {.kind = SF_ARG_STRING, .u.s = {said, sizeof said - 1}};
    const SfAttrArg attrs[] = {SF_AINT("summarize", 1000)};
    const int sizes[] = {3};
    SfTensor in[] = {fits, fits, shape, size};
    SfScope outer, inner;
    int n = 0;
    SF_TRY(sf_api_scope_enter(c, NULL, "Assert", &outer));
    SfStatus st = sf_api_tensor_named(c, &message, SF_DT_STRING, "Const", &in[1]);
    if (st == SF_OK) {
        st = sf_api_scope_enter(c, NULL, "Assert", &inner);
        if (st == SF_OK) {
            st = sf_api_tensor_named(c, &message, SF_DT_STRING, "data_0", &in[1]);
            if (st == SF_OK) {
                st = sf_api_op_multi(c, "Assert", inner.scope, in, 4, sizes, attrs, 1, NULL, 0, &n);
            }
            sf_api_scope_exit(c, &inner);
        }
    }
    sf_api_scope_exit(c, &outer);
    return st;
}

/* The shape of what is cropped, once it is known to be no smaller than the crop. */
static SfStatus crop_shape(SfCall *c, SfTensor value, SfTensor size, SfTensor *shape)
{
    SfTensor fits, checked;
    int64_t known;
    SF_TRY(sf_compose_shape(c, value, SF_DT_INT32, "Shape", shape));
    SF_TRY(sf_compose_binary(c, "GreaterEqual", "GreaterEqual", *shape, size, &fits));
    SF_TRY(sf_compose_reduce_all(c, "All", "All", fits, &fits));
    const bool fails = sf_value_as_int(fits.value, &known) && known == 0;
    if (sf_api_eager(c)) {
        return fails ? crop_refused(c, *shape, size) : SF_OK;
    }
    SF_TRY(crop_assert(c, *shape, size, fits));
    SfNode *gate = c->op;
    SF_TRY(sf_compose_unary(c, "Identity", "control_dependency", *shape, &checked));
    *shape = checked;
    if (fails) {
        shape->value = NULL; /* one finding is enough */
    }
    return checked.node && gate ? sf_node_add_control(checked.node, gate) : SF_OK;
}

/* shape - size + 1, as Python's operators name it. */
static SfStatus crop_limit(SfCall *c, SfTensor shape, SfTensor size, SfTensor *limit)
{
    SfScope scope;
    SfTensor one;
    SF_TRY(sf_compose_binary(c, "Sub", "sub", shape, size, limit));
    SF_TRY(sf_api_scope_enter(c, NULL, "add", &scope));
    SfStatus st = sf_api_const_int(c, 1, SF_DT_INT32, "y", &one);
    if (st == SF_OK) {
        const bool v2 = c->b->version >= SF_VERSION(1, 15);
        st = sf_compose_binary(c, v2 ? "AddV2" : "Add", scope.scope, *limit, one, limit);
    }
    sf_api_scope_exit(c, &scope);
    return st;
}

/* Any offset: in[0] is how many, the others are made here. */
static SfStatus crop_offset(SfCall *c, SfTensor in[3], SfTensor *offset)
{
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, NULL, "random_uniform", &scope));
    SfStatus st = sf_api_const_int(c, 0, SF_DT_INT32, "min", &in[1]);
    st = st == SF_OK ? sf_api_const_int(c, INT32_MAX, SF_DT_INT32, "max", &in[2]) : st;
    st = st == SF_OK ? draw(c, "RandomUniformInt", scope.scope, in, 3, SF_DT_INVALID, offset) : st;
    sf_api_scope_exit(c, &scope);
    return st;
}

/* A slice of the given size at an offset that nobody knows. */
static SfStatus body_random_crop(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor value, size, shape, limit, in[3], offset;
    SF_TRY(sf_compose_arg(c, "value", &value));
    SF_TRY(sf_compose_arg_as(c, "size", SF_DT_INT32, &size));
    SF_TRY(crop_shape(c, value, size, &shape));
    SF_TRY(crop_limit(c, shape, size, &limit));
    SF_TRY(sf_compose_shape(c, shape, SF_DT_INT32, "Shape_1", &in[0]));
    SF_TRY(crop_offset(c, in, &offset));
    SF_TRY(sf_compose_binary(c, "FloorMod", "mod", offset, limit, &offset));
    in[0] = value;
    in[1] = offset;
    in[2] = size;
    return sf_api_op(c, "Slice", scope, in, 3, NULL, 0, out);
}

/* stateless */
static SfStatus seed_arg(SfCall *c, SfTensor *out)
{
    return sf_api_tensor_hint(c, sf_api_arg(c, "seed"), SF_DT_INT32, "seed", out);
}

static SfStatus body_stateless_normal(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    SfDtype dtype = SF_DT_FLOAT;
    SF_TRY(shape_arg(c, &in[0]));
    SF_TRY(seed_arg(c, &in[1]));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    const SfAttrArg attrs[] = {SF_ATYPE("dtype", sf_dtype_base(dtype))};
    SF_TRY(sf_api_op(c, c->sig->row->data, NULL, in, 2, attrs, 1, out));
    return scaled(c, scope, *out, out);
}

static SfStatus body_stateless_uniform(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[4], width;
    SfDtype dtype = SF_DT_FLOAT;
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    dtype = sf_dtype_base(dtype);
    SF_TRY(shape_arg(c, &in[0]));
    SF_TRY(seed_arg(c, &in[1]));
    if (sf_dtype_is_integer(dtype)) {
        const bool unlimited = sf_arg_is_none(sf_api_arg(c, "maxval"));
        if (unlimited && sf_arg_is_none(sf_api_arg(c, "minval"))) {
            const SfAttrArg all[] = {SF_ATYPE("dtype", dtype)};
            return sf_api_op(c, "StatelessRandomUniformFullInt", scope, in, 2, all, 1, out);
        }
        SF_TRY(check_uniform(c, dtype));
        SF_TRY(uniform_limits(c, dtype, &in[2], &in[3]));
        return sf_api_op(c, "StatelessRandomUniformInt", scope, in, 4, NULL, 0, out);
    }
    SF_TRY(uniform_limits(c, dtype, &in[2], &in[3]));
    const SfAttrArg attrs[] = {SF_ATYPE("dtype", dtype)};
    SF_TRY(sf_api_op(c, "StatelessRandomUniform", NULL, in, 2, attrs, 1, out));
    SF_TRY(sf_compose_binary(c, "Sub", "sub", in[3], in[2], &width));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", *out, width, out));
    return sf_compose_binary(c, "AddV2", scope, *out, in[2], out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.random.normal", SF_TF12,
     "shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None",
     .call = api_normal, .data = "RandomStandardNormal"},
    {"tf.random_normal", SF_TF1,
     "shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None",
     .call = api_normal, .data = "RandomStandardNormal"},
    {"tf.random.truncated_normal", SF_TF12,
     "shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None",
     .call = api_normal, .data = "TruncatedNormal"},
    {"tf.truncated_normal", SF_TF1,
     "shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, name=None",
     .call = api_normal, .data = "TruncatedNormal"},
    {"tf.random.uniform", SF_TF12,
     "shape, minval=0, maxval=None, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_uniform", body_uniform)},
    {"tf.random_uniform", SF_TF1,
     "shape, minval=0, maxval=None, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_uniform", body_uniform)},
    {"tf.random.gamma", SF_TF12, "shape, alpha, beta=None, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_gamma", body_gamma)},
    {"tf.random_gamma", SF_TF1, "shape, alpha, beta=None, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_gamma", body_gamma)},
    {"tf.random_poisson tf.random.poisson", SF_TF1,
     "lam, shape, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_poisson", body_poisson)},
    {"tf.random.poisson", SF_TF2, "shape, lam, dtype=tf.float32, seed=None, name=None",
     SF_SCOPED("random_poisson", body_poisson)},
    {"tf.multinomial tf.random.multinomial", SF_TF1,
     "logits, num_samples, seed=None, name=None, output_dtype=None",
     SF_SCOPED("multinomial", body_categorical), .data = "multinomial"},
    {"tf.random.categorical", SF_TF12, "logits, num_samples, dtype=None, seed=None, name=None",
     SF_SCOPED("categorical", body_categorical), .data = "categorical"},
    {"tf.random.shuffle", SF_TF12, "value, seed=None, name=None", .op = "RandomShuffle"},
    {"tf.random_shuffle", SF_TF1, "value, seed=None, name=None", .op = "RandomShuffle"},
    {"tf.image.random_crop", SF_TF12, "value, size, seed=None, name=None",
     SF_SCOPED("random_crop", body_random_crop)},
    {"tf.random_crop", SF_TF1, "value, size, seed=None, name=None",
     SF_SCOPED("random_crop", body_random_crop)},
    {"tf.random.stateless_normal", SF_TF12,
     "shape, seed, mean=0.0, stddev=1.0, dtype=tf.float32, name=None, alg='auto_select'",
     SF_SCOPED("stateless_random_normal", body_stateless_normal), .data = "StatelessRandomNormal"},
    {"tf.random.stateless_truncated_normal", SF_TF12,
     "shape, seed, mean=0.0, stddev=1.0, dtype=tf.float32, name=None, alg='auto_select'",
     SF_SCOPED("stateless_random_normal", body_stateless_normal),
     .data = "StatelessTruncatedNormal"},
    {"tf.random.stateless_uniform", SF_TF12,
     "shape, seed, minval=0, maxval=None, dtype=tf.float32, name=None, alg='auto_select'",
     SF_SCOPED("stateless_random_uniform", body_stateless_uniform)},
    {"tf.random.stateless_multinomial", SF_TF1,
     "logits, num_samples, seed, output_dtype=tf.int64, name=None", .op = "StatelessMultinomial"},
    {"tf.random.stateless_categorical", SF_TF12,
     "logits, num_samples, seed, dtype=tf.int64, name=None",
     .op = "StatelessMultinomial", .rename = "dtype=output_dtype"},
};
/* clang-format on */
const SfApiTable sf_api_random = {rows, SF_ARRAY_LEN(rows), "random"};
