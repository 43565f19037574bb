/* The table of element types. */
#include "lattice/dtype.h"

#include <math.h>
#include <string.h>

enum { FLOATING = 1, COMPLEX = 2, INTEGER = 4, UNSIGNED = 8, QUANTIZED = 16, BOOLEAN = 32 };

/* Columns as in tf.dtypes: `name` is DType.name, `sig` the name in OpDefs (DataTypeString). */
/* clang-format off */
#define ROWS(X)                                                                                    \
    X(SF_DT_FLOAT, "float32", "float", 4, FLOATING)                                                \
    X(SF_DT_DOUBLE, "float64", "double", 8, FLOATING)                                              \
    X(SF_DT_INT32, "int32", "int32", 4, INTEGER)                                                   \
    X(SF_DT_UINT8, "uint8", "uint8", 1, INTEGER | UNSIGNED)                                        \
    X(SF_DT_INT16, "int16", "int16", 2, INTEGER)                                                   \
    X(SF_DT_INT8, "int8", "int8", 1, INTEGER)                                                      \
    X(SF_DT_STRING, "string", "string", 0, 0)                                                      \
    X(SF_DT_COMPLEX64, "complex64", "complex64", 8, COMPLEX)                                       \
    X(SF_DT_INT64, "int64", "int64", 8, INTEGER)                                                   \
    X(SF_DT_BOOL, "bool", "bool", 1, BOOLEAN)                                                      \
    X(SF_DT_QINT8, "qint8", "qint8", 1, QUANTIZED)                                                 \
    X(SF_DT_QUINT8, "quint8", "quint8", 1, QUANTIZED)                                              \
    X(SF_DT_QINT32, "qint32", "qint32", 4, QUANTIZED)                                              \
    X(SF_DT_BFLOAT16, "bfloat16", "bfloat16", 2, FLOATING)                                         \
    X(SF_DT_QINT16, "qint16", "qint16", 2, QUANTIZED)                                              \
    X(SF_DT_QUINT16, "quint16", "quint16", 2, QUANTIZED)                                           \
    X(SF_DT_UINT16, "uint16", "uint16", 2, INTEGER | UNSIGNED)                                     \
    X(SF_DT_COMPLEX128, "complex128", "complex128", 16, COMPLEX)                                   \
    X(SF_DT_HALF, "float16", "half", 2, FLOATING)                                                  \
    X(SF_DT_RESOURCE, "resource", "resource", 0, 0)                                                \
    X(SF_DT_VARIANT, "variant", "variant", 0, 0)                                                   \
    X(SF_DT_UINT32, "uint32", "uint32", 4, INTEGER | UNSIGNED)                                     \
    X(SF_DT_UINT64, "uint64", "uint64", 8, INTEGER | UNSIGNED)                                     \
    X(SF_DT_FLOAT8_E5M2, "float8_e5m2", "float8_e5m2", 1, FLOATING)                                \
    X(SF_DT_FLOAT8_E4M3FN, "float8_e4m3fn", "float8_e4m3fn", 1, FLOATING)                          \
    X(SF_DT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", "float8_e4m3fnuz", 1, FLOATING)                    \
    X(SF_DT_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", "float8_e4m3b11fnuz", 1, FLOATING)           \
    X(SF_DT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", "float8_e5m2fnuz", 1, FLOATING)                    \
    X(SF_DT_INT4, "int4", "int4", 1, INTEGER)                                                      \
    X(SF_DT_UINT4, "uint4", "uint4", 1, INTEGER | UNSIGNED)                                        \
    X(SF_DT_INT2, "int2", "int2", 1, INTEGER)                                                      \
    X(SF_DT_UINT2, "uint2", "uint2", 1, INTEGER | UNSIGNED)                                        \
    X(SF_DT_FLOAT4_E2M1FN, "float4_e2m1fn", "float4_e2m1fn", 1, FLOATING)
/* clang-format on */

typedef struct DtypeInfo {
    const char *name;
    const char *ref_name;
    const char *sig;
    const char *ref_sig;
    size_t size;
} DtypeInfo;

static const DtypeInfo infos[SF_DT_COUNT] = {
#define ROW(id, name, sig, size, flags) [id] = {name, name "_ref", sig, sig "_ref", size},
    ROWS(ROW)
#undef ROW
};

static const DtypeInfo *info_of(SfDtype t)
{
    static const DtypeInfo invalid = {"invalid", "invalid", "invalid", "invalid", 0};
    const unsigned base = (unsigned)sf_dtype_base(t);
    return base < SF_DT_COUNT && infos[base].name ? &infos[base] : &invalid;
}

/* The flags once more, close together: each op asks for those of its dtypes. */
static unsigned flags_of(SfDtype t)
{
    static const unsigned char flags_by_id[SF_DT_COUNT] = {
#define ROW(id, name, sig, size, flags) [id] = (flags),
        ROWS(ROW)
#undef ROW
    };
    const unsigned base = (unsigned)sf_dtype_base(t);
    return base < SF_DT_COUNT ? flags_by_id[base] : 0;
}

const char *sf_dtype_name(SfDtype t)
{
    return sf_dtype_is_ref(t) ? info_of(t)->ref_name : info_of(t)->name;
}

const char *sf_dtype_sig_name(SfDtype t)
{
    return sf_dtype_is_ref(t) ? info_of(t)->ref_sig : info_of(t)->sig;
}

static bool same(const char *str, const char *text, size_t len)
{
    return strlen(str) == len && memcmp(str, text, len) == 0;
}

SfDtype sf_dtype_parse(const char *name, size_t len)
{
    static const char suffix[] = "_ref";
    const size_t suffix_len = sizeof suffix - 1;
    int ref = 0;
    if (len > suffix_len && memcmp(name + len - suffix_len, suffix, suffix_len) == 0) {
        len -= suffix_len;
        ref = SF_DT_REF;
    }
    for (int t = 0; t < SF_DT_COUNT; t++) {
        if (infos[t].name && (same(infos[t].name, name, len) || same(infos[t].sig, name, len))) {
            return (SfDtype)(t + ref);
        }
    }
    return SF_DT_INVALID;
}

size_t sf_dtype_size(SfDtype t)
{
    return info_of(t)->size;
}

bool sf_dtype_is_floating(SfDtype t)
{
    return (flags_of(t) & FLOATING) != 0;
}

bool sf_dtype_is_complex(SfDtype t)
{
    return (flags_of(t) & COMPLEX) != 0;
}

bool sf_dtype_is_integer(SfDtype t)
{
    return (flags_of(t) & INTEGER) != 0;
}

bool sf_dtype_is_unsigned(SfDtype t)
{
    return (flags_of(t) & UNSIGNED) != 0;
}

bool sf_dtype_is_quantized(SfDtype t)
{
    return (flags_of(t) & QUANTIZED) != 0;
}

bool sf_dtype_is_bool(SfDtype t)
{
    return (flags_of(t) & BOOLEAN) != 0;
}

unsigned sf_dtype_bits(SfDtype t)
{
    const SfDtype base = sf_dtype_base(t);
    if (base == SF_DT_INT2 || base == SF_DT_UINT2) {
        return 2;
    }
    if (base == SF_DT_INT4 || base == SF_DT_UINT4) {
        return 4;
    }
    const bool counts = sf_dtype_is_integer(base) || sf_dtype_is_quantized(base);
    return counts ? 8U * (unsigned)sf_dtype_size(base) : 0;
}

/* Source: IEEE 754 and the finfo of ml_dtypes. */
const SfFloatFormat *sf_dtype_float_format(SfDtype t)
{
    static const SfFloatFormat formats[SF_DT_COUNT] = {
        [SF_DT_FLOAT] = {24, -126, 0x1.fffffep127, INFINITY, true},
        [SF_DT_COMPLEX64] = {24, -126, 0x1.fffffep127, INFINITY, true},
        [SF_DT_DOUBLE] = {53, -1022, 0x1.fffffffffffffp1023, INFINITY, true},
        [SF_DT_COMPLEX128] = {53, -1022, 0x1.fffffffffffffp1023, INFINITY, true},
        [SF_DT_HALF] = {11, -14, 65504, INFINITY, true},
        [SF_DT_BFLOAT16] = {8, -126, 0x1.fep127, INFINITY, true},
        [SF_DT_FLOAT8_E5M2] = {3, -14, 57344, INFINITY, true},
        [SF_DT_FLOAT8_E5M2FNUZ] = {3, -15, 57344, NAN, false},
        [SF_DT_FLOAT8_E4M3FN] = {4, -6, 448, NAN, true},
        [SF_DT_FLOAT8_E4M3FNUZ] = {4, -7, 240, NAN, false},
        [SF_DT_FLOAT8_E4M3B11FNUZ] = {4, -10, 30, NAN, false},
        [SF_DT_FLOAT4_E2M1FN] = {2, 0, 6, 6, true},
    };
    const unsigned base = (unsigned)sf_dtype_base(t);
    return base < SF_DT_COUNT && formats[base].bits ? &formats[base] : NULL;
}
