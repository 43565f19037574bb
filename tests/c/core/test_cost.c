/* What the nodes of a graph cost, with and without a number for the batch. */
#include "core/cost.h"

#include "tests/c/core/kit.h"

enum { MANY = 16 };

static SfNodeCost cost_of(const SfNodeCost *costs, SfTensor t)
{
    return costs[t.node->id];
}

Test(cost, of_a_batch_that_is_not_known)
{
    Kit k;
    SfNodeCost costs[MANY];
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor w = kit_const_f(&k, "w", "[3,4]");
    const SfTensor y = OP(&k, "MatMul", "y", x, w);
    const SfTensor z = OP(&k, "Relu", "z", w);
    cr_expect_eq(sf_graph_costs(k.g, -1, costs), SF_OK);
    cr_expect_lt(cost_of(costs, y).flops, 0);
    cr_expect_lt(cost_of(costs, y).bytes, 0);
    cr_expect_float_eq(cost_of(costs, z).flops, 12, 0); /* an element, an operation */
    cr_expect_float_eq(cost_of(costs, z).bytes, 48, 0);
    cr_expect_eq(sf_graph_costs(k.g, 7, costs), SF_OK);
    cr_expect_float_eq(cost_of(costs, x).bytes, 84, 0);
    cr_expect_float_eq(cost_of(costs, y).flops, 28, 0);
    cr_expect_float_eq(cost_of(costs, y).bytes, 112, 0);
    cr_expect_float_eq(cost_of(costs, z).flops, 12, 0);
    cr_expect_null(sf_graph_verify(k.g));
    cr_expect_eq(k.sink.count, 0);
    kit_close(&k);
}

Test(cost, a_node_that_refuses_the_number_keeps_its_shape)
{
    Kit k;
    SfNodeCost costs[MANY];
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor b = kit_const_f(&k, "b", "[5,3]");
    const SfTensor sum = OP(&k, "Add", "sum", x, b); /* 5 is what the dim must be, not 2 */
    const SfTensor open = kit_placeholder(&k, "open", SF_DT_FLOAT, "?");
    const SfTensor relu = OP(&k, "Relu", "relu", open);
    cr_expect_eq(sf_graph_costs(k.g, 2, costs), SF_OK);
    cr_expect_float_eq(cost_of(costs, sum).bytes, 60, 0);
    cr_expect_lt(cost_of(costs, relu).flops, 0); /* no rank, nothing to assume */
    cr_expect_eq(k.sink.count, 0);
    kit_close(&k);
}
