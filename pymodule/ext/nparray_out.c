/* numpy out: what a program sees of a tensor as an array: its content where that is known, else
 * zeros.
 * Invariant: an array of any size that a machine could hold can be made, and takes no memory until
 * it is touched.
 * Owner: arrays made here belong to Python. Source: session.py's fetches. */
#include "pymodule/ext/nparray.h"

#include <sys/mman.h>

/* Past this size memory comes from mmap without reservation: pages that nobody touches are free,
 * and the kernel does not refuse what a real run would hold on a GPU. */
#define LAZY_BYTES ((size_t)1 << 30)
/* Up to this size memory comes from malloc, which is quick, and is zeroed here: PyArray_Zeros lets
 * other threads run for each array, and calloc is slow. */
#define SMALL_BYTES ((size_t)1 << 12)
/* Content other than zero is written up to here only. */
#define FILL_MAX ((int64_t)1 << 24)

static void unmap(PyObject *capsule)
{
    void *data = PyCapsule_GetPointer(capsule, "shapeflow.pages");
    const size_t *size = PyCapsule_GetContext(capsule);
    if (data && size) {
        munmap(data, *size);
    }
    PyMem_Free(PyCapsule_GetContext(capsule));
}

/* A zero array on pages that cost nothing until they are touched. Steals `d`. */
static PyObject *lazy_zeros(int rank, npy_intp *dims, PyArray_Descr *d, size_t bytes)
{
    size_t *size = PyMem_Malloc(sizeof *size);
    void *data = !size ? MAP_FAILED
                       : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        PyMem_Free(size);
        Py_DECREF(d);
        return PyErr_Format(PyExc_MemoryError,
                            "shapeflow cannot show a program an array of %zu bytes", bytes);
    }
    *size = bytes;
    PyObject *capsule = PyCapsule_New(data, "shapeflow.pages", unmap);
    if (!capsule) {
        munmap(data, bytes);
        PyMem_Free(size);
        Py_DECREF(d);
        return NULL;
    }
    PyCapsule_SetContext(capsule, size);
    PyObject *a =
        PyArray_NewFromDescr(&PyArray_Type, d, rank, dims, NULL, data, NPY_ARRAY_CARRAY, NULL);
    if (!a || PyArray_SetBaseObject((PyArrayObject *)a, capsule) < 0) {
        Py_XDECREF(a);
        if (!a) {
            Py_DECREF(capsule);
        }
        return NULL;
    }
    return a;
}

/* The number of bytes; false when that is more than any machine addresses. */
static bool count_bytes(int rank, const npy_intp *dims, size_t itemsize, size_t *out)
{
    size_t bytes = itemsize;
    for (int i = 0; i < rank; i++) {
        if (dims[i] == 0) {
            *out = 0;
            return true;
        }
        if (bytes > ((size_t)1 << 46) / (size_t)dims[i]) {
            return false;
        }
        bytes *= (size_t)dims[i];
    }
    *out = bytes;
    return true;
}

static PyObject *zeros(SfpyState *st, const SfShape *shape, SfDtype t)
{
    npy_intp dims[NPY_MAXDIMS];
    const int rank = sf_shape_rank(shape) < 0 ? 0 : sf_shape_rank(shape);
    if (rank > NPY_MAXDIMS) {
        return PyErr_Format(PyExc_ValueError, "numpy has no arrays of rank %d", rank);
    }
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_shape_dim(shape, i);
        dims[i] = sf_dim_is_known(d) ? (npy_intp)d : 1; /* what nobody knows is taken as one */
    }
    PyArray_Descr *d = sfpy_np_descr(st, t);
    if (!d) {
        return NULL;
    }
    size_t bytes = 0;
    if (!count_bytes(rank, dims, (size_t)PyDataType_ELSIZE(d), &bytes)) {
        Py_DECREF(d);
        PyErr_SetString(PyExc_MemoryError,
                        "shapeflow cannot show a program an array that no machine can hold");
        return NULL;
    }
    if (bytes >= LAZY_BYTES && d->kind != 'O') {
        return lazy_zeros(rank, dims, d, bytes);
    }
    if (bytes > SMALL_BYTES || d->kind == 'O') {
        return PyArray_Zeros(rank, dims, d, 0);
    }
    PyObject *a = PyArray_NewFromDescr(&PyArray_Type, d, rank, dims, NULL, NULL, 0, NULL);
    if (a) {
        memset(PyArray_DATA((PyArrayObject *)a), 0, bytes);
    }
    return a;
}

/* Strings: an array of empty bytes instead of zeros. */
static int fill_text(PyArrayObject *a)
{
    PyObject *empty = PyBytes_FromString("");
    PyObject **data = PyArray_DATA(a);
    const npy_intp n = PyArray_SIZE(a);
    if (!empty) {
        return -1;
    }
    for (npy_intp i = 0; i < n; i++) {
        Py_XSETREF(data[i], Py_NewRef(empty));
    }
    Py_DECREF(empty);
    return 0;
}

/* The elements of a softmax sum to one over its last axis; what a program sees of it does too. */
static int fill_unit_sum(SfpyState *st, PyObject *a)
{
    const int rank = PyArray_NDIM((PyArrayObject *)a);
    const npy_intp last = rank == 0 ? 1 : PyArray_DIM((PyArrayObject *)a, rank - 1);
    if (last == 0 || PyArray_SIZE((PyArrayObject *)a) > FILL_MAX) {
        return 0;
    }
    PyObject *one = PyFloat_FromDouble(1.0 / (double)last);
    const int r = !one ? -1 : PyArray_FillWithScalar((PyArrayObject *)a, one);
    Py_XDECREF(one);
    return r;
}

static int64_t elem_int(SfElem e)
{
    if (e.kind == SF_ELEM_INT) {
        return e.u.i;
    }
    return e.kind == SF_ELEM_DIM ? 1 : 0; /* a symbolic size is taken as one, as above */
}

/* An array of 64-bit integers, doubles, complex numbers or objects with the known elements. */
static PyObject *known_elems(const SfValue *v, int type_num, int rank, npy_intp *dims)
{
    PyObject *a = PyArray_ZEROS(rank, dims, type_num, 0);
    if (!a) {
        return NULL;
    }
    const SfElem *elems = sf_value_elems(v);
    void *data = PyArray_DATA((PyArrayObject *)a);
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const SfElem e = elems[i];
        const double f = e.kind == SF_ELEM_FLOAT || e.kind == SF_ELEM_COMPLEX ? e.u.f : 0.0;
        switch (type_num) {
        case NPY_INT64:
            ((npy_int64 *)data)[i] = elem_int(e);
            break;
        case NPY_DOUBLE:
            ((double *)data)[i] = f;
            break;
        case NPY_CDOUBLE:
            ((double *)data)[2 * i] = f;
            ((double *)data)[2 * i + 1] = e.kind == SF_ELEM_COMPLEX ? e.im : 0.0;
            break;
        default: {
            PyObject *text = e.kind == SF_ELEM_STRING && e.u.s
                                 ? PyBytes_FromStringAndSize(e.u.s->bytes, (Py_ssize_t)e.u.s->len)
                                 : PyBytes_FromString("");
            if (!text) {
                Py_DECREF(a);
                return NULL;
            }
            Py_XSETREF(((PyObject **)data)[i], text);
            break;
        }
        }
    }
    return a;
}

static PyObject *array_of_value(SfpyState *st, const SfValue *v)
{
    npy_intp dims[NPY_MAXDIMS];
    const SfShape *shape = sf_value_shape(v);
    const SfDtype t = sf_dtype_base(sf_value_dtype(v));
    const int rank = sf_shape_rank(shape), type_num = sfpy_np_wide(t);
    if (rank > NPY_MAXDIMS) {
        return PyErr_Format(PyExc_ValueError, "numpy has no arrays of rank %d", rank);
    }
    for (int i = 0; i < rank; i++) {
        dims[i] = (npy_intp)sf_shape_dim(shape, i);
    }
    PyObject *wide = known_elems(v, type_num, rank, dims);
    PyArray_Descr *d = !wide || type_num == NPY_OBJECT ? NULL : sfpy_np_descr(st, t);
    if (!d) {
        if (PyErr_Occurred()) {
            Py_CLEAR(wide);
        }
        return wide;
    }
    PyObject *a = PyArray_CastToType((PyArrayObject *)wide, d, 0); /* takes over d */
    Py_DECREF(wide);
    return a;
}

PyObject *sfpy_np_constant(SfpyState *st, const SfValue *v)
{
    return sfpy_np_load(st) < 0 ? NULL : array_of_value(st, v);
}

PyObject *sfpy_set_result_hook(PyObject *module, PyObject *hook)
{
    return !sfpy_hook_set(&sfpy_state(module)->result_hook, hook) ? NULL : Py_NewRef(Py_None);
}

static PyObject *hooked_result(SfpyState *st, const SfShape *shape, SfDtype dtype)
{
    PyObject *dims = sfpy_shape_tuple(shape);
    PyObject *hook = Py_NewRef(st->result_hook); /* it may set another one */
    PyObject *made = !dims ? NULL : PyObject_CallFunction(hook, "Os", dims, sf_dtype_name(dtype));
    Py_DECREF(hook);
    Py_XDECREF(dims);
    return made;
}

PyObject *sfpy_np_result(SfpyState *st, const SfTensor *t, bool as_array)
{
    if (sfpy_np_load(st) < 0) {
        return NULL;
    }
    PyObject *a;
    if (t->value && sf_dtype_base(t->dtype) != SF_DT_VARIANT) {
        a = array_of_value(st, t->value);
    } else {
        const SfDtype dtype = sf_dtype_base(t->dtype);
        if (!as_array && st->result_hook != Py_None && !sf_shape_is_known(t->shape)) {
            return hooked_result(st, t->shape, dtype);
        }
        a = zeros(st, t->shape, dtype);
        const bool unit = t->node && (t->node->sig->def->traits & SF_OP_UNIT_SUM) != 0 &&
                          sf_dtype_is_floating(dtype);
        if (a && ((dtype == SF_DT_STRING && fill_text((PyArrayObject *)a) < 0) ||
                  (unit && fill_unit_sum(st, a) < 0))) {
            Py_CLEAR(a);
        }
    }
    return !a || as_array ? a : PyArray_Return((PyArrayObject *)a);
}
