/* Sources: ops whose outputs a run takes from Python, an iterator's next element above all.
 * The handler of an op is called once a run, before it, as handler(session, feed_dict), and gives a
 * tuple of eager tensors, one an output; their shapes and small contents are the run's. It raises
 * when there is no next element. Where the run may leave the op out (a branch of a cond), what it
 * raised only surfaces if the run gets there, and handler.undo(session) takes back an element that
 * was not used.
 * Invariant: all handlers have been called before the first element is given to core, since they
 * may run the same session.
 * Owner: the operation keeps its handler; a run keeps the elements.
 * Source: tensorflow/core/kernels/data/iterator_ops.cc. */
#include "core/analysis/provenance.h"
#include "pymodule/ext/fetch.h"

enum { LOCATE_STEPS = 64 };

PyObject *sfpy_set_source(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *op, *handler;
    if (!PyArg_ParseTuple(args, "OO:set_source", &op, &handler)) {
        return NULL;
    }
    if (!Py_IS_TYPE(op, st->operation_type) || !((SfpyOperation *)op)->graph) {
        return PyErr_Format(PyExc_TypeError, "set_source() takes an Operation of a graph");
    }
    if (PyObject_SetAttr(op, st->str_sf_source, handler) < 0) {
        return NULL;
    }
    if (sf_node_make_source(((SfpyOperation *)op)->node) != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* mark_array(tensor, part): what the op of a tensor of a graph is of a TensorArray. */
PyObject *sfpy_mark_array(PyObject *module, PyObject *args)
{
    PyObject *tensor;
    int part;
    if (!PyArg_ParseTuple(args, "Oi:mark_array", &tensor, &part)) {
        return NULL;
    }
    SfNode *n = sfpy_is_tensor(tensor) ? ((SfpyTensor *)tensor)->t.node : NULL;
    if (!n || !n->graph || part < SF_ARRAY_NEW || part > SF_ARRAY_GATHER) {
        return PyErr_Format(PyExc_TypeError, "mark_array() takes a tensor of a graph and a part");
    }
    if (sf_node_set_array(n, (SfArrayPart)part) != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* A captured tensor is a placeholder in the function: the place outside where its last dim was
 * fixed says more than the line that traced the function. */
PyObject *sfpy_locate_as(PyObject *module, PyObject *args)
{
    const SfpyState *st = sfpy_state(module);
    PyObject *op, *tensor;
    if (!PyArg_ParseTuple(args, "OO:locate_as", &op, &tensor)) {
        return NULL;
    }
    if (!Py_IS_TYPE(op, st->operation_type) || !((SfpyOperation *)op)->graph) {
        return PyErr_Format(PyExc_TypeError, "locate_as() takes an Operation of a graph");
    }
    if (!sfpy_is_tensor(tensor)) {
        Py_RETURN_NONE;
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)tensor);
    int output = t.index;
    const SfNode *made_by = t.node ? t.node : sf_trace_find(st->trace, &t, &output);
    const int rank = sf_shape_rank(t.shape);
    SfOriginStep steps[LOCATE_STEPS];
    const int n =
        made_by && rank > 0 ? sf_origin_of_axis(made_by, output, rank - 1, steps, LOCATE_STEPS) : 0;
    if (n > 0 && steps[n - 1].node->location != 0) {
        ((SfpyOperation *)op)->node->location = steps[n - 1].node->location;
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_eager_tensor(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "shape", "value", "bounds", NULL};
    SfpyState *st = sfpy_state(module);
    PyObject *dtype, *shape, *value = Py_None, *bounds = Py_None;
    SfInterval content;
    SfTensor t = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO:eager_tensor", names, &dtype, &shape,
                                     &value, &bounds) ||
        sfpy_dtype_need(st, dtype, &t.dtype) < 0 || !(t.shape = sfpy_shape_from(st, shape)) ||
        (bounds != Py_None && sfpy_bounds_read(bounds, t.dtype, &content) < 0)) {
        return NULL;
    }
    sfpy_sweep(st);
    st->open_calls++; /* nothing is swept before the tensor holds its content */
    if (value != Py_None) {
        SfpyArray a;
        if (sfpy_np_element(st, value, t.dtype, SF_VALUE_MAX, &a) < 0) {
            st->open_calls--;
            return NULL;
        }
        t.shape = a.shape;
        t.value = a.value;
    }
    if (st->trace && bounds != Py_None && !t.value) {
        sf_trace_tell_content(st->trace, content);
    }
    if (st->trace) { /* an element of a data set has no origin but this line */
        sf_trace_record(st->trace, sf_op_find("NoOp"), NULL, NULL, 0, &t, 1,
                        sfpy_location_to_record(st));
    }
    PyObject *tensor = sfpy_tensor_wrap(st, NULL, &t);
    st->open_calls--;
    return tensor;
}

/* A variable stays where it is, whoever writes to it. */
static PyObject *where_it_was(PyObject *tensor, PyObject *origin)
{
    if (tensor) {
        ((SfpyEagerTensor *)tensor)->device = ((SfpyEagerTensor *)origin)->device;
    }
    return tensor;
}

/* eager_beside(tensor, origin): the tensor, on the device of `origin`. */
PyObject *sfpy_eager_beside(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *tensor, *origin;
    if (!PyArg_ParseTuple(args, "OO:eager_beside", &tensor, &origin)) {
        return NULL;
    }
    Py_INCREF(tensor);
    return Py_IS_TYPE(tensor, st->eager_tensor_type) && Py_IS_TYPE(origin, st->eager_tensor_type)
               ? where_it_was(tensor, origin)
               : tensor;
}

/* eager_like(tensor, origin, writes=True): `tensor`, said to come from where `origin` does, of the
 * same shape and dtype. It is written to the variable that held `origin`; not `writes`: that
 * variable holds what other writes left, of which less is known now. */
PyObject *sfpy_eager_like(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *tensor, *origin;
    int writes = 1;
    if (!PyArg_ParseTuple(args, "OO|p:eager_like", &tensor, &origin, &writes)) {
        return NULL;
    }
    if (!Py_IS_TYPE(tensor, st->eager_tensor_type) || !Py_IS_TYPE(origin, st->eager_tensor_type)) {
        return Py_NewRef(tensor);
    }
    SfTensor t = sfpy_tensor_read((SfpyTensor *)tensor);
    const SfTensor from = sfpy_tensor_read((SfpyTensor *)origin);
    if (st->notes_numbers && writes && t.dtype == from.dtype) {
        sf_trace_write(st->trace, &from, &t, sfpy_location_to_record(st));
        return where_it_was(sfpy_tensor_wrap(st, NULL, &t), origin);
    }
    if (t.shape != from.shape || t.dtype != from.dtype || t.index == from.index) {
        return ((SfpyEagerTensor *)tensor)->device == ((SfpyEagerTensor *)origin)->device
                   ? Py_NewRef(tensor)
                   : where_it_was(sfpy_tensor_wrap(st, NULL, &t), origin);
    }
    int output = 0;
    const SfNode *held = st->trace_log && writes ? sf_trace_find(st->trace, &from, &output) : NULL;
    if (held) { /* each step's gradient of a variable is one of its own */
        const int32_t written = t.index;
        sf_trace_record(st->trace, sf_op_find("NoOp"), NULL, NULL, 0, &t, 1, held->location);
        sf_trace_log_write(st->trace_log, t.index, written);
    } else {
        t.index = from.index;
    }
    return where_it_was(sfpy_tensor_wrap(st, NULL, &t), origin);
}

/* one run */
void sfpy_sources_free(SfpySources *s)
{
    for (int i = 0; i < s->n; i++) {
        Py_XDECREF(s->handlers[i]);
        Py_XDECREF(s->elements[i]);
        Py_XDECREF(s->errors[i]);
    }
    PyMem_Free(s->handlers);
    PyMem_Free(s->nodes);
    PyMem_Free(s->used);
    *s = (SfpySources){0};
}

static bool sources_alloc(SfpySources *s, int n)
{
    s->handlers = PyMem_Calloc((size_t)n * 3, sizeof *s->handlers);
    s->nodes = PyMem_Calloc((size_t)n, sizeof(SfNode *));
    s->used = PyMem_Calloc((size_t)n, sizeof *s->used);
    s->failed = -1;
    if (!s->handlers || !s->nodes || !s->used) {
        PyErr_NoMemory();
        return false;
    }
    s->n = n;
    s->elements = s->handlers + n;
    s->errors = s->elements + n;
    return true;
}

/* Which of them source `i` of the plan is, or -1: the plan may have been made again. */
static int find_source(const SfpySources *s, const SfPlan *plan, int i)
{
    const SfNode *node = sf_plan_source(plan, i);
    int at = s->n - 1;
    while (at >= 0 && s->nodes[at] != node) {
        at--;
    }
    return at;
}

static bool is_element(PyObject *e, const SfNode *n)
{
    bool fits = PyTuple_Check(e) && PyTuple_GET_SIZE(e) == n->nout;
    for (int k = 0; fits && k < n->nout; k++) {
        fits = sfpy_is_tensor(PyTuple_GET_ITEM(e, k));
    }
    return fits;
}

/* The exception that is set, as an object with its traceback; it is no longer set afterwards. */
static PyObject *take_exception(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace) {
        (void)PyException_SetTraceback(value, trace);
    }
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

/* The element of an op, a new reference: what its handler gives, or the one in s->given. */
static PyObject *element_of(SfpyGraph *graph, SfpySources *s, int i, PyObject *session,
                            PyObject *feed_dict)
{
    PyObject *op = sfpy_operation_wrap(graph->st, graph, s->nodes[i]);
    PyObject *element = NULL, *arguments[] = {session, feed_dict};
    if (op && s->given) {
        element = PyObject_GetItem(s->given, op);
    } else if (op && (s->handlers[i] = PyObject_GetAttr(op, graph->st->str_sf_source))) {
        element = PyObject_Vectorcall(s->handlers[i], arguments, 2, NULL);
    }
    Py_XDECREF(op);
    return element;
}

static int take_one(SfpyGraph *graph, SfpySources *s, int i, PyObject *session, PyObject *feed_dict)
{
    SfNode *node = s->nodes[i];
    s->elements[i] = element_of(graph, s, i, session, feed_dict);
    if (!s->elements[i]) {
        const bool has_none = s->handlers[i] || s->given; /* not: it has no handler */
        if (!s->optional || !has_none || !PyErr_ExceptionMatches(PyExc_Exception)) {
            return -1;
        }
        s->errors[i] = take_exception();
    } else if (!is_element(s->elements[i], node)) {
        PyErr_Format(PyExc_TypeError, "the source of %s gave %R", node->name, s->elements[i]);
        return -1;
    }
    return 0;
}

int sfpy_sources_take(SfpyWorkspace *ws, SfpyGraph *graph, SfPlan *plan, PyObject *session,
                      PyObject *feed_dict, SfpySources *s)
{
    int n = 0;
    if (sfpy_check(ws, sf_plan_sources(plan, &ws->sink, &n), NULL) < 0) {
        return -1;
    }
    if (n == 0) {
        return 0;
    }
    if (!sources_alloc(s, n)) {
        return -1;
    }
    s->optional = sf_plan_has_flow(plan);
    for (int i = 0; i < n; i++) {
        s->nodes[i] = sf_plan_source(plan, i);
    }
    for (int i = 0; i < n; i++) {
        if (take_one(graph, s, i, session, feed_dict) < 0) {
            return -1;
        }
    }
    /* A handler may have grown the graph. */
    if (sfpy_check(ws, sf_plan_sources(plan, &ws->sink, &n), NULL) < 0) {
        return -1;
    }
    SfTensor few[16];
    for (int i = 0; i < n; i++) {
        const int at = find_source(s, plan, i);
        PyObject *e = at < 0 ? NULL : s->elements[at];
        const Py_ssize_t nout = !e ? 0 : PyTuple_GET_SIZE(e);
        SfTensor *outs = nout <= 16 ? few : PyMem_New(SfTensor, (size_t)nout);
        if (!outs) {
            PyErr_NoMemory();
            return -1;
        }
        for (Py_ssize_t k = 0; k < nout; k++) {
            outs[k] = sfpy_tensor_read((SfpyTensor *)PyTuple_GET_ITEM(e, k));
        }
        if (at >= 0) {
            sf_plan_supply(plan, i, !e ? NULL : outs);
        }
        if (outs != few) {
            PyMem_Free(outs);
        }
    }
    return 0;
}

PyObject *sfpy_sources_elements(SfpyGraph *graph, const SfpySources *s)
{
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < s->n; i++) {
        PyObject *op = s->elements[i] ? sfpy_operation_wrap(graph->st, graph, s->nodes[i]) : NULL;
        if (s->elements[i] && (!op || PyDict_SetItem(all, op, s->elements[i]) < 0)) {
            Py_CLEAR(all);
        }
        Py_XDECREF(op);
    }
    return all;
}

void sfpy_sources_note(SfPlan *plan, SfpySources *s)
{
    const int failed = sf_plan_source_failed(plan);
    s->failed = failed < 0 ? -1 : find_source(s, plan, failed);
    for (int i = 0; i < s->n && sf_plan_source(plan, i); i++) {
        const int at = find_source(s, plan, i);
        if (at >= 0) {
            s->used[at] = sf_plan_source_used(plan, i);
        }
    }
}

int sfpy_sources_done(SfpyState *st, PyObject *session, SfpySources *s)
{
    if (s->failed >= 0 && s->errors[s->failed]) {
        PyErr_SetObject((PyObject *)Py_TYPE(s->errors[s->failed]), s->errors[s->failed]);
        return -1;
    }
    for (int i = 0; s->optional && i < s->n; i++) {
        if (s->elements[i] && s->handlers[i] && !s->used[i]) {
            PyObject *r = PyObject_CallMethodOneArg(s->handlers[i], st->str_undo, session);
            if (!r) {
                return -1;
            }
            Py_DECREF(r);
        }
    }
    return 0;
}
