/* Text of dims and shapes, out and in. */
#include "lattice/text.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/expr.h"
#include "lattice/intern.h"
#include "lattice/shape.h"

/* out */

SfText sf_text_start(char *buf, size_t size)
{
    if (size > 0) {
        buf[0] = '\0';
    }
    return (SfText){buf, size, 0};
}

void sf_text_bytes(SfText *t, const char *bytes, size_t len)
{
    if (t->len < t->size && len > 0) {
        const size_t room = t->size - t->len - 1;
        const size_t copied = len < room ? len : room;
        memcpy(t->buf + t->len, bytes, copied);
        t->buf[t->len + copied] = '\0';
    }
    t->len += len;
}

void sf_text_str(SfText *t, const char *str)
{
    sf_text_bytes(t, str, strlen(str));
}

void sf_text_int(SfText *t, int64_t i)
{
    char digits[24];
    sf_text_bytes(t, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, i));
}

void sf_text_uint(SfText *t, uint64_t i)
{
    char digits[24];
    sf_text_bytes(t, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, i));
}

void sf_text_real(SfText *t, double f, bool single)
{
    if (!isfinite(f)) {
        sf_text_str(t, isnan(f) ? "nan" : (f < 0 ? "-inf" : "inf"));
        return;
    }
    char digits[40];
    (void)snprintf(digits, sizeof digits, "%.*g", single ? 6 : 15, f);
    const bool same = single ? strtof(digits, NULL) == (float)f : strtod(digits, NULL) == f;
    if (!same) {
        (void)snprintf(digits, sizeof digits, "%.*g", single ? 9 : 17, f);
    }
    sf_text_str(t, digits);
}

static void text_term(SfText *t, const SfTerm *term, bool first)
{
    if (term->coef > 0 && !first) {
        sf_text_str(t, "+");
    }
    if (term->coef == -1) {
        sf_text_str(t, "-");
    } else if (term->coef != 1) {
        sf_text_int(t, term->coef);
        sf_text_str(t, "*");
    }
    unsigned number = 0;
    sf_text_str(t, sf_symbol_name(term->symbol, &number));
    if (number > 0) {
        sf_text_str(t, "_");
        sf_text_uint(t, number);
    }
}

void sf_text_dim(SfText *t, SfDim d, bool symbols)
{
    SfLinear l;
    if (d == SF_DIM_BOTTOM) {
        sf_text_str(t, "!");
    } else if (sf_dim_is_known(d)) {
        sf_text_int(t, d);
    } else if (!symbols || !sf_linear_load(d, &l)) {
        sf_text_str(t, "?");
    } else {
        /* 3-n rather than -n+3 */
        const bool constant_first = l.constant > 0 && l.terms[0].coef < 0;
        if (constant_first) {
            sf_text_int(t, l.constant);
        }
        for (int i = 0; i < l.count; i++) {
            text_term(t, &l.terms[i], i == 0 && !constant_first);
        }
        if (l.constant != 0 && !constant_first) {
            sf_text_str(t, l.constant > 0 ? "+" : "");
            sf_text_int(t, l.constant);
        }
    }
}

int sf_text_end(const SfText *t)
{
    return t->len > INT_MAX ? INT_MAX : (int)t->len;
}

int sf_shape_format(const SfShape *s, bool symbols, char *buf, size_t size)
{
    SfText t = sf_text_start(buf, size);
    if (!sf_shape_is_ranked(s)) {
        sf_text_str(&t, sf_shape_is_bottom(s) ? "<bottom>" : "<unknown>");
        return sf_text_end(&t);
    }
    sf_text_str(&t, "[");
    for (int i = 0; i < sf_shape_rank(s); i++) {
        if (i > 0) {
            sf_text_str(&t, symbols ? ", " : ",");
        }
        sf_text_dim(&t, sf_shape_dim(s, i), symbols);
    }
    sf_text_str(&t, "]");
    return sf_text_end(&t);
}

int sf_shape_format_tuple(const SfShape *s, bool v2, char *buf, size_t size)
{
    SfText t = sf_text_start(buf, size);
    const int rank = sf_shape_rank(s);
    sf_text_str(&t, rank < 0 ? "<unknown>" : "(");
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_shape_dim(s, i);
        if (sf_dim_is_known(d)) {
            sf_text_int(&t, d);
        } else {
            sf_text_str(&t, v2 ? "None" : "?");
        }
        sf_text_str(&t, rank == 1 ? "," : i + 1 < rank ? ", " : "");
    }
    sf_text_str(&t, rank < 0 ? "" : ")");
    return sf_text_end(&t);
}
