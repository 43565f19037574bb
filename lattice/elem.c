/* Elements of values: construction, rounding to a dtype, order. */
#include "lattice/elem.h"

#include <math.h>
#include <string.h>

SfElem sf_elem_complex(double re, double im)
{
    SfElem e = sf_elem_unknown();
    e.kind = SF_ELEM_COMPLEX;
    e.u.f = re;
    e.im = im;
    return e;
}

SfElem sf_elem_dim(SfDim d)
{
    if (sf_dim_is_known(d)) {
        return sf_elem_int(d);
    }
    SfElem e = sf_elem_unknown();
    if (sf_dim_is_symbolic(d)) {
        e.kind = SF_ELEM_DIM;
        e.u.dim = d;
    }
    return e;
}

SfElem sf_elem_shape(const SfShape *s)
{
    SfElem e = sf_elem_unknown();
    if (s) {
        e.kind = SF_ELEM_SHAPE;
        e.u.shape = s;
    }
    return e;
}

/* rounding */

SfElemRule sf_elem_rule(SfDtype dtype)
{
    const SfDtype t = sf_dtype_base(dtype);
    SfElemRule rule = {t, SF_STORE_NOTHING, 0, false};
    if (sf_dtype_is_integer(t) || sf_dtype_is_quantized(t)) {
        rule.store = SF_STORE_INT;
        rule.bits = sf_dtype_bits(t);
        rule.is_unsigned = sf_dtype_is_unsigned(t) || t == SF_DT_QUINT8 || t == SF_DT_QUINT16;
    } else if (sf_dtype_is_floating(t)) {
        rule.store = SF_STORE_REAL;
    } else if (sf_dtype_is_complex(t)) {
        rule.store = SF_STORE_COMPLEX;
    } else if (sf_dtype_is_bool(t)) {
        rule.store = SF_STORE_BOOL;
    }
    return rule;
}

/* Two's complement: keeps the low bits. 64-bit patterns are kept as they are, uint64 included. */
static int64_t wrap(int64_t i, const SfElemRule *rule)
{
    if (rule->bits >= 64) {
        return i;
    }
    const uint64_t mask = (UINT64_C(1) << rule->bits) - 1;
    const uint64_t low = (uint64_t)i & mask;
    const bool negative = !rule->is_unsigned && (low >> (rule->bits - 1)) != 0;
    return negative ? (int64_t)low - (int64_t)mask - 1 : (int64_t)low;
}

static double round_to(double f, const SfFloatFormat *format)
{
    if (isinf(f)) {
        return copysign(format->beyond, f);
    }
    if (f == 0) {
        return format->has_negative_zero ? f : 0;
    }
    int exponent;
    (void)frexp(f, &exponent); /* f = m * 2^exponent, m in [0.5, 1) */
    int unit = exponent - format->bits;
    const int smallest = format->min_exponent - format->bits + 1;
    unit = unit < smallest ? smallest : unit; /* subnormal */
    /* nearbyint would follow the rounding mode that the program set; this is to even always. */
    const double scaled = ldexp(f, -unit);
    const double below = floor(scaled);
    const double rest = scaled - below;
    const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
    const double rounded = ldexp(up ? below + 1 : below, unit);
    if (rounded == 0 && !format->has_negative_zero) {
        return 0;
    }
    return fabs(rounded) > format->max ? copysign(format->beyond, f) : copysign(rounded, f);
}

static double round_real(double f, SfDtype t)
{
    if (isnan(f)) {
        /* NaN has one bit pattern; the 4-bit format has no NaN */
        return t == SF_DT_FLOAT4_E2M1FN ? -0.0 : NAN;
    }
    /* A double needs no rounding, and a dtype without a format has none to round to. */
    const SfFloatFormat *format =
        t == SF_DT_DOUBLE || t == SF_DT_COMPLEX128 ? NULL : sf_dtype_float_format(t);
    const double rounded = !format ? f : round_to(f, format);
    return isnan(rounded) ? NAN : rounded;
}

/* normal form */

static SfElem normal_integer(const SfElemRule *rule, const SfElem *e)
{
    if (e->kind == SF_ELEM_INT) {
        return sf_elem_int(wrap(e->u.i, rule));
    }
    if (e->kind == SF_ELEM_FLOAT && e->u.f > -0x1p63 && e->u.f < 0x1p63) {
        const int64_t i = (int64_t)e->u.f;
        return wrap(i, rule) == i ? sf_elem_int(i) : sf_elem_unknown();
    }
    /* In fewer than 32 bits the dim may have wrapped around. */
    return e->kind == SF_ELEM_DIM && rule->bits >= 32 ? sf_elem_dim(e->u.dim) : sf_elem_unknown();
}

static SfElem normal_real(SfDtype t, const SfElem *e)
{
    if (e->kind == SF_ELEM_INT) {
        return sf_elem_float(round_real((double)e->u.i, t));
    }
    return e->kind == SF_ELEM_FLOAT ? sf_elem_float(round_real(e->u.f, t)) : sf_elem_unknown();
}

static SfElem normal_complex(SfDtype t, const SfElem *e)
{
    if (e->kind == SF_ELEM_COMPLEX) {
        return sf_elem_complex(round_real(e->u.f, t), round_real(e->im, t));
    }
    const SfElem real = normal_real(t, e);
    return real.kind == SF_ELEM_FLOAT ? sf_elem_complex(real.u.f, 0) : real;
}

static SfElem normal_bool(const SfElem *e)
{
    if (e->kind == SF_ELEM_INT) {
        return sf_elem_int(e->u.i != 0);
    }
    return e->kind == SF_ELEM_FLOAT ? sf_elem_int(e->u.f != 0) : sf_elem_unknown();
}

/* A string dtype holds only strings, a handle only what is known behind it; all else is unknown. */
static SfElem normal_pointer(SfDtype t, const SfElem *e)
{
    SfElem string = sf_elem_unknown();
    if (t == SF_DT_STRING && e->kind == SF_ELEM_STRING) {
        string.kind = SF_ELEM_STRING;
        string.u.s = e->u.s;
    }
    return t == SF_DT_VARIANT && e->kind == SF_ELEM_SHAPE ? sf_elem_shape(e->u.shape) : string;
}

SfElem sf_elem_normalise(const SfElemRule *rule, SfElem e)
{
    switch (rule->store) {
    case SF_STORE_INT:
        if (e.kind == SF_ELEM_INT && wrap(e.u.i, rule) == e.u.i) {
            return sf_elem_int(e.u.i); /* the common case: nothing to wrap */
        }
        return normal_integer(rule, &e);
    case SF_STORE_REAL:
        return normal_real(rule->base, &e);
    case SF_STORE_COMPLEX:
        return normal_complex(rule->base, &e);
    case SF_STORE_BOOL:
        return normal_bool(&e);
    case SF_STORE_NOTHING:
        break;
    }
    return normal_pointer(rule->base, &e);
}

/* order */

static uint64_t bits_of(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

bool sf_elem_equal(const SfElem *a, const SfElem *b)
{
    /* By bits: -0.0 is not 0.0, NaN is NaN. All members of the union have 64 bits. */
    return a->kind == b->kind && a->u.i == b->u.i && bits_of(a->im) == bits_of(b->im);
}

_Static_assert(sizeof(void *) <= sizeof(int64_t) && sizeof(double) == sizeof(int64_t),
               "u.i covers the union");

SfElem sf_elem_join(const SfElem *a, const SfElem *b)
{
    return sf_elem_equal(a, b) ? *a : sf_elem_unknown();
}
