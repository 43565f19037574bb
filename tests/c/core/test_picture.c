/* What a picture asks of core: the shapes of a run's steps, scopes of eager records, numbers of graphs. */
#include "core/graph/trace.h"
#include "tests/c/core/kit.h"

static int step_of(const SfPlan *p, const SfNode *n)
{
    for (int i = 0; i < sf_plan_size(p); i++) {
        if (sf_plan_node(p, i) == n) {
            return i;
        }
    }
    cr_assert_fail("the node is not in the plan");
    return -1;
}

Test(picture, outputs_of_the_newest_run)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_const_f(&k, "w", "[3,4]");
    const SfTensor y = OP(&k, "MatMul", "y", x, w);
    const SfTensor z = OP(&k, "Relu", "z", y);
    const SfFeed full = kit_feed(x, "[64,3]"), rest = kit_feed(x, "[37,3]");
    SfPlan *p;
    SfTensor out;
    bool hit;
    uint64_t id;
    int n;
    cr_assert(sf_session_plan(k.s, &z, 1, NULL, 0, &x, 1, &k.sink, &p) == SF_OK);
    cr_assert(sf_plan_run(p, &full, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_not(sf_plan_was_replayed(p));
    cr_expect_eq(sf_plan_output(p, step_of(p, y.node), 0)->shape, kit_shape("[64,4]"));
    cr_assert(sf_plan_run(p, &rest, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_eq(sf_plan_output(p, step_of(p, y.node), 0)->shape, kit_shape("[37,4]"));
    cr_assert(sf_plan_run(p, &full, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect(sf_plan_was_replayed(p), "the memo knows it: what is told is of an older run");
    (void)sf_plan_supplies(p, &n);
    cr_expect_eq(n, 0);
    kit_close(&k);
}

Test(picture, a_branch_that_is_not_taken_has_no_outputs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor pred = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor sw = OP(&k, "Switch", "switch", x, pred);
    const SfTensor no = OP(&k, "Relu", "no", kit_out(sw, 0));
    const SfTensor yes = OP(&k, "Relu", "yes", kit_out(sw, 1));
    const SfTensor merged = OP(&k, "Merge", "merge", no, yes);
    const SfFeed feeds[] = {kit_feed(x, "[3]"), kit_feed_int(pred, 1)};
    const SfTensor fed[] = {x, pred};
    SfPlan *p;
    SfTensor out;
    bool hit;
    uint64_t id;
    cr_assert(sf_session_plan(k.s, &merged, 1, NULL, 0, fed, 2, &k.sink, &p) == SF_OK);
    cr_assert(sf_plan_run(p, feeds, 2, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_null(sf_plan_output(p, step_of(p, no.node), 0));
    cr_expect_eq(sf_plan_output(p, step_of(p, yes.node), 0)->shape, kit_shape("[3]"));
    cr_expect_null(sf_plan_output(p, step_of(p, sw.node), 0));
    cr_expect_eq(sf_plan_output(p, step_of(p, sw.node), 1)->shape, kit_shape("[3]"));
    kit_close(&k);
}

Test(picture, records_of_eager_calls_have_scopes)
{
    kit_register();
    SfTrace *t = sf_trace_new(SF_VERSION(2, 15));
    const SfOpSig *relu = sf_op_find("Relu");
    SfTensor a = {.shape = kit_shape("[3]"), .dtype = SF_DT_FLOAT}, b = a, c = a, d = a;
    const SfAttr attrs[] = {{.type = SF_ATTR_TYPE, .set = true, .u.type = SF_DT_FLOAT}};
    cr_assert(t && relu && relu->nattr == 1);
    SfTensor in = a;
    sf_trace_record(t, relu, attrs, &in, 1, &a, 1, 7);
    sf_trace_set_scope(t, "net/layer");
    sf_trace_record(t, relu, attrs, &in, 1, &b, 1, 7);
    sf_trace_record(t, relu, attrs, &in, 1, &c, 1, 7);
    sf_trace_set_scope(t, "");
    sf_trace_record(t, relu, attrs, &in, 1, &d, 1, 7);
    SfGraph *g = sf_trace_graph(t);
    cr_assert_eq(sf_graph_size(g), 2, "the same call in the same scope is one record");
    cr_expect_str_eq(sf_graph_node(g, 0)->name, "Relu");
    cr_expect_str_eq(sf_graph_node(g, 1)->name, "net/layer/Relu");
    cr_expect(a.index == d.index && b.index == c.index && a.index != b.index);
    sf_trace_free(t);
}

Test(picture, no_two_graphs_have_one_number)
{
    SfGraph *a = sf_graph_new(SF_VERSION(1, 15));
    cr_assert(a);
    const uint64_t first = sf_graph_serial(a);
    sf_graph_free(a);
    SfGraph *b = sf_graph_new(SF_VERSION(1, 15)); /* maybe at the address of the first */
    cr_assert(b);
    cr_expect(first > 0 && sf_graph_serial(b) > first);
    sf_graph_free(b);
}
