/* Sparse tensors packed: into strings or variants, or put away in a map by number; taken out, many
 * of them are one of a rank more. Source: sparse_ops.cc, serialize_sparse_op.cc,
 * deserialize_sparse_*_op.cc, sparse_tensors_map_ops.cc. */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/sparse/sparse_triple.h"

/* packing */

static const SfCheck form_checks[] = {
    {SF_IS_MATRIX(0), .text = "Input indices should be a matrix but received shape {a.shape}"},
    {SF_IS_VECTOR(1), .text = "Input values should be a vector but received shape {a.shape}"},
    {SF_IS_VECTOR(2), .text = "Input shape should be a vector but received shape {a.shape}"},
    {0}};

static SfStatus one_kernel(SfInfer *c)
{
    SF_TRY(sf_require_ints(c, 2, 0, INT64_MAX, SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                           "Dimension {1} must be >= 0"));
    return sf_triple_check(c, 0, SF_TRIPLE_CREATED);
}

/* The first axis counts the tensors: there must be another one. */
static SfStatus rank_kernel(SfInfer *c)
{
    const SfDim rank = sf_input_dim(c, 2, 0);
    return sf_require_as(c, !sf_dim_is_known(rank) || rank > 1, SF_DIAG_RANK_AT_LEAST, SF_INPUT(2),
                         SF_THE_OP, "Rank of input SparseTensor should be > 1, but saw rank: {0}",
                         SF_DIM_ARG(rank));
}

static SfStatus many_kernel(SfInfer *c)
{
    SF_TRY(rank_kernel(c));
    SF_TRY(sf_triple_sizes(c, 2));
    SF_TRY(sf_triple_check(c, 0, SF_TRIPLE_CREATED));
    return sf_triple_ordered(c, 0, 2);
}

static SfStatus add_many_kernel(SfInfer *c)
{
    const SfDim rows = sf_input_dim(c, 0, 0), n = sf_input_dim(c, 1, 0);
    const SfDim columns = sf_input_dim(c, 0, 1), dims = sf_input_dim(c, 2, 0);
    const char *indices = sf_shape_text(c, sf_input(c, 0));
    SF_TRY(
        sf_require_equal(c, SF_AXIS(1, 0), n, SF_AXIS(0, 0), rows,
                         "Number of values must match first dimension of indices. Got {0} values, "
                         "indices shape: {1}",
                         SF_DIM_ARG(n), SF_TEXT_ARG(indices)));
    SF_TRY(sf_require_equal(c, SF_AXIS(2, 0), dims, SF_AXIS(0, 1), columns,
                            "Number of dimensions must match second dimension of indices. Got {0} "
                            "dimensions, indices shape: {1}",
                            SF_DIM_ARG(dims), SF_TEXT_ARG(indices)));
    SF_TRY(rank_kernel(c));
    SF_TRY(sf_triple_sizes(c, 2));
    return sf_triple_ordered(c, 0, 2);
}

/* How many tensors the first axis counts. */
static SfDim packed_count(SfInfer *c)
{
    return sf_elem_as_dim(sf_common_elem(c, 2, 0));
}

static SfStatus infer_serialize_many(SfInfer *c)
{
    SF_TRY(sf_triple_want(c, 0, NULL));
    return sf_set_output_matrix(c, 0, packed_count(c), 3);
}

static SfStatus infer_add_many(SfInfer *c)
{
    SF_TRY(sf_triple_want(c, 0, NULL));
    return sf_set_output_vector(c, 0, packed_count(c));
}

/* taking out */

static const SfCheck take_checks[] = {
    {.kind = SF_CHECK_DIM_AT_LEAST,
     .a = SF_INPUT(0),
     .n = 1,
     SF_AS(RUN_REFUSED),
     .text = "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows"},
    {0}};

static SfStatus infer_deserialize(SfInfer *c)
{
    if (sf_shape_is_ranked(sf_input(c, 0))) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, NULL));
        SF_TRY(sf_want_dim(c, SF_AXIS(0, -1), 3));
    }
    return sf_triple_set_output(c, 0, 1, SF_DIM_UNKNOWN, SF_DIM_UNKNOWN,
                                sf_shape_vector(SF_DIM_UNKNOWN));
}

/* table */

/* clang-format off */
#define TRIPLE(p) p "_indices: int64, " p "_values: T, " p "_shape: int64"

#define OUT "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64"
#define TAKES(in) \
    .infer = SF_SHAPES(in " -> [?,?] [?] [?]"), .checks = take_checks, .checks_last = true
#define MAP(name, in_, out_, type_, ...) \
    SF_OP(name, .inputs = in_, .outputs = out_, \
          .attrs = type_ ": type, container: string = '', shared_name: string = ''", \
          __VA_ARGS__, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, \
          .grad = SF_GRAD_MISSING)

static const SfOpDef ops[] = {
    SF_OP(SerializeSparse, .inputs = TRIPLE("sparse"), .outputs = "serialized_sparse: out_type",
          .attrs = "T: type, out_type: {string, variant} = string", .checks = form_checks,
          .infer = SF_SHAPES("[?,?] [?] [?] -> [3]"),
          .grad = SF_GRAD_MISSING),
    SF_OP(SerializeManySparse, .inputs = TRIPLE("sparse"),
          .outputs = "serialized_sparse: out_type",
          .attrs = "T: type, out_type: {string, variant} = string", .infer = infer_serialize_many,
          .checks = form_checks, .kernel = many_kernel,
          .grad = SF_GRAD_MISSING),
    SF_OP(DeserializeSparse, .inputs = "serialized_sparse: Tserialized",
          .outputs = OUT,
          .attrs = "dtype: type, Tserialized: {string, variant} = string",
          .infer = infer_deserialize, .grad = SF_GRAD_MISSING),
    SF_OP(DeserializeManySparse, .inputs = "serialized_sparse: string",
          .outputs = OUT,
          .attrs = "dtype: type", TAKES("[?,3]"), .grad = SF_GRAD_MISSING),
    MAP(AddSparseToTensorsMap, TRIPLE("sparse"), "sparse_handle: int64", "T",
        .infer = SF_SHAPES("[?,?] [?] [?] -> []"), .checks = form_checks, .kernel = one_kernel),
    MAP(AddManySparseToTensorsMap, TRIPLE("sparse"), "sparse_handles: int64", "T",
        .infer = infer_add_many, .checks = form_checks, .kernel = add_many_kernel),
    MAP(TakeManySparseFromTensorsMap, "sparse_handles: int64", OUT, "dtype", TAKES("[?]")),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_map = {ops, SF_ARRAY_LEN(ops), "sparse_map"};
