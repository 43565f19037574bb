/* Graphs as plain rows, for pictures: what shapeflow.pictures makes its document of.
 * Invariant: nothing here is called unless somebody draws; rows hold no objects of the graph.
 * Owner: the caller. Source: ours; pymodule/shapeflow/pictures/document.py. */
#include "core/analysis/cost.h"
#include "core/graphdef/graphdef.h"
#include "pymodule/ext/ext.h"

/* texts */
/* (n, 10), (3,), (), <unknown>; a dim of which nothing is known is ?. */
static PyObject *tuple_text(const SfShape *s)
{
    enum { DIM_MAX = 96 };
    const int rank = !s ? -1 : sf_shape_rank(s);
    if (rank < 0) {
        return PyUnicode_FromString("<unknown>");
    }
    char *text = PyMem_Malloc((size_t)rank * (DIM_MAX + 2) + 4);
    if (!text) {
        return PyErr_NoMemory();
    }
    char *at = text;
    *at++ = '(';
    for (int i = 0; i < rank; i++) {
        if (i > 0) {
            *at++ = ',';
            *at++ = ' ';
        }
        const int need = sf_dim_format(sf_shape_dim(s, i), true, at, DIM_MAX);
        if (need >= DIM_MAX) { /* an expression that nobody could read either */
            *at++ = '?';
        } else {
            at += need;
        }
    }
    if (rank == 1) {
        *at++ = ',';
    }
    *at++ = ')';
    PyObject *made = PyUnicode_FromStringAndSize(text, at - text);
    PyMem_Free(text);
    return made;
}

/* Shapes are interned and nodes share attrs, so that each is written once: `texts` maps their
 * addresses. */
PyObject *sfpy_shape_text_of(PyObject *texts, const SfShape *s)
{
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)s);
    PyObject *text = !key ? NULL : PyDict_GetItemWithError(texts, key);
    if (text) {
        Py_INCREF(text);
    } else if (key && !PyErr_Occurred()) {
        text = tuple_text(s);
        if (text && PyDict_SetItem(texts, key, text) < 0) {
            Py_CLEAR(text);
        }
    }
    Py_XDECREF(key);
    return text;
}

/* one node */
/* None where they are not known: what a string holds is not. */
static PyObject *tensor_bytes(const SfTensor *t)
{
    const int64_t bytes = sf_tensor_bytes(t);
    if (bytes < 0 || sf_dtype_size(sf_dtype_base(t->dtype)) == 0) {
        Py_RETURN_NONE;
    }
    return PyLong_FromLongLong(bytes);
}

static PyObject *output_rows(PyObject *texts, const SfNode *n)
{
    PyObject *rows = PyTuple_New(n->nout);
    for (int i = 0; rows && i < n->nout; i++) {
        const SfTensor *t = &n->outputs[i];
        sfpy_tuple_put(&rows, i,
                       Py_BuildValue("(NsN)", sfpy_shape_text_of(texts, t->shape),
                                     sf_dtype_name(t->dtype), tensor_bytes(t)));
    }
    return rows;
}

/* Which node of all graphs that there were: (number of its graph, id), or None. */
PyObject *sfpy_node_key(const SfNode *n)
{
    if (!n) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(Ki)", (unsigned long long)sf_graph_serial(n->graph), n->id);
}

/* (node, output) of each input; of a producer in another graph its key instead; -1: none. */
static PyObject *input_rows(const SfNode *n)
{
    PyObject *rows = PyTuple_New(n->nin);
    for (int i = 0; rows && i < n->nin; i++) {
        const SfNode *from = n->inputs[i].node;
        const int index = n->inputs[i].index;
        PyObject *row = from && from->graph != n->graph
                            ? Py_BuildValue("(Ni)", sfpy_node_key(from), index)
                            : Py_BuildValue("(ii)", !from ? -1 : from->id, index);
        sfpy_tuple_put(&rows, i, row);
    }
    return rows;
}

static PyObject *control_rows(const SfNode *n)
{
    const SfControlList *c = &n->context->control;
    PyObject *rows = PyTuple_New(c->n);
    for (int i = 0; rows && i < c->n; i++) {
        sfpy_tuple_put(&rows, i, PyLong_FromLong(c->items[i]->id));
    }
    return rows;
}

/* Elements of what a variable op holds, by its attr; None: another op, or not known. */
static PyObject *parameters(const SfNode *n)
{
    if (sf_node_role(n) != SF_ROLE_VARIABLE) {
        Py_RETURN_NONE;
    }
    const SfAttr *a = sf_node_attr(n, "shape");
    const SfShape *s = a && a->type == SF_ATTR_SHAPE ? a->u.shape : NULL;
    const SfDim count = !s ? SF_DIM_UNKNOWN : sf_shape_count(s);
    if (!sf_dim_is_known(count)) {
        return PyLong_FromLong(-1);
    }
    return PyLong_FromLongLong(count);
}

/* The frame of an Enter, the functions that a node calls: what makes boxes of a picture. */
static PyObject *frame_of(const SfNode *n)
{
    const SfAttr *a = sf_node_attr(n, "frame_name");
    if (!a || a->type != SF_ATTR_STRING || !a->u.s) {
        Py_RETURN_NONE;
    }
    return sfpy_text(a->u.s->bytes, a->u.s->len);
}

static PyObject *node_row(PyObject *texts, const SfNode *n, SfArena *scratch)
{
    PyObject *parts[] = {sfpy_text_or_none(n->name),
                         PyUnicode_InternFromString(n->sig->def->name),
                         output_rows(texts, n),
                         input_rows(n),
                         control_rows(n),
                         sfpy_text_or_none(n->context->device),
                         PyLong_FromUnsignedLong(n->location),
                         sfpy_amount(sf_node_flops(n, n->inputs, n->outputs, scratch)),
                         parameters(n),
                         frame_of(n),
                         sfpy_attr_texts(texts, n, scratch),
                         sfpy_value_text(n->nout == 0 ? NULL : n->outputs[0].value)};
    enum { PARTS = sizeof parts / sizeof *parts };
    PyObject *row = PyTuple_New(PARTS);
    for (int i = 0; i < PARTS; i++) {
        if (!row || !parts[i]) {
            Py_CLEAR(row);
            Py_XDECREF(parts[i]);
        } else {
            PyTuple_SET_ITEM(row, i, parts[i]);
        }
    }
    return row;
}

/* a graph */
/* The graph of a Graph; of None the record of eager calls, NULL when there is none. */
static SfGraph *graph_of(SfpyState *st, PyObject *o)
{
    if (o == Py_None) {
        return !st->trace ? NULL : sf_trace_graph(st->trace);
    }
    if (!PyObject_TypeCheck(o, st->graph_type)) {
        PyErr_SetString(PyExc_TypeError, "not a Graph");
        return NULL;
    }
    return ((SfpyGraph *)o)->g;
}

/* (number of the graph, size, rows); at most `most` rows. */
static PyObject *rows_of(SfGraph *g, int most)
{
    const int size = !g ? 0 : sf_graph_size(g);
    const int n = size < most ? size : most;
    PyObject *texts = PyDict_New(), *rows = PyList_New(0);
    SfArena scratch;
    sf_arena_init(&scratch);
    for (int i = 0; rows && i < n; i++) {
        PyObject *row = !texts ? NULL : node_row(texts, sf_graph_node(g, i), &scratch);
        sfpy_list_add(&rows, row);
    }
    sf_arena_free(&scratch);
    Py_XDECREF(texts);
    const unsigned long long number = !g ? 0 : sf_graph_serial(g);
    return !rows ? NULL : Py_BuildValue("(KiN)", number, size, rows);
}

PyObject *sfpy_graph_rows(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *o;
    int most = INT_MAX;
    if (!PyArg_ParseTuple(args, "O|i:graph_rows", &o, &most)) {
        return NULL;
    }
    SfGraph *g = graph_of(st, o);
    return PyErr_Occurred() ? NULL : rows_of(g, most);
}

/* What a call gives: [(key of the node, output)]. */
static PyObject *results_of(const SfImportCall *c)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < c->nouts; i++) {
        sfpy_list_add(&list,
                      Py_BuildValue("(Ni)", sfpy_node_key(c->outs[i].node), (int)c->outs[i].index));
    }
    return list;
}

static PyObject *arguments_of(const SfImportCall *c)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < c->nargs; i++) {
        sfpy_list_add(&list, sfpy_text(c->arg_names[i].p, c->arg_names[i].n));
    }
    return list;
}

PyObject *sfpy_import_calls(const SfImport *im, int most)
{
    int n;
    const SfImportCall *calls = sf_import_calls(im, &n);
    PyObject *list = PyList_New(0), *seen = PySet_New(NULL);
    for (int i = 0; list && seen && i < n && most > 0; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(sf_graph_serial(calls[i].body));
        const int known = !number ? -1 : PySet_Contains(seen, number);
        if (known == 0 && PySet_Add(seen, number) == 0) { /* else: another node calls the same */
            PyObject *call = Py_BuildValue(
                "((Ki)NNNN)", (unsigned long long)sf_graph_serial(calls[i].caller),
                (int)calls[i].node, sfpy_text(calls[i].function, calls[i].function_len),
                rows_of(calls[i].body, most), results_of(&calls[i]), arguments_of(&calls[i]));
            most -= sf_graph_size(calls[i].body);
            sfpy_list_add(&list, call);
        }
        Py_XDECREF(number);
        if (PyErr_Occurred()) {
            Py_CLEAR(list);
        }
    }
    Py_XDECREF(seen);
    return list;
}

/* The key of the node that made a Tensor (of an eager one its record), or of an Operation. */
PyObject *sfpy_key_of(PyObject *module, PyObject *o)
{
    SfpyState *st = sfpy_state(module);
    int output;
    if (sfpy_is_tensor(o)) {
        const SfTensor t = sfpy_tensor_read((SfpyTensor *)o);
        return sfpy_node_key(t.node ? t.node : sf_trace_find(st->trace, &t, &output));
    }
    if (Py_IS_TYPE(o, st->operation_type)) {
        return sfpy_node_key(((SfpyOperation *)o)->node);
    }
    Py_RETURN_NONE;
}

/* trace_scope("net/dense"): of the eager calls recorded from now on. */
PyObject *sfpy_trace_scope(PyObject *module, PyObject *scope)
{
    SfpyState *st = sfpy_state(module);
    if (!sfpy_utf8(scope, "scope")) {
        return NULL;
    }
    PyObject *kept =
        PyDict_SetDefault(st->trace_scopes, scope, scope); /* one address for each text */
    const char *text = !kept ? NULL : PyUnicode_AsUTF8(kept);
    if (!text) {
        return NULL;
    }
    if (st->trace) {
        sf_trace_set_scope(st->trace, text);
    }
    Py_RETURN_NONE;
}

/* {location: frames}, innermost first, of the locations of rows. */
PyObject *sfpy_frames_of_locations(PyObject *module, PyObject *locations)
{
    SfpyState *st = sfpy_state(module);
    PyObject *found = PyDict_New(), *each = PyObject_GetIter(locations), *location;
    while (found && each && (location = PyIter_Next(each))) {
        const unsigned long id = PyLong_AsUnsignedLong(location);
        sfpy_dict_put(&found, location,
                      PyErr_Occurred() ? NULL : sfpy_location_frames(st, (uint32_t)id));
    }
    Py_XDECREF(each);
    if (PyErr_Occurred()) {
        Py_CLEAR(found);
    }
    return found;
}
