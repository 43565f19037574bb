/* What a program made of its graph. See usage.h. */
#include "core/analysis/usage.h"

#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"
#include "core/session/session_impl.h"
#include "lattice/intern.h"

/* notes */

unsigned sf_graph_use(const SfGraph *g, const SfNode *n)
{
    return n->id < g->nuse ? g->use[n->id] : 0;
}

static void note(SfGraph *g, const SfNode *n, unsigned how)
{
    if (n && n->graph == g && n->id < g->nuse) {
        g->use[n->id] |= (uint8_t)how;
    }
}

static bool reserve(SfGraph *g)
{
    if (g->count <= g->nuse) {
        return true;
    }
    const int size = g->count + g->count / 2 + 64;
    uint8_t *use = sf_realloc(g->use, (size_t)size);
    if (!use) {
        return false;
    }
    memset(use + g->nuse, 0, (size_t)(size - g->nuse));
    g->use = use;
    g->nuse = size;
    return true;
}

static void note_plan(const SfPlan *p)
{
    SfGraph *g = p->session->graph;
    if (!reserve(g)) {
        return;
    }
    for (int i = 0; i < p->nfed; i++) {
        note(g, p->fed[i].node, SF_USE_FED);
    }
    for (int i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        note(g, st->node, SF_USE_RAN);
        for (int k = 0; k < st->node->nin; k++) {
            if (st->in[k] >= 0 && st->in[k] < p->nfed) {
                note(g, p->fed[st->in[k]].node, SF_USE_RAN);
            }
        }
    }
    for (int i = 0; i < p->nfetch; i++) {
        note(g, p->fetches[i].node, SF_USE_FETCHED);
    }
}

/* what was never used */

static bool is_placeholder(const SfNode *n)
{
    const SfOpRole role = sf_node_role(n);
    return role == SF_ROLE_PLACEHOLDER || role == SF_ROLE_PLACEHOLDER_WITH_DEFAULT;
}

static bool is_variable(const SfNode *n)
{
    return sf_node_role(n) == SF_ROLE_VARIABLE;
}

/* Does `n`, which has the variable as its input, only initialise, save or restore it? */
static bool is_bookkeeping(const SfNode *n, const SfNode *variable)
{
    if (n->sig->def->traits & SF_OP_BOOKKEEPING) {
        return true;
    }
    if (sf_node_role(n) != SF_ROLE_ASSIGN || n->nin < 2) {
        return false;
    }
    const size_t len = strlen(variable->name);
    const SfNode *from = n->inputs[1].node;
    while (from && from->nin > 0 && sf_node_role(from) == SF_ROLE_IDENTITY) {
        from = from->inputs[0].node;
    }
    return (strncmp(n->name, variable->name, len) == 0 && n->name[len] == '/') ||
           (from && sf_node_role(from) == SF_ROLE_RESTORE);
}

typedef struct Uses {
    SfGraph *graph;
    bool *live; /* per node: it ran, was fetched, keeps state, or something live reads it */
    bool *read; /* per node: something reads it, housekeeping apart */
    bool trained, fetched;
} Uses;

/* Nodes from the newest to the oldest: readers of a node are newer, but for loops, whose nodes are
 * all taken to be live. */
static void find_uses(Uses *u)
{
    const SfGraph *g = u->graph;
    for (int id = g->count - 1; id >= 0; id--) {
        const SfNode *n = g->nodes[id];
        const unsigned use = sf_graph_use(g, n), traits = n->sig->def->traits;
        const bool keeps = traits & (SF_OP_WRITES | SF_OP_STATE) ||
                           sf_role_is_flow(sf_node_role(n)) ||
                           (traits & SF_OP_STATEFUL && !(traits & SF_OP_RANDOM));
        u->trained = u->trained || (use & SF_USE_RAN && sf_node_role(n) == SF_ROLE_UPDATE);
        u->fetched = u->fetched || use & (SF_USE_FETCHED | SF_USE_FED);
        u->live[id] = u->live[id] || use & (SF_USE_RAN | SF_USE_FETCHED) || keeps;
        for (int i = 0; i < n->nin; i++) {
            const SfNode *from = n->inputs[i].node;
            if (!from || from->graph != g || (is_variable(from) && is_bookkeeping(n, from))) {
                continue;
            }
            /* `w/read`, when nothing reads it, counts as part of the variable. */
            const bool view =
                is_variable(from) && n->nin == 1 && n->id == id &&
                (sf_node_role(n) == SF_ROLE_IDENTITY || sf_node_role(n) == SF_ROLE_READ_VARIABLE);
            u->read[from->id] = u->read[from->id] || !view || u->read[id] || use;
            u->live[from->id] = u->live[from->id] || u->live[id];
        }
        for (int i = 0; i < n->context->control.n; i++) {
            const SfNode *from = n->context->control.items[i];
            u->read[from->id] = true;
            u->live[from->id] = u->live[from->id] || u->live[id];
        }
    }
}

/* Why `n` counts as never used; NULL: it is used, or nothing is certain. */
static const char *why_unused(const Uses *u, const SfNode *n, bool *live)
{
    const unsigned use = sf_graph_use(u->graph, n);
    if (use & SF_USE_FETCHED) {
        return NULL;
    }
    if (is_placeholder(n)) {
        return !u->read[n->id] ? "nothing in the graph reads it"
               : use & SF_USE_FED && !(use & SF_USE_RAN)
                   ? "it is fed, but nothing that ran reads it"
                   : NULL;
    }
    return !u->read[n->id]              ? "nothing in the graph reads it"
           : u->trained && !live[n->id] ? "what reads it never ran"
                                        : NULL;
}

static void warn_unused(const SfNode *n, const char *why, SfSink *sink)
{
    SfArena arena;
    sf_arena_init(&arena);
    const char *message =
        sf_arena_printf(&arena, "%s '%s' is never used: %s",
                        is_placeholder(n) ? "placeholder" : "variable", n->name, why);
    const SfDiagArg args[] = {SF_TEXT_ARG(message)};
    const SfDiagOperand operand = sf_operand("", &n->outputs[0]);
    if (message) {
        (void)!sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_NEVER_USED,
                                              .phase = SF_PHASE_API,
                                              SF_DIAG_OF(n),
                                              .nargs = 1,
                                              .args = args,
                                              .noperands = is_placeholder(n),
                                              .operands = &operand});
    }
    sf_arena_free(&arena);
}

void sf_usage_warn_unused(SfGraph *g, SfIsUsers is_users, void *owner, SfSink *sink)
{
    const int count = g->count; /* is_users may make nodes */
    const size_t size = (size_t)count + 1;
    Uses u = {.graph = g};
    /* a reader is live, reads of the state alone left out */
    bool *live = sf_calloc(size, sizeof *live);
    u.live = sf_calloc(size, sizeof *u.live);
    u.read = sf_calloc(size, sizeof *u.read);
    if (u.live && u.read && live) {
        find_uses(&u);
        for (int id = 0; id < count; id++) {
            const SfNode *n = g->nodes[id];
            for (int i = 0; i < n->nin; i++) {
                const SfNode *from = n->inputs[i].node;
                if (from && from->graph == g && is_variable(from) && !is_bookkeeping(n, from)) {
                    live[from->id] = live[from->id] || u.live[id];
                }
            }
        }
        for (int id = 0; id < count && u.fetched; id++) {
            const SfNode *n = g->nodes[id];
            const char *why = is_placeholder(n) || is_variable(n) ? why_unused(&u, n, live) : NULL;
            if (why && is_users(owner, n)) {
                warn_unused(n, why, sink);
            }
        }
    }
    sf_free(live);
    sf_free(u.live);
    sf_free(u.read);
}

/* what is never trained */

/* Marks what is computed from the content of `x` up to node `last`; false: StopGradient stands on
 * the way, or there is no memory. */
static bool mark_from(const SfGraph *g, const SfNode *x, const SfNode *last, bool *from)
{
    from[x->id] = true;
    for (int id = x->id + 1; id <= last->id; id++) {
        const SfNode *n = g->nodes[id];
        for (int i = 0; i < n->nin && !from[id]; i++) {
            const SfNode *p = n->inputs[i].node;
            const bool reached = p && p->graph == g && p->id < id && from[p->id];
            if (reached && sf_node_role(n) == SF_ROLE_STOP_GRADIENT) {
                return false;
            }
            from[id] = reached && !(n->sig->def->traits & (SF_OP_SHAPE_ONLY | SF_OP_WRITES));
        }
    }
    return from[last->id];
}

/* The newest op without a gradient between x and the loss that everything goes through is the one
 * to name; the first on the way is a good answer when there are several. */
static const SfNode *blocker(const SfGraph *g, const SfNode *last, const bool *from, bool *to)
{
    const SfNode *found = NULL;
    to[last->id] = true;
    for (int id = last->id; id >= 0; id--) {
        const SfNode *n = g->nodes[id];
        if (!to[id] || !from[id]) {
            continue;
        }
        const bool none = n->sig->def->grad == SF_GRAD_NONE || n->sig->def->grad == SF_GRAD_MISSING;
        found = none || (n->nout > 0 && !sf_dtype_is_floating(sf_dtype_base(n->outputs[0].dtype)) &&
                         n->outputs[0].dtype != SF_DT_RESOURCE)
                    ? n
                    : found;
        for (int i = 0; i < n->nin; i++) {
            const SfNode *p = n->inputs[i].node;
            if (p && p->graph == g && p->id < id) {
                to[p->id] = true;
            }
        }
    }
    return found;
}

/* Does another optimizer, or the program itself, write the variable? */
static bool is_written(const SfGraph *g, const SfNode *x)
{
    for (int id = x->id + 1; id < g->count; id++) {
        const SfNode *n = g->nodes[id];
        if (n->nin > 0 && n->inputs[0].node == x &&
            (sf_node_role(n) == SF_ROLE_UPDATE ||
             (n->sig->def->traits & SF_OP_WRITES && !is_bookkeeping(n, x)))) {
            return true;
        }
    }
    return false;
}

static void warn_untrained(const SfNode *x, const SfNode *by, SfSink *sink)
{
    SfArena arena;
    sf_arena_init(&arena);
    const char *message =
        sf_arena_printf(&arena,
                        "variable '%s' gets no gradient: the loss depends on it only "
                        "through '%s' (%s), which has none",
                        x->name, by->name, by->sig->def->name);
    const SfDiagArg args[] = {SF_TEXT_ARG(message)};
    const SfDiagOperand *operands = sf_operands(&arena, by->sig, by->attrs, by->inputs, by->nin);
    if (message && operands) {
        (void)!sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_NOT_TRAINED,
                                              .phase = SF_PHASE_BUILD,
                                              SF_DIAG_OF(by),
                                              .nargs = 1,
                                              .args = args,
                                              .noperands = by->nin,
                                              .operands = operands});
    }
    sf_arena_free(&arena);
}

void sf_usage_warn_untrained(SfGraph *g, const SfTensor *loss, const SfNode *x, SfSink *sink)
{
    const SfNode *last = loss->node;
    if (!last || last->graph != g || x->graph != g || x->id >= last->id ||
        !(sf_graph_use(g, last) & SF_USE_RAN) || is_written(g, x)) {
        return;
    }
    bool *from = sf_calloc((size_t)g->count + 1, sizeof *from);
    bool *to = sf_calloc((size_t)g->count + 1, sizeof *to);
    if (from && to && mark_from(g, x, last, from)) {
        const SfNode *by = blocker(g, last, from, to);
        if (by) {
            warn_untrained(x, by, sink);
        }
    }
    sf_free(from);
    sf_free(to);
}

/* rows against columns */

SfMixed sf_shapes_mixed(const SfShape *row, const SfShape *column)
{
    if (!row || !column || sf_shape_rank(row) != 1 || sf_shape_rank(column) != 2 ||
        sf_shape_dim(column, 1) != 1) {
        return SF_MIXED_NOT;
    }
    const SfDim n = sf_shape_dim(row, 0), m = sf_shape_dim(column, 0);
    if (n == 1 || m == 1 || !sf_dim_compatible(n, m)) {
        return SF_MIXED_NOT;
    }
    return n == m && n != SF_DIM_UNKNOWN ? SF_MIXED_SURELY : SF_MIXED_PERHAPS;
}

void sf_usage_warn_mixed(const SfNode *n, const SfTensor *in, const SfShape *out, bool metric,
                         SfPhase phase, SfSink *sink)
{
    SfDiagOperand operands[2];
    const SfPlace places[] = {SF_INPUT(0), SF_INPUT(1)};
    const SfDiagArg args[] = {SF_SHAPE_ARG(in[0].shape), SF_SHAPE_ARG(in[1].shape),
                              SF_SHAPE_ARG(out), SF_TEXT_ARG(metric ? "metric" : "loss")};
    for (int i = 0; i < 2; i++) {
        operands[i] = sf_operand(n->sig->in[i].name, &n->inputs[i]);
        operands[i].shape = in[i].shape;
        operands[i].value = in[i].value;
    }
    /* Without memory there is no warning; the program goes on as it would. */
    (void)!sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_SILENT_BROADCAST,
                                          .phase = phase,
                                          .op_type = n->sig->def->name,
                                          .node_name = phase == SF_PHASE_EAGER ? NULL : n->name,
                                          .node = n,
                                          .location = n->location,
                                          .nplaces = 2,
                                          .places = places,
                                          .nargs = 4,
                                          .args = args,
                                          .noperands = 2,
                                          .operands = operands});
}

void sf_usage_suspect(const SfNode *n, bool metric)
{
    SfGraph *g = n->graph;
    if (reserve(g) && !(g->use[n->id] & (SF_USE_LOSS | SF_USE_METRIC))) {
        note(g, n, metric ? SF_USE_METRIC : SF_USE_LOSS);
        g->nsuspects++;
    }
}

static void check_suspects(const SfPlan *p, SfSink *sink)
{
    SfGraph *g = p->session->graph;
    for (int i = 0; i < p->nsteps && g->nsuspects > 0; i++) {
        const SfStep *st = &p->steps[i];
        const unsigned use = sf_graph_use(g, st->node) & (SF_USE_LOSS | SF_USE_METRIC);
        if (!use) {
            continue;
        }
        const SfTensor in[] = {p->slots[st->in[0]], p->slots[st->in[1]]};
        if (sf_shapes_mixed(in[0].shape, in[1].shape) == SF_MIXED_SURELY ||
            sf_shapes_mixed(in[1].shape, in[0].shape) == SF_MIXED_SURELY) {
            sf_usage_warn_mixed(st->node, in, p->slots[st->out].shape, use & SF_USE_METRIC,
                                SF_PHASE_RUN, sink);
            g->use[st->node->id] &= (uint8_t)~use;
            g->nsuspects--;
        }
    }
}

const SfSessionObserver sf_usage_observer = {.first_run = note_plan, .inferred = check_suspects};

/* growth */

enum { PLACES = 256, RUNS_MAX = 10, RUNS_WITH_VARIABLES = 3 };

struct SfGrowth {
    uint32_t turn; /* runs before which the graph had grown */
    struct SfGrowthPlace {
        uint32_t location, turn;
        int32_t runs, nodes; /* nodes of the newest turn */
        int32_t first;       /* id of its first node in the newest turn */
        bool variable, is_reported;
    } places[PLACES];
};

static struct SfGrowthPlace *place_of(struct SfGrowth *g, uint32_t location)
{
    for (uint32_t i = 0; i < PLACES; i++) {
        struct SfGrowthPlace *p = &g->places[(location + i) % PLACES];
        if (p->location == location || p->location == 0) {
            p->location = location;
            return p;
        }
    }
    return NULL; /* too many places to tell apart: the first ones are watched */
}

static void count_node(struct SfGrowth *w, const SfNode *n)
{
    if (n->location == 0 || sf_node_role(n) == SF_ROLE_NO_OP) {
        return;
    }
    struct SfGrowthPlace *p = place_of(w, n->location);
    if (!p) {
        return;
    }
    if (p->turn != w->turn) {
        p->turn = w->turn;
        p->runs++;
        p->nodes = 0;
        p->first = n->id;
    }
    p->nodes++;
    /* The node to report: the variable if there is one, else the first op that is not a
     * constant. */
    if (is_variable(n)) {
        p->variable = true;
        p->first = n->id;
    } else if (sf_node_role(n->graph->nodes[p->first]) == SF_ROLE_CONST) {
        p->first = n->id;
    }
}

static void report_growth(const SfSession *s, struct SfGrowth *w, SfSink *sink)
{
    const struct SfGrowthPlace *first = NULL;
    int nodes = 0;
    for (int i = 0; i < PLACES; i++) {
        const struct SfGrowthPlace *p = &w->places[i];
        if (p->turn == w->turn && p->location != 0) {
            nodes += p->nodes;
            const bool due =
                !p->is_reported && p->runs >= (p->variable ? RUNS_WITH_VARIABLES : RUNS_MAX);
            first = due && (!first || p->first < first->first) ? p : first;
        }
    }
    if (!first) {
        return;
    }
    for (int i = 0; i < PLACES; i++) { /* the other lines of this loop */
        w->places[i].is_reported = w->places[i].is_reported || w->places[i].turn == w->turn;
    }
    const SfNode *n = s->graph->nodes[first->first];
    const SfDiagArg args[] = {SF_INT_ARG(first->runs), SF_INT_ARG(nodes)};
    (void)!sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_GRAPH_GROWS,
                                          .phase = SF_PHASE_RUN,
                                          SF_DIAG_OF(n),
                                          .nargs = 2,
                                          .args = args});
}

void sf_usage_check_growth(SfSession *s, SfSink *sink)
{
    const int size = s->graph->count;
    const int was = s->grown_from;
    s->grown_from = size;
    if (was == 0 || was == size) {
        return;
    }
    if (!s->growth) {
        s->growth = sf_calloc(1, sizeof *s->growth);
    }
    if (!s->growth) {
        return;
    }
    s->growth->turn++;
    for (int id = was; id < size; id++) {
        count_node(s->growth, s->graph->nodes[id]);
    }
    report_growth(s, s->growth, sink);
}
