/* Rows of clustering, isotonic regression and fingerprints; what the kernels of 2.21 do. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase kmc2[] = {
    ROW("",             "[5] []",   "[]:int64"),
    ROW("",             "[?] []",   "[]"),
    ROW("",             "? ?",      "[]"),
    ROW("",             "[5,2] []", "deferred SF102 a 'Input distances should be a vector.' / []"),
    ROW("",             "[0] []",   "deferred SF128 a.0 'Expected distances_tensor.size() > 0.' / []"),
    ROW("@phase=eager", "[5] [1]",  "SF102 b 'Input seed should be a scalar.'"),
};
SF_OP_TEST(KMC2ChainInitialization, kmc2)

static const SfOpCase kmeans[] = {
    ROW("",             "[5,3] 2 0 1", "[2,3]"),
    ROW("",             "[n,3] 2 0 1", "[2,3]"),
    ROW("",             "? [] [] []",  "[?,?]"),
    ROW("",             "[5,3] 6 0 1",
        "deferred SF128 b a.0 'Expected num_to_sample <= points.rows(). 6 vs. 5.' / [6,3]"),
    ROW("",             "[5,3] 0 0 1", "deferred SF128 b 'Expected num_to_sample > 0.' / [0,3]"),
    ROW("@phase=eager", "[5] 2 0 1",   "SF102 a 'Input points should be a matrix.'"),
};
SF_OP_TEST(KmeansPlusPlusInitialization, kmeans)

static const SfOpCase neighbors[] = {
    ROW("",             "[5,3] [4,3] 2",  "[5,2]:int64 [5,2]:float"),
    ROW("",             "[n,3] [4,3] 7",  "[n,4] [n,4]"),
    ROW("",             "[5,3] [?,3] 2",  "[5,?] [5,?]"),
    ROW("",             "? ? []",         "[?,?] [?,?]"),
    ROW("",             "[5,3] [4,2] 2",
        "deferred SF101 a.1 b.1 'Expected point_dimensions == center_dimensions: 3 vs 2.' / [5,2] [5,2]"),
    ROW("@phase=eager", "[5,3] [4,3] {2}", "SF102 c 'Input k should be a scalar.'"),
    ROW("",             "[0,3] [4,3] 2",
        "deferred SF128 a.0 'Expected points.rows() > 0.' / [0,2] [0,2]"),
};
SF_OP_TEST(NearestNeighbors, neighbors)

static const SfOpCase isotonic[] = {
    ROW("",                    "[n,3]",     "[n,3]:float [n,3]:int32"),
    ROW("output_dtype=double", "[3]:int32", "[3]:double [3]:int32"),
    ROW("",                    "?",         "? ?"),
    ROW("",                    "!",         "! !"),
};
SF_OP_TEST(IsotonicRegression, isotonic)

static const SfOpCase fingerprint[] = {
    ROW("", "[n,4]:string 'farmhash64'", "[n,8]:uint8"),
    ROW("", "? 'farmhash64'",            "[?,8]"),
    ROW("", "[3] []",                    "[3,?]"),
    ROW("", "[] 'farmhash64'",           "SF103 a"),
    ROW("", "[3] 'xx'",                  "SF128 b 'Unsupported method: xx'"),
    ROW("", "[3] {'farmhash64'}",        "SF102 b"),
    ROW("@phase=eager", "[] 'farmhash64'",    "SF103 a '`data` should have at least one dimension: []'"),
    ROW("@phase=eager", "[3] 'xx'",           "SF128 b 'Unsupported fingerprint method: xx'"),
    ROW("@phase=eager", "[3] {'farmhash64'}", "SF102 b '`method` should be a scalar string: [1]'"),
};
SF_OP_TEST(Fingerprint, fingerprint)

static const SfOpCase fprint[] = {
    ROW("",             "[n]",   "[n,2]:int64"),
    ROW("", "[2]", "[2,2]"),
    ROW("",             "?",     "[?,2]"),
    ROW("",             "[3,2]", "SF102 a"),
    ROW("@phase=eager", "[3,2]", "SF102 a 'Input must be a vector, got shape [3,2]'"),
};
SF_OP_TEST(SdcaFprint, fprint)

static const SfOpCase fact[] = {
    ROW("", "", "[]:string"),
};
SF_OP_TEST(Fact, fact)
/* clang-format on */
