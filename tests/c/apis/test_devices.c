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
};
SF_OP_TEST(AllToAll, all_to_all)

static const SfOpCase gather[] = {
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[3,n]", "[6,a.1]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[?,3]", "[?,3]"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "?", "?"),
    ROW("group_size=2,group_key=1,instance_key=1,shape=[4]", "[9223372036854775807,3]",
        "latent SF122 / [?,3]"),
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
        "? ? [?] ? ? ?", "?"),
    ROW("input_size=7,quantization_config_low=0.0,quantization_config_high=1.0,"
        "quantization_config_num_buckets=0,table_name='a'",
        "[4] [5] [6] [5] [8,9] []", "SF107 c.0 b.0"),
};
SF_OP_TEST(XlaSparseDenseMatmulWithCsrInput, matmul_csr)
