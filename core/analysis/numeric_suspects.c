/* Operations whose operands may be what they cannot take, and what bounds these. See numeric.h. */
#include <string.h>

#include "core/analysis/numeric.h"
#include "core/graph/graph_impl.h"

/* Per node: is a gradient taken through it? */
typedef struct Gradients {
    char *from; /* depends on what a gradient is taken with respect to */
    char *to;   /* a gradient is taken of what depends on it */
} Gradients;

static bool may_pass(const SfNode *n)
{
    const unsigned grad = n->sig->def->grad;
    return grad != SF_GRAD_NONE && sf_node_role(n) != SF_ROLE_STOP_GRADIENT;
}

static void mark(char *marks, const SfTensor *t, const SfGraph *g, int count)
{
    if (t->node && t->node->graph == g && t->node->id < count) {
        marks[t->node->id] = 1;
        if (t->state && t->state->graph == g && t->state->id < count) {
            marks[t->state->id] = 1;
        }
    }
}

/* Gradient nodes have x first, then ys. Back edges of loops are followed by a second look. */
static void find_gradients(const SfGraph *g, int count, Gradients *out)
{
    for (int id = 0; id < count; id++) {
        const SfNode *n = g->nodes[id];
        if (sf_node_role(n) != SF_ROLE_GRADIENT || n->nin < 2) {
            continue;
        }
        mark(out->from, &n->inputs[0], g, count);
        for (int i = 1; i < n->nin; i++) {
            mark(out->to, &n->inputs[i], g, count);
        }
    }
    for (int look = 0; look < 2; look++) {
        for (int id = 0; id < count; id++) {
            const SfNode *n = g->nodes[id];
            for (int i = 0; i < n->nin && !out->from[id] && may_pass(n); i++) {
                const SfNode *in = n->inputs[i].node;
                out->from[id] = in && in->graph == g && in->id < count && out->from[in->id];
            }
        }
        for (int id = count - 1; id >= 0; id--) {
            const SfNode *n = g->nodes[id];
            for (int i = 0; i < n->nin && out->to[id] && may_pass(n); i++) {
                mark(out->to, &n->inputs[i], g, count);
            }
        }
    }
}

static SfInterval operand(const SfNumeric *n, const SfNode *node, int i)
{
    return sf_numeric_of(n, &node->inputs[i]);
}

static bool is_differentiated(const Gradients *d, const SfNode *node, int input)
{
    const SfNode *in = node->inputs[input].node;
    return d->to[node->id] && in && in->graph == node->graph && d->from[in->id];
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
    Gradients d = {.from = sf_arena_alloc(arena, (size_t)nodes + 1),
                   .to = sf_arena_alloc(arena, (size_t)nodes + 1)};
    char *masked = sf_arena_alloc(arena, (size_t)nodes + 1);
    /* Kernels of 1.8 gave NaN, those of 1.15 do not. */
    const bool may_keep = sf_graph_version(g) >= SF_VERSION(1, 15);
    char *unselected = sf_arena_alloc(arena, (size_t)nodes + 1);
    SF_TRY_ALLOC(d.from && d.to && masked && unselected);
    find_gradients(g, nodes, &d);
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
