/* Control flow of a run: branches, dead tensors, loops.
 * A branch whose predicate is known is run or skipped exactly. With an unknown predicate both sides
 * run muted, since either may not happen, and Merge joins what they give.
 * A loop is run exactly as long as its predicate is known and its shapes change (at most
 * EXACT_PASSES times) or all that it carries is known (for EXACT_STEPS steps: a short count comes
 * out as TensorFlow's); then it is widened: its Merges hold the join over all iterations, found in
 * at most WIDE_PASSES muted passes, else their static shapes. The passes of loops in loops
 * multiply: a run has a budget of steps in loops, behind which all shapes in loops are static.
 * Source: executor.cc (dead tensors); the fixpoint is that of any abstract interpreter. */
#include <string.h>

#include "core/session/session_impl.h"

enum { EXACT_STEPS = 256, EXACT_PASSES = 4, WIDE_PASSES = 4 };

/* guards */

/* The guard inside of one more undecided branch; it stays at its largest value. */
static int16_t deeper(int16_t guard)
{
    return guard < INT16_MAX ? (int16_t)(guard + 1) : guard;
}

int16_t sf_run_guard(const SfRun *r, int step)
{
    const SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    int16_t guard = 0;
    for (int k = 0; k < st->node->nin; k++) {
        const int16_t g = p->guard[st->in[k]];
        if (g == SF_DEAD) {
            return SF_DEAD;
        }
        guard = g > guard ? g : guard;
    }
    for (int k = 0; k < st->ncontrol; k++) {
        const int16_t g = p->step_guard[st->control[k]];
        if (g == SF_DEAD) {
            return SF_DEAD;
        }
        guard = g > guard ? g : guard;
    }
    return guard;
}

void sf_run_kill(SfRun *r, int step)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    p->step_guard[step] = SF_DEAD;
    for (int k = 0; k < st->node->nout; k++) {
        p->guard[st->out + k] = SF_DEAD;
        p->state_dependent_slot[st->out + k] = false;
    }
}

/* ops that pass their input on */

static void set_slot(SfPlan *p, int slot, const SfTensor *from, bool is_state_dependent)
{
    SfTensor *to = &p->slots[slot]; /* keeps its node, index and dtype */
    to->shape = from->shape;
    to->value = from->value;
    to->state = from->state;
    p->state_dependent_slot[slot] = is_state_dependent && from->value;
}

void sf_run_forward(SfRun *r, int step, int output)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    if (st->node->nin == 0 || output >= st->node->nout) {
        return;
    }
    const bool dependent = p->state_dependent_slot[st->in[0]];
    p->state_dependent_step[step] = p->state_dependent_step[step] || dependent;
    set_slot(p, st->out + output, &p->slots[st->in[0]], dependent);
}

/* branches */

SfStatus sf_run_switch(SfRun *r, int step)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    if (st->node->nin < 2 || st->node->nout < 2) {
        return SF_OK;
    }
    sf_run_forward(r, step, 0);
    sf_run_forward(r, step, 1);
    int64_t pred = 0;
    const bool in_wide_loop = r->wide && st->flags & SF_STEP_LOOP_SWITCH;
    const bool known = !in_wide_loop && sf_value_as_int(p->slots[st->in[1]].value, &pred);
    if (known) {
        /* A repetition checks that the predicate is what it was. */
        p->state_dependent_step[step] =
            p->state_dependent_step[step] || p->state_dependent_slot[st->in[1]];
        p->guard[st->out + !pred] = SF_DEAD;
        return SF_OK;
    }
    /* What leaves a loop is as certain as the loop itself, for every loop ends. */
    p->guard[st->out + 1] = deeper(p->guard[st->out + 1]);
    if (!(st->flags & SF_STEP_LOOP_SWITCH)) {
        p->guard[st->out] = deeper(p->guard[st->out]);
    }
    return SF_OK;
}

/* Joins `t` into `*all`; the first one is taken as it is. */
static SfStatus join_into(SfTensor *all, bool first, const SfTensor *t)
{
    if (first) {
        *all = *t;
        return SF_OK;
    }
    all->shape = sf_shape_join(all->shape, t->shape);
    all->value = sf_value_join(all->value, t->value);
    all->state = all->state == t->state ? all->state : NULL;
    return all->shape ? SF_OK : SF_NOMEM;
}

/* Which input was taken, when exactly one is possible. */
static void set_value_index(SfPlan *p, const SfStep *st, int64_t index, bool known)
{
    if (st->node->nout < 2) {
        return;
    }
    SfTensor *t = &p->slots[st->out + 1];
    t->shape = sf_shape_scalar();
    t->value = known ? sf_value_int(sf_dtype_base(t->dtype), index) : NULL;
    p->guard[st->out + 1] = p->guard[st->out];
    p->state_dependent_slot[st->out + 1] = false;
}

static SfStatus run_loop_merge(SfRun *r, int step);

SfStatus sf_run_merge(SfRun *r, int step)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    if (st->flags & SF_STEP_BACK_EDGE) {
        return run_loop_merge(r, step);
    }
    SfTensor all = {0};
    int live = 0;
    int64_t index = 0;
    int16_t guard = 0;
    bool dependent = false;
    for (int k = 0; k < st->node->nin; k++) {
        const int slot = st->in[k];
        if (p->guard[slot] == SF_DEAD) {
            continue;
        }
        SF_TRY(join_into(&all, live == 0, &p->slots[slot]));
        guard = p->guard[slot] > guard ? p->guard[slot] : guard;
        dependent = dependent || p->state_dependent_slot[slot];
        index = k;
        live++;
    }
    if (live == 0) {
        sf_run_kill(r, step);
        return SF_OK;
    }
    if (live > 1 && guard > 0 && guard < INT16_MAX) {
        guard--; /* one of the sides is certain */
    }
    p->step_guard[step] = guard;
    p->guard[st->out] = guard;
    p->state_dependent_step[step] = dependent;
    r->uncacheable = r->uncacheable || (dependent && live > 1);
    set_slot(p, st->out, &all, dependent);
    set_value_index(p, st, index, live == 1);
    return SF_OK;
}

/* loops */

static int back_input(const SfNode *n)
{
    for (int k = 0; k < n->nin; k++) {
        if (sf_node_is_back_edge(n, k)) {
            return k;
        }
    }
    return 0;
}

static int entry_input(const SfNode *n)
{
    for (int k = 0; k < n->nin; k++) {
        if (!sf_node_is_back_edge(n, k)) {
            return k;
        }
    }
    return 0;
}

/* The first pass of a loop enters here; for later passes advance() has set the Merges. Loops of
 * one name that depend on each other, or that would take too many steps, are only known
 * statically. */
static SfStatus run_loop_merge(SfRun *r, int step)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    if (p->merge_held[step]) {
        return SF_OK;
    }
    const int slot = st->in[entry_input(st->node)];
    const int16_t guard = p->guard[slot];
    if (guard == SF_DEAD) {
        sf_run_kill(r, step);
        return SF_OK;
    }
    p->step_guard[step] = guard;
    p->guard[st->out] = guard;
    const bool dependent = p->state_dependent_slot[slot];
    p->state_dependent_step[step] = dependent;
    set_slot(p, st->out, &p->slots[slot], dependent);
    set_value_index(p, st, 0, !p->flat_loops && !r->static_loops);
    if (p->flat_loops || r->static_loops) {
        p->slots[st->out].shape = st->node->outputs[0].shape;
        p->slots[st->out].value = NULL;
        p->state_dependent_slot[st->out] = false;
    }
    if (p->flat_loops) {
        p->guard[st->out] = p->step_guard[step] = deeper(guard);
    }
    return SF_OK;
}

static const SfTensor *merge_out(const SfPlan *p, int step)
{
    return &p->slots[p->steps[step].out];
}

static int back_slot(const SfPlan *p, int step)
{
    const SfStep *st = &p->steps[step];
    return st->in[back_input(st->node)];
}

static bool shapes_change(const SfPlan *p, const SfLoopFrame *g)
{
    for (int i = 0; i < g->nmerges; i++) {
        const int from = back_slot(p, g->merges[i]);
        if (p->guard[from] != SF_DEAD &&
            p->slots[from].shape != merge_out(p, g->merges[i])->shape) {
            return true;
        }
    }
    return false;
}

/* Is the content of all that comes back to the loop known? */
static bool carries_known(const SfPlan *p, const SfLoopFrame *g)
{
    for (int i = 0; i < g->nmerges; i++) {
        const int from = back_slot(p, g->merges[i]);
        const SfValue *v = p->slots[from].value;
        if (p->guard[from] != SF_DEAD && (!v || !sf_value_is_exact(v))) {
            return false;
        }
    }
    return true;
}

/* Sets every Merge of the loop for the next pass: to what came back, or to its join with what was.
 * *changed tells whether that is news. */
static SfStatus advance(SfPlan *p, const SfLoopFrame *g, bool join, bool *changed)
{
    *changed = false;
    for (int i = 0; i < g->nmerges; i++) {
        const int step = g->merges[i];
        const int slot = p->steps[step].out;
        const int from = back_slot(p, step);
        p->merge_held[step] = true;
        if (p->guard[from] == SF_DEAD || p->guard[slot] == SF_DEAD) {
            continue;
        }
        SfTensor next = p->slots[from];
        if (join) {
            next = p->slots[slot];
            SF_TRY(join_into(&next, false, &p->slots[from]));
        }
        const SfTensor *was = merge_out(p, step);
        *changed = *changed || next.shape != was->shape || (join && next.value != was->value);
        set_slot(p, slot, &next, p->state_dependent_slot[from] || p->state_dependent_slot[slot]);
        set_value_index(p, &p->steps[step], 1, !join);
    }
    return SF_OK;
}

static void use_static_shapes(SfPlan *p, const SfLoopFrame *g)
{
    for (int i = 0; i < g->nmerges; i++) {
        const SfStep *st = &p->steps[g->merges[i]];
        p->slots[st->out].shape = st->node->outputs[0].shape;
        p->slots[st->out].value = NULL;
        p->state_dependent_slot[st->out] = false;
    }
}

static SfStatus pass(SfRun *r, const SfLoopFrame *g)
{
    r->depth++;
    const SfStatus status = sf_run_steps(r, g->start, g->end);
    r->depth--;
    return status;
}

/* One pass over a widened loop: muted, its predicate undecided. The body fails softly. */
static SfStatus wide_pass(SfRun *r, const SfLoopFrame *g)
{
    const int outer = r->wide;
    r->wide = outer ? outer : g->depth;
    if (r->sink) {
        r->sink->muted++;
    }
    r->session->states.guarded++;
    const SfStatus status = pass(r, g);
    r->session->states.guarded--;
    if (r->sink) {
        r->sink->muted--;
    }
    r->wide = outer;
    return status;
}

static SfStatus widen(SfRun *r, const SfLoopFrame *g)
{
    SfPlan *p = r->plan;
    bool changed;
    for (int i = 0; i < WIDE_PASSES; i++) {
        SF_TRY(advance(p, g, true, &changed));
        if (!changed && i > 0) {
            return SF_OK;
        }
        SF_TRY(wide_pass(r, g));
    }
    SF_TRY(advance(p, g, true, &changed));
    if (!changed) {
        return SF_OK;
    }
    use_static_shapes(p, g);
    return wide_pass(r, g);
}

/* The predicate after a pass: 1, 0, or -1 when it is not known. */
static int loop_goes_on(SfRun *r, const SfLoopFrame *g)
{
    const SfPlan *p = r->plan;
    int64_t pred;
    if (g->cond < 0 || r->wide) {
        return -1;
    }
    const int slot = p->steps[g->cond].out;
    if (p->guard[slot] == SF_DEAD) {
        return 0; /* the loop is in a branch that does not run */
    }
    return sf_value_as_int(p->slots[slot].value, &pred) ? pred != 0 : -1;
}

static void release_merges(SfPlan *p, const SfLoopFrame *g)
{
    for (int i = 0; i < g->nmerges; i++) {
        p->merge_held[g->merges[i]] = false;
    }
}

static SfStatus run_passes(SfRun *r, const SfLoopFrame *g)
{
    SfPlan *p = r->plan;
    const int64_t enough = r->loop_steps_left - EXACT_STEPS;
    SfStatus status = pass(r, g);
    int goes_on = loop_goes_on(r, g);
    for (int i = 1; status == SF_OK && goes_on == 1; i++) {
        if ((i >= EXACT_PASSES || !shapes_change(p, g)) &&
            (r->loop_steps_left < enough || !carries_known(p, g))) {
            break;
        }
        bool changed;
        status = advance(p, g, false, &changed);
        status = status == SF_OK ? pass(r, g) : status;
        goes_on = loop_goes_on(r, g);
    }
    /* Without a back edge the loop is done after one pass. */
    return status == SF_OK && goes_on != 0 && g->nmerges > 0 ? widen(r, g) : status;
}

SfStatus sf_run_loop_frame(SfRun *r, int loop_frame)
{
    SfPlan *p = r->plan;
    const SfLoopFrame *g = &p->loop_frames[loop_frame];
    SfStatus status = SF_OK;
    if (!r->static_loops) {
        release_merges(p, g);
        status = run_passes(r, g);
        r->static_loops = r->depth == 0 && r->loop_steps_left < 0;
    }
    if (r->static_loops && status == SF_OK) {
        release_merges(p, g);
        status = wide_pass(r, g);
    }
    for (int i = g->start; i < g->end && status == SF_OK; i++) {
        r->uncacheable =
            r->uncacheable || p->state_dependent_step[i]; /* it cannot be repeated by itself */
    }
    return status;
}
