/* Rows of sparse ops; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define V8  "@version=1.8,"
#define RUN "@phase=run,"

static const SfOpCase to_dense[] = {
    ROW("", "[4,2]:int64 {5,6}:int64 [4] []", "[5,6]"),
    ROW("", "[4,2]:int64 {n,6}:int64 [4] []", "[n,6]"),
    ROW("", "[]:int32 {5}:int32 [] []", "[5]"),
    ROW("", "[4,3]:int64 [3]:int64 [4] []", "[?,?,?]"),
    ROW("", "?:int64 ?:int64 ? ?", "?"),
    ROW("", "[4,2]:int64 {5,6,7}:int64 [4] []", "deferred SF101 b a / [5,6,7]"),
    ROW("", "[4,2]:int64 {{5,6}}:int64 [4] []", "SF102 b"),
    ROW(RUN, "[4,2]:int64 {5,6,7}:int64 [4] []",
        "SF101 b a 'output_shape has incorrect number of elements: 3 should be: 2'"),
    ROW(RUN, "[4,2]:int64 {5,6}:int64 [3] []",
        "SF101 c.0 a 'sparse_values has incorrect shape [3], should be [] or [4]'"),
    ROW("", "[4,1099511627776]:int64 [1099511627776]:int64 [4] []", "?"), /* and at once */
};
SF_OP_TEST(SparseToDense, to_dense)

static const SfOpCase dense_add[] = {
    ROW("", "[4,2]:int64 [4] [2]:int64 [5,n]", "[5,n]"),
    ROW("", "?:int64 ? ?:int64 ?", "?"),
};
SF_OP_TEST(SparseTensorDenseAdd, dense_add)

static const SfOpCase cwise[] = {
    ROW("", "[n,2] [n] [2] [5,6]", "[n]"),
    ROW("", "[2,2] [2] [2] [5,6]", "[2]"),
    ROW("", "? ? ? ?", "[?]"),
    ROW("", "[4] ? [2] [5,6]", "SF102 a"),
};
SF_OPS_TEST(cwise, cwise, "SparseDenseCwiseAdd", "SparseDenseCwiseDiv", "SparseDenseCwiseMul")

static const SfOpCase reduce[] = {
    ROW("", "[4,2] [4] {5,6} {1}", "[5]"),
    ROW("", "? ? ? ?", "?"),
    ROW("", "[4,2] [4] {n,6} -1", "[n]"),
    ROW("keep_dims=true", "[4,2] [4] {5,6} {1}", "[5,1]"),
    ROW("", "[4,2] [4] {5,6} {2}", "deferred SF112 d c 'Invalid reduction dimension 2' / [6]"),
    ROW("@phase=eager", "[4,2] [4] {5,6} {2}",
        "SF112 d c 'Invalid reduction dimension 2, for input with 2 dimensions.'"),
    ROW("", "[4,2] [3] {5,6} {1}", "deferred SF101 b.0 a.0 'indexing dimension' / [5]"),
    ROW("", "[4,2] [4] {5,-6} {0}", "SF130 c"),
    ROW("", "[4,2] [4] {5,-6} {1}",
        "deferred SF130 c / [5]"), /* TensorFlow writes down only what is left */
    ROW("", "[4,2] [4] [2] 1", "[?]"),
    ROW("keep_dims=true", "[4,2] [4] [2] 1", "[?,1]"),
    ROW("", "[4,2] [4] {5,6} [1]", "?"),
    ROW(V8, "[4,2] [4] {5,6} {1}", "?"),
};
SF_OPS_TEST(reduce, reduce, "SparseReduceSum", "SparseReduceMax")

static const SfOpCase reduce_sparse[] = {
    ROW("", "[4,2] [4] {5,6} {1}", "[?,1] [?] [1]"),
    ROW("", "[?,2] [4] {5,6} {1}", "[?,1] [?] [1]"),
    ROW("keep_dims=true", "[4,2] [4] ? ?", "[?,2] [?] [2]"),
    ROW("", "? ? ? {0,1}", "[?,?] [?] [?]"),
    ROW("@phase=eager", "[4,2] [4] [2] {5}", "SF112 d c"),
};
SF_OPS_TEST(reduce_sparse, reduce_sparse, "SparseReduceSumSparse", "SparseReduceMaxSparse")

static const SfOpCase add[] = {
    ROW("", "[4,2] [4] [2] [3,2] [3] [2] []:float", "[?,2] [?] [2]"),
    ROW("", "[?,2] [4] [2] [3,2] [3] [2] []:float", "[?,2] [?] [2]"),
    ROW("", "? ? ? ? ? ? ?:float", "[?,?] [?] [?]"),
    ROW("", "[4,2] [4] [] [3,2] [3] [2] []:float", "SF102 c"),
};
SF_OP_TEST(SparseAdd, add)

static const SfOpCase add_grad[] = {
    ROW("", "? [n,2] [3,2] ?", "[n] [3]"),
    ROW("", "? [4] [3,2] ?", "SF102 b"),
};
SF_OP_TEST(SparseAddGrad, add_grad)

static const SfOpCase concat[] = {
    ROW("concat_dim=1", "( [4,2] [3,2] ) ( [4] [3] ) ( [2] [2] )", "[7,2] [7] [2]"),
    ROW("concat_dim=1", "( [?,2] [3,2] ) ( [4] [3] ) ( [2] [2] )", "[7,2] [7] [2]"),
    ROW("concat_dim=1", "( [4,2] ? ) ( [4] [3] ) ( ? [2] )", "[7,2] [7] [2]"),
    ROW("concat_dim=1", "( ? ? ) ( ? ? ) ( ? ? )", "[?,?] [?] [?]"),
    ROW("concat_dim=1", "( [4,2] [3,3] ) ( [4] [3] ) ( [2] [2] )", "SF101 a.1 b.1"),
    ROW("concat_dim=1", "( [4,2] [3,2] ) ( [4] [4] ) ( [2] [2] )", "SF101 b.0 d.0"),
    ROW("concat_dim=1", "( ? ? ) ( ? ? ) ( [2] [3] )", "SF107 e.0 f.0"),
};
SF_OP_TEST(SparseConcat, concat)

static const SfOpCase fill_rows[] = {
    ROW("", "[4,2] [4] [2] []", "[?,2] [?] [?] [4]"),
    ROW("", "[n,2] [n] {5,6} []", "[?,2] [?] [5] [n]"),
    ROW("", "? ? ? ?", "[?,?] [?] [?] [?]"),
    ROW("", "[4,2] [5] [2] []", "SF101 a.0 b.0"),
    ROW("", "[4,3] [4] [2] []", "SF101 a.1 c.0"),
};
SF_OP_TEST(SparseFillEmptyRows, fill_rows)

static const SfOpCase fill_rows_grad[] = {
    ROW("", "[n] [5]", "[n] []"),
    ROW("", "? ?", "[?] []"),
    ROW("", "[2] [5]", "[2] []"),
    ROW("", "[] [5]", "SF102 a"),
};
SF_OP_TEST(SparseFillEmptyRowsGrad, fill_rows_grad)

static const SfOpCase reorder[] = {
    ROW("", "[n,2] [n] [2]", "[n,2] [n]"),
    ROW("", "[2,2] [2] [2]", "[2,2] [2]"),
    ROW("", "? ? ?", "[?,?] [?]"),
    ROW("", "[4] [4] [2]", "SF102 a"),
};
SF_OP_TEST(SparseReorder, reorder)

static const SfOpCase reshape[] = {
    ROW("", "[n,2] [2] {3,-1,2}", "[n,3] [3]"),
    ROW("", "? ? ?", "[?,?] [?]"),
    ROW("", "[4] [2] [3]", "SF102 a"),
};
SF_OP_TEST(SparseReshape, reshape)

static const SfOpCase slice[] = {
    ROW("", "[4,2] [4] [2] [2] [2]", "[?,2] [?] [2]"),
    ROW("", "[?,2] [4] [2] [2] [2]", "[?,2] [?] [2]"),
    ROW("", "? ? ? ? ?", "[?,?] [?] ?"),
};
SF_OP_TEST(SparseSlice, slice)

static const SfOpCase slice_grad[] = {
    ROW("", "? [n,2] ? ?", "[n]"),
    ROW("", "? [4] ? ?", "SF102 b"),
};
SF_OP_TEST(SparseSliceGrad, slice_grad)

static const SfOpCase split[] = {
    ROW("num_split=2", "1 [4,2] [4] [2]", "[?,2] [?,2] [?] [?] [2] [2]"),
    ROW("num_split=2", "1 [?,2] [4] [2]", "[?,2] [?,2] [?] [?] [2] [2]"),
    ROW("num_split=1", "? ? ? ?", "[?,?] [?] ?"),
};
SF_OP_TEST(SparseSplit, split)

static const SfOpCase softmax[] = {
    ROW("", "[n,2] [n] [2]", "[n]"),
    ROW("", "[2,2] [2] [2]", "[2]"),
    ROW("", "? ? ?", "[?]"),
    ROW("", "[4,2] [] [2]", "SF102 b"),
};
SF_OP_TEST(SparseSoftmax, softmax)

static const SfOpCase extremum[] = {
    ROW("", "[4,2] [4] [2] [3,2] [3] [2]", "[?,2] [?]"),
    ROW("", "[?,2] [4] [2] [3,2] [3] [2]", "[?,2] [?]"),
    ROW("", "? ? ? ? ? ?", "[?,?] [?]"),
    ROW("", "[4,2] [3] [2] [3,2] [3] [2]", "deferred SF101 b.0 a.0 / [?,2] [?]"),
    ROW("", "? ? [2] [0,1] ? ?", "deferred SF108 / [?,2] [?]"),
};
SF_OPS_TEST(extremum, extremum, "SparseSparseMaximum", "SparseSparseMinimum")

static const SfOpCase serialize[] = {
    ROW("", "[4,2] [4] [2]", "[3]:string"),
    ROW("", "[?,2] [4] [2]", "[3]"),
    ROW("", "? ? ?", "[3]"),
    ROW("", "[4] [4] [2]", "SF102 a"),
};
SF_OP_TEST(SerializeSparse, serialize)

static const SfOpCase serialize_many[] = {
    ROW("", "[4,2] [4] [2]", "[?,3]:string"),
    ROW("", "[?,2] [4] [2]", "[?,3]"),
    ROW("", "? ? ?", "[?,3]"),
    ROW("", "[4] [4] [2]", "SF102 a"),
};
SF_OP_TEST(SerializeManySparse, serialize_many)

static const SfOpCase deserialize[] = {
    ROW("dtype=float", "[5,3]", "[?,?] [?]:float [?]"),
    ROW("dtype=float", "[?,3]", "[?,?] [?] [?]"),
    ROW("dtype=float", "?", "[?,?] [?] [?]"),
    ROW("dtype=float", "[4]", "SF106 a.0"),
};
SF_OP_TEST(DeserializeSparse, deserialize)

static const SfOpCase deserialize_many[] = {
    ROW("dtype=float", "[5,3]", "[?,?] [?] [?]"), ROW("dtype=float", "[?,3]", "[?,?] [?] [?]"),
    ROW("dtype=float", "?", "[?,?] [?] [?]"),     ROW("dtype=float", "[5,4]", "SF106 a.1"),
    ROW("dtype=float", "[3]", "SF102 a"),
};
SF_OP_TEST(DeserializeManySparse, deserialize_many)

static const SfOpCase sets_dense[] = {
    ROW("set_operation='union'", "[5,4] [5,3]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "[?,4] [5,3]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "? [5,2,3]", "[?,3] [?] [3]"),
    ROW("set_operation='union'", "? ?", "[?,?] [?] [?]"),
    ROW("set_operation='union'", "[5] [5]", "SF103 a"),
    ROW("set_operation='union'", "[5,4,2] [5,3,3]", "SF107 a.1 b.1"),
};
SF_OP_TEST(DenseToDenseSetOperation, sets_dense)

static const SfOpCase sets_mixed[] = {
    ROW("set_operation='union'", "[5,4] [4,2] [4] [2]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "[?,4] [4,2] [4] [2]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "? ? ? ?", "[?,?] [?] [?]"),
    ROW("set_operation='union'", "[5,4] [4,2] [5] [2]", "SF101 b.0 c.0"),
    ROW("set_operation='union'", "[5,4,3] [0,2] ? ?", "deferred SF107 d a / [?,3] [?] [3]"),
    ROW("set_operation='union'", "? [0,1] ? ?",
        "deferred SF103 d 'Invalid rank 1.' / [?,1] [?] [1]"),
    ROW("set_operation='union'", "[5,4] [0,255] ? ?",
        "deferred SF129 d 'Too many dimensions in tensor' / [?,2] [?] [2]"),
};
SF_OP_TEST(DenseToSparseSetOperation, sets_mixed)

static const SfOpCase sets_sparse[] = {
    ROW("set_operation='union'", "[4,2] [4] [2] [3,2] [3] [2]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "[?,2] [4] [2] [3,2] [3] [2]", "[?,2] [?] [2]"),
    ROW("set_operation='union'", "? ? ? ? ? ?", "[?,?] [?] [?]"),
    ROW("set_operation='union'", "[4,2] [4] [3] [3,2] [3] [2]", "SF101 a.1 c.0"),
};
SF_OP_TEST(SparseToSparseSetOperation, sets_sparse)

static const SfOpCase set_size[] = {
    ROW("", "[4,2] [4] [2]", "[?]:int32"),
    ROW("", "[4,2] [4] [?]", "?"),
    ROW("", "[4,2] [4] {5,6}", "[5]"),
    ROW("", "? ? ?", "?"),
    ROW("", "[4,2] [3] {5,6}", "deferred SF101 b.0 a.0 / [5]"),
    ROW("@phase=eager", "[0,255] [0] [255]", "SF129 c 'Too many dimensions in tensor'"),
    ROW("@phase=eager", "{{0,0},{5,2}} [2] {2,3}",
        "SF117 a c 'indices[1] = [5,2] is out of bounds: need 0 <= index < [2,3]'"),
    ROW("@phase=eager", "{{1,0},{0,2}} [2] {2,3}", "SF129 a 'indices[1] = [0,2] is out of order.'"),
};
SF_OP_TEST(SetSize, set_size)

static const SfOpCase cross[] = {
    ROW("N=1,hashed_output=true,num_buckets=10,hash_key=1,out_type=int64,internal_type=int64",
        "( [4,2] ) ( [4]:int64 ) ( [2] ) ( )", "[?,2] [?]:int64 [2]"),
    ROW("N=1,hashed_output=true,num_buckets=10,hash_key=1,out_type=int64,internal_type=int64",
        "( [?,2] ) ( [4]:int64 ) ( [2] ) ( )", "[?,2] [?] [2]"),
    ROW("N=1,hashed_output=true,num_buckets=10,hash_key=1,out_type=int64,internal_type=int64",
        "( ? ) ( ?:int64 ) ( ? ) ( )", "[?,2] [?] [2]"),
};
SF_OP_TEST(SparseCross, cross)

/* words and checks of the kernels (TensorFlow 2.21) */

static const SfOpCase reshape_kernel[] = {
    ROW("@phase=eager", "[2,2] {2,3} {-1}", "[2,1] {6}"),
    ROW("@phase=eager", "[2,2] {2,3} {-1,-1}",
        "SF130 c 'only one output dimension may be -1, not both 0 and 1'"),
    ROW("@phase=eager", "[2,2] {2,3} {5}",
        "SF126 c b 'Input to reshape is a tensor with 6 dense values, but the requested shape has "
        "5. input_shape=[2,3] output_shape=[5]'"),
    ROW("@phase=eager", "[2,2] {2,3} {-1,4}",
        "SF109 c b 'Input to reshape is a SparseTensor with 6 dense values, but the requested "
        "shape requires a multiple of 4. input_shape=[2,3] output_shape=[1,4]'"),
    ROW("@phase=eager", "[2,2] {2,3} {2,-3}", "SF130 c 'size 1 must be non-negative, not -3'"),
    ROW("", "[2,2] {2,3} {5}", "deferred SF126 c b / [2,1] [1]"),
};
SF_OP_TEST(SparseReshape, reshape_kernel)

static const SfOpCase reorder_kernel[] = {
    ROW("@phase=eager", "[2,2] [3] [2]",
        "SF101 b.0 a.0 'Number of elements in indices (2) and values (3) do not match'"),
    ROW("@phase=eager", "[2,2] [2] [3]",
        "SF101 c.0 a.1 'Index rank (2) and shape rank (3) do not match'"),
    ROW("@phase=eager", "[2] [2] [2]", "SF102 a 'Sparse indices must be rank 2 but is rank 1'"),
    ROW("", "[2,2] [3] [2]", "deferred SF101 b.0 a.0 / [2,2] [3]"),
};
SF_OP_TEST(SparseReorder, reorder_kernel)

static const SfOpCase concat_kernel[] = {
    ROW("concat_dim=2,@phase=eager", "( [2,2] [2,2] ) ( [2] [2] ) ( [2] [2] )",
        "SF111 @concat_dim e 'Concat dimension must be in range [-2, 2), got 2'"),
    ROW("concat_dim=1,@phase=eager", "( [2,2] [2,2] ) ( [2] [2] ) ( {2,3} {3,3} )",
        "SF115 f e 'Input shapes must match: expected 2 for dimension 0 but got 3 at position 1'"),
    ROW("concat_dim=1", "( [2,2] [2,2] ) ( [2] [2] ) ( {2,3} {3,3} )",
        "deferred SF115 f e / [4,2] [4] [2]"),
};
SF_OP_TEST(SparseConcat, concat_kernel)

static const SfOpCase to_dense_kernel[] = {
    ROW("@phase=eager", "{{0,0},{5,2}} {2,3} [2] []",
        "SF117 a b 'indices[1] = [5,2] is out of bounds: need 0 <= index < [2,3]'"),
    ROW("@phase=eager", "{1,1} {3} [] []", "SF129 a 'indices[1] = [1] is repeated'"),
    ROW("@phase=eager", "[2,2] {2,3} [2] [1]", "SF102 d 'default_value should be a scalar.'"),
    ROW("validate_indices=false,@phase=eager", "{1,0} {3} [] []", "[3]"),
};
SF_OP_TEST(SparseToDense, to_dense_kernel)

static const SfOpCase cwise_kernel[] = {
    ROW("@phase=eager", "[2,2] [2] {2,3} [4]",
        "SF113 d c 'SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible "
        "shapes: [2,3] vs. [4]'"),
    ROW("@phase=eager", "[2,2] [2] {2,3} [1,3]", "[2]"),
    ROW("", "[2,2] [2] {2,1} [0]", "deferred SF117 a c 'Provided indices are out-of-bounds' / [2]"),
    ROW("", "[0,2] [0] {2,1} [0]", "[0]"),
    ROW("", "[0,2] [0] {0,3} [1,3]",
        "deferred SF113 d c 'got incompatible shapes: [0,3] vs. [1,3]' / [0]"),
    ROW("", "[2,2] [3] [2] ?", "deferred SF101 b.0 a.0 / [2]"),
};
SF_OPS_TEST(cwise_message, cwise_kernel, "SparseDenseCwiseAdd", "SparseDenseCwiseMul")

static const SfOpCase dense_add_kernel[] = {
    ROW("", "[2,2]:int64 [2] {2,3}:int64 [n,3]", "[n,3]"),
    ROW("", "[2,2]:int64 [2] {2,3}:int64 [2,3]", "[2,3]"),
    ROW("", "[2,2]:int64 [2] {2,3}:int64 [2,4]", "deferred SF107 d.1 c / [2,4]"),
    ROW("@phase=eager", "[2,2]:int64 [2] [2]:int64 [3]",
        "SF108 d c.0 'Two operands have different ranks; received: 2 and 1'"),
};
SF_OP_TEST(SparseTensorDenseAdd, dense_add_kernel)

static const SfOpCase map_add[] = {
    ROW("", "[4,2] [4] [2]", "[]:int64"),
    ROW("", "[?,2] [4] [2]", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[4] [4] [2]", "SF102 a"),
    ROW("", "[4,2] [3] [2]", "deferred SF101 b.0 a.0 / []"),
    ROW("", "[4,2] [3] {2,-2}", "deferred SF130 c 'Dimension -2 must be >= 0' / []"),
};
SF_OP_TEST(AddSparseToTensorsMap, map_add)

static const SfOpCase map_add_many[] = {
    ROW("", "[4,2] [4] {n,6}", "[n]"),
    ROW("", "? ? ?", "[?]"),
    ROW("", "[4,1] [4] [1]",
        "deferred SF103 c 'Rank of input SparseTensor should be > 1, but saw rank: 1' / [?]"),
};
SF_OP_TEST(AddManySparseToTensorsMap, map_add_many)

static const SfOpCase map_take[] = {
    ROW("dtype=float", "[4]", "[?,?] [?]:float [?]"),
    ROW("dtype=float", "[?]", "[?,?] [?] [?]"),
    ROW("dtype=float", "?", "[?,?] [?] [?]"),
    ROW("dtype=float", "[]", "SF102 a"),
    ROW("dtype=float", "[0]", "deferred SF129 a / [?,?] [?] [?]"),
};
SF_OP_TEST(TakeManySparseFromTensorsMap, map_take)

static const SfOpCase cross_v2[] = {
    ROW("", "( [4,2] ) ( [4]:string ) ( [2] ) ( [3,2]:int64 ) []", "[?,2] [?] [2]"),
    ROW("", "( ) ( ) ( ) ( [3,2]:int64 [n,4]:int64 ) []", "[24,2] [24] [2]"),
    ROW("", "( ? ) ( ?:string ) ( ? ) ( ?:int64 ) ?", "[?,2] [?] [2]"),
    ROW("@phase=eager", "( [4,3] ) ( [4]:string ) ( [2] ) ( ) []",
        "SF101 a.1 'Expected D2 of index to be 2 got 3 at position 0'"),
    ROW("", "( ) ( ) ( ) ( [3]:int64 ) []",
        "deferred SF102 a 'Dense inputs should be a matrix but received shape [3] at position 0' / "
        "[?,2] [?] [2]"),
};
SF_OP_TEST(SparseCrossV2, cross_v2)

static const SfOpCase cross_hashed[] = {
    ROW("", "( ) ( ) ( ) ( [3,2]:int64 ) [] [] [2]", "[6,2] [6] [2]"),
    ROW("", "( ) ( ) ( ) ( [?,2]:int64 ) [] [] [2]", "[?,2] [?] [2]"),
    ROW("", "( ) ( ) ( ) ( ?:int64 ) ? ? ?", "[?,2] [?] [2]"),
    ROW("@phase=eager", "( ) ( ) ( ) ( [3,2]:int64 ) [] [] [1]",
        "SF106 d 'Input \"salt\" must have length 2 but has length 1'"),
};
SF_OP_TEST(SparseCrossHashed, cross_hashed)

static const SfOpCase dense_count[] = {
    ROW("binary_output=false", "[3,4]:int64 [0]:float", "[?,2] [?]:float [2]"),
    ROW("binary_output=false", "[?]:int64 ?:float", "[?,1] [?] [1]"),
    ROW("binary_output=false", "?:int64 ?:float", "[?,?] [?] [?]"),
    ROW("binary_output=false", "[3]:int64 [4]:float", "SF107 b.0 a.0"),
    ROW("binary_output=false", "[]:int64 [0]:float",
        "deferred SF129 a 'Input must be a 1 or 2-dimensional tensor. Got: []' / [?,0] [?] [0]"),
};
SF_OP_TEST(DenseCountSparseOutput, dense_count)

static const SfOpCase sparse_count[] = {
    ROW("binary_output=false", "[3,2] [3]:int64 [2] [0]:float", "[?,2] [?] [2]"),
    ROW("binary_output=false", "[?,2] [3]:int64 [2] [0]:float", "[?,2] [?] [2]"),
    ROW("binary_output=false", "? ?:int64 ? ?:float", "[?,?] [?] [?]"),
    ROW("binary_output=false", "[3] [3]:int64 [2] [0]:float", "SF102 a"),
    ROW("binary_output=false", "[3,2] [4]:int64 [2] [0]:float",
        "deferred SF101 b a.0 'Number of values must match first dimension of indices.Got 4 "
        "values' "
        "/ [?,2] [?] [2]"),
};
SF_OP_TEST(SparseCountSparseOutput, sparse_count)

static const SfOpCase ragged_count[] = {
    ROW("binary_output=false", "[3] [5]:int64 [0]:float", "[?,2] [?] [2]"),
    ROW("binary_output=false", "[?] [5]:int64 [0]:float", "[?,2] [?] [2]"),
    ROW("binary_output=false", "? ?:int64 ?:float", "[?,?] [?] [?]"),
    /* construction and kernel disagree on the rank; weights of unknown length may be none */
    ROW("binary_output=false", "[3] [1,0]:int64 [n]:float", "[?,?] [?] [?]"),
    ROW("binary_output=false,@phase=run", "[3] [1,0]:int64 [n]:float", "[?,2] [?] [2]"),
    ROW("binary_output=false", "{1,5} [5]:int64 [0]:float",
        "deferred SF129 a 'Splits must start with 0, not with 1' / [?,2] [?] [2]"),
    ROW("binary_output=false,@phase=eager", "{0,3} [5]:int64 [0]:float",
        "SF129 a b 'Splits must end with the number of values, got 3 instead of 5'"),
};
SF_OP_TEST(RaggedCountSparseOutput, ragged_count)

static const SfOpCase sparse_bincount[] = {
    ROW("", "[3,2] [3]:int64 {n,6} 4:int64 [0]:float", "[n,4]"),
    ROW("", "[3,1] [3]:int64 [1] 4:int64 [0]:float", "[4]"),
    ROW("", "? ?:int64 [2] []:int64 ?:float", "[?,?]"),
    ROW("", "? ?:int64 ? ?:int64 ?:float", "?"),
    ROW("", "[3,2] [3]:int64 [2] -4:int64 [0]:float", "SF128 d 'size (-4) must be non-negative'"),
    ROW("", "[3,2] [4]:int64 [2] 4:int64 [0]:float", "deferred SF101 b.0 a.0 / [?,4]"),
    ROW("", "[3,1] [3]:int64 [1] 4:int64 []:float",
        "deferred SF101 e b 'Input indices and weights must have the same size.' / [4]"),
    ROW("binary_output=true", "[3,1] [3]:int64 [1] 4:int64 []:float", "[4]"),
    ROW("", "[3,1] [3]:int64 [1] 4:int64 [1,3]:float", "[4]"),
    ROW("", "[3,2] [3]:int64 [2] 4:int64 []:float", "[?,4]"),
};
SF_OP_TEST(SparseBincount, sparse_bincount)

static const SfOpCase ragged_bincount[] = {
    ROW("", "[3] [5]:int64 4:int64 [0]:float", "[2,4]"),
    ROW("", "[n] ?:int64 ?:int64 ?:float", "[n-1,?]"),
    ROW("", "? ?:int64 ?:int64 ?:float", "[?,?]"),
    ROW("", "{0,3} [5]:int64 4:int64 [0]:float", "deferred SF129 a b / [1,4]"),
};
SF_OP_TEST(RaggedBincount, ragged_bincount)

static const SfOpCase sparse_slice_grad[] = {
    ROW("", "[1] {{0}} {0} {{0}}", "[1]"),
    ROW("", "[?] {{0}} {0} {{0}}", "[1]"),
    ROW("", "? ? ? ?", "[?]"),
    ROW("", "[1] [2] {0} {{0}}", "SF102 b"),
};
SF_OP_TEST(SparseSliceGrad, sparse_slice_grad)

static const SfOpCase sparse_add_grad[] = {
    ROW("", "[5] [3,2] [4,2] [5,2]", "[3] [4]"),
    ROW("", "[5] [?,2] [4,2] [5,2]", "[?] [4]"),
};
SF_OP_TEST(SparseAddGrad, sparse_add_grad)

static const SfOpCase add_many_sparse_to_tensors_map[] = {
    ROW("", "{{0,1},{0,2},{1,2}} [3] {2,3}", "[2]"),
    ROW("", "{{0,1},{0,2},{1,2}} [?] {2,3}", "[2]"),
    ROW("", "? ? ?", "[?]"),
    ROW("", "[2] [3] {2,3}", "SF102 a"),
    ROW("", "{{0,1},{0,2},{1,2}} [] {2,3}", "SF102 b"),
    ROW("", "{{0,1},{0,2},{1,2}} [3] []", "SF102 c"),
};
SF_OP_TEST(AddManySparseToTensorsMap, add_many_sparse_to_tensors_map)
