/* A shape: bottom, of unknown rank, or ranked with dimensions.
 * Invariant: immutable and hash-consed (uthash), so equal shapes are equal pointers; a ranked shape
 * holds no SF_DIM_BOTTOM (such a shape is SF_BOTTOM) and at most SF_RANK_MAX dims.
 * Owner: the interner (intern.h) alone; no caller frees a shape. Thread-safe.
 * Source: tf.TensorShape; Verma and Su 2020, section 3.1 (the lattice). */
#ifndef SF_LATTICE_SHAPE_H
#define SF_LATTICE_SHAPE_H

#include <stdatomic.h>

#include "lattice/dim.h"

#define SF_RANK_MAX     254 /* TensorShape::MaxDimensions() */
#define SF_RANK_UNKNOWN (-1)
#define SF_RANK_BOTTOM  (-2)

/* Public only so that the accessors can be inline; read it through them. */
typedef struct SfShape {
    int rank;                               /* or SF_RANK_UNKNOWN, SF_RANK_BOTTOM */
    bool known;                             /* rank and every dim known */
    _Atomic(SfDim) count;                   /* product of the dims, or SF_COUNT_LATER */
    const struct SfValue *_Atomic as_value; /* what sf_value_from_shape gave last, or NULL */
    SfDim dims[];
} SfShape;

/* A symbolic product is an expression of its own: made when somebody asks for it. */
#define SF_COUNT_LATER (INT64_MIN + 1)

extern const SfShape sf_shape_unknown_object;
extern const SfShape sf_shape_bottom_object;
extern const SfShape sf_shape_scalar_object;

/* The three shapes without dimensions to look at. */
static inline const SfShape *sf_shape_unknown(void)
{
    return &sf_shape_unknown_object;
}

static inline const SfShape *sf_shape_bottom(void)
{
    return &sf_shape_bottom_object;
}

static inline const SfShape *sf_shape_scalar(void)
{
    return &sf_shape_scalar_object;
}

/* The shape with these dims; SF_BOTTOM when one is bottom or rank > SF_RANK_MAX; negative rank
 * gives the shape of unknown rank. NULL: no memory. */
const SfShape *sf_shape_make(int rank, const SfDim *dims);
/* Rank known, dims not: [?,?,?]. Negative rank gives the shape of unknown rank. Cached. */
const SfShape *sf_shape_of_rank(int rank);
const SfShape *sf_shape_vector(SfDim d0);
const SfShape *sf_shape_matrix(SfDim d0, SfDim d1);

/* The accessors take no NULL: the caller has checked that the shape could be made. */
static inline int sf_shape_rank(const SfShape *s) /* or SF_RANK_UNKNOWN, SF_RANK_BOTTOM */
{
    return s->rank;
}

/* Negative axes count back; outside: unknown. */
static inline SfDim sf_shape_dim(const SfShape *s, int axis)
{
    if (axis < 0) {
        axis += s->rank;
    }
    return axis >= 0 && axis < s->rank ? s->dims[axis] : SF_DIM_UNKNOWN;
}

static inline const SfDim *sf_shape_dims(const SfShape *s) /* rank entries; never NULL */
{
    return s->dims;
}

static inline bool sf_shape_is_bottom(const SfShape *s)
{
    return s->rank == SF_RANK_BOTTOM;
}

static inline bool sf_shape_is_ranked(const SfShape *s)
{
    return s->rank >= 0;
}

static inline bool sf_shape_may_have_rank(const SfShape *s, int rank)
{
    return s->rank < 0 || s->rank == rank;
}

static inline bool sf_shape_is_known(const SfShape *s) /* rank and every dim known */
{
    return s->known;
}

/* Number of elements: SF_DIM_UNKNOWN, symbolic or known; SF_DIM_BOTTOM past int64 (and of bottom).
 * One dim that is 0 makes it 0, whatever the others are. O(1). */
SfDim sf_shape_count_symbolic(const SfShape *s); /* of sf_shape_count alone */
static inline SfDim sf_shape_count(const SfShape *s)
{
    const SfDim count = atomic_load_explicit(&s->count, memory_order_relaxed);
    return count == SF_COUNT_LATER ? sf_shape_count_symbolic(s) : count;
}

/* More elements than int64 counts? */
static inline bool sf_shape_overflows(const SfShape *s)
{
    return atomic_load_explicit(&s->count, memory_order_relaxed) == SF_DIM_BOTTOM;
}

/* order.c: the lattice; dim.h says which laws hold */
bool sf_shape_leq(const SfShape *a, const SfShape *b);
/* Greatest lower bound: what is known when both `a` and `b` hold of one tensor. Contradictory facts
 * give SF_BOTTOM; never an error: core decides that. NULL only when memory ran out; NULL in
 * gives NULL out. O(rank). As tf.TensorShape.merge_with, except that it never raises. */
const SfShape *sf_shape_meet(const SfShape *a, const SfShape *b);
/* Least upper bound: what is known when one of the two holds. Different ranks: unknown rank. */
const SfShape *sf_shape_join(const SfShape *a, const SfShape *b);
bool sf_shape_compatible(const SfShape *a, const SfShape *b); /* meet is not bottom */
/* What TensorFlow knows of the shape: every symbolic dim is unknown. For checks that must decide as
 * TensorFlow does, whatever our symbols add (shape invariants of while_loop). */
const SfShape *sf_shape_forget_symbols(const SfShape *s);

/* broadcast.c */
/* NumPy's broadcast of two shapes as far as known; SF_BOTTOM when impossible for every value.
 * `axis` (may be NULL) receives the failing axis counted from the right, else -1. */
const SfShape *sf_shape_broadcast(const SfShape *a, const SfShape *b, int *axis);

/* edit.c: slices of the dims list. The result has unknown rank when an operand has, and is
 * bottom when one is. Negative axes count back (for insert from the new rank); an axis outside,
 * which the caller should have reported, gives unknown rank. */
const SfShape *sf_shape_concat(const SfShape *a, const SfShape *b);   /* [2]+[3,4] = [2,3,4] */
const SfShape *sf_shape_slice(const SfShape *s, int start, int stop); /* python's s[start:stop] */
const SfShape *sf_shape_replace(const SfShape *s, int axis, SfDim dim);
const SfShape *sf_shape_insert(const SfShape *s, int axis, SfDim dim);
const SfShape *sf_shape_remove(const SfShape *s, int axis);

/* count.c: products of dims */
typedef enum SfFit {
    SF_FIT_ALWAYS, /* for every value of the unknowns */
    SF_FIT_MAYBE,
    SF_FIT_NEVER,
    SF_FIT_NOMEM
} SfFit;
/* Reshape `from` to `want`, in which one unknown dim (SF_DIM_UNKNOWN) is solved for when `solve`
 * (the -1 of tf.reshape); symbols cancel ([n,28,28] to [-1,784] is [n,784]). *out always gets the
 * best shape (want itself when nothing is known of from), NULL only with SF_FIT_NOMEM.
 * NEVER holds for every value of the unknowns, 0 included: [n,4] to [n,3] fits an empty batch, so
 * it is MAYBE. The solved dim is the one for tensors that are not empty. Of bottom: bottom, MAYBE.
 * Source: SetOutputShapeForReshape and ReshapeOp (the -1 of an empty tensor). */
SfFit sf_shape_reshape(const SfShape *from, const SfShape *want, bool solve, const SfShape **out);

/* Text as TensorFlow prints it in messages: `[?,784]`, `<unknown>`, `[]`; with symbols true
 * `[batch, 784]`; bottom is `<bottom>`. Returns the length that was needed, like snprintf. */
int sf_shape_format(const SfShape *s, bool symbols, char *buf, size_t size);
/* A shape as str(TensorShape) prints it, which for a known one is numpy's too: (64, 784), (3,), (),
 * (?, 784) or (None, 784), <unknown>. Returns the length that was needed, like snprintf. */
int sf_shape_format_tuple(const SfShape *s, bool v2, char *buf, size_t size);
#endif
