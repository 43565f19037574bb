/* Findings: diagnostics resolved against the Python code that made the nodes. Invariant: a
 * Finding is complete and independent of graphs, sink and locations once made; the sink is empty
 * after sfpy_drain. Owner: two lists of the module state, until clear_findings(): shape findings
 * and other errors. Source: docs/architecture.md, "What happens to an error". */
#include "core/base/novelty.h"
#include "lattice/elem.h"
#include "lattice/text.h"
#include "pymodule/ext/ext.h"

/* A program that provokes the same error in a loop must not eat the memory. */
#define MAX_FINDINGS 4096

/* What it owns stands together: traverse and clear walk from `code` to `run`. */
typedef struct Finding {
    PyObject_HEAD PyObject *code, *name, *severity, *phase, *message, *op_type, *node_name;
    PyObject *operands, *places, *frames, *raised_frames, *args, *origins, *nearby, *node, *run;
    char deferred;
} Finding;

bool sfpy_is_shape_finding(SfDiagCode code)
{
    const SfDiagInfo *info = sf_diag_info(code);
    if (info->severity != SF_ERROR || info->class_ == SF_ERR_FAILED_PRECONDITION) {
        return info->severity != SF_ERROR;
    }
    switch (info->id[2]) {
    case '1':
    case '4':
        return true;
    case '2':
        return code == SF_DIAG_INITIAL_SHAPE || code == SF_DIAG_VARIABLE_SHAPE ||
               code == SF_DIAG_CONST_SHAPE;
    case '3':
        return code != SF_DIAG_NOT_FED && code != SF_DIAG_PLACEHOLDER_SHAPE;
    default:
        return false;
    }
}

static const char *severity_name(SfSeverity s)
{
    return s == SF_ERROR ? "error" : s == SF_WARNING ? "warning" : "note";
}

static const char *phase_name(SfPhase p)
{
    return p == SF_PHASE_BUILD   ? "build"
           : p == SF_PHASE_RUN   ? "run"
           : p == SF_PHASE_EAGER ? "eager"
                                 : "api";
}

PyObject *sfpy_symbolic_text(const SfShape *s)
{
    char small[256];
    if (!s) {
        Py_RETURN_NONE;
    }
    const int need = sf_shape_format(s, true, small, sizeof small);
    if (need < (int)sizeof small) {
        return PyUnicode_FromString(small);
    }
    char *big = PyMem_Malloc((size_t)need + 1);
    if (!big) {
        return PyErr_NoMemory();
    }
    sf_shape_format(s, true, big, (size_t)need + 1);
    PyObject *text = PyUnicode_FromString(big);
    PyMem_Free(big);
    return text;
}

PyObject *sfpy_value_text(const SfValue *v)
{
    enum { SHOWN = 8 };
    char text[SHOWN * 24 + 8];
    if (!v || !sf_dtype_is_integer(sf_dtype_base(sf_value_dtype(v))) ||
        sf_shape_rank(sf_value_shape(v)) > 1 || sf_value_count(v) > SHOWN) {
        Py_RETURN_NONE;
    }
    const bool vector = sf_shape_rank(sf_value_shape(v)) == 1;
    SfText t = sf_text_start(text, sizeof text);
    sf_text_str(&t, vector ? "[" : "");
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        sf_text_str(&t, i > 0 ? ", " : "");
        if (e.kind == SF_ELEM_INT) {
            sf_text_int(&t, e.u.i);
        } else {
            sf_text_dim(&t, sf_elem_as_dim(e), true);
        }
    }
    sf_text_str(&t, vector ? "]" : "");
    if (sf_text_end(&t) >= (int)sizeof text) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(text);
}

/* parts of a record */
/* Did this op, which the failing call made before the one that failed, leave the shape as it
 * was? Unknown dims prove nothing, except in a reshape to the same rank (losses flatten their
 * batches so). */
static bool leaves_shape(const SfNode *n, int output, const SfShape *now)
{
    const SfShape *in = n->inputs[0].shape, *out = n->outputs[output].shape;
    const int rank = sf_shape_rank(in);
    bool is_known = rank >= 0 && in == out, open = true;
    for (int a = 0; a < rank; a++) {
        is_known = is_known && sf_shape_dim(in, a) != SF_DIM_UNKNOWN;
        open = open && sf_shape_rank(out) == rank && sf_shape_dim(out, a) == SF_DIM_UNKNOWN;
    }
    return is_known ||
           (open && rank > 0 && sf_node_role(n) == SF_ROLE_RESHAPE && sf_shape_compatible(in, now));
}

/* The location of the argument of the failing call that the operand is, or of the variable whose
 * value it is; 0: the call computed the operand. */
static uint32_t argument_location(const SfNode *made_by, int output, uint32_t call,
                                  const SfShape *now)
{
    while (made_by && made_by->location == call && made_by->nin > 0) {
        const bool read = sf_node_role(made_by) == SF_ROLE_READ_VARIABLE;
        if (!read && !leaves_shape(made_by, output, now)) {
            return 0;
        }
        output = made_by->inputs[0].index;
        made_by = made_by->inputs[0].node;
    }
    return !made_by ? 0 : made_by->location;
}

static PyObject *operand_dict(SfpyState *st, const SfDiagOperand *o, uint32_t call)
{
    int output;
    const SfNode *made_by = sfpy_operand_producer(st, o, &output);
    const uint32_t location = o->location != 0 || !made_by ? o->location : made_by->location;
    const uint32_t given = argument_location(made_by, output, call, o->shape);
    return Py_BuildValue("{s:s,s:N,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:i}", "name",
                         !o->name ? "" : o->name, "shape", sfpy_symbolic_text(o->shape), "dtype",
                         sf_dtype_name(o->dtype), "frames", sfpy_location_frames(st, location),
                         "producer", sfpy_text_or_none(!o->producer ? NULL : o->producer->name),
                         "producer_type",
                         sfpy_text_or_none(!made_by ? NULL : made_by->sig->def->name), "value",
                         sfpy_value_text(o->value), "given_frames", sfpy_location_frames(st, given),
                         "node", sfpy_node_key(made_by), "output", output);
}

static PyObject *place_dict(const SfPlace *p)
{
    static const char *const kinds[] = {"op", "input", "axis", "attr", "output"};
    return Py_BuildValue("{s:s,s:i,s:i,s:z}", "kind", kinds[p->kind], "index", p->index, "axis",
                         p->kind == SF_PLACE_AXIS ? p->axis : 0, "attr",
                         p->kind == SF_PLACE_ATTR ? p->attr : NULL);
}

/* (kind, value) of a typed argument: a known dim or count as an int, any other in symbols. */
static PyObject *arg_object(const SfDiagArg *a)
{
    static const char *const kinds[] = {
        [SF_DIAG_ARG_DIM] = "dim",   [SF_DIAG_ARG_COUNT] = "count", [SF_DIAG_ARG_RANK] = "rank",
        [SF_DIAG_ARG_INT] = "int",   [SF_DIAG_ARG_SHAPE] = "shape", [SF_DIAG_ARG_DTYPE] = "dtype",
        [SF_DIAG_ARG_TEXT] = "text", [SF_DIAG_ARG_FLOAT] = "float"};
    char text[64];
    PyObject *value = NULL;
    switch (a->kind) {
    case SF_DIAG_ARG_DIM:
    case SF_DIAG_ARG_COUNT:
        if (sf_dim_is_known(a->u.dim)) {
            value = PyLong_FromLongLong((int64_t)a->u.dim);
        } else {
            sf_dim_format(a->u.dim, true, text, sizeof text);
            value = PyUnicode_FromString(text);
        }
        break;
    case SF_DIAG_ARG_RANK:
    case SF_DIAG_ARG_INT:
        value = PyLong_FromLongLong(a->u.i);
        break;
    case SF_DIAG_ARG_FLOAT:
        value = PyFloat_FromDouble(a->u.f);
        break;
    case SF_DIAG_ARG_SHAPE:
        value = sfpy_symbolic_text(a->u.shape);
        break;
    case SF_DIAG_ARG_DTYPE:
        value = PyUnicode_FromString(sf_dtype_name(a->u.dtype));
        break;
    case SF_DIAG_ARG_TEXT:
        value = sfpy_text_or_none(a->u.text);
        break;
    }
    return !value ? NULL : Py_BuildValue("(sN)", kinds[a->kind], value);
}

/* the object */
static Finding *finding_new(SfpyState *st, const SfDiagInfo *info, SfPhase phase)
{
    Finding *f = PyObject_GC_New(Finding, st->finding_type);
    if (!f) {
        return NULL;
    }
    memset(&f->code, 0, sizeof *f - offsetof(Finding, code));
    f->code = PyUnicode_InternFromString(info->id);
    f->name = PyUnicode_InternFromString(info->name);
    f->severity = PyUnicode_InternFromString(severity_name(info->severity));
    f->phase = PyUnicode_InternFromString(phase_name(phase));
    f->operands = PyList_New(0);
    f->places = PyList_New(0);
    f->args = PyList_New(0);
    f->origins = PyList_New(0);
    f->nearby = PyList_New(0);
    f->op_type = Py_NewRef(Py_None);
    f->node_name = Py_NewRef(Py_None);
    f->node = Py_NewRef(Py_None);
    PyObject_GC_Track(f);
    if (!f->code || !f->name || !f->severity || !f->phase || !f->operands || !f->places ||
        !f->args || !f->origins || !f->nearby) {
        Py_CLEAR(f);
    }
    return f;
}

/* Are findings of no interest to this thread? */
static bool is_muted(SfpyState *st)
{
    const SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        PyErr_Clear();
    }
    return cx && cx->mute > 0;
}

/* {number, feeds: [(name, shape, shape of the run before or None)]}, or None outside of a run. */
static PyObject *run_dict(const SfpyRunning *r)
{
    if (r->number == 0) {
        Py_RETURN_NONE;
    }
    PyObject *feeds = PyList_New(0);
    for (int i = 0; feeds && i < r->nfeeds; i++) {
        const SfNode *target = r->feeds[i].target.node;
        sfpy_list_add(&feeds, Py_BuildValue("(sNN)", target ? target->name : "",
                                            sfpy_symbolic_text(r->feeds[i].shape),
                                            sfpy_symbolic_text(!r->before ? NULL : r->before[i])));
    }
    return Py_BuildValue("{s:K,s:N}", "number", (unsigned long long)r->number, "feeds", feeds);
}

static bool finding_fill(SfpyWorkspace *ws, Finding *f, const SfDiag *d)
{
    SfpyState *st = ws->st;
    Py_SETREF(f->op_type, sfpy_text_or_none(d->op_type));
    Py_SETREF(f->node_name, sfpy_text_or_none(d->node_name));
    Py_SETREF(f->node, sfpy_node_key(d->node));
    f->message = sfpy_text_or_none(!d->message ? "" : d->message);
    f->raised_frames = sfpy_location_frames(st, sfpy_location(st));
    f->deferred = d->deferred;
    f->run = run_dict(&ws->running);
    if (!f->run) {
        return false;
    }
    if (d->location != 0) {
        f->frames = sfpy_location_frames(st, d->location);
    } else {
        f->frames = Py_XNewRef(f->raised_frames);
    }
    if (!f->op_type || !f->node_name || !f->node || !f->message || !f->frames ||
        !f->raised_frames) {
        return false;
    }
    for (int i = 0; i < d->noperands; i++) {
        if (!sfpy_append_new(f->operands,
                             operand_dict(st, &d->operands[i],
                                          d->location != 0 ? d->location : sfpy_location(st)))) {
            return false;
        }
    }
    for (int i = 0; i < d->nplaces; i++) {
        if (!sfpy_append_new(f->places, place_dict(&d->places[i]))) {
            return false;
        }
    }
    for (int i = 0; i < d->nargs; i++) {
        if (!sfpy_append_new(f->args, arg_object(&d->args[i]))) {
            return false;
        }
    }
    return st->go_on_hook == Py_None ||
           (sfpy_add_origins(st, f->origins, d) && sfpy_add_nearby(st, f->nearby, d, f->frames));
}

/* Appends a finding to its list and calls the hook with it. Steals nothing. 0 or -1. */
/* The same message about the same node is new only once, however often it is reported. */
static int count_novelty(SfpyState *st, const Finding *f)
{
    if (PySet_GET_SIZE(st->finding_keys) >= MAX_FINDINGS) {
        return 0;
    }
    PyObject *key = PyTuple_Pack(3, f->code, f->message, f->node_name);
    const Py_ssize_t before = PySet_GET_SIZE(st->finding_keys);
    const int status = !key ? -1 : PySet_Add(st->finding_keys, key);
    Py_XDECREF(key);
    if (status == 0 && PySet_GET_SIZE(st->finding_keys) > before) {
        sf_novelty_count();
    }
    return status;
}

static int finding_keep(SfpyState *st, Finding *f, bool about_shapes)
{
    if (count_novelty(st, f) < 0) {
        return -1;
    }
    PyObject *list = about_shapes ? st->findings : st->other_findings;
    if (PyList_GET_SIZE(list) < MAX_FINDINGS && PyList_Append(list, (PyObject *)f) < 0) {
        return -1;
    }
    if (about_shapes && st->finding_hook != Py_None) {
        (void)sfpy_hook_call(st->finding_hook, (PyObject *)f, NULL);
    }
    return 0;
}

/* Core's question after an error: does the script's next line run, with unknown outputs? */
static bool goes_on(void *owner, const SfDiag *newest)
{
    SfpyState *st = ((const SfpyWorkspace *)owner)->st;
    if (st->go_on_hook == Py_None || is_muted(st) || !sfpy_is_shape_finding(newest->code)) {
        return false;
    }
    const bool before = sf_values_transient(false);
    const bool yes = sfpy_hook_call(st->go_on_hook, NULL, NULL);
    (void)sf_values_transient(before);
    return yes;
}

void sfpy_sink_open(SfpyWorkspace *ws)
{
    sf_sink_init(&ws->sink);
    ws->sink.goes_on = goes_on;
    ws->sink.owner = ws;
}

int sfpy_drain(SfpyWorkspace *ws)
{
    SfpyState *st = ws->st;
    PyObject *made = PyList_New(0);
    bool ok = made;
    const SfDiag *first = is_muted(st) ? NULL : ws->sink.first;
    for (const SfDiag *d = first; ok && d; d = d->next) {
        Finding *f = finding_new(st, sf_diag_info(d->code), d->phase);
        ok = f && finding_fill(ws, f, d) && PyList_Append(made, (PyObject *)f) == 0;
        if (ok) {
            PyObject *flag = sfpy_is_shape_finding(d->code) ? Py_True : Py_False;
            ok = PyList_Append(made, flag) == 0;
        }
        Py_XDECREF(f);
    }
    sf_sink_clear(&ws->sink);
    for (Py_ssize_t i = 0; ok && i + 1 < PyList_GET_SIZE(made); i += 2) {
        ok = finding_keep(st, (Finding *)PyList_GET_ITEM(made, i),
                          PyList_GET_ITEM(made, i + 1) == Py_True) == 0;
    }
    Py_XDECREF(made);
    return ok ? 0 : -1;
}

static int finding_traverse(PyObject *self, visitproc visit, void *arg)
{
    Finding *f = (Finding *)self;
    Py_VISIT(Py_TYPE(self));
    for (PyObject **p = &f->code; p <= &f->run; p++) {
        Py_VISIT(*p);
    }
    return 0;
}

static int finding_clear(PyObject *self)
{
    Finding *f = (Finding *)self;
    for (PyObject **p = &f->code; p <= &f->run; p++) {
        Py_CLEAR(*p);
    }
    return 0;
}

static void finding_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    finding_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *finding_repr(PyObject *self)
{
    const Finding *f = (Finding *)self;
    return PyUnicode_FromFormat("<Finding %V %V: %V>", f->code, "?", f->name, "?", f->message, "?");
}

#define MEMBER(field)                                                                              \
    {                                                                                              \
#field, T_OBJECT, offsetof(Finding, field), READONLY, NULL                                 \
    }
static PyMemberDef finding_members[] = {
    MEMBER(code),
    MEMBER(name),
    MEMBER(severity),
    MEMBER(phase),
    MEMBER(message),
    MEMBER(op_type),
    MEMBER(node_name),
    MEMBER(operands),
    MEMBER(places),
    MEMBER(frames),
    MEMBER(raised_frames),
    MEMBER(origins),
    MEMBER(nearby),
    MEMBER(node),
    MEMBER(run),
    MEMBER(args),
    {"deferred", T_BOOL, offsetof(Finding, deferred), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
#undef MEMBER

static PyType_Slot finding_slots[] = {
    {Py_tp_doc, "One diagnostic record, resolved against the Python code that made the nodes."},
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, finding_dealloc},
    {Py_tp_traverse, finding_traverse},
    {Py_tp_clear, finding_clear},
    {Py_tp_repr, finding_repr},
    {Py_tp_members, finding_members},
    {0, NULL},
};

PyType_Spec sfpy_finding_spec = {
    .name = "shapeflow._core.Finding",
    .basicsize = sizeof(Finding),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = finding_slots,
};

/* functions */
PyObject *sfpy_findings(PyObject *module, PyObject *Py_UNUSED(unused))
{
    PyObject *list = sfpy_state(module)->findings;
    return PyList_GetSlice(list, 0, PyList_GET_SIZE(list));
}

PyObject *sfpy_other_findings(PyObject *module, PyObject *Py_UNUSED(unused))
{
    PyObject *list = sfpy_state(module)->other_findings;
    return PyList_GetSlice(list, 0, PyList_GET_SIZE(list));
}

PyObject *sfpy_clear_findings(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = sfpy_state(module);
    if (PyList_SetSlice(st->findings, 0, PyList_GET_SIZE(st->findings), NULL) < 0 ||
        PyList_SetSlice(st->other_findings, 0, PyList_GET_SIZE(st->other_findings), NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_set_go_on_hook(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    if (!sfpy_hook_set(&st->go_on_hook, hook)) {
        return NULL;
    }
    if (hook != Py_None && !st->trace) {
        st->trace = sf_trace_new(st->version);
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_set_finding_hook(PyObject *module, PyObject *hook)
{
    return !sfpy_hook_set(&sfpy_state(module)->finding_hook, hook) ? NULL : Py_NewRef(Py_None);
}

/* By id ("SF401") or name ("NUMPY_SHAPE"); SF_DIAG_COUNT: unknown. */
static SfDiagCode find_code(const char *text)
{
    for (int i = 0; i < SF_DIAG_COUNT; i++) {
        const SfDiagInfo *info = sf_diag_info((SfDiagCode)i);
        if (strcmp(text, info->id) == 0 || strcmp(text, info->name) == 0) {
            return (SfDiagCode)i;
        }
    }
    return SF_DIAG_COUNT;
}

PyObject *sfpy_codes(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < SF_DIAG_COUNT; i++) {
        const SfDiagInfo *d = sf_diag_info((SfDiagCode)i);
        sfpy_list_add(
            &list, Py_BuildValue("(ssss)", d->id, d->name, severity_name(d->severity), d->message));
    }
    return list;
}

static SfDiagCode need_code(PyObject *arg)
{
    const char *text = sfpy_utf8(arg, "code");
    if (!text) {
        return SF_DIAG_COUNT;
    }
    const SfDiagCode code = find_code(text);
    if (code == SF_DIAG_COUNT) {
        PyErr_Format(PyExc_ValueError, "no such diagnostic: '%s'", text);
    }
    return code;
}

PyObject *sfpy_is_shape_finding_py(PyObject *Py_UNUSED(module), PyObject *arg)
{
    const SfDiagCode code = need_code(arg);
    return code == SF_DIAG_COUNT ? NULL : PyBool_FromLong(sfpy_is_shape_finding(code));
}

/* `about` has operands and places alone, or is NULL; args: (kind, value) each, or NULL. */
static int keep_made(SfpyState *st, SfDiagCode code, SfPhase phase, PyObject *message,
                     PyObject *frames, const SfDiag *about, PyObject *args)
{
    if (is_muted(st)) {
        return 0;
    }
    Finding *f = finding_new(st, sf_diag_info(code), phase);
    if (!f) {
        return -1;
    }
    const uint32_t location = sfpy_location(st);
    f->message = Py_NewRef(message);
    f->raised_frames = sfpy_location_frames(st, location);
    f->frames = frames == Py_None ? Py_XNewRef(f->raised_frames) : PySequence_List(frames);
    if (args) {
        Py_XSETREF(f->args, PySequence_List(args));
    }
    bool ok = f->frames && f->raised_frames && f->args;
    for (int i = 0; ok && about && i < about->noperands; i++) {
        ok = sfpy_append_new(f->operands, operand_dict(st, &about->operands[i], location)) &&
             sfpy_append_new(f->places, place_dict(&about->places[i]));
    }
    ok = ok && (!about || st->go_on_hook == Py_None || sfpy_add_origins(st, f->origins, about));
    const int r = ok ? finding_keep(st, f, sfpy_is_shape_finding(code)) : -1;
    Py_DECREF(f);
    return r;
}

/* One (name, tensor) or (name, tensor, axis) that Python code reports about, the tensor in *held,
 * the axis in *axis; what is no tensor is left out. 1, 0 or -1. */
static int reported_operand(SfpyState *st, PyObject *pair, SfDiagOperand *out, PyObject **held,
                            PyObject **axis)
{
    PyObject *name, *value;
    if (!PyArg_ParseTuple(pair, "UO|O", &name, &value, axis)) {
        return -1;
    }
    PyObject *o = sfpy_tensor_of(st, value);
    if (!o) {
        return PyErr_Occurred() ? -1 : 0;
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)o);
    *out = (SfDiagOperand){.name = PyUnicode_AsUTF8(name),
                           .shape = t.shape,
                           .dtype = t.dtype,
                           .producer = t.node,
                           .location = t.node ? t.node->location : 0,
                           .output = t.index,
                           .value = t.value};
    *held = o;
    return !out->name ? -1 : 1;
}

PyObject *sfpy_report(PyObject *module, PyObject *args, PyObject *kwargs)
{
    enum { MANY = 8 };
    static char *names[] = {"code", "message", "frames", "operands", "axis", "args", NULL};
    PyObject *code, *message, *frames = Py_None, *about = NULL, *axis = Py_None, *typed = NULL;
    SfpyState *st = sfpy_state(module);
    SfDiagOperand operands[MANY];
    SfPlace places[MANY];
    PyObject *held[MANY];
    int nheld = 0;
    SfDiag d = {.operands = operands, .places = places};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OU|OOOO:report", names, &code, &message,
                                     &frames, &about, &axis, &typed)) {
        return NULL;
    }
    PyObject *pairs = !about ? PyTuple_New(0) : PySequence_Tuple(about);
    bool ok = pairs;
    for (Py_ssize_t i = 0; ok && i < PyTuple_GET_SIZE(pairs) && d.noperands < MANY; i++) {
        PyObject *o = NULL;
        PyObject *own = axis; /* of the whole report, unless the operand has one */
        const int r =
            reported_operand(st, PyTuple_GET_ITEM(pairs, i), &operands[d.noperands], &o, &own);
        const long which = r < 0 || own == Py_None ? 0 : PyLong_AsLong(own);
        ok = r >= 0 && !(which == -1 && PyErr_Occurred());
        if (o) {
            held[nheld++] = o;
        }
        if (ok && r == 1) {
            const int n = d.noperands++;
            const int rank = sf_shape_rank(operands[n].shape);
            places[n] = own == Py_None || which < -rank || which >= rank
                            ? SF_INPUT(n)
                            : SF_AXIS(n, (int)(which < 0 ? which + rank : which));
            d.nplaces = d.noperands;
        }
    }
    const SfDiagCode c = ok ? need_code(code) : SF_DIAG_COUNT;
    ok = c != SF_DIAG_COUNT && keep_made(st, c, SF_PHASE_API, message, frames, &d, typed) == 0;
    Py_XDECREF(pairs);
    while (nheld > 0) {
        Py_DECREF(held[--nheld]);
    }
    if (!ok) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_notice_unmodelled(PyObject *module, PyObject *dotted)
{
    SfpyState *st = sfpy_state(module);
    const char *name = sfpy_utf8(dotted, "name");
    const int known = !name ? -1 : PySet_Contains(st->notices, dotted);
    if (known != 0) {
        return known < 0 ? NULL : Py_NewRef(Py_None);
    }
    SfArena arena;
    sf_arena_init(&arena);
    const SfDiagArg arg = SF_TEXT_ARG(name);
    const char *text = sf_diag_message(&arena, SF_DIAG_UNMODELLED, &arg, 1);
    PyObject *message = !text ? PyErr_NoMemory() : PyUnicode_FromString(text);
    sf_arena_free(&arena);
    PyObject *typed = !message ? NULL : Py_BuildValue("((sO))", "text", dotted);
    if (!typed) {
        Py_XDECREF(message);
        return NULL;
    }
    /* Muted probing must not use up the one notice. */
    const int r =
        is_muted(st) ? 0
        : PySet_Add(st->notices, dotted) < 0
            ? -1
            : keep_made(st, SF_DIAG_UNMODELLED, SF_PHASE_API, message, Py_None, NULL, typed);
    Py_DECREF(typed);
    Py_DECREF(message);
    if (r < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

int sfpy_notice_assumed(SfpyState *st, int truth)
{
    const uint32_t location = is_muted(st) || st->go_on_hook == Py_None ? 0 : sfpy_location(st);
    if (location == 0) {
        return 0;
    }
    PyObject *key = PyLong_FromUnsignedLong(location);
    int r = !key ? -1 : PySet_Contains(st->notices, key);
    if (r == 0) {
        PyObject *frames = sfpy_location_frames(st, location);
        PyObject *frame = !frames ? NULL : PyList_GetItem(frames, 0); /* borrowed */
        const char *path = !frame ? NULL : PyUnicode_AsUTF8(PyTuple_GET_ITEM(frame, 0));
        const char *slash = !path ? NULL : strrchr(path, '/');
        PyObject *message =
            !path ? NULL
                  : PyUnicode_FromFormat(
                        "the condition in line %S of %s asks for content that is not known: "
                        "it is taken to be %s",
                        PyTuple_GET_ITEM(frame, 1), !slash ? path : slash + 1,
                        truth ? "true" : "false");
        r = !message || PySet_Add(st->notices, key) < 0 ||
                    keep_made(st, SF_DIAG_ASSUMED, SF_PHASE_API, message, frames, NULL, NULL) < 0
                ? -1
                : 0;
        Py_XDECREF(message);
        Py_XDECREF(frames);
    }
    Py_XDECREF(key);
    return r < 0 ? -1 : 0;
}

PyObject *sfpy_is_unmodelled(PyObject *module, PyObject *args)
{
    PyObject *tensor;
    int dtype = 0;
    if (!PyArg_ParseTuple(args, "O|p:is_unmodelled", &tensor, &dtype)) {
        return NULL;
    }
    PyObject *o = sfpy_tensor_of(sfpy_state(module), tensor);
    if (!o) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)o);
    const bool unmodelled =
        sf_tensor_is_unmodelled(&t, dtype ? SF_UNMODELLED_DTYPE : SF_UNMODELLED_SHAPE);
    Py_DECREF(o);
    return Py_NewRef(unmodelled ? Py_True : Py_False);
}
