/* Rows of constants and placeholders; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase constant[] = {
    ROW("value={1,2}:int32,dtype=int32",         "", "{1,2}"),
    ROW("value=1.5:float,dtype=float",           "", "1.5"),
    ROW("value='a':string,dtype=string",         "", "'a'"),
    ROW("value={{1,2},{3,4}}:int64,dtype=int64", "", "{{1,2},{3,4}}"),
};
SF_OPS_TEST(constant, constant, "Const", "HostConst")

static const SfOpCase immutable[] = {
    ROW("dtype=float,shape=[2,3],memory_region_name='m'", "", "[2,3]"),
    ROW("dtype=float,shape=[2,?],memory_region_name='m'", "", "deferred SF129 @shape / [2,?]"),
};
SF_OP_TEST(ImmutableConst, immutable)

static const SfOpCase placeholder[] = {
    ROW("dtype=float,shape=[2,3]",            "", "[2,3]"),
    ROW("dtype=float,shape=[]",               "", "[]"),
    ROW("dtype=float,shape=?",                "", "?"),
    ROW("dtype=float",                        "", "?"),
    ROW("dtype=float,shape=[?,3],@phase=run", "", "[?,3]"),
};
SF_OP_TEST(Placeholder, placeholder)

static const SfOpCase placeholder_v2[] = {
    ROW("dtype=float,shape=[2,3]",            "", "[2,3]"),
    ROW("dtype=float,shape=?",                "", "?"),
    ROW("dtype=float,shape=[?,3],@phase=run", "", "[?,3]"),
};
SF_OP_TEST(PlaceholderV2, placeholder_v2)

static const SfOpCase with_default[] = {
    ROW("shape=[2,3]",            "[2,3]", "[2,3]"),
    ROW("shape=[2,3]", "[?,3]", "[2,3]"),
    ROW("shape=?",                "[2,3]", "?"),
    ROW("shape=[2,3]",            "?",     "[2,3]"),
    ROW("shape=[2,3]",            "!",     "!"),
    ROW("shape=[2,4]",            "[2,3]", "SF107 a.1 @shape"),
    ROW("shape=[2]",              "[2,3]", "SF108 a @shape"),
    ROW("shape=[?,3],@phase=run", "[2,3]", "[2,3]"),
    ROW("shape=[2]",              "{1,2}", "[2]"),
    ROW("shape=[2],@phase=run",   "{1,2}", "{1,2}"),
};
SF_OP_TEST(PlaceholderWithDefault, with_default)

static const SfOpCase empty[] = {
    ROW("dtype=float",            "{2,3}",  "[2,3]"),
    ROW("dtype=float",            "{2,n}",  "[2,n]"),
    ROW("dtype=float",            "{2,-1}", "deferred SF130 a / [2,?]"),
    ROW("dtype=float",            "[2]",    "[?,?]"),
    ROW("dtype=float",            "?",      "?"),
    ROW("dtype=float",            "!",      "!"),
    ROW("dtype=float",            "{2,-2}", "SF130 a"),
    ROW("dtype=float",            "2",      "SF102 a"),
    ROW("dtype=float,@phase=run", "{2,-1}", "SF130 a 'Dimension -1 must be >= 0'"),
};
SF_OP_TEST(Empty, empty)

static const SfOpCase copies[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[2,?]", "[2,?]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OPS_TEST(constant, copies, "DeepCopy", "GuaranteeConst")

static const SfOpCase inplace[] = {
    ROW("",           "[n,3] [1] [1,3]", "[n,3]"),
    ROW("", "[2,3] [1] [1,3]", "[2,3]"),
    ROW("",           "[2,?] [1] [1,3]", "[2,?]"),
    ROW("",           "? [1] [1,3]",     "?"),
    ROW("",           "! [1] [1,3]",     "!"),
    ROW("@phase=run", "[2,3] {0} [1,4]", "SF128 a.1 c.1 'x and v shape doesn'"),
    ROW("@phase=run", "[2,3] {0} [1]",   "SF128 a c 'x and v shape doesn'"),
    ROW("",           "[2,3] [1] [1,4]", "deferred SF128 a.1 c.1 'x and v shape doesn' / [2,3]"),
    ROW("",           "[2,3] [2] [1,3]", "deferred SF128 b.0 c.0 'i and x shape doesn' / [2,3]"),
    ROW("",           "[2,3] [1,1] [1,3]", "deferred SF102 b 'i must be a vector. [1,1]' / [2,3]"),
    ROW("",           "[2,3] [?] [1,3]", "[2,3]"),
    ROW("@phase=run", "[] [1] []",       "SF128 b.0 c.0 'i and x shape doesn't match at index 0: [1] vs. []'"),
};
SF_OPS_TEST(constant, inplace, "InplaceUpdate", "InplaceAdd", "InplaceSub")

/* clang-format on */
