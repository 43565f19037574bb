/* Ops between devices: what each device gets from all of them.
 * Invariant: a group is never looked at, so what depends on its size is unknown, except by an attr.
 * Owner: nothing. Source: collective_ops.cc, nccl_ops.cc, tpu_cross_replica_ops.cc. */
#include "apis/ops/shared/common.h"

static SfStatus infer_bcast_recv_v2(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_want_shape_value(c, SF_INPUT(3), &out));
    return sf_set_output_shape(c, 0, out);
}

/* CollectiveGather: the parts stand one after the other. */
static SfStatus infer_gather(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    return sf_shape_is_ranked(x)
               ? sf_common_set_output_grown(c, x, 0, sf_common_attr_dim(c, "group_size"))
               : sf_set_output_unknown(c, 0);
}

/* clang-format off */
#define IS_NUMBER(i, name) \
    {SF_IS_SCALAR(i), .text = "Unexpected dimensions on input " name ", got {a.shape}"}
/* clang-format on */
/* Group size, group key and instance key, and the size of the group. */
static const SfCheck group_checks[] = {IS_NUMBER(1, "group_size"),
                                       IS_NUMBER(2, "group_key"),
                                       IS_NUMBER(3, "instance_key"),
                                       {SF_INT_AT_LEAST(1, 1), SF_AS(OP_SHAPE),
                                        .text = "group_size must be positive integer but got {1}"},
                                       {0}};

/* The size of the group is an input: how many rows each gets is known in the run. */
static SfStatus infer_rows_of_group(SfInfer *c)
{
    const SfShape *x;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &x));
    return sf_set_output_shape(c, 0,
                               sf_shape_is_ranked(x) ? sf_shape_replace(x, 0, SF_DIM_UNKNOWN) : x);
}

static const SfCheck assign_group_checks[] = {
    {SF_IS_SCALAR(1),
     .text = "device_index must be a scalar, but received tensor of shape: {a.shape}"},
    {SF_IS_SCALAR(2), .text = "base_key must be a scalar, but received tensor of shape: {a.shape}"},
    {SF_IS_MATRIX(0),
     .text = "group_assignment must be a 2-d Tensor, but received tensor of shape: {a.shape}"},
    {0}};

#define IS_ONE_NUMBER(i, name)                                                                     \
    {                                                                                              \
        SF_IS_SCALAR(i), .text = "Unexpected dimensions on input " name                            \
                                 ". It shoulbe a scalar, got tensor with shape {a.shape}"          \
    }
static const SfCheck communicator_checks[] = {
    IS_ONE_NUMBER(2, "group_size"),
    IS_ONE_NUMBER(0, "group_key"),
    IS_ONE_NUMBER(1, "rank"),
    {SF_INT_AT_LEAST(2, 1), SF_AS(OP_SHAPE),
     .text = "group_size must be positive integer but got {1}"},
    {SF_INT_AT_LEAST(1, 0), SF_AS(OP_SHAPE),
     .text = "rank must be non-negative integer but got {1}"},
    {0}};

static SfStatus want_all_to_all_axis(SfInfer *c, const char *attr, int rank)
{
    const int64_t axis = sf_attr_int(c, attr);
    return sf_require_as(c, axis >= 0 && axis < rank, SF_DIAG_AXIS_RANGE, SF_ATTR(attr),
                         SF_INPUT(0), "{0} {1} is out of range of input rank {2}",
                         SF_TEXT_ARG(attr), SF_INT_ARG(axis), SF_INT_ARG(rank));
}

/* AllToAll: each splits one axis for the others, and joins what it gets along another. */
static SfStatus infer_all_to_all(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0), *groups = sf_input(c, 1);
    const int64_t count = sf_attr_int(c, "split_count");
    if (!sf_shape_is_ranked(x)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_expect(c, count >= 1, SF_ATTR("split_count"), "split_count {0} must at least be one.",
                     SF_INT_ARG(count)));
    SF_TRY(sf_require_rank(c, 1, 2, "group_assignment must have rank 2."));
    SF_TRY(sf_require_as(
        c, !sf_dim_never(sf_shape_dim(groups, 1), count), SF_DIAG_OP_SHAPE, SF_AXIS(1, 1),
        SF_ATTR("split_count"),
        "split_count {0} must equal the size of the second dimension of group_assignment {1}",
        SF_INT_ARG(count), SF_DIM_ARG(sf_shape_dim(groups, 1))));
    SF_TRY(want_all_to_all_axis(c, "concat_dimension", sf_shape_rank(x)));
    SF_TRY(want_all_to_all_axis(c, "split_dimension", sf_shape_rank(x)));
    const int join = (int)sf_attr_int(c, "concat_dimension");
    const int split = (int)sf_attr_int(c, "split_dimension");
    const SfDim whole = sf_shape_dim(x, split);
    if (join == split) {
        return sf_set_output_shape(c, 0, x);
    }
    SF_TRY(sf_require_as(
        c, !sf_dim_is_known(whole) || !sf_dim_is_known(sf_shape_dim(x, join)) || whole % count == 0,
        SF_DIAG_OP_SHAPE, SF_AXIS(0, split), SF_ATTR("split_count"),
        "input dimension {0} not divisible by split_count {1}", SF_DIM_ARG(whole),
        SF_INT_ARG(count)));
    const SfDim part =
        sf_dim_is_known(whole) && whole % count == 0 ? whole / count : SF_DIM_UNKNOWN;
    return sf_common_set_output_grown(c, sf_shape_replace(x, split, part), join, count);
}

/* clang-format off */
#define T_BCAST "T: {bool, float, half, double, int32, int64}"
#define T_REDUCE "T: {bfloat16, float, half, double, int32, int64}"
#define MERGE "merge_op: {'Min', 'Max', 'Mul', 'Add'}, final_op: {'Id', 'Div'}"
#define TOKENS "is_stateless: bool = false, Nordering_token: int >= 0 = 0"
#define ORDERING "ordering_token: Nordering_token * resource"
#define GROUP "group_size: int32, group_key: int32, instance_key: int32"
#define GROUP_ATTRS "group_size: int, group_key: int, instance_key: int"
#define HINT "communication_hint: string = 'auto', timeout_seconds: float = 0.0"

static const SfOpDef ops[] = {
    SF_OP(AllToAll, .inputs = "input: T, group_assignment: int32", .outputs = "output: T", .attrs =
          "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
          "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}, "
          "concat_dimension: int, split_dimension: int, split_count: int",
          .infer = infer_all_to_all, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL),
    SF_STATEFUL_OP(CollectiveAllToAllV2, "input: T, " GROUP ", " ORDERING, "data: T",
                   T_REDUCE ", " HINT ", " TOKENS, sf_infer_unchanged, .checks = group_checks),
    SF_STATEFUL_OP(CollectiveAllToAllV3,
                   "input: T, communicator: resource, group_assignment: int32", "data: T",
                   T_REDUCE ", timeout_seconds: float = 0.0", sf_infer_unchanged),
    SF_STATEFUL_OP(CollectiveAssignGroupV2,
                   "group_assignment: int32, device_index: int32, base_key: int32",
                   "group_size: int32, group_key: int32", "", sf_infer_scalar,
                   .checks = assign_group_checks),
    SF_STATEFUL_OP(CollectiveBcastRecv, "", "data: T",
                   T_BCAST ", " GROUP_ATTRS ", shape: shape, " HINT,
                   SF_SHAPES("-> {shape}")),
    SF_STATEFUL_OP(CollectiveBcastRecvV2, GROUP ", shape: Tshape", "data: T",
                   T_BCAST ", Tshape: {int32, int64} = int32, " HINT, infer_bcast_recv_v2),
    SF_STATEFUL_OP(CollectiveBcastSend, "input: T", "data: T",
                   T_BCAST ", " GROUP_ATTRS ", shape: shape, " HINT,
                   SF_SHAPES("-> {shape}")),
    SF_STATEFUL_OP(CollectiveBcastSendV2, "input: T, " GROUP, "data: T", T_BCAST ", " HINT,
                   sf_infer_unchanged, .checks = group_checks),
    SF_STATEFUL_OP(CollectiveGather, "input: T", "data: T",
                   "T: {float, half, double, int32, int64}, " GROUP_ATTRS ", shape: shape, " HINT,
                   infer_gather),
    SF_STATEFUL_OP(CollectiveGatherV2, "input: T, " GROUP ", " ORDERING, "data: T",
                   "T: {float, half, double, int32, int64}, " HINT ", " TOKENS,
                   infer_rows_of_group, .checks = group_checks),
    SF_STATEFUL_OP(CollectiveInitializeCommunicator,
                   "group_key: int32, rank: int32, group_size: int32", "communicator: resource",
                   HINT, sf_infer_scalar, .checks = communicator_checks),
    SF_OP(CollectivePermute, .inputs = "input: T, source_target_pairs: int32",
          .outputs = "output: T", .attrs = "T: {float, double, int32, uint8, int16, int8, "
          "complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, "
          "half, uint32, uint64}", .infer = sf_infer_unchanged, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL),
    SF_STATEFUL_OP(CollectiveReduce, "input: T", "data: T", T_REDUCE ", " GROUP_ATTRS ", " MERGE
                   ", subdiv_offsets: list(int), wait_for: list(int) = [], " HINT,
                   sf_infer_unchanged),
    SF_STATEFUL_OP(CollectiveReduceScatterV2, "input: T, " GROUP ", " ORDERING, "data: T",
                   T_REDUCE ", " MERGE ", " HINT ", " TOKENS ", max_subdivs_per_device: int = -1",
                   infer_rows_of_group, .checks = group_checks),
    SF_STATEFUL_OP(CollectiveReduceV2, "input: T, " GROUP ", " ORDERING, "data: T",
                   T_REDUCE ", " MERGE ", " HINT ", " TOKENS ", max_subdivs_per_device: int = -1",
                   sf_infer_unchanged, .checks = group_checks),
    SF_STATEFUL_OP(CollectiveReduceV3, "input: T, communicator: resource, group_assignment: int32",
                   "data: T", T_REDUCE ", reduction: {'Min', 'Max', 'Mul', 'Add'}, "
                   "timeout_seconds: float = 0.0", sf_infer_unchanged),
    SF_OP(CrossReplicaSum, .inputs = "input: T, group_assignment: int32", .outputs = "output: T",
          .attrs = "T: {half, bfloat16, float, double, int32, uint32}", .infer = sf_infer_unchanged,
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL),
    SF_OP(NcclAllReduce, .inputs = "input: T", .outputs = "data: T", .attrs = "reduction: {'min', "
          "'max', 'prod', 'sum'}, T: {half, float, double, int32, int64}, num_devices: int, "
          "shared_name: string", .infer = sf_infer_unchanged, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL),
    SF_OP(NcclBroadcast, .inputs = "input: T", .outputs = "output: T",
          .attrs = "T: {half, float, double, int32, int64}, shape: shape",
          .infer = sf_infer_unchanged, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL),
    SF_OP(NcclReduce, .inputs = "input: num_devices * T", .outputs = "data: T", .attrs =
          "reduction: {'min', 'max', 'prod', 'sum'}, T: {half, float, double, int32, int64}, "
          "num_devices: int >= 1", .infer = sf_infer_unchanged, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL),
};
/* clang-format on */
const SfOpTable sf_ops_collective = {ops, SF_ARRAY_LEN(ops), "collective"};
