/* Ops on the last two axes: decompositions and solvers. All leading axes are a batch. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/math/matrix.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* what LinearAlgebraOp asks of its inputs */

/* The first `n` inputs are batches of matrices, of one rank and with the same outer dimensions. */
static SfStatus check_batches(SfInfer *c, int n)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    SF_TRY(sf_require_as(c, rank < 0 || rank >= 2, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "Input tensor 0 must have rank >= 2, got {a.rank}"));
    for (int i = 1; i < n && rank >= 0; i++) {
        SF_TRY(sf_require_as(c, sf_shape_may_have_rank(sf_input(c, i), rank), SF_DIAG_MERGE_RANK,
                             SF_INPUT(0), SF_INPUT(i),
                             "All input tensors must have the same rank."));
        for (int axis = 0; axis < rank - 2; axis++) {
            SF_TRY(sf_require_as(
                c, sf_dim_compatible(sf_input_dim(c, 0, axis), sf_input_dim(c, i, axis)),
                SF_DIAG_MERGE_DIM, SF_AXIS(0, axis), SF_AXIS(i, axis),
                "All input tensors must have the same outer dimensions."));
        }
    }
    return SF_OK;
}

static SfStatus batches_kernel(SfInfer *c, const void *data)
{
    return check_batches(c, *(const int *)data);
}

static SfStatus kernel_batches(SfInfer *c, int n)
{
    return sf_common_kernel_first(c, batches_kernel, &n);
}

/* square matrices */

static const SfMessage square_messages[] = {
    {SF_ON(DIM_EQUAL), SF_OF(0), SF_WITH(0), .text = "Input matrix must be square."}, {0}};

/* Input i as a batch of square matrices: the batch, and the size. */
static SfStatus want_square(SfInfer *c, int input, const SfShape **batch, SfDim *size)
{
    const SfShape *s;
    SF_TRY(kernel_batches(c, 1));
    sf_kernel_messages(c, square_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(input), 2, &s));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(input, -2), SF_AXIS(input, -1), size));
    *batch = sf_common_batch(s, 2);
    return !*batch ? SF_NOMEM : SF_OK;
}

SfStatus sf_matrix_set_output(SfInfer *c, int output, const SfShape *batch, SfDim rows,
                              SfDim columns)
{
    return sf_set_output_shape(c, output, sf_shape_concat(batch, sf_shape_matrix(rows, columns)));
}

SfStatus sf_matrix_set_output_vectors(SfInfer *c, int output, const SfShape *batch, SfDim n)
{
    return sf_set_output_shape(c, output, sf_shape_concat(batch, sf_shape_vector(n)));
}

/* MatrixInverse, Cholesky...: square in, the same out. */
static SfStatus infer_square(SfInfer *c)
{
    const SfShape *batch;
    SfDim n;
    SF_TRY(want_square(c, 0, &batch, &n));
    return sf_matrix_set_output(c, 0, batch, n, n);
}

/* MatrixDeterminant: one number for each matrix. */
static SfStatus infer_determinant(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(kernel_batches(c, 1));
    sf_kernel_messages(c, square_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, -1), SF_AXIS(0, -2), NULL));
    SF_TRY(sf_set_output_shape(c, 0, sf_common_batch(x, 2)));
    return sf_output_count(c) < 2 ? SF_OK : sf_set_output_shape(c, 1, sf_common_batch(x, 2));
}

/* Eigenvalues are complex, of the operand's precision. */
static SfStatus eig_kernel(SfInfer *c)
{
    const SfDtype in = sf_dtype_base(sf_input_dtype(c, 0));
    const SfDtype out = sf_output_dtype(c, 0);
    const bool single = in == SF_DT_FLOAT || in == SF_DT_COMPLEX64;
    const SfDtype want = single ? SF_DT_COMPLEX64 : SF_DT_COMPLEX128;
    return sf_require_as(c, !sf_dtype_is_complex(out) || out == want, SF_DIAG_OP_SHAPE,
                         SF_ATTR("Tout"), SF_INPUT(0), "Invalid output dtype {0} vs {1}",
                         SF_INT_ARG(out), SF_INT_ARG(want));
}

/* SelfAdjointEigV2, Eig: eigenvalues, and eigenvectors; when those are not wanted, the kernel gives
 * a scalar (and TensorFlow's shape function says [0]). */
static SfStatus infer_eig(SfInfer *c)
{
    const SfShape *batch;
    SfDim n;
    SF_TRY(want_square(c, 0, &batch, &n));
    SF_TRY(sf_ask_kernel(c, eig_kernel));
    SF_TRY(sf_matrix_set_output_vectors(c, 0, batch, n));
    return sf_attr_bool(c, "compute_v") ? sf_matrix_set_output(c, 1, batch, n, n)
                                        : sf_set_output_scalar(c, 1);
}

/* SelfAdjointEig (of old graphs): values in the first row, vectors below. */
static SfStatus infer_eig_v1(SfInfer *c)
{
    const SfShape *batch;
    SfDim n;
    SF_TRY(want_square(c, 0, &batch, &n));
    const SfDim rows = sf_dim_add(n, 1); /* past int64: of matrices that can't be made */
    return sf_matrix_set_output(c, 0, batch, rows == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : rows, n);
}

static SfStatus infer_lu(SfInfer *c)
{
    const SfShape *batch;
    SfDim n;
    SF_TRY(want_square(c, 0, &batch, &n));
    SF_TRY(sf_matrix_set_output(c, 0, batch, n, n));
    return sf_matrix_set_output_vectors(c, 1, batch, n);
}

static SfStatus cholesky_grad_kernel(SfInfer *c, const void *data)
{
    SF_TRY(check_batches(c, 2));
    return sf_require_as(c, sf_shape_compatible(sf_input(c, 0), sf_input(c, 1)), SF_DIAG_OP_SHAPE,
                         SF_INPUT(0), SF_INPUT(1), "Inputs (L and grad) must have the same shape.");
}

static SfStatus infer_cholesky_grad(SfInfer *c)
{
    const SfShape *batch;
    SfDim n;
    SF_TRY(sf_common_kernel_first(c, cholesky_grad_kernel, NULL));
    SF_TRY(want_square(c, 0, &batch, &n));
    SF_TRY(sf_common_kernel_last(c, cholesky_grad_kernel, NULL));
    return sf_matrix_set_output(c, 0, batch, n, n);
}

/* rectangular decompositions */

SfDim sf_matrix_smaller(SfDim m, SfDim n)
{
    if (m == n || sf_dim_upper(m) <= sf_dim_lower(n)) {
        return m;
    }
    return sf_dim_upper(n) <= sf_dim_lower(m) ? n : SF_DIM_UNKNOWN;
}

/* Input 0 as a batch of matrices [m,n]. */
static SfStatus want_matrices(SfInfer *c, const SfShape **batch, SfDim *m, SfDim *n)
{
    const SfShape *x;
    SF_TRY(kernel_batches(c, 1));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &x));
    *batch = sf_common_batch(x, 2);
    *m = sf_shape_dim(x, -2);
    *n = sf_shape_dim(x, -1);
    return SF_OK;
}

/* Qr: q[m,p] r[p,n] with p = min(m,n); full_matrices: q[m,m] r[m,n]. */
static SfStatus infer_qr(SfInfer *c)
{
    const SfShape *batch;
    SfDim m, n;
    SF_TRY(want_matrices(c, &batch, &m, &n));
    const SfDim p = sf_attr_bool(c, "full_matrices") ? m : sf_matrix_smaller(m, n);
    SF_TRY(sf_matrix_set_output(c, 0, batch, m, p));
    return sf_matrix_set_output(c, 1, batch, p, n);
}

/* Svd: s[p] u[m,p] v[n,p]; full_matrices: u[m,m] v[n,n]; without compute_uv the kernel gives
 * two scalars (and TensorFlow's shape function says [0]). */
static SfStatus infer_svd(SfInfer *c)
{
    const SfShape *batch;
    SfDim m, n;
    SF_TRY(want_matrices(c, &batch, &m, &n));
    const SfDim p = sf_matrix_smaller(m, n);
    const bool full = sf_attr_bool(c, "full_matrices");
    SF_TRY(sf_matrix_set_output_vectors(c, 0, batch, p));
    if (!sf_attr_bool(c, "compute_uv")) {
        return sf_common_set_output_scalars(c, 1, 3);
    }
    SF_TRY(sf_matrix_set_output(c, 1, batch, m, full ? m : p));
    return sf_matrix_set_output(c, 2, batch, n, full ? n : p);
}

/* solvers */

static const SfMessage solve_messages[] = {
    {SF_ON(DIM_EQUAL), SF_OF(0), SF_WITH(0), .text = "First input (lhs) must be a square matrix."},
    {SF_ON(DIM_EQUAL), .text = "Input matrix and rhs are incompatible."},
    {0}};

static bool batches_clash(SfInfer *c, const SfFinding *f)
{
    return sf_shape_is_bottom(sf_shape_broadcast(sf_common_batch(sf_input(c, 0), 2),
                                                 sf_common_batch(sf_input(c, 1), 2), NULL));
}

/* The kernels that broadcast their batches. */
static const SfMessage triangular_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "In[{a}] ndims must be >= 2: {a.rank}"},
    {SF_ON(DIM_EQUAL), SF_OF(0), SF_WITH(0),
     .text = "In[0] matrices in the last dimensions must be square ({dim 0 -1} =/= {dim 0 -2})"},
    {SF_ON(DIM_EQUAL), .when = batches_clash,
     .text = "In[0] and In[1] must have compatible batch dimensions: {shape 0} vs. {shape 1}"},
    {SF_ON(DIM_EQUAL),
     .text = "In[0] mismatch In[1] shape: {dim 0 -1} vs. {dim 1 -2}: {shape 0} {shape 1} {attr "
             "lower} {attr adjoint}"},
    {0}};

/* matrix[..., m, n] x = rhs[..., m, k]; x is [..., n, k]. */
static SfStatus solve(SfInfer *c, bool square, bool broadcasts)
{
    const SfShape *a, *b, *batch;
    SF_TRY(broadcasts ? SF_OK : kernel_batches(c, 2));
    sf_kernel_messages(c, broadcasts ? triangular_messages : solve_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, &b));
    SfDim m = sf_shape_dim(a, -2), n = sf_shape_dim(a, -1);
    if (square) {
        SF_TRY(sf_want_same_dim(c, SF_AXIS(0, -2), SF_AXIS(0, -1), &m));
    }
    const SfShape *x = sf_common_batch(a, 2), *y = sf_common_batch(b, 2);
    SF_TRY(broadcasts ? sf_common_broadcast(c, 0, x, 1, y, 2, &batch)
                      : sf_want_merge(c, SF_INPUT(0), x, SF_INPUT(1), y, &batch));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, -2), m, SF_AXIS(1, -2), sf_shape_dim(b, -2), &m));
    return sf_matrix_set_output(c, 0, batch, square ? m : n, sf_shape_dim(b, -1));
}

static SfStatus infer_solve(SfInfer *c)
{
    return solve(c, true, false);
}

/* Triangular systems broadcast their batches, from 2.0 on. */
static SfStatus infer_triangular_solve(SfInfer *c)
{
    return solve(c, true, sf_version(c) >= SF_VERSION(2, 0));
}

static const SfMessage regularizer_messages[] = {
    {.text = "l2_regularizer must be scalar, got shape {shape 2}"}, {0}};

/* Where there is a matrix to solve for. */
static SfStatus regularizer_kernel(SfInfer *c)
{
    const SfElem e = sf_common_elem(c, 2, 0);
    return sf_require(c,
                      !sf_dim_never(sf_shape_count(sf_output(c, 0)), 0) ||
                          e.kind != SF_ELEM_FLOAT || !(e.u.f < 0),
                      SF_INPUT(2), "l2_regularizer must be >= 0.");
}

/* MatrixSolveLs: least squares, with a scalar regulariser. */
static SfStatus infer_solve_ls(SfInfer *c)
{
    SF_TRY(kernel_batches(c, 2));
    sf_kernel_messages(c, regularizer_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(solve(c, false, false));
    return sf_ask_kernel(c, regularizer_kernel);
}

static const SfMessage tridiagonal_messages[] = {
    {SF_ON(DIM_VALUE),
     .text = "Expected diagonals to be provided as a matrix with 3 rows, got {dim 0 -2} rows."},
    {SF_ON(DIM_EQUAL),
     .text = "Expected the same number of left-hand sides and right-hand sides, got {dim 0 -1} and "
             "{dim 1 -2}."},
    {0}};

static SfStatus pivoting_kernel(SfInfer *c)
{
    return sf_require_as(
        c, !sf_attr_bool(c, "perturb_singular") || sf_attr_bool(c, "partial_pivoting"),
        SF_DIAG_OP_SHAPE, SF_ATTR("perturb_singular"), SF_ATTR("partial_pivoting"),
        "Setting perturb_singular requires also setting partial_pivoting.");
}

/* TridiagonalSolve: three diagonals [..., 3, m] against rhs [..., m, k]. */
static SfStatus infer_tridiagonal_solve(SfInfer *c)
{
    const SfShape *d, *rhs, *batch;
    SfDim m;
    SF_TRY(sf_ask_kernel(c, pivoting_kernel));
    SF_TRY(kernel_batches(c, 2));
    sf_kernel_messages(c, tridiagonal_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &d));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, &rhs));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_common_batch(d, 2), SF_INPUT(1),
                         sf_common_batch(rhs, 2), &batch));
    if (sf_shape_is_ranked(d)) {
        SF_TRY(sf_want_dim(c, SF_AXIS(0, -2), 3));
    }
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, -1), SF_AXIS(1, -2), &m));
    return sf_matrix_set_output(c, 0, batch, m, sf_shape_dim(rhs, -1));
}

static SfStatus tridiagonal_matmul_kernel(SfInfer *c)
{
    static const char *const names[] = {"superdiagonal", "main diagonal", "subdiagonal"};
    const SfDim m = sf_input_dim(c, 3, -2);
    SF_TRY(check_batches(c, 4));
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_require_as(c,
                             !sf_dim_never(sf_input_dim(c, i, -2), 1) &&
                                 sf_dim_compatible(sf_input_dim(c, i, -1), m),
                             SF_DIAG_OP_SHAPE, SF_INPUT(i), SF_INPUT(3), "Invalid {0} shape.",
                             SF_TEXT_ARG(names[i])));
    }
    return SF_OK;
}

/* The three diagonals, without their last `inner` axes, are of one shape. */
static SfStatus merge_diagonals(SfInfer *c, int inner, const SfShape **out)
{
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_common_batch(sf_input(c, 0), inner), SF_INPUT(1),
                         sf_common_batch(sf_input(c, 1), inner), out));
    return sf_want_merge(c, SF_INPUT(2), sf_common_batch(sf_input(c, 2), inner), SF_INPUT(0), *out,
                         out);
}

/* TridiagonalMatMul: three diagonals [..., 1, m] times rhs [..., m, k]. */
static SfStatus infer_tridiagonal_matmul(SfInfer *c)
{
    const SfShape *batch, *all;
    SfDim m;
    for (int i = 0; i < 4; i++) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(i), 2, NULL));
    }
    SF_TRY(merge_diagonals(c, 2, &batch));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), batch, SF_INPUT(3), sf_common_batch(sf_input(c, 3), 2),
                         &batch));
    SF_TRY(merge_diagonals(c, 0, &all));
    for (int i = 0; i < 3; i++) {
        if (sf_shape_is_ranked(sf_input(c, i))) {
            SF_TRY(sf_want_dim(c, SF_AXIS(i, -2), 1));
        }
    }
    const SfShape *rhs = sf_input(c, 3);
    SF_TRY(sf_want_equal(c, SF_AXIS(0, -1), sf_shape_dim(all, -1), SF_AXIS(3, -2),
                         sf_shape_dim(rhs, -2), &m));
    return sf_matrix_set_output(c, 0, batch, m, sf_shape_dim(rhs, -1));
}

/* BandedTriangularSolve: bands [..., b, m]; batches broadcast. */
static SfStatus infer_banded_solve(SfInfer *c)
{
    const SfShape *bands, *rhs, *batch;
    SfDim m;
    sf_kernel_messages(c, triangular_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &bands));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 2, &rhs));
    const SfDim count = sf_shape_dim(bands, -2);
    if (sf_common_runs(c)) {
        for (int i = 0; i < 2; i++) {
            SF_TRY(sf_expect(c, sf_shape_count(sf_input(c, i)) != 0, SF_INPUT(i),
                             "In[{0}] must not be an empty tensor: {1}", SF_INT_ARG(i),
                             SF_TEXT_ARG(sf_common_tensor_text(c, i))));
        }
    } else {
        SF_TRY(
            sf_expect(c, count != 0, SF_AXIS(0, -2), "Number of bands must be positive, but is 0"));
        SF_TRY(
            sf_require_as(c, sf_dim_lower(count) <= sf_dim_upper(sf_shape_dim(bands, -1)),
                          SF_DIAG_OP_SHAPE, SF_AXIS(0, -2), SF_AXIS(0, -1),
                          "Number of bands {a.dim} cannot exceed the size of the matrix {b.dim}"));
    }
    SF_TRY(sf_common_broadcast(c, 0, sf_common_batch(bands, 2), 1, sf_common_batch(rhs, 2), 2,
                               &batch));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, -1), SF_AXIS(1, -2), &m));
    return sf_matrix_set_output(c, 0, batch, m, sf_shape_dim(rhs, -1));
}

/* rows */

#define SQUARE(name, attrs_, ...) OF_MATRIX(name, "output: T", attrs_, infer_square, __VA_ARGS__)
/* One batch of matrices in; `...` begins with the transfer function. */
#define OF_MATRIX(name, out, attrs_, ...)                                                          \
    SF_OP(name, .inputs = "input: T", .outputs = out, .attrs = (attrs_), .infer = __VA_ARGS__)
#define CHOLESKY_GRAD(name, types, ...)                                                            \
    SF_OP(name, .inputs = "l: T, grad: T", .outputs = "output: T", .attrs = "T: " types,           \
          .infer = infer_cholesky_grad, __VA_ARGS__)
#define SOLVE_LS(name, types, ...)                                                                 \
    SF_OP(name, .inputs = "matrix: T, rhs: T, l2_regularizer: double", .outputs = "output: T",     \
          .attrs = "T: " types ", fast: bool = true", .infer = infer_solve_ls, __VA_ARGS__)
#define SOLVE(name, attrs_, ...)                                                                   \
    SF_OP(name, .inputs = "matrix: T, rhs: T", .outputs = "output: T", .attrs = (attrs_),          \
          .infer = __VA_ARGS__)
#define OLD               .traits = SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING
#define DETERMINED        "T: {half, float, double, complex64, complex128}"
#define SVD_ATTRS         "compute_uv: bool = true, full_matrices: bool = false, T: "
#define TRIDIAGONAL_TYPES "{double, float, complex64, complex128}"

/* clang-format off */
static const SfOpDef ops[] = {
    SQUARE(MatrixInverse,     "adjoint: bool = false, T: " SF_SOLVABLE, .grad = SF_GRAD_FLOATS,
          .hazards = sf_hazards_inverse),
    SQUARE(MatrixExponential, "T: " SF_SOLVABLE,                        .grad = SF_GRAD_MISSING),
    SQUARE(MatrixLogarithm,   "T: " SF_COMPLEX,                         .grad = SF_GRAD_MISSING),
    SQUARE(MatrixSquareRoot,  "T: " SF_SOLVABLE,                        .grad = SF_GRAD_FLOATS),
    SQUARE(Cholesky,          "T: " SF_SOLVABLE,                        .grad = SF_GRAD_FLOATS,
          .hazards = sf_hazards_cholesky, .range = sf_range_cholesky),
    CHOLESKY_GRAD(CholeskyGrad, "{half, float, double}", .grad = SF_GRAD_MISSING),
    OF_MATRIX(MatrixDeterminant, "output: T", DETERMINED, infer_determinant),
    OF_MATRIX(LogMatrixDeterminant, "sign: T, log_abs_determinant: T", DETERMINED,
              infer_determinant),
    OF_MATRIX(SelfAdjointEig, "output: T", "T: {double, float, half}", infer_eig_v1,
              .grad = SF_GRAD_MISSING),
    OF_MATRIX(SelfAdjointEigV2, "e: T, v: T", "compute_v: bool = true, T: " SF_SOLVABLE, infer_eig),
    OF_MATRIX(Eig, "e: Tout, v: Tout",
              "compute_v: bool = true, T: {float, double, complex64, complex128}, "
              "Tout: " SF_COMPLEX,
              infer_eig),
    OF_MATRIX(Lu, "lu: T, p: output_idx_type",
              "T: " SF_SOLVABLE ", output_idx_type: " SF_INDEX " = int32", infer_lu,
              .grad = SF_GRAD_MISSING),
    OF_MATRIX(Qr, "q: T, r: T", "full_matrices: bool = false, T: " SF_SOLVABLE, infer_qr),
    OF_MATRIX(Svd, "s: T, u: T, v: T", SVD_ATTRS SF_SOLVABLE, infer_svd),

    SOLVE(MatrixSolve, "adjoint: bool = false, T: " SF_SOLVABLE, infer_solve,
          .hazards = sf_hazards_inverse),
    SOLVE(MatrixTriangularSolve,
          "lower: bool = true, adjoint: bool = false, "
          "T: {bfloat16, double, float, half, complex64, complex128}",
          infer_triangular_solve),
    SOLVE(BandedTriangularSolve, "lower: bool = true, adjoint: bool = false, T: " SF_SOLVABLE,
          infer_banded_solve, .traits = SF_OP_ASK_KERNEL),
    SOLVE_LS(MatrixSolveLs, SF_SOLVABLE, .grad = SF_GRAD_INPUTS(3)),
    SF_OP(TridiagonalSolve, .inputs = "diagonals: T, rhs: T", .outputs = "output: T",
          .attrs = "partial_pivoting: bool = true, perturb_singular: bool = false, "
                   "T: " TRIDIAGONAL_TYPES,
          .infer = infer_tridiagonal_solve),
    SF_OP(TridiagonalMatMul, .inputs = "superdiag: T, maindiag: T, subdiag: T, rhs: T",
          .outputs = "output: T", .attrs = "T: " TRIDIAGONAL_TYPES,
          .infer = infer_tridiagonal_matmul, .kernel = tridiagonal_matmul_kernel),

    /* Of graph files older than version 13 only: what replaced them has the same kernel, and
     * they have no shape functions. */
    SQUARE(BatchMatrixInverse, "adjoint: bool = false, T: {double, float}", OLD,
          .hazards = sf_hazards_inverse),
    SQUARE(BatchCholesky, "T: {double, float}", OLD),
    CHOLESKY_GRAD(BatchCholeskyGrad, "{float, double}", OLD),
    OF_MATRIX(BatchMatrixDeterminant, "output: T", "T: {float, double, complex64, complex128}",
              infer_determinant, OLD),
    OF_MATRIX(BatchSelfAdjointEig, "output: T", "T: {double, float}", infer_eig_v1, OLD),
    OF_MATRIX(BatchSelfAdjointEigV2, "e: T, v: T", "compute_v: bool = true, T: {double, float}",
              infer_eig, OLD),
    OF_MATRIX(BatchSvd, "s: T, u: T, v: T", SVD_ATTRS "{double, float, complex64, complex128}",
              infer_svd, OLD),
    SOLVE(BatchMatrixSolve, "adjoint: bool = false, T: {double, float}", infer_solve,
        .traits = SF_OP_KERNEL_ONLY, .hazards = sf_hazards_inverse),
    SOLVE(BatchMatrixTriangularSolve,
          "lower: bool = true, adjoint: bool = false, T: {double, float}", infer_solve,
          .traits = SF_OP_KERNEL_ONLY),
    SOLVE_LS(BatchMatrixSolveLs, "{double, float}", OLD),
};
/* clang-format on */
const SfOpTable sf_ops_matrix = {ops, SF_ARRAY_LEN(ops), "matrix"};
