/* Any Python object as an SfArg, which is all that apis sees of it.
 * Invariant: an SfArg borrows text and objects that the caller or the call holds, since a
 * conversion may run Python code that empties the list they came from; everything else in it is
 * interned, a value, or in the arena of the call.
 * Owner: the arena of the call. Source: ops.convert_to_tensor, op_def_library. */
#include "pymodule/ext/ext.h"

/* Items of (nested) lists that are looked at one by one; a longer list goes through numpy. */
#define LIST_BUDGET 16384
#define TOO_LONG    (-2)

/* tensors */
static bool is_plain(PyObject *o)
{
    return o == Py_None || PyLong_Check(o) || PyFloat_CheckExact(o) || PyUnicode_Check(o) ||
           PyList_CheckExact(o) || PyTuple_CheckExact(o) || PyBytes_CheckExact(o) ||
           PyDict_CheckExact(o) || PySlice_Check(o) || PyType_Check(o) || o == Py_Ellipsis;
}

/* A tape, or the body of a function, takes down which variables are read, by id. 0 or -1. */
static __attribute__((noinline)) int note_read(SfpyState *st, PyObject *variable)
{
    PyObject *id = PyLong_FromVoidPtr(variable);
    const int r = !id ? -1 : PyDict_SetItem(st->reads, id, variable);
    Py_XDECREF(id);
    return r;
}

PyObject *sfpy_note_reads(PyObject *module, PyObject *into)
{
    SfpyState *st = sfpy_state(module);
    if (into != Py_None && !PyDict_CheckExact(into)) {
        PyErr_SetString(PyExc_TypeError, "note_reads(dict or None)");
        return NULL;
    }
    PyObject *before = st->reads;
    st->reads = Py_NewRef(into);
    return before;
}

PyObject *sfpy_tensor_of(SfpyState *st, PyObject *o)
{
    if (sfpy_is_tensor(o)) {
        return Py_NewRef(o);
    }
    if (is_plain(o)) {
        return NULL;
    }
    PyObject *t = NULL;
    if (PyType_IsSubtype(Py_TYPE(o), st->variable_type)) {
        t = Py_XNewRef(((SfpyVariable *)o)->tensor);
        if (!t || t == Py_None) {
            Py_XDECREF(t);
            return PyErr_Format(PyExc_AttributeError, "%.200s has no tensor yet",
                                Py_TYPE(o)->tp_name);
        }
        if (st->reads != Py_None && note_read(st, o) < 0) {
            Py_DECREF(t);
            return NULL;
        }
    } else {
        if (sfpy_np_is_array(st, o)) {
            return NULL;
        }
        const int ours = sfpy_call_special(o, st->str_sf_tensor, NULL, &t);
        if (ours < 0 || (!ours && sfpy_call_special(o, st->str_tf_tensor, NULL, &t) <= 0)) {
            return NULL;
        }
    }
    if (t && !sfpy_is_tensor(t)) {
        PyErr_Format(PyExc_TypeError, "%.200s stands for %R, which is not a Tensor",
                     Py_TYPE(o)->tp_name, t);
        Py_CLEAR(t);
    }
    return t;
}

/* The constant that an eager tensor is inside a graph. */
static int constant_in(SfpyConv *cv, const SfTensor *t, SfTensor *out)
{
    SfCall c = {.b = sfpy_call_core(cv->call)->b, .arena = cv->arena};
    const SfAttrArg attrs[] = {
        {.name = "value",
         .value = {.type = SF_ATTR_TENSOR,
                   .set = true,
                   .u.tensor = {sf_dtype_base(t->dtype), t->shape, t->value}}},
        SF_ATYPE("dtype", sf_dtype_base(t->dtype)),
    };
    const SfStatus status = sf_api_op(&c, "Const", NULL, NULL, 0, attrs, 2, out);
    return sfpy_check(cv->call->ws, status, NULL);
}

/* TensorFlow's ValueError for operands of two graphs. */
static int other_graph(SfpyConv *cv, SfpyTensor *t)
{
    if (!cv->first) {
        PyErr_Format(PyExc_ValueError, "%S is not from the passed-in graph.", (PyObject *)t);
        return -1;
    }
    PyObject *first = sfpy_tensor_wrap(cv->st, cv->graph, cv->first);
    if (!first) {
        return -1;
    }
    if (cv->st->version >= SF_VERSION(2, 4)) {
        PyErr_Format(PyExc_ValueError,
                     "%S must be from the same graph as %S (graphs are %R and %R).", (PyObject *)t,
                     first, (PyObject *)t->graph, (PyObject *)cv->graph);
    } else {
        PyErr_Format(PyExc_ValueError, "%S must be from the same graph as %S.", (PyObject *)t,
                     first);
    }
    Py_DECREF(first);
    return -1;
}

/* A tensor from elsewhere: the graph's own `capture`, a constant, or TensorFlow's ValueError. */
static int capture(SfpyConv *cv, SfpyTensor *t, SfTensor *out)
{
    SfpyGraph *graph = cv->graph;
    PyObject *method = PyObject_GetAttr((PyObject *)graph, cv->st->str_capture);
    if (method) {
        PyObject *inner = PyObject_CallFunctionObjArgs(method, (PyObject *)t, NULL);
        Py_DECREF(method);
        if (!inner) {
            return -1;
        }
        const bool ok = sfpy_is_tensor(inner) && ((SfpyTensor *)inner)->graph == graph;
        if (ok) {
            *out = sfpy_tensor_read((SfpyTensor *)inner);
        } else {
            PyErr_Format(PyExc_TypeError, "capture() did not give a tensor of the graph: %R",
                         inner);
        }
        Py_DECREF(inner);
        return ok ? 0 : -1;
    }
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return -1;
    }
    PyErr_Clear();
    if (!t->graph) {
        return constant_in(cv, &t->t, out);
    }
    return other_graph(cv, t);
}

int sfpy_tensor_in(SfpyConv *cv, SfpyTensor *t, SfTensor *out)
{
    if (!t->graph && !cv->graph) {
        *out = t->t;
        return 0;
    }
    if (t->graph == cv->graph) {
        const SfTensor *now = &t->t.node->outputs[t->t.index];
        cv->first = cv->first ? cv->first : now;
        *out = *now;
        return 0;
    }
    if (!cv->graph) { /* a graph's tensor used in eager mode: only its shape counts */
        *out = sfpy_tensor_read(t);
        out->node = out->state = NULL;
        return 0;
    }
    return capture(cv, t, out);
}

/* lists */
/* Keeps `item` until the call ends if `a` points into it; 0 or -1. Steals `item`. */
static int keep_borrowed(SfpyConv *cv, const SfArg *a, PyObject *item)
{
    int r = 0;
    if (a->kind == SF_ARG_STRING || a->kind == SF_ARG_OBJECT) {
        PyObject **held = &cv->call->held;
        if (!*held) {
            *held = PyList_New(0);
        }
        r = !*held ? -1 : PyList_Append(*held, item);
    }
    Py_DECREF(item);
    return r;
}

static int arg_any(SfpyConv *cv, PyObject *o, SfArg *out);

static int arg_list(SfpyConv *cv, PyObject *o, SfArg *out)
{
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    cv->budget -= n;
    if (cv->budget < 0) {
        return TOO_LONG;
    }
    SfArg *items = sf_arena_alloc(cv->arena, sizeof *items * ((size_t)n + 1));
    if (!items) {
        PyErr_NoMemory();
        return -1;
    }
    if (cv->depth > 200) {
        PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded: nested lists");
        return -1;
    }
    cv->depth++;
    int r = 0;
    for (Py_ssize_t i = 0; r == 0 && i < n; i++) {
        if (i >= PySequence_Fast_GET_SIZE(o)) { /* a conversion may run Python code */
            PyErr_SetString(PyExc_RuntimeError, "list changed size during conversion");
            r = -1;
            break;
        }
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(o, i));
        r = arg_any(cv, item, &items[i]);
        if (r < 0) {
            Py_DECREF(item);
        } else {
            r = keep_borrowed(cv, &items[i], item);
        }
    }
    cv->depth--;
    out->kind = SF_ARG_LIST;
    out->is_tuple = PyTuple_Check(o);
    out->u.list.n = (int)n;
    out->u.list.items = items;
    return r;
}

static void arg_array(const SfpyArray *a, SfArg *out)
{
    out->kind = SF_ARG_ARRAY;
    out->u.array.dtype = a->dtype;
    out->u.array.shape = a->shape;
    out->u.array.value = a->value;
    out->u.array.bounds = NULL;
}

/* Of content that is too large to be kept. */
static int arg_bounds(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfInterval bounds;
    if (out->u.array.value || cv->graph) {
        return 0;
    }
    const int r = sfpy_content_bounds(cv->st, o, out->u.array.dtype, &bounds);
    if (r == 1) {
        out->u.array.bounds = sf_arena_copy(cv->arena, &bounds, sizeof bounds);
    }
    return r < 0 ? -1 : 0;
}

/* A list too long to look at: numpy's reading of it, or item by item after all. */
static int arg_long_list(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfpyArray a;
    const int r = sfpy_np_coerce(cv->st, o, true, &a);
    if (r == 1) {
        arg_array(&a, out);
        return 0;
    }
    cv->budget = INT64_MAX;
    return r < 0 ? -1 : arg_list(cv, o, out);
}

static int arg_outer_list(SfpyConv *cv, PyObject *o, SfArg *out)
{
    if (cv->depth > 0) {
        return arg_list(cv, o, out);
    }
    cv->budget = LIST_BUDGET;
    const int r = arg_list(cv, o, out);
    cv->depth = 0;
    return r == TOO_LONG ? arg_long_list(cv, o, out) : r;
}

/* What numpy made of an object: 1: an array; 0: it stays an object; -1 with an exception. */
static int array_or_object(int r, const SfpyArray *a, PyObject *o, SfArg *out)
{
    if (r == 1) {
        arg_array(a, out);
    } else {
        out->kind = SF_ARG_OBJECT;
        out->u.object = o;
    }
    return r < 0 ? -1 : 0;
}

/* scalars */
static int arg_int(SfpyConv *cv, PyObject *o, SfArg *out)
{
    int overflow = 0;
    out->kind = SF_ARG_INT;
    out->u.i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow == 0) {
        return out->u.i == -1 && PyErr_Occurred() ? -1 : 0;
    }
    SfpyArray a;
    const int r = sfpy_np_coerce(cv->st, o, false, &a); /* uint64, or nothing that fits */
    return array_or_object(r, &a, o, out);
}

static int arg_text(PyObject *o, SfArg *out)
{
    Py_ssize_t len = 0;
    out->kind = SF_ARG_STRING;
    if (PyBytes_Check(o)) {
        out->u.s.bytes = PyBytes_AS_STRING(o);
        len = PyBytes_GET_SIZE(o);
    } else {
        out->u.s.bytes = PyUnicode_AsUTF8AndSize(o, &len);
    }
    out->u.s.len = (size_t)len;
    return !out->u.s.bytes ? -1 : 0;
}

static int arg_complex(PyObject *o, SfArg *out)
{
    SfElem e = sf_elem_float(PyComplex_RealAsDouble(o));
    e.kind = SF_ELEM_COMPLEX;
    e.im = PyComplex_ImagAsDouble(o);
    const SfpyArray a = {SF_DT_COMPLEX128, sf_shape_scalar(),
                         sf_value_make(SF_DT_COMPLEX128, sf_shape_scalar(), &e)};
    arg_array(&a, out);
    return 0;
}

/* What numpy can make of an object that says it is an array (PIL images, pandas frames). */
static int arg_arraylike(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfpyArray a;
    PyObject *method = PyObject_GetAttr((PyObject *)Py_TYPE(o), cv->st->str_array);
    int r = 0;
    if (!method) {
        PyErr_Clear();
    } else {
        Py_DECREF(method);
        r = sfpy_np_coerce(cv->st, o, false, &a);
    }
    return array_or_object(r, &a, o, out);
}

static int arg_type(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfDtype t;
    const int r = sfpy_dtype_from(cv->st, o, &t);
    out->kind = r == 1 ? SF_ARG_DTYPE : SF_ARG_OBJECT;
    if (r == 1) {
        out->u.dtype = t;
    } else {
        out->u.object = o;
    }
    return r < 0 ? -1 : 0;
}

/* the whole */
static int arg_rare(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfpyState *st = cv->st;
    if (sfpy_np_is_array(st, o)) {
        SfpyArray a;
        const bool before = sf_values_transient(!cv->graph);
        const int r = sfpy_np_describe(st, o, SF_VALUE_MAX, &a);
        (void)sf_values_transient(before);
        if (r < 0) {
            return -1;
        }
        if (a.dtype == SF_DT_INVALID) {
            out->kind = SF_ARG_OBJECT;
            out->u.object = o;
            return 0;
        }
        arg_array(&a, out);
        return arg_bounds(cv, o, out);
    }
    if (PyComplex_Check(o)) {
        return arg_complex(o, out);
    }
    if (PyFloat_Check(o)) {
        out->kind = SF_ARG_FLOAT;
        out->u.f = PyFloat_AS_DOUBLE(o);
        return 0;
    }
    if (PyRange_Check(o)) {
        PyObject *list = PySequence_List(o);
        const int r = !list ? -1 : arg_outer_list(cv, list, out);
        Py_XDECREF(list); /* integers leave nothing borrowed */
        return r;
    }
    if (cv->finds_composites && PyObject_HasAttr((PyObject *)Py_TYPE(o), st->str_sf_dispatch)) {
        cv->composite = o;
        return -1;
    }
    PyObject *t = sfpy_tensor_of(st, o);
    if (t) {
        out->kind = SF_ARG_TENSOR;
        const int r = sfpy_tensor_in(cv, (SfpyTensor *)t, &out->u.tensor);
        Py_DECREF(t);
        return r;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    SfDtype dtype;
    if (sfpy_np_present(st) && !PyType_Check(o) && Py_TYPE(o)->tp_name &&
        strstr(Py_TYPE(o)->tp_name, "dtype")) {
        const int r = sfpy_np_dtype_from(st, o, &dtype);
        if (r != 0) {
            out->kind = SF_ARG_DTYPE;
            out->u.dtype = dtype;
            return r < 0 ? -1 : 0;
        }
    }
    return arg_arraylike(cv, o, out);
}

static int arg_any(SfpyConv *cv, PyObject *o, SfArg *out)
{
    SfpyState *st = cv->st;
    PyTypeObject *type = Py_TYPE(o);
    out->is_tuple = false;
    if (type == st->tensor_type || type == st->eager_tensor_type) {
        out->kind = SF_ARG_TENSOR;
        return sfpy_tensor_in(cv, (SfpyTensor *)o, &out->u.tensor);
    }
    if (o == Py_None) {
        out->kind = SF_ARG_NONE;
        return 0;
    }
    if (PyBool_Check(o)) {
        out->kind = SF_ARG_BOOL;
        out->u.b = o == Py_True;
        return 0;
    }
    if (PyLong_Check(o)) {
        return arg_int(cv, o, out);
    }
    if (PyFloat_CheckExact(o)) {
        out->kind = SF_ARG_FLOAT;
        out->u.f = PyFloat_AS_DOUBLE(o);
        return 0;
    }
    if (PyUnicode_Check(o) || PyBytes_Check(o)) {
        return arg_text(o, out);
    }
    if (PyList_Check(o) || PyTuple_Check(o)) {
        return arg_outer_list(cv, o, out);
    }
    if (PyObject_TypeCheck(o, st->dtype_type)) {
        out->kind = SF_ARG_DTYPE;
        out->u.dtype = ((SfpyDtype *)o)->dtype;
        return 0;
    }
    if (PyObject_TypeCheck(o, st->shape_type)) {
        out->kind = SF_ARG_SHAPE;
        out->u.shape = ((SfpyShape *)o)->shape;
        return 0;
    }
    if (type == st->dimension_type) {
        out->kind = SF_ARG_DIM;
        out->u.dim = ((SfpyDimension *)o)->dim;
        return 0;
    }
    if (PyType_Check(o)) {
        return arg_type(cv, o, out);
    }
    return arg_rare(cv, o, out);
}

int sfpy_arg(SfpyConv *cv, PyObject *o, SfArg *out)
{
    cv->depth = 0;
    return arg_any(cv, o, out);
}

/* the other way: defaults of a signature */
PyObject *sfpy_arg_object(SfpyState *st, const SfArg *a)
{
    switch (a->kind) {
    case SF_ARG_BOOL:
        return PyBool_FromLong(a->u.b);
    case SF_ARG_INT:
        return PyLong_FromLongLong(a->u.i);
    case SF_ARG_FLOAT:
        return PyFloat_FromDouble(a->u.f);
    case SF_ARG_STRING:
        return sfpy_text(a->u.s.bytes, a->u.s.len);
    case SF_ARG_DTYPE:
        return sfpy_dtype(st, a->u.dtype);
    case SF_ARG_SHAPE:
        return sfpy_shape(st, a->u.shape);
    case SF_ARG_DIM:
        return sfpy_dimension(st, a->u.dim);
    case SF_ARG_LIST: {
        PyObject *list = PyList_New(a->u.list.n);
        for (int i = 0; list && i < a->u.list.n; i++) {
            sfpy_list_put(&list, i, sfpy_arg_object(st, &a->u.list.items[i]));
        }
        if (list && a->is_tuple) {
            Py_SETREF(list, PyList_AsTuple(list));
        }
        return list;
    }
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
    case SF_ARG_TENSOR:
    case SF_ARG_ARRAY:
    case SF_ARG_OBJECT:
        break;
    }
    Py_RETURN_NONE;
}

/* functions */
/* None or a dtype; SF_DT_INVALID for None. 0 or -1. */
static int optional_dtype(SfpyState *st, PyObject *o, SfDtype *out)
{
    *out = SF_DT_INVALID;
    return o == Py_None ? 0 : sfpy_dtype_need(st, o, out);
}

/* A Tensor of the current graph that needs no conversion, or NULL (perhaps with an exception). */
static PyObject *already(SfpyState *st, PyObject *value, SfDtype want)
{
    SfpyContext *cx = sfpy_context(st);
    PyObject *t = !cx ? NULL : sfpy_tensor_of(st, value);
    if (!t) {
        return NULL;
    }
    const SfpyGraph *graph = ((SfpyTensor *)t)->graph;
    const SfDtype have = sf_dtype_base(sfpy_tensor_dtype((SfpyTensor *)t));
    const bool here = sfpy_context_is_eager(cx) ? !graph : graph == sfpy_context_graph(cx);
    if (here && (want == SF_DT_INVALID || sf_dtype_base(want) == have)) {
        return t;
    }
    Py_DECREF(t);
    return NULL;
}

PyObject *sfpy_convert_to_tensor(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"value", "dtype", "name", "preferred_dtype", NULL};
    SfpyState *st = sfpy_state(module);
    PyObject *value, *dtype = Py_None, *name = Py_None, *preferred = Py_None;
    SfDtype want, hint;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO:convert_to_tensor", names, &value, &dtype,
                                     &name, &preferred) ||
        optional_dtype(st, dtype, &want) < 0 || optional_dtype(st, preferred, &hint) < 0) {
        return NULL;
    }
    const char *text = name == Py_None ? NULL : sfpy_utf8(name, "name");
    PyObject *t = !text && name != Py_None ? NULL : already(st, value, want);
    if (t || PyErr_Occurred()) {
        return t;
    }
    SfpyCall call;
    SfArg arg;
    if (sfpy_call_begin(st, &call) < 0) {
        return NULL;
    }
    if (sfpy_call_prefer(&call, value) < 0 || sfpy_arg(&call.conv, value, &arg) < 0) {
        sfpy_call_leave(&call);
        return NULL;
    }
    SfTensor out;
    SfCall *core = sfpy_call_core(&call);
    const SfStatus status = want == SF_DT_INVALID && hint != SF_DT_INVALID
                                ? sf_api_tensor_hint(core, &arg, hint, text, &out)
                                : sf_api_tensor_named(core, &arg, want, text, &out);
    SfpyGraph *graph = (SfpyGraph *)Py_XNewRef((PyObject *)call.graph);
    if (status == SF_UNMODELLED) {
        call.c.raw_args = &arg;
        call.c.nraw = 1;
        PyObject *unmodelled = sfpy_call_unmodelled(&call);
        PyObject *stands = !unmodelled ? NULL : sfpy_tensor_of(st, unmodelled);
        Py_XDECREF(unmodelled);
        Py_XDECREF(graph);
        sfpy_call_leave(&call);
        return stands;
    }
    PyObject *r = sfpy_call_check(&call, status) < 0 ? NULL : sfpy_tensor_wrap(st, graph, &out);
    sfpy_call_leave(&call);
    Py_XDECREF(graph);
    return r;
}

PyObject *sfpy_constant_value(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    PyObject *t = sfpy_tensor_of(st, tensor);
    if (!t) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    const SfTensor s = sfpy_tensor_peek((SfpyTensor *)t);
    Py_DECREF(t);
    if (!s.value || sf_dtype_base(s.dtype) == SF_DT_VARIANT || !sf_value_is_exact(s.value)) {
        Py_RETURN_NONE;
    }
    return sfpy_np_constant(st, s.value);
}

PyObject *sfpy_constant_value_as_shape(PyObject *module, PyObject *tensor)
{
    SfpyState *st = sfpy_state(module);
    PyObject *t = sfpy_tensor_of(st, tensor);
    if (!t) {
        const SfShape *s = PyErr_Occurred() ? NULL : sfpy_shape_from(st, tensor);
        return !s ? NULL : sfpy_shape(st, s);
    }
    const SfTensor s = sfpy_tensor_peek((SfpyTensor *)t);
    Py_DECREF(t);
    if (s.value) {
        return sfpy_shape(st, sf_value_as_shape(s.value));
    }
    const SfDim rank = sf_shape_rank(s.shape) == 1 ? sf_shape_dim(s.shape, 0) : SF_DIM_UNKNOWN;
    return sfpy_shape(st, sf_dim_is_known(rank) && rank <= SF_RANK_MAX ? sf_shape_of_rank((int)rank)
                                                                       : sf_shape_unknown());
}
