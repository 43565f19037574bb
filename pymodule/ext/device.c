/* Devices for Python: what `tf.device` takes, and the machine that programs are placed on.
 * Invariant: a machine that was set stays where it is until the module goes: sessions point to it.
 * Owner: the module's state. Source: core/device. */
#include "pymodule/ext/ext.h"

int sfpy_device_check(SfpyState *st, const char *device)
{
    SfArena arena;
    bool nomem;
    sf_arena_init(&arena);
    const char *error = sf_device_name_error(&arena, st->version, device, &nomem);
    if (nomem) {
        PyErr_NoMemory();
    } else if (error) {
        PyErr_SetString(PyExc_ValueError, error);
    }
    sf_arena_free(&arena);
    return nomem || error ? -1 : 0;
}

PyObject *sfpy_check_device_name(PyObject *module, PyObject *device)
{
    const char *text = sfpy_utf8(device, "a device");
    if (!text || sfpy_device_check(sfpy_state(module), text) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* None: any machine, and nothing is placed. */
PyObject *sfpy_set_machine(PyObject *module, PyObject *text)
{
    SfpyState *st = sfpy_state(module);
    if (text == Py_None) {
        st->machine = NULL;
        Py_RETURN_NONE;
    }
    const char *names = sfpy_utf8(text, "devices");
    SfMachine *machine = !names ? NULL : sf_arena_alloc(&st->machines, sizeof *machine);
    const char *error = NULL;
    if (!names) {
        return NULL;
    }
    const SfStatus status =
        !machine ? SF_NOMEM : sf_machine_parse(&st->machines, names, machine, &error);
    if (status == SF_REPORTED) {
        PyErr_SetString(PyExc_ValueError, error);
        return NULL;
    }
    if (status != SF_OK) {
        return PyErr_NoMemory();
    }
    st->machine = machine;
    Py_RETURN_NONE;
}

static PyObject *device_row(const SfDevice *d)
{
    return Py_BuildValue("(sszL)", d->name, d->kind == SF_ON_CPU ? "CPU" : "GPU",
                         d->gpu ? d->gpu->title : NULL, (long long)d->memory);
}

PyObject *sfpy_machine(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfMachine *m = sfpy_state(module)->machine;
    if (!m) {
        Py_RETURN_NONE;
    }
    PyObject *list = PyList_New(m->n);
    for (int i = 0; list && i < m->n; i++) {
        PyObject *row = device_row(&m->devices[i]);
        if (!row) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, row);
        }
    }
    return list;
}

PyObject *sfpy_gpus(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *list = PyList_New(sf_gpu_count());
    for (int i = 0; list && i < sf_gpu_count(); i++) {
        const SfGpu *g = sf_gpu_at(i);
        PyObject *row = Py_BuildValue("(ssLdddi)", g->name, g->title, (long long)sf_gpu_memory(g),
                                      g->bandwidth, g->fp32, g->half, g->capability);
        if (!row) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, row);
        }
    }
    return list;
}
