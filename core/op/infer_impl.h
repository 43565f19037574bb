/* Internal to core/: how the inference context (infer.h) is made and run.
 * Invariant: `outs[i].shape` is NULL until it is set; `args` outlives the context.
 * Owner: the caller of sf_infer_run owns what args points to; scratch memory is args->scratch.
 * Source: shape_inference::InferenceContext. */
#ifndef SF_CORE_INFER_IMPL_H
#define SF_CORE_INFER_IMPL_H

#include "core/op/infer.h"
#include "core/op/port.h"

/* Runs infer and fold, fills the outputs that were not set; no check of the inputs. */
SfStatus sf_infer_context_run(SfInfer *c);
static inline SfInfer sf_infer_context(const SfInferArgs *args)
{
    return (SfInfer){.args = args,
                     .sig = args->sig,
                     .messages = args->sig->def->messages,
                     .attrs = args->attrs,
                     .inputs = args->inputs,
                     .nin = args->nin,
                     .outs = args->outs,
                     .nout = args->nout,
                     .in_kernel = args->phase != SF_PHASE_BUILD,
                     .sets_outputs = true,
                     .whole_values = args->whole_values};
}
/* Inputs with every symbol forgotten, in scratch memory: NULL when there is none to forget, or when
 * memory ran out (*nomem). */
SfTensor *sf_infer_forget_symbols(const SfInferArgs *args, bool *nomem);
/* SF122, when a shape has too many elements: inevitable, yet deferred while a graph is built. */
SfStatus sf_infer_overflow(SfInfer *c, int output, const SfShape *s);
/* "a", or "values[1]" for an element of a list; "" when there is no such input or no memory. */
const char *sf_infer_input_name(const SfInfer *c, int flat);
/* The row of a table with the message of a finding; NULL: none does. */
const SfMessage *sf_message_find(SfInfer *c, const SfMessage *table, const SfFinding *f);
/* A template with its references filled in, in scratch memory; NULL: no memory. */
const char *sf_message_fill(SfInfer *c, const SfFinding *f, const char *text);

/* error_context.c: what TensorFlow adds to the message of an op's error */
typedef struct SfErrorContext {
    SfPhase phase;
    int version;
    const SfOpSig *sig;
    const SfAttr *attrs;
    const SfTensor *inputs;
    int nin;
    const SfNode *node;   /* may be NULL */
    const char *name;     /* of the node; NULL: the op was called without a name */
    const char *function; /* SfInferArgs */
    uint64_t asked_values, asked_shapes;
} SfErrorContext;
void sf_error_context_before(SfStrbuf *w,
                             const SfErrorContext *t); /* "{{function_node ...}} " in eager mode */
void sf_error_context_after(SfStrbuf *w, const SfErrorContext *t);
void sf_error_context_op(SfStrbuf *w,
                         const SfOpSig *sig); /* "Op<name=...; signature=...; attr=...>" */
/* An attr as SummarizeAttrValue prints it. */
void sf_error_context_attr(SfStrbuf *w, const SfAttr *a);
/* Does an error of this class carry an error context? Those that Python code raises do not. */
bool sf_error_context_applies(SfDiagCode code, SfPhase phase);

#endif
