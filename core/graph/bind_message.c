/* TensorFlow's message for a call that does not fit: op_def_library.py while a graph is built, the
 * eager runtime (eager/execute.cc, framework/node_def_util.cc) otherwise. See bind.h. */
#include "core/graph/bind.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/op/infer_impl.h"

/* As bind_inputs cuts the inputs, which may have failed half way. */
static SfDiagOperand *operands_of(const SfBind *k)
{
    const SfOpSig *sig = k->sig;
    int64_t *widths = sf_arena_alloc(k->scratch, (size_t)sig->nin * sizeof *widths);
    int lists = 0;
    for (int i = 0; widths && i < sig->nin; i++) {
        widths[i] = !sf_port_is_list(&sig->in[i]) ? 1
                    : k->list_sizes               ? k->list_sizes[lists++]
                                                  : k->ninputs - (sig->nin - 1);
    }
    return widths ? sf_operands_of(k->scratch, sig, widths, k->inputs, k->ninputs) : NULL;
}

static SfStatus report(const SfBind *k, SfDiagCode code, SfPlace place, const char *message)
{
    SF_TRY_ALLOC(message);
    SfDiagOperand *operands = operands_of(k);
    SF_TRY_ALLOC(operands);
    const SfDiagArg arg = SF_TEXT_ARG(message);
    return sf_sink_report(k->b->sink,
                          &(SfDiag){.code = code,
                                    .phase = sf_bind_is_eager(k) ? SF_PHASE_EAGER : SF_PHASE_BUILD,
                                    .op_type = k->sig->def->name,
                                    .node_name = sf_bind_is_eager(k) ? NULL : k->name,
                                    .location = k->b->location,
                                    .nplaces = 1,
                                    .places = &place,
                                    .nargs = 1,
                                    .args = &arg,
                                    .noperands = k->ninputs,
                                    .operands = operands,
                                    .message = message});
}

SfStatus sf_bind_fail(const SfBind *k, SfDiagCode code, SfPlace place, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return report(k, code, place, text);
}

/* The error context of the eager runtime's messages. */
static void add_eager_context(const SfBind *k, SfStrbuf *t)
{
    sf_strbuf_printf(t, " [Op:%s]", k->sig->def->name);
    if (k->b->version >= SF_VERSION(2, 11)) {
        sf_strbuf_printf(t, " name: %s", k->name ? k->name : "");
    } else if (k->name) {
        sf_strbuf_printf(t, " name: %s", k->name);
    }
}

static SfStatus fail_eager_attr(const SfBind *k, SfPlace place, SfStrbuf *t)
{
    sf_strbuf_printf(t, "\n\t; NodeDef: {{node %s}}; ", k->sig->def->name);
    sf_error_context_op(t, k->sig);
    add_eager_context(k, t);
    return report(k, SF_DIAG_EAGER_ARG, place, sf_strbuf_end(t));
}

/* In the order of the op's definition. */
static void add_allowed(const SfBind *k, int attr, bool kernel_names, SfStrbuf *t)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    for (int i = 0; i < spec->nallowed; i++) {
        const SfDtype d = spec->allowed_order[i];
        sf_strbuf_printf(t, "%s%s", i ? ", " : "",
                         kernel_names ? sf_dtype_sig_name(d) : sf_dtype_name(d));
    }
}

SfStatus sf_bind_fail_allowed(const SfBind *k, int attr, const char *param, SfPlace place,
                              SfDtype got)
{
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    if (sf_bind_is_eager(k)) {
        sf_strbuf_printf(&t, "Value for attr '%s' of %s is not in the list of allowed values: ",
                         k->sig->attrs[attr].name, sf_dtype_sig_name(got));
        add_allowed(k, attr, true, &t);
        return fail_eager_attr(k, place, &t);
    }
    sf_strbuf_printf(
        &t, "Value passed to parameter '%s' has DataType %s not in list of allowed values: ", param,
        sf_dtype_name(got));
    add_allowed(k, attr, false, &t);
    return report(k, SF_DIAG_BAD_TYPE, place, sf_strbuf_end(&t));
}

SfStatus sf_bind_fail_string(const SfBind *k, int attr, const SfString *got)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    const bool eager = sf_bind_is_eager(k);
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    if (eager) {
        sf_strbuf_printf(&t, "Value for attr '%s' of \"%s\" is not in the list of allowed values: ",
                         spec->name, got ? got->bytes : "");
    } else {
        sf_strbuf_printf(&t, "Attr '%s' of '%s' Op passed string '%s' not in: ", spec->name,
                         k->sig->def->name, got ? got->bytes : "");
    }
    for (int i = 0; i < spec->allowed_strings.n; i++) {
        sf_strbuf_printf(&t, "%s\"%s\"", i ? ", " : "", spec->allowed_strings.items[i]->bytes);
    }
    if (eager) {
        return fail_eager_attr(k, SF_ATTR(spec->name), &t);
    }
    sf_strbuf_char(&t, '.');
    return report(k, SF_DIAG_BAD_ATTR, SF_ATTR(spec->name), sf_strbuf_end(&t));
}

/* An attr is less than its minimum. `what` begins the eager message, `passed` stands before the
 * number in the other one. */
static SfStatus fail_minimum(const SfBind *k, int attr, int64_t got, const char *what,
                             const char *passed)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    if (sf_bind_is_eager(k)) {
        sf_strbuf_printf(&t, "%s for attr '%s' of %lld must be at least minimum %lld", what,
                         spec->name, (long long)got, (long long)spec->minimum);
        return fail_eager_attr(k, SF_ATTR(spec->name), &t);
    }
    sf_strbuf_printf(&t, "Attr '%s' of '%s' Op passed %s%lld less than minimum %lld.", spec->name,
                     k->sig->def->name, passed, (long long)got, (long long)spec->minimum);
    return report(k, SF_DIAG_BAD_ATTR, SF_ATTR(spec->name), sf_strbuf_end(&t));
}

SfStatus sf_bind_fail_minimum(const SfBind *k, int attr, int64_t got)
{
    return fail_minimum(k, attr, got, "Value", "");
}

SfStatus sf_bind_fail_length(const SfBind *k, int attr, int64_t got)
{
    return fail_minimum(k, attr, got, "Length", "list of length ");
}

SfStatus sf_bind_fail_lengths(const SfBind *k, int port, int got)
{
    const SfPortSpec *p = &k->sig->in[port];
    const int32_t from = k->from[p->number_attr];
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    sf_strbuf_printf(&t, "List argument '%s' to '", p->name);
    sf_strbuf_python_name(
        &t, k->sig->def->name); /* said by the generated function, before the library */
    sf_strbuf_printf(&t, "' Op with length %d must match length %d of argument '%s'.", got,
                     (int)k->attrs[p->number_attr].u.i,
                     from >= 0 ? k->sig->in[from].name : k->sig->attrs[p->number_attr].name);
    return report(k, SF_DIAG_BAD_ARG, SF_ATTR(k->sig->attrs[p->number_attr].name),
                  sf_strbuf_end(&t));
}

static SfStatus fail_eager_dtype(const SfBind *k, int input, SfDtype want)
{
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    sf_strbuf_printf(
        &t,
        "cannot compute %s as input #%d(zero-based) was expected to be a %s tensor but "
        "is a %s tensor",
        k->sig->def->name, input, sf_dtype_sig_name(want),
        sf_dtype_sig_name(sf_dtype_base(k->inputs[input].dtype)));
    add_eager_context(k, &t);
    return report(k, SF_DIAG_EAGER_ARG, SF_INPUT(input), sf_strbuf_end(&t));
}

SfStatus sf_bind_fail_dtype(const SfBind *k, int port, int input, SfDtype want, int32_t from,
                            const char *from_attr)
{
    if (sf_bind_is_eager(k)) {
        return fail_eager_dtype(k, input, want);
    }
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    sf_strbuf_printf(&t, "Input '%s' of '%s' Op has type %s that does not match ",
                     k->sig->in[port].name, k->sig->def->name,
                     sf_dtype_name(k->inputs[input].dtype));
    if (!from_attr) {
        sf_strbuf_printf(&t, "expected type of %s.", sf_dtype_name(want));
    } else {
        sf_strbuf_printf(&t, "type %s of argument '%s'.", sf_dtype_name(want),
                         from >= 0 ? k->sig->in[from].name : from_attr);
    }
    return report(k, SF_DIAG_BAD_TYPE, SF_INPUT(input), sf_strbuf_end(&t));
}

static void add_types(const SfBind *k, int start, int count, SfStrbuf *t)
{
    for (int i = 0; i < count; i++) {
        sf_strbuf_printf(t, "%s%s", i ? ", " : "",
                         sf_dtype_name(sf_dtype_base(k->inputs[start + i].dtype)));
    }
}

SfStatus sf_bind_fail_list(const SfBind *k, int port, int start, int count, int first_odd,
                           SfDtype want, bool earlier)
{
    const SfPortSpec *p = &k->sig->in[port];
    if (sf_bind_is_eager(k) && want != SF_DT_INVALID) {
        return fail_eager_dtype(k, start + first_odd, want);
    }
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    if (p->list_attr >= 0) {
        const SfAttr *had = &k->attrs[p->list_attr];
        const int32_t from = k->from[p->list_attr];
        sf_strbuf_printf(&t, "Input '%s' of '%s' Op has type list of ", p->name, k->sig->def->name);
        add_types(k, start, count, &t);
        sf_strbuf_add(&t, " that does not match type list ");
        for (int i = 0; i < had->u.list.n; i++) {
            sf_strbuf_printf(&t, "%s%s", i ? ", " : "", sf_dtype_name(had->u.list.u.type[i]));
        }
        sf_strbuf_printf(&t, " of argument '%s'.",
                         from >= 0 ? k->sig->in[from].name : k->sig->attrs[p->list_attr].name);
    } else {
        sf_strbuf_printf(&t, "Tensors in list passed to '%s' of '%s' Op have types [", p->name,
                         k->sig->def->name);
        add_types(k, start, count, &t);
        if (p->type_attr < 0) {
            sf_strbuf_printf(&t, "] that do not match expected type %s.", sf_dtype_name(want));
        } else if (earlier) {
            sf_strbuf_printf(&t, "] that do not match type %s inferred from earlier arguments.",
                             sf_dtype_name(want));
        } else {
            sf_strbuf_add(&t, "] that don't all match.");
        }
    }
    return report(k, SF_DIAG_BAD_TYPE, SF_INPUT(start + first_odd), sf_strbuf_end(&t));
}

static void add_repr(const SfAttr *a, SfStrbuf *t)
{
    if (sf_attr_is_list(a->type)) {
        sf_strbuf_add(t, a->u.list.n ? "[...]" : "[]");
    } else if (a->type == SF_ATTR_INT) {
        sf_strbuf_printf(t, "%lld", (long long)a->u.i);
    } else if (a->type == SF_ATTR_FLOAT) {
        sf_strbuf_printf(t, "%.17g", a->u.f);
    } else if (a->type == SF_ATTR_BOOL) {
        sf_strbuf_add(t, a->u.b ? "True" : "False");
    } else if (a->type == SF_ATTR_STRING) {
        sf_strbuf_printf(t, "'%s'", a->u.s ? a->u.s->bytes : "");
    } else if (a->type == SF_ATTR_TYPE) {
        sf_strbuf_printf(t, "tf.%s", sf_dtype_name(a->u.type));
    } else {
        sf_strbuf_add(t, "<object>");
    }
}

SfStatus sf_bind_fail_attr_type(const SfBind *k, int attr, const SfAttr *got)
{
    const SfAttrSpec *spec = &k->sig->attrs[attr];
    SfStrbuf t;
    sf_strbuf_init(&t, k->scratch);
    if (sf_attr_is_list(spec->type) && !sf_attr_is_list(got->type)) {
        sf_strbuf_printf(&t, "Expected list for attr %s", spec->name);
        if (k->b->version >= SF_VERSION(2, 0)) {
            sf_strbuf_printf(&t, ", obtained %s instead.", sf_attr_type_info(got->type)->python);
        }
    } else {
        sf_strbuf_printf(&t, "Expected %s for argument '%s' not ",
                         sf_attr_type_info(spec->type)->message, spec->name);
        add_repr(got, &t);
        sf_strbuf_char(&t, '.');
    }
    return report(k, SF_DIAG_BAD_TYPE, SF_ATTR(spec->name), sf_strbuf_end(&t));
}
