/* spawn()'s dict as plain C data, made before the first fork. */
#include "pymodule/sandbox/sandbox.h"

#include <stdlib.h>
#include <string.h>

const char *const sfsb_layer_names[SFSB_LAYERS] = {"namespaces", "landlock", "audit", "none"};

static void free_strings(char **strings)
{
    for (char **s = strings; s && *s; s++)
        free(*s);
    free((void *)strings);
}

void sfsb_policy_free(SfsbPolicy *policy)
{
    free_strings(policy->allow_write);
    free_strings(policy->deny_read);
    free_strings(policy->own_level);
    free(policy->scratch);
    free(policy->keep_fds);
    memset(policy, 0, sizeof *policy);
}

/* A path as the system takes it, from malloc; NULL with a Python error. */
static char *parse_path(PyObject *value)
{
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(value, &bytes))
        return NULL;
    char *copy = NULL;
    if (PyBytes_AS_STRING(bytes)[0] != '/')
        PyErr_Format(PyExc_ValueError, "not an absolute path: %R", value);
    else if (!(copy = strdup(PyBytes_AS_STRING(bytes))))
        PyErr_NoMemory();
    Py_DECREF(bytes);
    return copy;
}

static char **parse_paths(PyObject *value)
{
    PyObject *items = PySequence_Fast(value, "a list of paths is wanted");
    if (!items)
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    char **paths = calloc((size_t)count + 1, sizeof *paths);
    if (!paths)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; paths && i < count; i++) {
        paths[i] = parse_path(PySequence_Fast_GET_ITEM(items, i));
        if (!paths[i]) {
            free_strings(paths);
            paths = NULL;
        }
    }
    Py_DECREF(items);
    return paths;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int parse_fds(PyObject *value, SfsbPolicy *out)
{
    PyObject *items = PySequence_Fast(value, "a list of descriptors is wanted");
    if (!items)
        return -1;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    out->keep_fds = calloc((size_t)count + 1, sizeof *out->keep_fds);
    if (!out->keep_fds)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; out->keep_fds && i < count; i++) {
        int fd = PyObject_AsFileDescriptor(PySequence_Fast_GET_ITEM(items, i));
        if (fd < 0)
            break;
        out->keep_fds[out->keep_count++] = fd;
    }
    Py_DECREF(items);
    if (PyErr_Occurred())
        return -1;
    qsort(out->keep_fds, (size_t)out->keep_count, sizeof *out->keep_fds, compare_ints);
    return 0;
}

static int parse_layers(PyObject *value, SfsbPolicy *out)
{
    PyObject *items = PySequence_Fast(value, "a list of layers is wanted");
    if (!items)
        return -1;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items) && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(items, i);
        const char *name = PyUnicode_AsUTF8(item);
        int layer = 0;
        while (name && layer < SFSB_LAYERS && strcmp(name, sfsb_layer_names[layer]) != 0)
            layer++;
        if (!name)
            break;
        if (layer == SFSB_LAYERS || out->layer_count == SFSB_LAYERS)
            PyErr_Format(PyExc_ValueError, "no such layer, or one too many: %R", item);
        else
            out->layers[out->layer_count++] = (SfsbLayer)layer;
    }
    Py_DECREF(items);
    if (!PyErr_Occurred() && out->layer_count == 0)
        PyErr_SetString(PyExc_ValueError, "layers: name one at least");
    return PyErr_Occurred() ? -1 : 0;
}

/* A number that isn't negative; None is 0, which means no limit. */
static int parse_number(PyObject *value, uint64_t *out)
{
    if (value == Py_None)
        return 0;
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred())
        return -1;
    *out = number;
    return 0;
}

static int parse_item(const char *key, PyObject *value, SfsbPolicy *out)
{
    if (strcmp(key, "layers") == 0)
        return parse_layers(value, out);
    if (strcmp(key, "allow_write") == 0)
        return !(out->allow_write = parse_paths(value)) ? -1 : 0;
    if (strcmp(key, "deny_read") == 0)
        return !(out->deny_read = parse_paths(value)) ? -1 : 0;
    if (strcmp(key, "own_level") == 0)
        return !(out->own_level = parse_paths(value)) ? -1 : 0;
    if (strcmp(key, "keep_fds") == 0)
        return parse_fds(value, out);
    if (strcmp(key, "max_memory") == 0)
        return parse_number(value, &out->max_memory);
    if (strcmp(key, "scratch_size") == 0)
        return parse_number(value, &out->scratch_size);
    if (strcmp(key, "max_processes") == 0) {
        uint64_t number = 0;
        int status = parse_number(value, &number);
        out->max_processes = number > INT32_MAX ? INT32_MAX : (long)number;
        return status;
    }
    if (strcmp(key, "scratch") == 0)
        return value == Py_None || (out->scratch = parse_path(value)) ? 0 : -1;
    if (strcmp(key, "allow_net") == 0) {
        int truth = PyObject_IsTrue(value);
        out->allow_net = truth > 0;
        return truth < 0 ? -1 : 0;
    }
    PyErr_Format(PyExc_ValueError, "a policy has no key '%s'", key);
    return -1;
}

static const char *const defaults[] = {"allow_write", "deny_read", "own_level", "keep_fds"};

int sfsb_policy_parse(PyObject *dict, SfsbPolicy *out)
{
    *out = (SfsbPolicy){.max_processes = 256};
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "spawn(policy): a dict is wanted");
        return -1;
    }
    /* A copy: a path's __fspath__ may change the dict while it is read. */
    PyObject *items = PyDict_Items(dict);
    if (!items)
        return -1;
    unsigned seen = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        const char *key = PyUnicode_AsUTF8(PyTuple_GET_ITEM(item, 0));
        if (!key || parse_item(key, PyTuple_GET_ITEM(item, 1), out) < 0) {
            Py_DECREF(items);
            return -1;
        }
        for (unsigned k = 0; k < sizeof defaults / sizeof *defaults; k++)
            seen |= strcmp(key, defaults[k]) == 0 ? 1U << k : 0;
    }
    Py_DECREF(items);
    if (out->layer_count == 0)
        PyErr_SetString(PyExc_ValueError, "layers: name one at least");
    PyObject *none = PyErr_Occurred() ? NULL : PyTuple_New(0);
    int status = !none ? -1 : 0;
    for (unsigned k = 0; k < sizeof defaults / sizeof *defaults && status == 0; k++)
        if (!(seen & (1U << k)))
            status = parse_item(defaults[k], none, out);
    Py_XDECREF(none);
    return status;
}
