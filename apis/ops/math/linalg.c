/* Products: MatMul and its batched kin, Einsum, sparse times dense, Cross. */
#include <stddef.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { SAME_BATCH = 1 }; /* variant: BatchMatMul */

/* MatMul */

static const SfMessage matmul_messages[] = {
    {SF_ON(RANK_EXACT), .before = SF_VERSION(2, 0), .text = "In[{a}] is not a matrix"},
    {SF_ON(RANK_EXACT), .text = "In[{a}] ndims must be >= 2"},
    {SF_ON(DIM_EQUAL), SF_AS(MATMUL_SIZE),
     .text = "Matrix size-incompatible: In[0]: {shape 0}, In[1]: {shape 1}"},
    {0}};

/* MatMul: a[m,k] x b[k,n] -> [m,n]; transpose_a reads a with its axes swapped.
 * Unknown rank becomes [?,?]; an unknown k is assumed to fit. Source: tf.raw_ops.MatMul. */
static SfStatus infer_matmul(SfInfer *c)
{
    const int ta = sf_attr_bool(c, "transpose_a");
    const int tb = sf_attr_bool(c, "transpose_b");
    const SfShape *a, *b;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &b));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 1 - ta), sf_shape_dim(a, 1 - ta), SF_AXIS(1, tb),
                         sf_shape_dim(b, tb), NULL));
    return sf_set_output_matrix(c, 0, sf_shape_dim(a, ta), sf_shape_dim(b, 1 - tb));
}

static SfDim inner_of(const SfShape *s, bool flipped)
{
    return sf_shape_dim(s, flipped ? -2 : -1);
}

/* Two FLOPs for each of the products that are summed. */
static double cost_matmul(SfInfer *c)
{
    const bool batched = sf_op_attr_index(sf_op_sig(c), "adj_x") >= 0;
    const bool flipped = sf_attr_bool(c, batched ? "adj_x" : "transpose_a");
    const SfDim k = inner_of(sf_input(c, 0), flipped);
    const SfDim n = sf_shape_count(sf_output(c, 0));
    return sf_dim_is_known(k) && sf_dim_is_known(n) ? 2.0 * (double)k * (double)n : -1;
}

/* BatchMatMul */

static bool is_product(SfInfer *c, const SfFinding *f)
{
    return f->a.axis == -1 || f->a.axis == -2; /* the axes that are multiplied */
}

/* clang-format off */
#define BATCH_MATMUL_MESSAGES(sizes)                                                               \
    {SF_ON(RANK_AT_LEAST), .text = "In[{a}] ndims must be >= 2: {a.rank}"},                        \
    {SF_ON(MERGE_RANK),                                                                            \
     .text = "In[0] and In[1] has different ndims: {shape 0} vs. {shape 1}"},                      \
    {SF_ON(MERGE_DIM),                                                                             \
     .text = "In[0].dim({a.axis}) and In[1].dim({a.axis}) must be the same: {shape 0} vs {shape " \
     "1}"}, \
    {SF_AS(MATMUL_SIZE), .before = SF_VERSION(2, 0), .when = is_product,                           \
     .text = "In[0] mismatch In[1] shape: {0} vs. {1}: {shape 0} {shape 1} {attr adj_x} {attr " \
     "adj_y}"}, \
    {SF_AS(MATMUL_SIZE), .when = is_product,                                                       \
     .text = "Matrix size-incompatible: In[0]: {shape 0}, In[1]: {shape 1}" sizes}
static const SfMessage batch_matmul_messages[] = {
    BATCH_MATMUL_MESSAGES(" {attr adj_x} {attr adj_y}"),
    {0}};
#define BATCHES_MESSAGE                                                                            \
    {.text = "In[0] and In[1] must have compatible batch dimensions: {shape 0} vs. {shape 1}"}
static const SfMessage batch_matmul_v2_messages[] = {
    BATCH_MATMUL_MESSAGES(" {attr adj_x} {attr adj_y}"), BATCHES_MESSAGE,
    {0}};
static const SfMessage batch_matmul_v3_messages[] = { /* oneDNN's: without the adjoints */
    BATCH_MATMUL_MESSAGES(""), BATCHES_MESSAGE,
    {0}};
/* clang-format on */

/* The leading dims of both, equal for BatchMatMul, broadcast from V2 on. */
static SfStatus want_batch(SfInfer *c, const SfShape *a, const SfShape *b, const SfShape **out)
{
    const SfShape *x = sf_common_batch(a, 2), *y = sf_common_batch(b, 2);
    return sf_op_variant(c) == SAME_BATCH ? sf_want_merge(c, SF_INPUT(0), x, SF_INPUT(1), y, out)
                                          : sf_common_broadcast(c, 0, x, 1, y, 2, out);
}

/* BatchMatMul, BatchMatMulV2: MatMul of the last two axes. */
static SfStatus infer_batch_matmul(SfInfer *c)
{
    const bool ta = sf_attr_bool(c, "adj_x"), tb = sf_attr_bool(c, "adj_y");
    const SfShape *a, *b, *batch;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, &b));
    SF_TRY(want_batch(c, a, b, &batch));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, ta ? -2 : -1), inner_of(a, ta), SF_AXIS(1, tb ? -1 : -2),
                         inner_of(b, !tb), NULL));
    return sf_set_output_shape(
        c, 0, sf_shape_concat(batch, sf_shape_matrix(inner_of(a, !ta), inner_of(b, tb))));
}

/* sparse times dense */

static const SfMessage sparse_matmul_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} is not a matrix"},
    {SF_ON(DIM_EQUAL), SF_AS(MATMUL_SIZE),
     .text = "Matrix size incompatible: a: {shape 0}, b: {shape 1}"},
    {0}};

static int sparse_dense_sizes(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const int tb = sf_attr_bool(c, "adjoint_b");
    const SfDim rows = sf_elem_as_dim(sf_common_elem(c, 2, 0));
    const SfDim columns = sf_elem_as_dim(sf_common_elem(c, 2, 1));
    out[0] = SF_DIM_ARG(sf_attr_bool(c, "adjoint_a") ? rows : columns);
    out[1] = SF_DIM_ARG(sf_input_dim(c, 3, tb));
    out[2] = SF_DIM_ARG(rows);
    out[3] = SF_DIM_ARG(columns);
    return 4;
}

static const SfMessage sparse_dense_messages[] = {
    {SF_ON(DIM_EQUAL), SF_AS(MATMUL_SIZE), .args = sparse_dense_sizes,
     .text =
         "Cannot multiply A and B because inner dimension does not match: {0} vs. {1}.  Did you "
         "forget a transpose?  Dimensions of A: [{2}, {3}).  Dimensions of B: {shape 3}"},
    {0}};

/* The parts of the sparse matrix fit each other. */
static const SfCheck sparse_dense_checks[] = {
    {SF_IS_MATRIX(3), .text = "Tensor 'b' is not a matrix"},
    {SF_IS_VECTOR(2), .text = "Tensor 'a_shape' is not a vector"},
    {SF_HAS_ELEMENTS(2, 2), .text = "Tensor 'a_shape' must have 2 elements"},
    {SF_IS_VECTOR(1), .text = "Tensor 'a_values' is not a vector"},
    {SF_IS_MATRIX(0), .text = "Tensor 'a_indices' is not a matrix"},
    {SF_DIMS_EQUAL(0, 0, 1, 0), SF_AS(OP_SHAPE),
     .text = "Number of rows of a_indices does not match number of entries in a_values"},
    {SF_DIM_IS(0, 1, 2), .b = SF_INPUT(2), SF_AS(OP_SHAPE),
     .text = "Number of columns of a_indices does not match number of entries in a_shape"},
    {0}};

/* Each entry lies within the shape: k is the axis that is summed over, m the other one. */
static SfStatus sparse_dense_entries(SfInfer *c)
{
    const int ta = sf_attr_bool(c, "adjoint_a");
    const SfElem rows = sf_common_elem(c, 2, ta);
    const bool empty = (rows.kind == SF_ELEM_INT && rows.u.i == 0) ||
                       sf_input_dim(c, 3, sf_attr_bool(c, "adjoint_b") ? 0 : 1) == 0;
    if (sf_input_dim(c, 0, 1) != 2 || empty) {
        return SF_OK; /* the kernel of an empty product looks at no entry */
    }
    for (int64_t row = 0; 2 * row + 1 < sf_common_elems(c, 0); row++) {
        for (int i = 0; i < 2; i++) { /* k is looked at first */
            const int axis = i == 0 ? 1 - ta : ta;
            const SfElem at = sf_common_elem(c, 0, 2 * row + axis);
            const SfElem size = sf_common_elem(c, 2, axis);
            SF_TRY(sf_require_as(c,
                                 at.kind != SF_ELEM_INT || size.kind != SF_ELEM_INT ||
                                     size.u.i < 0 || (at.u.i >= 0 && at.u.i < size.u.i),
                                 SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(2),
                                 "{0} ({1}) from index[{2},{3}] out of bounds (>={4})",
                                 SF_TEXT_ARG(i == 0 ? "k" : "m"), SF_INT_ARG(at.u.i),
                                 SF_INT_ARG(row), SF_INT_ARG(axis), SF_INT_ARG(size.u.i)));
        }
    }
    return SF_OK;
}

/* SparseTensorDenseMatMul: a is indices [n,2], values [n] and the shape [rows, columns]. */
static SfStatus infer_sparse_dense(SfInfer *c)
{
    const int ta = sf_attr_bool(c, "adjoint_a");
    const int tb = sf_attr_bool(c, "adjoint_b");
    const SfShape *a, *b;
    SF_TRY(sf_common_kernel_first(c, sf_check_table, sparse_dense_checks));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_shape_value(c, SF_INPUT(2), &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(3), 2, &b));
    if (sf_shape_is_ranked(a) && sf_shape_rank(a) != 2) {
        return sf_fail(c, SF_DIAG_RANK_EXACT, SF_INPUT(2), SF_THE_OP, SF_RANK_ARG(2),
                       SF_RANK_ARG(sf_shape_rank(a)));
    }
    SF_TRY(sf_want_equal(c, SF_INPUT(2), sf_shape_dim(a, 1 - ta), SF_AXIS(3, tb),
                         sf_shape_dim(b, tb), NULL));
    SF_TRY(sf_common_kernel_last(c, sf_check_table, sparse_dense_checks));
    SF_TRY(sf_ask_kernel(c, sparse_dense_entries));
    return sf_set_output_matrix(c, 0, sf_shape_dim(a, ta), sf_shape_dim(b, 1 - tb));
}

/* Two FLOPs for each value of a and each column of the product. */
static double cost_sparse_dense(SfInfer *c)
{
    const SfDim values = sf_input_dim(c, 1, 0);
    const SfDim columns = sf_shape_dim(sf_output(c, 0), 1);
    return sf_dim_is_known(values) && sf_dim_is_known(columns)
               ? 2.0 * (double)values * (double)columns
               : -1;
}

/* Cross */

static const SfMessage cross_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "Input must be at least 1D{a.shape}"},
    {SF_ON_MERGE, .text = "Both inputs must be of same shape: {shape 0} vs. {shape 1}"},
    {SF_ON(DIM_VALUE), SF_AS(PRECONDITION),
     .text = "Cross-products are only defined for 3-element vectors."},
    {0}};

/* Cross: vectors of three along the last axis. */
static SfStatus infer_cross(SfInfer *c)
{
    const SfShape *both;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &both));
    for (int i = 0; i < 2; i++) {
        if (sf_shape_is_ranked(sf_input(c, i))) {
            SF_TRY(sf_want_dim(c, SF_AXIS(i, -1), 3));
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_replace(both, -1, 3));
}

/* Einsum */

#define LABELS 256

typedef struct Einsum {
    const char *equation;
    const char *term[3]; /* one or two inputs, then the output */
    int length[3];
    int inputs;
    const SfShape *broadcast; /* what the ellipses stand for */
    bool seen[LABELS];
    SfDim dim[LABELS]; /* these two only where seen */
    SfPlace place[LABELS];
} Einsum;

/* "ij,jk->ik" into its terms. */
static SfStatus split_equation(SfInfer *c, Einsum *e)
{
    const char *arrow = strstr(e->equation, "->");
    SF_TRY(sf_expect(c, arrow && !strstr(arrow + 2, "->"), SF_ATTR("equation"),
                     "Expecting exactly one '->' in einsum equation: {attr equation}"));
    const char *start = e->equation;
    e->inputs = 0;
    for (const char *at = start; at <= arrow; at++) {
        if (at < arrow && *at != ',') {
            continue;
        }
        if (e->inputs < 2) {
            e->term[e->inputs] = start;
            e->length[e->inputs] = (int)(at - start);
        }
        e->inputs++;
        start = at + 1;
    }
    e->term[2] = arrow + 2;
    e->length[2] = (int)strlen(arrow + 2);
    const int given = sf_input_count(c);
    SF_TRY(sf_expect(c, e->inputs <= 2, SF_ATTR("equation"),
                     "Expecting 1 or 2 input subscripts in equation '{attr equation}' but got: {0}",
                     SF_INT_ARG(e->inputs)));
    return sf_expect(c, e->inputs == given, SF_ATTR("equation"),
                     "Expected {0} inputs for equation {attr equation} but got: {1}",
                     SF_INT_ARG(e->inputs), SF_INT_ARG(given));
}

/* At most one "..." and no other periods. */
static SfStatus find_ellipsis(SfInfer *c, const Einsum *e, int term, int *at)
{
    int periods = 0;
    *at = -1;
    for (int i = 0; i < e->length[term]; i++) {
        const bool whole = i + 2 < e->length[term] && memcmp(e->term[term] + i, "...", 3) == 0;
        if (whole && *at < 0) {
            *at = i;
        }
        periods += e->term[term][i] == '.';
    }
    return sf_expect(c, periods == 0 || (periods == 3 && *at >= 0), SF_ATTR("equation"),
                     "Expected at most one ellipsis (...), but found {0} periods (.) in the input "
                     "subscript: {1}",
                     SF_INT_ARG(periods),
                     SF_TEXT_ARG(sf_common_text(c, e->term[term], (size_t)e->length[term])));
}

/* One label of one axis: the same label is the same dim. */
static SfStatus bind_label(SfInfer *c, Einsum *e, char label, SfPlace place, SfDim d)
{
    const unsigned char l = (unsigned char)label;
    if (!e->seen[l]) {
        e->seen[l] = true;
        e->dim[l] = d;
        e->place[l] = place;
        return SF_OK;
    }
    return sf_want_equal(c, e->place[l], e->dim[l], place, d, &e->dim[l]);
}

static SfStatus fail_einsum_rank(SfInfer *c, int input, SfDiagCode code, int want)
{
    return sf_fail_with(
        c, code, SF_INPUT(input), SF_ATTR("equation"),
        sf_common_runs(c)
            ? "Expected input {a} to have rank {0}{1} but got: {a.rank}"
            : "Shape must be {0}rank {1} but is rank {a.rank}\n\t for {a}th input and "
              "equation: {attr equation}",
        SF_TEXT_ARG(code == SF_DIAG_RANK_AT_LEAST ? "at least " : ""), SF_INT_ARG(want));
}

/* The labels of one input against its axes. */
static SfStatus read_term(SfInfer *c, Einsum *e, int input, const SfShape **broadcast)
{
    const SfShape *s = sf_input(c, input);
    const int rank = sf_shape_rank(s);
    int dots;
    SF_TRY(find_ellipsis(c, e, input, &dots));
    const int labels = e->length[input] - (dots < 0 ? 0 : 3);
    if (rank >= 0 && dots < 0 && rank != labels) {
        return fail_einsum_rank(c, input, SF_DIAG_RANK_EXACT, labels);
    }
    if (rank >= 0 && rank < labels) {
        return fail_einsum_rank(c, input, SF_DIAG_RANK_AT_LEAST, labels);
    }
    *broadcast = dots < 0   ? sf_shape_scalar()
                 : rank < 0 ? sf_shape_unknown()
                            : sf_shape_slice(s, dots, dots + rank - labels);
    for (int i = 0; i < e->length[input]; i++) {
        if (dots >= 0 && i >= dots && i < dots + 3) {
            continue;
        }
        const bool after = dots >= 0 && i > dots;
        const int axis = after ? rank - (e->length[input] - i) : i;
        const SfDim d = rank < 0 ? SF_DIM_UNKNOWN : sf_shape_dim(s, axis);
        SF_TRY(bind_label(c, e, e->term[input][i],
                          rank < 0 ? SF_INPUT(input) : SF_AXIS(input, axis), d));
    }
    return !*broadcast ? SF_NOMEM : SF_OK;
}

/* Is the finding about the dims that an ellipsis stands for? */
static bool is_ellipsis(SfInfer *c, const SfFinding *f)
{
    return f->b.kind != SF_PLACE_AXIS;
}

static const SfMessage einsum_messages[] = {
    {SF_ON(DIM_EQUAL), .when = is_ellipsis,
     .text = "In[0] and In[1] must have compatible batch dimensions: {shape 0} vs. {shape 1}"},
    {SF_ON(DIM_EQUAL),
     .text = "Expected dimension {a.dim} at axis {b.axis} of the input shaped {b.shape} but got "
             "dimension {b.dim}"},
    {0}};

static SfStatus join_broadcasts(SfInfer *c, Einsum *e, const SfShape *a, const SfShape *b)
{
    int back;
    e->broadcast = sf_shape_broadcast(a, b, &back);
    if (!e->broadcast || !sf_shape_is_bottom(e->broadcast)) {
        return !e->broadcast ? SF_NOMEM : SF_OK;
    }
    return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_INPUT(0), SF_INPUT(1),
                   SF_DIM_ARG(sf_shape_dim(a, -1 - back)), SF_DIM_ARG(sf_shape_dim(b, -1 - back)));
}

/* Output labels back into dims. */
static SfStatus set_output_einsum(SfInfer *c, const Einsum *e)
{
    const SfShape *out = sf_shape_scalar();
    int dots;
    if (sf_common_runs(c) && memchr(e->term[2], '.', (size_t)e->length[2]) &&
        !strstr(e->term[2], "...")) {
        return sf_set_output_unknown(c, 0); /* the kernel takes one period for an ellipsis */
    }
    SF_TRY(find_ellipsis(c, e, 2, &dots));
    SF_TRY(sf_require_as(
        c, dots >= 0 || sf_shape_rank(e->broadcast) <= 0, SF_DIAG_RANK_AT_MOST, SF_ATTR("equation"),
        SF_THE_OP,
        "Shape must be at most rank 0 but is rank {0}\n\t for einsum equation '{attr equation}' "
        "without ellipsis (...) in the output subscripts where input(s) have non-empty "
        "broadcasting shape",
        SF_INT_ARG(sf_shape_rank(e->broadcast))));
    for (int i = 0; i < e->length[2]; i++) {
        if (dots == i) {
            out = sf_shape_concat(out, e->broadcast);
            i += 2;
            continue;
        }
        const unsigned char l = (unsigned char)e->term[2][i];
        SF_TRY(sf_expect(c, e->seen[l], SF_ATTR("equation"),
                         "Einsum output subscripts for equation '{attr equation}' has label '{0}' "
                         "which is not present in the input subscripts",
                         SF_TEXT_ARG(sf_common_text(c, &e->term[2][i], 1))));
        out = sf_shape_concat(out, sf_shape_vector(e->dim[l]));
    }
    return sf_set_output_shape(c, 0, out);
}

/* Einsum: labels name dims; those that the output leaves out are summed. */
static SfStatus infer_einsum(SfInfer *c)
{
    const SfShape *broadcast[2] = {sf_shape_scalar(), sf_shape_scalar()};
    Einsum labels;
    Einsum *e = &labels;
    memset(e, 0, offsetof(Einsum, dim));
    e->equation = sf_attr_string(c, "equation");
    sf_kernel_messages(c, einsum_messages);
    SF_TRY(split_equation(c, e));
    for (int i = 0; i < e->inputs; i++) {
        SF_TRY(read_term(c, e, i, &broadcast[i]));
    }
    SF_TRY(join_broadcasts(c, e, broadcast[0], broadcast[1]));
    return set_output_einsum(c, e);
}

/* Every combination of labels is one product and one sum. */
static double cost_einsum(SfInfer *c)
{
    double flops = 2;
    bool seen[LABELS] = {false};
    const char *equation = sf_attr_string(c, "equation");
    for (int input = 0, at = 0; input < sf_input_count(c); input++) {
        const SfShape *s = sf_input(c, input);
        for (int axis = 0; axis < sf_shape_rank(s); axis++, at++) {
            const unsigned char l = (unsigned char)equation[at];
            if (l == '.' || l == ',' || l == '-' || l == '\0' ||
                !sf_dim_is_known(sf_shape_dim(s, axis))) {
                return -1;
            }
            flops *= seen[l] ? 1 : (double)sf_shape_dim(s, axis);
            seen[l] = true;
        }
        at++;
    }
    return flops;
}

/* rows */

#define GRADS_AB "grad_a: bool = false, grad_b: bool = false"
#define ADJ_XY                                                                                     \
    "adj_x: bool = false, adj_y: bool = false, grad_x: bool = false, grad_y: bool = false"
#define BATCH(name, table, types, variant_, ...)                                                   \
    SF_OP(name, .inputs = "x: T, y: T", .outputs = "output: T", .attrs = "T: " types ", " ADJ_XY,  \
          .infer = infer_batch_matmul, .cost = cost_matmul, .messages = table,                     \
          .variant = (variant_), .traits = SF_OP_PRODUCT, __VA_ARGS__)
#define V3_INPUTS                                                                                  \
    "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(MatMul, .inputs = "a: T, b: T", .outputs = "product: T",
          .attrs = "transpose_a: bool = false, transpose_b: bool = false, "
                   "T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, "
                   "uint64, complex64, complex128}, " GRADS_AB,
          .infer = infer_matmul, .messages = matmul_messages, .cost = cost_matmul,
          .traits = SF_OP_PRODUCT, .range = sf_range_matmul),
    BATCH(BatchMatMul, batch_matmul_messages,
          "{bfloat16, half, float, double, int32, int64, complex64, complex128}",
          SAME_BATCH, .range = sf_range_matmul),
    BATCH(BatchMatMulV2, batch_matmul_v2_messages,
                        "{bfloat16, half, float, double, int16, int32, int64, uint8, uint16, "
                         "uint32, uint64, complex64, complex128}", 0, .range = sf_range_matmul),
    SF_OP(BatchMatMulV3, .inputs = "x: Ta, y: Tb", .outputs = "output: Tout",
          .attrs = "Ta: " V3_INPUTS ", Tb: " V3_INPUTS ", Tout: {bfloat16, half, float, double, "
                   "int16, int32, int64, complex64, complex128}, " ADJ_XY,
          .infer = infer_batch_matmul, .cost = cost_matmul,
          .messages = batch_matmul_v3_messages, .traits = SF_OP_PRODUCT, .range = sf_range_matmul),
    SF_OP(SparseMatMul, .inputs = "a: Ta, b: Tb", .outputs = "product: float",
          .attrs = "transpose_a: bool = false, transpose_b: bool = false, "
                   "a_is_sparse: bool = false, b_is_sparse: bool = false, "
                   "Ta: {float, bfloat16} = float, Tb: {float, bfloat16} = float",
          .infer = infer_matmul, .messages = sparse_matmul_messages, .cost = cost_matmul),
    SF_OP(SparseTensorDenseMatMul,
          .inputs = "a_indices: Tindices, a_values: T, a_shape: int64, b: T",
          .outputs = "product: T",
          .attrs = "T: type, Tindices: " SF_INDEX " = int64, adjoint_a: bool = false, "
                   "adjoint_b: bool = false",
          .infer = infer_sparse_dense, .messages = sparse_dense_messages,
          .cost = cost_sparse_dense),
    SF_OP(Einsum, .inputs = "inputs: N * T", .outputs = "output: T",
          .attrs = "equation: string, N: int >= 1, T: type", .infer = infer_einsum,
          .cost = cost_einsum, .traits = SF_OP_PRODUCT, .range = sf_range_matmul),
    SF_OP(Cross, .inputs = "a: T, b: T", .outputs = "product: T", .attrs = "T: " SF_REALTYPE,
          .infer = infer_cross, .messages = cross_messages),
};
/* clang-format on */
const SfOpTable sf_ops_linalg = {ops, SF_ARRAY_LEN(ops), "linalg"};
