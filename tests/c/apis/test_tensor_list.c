/* Rows of lists of tensors without a known owner: apis/ops/tensor_list{,_read}.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase tensor_list_scatter[] = {
    ROW("", "[2,2] {0,1} {-1}", "[]"),
    ROW("", "[?,2] {0,1} {-1}", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[2,2] {0,1} [2,3]", "SF105 c"),
};
SF_OP_TEST(TensorListScatter, tensor_list_scatter)

static const SfOpCase tensor_list_scatter_v2[] = {
    ROW("", "[2,2] {0,1} {-1} 3", "[]"),
    ROW("", "[?,2] {0,1} {-1} 3", "[]"),
    ROW("", "? ? ? ?", "[]"),
    ROW("", "[2,2] {0,1} [2,3] 3", "SF105 c"),
};
SF_OP_TEST(TensorListScatterV2, tensor_list_scatter_v2)

static const SfOpCase tensor_list_scatter_into_existing_list[] = {
    ROW("", "[] [1] {0}", "[]"),
    ROW("", "[] [?] {0}", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[] [] {0}", "SF103 b"),
    ROW("", "[] [1] []", "SF102 c"),
    ROW("", "[] [n] [n+1]", "deferred SF129 c.0 b.0 'but saw: ? vs. ?' / []"),
};
SF_OP_TEST(TensorListScatterIntoExistingList, tensor_list_scatter_into_existing_list)

static const SfOpCase tensor_list_split[] = {
    ROW("", "[3] {-1} {3}", "[]"),
    ROW("", "[?] {-1} {3}", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[] {-1} {3}", "SF103 a"),
    ROW("", "[3] [2] {3}", "SF108 a b"),
    ROW("", "[3] {-1} []", "SF102 c"),
};
SF_OP_TEST(TensorListSplit, tensor_list_split)

static const SfOpCase tensor_list_resize[] = {
    ROW("", "[] 2", "[]"),
    ROW("", "[?] 2", "[]"),
    ROW("", "? ?", "[]"),
    ROW("", "[] [2]", "SF102 b"),
};
SF_OP_TEST(TensorListResize, tensor_list_resize)

static const SfOpCase tensor_list_concat_lists[] = {
    ROW("element_dtype=float32", "[] []", "[]"),
    ROW("element_dtype=float32", "[?] [2]", "[2]"),
    ROW("element_dtype=float32", "? ?", "?"),
    ROW("element_dtype=float32", "[2] []", "SF108 a b"),
    ROW("element_dtype=float32", "[] [2]", "SF108 a b"),
};
SF_OP_TEST(TensorListConcatLists, tensor_list_concat_lists)

static const SfOpCase tensor_list_push_back_batch[] = {
    ROW("", "[2] [2]", "[2]"),
    ROW("", "[2] [?]", "[2]"),
    ROW("", "[2] ?", "[2]"),
};
SF_OP_TEST(TensorListPushBackBatch, tensor_list_push_back_batch)

static const SfOpCase tensor_list_element_shape[] = {
    ROW("shape_type=int64", "[]", "?"),
    ROW("shape_type=int64", "[?]", "?"),
    ROW("shape_type=int64", "?", "?"),
};
SF_OP_TEST(TensorListElementShape, tensor_list_element_shape)
