/* Rows of variables behind references; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase variable_v2[] = {
    ROW("shape=[2,3],dtype=float", "", "[2,3]"),
    ROW("shape=[2,?],dtype=int32", "", "[2,?]:int32_ref"),
    ROW("shape=?,dtype=string", "", "?:string_ref"),
    ROW("shape=[],dtype=int64", "", "[]:int64_ref"),
};
SF_OP_TEST(VariableV2, variable_v2)

static const SfOpCase variable[] = {
    ROW("shape=[2,3],dtype=float", "", "[2,3]"),
    ROW("shape=[],dtype=float", "", "?"), /* a scalar and an unknown shape look the same there */
};
SF_OP_TEST(Variable, variable)

static const SfOpCase temporary[] = {
    ROW("shape=[2,3],dtype=float", "", "[2,3]"),
    ROW(RUN "shape=[2,3],dtype=float", "", "[2,3]"),
};
SF_OP_TEST(TemporaryVariable, temporary)

static const SfOpCase destroy_temporary[] = {
    ROW("var_name=v", "&[2,3]", "[2,3]:float"),
    ROW("var_name=v", "&[?,3]", "[?,3]"),
    ROW("var_name=v", "&?", "?"),
    ROW("var_name=v", "!", "!"),
};
SF_OP_TEST(DestroyTemporaryVariable, destroy_temporary)

static const SfOpCase is_initialized[] = {
    ROW("", "&[2,3]", "[]=?"),
    ROW("", "&[?,3]", "[]"),
    ROW(RUN "", "&[2,3]", "false"),
    ROW("", "&?", "[]"),
};
SF_OP_TEST(IsVariableInitialized, is_initialized)

static const SfOpCase assign[] = {
    ROW("", "&[2,3] [2,3]", "[2,3]:float_ref"),
    ROW("", "&[2,3] ?", "[2,3]"),
    ROW("", "&[2,?] [?,3]", "[2,3]"),
    ROW("", "&? [n,3]", "[n,3]"),
    ROW("", "&? ?", "?"),
    ROW("", "&[2,3] !", "!"),
    ROW("", "&[2]:int32 {1,2}",
        "[2]=?:int32_ref"), /* construction knows no content of a variable */
    ROW("", "&[2,3] [3,3]",
        "SF107 a.0 b.0 'Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are "
        "[2,3] "
        "and [3,3].'"),
    ROW("", "&[2,3] [3]", "SF108 a b 'Shapes must be equal rank, but are 2 and 1'"),
    ROW("validate_shape=false", "&[2,3] [3,3]", "[3,3]"),
    ROW("validate_shape=false", "&[2,3] ?", "?"),
    ROW(RUN "", "&[2,3] [2,3]", "[2,3]"),
    ROW(RUN "", "&[2,3] [3,3]",
        "SF125 a.0 b.0 'Assign requires shapes of both tensors to match. lhs shape= [2,3] rhs "
        "shape= [3,3]'"),
    ROW(RUN "", "&? [2]",
        "SF125 a b 'Assign requires shapes of both tensors to match. lhs shape= [] rhs shape= "
        "[2]'"),
    ROW(RUN "validate_shape=false", "&[2,3] [3,3]", "[3,3]"),
};
SF_OP_TEST(Assign, assign)

static const SfOpCase assign_update[] = {
    ROW("", "&[2,3] [2,3]", "[2,3]:float_ref"),
    ROW("", "&[2,?] ?", "[2,?]"),
    ROW("", "&? ?", "?"),
    ROW("", "&[]:int64 1", "[]=?:int64_ref"),
    ROW("", "&[2,3] [3,3]", "SF107 a.0 b.0"),
    ROW("", "&[2,3] []", "SF108 a b"), /* no broadcasting */
    ROW(RUN "", "&[2,3] [3,3]", "SF107 a.0 b.0 'Parameters and update must be the same size'"),
    ROW(RUN "", "&[2,3] []", "SF108 a b 'Parameters and update must be the same size'"),
};
SF_OPS_TEST(assign_update, assign_update, "AssignAdd", "AssignSub")

static const SfOpCase count_up_to[] = {
    ROW("limit=3", "&[]:int32", "[]:int32"),
    ROW("limit=3", "&?:int64", "[]:int64"),
    ROW("limit=3", "&[2]:int32", "SF102 a 'Shape must be rank 0 but is rank 1'"),
    ROW(RUN "limit=3", "&[2]:int32", "SF102 a 'input is not a scalar: [2]'"),
};
SF_OP_TEST(CountUpTo, count_up_to)

static const SfOpCase scatter[] = {
    ROW("", "&[4,3] [2]:int32 [2,3]", "[4,3]:float_ref"),
    ROW("", "&[4,3] [5,2]:int64 [5,2,3]", "[4,3]"),
    ROW("", "&[4,3] []:int32 [3]", "[4,3]"),
    ROW("", "&[4,?] [n]:int32 [n,?]", "[4,?]"),
    ROW("", "&? ? ?", "?"),
    ROW("", "&[4,3] [2]:int32 []", "[4,3]"), /* one value for all */
    ROW("", "&[] [2]:int32 [2]", "[]"),
    ROW("", "&[4,3] [2]:int32 [2,4]", "SF107 c.1 a.1 'are 4 and 3. Shapes are [2,4] and [2,3].'"),
    ROW("", "&[4,3] [2]:int32 [3,3]", "SF107 c.0 b.0 'are 3 and 2. Shapes are [3,3] and [2,3].'"),
    ROW("", "&[4,3] [2]:int32 [2]", "SF108 c a 'Shapes must be equal rank, but are 1 and 2'"),
    ROW("", "&[4,3] {1,7}:int32 [2,3]", "[4,3]"), /* only the kernel looks */
    ROW(RUN "", "&[4,3] {1,7}:int32 [2,3]", "SF117 b a.0 'indices[1] = 7 is not in [0, 4)'"),
    ROW(RUN "", "&[4,3] {{1,0},{1,-1}}:int32 [2,2,3]",
        "SF117 b a.0 'indices[1,1] = -1 is not in [0, 4)'"),
    ROW(RUN "", "&[4,3] 7:int32 [3]", "SF117 b a.0 'indices = 7 is not in [0, 4)'"),
    ROW(RUN "", "&[] [2]:int32 [2]", "SF103 a 'params must be at least 1-D, got shape []'"),
    ROW(RUN "", "&[4,3] [2]:int32 [2,4]",
        "SF107 c.1 a.1 'Must have updates.shape = indices.shape + params.shape[1:] or "
        "updates.shape "
        "= [], got updates.shape [2,4], indices.shape [2], params.shape [4,3]'"),
};
SF_OPS_TEST(scatter_ref, scatter, "ScatterUpdate", "ScatterAdd", "ScatterSub", "ScatterMul",
            "ScatterDiv", "ScatterMin", "ScatterMax")

#define INNER                                                                                      \
    "The inner 1 dimensions of input.shape=[4,3] must match the inner 1 dimensions of "            \
    "updates.shape=[2,4]: Dimension 0 in both shapes must be equal, but are 3 and 4. "             \
    "Shapes are [3] and [4]."
#define INNER_2                                                                                    \
    "Dimensions [1,2) of input[shape=[4,3]] = [3] must match dimensions [1,2) of "                 \
    "updates[shape=[2,4]] = [4]: Dimension 0 in both shapes must be equal"
#define OUTER                                                                                      \
    "The outer 1 dimensions of indices.shape=[2,1] must match the outer 1 dimensions of "          \
    "updates.shape=[3,3]: Dimension 0 in both shapes must be equal, but are 2 and 3. "             \
    "Shapes are [2] and [3]."
static const SfOpCase scatter_nd[] = {
    ROW("", "&[4,3] [2,1]:int32 [2,3]", "[4,3]:float_ref"),
    ROW("", "&[4,3] [2,2]:int64 [2]", "[4,3]"),
    ROW("", "&[4,3] [n,1]:int32 [n,3]", "[4,3]"),
    ROW("", "&[4,3] [2,?]:int32 [7]", "[4,3]"),
    ROW("", "&[4,3] ?:int32 [1]", "[4,3]"),
    ROW("", "&? ?:int32 ?", "?"),
    ROW("", "&[4,3] [2,1]:int32 [2,4]", "SF107 a.1 c.1 '" INNER "'"),
    ROW("@version=2.21", "&[4,3] [2,1]:int32 [2,4]", "SF107 a.1 c.1 '" INNER_2 "'"),
    ROW("", "&[4,3] [2,1]:int32 [3,3]", "SF107 b.0 c.0 '" OUTER "'"),
    ROW("", "&[4,3] [2]:int32 [3]", "SF108 a c 'but are 0 and 1'"),
    ROW("", "&? [2,1]:int32 [1]", "SF107 b.0 c.0"),
    ROW("", "&[4,3] []:int32 [3,3]", "SF103 b"),
    ROW("", "&[4,3] [2]:int32 []", "SF103 c"),
    ROW("", "&[0,3] [2,1]:int32 [2,3]",
        "SF128 a 'Indices and updates specified for empty output shape'"),
    ROW("", "&[4,3] [2,3]:int32 [2]", "[4,3]"), /* only the kernel minds */
    ROW(RUN "", "&[4,3] [2,3]:int32 [2]",
        "SF108 a b.1 'got updates.shape: [2], indices.shape: [2,3], params_shape: [4,3], "
        "slice_dim: 3, and batch_dim: 1'"),
    ROW(RUN "", "&[4,3] [2,1]:int32 [2,4]",
        "SF107 a.1 c.1 'Must have updates.shape = indices.shape[:batch_dim] + "
        "params_shape[slice_dim:], got updates.shape: [2,4]'"),
    ROW(RUN "", "&[4,3] [2,1]:int32 [3,3]",
        "SF107 b.0 c.0 'The outermost dimension of updates and indices must match. Got "
        "indices.shape [2,1], updates.shape [3,3]'"),
    ROW(RUN "", "&[4,3] {{0},{7}}:int32 [2,3]",
        "SF117 b a.0 'indices[1] = [7] does not index into shape [4,3]'"),
    ROW(RUN "", "&[4,3] {{1,7}}:int32 [1]",
        "SF117 b a.1 'indices[0] = [1, 7] does not index into shape [4,3]'"),
    ROW(RUN "@version=1.8", "&[4,3] {{1,7}}:int32 [1]",
        "SF117 b a.1 'Invalid indices: [0,0] = [1, 7] does not index into [4,3]'"),
};
SF_OPS_TEST(scatter_nd_ref, scatter_nd, "ScatterNdUpdate", "ScatterNdAdd", "ScatterNdSub",
            "ScatterNdMax", "ScatterNdMin")
