/* FLOPs and bytes of every node. See cost.h. */
#include "core/analysis/cost.h"

#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"

typedef struct Costing {
    const SfGraph *g;
    int64_t assumed;
    SfTensor **outs; /* by node: its outputs where they are not the static ones */
    SfArena arena, scratch;
    SfTensor *inputs; /* of the node at hand */
    int inputs_cap;
    bool nomem;
} Costing;

/* shapes */
/* The inputs of `n` as they are here; does one differ from what the graph says? */
static bool gather_inputs(Costing *c, const SfNode *n)
{
    bool changed = false;
    if (n->nin > c->inputs_cap) {
        const int cap = n->nin * 2;
        SfTensor *grown = sf_arena_alloc(&c->arena, (size_t)cap * sizeof *grown);
        if (!grown) {
            c->nomem = true;
            return false;
        }
        c->inputs = grown;
        c->inputs_cap = cap;
    }
    for (int i = 0; i < n->nin; i++) {
        const SfTensor *t = &n->inputs[i];
        const SfTensor *now = t->node && t->node->graph == c->g ? c->outs[t->node->id] : NULL;
        c->inputs[i] = now ? now[t->index] : *t;
        changed = changed || now;
    }
    return changed;
}

/* With `assumed` for each dim that is not known; NULL: no memory. */
static const SfShape *assume(const SfShape *s, int64_t assumed)
{
    SfDim dims[SF_RANK_MAX];
    const int rank = sf_shape_rank(s);
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_shape_dim(s, i);
        dims[i] = sf_dim_is_known(d) ? d : assumed;
    }
    return sf_shape_make(rank, dims);
}

static bool is_open(const SfShape *s)
{
    return sf_shape_is_ranked(s) && !sf_shape_is_known(s);
}

/* Infers `n` from c->inputs into `outs`; when inference refuses, `outs` keep the static shapes. */
static void infer_again(Costing *c, const SfNode *n, SfTensor *outs)
{
    SfSink muted = {.muted = 1};
    const SfInferArgs args = sf_node_infer_args(n, c->inputs, outs, &muted, &c->scratch);
    const SfStatus status = sf_infer_run(&args);
    sf_arena_reset(&c->scratch);
    c->nomem = c->nomem || status == SF_NOMEM;
    if (status != SF_OK) {
        memcpy(outs, n->outputs, (size_t)n->nout * sizeof *outs);
    }
}

/* The outputs of `n` when unknown dims are `assumed`: its own where nothing changes, else new
 * ones in c->outs. */
static const SfTensor *settle(Costing *c, const SfNode *n)
{
    const bool changed = gather_inputs(c, n);
    bool open = false;
    for (int i = 0; i < n->nout; i++) {
        open = open || is_open(n->outputs[i].shape);
    }
    if (c->nomem || c->assumed < 0 || n->nout == 0 || n->context->failed || (!changed && !open)) {
        return n->outputs;
    }
    SfTensor *outs = sf_arena_copy(&c->arena, n->outputs, (size_t)n->nout * sizeof *outs);
    if (!outs) {
        c->nomem = true;
        return n->outputs;
    }
    if (changed) {
        infer_again(c, n, outs);
    }
    for (int i = 0; i < n->nout; i++) {
        if (is_open(outs[i].shape)) {
            const SfShape *s = assume(outs[i].shape, c->assumed);
            c->nomem = c->nomem || !s;
            outs[i].shape = s ? s : outs[i].shape;
            outs[i].value = NULL; /* a content belongs to the shape that was not known */
        }
    }
    c->outs[n->id] = outs;
    return outs;
}

/* numbers */
int64_t sf_tensor_bytes(const SfTensor *t)
{
    const SfDim count = t->shape ? sf_shape_count(t->shape) : SF_DIM_UNKNOWN;
    const int64_t size = (int64_t)sf_dtype_size(sf_dtype_base(t->dtype));
    const bool fits = size == 0 || count <= INT64_MAX / size;
    return sf_dim_is_known(count) && fits ? count * size : -1;
}

static double bytes_of(const SfTensor *outs, int nout)
{
    double total = 0;
    for (int i = 0; i < nout; i++) {
        const int64_t bytes = sf_tensor_bytes(&outs[i]);
        if (bytes < 0) {
            return -1;
        }
        total += (double)bytes;
    }
    return total;
}

double sf_node_flops(const SfNode *n, const SfTensor *inputs, const SfTensor *outs,
                     SfArena *scratch)
{
    if (n->context->failed) {
        return -1;
    }
    SfSink muted = {.muted = 1};
    SfTensor *read = (SfTensor *)(uintptr_t)outs;
    const SfInferArgs args = sf_node_infer_args(n, inputs, read, &muted, scratch);
    const double flops = sf_infer_cost(&args);
    sf_arena_reset(scratch);
    return flops;
}

SfStatus sf_graph_costs(const SfGraph *g, int64_t assumed, SfNodeCost *costs)
{
    const int n = sf_graph_size(g);
    Costing c = {.g = g, .assumed = assumed};
    sf_arena_init(&c.arena);
    sf_arena_init(&c.scratch);
    c.outs = sf_arena_alloc(&c.arena, (size_t)n * sizeof *c.outs);
    c.nomem = !c.outs;
    for (int i = 0; i < n && !c.nomem; i++) {
        const SfNode *node = sf_graph_node(g, i);
        const SfTensor *outs = settle(&c, node);
        const double flops = c.nomem ? -1 : sf_node_flops(node, c.inputs, outs, &c.scratch);
        costs[i] = (SfNodeCost){flops, bytes_of(outs, node->nout)};
    }
    sf_arena_free(&c.arena);
    sf_arena_free(&c.scratch);
    return c.nomem ? SF_NOMEM : SF_OK;
}
