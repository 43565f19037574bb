/* Summaries (TensorBoard). Construction only says that they are scalars; the kernels look at tags
 * and values. Source: logging_ops.cc, summary_op.cc, summary_image_op.cc, summary_audio_op.cc. */
#include <stdio.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"

#define SF_2_0 SF_VERSION(2, 0)

/* " (tag 'loss')" when there is one tag and it is known. */
static const char *tag_text(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    const SfElem e = v && sf_value_count(v) == 1 ? sf_value_elem(v, 0) : sf_elem_unknown();
    if (e.kind != SF_ELEM_STRING) {
        return "";
    }
    enum { EXTRA = 10 };
    const size_t size = e.u.s->len + EXTRA;
    char *text = sf_scratch(c, size);
    if (!text) {
        return "";
    }
    (void)snprintf(text, size, " (tag '%s')", e.u.s->bytes);
    return text;
}

/* ScalarSummary: a tag for each value, in the same shape; a loss that is not a scalar is caught
 * here. */
static SfStatus scalar_kernel(SfInfer *c)
{
    const SfShape *tags = sf_input(c, 0), *values = sf_input(c, 1);
    return sf_require_as(c, sf_shape_compatible(tags, values), SF_DIAG_RUN_REFUSED, SF_INPUT(1),
                         SF_INPUT(0), "tags and values {0}not the same shape: {1} != {2}{3}",
                         SF_TEXT_ARG(sf_version(c) >= SF_2_0 ? "are " : ""), SF_SHAPE_ARG(tags),
                         SF_SHAPE_ARG(values), SF_TEXT_ARG(tag_text(c)));
}

static SfStatus check_picture(SfInfer *c, int input)
{
    const SfShape *image = sf_input(c, input);
    const int rank = sf_shape_rank(image);
    const SfDim depth = sf_shape_dim(image, 3);
    return sf_require(c,
                      rank < 0 || (rank == 4 && (!sf_dim_is_known(depth) || depth == 1 ||
                                                 depth == 3 || depth == 4)),
                      rank == 4 ? SF_AXIS(input, 3) : SF_INPUT(input),
                      "Tensor must be 4-D with last dim 1, 3, or 4, not {0}", SF_SHAPE_ARG(image));
}

static SfStatus check_sound(SfInfer *c, int input)
{
    const SfShape *s = sf_input(c, input);
    const int rank = sf_shape_rank(s);
    const SfDim sounds = sf_shape_dim(s, 0);
    SF_TRY(sf_require(
        c, rank != 3 || sf_shape_dim(s, 2) != 0 || !sf_dim_is_known(sounds) || sounds <= 0,
        SF_AXIS(input, 2), "num_channels must be in (0, 2^16), got: 0"));
    return sf_require(c, rank < 0 || rank == 2 || rank == 3, SF_INPUT(input),
                      "Tensor must be 3-D or 2-D, got: {0}", SF_SHAPE_ARG(s));
}

static SfStatus check_rate(SfInfer *c, int input)
{
    const SfElem e = sf_common_elem(c, input, 0);
    return sf_require(c, e.kind != SF_ELEM_FLOAT || e.u.f > 0.0, SF_INPUT(input),
                      "sample_rate must be > 0");
}

/* The kernels, after what they say of tags in the tables below. */
static SfStatus image_kernel(SfInfer *c)
{
    return check_picture(c, 1);
}

static SfStatus audio_kernel(SfInfer *c)
{
    SF_TRY(check_sound(c, 1));
    return sf_input_count(c) > 2 ? check_rate(c, 2) : SF_OK;
}

static SfStatus write_audio_kernel(SfInfer *c)
{
    SF_TRY(check_rate(c, 4));
    return check_sound(c, 3);
}

#define IS_SCALAR(i, message)                                                                      \
    {                                                                                              \
        SF_IS_SCALAR(i), SF_AS(RUN_REFUSED), .text = (message)                                     \
    }
#define NAMED(i) IS_SCALAR(i, "{a.name} must be a scalar")
static const SfCheck histogram_checks[] = {IS_SCALAR(0, "tags must be scalar"), {0}},
                     image_checks[] = {IS_SCALAR(0, "Tags must be a scalar"), {0}},
                     audio_checks[] = {IS_SCALAR(0, "Tag must be a scalar"), {0}},
                     tensor_checks[] = {IS_SCALAR(0, "tag must be scalar"),
                                        IS_SCALAR(2, "serialized_summary_metadata must be scalar"),
                                        {0}},
                     writer_checks[] = {NAMED(1), NAMED(2), NAMED(3), NAMED(4), {0}},
                     raw_checks[] = {IS_SCALAR(1, "step must be scalar, got shape {a.shape}"), {0}};

/* MergeSummary: every known string is looked into. */
static SfStatus merge_kernel(SfInfer *c)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        for (int64_t k = 0; k < sf_common_elems(c, i); k++) {
            SF_TRY(sf_require(c, sf_common_may_be_proto(sf_common_elem(c, i, k)), SF_INPUT(i),
                              "Could not parse one of the summary inputs"));
        }
    }
    return SF_OK;
}

/* A picture of floats shows what is not finite in bad_color. */
static SfStatus write_image_kernel(SfInfer *c)
{
    const SfShape *color = sf_input(c, 4);
    const SfDim depth = sf_shape_dim(sf_input(c, 3), 3), size = sf_shape_dim(color, 0);
    SF_TRY(check_picture(c, 3));
    SF_TRY(sf_require(c, sf_shape_may_have_rank(color, 1), SF_INPUT(4),
                      "bad_color must be a vector, got shape {0}", SF_SHAPE_ARG(color)));
    return sf_require_as(c,
                         sf_input_dtype(c, 3) == SF_DT_UINT8 || !sf_dim_is_known(depth) ||
                             !sf_dim_is_known(size) || depth <= size,
                         SF_DIAG_RUN_REFUSED, SF_AXIS(3, 3), SF_AXIS(4, 0),
                         "expected depth <= bad_color.size, got depth = {0}, bad_color.size = {1}",
                         SF_DIM_ARG(depth), SF_DIM_ARG(size));
}

/* table */

/* clang-format off */
#define SUMMARY(name, in_, attrs_, ...) \
    SF_OP(name, .inputs = in_, .outputs = "summary: string", .attrs = attrs_, \
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_NONE, \
          ##__VA_ARGS__)
#define IMAGE_TYPES(t) "T: {" t "} = float"
#define WRITER(name, in_, attrs_, ...) \
    SF_OP(name, .inputs = "writer: resource" in_, .attrs = attrs_, \
          .infer = sf_infer_no_output, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, \
          .grad = SF_GRAD_MISSING, ##__VA_ARGS__)

static const SfOpDef ops[] = {
    SUMMARY(ScalarSummary, "tags: string, values: T", "T: " SF_REALTYPE, .kernel = scalar_kernel),
    SUMMARY(HistogramSummary, "tag: string, values: T", "T: " SF_REALTYPE " = float",
            .checks = histogram_checks),
    SUMMARY(ImageSummary, "tag: string, tensor: T",
            "max_images: int >= 1 = 3, " IMAGE_TYPES("uint8, float, half, double")
            ", bad_color: tensor = {255, 0, 0, 255}:uint8",
            .checks = image_checks, .kernel = image_kernel),
    SUMMARY(AudioSummary, "tag: string, tensor: float",
            "sample_rate: float, max_outputs: int >= 1 = 3",
            .checks = audio_checks, .kernel = audio_kernel),
    SUMMARY(AudioSummaryV2, "tag: string, tensor: float, sample_rate: float",
            "max_outputs: int >= 1 = 3", .checks = audio_checks, .kernel = audio_kernel),
    SUMMARY(TensorSummary, "tensor: T",
            "T: type, description: string = '', labels: list(string) = [], "
            "display_name: string = ''"),
    SUMMARY(TensorSummaryV2, "tag: string, tensor: T, serialized_summary_metadata: string",
            "T: type", .checks = tensor_checks),
    SUMMARY(MergeSummary, "inputs: N * string", "N: int >= 1", .kernel = merge_kernel),
    SF_OP(SummaryWriter, .outputs = "writer: resource",
          .attrs = "shared_name: string = '', container: string = ''", .infer = sf_infer_scalar,
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE),
    WRITER(CreateSummaryFileWriter,
           ", logdir: string, max_queue: int32, flush_millis: int32, filename_suffix: string",
           "", .checks = writer_checks),
    WRITER(CreateSummaryDbWriter,
           ", db_uri: string, experiment_name: string, run_name: string, user_name: string", ""),
    WRITER(FlushSummaryWriter, "", ""),
    WRITER(CloseSummaryWriter, "", ""),
    WRITER(WriteSummary, ", step: int64, tensor: T, tag: string, summary_metadata: string",
           "T: type"),
    WRITER(WriteRawProtoSummary, ", step: int64, tensor: string", "", .checks = raw_checks),
    WRITER(WriteScalarSummary, ", step: int64, tag: string, value: T", "T: " SF_REALTYPE),
    WRITER(WriteHistogramSummary, ", step: int64, tag: string, values: T",
           "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
           "uint64, bool} = float"),
    WRITER(WriteImageSummary, ", step: int64, tag: string, tensor: T, bad_color: uint8",
           "max_images: int >= 1 = 3, "
           IMAGE_TYPES("uint8, double, float, half"), .kernel = write_image_kernel),
    WRITER(WriteAudioSummary, ", step: int64, tag: string, tensor: float, sample_rate: float",
           "max_outputs: int >= 1 = 3", .kernel = write_audio_kernel),
    WRITER(WriteGraphSummary, ", step: int64, tensor: string", ""),
    WRITER(ImportEvent, ", event: string", ""),
};
/* clang-format on */
const SfOpTable sf_ops_summary = {ops, SF_ARRAY_LEN(ops), "summary"};
