/* What stands behind handles: tensor maps, composite tensors, tensor lists as records, and tensor
 * arrays of versions 1 and 2. Expectations asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

#include "tests/c/apis/net.h"

/* clang-format off */
static const SfOpCase old_write[] = {
    ROW("", "[2]:string [] [2,5] []", "[]"),
    ROW("", "? [] [2,?] ?",           "[]"),
    ROW("", "? ? ? ?",                "[]"),
    ROW("", "! [] [2,5] []",          "!"),
    ROW("", "[2]:string [1] [2,5] []", "SF102 b"),
    ROW("", "[3]:string [] [2,5] []", "SF106 a.0"),
};
SF_OPS_TEST(variant, old_write, "TensorArrayWriteV2")

static const SfOpCase old_read[] = {
    ROW("dtype=float", "[2]:string [] []", "?"),
    ROW("dtype=float", "[?]:string [] []", "?"),
    ROW("dtype=int32", "? ? ?",            "?:int32"),
    ROW("dtype=float", "! [] []",          "!"),
    ROW("dtype=float", "[2]:string [3] []", "SF102 b"),
};
SF_OP_TEST(TensorArrayReadV2, old_read)

static const SfOpCase old_gather[] = {
    ROW("dtype=float,element_shape=[2,?]", "[2]:string [7] []", "[7,2,?]"),
    ROW("dtype=float,element_shape=[3]",   "[2]:string [?] []", "[?,3]"),
    ROW("dtype=float",                     "? ? ?",             "?"),
    ROW("dtype=float",                     "! [7] []",          "!"),
    ROW("dtype=float",                     "[2]:string [1,2] []", "SF102 b"),
};
SF_OP_TEST(TensorArrayGatherV2, old_gather)

static const SfOpCase old_scatter[] = {
    ROW("", "[2]:string [3] [3,2,5] []", "[]"),
    ROW("", "[2]:string [?] [3,?] []",   "[]"),
    ROW("", "? ? ? ?",                   "[]"),
    ROW("", "! [3] [3,2] []",            "!"),
    ROW("", "[2]:string [3] [4,2,5] []", "SF101 c.0 b.0"),
};
SF_OP_TEST(TensorArrayScatterV2, old_scatter)

static const SfOpCase old_concat[] = {
    ROW("dtype=float",            "[2]:string []", "? [?]"),
    ROW("dtype=float", "[?]:string []", "? [?]"),
    ROW("@phase=run,dtype=float,element_shape_except0=[5]", "[2]:string []", "[?,5] [?]"),
    ROW("dtype=float",            "? ?",           "? [?]"),
    ROW("dtype=float",            "! []",          "! !"),
    ROW("dtype=float",            "[]:string []",  "SF102 a"),
};
SF_OP_TEST(TensorArrayConcatV2, old_concat)

static const SfOpCase old_split[] = {
    ROW("", "[2]:string [6,5] {1,2,3} []", "[]"),
    ROW("", "[2]:string [?,5] [?] []",     "[]"),
    ROW("", "? ? ? ?",                     "[]"),
    ROW("", "! [6,5] {6} []",              "!"),
    ROW("", "[2]:string [6,5] [] []",      "SF102 c"),
    ROW("", "[2]:string [6,5] {1,2} []",   "deferred SF129 c b.0 / []"),
    ROW("", "[2]:string [6,5] {1,?} []",   "[]"),
};
SF_OP_TEST(TensorArraySplitV2, old_split)

static const SfOpCase old_size[] = {
    ROW("", "[2]:string []", "[]"),
    ROW("", "[?]:string []", "[]"),
    ROW("", "? ?",           "[]"),
    ROW("", "! []",          "!"),
    ROW("", "[]:string []",  "SF102 a"),
};
SF_OP_TEST(TensorArraySizeV2, old_size)

static const SfOpCase array_split[] = {
    ROW("",             "[2] [6,5] {1,2} []",  "deferred SF129 c b.0 'sum of lengths is 3 and value' / []"),
    ROW("@phase=eager", "[] [6,5] {{6}} []",   "SF102 c 'Expected lengths to be a vector, received shape: [1,1]'"),
};
SF_OP_TEST(TensorArraySplitV3, array_split)

static const SfOpCase array_scatter[] = {
    ROW("@phase=eager", "[] [3] [4,2] []", "SF101 c.0 b.0 'Expected len(indices) == values.shape[0], but saw: 3 vs. 4'"),
    ROW("@phase=eager", "[] [3] [] []",    "SF103 c 'Input value for unpack must be at least a vector but received shape: []'"),
};
SF_OP_TEST(TensorArrayScatterV3, array_scatter)

static const SfOpCase array_grad[] = {
    ROW("source='g',@phase=eager", "[] [] {4}",  "[] []"),
    ROW("source='g',@phase=eager", "[] [] {-1}", "SF130 c 'Dimension -1 must be >= 0'"),
};
SF_OP_TEST(TensorArrayGradWithShape, array_grad)

static const SfOpCase from_rows[] = {
    ROW("",             "[]:float {}",     "deferred SF103 a 'Tensor must be at least a vector, but saw shape: []' / []"),
    ROW("@phase=eager", "[3,2]:float {4}", "SF129 a b 'Specified a list with shape [4] from a tensor with shape [2]'"),
};
SF_OP_TEST(TensorListFromTensor, from_rows)

static const SfOpCase stack_of[] = {
    ROW("element_dtype=float,num_elements=-2", "[] {2}", "SF130 @num_elements 'Dimension -2 must be >= 0'"),
};
SF_OP_TEST(TensorListStack, stack_of)

static const SfOpCase map_new[] = {
    ROW("", "", "[]"),
};
SF_OP_TEST(EmptyTensorMap, map_new)

static const SfOpCase map_insert[] = {
    ROW("", "[] 1.5 [2]:int32", "[]"),
    ROW("", "[] [?] ?:int32",   "[]"),
    ROW("", "? ? ?",            "[]"),
    ROW("", "! 1.5 [2]",        "!"),
};
SF_OP_TEST(TensorMapInsert, map_insert)

static const SfOpCase map_key[] = {
    ROW("value_dtype=int32", "[] 1.5", "?"),
    ROW("value_dtype=int32", "[] [?]", "?"),
    ROW("value_dtype=int32", "? ?",    "?"),
    ROW("value_dtype=int32", "! 1.5",  "!"),
};
SF_OP_TEST(TensorMapLookup, map_key)

static const SfOpCase map_erase[] = {
    ROW("value_dtype=int32", "[] 1.5", "[]"),
    ROW("value_dtype=int32", "[] [?]", "[]"),
    ROW("value_dtype=int32", "? ?",    "[]"),
    ROW("value_dtype=int32", "! 1.5",  "!"),
};
SF_OP_TEST(TensorMapErase, map_erase)

static const SfOpCase map_has[] = {
    ROW("", "[] 1.5", "[]:bool"),
    ROW("", "[] [?]", "[]"),
    ROW("", "? ?",    "[]"),
    ROW("", "! 1.5",  "!"),
};
SF_OP_TEST(TensorMapHasKey, map_has)

static const SfOpCase map_size[] = {
    ROW("", "[]", "[]:int32"),
    ROW("", "[?]", "[]"),
    ROW("", "?",  "[]"),
    ROW("", "!",  "!"),
};
SF_OP_TEST(TensorMapSize, map_size)

static const SfOpCase map_keys[] = {
    ROW("key_dtype=float", "[]", "?"),
    ROW("key_dtype=float", "[?]", "?"),
    ROW("key_dtype=float", "?",  "?"),
    ROW("key_dtype=float", "!",  "!"),
};
SF_OP_TEST(TensorMapStackKeys, map_keys)

static const SfOpCase compose[] = {
    ROW("metadata=''", "( [2] [3]:int32 )", "[]"),
    ROW("metadata=''", "( [?] ? )",         "[]"),
};
SF_OP_TEST(CompositeTensorVariantFromComponents, compose)

static const SfOpCase decompose[] = {
    ROW("metadata='',Tcomponents=[float,int32]", "[]", "? ?:int32"),
    ROW("metadata='',Tcomponents=[float,int32]", "[?]", "? ?"),
    ROW("metadata='',Tcomponents=[float]",       "?",  "?"),
};
SF_OP_TEST(CompositeTensorVariantToComponents, decompose)
/* clang-format on */

/* what went in is known later on */

static SfTensor integers(Net *n, const char *elem)
{
    SfTensor shape = net_placeholder(n, "int32", elem);
    return shape;
}

/* The message of the finding that making an op leaves, "" for none. */
static const char *finding(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin)
{
    sf_sink_clear(&n->sink);
    (void)net_op(n, op, attrs, in, nin);
    return n->sink.count > 0 && n->sink.last->deferred ? n->sink.last->message : "";
}

Test(variant, maps_know_their_keys)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    SfTensor map = NET0(&n, "EmptyTensorMap", "");
    const SfTensor one = net_int(&n, "int32", 1), two = net_int(&n, "int32", 2);
    const SfTensor fed = net_placeholder(&n, "int32", "[]");
    map = NET(&n, "TensorMapInsert", "", map, one, net_placeholder(&n, "float", "[2]"));
    const SfTensor there[] = {map, one}, missing[] = {map, two}, any[] = {map, fed};
    cr_expect_str_empty(finding(&n, "TensorMapLookup", "value_dtype=float", there, 2));
    cr_expect_str_empty(finding(&n, "TensorMapLookup", "value_dtype=float", any, 2));
    cr_expect(strstr(finding(&n, "TensorMapLookup", "value_dtype=int32", there, 2),
                     "Type mismatch: actual float vs. expect int32"));
    cr_expect(strstr(finding(&n, "TensorMapLookup", "value_dtype=float", missing, 2),
                     "Trying to lookup non-existent key. Could not find key \"2\"."));
    cr_expect(strstr(finding(&n, "TensorMapErase", "value_dtype=float", missing, 2),
                     "Trying to erase non-existent item. Could not find key \"2\"."));
    cr_expect_str_empty(finding(&n, "TensorMapStackKeys", "key_dtype=int32", &map, 1));
    cr_expect(strstr(finding(&n, "TensorMapStackKeys", "key_dtype=float", &map, 1),
                     "Key does not match requested dtype."));
    const SfTensor without[] = {NET(&n, "TensorMapErase", "value_dtype=float", map, one), one};
    cr_expect(strstr(finding(&n, "TensorMapLookup", "value_dtype=float", without, 2),
                     "Could not find key \"1\"."));
    /* a key that is fed may be any */
    const SfTensor more[] = {
        NET(&n, "TensorMapInsert", "", map, fed, net_placeholder(&n, "float", "[2]")), two};
    cr_expect_str_empty(finding(&n, "TensorMapLookup", "value_dtype=float", more, 2));
    net_close(&n);
}

Test(variant, composites_know_their_components)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor parts[] = {net_placeholder(&n, "float", "[2,5]"), integers(&n, "[3]")};
    const SfTensor made =
        NET(&n, "CompositeTensorVariantFromComponents", "metadata=''", parts[0], parts[1]);
    const SfTensor first = NET(&n, "CompositeTensorVariantToComponents",
                               "metadata='',Tcomponents=[float,int32]", made);
    cr_expect_str_eq(net_shape(&n, first), "[2,5]");
    cr_expect_str_eq(net_shape(&n, n.outs[1]), "[3]");
    cr_expect(strstr(finding(&n, "CompositeTensorVariantToComponents",
                             "metadata='',Tcomponents=[float]", &made, 1),
                     "Encoded value has 2 tensor components; expected 1 components"));
    cr_expect(strstr(finding(&n, "CompositeTensorVariantToComponents",
                             "metadata='',Tcomponents=[float,bool]", &made, 1),
                     "Tensor component 1 had dtype DT_INT32; expected dtype DT_BOOL"));
    net_close(&n);
}
