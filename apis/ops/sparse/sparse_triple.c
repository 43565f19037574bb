/* Sparse triples: what several families want of them. */
#include "apis/ops/sparse/sparse_triple.h"

#include <inttypes.h>
#include <stdio.h>

#include "apis/ops/shared/common.h"

SfStatus sf_triple_want(SfInfer *c, int i, SfTriple *t)
{
    SfTriple own;
    t = t ? t : &own;
    SF_TRY(sf_want_rank(c, SF_INPUT(i), 2, &t->indices));
    SF_TRY(sf_want_rank(c, SF_INPUT(i + 1), 1, &t->values));
    return sf_want_rank(c, SF_INPUT(i + 2), 1, &t->shape);
}

SfStatus sf_triple_set_output(SfInfer *c, int i, int step, SfDim entries, SfDim rank,
                              const SfShape *shape)
{
    SF_TRY(sf_set_output_matrix(c, i, entries, rank));
    SF_TRY(sf_set_output_vector(c, i + step, entries));
    return sf_set_output_shape(c, i + 2 * step, shape);
}

SfDim sf_triple_rank(const SfInfer *c, int i)
{
    const SfDim columns =
        sf_shape_rank(sf_input(c, i)) == 2 ? sf_input_dim(c, i, 1) : SF_DIM_UNKNOWN;
    const SfDim dims =
        sf_shape_rank(sf_input(c, i + 2)) == 1 ? sf_input_dim(c, i + 2, 0) : SF_DIM_UNKNOWN;
    return sf_dim_is_known(columns) ? columns : dims;
}

static SfStatus check_ranks(SfInfer *c, const int inputs[3], SfTripleMessages message, int from)
{
    static const char *const names[] = {"indices", "values", "shape"};
    static const char *const created[] = {
        "indices must be a matrix, but got: {a.shape}", "vals must be a vec, but got: {a.shape}",
        "Expected input_shape to be a vector; got shape: {a.shape}"};
    for (int k = from; k < 3; k++) {
        const SfShape *s = sf_input(c, inputs[k]);
        const int want = k == 0 ? 2 : 1;
        if (message == SF_TRIPLE_CREATED) {
            SF_TRY(sf_triple_form(c, inputs[k], want, created[k]));
        } else if (!sf_shape_may_have_rank(s, want)) {
            return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(inputs[k]), SF_THE_OP,
                                "Sparse {0} must be rank {1} but is rank {2}",
                                SF_TEXT_ARG(names[k]), SF_INT_ARG(want),
                                SF_INT_ARG(sf_shape_rank(s)));
        }
    }
    return SF_OK;
}

SfStatus sf_triple_check_at(SfInfer *c, int indices, int values, int shape,
                            SfTripleMessages message)
{
    const int inputs[] = {indices, values, shape};
    SF_TRY(check_ranks(c, inputs, message, message == SF_TRIPLE_CREATED ? 1 : 0));
    const SfDim rows = sf_input_dim(c, indices, 0), n = sf_input_dim(c, values, 0);
    const SfDim columns = sf_input_dim(c, indices, 1), dims = sf_input_dim(c, shape, 0);
    SF_TRY(
        sf_require_equal(c, SF_AXIS(values, 0), n, SF_AXIS(indices, 0), rows,
                         message == SF_TRIPLE_CREATED
                             ? "indices and values rows (indexing dimension) must match. (indices "
                               "= {0}, values = {1})"
                             : "Number of elements in indices ({0}) and values ({1}) do not match",
                         SF_DIM_ARG(rows), SF_DIM_ARG(n)));
    if (message == SF_TRIPLE_CREATED) { /* its rows were compared first */
        SF_TRY(check_ranks(c, inputs, message, 0));
    }
    if (!sf_dim_differs(columns, dims)) {
        return SF_OK;
    }
    return message == SF_TRIPLE_CREATED
               ? sf_fail_with(c, SF_DIAG_DIM_EQUAL, SF_AXIS(shape, 0), SF_AXIS(indices, 1),
                              "Order length must be SparseTensor rank.")
               : sf_fail_with(c, SF_DIAG_DIM_EQUAL, SF_AXIS(shape, 0), SF_AXIS(indices, 1),
                              "Index rank ({0}) and shape rank ({1}) do not match",
                              SF_DIM_ARG(columns), SF_DIM_ARG(dims));
}

SfStatus sf_triple_check(SfInfer *c, int i, SfTripleMessages message)
{
    return sf_triple_check_at(c, i, i + 1, i + 2, message);
}

SfStatus sf_triple_validated(SfInfer *c)
{
    return sf_triple_check(c, 0, SF_TRIPLE_VALIDATED);
}

SfStatus sf_triple_form(SfInfer *c, int i, int rank, const char *message)
{
    return sf_check(c, (const SfCheck[]){{SF_IS_RANK(i, rank), .text = message}, {0}});
}

SfStatus sf_triple_vectors(SfInfer *c, int i, int j, const char *message)
{
    const SfShape *a = sf_input(c, i), *b = sf_input(c, j);
    const bool good = sf_shape_may_have_rank(a, 1);
    return sf_require_as(c, good && sf_shape_may_have_rank(b, 1), SF_DIAG_RANK_EXACT,
                         SF_INPUT(good ? j : i), SF_THE_OP, message, SF_SHAPE_ARG(a),
                         SF_SHAPE_ARG(b));
}

SfStatus sf_triple_sizes(SfInfer *c, int i)
{
    return sf_require_ints(c, i, 0, INT64_MAX, SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                           "Expected shape dimensions to be non-negative, got {1}");
}

/* indices */

static const char *row_text(SfInfer *c, const SfValue *v, int64_t row, int64_t rank,
                            const char *separator)
{
    const size_t room = (size_t)rank * 24 + 1;
    char *text = sf_scratch(c, room);
    size_t used = 0;
    for (int64_t k = 0; text && k < rank; k++) {
        const SfElem e = sf_value_elem(v, row * rank + k);
        const char *before = k > 0 ? separator : "";
        used += (size_t)(e.kind == SF_ELEM_INT
                             ? snprintf(text + used, room - used, "%s%" PRId64, before, e.u.i)
                             : snprintf(text + used, room - used, "%s?", before));
    }
    return text ? text : "";
}

const char *sf_triple_numbers(SfInfer *c, int i, const char *separator)
{
    const SfValue *v = sf_input_value(c, i);
    return v ? row_text(c, v, 0, sf_value_count(v), separator) : "?";
}

/* The first row of which some index is known to be outside; -1: none. */
static int64_t row_outside(const SfValue *indices, const SfValue *shape, int64_t rank)
{
    for (int64_t k = 0; k < sf_value_count(indices); k++) {
        const SfElem at = sf_value_elem(indices, k), size = sf_value_elem(shape, k % rank);
        if (at.kind == SF_ELEM_INT &&
            (at.u.i < 0 || (size.kind == SF_ELEM_INT && at.u.i >= size.u.i))) {
            return k / rank;
        }
    }
    return -1;
}

int64_t sf_triple_row_outside(SfInfer *c, int indices, int shape)
{
    const SfValue *v = sf_input_value(c, indices), *sizes = sf_input_value(c, shape);
    const int64_t rank = sizes ? sf_value_count(sizes) : 0;
    return v && rank > 0 ? row_outside(v, sizes, rank) : -1;
}

/* Row `row` against the one before it: 1 later, 0 the same, -1 earlier, 2 not known. */
static int row_order(const SfValue *v, int64_t row, int64_t rank)
{
    for (int64_t k = 0; k < rank; k++) {
        const SfElem a = sf_value_elem(v, (row - 1) * rank + k),
                     b = sf_value_elem(v, row * rank + k);
        if (a.kind != SF_ELEM_INT || b.kind != SF_ELEM_INT) {
            return 2;
        }
        if (a.u.i != b.u.i) {
            return a.u.i < b.u.i ? 1 : -1;
        }
    }
    return 0;
}

SfStatus sf_triple_ordered(SfInfer *c, int indices, int shape)
{
    const SfValue *v = sf_input_value(c, indices), *sizes = sf_input_value(c, shape);
    const int64_t rank = sizes ? sf_value_count(sizes) : 0;
    const int64_t rows = v && rank > 0 ? sf_value_count(v) / rank : 0;
    if (rows == 0 || sf_value_count(v) % rank != 0) {
        return SF_OK;
    }
    const int64_t outside = row_outside(v, sizes, rank);
    for (int64_t row = 0; row < rows; row++) {
        const int order = row > 0 ? row_order(v, row, rank) : 1;
        SF_TRY(sf_require_as(c, row != outside, SF_DIAG_INDEX_RANGE, SF_INPUT(indices),
                             SF_INPUT(shape),
                             "indices[{0}] = [{1}] is out of bounds: need 0 <= index < [{2}]",
                             SF_INT_ARG(row), SF_TEXT_ARG(row_text(c, v, row, rank, ",")),
                             SF_TEXT_ARG(row_text(c, sizes, 0, rank, ","))));
        SF_TRY(sf_require(
            c, order != 0 && order != -1, SF_INPUT(indices),
            order == 0
                ? "indices[{0}] = [{1}] is repeated"
                : "indices[{0}] = [{1}] is out of order. Many sparse ops require sorted indices.\n"
                  "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n",
            SF_INT_ARG(row), SF_TEXT_ARG(row_text(c, v, row, rank, ","))));
    }
    return SF_OK;
}

SfStatus sf_triple_inside(SfInfer *c, int i)
{
    SF_TRY(sf_triple_check(c, i, SF_TRIPLE_VALIDATED));
    const SfValue *v = sf_input_value(c, i), *sizes = sf_input_value(c, i + 2);
    const int64_t rank = sizes ? sf_value_count(sizes) : 0;
    const int64_t row = v && rank > 0 ? row_outside(v, sizes, rank) : -1;
    return sf_require_as(c, row < 0, SF_DIAG_INDEX_RANGE, SF_INPUT(i), SF_INPUT(i + 2),
                         "Sparse index tuple indices[{0}, :] = [{1}] is out of bounds",
                         SF_INT_ARG(row), SF_TEXT_ARG(row_text(c, v, row, rank, ", ")));
}

SfStatus sf_triple_check_rows(SfInfer *c, SfDim rank)
{
    const SfElem rows = sf_common_elem(c, 2, 0);
    const SfDim n = sf_input_dim(c, 0, 0);
    const SfValue *v = sf_input_value(c, 0);
    if (rows.kind != SF_ELEM_INT) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, rows.u.i != 0 || !sf_dim_is_known(n) || n <= 0, SF_DIAG_RUN_REFUSED,
                         SF_INPUT(2), SF_AXIS(0, 0),
                         "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {0}",
                         SF_DIM_ARG(n)));
    for (int64_t i = 0; v && rank > 0 && i * rank < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i * rank);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < rows.u.i),
                             SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(2),
                             "indices({0}, 0) is invalid: {1} >= {2}", SF_INT_ARG(i),
                             SF_INT_ARG(e.u.i), SF_INT_ARG(rows.u.i)));
    }
    return SF_OK;
}
