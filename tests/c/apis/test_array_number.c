/* Rows of data formats, UnravelIndex, RefSelect, and of the debugger's ops; asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase dim_map[] = {
    ROW("", "[2,3]:int32", "[2,3]"),
    ROW("", "[n]:int32",   "[n]"),
    ROW("", "?:int32",     "?"),
    ROW("", "{0,1,2,3}",   "{0,2,3,1}"),
    ROW("@version=2.21", "{-1,?}", "{1,?}"),
    ROW("src_format='NDHWC',dst_format='NCDHW'", "4", "1"),
    ROW("src_format='NHW'", "[4]:int32", "deferred SF128 @src_format 'Source format must be of length 4 or 5, received src_format = NHW' / [4]"),
    ROW("dst_format='NHW',@phase=eager", "[4]:int32", "SF128 @dst_format 'Destination format must be of length 4 or 5, received dst_format = NHW'"),
};
SF_OP_TEST(DataFormatDimMap, dim_map)

static const SfOpCase vec_permute[] = {
    ROW("", "[4]:int32",   "[4]"),
    ROW("", "[?,2]:int32", "[?,2]"),
    ROW("", "?:int32",     "?"),
    ROW("", "{1,5,6,3}",   "{1,3,5,6}"),
    ROW("@version=2.21", "{1,h,?,3}", "{1,3,h,?}"),
    ROW("", "{5,6}",       "{5,6}"),
    ROW("", "{{0,0},{1,2},{3,4},{5,6}}", "{{0,0},{5,6},{1,2},{3,4}}"),
    ROW("", "[3]:int32",   "deferred SF106 a.0 @src_format '1D input must be of size 2 or 4, but got shape [3]' / [3]"),
    ROW("", "[4,3]:int32", "deferred SF106 a.1 'Second dimension of 2D input must be of size 2, but got shape [4,3]' / [4,3]"),
    ROW("@phase=eager", "[]:int32", "SF102 a 'input must be a vector or 2D tensor, but got shape []'"),
};
SF_OP_TEST(DataFormatVecPermute, vec_permute)

static const SfOpCase unravel[] = {
    ROW("", "[3]:int32 {4,5}",   "[2,3]"),
    ROW("", "[n]:int32 {4,5}",   "[2,n]"),
    ROW("", "[]:int32 [?]",      "[?]"),
    ROW("", "?:int32 ?",         "?"),
    ROW("", "{7,19} {4,5}",      "{{1,3},{2,4}}"),
    ROW("", "7 {4,5}",           "{1,2}"),
    ROW("", "[3]:int32 4",       "SF102 b"),
    ROW("", "{20} {4,5}",        "deferred SF117 a b 'index is out of bound as with dims' / [2,1]"),
    ROW("", "[1]:int32 {0,4}",   "deferred SF128 b 'dims contains zero at index 0' / [2,1]"),
    ROW("", "[2,2]:int32 {4,5}", "deferred SF105 a 'The indices can only be scalar or vector, got \"[2,2]\"' / [2,4]"),
    ROW("@phase=eager", "[1]:int32 {-2,4}", "SF128 b 'Input dims cannot be negative. Got dim = -2 at index 0'"),
};
SF_OP_TEST(UnravelIndex, unravel)

static const SfOpCase tile_grad[] = {
    ROW("", "[4,6] {2,3}", "?"),
    ROW("", "? ?",         "?"),
};
SF_OP_TEST(TileGrad, tile_grad)

static const SfOpCase ref_select[] = {
    ROW("", "1 ( &[2]:float &[3]:float )",        "[3]"),
    ROW("", "1 ( &[?]:float &[3]:float )", "[3]"),
    ROW("", "[]:int32 ( &[2,3]:float &[2,4]:float )", "[2,?]"),
    ROW("", "? ( &[2]:float &[3,4]:float )",      "?"),
    ROW("", "[2]:int32 ( &[2]:float &[2]:float )", "SF102 a"),
    ROW("", "2 ( &[2]:float &[2]:float )",        "deferred SF117 a / ?"),
};
SF_OP_TEST(RefSelect, ref_select)

static const SfOpCase watched[] = {
    ROW("", "[2,n]", "[a.0,n]"),
    ROW("", "[2,2]", "[2,2]"),
    ROW("", "[2,?]", "[a.0,a.1]"),
    ROW("", "?",     "?"),
    ROW("", "!",     "!"),
};
SF_OPS_TEST(debug_identities, watched, "DebugIdentityV2", "DebugGradientIdentity", "CheckPinned")

static const SfOpCase named[] = {
    ROW("tensor_name='x:0'", "[2,?]", "[a.0,a.1]"),
    ROW("tensor_name='x:0'", "?",     "?"),
    ROW("tensor_name='x:0',gated_grpc=true", "[2]", "?"),
    ROW("",                  "[2]",   "deferred SF128 @tensor_name 'Failed to parse tensor name' / [2]"),
    ROW("tensor_name='x:'",  "[2]",   "deferred SF128 @tensor_name 'Invalid string value for output_slot' / [2]"),
};
SF_OPS_TEST(debug_identities, named, "DebugIdentity", "DebugIdentityV3")

static const SfOpCase watched_ref[] = {
    ROW("", "&[2,3]:float", "[2,3]"),
    ROW("", "&[?,3]:float", "[?,3]"),
    ROW("", "&?:float",     "?"),
};
SF_OP_TEST(DebugGradientRefIdentity, watched_ref)

static const SfOpCase nan_count[] = {
    ROW("tensor_name='x:0'", "[2,3]", "[1]:int64"), /* the shape function says a scalar */
    ROW("tensor_name='x:0'", "[?,3]", "[1]"),
    ROW("tensor_name='x:0'", "?",     "[1]"),
    ROW("@phase=eager",      "[2]",   "SF128 @tensor_name"),
};
SF_OP_TEST(DebugNanCount, nan_count)

static const SfOpCase summary[] = {
    ROW("tensor_name='x:0'", "[2,3]", "[16]:double"),
    ROW("tensor_name='x:0'", "[?,3]", "[16]"),
    ROW("tensor_name='x:0'", "[]",    "[14]"),
    ROW("tensor_name='x:0'", "?",     "[?]"),
    ROW("tensor_name='x:0',gated_grpc=true", "[2]", "[?]"),
};
SF_OP_TEST(DebugNumericSummary, summary)

static const SfOpCase summary_v2[] = {
    ROW("tensor_debug_mode=2", "[2,3]", "[2]:float"),
    ROW("tensor_debug_mode=3", "?",     "[5]"),
    ROW("tensor_debug_mode=4", "?",     "[11]"),
    ROW("tensor_debug_mode=5", "[?]",   "[10]"),
    ROW("tensor_debug_mode=8", "[2]",   "[3]"),
    ROW("",                    "[2]",   "deferred SF131 @tensor_debug_mode 'Unimplemented tensor debug mode: -1' / ?"),
};
SF_OP_TEST(DebugNumericSummaryV2, summary_v2)
