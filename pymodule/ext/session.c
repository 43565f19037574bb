/* SessionCore: tf.Session.run over an SfSession.
 * Invariant: core runs without Python; what Python may do on the way (conversions of feeds, methods
 * of fetches, finalizers) never holds a prepared structure that could be freed under it.
 * Owner: the object owns the SfSession and the cache, and keeps its graph alive.
 * Source: tensorflow/python/client/session.py. */
#include "core/analysis/usage.h"
#include "lattice/hash.h"
#include "pymodule/ext/fetch.h"

#define CACHE_MAX 256

typedef struct Session {
    PyObject_HEAD SfpyState *st;
    SfpyGraph *graph;
    SfSession *s;
    bool closed;
    SfpyMemoryAsk ask;       /* of the run whose memory is asked for */
    PyObject *memory;        /* the answer */
    PyObject *given;         /* borrowed: what its sources give, by operation */
    PyObject *taken;         /* what the newest run took, for the memory hook; may be NULL */
    PyThread_type_lock lock; /* held by the thread for which core runs it */
    unsigned long busy;      /* its identity, or 0 */
    SfpyPrepared **cache;    /* CACHE_MAX entries, newest last */
    int ncache;
    PyObject *dict, *weak;
} Session;

static Session *as_session(PyObject *self)
{
    return (Session *)self;
}

/* life */
static PyObject *session_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
                             PyObject *Py_UNUSED(kwargs))
{
    Session *self = as_session(type->tp_alloc(type, 0)); /* zeroed */
    if (self) {
        self->st = sfpy_state_of(type);
    }
    return (PyObject *)self;
}

static int session_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"graph", NULL};
    Session *s = as_session(self);
    PyObject *graph;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:SessionCore", names, s->st->graph_type,
                                     &graph)) {
        return -1;
    }
    if (s->s) {
        PyErr_SetString(PyExc_RuntimeError, "SessionCore is initialised already");
        return -1;
    }
    if (!s->cache) {
        s->cache = PyMem_Calloc(CACHE_MAX, sizeof *s->cache);
    }
    if (!s->lock) {
        s->lock = PyThread_allocate_lock();
    }
    s->s = !s->cache || !s->lock ? NULL : sf_session_new(((SfpyGraph *)graph)->g);
    if (!s->s) {
        PyErr_NoMemory();
        return -1;
    }
    sf_session_observe(s->s, &sf_usage_observer);
    s->graph = (SfpyGraph *)Py_NewRef(graph);
    return 0;
}

static void drop_cache(Session *s)
{
    for (int i = 0; i < s->ncache; i++) {
        SfpyPrepared *p = s->cache[i];
        s->cache[i] = NULL;
        sfpy_prepared_free(p);
    }
    s->ncache = 0;
}

static int session_traverse(PyObject *self, visitproc visit, void *arg)
{
    Session *s = as_session(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->graph);
    Py_VISIT(s->dict);
    Py_VISIT(s->taken);
    for (int i = 0; i < s->ncache; i++) {
        SfpyPrepared *p = s->cache[i];
        if (p->refs > 1) {
            continue; /* in use: not garbage */
        }
        Py_VISIT(p->keep);
        for (int k = 0; k < p->ntree; k++) {
            Py_VISIT(p->tree[k].object);
        }
    }
    return 0;
}

static int session_clear(PyObject *self)
{
    drop_cache(as_session(self));
    Py_CLEAR(as_session(self)->dict);
    Py_CLEAR(as_session(self)->taken);
    return 0;
}

static void session_dealloc(PyObject *self)
{
    Session *s = as_session(self);
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (s->weak) {
        PyObject_ClearWeakRefs(self);
    }
    session_clear(self);
    PyMem_Free(s->cache);
    if (s->lock) {
        PyThread_free_lock(s->lock);
    }
    if (s->s) {
        sf_session_free(s->s);
    }
    Py_XDECREF(s->graph);
    type->tp_free(self);
    Py_DECREF(type);
}

/* prepared structures */
static uint64_t hash_tokens(const SfpyTokens *t)
{
    uint64_t h = (uint64_t)t->n;
    for (int i = 0; i < t->n; i++) {
        h = sf_hash_mix(h, t->t[i]);
    }
    return h;
}

static SfpyPrepared *find_prepared(const Session *s, const SfpyTokens *t, uint64_t hash)
{
    for (int i = s->ncache - 1; i >= 0; i--) {
        SfpyPrepared *p = s->cache[i];
        if (p->hash == hash && p->ntokens == t->n &&
            memcmp(p->tokens, t->t, sizeof *t->t * (size_t)t->n) == 0) {
            p->refs++;
            return p;
        }
    }
    return NULL;
}

/* A session runs once at a time. While core runs it, it may call a hook, which lets other
 * threads run: one that wants the same session waits here. */
static int enter_core(Session *s)
{
    const unsigned long me = PyThread_get_thread_ident();
    if (s->busy == me) {
        PyErr_SetString(PyExc_RuntimeError, "a session cannot run inside of its own run");
        return -1;
    }
    if (!PyThread_acquire_lock(s->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS(void) PyThread_acquire_lock(s->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    s->busy = me;
    return 0;
}

static void leave_core(Session *s)
{
    s->busy = 0;
    PyThread_release_lock(s->lock);
}

static int make_plan(Session *s, SfpyWorkspace *ws, SfpyPrepared *p, const SfpyFeeds *feeds)
{
    if (p->nfetch == 0 && p->ntarget == 0) {
        return 0;
    }
    SfTensor few[16];
    SfTensor *fed = feeds->n <= 16 ? few : PyMem_New(SfTensor, (size_t)feeds->n);
    if (!fed) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < feeds->n; i++) {
        fed[i] = feeds->feeds[i].target;
    }
    int r = enter_core(s);
    if (r == 0) {
        const SfStatus status = sf_session_plan(s->s, p->fetches, p->nfetch, p->targets, p->ntarget,
                                                fed, feeds->n, &ws->sink, &p->plan);
        leave_core(s);
        r = sfpy_check(ws, status, NULL);
    }
    if (fed != few) {
        PyMem_Free(fed);
    }
    return r;
}

static void remember(Session *s, SfpyPrepared *p, const SfpyTokens *t, uint64_t hash)
{
    p->tokens = PyMem_New(uintptr_t, (size_t)t->n + 1);
    if (!p->tokens || !s->cache) {
        return; /* prepared again next time */
    }
    memcpy(p->tokens, t->t, sizeof *t->t * (size_t)t->n);
    p->ntokens = t->n;
    p->hash = hash;
    if (s->ncache == CACHE_MAX) {
        drop_cache(s);
    }
    p->refs++;
    s->cache[s->ncache++] = p;
}

/* Are the first `n` tokens still those of `fetches`? Methods of what is fetched may have changed it
 * while it was prepared. */
static bool is_unchanged(Session *s, PyObject *fetches, const SfpyTokens *t, int n)
{
    SfpyTokens now;
    sfpy_tokens_init(&now);
    if (sfpy_fetch_tokens(s->graph, fetches, &now) < 0) {
        PyErr_Clear();
        return false;
    }
    return now.simple && now.n == n && memcmp(now.t, t->t, sizeof *t->t * (size_t)n) == 0;
}

static SfpyPrepared *prepare(Session *s, SfpyWorkspace *ws, PyObject *fetches,
                             const SfpyFeeds *feeds)
{
    SfpyTokens t;
    sfpy_tokens_init(&t);
    if (sfpy_fetch_tokens(s->graph, fetches, &t) < 0) {
        return NULL;
    }
    for (int i = 0; i < feeds->n && t.simple; i++) {
        t.simple = t.n + 2 <= SFPY_TOKENS;
        if (t.simple) {
            t.t[t.n++] = (uintptr_t)feeds->targets[i]->t.node;
            t.t[t.n++] = (uintptr_t)feeds->targets[i]->t.index;
        }
    }
    const uint64_t hash = hash_tokens(&t);
    SfpyPrepared *p = t.simple ? find_prepared(s, &t, hash) : NULL;
    if (p) {
        return p;
    }
    p = sfpy_prepare(s->graph, fetches, feeds);
    if (!p || make_plan(s, ws, p, feeds) < 0) {
        sfpy_prepared_free(p);
        return NULL;
    }
    if (t.simple && is_unchanged(s, fetches, &t, t.n - 2 * feeds->n)) {
        remember(s, p, &t, hash);
    }
    return p;
}

/* run */
/* The Operation that the newest error is about, or NULL. New reference. */
static PyObject *guilty(Session *s, const SfpyWorkspace *ws)
{
    const SfDiag *d = ws->sink.last;
    if (!d || !d->node || d->node->graph != s->graph->g) {
        return NULL;
    }
    PyObject *op = sfpy_operation_wrap(s->st, s->graph, sf_graph_node(s->graph->g, d->node->id));
    if (!op) {
        PyErr_Clear();
    }
    return op;
}

/* What is known of each fetch, as a list of eager tensors. */
static PyObject *build_known(Session *s, const SfpyPrepared *p, const SfTensor *results)
{
    PyObject *list = PyList_New(p->nfetch);
    for (int i = 0; list && i < p->nfetch; i++) {
        SfTensor t = results[i];
        t.node = t.state = NULL;
        t.index = 0;
        t.dtype = sf_dtype_base(t.dtype);
        sfpy_list_put(&list, i, sfpy_tensor_wrap(s->st, NULL, &t));
    }
    return list;
}

static PyObject *build(Session *s, SfpyPrepared *p, const SfTensor *results, const SfpyFeeds *feeds,
                       bool hit, uint64_t run_id, bool known)
{
    return known ? build_known(s, p, results)
                 : sfpy_fetch_build(s->st, p, results, feeds, hit, run_id);
}

/* What the next finding of a run compares with. Without memory it compares with nothing. */
static void remember_feeds(SfpyPrepared *p, const SfpyFeeds *feeds)
{
    if (!p->before && feeds->n > 0) {
        p->before = PyMem_Calloc((size_t)feeds->n, sizeof *p->before);
    }
    for (int i = 0; p->before && i < feeds->n; i++) {
        p->before[i] = feeds->feeds[i].shape;
    }
}

/* `sources` is NULL without any. */
static PyObject *run_prepared(Session *s, SfpyWorkspace *ws, SfpyPrepared *p,
                              const SfpyFeeds *feeds, SfpySources *sources, bool known)
{
    SfTensor few[16];
    SfTensor *results = p->nfetch <= 16 ? few : PyMem_New(SfTensor, (size_t)p->nfetch);
    bool hit = false;
    uint64_t run_id = 0;
    PyObject *r = NULL;
    if (!results) {
        return PyErr_NoMemory();
    }
    SfStatus status = SF_OK;
    ws->running = (SfpyRunning){++p->runs, feeds->n, feeds->feeds, p->before};
    if (p->plan) {
        if (enter_core(s) < 0) {
            goto out;
        }
        status = sf_plan_run(p->plan, feeds->feeds, feeds->n, &ws->sink, results, &hit, &run_id);
        leave_core(s);
        if (sources) {
            sfpy_sources_note(p->plan, sources);
        }
    }
    s->st->runs++;
    s->st->hits += hit;
    if (s->st->run_records && status == SF_OK && p->plan && !known) {
        sfpy_note_run(s->st, s->graph, p, feeds);
    }
    if (status == SF_OK && !ws->sink.first) {
        remember_feeds(p, feeds);
        r = build(s, p, results, feeds, hit, run_id, known);
    } else if (status == SF_REPORTED && sources && sources->failed >= 0) {
        sf_sink_clear(&ws->sink); /* sfpy_sources_done raises */
    } else {
        PyObject *op = status == SF_REPORTED ? guilty(s, ws) : NULL;
        if (sfpy_check(ws, status, op) == 0) {
            r = build(s, p, results, feeds, hit, run_id, known);
        }
        Py_XDECREF(op);
    }
out:
    ws->running = (SfpyRunning){0};
    if (results != few) {
        PyMem_Free(results);
    }
    return r;
}

/* Keeps the fetches and feeds of a first run that took elements from sources: a check runs them
 * once more, with the last batch. */
static bool keep_replay(Session *s, PyObject *fetches, PyObject *feed_dict)
{
    if (s->st->go_on_hook == Py_None) {
        return true;
    }
    PyObject *list = PyObject_GetAttrString((PyObject *)s, "_sf_replays");
    if (!list) {
        PyErr_Clear();
        list = PyList_New(0);
        if (!list || PyObject_SetAttrString((PyObject *)s, "_sf_replays", list) < 0) {
            Py_XDECREF(list);
            return false;
        }
    }
    const bool ok = sfpy_append_new(list, PyTuple_Pack(2, fetches, feed_dict));
    Py_DECREF(list);
    return ok;
}

/* A run that takes elements of sources, if its plan has any. */
static PyObject *run_with_sources(Session *s, SfpyWorkspace *ws, SfpyPrepared *p,
                                  const SfpyFeeds *feeds, PyObject *fetches, PyObject *feed_dict,
                                  bool known)
{
    SfpySources sources = {.failed = -1, .given = s->given};
    PyObject *r = NULL;
    if (sfpy_sources_take(ws, s->graph, p->plan, (PyObject *)s, feed_dict, &sources) == 0) {
        r = run_prepared(s, ws, p, feeds, &sources, known);
        if ((r || sources.failed >= 0) && sfpy_sources_done(s->st, (PyObject *)s, &sources) < 0) {
            Py_CLEAR(r);
        }
        if (r && p->runs == 1 && sources.n > 0 && !known && !keep_replay(s, fetches, feed_dict)) {
            Py_CLEAR(r);
        }
        if (r && !known && s->st->memory_hook != Py_None) {
            Py_XSETREF(s->taken, sfpy_sources_elements(s->graph, &sources));
            if (!s->taken) {
                Py_CLEAR(r);
            }
        }
    }
    sfpy_sources_free(&sources);
    return r;
}

static PyObject *run(Session *s, PyObject *fetches, PyObject *feed_dict, bool known)
{
    if ((s->closed && !known) || !s->s) { /* this package may still ask */
        PyErr_SetString(PyExc_RuntimeError, "Attempted to use a closed Session.");
        return NULL;
    }
    if (sf_graph_size(s->graph->g) == 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        s->st->version >= SF_VERSION(2, 0)
                            ? "The Session graph is empty. Add operations to the graph before "
                              "calling run()."
                            : "The Session graph is empty.  Add operations to the graph before "
                              "calling run().");
        return NULL;
    }
    SfpyFeeds feeds;
    SfpyPrepared *p = NULL;
    PyObject *r = NULL;
    SfpyWorkspace *ws = sfpy_workspace_acquire(s->st);
    if (!ws) {
        return NULL;
    }
    sfpy_feeds_init(&feeds);
    sf_usage_check_growth(s->s, &ws->sink);
    if (sfpy_check(ws, SF_OK, NULL) == 0 &&
        (feed_dict == Py_None || sfpy_feeds_read(s->graph, feed_dict, &feeds) == 0) &&
        (p = prepare(s, ws, fetches, &feeds))) {
        if (s->ask.trial.rounding > 0 && p->plan) {
            sf_plan_forget(p->plan);
        }
        r = p->plan && sf_graph_has_sources(s->graph->g)
                ? run_with_sources(s, ws, p, &feeds, fetches, feed_dict, known)
                : run_prepared(s, ws, p, &feeds, NULL, known);
        if (r && s->ask.trial.rounding > 0 && p->plan) {
            s->memory = sfpy_memory_of(p->plan, &s->ask);
        }
    }
    sfpy_prepared_free(p);
    sfpy_feeds_free(&feeds);
    sfpy_workspace_release(ws);
    return r;
}

/* Gives `result`; releases it when the hook raises. `given`: two, and, or NULL, a third. */
static PyObject *tell_of_run(PyObject *hook, PyObject *session, PyObject *const given[3],
                             PyObject *result)
{
    if (hook == Py_None) {
        return result;
    }
    Py_INCREF(hook);
    PyObject *done =
        PyObject_CallFunctionObjArgs(hook, session, given[0], given[1], given[2], NULL);
    Py_DECREF(hook);
    if (!done) {
        Py_CLEAR(result);
    }
    Py_XDECREF(done);
    return result;
}

static PyObject *session_run(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    PyObject *given[3] = {NULL, Py_None, NULL};
    const Py_ssize_t nkw = !kwnames ? 0 : PyTuple_GET_SIZE(kwnames);
    if (nargs > 4) { /* options and run_metadata change nothing here */
        return PyErr_Format(PyExc_TypeError, "run() takes 4 arguments, %zd were given", nargs);
    }
    for (Py_ssize_t i = 0; i < nargs && i < 2; i++) {
        given[i] = args[i];
    }
    for (Py_ssize_t i = 0; i < nkw; i++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, i);
        if (PyUnicode_CompareWithASCIIString(name, "feed_dict") == 0) {
            given[1] = args[nargs + i];
        } else if (PyUnicode_CompareWithASCIIString(name, "fetches") == 0) {
            given[0] = args[nargs + i];
        } else if (PyUnicode_CompareWithASCIIString(name, "options") != 0 &&
                   PyUnicode_CompareWithASCIIString(name, "run_metadata") != 0) {
            return PyErr_Format(PyExc_TypeError, "run() got an unexpected keyword argument '%U'",
                                name);
        }
    }
    if (!given[0]) {
        return PyErr_Format(PyExc_TypeError,
                            "run() missing 1 required positional argument: 'fetches'");
    }
    SfpyState *st = as_session(self)->st;
    const uint64_t hits = st->hits;
    PyObject *r = run(as_session(self), given[0], given[1], false);
    PyObject *taken = as_session(self)->taken;
    as_session(self)->taken = NULL;
    if (r && st->hits == hits) {
        PyObject *const all[] = {given[0], given[1], taken ? taken : Py_None};
        r = tell_of_run(st->memory_hook, self, all, r);
    }
    Py_XDECREF(taken);
    return r ? tell_of_run(st->run_hook, self, given, r) : NULL;
}

/* What such a run holds in memory; None: it needs none, or an iterator would have to give more. */
static PyObject *session_memory(PyObject *self, PyObject *args)
{
    Session *s = as_session(self);
    PyObject *fetches, *feed_dict;
    SfpyMemoryAsk ask;
    PyObject *how = NULL, *given = Py_None;
    if (!PyArg_ParseTuple(args, "OO|OO:memory", &fetches, &feed_dict, &how, &given) ||
        sfpy_memory_ask(how, &ask) < 0) {
        return NULL;
    }
    s->ask = ask;
    s->memory = NULL;
    s->given = given == Py_None ? NULL : given;
    PyObject *r = run(s, fetches, feed_dict, true);
    PyObject *memory = s->memory;
    s->given = NULL;
    s->ask.trial.rounding = 0;
    s->memory = NULL;
    if (!r || (!memory && PyErr_Occurred())) {
        Py_XDECREF(r);
        Py_XDECREF(memory);
        return NULL;
    }
    Py_DECREF(r);
    return memory ? memory : Py_NewRef(Py_None);
}

/* The same as run(), also of a closed session; what is known of the fetches. */
static PyObject *session_replay(PyObject *self, PyObject *args)
{
    PyObject *fetches, *feed_dict;
    if (!PyArg_ParseTuple(args, "OO:replay", &fetches, &feed_dict)) {
        return NULL;
    }
    return run(as_session(self), fetches, feed_dict, true);
}

/* For Python code of this package: what is known of tensors, not what a program would see. */
static PyObject *session_evaluate(PyObject *self, PyObject *args)
{
    PyObject *tensors, *feed_dict;
    if (!PyArg_ParseTuple(args, "OO:evaluate", &tensors, &feed_dict)) {
        return NULL;
    }
    return run(as_session(self), tensors, feed_dict, true);
}

/* state */
/* The node of an Operation of this session's graph; NULL with an exception. */
static SfNode *node_of(Session *s, PyObject *op)
{
    PyObject *e = !s->graph ? NULL : sfpy_graph_element(s->graph, op, true, true);
    if (!e) {
        return NULL;
    }
    SfNode *node = sfpy_is_tensor(e) ? ((SfpyTensor *)e)->t.node : ((SfpyOperation *)e)->node;
    Py_DECREF(e); /* the node stays */
    return node;
}

/* 1: the state of an operation, which is initialised; 0: it is not; -1 with an exception. */
static int state_of(Session *s, PyObject *op, SfState *state)
{
    SfNode *node = node_of(s, op);
    return !node ? -1 : sf_session_state(s->s, node, state) && state->initialized;
}

static PyObject *session_state_shape(PyObject *self, PyObject *op)
{
    Session *s = as_session(self);
    SfState state;
    const int r = state_of(s, op, &state);
    return r > 0 ? sfpy_shape(s->st, state.shape) : r < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *session_initialized(PyObject *self, PyObject *op)
{
    SfState state;
    const int r = state_of(as_session(self), op, &state);
    return r < 0 ? NULL : PyBool_FromLong(r);
}

/* The content of the state as a program sees it: the array that a fetch would give. */
static PyObject *session_state_value(PyObject *self, PyObject *op)
{
    Session *s = as_session(self);
    SfState state;
    const int r = state_of(s, op, &state);
    if (r <= 0) {
        return r < 0 ? NULL : Py_NewRef(Py_None);
    }
    const SfTensor t = {.shape = state.shape, .value = state.value, .dtype = state.dtype};
    return sfpy_np_result(s->st, &t, false);
}

static SfDtype declared_dtype(const SfNode *node)
{
    const SfAttr *a = sf_node_attr(node, "dtype");
    if (a && a->type == SF_ATTR_TYPE) {
        return a->u.type;
    }
    return node->nout > 0 ? sf_dtype_base(node->outputs[0].dtype) : SF_DT_FLOAT;
}

static PyObject *session_set_state(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"op", "shape", "value", NULL};
    Session *s = as_session(self);
    PyObject *op, *shape, *value = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O:set_state", names, &op, &shape, &value)) {
        return NULL;
    }
    SfNode *node = node_of(s, op);
    SfState state = {.initialized = true};
    if (!node || !(state.shape = sfpy_shape_from(s->st, shape))) {
        return NULL;
    }
    state.dtype = declared_dtype(node);
    if (value != Py_None) {
        SfpyArray a;
        if (sfpy_np_feed(s->st, value, state.dtype, SF_VALUE_MAX, &a) < 0) {
            return NULL;
        }
        state.value = a.value;
        state.shape = a.shape;
    }
    if (enter_core(s) < 0) {
        return NULL;
    }
    const SfStatus status = sf_session_set_state(s->s, node, &state);
    leave_core(s);
    if (status != SF_OK) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* Python code of this package that runs something for its own purposes. */
static PyObject *session_note_usage(PyObject *self, PyObject *on)
{
    const int yes = PyObject_IsTrue(on);
    if (yes < 0) {
        return NULL;
    }
    if (as_session(self)->s) {
        sf_session_set_noted(as_session(self)->s, yes);
    }
    Py_RETURN_NONE;
}

static PyObject *session_close(PyObject *self, PyObject *Py_UNUSED(unused))
{
    as_session(self)->closed = true;
    drop_cache(as_session(self));
    Py_RETURN_NONE;
}

/* Runs are placed on the machine that is set now. */
static PyObject *session_place(PyObject *self, PyObject *soft)
{
    Session *s = as_session(self);
    const int truth = PyObject_IsTrue(soft);
    if (truth < 0) {
        return NULL;
    }
    if (s->s) {
        sf_session_set_machine(s->s, s->st->machine, truth != 0);
    }
    Py_RETURN_NONE;
}

/* {name of a node: name of its device}, as the newest run placed them; None: nothing was placed. */
static PyObject *session_placement(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Session *s = as_session(self);
    int n = 0;
    const int16_t *devices = !s->s ? NULL : sf_session_devices(s->s, &n);
    if (!devices || !s->st->machine) {
        Py_RETURN_NONE;
    }
    PyObject *made = PyDict_New();
    for (int i = 0; made && i < n; i++) {
        PyObject *device = PyUnicode_FromString(s->st->machine->devices[devices[i]].name);
        const char *name = sf_graph_node(s->graph->g, i)->name;
        if (!device || PyDict_SetItemString(made, name, device) < 0) {
            Py_CLEAR(made);
        }
        Py_XDECREF(device);
    }
    return made;
}

static PyObject *get_graph(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyGraph *graph = as_session(self)->graph;
    return Py_NewRef(!graph ? Py_None : (PyObject *)graph);
}

static PyObject *get_stats(PyObject *self, void *Py_UNUSED(closure))
{
    Session *s = as_session(self);
    const SfSessionStats stats = !s->s ? (SfSessionStats){0} : sf_session_stats(s->s);
    return Py_BuildValue("{s:K,s:K,s:K,s:i}", "runs", (unsigned long long)stats.runs, "memo_hits",
                         (unsigned long long)stats.memo_hits, "inferences",
                         (unsigned long long)stats.inferences, "prepared", s->ncache);
}

static PyGetSetDef session_getset[] = {
    {"graph", get_graph, NULL, NULL, NULL},
    {"stats", get_stats, NULL, "Runs, memo hits, inferences, prepared structures.", NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f)
static PyMethodDef session_methods[] = {
    {"run", KEYWORDS(session_run), METH_FASTCALL | METH_KEYWORDS,
     SFPY_TAKES("run", ", fetches, feed_dict=None, options=None, run_metadata=None")},
    {"evaluate", session_evaluate, METH_VARARGS,
     "evaluate(tensors, feed_dict): what is known of each distinct tensor, as eager tensors."},
    {"state_shape", session_state_shape, METH_O, "state_shape(op): None when uninitialised."},
    {"state_value", session_state_value, METH_O, "state_value(op): as a fetch would give it."},
    {"set_state", KEYWORDS(session_set_state), METH_VARARGS | METH_KEYWORDS,
     "set_state(op, shape, value=None)"},
    {"initialized", session_initialized, METH_O, "initialized(op)"},
    {"note_usage", session_note_usage, METH_O, "note_usage(on): do runs count as the program's?"},
    {"replay", session_replay, METH_VARARGS,
     "replay(fetches, feed_dict): a run of the past, for a check."},
    {"memory", session_memory, METH_VARARGS,
     "memory(fetches, feed_dict, trial=(), elements=None): what such a run holds, as "
     "core/analysis/memory.h says; `elements`: what its sources give, by operation."},
    {"place", session_place, METH_O,
     "place(soft): runs are placed on the machine of set_machine; soft as allow_soft_placement."},
    {"placement", session_placement, METH_NOARGS,
     "placement(): {node: device} of the newest placement, or None."},
    {"close", session_close, METH_NOARGS, SFPY_TAKES("close", "") "run() raises from here on."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef session_members[] = {
    {"closed", T_BOOL, offsetof(Session, closed), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Session, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Session, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot session_slots[] = {
    {Py_tp_doc, "A session over one graph: prepared structures, state, memo."},
    {Py_tp_new, session_new},
    {Py_tp_init, session_init},
    {Py_tp_dealloc, session_dealloc},
    {Py_tp_traverse, session_traverse},
    {Py_tp_clear, session_clear},
    {Py_tp_getset, session_getset},
    {Py_tp_methods, session_methods},
    {Py_tp_members, session_members},
    {0, NULL},
};

PyType_Spec sfpy_session_spec = {
    .name = "shapeflow._core.SessionCore",
    .basicsize = sizeof(Session),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = session_slots,
};
