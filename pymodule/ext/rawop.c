/* tf.raw_ops and make_op: ops by their own names, inputs and attrs.
 * Invariant: as in TensorFlow, raw ops take keywords only.
 * Owner: the module caches one object for each op. Source: tensorflow/python/util/tf_export.py. */
#include "apis/apis.h"
#include "pymodule/ext/ext.h"

#define ARGS_MAX 64

typedef struct RawOp {
    PyObject_HEAD vectorcallfunc vectorcall;
    SfpyState *st;
    const SfOpSig *sig;
    PyObject *name;
} RawOp;

static const SfOpSig *sig_of(PyObject *self)
{
    return ((RawOp *)self)->sig;
}

/* calling */
static bool same_name(const char *given, const char *declared)
{
    const size_t len = strlen(declared);
    return strncmp(given, declared, len) == 0 &&
           (given[len] == '\0' || (given[len] == '_' && given[len + 1] == '\0'));
}

/* The ApiDefs of TensorFlow call a few inputs and attrs by another name than their OpDefs do. */
const char *sfpy_raw_parameter(const SfOpSig *sig, const char *declared)
{
    for (const SfRename *r = sig->def->renames; r && r->name; r++) {
        if (strcmp(r->declared, declared) == 0) {
            return r->name;
        }
    }
    return declared;
}

/* What the op declares under the name of a parameter; the declared name is taken as well. */
static const char *declared_name(const SfOpSig *sig, const char *name)
{
    for (const SfRename *r = sig->def->renames; r && r->name; r++) {
        if (strcmp(r->name, name) == 0) {
            return r->declared;
        }
    }
    return name;
}

static bool is_parameter(const SfOpSig *sig, const char *name)
{
    for (int i = 0; i < sig->nin; i++) {
        if (same_name(name, sig->in[i].name)) {
            return true;
        }
    }
    for (int i = 0; i < sig->nattr; i++) {
        if (same_name(name, sig->attrs[i].name) && !sig->attrs[i].inferred) {
            return true;
        }
    }
    return sf_op_attr_index(sig, name) >= 0;
}

/* "AddV2" as the generated function is called: add_v2. NULL with an exception: no memory. */
static PyObject *python_name(const SfOpSig *sig)
{
    SfArena arena;
    SfStrbuf text;
    sf_arena_init(&arena);
    sf_strbuf_init(&text, &arena);
    sf_strbuf_python_name(&text, sig->def->name);
    const char *name = sf_strbuf_end(&text);
    PyObject *result = !name ? PyErr_NoMemory() : PyUnicode_FromString(name);
    sf_arena_free(&arena);
    return result;
}

static PyObject *only_keywords(const SfOpSig *sig)
{
    PyObject *keys = PyList_New(0);
    for (int i = 0; keys && i < sig->nin + sig->nattr + 1; i++) {
        if (i >= sig->nin && i < sig->nin + sig->nattr && sig->attrs[i - sig->nin].inferred) {
            continue;
        }
        const char *name = i < sig->nin                ? sig->in[i].name
                           : i < sig->nin + sig->nattr ? sig->attrs[i - sig->nin].name
                                                       : "name";
        sfpy_list_add(&keys, PyUnicode_FromString(sfpy_raw_parameter(sig, name)));
    }
    PyObject *name = !keys ? NULL : python_name(sig);
    if (name) {
        PyErr_Format(PyExc_TypeError,
                     "%U only takes keyword args (possible keys: %R). Please pass these args as "
                     "kwargs instead.",
                     name, keys);
    }
    Py_XDECREF(name);
    Py_XDECREF(keys);
    return NULL;
}

static PyObject *rawop_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                                  PyObject *kwnames)
{
    const SfOpSig *sig = sig_of(self);
    const Py_ssize_t n = !kwnames ? 0 : PyTuple_GET_SIZE(kwnames);
    const char *names[ARGS_MAX];
    const char *name = NULL;
    SfArg converted[ARGS_MAX];
    SfpyCall call;
    if (PyVectorcall_NARGS(nargsf) > 0) {
        return only_keywords(sig);
    }
    if (n > ARGS_MAX || sfpy_call_begin(((RawOp *)self)->st, &call) < 0) {
        return n > ARGS_MAX ? PyErr_Format(PyExc_TypeError, "too many arguments") : NULL;
    }
    int used = 0;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        ok = sfpy_call_prefer(&call, args[i]) == 0;
    }
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        const char *key = PyUnicode_AsUTF8(PyTuple_GET_ITEM(kwnames, i));
        if (key && strcmp(key, "name") == 0) {
            ok = args[i] == Py_None || (name = sfpy_utf8(args[i], "name"));
        } else if (key && !is_parameter(sig, declared_name(sig, key))) {
            PyObject *function = python_name(sig);
            if (function) {
                PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%s'",
                             function, key);
            }
            Py_XDECREF(function);
            ok = false;
        } else {
            ok = key && sfpy_arg(&call.conv, args[i], &converted[used]) == 0;
            names[used++] = !key ? key : declared_name(sig, key);
        }
    }
    if (!ok) {
        sfpy_call_leave(&call);
        return NULL;
    }
    call.op = sig;
    return sfpy_call_finish(&call,
                            sf_api_raw(sfpy_call_core(&call), sig, name, names, converted, used));
}

/* the object */
static void rawop_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((RawOp *)self)->name);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* As a Python function in a class body: bound to the instance. */
static PyObject *rawop_descr_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    return !obj || obj == Py_None ? Py_NewRef(self) : PyMethod_New(self, obj);
}

static PyObject *rawop_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<function tf.raw_ops.%s>", sig_of(self)->def->name);
}

static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    const SfOpDef *d = sig_of(self)->def;
    return PyUnicode_FromFormat("inputs: %s\noutputs: %s\nattrs: %s", d->inputs ? d->inputs : "",
                                d->outputs ? d->outputs : "", d->attrs ? d->attrs : "");
}

static PyObject *get_module(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *dotted = PyUnicode_FromFormat("tf.raw_ops.%s", sig_of(self)->def->name);
    PyObject *r = !dotted ? NULL : sfpy_module_of_version(dotted, 2);
    Py_XDECREF(dotted);
    return r;
}

static PyObject *get_signature(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *dotted = PyUnicode_FromFormat("tf.raw_ops.%s", sig_of(self)->def->name);
    PyObject *known = !dotted ? NULL : sfpy_signature_of_version(dotted, 2);
    Py_XDECREF(dotted);
    if (known != Py_None) {
        return known;
    }
    Py_DECREF(known);
    return sfpy_raw_signature(((RawOp *)self)->st, sig_of(self));
}

static PyGetSetDef rawop_getset[] = {
    {"__module__", get_module, NULL, NULL, NULL},
    {"__signature__", get_signature, NULL, NULL, NULL},
    {"__doc__", get_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef rawop_members[] = {
    {"__name__", T_OBJECT, offsetof(RawOp, name), READONLY, NULL},
    {"__qualname__", T_OBJECT, offsetof(RawOp, name), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(RawOp, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot rawop_slots[] = {
    {Py_tp_new, sfpy_no_new},           {Py_tp_dealloc, rawop_dealloc},
    {Py_tp_repr, rawop_repr},           {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, rawop_descr_get}, {Py_tp_getset, rawop_getset},
    {Py_tp_members, rawop_members},     {0, NULL},
};

PyType_Spec sfpy_rawop_spec = {
    .name = "shapeflow._core.RawOp",
    .basicsize = sizeof(RawOp),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .slots = rawop_slots,
};

PyObject *sfpy_raw_op(PyObject *module, PyObject *name)
{
    SfpyState *st = sfpy_state(module);
    const char *text = sfpy_utf8(name, "name");
    PyObject *f = !text ? NULL : PyDict_GetItemWithError(st->rawop_cache, name);
    if (f || PyErr_Occurred()) {
        return Py_XNewRef(f);
    }
    const SfOpSig *sig = sf_op_find(text);
    if (!sig || (sig->def->traits & SF_OP_INTERNAL) != 0) {
        Py_RETURN_NONE;
    }
    RawOp *made = PyObject_New(RawOp, st->rawop_type);
    if (!made) {
        return NULL;
    }
    made->vectorcall = rawop_vectorcall;
    made->st = st;
    made->sig = sig;
    made->name = Py_NewRef(name);
    if (PyDict_SetItem(st->rawop_cache, name, (PyObject *)made) < 0) {
        Py_CLEAR(made);
    }
    return (PyObject *)made;
}

PyObject *sfpy_raw_op_names(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < sf_op_count(); i++) {
        const SfOpSig *sig = sf_op_at(i);
        if (!sig || (sig->def->traits & SF_OP_INTERNAL) != 0) {
            continue;
        }
        sfpy_list_add(&list, PyUnicode_FromString(sig->def->name));
    }
    return list;
}

/* op_info */
static const char *attr_name(const SfOpSig *sig, int i)
{
    return i < 0 ? NULL : sig->attrs[i].name;
}

static PyObject *port_list(SfpyState *st, const SfPortSpec *ports, int n, const SfOpSig *sig)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        const SfPortSpec *p = &ports[i];
        PyObject *dtype = p->dtype == SF_DT_INVALID ? Py_NewRef(Py_None) : sfpy_dtype(st, p->dtype);
        sfpy_list_add(&list, Py_BuildValue("{s:s,s:O,s:z,s:z,s:z,s:N}", "name", p->name, "is_ref",
                                           p->is_ref ? Py_True : Py_False, "type_attr",
                                           attr_name(sig, p->type_attr), "number_attr",
                                           attr_name(sig, p->number_attr), "type_list_attr",
                                           attr_name(sig, p->list_attr), "dtype", dtype));
    }
    return list;
}

/* The dtypes or strings that an attr may be, in TensorFlow's order; None: all. */
static PyObject *allowed_list(const SfAttrSpec *a)
{
    const int n = a->nallowed > 0 ? a->nallowed : a->allowed_strings.n;
    if (n == 0) {
        Py_RETURN_NONE;
    }
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        const char *text = a->nallowed > 0 ? sf_dtype_name(a->allowed_order[i])
                                           : a->allowed_strings.items[i]->bytes;
        sfpy_list_put(&list, i, PyUnicode_FromString(text));
    }
    return list;
}

static PyObject *attr_list(SfpyState *st, const SfOpSig *sig)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < sig->nattr; i++) {
        const SfAttrSpec *a = &sig->attrs[i];
        PyObject *def = a->has_default ? sfpy_attr_object(st, &a->def) : Py_NewRef(Py_None);
        PyObject *least = a->has_minimum ? PyLong_FromLongLong(a->minimum) : Py_NewRef(Py_None);
        sfpy_list_add(&list, Py_BuildValue("{s:s,s:s,s:O,s:O,s:O,s:N,s:N,s:N}", "name", a->name,
                                           "type", sf_attr_type_info(a->type)->name, "list",
                                           sf_attr_is_list(a->type) ? Py_True : Py_False,
                                           "has_default", a->has_default ? Py_True : Py_False,
                                           "inferred", a->inferred ? Py_True : Py_False, "default",
                                           def, "minimum", least, "allowed", allowed_list(a)));
    }
    return list;
}

PyObject *sfpy_op_info(PyObject *module, PyObject *name)
{
    SfpyState *st = sfpy_state(module);
    const char *text = sfpy_utf8(name, "name");
    const SfOpSig *sig = !text ? NULL : sf_op_find(text);
    if (!sig) {
        return !text ? NULL : PyErr_Format(PyExc_KeyError, "no such op: %s", text);
    }
    const unsigned traits = sig->def->traits;
    return Py_BuildValue("{s:s,s:s,s:N,s:N,s:N,s:O,s:O,s:O,s:O,s:O}", "name", sig->def->name,
                         "family", sf_apis_family(sig), "inputs",
                         port_list(st, sig->in, sig->nin, sig), "outputs",
                         port_list(st, sig->out, sig->nout, sig), "attrs", attr_list(st, sig),
                         "stateful", traits & SF_OP_STATEFUL ? Py_True : Py_False, "random",
                         traits & SF_OP_RANDOM ? Py_True : Py_False, "internal",
                         traits & SF_OP_INTERNAL ? Py_True : Py_False, "modelled",
                         sig->def->infer != sf_infer_unknown ? Py_True : Py_False, "bounded",
                         sig->def->range ? Py_True : Py_False);
}

/* make_op */
/* Inputs and attrs as parallel names and args. The count, or -1. `inputs` and `attrs` are the
 * call's own: a conversion cannot change them. */
static int collect(SfpyCall *call, const SfOpSig *sig, PyObject *inputs, PyObject *attrs,
                   const char **names, SfArg *args)
{
    const Py_ssize_t n = PyList_GET_SIZE(inputs);
    const Py_ssize_t na = PyDict_GET_SIZE(attrs);
    if (n != sig->nin || n + na > ARGS_MAX) {
        PyErr_Format(PyExc_TypeError, "%s takes %d inputs, %zd were given", sig->def->name,
                     sig->nin, n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (sfpy_call_prefer(call, PyList_GET_ITEM(inputs, i)) < 0) {
            return -1;
        }
    }
    int used = 0;
    for (; used < n; used++) {
        names[used] = sig->in[used].name;
        if (sfpy_arg(&call->conv, PyList_GET_ITEM(inputs, used), &args[used]) < 0) {
            return -1;
        }
    }
    PyObject *key, *value;
    Py_ssize_t pos = 0;
    while (PyDict_Next(attrs, &pos, &key, &value)) {
        const char *text = sfpy_utf8(key, "an attr name");
        if (!text || !is_parameter(sig, text)) {
            if (text) {
                PyErr_Format(PyExc_TypeError, "%s has no attr '%s'", sig->def->name, text);
            }
            return -1;
        }
        names[used] = text;
        if (sfpy_arg(&call->conv, value, &args[used++]) < 0) {
            return -1;
        }
    }
    return used;
}

/* The operation of a finished call; in eager mode one that only holds the outputs. */
static PyObject *made_operation(SfpyCall *call, const SfOpSig *sig)
{
    if (call->graph) {
        if (!call->c.op) {
            PyErr_SetString(PyExc_SystemError, "shapeflow: an op was made without a node");
            return NULL;
        }
        return sfpy_operation_wrap(call->st, call->graph, call->c.op);
    }
    PyObject *outputs = PyList_New(call->c.nresults);
    for (int i = 0; outputs && i < call->c.nresults; i++) {
        sfpy_list_put(&outputs, i, sfpy_tensor_wrap(call->st, NULL, &call->c.results[i]));
    }
    PyObject *op = !outputs ? NULL : sfpy_operation_eager(call->st, sig, outputs);
    Py_XDECREF(outputs);
    return op;
}

static SfStatus raw_or_unmodelled(SfpyCall *call, const SfOpSig *sig, const char *name,
                                  const char *const *names, const SfArg *args, int n)
{
    enum { OUTS_MAX = 16 };
    SfCall *c = sfpy_call_core(call);
    SfStatus status = sf_api_raw(c, sig, name, names, args, n);
    if (status == SF_UNMODELLED) {
        int given = 0;
        const SfTensor *in = sf_api_given(c, &given);
        c->results = sf_arena_alloc(c->arena, sizeof *c->results * OUTS_MAX);
        SF_TRY_ALLOC(in && c->results);
        status =
            sf_build_unmodelled(c->b, sig, name, in, given, c->results, OUTS_MAX, &c->nresults);
        c->op = status == SF_OK ? c->results[0].node : NULL;
    }
    return status;
}

PyObject *sfpy_make_op(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keys[] = {"op_type", "inputs", "attrs", "name", NULL};
    SfpyState *st = sfpy_state(module);
    const char *type, *name = NULL;
    PyObject *inputs, *attrs = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO|Oz:make_op", keys, &type, &inputs, &attrs,
                                     &name)) {
        return NULL;
    }
    const SfOpSig *sig = sf_op_find(type);
    if (!sig) {
        return PyErr_Format(PyExc_ValueError, "no such op: %s", type);
    }
    if (attrs != Py_None && !PyDict_Check(attrs)) {
        return PyErr_Format(PyExc_TypeError, "attrs must be a dict");
    }
    const char *names[ARGS_MAX];
    SfArg converted[ARGS_MAX];
    SfpyCall call;
    PyObject *list = PySequence_List(inputs);
    PyObject *dict = attrs == Py_None ? PyDict_New() : PyDict_Copy(attrs);
    PyObject *op = NULL;
    if (list && dict && sfpy_call_begin(st, &call) == 0) {
        const int n = collect(&call, sig, list, dict, names, converted);
        if (n >= 0 &&
            sfpy_call_check(&call, raw_or_unmodelled(&call, sig, name, names, converted, n)) == 0) {
            op = made_operation(&call, sig);
        }
        sfpy_call_leave(&call);
    }
    Py_XDECREF(list);
    Py_XDECREF(dict);
    return op;
}
