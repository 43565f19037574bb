/* Internal to apis/tf: the steps that compositions share.
 * Invariant: a body makes its last op under the name `scope`, so that what the user named carries
 * the name; nothing here reports anything but what the ops it makes report.
 * Owner: tensors are values; arrays live in call->arena.
 * Source: tensorflow/python/ops/{math_ops,array_ops,nn_ops,nn_impl}.py. */
#ifndef SF_APIS_TF_COMPOSE_H
#define SF_APIS_TF_COMPOSE_H

#include "apis/api_internal.h"

/* `with ops.name_scope(name, fallback) as scope`: runs `body` inside and returns its tensor. */
SfStatus sf_compose_scoped(SfCall *c, const char *fallback, SfBody body);
/* The same without a scope of its own: `name` is the `name` argument, or NULL. */
SfStatus sf_compose_plain(SfCall *c, SfBody body);
/* The body of the row, in the scope that the row names if it does: SF_SCOPED("norm", body). */
SfStatus sf_compose_row(SfCall *c);
#define SF_SCOPED(scope_, body_) .call = sf_compose_row, .body = (body_), .scope = (scope_)
#define SF_PLAIN(body_)          .call = sf_compose_row, .body = (body_)

SfStatus sf_compose_unary(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor *out);
SfStatus sf_compose_binary(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor y,
                           SfTensor *out);
/* x op v, with v a constant of x's dtype. */
SfStatus sf_compose_binary_const(SfCall *c, const char *op, const char *name, SfTensor x, double v,
                                 SfTensor *out);
SfStatus sf_compose_const_binary(SfCall *c, const char *op, const char *name, double v, SfTensor y,
                                 SfTensor *out);
/* A scalar Const of any numeric dtype. */
SfStatus sf_compose_scalar(SfCall *c, double v, SfDtype dtype, const char *name, SfTensor *out);
SfStatus sf_compose_cast(SfCall *c, SfTensor x, SfDtype dtype, const char *name, SfTensor *out);
SfStatus sf_compose_reshape(SfCall *c, SfTensor x, const int64_t *dims, int n, const char *name,
                            SfTensor *out);
/* array_ops.shape with optimize=True: a Const when the shape is known, else the op Shape. */
SfStatus sf_compose_shape(SfCall *c, SfTensor x, SfDtype dtype, const char *name, SfTensor *out);
SfStatus sf_compose_rank(SfCall *c, SfTensor x, const char *name, SfTensor *out);
/* nn_ops._flatten_outer_dims: [-1, last] */
SfStatus sf_compose_flatten_outer(SfCall *c, SfTensor x, SfTensor *out);
/* Sum, Mean...: over `axes`, a tensor. */
SfStatus sf_compose_reduce(SfCall *c, const char *op, const char *name, SfTensor x, SfTensor axes,
                           bool keep_dims, SfTensor *out);
SfStatus sf_compose_reduce_axis(SfCall *c, const char *op, const char *name, SfTensor x,
                                int64_t axis, bool keep_dims, SfTensor *out);
/* math_ops._ReductionDims: `axis`, or every axis of x when it is None. */
SfStatus sf_compose_reduction_dims(SfCall *c, SfTensor x, const SfArg *axis, SfTensor *out);
/* Over all axes. */
SfStatus sf_compose_reduce_all(SfCall *c, const char *op, const char *name, SfTensor x,
                               SfTensor *out);
SfStatus sf_compose_transpose(SfCall *c, SfTensor x, const int64_t *perm, int n, const char *name,
                              SfTensor *out);
SfStatus sf_compose_concat(SfCall *c, const SfTensor *parts, int n, int64_t axis, const char *name,
                           SfTensor *out);
SfStatus sf_compose_pack(SfCall *c, const SfTensor *parts, int n, int64_t axis, const char *name,
                         SfTensor *out);
SfStatus sf_compose_expand_dims(SfCall *c, SfTensor x, int64_t axis, const char *name,
                                SfTensor *out);
SfStatus sf_compose_squeeze(SfCall *c, SfTensor x, const int64_t *axes, int n, const char *name,
                            SfTensor *out);
/* x[begin:end] along axis 0 of a vector; end INT64_MAX: to the last. */
SfStatus sf_compose_vector_slice(SfCall *c, SfTensor x, int64_t begin, int64_t end,
                                 const char *name, SfTensor *out);
/* x[index] of a vector: a scalar. */
SfStatus sf_compose_vector_item(SfCall *c, SfTensor x, int64_t index, const char *name,
                                SfTensor *out);
/* tf.zeros / tf.ones / tf.fill: one Const when the shape is static and small (as TensorFlow does),
 * else Fill. */
SfStatus sf_compose_filled(SfCall *c, SfTensor shape, double v, SfDtype dtype, const char *name,
                           SfTensor *out);

/* Python's x / y: integers become floats first; both of one dtype or TypeError. */
SfStatus sf_compose_truediv(SfCall *c, SfTensor x, SfTensor y, const char *name, SfTensor *out);
/* tf.matmul of tensors: MatMul, or a batched op as the emulated version chooses. */
SfStatus sf_compose_matmul(SfCall *c, SfTensor a, SfTensor b, bool transpose_a, bool transpose_b,
                           const char *name, SfTensor *out);

/* The one argument as a tensor named `name`: convert_to_tensor(arg, name=name). */
SfStatus sf_compose_arg(SfCall *c, const char *param, SfTensor *out);
/* The same with a dtype to prefer. */
SfStatus sf_compose_arg_hint(SfCall *c, const char *param, SfDtype hint, SfTensor *out);
SfStatus sf_compose_arg_as(SfCall *c, const char *param, SfDtype dtype, SfTensor *out);
/* t.set_shape(shape): only what the call knows for sure. */
SfStatus sf_compose_set_shape(SfCall *c, SfTensor *t, const SfShape *shape);
/* Several results as a tuple (SF_RESULT_AUTO), as an op with several outputs returns them. */
void sf_compose_return(SfCall *c, const SfTensor *t, int n);
/* Uniform floats in [0, 1) of this shape, by the `seed` argument. */
SfStatus sf_compose_random(SfCall *c, SfTensor shape, SfDtype dtype, SfTensor *out);
/* A seed argument as attrs seed, seed2 (only whether they are set matters to us). */
int sf_compose_seed_attrs(SfCall *c, SfAttrArg *attrs);
/* Every argument of a list as a tensor; all take the dtype of the first tensor among them when
 * `same`. Items in call->arena. */
SfStatus sf_compose_list(SfCall *c, const SfArg *a, bool same, const char *name, SfTensor **items,
                         int *n);
/* Reports a tf.Assert that cannot hold: InvalidArgumentError, in graphs as well. NULL: no
 * memory. */
SfStatus sf_compose_assert_fails(SfCall *c, const char *text);
static inline int sf_tensor_rank(SfTensor t)
{
    return sf_shape_rank(t.shape);
}
static inline SfDtype sf_tensor_dtype(SfTensor t)
{
    return sf_dtype_base(t.dtype);
}

#endif
