/* Sparse tensors as triples: indices[n,r] int64, values[n], shape[r]. How many entries a result has
 * is rarely known; its rank mostly is. With dense tensors: sparse_dense.c. Crossing, packing,
 * counting and sets have files of their own. Source: sparse_ops.cc and the kernels
 * sparse_*_op.cc. */
#include <inttypes.h>
#include <stdio.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/sparse/sparse_triple.h"

/* two of a shape */

/* Shapes of triples (inputs a and b end them) that are known must be the same, entry by entry. */
static SfStatus want_same_shapes(SfInfer *c, int a, int b)
{
    const SfValue *va = sf_input_value(c, a), *vb = sf_input_value(c, b);
    const SfDim na = sf_triple_rank(c, a - 2), nb = sf_triple_rank(c, b - 2);
    SF_TRY(sf_require_as(c, !sf_dim_differs(na, nb), SF_DIAG_MERGE_RANK, SF_INPUT(b), SF_INPUT(a),
                         "Operands do not have the same ranks; got shapes: {0} and {1}",
                         SF_TEXT_ARG(sf_triple_numbers(c, a, " ")),
                         SF_TEXT_ARG(sf_triple_numbers(c, b, " "))));
    for (int64_t i = 0; va && vb && i < sf_value_count(va) && i < sf_value_count(vb); i++) {
        const SfElem x = sf_value_elem(va, i), y = sf_value_elem(vb, i);
        SF_TRY(sf_require_as(c, x.kind != SF_ELEM_INT || y.kind != SF_ELEM_INT || x.u.i == y.u.i,
                             SF_DIAG_MERGE_DIM, SF_INPUT(b), SF_INPUT(a),
                             "Operands' shapes do not match: got {0} and {1} for dimension {2}",
                             SF_INT_ARG(x.u.i), SF_INT_ARG(y.u.i), SF_INT_ARG(i)));
    }
    return SF_OK;
}

static bool ranks_are(const SfInfer *c, int a, int b, int rank)
{
    const int ra = sf_shape_rank(sf_input(c, a)), rb = sf_shape_rank(sf_input(c, b));
    return (ra < 0 || ra == rank) && (rb < 0 || rb == rank);
}

static SfStatus add_kernel(SfInfer *c)
{
    SF_TRY(sf_require_as(
        c, ranks_are(c, 0, 3, 2), SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_INPUT(3),
        "Input indices should be matrices but received shapes: {a.shape} and {b.shape}"));
    const SfDim columns[] = {sf_input_dim(c, 0, 1), sf_input_dim(c, 3, 1)};
    const SfDim rows[] = {sf_input_dim(c, 0, 0), sf_input_dim(c, 3, 0)};
    const SfDim dims = sf_input_dim(c, 2, 0);
    SF_TRY(sf_require_equal(c, SF_AXIS(0, 1), columns[0], SF_AXIS(3, 1), columns[1],
                            "Input indices must have the same dimension, got {0} and {1}",
                            SF_DIM_ARG(columns[0]), SF_DIM_ARG(columns[1])));
    SF_TRY(sf_require_as(
        c, ranks_are(c, 1, 4, 1), SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(4),
        "Input values should be vectors but received shapes: {a.shape} and {b.shape}"));
    const SfDim na = sf_input_dim(c, 1, 0), nb = sf_input_dim(c, 4, 0);
    SF_TRY(sf_require_as(c, !sf_dim_differs(na, rows[0]) && !sf_dim_differs(nb, rows[1]),
                         SF_DIAG_DIM_EQUAL, SF_AXIS(sf_dim_differs(na, rows[0]) ? 1 : 4, 0),
                         SF_THE_OP, "Expected {0} and {1} non-empty input values, got {2} and {3}",
                         SF_DIM_ARG(rows[0]), SF_DIM_ARG(rows[1]), SF_DIM_ARG(na), SF_DIM_ARG(nb)));
    SF_TRY(sf_require_as(
        c, ranks_are(c, 2, 5, 1), SF_DIAG_RANK_EXACT, SF_INPUT(2), SF_INPUT(5),
        "Input shapes should be a vector but received shapes {a.shape} and {b.shape}"));
    SF_TRY(sf_require_equal(
        c, SF_AXIS(2, 0), dims, SF_AXIS(0, 1), columns[0],
        "Second dimension of a_indices and length of a_shape must match, got {0} and {1}",
        SF_DIM_ARG(columns[0]), SF_DIM_ARG(dims)));
    SF_TRY(want_same_shapes(c, 2, 5));
    return sf_triple_form(c, 6, 0, "The magnitude threshold must be a scalar: got shape {a.shape}");
}

/* SparseAdd: entries of either; rank and shape of the first. */
static SfStatus infer_add(SfInfer *c)
{
    const SfShape *shape;
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, &shape));
    return sf_triple_set_output(c, 0, 1, SF_DIM_UNKNOWN, sf_shape_dim(shape, 0), shape);
}

static void fold_add(SfInfer *c)
{
    sf_fold_set_output_value(c, 2, sf_input_value(c, 2));
}

static SfStatus add_grad_kernel(SfInfer *c)
{
    const SfShape *a = sf_input(c, 1), *b = sf_input(c, 2), *sum = sf_input(c, 3);
    SF_TRY(sf_require_as(
        c, ranks_are(c, 1, 2, 2) && ranks_are(c, 3, 3, 2), SF_DIAG_RANK_EXACT, SF_INPUT(1),
        SF_THE_OP, "Input indices should be matrices but received shapes: {0} and {1} and {2}",
        SF_SHAPE_ARG(a), SF_SHAPE_ARG(b), SF_SHAPE_ARG(sum)));
    SF_TRY(sf_triple_form(
        c, 0, 1, "Input backprop_val_grad should be a vector but received shape: {a.shape}"));
    const SfDim da = sf_shape_dim(a, 1), db = sf_shape_dim(b, 1), ds = sf_shape_dim(sum, 1);
    SF_TRY(sf_require_as(
        c, !sf_dim_differs(da, db) && !sf_dim_differs(db, ds), SF_DIAG_DIM_EQUAL, SF_AXIS(1, 1),
        SF_AXIS(2, 1),
        "The densified operands should have the same ndims; for A, B, sum got: {0}{1}{2}",
        SF_DIM_ARG(da), SF_DIM_ARG(db), SF_DIM_ARG(ds)));
    const SfDim n = sf_input_dim(c, 0, 0), rows = sf_shape_dim(sum, 0);
    return sf_require_equal(
        c, SF_AXIS(0, 0), n, SF_AXIS(3, 0), rows,
        "# elements of backprop_val_grad and # rows of sum_indices should match "
        "(#nnz of sum): got {0} and {1}",
        SF_DIM_ARG(n), SF_DIM_ARG(rows));
}

static SfStatus extremum_kernel(SfInfer *c)
{
    SF_TRY(sf_triple_inside(c, 0));
    SF_TRY(sf_triple_inside(c, 3));
    return want_same_shapes(c, 2, 5);
}

/* SparseSparseMaximum: entries of either. */
static SfStatus infer_extremum(SfInfer *c)
{
    SF_TRY(sf_triple_want(c, 0, NULL));
    SF_TRY(sf_triple_want(c, 3, NULL));
    const SfDim a = sf_triple_rank(c, 0), b = sf_triple_rank(c, 3);
    SF_TRY(sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, sf_dim_is_known(a) ? a : b));
    return sf_set_output_vector(c, 1, SF_DIM_UNKNOWN);
}

/* joining and cutting */

static SfStatus concat_forms(SfInfer *c, int n)
{
    static const char *const names[] = {"Input indices should be a matrix",
                                        "Input values should be a vector",
                                        "Input shapes should be a vector"};
    for (int part = 0; part < 3; part++) {
        for (int i = 0; i < n; i++) {
            const SfShape *s = sf_input(c, part * n + i);
            if (sf_shape_is_ranked(s) && sf_shape_rank(s) != (part == 0 ? 2 : 1)) {
                return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(part * n + i), SF_THE_OP,
                                    "{0} but received shape {1} at position {2}",
                                    SF_TEXT_ARG(names[part]), SF_SHAPE_ARG(s), SF_INT_ARG(i));
            }
        }
    }
    return SF_OK;
}

/* The sizes of part i against those of the first, but along the axis. */
static SfStatus concat_sizes(SfInfer *c, int n, int i, int64_t axis)
{
    const SfValue *first = sf_input_value(c, 2 * n), *v = sf_input_value(c, 2 * n + i);
    for (int64_t k = 0; first && v && k < sf_value_count(first); k++) {
        const SfElem a = sf_value_elem(first, k), b = sf_value_elem(v, k);
        SF_TRY(sf_require_as(
            c, k == axis || a.kind != SF_ELEM_INT || b.kind != SF_ELEM_INT || a.u.i == b.u.i,
            SF_DIAG_CONCAT_DIM, SF_INPUT(2 * n + i), SF_INPUT(2 * n),
            "Input shapes must match: expected {0} for dimension {1} but got {2} at position {3}",
            SF_INT_ARG(a.u.i), SF_INT_ARG(k), SF_INT_ARG(b.u.i), SF_INT_ARG(i)));
    }
    return SF_OK;
}

static SfStatus concat_kernel(SfInfer *c)
{
    const int n = sf_input_count(c) / 3;
    const SfDim rank = sf_shape_count(sf_input(c, 2 * n));
    int64_t axis = sf_attr_int(c, "concat_dim");
    SF_TRY(concat_forms(c, n));
    if (!sf_dim_is_known(rank)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, axis >= -rank && axis < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("concat_dim"),
                         SF_INPUT(2 * n), "Concat dimension must be in range [{0}, {1}), got {2}",
                         SF_INT_ARG((int64_t)-rank), SF_DIM_ARG(rank), SF_INT_ARG(axis)));
    axis += axis < 0 ? rank : 0;
    for (int i = 1; i < n; i++) {
        const SfDim is = sf_shape_count(sf_input(c, 2 * n + i));
        SF_TRY(sf_require_as(
            c, !sf_dim_differs(is, rank), SF_DIAG_MERGE_RANK, SF_INPUT(2 * n + i), SF_INPUT(2 * n),
            "Ranks of all input tensors must match: expected {0} but got {1} at position {2}",
            SF_DIM_ARG(rank), SF_DIM_ARG(is), SF_INT_ARG(i)));
        SF_TRY(concat_sizes(c, n, i, axis));
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_triple_check_at(c, i, n + i, 2 * n + i, SF_TRIPLE_CREATED));
    }
    return SF_OK;
}

/* SparseConcat: all entries of all. */
static SfStatus infer_concat(SfInfer *c)
{
    const int n = sf_input_count(c) / 3;
    SfDim entries = 0, rank = SF_DIM_UNKNOWN;
    const SfShape *shape = sf_shape_vector(SF_DIM_UNKNOWN);
    for (int i = 0; i < n && shape; i++) {
        const SfShape *indices, *values, *s;
        SfDim rows;
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 2, &indices));
        SF_TRY(sf_want_rank(c, SF_INPUT(n + i), 1, &values));
        SF_TRY(sf_want_rank(c, SF_INPUT(2 * n + i), 1, &s));
        SF_TRY(sf_want_equal(c, SF_AXIS(i, 0), sf_shape_dim(indices, 0), SF_AXIS(n + i, 0),
                             sf_shape_dim(values, 0), &rows));
        entries = sf_dim_add(entries, rows);
        SF_TRY(
            sf_want_equal(c, SF_AXIS(0, 1), rank, SF_AXIS(i, 1), sf_shape_dim(indices, 1), &rank));
        SF_TRY(sf_want_merge(c, SF_INPUT(2 * n), shape, SF_INPUT(2 * n + i), s, &shape));
    }
    return sf_triple_set_output(c, 0, 1, entries == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : entries, rank,
                                shape);
}

static SfStatus slice_kernel(SfInfer *c)
{
    static const char *const names[] = {"start", "size"};
    const SfDim rank = sf_triple_rank(c, 0);
    SF_TRY(sf_triple_check(c, 0, SF_TRIPLE_VALIDATED));
    SF_TRY(sf_triple_form(c, 3, 1, "Input start should be a vector but received shape {a.shape}"));
    SF_TRY(sf_triple_form(c, 4, 1, "Input size should be a vector but received shape {a.shape}"));
    for (int i = 0; i < 2; i++) {
        const SfDim n = sf_input_dim(c, 3 + i, 0);
        SF_TRY(sf_require_as(c, !sf_dim_differs(n, rank), SF_DIAG_DIM_VALUE, SF_AXIS(3 + i, 0),
                             SF_INPUT(2),
                             "Expected {0} to be a vector of length {1} but got length {2}",
                             SF_TEXT_ARG(names[i]), SF_DIM_ARG(rank), SF_DIM_ARG(n)));
    }
    SF_TRY(sf_require_ints(c, 4, 0, INT64_MAX, SF_DIAG_SLICE_RANGE, SF_THE_OP,
                           "Expected a non-negative size, got {1}"));
    return sf_triple_sizes(c, 2);
}

static SfStatus infer_slice(SfInfer *c)
{
    const SfShape *shape = sf_input(c, 2);
    return sf_triple_set_output(c, 0, 1, SF_DIM_UNKNOWN, sf_shape_count(shape), shape);
}

static SfStatus slice_grad_kernel(SfInfer *c)
{
    const SfShape *in = sf_input(c, 1), *out = sf_input(c, 3);
    SF_TRY(sf_triple_form(
        c, 0, 1, "Input backprop_val_grad should be a vector but received shape: {a.shape}"));
    SF_TRY(sf_require_as(c, ranks_are(c, 1, 3, 2), SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(3),
                         "Input and output indices should be matrices but received shapes: "
                         "{a.shape} and {b.shape}"));
    const SfDim n = sf_input_dim(c, 0, 0), rows = sf_shape_dim(out, 0);
    const SfDim rank = sf_shape_dim(in, 1), start = sf_input_dim(c, 2, 0);
    SF_TRY(sf_require_equal(c, SF_AXIS(1, 1), rank, SF_AXIS(3, 1), sf_shape_dim(out, 1),
                            "The input and output should have the same ndims: got: {0} and {1}",
                            SF_DIM_ARG(rank), SF_DIM_ARG(sf_shape_dim(out, 1))));
    SF_TRY(sf_require_equal(c, SF_AXIS(0, 0), n, SF_AXIS(3, 0), rows,
                            "# elements of backprop_val_grad and # rows of output_indices should "
                            "match (#nnz of sum): got {0} and {1}",
                            SF_DIM_ARG(n), SF_DIM_ARG(rows)));
    SF_TRY(
        sf_triple_form(c, 2, 1, "The input_start should be a vector but received shape {a.shape}"));
    return sf_require_as(c, !sf_dim_differs(rank, start), SF_DIAG_DIM_VALUE, SF_AXIS(2, 0),
                         SF_AXIS(1, 1),
                         "Expected input_start to be a vector of length {0} but got length {1}",
                         SF_DIM_ARG(rank), SF_DIM_ARG(start));
}

static SfStatus split_kernel(SfInfer *c)
{
    const int64_t n = sf_attr_int(c, "num_split");
    const SfDim rank = sf_shape_count(sf_input(c, 3));
    int64_t axis;
    const bool known = sf_input_int(c, 0, &axis);
    SF_TRY(sf_triple_form(c, 0, 0, "Input axis should be a scalar but received shape {a.shape}"));
    SF_TRY(
        sf_triple_form(c, 1, 2, "Input indices should be a matrix but received shape {a.shape}"));
    if (sf_shape_rank(sf_input(c, 2)) >= 0 && sf_shape_rank(sf_input(c, 2)) != 1) {
        return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(2), SF_THE_OP,
                            /* the message has this mistake in the kernel, too */
                            "Input values should be a vector but received shape {shape 1}");
    }
    SF_TRY(sf_triple_form(c, 3, 1, "Input shape should be a vector but received shape {a.shape}"));
    SF_TRY(sf_require_as(c, !known || !sf_dim_is_known(rank) || (axis >= -rank && axis < rank),
                         SF_DIAG_AXIS_RANGE, SF_INPUT(0), SF_INPUT(3),
                         "Input axis should be in range [{0}, {1}), got {2}",
                         SF_INT_ARG((int64_t)-rank), SF_DIM_ARG(rank), SF_INT_ARG(axis)));
    SF_TRY(sf_triple_inside(c, 1));
    const SfElem size = known && sf_dim_is_known(rank)
                            ? sf_common_elem(c, 3, axis < 0 ? axis + rank : axis)
                            : sf_elem_unknown();
    return sf_require_as(
        c, size.kind != SF_ELEM_INT || n <= size.u.i, SF_DIAG_SPLIT, SF_ATTR("num_split"),
        SF_INPUT(3),
        "Input num_split should be between 1 and the splitting dimension size ({0}), got {1}",
        SF_INT_ARG(size.u.i), SF_INT_ARG(n));
}

/* SparseSplit: num_split triples, one output list a component. */
static SfStatus infer_split(SfInfer *c)
{
    const int n = (int)sf_attr_int(c, "num_split");
    const SfShape *shape = sf_input(c, 3);
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_triple_set_output(c, i, n, SF_DIM_UNKNOWN, sf_shape_count(shape), shape));
    }
    return SF_OK;
}

/* one of another form */

static SfStatus softmax_kernel(SfInfer *c)
{
    SF_TRY(sf_triple_form(c, 0, 2,
                          "Input sp_indices should be a matrix but received shape: {a.shape}"));
    SF_TRY(sf_triple_vectors(
        c, 1, 2,
        "Inputs sp_values and sp_shape should be vectors but received shapes: {0} and {1}"));
    const SfDim rank = sf_input_dim(c, 2, 0);
    SF_TRY(sf_require_as(c, !sf_dim_is_known(rank) || rank >= 2, SF_DIAG_RANK_AT_LEAST, SF_INPUT(2),
                         SF_THE_OP, "Input should have rank >= 2, but received shape: {0}",
                         SF_TEXT_ARG(sf_triple_numbers(c, 2, " "))));
    SF_TRY(sf_triple_sizes(c, 2));
    return sf_triple_check(c, 0, SF_TRIPLE_CREATED);
}

/* Of SparseReshape: the sizes before, and after with the open one solved for. */
typedef struct Sizes {
    const int64_t *in;
    int64_t *out;
    int nin, nout;
    int64_t count, given; /* elements; of the sizes that were given */
    int open, second;     /* which are -1; -1: none */
    int64_t negative;     /* which is below -1; -1: none */
    bool known;
} Sizes;

static bool product(const int64_t *items, int n, int skip, int64_t *out)
{
    *out = 1;
    for (int i = 0; i < n; i++) {
        if (i != skip && __builtin_mul_overflow(*out, items[i], out)) {
            return false;
        }
    }
    return true;
}

static Sizes read_sizes(SfInfer *c)
{
    Sizes s = {.open = -1, .second = -1, .negative = -1};
    const int64_t *asked;
    if (!sf_common_ints(c, 2, &asked, &s.nout)) {
        return s;
    }
    s.out = sf_scratch(c, (size_t)(s.nout + 1) * sizeof *s.out);
    for (int i = 0; s.out && i < s.nout; i++) {
        s.out[i] = asked[i];
        s.negative = asked[i] < -1 && s.negative < 0 ? i : s.negative;
        if (asked[i] == -1) {
            s.second = s.open >= 0 && s.second < 0 ? i : s.second;
            s.open = s.open < 0 ? i : s.open;
        }
    }
    s.known = s.out && s.negative < 0 && s.second < 0 && sf_common_ints(c, 1, &s.in, &s.nin) &&
              product(s.in, s.nin, -1, &s.count) && product(s.out, s.nout, s.open, &s.given) &&
              s.count >= 0;
    if (s.known && s.open >= 0) {
        s.out[s.open] = s.given > 0 ? s.count / s.given : -1;
    }
    return s;
}

static const char *sizes_text(SfInfer *c, const int64_t *items, int n)
{
    const size_t room = (size_t)n * 22 + 3;
    char *text = sf_scratch(c, room);
    size_t used = 0;
    for (int i = 0; text && i < n; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s%" PRId64, i ? "," : "", items[i]);
    }
    return text ? text : "";
}

static SfStatus reshape_kernel(SfInfer *c, const void *data)
{
    SF_TRY(sf_triple_form(c, 2, 1, "Target shape should be a vector but received shape {a.shape}"));
    const SfDim columns = sf_input_dim(c, 0, 1), dims = sf_input_dim(c, 1, 0);
    SF_TRY(sf_require_equal(c, SF_AXIS(1, 0), dims, SF_AXIS(0, 1), columns,
                            "Input tensor rank must match input shape length."));
    SF_TRY(sf_triple_sizes(c, 1));
    const Sizes s = read_sizes(c);
    SF_TRY(sf_require_as(c, s.second < 0, SF_DIAG_SHAPE_ENTRY, SF_INPUT(2), SF_THE_OP,
                         "only one output dimension may be -1, not both {0} and {1}",
                         SF_INT_ARG(s.open), SF_INT_ARG(s.second)));
    SF_TRY(sf_require_as(c, s.negative < 0, SF_DIAG_SHAPE_ENTRY, SF_INPUT(2), SF_THE_OP,
                         "size {0} must be non-negative, not {1}", SF_INT_ARG(s.negative),
                         SF_INT_ARG(s.out[s.negative])));
    if (!s.known) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, s.open < 0 || s.given != 0, SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(2),
                         SF_INPUT(1),
                         "reshape cannot infer the missing input size for an empty tensor unless "
                         "all specified input sizes are non-zero"));
    const char *in = sizes_text(c, s.in, s.nin), *out = sizes_text(c, s.out, s.nout);
    SF_TRY(sf_require_as(
        c, s.open < 0 || s.count % s.given == 0, SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(2), SF_INPUT(1),
        "Input to reshape is a SparseTensor with {0} dense values, but the requested shape "
        "requires a multiple of {1}. input_shape=[{2}] output_shape=[{3}]",
        SF_INT_ARG(s.count), SF_INT_ARG(s.given), SF_TEXT_ARG(in), SF_TEXT_ARG(out)));
    SF_TRY(sf_require_as(
        c, s.open >= 0 || s.count == s.given, SF_DIAG_TOO_MANY_VALUES, SF_INPUT(2), SF_INPUT(1),
        "Input to reshape is a tensor with {0} dense values, but the requested shape has {1}. "
        "input_shape=[{2}] output_shape=[{3}]",
        SF_INT_ARG(s.count), SF_INT_ARG(s.given), SF_TEXT_ARG(in), SF_TEXT_ARG(out)));
    const SfDim entries = sf_input_dim(c, 0, 0);
    return sf_require_as(c, s.count > 0 || !sf_dim_differs(entries, 0), SF_DIAG_RUN_REFUSED,
                         SF_AXIS(0, 0), SF_INPUT(1),
                         "Input tensor has {0} non zero elements but input shape ([{1}]) or output "
                         "shape ([{2}]) is empty",
                         SF_DIM_ARG(entries), SF_TEXT_ARG(in), SF_TEXT_ARG(out));
}

static const SfMessage reshape_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "Input must be a matrix."},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "Input shape must be a vector."},
    {0}};

/* SparseReshape: as many entries, of the new rank. */
static SfStatus infer_reshape(SfInfer *c)
{
    const SfShape *indices, *shape;
    sf_kernel_messages(c, reshape_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &indices));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_common_kernel_first(c, reshape_kernel, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, &shape));
    SF_TRY(sf_common_kernel_last(c, reshape_kernel, NULL));
    SF_TRY(sf_set_output_matrix(c, 0, sf_shape_dim(indices, 0), sf_shape_dim(shape, 0)));
    return sf_set_output_shape(c, 1, shape);
}

static void fold_reshape(SfInfer *c)
{
    const Sizes s = read_sizes(c);
    int64_t n;
    SfElem *out = s.known && (s.open < 0 || s.out[s.open] >= 0) ? sf_fold_begin(c, 1, &n) : NULL;
    if (!out || n != s.nout) {
        return;
    }
    for (int i = 0; i < s.nout; i++) {
        out[i] = sf_elem_int(s.out[i]);
    }
    sf_fold_set_output(c, 1, out);
}

/* filling */

static const SfMessage fill_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "indices must be a matrix, saw: {a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "default_value must be a scalar, saw: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a vector, saw: {a.shape}"},
    {SF_ON(DIM_EQUAL), SF_WITH(1),
     .text = "The length of `values` ({dim 1 0}) must match the first dimension of `indices` ({dim "
             "0 0})."},
    {SF_ON(DIM_EQUAL), .text = "The length of `dense_shape` ({dim 2 0}) must match the second "
                               "dimension of `indices` ({dim 0 1})."},
    {0}};

static SfStatus fill_kernel(SfInfer *c)
{
    return sf_triple_check_rows(c, sf_triple_rank(c, 0));
}

/* SparseFillEmptyRows: entries are added; which rows were empty, and where each value went. */
static SfStatus infer_fill_rows(SfInfer *c)
{
    SfTriple t;
    SfDim entries, rank;
    SF_TRY(sf_triple_want(c, 0, &t));
    if (sf_phase(c) == SF_PHASE_BUILD) {
        SF_TRY(sf_want_shape_value(c, SF_INPUT(2), NULL));
    }
    SF_TRY(sf_want_scalar(c, SF_INPUT(3)));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(t.indices, 0), SF_AXIS(1, 0),
                         sf_shape_dim(t.values, 0), &entries));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 1), sf_shape_dim(t.indices, 1), SF_AXIS(2, 0),
                         sf_shape_dim(t.shape, 0), &rank));
    SF_TRY(sf_ask_kernel(c, fill_kernel));
    SF_TRY(sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, rank));
    SF_TRY(sf_set_output_vector(c, 1, SF_DIM_UNKNOWN));
    SF_TRY(sf_set_output_vector(c, 2, sf_elem_as_dim(sf_common_elem(c, 2, 0))));
    return sf_set_output_vector(c, 3, entries);
}

static const SfMessage fill_grad_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a vector, saw: {a.shape}"}, {0}};

static SfStatus fill_grad_kernel(SfInfer *c)
{
    const SfDim n = sf_input_dim(c, 1, 0);
    return sf_require_ints(c, 0, 0, n, SF_DIAG_INDEX_RANGE, SF_AXIS(1, 0),
                           "Elements in reverse index must be in [0, {2}) but got {1}");
}

SfStatus sf_triple_fill_grad(SfInfer *c)
{
    const SfShape *map;
    sf_kernel_messages(c, fill_grad_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &map));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_ask_kernel(c, fill_grad_kernel));
    SF_TRY(sf_set_output_shape(c, 0, map));
    return sf_set_output_scalar(c, 1);
}

/* table */

/* clang-format off */
#define T_NUMBER "T: " SF_NUMBERTYPE
#define T_REAL "T: " SF_REALTYPE
#define TRIPLE(p) p "_indices: int64, " p "_values: T, " p "_shape: int64"
#define TRIPLE_OUT "output_indices: int64, output_values: T, output_shape: int64"

static const SfOpDef ops[] = {
    SF_OP(SparseAdd, .inputs = TRIPLE("a") ", " TRIPLE("b") ", thresh: Treal",
          .outputs = TRIPLE("sum"), .attrs = T_NUMBER ", Treal: " SF_REALTYPE, .infer = infer_add,
          .fold = fold_add, .kernel = add_kernel),
    SF_OP(SparseAddGrad,
          .inputs = "backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64",
          .outputs = "a_val_grad: T, b_val_grad: T", .attrs = T_NUMBER, 
          .infer = SF_SHAPES("? [a,?] [b,?] ? -> [a] [b]"), .kernel = add_grad_kernel,
          .grad = SF_GRAD_NONE),
    SF_OP(SparseConcat, .inputs = "indices: N * int64, values: N * T, shapes: N * int64",
          .outputs = TRIPLE_OUT, .attrs = "concat_dim: int, N: int >= 2, T: type",
          .infer = infer_concat, .kernel = concat_kernel, .grad = SF_GRAD_NONE),
    SF_OP(SparseFillEmptyRows,
          .inputs = "indices: int64, values: T, dense_shape: int64, default_value: T",
          .outputs = "output_indices: int64, output_values: T, empty_row_indicator: bool, "
                     "reverse_index_map: int64",
          .attrs = "T: type", .infer = infer_fill_rows, .messages = fill_messages),
    SF_OP(SparseFillEmptyRowsGrad, .inputs = "reverse_index_map: int64, grad_values: T",
          .outputs = "d_values: T, d_default_value: T", .attrs = "T: type",
          .infer = sf_triple_fill_grad, .grad = SF_GRAD_MISSING),
    SF_OP(SparseReorder, .inputs = TRIPLE("input"),
          .outputs = "output_indices: int64, output_values: T", .attrs = "T: type",
          .infer = SF_SHAPES("[n,r] [m] [?] -> [n,r] [m]"), .kernel = sf_triple_validated),
    SF_OP(SparseReshape, .inputs = "input_indices: int64, input_shape: int64, new_shape: int64",
          .outputs = "output_indices: int64, output_shape: int64", .attrs = "",
          .infer = infer_reshape, .fold = fold_reshape, .grad = SF_GRAD_MISSING),
    SF_OP(SparseSlice,
          .inputs = "indices: int64, values: T, shape: int64, start: int64, size: int64",
          .outputs = TRIPLE_OUT, .attrs = "T: type", .infer = infer_slice, .kernel = slice_kernel),
    SF_OP(SparseSliceGrad,
          .inputs = "backprop_val_grad: T, input_indices: int64, input_start: int64, "
                    "output_indices: int64",
          .outputs = "val_grad: T", .attrs = T_NUMBER, .kernel = slice_grad_kernel,
          .infer = SF_SHAPES("? [n,?] ? ? -> [n]"),
          .grad = SF_GRAD_MISSING),
    SF_OP(SparseSplit, .inputs = "split_dim: int64, indices: int64, values: T, shape: int64",
          .outputs = "output_indices: num_split * int64, output_values: num_split * T, "
                     "output_shape: num_split * int64",
          .attrs = "num_split: int >= 1, T: type", .infer = infer_split, .kernel = split_kernel,
          .grad = SF_GRAD_MISSING),
    SF_OP(SparseSoftmax, .inputs = TRIPLE("sp"), .outputs = "output: T",
          .attrs = "T: {half, float, double}", .kernel = softmax_kernel,
          .infer = SF_SHAPES("[?,?] [n] [?] -> [n]")),
    SF_OP(SparseSparseMaximum, .inputs = TRIPLE("a") ", " TRIPLE("b"),
          .outputs = "output_indices: int64, output_values: T", .attrs = T_REAL,
          .infer = infer_extremum, .kernel = extremum_kernel),
    SF_OP(SparseSparseMinimum, .inputs = TRIPLE("a") ", " TRIPLE("b"),
          .outputs = "output_indices: int64, output_values: T", .attrs = T_NUMBER,
          .infer = infer_extremum, .kernel = extremum_kernel),
};
/* clang-format on */
const SfOpTable sf_ops_sparse = {ops, SF_ARRAY_LEN(ops), "sparse"};
