/* Rows of variables behind resource handles; expectations asked of TensorFlow 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase handle[] = {
    ROW("shape=[2,3],dtype=float", "", "[]:resource"),
    ROW("shape=?,dtype=int32", "", "[]:resource"),
};
SF_OP_TEST(VarHandleOp, handle)

static const SfOpCase read[] = {
    ROW("dtype=float", "&[2,3]", "[2,3]:float"),
    ROW("dtype=int32", "&[?,3]:int32", "[?,3]:int32"),
    ROW("dtype=float", "&?", "?"),
    ROW("dtype=float", "[]", "?"), /* whose handle is not known */
    ROW("dtype=float", "!", "!"),
    ROW("dtype=int32", "&[2,3]:float",
        "SF128 a @dtype 'Trying to read variable with wrong dtype. Expected float got int32'"),
};
SF_OP_TEST(ReadVariableOp, read)

static const SfOpCase is_initialized[] = {
    ROW("", "&[2,3]", "[]=?"),
    ROW("", "&[?,3]", "[]"),
    ROW(RUN, "&[2,3]", "false"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(VarIsInitializedOp, is_initialized)

static const SfOpCase destroy[] = {
    ROW("", "&[2,3]", ""),
    ROW("", "&[?,3]", ""),
    ROW("", "?", ""),
};
SF_OP_TEST(DestroyResourceOp, destroy)

static const SfOpCase variable_shape[] = {
    ROW("", "&[2,3]", "[2]=?:int32"), /* 1.x does not know it */
    ROW("", "&[?,3]", "[2]"),
    ROW("@version=2.21", "&[2,3]", "{2,3}:int32"),
    ROW("@version=2.21,out_type=int64", "&[2,3]", "{2,3}:int64"),
    ROW(RUN, "&[2,3]", "{2,3}"),
    ROW("", "&?", "[?]"),
    ROW("", "[]", "[?]"),
};
SF_OP_TEST(VariableShape, variable_shape)

static const SfOpCase assign[] = {
    ROW("", "&[2,3] [2,3]", ""),
    ROW("", "&[?,3] [2,3]", ""),
    ROW("", "&[2,3] ?", ""),
    ROW("", "&? [3]", ""),
    ROW("", "[] [3]", ""),
    ROW("", "&[2,3] [3,3]",
        "SF107 a.0 b.0 'Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are "
        "[2,3] "
        "and [3,3].'"),
    ROW("", "&[2,3] [3]", "SF108 a b"),
    ROW("", "&[2,3]:int32 [2,3]:float", "SF128 a @dtype 'Expected int32 got float'"),
    ROW(RUN, "&[2,3] [3,3]", ""), /* the kernel takes what it is given */
    ROW("@version=2.21," RUN "validate_shape=true", "&[2,3] [3,3]",
        "SF107 a.0 b.0 'Trying to assign to variable with tensor with wrong shape. Expected [2,3] "
        "got [3,3]'"),
};
SF_OP_TEST(AssignVariableOp, assign)

static const SfOpCase update[] = {
    ROW("", "&[2,3] [2,3]", ""),
    ROW("", "&[?,3] ?", ""),
    ROW("", "? ?", ""),
    ROW("", "&[2,3] [3,3]", "SF107 a.0 b.0"),
    ROW("", "&[2,3] []", "SF108 a b"),
    ROW(RUN, "&[2,3] [3,3]",
        "SF107 a.0 b.0 'Cannot update variable with shape [2,3] using a Tensor with shape [3,3], "
        "shapes must be equal.'"),
    ROW(RUN "@version=1.8", "&[2,3] [3,3]", ""),
};
SF_OPS_TEST(assign_resource, update, "AssignAddVariableOp", "AssignSubVariableOp")

static const SfOpCase count_up_to[] = {
    ROW("limit=3,T=int32", "&[]:int32", "[]:int32"),
    ROW("limit=3,T=int64", "&?:int64", "[]:int64"),
    ROW("limit=3,T=int32", "[]", "[]"),
    ROW("limit=3,T=int32", "[?]", "[]"),
    ROW("limit=3,T=int32", "&[2]:int32", "SF102 a"),
    ROW("limit=3,T=int32", "&[]:int64", "SF128 a @T 'Data types do not match: int32 and int64'"),
    ROW(RUN "limit=3,T=int32", "&[2]:int32", "SF102 a 'input is not a scalar: [2]'"),
};
SF_OP_TEST(ResourceCountUpTo, count_up_to)

static const SfOpCase gather[] = {
    ROW("dtype=float", "&[4,3] [2]:int32", "[2,3]"),
    ROW("dtype=float", "&[4,3] []:int64", "[3]"),
    ROW("dtype=float", "&[4,3] [n,2]:int32", "[n,2,3]"),
    ROW("dtype=float", "&[4,3] ?", "?"),
    ROW("dtype=float", "&? [n,2]:int32", "?"),
    ROW("dtype=float", "[] [2]:int32", "?"),
    ROW("dtype=float,batch_dims=1", "&[4,5,3] [4,2]:int32", "[4,2,3]"),
    ROW("dtype=float", "&[] [2]:int32", "SF103 a 'Shape must be at least rank 1 but is rank 0'"),
    ROW("dtype=float,batch_dims=1", "&[4] [4,2]:int32", "SF103 a"),
    ROW("dtype=float,batch_dims=1", "&[4,2] []:int32", "SF103 b"),
    ROW("dtype=float,batch_dims=-1", "&[4,2] [4]:int32",
        "SF128 @batch_dims 'batch_dims is negative (-1)'"),
    ROW("dtype=int32", "&[2]:float [1]:int32", "SF128 a @dtype"),
    ROW("dtype=float", "&[4,3] {1,9}:int32", "[2,3]"),
    ROW(RUN "dtype=float", "&[4,3] {1,9}:int32", "SF117 b a.0 'indices[1] = 9 is not in [0, 4)'"),
    ROW(RUN "dtype=float", "&[] [2]:int32", "SF103 a 'params must be at least 1 dimensional'"),
    ROW(RUN "dtype=float,batch_dims=1", "&[4,3] [5,2]:int32", "SF101 a.0 b.0"),
    ROW(RUN "dtype=float,batch_dims=1", "&[4,3] [2,2]:int32", "[4,2]"),
    ROW(RUN "dtype=int32", "&[2]:float [1]:int32", "SF128 a @dtype"),
    ROW(RUN "dtype=int32,batch_dims=1", "&[4,3]:float [4,0]:int32", "[4,0]"),
};
SF_OP_TEST(ResourceGather, gather)

static const SfOpCase gather_nd[] = {
    ROW("dtype=float", "&[4,3] [2,1]:int32", "[2,3]"),
    ROW("dtype=float", "&[4,3] [n,2]:int32", "[n]"),
    ROW("dtype=float", "&[4,3] [2,?]:int32", "?"),
    ROW("dtype=float", "&? [2,1]:int32", "?"),
    ROW("dtype=float", "&[4,3] [2,3]:int32",
        "SF128 b.1 a 'indices.shape[-1] must be <= params.rank, but saw indices shape: [2,3] and "
        "params shape: [4,3]'"),
    ROW("dtype=float", "&[4,3] []:int32", "SF103 b"),
    ROW(RUN "dtype=float", "&[4,3] []:int32", "SF103 b 'indices must be at least a vector'"),
    ROW(RUN "dtype=float", "&[4,3] [2,3]:int32",
        "SF128 b.1 a 'index innermost dimension length must be <= params rank; saw: 3 vs. 2'"),
    ROW(RUN "dtype=float", "&[4,3] {{1,9}}:int32",
        "SF117 b a.1 'indices[0] = [1, 9] does not index into param shape [4,3]'"),
};
SF_OP_TEST(ResourceGatherNd, gather_nd)

static const SfOpCase scatter[] = {
    ROW("", "&[4,3] [2]:int32 [2,3]", ""),
    ROW("", "&[?,3] [2]:int32 [2,3]", ""),
    ROW("", "&[4,3] [2]:int32 []", ""),
    ROW("", "&? [2]:int32 [2,4]", ""),
    ROW("", "[] ? ?", ""),
    ROW("", "&[4,3] [2]:int32 [2,4]", "SF107 c.1 a.1 'are 4 and 3. Shapes are [2,4] and [2,3].'"),
    ROW("", "&[4,3]:int32 [2]:int32 [2,3]:float", "SF128 a @dtype"),
    ROW(RUN, "&[4,3] [2]:int32 [3,3]",
        "SF107 c.0 b.0 'shape of indices ([2]) is not compatible with the shape of updates "
        "([3,3])'"),
    ROW(RUN, "&[4,3] {1,9}:int32 [2,3]", "SF117 b a.0 'indices[1] = 9 is not in [0, 4)'"),
};
SF_OPS_TEST(scatter_resource, scatter, "ResourceScatterUpdate", "ResourceScatterAdd",
            "ResourceScatterSub", "ResourceScatterMul", "ResourceScatterDiv", "ResourceScatterMin",
            "ResourceScatterMax")

/* the kernel of 2.x: ranks, then the prefix, and nothing behind it */
static const SfOpCase scatter_2[] = {
    ROW(RUN "@version=2.21", "&[4,3] {1,2} [2,3]", ""),
    ROW(RUN "@version=2.21", "&[4,3] {1,2} [2,7]", ""),
    ROW(RUN "@version=2.21", "&[4,3] {1,2} []", ""),
    ROW(RUN "@version=2.21", "&[4,3] {1,2} [2]",
        "SF108 c a 'Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = "
        "[], got updates.shape [2], indices.shape [2], params.shape [4,3]'"),
    ROW(RUN "@version=2.21", "&[4,3] {1,2} [3,3]",
        "SF107 c.0 b.0 'The shape of indices ([2]) must be a prefix of the shape of updates "
        "([3,3])'"),
};
SF_OPS_TEST(scatter_resource_2, scatter_2, "ResourceScatterUpdate", "ResourceScatterMax")

static const SfOpCase scatter_nd_2[] = {
    ROW(RUN "@version=2.21", "&[4,3] {{1},{2}} [2,3]", ""),
    ROW(RUN "@version=2.21", "&[4,3] {{1},{2}} [3,3]",
        "SF107 b.0 c.0 'Dimensions [0,1) of indices[shape=[2,1]] = 2 must match dimensions [0,1) "
        "of "
        "updates[shape=[3,3]] = 3'"),
    ROW(RUN "@version=2.21", "&[4,3] {{1},{2}} [2,5]",
        "SF107 a.1 c.1 'Dimensions [1,2) of input[shape=[4,3]] must match dimensions [1,2) of "
        "updates[shape=[2,5]]'"),
    ROW("@version=2.21,bad_indices_policy='x'", "&[4,3] {{1},{2}} [2,3]",
        "deferred SF129 @bad_indices_policy 'Unknown bad indices handling attribute: x' /"),
    /* a vector into nothing */
    ROW("@version=2.21,@phase=eager", "&[0,0] [5]:int64 [5]", "SF128 a 'empty output'"),
    /* for the kernel a vector is one index a row */
    ROW(RUN "@version=2.21", "&[1,6,3] {0,5,2}:int32 [1]",
        "SF107 b.0 c.0 'Dimensions [0,1) of indices[shape=[3]] = 3 must match dimensions [0,1) of "
        "updates[shape=[1]] = 1'"),
    ROW(RUN "@version=2.21", "&[1,6,3] [3]:int32 [3,6,3]", ""),
    ROW("@version=2.21,@phase=eager", "&[2,6] ?:int64 []", ""),
};
SF_OPS_TEST(scatter_nd_resource_2, scatter_nd_2, "ResourceScatterNdUpdate", "ResourceScatterNdMin")

static const SfOpCase scatter_nd[] = {
    ROW("", "&[4,3] [2,1]:int32 [2,3]", ""),
    ROW("", "&[?,3] [2,1]:int32 [2,3]", ""),
    ROW("", "&? [2,1]:int32 [2,3]", ""),
    ROW("", "[] ? ?", ""),
    ROW("", "&[4,3] [2,1]:int32 [2,4]", "SF107 a.1 c.1"),
    ROW("", "&[4,3] [2,1]:int32 [3,3]", "SF107 b.0 c.0"),
    ROW(RUN, "&[4,3] {{9}}:int32 [1,3]",
        "SF117 b a.0 'indices[0] = [9] does not index into shape [4,3]'"),
};
SF_OPS_TEST(scatter_nd_resource, scatter_nd, "ResourceScatterNdUpdate", "ResourceScatterNdAdd",
            "ResourceScatterNdSub", "ResourceScatterNdMax", "ResourceScatterNdMin")

static const SfOpCase strided[] = {
    ROW("", "&[4,3] {1} {3} {1} [2,3]", ""),
    ROW("", "&[?,3] {1} {3} {1} [2,3]", ""),
    ROW("", "&[4,3] {1} {3} {1} [4]", "deferred SF129 e a /"),
    ROW(RUN "@version=2.21", "&[4,3] {1} {3} {1} [3]", ""), /* broadcasts */
    ROW(RUN "@version=2.21", "&[4,3] {1} {2} {1} [2,3]",
        "SF129 e a 'Cannot broadcast input shape [2,3] into final shape [1,3]'"),
    ROW("", "[] ? ? ? ?", ""),
    ROW(RUN, "&[4,3] {1} {3} {1} [2,3]", ""),
    ROW(RUN, "&[4,3] {1} {3} {1} [3]",
        "SF129 e a 'sliced l-value shape [2,3] does not match r-value shape [3]. Automatic "
        "broadcasting not yet implemented.'"),
    ROW(RUN "@version=2.21", "&[4,3] {1} {3} {1} [3]", ""),
    ROW(RUN "@version=2.21", "&[4,3] {1} {3} {1} [4]",
        "SF129 e a 'Cannot broadcast input shape [4] into final shape [2,3]'"),
    ROW(RUN "@version=2.21", "&[4,3] {1} {1} {1} [4]", ""),
};
SF_OP_TEST(ResourceStridedSliceAssign, strided)
