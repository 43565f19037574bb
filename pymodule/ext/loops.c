/* The loops and branches of the user's sources, as checker/loops/instrument.py compiles them.
 * `for x in ITERABLE` iterates over loop(place, ITERABLE), which is a Loop around its iterator;
 * before `while TEST` stands enter(place), and its test is `turn(place) and TEST`. A condition is
 * computed by test() or truth(), which note how it came out.
 * Invariant: without watch_loops(), and in other threads, all of them only do what the source says.
 * After `need` turns that left the novelty of the process as it was, and `seconds` at its place,
 * a loop asks the hook at the head of each turn; False leaves it. What it skips is decided there.
 * Owner: the module state. Source: docs/loops.md. */
#include "pymodule/ext/ext.h"

#include <frameobject.h>
#include <time.h>

#include "core/base/novelty.h"

enum { PLACES_MAX = 1 << 16, WHILES = 64, OPERANDS = 2 };

/* What is compared of an operand from turn to turn: numbers by value, what has a length by its
 * length, anything else by its type. */
typedef struct Operand {
    enum { OTHER, NUMBER, LENGTH } kind;
    double value;
} Operand;

typedef struct Branch {
    Operand last[OPERANDS];
    uint64_t varied; /* the turn in which an operand last differed from the turn before */
    bool seen;
    bool of_tensor; /* was the newest condition one? */
    bool taken[2];  /* how often the result was false, and true */
} Branch;

typedef struct Loop {
    PyObject_HEAD SfpyState *st;
    PyObject *iterator; /* NULL: of a while loop */
    PyObject *data;     /* the hook's */
    PyObject *check;    /* what is called at the head of a turn; NULL: nothing more is */
    PyObject *place;
    int64_t number;   /* the same */
    int64_t began;    /* when its newest turn did, in ns; 0: none has */
    uint64_t novelty; /* at the head of the newest turn */
    uint64_t since;   /* the variations that there were when something last was new */
    uint64_t turns;   /* that were begun */
    int64_t quiet;    /* turns since something was new */
    int64_t wait;     /* turns until the hook is asked again */
} Loop;

/* A while loop is found by its frame, which is compared and never read. */
typedef struct While {
    const PyFrameObject *frame;
    Loop *loop;
} While;

struct SfpyLoops {
    PyObject *hook;
    unsigned long thread;
    double seconds;
    int64_t need;
    uint64_t variations; /* counts what `varied` is taken from */
    Branch *branches;
    Py_ssize_t nbranches;
    int64_t *spent; /* by place, in ns */
    Py_ssize_t nspent;
    While whiles[WHILES]; /* the newest last */
    int nwhiles;
};

static Loop *as_loop(PyObject *self)
{
    return (Loop *)self;
}

static bool is_watched(const SfpyState *st)
{
    return st->loops && st->loops->thread == PyThread_get_thread_ident();
}

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The item of a number in a table that grows; NULL: too far out, or no memory. */
static void *item_at(void **items, Py_ssize_t *n, Py_ssize_t at, size_t size)
{
    if (at < 0 || at >= PLACES_MAX) {
        return NULL;
    }
    if (at >= *n) {
        const Py_ssize_t wanted = at * 2 + 64;
        char *grown = PyMem_Realloc(*items, (size_t)wanted * size);
        if (!grown) {
            return NULL;
        }
        memset(grown + (size_t)*n * size, 0, (size_t)(wanted - *n) * size);
        *items = grown;
        *n = wanted;
    }
    return (char *)*items + (size_t)at * size;
}

static int64_t *spent_at(SfpyLoops *w, int64_t place)
{
    return item_at((void **)&w->spent, &w->nspent, (Py_ssize_t)place, sizeof *w->spent);
}

/* turns */
static Loop *loop_new(SfpyState *st, PyObject *place, PyObject *iterator)
{
    Loop *l = PyObject_GC_New(Loop, st->loop_type);
    if (!l) {
        return NULL;
    }
    l->st = st;
    l->iterator = Py_XNewRef(iterator);
    l->data = Py_NewRef(Py_None);
    l->check = NULL;
    l->place = Py_NewRef(place);
    l->number = PyLong_AsLongLong(place);
    l->began = 0;
    l->novelty = sf_novelty();
    l->since = st->loops->variations;
    l->turns = 0;
    l->quiet = l->wait = 0;
    PyObject_GC_Track((PyObject *)l);
    return l;
}

static int ask_hook(SfpyLoops *w, Loop *l)
{
    PyObject *hook = Py_NewRef(w->hook);
    PyObject *r = PyObject_CallFunctionObjArgs(hook, (PyObject *)l, NULL);
    const int goes_on = !r ? -1 : PyObject_IsTrue(r);
    Py_DECREF(hook);
    Py_XDECREF(r);
    return goes_on;
}

/* Counts files that are opened for the first time. It begins when it is first asked for, because
 * an audit hook slows every event of the process (imports too) and can never be removed. */
enum { PATH_BITS = 20 };
static uint8_t opened[1 << (PATH_BITS - 3)]; /* by hash: a collision hides one file */
static bool is_hooked, hears_open;

static int note_open(const char *event, PyObject *args, void *Py_UNUSED(data))
{
    if (!hears_open || strcmp(event, "open") != 0 || PyTuple_GET_SIZE(args) < 1 ||
        !PyUnicode_CheckExact(PyTuple_GET_ITEM(args, 0))) {
        return 0;
    }
    const Py_hash_t hash = PyObject_Hash(PyTuple_GET_ITEM(args, 0));
    const size_t at = (size_t)hash & ((1U << PATH_BITS) - 1);
    if (!(opened[at / 8] & (1U << (at % 8)))) {
        opened[at / 8] |= (uint8_t)(1U << (at % 8));
        sf_novelty_count();
    }
    return 0;
}

static void hear_open(void)
{
    hears_open = true;
    if (!is_hooked && PySys_AddAuditHook(note_open, NULL) < 0) {
        PyErr_Clear(); /* another hook refuses it */
    }
    is_hooked = true;
}

/* At the head of a turn. 1: it is run; 0: the loop is left; -1 with an exception. */
static int begin_turn(Loop *l)
{
    SfpyLoops *w = l->st->loops;
    if (!w) {
        return 1;
    }
    const int64_t now = now_ns();
    int64_t *spent = spent_at(w, l->number);
    if (spent && l->began) {
        *spent += now - l->began;
    }
    l->began = now;
    l->turns++;
    const uint64_t novelty = sf_novelty();
    if (novelty != l->novelty) {
        l->novelty = novelty;
        l->since = w->variations;
        l->quiet = l->wait = 0;
        return 1;
    }
    if (++l->quiet <= w->need || !spent || (double)*spent < w->seconds * 1e9) {
        return 1;
    }
    if (l->wait > 0) {
        l->wait--;
        return 1;
    }
    if (!hears_open) {
        hear_open();
        l->quiet = 0;
        return 1;
    }
    const int goes_on = ask_hook(w, l);
    l->began = now_ns();
    l->novelty = sf_novelty();
    return goes_on;
}

/* Where the body of a tf.function runs, TensorFlow has a graph of one turn: the hook says what must
 * hold at the heads of turns. 0 or -1. */
static int watch_graph_loop(Loop *l, PyObject *iterable)
{
    SfpyState *st = l->st;
    if (st->graph_loop_hook == Py_None || !sfpy_is_in_function(st)) {
        return 0;
    }
    PyObject *hook = Py_NewRef(st->graph_loop_hook);
    PyObject *found = PyObject_CallFunctionObjArgs(hook, l->place, iterable, NULL);
    Py_DECREF(hook);
    if (found && PyTuple_Check(found) && PyTuple_GET_SIZE(found) == 2) {
        if (PyTuple_GET_ITEM(found, 0) != Py_None && l->iterator) {
            Py_SETREF(l->iterator, Py_NewRef(PyTuple_GET_ITEM(found, 0)));
        }
        Py_XSETREF(l->check, Py_NewRef(PyTuple_GET_ITEM(found, 1)));
    }
    Py_XDECREF(found);
    return found ? 0 : -1;
}

/* 0 or -1 */
static int check_turn(Loop *l)
{
    if (!l->check) {
        return 0;
    }
    PyObject *check = Py_NewRef(l->check);
    PyObject *r = PyObject_CallNoArgs(check);
    Py_DECREF(check);
    if (r == Py_False) {
        Py_CLEAR(l->check);
    }
    Py_XDECREF(r);
    return r ? 0 : -1;
}

static PyObject *loop_next(PyObject *self)
{
    Loop *l = as_loop(self);
    if (!l->iterator || begin_turn(l) <= 0 || check_turn(l) < 0) {
        return NULL;
    }
    PyObject *iterator = Py_NewRef(l->iterator); /* the hook may have put another one */
    PyObject *item = Py_TYPE(iterator)->tp_iternext(iterator);
    Py_DECREF(iterator);
    return item;
}

/* loop(place, iterable): what a `for` iterates over. */
PyObject *sfpy_loop(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    SfpyState *st = sfpy_state(module);
    if (nargs != 2 || !PyLong_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "loop(place, iterable)");
        return NULL;
    }
    PyObject *iterator = PyObject_GetIter(args[1]);
    if (!iterator || !is_watched(st)) {
        return iterator;
    }
    Loop *l = loop_new(st, args[0], iterator);
    Py_DECREF(iterator);
    if (l && sfpy_is_tensor(args[1]) && watch_graph_loop(l, args[1]) < 0) {
        Py_CLEAR(l);
    }
    return (PyObject *)l;
}

static int while_at(const SfpyLoops *w, const PyFrameObject *frame, int64_t place)
{
    for (int i = w->nwhiles - 1; i >= 0; i--) {
        if (w->whiles[i].frame == frame && w->whiles[i].loop->number == place) {
            return i;
        }
    }
    return -1;
}

static Loop *take_out(SfpyLoops *w, int at)
{
    Loop *l = w->whiles[at].loop;
    w->nwhiles--;
    memmove(&w->whiles[at], &w->whiles[at + 1], (size_t)(w->nwhiles - at) * sizeof *w->whiles);
    return l;
}

/* enter(place): a while loop begins in the running frame. */
PyObject *sfpy_loop_enter(PyObject *module, PyObject *place)
{
    SfpyState *st = sfpy_state(module);
    if (!is_watched(st) || !PyLong_CheckExact(place)) {
        Py_RETURN_NONE;
    }
    SfpyLoops *w = st->loops;
    const PyFrameObject *frame = PyEval_GetFrame();
    Loop *l = loop_new(st, place, NULL);
    if (!l || watch_graph_loop(l, Py_None) < 0) {
        Py_XDECREF(l);
        return NULL;
    }
    const int known = while_at(w, frame, l->number);
    Loop *old = known >= 0 ? take_out(w, known) : w->nwhiles == WHILES ? take_out(w, 0) : NULL;
    w->whiles[w->nwhiles++] = (While){frame, l};
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

/* turn(place): does the while loop of the running frame go on? */
PyObject *sfpy_loop_turn(PyObject *module, PyObject *place)
{
    SfpyState *st = sfpy_state(module);
    if (!is_watched(st) || !PyLong_CheckExact(place)) {
        Py_RETURN_TRUE;
    }
    const int at = while_at(st->loops, PyEval_GetFrame(), PyLong_AsLongLong(place));
    if (at < 0) {
        Py_RETURN_TRUE;
    }
    Loop *l = st->loops->whiles[at].loop;
    Py_INCREF(l);
    int goes_on = begin_turn(l);
    if (goes_on > 0 && check_turn(l) < 0) {
        goes_on = -1;
    }
    Py_DECREF(l);
    return goes_on < 0 ? NULL : PyBool_FromLong(goes_on);
}

/* branches */
static Operand operand_of(SfpyState *st, PyObject *o)
{
    int64_t i;
    if (PyFloat_Check(o)) {
        return (Operand){NUMBER, PyFloat_AS_DOUBLE(o)};
    }
    if (PyLong_Check(o)) {
        const double v = PyLong_AsDouble(o);
        if (v == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
        }
        return (Operand){NUMBER, v};
    }
    if (PyUnicode_CheckExact(o)) {
        return (Operand){NUMBER, (double)PyObject_Hash(o)};
    }
    if (PyList_Check(o) || PyTuple_Check(o) || PyDict_Check(o) || PyAnySet_Check(o)) {
        return (Operand){LENGTH, (double)PyObject_Size(o)};
    }
    if (sfpy_is_tensor(o)) {
        const SfTensor t = sfpy_tensor_peek((SfpyTensor *)o);
        return t.value && sf_value_as_int(t.value, &i) ? (Operand){NUMBER, (double)i}
                                                       : (Operand){OTHER, 0};
    }
    SfpyArray a;
    if (sfpy_np_is_array(st, o)) {
        if (sfpy_np_describe(st, o, 0, &a) == 0 && sf_shape_rank(a.shape) == 0) {
            const double v = PyFloat_AsDouble(o);
            if (!PyErr_Occurred()) {
                return (Operand){NUMBER, v};
            }
        }
        PyErr_Clear();
    }
    return (Operand){OTHER, 0};
}

static bool same_operand(const Operand *a, const Operand *b)
{
    const bool both_nan = a->value != a->value && b->value != b->value;
    return a->kind == b->kind && (a->value == b->value || both_nan);
}

/* Notes how a condition came out. Once both ways were taken, nothing more is asked of it. */
static void note_branch(SfpyState *st, PyObject *number, PyObject *const *operands, int n,
                        int truth, bool of_tensor)
{
    if (!is_watched(st)) {
        return;
    }
    SfpyLoops *w = st->loops;
    Branch *b = item_at((void **)&w->branches, &w->nbranches, PyLong_AsSsize_t(number), sizeof *b);
    if (!b) {
        return;
    }
    b->of_tensor = of_tensor;
    if (b->taken[0] && b->taken[1]) {
        return;
    }
    for (int i = 0; i < n; i++) {
        const Operand o = operand_of(st, operands[i]);
        if (b->seen && !same_operand(&o, &b->last[i])) {
            b->varied = ++w->variations;
        }
        b->last[i] = o;
    }
    b->seen = true;
    if (!b->taken[truth]) {
        b->taken[truth] = true;
        sf_novelty_count();
    }
}

/* *of_tensor: is what the comparison gives a tensor? */
static int compare(PyObject *left, PyObject *right, long op, bool *of_tensor)
{
    enum { IN = Py_GE + 1, NOT_IN, IS, IS_NOT };
    switch (op) {
    case IN:
    case NOT_IN: {
        const int found = PySequence_Contains(right, left);
        return found < 0 ? -1 : found == (op == IN);
    }
    case IS:
        return left == right;
    case IS_NOT:
        return left != right;
    default: {
        PyObject *r = PyObject_RichCompare(left, right, (int)op);
        *of_tensor = r && sfpy_is_tensor(r);
        const int truth = !r ? -1 : PyObject_IsTrue(r);
        Py_XDECREF(r);
        return truth;
    }
    }
}

/* test(branch, op, left, right): the truth of a comparison. */
PyObject *sfpy_branch_test(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 4 || !PyLong_CheckExact(args[0]) || !PyLong_CheckExact(args[1])) {
        PyErr_SetString(PyExc_TypeError, "test(branch, op, left, right)");
        return NULL;
    }
    bool of_tensor = false;
    const int truth = compare(args[2], args[3], PyLong_AsLong(args[1]), &of_tensor);
    if (truth < 0) {
        return NULL;
    }
    note_branch(sfpy_state(module), args[0], &args[2], OPERANDS, truth, of_tensor);
    return PyBool_FromLong(truth);
}

/* truth(branch, value): the truth of any other condition. */
PyObject *sfpy_branch_truth(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2 || !PyLong_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "truth(branch, value)");
        return NULL;
    }
    const int truth = PyObject_IsTrue(args[1]);
    if (truth < 0) {
        return NULL;
    }
    note_branch(sfpy_state(module), args[0], &args[1], 1, truth, sfpy_is_tensor(args[1]));
    return PyBool_FromLong(truth);
}

PyObject *sfpy_branches_open(PyObject *module, PyObject *since)
{
    const SfpyLoops *w = sfpy_state(module)->loops;
    const unsigned long long after = PyLong_AsUnsignedLongLong(since);
    PyObject *list = PyErr_Occurred() ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; list && w && i < w->nbranches; i++) {
        const Branch *b = &w->branches[i];
        if (b->seen && !(b->taken[0] && b->taken[1])) {
            PyObject *row = Py_BuildValue("nOO", i, b->taken[1] ? Py_True : Py_False,
                                          b->varied > after ? Py_True : Py_False);
            if (!sfpy_append_new(list, row)) {
                Py_CLEAR(list);
            }
        }
    }
    return list;
}

PyObject *sfpy_branch_of_tensor(PyObject *module, PyObject *branch)
{
    const SfpyLoops *w = sfpy_state(module)->loops;
    const Py_ssize_t at = PyLong_AsSsize_t(branch);
    if (at == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyBool_FromLong(w && at >= 0 && at < w->nbranches && w->branches[at].of_tensor);
}

PyObject *sfpy_set_graph_loop_hook(PyObject *module, PyObject *hook)
{
    return !sfpy_hook_set(&sfpy_state(module)->graph_loop_hook, hook) ? NULL : Py_NewRef(Py_None);
}

PyObject *sfpy_variations(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpyLoops *w = sfpy_state(module)->loops;
    return PyLong_FromUnsignedLongLong(w ? w->variations : 0);
}

/* the watch */
void sfpy_loops_free(SfpyState *st)
{
    SfpyLoops *w = st->loops;
    st->loops = NULL;
    if (!w) {
        return;
    }
    for (int i = 0; i < w->nwhiles; i++) {
        Py_DECREF(w->whiles[i].loop);
    }
    Py_XDECREF(w->hook);
    PyMem_Free(w->branches);
    PyMem_Free(w->spent);
    PyMem_Free(w);
}

PyObject *sfpy_watch_loops(PyObject *module, PyObject *args)
{
    SfpyState *st = sfpy_state(module);
    PyObject *hook;
    double seconds = 0;
    long long need = 0;
    if (!PyArg_ParseTuple(args, "O|dL:watch_loops", &hook, &seconds, &need)) {
        return NULL;
    }
    sfpy_loops_free(st);
    hears_open = false;
    if (hook == Py_None) {
        Py_RETURN_NONE;
    }
    st->loops = PyMem_Calloc(1, sizeof *st->loops);
    if (!st->loops) {
        return PyErr_NoMemory();
    }
    st->loops->hook = Py_NewRef(hook);
    st->loops->thread = PyThread_get_thread_ident();
    st->loops->seconds = seconds;
    st->loops->need = need;
    Py_RETURN_NONE;
}

PyObject *sfpy_novelty(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return PyLong_FromUnsignedLongLong(sf_novelty());
}

PyObject *sfpy_count_novelty(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    sf_novelty_count();
    Py_RETURN_NONE;
}

/* store_locals(frame): what was put into frame.f_locals becomes the frame's. Since Python 3.13 that
 * is so at once. */
PyObject *sfpy_store_locals(PyObject *Py_UNUSED(module), PyObject *frame)
{
    if (!PyFrame_Check(frame)) {
        PyErr_SetString(PyExc_TypeError, "store_locals(frame)");
        return NULL;
    }
#if PY_VERSION_HEX < 0x030d0000
    PyFrame_LocalsToFast((PyFrameObject *)frame, 0);
#endif
    Py_RETURN_NONE;
}

/* the type */
static int loop_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as_loop(self)->iterator);
    Py_VISIT(as_loop(self)->data);
    Py_VISIT(as_loop(self)->check);
    return 0;
}

static int loop_clear(PyObject *self)
{
    Py_CLEAR(as_loop(self)->iterator);
    Py_CLEAR(as_loop(self)->data);
    Py_CLEAR(as_loop(self)->check);
    return 0;
}

static void loop_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)loop_clear(self);
    Py_CLEAR(as_loop(self)->place);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *get_spent(PyObject *self, void *Py_UNUSED(closure))
{
    SfpyLoops *w = as_loop(self)->st->loops;
    const int64_t *spent = !w ? NULL : spent_at(w, as_loop(self)->number);
    return PyFloat_FromDouble(spent ? (double)*spent / 1e9 : 0.0);
}

static PyGetSetDef loop_getset[] = {
    {"spent", get_spent, NULL, "Seconds at its place, in all loops that there were.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef loop_members[] = {
    {"place", T_OBJECT, offsetof(Loop, place), READONLY, NULL},
    {"iterator", T_OBJECT, offsetof(Loop, iterator), 0, "None: of a while loop."},
    {"data", T_OBJECT, offsetof(Loop, data), 0, "The hook's."},
    {"turns", T_ULONGLONG, offsetof(Loop, turns), READONLY, "That were begun."},
    {"since", T_ULONGLONG, offsetof(Loop, since), READONLY,
     "variations() when something last was new."},
    {"quiet", T_LONGLONG, offsetof(Loop, quiet), 0, "Turns since something was new."},
    {"wait", T_LONGLONG, offsetof(Loop, wait), 0, "Turns until the hook is asked again."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot loop_slots[] = {
    {Py_tp_doc, "A loop of the user's that is watched."},
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, loop_dealloc},
    {Py_tp_traverse, loop_traverse},
    {Py_tp_clear, loop_clear},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, loop_next},
    {Py_tp_getset, loop_getset},
    {Py_tp_members, loop_members},
    {0, NULL},
};

PyType_Spec sfpy_loop_spec = {
    .name = "shapeflow._core.Loop",
    .basicsize = sizeof(Loop),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = loop_slots,
};
