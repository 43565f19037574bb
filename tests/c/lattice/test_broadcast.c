/* Broadcasting: rows of two shapes and their result, checked both ways round and weakened. */
#include <criterion/criterion.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "tests/c/domain/domain.h"

typedef struct Row {
    const char *a;
    const char *b;
    const char *expected;
    int axis; /* the failing one */
} Row;

static const Row rows[] = {
    {"[2,3]", "[2,3]", "[2,3]", -1},
    {"[2,3]", "[3]", "[2,3]", -1},
    {"[2,3]", "[]", "[2,3]", -1},
    {"[2,1,4]", "[3,1]", "[2,3,4]", -1},
    {"[0]", "[1]", "[0]", -1},
    {"[0]", "[2]", "!", 0},
    {"[2,3]", "[2,4]", "!", 0},
    {"[2,3]", "[3,3]", "!", 1},
    {"[5,2,3]", "[2,4]", "!", 0},
    {"[?]", "[3]", "[3]", -1},
    {"[?]", "[1]", "[?]", -1},
    {"[?]", "[0]", "[0]", -1},
    {"[?]", "[?]", "[?]", -1},
    {"[n]", "[n]", "[n]", -1},
    {"[n]", "[1]", "[n]", -1},
    {"[n]", "[3]", "[3]", -1},
    {"[n]", "[m]", "[?]", -1},
    {"[n]", "[?]", "[?]", -1},
    {"[n,10]", "[10]", "[n,10]", -1},
    {"[n+2]", "[?]", "[n+2]", -1}, /* never 1, so the other gives way */
    {"[n+2]", "[m]", "[n+2]", -1},
    {"[n+2]", "[m+2]", "[n+2]", -1},
    {"[n+2]", "[n+3]", "!", 0},
    {"[n+1]", "[n]", "[?]", -1}, /* n = 0 and n = 1 both fit */
    {"[2*n]", "[3]", "!", 0},
    {"[2*n]", "[4]", "[4]", -1},
    {"[2*n]", "[2*m+3]", "!", 0},
    {"?", "[3]", "?", -1},
    {"?", "?", "?", -1},
    {"!", "[3]", "!", -1},
    {"!", "?", "!", -1},
};

Test(broadcast, rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        SfSymbolScope *scope = sf_symbol_scope_new();
        const SfShape *a = sf_shape_parse(r->a, scope, NULL);
        const SfShape *b = sf_shape_parse(r->b, scope, NULL);
        const SfShape *expected = sf_shape_parse(r->expected, scope, NULL);
        cr_assert(a && b && expected);
        int axis = 7;
        cr_expect_eq(sf_shape_broadcast(a, b, &axis), expected, "%s and %s", r->a, r->b);
        cr_expect_eq(axis, r->axis, "axis of %s and %s", r->a, r->b);
        cr_expect_eq(sf_shape_broadcast(b, a, NULL), expected, "%s and %s", r->b, r->a);
        /* With one dim forgotten the answer may only tell less; an error may go, never come. */
        for (int k = 0; k < sf_shape_rank(a); k++) {
            const SfShape *weak =
                sf_shape_broadcast(sf_shape_replace(a, k, SF_DIM_UNKNOWN), b, NULL);
            cr_expect(sf_shape_leq(expected, weak), "weakened %s and %s", r->a, r->b);
        }
        sf_symbol_scope_free(scope);
    }
    cr_expect_null(sf_shape_broadcast(NULL, sf_shape_scalar(), NULL));
    sf_intern_reset();
}

/* Every concrete instance of two symbolic shapes broadcasts to an instance of the answer. */
Test(broadcast, sound)
{
    const SfDim s[] = {sf_dim_symbol("n"), sf_dim_symbol("m")};
    const SfDim dims[] = {0,
                          1,
                          2,
                          3,
                          s[0],
                          s[1],
                          sf_dim_add(s[0], 1),
                          sf_dim_add(s[0], 2),
                          sf_dim_mul(s[0], 2),
                          sf_dim_add(sf_dim_mul(s[1], 2), 1),
                          sf_dim_add(s[0], s[1])};
    const int count = sizeof dims / sizeof *dims;
    const SfShape *symbols = sf_shape_make(2, s);
    for (int i = 0; i < count * count; i++) {
        const SfShape *a = sf_shape_vector(dims[i % count]);
        const SfShape *b = sf_shape_vector(dims[i / count]);
        const SfShape *c = sf_shape_broadcast(a, b, NULL);
        for (int v = 0; v < 36; v++) {
            const SfShape *to = sf_shape_matrix(v % 6, v / 6);
            const SfShape *concrete = sf_shape_broadcast(sf_shape_bind(a, symbols, to),
                                                         sf_shape_bind(b, symbols, to), NULL);
            cr_assert(sf_shape_leq(concrete, sf_shape_bind(c, symbols, to)), "row %d valuation %d",
                      i, v);
        }
    }
    sf_intern_reset();
}
