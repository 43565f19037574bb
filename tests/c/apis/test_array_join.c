/* Rows of joining and splitting; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase concat[] = {
    ROW("",                         "1 [2,3] [2,4]",      "[2,7]"),
    ROW("",                         "0 [n,3] [m,3]",      "[n+m,3]"),
    ROW("",                         "0 [n,3] [n,3]",      "[2*n,3]"),
    ROW("",                         "-1 [2,3] [2,?]",     "[2,?]"),
    ROW("",                         "0 ? [2,3]",          "[?,3]"),
    ROW("",                         "0 ? ?",              "?"),
    ROW("",                         "[]:int32 [2,3] ?",   "[?,?]"),
    ROW("",                         "! [2] [2]",          "!"),
    ROW("",                         "1 [2,3] [3,3]",      "SF107 b.0 c.0"),
    ROW("",                         "2 [2,3] [2,3]",      "SF103 c"),
    ROW("",                         "0 [] []",            "SF128 b 'Can'"),
    ROW("",                         "[]:int32 [2,?] [3]", "SF102 c"),
    ROW("",                         "{1,1} [2] [2]",      "SF102 a"),
    ROW("@phase=run", "1 [2,3] [3,3]",
        "SF115 b.0 c.0 'ConcatOp : Dimensions of inputs should match: shape[0] = [2,3] vs. shape[1] = [3,3]'"),
    ROW("@phase=run,@version=2.21", "1 [2,3] [3,3]",
        "SF115 b.0 c.0 'ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = [2,3] vs. shape[1] = [3,3]'"),
    ROW("",                         "2147483647 ? ?",     "?"),
};
SF_OP_TEST(Concat, concat)

static const SfOpCase concat_v2[] = {
    ROW("",                         "[2,3] [2,4] 1",         "[2,7]"),
    ROW("",                         "[n,3] [m,3] 0",         "[n+m,3]"),
    ROW("",                         "[n,3] [n,3] [2,3] 0",   "[2*n+2,3]"),
    ROW("",                         "[2,3] [2,?] -1",        "[2,?]"),
    ROW("",                         "[?,3] [2,?,1] 0",       "SF102 b"),
    ROW("",                         "[?,3] [2,?] 1",         "[2,?]"),
    ROW("",                         "? [2,3] 0",             "[?,3]"),
    ROW("",                         "? ? -1",                "?"),
    ROW("",                         "[2,3] ? []:int32",      "[?,?]"),
    ROW("",                         "? ? ?",                 "?"),
    ROW("",                         "! [2] 0",               "!"),
    ROW("",                         "[2,3] [3,3] 1",         "SF107 a.0 b.0"),
    ROW("",                         "[2,3,4] [2,3,5] 0",     "SF107 a.2 b.2"),
    ROW("",                         "[2,3] [3] 1",           "SF102 b"),
    ROW("",                         "[2,3] [2,3] 2",         "SF103 b"),
    ROW("",                         "[2,3] [2,3] -3",        "SF103 b"),
    ROW("",                         "[] [] 0",               "SF128 a 'Can'"),
    ROW("",                         "[] [] []:int32",        "SF128 a 'Can'"),
    ROW("",                         "[2,3] [2,3] [1]:int32", "SF102 c"),
    ROW("@phase=run", "[2,3] [3,3] 1",
        "SF115 a.0 b.0 'ConcatOp : Dimensions of inputs should match: shape[0] = [2,3] vs. shape[1] = [3,3]'"),
    ROW("@phase=run,@version=2.21", "[2,3] [3,3] 1",
        "SF115 a.0 b.0 'ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = [2,3] vs. shape[1] = [3,3]'"),
    ROW("@phase=run", "[2,3] [3] 1",
        "SF115 b 'ConcatOp : Ranks of all input tensors should match: shape[0] = [2,3] vs. shape[1] = [3]'"),
    ROW("@phase=run", "[2,3] [2,3] 2",
        "SF111 c a 'ConcatOp : Expected concatenating dimensions in the range [-2, 2), but got 2'"),
    ROW("@phase=run",               "[] [] 0",               "SF128 a 'ConcatOp : Can'"),
    ROW("",                         "{1,2} {3} 0",           "{1,2,3}"),
    ROW("",                         "{{1},{2}} {{3},{4}} 1", "{{1,3},{2,4}}"),
    ROW("@version=2.21",            "{1,n} {?} 0",           "{1,n,?}"),
    ROW("",                         "{1,n} {?} 0",           "{1,n,?}"),
    ROW("", "[2] [3] -9223372036854775808:int64", "SF103 b"),
};
SF_OP_TEST(ConcatV2, concat_v2)

static const SfOpCase concat_offset[] = {
    ROW("",              "1 {2,3} {2,4}", "{0,0} {0,3}"),
    ROW("@version=2.21", "0 {n,3} {2,3}", "{0,0} {n,0}"),
    ROW("",              "1 [2] [2]",     "[2] [2]"),
    ROW("",              "1 ? [3]",       "? [3]"),
    ROW("",              "! [2] [2]",     "! !"),
    ROW("",              "1 [2,2] [2]",   "deferred SF102 b / [2,2] [2]"),
    ROW("", "-9223372036854775808:int32 [?]:int32 [?]:int32", "[?]:int32 [?]:int32"),
};
SF_OP_TEST(ConcatOffset, concat_offset)

static const SfOpCase parallel_concat[] = {
    ROW("shape=[2,3]", "[1,3] [1,3]", "[2,3]"),
    ROW("shape=[2,3]", "[?,3] ?",     "[2,3]"),
    ROW("shape=[2,3]", "! [1,3]",     "!"),
    ROW("shape=[2,3]", "[1,3] [2,3]", "SF128 b.0 'Size of first dimension must be 1.'"),
    ROW("shape=?",     "[1,3] [1,3]", "SF128 @shape 'shape attr must be fully defined.'"),
};
SF_OP_TEST(ParallelConcat, parallel_concat)

static const SfOpCase pack[] = {
    ROW("",                  "[2,3] [2,3]",        "[2,2,3]"),
    ROW("",                  "[n,3] [n,?]",        "[2,n,3]"),
    ROW("axis=1",            "[n,3] [n,3]",        "[n,2,3]"),
    ROW("axis=-1",           "[2,3] [2,3] [2,3]",  "[2,3,3]"),
    ROW("",                  "? [2,?]",            "[2,2,?]"),
    ROW("axis=1",            "? ?",                "?"),
    ROW("",                  "! [2]",              "!"),
    ROW("",                  "[2,3] [3,3]",        "SF107 a.0 b.0"),
    ROW("",                  "[2] [2,3]",          "SF108 a b"),
    ROW("axis=5",            "[2,3] [2,3]",        "SF111 @axis a"),
    ROW("axis=-4",           "[2,3] [2,3]",        "SF111 @axis a"),
    ROW("@phase=run", "[2,3] [3,3]",
        "SF107 a.0 b.0 'Shapes of all inputs must match: values[0].shape = [2,3] != values[1].shape = [3,3]'"),
    ROW("@phase=run,axis=3", "[2,3] [2,3]",        "SF111 @axis a 'axis = 3 not in [-3, 3)'"),
    ROW("",                  "1 2 3",              "{1,2,3}"),
    ROW("@version=2.21",     "n:int32 2 []:int32", "{n,2,?}"),
    ROW("",                  "n:int32 2 []:int32", "{n,2,?}"),
    ROW("axis=1",            "{1,2} {3,4}",        "{{1,3},{2,4}}"),
    ROW("", "[0,7,4611686018427387904]={}:float [0,7,4611686018427387904]", "[2,0,7,4611686018427387904]"),
};
SF_OP_TEST(Pack, pack)

static const SfOpCase unpack[] = {
    ROW("num=2",                   "[2,n]",         "[n] [n]"),
    ROW("num=2,axis=1",            "[n,?]",         "[n] [n]"),
    ROW("num=3,axis=-1",           "[2,3]",         "[2] [2] [2]"),
    ROW("num=2",                   "?",             "? ?"),
    ROW("num=2",                   "!",             "! !"),
    ROW("num=3",                   "[2,3]",         "SF106 a.0"),
    ROW("num=3,axis=4",            "[2,3]",         "SF111 @axis a"),
    ROW("num=2",                   "[]",            "SF111 @axis a"),
    ROW("num=3,@phase=run",        "[2,3]",         "SF106 a.0 'Input shape axis 0 must equal 3, got shape [2,3]'"),
    ROW("num=2,axis=3,@phase=run", "[3,4]",         "SF111 @axis a 'axis = 3 not in [-2, 2)'"),
    ROW("num=2",                   "{1,2}",         "1 2"),
    ROW("num=2,axis=1",            "{{1,2},{3,4}}", "{1,3} {2,4}"),
};
SF_OP_TEST(Unpack, unpack)

static const SfOpCase split[] = {
    ROW("num_split=2",            "1 [n,4]",        "[n,2] [n,2]"),
    ROW("num_split=2",            "0 [n,4]",        "[?,4] [?,4]"),
    ROW("num_split=2",            "-1 [4,6]",       "[4,3] [4,3]"),
    ROW("num_split=2",            "1 [4,?]",        "[4,?] [4,?]"),
    ROW("num_split=2",            "[]:int32 [4,?]", "[?,?] [?,?]"),
    ROW("num_split=2",            "[]:int32 [4]",   "[2] [2]"),
    ROW("num_split=2",            "[]:int32 [3]",   "deferred SF116 b.0 @num_split / [?] [?]"),
    ROW("num_split=2",            "1 ?",            "? ?"),
    ROW("num_split=2",            "! [4]",          "! !"),
    ROW("num_split=3",            "1 [2,4]",        "SF116 b.1 @num_split"),
    ROW("num_split=2",            "1 [3,2*n+1]",    "deferred SF116 b.1 @num_split / [3,?] [3,?]"),
    ROW("num_split=3",            "4 [2,4]",        "SF128 a 'Dimension size, given by scalar input 4 must be in range [-2, 2)'"),
    ROW("num_split=2",            "0 []",           "SF128 a 'Dimension size, given by scalar input 0 must be in range [-0, 0)'"),
    ROW("num_split=2",            "{0,0} [4]",      "SF102 a"),
    ROW("num_split=3,@phase=run", "1 [2,4]",
        "SF116 b.1 @num_split 'Number of ways to split should evenly divide the split dimension, but got split_dim 1 (siz'"),
    ROW("num_split=2,@phase=run", "3 [4,6]",        "SF128 a '-input rank(-2) <= split_dim < input rank (2), but got 3'"),
    ROW("num_split=2",            "0 {1,2,3,4}",    "{1,2} {3,4}"),
};
SF_OP_TEST(Split, split)

static const SfOpCase split_v[] = {
    ROW("num_split=2",               "[n,6] {2,4} 1",            "[n,2] [n,4]"),
    ROW("num_split=2",               "[n,6] {2,-1} 1",           "[n,2] [n,4]"),
    ROW("num_split=2",               "[4,m] {1,-1} 1",           "[4,1] [4,m-1]"),
    ROW("num_split=2",               "[4,?] {-1,2} 1",           "[4,?] [4,2]"),
    ROW("num_split=2",               "[4,6] [2]:int64 1",        "[4,?] [4,?]"),
    ROW("num_split=2",               "[4,6] [2]:int64 []:int32", "[?,?] [?,?]"),
    ROW("@version=2.21,num_split=2", "[4,6] {2,?} 1",            "[4,2] [4,?]"),
    ROW("num_split=2",               "? {1,2} 1",                "? ?"),
    ROW("num_split=2",               "! {1,2} 1",                "! !"),
    ROW("num_split=2",               "[2,4] {1,2} 1",            "SF128 b a.1 'can'"),
    ROW("num_split=2",               "[2,4] {-1,-1} 1",          "SF128 b 'size_splits can only have one -1'"),
    ROW("num_split=2", "[2,4] {1,2,3} 1",
        "SF128 b @num_split 'Length of size_splits should be equal to num_outputs'"),
    ROW("num_split=2",               "[2,4] {-2,6} 1",           "SF128 b a.1 'Split size at index 0 must be >= 0. Got: -2'"),
    ROW("num_split=2",               "[2,4] {-1,7} 1",           "SF128 b a.1 'can'"),
    ROW("@version=2.21,num_split=2", "[2,4] {-1,7} 1",           "SF128 b a.1 'Split size at index 0 must be >= 0. Got: -3'"),
    ROW("num_split=2", "[2,4] {-1,2} 2",
        "SF128 c 'Dimension size, given by scalar input 2 must be in range [-2, 2)'"),
    ROW("num_split=2",               "[] {1,1} []:int32",        "SF128 a 'Can'"),
    ROW("num_split=2,@phase=run", "[2,4] {1,2} 1",
        "SF128 b a.1 'Determined shape must either match input shape along split_dim exactly if fully specified,'"),
    ROW("num_split=2,@phase=run",    "[2,4] {-1,-1} 1",          "SF128 b 'There can only be one -1 in the input.'"),
    ROW("num_split=2",               "{1,2,3} {1,2} 0",          "{1} {2,3}"),
    ROW("num_split=1,@phase=run",    "[5,2] {{2}} 1",
        "SF128 b @num_split 'size of the split_tensor must be 1-D and have the same elements as outputs got 2 -D and 1 elements'"),
    ROW("num_split=2,@phase=run",    "[5,2] [3]:int64 1",
        "SF128 b @num_split 'size of the split_tensor must be 1-D and have the same elements as outputs got 1 -D and 3 elements'"),
    ROW("num_split=1,@version=2.21", "[5] {-1} 0", "deferred SF128 b a.0 'Input size: 5 output size: -1' / [5]"),
};
SF_OP_TEST(SplitV, split_v)

/* clang-format on */
