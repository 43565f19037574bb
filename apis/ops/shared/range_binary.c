/* Ranges of functions of several operands that are broadcast. */
#include <float.h>
#include <math.h>

#include "apis/ops/shared/range_relation.h"

static bool is_complex(const SfRange *c)
{
    return sf_dtype_is_complex(sf_range_dtype(c, 0)) || sf_range_dtype(c, 0) == SF_DT_STRING;
}

static bool is_same(const SfRange *c)
{
    return sf_range_same_shaped(&c->node->inputs[0], &c->node->inputs[1]);
}

static bool is_number(SfInterval a)
{
    return !(a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF));
}

static void keep_within(SfInterval *a, double lo, double hi)
{
    if (!sf_interval_is_empty(*a)) {
        const SfInterval was = *a;
        a->lo = fmin(fmax(a->lo, lo), hi);
        a->hi = fmax(fmin(a->hi, hi), lo);
        a->flags = a->lo > 0 || a->hi < 0 ? was.flags & ~(unsigned)SF_MAY_BE_ZERO : was.flags;
    }
}

/* What lies on the way between two: the distance is rounded to its own last place, but a way on one
 * side of zero does not cross it. */
static SfInterval on_the_way(const SfRange *c, SfInterval from, SfInterval to)
{
    SfInterval way = sf_interval_join(from, to);
    const double slack =
        4 * sf_dtype_epsilon(sf_range_dtype(c, 0)) * fmax(fabs(way.lo), fabs(way.hi));
    way.lo = way.lo >= 0 ? fmax(way.lo - slack, 0) : way.lo - slack;
    way.hi = way.hi <= 0 ? fmin(way.hi + slack, 0) : way.hi + slack;
    return way;
}

void sf_range_add(SfRange *c)
{
    if (is_complex(c)) {
        return;
    }
    SfInterval y = sf_interval_add(c->in[0], c->in[1], sf_range_dtype(c, 0));
    for (int i = 0; i < 2; i++) {
        const SfTensor *target = sf_range_gained(c, &c->node->inputs[i], &c->node->inputs[1 - i]);
        if (target) {
            const SfInterval way = on_the_way(c, c->in[i], sf_range_of(c, target));
            keep_within(&y, way.lo, way.hi);
        }
    }
    const SfTensor *ends[2];
    double lo, hi;
    if (sf_range_blends(c, &c->node->inputs[0], &c->node->inputs[1], ends)) {
        const SfInterval way = on_the_way(c, sf_range_of(c, ends[0]), sf_range_of(c, ends[1]));
        keep_within(&y, way.lo, way.hi);
    } else if (sf_range_linear(c, 1, &lo, &hi)) {
        keep_within(&y, lo, hi);
    }
    c->out[0] = sf_range_by_cases(c, sf_interval_add, y);
}

void sf_range_sub(SfRange *c)
{
    const SfTensor *a = &c->node->inputs[0], *b = &c->node->inputs[1];
    if (is_complex(c)) {
        return;
    }
    SfInterval y = sf_interval_sub(c->in[0], c->in[1], sf_range_dtype(c, 0));
    const SfTensor *target = sf_range_target(c, a, b);
    double lo, hi;
    if (is_same(c)) {
        keep_within(&y, 0, 0);
    } else if (sf_range_dominates(c, b, a)) {
        y = sf_interval_meet(y, (SfInterval){-DBL_MAX, 0, SF_MAY_BE_ANY});
    } else if (sf_range_dominates(c, a, b)) {
        y = sf_interval_meet(y, (SfInterval){0, DBL_MAX, SF_MAY_BE_ANY});
    } else if (target) {
        const SfInterval way = on_the_way(c, c->in[0], sf_range_of(c, target));
        keep_within(&y, way.lo, way.hi);
    } else if (sf_range_linear(c, -1, &lo, &hi)) {
        keep_within(&y, lo, hi);
    }
    c->out[0] = sf_range_by_cases(c, sf_interval_sub, y);
}

/* `root` is one over the root of what dominates the square of x. */
static bool is_normalised(const SfRange *c, const SfTensor *x, const SfTensor *root)
{
    const SfTensor *from = sf_range_origin(root);
    if (!sf_range_is(from, sf_range_rsqrt)) {
        return false;
    }
    const SfTensor *sum = sf_range_origin(&from->node->inputs[0]);
    for (int i = 0; sf_range_is(sum, sf_range_maximum) && i < 2; i++) {
        const SfTensor *in = sf_range_origin(&sum->node->inputs[i]);
        sum = sf_range_is(in, sf_range_sum) ? in : sum;
    }
    if (!sf_range_is(sum, sf_range_sum)) {
        return false;
    }
    const SfTensor *of = &sum->node->inputs[0], *square = sf_range_in_place(of);
    const bool squares = sf_range_is(square, sf_range_square) ||
                         (sf_range_is(square, sf_range_mul) &&
                          sf_range_same_shaped(&square->node->inputs[0], &square->node->inputs[1]));
    return squares && sf_range_same_shaped(&square->node->inputs[0], x) &&
           sf_range_is_aligned(root, sum->node, of);
}

void sf_range_mul(SfRange *c)
{
    const SfTensor *a = &c->node->inputs[0], *b = &c->node->inputs[1];
    if (is_complex(c)) {
        return;
    }
    c->out[0] = is_same(c) ? sf_interval_square(c->in[0], sf_range_dtype(c, 0))
                           : sf_interval_mul(c->in[0], c->in[1], sf_range_dtype(c, 0));
    if (is_normalised(c, a, b) || is_normalised(c, b, a)) {
        keep_within(&c->out[0], -1.001, 1.001);
    }
    if (!is_same(c)) {
        c->out[0] = sf_range_by_cases(c, sf_interval_mul, c->out[0]);
    }
}

void sf_range_div(SfRange *c)
{
    const SfTensor *a = &c->node->inputs[0], *b = &c->node->inputs[1];
    if (is_complex(c)) {
        return;
    }
    SfInterval y = sf_interval_div(c->in[0], c->in[1], sf_range_dtype(c, 0));
    if (sf_dtype_is_floating(sf_range_dtype(c, 0))) {
        y = sf_interval_loosen(y, sf_range_dtype(c, 0), 1);
        const bool shrinks = c->in[1].lo >= 1 || c->in[1].hi <= -1;
        if (shrinks && !(c->in[0].flags & SF_MAY_BE_INF)) {
            y.flags &= ~(unsigned)SF_MAY_BE_INF;
        }
        if (is_same(c)) {
            keep_within(&y, 1, 1);
        } else if (c->in[0].lo >= 0 && sf_range_dominates(c, b, a)) {
            keep_within(&y, 0, 1);
            y.flags &= ~(unsigned)SF_MAY_BE_INF;
        }
    }
    c->out[0] = y;
}

void sf_range_div_no_nan(SfRange *c)
{
    if (!is_complex(c)) {
        SfInterval by = c->in[1];
        by.flags &= ~(unsigned)SF_MAY_BE_ZERO;
        c->out[0] =
            sf_interval_join(sf_interval_loosen(sf_interval_div(c->in[0], by, sf_range_dtype(c, 0)),
                                                sf_range_dtype(c, 0), 1),
                             sf_interval_exact(0));
    }
}

void sf_range_minimum(SfRange *c)
{
    c->out[0] = sf_interval_min(c->in[0], c->in[1]);
}

void sf_range_maximum(SfRange *c)
{
    c->out[0] = sf_interval_max(c->in[0], c->in[1]);
}

void sf_range_squared_difference(SfRange *c)
{
    if (!is_complex(c)) {
        c->out[0] = sf_interval_square(sf_interval_sub(c->in[0], c->in[1], sf_range_dtype(c, 0)),
                                       sf_range_dtype(c, 0));
    }
}

/* Powers of what is never negative rise or fall in each operand; of the rest only whole exponents
 * are numbers. */
void sf_range_pow(SfRange *c)
{
    const SfInterval x = c->in[0], y = c->in[1];
    const SfDtype t = sf_range_dtype(c, 0);
    if (!sf_dtype_is_floating(t) || !is_number(y) || sf_interval_is_empty(x) ||
        sf_interval_is_empty(y)) {
        return;
    }
    const bool even = y.lo == y.hi && fmod(y.lo, 2) == 0;
    const SfInterval base = even ? sf_interval_abs(x) : x;
    const bool odd = y.lo == y.hi && y.lo > 0 && fabs(fmod(y.lo, 2)) == 1;
    const bool above =
        !(base.flags & SF_MAY_BE_NINF) && (base.lo > 0 || (base.lo >= 0 && y.lo >= 0));
    if (odd || above) {
        const double p[] = {pow(base.lo, y.lo), pow(base.lo, y.hi), pow(base.hi, y.lo),
                            pow(base.hi, y.hi)};
        SfInterval r = sf_interval_make(fmin(fmin(p[0], p[1]), fmin(p[2], p[3])),
                                        fmax(fmax(p[0], p[1]), fmax(p[2], p[3])));
        if (sf_interval_holds(x, 1) || sf_interval_holds(y, 0)) {
            r = sf_interval_join(r, sf_interval_exact(1));
        }
        if (base.lo == 0 && !sf_interval_has_zero(base)) {
            r.flags &= ~(unsigned)SF_MAY_BE_ZERO;
        }
        if (base.flags & SF_MAY_BE_PINF && y.lo < 0) {
            r = sf_interval_join(r, sf_interval_exact(0));
        }
        r.flags |= base.flags & (SF_MAY_BE_NAN | SF_MAY_BE_NINF);
        r.flags |= y.hi > 0 ? base.flags & SF_MAY_BE_PINF : 0;
        /* Kernels of float16 and bfloat16 round what float32 gives. */
        r = sf_interval_loosen(r, t, sf_dtype_epsilon(t) > 1e-6 ? 1 : 16);
        /* No kernel leaves the side of one on which the result is: 1 - pow(0.999, step) >= 0. */
        if (above && ((base.hi <= 1 && y.lo >= 0) || (base.lo >= 1 && y.hi <= 0))) {
            r.hi = fmin(r.hi, 1);
        } else if (above && ((base.lo >= 1 && y.lo >= 0) ||
                             (base.hi <= 1 && y.hi <= 0 && !(base.flags & SF_MAY_BE_PINF)))) {
            r.lo = fmax(r.lo, 1);
        }
        c->out[0] = r;
    } else if (even) {
        c->out[0].lo = 0;
    }
}

void sf_range_floor_mod(SfRange *c)
{
    const SfInterval by = c->in[1];
    if (!sf_interval_is_empty(by) && is_number(by) && is_number(c->in[0])) {
        const unsigned nan = sf_interval_has_zero(by) ? SF_MAY_BE_NAN : 0;
        SfInterval r = sf_interval_make(fmin(by.lo, 0), fmax(by.hi, 0));
        r.flags |= (sf_dtype_is_floating(sf_range_dtype(c, 0)) ? nan : 0) |
                   (c->in[0].flags & by.flags & SF_ALL_INTEGERS);
        c->out[0] = r;
    }
}

void sf_range_floor_div(SfRange *c)
{
    const SfDtype t = sf_range_dtype(c, 0);
    const bool is_floating = sf_dtype_is_floating(t);
    if (is_complex(c) || (!is_floating && sf_interval_has_zero(c->in[1]))) {
        return;
    }
    SfInterval y = sf_interval_div(c->in[0], c->in[1], t);
    y = is_floating ? sf_interval_loosen(y, t, 1) : y;
    if (!sf_interval_is_empty(y)) {
        const unsigned flags = y.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
        y = sf_interval_make(floor(y.lo), floor(y.hi));
        y.flags |= flags | SF_ALL_INTEGERS;
    }
    c->out[0] = y;
}

/* Has the sign of what is divided, and is nearer to zero than both. */
void sf_range_truncate_mod(SfRange *c)
{
    const SfInterval x = c->in[0], by = c->in[1];
    if (!sf_interval_is_empty(by) && !sf_interval_is_empty(x) && is_number(by) && is_number(x)) {
        const double most = fmax(fabs(by.lo), fabs(by.hi));
        SfInterval r = sf_interval_make(-fmin(fmax(-x.lo, 0), most), fmin(fmax(x.hi, 0), most));
        const bool breaks = sf_dtype_is_floating(sf_range_dtype(c, 0)) && sf_interval_has_zero(by);
        r.flags |=
            SF_MAY_BE_ZERO | (breaks ? SF_MAY_BE_NAN : 0) | (x.flags & by.flags & SF_ALL_INTEGERS);
        c->out[0] = r;
    }
}

void sf_range_atan2(SfRange *c)
{
    const double pi = 3.14159265358979323846;
    SfInterval y = sf_interval_loosen(sf_interval_make(-pi, pi), sf_range_dtype(c, 0), 4);
    y.flags |= (c->in[0].flags | c->in[1].flags) & SF_MAY_BE_NAN;
    /* Of two subnormal numbers the kernel's quotient is 0 / 0. */
    const double least = sf_dtype_least_normal(sf_range_dtype(c, 0));
    bool is_near = true;
    for (int i = 0; i < 2; i++) {
        is_near = is_near && c->in[i].lo < least && c->in[i].hi > -least;
    }
    y.flags |= is_near ? SF_MAY_BE_NAN : 0;
    c->out[0] = y;
}

void sf_range_share(SfRange *c)
{
    c->out[0] = sf_interval_make(0, 1);
    c->out[0].flags |= SF_MAY_BE_NAN; /* where its parameters are none */
}

void sf_range_clip(SfRange *c)
{
    c->out[0] = sf_interval_min(sf_interval_max(c->in[0], c->in[1]), c->in[2]);
}

/* Where the condition compares a tensor, its branch is computed from what passed. */
static SfInterval branch(SfRange *c, int i, bool truth)
{
    SfAssumption known;
    known.base = sf_range_given(c, &c->node->inputs[0], truth, &known.as);
    return known.base
               ? sf_interval_meet(c->in[i], sf_range_supposing(c, &c->node->inputs[i], &known, 1))
               : c->in[i];
}

void sf_range_select(SfRange *c)
{
    const SfInterval condition = c->in[0];
    const SfInterval none = sf_interval_none();
    c->out[0] = sf_interval_join(condition.hi < 1 ? none : branch(c, 1, true),
                                 condition.lo > 0 ? none : branch(c, 2, false));
}

void sf_range_add_n(SfRange *c)
{
    const SfDtype t = sf_range_dtype(c, 0);
    if (c->node->nin == 0 || is_complex(c) || t == SF_DT_VARIANT) {
        return;
    }
    SfInterval sum = c->in[0];
    for (int i = 1; i < c->node->nin; i++) {
        sum = sf_interval_add(sum, c->in[i], t);
    }
    /* Eight terms are added at a time, in an order of their own. */
    c->out[0] = c->node->nin > 2 ? sf_interval_loosen(sum, t, c->node->nin) : sum;
    if (sum.lo >= 0 && !sf_interval_is_empty(sum)) {
        c->out[0].lo = fmax(c->out[0].lo, 0);
        c->out[0].flags &= sum.flags | ~(unsigned)SF_MAY_BE_ZERO;
    }
}
