/* Where eager tensors are: each device has a number, and each thread the one of what it makes now.
 * Invariant: number 0 is where TensorFlow puts what nobody places, so that a program without
 * devices costs nothing: its tensors are not even looked at. A negative number is a device that is
 * not there: the hook has it raise. Owner: the module's list of names; names are only added.
 * Source: tensorflow/core/common_runtime/eager/placement_utils.cc, python/eager/context.py. */
#include "pymodule/ext/ext.h"

void sfpy_watch_tensors(SfpyState *st)
{
    st->watches_tensors = st->trace_log || st->places_tensors;
}

int sfpy_tensor_place(SfpyState *st, SfpyEagerTensor *t)
{
    SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        return -1;
    }
    if (cx->device < 0 && st->device_hook != Py_None) {
        PyObject *hook = Py_NewRef(st->device_hook);
        PyObject *done = PyObject_CallFunction(hook, "i", -cx->device);
        Py_DECREF(hook);
        Py_XDECREF(done);
        return done ? 0 : -1;
    }
    t->device = cx->device < 0 ? 0 : cx->device;
    return 0;
}

/* Where TensorFlow puts what nobody places: on the first GPU, else on the first CPU. */
static PyObject *first_device(SfpyState *st)
{
    PyObject *said = PyList_GET_ITEM(st->device_names, 0);
    const SfMachine *m = st->machine;
    if (said != Py_None) {
        return Py_NewRef(said);
    }
    for (int i = 0; m && i < m->n; i++) {
        if (m->devices[i].kind != SF_ON_CPU) {
            return PyUnicode_FromString(m->devices[i].name);
        }
    }
    return PyUnicode_FromString(SFPY_FIRST_CPU);
}

/* A tensor has no device in the body of a function but what a scope there says. */
PyObject *sfpy_eager_device(SfpyEagerTensor *t)
{
    SfpyState *st = t->tensor.st;
    const SfpyContext *cx = sfpy_context(st);
    PyObject *name = !cx ? NULL : PyList_GetItem(st->device_names, t->device);
    if (!name) {
        return NULL;
    }
    const bool in_body = cx->function && cx->depth == cx->function_depth;
    if (PyTuple_Check(name)) { /* (what the scope in a body says,) */
        return in_body ? Py_NewRef(PyTuple_GET_ITEM(name, 0)) : first_device(st);
    }
    if (in_body) {
        return Py_NewRef(st->empty_string);
    }
    if (t->device == 0 && sf_dtype_base(t->tensor.t.dtype) == SF_DT_STRING) { /* no GPU has those */
        return PyUnicode_FromString(SFPY_FIRST_CPU);
    }
    return name == Py_None ? first_device(st) : Py_NewRef(name);
}

/* t.cpu(): itself where it is there already. On a machine with GPUs the first CPU has no number of
 * its own, and the tensor is taken for its copy. */
PyObject *sfpy_eager_on_cpu(SfpyEagerTensor *t)
{
    PyObject *first = first_device(t->tensor.st);
    const bool is_cpu =
        first && PyUnicode_CompareWithASCIIString(first, SFPY_FIRST_CPU) == 0 && t->device != 0;
    Py_XDECREF(first);
    if (!first || !is_cpu) {
        return !first ? NULL : Py_NewRef((PyObject *)t);
    }
    const SfTensor read = sfpy_tensor_read(&t->tensor);
    PyObject *copy = sfpy_tensor_wrap(t->tensor.st, NULL, &read);
    if (copy) {
        ((SfpyEagerTensor *)copy)->device = 0;
    }
    return copy;
}

/* add_eager_device(name): its number. (name,) is what a scope in the body of a function says. */
PyObject *sfpy_add_eager_device(PyObject *module, PyObject *name)
{
    SfpyState *st = sfpy_state(module);
    const bool fits =
        PyUnicode_Check(name) || (PyTuple_Check(name) && PyTuple_GET_SIZE(name) == 1 &&
                                  PyUnicode_Check(PyTuple_GET_ITEM(name, 0)));
    if (!fits) {
        PyErr_SetString(PyExc_TypeError, "a name, or a tuple of one");
        return NULL;
    }
    return PyList_Append(st->device_names, name) < 0
               ? NULL
               : PyLong_FromSsize_t(PyList_GET_SIZE(st->device_names) - 1);
}

/* set_eager_device(number): what this thread makes is there; gives the number before. */
PyObject *sfpy_set_eager_device(PyObject *module, PyObject *number)
{
    SfpyState *st = sfpy_state(module);
    SfpyContext *cx = sfpy_context(st);
    const long n = PyLong_AsLong(number);
    if (!cx || (n == -1 && PyErr_Occurred())) {
        return NULL;
    }
    if (n >= PyList_GET_SIZE(st->device_names) || -n >= PyList_GET_SIZE(st->device_names)) {
        PyErr_SetString(PyExc_IndexError, "no such device");
        return NULL;
    }
    const int before = cx->device;
    cx->device = (int)n;
    st->places_tensors = st->places_tensors || n != 0;
    sfpy_watch_tensors(st);
    return PyLong_FromLong(before);
}

/* places_tensors(): was a device but the first one ever asked for? */
PyObject *sfpy_places_tensors(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(sfpy_state(module)->places_tensors);
}

/* eager_here(tensor): the tensor where this thread makes its tensors: itself, or one like it. */
PyObject *sfpy_eager_here(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    const SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        return NULL;
    }
    if (!Py_IS_TYPE(tensor, st->eager_tensor_type) ||
        ((SfpyEagerTensor *)tensor)->device == cx->device) {
        return Py_NewRef(tensor);
    }
    const SfTensor t = sfpy_tensor_read((SfpyTensor *)tensor);
    return sfpy_tensor_wrap(st, NULL, &t);
}

PyObject *sfpy_set_first_device(PyObject *module, PyObject *name)
{
    SfpyState *st = sfpy_state(module);
    if (name != Py_None && !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "a name or None");
        return NULL;
    }
    return PyList_SetItem(st->device_names, 0, Py_NewRef(name)) < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *sfpy_set_device_hook(PyObject *module, PyObject *hook)
{
    return !sfpy_hook_set(&sfpy_state(module)->device_hook, hook) ? NULL : Py_NewRef(Py_None);
}
