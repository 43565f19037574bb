/* numpy in: what comes from a program as an array, or can be made one.
 * Invariant: numpy is imported by us only to make an array; an array that comes in proves that
 * somebody did. Built against numpy 2 headers, so that it runs with numpy 1.x and 2.x.
 * Owner: arrays made here belong to Python. Source: numpy C API. */
#define SFPY_LOADS_NUMPY
#include "pymodule/ext/nparray.h"

#include <numpy/arrayscalars.h>

static int load_api(void)
{
    import_array1(-1);
    return 0;
}

int sfpy_np_load(SfpyState *st)
{
    if (st->numpy_ready) {
        return 0;
    }
    if (load_api() < 0) {
        return -1;
    }
    Py_XSETREF(st->numpy, PyImport_ImportModule("numpy"));
    if (!st->numpy) {
        return -1;
    }
    st->numpy_ready = true;
    return 0;
}

bool sfpy_np_present(SfpyState *st)
{
    if (st->numpy_ready) {
        return true;
    }
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *numpy = !modules ? NULL : PyDict_GetItemString(modules, "numpy");
    if (!numpy || numpy == Py_None) {
        return false;
    }
    PyObject *array = PyObject_GetAttrString(numpy, "ndarray"); /* absent while it is importing */
    Py_XDECREF(array);
    if (!array || sfpy_np_load(st) < 0) {
        PyErr_Clear();
        return false;
    }
    return true;
}

bool sfpy_np_is_array(SfpyState *st, PyObject *o)
{
    return (st->numpy_ready || sfpy_np_present(st)) &&
           (PyArray_Check(o) || PyArray_IsScalar(o, Generic));
}

/* dtypes */
static SfDtype integer_dtype(npy_intp size, bool is_unsigned)
{
    switch (size) {
    case 1:
        return is_unsigned ? SF_DT_UINT8 : SF_DT_INT8;
    case 2:
        return is_unsigned ? SF_DT_UINT16 : SF_DT_INT16;
    case 4:
        return is_unsigned ? SF_DT_UINT32 : SF_DT_INT32;
    case 8:
        return is_unsigned ? SF_DT_UINT64 : SF_DT_INT64;
    default:
        return SF_DT_INVALID;
    }
}

/* SF_DT_INVALID for what TensorFlow has no dtype for (dates, records). */
static SfDtype dtype_of_descr(const PyArray_Descr *d)
{
    const npy_intp size = PyDataType_ELSIZE(d);
    switch (d->kind) {
    case 'b':
        return SF_DT_BOOL;
    case 'i':
        return integer_dtype(size, false);
    case 'u':
        return integer_dtype(size, true);
    case 'f':
        return size == 2   ? SF_DT_HALF
               : size == 4 ? SF_DT_FLOAT
               : size == 8 ? SF_DT_DOUBLE
                           : SF_DT_INVALID;
    case 'c':
        return size == 8 ? SF_DT_COMPLEX64 : size == 16 ? SF_DT_COMPLEX128 : SF_DT_INVALID;
    case 'S':
    case 'U':
    case 'O':
    case 'T': /* numpy 2's StringDType */
        return SF_DT_STRING;
    default:
        break;
    }
    /* ml_dtypes registers kinds of its own, called as TensorFlow's: "ml_dtypes.bfloat16". */
    if (!d->typeobj || d->type_num < NPY_USERDEF) {
        return SF_DT_INVALID;
    }
    const char *dot = strrchr(d->typeobj->tp_name, '.');
    const char *name = dot ? dot + 1 : d->typeobj->tp_name;
    return sf_dtype_parse(name, strlen(name));
}

int sfpy_np_dtype_from(SfpyState *st, PyObject *o, SfDtype *out)
{
    PyArray_Descr *d = NULL;
    if (sfpy_np_load(st) < 0) {
        return -1;
    }
    const bool named = PyUnicode_Check(o);
    if (!PyArray_DescrCheck(o) && !named &&
        !(PyType_Check(o) && PyType_IsSubtype((PyTypeObject *)o, &PyGenericArrType_Type))) {
        /* An object with a .dtype, as np.dtype() takes one; never an arbitrary class. */
        PyObject *attr = PyType_Check(o) ? NULL : PyObject_GetAttr(o, st->str_dtype);
        if (!attr) {
            PyErr_Clear();
            return 0;
        }
        int r = 0;
        if (PyArray_DescrCheck(attr)) {
            *out = dtype_of_descr((PyArray_Descr *)attr);
            r = *out != SF_DT_INVALID;
        }
        Py_DECREF(attr);
        return r;
    }
    if (!PyArray_DescrConverter(o, &d)) {
        PyErr_Clear();
        return 0;
    }
    *out = dtype_of_descr(d);
    Py_DECREF(d);
    return *out != SF_DT_INVALID;
}

/* numpy's number of what it has for a dtype; NPY_BOOL is 0, as are the entries of what is no dtype.
 * numpy alone has no bfloat16, and of numbers of 8 bits and fewer only integers of 8. */
static const int type_nums[SF_DT_COUNT] = {
    [SF_DT_FLOAT] = NPY_FLOAT32,  [SF_DT_DOUBLE] = NPY_FLOAT64,
    [SF_DT_INT32] = NPY_INT32,    [SF_DT_UINT8] = NPY_UINT8,
    [SF_DT_INT16] = NPY_INT16,    [SF_DT_INT8] = NPY_INT8,
    [SF_DT_STRING] = NPY_OBJECT,  [SF_DT_COMPLEX64] = NPY_COMPLEX64,
    [SF_DT_INT64] = NPY_INT64,    [SF_DT_BOOL] = NPY_BOOL,
    [SF_DT_QINT8] = NPY_INT8,     [SF_DT_QUINT8] = NPY_UINT8,
    [SF_DT_QINT32] = NPY_INT32,   [SF_DT_BFLOAT16] = NPY_FLOAT32,
    [SF_DT_QINT16] = NPY_INT16,   [SF_DT_QUINT16] = NPY_UINT16,
    [SF_DT_UINT16] = NPY_UINT16,  [SF_DT_COMPLEX128] = NPY_COMPLEX128,
    [SF_DT_HALF] = NPY_FLOAT16,   [SF_DT_RESOURCE] = NPY_OBJECT,
    [SF_DT_VARIANT] = NPY_OBJECT, [SF_DT_UINT32] = NPY_UINT32,
    [SF_DT_UINT64] = NPY_UINT64,
};

PyArray_Descr *sfpy_np_descr(SfpyState *st, SfDtype t)
{
    if (sfpy_np_load(st) < 0) {
        return NULL;
    }
    int number = t < 0 || t >= SF_DT_COUNT ? NPY_BOOL : type_nums[t];
    if (number == NPY_BOOL && t != SF_DT_BOOL) {
        number = sf_dtype_is_floating(t)   ? NPY_FLOAT16
                 : sf_dtype_is_unsigned(t) ? NPY_UINT8
                                           : NPY_INT8;
    }
    if (sf_dtype_size(t) == 0 && number != NPY_OBJECT) {
        PyErr_Format(PyExc_AttributeError, "numpy has no '%s'", sf_dtype_name(t));
        return NULL;
    }
    return PyArray_DescrFromType(number);
}

PyObject *sfpy_np_type(SfpyState *st, SfDtype t)
{
    PyArray_Descr *d = sfpy_np_descr(st, t);
    PyObject *type = !d ? NULL : Py_NewRef((PyObject *)d->typeobj);
    Py_XDECREF(d);
    return type;
}

/* arrays in */
static const SfShape *shape_of(PyArrayObject *a)
{
    SfDim dims[NPY_MAXDIMS];
    const int rank = PyArray_NDIM(a);
    for (int i = 0; i < rank; i++) {
        dims[i] = PyArray_DIM(a, i);
    }
    return sf_shape_make(rank, dims);
}

static SfElem text_elem(PyObject *o)
{
    SfElem e = sf_elem_unknown();
    if (PyBytes_Check(o)) {
        e = sf_elem_string(PyBytes_AS_STRING(o), (size_t)PyBytes_GET_SIZE(o));
    } else if (PyUnicode_Check(o)) {
        Py_ssize_t len = 0;
        const char *text = PyUnicode_AsUTF8AndSize(o, &len);
        if (text) {
            e = sf_elem_string(text, (size_t)len);
        } else {
            PyErr_Clear();
        }
    }
    return e;
}

/* The `n` elements as numpy makes them in `type_num` (64-bit integers, doubles, complex,
 * objects). */
static int read_elems(PyArrayObject *a, int type_num, npy_intp n, SfElem *out)
{
    PyArrayObject *c = (PyArrayObject *)PyArray_FROMANY((PyObject *)a, type_num, 0, 0,
                                                        NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST);
    if (!c) {
        return -1;
    }
    if (PyArray_SIZE(c) != n) { /* a conversion of objects has resized it */
        Py_DECREF(c);
        return -1;
    }
    const void *data = PyArray_DATA(c);
    for (npy_intp i = 0; i < n; i++) {
        switch (type_num) {
        case NPY_INT64:
            out[i] = sf_elem_int(((const npy_int64 *)data)[i]);
            break;
        case NPY_DOUBLE:
            out[i] = sf_elem_float(((const double *)data)[i]);
            break;
        case NPY_CDOUBLE:
            out[i] = sf_elem_float(((const double *)data)[2 * i]);
            out[i].kind = SF_ELEM_COMPLEX;
            out[i].im = ((const double *)data)[2 * i + 1];
            break;
        default:
            out[i] = text_elem(((PyObject *const *)data)[i]);
            break;
        }
    }
    Py_DECREF(c);
    return 0;
}

int sfpy_np_wide(SfDtype t)
{
    if (sf_dtype_is_floating(t)) {
        return NPY_DOUBLE;
    }
    if (sf_dtype_is_complex(t)) {
        return NPY_CDOUBLE;
    }
    return t == SF_DT_STRING ? NPY_OBJECT : NPY_INT64;
}

/* The content, or NULL when it is of no use; an exception inside numpy only means that. */
static const SfValue *value_of(PyArrayObject *a, SfDtype t, const SfShape *shape)
{
    const npy_intp n = PyArray_SIZE(a);
    SfElem few[64];
    SfElem *elems = n <= 64 ? few : PyMem_Malloc(sizeof *elems * (size_t)n);
    if (!elems) {
        return NULL;
    }
    const SfValue *v = NULL;
    if (read_elems(a, sfpy_np_wide(t), n, elems) == 0) {
        v = sf_value_make(t, shape, elems);
    } else {
        PyErr_Clear();
    }
    if (elems != few) {
        PyMem_Free(elems);
    }
    return v;
}

/* Contents are interned for good. Integers decide shapes; a batch of floats decides nothing, and a
 * loop that makes a new one in each step must not fill the memory. */
#define FLOATS_MAX 64

static int64_t worth_keeping(SfDtype t, int64_t max_values)
{
    const bool counts = sf_dtype_is_integer(t) || t == SF_DT_BOOL || t == SF_DT_STRING;
    const int64_t most = counts ? SF_VALUE_MAX : FLOATS_MAX;
    return max_values < most ? max_values : most;
}

static int describe(PyArrayObject *a, SfDtype as, int64_t max_values, SfpyArray *out)
{
    out->dtype = as != SF_DT_INVALID ? as : dtype_of_descr(PyArray_DESCR(a));
    out->shape = shape_of(a);
    out->value = NULL;
    if (!out->shape) {
        PyErr_NoMemory();
        return -1;
    }
    if (PyArray_SIZE(a) <= worth_keeping(out->dtype, max_values) && out->dtype != SF_DT_INVALID) {
        out->value = value_of(a, out->dtype, out->shape);
    }
    return 0;
}

int sfpy_np_describe(SfpyState *st, PyObject *array, int64_t max_values, SfpyArray *out)
{
    if (sfpy_np_load(st) < 0) {
        return -1;
    }
    if (PyArray_Check(array)) {
        return describe((PyArrayObject *)array, SF_DT_INVALID, max_values, out);
    }
    PyObject *a = PyArray_FromScalar(array, NULL);
    const int r = !a ? -1 : describe((PyArrayObject *)a, SF_DT_INVALID, max_values, out);
    Py_XDECREF(a);
    return r;
}

static bool fits_int32(PyArrayObject *a)
{
    PyArrayObject *c =
        (PyArrayObject *)PyArray_FROMANY((PyObject *)a, NPY_INT64, 0, 0, NPY_ARRAY_CARRAY);
    bool fits = c;
    const npy_intp n = !c ? 0 : PyArray_SIZE(c);
    for (npy_intp i = 0; i < n && fits; i++) {
        const npy_int64 v = ((const npy_int64 *)PyArray_DATA(c))[i];
        fits = v >= INT32_MIN && v <= INT32_MAX;
    }
    PyErr_Clear();
    Py_XDECREF(c);
    return fits;
}

/* lists in */
enum { NESTED_MAX = 64, COPY_MAX = 1 << 24 }; /* as deep as numpy looks; items in all */

static bool is_list(PyObject *o)
{
    return PyList_CheckExact(o) || PyTuple_CheckExact(o);
}

/* Can numpy read it without running code of the program? */
static bool is_passive(PyObject *o, int depth)
{
    if (!is_list(o)) {
        return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyUnicode_CheckExact(o) ||
               PyBytes_CheckExact(o) || PyBool_Check(o) || o == Py_None;
    }
    bool passive = depth < NESTED_MAX;
    for (Py_ssize_t i = 0; passive && i < PySequence_Fast_GET_SIZE(o); i++) {
        passive = is_passive(PySequence_Fast_GET_ITEM(o, i), depth + 1);
    }
    return passive;
}

static PyObject *copy_lists(PyObject *o, int depth, Py_ssize_t *left)
{
    *left -= is_list(o) ? PySequence_Fast_GET_SIZE(o) : 0;
    if (!is_list(o) || depth == NESTED_MAX || *left < 0) {
        return Py_NewRef(o);
    }
    PyObject *list = PyList_New(PySequence_Fast_GET_SIZE(o));
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *item = i < PySequence_Fast_GET_SIZE(o)
                             ? copy_lists(PySequence_Fast_GET_ITEM(o, i), depth + 1, left)
                             : Py_NewRef(Py_None); /* making the list has run a finalizer */
        sfpy_list_put(&list, i, item);
    }
    if (list && PyTuple_CheckExact(o)) {
        Py_SETREF(list, PyList_AsTuple(list));
    }
    return list;
}

/* What numpy may read: it crashes when the methods of a list's items change the list. */
static PyObject *settled(PyObject *o)
{
    Py_ssize_t left = COPY_MAX;
    return !is_list(o) || is_passive(o, 0) ? Py_NewRef(o) : copy_lists(o, 0, &left);
}

int sfpy_np_coerce(SfpyState *st, PyObject *obj, bool narrow, SfpyArray *out)
{
    PyObject *given = sfpy_np_load(st) < 0 ? NULL : settled(obj);
    if (!given) {
        return -1;
    }
    PyArrayObject *a = (PyArrayObject *)PyArray_FROM_O(given);
    Py_DECREF(given);
    if (!a && !PyErr_ExceptionMatches(PyExc_Exception)) {
        return -1; /* Ctrl-C and SystemExit say nothing about the object: passed on */
    }
    if (!a) {
        PyErr_Clear(); /* a ragged list: the caller reports it, in TensorFlow's message */
        return 0;
    }
    SfDtype t = dtype_of_descr(PyArray_DESCR(a));
    if (PyArray_TYPE(a) == NPY_OBJECT || t == SF_DT_INVALID) { /* a column of strings of pandas? */
        const bool column = PyArray_NDIM(a) > 0 && !PyList_Check(obj) && !PyTuple_Check(obj);
        const int r = !column ? 0 : describe(a, SF_DT_INVALID, SF_VALUE_MAX, out);
        Py_DECREF(a);
        return !column || r < 0 ? r : out->dtype != SF_DT_INVALID;
    }
    if (narrow && t == SF_DT_DOUBLE) {
        t = SF_DT_FLOAT;
    } else if (narrow && t == SF_DT_INT64 && fits_int32(a)) {
        t = SF_DT_INT32;
    }
    const int r = describe(a, t, SF_VALUE_MAX, out);
    Py_DECREF(a);
    return r < 0 ? -1 : 1;
}

/* Is a cast from one to the other one that numpy makes without looking at the content? */
static bool casts_freely(SfDtype from, SfDtype to)
{
    return from != SF_DT_INVALID && from != SF_DT_STRING && to != SF_DT_STRING;
}

PyObject *sfpy_np_asarray(SfpyState *st, PyObject *value, SfDtype want)
{
    PyArray_Descr *d = sfpy_np_load(st) < 0 ? NULL : sfpy_np_descr(st, want);
    value = !d ? NULL : settled(value);
    if (!value) {
        Py_XDECREF(d);
        return NULL;
    }
    Py_INCREF(d);
    /* takes over one reference to d */
    PyObject *a = PyArray_FromAny(value, d, 0, 0, NPY_ARRAY_FORCECAST, NULL);
    if (!a && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear(); /* numpy 1 wraps around, and so does TensorFlow with numpy 2 */
        PyObject *wide = PyArray_FROM_O(value);
        if (wide) {
            Py_INCREF(d);
            a = PyArray_FromAny(wide, d, 0, 0, NPY_ARRAY_FORCECAST, NULL);
            Py_DECREF(wide);
        }
    }
    Py_DECREF(d);
    Py_DECREF(value);
    return a;
}

/* The result of an unmodelled API, by itself or inside an object array: its class says so. */
static bool is_unmodelled(PyObject *o)
{
    return PyObject_HasAttrString((PyObject *)Py_TYPE(o), "_sf_unmodelled");
}

static bool is_number(PyObject *o)
{
    return PyFloat_Check(o) || PyLong_Check(o) || PyArray_IsScalar(o, Generic);
}

/* Is its shape unknown? So it is for something unmodelled beside a number in a list. */
static bool holds_unmodelled(PyObject *value, int depth)
{
    PyArrayObject *a = PyArray_Check(value) ? (PyArrayObject *)value : NULL;
    const bool list = is_list(value);
    if (!list && !a) {
        return !is_number(value) && is_unmodelled(value);
    }
    if (depth > NESTED_MAX || (a && (PyArray_TYPE(a) != NPY_OBJECT || !PyArray_ISCARRAY_RO(a)))) {
        return false;
    }
    bool holds = false;
    for (npy_intp i = 0; i < (a ? PyArray_SIZE(a) : PySequence_Fast_GET_SIZE(value)); i++) {
        PyObject *item = a ? ((PyObject **)PyArray_DATA(a))[i] : PySequence_Fast_GET_ITEM(value, i);
        const bool number = !item || is_number(item);
        Py_XINCREF(item); /* a metaclass that is asked may remove the item from the list */
        holds = holds || (!number && holds_unmodelled(item, depth + 1));
        Py_XDECREF(item);
        if (list && number) {
            return false;
        }
    }
    return holds;
}

static int describe_for(bool transient, PyArrayObject *a, SfDtype want, int64_t max_values,
                        SfpyArray *out)
{
    if (PyArray_SIZE(a) > worth_keeping(want, max_values)) {
        return describe(a, want, max_values, out); /* no content is kept */
    }
    const bool before = sf_values_transient(transient);
    const int r = describe(a, want, max_values, out);
    (void)sf_values_transient(before);
    return r;
}

static const SfShape *said_shape(SfpyState *st, PyObject *value, int depth);

/* Of a list: all that its items may have, after their number. */
static const SfShape *said_of_list(SfpyState *st, PyObject *list, int depth)
{
    const SfShape *items = depth > NESTED_MAX ? sf_shape_unknown() : sf_shape_bottom();
    Py_ssize_t n = 0;
    for (; n < PySequence_Fast_GET_SIZE(list) && items && items->rank != SF_RANK_UNKNOWN; n++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(list, n)); /* asked, it may go */
        items = sf_shape_join(items, said_shape(st, item, depth + 1));
        Py_DECREF(item);
    }
    const bool is_known = n > 0 && items && items->rank >= 0;
    const SfShape *s = is_known ? sf_shape_insert(items, 0, (SfDim)n) : NULL;
    return s ? s : sf_shape_unknown();
}

/* The shape of something unknown that is fed: what the program said of it as an array. */
static const SfShape *said_shape(SfpyState *st, PyObject *value, int depth)
{
    if (is_list(value)) {
        return said_of_list(st, value, depth);
    }
    if (depth > 0 && PyArray_Check(value)) { /* beside the others, which fit it */
        const bool holds_objects = PyArray_TYPE((PyArrayObject *)value) == NPY_OBJECT;
        const SfShape *s = holds_objects ? NULL : shape_of((PyArrayObject *)value);
        return s ? s : sf_shape_unknown();
    }
    PyObject *said = is_unmodelled(value) ? PyObject_GetAttrString(value, "_sf_shape") : NULL;
    const SfShape *s = said && PyTuple_Check(said) ? sfpy_shape_from(st, said) : NULL;
    PyErr_Clear();
    Py_XDECREF(said);
    return s ? s : sf_shape_unknown();
}

static int feed(SfpyState *st, PyObject *value, SfDtype want, int64_t max_values, bool transient,
                SfpyArray *out)
{
    if (sfpy_np_load(st) < 0) {
        return -1;
    }
    if (holds_unmodelled(value, 0)) {
        *out = (SfpyArray){.dtype = want, .shape = said_shape(st, value, 0)};
        return 0;
    }
    if (PyArray_Check(value)) {
        PyArrayObject *a = (PyArrayObject *)value;
        const SfDtype have = dtype_of_descr(PyArray_DESCR(a));
        if (have == want || casts_freely(have, want) || want == SF_DT_STRING) {
            return describe_for(transient, a, want, max_values, out);
        }
    }
    PyObject *a = sfpy_np_asarray(st, value, want);
    const int r = !a ? -1 : describe_for(transient, (PyArrayObject *)a, want, max_values, out);
    Py_XDECREF(a);
    return r;
}

int sfpy_np_feed(SfpyState *st, PyObject *value, SfDtype want, int64_t max_values, SfpyArray *out)
{
    return feed(st, value, want, max_values, false, out);
}

int sfpy_np_element(SfpyState *st, PyObject *value, SfDtype want, int64_t max_values,
                    SfpyArray *out)
{
    return feed(st, value, want, max_values, true, out);
}

bool sfpy_np_is_bool_array(SfpyState *st, PyObject *o)
{
    return (st->numpy_ready || sfpy_np_present(st)) &&
           ((PyArray_Check(o) && PyArray_TYPE((PyArrayObject *)o) == NPY_BOOL) ||
            PyArray_IsScalar(o, Bool));
}

PyObject *sfpy_np_object(SfpyState *st, PyObject *o)
{
    PyObject *a = sfpy_np_load(st) < 0 ? NULL : PyArray_ZEROS(0, NULL, NPY_OBJECT, 0);
    if (a) {
        PyObject **item = PyArray_DATA((PyArrayObject *)a);
        Py_XSETREF(*item, Py_NewRef(o));
    }
    return a;
}
