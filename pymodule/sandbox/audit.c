/* The audit hook. A stub until the hook lands: it installs nothing and has seen nothing. */
#include "pymodule/sandbox/sandbox.h"

PyObject *sfsb_guard(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    Py_RETURN_NONE;
}

PyObject *sfsb_events(PyObject *module, PyObject *noargs)
{
    (void)module;
    (void)noargs;
    return PyList_New(0);
}
