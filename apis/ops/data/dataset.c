/* Data sets. See dataset.h. The rows are in dataset_source.c, dataset_transform*.c,
 * dataset_experimental.c, dataset_handle.c. */
#include "apis/ops/data/dataset.h"

#include <string.h>

#include "apis/ops/shared/common.h"

/* arguments by their names */

enum { ANY_RANK, SCALAR, VECTOR, SCALAR_OR_VECTOR };

static int wanted_rank(const char *name)
{
    static const struct {
        const char *name;
        int rank;
    } wanted[] = {
        {"batch_size", SCALAR},
        {"drop_remainder", SCALAR},
        {"buffer_size", SCALAR},
        {"count", SCALAR},
        {"seed", SCALAR},
        {"seed2", SCALAR},
        {"seed_generator", SCALAR},
        {"start", SCALAR},
        {"stop", SCALAR},
        {"step", SCALAR},
        {"size", SCALAR},
        {"shift", SCALAR},
        {"stride", SCALAR},
        {"num_shards", SCALAR},
        {"index", SCALAR},
        {"path", SCALAR},
        {"tag", SCALAR},
        {"cardinality", SCALAR},
        {"compression_type", SCALAR},
        {"header", SCALAR},
        {"field_delim", SCALAR},
        {"use_quote_delim", SCALAR},
        {"na_value", SCALAR},
        {"filename", SCALAR},
        {"cache", SCALAR},
        {"sleep_microseconds", SCALAR},
        {"window_size", SCALAR},
        {"window_shift", SCALAR},
        {"window_stride", SCALAR},
        {"driver_name", SCALAR},
        {"data_source_name", SCALAR},
        {"query", SCALAR},
        {"header_bytes", SCALAR},
        {"record_bytes", SCALAR},
        {"footer_bytes", SCALAR},
        {"num_parallel_calls", SCALAR},
        {"rate", SCALAR},
        {"snapshot_path", SCALAR},
        {"chunk_file", SCALAR},
        {"shard_dir", SCALAR},
        {"start_index", SCALAR},
        {"num_workers", SCALAR},
        {"num_replicas", SCALAR},
        {"max_intra_op_parallelism", SCALAR},
        {"num_threads", SCALAR},
        {"cycle_length", SCALAR},
        {"block_length", SCALAR},
        {"reshuffle", SCALAR},
        {"graph_def", SCALAR},
        {"string_handle", SCALAR},
        {"transformations", VECTOR},
        {"select_cols", VECTOR},
        {"exclude_cols", VECTOR},
        {"row_shape", VECTOR},
        {"filenames", SCALAR_OR_VECTOR},
        {"patterns", SCALAR_OR_VECTOR},
        {"byte_offsets", SCALAR_OR_VECTOR},
    };
    for (int i = 0; i < SF_ARRAY_LEN(wanted); i++) {
        if (strcmp(wanted[i].name, name) == 0) {
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

/* ParseScalarArgument, ParseVectorArgument. */
static bool is_wanted(SfInfer *c, const SfFinding *f, int rank)
{
    const SfPortSpec *port = argument_at(c, f->a.index);
    return port && wanted_rank(port->name) == rank;
}

static bool wants_scalar(SfInfer *c, const SfFinding *f)
{
    return is_wanted(c, f, SCALAR);
}

static bool wants_vector(SfInfer *c, const SfFinding *f)
{
    return is_wanted(c, f, VECTOR);
}

static bool wants_either(SfInfer *c, const SfFinding *f)
{
    return is_wanted(c, f, SCALAR_OR_VECTOR);
}

static const SfMessage argument_messages[] = {
    {SF_ON(RANK_EXACT), .when = wants_scalar, .text = "{a.name} must be a scalar"},
    {SF_ON(RANK_AT_MOST), .when = wants_scalar, .text = "{a.name} must be a scalar"},
    {SF_ON(RANK_EXACT), .when = wants_vector, .text = "{a.name} must be a vector"},
    {SF_ON(RANK_AT_MOST), .when = wants_either, .text = "`{a.name}` must be a scalar or a vector."},
    {0}};

/* their values */

/* What an input must be at least; the message holds no value. */
typedef struct Least {
    int op; /* SF_DATA_ANY: whatever has such an input */
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
    {SF_DATA_RECORDS, "buffer_size", 0, "`buffer_size` must be >= 0 (0 == no buffering)"},
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

static SfStatus refuse(SfInfer *c, int input, const char *message)
{
    return sf_refuse(c, SF_INPUT(input), message);
}

static SfStatus check_shuffle(SfInfer *c)
{
    int at;
    int64_t n;
    if (argument_int(c, "buffer_size", &at, &n) && n <= 0 && n != -2) { /* UNKNOWN_CARDINALITY */
        return refuse(c, at, "buffer_size must be greater than zero or UNKNOWN_CARDINALITY");
    }
    if (argument_int(c, "count", &at, &n) && n <= 0 && n != -1) {
        return refuse(c, at, "count must be greater than zero or equal to -1.");
    }
    return SF_OK;
}

static SfStatus check_shard(SfInfer *c)
{
    int shards_at, index_at;
    int64_t shards, index;
    if (!argument_int(c, "num_shards", &shards_at, &shards)) {
        return SF_OK;
    }
    if (shards == -1) {
        return SF_OK; /* SHARD_HINT: whoever distributes the data set fills the number in */
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
        if (sf_shape_rank(sf_input(c, i)) == 0) {
            return refuse(c, i, "All components must be at least 1-dimensional");
        }
        const SfDim n = sf_input_dim(c, i, 0);
        SF_TRY(sf_require_as(c, sf_dim_compatible(rows, n), SF_DIAG_RUN_REFUSED, SF_AXIS(i, 0),
                             SF_AXIS(0, 0),
                             "All components must have the same size in the 0th dimension"));
        rows = sf_dim_is_known(rows) ? rows : n;
    }
    return SF_OK;
}

/* VerifyTypesMatch, VerifyShapesCompatible: what is given against what output_shapes declares. */
static SfStatus check_components(SfInfer *c, bool slices)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "output_shapes", &shapes);
    SF_TRY(sf_require(c, n == sf_input_count(c), SF_ATTR("output_shapes"),
                      "Number of components does not match: expected {0} shapes but got {1}.",
                      SF_INT_ARG(sf_input_count(c)), SF_INT_ARG(n)));
    for (int i = 0; i < n; i++) {
        const SfShape *is = sf_input(c, i);
        const int rank = sf_shape_rank(is);
        is = slices && rank > 0 ? sf_shape_slice(is, 1, rank) : is;
        if (!is) {
            return SF_NOMEM;
        }
        SF_TRY(sf_require_as(c, sf_shape_compatible(is, shapes[i]), SF_DIAG_RUN_REFUSED,
                             SF_INPUT(i), SF_ATTR("output_shapes"),
                             "Incompatible shapes at component {0}: expected {1} but got {2}.",
                             SF_INT_ARG(i), SF_SHAPE_ARG(is), SF_SHAPE_ARG(shapes[i])));
    }
    return SF_OK;
}

static SfStatus check_padding(SfInfer *c)
{
    int start;
    int n = sf_input_range(c, "padded_shapes", &start);
    for (int i = start; i < start + n; i++) {
        if (!sf_shape_may_have_rank(sf_input(c, i), 1)) {
            return refuse(c, i, "All padded shapes must be vectors");
        }
    }
    n = sf_input_range(c, "padding_values", &start);
    for (int i = start; i < start + n; i++) {
        if (sf_shape_rank(sf_input(c, i)) > 0) {
            return refuse(c, i, "All padding values must be scalars");
        }
    }
    return SF_OK;
}

static SfStatus check_sparse_slices(SfInfer *c)
{
    static const char *const message[] = {
        "Input indices must be a matrix. Got: ", "Input values must be a vector. Got: ",
        "Input shape must be a vector. Got: "};
    for (int i = 0; i < SF_ARRAY_LEN(message); i++) {
        const int rank = sf_shape_rank(sf_input(c, i));
        if (rank >= 0 && rank != (i == 0 ? 2 : 1)) {
            return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(i), SF_THE_OP, "{0}{a.shape}",
                                SF_TEXT_ARG(message[i]));
        }
    }
    const SfDim rows = sf_input_dim(c, 0, 0), values = sf_input_dim(c, 1, 0);
    SF_TRY(sf_require_ints(c, 2, 0, INT64_MAX, SF_DIAG_RUN_REFUSED, SF_THE_OP,
                           "Expected shape dimensions to be non-negative, got {1}"));
    SF_TRY(sf_require_as(c, sf_dim_compatible(rows, values), SF_DIAG_RUN_REFUSED, SF_AXIS(1, 0),
                         SF_AXIS(0, 0),
                         "Number of values must match first dimension of indices. Got {0} values, "
                         "indices shape: {shape 0}",
                         SF_INT_ARG(values)));
    const SfDim dims = sf_input_dim(c, 2, 0);
    return sf_require_as(c, sf_dim_compatible(sf_input_dim(c, 0, 1), dims), SF_DIAG_RUN_REFUSED,
                         SF_AXIS(2, 0), SF_AXIS(0, 1),
                         "Number of dimensions must match second dimension of indices. Got {0} "
                         "dimensions, indices shape: {shape 0}",
                         SF_INT_ARG(dims));
}

static SfStatus check_values(SfInfer *c)
{
    int at;
    int64_t n;
    for (int i = 0; i < SF_ARRAY_LEN(least); i++) {
        if ((least[i].op == SF_DATA_ANY || sf_op_variant(c) == least[i].op) &&
            argument_int(c, least[i].input, &at, &n) && n < least[i].least) {
            return refuse(c, at, least[i].message);
        }
    }
    if (argument_int(c, "step", &at, &n) && n == 0) {
        return refuse(c, at, "step must be a non-zero integer.");
    }
    if (sf_op_variant(c) == SF_DATA_SHUFFLE) {
        return check_shuffle(c);
    }
    if (sf_op_variant(c) == SF_DATA_SHARD) {
        return check_shard(c);
    }
    if (sf_op_variant(c) == SF_DATA_PADDED) {
        return check_padding(c);
    }
    if (sf_op_variant(c) == SF_DATA_SPARSE_SLICES) {
        return check_sparse_slices(c);
    }
    if (sf_op_variant(c) == SF_DATA_SLICES) {
        SF_TRY(check_slices(c));
        return check_components(c, true);
    }
    return sf_op_variant(c) == SF_DATA_TENSORS ? check_components(c, false) : SF_OK;
}

static SfStatus check_kernel(SfInfer *c, const void *data)
{
    (void)data;
    SF_TRY(want_arguments(c));
    return check_values(c);
}

/* transfer functions */

SfStatus sf_dataset_infer(SfInfer *c)
{
    sf_kernel_messages(c, argument_messages);
    SF_TRY(sf_kernel_check(c, check_kernel, NULL));
    return sf_set_output_scalar(c, 0);
}

static SfStatus check_handle(SfInfer *c, const void *data)
{
    const SfShape *const *shapes;
    const SfDtype *types;
    (void)data;
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
    SF_TRY(sf_kernel_check(c, check_handle, NULL));
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
    if (sf_op_variant(c) == SF_DATA_SLEEP) { /* WithRankAtMost(0), and so it says */
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 0, NULL));
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 0, NULL));
    }
    SF_TRY(want_arguments(c));
    if (sf_op_variant(c) == SF_DATA_CSV) {
        SF_TRY(want_defaults(c));
    }
    return sf_dataset_infer(c);
}

SfStatus sf_dataset_infer_components(SfInfer *c)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "output_shapes", &shapes);
    /* the kernel of UncompressElement looks at neither */
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
