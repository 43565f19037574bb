/* Bands and diagonals of matrices: the last two axes, all leading ones are a batch. */
#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/math/matrix.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* bands and diagonals */

/* clang-format off */
#define AT_LEAST(input, axes)                                                                      \
    SF_RANK_AT_LEAST(input, axes), .text = "{a.name} must be at least {0}-dim, received shape: "   \
                                           "{a.shape}"
static const SfCheck band_part_checks[] = {{AT_LEAST(0, 2), SF_AS(OP_SHAPE)}, {0}};
static const SfCheck diagonal_checks[] = {{AT_LEAST(0, 1)}, {0}};
static const SfCheck matrices_checks[] = {{AT_LEAST(0, 2)}, {0}};
static const SfCheck both_checks[] = {{AT_LEAST(0, 2)}, {AT_LEAST(1, 1)}, {0}};
/* clang-format on */

static SfStatus band_part_kernel(SfInfer *c)
{
    static const char *const sides[] = {"rows", "columns"};
    SF_TRY(sf_check(c, band_part_checks));
    for (int i = 0; i < 2; i++) {
        const SfDim d = sf_input_dim(c, 0, i - 2);
        int64_t width;
        SF_TRY(sf_require_rank(c, 1 + i, 0, "{a.name} must be scalar, got shape {a.shape}"));
        SF_TRY(sf_require_as(
            c, !sf_input_int(c, 1 + i, &width) || !sf_dim_is_known(d) || width <= d,
            SF_DIAG_OP_SHAPE, SF_INPUT(1 + i), SF_AXIS(0, i - 2),
            "{a.name} must be negative or less or equal to number of {0} ({b.dim}) got: {1}",
            SF_TEXT_ARG(sides[i]), SF_INT_ARG(width)));
    }
    return SF_OK;
}

/* MatrixBandPart: the kernel wants bands that the matrix has. */
static SfStatus infer_band_part(SfInfer *c)
{
    SF_TRY(sf_ask_kernel(c, band_part_kernel));
    return sf_set_output_same(c, 0, 0);
}

/* The k of the V2 and V3 ops as their kernels read it. */
static SfStatus check_index(SfInfer *c, int input)
{
    const int64_t *k;
    int n;
    SF_TRY(sf_require_as(c, sf_shape_rank(sf_input(c, input)) <= 1, SF_DIAG_RANK_AT_MOST,
                         SF_INPUT(input), SF_THE_OP,
                         "diag_index must be a scalar or vector, received shape: {a.shape}"));
    const SfDim count = sf_shape_count(sf_input(c, input));
    SF_TRY(sf_expect(c, count != 0, SF_INPUT(input), "diag_index must have at least one element"));
    SF_TRY(sf_expect(c, sf_dim_lower(count) <= 2, SF_INPUT(input),
                     "diag_index must have only one or two elements, received {0} elements.",
                     SF_INT_ARG(sf_dim_lower(count))));
    return sf_expect(c, !sf_common_ints(c, input, &k, &n) || k[0] <= k[n - 1], SF_INPUT(input),
                     "lower_diag_index must not be larger than upper_diag_index: {0} > {1}",
                     SF_INT_ARG(k[0]), SF_INT_ARG(k[n - 1]));
}

/* MatrixDiag: vectors become the diagonals of square matrices. */
static SfStatus infer_matrix_diag(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(sf_common_kernel_first(c, sf_check_table, diagonal_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    return sf_matrix_set_output_vectors(c, 0, x, sf_shape_dim(x, -1));
}

/* MatrixDiagPart: and back. */
static SfStatus infer_matrix_diag_part(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(sf_common_kernel_first(c, sf_check_table, matrices_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    return sf_matrix_set_output_vectors(
        c, 0, sf_common_batch(x, 2), sf_matrix_smaller(sf_shape_dim(x, -2), sf_shape_dim(x, -1)));
}

/* The k of the V2 and V3 ops: one diagonal, or a band of them. */
typedef struct Band {
    bool known;
    int64_t lower, upper;
} Band;

/* The band that an input holds; without one (MatrixSetDiag) it is the main diagonal. */
static Band band_of(SfInfer *c, int input)
{
    const int64_t *k;
    int n;
    if (!sf_has_input(c, input)) {
        return (Band){.known = true};
    }
    return sf_common_ints(c, input, &k, &n) && n >= 1 && n <= 2
               ? (Band){.known = true, .lower = k[0], .upper = k[n - 1]}
               : (Band){.known = false};
}

/* Both ends of the band lie inside the matrices of input 0, if those are of known size. */
static SfStatus check_band(SfInfer *c, int input, Band b, const char *text)
{
    const SfDim rows = sf_input_dim(c, 0, -2), columns = sf_input_dim(c, 0, -1);
    for (int i = 0; i < 2 && sf_dim_is_known(rows) && sf_dim_is_known(columns); i++) {
        const int64_t k = i == 0 ? b.lower : b.upper;
        SF_TRY(sf_require_as(c, k == 0 || (-rows < k && k < columns), SF_DIAG_OP_SHAPE,
                             SF_INPUT(input), SF_INPUT(0), text,
                             SF_TEXT_ARG(i == 0 ? "lower" : "upper"), SF_INT_ARG(k),
                             SF_INT_ARG((int64_t)-rows), SF_DIM_ARG(columns)));
    }
    return SF_OK;
}

static SfStatus fail_diagonal(SfInfer *c, const SfShape *expected)
{
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(0),
                        "Either first dimensions of diagonal don't match input.shape[:-2], or "
                        "diagonal.shape[:-1] is not equal to the longests diagonal in range "
                        "[lower_diag_index:upper_diag_index].\nInput shape: {shape 0}\nDiagonal "
                        "shape: {a.shape}\nExpected diagonal shape: {0}",
                        SF_SHAPE_ARG(expected));
}

/* Input 2 is k; MatrixSetDiag has none. */
static SfStatus set_diag_kernel(SfInfer *c, const void *data)
{
    const SfShape *x = sf_input(c, 0), *d = sf_input(c, 1);
    const int rank = sf_shape_rank(x);
    SF_TRY(sf_has_input(c, 2) ? check_index(c, 2) : SF_OK);
    SF_TRY(sf_check(c, data));
    const Band b = band_of(c, 2);
    if (rank < 0 || !b.known) {
        return SF_OK;
    }
    SF_TRY(
        check_band(c, 2, b, "{0}_diag_index is out of bound: {1} It must be between {2} and {3}"));
    const int64_t count = b.upper - b.lower + 1;
    SF_TRY(sf_require_as(
        c,
        count <= 1 || !sf_shape_is_ranked(d) ||
            (sf_shape_rank(d) >= rank - 1 && !sf_dim_never(sf_shape_dim(d, rank - 2), count)),
        SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(2),
        "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and "
        "`upper_diag_index`"));
    SfDim rows = sf_dim_sub(sf_shape_dim(x, -2), b.upper < 0 ? -b.upper : 0);
    SfDim columns = sf_dim_sub(sf_shape_dim(x, -1), b.lower > 0 ? b.lower : 0);
    rows = rows == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : rows;
    columns = columns == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : columns;
    const SfDim length = sf_matrix_smaller(rows, columns);
    const SfShape *expected =
        sf_shape_concat(sf_common_batch(x, 2),
                        count > 1 ? sf_shape_matrix(count, length) : sf_shape_vector(length));
    SF_TRY_ALLOC(expected);
    return sf_shape_compatible(expected, d) ? SF_OK : fail_diagonal(c, expected);
}

/* Merges the leading dims of the matrices in input 0 with those of the diagonals in input 1.
 * Shape functions use them to complete what is unknown; a difference is reported by kernels, or
 * by the merge of an input that is not fully known. */
static SfStatus want_same_batch(SfInfer *c, const SfShape *x, const SfShape *d, int inner,
                                const SfShape **batch)
{
    *batch = sf_common_batch(x, 2);
    if (!sf_common_runs(c) && sf_shape_is_known(x)) {
        return SF_OK;
    }
    return sf_want_merge(c, SF_INPUT(0), *batch, SF_INPUT(1), sf_common_batch(d, inner), batch);
}

/* MatrixSetDiag: the matrices with other diagonals. */
static SfStatus infer_matrix_set_diag(SfInfer *c)
{
    const SfShape *x, *d, *batch;
    SF_TRY(sf_common_kernel_first(c, set_diag_kernel, both_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, &d));
    if (sf_shape_is_ranked(x)) {
        SF_TRY(sf_want_rank(c, SF_INPUT(1), sf_shape_rank(x) - 1, &d));
    }
    const SfDim shorter = sf_matrix_smaller(sf_shape_dim(x, -2), sf_shape_dim(x, -1));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, shorter == sf_shape_dim(x, -2) ? -2 : -1), shorter,
                         SF_AXIS(1, -1), sf_shape_dim(d, -1), NULL));
    SF_TRY(want_same_batch(c, x, d, 1, &batch));
    SF_TRY(sf_common_kernel_last(c, set_diag_kernel, both_checks));
    return sf_matrix_set_output(c, 0, batch, sf_shape_dim(x, -2), sf_shape_dim(x, -1));
}

static SfStatus want_band(SfInfer *c, int input, Band *b)
{
    const int64_t *k;
    int n;
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(input), 1, NULL));
    *b = band_of(c, input);
    if (!sf_common_ints(c, input, &k, &n)) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, n >= 1 && n <= 2, SF_INPUT(input),
                     "diag_index must be a vector with one or two elements. It has {0} elements.",
                     SF_INT_ARG(n)));
    return sf_expect(c, b->lower <= b->upper, SF_INPUT(input),
                     "lower_diag_index is greater than upper_diag_index");
}

/* A size given as a scalar input: -1 means that it follows from the diagonals. */
typedef struct Size {
    bool known, given;
    int64_t value;
} Size;

static void read_size(SfInfer *c, int input, Size *s)
{
    s->known = sf_input_int(c, input, &s->value);
    s->given = s->known && s->value != -1;
}

/* One side of the matrix, from the given size and from what the diagonals need. When neither
 * side is given both are the larger of the two needs, which is all that is known while one is
 * unknown. */
static SfDim side(const Size *s, SfDim least, const Size *other, SfDim other_least)
{
    if (!s->known || s->given) {
        return s->known ? s->value : SF_DIM_UNKNOWN;
    }
    return other->known || least == other_least ? least : SF_DIM_UNKNOWN;
}

static SfStatus check_sides(SfInfer *c, const Size *rows, const Size *columns, SfDim least_rows,
                            SfDim least_columns)
{
    const bool sized = sf_dim_is_known(least_rows) && sf_dim_is_known(least_columns);
    SF_TRY(sf_require_as(c, !sized || !rows->given || rows->value >= least_rows, SF_DIAG_OP_SHAPE,
                         SF_INPUT(2), SF_INPUT(0),
                         sf_common_runs(c) ? "The number of rows is too small."
                                           : "num_rows is too small"));
    SF_TRY(sf_require_as(c, !sized || !columns->given || columns->value >= least_columns,
                         SF_DIAG_OP_SHAPE, SF_INPUT(3), SF_INPUT(0),
                         sf_common_runs(c) ? "The number of columns is too small."
                                           : "num_cols is too small."));
    if (sized && rows->given && columns->given && rows->value != least_rows &&
        columns->value != least_columns) {
        return sf_fail_with(
            c, SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_INPUT(3),
            sf_common_runs(c)
                ? "The number of rows or columns is not consistent with the specified d_lower, "
                  "d_upper, and diagonal."
                : "num_rows and num_cols are not consistent with lower_diag_index, "
                  "upper_diag_index, and the length of the given diagonals.\nnum_rows = "
                  "{0} != min_num_rows = {1}, num_cols = {2} != min_num_cols = {3}",
            SF_INT_ARG(rows->value), SF_DIM_ARG(least_rows), SF_INT_ARG(columns->value),
            SF_DIM_ARG(least_columns));
    }
    return SF_OK;
}

static SfStatus diag_band_kernel(SfInfer *c, const void *data)
{
    const SfShape *x = sf_input(c, 0);
    SF_TRY(check_index(c, 1));
    for (int i = 2; i < 5; i++) {
        SF_TRY(sf_require_rank(c, i, 0, "{a.name} must be a scalar"));
    }
    SF_TRY(sf_check(c, data));
    const Band b = band_of(c, 1);
    const int64_t count = b.upper - b.lower + 1;
    return sf_require_as(
        c,
        !b.known || sf_shape_rank(x) < 1 || count <= 1 ||
            (sf_shape_rank(x) >= 2 && !sf_dim_never(sf_shape_dim(x, -2), count)),
        SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(1),
        "The number of diagonals provided in the input does not match the lower_diag_index and "
        "upper_diag_index range.");
}

/* MatrixDiagV2, V3: a band of diagonals becomes matrices, square unless sizes are given. */
static SfStatus infer_matrix_diag_band(SfInfer *c)
{
    const SfShape *x;
    Band b;
    Size rows, columns;
    SF_TRY(sf_common_kernel_first(c, diag_band_kernel, diagonal_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_common_want_scalars(c, 2, 5));
    if (!sf_shape_is_ranked(x)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(want_band(c, 1, &b));
    if (!b.known) {
        return sf_set_output_unknown(c, 0);
    }
    read_size(c, 2, &rows);
    read_size(c, 3, &columns);
    const bool one = b.lower == b.upper;
    const int inner = one ? 1 : 2;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), inner, NULL));
    SF_TRY(sf_require_as(
        c, one || !(sf_dim_never(sf_shape_dim(x, -2), b.upper - b.lower + 1)), SF_DIAG_OP_SHAPE,
        SF_AXIS(0, -2), SF_INPUT(1),
        "The number of rows of `diagonal` doesn't match the number of diagonals implied from "
        "`d_lower` and `d_upper`.\nnum_diags = {a.dim}, d_lower = {0}, d_upper = {1} {a.rank} "
        "{dim 0 -1}",
        SF_INT_ARG(b.lower), SF_INT_ARG(b.upper)));
    const SfDim length = sf_shape_dim(x, -1);
    const SfDim least_rows = sf_dim_add(length, b.upper < 0 ? -b.upper : 0);
    const SfDim least_columns = sf_dim_add(length, b.lower > 0 ? b.lower : 0);
    SF_TRY(check_sides(c, &rows, &columns, least_rows, least_columns));
    SfDim m = side(&rows, least_rows, &columns, least_columns);
    SfDim n = side(&columns, least_columns, &rows, least_rows);
    if (rows.known && columns.known && !rows.given && !columns.given) {
        /* At most one of the two grows, so the sum of the growths is the larger side. */
        m = n = sf_dim_add(least_rows, b.lower > 0 ? b.lower : 0);
    }
    return sf_matrix_set_output(c, 0, sf_common_batch(x, inner),
                                m == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : m,
                                n == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : n);
}

static SfStatus diag_part_kernel(SfInfer *c, const void *data)
{
    SF_TRY(check_index(c, 1));
    SF_TRY(sf_expect(c, !sf_dim_never(sf_shape_count(sf_input(c, 2)), 1), SF_INPUT(2),
                     "Padding must be scalar."));
    SF_TRY(sf_check(c, data));
    const Band b = band_of(c, 1);
    return !b.known ? SF_OK
                    : check_band(c, 1, b,
                                 "{0}_diag_index is out of bound: {1}. It must be between {2} and "
                                 "{3}");
}

/* MatrixDiagPartV2, V3: a band of diagonals, padded to the longest. */
static SfStatus infer_matrix_diag_part_band(SfInfer *c)
{
    const SfShape *x;
    Band b;
    SF_TRY(sf_common_kernel_first(c, diag_part_kernel, matrices_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(2)));
    if (!sf_shape_is_ranked(x)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(want_band(c, 1, &b));
    if (!b.known) {
        return sf_set_output_unknown(c, 0);
    }
    const SfDim rows = sf_shape_dim(x, -2);
    const SfDim columns = sf_shape_dim(x, -1);
    SF_TRY(check_band(c, 1, b, "{0}_diag_index is out of bound."));
    SfDim length = sf_matrix_smaller(sf_dim_sub(rows, b.upper < 0 ? -b.upper : 0),
                                     sf_dim_sub(columns, b.lower > 0 ? b.lower : 0));
    length = length == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : length;
    const SfShape *batch = sf_common_batch(x, 2);
    return b.lower == b.upper ? sf_matrix_set_output_vectors(c, 0, batch, length)
                              : sf_matrix_set_output(c, 0, batch, b.upper - b.lower + 1, length);
}

/* MatrixSetDiagV2, V3: the matrices with another band. */
static SfStatus infer_matrix_set_diag_band(SfInfer *c)
{
    const SfShape *x, *d;
    Band b;
    SF_TRY(sf_common_kernel_first(c, set_diag_kernel, both_checks));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, &d));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(2), 1, NULL));
    const int rank = sf_shape_rank(x);
    if (rank >= 0) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), rank - 1, &d));
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), rank, &d));
    }
    SF_TRY(want_band(c, 2, &b));
    const int inner = b.known && b.lower < b.upper ? 2 : 1;
    if (rank >= 0 && b.known) {
        SF_TRY(check_band(c, 2, b, "{0}_diag_index is out of bound."));
        SF_TRY(sf_want_rank(c, SF_INPUT(1), rank - 2 + inner, &d));
    }
    const SfShape *batch = NULL;
    if (b.known && sf_shape_is_ranked(d) && sf_shape_rank(d) >= inner) {
        SF_TRY(want_same_batch(c, x, d, inner, &batch));
    }
    SF_TRY(sf_common_kernel_last(c, set_diag_kernel, both_checks));
    return !batch ? sf_set_output_shape(c, 0, x)
                  : sf_matrix_set_output(c, 0, batch, sf_shape_dim(x, -2), sf_shape_dim(x, -1));
}

static const SfMessage diag_messages[] = {{.text = "Input must be at least rank 1, got 0"}, {0}};

/* Diag: the tensor as the diagonal of one of twice its rank. */
static SfStatus infer_diag(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    return sf_set_output_shape(c, 0, sf_shape_concat(x, x));
}

static const SfMessage diag_part_messages[] = {
    {SF_ON(DIM_EQUAL),
     .text = "Invalid shape {shape 0}: dimensions {a.axis} and {b.axis} do not match."},
    {0}};

/* DiagPart: the first half of the axes equals the second. */
static SfStatus infer_diag_part(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int rank = sf_shape_rank(x);
    SfDim dims[SF_RANK_MAX];
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_expect(c, rank != 0 && rank % 2 == 0, SF_INPUT(0),
                     sf_common_runs(c)
                         ? "The rank of the tensor should be                                      "
                           "    even and positive, got shape {a.shape}"
                         : "Input must have even and non-zero rank, input rank is {a.rank}"));
    sf_kernel_messages(c, diag_part_messages);
    for (int i = 0; i < rank / 2; i++) {
        SF_TRY(sf_want_same_dim(c, SF_AXIS(0, i), SF_AXIS(0, i + rank / 2), &dims[i]));
    }
    return sf_set_output_shape(c, 0, sf_shape_make(rank / 2, dims));
}

/* rows */

/* clang-format off */
#define ALIGN "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'"
/* clang-format on */
#define MOVE(name, ...) SF_OP(name, .cost = sf_common_cost_none, __VA_ARGS__)
#define DIAG_BAND(name, attrs_)                                                                    \
    MOVE(name,                                                                                     \
         .inputs = "diagonal: T, k: int32, num_rows: int32, num_cols: int32, "                     \
                   "padding_value: T",                                                             \
         .outputs = "output: T", .attrs = (attrs_), .infer = infer_matrix_diag_band,               \
         .range = sf_range_move_all, .grad = SF_GRAD_INPUTS(1))
#define DIAG_PART_BAND(name, attrs_)                                                               \
    MOVE(name, .inputs = "input: T, k: int32, padding_value: T", .outputs = "diagonal: T",         \
         .attrs = (attrs_), .infer = infer_matrix_diag_part_band, .range = sf_range_diag_part,     \
         .grad = SF_GRAD_INPUTS(1))
#define SET_DIAG_BAND(name, attrs_)                                                                \
    MOVE(name, .inputs = "input: T, diagonal: T, k: int32", .outputs = "output: T",                \
         .attrs = (attrs_), .infer = infer_matrix_set_diag_band, .range = sf_range_set_diag)
#define DIAG_TYPES "{bfloat16, half, float, double, int32, int64, complex64, complex128}"

/* clang-format off */
static const SfOpDef ops[] = {
    MOVE(MatrixBandPart, .inputs = "input: T, num_lower: Tindex, num_upper: Tindex",
         .outputs = "band: T", .attrs = "T: type, Tindex: " SF_INDEX " = int64",
         .infer = infer_band_part, .range = sf_range_or_zero),
    MOVE(MatrixDiag, .inputs = "diagonal: T", .outputs = "output: T", .attrs = "T: type",
         .infer = infer_matrix_diag, .range = sf_range_or_zero),
    MOVE(MatrixDiagPart, .inputs = "input: T", .outputs = "diagonal: T", .attrs = "T: type",
         .infer = infer_matrix_diag_part, .range = sf_range_diag_part),
    MOVE(MatrixSetDiag, .inputs = "input: T, diagonal: T", .outputs = "output: T",
         .attrs = "T: type", .infer = infer_matrix_set_diag, .range = sf_range_set_diag),
    DIAG_BAND(MatrixDiagV2, "T: type"),
    DIAG_BAND(MatrixDiagV3, "T: type, " ALIGN),
    DIAG_PART_BAND(MatrixDiagPartV2, "T: type"),
    DIAG_PART_BAND(MatrixDiagPartV3, "T: type, " ALIGN),
    SET_DIAG_BAND(MatrixSetDiagV2, "T: type"),
    SET_DIAG_BAND(MatrixSetDiagV3, "T: type, " ALIGN),
    MOVE(Diag, .inputs = "diagonal: T", .outputs = "output: T", .attrs = "T: " DIAG_TYPES,
         .infer = infer_diag, .messages = diag_messages, .range = sf_range_or_zero),
    MOVE(DiagPart, .inputs = "input: T", .outputs = "diagonal: T", .attrs = "T: " DIAG_TYPES,
         .infer = infer_diag_part, .range = sf_range_diag_part),
    /* Of graph files older than version 14 only: without shape functions. */
    MOVE(BatchMatrixBandPart, .inputs = "input: T, num_lower: int64, num_upper: int64",
         .outputs = "band: T", .attrs = "T: type", .infer = infer_band_part,
         .traits = SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING),
    MOVE(BatchMatrixDiag, .inputs = "diagonal: T", .outputs = "output: T", .attrs = "T: type",
         .infer = infer_matrix_diag, .traits = SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING),
    MOVE(BatchMatrixDiagPart, .inputs = "input: T", .outputs = "diagonal: T", .attrs = "T: type",
         .infer = infer_matrix_diag_part, .traits = SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING),
    MOVE(BatchMatrixSetDiag, .inputs = "input: T, diagonal: T", .outputs = "output: T",
         .attrs = "T: type", .infer = infer_matrix_set_diag, .traits = SF_OP_KERNEL_ONLY,
         .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_matrix_diag = {ops, SF_ARRAY_LEN(ops), "matrix_diag"};
