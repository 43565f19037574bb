/* What gradients allocate besides their results. See memory_impl.h.
 * Invariant: a temporary lives for one moment. Owner: the arena.
 * Source: math_grad.py (_MulGrad): the product is as large as the output, and is summed up then. */
#include "core/analysis/backward.h"
#include "core/analysis/memory_impl.h"

static void place(SfLiveness *l, const SfNode *n, int32_t at, int64_t bytes)
{
    (void)sf_memory_add_buffer(
        l, (SfMemoryBuffer){
               .node = n, .born = at, .dies = at, .kind = SF_MEMORY_GRADIENT, .bytes = bytes});
}

/* May a kernel that runs at that moment write over what the step read? */
static bool is_free(const SfLiveness *l, int32_t slot, int32_t at, int64_t bytes)
{
    const int32_t b = l->buffer[slot];
    return b >= 0 && l->m->buffers[b].kind == SF_MEMORY_ACTIVATION && l->m->buffers[b].dies == at &&
           l->m->buffers[b].bytes == bytes;
}

/* Of two factors, element by element, of which one is broadcast: one gradient may be in the place
 * of what arrived, the other needs a tensor of the output's size. */
static int64_t broadcast_bytes(SfLiveness *l, int32_t step, int32_t at)
{
    const SfStep *st = &l->p->steps[step];
    const int64_t bytes = sf_memory_bytes(l, &l->p->slots[st->out]);
    bool is_broadcast = false;
    for (int k = 0; k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        if (from < 0 || l->back[from] <= l->back[step] || is_free(l, st->in[k], at, bytes)) {
            return 0;
        }
        is_broadcast = is_broadcast || sf_memory_bytes(l, &l->p->slots[st->in[k]]) < bytes;
    }
    return is_broadcast ? bytes : 0;
}

void sf_memory_place_temporaries(SfLiveness *l, int32_t step, int32_t at)
{
    const SfStep *st = &l->p->steps[step];
    if (!sf_memory_is_on_tape(l, step)) {
        const bool has_factors = st->node->sig->def->traits & SF_OP_FACTORS && st->node->nin == 2;
        const int64_t bytes = has_factors ? broadcast_bytes(l, step, at) : 0;
        if (bytes > 0) {
            place(l, st->node, at, bytes);
        }
    } else if (st->node->nin > 0 && sf_tape_temporaries(st->node) > 0) {
        place(l, st->node, at,
              sf_tape_temporaries(st->node) * sf_memory_bytes(l, &l->p->slots[st->in[0]]));
    }
}
