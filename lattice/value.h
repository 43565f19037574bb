/* The content of a small tensor, exact or partly known.
 * Invariant: immutable and interned by content; the shape is fully known and its count is the
 * number of elements, at most SF_VALUE_MAX; equal values are equal pointers. NULL means "nothing
 * is known of the content" wherever a value is optional.
 * Owner: the interner, until its end, or of a transient value (below) until nobody holds it and it
 * is swept. Source: tensor_util.constant_value and constant_value_as_shape. */
#ifndef SF_LATTICE_VALUE_H
#define SF_LATTICE_VALUE_H

#include "lattice/elem.h"

#define SF_VALUE_MAX 4096

/* Public only so that the accessors can be inline; read it through them. */
typedef struct SfValue {
    SfDtype dtype;
    bool exact;
    _Atomic bool kept; /* for ever: not transient */
    int32_t count;
    _Atomic int32_t holders;
    const SfShape *shape;
    const SfShape *_Atomic as_shape; /* sf_value_as_shape, once it was asked for */
    SfElem elems[];
} SfValue;

/* The interned value; `elems` has sf_shape_count(shape) entries, wrapped / rounded to `dtype` (an
 * integer in a floating dtype becomes a real, a real in an integer dtype is truncated; what has no
 * meaning there, as 1e30 in int32, becomes unknown). A reference dtype counts as its base.
 * NULL when the shape is not fully known, the count exceeds SF_VALUE_MAX, or memory ran out. */
const SfValue *sf_value_make(SfDtype dtype, const SfShape *shape, const SfElem *elems);
const SfValue *sf_value_int(SfDtype dtype, int64_t i); /* a scalar */
const SfValue *sf_value_float(SfDtype dtype, double f);
/* A constant with every element the same (tf.zeros); NULL beyond SF_VALUE_MAX. */
const SfValue *sf_value_fill(SfDtype dtype, const SfShape *shape, SfElem e);

/* Transient values: a program that runs for days makes no end of them (a million eager constants).
 * While a thread says so, what it makes is transient: swept when nobody holds it. Whoever makes or
 * finds a value at any other time keeps it for ever, and so must whoever stores one beyond the call
 * that got it (a node, an attr, a state): sf_value_keep. */
bool sf_values_transient(bool on);              /* of this thread; what it was */
const SfValue *sf_value_keep(const SfValue *v); /* `v`, which may be NULL */
void sf_value_hold(const SfValue *v);           /* NULL: nothing to do */
void sf_value_release(const SfValue *v);
/* Frees the transient values that nobody holds. Call it only while no thread is in a call that
 * may have got a value. It does nothing until `after` new values were made since the last sweep
 * (SF_SWEEP_AFTER), because it looks at every value. Returns how many it freed. */
enum { SF_SWEEP_AFTER = 8192 };
int64_t sf_values_sweep(int64_t after);

/* The accessors take no NULL. An index outside gives an unknown element. */
static inline SfDtype sf_value_dtype(const SfValue *v)
{
    return v->dtype;
}

static inline const SfShape *sf_value_shape(const SfValue *v)
{
    return v->shape;
}

static inline int64_t sf_value_count(const SfValue *v)
{
    return v->count;
}

static inline const SfElem *sf_value_elems(const SfValue *v)
{
    return v->elems;
}

static inline SfElem sf_value_elem(const SfValue *v, int64_t i)
{
    return i >= 0 && i < v->count ? v->elems[i] : sf_elem_unknown();
}

static inline bool sf_value_is_exact(const SfValue *v) /* no unknown and no symbolic element */
{
    return v->exact;
}

/* The whole value as one int64; false when v is NULL, not of one element, or that is unknown. */
bool sf_value_as_int(const SfValue *v, int64_t *out);

/* A shape read from a value (rank 1 integers; -1 or unknown elements give unknown dims; the scalar
 * -1 gives unknown rank, as TensorFlow's MakeShapeFromShapeTensor). NULL value: unknown rank. */
const SfShape *sf_value_as_shape(const SfValue *v);
/* The other way: the vector that tf.shape returns. NULL when the rank is unknown. A dim past the
 * range of `dtype` is an unknown element. */
const SfValue *sf_value_from_shape(const SfShape *s, SfDtype dtype);

/* What two values have in common: NULL is top, there is no bottom. Numbers are compared by their
 * bits, so that NaN equals itself. */
const SfValue *sf_value_join(const SfValue *a, const SfValue *b); /* NULL when nothing is left */
/* The same content with another shape of the same count (Reshape, ExpandDims, Squeeze). */
const SfValue *sf_value_reshape(const SfValue *v, const SfShape *shape);
/* As TensorFlow prints it in messages. An exact value as Tensor::SummarizeValue(256), the part in <
 * > of `with computed input tensors: input[1] = <[-1 2][3 4]>`: `5`, `0 5`, `[-1 2][3 4]`.
 * Otherwise the partial shape that follows, `input[1] = [2,3,?]`; `?` when not a vector. NULL: `?`.
 * Returns the length that was needed, like snprintf. (For a shape argument TensorFlow prints the
 * latter even when it is exact: format sf_value_as_shape().) */
int sf_value_format(const SfValue *v, char *buf, size_t size);

#endif
