/* The intervals of all tensors of a graph, and the operations whose operands may be what they
 * cannot take.
 * Invariant: nothing of the graph changes. The interval of a tensor holds each element that it can
 * have when every fed tensor keeps to its fact and every variable is finite. Suspects are judged as
 * if nothing had broken before, so that what follows from another suspect is not one.
 * Owner: the arena that is given. Source: DEBAR (FSE 2020). */
#ifndef SF_CORE_NUMERIC_H
#define SF_CORE_NUMERIC_H

#include "core/graph/graph.h"
#include "core/graph/trace_values.h"
#include "core/op/range.h"

/* What is known of an output from outside: of what is fed, of big constants. */
typedef struct SfRangeFact {
    const SfNode *node;
    int output;
    SfInterval interval;
    int64_t begin, end; /* of some places along the last axis; 0 and 0: of all */
} SfRangeFact;

/* As if operand `input` of `node` were kept within `limits`; node NULL: nothing is tried. */
typedef struct SfRangeTrial {
    const SfNode *node;
    int input;
    SfInterval limits;
} SfRangeTrial;

typedef struct SfSuspect {
    const SfNode *node;
    const SfHazard *hazard;
    SfInterval operand;
    bool in_gradient; /* its value is fine, or `where` leaves it out */
} SfSuspect;

typedef struct SfNumericInput {
    const SfGraph *g;
    const SfTraceValues *eager; /* what a trace knows beside its graph; NULL: it is none */
    const SfRangeFact *facts;
    int nfacts;
    SfRangeTrial trial;
    /* No operation gives what is not finite, but of what is not finite itself: what breaks is found
     * where it breaks first. Suspects need it; intervals that hold every element, its absence. */
    bool is_unbroken;
} SfNumericInput;

/* Analyses the graph, which lives in the arena. Only SF_OK and SF_NOMEM. */
SfStatus sf_numeric_make(const SfNumericInput *input, SfArena *arena, SfNumeric **out);
SfInterval sf_numeric_of(const SfNumeric *n, const SfTensor *t);
/* What facts say of some of the elements of what is fed: false where they say nothing. */
bool sf_numeric_part(const SfNumeric *n, const SfTensor *t, SfRangePart p, SfInterval *out);
/* SF_MAY_BE_NAN and SF_MAY_BE_INF as the operation makes them, of an analysis that is unbroken. */
unsigned sf_numeric_broken(const SfNumeric *n, const SfTensor *t);
const SfGraph *sf_numeric_graph(const SfNumeric *n);
int sf_numeric_size(const SfNumeric *n); /* nodes of the graph when it was analysed */
/* The node with the intervals of its inputs as they were found; outputs are left alone. Until the
 * next call. */
SfRange sf_numeric_context(SfNumeric *n, const SfNode *node);
/* Is the variable that `owner` makes trained, so that it may be any number? */
bool sf_numeric_is_trained(const SfNumeric *n, const SfNode *owner);
/* In the order of the nodes; one an operation and condition. */
SfStatus sf_numeric_suspects(SfNumeric *n, SfArena *arena, SfSuspect **out, int *count);
/* From an operand of `node` back to what bounds it, or does not: at most `max` nodes. */
int sf_numeric_origin(const SfNumeric *n, const SfNode *node, int input, const SfNode **steps,
                      int max);
/* Floating outputs of the graph, and those of them of which nothing is known because their op says
 * nothing. */
void sf_numeric_extent(const SfNumeric *n, int *operations, int *trivial);

#endif
