/* Runs the steps of a plan: gather, check handles, infer, propagate. See session_impl.h. */
#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/op/infer_impl.h"
#include "core/session/session_impl.h"
#include "lattice/intern.h"

/* findings of the session */

SfStatus sf_run_report_at(SfSession *s, const SfNode *n, const char *as_name, uint32_t location,
                          SfDiagCode code, const SfDiagArg *args, int nargs, const char *text,
                          SfSink *sink)
{
    if (!sink || sink->muted > 0) {
        return SF_REPORTED;
    }
    const char *name = as_name ? as_name : n->name;
    SfArena *a = &s->scratch;
    SfStrbuf w;
    sf_strbuf_init(&w, a);
    if (text) {
        sf_strbuf_add(&w, text);
    } else {
        sf_strbuf_fill(&w, sf_diag_info(code)->message, args, nargs);
    }
    const SfErrorContext context = {.phase = SF_PHASE_RUN,
                                    .version = sf_graph_version(s->graph),
                                    .sig = n->sig,
                                    .attrs = n->attrs,
                                    .inputs = n->inputs,
                                    .nin = n->nin,
                                    .node = n,
                                    .name = name};
    if (sf_error_context_applies(code, SF_PHASE_RUN)) {
        sf_error_context_after(&w, &context);
    }
    SfDiagOperand *operands = sf_operands(a, n->sig, n->attrs, n->inputs, n->nin);
    const char *message = sf_strbuf_end(&w);
    SF_TRY_ALLOC(operands && message);
    return sf_sink_report(sink, &(SfDiag){.code = code,
                                          .phase = SF_PHASE_RUN,
                                          .op_type = n->sig->def->name,
                                          .node_name = name,
                                          .node = n,
                                          .location = location,
                                          .nargs = nargs,
                                          .args = args,
                                          .noperands = n->nin,
                                          .operands = operands,
                                          .message = message});
}

SfStatus sf_run_report(SfSession *s, const SfNode *n, const char *as_name, SfDiagCode code,
                       const SfDiagArg *args, int nargs, const char *text, SfSink *sink)
{
    return sf_run_report_at(s, n, as_name, n->location, code, args, nargs, text, sink);
}

/* variables behind references and resources */

/* Does the op read the resource (its signature says `resource`), or only pass the handle on (T)? */
static bool opens_resource(const SfNode *n, int input)
{
    const int port = sf_input_port(n->sig, n->attrs, input, NULL);
    return port >= 0 && n->sig->in[port].dtype == SF_DT_RESOURCE;
}

static const char *resource_name(const SfNode *owner)
{
    const SfAttr *a = sf_node_attr(owner, "shared_name");
    return a && a->type == SF_ATTR_STRING && a->u.s && a->u.s->len ? a->u.s->bytes : owner->name;
}

/* The messages of ResourceMgr and of ReadVariableOp; a session in which no variable was ever made
 * has no container yet, and says so. */
static SfStatus report_missing_resource(SfSession *s, const SfNode *n, const SfNode *owner,
                                        SfSink *sink)
{
    SfArena *a = &s->scratch;
    const char *name = resource_name(owner);
    const char *why =
        s->states.nwritten > 0 || s->seen_variable
            ? sf_arena_printf(a, "Resource localhost/%s/N10tensorflow3VarE does not exist.", name)
            : sf_arena_printf(a,
                              "Container localhost does not exist. (Could not find resource: "
                              "localhost/%s)",
                              name);
    SF_TRY_ALLOC(why);
    if (sf_node_role(n) != SF_ROLE_READ_VARIABLE) {
        const SfDiagArg arg = SF_TEXT_ARG(why);
        return sf_run_report(s, n, NULL, SF_DIAG_RESOURCE_MISSING, &arg, 1, why, sink);
    }
    const char *fmt =
        sf_graph_version(s->graph) >= SF_VERSION(2, 4)
            ? "Could not find variable %s. This could mean that the variable has been "
              "deleted. In TF1, it can also mean the variable is uninitialized. Debug "
              "info: container=localhost, status error message=%s"
            : "Error while reading resource variable %s from Container: localhost. "
              "This could mean that the variable was uninitialized. Not found: %s";
    SfStrbuf w;
    sf_strbuf_init(&w, a);
    const char *slot = strstr(fmt, "%s");
    sf_strbuf_addn(&w, fmt, (size_t)(slot - fmt));
    sf_strbuf_add(&w, name);
    const char *second = strstr(slot + 2, "%s");
    sf_strbuf_addn(&w, slot + 2, (size_t)(second - slot - 2));
    sf_strbuf_add(&w, why);
    const char *message = sf_strbuf_end(&w);
    SF_TRY_ALLOC(message);
    const SfDiagArg arg = SF_TEXT_ARG(name);
    return sf_run_report(s, n, NULL, SF_DIAG_UNINITIALIZED, &arg, 1, message, sink);
}

SfStatus sf_run_handles(SfSession *s, const SfNode *n, unsigned flags, SfTensor *inputs,
                        bool undecided, SfSink *sink)
{
    for (int i = 0; i < n->nin; i++) {
        SfTensor *t = &inputs[i];
        if (!t->state) {
            continue;
        }
        const bool ref = sf_dtype_is_ref(t->dtype);
        if (!ref && (t->dtype != SF_DT_RESOURCE || !opens_resource(n, i))) {
            continue;
        }
        SfState now = {0};
        const bool written = sf_states_read(&s->states, t->state, &now);
        if (ref && written) {
            t->shape = now.shape;
            t->value = now.value;
        }
        if ((written && now.initialized) || flags & SF_STEP_UNINIT_OK || undecided ||
            sf_node_role(t->state) != SF_ROLE_VARIABLE) {
            continue;
        }
        if (!ref) {
            return report_missing_resource(s, n, t->state, sink);
        }
        const SfDiagArg arg = SF_TEXT_ARG(t->state->name);
        return sf_run_report(s, n, NULL, SF_DIAG_UNINITIALIZED, &arg, 1, NULL, sink);
    }
    return SF_OK;
}

void sf_run_refresh_refs(SfSession *s, const SfNode *n, SfTensor *outs)
{
    for (int i = 0; i < n->nout; i++) {
        SfState now;
        if (sf_dtype_is_ref(outs[i].dtype) && outs[i].state &&
            sf_states_read(&s->states, outs[i].state, &now) && now.initialized) {
            outs[i].shape = now.shape;
            outs[i].value = now.value;
        }
    }
}

void sf_run_drop_floats(const SfNode *n, SfTensor *outs)
{
    for (int i = 0; i < n->nout; i++) {
        const SfDtype t = sf_dtype_base(outs[i].dtype);
        if (sf_dtype_is_floating(t) || sf_dtype_is_complex(t)) {
            outs[i].value = NULL;
        }
    }
}

/* one op */

/* Fills what run-time inference leaves unknown from the static shape (set_shape). Symbols are
 * ignored, and so is a static shape that the run contradicts, as in TensorFlow. */
static const SfShape *refine(const SfShape *run, const SfShape *fixed)
{
    const int rank = sf_shape_rank(fixed);
    if (rank < 0 || (sf_shape_is_ranked(run) && sf_shape_rank(run) != rank)) {
        return run;
    }
    SfDim dims[SF_RANK_MAX];
    for (int i = 0; i < rank; i++) {
        const SfDim was = sf_shape_is_ranked(run) ? sf_shape_dim(run, i) : SF_DIM_UNKNOWN;
        const SfDim now = sf_shape_dim(fixed, i);
        if (sf_dim_is_known(was) && sf_dim_is_known(now) && was != now) {
            return run;
        }
        dims[i] = sf_dim_is_known(now) ? now : was;
    }
    return sf_shape_make(rank, dims);
}

SfStatus sf_run_infer(SfSession *s, SfNode *n, const SfTensor *inputs, SfTensor *outs, SfSink *sink)
{
    if (n->context->failed) { /* reported when it was built */
        for (int i = 0; i < n->nout; i++) {
            outs[i] = n->outputs[i];
        }
        return SF_OK;
    }
    SfInferArgs args = sf_node_infer_args(n, inputs, outs, sink, &s->scratch);
    args.phase = SF_PHASE_RUN;
    args.states = &s->states;
    s->stats.inferences++;
    const SfStatus status = sf_infer_run(&args);
    sf_arena_reset(&s->scratch);
    if (status != SF_OK) {
        return status;
    }
    for (int i = 0; i < n->nout; i++) {
        if (!sf_shape_is_known(outs[i].shape)) {
            outs[i].shape = refine(outs[i].shape, n->outputs[i].shape);
            SF_TRY_ALLOC(outs[i].shape);
        }
    }
    return SF_OK;
}

/* one step */

static SfStatus report_not_fed(SfRun *r, const SfNode *n)
{
    const SfDtype dtype = sf_dtype_base(n->outputs[0].dtype);
    const SfAttr *a = sf_node_attr(n, "shape");
    const SfShape *shape =
        a && a->type == SF_ATTR_SHAPE && a->u.shape ? a->u.shape : sf_shape_unknown();
    const SfDiagArg args[] = {SF_TEXT_ARG(n->name), SF_DTYPE_ARG(dtype), SF_SHAPE_ARG(shape)};
    /* for a scalar PlaceholderOp's message leaves the shape out */
    const bool with_shape = sf_shape_rank(shape) > 0;
    return sf_run_report(r->session, n, NULL,
                         with_shape ? SF_DIAG_PLACEHOLDER_SHAPE : SF_DIAG_NOT_FED, args,
                         with_shape ? 3 : 2, NULL, r->sink);
}

static void mute(SfRun *r, int by)
{
    if (r->sink) {
        r->sink->muted += by;
    }
    r->session->states.guarded += by;
}

/* In a branch that may not run, an op that fails gets its static shapes. */
static void fall_back(const SfNode *n, SfTensor *outs)
{
    for (int i = 0; i < n->nout; i++) {
        outs[i].shape = n->outputs[i].shape;
        outs[i].state = n->outputs[i].state;
        outs[i].value = NULL;
    }
}

/* In a branch, or a turn of a loop, that may not run. */
static bool is_undecided(const SfRun *r, int step)
{
    return r->wide || (r->plan->has_flow && r->plan->step_guard[step] > 0);
}

static SfStatus infer_step(SfRun *r, SfStep *st, bool undecided)
{
    SfPlan *p = r->plan;
    SfNode *n = st->node;
    SfTensor *outs = &p->slots[st->out];
    if (st->flags & SF_STEP_REFS_OUT && n->sig->def->traits & SF_OP_STATE) {
        r->session->seen_variable = true;
    }
    if (st->flags & SF_STEP_HANDLES) {
        SF_TRY(sf_run_handles(r->session, n, st->flags, p->inputs, undecided, r->sink));
    }
    SF_TRY(sf_run_infer(r->session, n, p->inputs, outs, r->sink));
    if (st->flags & SF_STEP_REFS_OUT) {
        sf_run_refresh_refs(r->session, n, outs);
    }
    return SF_OK;
}

/* after an error that the owner of the sink wants to survive */

/* Marks the outputs of step i; false: no memory. */
static bool mark_failed(SfRun *r, int i)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[i];
    if (!r->follows) {
        r->follows = sf_calloc((size_t)p->nslots + 1, sizeof *r->follows);
    }
    for (int k = 0; r->follows && k < st->node->nout; k++) {
        p->slots[st->out + k] = (SfTensor){.shape = sf_shape_unknown(),
                                           .node = st->node,
                                           .state = st->node->outputs[k].state,
                                           .index = k,
                                           .dtype = st->node->outputs[k].dtype};
        r->follows[st->out + k] = true;
    }
    return r->follows;
}

/* Is step i computed from the outputs of a step that failed? Then its own outputs count as
 * failed too. */
static bool follows_failure(SfRun *r, int i)
{
    const SfStep *st = &r->plan->steps[i];
    bool yes = false;
    for (int k = 0; r->follows && k < st->node->nin; k++) {
        yes = yes || (st->in[k] >= 0 && r->follows[st->in[k]]);
    }
    for (int k = 0; yes && k < st->node->nout; k++) {
        r->follows[st->out + k] = true;
    }
    return yes;
}

/* Infers a step that follows a failed one: its errors are only consequences and are not
 * reported. */
static SfStatus infer_after_failure(SfRun *r, SfStep *st)
{
    r->sink->muted++;
    SfStatus status = infer_step(r, st, false);
    r->sink->muted--;
    if (status == SF_REPORTED) {
        fall_back(st->node, &r->plan->slots[st->out]);
        status = SF_OK;
    }
    return status;
}

static SfStatus run_plain(SfRun *r, int i)
{
    SfPlan *p = r->plan;
    SfStep *st = &p->steps[i];
    bool *dependent = &p->state_dependent_step[i];
    for (int k = 0; k < st->node->nin; k++) {
        p->inputs[k] = p->slots[st->in[k]];
        *dependent = *dependent || p->state_dependent_slot[st->in[k]];
    }
    r->session->states.step = i;
    r->session->states.step_read_value = false;
    const bool undecided = is_undecided(r, i);
    SfStatus status;
    if (undecided) {
        mute(r, 1);
        status = infer_step(r, st, true);
        mute(r, -1);
        if (status == SF_REPORTED) {
            fall_back(st->node, &p->slots[st->out]);
            status = SF_OK;
        }
    } else if (follows_failure(r, i)) {
        status = infer_after_failure(r, st);
    } else {
        status = infer_step(r, st, false);
        if (status == SF_REPORTED && sf_sink_goes_on(r->sink)) {
            status = mark_failed(r, i) ? SF_OK : SF_NOMEM;
        }
    }
    *dependent = *dependent || r->session->states.step_read_value;
    if (*dependent) {
        sf_run_drop_floats(st->node, &p->slots[st->out]);
        r->uncacheable = r->uncacheable || undecided;
    }
    for (int k = 0; k < st->node->nout; k++) {
        p->state_dependent_slot[st->out + k] = *dependent && p->slots[st->out + k].value;
    }
    return status;
}

/* The kernel's check, which construction cannot make when the predicate's rank is unknown. */
static SfStatus check_predicate(SfRun *r, int i, bool follows)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[i];
    const SfShape *s = st->node->nin < 2 ? NULL : p->slots[st->in[1]].shape;
    if (!s || sf_shape_rank(s) <= 0 || follows || is_undecided(r, i)) {
        return SF_OK;
    }
    SfStrbuf w;
    sf_strbuf_init(&w, &r->session->scratch);
    sf_strbuf_add(&w, "The second input must be a scalar, but it has shape ");
    sf_strbuf_shape(&w, s);
    const char *text = sf_strbuf_end(&w);
    SF_TRY_ALLOC(text);
    const SfDiagArg arg = SF_TEXT_ARG(text);
    const SfStatus status =
        sf_run_report(r->session, st->node, NULL, SF_DIAG_RUN_REFUSED, &arg, 1, text, r->sink);
    if (status != SF_REPORTED || !sf_sink_goes_on(r->sink)) {
        return status;
    }
    if (!mark_failed(r, i)) {
        return SF_NOMEM;
    }
    r->follows[st->in[1]] = true; /* reported once, though a loop has a Switch for each variable */
    return SF_OK;
}

static SfStatus run_step(SfRun *r, int i)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[i];
    const bool follows = st->kind != SF_STEP_PLAIN && follows_failure(r, i);
    if (p->has_flow && st->kind != SF_STEP_MERGE) {
        const int16_t guard = sf_run_guard(r, i);
        p->step_guard[i] = guard;
        if (guard == SF_DEAD) {
            sf_run_kill(r, i);
            return SF_OK;
        }
        for (int k = 0; k < st->node->nout; k++) {
            p->guard[st->out + k] = guard;
        }
    }
    switch ((SfStepKind)st->kind) {
    case SF_STEP_PLACEHOLDER:
        if (is_undecided(r, i)) {
            return run_plain(r, i);
        }
        return report_not_fed(r, st->node);
    case SF_STEP_FORWARD:
    case SF_STEP_LOOP_COND:
        sf_run_forward(r, i, 0);
        return SF_OK;
    case SF_STEP_SWITCH:
        SF_TRY(check_predicate(r, i, follows));
        return sf_run_switch(r, i);
    case SF_STEP_MERGE:
        return sf_run_merge(r, i);
    case SF_STEP_SOURCE: {
        bool supplied;
        SF_TRY(sf_run_source(r, i, is_undecided(r, i), &supplied));
        if (supplied) {
            return SF_OK;
        }
        break;
    }
    case SF_STEP_PLAIN:
        break;
    }
    return run_plain(r, i);
}

/* The loop that starts at step i one level below the current one, or -1. */
static int loop_frame_here(const SfRun *r, int i)
{
    const SfPlan *p = r->plan;
    int k = p->loop_frame_at ? p->loop_frame_at[i] : -1;
    while (k >= 0 && p->loop_frames[k].depth <= r->depth) {
        k = k + 1 < p->nloop_frames && p->loop_frames[k + 1].start == i ? k + 1 : -1;
    }
    return k;
}

SfStatus sf_run_steps(SfRun *r, int from, int to)
{
    for (int i = from; i < to;) {
        if (r->depth > 0 && !r->static_loops && --r->loop_steps_left < 0) {
            return SF_OK; /* no steps left: the outermost loop runs again with static shapes */
        }
        SF_TRY(sf_interrupt_step(&r->polls));
        const int loop_frame = loop_frame_here(r, i);
        if (loop_frame >= 0) {
            SF_TRY(sf_run_loop_frame(r, loop_frame));
            i = r->plan->loop_frames[loop_frame].end;
        } else {
            SF_TRY(run_step(r, i++));
        }
    }
    return SF_OK;
}
