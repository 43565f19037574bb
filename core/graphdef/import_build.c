/* Builds the nodes of a scanned program through the registry, producers first.
 * Invariant: sf_build checks every node as if a script had made it. What it refuses (keep_going),
 * and what cannot be read, becomes SfUnknown: its outputs take the dtype that their consumer asks
 * for. Source: graph_constructor.cc. */
#include <stddef.h>
#include <stdio.h>

#include "core/base/interrupt.h"
#include "core/graph/graph_impl.h"
#include "core/graphdef/import_impl.h"
#include "core/op/port.h"
#include "lattice/intern.h"

enum {
    N_DEVICE = 4,
    N_ATTR = 5,
    M_KEY = 1,
    M_VALUE = 2,
    ATTRS_LOCAL = 48,
    EMPTY_IS_UNKNOWN_UNTIL = 24,
    REFUSED_MAX = 1000
};

/* One NodeDef on its way. */
typedef struct Making {
    SfBody *body;
    const SfDefNode *d;
    const SfOpSig *sig; /* NULL: unknown outputs */
    int nattrs;
    SfAttr hint; /* _output_shapes */
    SfTensor *inputs;
    int nin;
    SfNode **control;
    int ncontrol;
    const char *name;
    SfAttrArg attrs[ATTRS_LOCAL]; /* last: only the first `nattrs` are ever set */
} Making;

static void start(Making *m, SfBody *body, const SfDefNode *d, const SfOpSig *sig)
{
    memset(m, 0, offsetof(Making, attrs));
    m->body = body;
    m->d = d;
    m->sig = sig;
}

/* A finding in the body of a function does not end an import: TensorFlow would look into the body
 * only when it runs. */
static bool goes_on(const SfBody *body)
{
    return body->im->o.keep_going || body->b.graph != body->im->o.graph;
}

/* Bounds the number of findings, because each may search the whole graph for its cause. */
static SfStatus count_refused(SfImport *im)
{
    return ++im->refused <= REFUSED_MAX
               ? SF_OK
               : sf_import_fail(im, "more than %d nodes are refused: the rest is not checked",
                                REFUSED_MAX);
}

/* messages */
static SfStatus report(const Making *m, SfDiagCode code, const char *text)
{
    const SfDiagArg arg = SF_TEXT_ARG(text);
    const SfDefOp *op = m->d->op;
    return sf_sink_report(m->body->b.sink, &(SfDiag){.code = code,
                                                     .phase = SF_PHASE_API,
                                                     .op_type = op->name.p,
                                                     .node_name = m->name,
                                                     .location = m->body->b.location,
                                                     .nargs = 1,
                                                     .args = &arg});
}

static SfStatus refuse(Making *m, const char *fmt, SfSpan a)
{
    char text[600];
    const int n = a.n < 200 ? (int)a.n : 200;
    (void)snprintf(text, sizeof text, fmt, m->name, n, a.p);
    m->sig = NULL;
    const SfStatus status = report(m, SF_DIAG_BAD_GRAPH, text);
    return status == SF_REPORTED && goes_on(m->body) ? count_refused(m->body->im) : status;
}

static SfStatus notice_unknown(const Making *m)
{
    SfDefOp *op = m->d->op;
    if (op->noticed || m->body->b.sink->muted > 0) {
        return SF_OK;
    }
    op->noticed = true;
    const SfStatus status = report(m, SF_DIAG_UNMODELLED, op->name.p);
    return status == SF_NOMEM ? SF_NOMEM : SF_OK;
}

/* attrs */
static int attr_index(const SfOpSig *sig, SfSpan key)
{
    for (int i = 0; i < sig->nattr; i++) {
        const char *name = sig->attrs[i].name; /* the key may hold NULs: no function of strings */
        if (name[0] == key.p[0] && sf_span_is(key, name)) {
            return i;
        }
    }
    return -1;
}

static SfAttrArg *attr_slot(Making *m, const char *name)
{
    for (int i = 0; i < m->nattrs; i++) {
        if (m->attrs[i].name == name) {
            return &m->attrs[i];
        }
    }
    if (m->nattrs == ATTRS_LOCAL) {
        return NULL; /* no op has as many attrs */
    }
    m->attrs[m->nattrs] = (SfAttrArg){.name = name};
    return &m->attrs[m->nattrs++];
}

/* Files of producers before 24 say [] where they mean "not given". */
static bool is_ancient_shape(const Making *m, const SfAttr *a)
{
    return m->sig->def->traits & SF_OP_OLD_EMPTY_SHAPE && a->type == SF_ATTR_SHAPE &&
           a->u.shape == sf_shape_scalar() && m->body->im->producer < EMPTY_IS_UNKNOWN_UNTIL;
}

static SfStatus take_attr(Making *m, SfSpan key, SfSpan value)
{
    SfImport *im = m->body->im;
    if (key.n == 0) {
        return SF_OK;
    }
    if (key.p[0] == '_') {
        if (sf_span_is(key, "_output_shapes") &&
            sf_attr_decode(&im->decoder, value, SF_ATTR_SHAPE, &m->hint) != SF_DECODED) {
            m->hint.set = false; /* a malformed hint is ignored */
        }
        return SF_OK;
    }
    const int at = m->sig ? attr_index(m->sig, key) : -1;
    SfAttrArg *slot = at < 0 ? NULL : attr_slot(m, m->sig->attrs[at].name);
    if (!slot) {
        return SF_OK; /* newer than what is known here; TensorFlow's own versions differ as well */
    }
    switch (sf_attr_decode(&im->decoder, value, m->sig->attrs[at].type, &slot->value)) {
    case SF_DECODED:
        break;
    case SF_DECODED_BAD:
        return sf_import_fail(im, "not a GraphDef: attr '%.*s' of node '%.200s' is malformed",
                              key.n < 100 ? (int)key.n : 100, key.p, m->name);
    case SF_DECODED_NOMEM:
        return SF_NOMEM;
    case SF_DECODED_STRANGE:
    default:
        m->sig = NULL;
        break;
    }
    if (m->sig && is_ancient_shape(m, &slot->value)) {
        slot->value.u.shape = sf_shape_unknown();
    }
    return SF_OK;
}

static SfStatus take_entry(Making *m, SfSpan bytes)
{
    SfSpan key = {"", 0}, value = {"", 0};
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.type == SF_WIRE_BYTES && f.number == M_KEY) {
            key = f.bytes;
        } else if (f.type == SF_WIRE_BYTES && f.number == M_VALUE) {
            value = f.bytes;
        }
    }
    return w.bad ? sf_import_fail(m->body->im,
                                  "not a GraphDef: an attr of node '%.200s' is malformed", m->name)
                 : take_attr(m, key, value);
}

static SfStatus take_device(Making *m, SfSpan device)
{
    SfBuilder *b = &m->body->b;
    if (device.n == 0) {
        b->device = "";
        return SF_OK;
    }
    if (!b->device || strlen(b->device) != device.n || memcmp(b->device, device.p, device.n) != 0) {
        b->device = sf_arena_strndup(&m->body->im->arena, device.p, device.n);
    }
    return b->device ? SF_OK : SF_NOMEM;
}

static SfStatus take_fields(Making *m)
{
    SfWire w = sf_wire(m->d->body);
    SfWireField f;
    SfSpan device = {"", 0};
    while (sf_wire_next(&w, &f)) {
        if (f.number == N_ATTR && f.type == SF_WIRE_BYTES) {
            SF_TRY(take_entry(m, f.bytes));
        } else if (f.number == N_DEVICE && f.type == SF_WIRE_BYTES) {
            device = f.bytes;
        }
    }
    return take_device(m, device);
}

/* inputs */
/* The flat number of output `name`:`port`; -1: there is none. */
static int64_t output_number(const SfNode *n, SfSpan name, int32_t port)
{
    int64_t at = 0;
    for (int i = 0; i < n->sig->nout; i++) {
        const SfPortSpec *p = &n->sig->out[i];
        const int64_t width = sf_port_width(p, n->sig, n->attrs);
        if (sf_span_is(name, p->name)) {
            return port < width ? at + port : -1;
        }
        at += width;
    }
    return -1;
}

SfTensor sf_body_tensor(const SfBody *body, const SfDefRef *ref)
{
    const SfTensor none = {.shape = sf_shape_unknown()};
    if (ref->node <= SF_REF_MAPPED) {
        return body->im->o.map[SF_REF_MAPPED - ref->node].tensor;
    }
    const SfNode *n = ref->node >= 0 ? body->made[ref->node] : NULL;
    if (!n) {
        return none;
    }
    int64_t port = ref->port;
    if (ref->output.n > 0) {
        port = n->sig == body->im->unknown ? 0 : output_number(n, ref->output, ref->port);
    }
    return port >= 0 && port < n->nout ? n->outputs[port] : none;
}

/* An output of an op that is not known has no dtype until a consumer asks for one. */
static bool is_open(const SfBody *body, const SfTensor *t)
{
    return t->node && t->node->sig == body->im->unknown;
}

static bool is_expected_later(const Making *m, const SfDefRef *r)
{
    return r->node >= 0 && m->d->op->role == SF_ROLE_MERGE &&
           m->body->program->nodes[r->node].op->role == SF_ROLE_NEXT_ITERATION;
}

static SfStatus take_control(Making *m, const SfDefRef *r)
{
    SfNode *n = NULL;
    if (r->node <= SF_REF_MAPPED) {
        n = m->body->im->o.map[SF_REF_MAPPED - r->node].tensor.node;
    } else if (r->node >= 0) {
        n = m->body->made[r->node];
    } else {
        return refuse(m, "Node '%s': Unknown input node '%.*s'", r->text);
    }
    if (n && n->graph == m->body->b.graph) {
        m->control[m->ncontrol++] = n;
    }
    return SF_OK;
}

/* What comes back to a Merge is not there yet: nothing is known of it, and until close_loops it
 * has the place of an input that is there. */
static bool hold_place(Making *m, int at)
{
    for (int i = 0; i < m->nin; i++) {
        if (i != at && m->inputs[i].node) {
            m->inputs[at].node = m->inputs[i].node;
            m->inputs[at].index = m->inputs[i].index;
            return true;
        }
    }
    return false;
}

static SfStatus take_input(Making *m, const SfDefRef *r)
{
    SfTensor t = sf_body_tensor(m->body, r);
    if (!t.node && !is_expected_later(m, r)) {
        if (r->node == SF_REF_MISSING) {
            return refuse(m, "Node '%s': Unknown input node '%.*s'", r->text);
        }
        if (r->node >= 0 && m->body->made[r->node]) {
            return refuse(m, "Node '%s': Connecting to invalid output '%.*s'", r->text);
        }
        m->sig = NULL; /* on a cycle: already reported */
        return SF_OK;
    }
    m->inputs[m->nin++] = t;
    return SF_OK;
}

static SfStatus take_inputs(Making *m)
{
    const SfDefNode *d = m->d;
    SfArena *scratch = &m->body->im->scratch;
    m->inputs = sf_arena_alloc(scratch, (size_t)d->nrefs * sizeof *m->inputs);
    m->control = sf_arena_alloc(scratch, (size_t)d->nrefs * sizeof(SfNode *));
    SF_TRY_ALLOC(m->inputs && m->control);
    for (int32_t i = 0; i < d->nrefs; i++) {
        const SfDefRef *r = &m->body->program->refs[d->first + i];
        SF_TRY(r->port == SF_REF_CONTROL ? take_control(m, r) : take_input(m, r));
    }
    for (int i = 0; i < m->nin; i++) {
        if (!m->inputs[i].node && !hold_place(m, i)) {
            m->nin = 0; /* a Merge of nothing but what comes back */
            m->sig = NULL;
        }
    }
    return SF_OK;
}

/* what the signature makes of the inputs */
static const SfAttr *given_or_default(const Making *m, int attr)
{
    const SfAttrSpec *spec = &m->sig->attrs[attr];
    for (int i = 0; i < m->nattrs; i++) {
        if (m->attrs[i].name == spec->name) {
            return m->attrs[i].value.type == spec->type ? &m->attrs[i].value : NULL;
        }
    }
    return spec->has_default ? &spec->def : NULL;
}

/* Flat inputs of a port, from the attrs alone; -1: they do not tell. */
static int64_t port_size(const Making *m, const SfPortSpec *p)
{
    if (!sf_port_is_list(p)) {
        return 1;
    }
    const SfAttr *a = given_or_default(m, p->number_attr >= 0 ? p->number_attr : p->list_attr);
    return !a ? -1 : p->number_attr >= 0 ? a->u.i : a->u.list.n;
}

static SfDtype port_dtype(const Making *m, const SfPortSpec *p, int64_t i)
{
    SfDtype t = p->dtype;
    if (p->type_attr >= 0 || p->list_attr >= 0) {
        const SfAttr *a = given_or_default(m, p->type_attr >= 0 ? p->type_attr : p->list_attr);
        t = !a ? SF_DT_INVALID : p->type_attr >= 0 ? a->u.type : a->u.list.u.type[i];
    }
    return t != SF_DT_INVALID && p->is_ref ? (SfDtype)(sf_dtype_base(t) + SF_DT_REF) : t;
}

/* Gives a dtype to the inputs that have none, and the lengths of the lists. False: the attrs do not
 * say enough, or do not fit. */
static bool fit_inputs(Making *m, int *sizes)
{
    int64_t at = 0;
    for (int i = 0; i < m->sig->nin; i++) {
        const SfPortSpec *p = &m->sig->in[i];
        const int64_t size = port_size(m, p);
        if (size < 0 || size > m->nin - at) {
            return false;
        }
        if (sf_port_is_list(p)) {
            *sizes++ = (int)size;
        }
        for (int64_t k = 0; k < size; k++, at++) {
            SfTensor *t = &m->inputs[at];
            if (t->dtype != SF_DT_INVALID && !is_open(m->body, t)) {
                continue;
            }
            const SfDtype want = port_dtype(m, p, k);
            if (want == SF_DT_INVALID) {
                return false;
            }
            t->dtype = want;
            if (t->node->outputs[t->index].dtype == SF_DT_INVALID) {
                t->node->outputs[t->index].dtype = want;
            }
        }
    }
    return at == m->nin;
}

static int count_lists(const SfOpSig *sig)
{
    int n = 0;
    for (int i = 0; i < sig->nin; i++) {
        n += sf_port_is_list(&sig->in[i]);
    }
    return n;
}

static bool has_open_input(const Making *m)
{
    for (int i = 0; i < m->nin; i++) {
        if (m->inputs[i].dtype == SF_DT_INVALID || is_open(m->body, &m->inputs[i])) {
            return true;
        }
    }
    return false;
}

/* making */
static SfStatus charge(SfImport *im, int nout)
{
    im->outputs_left -= nout;
    return im->outputs_left >= 0
               ? SF_OK
               : sf_import_fail(im, "the graph has more outputs than its size allows");
}

static SfStatus finish(Making *m, int nout, SfNode **made)
{
    SfGraph *g = m->body->b.graph;
    *made = sf_graph_node(g, sf_graph_size(g) - 1);
    return charge(m->body->im, nout);
}

/* A node of unknown outputs; or an argument of a function, whose shapes may be `trusted`. */
static SfStatus make_unknown(Making *m, bool trusted, SfNode **made)
{
    SfTensor out[1];
    const int n = m->d->nout > 1 ? m->d->nout : 1;
    int nout = 0;
    SfDtype *types = sf_arena_alloc(&m->body->im->scratch, (size_t)n * sizeof *types);
    SF_TRY_ALLOC(types);
    for (int i = 0; i < m->nin; i++) {
        const SfTensor *t = &m->inputs[i];
        /* its own dtype, not the one that was asked for */
        m->inputs[i].dtype = t->node->outputs[t->index].dtype;
    }
    SfAttrArg attrs[] = {{"Tout", {.type = SF_ATTR_LIST + SF_ATTR_TYPE, .set = true}},
                         {"any_dtype", {.type = SF_ATTR_BOOL, .set = true, .u = {.b = true}}},
                         {"trusted", {.type = SF_ATTR_BOOL, .set = true, .u = {.b = trusted}}}};
    attrs[0].value.u.list.n = n;
    attrs[0].value.u.list.u.type = types;
    SF_TRY(sf_build(&m->body->b, m->body->im->unknown, m->name, m->inputs, m->nin, NULL, attrs,
                    SF_ARRAY_LEN(attrs), out, 1, &nout));
    return finish(m, nout, made);
}

static SfStatus make_known(Making *m, SfNode **made)
{
    SfTensor out[1];
    int nout = 0;
    int local[8];
    const int lists = count_lists(m->sig);
    int *sizes = lists <= SF_ARRAY_LEN(local)
                     ? local
                     : sf_arena_alloc(&m->body->im->scratch, (size_t)lists * sizeof *sizes);
    SF_TRY_ALLOC(sizes);
    const bool open = has_open_input(m);
    if ((open || lists > 1) && !fit_inputs(m, sizes)) {
        if (open) {
            m->sig = NULL; /* an unknown input decides the signature: the node stays unknown */
            return SF_OK;
        }
        sizes = NULL;
    }
    SfStatus status = sf_build(&m->body->b, m->sig, m->name, m->inputs, m->nin,
                               lists > 1 ? sizes : NULL, m->attrs, m->nattrs, out, 1, &nout);
    if (status == SF_REPORTED && goes_on(m->body)) {
        m->sig = NULL;
        return count_refused(m->body->im);
    }
    SF_TRY(status);
    return finish(m, nout, made);
}

/* The shapes that the writer of the file inferred, as TensorFlow merges them; where they contradict
 * ours, ours stand: a tool that edits graphs may leave old ones behind. */
static SfStatus apply_hint(const Making *m, SfNode *n)
{
    const SfAttr *a = &m->hint;
    if (!a->set || a->type != SF_ATTR_LIST + SF_ATTR_SHAPE) {
        return SF_OK;
    }
    for (int i = 0; i < n->nout && i < a->u.list.n; i++) {
        const SfShape *both = sf_shape_meet(n->outputs[i].shape, a->u.list.u.shape[i]);
        SF_TRY_ALLOC(both);
        if (!sf_shape_is_bottom(both) && sf_shape_count(both) != SF_DIM_BOTTOM) {
            n->outputs[i].shape = both;
        }
    }
    return SF_OK;
}

static SfStatus name_node(Making *m)
{
    SfBody *body = m->body;
    const size_t prefix = strlen(body->prefix);
    char *name = sf_arena_alloc(&body->im->scratch, prefix + m->d->name.n + 1);
    SF_TRY_ALLOC(name);
    memcpy(name, body->prefix, prefix);
    memcpy(name + prefix, m->d->name.p, m->d->name.n);
    m->name = name;
    if (!body->im->o.mark_names || body->b.graph != body->im->o.graph) {
        return SF_OK;
    }
    if (sf_graph_find(body->b.graph, name)) {
        return refuse(m, "Node name '%s' already exists in the Graph%.*s", (SfSpan){"", 0});
    }
    const char *scope = sf_graph_scope(body->b.graph);
    sf_graph_set_scope(body->b.graph, "");
    const char *marked = sf_graph_unique_name(body->b.graph, name, true);
    sf_graph_set_scope(body->b.graph, scope);
    return marked ? SF_OK : SF_NOMEM;
}

static SfStatus make_node(SfBody *body, int32_t at)
{
    SfImport *im = body->im;
    const SfDefNode *d = &body->program->nodes[at];
    Making m;
    start(&m, body, d, d->op->sig);
    SfNode *made = NULL;
    SF_TRY(name_node(&m));
    if (d->op->kind == SF_DEF_UNKNOWN) {
        SF_TRY(notice_unknown(&m));
    }
    SF_TRY(take_inputs(&m));
    SF_TRY(take_fields(&m));
    body->b.control = m.ncontrol || m.nin ? m.control : im->o.control;
    body->b.ncontrol = m.ncontrol || m.nin ? m.ncontrol : im->o.ncontrol;
    if (body->b.graph != im->o.graph && !m.ncontrol) {
        body->b.ncontrol = 0;
    }
    if (m.sig) {
        SF_TRY(make_known(&m, &made));
    }
    if (!made) {
        SF_TRY(make_unknown(&m, false, &made));
    }
    body->made[at] = made;
    SF_TRY(apply_hint(&m, made));
    /* Bodies use the same scratch memory: nothing of `m` is valid behind this line. */
    const bool calls = sf_role_is_call(d->op->role) || d->op->kind == SF_DEF_FUNCTION;
    return calls ? sf_import_call(body, d, made) : SF_OK;
}

/* An argument of a function: what the caller hands over, under its name. */
static SfStatus make_arg(SfBody *body, int32_t at)
{
    const SfDefNode *d = &body->program->nodes[at];
    Making m;
    start(&m, body, d, NULL);
    SfNode *made = NULL;
    SF_TRY(name_node(&m));
    body->b.ncontrol = 0;
    body->b.device = "";
    SF_TRY(make_unknown(&m, !sf_tensor_is_unmodelled(&body->args[at], SF_UNMODELLED_SHAPE), &made));
    const SfTensor *given = &body->args[at];
    made->outputs[0].shape = given->shape;
    made->outputs[0].value = given->value;
    made->outputs[0].state = given->state;
    made->outputs[0].dtype = given->dtype;
    body->made[at] = made;
    return SF_OK;
}

/* loops */
/* Merges were built before what comes back to them. */
static SfStatus close_loops(SfBody *body)
{
    const SfProgram *p = body->program;
    for (int32_t i = 0; i < p->n; i++) {
        SfNode *n = body->made[i];
        const SfDefNode *d = &p->nodes[i];
        if (d->op->role != SF_ROLE_MERGE || !n || n->sig == body->im->unknown) {
            continue;
        }
        int at = 0;
        for (int32_t k = 0; k < d->nrefs; k++) {
            const SfDefRef *r = &p->refs[d->first + k];
            if (r->port == SF_REF_CONTROL) {
                continue;
            }
            if (at < n->nin && r->node >= 0 &&
                p->nodes[r->node].op->role == SF_ROLE_NEXT_ITERATION) {
                const SfTensor t = sf_body_tensor(body, r);
                SF_TRY(sf_node_set_input(n, at, t.node ? t : n->outputs[0]));
            }
            at++;
        }
    }
    return SF_OK;
}

/* Outputs that have no dtype after all. */
static void close_dtypes(const SfBody *body)
{
    for (int32_t i = 0; i < body->program->n; i++) {
        SfNode *n = body->made[i];
        for (int k = 0; n && n->sig == body->im->unknown && k < n->nout; k++) {
            if (n->outputs[k].dtype == SF_DT_INVALID) {
                n->outputs[k].dtype = SF_DT_FLOAT;
            }
        }
        for (int k = 0; n && k < n->nin; k++) {
            if (n->inputs[k].dtype == SF_DT_INVALID) {
                n->inputs[k].dtype = SF_DT_FLOAT; /* one SfUnknown into another */
            }
        }
    }
}

static SfStatus name_for_report(Making *m, SfBody *body, int32_t at)
{
    *m = (Making){.body = body, .d = &body->program->nodes[at]};
    m->name = sf_arena_strndup(&body->im->scratch, m->d->name.p, m->d->name.n);
    return m->name ? SF_OK : SF_NOMEM;
}

static SfStatus report_cycle(SfBody *body)
{
    Making m;
    SF_TRY(name_for_report(&m, body, body->program->cycle));
    const SfDiagArg args[] = {SF_INT_ARG(body->program->ncycle), SF_TEXT_ARG(m.name)};
    const SfStatus status = sf_sink_report(body->b.sink, &(SfDiag){.code = SF_DIAG_CYCLE,
                                                                   .phase = SF_PHASE_API,
                                                                   .node_name = m.name,
                                                                   .op_type = m.d->op->name.p,
                                                                   .location = body->b.location,
                                                                   .nargs = 2,
                                                                   .args = args});
    return status == SF_REPORTED && goes_on(body) ? SF_OK : status;
}

/* What is wrong with the graph as a whole. */
static SfStatus report_form(SfBody *body)
{
    Making m;
    if (body->program->duplicate >= 0) {
        SF_TRY(name_for_report(&m, body, body->program->duplicate));
        SF_TRY(refuse(&m, "Node '%s' is not unique%.*s", (SfSpan){"", 0}));
    }
    return body->program->cycle >= 0 ? report_cycle(body) : SF_OK;
}

SfStatus sf_body_build(SfBody *body)
{
    const SfProgram *p = body->program;
    body->b.exact_names = true;
    SF_TRY(report_form(body));
    SfStatus status = SF_OK;
    for (int32_t i = 0; i < p->n && status == SF_OK; i++) {
        const int32_t at = p->order[i];
        status = sf_interrupt_step(&body->im->polls);
        if (status != SF_OK) {
            break;
        }
        if (p->duplicate >= 0 && sf_program_find(p, p->nodes[at].name) != at) {
            continue;
        }
        status = at < p->nargs ? make_arg(body, at) : make_node(body, at);
        sf_arena_reset(&body->im->scratch);
    }
    /* Also after a failure: the nodes that were made stay in a user's graph. */
    const SfStatus closed = close_loops(body);
    close_dtypes(body);
    return status == SF_OK ? closed : status;
}
