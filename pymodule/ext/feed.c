/* Feeds: keys to tensors, values to shapes. See fetch.h. */
#include "pymodule/ext/fetch.h"

/* Contents of integers up to this many elements are passed to core: they may be shapes or axes. */
#define CONTENT_MAX 16

void sfpy_feeds_init(SfpyFeeds *f)
{
    f->n = 0;
    f->cap = SFPY_FEW_FEEDS;
    f->targets = f->few.targets;
    f->values = f->few.values;
    f->feeds = f->few.feeds;
}

/* `array` with room for `cap` items of `size` bytes; NULL: no memory, and it is as it was. */
static void *larger(void *array, const void *few, int cap, size_t size)
{
    const size_t bytes = size * (size_t)cap;
    if (array != few) {
        return PyMem_Realloc(array, bytes);
    }
    void *made = PyMem_Malloc(bytes);
    return !made ? NULL : memcpy(made, few, size * SFPY_FEW_FEEDS);
}

static int grow(SfpyFeeds *f)
{
    const int cap = f->cap * 2;
    SfpyTensor **targets = larger(f->targets, f->few.targets, cap, sizeof *targets);
    if (targets) {
        f->targets = targets;
    }
    PyObject **values = larger(f->values, f->few.values, cap, sizeof *values);
    if (values) {
        f->values = values;
    }
    SfFeed *feeds = larger(f->feeds, f->few.feeds, cap, sizeof *feeds);
    if (feeds) {
        f->feeds = feeds;
    }
    if (!targets || !values || !feeds) {
        PyErr_NoMemory();
        return -1;
    }
    f->cap = cap;
    return 0;
}

static void free_many(void *array, const void *few)
{
    if (array != few) {
        PyMem_Free(array);
    }
}

void sfpy_feeds_free(SfpyFeeds *f)
{
    for (int i = 0; i < f->n; i++) {
        Py_DECREF(f->targets[i]);
        Py_DECREF(f->values[i]);
    }
    free_many(f->targets, f->few.targets);
    free_many(f->values, f->few.values);
    free_many(f->feeds, f->few.feeds);
    sfpy_feeds_init(f);
}

/* one feed */
static int refuse_tensor(SfpyState *st, PyObject *key, PyObject *value)
{
    PyErr_Format(
        PyExc_TypeError,
        st->version >= SF_VERSION(2, 5)
            ? "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
              "include Python scalars, strings, lists, numpy ndarrays, or "
              "TensorHandles.%sFor reference, the tensor object was %S which was passed to "
              "the argument `feed_dict` with key %S."
            : "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
              "include Python scalars, strings, lists, numpy ndarrays, or "
              "TensorHandles.%sFor reference, the tensor object was %S which was passed to "
              "the feed with key %S.",
        st->version >= SF_VERSION(1, 13) ? " " : "", value, key);
    return -1;
}

/* A Python int that the dtype cannot hold. */
static int check_int(SfpyState *st, PyObject *value, SfDtype t)
{
    int overflow = 0;
    const long long i = PyLong_AsLongLongAndOverflow(value, &overflow);
    const bool is_unsigned = sf_dtype_is_unsigned(t);
    const unsigned bits = (unsigned)sf_dtype_size(t) * 8;
    bool fits = true;
    if (sf_dtype_is_bool(t)) {
        fits = overflow == 0 && (i == 0 || i == 1);
    } else if (sf_dtype_is_integer(t) && bits > 0 && bits < 64) {
        const long long top = is_unsigned ? (1LL << bits) - 1 : (1LL << (bits - 1)) - 1;
        fits = overflow == 0 && i <= top && i >= (is_unsigned ? 0 : -top - 1);
    }
    if (fits) {
        return 0;
    }
    PyObject *dtype = sfpy_dtype(st, t);
    PyObject *type = !dtype ? NULL : PyObject_GetAttrString(dtype, "as_numpy_dtype");
    Py_XDECREF(dtype);
    if (type) {
        PyErr_Format(PyExc_TypeError,
                     "Type of feed value %S with type %S is not compatible with Tensor type %S. "
                     "Try explicitly setting the type of the feed tensor to a larger type (e.g. "
                     "int64).",
                     value, (PyObject *)Py_TYPE(value), type);
        Py_DECREF(type);
    }
    return -1;
}

static int add(SfpyGraph *graph, SfpyFeeds *f, SfpyTensor *target, PyObject *key, PyObject *value)
{
    SfpyState *st = graph->st;
    if (sfpy_is_tensor(value) && ((SfpyTensor *)value)->graph) {
        return refuse_tensor(st, key, value);
    }
    if (f->n == f->cap && grow(f) < 0) {
        return -1;
    }
    const SfTensor t = sfpy_tensor_read(target);
    const SfDtype dtype = sf_dtype_base(t.dtype);
    const bool counts = sf_dtype_is_integer(dtype) || dtype == SF_DT_BOOL || dtype == SF_DT_STRING;
    SfpyArray a;
    if ((PyLong_Check(value) && check_int(st, value, dtype) < 0) ||
        sfpy_np_feed(st, value, dtype, counts ? CONTENT_MAX : 0, &a) < 0) {
        const bool is_of_dtype =
            PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError);
        if (!is_of_dtype || !sf_tensor_is_unmodelled(&t, SF_UNMODELLED_DTYPE)) {
            return -1;
        }
        PyErr_Clear(); /* the dtype is none that anybody knows */
        a = (SfpyArray){.shape = sf_shape_unknown()};
    }
    f->feeds[f->n] = (SfFeed){.target = t, .shape = a.shape, .value = a.value};
    f->targets[f->n] = (SfpyTensor *)Py_NewRef((PyObject *)target);
    f->values[f->n] = Py_NewRef(value);
    f->n++;
    return 0;
}

/* keys */
static int refuse_key(SfpyState *st)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *args = !value ? NULL : PyObject_GetAttrString(value, "args");
    PyObject *first = args && PyTuple_Check(args) && PyTuple_GET_SIZE(args) > 0
                          ? PyTuple_GET_ITEM(args, 0)
                          : st->empty_string;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "Cannot interpret feed_dict key as Tensor: %S", first);
    Py_XDECREF(args);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return -1;
}

static int add_pair(SfpyGraph *graph, SfpyFeeds *f, PyObject *key, PyObject *value);

static int add_pairs(SfpyGraph *graph, SfpyFeeds *f, PyObject *keys, PyObject *values)
{
    PyObject *k = PySequence_List(keys);
    PyObject *v = !k ? NULL : PySequence_List(values);
    int r = !v ? -1 : 0;
    if (r == 0 && PyList_GET_SIZE(k) != PyList_GET_SIZE(v)) {
        PyErr_Format(PyExc_ValueError,
                     "Could not flatten dictionary. Key had %zd elements, but value had %zd "
                     "elements. Key: %R, value: %R.",
                     PyList_GET_SIZE(k), PyList_GET_SIZE(v), keys, values);
        r = -1;
    }
    for (Py_ssize_t i = 0; r == 0 && i < PyList_GET_SIZE(k); i++) {
        r = add_pair(graph, f, PyList_GET_ITEM(k, i), PyList_GET_ITEM(v, i));
    }
    Py_XDECREF(k);
    Py_XDECREF(v);
    return r;
}

/* `_sf_feed(value)` of a key (a SparseTensor): a list of (tensor, value). 1, 0 without one, -1. */
static int add_custom(SfpyGraph *graph, SfpyFeeds *f, PyObject *key, PyObject *value)
{
    PyObject *given = NULL;
    int r = sfpy_call_special(key, graph->st->str_sf_feed, value, &given);
    if (r <= 0) {
        return r;
    }
    PyObject *pairs = PySequence_List(given);
    r = !pairs ? -1 : 1;
    for (Py_ssize_t i = 0; r == 1 && i < PyList_GET_SIZE(pairs); i++) {
        PyObject *k, *v;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(pairs, i), "OO", &k, &v) ||
            add_pair(graph, f, k, v) < 0) {
            r = -1;
        }
    }
    Py_DECREF(given);
    Py_XDECREF(pairs);
    return r;
}

static int add_pair(SfpyGraph *graph, SfpyFeeds *f, PyObject *key, PyObject *value)
{
    SfpyState *st = graph->st;
    if (Py_IS_TYPE(key, st->tensor_type) && ((SfpyTensor *)key)->graph == graph) {
        return add(graph, f, (SfpyTensor *)key, key, value);
    }
    if (PyTuple_Check(key) || PyList_Check(key)) {
        return add_pairs(graph, f, key, value);
    }
    if (!sfpy_is_tensor(key) && !PyUnicode_Check(key)) {
        const int r = add_custom(graph, f, key, value);
        if (r != 0) {
            return r < 0 ? -1 : 0;
        }
    }
    PyObject *target = sfpy_graph_element(graph, key, true, false);
    if (!target) {
        return PyErr_ExceptionMatches(PyExc_TypeError) ||
                       PyErr_ExceptionMatches(PyExc_ValueError) ||
                       PyErr_ExceptionMatches(PyExc_KeyError)
                   ? refuse_key(st)
                   : -1;
    }
    const int r = add(graph, f, (SfpyTensor *)target, key, value);
    Py_DECREF(target);
    return r;
}

/* nest.flatten_dict_items copies the dict, so that conversions may change the program's. */
static int read_copy(SfpyGraph *graph, PyObject *feed_dict, SfpyFeeds *f)
{
    PyObject *items = PyMapping_Items(feed_dict);
    int r = !items ? -1 : 0;
    for (Py_ssize_t i = 0; r == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i);
        r = PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2
                ? add_pair(graph, f, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1))
                : -1;
        if (r < 0 && !PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "items() of feed_dict does not give pairs");
        }
    }
    Py_XDECREF(items);
    return r;
}

/* The same for the dict of a few feeds that most programs give: its copy is on the stack. */
static int read_few(SfpyGraph *graph, PyObject *dict, SfpyFeeds *f)
{
    PyObject *keys[SFPY_FEW_FEEDS], *values[SFPY_FEW_FEEDS];
    int n = 0, r = 0;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &keys[n], &values[n]); n++) {
        Py_INCREF(keys[n]);
        Py_INCREF(values[n]);
    }
    for (int i = 0; i < n && r == 0; i++) {
        r = add_pair(graph, f, keys[i], values[i]);
    }
    for (int i = 0; i < n; i++) {
        Py_DECREF(keys[i]);
        Py_DECREF(values[i]);
    }
    return r;
}

int sfpy_feeds_read(SfpyGraph *graph, PyObject *feed_dict, SfpyFeeds *f)
{
    if (PyDict_CheckExact(feed_dict)) {
        return PyDict_GET_SIZE(feed_dict) < SFPY_FEW_FEEDS ? read_few(graph, feed_dict, f)
                                                           : read_copy(graph, feed_dict, f);
    }
    const int truth = PyObject_IsTrue(feed_dict);
    if (truth <= 0) {
        return truth;
    }
    if (!PyMapping_Check(feed_dict) || PyList_Check(feed_dict) || PyTuple_Check(feed_dict) ||
        PyUnicode_Check(feed_dict)) {
        if (graph->st->version >= SF_VERSION(2, 5)) {
            PyErr_Format(PyExc_TypeError,
                         "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type "
                         "object, instead of '%.200s'.",
                         Py_TYPE(feed_dict)->tp_name);
        } else {
            PyErr_SetString(PyExc_TypeError, "input must be a dictionary");
        }
        return -1;
    }
    return read_copy(graph, feed_dict, f);
}
