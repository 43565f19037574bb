/* Shapes: interning, accessors, notation, edits, binding. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "tests/c/domain/domain.h"

static SfSymbolScope *scope;

static void setup(void)
{
    scope = sf_symbol_scope_new();
}

static void teardown(void)
{
    sf_symbol_scope_free(scope);
    sf_intern_reset();
}

TestSuite(shape, .init = setup, .fini = teardown);

static const SfShape *S(const char *text)
{
    const SfShape *s = sf_shape_parse(text, scope, NULL);
    cr_assert_not_null(s, "cannot parse %s", text);
    return s;
}

static const char *text(const SfShape *s)
{
    static char buf[4096];
    sf_shape_format(s, true, buf, sizeof buf);
    return buf;
}

#define EXPECT_SHAPE(shape, expected)                                                              \
    do {                                                                                           \
        const SfShape *shape_ = (shape);                                                           \
        cr_expect_eq(shape_, S(expected), "%s is %s, not %s", #shape, text(shape_), expected);     \
    } while (0)

Test(shape, equal_shapes_are_one_pointer)
{
    const SfDim dims[] = {2, 3, SF_DIM_UNKNOWN};
    cr_expect_eq(sf_shape_make(3, dims), sf_shape_make(3, dims));
    cr_expect_neq(sf_shape_make(3, dims), sf_shape_make(2, dims));
    cr_expect_eq(sf_shape_make(0, dims), sf_shape_scalar());
    cr_expect_eq(sf_shape_make(0, NULL), sf_shape_scalar());
    cr_expect_eq(sf_shape_make(-1, NULL), sf_shape_unknown());
    cr_expect_eq(sf_shape_matrix(2, 3), sf_shape_make(2, dims));
    cr_expect_eq(sf_shape_vector(2), sf_shape_make(1, dims));
    cr_expect_eq(sf_shape_matrix(2, SF_DIM_BOTTOM), sf_shape_bottom());
    cr_expect_eq(sf_shape_of_rank(3), S("[?,?,?]"));
    cr_expect_eq(sf_shape_of_rank(3), S("[?,?,?]")); /* cached */
    cr_expect_eq(sf_shape_of_rank(0), sf_shape_scalar());
    cr_expect_eq(sf_shape_of_rank(-1), sf_shape_unknown());
    cr_expect_eq(sf_shape_rank(sf_shape_of_rank(SF_RANK_MAX)), SF_RANK_MAX);
    cr_expect_eq(sf_shape_of_rank(SF_RANK_MAX + 1), sf_shape_bottom());
}

Test(shape, accessors)
{
    const SfShape *s = S("[2,n,?]");
    cr_expect_eq(sf_shape_rank(s), 3);
    cr_expect_eq(sf_shape_dim(s, 0), 2);
    cr_expect_eq(sf_shape_dim(s, -3), 2);
    cr_expect_eq(sf_shape_dim(s, -1), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_dim(s, 3), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_dim(s, -4), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_dim(s, INT_MIN), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_dims(s)[0], 2);
    cr_expect(!sf_shape_is_known(s) && sf_shape_is_ranked(s) && !sf_shape_is_bottom(s));
    cr_expect(sf_shape_is_known(S("[2,3]")) && sf_shape_is_known(S("[]")));
    cr_expect_eq(sf_shape_rank(S("?")), SF_RANK_UNKNOWN);
    cr_expect_eq(sf_shape_dim(S("?"), 0), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_dim(S("?"), -1), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_shape_rank(S("!")), SF_RANK_BOTTOM);
    cr_expect(sf_shape_is_bottom(S("!")) && !sf_shape_is_ranked(S("!")));
    cr_expect(!sf_shape_is_known(S("?")) && !sf_shape_is_known(S("!")));
}

Test(shape, count)
{
    static const struct {
        const char *shape;
        const char *count;
    } rows[] = {
        {"[]", "1"},
        {"[2,3]", "6"},
        {"[2,?]", "?"},
        {"[0,?]", "0"},
        {"[?,0]", "0"},
        {"[n,28,28]", "784*n"},
        {"[28,n+1]", "28*n+28"},
        {"[n,m]", "?"},
        {"[n,n]", "?"},
        {"[n,0,m]", "0"},
        {"?", "?"},
        {"!", "!"},
        {"[4294967296,4294967296]", "!"},
        {"[4294967296,4294967296,0]", "0"},
        {"[4294967296,4294967296,?]", "?"},
        {"[4294967296,4294967296,n]", "?"},
        {"[4294967296,n]", "4294967296*n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buf[64];
        sf_dim_format(sf_shape_count(S(rows[i].shape)), true, buf, sizeof buf);
        cr_expect_str_eq(buf, rows[i].count, "count of %s is %s", rows[i].shape, buf);
    }
}

Test(shape, text)
{
    char buf[64];
    cr_expect_str_eq(text(S("[batch,784]")), "[batch, 784]");
    cr_expect_str_eq(text(S("[2*n+1, n-1,3-n]")), "[2*n+1, n-1, 3-n]");
    cr_expect_str_eq(text(S("?")), "<unknown>");
    cr_expect_str_eq(text(S("<unknown>")), "<unknown>");
    cr_expect_str_eq(text(S("!")), "<bottom>");
    cr_expect_str_eq(text(S(" [ ] ")), "[]");
    cr_expect_eq(sf_shape_format(S("[batch,784]"), false, buf, sizeof buf), 7);
    cr_expect_str_eq(buf, "[?,784]");
    cr_expect_eq(sf_shape_format(S("[batch,784]"), false, buf, 4), 7);
    cr_expect_str_eq(buf, "[?,");
    cr_expect_eq(sf_shape_format(S("[batch,784]"), false, NULL, 0), 7);
}

Test(shape, notation)
{
    const char *end;
    cr_expect_eq(S("[-1, 3]"), S("[?,3]"));
    cr_expect_eq(S("[n+n]"), S("[2*n]"));
    cr_expect_eq(S("[2 * n + 3 - 2*n]"), S("[3]"));
    cr_expect_eq(S("[-n+3]"), S("[3-n]"));
    cr_expect_eq(S("[-2]"), sf_shape_bottom());
    cr_expect_eq(sf_shape_parse("[2] [3]", scope, &end), S("[2]"));
    cr_expect_str_eq(end, " [3]");
    cr_expect_neq(S("[n]"), S("[m]"));
    SfSymbolScope *other = sf_symbol_scope_new();
    cr_expect_neq(sf_shape_parse("[n]", other, NULL), S("[n]"));
    cr_expect_str_eq(text(sf_shape_parse("[n]", other, NULL)), "[n]");
    sf_symbol_scope_free(other);
    sf_symbol_scope_free(NULL);
    static const char *const wrong[] = {
        "",
        "[",
        "]",
        "[2",
        "[2,",
        "[2,]",
        "[,]",
        "[2 3]",
        "[2]x",
        "[2*]",
        "[*n]",
        "[2**n]",
        "[n+]",
        "[--n]",
        "[2n]",
        "[n*2]",
        "[99999999999999999999]",
        "[9223372036854775807*n+n]",
        "x",
        "<unk",
        "[?+1]",
        "[2]]",
        "[\xc3\xa9]",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_null(sf_shape_parse(wrong[i], scope, NULL), "%s was read", wrong[i]);
    }
    cr_expect_null(sf_shape_parse("[n]", NULL, NULL));
    cr_expect_eq(sf_shape_parse("[2]", NULL, NULL), S("[2]"));
}

Test(shape, notation_of_too_many_dims_is_bottom)
{
    char buf[2 * 300 + 2];
    char *p = buf;
    *p++ = '[';
    for (int i = 0; i < 300; i++) {
        *p++ = '1';
        *p++ = i < 299 ? ',' : ']';
    }
    *p = '\0';
    cr_expect_eq(sf_shape_parse(buf, scope, NULL), sf_shape_bottom());
}

Test(shape, order)
{
    EXPECT_SHAPE(sf_shape_meet(S("[2,?]"), S("[?,3]")), "[2,3]");
    EXPECT_SHAPE(sf_shape_meet(S("[n,?]"), S("[4,3]")), "[4,3]");
    EXPECT_SHAPE(sf_shape_meet(S("[n]"), S("[n+1]")), "!");
    EXPECT_SHAPE(sf_shape_meet(S("[2]"), S("[2,2]")), "!");
    EXPECT_SHAPE(sf_shape_meet(S("?"), S("[2,2]")), "[2,2]");
    EXPECT_SHAPE(sf_shape_join(S("[2,3]"), S("[2,4]")), "[2,?]");
    EXPECT_SHAPE(sf_shape_join(S("[2,n]"), S("[2,m]")), "[2,?]");
    EXPECT_SHAPE(sf_shape_join(S("[2,n]"), S("[?,n]")), "[?,n]");
    EXPECT_SHAPE(sf_shape_join(S("[2]"), S("[2,3]")), "?");
    cr_expect_null(sf_shape_meet(NULL, S("[2]")));
    cr_expect_null(sf_shape_join(S("[2]"), NULL));
}

Test(shape, bind)
{
    const SfShape *from = S("[n,784]");
    EXPECT_SHAPE(sf_shape_bind(S("[2*n,n+1,m]"), from, S("[32,784]")), "[64,33,m]");
    EXPECT_SHAPE(sf_shape_bind(S("[n,m]"), S("[n,m]"), S("[m,n]")), "[m,n]");
    EXPECT_SHAPE(sf_shape_bind(S("[n+m]"), S("[n,m]"), S("[3,4]")), "[7]");
    EXPECT_SHAPE(sf_shape_bind(S("[n]"), S("[n,n]"), S("[3,4]")), "[3]");
    EXPECT_SHAPE(sf_shape_bind(S("[n]"), from, S("[?,784]")), "[n]");
    EXPECT_SHAPE(sf_shape_bind(S("[n]"), from, S("?")), "[n]");
    EXPECT_SHAPE(sf_shape_bind(S("[n]"), from, S("[32]")), "[n]");
    EXPECT_SHAPE(sf_shape_bind(S("[n]"), S("[2*n]"), S("[32]")), "[n]");
    EXPECT_SHAPE(sf_shape_bind(S("[n-1]"), S("[n]"), S("[0]")), "!");
    EXPECT_SHAPE(sf_shape_bind(S("[2*n]"), S("[n]"), S("[9223372036854775807]")), "[?]");
    EXPECT_SHAPE(sf_shape_bind(S("?"), from, S("[32,784]")), "?");
    EXPECT_SHAPE(sf_shape_bind(S("[]"), from, S("[32,784]")), "[]");
    cr_expect_null(sf_shape_bind(S("[n]"), from, NULL));
}

Test(shape, forget_symbols)
{
    EXPECT_SHAPE(sf_shape_forget_symbols(S("[n,3,n+1,?]")), "[?,3,?,?]");
    EXPECT_SHAPE(sf_shape_forget_symbols(S("[2,?]")), "[2,?]");
    EXPECT_SHAPE(sf_shape_forget_symbols(S("?")), "?");
    EXPECT_SHAPE(sf_shape_forget_symbols(S("!")), "!");
}

Test(shape, concat)
{
    EXPECT_SHAPE(sf_shape_concat(S("[2]"), S("[3,n]")), "[2,3,n]");
    EXPECT_SHAPE(sf_shape_concat(S("[]"), S("[3,n]")), "[3,n]");
    EXPECT_SHAPE(sf_shape_concat(S("[]"), S("[]")), "[]");
    EXPECT_SHAPE(sf_shape_concat(S("[2]"), S("?")), "?");
    EXPECT_SHAPE(sf_shape_concat(S("?"), S("!")), "!");
    EXPECT_SHAPE(sf_shape_concat(sf_shape_of_rank(200), sf_shape_of_rank(100)), "!");
    cr_expect_null(sf_shape_concat(NULL, S("[2]")));
}

Test(shape, slice_as_python)
{
    const SfShape *s = S("[2,3,4,5]");
    EXPECT_SHAPE(sf_shape_slice(s, 1, 3), "[3,4]");
    EXPECT_SHAPE(sf_shape_slice(s, -2, INT_MAX), "[4,5]");
    EXPECT_SHAPE(sf_shape_slice(s, 0, -1), "[2,3,4]");
    EXPECT_SHAPE(sf_shape_slice(s, INT_MIN, INT_MAX), "[2,3,4,5]");
    EXPECT_SHAPE(sf_shape_slice(s, 3, 1), "[]");
    EXPECT_SHAPE(sf_shape_slice(s, 9, 12), "[]");
    EXPECT_SHAPE(sf_shape_slice(S("?"), 0, 1), "?");
    EXPECT_SHAPE(sf_shape_slice(S("!"), 0, 1), "!");
}

Test(shape, replace_insert_remove)
{
    const SfShape *s = S("[2,3,4]");
    EXPECT_SHAPE(sf_shape_replace(s, 1, 7), "[2,7,4]");
    EXPECT_SHAPE(sf_shape_replace(s, -1, 7), "[2,3,7]");
    EXPECT_SHAPE(sf_shape_replace(s, 1, 3), "[2,3,4]");
    EXPECT_SHAPE(sf_shape_replace(s, 1, SF_DIM_BOTTOM), "!");
    EXPECT_SHAPE(sf_shape_replace(s, 3, 7), "?");
    EXPECT_SHAPE(sf_shape_replace(s, -4, 7), "?");
    EXPECT_SHAPE(sf_shape_replace(S("?"), 0, 7), "?");
    EXPECT_SHAPE(sf_shape_insert(s, 0, 1), "[1,2,3,4]");
    EXPECT_SHAPE(sf_shape_insert(s, 3, 1), "[2,3,4,1]");
    EXPECT_SHAPE(sf_shape_insert(s, -1, 1), "[2,3,4,1]");
    EXPECT_SHAPE(sf_shape_insert(s, -4, 1), "[1,2,3,4]");
    EXPECT_SHAPE(sf_shape_insert(s, 4, 1), "?");
    EXPECT_SHAPE(sf_shape_insert(S("[]"), -1, 1), "[1]");
    EXPECT_SHAPE(sf_shape_insert(S("!"), 0, 1), "!");
    EXPECT_SHAPE(sf_shape_insert(sf_shape_of_rank(SF_RANK_MAX), 0, 1), "!");
    EXPECT_SHAPE(sf_shape_remove(s, 0), "[3,4]");
    EXPECT_SHAPE(sf_shape_remove(s, -1), "[2,3]");
    EXPECT_SHAPE(sf_shape_remove(S("[2]"), 0), "[]");
    EXPECT_SHAPE(sf_shape_remove(S("[]"), 0), "?");
    cr_expect_null(sf_shape_remove(NULL, 0));
}
