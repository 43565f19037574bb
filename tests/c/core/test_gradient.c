/* Which gradients exist, and which are sparse. The rules are those of TensorFlow's
 * gradients_util.py; the same questions were put to TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/core/kit.h"

static const char *connected(Kit *k, SfTensor y, const SfTensor *xs, int nx, const SfTensor *stops,
                             int nstop)
{
    static char text[16];
    SfGradient marks[8];
    sf_sink_clear(&k->sink);
    if (sf_graph_connected(k->g, &y, 1, xs, nx, stops, nstop, marks, &k->sink) != SF_OK) {
        return k->sink.last->message;
    }
    for (int i = 0; i < nx; i++) {
        text[i] = (char)('0' + (int)marks[i].kind);
    }
    text[nx] = '\0';
    return text;
}

Test(gradient, paths)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2,2]");
    const SfTensor z = kit_placeholder(&k, "z", SF_DT_FLOAT, "[2,2]");
    const SfTensor y = OP(&k, "MatMul", NULL, x, OP(&k, "Relu", NULL, x));
    const SfTensor xz[] = {x, z, y};
    cr_expect_str_eq(connected(&k, y, xz, 3, NULL, 0), "101");
    const SfTensor floor = OP(&k, "Floor", NULL, x);
    cr_expect_str_eq(connected(&k, floor, xz, 2, NULL, 0), "00", "tf.no_gradient");
    const SfTensor first = OP(&k, "First", NULL, x, z);
    cr_expect_str_eq(connected(&k, first, xz, 2, NULL, 0), "10", "only input 0 is differentiable");
    const SfTensor side = OP(&k, "Add", NULL, y, OP(&k, "Floor", NULL, z));
    cr_expect_str_eq(connected(&k, side, xz, 2, NULL, 0), "10");
    const SfTensor arg = OP(&k, "ArgMax", NULL, x);
    cr_expect_str_eq(connected(&k, arg, xz, 2, NULL, 0), "00");
    kit_close(&k);
}

Test(gradient, missing_is_reported_only_on_a_path)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2,2]");
    const SfTensor z = kit_placeholder(&k, "z", SF_DT_FLOAT, "[2,2]");
    const SfTensor m = OP(&k, "Mystery", "mystery", x);
    const SfTensor y = OP(&k, "MatMul", NULL, m, z);
    cr_expect_str_eq(connected(&k, y, &x, 1, NULL, 0),
                     "No gradient defined for operation 'mystery' (op type: Mystery)");
    cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_LOOKUP);
    cr_expect_str_eq(connected(&k, y, &z, 1, NULL, 0), "1");
    cr_expect_str_eq(connected(&k, y, &x, 1, &m, 1), "0", "a stop gradient hides it");
    kit_close(&k);
}

Test(gradient, sparse)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor w = kit_variable(&k, "w", SF_DT_FLOAT, "[10,4]");
    const SfTensor read = OP(&k, "Identity", "read", w);
    const SfTensor ids = kit_placeholder(&k, "ids", SF_DT_INT32, "[10,4]");
    const SfTensor zero = kit_const(&k, "zero", 0), one = kit_const(&k, "one", 1);
    const SfTensor rows = OP(&k, "Relu", NULL, OP(&k, "GatherV2", NULL, read, ids, zero));
    const SfTensor columns = OP(&k, "GatherV2", NULL, read, ids, one);
    const SfTensor old = OP(&k, "Gather", NULL, w, ids);
    const SfTensor both = OP(&k, "Add", NULL, rows, OP(&k, "Relu", NULL, read));
    const SfTensor twice = OP(&k, "Add", NULL, rows, old);
    const SfTensor ws[] = {w, read};
    cr_expect_str_eq(connected(&k, rows, ws, 1, NULL, 0), "2", "through Identity");
    cr_expect_str_eq(connected(&k, rows, &read, 1, NULL, 0), "2");
    cr_expect_str_eq(connected(&k, columns, ws, 1, NULL, 0), "1");
    cr_expect_str_eq(connected(&k, old, ws, 1, NULL, 0), "2");
    cr_expect_str_eq(connected(&k, both, ws, 1, NULL, 0), "1", "dense plus sparse");
    sf_graph_set_version(k.g, SF_VERSION(1, 8));
    cr_expect_str_eq(connected(&k, both, ws, 1, NULL, 0), "2");
    sf_graph_set_version(k.g, SF_VERSION(1, 15));
    cr_expect_str_eq(connected(&k, twice, ws, 1, NULL, 0), "2");
    const SfTensor ones[] = {read, kit_placeholder(&k, "ones", SF_DT_INT32, "[7,1]")};
    const SfTensor pairs[] = {read, kit_placeholder(&k, "pairs", SF_DT_INT32, "[7,2]")};
    cr_expect_str_eq(connected(&k, OP(&k, "GatherNd", NULL, ones[0], ones[1]), ws, 1, NULL, 0),
                     "2");
    cr_expect_str_eq(connected(&k, OP(&k, "GatherNd", NULL, pairs[0], pairs[1]), ws, 1, NULL, 0),
                     "1");
    const SfTensor scaled = OP(&k, "Relu", NULL, read);
    const SfTensor deep = OP(&k, "GatherV2", NULL, scaled, ids, zero);
    cr_expect_str_eq(connected(&k, deep, ws, 1, NULL, 0), "1", "made dense on the way");
    const SfAttrArg attrs[] = {kit_type("dtype", SF_DT_FLOAT), kit_shape_attr("shape", "[10,4]")};
    const SfTensor h = kit_op(&k, "VarHandleOp", "h", NULL, 0, attrs, 2);
    const SfTensor in[] = {h, ids};
    const SfTensor rg = kit_op(&k, "ResourceGather", NULL, in, 2, attrs, 1);
    cr_expect_str_eq(connected(&k, rg, &h, 1, NULL, 0), "2");
    const SfTensor rv = kit_op(&k, "ReadVariableOp", NULL, &h, 1, attrs, 1);
    cr_expect_str_eq(connected(&k, OP(&k, "Relu", NULL, rv), &h, 1, NULL, 0), "1");
    kit_close(&k);
}

Test(gradient, rows_of_slices)
{
    Kit k;
    kit_open(&k, SF_VERSION(2, 21));
    const SfTensor w = kit_variable(&k, "w", SF_DT_FLOAT, "[10,4]");
    const SfTensor few = kit_placeholder(&k, "few", SF_DT_INT32, "[3]");
    const SfTensor many = kit_placeholder(&k, "many", SF_DT_INT32, "[2,5]");
    const SfTensor one = OP(&k, "Gather", NULL, w, few), other = OP(&k, "Gather", NULL, w, many);
    const SfTensor ys[] = {one, other};
    SfGradient g;
    cr_assert(sf_graph_connected(k.g, &one, 1, &w, 1, NULL, 0, &g, &k.sink) == SF_OK);
    cr_expect(g.kind == SF_GRADIENT_SLICES && g.rows == 3 && g.indices == SF_DT_INT32);
    cr_assert(sf_graph_connected(k.g, &other, 1, &w, 1, NULL, 0, &g, &k.sink) == SF_OK);
    cr_expect(g.kind == SF_GRADIENT_SLICES && g.rows == 10 && g.indices == SF_DT_INT32);
    cr_assert(sf_graph_connected(k.g, ys, 2, &w, 1, NULL, 0, &g, &k.sink) == SF_OK);
    cr_expect(g.kind == SF_GRADIENT_SLICES && g.rows == 13, "those of both");
    kit_close(&k);
}

Test(gradient, stops_and_inner_xs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor a = OP(&k, "Relu", "a", x);
    const SfTensor b = OP(&k, "Relu", "b", a);
    const SfTensor xa[] = {x, a};
    cr_expect_str_eq(connected(&k, b, xa, 2, NULL, 0), "11", "one x may depend on another");
    cr_expect_str_eq(connected(&k, b, xa, 2, &a, 1), "01");
    cr_expect_str_eq(connected(&k, b, &b, 1, NULL, 0), "1", "the gradient of y by itself");
    const SfTensor i = kit_placeholder(&k, "i", SF_DT_INT32, "[2]");
    cr_expect_str_eq(connected(&k, OP(&k, "Relu", NULL, i), &i, 1, NULL, 0), "0", "integers");
    kit_close(&k);
}

Test(gradient, through_a_loop)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor w = kit_placeholder(&k, "w", SF_DT_FLOAT, "[2]");
    const SfTensor p = kit_placeholder(&k, "p", SF_DT_BOOL, "[]");
    const SfAttrArg frame = kit_string("frame_name", "while");
    const SfTensor enter = kit_op(&k, "Enter", NULL, &x, 1, &frame, 1);
    const SfTensor w_enter = kit_op(&k, "Enter", NULL, &w, 1, &frame, 1);
    const SfTensor merge = OP(&k, "Merge", NULL, enter, enter);
    const SfTensor cond = OP(&k, "LoopCond", NULL, p);
    const SfTensor sw = OP(&k, "Switch", NULL, merge, cond);
    const SfTensor exit = OP(&k, "Exit", NULL, kit_out(sw, 0));
    const SfTensor next =
        OP(&k, "NextIteration", NULL, OP(&k, "Add", NULL, kit_out(sw, 1), w_enter));
    cr_assert(sf_node_set_input(merge.node, 1, next) == SF_OK);
    const SfTensor xw[] = {x, w};
    cr_expect_str_eq(connected(&k, exit, xw, 2, NULL, 0), "11", "w is only reached by a back edge");
    kit_close(&k);
}
