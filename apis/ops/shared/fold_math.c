/* Arithmetic on elements: integers in two's complement, doubles, complex numbers, and symbolic
 * dims where the result is linear. What has no exact answer here is unknown. */
#include "apis/ops/shared/fold.h"

#include <math.h>

/* A non-negative integer or a symbol, as a dim. */
static bool as_dim(SfElem e, SfDim *out)
{
    if (e.kind == SF_ELEM_DIM) {
        *out = e.u.dim;
        return true;
    }
    *out = e.u.i;
    return e.kind == SF_ELEM_INT && e.u.i >= 0;
}

static SfElem of_dim(SfDim d)
{
    return d == SF_DIM_BOTTOM ? sf_elem_unknown() : sf_elem_dim(d);
}

static SfElem of_complex(double re, double im)
{
    SfElem e = sf_elem_float(re);
    e.kind = SF_ELEM_COMPLEX;
    e.im = im;
    return e;
}

static bool both(SfElem a, SfElem b, SfElemKind kind)
{
    return a.kind == kind && b.kind == kind;
}

static bool symbolic(SfElem a, SfElem b)
{
    return a.kind == SF_ELEM_DIM || b.kind == SF_ELEM_DIM;
}

static SfElem join_strings(SfElem a, SfElem b)
{
    char text[512];
    const size_t n = a.u.s->len;
    const size_t m = b.u.s->len;
    if (n + m > sizeof text) {
        return sf_elem_unknown();
    }
    for (size_t i = 0; i < n + m; i++) {
        text[i] = i < n ? a.u.s->bytes[i] : b.u.s->bytes[i - n];
    }
    return sf_elem_string(text, n + m);
}

SfElem sf_elem_add(SfElem a, SfElem b, SfDtype t)
{
    SfDim x;
    SfDim y;
    if (symbolic(a, b)) {
        if (a.kind == SF_ELEM_INT && a.u.i < 0 && a.u.i > INT64_MIN) { /* -1 + n */
            return of_dim(sf_dim_sub(b.u.dim, -a.u.i));
        }
        if (b.kind == SF_ELEM_INT && b.u.i < 0 && b.u.i > INT64_MIN) {
            return of_dim(sf_dim_sub(a.u.dim, -b.u.i));
        }
        return as_dim(a, &x) && as_dim(b, &y) ? of_dim(sf_dim_add(x, y)) : sf_elem_unknown();
    }
    if (both(a, b, SF_ELEM_INT)) {
        return sf_elem_int((int64_t)((uint64_t)a.u.i + (uint64_t)b.u.i));
    }
    if (both(a, b, SF_ELEM_FLOAT)) {
        return sf_elem_float(a.u.f + b.u.f);
    }
    if (both(a, b, SF_ELEM_COMPLEX)) {
        return of_complex(a.u.f + b.u.f, a.im + b.im);
    }
    return t == SF_DT_STRING && both(a, b, SF_ELEM_STRING) ? join_strings(a, b) : sf_elem_unknown();
}

SfElem sf_elem_sub(SfElem a, SfElem b, SfDtype t)
{
    SfDim x;
    SfDim y;
    if (symbolic(a, b)) {
        if (b.kind == SF_ELEM_INT && b.u.i < 0 && b.u.i > INT64_MIN) { /* n - -1 */
            return of_dim(sf_dim_add(a.u.dim, -b.u.i));
        }
        return as_dim(a, &x) && as_dim(b, &y) ? of_dim(sf_dim_sub(x, y)) : sf_elem_unknown();
    }
    if (both(a, b, SF_ELEM_INT)) {
        return sf_elem_int((int64_t)((uint64_t)a.u.i - (uint64_t)b.u.i));
    }
    if (both(a, b, SF_ELEM_FLOAT)) {
        return sf_elem_float(a.u.f - b.u.f);
    }
    return both(a, b, SF_ELEM_COMPLEX) ? of_complex(a.u.f - b.u.f, a.im - b.im) : sf_elem_unknown();
}

SfElem sf_elem_mul(SfElem a, SfElem b, SfDtype t)
{
    SfDim x;
    SfDim y;
    if (symbolic(a, b)) {
        return as_dim(a, &x) && as_dim(b, &y) ? of_dim(sf_dim_mul(x, y)) : sf_elem_unknown();
    }
    if (both(a, b, SF_ELEM_INT)) {
        return sf_elem_int((int64_t)((uint64_t)a.u.i * (uint64_t)b.u.i));
    }
    if (both(a, b, SF_ELEM_FLOAT)) {
        return sf_elem_float(a.u.f * b.u.f);
    }
    return both(a, b, SF_ELEM_COMPLEX)
               ? of_complex(a.u.f * b.u.f - a.im * b.im, a.u.f * b.im + a.im * b.u.f)
               : sf_elem_unknown();
}

/* order */

/* Symbolic dims are ordered when their difference has one sign for all values of the symbols. */
static int less_dim(SfDim x, SfDim y)
{
    if (sf_dim_upper(x) < sf_dim_lower(y) || sf_dim_sub(x, y) == SF_DIM_BOTTOM) {
        return 1;
    }
    const bool never = x == y || sf_dim_lower(x) >= sf_dim_upper(y) ||
                       sf_dim_sub(sf_dim_sub(y, x), 1) == SF_DIM_BOTTOM;
    return never ? 0 : -1;
}

int sf_elem_less(SfElem a, SfElem b, SfDtype t)
{
    SfDim x;
    SfDim y;
    if (symbolic(a, b)) {
        if (a.kind == SF_ELEM_INT && a.u.i < 0) {
            return 1; /* a dim is not negative */
        }
        if (b.kind == SF_ELEM_INT && b.u.i < 0) {
            return 0;
        }
        return as_dim(a, &x) && as_dim(b, &y) ? less_dim(x, y) : -1;
    }
    if (both(a, b, SF_ELEM_INT)) {
        return t == SF_DT_UINT64 ? (uint64_t)a.u.i < (uint64_t)b.u.i : a.u.i < b.u.i;
    }
    return both(a, b, SF_ELEM_FLOAT) ? a.u.f < b.u.f : -1;
}

bool sf_elem_same(SfElem a, SfElem b, bool *same)
{
    if (symbolic(a, b)) {
        SfDim x;
        SfDim y;
        if (!as_dim(a, &x) || !as_dim(b, &y)) {
            *same = false; /* a symbol and a negative number */
            return a.kind != SF_ELEM_UNKNOWN && b.kind != SF_ELEM_UNKNOWN;
        }
        *same = x == y;
        return *same || !sf_dim_compatible(x, y);
    }
    if (a.kind == SF_ELEM_UNKNOWN || a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
    case SF_ELEM_INT:
        *same = a.u.i == b.u.i;
        return true;
    case SF_ELEM_FLOAT:
        *same = a.u.f == b.u.f;
        return true;
    case SF_ELEM_COMPLEX:
        *same = a.u.f == b.u.f && a.im == b.im;
        return true;
    case SF_ELEM_STRING:
        *same = a.u.s == b.u.s;
        return true;
    case SF_ELEM_DIM:
    case SF_ELEM_SHAPE:
    case SF_ELEM_UNKNOWN:
        break;
    }
    return false;
}

static SfElem pick(SfElem a, SfElem b, int take_b)
{
    if (both(a, b, SF_ELEM_FLOAT) && (isnan(a.u.f) || isnan(b.u.f))) {
        return sf_elem_float(NAN);
    }
    return take_b < 0 ? sf_elem_unknown() : take_b ? b : a;
}

SfElem sf_elem_max(SfElem a, SfElem b, SfDtype t)
{
    return pick(a, b, sf_elem_less(a, b, t));
}

SfElem sf_elem_min(SfElem a, SfElem b, SfDtype t)
{
    return pick(a, b, sf_elem_less(b, a, t));
}

int sf_elem_truth(SfElem e)
{
    return e.kind == SF_ELEM_INT ? e.u.i != 0 : -1;
}
