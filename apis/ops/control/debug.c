/* What tfdbg and devices put between tensors: DebugIdentity and summaries of a tensor's content. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"

/* The debugger's kernels split tensor_name at its colon. */
static SfStatus name_kernel(SfInfer *c)
{
    const char *name = sf_attr_string(c, "tensor_name");
    const size_t n = strlen(name);
    return sf_expect(c, n > 0 && name[n - 1] != ':', SF_ATTR("tensor_name"),
                     n == 0 ? "Failed to parse tensor name: \"\""
                            : "Invalid string value for output_slot: \"\"");
}

/* The same tensor, and the same state behind a reference. With gated_grpc the kernel gives nothing
 * when nobody listens. */
static SfStatus infer_watched(SfInfer *c)
{
    if (sf_op_attr_index(sf_op_sig(c), "gated_grpc") >= 0 && sf_attr_bool(c, "gated_grpc")) {
        return sf_set_output_unknown(c, 0);
    }
    sf_set_output_state(c, 0, 0);
    return sf_set_output_same(c, 0, 0);
}

static void fold_watched(SfInfer *c)
{
    if (!sf_shape_is_ranked(sf_output(c, 0))) {
        return;
    }
    sf_set_output_value(c, 0, sf_input_value(c, 0));
}

/* DebugNumericSummary: fourteen numbers, then the dims. TensorFlow's shape function says
 * nothing. */
static SfStatus infer_numeric_summary(SfInfer *c)
{
    enum { NUMBERS = 14 };
    const int rank = sf_shape_rank(sf_input(c, 0));
    const bool open = rank < 0 || sf_attr_bool(c, "gated_grpc"); /* empty when nobody listens */
    return sf_set_output_vector(c, 0, open ? SF_DIM_UNKNOWN : rank + NUMBERS);
}

/* DebugNumericSummaryV2: as many numbers as the mode gives (TensorDebugMode in
 * debug_event.proto). */
static SfStatus infer_numeric_summary_v2(SfInfer *c)
{
    const int64_t mode = sf_attr_int(c, "tensor_debug_mode");
    const SfDim n = mode == 2   ? 2  /* CURT_HEALTH */
                    : mode == 3 ? 5  /* CONCISE_HEALTH */
                    : mode == 4 ? 11 /* FULL_HEALTH */
                    : mode == 5 ? 10 /* SHAPE */
                    : mode == 8 ? 3  /* REDUCE_INF_NAN_THREE_SLOTS */
                                : -1;
    SF_TRY(sf_require_as(c, n >= 0 || !sf_common_runs(c), SF_DIAG_NOT_IMPLEMENTED,
                         SF_ATTR("tensor_debug_mode"), SF_THE_OP,
                         "Unimplemented tensor debug mode: {0}", SF_INT_ARG(mode)));
    return n < 0 ? sf_set_output_unknown(c, 0) : sf_set_output_vector(c, 0, n);
}

/* rows */

#define WATCHED(name, input, output, ...)                                                          \
    SF_OP(name, .inputs = input, .outputs = output, .infer = infer_watched,                        \
          .cost = sf_common_cost_none, __VA_ARGS__)
#define WATCH "T: type, device_name: string = '', tensor_name: string = '', "
#define URLS  "debug_urls: list(string) = [], "

/* clang-format off */
static const SfOpDef ops[] = {
    WATCHED(DebugGradientIdentity, "input: T", "output: T", .attrs = "T: type",
            .fold = fold_watched, .grad = SF_GRAD_INPUTS(1)),
    WATCHED(DebugGradientRefIdentity, "input: Ref(T)", "output: Ref(T)", .attrs = "T: type",
            .grad = SF_GRAD_INPUTS(1)),
    WATCHED(DebugIdentity, "input: T", "output: T", .attrs = WATCH URLS "gated_grpc: bool = false",
            .fold = fold_watched, .kernel = name_kernel, .traits = SF_OP_ASK_KERNEL,
            .grad = SF_GRAD_MISSING),
    WATCHED(DebugIdentityV2, "input: T", "output: T",
            .attrs = "T: type, tfdbg_context_id: string = '', op_name: string = '', "
                     "output_slot: int = -1, tensor_debug_mode: int = -1, " URLS
                     "circular_buffer_size: int = 1000, tfdbg_run_id: string = ''",
            .traits = SF_OP_STATEFUL, .grad = SF_GRAD_INPUTS(1)),
    WATCHED(DebugIdentityV3, "input: T", "output: T",
            .attrs = WATCH "io_of_node: string = '', is_input: bool = false, io_index: int = -1, "
                     URLS "gated_grpc: bool = false",
            .kernel = name_kernel, .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
            .grad = SF_GRAD_MISSING),
    SF_OP(DebugNanCount, .inputs = "input: T", .outputs = "output: int64",
          .attrs = WATCH URLS "gated_grpc: bool = false", 
          /* the kernel gives a vector, though the shape function says a scalar */
          .infer = SF_SHAPES("? -> [1]"), .kernel = name_kernel,
          .cost = sf_common_cost_input, .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING),
    SF_OP(DebugNumericSummary, .inputs = "input: T", .outputs = "output: double",
          .attrs = WATCH URLS "lower_bound: float = -inf, upper_bound: float = inf, "
                   "mute_if_healthy: bool = false, gated_grpc: bool = false",
          .infer = infer_numeric_summary, .kernel = name_kernel,
          .cost = sf_common_cost_input,
          .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING),
    SF_OP(DebugNumericSummaryV2, .inputs = "input: T", .outputs = "output: output_dtype",
          .attrs = "output_dtype: {float, double} = float, T: type, tensor_debug_mode: int = -1, "
                   "tensor_id: int = -1",
          .infer = infer_numeric_summary_v2, .cost = sf_common_cost_input,
          .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING),
    WATCHED(CheckPinned, "tensor: T", "output: T", .attrs = "T: type", .fold = fold_watched,
            .grad = SF_GRAD_MISSING),
    SF_OP(SyncDevice, .inputs = "", .outputs = "", .attrs = "", .infer = sf_infer_no_output,
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_debug = {ops, SF_ARRAY_LEN(ops), "debug"};
