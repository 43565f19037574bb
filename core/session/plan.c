/* Plans: what a run needs (pruning, as graph/subgraph.cc) and its program of steps. */
#include <stdlib.h>
#include <string.h>

#include "core/base/novelty.h"
#include "core/graph/graph_impl.h"
#include "core/session/session_impl.h"
#include "lattice/intern.h"

/* edges */

bool sf_node_is_back_edge(const SfNode *n, int input)
{
    const SfNode *from = n->inputs[input].node;
    return from && from->id >= n->id && sf_node_role(n) == SF_ROLE_MERGE &&
           sf_node_role(from) == SF_ROLE_NEXT_ITERATION;
}

bool sf_plan_is_fed(const SfPlan *p, const SfNode *n, int output)
{
    for (int i = 0; i < p->nfed; i++) {
        if (p->fed[i].node == n && p->fed[i].index == output) {
            return true;
        }
    }
    return false;
}

SfNode *sf_plan_data_dep(const SfPlan *p, const SfNode *n, int i)
{
    const SfTensor *t = &n->inputs[i];
    return p->nfed && sf_plan_is_fed(p, t->node, t->index) ? NULL : t->node;
}

/* A fed placeholder is replaced with its control edges; any other fed node still runs. */
SfNode *sf_plan_control_dep(const SfPlan *p, const SfNode *n, int i)
{
    SfNode *c = n->context->control.items[i];
    return p->nfed && sf_node_role(c) == SF_ROLE_PLACEHOLDER && sf_plan_is_fed(p, c, 0) ? NULL : c;
}

/* pruning */

typedef struct Stack {
    SfNode **items;
    int n, capacity;
} Stack;

/* Marks a node as needed (its number is given later) and queues it. */
static SfStatus need(SfSession *s, Stack *stack, SfNode *n)
{
    if (!n || s->local[n->id] >= 0) {
        return SF_OK;
    }
    s->local[n->id] = 0;
    if (stack->n == stack->capacity) {
        const int capacity = stack->capacity ? stack->capacity * 2 : 256;
        SfNode **items = sf_realloc(stack->items, (size_t)capacity * sizeof(SfNode *));
        SF_TRY_ALLOC(items);
        stack->items = items;
        stack->capacity = capacity;
    }
    stack->items[stack->n++] = n;
    return SF_OK;
}

/* Everything that the fetches and targets reach backwards, short of the feeds. The stack keeps what
 * was visited: its length is the number of nodes. */
static SfStatus collect(SfPlan *p, Stack *stack)
{
    SfSession *s = p->session;
    for (int i = 0; i < p->nfetch; i++) {
        const SfTensor *t = &p->fetches[i];
        SF_TRY(need(s, stack, sf_plan_is_fed(p, t->node, t->index) ? NULL : t->node));
    }
    for (int i = 0; i < p->ntarget; i++) {
        SfNode *t = p->targets[i];
        const bool fed = sf_node_role(t) == SF_ROLE_PLACEHOLDER && sf_plan_is_fed(p, t, 0);
        SF_TRY(need(s, stack, fed ? NULL : t));
    }
    uint32_t polls = 0;
    for (int at = 0; at < stack->n; at++) {
        const SfNode *n = stack->items[at];
        SF_TRY(sf_interrupt_step(&polls));
        for (int i = 0; i < n->nin; i++) {
            SF_TRY(need(s, stack, sf_plan_data_dep(p, n, i)));
        }
        for (int i = 0; i < n->context->control.n; i++) {
            SF_TRY(need(s, stack, sf_plan_control_dep(p, n, i)));
        }
    }
    return SF_OK;
}

static int by_id(const void *a, const void *b)
{
    const SfNode *x = *(SfNode *const *)a;
    const SfNode *y = *(SfNode *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

/* the program */

static SfStepKind kind_of(const SfNode *n)
{
    if (n->context->source) {
        return SF_STEP_SOURCE;
    }
    const SfOpRole role = sf_node_role(n);
    return role == SF_ROLE_PLACEHOLDER ? SF_STEP_PLACEHOLDER
           : role == SF_ROLE_SWITCH    ? SF_STEP_SWITCH
           : role == SF_ROLE_MERGE     ? SF_STEP_MERGE
           : role == SF_ROLE_LOOP_COND ? SF_STEP_LOOP_COND
           : role == SF_ROLE_PLACEHOLDER_WITH_DEFAULT || role == SF_ROLE_ENTER ||
                   role == SF_ROLE_EXIT || role == SF_ROLE_NEXT_ITERATION
               ? SF_STEP_FORWARD
               : SF_STEP_PLAIN;
}

static uint8_t flags_of(const SfNode *n, SfStepKind kind)
{
    unsigned flags = n->sig->def->traits & SF_OP_UNINIT_OK ? SF_STEP_UNINIT_OK : 0;
    for (int i = 0; i < n->nin; i++) {
        const SfDtype t = n->inputs[i].dtype;
        if (sf_dtype_is_ref(t) || t == SF_DT_RESOURCE) {
            flags |= SF_STEP_HANDLES;
        }
        if (kind == SF_STEP_MERGE && sf_node_is_back_edge(n, i)) {
            flags |= SF_STEP_BACK_EDGE;
        }
    }
    for (int i = 0; i < n->nout; i++) {
        flags |= sf_dtype_is_ref(n->outputs[i].dtype) ? SF_STEP_REFS_OUT : 0;
    }
    if (kind == SF_STEP_SWITCH && n->nin > 1 && n->inputs[1].node &&
        sf_node_role(n->inputs[1].node) == SF_ROLE_LOOP_COND) {
        flags |= SF_STEP_LOOP_SWITCH;
    }
    return (uint8_t)flags;
}

static int32_t slot_of(const SfPlan *p, const int32_t *step_of, const SfTensor *t)
{
    for (int i = 0; i < p->nfed; i++) {
        if (p->fed[i].node == t->node && p->fed[i].index == t->index) {
            return i;
        }
    }
    return p->steps[step_of[p->session->local[t->node->id]]].out + t->index;
}

static SfStatus fill_step(SfPlan *p, SfStep *st, const int32_t *step_of)
{
    const SfNode *n = st->node;
    int32_t *in = sf_arena_alloc(&p->arena, (size_t)n->nin * sizeof *in);
    SF_TRY_ALLOC(in);
    for (int i = 0; i < n->nin; i++) {
        in[i] = slot_of(p, step_of, &n->inputs[i]);
    }
    st->in = in;
    if (p->has_flow && n->context->control.n) {
        int32_t *control =
            sf_arena_alloc(&p->arena, (size_t)n->context->control.n * sizeof *control);
        SF_TRY_ALLOC(control);
        for (int i = 0; i < n->context->control.n; i++) {
            const SfNode *c = sf_plan_control_dep(p, n, i);
            if (c) {
                control[st->ncontrol++] = step_of[p->session->local[c->id]];
            }
        }
        st->control = control;
    }
    return SF_OK;
}

static SfStatus alloc_run_arrays(SfPlan *p)
{
    const size_t slots = (size_t)p->nslots;
    const size_t steps = (size_t)p->nsteps;
    p->slots = sf_arena_alloc(&p->arena, slots * sizeof *p->slots);
    p->inputs = sf_arena_alloc(&p->arena, (size_t)p->max_inputs * sizeof *p->inputs);
    p->guard = sf_arena_alloc(&p->arena, slots * sizeof *p->guard);
    p->merge_held = sf_arena_alloc(&p->arena, steps * sizeof *p->merge_held);
    p->step_guard = sf_arena_alloc(&p->arena, steps * sizeof *p->step_guard);
    p->state_dependent_slot = sf_arena_alloc(&p->arena, slots * sizeof *p->state_dependent_slot);
    p->state_dependent_step = sf_arena_alloc(&p->arena, steps * sizeof *p->state_dependent_step);
    p->replay_outs = sf_arena_alloc(&p->arena, (size_t)p->max_outputs * sizeof *p->replay_outs);
    p->fetch_slots = sf_arena_alloc(&p->arena, (size_t)p->nfetch * sizeof *p->fetch_slots);
    p->fetch_refs = sf_arena_alloc(&p->arena, (size_t)p->nfetch * sizeof *p->fetch_refs);
    return p->slots && p->inputs && p->guard && p->merge_held && p->step_guard &&
                   p->state_dependent_slot && p->state_dependent_step && p->replay_outs &&
                   p->fetch_refs && p->fetch_slots
               ? SF_OK
               : SF_NOMEM;
}

/* A fetched reference, or an Identity of one, is the variable's own buffer: updates of the same
 * run show in it whenever they happen (seen in 1.8, 1.15 and 2.21). */
static int32_t shared_buffer(const SfPlan *p, const int32_t *step_of, const SfTensor *t)
{
    for (;;) {
        const int32_t slot = slot_of(p, step_of, t);
        if (slot < p->nfed) {
            return -1;
        }
        if (sf_dtype_is_ref(t->dtype)) {
            return slot;
        }
        if (sf_node_role(t->node) != SF_ROLE_IDENTITY) {
            return -1;
        }
        t = &t->node->inputs[0];
    }
}

static SfStatus write_program(SfPlan *p, const SfPrune *r)
{
    p->nsteps = r->n;
    p->steps = sf_arena_alloc(&p->arena, (size_t)r->n * sizeof *p->steps);
    int32_t *step_of = sf_arena_alloc(&p->session->scratch, (size_t)r->n * sizeof *step_of);
    SF_TRY_ALLOC(p->steps && step_of);
    int32_t slot = p->nfed;
    for (int i = 0; i < r->n; i++) {
        SfNode *n = r->nodes[r->order[i]];
        SfStep *st = &p->steps[i];
        step_of[r->order[i]] = i;
        st->node = n;
        st->out = slot;
        st->kind = (uint8_t)kind_of(n);
        st->flags = flags_of(n, (SfStepKind)st->kind);
        slot += n->nout;
        p->max_inputs = n->nin > p->max_inputs ? n->nin : p->max_inputs;
        p->max_outputs = n->nout > p->max_outputs ? n->nout : p->max_outputs;
        p->has_flow = p->has_flow || st->kind == SF_STEP_SWITCH || st->kind == SF_STEP_MERGE;
    }
    p->nslots = slot;
    SF_TRY(alloc_run_arrays(p));
    uint32_t polls = 0;
    for (int i = 0; i < r->n; i++) {
        SfStep *st = &p->steps[i];
        SF_TRY(sf_interrupt_step(&polls));
        SF_TRY(fill_step(p, st, step_of));
        if (st->node->nout) {
            memcpy(&p->slots[st->out], st->node->outputs,
                   (size_t)st->node->nout * sizeof *p->slots);
        }
    }
    for (int i = 0; i < p->nfetch; i++) {
        p->fetch_slots[i] = slot_of(p, step_of, &p->fetches[i]);
        p->fetch_refs[i] = shared_buffer(p, step_of, &p->fetches[i]);
    }
    return SF_OK;
}

/* Counts the Merges of each loop, or lists them with its LoopCond when there is room for them:
 * those of its steps that are in no deeper loop. */
static void find_merges(SfPlan *p)
{
    SfLoopFrame *open[SF_LOOPS_DEEP];
    int nopen = 0, next = 0;
    for (int i = 0; i < p->nsteps; i++) {
        while (nopen > 0 && open[nopen - 1]->end <= i) {
            nopen--;
        }
        for (; next < p->nloop_frames && p->loop_frames[next].start == i; next++) {
            open[nopen++] = &p->loop_frames[next];
        }
        SfLoopFrame *g = nopen > 0 ? open[nopen - 1] : NULL;
        if (g && p->steps[i].flags & SF_STEP_BACK_EDGE) {
            if (g->merges) {
                g->merges[g->nmerges] = i;
            }
            g->nmerges++;
        } else if (g && p->steps[i].kind == SF_STEP_LOOP_COND) {
            g->cond = i;
        }
    }
}

static SfStatus fill_loop_frames(SfPlan *p)
{
    find_merges(p);
    for (int i = 0; i < p->nloop_frames; i++) {
        SfLoopFrame *g = &p->loop_frames[i];
        g->merges = sf_arena_alloc(&p->arena, ((size_t)g->nmerges + 1) * sizeof *g->merges);
        SF_TRY_ALLOC(g->merges);
        g->nmerges = 0;
        g->cond = -1;
    }
    find_merges(p);
    return SF_OK;
}

/* Looking at every node of the graph is cheaper than sorting most of them. */
static void sort_nodes(const SfSession *s, Stack *stack)
{
    const int size = sf_graph_size(s->graph);
    if (stack->n < size / 16) {
        qsort(stack->items, (size_t)stack->n, sizeof(SfNode *), by_id);
        return;
    }
    for (int id = 0, n = 0; id < size && n < stack->n; id++) {
        if (s->local[id] >= 0) {
            stack->items[n++] = s->graph->nodes[id];
        }
    }
}

static SfStatus number_nodes(SfSession *s, Stack *stack, SfPrune *r)
{
    if (stack->n) {
        sort_nodes(s, stack);
    }
    r->nodes = stack->items;
    r->n = stack->n;
    r->local = s->local;
    r->order = sf_arena_alloc(&s->scratch, (size_t)r->n * sizeof *r->order);
    SF_TRY_ALLOC(r->order);
    for (int i = 0; i < r->n; i++) {
        s->local[r->nodes[i]->id] = i;
        r->order[i] = i;
        r->has_loops = r->has_loops || sf_node_role(r->nodes[i]) == SF_ROLE_ENTER;
    }
    return SF_OK;
}

static SfStatus make(SfPlan *p, Stack *stack, SfSink *sink)
{
    SfSession *s = p->session;
    SfPrune r = {.plan = p, .arena = &s->scratch};
    SF_TRY(collect(p, stack));
    SF_TRY(number_nodes(s, stack, &r));
    SF_TRY(sf_plan_order(&r, sink));
    SF_TRY(write_program(p, &r));
    SF_TRY(fill_loop_frames(p));
    return s->graph->nsources ? sf_plan_find_sources(p) : SF_OK;
}

static SfStatus reserve_local(SfSession *s)
{
    const int n = sf_graph_size(s->graph);
    if (n <= s->local_size) {
        return SF_OK;
    }
    const int size = n + n / 2 + 64;
    int32_t *local = sf_realloc(s->local, (size_t)size * sizeof *local);
    SF_TRY_ALLOC(local);
    memset(local + s->local_size, 0xff, (size_t)(size - s->local_size) * sizeof *local);
    s->local = local;
    s->local_size = size;
    return SF_OK;
}

SfStatus sf_plan_make(SfPlan *p, SfSink *sink)
{
    sf_novelty_count();
    SfSession *s = p->session;
    sf_arena_free(&p->arena);
    sf_memo_clear(p);
    p->max_inputs = p->max_outputs = 1;
    p->nsteps = p->nslots = p->nloop_frames = 0;
    p->has_flow = p->flat_loops = false;
    p->sources = NULL;
    p->nsources = p->nsupply = 0;
    p->loop_frames = NULL;
    p->loop_frame_at = NULL;
    p->edits = sf_graph_edits(s->graph);
    Stack stack = {0};
    SfStatus status = reserve_local(s);
    if (status == SF_OK) {
        status = sf_graph_check_cycles(s, sink);
    }
    if (status == SF_OK) {
        status = make(p, &stack, sink);
    }
    for (int i = 0; i < stack.n; i++) {
        s->local[stack.items[i]->id] = -1;
    }
    sf_free(stack.items);
    sf_arena_reset(&s->scratch);
    if (status != SF_OK) {
        p->edits--; /* not usable: made again on the next run */
    }
    p->noted = false;
    return status;
}

int sf_plan_size(const SfPlan *p)
{
    return p->nsteps;
}

SfNode *sf_plan_node(const SfPlan *p, int i)
{
    return i >= 0 && i < p->nsteps ? p->steps[i].node : NULL;
}

bool sf_plan_was_replayed(const SfPlan *p)
{
    return p->replayed;
}

const SfTensor *sf_plan_output(const SfPlan *p, int i, int output)
{
    const int32_t slot = p->steps[i].out + output;
    return p->has_flow && p->guard[slot] == SF_DEAD ? NULL : &p->slots[slot];
}

const SfTensor *sf_plan_supplies(const SfPlan *p, int *n)
{
    *n = p->nsupply;
    return p->supply;
}
