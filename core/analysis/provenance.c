/* The walk from a dimension to the op that fixed it. See provenance.h. */
#include "core/analysis/provenance.h"

#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/base/interrupt.h"
#include "core/op/infer_impl.h"

/* The mark is a symbol times MARK_FACTOR: strides and poolings divide it without a remainder. */
enum {
    ELEMENTS_MAX = 64,
    OUTPUTS_MAX = 256,
    INPUTS_MAX = 256,
    MARK_FACTOR = 5040,
    SET_SHAPE_QUEUE_MAX = 32
};

/* One op that is inferred again and again with marked inputs. */
typedef struct Probe {
    const SfNode *node;
    SfOriginStep at;
    SfTensor *inputs, *outs;
    SfArena arena, scratch;
    SfDim symbol, mark;
    bool computed; /* the mark arrived as part of another number */
    bool nomem;    /* no memory, or interrupted: the walk ends */
    uint32_t polls;
} Probe;

static bool open_probe(Probe *p, const SfOriginStep *at)
{
    const SfNode *n = at->node;
    *p = (Probe){.node = n, .at = *at};
    sf_arena_init(&p->arena);
    sf_arena_init(&p->scratch);
    if (n->nin > INPUTS_MAX || n->nout > OUTPUTS_MAX || n->context->failed) {
        return false; /* so large an op explains no error, and failed ones have assumed outputs */
    }
    p->inputs = sf_arena_alloc(&p->arena, (size_t)n->nin * sizeof *p->inputs);
    p->outs = sf_arena_alloc(&p->arena, (size_t)n->nout * sizeof *p->outs);
    p->symbol = sf_dim_symbol(NULL);
    p->mark = sf_dim_mul(p->symbol, MARK_FACTOR);
    return p->inputs && p->outs && p->mark != SF_DIM_UNKNOWN;
}

static void close_probe(Probe *p)
{
    sf_arena_free(&p->arena);
    sf_arena_free(&p->scratch);
}

static void restore(Probe *p)
{
    const SfNode *n = p->node;
    if (n->nin) {
        memcpy(p->inputs, n->inputs, (size_t)n->nin * sizeof *p->inputs);
    }
}

/* Infers the node with the inputs as they are now; false: inference refused them. */
static bool infer(Probe *p)
{
    SfSink muted = {.muted = 1};
    const SfNode *n = p->node;
    memcpy(p->outs, n->outputs, (size_t)n->nout * sizeof *p->outs);
    const SfInferArgs args = sf_node_infer_args(n, p->inputs, p->outs, &muted, &p->scratch);
    const SfStatus status = sf_infer_run(&args);
    sf_arena_reset(&p->scratch);
    p->nomem = p->nomem || status == SF_NOMEM || sf_interrupt_wanted(&p->polls);
    return status == SF_OK;
}

/* What stands at the place that is asked about, after an inference. */
static SfDim result(const Probe *p)
{
    const SfTensor *t = &p->outs[p->at.output];
    if (p->at.axis >= 0) {
        return sf_shape_rank(t->shape) > p->at.axis ? sf_shape_dim(t->shape, p->at.axis)
                                                    : SF_DIM_UNKNOWN;
    }
    if (!t->value || p->at.element >= sf_value_count(t->value)) {
        return SF_DIM_UNKNOWN;
    }
    const SfElem e = sf_value_elem(t->value, p->at.element);
    return e.kind == SF_ELEM_DIM                 ? e.u.dim
           : e.kind == SF_ELEM_INT && e.u.i >= 0 ? e.u.i
                                                 : SF_DIM_UNKNOWN;
}

typedef enum Answer { NOT_AT_ALL, LOST, CARRIED } Answer;

/* Does the output carry the mark, or did the dim that was known before become unknown? */
static Answer answer(Probe *p, SfDim before)
{
    if (!infer(p)) {
        return NOT_AT_ALL;
    }
    const SfDim now = result(p);
    p->computed = now != p->mark;
    if (now == p->mark || (sf_dim_is_symbolic(now) && sf_dim_mentions(now, p->symbol))) {
        return CARRIED;
    }
    return now == SF_DIM_UNKNOWN && before != SF_DIM_UNKNOWN ? LOST : NOT_AT_ALL;
}

/* marks */
static void mark_axis(Probe *p, int input, int axis)
{
    SfTensor *t = &p->inputs[input];
    SfDim dims[SF_RANK_MAX];
    const int rank = sf_shape_rank(t->shape);
    for (int i = 0; i < rank; i++) {
        dims[i] = i == axis ? p->mark : sf_shape_dim(t->shape, i);
    }
    const SfShape *s = sf_shape_make(rank, dims);
    p->nomem = p->nomem || !s;
    t->shape = s ? s : t->shape;
    t->value = NULL; /* it has the shape that is no longer known */
}

static void mark_element(Probe *p, int input, int64_t element)
{
    SfTensor *t = &p->inputs[input];
    const int64_t n = sf_value_count(t->value);
    SfElem *elems = sf_arena_copy(&p->scratch, sf_value_elems(t->value), (size_t)n * sizeof *elems);
    if (elems) {
        elems[element] = sf_elem_dim(p->mark);
    }
    const SfValue *v =
        elems ? sf_value_make(sf_value_dtype(t->value), sf_value_shape(t->value), elems) : NULL;
    p->nomem = p->nomem || !v;
    t->value = v;
}

/* Can its elements be dims? */
static bool has_elements(const SfTensor *t)
{
    return t->value && sf_dtype_is_integer(sf_dtype_base(t->dtype)) &&
           sf_value_count(t->value) <= ELEMENTS_MAX;
}

/* one step */
static SfOriginStep step_to(const SfTensor *t, int axis, int64_t element)
{
    SfDim dim = SF_DIM_UNKNOWN;
    if (axis >= 0) {
        dim = sf_shape_dim(t->shape, axis);
    } else if (sf_value_elem(t->value, element).kind == SF_ELEM_INT) {
        dim = sf_value_elem(t->value, element).u.i;
    } else if (sf_value_elem(t->value, element).kind == SF_ELEM_DIM) {
        dim = sf_value_elem(t->value, element).u.dim;
    }
    return (SfOriginStep){t->node, t->index, axis, element, dim, false};
}

/* Is the element -1, so that the dim is computed from the others? */
static bool is_any(const SfTensor *t, int64_t element)
{
    const SfElem e = sf_value_elem(t->value, element);
    return e.kind == SF_ELEM_INT && e.u.i < 0;
}

/* One axis of input `i`: does its mark arrive as `wanted`, and unchanged if it must? */
static bool try_axis(Probe *p, int i, int axis, SfDim before, Answer wanted, bool unchanged,
                     SfOriginStep *next)
{
    restore(p);
    mark_axis(p, i, axis);
    if (answer(p, before) != wanted || (unchanged && p->computed)) {
        return false;
    }
    *next = step_to(&p->node->inputs[i], axis, -1);
    return true;
}

static bool try_elements(Probe *p, int i, SfDim before, Answer wanted, bool unchanged,
                         SfOriginStep *next)
{
    const SfTensor *t = &p->node->inputs[i];
    for (int64_t e = 0; has_elements(t) && e < sf_value_count(t->value); e++) {
        if (is_any(t, e)) {
            continue;
        }
        restore(p);
        mark_element(p, i, e);
        if (answer(p, before) == wanted && !(unchanged && p->computed)) {
            *next = step_to(t, -1, e);
            return true;
        }
    }
    return false;
}

/* Finds the axis or element of an input whose mark arrives (wanted CARRIED), or without which
 * the dim is lost. The same axis is tried before the others, since a flatten depends on several. */
static bool find_marked(Probe *p, SfDim before, Answer wanted, bool unchanged, SfOriginStep *next)
{
    for (int i = 0; i < p->node->nin && !p->nomem; i++) {
        const SfTensor *t = &p->node->inputs[i];
        const int rank = sf_shape_rank(t->shape), same = p->at.axis;
        if (!t->node) {
            continue;
        }
        if (same >= 0 && same < rank && try_axis(p, i, same, before, wanted, unchanged, next)) {
            return true;
        }
        for (int a = 0; a < rank; a++) {
            if (a != same && try_axis(p, i, a, before, wanted, unchanged, next)) {
                return true;
            }
        }
        if (try_elements(p, i, before, wanted, unchanged, next)) {
            return true;
        }
    }
    return false;
}

static bool find_single(Probe *p, SfDim before, Answer wanted, SfOriginStep *next)
{
    return (wanted == CARRIED && find_marked(p, before, wanted, true, next)) ||
           find_marked(p, before, wanted, false, next);
}

/* Which axis of an input may say the same as the place asked about: one of the same size, or where
 * that is not known the one that stands at the same distance from the end. */
static bool says_the_same(const Probe *p, const SfTensor *t, int axis, SfDim before)
{
    const SfDim d = sf_shape_dim(t->shape, axis);
    if (before != SF_DIM_UNKNOWN) {
        return d == before;
    }
    const int rank = sf_shape_rank(p->node->outputs[p->at.output].shape);
    return p->at.axis >= 0 && !sf_dim_is_known(d) &&
           sf_shape_rank(t->shape) - axis == rank - p->at.axis;
}

/* Where several inputs say the same (an addition, a concatenation) the mark must be in all of
 * them. */
static bool find_shared(Probe *p, SfDim before, SfOriginStep *next)
{
    bool any = false;
    restore(p);
    for (int i = 0; i < p->node->nin && !p->nomem; i++) {
        const SfTensor *t = &p->node->inputs[i];
        for (int a = 0; t->node && a < sf_shape_rank(t->shape); a++) {
            if (says_the_same(p, t, a, before)) {
                mark_axis(p, i, a);
                if (!any) {
                    *next = step_to(t, a, -1);
                }
                any = true;
            }
        }
    }
    return any && !p->nomem && answer(p, before) == CARRIED;
}

/* A variable that is read has the shape of its owner. */
static bool find_state(Probe *p, SfOriginStep *next)
{
    for (int i = 0; i < p->node->nin && p->at.axis >= 0; i++) {
        const SfNode *owner = p->node->inputs[i].state;
        if (!owner || owner == p->node || owner->nout < 1) {
            continue;
        }
        /* A handle is a scalar: only its attrs say what it holds. */
        const SfShape *s = owner->outputs[0].shape;
        if (sf_shape_rank(s) == 0 || sf_shape_dim(s, p->at.axis) == p->at.dim) {
            *next = (SfOriginStep){owner, 0, p->at.axis, -1, p->at.dim, false};
            p->computed = false;
            return true;
        }
    }
    return false;
}

/* For a dim that only set_shape has declared (dropout with an unknown rate): the nearest tensor
 * behind it with the same dim. A symbol counts at any axis, a number only at the same axis of
 * the same rank. */
static bool find_set_shape(Probe *p, SfDim before, SfOriginStep *next)
{
    const SfNode *queue[SET_SHAPE_QUEUE_MAX] = {p->node};
    const int rank = sf_shape_rank(p->node->outputs[p->at.output].shape);
    const SfDim dim = p->at.dim;
    if (before != SF_DIM_UNKNOWN || dim == SF_DIM_UNKNOWN || p->at.axis < 0) {
        return false;
    }
    for (int at = 0, n = 1; at < n; at++) {
        for (int i = 0; i < queue[at]->nin; i++) {
            const SfTensor *t = &queue[at]->inputs[i];
            const bool alike = sf_dim_is_symbolic(dim) || sf_shape_rank(t->shape) == rank;
            for (int a = 0; t->node && alike && a < sf_shape_rank(t->shape); a++) {
                if (sf_shape_dim(t->shape, a) == dim &&
                    (sf_dim_is_symbolic(dim) || a == p->at.axis)) {
                    *next = step_to(t, a, -1);
                    p->computed = false;
                    return true;
                }
            }
            if (t->node && n < SET_SHAPE_QUEUE_MAX) {
                queue[n++] = t->node;
            }
        }
    }
    return false;
}

/* Where nothing is known of the dim: the same axis of an operand of the same rank, or an operand of
 * which the rank is not known either. */
static bool find_unknown(Probe *p, SfOriginStep *next)
{
    const int rank = sf_shape_rank(p->node->outputs[p->at.output].shape);
    if (p->at.dim != SF_DIM_UNKNOWN || p->at.axis < 0) {
        return false;
    }
    for (int wanted = rank;; wanted = -1) {
        for (int i = 0; i < p->node->nin; i++) {
            const SfTensor *t = &p->node->inputs[i];
            if (t->node && sf_shape_rank(t->shape) == wanted) {
                *next = step_to(t, p->at.axis, -1);
                p->computed = true;
                return true;
            }
        }
        if (wanted < 0) {
            return false;
        }
    }
}

static bool find_step(SfOriginStep *at, SfOriginStep *next, bool *nomem)
{
    Probe p;
    bool found = false;
    if (open_probe(&p, at) && at->node->nin > 0) {
        restore(&p);
        const SfDim before = infer(&p) ? result(&p) : SF_DIM_UNKNOWN;
        found = find_single(&p, before, CARRIED, next) || find_shared(&p, before, next) ||
                find_single(&p, before, LOST, next) || find_state(&p, next) ||
                find_set_shape(&p, before, next) || find_unknown(&p, next);
        at->computed = found && p.computed;
    }
    *nomem = p.nomem;
    close_probe(&p);
    return found && !*nomem;
}

/* The walk ended in an unknown element of a shape argument. Goes back to the last step that was
 * an axis: from there the walk through the operands may lead further. */
static bool turn_back(SfOriginStep *steps, int *n)
{
    int k = *n - 1;
    while (k >= 0 && steps[k].axis < 0) {
        k--;
    }
    if (k < 0 || k == *n - 1 || steps[*n - 1].dim != SF_DIM_UNKNOWN) {
        return false;
    }
    Probe p = {.node = steps[k].node, .at = steps[k]};
    if (!find_unknown(&p, &steps[k + 1])) {
        return false;
    }
    steps[k].computed = true;
    *n = k + 2;
    return true;
}

static bool leads_back(const SfOriginStep *steps, int n)
{
    for (int i = 0; i < n; i++) {
        if (steps[i].node == steps[n].node && steps[i].output == steps[n].output) {
            return true;
        }
    }
    return false;
}

static int walk(SfOriginStep *steps, int max)
{
    int n = 1;
    bool nomem = false;
    while (n < max) {
        if (find_step(&steps[n - 1], &steps[n], &nomem)) {
            if (leads_back(steps, n)) { /* a loop */
                break;
            }
            n++;
        } else if (nomem || !turn_back(steps, &n)) {
            break;
        }
    }
    return nomem ? 0 : n;
}

int sf_origin_of_axis(const SfNode *node, int output, int axis, SfOriginStep *steps, int max)
{
    const SfTensor *t = &node->outputs[output];
    const int rank = sf_shape_rank(t->shape);
    axis = axis < 0 && rank >= 0 ? axis + rank : axis;
    if (max < 1 || axis < 0 || sf_shape_is_bottom(t->shape) || (rank >= 0 && axis >= rank)) {
        return 0;
    }
    steps[0] = (SfOriginStep){node, output, axis, -1, sf_shape_dim(t->shape, axis), false};
    return walk(steps, max);
}
