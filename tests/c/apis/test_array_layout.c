/* Rows of repeating, padding and rearranging; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

/* clang-format off */
static const SfOpCase tile[] = {
    ROW("",              "[n,3] {2,2}",     "[2*n,6]"),
    ROW("",              "[2,?] {1,3}",     "[2,?]"),
    ROW("",              "[2,3] [2]:int32", "[?,?]"),
    ROW("@version=2.21", "[2,3] {n,1}",     "[2*n,3]"),
    ROW("",              "? {2,3}",         "[?,?]"),
    ROW("",              "? [2]:int32",     "[?,?]"),
    ROW("",              "? ?:int32",       "?"),
    ROW("",              "[2,3] ?:int32",   "[?,?]"),
    ROW("",              "[] {}",           "[]"),
    ROW("",              "! {2}",           "!"),
    ROW("",              "[2,3] {1}",       "SF102 b a"),
    ROW("",              "[2] 3",           "SF102 b"),
    ROW("@phase=run",    "[2,3] {1}",       "SF102 b a 'Expected multiples argument to be a vector of length 2 but got length 1'"),
    ROW("@phase=run",    "[2,3] {1,-1}",    "SF130 b 'Expected multiples[1] >= 0, but got -1'"),
    ROW("",              "{1,2} {2}",       "{1,2,1,2}"),
    ROW("",              "{{1,2}} {2,2}",   "{{1,2,1,2},{1,2,1,2}}"),
};
SF_OP_TEST(Tile, tile)

static const SfOpCase pad[] = {
    ROW("",              "[n,3] {{1,1},{2,2}}",  "[n+2,7]"),
    ROW("",              "[2,?] {{1,1},{2,2}}",  "[4,?]"),
    ROW("",              "[2,3] [2,2]:int32",    "[?,?]"),
    ROW("@version=2.21", "[n,3] {{0,4},{0,n}}",  "[n+4,n+3]"),
    ROW("@version=2.21", "[2,3] {{1,?},{2,2}}",  "[?,7]"),
    ROW("",              "? {{1,1},{2,2}}",      "[?,?]"),
    ROW("",              "? [2,2]:int32",        "[?,?]"),
    ROW("",              "? [?,2]:int32",        "?"),
    ROW("",              "[2,3] ?:int32",        "[?,?]"),
    ROW("",              "? ?:int32",            "?"),
    ROW("",              "! {{1,1}}",            "!"),
    ROW("",              "[2,3] {{1,1}}",        "SF102 a"),
    ROW("",              "? [?,3]:int32",        "SF106 b.1"),
    ROW("",              "[2,3] [4]:int32",      "SF102 b"),
    ROW("",              "[2,3] {{1,-1},{0,0}}", "SF128 b 'Paddings must be non-negative'"),
    ROW("@phase=run",    "[2,3] {{1,1}}",        "SF102 a 'The first dimension of paddings must be the rank of inputs[1,2] [2,3]'"),
    ROW("@phase=run",    "[2,3] {{1,-1},{0,0}}", "SF128 b 'Paddings must be non-negative: 1 -1'"),
    ROW("",              "{1,2} {{1,2}}",        "{0,1,2,0,0}"),
};
SF_OP_TEST(Pad, pad)

static const SfOpCase pad_v2[] = {
    ROW("",           "[n,3] {{1,1},{2,2}} 1.0", "[n+2,7]"),
    ROW("",           "? [2,2]:int32 ?",         "[?,?]"),
    ROW("",           "! {{1,1}} 1.0",           "!"),
    ROW("",           "[2,3] {{1,1}} 1.0",       "SF102 a"),
    ROW("@phase=run", "[2] {{1,1}} [2]",         "SF128 c 'constant_values must be a scalar. Found: [2]'"),
    ROW("",           "{1,2} {{1,0}} 9",         "{9,1,2}"),
};
SF_OP_TEST(PadV2, pad_v2)

static const SfOpCase mirror_pad[] = {
    ROW("mode=SYMMETRIC",            "[n,3] {{2,2},{1,1}}",  "[n+4,5]"),
    ROW("mode=REFLECT",              "[2,?] {{1,1},{1,1}}",  "[4,?]"),
    ROW("mode=REFLECT",              "? [2,2]:int32",        "[?,?]"),
    ROW("mode=REFLECT",              "! {{1,1}}",            "!"),
    ROW("mode=REFLECT",              "[2,3] {{1,1}}",        "SF102 a"),
    ROW("mode=REFLECT",              "[2,3] {{1,-1},{0,0}}", "SF128 b 'Paddings must be non-negative'"),
    ROW("mode=REFLECT,@phase=run", "[2,3] {{2,2},{0,0}}",
        "SF128 b a.0 'paddings must be less than the dimension size: 2, 2 not less than 2'"),
    ROW("mode=SYMMETRIC,@phase=run", "[2,3] {{3,2},{1,1}}",
        "SF128 b a.0 'paddings must be no greater than the dimension size: 3, 2 greater than 2'"),
    ROW("mode=SYMMETRIC,@phase=run", "[2,3] {{2,2},{1,1}}",  "[6,5]"),
    ROW("mode=REFLECT,@phase=run",   "[2,3] {{-1,1},{0,0}}", "SF128 b 'paddings must be non-negative: -1 1'"),
};
SF_OP_TEST(MirrorPad, mirror_pad)

static const SfOpCase mirror_pad_grad[] = {
    ROW("mode=SYMMETRIC", "[6,5] {{2,2},{1,1}}",   "[2,3]"),
    ROW("mode=SYMMETRIC", "[n+4,?] {{2,2},{1,1}}", "[n,?]"),
    ROW("mode=SYMMETRIC", "[6,5] [2,2]:int32",     "[?,?]"),
    ROW("mode=SYMMETRIC", "? ?:int32",             "?"),
    ROW("mode=SYMMETRIC", "! {{1,1}}",             "!"),
    ROW("mode=SYMMETRIC", "[3,5] {{2,2},{1,1}}",   "SF110 a.0 b"),
    ROW("mode=SYMMETRIC", "[3,5] {{-2,2},{1,1}}",  "SF128 b 'Paddings must be non-negative'"),
    ROW("mode=SYMMETRIC", "[8,5] {{8,9223372036854775807},{0,0}}:int64", "SF110 a.0 b"),
};
SF_OP_TEST(MirrorPadGrad, mirror_pad_grad)

static const SfOpCase reverse[] = {
    ROW("", "[n,3] [2]",                  "[n,3]"),
    ROW("", "[2,?] ?",                    "[2,?]"),
    ROW("", "? [3]",                      "[?,?,?]"),
    ROW("", "! [2]",                      "!"),
    ROW("", "[2,3] [3]",                  "SF102 a"),
    ROW("", "[2,3] [2,1]",                "SF102 b"),
    ROW("", "{{1,2},{3,4}} {false,true}", "{{2,1},{4,3}}"),
};
SF_OP_TEST(Reverse, reverse)

static const SfOpCase reverse_v2[] = {
    ROW("",           "[n,3] {1}",            "[n,3]"),
    ROW("",           "[2,?] [1]:int32",      "[2,?]"),
    ROW("",           "? {1}",                "?"),
    ROW("",           "! {1}",                "!"),
    ROW("",           "[2,3] {2}",            "SF111 b a"),
    ROW("",           "[2,3] {1,-1}",         "SF128 b 'axis 1 specified more than once.'"),
    ROW("",           "[2,3] 1",              "SF102 b"),
    ROW("@phase=run", "[2,3] {2}",            "SF111 b a"),
    ROW("",           "{{1,2},{3,4}} {0}",    "{{3,4},{1,2}}"),
    ROW("",           "{{1,2},{3,4}} {0,-1}", "{{4,3},{2,1}}"),
    ROW("@phase=run", "[?,3] []",             "[?,3]"), /* the kernel looks at no axis of nothing */
    ROW("@phase=run", "{}:float {-7}",        "[0]"),
};
SF_OP_TEST(ReverseV2, reverse_v2)

static const SfOpCase reverse_sequence[] = {
    ROW("seq_dim=1",             "[n,3] [n]",   "[n,3]"),
    ROW("seq_dim=1", "[2,3] [2]", "[2,3]"),
    ROW("seq_dim=1",             "[?,3] [2]",   "[2,3]"),
    ROW("seq_dim=0,batch_dim=1", "[3,n,4] [n]", "[3,n,4]"),
    ROW("seq_dim=1",             "? [2]",       "?"),
    ROW("seq_dim=1",             "! [2]",       "!"),
    ROW("seq_dim=1",             "[2,3] [3]",   "SF101 a.0 b.0"),
    ROW("seq_dim=1",             "[2,3] [2,1]", "SF102 b"),
    ROW("seq_dim=2",             "[2,3] [2]",   "SF111 @seq_dim a"),
    ROW("seq_dim=1,batch_dim=2", "[2,3] [2]",   "SF111 @batch_dim a"),
    ROW("seq_dim=1,@phase=run",  "[2,3] [3]",   "SF101 a.0 b.0 'Length of seq_lengths != input.dims(0), (3 vs. 2)'"),
    ROW("seq_dim=1,@phase=run",  "[2,3] {1,4}", "SF128 b a.1 'seq_lens(1) > input.dims(1)'"),
};
SF_OP_TEST(ReverseSequence, reverse_sequence)

static const SfOpCase roll[] = {
    ROW("",           "[n,3] 1:int32 0:int32",         "[n,3]"),
    ROW("", "[2,3] 1:int32 0:int32", "[2,3]"),
    ROW("",           "[2,?] {1,2}:int32 {0,1}:int32", "[2,?]"),
    ROW("",           "? 1:int32 0:int32",             "?"),
    ROW("",           "! 1:int32 0:int32",             "!"),
    ROW("",           "[2,3] {1}:int32 {0,1}:int32",   "SF107 b.0 c.0"),
    ROW("",           "[2,3] [1,1]:int32 {0}:int32",   "SF105 b"),
    ROW("",           "[] 1:int32 0:int32",            "SF103 a"),
    ROW("@phase=run", "[2,3] 1:int32 5:int32",         "SF111 c a 'axis 5 is out of range'"),
    ROW("@phase=run", "[2,3] {1}:int32 {0,1}:int32",   "SF107 b.0 c.0 'shift and axis must have the same size'"),
};
SF_OP_TEST(Roll, roll)

static const SfOpCase space_to_depth[] = {
    ROW("block_size=2",                         "[n,4,6,3]",   "[n,2,3,12]"),
    ROW("block_size=2",                         "[1,?,6,?]",   "[1,?,3,?]"),
    ROW("block_size=2,data_format=NCHW",        "[n,3,4,6]",   "[n,12,2,3]"),
    ROW("block_size=2,data_format=NCHW_VECT_C", "[1,3,4,6,4]", "[1,12,2,3,4]"),
    ROW("block_size=2",                         "?",           "[?,?,?,?]"),
    ROW("block_size=2",                         "!",           "!"),
    ROW("block_size=2",                         "[1,5,6,3]",   "SF109 a.1"),
    ROW("block_size=2",                         "[4,6,3]",     "SF102 a"),
    ROW("block_size=2,@phase=run", "[1,5,6,3]",
        "SF109 a.1 'Image width 6 and height 5 should be divisible by block_size: 2'"),
    ROW("block_size=2,@phase=run",              "[5,6,3]",     "SF102 a 'Input rank should be 4 instead of 3'"),
    ROW("block_size=9223372036854775807",       "[1,0,?,3]",   "[1,0,?,?]"),
};
SF_OP_TEST(SpaceToDepth, space_to_depth)

static const SfOpCase depth_to_space[] = {
    ROW("block_size=2",                  "[n,4,6,8]", "[n,8,12,2]"),
    ROW("block_size=2", "[2,4,6,8]", "[2,8,12,2]"),
    ROW("block_size=2",                  "[1,?,6,?]", "[1,?,12,?]"),
    ROW("block_size=2,data_format=NCHW", "[n,8,4,6]", "[n,2,8,12]"),
    ROW("block_size=2",                  "?",         "[?,?,?,?]"),
    ROW("block_size=2",                  "!",         "!"),
    ROW("block_size=2",                  "[1,4,6,3]", "SF109 a.3"),
    ROW("block_size=2,@phase=run",       "[1,4,6,3]", "SF109 a.3 'Input depth dimension 3 should be divisible by: 4'"),
};
SF_OP_TEST(DepthToSpace, depth_to_space)

static const SfOpCase space_to_batch[] = {
    ROW("block_size=2", "[n,4,6,3] {{0,0},{0,0}}",  "[4*n,2,3,3]"),
    ROW("block_size=2", "[1,?,6,3] {{1,1},{0,0}}",  "[4,?,3,3]"),
    ROW("block_size=2", "[1,4,6,3] [2,2]:int32",    "[4,?,?,3]"),
    ROW("block_size=2", "? {{0,0},{0,0}}",          "[?,?,?,?]"),
    ROW("block_size=2", "? ?:int32",                "[?,?,?,?]"),
    ROW("block_size=2", "! {{0,0},{0,0}}",          "!"),
    ROW("block_size=2", "[1,4,6] {{0,0},{0,0}}",    "SF102 a"),
    ROW("block_size=2", "[1,5,6,3] {{0,0},{0,0}}",  "SF109 a.1"),
    ROW("block_size=2", "[1,4,6,3] {{-1,1},{0,0}}", "SF128 b 'paddings cannot be negative'"),
    ROW("block_size=2", "[1,4,6,3] {{0,0}}",        "SF107 b.0"),
};
SF_OP_TEST(SpaceToBatch, space_to_batch)

static const SfOpCase space_to_batch_nd[] = {
    ROW("",           "[n,4,6,3] {2,2} {{0,0},{0,0}}",       "[4*n,2,3,3]"),
    ROW("",           "[?,4,?,3] {2,2} {{1,1},{0,0}}",       "[?,3,?,3]"),
    ROW("",           "[1,4,6,3] {2,2} [2,2]:int32",         "[4,?,?,3]"),
    ROW("",           "[1,4,6,3] [2]:int32 {{0,0},{0,0}}",   "[?,?,?,3]"),
    ROW("",           "[1,4,6,3] ?:int32 ?:int32",           "[?,?,?,?]"),
    ROW("",           "? {2,2} {{0,0},{0,0}}",               "?"),
    ROW("",           "! {2,2} {{0,0},{0,0}}",               "!"),
    ROW("",           "[1,4,6,3] {2,2} {{1,0},{0,0}}",       "SF109 a.1"),
    ROW("",           "[1,4] {2,2} {{0,0},{0,0}}",           "SF103 a"),
    ROW("",           "[1,4,6,3] {2,2} {{0,0}}",             "SF107 c.0"),
    ROW("",           "[1,4,6,3] {2,0} {{0,0},{0,0}}",       "SF128 b 'block_shape must be positive'"),
    ROW("",           "[1,4,6,3] {2,2} {{-1,1},{0,0}}",      "SF128 c 'paddings cannot be negative'"),
    ROW("",           "[1,4,6,3] [1,2]:int32 {{0,0},{0,0}}", "SF128 b 'block_shape must have rank 1.'"),
    ROW("@phase=run", "[1,4,6,3] {2,2} {{1,0},{0,0}}",       "SF109 a.1 'padded_shape[0]=5 is not divisible by block_shape[0]=2'"),
    ROW("@phase=run", "[1,4,6,3] {2,2} {{-1,1},{0,0}}",      "SF128 c 'Paddings must be non-negative'"),
    ROW("@phase=run", "[1,4] {2,2} {{0,0},{0,0}}",           "SF103 a 'input rank should be >= 3 instead of 2'"),
};
SF_OP_TEST(SpaceToBatchND, space_to_batch_nd)

static const SfOpCase batch_to_space[] = {
    ROW("block_size=2", "[4*n,2,3,1] {{0,0},{0,0}}", "[n,4,6,1]"),
    ROW("block_size=2", "[4,?,3,1] {{0,1},{0,0}}",   "[1,?,6,1]"),
    ROW("block_size=2", "[4,2,3,1] {{0,1},{0,0}}", "[1,3,6,1]"),
    ROW("block_size=2", "? [2,2]:int32",             "[?,?,?,?]"),
    ROW("block_size=2", "! {{0,0},{0,0}}",           "!"),
    ROW("block_size=2", "[4,2,3] {{0,0},{0,0}}",     "SF102 a"),
    ROW("block_size=2", "[3,2,3,1] {{0,0},{0,0}}",   "SF109 a.0"),
    ROW("block_size=4294967296", "[3,2,3,1] {{0,0},{0,0}}",  "SF109 a.0"),
};
SF_OP_TEST(BatchToSpace, batch_to_space)

static const SfOpCase batch_to_space_nd[] = {
    ROW("",           "[4,2,3,1] {2,2} {{0,0},{0,0}}",   "[1,4,6,1]"),
    ROW("",           "[4*n,2,3,1] {2,2} {{0,0},{0,0}}", "[n,4,6,1]"),
    ROW("",           "[?,?,3,1] {2,2} {{1,0},{0,0}}",   "[?,?,6,1]"),
    ROW("",           "[4,2,3,1] {2,2} [2,2]:int32",     "[1,?,?,1]"),
    ROW("",           "? {2,2} {{0,0},{0,0}}",           "?"),
    ROW("",           "! {2,2} {{0,0},{0,0}}",           "!"),
    ROW("",           "[3,2,3,1] {2,2} {{0,0},{0,0}}",   "SF109 a.0"),
    ROW("",           "[4,2,3,1] {2,2} {{3,2},{0,0}}",   "SF110 a.1 c"),
    ROW("",           "[4,2,3,1] {2,2} {{-3,2},{0,0}}",  "SF128 c 'crops cannot be negative'"),
    ROW("@phase=run", "[3,2,3,1] {2,2} {{0,0},{0,0}}",
        "SF109 a.0 'Input batch dimension (3) is not divisible by product of block sizes (4)'"),
    ROW("@phase=run", "[4,2,3,1] {2,2} {{3,2},{0,0}}",   "SF110 a.1 c 'cropped_shape[0]=-1 must be non-negative'"),
};
SF_OP_TEST(BatchToSpaceND, batch_to_space_nd)

static const SfOpCase image_patches[] = {
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,1,1,1],padding=VALID", "[n,7,7,3]", "[n,3,3,27]"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,1,1,1],padding=VALID", "[2,7,7,3]", "[2,3,3,27]"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=SAME", "[1,7,?,3]", "[1,4,?,27]"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=VALID", "[1,7,7,?]", "[1,2,2,?]"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=SAME", "?",         "[?,?,?,?]"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=SAME", "!",         "!"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=SAME", "[7,7,3]",   "SF102 a"),
    ROW("ksizes=[1,3,3,1,1],strides=[1,2,2,1],rates=[1,2,2,1],padding=SAME", "[1,7,7,3]",
        "SF128 @ksizes 'ExtractImagePatches requires the ksizes attribute to contain 4 values, but got: 5'"),
    ROW("ksizes=[1,3,3,1],strides=[2,2,2,1],rates=[1,1,1,1],padding=VALID,@phase=run", "[4,7,7,3]",
        "SF131 @strides 'Only support strides across space.'"),
    ROW("ksizes=[1,3,3,1],strides=[1,2,2,1],rates=[1,1,1,1,2],padding=VALID,@phase=run", "[n,7,7,3]", "[n,3,3,27]"),
};
SF_OP_TEST(ExtractImagePatches, image_patches)

static const SfOpCase volume_patches[] = {
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=VALID", "[n,7,7,7,3]", "[n,3,3,3,81]"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=VALID", "[2,7,7,7,3]", "[2,3,3,3,81]"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=SAME", "[1,7,?,7,?]", "[1,4,?,4,?]"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=VALID", "?",           "[?,?,?,?,?]"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=VALID", "!",           "!"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,0,2,1],padding=VALID", "[5,?,7,7,3]",
        "deferred SF128 @strides a.2 / [5,?,?,3,81]"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,0,2,1],padding=VALID", "[5,7,7,7,3]",
        "SF128 @strides a.2 'Stride must be > 0, but got 0'"),
    ROW("ksizes=[1,3,3,3,1],strides=[1,2,2,2,1],padding=VALID", "[7,7,7,3]",   "SF102 a"),
    ROW("ksizes=[1,3,3,3,2],strides=[1,2,2,2,1],padding=VALID,@phase=run", "[1,7,7,7,3]", "SF131 @ksizes"),
    ROW("ksizes=[1,1,-2,1,1],strides=[1,2,2,1,1],padding=SAME", "[2,3,5,3,2]",
        "SF128 a.4 @ksizes 'Negative dimension size caused by overflow when multiplying 2 and -2'"),
    ROW("ksizes=[1,2,1,1,1],strides=[1,1,1,1,1],padding=VALID", "[1,2,1,1,9223372036854775807]",
        "SF128 a.4 @ksizes 'Negative dimension size caused by overflow when multiplying'"),
};
SF_OP_TEST(ExtractVolumePatches, volume_patches)

/* clang-format on */
