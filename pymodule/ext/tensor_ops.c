/* The operators of Tensor and Variable: rows "tf.Tensor.__add__" of apis/tf/operators.c.
 * Invariant: what TensorFlow does to an operand that is no tensor is the row's; only tensor with
 * tensor takes the short way to the op, with the same name and the same result.
 * Owner: nothing here. Source: math_ops._OverrideBinaryOperatorHelper. */
#include "pymodule/ext/ext.h"

typedef enum Operator {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_TRUEDIV,
    OP_FLOORDIV,
    OP_MOD,
    OP_POW,
    OP_MATMUL,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_NEG,
    OP_ABS,
    OP_INVERT,
    OP_COUNT
} Operator;

typedef struct OperatorNames {
    const char *forward, *reflected; /* rows */
    const char *dunder;              /* of the other operand, when that one may answer */
    const char *plain;               /* the op for two tensors; NULL: always the row */
    const char *scope;               /* its name then; NULL: the op's type */
} OperatorNames;

static const OperatorNames operator_names[OP_COUNT] = {
    [OP_ADD] = {"tf.Tensor.__add__", "tf.Tensor.__radd__", "__radd__", "AddV2", "add"},
    [OP_SUB] = {"tf.Tensor.__sub__", "tf.Tensor.__rsub__", "__rsub__", "Sub", "sub"},
    [OP_MUL] = {"tf.Tensor.__mul__", "tf.Tensor.__rmul__", "__rmul__", "Mul", "mul"},
    [OP_TRUEDIV] = {"tf.Tensor.__truediv__", "tf.Tensor.__rtruediv__", "__rtruediv__", "RealDiv",
                    "truediv"},
    [OP_FLOORDIV] = {"tf.Tensor.__floordiv__", "tf.Tensor.__rfloordiv__", "__rfloordiv__",
                     "FloorDiv", "floordiv"},
    [OP_MOD] = {"tf.Tensor.__mod__", "tf.Tensor.__rmod__", "__rmod__", "FloorMod", "mod"},
    [OP_POW] = {"tf.Tensor.__pow__", "tf.Tensor.__rpow__", "__rpow__", "Pow", "pow"},
    [OP_MATMUL] = {"tf.Tensor.__matmul__", "tf.Tensor.__rmatmul__", "__rmatmul__", NULL, NULL},
    [OP_AND] = {"tf.Tensor.__and__", "tf.Tensor.__rand__", "__rand__", NULL, NULL},
    [OP_OR] = {"tf.Tensor.__or__", "tf.Tensor.__ror__", "__ror__", NULL, NULL},
    [OP_XOR] = {"tf.Tensor.__xor__", "tf.Tensor.__rxor__", "__rxor__", NULL, NULL},
    [OP_LT] = {"tf.Tensor.__lt__", NULL, NULL, "Less", NULL},
    [OP_LE] = {"tf.Tensor.__le__", NULL, NULL, "LessEqual", NULL},
    [OP_GT] = {"tf.Tensor.__gt__", NULL, NULL, "Greater", NULL},
    [OP_GE] = {"tf.Tensor.__ge__", NULL, NULL, "GreaterEqual", NULL},
    [OP_EQ] = {"tf.Tensor.__eq__", NULL, NULL, NULL, NULL},
    [OP_NE] = {"tf.Tensor.__ne__", NULL, NULL, NULL, NULL},
    [OP_NEG] = {"tf.Tensor.__neg__", NULL, NULL, "Neg", NULL},
    [OP_ABS] = {"tf.Tensor.__abs__", NULL, NULL, NULL, NULL},
    [OP_INVERT] = {"tf.Tensor.__invert__", NULL, NULL, NULL, NULL},
};
_Static_assert((int)OP_COUNT <= SFPY_OPERATORS, "SfpyState.operators is too short");

/* What an operator needs, looked up once. NULL with an exception. */
static const SfpyOperator *find(SfpyState *st, Operator op)
{
    SfpyOperator *o = &st->operators[op];
    if (o->forward) {
        return o;
    }
    const SfApiRow *forward = sf_api_find(operator_names[op].forward, SF_TF1);
    const SfApiRow *reflected =
        !operator_names[op].reflected ? NULL : sf_api_find(operator_names[op].reflected, SF_TF1);
    o->plain = !operator_names[op].plain ? NULL : sf_op_find(operator_names[op].plain);
    o->old_plain = op == OP_ADD ? sf_op_find("Add") : o->plain;
    o->reflected = !reflected ? NULL : sf_api_sig(reflected);
    o->forward = !forward ? NULL : sf_api_sig(forward);
    if (!o->forward) {
        PyErr_Format(PyExc_NotImplementedError, "%s is not there", operator_names[op].forward);
        return NULL;
    }
    return o;
}

/* two tensors, one op */
static const SfOpSig *plain_op(const SfpyOperator *o, Operator op, const SfpyState *st, SfDtype a,
                               SfDtype b)
{
    if (!o->plain) {
        return NULL;
    }
    if (op == OP_ADD && sf_dtype_base(a) == sf_dtype_base(b)) {
        return st->version < SF_VERSION(1, 15) || sf_dtype_base(a) == SF_DT_STRING ? o->old_plain
                                                                                   : o->plain;
    }
    if (op == OP_TRUEDIV) { /* integers are cast first */
        return sf_dtype_is_floating(sf_dtype_base(a)) && sf_dtype_base(a) == sf_dtype_base(b)
                   ? o->plain
                   : NULL;
    }
    return sf_dtype_base(a) == sf_dtype_base(b) ? o->plain : NULL; /* the row has its message */
}

static PyObject *build_plain(SfpyCall *call, const SfOpSig *sig, const char *name,
                             const SfTensor *in, int nin)
{
    SfTensor out;
    int nout = 0;
    const SfStatus status =
        sf_build(sfpy_call_core(call)->b, sig, name, in, nin, NULL, NULL, 0, &out, 1, &nout);
    PyObject *r =
        sfpy_call_check(call, status) < 0 ? NULL : sfpy_tensor_wrap(call->st, call->graph, &out);
    sfpy_call_leave(call);
    return r;
}

static PyObject *apply_row(SfpyCall *call, const SfApiSig *sig, const SfArg *args,
                           PyObject *const *objects)
{
    call->objects = objects;
    call->op = !sig->row->call ? sig->op : NULL;
    call->c.sig = sig;
    call->c.args = args;
    call->c.describe = sfpy_describe;
    return sfpy_call_finish(call, sf_api_call(sfpy_call_core(call)));
}

/* binary */
static SfpyState *state_of(PyObject *a, PyObject *b)
{
    if (sfpy_is_tensor(a)) {
        return ((SfpyTensor *)a)->st;
    }
    if (sfpy_is_tensor(b)) {
        return ((SfpyTensor *)b)->st;
    }
    SfpyState *st = sfpy_state_of(Py_TYPE(a));
    return !st ? sfpy_state_of(Py_TYPE(b)) : st;
}

/* Tensors behind the operands; the two are new references or NULL. 1, 0 for neither, -1. */
static int find_tensors(SfpyState *st, PyObject *a, PyObject *b, PyObject **ta, PyObject **tb)
{
    *tb = NULL;
    *ta = sfpy_tensor_of(st, a);
    if (!*ta && PyErr_Occurred()) {
        return -1;
    }
    *tb = sfpy_tensor_of(st, b);
    if (!*tb && PyErr_Occurred()) {
        Py_CLEAR(*ta);
        return -1;
    }
    return *ta || *tb;
}

/* Is the other operand one that answers the reflected operator itself, and no number or array? */
static bool leaves_it(SfpyState *st, PyObject *other, const char *dunder)
{
    if (!dunder || PyFloat_Check(other) || PyLong_Check(other) || other == Py_None ||
        PyUnicode_Check(other) || PyBytes_Check(other) || PyList_Check(other) ||
        PyTuple_Check(other) || PyComplex_Check(other) || sfpy_np_is_array(st, other) ||
        Py_IS_TYPE(other, st->dimension_type) || Py_IS_TYPE(other, st->shape_type)) {
        return false;
    }
    return PyObject_HasAttrString((PyObject *)Py_TYPE(other), dunder) != 0;
}

static PyObject *with_tensors(SfpyState *st, Operator op, PyObject *a, PyObject *b, PyObject *ta,
                              PyObject *tb)
{
    const SfpyOperator *o = find(st, op);
    SfpyCall call;
    if (!o || sfpy_call_begin(st, &call) < 0) {
        return NULL;
    }
    const bool reflected = !ta;
    SfArg args[2];
    PyObject *objects[2] = {ta ? ta : a, tb ? tb : b};
    if (sfpy_call_prefer(&call, objects[0]) < 0 || sfpy_call_prefer(&call, objects[1]) < 0) {
        sfpy_call_leave(&call);
        return NULL;
    }
    if (ta && tb) {
        const SfOpSig *sig = plain_op(o, op, st, sfpy_tensor_dtype((SfpyTensor *)ta),
                                      sfpy_tensor_dtype((SfpyTensor *)tb));
        SfTensor in[2];
        if (sig) {
            if (sfpy_tensor_in(&call.conv, (SfpyTensor *)ta, &in[0]) < 0 ||
                sfpy_tensor_in(&call.conv, (SfpyTensor *)tb, &in[1]) < 0) {
                sfpy_call_leave(&call);
                return NULL;
            }
            return build_plain(&call, sig, !call.graph ? NULL : operator_names[op].scope, in, 2);
        }
    }
    if (reflected) { /* the row takes the tensor first */
        PyObject *self = objects[1];
        objects[1] = objects[0];
        objects[0] = self;
    }
    if (sfpy_arg(&call.conv, objects[0], &args[0]) < 0 ||
        sfpy_arg(&call.conv, objects[1], &args[1]) < 0) {
        sfpy_call_leave(&call);
        return NULL;
    }
    return apply_row(&call, reflected ? o->reflected : o->forward, args, objects);
}

static PyObject *binary(PyObject *a, PyObject *b, Operator op)
{
    SfpyState *st = state_of(a, b);
    PyObject *ta, *tb;
    if (!st || (!sfpy_is_tensor(b) && (Py_TYPE(b)->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
                PyObject_HasAttr((PyObject *)Py_TYPE(b), st->str_sf_dispatch) &&
                !PyObject_HasAttr((PyObject *)Py_TYPE(b), st->str_sf_tensor))) {
        Py_RETURN_NOTIMPLEMENTED; /* a ragged tensor has operators of its own, slices have not */
    }
    const int ours = find_tensors(st, a, b, &ta, &tb);
    if (ours <= 0) {
        return ours < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    PyObject *r;
    if ((!tb && leaves_it(st, b, operator_names[op].dunder)) ||
        (!ta && !operator_names[op].reflected)) {
        r = Py_NewRef(Py_NotImplemented);
    } else {
        r = with_tensors(st, op, a, b, ta, tb);
    }
    Py_XDECREF(ta);
    Py_XDECREF(tb);
    return r;
}

#define X(name, op, slot)                                                                          \
    PyObject *sfpy_op_##name(PyObject *a, PyObject *b)                                             \
    {                                                                                              \
        return binary(a, b, OP_##op);                                                              \
    }
SFPY_BINARY(X)
#undef X

PyObject *sfpy_op_pow(PyObject *a, PyObject *b, PyObject *modulo)
{
    return modulo == Py_None ? binary(a, b, OP_POW) : Py_NewRef(Py_NotImplemented);
}

/* unary */
static PyObject *unary(PyObject *a, Operator op)
{
    SfpyState *st = sfpy_is_tensor(a) ? ((SfpyTensor *)a)->st : sfpy_state_of(Py_TYPE(a));
    PyObject *t = !st ? NULL : sfpy_tensor_of(st, a);
    const SfpyOperator *o = !t ? NULL : find(st, op);
    SfpyCall call;
    PyObject *r = NULL;
    if (o && sfpy_call_begin(st, &call) == 0) {
        SfArg arg = {.kind = SF_ARG_TENSOR};
        if (sfpy_call_prefer(&call, t) < 0 ||
            sfpy_tensor_in(&call.conv, (SfpyTensor *)t, &arg.u.tensor) < 0) {
            sfpy_call_leave(&call);
        } else if (o->plain) {
            r = build_plain(&call, o->plain, operator_names[op].scope, &arg.u.tensor, 1);
        } else {
            r = apply_row(&call, o->forward, &arg, &t);
        }
    }
    Py_XDECREF(t);
    return r;
}

#define X(name, op, slot)                                                                          \
    PyObject *sfpy_op_##name(PyObject *a)                                                          \
    {                                                                                              \
        return unary(a, OP_##op);                                                                  \
    }
SFPY_UNARY(X)
#undef X

PyObject *sfpy_op_pos(PyObject *a)
{
    return PyErr_Format(PyExc_TypeError, "bad operand type for unary +: '%.200s'",
                        Py_TYPE(a)->tp_name);
}

/* comparison */
/* Elementwise in TensorFlow 2's eager mode and its functions, identity everywhere else. */
static bool equality_is_elementwise(SfpyState *st, PyObject *a)
{
    if (!st->eager || st->version < SF_VERSION(2, 0)) {
        return false;
    }
    PyObject *t = sfpy_tensor_of(st, a);
    if (!t) {
        PyErr_Clear();
        return false;
    }
    const SfpyGraph *graph = ((SfpyTensor *)t)->graph;
    const bool yes = !graph || graph->building_function;
    Py_DECREF(t);
    return yes;
}

PyObject *sfpy_op_compare(PyObject *a, PyObject *b, int op)
{
    SfpyState *st = sfpy_is_tensor(a) ? ((SfpyTensor *)a)->st : sfpy_state_of(Py_TYPE(a));
    if (!st) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    switch (op) {
    case Py_LT:
        return binary(a, b, OP_LT);
    case Py_LE:
        return binary(a, b, OP_LE);
    case Py_GT:
        return binary(a, b, OP_GT);
    case Py_GE:
        return binary(a, b, OP_GE);
    default:
        break;
    }
    if (b == Py_None) {
        return PyBool_FromLong(op == Py_NE);
    }
    if (equality_is_elementwise(st, a)) {
        return binary(a, b, op == Py_EQ ? OP_EQ : OP_NE);
    }
    if (a != b) {
        Py_RETURN_NOTIMPLEMENTED; /* Python then compares identities */
    }
    return PyBool_FromLong(op == Py_EQ);
}
