/* Tensors with some entries written: ScatterNd, TensorScatter*; and tensors taken apart and put
 * together by number: DynamicPartition, DynamicStitch. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/array/scatter_nd.h"

enum { CREATES = 1, OF_TENSOR }; /* variant: ScatterNd; TensorScatterUpdate and the like */

/* ScatterNd */

/* {0} {1} {2}: input, indices and updates; {3} {4}: where the inner axes of the input begin, and
 * its rank; {5} {6}: the same of the updates; {7}: how many inner axes there are; {8}: behind the
 * place's axis. */
static int scatter_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const bool creates = sf_op_variant(c) == CREATES; /* indices, updates, shape */
    const SfShape *shape = creates ? sf_value_as_shape(sf_input_value(c, 2)) : sf_input(c, 0);
    const SfShape *indices = sf_input(c, creates ? 0 : 1), *updates = sf_input(c, creates ? 1 : 2);
    const SfDim depth = sf_shape_dim(indices, -1);
    out[0] = SF_SHAPE_ARG(shape);
    out[1] = SF_SHAPE_ARG(indices);
    out[2] = SF_SHAPE_ARG(updates);
    out[3] = SF_DIM_ARG(depth);
    out[4] = SF_INT_ARG(sf_shape_rank(shape));
    out[5] = SF_INT_ARG(sf_shape_rank(indices) - 1);
    out[6] = SF_INT_ARG(sf_shape_rank(updates));
    out[7] = SF_INT_ARG(sf_shape_rank(shape) - (int)depth);
    out[8] = SF_INT_ARG(f->a.axis + 1);
    return 9;
}

#define SCATTER_RANKS(indices, updates)                                                            \
    {SF_ON(RANK_AT_LEAST), SF_OF(indices),                                                         \
     .text = "Indices shape must have rank at least one. Found:{a.shape}"},                        \
    {                                                                                              \
        SF_ON(RANK_AT_LEAST), SF_OF(updates),                                                      \
            .text = "Updates shape must have rank at least one. Found:{a.shape}"                   \
    }
#define OUTER_AXES                                                                                 \
    "Dimensions [0,{5}) of indices[shape={1}] must match dimensions [0,{5}) of updates[shape={2}]"
#define INNER_AXES                                                                                 \
    {                                                                                              \
        SF_ON_MERGE, .args = scatter_args,                                                         \
                     .text = "Dimensions [{3},{4}) of input[shape={0}] must match dimensions "     \
                             "[{5},{6}) of updates[shape={2}]"                                     \
    }
static const SfMessage scatter_nd_messages[] = {
    SCATTER_RANKS(0, 1),
    {SF_ON(OP_SHAPE), SF_OF(2),
     .text = "Indices and updates specified for empty output.  indices shape: {shape 0}"},
    {SF_ON_MERGE, SF_OF(0), .args = scatter_args, .text = OUTER_AXES},
    INNER_AXES,
    {0}};
static const SfMessage scatter_add_messages[] = {
    SCATTER_RANKS(1, 2),
    {SF_ON(OP_SHAPE), SF_OF(0),
     .text = "Indices and updates specified for empty output.  indices shape: {shape 1}"},
    {SF_ON(MERGE_RANK), SF_OF(1), .args = scatter_args, .text = OUTER_AXES},
    {SF_ON(MERGE_DIM), SF_OF(1), .args = scatter_args,
     .text = "Dimensions [{a.axis},{8}) of indices[shape={1}] = {a.dim} must match dimensions "
             "[{a.axis},{8}) of updates[shape={2}] = {b.dim}"},
    INNER_AXES,
    {0}};
static const SfMessage tensor_scatter_messages[] = {
    SCATTER_RANKS(1, 2),
    {SF_ON(OP_SHAPE), SF_OF(0), .text = "Indices and updates specified for empty output shape"},
    {SF_ON_MERGE, SF_OF(1),
     .text = "Outer dimensions of indices and update must match. Indices shape: {shape 1}, updates "
             "shape:{shape 2}"},
    {SF_ON(MERGE_RANK), .text = "Inner dimensions of output shape must match inner dimensions of "
                                "updates shape. Output: {shape 0} updates: {shape 2}"},
    {SF_ON(MERGE_DIM), .args = scatter_args,
     .text = "The inner {7} dimensions of output.shape={0} must match the inner {7} dimensions of "
             "updates.shape={2}"},
    {0}};

/* What kernels ask before they compare: the policy, and that rows name no more axes than there
 * are. */
static SfStatus check_scatter(SfInfer *c, int at, const SfShape *shape, int indices)
{
    static const char *const policies[] = {"", "DEFAULT", "ERROR", "IGNORE"};
    const char *policy = sf_attr_string(c, "bad_indices_policy");
    const SfShape *rows = sf_input(c, indices);
    bool known = false;
    for (int i = 0; i < SF_ARRAY_LEN(policies); i++) {
        known = known || strcmp(policy, policies[i]) == 0;
    }
    SF_TRY(sf_expect(c, known, SF_ATTR("bad_indices_policy"),
                     "Unknown bad indices handling attribute: {0}", SF_TEXT_ARG(policy)));
    const SfDim depth = sf_shape_rank(rows) > 0 ? sf_shape_dim(rows, -1) : SF_DIM_UNKNOWN;
    const bool updates = sf_shape_is_ranked(sf_input(c, indices + 1));
    if (sf_shape_is_ranked(shape) && updates && sf_dim_lower(depth) > sf_shape_rank(shape)) {
        return sf_fail(c, SF_DIAG_MERGE_RANK, SF_INPUT(at), SF_INPUT(indices), SF_DIM_ARG(depth),
                       SF_INT_ARG(sf_shape_rank(shape)));
    }
    return SF_OK;
}

/* Each row of known indices lies within the leading axes of `shape`. */
static SfStatus check_rows(SfInfer *c, int input, const SfShape *shape)
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, input) : NULL;
    const int64_t depth = !v ? 0 : sf_shape_dim(sf_value_shape(v), -1);
    if (strcmp(sf_attr_string(c, "bad_indices_policy"), "IGNORE") == 0) {
        return SF_OK; /* rows outside are dropped */
    }
    if (!sf_shape_is_known(shape) || depth < 1 || depth > sf_shape_rank(shape)) {
        return SF_OK;
    }
    const int64_t i = sf_common_stray_index(v, sf_shape_dims(shape), depth);
    if (i < 0) {
        return SF_OK;
    }
    const SfElem *row = &sf_value_elems(v)[i - i % depth];
    return sf_fail_with(c, SF_DIAG_INDEX_RANGE, SF_INPUT(input), SF_THE_OP,
                        "indices[{0}] = [{1}] does not index into shape {2}", SF_INT_ARG(i / depth),
                        SF_TEXT_ARG(sf_common_list_text(c, row, depth, ", ")), SF_SHAPE_ARG(shape));
}

/* ValidEmptyOutputShape: indices and updates are empty together. */
static SfStatus check_one_empty(SfInfer *c, int at)
{
    const SfDim indices = sf_shape_count(sf_input(c, at));
    const SfDim updates = sf_shape_count(sf_input(c, at + 1));
    if (sf_version(c) < SF_VERSION(2, 4) || !sf_dim_is_known(indices) ||
        !sf_dim_is_known(updates) || (indices == 0) == (updates == 0)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(at), SF_INPUT(at + 1),
                        "Indices and updates specified for empty output shape");
}

/* ScatterNd: updates at indices, zeros elsewhere, in the shape of input 2. */
static SfStatus infer_scatter_nd(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    if (sf_common_runs(c)) {
        SF_TRY(check_one_empty(c, 0));
    } else { /* from the rank alone, before the shape argument is read */
        const SfDim n = sf_input_dim(c, 2, 0);
        const bool fits = sf_dim_is_known(n) && n <= SF_RANK_MAX;
        SF_TRY(
            sf_scatter_nd_check(c, 2, fits ? sf_shape_of_rank((int)n) : sf_shape_unknown(), 0, 1));
    }
    SF_TRY(sf_want_dims_value(c, SF_INPUT(2), &out));
    SF_TRY(sf_scatter_nd_check(c, 2, out, 0, 1));
    SF_TRY(sf_common_runs(c) ? check_scatter(c, 2, out, 0) : SF_OK);
    SF_TRY(check_rows(c, 0, out));
    return sf_set_output_shape(c, 0, out);
}

/* TensorScatterUpdate...: the tensor of input 0 with updates at indices. */
static SfStatus infer_tensor_scatter(SfInfer *c)
{
    const bool runs = sf_common_runs(c);
    const bool modern = sf_version(c) >= SF_VERSION(2, 0);
    SF_TRY(sf_require_as(
        c, !runs || sf_shape_rank(sf_input(c, 0)) != 0 || sf_op_variant(c) == OF_TENSOR,
        SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
        "Output must be at least 1-D, got shape: []"));
    if (!runs && modern) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    }
    if (!runs && modern && sf_shape_rank(sf_input(c, 2)) == 0) {
        return sf_set_output_same(c, 0, 0); /* the shape function compares nothing with a scalar */
    }
    if (runs && sf_op_variant(c) == OF_TENSOR) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(2), 1, NULL));
        SF_TRY(check_one_empty(c, 1));
    }
    SF_TRY(sf_scatter_nd_check(c, 0, sf_input(c, 0), 1, 2));
    SF_TRY(runs ? check_scatter(c, 0, sf_input(c, 0), 1) : SF_OK);
    SF_TRY(check_rows(c, 1, sf_input(c, 0)));
    return sf_set_output_same(c, 0, 0);
}

/* All known: zeros (or the tensor) with rows written, or added where they meet. */
static void scatter(SfInfer *c, int indices_input, SfElem *out, bool adds)
{
    const SfValue *indices = sf_input_value(c, indices_input);
    const SfValue *updates = sf_input_value(c, indices_input + 1);
    const SfShape *shape = sf_output(c, 0);
    int64_t steps[SF_FOLD_RANK];
    const int64_t *rows;
    int count;
    if (!out || !indices || !updates || !sf_fold_strides(shape, steps) ||
        !sf_common_ints(c, indices_input, &rows, &count)) {
        return;
    }
    const int64_t depth = sf_shape_dim(sf_value_shape(indices), -1);
    if (depth < 1 || depth > sf_shape_rank(shape) ||
        sf_common_stray_index(indices, sf_shape_dims(shape), depth) >= 0) {
        return;
    }
    const int64_t inner = steps[depth - 1];
    for (int64_t i = 0; i < count / depth; i++) {
        int64_t at = 0;
        for (int k = 0; k < depth; k++) {
            at += rows[i * depth + k] * steps[k];
        }
        for (int64_t k = 0; k < inner; k++) {
            const SfElem e = sf_value_elem(updates, i * inner + k);
            const bool known = e.kind != SF_ELEM_UNKNOWN && out[at + k].kind != SF_ELEM_UNKNOWN;
            out[at + k] = !adds   ? e
                          : known ? sf_elem_add(out[at + k], e, sf_output_dtype(c, 0))
                                  : sf_elem_unknown();
        }
    }
    sf_fold_set_output(c, 0, out);
}

static void fold_scatter_nd(SfInfer *c)
{
    const SfDtype t = sf_output_dtype(c, 0);
    const bool known = sf_input_value(c, 0) && sf_input_value(c, 1);
    int64_t n;
    SfElem *out = known && (sf_dtype_is_integer(t) || sf_dtype_is_floating(t))
                      ? sf_fold_begin(c, 0, &n)
                      : NULL;
    for (int64_t i = 0; out && i < n; i++) {
        out[i] = sf_dtype_is_floating(t) ? sf_elem_float(0) : sf_elem_int(0);
    }
    scatter(c, 0, out, true);
}

static void scatter_into(SfInfer *c, bool adds)
{
    const SfValue *x = sf_input_value(c, 0);
    int64_t n;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    for (int64_t i = 0; out && i < n; i++) {
        out[i] = sf_value_elem(x, i);
    }
    scatter(c, 1, out, adds);
}

static void fold_scatter_update(SfInfer *c)
{
    scatter_into(c, false);
}

static void fold_scatter_add(SfInfer *c)
{
    scatter_into(c, true);
}

/* DynamicPartition */

#define PARTITION_SHAPES                                                                           \
    "data.shape must start with partitions.shape, got data.shape = {shape 0}, partitions.shape = " \
    "{shape 1}"
static const SfMessage partition_messages[] = {{SF_ON(DIM_EQUAL), .text = PARTITION_SHAPES},
                                               {SF_ON(RANK_AT_LEAST), .text = PARTITION_SHAPES},
                                               {0}};

/* How many rows go to each partition: known when all partitions are. */
static SfStatus count_partitions(SfInfer *c, SfDim *counts, int n)
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, 1) : NULL;
    for (int i = 0; i < n; i++) {
        counts[i] = !v ? SF_DIM_UNKNOWN : 0;
    }
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < n),
                             SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_ATTR("num_partitions"),
                             "partitions[{0}] = {1} is not in [0, {2})", SF_INT_ARG(i),
                             SF_INT_ARG(e.u.i), SF_INT_ARG(n)));
        if (e.kind == SF_ELEM_INT) {
            counts[e.u.i] += counts[e.u.i] >= 0;
            continue;
        }
        for (int k = 0; k < n; k++) {
            counts[k] = SF_DIM_UNKNOWN;
        }
    }
    return SF_OK;
}

/* DynamicPartition: rows of data sorted into num_partitions tensors. */
static SfStatus infer_dynamic_partition(SfInfer *c)
{
    const SfShape *parts = sf_input(c, 1);
    const SfShape *data;
    const int n = sf_output_count(c);
    if (!sf_shape_is_ranked(parts)) {
        return sf_infer_unknown(c);
    }
    sf_kernel_messages(c, partition_messages);
    SF_TRY(sf_common_prefix(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), parts, &data, NULL));
    SfDim *counts = sf_scratch(c, (size_t)n * sizeof *counts);
    SF_TRY_ALLOC(counts);
    SF_TRY(count_partitions(c, counts, n));
    for (int i = 0; i < n; i++) {
        const SfShape *rest = sf_common_rest(data, sf_shape_rank(parts));
        SF_TRY(sf_set_output_shape(c, i, sf_shape_concat(sf_shape_vector(counts[i]), rest)));
    }
    return SF_OK;
}

/* DynamicStitch */

/* {0} {1} {2}: a part, its data and its indices; {3} {4}: the ranks of the first part's indices and
 * of its own; {5}: the first part's data. */
static int stitch_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const int n = sf_input_count(c) / 2;
    const bool merges = f->code == SF_DIAG_MERGE_DIM || f->code == SF_DIAG_MERGE_RANK;
    const int i = (merges ? f->b.index : f->a.index) % n;
    out[0] = SF_INT_ARG(i);
    out[1] = SF_SHAPE_ARG(sf_input(c, n + i));
    out[2] = SF_SHAPE_ARG(sf_input(c, i));
    out[3] = SF_INT_ARG(sf_shape_rank(sf_input(c, 0)));
    out[4] = SF_INT_ARG(sf_shape_rank(sf_input(c, i)));
    out[5] = SF_SHAPE_ARG(sf_input(c, n));
    return 6;
}

#define STITCH_PREFIX "data[{0}].shape = {1} does not start with indices[{0}].shape = {2}"
static const SfMessage stitch_messages[] = {
    {SF_ON(DIM_EQUAL), .args = stitch_args, .text = STITCH_PREFIX},
    {SF_ON(RANK_AT_LEAST), .args = stitch_args, .text = STITCH_PREFIX},
    {SF_ON_MERGE, .args = stitch_args,
     .text = "Need data[0].shape[{3}:] = data[{0}].shape[{4}:], got data[0].shape = {5}, "
             "data[{0}].shape = {1}, indices[0].shape = {shape 0}, indices[{0}].shape = {2}"},
    {0}};

/* One past the largest index; unknown unless all of them are known. */
static SfStatus stitched_rows(SfInfer *c, int n, SfDim *rows)
{
    int64_t largest = -1;
    *rows = SF_DIM_UNKNOWN;
    for (int i = 0; i < n; i++) {
        const SfValue *v = sf_input_value(c, i);
        if (!v || !sf_value_is_exact(v)) {
            return SF_OK;
        }
        for (int64_t k = 0; k < sf_value_count(v); k++) {
            const int64_t index = sf_value_elem(v, k).u.i;
            SF_TRY(sf_require_as(c, index >= 0 || !sf_common_runs(c), SF_DIAG_INDEX_RANGE,
                                 SF_INPUT(i), SF_THE_OP, "indices[{0}] is out of range",
                                 SF_INT_ARG(k)));
            largest = index > largest ? index : largest;
        }
    }
    *rows = largest + 1;
    return SF_OK;
}

/* DynamicStitch: row indices[i][k] of the result is data[i][k]. */
static SfStatus infer_dynamic_stitch(SfInfer *c)
{
    const int n = sf_input_count(c) / 2;
    const SfShape *rest = sf_shape_unknown();
    int from = n;
    SfDim rows;
    sf_kernel_messages(c, stitch_messages);
    for (int i = 0; i < n; i++) {
        const SfShape *indices = sf_input(c, i);
        const SfShape *data;
        if (!sf_shape_is_ranked(indices)) {
            continue;
        }
        SF_TRY(sf_common_prefix(c, SF_INPUT(n + i), sf_input(c, n + i), SF_INPUT(i), indices, &data,
                                NULL));
        if (sf_shape_is_ranked(data)) {
            const SfShape *own = sf_common_rest(data, sf_shape_rank(indices));
            SF_TRY(sf_want_merge(c, SF_INPUT(from), rest, SF_INPUT(n + i), own, &rest));
            from = n + i;
        }
    }
    SF_TRY(stitched_rows(c, n, &rows));
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_shape_vector(rows), rest));
}

static void fold_dynamic_stitch(SfInfer *c)
{
    const int n = sf_input_count(c) / 2;
    const SfShape *shape = sf_output(c, 0);
    int64_t count;
    SfElem *out = sf_fold_begin(c, 0, &count);
    const int64_t rows = sf_shape_is_known(shape) ? sf_shape_dim(shape, 0) : 0;
    const int64_t inner = rows > 0 ? count / rows : 0;
    for (int i = 0; out && i < n; i++) {
        const SfValue *indices = sf_input_value(c, i);
        const SfValue *data = sf_input_value(c, n + i);
        for (int64_t k = 0; indices && k < sf_value_count(indices); k++) {
            const SfElem row = sf_value_elem(indices, k);
            for (int64_t m = 0; row.kind == SF_ELEM_INT && row.u.i >= 0 && m < inner; m++) {
                out[row.u.i * inner + m] =
                    !data ? sf_elem_unknown() : sf_value_elem(data, k * inner + m);
            }
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* rows */

#define POLICY ", bad_indices_policy: string = ''"
#define TENSOR_SCATTER(name, index, fold_, ...)                                                    \
    SF_MOVE(name, .inputs = "tensor: T, indices: Tindices, updates: T", .outputs = "output: T",    \
            .attrs = "T: type, Tindices: " index POLICY, .infer = infer_tensor_scatter,            \
            .messages = tensor_scatter_messages, .fold = (fold_), .variant = OF_TENSOR,            \
            .range = __VA_ARGS__)
#define STITCH(name)                                                                               \
    SF_MOVE(name, .inputs = "indices: N * int32, data: N * T", .outputs = "merged: T",             \
            .attrs = "N: int >= 1, T: type", .infer = infer_dynamic_stitch,                        \
            .fold = fold_dynamic_stitch)

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(ScatterNd, .inputs = "indices: Tindices, updates: T, shape: Tindices",
            .outputs = "output: T", .attrs = "T: type, Tindices: " SF_INDEX16 POLICY,
            .infer = infer_scatter_nd, .messages = scatter_nd_messages, .fold = fold_scatter_nd,
            .variant = CREATES, .range = sf_range_scatter_nd),
    SF_MOVE(ScatterNdNonAliasingAdd, .inputs = "input: T, indices: Tindices, updates: T",
            .outputs = "output: T",
            .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, "
                     "quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, "
                     "uint64, bool}, Tindices: " SF_INDEX POLICY,
            .infer = infer_tensor_scatter, .messages = scatter_add_messages,
            .fold = fold_scatter_add, .range = sf_range_tensor_scatter_add),
    TENSOR_SCATTER(TensorScatterUpdate, "{int16, int32, int64, uint16}", fold_scatter_update,
                   sf_range_move_all),
    TENSOR_SCATTER(TensorScatterAdd, SF_INDEX, fold_scatter_add, sf_range_tensor_scatter_add),
    TENSOR_SCATTER(TensorScatterSub, SF_INDEX, NULL, sf_range_tensor_scatter_sub),
    TENSOR_SCATTER(TensorScatterMin, SF_INDEX, NULL, sf_range_move_all),
    TENSOR_SCATTER(TensorScatterMax, SF_INDEX, NULL, sf_range_move_all),
    SF_MOVE(DynamicPartition, .inputs = "data: T, partitions: int32",
            .outputs = "outputs: num_partitions * T", .attrs = "num_partitions: int >= 1, T: type",
            .infer = infer_dynamic_partition, .range = sf_range_move),
    STITCH(DynamicStitch),
    STITCH(ParallelDynamicStitch),
};
/* clang-format on */
const SfOpTable sf_ops_scatter = {ops, SF_ARRAY_LEN(ops), "scatter"};
