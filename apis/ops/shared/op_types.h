/* Private to apis/ops: the sets of dtypes that many signatures allow, by TensorFlow's own names.
 * Invariant: each set equals the one in tf.raw_ops of TensorFlow 2.21, in its order.
 * Owner: string literals. Source: tensorflow/core/framework/op_def_builder.cc. */
#ifndef SF_APIS_OPS_OP_TYPES_H
#define SF_APIS_OPS_OP_TYPES_H

/* numbertype and realnumbertype */
#define SF_NUMBERTYPE                                                                              \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}"
#define SF_REALTYPE                                                                                \
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
/* What a maximum can be taken of. */
#define SF_REALTYPE_Q                                                                              \
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, "   \
    "qint8, quint8, qint32, qint16, quint16}"
#define SF_FLOATS    "{bfloat16, half, float, double}"
#define SF_FLOATS_C  "{bfloat16, half, float, double, complex64, complex128}"
#define SF_NN_FLOATS "{half, bfloat16, float, double}"
#define SF_SIGNED_C                                                                                \
    "{bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}"
#define SF_INTEGERS "{int8, int16, int32, int64, uint8, uint16, uint32, uint64}"
#define SF_INDEX    "{int32, int64}"
#define SF_INDEX16  "{int16, int32, int64}"
#define SF_COMPLEX  "{complex64, complex128}"
#define SF_SOLVABLE "{double, float, half, complex64, complex128}"

#endif
