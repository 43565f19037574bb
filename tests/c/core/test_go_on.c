/* A sink whose owner wants to go on after an op's error: unknown outputs, no follow-on errors. */
#include "tests/c/core/kit.h"

static bool always(void *owner, const SfDiag *newest)
{
    int *asked = owner;
    (*asked)++;
    cr_expect(newest);
    return true;
}

/* A run that goes on: its result as text, the findings stay in the sink. */
static const char *went_on(Kit *k, SfTensor fetch, const SfFeed *feeds, int nfeed)
{
    static char text[256];
    SfTensor result;
    sf_sink_clear(&k->sink);
    cr_assert(sf_session_run(k->s, &fetch, 1, NULL, 0, feeds, nfeed, &k->sink, &result) == SF_OK);
    sf_shape_format(result.shape, true, text, sizeof text);
    return text;
}

static bool never(void *owner, const SfDiag *newest)
{
    (void)owner;
    (void)newest;
    return false;
}

Test(go_on, a_failed_node_is_built_with_unknown_outputs)
{
    Kit k;
    int asked = 0;
    kit_open(&k, SF_VERSION(1, 15));
    k.sink.goes_on = always;
    k.sink.owner = &asked;
    const SfTensor a = kit_const_f(&k, "a", "[2,3]"), b = kit_const_f(&k, "b", "[4,5]");
    const SfTensor in[] = {a, b};
    const SfTensor bad = kit_op(&k, "MatMul", "bad", in, 2, NULL, 0);
    cr_expect_eq(asked, 1);
    cr_expect_eq(k.sink.count, 1);
    cr_expect(bad.node && bad.node->context->failed);
    cr_expect_str_eq(bad.node->name, "bad");
    cr_expect_eq(sf_shape_rank(bad.shape), SF_RANK_UNKNOWN);
    cr_expect(sf_tensor_is_unmodelled(&bad, SF_UNMODELLED_SHAPE));
    const SfTensor next = OP(&k, "Relu", "next", bad);
    cr_expect(sf_tensor_is_unmodelled(&next, SF_UNMODELLED_SHAPE));
    cr_expect(!sf_tensor_is_unmodelled(&next, SF_UNMODELLED_DTYPE));
    cr_expect_null(sf_graph_verify(k.g));
    /* A run does not say it again, and memoises what it gives. */
    cr_expect_str_eq(went_on(&k, next, NULL, 0), "<unknown>");
    cr_expect_str_eq(went_on(&k, next, NULL, 0), "<unknown>");
    cr_expect_eq(k.sink.count, 0);
    kit_close(&k);
}

Test(go_on, a_failed_step_takes_those_behind_it_along)
{
    Kit k;
    int asked = 0;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_placeholder(&k, "w", SF_DT_FLOAT, "[?,4]");
    const SfTensor bad = OP(&k, "MatMul", "bad", x, w);
    const SfTensor c = kit_const_f(&k, "c", "[9,9]");
    const SfTensor follows = OP(&k, "MatMul", "follows", bad, w);
    const SfTensor good = OP(&k, "Relu", "good", c);
    const SfFeed feeds[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[5,4]")};
    k.sink.goes_on = always;
    k.sink.owner = &asked;
    cr_expect_str_eq(went_on(&k, follows, feeds, 2), "[?, 4]");
    cr_expect_eq(asked, 1);
    cr_expect_eq(k.sink.count, 1);
    cr_expect_str_eq(went_on(&k, good, feeds, 2), "[9, 9]");
    sf_sink_clear(&k.sink);
    const SfFeed right[] = {kit_feed(x, "[2,3]"), kit_feed(w, "[3,4]")};
    cr_expect_str_eq(went_on(&k, bad, right, 2), "[2, 4]");
    cr_expect_eq(k.sink.count, 0);
    kit_close(&k);
}

Test(go_on, the_owner_decides)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    k.sink.goes_on = never;
    const SfTensor in[] = {kit_const_f(&k, "a", "[2,3]"), kit_const_f(&k, "b", "[4,5]")};
    cr_expect(strstr(kit_refused(&k, "MatMul", "bad", in, 2, NULL, 0), "Dimensions must be equal"));
    cr_expect_null(sf_graph_find(k.g, "bad"));
    kit_close(&k);
}
