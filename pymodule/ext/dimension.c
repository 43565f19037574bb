/* tf.compat.v1.Dimension: arithmetic and comparison give None when a size is unknown.
 * Invariant: to a program a symbolic dim is an unknown one; inside, arithmetic keeps the symbol.
 * Owner: plain values. Source: tensorflow/python/framework/tensor_shape.py (1.15). */
#include "pymodule/ext/ext.h"

static SfDim dim_of(PyObject *self)
{
    return ((SfpyDimension *)self)->dim;
}

static bool is_dimension(PyObject *o, PyTypeObject *type)
{
    return Py_IS_TYPE(o, type);
}

PyObject *sfpy_dim_object(SfDim d)
{
    if (!sf_dim_is_known(d)) {
        Py_RETURN_NONE;
    }
    return PyLong_FromLongLong(d);
}

PyObject *sfpy_dimension(SfpyState *st, SfDim d)
{
    SfpyDimension *o = PyObject_New(SfpyDimension, st->dimension_type);
    if (o) {
        o->dim = d == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : d;
    }
    return (PyObject *)o;
}

static int ambiguous(PyObject *value)
{
    PyErr_Format(PyExc_ValueError, "Ambiguous dimension: %S", value);
    return -1;
}

static int store(PyObject *integer, SfDim *out)
{
    const long long n = PyLong_AsLongLong(integer);
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (n < 0) {
        PyErr_Format(PyExc_ValueError, "Dimension %lld must be >= 0", n);
        return -1;
    }
    *out = n;
    return 0;
}

int sfpy_dim_from(SfpyState *st, PyObject *value, SfDim *out)
{
    if (PyLong_Check(value)) {
        return store(value, out);
    }
    if (value == Py_None) {
        *out = SF_DIM_UNKNOWN;
        return 0;
    }
    if (is_dimension(value, st->dimension_type)) {
        *out = dim_of(value);
        return 0;
    }
    if (Py_IS_TYPE(value, st->dtype_type) && st->version < SF_VERSION(2, 0)) {
        PyErr_Format(PyExc_TypeError, "Cannot convert %S to Dimension", value);
        return -1;
    }
    if (st->version >= SF_VERSION(2, 0) && !PyIndex_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "Dimension value must be integer or None or have an __index__ method, got "
                     "value '%R' with type '%R'",
                     value, (PyObject *)Py_TYPE(value));
        return -1;
    }
    if (PyObject_HasAttrString((PyObject *)Py_TYPE(value), "_sf_unmodelled")) {
        *out = sf_dim_unmodelled();
        return 0;
    }
    PyObject *integer = PyNumber_Long(value);
    if (!integer) {
        return -1;
    }
    /* As TensorFlow: a number that int() changes is refused (2.5), text is read as its number. */
    const int same = PyUnicode_Check(value) || PyBytes_Check(value)
                         ? 1
                         : PyObject_RichCompareBool(integer, value, Py_EQ);
    const int r = same < 0 ? -1 : same == 0 ? ambiguous(value) : store(integer, out);
    Py_DECREF(integer);
    return r;
}

/* as_dimension for an operand: 1, or 0 when the answer is NotImplemented. */
static int operand(SfpyState *st, PyObject *value, SfDim *out)
{
    if (sfpy_dim_from(st, value, out) == 0) {
        return 1;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) {
        return -1;
    }
    PyErr_Clear();
    return 0;
}

static PyObject *dimension_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"value", NULL};
    PyObject *value;
    SfDim d;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Dimension", names, &value)) {
        return NULL;
    }
    SfpyState *st = PyType_GetModuleState(type);
    return sfpy_dim_from(st, value, &d) < 0 ? NULL : sfpy_dimension(st, d);
}

/* arithmetic */
typedef SfDim (*DimFn)(SfDim a, SfDim b);

static SfDim floordiv(SfDim a, SfDim b)
{
    return sf_dim_is_known(b) && b > 0 ? sf_dim_div_floor(a, b) : SF_DIM_UNKNOWN;
}

static SfDim modulo(SfDim a, SfDim b)
{
    return sf_dim_is_known(a) && sf_dim_is_known(b) && b > 0 ? a % b : SF_DIM_UNKNOWN;
}

static PyObject *arithmetic(PyObject *left, PyObject *right, DimFn f, bool divides)
{
    SfpyState *st = sfpy_state_of(Py_TYPE(left));
    if (!st && !(st = sfpy_state_of(Py_TYPE(right)))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    SfDim a, b;
    const int ra = operand(st, left, &a);
    const int rb = ra == 1 ? operand(st, right, &b) : ra;
    if (rb != 1) {
        return rb < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    if (divides && a >= 0 && b == 0) {
        PyErr_SetString(PyExc_ZeroDivisionError, "integer division or modulo by zero");
        return NULL;
    }
    if (f == sf_dim_sub && sf_dim_is_known(a) && sf_dim_is_known(b) && a < b) {
        return PyErr_Format(PyExc_ValueError, "Dimension %lld must be >= 0", (long long)(a - b));
    }
    return sfpy_dimension(st, f(a, b));
}

static PyObject *dim_add(PyObject *a, PyObject *b)
{
    return arithmetic(a, b, sf_dim_add, false);
}

static PyObject *dim_sub(PyObject *a, PyObject *b)
{
    return arithmetic(a, b, sf_dim_sub, false);
}

static PyObject *dim_mul(PyObject *a, PyObject *b)
{
    return arithmetic(a, b, sf_dim_mul, false);
}

static PyObject *dim_floordiv(PyObject *a, PyObject *b)
{
    return arithmetic(a, b, floordiv, true);
}

static PyObject *dim_mod(PyObject *a, PyObject *b)
{
    return arithmetic(a, b, modulo, true);
}

static PyObject *dim_truediv(PyObject *a, PyObject *b)
{
    SfpyState *st = sfpy_state_of(Py_TYPE(a));
    const bool left = st && is_dimension(a, st->dimension_type);
    return PyErr_Format(PyExc_TypeError,
                        "unsupported operand type(s) for /: '%.200s' and '%.200s', please use // "
                        "instead",
                        left ? "Dimension" : Py_TYPE(a)->tp_name,
                        left && !is_dimension(b, Py_TYPE(a)) ? Py_TYPE(b)->tp_name : "Dimension");
}

static PyObject *dim_int(PyObject *self)
{
    if (!sf_dim_is_known(dim_of(self))) {
        PyErr_SetString(PyExc_TypeError, "__int__ returned non-int (type NoneType)");
        return NULL;
    }
    return PyLong_FromLongLong(dim_of(self));
}

static PyObject *dim_index(PyObject *self)
{
    if (!sf_dim_is_known(dim_of(self))) {
        PyErr_SetString(PyExc_TypeError, "__index__ returned non-int (type NoneType)");
        return NULL;
    }
    return PyLong_FromLongLong(dim_of(self));
}

/* comparison */
static PyObject *dim_richcompare(PyObject *self, PyObject *other, int op)
{
    SfpyState *st = PyType_GetModuleState(Py_TYPE(self));
    SfDim a = dim_of(self), b;
    const int r = operand(st, other, &b);
    if (r != 1) {
        return r < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    if (!sf_dim_is_known(a) || !sf_dim_is_known(b)) {
        Py_RETURN_NONE;
    }
    Py_RETURN_RICHCOMPARE(a, b, op);
}

static Py_hash_t dim_hash(PyObject *self)
{
    const SfDim d = dim_of(self);
    return sf_dim_is_known(d) ? (Py_hash_t)(d % 0x1fffffffffffffff) : 0x7e11;
}

/* methods */
static PyObject *dim_is_compatible_with(PyObject *self, PyObject *other)
{
    SfDim b;
    const int r = operand(PyType_GetModuleState(Py_TYPE(self)), other, &b);
    if (r != 1) {
        return r < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    const SfDim a = dim_of(self);
    return PyBool_FromLong(!sf_dim_is_known(a) || !sf_dim_is_known(b) || a == b);
}

static PyObject *dim_assert_is_compatible_with(PyObject *self, PyObject *other)
{
    PyObject *fits = dim_is_compatible_with(self, other);
    if (fits == Py_False) {
        PyErr_Format(PyExc_ValueError, "Dimensions %S and %S are not compatible", self, other);
    }
    const bool ok = fits && fits != Py_False;
    Py_XDECREF(fits);
    return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *dim_merge_with(PyObject *self, PyObject *other)
{
    SfpyState *st = PyType_GetModuleState(Py_TYPE(self));
    SfDim b;
    const int r = operand(st, other, &b);
    if (r != 1) {
        return r < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    PyObject *ok = dim_assert_is_compatible_with(self, other);
    if (!ok) {
        return NULL;
    }
    Py_DECREF(ok);
    return sfpy_dimension(st, sf_dim_is_known(dim_of(self)) ? dim_of(self) : b);
}

PyObject *sfpy_make_dimension(PyObject *module, PyObject *value)
{
    return PyObject_CallOneArg((PyObject *)sfpy_state(module)->dimension_type, value);
}

/* Not by its class, whose __module__ is the file of TensorFlow's that defines it. */
static PyObject *dim_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *module = PyType_GetModule(Py_TYPE(self));
    PyObject *make = !module ? NULL : PyObject_GetAttrString(module, "make_dimension");
    return !make ? NULL : Py_BuildValue("(N(N))", make, sfpy_dim_object(dim_of(self)));
}

static PyObject *dim_get_value(PyObject *self, void *Py_UNUSED(closure))
{
    return sfpy_dim_object(dim_of(self));
}

static PyObject *dim_repr(PyObject *self)
{
    const SfDim d = dim_of(self);
    return sf_dim_is_known(d) ? PyUnicode_FromFormat("Dimension(%lld)", (long long)d)
                              : PyUnicode_FromString("Dimension(None)");
}

static PyObject *dim_str(PyObject *self)
{
    const SfDim d = dim_of(self);
    return sf_dim_is_known(d) ? PyUnicode_FromFormat("%lld", (long long)d)
                              : PyUnicode_FromString("?");
}

static PyGetSetDef dim_getset[] = {
    {"value", dim_get_value, NULL, "The size, or None when it is unknown.", NULL},
    {"_value", dim_get_value, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

SFPY_BY_NAME(dim_is_compatible_with, "other");
SFPY_BY_NAME(dim_assert_is_compatible_with, "other");
SFPY_BY_NAME(dim_merge_with, "other");

static PyMethodDef dim_methods[] = {
    {"is_compatible_with", SFPY_METHOD_BY_NAME(dim_is_compatible_with),
     SFPY_TAKES("is_compatible_with", ", other")},
    {"assert_is_compatible_with", SFPY_METHOD_BY_NAME(dim_assert_is_compatible_with),
     SFPY_TAKES("assert_is_compatible_with", ", other")},
    {"merge_with", SFPY_METHOD_BY_NAME(dim_merge_with), SFPY_TAKES("merge_with", ", other")},
    {"__reduce__", dim_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dim_slots[] = {
    {Py_tp_doc, "tf.compat.v1.Dimension: the size of one dimension, or None."},
    {Py_tp_new, dimension_new},
    {Py_tp_dealloc, sfpy_plain_dealloc},
    {Py_tp_repr, dim_repr},
    {Py_tp_str, dim_str},
    {Py_tp_hash, dim_hash},
    {Py_tp_richcompare, dim_richcompare},
    {Py_nb_add, dim_add},
    {Py_nb_subtract, dim_sub},
    {Py_nb_multiply, dim_mul},
    {Py_nb_floor_divide, dim_floordiv},
    {Py_nb_remainder, dim_mod},
    {Py_nb_true_divide, dim_truediv},
    {Py_nb_int, dim_int},
    {Py_nb_index, dim_index},
    {Py_tp_getset, dim_getset},
    {Py_tp_methods, dim_methods},
    {0, NULL},
};

PyType_Spec sfpy_dimension_spec = {
    .name = "shapeflow._core.Dimension",
    .basicsize = sizeof(SfpyDimension),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = dim_slots,
};
