/* What the nodes of a graph cost, with and without a number for the batch. */
#include "core/analysis/cost.h"

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

static bool always(void *owner, const SfDiag *newest)
{
    (void)owner;
    return newest;
}

Test(cost, of_a_failed_node_is_not_known)
{
    Kit k;
    SfArena scratch;
    kit_open(&k, SF_VERSION(1, 15));
    sf_arena_init(&scratch);
    k.sink.goes_on = always;
    const SfTensor a = kit_const_f(&k, "a", "[2,3]"), b = kit_const_f(&k, "b", "[3,4]");
    const SfTensor good = OP(&k, "MatMul", "good", a, b), bad = OP(&k, "MatMul", "bad", b, b);
    cr_assert(bad.node && bad.node->context->failed);
    SfTensor guess = bad;
    guess.shape = kit_shape("[2,4]");
    cr_expect_float_eq(sf_node_flops(good.node, good.node->inputs, &good, &scratch), 8, 0);
    cr_expect_lt(sf_node_flops(bad.node, bad.node->inputs, &guess, &scratch), 0);
    sf_arena_free(&scratch);
    kit_close(&k);
}

Test(cost, bytes_of_one_tensor)
{
    static const struct {
        const char *shape;
        SfDtype dtype;
        int64_t bytes;
    } rows[] = {
        {"[2,3]", SF_DT_FLOAT, 24},
        {"[]", SF_DT_INT64, 8},
        {"[0,7]", SF_DT_FLOAT, 0},
        {"[2,3]", SF_DT_STRING, 0},
        {"[]", SF_DT_RESOURCE, 0},
        {"[?,3]", SF_DT_FLOAT, -1},
        {"[?]", SF_DT_STRING, -1},
        {"?", SF_DT_FLOAT, -1},
        {"!", SF_DT_FLOAT, -1},
        {"[9000000000000000000]", SF_DT_BOOL,
         9000000000000000000}, /* one more byte each: too many */
        {"[9000000000000000000]", SF_DT_HALF, -1},
    };
    for (int i = 0; i < SF_ARRAY_LEN(rows); i++) {
        const SfTensor t = {.shape = kit_shape(rows[i].shape), .dtype = rows[i].dtype};
        cr_expect_eq(sf_tensor_bytes(&t), rows[i].bytes, "%s", rows[i].shape);
    }
    const SfTensor none = {.dtype = SF_DT_FLOAT};
    cr_expect_eq(sf_tensor_bytes(&none), -1);
}
