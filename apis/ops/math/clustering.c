/* Ops of classic learning: k-means++ and nearest neighbours, isotonic regression, fingerprints.
 * TensorFlow's shape functions of k-means say little, so the shapes here follow the kernels.
 * Source: tensorflow/core/kernels/clustering_ops.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/math/matrix.h"
#include "apis/ops/shared/op_types.h"

/* clustering */

static const SfCheck kmc2_checks[] = {
    {SF_IS_VECTOR(0), .text = "Input {a.name} should be a vector."},
    {SF_IS_SCALAR(1), .text = "Input {a.name} should be a scalar."},
    {SF_DIM_AT_LEAST(0, 0, 1), SF_AS(OP_SHAPE), .text = "Expected distances_tensor.size() > 0."},
    {0}};

static const SfCheck kmeans_checks[] = {
    {SF_IS_MATRIX(0), .text = "Input {a.name} should be a matrix."},
    {SF_IS_SCALAR(1), .text = "Input {a.name} should be a scalar."},
    {SF_IS_SCALAR(2), .text = "Input {a.name} should be a scalar."},
    {SF_IS_SCALAR(3), .text = "Input {a.name} should be a scalar."},
    {0}};

static SfStatus kmeans_kernel(SfInfer *c, const void *data)
{
    const SfDim rows = sf_input_dim(c, 0, 0);
    int64_t samples;
    SF_TRY(sf_check(c, data));
    if (!sf_input_int(c, 1, &samples)) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, samples > 0, SF_INPUT(1), "Expected num_to_sample > 0."));
    return sf_require_as(c, sf_dim_upper(rows) >= samples, SF_DIAG_OP_SHAPE, SF_INPUT(1),
                         SF_AXIS(0, 0), "Expected num_to_sample <= points.rows(). {0} vs. {1}.",
                         SF_INT_ARG(samples), SF_INT_ARG(sf_dim_upper(rows)));
}

/* KmeansPlusPlusInitialization: num_to_sample rows of the points. */
static SfStatus infer_kmeans(SfInfer *c)
{
    SF_TRY(sf_kernel_check(c, kmeans_kernel, kmeans_checks));
    return sf_set_output_matrix(c, 0, sf_elem_as_dim(sf_common_elem(c, 1, 0)),
                                sf_input_dim(c, 0, 1));
}

static const SfCheck neighbors_checks[] = {
    {SF_IS_MATRIX(0), .text = "Input {a.name} should be a matrix."},
    {SF_IS_MATRIX(1), .text = "Input {a.name} should be a matrix."},
    {SF_IS_SCALAR(2), .text = "Input {a.name} should be a scalar."},
    {SF_DIM_AT_LEAST(0, 0, 1), SF_AS(OP_SHAPE), .text = "Expected points.rows() > 0."},
    {SF_DIMS_EQUAL(0, 1, 1, 1),
     .text = "Expected point_dimensions == center_dimensions: {1} vs {0}."},
    {0}};

/* NearestNeighbors: the k centres nearest to each point, or all of them when there are fewer. */
static SfStatus infer_neighbors(SfInfer *c)
{
    const SfDim k = sf_elem_as_dim(sf_common_elem(c, 2, 0));
    const SfDim columns = sf_matrix_smaller(k, sf_input_dim(c, 1, 0));
    SF_TRY(sf_set_output_matrix(c, 0, sf_input_dim(c, 0, 0), columns));
    return sf_set_output_matrix(c, 1, sf_input_dim(c, 0, 0), columns);
}

/* isotonic regression */

/* fingerprints */

static const SfMessage fingerprint_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "`data` should have at least one dimension: {shape 0}"},
    {SF_ON(RANK_EXACT), .text = "`method` should be a scalar string: {shape 1}"},
    {0}};

/* Fingerprint: so many bytes for each row of data; farmhash64 makes eight. */
static SfStatus infer_fingerprint(SfInfer *c)
{
    const SfElem method = sf_common_elem(c, 1, 0);
    sf_kernel_messages(c, fingerprint_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    if (method.kind != SF_ELEM_STRING) {
        return sf_set_output_matrix(c, 0, sf_input_dim(c, 0, 0), SF_DIM_UNKNOWN);
    }
    SF_TRY(sf_expect(c, strcmp(method.u.s->bytes, "farmhash64") == 0, SF_INPUT(1),
                     sf_common_runs(c) ? "Unsupported fingerprint method: {0}"
                                       : "Unsupported method: {0}",
                     SF_TEXT_ARG(method.u.s->bytes)));
    return sf_set_output_matrix(c, 0, sf_input_dim(c, 0, 0), 8);
}

/* SdcaFprint: two numbers for each string. */
static const SfMessage fprint_messages[] = {{.text = "Input must be a vector, got shape {shape 0}"},
                                            {0}};

/* rows */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(KMC2ChainInitialization, .inputs = "distances: float, seed: int64",
          .outputs = "index: int64", .infer = sf_infer_scalar, .checks = kmc2_checks,
          .grad = SF_GRAD_MISSING),
    SF_OP(KmeansPlusPlusInitialization,
          .inputs = "points: float, num_to_sample: int64, seed: int64, "
                    "num_retries_per_sample: int64",
          .outputs = "samples: float", .infer = infer_kmeans, .grad = SF_GRAD_MISSING),
    SF_OP(NearestNeighbors, .inputs = "points: float, centers: float, k: int64",
          .outputs = "nearest_center_indices: int64, nearest_center_distances: float",
          .infer = infer_neighbors, .checks = neighbors_checks, .grad = SF_GRAD_MISSING),
    SF_OP(IsotonicRegression, .inputs = "input: T", .outputs =
          "output: output_dtype, segments: int32",
          .attrs = "T: " SF_REALTYPE ", output_dtype: " SF_NN_FLOATS " = float",
          .infer = sf_infer_unchanged, .grad = SF_GRAD_INPUTS(1)),
    SF_OP(Fingerprint, .inputs = "data: T, method: string", .outputs = "fingerprint: uint8",
          .attrs = "T: type", .infer = infer_fingerprint, .grad = SF_GRAD_MISSING),
    SF_OP(SdcaFprint, .inputs = "input: string", .outputs = "output: int64",
          .infer = SF_SHAPES("[n] -> [n,2]"), .messages = fprint_messages, .grad = SF_GRAD_NONE),
    SF_OP(Fact, .inputs = "", .outputs = "fact: string", .infer = sf_infer_scalar,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_learn = {ops, SF_ARRAY_LEN(ops), "learn"};
