/* The operations of a graph whose numbers may break, as Python data.
 * Invariant: the graph stays as it is. Owner: the caller. Source: core/analysis/numeric.h. */
#include "apis/ops/shared/range.h"
#include "core/analysis/numeric.h"
#include "core/graph/trace.h"

#include <math.h>

#include "pymodule/ext/ext.h"

enum { SOURCES = 24 };

/* Of the finite elements, which are what is judged; no bound but the dtype's is an infinity. */
static double bound(SfInterval a, SfDtype t, bool above)
{
    const double open = above ? (double)INFINITY : -(double)INFINITY;
    return sf_interval_is_open(a, t, above) ? open : above ? a.hi : a.lo;
}

static const SfNode *node_named(const SfGraph *g, bool is_trace, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    const SfNode *n = !text ? NULL : is_trace ? sf_trace_named(g, text) : sf_graph_find(g, text);
    if (text && !n) {
        PyErr_Format(PyExc_KeyError, "no node is named %R", name);
    }
    return n;
}

static SfInterval interval_of(double lo, double hi, unsigned flags, SfDtype t)
{
    const SfInterval all = sf_interval_finite(t);
    SfInterval a = sf_interval_make(lo < all.lo ? all.lo : lo, hi > all.hi ? all.hi : hi);
    const unsigned kept = flags & SF_MAY_BE_ZERO ? a.flags : a.flags & ~(unsigned)SF_MAY_BE_ZERO;
    a.flags = kept | (flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF | SF_ALL_INTEGERS));
    return sf_interval_flush(a, t);
}

static int by_node(const void *a, const void *b)
{
    const SfRangeFact *x = a, *y = b;
    return x->node->id < y->node->id ? -1 : x->node->id > y->node->id;
}

/* [(name, output, lo, hi, flags)], or with the places along the last axis that it is of, begin and
 * end; -1 with an exception. */
static int read_facts(const SfGraph *g, bool is_trace, PyObject *list, SfRangeFact **out)
{
    const Py_ssize_t n = PyList_GET_SIZE(list);
    SfRangeFact *facts = PyMem_Calloc((size_t)n + 1, sizeof *facts);
    *out = facts;
    if (!facts) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *name;
        double lo, hi;
        unsigned flags;
        int output;
        long long begin = 0, end = 0;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "UiddI|LL", &name, &output, &lo, &hi,
                              &flags, &begin, &end)) {
            return -1;
        }
        const SfNode *node = node_named(g, is_trace, name);
        if (!node || output < 0 || output >= node->nout) {
            if (node) {
                PyErr_SetString(PyExc_IndexError, "no such output");
            }
            return -1;
        }
        facts[i] = (SfRangeFact){
            node, output, interval_of(lo, hi, flags, sf_dtype_base(node->outputs[output].dtype)),
            begin, end};
    }
    qsort(facts, (size_t)n, sizeof *facts, by_node);
    return (int)n;
}

/* (name, op, lo, hi, trained, location) of each node back to what bounds the operand. */
static PyObject *source_rows(const SfNumeric *n, const SfSuspect *s)
{
    const SfNode *steps[SOURCES];
    const int count = sf_numeric_origin(n, s->node, s->hazard->input, steps, SOURCES);
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i < count; i++) {
        SfTensor t = steps[i]->nout > 0 ? steps[i]->outputs[0] : (SfTensor){.dtype = SF_DT_FLOAT};
        const SfInterval a = sf_numeric_of(n, &t);
        const SfDtype dtype = sf_dtype_base(t.dtype);
        sfpy_list_add(&rows, Py_BuildValue("(ssddOI)", steps[i]->name, steps[i]->sig->def->name,
                                           bound(a, dtype, false), bound(a, dtype, true),
                                           sf_numeric_is_trained(n, steps[i]) ? Py_True : Py_False,
                                           (unsigned)steps[i]->location));
    }
    return rows;
}

static PyObject *suspect_row(const SfNumeric *n, const SfSuspect *s, bool is_trace, bool sources)
{
    char text[SF_TRACE_NAME_MAX];
    const char *name = s->node->name;
    if (is_trace) {
        sf_trace_name(s->node, text);
        name = text;
    }
    const SfDtype t = sf_dtype_base(s->node->inputs[s->hazard->input].dtype);
    PyObject *from = sources ? source_rows(n, s) : PyList_New(0);
    return from ? Py_BuildValue("(ssisOddsIN)", name, s->node->sig->def->name, s->hazard->input,
                                sf_condition_name(s->hazard->condition),
                                s->in_gradient ? Py_True : Py_False, bound(s->operand, t, false),
                                bound(s->operand, t, true), sf_dtype_name(t),
                                (unsigned)s->node->location, from)
                : NULL;
}

/* (suspects, operations, trivial) */
static PyObject *suspect_rows(SfNumeric *n, SfArena *arena, bool is_trace, bool sources)
{
    SfSuspect *suspects;
    int count, operations, trivial;
    if (sf_numeric_suspects(n, arena, &suspects, &count) != SF_OK) {
        return PyErr_NoMemory();
    }
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i < count; i++) {
        sfpy_list_add(&rows, suspect_row(n, &suspects[i], is_trace, sources));
    }
    sf_numeric_extent(n, &operations, &trivial);
    return rows ? Py_BuildValue("(Nii)", rows, operations, trivial) : NULL;
}

/* [(node, output, lo, hi, flags)]; lo > hi: no element is finite. */
static PyObject *interval_rows(const SfNumeric *n)
{
    const SfGraph *g = sf_numeric_graph(n);
    PyObject *rows = PyList_New(0);
    for (int id = 0; rows && id < sf_numeric_size(n); id++) {
        const SfNode *node = sf_graph_node(g, id);
        for (int k = 0; rows && k < node->nout; k++) {
            const SfInterval a = sf_numeric_of(n, &node->outputs[k]);
            sfpy_list_add(&rows, Py_BuildValue("(siddI)", node->name, k, a.lo, a.hi, a.flags));
        }
    }
    return rows;
}

/* Suspects; or, `intervals`, those of all tensors. */
static PyObject *analysed(const SfGraph *g, const SfTraceValues *eager, const SfRangeFact *facts,
                          int nfacts, SfRangeTrial trial, bool intervals)
{
    SfArena arena;
    SfNumeric *n;
    sf_arena_init(&arena);
    PyObject *rows = NULL;
    const SfNumericInput input = {.g = g,
                                  .eager = eager,
                                  .facts = facts,
                                  .nfacts = nfacts,
                                  .trial = trial,
                                  .is_unbroken = !intervals};
    if (sf_numeric_make(&input, &arena, &n) != SF_OK) {
        PyErr_NoMemory();
    } else {
        rows = intervals ? interval_rows(n) : suspect_rows(n, &arena, eager != NULL, !trial.node);
    }
    sf_arena_free(&arena);
    return rows;
}

static bool read_trial(const SfGraph *g, bool is_trace, PyObject *how, SfRangeTrial *out)
{
    PyObject *name;
    double lo, hi;
    int input, zero;
    if (how == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(how, "Uiddp:trial", &name, &input, &lo, &hi, &zero)) {
        return false;
    }
    const SfNode *node = node_named(g, is_trace, name);
    if (!node || input < 0 || input >= node->nin) {
        if (node) {
            PyErr_SetString(PyExc_IndexError, "no such input");
        }
        return false;
    }
    const SfDtype t = sf_dtype_base(node->inputs[input].dtype);
    *out = (SfRangeTrial){node, input, interval_of(lo, hi, zero ? SF_MAY_BE_ZERO : 0, t)};
    return true;
}

static const SfGraph *graph_of(const SfpyState *st, PyObject *graph)
{
    return graph != Py_None ? ((SfpyGraph *)graph)->g
           : st->trace      ? sf_trace_graph(st->trace)
                            : NULL;
}

static bool is_graph(const SfpyState *st, PyObject *graph)
{
    const bool yes = graph == Py_None || PyObject_TypeCheck(graph, st->graph_type);
    if (!yes) {
        PyErr_SetString(PyExc_TypeError, "a graph, or None for eager code");
    }
    return yes;
}

static PyObject *analyse(const SfpyState *st, PyObject *graph, PyObject *list, PyObject *how,
                         bool intervals)
{
    const SfGraph *g = graph_of(st, graph);
    PyObject *made = NULL;
    SfRangeFact *facts = NULL;
    SfRangeTrial trial = {0};
    const bool is_trace = graph == Py_None;
    const int nfacts = read_facts(g, is_trace, list, &facts);
    if (nfacts >= 0 && read_trial(g, is_trace, how, &trial)) {
        const SfTraceValues *eager = is_trace ? sf_trace_values(st->trace) : NULL;
        made = analysed(g, eager, facts, nfacts, trial, intervals);
    }
    PyMem_Free(facts);
    return made;
}

PyObject *sfpy_numeric(PyObject *module, PyObject *args)
{
    const SfpyState *st = sfpy_state(module);
    PyObject *graph, *list, *how = Py_None;
    if (!PyArg_ParseTuple(args, "OO!|O:numeric", &graph, &PyList_Type, &list, &how) ||
        !is_graph(st, graph)) {
        return NULL;
    }
    return graph_of(st, graph) ? analyse(st, graph, list, how, false)
                               : Py_BuildValue("([]ii)", 0, 0);
}

PyObject *sfpy_intervals(PyObject *module, PyObject *args)
{
    const SfpyState *st = sfpy_state(module);
    PyObject *graph, *list;
    if (!PyArg_ParseTuple(args, "OO!:intervals", &graph, &PyList_Type, &list) ||
        !is_graph(st, graph)) {
        return NULL;
    }
    return graph_of(st, graph) ? analyse(st, graph, list, Py_None, true) : PyList_New(0);
}

PyObject *sfpy_start_numbers(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    st->trace = st->trace ? st->trace : sf_trace_new(st->version);
    st->notes_numbers = st->trace && sf_trace_start_values(st->trace, sf_op_find("Snapshot"));
    Py_SETREF(st->content_hook, Py_NewRef(hook));
    return st->notes_numbers ? Py_NewRef(Py_None) : PyErr_NoMemory();
}

PyObject *sfpy_notes_numbers(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(sfpy_state(module)->notes_numbers);
}

/* (lo, hi, flags); -1 with an exception. */
int sfpy_bounds_read(PyObject *bounds, SfDtype t, SfInterval *out)
{
    double lo, hi;
    unsigned flags;
    if (!PyArg_ParseTuple(bounds, "ddI:bounds", &lo, &hi, &flags)) {
        return -1;
    }
    *out = interval_of(lo, hi, flags, t);
    return 0;
}

/* content_bounds(tensor): (lo, hi, flags) of an eager tensor from outside; None: nobody knows. */
PyObject *sfpy_bounds_of(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    SfInterval a;
    int output = 0;
    if (!st->notes_numbers || !Py_IS_TYPE(tensor, st->eager_tensor_type)) {
        Py_RETURN_NONE;
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)tensor);
    const SfNode *n = sf_trace_find(st->trace, &t, &output);
    if (!sf_interval_of_value(t.value, &a) &&
        !(n && sf_trace_values_content(sf_trace_values(st->trace), n->id, &a))) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("ddI", a.lo, a.hi, (unsigned)a.flags);
}

/* Between what its elements lie: 1; 0: nobody knows; -1 with an exception. */
int sfpy_content_bounds(SfpyState *st, PyObject *array, SfDtype t, SfInterval *out)
{
    if (!st->notes_numbers || st->content_hook == Py_None) {
        return 0;
    }
    PyObject *bounds = PyObject_CallOneArg(st->content_hook, array);
    int r = !bounds ? -1 : bounds == Py_None ? 0 : 1;
    if (r == 1 && sfpy_bounds_read(bounds, t, out) < 0) {
        r = -1;
    }
    Py_XDECREF(bounds);
    return r;
}

/* Do some of its numbers stand beside NaN? All of them NaN is meant so. */
static bool holds_nan(SfInterval a)
{
    return a.flags & SF_MAY_BE_NAN && !sf_interval_is_empty(a);
}

/* Is `t` asked of each element whether it is NaN? */
static bool is_looked_at(const SfGraph *g, const SfNode *from)
{
    for (int id = from->id + 1; id < sf_graph_size(g); id++) {
        const SfNode *n = sf_graph_node(g, id);
        if (n->nin == 1 && n->inputs[0].node == from && n->sig->def->range == sf_range_is_nan) {
            return true;
        }
    }
    return false;
}

/* [(name, location)] of the constants of a graph that have NaN among their numbers. */
static PyObject *nan_constants(const SfGraph *g)
{
    PyObject *rows = PyList_New(0);
    for (int id = 0; rows && id < sf_graph_size(g); id++) {
        const SfNode *n = sf_graph_node(g, id);
        SfInterval a;
        if (n->nin == 0 && n->nout == 1 && sf_interval_of_value(n->outputs[0].value, &a) &&
            holds_nan(a) && !is_looked_at(g, n)) {
            sfpy_list_add(&rows, Py_BuildValue("(sI)", n->name, (unsigned)n->location));
        }
    }
    return rows;
}

/* least_normal(dtype): that of float64 for what is no dtype of ours. */
PyObject *sfpy_least_normal(PyObject *module, PyObject *dtype)
{
    SfDtype t = SF_DT_DOUBLE;
    if (sfpy_dtype_from(sfpy_state(module), dtype, &t) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(sf_dtype_least_normal(t));
}

/* nan_content(graph): [(node, location)] of constants with NaN among their numbers; None: of what
 * eager code got from outside. */
PyObject *sfpy_nan_content(PyObject *module, PyObject *graph)
{
    const SfpyState *st = sfpy_state(module);
    if (PyObject_TypeCheck(graph, st->graph_type)) {
        return nan_constants(((SfpyGraph *)graph)->g);
    }
    const SfGraph *g = st->trace ? sf_trace_graph(st->trace) : NULL;
    const SfTraceValues *values = g ? sf_trace_values(st->trace) : NULL;
    char text[SF_TRACE_NAME_MAX];
    PyObject *rows = PyList_New(0);
    for (int id = 0; rows && values && id < sf_graph_size(g); id++) {
        const SfNode *n = sf_graph_node(g, id);
        const SfNode *found = NULL;
        SfInterval a;
        if (n->nin == 0 && n->nout == 1 && sf_node_role(n) == SF_ROLE_NO_OP &&
            sf_trace_values_content(values, id, &a) && holds_nan(a)) {
            found = n;
        }
        for (int i = 0; i < n->nin && !found; i++) { /* of one place: each has its own content */
            const SfNode *from = n->inputs[i].node;
            if (from && sf_node_role(from) == SF_ROLE_NO_OP &&
                sf_interval_of_value(n->inputs[i].value, &a) && holds_nan(a)) {
                found = from;
            }
        }
        if (found && !is_looked_at(g, found)) {
            sf_trace_name(found, text);
            sfpy_list_add(&rows, Py_BuildValue("(sI)", text, (unsigned)found->location));
        }
    }
    return rows;
}

/* node_location(graph, name): a number for where it was made; 0: nobody knows. */
PyObject *sfpy_node_location(PyObject *module, PyObject *args)
{
    const SfpyState *st = sfpy_state(module);
    PyObject *graph, *name;
    if (!PyArg_ParseTuple(args, "O!U:node_location", st->graph_type, &graph, &name)) {
        return NULL;
    }
    const SfNode *n = node_named(((SfpyGraph *)graph)->g, false, name);
    return n ? PyLong_FromUnsignedLong((unsigned long)n->location) : NULL;
}

PyObject *sfpy_eager_variable(PyObject *module, PyObject *content)
{
    SfpyState *st = sfpy_state(module);
    if (!st->notes_numbers || !Py_IS_TYPE(content, st->eager_tensor_type)) {
        return Py_NewRef(content);
    }
    SfTensor t = sfpy_tensor_read((SfpyTensor *)content);
    sf_trace_variable(st->trace, &t, sfpy_location_to_record(st));
    return sfpy_tensor_wrap(st, NULL, &t);
}
