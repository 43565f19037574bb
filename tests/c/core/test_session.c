/* Sessions: pruning, order, feeds, state, memo. Control flow is in test_flow.c. */
#include "tests/c/core/kit.h"

#include <stdio.h>

static SfTensor variable_read(Kit *k, const char *name, SfDtype t, const char *shape, SfTensor *ref)
{
    *ref = kit_variable(k, name, t, shape);
    return OP(k, "Identity", NULL, *ref);
}

/* pruning and order */

Test(session, shapes_of_feeds_flow)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_const_f(&k, "w", "[3,4]");
    const SfTensor y = OP(&k, "MatMul", "y", x, w);
    const SfFeed f64 = kit_feed(x, "[64,3]"), f37 = kit_feed(x, "[37,3]");
    cr_expect_str_eq(kit_run(&k, y, &f64, 1), "[64, 4]");
    cr_expect_str_eq(kit_run(&k, y, &f37, 1), "[37, 4]");
    cr_expect_str_eq(kit_run(&k, x, &f64, 1), "[64, 3]", "a fed tensor can be fetched");
    kit_close(&k);
}

Test(session, only_what_is_needed_runs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor a = OP(&k, "Relu", "a", x);
    const SfTensor b = OP(&k, "Relu", "b", a);
    (void)OP(&k, "Relu", "unused", b);
    SfPlan *p;
    cr_assert(sf_session_plan(k.s, &b, 1, NULL, 0, &x, 1, &k.sink, &p) == SF_OK);
    cr_expect_eq(sf_plan_size(p), 2);
    cr_expect_eq(sf_plan_node(p, 0), a.node);
    cr_expect_eq(sf_plan_node(p, 1), b.node);
    cr_expect_null(sf_plan_node(p, 2));
    cr_assert(sf_session_plan(k.s, &b, 1, NULL, 0, &a, 1, &k.sink, &p) == SF_OK);
    cr_expect_eq(sf_plan_size(p), 1, "a fed intermediate tensor hides what is behind it");
    kit_close(&k);
}

Test(session, control_inputs_run_first)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor a = kit_const(&k, "a", 1);
    const SfTensor b = kit_const(&k, "b", 2);
    const SfTensor late = kit_const(&k, "late", 3);
    cr_assert(sf_node_add_control(a.node, late.node) == SF_OK);
    const SfTensor sum = OP(&k, "Add", "sum", a, b);
    SfPlan *p;
    cr_assert(sf_session_plan(k.s, &sum, 1, NULL, 0, NULL, 0, &k.sink, &p) == SF_OK);
    cr_expect_eq(sf_plan_size(p), 4);
    cr_expect_eq(sf_plan_node(p, 0), b.node, "the oldest of what is ready");
    cr_expect_eq(sf_plan_node(p, 1), late.node);
    cr_expect_eq(sf_plan_node(p, 2), a.node);
    kit_close(&k);
}

Test(session, a_fed_placeholder_takes_its_control_edges_along)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor y = kit_const(&k, "y", 1);
    cr_assert(sf_node_add_control(y.node, x.node) == SF_OK);
    cr_expect_neq(strcmp(kit_run(&k, y, NULL, 0), "[]"), 0);
    const SfFeed f = kit_feed(x, "[2]");
    cr_expect_str_eq(kit_run(&k, y, &f, 1), "[]");
    kit_close(&k);
}

Test(session, a_cycle_is_reported)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor a = kit_const_f(&k, "a", "[]");
    const SfTensor b = OP(&k, "Add", "b", a, a);
    const SfTensor c = OP(&k, "Add", "c", b, a);
    const SfTensor d = OP(&k, "Add", "d", c, a), e = OP(&k, "Add", "e", d, a);
    cr_assert(sf_node_set_input(b.node, 0, c) == SF_OK);
    const SfTensor fetches[] = {c, a, e};
    for (int i = 0; i < 3; i++) { /* whatever is asked for */
        cr_expect_str_eq(kit_run(&k, fetches[i], NULL, 0),
                         "Graph is invalid, contains a cycle with 4 nodes, including: b, c, d");
    }
    cr_assert(sf_node_set_input(b.node, 0, a) == SF_OK);
    cr_expect_str_eq(kit_run(&k, c, NULL, 0), "[]");
    cr_assert(sf_node_add_control(b.node, c.node) == SF_OK);
    for (int i = 0; i < 2; i++) { /* the plan that was good before is not taken for good again */
        cr_expect_str_eq(kit_run(&k, c, NULL, 0),
                         "Graph is invalid, contains a cycle with 4 nodes, including: b, c, d");
    }
    b.node->context = a.node->context; /* without the edge, for sf_graph_verify */
    kit_close(&k);
}

Test(session, a_graph_that_grew_is_noticed)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "?");
    const SfTensor y = OP(&k, "Relu", "y", x);
    const SfTensor zero = kit_const(&k, "zero", 0);
    SfPlan *p;
    SfTensor out;
    bool hit;
    uint64_t id;
    const SfFeed f = kit_feed(x, "[2]");
    cr_assert(sf_session_plan(k.s, &y, 1, NULL, 0, &x, 1, &k.sink, &p) == SF_OK);
    cr_assert(sf_plan_run(p, &f, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_eq(sf_plan_size(p), 1);
    cr_assert(sf_node_add_control(y.node, zero.node) == SF_OK);
    cr_assert(sf_plan_run(p, &f, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_eq(sf_plan_size(p), 2);
    cr_expect_not(hit);
    cr_assert(sf_output_set_shape(x.node, 0, kit_shape("[3]"), &k.sink) == SF_OK);
    cr_expect_eq(sf_plan_run(p, &f, 1, &k.sink, &out, &hit, &id), SF_REPORTED);
    kit_close(&k);
}

/* feeds */

Test(session, feeds_are_checked)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,784]");
    const SfTensor s = kit_placeholder(&k, "sc", SF_DT_INT32, "[]");
    const SfFeed bad = kit_feed(x, "[64,7]"), flat = kit_feed(x, "[64]"), sc = kit_feed(s, "[64]");
    cr_expect_str_eq(kit_run(&k, x, &bad, 1),
                     "Cannot feed value of shape (64, 7) for Tensor 'x:0', which has shape "
                     "'(?, 784)'");
    cr_expect_str_eq(kit_run(&k, x, &flat, 1),
                     "Cannot feed value of shape (64,) for Tensor 'x:0', which has shape "
                     "'(?, 784)'");
    cr_expect_str_eq(kit_run(&k, s, &sc, 1),
                     "Cannot feed value of shape (64,) for Tensor 'sc:0', which has shape '()'");
    kit_close(&k);
    kit_open(&k, SF_VERSION(2, 21));
    const SfTensor y = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,784]");
    const SfFeed f = kit_feed(y, "[64,7]");
    cr_expect_str_eq(kit_run(&k, y, &f, 1),
                     "Cannot feed value of shape (64, 7) for Tensor x:0, which has shape "
                     "(None, 784)");
    sf_graph_set_v2_shapes(k.g, false);
    cr_expect_str_eq(kit_run(&k, y, &f, 1),
                     "Cannot feed value of shape (64, 7) for Tensor x:0, which has shape "
                     "(?, 784)");
    kit_close(&k);
}

Test(session, placeholders_must_be_fed)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,784]");
    const SfTensor u = kit_placeholder(&k, "u", SF_DT_FLOAT, "?");
    const SfTensor s = kit_placeholder(&k, "sc", SF_DT_INT32, "[]");
    cr_expect_str_eq(kit_run(&k, OP(&k, "Relu", NULL, x), NULL, 0),
                     "You must feed a value for placeholder tensor 'x' with dtype float and shape "
                     "[?,784]\n\t [[{{node x}}]]");
    cr_expect_eq(k.sink.last->node, x.node);
    cr_expect_str_eq(kit_run(&k, u, NULL, 0),
                     "You must feed a value for placeholder tensor 'u' with dtype float\n\t "
                     "[[{{node u}}]]");
    cr_expect_str_eq(kit_run(&k, s, NULL, 0),
                     "You must feed a value for placeholder tensor 'sc' with dtype int32\n\t "
                     "[[{{node sc}}]]");
    kit_close(&k);
}

Test(session, a_default_gives_its_own_shape)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor c = kit_const_f(&k, "c", "[5,3]");
    const SfAttrArg attrs[] = {kit_type("dtype", SF_DT_FLOAT), kit_shape_attr("shape", "[?,3]")};
    const SfTensor d = kit_op(&k, "PlaceholderWithDefault", "d", &c, 1, attrs, 2);
    const SfTensor y = OP(&k, "Relu", NULL, d);
    cr_expect_eq(y.shape, kit_shape("[?,3]"));
    cr_expect_str_eq(kit_run(&k, y, NULL, 0), "[5, 3]");
    const SfFeed f = kit_feed(d, "[7,3]");
    cr_expect_str_eq(kit_run(&k, y, &f, 1), "[7, 3]");
    kit_close(&k);
}

Test(session, contents_of_small_integer_feeds_count)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor n = kit_placeholder(&k, "n", SF_DT_INT32, "[]");
    const SfTensor r = OP(&k, "Range", NULL, n);
    const SfFeed three = kit_feed_int(n, 3), five = kit_feed_int(n, 5);
    cr_expect_str_eq(kit_run(&k, r, &three, 1), "[3]");
    cr_expect_str_eq(kit_run(&k, r, &five, 1), "[5]");
    cr_expect_str_eq(kit_run(&k, r, &three, 1), "[3]");
    cr_expect_eq(sf_session_stats(k.s).memo_hits, 1);
    kit_close(&k);
}

Test(session, set_shape_helps_where_a_run_knows_less)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor y = kit_op(&k, "Pack", "y", &x, 1, NULL, 0);
    cr_assert(sf_output_set_shape(y.node, 0, kit_shape("[1,?,3]"), &k.sink) == SF_OK);
    const SfFeed f = kit_feed(x, "[2,3]");
    cr_expect_str_eq(kit_run(&k, y, &f, 1), "[1, ?, 3]");
    kit_close(&k);
}

/* state */

Test(session, uninitialised_references)
{
    Kit k;
    SfTensor w;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor read = variable_read(&k, "w", SF_DT_FLOAT, "[3]", &w);
    const SfTensor init = OP(&k, "Assign", "init", w, kit_const_f(&k, NULL, "[3]"));
    const SfAttrArg dtype = kit_type("dtype", SF_DT_FLOAT);
    (void)dtype;
    const SfTensor ok = OP(&k, "IsVariableInitialized", "ok", w);
    int64_t known;
    SfTensor out;
    cr_assert(sf_session_run(k.s, &ok, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
    cr_expect(kit_int_of(out, &known) && known == 0);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0),
                     "Attempting to use uninitialized value w\n\t [[{{node Identity}}]]");
    cr_expect_str_eq(kit_run(&k, w, NULL, 0),
                     "Attempting to use uninitialized value w\n\t [[{{node _retval_w_0_0}}]]");
    cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_FAILED_PRECONDITION);
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[3]");
    cr_expect_str_eq(kit_run(&k, w, NULL, 0), "[3]");
    cr_assert(sf_session_run(k.s, &ok, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
    cr_expect(kit_int_of(out, &known) && known == 1);
    kit_close(&k);
}

static SfTensor handle(Kit *k, const char *name, const char *shared, const char *shape)
{
    const SfAttrArg attrs[] = {kit_type("dtype", SF_DT_FLOAT), kit_shape_attr("shape", shape),
                               kit_string("shared_name", shared)};
    return kit_op(k, "VarHandleOp", name, NULL, 0, attrs, 3);
}

static SfTensor read_handle(Kit *k, SfTensor h)
{
    const SfAttrArg dtype = kit_type("dtype", SF_DT_FLOAT);
    return kit_op(k, "ReadVariableOp", NULL, &h, 1, &dtype, 1);
}

Test(session, uninitialised_resources)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor h = handle(&k, "s/r", "", "[3]");
    const SfTensor read = read_handle(&k, h);
    const SfAttrArg dtype = kit_type("dtype", SF_DT_FLOAT);
    const SfTensor gather_in[] = {h, kit_const(&k, "i", 0)};
    const SfTensor gather = kit_op(&k, "ResourceGather", "g", gather_in, 2, &dtype, 1);
    const SfTensor assign_in[] = {OP(&k, "Identity", NULL, h), kit_const_f(&k, "v", "[3]")};
    const SfTensor init = kit_op(&k, "AssignVariableOp", "init", assign_in, 2, NULL, 0);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0),
                     "Error while reading resource variable s/r from Container: localhost. This "
                     "could mean that the variable was uninitialized. Not found: Container "
                     "localhost does not exist. (Could not find resource: localhost/s/r)\n\t "
                     "[[{{node ReadVariableOp}}]]");
    cr_expect_str_eq(kit_run(&k, gather, NULL, 0),
                     "Container localhost does not exist. (Could not find resource: "
                     "localhost/s/r)\n\t [[{{node g}}]]");
    cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_NOT_FOUND);
    const SfTensor other = handle(&k, "other", "", "[3]");
    const SfTensor other_in[] = {other, kit_const_f(&k, "v", "[3]")};
    const SfTensor other_init = kit_op(&k, "AssignVariableOp", NULL, other_in, 2, NULL, 0);
    cr_expect_eq(kit_run_op(&k, other_init.node, NULL, 0), SF_OK);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0),
                     "Error while reading resource variable s/r from Container: localhost. This "
                     "could mean that the variable was uninitialized. Not found: Resource "
                     "localhost/s/r/N10tensorflow3VarE does not exist.\n\t "
                     "[[{{node ReadVariableOp}}]]");
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK, "through Identity");
    cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[3]");
    kit_close(&k);
}

Test(session, handles_of_one_shared_name_are_one_variable)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor a = handle(&k, "a", "both", "[3]"), b = handle(&k, "b", "both", "[3]");
    const SfTensor c = handle(&k, "c", "alone", "[3]");
    const SfTensor in[] = {a, kit_const_f(&k, "v", "[3]")};
    cr_expect_eq(kit_run_op(&k, kit_op(&k, "AssignVariableOp", NULL, in, 2, NULL, 0).node, NULL, 0),
                 SF_OK);
    cr_expect_str_eq(kit_run(&k, read_handle(&k, b), NULL, 0), "[3]");
    SfState s;
    cr_expect(sf_session_state(k.s, b.node, &s));
    cr_expect_not(sf_session_state(k.s, c.node, &s));
    kit_close(&k);
}

Test(session, reads_see_writes_that_control_edges_put_before_them)
{
    Kit k;
    SfTensor v;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor before = variable_read(&k, "v", SF_DT_INT32, "[]", &v);
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "ten", 10));
    const SfTensor add = OP(&k, "AssignAdd", "add", v, kit_const(&k, "one", 1));
    SfNode *const after[] = {add.node};
    kit_control(&k, after, 1);
    const SfTensor then = OP(&k, "Identity", "then", v);
    kit_control(&k, NULL, 0);
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    const SfTensor sum = OP(&k, "Add", "sum", before, kit_const(&k, "hundred", 100));
    const SfTensor twice = OP(&k, "Identity", "twice", before);
    const SfTensor fetches[] = {twice, then, add, sum};
    for (int64_t run = 0; run < 4; run++) {
        SfTensor out[4];
        int64_t a, b, c, d;
        cr_assert(sf_session_run(k.s, fetches, 4, NULL, 0, NULL, 0, &k.sink, out) == SF_OK);
        cr_assert(kit_int_of(out[0], &a) && kit_int_of(out[1], &b) && kit_int_of(out[2], &c) &&
                  kit_int_of(out[3], &d));
        cr_expect_eq(d, 110 + run, "what is computed from a read is not");
        cr_expect_eq(a, 11 + run, "a read shares the buffer of its reference");
        cr_expect_eq(b, 11 + run);
        cr_expect_eq(c, 11 + run);
    }
    cr_expect_eq(sf_session_stats(k.s).memo_hits, 3);
    kit_close(&k);
}

/* Figure 8 of the paper: a variable whose shape changes between runs. */
Test(session, shapes_of_state_may_change)
{
    Kit k;
    SfTensor w;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor read = variable_read(&k, "w", SF_DT_FLOAT, "[3]", &w);
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "?");
    const SfTensor wx[] = {w, x};
    const SfAttrArg loose = kit_bool("validate_shape", false);
    const SfTensor set = kit_op(&k, "Assign", "set", wx, 2, &loose, 1);
    const SfTensor strict = OP(&k, "Assign", "strict", w, x);
    const SfFeed three = kit_feed(x, "[3]"), five = kit_feed(x, "[5]");
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(kit_run_op(&k, set.node, &three, 1), SF_OK);
        cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[3]");
        cr_expect_eq(kit_run_op(&k, strict.node, &five, 1), SF_REPORTED);
        cr_expect_eq(kit_run_op(&k, set.node, &five, 1), SF_OK);
        cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[5]");
        cr_expect_eq(kit_run_op(&k, strict.node, &five, 1), SF_OK);
    }
    cr_expect_geq(sf_session_stats(k.s).memo_hits, 2, "both forms of the state are remembered");
    kit_close(&k);
}

Test(session, an_error_stops_the_run_but_not_what_ran_before)
{
    Kit k;
    SfTensor v;
    kit_open(&k, SF_VERSION(1, 15));
    (void)variable_read(&k, "v", SF_DT_INT32, "[]", &v);
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "one", 1));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_placeholder(&k, "w", SF_DT_FLOAT, "[?,4]");
    SfNode *const after[] = {init.node};
    kit_control(&k, after, 1);
    const SfTensor bad = OP(&k, "MatMul", "bad", x, w);
    const SfFeed feeds[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[5,4]")};
    const char *message = kit_run(&k, bad, feeds, 2);
    cr_expect(strstr(message, "{{node bad}}"), "%s", message);
    SfState s;
    cr_expect(sf_session_state(k.s, v.node, &s) && s.initialized);
    const uint64_t hits = sf_session_stats(k.s).memo_hits;
    (void)kit_run(&k, bad, feeds, 2);
    cr_expect_eq(sf_session_stats(k.s).memo_hits, hits, "failures are not remembered");
    kit_close(&k);
}

Test(session, state_can_be_set_from_outside)
{
    Kit k;
    SfTensor w;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor read = variable_read(&k, "w", SF_DT_FLOAT, "[3]", &w);
    SfState s = {.shape = kit_shape("[3]"), .initialized = true, .dtype = SF_DT_FLOAT};
    cr_assert(sf_session_set_state(k.s, w.node, &s) == SF_OK);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[3]");
    s.value = sf_value_float(SF_DT_FLOAT, 1.5);
    s.shape = sf_shape_scalar();
    cr_assert(sf_session_set_state(k.s, w.node, &s) == SF_OK);
    cr_expect_str_eq(kit_run(&k, read, NULL, 0), "[]");
    SfState now;
    cr_expect(sf_session_state(k.s, w.node, &now));
    cr_expect_null(now.value, "floating contents are not kept");
    kit_close(&k);
}

/* memo */

Test(session, repeated_runs_infer_nothing)
{
    Kit k;
    SfTensor w;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor read = variable_read(&k, "w", SF_DT_FLOAT, "[3,4]", &w);
    const SfTensor init = OP(&k, "Assign", "init", w, kit_const_f(&k, NULL, "[3,4]"));
    const SfTensor y = OP(&k, "MatMul", "y", x, read);
    const SfTensor update = OP(&k, "Assign", "update", w, read);
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    SfPlan *p;
    SfNode *const train[] = {update.node};
    cr_assert(sf_session_plan(k.s, &y, 1, train, 1, &x, 1, &k.sink, &p) == SF_OK);
    const SfFeed full = kit_feed(x, "[64,3]"), rest = kit_feed(x, "[37,3]");
    SfTensor out;
    bool hit;
    uint64_t first, id;
    cr_assert(sf_plan_run(p, &full, 1, &k.sink, &out, &hit, &first) == SF_OK);
    cr_expect_not(hit);
    const uint64_t inferences = sf_session_stats(k.s).inferences;
    cr_assert(sf_plan_run(p, &full, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect(hit && id == first);
    cr_expect_eq(out.shape, kit_shape("[64,4]"));
    cr_expect_eq(sf_session_stats(k.s).inferences, inferences);
    cr_assert(sf_plan_run(p, &rest, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect(!hit && id != first);
    cr_expect_eq(out.shape, kit_shape("[37,4]"));
    cr_assert(sf_plan_run(p, &full, 1, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect(hit && id == first);
    cr_expect_eq(out.shape, kit_shape("[64,4]"));
    cr_expect_eq(sf_session_stats(k.s).runs, 5);
    kit_close(&k);
}

Test(session, counters_count_in_memoised_runs)
{
    Kit k;
    SfTensor step;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor y = OP(&k, "Relu", "y", x);
    const SfTensor read = variable_read(&k, "step", SF_DT_INT32, "[]", &step);
    const SfTensor init = OP(&k, "Assign", "init", step, kit_const(&k, "zero", 0));
    const SfTensor add = OP(&k, "AssignAdd", "add", step, kit_const(&k, "one", 1));
    const SfAttrArg to = kit_type("DstT", SF_DT_FLOAT);
    const SfTensor rate = kit_op(&k, "Cast", "rate", &read, 1, &to, 1);
    const SfTensor scaled = OP(&k, "Add", "scaled", y, rate);
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    SfPlan *p;
    SfNode *const train[] = {add.node};
    const SfTensor fetches[] = {scaled, read};
    cr_assert(sf_session_plan(k.s, fetches, 2, train, 1, &x, 1, &k.sink, &p) == SF_OK);
    const SfFeed f = kit_feed(x, "[64,3]");
    uint64_t last = 0;
    for (int64_t i = 0; i < 100; i++) {
        SfTensor out[2];
        bool same;
        uint64_t id;
        int64_t seen;
        cr_assert(sf_plan_run(p, &f, 1, &k.sink, out, &same, &id) == SF_OK);
        cr_expect_eq(out[0].shape, kit_shape("[64,3]"));
        cr_expect(kit_int_of(out[1], &seen) && seen == i + 1);
        cr_expect_not(same, "the content of a result changed");
        cr_expect_neq(id, last);
        last = id;
    }
    const SfSessionStats stats = sf_session_stats(k.s);
    cr_expect_eq(stats.memo_hits, 99);
    cr_expect_leq(stats.inferences, 10 + 99 * 4, "the float that follows ends the slice");
    SfState s;
    int64_t now;
    cr_expect(sf_session_state(k.s, step.node, &s) && sf_value_as_int(s.value, &now) && now == 100);
    kit_close(&k);
}

Test(session, a_counter_nobody_fetches_keeps_the_result)
{
    Kit k;
    SfTensor step;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor y = OP(&k, "Relu", "y", x);
    (void)variable_read(&k, "step", SF_DT_INT32, "[]", &step);
    const SfTensor init = OP(&k, "Assign", "init", step, kit_const(&k, "zero", 0));
    const SfTensor add = OP(&k, "AssignAdd", "add", step, kit_const(&k, "one", 1));
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    SfPlan *p;
    SfNode *const train[] = {add.node};
    cr_assert(sf_session_plan(k.s, &y, 1, train, 1, &x, 1, &k.sink, &p) == SF_OK);
    const SfFeed f = kit_feed(x, "[64,3]");
    uint64_t first = 0;
    for (int i = 0; i < 5; i++) {
        SfTensor out;
        bool same;
        uint64_t id;
        cr_assert(sf_plan_run(p, &f, 1, &k.sink, &out, &same, &id) == SF_OK);
        first = i ? first : id;
        cr_expect_eq(same, i > 0);
        cr_expect_eq(id, first);
    }
    SfState s;
    int64_t now;
    cr_expect(sf_session_state(k.s, step.node, &s) && sf_value_as_int(s.value, &now) && now == 5);
    kit_close(&k);
}

/* A counter that becomes a shape: the record must give way, and the counter count once. */
Test(session, contents_that_change_shapes_run_in_full)
{
    Kit k;
    SfTensor n;
    kit_open(&k, SF_VERSION(1, 15));
    (void)variable_read(&k, "n", SF_DT_INT32, "[]", &n);
    const SfTensor init = OP(&k, "Assign", "init", n, kit_const(&k, "zero", 0));
    const SfTensor add = OP(&k, "AssignAdd", "add", n, kit_const(&k, "one", 1));
    const SfTensor r = OP(&k, "Range", "r", add);
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    for (int i = 1; i <= 20; i++) {
        char want[16];
        snprintf(want, sizeof want, "[%d]", i);
        cr_expect_str_eq(kit_run(&k, r, NULL, 0), want);
    }
    cr_expect_eq(kit_run_op(&k, init.node, NULL, 0), SF_OK);
    cr_expect_str_eq(kit_run(&k, r, NULL, 0), "[1]");
    kit_close(&k);
}

Test(session, assignments_are_replayed)
{
    Kit k;
    SfTensor n;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor read = variable_read(&k, "n", SF_DT_INT32, "[]", &n);
    const SfTensor reset = OP(&k, "Assign", "reset", n, kit_const(&k, "seven", 7));
    const SfTensor add = OP(&k, "AssignAdd", "add", n, kit_const(&k, "one", 1));
    for (int i = 0; i < 4; i++) {
        SfTensor out;
        int64_t v;
        cr_expect_eq(kit_run_op(&k, reset.node, NULL, 0), SF_OK);
        cr_expect_eq(kit_run_op(&k, add.node, NULL, 0), SF_OK);
        cr_assert(sf_session_run(k.s, &read, 1, NULL, 0, NULL, 0, &k.sink, &out) == SF_OK);
        cr_expect(kit_int_of(out, &v) && v == 8, "%d", (int)v);
    }
    kit_close(&k);
}

Test(session, feeds_in_another_order)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_placeholder(&k, "w", SF_DT_FLOAT, "[3,?]");
    const SfTensor y = OP(&k, "MatMul", "y", x, w);
    const SfTensor fed[] = {x, w};
    SfPlan *p;
    cr_assert(sf_session_plan(k.s, &y, 1, NULL, 0, fed, 2, &k.sink, &p) == SF_OK);
    const SfFeed feeds[] = {kit_feed(w, "[3,9]"), kit_feed(x, "[2,3]")};
    SfTensor out;
    bool hit;
    uint64_t id;
    cr_assert(sf_plan_run(p, feeds, 2, &k.sink, &out, &hit, &id) == SF_OK);
    cr_expect_eq(out.shape, kit_shape("[2,9]"));
    kit_close(&k);
}

Test(session, many_plans_do_not_pile_up)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    SfPlan *pinned;
    SfTensor y = OP(&k, "Relu", NULL, x);
    cr_assert(sf_session_plan(k.s, &y, 1, NULL, 0, &x, 1, &k.sink, &pinned) == SF_OK);
    const SfFeed f = kit_feed(x, "[2,3]");
    for (int i = 0; i < 1500; i++) { /* the classic mistake: a graph that grows in the loop */
        const SfTensor z = OP(&k, "Relu", NULL, y);
        cr_expect_str_eq(kit_run(&k, z, &f, 1), "[2, 3]");
    }
    SfTensor out;
    bool hit;
    uint64_t id;
    cr_expect_eq(sf_plan_run(pinned, &f, 1, &k.sink, &out, &hit, &id), SF_OK);
    kit_close(&k);
}

Test(session, more_shapes_than_records)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfTensor y = OP(&k, "Relu", NULL, x);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i < 700; i++) {
            const SfFeed f = {x, sf_shape_vector(i), NULL};
            SfTensor out;
            cr_assert(sf_session_run(k.s, &y, 1, NULL, 0, &f, 1, &k.sink, &out) == SF_OK);
            cr_expect_eq(out.shape, sf_shape_vector(i));
        }
    }
    kit_close(&k);
}

/* A TensorArray is made anew in each run: what it goes through is no reason to run in full. */
Test(session, state_that_returns_to_its_form_is_memoised)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor w = kit_variable(&k, "w", SF_DT_FLOAT, "[3]");
    const SfAttrArg loose = kit_bool("validate_shape", false);
    const SfTensor to5[] = {w, kit_const_f(&k, "five", "[5]")};
    const SfTensor to3[] = {w, kit_const_f(&k, "three", "[3]")};
    const SfTensor grow = kit_op(&k, "Assign", "grow", to5, 2, &loose, 1);
    const SfTensor then = OP(&k, "Identity", "then", grow);
    SfNode *const after[] = {then.node};
    kit_control(&k, after, 1);
    const SfTensor shrink = kit_op(&k, "Assign", "shrink", to3, 2, &loose, 1);
    kit_control(&k, NULL, 0);
    SfNode *const targets[] = {shrink.node};
    for (int i = 0; i < 5; i++) {
        SfTensor out;
        cr_assert(sf_session_run(k.s, &then, 1, targets, 1, NULL, 0, &k.sink, &out) == SF_OK);
        cr_expect_eq(out.shape, kit_shape("[5]"));
        SfState s;
        cr_expect(sf_session_state(k.s, w.node, &s) && s.shape == kit_shape("[3]"));
    }
    cr_expect_eq(sf_session_stats(k.s).memo_hits, 3, "the first run made the variable");
    kit_close(&k);
}

Test(session, many_variables)
{
    enum { N = 300 };
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    SfNode *init[N];
    SfTensor read[N], out[N];
    const SfTensor c = kit_const(&k, "c", 5);
    for (int i = 0; i < N; i++) {
        SfTensor v;
        read[i] = variable_read(&k, NULL, SF_DT_INT32, "[]", &v);
        init[i] = OP(&k, "Assign", NULL, v, c).node;
    }
    cr_assert(sf_session_run(k.s, NULL, 0, init, N, NULL, 0, &k.sink, NULL) == SF_OK);
    for (int round = 0; round < 2; round++) {
        cr_assert(sf_session_run(k.s, read, N, NULL, 0, NULL, 0, &k.sink, out) == SF_OK);
        int64_t v;
        cr_expect(kit_int_of(out[N - 1], &v) && v == 5);
    }
    cr_expect_eq(sf_session_stats(k.s).memo_hits, 1);
    kit_close(&k);
}

/* The operands of the session's own findings have the names of their ports, lists counted. */
Test(session, the_operands_of_a_list_have_its_name)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor v = kit_variable(&k, "v", SF_DT_FLOAT, "[2]");
    const SfTensor axis = kit_const(&k, "axis", 0);
    const SfTensor joined = OP(&k, "ConcatV2", "joined", x, v, axis);
    const SfFeed feed = kit_feed(x, "[2]");
    SfTensor out;
    cr_assert(sf_session_run(k.s, &joined, 1, NULL, 0, &feed, 1, &k.sink, &out) == SF_REPORTED);
    const SfDiag *d = k.sink.first;
    cr_assert(d && d->code == SF_DIAG_UNINITIALIZED, "%s", d ? d->message : "no finding");
    cr_assert(strcmp(d->op_type, "ConcatV2") == 0 && d->noperands == 3, "%s", d->op_type);
    cr_expect_str_eq(d->operands[0].name, "values[0]");
    cr_expect_str_eq(d->operands[1].name, "values[1]");
    cr_expect_str_eq(d->operands[2].name, "axis");
    cr_expect(d->operands[1].producer == v.node && d->operands[1].shape == kit_shape("[2]"));
    sf_sink_clear(&k.sink);
    kit_close(&k);
}
