/* Intervals of a graph. See numeric.h. */
#include "core/analysis/numeric.h"

#include <float.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/graph/graph_impl.h"
#include "lattice/intern.h"

enum { KERNEL_ULPS = 4, SURE_ROUNDS = 2, MOST_ROUNDS = 40 };

/* What a variable was seen to hold; of nodes that make none, nothing. */
typedef struct Held {
    SfInterval interval;
    bool is_variable, is_trained;
    bool is_clipped; /* each training step ends with an assignment of what the step made of it */
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
    unsigned char *broken;      /* as `at`: flags that were taken off; NULL: none are */
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

bool sf_numeric_is_computed(const SfNumeric *n, const SfTensor *t)
{
    return is_inside(n, t) && !n->facts[t->node->id] &&
           !sf_trace_values_writes(n->eager, t->node->id);
}

bool sf_numeric_part(const SfNumeric *n, const SfTensor *t, SfRangePart p, SfInterval *out)
{
    bool found = false;
    *out = sf_interval_none();
    if (!is_inside(n, t) || sf_node_role(t->node) != SF_ROLE_PLACEHOLDER ||
        p.axis != sf_shape_rank(t->shape) - 1) {
        return false;
    }
    for (const SfRangeFact *f = n->facts[t->node->id];
         f && f < n->all_facts + n->nfacts && f->node == t->node; f++) {
        if (f->output == t->index && f->begin < p.end && p.begin < f->end) {
            *out = sf_interval_join(*out, f->interval);
            found = true;
        }
    }
    return found;
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

/* Of two with as many elements. */
static bool have_equal_shapes(const SfTensor *a, const SfTensor *b)
{
    const int rank = sf_shape_rank(a->shape);
    int unknown = 0;
    for (int i = 0; i < rank; i++) {
        const SfDim dim = sf_shape_dim(a->shape, i);
        unknown += !sf_dim_is_known(dim) && !sf_dim_is_symbolic(dim);
    }
    return a->shape == b->shape && rank >= 0 && unknown < 2;
}

const SfTensor *sf_range_in_place(const SfTensor *t)
{
    const SfTensor *found = t;
    while (t->node && t->node->nin > 0 && is_copy(t->node)) {
        const SfOpRole role = sf_node_role(t->node);
        const bool moves = role != SF_ROLE_IDENTITY && role != SF_ROLE_STOP_GRADIENT;
        const bool is_here = t == found;
        t = &t->node->inputs[0];
        if ((is_here && !moves) || have_equal_shapes(t, found)) {
            found = t;
        }
    }
    return found;
}

enum { TWIN_DEPTH = 3, TWIN_INPUTS = 3 };

static bool have_equal_attrs(const SfNode *a, const SfNode *b)
{
    for (int i = 0; i < a->sig->nattr; i++) {
        const SfAttr *x = &a->attrs[i], *y = &b->attrs[i];
        const bool equal = x->type == SF_ATTR_TYPE    ? x->u.type == y->u.type
                           : x->type == SF_ATTR_BOOL  ? x->u.b == y->u.b
                           : x->type == SF_ATTR_INT   ? x->u.i == y->u.i
                           : x->type == SF_ATTR_FLOAT ? x->u.f == y->u.f
                                                      : false;
        if (x->type != y->type || x->set != y->set || (x->set && !equal)) {
            return false;
        }
    }
    return true;
}

static bool is_same_shaped(const SfTensor *a, const SfTensor *b, int depth);

/* Does each compute the same of the same? A program may write tf.abs(x) twice. */
static bool are_twins(const SfNode *a, const SfNode *b, int depth)
{
    const unsigned differs = SF_OP_STATEFUL | SF_OP_RANDOM | SF_OP_STATE | SF_OP_UNMODELLED;
    const SfOpRole role = sf_node_role(a);
    if (depth == 0 || a->sig != b->sig || a->graph != b->graph || a->nin != b->nin || a->nin == 0 ||
        a->nin > TWIN_INPUTS || (role != SF_ROLE_NONE && role != SF_ROLE_CAST) ||
        a->sig->def->traits & differs || !have_equal_attrs(a, b)) {
        return false;
    }
    for (int i = 0; i < a->nin; i++) {
        if (!is_same_shaped(&a->inputs[i], &b->inputs[i], depth - 1)) {
            return false;
        }
    }
    return true;
}

static bool is_same(const SfTensor *a, const SfTensor *b, int depth)
{
    a = sf_range_origin(a);
    b = sf_range_origin(b);
    if (!a->node || !b->node || a->index != b->index) {
        return false;
    }
    if (a->node == b->node) {
        return sf_node_role(a->node) != SF_ROLE_NO_OP || a->value == b->value;
    }
    const bool constants = a->value && a->value == b->value && sf_value_is_exact(a->value);
    return (constants && a->node->nin == 0 && b->node->nin == 0) ||
           are_twins(a->node, b->node, depth);
}

static bool is_same_shaped(const SfTensor *a, const SfTensor *b, int depth)
{
    return is_same(a, b, depth) &&
           (have_equal_shapes(a, b) ||
            (a->shape == b->shape && a->node == b->node && a->index == b->index));
}

bool sf_range_same(const SfTensor *a, const SfTensor *b)
{
    return is_same(a, b, TWIN_DEPTH);
}

bool sf_range_same_shaped(const SfTensor *a, const SfTensor *b)
{
    return is_same_shaped(a, b, TWIN_DEPTH);
}

void sf_range_count(const SfRange *c, int input, double *least, double *most)
{
    const SfDim n = sf_shape_count(c->node->inputs[input].shape);
    *least = sf_dim_is_known(n) ? (double)n : 0;
    *most = sf_dim_is_known(n) ? (double)n : -1;
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

enum { CLIP_DEPTH = 4, CLIP_READS = 4 };

/* The tensors that read the variable of `owner`, from which `t` is computed element by element. */
static void find_reads(const SfTensor *t, const SfNode *owner, int depth, SfAssumption reads[],
                       int *count)
{
    const SfNode *n = t->node;
    const bool is_read =
        t->state == owner ||
        (n && n->nin > 0 && n->inputs[0].state == owner &&
         (sf_node_role(n) == SF_ROLE_READ_VARIABLE || sf_node_role(n) == SF_ROLE_IDENTITY));
    if (is_read && *count < CLIP_READS) {
        reads[(*count)++] = (SfAssumption){t, sf_interval_finite(sf_dtype_base(t->dtype))};
        return;
    }
    if (!is_read && n && depth > 0 &&
        (n->sig->def->traits & SF_OP_ELEMENTWISE || sf_node_role(n) == SF_ROLE_IDENTITY)) {
        for (int i = 0; i < n->nin; i++) {
            find_reads(&n->inputs[i], owner, depth - 1, reads, count);
        }
    }
}

/* Is what the variable gets computed from what it holds, as by tf.clip_by_value? */
static int reads_itself(const SfNode *node, const SfNode *owner, SfAssumption reads[])
{
    int count = 0;
    if (sf_node_role(node) == SF_ROLE_ASSIGN && node->nin > 1) {
        find_reads(&node->inputs[1], owner, CLIP_DEPTH, reads, &count);
    }
    return count;
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
    all = sf_interval_countable(all, t);
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

static bool reads_computed(const SfNode *node)
{
    for (int i = 0; i < node->nin; i++) {
        const SfTensor *t = &node->inputs[i];
        if (sf_dtype_is_floating(sf_dtype_base(t->dtype)) && t->node && t->node->nin > 0) {
            return true;
        }
    }
    return false;
}

static SfInterval settled(const SfNumeric *n, const SfNode *node, int k, SfInterval computed)
{
    SfInterval known;
    const SfTensor *t = &node->outputs[k];
    const SfDtype base = sf_dtype_base(t->dtype);
    const bool is_exact = node->nin == 0 || (!sf_dtype_is_floating(base) && !reads_computed(node));
    /* A kernel may round otherwise than what was computed here. */
    if (t->value && !is_exact && sf_value_is_exact(t->value) &&
        (node->sig->def->range || !is_of_constants(node))) {
        return computed;
    }
    if (sf_interval_of_value(t->value, &known)) {
        return is_exact ? known : sf_interval_loosen(known, base, KERNEL_ULPS);
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
        if (f->output == k && f->end == 0) {
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

enum { BREAKS = SF_MAY_BE_NAN | SF_MAY_BE_INF };

/* Takes what is not finite off the outputs and what is written, but what came in. */
static void take_off_broken(SfNumeric *n, const SfNode *node, SfInterval *written)
{
    unsigned came = ~(unsigned)BREAKS;
    for (int i = 0; i < node->nin; i++) {
        came |= n->in[i].flags;
    }
    for (int k = 0; k < node->nout; k++) {
        SfInterval *out = &n->at[n->first[node->id] + k];
        n->broken[n->first[node->id] + k] = (unsigned char)(out->flags & ~came);
        out->flags &= came;
    }
    written->flags &= came;
}

static void compute(SfNumeric *n, const SfNode *node)
{
    if (n->round > 0 && node->nin == 0 && sf_node_role(node) == SF_ROLE_CONST) {
        return;
    }
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
    SfAssumption reads[CLIP_READS];
    const int nreads =
        owner && n->held[owner->id].is_clipped ? reads_itself(node, owner, reads) : 0;
    if (nreads > 0) { /* it reads what the training step has made: any number */
        written = sf_range_supposing(&c, &node->inputs[1], reads, nreads);
    }
    if (n->broken) {
        take_off_broken(n, node, &written);
    }
    for (int k = 0; k < node->nout; k++) {
        SfInterval now = settled(n, node, k, out[k]);
        if (cut && k < 4 && n->round > 0) {
            const SfDtype t = sf_dtype_base(node->outputs[k].dtype);
            now = n->round > MOST_ROUNDS / 2 && !sf_interval_below(now, was[k]) ? sf_interval_top(t)
                  : n->round > SURE_ROUNDS ? sf_interval_widen(was[k], now, t)
                                           : sf_interval_join(was[k], now);
            now = sf_interval_countable(now, t);
            n->changed = n->changed || !sf_interval_equal(now, was[k]);
        }
        out[k] = now;
    }
    if (owner && !(sf_interval_is_empty(written) && !(written.flags & SF_MAY_BE_ANY))) {
        note_written(n, owner, written);
    }
}

/* the whole */

static SfStatus alloc(SfNumeric *n, SfArena *arena, bool is_unbroken)
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
    n->broken = is_unbroken ? sf_arena_alloc(arena, outputs + 1) : NULL;
    SF_TRY_ALLOC(n->at && n->in && (n->broken || !is_unbroken));
    for (size_t i = 0; i < outputs; i++) {
        n->at[i] = sf_interval_none();
    }
    return SF_OK;
}

/* A variable that a training step updates may be any number from the start, unless it is clipped
 * afterwards; one that nothing writes, as those that a checkpoint fills, too. */
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
        Held *h = &n->held[owner->id];
        SfAssumption reads[CLIP_READS];
        h->is_trained = h->is_trained || role == SF_ROLE_UPDATE;
        h->is_clipped = h->is_clipped || reads_itself(node, owner, reads) > 0;
    }
    for (int id = 0; id < n->count; id++) {
        Held *h = &n->held[id];
        const SfAttr *dtype = h->is_variable ? sf_node_attr(n->g->nodes[id], "dtype") : NULL;
        h->is_clipped = h->is_clipped && h->is_trained;
        if (dtype && h->is_trained && !h->is_clipped) {
            h->interval = sf_interval_finite(dtype->u.type);
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

SfStatus sf_numeric_make(const SfNumericInput *input, SfArena *arena, SfNumeric **out)
{
    const SfGraph *g = input->g;
    SfNumeric *n = sf_arena_alloc(arena, sizeof *n);
    SF_TRY_ALLOC(n);
    *n = (SfNumeric){.g = g,
                     .count = g->count,
                     .all_facts = input->facts,
                     .nfacts = input->nfacts,
                     .trial = input->trial,
                     .eager = input->eager};
    SF_TRY(alloc(n, arena, input->is_unbroken));
    index_facts(n);
    find_variables(n);
    if (n->eager) {
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

unsigned sf_numeric_broken(const SfNumeric *n, const SfTensor *t)
{
    return n->broken && is_inside(n, t) ? n->broken[n->first[t->node->id] + t->index] : 0;
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
