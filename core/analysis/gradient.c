/* tf.gradients without gradients: which xs a gradient reaches, and whether it is sparse.
 * Invariant: nothing is added to the graph. Owner: work memory is freed before returning.
 * Source: tensorflow/python/ops/gradients_util.py (_PendingCount, _GradientsHelper). */
#include <string.h>

#include "core/analysis/backward.h"
#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"
#include "lattice/intern.h"

static const SfGradient dense = {.kind = SF_GRADIENT_DENSE};

typedef struct Walk {
    SfGraph *graph;
    int low, high;     /* ids of the nodes concerned: [low, high) */
    char *reached;     /* per node: on a differentiable path from some x */
    char *stopped;     /* per node: tf.gradients ends the search there */
    int32_t *first;    /* per node: its first output in `grads` */
    SfGradient *grads; /* per output: what gradient arrives there */
    bool has_back_edges;
} Walk;

/* backprop_util.IsTrainable. */
static bool is_trainable(SfDtype t)
{
    t = sf_dtype_base(t);
    return t == SF_DT_HALF || t == SF_DT_BFLOAT16 || t == SF_DT_FLOAT || t == SF_DT_DOUBLE ||
           t == SF_DT_COMPLEX64 || t == SF_DT_COMPLEX128 || t == SF_DT_RESOURCE ||
           t == SF_DT_VARIANT;
}

static bool inside(const Walk *w, const SfNode *n)
{
    return n && n->graph == w->graph && n->id >= w->low && n->id < w->high;
}

static SfGradient *grad_at(const Walk *w, const SfTensor *t)
{
    return &w->grads[w->first[t->node->id - w->low] + t->index];
}

/* forwards: what depends on an x */

static bool reaches(const Walk *w, const SfNode *n)
{
    for (int i = 0; i < n->nin; i++) {
        const SfTensor *t = &n->inputs[i];
        if (inside(w, t->node) && w->reached[t->node->id - w->low] && is_trainable(t->dtype)) {
            return true;
        }
    }
    return false;
}

static void mark_reached(Walk *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int id = w->low; id < w->high; id++) {
            char *mark = &w->reached[id - w->low];
            if (!*mark && reaches(w, w->graph->nodes[id])) {
                *mark = 1;
                changed = w->has_back_edges; /* all other edges lead to later nodes */
            }
        }
    }
}

/* backwards: where gradients arrive */

static bool last_dim_is_one(const SfTensor *t)
{
    return sf_shape_rank(t->shape) == 2 && sf_shape_dim(t->shape, 1) == 1;
}

bool sf_gradient_is_slices(const SfNode *n, int input)
{
    int64_t axis;
    switch (input == 0 ? (int)sf_node_role(n) : SF_ROLE_NONE) {
    case SF_ROLE_GATHER:
        return true;
    case SF_ROLE_GATHER_ALONG:
        return n->nin > 2 && sf_value_as_int(n->inputs[2].value, &axis) && axis == 0;
    case SF_ROLE_GATHER_ND:
        return n->nin > 1 && last_dim_is_one(&n->inputs[1]);
    default:
        return false;
    }
}

/* What arrives at `input` of an op at whose outputs `grad` arrives: an indexed read gives an
 * IndexedSlices, Identity and its like pass on what they get, anything else makes it dense. */
static SfGradient grad_of_input(const SfNode *n, int input, SfGradient grad)
{
    if (sf_gradient_is_slices(n, input)) {
        const SfTensor *indices = &n->inputs[1];
        return (SfGradient){SF_GRADIENT_SLICES, sf_shape_count(indices->shape),
                            sf_dtype_base(indices->dtype)};
    }
    return n->sig->def->traits & SF_OP_PASSES_GRADIENT ? grad : dense;
}

/* What is differentiable: what the op's entry says, or all where the program gives a gradient. */
static unsigned facts_of(const SfNode *n)
{
    return n->context->own_gradient ? SF_GRAD_FLOATS : n->sig->def->grad;
}

static bool is_differentiable(const SfNode *n, int i)
{
    const unsigned grad = facts_of(n);
    if (grad == SF_GRAD_FLOATS) {
        return true;
    }
    const int port = sf_input_port(n->sig, n->attrs, i, NULL);
    return port >= 0 && port < 29 && (grad >> port & 1);
}

/* A sum of sparse and dense gradients: dense in TensorFlow 1.15, sparse in 1.8, which turned the
 * dense ones into slices; taken to change with the rewrite of 1.14. */
static bool add_grad(const Walk *w, SfGradient *to, SfGradient grad)
{
    const SfGradientKind before = to->kind;
    if (before == SF_GRADIENT_NONE) {
        *to = grad;
    } else if (before == SF_GRADIENT_SLICES && grad.kind == SF_GRADIENT_SLICES) {
        to->rows = sf_dim_add(to->rows, grad.rows);
    } else if (before != grad.kind) {
        to->indices = before == SF_GRADIENT_SLICES ? to->indices : grad.indices;
        to->kind = w->graph->version < SF_VERSION(1, 14) ? SF_GRADIENT_SLICES : SF_GRADIENT_DENSE;
        to->rows = SF_DIM_UNKNOWN;
    }
    return to->kind != before;
}

static SfGradient grad_of_outputs(const Walk *w, const SfNode *n)
{
    SfGradient grad = {.kind = SF_GRADIENT_NONE};
    for (int i = 0; i < n->nout; i++) {
        const SfGradient *g = grad_at(w, &n->outputs[i]);
        if (g->kind != SF_GRADIENT_NONE && is_trainable(n->outputs[i].dtype)) {
            (void)add_grad(w, &grad, *g);
        }
    }
    return grad;
}

static SfStatus report_missing(const SfNode *n, SfSink *sink)
{
    const SfDiagArg args[] = {SF_TEXT_ARG(n->name), SF_TEXT_ARG(n->sig->def->name)};
    return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_NO_GRADIENT,
                                          .phase = SF_PHASE_API,
                                          SF_DIAG_OF(n),
                                          .nargs = 2,
                                          .args = args});
}

/* One op of the backward pass. */
static SfStatus pass_back(const Walk *w, const SfNode *n, SfSink *sink, bool *changed)
{
    const int k = n->id - w->low;
    if (!w->reached[k] || w->stopped[k]) {
        return SF_OK;
    }
    const SfGradient grad = grad_of_outputs(w, n);
    const unsigned facts = facts_of(n);
    if (grad.kind == SF_GRADIENT_NONE || facts == SF_GRAD_NONE) {
        return SF_OK;
    }
    if (facts == SF_GRAD_MISSING) {
        return report_missing(n, sink);
    }
    for (int i = 0; i < n->nin; i++) {
        const SfTensor *t = &n->inputs[i];
        if (inside(w, t->node) && w->reached[t->node->id - w->low] && is_trainable(t->dtype) &&
            is_differentiable(n, i)) {
            const bool news = add_grad(w, grad_at(w, t), grad_of_input(n, i, grad));
            *changed = *changed || news;
        }
    }
    return SF_OK;
}

static SfStatus walk_back(const Walk *w, SfSink *sink)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int id = w->high - 1; id >= w->low; id--) {
            SF_TRY(pass_back(w, w->graph->nodes[id], sink, &changed));
        }
        changed = changed && w->has_back_edges;
    }
    return SF_OK;
}

/* the whole */

/* From the oldest x to the newest y: no path leaves this range, but for loops. */
static void find_range(Walk *w, const SfTensor *ys, int ny, const SfTensor *xs, int nx)
{
    w->low = w->graph->count;
    w->high = 0;
    for (int i = 0; i < nx; i++) {
        w->low = xs[i].node && xs[i].node->id < w->low ? xs[i].node->id : w->low;
    }
    for (int i = 0; i < ny; i++) {
        w->high = ys[i].node && ys[i].node->id >= w->high ? ys[i].node->id + 1 : w->high;
    }
    for (int id = 0; id < w->graph->count && !w->has_back_edges; id++) {
        const SfNode *n = w->graph->nodes[id];
        for (int k = 0; sf_role_is_flow(sf_node_role(n)) && k < n->nin; k++) {
            w->has_back_edges =
                w->has_back_edges || (n->inputs[k].node && n->inputs[k].node->id >= id);
        }
    }
    if (w->has_back_edges) {
        w->high = w->graph->count;
    }
    w->low = w->low < w->high ? w->low : w->high;
}

static SfStatus alloc_walk(Walk *w)
{
    const size_t n = (size_t)(w->high - w->low);
    size_t outputs = 0;
    w->reached = sf_calloc(n + 1, 1);
    w->stopped = sf_calloc(n + 1, 1);
    w->first = sf_malloc((n + 1) * sizeof *w->first);
    for (size_t i = 0; w->first && i < n; i++) {
        w->first[i] = (int32_t)outputs;
        outputs += (size_t)w->graph->nodes[(size_t)w->low + i]->nout;
    }
    w->grads = sf_calloc(outputs + 1, sizeof *w->grads);
    return w->reached && w->stopped && w->first && w->grads ? SF_OK : SF_NOMEM;
}

/* _StopOps: the stop tensors, and xs that depend on no other x. */
static void mark_stops(const Walk *w, const SfTensor *stops, int nstop, const SfTensor *xs, int nx)
{
    for (int i = 0; i < nstop; i++) {
        if (inside(w, stops[i].node)) {
            w->stopped[stops[i].node->id - w->low] = 1;
        }
    }
    for (int i = 0; i < nx; i++) {
        if (inside(w, xs[i].node) && !reaches(w, xs[i].node)) {
            w->stopped[xs[i].node->id - w->low] = 1;
        }
    }
}

static SfStatus walk(Walk *w, const SfTensor *ys, int ny, const SfTensor *xs, int nx,
                     const SfTensor *stops, int nstop, SfGradient *out, SfSink *sink)
{
    SF_TRY(alloc_walk(w));
    for (int i = 0; i < nx; i++) {
        if (inside(w, xs[i].node)) {
            w->reached[xs[i].node->id - w->low] = 1;
        }
    }
    mark_reached(w);
    mark_stops(w, stops, nstop, xs, nx);
    for (int i = 0; i < ny; i++) {
        if (inside(w, ys[i].node) && is_trainable(ys[i].dtype)) {
            *grad_at(w, &ys[i]) = dense;
        }
    }
    SF_TRY(walk_back(w, sink));
    for (int i = 0; i < nx; i++) {
        if (inside(w, xs[i].node)) {
            out[i] = *grad_at(w, &xs[i]);
            out[i].rows = w->has_back_edges ? SF_DIM_UNKNOWN : out[i].rows; /* in each turn more */
        }
    }
    return SF_OK;
}

SfStatus sf_graph_connected(SfGraph *g, const SfTensor *ys, int ny, const SfTensor *xs, int nx,
                            const SfTensor *stops, int nstop, SfGradient *out, SfSink *sink)
{
    Walk w = {.graph = g};
    memset(out, 0, (size_t)nx * sizeof *out); /* none */
    find_range(&w, ys, ny, xs, nx);
    const SfStatus status = walk(&w, ys, ny, xs, nx, stops, nstop, out, sink);
    sf_free(w.reached);
    sf_free(w.stopped);
    sf_free(w.first);
    sf_free(w.grads);
    return status;
}
