/* What a run holds in memory, as Python data.
 * Invariant: nothing of the session changes but what a run of it changes.
 * Owner: the caller. Source: core/analysis/memory.h. */
#include "core/analysis/memory.h"

#include "pymodule/ext/ext.h"

static const char *const kinds[] = {"variables", "optimizer slots", "constants",
                                    "feeds",     "activations",     "gradients"};
enum { LARGEST = 10 };

static bool is_alive(const SfMemory *m, const SfMemoryBuffer *b)
{
    return b->born <= m->peak && m->peak <= b->dies;
}

/* The numbers of the largest buffers at the peak; how many there are. */
static int find_largest(const SfMemory *m, int found[LARGEST])
{
    int n = 0;
    for (int i = 0; i < m->nbuffers; i++) {
        if (!is_alive(m, &m->buffers[i]) || m->buffers[i].bytes == 0) {
            continue;
        }
        int at = n < LARGEST ? n++ : LARGEST;
        for (; at > 0 && m->buffers[found[at - 1]].bytes < m->buffers[i].bytes; at--) {
            if (at < LARGEST) {
                found[at] = found[at - 1];
            }
        }
        if (at < LARGEST) {
            found[at] = i;
        }
    }
    return n;
}

/* (name, op, output, kind, bytes, location) */
static PyObject *buffer_row(const SfMemoryBuffer *b)
{
    return Py_BuildValue("(ssisLI)", b->node->name, b->node->sig->def->name, (int)b->output,
                         kinds[b->kind], (long long)b->bytes, (unsigned)b->node->location);
}

static PyObject *largest_rows(const SfMemory *m)
{
    int found[LARGEST];
    const int n = find_largest(m, found);
    PyObject *rows = PyList_New(n);
    for (int i = 0; rows && i < n; i++) {
        PyObject *row = buffer_row(&m->buffers[found[i]]);
        if (!row) {
            Py_CLEAR(rows);
        } else {
            PyList_SET_ITEM(rows, i, row);
        }
    }
    return rows;
}

/* (name, whether it is its gradient, bytes) of each moment. */
static PyObject *moment_rows(const SfMemory *m)
{
    PyObject *rows = PyList_New(m->nmoments);
    for (int i = 0; rows && i < m->nmoments; i++) {
        const SfMemoryMoment *at = &m->moments[i];
        PyObject *row = Py_BuildValue("(sOL)", at->node->name, at->backward ? Py_True : Py_False,
                                      (long long)at->bytes);
        if (!row) {
            Py_CLEAR(rows);
        } else {
            PyList_SET_ITEM(rows, i, row);
        }
    }
    return rows;
}

static PyObject *part_sums(const SfMemory *m)
{
    PyObject *parts = PyDict_New();
    for (int i = 0; parts && i < SF_MEMORY_KINDS; i++) {
        PyObject *bytes = PyLong_FromLongLong(m->parts[i]);
        if (!bytes || PyDict_SetItemString(parts, kinds[i], bytes) < 0) {
            Py_CLEAR(parts);
        }
        Py_XDECREF(bytes);
    }
    return parts;
}

PyObject *sfpy_memory_of(const SfPlan *plan, int64_t rounding)
{
    SfArena arena;
    SfMemory m;
    PyObject *made = NULL;
    sf_arena_init(&arena);
    if (sf_plan_memory(plan, rounding, &arena, &m) == SF_OK) {
        PyObject *parts = part_sums(&m), *largest = largest_rows(&m), *moments = moment_rows(&m);
        if (parts && largest && moments) {
            made = Py_BuildValue("{s:L,s:i,s:O,s:L,s:O,s:d,s:d,s:O,s:O}", "peak",
                                 (long long)m.peak_bytes, "at", m.peak, "parts", parts, "workspace",
                                 (long long)m.workspace, "at_least",
                                 m.is_lower_bound ? Py_True : Py_False, "flops", m.flops, "moved",
                                 m.moved, "largest", largest, "moments", moments);
        }
        Py_XDECREF(parts);
        Py_XDECREF(largest);
        Py_XDECREF(moments);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    sf_arena_free(&arena);
    return made;
}

PyObject *sfpy_set_memory_hook(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    Py_SETREF(st->memory_hook, Py_NewRef(hook));
    Py_RETURN_NONE;
}
