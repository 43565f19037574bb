/* Making shapes: the table of ranked shapes and the three constants. */
#include "lattice/shape.h"

#include "lattice/expr.h"
#include "lattice/table.h"

const SfShape sf_shape_unknown_object = {SF_RANK_UNKNOWN, false, SF_DIM_UNKNOWN, NULL};
const SfShape sf_shape_bottom_object = {SF_RANK_BOTTOM, false, SF_DIM_BOTTOM, NULL};
const SfShape sf_shape_scalar_object = {0, true, 1, NULL};

/* In front of each shape; the key of the table is the shape's dims. */
typedef struct ShapeEntry {
    UT_hash_handle hh;
} ShapeEntry;

static ShapeEntry *shape_table;
static void empty_tables(void);
static SfInternTable tables = {.empty = empty_tables};
static const SfShape *_Atomic shapes_of_rank[SF_RANK_MAX + 1];
/* The shape that was last asked for of each hash: most are made again and again, and are found here
 * without the lock. Shapes never change, so a stale entry is only another shape. */
enum { RECENT_BITS = 9, RECENT_SHAPES = 1 << RECENT_BITS };
static const SfShape *_Atomic recent[RECENT_SHAPES];

static SfShape *shape_of(ShapeEntry *entry)
{
    return (SfShape *)(entry + 1);
}

/* SF_DIM_BOTTOM past int64. A 0 decides before anything overflows. */
static SfDim count_dims(int rank, const SfDim *dims)
{
    SfDim known = 1;
    int symbolic = 0;
    int unknown = 0;
    bool overflow = false;
    for (int i = 0; i < rank; i++) {
        if (dims[i] == 0) {
            return 0;
        }
        if (sf_dim_is_known(dims[i])) {
            overflow = overflow || __builtin_mul_overflow(known, dims[i], &known);
        } else {
            symbolic += dims[i] != SF_DIM_UNKNOWN;
            unknown += dims[i] == SF_DIM_UNKNOWN;
        }
    }
    if (symbolic + unknown == 0) {
        return overflow ? SF_DIM_BOTTOM : known;
    }
    /* What is not known may be 0, so an overflow proves nothing there. */
    return symbolic == 1 && unknown == 0 && !overflow ? SF_COUNT_LATER : SF_DIM_UNKNOWN;
}

SfDim sf_shape_count_symbolic(const SfShape *s)
{
    SfDim known = 1;
    SfDim symbolic = 1;
    for (int i = 0; i < s->rank; i++) {
        known *= sf_dim_is_known(s->dims[i]) ? s->dims[i] : 1; /* count_dims saw no overflow */
        symbolic = sf_dim_is_known(s->dims[i]) ? symbolic : s->dims[i];
    }
    SfLinear product;
    SfDim count = SF_DIM_UNKNOWN;
    if (sf_linear_load(symbolic, &product) && sf_linear_scale(&product, known, &product)) {
        count = sf_linear_store(&product);
        if (count == SF_DIM_UNKNOWN) {
            return count; /* no memory: computed again at the next question */
        }
    }
    /* A ranked shape looks immutable to every caller: only answers are cached in it. */
    atomic_store_explicit(&((SfShape *)s)->count, count, memory_order_relaxed);
    return count;
}

/* Locked. */
static const SfShape *find(const SfDim *dims, size_t key_size, unsigned hash)
{
    ShapeEntry *found = NULL;
    HASH_FIND_BYHASHVALUE(hh, shape_table, dims, key_size, hash, found);
    return !found ? NULL : shape_of(found);
}

/* Locked. A shape that is not in the table yet; NULL when memory ran out. */
static const SfShape *shape_enter(int rank, const SfDim *dims, unsigned hash)
{
    const size_t key_size = (size_t)rank * sizeof(SfDim);
    const size_t size = sizeof(ShapeEntry) + sizeof(SfShape) + key_size;
    ShapeEntry *entry = sf_malloc(size);
    if (!entry) {
        return NULL;
    }
    SfShape *s = shape_of(entry);
    s->rank = rank;
    s->known = true;
    atomic_init(&s->count, count_dims(rank, dims));
    atomic_init(&s->as_value, NULL);
    for (int i = 0; i < rank; i++) {
        s->known = s->known && sf_dim_is_known(dims[i]);
        s->dims[i] = dims[i];
    }
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, shape_table, s->dims, key_size, hash, entry);
    if (!entry->hh.tbl) {
        sf_free(entry);
        return NULL;
    }
    sf_intern_account(&tables, size);
    return s;
}

static bool same_dims(int rank, const SfDim *a, const SfDim *b)
{
    int i = 0;
    while (i < rank && a[i] == b[i]) {
        i++;
    }
    return i == rank;
}

/* A slot of `recent` that no longer, or never, held the shape. Not inlined: the way past the table
 * stays short. */
static __attribute__((noinline)) const SfShape *make_slowly(int rank, const SfDim *dims, uint64_t h,
                                                            const SfShape *_Atomic *slot)
{
    const unsigned hash = sf_hash_end(h);
    sf_intern_lock();
    const SfShape *found = find(dims, (size_t)rank * sizeof(SfDim), hash);
    found = found ? found : shape_enter(rank, dims, hash);
    sf_intern_unlock();
    if (found) {
        atomic_store_explicit(slot, found, memory_order_release);
    }
    return found;
}

const SfShape *sf_shape_make(int rank, const SfDim *dims)
{
    if (rank <= 0) {
        return rank == 0 ? sf_shape_scalar() : sf_shape_unknown();
    }
    if (rank > SF_RANK_MAX) {
        return sf_shape_bottom();
    }
    uint64_t h = (uint64_t)rank;
    for (int i = 0; i < rank; i++) {
        if (dims[i] == SF_DIM_BOTTOM) {
            return sf_shape_bottom();
        }
        h = sf_hash_mix(h, (uint64_t)dims[i]);
    }
    /* the high bits of the hash are the best mixed ones */
    const SfShape *_Atomic *slot = &recent[h >> (64 - RECENT_BITS)];
    const SfShape *found = atomic_load_explicit(slot, memory_order_acquire);
    if (found && found->rank == rank && same_dims(rank, found->dims, dims)) {
        return found;
    }
    return make_slowly(rank, dims, h, slot);
}

const SfShape *sf_shape_of_rank(int rank)
{
    if (rank <= 0 || rank > SF_RANK_MAX) {
        return sf_shape_make(rank, NULL);
    }
    const SfShape *cached = atomic_load_explicit(&shapes_of_rank[rank], memory_order_acquire);
    if (!cached) {
        SfDim dims[SF_RANK_MAX];
        for (int i = 0; i < rank; i++) {
            dims[i] = SF_DIM_UNKNOWN;
        }
        cached = sf_shape_make(rank, dims);
        atomic_store_explicit(&shapes_of_rank[rank], cached, memory_order_release);
    }
    return cached;
}

const SfShape *sf_shape_vector(SfDim d0)
{
    return sf_shape_make(1, &d0);
}

const SfShape *sf_shape_matrix(SfDim d0, SfDim d1)
{
    const SfDim dims[] = {d0, d1};
    return sf_shape_make(2, dims);
}

static void empty_tables(void)
{
    ShapeEntry *entry = shape_table;
    HASH_CLEAR(hh, shape_table);
    while (entry) {
        ShapeEntry *next = entry->hh.next;
        sf_free(entry);
        entry = next;
    }
    for (int i = 0; i <= SF_RANK_MAX; i++) {
        atomic_store(&shapes_of_rank[i], NULL);
    }
    for (int i = 0; i < RECENT_SHAPES; i++) {
        atomic_store(&recent[i], NULL);
    }
}
