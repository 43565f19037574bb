/* tensor[...]: one StridedSlice with masks, a boolean mask, or an element for iteration.
 * Invariant: as in TensorFlow, the bounds are three packed vectors under "strided_slice/stack".
 * Owner: nothing here. Source: array_ops._slice_helper. */
#include "pymodule/ext/ext.h"

#define SLICE_WORDS                                                                                \
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "               \
    "tf.int32/tf.int64 tensors are valid indices"

typedef struct Spec {
    SfpyState *st;
    PyObject *begin, *end, *strides; /* lists */
    int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask;
} Spec;

static void spec_free(Spec *s)
{
    Py_XDECREF(s->begin);
    Py_XDECREF(s->end);
    Py_XDECREF(s->strides);
}

/* _check_index: integers, Dimensions, and what has an integer dtype. */
static int check_index(SfpyState *st, PyObject *index)
{
    if (PyLong_Check(index) || Py_IS_TYPE(index, st->dimension_type) ||
        st->version < SF_VERSION(1, 13)) { /* before 1.13 the op checks it */
        return 0;
    }
    SfDtype t = SF_DT_INVALID;
    int rank = 0;
    if (sfpy_np_is_array(st, index)) {
        SfpyArray a;
        if (sfpy_np_describe(st, index, 0, &a) < 0) {
            return -1;
        }
        t = a.dtype;
        rank = sf_shape_rank(a.shape);
    } else {
        PyObject *tensor = sfpy_tensor_of(st, index);
        if (!tensor && PyErr_Occurred()) {
            return -1;
        }
        if (tensor) {
            const SfTensor value = sfpy_tensor_read((SfpyTensor *)tensor);
            t = sf_dtype_base(value.dtype);
            rank = sf_shape_rank(value.shape);
            Py_DECREF(tensor);
            if (t != SF_DT_INT32 && sf_tensor_is_unmodelled(&value, SF_UNMODELLED_DTYPE)) {
                return 0;
            }
        }
    }
    const bool newer = st->version >= SF_VERSION(2, 4);
    if ((t == SF_DT_INT32 || t == SF_DT_INT64 || (newer && t == SF_DT_INT16)) && rank != 1) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, SLICE_WORDS ", got %R", index);
    return -1;
}

static int append_long(PyObject *list, long value)
{
    PyObject *o = PyLong_FromLong(value);
    const int r = !o ? -1 : PyList_Append(list, o);
    Py_XDECREF(o);
    return r;
}

/* One bound of a slice: sets the mask bit for None and for what Python means by "to the end". */
static int add_bound(Spec *s, PyObject *list, PyObject *bound, long missing, int64_t *mask, int bit)
{
    bool given = bound != Py_None && !(Py_IS_TYPE(bound, s->st->dimension_type) &&
                                       !sf_dim_is_known(((SfpyDimension *)bound)->dim));
    if (given && PyLong_Check(bound) && mask) {
        given = PyLong_AsLongLong(bound) != PY_SSIZE_T_MAX;
        if (PyErr_Occurred()) {
            PyErr_Clear();
        }
    }
    if (!given) {
        if (mask) {
            *mask |= INT64_C(1) << bit;
        }
        return append_long(list, missing);
    }
    return check_index(s->st, bound) < 0 ? -1 : PyList_Append(list, bound);
}

static int add_marker(Spec *s, int64_t *mask, int bit)
{
    *mask |= INT64_C(1) << bit;
    return append_long(s->begin, 0) < 0 || append_long(s->end, 0) < 0 ? -1
                                                                      : append_long(s->strides, 1);
}

static int add_element(Spec *s, PyObject *index, int bit)
{
    if (check_index(s->st, index) < 0) {
        return -1;
    }
    PyObject *one = PyLong_FromLong(1);
    PyObject *next = !one ? NULL : PyNumber_Add(index, one);
    const int r = !next || PyList_Append(s->begin, index) < 0 || PyList_Append(s->end, next) < 0
                      ? -1
                      : append_long(s->strides, 1);
    Py_XDECREF(one);
    Py_XDECREF(next);
    s->shrink_mask |= INT64_C(1) << bit;
    return r;
}

static int add_item(Spec *s, PyObject *item, int bit)
{
    if (PySlice_Check(item)) {
        const PySliceObject *slice = (PySliceObject *)item;
        if (add_bound(s, s->begin, slice->start, 0, &s->begin_mask, bit) < 0 ||
            add_bound(s, s->end, slice->stop, 0, &s->end_mask, bit) < 0) {
            return -1;
        }
        return add_bound(s, s->strides, slice->step, 1, NULL, bit);
    }
    if (item == Py_Ellipsis) {
        return add_marker(s, &s->ellipsis_mask, bit);
    }
    if (item == Py_None) {
        return add_marker(s, &s->new_axis_mask, bit);
    }
    return add_element(s, item, bit);
}

static int spec_init(Spec *s, SfpyState *st, PyObject *key)
{
    *s = (Spec){.st = st, .begin = PyList_New(0), .end = PyList_New(0), .strides = PyList_New(0)};
    if (!s->begin || !s->end || !s->strides) {
        return -1;
    }
    if (!PyTuple_Check(key) && !PyList_Check(key)) {
        return add_item(s, key, 0);
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(key); i++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(key, i));
        if (i > 62) {
            PyErr_SetString(PyExc_IndexError, "too many indices");
        }
        const int r = i > 62 ? -1 : add_item(s, item, (int)i);
        Py_DECREF(item);
        if (r < 0) {
            return -1;
        }
    }
    return 0;
}

/* the op */
static SfStatus pack(SfpyCall *call, const SfArg *arg, SfTensor *out)
{
    return sf_api_tensor_named(&call->c, arg, SF_DT_INVALID, "stack", out);
}

static SfStatus pack_all(SfpyCall *call, const SfArg args[3], SfTensor in[4])
{
    if (args[0].u.list.n == 0) {
        SF_TRY(sf_api_const_ints(&call->c, NULL, 0, SF_DT_INT32, NULL, &in[1]));
        in[2] = in[3] = in[1];
        return SF_OK;
    }
    bool wide = false;
    for (int i = 0; i < 3; i++) {
        SF_TRY(pack(call, &args[i], &in[i + 1]));
        wide = wide || in[i + 1].dtype == SF_DT_INT64;
    }
    const SfAttrArg to[] = {SF_ATYPE("DstT", SF_DT_INT64)};
    for (int i = 1; wide && i < 4; i++) {
        if (in[i].dtype != SF_DT_INT64) {
            SF_TRY(sf_api_op(&call->c, "Cast", NULL, &in[i], 1, to, 1, &in[i]));
        }
    }
    return SF_OK;
}

static SfStatus slice_op(SfpyCall *call, const Spec *s, const SfArg args[3], SfTensor in[4],
                         SfTensor *out)
{
    SfScope scope;
    SF_TRY(sf_api_scope_enter(sfpy_call_core(call), NULL, "strided_slice", &scope));
    const SfStatus status = pack_all(call, args, in);
    sf_api_scope_exit(&call->c, &scope);
    SF_TRY(status);
    const SfAttrArg attrs[] = {
        SF_AINT("begin_mask", s->begin_mask), SF_AINT("end_mask", s->end_mask),
        SF_AINT("ellipsis_mask", s->ellipsis_mask), SF_AINT("new_axis_mask", s->new_axis_mask),
        SF_AINT("shrink_axis_mask", s->shrink_mask)};
    return sf_api_op(&call->c, "StridedSlice", scope.scope, in, 4, attrs, SF_ARRAY_LEN(attrs), out);
}

static PyObject *slice(SfpyState *st, PyObject *tensor, const Spec *s)
{
    SfpyCall call;
    SfTensor in[4], out;
    SfArg args[4];
    if (sfpy_call_begin(st, &call) < 0) {
        return NULL;
    }
    if (sfpy_call_prefer(&call, tensor) < 0 ||
        sfpy_tensor_in(&call.conv, (SfpyTensor *)tensor, &in[0]) < 0 ||
        sfpy_arg(&call.conv, s->begin, &args[0]) < 0 ||
        sfpy_arg(&call.conv, s->end, &args[1]) < 0 ||
        sfpy_arg(&call.conv, s->strides, &args[2]) < 0) {
        sfpy_call_leave(&call);
        return NULL;
    }
    SfpyGraph *graph = call.graph;
    Py_XINCREF(graph);
    const SfStatus status = slice_op(&call, s, args, in, &out);
    PyObject *r;
    if (status == SF_UNMODELLED) {
        args[3] = (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = in[0]};
        call.c.raw_args = args;
        call.c.nraw = 4;
        r = sfpy_call_unmodelled(&call);
        sfpy_call_leave(&call);
    } else {
        r = sfpy_call_check(&call, status) < 0 ? NULL : sfpy_tensor_wrap(st, graph, &out);
        sfpy_call_leave(&call);
    }
    Py_XDECREF(graph);
    return r;
}

/* 1 when the key selects by booleans: tensor[mask]. */
static int is_mask(SfpyState *st, PyObject *key)
{
    if (PyBool_Check(key) || sfpy_np_is_bool_array(st, key)) {
        return 1;
    }
    PyObject *t = sfpy_tensor_of(st, key);
    if (!t) {
        return PyErr_Occurred() ? -1 : 0;
    }
    const bool mask = sf_dtype_base(sfpy_tensor_dtype((SfpyTensor *)t)) == SF_DT_BOOL;
    Py_DECREF(t);
    return mask;
}

static PyObject *boolean_mask(SfpyState *st, PyObject *tensor, PyObject *mask)
{
    PyObject *name = PyUnicode_FromString("tf.boolean_mask");
    PyObject *f = !name ? NULL : sfpy_find_api(st, name, st->version >= SF_VERSION(2, 0) ? 2 : 1);
    PyObject *r = NULL;
    if (f == Py_None) {
        PyErr_SetString(PyExc_NotImplementedError, "tf.boolean_mask is not there");
    } else if (f) {
        r = PyObject_CallFunctionObjArgs(f, tensor, mask, NULL);
    }
    Py_XDECREF(name);
    Py_XDECREF(f);
    return r;
}

PyObject *sfpy_op_getitem(PyObject *a, PyObject *key)
{
    SfpyState *st = sfpy_state_of(Py_TYPE(a));
    PyObject *tensor = !st ? NULL : sfpy_tensor_of(st, a);
    if (!tensor) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "not a tensor");
        }
        return NULL;
    }
    PyObject *r = NULL;
    Spec s;
    const int mask = st->version < SF_VERSION(1, 13) ? 0 : is_mask(st, key);
    if (mask > 0) {
        r = boolean_mask(st, tensor, key);
    } else if (mask == 0) {
        if (spec_init(&s, st, key) == 0) {
            r = slice(st, tensor, &s);
        }
        spec_free(&s);
    }
    Py_DECREF(tensor);
    return r;
}

PyObject *sfpy_op_index(PyObject *a, Py_ssize_t index)
{
    PyObject *key = PyLong_FromSsize_t(index);
    PyObject *r = !key ? NULL : sfpy_op_getitem(a, key);
    Py_XDECREF(key);
    return r;
}
