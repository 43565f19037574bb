/* Operations whose operands may be what they cannot take, and what bounds these. See numeric.h. */
#include <string.h>

#include "core/analysis/numeric.h"
#include "core/graph/graph_impl.h"

/* The graph's own part of what is derived at once, as by one call of tf.gradients or of a tape: ys
 * and what they are computed from. */
typedef struct Gradients {
    const SfGraph *g;
    int count;
    unsigned char *through; /* per node: a bit for each input that a derivative goes to */
    int32_t *seen;          /* per node: the last group that it was met in */
    int32_t *from;          /* and the last one in which it depends on an x */
    int32_t *order, *stack; /* nodes after their inputs, but for loops */
    int32_t *next;          /* per node: the next input that is looked at */
    int32_t group, length, depth;
} Gradients;

enum { FEW_INPUTS = 8 };

static bool may_pass(const SfNode *n)
{
    const unsigned grad = n->sig->def->grad;
    return grad != SF_GRAD_NONE && sf_node_role(n) != SF_ROLE_STOP_GRADIENT;
}

static bool is_within(const Gradients *d, const SfNode *n)
{
    return n && n->graph == d->g && n->id < d->count;
}

static void meet(Gradients *d, const SfNode *n)
{
    if (is_within(d, n) && d->seen[n->id] != d->group) {
        d->seen[n->id] = d->group;
        d->next[n->id] = 0;
        d->stack[d->depth++] = n->id;
    }
}

/* Each node that `n` depends on, and the owner of its state. */
static void visit(Gradients *d, const SfNode *n)
{
    meet(d, n);
    while (d->depth > 0) {
        const SfNode *top = d->g->nodes[d->stack[d->depth - 1]];
        const int i = d->next[top->id]++;
        if (i < top->nin && may_pass(top)) {
            meet(d, top->inputs[i].state);
            meet(d, top->inputs[i].node);
        } else {
            d->order[d->length++] = top->id;
            d->depth--;
        }
    }
}

static bool is_from(const Gradients *d, const SfNode *n)
{
    return is_within(d, n) && d->from[n->id] == d->group;
}

static bool has_equal_ys(const SfNode *a, const SfNode *b)
{
    bool equal = a->nin == b->nin;
    for (int i = 1; equal && i < a->nin; i++) {
        equal = a->inputs[i].node == b->inputs[i].node && a->inputs[i].index == b->inputs[i].index;
    }
    return equal;
}

/* The gradient nodes first to last, which have the same ys. Back edges of loops are followed by a
 * second look. */
static void find_group(Gradients *d, int first, int last)
{
    const SfNode *const *nodes = (const SfNode *const *)d->g->nodes;
    d->group++;
    d->length = d->depth = 0;
    for (int i = 1; i < nodes[first]->nin; i++) {
        visit(d, nodes[first]->inputs[i].state);
        visit(d, nodes[first]->inputs[i].node);
    }
    for (int id = first; id <= last; id++) {
        const SfTensor *x = nodes[id]->inputs;
        if (sf_node_role(nodes[id]) == SF_ROLE_GRADIENT && is_within(d, x->node)) {
            d->from[x->node->id] = d->group;
            if (is_within(d, x->state)) {
                d->from[x->state->id] = d->group;
            }
        }
    }
    for (int look = 0; look < 2; look++) {
        for (int k = 0; k < d->length; k++) {
            const SfNode *n = nodes[d->order[k]];
            for (int i = 0; i < n->nin && may_pass(n); i++) {
                if (is_from(d, n->inputs[i].node)) {
                    d->from[n->id] = d->group;
                    if (i < FEW_INPUTS) {
                        d->through[n->id] |= (unsigned char)(1u << i);
                    }
                }
            }
        }
    }
}

/* Gradient nodes have x first, then ys. Each call is looked at by itself: what one derives by may
 * be computed with what another gave. */
static void find_gradients(Gradients *d)
{
    int first = -1, last = -1;
    for (int id = 0; id < d->count; id++) {
        const SfNode *n = d->g->nodes[id];
        if (sf_node_role(n) != SF_ROLE_GRADIENT || n->nin < 2) {
            continue;
        }
        if (first >= 0 && !has_equal_ys(d->g->nodes[first], n)) {
            find_group(d, first, last);
            first = -1;
        }
        first = first < 0 ? id : first;
        last = id;
    }
    if (first >= 0) {
        find_group(d, first, last);
    }
}

static SfStatus alloc_gradients(Gradients *d, SfArena *arena)
{
    const size_t size = (size_t)d->count + 1;
    d->through = sf_arena_alloc(arena, size);
    d->seen = sf_arena_alloc(arena, size * sizeof *d->seen);
    d->from = sf_arena_alloc(arena, size * sizeof *d->from);
    d->order = sf_arena_alloc(arena, size * sizeof *d->order);
    d->stack = sf_arena_alloc(arena, size * sizeof *d->stack);
    d->next = sf_arena_alloc(arena, size * sizeof *d->next);
    SF_TRY_ALLOC(d->through && d->seen && d->from && d->order && d->stack && d->next);
    return SF_OK;
}

static SfInterval operand(const SfNumeric *n, const SfNode *node, int i)
{
    return sf_numeric_of(n, &node->inputs[i]);
}

static bool is_differentiated(const Gradients *d, const SfNode *node, int input)
{
    return input < FEW_INPUTS && d->through[node->id] >> input & 1;
}

enum { BREAKS = SF_MAY_BE_NAN | SF_MAY_BE_INF };

/* Are the outputs of `node` finite although operand i may be what `flags` say? As those of a
 * `where` that leaves it out, of a minimum of infinity. */
static bool leaves_out(SfNumeric *n, const SfNode *node, int i, unsigned flags, SfArena *arena)
{
    SfRange c = sf_numeric_context(n, node);
    SfInterval *in = sf_arena_alloc(arena, (size_t)node->nin * sizeof *in);
    SfInterval *out = sf_arena_alloc(arena, (size_t)node->nout * sizeof *out);
    if (!in || !out || node->nout == 0 || !node->sig->def->range) {
        return false;
    }
    memcpy(in, c.in, (size_t)node->nin * sizeof *in);
    in[i].flags |= flags;
    for (int k = 0; k < node->nout; k++) {
        out[k] = sf_interval_top(node->outputs[k].dtype);
    }
    c.in = in;
    c.out = out;
    node->sig->def->range(&c);
    bool finite = true;
    for (int k = 0; k < node->nout; k++) {
        finite = finite && (!sf_dtype_is_floating(sf_dtype_base(node->outputs[k].dtype)) ||
                            !(out[k].flags & BREAKS));
    }
    return finite;
}

/* A comparison hides what breaks, and goes on with what it says. */
static bool may_hide(const SfNode *n)
{
    return n->nout > 0 && sf_dtype_is_floating(sf_dtype_base(n->outputs[0].dtype)) && n->nin <= 3;
}

enum { READ = 1, HARMS = 2 };

/* Does `where` choose no zero of its operand i? What comes back to a zero is 0 then. */
static bool selects_no_zero(SfNumeric *n, const SfNode *node, int i)
{
    SfInterval in[3], out = sf_interval_top(SF_DT_DOUBLE);
    if (node->nin != 3 || node->nout != 1 || i == 0 || !node->sig->def->range ||
        sf_dtype_base(node->inputs[0].dtype) != SF_DT_BOOL) {
        return false;
    }
    SfRange c = sf_numeric_context(n, node);
    memcpy(in, c.in, sizeof in);
    in[3 - i] = sf_interval_none();
    c.in = in;
    c.out = &out;
    node->sig->def->range(&c);
    return !sf_interval_has_zero(out);
}

/* READ: every reader of the node is such a `where`. Roots are zero where their operands are. */
static void find_unselected(SfNumeric *n, const SfGraph *g, int count, char *unselected)
{
    for (int id = 0; id < count; id++) {
        const SfNode *node = g->nodes[id];
        for (int i = 0; i < node->nin && sf_node_role(node) != SF_ROLE_GRADIENT; i++) {
            const SfNode *in = node->inputs[i].node;
            const SfHazard *h =
                in && in->graph == g && in->id < count ? in->sig->def->hazards : NULL;
            if (h && h->keeps_zero) {
                unselected[in->id] |= selects_no_zero(n, node, i) ? READ : HARMS;
            }
        }
    }
}

/* Marks nodes whose every reader leaves out what breaks: their values do no harm, but their
 * derivatives do: what comes back is 0 there, times infinity. */
static SfStatus find_masked(SfNumeric *n, const SfGraph *g, int count, char *masked, SfArena *arena)
{
    char *absorbed = sf_arena_alloc(arena, (size_t)count + 1); /* whatever it is that breaks */
    SF_TRY_ALLOC(absorbed);
    for (int id = count - 1; id >= 0; id--) {
        const SfNode *node = g->nodes[id];
        const bool backward = sf_node_role(node) == SF_ROLE_GRADIENT;
        for (int i = 0; i < node->nin && !backward; i++) {
            const SfTensor *t = &node->inputs[i];
            if (!t->node || t->node->graph != g || t->node->id >= count ||
                !sf_dtype_is_floating(sf_dtype_base(t->dtype))) {
                continue;
            }
            const bool passes = absorbed[id] == READ; /* and who reads it leaves it out */
            const bool any = passes || (may_hide(node) && leaves_out(n, node, i, BREAKS, arena));
            const unsigned own = sf_numeric_broken(n, t);
            const bool this = any || (may_hide(node) && own != 0 && own != BREAKS &&
                                      leaves_out(n, node, i, own, arena));
            absorbed[t->node->id] |= any ? READ : HARMS;
            masked[t->node->id] |= this ? READ : HARMS;
        }
    }
    for (int id = 0; id < count; id++) {
        masked[id] = masked[id] == READ;
    }
    return SF_OK;
}

SfStatus sf_numeric_suspects(SfNumeric *n, SfArena *arena, SfSuspect **out, int *count)
{
    const SfGraph *g = sf_numeric_graph(n);
    const int nodes = sf_numeric_size(n);
    Gradients d = {.g = g, .count = nodes};
    char *masked = sf_arena_alloc(arena, (size_t)nodes + 1);
    /* Kernels of 1.8 gave NaN, those of 1.15 do not. */
    const bool may_keep = sf_graph_version(g) >= SF_VERSION(1, 15);
    char *unselected = sf_arena_alloc(arena, (size_t)nodes + 1);
    SF_TRY_ALLOC(masked && unselected);
    SF_TRY(alloc_gradients(&d, arena));
    find_gradients(&d);
    SF_TRY(find_masked(n, g, nodes, masked, arena));
    find_unselected(n, g, nodes, unselected);
    int room = 0;
    *count = 0;
    *out = NULL;
    for (int id = 0; id < nodes; id++) {
        const SfNode *node = g->nodes[id];
        const SfHazard *h = node->sig->def->hazards;
        if (!h) {
            continue;
        }
        const SfRange c = sf_numeric_context(n, node);
        bool told = false; /* whose value breaks has a derivative that breaks as well */
        for (; h->condition != SF_CONDITION_NONE && !told; h++) {
            const bool in_gradient = h->in_gradient || masked[id];
            if ((in_gradient && !is_differentiated(&d, node, h->input)) ||
                !sf_hazard_is_near(h, &c)) {
                continue;
            }
            if (may_keep && h->keeps_zero &&
                (h->in_gradient ? unselected[id] == READ : masked[id])) {
                continue;
            }
            if (*count == room) {
                room = room ? 2 * room : 16;
                SfSuspect *more = sf_arena_alloc(arena, (size_t)room * sizeof *more);
                SF_TRY_ALLOC(more);
                if (*count) {
                    memcpy(more, *out, (size_t)*count * sizeof *more);
                }
                *out = more;
            }
            (*out)[(*count)++] = (SfSuspect){node, h, operand(n, node, h->input), in_gradient};
            told = !h->in_gradient;
        }
    }
    return SF_OK;
}

/* The input that lets the output be as wide as it is: the first that is open on the side. */
static int widest_input(const SfNumeric *n, const SfNode *node)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < node->nin; i++) {
        const SfDtype t = sf_dtype_base(node->inputs[i].dtype);
        const SfInterval x = operand(n, node, i);
        if (!sf_dtype_is_floating(t) && !sf_dtype_is_integer(t) && !sf_dtype_is_bool(t)) {
            continue;
        }
        const double width = sf_interval_is_empty(x) ? 0 : x.hi / 2 - x.lo / 2;
        const bool better =
            sf_node_role(node->inputs[i].node ? node->inputs[i].node : node) != SF_ROLE_CONST &&
            width > most;
        if (better || best < 0) {
            best = i;
            most = width;
        }
    }
    return best;
}

int sf_numeric_origin(const SfNumeric *n, const SfNode *node, int input, const SfNode **steps,
                      int max)
{
    int count = 0;
    while (input >= 0 && input < node->nin && count < max) {
        const SfTensor *t = &node->inputs[input];
        if (!t->node || t->node->graph != sf_numeric_graph(n) ||
            t->node->id >= sf_numeric_size(n)) {
            break;
        }
        if (t->node->id >= node->id) { /* around a loop */
            break;
        }
        node = t->node;
        steps[count++] = node;
        input = sf_node_role(node) == SF_ROLE_READ_VARIABLE ? 0 : widest_input(n, node);
    }
    return count;
}
