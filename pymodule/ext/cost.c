/* What the nodes of a graph cost, as Python numbers.
 * Invariant: the graph stays as it is. Owner: nothing. Source: core/analysis/cost.h. */
#include "core/analysis/cost.h"

#include <float.h>

#include "pymodule/ext/ext.h"

PyObject *sfpy_amount(double value)
{
    if (!(value >= 0 && value <= DBL_MAX)) { /* JSON knows no infinity */
        Py_RETURN_NONE;
    }
    return PyFloat_FromDouble(value);
}

PyObject *sfpy_graph_costs(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *graph;
    long long assumed = -1;
    if (!PyArg_ParseTuple(args, "O!|L:graph_costs", st->graph_type, &graph, &assumed)) {
        return NULL;
    }
    const SfGraph *g = ((SfpyGraph *)graph)->g;
    const int n = sf_graph_size(g);
    SfNodeCost *costs = PyMem_Calloc((size_t)n + 1, sizeof *costs);
    if (!costs || sf_graph_costs(g, assumed, costs) != SF_OK) {
        PyMem_Free(costs);
        return PyErr_NoMemory();
    }
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(
            &list, i,
            Py_BuildValue("(NN)", sfpy_amount(costs[i].flops), sfpy_amount(costs[i].bytes)));
    }
    PyMem_Free(costs);
    return list;
}
