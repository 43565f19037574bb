/* tf.image, pixel by pixel: dtypes, brightness, colours, standardisation, quality measures. */
#include <math.h>

#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* dtypes */
/* The largest number of an integer dtype. */
static double largest(SfDtype t)
{
    const int bits = (int)sf_dtype_bits(t) - (sf_dtype_is_unsigned(t) ? 0 : 1);
    return ldexp(1.0, bits) - 1.0;
}

/* image_ops.convert_image_dtype: floats lie in [0, 1), integers fill their range. */
static SfStatus convert_dtype(SfCall *c, SfTensor x, SfDtype to, const char *name, SfTensor *out)
{
    const SfDtype from = sf_tensor_dtype(x);
    *out = x;
    if (from == to) {
        return name ? sf_compose_unary(c, "Identity", name, x, out) : SF_OK;
    }
    const bool float_from = sf_dtype_is_floating(from), float_to = sf_dtype_is_floating(to);
    if (float_from && float_to) {
        return sf_compose_cast(c, x, to, name, out);
    }
    if (float_to && sf_dtype_is_integer(from)) {
        SF_TRY(sf_compose_cast(c, x, to, NULL, out));
        return sf_compose_binary_const(c, "Mul", name, *out, 1.0 / largest(from), out);
    }
    if (!sf_dtype_is_integer(to) || !(float_from || sf_dtype_is_integer(from))) {
        return sf_compose_cast(c, x, to, name, out);
    }
    if (float_from) {
        SF_TRY(sf_compose_binary_const(c, "Mul", NULL, x, largest(to) + 0.5, out));
        return sf_compose_cast(c, *out, to, name, out);
    }
    const double ratio = (largest(from) + 1.0) / (largest(to) + 1.0);
    if (ratio > 1.0) {
        SF_TRY(sf_compose_binary_const(c, "FloorDiv", NULL, x, ratio, out));
        return sf_compose_cast(c, *out, to, name, out);
    }
    SF_TRY(sf_compose_cast(c, x, to, NULL, out));
    return sf_compose_binary_const(c, "Mul", name, *out, floor(1.0 / ratio), out);
}

static SfStatus body_convert_dtype(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SfDtype to = SF_DT_FLOAT;
    SF_TRY(sf_compose_arg(c, "image", &x));
    SF_TRY(sf_api_dtype(c, "dtype", &to));
    return convert_dtype(c, x, sf_dtype_base(to), scope, out);
}

/* Work in float32 and come back: the frame of every adjustment. */
static SfStatus as_float(SfCall *c, SfTensor x, SfTensor *out)
{
    const SfDtype t = sf_tensor_dtype(x);
    return convert_dtype(c, x, sf_dtype_is_floating(t) ? t : SF_DT_FLOAT, NULL, out);
}

/* adjustments */
/* The amount: an argument, or for the random ones a draw between two numbers. */
static SfStatus amount(SfCall *c, const char *param, SfDtype dtype, SfTensor *out)
{
    if (param) {
        return sf_api_tensor_named(c, sf_api_arg(c, param), sf_dtype_base(dtype), param, out);
    }
    SfTensor shape;
    SF_TRY(sf_api_const_ints(c, NULL, 0, SF_DT_INT32, "shape", &shape));
    SF_TRY(sf_compose_random(c, shape, SF_DT_FLOAT, out));
    return sf_compose_cast(c, *out, dtype, NULL, out);
}

static SfStatus check_random(SfCall *c)
{
    double lower = 0, upper = 1, delta = 0;
    SF_TRY(sf_api_float(c, "max_delta", &delta));
    SF_TRY(sf_api_float(c, "lower", &lower));
    SF_TRY(sf_api_float(c, "upper", &upper));
    if (delta < 0) {
        return sf_api_value_error(c, "max_delta must be non-negative.");
    }
    if (upper <= lower && !sf_arg_is_none(sf_api_arg(c, "lower"))) {
        return sf_api_value_error(c, "upper must be > lower.");
    }
    if (lower < 0) {
        return sf_api_value_error(c, "lower must be non-negative.");
    }
    return SF_OK;
}

/* data: op and, after a blank, the parameter that holds the amount ("" for a random one). */
static SfStatus body_adjust(SfCall *c, const char *scope, SfTensor *out)
{
    const char *data = c->sig->row->data, *blank = strchr(data, ' ');
    char op[32];
    SfTensor x, y, by;
    memcpy(op, data, (size_t)(blank - data));
    op[blank - data] = '\0';
    SF_TRY(check_random(c));
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, c->sig->params[0].name, &x));
    SF_TRY(as_float(c, x, &y));
    const SfDtype t = op[1] == 'd' && op[2] == 'd' ? sf_tensor_dtype(y) : SF_DT_FLOAT;
    SF_TRY(amount(c, blank[1] != '\0' ? blank + 1 : NULL, t, &by));
    SF_TRY(sf_compose_binary(c, op, NULL, y, by, &y));
    SF_TRY(convert_dtype(c, y, sf_tensor_dtype(x), NULL, out));
    return sf_compose_unary(c, "Identity", NULL, *out, out);
}

/* "adjust_hue" for random_hue as well: the random ones call the others. */
static SfStatus api_adjust(SfCall *c)
{
    static const char *const names[] = {"adjust_brightness", "adjust_contrast", "adjust_hue",
                                        "adjust_saturation"};
    for (int i = 0; i < SF_ARRAY_LEN(names); i++) {
        if (strstr(c->sig->row->names, names[i] + strlen("adjust"))) {
            return sf_compose_scoped(c, names[i], body_adjust);
        }
    }
    return sf_compose_scoped(c, "adjust", body_adjust);
}

/* gain * image ** gamma */
static SfStatus body_gamma(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y, gamma, gain;
    SF_TRY(sf_compose_arg(c, "image", &x));
    SF_TRY(as_float(c, x, &y));
    SF_TRY(amount(c, "gamma", y.dtype, &gamma));
    SF_TRY(amount(c, "gain", y.dtype, &gain));
    SF_TRY(sf_compose_binary(c, "Pow", NULL, y, gamma, &y));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, gain, y, &y));
    return convert_dtype(c, y, sf_tensor_dtype(x), scope, out);
}

/* colour spaces */
static SfStatus body_grayscale(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, y, weights;
    const SfElem w[] = {sf_elem_float(0.2989), sf_elem_float(0.587), sf_elem_float(0.114)};
    SF_TRY(sf_compose_arg(c, "images", &x));
    SF_TRY(as_float(c, x, &y));
    const SfShape *three = sf_shape_vector(3);
    SF_TRY(sf_convert_const(c, sf_tensor_dtype(y), three,
                            sf_value_make(sf_tensor_dtype(y), three, w), "weights", &weights));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", y, weights, &y));
    SF_TRY(sf_compose_reduce_axis(c, "Sum", NULL, y, -1, true, &y));
    return convert_dtype(c, y, sf_tensor_dtype(x), scope, out);
}

/* The one channel, three times. */
static SfStatus body_to_rgb(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, times;
    SF_TRY(sf_compose_arg(c, "images", &x));
    const int rank = sf_tensor_rank(x);
    if (rank < 0) {
        SfTensor thrice[] = {x, x, x};
        return sf_compose_concat(c, thrice, 3, -1, scope, out);
    }
    int64_t *n = sf_arena_alloc(c->arena, sizeof *n * (size_t)(rank + 1));
    SF_TRY_ALLOC(n);
    for (int i = 0; i < rank; i++) {
        n[i] = i == rank - 1 ? 3 : 1;
    }
    SF_TRY(sf_api_const_ints(c, n, rank, SF_DT_INT32, "multiples", &times));
    return sf_compose_binary(c, "Tile", scope, x, times, out);
}

/* A product with a 3 x 3 matrix along the channels: [..., 3] stays. */
static SfStatus body_color_space(SfCall *c, const char *name, SfTensor *out)
{
    const int64_t rows[] = {-1, 3};
    SfTensor x, kernel, shape;
    const SfShape *square = sf_shape_matrix(3, 3);
    SF_TRY(sf_compose_arg(c, "images", &x));
    SF_TRY(sf_convert_const(c, sf_tensor_dtype(x), square, NULL, "kernel", &kernel));
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_reshape(c, x, rows, 2, NULL, &x));
    SF_TRY(sf_compose_binary(c, "MatMul", NULL, x, kernel, &x));
    return sf_compose_binary(c, "Reshape", name, x, shape, out);
}

/* standardisation */
/* (x - mean) / adjusted standard deviation, each image by itself */
static SfStatus body_standardize(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, axes, mean, square, deviation;
    const int64_t last[] = {-1, -2, -3};
    SF_TRY(sf_compose_arg(c, "image", &x));
    const int rank = sf_tensor_rank(x);
    if (rank >= 0 && rank < 3) {
        return sf_api_shape_error(c, "'image' (shape %s) must be at least three-dimensional.",
                                  sf_shape_tuple_text(c, x.shape));
    }
    const SfDtype t = sf_tensor_dtype(x);
    const bool keep = t == SF_DT_FLOAT || (t == SF_DT_HALF && sf_api_is_v2(c));
    const bool back = sf_api_version(c) == SF_VERSION(1, 15); /* as it came: an oddity of 1.15 */
    SF_TRY(sf_compose_cast(c, x, keep ? t : SF_DT_FLOAT, NULL, &x));
    SF_TRY(sf_api_const_ints(c, last, 3, SF_DT_INT32, "reduction_indices", &axes));
    SF_TRY(sf_compose_reduce(c, "Mean", NULL, x, axes, true, &mean));
    SF_TRY(sf_compose_unary(c, "Square", NULL, x, &square));
    SF_TRY(sf_compose_reduce(c, "Mean", NULL, square, axes, true, &deviation));
    SF_TRY(sf_compose_unary(c, "Square", NULL, mean, &square));
    SF_TRY(sf_compose_binary(c, "Sub", "sub", deviation, square, &deviation));
    SF_TRY(sf_compose_unary(c, "Relu", NULL, deviation, &deviation));
    SF_TRY(sf_compose_unary(c, "Sqrt", NULL, deviation, &deviation));
    SF_TRY(sf_compose_binary_const(c, "Maximum", NULL, deviation, 0.01, &deviation));
    SF_TRY(sf_compose_binary(c, "Sub", "Sub", x, mean, &x));
    SF_TRY(sf_compose_binary(c, "RealDiv", back ? "truediv" : scope, x, deviation, out));
    return back ? convert_dtype(c, *out, t, "Identity", out) : SF_OK;
}

/* measures */
/* psnr, ssim: one number for each image, the shape of the batch axes of both. */
static SfStatus body_similarity(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor a, b, axes;
    const int64_t last[] = {-3, -2, -1};
    SF_TRY(sf_api_tensor(c, &c->args[0], SF_DT_INVALID, &a));
    SF_TRY(sf_api_tensor(c, &c->args[1], SF_DT_INVALID, &b));
    SF_TRY(as_float(c, a, &a));
    SF_TRY(as_float(c, b, &b));
    SF_TRY(sf_compose_binary(c, "SquaredDifference", NULL, a, b, &a));
    SF_TRY(sf_api_const_ints(c, last, 3, SF_DT_INT32, "reduction_indices", &axes));
    return sf_compose_reduce(c, "Mean", scope, a, axes, false, out);
}

/* The sum of differences between neighbours, for each image. */
static SfStatus body_total_variation(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, axes;
    const int64_t last[] = {-3, -2, -1};
    SF_TRY(sf_compose_arg(c, "images", &x));
    const int rank = sf_tensor_rank(x);
    if (rank >= 0 && rank != 3 && rank != 4) {
        return sf_api_shape_error(c, "'images' must be either 3 or 4-dimensional.");
    }
    SF_TRY(sf_api_const_ints(c, last, 3, SF_DT_INT32, "reduction_indices", &axes));
    SF_TRY(sf_compose_unary(c, "Abs", NULL, x, &x));
    return sf_compose_reduce(c, "Sum", scope, x, axes, false, out);
}

/* Vertical and horizontal differences: two tensors of the image's shape. */
static SfStatus api_image_gradients(SfCall *c)
{
    SfTensor x, out[2];
    SF_TRY(sf_compose_arg(c, "image", &x));
    if (sf_tensor_rank(x) >= 0 && sf_tensor_rank(x) != 4) {
        return sf_api_value_error(c,
                                  "image_gradients expects a 4D tensor [batch_size, h, w, d], "
                                  "not %s.",
                                  sf_shape_tuple_text(c, x.shape));
    }
    SF_TRY(sf_compose_binary(c, "Sub", NULL, x, x, &out[0]));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, x, x, &out[1]));
    sf_compose_return(c, out, 2);
    return SF_OK;
}

/* Two filters, on a new last axis. */
static SfStatus body_sobel(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, both[2];
    SF_TRY(sf_compose_arg(c, "image", &x));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, x, x, &both[0]));
    both[1] = both[0];
    return sf_compose_pack(c, both, 2, -1, NULL, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.image.convert_image_dtype", SF_TF12, "image, dtype, saturate=False, name=None",
     SF_SCOPED("convert_image", body_convert_dtype)},
    {"tf.image.adjust_brightness", SF_TF12, "image, delta",
     .call = api_adjust, .data = "AddV2 delta"},
    {"tf.image.adjust_contrast", SF_TF12, "images, contrast_factor",
     .call = api_adjust, .data = "AdjustContrastv2 contrast_factor"},
    {"tf.image.adjust_hue", SF_TF12, "image, delta, name=None",
     .call = api_adjust, .data = "AdjustHue delta"},
    {"tf.image.adjust_saturation", SF_TF12, "image, saturation_factor, name=None",
     .call = api_adjust, .data = "AdjustSaturation saturation_factor"},
    {"tf.image.adjust_gamma", SF_TF12, "image, gamma=1, gain=1",
     SF_SCOPED("adjust_gamma", body_gamma)},
    {"tf.image.random_brightness", SF_TF12, "image, max_delta, seed=None",
     .call = api_adjust, .data = "AddV2 "},
    {"tf.image.random_contrast", SF_TF12, "image, lower, upper, seed=None",
     .call = api_adjust, .data = "AdjustContrastv2 "},
    {"tf.image.random_hue", SF_TF12, "image, max_delta, seed=None",
     .call = api_adjust, .data = "AdjustHue "},
    {"tf.image.random_saturation", SF_TF12, "image, lower, upper, seed=None",
     .call = api_adjust, .data = "AdjustSaturation "},
    {"tf.image.stateless_random_brightness", SF_TF2, "image, max_delta, seed",
     .call = api_adjust, .data = "AddV2 "},
    {"tf.image.stateless_random_contrast", SF_TF2, "image, lower, upper, seed",
     .call = api_adjust, .data = "AdjustContrastv2 "},
    {"tf.image.stateless_random_hue", SF_TF2, "image, max_delta, seed",
     .call = api_adjust, .data = "AdjustHue "},
    {"tf.image.stateless_random_saturation", SF_TF2, "image, lower, upper, seed=None",
     .call = api_adjust, .data = "AdjustSaturation "},
    {"tf.image.rgb_to_grayscale", SF_TF12, "images, name=None",
     SF_SCOPED("rgb_to_grayscale", body_grayscale)},
    {"tf.image.grayscale_to_rgb", SF_TF12, "images, name=None",
     SF_SCOPED("grayscale_to_rgb", body_to_rgb)},
    {"tf.image.rgb_to_yiq", SF_TF12, "images", SF_PLAIN(body_color_space)},
    {"tf.image.yiq_to_rgb", SF_TF12, "images", SF_PLAIN(body_color_space)},
    {"tf.image.rgb_to_yuv", SF_TF12, "images", SF_PLAIN(body_color_space)},
    {"tf.image.yuv_to_rgb", SF_TF12, "images", SF_PLAIN(body_color_space)},
    {"tf.image.per_image_standardization", SF_TF12, "image",
     SF_SCOPED("per_image_standardization", body_standardize)},
    {"tf.image.psnr", SF_TF12, "a, b, max_val, name=None",
     SF_SCOPED("PSNR", body_similarity), .data = "PSNR"},
    {"tf.image.ssim", SF_TF12,
     "img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03, "
     "return_index_map=False", SF_SCOPED("SSIM", body_similarity), .data = "SSIM"},
    {"tf.image.ssim_multiscale", SF_TF12,
     "img1, img2, max_val, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333), "
     "filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03",
     SF_SCOPED("MS-SSIM", body_similarity), .data = "MS-SSIM"},
    {"tf.image.total_variation", SF_TF12, "images, name=None",
     SF_SCOPED("total_variation", body_total_variation)},
    {"tf.image.image_gradients", SF_TF12, "image", .call = api_image_gradients},
    {"tf.image.sobel_edges", SF_TF12, "image", SF_SCOPED("sobel_edges", body_sobel)},
};
/* clang-format on */
const SfApiTable sf_api_color = {rows, SF_ARRAY_LEN(rows), "color"};
