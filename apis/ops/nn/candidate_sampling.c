/* Candidate sampling: classes drawn at random for sampled losses. */
#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* How many of the numbers below `n` belong to a shard: those with its number as remainder. */
static int64_t of_shard(int64_t n, int64_t shard, int64_t shards)
{
    return shard >= shards || shard >= n ? 0 : (n - shard - 1) / shards + 1;
}

/* FixedUnigramCandidateSampler, when it is made: what a shard weighs of the reserved ids and of the
 * unigrams (numbered from how many it had reserved) must be range_max. */
static SfStatus unigram_kernel(SfInfer *c)
{
    const int given = sf_attr(c, "unigrams")->u.list.n;
    const bool file = sf_attr_string(c, "vocab_file")[0] != '\0';
    SF_TRY(sf_require_as(c, file != (given > 0), SF_DIAG_OP_SHAPE, SF_ATTR("unigrams"),
                         SF_ATTR("vocab_file"), "{0}",
                         SF_TEXT_ARG(file ? "Must only provide one of vocab_file and unigrams."
                                          : "Must provide either vocab_file or unigrams.")));
    const int64_t reserved = sf_attr_int(c, "num_reserved_ids");
    const int64_t shards = sf_attr_int(c, "num_shards"), shard = sf_attr_int(c, "shard");
    const int64_t range = sf_attr_int(c, "range_max");
    if (file || reserved > INT32_MAX || shards < 1 || shard < 0) {
        return SF_OK; /* what the file holds is not read */
    }
    const int64_t before = of_shard(reserved > 0 ? reserved : 0, shard, shards);
    const int64_t weights =
        before + of_shard(before + given, shard, shards) - of_shard(before, shard, shards);
    return sf_require_as(c, weights == range, SF_DIAG_OP_SHAPE, SF_ATTR("range_max"),
                         SF_ATTR("unigrams"), "range is {0} must be equal to weights size  {1}",
                         SF_INT_ARG(range), SF_INT_ARG(weights));
}

static SfStatus sampler_kernel(SfInfer *c)
{
    const SfShape *classes = sf_input(c, 0);
    const bool ranged = sf_op_attr_index(sf_op_sig(c), "range_max") >= 0;
    if (sf_op_attr_index(sf_op_sig(c), "unigrams") >= 0) {
        SF_TRY(unigram_kernel(c));
    }
    SF_TRY(sf_require_as(c, !sf_shape_is_ranked(classes) || sf_shape_rank(classes) == 2,
                         SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_THE_OP,
                         "true_classes must be a matrix"));
    SF_TRY(
        sf_require_as(c, !sf_dim_never(sf_shape_dim(classes, 1), sf_attr_int(c, "num_true")),
                      SF_DIAG_DIM_VALUE, SF_AXIS(0, 1), SF_ATTR("num_true"),
                      "true_classes must have num_true columns, expected: {0} was: {attr num_true}",
                      SF_DIM_ARG(sf_shape_dim(classes, 1))));
    return sf_require_as(c,
                         !ranged || !sf_attr_bool(c, "unique") ||
                             sf_attr_int(c, "num_sampled") <= sf_attr_int(c, "range_max"),
                         SF_DIAG_OP_SHAPE, SF_ATTR("num_sampled"), SF_ATTR("range_max"),
                         "Sampler's range is too small.");
}

/* All samplers: the candidates, and how often each was to be expected. */
static SfStatus infer_sampler(SfInfer *c)
{
    const int64_t sampled = sf_attr_int(c, "num_sampled");
    const SfShape *classes;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &classes));
    SF_TRY(sf_set_output_vector(c, 0, sampled));
    SF_TRY(sf_set_output_matrix(c, 1, sf_shape_dim(classes, 0), sf_attr_int(c, "num_true")));
    return sf_set_output_vector(c, 2, sampled);
}

static const SfMessage hits_messages[] = {
    {SF_OF(0), .text = "true_candidates must be a batch_size * num_true matrix"},
    {.text = "sampled_candidates must be a vector, which is typically an output from "
             "CandidateSampler"},
    {0}};

/* ComputeAccidentalHits: which candidates are true classes; their number is content. */
static SfStatus infer_accidental_hits(SfInfer *c)
{
    const int64_t want = sf_attr_int(c, "num_true");
    sf_kernel_messages(c, hits_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    const SfDim columns = sf_input_dim(c, 0, 1);
    if (want < 0 && sf_dim_is_known(columns)) { /* no size is negative */
        return sf_fail(c, SF_DIAG_DIM_VALUE, SF_AXIS(0, 1), SF_THE_OP, SF_INT_ARG(want),
                       SF_DIM_ARG(columns));
    }
    SF_TRY(want < 0 ? SF_OK : sf_want_dim(c, SF_AXIS(0, 1), want));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    return sf_set_outputs(c, sf_shape_vector(SF_DIM_UNKNOWN));
}

#define SEEDS "seed: int = 0, seed2: int = 0"
#define SAMPLER(name, attrs_, range_)                                                              \
    SF_OP(name, .inputs = "true_classes: int64",                                                   \
          .outputs = "sampled_candidates: int64, true_expected_count: float, "                     \
                     "sampled_expected_count: float",                                              \
          .attrs = "num_true: int >= 1, num_sampled: int >= 1, unique: bool, " attrs_ SEEDS,       \
          .infer = infer_sampler, .kernel = sampler_kernel,                                        \
          .traits = SF_OP_STATEFUL | SF_OP_RANDOM, .grad = SF_GRAD_MISSING, .range = (range_))

/* clang-format off */
static const SfOpDef ops[] = {
    SAMPLER(UniformCandidateSampler,             "range_max: int >= 1, ", sf_range_candidates),
    SAMPLER(LogUniformCandidateSampler,          "range_max: int >= 1, ", sf_range_candidates),
    SAMPLER(LearnedUnigramCandidateSampler,      "range_max: int >= 1, ", sf_range_candidates),
    SAMPLER(ThreadUnsafeUnigramCandidateSampler, "range_max: int >= 1, ", sf_range_candidates),
    SAMPLER(FixedUnigramCandidateSampler,
            "range_max: int >= 1, vocab_file: string = '', distortion: float = 1.0, "
            "num_reserved_ids: int = 0, num_shards: int >= 1 = 1, shard: int >= 0 = 0, "
            "unigrams: list(float) = [], ", sf_range_index), /* some may weigh nothing */
    SAMPLER(AllCandidateSampler, "", sf_range_candidates),
    SF_OP(ComputeAccidentalHits, .inputs = "true_classes: int64, sampled_candidates: int64",
          .outputs = "indices: int32, ids: int64, weights: float",
          .attrs = "num_true: int, " SEEDS, .infer = infer_accidental_hits,
          .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_candidate = {ops, SF_ARRAY_LEN(ops), "candidate"};
