/* What a trace knows of numbers, for `shapeflow numeric`: what is written to variables, and between
 * what bounds content lies that is too large to be kept.
 * Invariant: each variable is a record of its own; so is what it holds after its writes at one
 * place, whatever these write, so that a step of a loop reads what the step before it wrote.
 * Without memory less is known: the variable may be any number.
 * Owner: the trace. Source: resource_variable_ops.py; phi functions of static single assignment. */
#ifndef SF_CORE_TRACE_VALUES_H
#define SF_CORE_TRACE_VALUES_H

#include "core/base/index.h"
#include "core/graph/graph.h"
#include "lattice/interval.h"

/* One output of a record. */
typedef struct SfNodeOutput {
    const SfNode *node;
    int output;
} SfNodeOutput;

/* All that is written to one variable at one place by results of one op. */
typedef struct SfWrites {
    int32_t root; /* the record of the variable before any write; by id, as all here */
    int32_t node; /* of what it holds afterwards */
    const SfOpSig *by;
    uint32_t location;
    SfInterval known; /* of what was written with known content: empty at first */
    int nknown;
    bool any; /* something of which nothing is known */
    SfNodeOutput *from;
    int32_t nfrom, capacity;
} SfWrites;

typedef struct SfTraceValues {
    SfWrites *writes;
    int32_t nwrites, write_capacity;
    SfIndex index; /* of the writes */
    struct SfTraceValue *nodes;
    int32_t nnodes;
    SfInterval next; /* content of what is recorded next */
    bool has_next, next_is_value;
    int32_t moment; /* grows when the program goes to another place */
    uint32_t place;
} SfTraceValues;

void sf_trace_values_free(SfTraceValues *v);
/* What is written where `node` is what a variable holds afterwards; NULL: it is none. */
const SfWrites *sf_trace_values_writes(const SfTraceValues *v, int32_t node);
/* The place of such writes, or NULL; a new one is added with `node`. */
SfWrites *sf_trace_values_find(SfTraceValues *v, int32_t root, const SfOpSig *by,
                               uint32_t location);
SfWrites *sf_trace_values_add(SfTraceValues *v, int32_t root, const SfOpSig *by, uint32_t location,
                              int32_t node);
/* One more write: of a record (NULL: nobody knows of what), with its content if it is known. */
void sf_trace_values_write(SfWrites *w, const SfNode *from, int output, const SfTensor *value);
/* A call at a place of the program. */
void sf_trace_values_step(SfTraceValues *v, uint32_t location);
/* Was what comes from outside recorded as `node` since the program came to this place? Then the
 * next one there is another tensor. */
bool sf_trace_values_is_taken(const SfTraceValues *v, int32_t node);
/* Is as much known of the content of those that `node` stood for as of the next one? */
bool sf_trace_values_is_alike(const SfTraceValues *v, int32_t node);
/* By how much the content of `node` would grow if it stood for the next one as well. */
double sf_trace_values_widening(const SfTraceValues *v, int32_t node);
/* `node` was recorded with what `next` says of its content; nothing: it may be anything. */
void sf_trace_values_note(SfTraceValues *v, int32_t node);
/* False: nothing is known of it. */
bool sf_trace_values_content(const SfTraceValues *v, int32_t node, SfInterval *out);

#endif
