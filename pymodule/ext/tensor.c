/* tf.Tensor: an output of a node (graph mode) or what is known of a value (eager mode).
 * Invariant: there is one Tensor object for each output of a node, so that `is` works; its static
 * shape is read from the node, because set_shape refines it there.
 * Owner: references; an eager tensor holds its value. The graph finds the living object of an
 * output through a slot that it does not own, so that a graph of a million temporaries is no work
 * for the garbage collector. Source: tensorflow/python/framework/ops.py, class Tensor. */
#include "pymodule/ext/ext.h"

static SfpyTensor *as_tensor(PyObject *self)
{
    return (SfpyTensor *)self;
}

bool sfpy_is_tensor(PyObject *o)
{
    for (const PyTypeObject *t = Py_TYPE(o); t; t = t->tp_base) {
        if (t->tp_dealloc == sfpy_tensor_dealloc) {
            return true;
        }
    }
    return false;
}

SfTensor sfpy_tensor_peek(const SfpyTensor *t)
{
    return !t->graph ? t->t : t->t.node->outputs[t->t.index];
}

SfTensor sfpy_tensor_read(const SfpyTensor *t)
{
    if (!t->graph) {
        (void)sf_value_keep(t->t.value);
    }
    return sfpy_tensor_peek(t);
}

SfDtype sfpy_tensor_dtype(const SfpyTensor *t)
{
    return !t->graph ? t->t.dtype : t->t.node->outputs[t->t.index].dtype;
}

/* making */
/* Notes that Python holds the tensor from here on. A tensor that no call has made (an element of
 * a mapped data set) is recorded as coming from outside. */
static void log_tensor(SfpyState *st, SfTensor *t)
{
    int output;
    if (!sf_trace_find(st->trace, t, &output)) {
        sf_trace_record(st->trace, sf_op_find("NoOp"), NULL, NULL, 0, t, 1, sfpy_location(st));
    }
    sf_trace_log_hold(st->trace_log, t->index);
}

/* What is only done of eager tensors while somebody asks: they are recorded and placed. */
static SfpyTensor *look_at_tensor(SfpyState *st, SfpyTensor *o)
{
    if (st->trace_log) {
        log_tensor(st, &o->t);
    }
    if (st->places_tensors && sfpy_tensor_place(st, (SfpyEagerTensor *)o) < 0) {
        Py_DECREF(o);
        return NULL;
    }
    return o;
}

static SfpyTensor *tensor_alloc(SfpyState *st, PyTypeObject *type, const SfTensor *t)
{
    const SfValue *held = !t->node ? t->value : NULL;
    sf_value_hold(held); /* PyObject_GC_New may collect garbage, which runs Python code */
    SfpyTensor *o = PyObject_GC_New(SfpyTensor, type);
    if (!o) {
        sf_value_release(held);
        return NULL;
    }
    o->st = st;
    o->t = *t;
    o->graph = NULL;
    o->shape = o->dict = o->weak = NULL;
    if (t->node) {
        return o;
    }
    ((SfpyEagerTensor *)o)->device = 0;
    return !st->watches_tensors ? o : look_at_tensor(st, o);
}

/* When numpy asks an eager tensor of unknown rank for an array, nothing can be refused any more:
 * so a check is told of such a tensor when it is made. */
static int tell_of_unknown_rank(SfpyState *st, const SfTensor *t)
{
    const SfDtype dtype = sf_dtype_base(t->dtype);
    if (st->shape_hook == Py_None || sf_shape_rank(t->shape) >= 0 || dtype == SF_DT_RESOURCE ||
        dtype == SF_DT_VARIANT) {
        return 0;
    }
    PyObject *hook = Py_NewRef(st->shape_hook); /* it may set another one */
    PyObject *done = PyObject_CallMethod(hook, "made", NULL);
    Py_DECREF(hook);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

PyObject *sfpy_tensor_wrap(SfpyState *st, SfpyGraph *graph, const SfTensor *t)
{
    if (!t->node) {
        /* Not tracked: without attributes it refers to nothing that refers back. */
        PyObject *o = (PyObject *)tensor_alloc(st, st->eager_tensor_type, t);
        if (o && tell_of_unknown_rank(st, t) < 0) {
            Py_CLEAR(o);
        }
        return o;
    }
    if (!graph || t->node->graph != graph->g) {
        PyErr_SetString(PyExc_SystemError, "shapeflow: a tensor of another graph came back");
        return NULL;
    }
    SfpySlots *slots = sfpy_slots(t->node);
    if (!slots) {
        return NULL;
    }
    PyObject **slot = &slots->outputs[t->index];
    if (!*slot) {
        SfpyTensor *o = tensor_alloc(st, st->tensor_type, t);
        if (!o) {
            return NULL;
        }
        if (*slot) { /* a finalizer that ran meanwhile may have made it */
            Py_DECREF(o);
            return Py_NewRef(*slot);
        }
        Py_INCREF(graph);
        o->graph = graph;
        *slot = (PyObject *)o;
        PyObject_GC_Track(o);
        return (PyObject *)o;
    }
    return Py_NewRef(*slot);
}

int sfpy_tensor_traverse(PyObject *self, visitproc visit, void *arg)
{
    SfpyTensor *t = as_tensor(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(t->graph);
    Py_VISIT(t->dict);
    return 0;
}

int sfpy_tensor_clear(PyObject *self)
{
    Py_CLEAR(as_tensor(self)->dict);
    return 0;
}

void sfpy_tensor_dealloc(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    PyTypeObject *type = Py_TYPE(self);
    SfpyGraph *graph = t->graph;
    if (PyObject_GC_IsTracked(self)) {
        PyObject_GC_UnTrack(self);
    }
    if (graph) {
        ((SfpySlots *)t->t.node->user)->outputs[t->t.index] = NULL;
    } else {
        sf_value_release(t->t.value);
        if (t->st->trace_log) {
            sf_trace_log_drop(t->st->trace_log, t->t.index,
                              sf_graph_size(sf_trace_graph(t->st->trace)));
        }
    }
    if (t->weak) {
        PyObject_ClearWeakRefs(self);
    }
    Py_XDECREF(t->dict);
    Py_XDECREF(t->shape);
    Py_XDECREF(graph);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static int tensor_setattr(PyObject *self, PyObject *name, PyObject *value)
{
    SfpyTensor *t = as_tensor(self);
    return sfpy_node_setattr(self, t->graph, &t->dict, name, value);
}

/* text */
PyObject *sfpy_tensor_name(const SfpyTensor *t)
{
    return t->t.index == 0 ? PyUnicode_FromFormat("%s:0", t->t.node->name)
                           : PyUnicode_FromFormat("%s:%d", t->t.node->name, (int)t->t.index);
}

PyObject *sfpy_tensor_str(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    if (!t->graph) {
        return sfpy_eager_repr(self, false);
    }
    const SfTensor s = sfpy_tensor_peek(t);
    PyObject *name = sfpy_tensor_name(t);
    PyObject *shape = sfpy_shape_text(t->st, s.shape);
    PyObject *text = NULL;
    if (name && shape) {
        const bool ranked = sf_shape_rank(s.shape) >= 0;
        const char *device = t->t.node->context->device;
        text = PyUnicode_FromFormat("Tensor(\"%U\"%s%U, dtype=%s%s%s)", name,
                                    ranked ? ", shape=" : "", ranked ? shape : t->st->empty_string,
                                    sf_dtype_name(s.dtype), *device ? ", device=" : "", device);
    }
    Py_XDECREF(name);
    Py_XDECREF(shape);
    return text;
}

static PyObject *tensor_repr(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    if (!t->graph) {
        return sfpy_eager_repr(self, true);
    }
    const SfTensor s = sfpy_tensor_peek(t);
    PyObject *name = sfpy_tensor_name(t);
    PyObject *shape = sfpy_shape_text(t->st, s.shape);
    PyObject *text = !name || !shape ? NULL
                                     : PyUnicode_FromFormat("<tf.Tensor '%U' shape=%U dtype=%s>",
                                                            name, shape, sf_dtype_name(s.dtype));
    Py_XDECREF(name);
    Py_XDECREF(shape);
    return text;
}

/* identity and truth */
static Py_hash_t tensor_hash(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    if (t->st->eager && (!t->graph || t->graph->building_function)) {
        PyErr_SetString(PyExc_TypeError,
                        "Tensor is unhashable. Instead, use tensor.ref() as the key.");
        return -1;
    }
    return (Py_hash_t)(uintptr_t)self; /* id(), as TensorFlow does */
}

static int refuse_bool(SfpyState *st)
{
    if (st->version >= SF_VERSION(2, 13)) {
        return sfpy_raise_registered(
            st, "OPERATOR_NOT_ALLOWED", PyExc_TypeError,
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. You can attempt the "
            "following resolutions to the problem: If you are running in Graph mode, use Eager "
            "execution mode or decorate this function with @tf.function. If you are using "
            "AutoGraph, you can try decorating this function with @tf.function. If that does not "
            "work, then you may be using an unsupported feature or your source code may not be "
            "visible to AutoGraph. See https://github.com/tensorflow/tensorflow/blob/master/"
            "tensorflow/python/autograph/g3doc/reference/limitations.md#access-to-source-code "
            "for more information.");
    }
    if (st->version >= SF_VERSION(1, 15)) {
        return sfpy_raise_registered(
            st, "OPERATOR_NOT_ALLOWED", PyExc_TypeError,
            "using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. Use Eager "
            "execution or decorate this function with @tf.function.");
    }
    PyErr_SetString(PyExc_TypeError,
                    "Using a `tf.Tensor` as a Python `bool` is not allowed. Use `if t is not "
                    "None:` instead of `if t:` to test if a tensor is defined, and use TensorFlow "
                    "ops such as tf.cond to execute subgraphs conditioned on the value of a "
                    "tensor.");
    return -1;
}

/* A traced function decides by its graph's `_sf_branch`; every other graph refuses. */
static int tensor_bool(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    if (!t->graph) {
        return sfpy_eager_bool(self);
    }
    PyObject *branch = PyObject_GetAttr((PyObject *)t->graph, t->st->str_sf_branch);
    if (!branch) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return refuse_bool(t->st);
    }
    PyObject *r = PyObject_CallFunctionObjArgs(branch, self, NULL);
    const int truth = !r ? -1 : PyObject_IsTrue(r);
    Py_DECREF(branch);
    Py_XDECREF(r);
    return truth;
}

static Py_ssize_t tensor_len(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    const SfTensor s = sfpy_tensor_peek(t);
    if (!t->graph) {
        if (sf_shape_rank(s.shape) == 0) {
            PyErr_SetString(PyExc_TypeError, "Scalar tensor has no `len()`");
            return -1;
        }
        const SfDim d = sf_shape_dim(s.shape, 0);
        if (!sf_dim_is_known(d) && t->st->shape_hook != Py_None) {
            PyObject *rows = PyObject_CallMethod(t->st->shape_hook, "rows", "O", self);
            const Py_ssize_t count = rows ? PyLong_AsSsize_t(rows) : -1;
            Py_XDECREF(rows);
            return count;
        }
        return sf_dim_is_known(d) ? (Py_ssize_t)d : 0;
    }
    if (t->st->version < SF_VERSION(1, 14)) {
        PyErr_SetString(PyExc_TypeError, "object of type 'Tensor' has no len()");
        return -1;
    }
    PyObject *name = sfpy_tensor_name(t);
    if (name) {
        PyErr_Format(PyExc_TypeError,
                     t->st->version >= SF_VERSION(2, 5)
                         ? "len is not well defined for a symbolic Tensor (%U). Please call "
                           "`x.shape` rather than `len(x)` for shape information."
                         : "len is not well defined for symbolic Tensors. (%U) Please call "
                           "`x.shape` rather than `len(x)` for shape information.",
                     name);
        Py_DECREF(name);
    }
    return -1;
}

/* properties */

/* What an eager tensor has of a graph: in the body of a tf.function, which runs here and is a graph
 * in TensorFlow, what function_body.py says; elsewhere nothing. */
static PyObject *of_no_graph(SfpyTensor *t, const char *what)
{
    if (!sfpy_is_in_function(t->st)) {
        PyErr_Format(PyExc_AttributeError,
                     "Tensor.%s is undefined when eager execution is enabled.", what);
        return NULL;
    }
    PyObject *m = PyImport_ImportModule("shapeflow.tensorflow.python.eager.function_body");
    PyObject *r = !m ? NULL : PyObject_CallMethod(m, "of_tensor", "Os", (PyObject *)t, what);
    Py_XDECREF(m);
    return r;
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    return t->graph ? sfpy_tensor_name(t) : of_no_graph(t, "name");
}

static PyObject *get_op(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    return t->graph ? sfpy_operation_wrap(t->st, t->graph, t->t.node) : of_no_graph(t, "op");
}

static PyObject *get_graph(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    return t->graph ? Py_NewRef((PyObject *)t->graph) : of_no_graph(t, "graph");
}

static PyObject *get_value_index(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    return t->graph ? PyLong_FromLong(t->t.index) : of_no_graph(t, "value_index");
}

static PyObject *get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    return sfpy_dtype(as_tensor(self)->st, sfpy_tensor_dtype(as_tensor(self)));
}

/* Is a shape that is not known one that TensorFlow knows? An eager tensor's always, a graph's where
 * something unmodelled has made it. */
static bool is_seen_as_known(const SfpyTensor *t, const SfShape *s)
{
    if (Py_IS_TYPE((PyObject *)t, t->st->eager_tensor_type)) {
        return !sf_shape_is_known(s);
    }
    const SfTensor read = sfpy_tensor_peek(t);
    return sf_shape_rank(s) < 0 && sf_tensor_is_unmodelled(&read, SF_UNMODELLED_SHAPE);
}

static PyObject *get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    const SfShape *s = sfpy_tensor_peek(t).shape;
    if (!t->shape || ((SfpyShape *)t->shape)->shape != s) {
        PyObject *shape = sfpy_shape(t->st, s);
        if (!shape) {
            return NULL;
        }
        Py_XSETREF(t->shape, shape);
    }
    if (t->st->shape_hook != Py_None && is_seen_as_known(t, s)) {
        PyObject *hook = Py_NewRef(t->st->shape_hook);
        PyObject *seen = PyObject_CallOneArg(hook, t->shape);
        Py_DECREF(hook);
        return seen;
    }
    return Py_NewRef(t->shape);
}

PyObject *sfpy_set_shape_hook(PyObject *module, PyObject *hook)
{
    return !sfpy_hook_set(&sfpy_state(module)->shape_hook, hook) ? NULL : Py_NewRef(Py_None);
}

static PyObject *get_device(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    return !t->graph ? sfpy_eager_device((SfpyEagerTensor *)self)
                     : PyUnicode_FromString(t->t.node->context->device);
}

static PyObject *get_constant(PyObject *self, void *Py_UNUSED(closure))
{
    const SfTensor s = sfpy_tensor_peek(as_tensor(self));
    if (!s.value || sf_dtype_base(s.dtype) == SF_DT_VARIANT || !sf_value_is_exact(s.value)) {
        Py_RETURN_NONE;
    }
    return sfpy_np_constant(as_tensor(self)->st, s.value);
}

static PyObject *get_dict(PyObject *self, void *closure)
{
    SfpyTensor *t = as_tensor(self);
    return sfpy_node_getdict(self, t->graph, &t->dict, closure);
}

/* methods */
static PyObject *tensor_get_shape(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return get_shape(self, NULL);
}

static PyObject *tensor_rank(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return sfpy_dim_object(sf_shape_rank(sfpy_tensor_peek(as_tensor(self)).shape));
}

static PyObject *tensor_shape_tuple(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return sfpy_shape_tuple(sfpy_tensor_peek(as_tensor(self)).shape);
}

static PyObject *tensor_set_shape(PyObject *self, PyObject *value)
{
    SfpyTensor *t = as_tensor(self);
    const SfShape *s = sfpy_shape_from(t->st, value);
    if (!s) {
        return NULL;
    }
    if (!t->graph) {
        const SfShape *m = sf_shape_meet(t->t.shape, s);
        if (!m) {
            return PyErr_NoMemory();
        }
        if (sf_shape_is_bottom(m)) {
            PyObject *have = sfpy_shape_text(t->st, t->t.shape);
            PyObject *want = sfpy_shape_text(t->st, s);
            PyErr_Format(PyExc_ValueError,
                         "Tensor's shape %V is not compatible with supplied shape %V%s", have, "?",
                         want, "?", t->st->version >= SF_VERSION(2, 5) ? "." : "");
            Py_XDECREF(have);
            Py_XDECREF(want);
            return NULL;
        }
        t->t.shape = m;
        Py_RETURN_NONE;
    }
    SfpyWorkspace *ws = sfpy_workspace_acquire(t->st);
    if (!ws) {
        return NULL;
    }
    const SfStatus status = sf_output_set_shape(t->t.node, t->t.index, s, &ws->sink);
    const int r = sfpy_check(ws, status, NULL);
    sfpy_workspace_release(ws);
    return r < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *sfpy_run_default(SfpyState *st, PyObject *what, SfpyGraph *graph, PyObject *args,
                           PyObject *kwargs, bool eval)
{
    static char *names[] = {"feed_dict", "session", NULL};
    const char *const verb = eval ? "evaluate tensor" : "execute operation";
    PyObject *feeds = Py_None, *session = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, eval ? "|OO:eval" : "|OO:run", names, &feeds,
                                     &session)) {
        return NULL;
    }
    SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        return NULL;
    }
    const bool given = session != Py_None;
    const Py_ssize_t n = PyList_GET_SIZE(cx->sessions);
    if (!given && n == 0) {
        return PyErr_Format(PyExc_ValueError,
                            "Cannot %s using `%s()`: No default session is registered. Use `with "
                            "sess.as_default()%s` or pass an explicit session to "
                            "`%s(session=sess)`",
                            verb, eval ? "eval" : "run", eval ? "" : ":", eval ? "eval" : "run");
    }
    session = Py_NewRef(given ? session : PyList_GET_ITEM(cx->sessions, n - 1));
    PyObject *its = PyObject_GetAttr(session, st->str_graph);
    PyObject *result = NULL;
    if (its && its != (PyObject *)graph) {
        if (given) {
            PyErr_Format(PyExc_ValueError,
                         "Cannot use the given session to %s: the %s's graph is different from "
                         "the session's graph.",
                         verb, eval ? "tensor" : "operation");
        } else {
            PyErr_Format(PyExc_ValueError,
                         "Cannot use the default session to %s: the %s's graph is different from "
                         "the session's graph. Pass an explicit session to %s.",
                         verb, eval ? "tensor" : "operation",
                         eval ? "`eval(session=sess)`" : "run(session=sess)");
        }
    } else if (its) {
        result = PyObject_CallMethodObjArgs(session, st->str_run, what, feeds, NULL);
    }
    Py_XDECREF(its);
    Py_DECREF(session);
    return result;
}

static PyObject *tensor_eval(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SfpyTensor *t = as_tensor(self);
    if (!t->graph) {
        PyErr_SetString(PyExc_NotImplementedError,
                        "eval is not supported when eager execution is enabled, is .numpy() what "
                        "you're looking for?");
        return NULL;
    }
    return sfpy_run_default(t->st, self, t->graph, args, kwargs, true);
}

static PyObject *tensor_consumers(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyTensor *t = as_tensor(self);
    if (!t->graph) {
        PyErr_SetString(PyExc_NotImplementedError,
                        "Tensor.consumers is undefined when eager execution is enabled.");
        return NULL;
    }
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < sf_graph_size(t->graph->g); i++) {
        SfNode *n = sf_graph_node(t->graph->g, i);
        for (int k = 0; k < n->nin; k++) {
            if (n->inputs[k].node == t->t.node && n->inputs[k].index == t->t.index) {
                sfpy_list_add(&list, sfpy_operation_wrap(t->st, t->graph, n));
                break;
            }
        }
        if (!list) {
            break;
        }
    }
    return list;
}

static PyObject *tensor_array(PyObject *self, PyObject *Py_UNUSED(args),
                              PyObject *Py_UNUSED(kwargs))
{
    if (as_tensor(self)->st->version < SF_VERSION(1, 14)) {
        return sfpy_np_object(as_tensor(self)->st, self);
    }
    PyObject *name = sfpy_tensor_name(as_tensor(self));
    if (name) {
        PyErr_Format(PyExc_NotImplementedError,
                     as_tensor(self)->st->version >= SF_VERSION(2, 2)
                         ? "Cannot convert a symbolic tf.Tensor (%U) to a numpy array. This error "
                           "may indicate that you're trying to pass a Tensor to a NumPy call, "
                           "which is not supported."
                         : "Cannot convert a symbolic Tensor (%U) to a numpy array.",
                     name);
        Py_DECREF(name);
    }
    return NULL;
}

static PyObject *tensor_same(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyObject *get_ndim(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    if (t->st->version < SF_VERSION(2, 0)) {
        return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute 'ndim'",
                            Py_TYPE(self)->tp_name);
    }
    return sfpy_dim_object(sf_shape_rank(sfpy_tensor_peek(t).shape));
}

static PyGetSetDef tensor_getset[] = {
    {"name", get_name, NULL, "The name of the output, \"MatMul:0\".", NULL},
    {"op", get_op, NULL, "The Operation that makes it.", NULL},
    {"graph", get_graph, NULL, "The Graph it lives in.", NULL},
    {"value_index", get_value_index, NULL, "Which output of its op it is.", NULL},
    {"dtype", get_dtype, NULL, "The DType of its elements.", NULL},
    {"shape", get_shape, NULL, "What is known of its shape.", NULL},
    {"ndim", get_ndim, NULL, "Its rank, from TensorFlow 2 on.", NULL},
    {"device", get_device, NULL, "The device it was placed on by name.", NULL},
    {"_constant_value", get_constant, NULL, "Its content when exactly known, else None.", NULL},
    {"__dict__", get_dict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

SFPY_BY_NAME(tensor_set_shape, "shape");

static PyMethodDef tensor_methods[] = {
    {"get_shape", tensor_get_shape, METH_NOARGS, SFPY_TAKES("get_shape", "") "The same as .shape."},
    {"set_shape", SFPY_METHOD_BY_NAME(tensor_set_shape),
     SFPY_TAKES("set_shape", ", shape") "Refines the static shape."},
    {"eval", SFPY_KEYWORDS(tensor_eval), SFPY_TAKES("eval", ", feed_dict=None, session=None")},
    {"consumers", tensor_consumers, METH_NOARGS,
     SFPY_TAKES("consumers", "") "The operations that read it."},
    {"ref", sfpy_tensor_ref, METH_NOARGS, SFPY_TAKES("ref", "") "A hashable reference."},
    {"experimental_ref", sfpy_tensor_ref, METH_NOARGS,
     SFPY_TAKES("experimental_ref", "") "As ref()."},
    {"_rank", tensor_rank, METH_NOARGS, NULL},
    {"_shape_tuple", tensor_shape_tuple, METH_NOARGS, NULL},
    {"__array__", SFPY_KEYWORDS(tensor_array), NULL},
    {"__copy__", tensor_same, METH_NOARGS, NULL},
    {"__deepcopy__", tensor_same, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef tensor_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(SfpyTensor, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SfpyTensor, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot tensor_slots[] = {
    {Py_tp_doc, "tf.Tensor: shape, dtype and, when small, content of one output of an op."},
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, sfpy_tensor_dealloc},
    {Py_tp_traverse, sfpy_tensor_traverse},
    {Py_tp_clear, sfpy_tensor_clear},
    {Py_tp_setattro, tensor_setattr},
    {Py_tp_repr, tensor_repr},
    {Py_tp_str, sfpy_tensor_str},
    {Py_tp_hash, tensor_hash},
    SFPY_OPERATOR_SLOTS,
    {Py_tp_iter, sfpy_tensor_iter},
    {Py_nb_bool, tensor_bool},
    {Py_mp_length, tensor_len},
    {Py_tp_getset, tensor_getset},
    {Py_tp_methods, tensor_methods},
    {Py_tp_members, tensor_members},
    {0, NULL},
};

PyType_Spec sfpy_tensor_spec = {
    .name = "tensorflow.python.framework.tensor.Tensor",
    .basicsize = sizeof(SfpyTensor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = tensor_slots,
};
