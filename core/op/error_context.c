/* What TensorFlow adds to the message of an op's error, in the format of the emulated version.
 * Invariant: the only place that knows these formats.
 * Owner: text grows in the arena of the SfStrbuf given.
 * Source: InferenceContext::AttachContext, SummarizeNodeDef and SummarizeAttrValue
 * (node_def_util.cc, attr_value_util.cc), OpKernelContext's status, eager/execute.cc. */
#include <string.h>

#include "core/op/infer_impl.h"

#define DEVICE "/job:localhost/replica:0/task:0/device:CPU:0"

bool sf_error_context_applies(SfDiagCode code, SfPhase phase)
{
    const SfDiagInfo *info = sf_diag_info(code);
    if (phase == SF_PHASE_API || info->severity != SF_ERROR) {
        return false;
    }
    if (code == SF_DIAG_SHAPE_ENTRY && phase == SF_PHASE_BUILD) {
        return false; /* found in a constant, before any shape function is called */
    }
    switch (info->class_) {
    case SF_ERR_INVALID_ARGUMENT:
    case SF_ERR_FAILED_PRECONDITION:
    case SF_ERR_NOT_FOUND:
    case SF_ERR_OUT_OF_RANGE:
    case SF_ERR_UNIMPLEMENTED:
    case SF_ERR_INTERNAL:
        return true;
    case SF_ERR_VALUE:
    case SF_ERR_TYPE:
    case SF_ERR_RUNTIME:
    case SF_ERR_LOOKUP:
    case SF_ERR_KEY:
    case SF_ERR_ATTRIBUTE:
        return false;
    }
    return false;
}

/* attrs as SummarizeAttrValue prints them */
static void add_dtype(SfStrbuf *w, SfDtype t)
{
    sf_strbuf_add(w, "DT_");
    for (const char *p = sf_dtype_sig_name(sf_dtype_base(t)); *p; p++) {
        sf_strbuf_char(w, *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p);
    }
    if (sf_dtype_is_ref(t)) {
        sf_strbuf_add(w, "_REF");
    }
}

/* absl::CEscape, then quotes. */
static void add_string(SfStrbuf *w, const SfString *s)
{
    sf_strbuf_char(w, '"');
    for (size_t i = 0; s && i < s->len; i++) {
        const unsigned char ch = (unsigned char)s->bytes[i];
        if (ch == '\n' || ch == '\r' || ch == '\t') {
            sf_strbuf_add(w, ch == '\n' ? "\\n" : ch == '\r' ? "\\r" : "\\t");
        } else if (ch == '"' || ch == '\'' || ch == '\\') {
            sf_strbuf_printf(w, "\\%c", ch);
        } else if (ch < 32 || ch >= 127) {
            sf_strbuf_printf(w, "\\%03o", ch);
        } else {
            sf_strbuf_char(w, (char)ch);
        }
    }
    sf_strbuf_char(w, '"');
}

static void add_tensor(SfStrbuf *w, const SfAttr *a)
{
    sf_strbuf_printf(w, "Tensor<type: %s shape: ", sf_dtype_sig_name(a->u.tensor.dtype));
    sf_strbuf_shape(w, a->u.tensor.shape ? a->u.tensor.shape : sf_shape_unknown());
    sf_strbuf_add(w, " values: ");
    if (a->u.tensor.value) {
        sf_strbuf_value(w, a->u.tensor.value);
    }
    sf_strbuf_char(w, '>');
}

void sf_error_context_attr(SfStrbuf *w, const SfAttr *a)
{
    if (sf_attr_is_list(a->type)) {
        const bool kept = sf_attr_type_info(a->type)->size > 0;
        sf_strbuf_char(w, '[');
        for (int i = 0; i < a->u.list.n; i++) {
            const SfAttr element = sf_attr_element(a, i);
            sf_strbuf_add(w, i > 0 ? ", " : "");
            if (kept) {
                sf_error_context_attr(w, &element);
            }
        }
        sf_strbuf_char(w, ']');
        return;
    }
    switch (a->type) {
    case SF_ATTR_INT:
        sf_strbuf_printf(w, "%lld", (long long)a->u.i);
        break;
    case SF_ATTR_FLOAT:
        sf_strbuf_float(w, a->u.f);
        break;
    case SF_ATTR_BOOL:
        sf_strbuf_add(w, a->u.b ? "true" : "false");
        break;
    case SF_ATTR_STRING:
        add_string(w, a->u.s);
        break;
    case SF_ATTR_TYPE:
        add_dtype(w, a->u.type);
        break;
    case SF_ATTR_SHAPE:
        sf_strbuf_shape(w, a->u.shape ? a->u.shape : sf_shape_unknown());
        break;
    case SF_ATTR_TENSOR:
        add_tensor(w, a);
        break;
    case SF_ATTR_FUNC:
        sf_strbuf_add(w, a->u.func ? a->u.func : "");
        break;
    case SF_ATTR_LIST:
        break;
    }
}

/* The attr that follows `last` in the order of names; -1: none. Ops have few attrs. */
static int next_attr(const SfOpSig *sig, int last)
{
    int best = -1;
    for (int i = 0; i < sig->nattr; i++) {
        const char *name = sig->attrs[i].name;
        if ((last < 0 || strcmp(name, sig->attrs[last].name) > 0) &&
            (best < 0 || strcmp(name, sig->attrs[best].name) < 0)) {
            best = i;
        }
    }
    return best;
}

/* a node as SummarizeNodeDef prints it */
static void add_inputs(SfStrbuf *w, const SfErrorContext *t)
{
    const char *comma = "";
    for (int i = 0; i < t->nin; i++) {
        const SfTensor *in = &t->inputs[i];
        sf_strbuf_printf(w, in->node && in->index > 0 ? "%s%s:%d" : "%s%s", comma,
                         in->node ? in->node->name : "?", (int)in->index);
        comma = ", ";
    }
    /* While a node is built its control edges are not there yet. */
    for (int i = 0; t->phase == SF_PHASE_RUN && t->node && i < t->node->context->control.n; i++) {
        sf_strbuf_printf(w, "%s^%s", comma, t->node->context->control.items[i]->name);
        comma = ", ";
    }
}

/* `{{node x}} = MatMul[T=DT_FLOAT, ...](a, b)`; before 1.12 without the braces, with its device. */
static void add_node(SfStrbuf *w, const SfErrorContext *t, const char *before, const char *after,
                     bool device)
{
    sf_strbuf_printf(w, "%s%s%s = %s[", before, t->name ? t->name : "", after, t->sig->def->name);
    const char *comma = "";
    for (int i = next_attr(t->sig, -1); i >= 0; i = next_attr(t->sig, i)) {
        sf_strbuf_printf(w, "%s%s=", comma, t->sig->attrs[i].name);
        sf_error_context_attr(w, sf_attr_at(t->sig, t->attrs, i));
        comma = ", ";
    }
    if (device) {
        sf_strbuf_printf(w, "%s_device=\"" DEVICE "\"", comma);
    }
    sf_strbuf_add(w, "](");
    add_inputs(w, t);
    sf_strbuf_char(w, ')');
}

/* an op as SummarizeOpDef prints it */
static bool add_ports(SfStrbuf *w, const SfOpSig *sig, const SfPortSpec *ports, int n)
{
    bool any_ref = false;
    for (int i = 0; i < n; i++) {
        const SfPortSpec *p = &ports[i];
        sf_strbuf_printf(w, "%s%s:%s", i > 0 ? ", " : "", p->name, p->is_ref ? "Ref(" : "");
        if (p->number_attr >= 0) {
            sf_strbuf_printf(w, "%s*", sig->attrs[p->number_attr].name);
        }
        if (p->type_attr >= 0) {
            sf_strbuf_add(w, sig->attrs[p->type_attr].name);
        } else if (p->list_attr < 0) {
            sf_strbuf_add(w, sf_dtype_sig_name(p->dtype));
        }
        sf_strbuf_add(w, p->is_ref ? ")" : "");
        any_ref = any_ref || p->is_ref;
    }
    return any_ref;
}

static void add_allowed(SfStrbuf *w, const SfAttrSpec *spec)
{
    const bool types = spec->nallowed > 0;
    const int n = types ? spec->nallowed : spec->allowed_strings.n;
    for (int i = 0; i < n; i++) {
        sf_strbuf_add(w, i > 0 ? ", " : ",allowed=[");
        if (types) {
            add_dtype(w, spec->allowed_order[i]);
        } else {
            add_string(w, spec->allowed_strings.items[i]);
        }
    }
    sf_strbuf_add(w, n > 0 ? "]" : "");
}

void sf_error_context_op(SfStrbuf *w, const SfOpSig *sig)
{
    sf_strbuf_printf(w, "Op<name=%s; signature=", sig->def->name);
    const bool any_ref = add_ports(w, sig, sig->in, sig->nin);
    sf_strbuf_add(w, " -> ");
    (void)add_ports(w, sig, sig->out, sig->nout);
    for (int i = 0; i < sig->nattr; i++) {
        const SfAttrSpec *spec = &sig->attrs[i];
        const char *type = sf_attr_type_info(spec->type)->name;
        sf_strbuf_printf(w, sf_attr_is_list(spec->type) ? "; attr=%s:list(%s)" : "; attr=%s:%s",
                         spec->name, type);
        if (spec->has_default) {
            sf_strbuf_add(w, ",default=");
            sf_error_context_attr(w, &spec->def);
        }
        if (spec->has_minimum) {
            sf_strbuf_printf(w, ",min=%lld", (long long)spec->minimum);
        }
        add_allowed(w, spec);
    }
    /* Ops on references are stateful here; TensorFlow does not declare them so. */
    sf_strbuf_add(w, sig->def->traits & SF_OP_STATEFUL && !any_ref ? "; is_stateful=true>" : ">");
}

/* graph construction */
static bool asked(uint64_t mask, int i)
{
    return i < 64 && (mask >> i & 1);
}

/* The contents that inference asked for and TensorFlow would know too. */
static void add_known_inputs(SfStrbuf *w, const SfErrorContext *t)
{
    const char *before = " and with computed input tensors: ";
    for (int i = 0; i < t->nin; i++) {
        const SfValue *v = t->inputs[i].value;
        if (asked(t->asked_values, i) && !asked(t->asked_shapes, i) && v && sf_value_is_exact(v)) {
            sf_strbuf_printf(w, "%sinput[%d] = <", before, i);
            sf_strbuf_value(w, v);
            sf_strbuf_char(w, '>');
            before = ", ";
        }
    }
    before = " and with input tensors computed as partial shapes: ";
    for (int i = 0; i < t->nin; i++) {
        const SfShape *s = t->inputs[i].value ? sf_value_as_shape(t->inputs[i].value) : NULL;
        if (asked(t->asked_shapes, i) && s && sf_shape_is_ranked(s)) {
            sf_strbuf_printf(w, "%sinput[%d] = ", before, i);
            sf_strbuf_shape(w, s);
            before = ",";
        }
    }
}

static void add_build_context(SfStrbuf *w, const SfErrorContext *t)
{
    sf_strbuf_add(w, " for '");
    if (t->version >= SF_VERSION(2, 2)) {
        add_node(w, t, "{{node ", "}}", false);
        sf_strbuf_char(w, '\'');
    } else {
        sf_strbuf_printf(w, "%s' (op: '%s')", t->name ? t->name : "", t->sig->def->name);
    }
    sf_strbuf_add(w, " with input shapes: ");
    for (int i = 0; i < t->nin; i++) {
        const SfShape *s = t->inputs[i].shape;
        sf_strbuf_add(w, i > 0 ? ", " : "");
        if (s && sf_shape_is_ranked(s)) {
            sf_strbuf_shape(w, s);
        } else {
            sf_strbuf_char(w, '?'); /* InferenceContext::DebugString, not PartialTensorShape's */
        }
    }
    add_known_inputs(w, t);
    sf_strbuf_char(w, '.');
}

/* session.run */
static void add_run_context(SfStrbuf *w, const SfErrorContext *t)
{
    if (t->version < SF_VERSION(1, 12)) {
        add_node(w, t, "\n\t [[Node: ", "", true);
        sf_strbuf_add(w, "]]");
    } else if (t->version < SF_VERSION(1, 13)) {
        add_node(w, t, "\n\t [[{{node ", "}}", true);
        sf_strbuf_add(w, "]]");
    } else {
        sf_strbuf_printf(w, "\n\t [[{{node %s}}]]", t->name ? t->name : "");
    }
}

/* eager */
/* "ConcatV2_N_2": the lengths of lists are part of a wrapped function's name. */
static void add_wrapped_name(SfStrbuf *w, const SfErrorContext *t)
{
    sf_strbuf_add(w, t->sig->def->name);
    for (int i = next_attr(t->sig, -1); i >= 0; i = next_attr(t->sig, i)) {
        const SfAttrSpec *spec = &t->sig->attrs[i];
        const SfAttr *a = sf_attr_at(t->sig, t->attrs, i);
        if (spec->is_number) {
            sf_strbuf_printf(w, "_%s_%lld", spec->name, (long long)a->u.i);
        } else if (spec->type == (SF_ATTR_LIST | SF_ATTR_TYPE)) {
            sf_strbuf_printf(w, "_%s_%d", spec->name, a->u.list.n);
        }
    }
}

/* A function whose graph runs; the calls that led to the node are only known to the caller. */
static bool is_graph_execution(const SfErrorContext *t)
{
    return t->phase == SF_PHASE_EAGER && t->function;
}

void sf_error_context_before(SfStrbuf *w, const SfErrorContext *t)
{
    if (is_graph_execution(t)) {
        sf_strbuf_add(w, "Graph execution error:\n\n");
        if (t->version >= SF_VERSION(2, 9)) {
            sf_strbuf_printf(w, "Detected at node %s defined at (most recent call last):\n\n",
                             t->name);
        }
    } else if (t->phase == SF_PHASE_EAGER && t->version >= SF_VERSION(2, 10)) {
        sf_strbuf_add(w, "{{function_node __wrapped__");
        add_wrapped_name(w, t);
        sf_strbuf_add(w, "_device_" DEVICE "}} ");
    }
}

void sf_error_context_after(SfStrbuf *w, const SfErrorContext *t)
{
    switch (t->phase) {
    case SF_PHASE_BUILD:
        add_build_context(w, t);
        break;
    case SF_PHASE_RUN:
        add_run_context(w, t);
        break;
    case SF_PHASE_EAGER:
        if (is_graph_execution(t)) {
            sf_strbuf_printf(w, "\n\t [[{{node %s}}]] [Op:%s]", t->name, t->function);
            break;
        }
        sf_strbuf_printf(w, " [Op:%s]", t->sig->def->name);
        if (t->name || t->version >= SF_VERSION(2, 11)) {
            sf_strbuf_printf(w, " name: %s", t->name ? t->name : "");
        }
        break;
    case SF_PHASE_API:
        break;
    }
}
