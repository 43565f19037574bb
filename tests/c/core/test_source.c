/* Sources: outputs that the caller of a run supplies. */
#include "tests/c/core/kit.h"

typedef struct Fed {
    Kit k;
    SfTensor x, y;
    SfPlan *plan;
} Fed;

static void open(Fed *f)
{
    kit_open(&f->k, SF_VERSION(1, 15));
    f->x = kit_placeholder(&f->k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_const_f(&f->k, "w", "[3,4]");
    f->y = OP(&f->k, "MatMul", "y", f->x, w);
    cr_assert(sf_node_make_source(f->x.node) == SF_OK);
    cr_assert(sf_session_plan(f->k.s, &f->y, 1, NULL, 0, NULL, 0, &f->k.sink, &f->plan) == SF_OK);
}

/* Runs with an element of that shape; NULL: there is none. */
static SfStatus run(Fed *f, const char *shape, SfTensor *y, bool *hit)
{
    int n = 0;
    uint64_t id;
    cr_assert(sf_plan_sources(f->plan, &f->k.sink, &n) == SF_OK);
    cr_assert_eq(n, 1);
    cr_expect_eq(sf_plan_source(f->plan, 0), f->x.node);
    if (shape) {
        const SfFeed element = kit_feed(f->x, shape);
        const SfTensor out = {.shape = element.shape, .dtype = SF_DT_FLOAT};
        sf_plan_supply(f->plan, 0, &out);
    } else {
        sf_plan_supply(f->plan, 0, NULL);
    }
    return sf_plan_run(f->plan, NULL, 0, &f->k.sink, y, hit, &id);
}

Test(source, shapes_of_elements_flow_and_are_remembered)
{
    Fed f;
    SfTensor y;
    bool hit;
    open(&f);
    cr_expect(sf_graph_has_sources(f.k.g));
    cr_assert(run(&f, "[64,3]", &y, &hit) == SF_OK);
    cr_expect_eq(sf_shape_dim(y.shape, 0), 64);
    cr_expect(!hit && sf_plan_source_used(f.plan, 0));
    cr_assert(run(&f, "[37,3]", &y, &hit) == SF_OK);
    cr_expect_eq(sf_shape_dim(y.shape, 0), 37);
    cr_expect(!hit);
    cr_assert(run(&f, "[64,3]", &y, &hit) == SF_OK);
    cr_expect_eq(sf_shape_dim(y.shape, 0), 64);
    cr_expect(hit && sf_plan_source_used(f.plan, 0));
    kit_close(&f.k);
}

Test(source, the_end_is_no_diagnostic)
{
    Fed f;
    SfTensor y;
    bool hit;
    open(&f);
    cr_expect(run(&f, NULL, &y, &hit) == SF_REPORTED);
    cr_expect_eq(sf_plan_source_failed(f.plan), 0);
    cr_expect_null(f.k.sink.last);
    cr_assert(run(&f, "[1,3]", &y, &hit) == SF_OK, "a run after the end is a run like any");
    cr_expect_eq(sf_plan_source_failed(f.plan), -1);
    kit_close(&f.k);
}

Test(source, a_fed_source_is_not_needed)
{
    Fed f;
    open(&f);
    const SfFeed feed = kit_feed(f.x, "[5,3]");
    cr_expect_str_eq(kit_run(&f.k, f.y, &feed, 1), "[5, 4]");
    kit_close(&f.k);
}
