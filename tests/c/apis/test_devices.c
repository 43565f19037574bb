/* Rows of ops between devices, of TPUs and of their SparseCore: apis/ops/{collective,tpu,sparse_core}.c. */
#include "tests/c/support/op_rows.h"

static const SfOpCase all_to_all[] = {
    ROW("concat_dimension=1,split_dimension=0,split_count=2", "[4,6] [3,2]", "[2,12]"),
    ROW("concat_dimension=0,split_dimension=0,split_count=2", "[5,6] [3,2]", "[5,6]"),
    ROW("concat_dimension=1,split_dimension=0,split_count=2", "[?,6] [3,?]", "[?,12]"),
    ROW("concat_dimension=1,split_dimension=0,split_count=2", "?     ?", "?"),
    ROW("concat_dimension=1,split_dimension=0,split_count=2", "[4,6] [3]", "SF102 b"),
    ROW("concat_dimension=2,split_dimension=0,split_count=2", "[4,6] [3,2]",
        "SF111 @concat_dimension a"),
    ROW("concat_dimension=1,split_dimension=0,split_count=3", "[4,6] [3,2]",
        "SF128 b.1 @split_count"),
    ROW("concat_dimension=1,split_dimension=0,split_count=2", "[5,6] [3,2]",
        "SF128 a.0 @split_count"),
    ROW("concat_dimension=0,split_dimension=1,split_count=2", "[9223372036854775807,2] [1,2]",
        "deferred SF122 / [?,1]"),
};
SF_OP_TEST(AllToAll, all_to_all)

static const SfOpCase gather[] = {
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[3,n]", "[6,a.1]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[3,2]", "[6,2]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[?,3]", "[?,3]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "?", "?"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[9223372036854775807,3]",
        "deferred SF122 / [?,3]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[]", "SF103 a"),
};
SF_OP_TEST(CollectiveGather, gather)

static const SfOpCase partitioned[] = {
    ROW("partition_dim=0", "[2,3] [2,3]", "[4,3]"),
    ROW("partition_dim=1", "[?,3] [2,?]", "[2,6]"),
    ROW("partition_dim=-1", "[2,3] [2,3]", "[2,3]"),
    ROW("partition_dim=0", "? ?", "?"),
    ROW("partition_dim=2", "[2,3] [2,3]", "SF111 @partition_dim a"),
};
SF_OP_TEST(TPUPartitionedInput, partitioned)

static const SfOpCase parts[] = {
    ROW("num_splits=2,partition_dim=0", "[4,3]", "[2,3] [2,3]"),
    ROW("num_splits=2,partition_dim=0", "[?,3]", "[?,3] [?,3]"),
    ROW("num_splits=2,partition_dim=-1", "[4,3]", "[4,3] [4,3]"),
    ROW("num_splits=2,partition_dim=0", "?", "? ?"),
    ROW("num_splits=2,partition_dim=0", "[3,3]", "SF128 a.0"),
};
SF_OP_TEST(TPUPartitionedOutput, parts)

static const SfOpCase load[] = {
    ROW("table_id=0,num_shards=1,shard_id=0", "[2,3] [2,3]", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "[?,3] ?", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "? ?", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "[2,3] [2]", "SF102 b"),
    ROW("num_shards=1,shard_id=0", "[2,3] [2,3]", "SF128 @table_id @table_name"),
};
SF_OP_TEST(LoadTPUEmbeddingMomentumParameters, load)

static const SfOpCase matmul_csr[] = {
    ROW("input_size=7,quantization_config_low=0.0,quantization_config_high=1.0,"
        "quantization_config_num_buckets=0,table_name='a'",
        "[4] [5] [5] [5] [8,n] []", "[7,e.1]"),
    ROW("input_size=7,quantization_config_low=0.0,quantization_config_high=1.0,"
        "quantization_config_num_buckets=0,table_name='a'",
        "[4] [5] [5] [5] [8,2] []", "[7,2]"),
    ROW("input_size=7,quantization_config_low=0.0,quantization_config_high=1.0,"
        "quantization_config_num_buckets=0,table_name='a'",
        "? ? [?] ? ? ?", "?"),
    ROW("input_size=7,quantization_config_low=0.0,quantization_config_high=1.0,"
        "quantization_config_num_buckets=0,table_name='a'",
        "[4] [5] [6] [5] [8,9] []", "SF107 c.0 b.0"),
};
SF_OP_TEST(XlaSparseDenseMatmulWithCsrInput, matmul_csr)

static const SfOpCase sync_device[] = {
    ROW("", "", ""),
};
SF_OP_TEST(SyncDevice, sync_device)

static const SfOpCase unbatch[] = {
    ROW("timeout_micros=1", "[2] [] []", "[?]"),
    ROW("timeout_micros=1", "[?] [] []", "[?]"),
    ROW("timeout_micros=1", "? ? ?", "?"),
    ROW("timeout_micros=1", "[] [] []", "SF103 a"),
};
SF_OP_TEST(Unbatch, unbatch)

static const SfOpCase unbatch_grad[] = {
    ROW("", "[2,7] [3,7] [4,7] []", "[?,?]"),
    ROW("", "[?,7] [3,7] [4,7] []", "[?,?]"),
    ROW("", "? ? ? ?", "?"),
};
SF_OP_TEST(UnbatchGrad, unbatch_grad)

#define MAP_DEFUN_ATTRS "output_types=[int64],output_shapes=[[]],f=f"
static const SfOpCase map_defun[] = {
    ROW(MAP_DEFUN_ATTRS, "( [2] ) ( [] )", "[2]"),
    ROW(MAP_DEFUN_ATTRS, "( [?] ) ( [] )", "[?]"),
    ROW(MAP_DEFUN_ATTRS, "( ? ) ( ? )", "[?]"),
    ROW(MAP_DEFUN_ATTRS, "( [] ) ( [] )", "SF103 a"),
};
SF_OP_TEST(MapDefun, map_defun)

static const SfOpCase mutex_v2[] = {
    ROW("", "", "[]"),
};
SF_OP_TEST(MutexV2, mutex_v2)

static const SfOpCase mutex_lock[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(MutexLock, mutex_lock)

static const SfOpCase consume_mutex_lock[] = {
    ROW("", "[]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
};
SF_OP_TEST(ConsumeMutexLock, consume_mutex_lock)

#define SEND__ATTRS "tensor_name='a',send_device='a',send_device_incarnation=1,recv_device='a'"
static const SfOpCase send_[] = {
    ROW(SEND__ATTRS, "[]", ""),
    ROW(SEND__ATTRS, "[?]", ""),
    ROW(SEND__ATTRS, "?", ""),
};
SF_OP_TEST(Send, send_)

static const SfOpCase assign_variable_xla_concat_nd[] = {
    ROW("num_concats=[2,2]", "&[4,6] ( [2,3] [2,3] [2,3] [2,3] )", ""),
    ROW("num_concats=[2,2]", "&[?,6] ( [2,3] [2,3] [2,3] [2,3] )", ""),
    ROW("num_concats=[2,2]", "? ( ? ? ? ? )", ""),
};
SF_OP_TEST(AssignVariableXlaConcatND, assign_variable_xla_concat_nd)

static const SfOpCase disable_copy_on_read[] = {
    ROW("", "&[5]", ""),
    ROW("", "&[?]", ""),
    ROW("", "?", ""),
};
SF_OP_TEST(DisableCopyOnRead, disable_copy_on_read)

static const SfOpCase read_variable_xla_split_nd[] = {
    ROW("T=float,N=4,num_splits=[2,2]", "&[4,6]", "[2,3] [2,3] [2,3] [2,3]"),
    ROW("T=float,N=4,num_splits=[2,2]", "&[?,6]", "[?,3] [?,3] [?,3] [?,3]"),
    ROW("T=float,N=4,num_splits=[2,2]", "?", "? ? ? ?"),
    ROW("T=float,N=4,num_splits=[2,2],paddings=[0,2]", "&[4,6]", "[2,4] [2,4] [2,4] [2,4]"),
};
SF_OP_TEST(ReadVariableXlaSplitND, read_variable_xla_split_nd)

static const SfOpCase xla_concat_nd[] = {
    ROW("num_concats=[2,2]", "( [2,3] [2,3] [2,3] [2,3] )", "[4,6]"),
    ROW("num_concats=[2,2]", "( [?,3] [?,3] [?,3] [?,3] )", "[?,6]"),
    ROW("num_concats=[2,2]", "( ? ? ? ? )", "?"),
    ROW("num_concats=[2,2],paddings=[0,1]", "( [2,3] [2,3] [2,3] [2,3] )", "[4,5]"),
    ROW("num_concats=[7,255]", "( ? [4294967296,3] )", "[?,765]"),
};
SF_OP_TEST(XlaConcatND, xla_concat_nd)
