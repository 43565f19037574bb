/* Work that the user ends: no result, no finding, and a graph and session that go on afterwards. */
#include "tests/c/core/kit.h"

#include "core/base/interrupt.h"

static int looks_left;

static bool stop_later(void)
{
    return looks_left-- == 0;
}

static void stop_after(int looks)
{
    looks_left = looks;
    sf_interrupt_set_check(stop_later);
}

/* Planning and running, at every look that they take. */
Test(interrupt, a_run)
{
    enum { NODES = 3000, EVERY = 512 };
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    const SfAttrArg frame = kit_string("frame_name", "while");
    SfTensor t = x;
    for (int i = 0; i < NODES; i++) {
        t = i % 2 ? OP(&k, "Relu", NULL, t) : kit_op(&k, "Enter", NULL, &t, 1, &frame, 1);
        t = i % 2 ? t : OP(&k, "Exit", NULL, t);
    }
    /* Made before what it needs, so that the nodes must be sorted. */
    const SfTensor early = OP(&k, "Relu", NULL, x);
    const SfTensor late = OP(&k, "Relu", NULL, x);
    cr_assert(sf_node_add_control(early.node, late.node) == SF_OK);
    SfNode *const needed[] = {t.node, early.node};
    kit_control(&k, needed, 2);
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "one", 1));
    const SfFeed feed = kit_feed(x, "[3]");
    SfState state;
    SfStatus status = SF_INTERRUPTED;
    int looks = 0;
    for (; status == SF_INTERRUPTED && looks < 1000; looks++) {
        stop_after(looks);
        cr_expect_not(sf_session_state(k.s, v.node, &state));
        status = kit_run_op(&k, init.node, &feed, 1);
        cr_expect_null(k.sink.first);
        cr_expect_eq(k.sink.muted, 0);
    }
    cr_expect_eq(status, SF_OK);
    cr_expect(sf_session_state(k.s, v.node, &state));
    /* The cycles are looked for, the nodes collected, sorted, put in frames, written and run. */
    cr_expect_geq(looks, 7 * (NODES / EVERY), "%d", looks);
    sf_interrupt_set_check(NULL);
    cr_expect_null(sf_graph_verify(k.g));
    kit_close(&k);
}

Test(interrupt, a_build)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    SfTensor out;
    int n, built = 0;
    SfStatus status = SF_OK;
    stop_after(0);
    for (; built < 10000 && status == SF_OK; built++) {
        status = sf_build(&k.b, sf_op_find("Relu"), NULL, &x, 1, NULL, NULL, 0, &out, 1, &n);
    }
    cr_expect_eq(status, SF_INTERRUPTED);
    cr_expect_eq(sf_graph_size(k.g), built, "the last one was not made");
    cr_expect_null(k.sink.first);
    cr_expect(sf_build(&k.b, sf_op_find("Relu"), NULL, &x, 1, NULL, NULL, 0, &out, 1, &n) == SF_OK);
    sf_interrupt_set_check(NULL);
    cr_expect_null(sf_graph_verify(k.g));
    kit_close(&k);
}
