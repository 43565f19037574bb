/* What loops hold of which the plan has one turn (while loops, recurrent cells): TensorFlow keeps
 * of each turn what the backward pass reads, on stacks, and what comes in and goes out, in
 * TensorArrays. Invariant: a sequence stands before its steps, for these follow the step that it
 * takes; while loops stand before the loops in them.
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
    l->loops[l->nloops] = (SfMemoryLoop){.step = step,
                                         .at = at,
                                         .around = SF_MEMORY_NONE,
                                         .turns = turns_of(l, at),
                                         .parallel = l->p->steps[i].node->context->parallel,
                                         .ends = SF_MEMORY_NONE};
    return l->nloops++;
}

/* The innermost while loop of a step. What enters a loop, and what leaves it, is outside. */
static int32_t while_loop_of(const SfLiveness *l, int32_t i, int whiles)
{
    const SfStep *st = &l->p->steps[i];
    const SfOpRole role = sf_node_role(st->node);
    const int32_t from = st->node->nin > 0 ? l->slot_step[st->in[0]] : SF_MEMORY_NONE;
    int32_t k = whiles - 1; /* the outer ones come first */
    while (k >= 0 && (i < l->loops[k].start || i >= l->loops[k].end)) {
        k--;
    }
    const bool enters =
        k >= 0 && role == SF_ROLE_ENTER && (from < l->loops[k].start || from >= l->loops[k].end);
    return k >= 0 && (enters || role == SF_ROLE_EXIT) ? l->loops[k].around : k;
}

static void find_moments(SfLiveness *l)
{
    for (int k = 0; k < l->nloops; k++) {
        l->loops[k].begins = l->loops[k].forward_ends = l->loops[k].ends = SF_MEMORY_NONE;
    }
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        for (int32_t k = l->loop[i]; k >= 0; k = l->loops[k].around) {
            SfMemoryLoop *loop = &l->loops[k];
            loop->ends = l->back_end[i] > loop->ends ? l->back_end[i] : loop->ends;
            loop->forward_ends =
                l->forward[i] > loop->forward_ends ? l->forward[i] : loop->forward_ends;
        }
    }
    for (int c = 0; c < l->ncarried; c++) {
        const int32_t merge = l->slot_step[l->carried[c].merged];
        SfMemoryLoop *loop = &l->loops[l->loop[merge]];
        loop->begins = l->forward[merge] > loop->begins ? l->forward[merge] : loop->begins;
    }
}

static void find_late(SfLiveness *l);

SfStatus sf_memory_find_loops(SfLiveness *l)
{
    const int32_t nsteps = l->p->nsteps;
    const int whiles = l->nloops;
    int most = 0;
    const SfNode *last = NULL;
    for (int32_t i = 0; i < nsteps; i++) {
        const SfNode *step = l->p->steps[i].node->context->sequence_step;
        most += step && step != last;
        last = step;
    }
    if (most + whiles == 0) {
        return SF_OK;
    }
    SfMemoryLoop *loops = sf_arena_alloc(l->arena, (size_t)(whiles + most) * sizeof *loops);
    l->loop = sf_arena_alloc(l->arena, (size_t)nsteps * sizeof *l->loop);
    SF_TRY_ALLOC(loops && l->loop);
    for (int k = 0; k < whiles; k++) {
        loops[k] = l->loops[k];
    }
    l->loops = loops;
    for (int32_t i = 0; i < nsteps; i++) {
        const bool is_of_one = l->p->steps[i].node->context->sequence_step != NULL;
        l->loop[i] = is_of_one ? loop_of(l, i) : while_loop_of(l, i, whiles);
    }
    find_moments(l);
    find_late(l);
    return SF_OK;
}

static const SfMemoryLoop *loop_at(const SfLiveness *l, int32_t step)
{
    return !l->loop || step < 0 || l->loop[step] < 0 ? NULL : &l->loops[l->loop[step]];
}

/* How many turns of loop k, and of those around it up to `outermost`, there are, or run at once. */
static int64_t turns_up_to(const SfLiveness *l, int32_t k, int32_t outermost, bool at_once)
{
    int64_t turns = 1;
    for (; k >= 0 && turns < BYTES_MAX; k = k == outermost ? SF_MEMORY_NONE : l->loops[k].around) {
        const SfMemoryLoop *loop = &l->loops[k];
        turns *= at_once && loop->parallel < loop->turns ? loop->parallel : loop->turns;
    }
    return turns;
}

int64_t sf_memory_turns(const SfLiveness *l, int32_t step)
{
    return loop_at(l, step) ? turns_up_to(l, l->loop[step], SF_MEMORY_NONE, false) : 1;
}

bool sf_memory_is_open(const SfLiveness *l, int32_t step)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    return !loop || loop->is_open;
}

/* Is the slot stacked by a step outside of the loop, as the result of all turns? What is read there
 * otherwise is of the last turn. */
static bool goes_out(const SfLiveness *l, int32_t slot)
{
    const SfPlan *p = l->p;
    for (int32_t i = l->slot_step[slot] + 1; i < p->nsteps; i++) {
        const bool stacks = sf_node_role(p->steps[i].node) == SF_ROLE_EXPAND_DIMS;
        for (int k = 0; stacks && l->loop[i] < 0 && k < p->steps[i].node->nin; k++) {
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
    if (loop && !loop->step) {
        return; /* sf_memory_place_turns does that */
    }
    if (loop && b->dies >= 0 && b->dies < l->end && l->part[b->dies].part != SF_PART_FORWARD) {
        turns = loop->turns;
        /* The other turns keep theirs until the loop's backward pass ends, but where gradients of
         * many turns wait, which are there when those are gone. */
        b->dies = loop->is_late && turns <= loop->parallel ? b->dies : loop->ends;
    } else if (loop && goes_out(l, slot)) {
        turns = loop->turns;
    }
    for (int k = 0; k < l->nloops; k++) {
        turns = l->loops[k].step && l->loops[k].at == step ? l->loops[k].turns : turns;
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

/* while loops */

/* The outermost loop around `step` that `from` is outside of, or NONE. */
static int32_t outermost_between(const SfLiveness *l, int32_t step, int32_t from)
{
    int32_t outermost = SF_MEMORY_NONE;
    for (int32_t k = l->loop[step]; k >= 0 && !l->loops[k].step; k = l->loops[k].around) {
        int32_t inner = from < 0 ? SF_MEMORY_NONE : l->loop[from];
        while (inner >= 0 && inner != k) {
            inner = l->loops[inner].around;
        }
        outermost = inner < 0 ? k : outermost;
    }
    return outermost;
}

int32_t sf_memory_last_turn(const SfLiveness *l, int32_t step, int32_t slot, int32_t at)
{
    const bool enters = l->p->steps[step].flags & SF_STEP_BACK_EDGE; /* the first turn reads it */
    const int32_t from = l->slot_step[slot];
    const int32_t k =
        l->ncarried > 0 && !enters ? outermost_between(l, step, from) : SF_MEMORY_NONE;
    if (k < 0) {
        return at;
    }
    const int32_t last =
        at > l->loops[k].forward_ends ? l->loops[k].ends : l->loops[k].forward_ends;
    return last > at ? last : at;
}

bool sf_memory_begins_turn(const SfLiveness *l, int32_t step)
{
    const SfMemoryLoop *loop = l->ncarried > 0 ? loop_at(l, step) : NULL;
    return loop && !loop->step && loop->turns > 1 && l->p->steps[step].flags & SF_STEP_BACK_EDGE;
}

static int64_t times(int64_t bytes, int64_t n)
{
    return n > 0 && bytes > BYTES_MAX / n ? BYTES_MAX : bytes * n;
}

static void add_others(SfLiveness *l, SfMemoryBuffer b, int64_t n, int32_t born, int32_t dies)
{
    b.bytes = times(b.bytes, n);
    b.born = born;
    b.dies = dies > b.dies ? dies : b.dies;
    if (n > 0 && b.bytes > 0) {
        (void)sf_memory_add_buffer(l, b);
    }
}

/* The Merge with which a loop begins each turn, where a slot is what that gives; else NONE. */
static int32_t carried_by(const SfLiveness *l, int32_t slot)
{
    int32_t step = l->slot_step[slot];
    while (step >= 0 && !(l->p->steps[step].flags & SF_STEP_BACK_EDGE)) {
        const SfStep *st = &l->p->steps[step];
        const bool passes =
            sf_node_role(st->node) == SF_ROLE_IDENTITY || st->flags & SF_STEP_LOOP_SWITCH;
        step = passes ? l->slot_step[st->in[0]] : SF_MEMORY_NONE;
    }
    return step;
}

static bool is_product(const SfStep *st)
{
    return st->node->sig->def->traits & SF_OP_PRODUCT;
}

/* Of a loop with a step of a sequence: is the slot what it carries from turn to turn? The plan has
 * what enters it, from outside. */
static bool is_carried_in(const SfLiveness *l, const SfMemoryLoop *loop, int32_t slot)
{
    const int32_t from = l->slot_step[slot];
    const SfTensor *t = &l->p->slots[slot];
    return loop->step && from >= 0 && from != loop->at && &l->loops[l->loop[from]] != loop &&
           sf_dtype_is_floating(t->dtype) && sf_shape_rank(t->shape) > 0 &&
           sf_node_role(l->p->steps[from].node) != SF_ROLE_CONST &&
           !is_state(l->p->steps[from].node);
}

bool sf_memory_is_carried(const SfLiveness *l, int32_t step, int32_t slot)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    return loop && is_carried_in(l, loop, slot);
}

/* Does a gradient go on, inside of its turn or to the turn before, through the slot? */
static bool is_of_turn(const SfLiveness *l, const SfMemoryLoop *loop, int32_t slot)
{
    const int32_t from = l->slot_step[slot];
    const bool is_inside = from >= 0 && l->loop[from] >= 0 && &l->loops[l->loop[from]] == loop;
    return (is_inside && l->back[from] >= 0) || is_carried_in(l, loop, slot);
}

/* Does another product read what this one reads of a turn? */
static bool is_read_by_next(const SfLiveness *l, int32_t step, int32_t slot)
{
    const SfMemoryLoop *loop = &l->loops[l->loop[step]];
    const int32_t end = loop->step ? l->p->nsteps : loop->end;
    for (int32_t i = step + 1; i < end; i++) {
        const SfStep *st = &l->p->steps[i];
        for (int k = 0; is_product(st) && l->loop[i] == l->loop[step] && k < st->node->nin; k++) {
            const int32_t merge = carried_by(l, st->in[k]);
            if (st->in[k] == slot || (merge >= 0 && merge == carried_by(l, slot))) {
                return true;
            }
        }
    }
    return false;
}

/* Is the slot made of an earlier product of the turn, but not of that alone? Then the gradient of
 * the product that reads it parts before it comes to the earlier one. */
static bool parts_before_product(const SfLiveness *l, const SfMemoryLoop *loop, int32_t slot)
{
    int32_t step = l->slot_step[slot];
    int several = 0;
    while (step >= 0 && several < 2 && l->loop[step] >= 0 && &l->loops[l->loop[step]] == loop &&
           !(l->p->steps[step].flags & SF_STEP_BACK_EDGE) && !is_product(&l->p->steps[step])) {
        const SfStep *st = &l->p->steps[step];
        int32_t next = SF_MEMORY_NONE;
        several = 0;
        for (int k = 0; k < st->node->nin; k++) {
            if (is_of_turn(l, loop, st->in[k])) {
                next = l->slot_step[st->in[k]];
                several++;
            }
        }
        step = several == 1 ? next : step;
        if (several == 0) {
            return false;
        }
    }
    return several >= 2;
}

/* How many tensors that are trained a loop carries from turn to turn. */
static int count_carried(const SfLiveness *l, const SfMemoryLoop *loop)
{
    int n = 0;
    for (int c = 0; c < l->ncarried; c++) {
        const int32_t merge = l->slot_step[l->carried[c].merged];
        n += l->loop[merge] >= 0 && &l->loops[l->loop[merge]] == loop && l->back[merge] >= 0 &&
             !(l->is_array && l->is_array[l->carried[c].merged]);
    }
    int32_t first = SF_MEMORY_NONE;
    for (int32_t i = 0; loop->step && n < 2 && i < l->p->nsteps; i++) {
        const SfStep *st = &l->p->steps[i];
        const bool is_inside = l->loop[i] >= 0 && &l->loops[l->loop[i]] == loop;
        for (int k = 0; is_inside && k < st->node->nin; k++) {
            if (st->in[k] != first && is_carried_in(l, loop, st->in[k])) {
                first = st->in[k];
                n++;
            }
        }
    }
    return n;
}

/* Does a turn of the loop read it of a TensorArray? */
static bool is_element(const SfLiveness *l, const SfMemoryLoop *loop, int32_t from)
{
    return from >= 0 && l->loop[from] >= 0 && &l->loops[l->loop[from]] == loop &&
           sf_memory_role(l->p->steps[from].node) == SF_ROLE_ARRAY_READ;
}

/* Does the executor add up the gradients that the turns give to a factor from outside only when as
 * many turns are done as run at once? The chain of products through what the loop carries comes
 * first; what is added turn by turn is that of a product whose gradient parts. Seen in the
 * step_stats of 1.15. */
static bool adds_up_late(const SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const SfMemoryLoop *loop = loop_at(l, step);
    for (int k = 0; loop && is_product(st) && l->back[step] >= 0 && k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        const bool is_factor = loop->step
                                   ? from >= 0 && !is_state(l->p->steps[from].node)
                                   : is_of_turn(l, loop, st->in[k]) || is_element(l, loop, from);
        if (is_factor &&
            (loop->ncarried <= 1 || loop->is_written || carried_by(l, st->in[k]) >= 0)) {
            return !is_read_by_next(l, step, st->in[k]) &&
                   !parts_before_product(l, loop, st->in[k]);
        }
    }
    return false;
}

static void find_late(SfLiveness *l)
{
    for (int k = 0; k < l->nloops; k++) {
        l->loops[k].ncarried = count_carried(l, &l->loops[k]);
    }
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        SfMemoryLoop *loop = l->loop[i] < 0 ? NULL : &l->loops[l->loop[i]];
        if (loop && l->back[i] >= 0 && sf_memory_role(l->p->steps[i].node) == SF_ROLE_ARRAY_WRITE) {
            loop->is_written = true;
        }
    }
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        SfMemoryLoop *loop = l->loop[i] < 0 ? NULL : &l->loops[l->loop[i]];
        if (loop && loop->step && !loop->is_late) {
            loop->is_late = adds_up_late(l, i);
        }
    }
}

/* Is the gradient of step `from` that `step`, one of a sequence, gives it of all turns? */
static bool is_from_outside(const SfLiveness *l, int32_t step, int32_t from)
{
    const SfMemoryLoop *loop = loop_at(l, step);
    return loop && loop->step && (loop_at(l, from) != loop || is_state(l->p->steps[from].node));
}

int sf_memory_sums(const SfLiveness *l, int32_t step, int32_t from)
{
    return is_from_outside(l, step, from) && !adds_up_late(l, step) ? 2 : 1;
}

int32_t sf_memory_add_sums(SfLiveness *l, int32_t step, int32_t from, int64_t bytes)
{
    const SfMemoryBuffer sum = {
        .node = l->p->steps[from].node, .kind = SF_MEMORY_GRADIENT, .bytes = bytes};
    if (is_from_outside(l, step, from) && adds_up_late(l, step)) {
        const SfMemoryLoop *loop = loop_at(l, step);
        const int64_t turns = loop->parallel < loop->turns ? loop->parallel + 1 : loop->turns;
        add_others(l, sum, turns - 1, loop->ends, loop->ends);
        return loop->ends;
    }
    const int32_t k = l->ncarried > 0 && sf_node_role(l->p->steps[step].node) != SF_ROLE_MERGE
                          ? outermost_between(l, step, from)
                          : SF_MEMORY_NONE;
    if (k >= 0) {
        const int64_t turns = turns_up_to(l, l->loop[step], k, true);
        const int32_t ends = l->loops[k].ends;
        if (adds_up_late(l, step)) {
            l->loops[k].is_late = true;
            add_others(l, sum, turns - 1, ends, ends);
            return ends;
        }
        /* The gradient of the next turn is there before it is added: most of what the turns keep
         * is still there, too. */
        add_others(l, sum, turns > 1 ? 1 : 0, l->back_end[step], ends);
    }
    return SF_MEMORY_NONE;
}

/* The while loop of the step that made a buffer which outlives its turn, or NONE. */
static int32_t loop_that_keeps(const SfLiveness *l, int32_t buffer, const bool *is_collected)
{
    const SfMemoryBuffer *b = &l->m->buffers[buffer];
    const SfOccasion made = l->part[b->born];
    const int32_t k = l->loop[made.step];
    if (b->kind != SF_MEMORY_ACTIVATION || made.part != SF_PART_FORWARD || k < 0 ||
        l->loops[k].step || l->p->steps[made.step].node != b->node) {
        return SF_MEMORY_NONE;
    }
    const bool goes_back = b->dies < l->end && l->part[b->dies].part != SF_PART_FORWARD;
    return goes_back || is_collected[buffer] ? k : SF_MEMORY_NONE;
}

/* The other turns' buffers exist when the last turn begins. In the backward pass as many go as run
 * at once before the first gradients are added up. */
static void place_others(SfLiveness *l, int32_t buffer, int32_t k, int64_t fewer)
{
    const SfMemoryBuffer b = l->m->buffers[buffer];
    int32_t outermost = k;
    while (l->loops[outermost].around >= 0) {
        outermost = l->loops[outermost].around;
    }
    const bool goes_back = b.dies < l->end && l->part[b.dies].part != SF_PART_FORWARD;
    const int64_t turns = turns_up_to(l, k, outermost, false) - fewer;
    int64_t at_once = !goes_back                    ? turns
                      : l->loops[outermost].is_late ? turns_up_to(l, k, outermost, true)
                                                    : 2;
    at_once = at_once < turns ? at_once : turns;
    const int32_t begins = l->loops[outermost].begins;
    add_others(l, b, at_once - 1, begins, b.dies);
    add_others(l, b, turns - at_once, begins, l->loops[outermost].ends);
}

/* What comes back is what the next turn begins with: one of them counts. */
static void join_carried(SfLiveness *l, const SfCarried *c, const bool *is_collected, int8_t *fewer)
{
    const int32_t merged = l->buffer[c->merged], back = l->buffer[c->comes_back];
    if (merged < 0 || l->loop[l->slot_step[c->merged]] < 0 || merged == back) {
        return;
    }
    const int32_t k = loop_that_keeps(l, merged, is_collected);
    const bool is_back_kept = back >= 0 && loop_that_keeps(l, back, is_collected) >= 0;
    const int32_t enters = l->buffer[c->enters];
    if (k >= 0 && enters >= 0 && l->m->buffers[enters].dies < l->m->buffers[merged].dies) {
        l->m->buffers[enters].dies = l->m->buffers[merged].dies;
    }
    fewer[merged] = 1;
    if (is_back_kept) {
        SfMemoryBuffer *kept = &l->m->buffers[back];
        kept->dies =
            kept->dies < l->m->buffers[merged].dies ? l->m->buffers[merged].dies : kept->dies;
        l->m->buffers[merged].bytes = 0;
    }
}

/* What was cut into elements before a loop, which reads them one by one and clears each: when its
 * last turn begins one is left, and what the turns write is there instead. Where they write less
 * than they read, the first turn holds most. */
static void clear_elements(SfLiveness *l, int32_t step, int32_t others)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t k = l->loop[step], at = l->buffer[st->in[0]];
    if (k < 0 || l->loops[k].around >= 0 || l->loops[k].turns < 2 || at < 0) {
        return;
    }
    const int32_t begins = l->loops[k].begins;
    SfMemoryBuffer *b = &l->m->buffers[at], last = *b;
    last.born = begins;
    last.bytes /= l->loops[k].turns;
    int64_t written = 0;
    for (int32_t i = others; i < l->m->nbuffers; i++) {
        written += l->m->buffers[i].born == begins ? l->m->buffers[i].bytes : 0;
    }
    const bool is_cut = b->node && sf_memory_role(b->node) == SF_ROLE_ARRAY_SCATTER;
    if (is_cut && b->born < begins && b->dies == l->loops[k].forward_ends &&
        written >= b->bytes - last.bytes) {
        b->dies = begins - 1;
        (void)sf_memory_add_buffer(l, last);
    }
}

SfStatus sf_memory_place_turns(SfLiveness *l)
{
    const int n = l->m->nbuffers;
    if (l->ncarried == 0) {
        return SF_OK;
    }
    bool *is_collected = sf_arena_alloc(l->arena, ((size_t)n + 1) * sizeof *is_collected);
    int8_t *fewer = sf_arena_alloc(l->arena, ((size_t)n + 1) * sizeof *fewer);
    SF_TRY_ALLOC(is_collected && fewer);
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        const SfStep *st = &l->p->steps[i];
        if (sf_memory_role(st->node) == SF_ROLE_ARRAY_WRITE && l->buffer[st->out] >= 0) {
            is_collected[l->buffer[st->out]] = true;
        }
    }
    for (int c = 0; c < l->ncarried; c++) {
        join_carried(l, &l->carried[c], is_collected, fewer);
    }
    for (int32_t b = 0; b < n; b++) {
        const int32_t k = loop_that_keeps(l, b, is_collected);
        if (k >= 0) {
            place_others(l, b, k, fewer[b]);
        }
    }
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        if (sf_memory_role(l->p->steps[i].node) == SF_ROLE_ARRAY_READ) {
            clear_elements(l, i, n);
        }
    }
    return SF_OK;
}
