/* Graph files: bytes of a GraphDef into a Graph, and the parts of a MetaGraph or SavedModel.
 * Invariant: the buffer is held while the core reads it; findings are drained before the import,
 * and with it the graphs of function bodies, goes.
 * Source: tf.import_graph_def, tf.saved_model. */
#include "core/graphdef/graphdef.h"
#include "core/graphdef/model.h"
#include "core/graphdef/pb_text.h"
#include "lattice/intern.h"
#include "pymodule/ext/ext.h"

static SfSpan span_of(const Py_buffer *b)
{
    return (SfSpan){b->buf, (size_t)b->len};
}

/* input_map */
/* {"x:0": tensor} of tensors of `graph`; the names are borrowed from `map`, which must not change.
 * *out is PyMem memory. */
static int read_map(SfpyState *st, SfpyGraph *graph, PyObject *map, SfImportMap **out)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    int n = 0;
    *out = NULL;
    *out = PyMem_Calloc((size_t)PyDict_GET_SIZE(map) + 1, sizeof **out);
    if (!*out) {
        PyErr_NoMemory();
        return -1;
    }
    while (PyDict_Next(map, &at, &name, &value)) {
        (*out)[n].name = sfpy_utf8(name, "name");
        if (!(*out)[n].name) {
            return -1;
        }
        if (!PyObject_TypeCheck(value, st->tensor_type) || ((SfpyTensor *)value)->graph != graph) {
            PyErr_SetString(PyExc_ValueError, "input_map must hold tensors of the graph");
            return -1;
        }
        (*out)[n++].tensor = sfpy_tensor_read((SfpyTensor *)value);
    }
    return n;
}

/* import_graph_def */
static PyObject *summary(const SfImport *im)
{
    return Py_BuildValue("{s:i,s:L,s:i}", "nodes", sf_import_count(im), "body_nodes",
                         (long long)sf_import_body_count(im), "producer", sf_import_producer(im));
}

enum { CALLS_MOST = 200000 }; /* nodes of function bodies */

static PyObject *run_import(SfpyWorkspace *ws, SfpyGraph *graph, const SfImportOptions *o,
                            SfSpan bytes)
{
    SfImport *im = sf_import_new(o);
    if (!im) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    const int before = sf_graph_size(graph->g);
    const SfStatus status = sf_import_graph(im, bytes);
    const char *error = sf_import_error(im);
    if (status == SF_REPORTED && error) {
        if (sfpy_drain(ws) == 0) {
            PyErr_SetString(PyExc_ValueError, error);
        }
    } else if (sfpy_check(ws, status, NULL) == 0 && sfpy_apply_devices(graph, before) == 0) {
        result = summary(im);
        PyObject *calls = !result || !o->keep_calls ? NULL : sfpy_import_calls(im, CALLS_MOST);
        if (PyErr_Occurred() || (calls && PyDict_SetItemString(result, "calls", calls) < 0)) {
            Py_CLEAR(result);
        }
        Py_XDECREF(calls);
    }
    sf_import_free(im);
    return result;
}

PyObject *sfpy_import_graph_def(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"data", "graph", "name", "input_map", "keep_going", "calls", NULL};
    SfpyState *st = sfpy_state(module);
    Py_buffer data;
    PyObject *graph_object, *map = Py_None;
    const char *name = "";
    int keep_going = 0, calls = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*O!|sOpp:import_graph_def", names, &data,
                                     st->graph_type, &graph_object, &name, &map, &keep_going,
                                     &calls)) {
        return NULL;
    }
    SfpyGraph *graph = (SfpyGraph *)graph_object;
    PyObject *result = NULL;
    SfImportMap *entries = NULL;
    SfpyWorkspace *ws;
    PyObject *own = NULL; /* of the map: the program may change its own */
    if (map != Py_None && !PyDict_Check(map)) {
        PyErr_SetString(PyExc_TypeError, "input_map must be a dict");
    } else {
        own = map == Py_None ? PyDict_New() : PyDict_Copy(map);
    }
    const int nmap = !own ? -1 : read_map(st, graph, own, &entries);
    if (nmap >= 0 && sf_graph_is_finalized(graph->g)) {
        PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
    } else if (nmap >= 0 && (ws = sfpy_workspace_acquire(st))) {
        const SfImportOptions o = {.graph = graph->g,
                                   .sink = &ws->sink,
                                   .location = keep_going ? 0 : sfpy_location(st),
                                   .prefix = name,
                                   .keep_going = keep_going != 0,
                                   .mark_names = !keep_going,
                                   .control = graph->control,
                                   .ncontrol = graph->ncontrol,
                                   .map = entries,
                                   .nmap = nmap,
                                   .keep_calls = calls != 0};
        result = run_import(ws, graph, &o, span_of(&data));
        sfpy_workspace_release(ws);
    }
    PyMem_Free(entries);
    Py_XDECREF(own);
    PyBuffer_Release(&data);
    return result;
}

PyObject *sfpy_graph_def_bytes(PyObject *module, PyObject *args)
{
    PyObject *graph;
    int shapes = 0;
    SfBytes out;
    SfpyState *st = sfpy_state(module);
    if (!PyArg_ParseTuple(args, "O!|p:graph_def_bytes", st->graph_type, &graph, &shapes)) {
        return NULL;
    }
    const int producer = st->version >= SF_VERSION(2, 0) ? 1200 : 134;
    if (!sf_graph_write(((SfpyGraph *)graph)->g, shapes != 0, producer, &out)) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(out.p, (Py_ssize_t)out.n);
    sf_free(out.p);
    return bytes;
}

/* model_parts */
static PyObject *text(SfSpan s)
{
    return sfpy_text(s.p, s.n);
}

static PyObject *part_tuple(const SfModelPart *part, const char *start)
{
    PyObject *tags = PyTuple_New(part->ntags);
    for (int i = 0; tags && i < part->ntags; i++) {
        sfpy_tuple_put(&tags, i, text(part->tags[i]));
    }
    if (!tags) {
        return NULL;
    }
    const Py_ssize_t at = part->graph.n > 0 ? part->graph.p - start : 0;
    const Py_ssize_t meta = part->meta.n > 0 ? part->meta.p - start : 0;
    return Py_BuildValue("(NNnnnn)", tags, text(part->version), at, (Py_ssize_t)part->graph.n, meta,
                         (Py_ssize_t)part->meta.n);
}

static SfModelKind kind_of(const char *name, SfModelKind other)
{
    static const char *const kinds[] = {"graph", "meta", "saved"};
    for (int i = 0; i < SF_ARRAY_LEN(kinds); i++) {
        if (strcmp(name, kinds[i]) == 0) {
            return (SfModelKind)i;
        }
    }
    return other;
}

PyObject *sfpy_text_to_wire(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    const char *kind;
    char error[200] = "";
    if (!PyArg_ParseTuple(args, "y*s:text_to_wire", &data, &kind)) {
        return NULL;
    }
    PyObject *result = NULL;
    SfBytes out = {0};
    const SfSpan bytes = span_of(&data);
    if (!sf_pbtext_looks_like(bytes)) {
        result = Py_NewRef(Py_None);
    } else {
        const int status =
            sf_pbtext_read(bytes, kind_of(kind, SF_MODEL_GRAPH), &out, error, sizeof error);
        if (status == 1) {
            result = PyBytes_FromStringAndSize(out.p, (Py_ssize_t)out.n);
        } else if (status == 0) {
            PyErr_Format(PyExc_ValueError, "not the text of a message: %s", error);
        } else {
            PyErr_NoMemory();
        }
    }
    sf_free(out.p);
    PyBuffer_Release(&data);
    return result;
}

PyObject *sfpy_model_parts(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    const char *kind_name;
    if (!PyArg_ParseTuple(args, "y*s:model_parts", &data, &kind_name)) {
        return NULL;
    }
    const SfModelKind kind = kind_of(kind_name, sf_model_kind_of(span_of(&data)));
    SfArena arena;
    SfModelPart *parts;
    sf_arena_init(&arena);
    const int n = sf_model_parts(&arena, span_of(&data), kind, &parts);
    PyObject *list = n < 0 ? NULL : PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_add(&list, part_tuple(&parts[i], data.buf));
    }
    if (n == -1) {
        PyErr_Format(PyExc_ValueError,
                     "not a %s: the bytes are no protobuf message, or end too early",
                     kind == SF_MODEL_SAVED ? "SavedModel" : "MetaGraphDef");
    } else if (n < 0) {
        PyErr_NoMemory();
    }
    sf_arena_free(&arena);
    PyBuffer_Release(&data);
    return list;
}
