/* What kernels of TensorFlow 2.21 refuse, and take: found by seeds of tests/oracle never used before. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase avg_grad[] = {
    ROW("@version=2.21,@phase=eager", "{2,6,4,1}:int64 [0,3,2,1] {0,2,4,6} {0,2,4}", "SF129 b.0 'out_backprop must be positive for all dimension, got:0'"),
};
SF_OP_TEST(FractionalAvgPoolGrad, avg_grad)

static const SfOpCase batch_dims[] = {
    ROW("@version=2.21,batch_dims=5", "[6,3,5,6] ?:int32 3", "SF103 a 'Shape must be at least rank 6'"),
    ROW("@version=2.21,batch_dims=2", "[6,3,5,6] ?:int32 3", "?"),
};
SF_OP_TEST(GatherV2, batch_dims)

static const SfOpCase reshape_empty[] = {
    ROW("@version=2.21,@phase=eager", "[2,3] {4,4,0} {-1,1}", "SF129 a.0 b 'Input tensor has 2 non zero elements but input shape ([4,4,0]) or output shape ([0,1]) is empty'"),
    ROW("@version=2.21,@phase=eager", "[0,3] {4,4,0} {-1,1}", "[0,2] {0,1}"),
};
SF_OP_TEST(SparseReshape, reshape_empty)

/* Characters are counted from the end to a length that is not negative. */
static const SfOpCase substr_back[] = {
    ROW("@version=2.21,@phase=eager,unit=UTF8_CHAR", "{'abcdef'} -3 -1", "SF129 b a 'pos -3 out of range for string at index 0'"),
    ROW("@version=2.21,@phase=eager,unit=UTF8_CHAR", "{'abcdef'} -3 0", "[1]"),
    ROW("@version=2.21,@phase=eager,unit=UTF8_CHAR", "{'abcdef'} 3 -1", "[1]"),
    ROW("@version=2.21,@phase=eager,unit=BYTE", "{'abcdef'} -3 -1", "[1]"),
};
SF_OP_TEST(Substr, substr_back)

static const SfOpCase import_values[] = {
    ROW("@version=2.21", "[] [6]:int64 []:float", "SF103 c"),
    ROW("@version=2.21", "[] ?:int64 []:float", "SF103 c"),
};
SF_OP_TEST(LookupTableImportV2, import_values)

static const SfOpCase stacked[] = {
    ROW("@version=2.21,@phase=eager,input_ragged_rank=0,output_ragged_rank=0,Tvalues=float", "[3]", "?"),
    ROW("@version=2.21,@phase=eager,input_ragged_rank=1,output_ragged_rank=0,Tvalues=float", "[3]", "SF102 a"),
    ROW("@version=2.21,input_ragged_rank=0,output_ragged_rank=0,Tvalues=float", "[3]", "SF102 a"),
};
SF_OP_TEST(RaggedTensorFromVariant, stacked)

static const SfOpCase entries[] = {
    ROW("@phase=eager", "{{0,0},{-1,0}} [2] {3,5} [5,2]", "SF117 a c 'm (-1) from index[1,0] out of bounds (>=3)'"),
    ROW("@phase=eager", "{{0,0},{0,5}} [2] {3,5} [5,2]", "SF117 a c 'k (5) from index[1,1] out of bounds (>=5)'"),
    /* an empty product looks at no entry */
    ROW("@phase=eager,adjoint_a=true,adjoint_b=true", "{{0,0},{0,0}} [2] {5,0} [5,5]", "[0,5]"),
    ROW("@phase=eager,adjoint_a=true", "{{5,5},{-1,9}} [2] {3,5} [3,2]", "SF117 a c 'k (5) from index[0,0] out of bounds (>=3)'"),
    ROW("", "{{0,0},{0,5}} [2] {3,5} [5,2]", "deferred SF117 a c / [3,2]"),
    ROW("@phase=eager", "{{0,0},{2,4}} [2] {3,5} [5,2]", "[3,2]"),
};
SF_OP_TEST(SparseTensorDenseMatMul, entries)

static const SfOpCase shuffled[] = {
    ROW("component_types=[float],capacity=2,min_after_dequeue=100", "", "deferred SF129 @min_after_dequeue @capacity 'min_after_dequeue 100 must be < capacity 2' / []"),
    ROW("component_types=[float],capacity=-1,min_after_dequeue=100", "", "[]"),
    ROW("component_types=[float],min_after_dequeue=-1", "", "deferred SF129 @min_after_dequeue 'min_after_dequeue -1 must be >= 0' / []"),
};
SF_OP_TEST(RandomShuffleQueueV2, shuffled)

static const SfOpCase image_size[] = {
    ROW("T=float,@phase=eager", "[6,1,3,2] [6,4] [6] {1,-1,3,2}", "SF129 d 'image dimensions must be positive'"),
    ROW("T=float,@phase=eager", "[6,1,3,2] [6,4] [6] {1,1,3,2}", "[1,1,3,2]"),
};
SF_OP_TEST(CropAndResizeGradImage, image_size)

static const SfOpCase wav[] = {
    ROW("desired_channels=-1,desired_samples=-2", "[]", "SF128 @desired_samples 'samples must be non-negative, got -2'"),
    ROW("desired_channels=-2,desired_samples=-2", "[]", "SF128 @desired_channels 'channels must be non-negative, got -2'"),
    ROW("desired_samples=-2,@phase=eager", "[]", "SF129 'desired_samples must be >= -1, got -2'"),
};
SF_OP_TEST(DecodeWav, wav)

static const SfOpCase files[] = {
    ROW("file_pattern=x,batch_size=1,file_parallelism=-1", "", "deferred SF129 @file_parallelism 'file_parallelism should >= 0, got -1' / [1]"),
};
SF_OP_TEST(RecordInput, files)

static const SfOpCase bias[] = {
    ROW("@version=2.21,@phase=eager", "[2,5] [2,1] [2,1] [6,4] [1] [1] [1] [4,1]", "SF102 h 'b_tensor must be rank 1 but is rank 2.'"),
    ROW("@version=2.21,@phase=eager", "[2,5] [2,1] [2,1,1] [6,4] [1] [1] [1] [4]", "SF102 c 'h_prev_tensor must be rank 2 but is rank 3.'"),
};
SF_OP_TEST(LSTMBlockCell, bias)

static const SfOpCase no_window[] = {
    ROW("@version=2.21,@phase=eager,ksize=[1,0,3,1],strides=[1,1,3,1],padding=EXPLICIT,explicit_paddings=[0,0,0,0,2,1,0,0]",
        "[3,4,3,4] [3,4,2,4] [3,4,2,4]", "SF129 'Top padding 0 needs to be smaller than the window size 0'"),
};
SF_OP_TEST(MaxPoolGrad, no_window)
/* Axes of size 1 in front of what is assigned are not counted. */
static const SfOpCase assigned[] = {
    ROW("@version=2.21,@phase=eager", "&[3]:float {0} {1} {1} [1,1]", ""),
    ROW("@version=2.21,@phase=eager", "&[3,4]:float {0,0} {2,1} {1,1} [1,2,1]", ""),
    ROW("@version=2.21,@phase=eager", "&[3]:float {0} {2} {1} [2,1]", "SF129 e a"),
};
SF_OP_TEST(ResourceStridedSliceAssign, assigned)

static const SfOpCase fixed[] = {
    ROW("", "[1] [] [] [] [] [4]", "deferred SF102 f 'compression_type must be a scalar' / []"),
    ROW("", "[1] [] [1] [] [] []", "SF102 c"),
};
SF_OP_TEST(FixedLengthRecordDatasetV2, fixed)

static const SfOpCase wide_indices[] = {
    ROW("", "[2,2] [2] [1]", "deferred SF129 c.0 a.1 'Number of dimensions must match second dimension of indices. Got 1 dimensions, indices shape: [2,2]' / []"),
};
SF_OP_TEST(SparseTensorSliceDataset, wide_indices)

static const SfOpCase negative_size[] = {
    ROW("", "{{0,0}} [1] {-1,3}", "deferred SF117 a c 'Sparse index tuple indices[0, :] = [0, 0] is out of bounds' / []"),
    ROW("", "[0,2] [0] {-1,3}", "[]"),
};
SF_OP_TEST(SparseTensorToCSRSparseMatrix, negative_size)

static const SfOpCase empty_table[] = {
    ROW("@version=2.21", "[] [0]:int64 [0]:float", "deferred SF129 b c 'keys and values cannot be empty tensors.' /"),
};
SF_OP_TEST(InitializeTableV2, empty_table)

static const SfOpCase empty_image[] = {
    ROW("@version=2.21,@phase=eager", "{0,4,6,1}:int64 [3,2,3,1] {0,2,4} {0,2,4,6}", "SF129 a 'Batch dimension of input must not be 0'"),
    ROW("@version=2.21,@phase=eager", "{3,4,6,-1}:int64 [3,2,3,1] {0,2,4} {0,2,4,6}", "SF129 a 'Expected a non-negative size, got -1'"),
};
SF_OP_TEST(FractionalAvgPoolGrad, empty_image)
static const SfOpCase scatter_empty[] = {
    ROW("@version=2.21,@phase=eager", "{{5,0},{4,2}} [2,0] {6,3,2}", "SF128 a b 'Indices and updates specified for empty output shape'"),
    ROW("@version=2.21,@phase=eager", "[0,1] [0,2] {6,2}", "[6,2]"),
    ROW("@version=2.21", "[2,1] [3,4] {5,4}", "SF107 a.0 b.0 'with input shapes: [2,1], [3,4], [2].'"),
    ROW("@version=2.21", "[2,1] [2,3] {5,4}", "SF107 c.1 b.1 'input[2] = [5,4].'"),
};
SF_OP_TEST(ScatterNd, scatter_empty)

static const SfOpCase reshape_rank[] = {
    ROW("@version=2.21", "[1,5,5] {{25}}", "SF102 b 'with input shapes: [1,5,5], [1,1].'"),
};
SF_OP_TEST(Reshape, reshape_rank)

static const SfOpCase no_rows[] = {
    ROW("shape=[]", "( [1] [1] )", "SF128 'Out of range dim_index 0 for shape with 0 dimensions'"),
    ROW("shape=[],@phase=eager", "( [1] [1] )", "SF103 'value should be at least rank 1.'"),
};
SF_OP_TEST(ParallelConcat, no_rows)

static const SfOpCase update_empty[] = {
    ROW("@version=2.21,@phase=eager", "[1,6] [3,0]:int64 [3,6]", "SF128 b c 'Indices and updates specified for empty output shape'"),
};
SF_OP_TEST(TensorScatterUpdate, update_empty)

static const SfOpCase words_of_v3[] = {
    ROW("@version=2.21,@phase=eager,Tout=float", "[1,4] [1,3]", "SF114 'In[0]: [1,4], In[1]: [1,3] [Op:BatchMatMulV3]'"),
};
SF_OP_TEST(BatchMatMulV3, words_of_v3)
/* clang-format on */
