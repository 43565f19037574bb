/* Internal to core/: the inference context, on the stack of sf_infer_run.
 * Invariant: `outs[i].shape` is NULL until it is emitted; `args` outlives the context.
 * Owner: the caller of sf_infer_run owns what args points to; scratch memory is args->scratch.
 * Source: shape_inference::InferenceContext. */
#ifndef SF_CORE_INFER_IMPL_H
#define SF_CORE_INFER_IMPL_H

#include "core/graph.h"
#include "core/words.h"

struct SfInfer {
    const SfInferArgs *args;
    const SfOpSig *sig;
    const SfTensor *inputs;
    SfTensor *outs;
    uint64_t asked_values; /* bit i: the content of input i was asked for (messages print it) */
    uint64_t asked_shapes; /* bit i: it was asked for as a shape */
    const char *context;   /* sf_want_context */
    int64_t context_arg;
    SfKernelFn kernel_words;
    const SfFinding *finding; /* while kernel_words runs */
    bool in_kernel_check;     /* findings are latent while a graph is built */
    const SfTensor *weak;     /* outputs of the second inference, when the finding was latent */
    bool nomem;               /* in a function that cannot say so */
};

/* Runs infer and fold, fills the outputs that were not emitted; no check of the inputs. */
SfStatus sf_infer_context_run(SfInfer *c);
SfInfer sf_infer_context(const SfInferArgs *args);
/* Inputs with every symbol forgotten, in scratch memory: NULL when there is none to forget, or when
 * memory ran out (*nomem). */
SfTensor *sf_infer_weaken(const SfInferArgs *args, bool *nomem);
/* SF122, when a shape has too many elements: inevitable, yet latent while a graph is built. */
SfStatus sf_infer_overflow(SfInfer *c, int output, const SfShape *s);
/* How many flat tensors a port stands for. */
int sf_port_width(const SfPortSpec *port, const SfOpSig *sig, const SfAttr *attrs);
const SfAttr *sf_attr_at(const SfOpSig *sig, const SfAttr *attrs, int i);

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
