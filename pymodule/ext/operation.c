/* tf.Operation: one object for each node that somebody looks at.
 * Invariant: made when first asked for, then kept by the graph; an eager one (make_op) has outputs
 * and nothing else.
 * Owner: the graph, through SfNode.user. Source: tensorflow/python/framework/ops.py, Operation. */
#include "core/op/port.h"
#include "pymodule/ext/ext.h"

static SfpyOperation *as_op(PyObject *self)
{
    return (SfpyOperation *)self;
}

static SfpyOperation *op_alloc(SfpyState *st, const SfOpSig *sig)
{
    SfpyOperation *o = PyObject_GC_New(SfpyOperation, st->operation_type);
    if (o) {
        memset(&o->st, 0, sizeof *o - offsetof(SfpyOperation, st));
        o->st = st;
        o->sig = sig;
    }
    return o;
}

PyObject *sfpy_operation_wrap(SfpyState *st, SfpyGraph *graph, SfNode *node)
{
    SfpySlots *slots = sfpy_slots(node);
    if (!slots) {
        return NULL;
    }
    if (!slots->op) {
        SfpyOperation *o = op_alloc(st, node->sig);
        if (!o) {
            return NULL;
        }
        if (slots->op) { /* a finalizer that ran meanwhile may have made it */
            Py_DECREF(o);
            return Py_NewRef(slots->op);
        }
        o->graph = (SfpyGraph *)Py_NewRef((PyObject *)graph);
        o->node = node;
        slots->op = (PyObject *)o;
        PyObject_GC_Track(o);
        return (PyObject *)o;
    }
    return Py_NewRef(slots->op);
}

PyObject *sfpy_operation_eager(SfpyState *st, const SfOpSig *sig, PyObject *outputs)
{
    SfpyOperation *o = op_alloc(st, sig);
    if (o) {
        o->outputs = Py_NewRef(outputs);
        PyObject_GC_Track(o);
    }
    return (PyObject *)o;
}

static int op_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as_op(self)->graph);
    Py_VISIT(as_op(self)->outputs);
    Py_VISIT(as_op(self)->dict);
    return 0;
}

static int op_clear(PyObject *self)
{
    Py_CLEAR(as_op(self)->outputs);
    Py_CLEAR(as_op(self)->dict);
    return 0;
}

static void op_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (as_op(self)->graph) {
        ((SfpySlots *)as_op(self)->node->user)->op = NULL;
    }
    if (as_op(self)->weak) {
        PyObject_ClearWeakRefs(self);
    }
    op_clear(self);
    Py_XDECREF(as_op(self)->graph);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static int op_setattr(PyObject *self, PyObject *name, PyObject *value)
{
    SfpyOperation *o = as_op(self);
    return sfpy_node_setattr(self, o->graph, &o->dict, name, value);
}

static PyObject *get_dict(PyObject *self, void *closure)
{
    SfpyOperation *o = as_op(self);
    return sfpy_node_getdict(self, o->graph, &o->dict, closure);
}

/* attrs */
static PyObject *string_object(const SfString *s)
{
    return !s ? PyBytes_FromString("") : PyBytes_FromStringAndSize(s->bytes, (Py_ssize_t)s->len);
}

static PyObject *list_item(SfpyState *st, const SfAttr *a, SfAttrType element, int i)
{
    switch (element) {
    case SF_ATTR_INT:
        return PyLong_FromLongLong(a->u.list.u.i[i]);
    case SF_ATTR_FLOAT:
        return PyFloat_FromDouble(a->u.list.u.f[i]);
    case SF_ATTR_BOOL:
        return PyBool_FromLong(a->u.list.u.b[i]);
    case SF_ATTR_STRING:
        return string_object(a->u.list.u.s[i]);
    case SF_ATTR_TYPE:
        return sfpy_dtype(st, a->u.list.u.type[i]);
    case SF_ATTR_SHAPE:
        return sfpy_shape(st, a->u.list.u.shape[i]);
    case SF_ATTR_TENSOR:
    case SF_ATTR_FUNC:
    case SF_ATTR_LIST:
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *list_object(SfpyState *st, const SfAttr *a)
{
    const SfAttrType element = (SfAttrType)(a->type - SF_ATTR_LIST);
    PyObject *list = PyList_New(a->u.list.n);
    for (int i = 0; list && i < a->u.list.n; i++) {
        sfpy_list_put(&list, i, list_item(st, a, element, i));
    }
    return list;
}

PyObject *sfpy_attr_object(SfpyState *st, const SfAttr *a)
{
    if (a->type >= SF_ATTR_LIST) {
        return list_object(st, a);
    }
    switch (a->type) {
    case SF_ATTR_INT:
        return PyLong_FromLongLong(a->u.i);
    case SF_ATTR_FLOAT:
        return PyFloat_FromDouble(a->u.f);
    case SF_ATTR_BOOL:
        return PyBool_FromLong(a->u.b);
    case SF_ATTR_STRING:
        return string_object(a->u.s);
    case SF_ATTR_TYPE:
        if (a->u.type != SF_DT_INVALID) {
            return sfpy_dtype(st, a->u.type);
        }
        break;
    case SF_ATTR_SHAPE:
        return sfpy_shape(st, !a->u.shape ? sf_shape_unknown() : a->u.shape);
    case SF_ATTR_TENSOR:
        if (a->u.tensor.shape) {
            const SfTensor t = {
                .shape = a->u.tensor.shape, .value = a->u.tensor.value, .dtype = a->u.tensor.dtype};
            return sfpy_np_result(st, &t, true);
        }
        break;
    case SF_ATTR_FUNC:
        if (a->u.func) {
            return PyUnicode_FromString(a->u.func);
        }
        break;
    case SF_ATTR_LIST:
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *op_get_attr(PyObject *self, PyObject *name)
{
    const SfpyOperation *op = as_op(self);
    const char *text = sfpy_utf8(name, "an attr name");
    if (!text) {
        return NULL;
    }
    const SfAttr *a = !op->node ? NULL : sf_node_attr(op->node, text);
    if (!a) {
        return PyErr_Format(PyExc_ValueError, "Operation '%s' has no attr named '%s'.",
                            !op->node ? "" : op->node->name, text);
    }
    return sfpy_attr_object(op->st, a);
}

/* edges */
static PyObject *get_outputs(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    if (!op->node) {
        return PySequence_List(op->outputs);
    }
    PyObject *list = PyList_New(op->node->nout);
    for (int i = 0; list && i < op->node->nout; i++) {
        sfpy_list_put(&list, i, sfpy_tensor_wrap(op->st, op->graph, &op->node->outputs[i]));
    }
    return list;
}

static PyObject *get_inputs(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    const int n = !op->node ? 0 : op->node->nin;
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        sfpy_tuple_put(&tuple, i, sfpy_tensor_wrap(op->st, op->graph, &op->node->inputs[i]));
    }
    return tuple;
}

static PyObject *get_control_inputs(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    const int n = !op->node ? 0 : op->node->context->control.n;
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(&list, i,
                      sfpy_operation_wrap(op->st, op->graph, op->node->context->control.items[i]));
    }
    return list;
}

static PyObject *op_values(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *list = get_outputs(self, NULL);
    PyObject *tuple = !list ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

static PyObject *op_set_control_input(PyObject *self, PyObject *other)
{
    const SfpyOperation *op = as_op(self);
    if (!op->node || !Py_IS_TYPE(other, op->st->operation_type) ||
        as_op(other)->graph != op->graph) {
        return PyErr_Format(PyExc_TypeError, "not an operation of the same graph: %R", other);
    }
    if (sf_node_add_control(op->node, as_op(other)->node) != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

static PyObject *op_set_control_inputs(PyObject *self, PyObject *others)
{
    PyObject *list = PySequence_List(others);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *r = op_set_control_input(self, PyList_GET_ITEM(list, i));
        if (!r) {
            Py_CLEAR(list);
        }
        Py_XDECREF(r);
    }
    if (!list) {
        return NULL;
    }
    Py_DECREF(list);
    Py_RETURN_NONE;
}

static PyObject *op_update_input(PyObject *self, PyObject *args)
{
    const SfpyOperation *op = as_op(self);
    int index;
    PyObject *tensor;
    if (!PyArg_ParseTuple(args, "iO:_update_input", &index, &tensor)) {
        return NULL;
    }
    if (!op->node || !sfpy_is_tensor(tensor) || ((SfpyTensor *)tensor)->graph != op->graph ||
        index < 0 || index >= op->node->nin) {
        return PyErr_Format(PyExc_ValueError, "no input %d, or no tensor of the same graph: %R",
                            index, tensor);
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)tensor);
    if (sf_node_set_input(op->node, index, t) != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* the rest */
static PyObject *op_run(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SfpyOperation *op = as_op(self);
    return sfpy_run_default(op->st, self, op->graph, args, kwargs, false);
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    const SfNode *node = as_op(self)->node;
    return PyUnicode_FromString(!node ? "" : node->name);
}

static PyObject *get_type(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_InternFromString(as_op(self)->sig->def->name);
}

static PyObject *get_graph(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyGraph *graph = as_op(self)->graph;
    return !graph ? Py_NewRef(Py_None) : Py_NewRef((PyObject *)graph);
}

static PyObject *get_device(PyObject *self, void *Py_UNUSED(closure))
{
    const SfNode *node = as_op(self)->node;
    return PyUnicode_FromString(!node ? "" : node->context->device);
}

static PyObject *op_set_device(PyObject *self, PyObject *device)
{
    SfpyOperation *op = as_op(self);
    const char *text = sfpy_utf8(device, "a device");
    if (!text || !op->node) {
        return !text ? NULL : Py_NewRef(Py_None);
    }
    const char *merged = sf_device_merge(sf_graph_arena(op->graph->g), text, "");
    if (!merged || sf_node_set_device(op->node, merged) != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

static PyObject *get_id(PyObject *self, void *Py_UNUSED(closure))
{
    const SfNode *node = as_op(self)->node;
    return PyLong_FromLong(!node ? 0 : node->id);
}

static PyObject *get_traceback(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    return sfpy_location_frames(op->st, !op->node ? 0 : op->node->location);
}

static PyObject *get_op_def(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    const SfOpDef *def = op->sig->def;
    return sfpy_namespace(op->st, Py_BuildValue("{s:s,s:O}", "name", def->name, "is_stateful",
                                                def->traits & SF_OP_STATEFUL ? Py_True : Py_False));
}

/* "a", "b:1", "^c" */
static PyObject *input_name(const SfNode *node, int i)
{
    if (i >= node->nin) {
        return PyUnicode_FromFormat("^%s", node->context->control.items[i - node->nin]->name);
    }
    const SfTensor *t = &node->inputs[i];
    return !t->node        ? PyUnicode_FromString("")
           : t->index == 0 ? PyUnicode_FromString(t->node->name)
                           : PyUnicode_FromFormat("%s:%d", t->node->name, (int)t->index);
}

static PyObject *input_names(const SfNode *node)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && node && i < node->nin + node->context->control.n; i++) {
        sfpy_list_add(&list, input_name(node, i));
    }
    return list;
}

static PyObject *get_node_def(PyObject *self, void *Py_UNUSED(closure))
{
    const SfpyOperation *op = as_op(self);
    const SfNode *node = op->node;
    PyObject *attrs = PyDict_New();
    for (int i = 0; attrs && node && i < node->sig->nattr; i++) {
        sfpy_dict_put(&attrs, PyUnicode_FromString(node->sig->attrs[i].name),
                      sfpy_attr_object(op->st, &node->attrs[i]));
    }
    return sfpy_namespace(op->st, Py_BuildValue("{s:s,s:s,s:N,s:s,s:N}", "name",
                                                node ? node->name : "", "op", op->sig->def->name,
                                                "input", input_names(node), "device",
                                                node ? node->context->device : "", "attr", attrs));
}

/* The node whose reference input k takes, or NULL. Who takes one is colocated with it.
 * Source: _MaybeColocateWith of op_def_library.py. */
static const SfNode *referenced(const SfNode *n, int k)
{
    const int port = sf_input_port(n->sig, n->attrs, k, NULL);
    return port >= 0 && n->sig->in[port].is_ref ? n->inputs[k].node : NULL;
}

/* Adds the groups that a node is in: those of the nodes that it is colocated with, else its own. */
static int add_groups(PyObject *groups, const SfNode *n)
{
    const SfControlList *with = &n->context->colocation;
    int status = 0, joined = with->n;
    if (Py_EnterRecursiveCall(" in colocation_groups")) {
        return -1;
    }
    for (int k = 0; k < with->n && status == 0; k++) {
        status = add_groups(groups, with->items[k]);
    }
    for (int k = 0; k < n->nin && status == 0; k++) {
        const SfNode *owner = referenced(n, k);
        joined += owner != NULL;
        status = owner ? add_groups(groups, owner) : 0;
    }
    if (joined == 0) {
        PyObject *name = PyBytes_FromFormat("loc:@%s", n->name);
        status = !name ? -1 : PySet_Add(groups, name);
        Py_XDECREF(name);
    }
    Py_LeaveRecursiveCall();
    return status;
}

static PyObject *op_colocation_groups(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const SfNode *node = as_op(self)->node;
    PyObject *groups = PySet_New(NULL), *list = NULL;
    if (groups && (!node || add_groups(groups, node) == 0)) {
        list = PySequence_List(groups);
    }
    Py_XDECREF(groups);
    if (list && PyList_Sort(list) < 0) {
        Py_CLEAR(list);
    }
    return list;
}

static PyObject *op_repr(PyObject *self)
{
    const SfpyOperation *op = as_op(self);
    return PyUnicode_FromFormat("<tf.Operation '%s' type=%s>", op->node ? op->node->name : "",
                                op->sig->def->name);
}

static PyObject *op_str(PyObject *self)
{
    const SfpyOperation *op = as_op(self);
    PyObject *text = PyUnicode_FromFormat("name: \"%s\"\nop: \"%s\"\n",
                                          op->node ? op->node->name : "", op->sig->def->name);
    PyObject *inputs = !text ? NULL : input_names(op->node);
    for (Py_ssize_t i = 0; inputs && text && i < PyList_GET_SIZE(inputs); i++) {
        Py_SETREF(text,
                  PyUnicode_FromFormat("%Uinput: \"%U\"\n", text, PyList_GET_ITEM(inputs, i)));
    }
    Py_XDECREF(inputs);
    return text;
}

static PyObject *op_same(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyGetSetDef op_getset[] = {
    {"name", get_name, NULL, NULL, NULL},
    {"type", get_type, NULL, NULL, NULL},
    {"inputs", get_inputs, NULL, NULL, NULL},
    {"outputs", get_outputs, NULL, NULL, NULL},
    {"control_inputs", get_control_inputs, NULL, NULL, NULL},
    {"graph", get_graph, NULL, NULL, NULL},
    {"device", get_device, NULL, NULL, NULL},
    {"op_def", get_op_def, NULL, NULL, NULL},
    {"node_def", get_node_def, NULL, NULL, NULL},
    {"traceback", get_traceback, NULL, NULL, NULL},
    {"_traceback", get_traceback, NULL, NULL, NULL}, /* libraries of TensorFlow 1 read it */
    {"_id", get_id, NULL, NULL, NULL},
    {"__dict__", get_dict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

SFPY_BY_NAME(op_get_attr, "name");

static PyMethodDef op_methods[] = {
    {"get_attr", SFPY_METHOD_BY_NAME(op_get_attr),
     SFPY_TAKES("get_attr", ", name") "The value of an attr."},
    {"run", SFPY_KEYWORDS(op_run), SFPY_TAKES("run", ", feed_dict=None, session=None")},
    {"values", op_values, METH_NOARGS, SFPY_TAKES("values", "") "The outputs as a tuple."},
    {"_set_control_input", op_set_control_input, METH_O, NULL},
    {"_add_control_input", op_set_control_input, METH_O, NULL},
    {"_add_control_inputs", op_set_control_inputs, METH_O, NULL},
    {"_update_input", op_update_input, METH_VARARGS, NULL},
    {"_set_device", op_set_device, METH_O, NULL},
    {"colocation_groups", op_colocation_groups, METH_NOARGS, SFPY_TAKES("colocation_groups", "")},
    {"__copy__", op_same, METH_NOARGS, NULL},
    {"__deepcopy__", op_same, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef op_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(SfpyOperation, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SfpyOperation, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot op_slots[] = {
    {Py_tp_doc, "tf.Operation: a node of a graph."},
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, op_dealloc},
    {Py_tp_setattro, op_setattr},
    {Py_tp_traverse, op_traverse},
    {Py_tp_clear, op_clear},
    {Py_tp_repr, op_repr},
    {Py_tp_str, op_str},
    {Py_tp_getset, op_getset},
    {Py_tp_methods, op_methods},
    {Py_tp_members, op_members},
    {0, NULL},
};

PyType_Spec sfpy_operation_spec = {
    .name = "shapeflow._core.Operation",
    .basicsize = sizeof(SfpyOperation),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = op_slots,
};
