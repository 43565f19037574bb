/* Containers filled step by step, and what else Python objects are made of in several places.
 * Invariant: what is filled takes over the reference that it is given; a NULL, or a failure, clears
 * the container and leaves an exception, so that a loop runs while there is one:
 *   PyObject *list = PyList_New(n);
 *   for (int i = 0; list && i < n; i++) {
 *       sfpy_list_put(&list, i, PyLong_FromLong(i));
 *   }
 *   return list;
 * Owner: the caller. Source: ours. */
#include "pymodule/ext/ext.h"

bool sfpy_append_new(PyObject *list, PyObject *item)
{
    const bool ok = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return ok;
}

void sfpy_list_add(PyObject **list, PyObject *item)
{
    if (!sfpy_append_new(*list, item)) {
        Py_CLEAR(*list);
    }
}

void sfpy_list_put(PyObject **list, Py_ssize_t i, PyObject *item)
{
    if (!item) {
        Py_CLEAR(*list);
    } else {
        PyList_SET_ITEM(*list, i, item);
    }
}

void sfpy_tuple_put(PyObject **tuple, Py_ssize_t i, PyObject *item)
{
    if (!item) {
        Py_CLEAR(*tuple);
    } else {
        PyTuple_SET_ITEM(*tuple, i, item);
    }
}

void sfpy_dict_put(PyObject **dict, PyObject *key, PyObject *value)
{
    if (!key || !value || PyDict_SetItem(*dict, key, value) < 0) {
        Py_CLEAR(*dict);
    }
    Py_XDECREF(key);
    Py_XDECREF(value);
}

PyObject *sfpy_text(const char *bytes, size_t n)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)n, "replace");
}

PyObject *sfpy_text_or_none(const char *s)
{
    return !s ? Py_NewRef(Py_None) : sfpy_text(s, strlen(s));
}

PyObject *sfpy_import_attr(const char *module, const char *name)
{
    PyObject *m = PyImport_ImportModule(module);
    PyObject *r = !m ? NULL : PyObject_GetAttrString(m, name);
    Py_XDECREF(m);
    return r;
}

PyObject *sfpy_namespace(SfpyState *st, PyObject *fields)
{
    PyObject *cls = !fields ? NULL : sfpy_import_attr("types", "SimpleNamespace");
    PyObject *r = !cls ? NULL : PyObject_Call(cls, st->empty_tuple, fields);
    Py_XDECREF(cls);
    Py_XDECREF(fields);
    return r;
}

/* Arguments */
PyObject *sfpy_only_argument(const char *name, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    const Py_ssize_t named = !kwnames ? 0 : PyTuple_GET_SIZE(kwnames);
    if (nargs + named == 1 &&
        (named == 0 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, 0), name) == 0)) {
        return args[0];
    }
    if (nargs + named == 1) {
        PyErr_Format(PyExc_TypeError, "got an unexpected keyword argument '%U'",
                     PyTuple_GET_ITEM(kwnames, 0));
    } else {
        PyErr_Format(PyExc_TypeError, "takes exactly one argument, '%s' (%zd given)", name,
                     nargs + named);
    }
    return NULL;
}

/* Hooks */
bool sfpy_hook_set(PyObject **hook, PyObject *to)
{
    if (to != Py_None && !PyCallable_Check(to)) {
        PyErr_SetString(PyExc_TypeError, "the hook must be callable or None");
        return false;
    }
    Py_SETREF(*hook, Py_NewRef(to));
    return true;
}

bool sfpy_hook_call(PyObject *hook, PyObject *first, PyObject *second)
{
    PyObject *held = Py_NewRef(hook); /* it may set another one */
    PyObject *r = PyObject_CallFunctionObjArgs(held, first, second, NULL);
    if (!r) {
        PyErr_WriteUnraisable(held);
    }
    const bool yes = r == Py_True;
    Py_XDECREF(r);
    Py_DECREF(held);
    return yes;
}

/* types */
PyObject *sfpy_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return PyErr_Format(PyExc_TypeError, "cannot create '%.200s' instances", type->tp_name);
}

void sfpy_plain_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* The names of a class that Python lets nobody change: a new reference. */
static PyObject *names_of_class(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyType_GetDict(type);
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

PyObject *sfpy_lend_method(PyObject *module, PyObject *args)
{
    (void)module;
    PyTypeObject *type;
    PyObject *name;
    PyObject *method;
    if (!PyArg_ParseTuple(args, "O!UO", &PyType_Type, &type, &name, &method)) {
        return NULL;
    }
    PyObject *names = names_of_class(type);
    if (!names) {
        return PyErr_Format(PyExc_TypeError, "%s has no names of its own", type->tp_name);
    }
    int there = PyDict_Contains(names, name);
    if (there == 0 && method != Py_None) {
        there = PyDict_SetItem(names, name, method);
    } else if (there == 1 && method == Py_None) {
        there = PyDict_DelItem(names, name);
    } else if (there == 1) {
        PyErr_Format(PyExc_ValueError, "%s has a %U", type->tp_name, name);
        there = -1;
    }
    Py_DECREF(names);
    if (there < 0) {
        return NULL;
    }
    PyType_Modified(type);
    Py_RETURN_NONE;
}
