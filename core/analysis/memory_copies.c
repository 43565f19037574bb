/* Copies between the devices of a machine in one run. See memory.h.
 * What is fed is on the first CPU, and so is what is fetched. States stay where they are.
 * Source: graph/graph_partition.cc. */
#include "core/analysis/cost.h"
#include "core/analysis/memory_impl.h"

typedef struct Copies {
    SfLiveness *l;
    int32_t *newest, *next; /* by slot its newest copy, and the one before each copy */
    int capacity;
} Copies;

/* SF_MEMORY_NONE: not known. A gradient is computed on the device of what is trained. */
static int device_of(const SfLiveness *l, int32_t step)
{
    const SfSession *s = l->p->session;
    const SfStep *st = &l->p->steps[step];
    const int32_t origin = sf_node_role(st->node) == SF_ROLE_GRADIENT
                               ? sf_memory_origin(l, st->in[0])
                               : SF_MEMORY_NONE;
    const SfNode *n = origin < 0 ? st->node : l->p->steps[origin].node;
    return n->graph == s->graph && n->id < s->nplaced ? s->placed[n->id] : SF_MEMORY_NONE;
}

static void add_copy(Copies *c, int32_t slot, int32_t reader, int source, int target)
{
    SfLiveness *l = c->l;
    const SfTensor *t = &l->p->slots[slot];
    const int32_t from = l->slot_step[slot];
    const bool is_state = t->dtype == SF_DT_RESOURCE || sf_dtype_is_ref(t->dtype);
    if (source < 0 || target < 0 || source == target || is_state) {
        return;
    }
    int32_t at = c->newest[slot];
    while (at >= 0 && l->m->copies[at].target != target) {
        at = c->next[at];
    }
    const int64_t bytes = sf_tensor_bytes(t) > 0 ? sf_tensor_bytes(t) : 0;
    if (at < 0 && l->m->ncopies < c->capacity) {
        at = l->m->ncopies++;
        c->next[at] = c->newest[slot];
        c->newest[slot] = at;
        l->m->copies[at] = (SfMemoryCopy){
            .node = from < 0 ? l->p->fed[slot].node : l->p->steps[from].node,
            .output = from < 0 ? l->p->fed[slot].index : slot - l->p->steps[from].out,
            .source = (int16_t)source,
            .target = (int16_t)target,
            .bytes = bytes};
    }
    const bool goes_back = at >= 0 && from >= 0 && reader >= 0 && l->back[from] >= 0 &&
                           l->back[reader] >= 0 && sf_dtype_is_floating(sf_dtype_base(t->dtype));
    if (goes_back) {
        l->m->copies[at].back = bytes;
    }
}

SfStatus sf_memory_copies(SfLiveness *l)
{
    const SfPlan *p = l->p;
    Copies c = {.l = l};
    if (!p->session || !p->session->machine || !p->session->placed || p->session->machine->n < 2) {
        return SF_OK;
    }
    for (int32_t i = 0; i < p->nsteps; i++) {
        c.capacity += p->steps[i].node->nin;
    }
    c.capacity += p->nfetch;
    c.newest = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *c.newest);
    c.next = sf_arena_alloc(l->arena, ((size_t)c.capacity + 1) * sizeof *c.next);
    l->m->copies = sf_arena_alloc(l->arena, ((size_t)c.capacity + 1) * sizeof *l->m->copies);
    SF_TRY_ALLOC(c.newest && c.next && l->m->copies);
    for (int32_t i = 0; i < p->nslots; i++) {
        c.newest[i] = SF_MEMORY_NONE;
    }
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        for (int k = 0; k < st->node->nin && sf_node_role(st->node) != SF_ROLE_GRADIENT; k++) {
            const int32_t from = l->slot_step[st->in[k]];
            const int source = from < 0 ? 0 : device_of(l, from);
            add_copy(&c, st->in[k], i, source, device_of(l, i));
        }
    }
    for (int i = 0; i < p->nfetch; i++) {
        const int32_t slot = p->fetch_slots[i], from = l->slot_step[slot];
        add_copy(&c, slot, SF_MEMORY_NONE, from < 0 ? 0 : device_of(l, from), 0);
    }
    return SF_OK;
}
