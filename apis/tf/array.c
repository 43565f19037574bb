/* Tensors rearranged: reshape, transpose, squeeze, concat, stack, split, pad, tile, diagonals. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <ctype.h>
#include <string.h>

enum { ARGS_MAX = 12 };

/* transpose */
/* rank - 1, ..., 0: a constant when the rank is known. */
static SfStatus reversed_axes(SfCall *c, SfTensor x, SfTensor *out)
{
    const int rank = sf_tensor_rank(x);
    if (rank < 0) {
        SfTensor last, range[3];
        SF_TRY(sf_compose_unary(c, "Rank", NULL, x, &range[1]));
        SF_TRY(sf_compose_binary_const(c, "Sub", "sub", range[1], 1, &last));
        SF_TRY(sf_compose_scalar(c, 0, SF_DT_INT32, "Range/start", &range[0]));
        SF_TRY(sf_compose_scalar(c, 1, SF_DT_INT32, "Range/delta", &range[2]));
        SF_TRY(sf_api_op(c, "Range", "Range", range, 3, NULL, 0, out));
        return sf_compose_binary(c, "Sub", "sub_1", last, *out, out);
    }
    int64_t *perm = sf_arena_alloc(c->arena, sizeof *perm * (size_t)(rank + 1));
    SF_TRY_ALLOC(perm);
    for (int i = 0; i < rank; i++) {
        perm[i] = rank - 1 - i;
    }
    return sf_api_const_ints(c, perm, rank, SF_DT_INT32, "perm", out);
}

static SfStatus body_transpose(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    bool conjugate = false;
    SF_TRY(sf_compose_arg(c, "a", &in[0]));
    SF_TRY(sf_api_bool(c, "conjugate", &conjugate));
    if (sf_arg_is_none(sf_api_arg(c, "perm"))) {
        SF_TRY(reversed_axes(c, in[0], &in[1]));
    } else {
        SF_TRY(sf_compose_arg_hint(c, "perm", SF_DT_INT32, &in[1]));
    }
    const bool conj = conjugate && sf_dtype_is_complex(sf_tensor_dtype(in[0]));
    return sf_api_op(c, conj ? "ConjugateTranspose" : "Transpose", scope, in, 2, NULL, 0, out);
}

/* The last two axes change places. */
static SfStatus body_matrix_transpose(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, "a", &x));
    const int rank = sf_tensor_rank(x);
    if (rank >= 0 && rank < 2) {
        return sf_api_is_v2(c)
                   ? sf_api_shape_error(c,
                                        "Argument `a` should be a (batch) matrix with rank >= 2.  "
                                        "Received `a` = %s with shape: %s",
                                        sf_arg_str(c, &c->args[0]), sf_shape_tuple_text(c, x.shape))
                   : sf_api_shape_error(c,
                                        "Argument 'a' should be a (batch) matrix, with rank >= 2.  "
                                        "Found: %s",
                                        sf_shape_tuple_text(c, x.shape));
    }
    if (rank < 0) { /* TensorFlow permutes at run time; what is known is that the rank stays */
        SfTensor axes, head, last[2], parts[2];
        SF_TRY(reversed_axes(c, x, &axes));
        SF_TRY(sf_compose_vector_slice(c, axes, 2, INT64_MAX, NULL, &head));
        SF_TRY(sf_compose_vector_item(c, axes, 0, NULL, &last[0]));
        SF_TRY(sf_compose_vector_item(c, axes, 1, NULL, &last[1]));
        SF_TRY(sf_compose_pack(c, last, 2, 0, NULL, &parts[1]));
        parts[0] = head;
        SF_TRY(sf_compose_concat(c, parts, 2, 0, NULL, &axes));
        return sf_compose_binary(c, "Transpose", "transpose", x, axes, out);
    }
    int64_t *perm = sf_arena_alloc(c->arena, sizeof *perm * (size_t)rank);
    SF_TRY_ALLOC(perm);
    for (int i = 0; i < rank; i++) {
        perm[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    }
    return sf_compose_transpose(c, x, perm, rank, "transpose", out);
}

/* The conjugate of a matrix, transposed. */
static SfStatus body_adjoint(SfCall *c, const char *scope, SfTensor *out)
{
    SF_TRY(body_matrix_transpose(c, scope, out));
    const bool complex = sf_dtype_is_complex(sf_tensor_dtype(*out));
    return complex ? sf_compose_unary(c, "Conj", NULL, *out, out) : SF_OK;
}

/* squeeze */
/* A single axis is a list of one. */
static SfStatus api_squeeze(SfCall *c)
{
    SfArg args[ARGS_MAX], one[ARGS_MAX];
    memcpy(args, c->args, sizeof *args * (size_t)c->sig->nparams);
    for (int i = 0; i < c->sig->nparams; i++) {
        const bool axis = c->sig->bind && c->sig->bind[i] <= -2;
        if (axis && !sf_arg_is_none(&args[i]) && args[i].kind != SF_ARG_LIST &&
            args[i].kind != SF_ARG_ARRAY) {
            one[i] = args[i];
            args[i] = (SfArg){.kind = SF_ARG_LIST, .u.list = {1, &one[i]}};
        }
    }
    return sf_api_apply(c, args);
}

/* concat, stack, unstack, split */
/* concat of one value is that value. */
static SfStatus body_concat_one(SfCall *c, const char *scope, SfTensor *out)
{
    const SfArg *values = sf_api_arg(c, "values");
    const SfArg *value = values->kind == SF_ARG_LIST ? &values->u.list.items[0] : values;
    SfTensor axis;
    SF_TRY(
        sf_api_tensor_named(c, sf_api_arg(c, c->sig->row->data), SF_DT_INT32, "concat_dim", &axis));
    if (sf_tensor_rank(axis) > 0) {
        return sf_api_shape_error(c, "Shape %s must have rank 0",
                                  sf_shape_tuple_text(c, axis.shape));
    }
    SF_TRY(sf_api_tensor(c, value, SF_DT_INVALID, out));
    const bool inner = sf_api_version(c) >= SF_VERSION(1, 9); /* concat/concat */
    return sf_compose_unary(c, "Identity", inner ? sf_api_name(c) : scope, *out, out);
}

static SfStatus api_concat(SfCall *c)
{
    const SfArg *values = sf_api_arg(c, "values");
    if (values->kind != SF_ARG_LIST || values->u.list.n == 1) {
        return sf_compose_scoped(c, "concat", body_concat_one);
    }
    return sf_api_apply(c, c->args);
}

static SfStatus check_stack_axis(SfCall *c, const SfArg *first)
{
    int64_t axis = 0;
    SfContent content = {0};
    SfApiError dropped;
    SF_TRY(sf_api_int(c, "axis", &axis));
    if (first->kind == SF_ARG_TENSOR) {
        content.shape = first->u.tensor.shape;
    } else if (sf_arg_has_tensor(first) ||
               sf_convert_content(c, first, SF_DT_INVALID, &content, &dropped) != SF_OK) {
        return SF_OK;
    }
    const int64_t rank = sf_shape_rank(content.shape);
    if (rank >= 0 && (axis < -rank - 1 || axis > rank)) {
        const char *fmt = sf_api_is_v2(c) ? "Argument `axis` = %lld not in range [%lld, %lld)"
                                          : "axis = %lld not in [%lld, %lld)";
        return sf_api_shape_error(c, fmt, (long long)axis, (long long)(-rank - 1),
                                  (long long)(rank + 1));
    }
    return SF_OK;
}

/* A list of plain numbers becomes one Const, as ops.convert_to_tensor makes it. */
static SfStatus api_stack(SfCall *c)
{
    const SfArg *values = sf_api_arg(c, "values"), *axis = sf_api_arg(c, "axis");
    const bool at_front = axis->kind == SF_ARG_INT && axis->u.i == 0;
    SfContent content;
    SfApiError dropped;
    if (at_front && !sf_arg_has_tensor(values) &&
        sf_convert_content(c, values, SF_DT_INVALID, &content, &dropped) == SF_OK) {
        SfTensor out;
        SF_TRY(
            sf_convert_const(c, content.dtype, content.shape, content.value, sf_api_name(c), &out));
        sf_return_tensor(c, out);
        return SF_OK;
    }
    if (at_front && values->kind == SF_ARG_TENSOR) {
        sf_return_tensor(c, values->u.tensor);
        return SF_OK;
    }
    if (values->kind == SF_ARG_LIST && values->u.list.n > 0) {
        SF_TRY(check_stack_axis(c, &values->u.list.items[0]));
    }
    return sf_api_apply(c, c->args);
}

static SfStatus cannot_infer_num(SfCall *c, const char *shape)
{
    return sf_api_shape_error(c,
                              sf_api_is_v2(c) ? "Cannot infer argument `num` from shape %s"
                                              : "Cannot infer num from shape %s",
                              shape);
}

/* value, num, axis, name */
static SfStatus api_unstack(SfCall *c)
{
    enum { VALUE, NUM, AXIS };
    SfArg args[ARGS_MAX];
    SfTensor x;
    int64_t axis = 0;
    memcpy(args, c->args, sizeof *args * (size_t)c->sig->nparams);
    if (sf_arg_is_none(&args[NUM])) {
        SF_TRY(sf_api_tensor(c, &args[VALUE], SF_DT_INVALID, &x));
        SF_TRY(sf_api_int(c, "axis", &axis));
        const int64_t rank = sf_tensor_rank(x);
        if (rank >= 0 && (axis < -rank || axis >= rank)) {
            return sf_api_shape_error(c,
                                      sf_api_is_v2(c)
                                          ? "Argument `axis` = %lld not in range [%lld, %lld)"
                                          : "axis = %lld not in [%lld, %lld)",
                                      (long long)axis, (long long)-rank, (long long)rank);
        }
        const SfDim n = sf_shape_dim(x.shape, (int)axis);
        if (rank < 0 || !sf_dim_is_known(n)) {
            return sf_tensor_is_unmodelled(&x, SF_UNMODELLED_SHAPE)
                       ? SF_UNMODELLED
                       : cannot_infer_num(c, sf_shape_tuple_text(c, x.shape));
        }
        args[VALUE] = (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = x};
        args[NUM] = (SfArg){.kind = SF_ARG_INT, .u.i = n};
    }
    SF_TRY(sf_api_apply(c, args));
    c->form = SF_RESULT_LIST;
    return SF_OK;
}

static bool is_count(const SfCall *c, const SfArg *a)
{
    if (a->kind == SF_ARG_INT || a->kind == SF_ARG_DIM || a->kind == SF_ARG_BOOL) {
        return true;
    }
    const bool scalar = a->kind == SF_ARG_ARRAY && sf_shape_rank(a->u.array.shape) == 0 &&
                        sf_dtype_is_integer(a->u.array.dtype);
    return scalar && c->b->version != SF_VERSION(1, 15);
}

static SfStatus split_evenly(SfCall *c, const SfArg *value, const SfArg *axis, const SfArg *num)
{
    const char *const names[] = {"split_dim", "value", "num_split"};
    const SfArg args[] = {*axis, *value, *num};
    const SfOpSig *op = sf_op_find("Split");
    SF_TRY(sf_api_raw(c, op, sf_api_name(c), names, args, 3));
    c->form = SF_RESULT_LIST;
    return SF_OK;
}

/* `sizes`: a number of equal parts, or the size of each */
static SfStatus split_by(SfCall *c, const SfArg *sizes, const SfArg *axis)
{
    const SfArg *value = sf_api_arg(c, "value"), *num = sf_api_arg(c, "num");
    SfTensor t;
    if (is_count(c, sizes)) {
        return split_evenly(c, value, axis, sizes);
    }
    SF_TRY(sf_api_tensor(c, sizes, SF_DT_INVALID, &t));
    if (sf_tensor_rank(t) == 0) {
        if (c->b->version < SF_VERSION(1, 9)) {
            return cannot_infer_num(c, sf_arg_str(c, sizes));
        }
        return sf_api_shape_error(c,
                                  "Rank-0 tensors are not supported as the num_or_size_splits "
                                  "argument to split. Argument provided: %s",
                                  sf_arg_str(c, sizes));
    }
    const SfDim n = sf_shape_dim(t.shape, 0);
    if (sf_arg_is_none(num) && !sf_dim_is_known(n)) {
        return cannot_infer_num(c, sf_arg_str(c, sizes));
    }
    const char *const names[] = {"value", "size_splits", "split_dim", "num_split"};
    const SfArg args[] = {*value,
                          {.kind = SF_ARG_TENSOR, .u.tensor = t},
                          *axis,
                          sf_arg_is_none(num) ? (SfArg){.kind = SF_ARG_INT, .u.i = n} : *num};
    SF_TRY(sf_api_raw(c, sf_op_find("SplitV"), sf_api_name(c), names, args, 4));
    c->form = SF_RESULT_LIST;
    return SF_OK;
}

static SfStatus api_split(SfCall *c)
{
    return split_by(c, sf_api_arg(c, "num_or_size_splits"), sf_api_arg(c, "axis"));
}

static SfStatus api_split_v(SfCall *c)
{
    return split_by(c, sf_api_arg(c, "size_splits"), sf_api_arg(c, "split_dim"));
}

/* tf.split before 1.0: split_dim, num_split, value */
static SfStatus api_split_old(SfCall *c)
{
    return split_evenly(c, sf_api_arg(c, "value"), sf_api_arg(c, "split_dim"),
                        sf_api_arg(c, "num_split"));
}

/* pad */
static bool is_zero(const SfArg *a)
{
    int64_t i = 0;
    return a->kind != SF_ARG_TENSOR && !(a->kind == SF_ARG_FLOAT && a->u.f != 0) &&
           sf_arg_as_int(a, &i) && i == 0;
}

static const char *upper_case(const SfCall *c, const char *text)
{
    char *copy = sf_arena_copy(c->arena, text, strlen(text) + 1);
    for (char *p = copy; p && *p != '\0'; p++) {
        *p = (char)toupper((unsigned char)*p);
    }
    return copy ? copy : text;
}

static SfStatus body_pad(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor in[3];
    const char *mode = "CONSTANT";
    SF_TRY(sf_api_string(c, "mode", &mode));
    SF_TRY(sf_compose_arg(c, "tensor", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "paddings", SF_DT_INT32, &in[1]));
    if (mode[0] == 'C' || mode[0] == 'c') {
        const SfArg *value = sf_api_arg(c, "constant_values");
        if (is_zero(value)) {
            return sf_compose_binary(c, "Pad", name, in[0], in[1], out);
        }
        SF_TRY(sf_compose_arg_as(c, "constant_values", in[0].dtype, &in[2]));
        return sf_api_op(c, "PadV2", name, in, 3, NULL, 0, out);
    }
    const bool reflect = mode[0] == 'R' || mode[0] == 'r';
    if (!reflect && mode[0] != 'S' && mode[0] != 's') {
        return sf_api_value_error(
            c,
            sf_api_is_v2(c) ? "Value of argument `mode` expected to be one of \"CONSTANT\", "
                              "\"REFLECT\", or \"SYMMETRIC\". Received `mode` = %s"
                            : "Unknown padding mode: %s",
            sf_api_is_v2(c) ? mode : upper_case(c, mode));
    }
    const SfAttrArg attrs[] = {
        {.name = "mode", .value = sf_attr_make_string(reflect ? "REFLECT" : "SYMMETRIC")}};
    return sf_api_op(c, "MirrorPad", name, in, 2, attrs, 1, out);
}

/* space and batch */
/* block_size b stands for block_shape [b, b]; from TensorFlow 2 block_shape may be a number. */
static SfStatus block_shape(SfCall *c, SfTensor *out)
{
    const SfArg *size = sf_api_arg(c, "block_size"), *shape = sf_api_arg(c, "block_shape");
    const SfArg *a = sf_arg_is_none(size) ? shape : size;
    int64_t b = 0;
    if (a->kind != SF_ARG_LIST && a->kind != SF_ARG_TENSOR && sf_arg_as_int(a, &b)) {
        const int64_t pair[] = {b, b};
        return sf_api_const_ints(c, pair, 2, SF_DT_INT64, "block_shape", out);
    }
    return sf_api_tensor_hint(c, a, SF_DT_INT32, "block_shape", out);
}

static SfStatus body_space_batch(SfCall *c, const char *name, SfTensor *out)
{
    const char *op = c->sig->row->data;
    SfTensor in[3];
    SF_TRY(sf_compose_arg(c, "input", &in[0]));
    SF_TRY(block_shape(c, &in[1]));
    SF_TRY(sf_compose_arg_hint(c, op[0] == 'S' ? "paddings" : "crops", SF_DT_INT32, &in[2]));
    return sf_api_op(c, op, name, in, 3, NULL, 0, out);
}

/* diagonals */
static bool plain_diagonal(const SfCall *c)
{
    const SfArg *k = sf_api_arg(c, "k");
    int64_t rows = -1, cols = -1;
    sf_arg_as_int(sf_api_arg(c, "num_rows"), &rows);
    sf_arg_as_int(sf_api_arg(c, "num_cols"), &cols);
    return (sf_arg_is_none(k) || is_zero(k)) && rows == -1 && cols == -1;
}

/* Makes a matrix of a diagonal, takes one from a matrix or sets one in it, as the parameters say;
 * with a band, the third version of the op. */
static SfStatus body_matrix_diag(SfCall *c, const char *name, SfTensor *out)
{
    const char *op = c->sig->row->data;
    const SfArg *diagonal = sf_api_arg(c, "diagonal");
    const bool made = diagonal == &c->args[0], set = diagonal == &c->args[1];
    SfTensor in[5];
    int n = 1;
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, made ? "diagonal" : "input", &in[0]));
    if (set) {
        SF_TRY(sf_compose_arg_as(c, "diagonal", in[0].dtype, &in[n++]));
    }
    const bool v3 = set && sf_api_version(c) >= SF_VERSION(2, 0);
    if (plain_diagonal(c) && !v3) {
        return sf_api_op(c, op, name, in, n, NULL, 0, out);
    }
    SF_TRY(sf_compose_arg_as(c, "k", SF_DT_INT32, &in[n++]));
    if (made) {
        SF_TRY(sf_compose_arg_as(c, "num_rows", SF_DT_INT32, &in[n++]));
        SF_TRY(sf_compose_arg_as(c, "num_cols", SF_DT_INT32, &in[n++]));
    }
    if (!set) {
        SF_TRY(sf_compose_arg_as(c, "padding_value", in[0].dtype, &in[n++]));
    }
    const char *banded = sf_arena_printf(c->arena, "%sV3", op);
    return !banded ? SF_NOMEM : sf_api_op(c, banded, name, in, n, NULL, 0, out);
}

/* repeat */
/* Each slice along `axis`, `repeats` times: a dim [n] beside it, tiled and folded in. */
static SfStatus repeat_evenly(SfCall *c, SfTensor x, SfTensor repeats, int64_t axis, SfTensor *out)
{
    const int rank = sf_tensor_rank(x);
    SfTensor *ones = sf_arena_alloc(c->arena, sizeof *ones * (size_t)(rank + 2));
    SfTensor shape, dims, parts[3], size;
    SF_TRY_ALLOC(ones);
    SF_TRY(sf_compose_cast(c, repeats, SF_DT_INT32, NULL, &repeats));
    for (int i = 0; i <= rank; i++) {
        SF_TRY(sf_api_const_int(c, 1, SF_DT_INT32, NULL, &ones[i]));
    }
    ones[axis + 1] = repeats;
    SF_TRY(sf_compose_pack(c, ones, rank + 1, 0, NULL, &dims));
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_expand_dims(c, x, axis + 1, NULL, &x));
    SF_TRY(sf_compose_binary(c, "Tile", NULL, x, dims, &x));
    SF_TRY(sf_compose_vector_slice(c, shape, 0, axis, NULL, &parts[0]));
    SF_TRY(sf_compose_vector_item(c, shape, axis, NULL, &size));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, size, repeats, &size));
    SF_TRY(sf_compose_pack(c, &size, 1, 0, NULL, &parts[1]));
    SF_TRY(sf_compose_vector_slice(c, shape, axis + 1, INT64_MAX, NULL, &parts[2]));
    SF_TRY(sf_compose_concat(c, parts, 3, 0, NULL, &shape));
    return sf_compose_binary(c, "Reshape", NULL, x, shape, out);
}

/* Different counts: a gather whose indices repeat; their number is the sum of the counts. */
static SfStatus repeat_by_gather(SfCall *c, SfTensor x, SfTensor repeats, int64_t axis,
                                 SfTensor *out)
{
    enum { MOST = 4096 };
    const SfValue *v = repeats.value;
    int64_t indices[MOST];
    int n = 0;
    bool known = v && sf_value_is_exact(v);
    for (int64_t i = 0; known && i < sf_value_count(v); i++) {
        const int64_t times = sf_value_elem(v, i).u.i;
        known = times >= 0 && times <= MOST - n;
        for (int64_t k = 0; known && k < times; k++) {
            indices[n++] = i;
        }
    }
    SfTensor in[3] = {x};
    if (known) {
        SF_TRY(sf_api_const_ints(c, indices, n, SF_DT_INT32, NULL, &in[1]));
    } else {
        const int64_t flat = -1;
        SF_TRY(sf_compose_cast(c, repeats, SF_DT_BOOL, NULL, &in[1]));
        SF_TRY(sf_compose_unary(c, "Where", NULL, in[1], &in[1]));
        SF_TRY(sf_compose_reshape(c, in[1], &flat, 1, NULL, &in[1]));
    }
    SF_TRY(sf_api_const_int(c, axis, SF_DT_INT32, "axis", &in[2]));
    return sf_api_op(c, "GatherV2", NULL, in, 3, NULL, 0, out);
}

static SfStatus body_repeat(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, repeats;
    int64_t axis = 0;
    SF_TRY(sf_compose_arg(c, "input", &x));
    SF_TRY(sf_compose_arg_hint(c, "repeats", SF_DT_INT32, &repeats));
    if (sf_arg_is_none(sf_api_arg(c, "axis")) || sf_tensor_rank(x) == 0) {
        const int64_t flat = -1;
        SF_TRY(sf_compose_reshape(c, x, &flat, 1, NULL, &x));
    } else {
        SF_TRY(sf_api_int(c, "axis", &axis));
    }
    const int rank = sf_tensor_rank(x);
    const int64_t at = axis < 0 ? axis + rank : axis;
    const bool one =
        sf_tensor_rank(repeats) == 0 ||
        (sf_tensor_rank(repeats) == 1 && sf_dim_always(sf_shape_dim(repeats.shape, 0), 1));
    if (rank < 0 || at < 0 || at >= rank || !one) {
        return repeat_by_gather(c, x, repeats, axis, out);
    }
    if (sf_tensor_rank(repeats) == 1) {
        SF_TRY(sf_compose_reshape(c, repeats, NULL, 0, NULL, &repeats));
    }
    return repeat_evenly(c, x, repeats, at, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.reshape", SF_TF12, "tensor, shape, name=None", .op = "Reshape"},
    {"tf.manip.reshape", SF_TF1, "tensor, shape, name=None", .op = "Reshape"},
    {"tf.transpose", SF_TF1, "a, perm=None, name='transpose', conjugate=False",
     SF_SCOPED("transpose", body_transpose)},
    {"tf.transpose", SF_TF2, "a, perm=None, conjugate=False, name='transpose'",
     SF_SCOPED("transpose", body_transpose)},
    {"tf.linalg.matrix_transpose", SF_TF12, "a, name='matrix_transpose', conjugate=False",
     SF_SCOPED("matrix_transpose", body_matrix_transpose), .data = "matrix_transpose"},
    {"tf.matrix_transpose tf.linalg.transpose", SF_TF1,
     "a, name='matrix_transpose', conjugate=False",
     SF_SCOPED("matrix_transpose", body_matrix_transpose), .data = "matrix_transpose"},
    {"tf.linalg.adjoint", SF_TF12, "matrix, name=None", SF_SCOPED("adjoint", body_adjoint)},
    {"tf.expand_dims", SF_TF1, "input, axis=None, name=None, dim=None",
     .op = "ExpandDims", .rename = "axis=dim dim=dim"},
    {"tf.expand_dims", SF_TF2, "input, axis, name=None", .op = "ExpandDims", .rename = "axis=dim"},
    {"tf.squeeze", SF_TF1, "input, axis=None, name=None, squeeze_dims=None",
     .op = "Squeeze", .call = api_squeeze, .rename = "axis=squeeze_dims squeeze_dims=squeeze_dims"},
    {"tf.squeeze", SF_TF2, "input, axis=None, name=None",
     .op = "Squeeze", .call = api_squeeze, .rename = "axis=squeeze_dims"},
    {"tf.concat", SF_TF1, "concat_dim, values, name='concat'",
     .op = "ConcatV2", .call = api_concat, .rename = "concat_dim=axis", .data = "concat_dim",
     .until = SF_VERSION(1, 0)},
    {"tf.concat", SF_TF12, "values, axis, name='concat'",
     .op = "ConcatV2", .call = api_concat, .data = "axis", .since = SF_VERSION(1, 0)},
    {"tf.concat_v2", SF_TF1, "values, axis, name='concat_v2'",
     .op = "ConcatV2", .call = api_concat, .data = "axis", .until = SF_VERSION(1, 1)},
    {"tf.stack", SF_TF12, "values, axis=0, name='stack'", .op = "Pack", .call = api_stack},
    {"tf.unstack", SF_TF12, "value, num=None, axis=0, name='unstack'",
     .op = "Unpack", .call = api_unstack},
    {"tf.pack", SF_TF1, "values, axis=0, name='pack'",
     .op = "Pack", .call = api_stack, .until = SF_VERSION(1, 0)},
    {"tf.unpack", SF_TF1, "value, num=None, axis=0, name='unpack'",
     .op = "Unpack", .call = api_unstack, .until = SF_VERSION(1, 0)},
    {"tf.parallel_stack", SF_TF12, "values, name='parallel_stack'", .op = "Pack"},
    {"tf.split", SF_TF1, "split_dim, num_split, value, name='split'",
     .call = api_split_old, .until = SF_VERSION(1, 0)},
    {"tf.split", SF_TF12, "value, num_or_size_splits, axis=0, num=None, name='split'",
     .call = api_split, .since = SF_VERSION(1, 0)},
    {"tf.split_v", SF_TF1, "value, size_splits, split_dim=0, num=None, name='split_v'",
     .call = api_split_v, .until = SF_VERSION(1, 0)},
    {"tf.pad", SF_TF1, "tensor, paddings, mode='CONSTANT', name=None, constant_values=0",
     SF_PLAIN(body_pad)},
    {"tf.pad", SF_TF2, "tensor, paddings, mode='CONSTANT', constant_values=0, name=None",
     SF_PLAIN(body_pad)},
    {"tf.identity", SF_TF12, "input, name=None", .op = "Identity"},
    {"tf.stop_gradient", SF_TF12, "input, name=None", .op = "StopGradient"},
    {"tf.guarantee_const", SF_TF12, "input, name=None", .op = "Identity"},
    {"tf.ensure_shape", SF_TF12, "x, shape, name=None", .op = "EnsureShape", .rename = "x=input"},
    {"tf.depth_to_space tf.nn.depth_to_space", SF_TF1,
     "input, block_size, name=None, data_format='NHWC'", .op = "DepthToSpace"},
    {"tf.nn.depth_to_space", SF_TF2, "input, block_size, data_format='NHWC', name=None",
     .op = "DepthToSpace"},
    {"tf.space_to_depth tf.nn.space_to_depth", SF_TF1,
     "input, block_size, name=None, data_format='NHWC'", .op = "SpaceToDepth"},
    {"tf.nn.space_to_depth", SF_TF2, "input, block_size, data_format='NHWC', name=None",
     .op = "SpaceToDepth"},
    {"tf.space_to_batch tf.nn.space_to_batch", SF_TF1,
     "input, paddings, block_size=None, name=None, block_shape=None",
     SF_PLAIN(body_space_batch), .data = "SpaceToBatchND"},
    {"tf.space_to_batch tf.nn.space_to_batch", SF_TF2, "input, block_shape, paddings, name=None",
     SF_PLAIN(body_space_batch), .data = "SpaceToBatchND"},
    {"tf.batch_to_space", SF_TF1, "input, crops, block_size, name=None, block_shape=None",
     SF_PLAIN(body_space_batch), .data = "BatchToSpaceND"},
    {"tf.batch_to_space", SF_TF2, "input, block_shape, crops, name=None",
     SF_PLAIN(body_space_batch), .data = "BatchToSpaceND"},
    {"tf.reverse_sequence", SF_TF1,
     "input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, "
     "batch_dim=None", .op = "ReverseSequence", .rename = "seq_axis=seq_dim batch_axis=batch_dim"},
    {"tf.reverse_sequence", SF_TF2,
     "input, seq_lengths, seq_axis=None, batch_axis=None, name=None",
     .op = "ReverseSequence", .rename = "seq_axis=seq_dim batch_axis=batch_dim"},
    {"tf.matrix_diag tf.linalg.diag", SF_TF1, "diagonal, name=None",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiag", .until = SF_VERSION(1, 15)},
    {"tf.matrix_diag_part tf.linalg.diag_part", SF_TF1, "input, name=None",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiagPart", .until = SF_VERSION(1, 15)},
    {"tf.matrix_set_diag tf.linalg.set_diag", SF_TF1, "input, diagonal, name=None",
     SF_PLAIN(body_matrix_diag), .data = "MatrixSetDiag", .until = SF_VERSION(1, 15)},
    {"tf.linalg.diag", SF_TF12,
     "diagonal, name='diag', k=0, num_rows=-1, num_cols=-1, padding_value=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiag", .since = SF_VERSION(1, 15)},
    {"tf.matrix_diag", SF_TF1,
     "diagonal, name='diag', k=0, num_rows=-1, num_cols=-1, padding_value=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiag", .since = SF_VERSION(1, 15)},
    {"tf.linalg.diag_part", SF_TF12,
     "input, name='diag_part', k=0, padding_value=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiagPart", .since = SF_VERSION(1, 15)},
    {"tf.matrix_diag_part", SF_TF1,
     "input, name='diag_part', k=0, padding_value=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixDiagPart", .since = SF_VERSION(1, 15)},
    {"tf.linalg.set_diag", SF_TF12, "input, diagonal, name='set_diag', k=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixSetDiag", .since = SF_VERSION(1, 15)},
    {"tf.matrix_set_diag", SF_TF1, "input, diagonal, name='set_diag', k=0, align='RIGHT_LEFT'",
     SF_PLAIN(body_matrix_diag), .data = "MatrixSetDiag", .since = SF_VERSION(1, 15)},
    {"tf.linalg.tensor_diag_part", SF_TF12, "input, name=None", .op = "DiagPart"},
    {"tf.diag_part", SF_TF1, "input, name=None", .op = "DiagPart"},
    {"tf.repeat", SF_TF12, "input, repeats, axis=None, name=None",
     SF_SCOPED("Repeat", body_repeat)},
    {"tf.roll", SF_TF12, "input, shift, axis, name=None", .op = "Roll"},
    {"tf.manip.roll", SF_TF1, "input, shift, axis, name=None", .op = "Roll"},
    {"tf.unique", SF_TF12, "x, out_idx=tf.int32, name=None", .op = "Unique"},
    {"tf.unique_with_counts", SF_TF12, "x, out_idx=tf.int32, name=None", .op = "UniqueWithCounts"},
    {"tf.setdiff1d", SF_TF1, "x, y, index_dtype=tf.int32, name=None",
     .op = "ListDiff", .rename = "index_dtype=out_idx"},
    {"tf.batch_to_space_nd tf.manip.batch_to_space_nd", SF_TF1,
     "input, block_shape, crops, name=None", .op = "BatchToSpaceND"},
    {"tf.bitcast", SF_TF12, "input, type, name=None", .op = "Bitcast"},
    {"tf.broadcast_to", SF_TF12, "input, shape, name=None", .op = "BroadcastTo"},
    {"tf.debugging.check_numerics", SF_TF12, "tensor, message, name=None", .op = "CheckNumerics"},
    {"tf.check_numerics", SF_TF1, "tensor, message, name=None", .op = "CheckNumerics"},
    {"tf.linalg.tensor_diag", SF_TF12, "diagonal, name=None", .op = "Diag"},
    {"tf.diag", SF_TF1, "diagonal, name=None", .op = "Diag"},
    {"tf.extract_volume_patches", SF_TF12, "input, ksizes, strides, padding, name=None",
     .op = "ExtractVolumePatches"},
    {"tf.identity_n", SF_TF12, "input, name=None", .op = "IdentityN"},
    {"tf.math.invert_permutation", SF_TF12, "x, name=None", .op = "InvertPermutation"},
    {"tf.invert_permutation", SF_TF1, "x, name=None", .op = "InvertPermutation"},
    {"tf.linalg.band_part", SF_TF12, "input, num_lower, num_upper, name=None",
     .op = "MatrixBandPart"},
    {"tf.matrix_band_part", SF_TF1, "input, num_lower, num_upper, name=None",
     .op = "MatrixBandPart"},
    {"tf.reverse", SF_TF12, "tensor, axis, name=None", .op = "ReverseV2"},
    {"tf.reverse_v2 tf.manip.reverse", SF_TF1, "tensor, axis, name=None", .op = "ReverseV2"},
    {"tf.space_to_batch_nd", SF_TF12, "input, block_shape, paddings, name=None",
     .op = "SpaceToBatchND"},
    {"tf.manip.space_to_batch_nd", SF_TF1, "input, block_shape, paddings, name=None",
     .op = "SpaceToBatchND"},
    {"tf.tile", SF_TF12, "input, multiples, name=None", .op = "Tile"},
    {"tf.manip.tile", SF_TF1, "input, multiples, name=None", .op = "Tile"},
    {"tf.dynamic_partition", SF_TF12, "data, partitions, num_partitions, name=None",
     .op = "DynamicPartition"},
    {"tf.dynamic_stitch", SF_TF12, "indices, data, name=None", .op = "DynamicStitch"},
    {"tf.quantization.fake_quant_with_min_max_args", SF_TF12,
     "inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxArgs"},
    {"tf.fake_quant_with_min_max_args", SF_TF1,
     "inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxArgs"},
    {"tf.quantization.fake_quant_with_min_max_args_gradient", SF_TF12,
     "gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxArgsGradient"},
    {"tf.fake_quant_with_min_max_args_gradient", SF_TF1,
     "gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxArgsGradient"},
    {"tf.quantization.fake_quant_with_min_max_vars", SF_TF12,
     "inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVars"},
    {"tf.fake_quant_with_min_max_vars", SF_TF1,
     "inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVars"},
    {"tf.quantization.fake_quant_with_min_max_vars_gradient", SF_TF12,
     "gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsGradient"},
    {"tf.fake_quant_with_min_max_vars_gradient", SF_TF1,
     "gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsGradient"},
    {"tf.quantization.fake_quant_with_min_max_vars_per_channel", SF_TF12,
     "inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsPerChannel"},
    {"tf.fake_quant_with_min_max_vars_per_channel", SF_TF1,
     "inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsPerChannel"},
    {"tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient", SF_TF12,
     "gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsPerChannelGradient"},
    {"tf.fake_quant_with_min_max_vars_per_channel_gradient", SF_TF1,
     "gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None",
     .op = "FakeQuantWithMinMaxVarsPerChannelGradient"},
};
/* clang-format on */
const SfApiTable sf_api_array = {rows, SF_ARRAY_LEN(rows), "array"};
