/* Rows of ops between devices: apis/ops/device/collective.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase collective_all_to_all_v2[] = {
    ROW("", "[5] 2 1 1 ( )", "[5]"),
    ROW("", "[?] 2 1 1 ( )", "[?]"),
    ROW("", "? ? ? ? ( )", "?"),
};
SF_OP_TEST(CollectiveAllToAllV2, collective_all_to_all_v2)

static const SfOpCase collective_all_to_all_v3[] = {
    ROW("", "[2,7] [3,7] [4,7]", "[2,7]"),
    ROW("", "[?,7] [3,7] [4,7]", "[?,7]"),
    ROW("", "? ? ?", "?"),
};
SF_OP_TEST(CollectiveAllToAllV3, collective_all_to_all_v3)

static const SfOpCase collective_assign_group_v2[] = {
    ROW("", "{{0,1},{2,3}} 3 1", "[] []"),
    ROW("", "[?,2] 3 1", "[] []"),
    ROW("", "? ? ?", "[] []"),
};
SF_OP_TEST(CollectiveAssignGroupV2, collective_assign_group_v2)

static const SfOpCase collective_bcast_recv[] = {
    ROW("T=float32,group_size=3,group_key=1,instance_key=5,shape=[4,1]", "", "[4,1]"),
};
SF_OP_TEST(CollectiveBcastRecv, collective_bcast_recv)

static const SfOpCase collective_bcast_recv_v2[] = {
    ROW("T=float32", "2 1 1 {1}", "[1]"),
    ROW("T=float32", "[?] 1 1 {1}", "[1]"),
    ROW("T=float32", "? ? ? ?", "?"),
    ROW("T=float32", "2 1 1 []", "SF102 d"),
};
SF_OP_TEST(CollectiveBcastRecvV2, collective_bcast_recv_v2)

#define COLLECTIVE_BCAST_SEND_ATTRS "group_size=1,group_key=1,instance_key=4,shape=[5]"
static const SfOpCase collective_bcast_send[] = {
    ROW(COLLECTIVE_BCAST_SEND_ATTRS, "[3]", "[5]"),
    ROW(COLLECTIVE_BCAST_SEND_ATTRS, "[?]", "[5]"),
    ROW(COLLECTIVE_BCAST_SEND_ATTRS, "?", "[5]"),
};
SF_OP_TEST(CollectiveBcastSend, collective_bcast_send)

static const SfOpCase collective_bcast_send_v2[] = {
    ROW("", "[5] 2 1 1", "[5]"),
    ROW("", "[?] 2 1 1", "[?]"),
    ROW("", "? ? ? ?", "?"),
};
SF_OP_TEST(CollectiveBcastSendV2, collective_bcast_send_v2)

static const SfOpCase collective_gather_v2[] = {
    ROW("", "[5] 2 1 1 ( )", "[?]"),
    ROW("", "[?] 2 1 1 ( )", "[?]"),
    ROW("", "? ? ? ? ( )", "?"),
    ROW("", "[] 2 1 1 ( )", "SF103 a"),
};
SF_OP_TEST(CollectiveGatherV2, collective_gather_v2)

static const SfOpCase collective_initialize_communicator[] = {
    ROW("", "4 0 1", "[]"),
    ROW("", "? ? ?", "[]"),
};
SF_OP_TEST(CollectiveInitializeCommunicator, collective_initialize_communicator)

static const SfOpCase collective_permute[] = {
    ROW("", "[5] [2,2]", "[5]"),
    ROW("", "[?] [2,2]", "[?]"),
    ROW("", "? ?", "?"),
};
SF_OP_TEST(CollectivePermute, collective_permute)

#define COLLECTIVE_REDUCE_ATTRS                                                                    \
    "group_size=3,group_key=1,instance_key=2,merge_op='Add',final_op='Id',subdiv_offsets=[0]"
static const SfOpCase collective_reduce[] = {
    ROW(COLLECTIVE_REDUCE_ATTRS, "[1]", "[1]"),
    ROW(COLLECTIVE_REDUCE_ATTRS, "[?]", "[?]"),
    ROW(COLLECTIVE_REDUCE_ATTRS, "?", "?"),
};
SF_OP_TEST(CollectiveReduce, collective_reduce)

static const SfOpCase collective_reduce_scatter_v2[] = {
    ROW("merge_op='Add',final_op='Id'", "[1] 2 1 1 ( )", "[?]"),
    ROW("merge_op='Add',final_op='Id'", "[?] 2 1 1 ( )", "[?]"),
    ROW("merge_op='Add',final_op='Id'", "? ? ? ? ( )", "?"),
    ROW("merge_op='Add',final_op='Id'", "[] 2 1 1 ( )", "SF103 a"),
};
SF_OP_TEST(CollectiveReduceScatterV2, collective_reduce_scatter_v2)

static const SfOpCase collective_reduce_v2[] = {
    ROW("merge_op='Add',final_op='Id'", "[1] 2 1 1 ( )", "[1]"),
    ROW("merge_op='Add',final_op='Id'", "[?] 2 1 1 ( )", "[?]"),
    ROW("merge_op='Add',final_op='Id'", "? ? ? ? ( )", "?"),
};
SF_OP_TEST(CollectiveReduceV2, collective_reduce_v2)

static const SfOpCase collective_reduce_v3[] = {
    ROW("reduction='Min'", "[2,7] [3,7] [4,7]", "[2,7]"),
    ROW("reduction='Min'", "[?,7] [3,7] [4,7]", "[?,7]"),
    ROW("reduction='Min'", "? ? ?", "?"),
};
SF_OP_TEST(CollectiveReduceV3, collective_reduce_v3)

static const SfOpCase cross_replica_sum[] = {
    ROW("", "[5] [1,2]", "[5]"),
    ROW("", "[?] [1,2]", "[?]"),
    ROW("", "? ?", "?"),
};
SF_OP_TEST(CrossReplicaSum, cross_replica_sum)

#define NCCL_ALL_REDUCE_ATTRS "reduction='sum',num_devices=2,shared_name='a'"
static const SfOpCase nccl_all_reduce[] = {
    ROW(NCCL_ALL_REDUCE_ATTRS, "[5]", "[5]"),
    ROW(NCCL_ALL_REDUCE_ATTRS, "[?]", "[?]"),
    ROW(NCCL_ALL_REDUCE_ATTRS, "?", "?"),
};
SF_OP_TEST(NcclAllReduce, nccl_all_reduce)

static const SfOpCase nccl_broadcast[] = {
    ROW("shape=[5]", "[5]", "[5]"),
    ROW("shape=[5]", "[?]", "[?]"),
    ROW("shape=[5]", "?", "?"),
};
SF_OP_TEST(NcclBroadcast, nccl_broadcast)

static const SfOpCase nccl_reduce[] = {
    ROW("reduction='sum'", "( [] )", "[]"),
    ROW("reduction='sum'", "( [?] )", "[?]"),
    ROW("reduction='sum'", "( ? )", "?"),
};
SF_OP_TEST(NcclReduce, nccl_reduce)
