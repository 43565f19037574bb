/* Making values: the tables of values and of string bytes, and what reads a value as something
 * else (an integer, a shape). */
#include "lattice/value.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "lattice/elem.h"
#include "lattice/expr.h"
#include "lattice/table.h"

typedef struct StringEntry {
    UT_hash_handle hh;
    SfString string;
    char bytes[];
} StringEntry;

/* In front of each value. */
typedef struct ValueEntry {
    UT_hash_handle hh;
} ValueEntry;

/* What is looked up: elements not yet `normal`, `stride` 0 when all are the same one. */
typedef struct Probe {
    SfElemRule rule;
    bool normal;
    const SfShape *shape;
    int64_t count;
    const SfElem *elems;
    int64_t stride;
} Probe;

static StringEntry *string_table;
static ValueEntry *value_table;
/* Values in the table, and how many of them were made transient since the last sweep. */
static int64_t table_size;
static _Atomic int64_t new_transient;
static _Thread_local bool makes_transient;
static void empty_tables(void);
static SfInternTable tables = {.empty = empty_tables};

/* strings */

/* Locked. */
static const SfString *string_intern(const char *bytes, size_t len)
{
    const unsigned hash = sf_hash_end(sf_hash_text(bytes, len, 0));
    StringEntry *entry = NULL;
    HASH_FIND_BYHASHVALUE(hh, string_table, bytes, len, hash, entry);
    if (entry) {
        return &entry->string;
    }
    if (len > UINT_MAX - sizeof(StringEntry) - 1) {
        return NULL; /* uthash counts key bytes as unsigned */
    }
    entry = sf_malloc(sizeof(StringEntry) + len + 1);
    if (!entry) {
        return NULL;
    }
    if (len > 0) {
        memcpy(entry->bytes, bytes, len);
    }
    entry->bytes[len] = '\0';
    entry->string = (SfString){len, entry->bytes};
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, string_table, entry->bytes, len, hash, entry);
    if (!entry->hh.tbl) {
        sf_free(entry);
        return NULL;
    }
    sf_intern_account(&tables, sizeof(StringEntry) + len + 1);
    return &entry->string;
}

SfElem sf_elem_string(const char *bytes, size_t len)
{
    SfElem e = sf_elem_unknown();
    sf_intern_lock();
    e.u.s = string_intern(len == 0 ? "" : bytes, len);
    sf_intern_unlock();
    e.kind = !e.u.s ? SF_ELEM_UNKNOWN : SF_ELEM_STRING;
    return e;
}

/* values */

static inline SfElem probe_elem(const Probe *p, int64_t i)
{
    const SfElem e = p->elems[i * p->stride];
    return p->normal ? e : sf_elem_normalise(&p->rule, e);
}

static unsigned probe_hash(const Probe *p)
{
    uint64_t h = sf_hash_mix((uint64_t)p->rule.base, (uint64_t)(uintptr_t)p->shape);
    for (int64_t i = 0; i < p->count; i++) {
        const SfElem e = probe_elem(p, i);
        h = sf_hash_mix(h, (uint64_t)e.u.i + (uint64_t)e.kind);
        if (e.kind == SF_ELEM_COMPLEX) {
            uint64_t im;
            memcpy(&im, &e.im, sizeof im);
            h = sf_hash_mix(h, im);
        }
    }
    return sf_hash_end(h);
}

static bool probe_matches(const Probe *p, const SfValue *v)
{
    if (v->dtype != p->rule.base || v->shape != p->shape) {
        return false;
    }
    for (int64_t i = 0; i < p->count; i++) {
        const SfElem e = probe_elem(p, i);
        if (!sf_elem_equal(&v->elems[i], &e)) {
            return false;
        }
    }
    return true;
}

/* The key of a stored value is the value, that of a lookup the probe: nothing is copied to look. */
#undef HASH_KEYCMP
#define HASH_KEYCMP(stored, probe, len)                                                            \
    (probe_matches((const Probe *)(probe), (const SfValue *)(stored)) ? 0 : 1)

static SfValue *value_of(ValueEntry *entry)
{
    return (SfValue *)(entry + 1);
}

static SfValue *value_find(const Probe *p, unsigned hash)
{
    ValueEntry *found = NULL;
    HASH_FIND_BYHASHVALUE(hh, value_table, p, sizeof(SfValue *), hash, found);
    return !found ? NULL : value_of(found);
}

static const SfValue *value_enter(const Probe *p, unsigned hash)
{
    const size_t size = sizeof(ValueEntry) + sizeof(SfValue) + (size_t)p->count * sizeof(SfElem);
    ValueEntry *entry = sf_malloc(size);
    if (!entry) {
        return NULL;
    }
    SfValue *v = value_of(entry);
    v->dtype = p->rule.base;
    v->shape = p->shape;
    v->count = (int32_t)p->count;
    v->exact = true;
    atomic_init(&v->kept, !makes_transient);
    atomic_init(&v->holders, 0);
    atomic_init(&v->as_shape, NULL);
    for (int64_t i = 0; i < p->count; i++) {
        v->elems[i] = probe_elem(p, i);
        v->exact =
            v->exact && v->elems[i].kind != SF_ELEM_UNKNOWN && v->elems[i].kind != SF_ELEM_DIM;
    }
    sf_intern_lock();
    const SfValue *result = value_find(p, hash);
    if (!result) {
        HASH_ADD_KEYPTR_BYHASHVALUE(hh, value_table, v, sizeof(SfValue *), hash, entry);
        if (entry->hh.tbl) {
            sf_intern_account(&tables, size);
            table_size++;
            new_transient += makes_transient;
            result = v;
        }
    }
    sf_intern_unlock();
    if (result != v) {
        sf_free(entry);
    }
    return result;
}

enum { SMALL = 16 };

/* Integers in the range of an integer dtype, as nearly all content that decides shapes. */
static bool are_normal(const Probe *p)
{
    const unsigned bits = p->rule.bits;
    if (p->rule.store != SF_STORE_INT) {
        return false;
    }
    const uint64_t lowest = p->rule.is_unsigned ? 0 : UINT64_C(1) << (bits - 1); /* negated */
    for (int64_t i = 0; i < p->count; i++) {
        const SfElem *e = &p->elems[i * p->stride];
        const bool fits = bits >= 64 || ((uint64_t)e->u.i + lowest) >> bits == 0;
        if (e->kind != SF_ELEM_INT || !fits || e->im != 0 || signbit(e->im)) {
            return false;
        }
    }
    return true;
}

static const SfValue *value_make(SfDtype dtype, const SfShape *shape, const SfElem *elems,
                                 int64_t stride)
{
    if (!shape || !sf_shape_is_known(shape)) {
        return NULL;
    }
    const SfDim count = sf_shape_count(shape);
    if (count < 0 || count > SF_VALUE_MAX) {
        return NULL;
    }
    Probe probe = {sf_elem_rule(dtype), false, shape, count, elems, stride};
    SfElem normal[SMALL]; /* hashed and compared: made normal once */
    if (are_normal(&probe)) {
        probe.normal = true;
    } else if (count <= SMALL) {
        for (int64_t i = 0; i < count; i++) {
            normal[i] = probe_elem(&probe, i);
        }
        probe.normal = true;
        probe.elems = normal;
        probe.stride = 1;
    }
    const unsigned hash = probe_hash(&probe);
    sf_intern_lock();
    const SfValue *found = value_find(&probe, hash);
    sf_intern_unlock();
    found = found ? found : value_enter(&probe, hash);
    return makes_transient ? found : sf_value_keep(found);
}

const SfValue *sf_value_make(SfDtype dtype, const SfShape *shape, const SfElem *elems)
{
    return value_make(dtype, shape, elems, 1);
}

const SfValue *sf_value_fill(SfDtype dtype, const SfShape *shape, SfElem e)
{
    return value_make(dtype, shape, &e, 0);
}

const SfValue *sf_value_int(SfDtype dtype, int64_t i)
{
    return sf_value_fill(dtype, sf_shape_scalar(), sf_elem_int(i));
}

const SfValue *sf_value_float(SfDtype dtype, double f)
{
    return sf_value_fill(dtype, sf_shape_scalar(), sf_elem_float(f));
}

/* transient values */

bool sf_values_transient(bool on)
{
    const bool before = makes_transient;
    makes_transient = on;
    return before;
}

const SfValue *sf_value_keep(const SfValue *v)
{
    if (v && !atomic_load_explicit(&v->kept, memory_order_relaxed)) {
        /* A value looks immutable to every caller: only the count of its holders changes. */
        atomic_store_explicit(&((SfValue *)v)->kept, true, memory_order_relaxed);
    }
    return v;
}

void sf_value_hold(const SfValue *v)
{
    if (v) {
        atomic_fetch_add_explicit(&((SfValue *)v)->holders, 1, memory_order_relaxed);
    }
}

void sf_value_release(const SfValue *v)
{
    if (v) {
        atomic_fetch_sub_explicit(&((SfValue *)v)->holders, 1, memory_order_relaxed);
    }
}

static bool is_needed(const SfValue *v)
{
    return atomic_load_explicit(&v->kept, memory_order_relaxed) ||
           atomic_load_explicit(&v->holders, memory_order_relaxed) > 0;
}

/* Locked. */
static int64_t sweep(void)
{
    int64_t gone = 0;
    for (ValueEntry *entry = value_table; entry;) {
        ValueEntry *next = entry->hh.next;
        const SfValue *v = value_of(entry);
        if (!is_needed(v)) {
            sf_intern_forget(sizeof(ValueEntry) + sizeof(SfValue) +
                             (size_t)v->count * sizeof(SfElem));
            HASH_DEL(value_table, entry);
            sf_free(entry);
            gone++;
        }
        entry = next;
    }
    table_size -= gone;
    new_transient = 0;
    return gone;
}

int64_t sf_values_sweep(int64_t after)
{
    if (atomic_load_explicit(&new_transient, memory_order_relaxed) <= after) {
        return 0;
    }
    sf_intern_lock();
    /* A sweep looks at all values, so it waits until a fixed part of them is new. */
    const int64_t gone = after > 0 && new_transient < table_size / 4 ? 0 : sweep();
    sf_intern_unlock();
    return gone;
}

static void empty_tables(void)
{
    table_size = 0;
    new_transient = 0;
    ValueEntry *v = value_table;
    HASH_CLEAR(hh, value_table);
    while (v) {
        ValueEntry *next = v->hh.next;
        sf_free(v);
        v = next;
    }
    StringEntry *s = string_table;
    HASH_CLEAR(hh, string_table);
    while (s) {
        StringEntry *next = s->hh.next;
        sf_free(s);
        s = next;
    }
}

bool sf_value_as_int(const SfValue *v, int64_t *out)
{
    if (!v || v->count != 1 || v->elems[0].kind != SF_ELEM_INT) {
        return false;
    }
    *out = v->elems[0].u.i;
    return true;
}

/* values as shapes and back */

static const SfShape *read_shape(const SfValue *v)
{
    if (sf_shape_rank(v->shape) != 1 || !sf_dtype_is_integer(v->dtype)) {
        return sf_shape_unknown(); /* the scalar -1 included */
    }
    if (v->count > SF_RANK_MAX) {
        return sf_shape_bottom();
    }
    SfDim dims[SF_RANK_MAX];
    for (int64_t i = 0; i < v->count; i++) {
        dims[i] = sf_elem_as_dim(v->elems[i]);
    }
    return sf_shape_make((int)v->count, dims);
}

const SfShape *sf_value_as_shape(const SfValue *v)
{
    if (!v) {
        return sf_shape_unknown();
    }
    const SfShape *s = atomic_load_explicit(&v->as_shape, memory_order_acquire);
    if (!s) {
        s = read_shape(v);
        /* A value looks immutable to every caller: only the answer to this question is cached in
         * it. */
        atomic_store_explicit(&((SfValue *)v)->as_shape, s, memory_order_release);
    }
    return s;
}

const SfValue *sf_value_from_shape(const SfShape *s, SfDtype dtype)
{
    if (!s || !sf_shape_is_ranked(s)) {
        return NULL;
    }
    const SfValue *known = atomic_load_explicit(&s->as_value, memory_order_acquire);
    if (known && known->dtype == sf_dtype_base(dtype)) {
        return known;
    }
    const SfElemRule rule = sf_elem_rule(dtype);
    SfElem elems[SF_RANK_MAX];
    for (int i = 0; i < sf_shape_rank(s); i++) {
        elems[i] = sf_elem_dim(sf_shape_dim(s, i));
        const SfElem stored = sf_elem_normalise(&rule, elems[i]);
        if (!sf_elem_equal(&stored, &elems[i])) {
            elems[i] = sf_elem_unknown();
        }
    }
    const SfValue *v = sf_value_make(dtype, sf_shape_vector(sf_shape_rank(s)), elems);
    if (sf_shape_rank(s) > 0) { /* the scalar is no object of the table, and constant */
        atomic_store_explicit(&((SfShape *)s)->as_value, sf_value_keep(v), memory_order_release);
    }
    return v;
}

const SfValue *sf_value_reshape(const SfValue *v, const SfShape *shape)
{
    if (!v || !shape || sf_shape_count(shape) != v->count) {
        return NULL;
    }
    return sf_value_make(v->dtype, shape, v->elems);
}
