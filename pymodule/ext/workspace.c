/* Workspaces: arenas and the sink of a call into core.
 * Invariant: one that is taken belongs to one call until it is given back, in whatever order calls
 * end; one that is unused is empty.
 * Owner: the context of the thread; a call that has taken one. Source: core/op/diag.h. */
#include "pymodule/ext/ext.h"

SfpyWorkspace *sfpy_workspace_acquire(SfpyState *st)
{
    SfpyContext *cx = sfpy_context(st);
    return !cx ? NULL : sfpy_workspace_of(cx);
}

SfpyWorkspace *sfpy_workspace_of(SfpyContext *cx)
{
    SfpyWorkspace *ws = cx->unused;
    if (ws) {
        cx->unused = ws->next;
        return ws;
    }
    ws = PyMem_Calloc(1, sizeof *ws);
    if (!ws) {
        PyErr_NoMemory();
        return NULL;
    }
    ws->st = cx->st;
    ws->owner = cx;
    sf_arena_init(&ws->arena);
    sf_arena_init(&ws->scratch);
    sfpy_sink_open(ws);
    return ws;
}

/* Records that nobody has asked for: warnings of a call that ended without sfpy_check. */
static void drain_rest(SfpyWorkspace *ws)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (sfpy_drain(ws) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
    PyErr_Restore(type, value, trace);
}

void sfpy_workspace_release(SfpyWorkspace *ws)
{
    if (ws->sink.first) {
        drain_rest(ws);
    }
    sf_arena_reset(&ws->arena);
    sf_arena_reset(&ws->scratch);
    ws->running.number = 0;
    ws->next = ws->owner->unused;
    ws->owner->unused = ws;
}

void sfpy_workspaces_free(SfpyContext *cx)
{
    while (cx->unused) {
        SfpyWorkspace *ws = cx->unused;
        cx->unused = ws->next;
        sf_arena_free(&ws->arena);
        sf_arena_free(&ws->scratch);
        sf_sink_free(&ws->sink);
        PyMem_Free(ws);
    }
}
