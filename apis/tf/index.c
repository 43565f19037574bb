/* Parts of tensors: slices, gathers, masks, scatters, where. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* gather */
/* An axis of None is batch_dims. */
static SfStatus body_gather(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor in[3];
    int64_t batch = 0, axis = 0;
    const SfArg *axis_arg = sf_api_arg(c, "axis");
    SF_TRY(sf_api_int(c, "batch_dims", &batch));
    SF_TRY(sf_compose_arg(c, "params", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "indices", SF_DT_INT32, &in[1]));
    const bool fixed = axis_arg->kind != SF_ARG_TENSOR;
    axis = batch;
    if (fixed) {
        SF_TRY(sf_api_int(c, "axis", &axis));
    }
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, name, "GatherV2", &scope));
    SfStatus st = fixed ? sf_api_const_int(c, axis, SF_DT_INT32, "axis", &in[2]) : SF_OK;
    if (!fixed) {
        in[2] = axis_arg->u.tensor;
    }
    const SfAttrArg attrs[] = {SF_AINT("batch_dims", batch)};
    if (st == SF_OK) {
        st = sf_api_op(c, "GatherV2", scope.scope, in, 3, attrs, batch != 0, out);
    }
    sf_api_scope_exit(c, &scope);
    return st;
}

/* batch_gather: every axis of indices but the last is a batch axis. */
static SfStatus body_batch_gather(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[3];
    SF_TRY(sf_compose_arg(c, "params", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "indices", SF_DT_INT32, &in[1]));
    const int rank = sf_tensor_rank(in[1]);
    if (rank < 0) {
        return sf_api_value_error(c, "batch_gather does not allow indices with unknown shape.");
    }
    const int64_t batch = rank > 0 ? rank - 1 : 0;
    SF_TRY(sf_api_const_int(c, batch, SF_DT_INT32, "axis", &in[2]));
    const SfAttrArg attrs[] = {SF_AINT("batch_dims", batch)};
    return sf_api_op(c, "GatherV2", scope, in, 3, attrs, 1, out);
}

/* gather_nd with batch dims: the index of each batch axis is put in front of the indices. */
static SfStatus batch_gather_nd(SfCall *c, const char *name, SfTensor params, SfTensor indices,
                                int64_t batch, SfTensor *out)
{
    const int rank = sf_tensor_rank(indices);
    SfTensor shape, zeros;
    int64_t *dims = sf_arena_alloc(c->arena, sizeof *dims * (size_t)(rank + 1));
    SfTensor *parts = sf_arena_alloc(c->arena, sizeof *parts * (size_t)(batch + 1));
    SF_TRY_ALLOC(dims && parts);
    SF_TRY(sf_compose_shape(c, params, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_unary(c, "ZerosLike", NULL, indices, &zeros));
    const int64_t last = rank - 1;
    SfTensor axis;
    SF_TRY(sf_api_const_ints(c, &last, 1, SF_DT_INT32, NULL, &axis));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, zeros, axis, true, &zeros));
    for (int i = 0; i < batch; i++) {
        SfTensor range[3], index;
        SF_TRY(sf_compose_scalar(c, 0, SF_DT_INT32, NULL, &range[0]));
        SF_TRY(sf_compose_vector_item(c, shape, i, NULL, &range[1]));
        SF_TRY(sf_compose_scalar(c, 1, SF_DT_INT32, NULL, &range[2]));
        SF_TRY(sf_api_op(c, "Range", NULL, range, 3, NULL, 0, &index));
        for (int k = 0; k < rank; k++) {
            dims[k] = k == i ? -1 : 1;
        }
        SF_TRY(sf_compose_reshape(c, index, dims, rank, NULL, &index));
        SF_TRY(sf_compose_cast(c, index, indices.dtype, NULL, &index));
        SF_TRY(sf_compose_binary(c, "AddV2", NULL, zeros, index, &parts[i]));
    }
    parts[batch] = indices;
    SF_TRY(sf_compose_concat(c, parts, (int)batch + 1, -1, NULL, &indices));
    return sf_compose_binary(c, "GatherNd", name, params, indices, out);
}

static SfStatus body_gather_nd(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor params, indices;
    int64_t batch = 0;
    SF_TRY(sf_api_int(c, "batch_dims", &batch));
    SF_TRY(sf_compose_arg(c, "params", &params));
    SF_TRY(sf_compose_arg_hint(c, "indices", SF_DT_INT32, &indices));
    if (batch > 0 && batch < sf_tensor_rank(indices)) {
        return batch_gather_nd(c, name, params, indices, batch, out);
    }
    return sf_compose_binary(c, "GatherNd", name, params, indices, out);
}

/* boolean_mask */
static SfStatus check_mask(SfCall *c, SfTensor x, SfTensor mask, int64_t axis)
{
    const int n = sf_tensor_rank(mask);
    if (n == 0) {
        return sf_api_value_error(c, "mask cannot be scalar.");
    }
    if (n < 0) {
        return sf_api_shape_error(c,
                                  "Number of mask dimensions must be specified, even if some "
                                  "dimensions are None.  E.g. shape=[None] is ok, but shape=None "
                                  "is not.");
    }
    const SfShape *part = sf_shape_slice(x.shape, (int)axis, (int)axis + n);
    SF_TRY_ALLOC(part);
    if (sf_shape_is_ranked(x.shape) && !sf_shape_compatible(part, mask.shape)) {
        return sf_api_shape_error(c, "Shapes %s and %s are incompatible",
                                  sf_shape_tuple_text(c, part), sf_shape_tuple_text(c, mask.shape));
    }
    return SF_OK;
}

/* The masked axes become one, and the true places of the mask are gathered along it. */
static SfStatus body_boolean_mask(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, mask, shape, parts[3], axes, in[3];
    int64_t axis = 0;
    const int64_t zero = 0, flat = -1, one = 1;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "mask"), SF_DT_INVALID, "mask", &mask));
    SF_TRY(sf_api_int(c, "axis", &axis));
    SF_TRY(check_mask(c, x, mask, axis));
    const int n = sf_tensor_rank(mask);
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, "Shape", &shape));
    SF_TRY(sf_compose_vector_slice(c, shape, 0, axis, "strided_slice_1", &parts[0]));
    SF_TRY(sf_compose_vector_slice(c, shape, axis, axis + n, "strided_slice", &parts[1]));
    SF_TRY(sf_compose_vector_slice(c, shape, axis + n, INT64_MAX, "strided_slice_2", &parts[2]));
    SF_TRY(sf_api_const_ints(c, &zero, 1, SF_DT_INT32, "reduction_indices", &axes));
    SF_TRY(sf_compose_reduce(c, "Prod", NULL, parts[1], axes, true, &parts[1]));
    SF_TRY(sf_compose_concat(c, parts, 3, 0, "concat", &shape));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, x, shape, &in[0]));
    SF_TRY(sf_compose_reshape(c, mask, &flat, 1, NULL, &mask));
    SF_TRY(sf_compose_unary(c, "Where", NULL, mask, &in[1]));
    SF_TRY(sf_compose_squeeze(c, in[1], &one, 1, NULL, &in[1]));
    SF_TRY(sf_api_const_int(c, axis, SF_DT_INT32, "axis", &in[2]));
    return sf_api_op(c, "GatherV2", NULL, in, 3, NULL, 0, out);
}

/* where */
static SfStatus body_where(SfCall *c, const char *name, SfTensor *out)
{
    const char *op = c->sig->row->data;
    SfTensor in[3];
    const SfArg *x = sf_api_arg(c, "x"), *y = sf_api_arg(c, "y");
    if (sf_arg_is_none(x) != sf_arg_is_none(y)) {
        return sf_api_value_error(c, "x and y must both be non-None or both be None.");
    }
    if (sf_arg_is_none(x)) {
        SF_TRY(
            sf_api_tensor_named(c, sf_api_arg(c, "condition"), SF_DT_INVALID, "condition", &in[0]));
        return sf_compose_unary(c, "Where", name, in[0], out);
    }
    const char *const names[] = {"condition", "t", "e"};
    const SfArg args[] = {*sf_api_arg(c, "condition"), *x, *y};
    SF_TRY(sf_api_raw(c, sf_op_find(op), name, names, args, 3));
    *out = c->results[0];
    return SF_OK;
}

/* strided_slice */
static SfStatus body_strided_slice(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor in[4];
    SF_TRY(sf_compose_arg(c, "input_", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "begin", SF_DT_INT32, &in[1]));
    SF_TRY(sf_compose_arg_hint(c, "end", in[1].dtype, &in[2]));
    if (sf_arg_is_none(sf_api_arg(c, "strides"))) {
        const SfShape *shape = in[1].shape;
        const SfValue *ones =
            sf_shape_is_known(shape) ? sf_value_fill(in[1].dtype, shape, sf_elem_int(1)) : NULL;
        SF_TRY(ones ? sf_api_const_value(c, ones, "ones_like", &in[3])
                    : sf_compose_unary(c, "OnesLike", NULL, in[1], &in[3]));
    } else {
        SF_TRY(sf_compose_arg_hint(c, "strides", in[1].dtype, &in[3]));
    }
    const char *const masks[] = {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
                                 "shrink_axis_mask"};
    SfAttrArg attrs[SF_ARRAY_LEN(masks)];
    for (int i = 0; i < SF_ARRAY_LEN(masks); i++) {
        int64_t mask = 0;
        SF_TRY(sf_api_int(c, masks[i], &mask));
        attrs[i] = (SfAttrArg)SF_AINT(masks[i], mask);
    }
    return sf_api_op(c, "StridedSlice", name, in, 4, attrs, SF_ARRAY_LEN(attrs), out);
}

/* sorting */
/* TopKV2 along the last axis, of all its elements; ascending order is that of the negated values.
 */
static SfStatus sort_last(SfCall *c, SfTensor x, bool descending, bool indices, SfTensor *out)
{
    SfTensor shape, in[2] = {x}, outs[2];
    int nout = 0;
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_vector_item(c, shape, -1, NULL, &in[1]));
    if (!descending) {
        SF_TRY(sf_compose_unary(c, "Neg", NULL, x, &in[0]));
    }
    SF_TRY(sf_api_op_multi(c, "TopKV2", NULL, in, 2, NULL, NULL, 0, outs, 2, &nout));
    *out = outs[indices];
    return descending || indices ? SF_OK : sf_compose_unary(c, "Neg", NULL, *out, out);
}

/* Another axis changes places with the last one, there and back. */
static SfStatus body_sort(SfCall *c, const char *scope, SfTensor *out)
{
    const bool indices = strcmp(c->sig->row->data, "argsort") == 0;
    const char *direction = "ASCENDING";
    SfTensor x;
    int64_t axis = -1;
    SF_TRY(sf_compose_arg(c, "values", &x));
    SF_TRY(sf_api_int(c, "axis", &axis));
    SF_TRY(sf_api_string(c, "direction", &direction));
    const int rank = sf_tensor_rank(x);
    if (rank >= 0 && (axis < -rank || axis >= rank)) {
        return sf_api_shape_error(c, "axis = %lld not in [%lld, %lld)", (long long)axis,
                                  (long long)-rank, (long long)rank);
    }
    const bool descending = direction[0] == 'D';
    if (rank < 0 || axis == -1 || axis == rank - 1) {
        return sort_last(c, x, descending, indices, out);
    }
    int64_t *perm = sf_arena_alloc(c->arena, sizeof *perm * (size_t)rank);
    SF_TRY_ALLOC(perm);
    for (int i = 0; i < rank; i++) {
        perm[i] = i;
    }
    perm[axis < 0 ? axis + rank : axis] = rank - 1;
    perm[rank - 1] = axis < 0 ? axis + rank : axis;
    SF_TRY(sf_compose_transpose(c, x, perm, rank, "transpose", &x));
    SF_TRY(sort_last(c, x, descending, indices, out));
    return sf_compose_transpose(c, *out, perm, rank, "transpose", out);
}

/* LowerBound and UpperBound search rows: tensors of another rank are flattened to rows, and the
 * result is reshaped back. */
static SfStatus body_searchsorted(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2], last, dims[2], shape, wanted;
    SfDtype type = SF_DT_INT32;
    const char *side = "left";
    const char *const params[] = {"sorted_sequence", "values"};
    SF_TRY(sf_api_dtype(c, "out_type", &type));
    SF_TRY(sf_api_string(c, "side", &side));
    for (int i = 0; i < 2; i++) {
        SF_TRY(sf_compose_arg(c, params[i], &in[i]));
        SF_TRY(sf_compose_shape(c, in[i], SF_DT_INT32, NULL, &shape));
        SF_TRY(sf_compose_vector_item(c, shape, -1, NULL, &last));
        SF_TRY(sf_api_const_int(c, -1, SF_DT_INT32, NULL, &dims[0]));
        dims[1] = last;
        SF_TRY(sf_compose_pack(c, dims, 2, 0, NULL, &wanted));
        SF_TRY(sf_compose_binary(c, "Reshape", NULL, in[i], wanted, &in[i]));
    }
    const SfAttrArg attrs[] = {SF_ATYPE("out_type", type)};
    SF_TRY(sf_api_op(c, side[0] == 'l' ? "LowerBound" : "UpperBound", NULL, in, 2, attrs, 1, out));
    return sf_compose_binary(c, "Reshape", scope, *out, shape, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.gather", SF_TF1,
     "params, indices, validate_indices=None, name=None, axis=None, batch_dims=0",
     SF_PLAIN(body_gather)},
    {"tf.gather", SF_TF2,
     "params, indices, validate_indices=None, axis=None, batch_dims=0, name=None",
     SF_PLAIN(body_gather)},
    {"tf.batch_gather", SF_TF1, "params, indices, name=None",
     SF_SCOPED("BatchGather", body_batch_gather)},
    {"tf.gather_nd tf.manip.gather_nd", SF_TF1,
     "params, indices, name=None, batch_dims=0, bad_indices_policy=''", SF_PLAIN(body_gather_nd)},
    {"tf.gather_nd", SF_TF2, "params, indices, batch_dims=0, name=None, bad_indices_policy=''",
     SF_PLAIN(body_gather_nd)},
    {"tf.boolean_mask", SF_TF1, "tensor, mask, name='boolean_mask', axis=None",
     SF_SCOPED("boolean_mask", body_boolean_mask)},
    {"tf.boolean_mask", SF_TF2, "tensor, mask, axis=None, name='boolean_mask'",
     SF_SCOPED("boolean_mask", body_boolean_mask)},
    {"tf.where", SF_TF1, "condition, x=None, y=None, name=None",
     SF_PLAIN(body_where), .data = "Select"},
    {"tf.where_v2", SF_TF1, "condition, x=None, y=None, name=None",
     SF_PLAIN(body_where), .data = "SelectV2"},
    {"tf.where", SF_TF2, "condition, x=None, y=None, name=None",
     SF_PLAIN(body_where), .data = "SelectV2"},
    {"tf.select", SF_TF1, "condition, t, e, name=None", .op = "Select", .until = SF_VERSION(1, 0)},
    {"tf.slice", SF_TF12, "input_, begin, size, name=None",
     .op = "Slice", .rename = "input_=input"},
    {"tf.strided_slice", SF_TF12,
     "input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, "
     "new_axis_mask=0, shrink_axis_mask=0, var=None, name=None", SF_PLAIN(body_strided_slice)},
    {"tf.sort", SF_TF12, "values, axis=-1, direction='ASCENDING', name=None",
     SF_SCOPED("sort", body_sort), .data = "sort"},
    {"tf.argsort", SF_TF12, "values, axis=-1, direction='ASCENDING', stable=False, name=None",
     SF_SCOPED("argsort", body_sort), .data = "argsort"},
    {"tf.searchsorted", SF_TF12,
     "sorted_sequence, values, side='left', out_type=tf.int32, name=None",
     SF_SCOPED("searchsorted", body_searchsorted)},
    {"tf.tensor_scatter_nd_update", SF_TF12, "tensor, indices, updates, name=None",
     .op = "TensorScatterUpdate"},
    {"tf.tensor_scatter_update", SF_TF1, "tensor, indices, updates, name=None",
     .op = "TensorScatterUpdate"},
    {"tf.scatter_nd", SF_TF12, "indices, updates, shape, bad_indices_policy='', name=None",
     .op = "ScatterNd", .rename = "bad_indices_policy="},
    {"tf.manip.scatter_nd", SF_TF1, "indices, updates, shape, bad_indices_policy='', name=None",
     .op = "ScatterNd", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_nd_add", SF_TF12,
     "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterAdd", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_add", SF_TF1, "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterAdd", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_nd_max", SF_TF12,
     "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterMax", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_nd_min", SF_TF12,
     "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterMin", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_nd_sub", SF_TF12,
     "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterSub", .rename = "bad_indices_policy="},
    {"tf.tensor_scatter_sub", SF_TF1, "tensor, indices, updates, bad_indices_policy='', name=None",
     .op = "TensorScatterSub", .rename = "bad_indices_policy="},
};
/* clang-format on */
const SfApiTable sf_api_index = {rows, SF_ARRAY_LEN(rows), "index"};
