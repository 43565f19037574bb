/* The way of a dim back to the op that fixed it. */
#include "core/analysis/provenance.h"

#include "tests/c/core/kit.h"

enum { MANY = 16 };

static const char *last_name(const SfOriginStep *steps, int n)
{
    return n > 0 ? steps[n - 1].node->name : "(nothing)";
}

Test(provenance, through_ops_to_the_operand_that_fixed_it)
{
    Kit k;
    SfOriginStep steps[MANY];
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_const_f(&k, "w", "[3,4]");
    const SfTensor y = OP(&k, "Relu", "r", OP(&k, "MatMul", "mm", x, w));
    int n = sf_origin_of_axis(y.node, 0, 1, steps, MANY);
    cr_expect_eq(n, 3);
    cr_expect_str_eq(last_name(steps, n), "w");
    cr_expect_eq(steps[n - 1].axis, 1);
    cr_expect_eq(steps[n - 1].dim, 4);
    n = sf_origin_of_axis(y.node, 0, -2, steps, MANY);
    cr_expect_str_eq(last_name(steps, n), "x");
    cr_expect_eq(steps[n - 1].axis, 0);
    cr_expect_eq(sf_origin_of_axis(y.node, 0, 2, steps, MANY), 0); /* no such axis */
    cr_expect_eq(sf_origin_of_axis(y.node, 0, 0, steps, 1), 1);    /* no room: the place itself */
    cr_expect_null(sf_graph_verify(k.g));
    cr_expect_eq(k.sink.count, 0);
    kit_close(&k);
}

Test(provenance, what_several_operands_say_is_the_firsts)
{
    Kit k;
    SfOriginStep steps[MANY];
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor a = kit_placeholder(&k, "a", SF_DT_FLOAT, "[?,5]");
    const SfTensor b = kit_const_f(&k, "b", "[5]");
    const SfTensor sum = OP(&k, "Add", "sum", a, b);
    int n = sf_origin_of_axis(sum.node, 0, 1, steps, MANY);
    cr_expect_str_eq(last_name(steps, n), "a");
    const SfTensor one = kit_const_f(&k, "one", "[7,1]");
    const SfTensor wide = OP(&k, "Add", "wide", one, b);
    n = sf_origin_of_axis(wide.node, 0, 1, steps, MANY);
    cr_expect_str_eq(last_name(steps, n), "b"); /* the 1 was stretched */
    n = sf_origin_of_axis(wide.node, 0, 0, steps, MANY);
    cr_expect_str_eq(last_name(steps, n), "one");
    kit_close(&k);
}

Test(provenance, a_failed_node_ends_the_way)
{
    Kit k;
    SfOriginStep steps[MANY];
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor c = kit_const(&k, "c", 7);
    cr_expect_eq(sf_origin_of_axis(c.node, 0, 0, steps, MANY), 0); /* a scalar has no axis */
    kit_close(&k);
}
