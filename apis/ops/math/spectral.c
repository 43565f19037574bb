/* Fourier transforms over the last one, two or three axes. Source: spectral_ops.cc. */
#include "core/op/infer.h"

#include "apis/ops/shared/common.h"

static const SfMessage fft_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "Input must have rank of at least {0} but got: {shape 0}"}, {0}};

/* Variant: how many axes are transformed; of real transforms, whether forward. */
enum { AXES = 3, FORWARD = 4 };

/* FFT, IFFT: complex to complex, of the same shape. */
static SfStatus infer_fft(SfInfer *c)
{
    const SfShape *in;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), sf_op_variant(c), &in));
    return sf_set_output_shape(c, 0, in);
}

/* The precision of both sides is one, no length is negative, and the input has what is read. */
static SfStatus real_kernel(SfInfer *c)
{
    const bool forward = sf_op_variant(c) & FORWARD;
    const int axes = sf_op_variant(c) & AXES, rank = sf_shape_rank(sf_input(c, 0));
    const SfDtype from = sf_dtype_base(sf_input_dtype(c, 0)), to = sf_output_dtype(c, 0);
    const SfShape *length = sf_input(c, 1);
    SF_TRY(sf_expect(c,
                     (from == SF_DT_FLOAT || from == SF_DT_COMPLEX64) ==
                         (to == SF_DT_FLOAT || to == SF_DT_COMPLEX64),
                     SF_INPUT(0), "Wrong types for {0} real FFT: in={1} out={2}",
                     SF_TEXT_ARG(forward ? "forward" : "backward"), SF_INT_ARG(from),
                     SF_INT_ARG(to)));
    SF_TRY(sf_require_as(c, rank < 0 || rank >= axes, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "Input must have rank of at least {0} but got: {a.shape}",
                         SF_INT_ARG(axes)));
    SF_TRY(sf_expect(
        c, sf_shape_may_have_rank(length, 1) && !sf_dim_never(sf_shape_dim(length, 0), axes),
        SF_INPUT(1), "fft_length must have shape [{0}]", SF_INT_ARG(axes)));
    for (int i = 0; i < axes; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        if (e.kind != SF_ELEM_INT) {
            continue;
        }
        SF_TRY(sf_expect(c, e.u.i >= 0, SF_INPUT(1), "fft_length[{0}] must >= 0, but got: {1}",
                         SF_INT_ARG(i), SF_INT_ARG(e.u.i)));
        const bool halved = !forward && i == axes - 1;
        const int64_t least = halved ? e.u.i / 2 + 1 : e.u.i;
        const SfDim d = sf_input_dim(c, 0, i - axes);
        SF_TRY(sf_require_as(c,
                             rank < 0 || e.u.i <= 0 || !sf_dim_is_known(d) || d >= least || d <= 0,
                             SF_DIAG_OP_SHAPE, SF_AXIS(0, rank - axes + i), SF_INPUT(1),
                             "Input dimension {0} must have length of at least {1} but got: {2}",
                             SF_INT_ARG(rank - axes + i), SF_INT_ARG(least), SF_DIM_ARG(d)));
    }
    return SF_OK;
}

/* RFFT keeps half of the last axis, fft_length / 2 + 1; IRFFT gives fft_length back. */
static SfStatus infer_real_fft(SfInfer *c)
{
    const bool forward = sf_op_variant(c) & FORWARD;
    const int axes = sf_op_variant(c) & AXES;
    const SfShape *out;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), axes, &out));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), axes));
    const int rank = sf_shape_rank(out);
    for (int i = 0; i < axes && rank >= 0 && !sf_common_runs(c); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        const int64_t n = e.kind != SF_ELEM_INT      ? 0
                          : forward && i == axes - 1 ? e.u.i / 2 + 1
                                                     : e.u.i;
        SF_TRY(sf_require_as(c, n >= -1, SF_DIAG_SHAPE_ENTRY, SF_INPUT(1), SF_THE_OP,
                             "Dimension {0} must be >= 0", SF_INT_ARG(n)));
    }
    for (int i = 0; i < axes && rank >= 0 && out; i++) {
        SfDim d = sf_elem_as_dim(sf_common_elem(c, 1, i));
        if (forward && i == axes - 1 && d != 0) {
            d = sf_dim_add(sf_dim_div_floor(d, 2), 1);
        }
        out = sf_shape_replace(out, rank - axes + i, d);
    }
    return sf_set_output_shape(c, 0, out);
}

/* FFTND, IFFTND, RFFTND, IRFFTND: the axes are an input. The shape functions of TensorFlow hand the
 * input's shape on, which holds for the axes that are not transformed, and for those whose length
 * stays; there is no CPU kernel to ask for the rest. */
static SfStatus infer_nd(SfInfer *c)
{
    const SfShape *in;
    const int64_t *axes;
    int n;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &in));
    const int rank = sf_shape_rank(in);
    if (rank < 0 || !sf_common_ints(c, 2, &axes, &n)) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(rank));
    }
    const bool real = sf_output_dtype(c, 0) != sf_dtype_base(sf_input_dtype(c, 0));
    const SfShape *out = in;
    for (int i = 0; out && i < n; i++) {
        const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank) {
            return sf_set_output_shape(c, 0, sf_shape_of_rank(rank));
        }
        const SfDim length = sf_elem_as_dim(sf_common_elem(c, 1, i));
        const bool same = !real && length == sf_shape_dim(in, (int)axis);
        out = sf_shape_replace(out, (int)axis, same ? length : SF_DIM_UNKNOWN);
    }
    return sf_set_output_shape(c, 0, out);
}

/* clang-format off */
#define TREAL "Treal: {float, double} = float, Tcomplex: {complex64, complex128} = complex64"
#define FFT_OP(name, axes_) \
    SF_OP(name, .inputs = "input: Tcomplex", .outputs = "output: Tcomplex", \
          .attrs = "Tcomplex: {complex64, complex128} = complex64", .infer = infer_fft, \
          .messages = fft_messages, .variant = (axes_))
#define BATCH_OP(name, axes_) \
    SF_OP(name, .inputs = "input: complex64", .outputs = "output: complex64", .attrs = "", \
          .infer = infer_fft, .messages = fft_messages, .variant = (axes_), \
          .traits = SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING)
#define REAL_OP(name, in, out, variant_, g) \
    SF_OP(name, .inputs = "input: " in ", fft_length: int32", .outputs = "output: " out, \
          .attrs = TREAL, .infer = infer_real_fft, .kernel = real_kernel, .variant = (variant_), \
          .grad = g)
#define ND_OP(name, in, out, attrs_) \
    SF_OP(name, .inputs = "input: " in ", fft_length: int32, axes: int32", \
          .outputs = "output: " out, .attrs = attrs_, .infer = infer_nd)

static const SfOpDef ops[] = {
    FFT_OP(FFT, 1),        FFT_OP(FFT2D, 2),        FFT_OP(FFT3D, 3),
    FFT_OP(IFFT, 1),       FFT_OP(IFFT2D, 2),       FFT_OP(IFFT3D, 3),
    BATCH_OP(BatchFFT, 1), BATCH_OP(BatchFFT2D, 2), BATCH_OP(BatchFFT3D, 3),
    BATCH_OP(BatchIFFT, 1), BATCH_OP(BatchIFFT2D, 2), BATCH_OP(BatchIFFT3D, 3),
    REAL_OP(RFFT,    "Treal", "Tcomplex", 1 | FORWARD, SF_GRAD_FLOATS),
    REAL_OP(RFFT2D,  "Treal", "Tcomplex", 2 | FORWARD, SF_GRAD_FLOATS),
    REAL_OP(RFFT3D,  "Treal", "Tcomplex", 3 | FORWARD, SF_GRAD_MISSING),
    REAL_OP(IRFFT,   "Tcomplex", "Treal", 1, SF_GRAD_FLOATS),
    REAL_OP(IRFFT2D, "Tcomplex", "Treal", 2, SF_GRAD_FLOATS),
    REAL_OP(IRFFT3D, "Tcomplex", "Treal", 3, SF_GRAD_MISSING),
    ND_OP(FFTND,   "Tcomplex", "Tcomplex", "Tcomplex: {complex64, complex128} = complex64"),
    ND_OP(IFFTND,  "Tcomplex", "Tcomplex", "Tcomplex: {complex64, complex128} = complex64"),
    ND_OP(RFFTND,  "Treal",    "Tcomplex", TREAL),
    ND_OP(IRFFTND, "Tcomplex", "Treal",    TREAL),
};
/* clang-format on */
const SfOpTable sf_ops_spectral = {ops, SF_ARRAY_LEN(ops), "spectral"};
