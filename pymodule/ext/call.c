/* The bracket around every call into apis: builder, workspace, graph, devices, errors.
 * Invariant: a call shares nothing with the calls that run while it does, from the script's own
 * code or from other threads; one left by sfpy_call_finish or sfpy_call_leave has freed what it
 * allocated.
 * Owner: the caller's C stack. */
#include "pymodule/ext/ext.h"

void sfpy_sweep(SfpyState *st)
{
    if (st->open_calls == 0) { /* nobody but tensors holds a transient value */
        (void)sf_values_sweep(st->sweep_after);
    }
}

int sfpy_call_begin(SfpyState *st, SfpyCall *call)
{
    SfpyGraph *graph = NULL;
    SfpyContext *cx = sfpy_context(st);
    sfpy_sweep(st);
    if (!cx || sfpy_context_target(cx, &graph) < 0 || !(call->ws = sfpy_workspace_of(cx))) {
        return -1;
    }
    Py_XINCREF(graph);
    st->open_calls++;
    call->st = st;
    call->graph = graph;
    call->location = 0;
    call->size_before = !graph ? 0 : sf_graph_size(graph->g);
    call->chosen = false;
    call->in_core = false;
    call->op = NULL;
    call->held = NULL;
    call->objects = NULL;
    call->b.made = call->b.unknown = 0;
    call->conv = (SfpyConv){.st = st, .call = call, .arena = &call->ws->arena, .graph = graph};
    call->c = (SfCall){.b = &call->b, .arena = &call->ws->arena};
    return 0;
}

SfCall *sfpy_call_core(SfpyCall *call)
{
    SfBuilder *b = &call->b;
    if (call->location == 0 && (call->graph || call->st->trace)) { /* may run any Python code */
        call->location = sfpy_location_to_record(call->st);
    }
    if (call->graph) {
        *b = call->graph->b;
    } else {
        const SfpyContext *cx = call->ws->owner;
        *b = (SfBuilder){.version = call->st->version,
                         .device = "",
                         .trace = call->st->trace,
                         .function = !cx->function ? NULL : PyUnicode_AsUTF8(cx->function),
                         .batch = cx->batch};
    }
    if (!call->in_core && !call->graph) { /* what is made in a graph is kept */
        call->in_core = true;
        call->was_transient = sf_values_transient(true);
    }
    b->made = b->unknown = 0;
    b->sink = &call->ws->sink;
    b->scratch = &call->ws->scratch;
    b->location = call->location;
    return &call->c;
}

/* Does the graph of the call take tensors of other graphs? 1, 0 or -1. */
static int captures(const SfpyCall *call)
{
    PyObject *method =
        !call->graph ? NULL : PyObject_GetAttr((PyObject *)call->graph, call->st->str_capture);
    if (method) {
        Py_DECREF(method);
        return 1;
    }
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
    }
    return 0;
}

/* The operand's graph when it differs from the call's and the call's does not capture. */
static int move_to_graph(SfpyCall *call, SfpyGraph *graph)
{
    Py_INCREF(graph); /* looking up attributes runs Python code, which may free the operand */
    int r = captures(call);
    if (r == 0 && sf_graph_is_finalized(graph->g)) {
        PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
        r = -1;
    }
    if (r != 0) {
        Py_DECREF(graph);
        return r < 0 ? -1 : 0;
    }
    Py_XSETREF(call->graph, graph);
    call->conv.graph = graph;
    call->size_before = sf_graph_size(graph->g);
    return 0;
}

int sfpy_call_prefer(SfpyCall *call, PyObject *operand)
{
    SfpyState *st = call->st;
    if (call->chosen) {
        return 0;
    }
    if (Py_IS_TYPE(operand, st->tensor_type)) {
        SfpyGraph *graph = ((SfpyTensor *)operand)->graph;
        call->chosen = true;
        return graph == call->graph ? 0 : move_to_graph(call, graph);
    }
    if (Py_IS_TYPE(operand, st->eager_tensor_type) || operand == Py_None || PyLong_Check(operand) ||
        PyUnicode_Check(operand)) {
        return 0;
    }
    if (PyList_Check(operand) || PyTuple_Check(operand)) {
        PyObject *first =
            PySequence_Fast_GET_SIZE(operand) > 0 ? PySequence_Fast_GET_ITEM(operand, 0) : NULL;
        return first && Py_IS_TYPE(first, st->tensor_type) ? sfpy_call_prefer(call, first) : 0;
    }
    if (PyType_IsSubtype(Py_TYPE(operand), st->variable_type)) {
        PyObject *t = ((SfpyVariable *)operand)->tensor;
        return t && Py_IS_TYPE(t, st->tensor_type) ? sfpy_call_prefer(call, t) : 0;
    }
    return 0;
}

/* What is made from here on, by Python code or for it, is kept. */
static void leave_core(SfpyCall *call)
{
    if (call->in_core) {
        call->in_core = false;
        (void)sf_values_transient(call->was_transient);
    }
}

void sfpy_call_leave(SfpyCall *call)
{
    leave_core(call);
    call->st->ops_made += call->b.made;
    call->st->ops_unknown += call->b.unknown;
    sfpy_workspace_release(call->ws);
    Py_CLEAR(call->graph);
    Py_CLEAR(call->held);
    call->st->open_calls--;
}

int sfpy_call_check(SfpyCall *call, SfStatus status)
{
    leave_core(call);
    if (status != SF_OK || call->ws->sink.first) {
        if (sfpy_check(call->ws, status, NULL) < 0) {
            return -1;
        }
    }
    return call->graph && call->graph->has_device_functions
               ? sfpy_apply_devices(call->graph, call->size_before)
               : 0;
}

/* What an unmodelled function gives, computed from the arguments of `call`. */
PyObject *sfpy_call_unmodelled(SfpyCall *call)
{
    int n = 0;
    leave_core(call);
    const SfTensor *given = sf_api_given(&call->c, &n);
    PyObject *inputs = PyList_New(0);
    for (int i = 0; given && inputs && i < n; i++) {
        sfpy_list_add(&inputs, sfpy_tensor_wrap(call->st, call->graph, &given[i]));
    }
    const SfApiSig *sig = call->c.sig;
    PyObject *r = !inputs ? NULL : sfpy_opaque(!sig ? "tf" : sig->row->names, inputs);
    Py_XDECREF(inputs);
    return r;
}

PyObject *sfpy_opaque(const char *name, PyObject *inputs)
{
    PyObject *m = PyImport_ImportModule("shapeflow.api.unmodelled");
    PyObject *r = !m ? NULL : PyObject_CallMethod(m, "Opaque", "sO", name, inputs);
    Py_XDECREF(m);
    return r;
}

PyObject *sfpy_call_finish(SfpyCall *call, SfStatus status)
{
    if (status == SF_UNMODELLED) {
        PyObject *unmodelled = sfpy_call_unmodelled(call);
        sfpy_call_leave(call);
        return unmodelled;
    }
    PyObject *r = sfpy_call_check(call, status) < 0 ? NULL : sfpy_call_results(call);
    sfpy_call_leave(call);
    return r;
}

/* results */
static PyObject *result_list(SfpyCall *call, int n, const SfTensor *t)
{
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(&list, i, sfpy_tensor_wrap(call->st, call->graph, &t[i]));
    }
    return list;
}

/* One object for each output of the signature: a tensor, or a list of them. */
static PyObject *result_ports(SfpyCall *call)
{
    const SfCall *c = &call->c;
    const SfOpSig *op = call->op;
    PyObject *list = PyList_New(op->nout);
    const SfTensor *t = c->results;
    for (int i = 0; list && i < op->nout; i++) {
        const int n = c->out_sizes[i];
        PyObject *port = sf_port_is_list(&op->out[i]) ? result_list(call, n, t)
                                                      : sfpy_tensor_wrap(call->st, call->graph, t);
        sfpy_list_put(&list, i, port);
        t += n;
    }
    return list;
}

/* Several outputs: the namedtuple of a raw op or of one with fixed outputs, else a list. */
static PyObject *result_many(SfpyCall *call)
{
    const SfCall *c = &call->c;
    const bool ports = call->op && c->out_sizes;
    PyObject *list = ports ? result_ports(call) : result_list(call, c->nresults, c->results);
    if (!list || !call->op || (!ports && call->op->nout != c->nresults)) {
        return list;
    }
    PyObject *type = sfpy_op_tuple_type(call->st, call->op);
    PyObject *args = !type ? NULL : PyList_AsTuple(list);
    PyObject *r = !args ? NULL : PyObject_CallObject(type, args);
    Py_DECREF(list);
    Py_XDECREF(type);
    Py_XDECREF(args);
    return r;
}

static bool has_list_output(const SfOpSig *op)
{
    return op && op->nout == 1 && sf_port_is_list(&op->out[0]);
}

PyObject *sfpy_call_results(SfpyCall *call)
{
    const SfCall *c = &call->c;
    switch (c->form) {
    case SF_RESULT_NONE:
        Py_RETURN_NONE;
    case SF_RESULT_LIST:
        return result_list(call, c->nresults, c->results);
    case SF_RESULT_OP:
        break;
    case SF_RESULT_AUTO:
        if (has_list_output(call->op)) {
            return result_list(call, c->nresults, c->results);
        }
        if (call->op && call->op->nout > 1 && c->out_sizes) {
            return result_many(call);
        }
        if (c->nresults == 1) {
            return sfpy_tensor_wrap(call->st, call->graph, &c->results[0]);
        }
        if (c->nresults > 1) {
            return result_many(call);
        }
        break;
    }
    if (!c->op || !call->graph) {
        Py_RETURN_NONE; /* eager mode has no operations */
    }
    return sfpy_operation_wrap(call->st, call->graph, c->op);
}
