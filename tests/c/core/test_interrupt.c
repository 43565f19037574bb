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

Test(interrupt, a_run)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor v = kit_variable(&k, "v", SF_DT_INT32, "[]");
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?]");
    SfTensor t = x;
    for (int i = 0; i < 3000; i++) {
        t = OP(&k, "Relu", NULL, t);
    }
    kit_control(&k, &t.node, 1);
    const SfTensor init = OP(&k, "Assign", "init", v, kit_const(&k, "one", 1));
    const SfFeed feed = kit_feed(x, "[3]");
    SfState state;
    for (int looks = 0; looks < 3; looks++) {
        stop_after(looks);
        cr_expect_eq(kit_run_op(&k, init.node, &feed, 1), SF_INTERRUPTED);
        cr_expect_null(k.sink.first);
        cr_expect_eq(k.sink.muted, 0);
        cr_expect_not(sf_session_state(k.s, v.node, &state));
    }
    stop_after(1000);
    cr_expect_eq(kit_run_op(&k, init.node, &feed, 1), SF_OK);
    cr_expect(sf_session_state(k.s, v.node, &state));
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
