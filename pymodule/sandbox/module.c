/* The module shapeflow._sandbox: spawn(), probe() and what audit.c gives. */
#include "pymodule/sandbox/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The lines of the notes as a list of str. */
static PyObject *notes_list(const SfsbText *notes)
{
    PyObject *text = PyUnicode_DecodeUTF8(!notes->text ? "" : notes->text,
                                          (Py_ssize_t)notes->length, "surrogateescape");
    if (!text)
        return NULL;
    PyObject *lines = PyUnicode_Splitlines(text, 0);
    Py_DECREF(text);
    return lines;
}

static PyObject *py_spawn(PyObject *module, PyObject *dict)
{
    SfsbPolicy policy;
    SfsbSpawned spawned;
    if (sfsb_policy_parse(dict, &policy) < 0) {
        sfsb_policy_free(&policy);
        return NULL;
    }
    PyOS_BeforeFork();
    int status = sfsb_spawn(&policy, &spawned);
    int error = errno;
    if (status == 0 && spawned.pid == 0)
        PyOS_AfterFork_Child();
    else
        PyOS_AfterFork_Parent();
    sfsb_policy_free(&policy);
    PyObject *notes = notes_list(&spawned.notes);
    free(spawned.notes.text);
    if (!notes)
        return NULL;
    if (status < 0) {
        PyObject *words =
            PyUnicode_FromFormat("no layer could be had (%s): %S", strerror(error), notes);
        PyObject *args = !words ? NULL : Py_BuildValue("(iN)", error, words);
        if (args)
            PyErr_SetObject(PyExc_OSError, args);
        Py_XDECREF(args);
        Py_DECREF(notes);
        return NULL;
    }
    return Py_BuildValue("(lisN)", (long)spawned.pid, spawned.status_fd,
                         sfsb_layer_names[spawned.layer], notes);
}

static const char *const facts[] = {"user_namespace", "overlay", "mount_proc",    "net_namespace",
                                    "landlock",       "seccomp", "cgroup_memory", "cgroup_pids"};

/* The line of a fact as (works, words). */
static PyObject *fact(const char *lines, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = lines; line && *line != '\0';) {
        const char *end = strchr(line, '\n');
        size_t room = !end ? strlen(line) : (size_t)(end - line);
        if (room > length + 3 && strncmp(line, name, length) == 0 && line[length] == ' ')
            return Py_BuildValue("(Os#)", line[length + 1] == '1' ? Py_True : Py_False,
                                 line + length + 3, (Py_ssize_t)(room - length - 3));
        line = !end ? NULL : end + 1;
    }
    return Py_BuildValue("(Os)", Py_False, "not to be had here");
}

static PyObject *py_probe(PyObject *module, PyObject *noargs)
{
    SfsbText said;
    if (sfsb_probe(&said) < 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    PyObject *found = PyDict_New();
    for (size_t i = 0; found && i < sizeof facts / sizeof *facts; i++) {
        PyObject *value = fact(said.text, facts[i]);
        if (!value || PyDict_SetItemString(found, facts[i], value) < 0)
            Py_CLEAR(found);
        Py_XDECREF(value);
    }
    free(said.text);
    return found;
}

/* The cast keeps -Wcast-function-type quiet: CPython calls such a function as its flags say. */
/* clang-format off */
static PyMethodDef methods[] = {
    {"spawn", py_spawn, METH_O,
     "spawn(policy): (pid, status_fd, layer, notes); pid is 0 in the script's process."},
    {"probe", py_probe, METH_NOARGS,
     "probe(): {name: (works, words)} of what the kernel gives here."},
    {"guard", (PyCFunction)(void (*)(void))sfsb_guard, METH_VARARGS | METH_KEYWORDS,
     "guard(refuse, allowed, allow_net, allow_exec=False): installs the audit hook, for good."},
    {"policy", sfsb_policy, METH_NOARGS,
     "policy(): guard()'s arguments as they are in force; None without."},
    {"events", sfsb_events, METH_NOARGS,
     "events(): [(kind, what, file, line, blocked, count)] that the hook saw."},
    {"note", sfsb_count_event, METH_VARARGS,
     "note(kind, what): counts an event that the hook cannot see."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};
/* clang-format on */

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_sandbox",
    .m_doc = "Processes that can do no harm; pymodule/shapeflow/_sandbox.pyi is its contract.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__sandbox(void); /* Python.h declares none */
PyMODINIT_FUNC PyInit__sandbox(void)
{
    return PyModuleDef_Init(&definition);
}
