/* What ran eagerly, as nodes: an eager tensor has no producer, but an error about it must still
 * say which line fixed its dims. Invariant: an eager SfTensor's `index` is the number of its
 * record, 0 when there is none; the same op at the same place on the same inputs is one record,
 * so a training loop does not grow the trace. Owner: the trace owns its nodes; a number is only
 * valid while its trace lives. Source: tf.GradientTape records in the same way. */
#ifndef SF_CORE_TRACE_H
#define SF_CORE_TRACE_H

#include "core/graph/graph.h"
#include "core/graph/trace_log.h"
#include "core/graph/trace_values.h"

typedef struct SfTrace SfTrace;

SfTrace *sf_trace_new(int version); /* NULL: no memory */
void sf_trace_free(SfTrace *t);
/* Records one call and numbers `outs`. Beyond SF_TRACE_MAX calls, and without memory, the outputs
 * stay unnumbered: only findings know less. */
#define SF_TRACE_MAX 200000
void sf_trace_record(SfTrace *t, const SfOpSig *sig, const SfAttr *attrs, const SfTensor *inputs,
                     int nin, SfTensor *outs, int nout, uint32_t location);
/* Part of the names of what is recorded from now on, as a name scope; "": none. The text must
 * outlive the trace, and the same scope have the same address. */
void sf_trace_set_scope(SfTrace *t, const char *scope);
/* From here on each call is a record of its own, and who holds its outputs can be noted. NULL: no
 * memory. */
SfTraceLog *sf_trace_start_log(SfTrace *t);
void sf_trace_stop_log(SfTrace *t);
/* NULL: none was started. */
SfTraceLog *sf_trace_log(const SfTrace *t);
/* From here on variables have records of their own, as the op `copy` of one input, and bounds of
 * content can be told. NULL: no memory. */
SfTraceValues *sf_trace_start_values(SfTrace *t, const SfOpSig *copy);
const SfTraceValues *sf_trace_values(const SfTrace *t); /* NULL: none was started */
/* The content of what is recorded next, which comes from outside. */
void sf_trace_tell_content(SfTrace *t, SfInterval content);
/* `content` is what a new variable holds: numbered as that variable. */
void sf_trace_variable(SfTrace *t, SfTensor *content, uint32_t location);
/* `now` is written to the variable that held `before`: numbered as what it holds then. */
void sf_trace_write(SfTrace *t, const SfTensor *before, SfTensor *now, uint32_t location);
/* Has anything been read by indices (Gather and its like)? */
bool sf_trace_has_indexed_reads(const SfTrace *t);
/* The number of output 0 of a record; its other outputs have the next ones. */
int32_t sf_trace_number(const SfTrace *t, const SfNode *n);
int32_t sf_trace_numbers(const SfTrace *t); /* all are below */
/* The records as a graph, of which nothing runs; owned by the trace. */
SfGraph *sf_trace_graph(const SfTrace *t);
/* The names of records need not be unique; this is one that is: "MatMul_12". */
#define SF_TRACE_NAME_MAX 96
void sf_trace_name(const SfNode *record, char text[SF_TRACE_NAME_MAX]);
const SfNode *sf_trace_named(const SfGraph *records, const char *name); /* NULL: none is */
/* The node behind a recorded eager tensor and which of its outputs it is; NULL: unknown. */
const SfNode *sf_trace_find(const SfTrace *t, const SfTensor *tensor, int *output);

#endif
