/* Rows of the quantisers; expectations asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase quantize_v2[] = {
    ROW("T=qint8",         "[2,3] [] []",   "[2,3]:qint8 [] []"),
    ROW("T=qint8",         "[n,?] [] ?",    "[n,?] [] []"),
    ROW("T=qint8",         "? ? ?",         "? [] []"),
    ROW("T=qint8",         "! [] []",       "! ! !"),
    ROW("T=qint8,axis=1",  "[2,3] [3] ?",   "[2,3] [3] [3]"),
    ROW("T=qint8,axis=1",  "[2,3] ? ?",     "[2,3] [3] [3]"),
    /* the kernel gives scalars for one slice */
    ROW("T=qint8,axis=0",  "[1,3] [1] [1]", "[1,3] [] []"),
    ROW("T=qint8,axis=0",  "[?,3] ? ?",     "[?,3] ? ?"),
    ROW("T=qint8",         "[2] [1] []",    "SF102 b"),
    ROW("T=qint8,axis=1",  "[2,3] [2] [2]", "SF101 c.0 a.1"),
    ROW("T=qint8,axis=1",  "[2,3] [2] [3]", "deferred SF101 b.0 a.1 / [2,3] [3] [3]"), /* construction looks at the upper limits */
    ROW("T=qint8,axis=2",  "[2,3] [3] [3]", "SF103 a"),
    ROW("T=qint8,axis=-2", "[2,3] [] []",   "SF111 @axis 'axis should be at least -1, got -2'"),
    ROW("T=qint8",         "[2] 2.0 1.0",   "deferred SF128 b c 'input_max_range must be larger than input_min_range.' / [2] [] []"),
    ROW("T=qint8,@phase=eager",        "[2] [1] []", "[2] [] []"),
    ROW("T=qint8,@phase=eager",        "[2] [2] []", "SF128 b 'If axis is not specified, min_range must contain a single float element, but it contains 2 elements'"),
    ROW("T=qint8,@phase=eager,axis=1", "[2] [2] [2]", "SF111 @axis a 'given axis value was 1 and input'"),
    ROW("T=qint8,@phase=eager,axis=0", "[2] [] [2]", "SF102 b @axis 'min_range dims are 0'"),
    ROW("T=qint8,@phase=eager,axis=0", "[2] [3] [2]", "SF101 b.0 a.0 'min_range is a 1-D tensor of size 3'"),
};
SF_OP_TEST(QuantizeV2, quantize_v2)

static const SfOpCase dequantize[] = {
    ROW("",        "[2,3]:qint8 [] []",   "[2,3]:float"),
    ROW("axis=1",  "[n,3]:qint8 [3] ?",   "[n,3]"),
    ROW("",        "?:qint8 ? ?",         "?"),
    ROW("",        "!:qint8 [] []",       "!"),
    ROW("",        "[2,3]:qint8 [2] [2]", "SF102 b"),
    ROW("axis=1",  "[2,3]:qint8 [2] [2]", "SF101 c.0 a.1"),
    ROW("axis=1",  "[2,3]:qint8 [2] [3]", "deferred SF101 b a / [2,3]"),
    ROW("axis=1,@phase=eager", "[2,3]:qint8 [2] [2]",
        "SF101 b a 'input_min_tensor must have as many elements as input on the dequantization axis (1), got 2, expected 3'"),
    ROW("axis=2,@phase=eager", "[2,3]:qint8 [2] [2]", "SF111 @axis a 'Axis must be less than input dimension(2), got 2'"),
    ROW("@phase=eager", "[2,3]:qint8 [1] [1]", "[2,3]"),
    ROW("dtype=bfloat16,mode='SCALED',@phase=eager",    "[2]:qint8 [] []", "[2]:bfloat16"),
    ROW("dtype=bfloat16,mode='MIN_FIRST',@phase=eager", "[2]:qint8 [] []", "SF129 @mode 'When output type is bfloat16'"),
};
SF_OP_TEST(Dequantize, dequantize)

static const SfOpCase shrink[] = {
    ROW("out_type=quint8", "[2,3]:qint32 [] []",  "[2,3]:quint8 [] []"),
    ROW("out_type=quint8", "[n]:qint32 ? []",     "[n] [] []"),
    ROW("out_type=quint8", "?:qint32 ? ?",        "? [] []"),
    ROW("out_type=quint8", "[2]:qint32 [1] []",   "SF102 b"),
    ROW("out_type=quint8,@phase=eager", "[2]:qint32 [] [1]", "SF102 c '`input_max` must be rank 0 but is rank 1'"),
};
SF_OP_TEST(QuantizeDownAndShrinkRange, shrink)

static const SfOpCase requantize[] = {
    ROW("out_type=quint8", "[2,3]:qint32 [] [] [] []", "[2,3]:quint8 [] []"),
    ROW("out_type=quint8", "[n]:qint32 [] [] ? []",    "[n] [] []"),
    ROW("out_type=quint8", "?:qint32 ? ? ? ?",         "? [] []"),
    ROW("out_type=quint8", "[2]:qint32 [] [] [] [2]",  "SF102 e"),
    ROW("out_type=quint8,@phase=eager", "[2]:qint32 [] [] [] [2]",
        "SF102 e '`requested_output_max` must be rank 0 but is rank 1'"),
};
SF_OP_TEST(Requantize, requantize)

static const SfOpCase requantize_channels[] = {
    ROW("", "[2,3,4,5]:qint32 [5] [5] [] []", "[2,3,4,5]:quint8 [] []"),
    ROW("", "?:qint32 ? ? ? ?",               "? [] []"),
    ROW("", "[?,3,4,5]:qint32 [n] ? [] []",   "[?,3,4,5] [] []"),
    ROW("", "[2,3,4,5]:qint32 [] [5] [] []",  "SF102 b"),
    ROW("", "[2,3]:qint32 [3] [3] [] []",     "deferred SF102 a 'supports 4D tensors only.' / [2,3] [] []"),
    ROW("", "[2,3,4,5]:qint32 [5] [2] [] []", "deferred SF101 c 'input_max has incorrect size, expected 5 was 2' / [2,3,4,5] [] []"),
    ROW("out_type=qint8", "[2,3,4,5]:qint32 [5] [5] 0.5 6.0", "deferred SF128 d @out_type 'requested_output_max must be non negative, got 0.5' / [2,3,4,5] [] []"),
    ROW("out_type=qint8", "[2,3,4,5]:qint32 [5] [5] -0.5 6.0", "[2,3,4,5] [] []"),
};
SF_OP_TEST(RequantizePerChannel, requantize_channels)

static const SfOpCase range[] = {
    ROW("", "[2,3]:qint32 [] []",  "[] []"),
    ROW("", "[?]:qint32 [] ?",     "[] []"),
    ROW("", "?:qint32 ? ?",        "[] []"),
    ROW("", "[2,3]:qint32 [1] []", "SF102 b"),
    ROW("@phase=eager", "[2,3]:qint32 [1] []", "[] []"),
};
SF_OP_TEST(RequantizationRange, range)

static const SfOpCase range_channels[] = {
    ROW("clip_value_max=6.0", "[2,3,4,5]:qint32 [5] [5]", "[] []"),
    ROW("clip_value_max=6.0", "[2,3,4,?]:qint32 [5] ?",   "[] []"),
    ROW("clip_value_max=6.0", "?:qint32 ? ?",             "[] []"),
    ROW("clip_value_max=6.0", "[2,3,4,5]:qint32 [] [5]",  "SF102 b"),
    ROW("clip_value_max=6.0", "[2,3,4,5]:qint32 [2] [2]",
        "deferred SF101 a.3 b 'input must have same number of channels as length of input_min: 5 vs 2' / [] []"),
    ROW("clip_value_max=6.0", "[2,5]:qint32 [5] [5]", "deferred SF102 a 'input must be in NHWC format' / [] []"),
};
SF_OP_TEST(RequantizationRangePerChannel, range_channels)

static const SfOpCase instance_norm[] = {
    ROW("", "[2,3,4,5]:quint8 [] []", "[2,3,4,5] [] []"),
    ROW("", "[n,3,?,5]:quint8 [] ?",  "[n,3,?,5] [] []"),
    ROW("", "?:quint8 ? ?",           "[?,?,?,?] [] []"),
    ROW("", "[2,3,4]:quint8 [] []",   "SF102 a"),
    ROW("", "[2,3,4,5]:quint8 [1] []", "SF102 b"),
};
SF_OP_TEST(QuantizedInstanceNorm, instance_norm)

static const SfOpCase pretend[] = {
    ROW("",       "[2,3] [] []",   "[2,3]"),
    ROW("axis=1", "[2,3] [3] [3]", "[2,3]"),
    ROW("",       "[n] ? []",      "[n]"),
    ROW("",       "? ? ?",         "?"),
    ROW("",       "[2,3] [2] []",  "SF102 b"),
    ROW("axis=1", "[2,3] [2] [2]", "SF101 b.0 a.1"),
    ROW("num_bits=0,@phase=eager", "[2] [] []", "SF128 @num_bits 'num_bits is out of range: 0 with signed_input_ 1'"),
    ROW("num_bits=0", "[2] [] []", "deferred SF128 @num_bits / [2]"),
    ROW("range_given=true,@version=2.21", "[2] 4.0 1.0", "deferred SF128 b c 'Invalid range: input_min 4 > input_max 1' / [2]"),
    ROW("range_given=true,axis=0,@version=2.21", "[2] [2] [2]", "deferred SF102 b 'input_min must be a scalar.' / [2]"),
    ROW("range_given=true,axis=0,@version=1.15", "[2] [2] [2]", "[2]"),
    ROW("axis=-2,@phase=eager", "[2] [] []", "SF111 @axis 'Axis must be at least -1. Found -2'"),
    ROW("axis=2,@phase=eager",  "[2] [] []", "SF103 a @axis 'Shape must be at least rank 3 but is rank 1'"),
    ROW("axis=9223372036854775807,@phase=eager",  "[2] [] []", "SF103 a @axis"),
};
SF_OPS_TEST(quantize_and_dequantize, pretend, "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4")

static const SfOpCase pretend_v3[] = {
    ROW("",       "[2,3] [] [] []",     "[2,3]"),
    ROW("axis=1", "[2,3] [3] [3] []",   "[2,3]"),
    ROW("",       "[n] [] ? ?",         "[n]"),
    ROW("",       "? ? ? ?",            "?"),
    ROW("",       "[2,3] [] [] [1]",    "SF102 d"),
    ROW("",       "[2,3] [] [] 0",      "deferred SF128 d 'num_bits is out of range: 0 with `signed_input_` 1' / [2,3]"),
    ROW("@phase=eager", "[2,3] [] [] [1]",
        "SF102 d 'Invalid shape. The `num_bits` tensor should be a scalar. Got dimensions: 1'"),
    ROW("axis=1,@phase=eager", "[2,3] [2] [2] []",
        "SF101 b.0 a.1 'input_min_tensor has incorrect size, was 2 expected 3 to match dim 1 of the input [2]'"),
    ROW("axis=2,@phase=eager", "[2,3] [2] [2] []",
        "SF111 @axis a 'Axis requested is larger than input dimensions. Axis: 2 Input Dimensions: 2'"),
};
SF_OP_TEST(QuantizeAndDequantizeV3, pretend_v3)

static const SfOpCase pretend_grad[] = {
    ROW("",       "[2,3] [2,3] [] []",   "[2,3] [] []"),
    ROW("axis=1", "[2,?] [2,3] [3] ?",   "[2,3] [3] [3]"),
    ROW("axis=1", "? ? ? ?",             "? [?] [?]"),
    ROW("",       "[2,3] [2,4] [] []",   "SF107 a.1 b.1"),
    ROW("axis=1", "[2,3] [2,3] [2] [2]", "SF101 c.0 a.1"),
    ROW("@phase=eager",        "[2,3] [2,4] [] []",   "SF107 a.1 b.1 'gradient and input must be the same size'"),
    ROW("@phase=eager",        "[2,3] [2,3] [1] []",  "SF102 c 'input_min must be a scalar if axis is unspecified'"),
    ROW("axis=1,@phase=eager", "[2,3] [2,3] [2] [2]", "SF101 c.0 a.1 'min has incorrect size, expected 3 was 2'"),
    ROW("axis=-2,@phase=eager", "[2,3] [2,3] [2] [2]", "SF111 @axis 'Axis must be at least -1. Found -2'"),
};
SF_OP_TEST(QuantizeAndDequantizeV4Grad, pretend_grad)

static const SfOpCase reshape[] = {
    ROW("", "[2,3]:quint8 {3,-1} [] []", "[3,2] [] []"),
    ROW("", "[n,4]:quint8 {-1,2} [] ?",  "[2*n,2] [] []"),
    ROW("", "?:quint8 ? ? ?",            "? [] []"),
    ROW("", "[2,3]:quint8 {4,-1} [] []", "SF109 a b"),
    ROW("", "[2,3]:quint8 {6} [1] []",   "SF102 c"),
    ROW("@phase=eager", "[2,3]:quint8 {6} [1] []", "[6] [] []"),
    ROW("@phase=eager", "[2,3]:quint8 {6} [] [2]", "SF102 d 'input_max must be a scalar or a vector of 1 element'"),
};
SF_OP_TEST(QuantizedReshape, reshape)

static const SfOpCase concat[] = {
    ROW("N=2", "0 ( [2,3]:quint8 [n,3]:quint8 ) ( [] [] ) ( [] [] )", "[n+2,3] [] []"),
    ROW("N=2", "0 ( [2,3]:quint8 [2,3]:quint8 ) ( [] [] ) ( [] [] )", "[4,3] [] []"),
    ROW("N=2", "0 ( ?:quint8 [2,3]:quint8 ) ( ? [] ) ( [] ? )",       "[?,3] [] []"),
    ROW("N=2", "? ( ?:quint8 ?:quint8 ) ( ? ? ) ( ? ? )",             "? [] []"),
    ROW("N=2", "0 ( [2,3]:quint8 [2,4]:quint8 ) ( [] [] ) ( [] [] )", "SF107"),
    ROW("N=2", "0 ( [2]:quint8 [2]:quint8 ) ( [1] [] ) ( [] [] )",    "SF102"),
    ROW("N=2", "-1 ( [2]:quint8 [2]:quint8 ) ( [] [] ) ( [] [] )",
        "deferred SF111 a b 'Expected concatenating dimensions in the range [0, 1), but got -1' / [4] [] []"),
    ROW("N=2,@phase=eager", "0 ( [2,3]:quint8 [4,4]:quint8 ) ( [] [] ) ( [] [] )",
        "SF115 'ConcatOp : Dimensions of inputs should match: shape[0] = [2,3] vs. shape[1] = [4,4]'"),
    ROW("N=2,@phase=eager", "0 ( [2]:quint8 [4]:quint8 ) ( [] [2] ) ( [] [] )",
        "SF102 'given num elements 2 in index 1'"),
};
SF_OP_TEST(QuantizedConcat, concat)
