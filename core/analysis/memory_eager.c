/* Memory of eager code. See memory.h.
 * A trace is read as a plan: its records are the steps, in the order in which they ran, and the
 * numbers of their outputs the slots; slot 0 is what no record made. */
#include <string.h>

#include "core/analysis/memory_impl.h"
#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"

/* Outputs of a step that Python holds live until it lets go of them; what a function makes, and
 * Python drops while it runs, is a tensor of its graph. */
static void hold_outputs(SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t function = l->function ? l->function[step] : SF_MEMORY_NONE;
    for (int k = 0; k < st->node->nout; k++) {
        const SfHeld *held = sf_trace_log_held(l->log, st->out + k);
        if (held && held->objects > 0) {
            sf_memory_read_at(l, st->out + k, l->end);
        } else if (held && held->gone > step &&
                   (function < 0 || held->gone > l->stretches[function].end)) {
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
        given = held && (held->is_state || held->objects > 0 || held->gone > end);
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

/* By record: does an op read it? A tensor that only a data set reads is not on a device. */
static bool *find_read(const SfTrace *t, SfArena *arena)
{
    const SfGraph *g = sf_trace_graph(t);
    bool *read = sf_arena_alloc(arena, ((size_t)sf_graph_size(g) + 1) * sizeof *read);
    for (int i = 0; read && i < sf_graph_size(g); i++) {
        const SfNode *n = sf_graph_node(g, i);
        for (int k = 0; k < n->nin; k++) {
            if (n->inputs[k].node) {
                read[n->inputs[k].node->id] = true;
            }
        }
    }
    return read;
}

/* What comes from outside: a tensor that no op made, of unknown content. */
static bool is_data(const SfNode *n, const SfTraceLog *log, int32_t number)
{
    const SfHeld *held = sf_trace_log_held(log, number);
    return n->nin == 0 && n->nout == 1 && !n->outputs[0].value && !(held && held->is_state) &&
           sf_shape_rank(n->outputs[0].shape) >= 1 &&
           sf_dim_is_known(sf_shape_dim(n->outputs[0].shape, 0));
}

int64_t sf_trace_batch(const SfTrace *t)
{
    enum { SIZES = 16 };
    int64_t sizes[SIZES];
    int counts[SIZES], n = 0, best = -1;
    const SfGraph *g = sf_trace_graph(t);
    SfArena arena;
    sf_arena_init(&arena);
    const bool *read = find_read(t, &arena);
    for (int i = 0; read && i < sf_graph_size(g); i++) {
        const SfNode *node = sf_graph_node(g, i);
        if (!read[i] || !is_data(node, sf_trace_log(t), sf_trace_number(t, node))) {
            continue;
        }
        const int64_t size = sf_shape_dim(node->outputs[0].shape, 0);
        int at = 0;
        while (at < n && sizes[at] != size) {
            at++;
        }
        if (at == n && n < SIZES) {
            sizes[n] = size;
            counts[n++] = 0;
        }
        if (at < n) {
            counts[at]++;
            best = best < 0 || counts[at] > counts[best] ? at : best;
        }
    }
    sf_arena_free(&arena);
    return best < 0 ? -1 : sizes[best];
}

static SfStatus with_batch(SfTensor *t, int64_t batch)
{
    SfDim dims[SF_RANK_MAX];
    const int rank = sf_shape_rank(t->shape);
    for (int i = 0; i < rank; i++) {
        dims[i] = i == 0 ? (SfDim)batch : sf_shape_dim(t->shape, i);
    }
    t->shape = sf_shape_make(rank, dims);
    SF_TRY_ALLOC(t->shape);
    return SF_OK;
}

/* The outputs of all steps when what comes from outside has another batch. */
static SfStatus infer_with_batch(SfLiveness *l, const SfTrace *t, SfPlan *p, int64_t batch)
{
    const int64_t now = sf_trace_batch(t);
    bool *changed = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *changed);
    SF_TRY_ALLOC(changed);
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        SfTensor *outs = &p->slots[st->out];
        bool differs = false;
        SF_TRY(sf_interrupt_step(&l->polls));
        if (is_data(st->node, l->log, st->out) && sf_shape_dim(outs->shape, 0) == now) {
            SF_TRY(with_batch(outs, batch));
            changed[st->out] = true;
            continue;
        }
        for (int k = 0; k < st->node->nin; k++) {
            p->inputs[k] = st->in[k] > 0 ? p->slots[st->in[k]] : st->node->inputs[k];
            differs = differs || changed[st->in[k]];
        }
        if (!differs) {
            continue;
        }
        SfSink muted = {.muted = 1};
        const SfInferArgs args = sf_node_infer_args(st->node, p->inputs, outs, &muted, &l->scratch);
        const SfStatus status = sf_infer_run(&args);
        sf_arena_reset(&l->scratch);
        if (status != SF_OK) {
            return status;
        }
        for (int k = 0; k < st->node->nout; k++) {
            changed[st->out + k] = outs[k].shape != st->node->outputs[k].shape ||
                                   outs[k].value != st->node->outputs[k].value;
        }
    }
    return SF_OK;
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

static SfStatus find_memory(SfLiveness *l, const SfTrace *t, SfPlan *p)
{
    SF_TRY(read_steps(t, l->arena, p));
    l->is_elsewhere = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *l->is_elsewhere);
    l->function = find_stretches(l, SF_STRETCH_FUNCTION);
    l->recomputed = find_stretches(l, SF_STRETCH_RECOMPUTED);
    l->placed = find_stretches(l, SF_STRETCH_PLACED);
    SF_TRY_ALLOC(l->is_elsewhere && l->function && l->recomputed && l->placed);
    place_data(l);
    const bool *read = find_read(t, l->arena);
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
        SF_TRY(infer_with_batch(l, t, p, l->state.batch));
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
