/* Lints over graphs. See lint.h. */
#include "apis/lint.h"

#include "core/analysis/usage.h"
#include "lattice/intern.h"

static SfArithmetic arithmetic_of(const SfNode *n)
{
    return n->sig->def->arithmetic;
}

static bool is_scalar(const SfTensor *t)
{
    return t->shape && sf_shape_rank(t->shape) == 0;
}

static bool same_tensor(const SfTensor *a, const SfTensor *b)
{
    return a->node == b->node && a->index == b->index;
}

/* the difference */

/* Follows ops that leave every element where it is, or only add and remove axes of size 1. */
static const SfTensor *root_of(const SfTensor *t)
{
    while (t->node && t->node->nin > 0 && sf_role_is_view(sf_node_role(t->node))) {
        t = &t->node->inputs[0];
    }
    return t;
}

/* Was it made by x[:, None] right here? Then every pair is wanted. */
static bool is_new_axis(const SfTensor *t)
{
    const SfNode *n = t->node;
    while (n && n->nin > 0 && sf_node_role(n) == SF_ROLE_CAST) {
        n = n->inputs[0].node;
    }
    const SfOpRole role = n ? sf_node_role(n) : SF_ROLE_NONE;
    const SfAttr *mask = role == SF_ROLE_STRIDED_SLICE ? sf_node_attr(n, "new_axis_mask") : NULL;
    return role == SF_ROLE_EXPAND_DIMS || (mask && mask->u.i != 0);
}

/* Are all pairs meant? Both are views of one tensor, or an axis was added for the purpose. */
static bool is_meant(const SfTensor *row, const SfTensor *column)
{
    const SfTensor *a = root_of(row), *b = root_of(column);
    return is_new_axis(column) || (a->node && same_tensor(a, b));
}

/* Of two operands, in this order. */
static SfMixed mixed_as(const SfTensor *row, const SfTensor *column)
{
    const SfMixed is = sf_shapes_mixed(row->shape, column->shape);
    return is != SF_MIXED_NOT && is_meant(row, column) ? SF_MIXED_NOT : is;
}

/* Reports what is certain, and leaves to a run what only that can tell. True: the walk need not
 * go on. */
static bool check_comparison(const SfNode *n, bool metric, bool eager, SfSink *sink)
{
    const SfTensor *a = &n->inputs[0], *b = &n->inputs[1];
    const SfMixed one = mixed_as(a, b), other = mixed_as(b, a);
    const SfMixed is = one > other ? one : other;
    if (is == SF_MIXED_SURELY) {
        sf_usage_warn_mixed(n, n->inputs, n->outputs[0].shape, metric,
                            eager ? SF_PHASE_EAGER : SF_PHASE_BUILD, sink);
    } else if (is == SF_MIXED_PERHAPS) {
        sf_usage_suspect(n, metric);
    }
    return is != SF_MIXED_NOT;
}

/* the walk */

typedef struct Walk {
    const SfNode **stack;
    int n, capacity;
    bool *seen; /* by node id */
    int nseen;
    bool eager;
} Walk;

/* Without memory the walk is shorter. */
static void visit(Walk *w, const SfTensor *t)
{
    const SfNode *n = t->node;
    if (!n || n->id < 0 || n->id >= w->nseen || w->seen[n->id] || w->n == w->capacity) {
        return;
    }
    w->seen[n->id] = true;
    w->stack[w->n++] = n;
}

static void visit_all(Walk *w, const SfNode *n)
{
    for (int i = 0; i < n->nin; i++) {
        visit(w, &n->inputs[i]);
    }
}

/* A product: follows d * d and d * scalar; both operands when both are scalars. */
static void visit_product(Walk *w, const SfNode *n)
{
    const SfTensor *a = &n->inputs[0], *b = &n->inputs[1];
    if (same_tensor(a, b) || is_scalar(b)) {
        visit(w, a);
    }
    if (is_scalar(a)) {
        visit(w, b);
    }
}

static bool all_scalars(const SfNode *n)
{
    for (int i = 0; i < n->nin; i++) {
        if (!is_scalar(&n->inputs[i])) {
            return false;
        }
    }
    return true;
}

/* One element of the output for each of the input. */
static bool is_unary(const SfNode *n)
{
    return n->nin == 1 &&
           (n->sig->def->traits & SF_OP_ELEMENTWISE || sf_node_role(n) == SF_ROLE_IDENTITY);
}

static void step(Walk *w, const SfNode *n, SfSink *sink)
{
    switch ((int)arithmetic_of(n)) {
    case SF_ARITHMETIC_DIFFERENCE:
        if (!check_comparison(n, false, w->eager, sink) && all_scalars(n)) {
            visit_all(w, n); /* of two losses */
        }
        break;
    case SF_ARITHMETIC_REDUCTION:
    case SF_ARITHMETIC_POWER:
        visit(w, &n->inputs[0]);
        break;
    case SF_ARITHMETIC_PRODUCT:
        visit_product(w, n);
        break;
    case SF_ARITHMETIC_SUM:
        if (all_scalars(n)) {
            visit_all(w, n); /* a loss and its regularisation */
        }
        break;
    default:
        if (is_unary(n)) {
            visit(w, &n->inputs[0]);
        }
    }
}

void sf_lint_loss(SfGraph *g, const SfTensor *ys, int ny, bool eager, SfSink *sink)
{
    const int size = sf_graph_size(g);
    Walk w = {.capacity = size, .nseen = size, .eager = eager};
    w.stack = sf_calloc((size_t)size + 1, sizeof(SfNode *));
    w.seen = sf_calloc((size_t)size + 1, sizeof *w.seen);
    if (w.stack && w.seen) {
        for (int i = 0; i < ny; i++) {
            if (ys[i].node && ys[i].node->graph == g) {
                visit(&w, &ys[i]);
            }
        }
        while (w.n > 0) {
            step(&w, w.stack[--w.n], sink);
        }
    }
    sf_free(w.stack);
    sf_free(w.seen);
}

/* metrics */

void sf_lint_metric(const SfNode *mean, bool eager, SfSink *sink)
{
    const SfNode *n = mean->nin > 0 ? mean->inputs[0].node : NULL;
    while (n && is_unary(n)) {
        n = n->inputs[0].node;
    }
    if (n && is_scalar(&mean->outputs[0]) && arithmetic_of(n) == SF_ARITHMETIC_COMPARISON) {
        (void)check_comparison(n, true, eager, sink);
    }
}
