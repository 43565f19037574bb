/* Files and checkpoints. Nothing is read or written: shapes only.
 * Source: io_ops.cc, tensorflow/core/util/saved_tensor_slice_util.cc. */
#include <stdlib.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"

/* slices */

/* A whole number that is all of [p, end), as strings::safe_strto64 reads it. */
static bool whole_number(const char *p, const char *end, int64_t *out)
{
    char *stop;
    if (p == end || *p == ' ') {
        return false;
    }
    *out = strtoll(p, &stop, 10);
    return stop == end;
}

/* One dimension of a slice in [p, end): `-`, or start and length. Length -1: all of it. */
static SfStatus parse_extent(SfInfer *c, SfPlace place, const char *p, const char *end,
                             const char *slice, int64_t *start, int64_t *length)
{
    const int n = (int)(end - p);
    *start = 0;
    *length = -1;
    if (n == 1 && *p == '-') {
        return SF_OK;
    }
    const char *comma = memchr(p, ',', (size_t)n);
    if (!comma || !whole_number(p, comma, start) || !whole_number(comma + 1, end, length)) {
        return sf_fail_with(c, SF_DIAG_OP_SHAPE, place, SF_THE_OP,
                            "Expected a pair of numbers or '-' but got '{0}': string = {1}",
                            SF_TEXT_ARG(sf_common_text(c, p, (size_t)n)), SF_TEXT_ARG(slice));
    }
    return sf_expect(c, *start >= 0 && *length > 0, place,
                     "Expected non-negative start and positive length but got start = {0}, length "
                     "= {1}: string = {2}",
                     SF_INT_ARG(*start), SF_INT_ARG(*length), SF_TEXT_ARG(slice));
}

/* The dims in front of the slice; their values are checked later. */
static SfStatus parse_dims(SfInfer *c, SfPlace place, const char *text, const char *end,
                           SfDim dims[SF_RANK_MAX], int *rank)
{
    for (const char *p = text; p < end; (*rank)++) {
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        blank = blank ? blank : end;
        int64_t d;
        if (!whole_number(p, blank, &d)) {
            return sf_fail_with(c, SF_DIAG_OP_SHAPE, place, SF_THE_OP,
                                "Non numerical dimension in shape_and_slice: {0}",
                                SF_TEXT_ARG(text));
        }
        if (*rank == SF_RANK_MAX || d < 0) {
            *rank = -1; /* TensorFlow reads no further */
            return SF_OK;
        }
        dims[*rank] = d;
        p = blank + 1;
    }
    return SF_OK;
}

static const char *dims_text(SfInfer *c, int rank, const SfDim *dims)
{
    return sf_shape_text(c, sf_shape_make(rank, dims));
}

/* "3 4 0,2:-": a tensor of [3,4] of which rows 0 and 1 are taken: *whole and *part. "" is a tensor
 * as it is: both of unknown rank. (checkpoint::ParseShapeAndSlice) */
static SfStatus parse_slice(SfInfer *c, SfPlace place, const char *text, const SfShape **whole,
                            const SfShape **part)
{
    const char *blank = strrchr(text, ' ');
    SfDim dims[SF_RANK_MAX], left[SF_RANK_MAX];
    int64_t starts[SF_RANK_MAX], lengths[SF_RANK_MAX];
    int rank = 0, axes = 0;
    *whole = *part = sf_shape_unknown();
    if (!text[0]) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, blank, place,
                     "Need least two elements in shape_and_slice specification: {0}",
                     SF_TEXT_ARG(text)));
    const char *slice = blank + 1;
    for (const char *p = slice; *p && axes < SF_RANK_MAX;) {
        const char *colon = strchr(p, ':');
        const char *end = colon ? colon : p + strlen(p);
        if (end > p) {
            SF_TRY(parse_extent(c, place, p, end, slice, &starts[axes], &lengths[axes]));
            axes++;
        }
        p = *end ? end + 1 : end;
    }
    SF_TRY(parse_dims(c, place, text, blank, dims, &rank));
    if (rank < 0) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, rank == axes, SF_DIAG_KERNEL_INTERNAL, place, SF_THE_OP,
                         "Mismatching ranks: shape = {0}, slice = {1}",
                         SF_TEXT_ARG(dims_text(c, rank, dims)), SF_TEXT_ARG(slice)));
    for (int i = 0; i < rank; i++) {
        left[i] = lengths[i] < 0 ? dims[i] : lengths[i];
        SF_TRY(sf_require_as(
            c, starts[i] <= dims[i] - left[i], SF_DIAG_KERNEL_INTERNAL, place, SF_THE_OP,
            "Extent in dimension {0} out of bounds: shape = {1}, slice = {2}", SF_INT_ARG(i),
            SF_TEXT_ARG(dims_text(c, rank, dims)), SF_TEXT_ARG(slice)));
    }
    *whole = sf_shape_make(rank, dims);
    *part = sf_shape_make(rank, left);
    return *whole && *part ? SF_OK : SF_NOMEM;
}

/* saving */

/* A vector with one entry a saved tensor. */
static SfStatus want_one_each(SfInfer *c, int input, int tensors)
{
    SF_TRY(sf_want_vector(c, SF_INPUT(input)));
    return sf_want_dim(c, SF_AXIS(input, 0), tensors);
}

/* The kernels of the first version take strings in any form. */
static SfStatus check_file_name(SfInfer *c, const char *name, const char *gap)
{
    const SfDim n = sf_shape_count(sf_input(c, 0));
    return sf_require(c, !sf_dim_differs(n, 1), SF_INPUT(0),
                      "Input 0 ({0}) must be a string scalar; got a tensor of {1}{2}elements",
                      SF_TEXT_ARG(name), SF_DIM_ARG(n), SF_TEXT_ARG(gap));
}

static SfStatus check_save(SfInfer *c, int tensors)
{
    const int fixed = sf_input_count(c) - tensors;
    const SfDim names = sf_shape_count(sf_input(c, 1)), slices = sf_shape_count(sf_input(c, 2));
    SF_TRY(check_file_name(c, "filename", ""));
    SF_TRY(sf_require_as(c, fixed != 3 || !sf_dim_differs(names, slices), SF_DIAG_RUN_REFUSED,
                         SF_INPUT(2), SF_INPUT(1),
                         "Expected {0} elements for the tensor shapes and slices but got {1}",
                         SF_DIM_ARG(names), SF_DIM_ARG(slices)));
    return sf_require(c, !sf_dim_is_known(names) || names == tensors, SF_INPUT(1),
                      "Expected totally {0} inputs as input #1 (which is a string tensor of saved "
                      "names) contains {1} names, but received {2} inputs",
                      SF_DIM_ARG(sf_dim_add(names, fixed)), SF_DIM_ARG(names),
                      SF_INT_ARG(sf_input_count(c)));
}

/* What a checkpoint's names and slices must be (ValidateInputs). */
static SfStatus check_v2(SfInfer *c, int tensors, const char *nouns)
{
    const SfShape *names = sf_input(c, 1), *slices = sf_input(c, 2);
    const SfDim prefixes = sf_shape_count(sf_input(c, 0)), n = sf_shape_count(names),
                m = sf_shape_count(slices);
    SF_TRY(sf_require(c, !sf_dim_differs(prefixes, 1), SF_INPUT(0),
                      "Input prefix should have a single element, got {0} instead.",
                      SF_DIM_ARG(prefixes)));
    SF_TRY(sf_require_as(c, sf_shape_may_have_rank(names, 1) && sf_shape_may_have_rank(slices, 1),
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(2),
                         "Input tensor_names and shape_and_slices should be an 1-D tensors, got "
                         "{0} and {1} instead.",
                         SF_SHAPE_ARG(names), SF_SHAPE_ARG(slices)));
    SF_TRY(sf_require_as(
        c, !sf_dim_differs(n, m), SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(2),
        "tensor_names and shape_and_slices have different number of elements: {0} vs. {1}",
        SF_DIM_ARG(n), SF_DIM_ARG(m)));
    return sf_require(c, !nouns || !sf_dim_is_known(n) || n == tensors, SF_INPUT(1),
                      "Got {0} tensor names but {1} {2}.", SF_DIM_ARG(n), SF_INT_ARG(tensors),
                      SF_TEXT_ARG(nouns));
}

/* Slices against the tensors that are saved by them. */
static SfStatus check_saved_slices(SfInfer *c, int tensors)
{
    for (int i = 0; i < tensors; i++) {
        const SfShape *whole, *part, *saved = sf_input(c, 3 + i);
        const SfElem e = sf_common_elem(c, 2, i);
        if (e.kind != SF_ELEM_STRING) {
            continue;
        }
        SF_TRY(parse_slice(c, SF_INPUT(2), e.u.s->bytes, &whole, &part));
        SF_TRY(sf_require_as(c, sf_shape_compatible(part, saved), SF_DIAG_RUN_REFUSED, SF_INPUT(2),
                             SF_INPUT(3 + i),
                             "Slice in shape_and_slice specification does not match the shape of "
                             "the tensor to  save: {0}, tensor: {1}",
                             SF_TEXT_ARG(e.u.s->bytes), SF_SHAPE_ARG(saved)));
    }
    return SF_OK;
}

/* Two whole tensors of one name. */
static SfStatus check_names(SfInfer *c, int tensors)
{
    for (int i = 1; i < tensors; i++) {
        const SfElem name = sf_common_elem(c, 1, i), slice = sf_common_elem(c, 2, i);
        for (int k = 0; k < i; k++) {
            const SfElem other = sf_common_elem(c, 1, k), its = sf_common_elem(c, 2, k);
            SF_TRY(sf_require(
                c,
                name.kind != SF_ELEM_STRING || other.kind != SF_ELEM_STRING ||
                    name.u.s != other.u.s || slice.kind != SF_ELEM_STRING ||
                    its.kind != SF_ELEM_STRING || slice.u.s->len != 0 || its.u.s->len != 0,
                SF_INPUT(1), "Adding duplicate key: {0}", SF_TEXT_ARG(name.u.s->bytes)));
        }
    }
    return SF_OK;
}

static SfStatus infer_save(SfInfer *c)
{
    if (sf_common_runs(c)) {
        return check_save(c, sf_input_count(c) - 2);
    }
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    return want_one_each(c, 1, sf_input_count(c) - 2);
}

static SfStatus infer_save_slices(SfInfer *c)
{
    const int tensors = sf_input_count(c) - 3;
    if (sf_common_runs(c)) {
        SF_TRY(check_save(c, tensors));
        return check_saved_slices(c, tensors);
    }
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(want_one_each(c, 1, tensors));
    return want_one_each(c, 2, tensors);
}

static SfStatus infer_save_v2(SfInfer *c)
{
    const int tensors = sf_input_count(c) - 3;
    if (sf_common_runs(c)) {
        SF_TRY(check_v2(c, tensors, "tensors"));
        SF_TRY(check_saved_slices(c, tensors));
        return check_names(c, tensors);
    }
    return infer_save_slices(c);
}

static SfStatus infer_merge_checkpoints(SfInfer *c)
{
    const SfShape *prefixes = sf_input(c, 0), *into = sf_input(c, 1);
    if (sf_common_runs(c)) {
        SF_TRY(sf_require(c, sf_shape_may_have_rank(prefixes, 1), SF_INPUT(0),
                          "Input checkpoint_prefixes should be an 1-D tensor, got {0} instead.",
                          SF_SHAPE_ARG(prefixes)));
        SF_TRY(sf_require(c, sf_shape_may_have_rank(into, 0), SF_INPUT(1),
                          "Input destination_prefix should be a scalar tensor, got {0} instead.",
                          SF_SHAPE_ARG(into)));
        SF_TRY(sf_require(c, sf_shape_count(prefixes) != 0, SF_INPUT(0),
                          "At least one prefix checkpoint file must exist, but none existed."));
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    return sf_want_scalar(c, SF_INPUT(1));
}

/* restoring */

static SfStatus set_output_slice(SfInfer *c, int output, int input, int64_t at)
{
    const SfElem e = sf_common_elem(c, input, at);
    const SfShape *whole, *part = sf_shape_unknown();
    if (e.kind == SF_ELEM_STRING) {
        SF_TRY(parse_slice(c, SF_INPUT(input), e.u.s->bytes, &whole, &part));
    }
    return sf_set_output_shape(c, output, part);
}

static SfStatus infer_restore_v2(SfInfer *c)
{
    const SfShape *names, *slices;
    const int n = sf_output_count(c);
    if (sf_common_runs(c)) {
        const SfDim given = sf_shape_count(sf_input(c, 1));
        SF_TRY(sf_require_as(c, !sf_dim_is_known(given) || given == n, SF_DIAG_RUN_REFUSED,
                             SF_INPUT(1), SF_ATTR("dtypes"),
                             "Got {0} tensor names, but {1} expected dtypes.", SF_DIM_ARG(given),
                             SF_INT_ARG(n)));
        SF_TRY(check_v2(c, n, NULL));
    } else {
        SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &names));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, &slices));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), names, SF_INPUT(2), slices, NULL));
    const SfValue *v = sf_input_value(c, 2);
    SF_TRY(sf_require_as(c, !v || sf_value_count(v) == n, SF_DIAG_OP_SHAPE, SF_AXIS(2, 0),
                         SF_ATTR("dtypes"),
                         "The number of shape_and_slice doesn't match tensor outputs."));
    for (int i = 0; i < n; i++) {
        SF_TRY(set_output_slice(c, i, 2, i));
    }
    return SF_OK;
}

static SfStatus want_restore_names(SfInfer *c)
{
    if (sf_common_runs(c)) {
        SF_TRY(sf_require(c, sf_attr_int(c, "preferred_shard") >= -1, SF_ATTR("preferred_shard"),
                          "Attribute 'preferred_shard' must be greater or equal to -1"));
        return check_file_name(c, "file_pattern", " ");
    }
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    return sf_want_scalar(c, SF_INPUT(1));
}

static SfStatus infer_restore(SfInfer *c)
{
    SF_TRY(want_restore_names(c));
    return sf_set_output_unknown(c, 0);
}

static SfStatus infer_restore_slice(SfInfer *c)
{
    SF_TRY(want_restore_names(c));
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    }
    return set_output_slice(c, 0, 2, 0);
}

/* files */

static const SfMessage file_messages[] =
    {{SF_OF(0), .text = "Input filename tensor must be scalar, but had shape: {a.shape}"},
     {.text = "Contents tensor must be scalar, but had shape: {a.shape}"},
     {0}},
                       name_messages[] = {
                           {.text = "{a.name} must be a scalar, got shape {a.shape}"}, {0}};

static const SfMessage matching_messages[] = {
    {.text = "Input patterns tensor must be scalar or vector, but had shape: {shape 0}"}, {0}};

/* FileSystemSetConfiguration: the shape of `scheme` stands in the message for that of `value`,
 * too. */
static const SfCheck configuration_checks[] = {
    {SF_IS_SCALAR(0), SF_AS(RUN_REFUSED), .text = "{a.name} must be scalar, got shape {shape 0}"},
    {SF_IS_SCALAR(1), SF_AS(RUN_REFUSED), .text = "{a.name} must be scalar, got shape {shape 1}"},
    {SF_IS_SCALAR(2), SF_AS(RUN_REFUSED), .text = "{a.name} must be scalar, got shape {shape 0}"},
    {0}};

/* vocabularies */

static const SfMessage vocab_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} should be a single string, but got {a.shape}"}, {0}};

/* GenerateVocabRemapping: the old row of each new word, and how many there are. */
static SfStatus infer_vocab(SfInfer *c)
{
    sf_kernel_messages(c, vocab_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    for (int i = 0; sf_common_runs(c) && i < 2; i++) {
        const SfElem name = sf_common_elem(c, i, 0);
        SF_TRY(sf_require(c, name.kind != SF_ELEM_STRING || name.u.s->len != 0, SF_INPUT(i),
                          "new vocab filename cannot be empty."));
    }
    SF_TRY(sf_set_output_vector(c, 0, sf_attr_int(c, "num_new_vocab")));
    return sf_set_output_scalar(c, 1);
}

/* The kernel: a remapping for each row; for each column, or none. */
static SfStatus remap_kernel(SfInfer *c)
{
    const int64_t rows = sf_attr_int(c, "num_rows"), columns = sf_attr_int(c, "num_cols");
    const SfDim nrows = sf_shape_count(sf_input(c, 2)), ncolumns = sf_shape_count(sf_input(c, 3));
    for (int i = 2; i < 4; i++) {
        const SfShape *s = sf_input(c, i);
        SF_TRY(sf_require(c, sf_shape_may_have_rank(s, 1), SF_INPUT(i),
                          "The `{a.name}` tensor must be 1-D, got a tensor of shape {0}",
                          SF_SHAPE_ARG(s)));
    }
    SF_TRY(sf_require_as(c, !sf_dim_is_known(nrows) || nrows == rows, SF_DIAG_DIM_VALUE,
                         SF_INPUT(2), SF_ATTR("num_rows"),
                         "Size of row_remapping is {0} instead of being equal to num_rows={1}",
                         SF_DIM_ARG(nrows), SF_INT_ARG(rows)));
    return sf_require_as(
        c, !sf_dim_is_known(ncolumns) || ncolumns == 0 || ncolumns == columns, SF_DIAG_DIM_VALUE,
        SF_INPUT(3), SF_ATTR("num_cols"),
        "Provided col_remapping, but its size is {0} instead of being equal to num_cols={1}",
        SF_DIM_ARG(ncolumns), SF_INT_ARG(columns));
}

/* How many of a remapping's known numbers are negative: those are new. -1: not all are known. */
static int64_t count_new(SfInfer *c, int input)
{
    const int64_t *ids;
    int n;
    int64_t found = 0;
    if (sf_shape_count(sf_input(c, input)) == 0) {
        return 0;
    }
    if (!sf_common_ints(c, input, &ids, &n)) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        found += ids[i] < 0;
    }
    return found;
}

/* What is new must be given, and nothing else. */
static SfStatus check_initial(SfInfer *c)
{
    const int64_t rows = sf_attr_int(c, "num_rows"), columns = sf_attr_int(c, "num_cols"),
                  new_rows = count_new(c, 2), new_columns = count_new(c, 3);
    const SfDim given = sf_shape_count(sf_input(c, 4));
    int64_t all, most;
    if (new_rows < 0 || new_columns < 0 || !sf_dim_is_known(given) ||
        __builtin_mul_overflow(rows, columns, &most) || most > SF_VALUE_MAX) {
        return SF_OK;
    }
    all = new_rows * columns + (rows - new_rows) * new_columns;
    SF_TRY(sf_require(c, given >= all, SF_INPUT(4),
                      "initializing_values contained {0} elements, but more missing values remain.",
                      SF_DIM_ARG(given)));
    return sf_require(c, given == all, SF_INPUT(4),
                      "initializing_values contained {0} elements, but only {1} elements were used "
                      "to fill in missing values.",
                      SF_DIM_ARG(given), SF_INT_ARG(all));
}

static SfStatus infer_remap(SfInfer *c)
{
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(1)));
    if (sf_common_runs(c)) {
        SF_TRY(remap_kernel(c));
        SF_TRY(check_initial(c));
    }
    return sf_set_output_matrix(c, 0, sf_attr_int(c, "num_rows"), sf_attr_int(c, "num_cols"));
}

/* table */

/* clang-format off */
#define IO(name, in_, out_, attrs_, infer_, traits_, ...) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .traits = (traits_) | SF_OP_ASK_KERNEL, \
          .grad = SF_GRAD_MISSING, ##__VA_ARGS__)
#define S SF_OP_STATEFUL
#define RESTORE(name, in_, out_, attrs_, infer_) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .traits = S | SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING, \
          .role = SF_ROLE_RESTORE)

static const SfOpDef ops[] = {
    IO(Save, "filename: string, tensor_names: string, data: T", "", "T: list(type) >= 1",
       infer_save, S | SF_OP_BOOKKEEPING),
    IO(SaveSlices, "filename: string, tensor_names: string, shapes_and_slices: string, data: T",
       "", "T: list(type) >= 1", infer_save_slices, S | SF_OP_BOOKKEEPING),
    IO(SaveV2, "prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes",
       "", "dtypes: list(type) >= 1", infer_save_v2, S | SF_OP_BOOKKEEPING),
    RESTORE(Restore, "file_pattern: string, tensor_name: string", "tensor: dt",
       "dt: type, preferred_shard: int = -1", infer_restore),
    RESTORE(RestoreSlice, "file_pattern: string, tensor_name: string, shape_and_slice: string",
       "tensor: dt", "dt: type, preferred_shard: int = -1", infer_restore_slice),
    RESTORE(RestoreV2, "prefix: string, tensor_names: string, shape_and_slices: string",
       "tensors: dtypes", "dtypes: list(type) >= 1", infer_restore_v2),
    IO(MergeV2Checkpoints, "checkpoint_prefixes: string, destination_prefix: string", "",
       "delete_old_dirs: bool = true, allow_missing_files: bool = false", infer_merge_checkpoints,
       S),
    IO(ShardedFilename, "basename: string, shard: int32, num_shards: int32", "filename: string",
       "", SF_SHAPES("[] [] [] -> []"), 0, .messages = name_messages),
    IO(ShardedFilespec, "basename: string, num_shards: int32", "filename: string", "",
       SF_SHAPES("[] [] -> []"), 0, .messages = name_messages),
    IO(ReadFile, "filename: string", "contents: string", "", SF_SHAPES("[] -> []"), 0,
       .messages = file_messages),
    IO(WriteFile, "filename: string, contents: string", "", "", SF_SHAPES("[] [] ->"), S,
       .messages = file_messages),
    SF_OP(GenerateVocabRemapping, .inputs = "new_vocab_file: string, old_vocab_file: string",
          .outputs = "remapping: int64, num_present: int32",
          .attrs = "new_vocab_offset: int >= 0, num_new_vocab: int >= 0, old_vocab_size: int >= -1 "
          "= -1",
          .infer = infer_vocab, .cost = sf_common_cost_none, .traits = SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_NONE),
    SF_OP(LoadAndRemapMatrix,
          .inputs = "ckpt_path: string, old_tensor_name: string, row_remapping: int64, "
                    "col_remapping: int64, initializing_values: float",
          .outputs = "output_matrix: float",
          .attrs = "num_rows: int >= 0, num_cols: int >= 1, max_rows_in_memory: int = -1",
          .infer = infer_remap, .cost = sf_common_cost_none, .traits = S | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_NONE),
    IO(FileSystemSetConfiguration, "scheme: string, key: string, value: string", "", "",
       sf_infer_no_output, S, .checks = configuration_checks),
    IO(DistributedSave, "dataset: variant, directory: string, address: string", "",
       "metadata: string = ''", sf_infer_no_output, S),
    IO(MatchingFiles, "pattern: string", "filenames: string", "", SF_SHAPES("<=1 -> [?]"), 0,
       .messages = matching_messages),
};
/* clang-format on */
const SfOpTable sf_ops_io = {ops, SF_ARRAY_LEN(ops), "io"};
