/* What applies to a thread: its default graph, its stack of graphs and sessions, eager or not.
 * Invariant: the context of the running thread is found by one comparison (thread ids are never
 * reused); it dies with the thread's dict.
 * Owner: the dict of the thread. Source: ops._DefaultGraphStack, context.executing_eagerly. */
#include "pymodule/ext/ext.h"

/* the object */
static SfpyContext *context_new(SfpyState *st)
{
    SfpyContext *cx = PyObject_GC_New(SfpyContext, st->context_type);
    if (!cx) {
        return NULL;
    }
    memset(&cx->st, 0, sizeof *cx - offsetof(SfpyContext, st));
    cx->st = st;
    cx->sessions = PyList_New(0);
    PyObject_GC_Track(cx);
    if (!cx->sessions) {
        Py_CLEAR(cx);
    }
    return cx;
}

static int context_traverse(PyObject *self, visitproc visit, void *arg)
{
    SfpyContext *cx = (SfpyContext *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(cx->global);
    Py_VISIT(cx->sessions);
    Py_VISIT(cx->function);
    for (int i = 0; i < cx->depth; i++) {
        Py_VISIT(cx->stack[i]);
    }
    return 0;
}

static int context_clear(PyObject *self)
{
    SfpyContext *cx = (SfpyContext *)self;
    Py_CLEAR(cx->global);
    Py_CLEAR(cx->sessions);
    Py_CLEAR(cx->function);
    while (cx->depth > 0) {
        SfpyGraph *graph = cx->stack[--cx->depth];
        Py_XDECREF(graph);
    }
    return 0;
}

static void context_dealloc(PyObject *self)
{
    SfpyContext *cx = (SfpyContext *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (cx->st->context_cached == cx) {
        cx->st->context_cached = NULL;
        cx->st->context_thread = 0;
    }
    context_clear(self);
    PyMem_Free(cx->stack);
    sfpy_workspaces_free(cx);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot context_slots[] = {
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, context_dealloc},
    {Py_tp_traverse, context_traverse},
    {Py_tp_clear, context_clear},
    {0, NULL},
};

PyType_Spec sfpy_context_spec = {
    .name = "shapeflow._core.ThreadContext",
    .basicsize = sizeof(SfpyContext),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = context_slots,
};

/* Rarely needed: inlined, its registers would cost each call of sfpy_context. */
static __attribute__((noinline)) SfpyContext *find_context(SfpyState *st, uint64_t thread)
{
    PyObject *dict = PyThreadState_GetDict();
    if (!dict) {
        PyErr_SetString(PyExc_SystemError, "shapeflow: no thread state");
        return NULL;
    }
    PyObject *key = PyUnicode_FromFormat("shapeflow._core %p", (void *)st);
    PyObject *found = !key ? NULL : PyDict_GetItemWithError(dict, key);
    if (!found && key && !PyErr_Occurred()) {
        PyObject *made = (PyObject *)context_new(st);
        if (made && PyDict_SetItem(dict, key, made) == 0) {
            found = made; /* the dict keeps it */
        }
        Py_XDECREF(made);
    }
    Py_XDECREF(key);
    if (found) {
        st->context_cached = (SfpyContext *)found;
        st->context_thread = thread;
    }
    return (SfpyContext *)found;
}

SfpyContext *sfpy_context(SfpyState *st)
{
    const uint64_t thread = PyThreadState_GetID(PyThreadState_Get());
    return thread == st->context_thread ? st->context_cached : find_context(st, thread);
}

/* enter_function(name): the body of that tf.function runs from here on; False, and nothing changed,
 * in the body of another one: TensorFlow runs the graph of the outermost. */
PyObject *sfpy_enter_function(PyObject *module, PyObject *name)
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx || !sfpy_utf8(name, "name")) {
        return NULL;
    }
    if (cx->function) {
        Py_RETURN_FALSE;
    }
    cx->function = Py_NewRef(name);
    cx->function_depth = cx->depth;
    cx->device_outside = cx->device;
    cx->device = 0;
    cx->batch = 0;
    Py_RETURN_TRUE;
}

PyObject *sfpy_leave_function(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx) {
        return NULL;
    }
    Py_CLEAR(cx->function);
    cx->device = cx->device_outside;
    cx->batch = 0;
    Py_RETURN_NONE;
}

bool sfpy_is_in_function(SfpyState *st)
{
    const SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        PyErr_Clear();
        return false;
    }
    const SfpyGraph *top = cx->depth > 0 ? cx->stack[cx->depth - 1] : NULL;
    return top ? top->building_function : cx->function && cx->depth == cx->function_depth;
}

/* inside_function(): is what runs now part of a tf.function? Its body runs, and no init_scope or
 * graph was entered since, or a graph of it is being built. */
PyObject *sfpy_inside_function(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(sfpy_is_in_function(sfpy_state(module)));
}

/* set_batch(size): the function that runs took a batch of that size; without a function nothing. */
PyObject *sfpy_set_batch(PyObject *module, PyObject *size)
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    const long long n = PyLong_AsLongLong(size);
    if (!cx || (n == -1 && PyErr_Occurred())) {
        return NULL;
    }
    cx->batch = cx->function && n > 0 ? n : 0;
    Py_RETURN_NONE;
}

/* the stack */
bool sfpy_context_is_eager(const SfpyContext *cx)
{
    return cx->depth > 0 ? !cx->stack[cx->depth - 1] : cx->st->eager;
}

SfpyGraph *sfpy_context_graph(SfpyContext *cx)
{
    for (int i = cx->depth - 1; i >= 0; i--) {
        if (cx->stack[i]) {
            return cx->stack[i];
        }
    }
    if (!cx->global) {
        SfpyGraph *made = sfpy_graph_new(cx->st);
        if (!cx->global) {
            cx->global = made;
        } else { /* the graph's class has made it meanwhile */
            Py_XDECREF(made);
        }
    }
    return cx->global;
}

int sfpy_context_push(SfpyContext *cx, SfpyGraph *graph)
{
    if (cx->depth == cx->cap) {
        const int cap = cx->cap == 0 ? 8 : cx->cap * 2;
        SfpyGraph **stack = PyMem_Realloc(cx->stack, sizeof *stack * (size_t)cap);
        if (!stack) {
            PyErr_NoMemory();
            return -1;
        }
        cx->stack = stack;
        cx->cap = cap;
    }
    Py_XINCREF(graph);
    cx->stack[cx->depth++] = graph;
    return 0;
}

int sfpy_context_pop(SfpyContext *cx, SfpyGraph *graph)
{
    if (cx->depth == 0 || cx->stack[cx->depth - 1] != graph) {
        PyErr_Format(PyExc_AssertionError, "Nesting violated for default stack of %.200s objects",
                     !graph ? "eager" : Py_TYPE(graph)->tp_name);
        return -1;
    }
    cx->depth--;
    Py_XDECREF(graph);
    return 0;
}

int sfpy_context_target(SfpyContext *cx, SfpyGraph **out)
{
    *out = sfpy_context_is_eager(cx) ? NULL : sfpy_context_graph(cx);
    if (!*out) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (sf_graph_is_finalized((*out)->g)) {
        PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
        return -1;
    }
    return 0;
}

/* functions */
static PyObject *py_default_graph(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    return !cx ? NULL : Py_XNewRef((PyObject *)sfpy_context_graph(cx));
}

static PyObject *py_reset_default_graph(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx) {
        return NULL;
    }
    if (cx->depth > 0) {
        PyErr_SetString(PyExc_AssertionError,
                        "Do not use tf.reset_default_graph() to clear nested graphs. If you need "
                        "a cleared graph, exit the nesting and create a new graph.");
        return NULL;
    }
    Py_CLEAR(cx->global);
    Py_RETURN_NONE;
}

static PyObject *py_set_graph_class(PyObject *module, PyObject *cls)
{
    SfpyState *st = sfpy_state(module);
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, st->graph_type)) {
        PyErr_SetString(PyExc_TypeError, "the graph class must derive from Graph");
        return NULL;
    }
    Py_SETREF(st->graph_class, Py_NewRef(cls));
    Py_RETURN_NONE;
}

static PyObject *py_default_session(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx) {
        return NULL;
    }
    const Py_ssize_t n = PyList_GET_SIZE(cx->sessions);
    return Py_NewRef(n == 0 ? Py_None : PyList_GET_ITEM(cx->sessions, n - 1));
}

static PyObject *py_push_session(PyObject *module, PyObject *session)
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx || PyList_Append(cx->sessions, session) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *py_pop_session(PyObject *module, PyObject *session)
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    if (!cx) {
        return NULL;
    }
    for (Py_ssize_t i = PyList_GET_SIZE(cx->sessions) - 1; i >= 0; i--) {
        if (PyList_GET_ITEM(cx->sessions, i) == session) {
            if (PyList_SetSlice(cx->sessions, i, i + 1, NULL) < 0) {
                return NULL;
            }
            break;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *py_executing_eagerly(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyContext *cx = sfpy_context(sfpy_state(module));
    return !cx ? NULL : PyBool_FromLong(sfpy_context_is_eager(cx));
}

static PyObject *py_set_eager(PyObject *module, PyObject *on)
{
    const int truth = PyObject_IsTrue(on);
    if (truth < 0) {
        return NULL;
    }
    sfpy_state(module)->eager = truth != 0;
    Py_RETURN_NONE;
}

PyMethodDef sfpy_context_methods[] = {
    {"default_graph", py_default_graph, METH_NOARGS, "default_graph(): of this thread."},
    {"reset_default_graph", py_reset_default_graph, METH_NOARGS,
     "reset_default_graph(): the next default_graph() is a new one."},
    {"set_graph_class", py_set_graph_class, METH_O,
     "set_graph_class(cls): the class that default_graph() instantiates."},
    {"default_session", py_default_session, METH_NOARGS,
     "default_session(): top of this thread's stack, or None."},
    {"push_session", py_push_session, METH_O, "push_session(session)"},
    {"pop_session", py_pop_session, METH_O, "pop_session(session)"},
    {"executing_eagerly", py_executing_eagerly, METH_NOARGS, "executing_eagerly(): here and now."},
    {"set_eager", py_set_eager, METH_O, "set_eager(on): eager unless inside a graph."},
    {NULL, NULL, 0, NULL},
};
