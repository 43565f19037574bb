/* The eager code of a program as one graph, for the search for witnesses on real TensorFlow.
 * Invariant: names are those of sf_trace_name. Owner: the caller. Source: core/graph/trace.h. */
#include "core/graphdef/graphdef.h"
#include "lattice/intern.h"
#include "pymodule/ext/ext.h"

static PyObject *name_of(const SfNode *n)
{
    char text[SF_TRACE_NAME_MAX];
    sf_trace_name(n, text);
    return PyUnicode_FromString(text);
}

/* {name: [(dtype, shape)]} */
static PyObject *output_rows(const SfGraph *g)
{
    char text[SF_TRACE_NAME_MAX];
    PyObject *rows = PyDict_New();
    for (int id = 0; rows && id < sf_graph_size(g); id++) {
        const SfNode *n = sf_graph_node(g, id);
        PyObject *row = PyList_New(0);
        for (int k = 0; row && k < n->nout; k++) {
            sfpy_list_add(&row,
                          Py_BuildValue("(sN)", sf_dtype_name(sf_dtype_base(n->outputs[k].dtype)),
                                        sfpy_shape_tuple(n->outputs[k].shape)));
        }
        sf_trace_name(n, text);
        if (!row || PyDict_SetItemString(rows, text, row) < 0) {
            Py_CLEAR(rows);
        }
        Py_XDECREF(row);
    }
    return rows;
}

static PyObject *outside_row(PyObject *name, const SfTensor *t, SfInterval content)
{
    return Py_BuildValue("(NsNdd)", name, sf_dtype_name(sf_dtype_base(t->dtype)),
                         sfpy_shape_tuple(t->shape), content.lo, content.hi);
}

/* [(name, dtype, shape, lo, hi)] of what comes from outside and was not kept; lo > hi: nothing is
 * known of its content. */
static PyObject *outside_rows(const SfGraph *g, const SfTraceValues *values)
{
    PyObject *rows = PyList_New(0);
    for (int id = 0; rows && id < sf_graph_size(g); id++) {
        const SfNode *n = sf_graph_node(g, id);
        for (int i = 0; rows && i < n->nin; i++) {
            if (!n->inputs[i].node && !n->inputs[i].value) {
                PyObject *name = PyUnicode_FromFormat("outside_%d_%d", id, i);
                sfpy_list_add(&rows, outside_row(name, &n->inputs[i], sf_interval_none()));
            }
        }
        if (rows && sf_node_role(n) == SF_ROLE_NO_OP && n->nout == 1 && !n->outputs[0].value) {
            SfInterval content = sf_interval_none();
            (void)sf_trace_values_content(values, id, &content);
            sfpy_list_add(&rows, outside_row(name_of(n), &n->outputs[0], content));
        }
    }
    return rows;
}

/* (root, record, [(record that was written, output)]) for each place that writes a variable */
static PyObject *write_row(const SfGraph *g, const SfWrites *w)
{
    PyObject *from = PyList_New(0);
    for (int32_t i = 0; from && i < w->nfrom; i++) {
        sfpy_list_add(&from, Py_BuildValue("(Ni)", name_of(w->from[i].node), w->from[i].output));
    }
    return from ? Py_BuildValue("(NNN)", name_of(sf_graph_node(g, w->root)),
                                name_of(sf_graph_node(g, w->node)), from)
                : NULL;
}

static PyObject *write_rows(const SfGraph *g, const SfTraceValues *values)
{
    PyObject *rows = PyList_New(0);
    for (int32_t i = 0; rows && i < values->nwrites; i++) {
        sfpy_list_add(&rows, write_row(g, &values->writes[i]));
    }
    return rows;
}

PyObject *sfpy_trace_program(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpyState *st = sfpy_state(module);
    const SfTraceValues *values = st->trace ? sf_trace_values(st->trace) : NULL;
    SfBytes bytes;
    if (!values) {
        Py_RETURN_NONE;
    }
    const SfGraph *g = sf_trace_graph(st->trace);
    const int producer = st->version >= SF_VERSION(2, 0) ? 1200 : 134;
    if (!sf_trace_graph_write(g, producer, sf_op_find("Const"), sf_op_find("Placeholder"),
                              &bytes)) {
        return PyErr_NoMemory();
    }
    PyObject *graph = PyBytes_FromStringAndSize(bytes.p, (Py_ssize_t)bytes.n);
    sf_free(bytes.p);
    PyObject *outputs = graph ? output_rows(g) : NULL;
    PyObject *outside = outputs ? outside_rows(g, values) : NULL;
    PyObject *writes = outside ? write_rows(g, values) : NULL;
    PyObject *made = writes ? PyTuple_Pack(4, graph, outputs, outside, writes) : NULL;
    Py_XDECREF(graph);
    Py_XDECREF(outputs);
    Py_XDECREF(outside);
    Py_XDECREF(writes);
    return made;
}
