/* Element types: TensorFlow's DataType enumeration with the same numbers.
 * Invariant: SF_DT_x equals tensorflow::DT_x (types.proto), so attrs and GraphDefs need no table.
 * Owner: constants. Source: tensorflow/core/framework/types.proto, tf.dtypes. */
#ifndef SF_LATTICE_DTYPE_H
#define SF_LATTICE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SfDtype {
    SF_DT_INVALID = 0,
    SF_DT_FLOAT = 1,
    SF_DT_DOUBLE = 2,
    SF_DT_INT32 = 3,
    SF_DT_UINT8 = 4,
    SF_DT_INT16 = 5,
    SF_DT_INT8 = 6,
    SF_DT_STRING = 7,
    SF_DT_COMPLEX64 = 8,
    SF_DT_INT64 = 9,
    SF_DT_BOOL = 10,
    SF_DT_QINT8 = 11,
    SF_DT_QUINT8 = 12,
    SF_DT_QINT32 = 13,
    SF_DT_BFLOAT16 = 14,
    SF_DT_QINT16 = 15,
    SF_DT_QUINT16 = 16,
    SF_DT_UINT16 = 17,
    SF_DT_COMPLEX128 = 18,
    SF_DT_HALF = 19,
    SF_DT_RESOURCE = 20,
    SF_DT_VARIANT = 21,
    SF_DT_UINT32 = 22,
    SF_DT_UINT64 = 23,
    SF_DT_FLOAT8_E5M2 = 24,
    SF_DT_FLOAT8_E4M3FN = 25,
    SF_DT_FLOAT8_E4M3FNUZ = 26,
    SF_DT_FLOAT8_E4M3B11FNUZ = 27,
    SF_DT_FLOAT8_E5M2FNUZ = 28,
    SF_DT_INT4 = 29,
    SF_DT_UINT4 = 30,
    SF_DT_INT2 = 31,
    SF_DT_UINT2 = 32,
    SF_DT_FLOAT4_E2M1FN = 33,
    SF_DT_COUNT = 34,
    SF_DT_REF = 100 /* added to a dtype: the reference types of TensorFlow 1 variables */
} SfDtype;

static inline SfDtype sf_dtype_base(SfDtype t)
{
    return t > SF_DT_REF ? (SfDtype)(t - SF_DT_REF) : t;
}

static inline bool sf_dtype_is_ref(SfDtype t)
{
    return t > SF_DT_REF;
}

/* "float32", "int32_ref"...; "invalid" for what is not a dtype. Static storage. */
const char *sf_dtype_name(SfDtype t);
/* The name in op signatures and messages of kernels: "float", "double", "half"... */
const char *sf_dtype_sig_name(SfDtype t);
/* Accepts both spellings ("float", "float32", "int32_ref"); SF_DT_INVALID when unknown. */
SfDtype sf_dtype_parse(const char *name, size_t len);
size_t sf_dtype_size(SfDtype t); /* bytes an element; 0 for string, resource, variant */
bool sf_dtype_is_floating(SfDtype t);
bool sf_dtype_is_complex(SfDtype t);
bool sf_dtype_is_integer(SfDtype t); /* not bool, not quantised; as tf.DType.is_integer */
bool sf_dtype_is_unsigned(SfDtype t);
bool sf_dtype_is_quantized(SfDtype t);
bool sf_dtype_is_bool(SfDtype t);
unsigned sf_dtype_bits(SfDtype t); /* that an integer or a quantised number uses; 0 for others */

/* A binary floating format: bits of the significand, the smallest normal exponent, the largest
 * finite value, what lies beyond it (infinity, NaN, or that value again), whether there is a -0. */
typedef struct SfFloatFormat {
    int bits;
    int min_exponent;
    double max;
    double beyond;
    bool has_negative_zero;
} SfFloatFormat;

/* The format of a floating dtype and of the parts of a complex one; NULL for others. */
const SfFloatFormat *sf_dtype_float_format(SfDtype t);

#endif
