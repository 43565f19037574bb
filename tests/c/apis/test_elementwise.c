/* Rows of the elementwise ops; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase unary[] = {
    ROW("", "[n,3]",   "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[2,?,4]", "[2,?,4]"),
    ROW("", "?",       "?"),
    ROW("", "!",       "!"),
};
SF_OPS_TEST(elementwise, unary, "Abs", "Neg", "Sign", "Reciprocal", "Inv", "Square", "Sqrt",
             "Rsqrt", "Exp", "Expm1", "Log", "Log1p", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan",
             "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Sigmoid", "Erf", "Erfc",
             "Erfinv", "Ndtri", "Lgamma", "Digamma", "Floor", "Ceil", "Round", "Rint", "BesselI0",
             "BesselI1", "BesselI0e", "BesselI1e", "BesselK0", "BesselK1", "BesselK0e",
             "BesselK1e", "BesselJ0", "BesselJ1", "BesselY0", "BesselY1", "Dawsn", "Expint",
             "FresnelCos", "FresnelSin", "Spence", "OnesLike", "ZerosLike", "Softplus",
             "Softsign", "Relu", "Relu6", "Elu", "Selu", "LeakyRelu", "IsNan", "IsInf",
             "IsFinite")

static const SfOpCase unary_int[] = {
    ROW("", "[n,3]:int32", "[n,3]"),
    ROW("", "[]:int64",    "[]"),
    ROW("", "?:int8",      "?"),
};
SF_OPS_TEST(elementwise, unary_int, "Invert", "PopulationCount", "Abs", "Neg", "Sign", "Square",
             "Round", "Relu", "Relu6", "OnesLike", "ZerosLike")

static const SfOpCase absolute[] = {
    ROW("", "{-1.5,2.0}",    "{1.5,2.0}"),
    ROW("", "{-3,4}:int32",  "{3,4}"),
    ROW("", "{-128,5}:int8", "{-128,5}"),
    ROW("", "{n,-2}:int32",  "{n,?}"),
};
SF_OP_TEST(Abs, absolute)

static const SfOpCase negative[] = {
    ROW("", "{1.5,-2.0}",    "{-1.5,2.0}"),
    ROW("", "{-128,5}:int8", "{-128,-5}"),
};
SF_OP_TEST(Neg, negative)

static const SfOpCase signs[] = {
    ROW("", "{-1.5,0.0,2.0}", "{-1.0,0.0,1.0}"),
    ROW("", "{-3,0,4}:int32", "{-1,0,1}"),
};
SF_OP_TEST(Sign, signs)

static const SfOpCase square[] = {
    ROW("", "{3,-4}:int32",  "{9,16}"),
    ROW("", "{1.5}",         "{2.25}"),
    ROW("", "{65536}:int32", "{0}"),
};
SF_OP_TEST(Square, square)

static const SfOpCase roots[] = {
    ROW("", "{4.0,2.25}", "{2.0,1.5}"),
};
SF_OP_TEST(Sqrt, roots)

static const SfOpCase inverse_roots[] = {
    ROW("", "{4.0,0.25}", "{0.5,2.0}"),
};
SF_OP_TEST(Rsqrt, inverse_roots)

static const SfOpCase reciprocal[] = {
    ROW("", "{4.0,-0.5}", "{0.25,-2.0}"),
};
SF_OPS_TEST(elementwise, reciprocal, "Reciprocal", "Inv")

static const SfOpCase exponentials[] = {
    ROW("", "{0.0}", "{1.0}"),
};
SF_OPS_TEST(elementwise, exponentials, "Exp", "Cosh")

static const SfOpCase zero_at_zero[] = {
    ROW("", "{0.0}", "{0.0}"),
};
SF_OPS_TEST(elementwise, zero_at_zero, "Expm1", "Sinh", "Tanh", "Sin", "Tan", "Asin", "Atan",
             "Asinh", "Atanh", "Log1p", "Erf", "Floor", "Ceil", "Rint", "Softsign", "Elu", "Selu")

static const SfOpCase logarithm[] = {
    ROW("", "{1.0}", "{0.0}"),
};
SF_OPS_TEST(elementwise, logarithm, "Log", "Acos", "Acosh", "Lgamma")

static const SfOpCase cosine[] = {
    ROW("", "{0.0}", "{1.0}"),
};
SF_OPS_TEST(elementwise, cosine, "Cos", "Erfc")

static const SfOpCase sigmoid[] = {
    ROW("", "{0.0}", "{0.5}"),
};
SF_OP_TEST(Sigmoid, sigmoid)

static const SfOpCase rounding[] = {
    ROW("", "{0.5,1.5,2.5,-0.5,-1.6}", "{0.0,2.0,2.0,-0.0,-2.0}"),
};
SF_OPS_TEST(elementwise, rounding, "Round", "Rint")

static const SfOpCase floors[] = {
    ROW("", "{0.5,-0.5}", "{0.0,-1.0}"),
};
SF_OP_TEST(Floor, floors)

static const SfOpCase ceilings[] = {
    ROW("", "{0.5,-1.5}", "{1.0,-1.0}"),
};
SF_OP_TEST(Ceil, ceilings)

static const SfOpCase relus[] = {
    ROW("", "{-1.0,2.0}",   "{0.0,2.0}"),
    ROW("", "{-1,2}:int32", "{0,2}"),
    ROW("", "n:int32",      "n"),
};
SF_OP_TEST(Relu, relus)

static const SfOpCase relu6s[] = {
    ROW("", "{-1.0,2.0,7.0}", "{0.0,2.0,6.0}"),
    ROW("", "{-1,9}:int32",   "{0,6}"),
};
SF_OP_TEST(Relu6, relu6s)

static const SfOpCase leaky[] = {
    ROW("alpha=0.5", "{-1.0,2.0}", "{-0.5,2.0}"),
};
SF_OP_TEST(LeakyRelu, leaky)

static const SfOpCase elus[] = {
    ROW("", "{-1.0,2.0}", "{-0.63212055,2.0}"),
};
SF_OP_TEST(Elu, elus)

static const SfOpCase softplus[] = {
    ROW("", "{0.0,100.0}", "{0.693147182,100.0}"),
};
SF_OP_TEST(Softplus, softplus)

static const SfOpCase likes_one[] = {
    ROW("@version=2.21", "[2,2]:int32", "{{1,1},{1,1}}"),
    ROW("@version=2.21", "[2]",         "{1.0,1.0}"),
    ROW("@version=1.15", "[2]",         "[2]"),
    ROW("@version=2.21", "[n,2]",       "[n,2]"),
};
SF_OP_TEST(OnesLike, likes_one)

static const SfOpCase likes_zero[] = {
    ROW("@version=2.21", "[2]:string",  "{'',''}"),
    ROW("@version=2.21", "[2,100,100]", "[2,100,100]"),
};
SF_OP_TEST(ZerosLike, likes_zero)

static const SfOpCase nans[] = {
    ROW("", "{nan,1.0,inf}", "{true,false,false}"),
};
SF_OP_TEST(IsNan, nans)

static const SfOpCase infs[] = {
    ROW("", "{nan,1.0,inf}", "{false,false,true}"),
};
SF_OP_TEST(IsInf, infs)

static const SfOpCase finites[] = {
    ROW("", "{nan,1.0,inf}", "{false,true,false}"),
};
SF_OP_TEST(IsFinite, finites)

static const SfOpCase logical_not[] = {
    ROW("", "{true,false}", "{false,true}"),
    ROW("", "[n]",          "[n]"),
    ROW("", "?",            "?"),
    ROW("", "!",            "!"),
};
SF_OP_TEST(LogicalNot, logical_not)

static const SfOpCase invert[] = {
    ROW("", "{0,5}:int32", "{-1,-6}"),
    ROW("", "{0}:uint8",   "{255}"),
};
SF_OP_TEST(Invert, invert)

static const SfOpCase population[] = {
    ROW("", "{255,-1}:int8", "{8,8}"),
    ROW("", "{7}:int64",     "{3}"),
};
SF_OP_TEST(PopulationCount, population)

static const SfOpCase complex_parts[] = {
    ROW("", "[n,3]",           "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[2,?]:complex64", "[2,?]"),
    ROW("", "?",               "?"),
    ROW("", "!",               "!"),
};
SF_OPS_TEST(elementwise, complex_parts, "Real", "Imag", "Angle", "ComplexAbs")

static const SfOpCase conjugate[] = {
    ROW("", "[n,3]", "[n,3]"),
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OP_TEST(Conj, conjugate)

static const SfOpCase cast[] = {
    ROW("DstT=int32",               "[n,?]:float",      "[n,?]"),
    ROW("DstT=int32",               "?:float",          "?"),
    ROW("DstT=int32",               "!",                "!"),
    ROW("DstT=int32",               "{1.7,-1.7}:float", "{1,-1}"),
    ROW("DstT=float",               "{1,2}:int32",      "{1.0,2.0}"),
    ROW("DstT=bool",                "{0,2}:int32",      "{false,true}"),
    ROW("DstT=uint8",               "{300,-1}:int32",   "{44,255}"),
    ROW("DstT=int64",               "{n,2}:int32",      "{n,?}"),
    ROW("DstT=int64,@version=2.21", "{n,2}:int32",      "{n,2}"),
};
SF_OP_TEST(Cast, cast)

static const SfOpCase bitcast[] = {
    ROW("type=double",               "[n,2]:float",  "[n]"),
    ROW("type=double",               "[n,?]:float",  "[n]"),
    ROW("type=double",               "[n,3]:float",  "SF128 a.1 @type 'Cannot bitcast due to shape. 3 does not match 2'"),
    ROW("type=double,@version=2.21", "[n,3]:float",  "SF128 a.1 @type 'Cannot bitcast from 1 to 2 due to shape. 3 does not match 2'"),
    ROW("type=double,@phase=run",    "[4,3]:float",  "SF128 a.1 @type 'Cannot bitcast from 1 to 2'"),
    ROW("type=double",               "[]:float",     "SF103 a"),
    ROW("type=int32",                "[2,n]:double", "[2,n,2]"),
    ROW("type=int32",                "[2,n]:float",  "[2,n]"),
    ROW("type=int32",                "?:double",     "?"),
    ROW("type=double",               "?:float",      "?"),
    ROW("type=uint32",               "{-1,3}:int32", "{4294967295,3}"),
    ROW("type=uint8",                "!",            "!"),
};
SF_OP_TEST(Bitcast, bitcast)

static const SfOpCase gradients[] = {
    ROW("",           "[n,3] [n,3]", "[n,3]"),
    ROW("",           "[2,3] [3]",   "deferred SF128 a b 'must have same number of elements, got 6 and 3' / [2,3]"),
    ROW("@phase=run", "[2,3] [3]",   "SF128 a b 'The two arguments to a cwise op must have same number of elements, got 6 and 3'"),
    ROW("@phase=run", "[2,3] [2,3]", "[2,3]"),
    ROW("",           "? [3]",       "?"),
    ROW("",           "! [3]",       "!"),
};
SF_OPS_TEST(elementwise, gradients, "SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad",
             "ReciprocalGrad", "InvGrad")

static const SfOpCase activation_gradients[] = {
    ROW("",           "[n,3] [n,3]", "[n,3]"),
    ROW("", "[2,3] [2,3]", "[2,3]"),
    ROW("",           "[?,3] [2,?]", "[2,3]"),
    ROW("",           "[2] [3]",     "SF107 a.0 b.0"),
    ROW("",           "[2] [2,3]",   "SF108 a b"),
    ROW("@phase=run", "[2] [3]",     "SF107 a.0 b.0 'Inputs to operation'"),
    ROW("",           "? [2]",       "[2]"),
    ROW("",           "? ?",         "?"),
    ROW("",           "! [2]",       "!"),
};
SF_OPS_TEST(elementwise, activation_gradients, "SoftplusGrad", "SoftsignGrad", "ReluGrad",
             "Relu6Grad", "EluGrad", "SeluGrad", "LeakyReluGrad")

static const SfOpCase binary[] = {
    ROW("",                         "[2,3] [2,3]", "[2,3]"),
    ROW("",                         "[2,3] [3]",   "[2,3]"),
    ROW("",                         "[2,1] [1,3]", "[2,3]"),
    ROW("",                         "[] [n,3]",    "[n,3]"),
    ROW("",                         "[n,3] [n,3]", "[n,3]"),
    ROW("",                         "[n,1] [1,n]", "[n,n]"),
    ROW("",                         "[2,?] [2,3]", "[2,3]"),
    ROW("",                         "[2,?] [2,1]", "[2,?]"),
    ROW("",                         "[2,?] [2,?]", "[2,?]"),
    ROW("",                         "? [2,3]",     "?"),
    ROW("",                         "? ?",         "?"),
    ROW("",                         "! [2,3]",     "!"),
    ROW("",                         "[2,3] [2,4]", "SF101 a.1 b.1"),
    ROW("",                         "[2,3] [4,3]", "SF101 a.0 b.0"),
    ROW("",                         "[2,3] [2]",   "SF101 a.1 b.0"),
    ROW("",                         "[n,3] [n,4]", "SF101 a.1 b.1"),
    ROW("@phase=run",               "[2,3] [2,4]", "SF113 a.1 b.1 'Incompatible shapes: [2,3] vs. [2,4]'"),
    ROW("@phase=run,@version=2.21", "[2,3] [2]",   "SF113 a.1 b.0 'Incompatible shapes: [2,3] vs. [2]'"),
};
SF_OPS_TEST(elementwise, binary, "Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "FloorDiv",
             "TruncateDiv", "DivNoNan", "MulNoNan", "FloorMod", "TruncateMod", "Mod", "Pow",
             "Maximum", "Minimum", "SquaredDifference", "Atan2", "Xdivy", "Xlogy", "Xlog1py",
             "Igamma", "Igammac", "IgammaGradA", "Zeta", "Polygamma", "NextAfter", "Less",
             "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "Complex")

static const SfOpCase symbols[] = {
    ROW("", "[n,2] [n,2]", "[n,2]"),
};
SF_OPS_TEST(elementwise, symbols, "AddV2", "Equal")

static const SfOpCase division[] = {
    ROW("@phase=run",                 "{1,2}:int32 {0}",   "SF128 b 'Integer division by zero'"),
    ROW("@phase=run",                 "{1,2}:int32 0",     "SF128 b 'Integer division by zero'"),
    ROW("@phase=eager,@version=2.21", "[3]:int32 {1,0,2}", "SF128 b 'Integer division by zero'"),
    ROW("",                           "{1,2}:int32 {0}",   "deferred SF128 b 'Integer division by zero' / [2]"),
    ROW("",                           "[n]:int32 {0}",     "[n]"),
    ROW("@phase=run",                 "[0]:int32 {0}",     "[0]"),
};
SF_OPS_TEST(elementwise, division, "Div", "RealDiv", "FloorDiv", "FloorMod", "Mod")

static const SfOpCase truncate_by_zero[] = {
    ROW("@phase=run", "{1,2}:int32 {0}", "SF133 b 'Unexpected error in binary operator (only integer div and mod should have errors)'"),
    ROW("",           "{1,2}:int32 {0}", "deferred SF133 b / [2]"),
    ROW("",           "{1,2} {3}",       "[2]"),
};
SF_OPS_TEST(elementwise, truncate_by_zero, "TruncateDiv", "TruncateMod")

static const SfOpCase add[] = {
    ROW("",              "{1,2} {10,20}",    "{11,22}"),
    ROW("",              "{2147483647} {1}", "{-2147483648}"),
    ROW("",              "{1.5} 2.0",        "{3.5}"),
    ROW("@version=2.21", "{n,2} {1,1}",      "{n+1,3}"),
    ROW("@version=2.21", "n -1",             "n-1"),
    ROW("@version=2.21", "{n,?} {1,1}",      "{n+1,?}"),
    ROW("@version=1.15", "{n,2} {1,1}",      "{n+1,?}"),
    ROW("@version=1.8",  "{1,2} {10,20}",    "[2]"),
};
SF_OPS_TEST(elementwise, add, "Add", "AddV2")

static const SfOpCase strings[] = {
    ROW("", "{'a'} 'bc'", "{'abc'}"),
};
SF_OP_TEST(Add, strings)

static const SfOpCase subtract[] = {
    ROW("",              "{1,2} 5",   "{-4,-3}"),
    ROW("@version=2.21", "{n,2} n",   "{0,2-n}"),
    ROW("@version=2.21", "n:int32 1", "n-1"),
    ROW("@version=2.21", "1 n:int32", "1-n"),
};
SF_OP_TEST(Sub, subtract)

static const SfOpCase multiply[] = {
    ROW("",              "{65536} {65536}",        "{0}"),
    ROW("",              "{{1,2},{3,4}} {10,100}", "{{10,200},{30,400}}"),
    ROW("@version=2.21", "{n,2} 3",                "{3*n,6}"),
    ROW("@version=2.21", "{n,2} -3",               "{?,-6}"),
};
SF_OP_TEST(Mul, multiply)

static const SfOpCase divide[] = {
    ROW("@phase=run", "{1.0} {0.0}",    "{inf}"),
    ROW("",           "{7,-7} {2,2}",   "{3,-3}"),
    ROW("",           "{7.0} 2.0",      "{3.5}"),
    ROW("",           "{-128}:int8 -1", "{-128}"),
};
SF_OPS_TEST(elementwise, divide, "Div", "RealDiv")

static const SfOpCase floor_divide[] = {
    ROW("",              "{7,-7,7,-7} {2,2,-2,-2}", "{3,-4,-4,3}"),
    ROW("",              "{-7.0} 2.0",              "{-4.0}"),
    ROW("@version=2.21", "{n} 1",                   "{n}"),
};
SF_OP_TEST(FloorDiv, floor_divide)

static const SfOpCase truncate_divide[] = {
    ROW("", "{7,-7} 2", "{3,-3}"),
};
SF_OP_TEST(TruncateDiv, truncate_divide)

static const SfOpCase floor_mod[] = {
    ROW("", "{7,-7,7,-7} {2,2,-2,-2}", "{1,1,-1,-1}"),
    ROW("", "{-7.0,7.0} {2.0,-2.0}",   "{1.0,-1.0}"),
};
SF_OP_TEST(FloorMod, floor_mod)

static const SfOpCase truncate_mod[] = {
    ROW("", "{7,-7,7,-7} {2,2,-2,-2}", "{1,-1,1,-1}"),
    ROW("", "{-7.0} 2.0",              "{-1.0}"),
};
SF_OPS_TEST(elementwise, truncate_mod, "TruncateMod", "Mod")

static const SfOpCase power[] = {
    ROW("",           "{2,3} {10,2}", "{1024,9}"),
    ROW("",           "{2.0} 0.5",    "{1.41421354}"),
    ROW("",           "{2} {-1}",     "deferred SF128 b / [1]"),
    ROW("@phase=run", "{2} {-1}",     "SF128 b 'Integers to negative integer powers are not allowed'"),
};
SF_OP_TEST(Pow, power)

static const SfOpCase extremes[] = {
    ROW("",              "{1,5} 3",       "{3,5}"),
    ROW("",              "{1.0,nan} 2.0", "{2.0,nan}"),
    ROW("@version=2.21", "{n,-1} 0",      "{n,0}"),
};
SF_OP_TEST(Maximum, extremes)

static const SfOpCase minima[] = {
    ROW("",              "{1,5} 3",               "{1,3}"),
    ROW("@version=2.21", "{n} 0",                 "[1]"),
    ROW("",              "{200}:uint8 100:uint8", "{100}"),
};
SF_OP_TEST(Minimum, minima)

static const SfOpCase squared[] = {
    ROW("", "{1,5} 3", "{4,4}"),
};
SF_OP_TEST(SquaredDifference, squared)

static const SfOpCase no_nan[] = {
    ROW("", "{1.0,2.0} {0.0,4.0}", "{0.0,0.5}"),
};
SF_OP_TEST(DivNoNan, no_nan)

static const SfOpCase mul_no_nan[] = {
    ROW("", "{inf} {0.0}", "{0.0}"),
};
SF_OP_TEST(MulNoNan, mul_no_nan)

static const SfOpCase xdivys[] = {
    ROW("", "{0.0} {0.0}", "{0.0}"),
};
SF_OPS_TEST(elementwise, xdivys, "Xdivy", "Xlogy", "Xlog1py")

static const SfOpCase arctangent[] = {
    ROW("", "{0.0} {1.0}", "{0.0}"),
};
SF_OP_TEST(Atan2, arctangent)

static const SfOpCase bitwise[] = {
    ROW("", "[2,3] [3]",   "[2,3]"),
    ROW("", "[n,?] [n,4]", "[n,4]"),
    ROW("", "? [3]",       "?"),
    ROW("", "! [3]",       "!"),
    ROW("", "[2,3] [4]",   "SF101 a.1 b.0"),
};
SF_OPS_TEST(elementwise, bitwise, "BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift",
             "RightShift")

static const SfOpCase bit_and[] = {
    ROW("", "{12} {10}:int32", "{8}"),
};
SF_OP_TEST(BitwiseAnd, bit_and)

static const SfOpCase bit_or[] = {
    ROW("", "{12} {10}:int32", "{14}"),
};
SF_OP_TEST(BitwiseOr, bit_or)

static const SfOpCase bit_xor[] = {
    ROW("", "{12} {10}:int32", "{6}"),
};
SF_OP_TEST(BitwiseXor, bit_xor)

static const SfOpCase left[] = {
    ROW("", "{1,1}:int32 {4,40}", "{16,-2147483648}"),
};
SF_OP_TEST(LeftShift, left)

static const SfOpCase right[] = {
    ROW("", "{-16,16}:int32 {2,2}", "{-4,4}"),
    ROW("", "{240}:uint8 {2}",      "{60}"),
};
SF_OP_TEST(RightShift, right)

static const SfOpCase less[] = {
    ROW("",              "{1,2,3} 2", "{true,false,false}"),
    ROW("@version=2.21", "{n} 0",     "{false}"),
    ROW("@version=2.21", "{n} -1",    "{false}"),
    ROW("",              "{nan} 1.0", "{false}"),
};
SF_OP_TEST(Less, less)

static const SfOpCase less_equal[] = {
    ROW("", "{1,2,3} 2", "{true,true,false}"),
    ROW("", "{nan} 1.0", "{false}"),
};
SF_OP_TEST(LessEqual, less_equal)

static const SfOpCase greater[] = {
    ROW("", "{1,2,3} 2", "{false,false,true}"),
};
SF_OP_TEST(Greater, greater)

static const SfOpCase greater_equal[] = {
    ROW("",              "{1,2,3} 2", "{false,true,true}"),
    ROW("@version=2.21", "{n} 0",     "{true}"),
};
SF_OP_TEST(GreaterEqual, greater_equal)

static const SfOpCase equal[] = {
    ROW("",                                           "{1,2} {1,3}",   "{true,false}"),
    ROW("",                                           "{'a','b'} 'a'", "{true,false}"),
    ROW("",                                           "{true} false",  "{false}"),
    ROW("@version=2.21",                              "{n,n} {n,-1}",  "{true,false}"),
    ROW("incompatible_shape_error=false",             "[2] [3]",       "[]"),
    ROW("incompatible_shape_error=false",             "[2] [?]",       "?"),
    ROW("incompatible_shape_error=false",             "[1] [?]",       "[?]"),
    ROW("incompatible_shape_error=false",             "[n,2] [n,2]",   "[n,2]"),
    ROW("incompatible_shape_error=false",             "? [2]",         "?"),
    ROW("incompatible_shape_error=false,@phase=eager,@version=2.21", "{1,2} {1,2,3}", "[]"),
};
SF_OP_TEST(Equal, equal)

static const SfOpCase not_equal[] = {
    ROW("",                               "{1,2} {1,3}", "{false,true}"),
    ROW("incompatible_shape_error=false", "[2] [3]",     "[]"),
};
SF_OP_TEST(NotEqual, not_equal)

static const SfOpCase approximate[] = {
    ROW("",              "[n,3] [n,3]",         "[n,3]"),
    ROW("",              "[?,3] [2,?]",         "[2,3]"),
    ROW("",              "? [2]",               "[2]"),
    ROW("",              "! [2]",               "!"),
    ROW("",              "[2] [3]",             "SF107 a.0 b.0"),
    ROW("@phase=run",    "[2] [3]",             "SF107 a.0 b.0 'x and y must be of the same shape. x shape: [2]. y shape: [3]'"),
    ROW("tolerance=0.5", "{1.0,2.0} {1.2,3.0}", "{true,false}"),
};
SF_OP_TEST(ApproximateEqual, approximate)

static const SfOpCase logical[] = {
    ROW("", "[2,3] [3]",   "[2,3]"),
    ROW("", "[n,?] [n,1]", "[n,?]"),
    ROW("", "? [3]",       "?"),
    ROW("", "! [3]",       "!"),
    ROW("", "[2,3] [4]",   "SF101 a.1 b.0"),
};
SF_OPS_TEST(elementwise, logical, "LogicalAnd", "LogicalOr")

static const SfOpCase logical_and[] = {
    ROW("", "{true,true,false} {true,false,false}", "{true,false,false}"),
};
SF_OP_TEST(LogicalAnd, logical_and)

static const SfOpCase logical_or[] = {
    ROW("", "{true,true,false} {true,false,false}", "{true,true,false}"),
};
SF_OP_TEST(LogicalOr, logical_or)

/* clang-format on */
