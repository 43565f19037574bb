/* Permutations of numbers, and sequences that only look random. */
#include "apis/apis.h"
#include "apis/ops/shared/common.h"

static const SfShape *vector_of(SfInfer *c, int input, SfDim *n)
{
    const SfShape *s = sf_input(c, input);
    const bool is = sf_shape_rank(s) == (input == 1 ? 2 : 1);
    *n = is ? sf_shape_dim(s, 0) : SF_DIM_UNKNOWN;
    return is ? s : NULL;
}

/* Is the input neither a scalar (a triple) nor a batch of `outputs`? */
static bool misfits(SfInfer *c, int input, int64_t outputs)
{
    SfDim n;
    const int inner = input == 1;
    const SfShape *s = sf_input(c, input);
    if (!sf_shape_is_ranked(s)) {
        return false;
    }
    if (inner && (sf_shape_rank(s) == 0 || sf_dim_never(sf_shape_dim(s, -1), 3))) {
        return true;
    }
    return vector_of(c, input, &n) ? sf_dim_is_known(n) && n < outputs : sf_shape_rank(s) != inner;
}

static SfStatus shuffle_kernel(SfInfer *c, const void *data)
{
    const SfShape *seed = sf_input(c, 1);
    const SfDim numbers = sf_shape_count(seed);
    int64_t outputs = sf_dim_is_known(numbers) && numbers >= 3 ? numbers / 3 : 1; /* or more */
    int64_t index;
    int64_t most;
    SfDim n;
    for (int i = 0; i < 3; i++) {
        (void)vector_of(c, i, &n);
        const bool counts =
            i != 1 || !sf_dim_is_known(numbers); /* of a seed that has three columns */
        outputs = counts && sf_dim_is_known(n) && n > outputs ? n : outputs;
    }
    SF_TRY(sf_expect(c, !misfits(c, 0, outputs), SF_INPUT(0), "Index bust be a scalar or vector."));
    SF_TRY(sf_expect(c, !misfits(c, 1, outputs), SF_INPUT(1),
                     "Seed must be a vector of size [3] or a matrix of size [{0}, 3] but got {1}.",
                     SF_INT_ARG(outputs), SF_SHAPE_ARG(seed)));
    SF_TRY(sf_expect(
        c, !misfits(c, 2, outputs), SF_INPUT(2),
        "Maxval must be a scalar or a vector of the same size as index but got {a.shape}"));
    return sf_require_as(c,
                         sf_shape_rank(sf_input(c, 0)) != 0 || sf_shape_rank(sf_input(c, 2)) != 0 ||
                             !sf_input_int(c, 0, &index) || !sf_input_int(c, 2, &most) ||
                             most >= index || sf_dtype_is_unsigned(sf_input_dtype(c, 0)),
                         SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_INPUT(0),
                         "max_index must be >= index, but {0} < {1}", SF_INT_ARG(most),
                         SF_INT_ARG(index));
}

static SfStatus want_triples(SfInfer *c)
{
    const SfShape *s = sf_input(c, 1);
    if (!sf_shape_is_ranked(s) || !sf_dim_never(sf_shape_dim(s, -1), 3)) {
        return SF_OK;
    }
    const char *n = sf_shape_rank(s) == 2 && !sf_dim_is_known(sf_shape_dim(s, 0))
                        ? "-1"
                        : sf_common_dim_text(c, sf_shape_dim(s, 0));
    return sf_fail_with(
        c, SF_DIAG_OP_SHAPE, SF_AXIS(1, -1), SF_THE_OP,
        "Seed must have shape [3] or [n, 3] but got [{0}{1}{2}].", SF_TEXT_ARG(n),
        SF_TEXT_ARG(sf_shape_rank(s) == 2 ? ", " : ""),
        SF_TEXT_ARG(sf_shape_rank(s) == 2 ? sf_common_dim_text(c, sf_shape_dim(s, 1)) : ""));
}

/* RandomIndexShuffle: where `index` goes in a permutation of [0, max_index]; a batch when any of
 * index, seed and max_index is one. Kernels do not broadcast a batch of 1, although shape
 * functions accept it. */
static SfStatus infer_index_shuffle(SfInfer *c)
{
    bool batch = false;
    bool scalar = true;
    SfDim n = SF_DIM_UNKNOWN;
    int of = 0; /* the input that said n */
    SF_TRY(sf_common_kernel_first(c, shuffle_kernel, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 2, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(2), 1, NULL));
    SF_TRY(want_triples(c));
    for (int i = 0; i < 3; i++) {
        SfDim d;
        scalar = scalar && sf_shape_rank(sf_input(c, i)) == (i == 1);
        if (!vector_of(c, i, &d)) {
            continue;
        }
        if (!batch || (!sf_dim_is_known(n) && sf_dim_is_known(d))) {
            n = d;
            of = i;
        } else if (sf_dim_is_known(n) && sf_dim_is_known(d) && n > 1 && d > 1 && n != d) {
            return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_AXIS(i, 0), SF_AXIS(of, 0),
                                i == 1 ? "Seed has shape [{0}, 3] but must have shape [{1}, 3]. "
                                         "since index had shape [{1}]."
                                       : "Max index has shape [{0}] but must have shape [{1}].",
                                SF_DIM_ARG(d), SF_DIM_ARG(n));
        }
        batch = true;
    }
    SF_TRY(sf_common_kernel_last(c, shuffle_kernel, NULL));
    return batch    ? sf_set_output_vector(c, 0, n)
           : scalar ? sf_set_output_scalar(c, 0)
                    : sf_set_output_unknown(c, 0);
}

static const SfMessage sobol_messages[] = {{SF_ON(RANK_EXACT), .text = "{a.name} must be a scalar"},
                                           {0}};

static SfStatus sobol_kernel(SfInfer *c)
{
    static const char *const message[] = {"dim must be at least one",
                                          "num_results must be at least one",
                                          "skip must be non-negative"};
    for (int i = 0; i < 3; i++) {
        int64_t n;
        SF_TRY(sf_expect(c, !sf_input_int(c, i, &n) || n >= (i < 2), SF_INPUT(i), "{0}",
                         SF_TEXT_ARG(message[i])));
    }
    return SF_OK;
}

/* SobolSample: num_results points of a quasi-random sequence in `dim` dimensions. */
static SfStatus infer_sobol(SfInfer *c)
{
    sf_kernel_messages(c, sobol_messages);
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    SF_TRY(sf_common_want_dim_number(c, 1));
    SF_TRY(sf_common_want_dim_number(c, 0));
    SF_TRY(sf_ask_kernel(c, sobol_kernel));
    return sf_set_output_matrix(c, 0, sf_elem_as_dim(sf_common_elem(c, 1, 0)),
                                sf_elem_as_dim(sf_common_elem(c, 0, 0)));
}

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(RandomIndexShuffle, .inputs = "index: dtype, seed: Tseed, max_index: dtype",
          .outputs = "output: dtype",
          .attrs = "rounds: int = 4, dtype: {int32, uint32, int64, uint64}, "
                   "Tseed: {int32, uint32, int64, uint64}",
          .infer = infer_index_shuffle, .traits = SF_OP_RANDOM, .grad = SF_GRAD_NONE),
    SF_OP(SobolSample, .inputs = "dim: int32, num_results: int32, skip: int32",
          .outputs = "samples: dtype", .attrs = "dtype: {float, double} = float",
          .infer = infer_sobol, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_random_order = {ops, SF_ARRAY_LEN(ops), "random_order"};
