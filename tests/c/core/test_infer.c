/* The inference context: wants, words and tails, deferred findings, emission, rows of small ops. */
#include <stdio.h>
#include <string.h>

#include "tests/c/support/op_rows.h"

/* ops of the test */
static int both_shapes(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    (void)f;
    out[0] = SF_SHAPE_ARG(sf_input(c, 0));
    out[1] = SF_SHAPE_ARG(sf_input(c, 1));
    return 2;
}

static const SfMessage matmul_messages[] = {
    {SF_ON(DIM_EQUAL), SF_AS(MATMUL_SIZE), .args = both_shapes}, {0}};

static SfStatus infer_matmul(SfInfer *c)
{
    const int ta = sf_attr_bool(c, "transpose_a");
    const int tb = sf_attr_bool(c, "transpose_b");
    const SfShape *a, *b;
    sf_kernel_messages(c, matmul_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &b));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, 1 - ta), SF_AXIS(1, tb), NULL));
    return sf_set_output_matrix(c, 0, sf_shape_dim(a, ta), sf_shape_dim(b, 1 - tb));
}

static SfStatus infer_fill(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_list(SfInfer *c)
{
    const SfShape *out;
    SF_TRY(sf_want_shape_or_any(c, SF_INPUT(0), &out));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_expand(SfInfer *c)
{
    int64_t axis;
    if (!sf_input_int(c, 1, &axis)) {
        return sf_set_output_unknown(c, 0);
    }
    const int rank = sf_shape_rank(sf_input(c, 0));
    if (rank >= 0 && (axis < -rank - 1 || axis > rank)) {
        return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(0),
                            "dim {0} not in the interval [{1}, {2}].", SF_INT_ARG(axis),
                            SF_INT_ARG(-rank - 1), SF_INT_ARG(rank));
    }
    return sf_set_output_shape(c, 0, sf_shape_insert(sf_input(c, 0), (int)axis, 1));
}

static SfStatus infer_add_n(SfInfer *c)
{
    return sf_infer_merge_all(c);
}

static SfStatus infer_shape(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    return sf_set_output_vector(c, 0, rank < 0 ? SF_DIM_UNKNOWN : rank);
}

static void fold_shape(SfInfer *c)
{
    sf_set_output_value(c, 0, sf_value_from_shape(sf_input(c, 0), sf_output_dtype(c, 0)));
}

static SfStatus infer_read(SfInfer *c)
{
    SfState s;
    (void)sf_state_read(c, 0, &s);
    cr_expect(!s.initialized);
    return sf_set_output_shape(c, 0, s.shape);
}

static SfStatus infer_ranks(SfInfer *c)
{
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 3, NULL));
    SF_TRY(sf_want_dim(c, SF_AXIS(0, -1), 4));
    return sf_set_output_same(c, 0, 0);
}

static SfStatus infer_warn(SfInfer *c)
{
    const SfDiagArg args[] = {SF_TEXT_ARG("softmax"), SF_INT_ARG(1)};
    sf_warn_args(c, SF_DIAG_AXIS_OF_ONE, SF_AXIS(0, 1), SF_THE_OP, args, 2);
    return sf_set_output_same(c, 0, 0);
}

static SfStatus infer_nothing(SfInfer *c)
{
    (void)c;
    return SF_OK;
}

static SfStatus infer_pack(SfInfer *c)
{
    SF_TRY(sf_expect(c, !sf_attr_bool(c, "fail"), SF_THE_OP, "refused"));
    return sf_infer_unknown(c);
}

static double cost_twice(SfInfer *c)
{
    return 2.0 * (double)sf_shape_count(sf_output(c, 0));
}

#define T_ANY "T: type"
static const SfMessage scalar_messages[] = {{.text = "x must be a scalar, not {shape 0}"}, {0}};

static SfStatus infer_message(SfInfer *c)
{
    sf_kernel_messages(c, scalar_messages);
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 0, NULL));
    return sf_set_output_scalar(c, 0);
}

/* A table of messages: one row for each thing that a row can say. */
static int both_counts(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_DIM_ARG(sf_shape_count(sf_input(c, f->b.index)));
    out[1] = SF_DIM_ARG(sf_shape_count(sf_input(c, f->a.index)));
    return 2;
}

static bool is_axis(SfInfer *c, const SfFinding *f)
{
    (void)c;
    return f->a.kind == SF_PLACE_AXIS;
}

static const SfMessage table_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(2)},
    {SF_ON(RANK_EXACT), SF_OF(0),
     .text = "{a.name} of {op} is {0}-D with {attr rate} {attr shape} {x} {"},
    {SF_ON_MERGE, .before = SF_VERSION(2, 0), .args = both_counts, .text = "{0} and {1} elements"},
    {SF_ON_MERGE, SF_AS(BROADCAST), .when = is_axis, .args = both_shapes},
    {SF_ON_MERGE, SF_AS(DIM_VALUE), .text = "{rank 0} and {b.rank} axes"},
    {0}};

static SfStatus table_kernel(SfInfer *c, const void *data)
{
    (void)data;
    SF_TRY(sf_require_rank(c, 3, 1, "at {a} {shape 3}"));
    SF_TRY(sf_require_equal(c, SF_AXIS(3, 0), sf_input_dim(c, 3, 0), SF_INPUT(2), 2,
                            "{a.dim} is not {0}", SF_INT_ARG(2)));
    return sf_require_ints(c, 3, 0, 5, SF_DIAG_INDEX_RANGE, SF_THE_OP, "[{0}] = {1}, not < {2}");
}

static SfStatus infer_table(SfInfer *c)
{
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, NULL));
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), NULL));
    SF_TRY(sf_kernel_check(c, table_kernel, NULL));
    return sf_set_output_scalar(c, 0);
}

static SfStatus infer_phases(SfInfer *c)
{
    return sf_fail(c, sf_in_kernel(c) ? SF_DIAG_BROADCAST : SF_DIAG_DIM_EQUAL, SF_INPUT(0),
                   SF_THE_OP, SF_INT_ARG(1), SF_SHAPE_ARG(sf_input(c, 0)));
}

static void fold_seven(SfInfer *c)
{
    sf_set_output_value(c, 0, sf_value_int(SF_DT_INT32, 7));
}

static const SfOpDef ops[] = {
    SF_OP(TestScalars, .inputs = "x: T, y: T", .outputs = "a: T, b: T", .attrs = "T: type",
          .infer = sf_infer_scalar),
    SF_OP(TestSink, .inputs = "x: T", .outputs = "", .attrs = "T: type",
          .infer = sf_infer_no_output),
    SF_OP(TestWords, .inputs = "x: T", .outputs = "y: T", .attrs = "T: type",
          .infer = infer_message),
    SF_OP(TestTable, .inputs = "x: T, y: T, z: T, at: int32", .outputs = "out: T",
          .attrs = "T: type, shape: shape = [2,?], rate: float = 0.5", .infer = infer_table,
          .messages = table_messages),
    SF_OP(TestPhases, .inputs = "x: T", .outputs = "y: T", .attrs = "T: type",
          .infer = infer_phases),
    SF_OP(TestRandom, .inputs = "x: T", .outputs = "y: T", .attrs = "T: type",
          .infer = sf_infer_unchanged, .fold = fold_seven, .traits = SF_OP_RANDOM),
    SF_OP(TestContradicting, .inputs = "x: T", .outputs = "y: T",
          .attrs = "T: {int32, int64} = int32", .infer = sf_infer_unchanged, .fold = fold_seven),
    SF_OP(TestMatMul, .inputs = "a: T, b: T", .outputs = "product: T",
          .attrs = "transpose_a: bool = false, transpose_b: bool = false, T: {half, float}",
          .infer = infer_matmul, .cost = cost_twice),
    SF_OP(TestFill, .inputs = "dims: index_type, value: T", .outputs = "output: T",
          .attrs = "T: type, index_type: {int32, int64} = int32", .infer = infer_fill),
    SF_OP(TestList, .inputs = "shape: int32", .outputs = "list: variant", .infer = infer_list),
    SF_OP(TestExpandDims, .inputs = "input: T, dim: Tdim", .outputs = "output: T",
          .attrs = "T: type, Tdim: {int32, int64} = int32", .infer = infer_expand),
    SF_OP(TestAddN, .inputs = "inputs: N * T", .outputs = "sum: T",
          .attrs = "N: int >= 1, T: {numbertype, variant}", .infer = infer_add_n),
    SF_OP(TestAdd, .inputs = "x: T, y: T", .outputs = "z: T", .attrs = T_ANY,
          .infer = sf_infer_broadcast),
    SF_OP(TestShape, .inputs = "input: T", .outputs = "output: out_type",
          .attrs = "T: type, out_type: {int32, int64} = int32", .infer = infer_shape,
          .fold = fold_shape),
    SF_OP(TestRead, .inputs = "resource: resource", .outputs = "value: dtype",
          .attrs = "dtype: type", .infer = infer_read),
    SF_OP(TestRanks, .inputs = "x: T", .outputs = "y: T", .attrs = T_ANY, .infer = infer_ranks),
    SF_OP(TestWarn, .inputs = "x: T", .outputs = "y: T", .attrs = T_ANY, .infer = infer_warn),
    SF_OP(TestNothing, .inputs = "x: T", .outputs = "y: T, z: T", .attrs = T_ANY,
          .infer = infer_nothing),
    SF_OP(TestPack, .inputs = "values: T, more: Tlist", .outputs = "y: Tlist",
          .attrs = "T: type, Tlist: list(type), strides: list(int) = [1, 2], label: string = 'x', "
                   "rate: float = 0.5, fail: bool = false",
          .infer = infer_pack),
};
static const SfOpTable table = {ops, SF_ARRAY_LEN(ops), "test"};

static void setup(void)
{
    cr_assert(sf_ops_register(&table) == SF_OK);
}

#define CORE_TEST(op, rows)                                                                        \
    Test(infer, op, .init = setup)                                                                 \
    {                                                                                              \
        sf_rows_run(#op, (rows), SF_ARRAY_LEN(rows), __FILE__);                                    \
    }

/* rows */
static const SfOpCase matmul[] = {
    ROW("", "[2,3] [3,4]", "[2,4] cost 16"),
    ROW("", "[n,3] [3,4]", "[n,4]"),
    ROW("", "[?,3] [?,?]", "[a.0,b.1]"),
    ROW("", "? ?", "[?,?]"),
    ROW("", "! [3,4]", "!"),
    ROW("transpose_b=true", "[2,3] [4,3]", "[2,4]"),
    ROW("transpose_a=true,T=half", "[3,2] [3,4]", "[2,4]:half"),
    ROW("", "[2,3] [4,5]",
        "SF101 a.1 b.0 'Dimensions must be equal, but are 3 and 4 for 'TestMatMul' (op: "
        "'TestMatMul') with input shapes: [2,3], [4,5].'"),
    ROW("", "[3] [3,4]", "SF102 a 'Shape must be rank 2 but is rank 1 for'"),
    ROW("", "[2,n] [n+1,4]", "deferred SF101 a.1 b.0 / [2,4]"),
    ROW("", "[n,n+1] [n,4]", "deferred SF101 a.1 b.0 / [?,4]"),
    ROW("", "[n,3] [4,5]", "SF101 a.1 b.0 'input shapes: [?,3], [4,5].'"),
    ROW("@version=2.21", "[2,3] [4,5]",
        "SF101 a.1 b.0 'but are 3 and 4 for '{{node TestMatMul}} = TestMatMul[T=DT_FLOAT, "
        "transpose_a=false, transpose_b=false](?, ?)' with input shapes: [2,3], [4,5].'"),
    ROW("@phase=run", "[2,3] [4,5]",
        "SF114 a.1 b.0 'Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]\n\t [[{{node "
        "TestMatMul}}]]'"),
    ROW("@phase=run,@version=1.8", "[2,3] [4,5]",
        "SF114 a.1 b.0 'In[1]: [4,5]\n\t [[Node: TestMatMul = TestMatMul[T=DT_FLOAT, "
        "transpose_a=false, transpose_b=false, "
        "_device=\"/job:localhost/replica:0/task:0/device:CPU:0\"](?, ?)]]'"),
    ROW("@phase=eager,@version=2.21", "[2,3] [4,5]",
        "SF114 a.1 b.0 '{{function_node __wrapped__TestMatMul_device_/job:localhost/replica:0/"
        "task:0/device:CPU:0}} Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5] "
        "[Op:TestMatMul] name: TestMatMul'"),
    ROW("@phase=run", "[3] [3,4]", "SF102 a 'Shape must be rank 2 but is rank 1\n'"),
};
CORE_TEST(TestMatMul, matmul)

static const SfOpCase fill[] = {
    ROW("", "{2,3} []", "[2,3]"),
    ROW("", "{2,-1} []", "[2,?]"),
    ROW("", "{2,n} []:int64", "[2,n]:int64"),
    ROW("", "{2,?} []", "[2,?]"),
    ROW("", "{} []", "[]"),
    ROW("", "-1 []", "SF102 a 'Shape must be rank 1 but is rank 0'"),
    ROW("", "[3] []", "[?,?,?]"),
    ROW("", "[?] []", "?"),
    ROW("", "? ?", "?"),
    ROW("", "[] []", "SF102 a"),
    ROW("", "{{2,3}} []", "SF102 a 'Shape must be rank 1 but is rank 2'"),
    ROW("", "{2,-5} []", "SF130 a 'Invalid value in tensor used for shape: -5'"),
    ROW("@phase=run", "{2,-5} []", "SF130 a 'Dimension -5 must be >= 0\n\t [[{{node'"),
    ROW("@phase=run", "{2,-1} []", "SF130 a 'Dimension -1 must be >= 0'"),
    ROW("", "{2,3} [1]",
        "SF102 b 'and with input tensors computed as partial shapes: input[0] = [2,3].'"),
    ROW("index_type=int64", "{4611686018427387904,4}:int64 []",
        "deferred SF122 out.0 / [4611686018427387904,4]"),
    ROW("@phase=run,index_type=int64", "{4611686018427387904,4}:int64 []",
        "SF122 out.0 'would have more than 2**63 - 1 elements'"),
};
CORE_TEST(TestFill, fill)

static const SfOpCase list[] = {
    ROW("", "{2,-1}", "[2,?]"),
    ROW("", "-1", "?"),
    ROW("", "[]", "?"),
    ROW("", "?", "?"),
    ROW("", "7", "SF102 a 'it must have value -1 (representing an unknown shape).  Saw value: 7'"),
    ROW("", "[2,2]", "SF102 a"),
    ROW("", "{-2}", "SF130 a"),
};
CORE_TEST(TestList, list)

static const SfOpCase expand[] = {
    ROW("", "[2,3] 1", "[a.0,1,a.1]"),
    ROW("", "[2,3] -1", "[2,3,1]"),
    ROW("", "[2,3] []:int32", "?"),
    ROW("", "? 0", "?"),
    ROW("", "[2,3] 7",
        "SF128 b a 'dim 7 not in the interval [-3, 2]. for 'TestExpandDims' (op: 'TestExpandDims') "
        "with input shapes: [2,3], [] and with computed input tensors: input[1] = <7>.'"),
};
CORE_TEST(TestExpandDims, expand)

static const SfOpCase add_n[] = {
    ROW("", "[2,3] [2,3]", "[2,3]"),
    ROW("N=3", "[2,?] [?,3] ?", "[2,3]"),
    ROW("", "( [?,3] )", "[a.0,3]"),
    ROW("", "( [2,3] [4,5] )",
        "SF107 a.0 b.0 'Dimension 0 in both shapes must be equal, but are 2 and 4. Shapes are "
        "[2,3] and [4,5].\n\tFrom merging shape 0 with other shapes. for'"),
    ROW("", "[2] [2,3] [2,3]", "SF108 a b 'From merging shape 0 with'"),
    ROW("", "[2,3] [2] [2,3]", "SF108 b c 'From merging shape 1 with'"),
    ROW("@phase=eager,@version=2.21", "[2] [3]", "SF107 a.0 b.0 '__wrapped__TestAddN_N_2_device_'"),
    ROW("", "[n] [n+1]", "deferred SF107 a.0 b.0 / [?]"),
};
CORE_TEST(TestAddN, add_n)

static const SfOpCase add[] = {
    ROW("", "[2,3] [3]", "[2,3]"),
    ROW("", "[2,1] [1,3]", "[2,3]"),
    ROW("", "[?,3] [1]", "[a.0,3]"),
    ROW("", "[n,3] [n,1]", "[n,3]"),
    ROW("", "? [3]", "?"),
    ROW("", "[2,3] [4,5]", "SF101 a.0 b.0 'Dimensions must be equal, but are 2 and 4'"),
    ROW("", "[2,3] [1,2,4,3]", "SF101 a.0 b.2 'but are 2 and 4'"),
    ROW("", "[2,3] [4]", "SF101 a.1 b.0 'but are 3 and 4'"),
    ROW("@phase=run", "[2,3] [4]", "SF113 a.1 b.0 'Incompatible shapes: [2,3] vs. [4]'"),
    ROW("", "[n+2] [n+3]", "deferred SF101 a.0 b.0 / [?]"),
};
CORE_TEST(TestAdd, add)

static const SfOpCase shape[] = {
    ROW("", "[2,3]", "{2,3}"),
    ROW("out_type=int64", "[n,?]", "{n,?}:int64"),
    ROW("", "[]", "{}"),
    ROW("", "?", "[?]=?"),
};
CORE_TEST(TestShape, shape)

static const SfOpCase read[] = {
    ROW("dtype=float", "&[2,3]", "[2,3]"),
    ROW("dtype=int64", "&?:int64", "?:int64"),
    ROW("dtype=float", "[]", "?"),
};
CORE_TEST(TestRead, read)

static const SfOpCase ranks[] = {
    ROW("", "[2,4]", "[2,4]"),
    ROW("", "[?,?]", "[a.0,a.1]"),
    ROW("", "[4]", "SF103 a 'Shape must be at least rank 2 but is rank 1'"),
    ROW("", "[1,2,3,4]", "SF105 a 'Shape must be at most rank 3 but is rank 4'"),
    ROW("", "[2,5]", "SF106 a.1 'Dimension must be 4 but is 5'"),
    ROW("", "[2,n+5]", "deferred SF106 a.1 / [2,?]"),
};
CORE_TEST(TestRanks, ranks)

static const SfOpCase warned[] = {ROW("", "[2,1]", "warns SF502 a.1 / [2,1]")};
CORE_TEST(TestWarn, warned)

static const SfOpCase nothing[] = {ROW("", "[2]:int64", "?:int64 ?:int64")};
CORE_TEST(TestNothing, nothing)

static const SfOpCase pack[] = {
    ROW("", "[2] ( [3]:int32 5 'x' )", "?:int32 ?:int32 ?:string"),
    ROW("Tlist=[]", "[2] ( )", ""),
    ROW("fail=true,label='a\"b',@version=2.21", "[2] ( [3]:int64 )",
        "SF128 op 'refused for '{{node TestPack}} = TestPack[T=DT_FLOAT, Tlist=[DT_INT64], "
        "fail=true, label=\"a\\\"b\", rate=0.5, strides=[1, 2]](?, ?)' with input'"),
    ROW("fail=true,@version=2.21,@phase=eager", "[2] ( [3]:int64 )",
        "SF128 op '__wrapped__TestPack_Tlist_1_device_'"),
};
CORE_TEST(TestPack, pack)

static const SfOpCase scalars[] = {ROW("", "[2] [3]", "[] []"), ROW("", "? !", "! !")};
CORE_TEST(TestScalars, scalars)

static const SfOpCase sink_op[] = {ROW("", "[2]", ""), ROW("", "!", "")};
CORE_TEST(TestSink, sink_op)

static const SfOpCase message[] = {
    ROW("", "[2]", "SF105 a 'Shape must be at most rank 0 but is rank 1 for'"),
    ROW("@phase=run", "[2]", "SF105 a 'x must be a scalar, not [2]\n'"),
    ROW("", "[]", "[]"),
};
CORE_TEST(TestWords, message)

static const SfOpCase messages[] = {
    ROW("", "[2] ? [] ?", "SF102 a 'Shape must be rank 2 but is rank 1 for'"),
    ROW("@phase=run", "[2] ? [] ?", "SF102 a 'x of TestTable is 2-D with 0.5 [2,?] {x} {\n'"),
    ROW("@phase=run", "[2,3] ? [1] ?", "SF102 c 'Shape must be rank 0 but is rank 1\n'"),
    ROW("@phase=run,@version=1.8", "[2,3] [2,4] [] ?", "SF107 a.1 b.1 '8 and 6 elements\n'"),
    ROW("@phase=run,@version=1.8", "[2,3] [2] [] ?", "SF108 a b '2 and 6 elements\n'"),
    ROW("@phase=run,@version=2.3", "[2,3] [2,4] [] ?",
        "SF113 a.1 b.1 'Incompatible shapes: [2,3] vs. [2,4]\n'"),
    ROW("@phase=run,@version=2.3", "[2,3] [2] [] ?", "SF106 a b '2 and 1 axes\n'"),
    ROW("", "[2,3] [2,3] [] []", "deferred SF102 d 'at 3 [] for' / []"),
    ROW("", "[2,3] [2,3] [] [3]", "deferred SF101 d.0 c '3 is not 2 for' / []"),
    ROW("", "[2,3] [2,3] [] {4,5}", "deferred SF117 d '[1] = 5, not < 5 for' / []"),
    ROW("", "[2,3] [2,3] [] {4,?}", "[]"),
};
CORE_TEST(TestTable, messages)

static const SfOpCase phases[] = {
    ROW("", "[2]", "SF101 a 'Dimensions must be equal, but are 1 and [2]'"),
    ROW("@phase=run", "[2]", "SF113 a 'Incompatible shapes: 1 vs. [2]'"),
};
CORE_TEST(TestPhases, phases)

static const SfOpCase random_op[] = {ROW("", "{2}", "[1]=?")};
CORE_TEST(TestRandom, random_op)

static const SfOpCase contradicting[] = {
    ROW("@weak=no", "[2]", "[2]=?"), /* the folded scalar cannot be the content of [2] */
    ROW("", "?", "7"),               /* and refines what is not known */
    ROW("T=int64", "?", "?=?"),      /* the dtype is another one */
};
CORE_TEST(TestContradicting, contradicting)

/* what rows cannot say */
Test(infer, attrs_and_ranges, .init = setup)
{
    SfRow row;
    const SfOpSig *sig = sf_op_find("TestPack");
    cr_assert(sf_row_parse(&row, sig, "", "[2] ( [3] [4] )"), "%s", row.error);
    SfSink sink;
    sf_sink_init(&sink);
    cr_assert(sf_row_infer(&row, &sink) == SF_OK);
    cr_expect(row.nout == 2);
    const SfAttr *strides = &sig->attrs[sf_op_attr_index(sig, "strides")].def;
    cr_expect(strides->u.list.n == 2 && strides->u.list.u.i[1] == 2);
    sf_row_free(&row);
    sf_sink_free(&sink);
}

Test(infer, rows_reject_what_is_no_row, .init = setup)
{
    static const char *const bad[][2] = {
        {"", ""},          {"", "[2] [3] [4]"}, {"", "[2"},          {"", "[2] [3"},
        {"nope=1", "? ?"}, {"T=int32", "? ?"},  {"T=what", "? ?"},   {"transpose_a=2", "? ?"},
        {"", "{1,2 ?"},    {"", "[2]:what ?"},  {"@phase=x", "? ?"}, {"", "[2]={1} ?"},
    };
    const SfOpSig *sig = sf_op_find("TestMatMul");
    for (int i = 0; i < SF_ARRAY_LEN(bad); i++) {
        SfRow row;
        cr_expect(!sf_row_parse(&row, sig, bad[i][0], bad[i][1]), "%s | %s", bad[i][0], bad[i][1]);
        cr_expect(row.error[0] != '\0');
        sf_row_free(&row);
    }
}

Test(infer, operands_of_a_finding, .init = setup)
{
    SfRow row;
    SfSink sink;
    sf_sink_init(&sink);
    cr_assert(sf_row_parse(&row, sf_op_find("TestAddN"), "", "[2,3] [4,5]"));
    cr_assert(sf_row_infer(&row, &sink) == SF_REPORTED);
    const SfDiag *d = sink.first;
    cr_assert(d && d->noperands == 2 && d->nargs == 5);
    cr_expect_str_eq(d->operands[1].name, "inputs[1]");
    cr_expect(d->operands[1].shape == row.inputs[1].shape);
    cr_expect_str_eq(d->op_type, "TestAddN");
    cr_expect(sf_shape_rank(row.outs[0].shape) == SF_RANK_UNKNOWN, "the run can go on");
    sink.muted = 1;
    cr_expect(sf_row_infer(&row, &sink) == SF_REPORTED && sink.count == 1);
    sf_sink_clear(&sink);
    cr_expect(!sink.first && sink.count == 0);
    sf_row_free(&row);
    sf_sink_free(&sink);
}
