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

SfBoundCall *sf_bound_find(const SfBoundTable *t, const SfOpSig *sig, const SfTensor *inputs,
                           int nin, const SfAttrArg *given, int ngiven, bool *differs)
{
    SfBoundCall *call = sig->id >= 0 && sig->id < t->n ? t->calls[sig->id] : NULL;
    *differs = false;
    if (!call || !call->repeats || call->nin != nin || call->ngiven != ngiven) {
        return NULL;
    }
    for (int i = 0; i < nin; i++) {
        if (call->in[i] != inputs[i].dtype) {
            return NULL;
        }
    }
    for (int i = 0; i < ngiven; i++) {
        const SfBoundAttr *before = &call->given[i];
        if (before->name != given[i].name && strcmp(before->name, given[i].name) != 0) {
            return NULL;
        }
        if (before->is_known && sf_attr_same(&before->value, &given[i].value)) {
            continue;
        }
        if (!before->is_free || before->value.type != given[i].value.type) {
            return NULL;
        }
        *differs = true;
    }
    return call;
}

SfStatus sf_bound_replace(SfBoundCall *call, SfBind *k, const SfAttrArg *given)
{
    SfGraph *g = k->b->graph;
    const size_t size = (size_t)k->sig->nattr * sizeof(SfAttr);
    SfAttr *attrs =
        g ? sf_arena_copy(&g->arena, call->attrs, size) : memcpy(k->local_attrs, call->attrs, size);
    SF_TRY_ALLOC(attrs);
    for (int i = 0; i < call->ngiven; i++) {
        SfBoundAttr *before = &call->given[i];
        SfAttr *a = &attrs[before->attr];
        if (!before->is_free || (g && sf_attr_same(&before->value, &given[i].value))) {
            continue;
        }
        *a = given[i].value;
        a->set = true;
        if (a->type == SF_ATTR_SHAPE && !a->u.shape) {
            a->u.shape = sf_shape_unknown();
        }
        if (g) {
            SF_TRY(sf_attr_keep(&g->arena, a));
            before->value = *a;
        }
    }
    if (g) {
        call->attrs = attrs;
    }
    k->attrs = attrs;
    return SF_OK;
}

static bool has_list(const SfPortSpec *ports, int n)
{
    bool list = false;
    for (int i = 0; i < n; i++) {
        list = list || ports[i].number_attr >= 0 || ports[i].list_attr >= 0;
    }
    return list;
}

/* May the attr have any value of this type without changing what binding does? */
static bool is_free(const SfAttrSpec *spec, const SfAttr *given)
{
    if (given->type != spec->type || spec->has_minimum) {
        return false;
    }
    const bool list = sf_attr_is_list(spec->type);
    switch (list ? (SfAttrType)(spec->type - SF_ATTR_LIST) : spec->type) {
    case SF_ATTR_INT:
    case SF_ATTR_FLOAT:
    case SF_ATTR_BOOL:
    case SF_ATTR_SHAPE:
        return true;
    case SF_ATTR_TENSOR:
        return !list;
    case SF_ATTR_STRING:
        return spec->allowed_strings.n == 0;
    case SF_ATTR_TYPE:
    case SF_ATTR_FUNC:
    case SF_ATTR_LIST:
        break;
    }
    return false;
}

/* Does the attr point into an arena, rather than hold its value itself or point to an interned
 * one? */
static bool is_in_arena(const SfAttr *a)
{
    return sf_attr_is_list(a->type) || a->type == SF_ATTR_FUNC;
}

/* Keeps an attr as it was given. False: a call with such an attr cannot be compared with the
 * next one. */
static bool keep_given(SfBoundAttr *out, const SfBind *k, const SfAttr *attrs,
                       const SfAttrArg *given)
{
    const int attr = sf_op_attr_index(k->sig, given->name);
    if (attr < 0) {
        return false; /* an annotation of another tool */
    }
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    const bool in_arena = is_in_arena(&given->value);
    *out = (SfBoundAttr){spec->name, given->value, attr, is_free(spec, &given->value), !in_arena};
    if (in_arena && !sf_bind_is_eager(k) && given->value.type == spec->type) {
        out->value = attrs[attr]; /* the graph's */
        out->is_known = true;
    }
    return out->is_known || out->is_free;
}

void sf_bound_keep(SfBoundCall *call, const SfBind *k, SfAttr *attrs, const SfTensor *inputs,
                   const SfAttrArg *given, int ngiven)
{
    const SfOpSig *sig = k->sig;
    call->attrs = attrs;
    call->repeats = k->inputs == inputs && k->ninputs <= SF_BOUND_PORTS &&
                    k->nout <= SF_BOUND_PORTS && ngiven <= SF_BOUND_GIVEN &&
                    sig->nattr <= SF_BIND_LOCAL && !has_list(sig->in, sig->nin) &&
                    !has_list(sig->out, sig->nout);
    for (int i = 0; call->repeats && i < ngiven; i++) {
        call->repeats = keep_given(&call->given[i], k, attrs, &given[i]);
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
