/* What the values of a program's expressions were: shape and dtype, for an editor.
 * A source that checker/shape_recorder.py compiles calls seen(place, value) around its expressions.
 * Invariant: at most SEEN_KINDS kinds of one place are kept apart; a shape that another one covers
 * is not kept, and what comes after the last is joined into it. No value is kept alive.
 * Owner: the module state. Source: LSP's hover and inlay hints. */
#include "pymodule/ext/ext.h"

enum { SEEN_KINDS = 3, SEEN_STRUCTURES = 8, SEEN_PLACES = 1 << 20 };

typedef struct Kind {
    const SfShape *shape;
    SfDtype dtype;
    bool array;
} Kind;

typedef struct Seen {
    Kind kinds[SEEN_KINDS];
    uint8_t n;
    uint8_t structures; /* values shown to the hook */
} Seen;

struct SfpySeen {
    Seen *places;
    Py_ssize_t n;
};

void sfpy_seen_free(SfpyState *st)
{
    if (st->seen) {
        PyMem_Free(st->seen->places);
        PyMem_Free(st->seen);
        st->seen = NULL;
    }
}

/* 1: `o` is a tensor, a variable or an array; 0: none of them. Never an exception. */
static int kind_of(SfpyState *st, PyObject *o, Kind *out)
{
    if (!sfpy_is_tensor(o) && PyObject_TypeCheck(o, st->variable_type)) {
        o = ((SfpyVariable *)o)->tensor;
    }
    if (o && sfpy_is_tensor(o)) {
        const SfTensor t = sfpy_tensor_peek((SfpyTensor *)o);
        *out = (Kind){t.shape, sf_dtype_base(t.dtype), false};
        return t.shape != NULL;
    }
    if (!o || !sfpy_np_is_array(st, o)) {
        return 0;
    }
    SfpyArray a;
    if (sfpy_np_describe(st, o, 0, &a) < 0) {
        PyErr_Clear();
        return 0;
    }
    *out = (Kind){a.shape, a.dtype, true};
    return a.dtype != SF_DT_INVALID;
}

/* Does `a` say all that `b` says? A shape of unknown rank says nothing, so it covers none. */
static bool covers(const Kind *a, const Kind *b)
{
    return a->dtype == b->dtype && a->array == b->array &&
           (a->shape == b->shape ||
            (sf_shape_rank(a->shape) >= 0 && sf_shape_leq(b->shape, a->shape)));
}

static void add_kind(Seen *s, const Kind *k)
{
    for (int i = 0; i < s->n; i++) {
        if (covers(&s->kinds[i], k)) {
            return;
        }
        if (covers(k, &s->kinds[i])) {
            s->kinds[i] = *k;
            return;
        }
    }
    if (s->n < SEEN_KINDS) {
        s->kinds[s->n++] = *k;
        return;
    }
    Kind *last = &s->kinds[SEEN_KINDS - 1];
    const SfShape *join = sf_shape_join(last->shape, k->shape);
    if (join && last->dtype == k->dtype) {
        last->shape = join;
    }
}

/* The record of a place; NULL: too far out, or no memory, which only means that less is shown. */
static Seen *place_of(SfpyState *st, Py_ssize_t place)
{
    if (place < 0 || place >= SEEN_PLACES) {
        return NULL;
    }
    if (!st->seen && !(st->seen = PyMem_Calloc(1, sizeof *st->seen))) {
        return NULL;
    }
    SfpySeen *seen = st->seen;
    if (place >= seen->n) {
        const Py_ssize_t n = place * 2 + 256;
        Seen *grown = PyMem_Realloc(seen->places, sizeof *grown * (size_t)n);
        if (!grown) {
            return NULL;
        }
        memset(grown + seen->n, 0, sizeof *grown * (size_t)(n - seen->n));
        seen->places = grown;
        seen->n = n;
    }
    return &seen->places[place];
}

/* Tuples, lists, and instances of Python classes (data sets, models). */
static bool may_hold_tensors(PyObject *o)
{
    return PyTuple_Check(o) || PyList_Check(o) ||
           PyType_HasFeature(Py_TYPE(o), Py_TPFLAGS_HEAPTYPE);
}

PyObject *sfpy_seen(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    SfpyState *st = sfpy_state(module);
    if (nargs != 2 || !PyLong_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "seen(place, value)");
        return NULL;
    }
    PyObject *value = args[1];
    Kind k;
    if (kind_of(st, value, &k)) {
        Seen *s = place_of(st, PyLong_AsSsize_t(args[0]));
        if (s) {
            add_kind(s, &k);
        }
    } else if (st->seen_hook != Py_None && may_hold_tensors(value)) {
        Seen *s = place_of(st, PyLong_AsSsize_t(args[0]));
        if (s && s->structures < SEEN_STRUCTURES) {
            s->structures++;
            (void)sfpy_hook_call(st->seen_hook, args[0], value);
        }
    }
    return Py_NewRef(value);
}

static PyObject *kind_tuple(const Kind *k)
{
    PyObject *shape = sfpy_symbolic_text(k->shape);
    return !shape ? NULL
                  : Py_BuildValue("(Nss)", shape, sf_dtype_name(k->dtype),
                                  k->array ? "array" : "tensor");
}

PyObject *sfpy_shape_and_dtype(PyObject *module, PyObject *value)
{
    Kind k;
    if (!kind_of(sfpy_state(module), value, &k)) {
        Py_RETURN_NONE;
    }
    return kind_tuple(&k);
}

PyObject *sfpy_shapes_seen(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpySeen *seen = sfpy_state(module)->seen;
    PyObject *dict = PyDict_New();
    for (Py_ssize_t i = 0; dict && seen && i < seen->n; i++) {
        const Seen *s = &seen->places[i];
        PyObject *list = s->n == 0 ? NULL : PyList_New(0);
        bool ok = s->n == 0 || list;
        for (int j = 0; ok && j < s->n; j++) {
            ok = sfpy_append_new(list, kind_tuple(&s->kinds[j]));
        }
        PyObject *place = !list ? NULL : PyLong_FromSsize_t(i);
        if (!ok || (list && (!place || PyDict_SetItem(dict, place, list) < 0))) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(place);
        Py_XDECREF(list);
    }
    return dict;
}

PyObject *sfpy_set_seen_hook(PyObject *module, PyObject *hook)
{
    SfpyState *st = sfpy_state(module);
    Py_SETREF(st->seen_hook, Py_NewRef(hook));
    sfpy_seen_free(st);
    Py_RETURN_NONE;
}
