/* tf.TensorShape over an interned shape.
 * Invariant: immutable; a program sees symbolic dims as unknown, the lattice keeps them.
 * Owner: the interner owns the shape. Source: tensorflow/python/framework/tensor_shape.py. */
#include "pymodule/ext/ext.h"

static SfpyShape *shape_self(PyObject *self)
{
    return (SfpyShape *)self;
}

static const SfShape *shape_of(PyObject *self)
{
    return ((SfpyShape *)self)->shape;
}

static bool is_shape(SfpyState *st, PyObject *o)
{
    return Py_IS_TYPE(o, st->shape_type) || PyType_IsSubtype(Py_TYPE(o), st->shape_type);
}

PyObject *sfpy_shape(SfpyState *st, const SfShape *s)
{
    if (!s) {
        return PyErr_NoMemory();
    }
    SfpyShape *o = PyObject_New(SfpyShape, st->shape_type);
    if (o) {
        o->st = st;
        o->shape = sf_shape_is_bottom(s) ? sf_shape_unknown() : s;
        o->weak = NULL;
    }
    return (PyObject *)o;
}

PyObject *sfpy_shape_tuple(const SfShape *s)
{
    const int rank = sf_shape_rank(s);
    if (rank < 0) {
        Py_RETURN_NONE;
    }
    PyObject *t = PyTuple_New(rank);
    for (int i = 0; t && i < rank; i++) {
        sfpy_tuple_put(&t, i, sfpy_dim_object(sf_shape_dim(s, i)));
    }
    return t;
}

/* from Python */
static int dims_from(SfpyState *st, PyObject *value, PyObject *items, SfDim *dims)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(items, i));
        const int r = sfpy_dim_from(st, item, &dims[i]);
        if (r < 0 && st->version >= SF_VERSION(2, 0) && PyErr_ExceptionMatches(PyExc_TypeError) &&
            !PyList_Check(value) && !PyTuple_Check(value)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "Failed to convert '%R' to a shape: '%R'could not be converted to a "
                         "dimension. A shape should either be single dimension (e.g. 10), or an "
                         "iterable of dimensions (e.g. [1, 10, None]).",
                         value, item);
        }
        Py_DECREF(item);
        if (r < 0) {
            return -1;
        }
    }
    return 0;
}

static const SfShape *from_items(SfpyState *st, PyObject *value, PyObject *items)
{
    SfDim dims[SF_RANK_MAX];
    const Py_ssize_t n = PyList_GET_SIZE(items);
    if (n > SF_RANK_MAX) {
        PyErr_Format(PyExc_ValueError, "a shape of rank %zd has more than %d dimensions", n,
                     SF_RANK_MAX);
        return NULL;
    }
    if (dims_from(st, value, items, dims) < 0) {
        return NULL;
    }
    const SfShape *s = sf_shape_make((int)n, dims);
    if (!s) {
        PyErr_NoMemory();
    }
    return s;
}

/* An object with the fields of a TensorShapeProto. 1, 0 when it is none, -1. */
static int from_proto(SfpyState *st, PyObject *value, const SfShape **out)
{
    PyObject *unknown = PyObject_GetAttrString(value, "unknown_rank");
    PyObject *dim = !unknown ? NULL : PyObject_GetAttrString(value, "dim");
    if (!dim) {
        Py_XDECREF(unknown);
        PyErr_Clear();
        return 0;
    }
    const int no_rank = PyObject_IsTrue(unknown);
    PyObject *items = PySequence_List(dim);
    Py_DECREF(unknown);
    Py_DECREF(dim);
    if (no_rank != 0 || !items) {
        Py_XDECREF(items);
        *out = sf_shape_unknown();
        return no_rank == 1 ? 1 : -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
        PyObject *size = PyObject_GetAttrString(PyList_GET_ITEM(items, i), "size");
        if (!size) {
            Py_DECREF(items);
            return -1;
        }
        if (PyLong_Check(size) && PyLong_AsLong(size) == -1) {
            PyErr_Clear();
            Py_SETREF(size, Py_NewRef(Py_None));
        }
        if (PyList_SetItem(items, i, size) < 0) {
            Py_DECREF(items);
            return -1;
        }
    }
    *out = from_items(st, value, items);
    Py_DECREF(items);
    return !*out ? -1 : 1;
}

const SfShape *sfpy_shape_from(SfpyState *st, PyObject *value)
{
    if (is_shape(st, value)) {
        return shape_of(value);
    }
    if (value == Py_None) {
        return sf_shape_unknown();
    }
    if ((PyUnicode_Check(value) || PyBytes_Check(value)) && st->version < SF_VERSION(2, 0)) {
        PyErr_Format(PyExc_TypeError,
                     "A string has ambiguous TensorShape, please wrap in a list or convert to an "
                     "int: %S",
                     value);
        return NULL;
    }
    if (!PyList_Check(value) && !PyTuple_Check(value) && !PyLong_Check(value)) {
        const SfShape *s = NULL;
        const int r = from_proto(st, value, &s);
        if (r != 0) {
            return r < 0 ? NULL : s;
        }
    }
    PyObject *items = PyLong_Check(value) ? NULL : PySequence_List(value);
    if (!items) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return NULL;
        }
        PyErr_Clear();
        items = PyList_New(1);
        if (!items) {
            return NULL;
        }
        PyList_SET_ITEM(items, 0, Py_NewRef(value));
    }
    const SfShape *s = from_items(st, value, items);
    Py_DECREF(items);
    return s;
}

static char *shape_parameters[] = {"dims", NULL};

static PyObject *shape_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *dims;
    SfpyState *st = sfpy_state_of(type);
    if (type != st->shape_type) {
        SfpyShape *o = (SfpyShape *)type->tp_alloc(type, 0);
        if (o) {
            o->st = st;
            o->shape = sf_shape_unknown();
        }
        return (PyObject *)o;
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:TensorShape", shape_parameters, &dims)) {
        return NULL;
    }
    const SfShape *s = sfpy_shape_from(st, dims);
    return !s ? NULL : sfpy_shape(st, s);
}

/* A program's subclass may take any arguments; its constructor calls this one with ours. */
static int shape_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SfpyShape *o = shape_self(self);
    PyObject *dims;
    if (Py_IS_TYPE(self, o->st->shape_type)) {
        return 0; /* shape_new has read them */
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:TensorShape", shape_parameters, &dims)) {
        return -1;
    }
    const SfShape *s = sfpy_shape_from(o->st, dims);
    o->shape = s ? s : o->shape;
    return s ? 0 : -1;
}

/* text */
static PyObject *dims_text(const SfShape *s, const char *open, const char *unknown,
                           const char *known, const char *close)
{
    const int rank = sf_shape_rank(s);
    PyObject *parts = PyList_New(rank);
    PyObject *text = NULL;
    PyObject *comma = PyUnicode_FromString(", ");
    for (int i = 0; parts && i < rank; i++) {
        const SfDim d = sf_shape_dim(s, i);
        PyObject *part = sf_dim_is_known(d) ? PyUnicode_FromFormat(known, (long long)d)
                                            : PyUnicode_FromString(unknown);
        if (!part) {
            Py_CLEAR(parts);
            break;
        }
        PyList_SET_ITEM(parts, i, part);
    }
    if (parts && comma) {
        PyObject *joined = PyUnicode_Join(comma, parts);
        text = !joined ? NULL : PyUnicode_FromFormat("%s%U%s", open, joined, close);
        Py_XDECREF(joined);
    }
    Py_XDECREF(parts);
    Py_XDECREF(comma);
    return text;
}

PyObject *sfpy_shape_text(SfpyState *st, const SfShape *s)
{
    if (sf_shape_rank(s) < 0) {
        return PyUnicode_FromString("<unknown>");
    }
    return dims_text(s, "(", st->v2_shapes ? "None" : "?", "%lld",
                     sf_shape_rank(s) == 1 ? ",)" : ")");
}

static PyObject *shape_str(PyObject *self)
{
    return sfpy_shape_text(shape_self(self)->st, shape_of(self));
}

static PyObject *shape_repr(PyObject *self)
{
    if (sf_shape_rank(shape_of(self)) < 0) {
        return PyUnicode_FromString("TensorShape(None)");
    }
    return shape_self(self)->st->v2_shapes
               ? dims_text(shape_of(self), "TensorShape([", "None", "%lld", "])")
               : dims_text(shape_of(self), "TensorShape([", "Dimension(None)", "Dimension(%lld)",
                           "])");
}

/* sequence */
static PyObject *dim_item(SfpyState *st, SfDim d)
{
    return st->v2_shapes ? sfpy_dim_object(d) : sfpy_dimension(st, d);
}

static Py_ssize_t shape_len(PyObject *self)
{
    const int rank = sf_shape_rank(shape_of(self));
    if (rank < 0) {
        PyErr_SetString(PyExc_ValueError, "Cannot take the length of shape with unknown rank.");
        return -1;
    }
    return rank;
}

static int shape_bool(PyObject *self)
{
    return sf_shape_rank(shape_of(self)) >= 0;
}

static PyObject *dims_list(PyObject *self, bool dimensions)
{
    SfpyState *st = shape_self(self)->st;
    const int rank = sf_shape_rank(shape_of(self));
    PyObject *list = PyList_New(rank < 0 ? 0 : rank);
    for (int i = 0; list && i < rank; i++) {
        const SfDim d = sf_shape_dim(shape_of(self), i);
        sfpy_list_put(&list, i, dimensions ? sfpy_dimension(st, d) : sfpy_dim_object(d));
    }
    return list;
}

static PyObject *shape_iter(PyObject *self)
{
    if (sf_shape_rank(shape_of(self)) < 0) {
        PyErr_SetString(PyExc_ValueError, "Cannot iterate over a shape with unknown rank.");
        return NULL;
    }
    PyObject *list = dims_list(self, !shape_self(self)->st->v2_shapes);
    PyObject *it = !list ? NULL : PyObject_GetIter(list);
    Py_XDECREF(list);
    return it;
}

/* An int field of a slice: -1 with an exception; None gives `otherwise`. */
static Py_ssize_t slice_field(PyObject *field, Py_ssize_t otherwise)
{
    return field == Py_None ? otherwise : PyNumber_AsSsize_t(field, PyExc_OverflowError);
}

static PyObject *slice_unknown(SfpyState *st, PySliceObject *key)
{
    const Py_ssize_t start = slice_field(key->start, 0);
    const Py_ssize_t stop = slice_field(key->stop, -1);
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (key->step != Py_None) {
        PyErr_SetString(PyExc_ValueError, "Steps are not yet handled");
        return NULL;
    }
    if (start < 0 || stop < 0 || stop - start > SF_RANK_MAX) {
        return sfpy_shape(st, sf_shape_unknown());
    }
    return sfpy_shape(st, sf_shape_of_rank(stop < start ? 0 : (int)(stop - start)));
}

static PyObject *shape_getitem(PyObject *self, PyObject *key)
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *s = shape_of(self);
    const int rank = sf_shape_rank(s);
    if (rank < 0) {
        return PySlice_Check(key) ? slice_unknown(st, (PySliceObject *)key)
                                  : dim_item(st, SF_DIM_UNKNOWN);
    }
    if (!PySlice_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        i += i < 0 ? rank : 0;
        if (i < 0 || i >= rank) {
            PyErr_SetString(PyExc_IndexError, st->version >= SF_VERSION(2, 0)
                                                  ? "tuple index out of range"
                                                  : "list index out of range");
            return NULL;
        }
        return dim_item(st, sf_shape_dim(s, (int)i));
    }
    Py_ssize_t start, stop, step;
    SfDim dims[SF_RANK_MAX];
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    const Py_ssize_t n = PySlice_AdjustIndices(rank, &start, &stop, step);
    for (Py_ssize_t i = 0; i < n; i++) {
        dims[i] = sf_shape_dim(s, (int)(start + i * step));
    }
    return sfpy_shape(st, sf_shape_make((int)n, dims));
}

static PyObject *shape_concat(PyObject *a, PyObject *b)
{
    SfpyState *st = sfpy_state_of(Py_TYPE(a));
    if (!st && !(st = sfpy_state_of(Py_TYPE(b)))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const SfShape *left = sfpy_shape_from(st, a);
    const SfShape *right = !left ? NULL : sfpy_shape_from(st, b);
    if (!right) {
        return NULL;
    }
    if (!sf_shape_is_ranked(left) || !sf_shape_is_ranked(right)) {
        return sfpy_shape(st, sf_shape_unknown());
    }
    return sfpy_shape(st, sf_shape_concat(left, right));
}

/* comparison */
static bool same_dims(const SfShape *a, const SfShape *b, bool unknown_equal)
{
    if (sf_shape_rank(a) != sf_shape_rank(b)) {
        return false;
    }
    for (int i = 0; i < sf_shape_rank(a); i++) {
        const SfDim x = sf_shape_dim(a, i), y = sf_shape_dim(b, i);
        const bool unknown = !sf_dim_is_known(x) && !sf_dim_is_known(y);
        if (unknown ? !unknown_equal : x != y) {
            return false;
        }
    }
    return true;
}

/* TensorFlow 1 keeps Dimension objects, two unknown ones of which never compare equal unless they
 * are one object: x.shape == y.shape is False as soon as a batch size is unknown. */
static PyObject *shape_richcompare(PyObject *self, PyObject *other, int op)
{
    SfpyState *st = shape_self(self)->st;
    if (op != Py_EQ && op != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const SfShape *a = shape_of(self), *b = sfpy_shape_from(st, other);
    if (!b) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return NULL;
        }
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    const bool v1 = st->version < SF_VERSION(2, 0);
    if (v1 && op == Py_NE && (sf_shape_rank(a) < 0 || sf_shape_rank(b) < 0)) {
        PyErr_SetString(PyExc_ValueError, "The inequality of unknown TensorShapes is undefined.");
        return NULL;
    }
    const bool equal = self == other || same_dims(a, b, !v1);
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t shape_hash(PyObject *self)
{
    PyObject *t = sfpy_shape_tuple(shape_of(self));
    const Py_hash_t h = !t ? -1 : PyObject_Hash(t);
    Py_XDECREF(t);
    return h;
}

/* methods */
static PyObject *shape_as_list(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (sf_shape_rank(shape_of(self)) < 0) {
        PyErr_SetString(PyExc_ValueError, "as_list() is not defined on an unknown TensorShape.");
        return NULL;
    }
    return dims_list(self, false);
}

/* Compatible as TensorFlow sees it, to which a symbol is just unknown. */
static bool fits(const SfShape *a, const SfShape *b)
{
    const int rank = sf_shape_rank(a);
    if (rank < 0 || sf_shape_rank(b) < 0) {
        return true;
    }
    bool ok = rank == sf_shape_rank(b);
    for (int i = 0; ok && i < rank; i++) {
        const SfDim x = sf_shape_dim(a, i), y = sf_shape_dim(b, i);
        ok = !sf_dim_is_known(x) || !sf_dim_is_known(y) || x == y;
    }
    return ok;
}

static PyObject *shape_merge_with(PyObject *self, PyObject *other)
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *a = shape_of(self), *b = sfpy_shape_from(st, other);
    if (!b) {
        return NULL;
    }
    if (!fits(a, b)) {
        PyObject *text = sfpy_shape_text(st, b);
        PyErr_Format(PyExc_ValueError, "Shapes %S and %V are not compatible", self, text, "?");
        Py_XDECREF(text);
        return NULL;
    }
    if (sf_shape_rank(a) < 0 || sf_shape_rank(b) < 0) {
        return sfpy_shape(st, sf_shape_rank(a) < 0 ? b : a);
    }
    SfDim dims[SF_RANK_MAX];
    for (int i = 0; i < sf_shape_rank(a); i++) {
        const SfDim x = sf_shape_dim(a, i), y = sf_shape_dim(b, i);
        dims[i] = sf_dim_is_known(x)    ? x
                  : y == SF_DIM_UNKNOWN ? x
                  : x == SF_DIM_UNKNOWN ? y
                  : sf_dim_is_known(y)  ? y
                                        : x;
    }
    return sfpy_shape(st, sf_shape_make(sf_shape_rank(a), dims));
}

static PyObject *shape_concatenate(PyObject *self, PyObject *other)
{
    return shape_concat(self, other);
}

static int rank_arg(PyObject *arg, int *rank)
{
    const long r = PyLong_AsLong(arg);
    if (r == -1 && PyErr_Occurred()) {
        return -1;
    }
    *rank = r > 10000 ? 10000 : r < -1 ? -1 : (int)r;
    return 0;
}

typedef enum RankRule { EXACTLY, AT_LEAST, AT_MOST } RankRule;

/* May the rank be what the argument asks for, *want? False with an exception. */
static bool fits_rank(PyObject *self, PyObject *arg, RankRule rule, int *want)
{
    static const char *const rules[] = {"", "at least ", "at most "};
    const int rank = sf_shape_rank(shape_of(self));
    if (rank_arg(arg, want) < 0) {
        return false;
    }
    const bool fits = rank < 0 || (rule == AT_LEAST  ? rank >= *want
                                   : rule == AT_MOST ? rank <= *want
                                                     : rank == *want);
    if (!fits) {
        PyErr_Format(PyExc_ValueError, "Shape %S must have rank %s%d", self, rules[rule], *want);
    }
    return fits;
}

static PyObject *shape_with_rank(PyObject *self, PyObject *arg)
{
    int want;
    if (!fits_rank(self, arg, EXACTLY, &want)) {
        return NULL;
    }
    if (sf_shape_rank(shape_of(self)) == want) {
        return Py_NewRef(self);
    }
    return want < 0 || want > SF_RANK_MAX
               ? PyErr_Format(PyExc_ValueError, "Shape %S must have rank %d", self, want)
               : sfpy_shape(shape_self(self)->st, sf_shape_of_rank(want));
}

static PyObject *shape_with_rank_at_least(PyObject *self, PyObject *arg)
{
    int want;
    return fits_rank(self, arg, AT_LEAST, &want) ? Py_NewRef(self) : NULL;
}

static PyObject *shape_with_rank_at_most(PyObject *self, PyObject *arg)
{
    int want;
    return fits_rank(self, arg, AT_MOST, &want) ? Py_NewRef(self) : NULL;
}

static PyObject *shape_assert_has_rank(PyObject *self, PyObject *arg)
{
    int want;
    return arg == Py_None || fits_rank(self, arg, EXACTLY, &want) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *shape_assert_same_rank(PyObject *self, PyObject *other)
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *b = sfpy_shape_from(st, other);
    if (!b) {
        return NULL;
    }
    const int ra = sf_shape_rank(shape_of(self)), rb = sf_shape_rank(b);
    if (ra >= 0 && rb >= 0 && ra != rb) {
        PyObject *text = sfpy_shape_text(st, b);
        PyErr_Format(PyExc_ValueError, "Shapes %S and %V must have the same rank", self, text, "?");
        Py_XDECREF(text);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *shape_is_compatible_with(PyObject *self, PyObject *other)
{
    const SfShape *b = sfpy_shape_from(shape_self(self)->st, other);
    return !b ? NULL : PyBool_FromLong(fits(shape_of(self), b));
}

static PyObject *shape_assert_is_compatible_with(PyObject *self, PyObject *other)
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *b = sfpy_shape_from(st, other);
    if (!b) {
        return NULL;
    }
    if (!fits(shape_of(self), b)) {
        PyErr_Format(PyExc_ValueError, "Shapes %S and %S are incompatible", self, other);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *shape_most_specific(PyObject *self, PyObject *other)
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *b = sfpy_shape_from(st, other);
    return !b ? NULL : sfpy_shape(st, sf_shape_join(shape_of(self), b));
}

static PyObject *shape_is_fully_defined(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(sf_shape_is_known(shape_of(self)));
}

static PyObject *shape_assert_is_fully_defined(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (!sf_shape_is_known(shape_of(self))) {
        return PyErr_Format(PyExc_ValueError, "Shape %S is not fully defined", self);
    }
    Py_RETURN_NONE;
}

static PyObject *shape_num_elements(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const SfShape *s = shape_of(self);
    return sfpy_dim_object(sf_shape_is_known(s) ? sf_shape_count(s) : SF_DIM_UNKNOWN);
}

/* The fields of a TensorShapeProto, without protobuf. */
static PyObject *shape_as_proto(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = shape_self(self)->st;
    const SfShape *s = shape_of(self);
    PyObject *dims = PyList_New(0);
    for (int i = 0; dims && i < sf_shape_rank(s); i++) {
        const SfDim d = sf_shape_dim(s, i);
        const long long size = sf_dim_is_known(d) ? (long long)d : -1LL;
        sfpy_list_add(&dims,
                      sfpy_namespace(st, Py_BuildValue("{s:L,s:s}", "size", size, "name", "")));
    }
    return sfpy_namespace(st, Py_BuildValue("{s:N,s:O}", "dim", dims, "unknown_rank",
                                            sf_shape_rank(s) < 0 ? Py_True : Py_False));
}

PyObject *sfpy_make_shape(PyObject *module, PyObject *dims)
{
    return PyObject_CallOneArg((PyObject *)sfpy_state(module)->shape_type, dims);
}

/* Not by its class, whose __module__ is the file of TensorFlow's that defines it. */
static PyObject *shape_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = shape_self(self)->st;
    PyObject *module = PyType_GetModule(st->shape_type);
    PyObject *make = !Py_IS_TYPE(self, st->shape_type) ? Py_NewRef((PyObject *)Py_TYPE(self))
                     : !module                         ? NULL
                               : PyObject_GetAttrString(module, "make_shape");
    return !make ? NULL : Py_BuildValue("(N(N))", make, sfpy_shape_tuple(shape_of(self)));
}

static PyObject *shape_get_rank(PyObject *self, void *Py_UNUSED(closure))
{
    return sfpy_dim_object(sf_shape_rank(shape_of(self)));
}

static PyObject *shape_get_dims(PyObject *self, void *Py_UNUSED(closure))
{
    if (sf_shape_rank(shape_of(self)) < 0) {
        Py_RETURN_NONE;
    }
    return dims_list(self, true);
}

/* The dims with the names of their symbols, for reports and tests: "[batch, 784]". */
static PyObject *shape_get_symbolic(PyObject *self, void *Py_UNUSED(closure))
{
    char text[4096];
    sf_shape_format(shape_of(self), true, text, sizeof text);
    return PyUnicode_FromString(text);
}

static void shape_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (shape_self(self)->weak) {
        PyObject_ClearWeakRefs(self);
    }
    type->tp_free(self);
    Py_DECREF(type);
}

static PyGetSetDef shape_getset[] = {
    {"ndims", shape_get_rank, NULL, NULL, NULL},
    {"rank", shape_get_rank, NULL, NULL, NULL},
    {"dims", shape_get_dims, NULL, NULL, NULL},
    {"_dims", shape_get_dims, NULL, NULL, NULL},
    {"_symbolic", shape_get_symbolic, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

SFPY_BY_NAME(shape_merge_with, "other");
SFPY_BY_NAME(shape_concatenate, "other");
SFPY_BY_NAME(shape_with_rank, "rank");
SFPY_BY_NAME(shape_with_rank_at_least, "rank");
SFPY_BY_NAME(shape_with_rank_at_most, "rank");
SFPY_BY_NAME(shape_assert_has_rank, "rank");
SFPY_BY_NAME(shape_assert_same_rank, "other");
SFPY_BY_NAME(shape_assert_is_compatible_with, "other");
SFPY_BY_NAME(shape_is_compatible_with, "other");
SFPY_BY_NAME(shape_most_specific, "other");

static PyMethodDef shape_methods[] = {
    {"as_list", shape_as_list, METH_NOARGS, SFPY_TAKES("as_list", "")},
    {"merge_with", SFPY_METHOD_BY_NAME(shape_merge_with), SFPY_TAKES("merge_with", ", other")},
    {"concatenate", SFPY_METHOD_BY_NAME(shape_concatenate), SFPY_TAKES("concatenate", ", other")},
    {"with_rank", SFPY_METHOD_BY_NAME(shape_with_rank), SFPY_TAKES("with_rank", ", rank")},
    {"with_rank_at_least", SFPY_METHOD_BY_NAME(shape_with_rank_at_least),
     SFPY_TAKES("with_rank_at_least", ", rank")},
    {"with_rank_at_most", SFPY_METHOD_BY_NAME(shape_with_rank_at_most),
     SFPY_TAKES("with_rank_at_most", ", rank")},
    {"assert_has_rank", SFPY_METHOD_BY_NAME(shape_assert_has_rank),
     SFPY_TAKES("assert_has_rank", ", rank")},
    {"assert_same_rank", SFPY_METHOD_BY_NAME(shape_assert_same_rank),
     SFPY_TAKES("assert_same_rank", ", other")},
    {"assert_is_compatible_with", SFPY_METHOD_BY_NAME(shape_assert_is_compatible_with),
     SFPY_TAKES("assert_is_compatible_with", ", other")},
    {"assert_is_fully_defined", shape_assert_is_fully_defined, METH_NOARGS,
     SFPY_TAKES("assert_is_fully_defined", "")},
    {"is_compatible_with", SFPY_METHOD_BY_NAME(shape_is_compatible_with),
     SFPY_TAKES("is_compatible_with", ", other")},
    {"is_fully_defined", shape_is_fully_defined, METH_NOARGS, SFPY_TAKES("is_fully_defined", "")},
    {"most_specific_compatible_shape", SFPY_METHOD_BY_NAME(shape_most_specific),
     SFPY_TAKES("most_specific_compatible_shape", ", other")},
    {"num_elements", shape_num_elements, METH_NOARGS, SFPY_TAKES("num_elements", "")},
    {"as_proto", shape_as_proto, METH_NOARGS, SFPY_TAKES("as_proto", "")},
    {"__reduce__", shape_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef shape_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SfpyShape, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* numpy reads as a sequence what has this slot: np.prod(t.shape). */
static PyObject *shape_item(PyObject *self, Py_ssize_t i)
{
    PyObject *key = PyLong_FromSsize_t(i);
    PyObject *r = !key ? NULL : shape_getitem(self, key);
    Py_XDECREF(key);
    return r;
}

static PyType_Slot shape_slots[] = {
    {Py_tp_doc, "tf.TensorShape: what is known of a shape before anything runs."},
    {Py_tp_new, shape_new},
    {Py_tp_init, shape_init},
    {Py_tp_dealloc, shape_dealloc},
    {Py_tp_repr, shape_repr},
    {Py_tp_str, shape_str},
    {Py_tp_hash, shape_hash},
    {Py_tp_richcompare, shape_richcompare},
    {Py_tp_iter, shape_iter},
    {Py_nb_bool, shape_bool},
    {Py_nb_add, shape_concat},
    {Py_mp_length, shape_len},
    {Py_sq_length, shape_len},
    {Py_mp_subscript, shape_getitem},
    {Py_sq_item, shape_item},
    {Py_tp_getset, shape_getset},
    {Py_tp_methods, shape_methods},
    {Py_tp_members, shape_members},
    {0, NULL},
};

PyType_Spec sfpy_shape_spec = {
    .name = "shapeflow._core.TensorShape",
    .basicsize = sizeof(SfpyShape),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = shape_slots,
};
