/* EagerTensor: what a Tensor has more when there is a value behind it; iteration; ref().
 * Invariant: a known content is shown exactly; otherwise the plausible content of nparray.c, the
 * same for numpy(), bool(), int() and float(), so that a program sees one consistent value.
 * Owner: see tensor.c. Source: tensorflow/python/framework/ops.py, class EagerTensor. */
#include "pymodule/ext/ext.h"

static SfpyTensor *as_tensor(PyObject *self)
{
    return (SfpyTensor *)self;
}

static PyObject *array_of(PyObject *self, bool as_array)
{
    const SfTensor t = sfpy_tensor_peek(as_tensor(self));
    return sfpy_np_result(as_tensor(self)->st, &t, as_array);
}

PyObject *sfpy_eager_repr(PyObject *self, bool repr)
{
    SfpyTensor *t = as_tensor(self);
    /* A scalar shows as numpy 1 shows its scalars, which is what str() still does. */
    const bool scalar = sf_shape_rank(t->t.shape) == 0;
    PyObject *array = array_of(self, !scalar);
    PyObject *raw = !array ? NULL : repr && !scalar ? PyObject_Repr(array) : PyObject_Str(array);
    PyObject *shape = sfpy_shape_text(t->st, t->t.shape);
    PyObject *text = NULL;
    Py_XDECREF(array);
    if (raw && shape) {
        const bool lines = PyUnicode_FindChar(raw, '\n', 0, PyUnicode_GET_LENGTH(raw), 1) >= 0;
        const char *dtype = sf_dtype_name(t->t.dtype);
        text = repr ? PyUnicode_FromFormat("<tf.Tensor: shape=%U, dtype=%s, numpy=%s%U>", shape,
                                           dtype, lines ? "\n" : "", raw)
                    : PyUnicode_FromFormat("tf.Tensor(%s%U, shape=%U, dtype=%s)", lines ? "\n" : "",
                                           raw, shape, dtype);
    }
    Py_XDECREF(raw);
    Py_XDECREF(shape);
    return text;
}

int sfpy_eager_bool(PyObject *self)
{
    const SfTensor t = as_tensor(self)->t;
    int64_t i;
    if (t.value && sf_value_as_int(t.value, &i)) {
        return i != 0;
    }
    PyObject *array = array_of(self, true);
    int truth = !array ? -1 : PyObject_IsTrue(array);
    Py_XDECREF(array);
    if (truth >= 0 && sfpy_notice_assumed(as_tensor(self)->st, truth) < 0) {
        truth = -1;
    }
    return truth;
}

/* numbers */
static PyObject *eager_int(PyObject *self)
{
    PyObject *array = array_of(self, true);
    PyObject *r = !array ? NULL : PyNumber_Long(array);
    Py_XDECREF(array);
    return r;
}

static PyObject *eager_float(PyObject *self)
{
    PyObject *array = array_of(self, true);
    PyObject *r = !array ? NULL : PyNumber_Float(array);
    Py_XDECREF(array);
    return r;
}

static PyObject *eager_index(PyObject *self)
{
    PyObject *array = array_of(self, true);
    PyObject *r = !array ? NULL : PyNumber_Index(array);
    Py_XDECREF(array);
    return r;
}

static PyObject *eager_complex(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *array = array_of(self, true);
    PyObject *r =
        !array ? NULL : PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, array, NULL);
    Py_XDECREF(array);
    return r;
}

static PyObject *eager_format(PyObject *self, PyObject *spec)
{
    PyObject *array = array_of(self, true);
    PyObject *r = !array ? NULL : PyObject_Format(array, spec);
    Py_XDECREF(array);
    return r;
}

/* content */
static PyObject *eager_numpy(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const SfDtype t = as_tensor(self)->t.dtype;
    if (t == SF_DT_RESOURCE || t == SF_DT_VARIANT) {
        PyErr_SetString(PyExc_NotImplementedError,
                        "numpy() is only available when the dtype has a numpy equivalent");
        return NULL;
    }
    return array_of(self, false);
}

static PyObject *eager_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:__array__", names, &dtype, &copy)) {
        return NULL;
    }
    PyObject *array = array_of(self, true);
    if (array && dtype != Py_None) {
        Py_SETREF(array, PyObject_CallMethod(array, "astype", "O", dtype));
    }
    return array;
}

/* What is on the first CPU is that itself. */
static PyObject *eager_cpu(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return sfpy_eager_on_cpu((SfpyEagerTensor *)self);
}

static PyObject *get_backing_device(PyObject *self, void *Py_UNUSED(closure))
{
    return sfpy_eager_device((SfpyEagerTensor *)self);
}

/* A tensor is where every device sees it. */
static PyObject *eager_gpu(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"gpu_index", NULL};
    PyObject *index = NULL;
    return !PyArg_ParseTupleAndKeywords(args, kwargs, "|O:gpu", names, &index) ? NULL
                                                                               : Py_NewRef(self);
}

static PyObject *eager_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *module = PyType_GetModule(as_tensor(self)->st->tensor_type);
    PyObject *make = !module ? NULL : PyObject_GetAttrString(module, "convert_to_tensor");
    PyObject *array = !make ? NULL : array_of(self, true);
    if (!array) {
        Py_XDECREF(make);
        return NULL;
    }
    return Py_BuildValue("(N(N))", make, array);
}

static PyObject *get_ndim(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyTensor *t = as_tensor(self);
    const int rank = sf_shape_rank(t->t.shape);
    return rank < 0 && t->st->shape_hook != Py_None
               ? PyObject_CallMethod(t->st->shape_hook, "rank", NULL)
               : sfpy_dim_object(rank);
}

static PyObject *eager_num_elements(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return sfpy_dim_object(sf_shape_count(as_tensor(self)->t.shape));
}

static PyGetSetDef eager_getset[] = {
    {"ndim", get_ndim, NULL, NULL, NULL},
    {"backing_device", get_backing_device, NULL, "Where its memory is.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef eager_methods[] = {
    {"numpy", eager_numpy, METH_NOARGS,
     SFPY_TAKES("numpy", "") "Known content exactly, else a plausible one."},
    {"_numpy", eager_numpy, METH_NOARGS, NULL},
    {"__array__", SFPY_KEYWORDS(eager_array), NULL},
    {"__complex__", eager_complex, METH_NOARGS, NULL},
    {"__format__", eager_format, METH_O, NULL},
    {"__reduce__", eager_reduce, METH_NOARGS, NULL},
    {"_num_elements", eager_num_elements, METH_NOARGS, NULL},
    {"cpu", eager_cpu, METH_NOARGS, SFPY_TAKES("cpu", "")},
    {"gpu", SFPY_KEYWORDS(eager_gpu), SFPY_TAKES("gpu", ", gpu_index=0")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot eager_slots[] = {
    {Py_tp_doc, "A tensor with a value behind it."},
    {Py_tp_dealloc, sfpy_tensor_dealloc},
    {Py_tp_traverse, sfpy_tensor_traverse},
    {Py_tp_clear, sfpy_tensor_clear},
    {Py_nb_int, eager_int},
    {Py_nb_float, eager_float},
    {Py_nb_index, eager_index},
    {Py_tp_getset, eager_getset},
    {Py_tp_methods, eager_methods},
    {0, NULL},
};

PyType_Spec sfpy_eager_tensor_spec = {
    .name = "tensorflow.python.framework.ops.EagerTensor",
    .basicsize = sizeof(SfpyEagerTensor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = eager_slots,
};

/* iteration */
typedef struct TensorIter {
    PyObject_HEAD PyObject *tensor;
    Py_ssize_t next, count;
} TensorIter;

static PyObject *refuse_iter(SfpyState *st)
{
    if (st->version >= SF_VERSION(2, 13)) {
        sfpy_raise_registered(st, "OPERATOR_NOT_ALLOWED", PyExc_TypeError,
                              "Iterating over a symbolic `tf.Tensor` is not allowed. You can "
                              "attempt the following resolutions to the problem: If you are "
                              "running in Graph mode, use Eager execution mode or decorate this "
                              "function with @tf.function. If you are using AutoGraph, you can "
                              "try decorating this function with @tf.function. If that does not "
                              "work, then you may be using an unsupported feature or your source "
                              "code may not be visible to AutoGraph. See "
                              "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/"
                              "python/autograph/g3doc/reference/limitations.md#access-to-source-"
                              "code for more information.");
    } else if (st->version >= SF_VERSION(1, 15)) {
        sfpy_raise_registered(st, "OPERATOR_NOT_ALLOWED", PyExc_TypeError,
                              "iterating over `tf.Tensor` is not allowed in Graph execution. Use "
                              "Eager execution or decorate this function with @tf.function.");
    } else if (st->version >= SF_VERSION(1, 5)) {
        PyErr_SetString(PyExc_TypeError,
                        "Tensor objects are not iterable when eager execution is not enabled. To "
                        "iterate over this tensor use tf.map_fn.");
    } else {
        PyErr_SetString(PyExc_TypeError, "'Tensor' object is not iterable.");
    }
    return NULL;
}

static PyObject *iter_unmodelled(PyObject *self)
{
    PyObject *inputs = PyList_New(0);
    PyObject *unmodelled =
        !inputs || PyList_Append(inputs, self) < 0 ? NULL : sfpy_opaque("tf.unstack", inputs);
    PyObject *it = !unmodelled ? NULL : PyObject_GetIter(unmodelled);
    Py_XDECREF(unmodelled);
    Py_XDECREF(inputs);
    return it;
}

PyObject *sfpy_tensor_iter(PyObject *self)
{
    SfpyTensor *t = as_tensor(self);
    const SfTensor read = sfpy_tensor_peek(t);
    const SfShape *s = read.shape;
    if (!sf_dim_is_known(sf_shape_dim(s, 0)) &&
        sf_tensor_is_unmodelled(&read, SF_UNMODELLED_DTYPE)) {
        return iter_unmodelled(self); /* the operand may be a list of tensors */
    }
    if (t->graph && !t->graph->building_function) {
        return refuse_iter(t->st);
    }
    if (sf_shape_rank(s) == 0) {
        PyErr_SetString(PyExc_TypeError, "Cannot iterate over a scalar tensor.");
        return NULL;
    }
    if (!sf_dim_is_known(sf_shape_dim(s, 0))) {
        return iter_unmodelled(self); /* TensorFlow knows the size, or AutoGraph loops over it */
    }
    TensorIter *it = PyObject_New(TensorIter, t->st->tensor_iter_type);
    if (it) {
        it->tensor = Py_NewRef(self);
        it->next = 0;
        it->count = (Py_ssize_t)sf_shape_dim(s, 0);
    }
    return (PyObject *)it;
}

static PyObject *iter_next(PyObject *self)
{
    TensorIter *it = (TensorIter *)self;
    return it->next < it->count ? sfpy_op_index(it->tensor, it->next++) : NULL;
}

static void iter_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((TensorIter *)self)->tensor);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot iter_slots[] = {
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, iter_dealloc},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, iter_next},
    {0, NULL},
};

PyType_Spec sfpy_tensor_iter_spec = {
    .name = "shapeflow._core.TensorIterator",
    .basicsize = sizeof(TensorIter),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = iter_slots,
};

/* ref() */
typedef struct TensorRef {
    PyObject_HEAD PyObject *target;
} TensorRef;

static PyObject *target_of(PyObject *self)
{
    return ((TensorRef *)self)->target;
}

PyObject *sfpy_tensor_ref(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = sfpy_state_of(Py_TYPE(self));
    TensorRef *r = PyObject_GC_New(TensorRef, st->tensor_ref_type);
    if (r) {
        r->target = Py_NewRef(self);
        PyObject_GC_Track(r);
    }
    return (PyObject *)r;
}

static PyObject *ref_deref(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(target_of(self));
}

static PyObject *ref_unwrapped(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(target_of(self));
}

static Py_hash_t ref_hash(PyObject *self)
{
    return (Py_hash_t)(uintptr_t)target_of(self); /* id(), as TensorFlow does */
}

static PyObject *ref_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || Py_TYPE(other) != Py_TYPE(self)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong((target_of(self) == target_of(other)) == (op == Py_EQ));
}

static PyObject *ref_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<Reference wrapping %R>", target_of(self));
}

static int ref_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(target_of(self));
    return 0;
}

static void ref_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_DECREF(target_of(self));
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyMethodDef ref_methods[] = {
    {"deref", ref_deref, METH_NOARGS, "deref(): what it refers to."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef ref_getset[] = {
    {"unwrapped", ref_unwrapped, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot ref_slots[] = {
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, ref_dealloc},
    {Py_tp_traverse, ref_traverse},
    {Py_tp_hash, ref_hash},
    {Py_tp_richcompare, ref_richcompare},
    {Py_tp_repr, ref_repr},
    {Py_tp_methods, ref_methods},
    {Py_tp_getset, ref_getset},
    {0, NULL},
};

PyType_Spec sfpy_tensor_ref_spec = {
    .name = "shapeflow._core.Reference",
    .basicsize = sizeof(TensorRef),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = ref_slots,
};
