/* Dims: arithmetic of linear expressions, what can be proved of them, text. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lattice/dim.h"
#include "lattice/intern.h"
#include "lattice/shape.h"
#include "tests/c/domain/domain.h"

#define B   SF_DIM_BOTTOM
#define U   SF_DIM_UNKNOWN
#define MAX SF_DIM_MAX

static const char *text(SfDim d)
{
    static char buf[256];
    sf_dim_format(d, true, buf, sizeof buf);
    return buf;
}

#define EXPECT_TEXT(dim, expected) cr_expect_str_eq(text(dim), expected)
#define EXPECT_DIM(dim, expected)  cr_expect_eq(dim, expected, "%s is %s", #dim, text(dim))

Test(dim, classes)
{
    cr_expect(sf_dim_is_known(0) && sf_dim_is_known(MAX));
    cr_expect(!sf_dim_is_known(U) && !sf_dim_is_known(B));
    cr_expect(!sf_dim_is_symbolic(U) && !sf_dim_is_symbolic(B) && !sf_dim_is_symbolic(3));
    cr_expect(sf_dim_is_symbolic(sf_dim_symbol("n")));
}

Test(dim, known_arithmetic)
{
    EXPECT_DIM(sf_dim_add(2, 3), 5);
    EXPECT_DIM(sf_dim_add(MAX, 1), B);
    EXPECT_DIM(sf_dim_sub(5, 3), 2);
    EXPECT_DIM(sf_dim_sub(3, 5), B);
    EXPECT_DIM(sf_dim_mul(6, 7), 42);
    EXPECT_DIM(sf_dim_mul(INT64_C(1) << 32, INT64_C(1) << 31), B);
    EXPECT_DIM(sf_dim_mul(MAX, 1), MAX);
    EXPECT_DIM(sf_dim_div_exact(6, 3), 2);
    EXPECT_DIM(sf_dim_div_exact(7, 3), B);
    EXPECT_DIM(sf_dim_div_floor(7, 3), 2);
    EXPECT_DIM(sf_dim_div_ceil(7, 3), 3);
    EXPECT_DIM(sf_dim_div_ceil(6, 3), 2);
    EXPECT_DIM(sf_dim_div_ceil(MAX, 2), MAX / 2 + 1);
    EXPECT_DIM(sf_dim_div_floor(7, 0), U);
    EXPECT_DIM(sf_dim_div_exact(7, -1), U);
}

Test(dim, unknown_and_bottom_operands)
{
    EXPECT_DIM(sf_dim_add(U, 0), U);
    EXPECT_DIM(sf_dim_add(U, 3), U);
    EXPECT_DIM(sf_dim_sub(U, U), U);
    EXPECT_DIM(sf_dim_mul(U, 0), 0);
    EXPECT_DIM(sf_dim_mul(0, U), 0);
    EXPECT_DIM(sf_dim_mul(U, 1), U);
    EXPECT_DIM(sf_dim_mul(U, 2), U);
    EXPECT_DIM(sf_dim_div_exact(U, 2), U);
    EXPECT_DIM(sf_dim_add(B, 1), B);
    EXPECT_DIM(sf_dim_sub(1, B), B);
    EXPECT_DIM(sf_dim_mul(0, B), B);
    EXPECT_DIM(sf_dim_div_floor(B, 2), B);
    EXPECT_DIM(sf_dim_div_exact(B, 2), B);
    EXPECT_DIM(sf_dim_div_ceil(B, 1), B);
}

Test(dim, linear_expressions_are_hash_consed)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    EXPECT_TEXT(sf_dim_add(n, 1), "n+1");
    EXPECT_TEXT(sf_dim_sub(n, 1), "n-1");
    EXPECT_TEXT(sf_dim_sub(3, n), "3-n");
    EXPECT_TEXT(sf_dim_add(sf_dim_mul(n, 2), 1), "2*n+1");
    EXPECT_TEXT(sf_dim_add(m, n), "n+m");
    EXPECT_TEXT(sf_dim_sub(n, sf_dim_mul(m, 3)), "n-3*m");
    EXPECT_TEXT(sf_dim_sub(m, n), "-n+m");
    EXPECT_DIM(sf_dim_add(n, m), sf_dim_add(m, n));
    EXPECT_DIM(sf_dim_sub(sf_dim_add(n, 1), 1), n);
    EXPECT_DIM(sf_dim_sub(n, n), 0);
    EXPECT_DIM(sf_dim_sub(sf_dim_add(n, 5), n), 5);
    EXPECT_DIM(sf_dim_sub(n, sf_dim_add(n, 1)), B);
    EXPECT_DIM(sf_dim_sub(0, sf_dim_add(n, 1)), B);
    EXPECT_DIM(sf_dim_add(0, n), n);
    EXPECT_DIM(sf_dim_mul(n, 1), n);
    EXPECT_DIM(sf_dim_mul(n, 0), 0);
    EXPECT_DIM(sf_dim_mul(n, m), U);
    EXPECT_DIM(sf_dim_mul(n, n), U);
    EXPECT_DIM(sf_dim_mul(sf_dim_add(n, 1), 3), sf_dim_add(sf_dim_mul(3, n), 3));
    EXPECT_DIM(sf_dim_add(n, U), U);
}

Test(dim, coefficients_past_int64_prove_nothing)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim big = sf_dim_mul(n, MAX);
    EXPECT_TEXT(big, "9223372036854775807*n");
    EXPECT_DIM(sf_dim_mul(big, 2), U);
    EXPECT_DIM(sf_dim_add(big, n), U);
    EXPECT_DIM(sf_dim_add(sf_dim_add(n, MAX), 1), U);
}

Test(dim, too_many_symbols_are_unknown)
{
    SfDim sum = 0;
    for (int i = 0; i < 16; i++) {
        sum = sf_dim_add(sum, sf_dim_symbol(NULL));
        cr_expect(sf_dim_is_symbolic(sum));
    }
    EXPECT_DIM(sf_dim_add(sum, sf_dim_symbol(NULL)), U);
}

Test(dim, quotients_of_expressions)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim two_n = sf_dim_mul(n, 2);
    EXPECT_DIM(sf_dim_div_exact(two_n, 2), n);
    EXPECT_DIM(sf_dim_div_exact(n, 2), U);
    EXPECT_DIM(sf_dim_div_exact(n, 1), n);
    EXPECT_DIM(sf_dim_div_exact(sf_dim_add(two_n, 1), 2), B);
    EXPECT_DIM(sf_dim_div_exact(sf_dim_add(two_n, 1), 4), B);
    EXPECT_DIM(sf_dim_div_exact(sf_dim_mul(n, 6), 4), U);
    EXPECT_DIM(sf_dim_div_floor(sf_dim_add(two_n, 1), 2), n);
    EXPECT_DIM(sf_dim_div_ceil(sf_dim_add(two_n, 1), 2), sf_dim_add(n, 1));
    EXPECT_DIM(sf_dim_div_floor(sf_dim_sub(two_n, 1), 2), sf_dim_sub(n, 1));
    EXPECT_DIM(sf_dim_div_ceil(sf_dim_sub(two_n, 1), 2), n);
    EXPECT_DIM(sf_dim_div_floor(n, 2), U);
}

Test(dim, never_and_always)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim two_n = sf_dim_mul(n, 2);
    cr_expect(sf_dim_never(two_n, 3));
    cr_expect(!sf_dim_never(two_n, 4));
    cr_expect(sf_dim_never(n, -1));
    cr_expect(sf_dim_never(sf_dim_add(n, 2), 1));
    cr_expect(!sf_dim_never(sf_dim_sub(n, 2), 1));
    cr_expect(!sf_dim_never(sf_dim_sub(n, m), -7));
    cr_expect(sf_dim_never(sf_dim_sub(3, n), 4));
    cr_expect(!sf_dim_never(sf_dim_sub(3, n), 2));
    cr_expect(sf_dim_never(sf_dim_add(two_n, sf_dim_mul(m, 4)), 7));
    cr_expect(sf_dim_never(3, 4) && !sf_dim_never(3, 3));
    cr_expect(sf_dim_never(U, -1) && !sf_dim_never(U, 0));
    cr_expect(sf_dim_never(B, 0) && sf_dim_always(B, 0));
    cr_expect(sf_dim_always(3, 3) && !sf_dim_always(3, 4));
    cr_expect(!sf_dim_always(n, 3) && !sf_dim_always(U, -1));
    cr_expect(!sf_dim_never(sf_dim_sub(n, 1), INT64_MAX)); /* the difference overflows */
}

Test(dim, bounds)
{
    const SfDim n = sf_dim_symbol("n");
    cr_expect_eq(sf_dim_lower(sf_dim_add(n, 2)), 2);
    cr_expect_eq(sf_dim_lower(sf_dim_sub(n, 2)), 0);
    cr_expect_eq(sf_dim_lower(sf_dim_sub(3, n)), 0);
    cr_expect_eq(sf_dim_upper(sf_dim_sub(3, n)), 3);
    cr_expect_eq(sf_dim_upper(n), MAX);
    cr_expect_eq(sf_dim_lower(7), 7);
    cr_expect_eq(sf_dim_upper(7), 7);
    cr_expect_eq(sf_dim_lower(U), 0);
    cr_expect_eq(sf_dim_upper(U), MAX);
}

Test(dim, order)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim next = sf_dim_add(n, 1);
    EXPECT_DIM(sf_dim_meet(n, 3), 3);
    EXPECT_DIM(sf_dim_meet(n, U), n);
    EXPECT_DIM(sf_dim_meet(n, next), B);
    EXPECT_DIM(sf_dim_meet(m, n), n);
    EXPECT_DIM(sf_dim_meet(n, m), n);
    EXPECT_DIM(sf_dim_meet(next, 0), B);
    EXPECT_DIM(sf_dim_meet(2, 3), B);
    EXPECT_DIM(sf_dim_join(n, n), n);
    EXPECT_DIM(sf_dim_join(n, 3), U);
    EXPECT_DIM(sf_dim_join(3, B), 3);
    cr_expect(sf_dim_leq(B, 3) && sf_dim_leq(3, n) && sf_dim_leq(n, U) && sf_dim_leq(n, m));
    cr_expect(!sf_dim_leq(U, n) && !sf_dim_leq(n, 3) && !sf_dim_leq(0, next));
    cr_expect(sf_dim_compatible(n, m) && !sf_dim_compatible(n, next) && !sf_dim_compatible(B, U));
}

Test(dim, binding)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfDim e = sf_dim_add(sf_dim_mul(n, 2), m);
    EXPECT_DIM(sf_dim_bind(sf_dim_mul(n, 2), n, 8), 16);
    EXPECT_DIM(sf_dim_bind(e, n, 4), sf_dim_add(m, 8));
    EXPECT_DIM(sf_dim_bind(e, n, m), sf_dim_mul(m, 3));
    EXPECT_DIM(sf_dim_bind(e, n, U), U);
    EXPECT_DIM(sf_dim_bind(e, n, B), B);
    EXPECT_DIM(sf_dim_bind(m, n, 8), m);
    EXPECT_DIM(sf_dim_bind(n, n, 8), 8);
    EXPECT_DIM(sf_dim_bind(7, n, 8), 7);
    EXPECT_DIM(sf_dim_bind(U, n, 8), U);
    EXPECT_DIM(sf_dim_bind(sf_dim_sub(n, 1), n, 0), B);
    EXPECT_DIM(sf_dim_bind(e, n, MAX), U);
    cr_expect(sf_dim_mentions(e, n) && sf_dim_mentions(e, m) && sf_dim_mentions(n, n));
    cr_expect(!sf_dim_mentions(m, n) && !sf_dim_mentions(U, n) && !sf_dim_mentions(4, n));
}

Test(dim, names)
{
    EXPECT_TEXT(sf_dim_symbol("batch"), "batch");
    EXPECT_TEXT(sf_dim_symbol("batch"), "batch_1");
    EXPECT_TEXT(sf_dim_symbol("batch_2"), "batch_2");
    EXPECT_TEXT(sf_dim_symbol("batch"), "batch_3");
    EXPECT_TEXT(sf_dim_symbol(NULL), "?");
    EXPECT_TEXT(sf_dim_add(sf_dim_symbol(NULL), 1), "?+1");
    EXPECT_TEXT(U, "?");
    EXPECT_TEXT(B, "!");
    EXPECT_TEXT(MAX, "9223372036854775807");
    EXPECT_TEXT(-1000000, "?"); /* names nothing */
}

/* The text is made when it is printed; the order of asking decides, and no two are the same. */
Test(dim, names_printed_late)
{
    const SfDim taken = sf_dim_symbol("n_2");
    const SfDim n[] = {sf_dim_symbol("n"), sf_dim_symbol("n"), sf_dim_symbol("n")};
    const SfDim late = sf_dim_symbol("n_1"), zero = sf_dim_symbol("n_01"),
                bare = sf_dim_symbol("_4");
    EXPECT_TEXT(n[2], "n_3");
    EXPECT_TEXT(late, "n_1_1");
    EXPECT_TEXT(n[1], "n_1");
    EXPECT_TEXT(n[0], "n");
    EXPECT_TEXT(taken, "n_2");
    EXPECT_TEXT(sf_dim_symbol("n_2"), "n_2_1");
    EXPECT_TEXT(zero, "n_01");
    EXPECT_TEXT(bare, "_4");
}

Test(dim, format_is_snprintf)
{
    char buf[8];
    const SfDim n = sf_dim_symbol("a_long_name");
    cr_expect_eq(sf_dim_format(n, true, buf, sizeof buf), 11);
    cr_expect_str_eq(buf, "a_long_");
    cr_expect_eq(sf_dim_format(n, true, NULL, 0), 11);
    cr_expect_eq(sf_dim_format(n, false, buf, sizeof buf), 1);
    cr_expect_str_eq(buf, "?");
    cr_expect_eq(sf_dim_format(1234, true, buf, 1), 4);
    cr_expect_str_eq(buf, "");
}

Test(dim, numbers_that_name_nothing_are_unknown)
{
    EXPECT_DIM(sf_dim_add(-1000000, 1), U);
    EXPECT_DIM(sf_dim_mul(-1000000, 2), U);
    cr_expect(sf_dim_compatible(-1000000, 4));
    cr_expect(!sf_dim_never(-1000000, 4));
}

Test(dim, many_expressions)
{
    /* Crosses several segments of the table. */
    const SfDim n = sf_dim_symbol("n");
    for (int64_t i = 1; i < 5000; i++) {
        const SfDim d = sf_dim_add(n, i);
        cr_assert_eq(sf_dim_sub(d, n), i);
    }
    for (int64_t i = 1; i < 5000; i++) {
        cr_assert_eq(sf_dim_bind(sf_dim_add(n, i), n, 10), 10 + i);
    }
    size_t bytes, objects;
    sf_intern_stats(&bytes, &objects);
    cr_expect_geq(objects, (size_t)5000);
    cr_expect_gt(bytes, objects);
    sf_intern_reset();
    sf_intern_stats(&bytes, &objects);
    cr_expect_eq(objects, (size_t)0);
}
