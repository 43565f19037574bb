/* tf.DType: one object for each number of types.proto and each reference type.
 * Invariant: singletons; as_dtype of anything that names a dtype gives the same object.
 * Owner: the module state. Source: tensorflow/python/framework/dtypes.py. */
#include "pymodule/ext/ext.h"

#include <float.h>

static SfDtype dtype_of(PyObject *self)
{
    return ((SfpyDtype *)self)->dtype;
}

static SfpyState *state_of(PyObject *self)
{
    return sfpy_state_of(Py_TYPE(self));
}

/* Position in SfpyState.dtypes, or -1. */
static int slot_of(SfDtype t)
{
    const int base = (int)sf_dtype_base(t);
    if (base <= 0 || base >= SF_DT_COUNT) {
        return -1;
    }
    return sf_dtype_is_ref(t) ? SF_DT_COUNT + base : base;
}

PyObject *sfpy_dtype(SfpyState *st, SfDtype t)
{
    const int slot = slot_of(t);
    PyObject *o = slot < 0 ? NULL : st->dtypes[slot];
    if (!o) {
        PyErr_Format(PyExc_TypeError, "Cannot convert value %d to a TensorFlow DType.", (int)t);
        return NULL;
    }
    return Py_NewRef(o);
}

int sfpy_dtype_init(SfpyState *st, PyObject *module)
{
    for (int ref = 0; ref < 2; ref++) {
        for (int i = 1; i < SF_DT_COUNT; i++) {
            const SfDtype t = (SfDtype)(i + (ref ? SF_DT_REF : 0));
            const char *name = sf_dtype_name(t);
            if (strncmp(name, "invalid", 7) == 0) {
                continue;
            }
            SfpyDtype *o = PyObject_New(SfpyDtype, st->dtype_type);
            if (!o) {
                return -1;
            }
            o->dtype = t;
            st->dtypes[slot_of(t)] = (PyObject *)o;
            if (PyObject_SetAttrString(module, name, (PyObject *)o) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* as_dtype */
int sfpy_dtype_from(SfpyState *st, PyObject *value, SfDtype *out)
{
    if (PyObject_TypeCheck(value, st->dtype_type)) {
        *out = dtype_of(value);
        return *out != SF_DT_INVALID;
    }
    if (PyUnicode_Check(value)) {
        Py_ssize_t len = 0;
        const char *text = PyUnicode_AsUTF8AndSize(value, &len);
        *out = !text ? SF_DT_INVALID : sf_dtype_parse(text, (size_t)len);
        return !text ? -1 : *out != SF_DT_INVALID;
    }
    if (PyType_Check(value)) {
        if (value == (PyObject *)&PyFloat_Type && st->version >= SF_VERSION(1, 9)) {
            *out = SF_DT_FLOAT;
            return 1;
        }
        if (value == (PyObject *)&PyBool_Type || value == (PyObject *)&PyBaseObject_Type) {
            *out = value == (PyObject *)&PyBool_Type ? SF_DT_BOOL : SF_DT_STRING;
            return 1;
        }
        return sfpy_np_present(st) ? sfpy_np_dtype_from(st, value, out) : 0;
    }
    if (PyLong_Check(value) && !PyBool_Check(value)) {
        const long n = PyLong_AsLong(value);
        if (n == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return 0;
        }
        const int slot = n > 0 && n < 2 * SF_DT_REF ? slot_of((SfDtype)n) : -1;
        *out = (SfDtype)n;
        return slot >= 0 && st->dtypes[slot];
    }
    return sfpy_np_present(st) ? sfpy_np_dtype_from(st, value, out) : 0;
}

int sfpy_dtype_need(SfpyState *st, PyObject *value, SfDtype *out)
{
    const int r = sfpy_dtype_from(st, value, out);
    if (r == 0) {
        PyErr_Format(PyExc_TypeError,
                     st->version >= SF_VERSION(2, 5)
                         ? "Cannot convert the argument `type_value`: %R to a TensorFlow DType."
                         : "Cannot convert value %R to a TensorFlow DType.",
                     value);
    }
    return r == 1 ? 0 : -1;
}

PyObject *sfpy_as_dtype(PyObject *module, PyObject *value)
{
    SfpyState *st = sfpy_state(module);
    SfDtype t;
    if (Py_IS_TYPE(value, st->dtype_type)) {
        return Py_NewRef(value);
    }
    return sfpy_dtype_need(st, value, &t) < 0 ? NULL : sfpy_dtype(st, t);
}

static char *dtype_parameters[] = {"type_enum", NULL};

static PyObject *dtype_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *value;
    SfDtype t;
    SfpyState *st = sfpy_state_of(type);
    if (type != st->dtype_type) {
        return type->tp_alloc(type, 0);
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:DType", dtype_parameters, &value)) {
        return NULL;
    }
    return sfpy_dtype_need(st, value, &t) < 0 ? NULL : sfpy_dtype(st, t);
}

/* A program's subclass may take any arguments; its constructor calls this one with ours. */
static int dtype_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SfpyState *st = state_of(self);
    PyObject *value;
    if (Py_IS_TYPE(self, st->dtype_type)) {
        return 0; /* one for each type: dtype_new has found it */
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:DType", dtype_parameters, &value)) {
        return -1;
    }
    return sfpy_dtype_need(st, value, &((SfpyDtype *)self)->dtype);
}

/* properties */
static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_InternFromString(sf_dtype_name(dtype_of(self)));
}

static PyObject *get_enum(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong((long)dtype_of(self));
}

static PyObject *get_base(PyObject *self, void *Py_UNUSED(closure))
{
    return sfpy_dtype(state_of(self), sf_dtype_base(dtype_of(self)));
}

static PyObject *get_as_ref(PyObject *self, void *Py_UNUSED(closure))
{
    const SfDtype t = dtype_of(self);
    return sfpy_dtype(state_of(self), sf_dtype_is_ref(t) ? t : (SfDtype)(t + SF_DT_REF));
}

static PyObject *get_real(PyObject *self, void *Py_UNUSED(closure))
{
    const SfDtype t = dtype_of(self), base = sf_dtype_base(t);
    const SfDtype real = base == SF_DT_COMPLEX64    ? SF_DT_FLOAT
                         : base == SF_DT_COMPLEX128 ? SF_DT_DOUBLE
                                                    : t;
    return sfpy_dtype(state_of(self), real);
}

typedef bool (*Predicate)(SfDtype);

static bool is_numpy_compatible(SfDtype t)
{
    return t != SF_DT_RESOURCE && t != SF_DT_VARIANT;
}

static bool is_numeric(SfDtype t)
{
    return sf_dtype_is_floating(t) || sf_dtype_is_integer(t) || sf_dtype_is_complex(t);
}

static PyObject *get_predicate(PyObject *self, void *closure)
{
    /* ISO C keeps function and data pointers apart: the closure points to a pointer. */
    const Predicate f = *(const Predicate *)closure;
    return PyBool_FromLong(f(sf_dtype_base(dtype_of(self))));
}

static const Predicate p_floating = sf_dtype_is_floating, p_integer = sf_dtype_is_integer,
                       p_complex = sf_dtype_is_complex, p_bool = sf_dtype_is_bool,
                       p_unsigned = sf_dtype_is_unsigned, p_quantized = sf_dtype_is_quantized,
                       p_numpy = is_numpy_compatible, p_numeric = is_numeric;

static PyObject *get_is_ref(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sf_dtype_is_ref(dtype_of(self)));
}

static PyObject *get_size(PyObject *self, void *Py_UNUSED(closure))
{
    const SfDtype t = sf_dtype_base(dtype_of(self));
    const bool old = state_of(self)->version < SF_VERSION(2, 0);
    size_t size = sf_dtype_size(t);
    if (size == 0 && old) {
        size = t == SF_DT_STRING ? sizeof(PyObject *) : 1;
    }
    return PyLong_FromSize_t(size);
}

static PyObject *get_as_numpy(PyObject *self, void *Py_UNUSED(closure))
{
    const SfDtype t = sf_dtype_base(dtype_of(self));
    if (t == SF_DT_STRING) {
        return Py_NewRef((PyObject *)&PyBaseObject_Type);
    }
    if (t == SF_DT_BOOL && state_of(self)->version < SF_VERSION(2, 0)) {
        /* np.bool was Python's bool in the numpy of TensorFlow 1 */
        return Py_NewRef((PyObject *)&PyBool_Type);
    }
    return sfpy_np_type(state_of(self), t);
}

static bool int_limits(SfDtype t, int64_t *low, uint64_t *high)
{
    if (!sf_dtype_is_integer(t)) {
        return false;
    }
    const bool is_unsigned = sf_dtype_is_unsigned(t);
    const unsigned bits = sf_dtype_bits(t) - (is_unsigned ? 0 : 1);
    *high = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    *low = is_unsigned ? 0 : -(int64_t)*high - 1;
    return true;
}

/* A Python int for integers, a numpy scalar for floats, as numpy's iinfo and finfo give them. */
static PyObject *limit(PyObject *self, bool high)
{
    const SfDtype t = sf_dtype_base(dtype_of(self));
    int64_t low;
    uint64_t top;
    if (int_limits(t, &low, &top)) {
        return high ? PyLong_FromUnsignedLongLong(top) : PyLong_FromLongLong(low);
    }
    if (!sf_dtype_is_floating(t)) {
        return PyErr_Format(PyExc_TypeError,
                            state_of(self)->version >= SF_VERSION(2, 5)
                                ? "Cannot find %s value of %S with type %S."
                                : "Cannot find %s value of %S.",
                            high ? "maximum" : "minimum", self, self);
    }
    PyObject *type = sfpy_np_type(state_of(self), t);
    if (!type) {
        return NULL;
    }
    const double most = sf_dtype_float_format(t)->max;
    PyObject *r = PyObject_CallFunction(type, "d", high ? most : -most);
    Py_DECREF(type);
    return r;
}

static PyObject *get_min(PyObject *self, void *Py_UNUSED(closure))
{
    return limit(self, false);
}

static PyObject *get_max(PyObject *self, void *Py_UNUSED(closure))
{
    return limit(self, true);
}

/* DType.limits: 0 and what counts as full intensity, which is how images are scaled. */
static PyObject *get_limits(PyObject *self, void *Py_UNUSED(closure))
{
    const SfDtype t = sf_dtype_base(dtype_of(self));
    int64_t low;
    uint64_t top;
    if (t == SF_DT_FLOAT || t == SF_DT_DOUBLE || t == SF_DT_BOOL) {
        return t == SF_DT_BOOL ? Py_BuildValue("(iO)", 0, Py_True) : Py_BuildValue("(ii)", 0, 1);
    }
    if (!int_limits(t, &low, &top)) {
        return PyErr_Format(PyExc_ValueError, "%S does not have defined limits.", self);
    }
    return Py_BuildValue("(iK)", 0, (unsigned long long)top);
}

/* methods */
static PyObject *dtype_is_compatible_with(PyObject *self, PyObject *other)
{
    SfDtype t;
    if (sfpy_dtype_need(state_of(self), other, &t) < 0) {
        return NULL;
    }
    return PyBool_FromLong(sf_dtype_base(t) == sf_dtype_base(dtype_of(self)));
}

static PyObject *dtype_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *module = PyType_GetModule(Py_TYPE(self));
    PyObject *make = !module ? NULL : PyObject_GetAttrString(module, "as_dtype");
    return !make ? NULL : Py_BuildValue("(N(s))", make, sf_dtype_name(dtype_of(self)));
}

static PyObject *dtype_copy(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyObject *dtype_repr(PyObject *self)
{
    return PyUnicode_FromFormat("tf.%s", sf_dtype_name(dtype_of(self)));
}

static PyObject *dtype_str(PyObject *self)
{
    return PyUnicode_FromFormat("<dtype: '%s'>", sf_dtype_name(dtype_of(self)));
}

static Py_hash_t dtype_hash(PyObject *self)
{
    return (Py_hash_t)dtype_of(self);
}

static PyObject *dtype_richcompare(PyObject *self, PyObject *other, int op)
{
    SfDtype t = SF_DT_INVALID;
    if (op != Py_EQ && op != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const int known = other == Py_None ? 0 : sfpy_dtype_from(state_of(self), other, &t);
    if (known < 0) {
        return NULL;
    }
    const bool same = known == 1 && t == dtype_of(self);
    return PyBool_FromLong(same == (op == Py_EQ));
}

static void dtype_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

#define IS(name, predicate)                                                                        \
    {                                                                                              \
        name, get_predicate, NULL, NULL, (void *)(uintptr_t) & (predicate)                         \
    }
static PyGetSetDef dtype_getset[] = {
    {"name", get_name, NULL, NULL, NULL},
    {"as_datatype_enum", get_enum, NULL, NULL, NULL},
    {"_type_enum", get_enum, NULL, NULL, NULL},
    {"base_dtype", get_base, NULL, NULL, NULL},
    {"real_dtype", get_real, NULL, NULL, NULL},
    {"_as_ref", get_as_ref, NULL, NULL, NULL},
    IS("is_floating", p_floating),
    IS("is_integer", p_integer),
    IS("is_complex", p_complex),
    IS("is_bool", p_bool),
    IS("is_unsigned", p_unsigned),
    IS("is_quantized", p_quantized),
    IS("is_numpy_compatible", p_numpy),
    IS("is_numeric", p_numeric),
    {"_is_ref_dtype", get_is_ref, NULL, NULL, NULL},
    {"size", get_size, NULL, NULL, NULL},
    {"as_numpy_dtype", get_as_numpy, NULL, NULL, NULL},
    {"min", get_min, NULL, NULL, NULL},
    {"max", get_max, NULL, NULL, NULL},
    {"limits", get_limits, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
#undef IS

SFPY_BY_NAME(dtype_is_compatible_with, "other");

static PyMethodDef dtype_methods[] = {
    {"is_compatible_with", SFPY_METHOD_BY_NAME(dtype_is_compatible_with),
     SFPY_TAKES("is_compatible_with", ", other")},
    {"__reduce__", dtype_reduce, METH_NOARGS, NULL},
    {"__copy__", dtype_copy, METH_NOARGS, NULL},
    {"__deepcopy__", dtype_copy, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dtype_slots[] = {
    {Py_tp_doc, "tf.DType: the type of the elements of a tensor."},
    {Py_tp_new, dtype_new},
    {Py_tp_init, dtype_init},
    {Py_tp_dealloc, dtype_dealloc},
    {Py_tp_repr, dtype_repr},
    {Py_tp_str, dtype_str},
    {Py_tp_hash, dtype_hash},
    {Py_tp_richcompare, dtype_richcompare},
    {Py_tp_getset, dtype_getset},
    {Py_tp_methods, dtype_methods},
    {0, NULL},
};

PyType_Spec sfpy_dtype_spec = {
    .name = "shapeflow._core.DType",
    .basicsize = sizeof(SfpyDtype),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = dtype_slots,
};
