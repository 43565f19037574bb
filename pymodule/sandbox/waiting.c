/* What Python's supervise.py has of attend.h: P's loop in this process. */
#include "pymodule/sandbox/attend.h"
#include "pymodule/sandbox/sandbox.h"

#include <poll.h>
#include <stdlib.h>

PyObject *sfsb_py_block_signals(PyObject *module, PyObject *noargs)
{
    sigset_t signals;
    (void)module;
    (void)noargs;
    sfsb_attend_block(&signals);
    return PyLong_FromUnsignedLong(sfsb_signal_bits(&signals));
}

PyObject *sfsb_py_unblock_signals(PyObject *module, PyObject *number)
{
    sigset_t signals;
    (void)module;
    unsigned long bits = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return NULL;
    sfsb_signals_of((unsigned)bits, &signals);
    sfsb_attend_unblock(&signals);
    Py_RETURN_NONE;
}

PyObject *sfsb_py_is_silent(PyObject *module, PyObject *args)
{
    struct pollfd waiting[2] = {{.events = POLLIN}, {.events = POLLIN}};
    int ms, got;
    (void)module;
    if (!PyArg_ParseTuple(args, "iii", &waiting[0].fd, &waiting[1].fd, &ms))
        return NULL;
    Py_BEGIN_ALLOW_THREADS got = poll(waiting, 2, ms);
    Py_END_ALLOW_THREADS return PyBool_FromLong(got == 0);
}

PyObject *sfsb_py_attend(PyObject *module, PyObject *args)
{
    SfsbAttend self;
    SfsbAttended kept;
    long pid;
    long long began, limit;
    unsigned long long most;
    unsigned bits;
    (void)module;
    if (!PyArg_ParseTuple(args, "liiiiiiLLKI", &pid, &self.channel, &self.status,
                          &self.outputs[0].from, &self.outputs[0].to, &self.outputs[1].from,
                          &self.outputs[1].to, &began, &limit, &most, &bits))
        return NULL;
    self.pid = (pid_t)pid;
    self.began = began;
    self.limit = limit;
    self.max_output = most;
    sfsb_signals_of(bits, &self.signals);
    Py_BEGIN_ALLOW_THREADS sfsb_attend(&self, &kept);
    Py_END_ALLOW_THREADS PyObject *found = Py_BuildValue(
        "(y#y#i)", kept.said.text == NULL ? "" : kept.said.text, (Py_ssize_t)kept.said.length,
        kept.status.text == NULL ? "" : kept.status.text, (Py_ssize_t)kept.status.length,
        (int)kept.reason);
    free(kept.said.text);
    free(kept.status.text);
    return found;
}
