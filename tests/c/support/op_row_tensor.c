/* The notation of one tensor: its shape, literal content and dtype.
 * Invariant: each function advances its cursor past what it read, or leaves an error in the row.
 * Owner: the row's arena. Source: op_rows.h has the notation. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/c/support/op_row_text.h"
#include "tests/c/domain/domain.h"

bool sf_row_bad(SfRow *row, const char *fmt, ...)
{
    if (row->error[0] == '\0') {
        va_list args;
        va_start(args, fmt);
        (void)vsnprintf(row->error, sizeof(row->error), fmt, args);
        va_end(args);
    }
    return false;
}

void sf_row_skip(const char **p)
{
    while (**p == ' ' || **p == '\t') {
        (*p)++;
    }
}

bool sf_row_take(const char **p, char wanted)
{
    sf_row_skip(p);
    if (**p != wanted) {
        return false;
    }
    (*p)++;
    return true;
}

size_t sf_row_word(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') {
        n++;
    }
    return n;
}

bool sf_row_word_is(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p, word, n) == 0;
}

bool sf_row_int(SfRow *row, const char **p, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(*p, &end, 10);
    if (end == *p || errno != 0) {
        return sf_row_bad(row, "a number was expected at \"%s\"", *p);
    }
    *p = end;
    return true;
}

/* A dim by name: through the parser of the lattice, which knows the symbols of the row. */
static bool parse_symbol(SfRow *row, const char **p, SfDim *out)
{
    const size_t n = sf_row_word(*p);
    char text[80];
    if (n == 0 || n > 60) {
        return sf_row_bad(row, "a dimension was expected at \"%s\"", *p);
    }
    (void)snprintf(text, sizeof(text), "[%.*s]", (int)n, *p);
    const SfShape *s = sf_shape_parse(text, row->scope, NULL);
    if (!s || sf_shape_rank(s) != 1) {
        return sf_row_bad(row, "\"%s\" is no dimension", text);
    }
    *out = sf_shape_dim(s, 0);
    *p += n;
    return true;
}

/* Is the text up to one of `stops` more than one number or one name? */
static bool is_expression(const char *p, const char *stops)
{
    const size_t n = strcspn(p, stops);
    for (size_t i = 1; i < n; i++) {
        if (strchr("*+-", p[i]) && p[i - 1] != 'e') {
            return true;
        }
    }
    return false;
}

/* `2*n+1` is up to the lattice: take the text up to one of `stops`. */
static bool parse_expression(SfRow *row, const char **p, const char *stops, SfDim *out)
{
    const size_t n = strcspn(*p, stops);
    char text[80];
    (void)snprintf(text, sizeof(text), "[%.*s]", (int)(n < 70 ? n : 70), *p);
    const SfShape *s = sf_shape_parse(text, row->scope, NULL);
    if (!s || sf_shape_rank(s) != 1) {
        return sf_row_bad(row, "\"%s\" is no dimension", text);
    }
    *out = sf_shape_dim(s, 0);
    *p += n;
    return true;
}

static bool parse_dim(SfRow *row, const char **p, SfRowTensor *t)
{
    const int i = t->rank;
    if (i == RANK_MAX) {
        return sf_row_bad(row, "rows have at most %d dims", RANK_MAX);
    }
    t->same_input[i] = -1;
    sf_row_skip(p);
    if ((*p)[0] >= 'a' && (*p)[0] <= 'z' && (*p)[1] == '.') {
        int64_t axis;
        t->same_input[i] = (*p)[0] - 'a';
        *p += 2;
        if (!sf_row_int(row, p, &axis)) {
            return false;
        }
        t->same_axis[i] = (int)axis;
    } else if (isdigit((unsigned char)**p) && !is_expression(*p, ",]")) {
        int64_t d;
        if (!sf_row_int(row, p, &d)) {
            return false;
        }
        t->dims[i] = d;
    } else if (**p == '?') {
        t->dims[i] = SF_DIM_UNKNOWN;
        (*p)++;
    } else {
        if (!parse_expression(row, p, ",]", &t->dims[i])) {
            return false;
        }
    }
    t->rank++;
    return true;
}

bool sf_row_shape(SfRow *row, const char **p, SfRowTensor *t)
{
    t->rank = 0;
    if (sf_row_take(p, '?')) {
        t->rank = SF_RANK_UNKNOWN;
    } else if (sf_row_take(p, '!')) {
        t->rank = SF_RANK_BOTTOM;
    } else if (sf_row_take(p, '[')) {
        while (!sf_row_take(p, ']')) {
            if (!parse_dim(row, p, t)) {
                return false;
            }
            if (!sf_row_take(p, ',') && **p != ']') {
                return sf_row_bad(row, "']' was expected at \"%s\"", *p);
            }
        }
    } else {
        return sf_row_bad(row, "a tensor was expected at \"%s\"", *p);
    }
    return true;
}

/* literals */
static bool add_elem(SfRow *row, SfRowTensor *t, SfElem e, SfDtype dtype)
{
    if (t->count == ELEMS_MAX) {
        return sf_row_bad(row, "a literal has at most %d elements", ELEMS_MAX);
    }
    if (dtype != SF_DT_INVALID && (t->literal_dtype != SF_DT_FLOAT || dtype != SF_DT_INT32)) {
        t->literal_dtype = dtype; /* one float among integers makes all of them floats */
    }
    t->elems[t->count++] = e;
    return true;
}

static bool parse_elem(SfRow *row, const char **p, SfRowTensor *t)
{
    sf_row_skip(p);
    const size_t n = sf_row_word(*p);
    if (**p == '?') {
        (*p)++;
        return add_elem(row, t, sf_elem_unknown(), SF_DT_INVALID);
    }
    if (**p == '\'') {
        const char *end = strchr(*p + 1, '\'');
        if (!end) {
            return sf_row_bad(row, "a string is not closed");
        }
        const SfElem e = sf_elem_string(*p + 1, (size_t)(end - *p - 1));
        *p = end + 1;
        return add_elem(row, t, e, SF_DT_STRING);
    }
    if (sf_row_word_is(*p, n, "true") || sf_row_word_is(*p, n, "false")) {
        const SfElem e = sf_elem_int(n == 4);
        *p += n;
        return add_elem(row, t, e, SF_DT_BOOL);
    }
    SfDim d = SF_DIM_UNKNOWN;
    if (**p != '-' && is_expression(*p, ",} :)")) {
        return parse_expression(row, p, ",} :)", &d) &&
               add_elem(row, t, sf_elem_dim(d), SF_DT_INT32);
    }
    if (isdigit((unsigned char)**p) || **p == '-' || sf_row_word_is(*p, n, "inf") ||
        sf_row_word_is(*p, n, "nan")) {
        char *end;
        const int64_t i = strtoll(*p, &end, 10);
        if (end != *p && *end != '.' && *end != 'e') {
            *p = end;
            return add_elem(row, t, sf_elem_int(i), SF_DT_INT32);
        }
        const double f = strtod(*p, &end);
        *p = end;
        return add_elem(row, t, sf_elem_float(f), SF_DT_FLOAT);
    }
    return parse_symbol(row, p, &d) && add_elem(row, t, sf_elem_dim(d), SF_DT_INT32);
}

/* `{1,2}`, `{{1,2},{3,4}}`: the dim of this level, and those below from the first entry. */
static bool parse_braces(SfRow *row, const char **p, SfRowTensor *t, int level)
{
    SfDim count = 0;
    if (level >= RANK_MAX || !sf_row_take(p, '{')) {
        return sf_row_bad(row, "'{' was expected at \"%s\"", *p);
    }
    if (t->rank <= level) {
        t->rank = level + 1;
    }
    while (!sf_row_take(p, '}')) {
        sf_row_skip(p);
        if (!(**p == '{' ? parse_braces(row, p, t, level + 1) : parse_elem(row, p, t))) {
            return false;
        }
        count++;
        if (!sf_row_take(p, ',') && **p != '}') {
            return sf_row_bad(row, "'}' was expected at \"%s\"", *p);
        }
    }
    t->dims[level] = count;
    t->same_input[level] = -1;
    return true;
}

static bool parse_literal(SfRow *row, const char **p, SfRowTensor *t)
{
    t->literal = true;
    t->count = 0;
    t->elems = sf_arena_alloc(&row->arena, ELEMS_MAX * sizeof(SfElem));
    if (!t->elems) {
        return sf_row_bad(row, "no memory");
    }
    sf_row_skip(p);
    const int declared = t->rank;
    SfDim dims[RANK_MAX];
    memcpy(dims, t->dims, sizeof(dims));
    t->rank = 0;
    if (!(**p == '{' ? parse_braces(row, p, t, 0) : parse_elem(row, p, t))) {
        return false;
    }
    if (declared > t->rank || (declared == t->rank && declared > 0)) {
        t->rank = declared; /* "[0,2]={}": braces cannot tell the inner dims of what is empty */
        memcpy(t->dims, dims, sizeof(dims));
    }
    if (t->literal_dtype == SF_DT_INVALID) {
        t->literal_dtype = SF_DT_INT32;
    }
    t->shape = sf_shape_make(t->rank, t->dims);
    if (!t->shape || sf_shape_count(t->shape) != t->count) {
        return sf_row_bad(row, "a literal does not have the elements of its shape");
    }
    return true;
}

bool sf_row_dtype(SfRow *row, const char **p, SfDtype *out)
{
    const size_t n = sf_row_word(*p);
    *out = sf_dtype_parse(*p, n);
    if (*out == SF_DT_INVALID) {
        return sf_row_bad(row, "\"%.*s\" is no dtype", (int)n, *p);
    }
    *p += n;
    return true;
}

bool sf_row_tensor(SfRow *row, const char **text, SfRowTensor *out)
{
    const char **p = text;
    *out = (SfRowTensor){.rank = 0};
    sf_row_skip(p);
    out->variable = sf_row_take(p, '&');
    if (strchr("[?!", **p) && **p) {
        if (!sf_row_shape(row, p, out)) {
            return false;
        }
        out->shape = out->rank == SF_RANK_BOTTOM
                         ? sf_shape_bottom()
                         : sf_shape_make(out->rank < 0 ? 0 : out->rank, out->dims);
        out->shape = out->rank == SF_RANK_UNKNOWN ? sf_shape_unknown() : out->shape;
        if (**p == '=') {
            (*p)++;
            if (**p == '?') {
                (*p)++;
                out->value_unknown = true;
            } else if (!parse_literal(row, p, out)) {
                return false;
            }
        }
    } else if (!parse_literal(row, p, out)) {
        return false;
    }
    if (!out->shape) {
        return sf_row_bad(row, "no memory");
    }
    if (**p == ':') {
        (*p)++;
        return sf_row_dtype(row, p, &out->dtype);
    }
    return true;
}

const SfValue *sf_row_value(const SfRowTensor *t, SfDtype dtype)
{
    SfElem elems[ELEMS_MAX];
    for (int64_t i = 0; i < t->count; i++) {
        elems[i] = t->elems[i];
        if (elems[i].kind == SF_ELEM_INT && sf_dtype_is_floating(dtype)) {
            elems[i] = sf_elem_float((double)elems[i].u.i);
        }
    }
    return sf_value_make(dtype, t->shape, elems);
}
