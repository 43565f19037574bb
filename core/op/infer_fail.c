/* From a failed check to a diagnostic: places, typed arguments, operands, message and error
 * context. Invariant: nothing here runs while all is well.
 * Owner: message is made in scratch memory; the sink copies what it keeps.
 * Source: InferenceContext::AttachContext; infer.h for what is deferred. */
#include <string.h>

#include "core/op/infer_impl.h"

/* places */
static SfPlace resolved(const SfInfer *c, SfPlace p)
{
    if (p.kind == SF_PLACE_AXIS && p.axis < 0) {
        const int rank = sf_shape_rank(sf_input(c, p.index));
        if (rank >= 0 && p.axis + rank >= 0) {
            p.axis += rank;
        }
    }
    return p;
}

static bool same_place(SfPlace a, SfPlace b)
{
    return a.kind == b.kind && a.index == b.index &&
           (a.kind == SF_PLACE_AXIS ? a.axis == b.axis : a.attr == b.attr);
}

/* Both places without repetition; the op itself only when nothing nearer is concerned. */
static int collect_places(const SfInfer *c, SfPlace a, SfPlace b, SfPlace out[2])
{
    out[0] = resolved(c, a);
    out[1] = resolved(c, b);
    if (out[0].kind == SF_PLACE_OP) {
        out[0] = out[1];
        return 1;
    }
    return out[1].kind == SF_PLACE_OP || same_place(out[0], out[1]) ? 1 : 2;
}

const char *sf_infer_input_name(const SfInfer *c, int flat)
{
    const char *name = sf_input_name(c->args->scratch, c->sig, c->args->attrs, flat);
    return name ? name : "";
}

/* the message */
/* `text` replaces the message of the code when it is not NULL. */
static const char *make_message(const SfInfer *c, const SfFinding *f, const char *text)
{
    const SfErrorContext context = {.phase = c->args->phase,
                                    .version = c->args->version,
                                    .sig = c->sig,
                                    .attrs = c->args->attrs,
                                    .inputs = c->inputs,
                                    .nin = c->args->nin,
                                    .node = c->args->node,
                                    .name = c->args->name,
                                    .function = c->args->function,
                                    .asked_values = c->asked_values,
                                    .asked_shapes = c->asked_shapes};
    const bool has_context = sf_error_context_applies(f->code, c->args->phase);
    SfStrbuf w;
    sf_strbuf_init(&w, c->args->scratch);
    if (has_context) {
        sf_error_context_before(&w, &context);
    }
    if (text) {
        sf_strbuf_add(&w, text);
    } else {
        sf_strbuf_fill(&w, sf_diag_info(f->code)->message, f->args, f->nargs);
    }
    if (c->context && c->args->phase == SF_PHASE_BUILD) {
        sf_strbuf_fill(&w, c->context, &SF_INT_ARG(c->context_arg), 1);
    }
    if (has_context) {
        sf_error_context_after(&w, &context);
    }
    return sf_strbuf_end(&w);
}

static SfStatus report(const SfInfer *c, const SfFinding *f, const char *text, bool deferred)
{
    SfSink *sink = c->args->sink;
    if (!sink || sink->muted > 0) {
        return SF_REPORTED;
    }
    if (deferred &&
        (c->args->may_not_run || (c->args->node && sf_node_may_not_run(c->args->node)))) {
        return SF_REPORTED;
    }
    SfPlace places[2];
    const SfDiag d = {
        .code = f->code,
        .phase = c->args->phase,
        .op_type = c->sig->def->name,
        .node_name = c->args->phase == SF_PHASE_EAGER ? NULL : c->args->name,
        .node = c->args->node,
        .location = c->args->location,
        .nplaces = collect_places(c, f->a, f->b, places),
        .places = places,
        .nargs = f->facts ? f->nfacts : f->nargs,
        .args = f->facts ? f->facts : f->args,
        .noperands = c->args->nin,
        .operands = sf_operands(c->args->scratch, c->sig, c->args->attrs, c->inputs, c->args->nin),
        .message = make_message(c, f, text),
        .deferred = deferred};
    return d.operands && d.message ? sf_sink_report(sink, &d) : SF_NOMEM;
}

/* deferred findings */
/* Infers once more without symbols, and without content that is known in part: TensorFlow's
 * construction knows content wholly or, as a shape, by dims. SF_OK: it would not have seen this
 * yet. */
static SfStatus infer_without_symbols(SfInfer *c)
{
    bool nomem = false;
    SfTensor *inputs = c->args->whole_values ? NULL : sf_infer_forget_symbols(c->args, &nomem);
    if (!inputs) {
        return nomem ? SF_NOMEM : SF_REPORTED;
    }
    const size_t size = (size_t)c->args->nout * sizeof(SfTensor);
    SfTensor *outs = sf_arena_copy(c->args->scratch, c->args->outs, size);
    SF_TRY_ALLOC(outs);
    SfInferArgs args = *c->args;
    args.inputs = inputs;
    args.outs = outs;
    args.sink = NULL;
    args.states = NULL;
    args.whole_values = true;
    const SfStatus status = sf_infer_run(&args);
    if (status == SF_OK) {
        c->symbol_free = outs;
    }
    return status;
}

static SfStatus report_in_phase(SfInfer *c, const SfFinding *f, const char *text)
{
    if (c->args->phase != SF_PHASE_BUILD) {
        return report(c, f, text, false);
    }
    if (c->in_kernel) {
        return report(c, f, text, true);
    }
    const SfStatus without = infer_without_symbols(c);
    return without == SF_NOMEM ? SF_NOMEM : report(c, f, text, without == SF_OK);
}

/* the public ways to fail */
/* In the text of the row `m`, with the facts of the check that failed. */
static SfStatus fail_row(SfInfer *c, const SfFinding *f, const SfMessage *m)
{
    SfDiagArg args[SF_MESSAGE_ARGS_MAX];
    SfFinding as = *f;
    if (m->args) {
        as.args = args;
        as.nargs = m->args(c, f, args);
    }
    const char *text = m->text ? sf_message_fill(c, &as, m->text) : NULL;
    const SfDiagArg arg = SF_TEXT_ARG(text);
    if (!m->as) {
        as.args = f->args;
        as.nargs = f->nargs;
    } else {
        as.code = (SfDiagCode)(m->as - 1);
        as.facts = m->args ? NULL : f->facts ? f->facts : f->args;
        as.nfacts = f->facts ? f->nfacts : f->nargs;
        as.args = m->args ? args : &arg;
        as.nargs = m->args ? as.nargs : 1;
    }
    return m->text && !text ? SF_NOMEM : report_in_phase(c, &as, text);
}

static SfStatus fail_finding(SfInfer *c, const SfFinding *f, const char *text)
{
    const SfMessage *m = c->in_kernel ? sf_message_find(c, c->messages, f) : NULL;
    return m && (m->text || m->as) ? fail_row(c, f, m) : report_in_phase(c, f, text);
}

SfStatus sf_fail_args(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const SfDiagArg *args,
                      int nargs)
{
    const SfFinding f = {.code = code, .a = a, .b = b, .args = args, .nargs = nargs};
    return fail_finding(c, &f, NULL);
}

SfStatus sf_fail_template(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const char *text,
                          const SfDiagArg *args, int nargs)
{
    SfFinding f = {.code = code, .a = a, .b = b, .args = args, .nargs = nargs};
    const char *filled = sf_message_fill(c, &f, text);
    const SfDiagArg arg = SF_TEXT_ARG(filled);
    f.facts = args;
    f.nfacts = nargs;
    f.args = &arg;
    f.nargs = 1;
    return filled ? fail_finding(c, &f, filled) : SF_NOMEM;
}

void sf_warn_args(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const SfDiagArg *args, int n)
{
    const SfFinding f = {.code = code, .a = a, .b = b, .args = args, .nargs = n};
    c->nomem = report(c, &f, NULL, false) == SF_NOMEM || c->nomem;
}

SfStatus sf_kernel_check(SfInfer *c, SfKernelCheck check, const void *data)
{
    const bool building = c->args->phase == SF_PHASE_BUILD;
    const bool outer = c->in_kernel, sets_outputs = c->sets_outputs;
    c->in_kernel = true;
    c->sets_outputs = !building;
    const SfStatus status = check(c, data);
    c->in_kernel = outer;
    c->sets_outputs = sets_outputs;
    return status == SF_REPORTED && building && !outer ? SF_OK : status;
}

static SfStatus call(SfInfer *c, const void *data)
{
    return (*(const SfInferFn *)data)(c);
}

SfStatus sf_ask_kernel(SfInfer *c, SfInferFn check)
{
    return sf_kernel_check(c, call, &check);
}

void sf_want_context(SfInfer *c, const char *text, int64_t arg)
{
    c->context = text;
    c->context_arg = arg;
}

const char *sf_shape_text(SfInfer *c, const SfShape *s)
{
    SfStrbuf w;
    sf_strbuf_init(&w, c->args->scratch);
    sf_strbuf_shape(&w, s);
    const char *text = sf_strbuf_end(&w);
    c->nomem = c->nomem || !text;
    return text ? text : "";
}

SfStatus sf_infer_overflow(SfInfer *c, int output, const SfShape *s)
{
    const SfDiagArg arg = SF_SHAPE_ARG(s);
    const SfFinding f = {.code = SF_DIAG_COUNT_OVERFLOW,
                         .a = SF_OUTPUT(output),
                         .b = SF_THE_OP,
                         .args = &arg,
                         .nargs = 1};
    if (c->args->phase == SF_PHASE_BUILD) {
        const SfStatus status = report(c, &f, NULL, true);
        return status == SF_NOMEM ? SF_NOMEM : SF_OK;
    }
    const char *text = sf_arena_printf(
        c->args->scratch, "Shape %s would have more than 2**63 - 1 elements", sf_shape_text(c, s));
    return text ? fail_finding(c, &f, text) : SF_NOMEM;
}
