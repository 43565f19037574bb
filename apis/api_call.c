/* Calls: arguments become the inputs and attrs of an op by the rules of _apply_op_helper (graph)
 * and of the fast path of pywrap_tfe_src.cc (eager). */
#include "apis/api_internal.h"

#include <string.h>

enum { FEW_INPUTS = 12, PORTS_MAX = 40, ATTRS_MAX = 64 };

/* One application of an op. */
typedef struct Apply {
    SfCall *c;
    const SfOpSig *op;
    const char *name;
    const SfArg *const *in; /* per input port; NULL: missing */
    const SfArg *const *at; /* per attr; NULL or None: default or inferred */
    SfTensor *inputs;
    int ninputs;
    int list_sizes[PORTS_MAX];
    int port_sizes[PORTS_MAX];
    int nlists;
    bool scoped;
    SfScope scope;
    SfDtype types[ATTRS_MAX]; /* type attrs known so far */
} Apply;

/* Only the entries that the op uses are initialised. */
static void start(Apply *ap, SfCall *c, const SfOpSig *op, const char *name, const SfArg *const *in,
                  const SfArg *const *at)
{
    ap->c = c;
    ap->op = op;
    ap->name = name;
    ap->in = in;
    ap->at = at;
    ap->ninputs = ap->nlists = 0;
    ap->scoped = false;
    for (int i = 0; i < op->nattr; i++) {
        ap->types[i] = SF_DT_INVALID;
    }
}

/* Enters the scope of the op's own constants only when there is a constant to make. The names
 * are the same as if it were always entered, because scopes and ops share one set of names. */
static SfStatus enter_own_scope(Apply *ap)
{
    if (ap->scoped || sf_api_is_eager(ap->c)) {
        return SF_OK;
    }
    SF_TRY(sf_api_scope_enter(ap->c, ap->name, ap->op->def->name, &ap->scope));
    ap->scoped = true;
    return SF_OK;
}

/* inputs */
static SfDtype tensor_dtype_in(const SfArg *a)
{
    if (!a) {
        return SF_DT_INVALID;
    }
    if (a->kind == SF_ARG_TENSOR) {
        return sf_dtype_base(a->u.tensor.dtype);
    }
    for (int i = 0; a->kind == SF_ARG_LIST && i < a->u.list.n; i++) {
        const SfArg *item = &a->u.list.items[i];
        if (item->kind == SF_ARG_TENSOR && /* an unknown dtype says nothing about the others */
            !sf_tensor_is_unmodelled(&item->u.tensor, SF_UNMODELLED_DTYPE)) {
            return sf_dtype_base(item->u.tensor.dtype);
        }
    }
    return SF_DT_INVALID;
}

/* In eager mode any tensor among the inputs of a type attr decides, wherever it stands; one inside
 * of what becomes a tensor is packed first. Source: MaybeGetDTypeForAttr. */
static SfDtype eager_hint(const Apply *ap, int type_attr)
{
    for (int i = 0; i < ap->op->nin; i++) {
        const SfPortSpec *p = &ap->op->in[i];
        if (p->type_attr == type_attr &&
            (p->number_attr >= 0 || ap->in[i]->kind == SF_ARG_TENSOR)) {
            const SfDtype t = tensor_dtype_in(ap->in[i]);
            if (t != SF_DT_INVALID) {
                return t;
            }
        }
    }
    return SF_DT_INVALID;
}

static void want_for(const Apply *ap, int port, SfWant *want)
{
    const SfPortSpec *p = &ap->op->in[port];
    *want = (SfWant){.name = p->name, .dtype = p->dtype};
    if (p->dtype != SF_DT_INVALID || p->type_attr < 0) {
        return;
    }
    const SfAttrSpec *spec = &ap->op->attrs[p->type_attr];
    want->dtype = ap->types[p->type_attr];
    if (want->dtype == SF_DT_INVALID && sf_api_is_eager(ap->c)) {
        want->dtype = eager_hint(ap, p->type_attr);
    }
    if (want->dtype == SF_DT_INVALID && spec->has_default) {
        want->prefer = spec->def.u.type;
        want->preferred = spec;
    }
}

/* The message that _apply_op_helper makes of a failed conversion. */
static SfStatus input_error(Apply *ap, const SfWant *want, const SfArg *a, SfApiError *e)
{
    SfCall *c = ap->c;
    if (!e->text || sf_api_is_eager(c)) {
        return sf_api_report(c, e);
    }
    if (e->class_ == SF_ERR_VALUE) {
        return sf_api_value_error(c, "Tried to convert '%s' to a tensor and failed. Error: %s",
                                  want->name, e->text);
    }
    if (want->dtype == SF_DT_INVALID) {
        return sf_api_report(c, e);
    }
    const bool cause = c->b->version >= SF_VERSION(1, 9);
    return sf_api_type_error(
        c, "Expected %s passed to parameter '%s' of op '%s', got %s of type '%s' instead.%s%s",
        sf_dtype_name(want->dtype), want->name, ap->op->def->name, sf_arg_repr(c, a),
        sf_arg_type_name(c, a), cause ? " Error: " : "", cause ? e->text : "");
}

static SfStatus add_single(Apply *ap, int port, const SfArg *a)
{
    const SfPortSpec *p = &ap->op->in[port];
    SfTensor *out = &ap->inputs[ap->ninputs++];
    if (a->kind == SF_ARG_TENSOR) {
        *out = a->u.tensor; /* sf_build checks its dtype */
    } else {
        SfWant want;
        SfApiError e = {SF_ERR_VALUE, NULL};
        want_for(ap, port, &want);
        SF_TRY(enter_own_scope(ap));
        const SfStatus st = sf_convert(ap->c, a, &want, out, &e);
        if (st != SF_OK) {
            return st == SF_REPORTED ? input_error(ap, &want, a, &e) : st;
        }
    }
    if (p->type_attr >= 0 && ap->types[p->type_attr] == SF_DT_INVALID) {
        ap->types[p->type_attr] = sf_dtype_base(out->dtype);
    }
    return SF_OK;
}

/* "Tensors in list passed to 'values' of 'ConcatV2' Op have types [float32, int32]". */
static SfStatus list_error(Apply *ap, int port, const SfArg *a, const SfWant *want,
                           const SfApiError *cause)
{
    SfCall *c = ap->c;
    const SfPortSpec *p = &ap->op->in[port];
    if (sf_api_is_eager(c)) {
        return sf_api_report(c, cause);
    }
    const char *types = "";
    for (int i = 0; i < a->u.list.n && types; i++) {
        const SfArg *item = &a->u.list.items[i];
        const char *type = "<NOT CONVERTIBLE TO TENSOR>";
        SfApiError dropped;
        SfContent content;
        const SfDtype first = tensor_dtype_in(item);
        if (first != SF_DT_INVALID) {
            type = sf_dtype_name(first);
        } else if (sf_convert_content(c, item, SF_DT_INVALID, &content, &dropped) == SF_OK) {
            type = sf_dtype_name(content.dtype);
        }
        types = sf_arena_printf(c->arena, "%s%s%s", types, i > 0 ? ", " : "", type);
    }
    const char *prefix =
        !types
            ? NULL
            : sf_arena_printf(c->arena, "Tensors in list passed to '%s' of '%s' Op have types [%s]",
                              p->name, ap->op->def->name, types);
    SF_TRY_ALLOC(prefix);
    if (p->number_attr < 0) {
        return sf_api_type_error(c, "%s that are invalid. Tensors: %s", prefix, sf_arg_repr(c, a));
    }
    if (p->dtype != SF_DT_INVALID) {
        return sf_api_type_error(c, "%s that do not match expected type %s.", prefix,
                                 sf_dtype_name(p->dtype));
    }
    if (p->type_attr >= 0 && ap->types[p->type_attr] != SF_DT_INVALID) {
        return sf_api_type_error(c, "%s that do not match type %s inferred from earlier arguments.",
                                 prefix, sf_dtype_name(want->dtype));
    }
    return sf_api_type_error(c, "%s that don't all match.", prefix);
}

static SfStatus add_list_item(Apply *ap, const SfArg *item, SfWant *want, const char *port_name,
                              int i, SfApiError *e)
{
    SfCall *c = ap->c;
    SfTensor *out = &ap->inputs[ap->ninputs];
    if (item->kind == SF_ARG_TENSOR) {
        *out = item->u.tensor;
    } else {
        SF_TRY(enter_own_scope(ap));
        want->name =
            sf_api_is_eager(c) ? port_name : sf_arena_printf(c->arena, "%s_%d", port_name, i);
        SF_TRY(sf_convert(c, item, want, out, e));
    }
    ap->ninputs++;
    return SF_OK;
}

static SfStatus add_list(Apply *ap, int port, const SfArg *a)
{
    SfCall *c = ap->c;
    const SfPortSpec *p = &ap->op->in[port];
    SfApiError e = {SF_ERR_TYPE, NULL};
    SfWant want;
    if (a->kind != SF_ARG_LIST) {
        return sf_api_type_error(c, "Expected list for '%s' argument to '%s' Op, not %s.", p->name,
                                 ap->op->def->name, sf_arg_str(c, a));
    }
    want_for(ap, port, &want);
    if (want.dtype == SF_DT_INVALID && p->number_attr >= 0 && p->dtype == SF_DT_INVALID) {
        want.dtype = tensor_dtype_in(a);
    }
    const int start = ap->ninputs;
    for (int i = 0; i < a->u.list.n; i++) {
        const SfStatus st = add_list_item(ap, &a->u.list.items[i], &want, p->name, i, &e);
        if (st != SF_OK) {
            return st == SF_REPORTED && e.text ? list_error(ap, port, a, &want, &e) : st;
        }
        if (sf_api_is_eager(c) && p->number_attr >= 0) { /* the first decides for the rest */
            want.dtype = sf_dtype_base(ap->inputs[start].dtype);
        }
    }
    for (int i = start + 1; i < ap->ninputs && p->number_attr >= 0 && !sf_api_is_eager(c); i++) {
        const SfDtype first = sf_dtype_base(ap->inputs[start].dtype);
        const SfDtype t = sf_dtype_base(ap->inputs[i].dtype);
        if (t != first && t != SF_DT_INVALID && first != SF_DT_INVALID &&
            !sf_tensors_have_unmodelled(ap->inputs + start, ap->ninputs - start,
                                        SF_UNMODELLED_DTYPE)) {
            return list_error(ap, port, a, &want, &e);
        }
    }
    if (p->type_attr >= 0 && ap->types[p->type_attr] == SF_DT_INVALID && ap->ninputs > start) {
        ap->types[p->type_attr] = sf_dtype_base(ap->inputs[start].dtype);
    }
    ap->list_sizes[ap->nlists++] = a->u.list.n;
    ap->port_sizes[port] = a->u.list.n;
    return SF_OK;
}

static int count_inputs(const Apply *ap)
{
    int n = 0;
    for (int i = 0; i < ap->op->nin; i++) {
        const SfArg *a = ap->in[i];
        n += a && a->kind == SF_ARG_LIST && sf_port_is_list(&ap->op->in[i]) ? a->u.list.n : 1;
    }
    return n;
}

static SfStatus collect_inputs(Apply *ap)
{
    for (int i = 0; i < ap->op->nin; i++) {
        const SfArg *a = ap->in[i];
        if (!a || a->kind == SF_ARG_DEFAULT) {
            return sf_api_type_error(ap->c, "No argument for input %s", ap->op->in[i].name);
        }
        if (sf_port_is_list(&ap->op->in[i])) {
            SF_TRY(add_list(ap, i, a));
        } else {
            SF_TRY(add_single(ap, i, a));
        }
    }
    return SF_OK;
}

/* attrs and outputs */
static const SfAttr *given_attr(const SfAttrArg *attrs, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (attrs[i].name == name) {
            return &attrs[i].value;
        }
    }
    return NULL;
}

/* The length that an attr (a count, or a list of types) has in this application. */
static int64_t attr_length(const Apply *ap, int attr, const SfAttrArg *attrs, int nattrs)
{
    for (int i = 0; i < ap->op->nin; i++) {
        if (ap->op->in[i].number_attr == attr || ap->op->in[i].list_attr == attr) {
            return ap->port_sizes[i];
        }
    }
    const SfAttrSpec *spec = &ap->op->attrs[attr];
    const SfAttr *a = given_attr(attrs, nattrs, spec->name);
    if (!a) {
        a = &spec->def;
    }
    return spec->type == SF_ATTR_INT ? a->u.i : a->u.list.n;
}

static int64_t count_outputs(const Apply *ap, const SfAttrArg *attrs, int nattrs)
{
    int64_t n = 0;
    for (int i = 0; i < ap->op->nout; i++) {
        const SfPortSpec *p = &ap->op->out[i];
        const int attr = p->number_attr >= 0 ? p->number_attr : p->list_attr;
        const int64_t length = attr >= 0 ? attr_length(ap, attr, attrs, nattrs) : 1;
        n += length > 0 ? length : 0;
    }
    return n;
}

/* Adds attr `j` of `op` as its argument gives it, if it gives any. */
static SfStatus add_attr(SfCall *c, const SfOpSig *op, int j, const SfArg *a, SfAttrArg *attrs,
                         int *nattrs)
{
    const SfAttrSpec *spec = &op->attrs[j];
    /* a NULL or None argument leaves the default */
    const bool any_shape = spec->type == SF_ATTR_SHAPE && !spec->has_default;
    if (!a || (sf_arg_is_none(a) && !(any_shape && a->kind == SF_ARG_NONE))) {
        return SF_OK;
    }
    SfAttrArg *out = &attrs[(*nattrs)++];
    out->name = spec->name;
    return sf_arg_to_attr(c, spec, spec->name, a, &out->value);
}

static SfStatus collect_attrs(Apply *ap, SfAttrArg *attrs, int *nattrs)
{
    for (int j = 0; j < ap->op->nattr; j++) {
        SF_TRY(add_attr(ap->c, ap->op, j, ap->at[j], attrs, nattrs));
    }
    return SF_OK;
}

static SfNode *last_node(const SfCall *c)
{
    const SfGraph *g = c->b->graph;
    const int n = g ? sf_graph_size(g) : 0;
    return n > 0 ? sf_graph_node(g, n - 1) : NULL;
}

static SfStatus build(Apply *ap, const SfAttrArg *attrs, int nattrs)
{
    SfCall *c = ap->c;
    const int64_t room = count_outputs(ap, attrs, nattrs);
    if (room > INT32_MAX / 64) {
        return sf_api_value_error(c, "too many outputs for %s", ap->op->def->name);
    }
    SfTensor *outs = sf_arena_alloc(c->arena, sizeof *outs * (size_t)(room + 1));
    SF_TRY_ALLOC(outs);
    int nout = 0;
    SF_TRY(sf_build(c->b, ap->op, ap->name, ap->inputs, ap->ninputs,
                    ap->nlists > 0 ? ap->list_sizes : NULL, attrs, nattrs, outs, (int)room, &nout));
    if (ap->op->nout == 1 && sf_port_is_list(&ap->op->out[0]) && c->form == SF_RESULT_AUTO) {
        c->form = SF_RESULT_LIST;
    }
    c->results = outs;
    c->nresults = nout;
    c->op = nout > 0 ? outs[0].node : last_node(c);
    return SF_OK;
}

static SfStatus apply_in_scope(Apply *ap)
{
    SfAttrArg attrs[ATTRS_MAX];
    int nattrs = 0;
    SF_TRY(collect_inputs(ap));
    SF_TRY(collect_attrs(ap, attrs, &nattrs));
    if (ap->scoped) { /* the op itself is not in the scope of its constants */
        sf_api_scope_exit(ap->c, &ap->scope);
        ap->scoped = false;
        ap->name = ap->scope.scope;
    }
    return build(ap, attrs, nattrs);
}

static SfStatus apply(Apply *ap)
{
    SfTensor few[FEW_INPUTS];
    ap->inputs = few;
    const int n = count_inputs(ap);
    if (n > FEW_INPUTS) {
        ap->inputs = sf_arena_alloc(ap->c->arena, sizeof *ap->inputs * (size_t)n);
        SF_TRY_ALLOC(ap->inputs);
    }
    const SfStatus st = apply_in_scope(ap);
    if (ap->scoped) {
        sf_api_scope_exit(ap->c, &ap->scope);
    }
    return st;
}

/* rows */
/* Moves an argument given under a deprecated spelling to its name: `in` and `at` point to the
 * former. */
static SfStatus resolve_aliases(SfCall *c, const SfArg *args, const SfArg **in, const SfArg **at)
{
    const SfApiSig *sig = c->sig;
    for (int i = 0; i < sig->nparams; i++) {
        const int primary = sig->alias_of[i];
        if (primary < 0 || sf_arg_is_none(&args[i])) {
            continue;
        }
        if (!sf_arg_is_none(&args[primary])) {
            return sf_api_value_error(c, "Cannot specify both '%s' and '%s'%s", sig->params[i].name,
                                      sig->params[primary].name, sf_api_is_v2(c) ? "." : "");
        }
        const int target = sig->bind[primary];
        if (target >= 0) {
            in[target] = &args[i];
        } else if (target <= -2) {
            at[-2 - target] = &args[i];
        }
    }
    return SF_OK;
}

SfStatus sf_api_apply(SfCall *c, const SfArg *args)
{
    return sf_api_apply_named(c, args, NULL);
}

/* The inputs of a row with single ports, when a tensor was given for each. */
static bool take_tensors(const SfApiSig *sig, const SfArg *args, SfTensor *inputs)
{
    const int nin = sig->op->nin;
    for (int i = 0; i < nin; i++) {
        const SfArg *a = &args[sig->input_param[i]];
        if (a->kind != SF_ARG_TENSOR) {
            return false;
        }
        inputs[i] = a->u.tensor;
    }
    return true;
}

/* Such a call has nothing to convert, so that no scope is entered, and as many results as the op
 * has outputs. */
static SfStatus apply_to_tensors(SfCall *c, const SfArg *args, const char *name,
                                 const SfTensor *inputs)
{
    const SfOpSig *op = c->sig->op;
    SfAttrArg attrs[ATTRS_MAX];
    int nattrs = 0;
    for (int j = 0; j < op->nattr; j++) {
        const int param = c->sig->attr_param[j];
        if (param >= 0) {
            SF_TRY(add_attr(c, op, j, &args[param], attrs, &nattrs));
        }
    }
    SfTensor *outs =
        op->nout == 1 ? &c->only : sf_arena_alloc(c->arena, sizeof *outs * (size_t)(op->nout + 1));
    SF_TRY_ALLOC(outs);
    SF_TRY(sf_build(c->b, op, name, inputs, op->nin, NULL, attrs, nattrs, outs, op->nout,
                    &c->nresults));
    c->results = outs;
    c->op = c->nresults > 0 ? outs[0].node : last_node(c);
    return SF_OK;
}

static SfStatus apply_to_any(SfCall *c, const SfArg *args, const char *name)
{
    const SfApiSig *sig = c->sig;
    const SfOpSig *op = sig->op;
    const SfArg *in[PORTS_MAX], *at[ATTRS_MAX];
    Apply ap;
    for (int i = 0; i < op->nin; i++) {
        in[i] = sig->input_param[i] >= 0 ? &args[sig->input_param[i]] : NULL;
    }
    for (int j = 0; j < op->nattr; j++) {
        at[j] = sig->attr_param[j] >= 0 ? &args[sig->attr_param[j]] : NULL;
    }
    if (sig->naliases > 0) {
        SF_TRY(resolve_aliases(c, args, in, at));
    }
    start(&ap, c, op, name, in, at);
    return apply(&ap);
}

SfStatus sf_api_apply_named(SfCall *c, const SfArg *args, const char *name)
{
    const SfApiSig *sig = c->sig;
    SfTensor inputs[FEW_INPUTS];
    if (sig->op->nin > PORTS_MAX || sig->op->nattr > ATTRS_MAX) {
        return sf_api_value_error(c, "%s has too many inputs or attrs", sig->op->def->name);
    }
    if (!name) {
        name = sf_api_name(c);
    }
    if (!name && !sig->row->call) {
        name = sig->row->data;
    }
    return sig->single_ports && sig->op->nin <= FEW_INPUTS && take_tensors(sig, args, inputs)
               ? apply_to_tensors(c, args, name, inputs)
               : apply_to_any(c, args, name);
}

SfStatus sf_api_call(SfCall *c)
{
    const SfApiRow *row = c->sig->row;
    c->form = row->form;
    c->nresults = 0;
    c->results = NULL;
    c->op = NULL;
    if (!row->call) {
        return sf_api_apply(c, c->args);
    }
    SF_TRY(row->call(c));
    const bool wants_results = c->form == SF_RESULT_AUTO || c->form == SF_RESULT_LIST;
    return wants_results && !c->results && !c->op ? SF_NOMEM : SF_OK;
}

static const SfArg *named_arg(const char *name, const char *const *names, const SfArg *args,
                              int nargs)
{
    const size_t len = strlen(name);
    for (int i = 0; i < nargs; i++) {
        if (strncmp(names[i], name, len) == 0 &&
            (names[i][len] == '\0' || (names[i][len] == '_' && names[i][len + 1] == '\0'))) {
            return &args[i];
        }
    }
    return NULL;
}

SfStatus sf_api_raw(SfCall *c, const SfOpSig *op, const char *name, const char *const *names,
                    const SfArg *args, int nargs)
{
    const SfArg *in[PORTS_MAX], *at[ATTRS_MAX];
    Apply ap;
    c->form = SF_RESULT_AUTO;
    c->raw_args = args;
    c->nraw = nargs;
    if (op->nin > PORTS_MAX || op->nattr > ATTRS_MAX) {
        return sf_api_value_error(c, "%s has too many inputs or attrs", op->def->name);
    }
    start(&ap, c, op, name, in, at);
    for (int i = 0; i < op->nin; i++) {
        in[i] = named_arg(op->in[i].name, names, args, nargs);
    }
    for (int j = 0; j < op->nattr; j++) {
        at[j] = named_arg(op->attrs[j].name, names, args, nargs);
    }
    c->out_sizes = sf_arena_alloc(c->arena, (size_t)(op->nout + 1) * sizeof *c->out_sizes);
    SF_TRY_ALLOC(c->out_sizes);
    c->b->out_sizes = c->out_sizes;
    const SfStatus status = apply(&ap);
    c->b->out_sizes = NULL;
    return status;
}

/* ops made by compositions */
SfStatus sf_api_op_multi(SfCall *c, const char *op, const char *name, const SfTensor *in, int nin,
                         const int *list_sizes, const SfAttrArg *attrs, int nattrs, SfTensor *outs,
                         int max_outs, int *nout)
{
    const SfOpSig *sig = sf_op_find(op);
    if (!sig) { /* a test looks up the name of every op that compositions use */
        return sf_api_value_error(c, "%s is not a registered op", op);
    }
    SF_TRY(sf_build(c->b, sig, name, in, nin, list_sizes, attrs, nattrs, outs, max_outs, nout));
    c->op = *nout > 0 ? outs[0].node : last_node(c);
    return SF_OK;
}

SfStatus sf_api_op(SfCall *c, const char *op, const char *name, const SfTensor *in, int nin,
                   const SfAttrArg *attrs, int nattrs, SfTensor *out)
{
    enum { FEW_OUTS = 8 };
    SfTensor outs[FEW_OUTS];
    int nout = 0;
    SF_TRY(sf_api_op_multi(c, op, name, in, nin, NULL, attrs, nattrs, outs, FEW_OUTS, &nout));
    if (out && nout > 0) {
        *out = outs[0];
    }
    return SF_OK;
}
