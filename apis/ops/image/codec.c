/* Files of images and sound: decoding, encoding, spectrograms. Source: image_ops.cc, audio_ops.cc
 * and the checks of decode_image_op.cc, encode_*_op.cc, spectrogram_op.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"

#define SF_2_0 SF_VERSION(2, 0)

enum { BITMAP = 1, PNG }; /* variant: DecodeBmp, EncodePng */

/* codecs */

static SfStatus set_output_image(SfInfer *c, SfDim height, SfDim width)
{
    const int64_t channels = sf_attr_int(c, "channels");
    SF_TRY(sf_expect(c, channels >= 0, SF_ATTR("channels"),
                     "channels must be non-negative, got {0}", SF_INT_ARG(channels)));
    const SfDim dims[] = {height, width, channels ? channels : SF_DIM_UNKNOWN};
    return sf_set_output_shape(c, 0, sf_shape_make(3, dims));
}

static const SfMessage decode_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .since = SF_2_0,
     .text = "`contents` must be scalar but got shape{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "contents must be scalar, got shape {a.shape}"},
    {0}};

/* Not every number of channels has a meaning; JPEG has further options. */
static SfStatus decode_kernel(SfInfer *c)
{
    const int64_t n = sf_attr_int(c, "channels");
    SF_TRY(sf_require(c, n == 0 || n == 1 || n == 3 || n == 4, SF_ATTR("channels"),
                      "`channels` must be 0, 1, 3 or 4 but got {0}", SF_INT_ARG(n)));
    SF_TRY(sf_require(c, n != 1 || sf_op_variant(c) != BITMAP, SF_ATTR("channels"),
                      "`channels` must be 0, 3 or 4 for BMP, but got 1"));
    if (sf_op_attr_index(sf_op_sig(c), "ratio") < 0) {
        return SF_OK;
    }
    const int64_t ratio = sf_attr_int(c, "ratio");
    const char *method = sf_attr_string(c, "dct_method");
    SF_TRY(sf_require(c, ratio == 1 || ratio == 2 || ratio == 4 || ratio == 8, SF_ATTR("ratio"),
                      "ratio must be 1, 2, 4, or 8, got {0}", SF_INT_ARG(ratio)));
    return sf_require(c,
                      method[0] == 0 || strcmp(method, "INTEGER_FAST") == 0 ||
                          strcmp(method, "INTEGER_ACCURATE") == 0,
                      SF_ATTR("dct_method"),
                      "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
}

/* DecodeJpeg and friends: a file's content to [h,w,channels]. */
static SfStatus infer_decode(SfInfer *c)
{
    if (sf_common_runs(c) && sf_version(c) >= SF_2_0) {
        SF_TRY(decode_kernel(c));
    }
    sf_kernel_messages(c, decode_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(set_output_image(c, SF_DIM_UNKNOWN, SF_DIM_UNKNOWN));
    return sf_version(c) >= SF_2_0 ? sf_ask_kernel(c, decode_kernel) : SF_OK;
}

/* DecodeImage: a GIF may give [frames,h,w,3] unless expand_animations is off. */
static SfStatus infer_decode_image(SfInfer *c)
{
    SF_TRY(infer_decode(c));
    return sf_attr_bool(c, "expand_animations") ? sf_set_output_unknown(c, 0) : SF_OK;
}

/* DecodeWebP: an animation has frames. */
static SfStatus infer_decode_webp(SfInfer *c)
{
    SF_TRY(infer_decode(c));
    return sf_set_output_shape(c, 0, sf_shape_insert(sf_output(c, 0), 0, SF_DIM_UNKNOWN));
}

static SfStatus crop_kernel(SfInfer *c)
{
    SF_TRY(decode_kernel(c));
    for (int i = 0; i < 4; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_require(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && (i <= 1 || e.u.i != 0)),
                          SF_INPUT(1),
                          "jpeg::Uncompress failed. Invalid JPEG data or crop window."));
    }
    return SF_OK;
}

/* DecodeAndCropJpeg: crop_window is (y, x, height, width). */
static SfStatus infer_decode_crop(SfInfer *c)
{
    sf_kernel_messages(c, decode_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), 4));
    for (int i = 2; i < 4 && sf_version(c) >= SF_2_0 && sf_phase(c) == SF_PHASE_BUILD; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_expect(c, e.kind != SF_ELEM_INT || e.u.i >= -1, SF_INPUT(1),
                         "Dimension {0} must be >= 0", SF_INT_ARG(e.u.i)));
    }
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_ask_kernel(c, crop_kernel));
    }
    return set_output_image(c, sf_elem_as_dim(sf_common_elem(c, 1, 2)),
                            sf_elem_as_dim(sf_common_elem(c, 1, 3)));
}

static const SfMessage encode_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "quality must be scalar: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "image must be 3-dimensional{shape 0}"},
    {SF_ON(RANK_AT_LEAST), .text = "images must be at least rank 3{shape 0}"},
    {0}};

/* Refuses an attr or a scalar that is not between two numbers. */
static SfStatus encode_range(SfInfer *c, SfPlace place, int64_t n, int64_t low, int64_t high,
                             const char *message)
{
    return sf_require(c, n >= low && n <= high, place, "{0} [{1},{2}], got {3}",
                      SF_TEXT_ARG(message), SF_INT_ARG(low), SF_INT_ARG(high), SF_INT_ARG(n));
}

/* A grey or colour image; PNGs also with an alpha channel. */
static SfStatus encode_kernel(SfInfer *c)
{
    const bool png = sf_op_variant(c) == PNG;
    const SfDim d = sf_shape_dim(sf_input(c, 0), -1);
    int64_t quality;
    if (png) {
        SF_TRY(encode_range(c, SF_ATTR("compression"), sf_attr_int(c, "compression"), -1, 9,
                            "compression should be in"));
    } else if (sf_input_count(c) == 1) {
        const char *format = sf_attr_string(c, "format");
        SF_TRY(encode_range(c, SF_ATTR("quality"), sf_attr_int(c, "quality"), 0, 100,
                            "quality must be in"));
        if (sf_dim_is_known(d) && format[0] != 0 && d != (format[0] == 'g' ? 1 : 3)) {
            return sf_fail_with(c, SF_DIAG_DIM_VALUE, SF_AXIS(0, -1), SF_ATTR("format"),
                                "format {0} expects {1} channels, got {a.shape}",
                                SF_TEXT_ARG(format), SF_INT_ARG(format[0] == 'g' ? 1 : 3));
        }
    } else {
        SF_TRY(sf_want_rank(c, SF_INPUT(1), 0, NULL));
        if (sf_input_int(c, 1, &quality)) {
            SF_TRY(encode_range(c, SF_INPUT(1), quality, 0, 100, "quality must be in"));
        }
    }
    if (!sf_dim_is_known(d) || d == 1 || d == 3 || (png && (d == 2 || d == 4))) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_DIM_VALUE, SF_AXIS(0, -1), SF_THE_OP,
                        png ? "image must have 1, 2, 3, or 4 channels, got {a.dim}"
                            : "image must have 1 or 3 channels, got {a.shape}");
}

/* EncodePng: since 2.0 also batches, one string for each image. */
static SfStatus infer_encode_png(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, encode_messages);
    if (sf_version(c) < SF_2_0) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, &in));
    } else {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 3, &in));
    }
    SF_TRY(sf_ask_kernel(c, encode_kernel));
    return sf_set_output_shape(c, 0,
                               sf_shape_is_ranked(sf_input(c, 0)) || sf_version(c) < SF_2_0
                                   ? sf_shape_slice(in, 0, -3)
                                   : in);
}

/* sound */

/* DecodeWav: [samples, channels] and the sample rate. */
static SfStatus infer_decode_wav(SfInfer *c)
{
    static const char *const attrs[] = {"desired_channels", "desired_samples"};
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    for (int i = 0; i < 2; i++) {
        const int64_t n = sf_attr_int(c, attrs[i]);
        if (n < -1) {
            return sf_common_runs(c)
                       ? sf_refuse(c, SF_ATTR(attrs[i]), "{0} must be >= -1, got {1}",
                                   SF_TEXT_ARG(attrs[i]), SF_INT_ARG(n))
                       : sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_ATTR(attrs[i]), SF_THE_OP,
                                      "{0} must be non-negative, got {1}",
                                      SF_TEXT_ARG(attrs[i] + strlen("desired_")), SF_INT_ARG(n));
        }
    }
    SF_TRY(sf_set_output_matrix(c, 0, sf_common_attr_dim(c, "desired_samples"),
                                sf_common_attr_dim(c, "desired_channels")));
    return sf_set_output_scalar(c, 1);
}

static const SfMessage sound_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "{a.name} must be {0}-dimensional{a.shape}"}, {0}};

static SfStatus wav_kernel(SfInfer *c)
{
    int64_t rate;
    const SfDim channels = sf_input_dim(c, 0, 1);
    if (sf_input_int(c, 1, &rate) && rate <= 0) { /* shown as the size_t that it is read into */
        return sf_refuse(c, SF_INPUT(1), "sample_rate must be in (0, 2^32), got: {0:u}",
                         SF_INT_ARG(rate));
    }
    return sf_require(c, !sf_dim_is_known(channels) || (channels > 0 && channels <= UINT16_MAX),
                      SF_AXIS(0, 1), "num_channels must be in (0, 2^16), got: {0}",
                      SF_DIM_ARG(channels));
}

static SfStatus infer_encode_wav(SfInfer *c)
{
    sf_kernel_messages(c, sound_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_ask_kernel(c, wav_kernel));
    }
    return sf_set_output_scalar(c, 0);
}

static SfStatus spectrogram_kernel(SfInfer *c)
{
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_ATTR("window_size"), SF_ATTR("stride"),
                        "Spectrogram initialization failed for window size {attr window_size} and "
                        "stride {attr stride}");
}

/* AudioSpectrogram: input[samples, channels] to [channels, windows, bins]. */
static SfStatus infer_spectrogram(SfInfer *c)
{
    const int64_t window = sf_attr_int(c, "window_size"), stride = sf_attr_int(c, "stride");
    const SfShape *in;
    sf_kernel_messages(c, sound_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &in));
    SF_TRY(sf_expect(c, sf_phase(c) != SF_PHASE_BUILD || sf_version(c) < SF_2_0 || window > 1,
                     SF_ATTR("window_size"), "window size must be > 1, got {0}",
                     SF_INT_ARG(window)));
    SF_TRY(sf_expect(c, sf_phase(c) != SF_PHASE_BUILD || sf_version(c) < SF_2_0 || stride > 0,
                     SF_ATTR("stride"), "stride must be strictly positive, got {0}",
                     SF_INT_ARG(stride)));
    if (window <= 1 || stride <= 0) {
        SF_TRY(sf_ask_kernel(c, spectrogram_kernel));
    }
    int64_t fft = 1;
    while (fft < window && fft < INT64_C(1) << 40) {
        fft *= 2;
    }
    const SfDim samples = sf_shape_dim(in, 0);
    SfDim windows = SF_DIM_UNKNOWN;
    if (sf_dim_is_known(samples) && stride > 0 && window > 0) {
        windows = samples < window ? 0 : 1 + (samples - window) / stride;
    }
    const SfDim dims[] = {sf_shape_dim(in, 1), windows, 1 + fft / 2};
    return sf_set_output_shape(c, 0, sf_shape_make(3, dims));
}

/* table */

/* clang-format off */
#define JPEG "channels: int = 0, ratio: int = 1, fancy_upscaling: bool = true, " \
    "try_recover_truncated: bool = false, acceptable_fraction: float = 1.0, dct_method: string = ''"
#define ENCODES .messages = encode_messages, .kernel = encode_kernel, .checks_last = true
#define IMAGE(in, out) .inputs = in, .outputs = out

static const SfOpDef ops[] = {
    SF_OP(DecodeJpeg, IMAGE("contents: string", "image: uint8"), .attrs = JPEG,
          .infer = infer_decode, .grad = SF_GRAD_MISSING),
    SF_OP(DecodePng, IMAGE("contents: string", "image: dtype"),
          .attrs = "channels: int = 0, dtype: {uint8, uint16} = uint8", .infer = infer_decode,
          .grad = SF_GRAD_MISSING),
    SF_OP(DecodeBmp, IMAGE("contents: string", "image: uint8"), .attrs = "channels: int = 0",
          .infer = infer_decode, .grad = SF_GRAD_MISSING, .variant = BITMAP),
    SF_OP(DecodeGif, IMAGE("contents: string", "image: uint8"), .attrs = "",
          .infer = SF_SHAPES("[] -> [?,?,?,3]"), .messages = decode_messages,
          .grad = SF_GRAD_MISSING),
    SF_OP(DecodeImage, IMAGE("contents: string", "image: dtype"),
          .attrs = "channels: int = 0, dtype: {uint8, uint16, float} = uint8, "
                   "expand_animations: bool = true",
          .infer = infer_decode_image, .grad = SF_GRAD_MISSING),
    SF_OP(DecodeJxl, IMAGE("contents: string", "image: dtype"),
          .attrs = "channels: int = 0, dtype: {uint8} = uint8", .infer = infer_decode,
          .grad = SF_GRAD_MISSING),
    SF_OP(DecodeWebP, IMAGE("contents: string", "image: dtype"),
          .attrs = "channels: int = 0, dtype: {uint8} = uint8", .infer = infer_decode_webp,
          .grad = SF_GRAD_MISSING),
    SF_OP(DecodeAndCropJpeg, IMAGE("contents: string, crop_window: int32", "image: uint8"),
          .attrs = JPEG, .infer = infer_decode_crop, .grad = SF_GRAD_MISSING),
    SF_OP(EncodeJpeg, IMAGE("image: uint8", "contents: string"),
          .attrs = "format: {'', 'grayscale', 'rgb'} = '', quality: int = 95, "
                   "progressive: bool = false, optimize_size: bool = false, "
                   "chroma_downsampling: bool = true, density_unit: {'in', 'cm'} = 'in', "
                   "x_density: int = 300, y_density: int = 300, xmp_metadata: string = ''",
          .infer = SF_SHAPES("[?,?,?] -> []"), ENCODES, .grad = SF_GRAD_MISSING),
    SF_OP(EncodeJpegVariableQuality, IMAGE("images: uint8, quality: int32", "contents: string"),
          .attrs = "", .infer = SF_SHAPES("[?,?,?] ? -> []"), ENCODES, .grad = SF_GRAD_MISSING),
    SF_OP(EncodePng, IMAGE("image: T", "contents: string"),
          .attrs = "compression: int = -1, T: {uint8, uint16} = uint8", .infer = infer_encode_png,
          .grad = SF_GRAD_MISSING, .variant = PNG),
    SF_OP(ExtractJpegShape, IMAGE("contents: string", "image_shape: output_type"),
          .attrs = "output_type: {int32, int64} = int32", .infer = SF_SHAPES("[] -> [3]"),
          .grad = SF_GRAD_MISSING),
    SF_OP(DecodeWav, IMAGE("contents: string", "audio: float, sample_rate: int32"),
          .attrs = "desired_channels: int = -1, desired_samples: int = -1",
          .infer = infer_decode_wav, .grad = SF_GRAD_MISSING),
    SF_OP(EncodeWav, IMAGE("audio: float, sample_rate: int32", "contents: string"), .attrs = "",
          .infer = infer_encode_wav, .grad = SF_GRAD_MISSING),
    SF_OP(AudioSpectrogram, IMAGE("input: float", "spectrogram: float"),
          .attrs = "window_size: int, stride: int, magnitude_squared: bool = false",
          .infer = infer_spectrogram, .grad = SF_GRAD_MISSING),
    SF_OP(Mfcc, IMAGE("spectrogram: float, sample_rate: int32", "output: float"),
          .attrs = "upper_frequency_limit: float = 4000.0, lower_frequency_limit: float = 20.0, "
                   "filterbank_channel_count: int = 40, dct_coefficient_count: int = 13",
          .messages = sound_messages,
          .infer = SF_SHAPES("[a,b,?] [] -> [a,b,dct_coefficient_count]"), .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_codec = {ops, SF_ARRAY_LEN(ops), "codec"};
