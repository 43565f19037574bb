/* TensorArray: what is static as rows (asked of TensorFlow 1.15 and 2.21), what a run knows as a
 * session; tensor lists as rows. */
#include "tests/c/support/op_rows.h"

#include "core/session/session.h"
#include "tests/c/domain/domain.h"

static const SfOpCase array[] = {
    ROW("dtype=float", "3", "[2] []"),
    ROW("dtype=float", "?", "[2] []"),
    ROW("dtype=float", "[3]", "SF102 a"),
};
SF_OP_TEST(TensorArrayV3, array)

static const SfOpCase write[] = {
    ROW("", "[2] [] [2,5] []", "[]"),
    ROW("", "[?] [] [2,5] []", "[]"),
    ROW("", "? ? ? ?", "[]"),
    ROW("", "[2] [1] [2,5] []", "SF102 b"),
    ROW("", "[3] [] [2,5] []", "SF106 a.0"),
};
SF_OP_TEST(TensorArrayWriteV3, write)

static const SfOpCase read[] = {
    ROW("dtype=int32", "[2] [] []", "?:int32"),
    ROW("dtype=int32", "[?] [] []", "?"),
    ROW("dtype=int32", "? ? ?", "?"),
    ROW("dtype=float", "[2] [1] []", "SF102 b"),
};
SF_OP_TEST(TensorArrayReadV3, read)

static const SfOpCase gather[] = {
    ROW("dtype=float", "[2] [7] []", "?"),
    ROW("dtype=float", "[?] [7] []", "?"),
    ROW("dtype=float,element_shape=[2,?]", "[2] [7] []", "[7,2,?]"),
    ROW("dtype=float,element_shape=[]", "[2] ? []", "[?]"),
    ROW("dtype=float", "[2] [1,2] []", "SF102 b"),
};
SF_OP_TEST(TensorArrayGatherV3, gather)

static const SfOpCase scatter[] = {
    ROW("", "[2] [3] [3,2,5] []", "[]"),
    ROW("", "[?] [3] [3,2,5] []", "[]"),
    ROW("", "? ? ? ?", "[]"),
    ROW("", "[2] [3] [4,2,5] []", "SF101 c.0 b.0"),
    ROW("", "[2] [3] [] []", "SF103 c"),
};
SF_OP_TEST(TensorArrayScatterV3, scatter)

static const SfOpCase concat[] = {
    ROW("dtype=float,element_shape_except0=[5]", "[2] []", "? [?]"),
    ROW("dtype=float,element_shape_except0=[5]", "[?] []", "? [?]"),
    ROW("dtype=float,element_shape_except0=[5]", "? ?", "? [?]"),
    ROW("@phase=run,dtype=float,element_shape_except0=[5]", "[2] []", "[?,5] [?]"),
    ROW("dtype=float", "[] []", "SF102 a"),
};
SF_OP_TEST(TensorArrayConcatV3, concat)

static const SfOpCase split[] = {
    ROW("", "[2] [6,5] {1,2,3} []", "[]"),
    ROW("", "[?] [6,5] {1,2,3} []", "[]"),
    ROW("", "[2] ? ? []", "[]"),
    ROW("", "[2] [6,5] [] []", "SF102 c"),
};
SF_OP_TEST(TensorArraySplitV3, split)

static const SfOpCase size[] = {
    ROW("", "[2] []", "[]=?"),
    ROW("", "[?] []", "[]"),
    ROW("", "? ?", "[]"),
    ROW("", "[] []", "SF102 a"),
};
SF_OP_TEST(TensorArraySizeV3, size)

static const SfOpCase close_[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[]", "SF102 a"),
};
SF_OP_TEST(TensorArrayCloseV3, close_)

static const SfOpCase grad[] = {
    ROW("source='g'", "[2] []", "[2] []"),
    ROW("source='g'", "[?] []", "[2] []"),
    ROW("source='g'", "? ?", "[2] []"),
    ROW("source='g'", "[] []", "SF102 a"),
};
SF_OP_TEST(TensorArrayGradV3, grad)

static const SfOpCase grad_with_shape[] = {
    ROW("source='g'", "[2] [] {4}", "[2] []"),
    ROW("source='g'", "[?] [] {4}", "[2] []"),
    ROW("source='g'", "? ? ?", "[2] []"),
    ROW("source='g'", "[] [] {4}", "SF102 a"),
};
SF_OP_TEST(TensorArrayGradWithShape, grad_with_shape)

/* stacks and lists */

static const SfOpCase stack[] = {
    ROW("elem_type=float", "[]", "[2]"),
    ROW("elem_type=float", "?", "[2]"),
};
SF_OP_TEST(StackV2, stack)

static const SfOpCase push[] = {
    ROW("", "[] [2,n]", "[2,n]"),
    ROW("", "[] [2,2]", "[2,2]"),
    ROW("", "[] ?", "?"),
};
SF_OP_TEST(StackPushV2, push)

static const SfOpCase pop[] = {
    ROW("elem_type=int32", "[]", "?:int32"),
};
SF_OP_TEST(StackPopV2, pop)

static const SfOpCase stack_close[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(StackCloseV2, stack_close)

static const SfOpCase list[] = {
    ROW("element_dtype=float", "{2,-1} 10", "[]"),
    ROW("element_dtype=float", "[?] 10", "[]"),
    ROW("element_dtype=float", "[2,3] 10", "SF105 a"),
    ROW("element_dtype=float", "-1 ?", "[]"),
};
SF_OPS_TEST(list, list, "EmptyTensorList", "TensorListReserve")

static const SfOpCase list_set[] = {
    ROW("", "[] 0 [2,5]", "[]"),
    ROW("", "[] 0 [?,5]", "[]"),
    ROW("", "? ? ?", "[]"),
};
SF_OP_TEST(TensorListSetItem, list_set)

static const SfOpCase list_get[] = {
    ROW("element_dtype=float", "[] 0 {2,5}", "[2,5]"),   ROW("element_dtype=float", "? ? ?", "?"),
    ROW("element_dtype=float", "[] 0 {-1,n}", "[?,n]"),  ROW("element_dtype=float", "[] 0 -1", "?"),
    ROW("element_dtype=float", "[] 0 {{2}}", "SF105 c"),
};
SF_OP_TEST(TensorListGetItem, list_get)

static const SfOpCase list_stack[] = {
    ROW("element_dtype=float", "[] {2,5}", "[?,2,5]"),
    ROW("element_dtype=float", "[?] {2,5}", "[?,2,5]"),
    ROW("element_dtype=float", "? ?", "?"),
    ROW("element_dtype=float,num_elements=4", "[] {2,-1}", "[4,2,?]"),
    ROW("element_dtype=float", "[] -1", "?"),
    ROW("element_dtype=float", "[] {{2}}", "SF105 b"),
};
SF_OP_TEST(TensorListStack, list_stack)

static const SfOpCase list_from[] = {
    ROW("", "[3,2,5] {2,5}", "[]"),
    ROW("", "[3,2,?] -1", "[]"),
    ROW("", "? {2,5}", "[]"),
    ROW("", "[3,2,5] {2,4}", "SF107 a.1 b.1"),
    ROW("", "[] {2,5}", "SF108 a b 'Shapes must be equal rank, but are 0 and 2'"),
};
SF_OP_TEST(TensorListFromTensor, list_from)

static const SfOpCase list_push[] = {
    ROW("", "[] [2,5]", "[]"),
    ROW("", "[] [?,5]", "[]"),
    ROW("", "? ?", "[]"),
};
SF_OP_TEST(TensorListPushBack, list_push)

static const SfOpCase list_pop[] = {
    ROW("element_dtype=float", "[] {2,5}", "[] ?"), /* the kernel asks only for what was never set */
    ROW("element_dtype=float", "[] [?]", "[] ?"),   ROW("element_dtype=float", "? ?", "[] ?"),
    ROW("element_dtype=float", "[] -1", "[] ?"),    ROW("element_dtype=float", "[] [2,3]", "[] ?"),
};
SF_OP_TEST(TensorListPopBack, list_pop)

static const SfOpCase list_length[] = {
    ROW("", "[]", "[]:int32"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(TensorListLength, list_length)

static const SfOpCase list_gather[] = {
    ROW("element_dtype=float", "[] [7] {2,5}", "[7,2,5]"),
    ROW("element_dtype=float", "[] [7] [2,3]", "SF105 c"),
    ROW("element_dtype=float", "[] [n] {2,5}", "[n,2,5]"),
    ROW("element_dtype=float", "[] ? {2,5}", "[?,2,5]"),
    ROW("element_dtype=float", "[] [4294967296,4294967296] {2,5}", "[?,2,5]"),
};
SF_OP_TEST(TensorListGather, list_gather)

static const SfOpCase list_concat[] = {
    ROW("element_dtype=float", "[]", "? [?]"),
    ROW("element_dtype=float", "[?]", "? [?]"),
    ROW("element_dtype=float", "?", "? [?]"),
    ROW("element_dtype=float,element_shape=[4,5]", "[]", "[?,5] [?]"),
};
SF_OP_TEST(TensorListConcat, list_concat)

static const SfOpCase list_concat_v2[] = {
    ROW("element_dtype=float", "[] {2,5} {}", "[?,5] [?]"),
    ROW("element_dtype=float", "[?] {2,5} {}", "[?,5] [?]"),
    ROW("element_dtype=float", "? ? ?", "? [?]"),
    ROW("element_dtype=float", "[] [2,3] {}", "SF105 b"),
    ROW("element_dtype=float", "[] -1 {}", "? [?]"),
};
SF_OP_TEST(TensorListConcatV2, list_concat_v2)

/* a run */

extern const SfOpTable sf_ops_internal, sf_ops_tensor_array, sf_ops_control_flow;
extern const SfOpTable sf_ops_elementwise, sf_ops_array_set;

typedef struct Run {
    SfGraph *g;
    SfSink sink;
    SfArena scratch;
    SfBuilder b;
    SfFeed feeds[12];
    int nfeeds;
} Run;

static void run_open(Run *r)
{
    static const SfOpTable *const tables[] = {&sf_ops_internal, &sf_ops_tensor_array,
                                              &sf_ops_control_flow, &sf_ops_elementwise,
                                              &sf_ops_array_set};
    for (int i = 0; i < SF_ARRAY_LEN(tables); i++) {
        cr_assert(sf_ops_register(tables[i]) == SF_OK);
    }
    *r = (Run){.g = sf_graph_new(SF_VERSION(1, 15))};
    sf_sink_init(&r->sink);
    sf_arena_init(&r->scratch);
    r->b = (SfBuilder){.graph = r->g,
                       .sink = &r->sink,
                       .version = SF_VERSION(1, 15),
                       .device = "",
                       .scratch = &r->scratch};
}

static void run_close(Run *r)
{
    sf_graph_free(r->g);
    sf_sink_free(&r->sink);
    sf_arena_free(&r->scratch);
}

static void build(Run *r, const char *op, const SfTensor *in, int nin, const SfAttrArg *attrs,
                  int nattrs, SfTensor *outs)
{
    int nout;
    cr_assert(sf_build(&r->b, sf_op_find(op), NULL, in, nin, NULL, attrs, nattrs, outs, 2, &nout) ==
                  SF_OK,
              "%s", op);
}

/* Something that is fed with a shape, or with an int32 scalar. */
static SfTensor fed(Run *r, const char *shape, int64_t value)
{
    const SfDtype t[] = {shape ? SF_DT_FLOAT : SF_DT_INT32};
    const SfAttrArg tout = {"Tout",
                            {.type = (SfAttrType)(SF_ATTR_TYPE + SF_ATTR_LIST),
                             .set = true,
                             .u.list = {1, {.type = t}}}};
    SfTensor out;
    build(r, "SfUnknown", NULL, 0, &tout, 1, &out);
    const SfShape *s = shape ? sf_shape_parse(shape, NULL, NULL) : sf_shape_scalar();
    r->feeds[r->nfeeds++] = (SfFeed){out, s, shape ? NULL : sf_value_int(SF_DT_INT32, value)};
    return out;
}

static SfTensor new_array(Run *r, SfTensor n, bool identical, SfTensor *flow)
{
    const SfAttrArg attrs[] = {
        {"dtype", {.type = SF_ATTR_TYPE, .set = true, .u.type = SF_DT_FLOAT}},
        {"identical_element_shapes", {.type = SF_ATTR_BOOL, .set = true, .u.b = identical}}};
    SfTensor outs[2];
    build(r, "TensorArrayV3", &n, 1, attrs, 2, outs);
    *flow = outs[1];
    return outs[0];
}

static SfTensor wrote(Run *r, SfTensor handle, SfTensor index, SfTensor value, SfTensor flow)
{
    const SfTensor in[] = {handle, index, value, flow};
    SfTensor out[2];
    build(r, "TensorArrayWriteV3", in, 4, NULL, 0, out);
    return out[0];
}

static SfTensor read_op(Run *r, const char *op, SfTensor handle, SfTensor at, SfTensor flow)
{
    const SfAttrArg dtype = {"dtype", {.type = SF_ATTR_TYPE, .set = true, .u.type = SF_DT_FLOAT}};
    const SfTensor in[] = {handle, at, flow};
    SfTensor out[2];
    build(r, op, in, 3, &dtype, 1, out);
    return out[0];
}

static const char *text(const SfShape *s)
{
    static char buf[64];
    sf_shape_format(s, false, buf, sizeof buf);
    return buf;
}

Test(TensorArray, a_run_knows_what_was_written)
{
    Run r;
    SfTensor flow;
    run_open(&r);
    const SfTensor handle = new_array(&r, fed(&r, NULL, 3), false, &flow);
    const SfTensor zero = fed(&r, NULL, 0), one = fed(&r, NULL, 1);
    flow = wrote(&r, handle, zero, fed(&r, "[64,7]", 0), flow);
    const SfTensor first = read_op(&r, "TensorArrayReadV3", handle, zero, flow);
    cr_expect_not(sf_shape_is_ranked(first.shape), "unknown while the graph is built");
    flow = wrote(&r, handle, one, fed(&r, "[64,9]", 0), flow);
    const SfTensor indices = fed(&r, "[3]", 0);
    (void)indices;
    const SfTensor both = read_op(&r, "TensorArrayReadV3", handle, one, flow);
    const SfTensor in[] = {handle, flow};
    SfTensor count[2];
    build(&r, "TensorArraySizeV3", in, 2, NULL, 0, count);

    SfSession *s = sf_session_new(r.g);
    SfTensor out[2];
    for (int i = 0; i < 3; i++) {
        cr_assert(sf_session_run(s, &first, 1, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) == SF_OK);
        cr_expect_str_eq(text(out[0].shape), "[64,7]");
        const SfTensor fetch[] = {both, count[0]};
        cr_assert(sf_session_run(s, fetch, 2, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) == SF_OK);
        cr_expect_str_eq(text(out[0].shape), "[64,?]");
        int64_t n = 0;
        cr_expect(sf_value_as_int(out[1].value, &n) && n == 3);
    }
    sf_session_free(s);
    run_close(&r);
}

Test(TensorArray, a_run_refuses_what_does_not_fit)
{
    Run r;
    SfTensor flow;
    run_open(&r);
    const SfTensor handle = new_array(&r, fed(&r, NULL, 2), true, &flow);
    const SfTensor zero = fed(&r, NULL, 0), one = fed(&r, NULL, 1), five = fed(&r, NULL, 5);
    flow = wrote(&r, handle, zero, fed(&r, "[64,7]", 0), flow);
    const SfTensor other = wrote(&r, handle, one, fed(&r, "[64,9]", 0), flow);
    const SfTensor past = wrote(&r, handle, five, fed(&r, "[64,7]", 0), flow);

    SfSession *s = sf_session_new(r.g);
    SfTensor out[1];
    cr_expect(sf_session_run(s, &other, 1, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) ==
              SF_REPORTED);
    cr_assert_eq(r.sink.count, 1);
    cr_expect(strstr(r.sink.first->message, "incompatible with the TensorArray's inferred element "
                                            "shape: [64,7] (consider setting infer_shape=False)"));
    sf_sink_clear(&r.sink);
    cr_expect(sf_session_run(s, &past, 1, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) == SF_REPORTED);
    cr_assert_eq(r.sink.count, 1);
    cr_expect(strstr(r.sink.first->message,
                     "Tried to write to index 5 but array is not resizeable and size is: 2"));
    sf_session_free(s);
    run_close(&r);
}

/* a loop that fills an array, as dynamic_rnn does */

static SfTensor op1(Run *r, const char *op, int nin, const SfTensor *in)
{
    SfTensor out[2];
    build(r, op, in, nin, NULL, 0, out);
    return out[0];
}

static SfTensor entered(Run *r, SfTensor t, bool constant)
{
    static const char name[] = "loop";
    static const SfString frame = {4, name};
    const SfAttrArg attrs[] = {
        {"frame_name", {.type = SF_ATTR_STRING, .set = true, .u.s = &frame}},
        {"is_constant", {.type = SF_ATTR_BOOL, .set = true, .u.b = constant}}};
    SfTensor out[2];
    build(r, "Enter", &t, 1, attrs, 2, out);
    return out[0];
}

/* The head of a loop variable: Merge, then Switch on `cond` once it is known. */
static SfTensor headed(Run *r, SfTensor enter)
{
    const SfTensor in[] = {enter, enter};
    SfTensor out[2];
    build(r, "Merge", in, 2, NULL, 0, out);
    return out[0];
}

static void switched(Run *r, SfTensor merge, SfTensor cond, SfTensor *leaves, SfTensor *stays)
{
    const SfTensor in[] = {merge, cond};
    SfTensor out[2];
    build(r, "Switch", in, 2, NULL, 0, out);
    *leaves = op1(r, "Exit", 1, &out[0]);
    *stays = out[1];
}

static void closed(Run *r, SfTensor merge, SfTensor next)
{
    const SfTensor back = op1(r, "NextIteration", 1, &next);
    cr_assert(sf_node_set_input(merge.node, 1, back) == SF_OK);
}

Test(TensorArray, a_loop_fills_it)
{
    Run r;
    SfTensor flow, i_out, i_in, flow_out, flow_in;
    run_open(&r);
    const SfTensor steps = fed(&r, NULL, 20), row = fed(&r, "[64,7]", 0);
    const SfTensor handle = new_array(&r, steps, false, &flow);
    const SfTensor zero = fed(&r, NULL, 0), one = fed(&r, NULL, 1);
    const SfTensor i = headed(&r, entered(&r, zero, false));
    const SfTensor f = headed(&r, entered(&r, flow, false));
    const SfTensor less = op1(&r, "Less", 2, (SfTensor[]){i, entered(&r, steps, true)});
    const SfTensor cond = op1(&r, "LoopCond", 1, &less);
    switched(&r, i, cond, &i_out, &i_in);
    switched(&r, f, cond, &flow_out, &flow_in);
    const SfTensor next = op1(&r, "Add", 2, (SfTensor[]){i_in, entered(&r, one, true)});
    closed(&r, i, next);
    closed(&r, f, wrote(&r, entered(&r, handle, true), i_in, entered(&r, row, true), flow_in));
    const SfTensor in[] = {handle, flow_out};
    SfTensor count[2];
    build(&r, "TensorArraySizeV3", in, 2, NULL, 0, count);
    const SfTensor indices =
        op1(&r, "Range", 3, (SfTensor[]){fed(&r, NULL, 0), count[0], fed(&r, NULL, 1)});
    const SfTensor rows = read_op(&r, "TensorArrayGatherV3", handle, indices, flow_out);

    SfSession *s = sf_session_new(r.g);
    SfTensor out[1];
    for (int run = 0; run < 3; run++) {
        cr_assert(sf_session_run(s, &rows, 1, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) == SF_OK);
        cr_expect_str_eq(text(out[0].shape), "[20,64,7]");
    }
    cr_expect_geq(sf_session_stats(s).memo_hits, 1, "the state of an array ends as it began");
    r.feeds[0].value = sf_value_int(SF_DT_INT32, 3); /* the last, shorter batch */
    r.feeds[1].shape = sf_shape_parse("[32,7]", NULL, NULL);
    cr_assert(sf_session_run(s, &rows, 1, NULL, 0, r.feeds, r.nfeeds, &r.sink, out) == SF_OK);
    cr_expect_str_eq(text(out[0].shape), "[3,32,7]");
    cr_expect_eq(r.sink.count, 0);
    sf_session_free(s);
    run_close(&r);
}
