/* Growing text in an arena.
 * Invariant: bytes[0..len) is written, cap > len once anything is. Owner: the arena.
 * Source: strbuf.h. */
#include "core/base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sf_strbuf_init(SfStrbuf *t, SfArena *arena)
{
    *t = (SfStrbuf){.arena = arena};
}

static bool grow(SfStrbuf *t, size_t more)
{
    if (t->failed) {
        return false;
    }
    if (t->cap - t->len > more) {
        return true;
    }
    const size_t cap = (t->len + more) * 2 + 64;
    char *bytes = sf_arena_alloc(t->arena, cap);
    if (!bytes) {
        t->failed = true;
        return false;
    }
    if (t->len > 0) {
        memcpy(bytes, t->bytes, t->len);
    }
    t->bytes = bytes;
    t->cap = cap;
    return true;
}

void sf_strbuf_addn(SfStrbuf *t, const char *s, size_t n)
{
    if (n > 0 && grow(t, n)) {
        memcpy(t->bytes + t->len, s, n);
        t->len += n;
    }
}

void sf_strbuf_add(SfStrbuf *t, const char *s)
{
    sf_strbuf_addn(t, s, strlen(s));
}

void sf_strbuf_char(SfStrbuf *t, char c)
{
    sf_strbuf_addn(t, &c, 1);
}

void sf_strbuf_printf(SfStrbuf *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0 || !grow(t, (size_t)n)) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(t->bytes + t->len, (size_t)n + 1, fmt, args);
    va_end(args);
    t->len += (size_t)n;
}

void sf_strbuf_dim(SfStrbuf *t, SfDim d)
{
    if (sf_dim_is_known(d)) {
        sf_strbuf_printf(t, "%lld", (long long)d);
    } else {
        sf_strbuf_char(t, '?');
    }
}

/* Both formatters of the lattice are snprintf-like: ask for the length, then write. */
void sf_strbuf_shape(SfStrbuf *t, const SfShape *s)
{
    const int n = sf_shape_format(s, false, NULL, 0);
    if (n > 0 && grow(t, (size_t)n)) {
        (void)sf_shape_format(s, false, t->bytes + t->len, (size_t)n + 1);
        t->len += (size_t)n;
    }
}

void sf_strbuf_value(SfStrbuf *t, const SfValue *v)
{
    const int n = sf_value_format(v, NULL, 0);
    if (n > 0 && grow(t, (size_t)n)) {
        (void)sf_value_format(v, t->bytes + t->len, (size_t)n + 1);
        t->len += (size_t)n;
    }
}

void sf_strbuf_float(SfStrbuf *t, double f)
{
    char digits[40];
    const double single = (double)(float)f;
    (void)snprintf(digits, sizeof(digits), "%.6g", single);
    if (strtof(digits, NULL) != (float)f) {
        (void)snprintf(digits, sizeof(digits), "%.9g", single);
    }
    sf_strbuf_add(t, digits);
}

const char *sf_strbuf_end(SfStrbuf *t)
{
    sf_strbuf_char(t, '\0');
    return t->failed ? NULL : t->bytes;
}
