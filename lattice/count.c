/* Products of dims: does a reshape fit, and what is its -1? */
#include "lattice/shape.h"

#include "lattice/expr.h"

/* One side of the equation "product of dims = product of dims". */
typedef struct Product {
    int64_t known; /* product of the known dims that are not 0 */
    bool overflow; /* that product does not fit int64 */
    bool zero;     /* a dim is 0 */
    int unknown;   /* how many dims are SF_DIM_UNKNOWN */
    int symbols;   /* how many dims are symbolic; they are listed in: */
    SfDim symbol[SF_RANK_MAX];
} Product;

typedef enum Verdict { ALWAYS, MAYBE, NEVER } Verdict;

static void product_of(const SfShape *s, Product *p)
{
    p->known = 1;
    p->overflow = false;
    p->zero = false;
    p->unknown = 0;
    p->symbols = 0;
    for (int i = 0; i < s->rank; i++) {
        const SfDim d = s->dims[i];
        if (d == 0) {
            p->zero = true;
        } else if (sf_dim_is_known(d)) {
            p->overflow = p->overflow || __builtin_mul_overflow(p->known, d, &p->known);
        } else if (d == SF_DIM_UNKNOWN) {
            p->unknown++;
        } else {
            p->symbol[p->symbols++] = d;
        }
    }
}

/* Strikes out the symbolic dims that both sides have. True when one of them may be 0: then the
 * sides are equal for that value whatever is left. */
static bool cancel_symbols(Product *a, Product *b)
{
    bool may_be_zero = false;
    int kept = 0;
    for (int i = 0; i < a->symbols; i++) {
        int k = 0;
        while (k < b->symbols && b->symbol[k] != a->symbol[i]) {
            k++;
        }
        if (k == b->symbols) {
            a->symbol[kept++] = a->symbol[i];
            continue;
        }
        may_be_zero = may_be_zero || !sf_dim_never(a->symbol[i], 0);
        b->symbol[k] = b->symbol[--b->symbols];
    }
    a->symbols = kept;
    return may_be_zero;
}

static bool can_be_zero(const Product *p)
{
    bool zero = p->zero || p->unknown > 0;
    for (int i = 0; i < p->symbols; i++) {
        zero = zero || !sf_dim_never(p->symbol[i], 0);
    }
    return zero;
}

/* The side as one linear form; false when it is not linear or too large. */
static bool linear_of(const Product *p, SfLinear *out)
{
    if (p->unknown > 0 || p->symbols > 1 || p->overflow) {
        return false;
    }
    if (p->symbols == 0) {
        *out = (SfLinear){.count = 0, .constant = p->known};
        return true;
    }
    return sf_linear_load(p->symbol[0], out) && sf_linear_scale(out, p->known, out);
}

/* Neither side has a 0 and no dim is to be solved for: are the products equal? */
static Verdict compare(const Product *a, const Product *b)
{
    SfLinear x;
    SfLinear y;
    if (linear_of(a, &x) && linear_of(b, &y)) {
        if (!sf_linear_add(&x, &y, -1, &x)) {
            return MAYBE;
        }
        if (x.count == 0 && x.constant == 0) {
            return ALWAYS;
        }
        return sf_linear_never(&x, 0) ? NEVER : MAYBE;
    }
    return MAYBE;
}

/* `whole` = `part.known` * (what is not known of part): can that be? */
static Verdict divides(const Product *whole, const Product *part)
{
    if (part->overflow) {
        /* Too large a divisor leaves only 0 as a quotient. */
        return whole->overflow || can_be_zero(whole) ? MAYBE : NEVER;
    }
    SfLinear w;
    if (!linear_of(whole, &w)) {
        return MAYBE;
    }
    return sf_linear_never_divides(&w, part->known) ? NEVER : MAYBE;
}

/* The one dim x with whole = part * x; false when it is not a linear form or has a rest. */
static bool quotient(const Product *whole, const Product *part, SfLinear *out)
{
    SfLinear w;
    SfLinear p;
    if (!linear_of(whole, &w) || !linear_of(part, &p)) {
        return false;
    }
    if (p.count == 0) {
        return sf_linear_divide(&w, p.constant, out);
    }
    /* 2*n / n: the forms must be proportional. */
    if (w.count == 0 || w.terms[0].coef % p.terms[0].coef != 0) {
        return false;
    }
    const int64_t ratio = w.terms[0].coef / p.terms[0].coef;
    SfLinear rest;
    *out = (SfLinear){.count = 0, .constant = ratio};
    return ratio >= 0 && sf_linear_add(&w, &p, -ratio, &rest) && rest.count == 0 &&
           rest.constant == 0;
}

/* The axis of `want` that the equation determines: the only unknown one, or, when all are known,
 * the only symbolic one that did not cancel ([6] to [n,2]). -1 when there is none. */
static int open_axis(const SfShape *want, const Product *left)
{
    SfDim open = SF_DIM_UNKNOWN;
    if (left->unknown == 0 && left->symbols == 1) {
        open = left->symbol[0];
    } else if (left->unknown != 1) {
        return -1;
    }
    int axis = 0;
    while (want->dims[axis] != open) {
        axis++;
    }
    return axis;
}

/* A 0 on one side: the other side must be 0 too. Solves the -1 as ReshapeOp does, from the dims
 * that are not 0, rounding down: [0,3] to [0,-1] is [0,3], to [0,2,-1] [0,2,1]. */
static Verdict solve_empty(const Product *from, const Product *want, SfDim *solved)
{
    *solved = SF_DIM_UNKNOWN;
    if (!from->zero) {
        return can_be_zero(from) ? MAYBE : NEVER;
    }
    if (!want->zero) {
        if (want->unknown == 1 && want->symbols == 0) {
            *solved = 0;
            return ALWAYS;
        }
        return can_be_zero(want) ? MAYBE : NEVER;
    }
    if (want->unknown == 1 && from->unknown + from->symbols + want->symbols == 0 &&
        !from->overflow && !want->overflow) {
        *solved = from->known / want->known;
    }
    return want->unknown > 0 ? MAYBE : ALWAYS;
}

/* Neither side has a 0 and `want` has no open axis. */
static Verdict check_closed(const Product *from, const Product *want)
{
    const Verdict verdict = want->unknown == 0 ? compare(from, want) : MAYBE;
    if (verdict != MAYBE) {
        return verdict;
    }
    /* [?,4] to [3]: 3 has no factor 4. */
    if (want->unknown + want->symbols == 0 && divides(want, from) == NEVER) {
        return NEVER;
    }
    return divides(from, want);
}

/* Neither side has a 0 and `want` has an open axis. *solved is what it must be, if that can be
 * said: SF_DIM_UNKNOWN with ALWAYS means that there is one value for it, but not a linear one. */
static Verdict solve_open(const Product *from, const Product *want, SfDim *solved, bool *nomem)
{
    Product rest; /* `want` without its open dim; of several symbols only the count is used */
    rest.known = want->known;
    rest.overflow = want->overflow;
    rest.zero = false;
    rest.unknown = 0;
    rest.symbols = want->unknown == 1 ? want->symbols : 0;
    if (rest.symbols > 0) {
        rest.symbol[0] = want->symbol[0];
    }
    *solved = SF_DIM_UNKNOWN;
    const Verdict solvable = want->unknown == 1 ? ALWAYS : MAYBE;
    /* [n,m,4] to [-1,4] */
    const bool whole = from->unknown == 0 && !from->overflow && !rest.overflow &&
                       rest.symbols == 0 && from->known % rest.known == 0;
    const int64_t ratio = whole ? from->known / rest.known : 0;
    if (whole && (from->symbols == 0 || (from->symbols == 1 && ratio == 1))) {
        *solved = from->symbols == 0 ? ratio : from->symbol[0]; /* nothing to calculate */
        return solvable;
    }
    if (divides(from, &rest) == NEVER) {
        return NEVER;
    }
    SfLinear q;
    if (quotient(from, &rest, &q)) {
        *solved = sf_linear_store(&q);
        *nomem = *solved == SF_DIM_UNKNOWN;
        return solvable;
    }
    return whole ? solvable : MAYBE;
}

static SfFit fit_of(Verdict verdict)
{
    return verdict == ALWAYS ? SF_FIT_ALWAYS : verdict == MAYBE ? SF_FIT_MAYBE : SF_FIT_NEVER;
}

SfFit sf_shape_reshape(const SfShape *from, const SfShape *want, bool solve_unknown,
                       const SfShape **out)
{
    *out = NULL;
    if (!from || !want) {
        return SF_FIT_NOMEM;
    }
    if (sf_shape_is_bottom(from) || sf_shape_is_bottom(want)) {
        *out = sf_shape_bottom();
        return SF_FIT_MAYBE;
    }
    *out = want;
    if (!sf_shape_is_ranked(from) || !sf_shape_is_ranked(want)) {
        return SF_FIT_MAYBE;
    }
    if (from == want && want->known) {
        return SF_FIT_ALWAYS;
    }
    Product f;
    Product w;
    product_of(from, &f);
    product_of(want, &w);
    SfDim solved = SF_DIM_UNKNOWN;
    bool nomem = false;
    bool zero_fits = false;
    Verdict verdict;
    int axis = -1;
    if (f.zero || w.zero) {
        axis = w.unknown == 1 ? open_axis(want, &w) : -1;
        verdict = solve_empty(&f, &w, &solved);
    } else {
        zero_fits = cancel_symbols(&f, &w);
        axis = open_axis(want, &w);
        verdict = axis < 0 ? check_closed(&f, &w) : solve_open(&f, &w, &solved, &nomem);
    }
    SfDim dim = SF_DIM_UNKNOWN;
    if (axis >= 0 && verdict != NEVER) {
        dim = sf_dim_meet(want->dims[axis], solved);
        verdict = dim == SF_DIM_BOTTOM ? NEVER : verdict;
    }
    if (verdict == NEVER) {
        return zero_fits ? SF_FIT_MAYBE : SF_FIT_NEVER;
    }
    if (axis >= 0 && (solve_unknown || want->dims[axis] != SF_DIM_UNKNOWN)) {
        *out = nomem ? NULL : sf_shape_replace(want, axis, dim);
    }
    return !*out ? SF_FIT_NOMEM : fit_of(verdict);
}
