/* Data sets. See dataset.h. The rows are in dataset_source.c, dataset_transform.c and
 * dataset_handle.c. */
#include "apis/ops/data/dataset.h"

#include <string.h>

#include "apis/ops/shared/common.h"

/* arguments by their names */

enum { ANY_RANK, SCALAR, VECTOR, SCALAR_OR_VECTOR };

/* Arguments of any data set. */
static const struct {
    int rank;
    const char *names;
} wanted[] = {
    {SCALAR,
     "batch_size block_length buffer_size cache cardinality chunk_file compression_type count "
     "cycle_length data_source_name driver_name drop_remainder field_delim filename footer_bytes "
     "graph_def header header_bytes index max_intra_op_parallelism na_value num_parallel_calls "
     "num_replicas num_shards num_threads num_workers path query rate record_bytes reshuffle seed "
     "seed2 seed_generator shard_dir shift size sleep_microseconds snapshot_path start start_index "
     "step stop stride string_handle tag use_quote_delim window_shift window_size window_stride"},
    {VECTOR, "transformations select_cols exclude_cols row_shape"},
    {SCALAR_OR_VECTOR, "filenames patterns byte_offsets"},
};

static int wanted_rank(const char *name)
{
    for (int i = 0; i < SF_ARRAY_LEN(wanted); i++) {
        if (sf_common_is_among(name, wanted[i].names)) {
            return wanted[i].rank;
        }
    }
    return ANY_RANK;
}

static bool is_list(const SfPortSpec *port)
{
    return port->list_attr >= 0 || port->number_attr >= 0;
}

static SfStatus want_argument(SfInfer *c, int i, int rank)
{
    switch (rank) {
    case SCALAR:
        return sf_want_scalar(c, SF_INPUT(i));
    case VECTOR:
        return sf_want_vector(c, SF_INPUT(i));
    case SCALAR_OR_VECTOR:
        return sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL);
    default:
        return SF_OK;
    }
}

/* The argument that flat input `i` belongs to, and whether it is one of a list. */
static const SfPortSpec *argument_at(const SfInfer *c, int i)
{
    const SfOpSig *sig = sf_op_sig(c);
    for (int k = 0; k < sig->nin; k++) {
        int start;
        const int n = sf_input_range(c, sig->in[k].name, &start);
        if (i >= start && i < start + n) {
            return &sig->in[k];
        }
    }
    return NULL;
}

static SfStatus want_arguments(SfInfer *c)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfPortSpec *port = argument_at(c, i);
        /* Patterns of files are read flat, whatever their rank. */
        const bool flat = port && sf_common_runs(c) && strcmp(port->name, "patterns") == 0;
        /* Only its kernel looks at how fixed records are packed. */
        const bool late = port && !sf_common_runs(c) && sf_op_variant(c) == SF_DATA_FIXED_LENGTH &&
                          strcmp(port->name, "compression_type") == 0;
        if (port && !is_list(port) && !flat && !late) {
            SF_TRY(want_argument(c, i, wanted_rank(port->name)));
        }
    }
    return SF_OK;
}

/* ParseScalarArgument, ParseVectorArgument; the first argument of a finding is the rank. */
static bool wants_vector(SfInfer *c, const SfFinding *f)
{
    return f->args[0].u.i == 1;
}

static const SfMessage argument_messages[] = {
    {SF_ON(RANK_EXACT), .when = wants_vector, .text = "{a.name} must be a vector"},
    {SF_ON(RANK_AT_MOST), .when = wants_vector, .text = "`{a.name}` must be a scalar or a vector."},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a scalar"},
    {SF_ON(RANK_AT_MOST), .text = "{a.name} must be a scalar"},
    {0}};

/* their values */

/* What an input must be at least; the message holds no value. */
typedef struct Least {
    int op; /* SF_DATA_ANY: any op with such an input */
    const char *input;
    int64_t least;
    const char *message;
} Least;

static const Least least[] = {
    {SF_DATA_ANY, "batch_size", 1, "Batch size must be greater than zero."},
    {SF_DATA_ANY, "num_replicas", 1, "num_replicas must be greater than zero."},
    {SF_DATA_ANY, "window_size", 1, "Window size must be greater than zero."},
    {SF_DATA_ANY, "window_shift", 1, "Window shift must be greater than zero."},
    {SF_DATA_ANY, "window_stride", 1, "window_stride must be greater than zero."},
    {SF_DATA_ANY, "size", 1, "Window size must be greater than zero."},
    {SF_DATA_ANY, "shift", 1, "Window shift must be greater than zero."},
    {SF_DATA_ANY, "stride", 1, "Window stride must be greater than zero."},
    {SF_DATA_PREFETCH, "buffer_size", -1,
     "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning"},
    {SF_DATA_ANY, "max_intra_op_parallelism", 0, "`max_intra_op_parallelism` must be >= 0"},
    {SF_DATA_ANY, "num_threads", 0, "`num_threads` must be >= 0"},
    {SF_DATA_TEXT_LINES, "buffer_size", 0, "`buffer_size` must be >= 0 (0 == default)"},
    {SF_DATA_RECORDS, "buffer_size", -1, "`buffer_size` must be >= 0 (0 == no buffering)"},
    {SF_DATA_ANY, "header_bytes", 0, "`header_bytes` must be >= 0"},
    {SF_DATA_ANY, "record_bytes", 1, "`record_bytes` must be > 0"},
    {SF_DATA_ANY, "footer_bytes", 0, "`footer_bytes` must be >= 0"},
    {SF_DATA_FIXED_LENGTH, "buffer_size", 0, "`buffer_size` must be >= 0"},
};

/* The known integer of a named scalar argument. */
static bool argument_int(SfInfer *c, const char *name, int *at, int64_t *out)
{
    return sf_input_range(c, name, at) == 1 && sf_input_int(c, *at, out);
}

static SfStatus check_shuffle(SfInfer *c)
{
    int at;
    int64_t n;
    SF_TRY(sf_require(c, !argument_int(c, "buffer_size", &at, &n) || n > 0 || n == -2, SF_INPUT(at),
                      "buffer_size must be greater than zero or UNKNOWN_CARDINALITY"));
    return sf_require(c, !argument_int(c, "count", &at, &n) || n > 0 || n == -1, SF_INPUT(at),
                      "count must be greater than zero or equal to -1.");
}

static SfStatus check_shard(SfInfer *c)
{
    int shards_at, index_at;
    int64_t shards, index;
    if (!argument_int(c, "num_shards", &shards_at, &shards) || shards == -1) {
        return SF_OK; /* SHARD_HINT (-1): whoever distributes the data set fills the number in */
    }
    SF_TRY(sf_require(c, shards > 0, SF_INPUT(shards_at),
                      "Number of shards must be greater than zero (currently num_shards = {0}).",
                      SF_INT_ARG(shards)));
    return sf_require_as(
        c, !argument_int(c, "index", &index_at, &index) || (index >= 0 && index < shards),
        SF_DIAG_RUN_REFUSED, SF_INPUT(index_at), SF_INPUT(shards_at),
        "Index must be between 0 and {0} (currently index = {1}).", SF_INT_ARG(shards - 1),
        SF_INT_ARG(index));
}

/* Rows of all components: as many as of the first. */
static SfStatus check_slices(SfInfer *c)
{
    SfDim rows = SF_DIM_UNKNOWN;
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfDim n = sf_input_dim(c, i, 0);
        SF_TRY(sf_require(c, sf_shape_rank(sf_input(c, i)) != 0, SF_INPUT(i),
                          "All components must be at least 1-dimensional"));
        SF_TRY(sf_require_as(c, sf_dim_compatible(rows, n), SF_DIAG_RUN_REFUSED, SF_AXIS(i, 0),
                             SF_AXIS(0, 0),
                             "All components must have the same size in the 0th dimension"));
        rows = sf_dim_is_known(rows) ? rows : n;
    }
    return SF_OK;
}

/* VerifyTypesMatch, VerifyShapesCompatible: what is given against what output_shapes declares. */
static SfStatus check_tensors(SfInfer *c)
{
    const bool slices = sf_op_variant(c) == SF_DATA_SLICES;
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "output_shapes", &shapes);
    SF_TRY(slices ? check_slices(c) : SF_OK);
    SF_TRY(sf_require(c, n == sf_input_count(c), SF_ATTR("output_shapes"),
                      "Number of components does not match: expected {0} shapes but got {1}.",
                      SF_INT_ARG(sf_input_count(c)), SF_INT_ARG(n)));
    for (int i = 0; i < n; i++) {
        const SfShape *is = sf_input(c, i);
        const int rank = sf_shape_rank(is);
        is = slices && rank > 0 ? sf_shape_slice(is, 1, rank) : is;
        SF_TRY_ALLOC(is);
        SF_TRY(sf_require_as(c, sf_shape_compatible(is, shapes[i]), SF_DIAG_RUN_REFUSED,
                             SF_INPUT(i), SF_ATTR("output_shapes"),
                             "Incompatible shapes at component {0}: expected {1} but got {2}.",
                             SF_INT_ARG(i), SF_SHAPE_ARG(is), SF_SHAPE_ARG(shapes[i])));
    }
    return SF_OK;
}

/* Each of the inputs of list `name` has this rank. */
static SfStatus check_ranks(SfInfer *c, const char *name, int rank, const char *message)
{
    int start;
    const int n = sf_input_range(c, name, &start);
    for (int i = start; i < start + n; i++) {
        SF_TRY(sf_require(c, sf_shape_may_have_rank(sf_input(c, i), rank), SF_INPUT(i), message));
    }
    return SF_OK;
}

static SfStatus check_padding(SfInfer *c)
{
    SF_TRY(check_ranks(c, "padded_shapes", 1, "All padded shapes must be vectors"));
    return check_ranks(c, "padding_values", 0, "All padding values must be scalars");
}

static const SfCheck sparse_slices_checks[] = {
    {SF_IS_MATRIX(0), .text = "Input indices must be a matrix. Got: {a.shape}"},
    {SF_IS_VECTOR(1), .text = "Input values must be a vector. Got: {a.shape}"},
    {SF_IS_VECTOR(2), .text = "Input shape must be a vector. Got: {a.shape}"},
    {SF_INTS_AT_LEAST(2, 0), .text = "Expected shape dimensions to be non-negative, got {1}"},
    {SF_DIMS_EQUAL(1, 0, 0, 0), SF_AS(RUN_REFUSED),
     .text = "Number of values must match first dimension of indices. Got {1} values, indices "
             "shape: {shape 0}"},
    {SF_DIMS_EQUAL(2, 0, 0, 1), SF_AS(RUN_REFUSED),
     .text = "Number of dimensions must match second dimension of indices. Got {1} dimensions, "
             "indices shape: {shape 0}"},
    {0}};

static SfStatus check_sparse_slices(SfInfer *c)
{
    sf_kernel_messages(c, NULL); /* of arguments */
    return sf_check(c, sparse_slices_checks);
}

static SfStatus check_kernel(SfInfer *c)
{
    static const SfInferFn checks[SF_DATA_COUNT] = {
        [SF_DATA_SHUFFLE] = check_shuffle, [SF_DATA_SHARD] = check_shard,
        [SF_DATA_PADDED] = check_padding,  [SF_DATA_SPARSE_SLICES] = check_sparse_slices,
        [SF_DATA_SLICES] = check_tensors,  [SF_DATA_TENSORS] = check_tensors};
    const int variant = sf_op_variant(c);
    int at;
    int64_t n;
    SF_TRY(want_arguments(c));
    for (int i = 0; i < SF_ARRAY_LEN(least); i++) {
        SF_TRY(sf_require(c,
                          (least[i].op != SF_DATA_ANY && variant != least[i].op) ||
                              !argument_int(c, least[i].input, &at, &n) || n >= least[i].least,
                          SF_INPUT(at), least[i].message));
    }
    SF_TRY(sf_require(c, !argument_int(c, "step", &at, &n) || n != 0, SF_INPUT(at),
                      "step must be a non-zero integer."));
    return checks[variant] ? checks[variant](c) : SF_OK;
}

/* transfer functions */

SfStatus sf_dataset_infer(SfInfer *c)
{
    sf_kernel_messages(c, argument_messages);
    SF_TRY(sf_ask_kernel(c, check_kernel));
    return sf_set_output_scalar(c, 0);
}

static SfStatus check_handle(SfInfer *c)
{
    const SfShape *const *shapes;
    const SfDtype *types;
    if (sf_op_variant(c) == SF_DATA_THREADS) {
        const int64_t n = sf_attr_int(c, "num_threads");
        return sf_require(c, n >= 0 && n <= UINT16_MAX, SF_ATTR("num_threads"),
                          n < 0 ? "`num_threads` must be >= 0" : "`num_threads` must be < 65536");
    }
    if (sf_op_variant(c) == SF_DATA_FROM_STRING) {
        const int ntypes = sf_attr_types(c, "output_types", &types);
        const int nshapes = sf_attr_shapes(c, "output_shapes", &shapes);
        SF_TRY(sf_require_as(
            c, ntypes <= 0 || nshapes <= 0 || ntypes == nshapes, SF_DIAG_RUN_REFUSED,
            SF_ATTR("output_shapes"), SF_ATTR("output_types"),
            "If both 'output_types' and 'output_shapes' are set, they must have the same length."));
    }
    return want_arguments(c);
}

SfStatus sf_dataset_infer_handle(SfInfer *c)
{
    sf_kernel_messages(c, argument_messages);
    SF_TRY(sf_ask_kernel(c, check_handle));
    return sf_infer_scalar(c);
}

/* A default of a CSV column: none (an empty vector) or one value. */
static SfStatus want_defaults(SfInfer *c)
{
    int start;
    const int n = sf_input_range(c, "record_defaults", &start);
    for (int i = start; i < start + n; i++) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL));
        const SfDim d = sf_shape_rank(sf_input(c, i)) == 1 ? sf_input_dim(c, i, 0) : 0;
        SF_TRY(sf_expect(c, !sf_dim_is_known(d) || d <= 1, SF_AXIS(i, 0),
                         "Shape of a default must be a length-0 or length-1 vector, or a scalar."));
    }
    return SF_OK;
}

SfStatus sf_dataset_infer_checked(SfInfer *c)
{
    sf_kernel_messages(c, argument_messages);
    if (sf_op_variant(c) == SF_DATA_SLEEP) { /* WithRankAtMost(0), with its message */
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 0, NULL));
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 0, NULL));
    }
    SF_TRY(want_arguments(c));
    if (sf_op_variant(c) == SF_DATA_CSV) {
        sf_kernel_messages(c, NULL);
        SF_TRY(want_defaults(c));
    }
    return sf_dataset_infer(c);
}

SfStatus sf_dataset_infer_components(SfInfer *c)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "output_shapes", &shapes);
    /* the kernel of UncompressElement checks neither */
    const bool looks = sf_op_variant(c) != SF_DATA_UNCOMPRESS || !sf_common_runs(c);
    if (looks) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    }
    SF_TRY(sf_require_as(c, !looks || n == sf_output_count(c), SF_DIAG_OP_SHAPE,
                         SF_ATTR("output_shapes"), SF_ATTR("output_types"),
                         "`output_shapes` must be the same length as `output_types` ({0} vs. {1}",
                         SF_INT_ARG(n), SF_INT_ARG(sf_output_count(c))));
    for (int i = 0; i < n && i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, shapes[i]));
    }
    return SF_OK;
}

/* SaveDataset: writes, and gives nothing. */
SfStatus sf_dataset_infer_save(SfInfer *c)
{
    return want_arguments(c);
}
