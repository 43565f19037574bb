/* Intervals of a graph. See numeric.h. */
#include "core/analysis/numeric.h"

#include <float.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/graph/graph_impl.h"
#include "lattice/intern.h"

enum { KERNEL_ULPS = 4, SURE_ROUNDS = 2, MOST_ROUNDS = 40, SUPPOSE_DEPTH = 4, SUPPOSE_INPUTS = 3 };

/* What a variable was seen to hold; of nodes that make none, nothing. */
typedef struct Held {
    SfInterval interval;
    bool is_variable, is_trained;
} Held;

struct SfNumeric {
    const SfGraph *g;
    int count;      /* nodes when it was made */
    int32_t *first; /* per node: its first output in `at` */
    SfInterval *at;
    Held *held;                /* per node */
    const SfRangeFact **facts; /* per node: the first of its facts; NULL: none */
    const SfRangeFact *all_facts;
    int nfacts;
    SfRangeTrial trial;
    const SfTraceValues *eager; /* of a trace; NULL: nothing */
    SfInterval *in;             /* of the node that is computed */
    bool has_cycles, changed;
    int round;
};

/* looking at tensors */

static bool is_inside(const SfNumeric *n, const SfTensor *t)
{
    return t->node && t->node->graph == n->g && t->node->id < n->count && t->index >= 0 &&
           t->index < t->node->nout;
}

/* What comes from outside at one place is one record, whatever its content: each reader has its
 * own. */
static bool of_outside(const SfTensor *t, SfInterval *out)
{
    if (!t->node || sf_node_role(t->node) == SF_ROLE_NO_OP) {
        if (sf_interval_of_value(t->value, out)) {
            return true;
        }
        if (t->node && t->node->nout == 1 && t->node->outputs[0].value) {
            *out = sf_interval_finite(sf_dtype_base(t->dtype));
            return true;
        }
    }
    return false;
}

SfInterval sf_numeric_of(const SfNumeric *n, const SfTensor *t)
{
    SfInterval known;
    return of_outside(t, &known) ? known
           : is_inside(n, t)     ? n->at[n->first[t->node->id] + t->index]
                                 : sf_interval_top(t->dtype);
}

SfInterval sf_range_of(const SfRange *c, const SfTensor *t)
{
    return sf_numeric_of(c->numeric, t);
}

/* Copies of the whole of their first input. */
static bool is_copy(const SfNode *n)
{
    switch ((int)sf_node_role(n)) {
    case SF_ROLE_IDENTITY: /* a reference may be read at another time */
        return n->nin == 1 && !sf_dtype_is_ref(n->inputs[0].dtype);
    case SF_ROLE_STOP_GRADIENT:
    case SF_ROLE_RESHAPE:
    case SF_ROLE_EXPAND_DIMS:
    case SF_ROLE_SQUEEZE:
        return true;
    default:
        return false;
    }
}

const SfTensor *sf_range_origin(const SfTensor *t)
{
    while (t->node && t->node->nin > 0 && is_copy(t->node)) {
        t = &t->node->inputs[0];
    }
    return t;
}

bool sf_range_same(const SfTensor *a, const SfTensor *b)
{
    a = sf_range_origin(a);
    b = sf_range_origin(b);
    return a->node && a->node == b->node && a->index == b->index &&
           (sf_node_role(a->node) != SF_ROLE_NO_OP || a->value == b->value);
}

bool sf_range_same_shaped(const SfTensor *a, const SfTensor *b)
{
    if (!sf_range_same(a, b) || a->shape != b->shape) {
        return false;
    }
    const int rank = sf_shape_rank(a->shape);
    int unknown = 0;
    for (int i = 0; i < rank; i++) {
        unknown += !sf_dim_is_known(sf_shape_dim(a->shape, i));
    }
    return (rank >= 0 && unknown < 2) || (a->node == b->node && a->index == b->index);
}

void sf_range_count(const SfRange *c, int input, double *least, double *most)
{
    const SfDim n = sf_shape_count(c->node->inputs[input].shape);
    *least = sf_dim_is_known(n) ? (double)n : 0;
    *most = sf_dim_is_known(n) ? (double)n : -1;
}

static SfInterval suppose(const SfRange *c, const SfTensor *t, const SfTensor *base, SfInterval as,
                          int depth)
{
    if (sf_range_same_shaped(t, base)) {
        return as;
    }
    const SfTensor *from = sf_range_origin(t);
    const SfNode *n = from->node;
    if (depth == 0 || !n || !is_inside(c->numeric, from) || n->nout != 1 || n->nin == 0 ||
        n->nin > SUPPOSE_INPUTS || !n->sig->def->range ||
        !(n->sig->def->traits & SF_OP_ELEMENTWISE) || n->graph != c->node->graph) {
        return sf_range_of(c, t);
    }
    SfInterval in[SUPPOSE_INPUTS], out = sf_interval_top(n->outputs[0].dtype);
    for (int i = 0; i < n->nin; i++) {
        in[i] = suppose(c, &n->inputs[i], base, as, depth - 1);
    }
    SfRange inner = {.node = n, .in = in, .out = &out, .numeric = c->numeric};
    n->sig->def->range(&inner);
    return out;
}

SfInterval sf_range_supposing(const SfRange *c, const SfTensor *t, const SfTensor *base,
                              SfInterval as)
{
    return suppose(c, t, base, as, SUPPOSE_DEPTH);
}

/* one node */

static const SfNode *variable_of(const SfNumeric *n, const SfNode *node)
{
    const SfNode *owner = sf_node_role(node) == SF_ROLE_VARIABLE ? node
                          : node->nin > 0                        ? node->inputs[0].state
                                                                 : NULL;
    return owner && owner->graph == n->g && owner->id < n->count && n->held[owner->id].is_variable
               ? owner
               : NULL;
}

static void note_written(SfNumeric *n, const SfNode *owner, SfInterval now)
{
    Held *h = &n->held[owner->id];
    const SfAttr *dtype = sf_node_attr(owner, "dtype");
    const SfDtype t = dtype ? dtype->u.type : SF_DT_INVALID;
    SfInterval all = n->round > SURE_ROUNDS ? sf_interval_widen(h->interval, now, t)
                                            : sf_interval_join(h->interval, now);
    if (n->round > MOST_ROUNDS / 2 && !sf_interval_equal(all, h->interval)) {
        all = sf_interval_top(t);
    }
    if (!sf_interval_equal(all, h->interval)) {
        h->interval = all;
        n->changed = true;
    }
}

/* What an eager variable holds after its writes at one place: finite numbers, else the write is
 * what is suspect. */
static SfInterval written_to(const SfNumeric *n, const SfWrites *w, SfDtype t)
{
    SfInterval all = w->known;
    if (w->any) {
        return sf_interval_finite(t);
    }
    for (int32_t i = 0; i < w->nfrom; i++) {
        const SfTensor *from = &w->from[i].node->outputs[w->from[i].output];
        all = sf_interval_join(all, sf_interval_finite_part(sf_numeric_of(n, from)));
    }
    return sf_interval_countable(all, t);
}

static bool is_of_constants(const SfNode *node)
{
    bool all = true;
    for (int i = 0; i < node->nin; i++) {
        all = all && node->inputs[i].node && node->inputs[i].node->nin == 0;
    }
    return all;
}

static SfInterval settled(const SfNumeric *n, const SfNode *node, int k, SfInterval computed)
{
    SfInterval known;
    const SfTensor *t = &node->outputs[k];
    if (sf_interval_of_value(t->value, &known)) {
        const SfDtype base = sf_dtype_base(t->dtype);
        if (node->nin == 0 || !sf_dtype_is_floating(base)) {
            return known;
        }
        /* A kernel may round otherwise than what was computed here. */
        return node->sig->def->range || !is_of_constants(node)
                   ? computed
                   : sf_interval_loosen(known, base, KERNEL_ULPS);
    }
    if (k == 0 && sf_trace_values_content(n->eager, node->id, &known)) {
        return known;
    }
    const SfWrites *w = sf_trace_values_writes(n->eager, node->id);
    if (w) {
        return written_to(n, w, sf_dtype_base(t->dtype));
    }
    for (const SfRangeFact *f = n->facts[node->id];
         f && f < n->all_facts + n->nfacts && f->node == node; f++) {
        if (f->output == k) {
            return sf_node_role(node) == SF_ROLE_PLACEHOLDER_WITH_DEFAULT
                       ? sf_interval_join(f->interval, computed)
                       : f->interval;
        }
    }
    if (sf_dtype_is_ref(t->dtype)) {
        const SfNode *owner = t->state;
        if (owner && owner->graph == n->g && owner->id < n->count) {
            return n->held[owner->id].interval;
        }
    }
    return computed;
}

static void read_inputs(SfNumeric *n, const SfNode *node)
{
    for (int i = 0; i < node->nin; i++) {
        n->in[i] = sf_numeric_of(n, &node->inputs[i]);
        if (n->trial.node == node && n->trial.input == i) {
            n->in[i] = sf_interval_meet(n->in[i], n->trial.limits);
        }
    }
}

/* What comes from outside holds numbers, where nothing else is known of it. */
static bool is_source(const SfNode *n)
{
    const SfOpRole role = sf_node_role(n);
    return role == SF_ROLE_PLACEHOLDER || role == SF_ROLE_CONST || role == SF_ROLE_NO_OP;
}

static void compute(SfNumeric *n, const SfNode *node)
{
    SfInterval *out = &n->at[n->first[node->id]], written = sf_interval_none();
    SfInterval was[4];
    const SfOpDef *def = node->sig->def;
    const SfNode *owner = variable_of(n, node);
    const bool cut =
        sf_node_role(node) == SF_ROLE_MERGE || sf_trace_values_writes(n->eager, node->id) != NULL;
    read_inputs(n, node);
    for (int k = 0; k < node->nout; k++) {
        if (k < 4) {
            was[k] = out[k];
        }
        const SfDtype t = sf_dtype_base(node->outputs[k].dtype);
        out[k] = is_source(node) ? sf_interval_finite(t) : sf_interval_top(t);
    }
    SfRange c = {.node = node,
                 .in = n->in,
                 .out = out,
                 .held = owner ? &n->held[owner->id].interval : NULL,
                 .written = owner ? &written : NULL,
                 .numeric = n};
    if (def->range) {
        def->range(&c);
    }
    for (int k = 0; k < node->nout; k++) {
        SfInterval now = settled(n, node, k, out[k]);
        if (cut && k < 4 && n->round > 0) {
            const SfDtype t = sf_dtype_base(node->outputs[k].dtype);
            now = n->round > MOST_ROUNDS / 2 && !sf_interval_below(now, was[k]) ? sf_interval_top(t)
                  : n->round > SURE_ROUNDS ? sf_interval_widen(was[k], now, t)
                                           : sf_interval_join(was[k], now);
            n->changed = n->changed || !sf_interval_equal(now, was[k]);
        }
        out[k] = now;
    }
    if (owner && !(sf_interval_is_empty(written) && !(written.flags & SF_MAY_BE_ANY))) {
        note_written(n, owner, written);
    }
}

/* the whole */

static SfStatus alloc(SfNumeric *n, SfArena *arena)
{
    const size_t count = (size_t)n->count;
    size_t outputs = 0;
    int most = 0;
    n->first = sf_arena_alloc(arena, (count + 1) * sizeof *n->first);
    n->held = sf_arena_alloc(arena, (count + 1) * sizeof *n->held);
    n->facts = sf_arena_alloc(arena, (count + 1) * sizeof(const SfRangeFact *));
    SF_TRY_ALLOC(n->first && n->held && n->facts);
    for (int id = 0; id < n->count; id++) {
        const SfNode *node = n->g->nodes[id];
        n->first[id] = (int32_t)outputs;
        outputs += (size_t)node->nout;
        most = node->nin > most ? node->nin : most;
        for (int i = 0; i < node->nin; i++) {
            n->has_cycles =
                n->has_cycles || (node->inputs[i].node && node->inputs[i].node->id >= id);
        }
    }
    n->at = sf_arena_alloc(arena, (outputs + 1) * sizeof *n->at);
    n->in = sf_arena_alloc(arena, ((size_t)most + 1) * sizeof *n->in);
    SF_TRY_ALLOC(n->at && n->in);
    for (size_t i = 0; i < outputs; i++) {
        n->at[i] = sf_interval_none();
    }
    return SF_OK;
}

/* A variable that a training step updates may be any number from the start; one that nothing
 * writes, as those that a checkpoint fills, too. */
static void find_variables(SfNumeric *n)
{
    for (int id = 0; id < n->count; id++) {
        n->held[id].interval = sf_interval_none();
        n->held[id].is_variable = sf_node_role(n->g->nodes[id]) == SF_ROLE_VARIABLE;
    }
    for (int id = 0; id < n->count; id++) {
        const SfNode *node = n->g->nodes[id];
        const SfOpRole role = sf_node_role(node);
        const SfNode *owner = variable_of(n, node);
        if (!owner || role == SF_ROLE_VARIABLE) {
            continue;
        }
        n->has_cycles = true;
        if (role == SF_ROLE_UPDATE) {
            Held *h = &n->held[owner->id];
            h->is_trained = true;
            h->interval = sf_interval_finite(sf_dtype_base(node->inputs[node->nin - 1].dtype));
        }
    }
}

/* Eager variables that a gradient is taken with respect to. */
static void find_eager_variables(SfNumeric *n)
{
    n->has_cycles = n->has_cycles || n->eager->nwrites > 0;
    for (int id = 0; id < n->count; id++) {
        const SfNode *node = n->g->nodes[id];
        if (sf_node_role(node) == SF_ROLE_GRADIENT && node->nin > 0 &&
            is_inside(n, &node->inputs[0])) {
            n->held[node->inputs[0].node->id].is_trained = true;
        }
    }
    for (int32_t i = 0; i < n->eager->nwrites; i++) {
        const SfWrites *w = &n->eager->writes[i];
        if (w->root < n->count && w->node < n->count) {
            Held *root = &n->held[w->root], *h = &n->held[w->node];
            h->is_trained = h->is_trained || root->is_trained || w->any;
        }
    }
}

/* What no node of the graph writes comes from elsewhere. */
static void open_unwritten(SfNumeric *n)
{
    for (int id = 0; id < n->count; id++) {
        Held *h = &n->held[id];
        const SfAttr *dtype = h->is_variable ? sf_node_attr(n->g->nodes[id], "dtype") : NULL;
        if (dtype && sf_interval_is_empty(h->interval) && !(h->interval.flags & SF_MAY_BE_ANY)) {
            h->interval = sf_interval_finite(dtype->u.type);
            n->changed = true;
        }
    }
}

static void index_facts(SfNumeric *n)
{
    for (int i = n->nfacts - 1; i >= 0; i--) {
        const SfRangeFact *f = &n->all_facts[i];
        if (f->node->graph == n->g && f->node->id < n->count) {
            n->facts[f->node->id] = f; /* facts of a node lie together */
        }
    }
}

SfStatus sf_numeric_make(const SfGraph *g, const SfTraceValues *eager, const SfRangeFact *facts,
                         int nfacts, SfRangeTrial trial, SfArena *arena, SfNumeric **out)
{
    SfNumeric *n = sf_arena_alloc(arena, sizeof *n);
    SF_TRY_ALLOC(n);
    *n = (SfNumeric){.g = g,
                     .count = g->count,
                     .all_facts = facts,
                     .nfacts = nfacts,
                     .trial = trial,
                     .eager = eager};
    SF_TRY(alloc(n, arena));
    index_facts(n);
    find_variables(n);
    if (eager) {
        find_eager_variables(n);
    }
    bool opened = false;
    for (n->round = 0; n->round < MOST_ROUNDS; n->round++) {
        n->changed = false;
        for (int id = 0; id < n->count; id++) {
            compute(n, g->nodes[id]);
        }
        if (n->round == 0 || (!n->changed && !opened)) {
            opened = n->round > 0;
            open_unwritten(n);
        }
        if (!n->has_cycles || (n->round > 0 && !n->changed)) {
            break;
        }
    }
    *out = n;
    return SF_OK;
}

const SfGraph *sf_numeric_graph(const SfNumeric *n)
{
    return n->g;
}

int sf_numeric_size(const SfNumeric *n)
{
    return n->count;
}

SfRange sf_numeric_context(SfNumeric *n, const SfNode *node)
{
    read_inputs(n, node);
    return (SfRange){.node = node, .in = n->in, .numeric = n};
}

bool sf_numeric_is_trained(const SfNumeric *n, const SfNode *owner)
{
    return owner->graph == n->g && owner->id < n->count && n->held[owner->id].is_trained;
}

void sf_numeric_extent(const SfNumeric *n, int *operations, int *trivial)
{
    *operations = *trivial = 0;
    for (int id = 0; id < n->count; id++) {
        const SfNode *node = n->g->nodes[id];
        const bool counts =
            node->nout > 0 && sf_dtype_is_floating(sf_dtype_base(node->outputs[0].dtype));
        *operations += counts;
        *trivial += counts && !node->sig->def->range && !node->outputs[0].value &&
                    sf_node_role(node) != SF_ROLE_PLACEHOLDER;
    }
}
