/* Contents through array ops: exact, partly known and symbolic; asked of TensorFlow 2.21 where it folds. */
#include "tests/c/support/op_rows.h"

#define V2 "@version=2.21"

/* clang-format off */
static const SfOpCase slices_values[] = {
    ROW(V2, "{{1,2,3},{4,5,6}} {0,1} {2,2}",  "{{2,3},{5,6}}"),
    ROW(V2, "{n,2,?} {1} {-1}",               "{2,?}"),
    ROW(V2, "{n,2,?} {0} {2}",                "{n,2}"),
    ROW(V2, "[n,m,3] {0,0,1} {-1,-1,2}",      "[n,m,2]"),
};
SF_OP_TEST(Slice, slices_values)

static const SfOpCase strided_values[] = {
    ROW(V2, "{1,2,3,4,5} {4} {0} {-2}",                             "{5,3}"),
    ROW(V2 ",begin_mask=1,end_mask=1", "{n,2,?} {0} {0} {-1}",      "{?,2,n}"),
    ROW(V2 ",shrink_axis_mask=1", "{n,2,?} {-3} {-2} {1}",          "n"),
    ROW(V2 ",shrink_axis_mask=1", "{{1,2},{3,n}} {1} {2} {1}",      "{3,n}"),
    ROW(V2 ",shrink_axis_mask=2,begin_mask=1,end_mask=1", "{{1,2},{3,n}} {0,1} {0,2} {1,1}", "{2,n}"),
    ROW(V2 ",new_axis_mask=1", "{1,n} {0} {1} {1}",                 "{{1,n}}"),
    ROW(V2 ",ellipsis_mask=1,shrink_axis_mask=2", "{{1,2},{3,4}} {0,0} {0,1} {1,1}", "{1,3}"),
    ROW(V2 ",begin_mask=2,end_mask=3", "{{1,2,3},{4,5,6}} {1,0} {0,0} {-1,-1}", "{{6,5,4},{3,2,1}}"),
};
SF_OP_TEST(StridedSlice, strided_values)

static const SfOpCase gathers_values[] = {
    ROW(V2, "{n,2,?} {2,0} 0",              "{?,n}"),
    ROW(V2, "{{1,2},{3,4}} {1} 1",          "{{2},{4}}"),
    ROW(V2, "{{1,2},{3,4}} 1 0",            "{3,4}"),
    ROW(V2 ",batch_dims=-1", "[2,3,4] [2,5]:int32 []:int32", "[?,?,?]"),
};
SF_OP_TEST(GatherV2, gathers_values)

static const SfOpCase gather_nd_values[] = {
    ROW(V2, "{{1,n},{3,4}} {{0,1},{1,0}}", "{n,3}"),
    ROW(V2, "{{1,n},{3,4}} {{1}}",         "{{3,4}}"),
};
SF_OP_TEST(GatherNd, gather_nd_values)

static const SfOpCase concats_values[] = {
    ROW(V2, "{n,2} {?,4} 0",                "{n,2,?,4}"),
    ROW(V2, "[n,3] [m,3] [2,3] 0",          "[n+m+2,3]"),
    ROW(V2, "? [n,3] ? 1",                  "[n,?]"),
};
SF_OP_TEST(ConcatV2, concats_values)

static const SfOpCase splits_values[] = {
    ROW(V2 ",num_split=2", "0 {n,2,?,4}",        "{n,2} {?,4}"),
    ROW(V2 ",num_split=2", "[]:int32 [4]",       "[2] [2]"), /* a vector has one axis */
    ROW(V2 ",num_split=2", "0 [2*n,3]",          "[n,3] [n,3]"),
};
SF_OP_TEST(Split, splits_values)

static const SfOpCase split_sizes_values[] = {
    ROW(V2 ",num_split=2", "{n,2,3} {1,-1} 0",       "{n} {2,3}"),
    ROW(V2 ",num_split=2", "[4] {1,3} []:int32",     "[1] [3]"),
    ROW(V2 ",num_split=2", "[n,3] {1,-1} 0",         "[1,3] [n-1,3]"),
    ROW("@phase=eager," V2 ",num_split=1", "[4] {7} 0", "SF128 'If there is only one output, it must have the same size as the input. Input size: 4 output size: 7'"),
};
SF_OP_TEST(SplitV, split_sizes_values)

static const SfOpCase moved_values[] = {
    ROW(V2, "{1,n,3} {0}",                   "{3,n,1}"),
    ROW(V2, "{{1,2},{3,n}} {-1}",            "{{2,1},{n,3}}"),
    ROW("@phase=eager," V2, "5 {{0}}:int32", "5"), /* the kernel looks at no axis of a scalar */
};
SF_OP_TEST(ReverseV2, moved_values)

static const SfOpCase pads_values[] = {
    ROW(V2, "{1,n} {{1,2}}",                 "{0,1,n,0,0}"),
    ROW(V2, "[n,3] {{1,2},{0,1}}",           "[n+3,4]"),
    ROW("@phase=eager," V2, "[3] [2]:int32", "SF102 b 'paddings must be a matrix with 2 columns: [2]'"),
};
SF_OP_TEST(Pad, pads_values)

static const SfOpCase tiles_values[] = {
    ROW(V2, "{1,n} {2}",                     "{1,n,1,n}"),
    ROW(V2, "[n,3] {2,m}",                   "[2*n,3*m]"),
};
SF_OP_TEST(Tile, tiles_values)

static const SfOpCase one_hot_values[] = {
    ROW(V2, "{1,0} 2 5 7",                   "{{7,5},{5,7}}"),
    ROW(V2, "[n]:int32 m 1.0 0.0",           "[n,m]"),
    ROW("@phase=eager," V2, "[2]:int32 3 [2]:float 0.0", "SF102 c 'on_value must be a scalar, but got: [2]'"),
};
SF_OP_TEST(OneHot, one_hot_values)

static const SfOpCase broadcast_values[] = {
    ROW(V2, "{1,n} {2,2}",                   "{{1,n},{1,n}}"),
    ROW("@phase=eager," V2, "[0,6,1] {5,1,6,4}", "SF113 'Unable to broadcast tensor of shape [0,6,1] to tensor of shape [5,1,6,4'"),
    ROW("@phase=eager," V2, "[2] {-1}",      "SF130 b 'Dimension -1 must be >= 0'"),
};
SF_OP_TEST(BroadcastTo, broadcast_values)

static const SfOpCase offsets_values[] = {
    ROW("@phase=eager," V2, "0 {2,3} {2,4}", "SF115 'All dimensions except 0 must match. Input 1 has shape [2 4] and doesn'"),
    ROW("@phase=eager," V2, "2 {2,3} {2,3}", "SF111 'Concat dim is out of range: 2 vs. 2'"),
};
SF_OP_TEST(ConcatOffset, offsets_values)

static const SfOpCase bounds_values[] = {
    ROW("", "[n,3] [n,4]",    "[n,4]:int32"),
    ROW("", "? ?",            "?"),
    ROW("", "[2,3] [3,3]",    "deferred SF101 a.0 b.0 'Leading dim_size of both tensors must match.' / [3,3]"),
    ROW("@phase=eager", "[2] [3,3]", "SF102 a 'Shape must be rank 2 but is rank 1 for `sorted_inputs` argument'"),
};
SF_OPS_TEST(array_values, bounds_values, "UpperBound", "LowerBound")
