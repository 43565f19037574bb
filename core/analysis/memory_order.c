/* The order in which a step computes: its forward ops, and the gradients of each loss.
 * See memory.h.
 * An executor, of sessions and of functions, takes what became ready last first, so that what an
 * update waits for is done when the branch that it hangs on is; a tape of eager code goes back in
 * the order of its records.
 * Source: ExecutorState::ScheduleReady of executor.cc with one thread; tape.h. */
#include <string.h>

#include "core/analysis/backward.h"
#include "core/analysis/memory_impl.h"
#include "core/base/interrupt.h"

enum { NONE = SF_MEMORY_NONE };

static bool is_gradient(const SfStep *st)
{
    return sf_node_role(st->node) == SF_ROLE_GRADIENT;
}

/* Are both gradients of one loss? Then all their inputs but x are the same. */
static bool same_loss(const SfStep *a, const SfStep *b)
{
    const int n = a->node->nin - 1;
    return n == b->node->nin - 1 && memcmp(a->in + 1, b->in + 1, (size_t)n * sizeof *a->in) == 0;
}

int32_t sf_memory_origin(const SfLiveness *l, int32_t slot)
{
    int32_t step = l->slot_step[slot];
    while (step >= 0) {
        const SfStep *st = &l->p->steps[step];
        const SfOpRole role = sf_node_role(st->node);
        if ((role != SF_ROLE_IDENTITY && role != SF_ROLE_READ_VARIABLE) || st->node->nin < 1 ||
            l->slot_step[st->in[0]] < 0) {
            break;
        }
        step = l->slot_step[st->in[0]];
    }
    return step;
}

/* Do gradients go through tensors of a dtype? Not through shapes and masks.
 * Source: IsTrainable of backprop_util.py. */
static bool goes_through(SfDtype dtype)
{
    const SfDtype t = sf_dtype_base(dtype);
    return sf_dtype_is_floating(t) || sf_dtype_is_complex(t) || t == SF_DT_RESOURCE ||
           t == SF_DT_VARIANT;
}

/* Marks what is computed from a marked step, of the steps low to end - 1. */
static void reach(SfLiveness *l, int32_t low, int32_t end)
{
    for (int32_t i = low; i < end; i++) {
        const SfStep *st = &l->p->steps[i];
        for (int k = 0; k < st->node->nin && !l->reached[i]; k++) {
            const int32_t from = l->slot_step[st->in[k]];
            l->reached[i] = from >= 0 && from < i && l->reached[from] &&
                            goes_through(st->node->inputs[k].dtype);
        }
    }
}

/* Marks what gets a gradient from a marked step. */
static void need(SfLiveness *l, int32_t low, int32_t end)
{
    for (int32_t i = end - 1; i >= low; i--) {
        const SfStep *st = &l->p->steps[i];
        const bool stops = sf_node_role(st->node) == SF_ROLE_STOP_GRADIENT ||
                           st->node->sig->def->grad == SF_GRAD_NONE;
        for (int k = 0; l->needed[i] && !stops && k < st->node->nin; k++) {
            const int32_t from = l->slot_step[st->in[k]];
            const SfDtype t = sf_dtype_base(st->node->inputs[k].dtype);
            if (from >= 0 && (sf_dtype_is_floating(t) || t == SF_DT_RESOURCE)) {
                l->needed[from] = true;
            }
        }
    }
}

/* Takes a mark from one turn of a while loop to the next, or, `back`, to the one before. Are there
 * new ones? */
static bool carry(SfLiveness *l, bool *marked, bool back, int32_t *low)
{
    bool changed = false;
    for (int c = 0; c < l->ncarried; c++) {
        const int32_t merge = l->slot_step[l->carried[c].merged];
        const int32_t end = l->slot_step[l->carried[c].comes_back];
        const int32_t from = back ? merge : end, to = back ? end : merge;
        if (from >= 0 && to >= 0 && marked[from] && !marked[to]) {
            marked[to] = changed = true;
            *low = to < *low ? to : *low;
        }
    }
    return changed;
}

/* Marks the steps before `first` that read a slot, and returns the oldest of them; `first`: there
 * is none. A feed is made by no step: a gradient with respect to it goes back to its readers. */
static int32_t reach_readers(SfLiveness *l, int32_t slot, int32_t first)
{
    int32_t oldest = first;
    for (int32_t i = first - 1; i >= 0; i--) {
        const SfStep *st = &l->p->steps[i];
        for (int k = 0; k < st->node->nin; k++) {
            if (st->in[k] == slot) {
                l->reached[i] = true;
                oldest = i;
            }
        }
    }
    return oldest;
}

/* Marks the steps between the losses of gradient step `first` and everything that gradients of
 * these losses are taken with respect to. */
static void mark_path(SfLiveness *l, int32_t first)
{
    const SfPlan *p = l->p;
    const SfStep *g = &p->steps[first];
    int32_t low = first; /* steps before the oldest x cannot depend on any */
    memset(l->reached, 0, (size_t)p->nsteps * sizeof *l->reached);
    memset(l->needed, 0, (size_t)p->nsteps * sizeof *l->needed);
    for (int32_t i = first; i < p->nsteps; i++) {
        if (is_gradient(&p->steps[i]) && same_loss(g, &p->steps[i])) {
            const int32_t x = p->steps[i].in[0];
            const int32_t origin = sf_memory_origin(l, x);
            if (origin >= 0) {
                l->reached[origin] = true;
            }
            const int32_t oldest = origin >= 0 ? origin : reach_readers(l, x, first);
            low = oldest < low ? oldest : low;
        }
    }
    for (int k = 1; k < g->node->nin; k++) {
        if (l->slot_step[g->in[k]] >= 0) {
            l->needed[l->slot_step[g->in[k]]] = true;
        }
    }
    do {
        reach(l, low, first);
    } while (carry(l, l->reached, false, &low));
    do {
        need(l, low, first);
    } while (carry(l, l->needed, true, &low));
}

static int32_t add_moment(SfLiveness *l, int32_t step, SfPart part)
{
    l->part[l->m->nmoments] = (SfOccasion){step, part};
    l->m->moments[l->m->nmoments] =
        (SfMemoryMoment){.node = l->p->steps[step].node, .backward = part != SF_PART_FORWARD};
    return l->m->nmoments++;
}

static void add_forward(SfLiveness *l, int32_t i)
{
    l->forward[i] = add_moment(l, i, SF_PART_FORWARD);
}

/* A tape computes all gradients of an op at once; in a graph each gradient is an op of its own. */
static void add_backward(SfLiveness *l, int32_t i)
{
    const int32_t at = add_moment(l, i, SF_PART_BACKWARD);
    if (l->back[i] >= 0) {
        l->later[l->back_end[i]] = at;
        l->back_end[i] = at;
        return;
    }
    l->back[i] = l->back_end[i] = at;
    const bool is_graph = l->p->session || (l->function && l->function[i] >= 0);
    if (is_graph && l->p->steps[i].node->sig->def->traits & SF_OP_PRODUCT) {
        l->back_end[i] = add_moment(l, i, SF_PART_BACKWARD_END);
    }
}

/* Is gradient step i the first of its loss? Only the newest losses are remembered; to take an
 * older one for new changes nothing. */
static bool is_new_loss(SfLiveness *l, int32_t i)
{
    for (int k = 0; k < SF_MEMORY_LOSSES && k < l->nlosses; k++) {
        if (same_loss(&l->p->steps[l->losses[k]], &l->p->steps[i])) {
            return false;
        }
    }
    l->losses[l->nlosses++ % SF_MEMORY_LOSSES] = i;
    return true;
}

/* Each step once, as it was recorded; all backward steps of a loss before the first of its
 * gradients. */
static SfStatus run_as_recorded(SfLiveness *l, int32_t i)
{
    const SfPlan *p = l->p;
    SF_TRY(sf_interrupt_step(&l->polls));
    if (is_gradient(&p->steps[i]) && is_new_loss(l, i)) {
        mark_path(l, i);
        for (int32_t k = i - 1; k >= 0; k--) {
            const bool is_source = p->steps[k].node->nin == 0;
            if (l->reached[k] && l->needed[k] && (is_source || l->back[k] == NONE)) {
                add_backward(l, k);
            }
        }
    }
    add_forward(l, i);
    return SF_OK;
}

/* as an executor takes them */
typedef enum Task { TASK_FORWARD, TASK_BACKWARD, TASK_BACKWARD_END, TASKS } Task;

typedef struct Executor {
    SfLiveness *l;
    int32_t from, end; /* the steps that it runs */
    bool is_function;
    bool *waits;              /* by step: its gradient is still to come */
    bool *depends, *is_fed;   /* by step: it depends on a gradient, on a feed */
    int32_t *first, *readers; /* the steps that read step i: readers[first[i]..first[i + 1] - 1] */
    /* by step: how many of its inputs, and of its gradients, are still missing */
    int32_t *inputs, *grads;
    int32_t *asked, *next; /* by step: a linked list of the gradients that are asked for there */
    int32_t *stack;        /* entries: TASKS * step + the task */
    int32_t top;
} Executor;

/* The step that step i waits for by its input k, or, where that is past its inputs, by the write of
 * the variable's content that it stands for. NONE: there is none. */
static int32_t source_of(const SfLiveness *l, int32_t i, int k)
{
    const SfStep *st = &l->p->steps[i];
    if (k < st->node->nin) {
        return l->slot_step[st->in[k]];
    }
    const SfHeld *held = l->hold && k == 0 ? sf_trace_log_held(l->log, st->out) : NULL;
    return held && held->written > 0 ? l->slot_step[held->written] : NONE;
}

static int count_sources(const SfStep *st)
{
    return st->node->nin > 0 ? st->node->nin : 1;
}

static SfStatus find_readers(Executor *e)
{
    const SfPlan *p = e->l->p;
    const size_t n = (size_t)p->nsteps;
    size_t edges = 0;
    SfArena *arena = e->l->arena;
    e->first = sf_arena_alloc(arena, (n + 2) * sizeof *e->first);
    SF_TRY_ALLOC(e->first);
    for (int32_t i = 0; i < p->nsteps; i++) {
        for (int k = 0; k < count_sources(&p->steps[i]); k++, edges++) {
            const int32_t from = source_of(e->l, i, k);
            if (from >= 0) {
                e->first[from + 2]++;
            }
        }
    }
    for (size_t i = 2; i < n + 2; i++) {
        e->first[i] += e->first[i - 1];
    }
    e->readers = sf_arena_alloc(arena, (edges + 1) * sizeof *e->readers);
    SF_TRY_ALLOC(e->readers);
    for (int32_t i = 0; i < p->nsteps; i++) { /* first[i + 1] is where the next reader of i goes */
        for (int k = 0; k < count_sources(&p->steps[i]); k++) {
            const int32_t from = source_of(e->l, i, k);
            if (from >= 0) {
                e->readers[e->first[from + 1]++] = i;
            }
        }
    }
    return SF_OK;
}

/* Is input k what a variable holds when a function is called? */
static bool is_content(const SfLiveness *l, int32_t i, int k)
{
    return l->is_elsewhere && k < l->p->steps[i].node->nin && l->is_elsewhere[l->p->steps[i].in[k]];
}

/* What depends on no gradient runs first, and of that what depends on no feed, which is ready when
 * the step begins. Of the rest, how many inputs each waits for. */
static void begin(Executor *e)
{
    const SfPlan *p = e->l->p;
    for (int32_t i = e->from; i < e->end; i++) {
        e->depends[i] = is_gradient(&p->steps[i]);
        e->asked[i] = NONE;
        for (int k = 0; k < count_sources(&p->steps[i]); k++) {
            const int32_t from = source_of(e->l, i, k);
            const bool is_input = from >= 0 || k < p->steps[i].node->nin;
            e->is_fed[i] =
                e->is_fed[i] || (is_input && (from < e->from ? !is_content(e->l, i, k)
                                                             : from < i && e->is_fed[from]));
            if (from >= e->from && from < i && e->depends[from]) {
                e->depends[i] = true;
                e->inputs[i]++;
            }
        }
        if (!e->depends[i] && !e->is_fed[i]) {
            add_forward(e->l, i);
        }
    }
}

static void begin_with_feeds(Executor *e)
{
    for (int32_t i = e->from; i < e->end; i++) {
        if (!e->depends[i] && e->is_fed[i]) {
            add_forward(e->l, i);
        }
    }
}

static void push(Executor *e, int32_t step, Task task)
{
    e->stack[e->top++] = TASKS * step + (int32_t)task;
}

/* What waits for a step that has run: each reader that nothing else keeps. */
static void run_forward(Executor *e, int32_t i)
{
    add_forward(e->l, i);
    for (int32_t k = e->first[i]; k < e->first[i + 1]; k++) {
        const int32_t reader = e->readers[k];
        if (e->depends[reader] && e->l->forward[reader] < 0 && --e->inputs[reader] == 0 &&
            !is_gradient(&e->l->p->steps[reader])) {
            push(e, reader, TASK_FORWARD);
        }
    }
}

static bool is_state(const SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const SfOpRole role = sf_node_role(st->node);
    return role == SF_ROLE_VARIABLE || role == SF_ROLE_READ_VARIABLE ||
           (role == SF_ROLE_IDENTITY && st->node->nin == 1 && l->slot_step[st->in[0]] >= 0 &&
            sf_node_role(l->p->steps[l->slot_step[st->in[0]]].node) == SF_ROLE_VARIABLE);
}

/* Do several gradients arrive? Their sum runs at once, so that they go. */
static bool is_sum(const Executor *e, int32_t step)
{
    int arrived = 0;
    for (int32_t k = e->first[step]; k < e->first[step + 1] && arrived < 2; k++) {
        arrived += e->l->back[e->readers[k]] >= 0;
    }
    return arrived > 1;
}

/* How many kernels read the gradient of what a step makes. An addition has none of its own: it
 * passes the gradient on, or sums it up where it was broadcast. */
static int gradient_kernels(const Executor *e, int32_t step, int depth)
{
    enum { DEPTH_MAX = 4 };
    const SfLiveness *l = e->l;
    const SfNode *n = l->p->steps[step].node;
    const bool passes_on = !sf_backward_reads_input(n, 0) && !sf_backward_reads_output(n, 0) &&
                           n->nin > 1 && depth < DEPTH_MAX;
    int kernels = 0;
    for (int k = 0; k < n->nin; k++) {
        const int32_t slot = l->p->steps[step].in[k], from = l->slot_step[slot];
        const bool is_same = passes_on && l->p->slots[slot].shape == n->outputs[0].shape;
        if (from >= 0 && (e->waits[from] || l->back[from] >= 0)) {
            kernels += is_same && !is_sum(e, from) ? gradient_kernels(e, from, depth + 1) : 1;
        }
    }
    return kernels > 0 ? kernels : 1;
}

/* A product whose input's gradient goes to several kernels: its two gradients meet in a node of
 * their own before them, whose last reader is the update of the factor that is trained. With one
 * kernel TensorFlow removes that node. */
static bool updates_at_once(const Executor *e, int32_t i)
{
    const SfLiveness *l = e->l;
    const SfStep *st = &l->p->steps[i];
    int most = 0;
    for (int k = 0; st->node->sig->def->traits & SF_OP_PRODUCT && k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        const bool is_read =
            from >= 0 && (e->waits[from] || l->back[from] >= 0) && !is_state(l, from);
        const int kernels = !is_read || is_sum(e, from) ? 0 : gradient_kernels(e, from, 0);
        most = kernels > most ? kernels : most;
    }
    return most > 1;
}

/* Is the gradient of factor k of a product the last one that is computed? */
static bool comes_last(const SfStep *st, int k)
{
    int other = NONE;
    for (int j = 0; j < st->node->nin; j++) {
        other = j != k && sf_backward_reads_input(st->node, j) ? j : other;
    }
    return other < 0 || k < other;
}

/* What waits for a gradient of step i; of a product whose gradients are two tasks, for that of this
 * one. */
static void deliver(Executor *e, int32_t i, bool is_whole, bool is_last)
{
    SfLiveness *l = e->l;
    const SfStep *st = &l->p->steps[i];
    for (int k = 0; k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        const bool is_made = is_whole || comes_last(st, k) == is_last;
        e->grads[from >= 0 ? from : 0] -= from >= 0 && is_made && e->waits[from];
    }
    /* On top are sums of gradients, then the first input; updates of what is trained wait below, or
     * run at once. */
    const int update = updates_at_once(e, i) ? 3 : 0;
    for (int pass = 0; pass < 4; pass++) {
        for (int k = st->node->nin - 1; k >= 0; k--) {
            const int32_t from = l->slot_step[st->in[k]];
            if (from >= 0 && e->waits[from] && e->grads[from] == 0 &&
                (!is_state(l, from) ? 1
                 : is_sum(e, from)  ? 2
                                    : update) == pass) {
                push(e, from, TASK_BACKWARD);
                e->grads[from] = NONE; /* marks it as pushed */
            }
        }
    }
}

/* In a function the update of a factor follows its gradient, before the other gradient is computed.
 */
static void run_backward(Executor *e, int32_t i, bool is_whole)
{
    SfLiveness *l = e->l;
    const SfStep *st = &l->p->steps[i];
    const bool is_halved =
        !is_whole && e->is_function && st->node->sig->def->traits & SF_OP_PRODUCT;
    e->waits[i] = false;
    if (is_halved) {
        l->back[i] = l->back_end[i] = add_moment(l, i, SF_PART_BACKWARD);
        push(e, i, TASK_BACKWARD_END);
    } else {
        add_backward(l, i);
    }
    for (int32_t g = e->asked[i]; g != NONE; g = e->next[g]) {
        if (e->inputs[g] == 0 && l->forward[g] < 0) {
            push(e, g, TASK_FORWARD);
        }
    }
    deliver(e, i, !is_halved, false);
}

static void run_task(Executor *e, int32_t entry)
{
    const int32_t step = entry / TASKS;
    switch ((Task)(entry % TASKS)) {
    case TASK_FORWARD:
        run_forward(e, step);
        break;
    case TASK_BACKWARD:
        run_backward(e, step, false);
        break;
    case TASK_BACKWARD_END:
        e->l->back_end[step] = add_moment(e->l, step, SF_PART_BACKWARD_END);
        deliver(e, step, false, true);
        break;
    case TASKS:
        break;
    }
}

/* Does the gradient read input k? That of a factor reads the other one alone. */
static bool reads_input(const Executor *e, int32_t i, int k)
{
    const SfStep *st = &e->l->p->steps[i];
    const SfOpDef *def = st->node->sig->def;
    const bool is_linear =
        def->traits & SF_OP_FACTORS || (k == 0 && def->arithmetic == SF_ARITHMETIC_PRODUCT);
    const int32_t other = st->node->nin == 2 ? e->l->slot_step[st->in[1 - k]] : NONE;
    return sf_backward_reads_input(st->node, k) &&
           (!is_linear || st->node->nin != 2 || (other >= 0 && e->waits[other]));
}

/* Is the gradient of step i, when it has arrived, computed of nothing that a feed, or the shape of
 * one, has to do with? */
static bool is_free_of_feeds(const Executor *e, int32_t i)
{
    const SfStep *st = &e->l->p->steps[i];
    for (int k = 0; k < st->node->nout; k++) {
        if (e->is_fed[i] && sf_backward_reads_output(st->node, k)) {
            return false;
        }
    }
    for (int k = 0; k < st->node->nin; k++) {
        const int32_t from = e->l->slot_step[st->in[k]];
        if ((from < e->from ? !is_content(e->l, i, k) : e->is_fed[from]) &&
            (reads_input(e, i, k) || !sf_dim_is_known(sf_shape_count(st->node->inputs[k].shape)))) {
            return false;
        }
    }
    return true;
}

static int count_awaited(const Executor *e, int32_t i, int32_t loss)
{
    int awaited = 0;
    for (int32_t at = e->first[i]; at < e->first[i + 1]; at++) {
        awaited += e->readers[at] < loss && e->waits[e->readers[at]];
    }
    return awaited;
}

/* What the gradient step i waits for: the steps between its loss and what is trained. */
static void find_awaited(Executor *e, int32_t i)
{
    SfLiveness *l = e->l;
    mark_path(l, i);
    for (int32_t k = 0; k < i; k++) {
        const bool is_again = e->is_function && l->p->steps[k].node->nin == 0;
        e->waits[k] = l->reached[k] && l->needed[k] && (l->back[k] == NONE || is_again);
        e->asked[k] = e->waits[k] ? NONE : e->asked[k];
    }
}

/* Gradients that depend on no feed, as those of a penalty on weights, run when the step begins. */
static void begin_backward(Executor *e)
{
    SfLiveness *l = e->l;
    int32_t loss = e->from;
    while (loss < e->end && !is_gradient(&l->p->steps[loss])) {
        loss++;
    }
    if (loss == e->end || l->ncarried > 0 || (!e->is_function && l->nstretches > 0) ||
        l->trial.segments > 0) {
        return;
    }
    find_awaited(e, loss);
    for (int32_t i = loss - 1; i >= e->from; i--) {
        const SfStep *st = &l->p->steps[i];
        if (!e->waits[i] || st->node->context->sequence_step || is_state(l, i) ||
            count_awaited(e, i, loss) > 0 || !is_free_of_feeds(e, i)) {
            continue;
        }
        e->waits[i] = false;
        add_backward(l, i);
    }
}

/* The backward pass of the loss of gradient step i, and what can run after it. */
static SfStatus run_loss(Executor *e, int32_t i)
{
    SfLiveness *l = e->l;
    const SfPlan *p = l->p;
    find_awaited(e, i);
    for (int32_t k = e->end - 1; k >= i; k--) {
        const int32_t origin = is_gradient(&p->steps[k]) && same_loss(&p->steps[i], &p->steps[k])
                                   ? sf_memory_origin(l, p->steps[k].in[0])
                                   : NONE;
        if (origin >= 0 && e->waits[origin]) {
            e->next[k] = e->asked[origin];
            e->asked[origin] = k;
        } else if (origin >= 0 && e->inputs[k] == 0 && l->forward[k] < 0) {
            push(e, k, TASK_FORWARD);
        }
    }
    for (int32_t k = 0; k < i; k++) {
        e->grads[k] = e->waits[k] ? count_awaited(e, k, i) : 0;
        if (e->waits[k] && e->grads[k] == 0) {
            push(e, k, TASK_BACKWARD);
        }
    }
    while (e->top > 0) {
        SF_TRY(sf_interrupt_step(&l->polls));
        run_task(e, e->stack[--e->top]);
    }
    /* in a loop gradients wait for each other: run them in turn */
    for (int32_t k = i - 1; k >= 0; k--) {
        if (e->waits[k]) {
            run_backward(e, k, true);
        }
    }
    return SF_OK;
}

static SfStatus make_executor(SfLiveness *l, Executor *e)
{
    const size_t n = (size_t)l->p->nsteps + 1;
    *e = (Executor){.l = l, .end = l->p->nsteps, .is_function = l->function != NULL};
    e->waits = sf_arena_alloc(l->arena, n * sizeof *e->waits);
    e->depends = sf_arena_alloc(l->arena, n * sizeof *e->depends);
    e->is_fed = sf_arena_alloc(l->arena, n * sizeof *e->is_fed);
    e->inputs = sf_arena_alloc(l->arena, n * sizeof *e->inputs);
    e->grads = sf_arena_alloc(l->arena, n * sizeof *e->grads);
    e->asked = sf_arena_alloc(l->arena, n * sizeof *e->asked);
    e->next = sf_arena_alloc(l->arena, n * sizeof *e->next);
    e->stack = sf_arena_alloc(l->arena, TASKS * n * sizeof *e->stack);
    SF_TRY_ALLOC(e->waits && e->depends && e->is_fed && e->inputs && e->grads && e->asked &&
                 e->next && e->stack);
    return find_readers(e);
}

static SfStatus order_as_executed(Executor *e)
{
    SfLiveness *l = e->l;
    begin(e);
    begin_backward(e);
    begin_with_feeds(e);
    for (int32_t i = e->from; i < e->end; i++) {
        SF_TRY(sf_interrupt_step(&l->polls));
        if (is_gradient(&l->p->steps[i]) && l->forward[i] < 0 && is_new_loss(l, i)) {
            SF_TRY(run_loss(e, i));
            e->top = 0;
        }
        if (l->forward[i] < 0) {
            run_forward(e, i);
            e->top = 0; /* the outer loop reaches the readers in plan order */
        }
    }
    return SF_OK;
}

/* Eager code as it was recorded, each call of a function as its executor takes it. */
static SfStatus order_eager(SfLiveness *l)
{
    Executor e = {.l = NULL};
    for (int32_t i = 0; i < l->p->nsteps;) {
        const int32_t function = l->function ? l->function[i] : NONE;
        if (function < 0) {
            SF_TRY(run_as_recorded(l, i++));
            continue;
        }
        if (!e.l) {
            SF_TRY(make_executor(l, &e));
        }
        e.from = i;
        while (i < l->p->nsteps && l->function[i] == function) {
            i++;
        }
        e.end = i;
        SF_TRY(order_as_executed(&e));
    }
    return SF_OK;
}

SfStatus sf_memory_order(SfLiveness *l)
{
    bool trains = false;
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        l->back[i] = l->back_end[i] = l->forward[i] = NONE;
        trains = trains || is_gradient(&l->p->steps[i]);
    }
    if (l->p->session && trains) {
        Executor e;
        SF_TRY(make_executor(l, &e));
        SF_TRY(order_as_executed(&e));
    } else {
        SF_TRY(order_eager(l));
    }
    l->end = l->m->nmoments;
    return SF_OK;
}
