/* The steps that compositions share: one op each, or a handful. */
#include "apis/tf/compose.h"

#include <string.h>

SfStatus sf_compose_scoped(SfCall *c, const char *fallback, SfBody body)
{
    SfScope scope;
    SfTensor out = {0};
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), fallback, &scope));
    const SfStatus st = body(c, scope.scope, &out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_tensor(c, out);
    }
    return st;
}

SfStatus sf_compose_plain(SfCall *c, SfBody body)
{
    SfTensor out = {0};
    SF_TRY(body(c, sf_api_name(c), &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

SfStatus sf_compose_row(SfCall *c)
{
    const SfApiRow *row = c->sig->row;
    return row->scope ? sf_compose_scoped(c, row->scope, row->body)
                      : sf_compose_plain(c, row->body);
}

SfStatus sf_compose_unary(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor *out)
{
    return sf_api_op(c, op, name, &x, 1, NULL, 0, out);
}

SfStatus sf_compose_binary(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor y,
                           SfTensor *out)
{
    const SfTensor in[] = {x, y};
    return sf_api_op(c, op, name, in, 2, NULL, 0, out);
}

SfStatus sf_compose_scalar(SfCall *c, double v, SfDtype dtype, const char *name, SfTensor *out)
{
    const SfDtype t = sf_dtype_base(dtype);
    SfElem e = sf_elem_int((int64_t)v);
    if (sf_dtype_is_floating(t)) {
        e = sf_elem_float(v);
    } else if (sf_dtype_is_complex(t)) {
        e = sf_elem_float(v);
        e.kind = SF_ELEM_COMPLEX;
    } else if (t == SF_DT_STRING) {
        e = sf_elem_string("", 0);
    } else if (t == SF_DT_BOOL) {
        e = sf_elem_int(v != 0);
    }
    const SfShape *shape = sf_shape_scalar();
    return sf_convert_const(c, t, shape, sf_value_make(t, shape, &e), name, out);
}

SfStatus sf_compose_binary_const(SfCall *c, const char *op, const char *name, SfTensor x, double v,
                                 SfTensor *out)
{
    SfTensor y;
    SF_TRY(sf_compose_scalar(c, v, x.dtype, "y", &y));
    return sf_compose_binary(c, op, name, x, y, out);
}

SfStatus sf_compose_const_binary(SfCall *c, const char *op, const char *name, double v, SfTensor y,
                                 SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_scalar(c, v, y.dtype, "x", &x));
    return sf_compose_binary(c, op, name, x, y, out);
}

SfStatus sf_compose_cast(SfCall *c, SfTensor x, SfDtype dtype, const char *name, SfTensor *out)
{
    *out = x;
    if (sf_tensor_dtype(x) == sf_dtype_base(dtype)) {
        return SF_OK;
    }
    const SfAttrArg attrs[] = {SF_ATYPE("DstT", sf_dtype_base(dtype))};
    return sf_api_op(c, "Cast", name, &x, 1, attrs, 1, out);
}

SfStatus sf_compose_reshape(SfCall *c, SfTensor x, const int64_t *dims, int n, const char *name,
                            SfTensor *out)
{
    SfTensor in[2] = {x};
    SF_TRY(sf_api_const_ints(c, dims, n, SF_DT_INT32, "shape", &in[1]));
    return sf_api_op(c, "Reshape", name, in, 2, NULL, 0, out);
}

SfStatus sf_compose_shape(SfCall *c, SfTensor x, SfDtype dtype, const char *name, SfTensor *out)
{
    const SfDtype t = dtype == SF_DT_INVALID ? SF_DT_INT32 : dtype;
    if (sf_shape_is_known(x.shape)) {
        const SfShape *vector = sf_shape_vector(sf_shape_rank(x.shape));
        SF_TRY_ALLOC(vector);
        return sf_convert_const(c, t, vector, sf_value_from_shape(x.shape, t), name, out);
    }
    const SfAttrArg attrs[] = {SF_ATYPE("out_type", t)};
    return sf_api_op(c, "Shape", name, &x, 1, attrs, 1, out);
}

SfStatus sf_compose_rank(SfCall *c, SfTensor x, const char *name, SfTensor *out)
{
    if (sf_shape_is_ranked(x.shape)) {
        return sf_api_const_int(c, sf_shape_rank(x.shape), SF_DT_INT32, name, out);
    }
    return sf_compose_unary(c, "Rank", name, x, out);
}

SfStatus sf_compose_reduce(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor axes,
                           bool keep_dims, SfTensor *out)
{
    const SfTensor in[] = {x, axes};
    const SfAttrArg attrs[] = {SF_ABOOL("keep_dims", keep_dims)};
    return sf_api_op(c, op, name, in, 2, attrs, keep_dims ? 1 : 0, out);
}

SfStatus sf_compose_reduce_axis(SfCall *c, const char *op, const char *name, SfTensor x,
                                int64_t axis, bool keep_dims, SfTensor *out)
{
    SfTensor axes;
    SF_TRY(sf_api_const_ints(c, &axis, 1, SF_DT_INT32, "reduction_indices", &axes));
    return sf_compose_reduce(c, op, name, x, axes, keep_dims, out);
}

/* 0, 1, ..., rank - 1: a Const when the rank is known, else range(0, rank(x)). */
static SfStatus all_axes(SfCall *c, SfTensor x, SfTensor *out)
{
    const int rank = sf_shape_rank(x.shape);
    if (rank >= 0) {
        int64_t *axes = sf_arena_alloc(c->arena, sizeof *axes * (size_t)(rank + 1));
        SF_TRY_ALLOC(axes);
        for (int i = 0; i < rank; i++) {
            axes[i] = i;
        }
        return sf_api_const_ints(c, axes, rank, SF_DT_INT32, NULL, out);
    }
    SfTensor in[3];
    SF_TRY(sf_compose_unary(c, "Rank", NULL, x, &in[1]));
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, NULL, "range", &scope));
    SfStatus st = sf_api_const_int(c, 0, SF_DT_INT32, "start", &in[0]);
    if (st == SF_OK) {
        st = sf_api_const_int(c, 1, SF_DT_INT32, "delta", &in[2]);
    }
    if (st == SF_OK) {
        st = sf_api_op(c, "Range", scope.scope, in, 3, NULL, 0, out);
    }
    sf_api_scope_exit(c, &scope);
    return st;
}

SfStatus sf_compose_reduction_dims(SfCall *c, SfTensor x, const SfArg *axis, SfTensor *out)
{
    if (sf_arg_is_none(axis)) {
        return all_axes(c, x, out);
    }
    if (axis->kind == SF_ARG_TENSOR) {
        *out = axis->u.tensor;
        return SF_OK;
    }
    return sf_api_tensor_hint(c, axis, SF_DT_INT32, "reduction_indices", out);
}

SfStatus sf_compose_reduce_all(SfCall *c, const char *op, const char *name, SfTensor x,
                               SfTensor *out)
{
    SfTensor axes;
    SF_TRY(all_axes(c, x, &axes));
    return sf_compose_reduce(c, op, name, x, axes, false, out);
}

SfStatus sf_compose_transpose(SfCall *c, SfTensor x, const int64_t *perm, int n, const char *name,
                              SfTensor *out)
{
    SfTensor in[2] = {x};
    SF_TRY(sf_api_const_ints(c, perm, n, SF_DT_INT32, "perm", &in[1]));
    return sf_api_op(c, "Transpose", name, in, 2, NULL, 0, out);
}

SfStatus sf_compose_concat(SfCall *c, const SfTensor *parts, int n, int64_t axis, const char *name,
                           SfTensor *out)
{
    SfTensor *in = sf_arena_alloc(c->arena, sizeof *in * (size_t)(n + 1));
    SF_TRY_ALLOC(in);
    memcpy(in, parts, sizeof *in * (size_t)n);
    SF_TRY(sf_api_const_int(c, axis, SF_DT_INT32, "axis", &in[n]));
    return sf_api_op(c, "ConcatV2", name, in, n + 1, NULL, 0, out);
}

SfStatus sf_compose_pack(SfCall *c, const SfTensor *parts, int n, int64_t axis, const char *name,
                         SfTensor *out)
{
    const SfAttrArg attrs[] = {SF_AINT("axis", axis)};
    return sf_api_op(c, "Pack", name, parts, n, attrs, 1, out);
}

SfStatus sf_compose_expand_dims(SfCall *c, SfTensor x, int64_t axis, const char *name,
                                SfTensor *out)
{
    SfTensor in[2] = {x};
    SF_TRY(sf_api_const_int(c, axis, SF_DT_INT32, "dim", &in[1]));
    return sf_api_op(c, "ExpandDims", name, in, 2, NULL, 0, out);
}

SfStatus sf_compose_squeeze(SfCall *c, SfTensor x, const int64_t *axes, int n, const char *name,
                            SfTensor *out)
{
    const SfAttrArg attrs[] = {{.name = "squeeze_dims", .value = sf_attr_make_ints(axes, n)}};
    return sf_api_op(c, "Squeeze", name, &x, 1, attrs, 1, out);
}

static SfStatus strided(SfCall *c, SfTensor x, int64_t begin, int64_t end, int64_t end_mask,
                        int64_t shrink, const char *name, SfTensor *out)
{
    const int64_t one = 1;
    SfTensor in[4] = {x};
    SF_TRY(sf_api_const_ints(c, &begin, 1, SF_DT_INT32, "stack", &in[1]));
    SF_TRY(sf_api_const_ints(c, &end, 1, SF_DT_INT32, "stack_1", &in[2]));
    SF_TRY(sf_api_const_ints(c, &one, 1, SF_DT_INT32, "stack_2", &in[3]));
    const SfAttrArg attrs[] = {SF_AINT("end_mask", end_mask), SF_AINT("shrink_axis_mask", shrink)};
    return sf_api_op(c, "StridedSlice", name, in, 4, attrs, 2, out);
}

SfStatus sf_compose_vector_slice(SfCall *c, SfTensor x, int64_t begin, int64_t end,
                                 const char *name, SfTensor *out)
{
    const bool open = end == INT64_MAX;
    return strided(c, x, begin, open ? 0 : end, open ? 1 : 0, 0, name, out);
}

SfStatus sf_compose_vector_item(SfCall *c, SfTensor x, int64_t index, const char *name,
                                SfTensor *out)
{
    return strided(c, x, index, index + 1, index == -1 ? 1 : 0, 1, name, out);
}

SfStatus sf_compose_filled(SfCall *c, SfTensor shape, double v, SfDtype dtype, const char *name,
                           SfTensor *out)
{
    SfTensor in[2] = {shape};
    SF_TRY(sf_compose_scalar(c, v, dtype, NULL, &in[1]));
    return sf_api_op(c, "Fill", name, in, 2, NULL, 0, out);
}

/* two operands */
/* What an integer becomes before a true division. */
static SfDtype truediv_dtype(SfDtype t)
{
    switch ((int)sf_dtype_base(t)) {
    case SF_DT_UINT8:
    case SF_DT_INT8:
    case SF_DT_UINT16:
    case SF_DT_INT16:
        return SF_DT_FLOAT;
    case SF_DT_INT32:
    case SF_DT_INT64:
    case SF_DT_UINT32:
    case SF_DT_UINT64:
        return SF_DT_DOUBLE;
    default:
        return SF_DT_INVALID;
    }
}

SfStatus sf_compose_truediv(SfCall *c, SfTensor x, SfTensor y, const char *name, SfTensor *out)
{
    const SfDtype tx = sf_tensor_dtype(x), ty = sf_tensor_dtype(y);
    if (tx != ty && tx != SF_DT_INVALID && ty != SF_DT_INVALID) {
        return sf_api_is_v2(c)
                   ? sf_api_type_error(c,
                                       "`x` and `y` must have the same dtype, got tf.%s != tf.%s.",
                                       sf_dtype_name(tx), sf_dtype_name(ty))
                   : sf_api_type_error(c, "x and y must have the same dtype, got tf.%s != tf.%s",
                                       sf_dtype_name(tx), sf_dtype_name(ty));
    }
    const SfDtype to = truediv_dtype(tx);
    if (to != SF_DT_INVALID) {
        SF_TRY(sf_compose_cast(c, x, to, NULL, &x));
        SF_TRY(sf_compose_cast(c, y, to, NULL, &y));
    }
    return sf_compose_binary(c, "RealDiv", name, x, y, out);
}

/* Up to 1.13 both operands need a batch dim for BatchMatMul, from 1.14 on one is enough. */
static const char *matmul_op(const SfCall *c, int rank_a, int rank_b)
{
    const bool a = rank_a < 0 || rank_a > 2, b = rank_b < 0 || rank_b > 2;
    if (sf_api_version(c) < SF_VERSION(1, 14)) {
        return a && b ? "BatchMatMul" : "MatMul";
    }
    return a || b ? "BatchMatMulV2" : "MatMul";
}

SfStatus sf_compose_matmul(SfCall *c, SfTensor a, SfTensor b, bool transpose_a, bool transpose_b,
                           const char *name, SfTensor *out)
{
    const char *op = matmul_op(c, sf_tensor_rank(a), sf_tensor_rank(b));
    const SfTensor in[] = {a, b};
    const bool plain = op[0] == 'M';
    SfAttrArg attrs[2];
    int n = 0;
    if (transpose_a) {
        attrs[n++] = (SfAttrArg)SF_ABOOL(plain ? "transpose_a" : "adj_x", true);
    }
    if (transpose_b) {
        attrs[n++] = (SfAttrArg)SF_ABOOL(plain ? "transpose_b" : "adj_y", true);
    }
    return sf_api_op(c, op, name, in, 2, attrs, n, out);
}

/* arguments */
SfStatus sf_compose_arg(SfCall *c, const char *param, SfTensor *out)
{
    return sf_api_tensor_named(c, sf_api_arg(c, param), SF_DT_INVALID, param, out);
}

SfStatus sf_compose_arg_hint(SfCall *c, const char *param, SfDtype hint, SfTensor *out)
{
    return sf_api_tensor_hint(c, sf_api_arg(c, param), hint, param, out);
}

SfStatus sf_compose_arg_as(SfCall *c, const char *param, SfDtype dtype, SfTensor *out)
{
    return sf_api_tensor_named(c, sf_api_arg(c, param), sf_dtype_base(dtype), param, out);
}

int sf_compose_seed_attrs(SfCall *c, SfAttrArg *attrs)
{
    int64_t seed = 0;
    const SfArg *a = sf_api_arg(c, "seed");
    if (sf_arg_is_none(a) || !sf_arg_as_int(a, &seed)) {
        return 0;
    }
    attrs[0] = (SfAttrArg)SF_AINT("seed", 87654321);
    attrs[1] = (SfAttrArg)SF_AINT("seed2", seed);
    return 2;
}

SfStatus sf_compose_set_shape(SfCall *c, SfTensor *t, const SfShape *shape)
{
    SF_TRY_ALLOC(shape);
    if (t->node) {
        SF_TRY(sf_output_set_shape(t->node, t->index, shape, c->b->sink));
        *t = t->node->outputs[t->index];
        return SF_OK;
    }
    const SfShape *met = sf_shape_meet(t->shape, shape);
    SF_TRY_ALLOC(met);
    t->shape = sf_shape_is_bottom(met) ? t->shape : met;
    return SF_OK;
}

SfStatus sf_compose_random(SfCall *c, SfTensor shape, SfDtype dtype, SfTensor *out)
{
    SfAttrArg attrs[3];
    const int n = sf_compose_seed_attrs(c, attrs);
    attrs[n] = (SfAttrArg)SF_ATYPE("dtype", sf_dtype_base(dtype));
    return sf_api_op(c, "RandomUniform", "random_uniform/RandomUniform", &shape, 1, attrs, n + 1,
                     out);
}

void sf_compose_return(SfCall *c, const SfTensor *t, int n)
{
    sf_return_list(c, t, n);
    c->form = SF_RESULT_AUTO;
}

SfStatus sf_compose_list(SfCall *c, const SfArg *a, bool same, const char *name, SfTensor **items,
                         int *n)
{
    const int count = a->kind == SF_ARG_LIST ? a->u.list.n : 1;
    const SfArg *args = a->kind == SF_ARG_LIST ? a->u.list.items : a;
    SfDtype want = SF_DT_INVALID;
    SfTensor *out = sf_arena_alloc(c->arena, sizeof *out * (size_t)(count + 1));
    SF_TRY_ALLOC(out);
    for (int i = 0; same && i < count && want == SF_DT_INVALID; i++) {
        want = args[i].kind == SF_ARG_TENSOR ? sf_tensor_dtype(args[i].u.tensor) : SF_DT_INVALID;
    }
    for (int i = 0; i < count; i++) {
        const char *item = sf_api_eager(c) || args[i].kind == SF_ARG_TENSOR
                               ? name
                               : sf_arena_printf(c->arena, "%s_%d", name, i);
        if (args[i].kind == SF_ARG_TENSOR) {
            out[i] = args[i].u.tensor;
        } else {
            SF_TRY(sf_api_tensor_named(c, &args[i], want, item, &out[i]));
        }
        if (same && want == SF_DT_INVALID) {
            want = sf_tensor_dtype(out[i]);
        }
    }
    *items = out;
    *n = count;
    return SF_OK;
}

SfStatus sf_compose_assert_fails(SfCall *c, const char *text)
{
    const SfDiagArg arg = SF_TEXT_ARG(text);
    const SfDiag d = {.code = SF_DIAG_RUN_REFUSED,
                      .phase = SF_PHASE_EAGER,
                      .op_type = "Assert",
                      .location = c->b->location,
                      .nargs = 1,
                      .args = &arg,
                      .message = text};
    return !text ? SF_NOMEM : sf_sink_report(c->b->sink, &d);
}

/* slice(shape, [rank - 1], [1]). TensorFlow folds this op only when the whole shape is known, so
 * it accepts [?,10] beside [?,5] until they run; so do we. */
static SfStatus last_dims(SfCall *c, SfTensor x, SfTensor dims, SfTensor *out)
{
    const int64_t one = 1;
    SfTensor in[3] = {dims};
    SF_TRY(sf_compose_rank(c, x, "Rank", &in[1]));
    SF_TRY(sf_compose_binary_const(c, "Sub", "Sub", in[1], 1, &in[1]));
    SF_TRY(sf_compose_pack(c, &in[1], 1, 0, "Slice/begin", &in[1]));
    SF_TRY(sf_api_const_ints(c, &one, 1, SF_DT_INT32, "Slice/size", &in[2]));
    return sf_api_op(c, "Slice", "Slice", in, 3, NULL, 0, out);
}

SfStatus sf_compose_flatten_outer(SfCall *c, SfTensor x, SfTensor *out)
{
    const int rank = sf_tensor_rank(x);
    SfTensor dims, parts[2];
    if (rank == 2 && sf_api_eager(c)) {
        *out = x;
        return SF_OK;
    }
    const int64_t any = -1;
    SF_TRY(sf_api_const_ints(c, &any, 1, SF_DT_INT32, "concat/values_0", &parts[0]));
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, "Shape", &dims));
    SF_TRY(last_dims(c, x, dims, &parts[1]));
    SF_TRY(sf_compose_concat(c, parts, 2, 0, "concat", &dims));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, x, dims, out));
    const SfShape *outer_dims = rank > 0 ? sf_shape_slice(x.shape, 0, rank - 1) : x.shape;
    SF_TRY_ALLOC(outer_dims);
    const SfDim outer = rank > 0 ? sf_shape_count(outer_dims) : SF_DIM_UNKNOWN;
    return sf_dim_is_known(outer)
               ? sf_compose_set_shape(c, out,
                                      sf_shape_matrix(outer, sf_shape_dim(x.shape, rank - 1)))
               : SF_OK;
}
