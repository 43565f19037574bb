/* Sums and products of operands that depend on each other: both on a condition, or one on what is
 * left of 1 by the other. See range_relation.h. */
#include <math.h>

#include "apis/ops/shared/range_relation.h"

enum { DEPTH = 4, TERMS = 6 };

static bool is_number(SfInterval a)
{
    return !sf_interval_is_empty(a) && !(a.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF));
}

/* cases */

/* 0 or 1 at each element, and nobody knows which. */
static bool is_condition(const SfRange *c, const SfTensor *t)
{
    const SfInterval x = sf_range_of(c, t);
    return t->node && is_number(x) && x.lo == 0 && x.hi == 1 && x.flags & SF_ALL_INTEGERS &&
           !sf_dtype_is_quantized(sf_dtype_base(t->dtype));
}

/* A condition that `t` is computed from element by element; one that compares, before a mask. */
static const SfTensor *condition_of(const SfRange *c, const SfTensor *t, int depth)
{
    const SfNode *n = t->node;
    const SfTensor *found = NULL;
    const bool follows =
        n && n->nin > 0 && n->nin <= 3 && depth > 0 &&
        (n->sig->def->traits & SF_OP_ELEMENTWISE || sf_node_role(n) == SF_ROLE_IDENTITY);
    if (sf_dtype_base(t->dtype) == SF_DT_BOOL) {
        return t;
    }
    for (int i = 0; follows && i < n->nin && !found; i++) {
        found = condition_of(c, &n->inputs[i], depth - 1);
    }
    return found ? found : is_condition(c, t) ? t : NULL;
}

static SfInterval in_case(const SfRange *c, SfCombine combine, const SfTensor *condition,
                          bool truth)
{
    SfAssumption known[2] = {{condition, sf_interval_exact(truth)}};
    int n = 1;
    SfInterval in[2];
    if (!truth && sf_dtype_is_floating(sf_dtype_base(condition->dtype))) { /* or -0 */
        known[0].as.flags &= ~(unsigned)SF_NO_MINUS_ZERO | sf_range_of(c, condition).flags;
    }
    known[1].base = sf_dtype_base(condition->dtype) == SF_DT_BOOL
                        ? sf_range_given(c, condition, truth, &known[1].as)
                        : NULL;
    n += known[1].base != NULL;
    for (int i = 0; i < 2; i++) {
        in[i] = sf_interval_meet(c->in[i], sf_range_supposing(c, &c->node->inputs[i], known, n));
    }
    return combine(in[0], in[1], sf_range_dtype(c, 0));
}

/* Is the operand taken to be NaN or infinite, which it is not by itself? No case knows of that. */
static bool is_taken_to_break(const SfRange *c, int i)
{
    return c->in[i].flags & ~sf_range_of(c, &c->node->inputs[i]).flags &
           (SF_MAY_BE_NAN | SF_MAY_BE_INF);
}

SfInterval sf_range_by_cases(const SfRange *c, SfCombine combine, SfInterval y)
{
    const SfTensor *in = c->node->inputs;
    if (c->node->nin != 2 || c->depth > 0 || !sf_dtype_is_floating(sf_range_dtype(c, 0)) ||
        is_taken_to_break(c, 0) || is_taken_to_break(c, 1)) {
        return y;
    }
    const SfTensor *condition = condition_of(c, &in[0], DEPTH);
    condition = condition ? condition : condition_of(c, &in[1], DEPTH);
    return condition ? sf_interval_meet(y, sf_interval_join(in_case(c, combine, condition, true),
                                                            in_case(c, combine, condition, false)))
                     : y;
}

/* blends: where the sum is finite, so is all that it is made of */

static bool is_one_less(const SfRange *c, const SfTensor *rest, const SfTensor *part)
{
    const SfTensor *from = sf_range_origin(rest);
    if (!sf_range_is(from, sf_range_sub) || from->shape != rest->shape) {
        return false;
    }
    const SfInterval one = sf_range_of(c, &from->node->inputs[0]);
    return one.lo == 1 && one.hi == 1 && sf_range_same_shaped(&from->node->inputs[1], part);
}

bool sf_range_blends(const SfRange *c, const SfTensor *a, const SfTensor *b,
                     const SfTensor *ends[2])
{
    if (!sf_range_is(a, sf_range_mul) || !sf_range_is(b, sf_range_mul)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        const SfTensor *x = &a->node->inputs[i / 2], *y = &b->node->inputs[i % 2];
        const SfInterval p = sf_range_of(c, x), q = sf_range_of(c, y);
        if (p.lo >= 0 && q.lo >= 0 && p.hi <= 1 && q.hi <= 1 &&
            (is_one_less(c, x, y) || is_one_less(c, y, x))) {
            ends[0] = &a->node->inputs[1 - i / 2];
            ends[1] = &b->node->inputs[1 - i % 2];
            return true;
        }
    }
    return false;
}

/* linear forms: where a sum is finite, so are its terms */

typedef struct Form {
    const SfTensor *term[TERMS];
    double factor[TERMS];
    int n, repeated; /* terms, and how often one came again */
    double constant, error;
} Form;

static double size_of(SfInterval a)
{
    return fmax(fabs(a.lo), fabs(a.hi));
}

static bool add_term(Form *f, const SfTensor *t, double k)
{
    for (int i = 0; i < f->n; i++) {
        if (sf_range_same_shaped(f->term[i], t)) {
            f->factor[i] += k;
            f->repeated++;
            return true;
        }
    }
    if (f->n == TERMS) {
        return false;
    }
    f->term[f->n] = t;
    f->factor[f->n++] = k;
    return true;
}

/* Adds k * t, as far as sums and multiples go; the error is what rounding them adds. */
static bool add_form(const SfRange *c, Form *f, const SfTensor *t, double k, int depth)
{
    const SfInterval x = sf_range_of(c, t);
    const SfDtype type = sf_dtype_base(t->dtype);
    if (sf_interval_is_empty(x)) {
        return false;
    }
    if (x.lo == x.hi) {
        f->constant += k * x.lo;
        return true;
    }
    const SfTensor *in = t->node && t->node->nin == 2 ? t->node->inputs : NULL;
    const bool is_sum = sf_range_is(t, sf_range_add), is_difference = sf_range_is(t, sf_range_sub);
    if (!in || depth == 0 || !sf_numeric_is_computed(c->numeric, t)) {
        return add_term(f, t, k);
    }
    const double rounding =
        fabs(k) * (size_of(x) * sf_dtype_epsilon(type) + sf_dtype_least_normal(type));
    if (is_sum || is_difference) {
        f->error += rounding;
        return add_form(c, f, &in[0], k, depth - 1) &&
               add_form(c, f, &in[1], is_sum ? k : -k, depth - 1);
    }
    for (int i = 0; i < 2 && sf_range_is(t, sf_range_mul); i++) {
        const SfInterval by = sf_range_of(c, &in[i]);
        if (by.lo == by.hi) {
            f->error += rounding;
            return add_form(c, f, &in[1 - i], k * by.lo, depth - 1);
        }
    }
    return add_term(f, t, k);
}

bool sf_range_linear(const SfRange *c, double sign, double *lo, double *hi)
{
    const SfTensor *in = c->node->inputs;
    Form f = {.n = 0};
    if (c->node->nin != 2 || c->depth > 0 || !sf_dtype_is_floating(sf_range_dtype(c, 0)) ||
        !add_form(c, &f, &in[0], 1, DEPTH) || !add_form(c, &f, &in[1], sign, DEPTH) ||
        f.repeated == 0) {
        return false;
    }
    *lo = *hi = f.constant;
    for (int i = 0; i < f.n; i++) {
        const SfInterval x = sf_range_of(c, f.term[i]);
        *lo += fmin(f.factor[i] * x.lo, f.factor[i] * x.hi);
        *hi += fmax(f.factor[i] * x.lo, f.factor[i] * x.hi);
        f.error += 0x1p-48 * fabs(f.factor[i]) * size_of(x);
    }
    const SfDtype t = sf_range_dtype(c, 0);
    f.error += 0x1p-48 * fabs(f.constant) + sf_dtype_least_normal(t) +
               sf_dtype_epsilon(t) * fmax(fabs(*lo), fabs(*hi)); /* of this op itself */
    *lo -= f.error;
    *hi += f.error;
    return isfinite(*lo) && isfinite(*hi);
}
