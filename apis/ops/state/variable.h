/* Private to apis/ops: what ops that read or write a variable share, be it behind a reference
 * (TensorFlow 1) or behind a resource handle.
 * Invariant: shapes of the content come from the session in a run and from the declaration while a
 * graph is built; floats have no tracked content, so training writes nothing.
 * Owner: state belongs to the session. Source: state_ops.cc, resource_variable_ops.cc,
 * scatter_op.cc. */
#ifndef SF_APIS_OPS_VARIABLE_H
#define SF_APIS_OPS_VARIABLE_H

#include "core/op/infer.h"

/* Shape of the content behind input `i`. Unknown when no owner is known. */
const SfShape *sf_variable_shape(SfInfer *c, int i);
/* {0} of messages: the shape of the content behind input 0. */
int sf_variable_message_args(SfInfer *c, const SfFinding *f, SfDiagArg out[]);
/* A resource handle of attr `dtype`: the declared dtype must be that one. Gives the shape. */
SfStatus sf_variable_handle(SfInfer *c, const char *dtype, const SfShape **shape);

/* The transfer function of the ops that ask whether the variable has content. */
SfStatus sf_variable_is_initialized(SfInfer *c);

/* The content was replaced by that of input `by` (of shape `shape`). */
void sf_variable_assign(SfInfer *c, int i, int by, const SfShape *shape);
/* The content was combined elementwise with input `by`'s, which has its shape: added, or, by an op
 * of this variant, subtracted. */
enum { SF_VARIABLE_SUBTRACTS = 1 };
void sf_variable_update(SfInfer *c, int i, int by);
/* The content changed in a way that is not tracked. */
void sf_variable_forget(SfInfer *c, int i);

/* Scatter*: var (input 0), indices, updates = indices.shape + var.shape[1:], or a scalar. */
SfStatus sf_variable_scatter(SfInfer *c, const SfShape *var);
/* ScatterNd*: var (input 0), indices[..., k], updates = indices.shape[:-1] + var.shape[k:]. */
SfStatus sf_variable_scatter_nd(SfInfer *c, const SfShape *var);
/* In a run: the indices (input 1) that are known must lie in [0, limit) of SF_AXIS(0, axis). */
SfStatus sf_variable_indices(SfInfer *c, int axis, SfDim limit);
/* In a run: the rows of known indices (input 1) must lie within the leading axes of the variable,
 * which TensorFlow calls `what` ("shape", "param shape"). */
SfStatus sf_variable_rows(SfInfer *c, const SfShape *var, const char *what);

#endif
