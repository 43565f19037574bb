/* Rows of uniform quantisation; expectations asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

#define R8  "quantization_min_val=-8,quantization_max_val=7"
#define L8  "lhs_quantization_min_val=-8,lhs_quantization_max_val=7"
#define RH8 "rhs_quantization_min_val=-8,rhs_quantization_max_val=7"
#define O8  "output_quantization_min_val=-8,output_quantization_max_val=7"
#define ALL L8 "," RH8 "," O8

/* clang-format off */
static const SfOpCase quantize[] = {
    ROW("Tout=qint8," R8,                      "[2,3] [] []",    "[2,3]:qint8"),
    ROW("Tout=qint8,quantization_axis=1," R8,  "[n,3] [3] [3]",  "[n,3]"),
    ROW("Tout=qint8,quantization_axis=1," R8,  "? ? ?",          "?"),
    ROW("Tout=qint8," R8,                      "! [] []",        "!"),
    ROW("Tout=qint8,quantization_axis=1," R8,  "[2,3] [2] [2]",  "deferred SF101 b a 'If quantization_axis is not -1' / [2,3]"),
    ROW("Tout=qint8," R8,                      "[2,3] [1] [1]",  "deferred SF102 b 'If quantization_axis is -1, scales and zero_points must be scalar tensors' / [2,3]"),
    ROW("Tout=qint8," R8,                      "[2,3] [1] []",   "deferred SF107 b c 'scales and zero_points shape must be same' / [2,3]"),
    ROW("Tout=qint8,quantization_axis=-2," R8, "[2,3] [] []",    "deferred SF111 @quantization_axis / [2,3]"),
    ROW("Tout=qint8,quantization_axis=2,@phase=eager," R8, "[2,3] [] []", "SF111 b 'but given 2'"),
};
SF_OP_TEST(UniformQuantize, quantize)

static const SfOpCase dequantize[] = {
    ROW("Tout=float," R8,                     "[2,3]:qint8 [] []",   "[2,3]:float"),
    ROW("Tout=float,quantization_axis=1," R8, "[n,3]:qint8 [3] [3]", "[n,3]"),
    ROW("Tout=float," R8,                     "?:qint8 ? ?",         "?"),
    ROW("Tout=float," R8,                     "[2]:qint8 [2] [2]",   "deferred SF102 b / [2]"),
};
SF_OP_TEST(UniformDequantize, dequantize)

#define IO8 "input_quantization_min_val=-8,input_quantization_max_val=7," O8
static const SfOpCase requantize[] = {
    ROW("Tout=qint8," IO8, "[2,3]:qint32 [] [] [] []", "[2,3]:qint8"),
    ROW("Tout=qint8,input_quantization_axis=1," IO8, "[n,3]:qint32 [3] [3] [] []", "[n,3]"),
    ROW("Tout=qint8," IO8, "?:qint32 ? ? ? ?", "?"),
    ROW("Tout=qint8,input_quantization_axis=1," IO8, "[2,3]:qint32 [2] [2] [] []", "deferred SF101 b a / [2,3]"),
    ROW("Tout=qint8,input_quantization_axis=1,output_quantization_axis=0," IO8, "[2,3]:qint32 [3] [3] [2] [2]",
        "deferred SF128 'If input and output is both per-axis quantized, the quantization axis must be same.' / [2,3]"),
};
SF_OP_TEST(UniformRequantize, requantize)

static const SfOpCase clip[] = {
    ROW(R8, "[2,3]:qint32 [] [] [] []", "[2,3]"),
    ROW("quantization_axis=1," R8, "[n,3]:qint32 [3] ? [3] [3]", "[n,3]"),
    ROW(R8, "?:qint32 ? ? ? ?", "?"),
    ROW(R8, "[2,3]:qint32 [3] [] [] []", "deferred SF107 b d 'Input min shape must be same as scales' / [2,3]"),
};
SF_OP_TEST(UniformQuantizedClipByValue, clip)

static const SfOpCase add[] = {
    ROW(ALL, "[2,3]:qint32 [3]:qint32 [] [] [] [] [] []", "[2,3]"),
    ROW(ALL, "[n,3]:qint32 [1,3]:qint32 ? ? ? ? ? ?",     "[n,3]"),
    ROW(ALL, "?:qint32 [3]:qint32 [] [] [] [] [] []",     "?"),
    ROW(ALL, "[2,3]:qint32 [2]:qint32 [] [] [] [] [] []", "SF101 a.1 b.0"),
    ROW("@phase=eager," ALL, "[2,3]:qint32 [2]:qint32 [] [] [] [] [] []", "SF113 a b 'Cannot Add tensors of shapes: [2,3][2]'"),
    ROW("lhs_quantization_axis=0,rhs_quantization_axis=1,output_quantization_axis=0," ALL,
        "[2,3]:qint32 [2,3]:qint32 [2] [2] [3] [3] [2] [2]", "deferred SF128 b @output_quantization_axis 'If rhs and output is both per-axis quantized, the quantization axis must match.' / [2,3]"),
};
SF_OP_TEST(UniformQuantizedAdd, add)

static const SfOpCase dot[] = {
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [] [] [] [] [] []",     "[2,4]:qint32"),
    ROW("Tout=qint32," ALL, "[n,3]:qint8 [?,4]:qint8 [] [] ? [] [] []",      "[n,4]"),
    ROW("Tout=qint32," ALL, "?:qint8 ?:qint8 ? ? ? ? ? ?",                   "[?,?]"),
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [5,4]:qint8 [] [] [] [] [] []",     "SF101 a.1 b.0"),
    ROW("Tout=qint32," ALL, "[3]:qint8 [3,4]:qint8 [] [] [] [] [] []",       "SF102 a"),
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [1] [] [] [] [] []",    "SF105 c"),
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [] [] [3] [3] [] []",   "SF101"),
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [] [] [4] [] [] []",    "SF128 'scales and zero_points must have same rank.'"),
    ROW("Tout=qint32,lhs_quantization_axis=0," ALL, "[2,3]:qint8 [3,4]:qint8 [] [] [] [] [] []", "deferred SF111 @lhs_quantization_axis / [2,4]"),
    ROW("Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [] [] [] [] [4] [4]",   "deferred SF102 g e / [2,4]"),
    ROW("@phase=eager,Tout=qint32," ALL, "[2,3]:qint8 [5,4]:qint8 [] [] [] [] [] []",
        "SF101 'lhs.dim_size(1) and rhs.dim_size(0) must be equal, but given lhs shape [2,3] and rhs shape [5,4]'"),
    ROW("@phase=eager,Tout=qint32," ALL, "[3]:qint8 [3,4]:qint8 [] [] [] [] [] []", "SF102 a 'lhs rank must be 2, but given lhs shape [3]'"),
    ROW("@phase=eager,Tout=qint32," ALL, "[2,3]:qint8 [3,4]:qint8 [1] [1] [] [] [] []", "SF102 c d 'lhs scales/zero_points must be all scalar tensors. Given: [1][1]'"),
};
SF_OP_TEST(UniformQuantizedDot, dot)

static const SfOpCase dot_hybrid[] = {
    ROW("Tout=float," RH8, "[2,3] [3,4]:qint8 [] []",                        "[2,4]:float"),
    ROW("Tout=float,rhs_quantization_axis=1," RH8, "[n,3] [3,4]:qint8 [4] ?", "[n,4]"),
    ROW("Tout=float," RH8, "? ?:qint8 ? ?",                                  "[?,?]"),
    ROW("Tout=float," RH8, "[2,5] [3,4]:qint8 [] []",                        "SF101 a.1 b.0"),
    ROW("Tout=float,rhs_quantization_axis=0," RH8, "[2,3] [3,4]:qint8 [] []", "deferred SF111 @rhs_quantization_axis / [2,4]"),
};
SF_OP_TEST(UniformQuantizedDotHybrid, dot_hybrid)

#define CONV "Tout=float," RH8 ",padding="
static const SfOpCase conv_hybrid[] = {
    ROW(CONV "VALID", "[2,3,8,8] [4,3,3,3]:qint8 [] []", "[2,4,6,6]:float"),
    ROW(CONV "SAME,window_strides=[2,3]", "[2,3,8,8] [4,3,3,3]:qint8 [] []", "[2,4,4,3]"),
    ROW(CONV "EXPLICIT,explicit_padding=[1,2,0,1],window_strides=[2,3],lhs_dilation=[2,1],rhs_dilation=[1,2]",
        "[2,3,8,8] [4,3,3,3]:qint8 [] []", "[2,4,8,2]"),
    ROW(CONV "VALID,feature_group_count=2", "[2,6,8,8] [4,3,3,3]:qint8 [] []", "[2,4,6,6]"),
    ROW(CONV "VALID,batch_group_count=2", "[4,3,8,8] [4,3,3,3]:qint8 [] []", "[2,4,6,6]"),
    ROW(CONV "VALID", "[?,3,8,8] [4,3,3,3]:qint8 [] []", "[?,?,?,?]"),
    ROW(CONV "VALID,@phase=run", "[n,3,8,m+8] [4,3,3,3]:qint8 [] []", "[n,4,6,m+6]"),
    ROW(CONV "VALID", "? ?:qint8 ? ?", "?"),
    ROW(CONV "VALID", "[2,4,8,8] [4,3,3,3]:qint8 [] []",
        "SF109 'rhs input feature dimension must divide lhs feature dimension size, but 3 does not divide 4'"),
    ROW(CONV "VALID", "[2,3,8,8] [4,3,3]:qint8 [] []", "SF108 a b 'lhs and rhs must have same rank.'"),
    ROW(CONV "VALID", "[2,3] [4,3]:qint8 [] []", "SF103 'lhs and rhs shape dims must be at least 3. Given: 2'"),
    ROW(CONV "VALID", "[2,3,1,1] [4,3,3,3]:qint8 [] []", "SF110 a.2 b.2 'Expected shape dimensions to be non-negative, got -1'"),
    ROW(CONV "VALID", "[?,4,8,8] [4,3,3,3]:qint8 [] []", "deferred SF109 / [?,?,?,?]"),
    ROW(CONV "FOO", "[2,3,8,8] [4,3,3,3]:qint8 [] []", "SF128 @padding 'but given: FOO'"),
    ROW(CONV "SAME,window_strides=[2,0]", "[2,3,8,8] [4,3,3,3]:qint8 [] []", "SF128 'All elements of window_strides must be >= 1. Given 2, 0'"),
    ROW(CONV "SAME,dimension_numbers='abc'", "[2,3,8] [4,3,3]:qint8 [] []", "SF128 'Error parsing convolution dimension numbers.'"),
    ROW(CONV "VALID,rhs_quantization_axis=1", "[2,3,8] [4,3,3]:qint8 [4] [4]", "deferred SF111 @rhs_quantization_axis / [2,4,6]"),
    ROW(CONV "VALID", "[2,3,8] [4,3,3]:qint8 [3] [3]", "SF101"),
};
SF_OP_TEST(UniformQuantizedConvolutionHybrid, conv_hybrid)

#define CONVQ "Tout=qint32," ALL ",padding="
static const SfOpCase conv[] = {
    ROW(CONVQ "VALID", "[2,3,8,8]:qint8 [4,3,3,3]:qint8 [] [] [] [] [] []", "[2,4,6,6]:qint32"),
    ROW(CONVQ "VALID", "[?,3,8,8]:qint8 [4,3,3,3]:qint8 [] [] [] [] [] []", "[?,?,?,?]"),
    ROW(CONVQ "SAME,lhs_dilation=[2]", "[2,3,8]:qint8 [4,3,3]:qint8 [] [] [] [] [] []", "[2,4,15]"),
    ROW(CONVQ "SAME", "[2,3,8]:qint8 ?:qint8 [] [] [] [] [] []", "[?,?,?]"),
    ROW(CONVQ "SAME", "?:qint8 ?:qint8 ? ? ? ? ? ?", "?"),
    ROW(CONVQ "VALID", "[2,3,8,8]:qint8 [4,3,3,3]:qint8 [1] [1] [] [] [] []", "SF105 c"),
    ROW(CONVQ "VALID", "[2,3,8,8]:qint8 [4,3,3,3]:qint8 [] [] [] [] [4] [4]", "deferred SF102 g / [2,4,6,6]"),
    ROW(CONVQ "VALID", "[2,3,9223372036854775807]:qint8 [4,3,1]:qint8 [] [] [] [] [] []", "[2,4,?]"),
};
SF_OP_TEST(UniformQuantizedConvolution, conv)
