/* Images: resizing, colours. Source: image_ops.cc, parts of
 * attention_ops; kernel messages from image_resizer_state.h, crop_and_resize_op.cc,
 * adjust_*_op.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/image/image.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/shared/window.h"

#define SF_1_13 SF_VERSION(1, 13)
#define SF_2_0  SF_VERSION(2, 0)

/* Variants, as bits. */
enum {
    RESIZES = 1 << 0,
    CROPS = 1 << 1,
    GLIMPSES = 1 << 2,
    PROJECTS = 1 << 3,
    GRADIENT = 1 << 4,
    OF_BOXES = 1 << 5 /* the gradient of a crop's boxes */
};

static bool is(const SfInfer *c, int ops)
{
    return (sf_op_variant(c) & ops) != 0;
}

/* sized images */

static const SfMessage sized_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "shape_t must be 1-dimensional{a.shape}"},
    {SF_ON(DIM_VALUE), .text = "shape_t must have two elements{a.shape}"},
    {0}};

/* Sizes and images that kernels refuse, each with its own message. */
static SfStatus size_kernel(SfInfer *c, const void *data)
{
    const int size = *(const int *)data;
    const bool crop = is(c, CROPS), glimpse = is(c, GLIMPSES), grad = is(c, GRADIENT);
    const SfShape *in = sf_input(c, 0);
    SF_TRY(sf_require(c, /* the quantized kernel, which has no variant here, does not look */
                      sf_op_attr_index(sf_op_sig(c), "half_pixel_centers") < 0 ||
                          sf_version(c) < SF_2_0 || grad || !is(c, RESIZES) ||
                          !sf_attr_bool(c, "half_pixel_centers") ||
                          !sf_attr_bool(c, "align_corners"),
                      SF_ATTR("half_pixel_centers"),
                      "If half_pixel_centers is True, align_corners must be False."));
    for (int i = 0; i < 2; i++) {
        const SfElem e = sf_common_elem(c, size, i);
        if (e.kind != SF_ELEM_INT || e.u.i > 0 || (glimpse && e.u.i == 0)) {
            continue;
        }
        return glimpse ? sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(size), SF_THE_OP,
                                      "Expected a non-negative size, got {0}", SF_INT_ARG(e.u.i))
                       : sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(size), SF_THE_OP,
                                      crop   ? "crop dimensions must be positive"
                                      : grad ? "shape_t's elements must be positive"
                                             : "output dimensions must be positive");
    }
    const bool projective = is(c, PROJECTS); /* of nothing it makes fill_value */
    if (sf_shape_rank(in) != 4 || glimpse || grad || projective || sf_version(c) < SF_2_0) {
        return SF_OK;
    }
    SF_TRY(sf_require(c, sf_shape_dim(in, 1) != 0 && sf_shape_dim(in, 2) != 0, SF_INPUT(0),
                      crop ? "image dimensions must be positive"
                           : "input image must be of non-zero size"));
    return sf_require(c, sf_shape_dim(in, 3) != 0 || !is(c, RESIZES), SF_AXIS(0, 3),
                      "image must have at least one channel");
}

/* Height and width that vector input `size` holds; what is negative says nothing until a kernel
 * refuses it (2.x: -1 alone). */
static SfStatus want_size(SfInfer *c, int size, SfDim hw[2])
{
    SF_TRY(sf_want_vector(c, SF_INPUT(size)));
    SF_TRY(sf_want_dim(c, SF_AXIS(size, 0), 2));
    for (int i = 0; i < 2; i++) {
        const SfElem e = sf_common_elem(c, size, i);
        hw[i] = sf_elem_as_dim(e);
        SF_TRY(sf_expect(c,
                         sf_phase(c) != SF_PHASE_BUILD || sf_version(c) < SF_2_0 ||
                             e.kind != SF_ELEM_INT || e.u.i >= -1,
                         SF_INPUT(size), "Dimension {0} must be >= 0", SF_INT_ARG(e.u.i)));
    }
    return sf_kernel_check(c, size_kernel, &size);
}

/* SetOutputToSizedImage. */
static SfStatus set_output_sized(SfInfer *c, SfDim batch, int size, SfDim channels)
{
    SfDim hw[2];
    SF_TRY(want_size(c, size, hw));
    const SfDim dims[] = {batch, hw[0], hw[1], channels};
    return sf_set_output_shape(c, 0, sf_shape_make(4, dims));
}

static SfStatus resize(SfInfer *c, int size)
{
    const SfShape *in;
    sf_kernel_messages(c, sized_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    return set_output_sized(c, sf_shape_dim(in, 0), size, sf_shape_dim(in, 3));
}

/* ResizeX: images[b,?,?,c] to size. */
SfStatus sf_infer_resize(SfInfer *c)
{
    return resize(c, 1);
}

/* The kinds of interpolation that there are. */
static SfStatus scale_type(SfInfer *c)
{
    static const char *const types[] = {"lanczos1", "lanczos3", "lanczos5",  "gaussian",
                                        "box",      "triangle", "keyscubic", "mitchellcubic"};
    const char *type = sf_attr_string(c, "kernel_type");
    for (int i = 0; i < SF_ARRAY_LEN(types); i++) {
        if (strcmp(type, types[i]) == 0) {
            return SF_OK;
        }
    }
    return sf_refuse(c, SF_ATTR("kernel_type"), "Unrecognized kernel type: {0}", SF_TEXT_ARG(type));
}

static const SfMessage scale_grad_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input_grad must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "original_image must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "t must be 1-dimensional{a.shape}"},
    {SF_ON(DIM_VALUE), .text = "t must have two elements{a.shape}"},
    {0}};

/* The kind, and the vectors of two, scale and translation. */
static SfStatus scale_kernel(SfInfer *c)
{
    SF_TRY(scale_type(c));
    for (int i = 2; i <= 3; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, NULL));
        SF_TRY(sf_want_dim(c, SF_AXIS(i, 0), 2));
    }
    return SF_OK;
}

static SfStatus scale_grad_kernel(SfInfer *c)
{
    SF_TRY(scale_type(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 4, NULL));
    return scale_kernel(c);
}

/* The original image's height and width, and batch and depth of the gradient: TensorFlow's shape
 * function takes all of the image, its kernels do not; so what is not known of the gradient is not
 * known of the output. */
static SfStatus infer_image_grad(SfInfer *c)
{
    const SfShape *grad = sf_input(c, 0), *image = sf_input(c, 1);
    const SfDim batch = sf_shape_dim(grad, 0), depth = sf_shape_dim(grad, 3);
    if (sf_shape_rank(image) == 4 && (sf_shape_rank(grad) == 4 || !sf_shape_is_ranked(grad))) {
        image = sf_shape_replace(sf_shape_replace(image, 0, batch), 3, depth);
    }
    return sf_set_output_shape(c, 0, image);
}

static const SfMessage projective_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "Input images must have rank 4"},
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "output shape must be 1-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "fill_value must be a scalar{a.shape}"},
    {SF_ON(DIM_VALUE), .text = "output shape must have two elements{a.shape}"},
    {0}};

/* One transform of 8 numbers for all images, or for each. */
static SfStatus projective_kernel(SfInfer *c, const void *data)
{
    const SfShape *in = data, *t = sf_input(c, 1);
    const SfDim n = sf_shape_dim(t, 0), batch = sf_shape_dim(in, 0), eight = sf_shape_dim(t, 1);
    SF_TRY(sf_require_as(
        c,
        !sf_shape_is_ranked(t) ||
            (sf_shape_rank(t) == 2 && (!sf_dim_differs(eight, 8)) &&
             (!sf_dim_is_known(n) || !sf_dim_is_known(batch) || n == 1 || n == batch)),
        SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
        "Input transform should be num_images x 8 or 1 x 8"));
    return sf_input_count(c) < 4 ? SF_OK : sf_want_rank(c, SF_INPUT(3), 0, NULL);
}

static SfStatus infer_projective(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, projective_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_kernel_check(c, projective_kernel, in));
    return set_output_sized(c, sf_shape_dim(in, 0), 2, sf_shape_dim(in, 3));
}

static const SfMessage scale_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "shape_t must be 1-dimensional{a.shape}"},
    {SF_ON(DIM_VALUE), SF_OF(1), .text = "output_shape_t must have two elements{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "t must be 1-dimensional{a.shape}"},
    {SF_ON(DIM_VALUE), .text = "t must have two elements{a.shape}"},
    {0}};

/* ScaleAndTranslate: a resize with two more vectors. */
static SfStatus infer_scale(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, scale_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_ask_kernel(c, scale_kernel));
    return set_output_sized(c, sf_shape_dim(in, 0), 1, sf_shape_dim(in, 3));
}

static SfStatus resize_grad_kernel(SfInfer *c)
{
    if (sf_version(c) < SF_2_0) {
        return SF_OK;
    }
    SF_TRY(sf_require(c,
                      !sf_attr_bool(c, "half_pixel_centers") || !sf_attr_bool(c, "align_corners"),
                      SF_ATTR("half_pixel_centers"),
                      "If half_pixel_centers is True, align_corners must be False."));
    for (int i = 0; i < 2; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 4, NULL));
    }
    for (int i = 1; i >= 0; i--) {
        SF_TRY(sf_require(c, sf_input_dim(c, i, 1) != 0 && sf_input_dim(c, i, 2) != 0, SF_INPUT(i),
                          "{0} dimensions must be positive",
                          SF_TEXT_ARG(i == 0 ? "resized" : "original")));
    }
    return SF_OK;
}

/* Inputs boxes and box_ind of the op that runs. */
static int crop_boxes(const SfInfer *c)
{
    return is(c, OF_BOXES) ? 2 : 1;
}

/* Is it a wrong length of a vector that holds a shape, not a wrong rank of it? */
static bool is_length(SfInfer *c, const SfFinding *f)
{
    return f->args[0].u.i != 1;
}

/* clang-format off */
#define BOXES_MESSAGES(boxes, index)                                                               \
    {SF_ON(DIM_EQUAL), SF_WITH(index), .text = "box_index has incompatible shape"},                \
    {SF_ON(DIM_VALUE), SF_OF(boxes), .text = "boxes must have 4 columns"},                         \
    {SF_ON(DIM_VALUE), .text = "crop_size must have two elements{a.shape}"}
#define GRAD_MESSAGES(boxes, index)                                                                \
    BOXES_MESSAGES(boxes, index),                                                                  \
    {SF_ON(RANK_EXACT), SF_OF(boxes), .text = "boxes must be 2-D{a.shape}"},                       \
    {SF_ON(RANK_EXACT), SF_OF(index), .text = "box_index must be 1-D{a.shape}"},                   \
    {SF_ON(RANK_EXACT), SF_OF(3), .when = is_length,                                               \
     .text = "image_size must have 4 elements[{1}]"},                                              \
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "image_size must be 1-D{a.shape}"},                      \
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "grads image must be 4-D{a.shape}"},                     \
    {SF_ON(RANK_EXACT), .text = "input image must be 4-D{a.shape}"}, {0}
static const SfMessage crop_messages[] = {
    BOXES_MESSAGES(1, 2),
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "boxes must be 2-D, got: {a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "box_indices must be rank 1 but is shape {a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "crop_size must be 1-D{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "input image must be 4-D{a.shape}"},
    {0}};
static const SfMessage grad_image_messages[] = {GRAD_MESSAGES(1, 2)};
static const SfMessage grad_boxes_messages[] = {GRAD_MESSAGES(2, 3)};
/* clang-format on */

/* boxes[n,4] and one index each. */
static SfStatus want_boxes(SfInfer *c, int boxes, int index, SfDim *n)
{
    const SfShape *b, *i;
    SF_TRY(sf_want_rank(c, SF_INPUT(boxes), 2, &b));
    SF_TRY(sf_want_rank(c, SF_INPUT(index), 1, &i));
    SF_TRY(sf_want_equal(c, SF_AXIS(boxes, 0), sf_shape_dim(b, 0), SF_AXIS(index, 0),
                         sf_shape_dim(i, 0), n));
    return sf_want_dim(c, SF_AXIS(boxes, 1), 4);
}

/* CropAndResize: one crop of crop_size for each box. */
static SfStatus infer_crop_resize(SfInfer *c)
{
    const SfShape *in;
    SfDim n;
    sf_kernel_messages(c, crop_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(want_boxes(c, 1, 2, &n));
    return set_output_sized(c, n, 3, sf_shape_dim(in, 3));
}

/* Gradients: grads[n,h,w,d] of as many boxes, as deep as the image. */
static SfStatus crop_grad_kernel(SfInfer *c, const void *data)
{
    const SfShape *image = data, *grads;
    const int boxes = crop_boxes(c);
    SfDim n;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &grads));
    SF_TRY(sf_require(c, sf_shape_dim(grads, 1) != 0 && sf_shape_dim(grads, 2) != 0, SF_INPUT(0),
                      "grads dimensions must be positive"));
    if (boxes == 2) {
        SF_TRY(sf_want_rank(c, SF_INPUT(1), 4, NULL));
    }
    SF_TRY(want_boxes(c, boxes, boxes + 1, &n));
    const SfDim rows = sf_shape_dim(grads, 0), depth = sf_shape_dim(grads, 3);
    const SfDim deep = sf_shape_dim(image, 3);
    SF_TRY(sf_require_as(c, !sf_dim_differs(n, rows), SF_DIAG_DIM_EQUAL, SF_AXIS(0, 0),
                         SF_INPUT(boxes), "boxes and grads have incompatible shape"));
    bool empty = sf_shape_dim(image, 1) == 0 || sf_shape_dim(image, 2) == 0;
    for (int64_t i = 1; boxes == 1 && i < 3 && i < sf_common_elems(c, 3); i++) {
        const SfElem e = sf_common_elem(c, 3, i);
        empty = empty || (e.kind == SF_ELEM_INT && e.u.i <= 0);
    }
    SF_TRY(
        sf_require(c, !empty, SF_INPUT(boxes == 2 ? 1 : 3), "image dimensions must be positive"));
    return sf_require_as(c, !sf_dim_differs(depth, deep), SF_DIAG_DIM_EQUAL, SF_AXIS(0, 3),
                         SF_INPUT(boxes == 2 ? 1 : 3),
                         boxes == 2 ? "image, grads depth differ"
                                    : "image_size and grads are incompatible");
}

static SfStatus infer_crop_grad_image(SfInfer *c)
{
    const SfShape *out;
    sf_kernel_messages(c, grad_image_messages);
    SF_TRY(sf_want_sizes(c, 3, 4, &out));
    SF_TRY(sf_kernel_check(c, crop_grad_kernel, out));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_crop_grad_boxes(SfInfer *c)
{
    const SfShape *image = sf_input(c, 1);
    sf_kernel_messages(c, grad_boxes_messages);
    SF_TRY(sf_kernel_check(c, crop_grad_kernel,
                           sf_shape_rank(image) == 4 ? image : sf_shape_of_rank(4)));
    return sf_set_output_same(c, 0, 2);
}

static const SfMessage glimpse_messages[] = {
    {SF_OF(1), .text = "input must be a vector of size 2 (height, width){a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(0),
     .text = "input must be 4-dimensional (batch_size, height, width, depth){a.shape}"},
    {SF_ON(RANK_EXACT), .text = "input must be a matrix{a.shape}"},
    {SF_ON(DIM_EQUAL), .text = "first dimension should be batch{shape 2}"},
    {SF_ON(DIM_VALUE), .text = "second dimension should be of size 2 (y,x){a.shape}"},
    {0}};

/* ExtractGlimpse: a window of `size` at each of the batch's offsets[b,2]. */
static SfStatus infer_glimpse(SfInfer *c)
{
    const SfShape *in, *offsets;
    SfDim batch;
    SF_TRY(
        sf_require_as(c,
                      sf_version(c) < SF_2_0 || !sf_attr_bool(c, "uniform_noise") ||
                          sf_attr_string(c, "noise")[0] == 0 ||
                          strcmp(sf_attr_string(c, "noise"), "uniform") == 0,
                      SF_DIAG_OP_SHAPE, SF_ATTR("uniform_noise"), SF_ATTR("noise"),
                      sf_phase(c) == SF_PHASE_BUILD
                          ? "The uniform_noise should not be True when noise is not uniform"
                          : "The uniform_noise and noise could not be specified at the same time"));
    sf_kernel_messages(c, glimpse_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, &offsets));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(in, 0), SF_AXIS(2, 0),
                         sf_shape_dim(offsets, 0), &batch));
    SF_TRY(sf_want_dim(c, SF_AXIS(2, 1), 2));
    return set_output_sized(c, batch, 1, sf_shape_dim(in, 3));
}

/* colours */

static const SfMessage adjust_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "input must be at least 3-D, got shape{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be scalar: {a.shape}"},
    {0}};

/* AdjustX: images of rank 3 at least; only the kernels of hue and saturation want RGB. */
static SfStatus infer_contrast(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, adjust_messages);
    for (int i = 1; i < sf_input_count(c) && sf_version(c) >= SF_1_13; i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 3, &in));
    return sf_set_output_shape(c, 0, in);
}

static SfStatus rgb_kernel(SfInfer *c)
{
    const SfDim last = sf_input_dim(c, 0, -1);
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    return sf_require_as(c, !sf_dim_differs(last, 3), SF_DIAG_DIM_VALUE, SF_AXIS(0, -1), SF_THE_OP,
                         "input must have 3 channels but instead has {0} channels.",
                         SF_DIM_ARG(last));
}

static const SfMessage colour_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "input must be at least 1D{shape 0}"},
    {SF_ON(DIM_VALUE), .known = true,
     .text = "input must have 3 channels but input only has {1} channels."},
    {0}};

/* RGBToHSV, HSVToRGB: the last axis has three entries. */
static SfStatus infer_colour(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, colour_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &in));
    if (!sf_shape_is_ranked(in)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_want_dim(c, SF_AXIS(0, -1), 3));
    return sf_set_output_shape(c, 0, sf_shape_replace(in, sf_shape_rank(in) - 1, 3));
}

/* table */

/* clang-format off */
#define T_RESIZE "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}, "
#define T_BILINEAR "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}, "
#define T_RESIZE_2 \
    "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16}, "
#define T_CROP "T: {uint8, uint16, int8, int16, int32, int64, half, float, double}, "
#define T_HALF "T: {half, float} = float"
#define T_COLOUR "T: " SF_NN_FLOATS " = float"
#define CORNERS "align_corners: bool = false"
#define CENTERS CORNERS ", half_pixel_centers: bool = false"
#define METHOD "method: {'bilinear', 'nearest'} = 'bilinear'"
#define GLIMPSE \
    "centered: bool = true, normalized: bool = true, uniform_noise: bool = true, noise: string = " \
    "'uniform'"
#define PROJECTIVE \
    "dtype: {uint8, int32, int64, half, bfloat16, float, double}, interpolation: string, " \
    "fill_mode: string = 'CONSTANT'"
#define RESIZE_GRAD .messages = scale_grad_messages, .kernel = resize_grad_kernel
#define ADJUSTS .messages = adjust_messages, .kernel = rgb_kernel, .checks_last = true
#define IMAGE(in, out) .inputs = in, .outputs = out

static const SfOpDef ops[] = {
    SF_OP(ResizeBilinear, IMAGE("images: T, size: int32", "resized_images: float"),
          .attrs = T_RESIZE_2 CENTERS, .infer = sf_infer_resize, .variant = RESIZES,
          .range = sf_range_move),
    SF_OP(ResizeBicubic, IMAGE("images: T, size: int32", "resized_images: float"),
          .attrs = T_RESIZE CENTERS, .infer = sf_infer_resize, .variant = RESIZES),
    SF_OP(ResizeNearestNeighbor, IMAGE("images: T, size: int32", "resized_images: T"),
          .attrs = T_RESIZE CENTERS, .infer = sf_infer_resize, .variant = RESIZES,
          .range = sf_range_move),
    SF_OP(ResizeArea, IMAGE("images: T, size: int32", "resized_images: float"),
          .attrs = T_RESIZE CORNERS, .infer = sf_infer_resize, .grad = SF_GRAD_MISSING,
          .variant = RESIZES, .range = sf_range_move),
    SF_OP(ResizeBilinearGrad, IMAGE("grads: float, original_image: T", "output: T"),
          .attrs = "T: {float, bfloat16, half, double}, " CENTERS,
          .infer = infer_image_grad, RESIZE_GRAD,
          .grad = SF_GRAD_MISSING, .variant = RESIZES | GRADIENT),
    SF_OP(ResizeBicubicGrad, IMAGE("grads: float, original_image: T", "output: T"),
          .attrs = "T: {float, double}, " CENTERS,
          .infer = infer_image_grad, RESIZE_GRAD,
          .grad = SF_GRAD_MISSING, .variant = RESIZES | GRADIENT),
    SF_OP(ResizeNearestNeighborGrad, IMAGE("grads: T, size: int32", "output: T"),
          .attrs = "T: {uint8, int8, int32, half, float, double, bfloat16}, " CENTERS,
          .infer = sf_infer_resize, .grad = SF_GRAD_MISSING, .variant = RESIZES | GRADIENT),
    SF_OP(ScaleAndTranslate,
          IMAGE("images: T, size: int32, scale: float, translation: float",
              "resized_images: float"),
          .attrs = T_BILINEAR "kernel_type: string = 'lanczos3', antialias: bool = true",
          .infer = infer_scale, .grad = SF_GRAD_INPUTS(1u)),
    SF_OP(ScaleAndTranslateGrad,
          IMAGE("grads: T, original_image: T, scale: float, translation: float", "output: T"),
          .attrs = "T: {float}, kernel_type: string = 'lanczos3', antialias: bool = true",
          .infer = infer_image_grad,
          .messages = scale_grad_messages, .kernel = scale_grad_kernel,
          .grad = SF_GRAD_MISSING, .variant = GRADIENT),
    SF_OP(ImageProjectiveTransformV2,
          IMAGE("images: dtype, transforms: float, output_shape: int32",
              "transformed_images: dtype"),
          .attrs = PROJECTIVE, .infer = infer_projective, .grad = SF_GRAD_INPUTS(1u),
          .variant = PROJECTS),
    SF_OP(ImageProjectiveTransformV3,
          IMAGE("images: dtype, transforms: float, output_shape: int32, fill_value: float",
                "transformed_images: dtype"),
          .attrs = PROJECTIVE, .infer = infer_projective, .grad = SF_GRAD_INPUTS(1u),
          .variant = PROJECTS),
    SF_OP(CropAndResize,
          IMAGE("image: T, boxes: float, box_ind: int32, crop_size: int32", "crops: float"),
          .attrs = T_CROP METHOD ", extrapolation_value: float = 0.0", .infer = infer_crop_resize,
          .variant = CROPS),
    SF_OP(CropAndResizeGradImage,
          IMAGE("grads: float, boxes: float, box_ind: int32, image_size: int32", "output: T"),
          .attrs = "T: {float, half, double}, " METHOD, .infer = infer_crop_grad_image,
          .grad = SF_GRAD_MISSING, .variant = CROPS | GRADIENT),
    SF_OP(CropAndResizeGradBoxes,
          IMAGE("grads: float, image: T, boxes: float, box_ind: int32", "output: float"),
          .attrs = T_CROP "method: {'bilinear'} = 'bilinear'", .infer = infer_crop_grad_boxes,
          .grad = SF_GRAD_MISSING, .variant = CROPS | GRADIENT | OF_BOXES),
    SF_OP(ExtractGlimpse, IMAGE("input: float, size: int32, offsets: float", "glimpse: float"),
          .attrs = GLIMPSE, .infer = infer_glimpse, .grad = SF_GRAD_NONE, .variant = GLIMPSES),
    SF_OP(ExtractGlimpseV2, IMAGE("input: float, size: int32, offsets: float", "glimpse: float"),
          .attrs = GLIMPSE, .infer = infer_glimpse, .grad = SF_GRAD_NONE, .variant = GLIMPSES),
    SF_OP(AdjustContrast,
          IMAGE("images: T, contrast_factor: float, min_value: float, max_value: float",
                "output: float"),
          .attrs = "T: {uint8, int8, int16, int32, int64, float, double}",
          .infer = infer_contrast, .grad = SF_GRAD_MISSING),
    SF_OP(AdjustContrastv2, IMAGE("images: T, contrast_factor: float", "output: T"),
          .attrs = T_HALF, .infer = infer_contrast, .grad = SF_GRAD_MISSING),
    SF_OP(AdjustHue, IMAGE("images: T, delta: float", "output: T"), .attrs = T_HALF,
          .infer = SF_SHAPES(">=3 ? -> =0"), ADJUSTS, .grad = SF_GRAD_MISSING),
    SF_OP(AdjustSaturation, IMAGE("images: T, scale: float", "output: T"), .attrs = T_HALF,
          .infer = SF_SHAPES(">=3 ? -> =0"), ADJUSTS, .grad = SF_GRAD_MISSING),
    SF_OP(RGBToHSV, IMAGE("images: T", "output: T"), .attrs = T_COLOUR, .infer = infer_colour),
    SF_OP(HSVToRGB, IMAGE("images: T", "output: T"), .attrs = T_COLOUR, .infer = infer_colour,
          .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_image = {ops, SF_ARRAY_LEN(ops), "image"};
