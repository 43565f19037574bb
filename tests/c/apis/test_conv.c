/* Rows of the convolutions; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define S1  "strides=[1,1,1,1],"
#define S2  "strides=[1,2,2,1],"
#define V8  "@version=1.8,"
#define V2  "@version=2.21,"
#define RUN "@phase=run,"

static const SfOpCase conv2d[] = {
    ROW(S1 "padding=SAME", "[2,28,28,3] [5,5,3,6]", "[2,28,28,6]"),
    ROW(S1 "padding=VALID", "[2,28,28,3] [5,5,3,6]", "[2,24,24,6]"),
    ROW(S2 "padding=SAME", "[2,28,29,3] [5,5,3,6]", "[2,14,15,6]"),
    ROW(S2 "padding=VALID", "[2,28,29,3] [5,5,3,6]", "[2,12,13,6]"),
    ROW("strides=[2,1,1,1],padding=VALID", "[2,28,28,3] [5,5,3,6]",
        "deferred SF129 @strides / [2,24,24,6]"),
    ROW(RUN "strides=[2,2,2,2],padding=VALID", "[2,28,28,3] [5,5,3,6]",
        "SF129 @strides 'does not yet support strides in the batch and depth dimensions.'"),
    ROW(V2 S1 "padding=VALID,dilations=[1,2,2,2]", "[2,28,28,3] [5,5,3,6]",
        "deferred SF131 @dilations / [2,20,20,6]"),
    ROW(S1 "padding=VALID", "[2,28,28,3] [0,5,3,6]", "[2,29,24,6]"),
    ROW(S1 "padding=SAME", "[2,0,28,3] [2,5,3,6]", "[2,0,28,6]"),
    ROW(S1 "padding=VALID,dilations=[1,2,3,1]", "[2,28,28,3] [5,5,3,6]", "[2,20,16,6]"),
    ROW("strides=[1,1,2,2],padding=VALID,data_format=NCHW", "[2,3,28,28] [5,5,3,6]", "[2,6,12,12]"),
    ROW(S1 "padding=EXPLICIT,explicit_paddings=[0,0,1,2,3,4,0,0]", "[2,28,28,3] [5,5,3,6]",
        "[2,27,31,6]"),
    /* partly known: symbols pass where the window leaves them linear */
    ROW(S1 "padding=SAME", "[n,h,w,3] [5,5,3,6]", "[n,h,w,6]"),
    ROW(S1 "padding=VALID", "[n,h,28,3] [1,1,3,6]", "[n,h,28,6]"),
    ROW(S2 "padding=SAME", "[n,?,28,3] [5,5,3,6]", "[n,?,14,6]"),
    ROW(S1 "padding=SAME", "[?,28,28,?] [5,5,3,?]", "[a.0,28,28,b.3]"),
    ROW(S1 "padding=VALID", "[2,28,28,3] [?,5,3,6]", "[2,?,24,6]"),
    ROW("strides=[1,2,1,1],padding=VALID", "[?,?,28,?] [5,?,3,6]", "[a.0,?,?,6]"),
    ROW(S1 "padding=VALID", "? [5,5,3,6]", "[?,?,?,6]"),
    ROW(S1 "padding=VALID", "? ?", "[?,?,?,?]"),
    ROW(S1 "padding=VALID", "! [5,5,3,6]", "!"),
    /* groups since 1.14, equal depths before */
    ROW(S1 "padding=SAME", "[2,28,28,3] [5,5,1,6]", "[2,28,28,6]"),
    ROW(S1 "padding=SAME", "[2,28,28,n] [5,5,3,6]", "[2,28,28,6]"),
    ROW(S1 "padding=SAME", "[2,28,28,3] [5,5,2,6]",
        "SF120 a.3 b.2 'Depth of input (3) is not a multiple of input depth of filter (2)'"),
    ROW(S1 "padding=SAME", "[2,28,28,4] [5,5,2,5]",
        "SF128 b.3 a.3 'Depth of output (5) is not a multiple of the number of groups (2)'"),
    ROW(V2 S1 "padding=SAME", "[2,28,28,3] [2,5,0,6]", "SF120 b.2 'Depth of filter must not be 0'"),
    ROW(V8 S1 "padding=SAME", "[2,28,28,3] [5,5,1,6]",
        "SF101 a.3 b.2 'Dimensions must be equal, but are 3 and 1'"),
    ROW(RUN S1 "padding=SAME", "[2,28,28,3] [5,5,2,6]",
        "SF120 a.3 b.2 'input depth must be evenly divisible by filter depth: 3 vs 2'"),
    ROW(RUN V8 S1 "padding=SAME", "[2,28,28,3] [5,5,2,6]",
        "SF101 a.3 b.2 'input and filter must have the same depth: 3 vs 2'"),
    ROW(RUN S1 "padding=SAME", "[2,28,28,4] [5,5,2,5]",
        "SF128 b.3 a.3 'output depth must be evenly divisible by number of groups: 5 vs 2'"),
    /* ranks */
    ROW(S1 "padding=VALID", "[2,28,3] [5,5,3,6]", "SF102 a"),
    ROW(S1 "padding=VALID", "[2,28,28,3] [5,5,3]", "SF102 b"),
    ROW(RUN S1 "padding=VALID", "[2,28,3] [5,5,3,6]",
        "SF102 a 'input must be 4-dimensional[2,28,3]'"),
    ROW("@phase=eager," V2 S1 "padding=VALID", "[2,28,3] [5,5,3,6]",
        "SF102 a 'convolution input must be 4-dimensional: [2,28,3]'"),
    ROW(RUN S1 "padding=VALID", "[2,28,28,3] [5,5,3]",
        "SF102 b 'filter must be 4-dimensional: [5,5,3]'"),
    /* windows: graph construction refuses more than kernels do */
    ROW(S1 "padding=VALID", "[2,2,28,3] [5,5,3,6]",
        "SF110 a.1 b.0 'Negative dimension size caused by subtracting 5 from 2'"),
    ROW(S1 "padding=VALID,dilations=[1,7,1,1]", "[2,28,28,3] [5,5,3,6]",
        "SF110 a.1 b.0 'subtracting 29 from 28'"),
    ROW(RUN S2 "padding=VALID", "[2,4,28,3] [5,5,3,6]", "[2,0,12,6]"),
    ROW(RUN S1 "padding=VALID", "[2,2,28,3] [5,5,3,6]",
        "SF110 a.1 b.0 'Computed output size would be negative: -2 [input_size: 2, "
        "effective_filter_size: 5, stride: 1]'"),
    /* attrs */
    ROW("strides=[1,1],padding=VALID", "[2,28,28,3] [5,5,3,6]",
        "SF128 @strides 'Conv2D on data format NHWC requires the stride attribute to contain 4 "
        "values, but got: 2'"),
    ROW("strides=[1,0,0,1],padding=VALID", "[2,28,28,3] [5,5,3,6]",
        "SF128 @strides a.1 'Stride must be > 0, but got 0'"),
    ROW(S1 "padding=VALID,dilations=[1,2]", "[2,28,28,3] [5,5,3,6]",
        "SF128 @dilations 'Conv2D requires the dilation attribute to contain 4 values, but got: "
        "2'"),
    ROW(S1 "padding=VALID,dilations=[1,0,1,1]", "[2,28,28,3] [5,5,3,6]",
        "SF128 @dilations a.1 'Dilation rate must be >= 1, but got 0'"),
    ROW(S1 "padding=EXPLICIT", "[2,28,28,3] [5,5,3,6]",
        "SF128 @explicit_paddings 'explicit_paddings attribute must contain 8 values, but got: "
        "0'"),
    ROW(S1 "padding=SAME,explicit_paddings=[1,0,1,2,3,4,0,0]", "[2,28,28,3] [5,5,3,6]",
        "SF128 @explicit_paddings 'must be empty if the padding attribute is not EXPLICIT'"),
    ROW(S1 "padding=EXPLICIT,explicit_paddings=[0,0,1,-2,3,4,0,0]", "[2,28,28,3] [5,5,3,6]",
        "SF128 @explicit_paddings 'must be nonnegative'"),
    ROW(S1 "padding=EXPLICIT,explicit_paddings=[1,0,1,2,3,4,0,0]", "[2,28,28,3] [5,5,3,6]",
        "SF128 @explicit_paddings 'Nonzero explicit padding in the batch or depth dimensions is "
        "not supported'"),
    ROW(S1 "padding=SAME", "[1,4,4,3] [2,2,3,5]", "[1,4,4,5] cost 1920"),
    ROW("@version=2.21,@phase=eager,strides=[1,1,1,1],padding=EXPLICIT,explicit_paddings=[0,0,3,0,"
        "0,0,0,0]",
        "[4,3,3,2] [7,1,1,3]", "[4,0,3,3]"),
    ROW(V2 S1 "padding=SAME", "[2,4,4,3] [2,2,3,0]", "[2,4,4,0]"),
};
SF_OP_TEST(Conv2D, conv2d)

#define S3 "strides=[1,1,1,1,1],"
static const SfOpCase conv3d[] = {
    ROW(S3 "padding=VALID", "[2,8,28,28,3] [2,5,5,3,6]", "[2,7,24,24,6]"),
    ROW("strides=[1,2,2,2,1],padding=SAME,dilations=[1,2,1,1,1]", "[2,8,28,28,3] [2,5,5,3,6]",
        "[2,4,14,14,6]"),
    ROW("strides=[1,1,2,2,2],padding=SAME,data_format=NCDHW", "[2,3,8,28,28] [2,5,5,3,6]",
        "[2,6,4,14,14]"),
    ROW(S3 "padding=VALID", "[2,8,28,28,4] [2,5,5,2,6]", "[2,7,24,24,6]"),
    ROW(S3 "padding=SAME", "[n,?,28,28,3] [2,5,5,3,6]", "[n,a.1,28,28,6]"),
    ROW(S3 "padding=VALID", "? ?", "[?,?,?,?,?]"),
    ROW(S3 "padding=VALID", "? !", "!"),
    ROW(S3 "padding=VALID", "[2,8,28,28,3] [2,5,5,2,6]", "SF120 a.4 b.3"),
    ROW(V8 S3 "padding=VALID", "[2,8,28,28,3] [2,5,5,2,6]", "SF101 a.4 b.3"),
    ROW(RUN S3 "padding=VALID", "[2,8,28,28,4] [2,5,5,3,6]",
        "SF120 a.4 b.3 'Input depth must be evenly divisible by filter depth: 4 vs 3'"),
    ROW(RUN V8 S3 "padding=VALID", "[2,8,28,28,4] [2,5,5,3,6]",
        "SF101 a.4 b.3 'input and filter must have the same depth'"),
    ROW(S3 "padding=VALID", "[2,8,28,28,3] [9,5,5,3,6]", "SF110 a.1 b.0"),
    ROW(RUN S3 "padding=VALID", "[2,1,28,28,3] [2,5,5,3,6]", "[2,0,24,24,6]"),
    ROW(S3 "padding=VALID", "[2,8,28,28] [9,5,5,3,6]", "SF102 a"),
    ROW(RUN S3 "padding=VALID", "[2,8,28,28] [9,5,5,3,6]", "SF102 a 'input must be 5-dimensional'"),
    ROW("strides=[1,2,0,2,1],padding=SAME", "[2,8,28,28,3] [2,5,5,3,6]", "SF128 @strides a.2"),
    ROW(V8 S3 "padding=SAME", "[2,4,4,4,3] [2,2,2,3,0]", "[2,4,4,4,0]"),
    ROW(RUN V2 S3 "padding=SAME", "[2,4,4,4,3] [2,2,2,3,0]",
        "SF129 b 'filter must not have zero elements (i.e. all dimensions must be non-zero)'"),
};
SF_OP_TEST(Conv3D, conv3d)

static const SfOpCase conv2d_input[] = {
    ROW(S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,4,4,6]", "[8,8,8,3]"),
    ROW(S2 "padding=VALID", "{8,8,8,3} [7,7,3,6] [8,1,1,6]", "[8,8,8,3]"),
    ROW(S2 "padding=SAME", "{n,8,8,3} [7,7,3,6] [n,4,4,6]", "[n,8,8,3]"),
    ROW(S2 "padding=SAME", "{-1,8,8,3} [7,7,3,6] ?",
        "deferred SF130 a 'Dimension -1 must be >= 0' / [?,8,8,3]"),
    ROW(S2 "padding=SAME", "[4] [7,7,3,6] [8,4,4,6]", "[?,?,?,?]"),
    ROW(S2 "padding=SAME", "? [7,7,3,6] ?", "[?,?,?,?]"),
    ROW(S2 "padding=SAME", "{8,8,8,3} ! ?", "!"),
    ROW(V2 S2 "padding=SAME", "[4] [7,7,3,6] [8,4,4,6]", "[8,?,?,?]"),
    ROW(V2 S2 "padding=SAME", "{8,8} [7,7,3,6] [8,4,4,6]", "[8,8,8,3]"),
    ROW(V2 S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [?,4,4,6]", "[c.0,8,8,3]"),
    ROW(V2 S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,4,4,5]", "SF101 c.3 b.3"),
    ROW(V2 S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [7,4,4,6]", "SF101 a c.0"),
    ROW(V2 S2 "padding=SAME", "[3] [7,7,3,6] [8,4,4,6]",
        "SF128 a 'requires input_sizes to contain 4 values or 2 values, but got: 3'"),
    ROW(S2 "padding=SAME", "{8,8,3} [7,7,3,6] [8,4,4,6]", "SF102 a"),
    ROW(RUN S2 "padding=SAME", "{8,8,3} [7,7,3,6] [8,4,4,6]",
        "SF102 a 'Conv2DCustomBackpropInput: input must be 4-dimensional'"),
    ROW(S2 "padding=SAME", "{-2,8,8,3} [7,7,3,6] ?",
        "SF130 a 'Invalid value in tensor used for shape: -2'"),
    /* what only the kernel sees */
    ROW(S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,32,32,6]", "deferred SF121 c.1 a / [8,8,8,3]"),
    ROW(V2 S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,32,32,6]",
        "deferred SF121 c.1 a / [8,8,8,3]"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,32,32,6]",
        "SF121 c.1 a 'Conv2DCustomBackpropInput: Size of out_backprop doesn't match computed: "
        "actual = 32, computed = 4 spatial_dim: 1 input: 8 filter: 7 output: 32 stride: 2 "
        "dilation: 1'"),
    ROW(RUN V8 S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,32,32,6]",
        "SF121 c.1 a 'actual = 32, computed = 4spatial_dim: 1'"),
    ROW(RUN S2 "padding=VALID", "{8,9,9,3} [9,7,3,6] [8,1,1,6]",
        "SF121 c.2 a 'actual = 1, computed = 2 spatial_dim: 2'"),
    ROW(RUN S2 "padding=VALID", "{8,8,8,3} [9,7,3,6] [8,1,1,6]",
        "SF121 c.1 a 'actual = 1, computed = 0 spatial_dim: 1'"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [8,4,4,5]",
        "SF121 c.3 b 'filter and out_backprop must have the same out_depth'"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,4} [7,7,3,6] [8,4,4,6]",
        "SF121 a b 'input depth must be evenly divisible by filter depth'"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [7,7,3,6] [7,4,4,6]",
        "SF121 c.0 a 'must have the same batch sizeinput batch: 8outbackprop batch: 7 batch_dim: "
        "0'"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [7,7,3] [8,4,4,6]",
        "SF102 b 'Conv2DCustomBackpropInput: filter must be 4-dimensional'"),
};
SF_OP_TEST(Conv2DBackpropInput, conv2d_input)

static const SfOpCase conv2d_filter[] = {
    ROW(S2 "padding=SAME", "[8,8,8,3] {7,7,3,6} [8,4,4,6]", "[7,7,3,6]"),
    ROW(S2 "padding=SAME", "? [4] ?", "[?,?,?,?]"),
    ROW(S2 "padding=SAME", "? {7,?,3,6} ?", "[7,?,3,6]"),
    ROW(S2 "padding=SAME", "[8,8,8,3] {7,7,6} [8,4,4,6]", "SF102 b"),
    ROW(RUN S2 "padding=SAME", "[8,8,8,3] {7,7,3,6} [8,5,4,6]",
        "SF121 c.1 b 'Conv2DCustomBackpropFilter: Size of out_backprop'"),
    ROW(RUN S2 "padding=SAME", "[7,8,8,3] {7,7,3,6} [8,4,4,6]", "SF121 c.0 a"),
};
SF_OP_TEST(Conv2DBackpropFilter, conv2d_filter)

static const SfOpCase conv3d_input[] = {
    ROW("strides=[1,2,2,2,1],padding=SAME", "{8,8,8,8,3} [3,3,3,3,6] [8,4,4,4,6]", "[8,8,8,8,3]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "{8,8,8,8,3} [?,3,3,3,6] [8,4,4,4,6]", "[8,8,8,8,3]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "? ? ?", "[?,?,?,?,?]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "{8,8,8,3} ? ?", "SF102 a"),
    ROW(RUN "strides=[1,2,2,2,1],padding=SAME", "{8,8,8,8,3} [3,3,3,3,6] [8,4,4,5,6]",
        "SF121 c.3 a 'Conv3DBackpropInputOp: Size of out_backprop'"),
    ROW(RUN V8 "strides=[1,2,2,2,1],padding=SAME", "{8,8,8,8,3} [3,3,3,3,6] [8,4,4,5,6]",
        "SF121 c.3 a 'Conv3DBackpropInput: Number of cols of out_backprop doesn't match computed: "
        "actual = 5, computed = 4'"),
};
SF_OP_TEST(Conv3DBackpropInputV2, conv3d_input)

static const SfOpCase conv3d_filter[] = {
    ROW("strides=[1,2,2,2,1],padding=SAME", "[8,8,8,8,3] {3,3,3,3,6} [8,4,4,4,6]", "[3,3,3,3,6]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "[?,8,8,8,3] {3,3,3,3,6} [8,4,4,4,6]", "[3,3,3,3,6]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "? [5] ?", "[?,?,?,?,?]"),
    ROW(RUN "strides=[1,2,2,2,1],padding=SAME", "[8,8,8,8,3] {3,3,3,3,6} [8,4,4,5,6]",
        "SF121 c.3 b 'Conv3DBackpropFilterOp'"),
};
SF_OP_TEST(Conv3DBackpropFilterV2, conv3d_filter)

static const SfOpCase conv3d_v1[] = {
    ROW("strides=[1,2,2,2,1],padding=SAME", "[8,8,8,8,3] [3,3,3,3,6] [8,4,4,4,6]", "[8,8,8,8,3]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "[?,8,8,8,3] [3,3,3,3,6] [8,4,4,4,6]", "[?,8,8,8,3]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "? ? ?", "[?,?,?,?,?]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "[8] ? ?", "SF102 a"),
};
SF_OP_TEST(Conv3DBackpropInput, conv3d_v1)

static const SfOpCase conv3d_filter_v1[] = {
    ROW("strides=[1,2,2,2,1],padding=SAME", "[8,8,8,8,3] [3,3,3,3,6] [8,4,4,4,6]", "[3,3,3,3,6]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "[?,8,8,8,3] [3,3,3,3,6] [8,4,4,4,6]", "[3,3,3,3,6]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "? ? ?", "[?,?,?,?,?]"),
    ROW("strides=[1,2,2,2,1],padding=SAME", "? [8] ?", "SF102 b"),
};
SF_OP_TEST(Conv3DBackpropFilter, conv3d_filter_v1)

static const SfOpCase depthwise[] = {
    ROW(S2 "padding=SAME", "[8,8,8,3] [3,3,3,2]", "[8,4,4,6]"),
    ROW("strides=[1,2,3,1],padding=SAME", "[8,8,8,3] [3,3,3,2]",
        "deferred SF129 @strides / [8,4,3,6]"),
    ROW(S2 "padding=SAME", "[8,8,8,?] [3,3,2,2]", "[8,4,4,4]"),
    ROW(S2 "padding=SAME", "[n,8,8,5] [3,3,?,2]", "[n,4,4,10]"),
    ROW(S2 "padding=SAME", "[n,8,8,c] [3,3,c,1]", "[n,4,4,c]"),
    ROW(S2 "padding=SAME", "? ?", "[?,?,?,?]"),
    ROW(V2 S1 "padding=VALID,dilations=[1,2,3,1]", "[8,8,8,3] [3,3,3,2]", "[8,4,2,6]"),
    ROW(S1 "padding=VALID,dilations=[1,2,3,1]", "[8,8,8,3] [3,3,3,2]", "[8,6,6,6]"),
    ROW(S2 "padding=SAME", "[8,8,8,3] [3,3,2,2]", "SF101 a.3 b.2"),
    ROW(RUN S2 "padding=SAME", "[8,8,8,3] [3,3,2,2]",
        "SF101 a.3 b.2 'input and filter must have the same depth: 3 vs 2'"),
    ROW(S2 "padding=VALID", "[8,8,8,5] [9,3,?,2]", "SF110 a.1 b.0"),
    ROW(RUN S2 "padding=VALID", "[8,2,8,2] [3,3,2,2]", "[8,0,3,4]"),
    ROW("strides=[1,2],padding=VALID", "[8,8,8,5] [9,3,?,2]",
        "SF128 @strides 'DepthwiseConv2D requires the stride attribute to contain 4 values, but "
        "got: 2'"),
    ROW(S2 "padding=SAME", "[8,8,3] [3,3,3,2]", "SF102 a"),
};
SF_OP_TEST(DepthwiseConv2dNative, depthwise)

static const SfOpCase depthwise_input[] = {
    ROW(S2 "padding=SAME", "{8,8,8,3} [3,3,3,2] [8,4,4,6]", "[8,8,8,3]"),
    ROW(S2 "padding=SAME", "{8,8,8,3} [?,3,3,2] [8,4,4,6]", "[8,8,8,3]"),
    ROW(S2 "padding=SAME", "? [3,3,3,2] [8,4,5,6]", "[?,?,?,?]"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [3,3,3,2] [8,4,5,6]",
        "SF121 c.2 a 'DepthwiseConv2DBackpropInput: Number of cols of out_backprop doesn't match "
        "computed: actual = 5, computed = 4'"),
    ROW(RUN S2 "padding=SAME", "{8,8,8,3} [3,3,3,2] [8,4,4,5]",
        "SF121 c.3 b 'depth_multiplier * in_depth not equal to out_depth'"),
};
SF_OP_TEST(DepthwiseConv2dNativeBackpropInput, depthwise_input)

static const SfOpCase depthwise_filter[] = {
    ROW(S2 "padding=SAME", "[8,8,8,3] {3,3,3,2} [8,4,4,6]", "[3,3,3,2]"),
    ROW(S2 "padding=SAME", "[?,8,8,3] {3,3,3,2} [8,4,4,6]", "[3,3,3,2]"),
    ROW(S2 "padding=SAME", "[8,8,8,3] ? [8,4,5,6]", "[?,?,?,?]"),
    ROW(S2 "padding=SAME", "[8,8,8,3] {3,3,2} [8,4,5,6]", "SF102 b"),
    ROW(RUN S2 "padding=SAME", "[8,8,8,3] {3,3,3,2} [8,5,4,6]", "SF121 c.1 b 'Number of rows'"),
};
SF_OP_TEST(DepthwiseConv2dNativeBackpropFilter, depthwise_filter)

static const SfOpCase dilation2d[] = {
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "[8,8,8,3] [3,3,3]", "[8,8,8,3]"),
    ROW(S1 "rates=[1,2,2,1],padding=VALID", "[8,8,8,?] [3,3,3]", "[8,4,4,3]"),
    ROW(S1 "rates=[1,4,2,1],padding=VALID", "[8,8,8,3] [3,3,3]", "[8,0,4,3]"),
    ROW(S1 "rates=[1,2,2,1],padding=VALID", "[n,h,8,3] ?", "[n,?,?,?]"),
    ROW(RUN S1 "rates=[1,2,2,1],padding=VALID", "[n,8,8,3] [?,3,?]", "[n,?,4,3]"),
    ROW(S1 "rates=[1,4,2,1],padding=VALID", "? ?", "[?,?,?,?]"),
    ROW(S1 "rates=[1,2,2,1],padding=VALID", "[8,8,8,3] [3,3,2]", "SF101 a.3 b.2"),
    ROW(S1 "rates=[1,2,2,1],padding=VALID", "[8,8,8,3] [3,3,3,3]", "SF102 b"),
    ROW("strides=[1,1,1,1,1],rates=[1,4,2,1],padding=VALID", "[8,8,8,3] [3,3,3]",
        "SF128 @strides 'Dilation2D requires the stride attribute to contain 4 values, but got: "
        "5'"),
    ROW(S1 "rates=[1,2,-1,1],padding=VALID", "[8,8,8,3] [3,2,3]", "[8,4,?,3]"),
    ROW("strides=[1,0,1,1],rates=[1,1,1,1],padding=VALID", "[8,8,8,3] [?,3,3]", "[8,?,?,3]"),
    ROW("strides=[1,0,1,1],rates=[1,1,1,1],padding=VALID", "[8,8,8,3] [3,3,3]",
        "SF128 @strides a.1 'Stride must be > 0, but got 0'"),
};
SF_OP_TEST(Dilation2D, dilation2d)

static const SfOpCase dilation2d_input[] = {
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "[8,8,8,3] [3,3,3] [8,8,8,3]", "[8,8,8,3]"),
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "[?,8,8,3] [3,3,3] [8,8,8,3]", "[?,8,8,3]"),
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "? [3,3,3] [8,8,8,3]", "?"),
};
SF_OP_TEST(Dilation2DBackpropInput, dilation2d_input)

static const SfOpCase dilation2d_filter[] = {
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "[8,8,8,3] [3,3,3] [8,8,8,3]", "[3,3,3]"),
    ROW(S1 "rates=[1,2,2,1],padding=SAME", "? [n,3,3] [8,8,8,3]", "[n,3,3]"),
};
SF_OP_TEST(Dilation2DBackpropFilter, dilation2d_filter)
