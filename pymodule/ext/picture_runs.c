/* Which shapes the runs of sessions had, for pictures: one record for each set of fetches, feeds
 * and their shapes whose nodes have other shapes than the static ones.
 * Invariant: nothing is kept unless record_runs() was called; at most `most` records, each of nodes
 * whose shapes differ; a run that repeats a known one is only counted.
 * Owner: the module state. Source: ours; core/session/session.h, sf_plan_output. */
#include "pymodule/ext/fetch.h"

struct SfpyRuns {
    PyObject *known;   /* key of a run: its number in `records`, or None when nothing differs */
    PyObject *records; /* list of dicts */
    PyObject *counts;  /* list of ints, parallel to records */
    PyObject *texts;
    uint64_t total; /* runs so far */
    int most, left_out;
};

/* life */
void sfpy_runs_free(SfpyState *st)
{
    SfpyRuns *r = st->run_records;
    st->run_records = NULL;
    if (r) {
        Py_XDECREF(r->known);
        Py_XDECREF(r->records);
        Py_XDECREF(r->counts);
        Py_XDECREF(r->texts);
        PyMem_Free(r);
    }
}

PyObject *sfpy_record_runs(PyObject *module, PyObject *arg)
{
    SfpyState *st = sfpy_state(module);
    const long most = PyLong_AsLong(arg);
    if (most == -1 && PyErr_Occurred()) {
        return NULL;
    }
    sfpy_runs_free(st);
    if (most <= 0) {
        Py_RETURN_NONE;
    }
    SfpyRuns *r = PyMem_Calloc(1, sizeof *r);
    st->run_records = r;
    if (!r || !(r->known = PyDict_New()) || !(r->records = PyList_New(0)) ||
        !(r->counts = PyList_New(0)) || !(r->texts = PyDict_New())) {
        sfpy_runs_free(st);
        return PyErr_NoMemory();
    }
    r->most = most > INT_MAX ? INT_MAX : (int)most;
    Py_RETURN_NONE;
}

/* one run */
/* What makes two runs the same: the number of the graph, and addresses. The addresses of nodes
 * count only together with that number, for the next graph may get the memory of a freed one. */
static PyObject *key_of(const SfpyGraph *g, const SfpyPrepared *p, const SfpyFeeds *feeds)
{
    int nsupply;
    const SfTensor *supply = sf_plan_supplies(p->plan, &nsupply);
    const size_t n = (size_t)(p->nfetch * 2 + p->ntarget + feeds->n * 3 + nsupply) + 5;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n * sizeof(uint64_t)));
    if (!bytes) {
        return NULL;
    }
    uint64_t *at = (uint64_t *)(void *)PyBytes_AS_STRING(bytes);
    *at++ = sf_graph_serial(g->g);
    *at++ = (uint64_t)p->nfetch;
    *at++ = (uint64_t)p->ntarget;
    *at++ = (uint64_t)feeds->n;
    *at++ = (uint64_t)nsupply;
    for (int i = 0; i < p->nfetch; i++) {
        *at++ = (uintptr_t)p->fetches[i].node;
        *at++ = (uint64_t)p->fetches[i].index;
    }
    for (int i = 0; i < p->ntarget; i++) {
        *at++ = (uintptr_t)p->targets[i];
    }
    for (int i = 0; i < feeds->n; i++) {
        *at++ = (uintptr_t)feeds->feeds[i].target.node;
        *at++ = (uint64_t)feeds->feeds[i].target.index;
        *at++ = (uintptr_t)feeds->feeds[i].shape;
    }
    for (int i = 0; i < nsupply; i++) {
        *at++ = (uintptr_t)supply[i].shape;
    }
    return bytes;
}

static PyObject *tensor_name(const SfTensor *t)
{
    return !t->node ? PyUnicode_FromString("")
                    : PyUnicode_FromFormat("%s:%d", t->node->name, t->index);
}

static PyObject *fetch_names(const SfpyPrepared *p)
{
    PyObject *names = PyList_New(0);
    for (int i = 0; names && i < p->nfetch; i++) {
        sfpy_list_add(&names, tensor_name(&p->fetches[i]));
    }
    for (int i = 0; names && i < p->ntarget; i++) {
        sfpy_list_add(&names, PyUnicode_FromFormat("%s", p->targets[i]->name));
    }
    return names;
}

static PyObject *feed_shapes(SfpyRuns *r, const SfpyFeeds *feeds)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < feeds->n; i++) {
        sfpy_dict_put(&dict, tensor_name(&feeds->feeds[i].target),
                      sfpy_shape_text_of(r->texts, feeds->feeds[i].shape));
    }
    return dict;
}

/* Puts the shapes of node `n` into `dict` when one differs from the static ones; false:
 * exception. */
static bool add_shapes(SfpyRuns *r, PyObject *dict, const SfNode *n, const SfShape *const *shapes)
{
    bool differs = false;
    for (int k = 0; k < n->nout; k++) {
        differs = differs || (shapes[k] && shapes[k] != n->outputs[k].shape);
    }
    if (!differs) {
        return true;
    }
    PyObject *list = PyList_New(0), *id = PyLong_FromLong(n->id);
    bool ok = list && id;
    for (int k = 0; ok && k < n->nout; k++) {
        const SfShape *s = shapes[k] ? shapes[k] : n->outputs[k].shape;
        ok = sfpy_append_new(list, sfpy_shape_text_of(r->texts, s));
    }
    ok = ok && PyDict_SetItem(dict, id, list) == 0;
    Py_XDECREF(list);
    Py_XDECREF(id);
    return ok;
}

/* {node: shapes} of the nodes that ran and of those that were fed. */
static PyObject *node_shapes(SfpyRuns *r, const SfpyPrepared *p, const SfpyFeeds *feeds)
{
    PyObject *dict = PyDict_New();
    const SfShape *few[16], **shapes = few;
    int room = 16;
    bool ok = dict;
    for (int i = 0; ok && i < feeds->n + sf_plan_size(p->plan); i++) {
        const bool fed = i < feeds->n;
        const int step = i - feeds->n;
        const SfNode *n = fed ? feeds->feeds[i].target.node : sf_plan_node(p->plan, step);
        if (n->nout > room) {
            const SfShape **more = PyMem_Calloc((size_t)n->nout, sizeof *more);
            if (!more) {
                PyErr_NoMemory();
                ok = false;
                break;
            }
            if (shapes != few) {
                PyMem_Free(shapes);
            }
            shapes = more;
            room = n->nout;
        }
        for (int k = 0; k < n->nout; k++) {
            const SfTensor *t = fed ? NULL : sf_plan_output(p->plan, step, k);
            shapes[k] = !t ? NULL : t->shape;
        }
        if (fed && feeds->feeds[i].target.index < n->nout) {
            shapes[feeds->feeds[i].target.index] = feeds->feeds[i].shape;
        }
        ok = add_shapes(r, dict, n, shapes);
    }
    if (shapes != few) {
        PyMem_Free(shapes);
    }
    if (!ok) {
        Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *record_of(SfpyRuns *r, const SfpyGraph *g, const SfpyPrepared *p,
                           const SfpyFeeds *feeds)
{
    return Py_BuildValue("{s:K,s:K,s:N,s:N,s:N}", "graph",
                         (unsigned long long)sf_graph_serial(g->g), "first",
                         (unsigned long long)r->total, "feeds", feed_shapes(r, feeds), "fetches",
                         fetch_names(p), "shapes", node_shapes(r, p, feeds));
}

/* A run not seen before: its number among the records, or None. New reference. */
static PyObject *new_run(SfpyRuns *r, const SfpyGraph *g, const SfpyPrepared *p,
                         const SfpyFeeds *feeds)
{
    PyObject *made = record_of(r, g, p, feeds);
    if (!made) {
        return NULL;
    }
    PyObject *number = NULL;
    if (PyDict_GET_SIZE(PyDict_GetItemString(made, "shapes")) == 0) {
        number = Py_NewRef(Py_None);
    } else if (PyList_GET_SIZE(r->records) >= r->most) {
        r->left_out++;
        number = Py_NewRef(Py_None);
    } else {
        number = PyLong_FromSsize_t(PyList_GET_SIZE(r->records));
        if (number && (PyList_Append(r->records, made) < 0 ||
                       !sfpy_append_new(r->counts, PyLong_FromLong(0)))) {
            Py_CLEAR(number);
        }
    }
    Py_DECREF(made);
    return number;
}

static bool count_run(SfpyRuns *r, PyObject *number)
{
    if (number == Py_None) {
        return true;
    }
    const Py_ssize_t i = PyLong_AsSsize_t(number);
    const long long n = PyLong_AsLongLong(PyList_GET_ITEM(r->counts, i));
    PyObject *more = PyLong_FromLongLong(n + 1);
    return more && PyList_SetItem(r->counts, i, more) == 0;
}

void sfpy_note_run(SfpyState *st, const SfpyGraph *g, const SfpyPrepared *p, const SfpyFeeds *feeds)
{
    SfpyRuns *r = st->run_records;
    PyObject *key = key_of(g, p, feeds);
    PyObject *number = !key ? NULL : PyDict_GetItemWithError(r->known, key);
    bool ok = key && !PyErr_Occurred();
    Py_XINCREF(number);
    if (ok && !number && !sf_plan_was_replayed(p->plan)) {
        number = new_run(r, g, p, feeds);
        ok = number && PyDict_SetItem(r->known, key, number) == 0;
    }
    ok = ok && (!number || count_run(r, number));
    r->total++;
    Py_XDECREF(number);
    Py_XDECREF(key);
    if (!ok) {
        PyErr_Clear(); /* a picture shows less; the run goes on */
    }
}

PyObject *sfpy_recorded_runs(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpyRuns *r = sfpy_state(module)->run_records;
    if (!r) {
        return Py_BuildValue("([][]i)", 0);
    }
    return Py_BuildValue("(OOi)", r->records, r->counts, r->left_out);
}
