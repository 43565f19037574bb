/* Rows of the reductions; expectations asked of TensorFlow 1.8, 1.15 and 2.21.
 * The block `mean` is table 2 of Verma and Su 2020: reduce_mean over what is known of input and axis. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase mean[] = {
    ROW("",                             "? {0}",             "?"),
    ROW("",                             "? {0,1}",           "?"),
    ROW("",                             "? [1]:int32",       "?"),
    ROW("",                             "? ?:int32",         "?"),
    ROW("",                             "[2,?,4] {0}",       "[?,4]"),
    ROW("",                             "[2,?,4] {0,1,2}",   "[]"),
    ROW("",                             "[2,?,4] [1]:int32", "[?,?]"),
    ROW("",                             "[2,?,4] [?]:int32", "?"),
    ROW("",                             "[2,?,4] ?:int32",   "?"),
    ROW("",                             "[2,3,4] {1}",       "[2,4]"),
    ROW("",                             "[2,3,4] {}",        "[2,3,4]"),
    ROW("",                             "[2,3,4] [2]:int32", "?"),
    ROW("",                             "[2,3,4] ?:int32",   "?"),
    ROW("keep_dims=true",               "? {0}",             "?"),
    ROW("keep_dims=true",               "? ?:int32",         "?"),
    ROW("keep_dims=true",               "[2,?,4] {0}",       "[1,?,4]"),
    ROW("keep_dims=true",               "[2,?,4] {0,1,2}",   "[1,1,1]"),
    ROW("keep_dims=true",               "[2,?,4] ?:int32",   "[?,?,?]"),
    ROW("keep_dims=true",               "[2,3,4] {1}",       "[2,1,4]"),
    ROW("keep_dims=true",               "[2,3,4] ?:int32",   "[?,?,?]"),
    ROW("keep_dims=true",               "[n,3,n] {-1}",      "[n,3,1]"),
    ROW("",                             "[n,3] 1",           "[n]"),
    ROW("",                             "[n,3] -1",          "[n]"),
    ROW("",                             "[n,3] {-1,-2}",     "[]"),
    ROW("",                             "[] {}",             "[]"),
    ROW("",                             "! {0}",             "!"),
    ROW("",                             "[2,3] {2}",         "SF112 b a"),
    ROW("",                             "[2,3] {-3}",        "SF112 b a"),
    ROW("",                             "[2,3] {0,0}",       "deferred SF128 b 'Axes contains duplicate dimension: 0' / [3]"),
    ROW("",                             "[2,3] [1,1]:int32", "SF105 b"),
    ROW("@phase=run",                   "[2,3] {2}",         "SF112 b a 'Invalid reduction dimension (2 for input with 2 dimension(s)'"),
    ROW("@phase=run",                   "[2,3] {0,0}",       "SF128 b 'Invalid reduction arguments: Axes contains duplicate dimension: 0'"),
    ROW("@version=2.21",                "[2,3] {?,1}",       "?"),
    ROW("@version=2.21,keep_dims=true", "[2,3] {?,1}",       "[?,?]"),
};
SF_OPS_TEST(reduction, mean, "Mean", "Sum", "Prod", "Max", "Min", "EuclideanNorm")

static const SfOpCase any_all[] = {
    ROW("",               "[n,3] 1",     "[n]"),
    ROW("",               "[2,?] {0}",   "[?]"),
    ROW("keep_dims=true", "[2,?] {0}",   "[1,?]"),
    ROW("",               "? {0}",       "?"),
    ROW("",               "! {0}",       "!"),
    ROW("",               "[2,3] {2}",   "SF112 b a"),
    ROW("@phase=run",     "[2,3] {0,0}", "SF128 b 'Invalid reduction arguments: Axes contains duplicate dimension: 0'"),
};
SF_OPS_TEST(reduction, any_all, "Any", "All")

static const SfOpCase sums[] = {
    ROW("",               "{1,2,3} 0",           "6"),
    ROW("",               "{{1,2},{3,4}} {0}",   "{4,6}"),
    ROW("",               "{{1,2},{3,4}} {1}",   "{3,7}"),
    ROW("",               "{{1,2},{3,4}} {0,1}", "10"),
    ROW("keep_dims=true", "{{1,2},{3,4}} {1}",   "{{3},{7}}"),
    ROW("",               "{1.5,2.0} 0",         "3.5"),
    ROW("@version=2.21",  "{n,2} 0",             "n+2"),
    ROW("@version=2.21",  "{1,?} 0",             "[]"),
};
SF_OP_TEST(Sum, sums)

static const SfOpCase products[] = {
    ROW("",              "{2,3,4} 0", "24"),
    ROW("@version=2.21", "{n,2} 0",   "2*n"),
};
SF_OP_TEST(Prod, products)

static const SfOpCase means[] = {
    ROW("", "{1.0,2.0} 0",   "1.5"),
    ROW("", "{1,2}:int32 0", "1"),
};
SF_OP_TEST(Mean, means)

static const SfOpCase maxima[] = {
    ROW("", "{{1,5},{3,2}} 0", "{3,5}"),
    ROW("", "{1.0,2.0} 0",     "2.0"),
    ROW("", "{1,200}:uint8 0", "200"),
};
SF_OP_TEST(Max, maxima)

static const SfOpCase minima[] = {
    ROW("", "{{1,5},{3,2}} 1", "{1,2}"),
};
SF_OP_TEST(Min, minima)

static const SfOpCase anys[] = {
    ROW("", "{true,false} 0", "true"),
};
SF_OP_TEST(Any, anys)

static const SfOpCase alls[] = {
    ROW("", "{true,false} 0", "false"),
};
SF_OP_TEST(All, alls)

static const SfOpCase arg[] = {
    ROW("",           "[n,3] 1",          "[n]"),
    ROW("",           "[n,3] -2",         "[3]"),
    ROW("",           "[2,?,4] 2",        "[2,?]"),
    ROW("",           "[3] 0",            "[]"),
    ROW("",           "[] 0",             "deferred SF111 b a / []"),
    ROW("",           "[2,3,4] []:int32", "[?,?]"),
    ROW("",           "? 0",              "?"),
    ROW("",           "! 0",              "!"),
    ROW("",           "[2,3] 4",          "SF111 b a"),
    ROW("",           "[3] 4",            "deferred SF111 b a / []"),
    ROW("@phase=run", "[3] 4",            "SF111 b a 'Expected dimension in the range [-1, 1), but got 4'"),
    ROW("",           "[2,3] [1]:int32",  "SF102 b"),
    ROW("@phase=run", "[2,3] 4",          "SF111 b a 'Expected dimension in the range [-2, 2), but got 4'"),
    ROW("@phase=run", "[0,3] 0",          "SF128 a.0 b 'Reduction axis 0 is empty in shape [0,3]'"),
    ROW("",           "{1,2} 4",          "deferred SF111 b a / []"),
};
SF_OPS_TEST(reduction, arg, "ArgMax", "ArgMin")

static const SfOpCase arg_max[] = {
    ROW("", "{1.0,3.0,2.0} 0", "1"),
    ROW("", "{{1,5},{7,2}} 1", "{1,0}"),
};
SF_OP_TEST(ArgMax, arg_max)

static const SfOpCase arg_min[] = {
    ROW("", "{1.0,3.0,-2.0} 0", "2"),
};
SF_OP_TEST(ArgMin, arg_min)

static const SfOpCase top_k[] = {
    ROW("k=2",            "[n,3]", "[n,2] [n,2]"),
    ROW("k=2", "[2,3]", "[2,2] [2,2]"),
    ROW("k=2",            "[2,?]", "[2,2] [2,2]"),
    ROW("k=2",            "?",     "? ?"),
    ROW("k=2",            "!",     "! !"),
    ROW("k=4",            "[2,3]", "SF128 a.1 @k 'input must have last dimension >= k = 4 but is 3'"),
    ROW("k=4",            "[]",    "SF103 a"),
    ROW("k=4,@phase=run", "[2,3]", "SF128 a.1 @k 'input must have at least k columns. Had 3, needed 4'"),
};
SF_OP_TEST(TopK, top_k)

static const SfOpCase top_k_v2[] = {
    ROW("",           "[n,3] 2",        "[n,2] [n,2]"),
    ROW("",           "[2,?] 2",        "[2,2] [2,2]"),
    ROW("",           "[2,3] []:int32", "[2,?] [2,?]"),
    ROW("",           "[2,3] n:int32",  "[2,n] [2,n]"),
    ROW("",           "? 2",            "? ?"),
    ROW("",           "! 2",            "! !"),
    ROW("",           "[2,3] 4",        "SF128 a.1 b 'input must have last dimension >= k = 4 but is 3'"),
    ROW("",           "[2,3] -4",       "SF128 b 'Dimension size, given by scalar input 1, must be non-negative but is -4'"),
    ROW("",           "[] 4",           "SF103 a"),
    ROW("@phase=run", "[2,3] 4",        "SF128 a.1 b 'input must have at least k columns. Had 3, needed 4'"),
    ROW("@phase=run", "[2,3] -4",       "SF128 b 'Need k >= 0, got -4'"),
    ROW("@phase=run", "[] 4",           "SF103 a 'input must be >= 1-D, got shape []'"),
};
SF_OP_TEST(TopKV2, top_k_v2)

static const SfOpCase nth[] = {
    ROW("",           "[n,3] 2",  "[n]"),
    ROW("", "[2,3] 2", "[2]"),
    ROW("",           "[2,?] 2",  "[2]"),
    ROW("",           "? 2",      "?"),
    ROW("",           "! 2",      "!"),
    ROW("",           "[2,3] 3",  "SF128 a.1 b 'Input must have last dimension > n = 3 but is 3'"),
    ROW("",           "[2,3] -1", "SF128 b 'Dimension size, given by scalar input 1, must be non-negative but is -1'"),
    ROW("",           "[] 0",     "SF103 a"),
    ROW("@phase=run", "[2,3] 4",  "SF128 a.1 b 'Input must have last dimension > n = 4'"),
};
SF_OP_TEST(NthElement, nth)

static const SfOpCase in_top_k[] = {
    ROW("k=2",            "[n,4] [n]", "[n]"),
    ROW("k=2", "[2,4] [2]", "[2]"),
    ROW("k=2",            "[?,4] [3]", "[3]"),
    ROW("k=2",            "? ?",       "[?]"),
    ROW("k=2",            "! [3]",     "!"),
    ROW("k=2",            "[3,4] [2]", "SF101 a.0 b.0"),
    ROW("k=2",            "[3] [3]",   "SF102 a"),
    ROW("k=2,@phase=run", "[3,4] [2]", "SF101 a.0 b.0 'First dimension of predictions 3 must match length of targets 2'"),
    ROW("k=2,@phase=run", "[3] [3]",   "SF102 a 'predictions must be 2-dimensional'"),
};
SF_OP_TEST(InTopK, in_top_k)

static const SfOpCase in_top_k_v2[] = {
    ROW("", "[n,4] [n] 2",   "[n]"),
    ROW("", "[2,4] [2] 2", "[2]"),
    ROW("", "[?,4] [3] 2",   "[3]"),
    ROW("", "? ? 2",         "[?]"),
    ROW("", "! [3] 2",       "!"),
    ROW("", "[3,4] [2] 2",   "SF101 a.0 b.0"),
    ROW("", "[3,4] [2,2] 2", "SF102 b"),
};
SF_OP_TEST(InTopKV2, in_top_k_v2)

static const SfOpCase bincount[] = {
    ROW("", "[n]:int32 3 [0]",         "[3]"),
    ROW("", "[3]:int32 []:int32 [0]",  "[?]"),
    ROW("", "?:int32 3 [0]",           "[3]"),
    ROW("", "! 3 [0]",                 "!"),
    ROW("", "[3]:int32 -1 [0]",        "SF128 b 'size (-1) must be non-negative'"),
    ROW("", "[3]:int32 [2]:int32 [0]", "SF102 b"),
};
SF_OP_TEST(Bincount, bincount)

static const SfOpCase dense_bincount[] = {
    ROW("", "[n]:int32 4 [0]:float",          "[4]"),
    ROW("", "[n,3]:int32 4 [0]:float",        "[n,4]"),
    ROW("", "[2,3]:int32 []:int32 [0]:float", "[2,?]"),
    ROW("", "?:int32 4 [0]:float",            "?"),
    ROW("", "! 4 [0]:float",                  "!"),
    ROW("", "[2,3,4]:int32 4 [0]:float",      "SF105 a"),
    ROW("", "[2,3]:int32 -4 [0]:float",       "SF128 b 'size (-4) must be non-negative'"),
};
SF_OP_TEST(DenseBincount, dense_bincount)

static const SfOpCase histogram[] = {
    ROW("",           "[n,3] [2] 5",     "[5]"),
    ROW("", "[2,3] [2] 5", "[5]"),
    ROW("",           "? [2] []:int32",  "[?]"),
    ROW("",           "? ? ?",           "[?]"),
    ROW("",           "! [2] 5",         "!"),
    ROW("",           "[3] [3] 5",       "SF106 b.0"),
    ROW("",           "[3] [2] 0",       "SF128 c 'Requires nbins > 0: 0'"),
    ROW("@phase=run", "[3] {0.0,1.0} 0", "SF128 c 'nbins should be a positive number, but got'"),
    ROW("@phase=run", "[3] {1.0,0.0} 2", "SF128 b 'value_range should satisfy value_range[0] < value_range[1], but got'"),
};
SF_OP_TEST(HistogramFixedWidth, histogram)

static const SfOpCase segment[] = {
    ROW("",           "[4,3] [4]:int32",   "[?,3]"),
    ROW("",           "[n,?] [n]:int32",   "[?,?]"),
    ROW("",           "? [4]:int32",       "?"),
    ROW("",           "! [4]:int32",       "!"),
    ROW("",           "[] [3]:int32",      "SF103 a"),
    ROW("",           "[4,3] [2,2]:int32", "SF102 b"),
    ROW("@phase=run", "[4,3] {0,0,1,3}",   "[4,3]"),
    ROW("@phase=run", "[4,3] {0,1}",       "SF128 a.0 b.0 'segment_ids should be the same size as dimension 0 of input.'"),
    ROW("@phase=run", "[2,3] {1,0}",       "SF128 b 'segment ids are not increasing'"),
    ROW("@phase=run", "[2,3] {-1,0}",      "SF128 b 'Segment id -1 out of range [0, 1), possibly because'"),
    ROW("@phase=run", "[1,3] {9223372036854775807}", "SF128 b 'segment ids must be >= 0'"),
};
SF_OPS_TEST(reduction, segment, "SegmentSum", "SegmentMean", "SegmentProd", "SegmentMax",
             "SegmentMin")

static const SfOpCase unsorted[] = {
    ROW("",           "[4,3] [4]:int32 2",        "[2,3]"),
    ROW("",           "[4,3,5] [4,3]:int32 2",    "[2,5]"),
    ROW("",           "[n,3] [n]:int32 []:int32", "[?,3]"),
    ROW("",           "[?,3] [n]:int32 m:int32",  "[m,3]"),
    ROW("",           "? [4]:int32 2",            "?"),
    ROW("",           "[4,3] ?:int32 2",          "?"),
    ROW("",           "! [4]:int32 2",            "!"),
    ROW("",           "[4,3] [3]:int32 2",        "SF101 a.0 b.0"),
    ROW("",           "[4] [4,3]:int32 2",        "SF103 a b"),
    ROW("",           "[4,3] [4]:int32 -2",       "SF128 c 'Dimension size, given by scalar input 2, must be non-negative but is -2'"),
    ROW("@phase=run", "[4,3] [3]:int32 2",        "SF101 a.0 b.0 'data.shape = [4,3] does not start with segment_ids.shape = [3]'"),
    ROW("@phase=run", "[2,3] {0,7} 2",            "SF117 b c 'segment_ids[1] = 7 is out of range [0, 2)'"),
    ROW("@phase=run", "[2,3] {0,-7} 2",           "[2,3]"),
    ROW("@phase=run", "[2,3] {0,0} -2",           "SF128 c 'Input num_segments == -2 must not be negative.'"),
};
SF_OPS_TEST(reduction, unsorted, "UnsortedSegmentSum", "UnsortedSegmentProd",
             "UnsortedSegmentMax", "UnsortedSegmentMin")

static const SfOpCase sparse_segment[] = {
    ROW("",           "[4,3] {0,1} {0,1}",           "[2,3]"),
    ROW("",           "[n,?] [m]:int32 [m]:int32",   "[?,?]"),
    ROW("",           "? [2]:int32 [2]:int32",       "?"),
    ROW("",           "! [2]:int32 [2]:int32",       "!"),
    ROW("",           "[4,3] {0,1} {0}",             "SF107 b.0 c.0"),
    ROW("",           "[] [2]:int32 [2]:int32",      "SF103 a"),
    ROW("",           "[4,3] [2,2]:int32 [2]:int32", "SF102 b"),
    ROW("@phase=run", "[4,3] {0,1} {0,2}",           "[3,3]"),
    ROW("@phase=run", "[4,3] {0,1} {0}",             "SF107 c.0 b.0 'segment_ids and indices should have same size.'"),
    ROW("@phase=run", "[4,3] {0,9} {0,1}",           "SF117 b a.0 'Bad: indices[1] == 9 out of range [0, 4)'"),
    ROW("@phase=run", "[4,3] {0,1} {1,0}",           "SF128 c 'segment ids are not increasing'"),
};
SF_OPS_TEST(reduction, sparse_segment, "SparseSegmentSum", "SparseSegmentMean",
             "SparseSegmentSqrtN")

static const SfOpCase sparse_segment_num[] = {
    ROW("", "[4,3] {0,1} {0,1} 5",                "[5,3]"),
    ROW("", "[n,?] [m]:int32 [m]:int32 []:int32", "[?,?]"),
    ROW("", "? [2]:int32 [2]:int32 5",            "?"),
    ROW("", "! [2]:int32 [2]:int32 5",            "!"),
    ROW("", "[4,3] {0,1} {0,1} -5",               "SF128 d 'Cannot specify a negative value for num_segments'"),
};
SF_OPS_TEST(reduction, sparse_segment_num, "SparseSegmentSumWithNumSegments",
             "SparseSegmentMeanWithNumSegments", "SparseSegmentSqrtNWithNumSegments")

static const SfOpCase sparse_segment_grad[] = {
    ROW("", "[4,3] {0,1} {0,1} 7",                "[7,3]"),
    ROW("", "[n,?] [m]:int32 [m]:int32 []:int32", "[?,?]"),
    ROW("", "? [2]:int32 [2]:int32 7",            "?"),
    ROW("", "! [2]:int32 [2]:int32 7",            "!"),
    ROW("", "[4,3] {0,1} {0} 7",                  "SF107 c.0 b.0"),
};
SF_OPS_TEST(reduction, sparse_segment_grad, "SparseSegmentSumGrad", "SparseSegmentMeanGrad",
             "SparseSegmentSqrtNGrad")

/* clang-format on */

/* clang-format off */
static const SfOpCase approx_top_k[] = {
    ROW("k=3",                       "[n,30]", "[n,3] [n,3]:int32"),
    ROW("k=3,reduction_dimension=0", "[5,n]",  "[3,n] [3,n]"),
    ROW("k=3",                       "?",      "? ?"),
    ROW("k=3",                       "[?,?]",  "[?,3] [?,3]"),
    ROW("k=3,aggregate_to_topk=false", "[5,300]", "[5,?] [5,?]"),
    ROW("k=31",                      "[5,30]", "SF128 a.1 @k 'input must have last dimension >= k = 31 but was 30'"),
    ROW("k=3,reduction_dimension=2", "[5,30]", "SF111 'Invalid reduction dimension: 2. Must be within the range of [-2, 1]'"),
    ROW("k=3",                       "[]",     "SF103 a"),
    ROW("k=31,@phase=eager",         "[5,30]", "SF128 'input must have at least k columns. Had 30, needed 31'"),
};
SF_OP_TEST(ApproxTopK, approx_top_k)
/* clang-format on */

/* clang-format off */
static const SfOpCase segment_v2[] = {
    ROW("", "[n,4] [n] 2",     "[2,4]"),
    ROW("", "[3,4,5] [3,4] 2", "[2,5]"),
    ROW("", "[3,4] [3] []",    "[?,4]"),
    ROW("", "? [3] 2",         "?"),
    ROW("", "[3,4] ? 2",       "?"),
    ROW("", "[3,4] [2] 2",     "SF101 a.0 b.0"),
    ROW("", "[3,4] [3] -2",    "SF128 c"),
};
SF_OPS_TEST(reduction, segment_v2, "SegmentSumV2", "SegmentProdV2", "SegmentMaxV2", "SegmentMinV2")

static const SfOpCase sparse_grad_v2[] = {
    ROW("", "[2,4] {0,1,1} {0,1,1} 5", "[2,4] [2]"),
    ROW("", "[2,4] [3] [3] []",        "[?,4] [?]"),
    ROW("", "[?,4] [3] [3] []", "[?,4] [?]"),
    ROW("", "? {3,3} {0,0} 5",         "? [1]"),
    ROW("", "[] [3] [3] []",           "SF103 a"),
    ROW("", "[2,3] [3] [2] []",        "SF107"),
    ROW("", "[2,3] [3] [3] [2]",       "SF102 d"),
    ROW("", "[2,3] {0,1,7} {0,1,1} 5", "deferred SF117 b d 'Index 7 out of range [0, 5).' / [3,3] [3]"),
    ROW("", "[2,3] {0,1,3} {0,1,2} 5", "deferred SF128 c a.0 'Invalid number of segments' / [3,3] [3]"),
    ROW("@phase=eager", "[2,3] {0,1,3} {0,1,1} -5", "SF128 d 'Expected a non-negative size, got -5'"),
    ROW("@phase=eager", "[2,3] [3] [2] 1",   "SF107 'segment_ids and indices should have same size.'"),
    ROW("@phase=eager", "[2,3] [3] [3] [2]", "SF102 d 'dense_output_dim0 should be a scalar.'"),
    ROW("@phase=run", "[1,3] {-2} {-2} 0", "[0,3] [0]"), /* of no rows nothing else is looked at */
    ROW("@phase=run", "[1,3] {-2} {-2} []", "[?,3] [?]"),
};
SF_OPS_TEST(reduction, sparse_grad_v2, "SparseSegmentSumGradV2", "SparseSegmentMeanGradV2",
            "SparseSegmentSqrtNGradV2")
/* clang-format on */

/* What only kernels refuse is deferred while a graph is built. */
/* clang-format off */
static const SfOpCase arg_kernel[] = {
    ROW("",             "[0,2] 0",    "deferred SF128 a.0 b 'Reduction axis 0 is empty in shape [0,2]' / [2]"),
    ROW("@phase=eager", "[2,3] {1}",  "SF102 b 'dim must be a scalar, but received tensor of shape: [1]'"),
};
SF_OPS_TEST(reduction, arg_kernel, "ArgMax", "ArgMin")

static const SfOpCase nth_kernel[] = {
    ROW("@phase=eager", "[2,3] {1}", "SF102 b 'N must be scalar but has rank 1'"),
    ROW("@phase=eager", "[2,3] -1",  "SF128 b 'n must be non-negative but is -1'"),
    ROW("@phase=eager", "[] 0",      "SF103 a 'Input must be at least rank 1 but is rank 0'"),
};
SF_OP_TEST(NthElement, nth_kernel)

static const SfOpCase top_k_kernel[] = {
    ROW("@phase=eager", "[2,3] {1}", "SF102 b 'k must be scalar, got shape [1]'"),
    ROW("@phase=eager", "[2,3] -1",  "SF128 b 'Need k >= 0, got -1'"),
};
SF_OP_TEST(TopKV2, top_k_kernel)

static const SfOpCase in_top_k_kernel[] = {
    ROW("",             "[5,4] [5] [1]:int32", "deferred SF102 c 'k must be 0-D, got shape [1]' / [5]"),
    ROW("@phase=eager", "[5,4] [5] [1]:int32", "SF102 c 'k must be 0-D, got shape [1]'"),
};
SF_OP_TEST(InTopKV2, in_top_k_kernel)

static const SfOpCase bincount_kernel[] = {
    ROW("",             "[4] 5 [3]",          "deferred SF128 a c 'Input indices and weights must have the same size.' / [5]"),
    ROW("",             "[4] 5 [0]",          "[5]"),
    ROW("",             "{1,-1} 5 [0]",       "deferred SF128 a 'Input arr must be non-negative!' / [5]"),
    ROW("@phase=eager", "[4] [1]:int32 [0]",  "SF102 b 'Shape must be rank 0 but is rank 1'"),
};
SF_OP_TEST(Bincount, bincount_kernel)

static const SfOpCase dense_bincount_kernel[] = {
    ROW("", "[2,4]:int32 5 [2,3]", "deferred SF128 c a '`weights` must be the same shape as `arr`' / [2,5]"),
    ROW("", "[2,4]:int32 5 [0]",   "[2,5]"),
};
SF_OP_TEST(DenseBincount, dense_bincount_kernel)

static const SfOpCase histogram_kernel[] = {
    ROW("",             "[3] {1.0,0.0} 2",     "deferred SF128 b 'value_range should satisfy value_range[0] < value_range[1], but got' / [2]"),
    ROW("@phase=eager", "[3] [2,1] 2",         "SF102 b 'value_range should be a vector.'"),
    ROW("@phase=eager", "[3] [3] 2",           "SF106 b.0 'value_range should be a vector of 2 elements.'"),
    ROW("@phase=eager", "[3] [2] [1]:int32",   "SF102 c 'nbins should be a scalar.'"),
};
SF_OP_TEST(HistogramFixedWidth, histogram_kernel)

static const SfOpCase segment_kernel[] = {
    ROW("",             "[4,3] {0,1}:int32",     "deferred SF128 a.0 b.0 'segment_ids should be the same size as dimension 0 of input.' / [2,3]"),
    ROW("",             "[2,3] {1,0}:int32",     "deferred SF128 b 'segment ids are not increasing' / [1,3]"),
    ROW("",             "[2,3] {0,-1}:int32",    "deferred SF128 b 'segment ids must be >= 0' / [0,3]"),
    ROW("",             "[4,3] {0,0,1,3}:int32", "[4,3]"),
    ROW("@phase=eager", "[4,3] [2,2]:int32",     "SF102 b 'segment_ids should be a vector.'"),
    ROW("@phase=eager", "[] [2]:int32",          "SF103 a 'input must be at least rank 1'"),
};
SF_OPS_TEST(reduction, segment_kernel, "SegmentSum", "SegmentMean", "SegmentProd", "SegmentMax",
            "SegmentMin")

static const SfOpCase unsorted_kernel[] = {
    ROW("",             "[2,3] {0,7} 2",         "deferred SF117 b c 'segment_ids[1] = 7 is out of range [0, 2)' / [2,3]"),
    ROW("",             "[0,3] {0,7} 2",         "SF101"),
    ROW("@phase=eager", "[2,3] {0,1} {2}",       "SF102 c 'num_segments should be a scalar, not shape [1]'"),
    ROW("@phase=eager", "[2] {{0,1},{0,1}} 2",   "SF103 a b 'data.shape = [2] does not start with segment_ids.shape = [2,2]'"),
};
SF_OPS_TEST(reduction, unsorted_kernel, "UnsortedSegmentSum", "UnsortedSegmentProd",
            "UnsortedSegmentMax", "UnsortedSegmentMin")

static const SfOpCase sparse_kernel[] = {
    ROW("",             "[4,3] {0,9} {0,1} 5",     "deferred SF117 b a.0 'Bad: indices[1] == 9 out of range [0, 4)' / [5,3]"),
    ROW("",             "[4,3] {0,1} {0,7} 5",     "deferred SF128 c 'segment ids must be < num_segments' / [5,3]"),
    ROW("@phase=eager", "[4,3] {0,1} {0,1} {5}",   "SF102 d 'num_segments should be a scalar, not shape [1]'"),
    ROW("@phase=eager", "[4,3] {0,1} {0,1} -5",    "SF128 d 'segment ids must be >= 0'"),
    ROW("@phase=eager", "[4,3] {{0,1}} {0,1} 5",   "SF102 b 'indices should be a vector.'"),
};
SF_OPS_TEST(reduction, sparse_kernel, "SparseSegmentSumWithNumSegments",
            "SparseSegmentMeanWithNumSegments", "SparseSegmentSqrtNWithNumSegments")

static const SfOpCase sparse_grad_kernel[] = {
    ROW("",             "[2,3] {0,9} {0,1} 4",   "deferred SF117 b d 'Index 9 out of range [0, 4).' / [4,3]"),
    ROW("",             "[2,3] {0,1} {-1,1} 4",  "deferred SF117 c a.0 'Segment id -1 out of range [0, 2).' / [4,3]"),
    ROW("",             "[2,3] {0,9} {0,1} 0",   "[0,3]"),
    ROW("@phase=eager", "[2,3] {0,1} {0,1} {4}", "SF102 d 'output_dim0 should be a scalar.'"),
};
SF_OPS_TEST(reduction, sparse_grad_kernel, "SparseSegmentSumGrad", "SparseSegmentMeanGrad",
            "SparseSegmentSqrtNGrad")
/* clang-format on */
