/* Readers: they take file names from a queue and give records. A handle is a pair of strings in
 * the ops of TensorFlow 0.x and a resource in the others. Source: io_ops.cc. */
#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"

/* Makers of a resource; their kernels look at the sizes. */
static SfStatus infer_make(SfInfer *c)
{
    static const char *const sizes[] = {"header_bytes", "record_bytes", "footer_bytes", "hop_bytes",
                                        "skip_header_lines"};
    for (int i = 0; sf_common_runs(c) && i < SF_ARRAY_LEN(sizes); i++) {
        SF_TRY(sf_require(
            c, sf_op_attr_index(sf_op_sig(c), sizes[i]) < 0 || sf_attr_int(c, sizes[i]) >= 0,
            SF_ATTR(sizes[i]), "{0} must be >= 0 not {1}", SF_TEXT_ARG(sizes[i]),
            SF_INT_ARG(sf_attr_int(c, sizes[i]))));
    }
    return sf_infer_scalar(c);
}

static SfStatus want_handle(SfInfer *c, int input)
{
    if (!sf_dtype_is_ref(sf_input_dtype(c, input))) {
        return sf_want_scalar(c, SF_INPUT(input));
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(input)));
    return sf_want_dim(c, SF_AXIS(input, 0), 2);
}

/* Handles in, scalars out. */
static SfStatus infer_reader(SfInfer *c)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        SF_TRY(want_handle(c, i));
    }
    return sf_infer_scalar(c);
}

/* As many records as there are, at most num_records. */
static SfStatus infer_read_up_to(SfInfer *c)
{
    SF_TRY(want_handle(c, 0));
    SF_TRY(want_handle(c, 1));
    SF_TRY(sf_common_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 1, SF_DIM_UNKNOWN);
}

static SfStatus infer_restore_state(SfInfer *c)
{
    const SfShape *state = sf_input(c, 1);
    SF_TRY(want_handle(c, 0));
    SF_TRY(sf_require(c, !sf_common_runs(c) || sf_shape_rank(state) <= 0, SF_INPUT(1),
                      "Reader state must be scalar, but had shape: {0}", SF_SHAPE_ARG(state)));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    const SfElem e = sf_common_elem(c, 1, 0);
    return sf_require_as(c, !sf_common_runs(c) || sf_common_may_be_proto(e), SF_DIAG_RUN_REFUSED,
                         SF_INPUT(1), SF_INPUT(0), "Could not parse state for reader: {0}",
                         SF_TEXT_ARG(e.u.s->bytes));
}

/* table */

/* clang-format off */
#define NAMES "container: string = '', shared_name: string = ''"
#define MAKE(name, attrs_) \
    SF_OP(name, .outputs = "reader_handle: Ref(string)", .attrs = attrs_ NAMES, \
          .infer = SF_SHAPES("-> [2]"), .cost = sf_common_cost_none, \
          .traits = SF_OP_STATEFUL | SF_OP_STATE, .grad = SF_GRAD_NONE)
#define MAKE_V2(name, attrs_) \
    SF_OP(name, .outputs = "reader_handle: resource", .attrs = attrs_, .infer = infer_make, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE | SF_OP_ASK_KERNEL, \
          .grad = SF_GRAD_MISSING)
#define READ(name, in_, out_, infer_) \
    SF_OP(name, .inputs = "reader_handle: Ref(string)" in_("Ref(string)"), .outputs = out_, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, \
          .grad = SF_GRAD_NONE), \
    SF_OP(name##V2, .inputs = "reader_handle: resource" in_("resource"), .outputs = out_, \
          .infer = infer_, .cost = sf_common_cost_none, \
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL, \
          .grad = SF_GRAD_MISSING)
#define FIXED \
    "header_bytes: int = 0, record_bytes: int, footer_bytes: int = 0, hop_bytes: int = 0, "
#define NOTHING(handle) ""
#define QUEUE(handle) ", queue_handle: " handle
#define QUEUE_N(handle) ", queue_handle: " handle ", num_records: int64"
#define STATE(handle) ", state: string"

static const SfOpDef ops[] = {
    SF_OP(TFRecordReader, .outputs = "reader_handle: Ref(string)",
          .attrs = NAMES ", compression_type: string = ''", .infer = SF_SHAPES("-> [2]"),
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE,
          .grad = SF_GRAD_NONE),
    MAKE_V2(TFRecordReaderV2, NAMES ", compression_type: string = ''"),
    MAKE(TextLineReader, "skip_header_lines: int = 0, "),
    MAKE_V2(TextLineReaderV2, "skip_header_lines: int = 0, " NAMES),
    MAKE(WholeFileReader, ""),
    MAKE_V2(WholeFileReaderV2, NAMES),
    MAKE(IdentityReader, ""),
    MAKE_V2(IdentityReaderV2, NAMES),
    MAKE(FixedLengthRecordReader, FIXED),
    MAKE_V2(FixedLengthRecordReaderV2, FIXED NAMES ", encoding: string = ''"),
    MAKE(LMDBReader, ""),
    READ(ReaderRead, QUEUE, "key: string, value: string", infer_reader),
    READ(ReaderReadUpTo, QUEUE_N, "keys: string, values: string", infer_read_up_to),
    READ(ReaderNumRecordsProduced, NOTHING, "records_produced: int64", infer_reader),
    READ(ReaderNumWorkUnitsCompleted, NOTHING, "units_completed: int64", infer_reader),
    READ(ReaderSerializeState, NOTHING, "state: string", infer_reader),
    READ(ReaderRestoreState, STATE, "", infer_restore_state),
    READ(ReaderReset, NOTHING, "", infer_reader),
};
/* clang-format on */
const SfOpTable sf_ops_reader = {ops, SF_ARRAY_LEN(ops), "reader"};
