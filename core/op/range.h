/* What an op makes of the intervals of its inputs, and which operands it cannot take: facts of an
 * op's row beside its shapes. The pass over a graph is core/analysis/numeric.h.
 * Invariant: a range function reads its node and intervals and writes the intervals of outputs,
 * which are everything before it; it never fails. An op without one says nothing of its outputs.
 * Owner: the pass. Source: DEBAR (FSE 2020), tables 1 and 2; GRIST (ESEC/FSE 2021), table 1. */
#ifndef SF_CORE_RANGE_H
#define SF_CORE_RANGE_H

#include "core/op/node.h"
#include "lattice/interval.h"

typedef struct SfNumeric SfNumeric;

/* The elements of an output from `begin` to before `end` along one axis. */
typedef struct SfRangePart {
    int output, axis; /* axis from 0 */
    int64_t begin, end;
} SfRangePart;

/* What is taken for granted of the elements of a tensor. */
typedef struct SfAssumption {
    const SfTensor *base;
    SfInterval as;
} SfAssumption;

/* The context of one range function. */
struct SfRange {
    const SfNode *node;
    const SfInterval *in; /* flat, as the node's inputs */
    SfInterval *out;
    /* Everything that the variable behind input 0 was seen to hold; NULL: none is. What `written`
     * gets is joined with it. */
    const SfInterval *held;
    SfInterval *written;
    const SfNumeric *numeric; /* for the intervals of other tensors */
    /* Of an op with range_of_parts: the only elements that are asked for, whose interval alone goes
     * to *out; `in` is then NULL. NULL: all elements. */
    const SfRangePart *part;
    int depth; /* of parts of parts */
};

/* Of any tensor of the graph, as far as the pass has got. */
SfInterval sf_range_of(const SfRange *c, const SfTensor *t);
/* Is it what its node makes of its inputs, and nothing that comes from outside? */
bool sf_numeric_is_computed(const SfNumeric *n, const SfTensor *t);
/* The tensor that `t` is an unchanged copy of, whole, perhaps of another shape: what Identity and
 * Reshape read. */
const SfTensor *sf_range_origin(const SfTensor *t);
/* The same as far as each element stands where it does in `t`: what is broadcast meets others by
 * their places. */
const SfTensor *sf_range_in_place(const SfTensor *t);
bool sf_range_same(const SfTensor *a, const SfTensor *b); /* copies of one tensor */
/* And of one shape, so that each element stands where it does in the other. */
bool sf_range_same_shaped(const SfTensor *a, const SfTensor *b);
/* The interval of `t` where the assumptions hold, `t` being computed from their tensors by few
 * elementwise ops: else what it is anyway. */
SfInterval sf_range_supposing(const SfRange *c, const SfTensor *t, const SfAssumption *assumed,
                              int n);
/* Of some elements of `t` alone; part.output is not read. */
SfInterval sf_range_part(const SfRange *c, const SfTensor *t, SfRangePart part);

static inline SfDtype sf_range_dtype(const SfRange *c, int output)
{
    return sf_dtype_base(c->node->outputs[output].dtype);
}

/* Elements of input i, at least and at most; *most < 0: any number. */
void sf_range_count(const SfRange *c, int input, double *least, double *most);

/* hazards */
typedef enum SfCondition {
    SF_CONDITION_NONE, /* ends a table */
    SF_CONDITION_ZERO,
    SF_CONDITION_NEGATIVE,
    SF_CONDITION_NONPOSITIVE,
    SF_CONDITION_OVERFLOW,
    SF_CONDITION_OUT_OF_UNIT_INTERVAL,
    SF_CONDITION_AT_UNIT_BOUNDARY,
    SF_CONDITION_POLE,
    SF_CONDITION_SINGULAR
} SfCondition;

/* What operand `input` must not be. */
struct SfHazard {
    SfCondition condition;
    int input;
    bool in_gradient;                  /* of the derivative alone */
    bool keeps_zero;                   /* the derivative: where 0 comes back it is 0 */
    double (*grows)(double x);         /* of OVERFLOW: the function that must stay finite */
    double edge;                       /* added to the operand before it is judged: 1 of log1p */
    bool (*applies)(const SfRange *c); /* NULL: always; else whether it matters here */
};
/* The name of a condition in the documents: "out_of_unit_interval". */
const char *sf_condition_name(SfCondition condition);
/* May the operand be what it must not be? */
bool sf_hazard_is_near(const SfHazard *h, const SfRange *c);

#endif
