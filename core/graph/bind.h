/* Internal to core/: one op call bound to its signature.
 * Invariant: after sf_bind_call every attr of the signature is set, the flat inputs are cut into
 * ports and the dtypes of the outputs are known: transfer functions never re-check them.
 * Owner: the caller's stack and its scratch arena.
 * Source: tensorflow/python/framework/op_def_library.py (messages and order of the checks). */
#ifndef SF_CORE_BIND_H
#define SF_CORE_BIND_H

#include "core/graph/graph.h"
#include "core/op/port.h"

/* More outputs than this are refused: a mistaken count (tf.unstack(x, num=10**9)). */
#define SF_OUTPUTS_MAX (1 << 20)
#define SF_BIND_LOCAL  24

typedef struct SfBind {
    const SfBuilder *b;
    const SfOpSig *sig;
    const char *name; /* as the caller gave it */
    const SfTensor *inputs;
    int ninputs;
    const int *list_sizes;
    SfArena *scratch;
    SfAttr *attrs;
    int32_t *from; /* per attr: the port that fixed it, SF_FROM_... */
    int nout;
    bool unmodelled; /* failed, but only because of something unmodelled: see graph.h */
    SfAttr local_attrs[SF_BIND_LOCAL];
    int32_t local_from[SF_BIND_LOCAL];
} SfBind;

enum { SF_FROM_NOWHERE = -1, SF_FROM_CALLER = -2 };

/* Binds inputs, then attrs, then counts outputs. `k` holds the call on entry. */
SfStatus sf_bind_call(SfBind *k, const SfAttrArg *given, int ngiven);
/* Dtypes of the outputs in signature order. */
void sf_bind_dtypes(const SfBind *k, SfDtype *dtypes);

/* A node that stands in for a call that did not bind (placeholder_op.c). */
SfStatus sf_bind_placeholder_op(const SfBind *k, SfTensor *outs, int max_outs, int *nout);

/* bind_message.c: what is said when a call does not fit */
SfStatus sf_bind_fail(const SfBind *k, SfDiagCode code, SfPlace place, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
SfStatus sf_bind_fail_allowed(const SfBind *k, int attr, const char *param, SfPlace place,
                              SfDtype got);
SfStatus sf_bind_fail_string(const SfBind *k, int attr, const SfString *got);
SfStatus sf_bind_fail_minimum(const SfBind *k, int attr, int64_t got);
SfStatus sf_bind_fail_lengths(const SfBind *k, int port, int got); /* two lists of one N */
SfStatus sf_bind_fail_length(const SfBind *k, int attr, int64_t got);
SfStatus sf_bind_fail_dtype(const SfBind *k, int port, int input, SfDtype want, int32_t from,
                            const char *from_attr);
SfStatus sf_bind_fail_list(const SfBind *k, int port, int start, int count, int first_odd,
                           SfDtype want, bool earlier);
SfStatus sf_bind_fail_attr_type(const SfBind *k, int attr, const SfAttr *got);

static inline bool sf_bind_is_eager(const SfBind *k)
{
    return !k->b->graph;
}

#endif
