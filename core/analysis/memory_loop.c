/* What loops hold of which the graph has one turn (recurrent cells): TensorFlow keeps of each turn
 * what the backward pass reads, on stacks, and what comes in and goes out, in TensorArrays.
 * Invariant: a loop stands before its steps, for these follow the step that it takes.
 * Owner: the arena. Source: python/ops/rnn.py (_dynamic_rnn_loop), control_flow_ops.py (1.15). */
#include "core/analysis/cost.h"
#include "core/analysis/memory_impl.h"

static const int64_t BYTES_MAX = (int64_t)1 << 40;

/* The number of turns: the size of the sequence divided by the size of one step of it. */
static int64_t turns_of(SfLiveness *l, int32_t at)
{
    const SfPlan *p = l->p;
    const int64_t all = sf_tensor_bytes(&p->slots[p->steps[at].in[0]]);
    const int64_t one = sf_tensor_bytes(&p->slots[p->steps[at].out]);
    l->m->is_lower_bound = l->m->is_lower_bound || all < 0 || one < 0;
    return all > 0 && one > 0 ? all / one : 1;
}

static int32_t find_step(const SfLiveness *l, const SfNode *n, int32_t before)
{
    while (--before >= 0 && l->p->steps[before].node != n) {
    }
    return before;
}

/* The loop of a step; NONE: the sequence is not in this run, which only creates the cell's
 * variables. */
static int32_t loop_of(SfLiveness *l, int32_t i)
{
    const SfNode *step = l->p->steps[i].node->context->sequence_step;
    for (int k = l->nloops - 1; k >= 0; k--) {
        if (l->loops[k].step == step) {
            return k;
        }
    }
    const int32_t at = find_step(l, step, i);
    if (at < 0 || l->p->steps[at].node->nin == 0) {
        return SF_MEMORY_NONE;
    }
    l->loops[l->nloops] =
        (SfMemoryLoop){.step = step, .at = at, .turns = turns_of(l, at), .ends = SF_MEMORY_NONE};
    return l->nloops++;
}

SfStatus sf_memory_find_loops(SfLiveness *l)
{
    const int32_t nsteps = l->p->nsteps;
    int most = 0;
    const SfNode *last = NULL;
    for (int32_t i = 0; i < nsteps; i++) {
        const SfNode *step = l->p->steps[i].node->context->sequence_step;
        most += step && step != last;
        last = step;
    }
    if (most == 0) {
        return SF_OK;
    }
    l->loops = sf_arena_alloc(l->arena, (size_t)most * sizeof *l->loops);
    l->loop = sf_arena_alloc(l->arena, (size_t)nsteps * sizeof *l->loop);
    SF_TRY_ALLOC(l->loops && l->loop);
    for (int32_t i = 0; i < nsteps; i++) {
        const bool is_of_one = l->p->steps[i].node->context->sequence_step != NULL;
        const int32_t k = l->loop[i] = is_of_one ? loop_of(l, i) : SF_MEMORY_NONE;
        if (k >= 0 && l->back_end[i] > l->loops[k].ends) {
            l->loops[k].ends = l->back_end[i];
        }
    }
    return SF_OK;
}

static const SfMemoryLoop *loop_at(const SfLiveness *l, int32_t step)
{
    return !l->loop || step < 0 || l->loop[step] < 0 ? NULL : &l->loops[l->loop[step]];
}

int64_t sf_memory_turns(const SfLiveness *l, int32_t step)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    return loop ? loop->turns : 1;
}

/* Is the slot read by a step outside of the loop, as the result of all turns? */
static bool goes_out(const SfLiveness *l, int32_t slot)
{
    const SfPlan *p = l->p;
    for (int32_t i = l->slot_step[slot] + 1; i < p->nsteps; i++) {
        for (int k = 0; l->loop[i] < 0 && k < p->steps[i].node->nin; k++) {
            if (p->steps[i].in[k] == slot) {
                return true;
            }
        }
    }
    return false;
}

void sf_memory_keep_turns(const SfLiveness *l, int32_t step, int32_t slot, SfMemoryBuffer *b)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    int64_t turns = 1;
    if (loop && b->dies >= 0 && b->dies < l->end && l->part[b->dies].part != SF_PART_FORWARD) {
        turns = loop->turns;
        b->dies = loop->ends; /* the other turns keep theirs until the loop's backward pass ends */
    } else if (loop && goes_out(l, slot)) {
        turns = loop->turns;
    }
    for (int k = 0; k < l->nloops; k++) {
        turns = l->loops[k].at == step ? l->loops[k].turns : turns;
    }
    b->bytes = b->bytes > BYTES_MAX / turns ? BYTES_MAX : b->bytes * turns;
}

/* A cell creates its variables inside the turn, but a turn only reads them: they are not per
 * turn. */
static bool is_state(const SfNode *n)
{
    const SfNode *read = n->nin > 0 ? n->inputs[0].node : NULL;
    return sf_node_role(n) == SF_ROLE_VARIABLE || sf_node_role(n) == SF_ROLE_READ_VARIABLE ||
           (read && sf_node_role(read) == SF_ROLE_VARIABLE);
}

int sf_memory_sums(const SfLiveness *l, int32_t step, int32_t from)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    const bool is_outside = loop_at(l, from) != loop || is_state(l->p->steps[from].node);
    return loop && is_outside ? 2 : 1;
}
