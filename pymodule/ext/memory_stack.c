/* What a run holds over time, by the outermost scope of the nodes that made it.
 * Invariant: at most COLUMNS columns, each of them the fullest of neighbouring moments; at most
 * SCOPES scopes, those that hold most at the peak, and what all others hold together.
 * Owner: the caller. Source: core/analysis/memory.h. */

#include "pymodule/ext/ext.h"

enum { COLUMNS = 600, SCOPES = 9 };

/* The first part of a node's name. */
static PyObject *outermost(const SfMemoryBuffer *b)
{
    const char *end = b->node ? strchr(b->node->name, '/') : NULL;
    return end ? PyUnicode_FromStringAndSize(b->node->name, end - b->node->name)
               : PyUnicode_FromString("");
}

/* {scope: bytes at the peak} */
static PyObject *held_at_peak(const SfMemory *m)
{
    PyObject *sums = PyDict_New();
    for (int i = 0; sums && i < m->nbuffers; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        if (b->bytes == 0 || b->born > m->peak || b->dies < m->peak) {
            continue;
        }
        PyObject *scope = outermost(b);
        PyObject *was = !scope ? NULL : PyDict_GetItemWithError(sums, scope);
        const long long before = was ? PyLong_AsLongLong(was) : 0;
        PyObject *sum = PyErr_Occurred() ? NULL : PyLong_FromLongLong(before + b->bytes);
        if (!sum || PyDict_SetItem(sums, scope, sum) < 0) {
            Py_CLEAR(sums);
        }
        Py_XDECREF(sum);
        Py_XDECREF(scope);
    }
    return sums;
}

/* The scopes that hold most, as keys of {scope: its row}. */
static PyObject *choose_scopes(const SfMemory *m)
{
    PyObject *sums = held_at_peak(m), *rows = sums ? PyDict_New() : NULL;
    while (rows && PyDict_GET_SIZE(rows) < SCOPES) {
        PyObject *scope, *sum, *best = NULL;
        long long most = 0;
        Py_ssize_t at = 0;
        while (PyDict_Next(sums, &at, &scope, &sum)) {
            const long long held = PyLong_AsLongLong(sum);
            const int taken = PyDict_Contains(rows, scope);
            if (taken == 0 && held > most) {
                best = scope;
                most = held;
            }
        }
        PyObject *row = !best ? NULL : PyLong_FromSsize_t(PyDict_GET_SIZE(rows));
        if (!row) {
            break;
        }
        if (PyDict_SetItem(rows, best, row) < 0) {
            Py_CLEAR(rows);
        }
        Py_DECREF(row);
    }
    Py_XDECREF(sums);
    return rows;
}

/* Of each column the moment that holds most; how many there are. */
static int choose_columns(const SfMemory *m, int32_t columns[COLUMNS])
{
    const int width = m->nmoments > 0 ? (m->nmoments + COLUMNS - 1) / COLUMNS : 1;
    int n = 0;
    for (int i = 0; i < m->nmoments; i++) {
        if (i % width == 0) {
            columns[n++] = i;
        } else if (m->moments[i].bytes > m->moments[columns[n - 1]].bytes) {
            columns[n - 1] = i;
        }
    }
    return n;
}

/* The first column at or after a moment. */
static int column_of(const int32_t *columns, int n, int32_t moment)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (columns[middle] < moment) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static PyObject *row_of(const int64_t *changes, int n)
{
    PyObject *row = PyList_New(n);
    int64_t held = 0;
    for (int i = 0; row && i < n; i++) {
        held += changes[i];
        PyObject *bytes = PyLong_FromLongLong(held);
        if (!bytes) {
            Py_CLEAR(row);
        } else {
            PyList_SET_ITEM(row, i, bytes);
        }
    }
    return row;
}

PyObject *sfpy_memory_stack(const SfMemory *m)
{
    static const char others[] = "(others)";
    int64_t changes[SCOPES + 1][COLUMNS + 1] = {{0}};
    int32_t columns[COLUMNS];
    const int n = choose_columns(m, columns);
    PyObject *rows = choose_scopes(m), *made = rows ? PyDict_New() : NULL;
    for (int i = 0; made && i < m->nbuffers; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        PyObject *scope = outermost(b);
        PyObject *row = !scope ? NULL : PyDict_GetItemWithError(rows, scope);
        const long number = row ? PyLong_AsLong(row) : SCOPES;
        Py_XDECREF(scope);
        if (PyErr_Occurred()) {
            Py_CLEAR(made);
            break;
        }
        changes[number][column_of(columns, n, b->born)] += b->bytes;
        changes[number][column_of(columns, n, b->dies + 1)] -= b->bytes;
    }
    PyObject *scope, *row;
    Py_ssize_t at = 0;
    while (made && PyDict_Next(rows, &at, &scope, &row)) {
        PyObject *held = row_of(changes[PyLong_AsLong(row)], n);
        if (!held || PyDict_SetItem(made, scope, held) < 0) {
            Py_CLEAR(made);
        }
        Py_XDECREF(held);
    }
    PyObject *rest = made ? row_of(changes[SCOPES], n) : NULL;
    if (made && (!rest || PyDict_SetItemString(made, others, rest) < 0)) {
        Py_CLEAR(made);
    }
    Py_XDECREF(rest);
    Py_XDECREF(rows);
    return made;
}
