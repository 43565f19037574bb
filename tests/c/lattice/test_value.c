/* Values: normal form of elements, interning, order, shapes, text. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "lattice/intern.h"
#include "lattice/value.h"
#include "tests/c/domain/domain.h"

static void teardown(void)
{
    sf_intern_reset();
}

TestSuite(value, .fini = teardown);

static const SfValue *vector(SfDtype t, int count, const SfElem *elems)
{
    return sf_value_make(t, sf_shape_vector(count), elems);
}

#define VECTOR(t, ...)                                                                             \
    vector(t, (int)(sizeof((SfElem[]){__VA_ARGS__}) / sizeof(SfElem)), (SfElem[]){__VA_ARGS__})
#define I   sf_elem_int
#define F   sf_elem_float
#define D   sf_elem_dim
#define UNK sf_elem_unknown()

static SfElem stored(SfDtype t, SfElem e)
{
    return sf_value_elem(sf_value_fill(t, sf_shape_scalar(), e), 0);
}

Test(value, integers_wrap)
{
    static const struct {
        SfDtype t;
        int64_t in;
        int64_t out;
    } rows[] = {
        {SF_DT_INT8, 127, 127},
        {SF_DT_INT8, 128, -128},
        {SF_DT_INT8, -129, 127},
        {SF_DT_UINT8, 256, 0},
        {SF_DT_UINT8, -1, 255},
        {SF_DT_INT16, 40000, -25536},
        {SF_DT_UINT16, -1, 65535},
        {SF_DT_INT32, INT64_C(1) << 31, INT32_MIN},
        {SF_DT_INT32, (INT64_C(1) << 32) + 5, 5},
        {SF_DT_UINT32, -1, UINT32_MAX},
        {SF_DT_INT64, INT64_MIN, INT64_MIN},
        {SF_DT_UINT64, -1, -1},
        {SF_DT_INT4, 8, -8},
        {SF_DT_INT4, 7, 7},
        {SF_DT_UINT4, 16, 0},
        {SF_DT_INT2, 2, -2},
        {SF_DT_UINT2, 5, 1},
        {SF_DT_QINT8, 200, -56},
        {SF_DT_QUINT8, 200, 200},
        {SF_DT_QUINT16, -1, 65535},
        {SF_DT_QINT32, INT64_C(1) << 32, 0},
        {SF_DT_BOOL, 7, 1},
        {SF_DT_BOOL, 0, 0},
        {(SfDtype)(SF_DT_INT8 + SF_DT_REF), 128, -128},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SfElem e = stored(rows[i].t, I(rows[i].in));
        cr_expect_eq(e.kind, SF_ELEM_INT);
        cr_expect_eq(e.u.i, rows[i].out, "row %zu is %lld", i, (long long)e.u.i);
    }
}

Test(value, reals_round_to_even)
{
    static const struct {
        SfDtype t;
        double in;
        double out;
    } rows[] = {
        {SF_DT_DOUBLE, 0.1, 0.1},
        {SF_DT_FLOAT, 0.1, 0.100000001490116119384765625},
        {SF_DT_FLOAT, 16777217, 16777216},
        {SF_DT_FLOAT, 16777219, 16777220},
        {SF_DT_FLOAT, 1e39, INFINITY},
        {SF_DT_FLOAT, 3.4028235677973366e38, INFINITY}, /* halfway beyond the largest */
        {SF_DT_FLOAT, -3.4028235e38, -3.4028234663852886e38},
        {SF_DT_FLOAT, 1e-45, 0x1p-149},
        {SF_DT_FLOAT, 1e-46, 0},
        {SF_DT_HALF, 0.1, 0.0999755859375},
        {SF_DT_HALF, 2049, 2048},
        {SF_DT_HALF, 2051, 2052},
        {SF_DT_HALF, 65519, 65504},
        {SF_DT_HALF, 65520, INFINITY},
        {SF_DT_HALF, 0x1p-24, 0x1p-24},
        {SF_DT_HALF, 0x1p-25, 0},
        {SF_DT_BFLOAT16, 0.1, 0.10009765625},
        {SF_DT_BFLOAT16, 257, 256},
        {SF_DT_BFLOAT16, 3.4e38, INFINITY},
        {SF_DT_BFLOAT16, 3.39e38, 0x1.fep127},
        {SF_DT_FLOAT8_E5M2, 0.1, 0.09375},
        {SF_DT_FLOAT8_E5M2, 57344, 57344},
        {SF_DT_FLOAT8_E5M2, 1e6, INFINITY},
        {SF_DT_FLOAT8_E4M3FN, 0.1, 0.1015625},
        {SF_DT_FLOAT8_E4M3FN, 448, 448},
        {SF_DT_FLOAT8_E4M3FN, 500, NAN},
        {SF_DT_FLOAT8_E4M3FN, INFINITY, NAN},
        {SF_DT_FLOAT8_E4M3FNUZ, 31, 32},
        {SF_DT_FLOAT8_E4M3FNUZ, 248, NAN},
        {SF_DT_FLOAT8_E4M3FNUZ, -0.0, 0},
        {SF_DT_FLOAT8_E4M3B11FNUZ, 30.9, 30},
        {SF_DT_FLOAT8_E4M3B11FNUZ, 31, NAN},
        {SF_DT_FLOAT8_E5M2FNUZ, 250, 256},
        {SF_DT_FLOAT8_E5M2FNUZ, -1e-60, 0},
        {SF_DT_FLOAT4_E2M1FN, 1.3, 1.5},
        {SF_DT_FLOAT4_E2M1FN, 0.26, 0.5},
        {SF_DT_FLOAT4_E2M1FN, 0.25, 0},
        {SF_DT_FLOAT4_E2M1FN, -INFINITY, -6},
        {SF_DT_FLOAT, -INFINITY, -INFINITY},
        {SF_DT_HALF, NAN, NAN},
        {SF_DT_FLOAT, -0.0, -0.0},
        {SF_DT_FLOAT, -1e-60, -0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double f = stored(rows[i].t, F(rows[i].in)).u.f;
        const bool same =
            isnan(rows[i].out) ? isnan(f) : f == rows[i].out && signbit(f) == signbit(rows[i].out);
        cr_expect(same, "row %zu is %.17g", i, f);
    }
    /* float is the machine's own: compare a sweep over all exponents. */
    for (double f = 0x1.fffffefp-152; f < 1e39; f *= 1.0009765) {
        cr_assert_eq(stored(SF_DT_FLOAT, F(f)).u.f, (double)(float)f, "%.17g", f);
    }
}

Test(value, kinds_follow_the_dtype)
{
    const SfDim n = sf_dim_symbol("n");
    const SfElem c = stored(SF_DT_COMPLEX64, sf_elem_complex(0.1, 2));
    cr_expect_eq(stored(SF_DT_FLOAT, I(3)).u.f, 3.0);
    cr_expect_eq(stored(SF_DT_INT32, F(-3.9)).u.i, -3);
    cr_expect_eq(stored(SF_DT_INT32, F(1e30)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_INT32, F(3e9)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_INT32, F(NAN)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_BOOL, F(0.5)).u.i, 1);
    cr_expect_eq(stored(SF_DT_BOOL, D(n)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_INT32, D(n)).u.dim, n);
    cr_expect_eq(stored(SF_DT_INT8, D(n)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_FLOAT, D(n)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_FLOAT, sf_elem_string("x", 1)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_STRING, I(1)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(stored(SF_DT_RESOURCE, I(1)).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(c.u.f, (double)0.1f);
    cr_expect_eq(c.im, 2.0);
    cr_expect_eq(stored(SF_DT_COMPLEX128, F(0.1)).u.f, 0.1);
    cr_expect_eq(stored(SF_DT_COMPLEX128, I(2)).kind, SF_ELEM_COMPLEX);
    cr_expect_eq(stored(SF_DT_FLOAT, sf_elem_complex(1, 2)).kind, SF_ELEM_UNKNOWN);
}

Test(value, elements_and_dims)
{
    const SfDim n = sf_dim_symbol("n");
    cr_expect_eq(D(3).kind, SF_ELEM_INT);
    cr_expect_eq(D(n).kind, SF_ELEM_DIM);
    cr_expect_eq(D(SF_DIM_UNKNOWN).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(D(SF_DIM_BOTTOM).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(sf_elem_as_dim(I(3)), 3);
    cr_expect_eq(sf_elem_as_dim(I(-1)), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_elem_as_dim(D(n)), n);
    cr_expect_eq(sf_elem_as_dim(F(3)), SF_DIM_UNKNOWN);
    cr_expect_eq(sf_elem_as_dim(UNK), SF_DIM_UNKNOWN);
}

Test(value, equal_values_are_one_pointer)
{
    const SfValue *v = VECTOR(SF_DT_INT32, I(1), I(2));
    cr_assert_not_null(v);
    cr_expect_eq(v, VECTOR(SF_DT_INT32, I(1), I(2)));
    cr_expect_eq(v, VECTOR(SF_DT_INT32, I(1), F(2)));
    cr_expect_eq(VECTOR(SF_DT_INT8, I(128)), VECTOR(SF_DT_INT8, I(-128)));
    cr_expect_neq(v, VECTOR(SF_DT_INT64, I(1), I(2)));
    cr_expect_neq(v, VECTOR(SF_DT_INT32, I(1), I(3)));
    cr_expect_neq(v, VECTOR(SF_DT_INT32, I(1), UNK));
    cr_expect_neq(v, sf_value_reshape(v, sf_shape_matrix(2, 1)));
    cr_expect_eq(v,
                 sf_value_reshape(sf_value_reshape(v, sf_shape_matrix(2, 1)), sf_shape_vector(2)));
    cr_expect_eq(v, vector((SfDtype)(SF_DT_INT32 + SF_DT_REF), 2, (SfElem[]){I(1), I(2)}));
    cr_expect_eq(sf_value_float(SF_DT_FLOAT, NAN), sf_value_float(SF_DT_FLOAT, -NAN));
    cr_expect_neq(sf_value_float(SF_DT_FLOAT, 0.0), sf_value_float(SF_DT_FLOAT, -0.0));
    cr_expect_eq(sf_value_int(SF_DT_INT32, 5), sf_value_fill(SF_DT_INT32, sf_shape_scalar(), I(5)));
    cr_expect_eq(VECTOR(SF_DT_INT32, I(7), I(7)),
                 sf_value_fill(SF_DT_INT32, sf_shape_vector(2), I(7)));
    cr_expect_neq(VECTOR(SF_DT_COMPLEX64, sf_elem_complex(1, 2)),
                  VECTOR(SF_DT_COMPLEX64, sf_elem_complex(1, 3)));
    /* Bytes behind the padding of an element must not count. */
    SfElem dirty;
    memset(&dirty, 0xff, sizeof dirty);
    dirty.kind = SF_ELEM_INT;
    dirty.u.i = 5;
    cr_expect_eq(sf_value_fill(SF_DT_INT32, sf_shape_scalar(), dirty),
                 sf_value_int(SF_DT_INT32, 5));
}

Test(value, limits)
{
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_vector(SF_VALUE_MAX + 1), I(0)));
    cr_expect_not_null(sf_value_fill(SF_DT_INT32, sf_shape_vector(SF_VALUE_MAX), I(0)));
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_unknown(), I(0)));
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_bottom(), I(0)));
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_vector(SF_DIM_UNKNOWN), I(0)));
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_matrix(0, SF_DIM_UNKNOWN), I(0)));
    cr_expect_null(sf_value_fill(SF_DT_INT32, sf_shape_matrix(INT64_MAX, 2), I(0)));
    cr_expect_null(sf_value_make(SF_DT_INT32, NULL, NULL));
    const SfValue *empty = sf_value_make(SF_DT_INT32, sf_shape_vector(0), NULL);
    cr_assert_not_null(empty);
    cr_expect(sf_value_is_exact(empty) && sf_value_count(empty) == 0);
    cr_expect_eq(sf_value_elem(empty, 0).kind, SF_ELEM_UNKNOWN);
}

Test(value, accessors)
{
    const SfValue *v = VECTOR(SF_DT_INT64, I(4), D(sf_dim_symbol("n")));
    int64_t i = 0;
    cr_expect_eq(sf_value_dtype(v), SF_DT_INT64);
    cr_expect_eq(sf_value_shape(v), sf_shape_vector(2));
    cr_expect_eq(sf_value_count(v), 2);
    cr_expect_eq(sf_value_elems(v)[0].u.i, 4);
    cr_expect_eq(sf_value_elem(v, 1).kind, SF_ELEM_DIM);
    cr_expect_eq(sf_value_elem(v, 2).kind, SF_ELEM_UNKNOWN);
    cr_expect_eq(sf_value_elem(v, -1).kind, SF_ELEM_UNKNOWN);
    cr_expect(!sf_value_is_exact(v));
    cr_expect(!sf_value_as_int(v, &i) && !sf_value_as_int(NULL, &i));
    cr_expect(sf_value_as_int(VECTOR(SF_DT_INT32, I(9)), &i));
    cr_expect_eq(i, 9);
    cr_expect(!sf_value_as_int(VECTOR(SF_DT_INT32, UNK), &i));
    cr_expect(!sf_value_as_int(sf_value_float(SF_DT_FLOAT, 2), &i));
}

Test(value, strings)
{
    const SfElem a = sf_elem_string("a\0b", 3);
    cr_expect_eq(a.u.s->len, (size_t)3);
    cr_expect_eq(memcmp(a.u.s->bytes, "a\0b", 4), 0);
    cr_expect_eq(a.u.s, sf_elem_string("a\0b", 3).u.s);
    cr_expect_neq(a.u.s, sf_elem_string("a\0c", 3).u.s);
    cr_expect_str_eq(sf_elem_string(NULL, 0).u.s->bytes, "");
    cr_expect_eq(VECTOR(SF_DT_STRING, a), VECTOR(SF_DT_STRING, sf_elem_string("a\0b", 3)));
}

Test(value, as_shape_and_back)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim dims[] = {n, 784, SF_DIM_UNKNOWN};
    const SfShape *s = sf_shape_make(3, dims);
    cr_expect_eq(sf_value_as_shape(VECTOR(SF_DT_INT32, D(n), I(784), I(-1))), s);
    cr_expect_eq(sf_value_as_shape(VECTOR(SF_DT_INT64, D(n), I(784), UNK)), s);
    cr_expect_eq(sf_value_as_shape(sf_value_make(SF_DT_INT32, sf_shape_vector(0), NULL)),
                 sf_shape_scalar());
    cr_expect_eq(sf_value_as_shape(NULL), sf_shape_unknown());
    cr_expect_eq(sf_value_as_shape(sf_value_int(SF_DT_INT32, -1)), sf_shape_unknown());
    cr_expect_eq(sf_value_as_shape(VECTOR(SF_DT_FLOAT, F(2))), sf_shape_unknown());
    cr_expect_eq(sf_value_as_shape(sf_value_fill(SF_DT_INT32, sf_shape_vector(300), I(1))),
                 sf_shape_bottom());
    cr_expect_eq(sf_value_from_shape(s, SF_DT_INT32), VECTOR(SF_DT_INT32, D(n), I(784), UNK));
    cr_expect_eq(sf_value_from_shape(sf_shape_scalar(), SF_DT_INT32),
                 sf_value_make(SF_DT_INT32, sf_shape_vector(0), NULL));
    cr_expect_null(sf_value_from_shape(sf_shape_unknown(), SF_DT_INT32));
    cr_expect_null(sf_value_from_shape(sf_shape_bottom(), SF_DT_INT32));
    cr_expect_null(sf_value_from_shape(NULL, SF_DT_INT32));
    const SfShape *big = sf_shape_vector(INT64_C(1) << 33);
    cr_expect_eq(sf_value_from_shape(big, SF_DT_INT32), VECTOR(SF_DT_INT32, UNK));
    cr_expect_eq(sf_value_from_shape(big, SF_DT_INT64), VECTOR(SF_DT_INT64, I(INT64_C(1) << 33)));
}

Test(value, reshape_and_bind)
{
    const SfDim n = sf_dim_symbol("n");
    const SfValue *v = VECTOR(SF_DT_INT32, D(n), D(sf_dim_sub(n, 3)), I(2), UNK);
    cr_expect_eq(sf_value_shape(sf_value_reshape(v, sf_shape_matrix(2, 2))), sf_shape_matrix(2, 2));
    cr_expect_null(sf_value_reshape(v, sf_shape_vector(3)));
    cr_expect_null(sf_value_reshape(v, sf_shape_unknown()));
    cr_expect_null(sf_value_reshape(NULL, sf_shape_vector(4)));
    cr_expect_eq(sf_value_bind(v, n, 5), VECTOR(SF_DT_INT32, I(5), I(2), I(2), UNK));
    /* As integers, not dims: n-3 may be negative. */
    cr_expect_eq(sf_value_bind(v, n, 1), VECTOR(SF_DT_INT32, I(1), I(-2), I(2), UNK));
    cr_expect_eq(sf_value_bind(v, n, SF_DIM_UNKNOWN), VECTOR(SF_DT_INT32, UNK, UNK, I(2), UNK));
    cr_expect_eq(sf_value_bind(v, sf_dim_symbol("m"), 5), v);
    cr_expect_null(sf_value_bind(NULL, n, 5));
}

Test(value, order)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_symbol("m");
    const SfValue *values[] = {
        NULL,
        VECTOR(SF_DT_INT32, I(1), I(2)),
        VECTOR(SF_DT_INT32, I(1), I(3)),
        VECTOR(SF_DT_INT32, I(1), UNK),
        VECTOR(SF_DT_INT32, UNK, I(2)),
        VECTOR(SF_DT_INT32, UNK, UNK),
        VECTOR(SF_DT_INT32, D(n), I(2)),
        VECTOR(SF_DT_INT32, D(m), D(n)),
        VECTOR(SF_DT_INT32, I(-1), I(2)),
        VECTOR(SF_DT_INT32, I(1)),
        VECTOR(SF_DT_INT64, I(1), I(2)),
        VECTOR(SF_DT_FLOAT, F(1), F(NAN)),
        VECTOR(SF_DT_FLOAT, F(0.0), UNK),
        VECTOR(SF_DT_FLOAT, F(-0.0), UNK),
    };
    const int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            const SfValue *a = values[i];
            const SfValue *b = values[j];
            bool conflict = true;
            bool again = true;
            const SfValue *meet = sf_value_meet(a, b, &conflict);
            const SfValue *join = sf_value_join(a, b);
            cr_expect_eq(sf_value_meet(b, a, &again), meet, "%d meets %d", i, j);
            cr_expect_eq(conflict, again);
            cr_expect_eq(sf_value_join(b, a), join, "%d joins %d", i, j);
            cr_expect_eq(sf_value_leq(a, b), !conflict && meet == a, "%d <= %d", i, j);
            cr_expect(conflict || (sf_value_leq(meet, a) && sf_value_leq(meet, b)));
            cr_expect(sf_value_leq(a, join) && sf_value_leq(b, join), "%d joins %d", i, j);
            cr_expect_eq(sf_value_meet(a, join, &again), a);
        }
    }
}

Test(value, meet_and_join)
{
    const SfDim n = sf_dim_symbol("n");
    bool conflict;
    cr_expect_eq(
        sf_value_meet(VECTOR(SF_DT_INT32, D(n), UNK), VECTOR(SF_DT_INT32, I(4), I(5)), &conflict),
        VECTOR(SF_DT_INT32, I(4), I(5)));
    cr_expect_not(conflict);
    cr_expect_null(sf_value_meet(VECTOR(SF_DT_INT32, D(n)), VECTOR(SF_DT_INT32, I(-1)), &conflict));
    cr_expect(conflict);
    cr_expect_null(sf_value_meet(VECTOR(SF_DT_INT32, D(n)),
                                 VECTOR(SF_DT_INT32, D(sf_dim_add(n, 1))), &conflict));
    cr_expect(conflict);
    cr_expect_not_null(
        sf_value_meet(VECTOR(SF_DT_FLOAT, F(0.0)), VECTOR(SF_DT_FLOAT, F(-0.0)), &conflict));
    cr_expect_not(conflict);
    cr_expect_eq(sf_value_join(VECTOR(SF_DT_INT32, I(1), I(2)), VECTOR(SF_DT_INT32, I(1), I(3))),
                 VECTOR(SF_DT_INT32, I(1), UNK));
    cr_expect_null(sf_value_join(VECTOR(SF_DT_INT32, I(1)), VECTOR(SF_DT_INT32, I(3))));
    cr_expect_null(sf_value_join(VECTOR(SF_DT_INT32, I(1)), NULL));
}

static const char *text(const SfValue *v)
{
    static char buf[4096];
    sf_value_format(v, buf, sizeof buf);
    return buf;
}

/* Expectations seen in messages of TensorFlow 1.8, 1.15 and 2.21. */
Test(value, text)
{
    const SfDim n = sf_dim_symbol("n");
    const SfValue *four = VECTOR(SF_DT_INT32, I(-1), I(2), I(3), I(4));
    const SfDim cube[] = {2, 2, 1};
    cr_expect_str_eq(text(sf_value_int(SF_DT_INT32, 5)), "5");
    cr_expect_str_eq(text(VECTOR(SF_DT_INT32, I(0), I(5))), "0 5");
    cr_expect_str_eq(text(sf_value_reshape(four, sf_shape_matrix(2, 2))), "[-1 2][3 4]");
    cr_expect_str_eq(text(sf_value_reshape(four, sf_shape_make(3, cube))), "[[-1][2]][[3][4]]");
    cr_expect_str_eq(text(sf_value_float(SF_DT_FLOAT, 0.1)), "0.1");
    cr_expect_str_eq(text(sf_value_float(SF_DT_FLOAT, .333333)), "0.333333");
    cr_expect_str_eq(text(sf_value_float(SF_DT_FLOAT, 1.5)), "1.5");
    cr_expect_str_eq(text(sf_value_float(SF_DT_DOUBLE, 0.1 + 0.2)), "0.30000000000000004");
    cr_expect_str_eq(text(sf_value_float(SF_DT_FLOAT, -INFINITY)), "-inf");
    cr_expect_str_eq(text(sf_value_float(SF_DT_FLOAT, NAN)), "nan");
    cr_expect_str_eq(text(sf_value_int(SF_DT_BOOL, 1)), "1");
    cr_expect_str_eq(text(sf_value_int(SF_DT_UINT64, -1)), "18446744073709551615");
    cr_expect_str_eq(text(VECTOR(SF_DT_COMPLEX64, sf_elem_complex(1, -2))), "(1,-2)");
    cr_expect_str_eq(text(VECTOR(SF_DT_STRING, sf_elem_string("a\"\n\r\t\\\xff", 7))),
                     "a\\\"\\n\\r\\t\\\\\\377");
    cr_expect_str_eq(text(VECTOR(SF_DT_INT32, I(2), I(3), UNK)), "[2,3,?]");
    cr_expect_str_eq(text(VECTOR(SF_DT_INT32, D(n), I(3))), "[?,3]");
    cr_expect_str_eq(text(sf_value_fill(SF_DT_INT32, sf_shape_scalar(), UNK)), "?");
    cr_expect_str_eq(text(sf_value_make(SF_DT_INT32, sf_shape_vector(0), NULL)), "");
    cr_expect_str_eq(text(NULL), "?");
    /* At most 256 elements. */
    const char *long_text = text(sf_value_fill(SF_DT_INT32, sf_shape_vector(300), I(7)));
    cr_expect_eq(strlen(long_text), (size_t)(256 + 255 + 3));
    cr_expect_str_eq(long_text + 256 + 255, "...");
    char small[4];
    cr_expect_eq(sf_value_format(four, small, sizeof small), 8);
    cr_expect_str_eq(small, "-1 ");
}

Test(value, handles_hold_shapes_and_nothing_else)
{
    const SfDim dims[] = {2, 3};
    const SfShape *s = sf_shape_make(2, dims);
    const SfElem shape = sf_elem_shape(s), number = sf_elem_int(7);
    const SfValue *handle = sf_value_make(SF_DT_VARIANT, sf_shape_scalar(), &shape);
    cr_assert_not_null(handle);
    cr_expect_eq(sf_value_elem(handle, 0).kind, SF_ELEM_SHAPE);
    cr_expect_eq(sf_value_elem(handle, 0).u.shape, s);
    cr_expect_eq(handle, sf_value_make(SF_DT_VARIANT, sf_shape_scalar(), &shape));
    /* A number in a handle (a Const of a graph file) must not pass for one. */
    const SfValue *odd = sf_value_make(SF_DT_VARIANT, sf_shape_scalar(), &number);
    cr_expect(odd && sf_value_elem(odd, 0).kind == SF_ELEM_UNKNOWN);
    const SfValue *integer = sf_value_make(SF_DT_INT64, sf_shape_scalar(), &shape);
    cr_expect(integer && sf_value_elem(integer, 0).kind == SF_ELEM_UNKNOWN);
    cr_expect_eq(sf_elem_shape(NULL).kind, SF_ELEM_UNKNOWN);
}

Test(value, transient_values_go_when_nobody_holds_them)
{
    size_t bytes, objects, before_bytes, before;
    const SfValue *kept = sf_value_int(SF_DT_INT32, 1000);
    sf_intern_stats(&before_bytes, &before);
    cr_expect(!sf_values_transient(true));
    const SfValue *held = sf_value_int(SF_DT_INT32, 1001), *later = sf_value_int(SF_DT_INT32, 1002);
    sf_value_hold(held);
    sf_value_hold(held);
    for (int i = 0; i < 100; i++) {
        cr_assert_not_null(sf_value_int(SF_DT_INT32, i + 2000));
    }
    cr_expect_eq(sf_value_int(SF_DT_INT32, 1000), kept, "the same value, transient or not");
    cr_expect_eq(sf_values_sweep(1000), 0, "too few are new");
    cr_expect(sf_values_transient(false));
    cr_expect_eq(sf_value_int(SF_DT_INT32, 1002), later, "found at another time: kept from now on");
    cr_expect_eq(sf_values_sweep(0), 100);
    sf_intern_stats(&bytes, &objects);
    cr_expect_eq(objects, before + 2);
    cr_expect_eq(sf_value_int(SF_DT_INT32, 1000), kept);
    cr_expect_eq(sf_value_int(SF_DT_INT32, 1002), later);
    sf_value_release(held);
    sf_values_transient(true);
    (void)sf_value_int(SF_DT_INT32, 3000); /* there is something new to look at */
    sf_values_transient(false);
    cr_expect_eq(sf_values_sweep(0), 1, "held once more");
    sf_value_release(held);
    sf_values_transient(true);
    (void)sf_value_int(SF_DT_INT32, 3000);
    sf_values_transient(false);
    cr_expect_eq(sf_values_sweep(0), 2);
    sf_intern_stats(&bytes, &objects);
    cr_expect_eq(objects, before + 1);
    cr_expect_leq(bytes, before_bytes + 200);
    sf_value_hold(NULL);
    sf_value_release(NULL);
    cr_expect_null(sf_value_keep(NULL));
}
