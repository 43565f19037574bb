/* tf.math and its aliases at the root: elementwise functions, casts, sums of lists, clipping. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* casts */
/* tf.cast: no op when the dtype is there already. */
static SfStatus cast_to(SfCall *c, SfDtype dtype, const char *fallback)
{
    const SfArg *a = sf_api_arg(c, "x");
    const SfDtype to = sf_dtype_base(dtype);
    if (a->kind == SF_ARG_TENSOR && sf_tensor_dtype(a->u.tensor) == to) {
        sf_return_tensor(c, a->u.tensor);
        return SF_OK;
    }
    SfScope scope;
    SfTensor x = {0}, out = {0};
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), fallback, &scope));
    SfStatus st = sf_api_tensor_named(c, a, SF_DT_INVALID, "x", &x);
    if (st == SF_OK) {
        st = sf_compose_cast(c, x, to, scope.scope, &out);
    }
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_tensor(c, out);
    }
    return st;
}

static SfStatus api_cast(SfCall *c)
{
    SfDtype to = SF_DT_INVALID;
    if (sf_arg_is_none(sf_api_arg(c, "dtype"))) {
        return sf_api_type_error(c, "Cannot convert value None to a TensorFlow DType.");
    }
    SF_TRY(sf_api_dtype(c, "dtype", &to));
    return cast_to(c, to, "Cast");
}

/* tf.to_float and its family: the dtype is the row's datum. */
static SfStatus api_to_dtype(SfCall *c)
{
    const char *t = c->sig->row->data;
    return cast_to(c, sf_dtype_parse(t, strlen(t)), "Cast");
}

static SfStatus body_saturate_cast(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype to = SF_DT_INVALID;
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "value", &x));
    SF_TRY(sf_api_dtype(c, "dtype", &to));
    return sf_compose_cast(c, x, to, scope, out);
}

/* complex numbers */
static SfDtype real_of(SfDtype t)
{
    return sf_dtype_base(t) == SF_DT_COMPLEX128 ? SF_DT_DOUBLE : SF_DT_FLOAT;
}

static SfStatus body_abs(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    if (!sf_dtype_is_complex(sf_tensor_dtype(x))) {
        return sf_compose_unary(c, "Abs", scope, x, out);
    }
    const SfAttrArg attrs[] = {SF_ATYPE("Tout", real_of(x.dtype))};
    return sf_api_op(c, "ComplexAbs", scope, &x, 1, attrs, 1, out);
}

/* Real, Imag, Angle of a complex tensor; a real one comes back as it is. */
static SfStatus complex_part(SfCall *c, const char *scope, SfTensor *out)
{
    SF_TRY(sf_compose_arg(c, "input", out));
    if (!sf_dtype_is_complex(sf_tensor_dtype(*out))) {
        return SF_OK;
    }
    const SfTensor x = *out;
    const SfAttrArg attrs[] = {SF_ATYPE("Tout", real_of(x.dtype))};
    return sf_api_op(c, c->sig->row->data, scope, &x, 1, attrs, 1, out);
}

/* Imag, Angle: zero for a real tensor. */
static SfStatus body_imaginary(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "input", &x));
    return sf_dtype_is_complex(sf_tensor_dtype(x))
               ? complex_part(c, scope, out)
               : sf_compose_unary(c, "ZerosLike", scope, x, out);
}

static SfStatus body_conj(SfCall *c, const char *scope, SfTensor *out)
{
    SF_TRY(sf_compose_arg(c, "x", out));
    if (!sf_dtype_is_complex(sf_tensor_dtype(*out))) {
        return SF_OK;
    }
    return sf_compose_unary(c, "Conj", scope, *out, out);
}

static SfStatus body_complex(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    SF_TRY(sf_compose_arg(c, "real", &in[0]));
    SF_TRY(sf_compose_arg(c, "imag", &in[1]));
    const bool wide = sf_tensor_dtype(in[0]) == SF_DT_DOUBLE;
    const SfAttrArg attrs[] = {SF_ATYPE("Tout", wide ? SF_DT_COMPLEX128 : SF_DT_COMPLEX64)};
    return sf_api_op(c, "Complex", scope, in, 2, attrs, 1, out);
}

/* arithmetic */
/* tf.add of TensorFlow 2: y takes x's dtype when it can. */
static SfStatus body_add(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_arg_hint(c, "y", x.dtype, &y));
    return sf_compose_binary(c, sf_tensor_dtype(x) == SF_DT_STRING ? "Add" : "AddV2", scope, x, y,
                             out);
}

static SfStatus api_add(SfCall *c)
{
    if (c->args[0].kind == SF_ARG_TENSOR && c->args[1].kind == SF_ARG_TENSOR &&
        sf_tensor_dtype(c->args[0].u.tensor) != SF_DT_STRING) {
        const char *name = sf_api_name(c);
        return sf_api_apply_named(c, c->args, name ? name : "Add");
    }
    return sf_compose_scoped(c, "Add", body_add);
}

static SfStatus body_truediv(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y;
    SF_TRY(sf_compose_arg(c, "x", &x));
    if (sf_api_version(c) >= SF_VERSION(2, 0)) {
        SF_TRY(sf_compose_arg_hint(c, "y", x.dtype, &y));
    } else {
        SF_TRY(sf_compose_arg(c, "y", &y));
    }
    return sf_compose_truediv(c, x, y, scope, out);
}

/* tf.divide is the operator /: each operand takes the other's dtype when it can. */
static SfStatus body_divide(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y;
    const SfArg *a = sf_api_arg(c, "x"), *b = sf_api_arg(c, "y");
    const SfDtype want = b->kind == SF_ARG_TENSOR ? sf_tensor_dtype(b->u.tensor) : SF_DT_INVALID;
    SF_TRY(sf_api_tensor_named(c, a, a->kind == SF_ARG_TENSOR ? SF_DT_INVALID : want, "x", &x));
    SF_TRY(sf_compose_arg_hint(c, "y", x.dtype, &y));
    return sf_compose_truediv(c, x, y, scope, out);
}

/* tf.div: Python 2's division. */
static SfStatus body_div(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_arg_as(c, "y", x.dtype, &y));
    const SfDtype t = sf_tensor_dtype(x);
    const char *op = sf_dtype_is_floating(t) || sf_dtype_is_complex(t) ? "RealDiv" : "FloorDiv";
    return sf_compose_binary(c, op, scope, x, y, out);
}

static SfStatus body_scalar_mul(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, scalar;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "scalar"), sf_tensor_dtype(x), "scalar", &scalar));
    if (sf_tensor_rank(scalar) > 0) {
        return sf_api_shape_error(c,
                                  sf_api_is_v2(c)
                                      ? "The input scalar must be a 0-D value. Received shape %s."
                                      : "Only scalar multiply works, got shape %s",
                                  sf_shape_tuple_text(c, scalar.shape));
    }
    const bool old = sf_api_version(c) < SF_VERSION(1, 15);
    return sf_compose_binary(c, "Mul", scope ? scope : old ? "mul" : NULL, scalar, x, out);
}

/* Round leaves integers alone. */
static SfStatus body_round(SfCall *c, const char *name, SfTensor *out)
{
    SF_TRY(sf_compose_arg(c, "x", out));
    if (sf_dtype_is_integer(sf_tensor_dtype(*out))) {
        return SF_OK;
    }
    return sf_compose_unary(c, "Round", name, *out, out);
}

static SfStatus body_log_sigmoid(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, x, &x));
    SF_TRY(sf_compose_unary(c, "Softplus", NULL, x, &x));
    return sf_compose_unary(c, "Neg", scope, x, out);
}

static SfStatus body_logical_xor(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y, either, both;
    SF_TRY(sf_compose_arg_as(c, "x", SF_DT_BOOL, &x));
    SF_TRY(sf_compose_arg_as(c, "y", SF_DT_BOOL, &y));
    SF_TRY(sf_compose_binary(c, "LogicalOr", NULL, x, y, &either));
    SF_TRY(sf_compose_binary(c, "LogicalAnd", NULL, x, y, &both));
    SF_TRY(sf_compose_unary(c, "LogicalNot", NULL, both, &both));
    return sf_compose_binary(c, "LogicalAnd", scope, either, both, out);
}

static SfStatus body_erfcinv(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_binary_const(c, "Mul", NULL, x, 0.5, &x));
    SF_TRY(sf_compose_unary(c, "Ndtri", NULL, x, &x));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, x, &x));
    return sf_compose_binary_const(c, "Mul", scope, x, 0.70710678118654757, out);
}

static SfStatus body_reciprocal_no_nan(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    return sf_compose_const_binary(c, "DivNoNan", scope, 1, x, out);
}

/* Horner: coeffs[0] * x**n + ... */
static SfStatus body_polyval(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, *coeffs = NULL;
    int n = 0;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_list(c, sf_api_arg(c, "coeffs"), true, "coeff", &coeffs, &n));
    if (n == 0) {
        return sf_compose_unary(c, "ZerosLike", scope, x, out);
    }
    *out = coeffs[0];
    for (int i = 1; i < n; i++) {
        SF_TRY(sf_compose_binary(c, "Mul", NULL, *out, x, out));
        SF_TRY(sf_compose_binary(c, "AddV2", NULL, coeffs[i], *out, out));
    }
    return SF_OK;
}

/* log of the multivariate beta function: over the last axis */
static SfStatus body_lbeta(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, each, sum;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_unary(c, "Lgamma", NULL, x, &each));
    SF_TRY(sf_compose_reduce_axis(c, "Sum", NULL, each, -1, false, &each));
    SF_TRY(sf_compose_reduce_axis(c, "Sum", NULL, x, -1, false, &sum));
    SF_TRY(sf_compose_unary(c, "Lgamma", NULL, sum, &sum));
    return sf_compose_binary(c, "Sub", scope, each, sum, out);
}

/* sums of lists */
static SfStatus no_addends(SfCall *c)
{
    if (sf_api_is_v2(c)) {
        return sf_api_value_error(c, "Inputs must be an iterable of at least one "
                                     "Tensor/IndexedSlices with the same dtype and shape.");
    }
    return sf_api_value_error(c,
                              "inputs must be a list of at least one %s with the same dtype and "
                              "shape",
                              c->b->version < SF_VERSION(1, 9) ? "Tensor" : "Tensor/IndexedSlices");
}

static SfStatus api_add_n(SfCall *c)
{
    const SfArg *inputs = sf_api_arg(c, "inputs");
    if (inputs->kind != SF_ARG_LIST || inputs->u.list.n == 0) {
        return no_addends(c);
    }
    if (inputs->u.list.n == 1) {
        SfTensor x;
        SF_TRY(sf_api_tensor(c, &inputs->u.list.items[0], SF_DT_INVALID, &x));
        if (sf_api_name(c)) {
            SF_TRY(sf_compose_unary(c, "Identity", sf_api_name(c), x, &x));
        }
        sf_return_tensor(c, x);
        return SF_OK;
    }
    return sf_api_apply(c, c->args);
}

static SfStatus api_accumulate_n(SfCall *c)
{
    const SfArg *inputs = sf_api_arg(c, "inputs");
    const SfShape *shape = sf_shape_unknown();
    SfTensor *items = NULL, out;
    int n = 0;
    if (inputs->kind != SF_ARG_LIST || inputs->u.list.n == 0) {
        return no_addends(c);
    }
    SF_TRY(sf_api_static_shape(c, "shape", &shape));
    SF_TRY(sf_compose_list(c, inputs, true, "inputs", &items, &n));
    if (n == 1) {
        sf_return_tensor(c, items[0]);
        return SF_OK;
    }
    for (int i = 0; i < n; i++) {
        const SfShape *met = sf_shape_meet(shape, items[i].shape);
        SF_TRY_ALLOC(met);
        if (sf_shape_is_bottom(met)) {
            return sf_api_shape_error(c, "Shapes %s and %s are not compatible",
                                      sf_shape_tuple_text(c, shape),
                                      sf_shape_tuple_text(c, items[i].shape));
        }
        shape = met;
    }
    const SfAttrArg attrs[] = {SF_ASHAPE("shape", shape)};
    const bool sum = sf_api_is_v2(c); /* TensorFlow 2 simply adds */
    SF_TRY(
        sf_api_op(c, sum ? "AddN" : "AccumulateNV2", sf_api_name(c), items, n, attrs, !sum, &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

/* clipping */
/* Clipping may broadcast the bounds, not the tensor. */
static SfStatus same_shape(SfCall *c, SfTensor t, SfTensor clipped)
{
    return sf_shape_compatible(t.shape, clipped.shape)
               ? SF_OK
               : sf_api_shape_error(c, "Shapes %s and %s are incompatible",
                                    sf_shape_tuple_text(c, t.shape),
                                    sf_shape_tuple_text(c, clipped.shape));
}

static SfStatus body_clip_by_value(SfCall *c, const char *scope, SfTensor *out)
{
    const char *const names[] = {"x", "y"};
    SfArg args[] = {{.kind = SF_ARG_TENSOR}, *sf_api_arg(c, "clip_value_max")};
    SF_TRY(sf_compose_arg(c, "t", &args[0].u.tensor));
    const SfTensor t = args[0].u.tensor;
    SF_TRY(sf_api_raw(c, sf_op_find("Minimum"), NULL, names, args, 2));
    SF_TRY(same_shape(c, t, c->results[0]));
    args[0].u.tensor = c->results[0];
    args[1] = *sf_api_arg(c, "clip_value_min");
    SF_TRY(sf_api_raw(c, sf_op_find("Maximum"), scope, names, args, 2));
    *out = c->results[0];
    return same_shape(c, t, *out);
}

/* t * clip_norm / max(norm, clip_norm) */
static SfStatus body_clip_by_norm(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor t, clip, square, axes, norm;
    SF_TRY(sf_compose_arg(c, "t", &t));
    SF_TRY(sf_compose_arg_hint(c, "clip_norm", t.dtype, &clip));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, t, t, &square));
    SF_TRY(sf_compose_reduction_dims(c, t, sf_api_arg(c, "axes"), &axes));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, square, axes, true, &norm));
    SF_TRY(sf_compose_unary(c, "Sqrt", NULL, norm, &norm));
    SF_TRY(sf_compose_binary(c, "Maximum", NULL, norm, clip, &norm));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, t, clip, &t));
    SF_TRY(sf_compose_binary(c, "RealDiv", "truediv", t, norm, &t));
    return sf_compose_unary(c, "Identity", scope, t, out);
}

static SfStatus body_clip_by_average_norm(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor t, clip, norm;
    SF_TRY(sf_compose_arg(c, "t", &t));
    SF_TRY(sf_compose_arg_hint(c, "clip_norm", t.dtype, &clip));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, t, t, &norm));
    SF_TRY(sf_compose_reduce_all(c, "Sum", NULL, norm, &norm));
    SF_TRY(sf_compose_unary(c, "Sqrt", NULL, norm, &norm));
    SF_TRY(sf_compose_binary(c, "Maximum", NULL, norm, clip, &norm));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, t, clip, &t));
    return sf_compose_binary(c, "RealDiv", scope, t, norm, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    /* elementwise, one operand */
    {"tf.abs tf.math.abs", SF_TF12, "x, name=None", SF_SCOPED("Abs", body_abs)},
    {"tf.acos tf.math.acos", SF_TF12, "x, name=None", .op = "Acos"},
    {"tf.math.ceil", SF_TF12, "x, name=None", .op = "Ceil"},
    {"tf.ceil", SF_TF1, "x, name=None", .op = "Ceil"},
    {"tf.math.erfinv", SF_TF12, "x, name=None", .op = "Erfinv"},
    {"tf.exp tf.math.exp", SF_TF12, "x, name=None", .op = "Exp"},
    {"tf.floor tf.math.floor", SF_TF12, "x, name=None", .op = "Floor"},
    {"tf.math.ndtri", SF_TF12, "x, name=None", .op = "Ndtri"},
    {"tf.math.rsqrt", SF_TF12, "x, name=None", .op = "Rsqrt"},
    {"tf.rsqrt", SF_TF1, "x, name=None", .op = "Rsqrt"},
    {"tf.sigmoid tf.math.sigmoid tf.nn.sigmoid", SF_TF12, "x, name=None", .op = "Sigmoid"},
    {"tf.sign tf.math.sign", SF_TF12, "x, name=None", .op = "Sign"},
    {"tf.math.softplus tf.nn.softplus", SF_TF12, "features, name=None", .op = "Softplus"},
    {"tf.sqrt tf.math.sqrt", SF_TF12, "x, name=None", .op = "Sqrt"},
    {"tf.math.bessel_i0 tf.math.special.bessel_i0", SF_TF12, "x, name=None", .op = "BesselI0"},
    {"tf.math.bessel_i0e tf.math.special.bessel_i0e", SF_TF12, "x, name=None", .op = "BesselI0e"},
    {"tf.math.bessel_i1 tf.math.special.bessel_i1", SF_TF12, "x, name=None", .op = "BesselI1"},
    {"tf.math.bessel_i1e tf.math.special.bessel_i1e", SF_TF12, "x, name=None", .op = "BesselI1e"},
    {"tf.math.special.bessel_j0", SF_TF12, "x, name=None", .op = "BesselJ0"},
    {"tf.math.special.bessel_j1", SF_TF12, "x, name=None", .op = "BesselJ1"},
    {"tf.math.special.bessel_k0", SF_TF12, "x, name=None", .op = "BesselK0"},
    {"tf.math.special.bessel_k0e", SF_TF12, "x, name=None", .op = "BesselK0e"},
    {"tf.math.special.bessel_k1", SF_TF12, "x, name=None", .op = "BesselK1"},
    {"tf.math.special.bessel_k1e", SF_TF12, "x, name=None", .op = "BesselK1e"},
    {"tf.math.special.bessel_y0", SF_TF12, "x, name=None", .op = "BesselY0"},
    {"tf.math.special.bessel_y1", SF_TF12, "x, name=None", .op = "BesselY1"},
    {"tf.math.special.dawsn", SF_TF12, "x, name=None", .op = "Dawsn"},
    {"tf.math.special.expint", SF_TF12, "x, name=None", .op = "Expint"},
    {"tf.math.special.fresnel_cos", SF_TF12, "x, name=None", .op = "FresnelCos"},
    {"tf.math.special.fresnel_sin", SF_TF12, "x, name=None", .op = "FresnelSin"},
    {"tf.math.special.spence", SF_TF12, "x, name=None", .op = "Spence"},
    {"tf.round tf.math.round", SF_TF12, "x, name=None", SF_PLAIN(body_round)},
    {"tf.math.log_sigmoid", SF_TF12, "x, name=None", SF_SCOPED("LogSigmoid", body_log_sigmoid)},
    {"tf.log_sigmoid", SF_TF1, "x, name=None", SF_SCOPED("LogSigmoid", body_log_sigmoid)},
    {"tf.math.erfcinv", SF_TF12, "x, name=None", SF_SCOPED("erfcinv", body_erfcinv)},
    {"tf.math.reciprocal_no_nan", SF_TF12, "x, name=None",
     SF_SCOPED("reciprocal_no_nan", body_reciprocal_no_nan)},
    {"tf.math.angle", SF_TF12, "input, name=None",
     SF_SCOPED("Angle", body_imaginary), .data = "Angle"},
    {"tf.angle", SF_TF1, "input, name=None", SF_SCOPED("Angle", body_imaginary), .data = "Angle"},
    {"tf.math.real", SF_TF12, "input, name=None", SF_SCOPED("Real", complex_part), .data = "Real"},
    {"tf.real", SF_TF1, "input, name=None", SF_SCOPED("Real", complex_part), .data = "Real"},
    {"tf.math.imag", SF_TF12, "input, name=None",
     SF_SCOPED("Imag", body_imaginary), .data = "Imag"},
    {"tf.imag", SF_TF1, "input, name=None", SF_SCOPED("Imag", body_imaginary), .data = "Imag"},
    {"tf.math.conj", SF_TF12, "x, name=None", SF_SCOPED("Conj", body_conj)},
    {"tf.conj", SF_TF1, "x, name=None", SF_SCOPED("Conj", body_conj)},
    {"tf.complex tf.dtypes.complex", SF_TF12, "real, imag, name=None",
     SF_SCOPED("Complex", body_complex)},
    /* casts */
    {"tf.cast tf.dtypes.cast", SF_TF12, "x, dtype, name=None", .call = api_cast},
    {"tf.saturate_cast tf.dtypes.saturate_cast", SF_TF12, "value, dtype, name=None",
     SF_SCOPED("saturate_cast", body_saturate_cast)},
    {"tf.to_float", SF_TF1, "x, name='ToFloat'", .call = api_to_dtype, .data = "float32"},
    {"tf.to_double", SF_TF1, "x, name='ToDouble'", .call = api_to_dtype, .data = "float64"},
    {"tf.to_int32", SF_TF1, "x, name='ToInt32'", .call = api_to_dtype, .data = "int32"},
    {"tf.to_int64", SF_TF1, "x, name='ToInt64'", .call = api_to_dtype, .data = "int64"},
    {"tf.to_bfloat16", SF_TF1, "x, name='ToBFloat16'", .call = api_to_dtype, .data = "bfloat16"},
    {"tf.to_complex64", SF_TF1, "x, name='ToComplex64'", .call = api_to_dtype, .data = "complex64"},
    {"tf.to_complex128", SF_TF1, "x, name='ToComplex128'",
     .call = api_to_dtype, .data = "complex128"},
    /* two operands */
    {"tf.add tf.math.add", SF_TF1, "x, y, name=None", .op = "Add", .until = SF_VERSION(2, 0)},
    {"tf.add tf.math.add", SF_TF12, "x, y, name=None",
     .op = "AddV2", .call = api_add, .since = SF_VERSION(2, 0)},
    {"tf.subtract tf.math.subtract", SF_TF12, "x, y, name=None", .op = "Sub"},
    {"tf.multiply tf.math.multiply", SF_TF12, "x, y, name=None", .op = "Mul"},
    {"tf.pow tf.math.pow", SF_TF12, "x, y, name=None", .op = "Pow"},
    {"tf.divide tf.math.divide", SF_TF12, "x, y, name=None", SF_SCOPED("truediv", body_divide)},
    {"tf.truediv tf.math.truediv", SF_TF12, "x, y, name=None", SF_SCOPED("truediv", body_truediv)},
    {"tf.div", SF_TF1, "x, y, name=None", SF_SCOPED("div", body_div)},
    {"tf.math.floordiv", SF_TF12, "x, y, name=None", .op = "FloorDiv", .data = "floordiv"},
    {"tf.floordiv", SF_TF1, "x, y, name=None", .op = "FloorDiv", .data = "floordiv"},
    {"tf.math.divide_no_nan", SF_TF12, "x, y, name=None", .op = "DivNoNan", .data = "div_no_nan"},
    {"tf.div_no_nan", SF_TF1, "x, y, name=None", .op = "DivNoNan", .data = "div_no_nan"},
    {"tf.math.multiply_no_nan", SF_TF12, "x, y, name=None",
     .op = "MulNoNan", .data = "multiply_no_nan"},
    {"tf.math.xdivy", SF_TF12, "x, y, name=None", .op = "Xdivy", .data = "xdivy"},
    {"tf.math.xlog1py", SF_TF12, "x, y, name=None", .op = "Xlog1py", .data = "xlog1py"},
    {"tf.equal tf.math.equal", SF_TF12, "x, y, name=None", .op = "Equal"},
    {"tf.not_equal tf.math.not_equal", SF_TF12, "x, y, name=None", .op = "NotEqual"},
    {"tf.math.logical_xor", SF_TF12, "x, y, name='LogicalXor'",
     SF_SCOPED("LogicalXor", body_logical_xor)},
    {"tf.logical_xor", SF_TF1, "x, y, name='LogicalXor'",
     SF_SCOPED("LogicalXor", body_logical_xor)},
    {"tf.scalar_mul tf.math.scalar_mul", SF_TF1, "scalar, x, name=None",
     SF_PLAIN(body_scalar_mul), .data = "scalar_mul"},
    {"tf.scalar_mul tf.math.scalar_mul", SF_TF2, "scalar, x, name=None",
     SF_PLAIN(body_scalar_mul), .data = "scalar_mul"},
    {"tf.math.polyval", SF_TF12, "coeffs, x, name=None", SF_SCOPED("polyval", body_polyval)},
    {"tf.math.lbeta", SF_TF12, "x, name=None", SF_SCOPED("lbeta", body_lbeta)},
    {"tf.lbeta", SF_TF1, "x, name=None", SF_SCOPED("lbeta", body_lbeta)},
    {"tf.acosh tf.math.acosh", SF_TF12, "x, name=None", .op = "Acosh"},
    {"tf.asin tf.math.asin", SF_TF12, "x, name=None", .op = "Asin"},
    {"tf.asinh tf.math.asinh", SF_TF12, "x, name=None", .op = "Asinh"},
    {"tf.atan tf.math.atan", SF_TF12, "x, name=None", .op = "Atan"},
    {"tf.atan2 tf.math.atan2", SF_TF12, "y, x, name=None", .op = "Atan2"},
    {"tf.atanh tf.math.atanh", SF_TF12, "x, name=None", .op = "Atanh"},
    {"tf.math.betainc", SF_TF12, "a, b, x, name=None", .op = "Betainc"},
    {"tf.betainc", SF_TF1, "a, b, x, name=None", .op = "Betainc"},
    {"tf.cos tf.math.cos", SF_TF12, "x, name=None", .op = "Cos"},
    {"tf.cosh tf.math.cosh", SF_TF12, "x, name=None", .op = "Cosh"},
    {"tf.math.digamma", SF_TF12, "x, name=None", .op = "Digamma"},
    {"tf.digamma", SF_TF1, "x, name=None", .op = "Digamma"},
    {"tf.math.erf", SF_TF12, "x, name=None", .op = "Erf"},
    {"tf.erf", SF_TF1, "x, name=None", .op = "Erf"},
    {"tf.math.erfc", SF_TF12, "x, name=None", .op = "Erfc"},
    {"tf.erfc", SF_TF1, "x, name=None", .op = "Erfc"},
    {"tf.math.expm1", SF_TF12, "x, name=None", .op = "Expm1"},
    {"tf.expm1", SF_TF1, "x, name=None", .op = "Expm1"},
    {"tf.floor_div", SF_TF1, "x, y, name=None", .op = "FloorDiv"},
    {"tf.greater tf.math.greater", SF_TF12, "x, y, name=None", .op = "Greater"},
    {"tf.greater_equal tf.math.greater_equal", SF_TF12, "x, y, name=None", .op = "GreaterEqual"},
    {"tf.math.igamma", SF_TF12, "a, x, name=None", .op = "Igamma"},
    {"tf.igamma", SF_TF1, "a, x, name=None", .op = "Igamma"},
    {"tf.math.igammac", SF_TF12, "a, x, name=None", .op = "Igammac"},
    {"tf.igammac", SF_TF1, "a, x, name=None", .op = "Igammac"},
    {"tf.math.is_finite", SF_TF12, "x, name=None", .op = "IsFinite"},
    {"tf.is_finite tf.debugging.is_finite", SF_TF1, "x, name=None", .op = "IsFinite"},
    {"tf.math.is_inf", SF_TF12, "x, name=None", .op = "IsInf"},
    {"tf.is_inf tf.debugging.is_inf", SF_TF1, "x, name=None", .op = "IsInf"},
    {"tf.math.is_nan", SF_TF12, "x, name=None", .op = "IsNan"},
    {"tf.is_nan tf.debugging.is_nan", SF_TF1, "x, name=None", .op = "IsNan"},
    {"tf.less tf.math.less", SF_TF12, "x, y, name=None", .op = "Less"},
    {"tf.less_equal tf.math.less_equal", SF_TF12, "x, y, name=None", .op = "LessEqual"},
    {"tf.math.lgamma", SF_TF12, "x, name=None", .op = "Lgamma"},
    {"tf.lgamma", SF_TF1, "x, name=None", .op = "Lgamma"},
    {"tf.math.log", SF_TF12, "x, name=None", .op = "Log"},
    {"tf.log", SF_TF1, "x, name=None", .op = "Log"},
    {"tf.math.log1p", SF_TF12, "x, name=None", .op = "Log1p"},
    {"tf.log1p", SF_TF1, "x, name=None", .op = "Log1p"},
    {"tf.logical_and tf.math.logical_and", SF_TF12, "x, y, name=None", .op = "LogicalAnd"},
    {"tf.logical_not tf.math.logical_not", SF_TF12, "x, name=None", .op = "LogicalNot"},
    {"tf.logical_or tf.math.logical_or", SF_TF12, "x, y, name=None", .op = "LogicalOr"},
    {"tf.math.nextafter", SF_TF12, "x1, x2, name=None", .op = "NextAfter"},
    {"tf.math.xlogy", SF_TF12, "x, y, name=None", .op = "Xlogy"},
    {"tf.maximum tf.math.maximum", SF_TF12, "x, y, name=None", .op = "Maximum"},
    {"tf.minimum tf.math.minimum", SF_TF12, "x, y, name=None", .op = "Minimum"},
    {"tf.math.floormod tf.math.mod", SF_TF12, "x, y, name=None", .op = "FloorMod"},
    {"tf.floormod tf.mod", SF_TF1, "x, y, name=None", .op = "FloorMod"},
    {"tf.negative tf.math.negative", SF_TF12, "x, name=None", .op = "Neg"},
    {"tf.math.polygamma", SF_TF12, "a, x, name=None", .op = "Polygamma"},
    {"tf.polygamma", SF_TF1, "a, x, name=None", .op = "Polygamma"},
    {"tf.realdiv", SF_TF12, "x, y, name=None", .op = "RealDiv"},
    {"tf.math.reciprocal", SF_TF12, "x, name=None", .op = "Reciprocal"},
    {"tf.reciprocal", SF_TF1, "x, name=None", .op = "Reciprocal"},
    {"tf.math.rint", SF_TF12, "x, name=None", .op = "Rint"},
    {"tf.rint", SF_TF1, "x, name=None", .op = "Rint"},
    {"tf.sin tf.math.sin", SF_TF12, "x, name=None", .op = "Sin"},
    {"tf.sinh tf.math.sinh", SF_TF12, "x, name=None", .op = "Sinh"},
    {"tf.square tf.math.square", SF_TF12, "x, name=None", .op = "Square"},
    {"tf.math.squared_difference", SF_TF12, "x, y, name=None", .op = "SquaredDifference"},
    {"tf.squared_difference", SF_TF1, "x, y, name=None", .op = "SquaredDifference"},
    {"tf.tan tf.math.tan", SF_TF12, "x, name=None", .op = "Tan"},
    {"tf.tanh tf.math.tanh tf.nn.tanh", SF_TF12, "x, name=None", .op = "Tanh"},
    {"tf.truncatediv", SF_TF12, "x, y, name=None", .op = "TruncateDiv"},
    {"tf.truncatemod", SF_TF12, "x, y, name=None", .op = "TruncateMod"},
    {"tf.math.zeta", SF_TF12, "x, q, name=None", .op = "Zeta"},
    {"tf.zeta", SF_TF1, "x, q, name=None", .op = "Zeta"},
    {"tf.bitwise.bitwise_and", SF_TF12, "x, y, name=None", .op = "BitwiseAnd"},
    {"tf.bitwise.bitwise_or", SF_TF12, "x, y, name=None", .op = "BitwiseOr"},
    {"tf.bitwise.bitwise_xor", SF_TF12, "x, y, name=None", .op = "BitwiseXor"},
    {"tf.bitwise.invert", SF_TF12, "x, name=None", .op = "Invert"},
    {"tf.bitwise.left_shift", SF_TF12, "x, y, name=None", .op = "LeftShift"},
    {"tf.bitwise.right_shift", SF_TF12, "x, y, name=None", .op = "RightShift"},
    /* lists and limits */
    {"tf.add_n tf.math.add_n", SF_TF12, "inputs, name=None", .op = "AddN", .call = api_add_n},
    {"tf.math.accumulate_n", SF_TF12, "inputs, shape=None, tensor_dtype=None, name=None",
     .call = api_accumulate_n},
    {"tf.accumulate_n", SF_TF1, "inputs, shape=None, tensor_dtype=None, name=None",
     .call = api_accumulate_n},
    {"tf.clip_by_value", SF_TF12, "t, clip_value_min, clip_value_max, name=None",
     SF_SCOPED("clip_by_value", body_clip_by_value)},
    {"tf.clip_by_norm", SF_TF12, "t, clip_norm, axes=None, name=None",
     SF_SCOPED("clip_by_norm", body_clip_by_norm)},
    {"tf.clip_by_average_norm", SF_TF1, "t, clip_norm, name=None",
     SF_SCOPED("clip_by_average_norm", body_clip_by_average_norm)},
    /* names of TensorFlow before 1.0 */
    {"tf.mul", SF_TF1, "x, y, name=None", .op = "Mul", .until = SF_VERSION(1, 0)},
    {"tf.sub", SF_TF1, "x, y, name=None", .op = "Sub", .until = SF_VERSION(1, 0)},
    {"tf.neg", SF_TF1, "x, name=None", .op = "Neg", .until = SF_VERSION(1, 0)},
    {"tf.inv", SF_TF1, "x, name=None", .op = "Reciprocal", .until = SF_VERSION(1, 0)},
    {"tf.complex_abs", SF_TF1, "x, name=None",
     SF_SCOPED("Abs", body_abs), .until = SF_VERSION(1, 0)},
};
/* clang-format on */
const SfApiTable sf_api_math = {rows, SF_ARRAY_LEN(rows), "math"};
