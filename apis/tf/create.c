/* Tensors from nothing: constants, fills, ranges, placeholders; and what is asked of a tensor's
 * shape (tf.shape, tf.size, tf.rank). */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <stdlib.h>
#include <string.h>

/* tf.constant */
static SfStatus too_many(SfCall *c, int64_t room, int64_t given)
{
    const char *message = sf_arena_printf(
        c->arena,
        sf_api_is_v2(c) ? "Too many elements provided. Takes at most %lld, but got %lld."
                        : "Too many elements provided. Needed at most %lld, but received %lld",
        (long long)room, (long long)given);
    const SfDiagArg args[] = {SF_INT_ARG(room), SF_INT_ARG(given)};
    const SfDiag d = {.code = SF_DIAG_CONST_SHAPE,
                      .phase = SF_PHASE_API,
                      .op_type = "Const",
                      .location = c->b->location,
                      .nargs = 2,
                      .args = args,
                      .message = message};
    return sf_sink_report(c->b->sink, &d);
}

static SfStatus unexpected_shape(SfCall *c, const SfShape *want, const SfShape *got)
{
    return sf_api_type_error(c,
                             sf_api_is_v2(c) ? "Expected Tensor's shape: %s, but got %s."
                                             : "Expected Tensor's shape: %s, got %s.",
                             sf_shape_tuple_text(c, want), sf_shape_tuple_text(c, got));
}

/* The content stretched to `shape`: the last element is repeated. */
static SfStatus stretch(SfCall *c, SfContent *content, const SfShape *shape)
{
    const int64_t count = sf_shape_count(shape);
    const SfValue *v = content->value;
    content->shape = shape;
    content->value = NULL;
    if (!v || count > SF_VALUE_MAX) {
        return SF_OK;
    }
    const int64_t n = sf_value_count(v);
    SfElem *elems = sf_arena_alloc(c->arena, sizeof *elems * (size_t)(count + 1));
    SF_TRY_ALLOC(elems);
    for (int64_t i = 0; i < count; i++) {
        elems[i] = n == 0 ? sf_elem_int(0) : sf_value_elem(v, i < n ? i : n - 1);
    }
    content->value = sf_value_make(content->dtype, shape, elems);
    return SF_OK;
}

/* numpy prints [1 2 3] where Python prints [1, 2, 3]. */
static const char *without_commas(const SfCall *c, const char *text)
{
    char *copy = sf_arena_copy(c->arena, text, strlen(text) + 1), *to = copy;
    for (const char *p = text; copy && *p != '\0'; p++) {
        if (*p != ',') {
            *to++ = *p;
            *to = '\0';
        }
    }
    return copy ? copy : text;
}

static SfStatus eager_constant_shape(SfCall *c, SfContent *content, const SfShape *shape,
                                     bool verify)
{
    const int64_t given = sf_shape_count(content->shape), wanted = sf_shape_count(shape);
    if (shape == content->shape) {
        return SF_OK;
    }
    if (verify) {
        return unexpected_shape(c, shape, content->shape);
    }
    if (given == wanted || given == 1) {
        return stretch(c, content, shape);
    }
    const char *value = sf_arg_repr(c, sf_api_arg(c, "value"));
    return sf_api_type_error(c,
                             "Eager execution of tf.constant with unsupported shape. Tensor %s "
                             "(converted from %s) has %lld elements, but got `shape` %s with %lld "
                             "elements).",
                             without_commas(c, value), value, (long long)given,
                             sf_shape_tuple_text(c, shape), (long long)wanted);
}

static SfStatus graph_constant_shape(SfCall *c, SfContent *content, const SfShape *shape,
                                     bool verify, bool broadcast)
{
    const int64_t given = sf_shape_count(content->shape), wanted = sf_shape_count(shape);
    if (wanted == 0) {
        return stretch(c, content, shape);
    }
    if (broadcast) {
        const bool single = sf_shape_rank(content->shape) <= 1 && given == 1;
        return single || given == wanted ? stretch(c, content, shape)
                                         : unexpected_shape(c, shape, content->shape);
    }
    if (verify && shape != content->shape) {
        return unexpected_shape(c, shape, content->shape);
    }
    return given > wanted ? too_many(c, wanted, given) : stretch(c, content, shape);
}

/* Is it, or a tensor in its lists, what stands for an array that nobody knows? */
static bool stands_for_array(const SfArg *a)
{
    if (a->kind == SF_ARG_LIST) {
        for (int i = 0; i < a->u.list.n; i++) {
            if (stands_for_array(&a->u.list.items[i])) {
                return true;
            }
        }
        return false;
    }
    return a->kind == SF_ARG_TENSOR && sf_tensor_is_unmodelled(&a->u.tensor, SF_UNMODELLED_SHAPE);
}

static SfStatus tensor_as_constant(SfCall *c, const SfArg *value, SfDtype dtype)
{
    if (!sf_api_eager(c) && !stands_for_array(value)) {
        return sf_api_type_error(c, "%s",
                                 sf_api_is_v2(c)
                                     ? "Expected any non-tensor type, but got a tensor instead."
                                     : "List of Tensors when single Tensor expected");
    }
    SfTensor t;
    SF_TRY(sf_api_tensor(c, value, dtype, &t));
    if (!sf_arg_is_none(sf_api_arg(c, "shape"))) {
        SfTensor shape;
        SF_TRY(sf_api_tensor(c, sf_api_arg(c, "shape"), SF_DT_INT32, &shape));
        const bool one = sf_dim_always(sf_shape_count(t.shape), 1);
        SF_TRY(one ? sf_compose_binary(c, "BroadcastTo", NULL, t, shape, &t)
                   : sf_compose_binary(c, "Reshape", NULL, t, shape, &t));
    }
    sf_return_tensor(c, t);
    return SF_OK;
}

/* A shape with sizes that nobody knows: as far as it is known. */
static SfStatus constant_of_unknown_shape(SfCall *c, const SfContent *content)
{
    SfTensor in[2];
    SfTensor out;
    const SfArg *shape;
    SF_TRY(sf_api_sizes(c, sf_api_arg(c, "shape"), &shape));
    SF_TRY(sf_api_tensor(c, shape, SF_DT_INT32, &in[0]));
    SF_TRY(sf_convert_known(c, content, "value", &in[1]));
    SF_TRY(sf_api_op(c, "Fill", sf_api_name(c), in, 2, NULL, 0, &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

static SfStatus api_constant(SfCall *c)
{
    const SfArg *value = sf_api_arg(c, "value");
    const bool v1 = strcmp(c->sig->row->data, "v1") == 0;
    SfDtype dtype = SF_DT_INVALID;
    const SfShape *shape = NULL;
    bool verify = false;
    SfContent content;
    SfApiError e = {SF_ERR_VALUE, NULL};
    SfTensor out;
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_api_static_shape(c, "shape", &shape));
    SF_TRY(sf_api_bool(c, "verify_shape", &verify));
    if (sf_arg_has_tensor(value)) {
        return tensor_as_constant(c, value, dtype);
    }
    const SfStatus st = sf_convert_content(c, value, dtype, &content, &e);
    if (st != SF_OK) {
        return st == SF_REPORTED ? sf_api_report(c, &e) : st;
    }
    if (shape && !sf_shape_is_known(shape)) {
        return sf_arg_has_tensor(sf_api_arg(c, "shape"))
                   ? constant_of_unknown_shape(c, &content)
                   : sf_api_type_error(c, "__int__ returned non-int (type NoneType)");
    }
    if (shape && sf_shape_is_known(content.shape)) {
        SF_TRY(sf_api_eager(c) ? eager_constant_shape(c, &content, shape, verify)
                               : graph_constant_shape(c, &content, shape, verify, !v1));
    }
    SF_TRY(sf_convert_known(c, &content, sf_api_name(c), &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

static SfStatus api_convert_to_tensor(SfCall *c)
{
    SfDtype dtype = SF_DT_INVALID, hint = SF_DT_INVALID;
    SfTensor out;
    const SfArg *value = sf_api_arg(c, "value");
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_api_dtype(c, "preferred_dtype", &hint));
    SF_TRY(sf_api_dtype(c, "dtype_hint", &hint));
    if (dtype == SF_DT_INVALID && hint != SF_DT_INVALID) {
        SF_TRY(sf_api_tensor_hint(c, value, hint, sf_api_name(c), &out));
    } else {
        SF_TRY(sf_api_tensor_named(c, value, dtype, sf_api_name(c), &out));
    }
    sf_return_tensor(c, out);
    return SF_OK;
}

/* zeros and ones */
/* A shape argument whose dims are all numbers: what TensorFlow makes a constant of at once. */
static const SfShape *plain_shape(const SfArg *a)
{
    SfDim dims[SF_RANK_MAX];
    int64_t d = 0;
    if (a->kind == SF_ARG_SHAPE) {
        return sf_shape_is_known(a->u.shape) ? a->u.shape : NULL;
    }
    if (a->kind == SF_ARG_INT || a->kind == SF_ARG_DIM) {
        return sf_arg_as_int(a, &d) && d >= 0 ? sf_shape_vector(d) : NULL;
    }
    if (a->kind != SF_ARG_LIST || a->u.list.n > SF_RANK_MAX) {
        return NULL;
    }
    for (int i = 0; i < a->u.list.n; i++) {
        const SfArg *item = &a->u.list.items[i];
        const bool number =
            item->kind == SF_ARG_INT || item->kind == SF_ARG_DIM ||
            (item->kind == SF_ARG_ARRAY && sf_dtype_is_integer(item->u.array.dtype));
        if (!number || !sf_arg_as_int(item, &d) || d < 0) {
            return NULL;
        }
        dims[i] = d;
    }
    return sf_shape_make(a->u.list.n, dims);
}

/* zeros(shape): a Const while it is small, else Fill. */
static SfStatus filled(SfCall *c, const SfShape *shape, double v, SfDtype dtype, const char *name,
                       SfTensor *out)
{
    enum { SMALL = 1000 };
    const SfDim count = sf_shape_count(shape);
    if (sf_api_eager(c) || (sf_dim_is_known(count) && count < SMALL)) {
        const SfElem e = dtype == SF_DT_STRING         ? sf_elem_string("", 0)
                         : sf_dtype_is_floating(dtype) ? sf_elem_float(v)
                         : sf_dtype_is_complex(dtype)  ? sf_elem_unknown()
                                                       : sf_elem_int((int64_t)v);
        const SfInterval all = sf_interval_exact(v);
        const SfContent content = {dtype, shape, sf_value_fill(dtype, shape, e), &all};
        return sf_convert_known(c, &content, name, out);
    }
    SfTensor dims;
    SF_TRY(sf_convert_const(c, SF_DT_INT32, sf_shape_vector(sf_shape_rank(shape)),
                            sf_value_from_shape(shape, SF_DT_INT32), "shape_as_tensor", &dims));
    return sf_compose_filled(c, dims, v, dtype, name, out);
}

static SfStatus filled_by_arg(SfCall *c, const char *scope, double v, SfTensor *out)
{
    const SfArg *a = sf_api_arg(c, "shape");
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor shape;
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    dtype = sf_dtype_base(dtype);
    const SfShape *plain = plain_shape(a);
    if (plain) {
        return filled(c, plain, v, dtype, scope, out);
    }
    if (a->kind == SF_ARG_TENSOR) {
        shape = a->u.tensor;
    } else {
        SF_TRY(sf_api_sizes(c, a, &a));
        SF_TRY(sf_api_tensor(c, a, SF_DT_INT32, &shape));
    }
    if (sf_tensor_rank(shape) == 0) {
        const int64_t flat = -1;
        SF_TRY(sf_compose_reshape(c, shape, &flat, 1, NULL, &shape));
    }
    return sf_compose_filled(c, shape, v, dtype, scope, out);
}

static SfStatus body_zeros(SfCall *c, const char *scope, SfTensor *out)
{
    return filled_by_arg(c, scope, 0, out);
}

static SfStatus body_ones(SfCall *c, const char *scope, SfTensor *out)
{
    return filled_by_arg(c, scope, 1, out);
}

static SfStatus filled_like(SfCall *c, const char *scope, double v, SfTensor *out)
{
    SfDtype dtype = SF_DT_INVALID;
    SfTensor like, shape;
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, "tensor", &like));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    if (dtype == SF_DT_INVALID) {
        dtype = sf_tensor_dtype(like);
    }
    if (sf_shape_is_known(like.shape)) {
        return filled(c, like.shape, v, dtype, scope, out);
    }
    if (v == 0 && dtype == sf_tensor_dtype(like)) {
        return sf_compose_unary(c, "ZerosLike", scope, like, out);
    }
    SF_TRY(sf_compose_shape(c, like, SF_DT_INT32, "Shape", &shape));
    return sf_compose_filled(c, shape, v, dtype, scope, out);
}

static SfStatus body_zeros_like(SfCall *c, const char *scope, SfTensor *out)
{
    return filled_like(c, scope, 0, out);
}

static SfStatus body_ones_like(SfCall *c, const char *scope, SfTensor *out)
{
    return filled_like(c, scope, 1, out);
}

/* eye */
/* batch_shape + tail as one vector, a constant when both are. */
static SfStatus batch_dims(SfCall *c, const SfTensor *tail, int n, SfTensor *out)
{
    SfTensor parts[2];
    const SfArg *batch = sf_api_arg(c, "batch_shape");
    SF_TRY(sf_compose_pack(c, tail, n, 0, NULL, &parts[1]));
    *out = parts[1];
    if (sf_arg_is_none(batch)) {
        return SF_OK;
    }
    SF_TRY(sf_api_tensor_named(c, batch, SF_DT_INT32, "shape", &parts[0]));
    return sf_compose_concat(c, parts, 2, 0, "concat", out);
}

static SfStatus body_eye(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype dtype = SF_DT_FLOAT;
    SfTensor size[2], shape, diagonal, zeros;
    const bool square = sf_arg_is_none(sf_api_arg(c, "num_columns"));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "num_rows"), SF_DT_INT32, "num_rows", &size[0]));
    size[1] = size[0];
    if (!square) {
        SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "num_columns"), SF_DT_INT32, "num_columns",
                                   &size[1]));
    }
    SfTensor side = size[0];
    if (!square) {
        SF_TRY(sf_compose_binary(c, "Minimum", NULL, size[0], size[1], &side));
    }
    SF_TRY(batch_dims(c, &side, 1, &shape));
    SF_TRY(sf_compose_filled(c, shape, 1, dtype, "ones", &diagonal));
    const bool old = sf_api_version(c) < SF_VERSION(1, 15);
    if (square) {
        return sf_compose_unary(c, "MatrixDiag", old ? NULL : "diag", diagonal, out);
    }
    SF_TRY(batch_dims(c, size, 2, &shape));
    SF_TRY(sf_compose_filled(c, shape, 0, dtype, "zeros", &zeros));
    return sf_compose_binary(c, "MatrixSetDiag", old ? NULL : "set_diag", zeros, diagonal, out);
}

/* ranges */
/* int32 < int64 < float32 < float64 */
static int range_level(SfDtype t)
{
    switch ((int)t) {
    case SF_DT_INT32:
        return 0;
    case SF_DT_INT64:
        return 1;
    case SF_DT_FLOAT:
        return 2;
    case SF_DT_DOUBLE:
        return 3;
    default:
        return 4;
    }
}

static SfStatus body_range(SfCall *c, const char *scope, SfTensor *out)
{
    SfDtype dtype = SF_DT_INVALID;
    SfTensor in[3];
    const char *const names[] = {"start", "limit", "delta"};
    const bool one = sf_arg_is_none(sf_api_arg(c, "limit"));
    const SfArg zero = {.kind = SF_ARG_INT};
    const SfArg *args[] = {one ? &zero : sf_api_arg(c, "start"),
                           one ? sf_api_arg(c, "start") : sf_api_arg(c, "limit"),
                           sf_api_arg(c, "delta")};
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    for (int i = 0; i < 3; i++) {
        const bool tensor = args[i]->kind == SF_ARG_TENSOR;
        SF_TRY(sf_api_tensor_named(c, args[i], tensor ? SF_DT_INVALID : dtype, names[i], &in[i]));
    }
    SfDtype to = dtype;
    for (int i = 0; i < 3 && dtype == SF_DT_INVALID; i++) {
        const SfDtype t = sf_tensor_dtype(in[i]);
        to = i == 0 || range_level(t) > range_level(to) ? t : to;
    }
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_compose_cast(c, in[i], to, NULL, &in[i]));
    }
    return sf_api_op(c, "Range", scope, in, 3, NULL, 0, out);
}

/* linspace of TensorFlow 2 also takes tensors: start + (stop - start) * [0, ..., 1] on a new axis.
 */
static SfStatus linspace_nd(SfCall *c, const char *scope, SfTensor start, SfTensor stop, SfTensor n,
                            SfTensor *out)
{
    int64_t axis = 0;
    const int rank = sf_tensor_rank(start);
    SfTensor ramp[3], width;
    SF_TRY(sf_api_int(c, "axis", &axis));
    axis = axis < 0 ? axis + rank + 1 : axis;
    SF_TRY(sf_compose_scalar(c, 0, start.dtype, NULL, &ramp[0]));
    SF_TRY(sf_compose_scalar(c, 1, start.dtype, NULL, &ramp[1]));
    ramp[2] = n;
    SF_TRY(sf_api_op(c, "LinSpace", NULL, ramp, 3, NULL, 0, out));
    int64_t *dims = sf_arena_alloc(c->arena, sizeof *dims * (size_t)(rank + 1));
    SF_TRY_ALLOC(dims);
    for (int i = 0; i <= rank; i++) {
        dims[i] = i == axis ? -1 : 1;
    }
    SF_TRY(sf_compose_reshape(c, *out, dims, rank + 1, NULL, out));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, stop, start, &width));
    SF_TRY(sf_compose_expand_dims(c, width, axis, NULL, &width));
    SF_TRY(sf_compose_expand_dims(c, start, axis, NULL, &start));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, width, *out, out));
    return sf_compose_binary(c, "AddV2", scope, start, *out, out);
}

static SfStatus body_linspace(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[3];
    SF_TRY(sf_compose_arg(c, "start", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "stop", in[0].dtype, &in[1]));
    SF_TRY(sf_compose_arg_hint(c, "num", SF_DT_INT32, &in[2]));
    if (sf_dtype_is_integer(sf_tensor_dtype(in[0])) && sf_api_is_v2(c)) {
        SF_TRY(sf_compose_cast(c, in[0], SF_DT_DOUBLE, NULL, &in[0]));
        SF_TRY(sf_compose_cast(c, in[1], SF_DT_DOUBLE, NULL, &in[1]));
    }
    if (sf_tensor_rank(in[0]) > 0 && sf_tensor_rank(in[1]) == sf_tensor_rank(in[0])) {
        return linspace_nd(c, scope, in[0], in[1], in[2], out);
    }
    return sf_api_op(c, "LinSpace", scope, in, 3, NULL, 0, out);
}

static SfStatus api_linspace(SfCall *c)
{
    return sf_compose_scoped(c, sf_api_is_v2(c) ? "linspace" : "LinSpace", body_linspace);
}

/* one_hot, sequence_mask, meshgrid */
static SfStatus one_hot_value(SfCall *c, const char *param, int64_t fallback, SfDtype dtype,
                              SfArg *out)
{
    const SfArg *given = sf_api_arg(c, param);
    const SfArg number = {.kind = SF_ARG_INT, .u.i = fallback};
    const SfArg *a = sf_arg_is_none(given) ? &number : given;
    if (a->kind == SF_ARG_TENSOR && sf_tensor_dtype(a->u.tensor) != dtype) {
        return sf_api_type_error(c,
                                 "dtype <dtype: '%s'> of %s does not match dtype parameter "
                                 "<dtype: '%s'>",
                                 sf_dtype_name(a->u.tensor.dtype), param, sf_dtype_name(dtype));
    }
    *out = (SfArg){.kind = SF_ARG_TENSOR};
    if (dtype == SF_DT_BOOL && a == &number) {
        return sf_compose_scalar(c, (double)fallback, dtype, param, &out->u.tensor);
    }
    if (dtype == SF_DT_STRING && a == &number) {
        return sf_api_type_error(c, "dtype string needs both on_value and off_value");
    }
    return sf_api_tensor_named(c, a, dtype, param, &out->u.tensor);
}

/* indices, depth, on_value, off_value, axis, dtype, name */
static SfStatus body_one_hot(SfCall *c, const char *scope, SfTensor *out)
{
    enum { ON = 2, OFF = 3, NPARAMS = 7 };
    SfArg args[NPARAMS];
    SfDtype dtype = SF_DT_INVALID;
    memcpy(args, c->args, sizeof args);
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    for (int i = ON; i <= OFF && dtype == SF_DT_INVALID; i++) {
        SfTensor t;
        if (args[i].kind == SF_ARG_TENSOR) {
            dtype = sf_tensor_dtype(args[i].u.tensor);
        } else if (!sf_arg_is_none(&args[i])) {
            SF_TRY(sf_api_tensor_named(c, &args[i], SF_DT_INVALID,
                                       i == ON ? "on_value" : "off_value", &t));
            args[i] = (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = t};
            dtype = sf_tensor_dtype(t);
        }
    }
    dtype = dtype == SF_DT_INVALID ? SF_DT_FLOAT : sf_dtype_base(dtype);
    SF_TRY(one_hot_value(c, "on_value", 1, dtype, &args[ON]));
    SF_TRY(one_hot_value(c, "off_value", 0, dtype, &args[OFF]));
    SF_TRY(sf_api_apply_named(c, args, scope));
    *out = c->results[0];
    return SF_OK;
}

static SfStatus body_sequence_mask(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor lengths, row[3];
    SfDtype dtype = SF_DT_BOOL;
    SF_TRY(sf_compose_arg(c, "lengths", &lengths));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    if (sf_arg_is_none(sf_api_arg(c, "maxlen"))) {
        SF_TRY(sf_compose_reduce_all(c, "Max", NULL, lengths, &row[1]));
        SF_TRY(sf_compose_const_binary(c, "Maximum", NULL, 0, row[1], &row[1]));
    } else {
        SF_TRY(sf_compose_arg(c, "maxlen", &row[1]));
    }
    if (sf_tensor_rank(row[1]) > 0) {
        return sf_api_value_error(c, "maxlen must be scalar for sequence_mask");
    }
    SF_TRY(sf_compose_scalar(c, 0, row[1].dtype, "Const", &row[0]));
    SF_TRY(sf_compose_scalar(c, 1, row[1].dtype, "Const", &row[2]));
    SF_TRY(sf_api_op(c, "Range", NULL, row, 3, NULL, 0, out));
    SF_TRY(sf_compose_expand_dims(c, lengths, -1, NULL, &lengths));
    SF_TRY(sf_compose_cast(c, lengths, row[1].dtype, NULL, &lengths));
    SF_TRY(sf_compose_binary(c, "Less", NULL, *out, lengths, out));
    return sf_compose_cast(c, *out, dtype, NULL, out);
}

/* Each vector along its own axis, times ones of the whole grid. */
static SfStatus grid(SfCall *c, const SfTensor *axes, int n, bool xy, SfTensor *out)
{
    int64_t *dims = sf_arena_alloc(c->arena, sizeof *dims * (size_t)(n + 1));
    SfTensor *sizes = sf_arena_alloc(c->arena, sizeof *sizes * (size_t)(n + 1));
    SfTensor shape, ones;
    SF_TRY_ALLOC(dims && sizes);
    for (int i = 0; i < n; i++) {
        const int place = xy && n > 1 && i < 2 ? 1 - i : i;
        for (int k = 0; k < n; k++) {
            dims[k] = k == place ? -1 : 1;
        }
        SF_TRY(sf_compose_reshape(c, axes[i], dims, n, NULL, &out[i]));
        SF_TRY(sf_compose_unary(c, "Size", NULL, axes[i], &sizes[place]));
    }
    SF_TRY(sf_compose_pack(c, sizes, n, 0, NULL, &shape));
    SF_TRY(sf_compose_filled(c, shape, 1, axes[0].dtype, "ones", &ones));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_compose_binary(c, "Mul", "mul", out[i], ones, &out[i]));
    }
    return SF_OK;
}

static SfStatus api_meshgrid(SfCall *c)
{
    const char *indexing = "xy";
    SfTensor *axes = NULL;
    SfScope scope;
    int n = 0;
    const SfArg *args = sf_api_arg(c, "args");
    SF_TRY(sf_api_string(c, "indexing", &indexing));
    if (strcmp(indexing, "xy") != 0 && strcmp(indexing, "ij") != 0) {
        return sf_api_value_error(c, "%s",
                                  sf_api_is_v2(c) ? "Argument `indexing` parameter must be either "
                                                    "'xy' or 'ij'"
                                                  : "indexing parameter must be either 'xy' or "
                                                    "'ij'");
    }
    SF_TRY(sf_compose_list(c, args, false, "args", &axes, &n));
    SfTensor *out = sf_arena_alloc(c->arena, sizeof *out * (size_t)(n + 1));
    SF_TRY_ALLOC(out);
    if (n > 0) {
        SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "meshgrid", &scope));
        const SfStatus st = grid(c, axes, n, indexing[0] == 'x', out);
        sf_api_scope_exit(c, &scope);
        SF_TRY(st);
    }
    sf_return_list(c, out, n);
    return SF_OK;
}

/* shape, size, rank */
static SfStatus body_shape(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SfDtype type = SF_DT_INT32;
    SF_TRY(sf_compose_arg(c, "input", &x));
    SF_TRY(sf_api_dtype(c, "out_type", &type));
    return sf_compose_shape(c, x, type, scope, out);
}

static SfStatus body_size(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SfDtype type = SF_DT_INT32;
    SF_TRY(sf_compose_arg(c, "input", &x));
    SF_TRY(sf_api_dtype(c, "out_type", &type));
    const SfDim count = sf_shape_count(x.shape);
    if (sf_dim_is_known(count)) {
        return sf_api_const_int(c, count, type, scope, out);
    }
    const SfAttrArg attrs[] = {SF_ATYPE("out_type", type)};
    return sf_api_op(c, "Size", scope, &x, 1, attrs, 1, out);
}

static SfStatus body_rank(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "input", &x));
    return sf_compose_rank(c, x, scope, out);
}

/* placeholders */
static SfStatus api_placeholder(SfCall *c)
{
    if (sf_api_eager(c)) {
        return sf_api_graph_only_error(c,
                                       "tf.placeholder() is not compatible with eager execution.");
    }
    return sf_api_apply(c, c->args);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.constant", SF_TF1, "value, dtype=None, shape=None, name='Const', verify_shape=False",
     .call = api_constant, .data = "v1"},
    {"tf.constant", SF_TF2, "value, dtype=None, shape=None, name='Const'",
     .call = api_constant, .data = "v2"},
    {"tf.convert_to_tensor", SF_TF1,
     "value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None",
     .call = api_convert_to_tensor},
    {"tf.convert_to_tensor", SF_TF2, "value, dtype=None, dtype_hint=None, name=None",
     .call = api_convert_to_tensor},
    {"tf.zeros", SF_TF12, "shape, dtype=tf.float32, name=None, layout=None",
     SF_SCOPED("zeros", body_zeros)},
    {"tf.ones", SF_TF12, "shape, dtype=tf.float32, name=None, layout=None",
     SF_SCOPED("ones", body_ones)},
    {"tf.zeros_like", SF_TF1, "tensor, dtype=None, name=None, optimize=True",
     SF_SCOPED("zeros_like", body_zeros_like)},
    {"tf.zeros_like", SF_TF2, "input, dtype=None, name=None, layout=None",
     SF_SCOPED("zeros_like", body_zeros_like)},
    {"tf.ones_like", SF_TF1, "tensor, dtype=None, name=None, optimize=True",
     SF_SCOPED("ones_like", body_ones_like)},
    {"tf.ones_like", SF_TF2, "input, dtype=None, name=None, layout=None",
     SF_SCOPED("ones_like", body_ones_like)},
    {"tf.fill", SF_TF12, "dims, value, name=None, layout=None", .op = "Fill", .rename = "layout="},
    {"tf.eye tf.linalg.eye", SF_TF12,
     "num_rows, num_columns=None, batch_shape=None, dtype=tf.float32, name=None",
     SF_SCOPED("eye", body_eye)},
    {"tf.range", SF_TF12, "start, limit=None, delta=1, dtype=None, name='range'",
     SF_SCOPED("Range", body_range)},
    {"tf.linspace", SF_TF12, "start, stop, num, name=None, axis=0",
     .call = api_linspace},
    {"tf.lin_space", SF_TF1, "start, stop, num, name=None, axis=0",
     .call = api_linspace},
    {"tf.one_hot", SF_TF12,
     "indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None",
     .op = "OneHot", SF_SCOPED("one_hot", body_one_hot), .rename = "dtype="},
    {"tf.sequence_mask", SF_TF12, "lengths, maxlen=None, dtype=tf.bool, name=None",
     SF_SCOPED("SequenceMask", body_sequence_mask)},
    {"tf.meshgrid", SF_TF12, "*args, indexing='xy', name='meshgrid'", .call = api_meshgrid},
    {"tf.shape", SF_TF1, "input, name=None, out_type=None", SF_SCOPED("Shape", body_shape)},
    {"tf.shape", SF_TF2, "input, out_type=None, name=None", SF_SCOPED("Shape", body_shape)},
    {"tf.size", SF_TF1, "input, name=None, out_type=None", SF_SCOPED("Size", body_size)},
    {"tf.size", SF_TF2, "input, out_type=None, name=None", SF_SCOPED("Size", body_size)},
    {"tf.rank", SF_TF12, "input, name=None", SF_SCOPED("Rank", body_rank)},
    {"tf.shape_n", SF_TF12, "input, out_type=tf.int32, name=None", .op = "ShapeN"},
    {"tf.placeholder", SF_TF1, "dtype, shape=None, name=None",
     .op = "Placeholder", .call = api_placeholder},
    {"tf.placeholder_with_default", SF_TF1, "input, shape, name=None",
     .op = "PlaceholderWithDefault"},
    {"tf.broadcast_dynamic_shape", SF_TF12, "shape_x, shape_y",
     .op = "BroadcastArgs", .rename = "shape_x=s0 shape_y=s1"},
};
/* clang-format on */
const SfApiTable sf_api_create = {rows, SF_ARRAY_LEN(rows), "create"};
