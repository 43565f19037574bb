/* Does what is known of a tensor follow from something unmodelled? The answer is where it comes
 * from. See graph.h. */
#include <string.h>

#include "core/graph/graph_impl.h"
#include "lattice/intern.h"

static bool attr_is_true(const SfNode *n, const char *name)
{
    const SfAttr *a = sf_node_attr(n, name);
    return a && a->type == SF_ATTR_BOOL && a->u.b;
}

/* A placeholder op whose output shapes are all known makes nothing unknown, unless its elements
 * may be sizes (integers). */
static bool has_known_shapes(const SfNode *n)
{
    for (int i = 0; i < n->nout; i++) {
        const SfDtype t = sf_dtype_base(n->outputs[i].dtype);
        if (!sf_shape_is_known(n->outputs[i].shape) || t == SF_DT_INVALID ||
            sf_dtype_is_integer(t)) { /* an import may still make it one */
            return false;
        }
    }
    return true;
}

/* A size of something unmodelled in a shape: tf.placeholder(tf.float32, [None, n]). */
static bool has_unmodelled_dim(const SfShape *s)
{
    bool has = false;
    for (int i = 0; i < sf_shape_rank(s) && !has; i++) {
        has = sf_dim_is_unmodelled(sf_shape_dim(s, i));
    }
    return has;
}

static bool makes_unmodelled_dim(const SfNode *n)
{
    bool makes = false;
    for (int i = 0; i < n->nout && !makes; i++) {
        makes = has_unmodelled_dim(n->outputs[i].shape);
    }
    return makes;
}

typedef enum Verdict { UNMODELLED, TRUSTED, LOOK_FURTHER } Verdict;

static Verdict classify(const SfNode *n, SfUnmodelledFact what)
{
    if (n->context->failed && what == SF_UNMODELLED_SHAPE) {
        return UNMODELLED; /* an error that follows from another one is not reported */
    }
    if ((n->sig->def->traits & SF_OP_UNMODELLED) != 0) {
        if (what == SF_UNMODELLED_DTYPE) {
            return attr_is_true(n, "any_dtype") ? UNMODELLED : TRUSTED;
        }
        return attr_is_true(n, "trusted") || has_known_shapes(n) ? TRUSTED : UNMODELLED;
    }
    if (what == SF_UNMODELLED_SHAPE && sf_dim_any_unmodelled() && makes_unmodelled_dim(n)) {
        return UNMODELLED;
    }
    const SfAttr *shape =
        (n->sig->def->traits & SF_OP_STATE) != 0 ? sf_node_attr(n, "shape") : NULL;
    if (what == SF_UNMODELLED_SHAPE && shape && shape->type == SF_ATTR_SHAPE &&
        !sf_shape_is_ranked(shape->u.shape)) {
        return UNMODELLED; /* a variable that something unmodelled initialised */
    }
    return LOOK_FURTHER;
}

bool sf_node_may_be_unmodelled(const SfNode *n)
{
    return n->context->failed || (n->sig->def->traits & SF_OP_UNMODELLED) != 0 ||
           classify(n, SF_UNMODELLED_SHAPE) == UNMODELLED;
}

/* the walk
 * A verdict is found once for each node and kept: what a node was computed from does not change,
 * but for a loop's back edge and set_shape, which reset it. So all questions about a graph together
 * cost one look at each node. The nodes of a loop get their verdict together (Tarjan's strongly
 * connected components). */

typedef struct Visit {
    const SfNode *node;
    int32_t next;   /* the next of its inputs to look at */
    int32_t lowest; /* the lowest place in `open` that it reaches */
    bool unmodelled;
} Visit;

typedef struct Walk {
    SfGraph *g;
    SfUnmodelledFact what;
    Visit *path;
    int npath, path_room;
    int32_t *open; /* ids of nodes that were met and have no verdict yet */
    int nopen, open_room;
    bool failed; /* no memory */
} Walk;

static uint8_t known_bit(SfUnmodelledFact what)
{
    return (uint8_t)(what == SF_UNMODELLED_SHAPE ? 1 : 4);
}

static uint8_t unmodelled_bit(SfUnmodelledFact what)
{
    return (uint8_t)(known_bit(what) << 1);
}

/* Room for a verdict of every node; false: no memory. */
static bool reserve_verdicts(SfGraph *g)
{
    if (g->verdicts_stale) {
        memset(g->verdicts, 0, (size_t)g->nverdicts * sizeof *g->verdicts);
        g->verdicts_stale = false;
    }
    if (g->nverdicts >= g->count) {
        return true;
    }
    const size_t had = (size_t)g->nverdicts, n = (size_t)g->capacity;
    uint8_t *verdicts = sf_realloc(g->verdicts, n * sizeof *verdicts);
    g->verdicts = verdicts ? verdicts : g->verdicts;
    int32_t *places = sf_realloc(g->walk_places, n * sizeof *places);
    g->walk_places = places ? places : g->walk_places;
    if (!verdicts || !places) {
        return false;
    }
    memset(verdicts + had, 0, (n - had) * sizeof *verdicts);
    memset(places + had, 0, (n - had) * sizeof *places);
    g->nverdicts = g->capacity;
    return true;
}

static void keep_verdict(Walk *w, int32_t id, bool unmodelled)
{
    w->g->verdicts[id] |= known_bit(w->what);
    w->g->verdicts[id] |= unmodelled ? unmodelled_bit(w->what) : 0;
}

static bool reserve(void **items, int *room, int n, size_t size)
{
    if (n < *room) {
        return true;
    }
    const int more = *room ? *room * 2 : 64;
    void *grown = sf_realloc(*items, (size_t)more * size);
    *items = grown ? grown : *items;
    *room = grown ? more : *room;
    return grown;
}

/* Opens a node that has no verdict, or gives it one at once. */
static void enter(Walk *w, const SfNode *n)
{
    const Verdict v = classify(n, w->what);
    if (v != LOOK_FURTHER || n->nin == 0) {
        keep_verdict(w, n->id, v == UNMODELLED);
        return;
    }
    void *path = w->path, *open = w->open;
    w->failed = !reserve(&path, &w->path_room, w->npath, sizeof *w->path) || w->failed;
    w->failed = !reserve(&open, &w->open_room, w->nopen, sizeof *w->open) || w->failed;
    w->path = path;
    w->open = open;
    if (w->failed) {
        return;
    }
    w->path[w->npath++] = (Visit){.node = n, .lowest = w->nopen};
    w->open[w->nopen++] = n->id;
    w->g->walk_places[n->id] = w->nopen; /* place + 1 */
}

/* The next input of the visit that has to be entered first, or NULL when all are dealt with. */
static const SfNode *next_of(const Walk *w, Visit *v)
{
    const SfGraph *g = w->g;
    for (; v->next < v->node->nin && !v->unmodelled; v->next++) {
        const SfNode *from = v->node->inputs[v->next].node;
        if (!from || from->graph != g || from->id < 0 || from->id >= g->count) {
            continue;
        }
        const int32_t place = g->walk_places[from->id] - 1;
        if (g->verdicts[from->id] & known_bit(w->what)) {
            v->unmodelled = (g->verdicts[from->id] & unmodelled_bit(w->what)) != 0;
        } else if (place >= 0) {
            v->lowest = place < v->lowest ? place : v->lowest;
        } else {
            return from;
        }
    }
    return NULL;
}

/* Ends the newest visit: gives all nodes that are open from it on their verdict, or passes its
 * lowest place on to the visit below. */
static void leave(Walk *w)
{
    const Visit v = w->path[--w->npath];
    const int32_t place = w->g->walk_places[v.node->id] - 1;
    if (v.lowest == place || v.unmodelled) {
        while (w->nopen > place) {
            const int32_t id = w->open[--w->nopen];
            w->g->walk_places[id] = 0;
            keep_verdict(w, id, v.unmodelled);
        }
    } else if (w->npath > 0) {
        Visit *back = &w->path[w->npath - 1];
        back->lowest = v.lowest < back->lowest ? v.lowest : back->lowest;
    }
}

/* False: no memory. */
static bool find_verdict(const SfNode *start, SfUnmodelledFact what)
{
    Walk w = {.g = start->graph, .what = what};
    enter(&w, start);
    while (w.npath > 0 && !w.failed) {
        Visit *v = &w.path[w.npath - 1];
        const SfNode *from = next_of(&w, v);
        if (from) {
            enter(&w, from);
        } else {
            leave(&w);
        }
    }
    for (int i = 0; i < w.nopen; i++) {
        w.g->walk_places[w.open[i]] = 0;
    }
    sf_free(w.path);
    sf_free(w.open);
    return !w.failed;
}

bool sf_tensor_is_unmodelled(const SfTensor *t, SfUnmodelledFact what)
{
    if (what == SF_UNMODELLED_SHAPE && sf_shape_is_known(t->shape)) {
        return false;
    }
    if (!t->node) { /* an eager tensor of TensorFlow has no unknown dimensions */
        return !sf_shape_is_ranked(t->shape) || what == SF_UNMODELLED_SHAPE ||
               has_unmodelled_dim(t->shape); /* as one whose dtype is a guess */
    }
    SfGraph *g = t->node->graph;
    const int32_t id = t->node->id;
    if (!g->has_unmodelled || id < 0 || id >= g->count) {
        return false;
    }
    if (!reserve_verdicts(g) ||
        (!(g->verdicts[id] & known_bit(what)) && !find_verdict(t->node, what))) {
        return true; /* no memory: no alarm */
    }
    return (g->verdicts[id] & unmodelled_bit(what)) != 0;
}

/* A back edge may bring what is not modelled to a node, and to what follows it, that was found to
 * have nothing to do with it. */
static bool brings_news(const SfNode *n, const SfTensor *t, SfUnmodelledFact what)
{
    const uint8_t verdict = n->graph->verdicts[n->id];
    return (verdict & known_bit(what)) && !(verdict & unmodelled_bit(what)) &&
           sf_tensor_is_unmodelled(&(SfTensor){.node = t->node, .shape = sf_shape_unknown()}, what);
}

void sf_node_input_changed(const SfNode *n, const SfTensor *t)
{
    SfGraph *g = n->graph;
    if (n->id >= 0 && n->id < g->nverdicts && !g->verdicts_stale && t->node) {
        g->verdicts_stale =
            brings_news(n, t, SF_UNMODELLED_SHAPE) || brings_news(n, t, SF_UNMODELLED_DTYPE);
    }
}

void sf_node_output_changed(const SfNode *n)
{
    if (n->id >= 0 && n->id < n->graph->nverdicts) {
        n->graph->verdicts[n->id] = 0;
    }
}

bool sf_graph_has_unmodelled_op(const SfGraph *g)
{
    for (int i = 0; g->has_unmodelled && i < g->count; i++) {
        const SfNode *n = g->nodes[i];
        if ((n->sig->def->traits & SF_OP_UNMODELLED) != 0 && n->nout > 0 &&
            sf_tensor_is_unmodelled(&n->outputs[0], SF_UNMODELLED_SHAPE)) {
            return true;
        }
    }
    return false;
}

bool sf_tensors_have_unmodelled(const SfTensor *t, int n, SfUnmodelledFact what)
{
    for (int i = 0; i < n; i++) {
        if (sf_tensor_is_unmodelled(&t[i], what)) {
            return true;
        }
    }
    return false;
}
