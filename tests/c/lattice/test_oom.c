/* Memory failure: a scenario that touches everything runs with its n-th allocation failing, for
 * n = 1, 2, 3... until it gets through. No step may crash, and what it answers must be sound: NULL,
 * unknown, or the answer that memory would have given. */
#include <criterion/criterion.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "lattice/value.h"
#include "tests/c/domain/domain.h"

static long allowed;
static long asked;

static int countdown(void)
{
    asked++;
    return allowed-- > 0;
}

static bool ok; /* did every step of the scenario get its memory? */

static const void *need(const void *p)
{
    ok = ok && p;
    return p;
}

/* An object that could be made twice is one object, also when its table could not grow. */
static const void *need_same(const void *p, const void *q)
{
    cr_assert(!p || !q || p == q);
    need(q);
    return need(p);
}

static SfDim need_dim(SfDim d)
{
    ok = ok && d != SF_DIM_UNKNOWN;
    return d;
}

static void dims_and_shapes(SfSymbolScope *scope)
{
    const SfDim n = need_dim(sf_dim_symbol("n"));
    const SfDim again = need_dim(sf_dim_symbol("n"));
    const SfDim anonymous = need_dim(sf_dim_symbol(NULL));
    const SfDim sum = need_dim(sf_dim_add(sf_dim_mul(n, 2), sf_dim_add(again, anonymous)));
    need_dim(sf_dim_div_exact(sf_dim_mul(sf_dim_add(sum, 1), 4), 2));
    const SfShape *a = need_same(sf_shape_matrix(n, 784), sf_shape_matrix(n, 784));
    const SfShape *b = need(sf_shape_make(3, (SfDim[]){sum, 28, 28}));
    const SfShape *parsed = need(sf_shape_parse("[x,2*y+1,-1]", scope, NULL));
    const SfShape *out;
    need(sf_shape_meet(a, sf_shape_of_rank(2)));
    need(sf_shape_meet(sf_shape_matrix(SF_DIM_UNKNOWN, 5), sf_shape_matrix(5, SF_DIM_UNKNOWN)));
    need(sf_shape_join(a, sf_shape_matrix(n, 10)));
    need(sf_shape_broadcast(a, sf_shape_vector(1), NULL));
    need(sf_shape_bind(a, a, sf_shape_matrix(sf_dim_add(again, 7), 784)));
    need(sf_shape_bind(parsed, parsed, b));
    need(sf_shape_forget_symbols(b));
    need(sf_shape_concat(a, b));
    need(sf_shape_remove(sf_shape_insert(sf_shape_replace(b, 1, n), 0, 1), -1));
    need(sf_shape_slice(b, 1, 3));
    if (sf_shape_reshape(b, sf_shape_matrix(SF_DIM_UNKNOWN, 7), true, &out) == SF_FIT_NOMEM) {
        ok = false;
    }
    char text[64];
    if (b) {
        sf_shape_format(b, true, text, sizeof text);
    }
}

static void values(void)
{
    const SfDim n = need_dim(sf_dim_symbol("values"));
    const SfElem string = sf_elem_string("some bytes", 10);
    ok = ok && string.kind == SF_ELEM_STRING;
    need_same(string.u.s, sf_elem_string("some bytes", 10).u.s);
    need_same(sf_value_fill(SF_DT_STRING, sf_shape_scalar(), string),
              sf_value_fill(SF_DT_STRING, sf_shape_scalar(), string));
    need(sf_value_fill(SF_DT_FLOAT, sf_shape_matrix(30, 40), sf_elem_float(1)));
    const SfElem partial[] = {sf_elem_dim(n), sf_elem_int(3), sf_elem_unknown()};
    const SfElem other[] = {sf_elem_int(8), sf_elem_unknown(), sf_elem_int(4)};
    const SfShape *three = need(sf_shape_vector(3));
    const SfValue *a = need(sf_value_make(SF_DT_INT32, three, partial));
    const SfValue *b = need(sf_value_make(SF_DT_INT32, three, other));
    bool conflict = false;
    if (a && b) {
        need(sf_value_meet(a, b, &conflict));
        cr_assert_not(conflict, "memory failure must not look like a contradiction");
    }
    need(sf_value_join(a, sf_value_bind(a, n, 9)));
    need(sf_value_bind(a, n, 5));
    need(sf_value_as_shape(a));
    need(sf_value_from_shape(sf_value_as_shape(a), SF_DT_INT64));
    need(sf_value_reshape(a, sf_shape_make(3, (SfDim[]){1, 3, 1})));
    need(sf_value_int(SF_DT_INT64, 7));
    need(sf_value_float(SF_DT_HALF, 0.1));
}

/* Enough objects for the tables of uthash to grow and the segments of expressions to follow. */
static void many(void)
{
    const SfDim n = need_dim(sf_dim_symbol("many"));
    for (int i = 1; i < 400; i++) {
        const SfDim d = need_dim(sf_dim_add(n, i));
        const SfDim twice = need_dim(sf_dim_add(n, i));
        const SfShape *s = need_same(sf_shape_vector(d), sf_shape_vector(d));
        need_same(sf_value_int(SF_DT_INT32, i), sf_value_int(SF_DT_INT32, i));
        cr_assert(d == twice || d == SF_DIM_UNKNOWN || twice == SF_DIM_UNKNOWN);
        cr_assert(!s || d == SF_DIM_UNKNOWN || sf_shape_dim(s, 0) == d);
    }
}

static bool run(long allocations)
{
    allowed = allocations;
    asked = 0;
    ok = true;
    sf_alloc_set_hook(countdown);
    SfSymbolScope *scope = sf_symbol_scope_new();
    if (!scope) {
        ok = false;
    } else {
        dims_and_shapes(scope);
    }
    values();
    many();
    sf_symbol_scope_free(scope);
    sf_alloc_set_hook(NULL);
    return ok;
}

/* The steps of many() are alike: past the rest of the scenario every seventh allocation will do. */
static long next_step(long n)
{
    return n < 150 ? n + 1 : n + 7;
}

/* After a failure the tables must still work: the same scenario with memory gives all answers. */
static void check_recovered(long step)
{
    cr_assert(run(1L << 30), "after failing allocation %ld", step);
    sf_intern_reset();
}

/* All from the n-th on fail, then the machine has memory again. */
Test(oom, every_allocation_fails_in_turn)
{
    long n = 0;
    while (!run(n)) {
        check_recovered(n);
        n = next_step(n);
        cr_assert_lt(n, 100000);
    }
    cr_expect_gt(n, 800, "the scenario allocates"); /* it did sweep something */
    sf_intern_reset();
}

static long failing;

static int fail_one(void)
{
    return ++asked != failing;
}

/* Only the n-th fails: the code behind the failure goes on with a half-made world. */
Test(oom, one_allocation_fails)
{
    for (failing = 1;; failing++) { /* each: tables grow at few of them */
        asked = 0;
        ok = true;
        sf_alloc_set_hook(fail_one);
        SfSymbolScope *scope = sf_symbol_scope_new();
        if (scope) {
            dims_and_shapes(scope);
        }
        values();
        many();
        sf_symbol_scope_free(scope);
        sf_alloc_set_hook(NULL);
        const bool through = asked < failing;
        check_recovered(failing);
        if (through) {
            break;
        }
    }
    cr_expect_gt(failing, 800);
}

Test(oom, a_lookup_that_finds_allocates_nothing)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim dims[] = {sf_dim_add(n, 1), 784, SF_DIM_UNKNOWN};
    const SfShape *s = sf_shape_make(3, dims);
    const SfShape *big = sf_shape_vector(SF_VALUE_MAX);
    const SfValue *zeros = sf_value_fill(SF_DT_FLOAT, big, sf_elem_float(0));
    const SfElem string = sf_elem_string("x", 1);
    allowed = 0;
    asked = 0;
    sf_alloc_set_hook(countdown);
    cr_expect_eq(sf_shape_make(3, (SfDim[]){sf_dim_add(n, 1), 784, SF_DIM_UNKNOWN}), s);
    cr_expect_eq(sf_value_fill(SF_DT_FLOAT, big, sf_elem_float(0)), zeros);
    cr_expect_eq(sf_value_make(SF_DT_FLOAT, big, sf_value_elems(zeros)), zeros);
    cr_expect_eq(sf_elem_string("x", 1).u.s, string.u.s);
    cr_expect_eq(sf_shape_meet(s, sf_shape_unknown()), s);
    sf_alloc_set_hook(NULL);
    cr_expect_eq(asked, 0);
    sf_intern_reset();
}
