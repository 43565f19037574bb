/* Symbols and hash-consed linear expressions. A dim d < -1 names the expression number -2 - d. */
#include "lattice/expr.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "lattice/table.h"

typedef struct Expr {
    UT_hash_handle hh;
    SfDim id;
    const char *name; /* of a plain symbol, else NULL */
    unsigned number;  /* `name_2`; 0: the name alone */
    bool unmodelled;  /* a symbol that stands for a number of something unmodelled */
    int count;
    /* The key: constant and terms, contiguous. */
    int64_t constant;
    SfTerm terms[];
} Expr;

/* A name that was asked for. Its symbols are numbered; the text `name_2` is made when it is
 * printed. */
typedef struct Name {
    UT_hash_handle hh;
    unsigned next; /* the number of the next symbol that asks for it */
    bool rivals;   /* it was also asked for with a number of the caller's: `name_2` */
    char text[];
} Name;

/* Expressions by number, in segments of doubling size that never move: a dim is read without the
 * lock, because whoever holds it got it after its segment entry was written. */
#define SEGMENT_FIRST_BITS 8
#define SEGMENT_COUNT      32
static const Expr **segments[SEGMENT_COUNT];
static _Atomic(uint64_t) expr_count;

static Expr *expr_table;
static Name *name_table;
static void empty_tables(void);
static SfInternTable tables = {.empty = empty_tables};

static size_t segment_size(unsigned segment)
{
    return (size_t)1 << (SEGMENT_FIRST_BITS + segment);
}

/* Where number `index` lives: segment s starts at 2^(bits+s) - 2^bits. */
static unsigned segment_of(uint64_t index, size_t *offset)
{
    const uint64_t biased = index + (UINT64_C(1) << SEGMENT_FIRST_BITS);
    const unsigned segment = 63U - (unsigned)__builtin_clzll(biased) - SEGMENT_FIRST_BITS;
    *offset = (size_t)(biased - (UINT64_C(1) << (SEGMENT_FIRST_BITS + segment)));
    return segment;
}

static const Expr *expr_of(SfDim d)
{
    if (!sf_dim_is_symbolic(d)) {
        return NULL;
    }
    const uint64_t index = (uint64_t)(-2 - d);
    if (index >= atomic_load_explicit(&expr_count, memory_order_acquire)) {
        return NULL;
    }
    size_t offset = 0;
    const unsigned segment = segment_of(index, &offset);
    return segments[segment][offset];
}

/* Locked. Makes room for one more expression. */
static bool expr_reserve(uint64_t index)
{
    size_t offset = 0;
    const unsigned segment = segment_of(index, &offset);
    if (segment >= SEGMENT_COUNT) {
        return false;
    }
    if (!segments[segment]) {
        segments[segment] = sf_calloc(segment_size(segment), sizeof(const Expr *));
    }
    return segments[segment];
}

_Static_assert(offsetof(Expr, terms) - offsetof(Expr, constant) == sizeof(int64_t) &&
                   offsetof(SfLinear, terms) - offsetof(SfLinear, constant) == sizeof(int64_t),
               "the key of an expression is contiguous");

static size_t expr_key_size(int count)
{
    return sizeof(int64_t) + (size_t)count * sizeof(SfTerm);
}

static size_t expr_size(int count)
{
    return sizeof(Expr) + (size_t)count * sizeof(SfTerm);
}

static unsigned expr_hash(int64_t constant, const SfTerm *terms, int count)
{
    uint64_t h = sf_hash_mix(0, (uint64_t)constant);
    for (int i = 0; i < count; i++) {
        h = sf_hash_mix(h, (uint64_t)terms[i].coef);
        h = sf_hash_mix(h, (uint64_t)terms[i].symbol);
    }
    return sf_hash_end(h);
}

/* Locked. A new expression under the next number, which expr_publish makes known; NULL when memory
 * ran out. */
static Expr *expr_new(int64_t constant, const SfTerm *terms, int count)
{
    const uint64_t index = atomic_load_explicit(&expr_count, memory_order_relaxed);
    Expr *e = expr_reserve(index) ? sf_malloc(expr_size(count)) : NULL;
    if (!e) {
        return NULL;
    }
    e->id = -2 - (SfDim)index;
    e->name = NULL;
    e->number = 0;
    e->unmodelled = false;
    e->count = count;
    e->constant = constant;
    memcpy(e->terms, terms, (size_t)count * sizeof(SfTerm));
    return e;
}

/* Locked. */
static SfDim expr_publish(const Expr *e)
{
    const uint64_t index = (uint64_t)(-2 - e->id);
    size_t offset = 0;
    const unsigned segment = segment_of(index, &offset);
    segments[segment][offset] = e;
    atomic_store_explicit(&expr_count, index + 1, memory_order_release);
    sf_intern_account(&tables, expr_size(e->count));
    return e->id;
}

/* Locked. Enters a new expression; SF_DIM_UNKNOWN when memory ran out. */
static SfDim expr_enter(const SfLinear *l, unsigned hash)
{
    Expr *e = expr_new(l->constant, l->terms, l->count);
    if (!e) {
        return SF_DIM_UNKNOWN;
    }
    const char *key = (const char *)e + offsetof(Expr, constant);
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, expr_table, key, expr_key_size(l->count), hash, e);
    if (!e->hh.tbl) {
        sf_free(e);
        return SF_DIM_UNKNOWN;
    }
    return expr_publish(e);
}

static void empty_tables(void)
{
    HASH_CLEAR(hh, expr_table);
    const uint64_t count = atomic_exchange(&expr_count, 0);
    for (uint64_t i = 0; i < count; i++) {
        size_t offset = 0;
        const unsigned segment = segment_of(i, &offset);
        sf_free((void *)segments[segment][offset]);
    }
    for (unsigned s = 0; s < SEGMENT_COUNT; s++) {
        sf_free((void *)segments[s]);
        segments[s] = NULL;
    }
    Name *name = name_table;
    HASH_CLEAR(hh, name_table);
    while (name) {
        Name *next = name->hh.next;
        sf_free(name);
        name = next;
    }
}

/* symbols */

static Name *name_find(const char *text, size_t len)
{
    Name *found = NULL;
    const unsigned hash = sf_hash_end(sf_hash_text(text, len, 0));
    HASH_FIND_BYHASHVALUE(hh, name_table, text, len, hash, found);
    return found;
}

static Name *name_enter(const char *text, size_t len)
{
    Name *n = sf_malloc(sizeof(Name) + len + 1);
    if (!n) {
        return NULL;
    }
    n->next = 0;
    n->rivals = false;
    memcpy(n->text, text, len);
    n->text[len] = '\0';
    const unsigned hash = sf_hash_end(sf_hash_text(text, len, 0));
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, name_table, n->text, len, hash, n);
    if (!n->hh.tbl) {
        sf_free(n);
        return NULL;
    }
    sf_intern_account(&tables, sizeof(Name) + len + 1);
    return n;
}

static Name *name_get(const char *text, size_t len)
{
    Name *found = name_find(text, len);
    return !found ? name_enter(text, len) : found;
}

/* The length of `batch` in `batch_2`, and its number; 0 when the text has no such end. */
static size_t stem_length(const char *text, unsigned *number)
{
    const char *bar = strrchr(text, '_');
    if (!bar || bar[1] < '1' || bar[1] > '9' || strlen(bar + 1) > 8) {
        return 0;
    }
    char *end;
    *number = (unsigned)strtoul(bar + 1, &end, 10);
    return *end == '\0' ? (size_t)(bar - text) : 0;
}

/* Locked. A new name; when it reads as a numbered one it must not be given out twice. */
static Name *name_first(const char *wanted)
{
    unsigned number = 0;
    const size_t stem = stem_length(wanted, &number);
    Name *other = stem > 0 ? name_get(wanted, stem) : NULL;
    Name *n = stem > 0 && !other ? NULL : name_enter(wanted, strlen(wanted));
    if (n && other) {
        other->rivals = true;
        n->next = other->next > number;
    }
    return n;
}

/* Is `name_2` a name that was asked for? */
static bool is_taken(const Name *n, unsigned number)
{
    char text[80];
    const int len = snprintf(text, sizeof text, "%s_%u", n->text, number);
    return len < (int)sizeof text && name_find(text, (size_t)len);
}

/* Locked. The name to print: `wanted`, or with a number when it is taken. */
static const char *name_choose(const char *wanted, bool exact, unsigned *number)
{
    Name *n = name_find(wanted, strlen(wanted));
    n = !n ? name_first(wanted) : n;
    if (!n) {
        return NULL;
    }
    *number = n->next++;
    while (!exact && n->rivals && *number > 0 && is_taken(n, *number)) {
        *number = n->next++;
    }
    *number = exact ? 0 : *number;
    return n->text;
}

/* Locked. */
static SfDim symbol_publish(const char *text, unsigned number, bool unmodelled)
{
    Expr *e = !text ? NULL : expr_new(0, &(SfTerm){.coef = 1}, 1);
    if (!e) {
        return SF_DIM_UNKNOWN;
    }
    /* Not entered into the table: a symbol is only looked up by its number. */
    e->terms[0].symbol = e->id;
    e->name = text;
    e->number = number;
    e->unmodelled = unmodelled;
    return expr_publish(e);
}

SfDim sf_symbol_new(const char *name, bool exact)
{
    unsigned number = 0;
    sf_intern_lock();
    const char *text = !name ? "?" : name_choose(name, exact, &number);
    const SfDim result = symbol_publish(text, number, false);
    sf_intern_unlock();
    return result;
}

/* Has there been a dim of something unmodelled? In most programs there is none. */
static atomic_bool any_unmodelled;

SfDim sf_dim_unmodelled(void)
{
    sf_intern_lock();
    const SfDim result = symbol_publish("?", 0, true);
    sf_intern_unlock();
    atomic_store_explicit(&any_unmodelled, true, memory_order_relaxed);
    return result;
}

bool sf_dim_any_unmodelled(void)
{
    return atomic_load_explicit(&any_unmodelled, memory_order_relaxed);
}

bool sf_dim_is_unmodelled(SfDim d)
{
    const Expr *e = expr_of(d);
    for (int i = 0; e && i < e->count; i++) {
        const Expr *symbol = expr_of(e->terms[i].symbol);
        if (symbol && symbol->unmodelled) {
            return true;
        }
    }
    return false;
}

const char *sf_symbol_name(SfDim d, unsigned *number)
{
    const Expr *e = expr_of(d);
    if (!e || !e->name) {
        return NULL;
    }
    *number = e->number;
    return e->name;
}

bool sf_dim_is_symbol(SfDim d)
{
    const Expr *e = expr_of(d);
    return e && e->name;
}

/* linear forms */

bool sf_linear_load(SfDim d, SfLinear *out)
{
    out->count = 0;
    out->constant = d;
    if (sf_dim_is_known(d)) {
        return true;
    }
    const Expr *e = expr_of(d);
    if (!e) {
        return false;
    }
    out->count = e->count;
    out->constant = e->constant;
    memcpy(out->terms, e->terms, (size_t)e->count * sizeof(SfTerm));
    return true;
}

/* -2*n-1 is below zero whatever n is. */
static bool linear_is_negative(const SfLinear *l)
{
    for (int i = 0; i < l->count; i++) {
        if (l->terms[i].coef > 0) {
            return false;
        }
    }
    return l->constant < 0;
}

SfDim sf_linear_store(const SfLinear *l)
{
    if (linear_is_negative(l)) {
        return SF_DIM_BOTTOM;
    }
    if (l->count == 0) {
        return l->constant;
    }
    if (l->count == 1 && l->constant == 0 && l->terms[0].coef == 1) {
        return l->terms[0].symbol;
    }
    /* Constant and terms are contiguous in an SfLinear as they are in an Expr. */
    const char *key = (const char *)l + offsetof(SfLinear, constant);
    const unsigned hash = expr_hash(l->constant, l->terms, l->count);
    SfDim result;
    Expr *found = NULL;
    sf_intern_lock();
    HASH_FIND_BYHASHVALUE(hh, expr_table, key, expr_key_size(l->count), hash, found);
    if (found) {
        result = found->id;
    } else {
        result = expr_enter(l, hash);
    }
    sf_intern_unlock();
    return result;
}

static bool append_term(SfLinear *l, SfDim symbol, int64_t coef)
{
    if (coef == 0) {
        return true;
    }
    if (l->count == SF_TERMS_MAX) {
        return false;
    }
    l->terms[l->count++] = (SfTerm){coef, symbol};
    return true;
}

/* Copies only the terms in use: a form has room for sixteen and mostly uses one. */
static void copy_linear(SfLinear *to, const SfLinear *from)
{
    to->count = from->count;
    to->constant = from->constant;
    for (int i = 0; i < from->count; i++) {
        to->terms[i] = from->terms[i];
    }
}

bool sf_linear_add(const SfLinear *a, const SfLinear *b, int64_t scale, SfLinear *out)
{
    SfLinear sum; /* not cleared: only terms below count are read */
    sum.count = 0;
    int64_t scaled;
    if (__builtin_mul_overflow(b->constant, scale, &scaled) ||
        __builtin_add_overflow(a->constant, scaled, &sum.constant)) {
        return false;
    }
    int i = 0;
    int j = 0;
    while (i < a->count || j < b->count) {
        /* Younger symbols have smaller numbers, so the greater number comes first. */
        const bool from_a =
            i < a->count && (j == b->count || a->terms[i].symbol >= b->terms[j].symbol);
        const bool from_b =
            j < b->count && (i == a->count || b->terms[j].symbol >= a->terms[i].symbol);
        const SfDim symbol = from_a ? a->terms[i].symbol : b->terms[j].symbol;
        int64_t coef = from_a ? a->terms[i].coef : 0;
        if (from_b && (__builtin_mul_overflow(b->terms[j].coef, scale, &scaled) ||
                       __builtin_add_overflow(coef, scaled, &coef))) {
            return false;
        }
        if (!append_term(&sum, symbol, coef)) {
            return false;
        }
        i += from_a;
        j += from_b;
    }
    copy_linear(out, &sum);
    return true;
}

bool sf_linear_scale(const SfLinear *a, int64_t factor, SfLinear *out)
{
    SfLinear zero;
    zero.count = 0;
    zero.constant = 0;
    return sf_linear_add(&zero, a, factor, out);
}

bool sf_linear_divide(const SfLinear *a, int64_t divisor, SfLinear *out)
{
    SfLinear quotient; /* not cleared either */
    quotient.count = a->count;
    quotient.constant = a->constant / divisor;
    bool exact = a->constant % divisor == 0;
    for (int i = 0; i < a->count; i++) {
        exact = exact && a->terms[i].coef % divisor == 0;
        quotient.terms[i] = (SfTerm){a->terms[i].coef / divisor, a->terms[i].symbol};
    }
    if (exact) {
        copy_linear(out, &quotient);
    }
    return exact;
}

static uint64_t magnitude(int64_t x)
{
    return x < 0 ? ~(uint64_t)x + 1 : (uint64_t)x;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool sf_linear_never(const SfLinear *l, int64_t value)
{
    int64_t rest; /* what the terms would have to add up to */
    if (__builtin_sub_overflow(value, l->constant, &rest)) {
        return false;
    }
    uint64_t common = 0;
    bool rising = true;
    bool falling = true;
    for (int i = 0; i < l->count; i++) {
        common = gcd(common, magnitude(l->terms[i].coef));
        rising = rising && l->terms[i].coef > 0;
        falling = falling && l->terms[i].coef < 0;
    }
    if (common == 0) {
        return rest != 0;
    }
    return magnitude(rest) % common != 0 || (rising && rest < 0) || (falling && rest > 0);
}

bool sf_linear_never_divides(const SfLinear *l, int64_t divisor)
{
    uint64_t common = magnitude(divisor);
    for (int i = 0; i < l->count; i++) {
        common = gcd(common, magnitude(l->terms[i].coef));
    }
    return common != 0 && magnitude(l->constant) % common != 0;
}
