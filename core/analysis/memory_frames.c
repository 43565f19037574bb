/* While loops of a session's plan: how many turns each takes, and the plan of a single turn.
 * Invariant: steps keep their slots and loops their steps; in the plan of one turn a Merge reads
 * what enters the loop only, and an Exit gives what the last turn computed, so that no step reads
 * a later one. Owner: the arena. Source: control_flow_ops.py of 1.15 (WhileContext). */
#include <string.h>

#include "core/analysis/cost.h"
#include "core/analysis/memory_impl.h"
#include "core/base/interrupt.h"

enum { NONE = SF_MEMORY_NONE, TURNS_MAX = 1 << 16 };

void sf_memory_find_makers(const SfLiveness *l)
{
    memset(l->slot_step, 0xff, (size_t)l->p->nslots * sizeof *l->slot_step);
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        for (int k = 0; k < l->p->steps[i].node->nout; k++) {
            l->slot_step[l->p->steps[i].out + k] = i;
        }
    }
}

int sf_memory_viewed_input(const SfStep *st)
{
    const SfOpRole role = sf_node_role(st->node); /* not that of a Python's array */
    return role == SF_ROLE_ARRAY_WRITE  ? st->node->nin - 2
           : role == SF_ROLE_ARRAY_READ ? st->node->nin - 1
                                        : 0;
}

const SfTensor *sf_memory_scattered(const SfLiveness *l, const SfStep *st)
{
    if (st->node->context->array != SF_ARRAY_NONE) {
        return &l->p->slots[st->in[0]];
    }
    const SfTensor *a = &l->p->slots[st->in[1]], *b = &l->p->slots[st->in[2]];
    return sf_tensor_bytes(a) > sf_tensor_bytes(b) ? a : b;
}

static int input_of_merge(const SfNode *n, bool back)
{
    for (int k = 0; k < n->nin; k++) {
        if (sf_node_is_back_edge(n, k) == back) {
            return k;
        }
    }
    return 0;
}

/* how many turns */

/* Evaluates what the predicate of a loop is computed from, turn by turn. */
typedef struct Turns {
    SfLiveness *l;
    const SfLoopFrame *frame;
    const int32_t *inner; /* by step its innermost loop frame, or NONE */
    bool *counts;         /* by step: the predicate is computed from it */
    SfTensor *now;        /* by slot */
} Turns;

/* Marks the steps; false: some are in a loop in this loop. */
static bool find_steps(Turns *t)
{
    const SfPlan *p = t->l->p;
    const SfLoopFrame *f = t->frame;
    bool changed = true;
    t->counts[f->cond] = true;
    while (changed) {
        changed = false;
        for (int32_t i = f->end - 1; i >= f->start; i--) {
            for (int k = 0; t->counts[i] && k < p->steps[i].node->nin; k++) {
                const int32_t from = t->l->slot_step[p->steps[i].in[k]];
                if (from < f->start || from >= f->end || t->counts[from]) {
                    continue;
                }
                if (t->inner[from] != t->inner[f->cond]) {
                    return false;
                }
                t->counts[from] = changed = true;
            }
        }
    }
    return true;
}

static void set(Turns *t, int32_t slot, const SfTensor *from)
{
    t->now[slot].shape = from->shape;
    t->now[slot].value = from->value;
}

/* One op of a turn. What reads or writes state gives nothing that is known. */
static SfStatus infer(Turns *t, const SfStep *st)
{
    const SfPlan *p = t->l->p;
    SfSink muted = {.muted = 1};
    SfTensor *outs = &t->now[st->out];
    const unsigned traits = st->node->sig->def->traits;
    const unsigned unknown = SF_OP_STATEFUL | SF_OP_STATE | SF_OP_WRITES | SF_OP_RANDOM;
    const bool is_open = st->kind != SF_STEP_PLAIN || traits & unknown || st->flags;
    for (int k = 0; k < st->node->nin; k++) {
        p->inputs[k] = t->now[st->in[k]];
    }
    const SfStatus status =
        is_open ? SF_REPORTED : sf_run_infer(p->session, st->node, p->inputs, outs, &muted);
    for (int k = 0; status == SF_REPORTED && k < st->node->nout; k++) {
        outs[k] = st->node->outputs[k];
        outs[k].value = is_open ? NULL : outs[k].value;
    }
    return status == SF_NOMEM ? status : SF_OK;
}

static SfStatus run_turn(Turns *t)
{
    const SfPlan *p = t->l->p;
    for (int32_t i = t->frame->start; i < t->frame->end; i++) {
        const SfStep *st = &p->steps[i];
        if (!t->counts[i] || st->flags & SF_STEP_BACK_EDGE) {
            continue;
        }
        const bool passes = st->kind == SF_STEP_FORWARD || st->kind == SF_STEP_LOOP_COND ||
                            st->flags & SF_STEP_LOOP_SWITCH;
        for (int k = 0; passes && k < st->node->nout; k++) {
            set(t, st->out + k, &t->now[st->in[0]]);
        }
        if (!passes) {
            SF_TRY(infer(t, st));
        }
    }
    return SF_OK;
}

/* Sets what each Merge holds in the next turn, or, `enters`, in the first; does any change? */
static bool advance(Turns *t, bool enters)
{
    bool changed = false;
    for (int i = 0; i < t->frame->nmerges; i++) {
        const SfStep *st = &t->l->p->steps[t->frame->merges[i]];
        const SfTensor *next = &t->now[st->in[input_of_merge(st->node, !enters)]];
        const SfTensor *was = &t->now[st->out];
        if (t->counts[t->frame->merges[i]]) {
            changed = changed || next->value != was->value || next->shape != was->shape;
            set(t, st->out, next);
        }
    }
    return changed;
}

/* How often the predicate can be true: where it is not known it is taken for true, so that this is
 * a bound. NONE: there is none. */
static SfStatus evaluate(Turns *t, int64_t *turns)
{
    (void)advance(t, true);
    for (*turns = 0; *turns < TURNS_MAX; ++*turns) {
        int64_t goes_on = 1;
        SF_TRY(sf_interrupt_step(&t->l->polls));
        SF_TRY(run_turn(t));
        (void)sf_value_as_int(t->now[t->l->p->steps[t->frame->cond].out].value, &goes_on);
        if (!goes_on) {
            return SF_OK;
        }
        if (!advance(t, false)) {
            break;
        }
    }
    *turns = NONE;
    return SF_OK;
}

/* The handle of a TensorArray, back to where it was made, has its size: each turn takes one
 * element of it. NONE: the loop has none of known size. */
static int64_t size_of_arrays(const SfLiveness *l, const SfLoopFrame *f)
{
    const SfPlan *p = l->p;
    for (int32_t i = f->start; i < f->end; i++) {
        const SfOpRole role = sf_node_role(p->steps[i].node);
        int32_t from = role == SF_ROLE_ARRAY_WRITE || role == SF_ROLE_ARRAY_READ
                           ? l->slot_step[p->steps[i].in[0]]
                           : NONE;
        while (from >= 0 && p->steps[from].kind == SF_STEP_FORWARD) {
            from = l->slot_step[p->steps[from].in[0]];
        }
        int64_t size;
        if (from >= 0 && p->steps[from].node->nin == 1 &&
            sf_value_as_int(p->slots[p->steps[from].in[0]].value, &size)) {
            return size;
        }
    }
    return NONE;
}

static SfStatus count_turns(SfLiveness *l, const SfLoopFrame *f, const int32_t *inner,
                            int64_t *turns)
{
    const SfPlan *p = l->p;
    Turns t = {.l = l, .frame = f, .inner = inner};
    const size_t slots = ((size_t)p->nslots + 1) * sizeof *t.now;
    t.counts = sf_arena_alloc(&l->scratch, ((size_t)p->nsteps + 1) * sizeof *t.counts);
    t.now = sf_arena_alloc(&l->scratch, slots);
    SF_TRY_ALLOC(t.counts && t.now);
    memcpy(t.now, p->slots, (size_t)p->nslots * sizeof *t.now);
    *turns = NONE;
    if (f->cond >= 0 && find_steps(&t)) {
        SF_TRY(evaluate(&t, turns));
    }
    sf_arena_reset(&l->scratch);
    if (*turns < 0) {
        *turns = size_of_arrays(l, f);
    }
    return SF_OK;
}

/* one turn */

static bool is_exit(const SfPlan *p, const int32_t *slot_step, int32_t i)
{
    const int32_t from = p->steps[i].node->nin == 1 ? slot_step[p->steps[i].in[0]] : NONE;
    return from >= 0 && sf_node_role(p->steps[i].node) == SF_ROLE_EXIT &&
           p->steps[from].flags & SF_STEP_LOOP_SWITCH;
}

/* The slot that comes back to the Merge of what an Exit gives; NONE: it is not of such a loop. */
static int32_t slot_that_leaves(const SfPlan *p, const int32_t *slot_step, int32_t exit)
{
    const SfStep *to = &p->steps[slot_step[p->steps[exit].in[0]]];
    const int32_t merge = slot_step[to->in[0]];
    const SfStep *st = merge < 0 ? NULL : &p->steps[merge];
    return st && st->flags & SF_STEP_BACK_EDGE ? st->in[input_of_merge(st->node, true)] : NONE;
}

/* Moves the Exits of a loop behind its other steps. */
static void move_exits(SfStep *steps, const SfStep *old, const SfLoopFrame *f, const bool *is_last)
{
    int32_t at = f->start;
    for (int last = 0; last < 2; last++) {
        for (int32_t i = f->start; i < f->end; i++) {
            if (is_last[i] == (last == 1)) {
                steps[at++] = old[i];
            }
        }
    }
}

static const int32_t *inputs_from(SfArena *arena, const SfStep *st, int at, int32_t slot)
{
    const size_t size = (size_t)st->node->nin * sizeof(int32_t);
    int32_t *in = sf_arena_alloc(arena, size);
    if (in) {
        memcpy(in, st->in, size);
        in[at] = slot;
    }
    return in;
}

/* Writes the plan of one turn into `one`, the innermost loop of each step into `inner`, which is of
 * its steps too, and what the loops carry into l->carried. */
static SfStatus write_turn(SfLiveness *l, SfPlan *one, int32_t *inner)
{
    const SfPlan *p = l->p;
    const size_t size = ((size_t)p->nsteps + 1) * sizeof(SfStep);
    SfStep *steps = sf_arena_alloc(l->arena, size), *old = sf_arena_alloc(l->arena, size);
    bool *is_last = sf_arena_alloc(l->arena, ((size_t)p->nsteps + 1) * sizeof *is_last);
    l->carried = sf_arena_alloc(l->arena, ((size_t)p->nsteps + 1) * sizeof *l->carried);
    SF_TRY_ALLOC(steps && old && is_last && l->carried);
    memcpy(steps, p->steps, (size_t)p->nsteps * sizeof *steps);
    for (int32_t i = 0; i < p->nsteps; i++) {
        SfStep *st = &steps[i];
        if (inner[i] >= 0 && is_exit(p, l->slot_step, i)) {
            const int32_t slot = slot_that_leaves(p, l->slot_step, i);
            is_last[i] = slot >= 0;
            st->in = slot < 0 ? st->in : inputs_from(l->arena, st, 0, slot);
        } else if (inner[i] >= 0 && st->flags & SF_STEP_BACK_EDGE) {
            const int back = input_of_merge(st->node, true);
            const int32_t enters = st->in[input_of_merge(st->node, false)];
            l->carried[l->ncarried++] =
                (SfCarried){.enters = enters, .merged = st->out, .comes_back = st->in[back]};
            st->in = inputs_from(l->arena, st, back, enters);
        }
        SF_TRY_ALLOC(st->in || st->node->nin == 0);
    }
    for (int k = p->nloop_frames - 1; k >= 0; k--) {
        const SfLoopFrame *f = &p->loop_frames[k];
        bool *own = sf_arena_alloc(&l->scratch, ((size_t)p->nsteps + 1) * sizeof *own);
        SF_TRY_ALLOC(own);
        for (int32_t i = f->start; i < f->end; i++) {
            own[i] = is_last[i] && inner[i] == k;
        }
        /* Loops in this one have been moved, each within its own steps. */
        memcpy(old, steps, (size_t)p->nsteps * sizeof *old);
        move_exits(steps, old, f, own);
        sf_arena_reset(&l->scratch);
    }
    one->steps = steps;
    return SF_OK;
}

/* The step through which what a Merge begins with enters the loop. */
static int32_t enter_of(const SfLiveness *l, int32_t merge)
{
    const SfStep *st = &l->p->steps[merge];
    return l->slot_step[st->in[input_of_merge(st->node, false)]];
}

SfStatus sf_memory_open_loops(SfLiveness *l, SfPlan *one)
{
    const SfPlan *p = l->p;
    if (p->nloop_frames == 0) {
        return SF_OK;
    }
    *one = *p;
    int32_t *inner = sf_arena_alloc(l->arena, ((size_t)p->nsteps + 1) * sizeof *inner);
    l->slot_step = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *l->slot_step);
    l->loops = sf_arena_alloc(l->arena, (size_t)p->nloop_frames * sizeof *l->loops);
    SF_TRY_ALLOC(inner && l->slot_step && l->loops);
    sf_memory_find_makers(l);
    memset(inner, 0xff, (size_t)p->nsteps * sizeof *inner);
    for (int k = 0; k < p->nloop_frames; k++) { /* the outer ones come first */
        for (int32_t i = p->loop_frames[k].start; i < p->loop_frames[k].end; i++) {
            inner[i] = k;
        }
    }
    for (int k = 0; k < p->nloop_frames; k++) {
        const SfLoopFrame *f = &p->loop_frames[k];
        int64_t turns;
        SF_TRY(count_turns(l, f, inner, &turns));
        int32_t around = k - 1;
        while (around >= 0 && p->loop_frames[around].end < f->end) {
            around--;
        }
        const int32_t enter = f->nmerges == 0 ? NONE : enter_of(l, f->merges[0]);
        const SfAttr *parallel =
            enter < 0 ? NULL : sf_node_attr(p->steps[enter].node, "parallel_iterations");
        l->loops[k] = (SfMemoryLoop){.start = f->start,
                                     .parallel = parallel ? parallel->u.i : 1,
                                     .at = NONE,
                                     .end = f->end,
                                     .around = around,
                                     .is_open = turns<0, .turns = turns> 0 ? turns : 1};
    }
    l->nloops = p->nloop_frames;
    SF_TRY(write_turn(l, one, inner));
    l->p = one;
    return SF_OK;
}
