"""Raw ops of Fourier transforms."""
from rawspec import op, t, v


def _axes(name):
    return int(name[-2]) if name.endswith("D") and name[-2] in "23" else 1


@op("FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D")
def transform(r, name):
    return dict(input=t(r.choice(("complex64", "complex128")), r.shape(_axes(name), 4)))


@op("BatchFFT", "BatchFFT2D", "BatchFFT3D", "BatchIFFT", "BatchIFFT2D", "BatchIFFT3D")
def batch_transform(r, name):
    return dict(input=t("complex64", r.shape(_axes(name), 4)))


@op("RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D")
def real_transform(r, name):
    n = _axes(name)
    forward = name.startswith("R")
    s = r.shape(n, 4)
    lengths = [r.randint(1, d) for d in s[-n:]] if r.flag() else list(s[-n:])
    if not forward:
        lengths[-1] = r.choice([2 * (s[-1] - 1) or 1, max(1, 2 * s[-1] - 3)])
    wide = r.flag()
    real, cplx = ("float64", "complex128") if wide else ("float32", "complex64")
    case = dict(input=t(real if forward else cplx, s), fft_length=v("int32", lengths))
    return dict(case, Tcomplex=cplx) if forward else dict(case, Treal=real)


@op("FFTND", "IFFTND", "RFFTND", "IRFFTND")
def nd(r, name):
    s = r.shape(1, 3)
    axes = sorted(r.sample(range(len(s)), r.randint(1, len(s))))
    real = name == "RFFTND"
    return dict(input=t("float32" if real else "complex64", s), axes=v("int32", axes),
                fft_length=v("int32", [s[a] for a in axes]))
