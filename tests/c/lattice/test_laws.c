/* The laws of the lattice, as dim.h states them, over all small shapes and random larger ones. */
#include <criterion/criterion.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "tests/c/domain/domain.h"

#define LEN(a) ((int)(sizeof(a) / sizeof *(a)))

static const char *text(const SfShape *s)
{
    static char buffers[4][4096];
    static int next;
    char *buf = buffers[next++ % 4];
    sf_shape_format(s, true, buf, sizeof buffers[0]);
    return buf;
}

/* One cr_assert in each of millions of steps would be slow: only failures reach Criterion. */
#define LAW(holds, a, b, c)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            cr_assert_fail("%s for a = %s, b = %s, c = %s", #holds, text(a), text(b), text(c));    \
        }                                                                                          \
    } while (0)

typedef struct Universe {
    int count;
    const SfShape *shapes[4096];
} Universe;

static void add(Universe *u, const SfShape *s)
{
    cr_assert_not_null(s);
    cr_assert_lt(u->count, LEN(u->shapes));
    u->shapes[u->count++] = s;
}

/* Bottom, unknown rank, and all shapes of rank <= max_rank with these dims. */
static void fill(Universe *u, const SfDim *dims, int dim_count, int max_rank)
{
    u->count = 0;
    add(u, sf_shape_bottom());
    add(u, sf_shape_unknown());
    add(u, sf_shape_scalar());
    for (int rank = 1; rank <= max_rank; rank++) {
        int at[3] = {0, 0, 0};
        for (int axis = 0; axis < rank;) {
            const SfDim d[3] = {dims[at[0]], dims[at[1]], dims[at[2]]};
            add(u, sf_shape_make(rank, d));
            for (axis = 0; axis < rank && ++at[axis] == dim_count; axis++) {
                at[axis] = 0;
            }
        }
    }
}

/* Laws of two that hold everywhere. */
static void check_pair(const SfShape *a, const SfShape *b)
{
    const SfShape *meet = sf_shape_meet(a, b);
    const SfShape *join = sf_shape_join(a, b);
    LAW(sf_shape_meet(b, a) == meet, a, b, meet);
    LAW(sf_shape_join(b, a) == join, a, b, join);
    LAW(sf_shape_leq(a, b) == (meet == a), a, b, meet);
    LAW(sf_shape_leq(meet, a) && sf_shape_leq(meet, b), a, b, meet);
    LAW(sf_shape_leq(a, join) && sf_shape_leq(b, join), a, b, join);
    LAW(sf_shape_meet(a, join) == a, a, b, join);
    LAW(sf_shape_leq(a, sf_shape_join(a, meet)), a, b, meet);
    LAW(sf_shape_compatible(a, b) == (meet != sf_shape_bottom()), a, b, meet);
    LAW(!(sf_shape_leq(a, b) && sf_shape_leq(b, a)) || a == b, a, b, meet);
}

static void check_one(const SfShape *a)
{
    LAW(sf_shape_meet(a, a) == a && sf_shape_join(a, a) == a && sf_shape_leq(a, a), a, a, a);
    LAW(sf_shape_meet(a, sf_shape_unknown()) == a, a, a, a);
    LAW(sf_shape_join(a, sf_shape_bottom()) == a, a, a, a);
    LAW(sf_shape_meet(a, sf_shape_bottom()) == sf_shape_bottom(), a, a, a);
    LAW(sf_shape_join(a, sf_shape_unknown()) == sf_shape_unknown(), a, a, a);
    LAW(sf_shape_leq(sf_shape_bottom(), a) && sf_shape_leq(a, sf_shape_unknown()), a, a, a);
}

/* Laws of three that hold everywhere: two bracketings of meet differ only by a contradiction. */
static void check_triple(const SfShape *a, const SfShape *b, const SfShape *c)
{
    const SfShape *left = sf_shape_meet(sf_shape_meet(a, b), c);
    const SfShape *right = sf_shape_meet(a, sf_shape_meet(b, c));
    LAW(left == right || left == sf_shape_bottom() || right == sf_shape_bottom(), a, b, c);
    LAW(sf_shape_join(sf_shape_join(a, b), c) == sf_shape_join(a, sf_shape_join(b, c)), a, b, c);
}

/* Plain symbols: meet associates and is monotone, the order is transitive. */
static void check_triple_plain(const SfShape *a, const SfShape *b, const SfShape *c)
{
    LAW(sf_shape_meet(sf_shape_meet(a, b), c) == sf_shape_meet(a, sf_shape_meet(b, c)), a, b, c);
    if (sf_shape_leq(a, b)) {
        LAW(sf_shape_leq(sf_shape_meet(a, c), sf_shape_meet(b, c)), a, b, c);
        LAW(!sf_shape_leq(b, c) || sf_shape_leq(a, c), a, b, c);
    }
}

/* No symbols: a lattice in full. */
static void check_triple_exact(const SfShape *a, const SfShape *b, const SfShape *c)
{
    LAW(sf_shape_join(a, sf_shape_meet(a, b)) == a, a, b, c);
    if (sf_shape_leq(a, b)) {
        LAW(sf_shape_leq(sf_shape_join(a, c), sf_shape_join(b, c)), a, b, c);
    }
    /* The bounds are the greatest and the least. */
    LAW(!(sf_shape_leq(c, a) && sf_shape_leq(c, b)) || sf_shape_leq(c, sf_shape_meet(a, b)), a, b,
        c);
    LAW(!(sf_shape_leq(a, c) && sf_shape_leq(b, c)) || sf_shape_leq(sf_shape_join(a, b), c), a, b,
        c);
}

typedef void (*TripleLaw)(const SfShape *a, const SfShape *b, const SfShape *c);

static void for_all_triples(const Universe *u, const TripleLaw *laws, int law_count)
{
    for (int i = 0; i < u->count; i++) {
        for (int j = 0; j < u->count; j++) {
            for (int k = 0; k < u->count; k++) {
                for (int l = 0; l < law_count; l++) {
                    laws[l](u->shapes[i], u->shapes[j], u->shapes[k]);
                }
            }
        }
    }
}

static Universe universe;

Test(laws, pairs_of_all_shapes_to_rank_3)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim dims[] = {SF_DIM_UNKNOWN, 0, 1, 2, 3, n, m, sf_dim_add(n, 1)};
    fill(&universe, dims, LEN(dims), 3);
    for (int i = 0; i < universe.count; i++) {
        check_one(universe.shapes[i]);
        for (int j = 0; j < universe.count; j++) {
            check_pair(universe.shapes[i], universe.shapes[j]);
        }
    }
    sf_intern_reset();
}

Test(laws, triples_of_all_shapes_to_rank_2)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim dims[] = {SF_DIM_UNKNOWN, 0, 1, 2, n, m, sf_dim_add(n, 1)};
    const TripleLaw laws[] = {check_triple};
    fill(&universe, dims, LEN(dims), 2);
    for_all_triples(&universe, laws, LEN(laws));
    sf_intern_reset();
}

Test(laws, triples_of_plain_symbols)
{
    const SfDim dims[] = {SF_DIM_UNKNOWN, 0, 1, 2, 3, sf_dim_symbol("n"), sf_dim_symbol("m")};
    const TripleLaw laws[] = {check_triple, check_triple_plain};
    fill(&universe, dims, LEN(dims), 2);
    for_all_triples(&universe, laws, LEN(laws));
    sf_intern_reset();
}

Test(laws, triples_without_symbols_are_a_lattice)
{
    const SfDim dims[] = {SF_DIM_UNKNOWN, 0, 1, 3};
    const TripleLaw laws[] = {check_triple, check_triple_plain, check_triple_exact};
    fill(&universe, dims, LEN(dims), 3);
    for_all_triples(&universe, laws, LEN(laws));
    sf_intern_reset();
}

static uint64_t random_state = 42;

static int random_below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

Test(laws, random_shapes_of_large_rank)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim dims[] = {SF_DIM_UNKNOWN,   SF_DIM_UNKNOWN,   0, 1, 1L << 40, n, m,
                          sf_dim_add(n, 1), sf_dim_mul(m, 2), n, n, n};
    for (int step = 0; step < 20000; step++) {
        /* b and c are a with some dims changed: independent ones would nearly always clash. */
        SfDim d[3][SF_RANK_MAX];
        const int rank = 1 + random_below(step % 100 == 0 ? SF_RANK_MAX : 12);
        for (int i = 0; i < rank; i++) {
            d[0][i] = dims[random_below(LEN(dims))];
            d[1][i] = random_below(3) != 0 ? d[0][i] : dims[random_below(LEN(dims))];
            d[2][i] = random_below(3) != 0 ? d[1][i] : dims[random_below(LEN(dims))];
        }
        const SfShape *a = sf_shape_make(rank, d[0]);
        const SfShape *b = sf_shape_make(rank, d[1]);
        const SfShape *c = sf_shape_make(rank, d[2]);
        check_pair(a, b);
        check_pair(b, c);
        check_triple(a, b, c);
    }
    sf_intern_reset();
}

/* soundness: no operation forgets a value that is possible */

/* The dim under n = value, as a set of integers: one, or all (unknown). */
static bool admits(SfDim d, const SfDim *symbols, const SfDim *values, int count, int64_t x)
{
    for (int i = 0; i < count; i++) {
        d = sf_dim_bind(d, symbols[i], values[i]);
    }
    return d == SF_DIM_UNKNOWN || d == x;
}

Test(laws, meet_and_join_are_sound)
{
    const SfDim s[] = {sf_dim_symbol("n"), sf_dim_symbol("m")};
    const SfDim dims[] = {SF_DIM_UNKNOWN,
                          SF_DIM_BOTTOM,
                          0,
                          1,
                          2,
                          3,
                          s[0],
                          s[1],
                          sf_dim_add(s[0], 1),
                          sf_dim_mul(s[0], 2),
                          sf_dim_sub(s[0], s[1]),
                          sf_dim_add(s[0], s[1]),
                          sf_dim_sub(3, s[0]),
                          sf_dim_add(sf_dim_mul(s[1], 2), 1)};
    for (int i = 0; i < LEN(dims); i++) {
        for (int j = 0; j < LEN(dims); j++) {
            const SfDim meet = sf_dim_meet(dims[i], dims[j]);
            const SfDim join = sf_dim_join(dims[i], dims[j]);
            for (int valuation = 0; valuation < 25; valuation++) {
                const SfDim v[] = {valuation % 5, valuation / 5};
                for (int64_t x = 0; x < 12; x++) {
                    const bool a = admits(dims[i], s, v, 2, x);
                    const bool b = admits(dims[j], s, v, 2, x);
                    cr_assert(!(a && b) || admits(meet, s, v, 2, x), "meet of dims %d and %d", i,
                              j);
                    cr_assert(!(a || b) || admits(join, s, v, 2, x), "join of dims %d and %d", i,
                              j);
                    cr_assert(!a || !sf_dim_never(dims[i], x));
                    cr_assert(a || dims[i] == SF_DIM_BOTTOM || !sf_dim_always(dims[i], x));
                }
            }
        }
    }
    sf_intern_reset();
}
