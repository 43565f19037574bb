/* Rows of ops on shapes; expectations asked of TensorFlow 1.8, 1.15 and 2.21.
 * The block `reshape` is table 1 of Verma and Su 2020; where the paper says bottom for a desired shape
 * that is not known, TensorFlow gives what rank is known, and so do we. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase reshape[] = {
    ROW("",                           "? {2,3}",              "[2,3]"),
    ROW("",                           "? {-1,3}",             "[?,3]"),
    ROW("",                           "? [2]:int32",          "[?,?]"),
    ROW("",                           "? [?]:int32",          "?"),
    ROW("",                           "? ?:int32",            "?"),
    ROW("",                           "[2,?] {4,3}",          "[4,3]"),
    ROW("",                           "[?,3] {-1,3}",         "[?,3]"),
    ROW("",                           "[2,?] {4,-1}",         "[4,?]"),
    ROW("",                           "[4,?] {2,-1,3}",       "[2,?,3]"),
    ROW("",                           "[2,?] [2]:int32",      "[?,?]"),
    ROW("",                           "[2,?] ?:int32",        "?"),
    ROW("",                           "[2,3] {3,2}",          "[3,2]"),
    ROW("",                           "[2,3] {-1,2}",         "[3,2]"),
    ROW("",                           "[2,3] [3]:int32",      "[?,?,?]"),
    ROW("",                           "[2,3] ?:int32",        "?"),
    ROW("",                           "[n,28,28] {-1,784}",   "[n,784]"),
    ROW("",                           "[n,28,28] {n,-1}",     "[n,784]"),
    ROW("",                           "[n,784] {-1,28,28,1}", "[n,28,28,1]"),
    ROW("",                           "[n,m] {-1}",           "[?]"),
    ROW("",                           "[2,3] {?,2}",          "[3,2]"),
    ROW("",                           "[2,3] {?,?}",          "[?,?]"),
    ROW("",                           "[2,3] {}",             "SF104 a b"),
    ROW("",                           "[] {}",                "[]"),
    ROW("",                           "[1,1] {}",             "[]"),
    ROW("",                           "[0,3] {-1}",           "[0]"),
    ROW("",                           "! {2,3}",              "!"),
    ROW("",                           "[2,3] {4}",            "SF104 a b"),
    ROW("",                           "[2,3] {4,-1}",         "SF109 a b"),
    ROW("",                           "[2,3] {0,-1}",         "SF104 a b"),
    ROW("",                           "[2,3] {-2}",           "SF130 b"),
    ROW("",                           "[2,3] 6:int32",        "SF102 b"),
    ROW("",                           "[?,4] {3}",            "SF109 a b"),
    ROW("",                           "[?,?,4] {3}",          "deferred SF126 a b / [3]"),
    ROW("",                           "[n,m,4] {3}",          "deferred SF109 a b / [3]"),
    ROW("",                           "[n,4] {n,3}",          "[n,3]"),
    ROW("",                           "[2,3] {-1,-1}",        "deferred SF128 b 'Only one' / [?,?]"),
    ROW("@phase=run", "[2,3] {4}",
        "SF126 a b 'Input to reshape is a tensor with 6 values, but the requested shape has 4'"),
    ROW("@phase=run", "[2,3] {4,-1}",
        "SF109 a b 'Input to reshape is a tensor with 6 values, but the requested shape requires a multiple of'"),
    ROW("@phase=run",                 "[2,3] {-1,-1}",        "SF128 b 'Only one input size may be -1, not both 0 and 1'"),
    ROW("@phase=run",                 "[2,3] {5,-2}",         "SF130 b 'Size 1 must be non-negative, not -2'"),
    ROW("@phase=run",                 "[0,3] {0,-1}",         "[0,3]"),
    ROW("@phase=run", "[?,?,4] {3}",
        "SF126 a b 'Input to reshape is a tensor with ? values, but the requested shape has 3'"),
    ROW("@phase=eager,@version=2.21", "[2,3] 6:int32",        "[6]"),
    ROW("",                           "{1,2,3,4} {2,2}",      "{{1,2},{3,4}}"),
};
SF_OP_TEST(Reshape, reshape)

static const SfOpCase identity[] = {
    ROW("",             "[n,3]", "[n,3]"),
    ROW("",             "[2,?]", "[2,?]"),
    ROW("",             "?",     "?"),
    ROW("",             "!",     "!"),
    ROW("",             "{1,2}", "{1,2}"),
    ROW("@version=1.8", "{1,2}", "[2]"),
};
SF_OPS_TEST(array, identity, "Identity", "Snapshot", "StopGradient", "PreventGradient", "Copy",
             "CopyHost")

static const SfOpCase identity_n[] = {
    ROW("", "[n,3] [2]:int32", "[n,3] [2]"),
    ROW("", "? [2,?]",         "? [2,?]"),
    ROW("", "! [2]",           "! !"),
    ROW("", "{1,2} {3.0}",     "{1,2} {3.0}"),
};
SF_OP_TEST(IdentityN, identity_n)

static const SfOpCase ref_identity[] = {
    ROW("", "&[2,3]", "[2,3]"),
    ROW("", "?", "?"),
    ROW("", "&[2,?]", "[2,?]"),
};
SF_OP_TEST(RefIdentity, ref_identity)

static const SfOpCase ensure_shape[] = {
    ROW("shape=[2,?]",            "[?,3]", "[2,3]"),
    ROW("shape=[?,?]",            "[n,3]", "[n,3]"),
    ROW("shape=[2,?]",            "?",     "[2,?]"),
    ROW("shape=?",                "[2,?]", "[2,?]"),
    ROW("shape=[2,?]",            "!",     "!"),
    ROW("shape=[2,?]",            "[3,3]", "SF107 @shape a.0"),
    ROW("shape=[2,?]",            "[3]",   "SF102 a"),
    ROW("shape=[2,?],@phase=run", "[3,3]", "SF107 @shape a.0 'Shape of tensor input [3,3] is not compatible with expected shape [2,?].'"),
    ROW("shape=[2]",              "{1,2}", "{1,2}"),
};
SF_OP_TEST(EnsureShape, ensure_shape)

static const SfOpCase shape[] = {
    ROW("",               "[2,3]", "{2,3}"),
    ROW("",               "[n,3]", "{n,3}"),
    ROW("out_type=int64", "[n,?]", "{n,?}"),
    ROW("",               "[]",    "{}"),
    ROW("",               "?",     "[?]"),
    ROW("",               "!",     "!"),
};
SF_OP_TEST(Shape, shape)

static const SfOpCase shape_n[] = {
    ROW("", "[2,3] [n]", "{2,3} {n}"),
    ROW("", "[2,3] [2]", "[2] [1]"),
    ROW("", "? [2,?]",   "[?] {2,?}"),
    ROW("", "! [2]",     "! !"),
};
SF_OP_TEST(ShapeN, shape_n)

static const SfOpCase size[] = {
    ROW("", "[2,3]", "6"),
    ROW("", "[n,3]", "3*n"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?",     "[]"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(Size, size)

static const SfOpCase rank[] = {
    ROW("", "[n,?]", "2"),
    ROW("", "[]",    "0"),
    ROW("", "?",     "[]"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(Rank, rank)

static const SfOpCase expand_dims[] = {
    ROW("",           "[n,3] 0",        "[1,n,3]"),
    ROW("",           "[n,3] 1",        "[n,1,3]"),
    ROW("",           "[n,3] -1",       "[n,3,1]"),
    ROW("",           "[2,3] {1}",      "[2,1,3]"),
    ROW("",           "[2,3] []:int32", "[?,?,?]"),
    ROW("",           "? 0",            "?"),
    ROW("",           "! 0",            "!"),
    ROW("",           "[2,3] 4",        "SF111 b a"),
    ROW("",           "[2,3] -4",       "SF111 b a"),
    ROW("",           "[2,3] {1,1}",    "SF128 b"),
    ROW("@phase=run", "[2,3] 4",        "SF111 b a 'Tried to expand dim index 4 for tensor with 2 dimensions.'"),
    ROW("",           "5:int32 0",      "{5}"),
    ROW("",           "{1,2} -1",       "{{1},{2}}"),
};
SF_OP_TEST(ExpandDims, expand_dims)

static const SfOpCase squeeze[] = {
    ROW("",                            "[1,2,1,3]", "[2,3]"),
    ROW("",                            "[1,?,3]",   "?"),
    ROW("",                            "[1,n+2,3]", "[n+2,3]"),
    ROW("squeeze_dims=[0]",            "[1,n,1]",   "[n,1]"),
    ROW("squeeze_dims=[1]",            "[2,?,3]",   "[2,3]"),
    ROW("squeeze_dims=[-3]",           "[1,2,3]",   "[2,3]"),
    ROW("squeeze_dims=[0]",            "?",         "?"),
    ROW("",                            "?",         "?"),
    ROW("",                            "!",         "!"),
    ROW("squeeze_dims=[1]",            "[2,3]",     "SF123 a.1 @squeeze_dims"),
    ROW("squeeze_dims=[5]",            "[2,3]",     "SF111 @squeeze_dims a"),
    ROW("squeeze_dims=[1],@phase=run", "[2,3]",     "SF123 a.1 @squeeze_dims 'Can not squeeze dim[1], expected a dimension of 1, got 3'"),
    ROW("squeeze_dims=[5],@phase=run", "[2,3]",     "SF111 @squeeze_dims a 'Tried to squeeze dim index 5 for tensor with 2 dimensions.'"),
    ROW("",                            "{{1,2}}",   "{1,2}"),
};
SF_OP_TEST(Squeeze, squeeze)

static const SfOpCase transpose[] = {
    ROW("",           "[n,3] {1,0}",       "[3,n]"),
    ROW("",           "[2,3,4] {2,0,1}",   "[4,2,3]"),
    ROW("",           "[2,3] {1,-2}",      "[3,2]"),
    ROW("",           "[2,?] {1,0}",       "[?,2]"),
    ROW("",           "[2,3] [2]:int32",   "[?,?]"),
    ROW("",           "[2,3] ?:int32",     "[?,?]"),
    ROW("",           "? {1,0}",           "[?,?]"),
    ROW("",           "? [2]:int32",       "[?,?]"),
    ROW("",           "? [1]:int32",       "?"),
    ROW("",           "[n] ?:int32",       "[n]"),
    ROW("",           "? ?:int32",         "?"),
    ROW("",           "! {1,0}",           "!"),
    ROW("",           "[2,3] {0,2}",       "SF111 b a"),
    ROW("",           "[2,3] {0}",         "SF106 b.0 a"),
    ROW("",           "[2,3] [1,2]:int32", "SF102 b"),
    ROW("@phase=run", "[2,3] {0}",         "SF106 b.0 a 'transpose expects a vector of size 2. But input(1) is a vector of size 1'"),
    ROW("@phase=run", "[2,3] {0,2}",       "SF111 b a '2 is out of range [0 .. 2)'"),
    ROW("@phase=run", "[2,3] {0,0}",       "SF128 b '1 is missing from {0,0}.'"),
    ROW("@phase=run", "[2,3] {{1,0}}",     "SF102 b 'perm must be rank 1, got shape [1,2]'"),
};
SF_OPS_TEST(array, transpose, "Transpose", "ConjugateTranspose")

static const SfOpCase transpose_value[] = {
    ROW("", "{{1,2,3},{4,5,6}} {1,0}", "{{1,4},{2,5},{3,6}}"),
    ROW("", "{{1,2,3},{4,5,6}} {0,0}", "deferred SF128 b '1 is missing from {0,0}.' / [2,2]"),
};
SF_OP_TEST(Transpose, transpose_value)

static const SfOpCase invert_permutation[] = {
    ROW("",           "{2,0,1}", "{1,2,0}"),
    ROW("",           "[n]",     "[n]"),
    ROW("",           "[?]",     "[?]"),
    ROW("",           "?",       "[?]"),
    ROW("",           "!",       "!"),
    ROW("",           "[2,3]",   "SF102 a"),
    ROW("@phase=run", "{1,1}",   "SF128 a '1 is duplicated in the input.'"),
    ROW("@phase=run", "{1,2}",   "SF128 a '2 is not between 0 and 2'"),
};
SF_OP_TEST(InvertPermutation, invert_permutation)

static const SfOpCase fill[] = {
    ROW("",           "{2,3} 1.0",       "{{1.0,1.0,1.0},{1.0,1.0,1.0}}"),
    ROW("",           "{n,3} 1.0",       "[n,3]"),
    ROW("",           "{2,?} 1.0",       "[2,?]"),
    ROW("",           "[2]:int32 1.0",   "[?,?]"),
    ROW("",           "?:int32 1.0",     "?"),
    ROW("",           "{} 1.0",          "1.0"),
    ROW("",           "{2,3} ?",         "[2,3]"),
    ROW("",           "! 1.0",           "!"),
    ROW("",           "{2,-1} 1.0",      "SF130 a"),
    ROW("",           "{2,3} [2]",       "SF102 b"),
    ROW("",           "3 1.0",           "SF102 a"),
    ROW("@phase=run", "{2,-1} 1.0",      "SF130 a 'Dimension -1 must be >= 0'"),
    ROW("@phase=run", "{2,3} [2]",       "SF102 b 'value must represent a scalar, got shape [2]'"),
    ROW("@phase=run", "2 1.0",           "{1.0,1.0}"),
    ROW("@phase=run", "[1,2]:int32 1.0", "SF102 a 'dims must represent a vector, got shape [1,2]'"),
};
SF_OP_TEST(Fill, fill)

static const SfOpCase broadcast_to[] = {
    ROW("",           "[3] {2,3}",       "[2,3]"),
    ROW("",           "[n,1] {n,3}",     "[n,3]"),
    ROW("",           "[3] {2,?}",       "[2,3]"),
    ROW("",           "[1] {2,?}",       "[2,?]"),
    ROW("",           "[3] [2]:int32",   "[?,3]"),
    ROW("",           "[?] {2,4}",       "[2,4]"),
    ROW("",           "? {2,3}",         "[2,3]"),
    ROW("",           "? ?:int32",       "?"),
    ROW("",           "! {2,3}",         "!"),
    ROW("",           "[3] {2,4}",       "SF101 a.0 b"),
    ROW("",           "[2,3] {3}",       "SF105 a"),
    ROW("",           "[2,3] [1]:int32", "SF105 a"),
    ROW("@phase=run", "[3] {2,4}",       "SF113 a.0 b 'Incompatible shapes: [3] vs. [2,4]'"),
    ROW("@phase=run", "[2,3] {3}",       "SF105 a 'Rank of input (2) must be no greater than rank of output shape (1).'"),
    ROW("",           "{1,2} {2,2}",     "{{1,2},{1,2}}"),
};
SF_OP_TEST(BroadcastTo, broadcast_to)

static const SfOpCase broadcast_args[] = {
    ROW("",              "{2,1} {3}", "{2,3}"),
    ROW("",              "[2] [3]",   "[3]"),
    ROW("@version=2.21", "{n,1} {3}", "{n,3}"),
    ROW("",              "? [3]",     "[?]"),
    ROW("",              "! [3]",     "!"),
    ROW("",              "[2,2] [3]", "SF102 a"),
    ROW("@phase=run",    "{2,4} {3}", "SF113 a b 'Incompatible shapes: [2,4] vs. [3]'"),
    ROW("@phase=run",    "{-5,1} {5,6}", "SF113 a b 'Incompatible shapes: [-5,1] vs. [5,6]'"),
    ROW("@phase=run",    "{-1,2} {2}", "{?,2}"),
};
SF_OP_TEST(BroadcastArgs, broadcast_args)

static const SfOpCase broadcast_gradient_args[] = {
    ROW("",           "{2,1} {3}",       "{1} {0}"),
    ROW("", "[?] {3}", "[?] [?]"),
    ROW("",           "{2,1,3} {2,1,3}", "{} {}"),
    ROW("",           "{1} {1}",         "{} {}"),
    ROW("",           "{4} {2,1}",       "{0} {1}"),
    ROW("",           "[2] [3]",         "[?] [?]"),
    ROW("",           "? ?",             "[?] [?]"),
    ROW("",           "! [3]",           "! !"),
    ROW("",           "[2,2] [3]",       "SF102 a"),
    ROW("@phase=run", "{2,4} {3}",       "SF113 a b 'Incompatible shapes: [2,4] vs. [3]'"),
};
SF_OP_TEST(BroadcastGradientArgs, broadcast_gradient_args)

/* clang-format on */
