/* Element types: the table, spelling by spelling; expectations are tf.dtypes' (2.21). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lattice/dtype.h"

typedef struct Row {
    int number; /* types.proto */
    const char *name;
    const char *sig;
    size_t size;
    const char *is; /* f c i u q b: floating, complex, integer, unsigned, quantized, bool */
} Row;

static const Row rows[] = {
    {1, "float32", "float", 4, "f"},
    {2, "float64", "double", 8, "f"},
    {3, "int32", "int32", 4, "i"},
    {4, "uint8", "uint8", 1, "iu"},
    {5, "int16", "int16", 2, "i"},
    {6, "int8", "int8", 1, "i"},
    {7, "string", "string", 0, ""},
    {8, "complex64", "complex64", 8, "c"},
    {9, "int64", "int64", 8, "i"},
    {10, "bool", "bool", 1, "b"},
    {11, "qint8", "qint8", 1, "q"},
    {12, "quint8", "quint8", 1, "q"},
    {13, "qint32", "qint32", 4, "q"},
    {14, "bfloat16", "bfloat16", 2, "f"},
    {15, "qint16", "qint16", 2, "q"},
    {16, "quint16", "quint16", 2, "q"},
    {17, "uint16", "uint16", 2, "iu"},
    {18, "complex128", "complex128", 16, "c"},
    {19, "float16", "half", 2, "f"},
    {20, "resource", "resource", 0, ""},
    {21, "variant", "variant", 0, ""},
    {22, "uint32", "uint32", 4, "iu"},
    {23, "uint64", "uint64", 8, "iu"},
    {24, "float8_e5m2", "float8_e5m2", 1, "f"},
    {25, "float8_e4m3fn", "float8_e4m3fn", 1, "f"},
    {26, "float8_e4m3fnuz", "float8_e4m3fnuz", 1, "f"},
    {27, "float8_e4m3b11fnuz", "float8_e4m3b11fnuz", 1, "f"},
    {28, "float8_e5m2fnuz", "float8_e5m2fnuz", 1, "f"},
    {29, "int4", "int4", 1, "i"},
    {30, "uint4", "uint4", 1, "iu"},
    {31, "int2", "int2", 1, "i"},
    {32, "uint2", "uint2", 1, "iu"},
    {33, "float4_e2m1fn", "float4_e2m1fn", 1, "f"},
};

static bool is(const Row *r, char c)
{
    return strchr(r->is, c);
}

Test(dtype, rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        const SfDtype t = (SfDtype)r->number;
        const SfDtype ref = (SfDtype)(r->number + SF_DT_REF);
        char ref_name[64];
        cr_expect_str_eq(sf_dtype_name(t), r->name);
        cr_expect_str_eq(sf_dtype_sig_name(t), r->sig);
        cr_expect_eq(sf_dtype_parse(r->name, strlen(r->name)), t);
        cr_expect_eq(sf_dtype_parse(r->sig, strlen(r->sig)), t);
        cr_expect_eq(sf_dtype_size(t), r->size);
        cr_expect_eq(sf_dtype_is_floating(t), is(r, 'f'));
        cr_expect_eq(sf_dtype_is_complex(t), is(r, 'c'));
        cr_expect_eq(sf_dtype_is_integer(t), is(r, 'i'));
        cr_expect_eq(sf_dtype_is_unsigned(t), is(r, 'u'));
        cr_expect_eq(sf_dtype_is_quantized(t), is(r, 'q'));
        cr_expect_eq(sf_dtype_is_bool(t), is(r, 'b'));
        snprintf(ref_name, sizeof ref_name, "%s_ref", r->name);
        cr_expect_str_eq(sf_dtype_name(ref), ref_name);
        cr_expect_eq(sf_dtype_parse(ref_name, strlen(ref_name)), ref);
        snprintf(ref_name, sizeof ref_name, "%s_ref", r->sig);
        cr_expect_str_eq(sf_dtype_sig_name(ref), ref_name);
        cr_expect_eq(sf_dtype_base(ref), t);
        cr_expect_eq(sf_dtype_base(t), t);
        cr_expect(sf_dtype_is_ref(ref) && !sf_dtype_is_ref(t));
        cr_expect_eq(sf_dtype_is_floating(ref), is(r, 'f'));
    }
}

Test(dtype, what_is_none)
{
    static const char *const wrong[] = {"", "_ref", "floa", "float3", "float322", "x", "invalid"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(sf_dtype_parse(wrong[i], strlen(wrong[i])), SF_DT_INVALID, "%s", wrong[i]);
    }
    static const int numbers[] = {0, 34, 35, 99, 100, 134, 135, 1000, -1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cr_expect_str_eq(sf_dtype_name((SfDtype)numbers[i]), "invalid", "%d", numbers[i]);
        cr_expect_eq(sf_dtype_size((SfDtype)numbers[i]), (size_t)0);
        cr_expect(!sf_dtype_is_integer((SfDtype)numbers[i]));
    }
    cr_expect_eq(sf_dtype_parse("float32 and more", 7), SF_DT_FLOAT); /* only len bytes count */
}
