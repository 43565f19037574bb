/* Rows of random numbers and candidate samplers; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase of_shape[] = {
    ROW("dtype=float",            "{2,3}:int32",  "[2,3]"),
    ROW("dtype=float",            "{2,n}:int32",  "[2,n]"),
    ROW("dtype=float",            "{2,?}:int32",  "[2,?]"),
    ROW("dtype=float",            "{2,-1}:int32", "deferred SF130 a 'Dimension -1 must be >= 0' / [2,?]"),
    ROW("dtype=float",            "[2]:int32",    "[?,?]"),
    ROW("dtype=float",            "[?]:int32",    "?"),
    ROW("dtype=float",            "?:int32",      "?"),
    ROW("dtype=float",            "!",            "!"),
    ROW("dtype=float",            "3:int32",      "SF102 a"),
    ROW("dtype=float",            "{2,-2}:int32", "SF130 a"),
    ROW("dtype=float,@phase=run", "{2,-1}:int32", "SF130 a 'Dimension -1 must be >= 0'"),
    ROW("dtype=float,@phase=run", "3:int32",      "SF102 a 'shape must be a vector of {int32,int64}, got shape []'"),
};
SF_OPS_TEST(random, of_shape, "RandomUniform", "RandomStandardNormal", "TruncatedNormal")

static const SfOpCase random_int[] = {
    ROW("",              "{2,n}:int32 0:int32 3:int32",   "[2,n]"),
    ROW("",              "[2]:int32 0:int32 3:int32",     "[?,?]"),
    ROW("",              "?:int32 ? ?",                   "?"),
    ROW("",              "! 0 3",                         "!"),
    ROW("",              "{2,3}:int32 [1]:int32 3:int32", "SF102 b"),
    ROW("@version=2.21", "{2,3}:int32 [1]:int32 3:int32", "SF102 b"),
    ROW("@phase=run",    "{2,3}:int32 3:int32 3:int32",   "SF128 b c 'Need minval < maxval, got 3 >= 3'"),
    ROW("", "{2,3}:int32 3:int32 3:int32", "deferred SF128 b c 'Need minval < maxval, got 3 >= 3' / [2,3]"),
    ROW("", "{0,3}:int32 3:int32 3:int32", "[0,3]"),
    ROW("@phase=run", "{2,3}:int32 [1]:int32 3:int32", "SF102 b 'minval must be 0-D, got shape [1]'"),
};
SF_OP_TEST(RandomUniformInt, random_int)

static const SfOpCase parameterized[] = {
    ROW("", "{2,n}:int32 [2] [2] [2] []", "[2,n]"),
    ROW("", "[2]:int32 [] [] [] []",      "[?,?]"),
    ROW("", "?:int32 ? ? ? ?",            "?"),
    ROW("", "! [] [] [] []",              "!"),
    ROW("", "{2,3}:int32 [2,2] [] [] []", "SF105 b"),
    ROW("", "{3,2}:int32 [3] [1] [] [4]", "deferred SF101 e.0 a 'Input maxvals should have length 1 or shape[0], got shape: [4]' / [3,2]"),
    ROW("", "{?,2}:int32 [3] [1] [] [4]", "[?,2]"),
    ROW("", "{}:int32 [] [] [] []", "deferred SF128 a 'Shape tensor must not be empty' / []"),
    ROW("@phase=eager", "{3}:int32 [2,2] [] [] []", "SF105 b 'Input means should be a scalar or vector, got shape: [2,2]'"),
};
SF_OP_TEST(ParameterizedTruncatedNormal, parameterized)

static const SfOpCase shuffle[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[2,?]", "[2,?]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(RandomShuffle, shuffle)

static const SfOpCase multinomial[] = {
    ROW("",           "[n,3] 5",         "[n,5]"),
    ROW("", "[2,3] 5", "[2,5]"),
    ROW("",           "[2,?] []:int32",  "[2,?]"),
    ROW("",           "? 5",             "[?,5]"),
    ROW("",           "! 5",             "!"),
    ROW("",           "[2] 5",           "SF102 a"),
    ROW("",           "[2,3] -5",        "SF128 b 'Dimension size, given by scalar input 1, must be non-negative but is -5'"),
    ROW("",           "[2,3] [1]:int32", "SF102 b"),
    ROW("@phase=run", "[2] 5",           "SF102 a 'logits should be a matrix, got shape [2]'"),
    ROW("@phase=run", "[2,3] -5",        "SF128 b 'num_samples should be non-negative, got -5'"),
    ROW("", "[2,0] 5", "deferred SF128 a.1 'num_classes should be positive, got 0' / [2,5]"),
    ROW("@phase=run", "[2,3] [1]:int32", "SF102 b 'num_samples should be a scalar, got shape [1]'"),
};
SF_OP_TEST(Multinomial, multinomial)

static const SfOpCase gamma[] = {
    ROW("", "{2,n}:int32 [4]", "[2,n,4]"),
    ROW("", "[2]:int32 [?]",   "[?,?,?]"),
    ROW("", "[2]:int32 [2]", "[?,?,2]"),
    ROW("", "?:int32 [4]",     "?"),
    ROW("", "{2}:int32 ?",     "?"),
    ROW("", "! [4]",           "!"),
    ROW("", "2:int32 [4]",     "SF102 a"),
};
SF_OPS_TEST(random, gamma, "RandomGamma", "RandomPoisson", "RandomPoissonV2")

static const SfOpCase gamma_grad[] = {
    ROW("", "[2,3] [3]",   "[2,3]"),
    ROW("", "[n,?] [n,1]", "[n,?]"),
    ROW("", "? [3]",       "?"),
    ROW("", "! [3]",       "!"),
    ROW("", "[2,3] [4]",   "SF101 a.1 b.0"),
};
SF_OP_TEST(RandomGammaGrad, gamma_grad)

static const SfOpCase crop[] = {
    ROW("", "[5,6,3] {2,2}",     "[2,2,3]"),
    ROW("", "[5,6,?] [2]:int64", "[?,?,?]"),
    ROW("", "? {2,2}",           "[2,2,?]"),
    ROW("", "! {2,2}",           "!"),
    ROW("", "[5,6] {2,2}",       "SF102 a"),
    ROW("", "[5,6,3] {2,2,1}",   "SF106 b.0"),
};
SF_OP_TEST(RandomCrop, crop)

static const SfOpCase stateless[] = {
    ROW("",           "{2,n} [2]",     "[2,n]"),
    ROW("",           "[2]:int32 [2]", "[?,?]"),
    ROW("",           "?:int32 ?",     "?"),
    ROW("",           "! [2]",         "!"),
    ROW("",           "{2,3} [3]",     "SF106 b.0"),
    ROW("",           "{2,3} []",      "SF102 b"),
    ROW("",           "3:int32 [2]",   "SF102 a"),
    ROW("@phase=run", "{2,3} [3]",     "SF106 b.0 'seed must have shape [2], not [3]'"),
};
SF_OPS_TEST(random, stateless, "StatelessRandomUniform", "StatelessRandomNormal",
             "StatelessTruncatedNormal", "StatelessRandomUniformFullInt")

static const SfOpCase stateless_int[] = {
    ROW("",              "{2,n}:int32 [2] 0:int32 3:int32",   "[2,n]"),
    ROW("",              "[2]:int32 [2] []:int32 []:int32",   "[?,?]"),
    ROW("",              "?:int32 ? []:int32 []:int32",       "?"),
    ROW("",              "! [2] 0:int32 3:int32",             "!"),
    ROW("",              "{2,3}:int32 [3] 0:int32 3:int32",   "SF106 b.0"),
    ROW("@version=2.21", "{2,3}:int32 [2] [1]:int32 3:int32", "SF102 c"),
    ROW("", "{2,3}:int32 [2] 3:int32 3:int32", "deferred SF128 c d 'Need minval < maxval, got 3 >= 3' / [2,3]"),
    ROW("", "{2,0}:int32 [2] 3:int32 3:int32", "[2,0]"),
    ROW("@phase=eager", "3:int32 [3] [1]:int32 3:int32", "SF102 a"),
};
SF_OP_TEST(StatelessRandomUniformInt, stateless_int)

static const SfOpCase stateless_multinomial[] = {
    ROW("", "[n,3] 5 [2]",        "[n,5]"),
    ROW("", "[2,3] 5 [2]", "[2,5]"),
    ROW("", "[2,?] []:int32 [2]", "[2,?]"),
    ROW("", "? 5 [2]",            "[?,5]"),
    ROW("", "! 5 [2]",            "!"),
    ROW("", "[2,3] 5 [3]",        "SF106 c.0"),
    ROW("", "[2] 5 [2]",          "SF102 a"),
    ROW("@phase=run", "[2] 5 [3]", "SF106 c.0 'seed must have shape [2], not [3]'"),
};
SF_OP_TEST(StatelessMultinomial, stateless_multinomial)

static const SfOpCase stateless_counts[] = {
    ROW("", "{2,n}:int32 [2] [3] [3]", "[2,n]"),
    ROW("", "[2]:int32 [2] [] []",     "[?,?]"),
    ROW("", "?:int32 ? ? ?",           "?"),
    ROW("", "! [2] [] []",             "!"),
    ROW("", "{2,3}:int32 [3] [] []",   "SF106 b.0"),
    ROW("", "{4,3}:int32 [2] [2] [3]", "deferred SF101 c d.0 'counts and probs must have compatible batch dimensions: [2] vs. [3]' / [4,3]"),
    ROW("", "{4,1}:int32 [2] [3] [1]", "deferred SF128 a d 'Shape passed in must end with broadcasted shape.' / [4,1]"),
    ROW("", "{4,?}:int32 [2] [3] [1]", "[4,?]"),
};
SF_OP_TEST(StatelessRandomBinomial, stateless_counts)

static const SfOpCase stateless_poisson[] = {
    ROW("dtype=int32", "{2,n}:int32 [2] [3]:float", "[2,n]"),
    ROW("dtype=int32", "[2]:int32 [2] []:float",    "[?,?]"),
    ROW("dtype=int32", "?:int32 ? ?:float",         "?"),
    ROW("dtype=int32", "! [2] []:float",            "!"),
    ROW("dtype=int32", "{2,3}:int32 [3] []:float",  "SF106 b.0"),
    ROW("dtype=int32", "{4,2}:int32 [2] [3]:float", "deferred SF128 a c 'Shape passed in must end with broadcasted shape.' / [4,2]"),
    ROW("dtype=int32", "{0,2}:int32 [2] [3]:float", "[0,2]"),
};
SF_OP_TEST(StatelessRandomPoisson, stateless_poisson)

static const SfOpCase stateless_gamma[] = {
    ROW("", "{2,n}:int32 [2] [3]:float", "[2,n]"),
    ROW("", "[2]:int32 [2] []:float",    "[?,?]"),
    ROW("", "?:int32 ? ?:float",         "?"),
    ROW("", "! [2] []:float",            "!"),
    ROW("", "{2,3}:int32 [3] []:float",  "SF106 b.0"),
    ROW("", "{4,2}:int32 [2] [3]:float", "deferred SF128 a c 'Shape passed in must end with broadcasted shape.' / [4,2]"),
    ROW("", "{0,2}:int32 [2] [3]:float", "[0,2]"),
};
SF_OP_TEST(StatelessRandomGammaV2, stateless_gamma)

static const SfOpCase stateless_parameterized[] = {
    ROW("", "{2,n}:int32 [2] [3] [3] [] [3]",  "[2,n]"),
    ROW("", "[2]:int32 [2] [] [] [] []",       "[?,?]"),
    ROW("", "?:int32 ? ? ? ? ?",               "?"),
    ROW("", "! [2] [] [] [] []",               "!"),
    ROW("", "{2,3}:int32 [2] [4] [3] [3] [3]", "SF101 c d.0"),
    ROW("", "{2,3}:int32 [3] [] [] [] []",     "SF106 b.0"),
    ROW("", "{2,3}:int32 [2] [3] [] [2] []", "SF101 c e.0 'Dimensions must be equal, but are 2 and 3'"),
    ROW("", "{3,2}:int32 [2] [3] [] [3] []", "deferred SF128 a f 'Shape passed in must end with broadcasted shape.' / [3,2]"),
    ROW("@phase=run", "{3,2}:int32 [2] [3] [] [2] []", "SF101 c e.0 'must have compatible batch dimensions: [3] vs. [] vs. [2] vs. []'"),
};
SF_OP_TEST(StatelessParameterizedTruncatedNormal, stateless_parameterized)

static const SfOpCase stateless_v2[] = {
    ROW("", "{2,n} [1] [2] 1:int32",     "[2,n]"),
    ROW("", "[2]:int32 [1] [?] 1:int32", "[?,?]"),
    ROW("", "?:int32 ? ? ?",             "?"),
    ROW("", "! [1] [2] 1:int32",         "!"),
    ROW("", "{2,3} [2] [2] 1:int32",     "SF106 b.0"),
    ROW("", "{2,3} [] [2] 1:int32",      "SF102 b"),
    ROW("", "{2} [1] [0] 1:int32", "deferred SF128 c d 'counter must be a vector with length at least 1; got shape: [0].' / [2]"),
    ROW("", "{2} [1] [2] 7:int32", "deferred SF128 c d 'counter must be a vector with length at least 7; got shape: [2].' / [2]"),
    ROW("", "{2} [1] [8] 7:int32", "deferred SF128 d 'Unsupported algorithm id: 7' / [2]"),
    ROW("", "{0} [1] [8] 7:int32", "[0]"),
    ROW("", "{2} [1] [2] 2:int32", "[2]"),
    ROW("@phase=eager", "{2} [1] [2] 2:int32", "SF128 d 'Unsupported algorithm id: 2'"),
    ROW("@phase=eager", "{2} [2] [2] 1:int32", "SF128 b 'key must have shape [1], not [2]. (Note that batched keys are not supported yet.)'"),
    ROW("@phase=eager", "{2} [1] [2] [1]:int32", "SF102 d 'input 3 (0-based) must have shape [], not [1]'"),
};
SF_OPS_TEST(random, stateless_v2, "StatelessRandomUniformV2", "StatelessRandomNormalV2",
             "StatelessTruncatedNormalV2", "StatelessRandomUniformFullIntV2")

static const SfOpCase stateless_int_v2[] = {
    ROW("", "{2,n} [1] [2] 1:int32 0:int32 5:int32",     "[2,n]"),
    ROW("", "[2]:int32 [1] [?] 1:int32 0:int32 5:int32", "[?,?]"),
    ROW("", "?:int32 ? ? ? ?:int32 ?:int32",             "?"),
    ROW("", "! [1] [2] 1:int32 0:int32 5:int32",         "!"),
    ROW("", "{2,3} [2] [2] 1:int32 0:int32 5:int32",     "SF106 b.0"),
    ROW("", "{2,3} [1] [2] 1:int32 5:int32 5:int32", "deferred SF128 e f / [2,3]"),
    ROW("", "{2,0} [1] [2] 1:int32 5:int32 5:int32", "[2,0]"),
};
SF_OP_TEST(StatelessRandomUniformIntV2, stateless_int_v2)

static const SfOpCase stateless_gamma_v3[] = {
    ROW("", "{2,n} [1] [2] 1:int32 [3]:float",     "[2,n]"),
    ROW("", "[2]:int32 [1] [?] 1:int32 [3]:float", "[?,?]"),
    ROW("", "[2]:int32 [1] [2] 1:int32 [3]:float", "[?,?]"),
    ROW("", "?:int32 ? ? ? ?:float",               "?"),
    ROW("", "! [1] [2] 1:int32 [3]:float",         "!"),
    ROW("", "{2,3} [2] [2] 1:int32 [3]:float",     "SF106 b.0"),
    ROW("", "{3,2} [1] [2] 1:int32 [3]:float", "deferred SF128 a e 'Shape passed in must end with broadcasted shape.' / [3,2]"),
    ROW("", "{3,?} [1] [2] 1:int32 [3]:float", "[3,?]"),
};
SF_OP_TEST(StatelessRandomGammaV3, stateless_gamma_v3)

static const SfOpCase key_counter[] = {
    ROW("", "[2]", "[1] [2]"),
    ROW("", "[?]", "[1] [2]"),
    ROW("", "?",   "[1] [2]"),
    ROW("", "!",   "! !"),
    ROW("", "[3]", "SF106 a.0"),
    ROW("", "[]",  "SF102 a"),
    ROW("@phase=eager", "[3]", "SF106 a.0 'seed must have shape [2], not [3]'"),
};
SF_OP_TEST(StatelessRandomGetKeyCounter, key_counter)

static const SfOpCase key_counter_alg[] = {
    ROW("", "[2]", "[1] [2] []"),
    ROW("", "[?]", "[1] [2] []"),
    ROW("", "?",   "[1] [2] []"),
    ROW("", "!",   "! ! !"),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(StatelessRandomGetKeyCounterAlg, key_counter_alg)

static const SfOpCase alg[] = {
    ROW("", "", "[]"),
};
SF_OP_TEST(StatelessRandomGetAlg, alg)

static const SfOpCase stateless_shuffle[] = {
    ROW("", "[n,3]:float [1] [2] 1:int32", "[n,3]"),
    ROW("", "[2,?]:float [?] [2] 1:int32", "[2,?]"),
    ROW("", "?:float ? ? ?",               "?"),
    ROW("", "! [1] [2] 1:int32",           "!"),
    ROW("", "[2,3]:float [2] [2] 1:int32", "deferred SF128 b 'key must have shape [1], not [2].' / [2,3]"),
    ROW("", "[2,3]:float [1] [2] 5:int32", "deferred SF128 c d / [2,3]"),
    ROW("", "[0,3]:float [1] [8] 5:int32", "[0,3]"),
};
SF_OP_TEST(StatelessShuffle, stateless_shuffle)

static const SfOpCase stateful[] = {
    ROW("", "[]:resource 1 {2,n}:int64",   "[2,n]"),
    ROW("", "?:resource ? [2]:int64",      "[?,?]"),
    ROW("", "? ? ?",                       "?"),
    ROW("", "! 1 {2,3}:int64",             "!"),
    ROW("", "[]:resource [1] {2,3}:int64", "SF102 b"),
    ROW("", "[]:resource 1 3:int64",       "SF102 c"),
    ROW("", "[]:resource 4 {2,3}:int64", "deferred SF128 b 'Unsupported algorithm id: 4' / [2,3]"),
    ROW("@phase=eager", "[]:resource [1] {2,3}:int64", "SF102 b 'input 1 (0-based) must have shape [], not [1]'"),
    ROW("shape_dtype=bool", "[]:resource 1 [2]:bool", "deferred SF128 c 'shape must be a vector of {int32,int64}.' / ?"),
    ROW("shape_dtype=bool", "[]:resource 1 [0]:bool", "deferred SF128 c / []"),
};
SF_OPS_TEST(random, stateful, "StatefulStandardNormalV2", "StatefulUniform",
             "StatefulTruncatedNormal", "StatefulUniformFullInt")

static const SfOpCase stateful_int[] = {
    ROW("", "[]:resource 1 {2,n}:int64 0 3",   "[2,n]"),
    ROW("", "?:resource ? [2]:int64 [] []",    "[?,?]"),
    ROW("", "! 1 {2,3}:int64 0 3",             "!"),
    ROW("", "[]:resource [1] {2,3}:int64 0 3", "SF102 b"),
    ROW("@version=2.21", "[]:resource 1 {2,3}:int64 [1] 3", "SF102 d 'minval must be a scalar; got a tensor of shape [1]'"),
    ROW("", "[]:resource 1 {2,3}:int64 3 3", "deferred SF128 d e / [2,3]"),
};
SF_OP_TEST(StatefulUniformInt, stateful_int)

static const SfOpCase stateful_binomial[] = {
    ROW("", "[]:resource 1 {2,n}:int64 [] []",   "[2,n]"),
    ROW("", "?:resource ? [2]:int64 [] []",      "[?,?]"),
    ROW("", "! 1 {2,3}:int64 [] []",             "!"),
    ROW("", "[]:resource [1] {2,3}:int64 [] []", "deferred SF102 b 'algorithm must be of shape [], not [1]' / [2,3]"),
    ROW("", "[]:resource 1 {2,3}:int64 [4] []", "deferred SF128 c e 'Shape passed in must end with broadcasted shape.' / [2,3]"),
    ROW("", "[]:resource 3 {2,3}:int64 [] []", "deferred SF128 b 'Unsupported algorithm id: 3' / [2,3]"),
    ROW("", "[]:resource 1 [1,3]:int64 [] []", "SF102 c"),
};
SF_OP_TEST(StatefulRandomBinomial, stateful_binomial)

static const SfOpCase skip[] = {
    ROW("", "[]:resource 1 1",   ""),
    ROW("", "? ? ?",             ""),
    ROW("", "! 1 1",             ""),
    ROW("", "[]:resource [1] 1", "SF102 b"),
    ROW("@phase=eager", "[]:resource 1 [1]", "SF102 c 'input 2 (0-based) must have shape [], not [1]'"),
    ROW("", "[]:resource 5 1", "deferred SF128 b 'Unsupported algorithm id: 5' / "),
};
SF_OP_TEST(RngSkip, skip)

static const SfOpCase read_and_skip[] = {
    ROW("", "[]:resource 1 1",   "[3]"),
    ROW("", "? ? ?",             "[3]"),
    ROW("", "! 1 1",             "!"),
    ROW("", "[]:resource [1] 1", "SF102 b"),
    ROW("@phase=eager", "[]:resource [1] 1", "SF102 b 'input 1 (0-based) must have shape [], not [1]'"),
};
SF_OP_TEST(RngReadAndSkip, read_and_skip)

static const SfOpCase samplers[] = {
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "[n,2]", "[5] [n,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "[2,2]", "[5] [2,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "[8,?]", "[5] [8,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "?",     "[5] [?,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "!",     "! ! !"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "[8]",   "SF102 a"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100", "[8,3]", "deferred SF106 a.1 @num_true / [5] [8,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true,range_max=100,@phase=run", "[8,3]",
        "SF106 a.1 @num_true 'true_classes must have num_true columns, expected: 3 was: 2'"),
    ROW("num_true=2,num_sampled=50,unique=true,range_max=10,@phase=run", "[8,2]", "SF128 @num_sampled @range_max 'Sampler'"),
};
SF_OPS_TEST(random, samplers, "UniformCandidateSampler", "LogUniformCandidateSampler",
             "LearnedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler")

#define UNIGRAMS "num_true=1,num_sampled=1,unique=true,unigrams=[1.0,1.0,1.0],"
static const SfOpCase unigrams[] = {
    ROW(UNIGRAMS "range_max=3", "[n,1]", "[1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=3", "?", "[1] [?,1] [1]"),
    ROW(UNIGRAMS "range_max=3", "[8]", "SF102 a"),
    ROW(UNIGRAMS "range_max=4", "[n,1]",
        "deferred SF128 @range_max @unigrams 'range is 4 must be equal to weights size  3' / [1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=4,num_reserved_ids=1", "[n,1]", "[1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=3,num_reserved_ids=-1", "[n,1]", "[1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=3,num_reserved_ids=2,num_shards=2,shard=1", "[n,1]", "[1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=4,num_reserved_ids=3,num_shards=2", "[n,1]", "[1] [n,1] [1]"),
    ROW(UNIGRAMS "range_max=3,shard=2,@phase=eager", "[8]", "SF128 @range_max @unigrams 'size  0'"),
    ROW(UNIGRAMS "range_max=3,vocab_file='x',@phase=eager", "[8,1]",
        "SF128 @unigrams @vocab_file 'Must only provide one of vocab_file and unigrams.'"),
    ROW("num_true=1,num_sampled=1,unique=true,range_max=3,@phase=eager", "[8,1]",
        "SF128 @unigrams @vocab_file 'Must provide either vocab_file or unigrams.'"),
    ROW("num_true=1,num_sampled=1,unique=true,range_max=3,vocab_file='x'", "[8,1]", "[1] [8,1] [1]"),
};
SF_OP_TEST(FixedUnigramCandidateSampler, unigrams)

static const SfOpCase all_sampler[] = {
    ROW("num_true=2,num_sampled=5,unique=true", "[n,2]", "[5] [n,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true", "[2,2]", "[5] [2,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true", "[8,?]", "[5] [8,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true", "?",     "[5] [?,2] [5]"),
    ROW("num_true=2,num_sampled=5,unique=true", "!",     "! ! !"),
    ROW("num_true=2,num_sampled=5,unique=true", "[8]",   "SF102 a"),
};
SF_OP_TEST(AllCandidateSampler, all_sampler)

static const SfOpCase accidental[] = {
    ROW("num_true=2", "[n,2] [5]",   "[?] [?] [?]"),
    ROW("num_true=2", "[2,2] [5]", "[?] [?] [?]"),
    ROW("num_true=2", "[?,?] [?]",   "[?] [?] [?]"),
    ROW("num_true=2", "? ?",         "[?] [?] [?]"),
    ROW("num_true=2", "! [5]",       "! ! !"),
    ROW("num_true=2", "[8,3] [5]",   "SF106 a.1"),
    ROW("num_true=2", "[8,2] [5,1]", "SF102 b"),
    ROW("num_true=-1", "[8,2] [5]",  "SF106 a.1"),
    ROW("num_true=-2", "[8,?] [5]",  "[?] [?] [?]"),
    ROW("num_true=2,@phase=eager", "[8,3] [5]",
        "SF106 a.1 'true_candidates must be a batch_size * num_true matrix'"),
    ROW("num_true=2,@phase=eager", "[8,2] [5,1]",
        "SF102 b 'sampled_candidates must be a vector, which is typically an output from CandidateSampler'"),
};
SF_OP_TEST(ComputeAccidentalHits, accidental)

/* clang-format on */

/* clang-format off */
static const SfOpCase non_deterministic[] = {
    ROW("", "{2,3}",      "[2,3]:int64"),
    ROW("", "?:int32", "?"),
    ROW("", "{2,?}",      "[2,?]"),
    ROW("", "[2]:int64",  "[?,?]"),
    ROW("", "[2,1]:int64", "SF102 a"),
    ROW("@phase=eager", "[2,1]:int64", "SF102 a 'shape must be a vector of {int32,int64}, got shape [2,1]'"),
    ROW("", "{2,-1}", "deferred SF130 a / [2,?]"),
    ROW("@phase=eager", "[2]:bool", "SF128 a 'shape must be a vector of {int32,int64}.'"),
};
SF_OP_TEST(NonDeterministicInts, non_deterministic)

static const SfOpCase index_shuffle[] = {
    ROW("", "[] [3] []",      "[]"),
    ROW("", "[n] [3] []",     "[n]"),
    ROW("", "[] [n,3] []",    "[n]"),
    ROW("", "? [3] [4]",      "[4]"),
    ROW("", "? [3] []",       "?"),
    ROW("", "[] ? []",        "?"),
    ROW("", "[4] [4,3] [5]",  "SF128 c.0 a.0 'Max index has shape [5] but must have shape [4].'"),
    ROW("", "[4] [5,3] []",   "SF128 b.0 a.0 'Seed has shape [5, 3] but must have shape [4, 3].'"),
    ROW("", "[] [2] []",      "SF128 b.0 'Seed must have shape [3] or [n, 3] but got [2].'"),
    ROW("", "[2,2] [3] []",   "SF105 a"),
    ROW("", "[4] [1,3] [1]",  "deferred SF128 b 'Seed must be a vector of size [3] or a matrix of size [4, 3] but got [1,3].' / [4]"),
    ROW("", "5 [3] 4",        "deferred SF128 c a 'max_index must be >= index, but 4 < 5' / []"),
    ROW("@phase=eager", "5:int32 [3] 4:int32", "SF128 c a 'max_index must be >= index, but 4 < 5'"),
    ROW("", "[0] [3] [5]", "deferred SF128 a 'Index bust be a scalar or vector.' / [0]"),
    ROW("", "[?] [3] [5]", "[5]"),
    ROW("", "[4] [3] [1]", "deferred SF128 c 'Maxval must be a scalar or a vector of the same size as index but got [1]' / [4]"),
    ROW("", "[?] [6,?] [1]", "deferred SF128 c 'Maxval must be a scalar or a vector of the same size as index but got [1]' / [6]"),
    ROW("@phase=eager", "[] [6,1] []", "SF128 b 'Seed must be a vector of size [3] or a matrix of size [2, 3] but got [6,1].'"),
};
SF_OP_TEST(RandomIndexShuffle, index_shuffle)

static const SfOpCase sobol[] = {
    ROW("", "3 5 0",    "[5,3]"),
    ROW("", "[] 5 []",  "[5,?]"),
    ROW("", "? ? ?",    "[?,?]"),
    ROW("", "3 5 {0}",  "SF102 c"),
    ROW("", "3 -1 0",   "deferred SF128 b 'num_results must be at least one' / [?,3]"),
    ROW("@phase=eager", "3 5 -1", "SF128 c 'skip must be non-negative'"),
    ROW("@phase=eager", "0 5 0",  "SF128 a 'dim must be at least one'"),
    ROW("@phase=eager", "{3} 5 0", "SF102 a 'dim must be a scalar'"),
    ROW("", "3 -4 0", "SF130 b 'Dimension -4 must be >= 0'"),
};
SF_OP_TEST(SobolSample, sobol)
/* clang-format on */

static const SfOpCase stateful_standard_normal[] = {
    ROW("", "[] [2]", "[?,?]"),
    ROW("", "[] [?]", "?"),
    ROW("", "? ?", "?"),
    ROW("", "[] []", "SF102 b"),
};
SF_OP_TEST(StatefulStandardNormal, stateful_standard_normal)

static const SfOpCase stateful_standard_normal_v2[] = {
    ROW("", "[] [] [2]", "[?,?]"),    ROW("", "[] [] [?]", "?"),      ROW("", "? ? ?", "?"),
    ROW("", "[] [2] [2]", "SF102 b"), ROW("", "[] [] []", "SF102 c"),
};
SF_OPS_TEST(stateful_standard_normal_v2_rows, stateful_standard_normal_v2,
            "StatefulStandardNormalV2", "StatefulUniform", "StatefulTruncatedNormal",
            "StatefulUniformFullInt")

static const SfOpCase stateful_uniform_int[] = {
    ROW("", "[] [] [2] [] []", "[?,?]"),
    ROW("", "[] [] [?] [] []", "?"),
    ROW("", "? ? ? ? ?", "?"),
    ROW("", "[] [2] [2] [] []", "SF102 b"),
    ROW("", "[] [] [] [] []", "SF102 c"),
    ROW("", "[] [] [2] [2] []", "SF102 d"),
};
SF_OP_TEST(StatefulUniformInt, stateful_uniform_int)

static const SfOpCase stateful_random_binomial[] = {
    ROW("", "[] [] [2] [] []", "[?,?]"),
    ROW("", "[] [] [?] [] []", "?"),
    ROW("", "? ? ? ? ?", "?"),
    ROW("", "[] [] [] [] []", "SF102 c"),
};
SF_OP_TEST(StatefulRandomBinomial, stateful_random_binomial)
