/* Rows of Conv, of fused convolutions and of gradients that take tensors, not sizes; expectations
 * asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

#define V2    "@version=2.21,"
#define EAGER V2 "@phase=eager,"
#define S1    "strides=[1,1,1,1],"

static const SfOpCase conv[] = {
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3,3,4]", "[2,4,5,4]"),
    ROW(V2 "strides=[1,2,2,1],padding=SAME", "[n,6,7,?] [3,3,3,4]", "[n,3,4,4]"),
    ROW(V2 "strides=[1,1,1,1,1],padding=VALID", "[2,6,7,5,3] [3,3,3,3,4]", "[2,4,5,3,4]"),
    ROW(V2 S1 "padding=VALID,batch_dims=2", "[2,n,7,5,3] [3,3,3,4]", "[2,n,5,3,4]"),
    ROW(V2 S1 "padding=VALID,batch_dims=0", "[6,7,3] [3,3,3,4]", "[4,5,4]"),
    ROW(V2 S1 "padding=VALID,data_format='CHANNELS_FIRST'", "[2,3,6,7] [3,3,3,4]", "[2,4,4,5]"),
    ROW(V2 S1 "padding=VALID,groups=3", "[2,6,7,3] [3,3,1,6]", "[2,4,5,6]"),
    ROW(V2 S1 "padding=VALID,dilations=[1,2,2,1]", "[2,6,7,3] [3,3,3,4]", "[2,2,3,4]"),
    ROW(V2 S1 "padding=EXPLICIT,explicit_paddings=[0,0,1,1,2,2,0,0]", "[2,6,7,3] [3,3,3,4]",
        "[2,6,9,4]"),
    ROW(V2 "strides=[1,1,1,1,1],padding=EXPLICIT,explicit_paddings=[0,0,1,1,0,0,0,0,0,0]",
        "[2,6,7,5,3] [3,3,3,3,4]", "SF128 'Explicit padding not supported for 3D Convolution'"),
    ROW(V2 S1 "padding=VALID", "? [3,3,3,4]", "?"),
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] ?", "?"),
    ROW(V2 S1 "padding=VALID", "! [3,3,3,4]", "!"),
    ROW(V2 "strides=[1,1,1],padding=VALID", "[2,6,3] [3,3,4]",
        "SF102 a @batch_dims 'Input tensor must be rank 4 or 5, excluding extra batch dimensions, "
        "but got: 3'"),
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3,3]",
        "SF102 b a 'Filter tensor must be rank 4 or 5, but got: 4'"),
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3,2,4]",
        "SF120 a.3 b.2 'Depth of input (3) is not a multiple of input depth of filter (2)'"),
    ROW(V2 S1 "padding=VALID,groups=2", "[2,6,7,3] [3,3,1,6]",
        "SF120 a.3 @groups 'Number of groups should divide input depth'"),
    ROW(V2 "strides=[1,1,1],padding=VALID", "[2,6,7,3] [3,3,3,4]",
        "SF128 @strides 'Stride attribute should contain 4 values, but got: 3'"),
    ROW(V2 "strides=[2,1,1,1],padding=VALID", "[2,6,7,3] [3,3,3,4]",
        "deferred SF129 @strides 'strides in the batch and depth dimensions.' / [2,4,5,4]"),
    ROW(EAGER "strides=[1,1,1],padding=VALID", "[2,6,3] [3,3,4]",
        "SF102 a @batch_dims 'The input must have 2 or 3 spatial dimensions but got 1'"),
    ROW(EAGER S1 "padding=VALID", "[2,6,7,3] [3,0,3,4]", "SF129 b 'must not have zero elements'"),
};
SF_OP_TEST(Conv, conv)

#define MIRROR    V2 "mode='REFLECT',padding=VALID," S1
#define PADS      "{{0,0},{1,1},{2,1},{0,0}} "
#define EAGER_PAD EAGER "mode='REFLECT',padding=VALID," S1
static const SfOpCase fused_pad[] = {
    ROW(MIRROR, "[2,8,9,3] " PADS "[3,3,3,4]", "[2,8,10,4]"),
    ROW(MIRROR, "[n,8,?,3] " PADS "[3,3,?,4]", "[n,8,?,4]"),
    ROW(MIRROR, "[2,8,9,3] [4,2] [3,3,3,4]", "[?,?,?,4]"),
    ROW(MIRROR, "? " PADS "[3,3,3,4]", "[?,?,?,4]"),
    ROW(MIRROR, "[2,8,9] " PADS "[3,3,3,4]", "SF102 a"),
    ROW(MIRROR, "[2,8,9,5] " PADS "[3,3,3,4]", "SF101 a.3 c.2"),
    ROW(MIRROR, "[2,8,9,3] " PADS "[33,3,3,4]", "SF110 a.1 c.0"),
    ROW(V2 "mode='SYMMETRIC',strides=[1,2,3],padding=SAME", "[2,8,9,3] " PADS "[3,3,3,4]",
        "SF128 @strides 'Operation requires the stride attribute to contain 4 values, but got: 3'"),
    ROW(MIRROR, "[2,8,9,3] {{0,0},{8,1},{2,1},{0,0}} [3,3,3,4]",
        "deferred SF129 b a.1 'paddings must be less than the dimension size: 8, 1 not less than "
        "8' "
        "/ "
        "[2,15,10,4]"),
    ROW(MIRROR, "[2,8,9,3] {{1,0},{1,1},{2,1},{0,0}} [3,3,3,4]",
        "deferred SF129 b 'Fused mirror padding only support spatial padding' / [3,8,10,4]"),
    ROW(EAGER_PAD, "[2,8,9,3] {{0,0},{-1,1},{2,1},{0,0}} [3,3,3,4]",
        "SF129 b 'paddings must be non-negative: -1 1'"),
    ROW(EAGER_PAD, "[2,8,9,3] " PADS "[3,3,2,4]",
        "SF101 'input and filter must have the same depth: 3 vs 2'"),
    ROW(EAGER_PAD, "[2,8,9,3] " PADS "[3,3,3]", "SF102 c 'filter must be 4-dimensional: [3,3,3]'"),
    ROW("@phase=eager," MIRROR, "[2,2,9,3] " PADS "[5,3,3,4]", "SF129 a c 'Output tensor can'"),
};
SF_OP_TEST(FusedPadConv2D, fused_pad)

static const SfOpCase fused_resize[] = {
    ROW(MIRROR, "[2,8,9,3] {5,6} " PADS "[3,3,3,4]", "[2,5,7,4]"),
    ROW(MIRROR, "? {5,?} " PADS "[3,3,3,4]", "[?,5,?,4]"),
    ROW(MIRROR, "? [2] " PADS "?", "[?,?,?,?]"),
    ROW(MIRROR, "[2,8,9,3] {5,6,7} " PADS "[3,3,3,4]", "SF106 b.0"),
    ROW(MIRROR, "[2,8,9] {5,6} " PADS "[3,3,3,4]", "SF102 a"),
    ROW(EAGER_PAD, "[2,8,9,3] {0,6} " PADS "[3,3,3,4]",
        "SF129 b 'output dimensions must be positive'"),
    ROW(EAGER_PAD, "[2,0,9,3] {5,6} " PADS "[3,3,3,4]", "SF129 a 'Input tensor can't be empty'"),
    ROW(MIRROR, "[2,8,9,3] {5,-6} " PADS "[3,3,3,4]", "SF130 b 'Dimension -6 must be >= 0'"),
};
SF_OP_TEST(FusedResizeAndPadConv2D, fused_resize)

static const SfOpCase input_v2[] = {
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3,3,4] [2,4,5,4]", "[2,6,7,3]"),
    ROW(V2 S1 "padding=VALID", "[n,?,7,3] ? ?", "[n,a.1,7,3]"),
    ROW(V2 S1 "padding=VALID", "? [3,3,3,4] [2,4,5,4]", "[?,?,?,?]"),
    ROW(V2 S1 "padding=VALID", "[2,6,7] [3,3,3,4] [2,4,5,4]", "SF102 a"),
};
SF_OP_TEST(Conv2DBackpropInputV2, input_v2)

static const SfOpCase filter_v2[] = {
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3,3,4] [2,4,5,4]", "[3,3,3,4]"),
    ROW(V2 S1 "padding=VALID", "? [3,?,3,4] ?", "[3,b.1,3,4]"),
    ROW(V2 S1 "padding=VALID", "? ? ?", "[?,?,?,?]"),
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] [3,3] ?", "SF102 b"),
};
SF_OP_TEST(Conv2DBackpropFilterV2, filter_v2)

/* What backward kernels refuse is deferred while a graph is built. */
static const SfOpCase backprop[] = {
    ROW(V2 "strides=[1,1,1],padding=VALID", "[2,6,7,3] {3,3,3,4} [2,4,5,4]",
        "deferred SF129 @strides 'Sliding window strides field must specify 4 dimensions' / "
        "[3,3,3,4]"),
    ROW(V2 S1 "padding=VALID,explicit_paddings=[1]", "[2,6,7,3] {3,3,3,4} [2,4,5,4]",
        "deferred SF128 @explicit_paddings / [3,3,3,4]"),
    ROW(V2 S1 "padding=VALID", "[2,6,7] {3,3,3,4} [2,4,5,4]",
        "deferred SF102 a 'Conv2DCustomBackpropFilter: input must be 4-dimensional' / [3,3,3,4]"),
    ROW(V2 S1 "padding=VALID", "[2,6,7,3] {3,3,3,-1} [2,4,5,4]",
        "deferred SF130 b 'Dimension -1 must be >= 0' / [3,3,3,?]"),
    ROW(EAGER "strides=[2,1,1,1],padding=VALID", "[2,6,7,3] {3,3,3,4} [2,4,5,4]",
        "SF129 @strides 'does not yet support strides in the batch and depth dimensions.'"),
};
SF_OP_TEST(Conv2DBackpropFilter, backprop)

static const SfOpCase dilation_grad[] = {
    ROW(V2 S1 "padding=VALID,rates=[1,1,1,1]", "[2,6,7,3] [3,3,3] [2,4,5,3]", "[2,6,7,3]"),
    ROW(V2 S1 "padding=VALID,rates=[1,1,1,1]", "[2,6,7,3] [3,3,3] [2,4,6,3]",
        "deferred SF121 c 'out_backprop has incompatible size.' / [2,6,7,3]"),
    ROW(EAGER S1 "padding=VALID,rates=[1,1,1,1]", "[2,6,7,3] [3,3,4] [2,4,5,3]",
        "SF101 a.3 b.2 'input and filter must have the same depth: 3 vs 4'"),
};
SF_OP_TEST(Dilation2DBackpropInput, dilation_grad)
