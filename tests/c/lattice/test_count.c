/* Reshape arithmetic: rows, and all small cases against a count by brute force. */
#include <criterion/criterion.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "tests/c/domain/domain.h"

typedef struct Row {
    const char *from;
    const char *want; /* -1 is the dim to solve for */
    SfFit fit;
    const char *out;
} Row;

#define HUGE "[4294967296,4294967296]"

static const Row rows[] = {
    /* known */
    {"[2,3]", "[3,2]", SF_FIT_ALWAYS, "[3,2]"},
    {"[2,3]", "[-1]", SF_FIT_ALWAYS, "[6]"},
    {"[2,3]", "[3,-1]", SF_FIT_ALWAYS, "[3,2]"},
    {"[]", "[-1]", SF_FIT_ALWAYS, "[1]"},
    {"[]", "[1,1]", SF_FIT_ALWAYS, "[1,1]"},
    {"[6]", "[]", SF_FIT_NEVER, "[]"},
    {"[2,3]", "[4,5]", SF_FIT_NEVER, "[4,5]"},
    {"[2,3]", "[-1,5]", SF_FIT_NEVER, "[-1,5]"},
    {"[2,3]", "[-1,-1]", SF_FIT_MAYBE, "[?,?]"},
    {"[2,3]", "[-1,-1,5]", SF_FIT_NEVER, "[?,?,5]"},
    /* empty */
    {"[0,3]", "[-1]", SF_FIT_ALWAYS, "[0]"},
    {"[0,3]", "[-1,2]", SF_FIT_ALWAYS, "[0,2]"},
    {"[0,3]", "[0,-1]", SF_FIT_MAYBE, "[0,3]"},
    {"[0,3]", "[0,2,-1]", SF_FIT_MAYBE, "[0,2,1]"},
    {"[0,4]", "[0,2,-1]", SF_FIT_MAYBE, "[0,2,2]"},
    {"[0,3]", "[5,0]", SF_FIT_ALWAYS, "[5,0]"},
    {"[0,3]", "[3,2]", SF_FIT_NEVER, "[3,2]"},
    {"[2,3]", "[0,-1]", SF_FIT_NEVER, "[0,-1]"},
    {"[0]", "[n]", SF_FIT_MAYBE, "[n]"},
    {"[0]", "[n,-1]", SF_FIT_MAYBE, "[n,?]"},
    {"[0]", "[n+1]", SF_FIT_NEVER, "[n+1]"},
    {"[n]", "[0]", SF_FIT_MAYBE, "[0]"},
    {"[n+1]", "[0]", SF_FIT_NEVER, "[0]"},
    {"[?]", "[0,-1]", SF_FIT_MAYBE, "[0,?]"},
    {"[0,?]", "[0,-1]", SF_FIT_MAYBE, "[0,?]"},
    /* symbols cancel */
    {"[n,28,28]", "[-1,784]", SF_FIT_ALWAYS, "[n,784]"},
    {"[n,784]", "[-1,28,28,1]", SF_FIT_ALWAYS, "[n,28,28,1]"},
    {"[n,784]", "[n,-1]", SF_FIT_ALWAYS, "[n,784]"},
    {"[n,784]", "[-1]", SF_FIT_ALWAYS, "[784*n]"},
    {"[784*n]", "[-1,784]", SF_FIT_ALWAYS, "[n,784]"},
    {"[n+1,4]", "[-1,2]", SF_FIT_ALWAYS, "[2*n+2,2]"},
    {"[2*n]", "[n,-1]", SF_FIT_ALWAYS, "[n,2]"},
    {"[n,6]", "[2*n,-1]", SF_FIT_ALWAYS, "[2*n,3]"},
    {"[n,3]", "[2*n,-1]", SF_FIT_MAYBE, "[2*n,?]"},
    {"[n,m,4]", "[m,n,-1]", SF_FIT_ALWAYS, "[m,n,4]"},
    {"[n,m,4]", "[-1,m,2]", SF_FIT_ALWAYS, "[2*n,m,2]"},
    {"[n,m,4]", "[-1,4]", SF_FIT_ALWAYS, "[?,4]"},
    {"[n,m]", "[-1]", SF_FIT_ALWAYS, "[?]"},
    {"[n,m]", "[m,n]", SF_FIT_ALWAYS, "[m,n]"},
    {"[n,n]", "[n,-1]", SF_FIT_ALWAYS, "[n,n]"},
    {"[n,10]", "[-1,784]", SF_FIT_MAYBE, "[?,784]"},
    {"[n]", "[m]", SF_FIT_MAYBE, "[n]"},
    {"[6]", "[n,2]", SF_FIT_MAYBE, "[3,2]"},
    {"[7]", "[n,2]", SF_FIT_NEVER, "[n,2]"},
    {"[6]", "[n,m,2]", SF_FIT_MAYBE, "[n,m,2]"},
    {"[7]", "[n,m,2]", SF_FIT_NEVER, "[n,m,2]"},
    {"[6]", "[n,-1]", SF_FIT_MAYBE, "[n,?]"},
    {"[7]", "[2,n,-1]", SF_FIT_NEVER, "[2,n,?]"},
    /* never, whatever the symbol; but an empty batch excuses */
    {"[2*n+1]", "[2,-1]", SF_FIT_NEVER, "[2,?]"},
    {"[n,4]", "[3]", SF_FIT_NEVER, "[3]"},
    {"[n,4]", "[n,3]", SF_FIT_MAYBE, "[n,3]"},
    {"[n+1,4]", "[n+1,3]", SF_FIT_NEVER, "[n+1,3]"},
    {"[n,4]", "[n,3,-1]", SF_FIT_MAYBE, "[n,3,?]"},
    {"[n+1,4]", "[n+1,3,-1]", SF_FIT_NEVER, "[n+1,3,?]"},
    {"[n,m,4]", "[3]", SF_FIT_NEVER, "[3]"},
    {"[n,m,4]", "[8]", SF_FIT_MAYBE, "[8]"},
    {"[n]", "[2*n]", SF_FIT_MAYBE, "[n]"},
    {"[n+1]", "[n+2]", SF_FIT_NEVER, "[n+2]"},
    /* unknown */
    {"[?,3]", "[4,2]", SF_FIT_NEVER, "[4,2]"},
    {"[?,4]", "[4,2]", SF_FIT_MAYBE, "[4,2]"},
    {"[?,3]", "[-1,3]", SF_FIT_MAYBE, "[?,3]"},
    {"[?,n]", "[n,-1]", SF_FIT_MAYBE, "[n,?]"},
    {"?", "[2,-1]", SF_FIT_MAYBE, "[2,?]"},
    {"[2,3]", "?", SF_FIT_MAYBE, "?"},
    {"!", "[2]", SF_FIT_MAYBE, "!"},
    {"[2]", "!", SF_FIT_MAYBE, "!"},
    /* past int64 */
    {HUGE, "[-1]", SF_FIT_MAYBE, "[?]"},
    {HUGE, HUGE, SF_FIT_ALWAYS, HUGE},
    {HUGE, "[6]", SF_FIT_NEVER, "[6]"},
    {"[6]", HUGE, SF_FIT_NEVER, HUGE},
    {"[6]", "[4294967296,4294967296,-1]", SF_FIT_NEVER, "[4294967296,4294967296,?]"},
    {"[n]", "[4294967296,4294967296,-1]", SF_FIT_MAYBE, "[4294967296,4294967296,?]"},
    {"[?]", "[4294967296,4294967296,-1]", SF_FIT_MAYBE, "[4294967296,4294967296,?]"},
    {"[0]", "[4294967296,4294967296,-1]", SF_FIT_ALWAYS, "[4294967296,4294967296,0]"},
    {"[4294967296,4294967296,n]", "[-1,2]", SF_FIT_MAYBE, "[?,2]"},
};

Test(count, reshape_rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        SfSymbolScope *scope = sf_symbol_scope_new();
        const SfShape *from = sf_shape_parse(r->from, scope, NULL);
        const SfShape *want = sf_shape_parse(r->want, scope, NULL);
        const SfShape *expected = sf_shape_parse(r->out, scope, NULL);
        cr_assert(from && want && expected, "%s to %s", r->from, r->want);
        const SfShape *out;
        const SfFit fit = sf_shape_reshape(from, want, true, &out);
        char buf[256];
        sf_shape_format(out, true, buf, sizeof buf);
        cr_expect_eq(fit, r->fit, "%s to %s: fit %d", r->from, r->want, (int)fit);
        cr_expect_eq(out, expected, "%s to %s: %s", r->from, r->want, buf);
        /* Not solving changes the shape, never the verdict. */
        cr_expect_eq(sf_shape_reshape(from, want, false, &out), fit, "%s to %s", r->from, r->want);
        cr_expect(sf_shape_leq(expected, out));
        for (int k = 0; k < sf_shape_rank(from); k++) {
            const SfShape *weak = sf_shape_replace(from, k, SF_DIM_UNKNOWN);
            const SfFit weak_fit = sf_shape_reshape(weak, want, true, &out);
            cr_expect(weak_fit == r->fit || weak_fit == SF_FIT_MAYBE, "weakened %s to %s", r->from,
                      r->want);
        }
        sf_symbol_scope_free(scope);
    }
    sf_intern_reset();
}

Test(count, reshape_without_solving_keeps_the_unknown)
{
    const SfShape *out;
    const SfShape *want = sf_shape_matrix(SF_DIM_UNKNOWN, 2);
    cr_expect_eq(sf_shape_reshape(sf_shape_vector(6), want, false, &out), SF_FIT_ALWAYS);
    cr_expect_eq(out, want);
}

Test(count, reshape_of_nothing_is_no_memory)
{
    const SfShape *out = sf_shape_scalar();
    cr_expect_eq(sf_shape_reshape(NULL, sf_shape_scalar(), true, &out), SF_FIT_NOMEM);
    cr_expect_null(out);
}

/* The verdict and the shape hold for every value of the symbols: the solved dim may only be off for
 * empty tensors, where the count does not determine it. */
Test(count, reshape_is_sound)
{
    const SfDim s[] = {sf_dim_symbol("n"), sf_dim_symbol("m")};
    const SfDim dims[] = {SF_DIM_UNKNOWN,
                          0,
                          1,
                          2,
                          3,
                          6,
                          s[0],
                          s[1],
                          sf_dim_add(s[0], 1),
                          sf_dim_mul(s[0], 2),
                          sf_dim_add(sf_dim_mul(s[1], 2), 1)};
    enum { N = sizeof dims / sizeof *dims };
    const SfShape *symbols = sf_shape_make(2, s);
    for (int i = 0; i < N * N * N * N; i++) {
        if (dims[i % N] == SF_DIM_UNKNOWN || dims[i / N % N] == SF_DIM_UNKNOWN) {
            continue;
        }
        const SfShape *from = sf_shape_matrix(dims[i % N], dims[i / N % N]);
        const SfShape *want = sf_shape_matrix(dims[i / N / N % N], dims[i / N / N / N]);
        const SfShape *out;
        const SfFit fit = sf_shape_reshape(from, want, true, &out);
        for (int v = 0; v < 16; v++) {
            const SfShape *to = sf_shape_matrix(v % 4, v / 4);
            const SfShape *from_v = sf_shape_bind(from, symbols, to);
            const SfShape *want_v = sf_shape_bind(want, symbols, to);
            const SfShape *out_v;
            const SfFit fit_v = sf_shape_reshape(from_v, want_v, true, &out_v);
            const bool solved_empty = sf_shape_count(from_v) == 0;
            cr_assert(fit != SF_FIT_NEVER || fit_v == SF_FIT_NEVER, "case %d valuation %d", i, v);
            cr_assert(fit != SF_FIT_ALWAYS || fit_v == SF_FIT_ALWAYS || solved_empty,
                      "case %d valuation %d", i, v);
            if (fit_v != SF_FIT_NEVER && !solved_empty) {
                cr_assert(sf_shape_leq(out_v, sf_shape_bind(out, symbols, to)),
                          "case %d valuation %d", i, v);
            }
        }
    }
    sf_intern_reset();
}
