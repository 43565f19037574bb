/* Rows of quantised neural network ops; expectations asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

#define V2    "@version=2.21,"
#define EAGER V2 "@phase=eager,"
#define R2    " [] []"
#define R4    " [] [] [] []"
#define QQ    "[2,6,7,3]:quint8 [3,3,3,4]:qint8"

static const SfOpCase add[] = {
    ROW(V2, "[2,3]:quint8 [3]:quint8" R4, "[2,3]:qint32 [] []"),
    ROW(V2, "[n,1]:quint8 [1,3]:qint8" R4, "[n,3]:qint32 [] []"),
    ROW(V2, "?:quint8 [3]:quint8 ? ? ? ?", "?:qint32 [] []"),
    ROW(V2, "[2]:quint8 [3]:quint8" R4, "SF101 a.0 b.0"),
    ROW(V2, "[2]:quint8 [2]:quint8 [1] [] [] []", "SF102 c"),
    ROW(V2, "[2,3,4]:quint8 [3,1]:quint8" R4,
        "deferred SF131 'Broadcast between [2,3,4] and [3,1] is not supported yet.' / "
        "[2,3,4]:qint32 [] []"),
    ROW(EAGER, "[2]:quint8 [2]:quint8 [1] [] [] []",
        "SF102 c '`min_x` must be rank 0 but is rank 1'"),
    ROW(EAGER, "[2,3]:quint8 [4]:quint8" R4, "SF113 'Incompatible shapes: [2,3] vs. [4]'"),
    ROW(EAGER, "[2]:quint8 [2]:quint8 1.0 1.0 [] []", "SF129 'max_x must be larger than min_x.'"),
    ROW(EAGER, "[2]:quint8 [0,2]:quint8" R4, "SF129 'Must have some elements to add'"),
};
SF_OP_TEST(QuantizedAdd, add)

static const SfOpCase mul[] = {
    ROW(V2, "[2,3]:quint8 [3]:quint8" R4, "[2,3]:qint32 [] []"),
    ROW(V2, "[n,1]:quint8 ?:qint8 ? ? ? ?", "?:qint32 [] []"),
    ROW(V2, "[2]:quint8 [3]:quint8" R4, "SF101 a.0 b.0"),
    ROW(V2, "[2]:quint8 [2]:quint8 [1] [] [] []",
        "deferred SF102 c 'min_x must be a scalar' / [2]:qint32 [] []"),
    ROW(EAGER, "[4,2]:quint8 [0,4,2]:quint8" R4, "SF129 'vector must have at least 1 element'"),
    ROW(EAGER, "[0,3]:quint8 [1]:quint8" R4, "[0,3]:qint32 [] []"),
    ROW(EAGER, "[0,3]:quint8 [0,3]:quint8" R4, "[0,3]:qint32 [] []"),
};
SF_OP_TEST(QuantizedMul, mul)

static const SfOpCase relu[] = {
    ROW(V2, "[2,n]:quint8" R2, "[2,n]:quint8 [] []"),
    ROW(V2, "?:qint32 ? ?", "?:quint8 [] []"),
    ROW(V2, "[2]:quint8 [2] []", "SF102 b"),
    ROW(EAGER, "[2]:quint8 [] [2]", "SF102 c '`max_input` must be rank 0 but is rank 1'"),
};
SF_OPS_TEST(relu, relu, "QuantizedRelu", "QuantizedRelu6")

static const SfOpCase relu_x[] = {
    ROW(V2, "[2,n]:quint8 [] [] []", "[2,n]:quint8 [] []"),
    ROW(V2, "?:quint8 ? ? ?", "?:quint8 [] []"),
    ROW(V2, "[2]:quint8 [2] [] []", "SF102 b"),
};
SF_OP_TEST(QuantizedReluX, relu_x)

#define OUT "out_type=qint32,"
static const SfOpCase bias[] = {
    ROW(V2 OUT, "[2,3]:quint8 [3]:quint8" R4, "[2,3]:qint32 [] []"),
    ROW(V2 OUT, "[n,5,?]:quint8 [3]:quint8" R4, "[n,5,3]:qint32 [] []"),
    ROW(V2 OUT, "?:quint8 ?:quint8 ? ? ? ?", "?:qint32 [] []"),
    ROW(V2 OUT, "[5]:quint8 [3]:quint8" R4, "SF103 a"),
    ROW(V2 OUT, "[2,3]:quint8 [5]:quint8" R4, "SF101 a.1 b.0"),
    ROW(EAGER OUT, "[2,3]:quint8 [4]:quint8" R4,
        "SF101 'Must provide as many biases as the last dimension of the input tensor: [4] vs. "
        "[2,3]'"),
    ROW(EAGER OUT, "[2,3]:quint8 [1,3]:quint8" R4, "SF102 b 'Biases must be 1D: [1,3]'"),
};
SF_OP_TEST(QuantizedBiasAdd, bias)

#define NORM OUT "variance_epsilon=0.1,scale_after_normalization=true,"
#define VEC  " [3]:quint8 [] []"
static const SfOpCase norm[] = {
    ROW(V2 NORM, "[2,6,7,3]:quint8 [] []" VEC VEC VEC VEC, "[2,6,7,3]:qint32 [] []"),
    ROW(V2 NORM, "?:quint8 ? ?" VEC VEC VEC VEC, "[?,?,?,3]:qint32 [] []"),
    ROW(V2 NORM, "[n,6,7,?]:quint8 [] []" VEC VEC VEC VEC, "[n,6,7,3]:qint32 [] []"),
    ROW(V2 NORM, "[2,6,7,4]:quint8 [] []" VEC VEC VEC VEC, "SF101 a.3 d.0"),
    ROW(EAGER NORM, "[2,6,7,4]:quint8 [] []" VEC VEC VEC VEC,
        "SF101 'Must provide as many means as the last dimension of the input tensor: [3] vs. "
        "[2,6,7,4]'"),
    ROW(V2 NORM,
        "[2,6,7,1]:quint8 [] [] [1]:quint8 [] [] [1]:quint8 [] [] [1]:quint8 [] [] [1]:quint8 [] "
        "[]",
        "deferred SF129 d 'Must have at least a mean value[1]' / [2,6,7,1]:qint32 [] []"),
};
SF_OP_TEST(QuantizedBatchNormWithGlobalNormalization, norm)

#define POOL "ksize=[1,2,3,1],strides=[1,2,1,1],padding=VALID,"
static const SfOpCase pool[] = {
    ROW(V2 POOL, "[2,6,7,3]:quint8" R2, "[2,3,5,3]:quint8 [] []"),
    ROW(V2 POOL, "[n,6,?,3]:quint8" R2, "[n,3,?,3]:quint8 [] []"),
    ROW(V2 POOL, "?:quint8 ? ?", "[?,?,?,?]:quint8 [] []"),
    ROW(V2 POOL, "[2,6,7]:quint8" R2, "SF102 a"),
    ROW(V2 POOL, "[2,1,7,3]:quint8" R2, "SF110 a.1 @ksize"),
    ROW(EAGER POOL, "[2,6,7,3]:quint8 [1] []",
        "SF102 b 'min_input shape must be rank 0 but is rank 1, received shape: [1]'"),
};
SF_OPS_TEST(quantized_pool, pool, "QuantizedAvgPool", "QuantizedMaxPool")

static const SfOpCase resize[] = {
    ROW(V2, "[2,3,4,5]:quint8 {6,7}" R2, "[2,6,7,5]:quint8 [] []"),
    ROW(V2, "[n,?,4,5]:quint8 [2]" R2, "[n,?,?,5]:quint8 [] []"),
    ROW(V2, "?:quint8 ? ? ?", "[?,?,?,?]:quint8 [] []"),
    ROW(V2, "[2,3,4]:quint8 {6,7}" R2, "SF102 a"),
    ROW(EAGER, "[2,3,4,5]:quint8 {6,7} [1] []", "SF102 c 'min must be a scalar'"),
    ROW(V2, "[2,3,4,0]:quint8 {6,7}" R2,
        "deferred SF129 a.3 'image must have at least one channel' / [2,6,7,0]:quint8 [] []"),
    ROW(EAGER, "[2,3,4,0]:quint8 {6,7}" R2, "SF129 a.3 'image must have at least one channel'"),
    ROW(EAGER "half_pixel_centers=true,align_corners=true", "[5,4,4,5]:quint8 {5,1}" R2,
        "[5,5,1,5]:quint8 [] []"),
};
SF_OP_TEST(QuantizedResizeBilinear, resize)

static const SfOpCase matmul[] = {
    ROW(V2, "[2,3]:quint8 [3,4]:qint8" R4, "[2,4]:qint32 [] []"),
    ROW(V2 "transpose_a=true,transpose_b=true", "[3,n]:quint8 [4,3]:qint8" R4,
        "[n,4]:qint32 [] []"),
    ROW(V2, "?:quint8 [3,4]:qint8 ? ? ? ?", "[?,4]:qint32 [] []"),
    ROW(V2, "[2,7]:quint8 [3,4]:qint8" R4, "SF101 a.1 b.0"),
    ROW(V2, "[7]:quint8 [3,4]:qint8" R4, "SF102 a"),
    ROW(EAGER, "[2,4]:quint8 [3,4]:qint8" R4,
        "SF114 'Matrix size-incompatible: In[0]: [2,4], In[1]: [3,4]'"),
    ROW(EAGER, "[2,3]:quint8 [3,4]:qint8 2.0 1.0 [] []",
        "SF129 'max_a must be larger than min_a.'"),
};
SF_OP_TEST(QuantizedMatMul, matmul)

static const SfOpCase matmul_bias[] = {
    ROW(V2, "[2,3]:quint8 [3,4]:qint8 [4]:float" R4, "[2,4] [] []"),
    ROW(V2, "?:quint8 [3,n]:qint8 ?:float ? ? ? ?", "[?,n] [] []"),
    ROW(V2, "[2,3]:quint8 [3,4]:qint8 [1,4]:float" R4, "SF102 c"),
    ROW(V2, "[2,3]:quint8 [3,4]:qint8 [4]:float [2] [] [] []", "SF102 d"),
};
SF_OPS_TEST(matmul_bias, matmul_bias, "QuantizedMatMulWithBias", "QuantizedMatMulWithBiasAndRelu")

static const SfOpCase matmul_frozen[] = {
    ROW(V2, "[2,3]:quint8 [3,4]:qint8 [4]:float" R4 R2, "[2,4] [] []"),
    ROW(V2, "?:quint8 [3,n]:qint8 ?:float ? ? ? ? ? ?", "[?,n] [] []"),
    ROW(V2, "[2,3]:quint8 [3,4]:qint8 [4]:float" R4 " [1] []", "SF102 h"),
    ROW(V2, "[2,5]:quint8 [3,4]:qint8 [4]:float" R4 R2, "SF101 a.1 b.0"),
};
SF_OPS_TEST(matmul_frozen, matmul_frozen, "QuantizedMatMulWithBiasAndRequantize",
            "QuantizedMatMulWithBiasAndReluAndRequantize")

static const SfOpCase matmul_plain[] = {
    ROW(V2 "Toutput=float", "[2,3]:quint8 [3,4]:qint8 [4]:float" R4 R2, "[2,4]:float"),
    ROW(V2 "Toutput=float", "?:quint8 [3,n]:qint8 ?:float ? ? ? ? ? ?", "[?,n]:float"),
    ROW(V2 "Toutput=float", "[2,3]:quint8 [3,4]:qint8 []:float" R4 R2, "SF102 c"),
};
SF_OP_TEST(QuantizedMatMulWithBiasAndDequantize, matmul_plain)

#define CONV "strides=[1,1,1,1],padding=VALID,"
static const SfOpCase conv[] = {
    ROW(V2 CONV, QQ R4, "[2,4,5,4]:qint32 [] []"),
    ROW(V2 CONV, "[n,6,?,3]:quint8 [3,3,3,4]:qint8" R4, "[n,4,?,4]:qint32 [] []"),
    ROW(V2 CONV, "?:quint8 ?:qint8 ? ? ? ?", "[?,?,?,?]:qint32 [] []"),
    ROW(V2 CONV, QQ " [] [] [4] []", "SF102 e"),
    ROW(V2 CONV, "[2,6,7,3]:quint8 [3,3,2,4]:qint8" R4, "SF120 a.3 b.2"),
    ROW(V2 CONV, "[2,6,7,4]:quint8 [3,3,2,4]:qint8" R4,
        "deferred SF120 'input and filter must have the same depth: 4 vs 2' / [2,4,5,4]:qint32 [] "
        "[]"),
    ROW(V2 "strides=[1,2,1,1],padding=VALID", QQ R4,
        "deferred SF129 @strides 'only supports equal length strides' / [2,2,5,4]:qint32 [] []"),
    ROW(EAGER CONV, "[6,7,3]:quint8 [3,3,3,4]:qint8" R4,
        "SF102 a 'input must be rank 4 but is rank 3'"),
};
SF_OP_TEST(QuantizedConv2D, conv)

static const SfOpCase conv_channels[] = {
    ROW(V2 CONV, QQ R4, "[2,4,5,4]:qint32 [] []"),
    ROW(V2 CONV, QQ " [] [] [4] [4]", "[2,4,5,4]:qint32 [4] [4]"),
    ROW(V2 CONV, "[n,6,?,3]:quint8 [3,3,3,4]:qint8 ? ? ? ?", "[n,4,?,4]:qint32 ? ?"),
    ROW(V2 CONV, QQ " [] [] [2,2] [4]", "SF105 e"),
    ROW(V2 CONV, QQ " [1] [] [] []", "SF102 c"),
};
SF_OPS_TEST(conv_channels, conv_channels, "QuantizedConv2DPerChannel", "QuantizedConv2DAndRelu")

static const SfOpCase conv_pads[] = {
    ROW(V2 CONV "padding_list=[0,0,1,1,2,2,0,0]", QQ R4 R2, "[2,6,9,4] [] []"),
    ROW(V2 CONV, "?:quint8 [3,3,3,4]:qint8 ? ? ? ? ? ?", "[?,?,?,4] [] []"),
    ROW(V2 CONV, "[n,6,7,3]:quint8 [3,3,3,4]:qint8" R4 R2, "[n,4,5,4] [] []"),
    ROW(V2 CONV "padding_list=[1,2]", QQ R4 R2,
        "SF128 'explicit_paddings attribute must contain 8 values, but got: 2'"),
    ROW(V2 CONV, QQ R4 " [1] []", "SF102 g"),
};
SF_OPS_TEST(conv_pads, conv_pads, "QuantizedConv2DAndRequantize",
            "QuantizedConv2DAndReluAndRequantize")

static const SfOpCase conv_bias[] = {
    ROW(V2 CONV, QQ " [4]" R4, "[2,4,5,4]:qint32 [] []"),
    ROW(V2 CONV, QQ " [4] [] [] [4] [4]", "[2,4,5,4]:qint32 [4] [4]"),
    ROW(V2 CONV, "[?,6,7,3]:quint8 [3,3,3,4]:qint8 [4]" R4, "[?,4,5,4]:qint32 [] []"),
    ROW(V2 CONV, "?:quint8 ?:qint8 ? ? ? ? ?", "[?,?,?,?]:qint32 ? ?"),
    ROW(V2 CONV, QQ " []" R4, "SF102 c"),
};
SF_OPS_TEST(conv_bias, conv_bias, "QuantizedConv2DWithBias", "QuantizedConv2DWithBiasAndRelu")

static const SfOpCase conv_bias_frozen[] = {
    ROW(V2 CONV, QQ " [4]:float [] [] [4] [4]" R2, "[2,4,5,4] [] []"),
    ROW(V2 CONV, "[n,6,7,3]:quint8 ?:qint8 ?:float ? ? ? ? ? ?", "[n,?,?,?] [] []"),
    ROW(V2 CONV, QQ " [4]:float" R4 " [2] []", "SF102 h"),
    ROW(V2 CONV, QQ " [4]:float [2] [] [] []" R2, "SF102 d"),
};
SF_OPS_TEST(conv_bias_frozen, conv_bias_frozen, "QuantizedConv2DWithBiasAndRequantize",
            "QuantizedConv2DWithBiasAndReluAndRequantize")

static const SfOpCase conv_sum[] = {
    ROW(V2 CONV, QQ " [4]" R4 " [2,4,5,4]", "[2,4,5,4]:qint32 [] []"),
    ROW(V2 CONV, "[n,6,7,3]:quint8 ?:qint8 ? ? ? ? ? ?", "[n,?,?,?]:qint32 ? ?"),
    ROW(V2 CONV, QQ " [1,4]" R4 " [2,4,5,4]", "SF102 c"),
};
SF_OP_TEST(QuantizedConv2DWithBiasSumAndRelu, conv_sum)

static const SfOpCase conv_sum_frozen[] = {
    ROW(V2 CONV, QQ " [4]:float" R4 R2 " [2,4,5,4]:quint8" R2, "[2,4,5,4] [] []"),
    ROW(V2 CONV, "[n,6,7,3]:quint8 ?:qint8 ?:float ? ? ? ? ? ? ?:quint8 ? ?", "[n,?,?,?] [] []"),
    ROW(V2 CONV, QQ " [4]:float" R4 " [] [3] [2,4,5,4]:quint8" R2, "SF102"),
};
SF_OPS_TEST(conv_sum_frozen, conv_sum_frozen, "QuantizedConv2DWithBiasSumAndReluAndRequantize",
            "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize")

static const SfOpCase depthwise[] = {
    ROW(V2 CONV, QQ R4, "[2,4,5,12]:qint32 ? ?"),
    ROW(V2 CONV, "[n,6,?,3]:quint8 [3,3,3,4]:qint8 ? ? ? ?", "[n,4,?,12]:qint32 ? ?"),
    ROW(V2 CONV, "?:quint8 ?:qint8 ? ? ? ?", "[?,?,?,?]:qint32 ? ?"),
    ROW(V2 CONV, "[2,6,7,3]:quint8 [3,3,2,4]:qint8" R4, "SF101 a.3 b.2"),
};
SF_OP_TEST(QuantizedDepthwiseConv2D, depthwise)

static const SfOpCase depthwise_bias[] = {
    ROW(V2 CONV, QQ " [12]" R4, "[2,4,5,12]:qint32 ? ?"),
    ROW(V2 CONV, "[n,6,?,3]:quint8 ?:qint8 ? ? ? ? ?", "[n,?,?,?]:qint32 ? ?"),
    ROW(V2 CONV, "[2,6,7]:quint8 [3,3,2,4]:qint8 [8]" R4, "SF102 a"),
};
SF_OPS_TEST(depthwise_bias, depthwise_bias, "QuantizedDepthwiseConv2DWithBias",
            "QuantizedDepthwiseConv2DWithBiasAndRelu")

static const SfOpCase depthwise_frozen[] = {
    ROW(V2 CONV, QQ " [12]:float" R4 R2, "[2,4,5,12]:quint8 ? ?"),
    ROW(V2 CONV, "[n,6,?,3]:quint8 ?:qint8 ?:float ? ? ? ? ? ?", "[n,?,?,?]:quint8 ? ?"),
    ROW(V2 CONV, "[2,6,7]:quint8 [3,3,2,4]:qint8 [8]:float" R4 R2, "SF102 a"),
};
SF_OP_TEST(QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize, depthwise_frozen)

static const SfOpCase quantized_relu[] = {
    ROW("", "[5]:quint8 0.0 1.0", "[5] [] []"), ROW("", "[?]:quint8 0.0 1.0", "[?] [] []"),
    ROW("", "?:quint8 ? ?", "? [] []"),         ROW("", "[5]:quint8 [2] 1.0", "SF102 b"),
    ROW("", "[5]:quint8 0.0 [2]", "SF102 c"),
};
SF_OPS_TEST(quantized_relu_rows, quantized_relu, "QuantizedRelu", "QuantizedRelu6")

static const SfOpCase quantized_relu_x[] = {
    ROW("", "[5]:quint8 3.0 0.0 1.0", "[5] [] []"), ROW("", "[?]:quint8 3.0 0.0 1.0", "[?] [] []"),
    ROW("", "?:quint8 ? ? ?", "? [] []"),           ROW("", "[5]:quint8 [2] 0.0 1.0", "SF102 b"),
    ROW("", "[5]:quint8 3.0 [2] 1.0", "SF102 c"),   ROW("", "[5]:quint8 3.0 0.0 [2]", "SF102 d"),
};
SF_OP_TEST(QuantizedReluX, quantized_relu_x)
