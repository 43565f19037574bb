/* Rows of searching, sequences and quantisers; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase unique[] = {
    ROW("",           "[n]",           "[?] [n]"),
    ROW("",           "[?]",           "[?] [?]"),
    ROW("",           "?",             "[?] ?"),
    ROW("",           "!",             "! !"),
    ROW("",           "[5,2]",         "SF102 a"),
    ROW("@phase=run", "[5,2]",         "SF102 a 'unique expects a 1D vector.'"),
    ROW("",           "{3,1,3}",       "{3,1} {0,1,0}"),
    ROW("",           "{'b','a','b'}", "{'b','a'} {0,1,0}"),
};
SF_OP_TEST(Unique, unique)

static const SfOpCase unique_counts[] = {
    ROW("", "[n]",     "[?] [n] [?]"),
    ROW("", "?",       "[?] ? [?]"),
    ROW("", "!",       "! ! !"),
    ROW("", "{3,1,3}", "{3,1} {0,1,0} {2,1}"),
    ROW("", "[5,2]",   "deferred SF102 a 'unique expects a 1D vector.' / [?] [5,2] [?]"),
};
SF_OP_TEST(UniqueWithCounts, unique_counts)

static const SfOpCase unique_v2[] = {
    ROW("@version=2.21", "[n,2] {1}",       "[n,?] [2]"),
    ROW("@version=2.21", "[n] {}",          "[?] [n]"),
    ROW("@version=2.21", "[5,2] [1]:int64", "[?,?] [?]"),
    ROW("@version=2.21", "? {1}",           "? [?]"),
    ROW("@version=2.21", "! {1}",           "! !"),
    ROW("@version=2.21", "[5,2] {}",        "SF128 a 'x expects a 1D vector.'"),
    ROW("@version=2.21", "[5,2] 1:int64",   "SF128 b 'axis expects a 1D vector.'"),
    ROW("@version=2.21", "[5,2] {3}",       "SF111 b a"),
    ROW("@version=2.21", "[5,2] {0,1}",     "SF128 b 'axis does not support input tensors larger than 1 elements.'"),
    ROW("@version=2.21", "{3,1,3} {0}",     "{3,1} {0,1,0}"),
};
SF_OP_TEST(UniqueV2, unique_v2)

static const SfOpCase unique_counts_v2[] = {
    ROW("@version=2.21", "[n,2] {1}",       "[n,?] [2] [?]"),
    ROW("@version=2.21", "[5,?] [1]:int64", "[?,?] [?] [?]"),
    ROW("@version=2.21", "? {1}",           "? [?] [?]"),
    ROW("@version=2.21", "! {1}",           "! ! !"),
    ROW("@version=2.21", "[5,2] {3}",       "SF111 b a"),
};
SF_OP_TEST(UniqueWithCountsV2, unique_counts_v2)

static const SfOpCase list_diff[] = {
    ROW("",           "[n] [3]",     "[?] [?]"),
    ROW("",           "? ?",         "[?] [?]"),
    ROW("",           "! [3]",       "! !"),
    ROW("",           "[5,2] [3]",   "SF102 a"),
    ROW("@phase=run", "[5,2] [3]",   "SF102 a 'x should be a 1D vector.'"),
    ROW("",           "{1,2,3} {2}", "{1,3} {0,2}"),
};
SF_OP_TEST(ListDiff, list_diff)

static const SfOpCase where[] = {
    ROW("", "[n,3]",                      "[?,2]"),
    ROW("", "[]",                         "deferred SF103 a / [?,0]"),
    ROW("", "?",                          "[?,?]"),
    ROW("", "!",                          "!"),
    ROW("", "{true,false,true}",          "{{0},{2}}"),
    ROW("", "{{false,true},{true,true}}", "{{0,1},{1,0},{1,1}}"),
    ROW("@phase=eager", "[]", "SF103 a 'WhereOp : Unhandled input dimensions: 0'"),
};
SF_OP_TEST(Where, where)

static const SfOpCase one_hot[] = {
    ROW("",                  "[n]:int32 10 1.0 0.0",         "[n,10]"),
    ROW("axis=0",            "[n,3]:int32 4 1.0 0.0",        "[4,n,3]"),
    ROW("axis=1",            "[n,3]:int32 4 1.0 0.0",        "[n,4,3]"),
    ROW("",                  "[2,3]:int32 []:int32 1.0 0.0", "[2,3,?]"),
    ROW("@version=2.21",     "[2]:int32 n 1.0 0.0",          "[2,n]"),
    ROW("",                  "?:int32 4 1.0 0.0",            "?"),
    ROW("",                  "?:int32 ? ? ?",                "?"),
    ROW("",                  "! 4 1.0 0.0",                  "!"),
    ROW("axis=-2",           "[2,3]:int32 4 1.0 0.0",        "SF111 @axis"),
    ROW("", "[2,3]:int32 -4 1.0 0.0",
        "SF128 b 'Dimension size, given by scalar input 1, must be non-negative but is -4'"),
    ROW("axis=3",            "[2,3]:int32 4 1.0 0.0", "deferred SF111 @axis a / [4,2,3]"),
    ROW("@phase=run",        "[2,3]:int32 -4 1.0 0.0",       "SF128 b 'depth must be non-negative, got: -4'"),
    ROW("axis=3,@phase=run", "[2,3]:int32 4 1.0 0.0",        "SF111 @axis a 'Expected axis to be -1 or between [0, 3).  But received: 3'"),
    ROW("",                  "{0,2}:int32 3 1 0",            "{{1,0,0},{0,0,1}}"),
    ROW("axis=0",            "{0,2,9}:int32 3 1 0",          "{{1,0,0},{0,0,0},{0,1,0}}"),
    ROW("axis=9223372036854775807", "[2,3]:int32 4 1.0 0.0", "deferred SF111 @axis a / [2,4,3]"),
};
SF_OP_TEST(OneHot, one_hot)

static const SfOpCase range[] = {
    ROW("",              "0 10 3",         "{0,3,6,9}"),
    ROW("",              "10 0 -3",        "{10,7,4,1}"),
    ROW("",              "5 5 1",          "{}"),
    ROW("",              "0.0 1.0 0.25",   "{0.0,0.25,0.5,0.75}"),
    ROW("@version=2.21", "0 n 1",          "[n]"),
    ROW("@version=2.21", "1 n 1",          "[n-1]"),
    ROW("@version=2.21", "0 2*n 2",        "[n]"),
    ROW("",              "0 []:int32 1",   "[?]"),
    ROW("",              "? ? ?",          "[?]"),
    ROW("",              "! 10 1",         "!"),
    ROW("",              "0 10 0",         "SF127 c 'Requires delta != 0'"),
    ROW("",              "0 10 -1",        "SF127 a b 'Requires start >= limit when delta < 0: 0/10'"),
    ROW("",              "10 0 1",         "SF127 a b 'Requires start <= limit when delta > 0: 10/0'"),
    ROW("",              "[1]:int32 5 1",  "SF102 a"),
    ROW("",              "0 [2]:int32 1",  "SF102 b"),
    ROW("@phase=run",    "0 10 0",         "SF127 c 'Requires delta != 0: 0'"),
    ROW("@phase=run",    "[2]:int32 10 1", "SF102 a 'start must be a scalar, not shape [2]'"),
};
SF_OP_TEST(Range, range)

static const SfOpCase lin_space[] = {
    ROW("", "0.0 1.0 5",        "{0.0,0.25,0.5,0.75,1.0}"),
    ROW("", "0.0 1.0 1",        "{0.0}"),
    ROW("", "[] [] 5",          "[5]"),
    ROW("", "0.0 1.0 []:int32", "[?]"),
    ROW("", "0.0 1.0 n", "[n]"),
    ROW("", "? ? ?",            "[?]"),
    ROW("", "! 1.0 5",          "!"),
    ROW("", "0.0 1.0 0",        "SF128 c 'Requires num > 0: 0'"),
    ROW("", "[2] 1.0 5",        "SF102 a"),
};
SF_OP_TEST(LinSpace, lin_space)

static const SfOpCase edit_distance[] = {
    ROW("",              "[3,2] [3] {2,5} [4,2] [4] {2,6}",   "[2]"),
    ROW("",              "[n,2] [n] [2] [m,2] [m] [2]",       "?"),
    ROW("@version=2.21", "? ? {2,5,6} ? ? {4,3,7}",           "[4,5]"),
    ROW("",              "? ? ? ? ? ?",                       "?"),
    ROW("",              "! [3] {2,5} [4,2] [4] {2,6}",       "!"),
    ROW("", "[3,2] [4] {2,5} [4,2] [4] {2,6}",
        "SF128 a.0 b.0 'Number of elements in index (3) and values (4) do not match.'"),
    ROW("",              "[3,2] [3] {2,5} [4,2] [4] {2,6,7}", "SF128 d.1 f.0 'Index rank (2) and shape rank (3) do not match.'"),
    ROW("",              "[3] [3] {2,5} [4,2] [4] {2,6}",     "SF102 a"),
};
SF_OP_TEST(EditDistance, edit_distance)

static const SfOpCase bounds[] = {
    ROW("", "[n,5] [n,3]", "[n,3]"),
    ROW("", "[2,5] [2,3]", "[2,3]"),
    ROW("", "[2,?] ?",     "?"),
    ROW("", "? [3,3]",     "[3,3]"),
    ROW("", "! [3,3]",     "!"),
    ROW("", "[5] [3,3]",   "SF102 a"),
    ROW("", "[2,5] [3]",   "SF102 b"),
};
SF_OPS_TEST(array_set, bounds, "UpperBound", "LowerBound")

static const SfOpCase bucketize[] = {
    ROW("boundaries=[1.0,2.0]", "[n,3]", "[n,3]"),
    ROW("boundaries=[1.0,2.0]", "[2,3]", "[2,3]"),
    ROW("boundaries=[1.0,2.0]", "[2,?]", "[2,?]"),
    ROW("boundaries=[1.0,2.0]", "?",     "?"),
    ROW("boundaries=[1.0,2.0]", "!",     "!"),
};
SF_OP_TEST(Bucketize, bucketize)

static const SfOpCase quantize_v1[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[2,?]", "[2,?]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(QuantizeAndDequantize, quantize_v1)

static const SfOpCase quantize[] = {
    ROW("",        "[n,3] [] []",   "[n,3]"),
    ROW("",        "[2,?] ? []",    "[2,?]"),
    ROW("",        "? [] []",       "?"),
    ROW("axis=1",  "[n,3] [3] [?]", "[n,3]"),
    ROW("",        "! [] []",       "!"),
    ROW("",        "[2,3] [1] []",  "SF102 b"),
    ROW("axis=1",  "[2,3] [2] [2]", "SF101 b.0 a.1"),
    ROW("axis=1",  "[2,3] [2] [3]", "SF107 c.0 b.0"),
    ROW("axis=5",  "[2,3] [3] [3]", "SF103 a"),
    ROW("axis=-2", "[2,3] [3] [3]", "SF111 @axis"),
};
SF_OPS_TEST(array_set, quantize, "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4")

static const SfOpCase quantize_v3[] = {
    ROW("", "[n,3] [] [] 8",         "[n,3]"),
    ROW("", "[2,?] [] [] []:int32",  "[2,?]"),
    ROW("", "? ? ? ?",               "?"),
    ROW("", "! [] [] 8",             "!"),
    ROW("", "[2,3] [1] [] 8",        "SF102 b"),
    ROW("", "[2,3] [] [] [1]:int32", "SF102 d"),
};
SF_OP_TEST(QuantizeAndDequantizeV3, quantize_v3)

static const SfOpCase fake_quant_args[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(FakeQuantWithMinMaxArgs, fake_quant_args)

static const SfOpCase fake_quant[] = {
    ROW("", "[n,3] [] []",  "[n,3]"),
    ROW("", "[2,3] [] []", "[2,3]"),
    ROW("", "? ? ?",        "?"),
    ROW("", "! [] []",      "!"),
    ROW("", "[2,3] [1] []", "SF102 b"),
};
SF_OP_TEST(FakeQuantWithMinMaxVars, fake_quant)

static const SfOpCase fake_quant_channel[] = {
    ROW("", "[n,3] [3] [3]", "[n,3]"),
    ROW("", "[2,3] [3] [3]", "[2,3]"),
    ROW("", "[2,?] [3] [?]", "[2,3]"),
    ROW("", "? ? ?",         "?"),
    ROW("", "! [3] [3]",     "!"),
    ROW("", "[2,3] [2] [3]", "SF101 a.1 b.0"),
    ROW("", "[] [3] [3]",    "SF103 a"),
    ROW("", "[2,3] [] [3]",  "SF102 b"),
};
SF_OP_TEST(FakeQuantWithMinMaxVarsPerChannel, fake_quant_channel)

static const SfOpCase fake_quant_args_grad[] = {
    ROW("", "[n,3] [n,3]", "[n,3]"),
    ROW("", "[2,3] [2,3]", "[2,3]"),
    ROW("", "? [2]",       "?"),
    ROW("", "! [2]",       "!"),
};
SF_OP_TEST(FakeQuantWithMinMaxArgsGradient, fake_quant_args_grad)

static const SfOpCase fake_quant_grad[] = {
    ROW("", "[n,3] [n,3] [] []",  "[n,3] [] []"),
    ROW("", "[2,3] [2,3] [] []", "[2,3] [] []"),
    ROW("", "? [2,?] ? ?",        "[2,?] [] []"),
    ROW("", "! [2] [] []",        "! ! !"),
    ROW("", "[2,3] [2,4] [] []",  "SF107 a.1 b.1"),
    ROW("", "[2,3] [2,3] [1] []", "SF102 c"),
};
SF_OP_TEST(FakeQuantWithMinMaxVarsGradient, fake_quant_grad)

static const SfOpCase fake_quant_channel_grad[] = {
    ROW("", "[n,3] [n,3] [3] [3]", "[n,3] [3] [3]"),
    ROW("", "[2,3] [2,3] [3] [3]", "[2,3] [3] [3]"),
    ROW("", "[?,3] [2,?] ? ?",     "[2,3] [3] [3]"),
    ROW("", "? ? ? ?",             "? [?] [?]"),
    ROW("", "! [2] [2] [2]",       "! ! !"),
    ROW("", "[2,3] [2,3] [2] [3]", "SF101 b.1 c.0"),
};
SF_OP_TEST(FakeQuantWithMinMaxVarsPerChannelGradient, fake_quant_channel_grad)

/* clang-format on */

static const SfOpCase unique_with_counts_v2[] = {
    ROW("", "[] []", "[] [?] [?]"),
    ROW("", "[?] []", "[?] [?] [?]"),
    ROW("", "? ?", "? [?] [?]"),
};
SF_OP_TEST(UniqueWithCountsV2, unique_with_counts_v2)
