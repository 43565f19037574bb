/* Crosses of features: sparse and dense matrices of one batch, combined row by row. Construction
 * knows the form of the result only; the kernels look at every feature.
 * Source: sparse_ops.cc, sparse_cross_op.cc. */
#include <inttypes.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"

/* The features of an op: lists of indices, values and shapes, and of dense matrices. */
typedef struct Features {
    int nsparse, indices, values, shapes;
    int ndense, dense;
} Features;

static Features features_of(const SfInfer *c)
{
    Features f;
    f.nsparse = sf_input_range(c, "indices", &f.indices);
    sf_input_range(c, "values", &f.values);
    sf_input_range(c, "shapes", &f.shapes);
    f.ndense = sf_input_range(c, "dense_inputs", &f.dense);
    return f;
}

static SfStatus want_form(SfInfer *c, int first, int n, int rank, const char *message)
{
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_require_rank(c, first + i, rank, message, SF_INT_ARG(i)));
    }
    return SF_OK;
}

static SfStatus want_number(SfInfer *c, SfPlace place, SfDim is, SfDim want, const char *message,
                            int i)
{
    return sf_require_equal(c, place, is, SF_THE_OP, want, message, SF_DIM_ARG(want),
                            SF_DIM_ARG(is), SF_INT_ARG(i));
}

/* Triples of matrices: in the order of the kernel's own checks. */
static SfStatus check_sparse(SfInfer *c, const Features *f)
{
    SF_TRY(
        want_form(c, f->indices, f->nsparse, 2,
                  "Input indices should be a matrix but received shape {a.shape} at position {0}"));
    for (int i = 0; i < f->nsparse; i++) {
        SF_TRY(want_number(c, SF_AXIS(f->indices + i, 1), sf_input_dim(c, f->indices + i, 1), 2,
                           "Expected D2 of index to be {0} got {1} at position {2}", i));
    }
    SF_TRY(
        want_form(c, f->values, f->nsparse, 1,
                  "Input values should be a vector but received shape {a.shape} at position {0}"));
    for (int i = 0; i < f->nsparse; i++) {
        SF_TRY(want_number(c, SF_AXIS(f->values + i, 0), sf_input_dim(c, f->values + i, 0),
                           sf_input_dim(c, f->indices + i, 0),
                           "Expected size of values to be {0} got {1} at position {2}", i));
    }
    SF_TRY(
        want_form(c, f->shapes, f->nsparse, 1,
                  "Input shapes should be a vector but received shape {a.shape} at position {0}"));
    for (int i = 0; i < f->nsparse; i++) {
        const SfDim n = sf_input_dim(c, f->shapes + i, 0);
        SF_TRY(sf_require_as(
            c, !sf_dim_differs(n, 2), SF_DIAG_DIM_VALUE, SF_AXIS(f->shapes + i, 0), SF_THE_OP,
            "shape should imply a 2D tensor, but got {a.shape} at position {0}", SF_INT_ARG(i)));
    }
    return SF_OK;
}

static SfStatus cross_kernel(SfInfer *c)
{
    const Features all = features_of(c), *f = &all;
    SfDim batch = SF_DIM_UNKNOWN;
    SF_TRY(check_sparse(c, f));
    SF_TRY(
        want_form(c, f->dense, f->ndense, 2,
                  "Dense inputs should be a matrix but received shape {a.shape} at position {0}"));
    for (int i = 0; i < f->nsparse; i++) {
        const SfDim is = sf_elem_as_dim(sf_common_elem(c, f->shapes + i, 0));
        SF_TRY(want_number(c, SF_INPUT(f->shapes + i), is, batch,
                           "Expected batch size {0} got {1} at position {2}", i));
        batch = sf_dim_is_known(batch) ? batch : is;
    }
    for (int i = 0; i < f->ndense; i++) {
        const SfDim is = sf_input_dim(c, f->dense + i, 0);
        SF_TRY(want_number(c, SF_AXIS(f->dense + i, 0), is, batch,
                           "Expected batch size {0} got {1} at dense tensor {2}", i));
        batch = sf_dim_is_known(batch) ? batch : is;
    }
    return SF_OK;
}

/* Every row has as many crosses as its features multiply to: known of dense features alone. */
static SfDim crosses(const SfInfer *c, const Features *f)
{
    SfDim n = f->ndense > 0 ? sf_input_dim(c, f->dense, 0) : SF_DIM_UNKNOWN;
    for (int i = 0; i < f->ndense; i++) {
        n = sf_dim_mul(n, sf_input_dim(c, f->dense + i, 1));
    }
    return f->nsparse > 0                ? SF_DIM_UNKNOWN
           : f->nsparse + f->ndense == 0 ? 0
           : n == SF_DIM_BOTTOM          ? SF_DIM_UNKNOWN
                                         : n;
}

static SfStatus infer_cross(SfInfer *c)
{
    const Features f = features_of(c);
    const SfDim n = crosses(c, &f);
    SF_TRY(sf_set_output_matrix(c, 0, n, 2));
    SF_TRY(sf_set_output_vector(c, 1, n));
    return sf_set_output_vector(c, 2, 2);
}

static SfStatus cross_v2_kernel(SfInfer *c)
{
    SF_TRY(cross_kernel(c));
    return sf_require_rank(c, sf_input_count(c) - 1, 0,
                           "Input separator should be a scalar. Received: {a.shape}");
}

static SfStatus cross_hashed_kernel(SfInfer *c)
{
    const int salt = sf_input_count(c) - 1;
    const SfDim n = sf_shape_count(sf_input(c, salt));
    SF_TRY(cross_kernel(c));
    return sf_require_as(c, !sf_dim_differs(n, 2), SF_DIAG_DIM_VALUE, SF_INPUT(salt), SF_THE_OP,
                         "Input \"salt\" must have length 2 but has length {0}", SF_DIM_ARG(n));
}

/* table */

/* clang-format off */
#define FEATURES \
    "indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types"
#define TYPES "N: int >= 0, sparse_types: list({int64, string}) >= 0, " \
    "dense_types: list({int64, string}) >= 0"
#define OUT(t) "output_indices: int64, output_values: " t ", output_shape: int64"

static const SfOpDef ops[] = {
    SF_OP(SparseCross, .inputs = FEATURES, .outputs = OUT("out_type"),
          .attrs = "N: int >= 0, hashed_output: bool, num_buckets: int >= 0, hash_key: int, "
                   "sparse_types: list({int64, string}) >= 0, "
                   "dense_types: list({int64, string}) >= 0, out_type: {int64, string}, "
                   "internal_type: {int64, string}",
          .infer = infer_cross, .kernel = cross_kernel, .grad = SF_GRAD_MISSING),
    SF_OP(SparseCrossV2, .inputs = FEATURES ", sep: string", .outputs = OUT("string"),
          .attrs = TYPES, .infer = infer_cross, .kernel = cross_v2_kernel, .grad = SF_GRAD_MISSING),
    SF_OP(SparseCrossHashed,
          .inputs = FEATURES ", num_buckets: int64, strong_hash: bool, salt: int64",
          .outputs = OUT("int64"), .attrs = TYPES, .infer = infer_cross,
          .kernel = cross_hashed_kernel,
          .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_cross = {ops, SF_ARRAY_LEN(ops), "sparse_cross"};
