/* Rows of indexing; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase slice[] = {
    ROW("",              "[4,5] {1,2} {2,3}",          "[2,3]"),
    ROW("",              "[n,5] {0,1} {-1,2}",         "[n,2]"),
    ROW("",              "[n,5] {1,1} {-1,-1}",        "[n-1,4]"),
    ROW("",              "[4,5] [2]:int32 {2,-1}",     "[2,?]"),
    ROW("",              "[4,5] {0,1} [2]:int32",      "[?,?]"),
    ROW("@version=2.21", "[4,5] {0,1} {?,2}",          "[?,2]"),
    ROW("@version=2.21", "[n,5] {0,0} {n,2}",          "[n,2]"),
    ROW("",              "? {0,1} {2,-1}",             "[2,?]"),
    ROW("",              "? [2]:int32 [2]:int32",      "[?,?]"),
    ROW("",              "[2,3] ?:int32 ?:int32",      "[?,?]"),
    ROW("",              "? ?:int32 ?:int32",          "?"),
    ROW("",              "! {0} {1}",                  "!"),
    ROW("",              "[2,3] {0,4} {-1,-1}",        "SF110 a.1 b"),
    ROW("",              "[2,3] {0} {2}",              "SF102 a b"),
    ROW("",              "[2,3] {0,0} {2}",            "SF107 b.0 c.0"),
    ROW("",              "[2,3] {0,0} {2,-2}",         "SF130 c"),
    ROW("",              "[2,3] [1,2]:int32 {1,1}",    "SF102 b"),
    ROW("",              "[2,3] {0,1} {2,3}", "deferred SF117 c a.1 'Expected size[1] in [0, 2], but got 3' / [2,3]"),
    ROW("@phase=run",    "[2,3] {0,1} {2,3}",          "SF117 c a.1 'Expected size[1] in [0, 2], but got 3'"),
    ROW("@phase=run",    "[2,3] {0,-1} {2,2}",         "SF117 b a.1 'Expected begin[1] in [0, 3], but got -1'"),
    ROW("@phase=run", "[2,3] {0} {2}",
        "SF102 a b 'Expected begin and size arguments to be 1-D tensors of size 2, but got shapes [1] and [1]'"),
    ROW("",              "{1,2,3,4} {1} {2}",          "{2,3}"),
    ROW("",              "{{1,2},{3,4}} {0,1} {-1,1}", "{{2},{4}}"),
};
SF_OP_TEST(Slice, slice)

static const SfOpCase strided_slice[] = {
    ROW("",                                           "[4,5] {1,0} {3,5} {1,2}",             "[2,3]"),
    ROW("begin_mask=1,end_mask=1",                    "[n,5] {0} {0} {1}",                   "[n,5]"),
    ROW("end_mask=1",                                 "[n,5] {1} {0} {1}",                   "[n-1,5]"),
    ROW("begin_mask=1",                               "[n,5] {0} {-1} {1}",                  "[n-1,5]"),
    ROW("begin_mask=1,end_mask=1",                    "[n,5] {0} {0} {-1}",                  "[n,5]"),
    ROW("begin_mask=1,end_mask=1",                    "[2*n,5] {0} {0} {2}",                 "[n,5]"),
    ROW("begin_mask=1,end_mask=1",                    "[?,5] {0} {0} {2}",                   "[?,5]"),
    ROW("end_mask=1",                                 "[n+3,5] {-3} {0} {1}",                "[3,5]"),
    ROW("end_mask=1",                                 "[n,5] {-3} {0} {1}",                  "[?,5]"),
    ROW("",                                           "[n,5] {0} {3} {1}",                   "[?,5]"),
    ROW("",                                           "[n+3,5] {0} {3} {1}",                 "[3,5]"),
    ROW("",                                           "[5] {-1} {-4} {-1}",                  "[3]"),
    ROW("",                                           "[5] {3} {1} {1}",                     "[0]"),
    ROW("",                                           "[5] {-100} {100} {1}",                "[5]"),
    ROW("",                                           "[5] {100} {-100} {-2}",               "[3]"),
    ROW("shrink_axis_mask=1",                         "[n,5] {0} {1} {1}",                   "[5]"),
    ROW("shrink_axis_mask=1",                         "[4,5] {-1} {0} {1}",                  "[5]"),
    ROW("shrink_axis_mask=3",                         "[4,5] {1,2} {2,3} {1,1}",             "[]"),
    ROW("shrink_axis_mask=1",                         "[2,3] [1]:int32 [1]:int32 {1}",       "[3]"),
    ROW("new_axis_mask=1",                            "[n,3] {0} {0} {1}",                   "[1,n,3]"),
    ROW("ellipsis_mask=1,new_axis_mask=2",            "[n,3] {0,0} {0,0} {1,1}",             "[n,3,1]"),
    ROW("ellipsis_mask=1,shrink_axis_mask=2",         "[n,3,4] {0,-1} {0,0} {1,1}",          "[n,3]"),
    ROW("ellipsis_mask=2,shrink_axis_mask=1",         "[2,3,4] {0,0,0} {1,0,2} {1,1,1}",     "[3,2]"),
    ROW("ellipsis_mask=2",                            "[2,3] {0,0,0} {2,0,3} {1,1,1}",       "[2,3]"),
    ROW("",                                           "[2,3] [1]:int32 [1]:int32 {1}",       "[?,3]"),
    ROW("",                                           "[2,3] [1]:int32 [1]:int32 [1]:int32", "[?,3]"),
    ROW("",                                           "[2,3] [?]:int32 [?]:int32 [?]:int32", "?"),
    ROW("",                                           "? {0} {1} {1}",                       "?"),
    ROW("",                                           "? ?:int32 ?:int32 ?:int32",           "?"),
    ROW("",                                           "! {0} {1} {1}",                       "!"),
    ROW("@version=2.21,begin_mask=1",                 "[n,5] {0} {n} {1}",                   "[n,5]"),
    ROW("@version=2.21,begin_mask=1",                 "[n,5] {0} {n-1} {1}",                 "[n-1,5]"),
    ROW("@version=2.21,begin_mask=1",                 "[10] {0} {n} {1}",                    "[?]"),
    ROW("shrink_axis_mask=1",                         "[2,3] {5} {6} {1}",                   "SF118 a.0"),
    ROW("shrink_axis_mask=1",                         "[2,3] {-3} {6} {1}",                  "SF118 a.0"),
    ROW("shrink_axis_mask=1", "[] {0} {1} {1}",
        "SF128 a 'Index out of range using input dim 0; input has only 0 dims'"),
    ROW("shrink_axis_mask=1,@version=2.21",           "[] {0} {1} {1}",                      "SF128 a 'Attempting to slice scalar input.'"),
    ROW("", "[2,3] {0,0,0} {1,1,1} {1,1,1}",
        "SF128 a 'Index out of range using input dim 2; input has only 2 dims'"),
    ROW("",                                           "[2,3] {0} {1} {0}",                   "SF128 a 'strides[0] must be non-zero'"),
    ROW("shrink_axis_mask=1", "[2,3] {0} {1} {-1}",
        "SF128 a 'only stride 1 allowed on non-range indexing.'"),
    ROW("ellipsis_mask=3", "[2,3] {0,0} {1,1} {1,1}",
        "SF128 @ellipsis_mask 'Multiple ellipses in slice spec not allowed'"),
    ROW("ellipsis_mask=3", "[2,3] {0,0} {1,1} [2]:int32",
        "deferred SF128 @ellipsis_mask 'Multiple ellipses in slice spec not allowed' / ?"),
    ROW("shrink_axis_mask=1", "[] {-2} {-1} {?}",
        "deferred SF128 a 'Index out of range using input dim 0; input has only 0 dims' / ?"),
    ROW("",                                           "[2,3] {0} {1,2} {1}",                 "SF107 b.0 c.0"),
    ROW("",                                           "[2,3] [1,1]:int32 {1} {1}",           "SF102 b"),
    ROW("shrink_axis_mask=1,@phase=run", "[2,3] {5} {6} {1}",
        "SF118 a.0 'slice index 5 of dimension 0 out of bounds.'"),
    ROW("",                                           "{1,2,3,4} {1} {3} {1}",               "{2,3}"),
    ROW("begin_mask=1,end_mask=1",                    "{1,2,3} {0} {0} {-1}",                "{3,2,1}"),
    ROW("shrink_axis_mask=1",                         "{1,2,3} {-1} {0} {1}",                "3"),
    ROW("shrink_axis_mask=1",                         "{{1,2},{3,4}} {1} {2} {1}",           "{3,4}"),
    ROW("shrink_axis_mask=2,begin_mask=1,end_mask=1", "{{1,2},{3,4}} {0,1} {0,2} {1,1}",     "{2,4}"),
    ROW("new_axis_mask=1",                            "{1,2} {0} {0} {1}",                   "{{1,2}}"),
    /* what a version knows of one entry of a shape while it builds a graph */
    ROW("shrink_axis_mask=1,@version=2.21",           "{n,10} {1} {2} {1}",                  "10"),
    ROW("shrink_axis_mask=1,@version=1.15",           "{n,10} {1} {2} {1}",                  "[]"),
    ROW("shrink_axis_mask=1,@version=1.15",           "{n,10} {0} {1} {1}",                  "n"),
    ROW("shrink_axis_mask=1,@version=1.15",           "{3,10} {1} {2} {1}",                  "10"),
    ROW("shrink_axis_mask=1,@version=1.8",            "{3,10} {1} {2} {1}",                  "[]"),
    ROW("shrink_axis_mask=1,@version=1.8,@phase=run", "{3,10} {1} {2} {1}",                  "10"),
    ROW("end_mask=1,@version=1.8",                    "{n,10} {1} {0} {1}",                  "{10}"),
    ROW("@phase=run", "[5] {0} {1} {1,1}",
        "SF107 b.0 d.0 'Expected begin, end, and strides to be 1D equal size tensors, but got shapes [1], [1], and [2] instead.'"),
    ROW("@phase=eager", "[5] {0} [1,1] {1}",
        "SF102 c 'Expected begin, end, and strides to be 1D equal size tensors, but got shapes [1], [1,1], and [1] instead.'"),
};
SF_OP_TEST(StridedSlice, strided_slice)

static const SfOpCase strided_slice_grad[] = {
    ROW("",           "{4,3} {1} {3} {1} [2,3]",     "[4,3]"),
    ROW("",           "{n,3} {1} {3} {1} [2,3]",     "[n,3]"),
    ROW("",           "[2]:int32 {1} {3} {1} [2,3]", "[?,?]"),
    ROW("",           "? ? ? ? ?",                   "?"),
    ROW("",           "! {1} {3} {1} [2,3]",         "!"),
    ROW("",           "{4,3} {1,2} {3} {1} [2,3]",   "deferred SF107 / [4,3]"),
    ROW("@phase=run", "{4,3} {1} {3} {1} [1,3]",     "SF128 e a 'shape of dy was [1,3] instead of [2,3]'"),
};
SF_OP_TEST(StridedSliceGrad, strided_slice_grad)

static const SfOpCase strided_slice_assign[] = {
    ROW("", "&[4,3] {1} {3} {1} [2,3]",   "[4,3]"),
    ROW("", "? ? ? ? ?", "?"),
    ROW("", "&[n,?] {1} {3} {1} [2,3]",   "[n,?]"),
    ROW("", "&[4,3] {1,2} {3} {1} [2,3]", "deferred SF107 / [4,3]"),
};
SF_OP_TEST(StridedSliceAssign, strided_slice_assign)

static const SfOpCase strided_update[] = {
    ROW("",           "[4,3] {1} {3} {1} [2,3]",   "[4,3]"),
    ROW("",           "[n,?] {1} {3} {1} [2,3]",   "[n,?]"),
    ROW("",           "? ? ? ? ?",                 "?"),
    ROW("",           "! {1} {3} {1} [2,3]",       "!"),
    ROW("",           "[4,3] {1,2} {3} {1} [2,3]", "deferred SF107 / [4,3]"),
    ROW("@phase=run", "[4,3] {1} {3} {1} [2,4]",   "SF128 e a 'Cannot broadcast input shape [2,4] into final shape [2,3]'"),
    ROW("@phase=run", "[4,3] {1} {3} {1} [3]",     "[4,3]"),
};
SF_OP_TEST(TensorStridedSliceUpdate, strided_update)

static const SfOpCase gather[] = {
    ROW("",           "[n,3] [2,5]:int32",          "[2,5,3]"),
    ROW("",           "[4,?] ?:int32",              "?"),
    ROW("",           "? [2]:int32",                "?"),
    ROW("",           "[4,3] 1:int32",              "[3]"),
    ROW("",           "! [2]:int32",                "!"),
    ROW("",           "[] [2]:int32",               "SF103 a"),
    ROW("@phase=run", "[4,3] {4}:int32",            "SF117 b a.0 'indices[0] = 4 is not in [0, 4)'"),
    ROW("@phase=run", "[4,3] {{0,1},{2,-1}}:int32", "SF117 b a.0 'indices[1,1] = -1 is not in [0, 4)'"),
    ROW("@phase=run", "[4,3] 7:int32",              "SF117 b a.0 'indices = 7 is not in [0, 4)'"),
    ROW("",           "{10,20,30} {2,0}:int32",     "{30,10}"),
    ROW("",           "{{1,2},{3,4}} 1:int32",      "{3,4}"),
};
SF_OP_TEST(Gather, gather)

static const SfOpCase gather_v2[] = {
    ROW("",                        "[n,3] [2,5]:int32 0",         "[2,5,3]"),
    ROW("",                        "[n,3] [2]:int32 1",           "[n,2]"),
    ROW("",                        "[4,n,5] [2]:int32 -2",        "[4,2,5]"),
    ROW("",                        "[4,3] []:int32 0",            "[3]"),
    ROW("",                        "[4,3] [2,5]:int32 []:int32",  "[?,?,?]"),
    ROW("batch_dims=1",            "[n,3,5] [n,2]:int32 1",       "[n,2,5]"),
    ROW("batch_dims=-1",           "[n,3] [n,2]:int32 1",         "[n,2]"),
    ROW("",                        "? [2,5]:int32 0",             "?"),
    ROW("",                        "[4,3] ?:int32 1",             "?"),
    ROW("",                        "? ?:int32 ?",                 "?"),
    ROW("",                        "! [2]:int32 0",               "!"),
    ROW("",                        "[2,3] [4]:int32 2",           "SF103 a"),
    ROW("",                        "[2,3] [4]:int32 -3",          "SF103 a"),
    ROW("",                        "[] [4]:int32 0",              "SF103 a"),
    ROW("batch_dims=2",            "[2,3] [2,4]:int32 1",         "SF103 a"),
    ROW("batch_dims=3",            "[2,3,4,5] [2,4]:int32 3",     "SF103 b"),
    ROW("",                        "[4,3] [2]:int32 [1]:int32",   "SF102 c"),
    ROW("@phase=run",              "[2,3] {5}:int32 0",           "SF117 b a.0 'indices[0] = 5 is not in [0, 2)'"),
    ROW("@phase=run",              "[2,3] {0,3}:int32 1",         "SF117 b a.1 'indices[1] = 3 is not in [0, 3)'"),
    ROW("batch_dims=2,@phase=run", "[4,3,5] [4,3]:int32 1",
        "SF111 @batch_dims c 'batch_dims (2) must be less than or equal to axis (1).'"),
    ROW("batch_dims=1,@phase=run", "[4,3,5] [3,2]:int32 1",
        "SF101 a.0 b.0 'params.shape[0]: 4 should be equal to indices.shape[0]: 3'"),
    ROW("batch_dims=3,@phase=run", "[4,3,5] [3,2]:int32 1",
        "SF111 @batch_dims b 'Expected batch_dims in the range [-2, 2], but got 3'"),
    ROW("",                        "{10,20,30} {2,0}:int32 0",    "{30,10}"),
    ROW("",                        "{{1,2},{3,4}} {1,1}:int32 1", "{{2,2},{4,4}}"),
    ROW("@version=2.21",           "{n,20,?} {0,2}:int32 0",      "{n,?}"),
    ROW("@version=1.15",           "{n,20,30} {0,1}:int32 0",     "{n,?}"),
    ROW("batch_dims=-9223372036854775808", "[5,4] [6]:int32 0", "SF103 b"),
    ROW("", "[5,4] [6]:int32 -9223372036854775808:int64", "SF103 a"),
    ROW("", "[5,4] [6]:int32 9223372036854775807:int64", "SF103 a"),
};
SF_OP_TEST(GatherV2, gather_v2)

static const SfOpCase gather_nd[] = {
    ROW("",           "[n,3] [2,1]:int32",                 "[2,3]"),
    ROW("",           "[n,3] [2,2]:int32",                 "[2]"),
    ROW("",           "[n,3] [7,0]:int32",                 "[7,n,3]"),
    ROW("",           "[4,3] [2,?]:int32",                 "?"),
    ROW("",           "? [2,2]:int32",                     "?"),
    ROW("",           "[4,3] ?:int32",                     "?"),
    ROW("",           "! [2,2]:int32",                     "!"),
    ROW("",           "[4,3] []:int32",                    "SF103 b"),
    ROW("", "[2,3] [4,3]:int32",
        "SF128 b.1 a 'indices.shape[-1] must be <= params.rank, but saw indices shape: [4,3] and params shape: ['"),
    ROW("@phase=run", "[2,3] {{2,0}}:int32",               "SF117 b a.0 'indices[0] = [2, 0] does not index into param shape [2,3]'"),
    ROW("@phase=run", "[2,3] [4,3]:int32",
        "SF128 b.1 a 'index innermost dimension length must be <= params rank; saw: 3 vs. 2'"),
    ROW("@phase=run", "[2,3] []:int32",                    "SF103 b 'indices must be at least a vector'"),
    ROW("@phase=run", "[] [0]:int32",                      "SF128 a 'params must be at least a vector'"),
    ROW("@phase=eager,@version=2.21", "[2,3] {{2,0}}:int32",
        "SF117 b a.0 'indices[0] = [2, 0] does not index into param shape [2,3], node name: GatherNd'"),
    ROW("",           "{{1,2},{3,4}} {{1,0},{0,1}}:int32", "{3,2}"),
    ROW("",           "{{1,2},{3,4}} {{1}}:int32",         "{{3,4}}"),
};
SF_OP_TEST(GatherNd, gather_nd)

static const SfOpCase scatter_nd[] = {
    ROW("",                         "[2,1]:int32 [2,3] {4,3}",     "[4,3]"),
    ROW("",                         "[m,1]:int32 [m,3] {n,3}",     "[n,3]"),
    ROW("",                         "[2,1]:int32 [2,3] [2]:int32", "[?,?]"),
    ROW("",                         "[2,?]:int32 [2,3] {4,3}",     "[4,3]"),
    ROW("",                         "?:int32 ? ?",                 "?"),
    ROW("",                         "! [2] {4}",                   "!"),
    ROW("",                         "[2,1]:int32 [3,3] {4,3}",     "SF107 a.0 b.0"),
    ROW("",                         "[2,1]:int32 [2,4] {4,3}",     "SF107 c.1 b.1"),
    ROW("@version=2.21",            "[2,1]:int32 [3,3] {4,3}",     "SF107 a.0 b.0"),
    ROW("",                         "[]:int32 [2] {4,3}",          "SF103 a"),
    ROW("",                         "[2,1]:int32 [] {4,3}",        "SF103 b"),
    ROW("",                         "[2,1]:int32 [2] {0}",         "SF128 c 'Indices and updates specified for empty output shape'"),
    ROW("@phase=run,@version=2.21", "[2,1]:int32 [3,3] {4,3}",
        "SF107 a.0 b.0 'Dimensions [0,1) of indices[shape=[2,1]] must match dimensions [0,1) of updates[shape=[3,3'"),
    ROW("@phase=run",               "{{7},{1}}:int32 [2,3] {4,3}", "SF117 a 'indices[0] = [7] does not index into shape [4,3]'"),
    ROW("",                         "{{1},{3}}:int32 {10,20} {4}", "{0,10,0,20}"),
    ROW("",                         "{{1},{1}}:int32 {10,20} {2}", "{0,30}"),
    ROW("",                         "[2,1]:int32 [2,5] {-1,5}",    "deferred SF130 c 'Dimension -1 must be >= 0' / [?,5]"),
    ROW("@phase=run",               "[2,1]:int32 [2,5] {-1,5}",    "SF130 c 'Dimension -1 must be >= 0'"),
};
SF_OP_TEST(ScatterNd, scatter_nd)

static const SfOpCase tensor_scatter[] = {
    ROW("",           "[n,3] [2,1]:int32 [2,3]",     "[n,3]"),
    ROW("", "[2,3] [2,1]:int32 [2,3]", "[2,3]"),
    ROW("",           "[4,?] [2,2]:int32 [2]",       "[4,?]"),
    ROW("",           "? [2,1]:int32 [2,4]",         "?"),
    ROW("",           "! [2,1]:int32 [2,4]",         "!"),
    ROW("",           "[4,3] [2,1]:int32 [3,3]",     "SF107 b.0 c.0"),
    ROW("",           "[4,3] [2,1]:int32 [2,4]",     "SF107 a.1 c.1"),
    ROW("",           "[4,3] []:int32 [2]",          "SF103 b"),
    ROW("@phase=run", "[4,3] [2,1]:int32 [3,3]",
        "SF107 b.0 c.0 'Outer dimensions of indices and update must match. Indices shape: [2,1], updates shape:[3,'"),
    ROW("@phase=run", "[4,3] {{7},{1}}:int32 [2,3]", "SF117 b 'indices[0] = [7] does not index into shape [4,3]'"),
};
SF_OPS_TEST(array_index, tensor_scatter, "TensorScatterUpdate", "TensorScatterAdd",
             "TensorScatterSub", "TensorScatterMin", "TensorScatterMax")

static const SfOpCase tensor_scatter_2[] = {
    ROW("@version=2.21", "[4] [2,1]:int32 []",    "deferred SF103 c 'Updates shape must have rank at least one. Found:[]' / [4]"),
    ROW("@version=2.21", "[] [2,1]:int32 [2]",    "SF103 a"),
    ROW("@version=2.21", "[4] [2,2]:int32 [2]",   "deferred SF108 a b 'Inner dimensions of output shape must match inner dimensions of updates shape. Output: [4] updates: [2]' / [4]"),
    ROW("@version=2.21,bad_indices_policy='x'", "[4] [2,1]:int32 [2]", "deferred SF128 'Unknown bad indices handling attribute: x' / [4]"),
    ROW("@version=2.21,bad_indices_policy='IGNORE'", "[4] {{1},{9}} [2]", "[4]"),
    ROW("@version=2.21", "[4] {{1},{9}} [2]",     "deferred SF117 b 'indices[1] = [9] does not index into shape [4]' / [4]"),
    ROW("@phase=eager,@version=2.21", "[4,3] [2,1]:int32 [2,4]",
        "SF107 a.1 c.1 'The inner 1 dimensions of output.shape=[4,3] must match the inner 1 dimensions of updates.shape=[2,4'"),
    ROW("@phase=eager,@version=2.21", "[4,3] [2,1]:int32 [2]",
        "SF108 'Inner dimensions of output shape must match inner dimensions of updates shape. Output: [4,3] updates: [2'"),
    ROW("@phase=eager,@version=2.21", "[4] []:int32 [2]", "SF103 b 'Indices shape must have rank at least one. Found:[]'"),
    ROW("@phase=eager,@version=2.21", "[0] [1,1]:int32 [1]", "SF128 a 'Indices and updates specified for empty output shape'"),
};
SF_OPS_TEST(array_index, tensor_scatter_2, "TensorScatterUpdate", "TensorScatterMax")

static const SfOpCase non_aliasing[] = {
    ROW("",           "[n,3] [2,1]:int32 [2,3]",     "[n,3]"),
    ROW("",           "? [2,1]:int32 [2,4]",         "?"),
    ROW("",           "[4,3] [2,1]:int32 [3,3]",     "SF107 b.0 c.0"),
    ROW("@phase=eager,@version=2.21", "[5] [2,1]:int32 [3]",
        "SF107 b.0 c.0 'Dimensions [0,1) of indices[shape=[2,1]] = 2 must match dimensions [0,1) of updates[shape=[3]] = 3'"),
    ROW("@phase=eager,@version=2.21", "[5,3] [2,1]:int32 [2]",
        "SF108 'Dimensions [1,2) of input[shape=[5,3]] must match dimensions [1,1) of updates[shape=[2]]'"),
    ROW("@phase=eager,@version=2.21", "[] [2,1]:int32 [2]", "SF103 a 'Output must be at least 1-D, got shape: []'"),
};
SF_OP_TEST(ScatterNdNonAliasingAdd, non_aliasing)

static const SfOpCase scatter_update[] = {
    ROW("", "{1,2,3} {{0},{2}}:int32 {9,8}", "{9,2,8}"),
};
SF_OP_TEST(TensorScatterUpdate, scatter_update)

static const SfOpCase scatter_add[] = {
    ROW("", "{1,2,3} {{0},{0}}:int32 {9,8}", "{18,2,3}"),
};
SF_OPS_TEST(array_index, scatter_add, "TensorScatterAdd", "ScatterNdNonAliasingAdd")

static const SfOpCase partition[] = {
    ROW("num_partitions=2",            "[n,3] [n]",     "[?,3] [?,3]"),
    ROW("num_partitions=2",            "[4,?] [?]",     "[?,?] [?,?]"),
    ROW("num_partitions=3",            "[2,3,5] [2,3]", "[?,5] [?,5] [?,5]"),
    ROW("num_partitions=2",            "? [4]",         "? ?"),
    ROW("num_partitions=2",            "[4,3] ?",       "? ?"),
    ROW("num_partitions=2",            "! [4]",         "! !"),
    ROW("num_partitions=2",            "[4,3] [3]",     "SF101 a.0 b.0"),
    ROW("num_partitions=2",            "[4] [4,3]",     "SF103 a b"),
    ROW("num_partitions=2,@phase=run", "[4,3] [3]",
        "SF101 a.0 b.0 'data.shape must start with partitions.shape, got data.shape = [4,3], partitions.shape = [3'"),
    ROW("num_partitions=2,@phase=run", "[2,3] {0,5}",   "SF117 b @num_partitions 'partitions[1] = 5 is not in [0, 2)'"),
    ROW("num_partitions=2,@phase=run", "[3,7] {0,1,1}", "[1,7] [2,7]"),
};
SF_OP_TEST(DynamicPartition, partition)

static const SfOpCase stitch[] = {
    ROW("",           "( {0,2} {1} ) ( [2,3] [1,3] )",  "[3,3]"),
    ROW("",           "( [n] [m] ) ( [n,3] [m,3] )",    "[?,3]"),
    ROW("",           "( [2] {1} ) ( [2,?] [1,3] )",    "[?,3]"),
    ROW("",           "( ? {1} ) ( [2,3] [1,3] )",      "[?,3]"),
    ROW("",           "( ? ? ) ( ? ? )",                "?"),
    ROW("",           "( ! {1} ) ( [2,3] [1,3] )",      "!"),
    ROW("",           "( {0,2} {1} ) ( [2,3] [1,4] )",  "SF107 c.0 d.0"),
    ROW("",           "( {0,2} {1} ) ( [3,3] [1,3] )",  "SF101 c.0 a.0"),
    ROW("@phase=run", "( {0,2} {-1} ) ( [2,3] [1,3] )", "SF117 b 'indices[0] is out of range'"),
    ROW("@phase=run", "( {0,2} {1} ) ( [2,3] [1,4] )",
        "SF107 c.0 d.0 'Need data[0].shape[1:] = data[1].shape[1:], got data[0].shape = [2,3], data[1].shape = [1,'"),
    ROW("@phase=run", "( {0,2} {1} ) ( [3,3] [1,3] )",  "SF101 c.0 a.0 'data[0].shape = [3,3] does not start with indices[0].shape = [2]'"),
    ROW("",           "( {0,2} {1} ) ( {10,30} {20} )", "{10,20,30}"),
};
SF_OPS_TEST(array_index, stitch, "DynamicStitch", "ParallelDynamicStitch")

/* clang-format on */
