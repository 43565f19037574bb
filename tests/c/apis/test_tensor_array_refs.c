/* Rows of tensor arrays of TensorFlow < 1.0, whose handles are refs: apis/ops/state/tensor_array.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase tensor_array[] = {
    ROW("dtype=float", "[]", "[2]"),
    ROW("dtype=float", "?", "[2]"),
};
SF_OP_TEST(TensorArray, tensor_array)

static const SfOpCase tensor_array_v2[] = {
    ROW("dtype=float", "[]", "[2]"),
    ROW("dtype=float", "?", "[2]"),
    ROW("dtype=float", "[2]", "SF102 a"),
};
SF_OP_TEST(TensorArrayV2, tensor_array_v2)

static const SfOpCase tensor_array_write[] = {
    ROW("", "[2]:string [] [2,5] []", "[]"),
    ROW("", "[?]:string [] [2,5] []", "[]"),
    ROW("", "?:string ? ? ?", "[]"),
};
SF_OP_TEST(TensorArrayWrite, tensor_array_write)

static const SfOpCase tensor_array_read[] = {
    ROW("dtype=float", "[2]:string [] []", "?"),
    ROW("dtype=float", "[?]:string [] []", "?"),
    ROW("dtype=float", "?:string ? ?", "?"),
};
SF_OP_TEST(TensorArrayRead, tensor_array_read)

static const SfOpCase tensor_array_gather[] = {
    ROW("dtype=float", "[2] [7] []", "?"),
    ROW("dtype=float", "[?] [7] []", "?"),
    ROW("dtype=float", "? ? ?", "?"),
};
SF_OP_TEST(TensorArrayGather, tensor_array_gather)

static const SfOpCase tensor_array_scatter[] = {
    ROW("", "[2]:string [3] [3,2,5] []", "[]"),
    ROW("", "[?]:string [3] [3,2,5] []", "[]"),
    ROW("", "?:string ? ? ?", "[]"),
};
SF_OP_TEST(TensorArrayScatter, tensor_array_scatter)

static const SfOpCase tensor_array_concat[] = {
    ROW("dtype=float", "[2]:string []", "? [?]"),
    ROW("dtype=float", "[?]:string []", "? [?]"),
    ROW("dtype=float", "?:string ?", "? [?]"),
};
SF_OP_TEST(TensorArrayConcat, tensor_array_concat)

static const SfOpCase tensor_array_split[] = {
    ROW("", "[2]:string [6,5] {1,2,3} []", "[]"),
    ROW("", "[?]:string [6,5] {1,2,3} []", "[]"),
    ROW("", "?:string ? ? ?", "[]"),
    ROW("@phase=run", "[2]:string [6,5] {8,9223372036854775807}:int64 []", "SF129 c b.0"),
};
SF_OP_TEST(TensorArraySplit, tensor_array_split)

static const SfOpCase tensor_array_size[] = {
    ROW("", "[2]:string []", "[]"),
    ROW("", "[?]:string []", "[]"),
    ROW("", "?:string ?", "[]"),
};
SF_OP_TEST(TensorArraySize, tensor_array_size)

static const SfOpCase tensor_array_close[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
};
SF_OP_TEST(TensorArrayClose, tensor_array_close)

static const SfOpCase tensor_array_close_v2[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(TensorArrayCloseV2, tensor_array_close_v2)

static const SfOpCase tensor_array_pack[] = {
    ROW("dtype=float", "[2] []", "?"),
    ROW("dtype=float", "[?] []", "?"),
    ROW("dtype=float", "? ?", "?"),
};
SF_OP_TEST(TensorArrayPack, tensor_array_pack)

static const SfOpCase tensor_array_grad[] = {
    ROW("source='a'", "[2] []", "[2]"),
    ROW("source='a'", "[?] []", "[2]"),
    ROW("source='a'", "? ?", "[2]"),
};
SF_OP_TEST(TensorArrayGrad, tensor_array_grad)

static const SfOpCase tensor_array_grad_v2[] = {
    ROW("source='a'", "[2] []", "[2]"),
    ROW("source='a'", "[?] []", "[2]"),
    ROW("source='a'", "? ?", "[2]"),
    ROW("source='a'", "[3] []", "SF106 a.0"),
};
SF_OP_TEST(TensorArrayGradV2, tensor_array_grad_v2)

static const SfOpCase tensor_array_unpack[] = {
    ROW("", "[2]:string [3,5] []", "[]"),
    ROW("", "[2]:string [?,5] []", "[]"),
    ROW("", "?:string ? ?", "[]"),
};
SF_OP_TEST(TensorArrayUnpack, tensor_array_unpack)

/* clang-format off */
/* TensorFlow gave these no shape functions: their kernels raise what V3's construction does. */
static const SfOpCase ta_make[] = {
    ROW("dtype=float", "[2]", "deferred SF102 a 'TensorArray size must be scalar, but had shape: [2]' / ?"),
    ROW("dtype=float", "-3", "deferred SF129 a 'Size should be >= 0.' / ?"),
    ROW("dtype=float,@phase=run", "[2]", "SF102 a"),
};
SF_OP_TEST(TensorArray, ta_make)

static const SfOpCase ta_write[] = {
    ROW("", "[3]:string [] [2,5] []", "deferred SF106 a.0 'Tensor array handle must be 2-element vector, but had shape: [3]' / ?"),
    ROW("", "[2]:string [1] [2,5] []", "deferred SF102 b 'TensorArray index must be scalar, but had shape: [1]' / ?"),
    ROW("", "[2]:string [] [2,5] [2]", "[]"), /* nobody looks at a flow */
};
SF_OP_TEST(TensorArrayWrite, ta_write)

static const SfOpCase ta_write_v2[] = {
    ROW("", "[2]:string [1] [2,5] []", "SF102 b"),
    ROW("", "[2]:string [] [2,5] [2]", "SF102 d"),
    ROW("@phase=run", "[2]:string [] [2,5] [2]", "[]"),
};
SF_OP_TEST(TensorArrayWriteV2, ta_write_v2)

static const SfOpCase ta_read[] = {
    ROW("dtype=float", "[2] [2] []", "deferred SF102 b 'TensorArray index must be scalar, but had shape: [2]' / ?"),
};
SF_OP_TEST(TensorArrayRead, ta_read)

static const SfOpCase ta_gather[] = {
    ROW("dtype=float", "[2] [] []", "deferred SF102 b 'Expected indices to be a vector, but received shape: []' / ?"),
};
SF_OP_TEST(TensorArrayGather, ta_gather)

static const SfOpCase ta_scatter[] = {
    ROW("", "[2]:string [] [3,2,5] []", "deferred SF102 b / ?"),
    ROW("", "[2]:string [1] [2] []", "deferred SF101 c.0 b.0 'Expected len(indices) == values.shape[0], but saw: 1 vs. 2' / ?"),
};
SF_OP_TEST(TensorArrayScatter, ta_scatter)

static const SfOpCase ta_concat[] = {
    ROW("dtype=float", "[3] []", "deferred SF106 a.0 / ? ?"),
};
SF_OP_TEST(TensorArrayConcat, ta_concat)

static const SfOpCase ta_split[] = {
    ROW("", "[2]:string [6,5] [] []", "deferred SF102 c 'Expected lengths to be a vector, received shape: []' / ?"),
};
SF_OP_TEST(TensorArraySplit, ta_split)

static const SfOpCase ta_size[] = {
    ROW("", "[3] []", "deferred SF106 a.0 / ?"),
};
SF_OP_TEST(TensorArraySize, ta_size)

static const SfOpCase ta_close[] = {
    ROW("", "[3]", "deferred SF106 a.0 /"),
};
SF_OP_TEST(TensorArrayClose, ta_close)

static const SfOpCase ta_pack[] = {
    ROW("dtype=float", "[3] []", "deferred SF106 a.0 / ?"),
};
SF_OP_TEST(TensorArrayPack, ta_pack)

static const SfOpCase ta_unpack[] = {
    ROW("", "[3]:string [3,5] []", "deferred SF106 a.0 / ?"),
    ROW("", "[2]:string [] []", "deferred SF103 b 'Input value for unpack must be at least a vector but received shape: []' / ?"),
};
SF_OP_TEST(TensorArrayUnpack, ta_unpack)

static const SfOpCase ta_grad[] = {
    ROW("source='a'", "[3] []", "deferred SF106 a.0 / ?"),
};
SF_OP_TEST(TensorArrayGrad, ta_grad)
/* clang-format on */
