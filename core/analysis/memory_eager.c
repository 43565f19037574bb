/* Memory of eager code. See memory.h.
 * A trace is read as a plan: its records are the steps, in the order in which they ran, and the
 * numbers of their outputs the slots; slot 0 is what no record made. */
#include <string.h>

#include "core/analysis/memory_impl.h"
#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"

/* Outputs of a step that Python holds live until it lets go of them; what a function makes, and
 * Python drops while it runs, is a tensor of its graph. A variable holds its content itself. */
static void hold_outputs(SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t function = l->function ? l->function[step] : SF_MEMORY_NONE;
    for (int k = 0; k < st->node->nout; k++) {
        const SfHeld *held = sf_trace_log_held(l->log, st->out + k);
        if (!held || held->is_state) {
            continue;
        }
        if (held->objects > 0) {
            sf_memory_read_at(l, st->out + k, l->end);
        } else if (held->gone > step &&
                   (function < 0 || held->is_given || held->gone > l->stretches[function].end)) {
            sf_memory_read_at(l, st->out + k, l->forward[held->gone - 1]);
        }
    }
}

/* Does Python hold an output of the step when its function ends, or is it what a variable holds? */
static bool is_given(const SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t end = l->stretches[l->function[step]].end;
    bool given = st->node->nout == 0;
    for (int k = 0; k < st->node->nout && !given; k++) {
        const SfHeld *held = sf_trace_log_held(l->log, st->out + k);
        given = held && (held->is_state || held->is_given || held->objects > 0 || held->gone > end);
    }
    return given;
}

/* From the last step to the first: who needs a step has been seen before it. */
SfStatus sf_memory_prune(SfLiveness *l)
{
    const SfPlan *p = l->p;
    bool *needed = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *needed);
    l->is_pruned = sf_arena_alloc(l->arena, ((size_t)p->nsteps + 1) * sizeof *l->is_pruned);
    SF_TRY_ALLOC(needed && l->is_pruned);
    for (int32_t i = p->nsteps - 1; i >= 0; i--) {
        const SfStep *st = &p->steps[i];
        const bool is_gradient = sf_node_role(st->node) == SF_ROLE_GRADIENT;
        const bool goes_back = l->back[i] >= 0;
        bool runs = l->function[i] < 0 || is_gradient || is_given(l, i);
        for (int k = 0; k < st->node->nout; k++) {
            runs = runs || needed[st->out + k] || (goes_back && sf_memory_keeps_output(l, i, k));
        }
        l->is_pruned[i] = !runs;
        for (int k = 0; k < st->node->nin && !is_gradient; k++) {
            if (runs || (goes_back && sf_memory_keeps_input(l, i, k))) {
                needed[st->in[k]] = true;
            }
        }
    }
    return SF_OK;
}

/* By step the stretch of a kind that it is in: of functions the outermost one, which owns what the
 * others give, else the innermost. Stretches end in order: an inner one comes before its outer. */
static int32_t *find_stretches(const SfLiveness *l, SfStretchKind kind)
{
    int32_t *of = sf_arena_alloc(l->arena, ((size_t)l->p->nsteps + 1) * sizeof *of);
    if (!of) {
        return NULL;
    }
    memset(of, 0xff, (size_t)l->p->nsteps * sizeof *of);
    for (int32_t at = 0; at < l->nstretches; at++) {
        const int32_t i = kind == SF_STRETCH_FUNCTION ? at : l->nstretches - 1 - at;
        for (int32_t k = l->stretches[i].first;
             l->stretches[i].kind == kind && k < l->stretches[i].end && k < l->p->nsteps; k++) {
            of[k] = i;
        }
    }
    return of;
}

static SfStatus read_steps(const SfTrace *t, SfArena *arena, SfPlan *p)
{
    SfGraph *g = sf_trace_graph(t);
    p->nsteps = sf_graph_size(g);
    p->nslots = sf_trace_numbers(t);
    p->steps = sf_arena_alloc(arena, ((size_t)p->nsteps + 1) * sizeof *p->steps);
    p->slots = sf_arena_alloc(arena, ((size_t)p->nslots + 1) * sizeof *p->slots);
    SF_TRY_ALLOC(p->steps && p->slots);
    p->slots[0].shape = sf_shape_unknown();
    for (int32_t i = 0; i < p->nsteps; i++) {
        SfNode *n = sf_graph_node(g, i);
        int32_t *in = sf_arena_alloc(arena, ((size_t)n->nin + 1) * sizeof *in);
        SF_TRY_ALLOC(in);
        for (int k = 0; k < n->nin; k++) {
            const SfTensor *from = &n->inputs[k];
            in[k] = from->node ? sf_trace_number(t, from->node) + from->index : 0;
        }
        p->steps[i] = (SfStep){.node = n, .in = in, .out = sf_trace_number(t, n)};
        for (int k = 0; k < n->nout; k++) {
            p->slots[p->steps[i].out + k] = n->outputs[k];
        }
        p->max_inputs = n->nin > p->max_inputs ? n->nin : p->max_inputs;
    }
    p->inputs = sf_arena_alloc(arena, ((size_t)p->max_inputs + 1) * sizeof *p->inputs);
    SF_TRY_ALLOC(p->inputs);
    return SF_OK;
}

/* What no op makes is copied to where its first reader runs. */
static void place_data(const SfLiveness *l)
{
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        const SfNode *n = l->p->steps[i].node;
        for (int k = 0; k < n->nin && l->placed[i] >= 0; k++) {
            const SfNode *from = n->inputs[k].node;
            if (from && from->nin == 0 && l->placed[from->id] < 0) {
                l->placed[from->id] = l->placed[i];
            }
        }
    }
}

/* The outermost function that is called there, else the forward pass of a loss to where the next
 * one begins, else everything. */
SfStatus sf_memory_find_step(SfLiveness *l, int32_t *first, int32_t *end)
{
    const int32_t nsteps = l->p->nsteps;
    const int32_t at = l->m->peak < 0 ? SF_MEMORY_NONE : l->part[l->m->peak].step;
    *first = 0;
    *end = nsteps;
    if (!l->hold || at < 0) {
        return SF_OK;
    }
    if (l->function[at] >= 0) {
        *first = l->stretches[l->function[at]].first;
        *end = l->stretches[l->function[at]].end;
        return SF_OK;
    }
    const size_t size = ((size_t)nsteps + 1) * sizeof(int32_t);
    int32_t *pass = sf_arena_alloc(l->arena, size), *counts = sf_arena_alloc(l->arena, size);
    SF_TRY_ALLOC(pass && counts);
    (void)sf_memory_number_passes(l, pass, counts);
    int32_t k = at;
    while (k > 0 && pass[k] < 0) {
        k--;
    }
    for (int32_t i = nsteps - 1; i >= 0 && pass[k] >= 0; i--) {
        *end = pass[i] > pass[k] ? i : *end;
        *first = pass[i] == pass[k] ? i : *first;
    }
    return SF_OK;
}

static SfStatus find_memory(SfLiveness *l, const SfTrace *t, SfPlan *p)
{
    SF_TRY(read_steps(t, l->arena, p));
    l->is_elsewhere = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *l->is_elsewhere);
    l->function = find_stretches(l, SF_STRETCH_FUNCTION);
    l->recomputed = find_stretches(l, SF_STRETCH_RECOMPUTED);
    l->placed = find_stretches(l, SF_STRETCH_PLACED);
    SF_TRY_ALLOC(l->is_elsewhere && l->function && l->recomputed && l->placed);
    place_data(l);
    const bool *read = sf_memory_find_read(t, l->arena);
    SF_TRY_ALLOC(read);
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfNode *n = p->steps[i].node;
        for (int k = 0; k < n->nout; k++) {
            const SfHeld *held = sf_trace_log_held(l->log, p->steps[i].out + k);
            l->is_elsewhere[p->steps[i].out + k] =
                (held && held->is_state) || (n->nin == 0 && !read[i]);
        }
    }
    if (l->state.batch >= 0) {
        SF_TRY(sf_memory_infer_with_batch(l, t, p));
    }
    return sf_memory_find(l);
}

SfStatus sf_trace_memory(const SfTrace *t, SfEagerState state, SfMemoryTrial trial, SfArena *arena,
                         SfMemory *out)
{
    static const SfTraceLog nothing;
    const SfTraceLog *log = sf_trace_log(t) ? sf_trace_log(t) : &nothing;
    SfPlan p = {.session = NULL};
    SfLiveness l = {.p = &p,
                    .arena = arena,
                    .m = out,
                    .trial = trial,
                    .hold = hold_outputs,
                    .log = log,
                    .stretches = log->stretches,
                    .nstretches = log->nstretches,
                    .state = state};
    *out = (SfMemory){.peak = SF_MEMORY_NONE};
    sf_arena_init(&l.scratch);
    const SfStatus status = find_memory(&l, t, &p);
    out->is_lower_bound = out->is_lower_bound || p.nsteps >= SF_TRACE_MAX;
    sf_arena_free(&l.scratch);
    return status;
}
