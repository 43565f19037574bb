/* Rows of the elementwise ops of many operands; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase add_n[] = {
    ROW("",           "[2,3] [2,3]",             "[2,3]"),
    ROW("",           "[n,3] [n,?] [?,3]",       "[n,3]"),
    ROW("",           "? [2,?]",                 "[2,?]"),
    ROW("",           "? ?",                     "?"),
    ROW("",           "! [2]",                   "!"),
    ROW("",           "[2,3] [2,3] [3,3]",       "SF107 b.0 c.0"),
    ROW("",           "[2] [2,3]",               "SF108 a b"),
    ROW("@phase=run", "[2,3] [2,3] [3,3]",
        "SF107 b.0 c.0 'Inputs to operation AddN of type AddN must have the same size and shape.  Input 0: [2,3] !'"),
    ROW("",           "{1,2} {10,20} {100,200}", "{111,222}"),
};
SF_OP_TEST(AddN, add_n)

static const SfOpCase accumulate[] = {
    ROW("shape=[2]",   "[2] [2]",     "[2]"),
    ROW("shape=[?,3]", "[2,3] [2,?]", "[?,3]"),
    ROW("shape=?",     "[2] ?",       "?"),
    ROW("shape=[2]",   "! [2]",       "!"),
};
SF_OP_TEST(AccumulateNV2, accumulate)

static const SfOpCase select[] = {
    ROW("",              "[2,3] [2,3] [2,3]",                        "[2,3]"),
    ROW("",              "[n] [n,3] [n,3]",                          "[n,3]"),
    ROW("",              "[n] [?,3] [?,3]",                          "[n,3]"),
    ROW("",              "[] [2,3] [2,?]",                           "[2,3]"),
    ROW("",              "? [2,3] ?",                                "[2,3]"),
    ROW("",              "[2] ? ?",                                  "?"),
    ROW("",              "! [2] [2]",                                "!"),
    ROW("",              "[2] [3,2] [3,2]",                          "SF107 a.0 b.0"),
    ROW("",              "[2,3] [3,2] [3,2]",                        "SF107 b.0 a.0"),
    ROW("",              "[2] [] []",                                "SF108 b a"),
    ROW("",              "[3] [3,2] [3,4]",                          "SF107 b.1 c.1"),
    ROW("@phase=run",    "[2] [3,2] [3,2]",                          "SF107 a.0 b.0 'Number of batches of'"),
    ROW("@phase=run", "[2,3] [3,2] [3,2]",
        "SF107 b.0 a.0 'Inputs to operation Select of type Select must have the same size and shape.  Input 0: [2,'"),
    ROW("@phase=run",    "[3] [3,2] [3,4]",                          "SF107 b.1 c.1"),
    ROW("",              "{true,false} {1,2} {3,4}",                 "{1,4}"),
    ROW("",              "{true,false} {{1,2},{3,4}} {{5,6},{7,8}}", "{{1,2},{7,8}}"),
    ROW("",              "true {1,2} {3,4}",                         "{1,2}"),
    ROW("@version=2.21", "[2] {1,2} {1,5}",                          "{1,?}"),
};
SF_OP_TEST(Select, select)

static const SfOpCase select_v2[] = {
    ROW("",                         "[2,3] [2,3] [2,3]",    "[2,3]"),
    ROW("",                         "[n,1] [3] []",         "[n,3]"),
    ROW("",                         "[2,?] [2,3] [2,3]",    "[2,3]"),
    ROW("",                         "? [2,3] [3]",          "?"),
    ROW("",                         "? ? ?",                "?"),
    ROW("",                         "! [2] [2]",            "!"),
    ROW("",                         "[2] [3,4] [3,4]",      "SF101 a.0 b.1"),
    ROW("",                         "[3] [2,3] [2,4]",      "SF101 b.1 c.1"),
    ROW("@phase=run,@version=2.21", "[2] [3,4] [3,4]",
        "SF101 a.0 b.1 'condition [2], then [3,4], and else [3,4] must be broadcastable'"),
    ROW("",                         "{true,false} {1,2} 9", "{1,9}"),
};
SF_OP_TEST(SelectV2, select_v2)

static const SfOpCase clip[] = {
    ROW("",           "[n,3] [] []",    "[n,3]"),
    ROW("",           "[2,?] [] [2,3]", "[2,?]"),
    ROW("",           "? [] []",        "?"),
    ROW("",           "! [] []",        "!"),
    ROW("",           "[2,3] [4] [2]",  "deferred SF128 a b / [2,3]"),
    ROW("@phase=run", "[2,3] [4] []",
        "SF128 a b 'clip_value_min and clip_value_max must be either of the same shape as input, or a scalar.'"),
    ROW("@phase=run", "[2,3] [] [2]",
        "SF128 a c 'clip_value_min and clip_value_max must be either of the same shape as input, or a scalar.'"),
    ROW("@phase=run", "[2,3] [2,3] []", "[2,3]"),
    ROW("",           "{1,5,9} 2 6",    "{2,5,6}"),
    ROW("",           "{1,5,9} {2,2} 6", "deferred SF128 a b / [3]"),
};
SF_OP_TEST(ClipByValue, clip)

static const SfOpCase bias_add[] = {
    ROW("",           "[2,3] [3]",     "[2,3]"),
    ROW("",           "[n,?] [3]",     "[n,3]"),
    ROW("",           "[n,4,4,3] [?]", "[n,4,4,3]"),
    ROW("",           "? [3]",         "?"),
    ROW("",           "[2,3] ?",       "[2,3]"),
    ROW("",           "! [3]",         "!"),
    ROW("",           "[2,3] [4]",     "SF101 a.1 b.0"),
    ROW("",           "[2] [4]",       "SF103 a"),
    ROW("",           "[2,3] [3,1]",   "SF102 b"),
    ROW("@phase=run", "[2,3] [4]",
        "SF101 a.1 b.0 'Must provide as many biases as the last dimension of the input tensor: [4] vs. [2,3]'"),
    ROW("@phase=run", "[2] [4]",       "SF103 a 'Input tensor must be at least 2D: [2]'"),
    ROW("@phase=run", "[2,3] [3,1]",   "SF102 b 'Biases must be 1D: [3,1]'"),
};
SF_OPS_TEST(elementwise_many, bias_add, "BiasAdd", "BiasAddV1")

static const SfOpCase bias_add_nchw[] = {
    ROW("data_format=NCHW",            "[n,3,4,5] [3]", "[n,3,4,5]"),
    ROW("data_format=NCHW",            "[n,?,4,5] [3]", "[n,3,4,5]"),
    ROW("data_format=NCHW",            "[2,3,4] [4]",   "SF101 a.1 b.0"),
    ROW("data_format=NCHW",            "[2,3] [3]",     "SF103 a"),
    ROW("data_format=NCHW,@phase=run", "[2,3,4,5] [4]",
        "SF101 a.1 b.0 'Must provide as many biases as the channel dimension of the input tensor: [4] vs. 3 in [2,'"),
};
SF_OP_TEST(BiasAdd, bias_add_nchw)

static const SfOpCase bias_add_grad[] = {
    ROW("",                 "[n,4,4,3]", "[3]"),
    ROW("", "[2,4,4,3]", "[3]"),
    ROW("",                 "[2,?]",     "[?]"),
    ROW("data_format=NCHW", "[n,3,4,4]", "[3]"),
    ROW("",                 "?",         "[?]"),
    ROW("",                 "!",         "!"),
    ROW("",                 "[2]",       "SF103 a"),
    ROW("data_format=NCHW", "[2,3]",     "SF103 a"),
    ROW("@phase=run",       "[2]",       "SF103 a 'Input tensor must be at least 2D: [2]'"),
};
SF_OP_TEST(BiasAddGrad, bias_add_grad)

static const SfOpCase betainc[] = {
    ROW("", "[n,3] [n,3] [n,3]", "[n,3]"),
    ROW("", "[] [2,?] []",       "[2,?]"),
    ROW("", "[] [] []",          "[]"),
    ROW("", "[2] [] [2]",        "[2]"),
    ROW("", "[?,3] [2,?] []",    "[2,3]"),
    ROW("", "? [] []",           "?"),
    ROW("", "? [2] []",          "[2]"),
    ROW("", "! [] []",           "!"),
    ROW("", "[2] [3] [2]",       "SF107 a.0 b.0"),
    ROW("@phase=run", "[2] [3] [2]", "SF107 a.0 b.0 'Shapes of a and b are inconsistent: [2] vs. [3]'"),
    ROW("@phase=run", "[2] [] [3]",  "SF107 a.0 c.0 'Shapes of a and x are inconsistent: [2] vs. [3]'"),
};
SF_OP_TEST(Betainc, betainc)

static const SfOpCase scans[] = {
    ROW("",           "[n,3] 1",         "[n,3]"),
    ROW("", "[2,3] 1", "[2,3]"),
    ROW("",           "[2,?] 0",         "[2,?]"),
    ROW("",           "? 0",             "?"),
    ROW("",           "! 0",             "!"),
    ROW("",           "[2,3] 4",         "deferred SF111 b a / [2,3]"),
    ROW("@phase=run", "[2,3] 4",         "SF111 b a 'ScanOp: Expected scan axis in the range [-2, 2), but got 4'"),
    ROW("@phase=run", "[2,3] -3",        "SF111 b a 'ScanOp: Expected scan axis in the range [-2, 2), but got -3'"),
    ROW("@phase=run", "[2,3] [2]:int32", "SF128 b 'ScanOp: axis must be a scalar, not [2]'"),
};
SF_OPS_TEST(elementwise_many, scans, "Cumsum", "Cumprod", "CumulativeLogsumexp")

static const SfOpCase cumsum[] = {
    ROW("",                            "{1,2,3} 0",       "{1,3,6}"),
    ROW("",                            "{{1,2},{3,4}} 1", "{{1,3},{3,7}}"),
    ROW("",                            "{{1,2},{3,4}} 0", "{{1,2},{4,6}}"),
    ROW("exclusive=true",              "{1,2,3} 0",       "{0,1,3}"),
    ROW("reverse=true",                "{1,2,3} 0",       "{6,5,3}"),
    ROW("exclusive=true,reverse=true", "{1,2,3} 0",       "{5,3,0}"),
    ROW("@version=2.21",               "{1,?,3} 0",       "{1,?,?}"),
};
SF_OP_TEST(Cumsum, cumsum)

static const SfOpCase cumprod[] = {
    ROW("",               "{1,2,3} -1",  "{1,2,6}"),
    ROW("exclusive=true", "{2.0,3.0} 0", "{1.0,2.0}"),
};
SF_OP_TEST(Cumprod, cumprod)

static const SfOpCase checks[] = {
    ROW("message='m'", "[n,3]", "[n,3]"),
    ROW("message='m'", "[2,3]", "[2,3]"),
    ROW("message='m'", "?",     "?"),
    ROW("message='m'", "!",     "!"),
};
SF_OPS_TEST(elementwise_many, checks, "CheckNumerics", "CheckNumericsV2")

static const SfOpCase l2_loss[] = {
    ROW("", "[n,3]",     "[]"),
    ROW("", "?",         "[]"),
    ROW("", "!",         "!"),
    ROW("", "{3.0,4.0}", "12.5"),
};
SF_OP_TEST(L2Loss, l2_loss)

/* clang-format on */
