/* Which gradients there are, of graphs and of what ran eagerly, and what a loss looks like.
 * Invariant: nothing is added to a graph. Owner: the caller. Source: core/analysis/gradient.c. */
#include "apis/lint.h"
#include "pymodule/ext/ext.h"

/* *graph becomes a reference to the graph of all. */
static SfTensor *tensor_array(SfpyState *st, PyObject *sequence, SfpyGraph **graph, int *n)
{
    PyObject *list = PySequence_List(sequence);
    SfTensor *out = !list ? NULL : PyMem_New(SfTensor, (size_t)PyList_GET_SIZE(list) + 1);
    if (list && !out) {
        PyErr_NoMemory();
    }
    *n = !out ? 0 : (int)PyList_GET_SIZE(list);
    for (int i = 0; out && i < *n; i++) {
        PyObject *t = sfpy_tensor_of(st, PyList_GET_ITEM(list, i));
        SfpyGraph *its = !t ? NULL : ((SfpyTensor *)t)->graph;
        if (its && (!*graph || *graph == its)) {
            Py_XSETREF(*graph, (SfpyGraph *)Py_NewRef((PyObject *)its));
            out[i] = sfpy_tensor_read((SfpyTensor *)t);
        } else {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_TypeError, "not a tensor of the graph: %R",
                             PyList_GET_ITEM(list, i));
            }
            PyMem_Free(out);
            out = NULL;
        }
        Py_XDECREF(t);
    }
    Py_XDECREF(list);
    return out;
}

/* Fills `out`; what is differentiated is a loss. 0 or -1. */
static int connect(SfpyState *st, SfpyGraph *graph, SfTensor *const tensors[3], const int n[3],
                   SfGradient *out)
{
    SfpyWorkspace *ws = sfpy_workspace_acquire(st);
    if (!ws) {
        return -1;
    }
    const SfStatus status = sf_graph_connected(graph->g, tensors[0], n[0], tensors[1], n[1],
                                               tensors[2], n[2], out, &ws->sink);
    if (status == SF_OK) {
        sf_lint_loss(graph->g, tensors[0], n[0], false, &ws->sink);
    }
    const int r = sfpy_check(ws, status, NULL);
    sfpy_workspace_release(ws);
    return r;
}

/* None; True for a dense one; of IndexedSlices the shape and the dtype of their indices. */
static PyObject *gradient_facts(SfpyState *st, const SfGradient *g)
{
    return g->kind == SF_GRADIENT_SLICES
               ? Py_BuildValue("(NN)", sfpy_shape(st, sf_shape_vector(g->rows)),
                               sfpy_dtype(st, g->indices))
               : Py_NewRef(g->kind == SF_GRADIENT_DENSE ? Py_True : Py_None);
}

static PyObject *gradient_list(SfpyState *st, const SfGradient *g, int n)
{
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(&list, i, gradient_facts(st, &g[i]));
    }
    return list;
}

PyObject *sfpy_gradients_connected(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *parts[3];
    SfTensor *tensors[3] = {NULL, NULL, NULL};
    int n[3] = {0, 0, 0};
    SfpyGraph *graph = NULL;
    if (!PyArg_ParseTuple(args, "OOO:gradients_connected", &parts[0], &parts[1], &parts[2])) {
        return NULL;
    }
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        tensors[i] = tensor_array(st, parts[i], &graph, &n[i]);
        ok = tensors[i];
    }
    SfGradient *found = ok ? PyMem_Calloc((size_t)n[1] + 1, sizeof *found) : NULL;
    PyObject *list = NULL;
    if (ok && !found) {
        PyErr_NoMemory();
    }
    if (found && (!graph || connect(st, graph, tensors, n, found) == 0)) {
        list = gradient_list(st, found, n[1]);
    }
    PyMem_Free(found);
    for (int i = 0; i < 3; i++) {
        PyMem_Free(tensors[i]);
    }
    Py_XDECREF(graph);
    return list;
}

/* The eager tensors of the sequence as nodes of the trace; without one where it knows none. */
static SfTensor *recorded_array(SfpyState *st, PyObject *sequence, int *n)
{
    PyObject *list = PySequence_List(sequence);
    SfTensor *out = !list ? NULL : PyMem_Calloc((size_t)PyList_GET_SIZE(list) + 1, sizeof *out);
    if (list && !out) {
        PyErr_NoMemory();
    }
    *n = !out ? 0 : (int)PyList_GET_SIZE(list);
    for (int i = 0; out && i < *n; i++) {
        PyObject *o = PyList_GET_ITEM(list, i);
        int output = 0;
        out[i] = !sfpy_is_tensor(o) ? (SfTensor){.node = NULL} : ((SfpyTensor *)o)->t;
        const SfNode *by = sfpy_is_tensor(o) ? sf_trace_find(st->trace, &out[i], &output) : NULL;
        out[i].node = !by ? NULL : sf_graph_node(by->graph, by->id);
        out[i].index = output;
    }
    Py_XDECREF(list);
    return out;
}

/* Of what a tape has seen. What has no gradient is not reported: it is a caller who asks. */
PyObject *sfpy_tape_gradients(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *targets, *sources;
    if (!PyArg_ParseTuple(args, "OO:tape_gradients", &targets, &sources)) {
        return NULL;
    }
    if (!st->trace || !sf_trace_has_indexed_reads(st->trace)) {
        Py_RETURN_NONE; /* none can be an IndexedSlices */
    }
    int ny = 0, nx = 0;
    PyObject *list = NULL;
    SfTensor *ys = recorded_array(st, targets, &ny);
    SfTensor *xs = !ys ? NULL : recorded_array(st, sources, &nx);
    SfGradient *found = !xs ? NULL : PyMem_Calloc((size_t)nx + 1, sizeof *found);
    SfpyWorkspace *ws = !found ? NULL : sfpy_workspace_acquire(st);
    if (xs && !found) {
        PyErr_NoMemory();
    }
    if (ws) {
        ws->sink.muted++;
        const SfStatus status = sf_graph_connected(sf_trace_graph(st->trace), ys, ny, xs, nx, NULL,
                                                   0, found, &ws->sink);
        ws->sink.muted--;
        list = status == SF_NOMEM ? PyErr_NoMemory() : gradient_list(st, found, nx);
        sfpy_workspace_release(ws);
    }
    PyMem_Free(found);
    PyMem_Free(xs);
    PyMem_Free(ys);
    return list;
}

PyObject *sfpy_lint_loss(PyObject *module, PyObject *loss)
{
    SfpyState *st = sfpy_state(module);
    PyObject *o = sfpy_tensor_of(st, loss);
    if (!o) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    SfTensor t = sfpy_tensor_read((SfpyTensor *)o);
    const bool eager = !t.node;
    int output = t.index;
    const SfNode *n = eager ? sf_trace_find(st->trace, &t, &output) : t.node;
    /* The same record is the same loss: one look is enough. */
    PyObject *key = eager && n ? PyUnicode_FromFormat("loss %d", t.index) : NULL;
    const int known = !n ? 1 : !key ? -eager : PySet_Contains(st->notices, key);
    int status = known < 0 || (known == 0 && eager && PySet_Add(st->notices, key) < 0) ? -1 : 0;
    if (known == 0 && status == 0) {
        t.node = sf_graph_node(n->graph, n->id);
        t.index = output;
        SfpyWorkspace *ws = sfpy_workspace_acquire(st);
        if (!ws) {
            status = -1;
        } else {
            sf_lint_loss(n->graph, &t, 1, eager, &ws->sink);
            status = sfpy_drain(ws);
            sfpy_workspace_release(ws);
        }
    }
    Py_XDECREF(key);
    Py_DECREF(o);
    if (status < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}
