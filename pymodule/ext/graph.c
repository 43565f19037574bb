/* tf.Graph: the Python object of an SfGraph.
 * Invariant: SfNode.user of its nodes holds the objects that somebody asked for; they refer back to
 * the graph, a cycle that only the garbage collector undoes.
 * Owner: the object owns the SfGraph. Source: tensorflow/python/framework/ops.py, class Graph. */
#include "pymodule/ext/ext.h"

static SfpyGraph *as_graph(PyObject *self)
{
    return (SfpyGraph *)self;
}

SfpySlots *sfpy_slots(SfNode *node)
{
    if (!node->user) {
        const size_t size = sizeof(SfpySlots) + sizeof(PyObject *) * (size_t)node->nout;
        node->user = sf_arena_alloc(sf_graph_arena(node->graph), size);
        if (!node->user) {
            PyErr_NoMemory();
        }
    }
    return node->user;
}

int sfpy_graph_keep(SfpyGraph *g, PyObject *o)
{
    if (g->nkept == g->kept_cap) {
        const int cap = g->kept_cap == 0 ? 64 : g->kept_cap * 2;
        PyObject **kept = PyMem_Realloc(g->kept, sizeof(PyObject *) * (size_t)cap);
        if (!kept) {
            PyErr_NoMemory();
            return -1;
        }
        g->kept = kept;
        g->kept_cap = cap;
    }
    g->kept[g->nkept++] = Py_NewRef(o);
    return 0;
}

/* What has attributes of its own may refer back, and must be the same object when asked for again.
 */
static int got_attributes(PyObject *self, SfpyGraph *g)
{
    if (!PyObject_GC_IsTracked(self)) {
        PyObject_GC_Track(self);
    }
    return !g ? 0 : sfpy_graph_keep(g, self);
}

int sfpy_node_setattr(PyObject *self, SfpyGraph *g, PyObject *const *dict, PyObject *name,
                      PyObject *value)
{
    const bool had = *dict;
    const int r = PyObject_GenericSetAttr(self, name, value);
    return r == 0 && !had && *dict ? got_attributes(self, g) : r;
}

PyObject *sfpy_node_getdict(PyObject *self, SfpyGraph *g, PyObject *const *dict, void *closure)
{
    const bool had = *dict;
    PyObject *given = PyObject_GenericGetDict(self, closure);
    if (given && !had && got_attributes(self, g) < 0) {
        Py_CLEAR(given);
    }
    return given;
}

/* life */
static PyObject *graph_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
                           PyObject *Py_UNUSED(kwargs))
{
    SfpyState *st = sfpy_state_of(type);
    SfpyGraph *self = as_graph(type->tp_alloc(type, 0)); /* zeroed */
    if (!self) {
        return NULL;
    }
    self->st = st;
    self->g = sf_graph_new(st->version);
    self->collections = PyDict_New();
    self->devices = PyList_New(0);
    self->seed = Py_NewRef(Py_None);
    if (!self->g || !self->collections || !self->devices) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        Py_DECREF(self);
        return NULL;
    }
    sf_graph_set_v2_shapes(self->g, st->v2_shapes);
    self->b = (SfBuilder){.graph = self->g, .version = st->version, .device = ""};
    return (PyObject *)self;
}

static int graph_init(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) > 0 || (kwargs && PyDict_GET_SIZE(kwargs) > 0)) {
        PyErr_SetString(PyExc_TypeError, "Graph() takes no arguments");
        return -1;
    }
    return 0;
}

static int graph_traverse(PyObject *self, visitproc visit, void *arg)
{
    SfpyGraph *g = as_graph(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(g->collections);
    Py_VISIT(g->devices);
    Py_VISIT(g->seed);
    Py_VISIT(g->dict);
    for (int i = 0; i < g->nkept; i++) {
        Py_VISIT(g->kept[i]);
    }
    return 0;
}

static int graph_clear(PyObject *self)
{
    SfpyGraph *g = as_graph(self);
    Py_CLEAR(g->collections);
    Py_CLEAR(g->devices);
    Py_CLEAR(g->seed);
    Py_CLEAR(g->dict);
    while (g->nkept > 0) {
        Py_DECREF(g->kept[--g->nkept]);
    }
    return 0;
}

static void graph_dealloc(PyObject *self)
{
    SfpyGraph *g = as_graph(self);
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (g->weak) {
        PyObject_ClearWeakRefs(self);
    }
    graph_clear(self);
    PyMem_Free(g->kept);
    if (g->g) {
        sf_graph_free(g->g);
    }
    type->tp_free(self);
    Py_DECREF(type);
}

SfpyGraph *sfpy_graph_new(SfpyState *st)
{
    PyObject *cls = Py_NewRef(st->graph_class);
    PyObject *o = PyObject_CallNoArgs(cls);
    Py_DECREF(cls);
    if (o && !PyType_IsSubtype(Py_TYPE(o), st->graph_type)) {
        PyErr_SetString(PyExc_TypeError, "the graph class did not make a Graph");
        Py_CLEAR(o);
    }
    return (SfpyGraph *)o;
}

/* names */
static PyObject *graph_unique_name(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "mark_as_used", NULL};
    const char *name;
    int mark = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|p:unique_name", names, &name, &mark)) {
        return NULL;
    }
    const char *unique = sf_graph_unique_name(as_graph(self)->g, name, mark != 0);
    return !unique ? PyErr_NoMemory() : PyUnicode_FromString(unique);
}

static PyObject *graph_get_name_scope(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyUnicode_FromString(sf_graph_scope(as_graph(self)->g));
}

/* elements */
static PyObject *graph_get_operations(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyGraph *g = as_graph(self);
    const int n = sf_graph_size(g->g);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(&list, i, sfpy_operation_wrap(g->st, g, sf_graph_node(g->g, i)));
    }
    return list;
}

/* The op of a name. A graph of which nobody knows all nodes (Graph._make_unknown_op) gets one that
 * it lacks. NULL: there is none, or with an exception. */
static SfNode *find_op(SfpyGraph *g, const char *name)
{
    SfNode *node = sf_graph_find(g->g, name);
    if (node || !PyObject_HasAttrString((PyObject *)g, "_make_unknown_op")) {
        return node;
    }
    PyObject *made = PyObject_CallMethod((PyObject *)g, "_make_unknown_op", "s", name);
    Py_XDECREF(made);
    return made ? sf_graph_find(g->g, name) : NULL;
}

static PyObject *named_tensor(SfpyGraph *g, PyObject *name, const char *text, const char *colon)
{
    char *end = NULL;
    const long index = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || strchr(colon + 1, ':')) {
        return PyErr_Format(PyExc_ValueError,
                            "The name %R looks a like a Tensor name, but is not a valid one. "
                            "Tensor names must be of the form \"<op_name>:<output_index>\".",
                            name);
    }
    PyObject *op_name = sfpy_text(text, (size_t)(colon - text));
    const char *node_name = !op_name ? NULL : PyUnicode_AsUTF8(op_name);
    PyObject *r = NULL;
    if (node_name) {
        SfNode *node = find_op(g, node_name);
        const long nout = !node ? 0 : node->nout;
        const long at = index < 0 ? index + nout : index; /* op.outputs[-1] works in TensorFlow */
        if (PyErr_Occurred()) {
            r = NULL;
        } else if (!node) {
            PyErr_Format(PyExc_KeyError,
                         "The name %R refers to a Tensor which does not exist. The operation, %R, "
                         "does not exist in the graph.",
                         name, op_name);
        } else if (at < 0 || at >= nout) {
            PyErr_Format(PyExc_KeyError,
                         "The name %R refers to a Tensor which does not exist. The operation, %R, "
                         "exists but only has %ld outputs.",
                         name, op_name, nout);
        } else {
            r = sfpy_tensor_wrap(g->st, g, &node->outputs[at]);
        }
    }
    Py_XDECREF(op_name);
    return r;
}

static PyObject *named_operation(SfpyGraph *g, PyObject *name, const char *text, bool allowed)
{
    SfNode *node = find_op(g, text);
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (allowed) {
        if (node) {
            return sfpy_operation_wrap(g->st, g, node);
        }
        return PyErr_Format(PyExc_KeyError, "The name %R refers to an Operation not in the graph.",
                            name);
    }
    return PyErr_Format(PyExc_ValueError,
                        node ? "The name %R refers to an Operation, not a Tensor. Tensor "
                               "names must be of the form \"<op_name>:<output_index>\"."
                             : "The name %R looks like an (invalid) Operation name, not a "
                               "Tensor. Tensor names must be of the form "
                               "\"<op_name>:<output_index>\".",
                        name);
}

static PyObject *element_by_name(SfpyGraph *g, PyObject *obj, bool allow_tensor,
                                 bool allow_operation)
{
    PyObject *name =
        PyBytes_Check(obj) ? PyUnicode_FromEncodedObject(obj, "utf-8", "strict") : Py_NewRef(obj);
    const char *text = !name ? NULL : PyUnicode_AsUTF8(name);
    PyObject *r = NULL;
    if (text) {
        const char *colon = strchr(text, ':');
        if (colon && allow_tensor) {
            r = named_tensor(g, name, text, colon);
        } else if (colon) {
            PyErr_Format(PyExc_ValueError, "Name %R appears to refer to a Tensor, not a Operation.",
                         name);
        } else {
            r = named_operation(g, name, text, allow_operation);
        }
    }
    Py_XDECREF(name);
    return r;
}

/* What `_as_graph_element()` of foreign objects gives, else the Tensor of a Variable, else obj. */
static PyObject *resolve(SfpyState *st, PyObject *obj)
{
    if (sfpy_is_tensor(obj) || Py_IS_TYPE(obj, st->operation_type) || PyUnicode_Check(obj) ||
        PyBytes_Check(obj)) {
        return Py_NewRef(obj);
    }
    PyObject *r = NULL;
    const int special = sfpy_call_special(obj, st->str_as_graph_element, NULL, &r);
    if (special != 0) {
        return r;
    }
    PyObject *t = sfpy_tensor_of(st, obj);
    return t || PyErr_Occurred() ? t : Py_NewRef(obj);
}

PyObject *sfpy_graph_element(SfpyGraph *g, PyObject *obj, bool allow_tensor, bool allow_operation)
{
    SfpyState *st = g->st;
    if (!allow_tensor && !allow_operation) {
        PyErr_SetString(PyExc_ValueError, "allow_tensor and allow_operation can't both be False.");
        return NULL;
    }
    PyObject *o = resolve(st, obj);
    if (!o) {
        return NULL;
    }
    PyObject *r = NULL;
    if (PyUnicode_Check(o) || PyBytes_Check(o)) {
        r = element_by_name(g, o, allow_tensor, allow_operation);
    } else if (allow_tensor && sfpy_is_tensor(o)) {
        if (((SfpyTensor *)o)->graph == g) {
            return o;
        }
        PyErr_Format(PyExc_ValueError, "Tensor %S is not an element of this graph.", o);
    } else if (allow_operation && Py_IS_TYPE(o, st->operation_type)) {
        if (((SfpyOperation *)o)->graph == g) {
            return o;
        }
        PyErr_Format(PyExc_ValueError, "Operation %S is not an element of this graph.", o);
    } else {
        const char *what = allow_tensor && allow_operation ? "Tensor or Operation"
                           : allow_tensor                  ? "Tensor"
                                                           : "Operation";
        PyErr_Format(PyExc_TypeError, "Can not convert a %s into a %s.",
                     strrchr(Py_TYPE(o)->tp_name, '.') ? strrchr(Py_TYPE(o)->tp_name, '.') + 1
                                                       : Py_TYPE(o)->tp_name,
                     what);
    }
    Py_DECREF(o);
    return r;
}

static PyObject *graph_as_graph_element(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"obj", "allow_tensor", "allow_operation", NULL};
    PyObject *obj;
    int tensor = 1, operation = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|pp:as_graph_element", names, &obj, &tensor,
                                     &operation)) {
        return NULL;
    }
    return sfpy_graph_element(as_graph(self), obj, tensor != 0, operation != 0);
}

static PyObject *graph_get_operation_by_name(PyObject *self, PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        return PyErr_Format(PyExc_TypeError, "Operation names are strings (or similar), not %s.",
                            Py_TYPE(name)->tp_name);
    }
    return sfpy_graph_element(as_graph(self), name, false, true);
}

static PyObject *graph_get_tensor_by_name(PyObject *self, PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        return PyErr_Format(PyExc_TypeError, "Tensor names are strings (or similar), not %s.",
                            Py_TYPE(name)->tp_name);
    }
    return sfpy_graph_element(as_graph(self), name, true, false);
}

/* state */
static PyObject *graph_finalize(PyObject *self, PyObject *Py_UNUSED(unused))
{
    sf_graph_finalize(as_graph(self)->g);
    Py_RETURN_NONE;
}

static PyObject *graph_unfinalize(PyObject *self, PyObject *Py_UNUSED(unused))
{
    sf_graph_unfinalize(as_graph(self)->g);
    Py_RETURN_NONE;
}

static PyObject *graph_has_unmodelled(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(sf_graph_has_unmodelled_op(as_graph(self)->g));
}

static PyObject *graph_verify(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const char *broken = sf_graph_verify(as_graph(self)->g);
    if (!broken) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(broken);
}

static PyObject *graph_yes(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(unused))
{
    Py_RETURN_TRUE;
}

static PyObject *get_version(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(sf_graph_size(as_graph(self)->g));
}

static PyObject *get_finalized(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sf_graph_is_finalized(as_graph(self)->g));
}

static PyGetSetDef graph_getset[] = {
    {"version", get_version, NULL, "Grows with every operation.", NULL},
    {"finalized", get_finalized, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

SFPY_BY_NAME(sfpy_graph_name_scope, "name");
SFPY_BY_NAME(sfpy_graph_device, "device_name_or_function");
SFPY_BY_NAME(sfpy_graph_control, "control_inputs");
SFPY_BY_NAME(graph_get_operation_by_name, "name");
SFPY_BY_NAME(graph_get_tensor_by_name, "name");

static PyMethodDef graph_methods[] = {
    {"unique_name", SFPY_KEYWORDS(graph_unique_name),
     SFPY_TAKES("unique_name", ", name, mark_as_used=True")},
    {"name_scope", SFPY_METHOD_BY_NAME(sfpy_graph_name_scope),
     SFPY_TAKES("name_scope", ", name") "A context manager."},
    {"get_name_scope", graph_get_name_scope, METH_NOARGS,
     SFPY_TAKES("get_name_scope", "") "As \"a/b\"."},
    {"device", SFPY_METHOD_BY_NAME(sfpy_graph_device),
     SFPY_TAKES("device", ", device_name_or_function") "A context manager."},
    {"colocate_with", SFPY_KEYWORDS(sfpy_graph_colocate_with),
     SFPY_TAKES("colocate_with", ", op, ignore_existing=False") "A context manager."},
    {"_sf_own_gradients", sfpy_graph_own_gradients, METH_O,
     "_sf_own_gradients(ops): of these, by name, the program gives the gradients itself from here "
     "on; None: of all."},
    {"_sf_each_step", sfpy_graph_each_step, METH_VARARGS,
     "_sf_each_step(op, parallel): context manager. What is made does in a run what it does with "
     "each step "
     "of\n"
     "the sequence of which `op`, or the op of that tensor, takes one."},
    {"_sf_recomputed", sfpy_graph_recomputed, METH_NOARGS,
     "_sf_recomputed(): context manager. The backward pass runs what is made again, and keeps\n"
     "nothing of it."},
    {"control_dependencies", SFPY_METHOD_BY_NAME(sfpy_graph_control),
     SFPY_TAKES("control_dependencies", ", control_inputs") "A context manager."},
    {"as_default", sfpy_graph_as_default, METH_NOARGS,
     SFPY_TAKES("as_default", "") "A context manager."},
    {"get_operations", graph_get_operations, METH_NOARGS,
     SFPY_TAKES("get_operations", "") "In order."},
    {"get_operation_by_name", SFPY_METHOD_BY_NAME(graph_get_operation_by_name),
     SFPY_TAKES("get_operation_by_name", ", name")},
    {"get_tensor_by_name", SFPY_METHOD_BY_NAME(graph_get_tensor_by_name),
     SFPY_TAKES("get_tensor_by_name", ", name")},
    {"as_graph_element", SFPY_KEYWORDS(graph_as_graph_element),
     SFPY_TAKES("as_graph_element", ", obj, allow_tensor=True, allow_operation=True")},
    {"finalize", graph_finalize, METH_NOARGS, SFPY_TAKES("finalize", "") "Read-only from here on."},
    {"_unsafe_unfinalize", graph_unfinalize, METH_NOARGS,
     "_unsafe_unfinalize(): no longer read-only."},
    {"is_feedable", graph_yes, METH_O, NULL},
    {"is_fetchable", graph_yes, METH_O, NULL},
    {"_has_unmodelled", graph_has_unmodelled, METH_NOARGS,
     "_has_unmodelled(): may TensorFlow know more of a shape than an op of this graph?"},
    {"_verify", graph_verify, METH_NOARGS, "_verify(): the first broken invariant, or None."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef graph_members[] = {
    {"_collections", T_OBJECT_EX, offsetof(SfpyGraph, collections), READONLY, NULL},
    {"seed", T_OBJECT, offsetof(SfpyGraph, seed), 0, NULL},
    {"building_function", T_BOOL, offsetof(SfpyGraph, building_function), 0, NULL},
    {"_sf_is_body", T_BOOL, offsetof(SfpyGraph, b.is_body), 0, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(SfpyGraph, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SfpyGraph, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot graph_slots[] = {
    {Py_tp_doc, "tf.Graph: nodes, names, scopes, collections."},
    {Py_tp_new, graph_new},
    {Py_tp_init, graph_init},
    {Py_tp_dealloc, graph_dealloc},
    {Py_tp_traverse, graph_traverse},
    {Py_tp_clear, graph_clear},
    {Py_tp_getset, graph_getset},
    {Py_tp_methods, graph_methods},
    {Py_tp_members, graph_members},
    {0, NULL},
};

PyType_Spec sfpy_graph_spec = {
    .name = "shapeflow._core.Graph",
    .basicsize = sizeof(SfpyGraph),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = graph_slots,
};
