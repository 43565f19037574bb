/* Warnings at the end of a program: what it made and never used.
 * Invariant: the caller's filter is Python and runs while core reports, which only adds to the sink.
 * Owner: nothing. Source: core/analysis/usage.h. */
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
    PyObject *r =
        frames == NULL ? NULL : PyObject_CallFunction(f->ask, "sO", n->sig->def->name, frames);
    const bool yes = r == Py_True;
    f->failed = f->failed || r == NULL;
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
    SfpyWorkspace *ws = sfpy_workspace_take(st);
    if (ws == NULL) {
        return NULL;
    }
    sf_usage_warn_unused(((SfpyGraph *)graph)->g, is_users, &f, &ws->sink);
    const bool ok = !f.failed && sfpy_drain(ws) == 0;
    sfpy_workspace_give(ws);
    return ok ? Py_NewRef(Py_None) : NULL;
}

PyObject *sfpy_warn_untrained(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *given[2];
    SfTensor t[2];
    if (!PyArg_ParseTuple(args, "OO:warn_untrained", &given[0], &given[1])) {
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        PyObject *o = sfpy_tensor_of(st, given[i]);
        if (o == NULL) {
            return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
        }
        t[i] = sfpy_tensor_read((SfpyTensor *)o);
        Py_DECREF(o); /* its graph is held by the caller */
    }
    if (t[0].node == NULL || t[1].node == NULL) {
        Py_RETURN_NONE;
    }
    SfpyWorkspace *ws = sfpy_workspace_take(st);
    if (ws == NULL) {
        return NULL;
    }
    sf_usage_warn_untrained(t[0].node->graph, &t[0], t[1].node, &ws->sink);
    const int r = sfpy_drain(ws);
    sfpy_workspace_give(ws);
    return r < 0 ? NULL : Py_NewRef(Py_None);
}
