/* Staging areas and maps (found by their shared name, not by a handle), stacks of references,
 * tensors kept in a session, and records read at random. What an area holds is not followed: what
 * comes out is unknown, as in TensorFlow, whose Python classes set the shapes that the program
 * gave them.
 * Source: data_flow_ops.cc, map_stage_op.cc, stage_op.cc, stack_ops.cc, session_ops.cc. */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"

/* maps */

/* The indices say which components, in order. */
static SfStatus ordered_kernel(SfInfer *c)
{
    int indices;
    sf_input_range(c, "indices", &indices);
    const SfValue *v = sf_input_value(c, indices);
    for (int64_t i = 1; v && i < sf_value_count(v); i++) {
        const SfElem a = sf_value_elem(v, i - 1), b = sf_value_elem(v, i);
        SF_TRY(sf_require(c, a.kind != SF_ELEM_INT || b.kind != SF_ELEM_INT || b.u.i > a.u.i,
                          SF_INPUT(indices), "Indices are not strictly ordered"));
    }
    return SF_OK;
}

/* A key that is put in may have any rank, but exactly one element. */
static SfStatus stage_kernel(SfInfer *c)
{
    const SfShape *key = sf_input(c, 0);
    const SfDim n = sf_shape_count(key);
    SF_TRY(sf_require_as(c, n != 0, SF_DIAG_DIM_VALUE, SF_INPUT(0), SF_THE_OP,
                         "key must not be empty"));
    SF_TRY(sf_require_as(c, !sf_dim_differs(n, 1), SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_THE_OP,
                         "key must be an int64 scalar, got tensor with shape: {0}",
                         SF_SHAPE_ARG(key)));
    return ordered_kernel(c);
}

static SfStatus take_kernel(SfInfer *c)
{
    int keys;
    const bool keyed = sf_input_range(c, "key", &keys) > 0;
    const SfShape *key = keyed ? sf_input(c, keys) : sf_shape_scalar();
    SF_TRY(sf_require_as(c, sf_shape_rank(key) <= 0, SF_DIAG_RANK_EXACT, SF_INPUT(keys), SF_THE_OP,
                         "key must be an int64 scalar: {0}", SF_SHAPE_ARG(key)));
    return ordered_kernel(c);
}

static const SfCheck record_checks[] = {
    {SF_ATTR_AT_LEAST("batch_size", 0), .text = "batch_size must be non-negative but got {1}"},
    {SF_ATTR_AT_LEAST("file_parallelism", 0), .text = "file_parallelism should >= 0, got {1}"},
    {0}};

/* table */

/* clang-format off */
#define STAGE(name, in_, out_, types_, infer_) \
    SF_OP(name, .inputs = in_, .outputs = out_, \
          .attrs = "capacity: int >= 0 = 0, memory_limit: int >= 0 = 0, " types_ \
                   ", container: string = '', shared_name: string = ''", \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, \
          .grad = SF_GRAD_MISSING)
#define STAGES sf_infer_no_output, .kernel = stage_kernel
#define TAKES SF_SHAPES("-> ?"), .kernel = take_kernel
#define SOME "dtypes: list(type) >= 1"
#define ANY "dtypes: list(type)"
#define MAP(p) \
    STAGE(p##Stage, "key: int64, indices: int32, values: fake_dtypes", "", \
          ANY ", fake_dtypes: list(type) >= 1", STAGES), \
    STAGE(p##Unstage, "key: int64, indices: int32", "values: dtypes", SOME, TAKES), \
    STAGE(p##Peek, "key: int64, indices: int32", "values: dtypes", SOME, TAKES), \
    STAGE(p##UnstageNoKey, "indices: int32", "key: int64, values: dtypes", SOME, TAKES), \
    STAGE(p##Size, "", "size: int32", ANY, sf_infer_scalar), \
    STAGE(p##IncompleteSize, "", "size: int32", ANY, sf_infer_scalar), \
    STAGE(p##Clear, "", "", ANY, sf_infer_no_output)
#define KEPT(name, in_, out_, attrs_, infer_, traits_) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | (traits_), .grad = SF_GRAD_NONE)

static const SfOpDef ops[] = {
    STAGE(Stage, "values: dtypes", "", SOME, sf_infer_no_output),
    STAGE(Unstage, "", "values: dtypes", SOME, sf_infer_unknown),
    STAGE(StagePeek, "index: int32", "values: dtypes", SOME, sf_infer_unknown),
    STAGE(StageSize, "", "size: int32", ANY, sf_infer_scalar),
    STAGE(StageClear, "", "", ANY, sf_infer_no_output),
    MAP(Map),
    MAP(OrderedMap),
    KEPT(Stack, "", "handle: Ref(string)", "elem_type: type, stack_name: string = ''",
         SF_SHAPES("-> [2]"),
         SF_OP_STATE),
    KEPT(StackPush, "handle: Ref(string), elem: T", "output: T",
         "T: type, swap_memory: bool = false", SF_SHAPES("? ? -> =1"), 0),
    KEPT(StackPop, "handle: Ref(string)", "elem: elem_type",
        "elem_type: type", sf_infer_unknown, 0),
    KEPT(StackClose, "handle: Ref(string)", "", "", SF_SHAPES("[2] ->"), 0),
    KEPT(GetSessionHandle, "value: T", "handle: string", "T: type", sf_infer_scalar, 0),
    KEPT(GetSessionHandleV2, "value: T", "handle: resource", "T: type", sf_infer_scalar, 0),
    KEPT(GetSessionTensor, "handle: string", "value: dtype", "dtype: type",
         SF_SHAPES("[] -> ?"), 0),
    KEPT(DeleteSessionTensor, "handle: string", "", "", SF_SHAPES("[] ->"), 0),
    SF_OP(RecordInput, .outputs = "records: string",
          .attrs = "file_pattern: string, file_random_seed: int = 301, "
                   "file_shuffle_shift_ratio: float = 0, file_buffer_size: int = 10000, "
                   "file_parallelism: int = 16, batch_size: int = 32, "
                   "compression_type: string = ''",
          .infer = SF_SHAPES("-> [batch_size]"), .checks = record_checks,
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_staging = {ops, SF_ARRAY_LEN(ops), "staging"};
