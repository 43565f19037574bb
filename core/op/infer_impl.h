/* Internal to core/: how the inference context (infer.h) is made and run.
 * Invariant: `outs[i].shape` is NULL until it is emitted; `args` outlives the context.
 * Owner: the caller of sf_infer_run owns what args points to; scratch memory is args->scratch.
 * Source: shape_inference::InferenceContext. */
#ifndef SF_CORE_INFER_IMPL_H
#define SF_CORE_INFER_IMPL_H

#include "core/graph/graph.h"
#include "core/base/strbuf.h"

/* Runs infer and fold, fills the outputs that were not emitted; no check of the inputs. */
SfStatus sf_infer_context_run(SfInfer *c);
static inline SfInfer sf_infer_context(const SfInferArgs *args)
{
    return (SfInfer){.args = args,
                     .sig = args->sig,
                     .attrs = args->attrs,
                     .inputs = args->inputs,
                     .nin = args->nin,
                     .outs = args->outs,
                     .nout = args->nout,
                     .in_kernel = args->phase != SF_PHASE_BUILD,
                     .emits = true,
                     .whole_values = args->whole_values};
}
/* What infers a node of a graph once more, as when it was built, from `inputs` into `outs`. */
SfInferArgs sf_infer_args_of(const SfNode *n, const SfTensor *inputs, SfTensor *outs, SfSink *sink,
                             SfArena *scratch);
/* Inputs with every symbol forgotten, in scratch memory: NULL when there is none to forget, or when
 * memory ran out (*nomem). */
SfTensor *sf_infer_weaken(const SfInferArgs *args, bool *nomem);
/* SF122, when a shape has too many elements: inevitable, yet latent while a graph is built. */
SfStatus sf_infer_overflow(SfInfer *c, int output, const SfShape *s);
/* How many flat tensors a port stands for. */
int sf_port_width(const SfPortSpec *port, const SfOpSig *sig, const SfAttr *attrs);

/* --- tail.c: what TensorFlow adds to the words of an op's error ---------------------------------
 */
typedef struct SfTail {
    SfPhase phase;
    int version;
    const SfOpSig *sig;
    const SfAttr *attrs;
    const SfTensor *inputs;
    int nin;
    const SfNode *node; /* may be NULL */
    const char *name;   /* of the node; NULL: the op was called without a name */
    uint64_t asked_values, asked_shapes;
} SfTail;
void sf_tail_before(SfWords *w, const SfTail *t); /* "{{function_node ...}} " in eager mode */
void sf_tail_after(SfWords *w, const SfTail *t);
void sf_tail_op(SfWords *w, const SfOpSig *sig); /* "Op<name=...; signature=...; attr=...>" */
/* Does an error of this class carry a tail? Those that Python code raises do not. */
bool sf_tail_applies(SfDiagCode code, SfPhase phase);

#endif
