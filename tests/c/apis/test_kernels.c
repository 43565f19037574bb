/* What only kernels refuse, or only construction does, as TensorFlow 2.21 answered: each row is a
 * case that the differential test (tests/oracle) showed us to miss. */
#include "tests/c/support/op_rows.h"

#define V2    "@version=2.21,"
#define EAGER "@phase=eager," V2

/* data sets */

static const SfOpCase seeds[] = {
    ROW(V2, "1 2", "[] []"),
    ROW(V2, "? ?", "[] []"),
    ROW(V2, "[2] 2", "deferred SF102 a 'seed must be a scalar' / [] []"),
    ROW(EAGER, "1 [2]", "SF102 b 'seed2 must be a scalar'"),
};
SF_OP_TEST(AnonymousRandomSeedGenerator, seeds)

static const SfOpCase reshuffled[] = {
    ROW(V2, "1 2 true", "[] []"),
    ROW(EAGER, "1 2 [1]", "SF102 c 'reshuffle must be a scalar'"),
};
SF_OP_TEST(AnonymousSeedGenerator, reshuffled)

static const SfOpCase pools[] = {
    ROW(V2 "num_threads=0,display_name='a'", "", "[]"),
    ROW(V2 "num_threads=-1,display_name='a'", "",
        "deferred SF129 @num_threads '`num_threads` must be >= 0' / []"),
    ROW(EAGER "num_threads=65536,display_name='a'", "",
        "SF129 @num_threads '`num_threads` must be < 65536'"),
};
SF_OPS_TEST(pools, pools, "ThreadPoolHandle", "ExperimentalThreadPoolHandle")

static const SfOpCase from_string[] = {
    ROW(V2, "?", "[]"),
    ROW(V2, "[]", "[]"),
    ROW(V2, "[1]", "deferred SF102 a 'string_handle must be a scalar' / []"),
    ROW(EAGER "output_types=[float],output_shapes=[[1],[2]]", "[1]",
        "SF129 @output_shapes @output_types"),
};
SF_OP_TEST(MultiDeviceIteratorFromStringHandle, from_string)

static const SfOpCase from_graph[] = {
    ROW(V2, "[]", "[]"),
    ROW(V2, "[0]", "deferred SF102 a 'graph_def must be a scalar' / []"),
};
SF_OP_TEST(DatasetFromGraph, from_graph)

/* arrays, lists, queues */

/* one element is a scalar to kernels, in one axis at most */
static const SfOpCase axis_number[] = {
    ROW(EAGER, "{1} ( [2,2] [2,3] )", "[2,5]"),
    ROW(EAGER, "{1,1} ( [2,2] [2,3] )",
        "SF102 a 'concat_dim tensor should be a scalar integer, but got shape [2]'"),
    ROW(EAGER, "{{1}} ( [2,2] [2,3] )",
        "SF102 a 'concat_dim tensor should be a scalar integer, but got shape [1,1]'"),
    ROW(EAGER, "[2] ( [] [] )", "SF102 a"),
};
SF_OP_TEST(Concat, axis_number)

static const SfOpCase whole[] = {
    ROW("dtype=float,shape=[2,?],memory_region_name='m'", "",
        "deferred SF129 @shape 'Shape [2,?] is not fully defined' / [2,?]"),
};
SF_OP_TEST(ImmutableConst, whole)

static const SfOpCase places[] = {
    ROW(V2 "shape=[3,1,6]", "[1,1,6] [1,1,6]", "[3,1,6]"),
    ROW(V2 "shape=[1,1,6]", "[1,1,6] [1,1,6]",
        "deferred SF129 @shape '0th dimension of value = 1 must be greater than loc_ = 1' / "
        "[1,1,6]"),
};
SF_OP_TEST(ParallelConcat, places)

static const SfOpCase frames[] = {
    ROW("frame_name=f", "[2]", "?"),
    ROW("frame_name=''", "[2]",
        "deferred SF129 @frame_name 'The Enter {{node Enter}} must have a frame name.' / ?"),
};
SF_OP_TEST(Enter, frames)

static const SfOpCase flow[] = {
    ROW("dtype=float", "? []", "? [?]"),
    ROW("dtype=float", "? [4]", "SF102 b"),
};
SF_OPS_TEST(flow, flow, "TensorArrayConcatV2", "TensorArrayConcatV3")

static const SfOpCase push_batch[] = {
    ROW("", "[2] [2,4]", "[2]"),
    ROW("", "? [3]", "[3]"),
    ROW("", "[n] ?", "[n]"),
    ROW("", "? ?", "[?]"),
    ROW("", "[] ?", "SF102 a"),
    ROW("", "[2] []", "SF103 b"),
    ROW("", "[2] [3,4]", "SF101 b.0 a.0"),
    ROW(EAGER, "[2] [3,4]",
        "SF101 b.0 a.0 'Expected tensor.shape[0] == input_handles.size, but saw 3 vs. 2'"),
    ROW(EAGER, "[] [3]", "SF102 a 'Expected input_handles to be a vector, but saw shape: []'"),
};
SF_OP_TEST(TensorListPushBackBatch, push_batch)

static const SfOpCase up_to[] = {
    ROW("component_types=[float]", "? 3", "?"),
    ROW("component_types=[float]", "? -1",
        "deferred SF129 b 'DequeueUpToOp requested -1 < 0 elements' / ?"),
    ROW(EAGER "component_types=[float]", "? -1", "SF129 b"),
};
SF_OP_TEST(QueueDequeueUpToV2, up_to)

static const SfOpCase many[] = {
    ROW("component_types=[float]", "? -1", "SF128 b"),
    ROW(EAGER "component_types=[float]", "? -1",
        "SF129 b 'DequeueManyOp requested -1 < 0 elements'"),
};
SF_OP_TEST(QueueDequeueManyV2, many)

/* a handle is the vector (container, name) in a graph only */
static const SfOpCase stacks[] = {
    ROW(EAGER "elem_type=float", "4", "[]"),
};
SF_OP_TEST(StackV2, stacks)

static const SfOpCase ids[] = {
    ROW(V2, "[2,3] [0,3] [2,3] []", "[?,?]"),
    ROW(V2, "[2,3] [0,3] [2,3] {2}",
        "deferred SF102 d 'Expected `id` to be scalar. Received Tensor<type: int64 shape: [1] "
        "values: "
        "2>' / [?,?]"),
};
SF_OP_TEST(UnbatchGrad, ids)

/* windows, images, sounds */

#define CONV V2 "strides=[1,1,1,1],padding=SAME"
static const SfOpCase no_filter[] = {
    ROW(CONV, "[5,5,5,1] [0,2,1,4]",
        "deferred SF129 b 'filter must not have zero elements' / [5,5,5,4]"),
    ROW(CONV, "[0,5,5,1] [0,2,1,4]", "[0,5,5,4]"), /* nothing to compute */
    ROW(CONV, "[5,5,5,1] [2,2,1,0]", "[5,5,5,0]"),
    ROW(CONV, "[?,5,5,1] [0,2,1,4]", "[?,5,5,4]"),
};
SF_OP_TEST(Conv2D, no_filter)

/* construction divides the channels by their stride; kernels never read it */
#define WIDE "ksize=[1,2,2,1],strides=[1,1,1,2],padding=VALID"
static const SfOpCase wide[] = {
    ROW(V2 WIDE, "[2,5,5,4]", "[2,4,4,2]"),
    ROW(EAGER WIDE, "[2,5,5,4]", "[2,4,4,4]"),
};
SF_OP_TEST(MaxPool, wide)

#define PADS "ksize=[1,2,1,1],strides=[1,2,1,1],padding=EXPLICIT,explicit_paddings="
static const SfOpCase wide_pads[] = {
    ROW(V2 PADS "[0,0,1,1,0,0,0,0]", "[1,4,3,1]", "[1,3,3,1]"),
    ROW(V2 PADS "[0,0,0,2,0,0,0,0]", "[1,4,3,1]",
        "deferred SF129 'Bottom padding 2 needs to be smaller than the window size 2' / [1,3,3,1]"),
    ROW(EAGER PADS "[0,0,0,0,1,0,0,0]", "[1,4,3,1]",
        "SF129 'Left padding 1 needs to be smaller than the window size 1'"),
};
SF_OP_TEST(MaxPool, wide_pads)

static const SfOpCase wide_argmax[] = {
    ROW(V2 WIDE, "[2,5,5,4]", "[2,4,4,2] [2,4,4,2]"),
    ROW(EAGER WIDE, "[2,5,5,4]", "[2,4,4,4] [2,4,4,4]"),
    ROW(EAGER "ksize=[1,1,1,2],strides=[1,1,1,2],padding=VALID", "[2,5,5,4]",
        "[2,5,5,4] [2,5,5,4]"),
};
SF_OP_TEST(MaxPoolWithArgmax, wide_argmax)

/* gradients go on with windows that have no cells */
#define HOLLOW "ksize=[1,-2,1,1],strides=[1,1,1,1],"
static const SfOpCase hollow[] = {
    ROW(EAGER HOLLOW "padding=SAME", "[3,4,4,1] [3,4,4,1] [3,4,4,1]", "[3,4,4,1]"),
    ROW(EAGER HOLLOW "padding=SAME", "[3,4,4,1] [3,5,4,1] [3,5,4,1]",
        "SF129 b a 'Expected orig_output shape to be [3,4,4,1], but got [3,5,4,1]'"),
    ROW(EAGER HOLLOW "padding=VALID", "[3,4,4,1] [3,7,4,1] [3,7,4,1]", "[3,4,4,1]"),
    ROW(EAGER HOLLOW "padding=VALID", "[3,4,4,1] [3,4,4,1] [3,4,4,1]",
        "SF129 b a 'Expected orig_output shape to be [3,7,4,1], but got [3,4,4,1]'"),
};
SF_OP_TEST(MaxPoolGrad, hollow)

#define HOLLOW3 "ksize=[1,-2,1,2,1],strides=[1,1,1,2,1],padding=SAME"
static const SfOpCase hollow_3d[] = {
    ROW(V2 HOLLOW3, "[3,4,3,5,5] [3,4,3,3,5] [3,4,3,5,5]", "[3,4,3,3,5]"),
    ROW(EAGER HOLLOW3, "[3,4,3,5,5] [3,4,3,3,5] [3,4,3,5,5]", "[3,4,3,3,5]"),
};
SF_OP_TEST(MaxPool3DGradGrad, hollow_3d)

static const SfOpCase crop_grads[] = {
    ROW(V2 "T=float", "[3,0,2,6] [3,4] [3] {1,6,2,6}",
        "deferred SF129 a 'grads dimensions must be positive' / [1,6,2,6]"),
    ROW(V2 "T=float", "[3,2,2,0] [3,4] [3] {1,6,2,0}", "[1,6,2,0]"),
};
SF_OP_TEST(CropAndResizeGradImage, crop_grads)

/* of an image without pixels everything is fill_value */
static const SfOpCase no_pixels[] = {
    ROW(EAGER "interpolation=NEAREST", "[4,3,0,1] [4,8] {4,6}", "[4,4,6,1]"),
};
SF_OP_TEST(ImageProjectiveTransformV2, no_pixels)

static const SfOpCase wav[] = {
    ROW(EAGER, "[3,0] 1", "SF129 a.1 'num_channels must be in (0, 2^16), got: 0'"),
    ROW(EAGER, "[3,65536] 0", "SF129 b 'sample_rate must be in (0, 2^32), got: 0'"),
    ROW(EAGER, "[3,2] -1", "SF129 b 'sample_rate must be in (0, 2^32), got: 18446744073709551615'"),
    ROW(EAGER, "[1,65535] 1", "[]"),
};
SF_OP_TEST(EncodeWav, wav)

static const SfOpCase nothing_heard[] = {
    ROW(V2, "[4,6,0] [6]", "deferred SF129 a 'inputs must not be empty' / [?,2] [?] [2] [6,1]"),
    ROW(EAGER, "[0,6,3] [5]", "SF129 a 'inputs must not be empty'"),
};
SF_OP_TEST(CTCGreedyDecoder, nothing_heard)

static const SfOpCase nothing_searched[] = {
    ROW(EAGER "beam_width=1,top_paths=1", "[4,0,3] [0]", "SF129 a 'inputs must not be empty'"),
};
SF_OP_TEST(CTCBeamSearchDecoder, nothing_searched)

/* matrices, variables */

static const SfOpCase regularizer[] = {
    ROW(V2, "[1,4,3] [1,4,3] -0.5", "deferred SF129 c 'l2_regularizer must be >= 0.' / [1,3,3]"),
    ROW(V2, "[0,4,3] [0,4,3] -0.5", "[0,3,3]"),
    ROW(EAGER, "[4,3] [5,3] -0.5", "SF101"),
};
SF_OP_TEST(MatrixSolveLs, regularizer)

/* one element of a range is enough, but for the first */
static const SfOpCase ranges[] = {
    ROW(EAGER, "[2,3]:quint8 [3,2]:quint8 [] [1] [1,1] [1]", "[2,2]:qint32 [] []"),
    ROW(EAGER, "[2,3]:quint8 [3,2]:quint8 [1] [] [] []",
        "SF102 c 'min_a must be a scalar, but got shape[1]'"),
    ROW(EAGER, "[2,3]:quint8 [3,2]:quint8 [] [] [2] []",
        "SF102 e 'min_b must be a scalar, but got shape[2]'"),
};
SF_OP_TEST(QuantizedMatMul, ranges)

/* the other two are held against the first */
#define BUFFERS                                                                                    \
    "input_size=2,quantization_config_low=0.0,quantization_config_high=1.0,"                       \
    "quantization_config_num_buckets=0,max_ids_per_sparse_core=2,"                                 \
    "max_unique_ids_per_sparse_core=2,table_name='t'"
static const SfOpCase buffers[] = {
    ROW(BUFFERS, "[2] ? [1] [2] [5,3] []", "[2,3]"),
    ROW(BUFFERS, "[2] [2] ? [1] [5,3] []", "SF107 d.0 b.0"),
};
SF_OP_TEST(XlaSparseDenseMatmulWithStaticBufferSize, buffers)

/* slots that kernels take for granted */
static const SfOpCase adadelta[] = {
    ROW(EAGER, "&[6] &[6] &[3] [] [] [] [6]", ""),
    ROW(EAGER, "&[6] &[3] &[6] [] [] [] [6]", "SF107 a.0 b.0"),
};
SF_OP_TEST(ResourceApplyAdadelta, adadelta)

static const SfOpCase amsgrad[] = {
    ROW(EAGER, "&[6] &[6] &[6] &[3] [] [] [] [] [] [] [6]", ""),
    ROW(EAGER, "&[6] &[6] &[3] &[6] [] [] [] [] [] [] [6]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyAdamWithAmsgrad, amsgrad)

static const SfOpCase gather_nothing[] = {
    ROW(EAGER "dtype=float", "&[0] [3,0]:int32",
        "SF128 a b 'Requested more than 0 entries, but params is empty.  Params shape: [0]'"),
    ROW(EAGER "dtype=float", "&[0] [0,0]:int32", "[0,0]"),
};
SF_OP_TEST(ResourceGatherNd, gather_nothing)

/* sparse and ragged */

/* weights of unknown size may be none, and then say nothing of the values */
static const SfOpCase no_batch[] = {
    ROW(V2 "binary_output=false", "?:int64 [?]", "[?,?] [?] [?]"),
    ROW(V2 "binary_output=false", "?:int64 [3]", "[?,1] [?] [1]"),
    ROW(V2 "binary_output=false", "[4,0]:int64 [0]", "[?,2] [?] [2]"),
    ROW(V2 "binary_output=false", "[0,4]:int64 [0]",
        "deferred SF129 a 'Invalid input: Shapes dimension cannot be 0.' / [?,2] [?] [2]"),
};
SF_OP_TEST(DenseCountSparseOutput, no_batch)

/* construction does not look at a size that it doesn't know */
static const SfOpCase bins[] = {
    ROW(V2, "[1,1] [1]:int64 {2} [1] [0]",
        "deferred SF102 d 'Shape must be rank 0 but is rank 1' / [?]"),
    ROW(V2, "[1,1] [1]:int64 {2} {3} [0]", "SF102 d"),
    ROW(EAGER, "[1,1] [1]:int64 {2} [1] [0]", "SF102 d 'Shape must be rank 0 but is rank 1'"),
};
SF_OP_TEST(SparseBincount, bins)

/* construction writes down only the dims that are left */
static const SfOpCase reduced[] = {
    ROW(V2, "[1,2] [1] {-2,3} {0}",
        "deferred SF130 c 'Expected shape dimensions to be non-negative, got -2' / [3]"),
    ROW(V2, "[1,2] [1] {-2,3} {1}", "SF130 c 'Dimension -2 must be >= 0'"),
};
SF_OPS_TEST(reduced, reduced, "SparseReduceMax", "SparseReduceSum")

#define CROSS                                                                                      \
    V2 "hashed_output=false,num_buckets=0,hash_key=1,out_values_type=int64,"                       \
       "out_row_splits_type=int64,"
#define FEATURES "( [2]:int64 [2]:int64 ) ( [2]:int64 [2]:int64 ) ( ) ( ) ( ) ( )"
static const SfOpCase order[] = {
    ROW(CROSS "input_order='RR'", FEATURES, "[?] [2]"),
    ROW(CROSS "input_order=''", FEATURES,
        "deferred SF129 @input_order 'Invalid length for input_order' / [?] [2]"),
    ROW(CROSS "input_order='Rx'", FEATURES,
        "deferred SF129 @input_order 'Unexpected input_order value.' / [?] [2]"),
    ROW(CROSS "input_order='RD'", FEATURES,
        "deferred SF129 @input_order 'specifies reading a dense tensor at index 0 from a list of 0 "
        "tensors.' / [?] [2]"),
};
SF_OP_TEST(RaggedCross, order)

static const SfOpCase no_rows[] = {
    ROW(V2, "[2] [2] -1 []",
        "deferred SF129 c 'Expected shape dimensions to be non-negative, got -1' / "
        "[?] [?] [?] [2]"),
    ROW(EAGER, "[2] [2] -1 []", "SF129 c"),
};
SF_OP_TEST(RaggedFillEmptyRows, no_rows)

static const SfOpCase no_types[] = {
    ROW(V2 "row_partition_types=[]", "{-1,-1}:int64 [3] [] ( [3]:int64 )",
        "SF128 @row_partition_types 'Partition info types should not be empty'"),
    ROW(EAGER "row_partition_types=[]", "{-1,-1}:int64 [3] [] ( [3]:int64 )",
        "SF128 @row_partition_types 'No row_partition_types given.'"),
};
SF_OP_TEST(RaggedTensorToTensor, no_types)

#define SEQUENCE                                                                                   \
    "Ncontext_sparse=0,Ncontext_dense=1,Nfeature_list_sparse=0,Nfeature_list_dense=0,"             \
    "context_sparse_types=[],feature_list_dense_types=[],feature_list_sparse_types=[],"            \
    "feature_list_dense_shapes=[],"
static const SfOpCase whole_shapes[] = {
    ROW(SEQUENCE "context_dense_shapes=[[4]]", "[] [0] ( ) ( [] ) ( ) ( ) ( [4] ) []", "[4]"),
    ROW(SEQUENCE "context_dense_shapes=[[4,?]]", "[] [0] ( ) ( [] ) ( ) ( ) ( [4,2] ) []",
        "SF128 @context_dense_shapes 'Shape [4,?] is not fully defined'"),
};
SF_OP_TEST(ParseSingleSequenceExample, whole_shapes)
