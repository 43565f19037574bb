/* Builds the placeholder op (SfUnknown) of a call that failed because of something unmodelled. See
 * graph.h, bind.h. */
#include "core/graph/bind.h"

static SfStatus build_placeholder_op(SfBuilder *b, const char *name, const SfTensor *in, int nin,
                                     const SfDtype *dtypes, int n, const SfShape *shape,
                                     bool any_dtype, SfTensor *outs, int max_outs, int *nout)
{
    const SfOpSig *op = sf_op_unmodelled();
    if (!op) { /* core alone registers no ops */
        const SfDiagArg arg = SF_TEXT_ARG("the op SfUnknown is not registered");
        return sf_sink_report(b->sink, &(SfDiag){.code = SF_DIAG_BAD_GRAPH,
                                                 .phase = SF_PHASE_API,
                                                 .node_name = name,
                                                 .location = b->location,
                                                 .nargs = 1,
                                                 .args = &arg});
    }
    const SfAttrArg attrs[] = {
        {.name = "Tout",
         .value = {.type = SF_ATTR_LIST + SF_ATTR_TYPE,
                   .set = true,
                   .u.list = {.n = n, .u.type = dtypes}}},
        {.name = "shapes",
         .value = {.type = SF_ATTR_LIST + SF_ATTR_SHAPE,
                   .set = true,
                   .u.list = {.n = shape ? 1 : 0, .u.shape = &shape}}},
        {.name = "any_dtype", .value = {.type = SF_ATTR_BOOL, .set = true, .u = {.b = any_dtype}}},
    };
    int *out_sizes = b->out_sizes; /* belongs to the op that is replaced: its caller fills it */
    b->out_sizes = NULL;
    const SfStatus status =
        sf_build(b, op, name, in, nin, NULL, attrs, SF_ARRAY_LEN(attrs), outs, max_outs, nout);
    b->out_sizes = out_sizes;
    return status;
}

SfStatus sf_build_retyped(SfBuilder *b, const SfTensor *t, SfDtype dtype, SfTensor *out)
{
    int n = 0;
    return build_placeholder_op(b, "Unknown", t, 1, &dtype, 1, t->shape, false, out, 1, &n);
}

SfStatus sf_build_unmodelled(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *in,
                             int nin, SfTensor *outs, int max_outs, int *nout)
{
    enum { MANY = 16 };
    SfDtype dtypes[MANY];
    int n = 0;
    for (; n < op->nout && n < MANY && n < max_outs; n++) {
        if (b->out_sizes) {
            b->out_sizes[n] = 1;
        }
        dtypes[n] = op->out[n].dtype != SF_DT_INVALID ? op->out[n].dtype : SF_DT_FLOAT;
    }
    return build_placeholder_op(b, name ? name : op->def->name, in, nin, dtypes, n, NULL, true,
                                outs, max_outs, nout);
}

/* What a type attr is: as given, else that of an input that is modelled. */
static SfDtype dtype_of_attr(const SfBind *k, int attr)
{
    if (k->attrs[attr].set && k->from[attr] == SF_FROM_CALLER) {
        return k->attrs[attr].u.type;
    }
    SfDtype found = SF_DT_FLOAT;
    for (int i = 0; i < k->ninputs; i++) {
        if (i == 0 || !sf_tensor_is_unmodelled(&k->inputs[i], SF_UNMODELLED_DTYPE)) {
            found = sf_dtype_base(k->inputs[i].dtype);
        }
    }
    return found;
}

SfStatus sf_bind_placeholder_op(const SfBind *k, SfTensor *outs, int max_outs, int *nout)
{
    enum { MANY = 64 };
    SfDtype dtypes[MANY] = {SF_DT_INVALID};
    int sizes[MANY] = {0}; /* of the outputs of `k`, which the placeholder op has in one list */
    int n = 0;
    const int nports = k->sig->nout < MANY ? k->sig->nout : MANY;
    for (int i = 0; i < nports; i++) {
        const SfPortSpec *p = &k->sig->out[i];
        const SfAttr *number = p->number_attr >= 0 ? &k->attrs[p->number_attr] : NULL;
        const SfAttr *list = p->list_attr >= 0 ? &k->attrs[p->list_attr] : NULL;
        const int64_t count = number && number->set ? number->u.i
                              : list && list->set   ? list->u.list.n
                                                    : 1;
        sizes[i] = (int)count;
        for (int64_t j = 0; j < count && n < MANY; j++) {
            dtypes[n++] = list && list->set           ? list->u.list.u.type[j]
                          : p->type_attr >= 0         ? dtype_of_attr(k, p->type_attr)
                          : p->dtype != SF_DT_INVALID ? p->dtype
                                                      : SF_DT_FLOAT;
        }
    }
    /* build resets the scratch arena that k lives in: nothing of k is used afterwards */
    SfBuilder *b = (SfBuilder *)(uintptr_t)k->b;
    const SfStatus status =
        build_placeholder_op(b, k->name ? k->name : k->sig->def->name, k->inputs, k->ninputs,
                             dtypes, n, NULL, true, outs, max_outs, nout);
    for (int i = 0; b->out_sizes && i < nports; i++) {
        b->out_sizes[i] = sizes[i];
    }
    return status;
}
