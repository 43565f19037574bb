/* State in eager mode. See eager.h. */
#include "core/graph/eager.h"

#include "core/graph/graph_impl.h"

static struct {
    SfGraph *graph; /* holds the owners and their attrs; has no node of its own */
    SfStateTable states;
    int count;
    SfBoundTable bound;
    SfArena arena; /* of `bound` */
} eager;

SfNode *sf_eager_owner(const SfOpSig *sig, const SfAttr *attrs)
{
    if (eager.count >= SF_EAGER_OWNERS_MAX) {
        return NULL;
    }
    if (!eager.graph) {
        eager.graph = sf_graph_new(SF_VERSION(2, 0));
    }
    SfNode *n = eager.graph ? sf_arena_alloc(&eager.graph->arena, sizeof *n) : NULL;
    SfAttr *kept = n ? sf_graph_attrs(eager.graph, sig, attrs) : NULL;
    if (!n || (!kept && sig->nattr > 0)) {
        return NULL;
    }
    *n = (SfNode){.sig = sig,
                  .graph = eager.graph,
                  .name = sig->def->name,
                  .attrs = kept,
                  .context = sf_graph_no_context()};
    eager.count++;
    return n;
}

SfStateTable *sf_eager_states(void)
{
    return &eager.states;
}

SfBoundTable *sf_eager_bound(void)
{
    return &eager.bound;
}

SfArena *sf_eager_arena(void)
{
    return &eager.arena;
}

void sf_eager_reset(void)
{
    sf_bound_free(&eager.bound);
    sf_arena_free(&eager.arena);
    sf_states_free(&eager.states);
    sf_graph_free(eager.graph);
    eager.graph = NULL;
    eager.count = 0;
}
