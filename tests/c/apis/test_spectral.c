/* Rows of Fourier transforms; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

static const SfOpCase fft[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "?", "?"),
    ROW("", "[]", "SF103 a"),
};
SF_OPS_TEST(fft, fft, "FFT", "IFFT")

/* Without a shape function: refused when it runs. */
static const SfOpCase batch_fft[] = {
    ROW("", "[n,3,4]", "[n,3,4]"),
    ROW("", "?", "?"),
    ROW("", "[2,3,4]", "[2,3,4]"),
    ROW("", "[]", "deferred SF103 a / ?"),
};
SF_OPS_TEST(batch_fft, batch_fft, "BatchFFT", "BatchIFFT")

static const SfOpCase fft2d[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "?", "?"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[3]", "SF103 a"),
};
SF_OPS_TEST(fft2d, fft2d, "FFT2D", "IFFT2D")

static const SfOpCase batch_fft2d[] = {
    ROW("", "[n,3,4]", "[n,3,4]"),
    ROW("", "?", "?"),
    ROW("", "[2,3,4]", "[2,3,4]"),
    ROW("", "[3]", "deferred SF103 a / ?"),
};
SF_OPS_TEST(batch_fft2d, batch_fft2d, "BatchFFT2D", "BatchIFFT2D")

static const SfOpCase fft3d[] = {
    ROW("", "[n,3,4]", "[n,3,4]"),
    ROW("", "?", "?"),
    ROW("", "[2,3,4]", "[2,3,4]"),
    ROW("", "[2,3]", "SF103 a"),
};
SF_OPS_TEST(fft3d, fft3d, "FFT3D", "IFFT3D")

static const SfOpCase batch_fft3d[] = {
    ROW("", "[n,3,4]", "[n,3,4]"),
    ROW("", "?", "?"),
    ROW("", "[2,3,4]", "[2,3,4]"),
    ROW("", "[2,3]", "deferred SF103 a / ?"),
};
SF_OPS_TEST(batch_fft3d, batch_fft3d, "BatchFFT3D", "BatchIFFT3D")

static const SfOpCase rfft[] = {
    ROW("", "[n,8] {8}", "[n,5]:complex64"),
    ROW("", "[2,8] {7}", "[2,4]"),
    ROW("", "[2,?] {0}", "[2,0]"),
    ROW("", "[2,8] [1]", "[2,?]"),
    ROW("", "? {8}", "?"),
    ROW("", "[2,8] [2]", "SF106 b.0"),
    ROW("", "[] {8}", "SF103 a"),
};
SF_OP_TEST(RFFT, rfft)

static const SfOpCase rfft2d[] = {
    ROW("", "[n,8,9] {8,9}", "[n,8,5]"),
    ROW("", "? ?", "?"),
    ROW("", "[2,8,9] {8,9}", "[2,8,5]"),
    ROW("", "[8] {8,9}", "SF103 a"),
};
SF_OP_TEST(RFFT2D, rfft2d)

static const SfOpCase rfft3d[] = {
    ROW("", "[n,7,8,9] {7,8,9}", "[n,7,8,5]"),
    ROW("", "? ?", "?"),
    ROW("", "[2,7,8,9] {7,8,9}", "[2,7,8,5]"),
    ROW("", "[8,9] {7,8,9}", "SF103 a"),
};
SF_OP_TEST(RFFT3D, rfft3d)

static const SfOpCase irfft[] = {
    ROW("", "[n,5] {8}", "[n,8]:float"),
    ROW("", "[2,5] {8}", "[2,8]"),
    ROW("", "[2,5] ?", "[2,?]"),
    ROW("", "[2,5] [2]", "SF106 b.0"),
};
SF_OP_TEST(IRFFT, irfft)

static const SfOpCase irfft2d[] = {
    ROW("", "[n,5,7] {5,12}", "[n,5,12]"),
    ROW("", "? ?", "?"),
    ROW("", "[2,5,7] {5,12}", "[2,5,12]"),
    ROW("", "[5] {5,12}", "SF103 a"),
};
SF_OP_TEST(IRFFT2D, irfft2d)

static const SfOpCase irfft3d[] = {
    ROW("", "[n,4,5,7] {4,5,12}", "[n,4,5,12]"),
    ROW("", "? ?", "?"),
    ROW("", "[2,4,5,7] {4,5,12}", "[2,4,5,12]"),
    ROW("", "[5,7] {4,5,12}", "SF103 a"),
    ROW("", "[3,2,3,3] {-2,3,10}", "SF130 b 'Dimension -2 must be >= 0'"),
};
SF_OP_TEST(IRFFT3D, irfft3d)

/* The axes that are transformed are known where the length is the axis's own. */
static const SfOpCase fftnd[] = {
    ROW("", "[n,3,4] {3,4} {1,2}", "[n,3,4]"), ROW("", "[n,3,4] {2,4} {1,-1}", "[n,?,4]"),
    ROW("", "[2,3] [1] [1]", "[?,?]"),         ROW("", "? {3} {0}", "?"),
    ROW("", "[] {3} {0}", "SF103 a"),
};
SF_OPS_TEST(fftnd, fftnd, "FFTND", "IFFTND")

static const SfOpCase rfftnd[] = {
    ROW("", "[n,3,4] {3,4} {1,2}", "[n,?,?]"),
    ROW("", "[2,3] [1] [1]", "[?,?]"),
    ROW("", "? {3} {0}", "?"),
    ROW("", "[] {3} {0}", "SF103 a"),
};
SF_OPS_TEST(rfftnd, rfftnd, "RFFTND", "IRFFTND")

static const SfOpCase irfft_kernel[] = {
    ROW("", "[2,2]:complex64 {10}",
        "deferred SF128 a.1 b 'Input dimension 1 must have length of at least 6 but got: 2' / "
        "[2,10]"),
    ROW("@phase=eager", "[2,4]:complex64 {-2}", "SF128 b 'fft_length[0] must >= 0, but got: -2'"),
    ROW("@phase=eager", "[2,4]:complex64 {1,1}", "SF128 b 'fft_length must have shape [1]'"),
    ROW("Treal=double", "[2,4]:complex64 {5}",
        "deferred SF128 a 'Wrong types for backward real FFT: in=8 out=2' / [2,5]"),
};
SF_OP_TEST(IRFFT, irfft_kernel)
