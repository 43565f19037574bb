/* Memory of a run. See memory.h. */
#include "core/analysis/memory_impl.h"

#include <string.h>

#include "core/analysis/backward.h"
#include "core/analysis/cost.h"
#include "core/base/interrupt.h"

enum { NONE = SF_MEMORY_NONE };

/* The most that one tensor counts, a tebibyte: so that the sum over millions of tensors fits
 * int64. */
static const int64_t BYTES_MAX = (int64_t)1 << 40;

static bool is_gradient(const SfStep *st)
{
    return sf_node_role(st->node) == SF_ROLE_GRADIENT;
}

int64_t sf_memory_bytes(SfLiveness *l, const SfTensor *t)
{
    const int64_t bytes = sf_tensor_bytes(t);
    if (bytes < 0 || bytes > BYTES_MAX) {
        l->m->is_lower_bound = true;
        return bytes < 0 ? 0 : BYTES_MAX;
    }
    const int64_t rounding = l->trial.rounding < 1 ? 1 : l->trial.rounding;
    return (bytes + rounding - 1) / rounding * rounding;
}

/* Eager code: a record is the step of its number. */
static bool runs_on(const SfLiveness *l, const SfNode *n, int device)
{
    const int32_t at = n->id < l->p->nsteps ? l->placed[n->id] : SF_MEMORY_NONE;
    const uint64_t devices = at == SF_MEMORY_NONE ? 0 : l->stretches[at].devices;
    return devices == 0 ? device == l->state.device : device < 64 && (devices >> device & 1) != 0;
}

/* Is the node on the device that is asked about? */
static bool is_counted(const SfLiveness *l, const SfNode *n)
{
    const SfSession *s = l->p->session;
    if (!s && n && l->trial.device >= 0) {
        return runs_on(l, n, l->trial.device);
    }
    return l->trial.device < 0 || !s || !n || n->graph != s->graph || n->id >= s->nplaced ||
           s->placed[n->id] == l->trial.device;
}

int32_t sf_memory_add_buffer(SfLiveness *l, SfMemoryBuffer b)
{
    const bool passes = b.kind == SF_MEMORY_ACTIVATION || b.kind == SF_MEMORY_FEED;
    if (l->trial.half && passes && b.node && b.node->outputs[b.output].dtype == SF_DT_FLOAT) {
        b.bytes /= 2;
    }
    if (!is_counted(l, b.node) || (l->trial.no_slots && b.kind == SF_MEMORY_SLOT)) {
        b.bytes = 0;
    }
    l->m->buffers[l->m->nbuffers] = b;
    return l->m->nbuffers++;
}

/* last readers */
void sf_memory_read_at(SfLiveness *l, int32_t slot, int32_t moment)
{
    if (l->last[slot] < moment) {
        l->last[slot] = moment;
    }
}

/* A transposition that is known to move no axis. */
static bool keeps_axes(const SfPlan *p, const SfStep *st)
{
    const SfValue *perm = p->slots[st->in[1]].value;
    for (int64_t i = 0; perm && i < sf_value_count(perm); i++) {
        const SfElem e = sf_value_elem(perm, i);
        if (e.kind != SF_ELEM_INT || e.u.i != i) {
            return false;
        }
    }
    return perm != NULL;
}

/* What a tape gives for the rows of a table that were read: IndexedSlices, whose values are the
 * gradient that arrived. */
static bool is_rows_of_gradient(const SfLiveness *l, const SfStep *st)
{
    const int32_t from = l->hold && st->node->nin > 0 ? l->slot_step[st->in[0]] : NONE;
    return from >= 0 && st->node->sig->def->traits & SF_OP_UNMODELLED &&
           is_gradient(&l->p->steps[from]);
}

/* Output 0 is elements of an input, without a copy. */
static bool is_view(const SfLiveness *l, const SfStep *st)
{
    switch ((int)sf_memory_role(st->node)) {
    case SF_ROLE_TRANSPOSE:
        return keeps_axes(l->p, st);
    case SF_ROLE_READ_VARIABLE:
    case SF_ROLE_IDENTITY:
    case SF_ROLE_STOP_GRADIENT:
    case SF_ROLE_RESHAPE:
    case SF_ROLE_EXPAND_DIMS:
    case SF_ROLE_SQUEEZE:
    case SF_ROLE_SWITCH:
    case SF_ROLE_MERGE:
        return true;
    case SF_ROLE_ARRAY_WRITE:
    case SF_ROLE_ARRAY_READ:
        return l->p->session != NULL;
    default:
        return st->kind == SF_STEP_FORWARD || is_rows_of_gradient(l, st);
    }
}

static int32_t stretch_of(const int32_t *stretches, int32_t step)
{
    return stretches && step >= 0 ? stretches[step] : NONE;
}

bool sf_memory_is_on_tape(const SfLiveness *l, int32_t step)
{
    return l->hold && stretch_of(l->function, step) == NONE;
}

/* Does a gradient go on to an input of the step? It does not where a variable's content was
 * made. */
static bool goes_on(const SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    for (int k = 0; k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        if (from >= 0 && l->back_end[from] > l->back[step]) {
            return true;
        }
    }
    return false;
}

bool sf_memory_keeps_input(const SfLiveness *l, int32_t step, int input)
{
    const SfNode *n = l->p->steps[step].node;
    return sf_memory_is_on_tape(l, step)
               ? goes_on(l, step) && sf_tape_keeps_input(n, input)
               : !sf_memory_is_of_array(n) && sf_backward_reads_input(n, input);
}

bool sf_memory_keeps_output(const SfLiveness *l, int32_t step, int output)
{
    const SfNode *n = l->p->steps[step].node;
    return sf_memory_is_on_tape(l, step) ? goes_on(l, step) && sf_tape_keeps_output(n, output)
                                         : sf_backward_reads_output(n, output);
}

/* The gradient of step i reads a slot. A tensor that its own recomputed stretch makes is
 * computed again for that, not kept. */
static void read_backward(SfLiveness *l, int32_t i, int32_t slot, int32_t at)
{
    const int32_t stretch = stretch_of(l->recomputed, i);
    while (stretch >= 0 && l->slot_step[slot] >= 0 &&
           is_view(l, &l->p->steps[l->slot_step[slot]]) &&
           l->p->steps[l->slot_step[slot]].node->nin > 0 &&
           stretch_of(l->recomputed, l->slot_step[slot]) == stretch) {
        slot = l->p->steps[l->slot_step[slot]].in[0];
    }
    if (stretch >= 0 && stretch_of(l->recomputed, l->slot_step[slot]) == stretch) {
        l->again[slot] = l->again[slot] < at ? at : l->again[slot];
    } else {
        sf_memory_read_at(l, slot, sf_memory_last_turn(l, i, slot, at));
    }
}

/* For a product whose gradients are separate ops: the factor beside factor k; NONE: there is
 * none. */
static int other_factor(const SfLiveness *l, int32_t i, int k)
{
    const SfStep *st = &l->p->steps[i];
    int other = NONE;
    for (int j = 0; l->back_end[i] > l->back[i] && j < st->node->nin; j++) {
        other = j != k && sf_backward_reads_input(st->node, j) ? j : other;
    }
    return other;
}

/* Does step i give a gradient to what it reads there? */
static bool has_gradient(const SfLiveness *l, int32_t i, int32_t slot)
{
    const int32_t from = l->slot_step[slot];
    return (from >= 0 && l->back[from] >= 0) || sf_memory_is_carried(l, i, slot);
}

/* The gradient of a factor, element by element, and of what is divided reads the other operand
 * alone: what is multiplied by a constant is not kept. A tape of eager code keeps it. */
static bool is_read_for_other(const SfLiveness *l, int32_t i, int k)
{
    const SfStep *st = &l->p->steps[i];
    const SfOpDef *def = st->node->sig->def;
    const bool is_linear =
        def->traits & SF_OP_FACTORS || (k == 0 && def->arithmetic == SF_ARITHMETIC_PRODUCT);
    return !is_linear || st->node->nin != 2 || sf_memory_is_on_tape(l, i) ||
           has_gradient(l, i, st->in[1 - k]);
}

/* The gradient of one factor of a product reads the other factor. The gradient of the later
 * factor runs first. */
static void read_input_backward(SfLiveness *l, int32_t i, int k)
{
    const SfStep *st = &l->p->steps[i];
    if (!is_read_for_other(l, i, k)) {
        return;
    }
    const int other = other_factor(l, i, k);
    if (other < 0) {
        read_backward(l, i, st->in[k], l->back_end[i]);
    } else if (has_gradient(l, i, st->in[other])) {
        read_backward(l, i, st->in[k], k < other ? l->back[i] : l->back_end[i]);
    }
}

static void find_readers(SfLiveness *l)
{
    const SfPlan *p = l->p;
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        for (int k = 0; k < st->node->nout; k++) {
            sf_memory_read_at(l, st->out + k, l->forward[i]);
            if (l->back[i] >= 0 && sf_memory_keeps_output(l, i, k)) {
                read_backward(l, i, st->out + k, l->back_end[i]);
            }
        }
        const bool runs = !l->is_pruned || !l->is_pruned[i];
        for (int k = 0; k < st->node->nin && !is_gradient(st); k++) {
            if (runs) {
                l->is_read[st->in[k]] = true;
                l->is_gathered[st->in[k]] =
                    l->is_gathered[st->in[k]] || sf_gradient_is_slices(st->node, k);
                sf_memory_read_at(l, st->in[k],
                                  sf_memory_last_turn(l, i, st->in[k], l->forward[i]));
            }
            if (l->back[i] >= 0 && sf_memory_keeps_input(l, i, k)) {
                read_input_backward(l, i, k);
            }
        }
        if (l->hold) {
            l->hold(l, i);
        }
    }
    for (int i = 0; i < p->nfetch; i++) {
        l->is_read[p->fetch_slots[i]] = true;
        sf_memory_read_at(l, p->fetch_slots[i], l->end);
    }
}

/* buffers */
/* May a kernel of the step write over a buffer? Python holds what an eager op reads; a function
 * does not own what it is given. */
static bool may_write_over(const SfLiveness *l, int32_t step, const SfMemoryBuffer *b)
{
    const int32_t stretch = stretch_of(l->function, step);
    if (b->kind == SF_MEMORY_GRADIENT) {
        return stretch >= 0 && l->function[l->part[b->born].step] == stretch;
    }
    return b->kind == SF_MEMORY_ACTIVATION &&
           (!l->hold || (stretch >= 0 && b->node->id >= l->stretches[stretch].first));
}

/* May the kernel put its output where an input was that nobody reads any more? */
static int32_t forwarded(const SfLiveness *l, int32_t step, int output, int32_t at)
{
    const SfStep *st = &l->p->steps[step];
    const SfOpDef *def = st->node->sig->def;
    const bool may =
        def->traits & SF_OP_IN_PLACE || (def->traits & SF_OP_ELEMENTWISE && st->node->nout == 1);
    for (int k = 0; may && k < st->node->nin; k++) {
        const int32_t b = l->buffer[st->in[k]];
        const SfTensor *in = &l->p->slots[st->in[k]], *out = &l->p->slots[st->out + output];
        if (b >= 0 && may_write_over(l, step, &l->m->buffers[b]) && l->m->buffers[b].dies == at &&
            sf_tensor_bytes(in) == sf_tensor_bytes(out) &&
            sf_dtype_base(in->dtype) == sf_dtype_base(out->dtype)) {
            return b;
        }
    }
    return NONE;
}

static void share(SfLiveness *l, int32_t slot, int32_t buffer)
{
    l->buffer[slot] = buffer;
    if (buffer >= 0 && l->m->buffers[buffer].dies < l->last[slot]) {
        l->m->buffers[buffer].dies = l->last[slot];
    }
}

/* An assignment to a variable whose content is still to be read makes a new buffer, and so does one
 * to a variable that was read by indices. Source: PrepareToUpdateVariable of
 * training_op_helpers.h. */
static void copy_on_write(SfLiveness *l, int32_t step, int32_t slot)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t from = st->node->nin > 0 ? st->in[0] : 0, at = l->forward[step];
    if (from <= 0 || !l->is_elsewhere[from] || l->slot_step[from] < 0 ||
        l->p->slots[from].shape != l->p->slots[slot].shape) {
        return;
    }
    const bool is_awaited = stretch_of(l->function, step) >= 0 && l->last[from] > at;
    if (is_awaited || l->is_gathered[from]) {
        (void)sf_memory_add_buffer(
            l, (SfMemoryBuffer){.node = st->node,
                                .born = at,
                                .dies = is_awaited ? l->last[from] : at,
                                .kind = SF_MEMORY_GRADIENT,
                                .bytes = sf_memory_bytes(l, &l->p->slots[slot])});
    }
}

static void place_output(SfLiveness *l, int32_t step, int k)
{
    const SfStep *st = &l->p->steps[step];
    const SfNode *n = st->node;
    const int32_t slot = st->out + k, at = l->forward[step];
    const SfTensor *t = &l->p->slots[slot];
    const SfOpRole role = sf_memory_role(n);
    const bool is_array = l->is_array && l->is_array[slot];
    if (n->context->array == SF_ARRAY_NEW || (n->context->array == SF_ARRAY_WRITE && k > 0)) {
        return;
    }
    if (t->dtype == SF_DT_RESOURCE || t->dtype == SF_DT_STRING || t->dtype == SF_DT_VARIANT ||
        role == SF_ROLE_VARIABLE || sf_dtype_is_ref(t->dtype) ||
        (l->is_elsewhere && l->is_elsewhere[slot]) || (l->is_pruned && l->is_pruned[step])) {
        if (l->is_elsewhere && l->is_elsewhere[slot]) {
            copy_on_write(l, step, slot);
        }
        share(l, slot, NONE); /* its state counts as a variable */
        return;
    }
    if (n->nin > 0 && (is_array || !sf_memory_begins_turn(l, step)) &&
        (is_view(l, st) || (role == SF_ROLE_CAST && n->inputs[0].dtype == n->outputs[0].dtype))) {
        share(l, slot, l->buffer[st->in[sf_memory_viewed_input(st)]]);
        return;
    }
    const int32_t reused = forwarded(l, step, k, at);
    if (reused >= 0) {
        share(l, slot, reused);
        SfMemoryBuffer *b = &l->m->buffers[reused], turns = *b;
        const int64_t once = sf_memory_bytes(l, t);
        turns.bytes = once;
        sf_memory_keep_turns(l, step, slot, &turns);
        b->dies = turns.dies;
        if (turns.bytes > once && turns.bytes > b->bytes) { /* it may be of all turns already */
            b->bytes = turns.bytes;
        }
        return;
    }
    /* Of an output that nobody reads and whose size nobody knows (what batch normalization reserves
     * on a GPU for its gradient) nothing is said. */
    const bool is_nothing = !l->is_read[slot] && sf_tensor_bytes(t) < 0;
    const SfTensor *held = role == SF_ROLE_ARRAY_SCATTER ? sf_memory_scattered(l, st) : t;
    SfMemoryBuffer made = {.node = n,
                           .output = k,
                           .born = at,
                           .dies = l->last[slot],
                           .bytes = is_nothing ? 0 : sf_memory_bytes(l, held)};
    sf_memory_keep_turns(l, step, slot, &made);
    const bool constant = role == SF_ROLE_CONST && !l->hold;
    made.kind = role == SF_ROLE_CONST ? SF_MEMORY_CONSTANT
                : l->hold && n->nin == 0 && !(n->sig->def->traits & SF_OP_RANDOM)
                    ? SF_MEMORY_FEED
                    : SF_MEMORY_ACTIVATION;
    if (constant) {
        made.born = 0;
        made.dies = l->end;
    }
    l->buffer[slot] = sf_memory_add_buffer(l, made);
}

/* gradients */
static int32_t grad_of_outputs(const SfLiveness *l, const SfStep *st)
{
    for (int k = 0; k < st->node->nout; k++) {
        if (l->grad[st->out + k] >= 0) {
            return l->grad[st->out + k];
        }
    }
    return NONE;
}

static void share_gradient(SfLiveness *l, int32_t slot, int32_t buffer, int32_t reader)
{
    if (l->grad[slot] < 0) {
        l->grad[slot] = buffer;
    }
    if (l->m->buffers[buffer].dies < reader) {
        l->m->buffers[buffer].dies = reader;
    }
}

/* The buffer that this gradient is the last to read, and may therefore overwrite; NONE: there is
 * none. */
static int32_t kept_buffer(const SfLiveness *l, int32_t step, int32_t at, int64_t bytes)
{
    const SfStep *st = &l->p->steps[step];
    const bool may = st->node->sig->def->traits & SF_OP_IN_PLACE && !sf_memory_is_on_tape(l, step);
    for (int k = 0; may && k < st->node->nout; k++) {
        const int32_t b = l->buffer[st->out + k];
        if (b >= 0 && sf_backward_reads_output(st->node, k) && l->m->buffers[b].dies == at &&
            l->m->buffers[b].kind == SF_MEMORY_ACTIVATION && l->m->buffers[b].bytes == bytes) {
            return b;
        }
    }
    return NONE;
}

/* May the gradient of an input be in the buffer of the one that arrived? Where nothing is computed,
 * or, but for tapes, the kernel works in place. */
static bool may_pass_on(const SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const bool reads =
        sf_backward_reads_input(st->node, 0) || sf_backward_reads_output(st->node, 0);
    if (is_view(l, st)) {
        return sf_memory_role(st->node) != SF_ROLE_ARRAY_READ;
    }
    if (sf_memory_is_on_tape(l, step)) {
        return !reads && st->node->nin > 1 && sf_node_role(st->node) != SF_ROLE_TRANSPOSE;
    }
    return !reads || st->node->sig->def->traits & SF_OP_ELEMENTWISE;
}

/* Places the gradient of input k: in the buffer of the gradient that arrived where it may be, else
 * in a buffer of its own. The gradient of its producer reads it. */
static void place_gradient(SfLiveness *l, int32_t step, int k, int32_t at, int32_t arrived,
                           bool *reused)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t slot = st->in[k], from = l->slot_step[slot];
    const SfTensor *t = &l->p->slots[slot];
    int32_t reader = sf_memory_gradient_reader(l, step, from);
    const SfOpRole role = sf_memory_role(st->node);
    if (arrived >= 0 && l->is_array && may_pass_on(l, step) && is_view(l, st) &&
        (l->is_array[slot] || l->is_array[st->out])) { /* of an array one of all elements */
        share_gradient(l, slot, arrived, reader);
        return;
    }
    const bool is_array = role == SF_ROLE_ARRAY_READ || role == SF_ROLE_ARRAY_GATHER;
    int64_t bytes = sf_memory_bytes(l, is_array ? &l->p->slots[st->out] : t);
    bytes *= role == SF_ROLE_ARRAY_READ ? sf_memory_turns(l, step) : 1;
    if (role != SF_ROLE_ARRAY_READ) {
        const int32_t waits = sf_memory_add_sums(l, step, from, bytes);
        reader = waits > reader ? waits : reader;
    }
    if (l->is_stale[from]) {
        l->grad[slot] = NONE;
        l->is_stale[from] = false;
    }
    if (arrived >= 0 && sf_gradient_is_slices(st->node, k)) {
        /* IndexedSlices hold what arrived, reshaped: no copy. */
        share_gradient(l, slot, arrived, reader);
        return;
    }
    if (arrived >= 0 && !*reused && may_pass_on(l, step) &&
        (is_view(l, st) || l->m->buffers[arrived].bytes == bytes)) {
        *reused = true;
        share_gradient(l, slot, arrived, reader);
        return;
    }
    const int32_t kept = *reused ? NONE : kept_buffer(l, step, at, bytes);
    if (kept >= 0) {
        *reused = true;
        share_gradient(l, slot, kept, reader);
        return;
    }
    const int32_t b =
        sf_memory_add_buffer(l, (SfMemoryBuffer){.node = l->p->steps[from].node,
                                                 .output = slot - l->p->steps[from].out,
                                                 .born = at,
                                                 .dies = reader > at ? reader : at,
                                                 .kind = SF_MEMORY_GRADIENT,
                                                 .bytes = bytes * sf_memory_sums(l, step, from)});
    if (l->grad[slot] < 0) {
        l->grad[slot] = b;
    }
}

/* Places the gradients that a step makes at moment `at`. */
static void go_back(SfLiveness *l, int32_t step, int32_t at)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t arrived = grad_of_outputs(l, st);
    bool reused = false;
    sf_memory_place_temporaries(l, step, at);
    for (int k = 0; k < st->node->nin; k++) {
        const int32_t from = l->slot_step[st->in[k]];
        const SfTensor *t = &l->p->slots[st->in[k]];
        const int other = other_factor(l, step, k);
        const bool is_last = other < 0 || k < other;
        if (from < 0 || l->back[from] < 0 || l->back[from] <= l->back[step] ||
            at != (is_last ? l->back_end[step] : l->back[step]) ||
            (k > 0 && st->flags & SF_STEP_BACK_EDGE)) {
            continue;
        }
        if (t->dtype == SF_DT_RESOURCE || sf_dtype_is_ref(t->dtype)) {
            /* A variable read: its gradient is that of what was read. */
            l->grad[st->in[k]] = l->grad[st->in[k]] < 0 ? arrived : l->grad[st->in[k]];
        } else if (sf_dtype_is_floating(sf_dtype_base(t->dtype))) {
            place_gradient(l, step, k, at, arrived, &reused);
        }
    }
}

/* What a gradient op gives: the buffer that arrived where it was asked for. */
static void place_result(SfLiveness *l, int32_t step)
{
    const SfStep *st = &l->p->steps[step];
    const int32_t origin = sf_memory_origin(l, st->in[0]);
    int32_t b = l->grad[st->in[0]];
    for (int k = 0; b < 0 && origin >= 0 && k < l->p->steps[origin].node->nout; k++) {
        b = l->grad[l->p->steps[origin].out + k];
    }
    if (b < 0) {
        place_output(l, step, 0);
        if (l->buffer[st->out] >= 0) {
            l->m->buffers[l->buffer[st->out]].kind = SF_MEMORY_GRADIENT;
        }
        return;
    }
    share(l, st->out, b);
}

static SfStatus place_buffers(SfLiveness *l)
{
    const SfPlan *p = l->p;
    for (int32_t at = 0; at < l->end; at++) {
        const int32_t i = l->part[at].step;
        SF_TRY(sf_interrupt_step(&l->polls));
        if (l->part[at].part != SF_PART_FORWARD) {
            go_back(l, i, at);
            if (l->later[at] >= 0) {
                l->back[i] = l->later[at];
                l->is_stale[i] = true;
            }
            continue;
        }
        if (is_gradient(&p->steps[i])) {
            place_result(l, i);
            continue;
        }
        for (int k = 0; k < p->steps[i].node->nout; k++) {
            place_output(l, i, k);
        }
    }
    return SF_OK;
}

/* state and feeds */
/* Marks the slots of optimizers: variables that an update writes without training them. */
static bool *slots_of_optimizers(const SfLiveness *l)
{
    const SfPlan *p = l->p;
    const SfGraph *g = p->session->graph;
    bool *is_slot = sf_arena_alloc(l->arena, (size_t)sf_graph_size(g) * sizeof *is_slot);
    for (int i = 0; is_slot && i < sf_graph_size(g); i++) {
        const SfNode *n = sf_graph_node(g, i);
        for (int k = 1; sf_node_role(n) == SF_ROLE_UPDATE && k < n->nin; k++) {
            const SfTensor *t = &n->inputs[k];
            if (t->node && (t->dtype == SF_DT_RESOURCE || sf_dtype_is_ref(t->dtype))) {
                is_slot[t->node->id] = true;
            }
        }
    }
    return is_slot;
}

static SfStatus place_state(SfLiveness *l)
{
    const SfPlan *p = l->p;
    if (!p->session) { /* eager code: the state was counted from Python's objects */
        (void)sf_memory_add_buffer(l, (SfMemoryBuffer){.dies = l->end,
                                                       .kind = SF_MEMORY_VARIABLE,
                                                       .bytes = l->state.variables});
        (void)sf_memory_add_buffer(
            l, (SfMemoryBuffer){.dies = l->end, .kind = SF_MEMORY_SLOT, .bytes = l->state.slots});
        return SF_OK;
    }
    const SfGraph *g = p->session->graph;
    const bool *is_slot = slots_of_optimizers(l);
    if (!is_slot) {
        return SF_NOMEM;
    }
    for (int i = 0; i < sf_graph_size(g); i++) {
        const SfNode *n = sf_graph_node(g, i);
        SfState state;
        if (sf_node_role(n) != SF_ROLE_VARIABLE || !sf_session_state(p->session, n, &state) ||
            !state.initialized) {
            continue;
        }
        const SfAttr *dtype = sf_node_attr(n, "dtype");
        const SfTensor t = {.shape = state.shape,
                            .dtype =
                                dtype && dtype->type == SF_ATTR_TYPE ? dtype->u.type : SF_DT_FLOAT};
        (void)sf_memory_add_buffer(
            l, (SfMemoryBuffer){.node = n,
                                .born = 0,
                                .dies = l->end,
                                .kind = is_slot[i] ? SF_MEMORY_SLOT : SF_MEMORY_VARIABLE,
                                .bytes = sf_memory_bytes(l, &t)});
    }
    for (int i = 0; i < p->nfed; i++) {
        l->buffer[i] =
            sf_memory_add_buffer(l, (SfMemoryBuffer){.node = p->fed[i].node,
                                                     .output = p->fed[i].index,
                                                     .born = 0,
                                                     .dies = l->end,
                                                     .kind = SF_MEMORY_FEED,
                                                     .bytes = sf_memory_bytes(l, &p->slots[i])});
    }
    return SF_OK;
}

/* sums */
static SfStatus add_up(SfLiveness *l)
{
    SfMemory *m = l->m;
    int64_t *change = sf_arena_alloc(l->arena, ((size_t)l->end + 2) * sizeof *change);
    if (!change) {
        return SF_NOMEM;
    }
    for (int i = 0; i < m->nbuffers; i++) {
        change[m->buffers[i].born] += m->buffers[i].bytes;
        change[m->buffers[i].dies + 1] -= m->buffers[i].bytes;
    }
    int64_t held = 0;
    m->peak = NONE;
    for (int i = 0; i < l->end; i++) {
        held += change[i];
        m->moments[i].bytes = held;
        if (m->peak < 0 || held > m->peak_bytes) {
            m->peak = i;
            m->peak_bytes = held;
        }
    }
    for (int i = 0; i < m->nbuffers && m->peak >= 0; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        m->parts[b->kind] += b->born <= m->peak && m->peak <= b->dies ? b->bytes : 0;
    }
    return SF_OK;
}

static bool is_convolution(const SfNode *n)
{
    return n->sig->def->traits & SF_OP_PRODUCT && sf_node_attr(n, "strides");
}

/* FLOPs and traffic; a backward step costs what its forward step does for each gradient that it
 * makes, and convolutions ask for workspace as large as their input or output. */
static SfStatus add_costs(SfLiveness *l)
{
    const SfPlan *p = l->p;
    int32_t first, end;
    SF_TRY(sf_memory_find_step(l, &first, &end));
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        double moved = 0;
        int64_t largest = 0;
        /* The body of such a loop is counted once, although each turn may leave something. */
        l->m->is_lower_bound = l->m->is_lower_bound || sf_node_role(st->node) == SF_ROLE_WHILE ||
                               (st->kind == SF_STEP_LOOP_COND && sf_memory_is_open(l, i));
        for (int k = 0; k < st->node->nin; k++) {
            const SfTensor *t = &p->slots[st->in[k]];
            const int64_t bytes = sf_tensor_bytes(t);
            p->inputs[k] = *t;
            moved += bytes > 0 ? (double)bytes : 0;
            largest = bytes > largest ? bytes : largest;
        }
        for (int k = 0; k < st->node->nout; k++) {
            const int64_t bytes = sf_tensor_bytes(&p->slots[st->out + k]);
            moved += bytes > 0 ? (double)bytes : 0;
            largest = bytes > largest ? bytes : largest;
        }
        if (is_gradient(st) || is_view(l, st) || i < first || i >= end) {
            continue;
        }
        const double flops = sf_node_flops(st->node, p->inputs, &p->slots[st->out], &l->scratch);
        int passes = 1;
        for (int k = 0; l->back[i] >= 0 && k < st->node->nin; k++) {
            const int32_t from = l->slot_step[st->in[k]];
            passes += from >= 0 && l->back[from] >= 0;
        }
        const double times = (double)sf_memory_turns(l, i) * passes;
        const SfStepCost cost = {st->node, flops > 0 ? flops * times : 0, moved * times};
        l->m->costs[l->m->ncosts++] = cost;
        l->m->flops += cost.flops;
        l->m->moved += cost.moved;
        if (is_convolution(st->node) && flops > moved && largest > l->m->workspace) {
            l->m->workspace = largest;
        }
    }
    return SF_OK;
}

static SfStatus alloc_all(SfLiveness *l)
{
    const SfPlan *p = l->p;
    const size_t steps = (size_t)p->nsteps, slots = (size_t)p->nslots;
    size_t inputs = 0;
    for (int32_t i = 0; i < p->nsteps; i++) {
        inputs += (size_t)p->steps[i].node->nin;
    }
    l->buffer = sf_arena_alloc(l->arena, slots * sizeof *l->buffer);
    l->grad = sf_arena_alloc(l->arena, slots * sizeof *l->grad);
    l->last = sf_arena_alloc(l->arena, slots * sizeof *l->last);
    l->is_read = sf_arena_alloc(l->arena, slots * sizeof *l->is_read);
    l->is_gathered = sf_arena_alloc(l->arena, slots * sizeof *l->is_gathered);
    l->slot_step = sf_arena_alloc(l->arena, slots * sizeof *l->slot_step);
    l->forward = sf_arena_alloc(l->arena, steps * sizeof *l->forward);
    l->back = sf_arena_alloc(l->arena, steps * sizeof *l->back);
    l->back_end = sf_arena_alloc(l->arena, steps * sizeof *l->back_end);
    l->part = sf_arena_alloc(l->arena, (4 * steps + 1) * sizeof *l->part);
    l->later = sf_arena_alloc(l->arena, (4 * steps + 1) * sizeof *l->later);
    l->is_stale = sf_arena_alloc(l->arena, steps * sizeof *l->is_stale);
    l->reached = sf_arena_alloc(l->arena, steps * sizeof *l->reached);
    l->needed = sf_arena_alloc(l->arena, steps * sizeof *l->needed);
    l->m->costs = sf_arena_alloc(l->arena, (steps + 1) * sizeof *l->m->costs);
    l->m->moments = sf_arena_alloc(l->arena, (4 * steps + 1) * sizeof *l->m->moments);
    const size_t states = p->session ? (size_t)sf_graph_size(p->session->graph) : 2;
    l->again = sf_arena_alloc(l->arena, slots * sizeof *l->again);
    /* Of each buffer of a while loop there are two more, and a sum of each gradient. */
    const size_t buffers = (2 * slots + 3 * inputs + steps + states + 1) * (l->nloops > 0 ? 3 : 1);
    l->m->buffers = sf_arena_alloc(l->arena, buffers * sizeof *l->m->buffers);
    if (!l->buffer || !l->grad || !l->last || !l->is_read || !l->is_gathered || !l->slot_step ||
        !l->forward || !l->back || !l->back_end || !l->later || !l->is_stale || !l->part ||
        !l->reached || !l->needed || !l->again || !l->m->costs || !l->m->moments ||
        !l->m->buffers) {
        return SF_NOMEM;
    }
    memset(l->buffer, 0xff, slots * sizeof *l->buffer);
    memset(l->grad, 0xff, slots * sizeof *l->grad);
    memset(l->last, 0xff, slots * sizeof *l->last);
    memset(l->later, 0xff, (4 * steps + 1) * sizeof *l->later);
    memset(l->again, 0xff, slots * sizeof *l->again);
    sf_memory_find_makers(l);
    return SF_OK;
}

SfStatus sf_memory_find(SfLiveness *l)
{
    SF_TRY(alloc_all(l));
    SF_TRY(sf_memory_order(l));
    l->cut = l->stretches;
    l->ncut = l->nstretches;
    if (l->trial.segments > 0) {
        SF_TRY(sf_memory_cut_segments(l));
    }
    if (l->function) {
        SF_TRY(sf_memory_prune(l));
    }
    SF_TRY(sf_memory_find_arrays(l));
    SF_TRY(sf_memory_find_loops(l));
    find_readers(l);
    sf_memory_keep_written(l);
    SF_TRY(place_state(l));
    SF_TRY(place_buffers(l));
    sf_memory_place_recomputed(l);
    SF_TRY(sf_memory_place_turns(l));
    if (l->trial.half) {
        sf_memory_place_half_copies(l);
    }
    SF_TRY(sf_memory_copies(l));
    SF_TRY(add_up(l));
    return add_costs(l);
}

SfStatus sf_plan_memory(const SfPlan *p, SfMemoryTrial trial, SfArena *arena, SfMemory *out)
{
    SfLiveness l = {.p = p, .arena = arena, .m = out, .trial = trial};
    *out = (SfMemory){.peak = NONE};
    sf_arena_init(&l.scratch);
    SfPlan one;
    SfStatus status = sf_memory_open_loops(&l, &one);
    status = status == SF_OK ? sf_memory_find_recomputed(&l) : status;
    status = status == SF_OK ? sf_memory_find(&l) : status;
    sf_arena_free(&l.scratch);
    return status;
}
