/* Ranges of ops that join tensors, cut them, or give them other axes: what a slice holds comes from
 * those of the joined tensors that it meets. */
#include "apis/ops/shared/range_relation.h"

enum { MOST_AXES = 8 };

/* One axis of what is cut. */
typedef struct Cut {
    int64_t begin, end; /* all: 0, INT64_MAX */
    int to;             /* axis of the result; -1: none */
    bool is_dense;      /* every element between, in order */
} Cut;

static const Cut all = {0, INT64_MAX, 0, true};

static SfInterval cut_along(const SfRange *c, const SfTensor *from, const Cut cuts[], int rank)
{
    SfInterval y = sf_range_of(c, from);
    for (int axis = 0; axis < rank; axis++) {
        const Cut *cut = &cuts[axis];
        SfRangePart p = {.axis = axis, .begin = cut->begin, .end = cut->end};
        if (c->part && cut->to == c->part->axis && cut->is_dense) {
            p.begin = cut->begin + c->part->begin;
            const bool is_near = c->part->end < INT64_MAX - cut->begin;
            const int64_t end = is_near ? cut->begin + c->part->end : INT64_MAX;
            p.end = end < p.end ? end : p.end;
        }
        if (p.begin > 0 || p.end < INT64_MAX) {
            y = sf_interval_meet(y, sf_range_part(c, from, p));
        }
    }
    return y;
}

static bool whole_cuts(const SfTensor *from, Cut cuts[MOST_AXES], int *rank)
{
    *rank = sf_shape_rank(from->shape);
    for (int axis = 0; axis < *rank && axis < MOST_AXES; axis++) {
        cuts[axis] = all;
        cuts[axis].to = axis;
    }
    return *rank > 0 && *rank <= MOST_AXES;
}

static bool int_at(const SfTensor *t, int64_t i, int64_t *out)
{
    const SfElem e = t->value ? sf_value_elem(t->value, i) : sf_elem_unknown();
    *out = e.kind == SF_ELEM_INT ? e.u.i : 0;
    return e.kind == SF_ELEM_INT;
}

static bool axis_of(const SfTensor *t, int rank, int *axis)
{
    int64_t i;
    const bool known = rank > 0 && t->value && sf_value_count(t->value) == 1 && int_at(t, 0, &i);
    *axis = known ? (int)(i < 0 ? i + rank : i) : -1;
    return *axis >= 0 && *axis < rank;
}

/* cutting */

void sf_range_slice(SfRange *c)
{
    const SfTensor *in = c->node->inputs;
    Cut cuts[MOST_AXES];
    int rank;
    c->out[0] = sf_range_of(c, &in[0]);
    if (!whole_cuts(&in[0], cuts, &rank)) {
        return;
    }
    for (int axis = 0; axis < rank; axis++) {
        int64_t begin, size;
        if (int_at(&in[1], axis, &begin) && int_at(&in[2], axis, &size) && begin >= 0) {
            cuts[axis].begin = begin;
            cuts[axis].end = size >= 0 && size < INT64_MAX - begin ? begin + size : INT64_MAX;
        } else {
            cuts[axis].is_dense = false;
        }
    }
    c->out[0] = cut_along(c, &in[0], cuts, rank);
}

/* The mask of which `indices` are the places that are true: boolean_mask has it flat. */
static const SfTensor *mask_of(const SfTensor *indices)
{
    const SfTensor *from = sf_range_origin(indices);
    return sf_range_is(from, sf_range_where) ? sf_range_origin(&from->node->inputs[0]) : NULL;
}

/* What `params` holds where `mask`, which has its shape, is true. */
static void keep_chosen(SfRange *c, const SfTensor *params, const SfTensor *mask)
{
    SfAssumption known;
    if (mask && mask->shape == params->shape && sf_shape_rank(mask->shape) >= 0) {
        known.base = sf_range_given(c, mask, true, &known.as);
        if (known.base) {
            c->out[0] = sf_interval_meet(c->out[0], sf_range_supposing(c, params, &known, 1));
        }
    }
}

void sf_range_gather(SfRange *c)
{
    const SfTensor *in = c->node->inputs;
    Cut cuts[MOST_AXES];
    int rank, axis = 0;
    SfInterval at;
    c->out[0] = c->in[0];
    if (sf_shape_rank(in[0].shape) == 1) {
        keep_chosen(c, sf_range_origin(&in[0]), mask_of(&in[1]));
    }
    if (whole_cuts(&in[0], cuts, &rank) && (c->node->nin < 3 || axis_of(&in[2], rank, &axis)) &&
        sf_interval_of_value(in[1].value, &at) && at.lo >= 0) {
        cuts[axis] = (Cut){(int64_t)at.lo, (int64_t)at.hi + 1, -1, false};
        c->out[0] = sf_interval_meet(c->out[0], cut_along(c, &in[0], cuts, rank));
    }
}

void sf_range_gather_nd(SfRange *c)
{
    c->out[0] = c->in[0];
    keep_chosen(c, &c->node->inputs[0], mask_of(&c->node->inputs[1]));
}

static bool has(const SfNode *n, const char *mask, int i)
{
    const SfAttr *a = sf_node_attr(n, mask);
    return a && a->u.i >> i & 1;
}

/* Entry i of the spec of a StridedSlice. */
static Cut strided_cut(const SfNode *n, int i, SfDim d, int to)
{
    Cut cut = all;
    int64_t begin, end, stride;
    const bool begins = int_at(&n->inputs[1], i, &begin), shrinks = has(n, "shrink_axis_mask", i);
    const bool ends = int_at(&n->inputs[2], i, &end);
    cut.to = shrinks ? -1 : to;
    cut.is_dense = int_at(&n->inputs[3], i, &stride) && stride == 1;
    if (!cut.is_dense && stride <= 0) {
        return cut;
    }
    const bool is_known = sf_dim_is_known(d);
    if (!has(n, "begin_mask", i) || shrinks) {
        begin += begin < 0 && is_known ? d : 0;
        cut.is_dense = cut.is_dense && begins && begin >= 0;
        cut.begin = begins && begin >= 0 ? begin : 0;
    }
    if (shrinks) {
        cut.end = begins && begin >= 0 ? begin + 1 : INT64_MAX;
    } else if (!has(n, "end_mask", i) && ends) {
        end += end < 0 && is_known ? d : 0;
        cut.end = end > 0 ? end : INT64_MAX;
    }
    return cut;
}

static int axes_that(const SfNode *n, const char *mask, int from, int entries)
{
    int count = 0;
    for (int i = from; i < entries; i++) {
        count += has(n, mask, i);
    }
    return count;
}

void sf_range_strided_slice(SfRange *c)
{
    const SfNode *n = c->node;
    Cut cuts[MOST_AXES];
    int rank, axis = 0, to = 0;
    const SfDim entries = sf_shape_dim(n->inputs[1].shape, 0);
    c->out[0] = sf_range_of(c, &n->inputs[0]);
    if (!whole_cuts(&n->inputs[0], cuts, &rank) || !sf_dim_is_known(entries) ||
        entries > 2 * MOST_AXES) {
        return;
    }
    for (int i = 0; i < (int)entries; i++) {
        if (has(n, "ellipsis_mask", i)) {
            const int later =
                (int)entries - i - 1 - axes_that(n, "new_axis_mask", i + 1, (int)entries);
            for (; axis < rank - later; axis++) {
                cuts[axis].to = to++;
            }
        } else if (has(n, "new_axis_mask", i)) {
            to++;
        } else if (axis < rank) {
            cuts[axis] = strided_cut(n, i, sf_shape_dim(n->inputs[0].shape, axis), to);
            to += cuts[axis].to >= 0;
            axis++;
        }
    }
    for (; axis < rank; axis++) {
        cuts[axis].to = to++;
    }
    c->out[0] = cut_along(c, &n->inputs[0], cuts, rank);
}

/* The outputs follow each other along an axis: output k from begin + k * size on. */
static void follow(SfRange *c, const SfTensor *from, int axis, const SfTensor *sizes)
{
    Cut cuts[MOST_AXES];
    int rank = 0;
    int64_t begin = 0;
    bool known = axis >= 0 && whole_cuts(from, cuts, &rank) && axis < rank;
    for (int k = 0; k < c->node->nout; k++) {
        const SfDim size = known ? sf_shape_dim(c->node->outputs[k].shape, axis) : SF_DIM_UNKNOWN;
        int64_t asked = size;
        known = known && (sizes ? int_at(sizes, k, &asked) && asked >= 0 : sf_dim_is_known(size));
        SfInterval *out = c->part ? c->out : &c->out[k];
        if (c->part && k != c->part->output) {
            begin += known ? asked : 0;
            continue;
        }
        *out = sf_range_of(c, from);
        if (known) {
            cuts[axis].begin = begin;
            cuts[axis].end = begin + asked;
            *out = cut_along(c, from, cuts, rank);
            begin += asked;
        }
    }
}

void sf_range_split(SfRange *c)
{
    const SfTensor *in = c->node->inputs;
    int axis;
    follow(c, &in[1], axis_of(&in[0], sf_shape_rank(in[1].shape), &axis) ? axis : -1, NULL);
}

void sf_range_split_v(SfRange *c)
{
    const SfTensor *in = c->node->inputs;
    int axis;
    follow(c, &in[0], axis_of(&in[2], sf_shape_rank(in[0].shape), &axis) ? axis : -1, &in[1]);
}

static int axis_attr(const SfNode *n, int rank)
{
    const SfAttr *a = sf_node_attr(n, "axis");
    const int64_t axis = a ? a->u.i : 0;
    return rank <= 0 ? -1 : (int)(axis < 0 ? axis + rank : axis);
}

void sf_range_unpack(SfRange *c)
{
    const SfTensor *from = &c->node->inputs[0];
    Cut cuts[MOST_AXES];
    int rank;
    const bool known = whole_cuts(from, cuts, &rank);
    const int axis = axis_attr(c->node, rank);
    for (int k = 0; k < c->node->nout; k++) {
        if (c->part && k != c->part->output) {
            continue;
        }
        SfInterval *out = c->part ? c->out : &c->out[k];
        *out = sf_range_of(c, from);
        if (known && axis >= 0 && axis < rank) {
            for (int i = 0; i < rank; i++) {
                cuts[i].to = i < axis ? i : i - 1;
            }
            cuts[axis] = (Cut){k, (int64_t)k + 1, -1, true};
            *out = cut_along(c, from, cuts, rank);
        }
    }
}

/* joining */

static SfInterval joined(const SfRange *c, int first, int count, int axis)
{
    SfInterval y = sf_interval_none();
    const SfRangePart *p = c->part;
    int64_t at = 0;
    bool any = false;
    for (int i = first; i < first + count; i++) {
        const SfTensor *t = &c->node->inputs[i];
        if (p->axis != axis) {
            y = sf_interval_join(y, sf_range_part(c, t, *p));
            any = true;
            continue;
        }
        const SfDim n = sf_shape_dim(t->shape, axis);
        if (p->end <= at) {
            break;
        }
        if (!sf_dim_is_known(n)) { /* from here on nobody knows where each one begins */
            for (; i < first + count; i++) {
                y = sf_interval_join(y, sf_range_of(c, &c->node->inputs[i]));
            }
            return y;
        }
        if (p->begin < at + n) {
            const SfRangePart own = {.axis = axis,
                                     .begin = p->begin > at ? p->begin - at : 0,
                                     .end = p->end - at < n ? p->end - at : n};
            y = sf_interval_join(y, sf_range_part(c, t, own));
            any = true;
        }
        at += n;
    }
    return any ? y : *c->out;
}

void sf_range_concat(SfRange *c)
{
    const SfNode *n = c->node;
    if (!c->part) {
        sf_range_move_all(c);
        return;
    }
    const bool axis_first = sf_node_attr(n, "Tidx") == NULL;
    int axis;
    if (axis_of(&n->inputs[axis_first ? 0 : n->nin - 1], sf_shape_rank(n->outputs[0].shape),
                &axis)) {
        *c->out = joined(c, axis_first, n->nin - 1, axis);
    }
}

void sf_range_pack(SfRange *c)
{
    const SfNode *n = c->node;
    if (!c->part) {
        sf_range_move_all(c);
        return;
    }
    const SfRangePart *p = c->part;
    const int axis = axis_attr(n, sf_shape_rank(n->outputs[0].shape));
    SfInterval y = sf_interval_none();
    for (int i = 0; i < n->nin; i++) {
        SfRangePart own = *p;
        own.axis -= p->axis > axis;
        if (p->axis != axis) {
            y = sf_interval_join(y, sf_range_part(c, &n->inputs[i], own));
        } else if (i >= p->begin && i < p->end) {
            y = sf_interval_join(y, sf_range_of(c, &n->inputs[i]));
        }
    }
    *c->out = y;
}

/* other axes */

/* Axes before, or after, one keep their lengths when a tensor is reshaped: then it stays itself. */
static int kept_axis(const SfShape *from, const SfShape *to, int axis)
{
    const int n = sf_shape_rank(from), m = sf_shape_rank(to);
    bool leads = axis < n, trails = m - axis <= n;
    for (int i = 0; leads && i <= axis; i++) {
        leads =
            sf_shape_dim(from, i) == sf_shape_dim(to, i) && sf_shape_dim(to, i) != SF_DIM_UNKNOWN;
    }
    for (int i = 1; trails && i <= m - axis; i++) {
        trails = sf_dim_is_known(sf_shape_dim(to, m - i)) &&
                 sf_shape_dim(from, n - i) == sf_shape_dim(to, m - i);
    }
    return trails ? axis - m + n : leads ? axis : -1;
}

void sf_range_reshape(SfRange *c)
{
    const SfTensor *from = &c->node->inputs[0];
    if (!c->part) {
        sf_range_move(c);
        return;
    }
    SfRangePart p = *c->part;
    p.axis = kept_axis(from->shape, c->node->outputs[0].shape, p.axis);
    if (p.axis >= 0) {
        *c->out = sf_range_part(c, from, p);
    }
}

void sf_range_transpose(SfRange *c)
{
    int64_t axis;
    if (!c->part) {
        sf_range_move(c);
    } else if (int_at(&c->node->inputs[1], c->part->axis, &axis)) {
        SfRangePart p = *c->part;
        p.axis = (int)(axis < 0 ? axis + sf_shape_rank(c->node->outputs[0].shape) : axis);
        *c->out = sf_range_part(c, &c->node->inputs[0], p);
    }
}
