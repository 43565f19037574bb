/* Ops that gather calls into batches, and MapDefun, which maps a function over rows.
 * Source: batch_ops.cc, functional_ops.cc; kernels: batch_kernels.cc, batch_resource_base.cc. */
#include "apis/ops/shared/common.h"

static SfStatus want_rows(SfInfer *c, int i)
{
    return sf_require_as(c, sf_shape_rank(sf_input(c, i)) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(i),
                         SF_THE_OP, "Out of range dim_index 0 for shape with 0 dimensions");
}

/* The input with as many rows as a batch happens to have. */
static SfStatus set_output_batch(SfInfer *c, int output, int input)
{
    SF_TRY(want_rows(c, input));
    const SfShape *in = sf_input(c, input);
    return sf_set_output_shape(
        c, output, sf_shape_is_ranked(in) ? sf_shape_replace(in, 0, SF_DIM_UNKNOWN) : in);
}

static SfStatus check_batch(SfInfer *c)
{
    for (int i = 1; i < sf_input_count(c); i++) {
        SF_TRY(sf_require_as(c, sf_dim_compatible(sf_input_dim(c, 0, 0), sf_input_dim(c, i, 0)),
                             SF_DIAG_RUN_REFUSED, SF_AXIS(i, 0), SF_AXIS(0, 0),
                             "Batching input tensors supplied in a given op invocation must have "
                             "equal 0th-dimension size"));
    }
    return SF_OK;
}

static SfStatus infer_batch(SfInfer *c)
{
    const int n = sf_input_count(c);
    for (int i = 0; i < n; i++) {
        SF_TRY(set_output_batch(c, i, i));
    }
    SF_TRY(sf_ask_kernel(c, check_batch));
    SF_TRY(sf_set_output_matrix(c, n, SF_DIM_UNKNOWN, 3));
    return sf_set_output_scalar(c, n + 1);
}

static SfStatus infer_unbatch(SfInfer *c)
{
    return set_output_batch(c, 0, 0);
}

static SfStatus unbatch_grad_kernel(SfInfer *c)
{
    return sf_require_rank(c, 3, 0, "Expected `id` to be scalar. Received {0}",
                           SF_TEXT_ARG(sf_common_tensor_text(c, 3)));
}

/* UnbatchGrad: the gradient of a whole batch, of the gradient's rank. */
static SfStatus infer_unbatch_grad(SfInfer *c)
{
    const SfShape *grad = sf_input(c, 2);
    const int rank = sf_shape_rank(grad);
    const SfShape *out = sf_shape_of_rank(rank);
    SF_TRY(sf_ask_kernel(c, unbatch_grad_kernel));
    return sf_set_output_shape(c, 0, out);
}

/* MapDefun: row i of an output is what the function gives for row i of the arguments. */
static SfStatus infer_map_defun(SfInfer *c)
{
    int start;
    const int n = sf_input_range(c, "arguments", &start);
    const SfShape *const *shapes;
    const int nshapes = sf_attr_shapes(c, "output_shapes", &shapes);
    SfDim rows = SF_DIM_UNKNOWN;
    SF_TRY(sf_require_as(c, nshapes == sf_output_count(c), SF_DIAG_OP_SHAPE,
                         SF_ATTR("output_shapes"), SF_ATTR("output_types"),
                         "`output_shapes` must be the same length as `output_types` ({0} vs. {1})",
                         SF_INT_ARG(nshapes), SF_INT_ARG(sf_output_count(c))));
    for (int i = start; i < start + n; i++) {
        SF_TRY(sf_require_as(
            c, sf_shape_rank(sf_input(c, i)) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(i), SF_THE_OP,
            "Arguments must have rank at least 1. Input {0} has rank of 0.", SF_INT_ARG(i)));
        const SfDim d = sf_input_dim(c, i, 0);
        SF_TRY(sf_require_as(c, sf_dim_compatible(rows, d), SF_DIAG_DIM_EQUAL, SF_AXIS(i, 0),
                             SF_AXIS(start, 0), "Arguments must have the same dimension 0."));
        rows = sf_dim_meet(rows, d);
    }
    for (int i = 0; i < nshapes; i++) {
        SF_TRY(sf_set_output_shape(c, i,
                                   sf_shape_is_ranked(shapes[i])
                                       ? sf_shape_concat(sf_shape_vector(rows), shapes[i])
                                       : shapes[i]));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_PLAIN_OP(Batch, "in_tensors: T", "batched_tensors: T, batch_index: int64, id: int64",
                "num_batch_threads: int, max_batch_size: int, max_enqueued_batches: int = 10, "
                "batch_timeout_micros: int, allowed_batch_sizes: list(int) = [], "
                "grad_timeout_micros: int, container: string = '', shared_name: string = '', "
                "batching_queue: string = '', T: list(type) >= 1", infer_batch),
    SF_PLAIN_OP(Unbatch, "batched_tensor: T, batch_index: int64, id: int64", "unbatched_tensor: T",
                "timeout_micros: int, container: string = '', shared_name: string = '', T: type",
                infer_unbatch),
    SF_PLAIN_OP(UnbatchGrad, "original_input: T, batch_index: int64, grad: T, id: int64",
                "batched_grad: T", "container: string = '', shared_name: string = '', T: type",
                infer_unbatch_grad),
    SF_PLAIN_OP(BatchFunction, "in_tensors: Tin, captured_tensors: Tcaptured", "out_tensors: Tout",
                "f: func, num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int, "
                "max_enqueued_batches: int = 10, allowed_batch_sizes: list(int) = [], "
                "container: string = '', shared_name: string = '', batching_queue: string = '', "
                "low_priority_max_batch_size: int = 0, low_priority_batch_timeout_micros: int = 0, "
                "low_priority_allowed_batch_sizes: list(int) = [], "
                "low_priority_max_enqueued_batches: int = 0, "
                "mixed_priority_policy: {'low_priority_padding_with_max_batch_size', "
                "'low_priority_padding_with_next_allowed_batch_size', 'priority_isolation', "
                "'priority_merge'} = 'low_priority_padding_with_max_batch_size', "
                "batch_padding_policy: {'PAD_UP', 'BATCH_DOWN', "
                "'MINIMIZE_TPU_COST_PER_REQUEST'} = 'PAD_UP', Tin: list(type) >= 1, "
                "Tcaptured: list(type) >= 0, Tout: list(type) >= 1, "
                "enable_large_batch_splitting: bool = false", sf_infer_unknown),
    SF_PLAIN_OP(MapDefun, "arguments: Targuments, captured_inputs: Tcaptured",
                "output: output_types", "Targuments: list(type) >= 1, "
                "Tcaptured: list(type) >= 0 = [], output_types: list(type) >= 1, "
                "output_shapes: list(shape) >= 1, f: func, max_intra_op_parallelism: int = 1",
                infer_map_defun),
};
/* clang-format on */
const SfOpTable sf_ops_batching = {ops, SF_ARRAY_LEN(ops), "batching"};
