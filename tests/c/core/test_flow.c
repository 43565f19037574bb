/* Control flow in sessions: branches, dead tensors, while loops. */
#include "tests/c/core/kit.h"

#include <stdio.h>

/* branches */

typedef struct Cond {
    SfTensor pred, yes, no, merged;
} Cond;

/* cond(pred, lambda: relu(x) -> yes side, lambda: join(x, x) -> other side) */
static Cond make_cond(Kit *k, SfTensor pred, SfTensor x)
{
    Cond c = {.pred = pred};
    const SfTensor sw = OP(k, "Switch", "switch", x, pred);
    c.no = OP(k, "Join", "no", kit_out(sw, 0), kit_out(sw, 0));
    c.yes = OP(k, "Relu", "yes", kit_out(sw, 1));
    c.merged = OP(k, "Merge", "merge", c.no, c.yes);
    return c;
}

Test(flow, a_known_predicate_runs_one_branch)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const Cond c = make_cond(&k, p, x);
    const SfFeed yes[] = {kit_feed(x, "[3]"), kit_feed_int(p, 1)};
    const SfFeed no[] = {kit_feed(x, "[3]"), kit_feed_int(p, 0)};
    cr_expect_str_eq(kit_run(&k, c.merged, yes, 2), "[3]");
    cr_expect_str_eq(kit_run(&k, c.merged, no, 2), "[6]");
    cr_expect_str_eq(kit_run(&k, c.no, yes, 2), "Retval[0] does not have value");
    cr_expect_eq(kit_run_op(&k, c.no.node, yes, 2), SF_OK, "a dead target is fine");
    const SfTensor index = kit_out(c.merged, 1);
    SfTensor out;
    int64_t i;
    cr_assert(sf_session_run(k.s, &index, 1, NULL, 0, yes, 2, &k.sink, &out) == SF_OK);
    cr_expect(kit_int_of(out, &i) && i == 1);
    kit_close(&k);
}

Test(flow, an_unknown_predicate_joins)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const Cond c = make_cond(&k, p, x);
    const SfFeed maybe[] = {kit_feed(x, "[3]"), kit_feed(p, "[]")};
    cr_expect_str_eq(kit_run(&k, c.merged, maybe, 2), "[?]");
    cr_expect_str_eq(kit_run(&k, c.yes, maybe, 2), "[3]");
    const SfTensor index = kit_out(c.merged, 1);
    SfTensor out;
    int64_t i;
    cr_assert(sf_session_run(k.s, &index, 1, NULL, 0, maybe, 2, &k.sink, &out) == SF_OK);
    cr_expect_not(kit_int_of(out, &i));
    kit_close(&k);
}

/* A branch that cannot work: an error only when it certainly runs. */
Test(flow, errors_in_a_branch)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,?]");
    const SfTensor w = kit_const_f(&k, "w", "[4,5]");
    const SfTensor sw = OP(&k, "Switch", NULL, x, p);
    const SfTensor bad = OP(&k, "MatMul", "bad", kit_out(sw, 1), w);
    const SfTensor good = OP(&k, "Relu", "good", kit_out(sw, 0));
    const SfTensor merged = OP(&k, "Merge", NULL, good, bad);
    const SfTensor after = OP(&k, "MatMul", "after", merged, w);
    const SfFeed maybe[] = {kit_feed(x, "[2,3]"), kit_feed(p, "[]")};
    const SfFeed yes[] = {kit_feed(x, "[2,3]"), kit_feed_int(p, 1)};
    const SfFeed no[] = {kit_feed(x, "[2,3]"), kit_feed_int(p, 0)};
    cr_expect_str_eq(kit_run(&k, merged, maybe, 2), "[?, ?]");
    cr_expect_str_eq(kit_run(&k, merged, no, 2), "[2, 3]");
    cr_expect(strstr(kit_run(&k, merged, yes, 2), "{{node bad}}"));
    cr_expect_str_eq(kit_run(&k, after, maybe, 2), "[?, 5]");
    cr_expect(strstr(kit_run(&k, after, no, 2), "{{node after}}"), "what follows is certain again");
    kit_close(&k);
}

Test(flow, nested_branches)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor q = kit_placeholder(&k, "q", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,?]");
    const SfTensor w = kit_const_f(&k, "w", "[4,5]");
    const SfTensor outer = OP(&k, "Switch", NULL, x, p);
    const SfTensor qq = OP(&k, "Switch", NULL, q, p);
    const SfTensor inner = OP(&k, "Switch", NULL, kit_out(outer, 1), kit_out(qq, 1));
    const SfTensor im = OP(&k, "Merge", NULL, OP(&k, "Relu", NULL, kit_out(inner, 0)),
                           OP(&k, "Relu", NULL, kit_out(inner, 1)));
    const SfTensor bad = OP(&k, "MatMul", "bad", im, w);
    const SfTensor merged = OP(&k, "Merge", NULL, OP(&k, "Relu", NULL, kit_out(outer, 0)), bad);
    const SfFeed unknown[] = {kit_feed(x, "[2,3]"), kit_feed(p, "[]"), kit_feed(q, "[]")};
    const SfFeed inner_unknown[] = {kit_feed(x, "[2,3]"), kit_feed_int(p, 1), kit_feed(q, "[]")};
    const SfFeed no[] = {kit_feed(x, "[2,3]"), kit_feed_int(p, 0), kit_feed(q, "[]")};
    cr_expect_str_eq(kit_run(&k, merged, unknown, 3), "[?, ?]", "still inside the outer branch");
    cr_expect(strstr(kit_run(&k, merged, inner_unknown, 3), "{{node bad}}"));
    cr_expect_str_eq(kit_run(&k, merged, no, 3), "[2, 3]", "dead all the way down");
    kit_close(&k);
}

Test(flow, constants_of_a_branch_hang_on_control_edges)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor sw = OP(&k, "Switch", NULL, p, p);
    const SfTensor pivot = OP(&k, "Identity", "switch_t", kit_out(sw, 1));
    SfNode *const after[] = {pivot.node};
    kit_control(&k, after, 1);
    const SfTensor c = kit_const(&k, "c", 1);
    kit_control(&k, NULL, 0);
    const SfFeed no = kit_feed_int(p, 0), yes = kit_feed_int(p, 1);
    cr_expect_str_eq(kit_run(&k, c, &yes, 1), "[]");
    cr_expect_str_eq(kit_run(&k, c, &no, 1), "Retval[0] does not have value");
    kit_close(&k);
}

Test(flow, undecided_writes_join)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor read = OP(&k, "Identity", "read", v);
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "one", 1));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor sw = OP(&k, "Switch", NULL, p, p);
    SfNode *const yes[] = {OP(&k, "Identity", NULL, kit_out(sw, 1)).node};
    kit_control(&k, yes, 1);
    const SfTensor set = OP(&k, "Assign", "set", v, kit_const(&k, "two", 2));
    kit_control(&k, NULL, 0);
    const SfFeed maybe = kit_feed(p, "[]"), no = kit_feed_int(p, 0), sure = kit_feed_int(p, 1);
    SfTensor out;
    int64_t i;
    for (int round = 0; round < 2; round++) {
        cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
        cr_expect_eq(kit_run_op(&k, set.node, &no, 1), SF_OK);
        cr_assert(sf_session_run(k.s, &read, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
        cr_expect(kit_int_of(out, &i) && i == 1);
        cr_expect_eq(kit_run_op(&k, set.node, &sure, 1), SF_OK);
        cr_assert(sf_session_run(k.s, &read, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
        cr_expect(kit_int_of(out, &i) && i == 2);
        cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
        cr_expect_eq(kit_run_op(&k, set.node, &maybe, 1), SF_OK);
        cr_assert(sf_session_run(k.s, &read, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
        cr_expect_not(kit_int_of(out, &i), "either 1 or 2");
    }
    kit_close(&k);
}

/* step % 2 decides which branch trains: memoised, and still exact. */
Test(flow, branches_on_a_counter_are_memoised)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor read = OP(&k, "Identity", "read", v);
    const SfTensor reset = OP(&k, "Assign", "reset", v, kit_const(&k, "zero", 0));
    const SfTensor add = OP(&k, "AssignAdd", "add", v, kit_const(&k, "one", 1));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const Cond c = make_cond(&k, OP(&k, "Less", NULL, read, kit_const(&k, "two", 2)), x);
    SfNode *const train[] = {add.node};
    SfPlan *p;
    cr_assert(sf_session_plan(k.s, &c.merged, 1, train, 1, &x, 1, &k.sink, &p) == SF_OK);
    const SfFeed f = kit_feed(x, "[3]");
    for (int round = 0; round < 3; round++) {
        cr_expect_eq(kit_run_op(&k, reset.node, NULL, 0), SF_OK);
        for (int i = 0; i < 6; i++) {
            SfTensor out;
            bool same;
            uint64_t id;
            cr_assert(sf_plan_run(p, &f, 1, &k.sink, &out, &same, &id) == SF_OK);
            cr_expect_eq(out.shape, kit_shape(i < 2 ? "[3]" : "[6]"), "round %d, step %d", round,
                         i);
        }
    }
    cr_expect_geq(sf_session_stats(k.s).memo_hits, 3 * 6 - 2);
    kit_close(&k);
}

/* loops */

typedef struct Loop {
    SfTensor i_exit, x_exit, i_merge, x_merge, x_next, enter;
} Loop;

/* i = 0; while i < limit: x = body(x), i += 1. `limit` and x come from outside. */
static Loop make_loop(Kit *k, SfTensor limit, SfTensor x, const char *body, SfTensor other)
{
    Loop l;
    const SfAttrArg frame = kit_string("frame_name", "while");
    const SfTensor zero = kit_const(k, NULL, 0);
    const SfTensor i_enter = kit_op(k, "Enter", NULL, &zero, 1, &frame, 1);
    l.enter = kit_op(k, "Enter", NULL, &x, 1, &frame, 1);
    const SfTensor n_enter = kit_op(k, "Enter", NULL, &limit, 1, &frame, 1);
    l.i_merge = OP(k, "Merge", NULL, i_enter, i_enter);
    l.x_merge = OP(k, "Merge", NULL, l.enter, l.enter);
    const SfTensor cond = OP(k, "LoopCond", NULL, OP(k, "Less", NULL, l.i_merge, n_enter));
    const SfTensor i_switch = OP(k, "Switch", NULL, l.i_merge, cond);
    const SfTensor x_switch = OP(k, "Switch", NULL, l.x_merge, cond);
    l.i_exit = OP(k, "Exit", "i_exit", kit_out(i_switch, 0));
    l.x_exit = OP(k, "Exit", "x_exit", kit_out(x_switch, 0));
    const SfTensor i_body = OP(k, "Identity", NULL, kit_out(i_switch, 1));
    SfNode *const pivot[] = {i_body.node};
    kit_control(k, pivot, 1);
    const SfTensor one = kit_const(k, NULL, 1);
    kit_control(k, NULL, 0);
    const SfTensor i_next = OP(k, "NextIteration", NULL, OP(k, "Add", NULL, i_body, one));
    SfTensor y;
    if (other.node) {
        const SfTensor o_enter = kit_op(k, "Enter", NULL, &other, 1, &frame, 1);
        y = OP(k, body, "body", kit_out(x_switch, 1), o_enter);
    } else {
        y = OP(k, body, "body", kit_out(x_switch, 1));
    }
    l.x_next = OP(k, "NextIteration", NULL, y);
    cr_assert(sf_node_set_input(l.i_merge.node, 1, i_next) == SF_OK);
    cr_assert(sf_node_set_input(l.x_merge.node, 1, l.x_next) == SF_OK);
    return l;
}

static const SfTensor nothing;

Test(flow, a_loop_that_keeps_its_shapes)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const Loop l = make_loop(&k, n, x, "Relu", nothing);
    const SfTensor after = OP(&k, "Relu", "after", l.x_exit);
    const SfFeed many[] = {kit_feed(x, "[2,3]"), kit_feed_int(n, 1000)};
    const SfFeed unknown[] = {kit_feed(x, "[2,3]"), kit_feed(n, "[]")};
    const SfFeed none[] = {kit_feed(x, "[2,3]"), kit_feed_int(n, 0)};
    cr_expect_str_eq(kit_run(&k, after, many, 2), "[2, 3]");
    const uint64_t inferences = sf_session_stats(k.s).inferences;
    cr_expect_leq(inferences, 30, "a thousand iterations in two passes");
    cr_expect_str_eq(kit_run(&k, after, unknown, 2), "[2, 3]");
    cr_expect_str_eq(kit_run(&k, after, none, 2), "[2, 3]");
    SfTensor out;
    int64_t i;
    cr_assert(sf_session_run(k.s, &l.i_exit, 1, NULL, 0, none, 2, &k.sink, &out) == SF_OK);
    cr_expect(kit_int_of(out, &i) && i == 0);
    cr_assert(sf_session_run(k.s, &l.i_exit, 1, NULL, 0, many, 2, &k.sink, &out) == SF_OK);
    cr_expect_not(kit_int_of(out, &i), "the count is not followed to its end");
    kit_close(&k);
}

Test(flow, a_loop_of_known_content_is_followed)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const Loop l = make_loop(&k, n, kit_const(&k, "x", 7), "Identity", nothing);
    const SfFeed few = kit_feed_int(n, 10), many = kit_feed_int(n, 1000);
    SfTensor out;
    int64_t i;
    cr_assert(sf_session_run(k.s, &l.i_exit, 1, NULL, 0, &few, 1, &k.sink, &out) == SF_OK);
    cr_expect(kit_int_of(out, &i) && i == 10);
    cr_assert(sf_session_run(k.s, &l.i_exit, 1, NULL, 0, &many, 1, &k.sink, &out) == SF_OK);
    cr_expect_not(kit_int_of(out, &i), "for so many steps, not for a thousand turns");
    kit_close(&k);
}

Test(flow, a_loop_that_grows)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const Loop l = make_loop(&k, n, x, "Join", x);
    const SfFeed twice[] = {kit_feed(x, "[3]"), kit_feed_int(n, 2)};
    const SfFeed many[] = {kit_feed(x, "[3]"), kit_feed_int(n, 1000)};
    const SfFeed unknown[] = {kit_feed(x, "[3]"), kit_feed(n, "[]")};
    cr_expect_str_eq(kit_run(&k, l.x_exit, twice, 2), "[9]", "short loops are run exactly");
    int64_t i;
    const SfTensor exits[] = {l.x_exit, l.i_exit};
    SfTensor both[2];
    cr_assert(sf_session_run(k.s, exits, 2, NULL, 0, twice, 2, &k.sink, both) == SF_OK);
    cr_expect(kit_int_of(both[1], &i) && i == 2);
    cr_expect_str_eq(kit_run(&k, l.x_exit, many, 2), "[?]");
    cr_expect_str_eq(kit_run(&k, l.x_exit, unknown, 2), "[?]");
    kit_close(&k);
}

Test(flow, errors_in_a_body)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,?]");
    const SfTensor w = kit_placeholder(&k, "w", SF_DT_FLOAT, "[?,?]");
    const Loop l = make_loop(&k, n, x, "MatMul", w);
    const SfFeed runs[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[4,4]"), kit_feed_int(n, 5)};
    const SfFeed skips[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[4,4]"), kit_feed_int(n, 0)};
    const SfFeed maybe[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[4,4]"), kit_feed(n, "[]")};
    const SfFeed later[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[3,4]"), kit_feed_int(n, 5)};
    const SfFeed once[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[3,4]"), kit_feed_int(n, 1)};
    cr_expect(strstr(kit_run(&k, l.x_exit, runs, 3), "{{node body}}"));
    cr_expect_str_eq(kit_run(&k, l.x_exit, skips, 3), "[2, 3]");
    cr_expect_str_eq(kit_run(&k, l.x_exit, maybe, 3), "[?, ?]", "muted");
    cr_expect(strstr(kit_run(&k, l.x_exit, later, 3), "{{node body}}"), "the second iteration");
    cr_expect_str_eq(kit_run(&k, l.x_exit, once, 3), "[2, 4]");
    cr_expect_eq(k.sink.muted, 0);
    kit_close(&k);
}

Test(flow, a_loop_in_a_branch)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor n = kit_const(&k, "n", 2);
    const SfTensor xs = OP(&k, "Switch", NULL, x, p), ns = OP(&k, "Switch", NULL, n, p);
    const Loop l = make_loop(&k, kit_out(ns, 1), kit_out(xs, 1), "Join", kit_out(xs, 1));
    const SfTensor merged = OP(&k, "Merge", NULL, kit_out(xs, 0), l.x_exit);
    const SfFeed yes[] = {kit_feed(x, "[3]"), kit_feed_int(p, 1)};
    const SfFeed no[] = {kit_feed(x, "[3]"), kit_feed_int(p, 0)};
    const SfFeed maybe[] = {kit_feed(x, "[3]"), kit_feed(p, "[]")};
    cr_expect_str_eq(kit_run(&k, merged, yes, 2), "[9]");
    cr_expect_str_eq(kit_run(&k, merged, maybe, 2), "[?]");
    cr_expect_str_eq(kit_run(&k, merged, no, 2), "[3]");
    kit_close(&k);
}

Test(flow, loops_inside_loops)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    /* outer frame, by hand, around make_loop's frame */
    const SfAttrArg frame = kit_string("frame_name", "outer");
    const SfTensor zero = kit_const(&k, NULL, 0);
    const SfTensor j_enter = kit_op(&k, "Enter", NULL, &zero, 1, &frame, 1);
    const SfTensor x_enter = kit_op(&k, "Enter", NULL, &x, 1, &frame, 1);
    const SfTensor n_enter = kit_op(&k, "Enter", NULL, &n, 1, &frame, 1);
    const SfTensor j = OP(&k, "Merge", "j", j_enter, j_enter);
    const SfTensor xm = OP(&k, "Merge", "xm", x_enter, x_enter);
    const SfTensor cond = OP(&k, "LoopCond", NULL, OP(&k, "Less", NULL, j, n_enter));
    const SfTensor js = OP(&k, "Switch", NULL, j, cond), xs = OP(&k, "Switch", NULL, xm, cond);
    const SfTensor exit = OP(&k, "Exit", "outer_exit", kit_out(xs, 0));
    const Loop inner = make_loop(&k, n_enter, kit_out(xs, 1), "Relu", nothing);
    SfNode *const pivot[] = {kit_out(js, 1).node};
    kit_control(&k, pivot, 1);
    const SfTensor one = kit_const(&k, NULL, 1);
    kit_control(&k, NULL, 0);
    const SfTensor jn = OP(&k, "NextIteration", NULL, OP(&k, "Add", NULL, kit_out(js, 1), one));
    const SfTensor grown = OP(&k, "Join", "grown", inner.x_exit, inner.x_exit);
    const SfTensor xn = OP(&k, "NextIteration", NULL, grown);
    cr_assert(sf_node_set_input(j.node, 1, jn) == SF_OK);
    cr_assert(sf_node_set_input(xm.node, 1, xn) == SF_OK);
    const SfFeed two[] = {kit_feed(x, "[3]"), kit_feed_int(n, 2)};
    const SfFeed many[] = {kit_feed(x, "[3]"), kit_feed_int(n, 100)};
    const SfFeed unknown[] = {kit_feed(x, "[3]"), kit_feed(n, "[]")};
    cr_expect_str_eq(kit_run(&k, exit, two, 2), "[12]");
    cr_expect_str_eq(kit_run(&k, exit, many, 2), "[?]");
    cr_expect_str_eq(kit_run(&k, exit, unknown, 2), "[?]");
    kit_close(&k);
}

/* Two imports of one graph: loops of the same frame name, one after the other. */
Test(flow, loops_of_one_name)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const Loop a = make_loop(&k, n, x, "Relu", nothing);
    const Loop b = make_loop(&k, n, OP(&k, "Relu", NULL, a.x_exit), "Relu", nothing);
    const SfFeed f[] = {kit_feed(x, "[2,3]"), kit_feed_int(n, 3)};
    cr_expect_str_eq(kit_run(&k, b.x_exit, f, 2), "[?, 3]", "%s", kit_run(&k, b.x_exit, f, 2));
    kit_close(&k);
}

Test(flow, a_loop_counts_state_exactly_while_it_is_exact)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "zero", 0));
    const Loop l = make_loop(&k, n, x, "Join", x);
    SfNode *const body[] = {l.x_next.node};
    kit_control(&k, body, 1);
    const SfTensor add = OP(&k, "AssignAdd", "add", v, kit_const(&k, "one", 1));
    kit_control(&k, NULL, 0);
    const SfFeed twice[] = {kit_feed(x, "[3]"), kit_feed_int(n, 2)};
    SfNode *const targets[] = {add.node};
    SfTensor out;
    SfState s;
    int64_t i;
    for (int round = 0; round < 2; round++) {
        cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
        cr_assert(sf_session_run(k.s, &l.x_exit, 1, targets, 1, twice, 2, &k.sink, &out) == SF_OK);
        cr_expect_eq(out.shape, kit_shape("[9]"));
        cr_assert(sf_session_state(k.s, v.node, &s));
        cr_expect(sf_value_as_int(s.value, &i) && i == 2, "%d", (int)i);
    }
    kit_close(&k);
}

/* The content that a branch on a counter gives is replayed too. */
Test(flow, contents_of_branches_on_a_counter)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor reset = OP(&k, "Assign", "reset", v, kit_const(&k, "zero", 0));
    const SfTensor add = OP(&k, "AssignAdd", "add", v, kit_const(&k, "one", 1));
    const SfTensor small = OP(&k, "Less", NULL, add, kit_const(&k, "four", 4));
    const SfTensor sw = OP(&k, "Switch", NULL, add, small);
    const SfTensor ten = OP(&k, "Add", NULL, kit_out(sw, 0), kit_const(&k, "ten", 10));
    const SfTensor merged = OP(&k, "Merge", NULL, ten, kit_out(sw, 1));
    for (int round = 0; round < 2; round++) {
        cr_expect_eq(kit_run_op(&k, reset.node, NULL, 0), SF_OK);
        for (int64_t i = 1; i < 8; i++) {
            SfTensor out;
            int64_t got;
            cr_assert(sf_session_run(k.s, &merged, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
            cr_expect(kit_int_of(out, &got) && got == (i < 4 ? i : i + 10), "%d: %d", (int)i,
                      (int)got);
        }
    }
    cr_expect_geq(sf_session_stats(k.s).memo_hits, 12);
    kit_close(&k);
}

/* A shift register: news travels one variable further in each pass, past the last pass. */
Test(flow, loops_that_do_not_settle)
{
    enum { N = 9 };
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor y = kit_placeholder(&k, "y", SF_DT_FLOAT, "[?,?]");
    const SfAttrArg frame = kit_string("frame_name", "while");
    SfTensor m[N], s[N];
    const SfTensor pe = kit_op(&k, "Enter", NULL, &p, 1, &frame, 1);
    const SfTensor ye = kit_op(&k, "Enter", NULL, &y, 1, &frame, 1);
    for (int i = 0; i < N; i++) {
        const SfTensor e = kit_op(&k, "Enter", NULL, &x, 1, &frame, 1);
        m[i] = OP(&k, "Merge", NULL, e, e);
    }
    const SfTensor cond = OP(&k, "LoopCond", NULL, pe);
    for (int i = 0; i < N; i++) {
        s[i] = OP(&k, "Switch", NULL, m[i], cond);
    }
    const SfTensor exit = OP(&k, "Exit", NULL, kit_out(s[N - 1], 0));
    for (int i = 0; i < N; i++) {
        const SfTensor next = OP(&k, "NextIteration", NULL, i ? kit_out(s[i - 1], 1) : ye);
        cr_assert(sf_node_set_input(m[i].node, 1, next) == SF_OK);
    }
    cr_assert(sf_output_set_shape(m[N - 1].node, 0, kit_shape("?"), &k.sink) == SF_OK);
    m[N - 1].node->outputs[0].shape = sf_shape_unknown();
    exit.node->outputs[0].shape = sf_shape_unknown();
    const SfFeed feeds[] = {kit_feed(p, "[]"), kit_feed(x, "[3]"), kit_feed(y, "[2,2]")};
    cr_expect_str_eq(kit_run(&k, exit, feeds, 3), "<unknown>", "what is known statically");
    kit_close(&k);
}

/* what only a run refuses, where it may never run */

/* [n] + [n, 1 more]: TensorFlow sees two unknown sizes until the kernel runs. */
static SfTensor deferred_sum(Kit *k, SfTensor x)
{
    const SfTensor one = kit_const_f(k, NULL, "[1]");
    return OP(k, "AddN", NULL, x, OP(k, "Join", NULL, x, one));
}

Test(flow, a_deferred_finding_in_a_branch_is_left_to_the_run)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    x.shape = sf_shape_vector(sf_dim_symbol("n"));
    const SfTensor sw = OP(&k, "Switch", NULL, p, p);
    const SfTensor pivot = OP(&k, "Identity", NULL, kit_out(sw, 1));
    SfNode *const controls[][1] = {{pivot.node}, {sw.node}};
    for (int i = 0; i < 2; i++) {
        kit_control(&k, controls[i], 1);
        (void)deferred_sum(&k, x);
        cr_expect_eq(k.sink.count, 0);
    }
    kit_control(&k, controls[0], 1);
    const SfTensor in_branch = deferred_sum(&k, x);
    const SfFeed yes[] = {kit_feed(x, "[3]"), kit_feed_int(p, 1)};
    cr_expect(strstr(kit_run(&k, in_branch, yes, 2), "3"), "it does run");
    cr_expect_eq(k.sink.count, 1);
    kit_control(&k, NULL, 0);
    k.b.is_body = true;
    const int before = k.sink.count;
    (void)deferred_sum(&k, x);
    cr_expect_eq(k.sink.count, before, "the body of a function");
    k.b.is_body = false;
    (void)deferred_sum(&k, x);
    cr_expect_eq(k.sink.count, before + 1, "anywhere else it is inevitable");
    kit_close(&k);
}

Test(flow, a_branch_of_an_imported_graph_is_known_by_its_data)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor sw = OP(&k, "Switch", NULL, x, p);
    SfTensor inside = OP(&k, "Relu", NULL, kit_out(sw, 1));
    inside.shape = sf_shape_vector(sf_dim_symbol("n"));
    (void)deferred_sum(&k, inside);
    cr_expect_eq(k.sink.count, 0);
    SfTensor merged = OP(&k, "Merge", NULL, inside, kit_out(sw, 0));
    merged.shape = inside.shape;
    (void)deferred_sum(&k, merged);
    cr_expect_eq(k.sink.count, 1, "behind the Merge it is inevitable");
    kit_close(&k);
}

Test(flow, what_construction_refuses_in_a_branch_stays_reported)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor sw = OP(&k, "Switch", NULL, p, p);
    kit_control(&k, (SfNode *const[]){sw.node}, 1);
    const SfTensor in[] = {kit_const_f(&k, NULL, "[2]"), kit_const_f(&k, NULL, "[3]")};
    (void)kit_refused(&k, "AddN", NULL, in, 2, NULL, 0);
    cr_expect_eq(k.sink.count, 1);
    kit_close(&k);
}

/* loops in loops, and chains of branches: what a small file can ask for */

static SfTensor kit_enter(Kit *k, SfTensor x, int level)
{
    char frame[16];
    (void)snprintf(frame, sizeof frame, "frame%d", level);
    const SfAttrArg name = kit_string("frame_name", frame);
    return kit_op(k, "Enter", NULL, &x, 1, &name, 1);
}

/* `depth` loops, each the body of the one around it, that nobody knows the end of. */
static SfTensor nested_loops(Kit *k, SfTensor x, SfTensor pred, int depth)
{
    SfTensor merges[200], switches[200];
    cr_assert(depth <= 200);
    for (int i = 0; i < depth; i++) {
        const SfTensor entered = kit_enter(k, i ? kit_out(switches[i - 1], 1) : x, i);
        const SfTensor p = kit_enter(k, pred, i);
        pred = p;
        merges[i] = OP(k, "Merge", NULL, entered, entered);
        switches[i] = OP(k, "Switch", NULL, merges[i], OP(k, "LoopCond", NULL, p));
    }
    SfTensor back = depth ? OP(k, "Relu", NULL, kit_out(switches[depth - 1], 1)) : x;
    for (int i = depth - 1; i >= 0; i--) {
        const SfTensor longer = OP(k, "Join", NULL, back, back);
        cr_assert(sf_node_set_input(merges[i].node, 1, OP(k, "NextIteration", NULL, longer)) ==
                  SF_OK);
        back = OP(k, "Exit", NULL, switches[i]);
    }
    return back;
}

Test(flow, loops_in_loops_take_no_exponential_time)
{
    static const int depths[] = {1, 2, 3, 7, 20, 64, 65, 200};
    for (int i = 0; i < SF_ARRAY_LEN(depths); i++) {
        Kit k;
        kit_open(&k, SF_VERSION(1, 15));
        const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
        const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "?");
        const SfTensor out = nested_loops(&k, x, p, depths[i]);
        const SfTensor after = OP(&k, "MatMul", "after", out, kit_const_f(&k, "w", "[4,5]"));
        const SfFeed maybe[] = {kit_feed(x, "[3]"), kit_feed(p, "[]")};
        const char *shape = kit_run(&k, out, maybe, 2);
        if (depths[i] <= 7) {
            cr_expect_str_eq(shape, "[?]", "%d: %s", depths[i], shape);
            cr_expect(strstr(kit_run(&k, after, maybe, 2), "{{node after}}"), "%d", depths[i]);
        } else { /* too many passes, or too deep: static shapes, and no alarm by them */
            cr_expect_str_eq(shape, "<unknown>", "%d: %s", depths[i], shape);
            cr_expect_str_eq(kit_run(&k, after, maybe, 2), "[?, 5]", "%d", depths[i]);
        }
        cr_expect(sf_session_stats(k.s).inferences < 4000000);
        kit_close(&k);
    }
}

Test(flow, a_chain_of_enters_without_loops)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    SfTensor t = x;
    for (int i = 0; i < 3000; i++) {
        t = kit_enter(&k, t, i);
        if (i == 40) {
            const SfFeed feed = kit_feed(x, "[3]");
            cr_expect_str_eq(kit_run(&k, t, &feed, 1), "[3]");
        }
    }
    const SfFeed feed = kit_feed(x, "[3]");
    cr_expect_str_eq(kit_run(&k, t, &feed, 1), "[3]");
    kit_close(&k);
}

/* The count of undecided branches ends: nothing turns dead by it, nothing certain. */
Test(flow, more_branches_than_a_guard_counts)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "?");
    const SfFeed maybe[] = {kit_feed(x, "[3]"), kit_feed(p, "[]")};
    SfTensor t = x;
    for (int i = 0; i < 66000; i++) {
        t = kit_out(OP(&k, "Switch", NULL, t, p), 1);
    }
    cr_expect_str_eq(kit_run(&k, t, maybe, 2), "[3]");
    const SfTensor bad = OP(&k, "MatMul", "bad", t, kit_const_f(&k, "w", "[4,5]"));
    cr_expect_str_eq(kit_run(&k, bad, maybe, 2), "[?, 5]");
    kit_close(&k);
}

/* Many loops side by side, each in one piece. */
Test(flow, many_loops_are_planned_in_linear_time)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    SfTensor t = x;
    for (int i = 0; i < 5000; i++) {
        const SfTensor m = OP(&k, "Merge", NULL, kit_enter(&k, t, i), kit_enter(&k, t, i));
        const SfTensor c = OP(&k, "LoopCond", NULL, kit_enter(&k, p, i));
        const SfTensor s = OP(&k, "Switch", NULL, m, c);
        const SfTensor next = OP(&k, "NextIteration", NULL, OP(&k, "Relu", NULL, kit_out(s, 1)));
        cr_assert(sf_node_set_input(m.node, 1, next) == SF_OK);
        t = OP(&k, "Exit", NULL, s);
    }
    const SfFeed maybe[] = {kit_feed(x, "[3]"), kit_feed(p, "[]")};
    cr_expect_str_eq(kit_run(&k, t, maybe, 2), "[3]");
    kit_close(&k);
}
