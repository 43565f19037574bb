/* Memory of runs: how long buffers are held, what is forwarded, what the backward pass keeps. */
#include "core/analysis/backward.h"
#include "core/analysis/memory.h"
#include "tests/c/core/kit.h"

static const SfBackwardRow backward_rows[] = {
    {"MatMul", 3, 0},
    {"Relu", 0, 1},
};

typedef struct Run {
    Kit k;
    SfArena arena;
    SfMemory m;
} Run;

static void run_open(Run *r)
{
    kit_open(&r->k, SF_VERSION(1, 15));
    sf_arena_init(&r->arena);
    sf_backward_register(backward_rows, SF_ARRAY_LEN(backward_rows));
}

static void run_close(Run *r)
{
    sf_backward_register(NULL, 0);
    sf_arena_free(&r->arena);
    kit_close(&r->k);
}

/* Runs `fetch` and takes its memory. */
static void run_it(Run *r, SfTensor fetch, const SfFeed *feed, int64_t rounding)
{
    SfPlan *p;
    SfTensor result;
    bool hit;
    uint64_t id;
    cr_assert(sf_session_plan(r->k.s, &fetch, 1, NULL, 0, &feed->target, 1, &r->k.sink, &p) ==
              SF_OK);
    cr_assert(sf_plan_run(p, feed, 1, &r->k.sink, &result, &hit, &id) == SF_OK);
    cr_assert(sf_plan_memory(p, (SfMemoryTrial){.rounding = rounding, .device = -1}, &r->arena,
                             &r->m) == SF_OK);
}

Test(memory, a_tensor_is_held_to_its_last_reader)
{
    Run r;
    run_open(&r);
    const SfTensor x = kit_placeholder(&r.k, "x", SF_DT_FLOAT, "[?,8]");
    const SfTensor w = kit_const_f(&r.k, "w", "[8,8]");
    const SfTensor a = OP(&r.k, "MatMul", "a", x, w);
    const SfTensor b = OP(&r.k, "MatMul", "b", a, w);
    const SfTensor c = OP(&r.k, "MatMul", "c", b, w);
    const SfFeed f = kit_feed(x, "[4,8]");
    run_it(&r, c, &f, 1);
    cr_expect_eq(r.m.parts[SF_MEMORY_FEED], 4 * 8 * 4);
    cr_expect_eq(r.m.parts[SF_MEMORY_CONSTANT], 8 * 8 * 4);
    cr_expect_eq(r.m.parts[SF_MEMORY_ACTIVATION], 2 * 4 * 8 * 4, "two of the three at a time");
    cr_expect_eq(r.m.peak_bytes, 128 + 256 + 256);
    cr_expect_eq(r.m.nmoments, 4);
    cr_expect_not(r.m.is_lower_bound);
    run_it(&r, c, &f, 256);
    cr_expect_eq(r.m.peak_bytes, 256 * 4, "each buffer is rounded up");
    run_close(&r);
}

Test(memory, views_and_forwarded_buffers_are_one)
{
    Run r;
    run_open(&r);
    const SfTensor x = kit_placeholder(&r.k, "x", SF_DT_FLOAT, "[?,8]");
    const SfTensor w = kit_const_f(&r.k, "w", "[8,8]");
    const SfTensor a = OP(&r.k, "MatMul", "a", x, w);
    const SfTensor b = OP(&r.k, "Identity", "b", a);
    const SfFeed f = kit_feed(x, "[4,8]");
    run_it(&r, b, &f, 1);
    cr_expect_eq(r.m.parts[SF_MEMORY_ACTIVATION], 128);
    run_close(&r);
}

Test(memory, unknown_sizes_make_a_lower_bound)
{
    Run r;
    run_open(&r);
    const SfTensor x = kit_placeholder(&r.k, "x", SF_DT_FLOAT, "[?,8]");
    const SfTensor a = OP(&r.k, "Relu", "a", x);
    const SfFeed f = kit_feed(x, "[?,8]");
    run_it(&r, a, &f, 1);
    cr_expect(r.m.is_lower_bound);
    cr_expect_eq(r.m.peak_bytes, 0);
    run_close(&r);
}

Test(memory, backward_rows_say_what_is_kept)
{
    Run r;
    run_open(&r);
    const SfTensor x = kit_placeholder(&r.k, "x", SF_DT_FLOAT, "[2,8]");
    const SfTensor a = OP(&r.k, "Relu", "a", x);
    const SfTensor m = OP(&r.k, "MatMul", "m", a, kit_const_f(&r.k, "w", "[8,8]"));
    cr_expect_not(sf_backward_reads_input(a.node, 0));
    cr_expect(sf_backward_reads_output(a.node, 0));
    cr_expect(sf_backward_reads_input(m.node, 1));
    cr_expect_not(sf_backward_reads_output(m.node, 0));
    sf_backward_register(NULL, 0);
    cr_expect(sf_backward_reads_input(a.node, 0), "of an op that is not known its inputs are kept");
    run_close(&r);
}

/* The moment when a node runs, or the first when its gradient does; -1: there is none. */
static int moment_of(const SfMemory *m, const SfNode *n, bool backward)
{
    int at = 0;
    while (at < m->nmoments && (m->moments[at].node != n || m->moments[at].backward != backward)) {
        at++;
    }
    return at < m->nmoments ? at : -1;
}

Test(memory, gradients_that_depend_on_no_feed_come_first)
{
    Run r;
    run_open(&r);
    const SfTensor x = kit_placeholder(&r.k, "x", SF_DT_FLOAT, "[?,8]");
    const SfTensor w = kit_const_f(&r.k, "w", "[8,8]");
    const SfTensor y = OP(&r.k, "MatMul", "y", x, w);
    const SfTensor penalty = OP(&r.k, "Relu", "penalty", w);
    const SfTensor gradient = OP(&r.k, "SfGradient", "gradient", w, y, penalty);
    const SfFeed f = kit_feed(x, "[4,8]");
    run_it(&r, gradient, &f, 1);
    const int product = moment_of(&r.m, y.node, false);
    const int early = moment_of(&r.m, penalty.node, true);
    cr_expect_lt(early, product);
    cr_expect_gt(early, moment_of(&r.m, penalty.node, false));
    cr_expect_gt(moment_of(&r.m, y.node, true), product, "it reads what the feed makes");
    cr_expect_eq(r.m.moments[product].bytes, 128 + 256 + 256 + 128,
                 "feed, w, the gradient of the penalty in its buffer, and the product");
    run_close(&r);
}
