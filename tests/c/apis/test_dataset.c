/* Rows of data sets: handles, what construction and kernels want of the arguments. */
#include "tests/c/support/op_rows.h"

#define EAGER "@phase=eager,@version=2.21,"
#define OF    "output_types=[int64],output_shapes=[[]]"

static const SfOpCase batch[] = {
    ROW(OF, "[] 3 false", "[]"),
    ROW(OF, "[?] 3 false", "[]"),
    ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[] [?] []", "SF102 b"),
    ROW(OF, "[] [] [1]", "SF102 c"),
    ROW(OF, "[] 0 false", "deferred SF129 b 'Batch size must be greater than zero.' / []"),
    ROW(EAGER OF, "[] [2] false", "SF102 b 'batch_size must be a scalar'"),
    ROW(EAGER OF, "[] 0 false", "SF129 b 'Batch size must be greater than zero.'"),
};
SF_OP_TEST(BatchDatasetV2, batch)

static const SfOpCase range[] = {
    ROW(OF, "0 9 1", "[]"),
    ROW(OF, "? ? ?", "[]"),
    ROW(OF, "0 [2] 1", "SF102 b"),
    ROW(EAGER OF, "0 9 0", "SF129 c 'step must be a non-zero integer.'"),
};
SF_OP_TEST(RangeDataset, range)

static const SfOpCase shard[] = {
    ROW(OF, "[] 2 1", "[]"),
    ROW(OF, "[?] 2 1", "[]"),
    ROW(OF, "? ? ?", "[]"),
    ROW(EAGER OF, "[] 0 1",
        "SF129 b 'Number of shards must be greater than zero (currently num_shards = 0).'"),
    ROW(EAGER OF, "[] 2 3", "SF129 c b 'Index must be between 0 and 1 (currently index = 3).'"),
    ROW(OF, "[] 2 3", "deferred SF129 c b / []"),
    ROW(EAGER OF, "[] -1 3", "[]"), /* a hint that the number is filled in later */
};
SF_OP_TEST(ShardDataset, shard)

static const SfOpCase slices[] = {
    ROW("output_shapes=[[3],[]]", "( [2,3] [2]:int32 )", "[]"),
    ROW("output_shapes=[[3],[]]", "( [?,3] [2]:int32 )", "[]"),
    ROW("output_shapes=[[3],[]]", "( ? ?:int32 )", "[]"),
    ROW("output_shapes=[[3],[]]", "( [2,3] [4]:int32 )",
        "deferred SF129 b.0 a.0 'All components must have the same size in the 0th dimension' / "
        "[]"),
    ROW("output_shapes=[[3]]", "( [] )",
        "deferred SF129 a 'All components must be at least 1-dimensional' / []"),
    ROW("output_shapes=[[4]]", "( [2,3] )",
        "deferred SF129 a @output_shapes 'Incompatible shapes at component 0: expected [3] but got "
        "[4].' / []"),
};
SF_OP_TEST(TensorSliceDataset, slices)

static const SfOpCase lines[] = {
    ROW("", "[2] [] 1", "[]"),
    ROW("", "[?] [] 1", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[2,2] [] 1", "SF105 a"),
    ROW(EAGER, "[2,2] [] 1", "SF105 a '`filenames` must be a scalar or a vector.'"),
    ROW(EAGER, "[2] [] -1", "SF129 c '`buffer_size` must be >= 0 (0 == default)'"),
};
SF_OP_TEST(TextLineDataset, lines)

/* construction looks at nothing but the handle */
static const SfOpCase components[] = {
    ROW("output_types=[float,int32],output_shapes=[[2,?],[]]", "[]", "[2,?]:float []:int32"),
    ROW("output_types=[float],output_shapes=[?]", "?", "?"),
    ROW("output_types=[float],output_shapes=[?]", "[1]", "SF102 a"),
    ROW("output_types=[float],output_shapes=[[],[]]", "[]", "SF128 @output_shapes @output_types"),
};
SF_OPS_TEST(dataset_components, components, "DatasetToSingleElement", "OptionalGetValue",
            "UncompressElement")

static const SfOpCase uncompress[] = {
    ROW(EAGER "output_types=[float],output_shapes=[?]", "[1]", "?"), /* the kernel does not look */
};
SF_OP_TEST(UncompressElement, uncompress)

static const SfOpCase sparse[] = {
    ROW(EAGER, "[] [4] [2]", "SF102 a 'Input indices must be a matrix. Got: []'"),
    ROW(EAGER, "[4,2] [4,1] [2]", "SF102 b 'Input values must be a vector. Got: [4,1]'"),
};
SF_OP_TEST(SparseTensorSliceDataset, sparse)

static const SfOpCase nap[] = {
    ROW(OF, "[] [2]", "SF105 b 'Shape must be at most rank 0 but is rank 1'"),
};
SF_OPS_TEST(sleep, nap, "SleepDataset", "ExperimentalSleepDataset")

static const SfOpCase handles[] = {
    ROW("", "( [2] [3] )", "[]"),
    ROW("", "( [?] [3] )", "[]"),
    ROW("", "( ? )", "[]"),
};
SF_OPS_TEST(dataset_handles, handles, "OptionalFromValue", "CompressElement")

#define BATCHING "num_batch_threads=1,max_batch_size=4,batch_timeout_micros=1,grad_timeout_micros=1"
static const SfOpCase batching[] = {
    ROW(BATCHING, "( [2,3] [2,4] )", "[?,3] [?,4] [?,3]:int64 []:int64"),
    ROW(BATCHING, "( [?,3] [2,4] )", "[?,3] [?,4] [?,3] []"),
    ROW(BATCHING, "( ? )", "? [?,3] []"),
    ROW(BATCHING, "( [] )", "SF103 a 'Out of range dim_index 0'"),
    ROW(BATCHING, "( [2,3] [5,4] )", "deferred SF129 b.0 a.0 / [?,3] [?,4] [?,3] []"),
};
SF_OP_TEST(Batch, batching)

static const SfOpCase pieces[] = {
    ROW("N=4,num_splits=[2,2]", "[4,6]", "[2,3] [2,3] [2,3] [2,3]"),
    ROW("N=4,num_splits=[2,2]", "[4,?]", "[2,?] [2,?] [2,?] [2,?]"),
    ROW("N=1,num_splits=[2,2]", "?", "?"),
    ROW("N=1,num_splits=[1],paddings=[9223372036854775807]", "[3]", "[?]"),
};
SF_OP_TEST(XlaSplitND, pieces)
