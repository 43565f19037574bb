/* What a run holds over time, by the outer scopes of the nodes that made it: as many of them as it
 * takes that no single one holds most of the peak, for a model is a scope of its own.
 * Invariant: at most COLUMNS columns, each of them the fullest of neighbouring moments; at most
 * SCOPES scopes, those that hold most at the peak, and what all others hold together.
 * Owner: the caller. Source: core/analysis/memory.h. */

#include "pymodule/ext/ext.h"

enum { COLUMNS = 600, SCOPES = 9, DEEPEST = 4 };

/* How long the first `depth` scopes of a node's name are, or as many as it is in. */
static size_t outer_length(const SfMemoryBuffer *b, int depth)
{
    const char *name = b->node ? b->node->name : "", *end = name;
    for (int i = 0; i < depth; i++) {
        const char *slash = strchr(i == 0 ? name : end + 1, '/');
        if (!slash) {
            break;
        }
        end = slash;
    }
    return (size_t)(end - name);
}

static PyObject *outer_scope(const SfMemoryBuffer *b, int depth)
{
    return PyUnicode_FromStringAndSize(b->node ? b->node->name : "",
                                       (Py_ssize_t)outer_length(b, depth));
}

/* {scope: bytes at the peak} */
static PyObject *held_at_peak(const SfMemory *m, int depth)
{
    PyObject *sums = PyDict_New();
    for (int i = 0; sums && i < m->nbuffers; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        if (b->bytes == 0 || b->born > m->peak || b->dies < m->peak) {
            continue;
        }
        PyObject *scope = outer_scope(b, depth);
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

static bool one_holds_most(PyObject *sums)
{
    PyObject *scope, *sum;
    Py_ssize_t at = 0;
    long long total = 0, most = 0;
    while (PyDict_Next(sums, &at, &scope, &sum)) {
        const long long held = PyLong_AsLongLong(sum);
        total += held;
        if (PyUnicode_GET_LENGTH(scope) > 0 && held > most) {
            most = held;
        }
    }
    return most > total / 2;
}

/* The scopes that hold most, as keys of {scope: its row}; *depth of them. */
static PyObject *choose_scopes(const SfMemory *m, int *depth)
{
    PyObject *sums = held_at_peak(m, *depth = 1);
    while (sums && *depth < DEEPEST && one_holds_most(sums)) {
        Py_DECREF(sums);
        sums = held_at_peak(m, ++*depth);
    }
    PyObject *rows = sums ? PyDict_New() : NULL;
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

/* The number of the row of a buffer's scope; -1 with an exception. */
static long row_of_scope(PyObject *rows, const SfMemoryBuffer *b, int depth)
{
    PyObject *scope = outer_scope(b, depth);
    PyObject *row = !scope ? NULL : PyDict_GetItemWithError(rows, scope);
    const long number = row ? PyLong_AsLong(row) : SCOPES;
    Py_XDECREF(scope);
    return PyErr_Occurred() ? -1 : number;
}

PyObject *sfpy_memory_columns(const SfMemory *m)
{
    int32_t columns[COLUMNS];
    const int n = choose_columns(m, columns);
    PyObject *row = PyList_New(n);
    for (int i = 0; row && i < n; i++) {
        PyObject *bytes = PyLong_FromLongLong(m->moments[columns[i]].bytes);
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
    int depth;
    PyObject *rows = choose_scopes(m, &depth), *made = rows ? PyDict_New() : NULL;
    const char *last =
        NULL; /* the scope of the buffer before, which is most often this one's too */
    size_t last_length = 0;
    long number = SCOPES;
    for (int i = 0; made && i < m->nbuffers; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        const char *name = b->node ? b->node->name : "";
        const size_t length = outer_length(b, depth);
        if (!last || length != last_length || memcmp(last, name, length) != 0) {
            number = row_of_scope(rows, b, depth);
            last = name;
            last_length = length;
        }
        if (number < 0) {
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
