/* What the newest call of each op was bound to. See graph_impl.h. */
#include "core/graph/bind.h"
#include "core/graph/graph_impl.h"

#include <string.h>

#include "lattice/intern.h"

void sf_bound_free(SfBoundTable *t)
{
    sf_free(t->calls);
    *t = (SfBoundTable){0};
}

static bool reserve(SfBoundTable *t, int id)
{
    const int n = (id + 64) & ~63;
    SfBoundCall **calls = sf_realloc(t->calls, (size_t)n * sizeof(SfBoundCall *));
    if (!calls) {
        return false;
    }
    memset(calls + t->n, 0, (size_t)(n - t->n) * sizeof(SfBoundCall *));
    t->calls = calls;
    t->n = n;
    return true;
}

SfBoundCall *sf_bound_entry(SfBoundTable *t, SfArena *arena, const SfOpSig *sig)
{
    if (sig->id < 0 || (sig->id >= t->n && !reserve(t, sig->id))) {
        return NULL;
    }
    SfBoundCall **slot = &t->calls[sig->id];
    if (!*slot) {
        *slot = sf_arena_alloc(arena, sizeof **slot);
    }
    return *slot;
}

const SfBoundCall *sf_bound_find(const SfBoundTable *t, const SfOpSig *sig, const SfTensor *inputs,
                                 int nin, const SfAttrArg *given, int ngiven)
{
    const SfBoundCall *call = sig->id >= 0 && sig->id < t->n ? t->calls[sig->id] : NULL;
    if (!call || !call->repeats || call->nin != nin || call->ngiven != ngiven) {
        return NULL;
    }
    for (int i = 0; i < nin; i++) {
        if (call->in[i] != inputs[i].dtype) {
            return NULL;
        }
    }
    for (int i = 0; i < ngiven; i++) {
        const SfAttrArg *before = &call->given[i];
        if ((before->name != given[i].name && strcmp(before->name, given[i].name) != 0) ||
            !sf_attr_same(&before->value, &given[i].value)) {
            return NULL;
        }
    }
    return call;
}

static bool has_list(const SfPortSpec *ports, int n)
{
    bool list = false;
    for (int i = 0; i < n; i++) {
        list = list || ports[i].number_attr >= 0 || ports[i].list_attr >= 0;
    }
    return list;
}

/* Is its content in the value itself, or interned? */
static bool stays(const SfAttr *a)
{
    return a->type == SF_ATTR_INT || a->type == SF_ATTR_FLOAT || a->type == SF_ATTR_BOOL ||
           a->type == SF_ATTR_STRING || a->type == SF_ATTR_TYPE || a->type == SF_ATTR_SHAPE;
}

void sf_bound_keep(SfBoundCall *call, const SfBind *k, SfAttr *attrs, const SfTensor *inputs,
                   const SfAttrArg *given, int ngiven)
{
    const SfOpSig *sig = k->sig;
    call->attrs = attrs;
    call->repeats = k->inputs == inputs && k->ninputs <= SF_BOUND_PORTS &&
                    k->nout <= SF_BOUND_PORTS && ngiven <= SF_BOUND_GIVEN &&
                    sig->nattr <= SF_BIND_LOCAL;
    for (int i = 0; call->repeats && i < ngiven; i++) {
        call->repeats = stays(&given[i].value);
    }
    if (!call->repeats || has_list(sig->in, sig->nin) || has_list(sig->out, sig->nout)) {
        call->repeats = false;
        return;
    }
    for (int i = 0; call->repeats && i < ngiven; i++) {
        const int attr = sf_op_attr_index(sig, given[i].name);
        call->repeats = attr >= 0; /* else an annotation of another tool */
        if (call->repeats) {
            call->given[i] = (SfAttrArg){sig->attrs[attr].name, given[i].value};
        }
    }
    if (!call->repeats) {
        return;
    }
    call->nin = k->ninputs;
    call->nout = k->nout;
    call->ngiven = ngiven;
    for (int i = 0; i < k->ninputs; i++) {
        call->in[i] = inputs[i].dtype;
    }
    sf_bind_dtypes(k, call->out);
}
