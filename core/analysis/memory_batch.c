/* Eager code as it would be with data of another batch. See memory.h.
 * What Python read of a shape is a constant of the trace ([64 * 12, 768] of a reshape), as are the
 * shapes of what is drawn (the noise of a dropout). Where the data no longer fit such a constant,
 * the multiple of the batch in it is taken for one of the new batch.
 * Invariant: what goes through is as if the program had run so; else SF_REPORTED. */
#include "core/analysis/memory_impl.h"
#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"

/* Infers the steps of a plan again; `was` and `now` are the two sizes of the batch. */
typedef struct Rerun {
    SfLiveness *l;
    SfPlan *p;
    int64_t was, now;
    bool *changed; /* by slot */
    const SfShape *
        *adapted; /* by slot: the shape that it must have; NULL: that which is inferred */
} Rerun;

/* By record: does an op read it? A tensor that only a data set reads is not on a device. */
bool *sf_memory_find_read(const SfTrace *t, SfArena *arena)
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

static bool is_state(const SfTraceLog *log, int32_t number)
{
    const SfHeld *held = sf_trace_log_held(log, number);
    return held && held->is_state;
}

/* What comes from outside: a tensor that no op made, of unknown content. What stands for a value
 * that nobody models, as for what other replicas bring to a merge_call, is none of the data. */
static bool is_data(const SfNode *n, const SfTraceLog *log, int32_t number)
{
    return n->nin == 0 && n->nout == 1 && !n->outputs[0].value && !is_state(log, number) &&
           !(n->sig->def->traits & SF_OP_UNMODELLED) && sf_shape_rank(n->outputs[0].shape) >= 1 &&
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
    const bool *read = sf_memory_find_read(t, &arena);
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

/* A size that the old batch divides, of the new one; -1: it is none. */
static int64_t scaled(const Rerun *r, int64_t size)
{
    return size < r->was || size % r->was != 0 || size / r->was > INT64_MAX / r->now
               ? -1
               : size / r->was * r->now;
}

/* A vector of integers with element `at` of the new batch; NULL: it is none, or not a multiple. */
static const SfValue *scaled_value(const Rerun *r, const SfValue *v, int at)
{
    SfElem elems[SF_RANK_MAX];
    const int64_t count = v ? sf_value_count(v) : 0;
    if (!v || at >= count || count > SF_RANK_MAX || sf_shape_rank(sf_value_shape(v)) > 1) {
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        elems[i] = sf_value_elem(v, i);
        if (elems[i].kind != SF_ELEM_INT) {
            return NULL;
        }
    }
    elems[at].u.i = scaled(r, elems[at].u.i);
    return elems[at].u.i < 0 ? NULL : sf_value_make(sf_value_dtype(v), sf_value_shape(v), elems);
}

static SfStatus infer_step(const Rerun *r, int32_t i)
{
    const SfStep *st = &r->p->steps[i];
    SfInferArgs args;
    SfSink muted = {.muted = 1};
    SF_TRY(sf_interrupt_step(&r->l->polls));
    args =
        sf_node_infer_args(st->node, r->p->inputs, &r->p->slots[st->out], &muted, &r->l->scratch);
    const SfStatus status = sf_infer_run(&args);
    sf_arena_reset(&r->l->scratch);
    return status;
}

/* Infers with element `at` of the constant operand k of the new batch. */
static SfStatus infer_with_element(const Rerun *r, int32_t i, int k, int at)
{
    SfTensor *in = &r->p->inputs[k];
    const SfTensor was = *in;
    const SfValue *v = r->changed[r->p->steps[i].in[k]] ? NULL : scaled_value(r, in->value, at);
    if (!v) {
        return SF_REPORTED;
    }
    in->value = v;
    const SfStatus status = infer_step(r, i);
    *in = was;
    return status;
}

/* An element of a constant operand is meant: the first one with which it goes through. */
static SfStatus infer_with_other_constant(const Rerun *r, int32_t i)
{
    for (int k = 0; k < r->p->steps[i].node->nin; k++) {
        const SfValue *v = r->p->inputs[k].value;
        for (int at = 0; v && at < sf_value_count(v) && at < SF_RANK_MAX; at++) {
            const SfStatus status = infer_with_element(r, i, k, at);
            if (status != SF_REPORTED) {
                return status;
            }
        }
    }
    return SF_REPORTED;
}

/* Gives what made a slot, an unchanged one with the old batch in front, the new batch: the noise of
 * a dropout, labels that the program spells out. The step from which to infer again; NONE: there
 * is nothing of that kind, or it was adapted before. */
static int32_t adapt(const Rerun *r, int32_t slot)
{
    const SfShape *shape = r->p->slots[slot].shape;
    const int64_t size = sf_shape_rank(shape) >= 1 && sf_dim_is_known(sf_shape_dim(shape, 0))
                             ? scaled(r, sf_shape_dim(shape, 0))
                             : -1;
    if (slot == 0 || size < 0 || r->changed[slot]) {
        return SF_MEMORY_NONE;
    }
    for (bool goes_up = true; goes_up;) { /* to where that shape comes from */
        const SfNode *n = r->p->slots[slot].node;
        const SfStep *st = &r->p->steps[n->id];
        goes_up = false;
        for (int k = 0; k < n->nin && !goes_up; k++) {
            if (st->in[k] > 0 && r->p->slots[st->in[k]].shape == shape) {
                slot = st->in[k];
                goes_up = true;
            }
        }
    }
    if (is_state(r->l->log, slot) || r->adapted[slot]) {
        return SF_MEMORY_NONE;
    }
    r->adapted[slot] = sf_shape_replace(shape, 0, (SfDim)size);
    return r->p->slots[slot].node->id;
}

/* The step from which to infer again, for an operand of step i; NONE: there is none. */
static int32_t adapt_operands(const Rerun *r, int32_t i)
{
    int32_t from = SF_MEMORY_NONE;
    for (int k = 0; k < r->p->steps[i].node->nin && from < 0; k++) {
        from = adapt(r, r->p->steps[i].in[k]);
    }
    return from;
}

static void note_changes(const Rerun *r, int32_t i)
{
    const SfStep *st = &r->p->steps[i];
    for (int k = 0; k < st->node->nout; k++) {
        SfTensor *out = &r->p->slots[st->out + k];
        if (r->adapted[st->out + k]) {
            out->shape = r->adapted[st->out + k];
            out->value = NULL;
        }
        r->changed[st->out + k] =
            out->shape != st->node->outputs[k].shape || out->value != st->node->outputs[k].value;
    }
}

/* Reads the operands of step i; has one of them changed? */
static bool read_operands(const Rerun *r, int32_t i)
{
    const SfStep *st = &r->p->steps[i];
    bool differs = false;
    for (int k = 0; k < st->node->nin; k++) {
        r->p->inputs[k] = st->in[k] > 0 ? r->p->slots[st->in[k]] : st->node->inputs[k];
        differs = differs || r->changed[st->in[k]];
    }
    return differs;
}

/* A reshape to [64, ...] is one to the batch, even where another would go through. */
static SfStatus infer_operands(const Rerun *r, int32_t i)
{
    SfStatus status = SF_REPORTED;
    if (sf_node_role(r->p->steps[i].node) == SF_ROLE_RESHAPE) {
        status = infer_with_element(r, i, 1, 0);
    }
    status = status == SF_REPORTED ? infer_step(r, i) : status;
    return status == SF_REPORTED ? infer_with_other_constant(r, i) : status;
}

SfStatus sf_memory_infer_with_batch(SfLiveness *l, const SfTrace *t, SfPlan *p)
{
    const size_t slots = (size_t)p->nslots + 1;
    Rerun r = {.l = l, .p = p, .was = sf_trace_batch(t), .now = l->state.batch};
    r.changed = sf_arena_alloc(l->arena, slots * sizeof *r.changed);
    r.adapted = sf_arena_alloc(l->arena, slots * sizeof *r.adapted);
    SF_TRY_ALLOC(r.changed && r.adapted);
    if (r.was < 1 || r.now < 1) {
        return SF_REPORTED;
    }
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        SfTensor *outs = &p->slots[st->out];
        if (is_data(st->node, l->log, st->out) && sf_shape_dim(outs->shape, 0) == (SfDim)r.was) {
            r.adapted[st->out] = sf_shape_replace(outs->shape, 0, (SfDim)r.now);
            SF_TRY_ALLOC(r.adapted[st->out]);
        } else if (read_operands(&r, i)) {
            const SfStatus status = infer_operands(&r, i);
            const int32_t from = status == SF_REPORTED ? adapt_operands(&r, i) : SF_MEMORY_NONE;
            if (status != SF_OK && from < 0) {
                return status;
            }
            if (status != SF_OK) {
                i = from - 1;
                continue;
            }
        }
        note_changes(&r, i);
    }
    return SF_OK;
}
