/* Warnings at the end of a program: what it made and never used.
 * Invariant: the caller's filter is Python and runs while core reports, which only adds to the
 * sink. Owner: nothing. Source: core/analysis/usage.h. */
#include "core/analysis/usage.h"

#include "pymodule/ext/ext.h"

typedef struct Filter {
    SfpyState *st;
    PyObject *ask;
    bool failed;
} Filter;

static bool is_users(void *owner, const SfNode *n)
{
    Filter *f = owner;
    PyObject *frames = f->failed ? NULL : sfpy_location_frames(f->st, n->location);
    PyObject *r = !frames ? NULL : PyObject_CallFunction(f->ask, "sO", n->sig->def->name, frames);
    const bool yes = r == Py_True;
    f->failed = f->failed || !r;
    Py_XDECREF(frames);
    Py_XDECREF(r);
    return yes;
}

PyObject *sfpy_warn_unused(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *graph;
    Filter f = {.st = st};
    if (!PyArg_ParseTuple(args, "O!O:warn_unused", st->graph_type, &graph, &f.ask)) {
        return NULL;
    }
    SfpyWorkspace *ws = sfpy_workspace_acquire(st);
    if (!ws) {
        return NULL;
    }
    sf_usage_warn_unused(((SfpyGraph *)graph)->g, is_users, &f, &ws->sink);
    const bool ok = !f.failed && sfpy_drain(ws) == 0;
    sfpy_workspace_release(ws);
    return ok ? Py_NewRef(Py_None) : NULL;
}

PyObject *sfpy_warn_untrained(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *loss, *x;
    if (!PyArg_ParseTuple(args, "OO:warn_untrained", &loss, &x)) {
        return NULL;
    }
    PyObject *from = sfpy_tensor_of(st, loss);
    PyObject *to = !from ? NULL : sfpy_tensor_of(st, x);
    int r = PyErr_Occurred() ? -1 : 0;
    if (to) {
        const SfTensor t = sfpy_tensor_read((SfpyTensor *)from);
        const SfNode *node = sfpy_tensor_read((SfpyTensor *)to).node;
        SfpyWorkspace *ws = sfpy_workspace_acquire(st);
        if (ws && t.node && node) {
            sf_usage_warn_untrained(t.node->graph, &t, node, &ws->sink);
        }
        r = !ws ? -1 : sfpy_drain(ws);
        if (ws) {
            sfpy_workspace_release(ws);
        }
    }
    Py_XDECREF(from);
    Py_XDECREF(to);
    return r < 0 ? NULL : Py_NewRef(Py_None);
}
