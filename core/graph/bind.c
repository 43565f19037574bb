/* Checks a call against the signature of its op and deduces what follows. See bind.h. */
#include "core/graph/bind.h"

#include <string.h>

/* Is an operand's dtype unmodelled? Then a dtype that does not fit is no error. */
static bool is_unmodelled(SfBind *k)
{
    k->unmodelled = sf_tensors_have_unmodelled(k->inputs, k->ninputs, SF_UNMODELLED_DTYPE);
    return k->unmodelled;
}

/* Gives inputs [start, start + count) the dtype when their own is unmodelled; false: one has
 * another. */
static bool adopt(SfBind *k, int start, int count, SfDtype dtype)
{
    for (int i = start; i < start + count; i++) {
        if (sf_dtype_is_ref(k->inputs[i].dtype) ||
            !sf_tensor_is_unmodelled(&k->inputs[i], SF_UNMODELLED_DTYPE)) {
            return false;
        }
    }
    SfTensor *own = sf_arena_copy(k->scratch, k->inputs, sizeof *own * (size_t)k->ninputs);
    for (int i = start; own && i < start + count; i++) {
        own[i].dtype = dtype;
    }
    k->inputs = own ? own : k->inputs;
    return own;
}

/* The same for the ports before `port` from which type attr `attr` was deduced. */
static bool adopt_earlier(SfBind *k, int port, int attr, SfDtype dtype)
{
    if (k->from[attr] < 0) {
        return false; /* the caller gave the attr */
    }
    for (int i = 0; i < port; i++) {
        if (sf_port_is_list(&k->sig->in[i])) {
            return false;
        }
        if (k->sig->in[i].type_attr == attr && !adopt(k, i, 1, dtype)) {
            return false;
        }
    }
    k->attrs[attr].u.type = dtype;
    return true;
}

/* A dtype that an attr allows: its default, else the first of its list. */
static SfDtype fitting(const SfAttrSpec *spec)
{
    return spec->has_default ? spec->def.u.type : spec->allowed_order[0];
}

static SfStatus check_allowed(SfBind *k, int attr, const char *param, SfPlace place, SfDtype got)
{
    if (sf_attr_allows_type(&k->sig->attrs[attr], got)) {
        return SF_OK;
    }
    return is_unmodelled(k) ? SF_REPORTED : sf_bind_fail_allowed(k, attr, param, place, got);
}

static void set_attr(SfBind *k, int attr, SfAttr value, int32_t from)
{
    k->attrs[attr] = value;
    k->attrs[attr].set = true;
    k->from[attr] = from;
}

/* inputs */

/* "values: N * T", "values: N * int32". */
static SfStatus bind_numbered(SfBind *k, int port, int start, int count)
{
    const SfPortSpec *p = &k->sig->in[port];
    const SfTensor *t = k->inputs + start;
    const bool had_count = k->attrs[p->number_attr].set;
    if (had_count && k->attrs[p->number_attr].u.i != count) {
        return sf_bind_fail_lengths(k, port, count);
    }
    const bool earlier = p->type_attr >= 0 && k->attrs[p->type_attr].set;
    SfDtype want = p->dtype;
    if (earlier) {
        want = k->attrs[p->type_attr].u.type;
    } else if (p->type_attr >= 0) {
        want = count ? sf_dtype_base(t[0].dtype) : SF_DT_INVALID;
    }
    for (int i = 0; i < count; i++) {
        if (sf_dtype_base(t[i].dtype) != want) {
            const SfDtype other = sf_dtype_base(t[i].dtype);
            if (adopt(k, start + i, 1, want)) {
                t = k->inputs + start;
                continue;
            }
            if (p->type_attr >= 0 && !earlier && adopt(k, start, i, other)) {
                t = k->inputs + start;
                want = other;
                continue;
            }
            return is_unmodelled(k) ? SF_REPORTED
                                    : sf_bind_fail_list(k, port, start, count, i, want, earlier);
        }
    }
    if (!had_count) {
        const SfAttrSpec *n = &k->sig->attrs[p->number_attr];
        set_attr(k, p->number_attr, (SfAttr){.type = SF_ATTR_INT, .u = {.i = count}}, port);
        if (n->has_minimum && count < n->minimum) {
            if (sf_bind_is_eager(k)) {
                return sf_bind_fail_minimum(k, p->number_attr, count);
            }
            return sf_bind_fail(
                k, SF_DIAG_BAD_ARG, SF_ATTR(n->name),
                "List argument '%s' to '%s' Op with length %d shorter than minimum length %d.",
                p->name, k->sig->def->name, count, (int)n->minimum);
        }
    }
    if (p->type_attr < 0 || earlier) {
        return SF_OK;
    }
    if (count == 0) {
        if (k->sig->attrs[p->type_attr].has_default) {
            return SF_OK; /* the default is set with those of the other attrs */
        }
        return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_ATTR(k->sig->attrs[p->type_attr].name),
                            "Don't know how to infer type variable from empty input list passed to "
                            "input '%s' of '%s' Op.",
                            p->name, k->sig->def->name);
    }
    set_attr(k, p->type_attr, (SfAttr){.type = SF_ATTR_TYPE, .u = {.type = want}}, port);
    return check_allowed(k, p->type_attr, p->name, SF_INPUT(start), want);
}

/* "input: T" where T is a list(type). */
static SfStatus bind_typed_list(SfBind *k, int port, int start, int count)
{
    const SfPortSpec *p = &k->sig->in[port];
    SfDtype *types = sf_arena_alloc(k->scratch, (size_t)count * sizeof *types);
    SF_TRY_ALLOC(types);
    for (int i = 0; i < count; i++) {
        types[i] = sf_dtype_base(k->inputs[start + i].dtype);
    }
    const SfAttr *had = &k->attrs[p->list_attr];
    if (had->set) {
        const size_t size = (size_t)count * sizeof *types;
        if (had->u.list.n == count && (!count || !memcmp(had->u.list.u.type, types, size))) {
            return SF_OK;
        }
        return is_unmodelled(k) ? SF_REPORTED
                                : sf_bind_fail_list(k, port, start, count, 0, SF_DT_INVALID, true);
    }
    for (int i = 0; i < count; i++) {
        SF_TRY(check_allowed(k, p->list_attr, p->name, SF_INPUT(start + i), types[i]));
    }
    SfAttr value = {.type = SF_ATTR_LIST + SF_ATTR_TYPE};
    value.u.list.n = count;
    value.u.list.u.type = types;
    set_attr(k, p->list_attr, value, port);
    const SfAttrSpec *spec = &k->sig->attrs[p->list_attr];
    return spec->has_minimum && count < spec->minimum ? sf_bind_fail_length(k, p->list_attr, count)
                                                      : SF_OK;
}

/* "a: T", "axis: int32", "ref: Ref(T)". */
static SfStatus bind_single(SfBind *k, int port, int start)
{
    const SfPortSpec *p = &k->sig->in[port];
    SfDtype got = sf_dtype_base(k->inputs[start].dtype);
    if (p->type_attr < 0) {
        return got == p->dtype || adopt(k, start, 1, p->dtype) ? SF_OK
               : is_unmodelled(k)
                   ? SF_REPORTED
                   : sf_bind_fail_dtype(k, port, start, p->dtype, SF_FROM_NOWHERE, NULL);
    }
    const SfAttr *had = &k->attrs[p->type_attr];
    const SfAttrSpec *spec = &k->sig->attrs[p->type_attr];
    if (!had->set) {
        if (spec->nallowed > 0 && !sf_attr_allows_type(spec, got) &&
            adopt(k, start, 1, fitting(spec))) {
            got = fitting(spec);
        }
        set_attr(k, p->type_attr, (SfAttr){.type = SF_ATTR_TYPE, .u = {.type = got}}, port);
        return check_allowed(k, p->type_attr, p->name, SF_INPUT(start), got);
    }
    return got == had->u.type || adopt(k, start, 1, had->u.type) ||
                   (sf_attr_allows_type(spec, got) && adopt_earlier(k, port, p->type_attr, got))
               ? SF_OK
           : is_unmodelled(k)
               ? SF_REPORTED
               : sf_bind_fail_dtype(k, port, start, had->u.type, k->from[p->type_attr],
                                    k->sig->attrs[p->type_attr].name);
}

static SfStatus fail_arity(const SfBind *k)
{
    const SfOpSig *sig = k->sig;
    if (k->ninputs < sig->nin) {
        return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_THE_OP, "No argument for input %s",
                            sig->in[k->ninputs].name);
    }
    return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_THE_OP, "%s takes %d inputs but %d were given",
                        sig->def->name, sig->nin, k->ninputs);
}

static SfStatus bind_inputs(SfBind *k)
{
    const SfOpSig *sig = k->sig;
    int at = 0;
    int lists = 0;
    for (int port = 0; port < sig->nin; port++) {
        const SfPortSpec *p = &sig->in[port];
        const int rest = k->ninputs - at;
        int count = 1;
        SfStatus status;
        if (sf_port_is_list(p)) {
            count = k->list_sizes ? k->list_sizes[lists++] : rest - (sig->nin - 1 - port);
            if (count < 0 || count > rest) {
                return fail_arity(k);
            }
            status = p->number_attr >= 0 ? bind_numbered(k, port, at, count)
                                         : bind_typed_list(k, port, at, count);
        } else {
            if (rest < 1) {
                return fail_arity(k);
            }
            status = bind_single(k, port, at);
        }
        SF_TRY(status);
        for (int i = at; p->is_ref && i < at + count; i++) {
            if (!sf_dtype_is_ref(k->inputs[i].dtype)) {
                return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_INPUT(i),
                                    "'%s' Op requires that input '%s' be a mutable tensor (e.g.: a "
                                    "tf.Variable)",
                                    sig->def->name, p->name);
            }
        }
        at += count;
    }
    return at == k->ninputs ? SF_OK : fail_arity(k);
}

/* attrs */

/* Before an attr is refused: while a graph is built, TensorFlow reports a wrong input first. */
static SfStatus inputs_first(SfBind *k)
{
    return sf_bind_is_eager(k) ? SF_OK : bind_inputs(k);
}

static SfStatus check_string(SfBind *k, int attr, const SfString *s)
{
    if (sf_attr_allows_string(&k->sig->attrs[attr], s)) {
        return SF_OK;
    }
    SF_TRY(inputs_first(k));
    return sf_bind_fail_string(k, attr, s);
}

static SfStatus check_list(SfBind *k, int attr, const SfAttr *a)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    if (spec->has_minimum && a->u.list.n < spec->minimum) {
        SF_TRY(inputs_first(k));
        return sf_bind_fail_length(k, attr, a->u.list.n);
    }
    if (a->type == SF_ATTR_LIST + SF_ATTR_STRING) {
        for (int i = 0; i < a->u.list.n; i++) {
            SF_TRY(check_string(k, attr, a->u.list.u.s[i]));
        }
    } else if (a->type == SF_ATTR_LIST + SF_ATTR_TYPE) {
        for (int i = 0; i < a->u.list.n; i++) {
            SF_TRY(check_allowed(k, attr, spec->name, SF_ATTR(spec->name), a->u.list.u.type[i]));
        }
    }
    return SF_OK;
}

static SfStatus bind_given(SfBind *k, int attr, SfAttr a)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    if (!sf_attr_convert(spec->type, &a)) {
        SF_TRY(inputs_first(k));
        return sf_bind_fail_attr_type(k, attr, &a);
    }
    if (sf_attr_is_list(a.type)) {
        SF_TRY(check_list(k, attr, &a));
    } else if (a.type == SF_ATTR_TYPE) {
        a.u.type = sf_dtype_base(a.u.type);
        SF_TRY(check_allowed(k, attr, spec->name, SF_ATTR(spec->name), a.u.type));
    } else if (a.type == SF_ATTR_STRING) {
        SF_TRY(check_string(k, attr, a.u.s));
    } else if (a.type == SF_ATTR_INT && spec->has_minimum && a.u.i < spec->minimum) {
        SF_TRY(inputs_first(k));
        return sf_bind_fail_minimum(k, attr, a.u.i);
    } else if (a.type == SF_ATTR_SHAPE && !a.u.shape) {
        a.u.shape = sf_shape_unknown();
    }
    set_attr(k, attr, a, SF_FROM_CALLER);
    return SF_OK;
}

/* Attrs that the caller gives; those that the inputs decide must agree with them (an imported
 * GraphDef spells them out). Names that start with '_' are annotations of other tools. */
static SfStatus bind_given_attrs(SfBind *k, const SfAttrArg *given, int ngiven)
{
    for (int i = 0; i < ngiven; i++) {
        const int attr = sf_op_attr_index(k->sig, given[i].name);
        if (attr >= 0) {
            SF_TRY(bind_given(k, attr, given[i].value));
        } else if (given[i].name[0] != '_') {
            const bool old = k->b->version < SF_VERSION(2, 0);
            return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_ATTR(given[i].name),
                                old ? "%s() got unexpected keyword arguments: %s"
                                    : "%s got unexpected keyword arguments: %s.",
                                old ? "apply_op" : k->sig->def->name, given[i].name);
        }
    }
    return SF_OK;
}

static SfStatus bind_defaults(SfBind *k)
{
    const SfOpSig *sig = k->sig;
    for (int i = 0; i < sig->nattr; i++) {
        if (k->attrs[i].set) {
            continue;
        }
        if (!sig->attrs[i].has_default) {
            const bool old = k->b->version < SF_VERSION(2, 0);
            return sf_bind_fail(k, SF_DIAG_BAD_TYPE, SF_ATTR(sig->attrs[i].name),
                                old ? "No argument for attr %s"
                                    : "No argument found for attr %s for %s",
                                sig->attrs[i].name, sig->def->name);
        }
        k->attrs[i] = sig->attrs[i].def;
        k->attrs[i].type = sig->attrs[i].type;
    }
    return SF_OK;
}

/* outputs */

static SfStatus count_outputs(SfBind *k)
{
    int64_t n = 0;
    for (int i = 0; i < k->sig->nout; i++) {
        const int64_t size = sf_port_width(&k->sig->out[i], k->sig, k->attrs);
        if (size < 0 || size > SF_OUTPUTS_MAX || n + size > SF_OUTPUTS_MAX) {
            return sf_bind_fail(k, SF_DIAG_BAD_ARG, SF_OUTPUT(0),
                                "'%s' Op with %lld outputs: more than %d are not supported",
                                k->sig->def->name, (long long)size, SF_OUTPUTS_MAX);
        }
        n += size;
        if (k->b->out_sizes) {
            k->b->out_sizes[i] = (int)size;
        }
    }
    k->nout = (int)n;
    return SF_OK;
}

void sf_bind_dtypes(const SfBind *k, SfDtype *dtypes)
{
    for (int i = 0; i < k->sig->nout; i++) {
        const SfPortSpec *p = &k->sig->out[i];
        const int64_t size = sf_port_width(p, k->sig, k->attrs);
        for (int64_t n = 0; n < size; n++) {
            SfDtype t = p->dtype;
            if (p->type_attr >= 0) {
                t = k->attrs[p->type_attr].u.type;
            } else if (p->list_attr >= 0) {
                t = k->attrs[p->list_attr].u.list.u.type[n];
            }
            *dtypes++ = p->is_ref ? (SfDtype)(t + SF_DT_REF) : t;
        }
    }
}

SfStatus sf_bind_call(SfBind *k, const SfAttrArg *given, int ngiven)
{
    const int n = k->sig->nattr;
    k->attrs = k->local_attrs;
    k->from = k->local_from;
    if (n > SF_BIND_LOCAL) {
        k->attrs = sf_arena_alloc(k->scratch, (size_t)n * sizeof *k->attrs);
        k->from = sf_arena_alloc(k->scratch, (size_t)n * sizeof *k->from);
        SF_TRY_ALLOC(k->attrs && k->from);
    } else {
        memset(k->attrs, 0, (size_t)n * sizeof *k->attrs);
    }
    if (ngiven) {
        SF_TRY(bind_given_attrs(k, given, ngiven));
    }
    SF_TRY(bind_inputs(k));
    SF_TRY(bind_defaults(k));
    return count_outputs(k);
}
