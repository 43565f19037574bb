/* Shapes from the notation of the tests. See domain.h. */
#include <string.h>

#include "lattice/expr.h"
#include "lattice/intern.h"
#include "tests/c/domain/domain.h"

typedef struct ScopeEntry {
    struct ScopeEntry *next;
    SfDim symbol;
    size_t len;
    char name[];
} ScopeEntry;

struct SfSymbolScope {
    ScopeEntry *entries;
};

SfSymbolScope *sf_symbol_scope_new(void)
{
    return sf_calloc(1, sizeof(SfSymbolScope));
}

void sf_symbol_scope_free(SfSymbolScope *scope)
{
    if (!scope) {
        return;
    }
    while (scope->entries) {
        ScopeEntry *entry = scope->entries;
        scope->entries = entry->next;
        sf_free(entry);
    }
    sf_free(scope);
}

/* The symbol of that name in the scope, made when new; SF_DIM_UNKNOWN when memory ran out. */
static SfDim scope_symbol(SfSymbolScope *scope, const char *name, size_t len)
{
    for (const ScopeEntry *e = scope->entries; e; e = e->next) {
        if (e->len == len && memcmp(e->name, name, len) == 0) {
            return e->symbol;
        }
    }
    ScopeEntry *entry = sf_malloc(sizeof(ScopeEntry) + len + 1);
    if (!entry) {
        return SF_DIM_UNKNOWN;
    }
    memcpy(entry->name, name, len);
    entry->name[len] = '\0';
    entry->len = len;
    entry->symbol = sf_symbol_new(entry->name, true);
    if (entry->symbol == SF_DIM_UNKNOWN) {
        sf_free(entry);
        return SF_DIM_UNKNOWN;
    }
    entry->next = scope->entries;
    scope->entries = entry;
    return entry->symbol;
}

/* The notation is ASCII whatever the locale says. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static const char *skip_space(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') {
        p++;
    }
    return p;
}

static bool read_number(const char **p, int64_t *out)
{
    int64_t n = 0;
    for (; is_digit(**p); (*p)++) {
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, **p - '0', &n)) {
            return false;
        }
    }
    *out = n;
    return true;
}

/* term = number | [number "*"] name */
static bool read_term(const char **p, SfSymbolScope *scope, SfLinear *out)
{
    int64_t factor = 1;
    *p = skip_space(*p);
    if (is_digit(**p)) {
        if (!read_number(p, &factor)) {
            return false;
        }
        *p = skip_space(*p);
        if (**p != '*') {
            *out = (SfLinear){.count = 0, .constant = factor};
            return true;
        }
        *p = skip_space(*p + 1);
    }
    const char *name = *p;
    while (is_name_char(**p)) {
        (*p)++;
    }
    if (!scope || *p == name || is_digit(*name)) {
        return false;
    }
    const SfDim symbol = scope_symbol(scope, name, (size_t)(*p - name));
    return sf_linear_load(symbol, out) && sf_linear_scale(out, factor, out);
}

/* dim = "?" | "-1" | ["-"] term {("+" | "-") term} */
static bool read_dim(const char **p, SfSymbolScope *scope, SfDim *out)
{
    *p = skip_space(*p);
    if (**p == '?') {
        (*p)++;
        *out = SF_DIM_UNKNOWN;
        return true;
    }
    SfLinear sum = {.count = 0, .constant = 0};
    int64_t sign = **p == '-' ? -1 : 1;
    if (sign < 0) {
        (*p)++;
    }
    for (;;) {
        SfLinear term;
        if (!read_term(p, scope, &term) || !sf_linear_add(&sum, &term, sign, &sum)) {
            return false;
        }
        *p = skip_space(*p);
        if (**p != '+' && **p != '-') {
            break;
        }
        sign = **p == '-' ? -1 : 1;
        (*p)++;
    }
    const bool any = sum.count == 0 && sum.constant == -1;
    *out = any ? SF_DIM_UNKNOWN : sf_linear_store(&sum);
    return any || *out != SF_DIM_UNKNOWN; /* else memory ran out */
}

/* After "[". One dim too many is kept as a mark that the shape is too long to exist. */
static const SfShape *read_dims(const char **p, SfSymbolScope *scope)
{
    SfDim dims[SF_RANK_MAX + 1];
    int rank = 0;
    *p = skip_space(*p);
    if (**p == ']') {
        (*p)++;
        return sf_shape_scalar();
    }
    for (;;) {
        SfDim d;
        if (!read_dim(p, scope, &d)) {
            return NULL;
        }
        *p = skip_space(*p);
        if (rank <= SF_RANK_MAX) {
            dims[rank++] = d;
        }
        const char separator = **p;
        if (separator != ',' && separator != ']') {
            return NULL;
        }
        (*p)++;
        if (separator == ']') {
            return sf_shape_make(rank, dims);
        }
    }
}

const SfShape *sf_shape_parse(const char *text, SfSymbolScope *scope, const char **end)
{
    static const char unknown[] = "<unknown>";
    const char *p = skip_space(text);
    const SfShape *shape = NULL;
    if (*p == '[') {
        p++;
        shape = read_dims(&p, scope);
    } else if (*p == '?') {
        p++;
        shape = sf_shape_unknown();
    } else if (*p == '!') {
        p++;
        shape = sf_shape_bottom();
    } else if (strncmp(p, unknown, sizeof unknown - 1) == 0) {
        p += sizeof unknown - 1;
        shape = sf_shape_unknown();
    }
    if (end) {
        *end = p;
    } else if (*skip_space(p) != '\0') {
        return NULL;
    }
    return shape;
}
