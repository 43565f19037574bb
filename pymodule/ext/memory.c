/* What a run holds in memory, as Python data.
 * Invariant: nothing of the session changes but what a run of it changes.
 * Owner: the caller. Source: core/analysis/memory.h. */

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
    if (!b->node) { /* all of a kind */
        return Py_BuildValue("(ssisLI)", kinds[b->kind], "", 0, kinds[b->kind], (long long)b->bytes,
                             0u);
    }
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

/* (name, whether it is its gradient) of each moment. */
static PyObject *order_rows(const SfMemory *m)
{
    PyObject *rows = PyList_New(m->nmoments);
    for (int i = 0; rows && i < m->nmoments; i++) {
        const SfMemoryMoment *at = &m->moments[i];
        PyObject *row = Py_BuildValue("(sO)", at->node->name, at->backward ? Py_True : Py_False);
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

/* table[key] += (held, flops, moved) */
static int add_share(PyObject *table, PyObject *key, double held, double flops, double moved)
{
    PyObject *now = !key ? NULL : PyDict_GetItemWithError(table, key);
    double was[3] = {0, 0, 0};
    if (!key || (!now && PyErr_Occurred()) ||
        (now && !PyArg_ParseTuple(now, "ddd", &was[0], &was[1], &was[2]))) {
        return -1;
    }
    PyObject *sum = Py_BuildValue("(ddd)", was[0] + held, was[1] + flops, was[2] + moved);
    const int status = !sum ? -1 : PyDict_SetItem(table, key, sum);
    Py_XDECREF(sum);
    return status;
}

/* Of what the name of a node has before its last part: "net/dense" of "net/dense/MatMul". */
static size_t scope_length(const SfNode *n)
{
    const char *last = strrchr(n->name, '/');
    return last ? (size_t)(last - n->name) : 0;
}

/* By line, and by scope or node. Neighbours are most often of one line and scope: `n` stands for
 * them, and the sums wait to be added. */
typedef struct Shares {
    PyObject *lines, *names;
    bool by_node;
    const SfNode *n; /* NULL: nothing waits */
    size_t length;   /* of the name of its scope, or of its own */
    double held, flops, moved;
} Shares;

static int add_waiting(Shares *to)
{
    if (!to->n) {
        return 0;
    }
    PyObject *location = PyLong_FromUnsignedLong(to->n->location);
    PyObject *name = PyUnicode_FromStringAndSize(to->n->name, (Py_ssize_t)to->length);
    const bool good = add_share(to->lines, location, to->held, to->flops, to->moved) == 0 &&
                      add_share(to->names, name, to->held, to->flops, to->moved) == 0;
    Py_XDECREF(location);
    Py_XDECREF(name);
    to->n = NULL;
    to->held = to->flops = to->moved = 0;
    return good ? 0 : -1;
}

static int add_node(Shares *to, const SfNode *n, double held, double flops, double moved)
{
    const size_t length = to->by_node ? strlen(n->name) : scope_length(n);
    if (to->n &&
        (to->n->location != n->location || to->length != length ||
         memcmp(to->n->name, n->name, length) != 0) &&
        add_waiting(to) < 0) {
        return -1;
    }
    to->n = n;
    to->length = length;
    to->held += held;
    to->flops += flops;
    to->moved += moved;
    return 0;
}

/* ({location: (bytes held at the peak, FLOPs, bytes moved)}, the same by scope or node) */
static PyObject *shares(const SfMemory *m, bool by_node)
{
    Shares to = {.lines = PyDict_New(), .names = PyDict_New(), .by_node = by_node};
    bool good = to.lines && to.names;
    for (int i = 0; good && i < m->nbuffers; i++) {
        const SfMemoryBuffer *b = &m->buffers[i];
        good = !b->node || b->bytes == 0 || !is_alive(m, b) ||
               add_node(&to, b->node, (double)b->bytes, 0, 0) == 0;
    }
    for (int i = 0; good && i < m->ncosts; i++) {
        const SfStepCost *c = &m->costs[i];
        good = add_node(&to, c->node, 0, c->flops, c->moved) == 0;
    }
    if (good && add_waiting(&to) == 0) {
        return Py_BuildValue("(NN)", to.lines, to.names);
    }
    Py_XDECREF(to.lines);
    Py_XDECREF(to.names);
    return NULL;
}

/* (name, output, source, target, bytes, bytes of the gradient, location) of each copy. */
static PyObject *copy_rows(const SfMemory *m)
{
    PyObject *rows = PyList_New(m->ncopies);
    for (int i = 0; rows && i < m->ncopies; i++) {
        const SfMemoryCopy *c = &m->copies[i];
        PyObject *row = Py_BuildValue("(siiiLLk)", c->node->name, c->output, c->source, c->target,
                                      (long long)c->bytes, (long long)c->back,
                                      (unsigned long)c->node->location);
        if (!row) {
            Py_CLEAR(rows);
        } else {
            PyList_SET_ITEM(rows, i, row);
        }
    }
    return rows;
}

static PyObject *memory_dict(const SfMemory *m, bool by_node)
{
    PyObject *made = NULL;
    const SfMemoryMoment *at = m->nmoments > 0 ? &m->moments[m->peak] : NULL;
    PyObject *parts = part_sums(m), *largest = largest_rows(m), *moments = sfpy_memory_columns(m);
    PyObject *by = shares(m, by_node), *copies = copy_rows(m), *stack = sfpy_memory_stack(m);
    PyObject *order = by_node ? order_rows(m) : Py_NewRef(Py_None);
    if (parts && largest && moments && by && copies && stack && order) {
        made = Py_BuildValue("{s:L,s:(iisO),s:O,s:O,s:L,s:O,s:d,s:d,s:O,s:O,s:O,s:O,s:O}", "peak",
                             (long long)m->peak_bytes, "at", m->peak, m->nmoments,
                             at ? at->node->name : "", at && at->backward ? Py_True : Py_False,
                             "order", order, "parts", parts, "workspace", (long long)m->workspace,
                             "at_least", m->is_lower_bound ? Py_True : Py_False, "flops", m->flops,
                             "moved", m->moved, "largest", largest, "moments", moments, "shares",
                             by, "copies", copies, "stack", stack);
    }
    Py_XDECREF(order);
    Py_XDECREF(stack);
    Py_XDECREF(copies);
    Py_XDECREF(by);
    Py_XDECREF(parts);
    Py_XDECREF(largest);
    Py_XDECREF(moments);
    return made;
}

int sfpy_memory_ask(PyObject *how, SfpyMemoryAsk *out)
{
    long long rounding = 1;
    int half = 0, segments = 0, no_slots = 0, device = -1, by_node = 0;
    if (how && !PyArg_ParseTuple(how, "|Lpipip:trial", &rounding, &half, &segments, &no_slots,
                                 &device, &by_node)) {
        return -1;
    }
    out->trial = (SfMemoryTrial){.rounding = rounding < 1 ? 1 : rounding,
                                 .half = half,
                                 .segments = segments,
                                 .no_slots = no_slots,
                                 .device = device};
    out->by_node = by_node;
    return 0;
}

PyObject *sfpy_memory_of(const SfPlan *plan, const SfpyMemoryAsk *ask)
{
    SfArena arena;
    SfMemory m;
    PyObject *made = NULL;
    sf_arena_init(&arena);
    if (sf_plan_memory(plan, ask->trial, &arena, &m) == SF_OK) {
        made = memory_dict(&m, ask->by_node);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    sf_arena_free(&arena);
    return made;
}

/* eager code */
PyObject *sfpy_start_memory_log(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = sfpy_state(module);
    st->trace = st->trace ? st->trace : sf_trace_new(st->version);
    st->trace_log = st->trace ? sf_trace_start_log(st->trace) : NULL;
    sfpy_watch_tensors(st);
    return st->trace_log ? Py_NewRef(Py_None) : PyErr_NoMemory();
}

PyObject *sfpy_memory_batch(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpyState *st = sfpy_state(module);
    return PyLong_FromLongLong(st->trace_log ? sf_trace_batch(st->trace) : -1);
}

PyObject *sfpy_stop_memory_log(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = sfpy_state(module);
    if (st->trace_log) {
        st->trace_log = NULL;
        sfpy_watch_tensors(st);
        sf_trace_stop_log(st->trace);
    }
    Py_RETURN_NONE;
}

static int32_t moment_now(const SfpyState *st)
{
    return st->trace_log ? sf_graph_size(sf_trace_graph(st->trace)) : -1;
}

PyObject *sfpy_memory_moment(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromLong(moment_now(sfpy_state(module)));
}

PyObject *sfpy_memory_span(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    int first, recomputed;
    if (!PyArg_ParseTuple(args, "ip:memory_span", &first, &recomputed)) {
        return NULL;
    }
    if (st->trace_log && first >= 0 && first < moment_now(st)) {
        sf_trace_log_stretch(st->trace_log,
                             (SfStretch){first, moment_now(st),
                                         recomputed ? SF_STRETCH_RECOMPUTED : SF_STRETCH_FUNCTION,
                                         0});
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_memory_place(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    int first;
    unsigned long long devices;
    if (!PyArg_ParseTuple(args, "iK:memory_place", &first, &devices)) {
        return NULL;
    }
    if (st->trace_log && first >= 0 && first < moment_now(st)) {
        sf_trace_log_stretch(st->trace_log,
                             (SfStretch){first, moment_now(st), SF_STRETCH_PLACED, devices});
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_memory_given(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    if (st->trace_log && sfpy_is_tensor(tensor) && !((SfpyTensor *)tensor)->graph) {
        sf_trace_log_give(st->trace_log, ((SfpyTensor *)tensor)->t.index);
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_memory_state(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    if (st->trace_log && sfpy_is_tensor(tensor) && !((SfpyTensor *)tensor)->graph) {
        sf_trace_log_state(st->trace_log, ((SfpyTensor *)tensor)->t.index);
    }
    Py_RETURN_NONE;
}

PyObject *sfpy_memory_of_log(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    long long variables, slots, batch = -1;
    int device = -1;
    SfpyMemoryAsk ask;
    PyObject *how = NULL;
    if (!PyArg_ParseTuple(args, "LL|LOi:memory_of_log", &variables, &slots, &batch, &how,
                          &device) ||
        sfpy_memory_ask(how, &ask) < 0) {
        return NULL;
    }
    if (!st->trace_log || moment_now(st) == 0) {
        Py_RETURN_NONE;
    }
    SfArena arena;
    SfMemory m;
    PyObject *made = NULL;
    sf_arena_init(&arena);
    const SfEagerState state = {variables, slots, batch, device};
    const SfStatus status = sf_trace_memory(st->trace, state, ask.trial, &arena, &m);
    if (status == SF_OK) {
        made = memory_dict(&m, ask.by_node);
    } else if (status == SF_REPORTED || status == SF_UNMODELLED) {
        made = Py_NewRef(Py_None);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    sf_arena_free(&arena);
    return made;
}

PyObject *sfpy_set_run_hook(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    Py_SETREF(st->run_hook, Py_NewRef(hook));
    Py_RETURN_NONE;
}

PyObject *sfpy_set_memory_hook(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    Py_SETREF(st->memory_hook, Py_NewRef(hook));
    Py_RETURN_NONE;
}
