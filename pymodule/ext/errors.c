/* From a status and the newest diagnostic to a Python exception.
 * Invariant: after sfpy_check the sink is empty, whatever the status was.
 * Owner: the module state holds the registered classes.
 * Source: tensorflow/python/framework/errors_impl.py; ops._create_c_op for ValueError. */
#include "pymodule/ext/ext.h"

static const char *class_name(SfErrorClass c)
{
    switch (c) {
    case SF_ERR_INVALID_ARGUMENT:
        return "INVALID_ARGUMENT";
    case SF_ERR_VALUE:
        return "VALUE";
    case SF_ERR_TYPE:
        return "TYPE";
    case SF_ERR_FAILED_PRECONDITION:
        return "FAILED_PRECONDITION";
    case SF_ERR_NOT_FOUND:
        return "NOT_FOUND";
    case SF_ERR_OUT_OF_RANGE:
        return "OUT_OF_RANGE";
    case SF_ERR_UNIMPLEMENTED:
        return "UNIMPLEMENTED";
    case SF_ERR_RUNTIME:
        return "RUNTIME";
    case SF_ERR_LOOKUP:
        return "LOOKUP";
    case SF_ERR_KEY:
        return "KEY";
    case SF_ERR_ATTRIBUTE:
        return "ATTRIBUTE";
    case SF_ERR_INTERNAL:
        break;
    }
    return "INTERNAL";
}

/* The built-in exception of a class, or NULL when TensorFlow has its own. */
static PyObject *builtin_class(SfErrorClass c, SfPhase phase)
{
    switch (c) {
    case SF_ERR_INVALID_ARGUMENT:
        return phase == SF_PHASE_BUILD || phase == SF_PHASE_API ? PyExc_ValueError : NULL;
    case SF_ERR_VALUE:
        return PyExc_ValueError;
    case SF_ERR_TYPE:
        return PyExc_TypeError;
    case SF_ERR_RUNTIME:
        return PyExc_RuntimeError;
    case SF_ERR_LOOKUP:
        return PyExc_LookupError;
    case SF_ERR_KEY:
        return PyExc_KeyError;
    case SF_ERR_ATTRIBUTE:
        return PyExc_AttributeError;
    case SF_ERR_FAILED_PRECONDITION:
    case SF_ERR_NOT_FOUND:
    case SF_ERR_OUT_OF_RANGE:
    case SF_ERR_UNIMPLEMENTED:
    case SF_ERR_INTERNAL:
        break;
    }
    return NULL;
}

int sfpy_raise_class(SfpyState *st, SfErrorClass class_, SfPhase phase, PyObject *operation,
                     const char *message)
{
    PyObject *text = sfpy_text(message, strlen(message));
    if (!text) {
        return -1;
    }
    PyObject *type = builtin_class(class_, phase);
    if (!type) {
        PyObject *own = PyDict_GetItemString(st->error_classes, class_name(class_));
        if (own) {
            Py_INCREF(own);
            PyObject *op = !operation ? Py_None : operation;
            PyObject *exc = PyObject_CallFunctionObjArgs(own, Py_None, op, text, NULL);
            if (exc && PyExceptionInstance_Check(exc)) {
                PyErr_SetObject((PyObject *)Py_TYPE(exc), exc);
            } else if (exc) {
                PyErr_SetString(PyExc_TypeError, "a registered error class is not an exception");
            }
            Py_XDECREF(exc);
            Py_DECREF(own);
            Py_DECREF(text);
            return -1;
        }
        type = class_ == SF_ERR_INVALID_ARGUMENT ? PyExc_ValueError : PyExc_RuntimeError;
    }
    PyErr_SetObject(type, text);
    Py_DECREF(text);
    return -1;
}

int sfpy_raise_registered(SfpyState *st, const char *name, PyObject *fallback, const char *message)
{
    PyObject *own = PyDict_GetItemString(st->error_classes, name);
    PyErr_SetString(!own ? fallback : own, message);
    return -1;
}

int sfpy_check(SfpyWorkspace *ws, SfStatus status, PyObject *operation)
{
    if (status == SF_OK) {
        return !ws->sink.first ? 0 : sfpy_drain(ws);
    }
    if (status == SF_INTERRUPTED) {
        sf_sink_clear(&ws->sink);
        if (PyErr_CheckSignals() == 0) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
        return -1;
    }
    if (status == SF_NOMEM) {
        sf_sink_clear(&ws->sink);
        PyErr_NoMemory();
        return -1;
    }
    if (!ws->sink.last) {
        PyErr_SetString(PyExc_SystemError, "shapeflow: an error without a diagnostic");
        return -1;
    }
    const SfDiag *d = ws->sink.last;
    const SfErrorClass class_ = sf_diag_info(d->code)->class_;
    const SfPhase phase = d->phase;
    PyObject *text = PyBytes_FromString(!d->message ? "" : d->message);
    if (!text || sfpy_drain(ws) < 0) {
        Py_XDECREF(text);
        return -1;
    }
    sfpy_raise_class(ws->st, class_, phase, operation, PyBytes_AS_STRING(text));
    Py_DECREF(text);
    return -1;
}

PyObject *sfpy_register_error_classes(PyObject *module, PyObject *classes)
{
    SfpyState *st = sfpy_state(module);
    if (PyDict_Update(st->error_classes, classes) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}
