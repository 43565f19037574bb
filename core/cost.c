/* FLOPs and bytes of every node. See cost.h. */
#include "core/cost.h"

#include <string.h>

typedef struct Costing {
    const SfGraph *g;
    int64_t assumed;
    SfTensor **outs; /* by node: its outputs where they are not the static ones */
    SfArena arena, scratch;
    SfTensor *inputs; /* of the node at hand */
    int inputs_cap;
    bool nomem;
} Costing;

/* --- shapes ----------------------------------------------------------------------------------- */
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

/* Infers `n` from c->inputs into `outs`; refused: `outs` stay the static ones. */
static void infer_again(Costing *c, const SfNode *n, SfTensor *outs)
{
    SfSink muted = {.muted = 1};
    const SfStatus status = sf_infer_run(&(SfInferArgs){.sig = n->sig,
                                                        .attrs = n->attrs,
                                                        .inputs = c->inputs,
                                                        .nin = n->nin,
                                                        .outs = outs,
                                                        .nout = n->nout,
                                                        .node = (SfNode *)(uintptr_t)n,
                                                        .name = n->name,
                                                        .site = n->site,
                                                        .version = sf_graph_version(c->g),
                                                        .phase = SF_PHASE_BUILD,
                                                        .sink = &muted,
                                                        .scratch = &c->scratch});
    sf_arena_reset(&c->scratch);
    c->nomem = c->nomem || status == SF_NOMEM;
    if (status != SF_OK) {
        memcpy(outs, n->outputs, (size_t)n->nout * sizeof *outs);
    }
}

/* The outputs of `n` as they are when the unknown is `assumed`: its own, or new ones in c->outs. */
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
            outs[i].value = NULL; /* it has the shape that was not known */
        }
    }
    c->outs[n->id] = outs;
    return outs;
}

/* --- numbers ---------------------------------------------------------------------------------- */
static double bytes_of(const SfTensor *outs, int nout)
{
    double total = 0;
    for (int i = 0; i < nout; i++) {
        const SfDim count = sf_shape_count(outs[i].shape);
        if (!sf_dim_is_known(count)) {
            return -1;
        }
        total += (double)count * (double)sf_dtype_size(sf_dtype_base(outs[i].dtype));
    }
    return total;
}

static double flops_of(Costing *c, const SfNode *n, const SfTensor *outs)
{
    SfSink muted = {.muted = 1};
    const double flops = sf_infer_cost(&(SfInferArgs){.sig = n->sig,
                                                      .attrs = n->attrs,
                                                      .inputs = c->inputs,
                                                      .nin = n->nin,
                                                      .outs = (SfTensor *)(uintptr_t)outs,
                                                      .nout = n->nout,
                                                      .node = (SfNode *)(uintptr_t)n,
                                                      .name = n->name,
                                                      .version = sf_graph_version(c->g),
                                                      .phase = SF_PHASE_BUILD,
                                                      .sink = &muted,
                                                      .scratch = &c->scratch});
    sf_arena_reset(&c->scratch);
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
        costs[i] =
            (SfNodeCost){c.nomem ? -1 : flops_of(&c, node, outs), bytes_of(outs, node->nout)};
    }
    sf_arena_free(&c.arena);
    sf_arena_free(&c.scratch);
    return c.nomem ? SF_NOMEM : SF_OK;
}
