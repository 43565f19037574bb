/* RaggedTensorToTensor: rows of different lengths, padded. Where partitions are constants the
 * widest row is known. Source: ragged_conversion_ops.cc, ragged_to_dense_util.cc,
 * ragged_tensor_to_tensor_op.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/sparse/ragged.h"

bool sf_splits_int(SfElem e, int64_t *out)
{
    *out = e.u.i;
    return e.kind == SF_ELEM_INT;
}

/* 0, then never less, at the end `values`: that many values are split. */
SfSplits sf_splits_check(SfInfer *c, int input, SfDim values)
{
    const SfValue *v = sf_input_value(c, input);
    SfSplits s = {.fault = sf_input_dim(c, input, 0) == 0 ? SF_SPLITS_EMPTY : SF_SPLITS_FINE};
    const int64_t n = v ? sf_value_count(v) : 0;
    if (s.fault != SF_SPLITS_FINE || n == 0) {
        return s;
    }
    if (sf_splits_int(sf_value_elem(v, 0), &s.here) && s.here != 0) {
        s.fault = SF_SPLITS_FIRST;
        return s;
    }
    for (s.at = 1; s.at < n; s.at++) {
        if (sf_splits_int(sf_value_elem(v, s.at - 1), &s.before) &&
            sf_splits_int(sf_value_elem(v, s.at), &s.here) && s.here < s.before) {
            s.fault = SF_SPLITS_DECREASE;
            return s;
        }
    }
    if (sf_splits_int(sf_value_elem(v, n - 1), &s.here) && sf_dim_is_known(values) &&
        s.here != values) {
        s.fault = SF_SPLITS_LAST;
    }
    return s;
}

SfDim sf_splits_rows(const SfShape *splits)
{
    const SfDim n = sf_shape_rank(splits) == 1 ? sf_shape_dim(splits, 0) : SF_DIM_UNKNOWN;
    const SfDim rows = n == 0 ? SF_DIM_UNKNOWN : sf_dim_sub(n, 1);
    return rows == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : rows;
}

/* to a tensor */

enum { MAX_PARTITIONS = 64, SHAPE = 0, VALUES = 1, DEFAULT = 2, PARTITIONS = 3 };

typedef enum Kind { FIRST_DIM_SIZE, VALUE_ROWIDS, ROW_SPLITS, NOT_SUPPORTED } Kind;

typedef struct Partitions {
    int n; /* types in the attr */
    Kind kinds[MAX_PARTITIONS];
    int ragged_rank;
    const SfShape *out; /* what combine() made of them */
} Partitions;

static SfStatus read_kinds(SfInfer *c, Partitions *p)
{
    static const char *const names[] = {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS",
                                        "ROW_LENGTHS",    "ROW_LIMITS",   "ROW_STARTS"};
    const SfAttr *types = sf_attr(c, "row_partition_types");
    p->n = types->u.list.n;
    for (int i = 0; i < p->n; i++) {
        const char *type = types->u.list.u.s[i]->bytes;
        int k = 0;
        while (k < SF_ARRAY_LEN(names) && strcmp(names[k], type) != 0) {
            k++;
        }
        SF_TRY(sf_expect(c, k != SF_ARRAY_LEN(names), SF_ATTR("row_partition_types"),
                         "Unknown string for partition info type: {0}", SF_TEXT_ARG(type)));
        if (i < MAX_PARTITIONS) {
            p->kinds[i] = k < NOT_SUPPORTED ? (Kind)k : NOT_SUPPORTED;
        }
        SF_TRY(sf_expect(c, k < NOT_SUPPORTED, SF_ATTR("row_partition_types"),
                         "Unsupported partition type: {0}", SF_TEXT_ARG(type)));
    }
    p->ragged_rank = p->n > 0 && p->kinds[0] == FIRST_DIM_SIZE ? p->n - 1 : p->n;
    return SF_OK;
}

static SfStatus refuse_kinds(SfInfer *c, const char *message)
{
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_ATTR("row_partition_types"), SF_THE_OP, message);
}

/* Which types may follow which, and of what rank their tensors are: said by construction only. */
static SfStatus want_kinds(SfInfer *c, const Partitions *p)
{
    const int given = sf_input_count(c) - PARTITIONS;
    if (p->n == 0) {
        return refuse_kinds(c, "Partition info types should not be empty");
    }
    for (int i = 1; i < p->n; i++) {
        if (p->kinds[i] == FIRST_DIM_SIZE) {
            return refuse_kinds(c, "FIRST_DIM_SIZE must be first");
        }
    }
    if (p->kinds[0] == FIRST_DIM_SIZE && (p->n < 2 || p->kinds[1] != VALUE_ROWIDS)) {
        return refuse_kinds(c, "FIRST_DIM_SIZE must be followed by VALUE_ROWIDS");
    }
    if (p->kinds[0] == VALUE_ROWIDS) {
        return refuse_kinds(c, "VALUE_ROWIDS cannot be first");
    }
    SF_TRY(sf_expect(c, given == p->n, SF_ATTR("row_partition_types"),
                     "Number of row partition tensors ({0}) does not equal the number of row "
                     "partition types({1}).",
                     SF_INT_ARG(given), SF_INT_ARG(p->n)));
    for (int i = 0; i < p->n; i++) {
        const int rank = sf_shape_rank(sf_input(c, PARTITIONS + i));
        SF_TRY(sf_require_as(c, rank < 0 || rank == (p->kinds[i] != FIRST_DIM_SIZE),
                             SF_DIAG_RANK_EXACT, SF_INPUT(PARTITIONS + i), SF_THE_OP,
                             p->kinds[i] == FIRST_DIM_SIZE ? "FIRST_DIM_SIZE must be a scalar."
                                                           : "Row partition must be a vector."));
    }
    return SF_OK;
}

/* The default must broadcast to the shape of one row of values. The kernel compares its axes
 * with the first axes of a value, not with the last. */
static SfStatus want_default(SfInfer *c)
{
    const SfShape *values = sf_input(c, VALUES), *given = sf_input(c, DEFAULT);
    const int rank = sf_shape_rank(given), inner = sf_shape_rank(values) - 1;
    if (rank < 0 || inner < -1) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(
        c, rank <= inner, SF_DIAG_RANK_AT_MOST, SF_INPUT(DEFAULT), SF_INPUT(VALUES),
        "default_value.shape={0} and rt_input.flat_values.shape={1} are incompatible: "
        "default_value.rank = {2}  must be less than rt_input.flat_values.rank = {3}",
        SF_SHAPE_ARG(given), SF_SHAPE_ARG(values), SF_INT_ARG(rank), SF_INT_ARG(inner + 1)));
    for (int i = 0; i < rank; i++) {
        const SfDim a = sf_shape_dim(given, i), b = sf_shape_dim(values, i + 1);
        SF_TRY(sf_require_as(
            c, !sf_dim_is_known(a) || !sf_dim_is_known(b) || a == 1 || a == b, SF_DIAG_DIM_EQUAL,
            SF_AXIS(DEFAULT, i), SF_AXIS(VALUES, i + 1),
            "default_value.shape={0} and rt_input.flat_values.shape={1} are incompatible: "
            "default_value.shape[{2}] = {3} but rt_input.flat_values.shape[{2}] = {4}",
            SF_SHAPE_ARG(given), SF_SHAPE_ARG(values), SF_INT_ARG(i - rank), SF_DIM_ARG(a),
            SF_DIM_ARG(b)));
    }
    return SF_OK;
}

/* The rows between two splits that hold any numbers: none when they decrease, at most INT64_MAX. */
static int64_t rows_between(int64_t from, int64_t to)
{
    int64_t rows;
    return to <= from ? 0 : __builtin_sub_overflow(to, from, &rows) ? INT64_MAX : rows;
}

/* The widest row of a constant partition. */
static SfDim widest(SfInfer *c, int input, Kind kind)
{
    const int64_t *items;
    int n;
    int64_t most = 0;
    if (!sf_common_ints(c, input, &items, &n)) {
        return SF_DIM_UNKNOWN;
    }
    if (kind == ROW_SPLITS) {
        for (int i = 1; i < n; i++) {
            const int64_t rows = rows_between(items[i - 1], items[i]);
            most = rows > most ? rows : most;
        }
        return most;
    }
    for (int i = 0, from = 0; i < n; i++) {
        from = items[i] == items[from] ? from : i;
        most = i - from + 1 > most ? i - from + 1 : most;
    }
    return most;
}

static SfDim first_dim(SfInfer *c, const Partitions *p)
{
    return p->kinds[0] == FIRST_DIM_SIZE ? sf_elem_as_dim(sf_common_elem(c, PARTITIONS, 0))
           : p->kinds[0] == ROW_SPLITS   ? sf_splits_rows(sf_input(c, PARTITIONS))
                                         : SF_DIM_UNKNOWN;
}

/* Axis i of the result when the shape asks for whatever fits (-1). */
static SfDim natural_dim(SfInfer *c, const Partitions *p, int i)
{
    const int given = sf_input_count(c) - PARTITIONS;
    const int at = i - 1 + (p->kinds[0] == FIRST_DIM_SIZE);
    if (i == 0) {
        return first_dim(c, p);
    }
    return i <= p->ragged_rank && at < given ? widest(c, PARTITIONS + at, p->kinds[at])
                                             : SF_DIM_UNKNOWN;
}

/* Does the shape say -1 (for all axes, when it is a scalar), or is it merely not known? */
static bool asks_for_any(SfInfer *c, int axis)
{
    const SfValue *v = sf_input_value(c, SHAPE);
    int64_t n;
    return v &&
           sf_splits_int(
               sf_value_elem(
                   v, sf_value_count(v) == 1 && sf_shape_rank(sf_value_shape(v)) == 0 ? 0 : axis),
               &n) &&
           n == -1;
}

static SfStatus rank_message(SfInfer *c, const SfShape *shape, int rank)
{
    return sf_fail_with(
        c, SF_DIAG_RANK_EXACT, SF_INPUT(SHAPE), SF_INPUT(VALUES),
        "rt_input.shape and shape={0} are incompatible: rt_input.rank = {1} but shape.rank = {2}",
        SF_SHAPE_ARG(shape), SF_INT_ARG(rank), SF_INT_ARG(sf_shape_rank(shape)));
}

/* The given shape, completed by the partitions and the inner dims of the values. */
static SfStatus combine(SfInfer *c, Partitions *p, const SfShape *given)
{
    const SfShape *values = sf_input(c, VALUES);
    const int inner = sf_shape_rank(values) - 1;
    int rank = sf_shape_rank(given);
    SfDim dims[SF_RANK_MAX];
    p->out = sf_shape_unknown();
    if (rank < 0 && inner < 0) {
        return SF_OK;
    }
    if (rank >= 0 && inner >= 0 && rank != p->ragged_rank + inner + 1) {
        return rank_message(c, given, p->ragged_rank + inner + 1);
    }
    rank = rank < 0 ? p->ragged_rank + inner + 1 : rank;
    if (rank > SF_RANK_MAX) {
        return SF_OK;
    }
    for (int i = 0; i < rank; i++) {
        const int axis = i - p->ragged_rank;
        dims[i] = sf_shape_is_ranked(given) ? sf_shape_dim(given, i) : SF_DIM_UNKNOWN;
        if (axis < 1 && dims[i] == SF_DIM_UNKNOWN && asks_for_any(c, i)) {
            dims[i] = natural_dim(c, p, i);
        }
        if (axis < 1 || inner < 0) {
            continue;
        }
        const SfDim is = sf_shape_dim(values, axis), met = sf_dim_meet(is, dims[i]);
        SF_TRY(sf_require_as(
            c, met != SF_DIM_BOTTOM, SF_DIAG_DIM_EQUAL, SF_AXIS(VALUES, axis), SF_INPUT(SHAPE),
            "rt_input.shape and shape={0} are incompatible: rt_input.shape[{1}] = {2} but "
            "shape[{1}] = {3}",
            SF_SHAPE_ARG(given), SF_INT_ARG(i), SF_DIM_ARG(is), SF_DIM_ARG(dims[i])));
        dims[i] = met;
    }
    p->out = sf_shape_make(rank, dims);
    return p->out ? SF_OK : SF_NOMEM;
}

/* The kernel lays out as many values as the last split says: no more, no fewer. */
static bool counts_up(SfInfer *c, int input)
{
    const int64_t *splits;
    int n;
    int64_t laid = 0;
    if (!sf_common_ints(c, input, &splits, &n)) {
        return true;
    }
    for (int i = 1; i < n; i++) {
        if (__builtin_add_overflow(laid, rows_between(splits[i - 1], splits[i]), &laid)) {
            return false;
        }
    }
    return n == 0 || laid == splits[n - 1];
}

/* Rows of an axis, laid into the `rows` places that the axis before it has. */
static SfStatus walk_splits(SfInfer *c, int input, SfDim rows)
{
    const SfDim n = sf_shape_count(sf_input(c, input));
    SF_TRY(sf_require(c, !sf_dim_is_known(rows) || !sf_dim_is_known(n) || (n != 0 && n - 1 <= rows),
                      SF_INPUT(input), "Row partition size is greater than output size: {0} > {1}",
                      SF_INT_ARG((int64_t)n - 1), SF_DIM_ARG(rows)));
    return sf_require(c, counts_up(c, input), SF_INPUT(input), "Invalid row split size.");
}

static SfStatus walk_rowids(SfInfer *c, int input, SfDim rows)
{
    const int64_t *ids;
    int n;
    if (!sf_dim_is_known(rows) || !sf_common_ints(c, input, &ids, &n)) {
        return SF_OK;
    }
    for (int at = 0; at < n; at++) {
        SF_TRY(sf_require(c, ids[at] >= 0 && ids[at] < rows, SF_INPUT(input),
                          "Got {0}_value_rowid={1} which is not less than {2}",
                          SF_TEXT_ARG(at == 0 ? "current" : "next"), SF_INT_ARG(ids[at]),
                          SF_DIM_ARG(rows)));
    }
    return SF_OK;
}

/* The kernel walks the partitions, as long as there are types for them. */
static SfStatus walk(SfInfer *c, const Partitions *p)
{
    const int given = sf_input_count(c) - PARTITIONS;
    SfDim rows = first_dim(c, p);
    for (int i = 0; i < p->n && i < given; i++) {
        const int input = PARTITIONS + i;
        if (p->kinds[i] == ROW_SPLITS) {
            const SfDim n = sf_shape_count(sf_input(c, input));
            SF_TRY(walk_splits(c, input, rows));
            rows = sf_dim_is_known(n) && n > 0 ? sf_elem_as_dim(sf_common_elem(c, input, n - 1))
                                               : SF_DIM_UNKNOWN;
        } else if (p->kinds[i] == VALUE_ROWIDS) {
            SF_TRY(walk_rowids(c, input, rows));
            rows = sf_shape_count(sf_input(c, input));
        }
    }
    return SF_OK;
}

/* A default that is neither one value nor a whole row of them is broadcast to such a row. */
static SfStatus broadcast_default(SfInfer *c, const Partitions *p)
{
    const SfShape *given = sf_input(c, DEFAULT);
    const SfShape *row = sf_shape_slice(p->out, p->ragged_rank + 1, sf_shape_rank(p->out));
    const SfDim n = sf_shape_count(given), whole = row ? sf_shape_count(row) : SF_DIM_UNKNOWN;
    if (!sf_dim_is_known(n) || !sf_dim_is_known(whole) || n == 1 || n == whole) {
        return SF_OK;
    }
    const int rank = sf_shape_rank(given), inner = sf_shape_rank(row);
    for (int i = 1; i <= rank && i <= inner; i++) {
        const SfDim a = sf_shape_dim(given, rank - i), b = sf_shape_dim(row, inner - i);
        SF_TRY(sf_require_as(c, a == b || a == 1 || b == 1, SF_DIAG_BROADCAST, SF_INPUT(DEFAULT),
                             SF_INPUT(VALUES), "Error broadcasting default_value"));
    }
    return SF_OK;
}

/* How many elements the first `n` axes have room for. */
static SfDim room(const SfShape *s, int n)
{
    SfDim all = sf_shape_rank(s) >= n ? 1 : SF_DIM_UNKNOWN;
    for (int i = 0; i < n && i < sf_shape_rank(s); i++) {
        all = sf_dim_mul(all, sf_shape_dim(s, i));
    }
    return all;
}

/* Where no value has room the kernel checks nothing. */
static SfStatus to_tensor_kernel(SfInfer *c, const void *data)
{
    const Partitions *p = data;
    SF_TRY(sf_require(c, p->kinds[0] != VALUE_ROWIDS, SF_INPUT(PARTITIONS),
                      "Cannot handle VALUE_ROWIDS in first dimension."));
    SF_TRY(sf_require(c, sf_shape_count(sf_input(c, PARTITIONS)) != 0, SF_INPUT(PARTITIONS),
                      "Invalid first partition input. Tensor requires at least one element."));
    const SfDim rows = room(p->out, p->ragged_rank + 1), all = sf_shape_count(p->out);
    if (sf_dim_is_known(rows) && rows > 0) {
        SF_TRY(walk(c, p));
    }
    return sf_dim_is_known(all) && all > 0 ? broadcast_default(c, p) : SF_OK;
}

/* RaggedTensorToTensor: `shape`, in which -1 is whatever fits, over the inner dims of the
 * values. */
static SfStatus infer_to_tensor(SfInfer *c)
{
    Partitions p = {0};
    const SfShape *given;
    if (sf_common_runs(c) && sf_attr(c, "row_partition_types")->u.list.n == 0) {
        return refuse_kinds(c, "No row_partition_types given.");
    }
    SF_TRY(sf_want_shape_or_any(c, SF_INPUT(SHAPE), &given));
    SF_TRY(read_kinds(c, &p));
    if (p.n > MAX_PARTITIONS) {
        return sf_set_output_unknown(c, 0);
    }
    if (sf_phase(c) == SF_PHASE_BUILD) {
        SF_TRY(want_kinds(c, &p));
    }
    SF_TRY(want_default(c));
    if (p.n == 0 || sf_input_count(c) == PARTITIONS) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(combine(c, &p, given));
    SF_TRY(sf_set_output_shape(c, 0, p.out));
    return sf_kernel_check(c, to_tensor_kernel, &p);
}

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(RaggedTensorToTensor,
          .inputs = "shape: Tshape, values: T, default_value: T, "
                    "row_partition_tensors: num_row_partition_tensors * Tindex",
          .outputs = "result: T",
          .attrs = "T: type, Tindex: {int64, int32}, Tshape: {int64, int32}, "
                   "num_row_partition_tensors: int >= 1, row_partition_types: list(string)",
          .infer = infer_to_tensor),
};
/* clang-format on */
const SfOpTable sf_ops_ragged_tensor = {ops, SF_ARRAY_LEN(ops), "ragged_tensor"};
