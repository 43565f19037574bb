"""Raw ops of images, boxes and sound."""
import struct

from rawspec import op, out, t, v

GIF = bytes.fromhex("47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b")


def picture(r, depth=None):
    return [r.dim(), r.dim() + 1, r.dim() + 1, r.dim() if depth is None else depth]


def size(r):
    return v("int32", [r.dim(), r.dim()])


def corners(r):
    align = r.flag()
    return dict(align_corners=align, half_pixel_centers=not align and r.flag())


@op("ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor")
def resize(r, name):
    return dict(images=t(r.choice(("float32", "uint8", "float64")), picture(r), 0, 9), size=size(r), **corners(r))


@op("ResizeArea")
def resize_area(r, name):
    return dict(images=t("float32", picture(r)), size=size(r), align_corners=r.flag())


@op("ResizeBilinearGrad", "ResizeBicubicGrad")
def resize_grad(r, name):
    shape = picture(r)
    return dict(grads=t("float32", [shape[0], r.dim(), r.dim(), shape[3]]), original_image=t("float32", shape),
                **corners(r))


@op("ResizeNearestNeighborGrad")
def nearest_grad(r, name):
    return dict(grads=t("float32", picture(r)), size=size(r), **corners(r))


@op("ScaleAndTranslate", "ScaleAndTranslateGrad")
def scale(r, name):
    shape = picture(r)
    args = dict(scale=t("float32", [2], 1, 2), translation=t("float32", [2]),
                kernel_type=r.choice(("lanczos3", "gaussian", "box")), antialias=r.flag())
    if name.endswith("Grad"):
        return dict(grads=t("float32", [shape[0], r.dim(), r.dim(), shape[3]]), original_image=t("float32", shape),
                    **args)
    return dict(images=t("float32", shape), size=size(r), **args)


@op("ImageProjectiveTransformV2", "ImageProjectiveTransformV3")
def projective(r, name):
    shape = picture(r)
    args = dict(images=t("float32", shape), transforms=t("float32", [r.choice((1, shape[0])), 8]),
                output_shape=size(r), interpolation=r.choice(("NEAREST", "BILINEAR")), fill_mode="CONSTANT")
    if name.endswith("V3"):
        args["fill_value"] = t("float32", [])
    return args


def boxes(r, batch):
    n = r.dim()
    return dict(boxes=t("float32", [n, 4]), box_ind=v("int32", [r.randrange(batch) for _ in range(n)])), n


@op("CropAndResize", "CropAndResizeGradImage", "CropAndResizeGradBoxes")
def crop(r, name):
    shape = picture(r)
    some, n = boxes(r, shape[0])
    method = dict(method="bilinear" if name.endswith("Boxes") else r.choice(("bilinear", "nearest")))
    if name == "CropAndResize":
        return dict(image=t("float32", shape), **some, crop_size=size(r), **method)
    grads = t("float32", [n, r.dim(), r.dim(), shape[3]])
    if name.endswith("Boxes"):
        return dict(grads=grads, image=t("float32", shape), **some, **method)
    return dict(grads=grads, **some, image_size=v("int32", shape), T="float32", **method)


@op("ExtractGlimpse", "ExtractGlimpseV2")
def glimpse(r, name):
    shape = picture(r)
    return dict(input=t("float32", shape), size=size(r), offsets=t("float32", [shape[0], 2]), centered=r.flag(),
                normalized=r.flag(), uniform_noise=True, noise="uniform")


def shot(r, dtype="uint8", depth=None):
    return t(dtype, [r.dim(), r.dim(), r.choice((1, 3)) if depth is None else depth], 0, 200)


@op("DecodeJpeg", "DecodeAndCropJpeg", "ExtractJpegShape")
def decode_jpeg(r, name):
    image = t("uint8", [8, 9, 3], 0, 200)
    contents = out("EncodeJpeg", image=image)
    if name == "ExtractJpegShape":
        return dict(contents=contents, output_type=r.choice(("int32", "int64")))
    args = dict(channels=r.choice((0, 1, 3)), ratio=1, dct_method="")
    if name == "DecodeAndCropJpeg":
        args["crop_window"] = v("int32", [r.randint(0, 2), r.randint(0, 2), r.randint(1, 4), r.randint(1, 4)])
    return dict(contents=contents, **args)


@op("DecodePng", "DecodeImage")
def decode_png(r, name):
    args = dict(channels=r.choice((0, 1, 3)), dtype=r.choice(("uint8", "uint16")))
    if name == "DecodeImage":
        args["expand_animations"] = r.flag()
    return dict(contents=out("EncodePng", image=shot(r)), **args)


@op("DecodeGif")
def decode_gif(r, name):
    return dict(contents=v("string", GIF))


@op("DecodeBmp")
def decode_bmp(r, name):
    pixels = bytes(8)
    header = struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + 8, 0, 0, 54, 40, 2, 1, 1, 24, 0, 8, 0, 0, 0, 0)
    return dict(contents=v("string", header + pixels), channels=r.choice((0, 3)))


@op("DecodeJxl", "DecodeWebP")
def decode_new(r, name):
    return dict(contents=t("string", []), channels=r.choice((0, 1, 3, 4)), dtype="uint8")


@op("EncodeJpeg", "EncodeJpegVariableQuality", "EncodePng")
def encode(r, name):
    if name == "EncodePng":
        depth = r.choice((1, 2, 3, 4))
        lead = [r.dim() for _ in range(r.choice((0, 0, 1, 2)))]
        return dict(image=t(r.choice(("uint8", "uint16")), [*lead, r.dim(), r.dim(), depth], 0, 200),
                    compression=r.choice((-1, 3)))
    if name == "EncodeJpeg":
        return dict(image=shot(r), quality=90, format="")
    return dict(images=shot(r), quality=v("int32", r.randint(1, 99)))


@op("AdjustContrast")
def contrast_v1(r, name):
    return dict(images=t(r.choice(("float32", "uint8")), [*r.shape(0, 2), *picture(r)[1:]], 0, 9),
                contrast_factor=t("float32", []), min_value=t("float32", []), max_value=t("float32", []))


@op("AdjustContrastv2", "AdjustHue", "AdjustSaturation")
def adjust(r, name):
    shape = [*r.shape(0, 2), r.dim(), r.dim(), r.dim() if name == "AdjustContrastv2" else 3]
    factor = {"AdjustContrastv2": "contrast_factor", "AdjustHue": "delta", "AdjustSaturation": "scale"}[name]
    return dict(images=t("float32", shape), **{factor: t("float32", [])})


@op("RGBToHSV", "HSVToRGB")
def colour(r, name):
    return dict(images=t("float32", [*r.shape(0, 3), 3]))


@op("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5")
def suppression(r, name):
    n, most = r.dim(), r.dim()
    args = dict(boxes=t("float32", [n, 4]), scores=t("float32", [n]), max_output_size=v("int32", most))
    if name == "NonMaxSuppression":
        return dict(**args, iou_threshold=0.5)
    args["iou_threshold"] = v("float32", 0.5)
    if name[-1] >= "3":
        args["score_threshold"] = v("float32", 0.0)
    if name[-1] == "5":
        args["soft_nms_sigma"] = v("float32", 0.0)
    if name[-1] >= "4":
        args["pad_to_max_output_size"] = r.flag()
    return args


@op("NonMaxSuppressionWithOverlaps")
def overlaps(r, name):
    n = r.dim()
    return dict(overlaps=t("float32", [n, n]), scores=t("float32", [n]), max_output_size=v("int32", r.dim()),
                overlap_threshold=v("float32", 0.5), score_threshold=v("float32", 0.0))


@op("CombinedNonMaxSuppression")
def combined(r, name):
    batch, n, classes = r.dim(), r.dim(), r.dim()
    q = r.choice((1, classes))
    return dict(boxes=t("float32", [batch, n, q, 4]), scores=t("float32", [batch, n, classes]),
                max_output_size_per_class=v("int32", r.dim()), max_total_size=v("int32", r.dim()),
                iou_threshold=v("float32", 0.5), score_threshold=v("float32", 0.0), pad_per_class=r.flag(),
                clip_boxes=r.flag())


@op("DrawBoundingBoxes", "DrawBoundingBoxesV2")
def draw(r, name):
    shape = picture(r, r.choice((1, 3, 4)))
    args = dict(images=t("float32", shape), boxes=t("float32", [shape[0], r.dim(), 4], 0, 1))
    if name.endswith("V2"):
        args["colors"] = t("float32", [r.dim(), shape[3]])
    return args


@op("SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2", "StatelessSampleDistortedBoundingBox")
def sample(r, name):
    args = dict(image_size=v(r.choice(("int32", "int64", "uint8")), [20, 30, 3]),
                bounding_boxes=v("float32", [[[0.1, 0.1, 0.9, 0.9]] * r.choice((1, 2))]),
                aspect_ratio_range=[0.75, 1.33], area_range=[0.05, 1.0], max_attempts=10,
                use_image_if_no_bounding_boxes=True)
    if name == "SampleDistortedBoundingBox":
        args["min_object_covered"] = 0.1
    else:
        args["min_object_covered"] = v("float32", 0.1)
    if name[:4] == "Stat":
        args["seed"] = v(r.choice(("int32", "int64")), [1, 2])
    return args


@op("GenerateBoundingBoxProposals")
def proposals(r, name):
    b, h, w, a = r.dim(), r.dim(), r.dim(), r.dim()
    return dict(scores=t("float32", [b, h, w, a]), bbox_deltas=t("float32", [b, h, w, 4 * a]),
                image_info=t("float32", [b, 5]), anchors=t("float32", [h, w, 4 * a]), nms_threshold=v("float32", 0.5),
                pre_nms_topn=v("int32", 9), min_size=v("float32", 1.0), post_nms_topn=r.choice((5, 300)))


@op("EncodeWav", "DecodeWav")
def wav(r, name):
    samples, channels = r.dim(), r.choice((1, 2))
    encoded = dict(audio=t("float32", [samples, channels]), sample_rate=v("int32", 8000))
    if name == "EncodeWav":
        return encoded
    return dict(contents=out("EncodeWav", **encoded), desired_channels=r.choice((-1, 1, 2)),
                desired_samples=r.choice((-1, 3)))


@op("AudioSpectrogram")
def spectrogram(r, name):
    return dict(input=t("float32", [r.choice((5, 20, 64)), r.choice((1, 2))]), window_size=r.choice((4, 7, 16)),
                stride=r.choice((1, 3, 8)), magnitude_squared=r.flag())


@op("Mfcc")
def mfcc(r, name):
    return dict(spectrogram=t("float32", [r.choice((1, 2)), r.dim(), 257], 0, 1), sample_rate=v("int32", 16000),
                upper_frequency_limit=4000.0, lower_frequency_limit=20.0, filterbank_channel_count=40,
                dct_coefficient_count=r.choice((13, 20)))
