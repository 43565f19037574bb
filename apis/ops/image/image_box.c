/* Boxes on images: suppression, drawing, sampling, proposals. Source: image_ops.cc and the checks
 * of non_max_suppression_op.cc, draw_bounding_box_op.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"

#define SF_1_13 SF_VERSION(1, 13)
#define SF_2_0  SF_VERSION(2, 0)

enum { BY_OVERLAPS = 1 }; /* variant: NonMaxSuppressionWithOverlaps */

/* boxes */

/* clang-format off */
#define SUPPRESSION_MESSAGES                                                                       \
    {SF_ON(RANK_EXACT), SF_OF(1),                                                                  \
     .text = "scores must be 1-D{a.shape} (Shape must be rank 1 but is rank {1})"},                \
    {SF_ON(RANK_EXACT), .text = "{a.name} must be 0-D, got shape {a.shape}"},                      \
    {SF_ON(DIM_EQUAL), .known = true,                                                              \
     .text = "scores has incompatible shape (Dimensions must be equal, but are {0} and {1})"},     \
    {SF_ON(DIM_VALUE), .known = true,                                                              \
     .text = "boxes must have 4 columns (Dimension must be 4 but is {1})"},                        \
    {0}
static const SfMessage suppression_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0),
     .text = "boxes must be 2-D{a.shape} (Shape must be rank 2 but is rank {1})"},
    SUPPRESSION_MESSAGES};
static const SfMessage overlaps_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "overlaps must be 2-D{a.shape}"},
    {SF_ON(DIM_EQUAL), SF_WITH(0), .text = "overlaps must be square{b.shape}"},
    SUPPRESSION_MESSAGES};

static const SfMessage combined_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0)},
    {SF_ON(RANK_EXACT), SF_OF(1)},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be 0-D, got shape {a.shape}"},
    {SF_ON(DIM_EQUAL), SF_ALONG(0), .text = "boxes and scores must have same batch size"},
    {SF_ON(DIM_EQUAL), .text = "scores has incompatible shape"},
    {SF_ON(DIM_VALUE), .text = "boxes must have 4 columns"},
    {0}};
/* clang-format on */

/* A threshold (input i, if the op has it) lies between 0 and 1. */
static SfStatus threshold_kernel(SfInfer *c, int i)
{
    const SfElem e = sf_common_elem(c, i, 0);
    return e.kind != SF_ELEM_FLOAT || (e.u.f >= 0 && e.u.f <= 1)
               ? SF_OK
               : sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(i), SF_THE_OP,
                              "iou_threshold must be in [0, 1]");
}

static SfStatus suppression_kernel(SfInfer *c)
{
    int64_t most;
    if (sf_op_attr_index(sf_op_sig(c), "iou_threshold") >= 0) {
        const double t = sf_attr_float(c, "iou_threshold");
        SF_TRY(sf_require(c, t >= 0 && t <= 1, SF_ATTR("iou_threshold"),
                          "iou_threshold must be in [0, 1]"));
    } else if (sf_op_variant(c) != BY_OVERLAPS) {
        SF_TRY(threshold_kernel(c, 3));
    }
    const SfElem sigma = sf_common_elem(c, 5, 0);
    SF_TRY(sf_require(c, sf_input_count(c) != 6 || sigma.kind != SF_ELEM_FLOAT || !(sigma.u.f < 0),
                      SF_INPUT(5), "soft_nms_sigma_val must be >= 0"));
    return sf_require(c, !sf_input_int(c, 2, &most) || most >= 0, SF_INPUT(2),
                      "output size must be non-negative");
}

/* boxes[n,4] (or overlaps[n,n]), scores[n], then scalars. */
static SfStatus suppression(SfInfer *c)
{
    const bool overlaps = sf_op_variant(c) == BY_OVERLAPS;
    const SfShape *boxes, *scores;
    if (sf_version(c) >= SF_2_0) {
        sf_kernel_messages(c, overlaps ? overlaps_messages : suppression_messages);
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &boxes));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &scores));
    for (int i = 2; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(boxes, 0), SF_AXIS(1, 0),
                         sf_shape_dim(scores, 0), NULL));
    SF_TRY(overlaps ? sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(boxes, 0), SF_AXIS(0, 1),
                                    sf_shape_dim(boxes, 1), NULL)
                    : sf_want_dim(c, SF_AXIS(0, 1), 4));
    return sf_version(c) >= SF_2_0 ? sf_ask_kernel(c, suppression_kernel) : SF_OK;
}

static SfStatus infer_suppression(SfInfer *c)
{
    SF_TRY(suppression(c));
    return sf_set_output_vector(c, 0, SF_DIM_UNKNOWN);
}

/* V4 and V5: vectors of the selected, padded to max_output_size when asked; then how many. */
static SfStatus infer_suppression_padded(SfInfer *c)
{
    SF_TRY(suppression(c));
    SfDim n = SF_DIM_UNKNOWN;
    if (sf_attr_bool(c, "pad_to_max_output_size")) {
        SF_TRY(sf_common_dim_value(c, 2, &n));
    }
    const int last = sf_output_count(c) - 1;
    for (int i = 0; i < last; i++) {
        SF_TRY(sf_set_output_vector(c, i, n));
    }
    return sf_set_output_scalar(c, last);
}

static const SfCheck combined_checks[] = {
    {SF_INT_AT_LEAST(2, 1), .text = "max_size_per_class must be positive"},
    {SF_INT_AT_LEAST(3, 1), .text = "max_total_size must be > 0"},
    {0}};

static SfStatus combined_kernel(SfInfer *c, const void *data)
{
    SF_TRY(sf_check(c, data));
    return threshold_kernel(c, 4);
}

static SfStatus want_each(SfInfer *c)
{
    int64_t n;
    SF_TRY(sf_expect(c, sf_common_runs(c) || !sf_input_int(c, 3, &n) || n > 0, SF_INPUT(3),
                     "max_total_size should be > 0 "));
    return sf_require_as(c,
                         sf_common_runs(c) || !sf_attr_bool(c, "pad_per_class") ||
                             !sf_input_int(c, 2, &n) || n > 0,
                         SF_DIAG_OP_SHAPE, SF_INPUT(2), SF_ATTR("pad_per_class"),
                         "max_output_size_per_class must be > 0 if pad_per_class is set to true ");
}

/* CombinedNonMaxSuppression: boxes[b,n,q,4], scores[b,n,classes]; the best m of each image. */
static SfStatus infer_suppression_combined(SfInfer *c)
{
    const SfShape *boxes, *scores;
    SfDim batch, total, each;
    if (sf_version(c) >= SF_2_0) {
        sf_kernel_messages(c, combined_messages);
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &boxes));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &scores));
    for (int i = 2; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(boxes, 0), SF_AXIS(1, 0),
                         sf_shape_dim(scores, 0), &batch));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 1), sf_shape_dim(boxes, 1), SF_AXIS(1, 1),
                         sf_shape_dim(scores, 1), NULL));
    const SfDim q = sf_shape_dim(boxes, 2), classes = sf_shape_dim(scores, 2);
    SF_TRY(sf_require_as(c,
                         !sf_dim_is_known(q) || !sf_dim_is_known(classes) || q == 1 || q == classes,
                         SF_DIAG_OP_SHAPE, SF_AXIS(0, 2), SF_AXIS(1, 2),
                         sf_common_runs(c) && sf_version(c) >= SF_2_0
                             ? "third dimension of boxes must be either 1 or num classes"
                             : "third dimension of boxes must be either 1 or equal to the third "
                               "dimension of scores"));
    SF_TRY(sf_want_dim(c, SF_AXIS(0, 3), 4));
    SF_TRY(sf_common_dim_value(c, 2, &each));
    SF_TRY(sf_common_dim_value(c, 3, &total));
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(want_each(c));
        SF_TRY(sf_kernel_check(c, combined_kernel, combined_checks));
    }
    if (sf_attr_bool(c, "pad_per_class")) {
        const SfDim all = sf_dim_mul(each, sf_shape_dim(scores, 2));
        total = sf_dim_is_known(total) && sf_dim_is_known(all) ? (all < total ? all : total)
                                                               : SF_DIM_UNKNOWN;
    }
    const SfDim dims[] = {batch, total, 4};
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_make(3, dims)));
    SF_TRY(sf_set_output_matrix(c, 1, batch, total));
    SF_TRY(sf_set_output_matrix(c, 2, batch, total));
    return sf_set_output_vector(c, 3, batch);
}

static const SfMessage draw_messages[] = {
    {SF_ON(DIM_VALUE), .known = true,
     .text = "The size of the third dimension of the box must be 4. Received: {1}"},
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "The rank of the images should be 4"},
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "colors must be a 2-D matrix{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "The rank of the boxes tensor should be 3"},
    {0}};

/* One list of boxes for each image; V2: colours as deep as the images. */
static SfStatus draw_kernel(SfInfer *c)
{
    const SfShape *images, *boxes, *colors;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &images));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &boxes));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 2), 4));
    const SfDim batch = sf_shape_dim(images, 0), lists = sf_shape_dim(boxes, 0);
    const SfDim depth = sf_shape_dim(images, 3);
    SF_TRY(sf_require_as(c, !sf_dim_differs(batch, lists), SF_DIAG_DIM_EQUAL, SF_AXIS(0, 0),
                         SF_AXIS(1, 0), "The batch sizes should be the same"));
    SF_TRY(sf_require(c, !sf_dim_is_known(depth) || depth == 1 || depth == 3 || depth == 4,
                      SF_AXIS(0, 3),
                      "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"));
    if (sf_input_count(c) < 3) {
        return SF_OK;
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, &colors));
    const SfDim d = sf_shape_dim(colors, 1);
    return sf_require_as(c,
                         !sf_dim_is_known(d) || !sf_dim_is_known(depth) || d >= depth ||
                             sf_shape_dim(colors, 0) == 0,
                         SF_DIAG_RUN_REFUSED, SF_AXIS(2, 1), SF_AXIS(0, 3),
                         "colors must have equal or more channels than the image provided: {0}",
                         SF_SHAPE_ARG(colors));
}

/* DrawBoundingBoxes: images[b,h,w,1|3|4], boxes[b,n,4]; the first versions checked in the kernel.
 */
static SfStatus infer_draw_boxes(SfInfer *c)
{
    sf_kernel_messages(c, sf_version(c) >= SF_2_0 ? draw_messages : NULL);
    if (sf_version(c) >= SF_1_13) {
        const SfShape *images;
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &images));
        const SfDim d = sf_shape_dim(images, 3);
        SF_TRY(sf_expect(c, !sf_dim_is_known(d) || d == 1 || d == 3 || d == 4, SF_AXIS(0, 3),
                         "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"));
        SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, NULL));
        SF_TRY(sf_want_dim(c, SF_AXIS(1, 2), 4));
    }
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_ask_kernel(c, draw_kernel));
    }
    return sf_set_output_same(c, 0, 0);
}

/* Ranges of the sampler. */
static SfStatus sample_kernel(SfInfer *c)
{
    static const char *const attrs[] = {"aspect_ratio_range", "area_range"};
    static const char *const names[] = {"Aspect ratio range", "Area range"};
    for (int i = 0; i < 2; i++) {
        const SfAttr *a = sf_attr(c, attrs[i]);
        const double *x = a->u.list.u.f;
        SF_TRY(sf_require(c, a->u.list.n == 2, SF_ATTR(attrs[i]),
                          "{0} field must specify 2 dimensions", SF_TEXT_ARG(names[i])));
        SF_TRY(sf_require(c, x[0] > 0 && x[1] > 0, SF_ATTR(attrs[i]),
                          "{0} must be non-negative: [{1:g}, {2:g}]", SF_TEXT_ARG(names[i]),
                          SF_FLOAT_ARG(x[0]), SF_FLOAT_ARG(x[1])));
        SF_TRY(sf_require(c, i != 1 || (x[0] <= 1 && x[1] <= 1), SF_ATTR(attrs[i]),
                          "Area range must be less then or equal to 1.0: [{0:g}, {1:g}]",
                          SF_FLOAT_ARG(x[0]), SF_FLOAT_ARG(x[1])));
    }
    const int64_t attempts = sf_attr_int(c, "max_attempts");
    SF_TRY(sf_require(c, attempts > 0, SF_ATTR("max_attempts"),
                      "Max attempts must be non-negative: {0}", SF_INT_ARG(attempts)));
    for (int i = 0; i < 2; i++) {
        const SfElem e = sf_common_elem(c, 0, i);
        SF_TRY(sf_require(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < INT32_MAX),
                          SF_INPUT(0), "image {0} cannot be >= int32 max",
                          SF_TEXT_ARG(i == 0 ? "height" : "width")));
    }
    const bool attr = sf_op_attr_index(sf_op_sig(c), "min_object_covered") >= 0;
    const SfElem e =
        attr ? sf_elem_float(sf_attr_float(c, "min_object_covered")) : sf_common_elem(c, 2, 0);
    SF_TRY(sf_require(c, e.kind != SF_ELEM_FLOAT || e.u.f >= 0,
                      attr ? SF_ATTR("min_object_covered") : SF_INPUT(2),
                      "Min object covered must be non-negative: {0:g}", SF_FLOAT_ARG(e.u.f)));
    const SfValue *v = sf_input_value(c, 1);
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem x = sf_value_elem(v, i);
        SF_TRY(sf_require(c, x.kind != SF_ELEM_FLOAT || (x.u.f >= 0 && x.u.f <= 1), SF_INPUT(1),
                          "All bounding box coordinates must be in [0.0, 1.0]: {0:g}",
                          SF_FLOAT_ARG(x.u.f)));
    }
    return SF_OK;
}

static const SfMessage sample_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "image_size must be 1-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(1),
     .text = "input boxes must be 3-dimensional [batch, num_boxes, coords]: {a.shape}"},
    {SF_ON(DIM_VALUE), SF_OF(0), .text = "image_size must contain 3 elements{a.shape}"},
    {SF_ON(DIM_VALUE), SF_OF(3), .text = "seed must have shape [2], not {a.shape}"},
    {0}};

/* SampleDistortedBoundingBox: begin and size of a slice of the image, and it as a box. */
static SfStatus sample_box(SfInfer *c)
{
    const SfDim dims[] = {1, 1, 4};
    SF_TRY(sf_ask_kernel(c, sample_kernel));
    SF_TRY(sf_want_dim(c, SF_AXIS(0, 0), 3));
    SF_TRY(sf_set_output_vector(c, 0, 3));
    SF_TRY(sf_set_output_vector(c, 1, 3));
    return sf_set_output_shape(c, 2, sf_shape_make(3, dims));
}

/* V2: how much must be covered is an input; the stateless one has a seed, too. */
static SfStatus infer_sample_box(SfInfer *c)
{
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, NULL));
    SF_TRY(sf_input_count(c) > 2 ? sf_want_scalar(c, SF_INPUT(2)) : SF_OK);
    SF_TRY(sample_box(c));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 2), 4));
    if (sf_input_count(c) < 4) {
        return SF_OK;
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(3)));
    return sf_want_dim(c, SF_AXIS(3, 0), 2);
}

/* GenerateBoundingBoxProposals: of each image's scores[b,h,w,anchors] the best post_nms_topn. */
static SfStatus infer_proposals(SfInfer *c)
{
    static const int ranks[] = {4, 4, 2, 3, 0, 0, 0};
    const int64_t n = sf_attr_int(c, "post_nms_topn");
    const SfShape *scores;
    for (int i = 0; i < SF_ARRAY_LEN(ranks); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), ranks[i], i == 0 ? &scores : NULL));
    }
    SF_TRY(sf_expect(c, n >= -1, SF_ATTR("post_nms_topn"), "Dimension {0} must be >= 0",
                     SF_INT_ARG(n)));
    SF_TRY(sf_want_dim(c, SF_AXIS(2, 1), 5));
    const SfDim dims[] = {sf_shape_dim(scores, 0), n < 0 ? SF_DIM_UNKNOWN : n, 4};
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_make(3, dims)));
    return sf_set_output_matrix(c, 1, dims[0], dims[1]);
}

/* table */

/* clang-format off */
#define T_HALF "T: {half, float} = float"
#define T_DRAW "T: {float, half} = float"
#define T_BOX "T: {uint8, int8, int16, int32, int64}, "
#define SEEDS "seed: int = 0, seed2: int = 0, "
#define BOX_RANGES \
    "aspect_ratio_range: list(float) = [0.75, 1.33], area_range: list(float) = [0.05, 1.0], " \
    "max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = false"
#define BOX_OUT "begin: T, size: T, bboxes: float"
#define NMS_T T_HALF ", T_threshold: {half, float} = float"
#define NMS_IN "boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold"
#define IMAGE(in, out) .inputs = in, .outputs = out

static const SfOpDef ops[] = {
    SF_OP(NonMaxSuppression,
          IMAGE("boxes: float, scores: float, max_output_size: int32", "selected_indices: int32"),
          .attrs = "iou_threshold: float = 0.5", .infer = infer_suppression,
          .grad = SF_GRAD_NONE),
    SF_OP(NonMaxSuppressionV2, IMAGE(NMS_IN, "selected_indices: int32"), .attrs = NMS_T,
          .infer = infer_suppression, .grad = SF_GRAD_NONE),
    SF_OP(NonMaxSuppressionV3,
          IMAGE(NMS_IN ", score_threshold: T_threshold", "selected_indices: int32"),
          .attrs = NMS_T, .infer = infer_suppression, .grad = SF_GRAD_MISSING),
    SF_OP(NonMaxSuppressionV4,
          IMAGE(NMS_IN ", score_threshold: T_threshold",
                "selected_indices: int32, valid_outputs: int32"),
          .attrs = NMS_T ", pad_to_max_output_size: bool = false",
          .infer = infer_suppression_padded, .grad = SF_GRAD_MISSING),
    SF_OP(NonMaxSuppressionV5,
          IMAGE("boxes: T, scores: T, max_output_size: int32, iou_threshold: T, "
                "score_threshold: T, soft_nms_sigma: T",
                "selected_indices: int32, selected_scores: T, valid_outputs: int32"),
          .attrs = T_HALF ", pad_to_max_output_size: bool = false",
          .infer = infer_suppression_padded, .grad = SF_GRAD_MISSING),
    SF_OP(NonMaxSuppressionWithOverlaps,
          IMAGE("overlaps: float, scores: float, max_output_size: int32, "
                "overlap_threshold: float, score_threshold: float",
                "selected_indices: int32"),
          .attrs = "", .infer = infer_suppression, .grad = SF_GRAD_NONE,
          .variant = BY_OVERLAPS),
    SF_OP(CombinedNonMaxSuppression,
          IMAGE("boxes: float, scores: float, max_output_size_per_class: int32, "
                "max_total_size: int32, iou_threshold: float, score_threshold: float",
                "nmsed_boxes: float, nmsed_scores: float, nmsed_classes: float, "
                "valid_detections: int32"),
          .attrs = "pad_per_class: bool = false, clip_boxes: bool = true",
          .infer = infer_suppression_combined, .grad = SF_GRAD_MISSING),
    SF_OP(DrawBoundingBoxes, IMAGE("images: T, boxes: float", "output: T"), .attrs = T_DRAW,
          .infer = infer_draw_boxes, .grad = SF_GRAD_NONE),
    SF_OP(DrawBoundingBoxesV2, IMAGE("images: T, boxes: float, colors: float", "output: T"),
          .attrs = T_DRAW, .infer = SF_SHAPES(">=3 ? ? -> =0"), .messages = draw_messages,
          .kernel = draw_kernel, .checks_last = true, .grad = SF_GRAD_MISSING),
    SF_OP(SampleDistortedBoundingBox, IMAGE("image_size: T, bounding_boxes: float", BOX_OUT),
          .attrs = T_BOX SEEDS "min_object_covered: float = 0.1, " BOX_RANGES,
          .infer = infer_sample_box, .messages = sample_messages,
          .traits = SF_OP_STATEFUL | SF_OP_RANDOM,
          .grad = SF_GRAD_NONE),
    SF_OP(SampleDistortedBoundingBoxV2,
          IMAGE("image_size: T, bounding_boxes: float, min_object_covered: float", BOX_OUT),
          .attrs = T_BOX SEEDS BOX_RANGES,
          .infer = infer_sample_box, .messages = sample_messages,
          .traits = SF_OP_STATEFUL | SF_OP_RANDOM, .grad = SF_GRAD_NONE),
    SF_OP(StatelessSampleDistortedBoundingBox,
          IMAGE("image_size: T, bounding_boxes: float, min_object_covered: float, seed: Tseed",
                BOX_OUT),
          .attrs = T_BOX "Tseed: {int32, int64}, " BOX_RANGES,
          .infer = infer_sample_box, .messages = sample_messages,
          .traits = SF_OP_RANDOM, .grad = SF_GRAD_MISSING),
    SF_OP(GenerateBoundingBoxProposals,
          IMAGE("scores: float, bbox_deltas: float, image_info: float, anchors: float, "
                "nms_threshold: float, pre_nms_topn: int32, min_size: float",
                "rois: float, roi_probabilities: float"),
          .attrs = "post_nms_topn: int = 300", .infer = infer_proposals, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_image_box = {ops, SF_ARRAY_LEN(ops), "image_box"};
