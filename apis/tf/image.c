/* tf.image: resizing, cropping, flips, colours, boxes. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* one image or a batch */
typedef struct Image {
    SfTensor t; /* [batch, height, width, channels] */
    bool batch; /* as given: rank 4 */
    SfDim height, width;
} Image;

/* TensorFlow takes an image of unknown rank for one image. SF_UNMODELLED when TensorFlow would
 * know the rank, which decides about the result's. */
static SfStatus check_rank_is_tensorflows(SfCall *c, const SfTensor *t)
{
    return sf_tensor_rank(*t) < 0 &&
                   (sf_api_eager(c) || sf_tensor_is_unmodelled(t, SF_UNMODELLED_SHAPE))
               ? SF_UNMODELLED
               : SF_OK;
}

/* Rank 3, or an unknown one, becomes a batch of one. */
static SfStatus read_image(SfCall *c, const char *param, Image *out)
{
    SF_TRY(sf_compose_arg(c, param, &out->t));
    SF_TRY(check_rank_is_tensorflows(c, &out->t));
    const int rank = sf_tensor_rank(out->t);
    if (rank >= 0 && rank != 3 && rank != 4) {
        return sf_api_shape_error(c, "'%s' must have either 3 or 4 dimensions.", param);
    }
    out->batch = rank == 4;
    if (!out->batch) {
        SF_TRY(sf_compose_expand_dims(c, out->t, 0, NULL, &out->t));
        SF_TRY(sf_compose_set_shape(c, &out->t, sf_shape_of_rank(4)));
    }
    out->height = sf_shape_dim(out->t.shape, 1);
    out->width = sf_shape_dim(out->t.shape, 2);
    return SF_OK;
}

static SfStatus unbatch(SfCall *c, const Image *image, SfTensor *t)
{
    const int64_t zero = 0;
    return image->batch ? SF_OK : sf_compose_squeeze(c, *t, &zero, 1, NULL, t);
}

/* height and width as a vector, when they are only known at run time too. */
static SfStatus image_size(SfCall *c, const Image *image, SfTensor *out)
{
    SfTensor shape;
    SF_TRY(sf_compose_shape(c, image->t, SF_DT_INT32, NULL, &shape));
    return sf_compose_vector_slice(c, shape, 1, 3, NULL, out);
}

/* [batch, height, width, channels] with the given sizes: what the caller knows for sure. */
static SfStatus set_size(SfCall *c, const Image *image, const SfArg *height, const SfArg *width,
                         SfTensor *t)
{
    int64_t h = -1, w = -1;
    const bool known_h = sf_arg_as_int(height, &h), known_w = sf_arg_as_int(width, &w);
    SfDim dims[] = {sf_shape_dim(image->t.shape, 0), known_h ? h : SF_DIM_UNKNOWN,
                    known_w ? w : SF_DIM_UNKNOWN, sf_shape_dim(image->t.shape, 3)};
    for (int i = 0; i < 4; i++) {
        dims[i] = sf_dim_compatible(dims[i], sf_shape_dim(t->shape, i)) ? dims[i] : SF_DIM_UNKNOWN;
    }
    return sf_compose_set_shape(c, t, sf_shape_make(4, dims));
}

/* resize */
static const char *resize_op(const SfCall *c, const SfArg *method)
{
    static const char *const ops[] = {"ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic",
                                      "ResizeArea"};
    static const char *const names[] = {"bilinear", "nearest",  "bicubic",  "area",
                                        "lanczos3", "lanczos5", "gaussian", "mitchellcubic"};
    const bool v1 = (c->sig->row->versions & SF_TF1) != 0;
    int64_t i = 0;
    if (method->kind != SF_ARG_STRING) {
        return v1 && sf_arg_as_int(method, &i) && i >= 0 && i < 4 ? ops[i] : NULL;
    }
    while (i < (v1 ? 4 : SF_ARRAY_LEN(names)) && strcmp(method->u.s.bytes, names[i]) != 0) {
        i++;
    }
    /* the rest are ScaleAndTranslate, whose result has ResizeBilinear's shape and dtype */
    return i < 4 ? ops[i] : !v1 && i < SF_ARRAY_LEN(names) ? ops[0] : NULL;
}

/* SF_UNMODELLED where the method came out of something unmodelled: it decides about the dtype. */
static SfStatus read_method(SfCall *c, const char **op)
{
    const SfArg *method = sf_api_arg(c, "method");
    *op = resize_op(c, method);
    if (*op || method->kind == SF_ARG_TENSOR) {
        return *op ? SF_OK : SF_UNMODELLED;
    }
    if (!sf_api_is_v2(c)) {
        return sf_api_value_error(c, "Resize method is not implemented.");
    }
    return sf_api_value_error(c, "Resize method is not implemented: %s",
                              method->kind == SF_ARG_STRING ? method->u.s.bytes
                                                            : sf_arg_repr(c, method));
}

/* The largest size within `size` that keeps the proportions. */
static SfStatus keep_aspect(SfCall *c, const Image *image, SfTensor *size)
{
    SfTensor old, scale, now;
    SF_TRY(image_size(c, image, &old));
    SF_TRY(sf_compose_cast(c, old, SF_DT_FLOAT, NULL, &old));
    SF_TRY(sf_compose_cast(c, *size, SF_DT_FLOAT, NULL, &now));
    SF_TRY(sf_compose_binary(c, "RealDiv", NULL, now, old, &scale));
    SF_TRY(sf_compose_reduce_axis(c, "Min", NULL, scale, 0, false, &scale));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, old, scale, &now));
    SF_TRY(sf_compose_unary(c, "Round", NULL, now, &now));
    return sf_compose_cast(c, now, SF_DT_INT32, NULL, size);
}

static SfStatus read_size(SfCall *c, SfTensor *out)
{
    const SfArg *a = sf_api_arg(c, "size");
    SfApiError e = {SF_ERR_VALUE, NULL};
    const SfWant want = {.dtype = SF_DT_INT32, .name = "size"};
    const SfStatus st = sf_convert(c, a, &want, out, &e);
    if (st == SF_REPORTED) {
        return sf_api_value_error(c, "'size' must be a 1-D int32 Tensor");
    }
    SF_TRY(st);
    const SfShape *pair = sf_shape_vector(2);
    SF_TRY_ALLOC(pair);
    if (!sf_shape_compatible(out->shape, pair)) {
        return sf_api_value_error(c, "'size' must be a 1-D Tensor of 2 elements: new_height, "
                                     "new_width");
    }
    return SF_OK;
}

static SfStatus body_resize(SfCall *c, const char *scope, SfTensor *out)
{
    const bool v1 = strcmp(c->sig->row->data, "v1") == 0;
    bool keep = false, corners = false;
    const char *op;
    Image image;
    SfTensor size;
    SF_TRY(sf_compose_arg(c, "images", &size));
    SF_TRY(check_rank_is_tensorflows(c, &size));
    if (sf_tensor_rank(size) < 0) {
        return sf_api_shape_error(c, "'images' contains no shape.");
    }
    SF_TRY(read_image(c, "images", &image));
    SF_TRY(read_size(c, &size));
    SF_TRY(sf_api_bool(c, "preserve_aspect_ratio", &keep));
    SF_TRY(sf_api_bool(c, "align_corners", &corners));
    if (keep) {
        SF_TRY(keep_aspect(c, &image, &size));
    }
    SF_TRY(read_method(c, &op));
    const SfShape *want = sf_value_as_shape(size.value);
    SF_TRY_ALLOC(want);
    const bool same = sf_dim_is_known(image.height) && sf_dim_is_known(image.width) &&
                      sf_shape_dim(want, 0) == image.height && sf_shape_dim(want, 1) == image.width;
    *out = image.t;
    if (!(v1 && same)) { /* TensorFlow 1 leaves an image of the right size alone */
        const SfTensor in[] = {image.t, size};
        const SfAttrArg attrs[] = {SF_ABOOL("align_corners", true)};
        SF_TRY(sf_api_op(c, op, NULL, in, 2, attrs, corners, out));
    }
    return unbatch(c, &image, out);
}

static SfStatus api_resize(SfCall *c)
{
    const bool old = sf_api_version(c) < SF_VERSION(1, 9);
    return sf_compose_scoped(c, old ? "resize_images" : "resize", body_resize);
}

/* Resize, then pad to the target: only the size of the result can be known. */
static SfStatus body_resize_pad(SfCall *c, const char *scope, SfTensor *out)
{
    const char *op;
    Image image;
    SfTensor size[2], both;
    SF_TRY(read_method(c, &op));
    SF_TRY(read_image(c, "image", &image));
    SF_TRY(sf_compose_arg_as(c, "target_height", SF_DT_INT32, &size[0]));
    SF_TRY(sf_compose_arg_as(c, "target_width", SF_DT_INT32, &size[1]));
    SF_TRY(sf_compose_pack(c, size, 2, 0, NULL, &both));
    SF_TRY(sf_compose_binary(c, op, NULL, image.t, both, out));
    return unbatch(c, &image, out);
}

/* crop and pad */
typedef struct Box {
    SfTensor top, left, height, width; /* int32 scalars */
} Box;

/* [0, a, b, 0] or [-1, a, b, -1] */
static SfStatus frame(SfCall *c, int64_t edge, SfTensor a, SfTensor b, SfTensor *out)
{
    SfTensor parts[4] = {{0}, a, b, {0}};
    SF_TRY(sf_api_const_int(c, edge, SF_DT_INT32, NULL, &parts[0]));
    parts[3] = parts[0];
    return sf_compose_pack(c, parts, 4, 0, "stack", out);
}

static SfStatus crop(SfCall *c, const Image *image, const Box *box, SfTensor *out)
{
    SfTensor in[3] = {image->t};
    SF_TRY(frame(c, 0, box->top, box->left, &in[1]));
    SF_TRY(frame(c, -1, box->height, box->width, &in[2]));
    return sf_api_op(c, "Slice", NULL, in, 3, NULL, 0, out);
}

static SfStatus read_box(SfCall *c, Box *box)
{
    SF_TRY(sf_compose_arg_as(c, "offset_height", SF_DT_INT32, &box->top));
    SF_TRY(sf_compose_arg_as(c, "offset_width", SF_DT_INT32, &box->left));
    SF_TRY(sf_compose_arg_as(c, "target_height", SF_DT_INT32, &box->height));
    return sf_compose_arg_as(c, "target_width", SF_DT_INT32, &box->width);
}

static bool known_int(SfTensor t, int64_t *out)
{
    return sf_value_as_int(t.value, out);
}

/* The assertions that TensorFlow makes when it knows the numbers. */
static SfStatus check_crop(SfCall *c, const Image *image, const Box *box, bool pad)
{
    const SfTensor *offsets[] = {&box->left, &box->top};
    const SfTensor *targets[] = {&box->width, &box->height};
    const SfDim have[] = {image->width, image->height};
    const char *const names[] = {"width", "height"};
    for (int i = 0; i < 2; i++) {
        int64_t offset = 0, target = 0;
        if (!known_int(*offsets[i], &offset)) {
            continue;
        }
        if (offset < 0) {
            return sf_api_value_error(c, "offset_%s must be >= 0%s", names[i], pad ? "" : ".");
        }
        if (!known_int(*targets[i], &target) || !sf_dim_is_known(have[i])) {
            continue;
        }
        if (!pad && have[i] < target + offset) {
            return sf_api_value_error(c, "%s must be >= target + offset.", names[i]);
        }
        if (pad && target - offset - have[i] < 0) {
            return sf_api_value_error(c, "%s must be <= target - offset", names[i]);
        }
    }
    return SF_OK;
}

/* target - offset - size, along one axis */
static SfStatus padding_after(SfCall *c, const Image *image, int axis, SfTensor target,
                              SfTensor offset, SfTensor *out)
{
    SfTensor size;
    SF_TRY(image_size(c, image, &size));
    SF_TRY(sf_compose_vector_item(c, size, axis, NULL, &size));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, target, offset, out));
    return sf_compose_binary(c, "Sub", NULL, *out, size, out);
}

static SfStatus pad(SfCall *c, const Image *image, const Box *box, SfTensor *out)
{
    SfTensor parts[8], zero, below, right, paddings;
    const int64_t pairs[] = {4, 2};
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, NULL, &zero));
    SF_TRY(padding_after(c, image, 0, box->height, box->top, &below));
    SF_TRY(padding_after(c, image, 1, box->width, box->left, &right));
    for (int i = 0; i < 8; i++) {
        parts[i] = zero;
    }
    parts[2] = box->top;
    parts[3] = below;
    parts[4] = box->left;
    parts[5] = right;
    SF_TRY(sf_compose_pack(c, parts, 8, 0, "stack", &paddings));
    SF_TRY(sf_compose_reshape(c, paddings, pairs, 2, NULL, &paddings));
    return sf_compose_binary(c, "Pad", NULL, image->t, paddings, out);
}

/* crop_to_bounding_box, pad_to_bounding_box */
static SfStatus boxed(SfCall *c, bool pads, SfTensor *out)
{
    Image image;
    Box box;
    SF_TRY(read_image(c, "image", &image));
    SF_TRY(read_box(c, &box));
    SF_TRY(check_crop(c, &image, &box, pads));
    SF_TRY((pads ? pad : crop)(c, &image, &box, out));
    SF_TRY(set_size(c, &image, sf_api_arg(c, "target_height"), sf_api_arg(c, "target_width"), out));
    return unbatch(c, &image, out);
}

static SfStatus body_crop(SfCall *c, const char *scope, SfTensor *out)
{
    return boxed(c, false, out);
}

static SfStatus body_pad(SfCall *c, const char *scope, SfTensor *out)
{
    return boxed(c, true, out);
}

/* max(x, 0) // 2 */
static SfStatus half_positive(SfCall *c, SfTensor x, SfTensor *out)
{
    SF_TRY(sf_compose_binary_const(c, "FloorDiv", NULL, x, 2, out));
    return sf_compose_binary_const(c, "Maximum", NULL, *out, 0, out);
}

/* Along one axis: the middle part when it is too long, zeros around it when too short. */
static SfStatus centre_axis(SfCall *c, const Image *image, int axis, SfTensor target, SfTensor *top,
                            SfTensor *length, SfTensor *before)
{
    SfTensor size, excess, missing;
    SF_TRY(image_size(c, image, &size));
    SF_TRY(sf_compose_vector_item(c, size, axis, NULL, &size));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, size, target, &excess));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, target, size, &missing));
    SF_TRY(half_positive(c, excess, top));
    SF_TRY(half_positive(c, missing, before));
    return sf_compose_binary(c, "Minimum", NULL, target, size, length);
}

static SfStatus body_crop_or_pad(SfCall *c, const char *scope, SfTensor *out)
{
    Image image;
    Box cut, around;
    const char *const params[] = {"target_width", "target_height"};
    SF_TRY(read_image(c, "image", &image));
    for (int i = 0; i < 2; i++) {
        int64_t v = 1;
        if (sf_arg_as_int(sf_api_arg(c, params[i]), &v) && v <= 0) {
            return sf_api_value_error(c, "%s must be > 0.", params[i]);
        }
    }
    SF_TRY(sf_compose_arg_as(c, "target_height", SF_DT_INT32, &around.height));
    SF_TRY(sf_compose_arg_as(c, "target_width", SF_DT_INT32, &around.width));
    SF_TRY(centre_axis(c, &image, 0, around.height, &cut.top, &cut.height, &around.top));
    SF_TRY(centre_axis(c, &image, 1, around.width, &cut.left, &cut.width, &around.left));
    SF_TRY(crop(c, &image, &cut, &image.t));
    SF_TRY(pad(c, &image, &around, out));
    SF_TRY(set_size(c, &image, sf_api_arg(c, "target_height"), sf_api_arg(c, "target_width"), out));
    return unbatch(c, &image, out);
}

/* size - 2 * int((size - size * fraction) / 2) */
static SfStatus central_axis(SfCall *c, SfTensor size, int axis, double fraction, SfTensor *start,
                             SfTensor *length)
{
    SfTensor n, kept, d;
    SF_TRY(sf_compose_vector_item(c, size, axis, NULL, &n));
    SF_TRY(sf_compose_cast(c, n, SF_DT_DOUBLE, NULL, &d));
    SF_TRY(sf_compose_binary_const(c, "Mul", NULL, d, fraction, &kept));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, d, kept, &d));
    SF_TRY(sf_compose_binary_const(c, "RealDiv", NULL, d, 2, &d));
    SF_TRY(sf_compose_cast(c, d, SF_DT_INT32, NULL, start));
    SF_TRY(sf_compose_binary_const(c, "Mul", NULL, *start, 2, &kept));
    return sf_compose_binary(c, "Sub", NULL, n, kept, length);
}

static SfStatus body_central_crop(SfCall *c, const char *scope, SfTensor *out)
{
    double fraction = 1;
    Image image;
    SfTensor size;
    Box box;
    SF_TRY(sf_api_float(c, "central_fraction", &fraction));
    if (fraction <= 0 || fraction > 1) {
        return sf_api_value_error(c, "central_fraction must be within (0, 1]");
    }
    if (fraction == 1) {
        return sf_compose_arg(c, "image", out);
    }
    SF_TRY(read_image(c, "image", &image));
    SF_TRY(image_size(c, &image, &size));
    SF_TRY(central_axis(c, size, 0, fraction, &box.top, &box.height));
    SF_TRY(central_axis(c, size, 1, fraction, &box.left, &box.width));
    SF_TRY(crop(c, &image, &box, out));
    return unbatch(c, &image, out);
}

/* flips and turns */
static SfStatus check_image_rank(SfCall *c, SfTensor t)
{
    SF_TRY(check_rank_is_tensorflows(c, &t));
    const int rank = sf_tensor_rank(t);
    if (rank == 3 || rank == 4 || rank < 0) {
        return SF_OK;
    }
    return sf_api_shape_error(c,
                              rank < 3 ? "'image' (shape %s) must be at least three-dimensional."
                                       : "'image' (shape %s) must have either 3 or 4 dimensions.",
                              sf_shape_tuple_text(c, t.shape));
}

/* Axis 0 (up, down) or 1 (left, right) of each image, counted from the end. */
static SfStatus reversed(SfCall *c, SfTensor x, int axis, const char *name, SfTensor *out)
{
    const int64_t at = axis - 3;
    SfTensor axes;
    SF_TRY(sf_api_const_ints(c, &at, 1, SF_DT_INT32, "axis", &axes));
    return sf_compose_binary(c, "ReverseV2", name, x, axes, out);
}

static SfStatus body_flip(SfCall *c, const char *scope, SfTensor *out)
{
    const int axis = c->sig->row->data[0] - '0';
    const bool random = strncmp(c->sig->row->data + 1, "random", 6) == 0;
    SfTensor x, draw, in[3], empty;
    SF_TRY(sf_compose_arg(c, "image", &x));
    SF_TRY(check_image_rank(c, x));
    SF_TRY(reversed(c, x, axis, NULL, out));
    if (sf_tensor_rank(x) < 0) {
        SF_TRY(sf_compose_set_shape(c, out, sf_shape_of_rank(3)));
    }
    if (!random) {
        return SF_OK;
    }
    SF_TRY(sf_api_const_ints(c, NULL, 0, SF_DT_INT32, "shape", &empty));
    SF_TRY(sf_compose_random(c, empty, SF_DT_FLOAT, &draw));
    SF_TRY(sf_compose_binary_const(c, "Less", NULL, draw, 0.5, &in[0]));
    in[1] = *out;
    in[2] = x;
    SF_TRY(sf_api_op(c, "Select", "Merge", in, 3, NULL, 0, out));
    return sf_tensor_rank(x) < 0 ? sf_compose_set_shape(c, out, sf_shape_of_rank(3)) : SF_OK;
}

static SfStatus api_flip(SfCall *c)
{
    return sf_compose_scoped(c, c->sig->row->data + 1, body_flip);
}

static SfStatus swapped(SfCall *c, SfTensor x, const char *name, SfTensor *out)
{
    const int64_t one[] = {1, 0, 2}, batch[] = {0, 2, 1, 3};
    return sf_tensor_rank(x) == 4 ? sf_compose_transpose(c, x, batch, 4, name, out)
                                  : sf_compose_transpose(c, x, one, 3, name, out);
}

static SfStatus body_transpose_image(SfCall *c, const char *scope, SfTensor *out)
{
    SF_TRY(sf_compose_arg(c, "image", out));
    SF_TRY(check_image_rank(c, *out));
    const bool old = sf_api_version(c) < SF_VERSION(1, 15);
    return swapped(c, *out, old ? "transpose_image" : "transpose", out);
}

static SfStatus api_transpose_image(SfCall *c)
{
    const bool old = sf_api_version(c) < SF_VERSION(1, 15);
    return sf_compose_scoped(c, old ? "transpose_image" : "transpose", body_transpose_image);
}

/* Quarter turns: an odd number of them swaps height and width. */
static SfStatus body_rot90(SfCall *c, const char *scope, SfTensor *out)
{
    int64_t k = 0;
    const SfArg *times = sf_api_arg(c, "k");
    SF_TRY(sf_compose_arg(c, "image", out));
    SF_TRY(check_image_rank(c, *out));
    if (!sf_arg_as_int(times, &k)) { /* known at run time only: height and width are not */
        const int rank = sf_tensor_rank(*out);
        SfTensor shape, flat = *out;
        const int64_t all = -1;
        SF_TRY(sf_compose_reshape(c, flat, &all, 1, NULL, &flat));
        SfTensor odd, in[3], turned;
        SF_TRY(swapped(c, *out, NULL, &turned));
        SF_TRY(sf_compose_shape(c, *out, SF_DT_INT32, NULL, &in[2]));
        SF_TRY(sf_compose_shape(c, turned, SF_DT_INT32, NULL, &in[1]));
        SF_TRY(sf_api_tensor(c, times, SF_DT_INT32, &odd));
        SF_TRY(sf_compose_binary_const(c, "FloorMod", NULL, odd, 2, &odd));
        SF_TRY(sf_compose_binary_const(c, "Equal", NULL, odd, 1, &in[0]));
        SF_TRY(sf_api_op(c, "Select", NULL, in, 3, NULL, 0, &shape));
        SF_TRY(sf_compose_binary(c, "Reshape", NULL, flat, shape, out));
        return rank < 0 ? SF_OK : sf_compose_set_shape(c, out, sf_shape_of_rank(rank));
    }
    k = ((k % 4) + 4) % 4;
    if (k % 2 == 1) {
        SF_TRY(swapped(c, *out, NULL, out));
    }
    if (k == 2) {
        SF_TRY(reversed(c, *out, 0, NULL, out));
    }
    return k == 0 ? SF_OK : reversed(c, *out, k == 1 ? 0 : 1, NULL, out);
}

/* boxes */
static SfStatus body_non_max_suppression(SfCall *c, const char *scope, SfTensor *out)
{
    const bool v3 = sf_api_version(c) >= SF_VERSION(1, 9);
    const char *const params[] = {"boxes", "scores", "max_output_size", "iou_threshold",
                                  "score_threshold"};
    const SfDtype hints[] = {SF_DT_FLOAT, SF_DT_FLOAT, SF_DT_INT32, SF_DT_FLOAT, SF_DT_FLOAT};
    SfTensor in[5];
    const int n = v3 ? 5 : 4;
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_compose_arg_hint(c, params[i], hints[i], &in[i]));
    }
    return sf_api_op(c, v3 ? "NonMaxSuppressionV3" : "NonMaxSuppressionV2", NULL, in, n, NULL, 0,
                     out);
}

/* The same with scores: the number of boxes that count is left out. */
static SfStatus api_nms_with_scores(SfCall *c)
{
    const char *const params[] = {"boxes",         "scores",          "max_output_size",
                                  "iou_threshold", "score_threshold", "soft_nms_sigma"};
    SfTensor in[6], out[3];
    SfScope scope;
    int n = 0;
    for (int i = 0; i < 6; i++) {
        SF_TRY(sf_compose_arg_hint(c, params[i], i == 2 ? SF_DT_INT32 : SF_DT_FLOAT, &in[i]));
    }
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "non_max_suppression_with_scores", &scope));
    const SfStatus st =
        sf_api_op_multi(c, "NonMaxSuppressionV5", NULL, in, 6, NULL, NULL, 0, out, 3, &n);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_compose_return(c, out, 2);
    }
    return st;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.image.resize tf.image.resize_images", SF_TF1,
     "images, size, method=0, align_corners=False, preserve_aspect_ratio=False, name=None",
     .call = api_resize, .data = "v1"},
    {"tf.image.resize", SF_TF2,
     "images, size, method='bilinear', preserve_aspect_ratio=False, antialias=False, name=None",
     .call = api_resize, .data = "v2"},
    {"tf.image.resize_bilinear", SF_TF1,
     "images, size, align_corners=False, name=None, half_pixel_centers=False",
     .op = "ResizeBilinear"},
    {"tf.image.resize_bicubic", SF_TF1,
     "images, size, align_corners=False, name=None, half_pixel_centers=False",
     .op = "ResizeBicubic"},
    {"tf.image.resize_nearest_neighbor", SF_TF1,
     "images, size, align_corners=False, name=None, half_pixel_centers=False",
     .op = "ResizeNearestNeighbor"},
    {"tf.image.resize_image_with_pad", SF_TF1,
     "image, target_height, target_width, method=0, align_corners=False",
     SF_SCOPED("resize_image_with_pad", body_resize_pad)},
    {"tf.image.resize_with_pad", SF_TF2,
     "image, target_height, target_width, method='bilinear', antialias=False",
     SF_SCOPED("resize_image_with_pad", body_resize_pad)},
    {"tf.image.crop_to_bounding_box", SF_TF12,
     "image, offset_height, offset_width, target_height, target_width",
     SF_SCOPED("crop_to_bounding_box", body_crop)},
    {"tf.image.pad_to_bounding_box", SF_TF12,
     "image, offset_height, offset_width, target_height, target_width",
     SF_SCOPED("pad_to_bounding_box", body_pad)},
    {"tf.image.resize_with_crop_or_pad", SF_TF12, "image, target_height, target_width",
     SF_SCOPED("resize_image_with_crop_or_pad", body_crop_or_pad)},
    {"tf.image.resize_image_with_crop_or_pad", SF_TF1, "image, target_height, target_width",
     SF_SCOPED("resize_image_with_crop_or_pad", body_crop_or_pad)},
    {"tf.image.central_crop", SF_TF12, "image, central_fraction",
     SF_SCOPED("central_crop", body_central_crop)},
    {"tf.image.flip_left_right", SF_TF12, "image",
     .call = api_flip, .data = "1flip_left_right"},
    {"tf.image.flip_up_down", SF_TF12, "image",
     .call = api_flip, .data = "0flip_up_down"},
    {"tf.image.random_flip_left_right", SF_TF12, "image, seed=None",
     .call = api_flip, .data = "1random_flip_left_right"},
    {"tf.image.random_flip_up_down", SF_TF12, "image, seed=None",
     .call = api_flip, .data = "0random_flip_up_down"},
    {"tf.image.stateless_random_flip_left_right", SF_TF2, "image, seed",
     .call = api_flip, .data = "1random_flip_left_right"},
    {"tf.image.stateless_random_flip_up_down", SF_TF2, "image, seed",
     .call = api_flip, .data = "0random_flip_up_down"},
    {"tf.image.transpose", SF_TF12, "image, name=None", .call = api_transpose_image},
    {"tf.image.transpose_image", SF_TF1, "image, name=None", .call = api_transpose_image},
    {"tf.image.rot90", SF_TF12, "image, k=1, name=None", SF_SCOPED("rot90", body_rot90)},
    {"tf.image.non_max_suppression", SF_TF12,
     "boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=-inf, name=None",
     SF_SCOPED("non_max_suppression", body_non_max_suppression)},
    {"tf.image.non_max_suppression_with_scores", SF_TF12,
     "boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=-inf, "
     "soft_nms_sigma=0.0, name=None", .call = api_nms_with_scores},
    {"tf.image.non_max_suppression_overlaps", SF_TF12,
     "overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=-inf, name=None",
     .op = "NonMaxSuppressionWithOverlaps", .data = "non_max_suppression_overlaps"},
    {"tf.image.combined_non_max_suppression", SF_TF12,
     "boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5, "
     "score_threshold=-inf, pad_per_class=False, clip_boxes=True, name=None",
     .op = "CombinedNonMaxSuppression", .data = "combined_non_max_suppression"},
    {"tf.image.sample_distorted_bounding_box", SF_TF1,
     "image_size, bounding_boxes, seed=None, seed2=None, min_object_covered=0.1, "
     "aspect_ratio_range=None, area_range=None, max_attempts=None, "
     "use_image_if_no_bounding_boxes=None, name=None",
     .op = "SampleDistortedBoundingBoxV2", .data = "sample_distorted_bounding_box"},
    {"tf.image.sample_distorted_bounding_box", SF_TF2,
     "image_size, bounding_boxes, seed=0, min_object_covered=0.1, aspect_ratio_range=None, "
     "area_range=None, max_attempts=None, use_image_if_no_bounding_boxes=None, name=None",
     .op = "SampleDistortedBoundingBoxV2", .data = "sample_distorted_bounding_box"},
    {"tf.image.crop_and_resize", SF_TF1,
     "image, boxes, box_ind=None, crop_size=None, method='bilinear', extrapolation_value=0, "
     "name=None, box_indices=None", .op = "CropAndResize", .rename = "box_indices=box_ind"},
    {"tf.image.crop_and_resize", SF_TF2,
     "image, boxes, box_indices, crop_size, method='bilinear', extrapolation_value=0.0, "
     "name=None", .op = "CropAndResize", .rename = "box_indices=box_ind"},
    {"tf.image.draw_bounding_boxes", SF_TF1, "images, boxes, name=None, colors=None",
     .op = "DrawBoundingBoxes", .rename = "colors="},
    {"tf.image.draw_bounding_boxes", SF_TF2, "images, boxes, colors, name=None",
     .op = "DrawBoundingBoxes", .rename = "colors="},
    {"tf.extract_image_patches tf.image.extract_image_patches", SF_TF1,
     "images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None",
     .op = "ExtractImagePatches", .rename = "sizes=ksizes"},
    {"tf.image.extract_patches", SF_TF12, "images, sizes, strides, rates, padding, name=None",
     .op = "ExtractImagePatches", .rename = "sizes=ksizes"},
    {"tf.image.extract_glimpse", SF_TF1,
     "input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None",
     .op = "ExtractGlimpse"},
    {"tf.image.extract_glimpse", SF_TF2,
     "input, size, offsets, centered=True, normalized=True, noise='uniform', name=None",
     .op = "ExtractGlimpse"},
    {"tf.image.encode_png tf.io.encode_png", SF_TF12, "image, compression=-1, name=None",
     .op = "EncodePng"},
    {"tf.image.decode_image tf.io.decode_image", SF_TF12,
     "contents, channels=None, dtype=tf.uint8, name=None, expand_animations=True",
     .op = "DecodeImage"},
    {"tf.image.hsv_to_rgb", SF_TF12, "images, name=None", .op = "HSVToRGB"},
    {"tf.image.resize_area", SF_TF1, "images, size, align_corners=False, name=None",
     .op = "ResizeArea"},
    {"tf.image.rgb_to_hsv", SF_TF12, "images, name=None", .op = "RGBToHSV"},
    {"tf.image.decode_and_crop_jpeg tf.io.decode_and_crop_jpeg", SF_TF12,
     "contents, crop_window, channels=0, ratio=1, fancy_upscaling=True, "
     "try_recover_truncated=False, acceptable_fraction=1, dct_method='', name=None",
     .op = "DecodeAndCropJpeg"},
    {"tf.image.decode_bmp tf.io.decode_bmp", SF_TF12, "contents, channels=0, name=None",
     .op = "DecodeBmp"},
    {"tf.image.decode_gif tf.io.decode_gif", SF_TF12, "contents, name=None", .op = "DecodeGif"},
    {"tf.image.decode_jpeg tf.io.decode_jpeg", SF_TF12,
     "contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, "
     "acceptable_fraction=1, dct_method='', name=None", .op = "DecodeJpeg"},
    {"tf.image.decode_png tf.io.decode_png", SF_TF12,
     "contents, channels=0, dtype=tf.uint8, name=None", .op = "DecodePng"},
    {"tf.image.encode_jpeg tf.io.encode_jpeg", SF_TF12,
     "image, format='', quality=95, progressive=False, optimize_size=False, "
     "chroma_downsampling=True, density_unit='in', x_density=300, y_density=300, "
     "xmp_metadata='', name=None", .op = "EncodeJpeg"},
    {"tf.image.extract_jpeg_shape tf.io.extract_jpeg_shape", SF_TF12,
     "contents, output_type=tf.int32, name=None", .op = "ExtractJpegShape"},
    {"tf.audio.decode_wav", SF_TF12,
     "contents, desired_channels=-1, desired_samples=-1, name=None", .op = "DecodeWav"},
    {"tf.audio.encode_wav", SF_TF12, "audio, sample_rate, name=None", .op = "EncodeWav"},
};
/* clang-format on */
const SfApiTable sf_api_image = {rows, SF_ARRAY_LEN(rows), "image"};
