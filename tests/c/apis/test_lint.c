/* Warnings about what TensorFlow accepts and nobody means. */
#include "apis/lint.h"

#include <string.h>

#include "tests/c/apis/net.h"
#include "tests/c/support/op_rows.h"

/* SF502 */

static const SfOpCase arg_max[] = {
    ROW("", "[n,1] 1:int32", "warns SF502 a.1 / [n]"),
    ROW("", "[4,1,5] -2:int32", "warns SF502 a.1 / [4,5]"),
    ROW("", "[4,10] 1:int32", "[4]"),
    ROW("", "[1,10] 1:int32", "[1]"), /* a batch of one is nothing special */
    ROW("", "[1] 0:int32", "[]"),
    ROW("", "[n,1] []:int32", "[?]"),
    ROW("@phase=run", "[4,1] 1:int32", "[4]"),
};
SF_OPS_TEST(arg_axis_of_one, arg_max, "ArgMax", "ArgMin")

static const SfOpCase softmax[] = {
    ROW("", "[n,1]", "warns SF502 a.1 / [n,1]"),
    ROW("", "[n,10]", "[n,10]"),
    ROW("", "[1,10]", "[1,10]"),
    ROW("", "[1]", "[1]"),
    ROW("", "[n,?]", "[n,?]"),
    ROW("@phase=run", "[4,1]", "[4,1]"),
};
SF_OPS_TEST(softmax_axis_of_one, softmax, "Softmax", "LogSoftmax")

/* SF501 */

/* mean(square(a - b)): how many warnings, and the shapes of the first. */
static int lint(Net *n, SfTensor loss)
{
    sf_sink_clear(&n->sink);
    sf_lint_loss(n->g, &loss, 1, false, &n->sink);
    return n->sink.count;
}

static SfTensor mean(Net *n, SfTensor x)
{
    return NET(n, "Mean", "", x, net_placeholder(n, "int32", "[1]"));
}

static SfTensor mse(Net *n, const char *a, const char *b)
{
    const SfTensor x = net_placeholder(n, "float", a), y = net_placeholder(n, "float", b);
    return mean(n, NET(n, "Square", "", NET(n, "Sub", "", x, y)));
}

static const char *shape_of(const SfDiag *d, int arg)
{
    static char text[3][64];
    (void)sf_shape_format(d->args[arg].u.shape, false, text[arg], sizeof text[arg]);
    return text[arg];
}

Test(lint_loss, a_row_against_a_column)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    n.b.location = 41;
    const SfTensor x = net_placeholder(&n, "float", "[8]"),
                   y = net_placeholder(&n, "float", "[8,1]");
    const SfTensor d = NET(&n, "Sub", "", x, y);
    n.b.location = 42;
    const SfTensor loss = mean(&n, NET(&n, "Square", "", d));
    cr_assert_eq(lint(&n, loss), 1);
    const SfDiag *w = n.sink.last;
    cr_expect_str_eq(sf_diag_info(w->code)->id, "SF501");
    cr_expect_eq(sf_diag_info(w->code)->severity, SF_WARNING);
    cr_expect_eq(w->node, d.node);
    cr_expect_eq(w->location, 41u);
    cr_expect_eq(w->nplaces, 2);
    cr_expect(w->places[0].kind == SF_PLACE_INPUT && w->places[0].index == 0);
    cr_expect(w->places[1].kind == SF_PLACE_INPUT && w->places[1].index == 1);
    cr_expect_str_eq(shape_of(w, 0), "[8]");
    cr_expect_str_eq(shape_of(w, 1), "[8,1]");
    cr_expect_str_eq(shape_of(w, 2), "[8,8]");
    cr_expect_eq(w->noperands, 2);
    cr_expect_eq(w->operands[1].producer, y.node);
    cr_expect(strstr(w->message, "shapes [8] and [8,1] broadcast to [8,8] inside a loss"), "%s",
              w->message);
    cr_expect_eq(lint(&n, mse(&n, "[8,1]", "[8]")), 1, "either order");
    net_close(&n);
}

Test(lint_loss, everything_else_is_silent)
{
    static const char *const pairs[][2] = {
        {"[4]", "[3,4]"},   {"[3,1]", "[3,4]"}, {"[]", "[8,1]"},    {"[8,1]", "[8,1]"},
        {"[8]", "[8]"},     {"[1]", "[1,1]"},   {"[8]", "[1,1]"},   {"[8]", "[4,1]"},
        {"[?]", "[?,1]"},   {"?", "[8,1]"},     {"[8]", "?"},       {"[8]", "[8,8]"},
        {"[8]", "[8,1,1]"}, {"[1,8]", "[8,1]"}, {"[8,1]", "[1,8]"}, {"[1]", "[8,1]"},
    };
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    for (int i = 0; i < SF_ARRAY_LEN(pairs); i++) {
        cr_expect_eq(lint(&n, mse(&n, pairs[i][0], pairs[i][1])), 0, "%s - %s", pairs[i][0],
                     pairs[i][1]);
    }
    net_close(&n);
}

Test(lint_loss, a_symbol_is_the_same_n)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfDim batch = sf_dim_symbol("batch");
    SfAttrArg attrs[] = {{"dtype", {.type = SF_ATTR_TYPE, .set = true}},
                         {"shape", {.type = SF_ATTR_SHAPE, .set = true}}};
    SfTensor in[2];
    int nout;
    attrs[0].value.u.type = SF_DT_FLOAT;
    for (int i = 0; i < 2; i++) {
        attrs[1].value.u.shape = i ? sf_shape_matrix(batch, 1) : sf_shape_vector(batch);
        cr_assert(sf_build(&n.b, sf_op_find("Placeholder"), NULL, NULL, 0, NULL, attrs, 2, &in[i],
                           1, &nout) == SF_OK);
    }
    cr_expect_eq(lint(&n, NET(&n, "SquaredDifference", "", in[0], in[1])), 1);
    const SfTensor other = net_placeholder(&n, "float", "[?]");
    cr_expect_eq(lint(&n, NET(&n, "SquaredDifference", "", other, in[1])), 0);
    net_close(&n);
}

Test(lint_loss, the_walk)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor x = net_placeholder(&n, "float", "[8]"),
                   y = net_placeholder(&n, "float", "[8,1]");
    const SfTensor two = net_placeholder(&n, "float", "[]"),
                   m = net_placeholder(&n, "float", "[8,8]");
    const SfTensor d = NET(&n, "Sub", "", x, y);
    cr_expect_eq(lint(&n, d), 1);
    cr_expect_eq(lint(&n, NET(&n, "Abs", "", d)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Neg", "", d)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Log", "", d)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Pow", "", d, two)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Mul", "", two, d)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Mul", "", d, d)), 1, "once");
    cr_expect_eq(lint(&n, NET(&n, "RealDiv", "", d, two)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Mul", "", d, m)), 0, "no product with a tensor");
    cr_expect_eq(lint(&n, NET(&n, "Cast", "DstT=double", d)), 1);
    const SfTensor loss = NET(&n, "L2Loss", "", d), penalty = NET(&n, "L2Loss", "", m);
    cr_expect_eq(lint(&n, NET(&n, "Add", "", loss, penalty)), 1);
    cr_expect_eq(lint(&n, NET(&n, "Add", "", d, m)), 0, "a sum of tensors is no sum of losses");
    cr_expect_eq(lint(&n, NET(&n, "MatMul", "", d, m)), 0, "what is behind a layer is no loss");
    const SfTensor ys[] = {loss, mean(&n, d), penalty};
    sf_sink_clear(&n.sink);
    sf_lint_loss(n.g, ys, 3, false, &n.sink);
    cr_expect_eq(n.sink.count, 1, "one difference, one warning");
    const SfTensor eager = {.shape = sf_shape_scalar()};
    cr_expect_eq(lint(&n, eager), 0);
    net_close(&n);
}

/* pairs that are meant */
Test(lint_loss, pairs_of_one_tensor_are_meant)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor x = net_placeholder(&n, "float", "[8]"),
                   other = net_placeholder(&n, "float", "[8]"), one = net_int(&n, "int32", 1);
    const SfTensor a = NET(&n, "Abs", "", x), column = NET(&n, "ExpandDims", "", a, one);
    const SfTensor shape = net_placeholder(&n, "int32", "[2]");
    SfTensor reshaped = NET(&n, "Reshape", "", a, shape);
    reshaped.node->outputs[0].shape = reshaped.shape = sf_shape_matrix(8, 1);
    cr_expect_eq(lint(&n, NET(&n, "Sub", "", column, a)), 0);
    cr_expect_eq(lint(&n, NET(&n, "Sub", "", column, other)), 0, "an axis made for the purpose");
    cr_expect_eq(lint(&n, NET(&n, "Sub", "", a, reshaped)), 0, "x - reshape(x, [-1, 1])");
    cr_expect_eq(lint(&n, NET(&n, "Sub", "", other, reshaped)), 1);
    net_close(&n);
}

static int lint_metric(Net *n, SfTensor m)
{
    sf_sink_clear(&n->sink);
    sf_lint_metric(m.node, false, &n->sink);
    return n->sink.count;
}

Test(lint_metric, all_of_a_comparison)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor x = net_placeholder(&n, "float", "[8]"),
                   y = net_placeholder(&n, "float", "[8,1]"),
                   axes = net_placeholder(&n, "int32", "[2]"), first = net_int(&n, "int32", 0);
    const SfTensor hits = NET(&n, "Cast", "DstT=float", NET(&n, "Equal", "", x, y));
    SfTensor all = NET(&n, "Mean", "", hits, axes), some = NET(&n, "Mean", "", hits, first);
    all.node->outputs[0].shape = sf_shape_scalar();
    cr_expect_eq(lint_metric(&n, all), 1);
    cr_expect(strstr(n.sink.last->message, "inside a metric"), "%s", n.sink.last->message);
    SfTensor errors = NET(&n, "Mean", "", NET(&n, "Sqrt", "", hits), axes);
    errors.node->outputs[0].shape = sf_shape_scalar();
    cr_expect_eq(lint_metric(&n, errors), 1, "through whatever looks at each element by itself");
    cr_expect_eq(lint_metric(&n, some), 0, "counted for each row: a matrix of pairs is wanted");
    SfTensor same =
        NET(&n, "Mean", "", NET(&n, "Cast", "DstT=float", NET(&n, "Equal", "", x, x)), axes);
    same.node->outputs[0].shape = sf_shape_scalar();
    cr_expect_eq(lint_metric(&n, same), 0);
    net_close(&n);
}

/* SF502 to SF504 in transfer functions */
static const SfOpCase sparse_of_one[] = {
    ROW("", "[n,1] [n]:int32", "warns SF502 a.1 / [n] [n,1]"),
    ROW("", "[n,2] [n]:int32", "[n] [n,2]"),
};
SF_OP_TEST(SparseSoftmaxCrossEntropyWithLogits, sparse_of_one)

static const SfOpCase column_labels[] = {
    ROW("", "[n,10] [n,1]", "warns SF503 b.1 a.1 / [n] [n,10]"),
    ROW("@phase=run", "[4,10] [4,1]", "warns SF503 b.1 a.1 / [4] [4,10]"),
    ROW("@phase=eager", "[4,10] [4,1]", "warns SF503 b.1 a.1 / [4] [4,10]"),
    ROW("", "[n,10] [n,10]", "[n] [n,10]"),
    ROW("", "[n,10] [1,10]", "[n] [n,10]"), /* one distribution for every row */
    ROW("", "[n,?] [n,1]", "[n] [n,?]"),
    ROW("", "[n,10] [n,?]", "[n] [n,10]"),
};
SF_OP_TEST(SoftmaxCrossEntropyWithLogits, column_labels)

static const SfOpCase mixed_batch[] = {
    /* a swap of axes that is none */
    ROW("", "[n,20,8] {20,-1,8}", "warns SF504 a.0 b / [20,n,8]"),
    ROW("", "[n,784] {784,-1}", "warns SF504 a.0 b / [784,n]"),
    ROW("", "[n,1,8] {1,-1,8}", "[1,n,8]"),
    ROW("", "[n,784] {1,-1}", "[1,784*n]"),
    /* rows that straddle samples */
    ROW("", "[n,7,7,64] {-1,1024}", "warns SF504 a.0 b / [?,1024]"),
    ROW("", "[n,7,7,64] {-1,3136}", "[n,3136]"),
    ROW("", "[n,20,8] {-1,8}", "[20*n,8]"),    /* time folded into the batch */
    ROW("", "[n,8] {-1,20,8}", "[?,20,8]"),    /* and unfolded again */
    ROW("", "[20*n,8] {20,-1,8}", "[20,n,8]"), /* time-major, unfolded */
    ROW("", "[n,10] {-1}", "[10*n]"),
    ROW("", "[n,10] {-1,1}", "[10*n,1]"),
    ROW("", "[?,20,8] {20,-1,8}", "[20,?,8]"),
    ROW("", "[5,20,8] {20,-1,8}", "[20,5,8]"),
};
SF_OP_TEST(Reshape, mixed_batch)
