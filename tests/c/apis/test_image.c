/* Rows of image and sound ops; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define V8  "@version=1.8,"
#define V2  "@version=2.21,"
#define RUN "@phase=run,"

static const SfOpCase resize[] = {
    ROW("", "[2,8,8,3] {16,20}", "[2,16,20,3]"),
    ROW("", "[n,8,8,?] {h,20}", "[n,h,20,a.3]"),
    ROW("", "[2,8,8,3] [2]", "[2,?,?,3]"),
    ROW("", "[2,8,8,3] {0,20}", "deferred SF128 b / [2,0,20,3]"),
    ROW("", "? {16,-1}", "deferred SF128 b / [?,16,?,?]"),
    ROW("", "? ?", "[?,?,?,?]"),
    ROW("", "! {1,2}", "!"),
    ROW("", "[2,8,3] [2]", "SF102 a"),
    ROW("", "[2,8,8,3] {16,20,3}", "SF106 b.0"),
    ROW("", "[2,8,8,3] {{16,20}}", "SF102 b"),
    ROW(RUN, "[2,8,8,3] {0,20}", "SF128 b 'must be positive'"),
    ROW(RUN, "[2,8,3] {2,3}", "SF102 a 'input must be 4-dimensional[2,8,3]'"),
    ROW(RUN, "[2,8,8,3] [3]", "SF106 b.0 'shape_t must have two elements[3]'"),
};
SF_OPS_TEST(resize, resize, "ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor",
            "ResizeArea", "ResizeNearestNeighborGrad")

static const SfOpCase resize_grad[] = {
    ROW("", "[2,16,20,3] [2,8,8,3]", "[2,8,8,3]"),
    ROW("", "? [n,8,8,?]", "[?,8,8,?]"),
    ROW("", "? ?", "?"),
};
SF_OPS_TEST(resize_grad, resize_grad, "ResizeBilinearGrad", "ResizeBicubicGrad")

static const SfOpCase scale[] = {
    ROW("", "[2,16,20,3] {8,9} [2] [2]", "[2,8,9,3]"),
    ROW("", "[?,16,20,3] {8,9} [2] [2]", "[?,8,9,3]"),
    ROW("", "? ? ? ?", "[?,?,?,?]"),
    ROW("", "[2,16,20] {8,9} [2] [2]", "SF102 a"),
};
SF_OP_TEST(ScaleAndTranslate, scale)

static const SfOpCase projective[] = {
    ROW("interpolation='NEAREST'", "[2,8,8,3] [1,8] {4,5}", "[2,4,5,3]"),
    ROW("interpolation='NEAREST'", "? ? ?", "[?,?,?,?]"),
    ROW("interpolation='NEAREST'", "[n,8,8,3] [1,8] [2]", "[n,?,?,3]"),
    ROW("interpolation='NEAREST'", "[2,8,8] [1,8] {4,5}", "SF102 a"),
};
SF_OP_TEST(ImageProjectiveTransformV2, projective)

static const SfOpCase projective_v3[] = {
    ROW("interpolation='NEAREST'", "[2,8,8,3] [1,8] {4,5} []", "[2,4,5,3]"),
    ROW("interpolation='NEAREST'", "[?,8,8,3] [1,8] {4,5} []", "[?,4,5,3]"),
    ROW("interpolation='NEAREST'", "? ? ? ?", "[?,?,?,?]"),
    ROW("interpolation='NEAREST'", "[2,8,8] [1,8] {4,5} []", "SF102 a"),
};
SF_OP_TEST(ImageProjectiveTransformV3, projective_v3)

static const SfOpCase crop_resize[] = {
    ROW("", "[2,16,20,3] [5,4] [5] {7,8}", "[5,7,8,3]"),
    ROW("", "? [?,4] [n] {7,8}", "[n,7,8,?]"),
    ROW("", "[2,16,20,3] ? ? ?", "[?,?,?,3]"),
    ROW("", "[2,16,20,3] [5,4] [6] {7,8}", "SF101 b.0 c.0"),
    ROW("", "[2,16,20,3] [5,3] [5] {7,8}", "SF106 b.1"),
    ROW("", "[2,16,20] [5,4] [5] {7,8}", "SF102 a"),
    ROW("", "[2,16,20,3] [5,4] [5] {7,8,9}", "SF106 d.0"),
    ROW(RUN, "[2,16,20,3] [5,4] [6] {7,8}", "SF101 b.0 c.0 'box_index has incompatible shape'"),
};
SF_OP_TEST(CropAndResize, crop_resize)

static const SfOpCase crop_grad_image[] = {
    ROW("T=float", "[5,7,8,3] [5,4] [5] {2,16,20,3}", "[2,16,20,3]"),
    ROW("T=float", "[?,7,8,3] [5,4] [5] {2,16,20,3}", "[2,16,20,3]"),
    ROW("T=float", "[5,7,8,3] [5,4] [5] ?", "[?,?,?,?]"),
    ROW("T=float", "[5,7,8,3] [5,4] [5] {2,16,20}", "SF102 d"),
};
SF_OP_TEST(CropAndResizeGradImage, crop_grad_image)

static const SfOpCase crop_grad_boxes[] = {
    ROW("", "[5,7,8,3] [2,16,20,3] [5,4] [5]", "[5,4]"),
    ROW("", "[?,7,8,3] [2,16,20,3] [5,4] [5]", "[5,4]"),
    ROW("", "? ? ? ?", "?"),
};
SF_OP_TEST(CropAndResizeGradBoxes, crop_grad_boxes)

static const SfOpCase glimpse[] = {
    ROW("", "[2,16,20,3] {4,5} [2,2]", "[2,4,5,3]"),
    ROW("", "[n,16,20,3] [2] [?,2]", "[n,?,?,3]"),
    ROW("", "? ? ?", "[?,?,?,?]"),
    ROW("", "[2,16,20,3] {4,5} [3,2]", "SF101 a.0 c.0"),
    ROW("", "[2,16,20,3] {4,5} [2,3]", "SF106 c.1"),
    ROW("", "[2,16,20] {4,5} [2,2]", "SF102 a"),
    ROW("", "[2,16,20,3] {4,5,6} [2,2]", "SF106 b.0"),
};
SF_OPS_TEST(glimpse, glimpse, "ExtractGlimpse", "ExtractGlimpseV2")

static const SfOpCase decode[] = {
    ROW("", "[]", "[?,?,?]"),
    ROW("channels=3", "?", "[?,?,3]"),
    ROW("channels=-1", "[]", "SF128 @channels 'channels must be non-negative, got -1'"),
    ROW("", "[2]", "SF102 a"),
};
SF_OPS_TEST(decode, decode, "DecodeJpeg", "DecodePng", "DecodeBmp")

static const SfOpCase decode_bmp[] = {
    ROW(V2 "channels=1", "[]",
        "deferred SF129 @channels '`channels` must be 0, 3 or 4 for BMP, but got 1' / [?,?,1]"),
    ROW(V2 "channels=2", "[]",
        "deferred SF129 @channels '`channels` must be 0, 1, 3 or 4 but got 2' / [?,?,2]"),
    ROW(V2 "channels=4", "[]", "[?,?,4]"),
};
SF_OP_TEST(DecodeBmp, decode_bmp)

static const SfOpCase decode_image[] = {
    ROW("channels=3", "[]", "?"),
    ROW("channels=3", "?", "?"),
    ROW("channels=3,expand_animations=false,dtype=float", "[]", "[?,?,3]:float"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(DecodeImage, decode_image)

static const SfOpCase decode_gif[] = {
    ROW("", "[]", "[?,?,?,3]:uint8"),
    ROW("", "?", "[?,?,?,3]"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(DecodeGif, decode_gif)

static const SfOpCase decode_crop[] = {
    ROW("channels=3", "[] {1,2,30,40}", "[30,40,3]"),
    ROW("channels=3", "[] [?]", "[?,?,3]"),
    ROW("", "[] ?", "[?,?,?]"),
    ROW("", "[] [3]", "SF106 b.0"),
};
SF_OP_TEST(DecodeAndCropJpeg, decode_crop)

static const SfOpCase encode[] = {
    ROW("", "[8,8,3]", "[]"),
    ROW("", "[?,8,3]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[8,8]", "SF102 a"),
};
SF_OP_TEST(EncodeJpeg, encode)

static const SfOpCase encode_png[] = {
    ROW("", "[8,8,3]", "[]"), ROW("", "[2,8,8,3]", "SF102 a"), ROW(V2, "[n,8,8,3]", "[n]"),
    ROW(V2, "?", "?"),        ROW(V2, "[8,8]", "SF103 a"),
};
SF_OP_TEST(EncodePng, encode_png)

static const SfOpCase encode_quality[] = {
    ROW("", "[8,8,3] []", "[]"),
    ROW("", "[?,8,3] []", "[]"),
    ROW("", "? ?", "[]"),
    ROW("", "[8,8] []", "SF102 a"),
};
SF_OP_TEST(EncodeJpegVariableQuality, encode_quality)

static const SfOpCase jpeg_shape[] = {
    ROW("", "[]", "[3]:int32"),
    ROW("output_type=int64", "?", "[3]:int64"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(ExtractJpegShape, jpeg_shape)

static const SfOpCase contrast[] = {
    ROW("", "[n,8,8,3] []", "[n,8,8,3]"), ROW("", "? []", "?"),
    ROW("", "[8,3] []", "SF103 a"),       ROW("", "[8,8,3] [1]", "SF102 b"),
    ROW(V8, "[8,8,3] [1]", "[8,8,3]"),
};
SF_OP_TEST(AdjustContrastv2, contrast)

static const SfOpCase contrast_v1[] = {
    ROW("", "[n,8,8,3]:uint8 [] [] []", "[n,8,8,3]:float"),
    ROW("", "?:uint8 ? ? ?", "?"),
    ROW("", "[2,8,8,3]:uint8 [] [] []", "[2,8,8,3]"),
    ROW("", "[8,3] [] [] []", "SF103 a"),
};
SF_OP_TEST(AdjustContrast, contrast_v1)

static const SfOpCase adjust[] = {
    ROW("", "[8,8,3] []", "[8,8,3]"),
    ROW("", "[?,8,3] []", "[?,8,3]"),
    ROW("", "[8,8,4] []", "deferred SF106 a.2 / [8,8,4]"),
    ROW("", "? []", "?"),
    ROW("", "[8,4] []", "SF103 a"),
    ROW(RUN, "[8,8,4] []", "SF106 a.2 'input must have 3 channels but instead has 4 channels.'"),
};
SF_OPS_TEST(adjust, adjust, "AdjustHue", "AdjustSaturation")

static const SfOpCase colour[] = {
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[n,?]", "[n,3]"),
    ROW("", "?", "?"),
    ROW("", "[2,4]", "SF106 a.1"),
    ROW("", "[]", "SF103 a"),
    ROW(RUN, "[2,4]", "SF106 a.1 'input must have 3 channels but input only has 4 channels.'"),
};
SF_OPS_TEST(colour, colour, "RGBToHSV", "HSVToRGB")

static const SfOpCase nms[] = {
    ROW("", "[5,4] [5] []", "[?]:int32"), ROW("", "? ? ?", "[?]"),
    ROW("", "[?,4] [5] []", "[?]"),       ROW("", "[5,4] [6] []", "SF101 a.0 b.0"),
    ROW("", "[5,3] [5] []", "SF106 a.1"), ROW("", "[5] [5] []", "SF102 a"),
};
SF_OP_TEST(NonMaxSuppression, nms)

static const SfOpCase nms_v2[] = {
    ROW("", "[5,4] [5] 3 []", "[?]"),
    ROW("", "[?,4] [5] 3 []", "[?]"),
    ROW("", "? ? ? ?", "[?]"),
    ROW("", "[5,4] [5] 3 [1]", "SF102 d"),
};
SF_OP_TEST(NonMaxSuppressionV2, nms_v2)

static const SfOpCase nms_v3[] = {
    ROW("", "[5,4] [5] 3 [] []", "[?]"),
    ROW("", "[?,4] [5] 3 [] []", "[?]"),
    ROW("", "? ? ? ? ?", "[?]"),
    ROW("", "[5,4] [5] 3 [1] []", "SF102 d"),
};
SF_OP_TEST(NonMaxSuppressionV3, nms_v3)

static const SfOpCase nms_v4[] = {
    ROW("", "[5,4] [5] 3 [] []", "[?] []"),
    ROW("", "[?,4] [5] 3 [] []", "[?] []"),
    ROW("", "? ? ? ? ?", "[?] []"),
    ROW("pad_to_max_output_size=true", "[5,4] [5] 3 [] []", "[3] []"),
    ROW("", "[5,4] [6] 3 [] []", "SF101 a.0 b.0"),
};
SF_OP_TEST(NonMaxSuppressionV4, nms_v4)

static const SfOpCase nms_v5[] = {
    ROW("pad_to_max_output_size=true", "[5,4] [5] 3 [] [] []", "[3] [3] []"),
    ROW("pad_to_max_output_size=true", "[?,4] [5] 3 [] [] []", "[3] [3] []"),
    ROW("", "? ? ? ? ? ?", "[?] [?] []"),
    ROW("", "[5,4] [6] 3 [] [] []", "SF101 a.0 b.0"),
    ROW("@version=2.21", "[4,4] [4] 6 0.5 0.0 -1.0",
        "deferred SF129 f 'soft_nms_sigma_val must be >= 0' / [?] [?] []"),
};
SF_OP_TEST(NonMaxSuppressionV5, nms_v5)

static const SfOpCase nms_overlaps[] = {
    ROW("", "[5,5] [5] 3 [] []", "[?]"),
    ROW("", "[?,5] [5] 3 [] []", "[?]"),
    ROW("", "? ? ? ? ?", "[?]"),
    ROW("", "[5,6] [5] 3 [] []", "SF101 a.0 a.1"),
};
SF_OP_TEST(NonMaxSuppressionWithOverlaps, nms_overlaps)

static const SfOpCase nms_combined[] = {
    ROW("", "[2,5,1,4] [2,5,7] 3 10 [] []", "[2,10,4] [2,10] [2,10] [2]"),
    ROW("", "[2,?,1,4] [2,5,7] 3 10 [] []", "[2,10,4] [2,10] [2,10] [2]"),
    ROW("pad_per_class=true", "[2,5,1,4] [2,5,3] 3 10 [] []", "[2,9,4] [2,9] [2,9] [2]"),
    ROW("", "? ? ? ? ? ?", "[?,?,4] [?,?] [?,?] [?]"),
    ROW("", "[2,5,1,4] [3,5,7] 3 10 [] []", "SF101 a.0 b.0"),
    ROW("@version=2.21,pad_per_class=true", "[2,5,1,4] [2,5,3] 0 10 [] []",
        "SF128 c @pad_per_class 'max_output_size_per_class must be > 0'"),
    ROW("@version=2.21", "[2,5,1,4] [2,5,3] 1 0 [] []", "SF128 d 'max_total_size should be > 0'"),
};
SF_OP_TEST(CombinedNonMaxSuppression, nms_combined)

static const SfOpCase draw_boxes[] = {
    ROW("", "[2,8,8,3] [2,5,4]", "[2,8,8,3]"),
    ROW("", "[?,8,8,3] [2,5,4]", "[?,8,8,3]"),
    ROW("", "? ?", "?"),
    ROW("", "[2,8,8,2] [2,5,4]", "SF128 a.3 'Channel depth should be either 1 (GRY)'"),
    ROW("", "[2,8,8,3] [2,5,3]", "SF106 b.2"),
    ROW(V8, "[2,8,8,2] [2,5,3]", "[2,8,8,2]"),
};
SF_OP_TEST(DrawBoundingBoxes, draw_boxes)

static const SfOpCase draw_boxes_v2[] = {
    ROW("", "[2,8,8,3] [2,5,4] [6,4]", "[2,8,8,3]"),
    ROW("", "[?,8,8,3] [2,5,4] [6,4]", "[?,8,8,3]"),
    ROW("", "? ? ?", "?"),
    ROW("", "[8,8] [2,5,4] [6,4]", "SF103 a"),
};
SF_OP_TEST(DrawBoundingBoxesV2, draw_boxes_v2)

static const SfOpCase sample_box[] = {
    ROW("T=int32", "[3] [1,5,4]", "[3] [3] [1,1,4]:float"),
    ROW("T=int32", "[?] [1,5,4]", "[3] [3] [1,1,4]"),
    ROW("T=int32", "? ?", "[3] [3] [1,1,4]"),
    ROW("T=int32", "[2] [1,5,4]", "SF106 a.0"),
};
SF_OP_TEST(SampleDistortedBoundingBox, sample_box)

static const SfOpCase sample_box_v2[] = {
    ROW("T=int32", "[3] [1,5,4] []", "[3] [3] [1,1,4]"),
    ROW("T=int32", "[?] [1,5,4] []", "[3] [3] [1,1,4]"),
    ROW("T=int32", "? ? ?", "[3] [3] [1,1,4]"),
    ROW("T=int32", "[3] [1,5,3] []", "SF106 b.2"),
    ROW("T=int32,@phase=eager", "{20,0,3} [1,5,4] []", "[3] [3] [1,1,4]"),
    ROW("T=int32,@phase=eager", "{-1,20,3} [1,5,4] []",
        "SF129 a 'image height cannot be >= int32 max'"),
    ROW("T=int32", "{20,-1,3} [1,5,4] []",
        "deferred SF129 a 'image width cannot be >= int32 max' / [3] [3] [1,1,4]"),
};
SF_OP_TEST(SampleDistortedBoundingBoxV2, sample_box_v2)

static const SfOpCase sample_box_stateless[] = {
    ROW("T=int32,Tseed=int32", "[3] [1,5,4] [] [2]", "[3] [3] [1,1,4]"),
    ROW("T=int32,Tseed=int32", "[?] [1,5,4] [] [2]", "[3] [3] [1,1,4]"),
    ROW("T=int32,Tseed=int32", "? ? ? ?", "[3] [3] [1,1,4]"),
    ROW("T=int32,Tseed=int32", "[3] [5,4] [] [2]", "SF102 b"),
};
SF_OP_TEST(StatelessSampleDistortedBoundingBox, sample_box_stateless)

static const SfOpCase decode_wav[] = {
    ROW("", "[]", "[?,?] []:int32"),
    ROW("desired_channels=2,desired_samples=7", "?", "[7,2] []"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(DecodeWav, decode_wav)

static const SfOpCase encode_wav[] = {
    ROW("", "[7,2] []", "[]"),
    ROW("", "[?,2] []", "[]"),
    ROW("", "? ?", "[]"),
    ROW("", "[7] []", "SF102 a"),
};
SF_OP_TEST(EncodeWav, encode_wav)

static const SfOpCase spectrogram[] = {
    ROW("window_size=100,stride=10", "[1000,2]", "[2,91,65]"),
    ROW("window_size=100,stride=10", "[?,c]", "[c,?,65]"),
    ROW("window_size=100,stride=10", "[10,2]", "[2,0,65]"),
    ROW("window_size=100,stride=10", "?", "[?,?,65]"),
    ROW("window_size=100,stride=10", "[10]", "SF102 a"),
};
SF_OP_TEST(AudioSpectrogram, spectrogram)

static const SfOpCase mfcc[] = {
    ROW("", "[2,50,65] []", "[2,50,13]"),
    ROW("", "? ?", "[?,?,13]"),
    ROW("dct_coefficient_count=7", "[?,n,65] []", "[a.0,n,7]"),
    ROW("", "[2,50] []", "SF102 a"),
};
SF_OP_TEST(Mfcc, mfcc)

#define EAGER V2 "@phase=eager,"
static const SfOpCase decode_jxl[] = {
    ROW(V2, "[]", "[?,?,?]"),
    ROW(V2 "channels=3", "?", "[?,?,3]"),
    ROW(V2, "[2]", "SF102 a"),
    ROW(V2 "channels=-1", "[]", "SF128 @channels 'channels must be non-negative, got -1'"),
    ROW(V2 "channels=5", "[]",
        "deferred SF129 @channels '`channels` must be 0, 1, 3 or 4 but got 5' / [?,?,5]"),
    ROW(EAGER, "[2]", "SF102 a '`contents` must be scalar but got shape[2]'"),
};
SF_OP_TEST(DecodeJxl, decode_jxl)

static const SfOpCase decode_webp[] = {
    ROW(V2, "[]", "[?,?,?,?]"),
    ROW(V2 "channels=3", "?", "[?,?,?,3]"),
    ROW(V2, "[2]", "SF102 a"),
};
SF_OP_TEST(DecodeWebP, decode_webp)

static const SfOpCase scale_grad[] = {
    ROW(V2, "[2,5,6,3] [2,7,8,3] [2] [2]", "[2,7,8,3]"),
    ROW(V2, "[n,5,6,3] [n,?,8,3] [2] [2]", "[n,b.1,8,3]"),
    ROW(V2, "? ? ? ?", "?"),
    /* as the kernel does */
    ROW(V2, "[2,5,6,4] [2,7,8,3] [2] [2]", "[2,7,8,4]"),
    ROW(V2, "[9] [2,7,8,3] [2] [2]",
        "deferred SF102 a 'input_grad must be 4-dimensional[9]' / [2,7,8,3]"),
    ROW(EAGER, "[2,5,6,3] [2,7,8,3] [9] [2]", "SF106 c.0 't must have two elements[9]'"),
    ROW(V2 "kernel_type='x'", "[2,5,6,3] [2,7,8,3] [2] [2]",
        "deferred SF129 @kernel_type 'Unrecognized kernel type: x' / [2,7,8,3]"),
};
SF_OP_TEST(ScaleAndTranslateGrad, scale_grad)

static const SfOpCase proposals[] = {
    ROW(V2, "[2,5,6,3] [2,5,6,12] [2,5] [5,6,12] [] [] []", "[2,300,4] [2,300]"),
    ROW(V2 "post_nms_topn=7", "[n,5,6,3] ? ? ? ? ? ?", "[n,7,4] [n,7]"),
    ROW(V2, "? ? ? ? ? ? ?", "[?,300,4] [?,300]"),
    ROW(V2, "[9] ? ? ? ? ? ?", "SF102 a"),
    ROW(V2, "? ? [2,6] ? ? ? ?", "SF106 c.1"),
    ROW(V2 "post_nms_topn=-2", "? ? ? ? ? ? ?", "SF128 @post_nms_topn 'Dimension -2 must be >= 0'"),
};
SF_OP_TEST(GenerateBoundingBoxProposals, proposals)

/* What kernels refuse, in their words. */
static const SfOpCase crop_grads[] = {
    ROW(V2, "[4,2,3,3] [2,5,6,3] [4,4] {0,1,0,1}", "[4,4]"),
    ROW(V2, "[5,2,3,3] [2,5,6,3] [4,4] {0,1,0,1}",
        "deferred SF101 a.0 c 'boxes and grads have incompatible shape' / [4,4]"),
    ROW(EAGER, "[4,2,3,4] [2,5,6,3] [4,4] {0,1,0,1}", "SF101 a.3 b 'image, grads depth differ'"),
};
SF_OP_TEST(CropAndResizeGradBoxes, crop_grads)

static const SfOpCase draw_kernel[] = {
    ROW(V2, "[2,5,6,3] [3,3,4]",
        "deferred SF101 a.0 b.0 'The batch sizes should be the same' / [2,5,6,3]"),
    ROW(EAGER, "[2,5,6,3] [2,3,5]",
        "SF106 b.2 'The size of the third dimension of the box must be 4. Received: 5'"),
};
SF_OP_TEST(DrawBoundingBoxes, draw_kernel)

static const SfOpCase suppression_kernel[] = {
    ROW(EAGER, "[4,4] [5] 2 0.5",
        "SF101 'scores has incompatible shape (Dimensions must be equal, but are 4 and 5)'"),
    ROW(EAGER, "[4,5] [4] 2 0.5",
        "SF106 'boxes must have 4 columns (Dimension must be 4 but is 5)'"),
    ROW(V2, "[4,4] [4] -1 0.5", "deferred SF129 c 'output size must be non-negative' / [?]"),
    ROW(V2, "[4,4] [4] 2 1.5", "deferred SF129 d 'iou_threshold must be in [0, 1]' / [?]"),
};
SF_OP_TEST(NonMaxSuppressionV2, suppression_kernel)
