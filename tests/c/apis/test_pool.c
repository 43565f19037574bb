/* Rows of the poolings; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define K2  "ksize=[1,2,2,1],strides=[1,2,2,1],"
#define K3  "ksize=[1,2,2,2,1],strides=[1,2,2,2,1],"
#define RUN "@phase=run,"

static const SfOpCase max_pool[] = {
    ROW(K2 "padding=SAME", "[2,27,28,3]", "[2,14,14,3]"),
    ROW(K2 "padding=VALID", "[2,27,28,3]", "[2,13,14,3]"),
    ROW(K2 "padding=VALID", "[n,28,28,?]", "[n,14,14,a.3]"),
    ROW("ksize=[1,3,3,1],strides=[1,1,1,1],padding=SAME", "[n,h,w,3]", "[n,h,w,3]"),
    ROW(K2 "padding=VALID", "?", "[?,?,?,?]"),
    ROW(K2 "padding=VALID", "!", "!"),
    ROW("ksize=[1,0,2,1],strides=[1,2,2,1],padding=VALID", "[2,28,28,3]", "[2,15,14,3]"),
    ROW("ksize=[1,1,1,2],strides=[1,1,1,2],padding=VALID", "[2,28,28,4]", "[2,28,28,2]"),
    ROW("ksize=[2,1,1,1],strides=[2,1,1,1],padding=VALID", "[2,28,28,4]",
        "deferred SF131 @ksize @strides / [2,28,28,4]"),
    ROW("ksize=[1,2,1,2],strides=[1,1,1,2],padding=VALID", "[2,28,28,4]",
        "deferred SF131 @ksize / [2,27,28,2]"),
    ROW(RUN "ksize=[1,1,1,2],strides=[1,1,1,2],padding=VALID", "[2,28,28,3]",
        "SF131 a.3 @ksize 'requires the depth window to evenly divide the input depth'"),
    ROW(RUN "ksize=[1,1,1,2],strides=[1,1,1,1],padding=SAME", "[2,28,28,4]",
        "SF131 @ksize @strides 'requires the depth window to equal the depth stride'"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW", "[2,3,28,28]",
        "[2,3,14,14]"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW_VECT_C", "[2,3,28,28,4]",
        "[2,3,14,14,4]"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW_VECT_C", "[2,3,28,28]",
        "SF102 a"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW_VECT_C", "?",
        "[?,?,?,?,4]"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW_VECT_C", "[2,3,2,2,7]",
        "SF106 a.4"),
    ROW("@version=2.21,ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW_VECT_C",
        "[2,3,2,2,7]", "SF128 a.4 'VECT_C dimension must be 4 or 32, but is 7'"),
    ROW(K2 "padding=EXPLICIT,explicit_paddings=[0,0,1,0,1,1,0,0]", "[2,28,28,3]", "[2,14,15,3]"),
    ROW(K2 "padding=EXPLICIT", "[2,28,28,3]", "SF128 @explicit_paddings"),
    ROW(K2 "padding=SAME,explicit_paddings=[0,0,2,0,1,1,0,0]", "[2,28,28,3]",
        "SF128 @explicit_paddings"),
    ROW(K2 "padding=SAME", "[2,28,28]", "SF102 a"),
    ROW(RUN K2 "padding=SAME", "[2,28,28]",
        "SF102 a 'tensor_in_shape must have 2 spatial dimensions. 3 0'"),
    ROW("ksize=[1,3,2,1],strides=[1,2,2,1],padding=VALID", "[2,2,28,?]",
        "SF110 a.1 @ksize 'Negative dimension size caused by subtracting 3 from 2'"),
    ROW(RUN "ksize=[1,3,2,1],strides=[1,2,2,1],padding=VALID", "[2,2,28,3]", "[2,0,14,3]"),
    ROW(RUN "ksize=[1,4,2,1],strides=[1,1,2,1],padding=VALID", "[2,2,28,3]",
        "SF110 a.1 @ksize 'Computed output size would be negative: -1'"),
    ROW("ksize=[1,2,2,1],strides=[1,0,2,1],padding=SAME", "[2,28,28,3]",
        "SF128 @strides a.1 'Stride must be > 0, but got 0'"),
    /* a kernel whose window is one channel never reads that stride */
    ROW(RUN "ksize=[1,2,2,1],strides=[1,2,2,-1],padding=SAME", "[2,28,28,3]", "[2,14,14,3]"),
    ROW(RUN "ksize=[1,2,2,1],strides=[1,2,2,2],padding=SAME", "[2,28,28,3]", "[2,14,14,3]"),
    ROW("ksize=[1,2,2,1],strides=[1,2,2,-1],padding=SAME", "[2,28,28,3]",
        "SF128 @strides a.3 'Stride must be > 0, but got -1'"),
    ROW("ksize=[1,2,2,1,1],strides=[1,1,2,1],padding=SAME", "[2,28,28,3]",
        "SF128 @ksize 'MaxPool requires the ksize attribute to contain 4 values, but got: 5'"),
    ROW("ksize=[1,2,2,1],strides=[1,1,2,1,1],padding=SAME", "[2,28,28,3]",
        "SF128 @strides 'MaxPool requires the stride attribute to contain 4 values, but got: 5'"),
    ROW(K2 "padding=VALID", "[1,4,4,3]", "[1,2,2,3] cost 48"),
};
SF_OP_TEST(MaxPool, max_pool)

static const SfOpCase max_pool_v2[] = {
    ROW("padding=SAME", "[2,28,28,3] {1,2,2,1} {1,2,2,1}", "[2,14,14,3]"),
    ROW("padding=SAME", "[?,28,28,3] {1,2,2,1} {1,2,2,1}", "[?,14,14,3]"),
    ROW("padding=SAME,data_format=NCHW", "[2,3,28,28] {1,1,2,2} {1,1,2,2}", "[2,3,14,14]"),
    ROW("padding=SAME", "[2,28,28,3] [4] {1,2,2,1}", "?"),
    ROW(RUN "padding=SAME", "[2,28,28,3] [4] {1,2,2,1}", "[?,?,?,?]"),
    ROW("padding=SAME", "? {1,2,2,1} {1,2,2,1}", "[?,?,?,?]"),
    ROW("padding=SAME", "? ? ?", "?"),
    ROW("padding=SAME", "[2,28,28,3] {1,2,2} [4]", "SF106 b.0"),
    ROW(RUN "padding=SAME", "[2,28,28,3] {1,2,2,1} {1,2,2,0}", "[2,14,14,3]"),
    ROW(RUN "padding=SAME", "[2,28,28,3] {{1,2},{2,1}} {1,2,2,1}", "[2,14,14,3]"),
    ROW(RUN "padding=SAME", "[2,28,28,3] {1,2,2,1} {1,2,2,1,1}",
        "SF129 c 'Sliding window strides field must specify 4 dimensions'"),
    ROW("padding=SAME", "[2,28,28] ? ?", "SF102 a"),
};
SF_OP_TEST(MaxPoolV2, max_pool_v2)

static const SfOpCase avg_pool[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3]", "[2,14,14,3]"),
    ROW("ksize=[1,1,1,2],strides=[1,1,1,2],padding=SAME", "[2,28,28,4]",
        "deferred SF131 @ksize / [2,28,28,4]"),
    ROW("ksize=[1,7,7,1],strides=[1,1,1,1],padding=VALID", "[n,7,7,512]", "[n,1,1,512]"),
    ROW("ksize=[1,1,2,2],strides=[1,1,2,2],padding=VALID,data_format=NCHW", "[2,?,28,28]",
        "[2,a.1,14,14]"),
    ROW(K2 "padding=SAME", "?", "[?,?,?,?]"),
    ROW("ksize=[1,3,2,1],strides=[1,2,2,1],padding=VALID", "[2,2,28,?]", "SF110 a.1 @ksize"),
    ROW(K2 "padding=SAME", "[2,28,28]", "SF102 a"),
    ROW("ksize=[1,1,1,1,1],strides=[1,1,1,2],padding=SAME", "[2,28,28,4]",
        "SF128 @ksize 'AvgPool requires the ksize attribute to contain 4 values, but got: 5'"),
};
SF_OP_TEST(AvgPool, avg_pool)

static const SfOpCase pool_3d[] = {
    ROW(K3 "padding=VALID", "[2,8,28,28,3]", "[2,4,14,14,3]"),
    ROW(K3 "padding=SAME", "[n,?,28,29,c]", "[n,?,14,15,c]"),
    ROW("ksize=[1,1,2,2,2],strides=[1,1,2,2,2],padding=SAME,data_format=NCDHW", "[2,3,8,28,28]",
        "[2,3,4,14,14]"),
    ROW(K3 "padding=VALID", "?", "[?,?,?,?,?]"),
    ROW(K3 "padding=VALID", "[2,8,28,28]", "SF102 a"),
    ROW("ksize=[1,2,2,2,2],strides=[1,2,2,2,1],padding=SAME", "[2,8,8,8,4]",
        "deferred SF131 @ksize @strides / [2,4,4,4,4]"),
    ROW(RUN K3 "padding=VALID", "[2,8,28,28]", "SF102 a 'tensor_in must be 5-dimensional'"),
    ROW(K3 "padding=VALID", "[2,1,28,28,3]", "SF110 a.1 @ksize"),
    ROW("ksize=[1,1,1,1,1,1],strides=[1,1,1,1,1],padding=VALID", "[2,8,28,28,4]",
        "SF128 @ksize 'Pool3D requires the ksize attribute to contain 5 values, but got: 6'"),
};
SF_OPS_TEST(pool_3d, pool_3d, "MaxPool3D", "AvgPool3D")

static const SfOpCase max_pool_argmax[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3]", "[2,14,14,3] [2,14,14,3]:int64"),
    ROW(K2 "padding=SAME,Targmax=int32", "[n,28,28,3]", "[n,14,14,3] [n,14,14,3]:int32"),
    ROW(K2 "padding=SAME", "?", "[?,?,?,?] [?,?,?,?]"),
    ROW(K2 "padding=SAME", "[2,28,28]", "SF102 a"),
};
SF_OP_TEST(MaxPoolWithArgmax, max_pool_argmax)

#define RATIO "pooling_ratio=[1.0,1.44,1.73,1.0]"
static const SfOpCase fractional[] = {
    ROW(RATIO, "[2,28,28,3]", "[2,19,16,3] [20] [17]"),
    ROW(RUN RATIO, "[2,28,28,3]", "[2,19,16,3] [20] [17]"),
    ROW(RATIO, "[n,28,?,3]", "[n,19,?,3] [20] [?]"),
    ROW(RATIO, "?", "[?,?,?,?] [?] [?]"),
    ROW(RATIO, "[2,28,28]", "SF102 a"),
    ROW("pooling_ratio=[1.0,1.44,1.73,1.0,1.0]", "[2,28,28,3]",
        "SF128 @pooling_ratio 'pooling_ratio field must specify 4 dimensions'"),
    ROW("pooling_ratio=[1.0,0.5,1.0,1.0]", "[2,28,28,3]", "[2,56,28,3] [57] [29]"),
    ROW("@version=2.21,pooling_ratio=[1.0,0.5,1.0,1.0]", "[2,28,28,3]",
        "SF128 @pooling_ratio a.1 'pooling_ratio cannot be smaller than 1, got: 0.5'"),
    ROW("pooling_ratio=[1.0,-0.5,1.0,1.0]", "[2,28,28,3]",
        "SF128 @pooling_ratio a.1 'Size computed for dim 1 is negative: -56'"),
};
SF_OPS_TEST(fractional, fractional, "FractionalMaxPool", "FractionalAvgPool")

static const SfOpCase max_pool_grad[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3] [2,14,14,3] [2,14,14,3]", "[2,28,28,3]"),
    ROW(K2 "padding=SAME", "[?,28,28,3] [2,14,14,3] [2,14,14,3]", "[?,28,28,3]"),
    ROW(K2 "padding=SAME", "? [2,14,14,3] [2,14,14,3]", "[?,?,?,?]"),
    ROW(K2 "padding=SAME", "[2,28,28] [2,14,14,3] [2,14,14,3]", "SF102 a"),
};
SF_OP_TEST(MaxPoolGrad, max_pool_grad)

static const SfOpCase max_pool_grad_v2[] = {
    ROW("padding=SAME", "[n,28,28,1] [n,14,14,1] [n,14,14,1] ? ?", "[n,28,28,1]"),
    ROW("padding=SAME", "[2,28,28] ? ? ? ?", "SF102 a"),
    ROW("padding=SAME", "[2,28,28,1] [2,14,14,1] [2,14,14,1] {1,2,2,1,1} [4]",
        "deferred SF129 d 'Sliding window ksize field must specify 4 dimensions' / [2,28,28,1]"),
};
SF_OP_TEST(MaxPoolGradV2, max_pool_grad_v2)

static const SfOpCase max_pool_grad_grad[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3] [2,14,14,3] [2,28,28,3]", "[2,14,14,3]"),
    ROW(K2 "padding=SAME", "[?,28,28,3] [2,14,14,3] [2,28,28,3]", "[?,14,14,3]"),
    ROW(K2 "padding=SAME", "? [2,14,14,3] ?", "[?,?,?,?]"),
    ROW(K2 "padding=SAME", "[2,28,28] [2,14,14,3] ?", "SF102 a"),
    ROW(K2 "padding=SAME", "[2,28,28,3] [2,13,14,3] ?", "SF107 b.1 out.0"),
    ROW(K2 "padding=SAME", "[2,28,28,3] ? [2,28,28,4]", "SF107 a.3 c.3"),
    ROW(RUN K2 "padding=SAME", "[2,28,28,3] [2,14,14,3] [2,28,28]",
        "SF102 c 'out_grad_backprop must be 4-dimensional'"),
    ROW(RUN K2 "padding=SAME", "[2,28,28,3] [2,14,14] [2,28,28,3]",
        "SF102 b 'tensor_out must be 4-dimensional'"),
    ROW(RUN K2 "padding=SAME", "[2,28,28] [2,14,14,3] [2,28,28,3]",
        "SF102 a 'tensor_in must be 4-dimensional'"),
};
SF_OP_TEST(MaxPoolGradGrad, max_pool_grad_grad)

static const SfOpCase max_pool_grad_grad_v2[] = {
    ROW("padding=SAME", "[2,28,28,3] [2,14,14,3] ? {1,2,2,1} {1,2,2,1}", "[2,14,14,3]"),
    ROW("padding=SAME", "[2,28,28,3] ? [2,28,28,3] ? ?", "?"),
    ROW("padding=SAME", "[2,28,28,3] ? [2,28,28,4] ? ?", "SF107 a.3 c.3"),
};
SF_OP_TEST(MaxPoolGradGradV2, max_pool_grad_grad_v2)

static const SfOpCase max_pool_3d_grad[] = {
    ROW(K3 "padding=SAME", "[2,8,28,28,3] [2,4,14,14,3] [2,4,14,14,3]", "[2,8,28,28,3]"),
    ROW(K3 "padding=SAME", "[?,8,28,28,3] [2,4,14,14,3] [2,4,14,14,3]", "[?,8,28,28,3]"),
    ROW(K3 "padding=SAME", "? ? ?", "[?,?,?,?,?]"),
    ROW(K3 "padding=SAME", "[2,8,28,3] ? ?", "SF102 a"),
};
SF_OP_TEST(MaxPool3DGrad, max_pool_3d_grad)

static const SfOpCase max_pool_3d_grad_grad[] = {
    ROW(K3 "padding=SAME", "[2,8,28,28,3] [2,4,14,14,3] [2,8,28,28,3]", "[2,4,14,14,3]"),
    ROW(K3 "padding=SAME", "[?,8,28,28,3] [2,4,14,14,3] [2,8,28,28,3]", "[?,4,14,14,3]"),
    ROW(K3 "padding=SAME", "? ? ?", "[?,?,?,?,?]"),
    ROW(K3 "padding=SAME", "? [2,3] ?", "SF108 b out.0"),
    ROW(K3 "padding=SAME", "[2,8,28,28,3] ? [2,16,28,28,3]", "SF107 a.1 c.1"),
};
SF_OP_TEST(MaxPool3DGradGrad, max_pool_3d_grad_grad)

static const SfOpCase avg_pool_grad[] = {
    ROW(K2 "padding=SAME", "{2,28,28,3} [2,14,14,3]", "[2,28,28,3]"),
    ROW(K2 "padding=SAME", "{n,28,28,3} [n,14,14,3]", "[n,28,28,3]"),
    ROW(K2 "padding=SAME", "? [2,14,14,3]", "[?,?,?,?]"),
    ROW(K2 "padding=SAME", "{2,28,28} [2,14,14,3]", "SF102 a"),
};
SF_OP_TEST(AvgPoolGrad, avg_pool_grad)

static const SfOpCase avg_pool_3d_grad[] = {
    ROW(K3 "padding=SAME", "{2,8,28,28,3} [2,4,14,14,3]", "[2,8,28,28,3]"),
    ROW(K3 "padding=SAME", "{2,8,28,28,3} [?,4,14,14,3]", "[2,8,28,28,3]"),
    ROW(K3 "padding=SAME", "? [2,4,14,14,3]", "[?,?,?,?,?]"),
    ROW(K3 "padding=SAME", "{2,28,28} ?", "SF102 a"),
};
SF_OP_TEST(AvgPool3DGrad, avg_pool_3d_grad)

static const SfOpCase argmax_grad[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3] [2,14,14,3] [2,14,14,3]:int64", "[2,28,28,3]"),
    ROW(K2 "padding=SAME", "[?,28,28,3] [2,14,14,3] [2,14,14,3]:int64", "[?,28,28,3]"),
    ROW(K2 "padding=SAME", "? ? ?:int64", "[?,?,?,?]"),
    ROW(K2 "padding=SAME", "[2,28,3] ? ?:int64", "SF102 a"),
};
SF_OP_TEST(MaxPoolGradWithArgmax, argmax_grad)

static const SfOpCase argmax_grad_grad[] = {
    ROW(K2 "padding=SAME", "[2,28,28,3] [2,28,28,3] [2,14,14,3]:int64", "[2,14,14,3]"),
    ROW(K2 "padding=SAME", "[?,28,28,3] [2,28,28,3] [2,14,14,3]:int64", "[?,14,14,3]"),
    ROW(K2 "padding=SAME", "? ? ?:int64", "[?,?,?,?]"),
    ROW(K2 "padding=SAME", "[2,28,3] ? ?:int64", "SF102 a"),
};
SF_OP_TEST(MaxPoolGradGradWithArgmax, argmax_grad_grad)

static const SfOpCase fractional_max_grad[] = {
    ROW("", "[2,28,28,3] [2,14,14,3] [2,14,14,3] [15] [15]", "[2,28,28,3]"),
    ROW("", "[?,28,28,3] [2,14,14,3] [2,14,14,3] [15] [15]", "[?,28,28,3]"),
    ROW("", "? ? ? ? ?", "[?,?,?,?]"),
    ROW("", "[2,28,28] ? ? ? ?", "SF102 a"),
    ROW("@version=2.21", "[2,28,28,3] [2,14,14,0] [2,14,14,3] [15] [15]",
        "deferred SF129 b 'orig_output must not be empty, got Tensor<type: float shape: "
        "[2,14,14,0] "
        "values: >' / [2,28,28,3]"),
    ROW("@version=2.21", "[2,28,28,3] [2,9223372036854775807,14,3] [2,14,14,3] [15] [15]",
        "deferred SF129 d b.1 / [2,28,28,3]"),
};
SF_OP_TEST(FractionalMaxPoolGrad, fractional_max_grad)

static const SfOpCase fractional_avg_grad[] = {
    ROW("", "{2,28,28,3} [2,14,14,3] [15] [15]", "[2,28,28,3]"),
    ROW("", "{2,28,28,3} [?,14,14,3] [15] [15]", "[2,28,28,3]"),
    ROW("", "[4] [2,14,14,3] [15] [15]", "[?,?,?,?]"),
    ROW("", "? ? ? ?", "[?,?,?,?]"),
    ROW("", "{2,28,28} ? ? ?",
        "deferred SF129 a 'original input tensor shape must be1-dimensional and 4 elements' / "
        "[2,28,28]"), /* unknown sizes mean rank 4 */
};
SF_OP_TEST(FractionalAvgPoolGrad, fractional_avg_grad)

/* What gradients' kernels refuse, in their words. */
#define V2    "@version=2.21,"
#define EAGER V2 "@phase=eager,"
#define WIN   "ksize=[1,2,3,1],strides=[1,2,1,1],padding=VALID,"
static const SfOpCase max_grad_kernel[] = {
    ROW(V2 WIN, "[2,6,7,3] [2,3,5,3] [2,3,5,3]", "[2,6,7,3]"),
    ROW(V2 WIN, "[2,6,7,3] [2,4,5,3] [2,3,5,3]",
        "deferred SF129 b a 'Expected orig_output shape to be [2,3,5,3], but got [2,4,5,3]' / "
        "[2,6,7,3]"),
    ROW(EAGER WIN, "[2,6,7,3] [2,3,5,3] [3,5,3]", "SF102 c 'out_backprop must be 4-dimensional'"),
    ROW(EAGER "ksize=[1,2,3,3],strides=[1,2,1,1],padding=VALID", "[2,6,7,3] [2,3,5,3] [2,3,5,3]",
        "SF131 'MaxPoolingGrad is not yet supported on the depth dimension.'"),
    ROW(EAGER WIN "explicit_paddings=[0]", "[2,6,7,3] [2,3,5,3] [2,3,5,3]", "[2,6,7,3]"),
};
SF_OP_TEST(MaxPoolGrad, max_grad_kernel)

static const SfOpCase avg_grad_kernel[] = {
    ROW(V2 "ksize=[1,2,3,1,1],strides=[1,2,1,1,1],padding=VALID", "{2,6,7,2,3} [2,3,5,2,4]",
        "deferred SF101 b.4 a 'Expected last dimension of tensor_in_shape and out_backprop to "
        "match, "
        "got 3 and 4' / [2,6,7,2,3]"),
    ROW(EAGER "ksize=[1,2,3,1,1],strides=[1,2,1,1,1],padding=VALID", "{2,6,7,2,3} [3,5,2,4]",
        "SF102 b 'out_backprop must be 5-dimensional'"),
    ROW(EAGER "ksize=[1,2,2,3,0],strides=[1,3,1,2,1],padding=VALID", "{4,5,4,6,3} [4,3,3,2,3]",
        "SF129 @ksize 'ksize must be positive, got: 0'"),
    ROW(EAGER "ksize=[1,1,1,1,1],strides=[1,1,2,-2,1],padding=VALID", "{5,1,2,3,5} [5,1,1,1,5]",
        "SF129 @strides 'Stride must be > 0, but got -2'"),
};
SF_OP_TEST(AvgPool3DGrad, avg_grad_kernel)

static const SfOpCase max_pool_grad_v2_op[] = {
    ROW("padding='SAME'", "[1,5,4,4] [1,3,2,4] [1,3,2,4] {1,2,3,1} {1,2,2,1}", "[1,5,4,4]"),
    ROW("padding='SAME'", "[?,5,4,4] [1,3,2,4] [1,3,2,4] {1,2,3,1} {1,2,2,1}", "[?,5,4,4]"),
    ROW("padding='SAME'", "? ? ? ? ?", "[?,?,?,?]"),
    ROW("padding='SAME'", "[1,5,4] [1,3,2,4] [1,3,2,4] {1,2,3,1} {1,2,2,1}", "SF102 a"),
};
SF_OP_TEST(MaxPoolGradV2, max_pool_grad_v2_op)

static const SfOpCase max_pool_grad_grad_v2_op[] = {
    ROW("padding='VALID'", "[4,3,4,4] [4,3,4,2] [4,3,4,4] {1,1,1,2} {1,1,1,2}", "[4,3,4,2]"),
    ROW("padding='VALID'", "[?,3,4,4] [4,3,4,2] [4,3,4,4] {1,1,1,2} {1,1,1,2}", "[?,3,4,2]"),
    ROW("padding='VALID'", "? ? ? ? ?", "?"),
    ROW("padding='VALID'", "[5,3,4,4] [4,3,4,2] [4,3,4,4] {1,1,1,2} {1,1,1,2}", "SF107 a.0 c.0"),
    ROW("padding='VALID'", "[4,3,4,4] [5,3,4,2] [4,3,4,4] {1,1,1,2} {1,1,1,2}", "SF107 b.0 out.0"),
    ROW("padding='VALID'", "[4,3,4,4] [4,3,4,2] [5,3,4,4] {1,1,1,2} {1,1,1,2}", "SF107 a.0 c.0"),
};
SF_OP_TEST(MaxPoolGradGradV2, max_pool_grad_grad_v2_op)
