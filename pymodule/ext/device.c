/* Devices for Python: what `tf.device` takes, and the machine that programs are placed on.
 * Invariant: a machine that was set stays where it is until the module goes: sessions point to it.
 * Owner: the module's state. Source: core/device. */
#include "core/device/cuda.h"
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

static PyObject *gpu_row(const SfGpu *g)
{
    return Py_BuildValue("(ssLLdddii)", g->name, g->title, (long long)sf_gpu_memory(g),
                         (long long)sf_gpu_free(g), g->bandwidth, g->fp32, g->half, g->capability,
                         g->sms);
}

static PyObject *device_row(const SfDevice *d)
{
    PyObject *gpu = d->gpu ? gpu_row(d->gpu) : Py_NewRef(Py_None);
    return gpu ? Py_BuildValue("(ssN)", d->name, d->kind == SF_ON_CPU ? "CPU" : "GPU", gpu) : NULL;
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
        PyObject *row = gpu_row(sf_gpu_at(i));
        if (!row) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, row);
        }
    }
    return list;
}

/* {"name": ..., "total": ...} of a GPU that is really there. */
static PyObject *cuda_row(const SfCudaGpu *g)
{
    return Py_BuildValue("{s:s,s:L,s:L,s:i,s:i,s:i,s:i,s:i,s:K,s:z}", "name", g->name, "total",
                         (long long)g->total, "free", (long long)g->free, "capability",
                         g->capability, "sms", g->sms, "clock_khz", g->clock_khz,
                         "memory_clock_khz", g->memory_clock_khz, "bus_bits", g->bus_bits, "peers",
                         (unsigned long long)g->peers, "note", g->note);
}

static PyObject *cuda_rows(const SfCuda *cuda)
{
    PyObject *list = PyList_New(cuda->n);
    for (int i = 0; list && i < cuda->n; i++) {
        PyObject *row = cuda_row(&cuda->gpus[i]);
        if (!row) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, row);
        }
    }
    return list ? Py_BuildValue("{s:s,s:i,s:i,s:N}", "library", cuda->library, "runtime",
                                cuda->runtime, "driver", cuda->driver, "gpus", list)
                : NULL;
}

PyObject *sfpy_cuda_gpus(PyObject *Py_UNUSED(module), PyObject *libraries)
{
    SfArena arena;
    SfCuda cuda;
    const char *error = NULL;
    PyObject *made = NULL;
    PyObject *paths = PySequence_Tuple(libraries);
    if (!paths) {
        return NULL;
    }
    sf_arena_init(&arena);
    const Py_ssize_t n = PyTuple_GET_SIZE(paths);
    const char **texts = sf_arena_alloc(&arena, ((size_t)n + 1) * sizeof *texts);
    for (Py_ssize_t i = 0; texts && i < n; i++) {
        texts[i] = sfpy_utf8(PyTuple_GET_ITEM(paths, i), "a library");
        if (!texts[i]) {
            goto done;
        }
    }
    const SfStatus status = texts ? sf_cuda_query(&arena, texts, (int)n, &cuda, &error) : SF_NOMEM;
    if (status == SF_OK) {
        made = cuda_rows(&cuda);
    } else if (status == SF_REPORTED) {
        PyErr_SetString(PyExc_ValueError, error);
    } else {
        PyErr_NoMemory();
    }
done:
    sf_arena_free(&arena);
    Py_DECREF(paths);
    return made;
}
