/* Dimensions: arithmetic, order and text. Linear forms do the symbolic part (expr.h). */
#include "lattice/dim.h"

#include "lattice/expr.h"
#include "lattice/text.h"

SfDim sf_dim_symbol(const char *name)
{
    return sf_symbol_new(name, false);
}

/* arithmetic */

static SfDim combine(SfDim a, SfDim b, int64_t sign)
{
    if (a == SF_DIM_BOTTOM || b == SF_DIM_BOTTOM) {
        return SF_DIM_BOTTOM;
    }
    if (sf_dim_is_known(a) && sf_dim_is_known(b)) {
        int64_t sum;
        const bool overflow = __builtin_add_overflow(a, sign * b, &sum);
        return overflow || sum < 0 ? SF_DIM_BOTTOM : sum;
    }
    if (b == 0) {
        return a;
    }
    SfLinear x;
    SfLinear y;
    if (!sf_linear_load(a, &x) || !sf_linear_load(b, &y) || !sf_linear_add(&x, &y, sign, &x)) {
        return SF_DIM_UNKNOWN;
    }
    return sf_linear_store(&x);
}

SfDim sf_dim_add(SfDim a, SfDim b)
{
    return a == 0 ? b : combine(a, b, 1);
}

SfDim sf_dim_sub(SfDim a, SfDim b)
{
    return combine(a, b, -1);
}

SfDim sf_dim_mul(SfDim a, SfDim b)
{
    if (a == SF_DIM_BOTTOM || b == SF_DIM_BOTTOM) {
        return SF_DIM_BOTTOM;
    }
    if (a == 0 || b == 0) {
        return 0;
    }
    if (a == 1 || b == 1) {
        return a == 1 ? b : a;
    }
    if (sf_dim_is_known(a) && sf_dim_is_known(b)) {
        int64_t product;
        return __builtin_mul_overflow(a, b, &product) ? SF_DIM_BOTTOM : product;
    }
    const SfDim factor = sf_dim_is_known(a) ? a : b;
    SfLinear x;
    if (!sf_dim_is_known(factor) || !sf_linear_load(factor == a ? b : a, &x) ||
        !sf_linear_scale(&x, factor, &x)) {
        return SF_DIM_UNKNOWN;
    }
    return sf_linear_store(&x);
}

SfDim sf_dim_div_exact(SfDim a, int64_t b)
{
    if (a == SF_DIM_BOTTOM || b == 1) {
        return a;
    }
    SfLinear x;
    if (b <= 0 || !sf_linear_load(a, &x)) {
        return SF_DIM_UNKNOWN;
    }
    if (sf_linear_never_divides(&x, b)) {
        return SF_DIM_BOTTOM;
    }
    return sf_linear_divide(&x, b, &x) ? sf_linear_store(&x) : SF_DIM_UNKNOWN;
}

/* (b*x + c) / b rounds only c / b, so symbols survive when b divides their coefficients. */
static SfDim divide_rounding(SfDim a, int64_t b, bool up)
{
    if (a == SF_DIM_BOTTOM || b == 1) {
        return a;
    }
    SfLinear x;
    if (b <= 0 || !sf_linear_load(a, &x)) {
        return SF_DIM_UNKNOWN;
    }
    const int64_t rest = x.constant % b;
    int64_t constant = x.constant / b;
    if (rest < 0 && !up) {
        constant--;
    }
    if (rest > 0 && up) {
        constant++;
    }
    x.constant = 0;
    if (!sf_linear_divide(&x, b, &x)) {
        return SF_DIM_UNKNOWN;
    }
    x.constant = constant;
    return sf_linear_store(&x);
}

SfDim sf_dim_div_floor(SfDim a, int64_t b)
{
    return divide_rounding(a, b, false);
}

SfDim sf_dim_div_ceil(SfDim a, int64_t b)
{
    return divide_rounding(a, b, true);
}

int64_t sf_dim_lower(SfDim d)
{
    SfLinear l;
    if (!sf_linear_load(d, &l)) {
        return 0;
    }
    for (int i = 0; i < l.count; i++) {
        if (l.terms[i].coef < 0) {
            return 0;
        }
    }
    return l.constant < 0 ? 0 : l.constant;
}

int64_t sf_dim_upper(SfDim d)
{
    SfLinear l;
    if (!sf_linear_load(d, &l)) {
        return SF_DIM_MAX;
    }
    for (int i = 0; i < l.count; i++) {
        if (l.terms[i].coef > 0) {
            return SF_DIM_MAX;
        }
    }
    return l.constant;
}

/* order */

bool sf_dim_compatible(SfDim a, SfDim b)
{
    if (a == SF_DIM_BOTTOM || b == SF_DIM_BOTTOM) {
        return false;
    }
    if (a == b || a == SF_DIM_UNKNOWN || b == SF_DIM_UNKNOWN) {
        return true;
    }
    if (sf_dim_is_known(a) && sf_dim_is_known(b)) {
        return false;
    }
    SfLinear x;
    SfLinear y;
    if (!sf_linear_load(a, &x) || !sf_linear_load(b, &y) || !sf_linear_add(&x, &y, -1, &x)) {
        return true;
    }
    return !sf_linear_never(&x, 0);
}

SfDim sf_dim_meet(SfDim a, SfDim b)
{
    if (a == b || b == SF_DIM_UNKNOWN) {
        return a;
    }
    if (a == SF_DIM_UNKNOWN) {
        return b;
    }
    if (!sf_dim_compatible(a, b)) {
        return SF_DIM_BOTTOM;
    }
    /* Known numbers are greater than symbolic ones, older expressions greater than younger. */
    return a > b ? a : b;
}

bool sf_dim_leq(SfDim a, SfDim b)
{
    return sf_dim_meet(a, b) == a;
}

SfDim sf_dim_join(SfDim a, SfDim b)
{
    if (a == b || b == SF_DIM_BOTTOM) {
        return a;
    }
    return a == SF_DIM_BOTTOM ? b : SF_DIM_UNKNOWN;
}

bool sf_dim_never(SfDim d, int64_t value)
{
    if (d == SF_DIM_BOTTOM) {
        return true;
    }
    SfLinear l;
    return sf_linear_load(d, &l) ? sf_linear_never(&l, value) : value < 0;
}

bool sf_dim_always(SfDim d, int64_t value)
{
    return d == SF_DIM_BOTTOM || (sf_dim_is_known(d) && d == value);
}

/* symbols */

bool sf_dim_mentions(SfDim d, SfDim symbol)
{
    SfLinear l;
    if (!sf_dim_is_symbolic(d) || !sf_linear_load(d, &l)) {
        return false;
    }
    for (int i = 0; i < l.count; i++) {
        if (l.terms[i].symbol == symbol) {
            return true;
        }
    }
    return false;
}

int sf_dim_format(SfDim d, bool symbols, char *buf, size_t size)
{
    SfText t = sf_text_start(buf, size);
    sf_text_dim(&t, d, symbols);
    return sf_text_end(&t);
}
