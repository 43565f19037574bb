/* The node store: identity, lookup, edits, sharing, verify. */
#include "tests/c/core/kit.h"

#include "core/graph/graph_impl.h"

Test(graph, nodes_know_their_place)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const SfTensor y = OP(&k, "Relu", NULL, x);
    cr_expect_eq(sf_graph_size(k.g), 2);
    cr_expect_eq(sf_graph_node(k.g, 1), y.node);
    cr_expect_null(sf_graph_node(k.g, 2));
    cr_expect_null(sf_graph_node(k.g, -1));
    cr_expect_eq(sf_graph_find(k.g, "Relu"), y.node);
    cr_expect_null(sf_graph_find(k.g, "relu"));
    cr_expect_eq(y.node->inputs[0].node, x.node);
    cr_expect_eq(y.shape, kit_shape("[?,3]"));
    cr_expect_eq(sf_node_attr(y.node, "T")->u.type, SF_DT_FLOAT);
    cr_expect_null(sf_node_attr(y.node, "no_such"));
    kit_close(&k);
}

Test(graph, lookup_survives_growth)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    for (int i = 0; i < 5000; i++) {
        x = OP(&k, "Relu", NULL, x);
    }
    cr_expect_eq(sf_graph_find(k.g, "Relu_4999"), x.node);
    cr_expect_eq(sf_graph_find(k.g, "Relu_17")->id, 18);
    kit_close(&k);
}

Test(graph, nodes_of_one_op_share_attrs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor i = kit_placeholder(&k, "i", SF_DT_INT32, "[2]");
    const SfTensor a = OP(&k, "Relu", NULL, x);
    const SfTensor b = OP(&k, "Relu", NULL, a);
    const SfTensor c = OP(&k, "Relu", NULL, i);
    cr_expect_eq(a.node->attrs, b.node->attrs);
    cr_expect_neq(a.node->attrs, c.node->attrs);
    cr_expect_eq(c.node->attrs[0].u.type, SF_DT_INT32);
    kit_close(&k);
}

Test(graph, control_edges_and_devices_are_kept)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    SfNode *const after[] = {x.node};
    kit_control(&k, after, 1);
    k.b.device = "/cpu:0";
    const SfTensor b = kit_op(&k, "NoOp", "b", NULL, 0, NULL, 0);
    cr_expect_eq(b.node->context->control.n, 1);
    cr_expect_eq(b.node->context->control.items[0], x.node);
    cr_expect_str_eq(b.node->context->device, "/cpu:0");
    kit_control(&k, NULL, 0);
    k.b.device = NULL;
    const SfTensor c = kit_op(&k, "NoOp", "c", NULL, 0, NULL, 0);
    cr_expect_eq(c.node->context->control.n, 0);
    cr_expect_str_eq(c.node->context->device, "");
    cr_expect_eq(sf_node_add_control(c.node, b.node), SF_OK);
    cr_expect_eq(sf_node_add_control(c.node, x.node), SF_OK);
    cr_expect_eq(c.node->context->control.n, 2);
    cr_expect_eq(c.node->context->control.items[1], x.node);
    kit_close(&k);
}

Test(graph, set_shape_meets)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 8));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[?,3]");
    const uint32_t edits = sf_graph_edits(k.g);
    cr_expect_eq(sf_output_set_shape(x.node, 0, kit_shape("?"), &k.sink), SF_OK);
    cr_expect_eq(sf_graph_edits(k.g), edits, "nothing was learned");
    cr_expect_eq(sf_output_set_shape(x.node, 0, kit_shape("[2,?]"), &k.sink), SF_OK);
    cr_expect_eq(x.node->outputs[0].shape, kit_shape("[2,3]"));
    cr_expect_eq(sf_output_set_shape(x.node, 0, kit_shape("[5,?]"), &k.sink), SF_REPORTED);
    cr_expect_str_eq(k.sink.last->message, "Shapes (2, 3) and (5, ?) are not compatible");
    sf_graph_set_version(k.g, SF_VERSION(1, 15));
    cr_expect_eq(sf_output_set_shape(x.node, 0, kit_shape("[5,?]"), &k.sink), SF_REPORTED);
    cr_expect_str_eq(k.sink.last->message,
                     "Dimension 0 in both shapes must be equal, but are 2 and 5. Shapes are [2,3] "
                     "and [5,?].");
    sf_graph_set_version(k.g, SF_VERSION(1, 8));
    sf_graph_set_v2_shapes(k.g, true);
    cr_expect_eq(sf_output_set_shape(x.node, 0, kit_shape("[5,?]"), &k.sink), SF_REPORTED);
    cr_expect_str_eq(k.sink.last->message, "Shapes (2, 3) and (5, None) are not compatible");
    cr_expect_eq(x.node->outputs[0].shape, kit_shape("[2,3]"));
    kit_close(&k);
}

Test(graph, shapes_print_as_tuples)
{
    static const struct {
        const char *shape, *v1, *v2;
    } rows[] = {
        {"?", "<unknown>", "<unknown>"},
        {"[]", "()", "()"},
        {"[3]", "(3,)", "(3,)"},
        {"[?]", "(?,)", "(None,)"},
        {"[?,784]", "(?, 784)", "(None, 784)"},
        {"[1,2,3]", "(1, 2, 3)", "(1, 2, 3)"},
    };
    for (int i = 0; i < SF_ARRAY_LEN(rows); i++) {
        char text[64];
        const int n = sf_shape_format_tuple(kit_shape(rows[i].shape), false, text, sizeof text);
        cr_expect_str_eq(text, rows[i].v1);
        cr_expect_eq(n, (int)strlen(rows[i].v1));
        sf_shape_format_tuple(kit_shape(rows[i].shape), true, text, sizeof text);
        cr_expect_str_eq(text, rows[i].v2);
        char small[4];
        cr_expect_eq(sf_shape_format_tuple(kit_shape(rows[i].shape), false, small, 4), n);
        cr_expect_eq(strncmp(small, rows[i].v1, 3), 0);
    }
    sf_intern_reset();
}

Test(graph, finalized_refuses)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    sf_graph_finalize(k.g);
    cr_expect(sf_graph_is_finalized(k.g));
    cr_expect_str_eq(kit_refused(&k, "Relu", NULL, &x, 1, NULL, 0),
                     "Graph is finalized and cannot be modified.");
    cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_RUNTIME);
    kit_close(&k);
}

Test(graph, verify_finds_what_is_broken)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor y = OP(&k, "Relu", NULL, x);
    const SfTensor z = OP(&k, "Relu", NULL, y);
    cr_expect_null(sf_graph_verify(k.g));
    cr_expect_eq(sf_node_set_input(y.node, 0, z), SF_OK); /* a cycle through no Merge */
    cr_expect_not_null(sf_graph_verify(k.g));
    cr_expect_eq(sf_node_set_input(y.node, 7, z), SF_OK); /* no such input: nothing happens */
    cr_expect_eq(sf_node_set_input(y.node, 0, x), SF_OK);
    cr_expect_null(sf_graph_verify(k.g));
    const SfShape *was = y.node->outputs[0].shape;
    y.node->outputs[0].shape = sf_shape_bottom();
    cr_expect_not_null(sf_graph_verify(k.g));
    y.node->outputs[0].shape = was;
    y.node->outputs[0].index = 3;
    cr_expect_not_null(sf_graph_verify(k.g));
    y.node->outputs[0].index = 0;
    y.node->inputs[0].dtype = SF_DT_INT32;
    cr_expect_not_null(sf_graph_verify(k.g));
    y.node->inputs[0].dtype = SF_DT_FLOAT;
    kit_close(&k);
}
