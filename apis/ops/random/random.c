/* Random numbers: the shape is an input, the content is not known. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { GAMMA = 1 }; /* variant: RandomGamma */

/* shape first */

static const SfMessage random_messages[] = {
    {SF_ON(RANK_EXACT), .text = "shape must be a vector of {int32,int64}, got shape {a.shape}"},
    {0}};

/* A vector of a dtype that cannot hold a shape, which the generators' signatures still allow:
 * construction reads it as a constant, and accepts an empty one. */
static SfStatus want_odd_shape(SfInfer *c, int input, const SfShape **out)
{
    const SfShape *s;
    *out = sf_shape_unknown();
    SF_TRY(sf_want_rank(c, SF_INPUT(input), 1, &s));
    SF_TRY(sf_expect(c, !sf_common_runs(c), SF_INPUT(input),
                     "shape must be a vector of {int32,int64}."));
    if (sf_shape_dim(s, 0) == 0) {
        *out = sf_shape_scalar();
        return SF_OK;
    }
    return sf_require_as(c, !sf_input_value(c, input), SF_DIAG_SHAPE_ENTRY, SF_INPUT(input),
                         SF_THE_OP, "Input tensor must be int32 or int64, but was {0}",
                         SF_DTYPE_ARG(sf_input_dtype(c, input)));
}

/* The shape that input i holds. */
static SfStatus want_shape(SfInfer *c, int input, const SfShape **out)
{
    const SfDtype d = sf_dtype_base(sf_input_dtype(c, input));
    sf_kernel_messages(c, random_messages);
    SF_TRY(d == SF_DT_INT32 || d == SF_DT_INT64 ? sf_want_dims_value(c, SF_INPUT(input), out)
                                                : want_odd_shape(c, input, out));
    sf_kernel_messages(c, NULL);
    return SF_OK;
}

/* Is at least one number drawn for certain? Only then kernels check the other inputs. */
static bool draws(const SfShape *out)
{
    return sf_dim_never(sf_shape_count(out), 0);
}

/* NonDeterministicInts. */
static SfStatus infer_random(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(want_shape(c, 0, &out));
    return sf_set_output_shape(c, 0, out);
}

/* RandomUniform, RandomStandardNormal, TruncatedNormal. Their signatures take integers alone: a
 * shape of another dtype holds something unmodelled. */
static SfStatus infer_random_of_ints(SfInfer *c)
{
    const SfDtype d = sf_dtype_base(sf_input_dtype(c, 0));
    return d == SF_DT_INT32 || d == SF_DT_INT64 ? infer_random(c)
                                                : sf_set_output_shape(c, 0, sf_shape_unknown());
}

/* Scalars [first, first + 1]: the least number, and one past the greatest. */
static SfStatus want_limits(SfInfer *c, int first)
{
    static const char *const names[] = {"minval", "maxval"};
    for (int i = 0; i < 2; i++) {
        const SfShape *s = sf_input(c, first + i);
        if (sf_version(c) < SF_VERSION(2, 0) && !sf_common_runs(c)) {
            SF_TRY(sf_common_want_scalar(c, SF_INPUT(first + i)));
        }
        SF_TRY(sf_require_as(c, !sf_shape_is_ranked(s) || sf_shape_rank(s) == 0, SF_DIAG_RANK_EXACT,
                             SF_INPUT(first + i), SF_THE_OP,
                             sf_common_runs(c) ? "{0} must be 0-D, got shape {1}"
                                               : "{0} must be a scalar; got a tensor of shape {1}",
                             SF_TEXT_ARG(names[i]), SF_SHAPE_ARG(s)));
    }
    return SF_OK;
}

static SfStatus want_ordered_limits(SfInfer *c, int first)
{
    int64_t low;
    int64_t high;
    return sf_require_as(c,
                         !sf_input_int(c, first, &low) || !(sf_input_int(c, first + 1, &high)) ||
                             low < high || sf_dtype_is_unsigned(sf_input_dtype(c, first)),
                         SF_DIAG_OP_SHAPE, SF_INPUT(first), SF_INPUT(first + 1),
                         "Need minval < maxval, got {0} >= {1}", SF_INT_ARG(low), SF_INT_ARG(high));
}

static SfStatus infer_random_int(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(want_limits(c, 1));
    SF_TRY(want_shape(c, 0, &out));
    if (sf_common_runs(c) && draws(out)) {
        SF_TRY(want_ordered_limits(c, 1));
    }
    return sf_set_output_shape(c, 0, out);
}

static const SfMessage parameterized_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "Input shape should be a vector, got shape: {a.shape}"},
    {SF_ON(RANK_AT_MOST), SF_OF(2),
     .text = "Input stddevs should be a scalar or vector, got shape: {a.shape}"},
    {SF_ON(RANK_AT_MOST),
     .text = "Input {a.name} should be a scalar or vector, got shape: {a.shape}"},
    {SF_ON(DIM_EQUAL), SF_OF(2),
     .text = "Input stddevs should have length 1 or shape[0], got shape: {a.shape}"},
    {SF_ON(DIM_EQUAL),
     .text = "Input {a.name} should have length 1 or shape[0], got shape: {a.shape}"},
    {0}};

static SfStatus parameterized_kernel(SfInfer *c, const SfShape *out)
{
    SF_TRY(sf_expect(c, sf_shape_rank(out) != 0, SF_INPUT(0),
                     "Shape tensor must not be empty, got {0}",
                     SF_TEXT_ARG(sf_common_tensor_text(c, 0))));
    for (int i = 1; i < 5; i++) {
        const SfShape *s = sf_input(c, i);
        if (sf_shape_rank(s) == 1 && sf_dim_never(sf_shape_dim(s, 0), 1) &&
            !sf_dim_compatible(sf_shape_dim(s, 0), sf_shape_dim(out, 0))) {
            return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_AXIS(i, 0), SF_INPUT(0),
                           SF_DIM_ARG(sf_shape_dim(s, 0)), SF_DIM_ARG(sf_shape_dim(out, 0)));
        }
    }
    return SF_OK;
}

/* ParameterizedTruncatedNormal: a parameter is a scalar, or one number for each batch entry. */
static SfStatus infer_parameterized(SfInfer *c)
{
    const SfShape *out;
    sf_kernel_messages(c, parameterized_messages);
    if (sf_common_runs(c)) {
        SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    }
    for (int i = 1; i < 5; i++) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL));
    }
    if (sf_common_runs(c)) {
        SF_TRY(parameterized_kernel(c, out));
    }
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    return sf_set_output_shape(c, 0, out);
}

/* Kernels check the shape themselves, before anything else. */
static SfStatus gamma_kernel(SfInfer *c, const void *data)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    return sf_require_as(c, rank == SF_RANK_UNKNOWN || rank == 1, SF_DIAG_RANK_EXACT, SF_INPUT(0),
                         SF_THE_OP, "shape must be a vector of {int32,int64}, got shape: {0}",
                         SF_TEXT_ARG(sf_common_tensor_text(c, 0)));
}

/* RandomGamma, RandomPoisson: so many samples of each parameter. */
static SfStatus infer_random_of_each(SfInfer *c)
{
    const SfShape *out;
    if (sf_op_variant(c) == GAMMA) {
        SF_TRY(sf_common_kernel_first(c, gamma_kernel, NULL));
    }
    sf_kernel_messages(c, random_messages);
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    return sf_set_output_shape(c, 0, sf_shape_concat(out, sf_input(c, 1)));
}

static const SfMessage seed_messages[] = {{.text = "seed must have shape [2], not {a.shape}"}, {0}};

static SfStatus want_seed(SfInfer *c, int input)
{
    sf_kernel_messages(c, seed_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(input)));
    SF_TRY(sf_want_dim(c, SF_AXIS(input, 0), 2));
    sf_kernel_messages(c, NULL);
    return SF_OK;
}

static const SfMessage multinomial_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "logits should be a matrix, got shape {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "num_samples should be a scalar, got shape {a.shape}"},
    {SF_ON(OP_SHAPE), SF_OF(1), .text = "num_samples should be non-negative, got {value 1}"},
    {0}};

/* Multinomial: samples of each row of logits. A third input is a seed. */
static SfStatus infer_multinomial(SfInfer *c)
{
    const SfShape *logits;
    SfDim n;
    if (sf_input_count(c) == 3) {
        SF_TRY(want_seed(c, 2));
    }
    sf_kernel_messages(c, multinomial_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &logits));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    SF_TRY(sf_common_dim_value(c, 1, &n));
    SF_TRY(sf_expect(c, !sf_common_runs(c) || sf_shape_dim(logits, 1) != 0, SF_AXIS(0, 1),
                     "num_classes should be positive, got 0"));
    return sf_set_output_matrix(c, 0, sf_shape_dim(logits, 0), n);
}

/* RandomGammaGrad: both operands broadcast. RandomShuffle needs nothing: rows change places. */

/* RandomCrop (of old graphs): rows and columns by number. */
static SfStatus infer_random_crop(SfInfer *c)
{
    const SfShape *image;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, &image));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), 2));
    const SfShape *out = sf_shape_replace(image, 0, sf_elem_as_dim(sf_common_elem(c, 1, 0)));
    return sf_set_output_shape(c, 0,
                               sf_shape_replace(out, 1, sf_elem_as_dim(sf_common_elem(c, 1, 1))));
}

/* stateless */

/* Samples come in batches: the shape must end with that of the parameters. */
static SfStatus want_ending(SfInfer *c, int shape, const SfShape *out, const SfShape *all)
{
    const int batch = sf_shape_rank(all);
    const int rank = sf_shape_rank(out);
    bool never = rank >= 0 && batch > rank;
    for (int i = 1; i <= batch && rank >= 0 && !never; i++) {
        never = !sf_dim_compatible(sf_shape_dim(all, -i), sf_shape_dim(out, -i));
    }
    return sf_require_as(c, !never, SF_DIAG_OP_SHAPE, SF_INPUT(shape),
                         SF_INPUT(sf_input_count(c) - 1),
                         "Shape passed in must end with broadcasted shape.");
}

/* StatelessRandomUniform...: shape and seed; the Int variants add limits, others a parameter. */
static SfStatus infer_stateless(SfInfer *c)
{
    const SfShape *out;
    const bool limited = sf_input_count(c) == 4;
    if (sf_common_runs(c)) {
        SF_TRY(want_shape(c, 0, &out));
        SF_TRY(want_seed(c, 1));
        if (limited && draws(out)) {
            SF_TRY(want_limits(c, 2));
            SF_TRY(want_ordered_limits(c, 2));
        } else if (sf_input_count(c) == 3 && draws(out)) {
            SF_TRY(want_ending(c, 0, out, sf_input(c, 2)));
        }
        return sf_set_output_shape(c, 0, out);
    }
    if (limited) {
        SF_TRY(want_limits(c, 2));
    }
    SF_TRY(want_seed(c, 1));
    SF_TRY(want_shape(c, 0, &out));
    return sf_set_output_shape(c, 0, out);
}

static const SfMessage counts_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "algorithm must be of shape [], not {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "Input shape should be a vector, got shape: {a.shape}"},
    {SF_ON(DIM_EQUAL),
     .text = "counts and probs must have compatible batch dimensions: {a.shape} vs. {b.shape}"},
    {0}};

/* The inputs [first, last] broadcast; `all` is what they give. TensorFlow names a pair in the order
 * in which it merges them: (means, stddevs), then each next one with what is there. */
static SfStatus want_broadcast(SfInfer *c, int first, int last, const SfShape **all)
{
    *all = sf_input(c, first);
    for (int i = first + 1; i <= last; i++) {
        int back;
        const SfShape *s = sf_input(c, i);
        const SfShape *both = sf_shape_broadcast(*all, s, &back);
        SF_TRY_ALLOC(both);
        if (sf_shape_is_bottom(both)) {
            const SfDim a = sf_shape_dim(*all, -1 - back);
            const SfDim b = sf_shape_dim(s, -1 - back);
            return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_INPUT(first), SF_AXIS(i, -1 - back),
                           SF_DIM_ARG(i == first + 1 ? a : b), SF_DIM_ARG(i == first + 1 ? b : a));
        }
        *all = both;
    }
    return SF_OK;
}

/* What the kernels of the binomials ask; `shape`: which input it is, before counts and probs. */
static SfStatus want_counts(SfInfer *c, int shape, const SfShape **out)
{
    const SfShape *all;
    const int counts = sf_input_count(c) - 2;
    sf_kernel_messages(c, counts_messages);
    SF_TRY(want_broadcast(c, counts, counts + 1, &all));
    SF_TRY(sf_want_dims_value(c, SF_INPUT(shape), out));
    return want_ending(c, shape, *out, all);
}

static SfStatus infer_stateless_binomial(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(want_seed(c, 1));
    SF_TRY(sf_common_runs(c) ? want_counts(c, 0, &out) : want_shape(c, 0, &out));
    return sf_set_output_shape(c, 0, out);
}

static const SfMessage normal_messages[] = {
    {SF_ON(DIM_EQUAL),
     .text = "means, stddevs, minvals, maxvals must have compatible batch dimensions: {shape 2} "
             "vs. {shape 3} vs. {shape 4} vs. {shape 5}"},
    {SF_ON(RANK_EXACT), .text = "Input shape should be a vector, got shape: {shape 0}"},
    {0}};

/* The parameters must broadcast among themselves, and with the shape. */
static SfStatus infer_stateless_parameterized(SfInfer *c)
{
    const SfShape *out;
    const SfShape *all;
    SF_TRY(want_seed(c, 1));
    sf_kernel_messages(c, normal_messages);
    SF_TRY(want_broadcast(c, 2, 5, &all));
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    if (sf_common_runs(c)) {
        SF_TRY(want_ending(c, 0, out, all));
    }
    return sf_set_output_shape(c, 0, out);
}

/* keys, counters and algorithms */
enum { PHILOX = 1, THREEFRY, AUTO };

static const SfMessage number_messages[] = {
    {.text = "input {a} (0-based) must have shape [], not {a.shape}"}, {0}};

static SfStatus want_number(SfInfer *c, int input)
{
    sf_kernel_messages(c, number_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(input)));
    sf_kernel_messages(c, NULL);
    return SF_OK;
}

/* ThreeFry is XLA's: compiled, a graph may have it. */
static SfStatus want_algorithm(SfInfer *c, int input)
{
    int64_t alg;
    return sf_expect(c,
                     !sf_input_int(c, input, &alg) || alg == PHILOX || alg == AUTO ||
                         (alg == THREEFRY && sf_phase(c) != SF_PHASE_EAGER),
                     SF_INPUT(input), "Unsupported algorithm id: {0}", SF_INT_ARG(alg));
}

/* Key [1], counter and algorithm at inputs 1, 2, 3. A kernel takes the number of the algorithm for
 * the least length of a counter. */
static SfStatus want_generator(SfInfer *c)
{
    const SfShape *key = sf_input(c, 1);
    const SfShape *counter = sf_input(c, 2);
    int64_t least = PHILOX;
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
        SF_TRY(sf_want_vector(c, SF_INPUT(2)));
        SF_TRY(sf_common_want_scalar(c, SF_INPUT(3)));
        return sf_want_dim(c, SF_AXIS(1, 0), 1);
    }
    SF_TRY(want_number(c, 3));
    const bool known = sf_input_int(c, 3, &least);
    least = least == AUTO ? PHILOX : least;
    SF_TRY(sf_expect(
        c,
        !sf_shape_is_ranked(key) ||
            (sf_shape_rank(key) == 1 && !sf_dim_never(sf_shape_dim(key, 0), 1)),
        SF_INPUT(1),
        "key must have shape [1], not {0}. (Note that batched keys are not supported yet.)",
        SF_SHAPE_ARG(key)));
    const SfDim n = sf_shape_dim(counter, 0);
    return sf_require_as(
        c,
        !sf_shape_is_ranked(counter) ||
            (sf_shape_rank(counter) == 1 && (!known || !sf_dim_is_known(n) || n >= least)),
        SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_INPUT(3),
        "counter must be a vector with length at least {0}; got shape: {1}. (Note that batched "
        "counters are not supported yet.)",
        SF_INT_ARG(least), SF_SHAPE_ARG(counter));
}

static SfStatus infer_stateless_v2(SfInfer *c)
{
    const SfShape *out;
    const bool limited = sf_input_count(c) == 6;
    if (limited && !sf_common_runs(c)) {
        SF_TRY(want_limits(c, 4));
    }
    SF_TRY(want_generator(c));
    SF_TRY(want_shape(c, 0, &out));
    if (sf_common_runs(c) && draws(out)) {
        if (limited) {
            SF_TRY(want_limits(c, 4));
            SF_TRY(want_ordered_limits(c, 4));
        } else if (sf_input_count(c) == 5) {
            SF_TRY(want_ending(c, 0, out, sf_input(c, 4)));
        }
        SF_TRY(want_algorithm(c, 3));
    }
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_stateless_shuffle(SfInfer *c)
{
    if (sf_common_runs(c)) {
        SF_TRY(want_generator(c));
        SF_TRY(draws(sf_input(c, 0)) ? want_algorithm(c, 3) : SF_OK);
    }
    return sf_set_output_same(c, 0, 0);
}

/* generators that are resources */

/* What the variable of a generator holds now: [counter, key], three numbers and more. */
static SfStatus generator_kernel(SfInfer *c, const char *philox)
{
    SfState s;
    if (sf_phase(c) == SF_PHASE_BUILD || !sf_state_read(c, 0, &s) || !s.initialized) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, s.dtype == SF_DT_INT64 || s.dtype == SF_DT_INVALID, SF_INPUT(0),
                     "dtype of RNG state variable must be int64, not {0}", SF_DTYPE_ARG(s.dtype)));
    SF_TRY(sf_expect(c, !sf_shape_is_ranked(s.shape) || sf_shape_rank(s.shape) == 1, SF_INPUT(0),
                     "RNG state must have one and only one dimension, not {0}",
                     SF_INT_ARG(sf_shape_rank(s.shape))));
    const SfDim n = sf_shape_dim(s.shape, 0);
    return sf_expect(c, !sf_dim_is_known(n) || n >= 3, SF_INPUT(0),
                     "For {0} algorithm, the size of state must be at least 3; got {1}",
                     SF_TEXT_ARG(philox), SF_DIM_ARG(n));
}

static SfStatus infer_stateful(SfInfer *c)
{
    const SfShape *out;
    const bool limited = sf_input_count(c) == 5;
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(0)));
    SF_TRY(want_number(c, 1));
    if (sf_common_runs(c)) {
        SF_TRY(want_algorithm(c, 1));
    }
    if (limited) {
        SF_TRY(want_limits(c, 3));
        SF_TRY(sf_common_runs(c) ? want_ordered_limits(c, 3) : SF_OK);
    }
    SF_TRY(want_shape(c, 2, &out));
    SF_TRY(generator_kernel(c, "the Philox"));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_stateful_binomial(SfInfer *c)
{
    const SfShape *out;
    int64_t alg;
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(0)));
    if (!sf_common_runs(c)) {
        SF_TRY(want_shape(c, 2, &out));
        return sf_set_output_shape(c, 0, out);
    }
    SF_TRY(want_counts(c, 2, &out));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    SF_TRY(generator_kernel(c, "Philox"));
    SF_TRY(sf_expect(c, !sf_input_int(c, 1, &alg) || alg == PHILOX, SF_INPUT(1),
                     "Unsupported algorithm id: {0}", SF_INT_ARG(alg)));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_rng_skip(SfInfer *c)
{
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(0)));
    SF_TRY(want_number(c, 1));
    SF_TRY(want_number(c, 2));
    if (sf_common_runs(c)) {
        SF_TRY(want_algorithm(c, 1));
    }
    SF_TRY(generator_kernel(c, "the Philox"));
    return sf_output_count(c) == 0 ? SF_OK : sf_set_output_vector(c, 0, 3);
}

static SfStatus infer_standard_normal(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(0)));
    SF_TRY(want_shape(c, 1, &out));
    return sf_set_output_shape(c, 0, out);
}

/* rows */

#define SEEDS       "seed: int = 0, seed2: int = 0"
#define REALS       "{half, bfloat16, float, double}"
#define COUNTED     "{half, float, double, int32, int64}"
#define GAMMA_TYPES "{half, float, double}"
#define FULL_INT    "{int32, int64, uint32, uint64}"
#define RANDOM(name, grad_, ...)                                                                   \
    SF_OP(name, .traits = SF_OP_STATEFUL | SF_OP_RANDOM | SF_OP_ASK_KERNEL, .grad = grad_,         \
          __VA_ARGS__)
#define OF_SHAPE(name, ...)                                                                        \
    RANDOM(name, SF_GRAD_NONE, .inputs = "shape: T", .outputs = "output: dtype",                   \
           .attrs = SEEDS ", dtype: " REALS ", T: " SF_INDEX, .infer = infer_random_of_ints,       \
           __VA_ARGS__)
#define STATELESS(name, grad_, ...)                                                                \
    SF_OP(name, .traits = SF_OP_RANDOM | SF_OP_ASK_KERNEL, .grad = grad_, __VA_ARGS__)
#define STATELESS_OF_SHAPE(name, dtypes, ...)                                                      \
    STATELESS(name, SF_GRAD_NONE, .inputs = "shape: T, seed: Tseed", .outputs = "output: dtype",   \
              .attrs = "dtype: " dtypes ", T: " SF_INDEX " = int32, Tseed: " SF_INDEX " = int64",  \
              .infer = infer_stateless, __VA_ARGS__)
#define STATELESS_V2(name, extra, dtypes, ...)                                                     \
    STATELESS(name, SF_GRAD_NONE,                                                                  \
              .inputs = "shape: Tshape, key: uint64, counter: uint64, alg: int32" extra,           \
              .outputs = "output: dtype",                                                          \
              .attrs = "dtype: " dtypes ", Tshape: " SF_INDEX " = int32",                          \
              .infer = infer_stateless_v2, __VA_ARGS__)
#define STATEFUL(name, extra, dtype_, ...)                                                         \
    RANDOM(name, SF_GRAD_MISSING,                                                                  \
           .inputs = "resource: resource, algorithm: int64, shape: shape_dtype" extra,             \
           .outputs = "output: dtype",                                                             \
           .attrs = "dtype: type = " dtype_ ", shape_dtype: type = int64",                         \
           .infer = infer_stateful, __VA_ARGS__)
#define KEY_COUNTER(name, outputs_, shapes_)                                                       \
    SF_OP(name, .inputs = "seed: Tseed", .outputs = (outputs_),                                    \
          .attrs = "Tseed: " SF_INDEX " = int64", .infer = SF_SHAPES(shapes_),                     \
          .messages = seed_messages, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING)

/* clang-format off */
static const SfOpDef ops[] = {
    OF_SHAPE(RandomUniform, .range = sf_range_unit_uniform),
    OF_SHAPE(RandomStandardNormal, .range = sf_range_normal),
    OF_SHAPE(TruncatedNormal, .range = sf_range_truncated_normal),
    RANDOM(RandomUniformInt, SF_GRAD_MISSING, .inputs = "shape: T, minval: Tout, maxval: Tout",
           .outputs = "output: Tout", .attrs = SEEDS ", Tout: " SF_INDEX ", T: " SF_INDEX,
           .infer = infer_random_int, .range = sf_range_uniform_int),
    RANDOM(ParameterizedTruncatedNormal, SF_GRAD_NONE,
           .inputs = "shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype",
           .outputs = "output: dtype", .attrs = SEEDS ", dtype: " REALS ", T: " SF_INDEX,
           .infer = infer_parameterized),
    RANDOM(RandomShuffle, SF_GRAD_NONE, .inputs = "value: T", .outputs = "output: T",
           .attrs = SEEDS ", T: type", .infer = sf_infer_unchanged, .range = sf_range_move),
    RANDOM(Multinomial, SF_GRAD_NONE, .inputs = "logits: T, num_samples: int32",
           .outputs = "output: output_dtype",
           .attrs = SEEDS ", T: " SF_REALTYPE ", output_dtype: " SF_INDEX " = int64",
           .infer = infer_multinomial, .range = sf_range_index),
    RANDOM(RandomGamma, SF_GRAD_FLOATS, .inputs = "shape: S, alpha: T", .outputs = "output: T",
           .attrs = SEEDS ", S: " SF_INDEX ", T: " GAMMA_TYPES, .infer = infer_random_of_each,
           .variant = GAMMA, .range = sf_range_positive),
    SF_OP(RandomGammaGrad, .inputs = "alpha: T, sample: T", .outputs = "output: T",
          .attrs = "T: {float, double}", .infer = sf_infer_broadcast, .grad = SF_GRAD_MISSING),
    RANDOM(RandomPoisson, SF_GRAD_MISSING, .inputs = "shape: S, rate: dtype",
           .outputs = "output: dtype", .attrs = SEEDS ", S: " SF_INDEX ", dtype: " GAMMA_TYPES,
           .infer = infer_random_of_each, .range = sf_range_positive),
    RANDOM(RandomPoissonV2, SF_GRAD_MISSING, .inputs = "shape: S, rate: R",
           .outputs = "output: dtype",
           .attrs = SEEDS ", S: " SF_INDEX ", R: " COUNTED " = double, dtype: " COUNTED " = int64",
           .infer = infer_random_of_each, .range = sf_range_positive),
    RANDOM(RandomCrop, SF_GRAD_NONE, .inputs = "image: T, size: int64", .outputs = "output: T",
           .attrs = "T: {uint8, int8, int16, int32, int64, float, double}, " SEEDS,
           .infer = infer_random_crop, .range = sf_range_move),

    STATELESS_OF_SHAPE(StatelessRandomUniform,   REALS " = float", .range = sf_range_unit_uniform),
    STATELESS_OF_SHAPE(StatelessRandomNormal,    REALS " = float", .range = sf_range_normal),
    STATELESS_OF_SHAPE(StatelessTruncatedNormal, REALS " = float",
          .range = sf_range_truncated_normal),
    STATELESS(StatelessRandomUniformFullInt, SF_GRAD_NONE, .inputs = "shape: T, seed: Tseed",
              .outputs = "output: dtype",
              .attrs = "dtype: " FULL_INT " = uint64, T: " SF_INDEX " = int32, Tseed: " FULL_INT
                       " = int64",
              .infer = infer_stateless),
    STATELESS(StatelessRandomUniformInt, SF_GRAD_NONE,
              .inputs = "shape: T, seed: Tseed, minval: dtype, maxval: dtype",
              .outputs = "output: dtype",
              .attrs = "dtype: " SF_INDEX ", T: " SF_INDEX ", Tseed: " SF_INDEX " = int64",
              .infer = infer_stateless, .range = sf_range_uniform_int),
    STATELESS(StatelessMultinomial, SF_GRAD_NONE,
              .inputs = "logits: T, num_samples: int32, seed: Tseed",
              .outputs = "output: output_dtype",
              .attrs = "T: " SF_REALTYPE ", Tseed: " SF_INDEX " = int64, output_dtype: " SF_INDEX
                       " = int64",
              .infer = infer_multinomial, .range = sf_range_index),
    STATELESS(StatelessRandomBinomial, SF_GRAD_NONE,
              .inputs = "shape: S, seed: Tseed, counts: T, probs: T", .outputs = "output: dtype",
              .attrs = "S: " SF_INDEX ", Tseed: " SF_INDEX " = int64, T: " COUNTED
                       " = double, dtype: " COUNTED " = int64",
              .infer = infer_stateless_binomial, .range = sf_range_positive),
    STATELESS(StatelessRandomPoisson, SF_GRAD_NONE,
              .inputs = "shape: T, seed: Tseed, lam: Rtype", .outputs = "output: dtype",
              .attrs = "Rtype: " COUNTED ", dtype: " COUNTED ", T: " SF_INDEX ", Tseed: " SF_INDEX
                       " = int64",
              .infer = infer_stateless, .range = sf_range_positive),
    STATELESS(StatelessParameterizedTruncatedNormal, SF_GRAD_FLOATS,
              .inputs = "shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, "
                        "maxvals: dtype",
              .outputs = "output: dtype",
              .attrs = "S: " SF_INDEX ", Tseed: " SF_INDEX " = int64, dtype: " GAMMA_TYPES,
              .infer = infer_stateless_parameterized),
    STATELESS(StatelessRandomGammaV2, SF_GRAD_FLOATS,
              .inputs = "shape: T, seed: Tseed, alpha: dtype", .outputs = "output: dtype",
              .attrs = "dtype: " GAMMA_TYPES ", T: " SF_INDEX ", Tseed: " SF_INDEX " = int64",
              .infer = infer_stateless, .range = sf_range_positive),
    STATELESS(StatelessRandomGammaV3, SF_GRAD_FLOATS,
              .inputs = "shape: shape_dtype, key: uint64, counter: uint64, alg: int32, "
                        "alpha: dtype",
              .outputs = "output: dtype",
              .attrs = "dtype: " GAMMA_TYPES ", shape_dtype: " SF_INDEX " = int32",
              .infer = infer_stateless_v2, .range = sf_range_positive),
    STATELESS_V2(StatelessRandomUniformV2,   "", REALS " = float", .range = sf_range_unit_uniform),
    STATELESS_V2(StatelessRandomNormalV2,    "", REALS " = float", .range = sf_range_normal),
    STATELESS_V2(StatelessTruncatedNormalV2, "", REALS " = float",
          .range = sf_range_truncated_normal),
    STATELESS_V2(StatelessRandomUniformFullIntV2, "", FULL_INT " = uint64"),
    STATELESS_V2(StatelessRandomUniformIntV2, ", minval: dtype, maxval: dtype", FULL_INT,
          .range = sf_range_uniform_int),
    KEY_COUNTER(StatelessRandomGetKeyCounter, "key: uint64, counter: uint64", "[2] -> [1] [2]"),
    KEY_COUNTER(StatelessRandomGetKeyCounterAlg, "key: uint64, counter: uint64, alg: int32",
                "[2] -> [1] [2] []"),
    SF_OP(StatelessRandomGetAlg, .inputs = "", .outputs = "alg: int32", .infer = sf_infer_scalar,
          .traits = SF_OP_STATEFUL, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    STATELESS(StatelessShuffle, SF_GRAD_MISSING,
              .inputs = "value: T, key: uint64, counter: uint64, alg: int32",
              .outputs = "output: T", .attrs = "T: type", .infer = infer_stateless_shuffle),

    RANDOM(NonDeterministicInts, SF_GRAD_MISSING, .inputs = "shape: shape_dtype",
           .outputs = "output: dtype", .attrs = "dtype: type = int64, shape_dtype: type = int64",
           .infer = infer_random),
    RANDOM(StatefulStandardNormal, SF_GRAD_MISSING,
           .inputs = "resource: resource, shape: shape_dtype", .outputs = "output: dtype",
           .attrs = "dtype: type = float, shape_dtype: type = int64",
           .infer = infer_standard_normal, .range = sf_range_normal),
    STATEFUL(StatefulStandardNormalV2, "", "float", .range = sf_range_normal),
    STATEFUL(StatefulUniform, "", "float", .range = sf_range_unit_uniform),
    STATEFUL(StatefulTruncatedNormal, "", "float", .range = sf_range_truncated_normal),
    STATEFUL(StatefulUniformFullInt, "", "uint64", .range = NULL),
    STATEFUL(StatefulUniformInt, ", minval: dtype, maxval: dtype", "int64",
             .range = sf_range_uniform_int),
    RANDOM(StatefulRandomBinomial, SF_GRAD_MISSING,
           .inputs = "resource: resource, algorithm: int64, shape: S, counts: T, probs: T",
           .outputs = "output: dtype",
           .attrs = "S: " SF_INDEX ", T: " COUNTED " = double, dtype: " COUNTED " = int64",
           .infer = infer_stateful_binomial, .range = sf_range_positive),
    SF_OP(RngSkip, .inputs = "resource: resource, algorithm: int64, delta: int64", .outputs = "",
          .infer = infer_rng_skip, .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_MISSING),
    SF_OP(RngReadAndSkip, .inputs = "resource: resource, alg: int32, delta: uint64",
          .outputs = "value: int64", .infer = infer_rng_skip,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_random = {ops, SF_ARRAY_LEN(ops), "random"};
