/* The node store: append, find, edit, verify. See graph.h. */
#include "core/graph/graph_impl.h"

#include <string.h>

#include "core/op/port.h"
#include "lattice/hash.h"
#include "lattice/intern.h"

static const SfNodeContext no_context = {.device = ""};

const SfNodeContext *sf_graph_no_context(void)
{
    return &no_context;
}

SfGraph *sf_graph_new(int version)
{
    SfGraph *g = sf_calloc(1, sizeof *g);
    if (!g) {
        return NULL;
    }
    sf_arena_init(&g->arena);
    sf_arena_init(&g->scratch);
    g->serial = sf_intern_serial();
    g->scope = "";
    g->last_context = &no_context;
    sf_graph_set_version(g, version);
    return g;
}

uint64_t sf_graph_serial(const SfGraph *g)
{
    return g->serial;
}

void sf_graph_free(SfGraph *g)
{
    if (!g) {
        return;
    }
    sf_arena_free(&g->arena);
    sf_arena_free(&g->scratch);
    sf_free(g->nodes);
    sf_index_free(&g->by_name);
    sf_free(g->used);
    sf_bound_free(&g->bound);
    sf_free(g->use);
    sf_free(g->verdicts);
    sf_free(g->walk_places);
    sf_free(g);
}

int sf_graph_version(const SfGraph *g)
{
    return g->version;
}

void sf_graph_set_version(SfGraph *g, int version)
{
    g->version = version;
    g->v2_shapes = version >= SF_VERSION(2, 0);
    memset(g->bases, 0, sizeof g->bases); /* what is legal depends on the version */
}

void sf_graph_set_v2_shapes(SfGraph *g, bool on)
{
    g->v2_shapes = on;
}

int sf_graph_size(const SfGraph *g)
{
    return g->count;
}

SfNode *sf_graph_node(const SfGraph *g, int id)
{
    return id >= 0 && id < g->count ? g->nodes[id] : NULL;
}

SfArena *sf_graph_arena(SfGraph *g)
{
    return &g->arena;
}

void sf_graph_finalize(SfGraph *g)
{
    g->finalized = true;
}

void sf_graph_unfinalize(SfGraph *g)
{
    g->finalized = false;
}

bool sf_graph_is_finalized(const SfGraph *g)
{
    return g->finalized;
}

uint32_t sf_graph_edits(const SfGraph *g)
{
    return g->edits;
}

/* Exact, unlike names.c: names that differ in case alone must not share one hash, or a hostile file
 * makes every lookup linear. */
static uint32_t hash_of(const char *name)
{
    return sf_hash_fold(sf_hash_text(name, strlen(name), 0));
}

static bool index_nodes(SfGraph *g)
{
    SfIndex *t = &g->by_name;
    bool ok = sf_index_reserve(t, (uint32_t)g->count);
    while (ok && t->count < (uint32_t)g->count) {
        ok = sf_index_add(t, hash_of(g->nodes[t->count]->name), (int32_t)t->count);
    }
    return ok;
}

/* Without memory for the index: one by one. */
static SfNode *find_slowly(const SfGraph *g, const char *name)
{
    for (int i = 0; i < g->count; i++) {
        if (strcmp(g->nodes[i]->name, name) == 0) {
            return g->nodes[i];
        }
    }
    return NULL;
}

SfNode *sf_graph_find(const SfGraph *g, const char *name)
{
    /* The index is a cache: a const graph may still learn where its nodes are. */
    if (!index_nodes((SfGraph *)g)) {
        return find_slowly(g, name);
    }
    const uint32_t hash = hash_of(name);
    uint32_t at = hash;
    for (int32_t id; (id = sf_index_next(&g->by_name, hash, &at)) >= 0;) {
        if (strcmp(g->nodes[id]->name, name) == 0) {
            return g->nodes[id];
        }
    }
    return NULL;
}

SfStatus sf_graph_append(SfGraph *g, SfNode *n)
{
    if (g->count == g->capacity) {
        const int capacity = g->capacity ? g->capacity * 2 : 64;
        SfNode **nodes = sf_realloc(g->nodes, (size_t)capacity * sizeof(SfNode *));
        SF_TRY_ALLOC(nodes);
        g->nodes = nodes;
        g->capacity = capacity;
    }
    n->id = g->count;
    g->nodes[g->count++] = n;
    if (n->context->failed || n->sig->def->traits & (SF_OP_UNMODELLED | SF_OP_STATE) ||
        sf_dim_any_unmodelled()) {
        g->has_unmodelled = g->has_unmodelled || sf_node_may_be_unmodelled(n);
    }
    return SF_OK;
}

/* attrs that nodes share */

bool sf_attrs_same(const SfOpSig *sig, const SfAttr *a, const SfAttr *b)
{
    bool same = true;
    for (int i = 0; same && i < sig->nattr; i++) {
        same = sf_attr_same(&a[i], &b[i]);
    }
    return same;
}

static SfAttr *keep_attrs(SfArena *arena, const SfOpSig *sig, const SfAttr *attrs)
{
    SfAttr *kept = sf_arena_copy(arena, attrs, (size_t)sig->nattr * sizeof *kept);
    for (int i = 0; kept && i < sig->nattr; i++) {
        if (sf_attr_keep(arena, &kept[i]) != SF_OK) {
            return NULL;
        }
    }
    return kept;
}

SfAttr *sf_graph_attrs(SfGraph *g, const SfOpSig *sig, const SfAttr *attrs)
{
    if (sig->nattr == 0) {
        return NULL;
    }
    SfBoundCall *newest = sf_bound_entry(&g->bound, &g->arena, sig);
    if (newest && newest->attrs && sf_attrs_same(sig, newest->attrs, attrs)) {
        return newest->attrs;
    }
    SfAttr *kept = keep_attrs(&g->arena, sig, attrs);
    if (kept && newest) {
        newest->attrs = kept;
        newest->repeats = false;
    }
    return kept;
}

/* edits of nodes that exist */

SfStatus sf_node_add_control(SfNode *n, SfNode *control)
{
    SfGraph *g = n->graph;
    const SfControlList *had = &n->context->control;
    SfNodeContext *context = sf_arena_copy(&g->arena, n->context, sizeof *context);
    SfNode **items = sf_arena_alloc(&g->arena, (size_t)(had->n + 1) * sizeof(SfNode *));
    SF_TRY_ALLOC(context && items);
    if (had->n > 0) {
        memcpy(items, had->items,
               (size_t)had->n * sizeof(SfNode *)); /* the old list may be shared */
    }
    items[had->n] = control;
    context->control = (SfControlList){had->n + 1, items};
    n->context = context;
    g->edits++;
    return SF_OK;
}

SfStatus sf_node_set_device(SfNode *n, const char *device)
{
    SfNodeContext *context = sf_arena_copy(&n->graph->arena, n->context, sizeof *context);
    const char *kept = sf_arena_strdup(&n->graph->arena, device);
    SF_TRY_ALLOC(context && kept);
    context->device = kept;
    n->context = context;
    return SF_OK;
}

SfStatus sf_node_set_input(SfNode *n, int i, SfTensor t)
{
    if (i < 0 || i >= n->nin) {
        return SF_OK; /* nothing to replace */
    }
    n->inputs[i] = t;
    n->graph->edits++;
    sf_node_input_changed(n, &t);
    return SF_OK;
}

/* What TensorFlow makes of two shapes that contradict each other by their symbols alone (n, n+1),
 * which it does not know: the second where it is known. NULL: no memory; bottom: a real
 * conflict. */
static const SfShape *merge_without_symbols(const SfShape *a, const SfShape *b)
{
    SfDim dims[SF_RANK_MAX];
    const int rank = sf_shape_rank(a);
    if (rank < 0 || rank != sf_shape_rank(b)) {
        return sf_shape_bottom();
    }
    for (int i = 0; i < rank; i++) {
        const SfDim x = sf_shape_dim(a, i), y = sf_shape_dim(b, i);
        if (sf_dim_is_known(x) && sf_dim_is_known(y) && x != y) {
            return sf_shape_bottom();
        }
        dims[i] = sf_dim_is_known(y) ? y : x;
    }
    return sf_shape_make(rank, dims);
}

/* From 1.10 on the message is those of the C API's shape refiner. NULL: the older ones. */
static const char *set_shape_message(SfGraph *g, const SfShape *mine, const SfShape *given)
{
    char a[512], b[512];
    const int rank = sf_shape_rank(mine);
    if (g->version < SF_VERSION(1, 10)) {
        return NULL;
    }
    if (rank != sf_shape_rank(given)) {
        return sf_arena_printf(&g->arena, "Shapes must be equal rank, but are %d and %d", rank,
                               sf_shape_rank(given));
    }
    sf_shape_format(mine, false, a, sizeof a);
    sf_shape_format(given, false, b, sizeof b);
    for (int i = 0; i < rank; i++) {
        const SfDim x = sf_shape_dim(mine, i), y = sf_shape_dim(given, i);
        if (sf_dim_is_known(x) && sf_dim_is_known(y) && x != y) {
            return sf_arena_printf(&g->arena,
                                   "Dimension %d in both shapes must be equal, but are %lld and "
                                   "%lld. Shapes are %s and %s.",
                                   i, (long long)x, (long long)y, a, b);
        }
    }
    return NULL;
}

SfStatus sf_output_set_shape(SfNode *n, int output, const SfShape *s, SfSink *sink)
{
    SfTensor *t = &n->outputs[output];
    const SfShape *both = sf_shape_meet(t->shape, s);
    if (both && sf_shape_is_bottom(both)) {
        both = merge_without_symbols(t->shape, s);
    }
    SF_TRY_ALLOC(both);
    if (sf_shape_is_bottom(both)) {
        char mine[512], given[512];
        const bool v2 = n->graph->v2_shapes;
        sf_shape_format_tuple(t->shape, v2, mine, sizeof mine);
        sf_shape_format_tuple(s, v2, given, sizeof given);
        const SfDiagArg args[] = {SF_TEXT_ARG(mine), SF_TEXT_ARG(given)};
        const SfPlace place = SF_OUTPUT(output);
        const SfDiagOperand operand = sf_operand("", t);
        return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_SET_SHAPE,
                                              .phase = SF_PHASE_API,
                                              .message = set_shape_message(n->graph, t->shape, s),
                                              SF_DIAG_OF(n),
                                              .nplaces = 1,
                                              .places = &place,
                                              .nargs = 2,
                                              .args = args,
                                              .noperands = 1,
                                              .operands = &operand});
    }
    if (both != t->shape) {
        t->shape = both;
        n->graph->edits++;
        sf_node_output_changed(n);
    }
    return SF_OK;
}

SfInferArgs sf_node_infer_args(const SfNode *n, const SfTensor *inputs, SfTensor *outs,
                               SfSink *sink, SfArena *scratch)
{
    return (SfInferArgs){.sig = n->sig,
                         .attrs = n->attrs,
                         .inputs = inputs,
                         .nin = n->nin,
                         .outs = outs,
                         .nout = n->nout,
                         .node = (SfNode *)(uintptr_t)n,
                         .name = n->name,
                         .location = n->location,
                         .version = sf_graph_version(n->graph),
                         .phase = SF_PHASE_BUILD,
                         .sink = sink,
                         .scratch = scratch};
}

/* verify */

static const char *verify_tensor(const SfNode *n, const SfTensor *t)
{
    if (!t->shape || sf_shape_is_bottom(t->shape)) {
        return "a tensor without a shape, or of bottom shape";
    }
    if (!t->node || t->node->graph != n->graph) {
        return "an input from another graph";
    }
    if (t->index < 0 || t->index >= t->node->nout) {
        return "an input names an output that its producer does not have";
    }
    /* What an unmodelled op gives is of the dtype that each of its consumers takes it for. */
    if (sf_dtype_base(t->dtype) != sf_dtype_base(t->node->outputs[t->index].dtype) &&
        !sf_tensor_is_unmodelled(&t->node->outputs[t->index], SF_UNMODELLED_DTYPE)) {
        return "an input and its producer disagree on the dtype";
    }
    return NULL;
}

static const char *verify_node(const SfGraph *g, const SfNode *n)
{
    for (int i = 0; i < n->nin; i++) {
        const SfTensor *t = &n->inputs[i];
        const char *wrong = verify_tensor(n, t);
        if (wrong) {
            return wrong;
        }
        if (t->node->id >= n->id && sf_node_role(n) != SF_ROLE_MERGE) {
            return "a back edge into a node that is not a Merge";
        }
    }
    for (int i = 0; i < n->nout; i++) {
        const SfTensor *t = &n->outputs[i];
        if (t->node != n || t->index != i) {
            return "an output that does not know its node";
        }
        if (!t->shape || sf_shape_is_bottom(t->shape)) {
            return "an output of bottom shape";
        }
        if (t->value && !sf_shape_leq(sf_value_shape(t->value), t->shape)) {
            return "an output whose value does not have its shape";
        }
        if (t->value && sf_value_dtype(t->value) != sf_dtype_base(t->dtype)) {
            return "an output whose value does not have its dtype";
        }
    }
    for (int i = 0; i < n->context->control.n; i++) {
        if (n->context->control.items[i]->graph != g) {
            return "a control input from another graph";
        }
    }
    return sf_graph_find(g, n->name) == n ? NULL : "a name that does not lead to its node";
}

const char *sf_graph_verify(const SfGraph *g)
{
    for (int i = 0; i < g->count; i++) {
        const SfNode *n = g->nodes[i];
        if (n->id != i || n->graph != g) {
            return "a node that does not know its place";
        }
        const char *wrong = verify_node(g, n);
        if (wrong) {
            return wrong;
        }
    }
    return NULL;
}
