/* ApiFunction: a user-facing function of TensorFlow, from its row.
 * Invariant: arguments bind as Python binds them, TypeErrors included; what reaches apis is
 * complete (defaults filled in).
 * Owner: the module caches one object for each name. Source: inspect.Signature.bind, ceval.c. */
#include "pymodule/ext/ext.h"

_Static_assert((int)SF_API_PARAMS_MAX < 64, "`given` has a bit for each parameter");

typedef struct Api {
    PyObject_HEAD vectorcallfunc vectorcall;
    SfpyState *st;
    const SfApiRow *row;
    const SfApiSig *sig;                   /* parsed at the first call */
    SfArg *defaults;                       /* what the arguments are before any is given */
    uint64_t required;                     /* bit i: parameter i has no default */
    int npositional, var_args, var_kwargs; /* the latter two: parameter number or -1 */
    unsigned flag;
    PyObject *name, *dotted, *params; /* params: tuple of interned names */
    PyObject *dict, *weak;
} Api;

static Api *as_api(PyObject *self)
{
    return (Api *)self;
}

/* the signature */
static int prepare(Api *f)
{
    const SfApiSig *sig = sf_api_sig(f->row);
    if (!sig) {
        PyErr_Format(PyExc_SystemError, "shapeflow: the row of %U cannot be read: %s", f->dotted,
                     f->row->signature);
        return -1;
    }
    f->npositional = 0;
    f->var_args = f->var_kwargs = -1;
    f->required = 0;
    PyMem_Free(f->defaults);
    f->defaults = PyMem_Calloc((size_t)sig->nparams + 1, sizeof *f->defaults);
    if (!f->defaults) {
        PyErr_NoMemory();
        return -1;
    }
    Py_XSETREF(f->params, PyTuple_New(sig->nparams));
    for (int i = 0; f->params && i < sig->nparams; i++) {
        PyObject *name = PyUnicode_InternFromString(sig->params[i].name);
        if (!name) {
            Py_CLEAR(f->params);
            break;
        }
        PyTuple_SET_ITEM(f->params, i, name);
        if (sig->params[i].has_default) {
            f->defaults[i] = sig->params[i].def;
        }
        switch (sig->params[i].kind) {
        case 0:
            f->npositional = i + 1;
            break;
        case 2:
            f->var_args = i;
            break;
        case 3:
            f->var_kwargs = i;
            break;
        default:
            break;
        }
        if (sig->params[i].kind < 2 && !sig->params[i].has_default) {
            f->required |= UINT64_C(1) << i;
        }
    }
    if (!f->params) {
        return -1;
    }
    f->sig = sig;
    return 0;
}

/* errors in Python's message */
/* 'a', 'b', and 'c' */
static PyObject *join_names(PyObject *names)
{
    const Py_ssize_t n = PyList_GET_SIZE(names);
    PyObject *text = PyUnicode_FromString("");
    for (Py_ssize_t i = 0; text && i < n; i++) {
        const char *between = i == 0 ? "" : n == 2 ? " and " : i == n - 1 ? ", and " : ", ";
        Py_SETREF(text, PyUnicode_FromFormat("%U%s%R", text, between, PyList_GET_ITEM(names, i)));
    }
    return text;
}

static int missing(const Api *f, PyObject *const *objs)
{
    PyObject *names = PyList_New(0);
    bool keyword_only = false;
    for (int pass = 0; names && pass < 2 && PyList_GET_SIZE(names) == 0; pass++) {
        for (int i = 0; i < f->sig->nparams; i++) {
            const SfApiParam *p = &f->sig->params[i];
            if (p->kind == pass && !objs[i] && !p->has_default &&
                PyList_Append(names, PyTuple_GET_ITEM(f->params, i)) < 0) {
                Py_CLEAR(names);
                break;
            }
        }
        keyword_only = pass == 1;
    }
    PyObject *text = !names ? NULL : join_names(names);
    if (text) {
        const Py_ssize_t n = PyList_GET_SIZE(names);
        PyErr_Format(PyExc_TypeError, "%U() missing %zd required %s argument%s: %U", f->name, n,
                     keyword_only ? "keyword-only" : "positional", n == 1 ? "" : "s", text);
    }
    Py_XDECREF(names);
    Py_XDECREF(text);
    return -1;
}

static int too_many(const Api *f, Py_ssize_t given)
{
    int required = 0;
    for (int i = 0; i < f->npositional; i++) {
        required += !f->sig->params[i].has_default;
    }
    const bool range = required != f->npositional;
    PyObject *takes = range ? PyUnicode_FromFormat("from %d to %d", required, f->npositional)
                            : PyUnicode_FromFormat("%d", f->npositional);
    if (takes) {
        PyErr_Format(PyExc_TypeError, "%U() takes %U positional argument%s but %zd %s given",
                     f->name, takes, !range && f->npositional == 1 ? "" : "s", given,
                     given == 1 ? "was" : "were");
    }
    Py_XDECREF(takes);
    return -1;
}

/* binding */
static int find_param(const Api *f, PyObject *name)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(f->params);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyTuple_GET_ITEM(f->params, i) == name) {
            return (int)i;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) { /* a keyword that was made at run time */
        if (PyUnicode_Compare(PyTuple_GET_ITEM(f->params, i), name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Collects what belongs to *args and **kwargs: `extra` becomes their two tuples. *given has a bit
 * for each parameter that got an object. */
static int bind(const Api *f, PyObject *const *args, Py_ssize_t npos, PyObject *kwnames,
                PyObject **objs, uint64_t *given, PyObject *extra[2])
{
    Py_ssize_t take = npos;
    if (npos > f->npositional) {
        if (f->var_args < 0) {
            return too_many(f, npos);
        }
        take = f->npositional;
    }
    for (Py_ssize_t i = 0; i < take; i++) {
        objs[i] = args[i];
    }
    *given = (UINT64_C(1) << take) - 1;
    if (f->var_args >= 0) {
        extra[0] = PyTuple_New(npos - take);
        for (Py_ssize_t i = take; extra[0] && i < npos; i++) {
            PyTuple_SET_ITEM(extra[0], i - take, Py_NewRef(args[i]));
        }
        objs[f->var_args] = extra[0];
        *given |= UINT64_C(1) << f->var_args;
        if (!extra[0]) {
            return -1;
        }
    }
    const Py_ssize_t nkw = !kwnames ? 0 : PyTuple_GET_SIZE(kwnames);
    if (f->var_kwargs >= 0) {
        extra[1] = PyList_New(0);
        objs[f->var_kwargs] = extra[1];
        *given |= UINT64_C(1) << f->var_kwargs;
        if (!extra[1]) {
            return -1;
        }
    }
    for (Py_ssize_t k = 0; k < nkw; k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        const int i = find_param(f, name);
        if (i >= 0 && i != f->var_args && i != f->var_kwargs) {
            if (objs[i]) {
                PyErr_Format(PyExc_TypeError, "%U() got multiple values for argument '%U'", f->name,
                             name);
                return -1;
            }
            objs[i] = args[npos + k];
            *given |= UINT64_C(1) << i;
        } else if (f->var_kwargs >= 0) {
            if (PyList_Append(extra[1], name) < 0 || PyList_Append(extra[1], args[npos + k]) < 0) {
                return -1;
            }
        } else {
            PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'", f->name,
                         name);
            return -1;
        }
    }
    return (f->required & ~*given) == 0 ? 0 : missing(f, objs);
}

static int convert(const Api *f, SfpyCall *call, PyObject *const *objs, uint64_t given, SfArg *args)
{
    for (uint64_t rest = given; rest != 0; rest &= rest - 1) {
        if (sfpy_call_prefer(call, objs[__builtin_ctzll(rest)]) < 0) {
            return -1;
        }
    }
    memcpy(args, f->defaults, sizeof *args * (size_t)f->sig->nparams);
    for (uint64_t rest = given; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        if (sfpy_arg(&call->conv, objs[i], &args[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

const char *sfpy_describe(const SfCall *c, const SfArg *a, bool type)
{
    const SfpyCall *call =
        (const SfpyCall *)(const void *)((const char *)c - offsetof(SfpyCall, c));
    const ptrdiff_t i = a - c->args;
    const bool before = sf_values_transient(false); /* repr() may run any Python code */
    PyObject *text = NULL;
    if (call->objects && c->sig && i >= 0 && i < c->sig->nparams && call->objects[i]) {
        PyObject *o = call->objects[i];
        text = type ? PyUnicode_FromString(Py_TYPE(o)->tp_name) : PyObject_Repr(o);
    } else if (a->kind == SF_ARG_OBJECT) {
        PyObject *o = a->u.object;
        text = type ? PyUnicode_FromString(Py_TYPE(o)->tp_name) : PyObject_Repr(o);
    }
    const char *utf8 = !text ? NULL : PyUnicode_AsUTF8(text);
    const char *kept = !utf8 ? NULL : sf_arena_strdup(c->arena, utf8);
    Py_XDECREF(text);
    PyErr_Clear();
    (void)sf_values_transient(before);
    return kept;
}

/* What a ragged tensor, or a program's own extension type, makes of a call with it; NULL without
 * an exception: it leaves the call to the row. */
static PyObject *ask_composite(const Api *f, PyObject *composite, PyObject *const *args,
                               Py_ssize_t npos, PyObject *kwnames)
{
    PyObject *positional = PyTuple_New(npos);
    PyObject *keywords = PyDict_New();
    for (Py_ssize_t i = 0; positional && i < npos; i++) {
        PyTuple_SET_ITEM(positional, i, Py_NewRef(args[i]));
    }
    const Py_ssize_t nkw = !kwnames ? 0 : PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; keywords && i < nkw; i++) {
        if (PyDict_SetItem(keywords, PyTuple_GET_ITEM(kwnames, i), args[npos + i]) < 0) {
            Py_CLEAR(keywords);
        }
    }
    PyObject *r = !positional || !keywords
                      ? NULL
                      : PyObject_CallMethodObjArgs(composite, f->st->str_sf_dispatch, f->dotted,
                                                   (PyObject *)f, positional, keywords, NULL);
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
    if (r == Py_NotImplemented) {
        Py_CLEAR(r);
    }
    return r;
}

static PyObject *api_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                                PyObject *kwnames)
{
    Api *f = as_api(self);
    PyObject *objs[SF_API_PARAMS_MAX];
    PyObject *extra[2] = {NULL, NULL};
    SfArg converted[SF_API_PARAMS_MAX];
    uint64_t given;
    SfpyCall call;
    if (!f->sig && prepare(f) < 0) {
        return NULL;
    }
    memset(objs, 0, sizeof *objs * (size_t)f->sig->nparams);
    PyObject *r = NULL;
    const Py_ssize_t npos = PyVectorcall_NARGS(nargsf);
    bool ready = bind(f, args, npos, kwnames, objs, &given, extra) == 0;
    for (bool asks = true; ready; asks = false) {
        ready = false;
        if (sfpy_call_begin(f->st, &call) < 0) {
            break;
        }
        call.conv.finds_composites = asks;
        if (convert(f, &call, objs, given, converted) < 0) {
            PyObject *composite = call.conv.composite;
            sfpy_call_leave(&call);
            if (composite) {
                r = ask_composite(f, composite, args, npos, kwnames);
                ready = !r && !PyErr_Occurred();
            }
        } else {
            call.objects = objs;
            call.op = !f->row->call ? f->sig->op : NULL;
            call.c.sig = f->sig;
            call.c.args = converted;
            call.c.describe = sfpy_describe;
            r = sfpy_call_finish(&call, sf_api_call(sfpy_call_core(&call)));
        }
    }
    Py_XDECREF(extra[0]);
    Py_XDECREF(extra[1]);
    return r;
}

/* the object */
static PyObject *api_new(SfpyState *st, const SfApiRow *row, PyObject *dotted, unsigned flag)
{
    const char *text = PyUnicode_AsUTF8(dotted);
    const char *last = !text ? NULL : strrchr(text, '.');
    Api *f = !text ? NULL : PyObject_GC_New(Api, st->api_type);
    if (!f) {
        return NULL;
    }
    memset(&f->vectorcall, 0, sizeof *f - offsetof(Api, vectorcall));
    f->vectorcall = api_vectorcall;
    f->st = st;
    f->row = row;
    f->flag = flag;
    f->name = PyUnicode_InternFromString(!last ? text : last + 1);
    f->dotted = Py_NewRef(dotted);
    PyObject_GC_Track(f);
    if (!f->name) {
        Py_CLEAR(f);
    }
    return (PyObject *)f;
}

static int api_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as_api(self)->params);
    Py_VISIT(as_api(self)->dict);
    return 0;
}

static int api_clear(PyObject *self)
{
    Py_CLEAR(as_api(self)->dict);
    return 0;
}

static void api_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (as_api(self)->weak) {
        PyObject_ClearWeakRefs(self);
    }
    api_clear(self);
    PyMem_Free(as_api(self)->defaults);
    Py_XDECREF(as_api(self)->params);
    Py_XDECREF(as_api(self)->name);
    Py_XDECREF(as_api(self)->dotted);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *api_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<function %U>", as_api(self)->dotted);
}

/* As a Python function in a class body: bound to the instance. */
static PyObject *api_descr_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    return !obj || obj == Py_None ? Py_NewRef(self) : PyMethod_New(self, obj);
}

static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    const Api *f = as_api(self);
    return PyUnicode_FromFormat("%U(%s)\n\n%s%s", f->dotted, f->row->signature,
                                f->row->op ? "Shapes: as the op " : "Shapes: a composition",
                                f->row->op ? f->row->op : "");
}

static PyObject *get_module(PyObject *self, void *Py_UNUSED(closure))
{
    const Api *f = as_api(self);
    return sfpy_module_of_version(f->dotted, f->flag == SF_TF1 ? 1 : 2);
}

static PyObject *get_text_signature(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromFormat("(%s)", as_api(self)->row->signature);
}

static PyObject *get_signature(PyObject *self, void *Py_UNUSED(closure))
{
    Api *f = as_api(self);
    PyObject *known = sfpy_signature_of_version(f->dotted, f->flag == SF_TF1 ? 1 : 2);
    if (known != Py_None) {
        return known;
    }
    Py_DECREF(known);
    return !f->sig && prepare(f) < 0 ? NULL : sfpy_signature_object(f->st, f->sig);
}

static PyObject *get_op(PyObject *self, void *Py_UNUSED(closure))
{
    const char *op = as_api(self)->row->op;
    if (!op) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(op);
}

static PyObject *api_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const Api *f = as_api(self);
    PyObject *module = PyType_GetModule(f->st->api_type);
    PyObject *find = !module ? NULL : PyObject_GetAttrString(module, "api_function");
    return !find ? NULL : Py_BuildValue("(N(Oi))", find, f->dotted, f->flag == SF_TF1 ? 1 : 2);
}

static PyObject *api_same(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyGetSetDef api_getset[] = {
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__module__", get_module, NULL, NULL, NULL},
    {"__text_signature__", get_text_signature, NULL, NULL, NULL},
    {"__signature__", get_signature, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"_op", get_op, NULL, "The raw op behind it, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef api_methods[] = {
    {"__reduce__", api_reduce, METH_NOARGS, NULL},
    {"__copy__", api_same, METH_NOARGS, NULL},
    {"__deepcopy__", api_same, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef api_members[] = {
    {"__name__", T_OBJECT, offsetof(Api, name), READONLY, NULL},
    {"__qualname__", T_OBJECT, offsetof(Api, name), READONLY, NULL},
    {"_dotted", T_OBJECT, offsetof(Api, dotted), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Api, vectorcall), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Api, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Api, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot api_slots[] = {
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, api_dealloc},
    {Py_tp_traverse, api_traverse},
    {Py_tp_clear, api_clear},
    {Py_tp_repr, api_repr},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, api_descr_get},
    {Py_tp_getset, api_getset},
    {Py_tp_methods, api_methods},
    {Py_tp_members, api_members},
    {0, NULL},
};

PyType_Spec sfpy_api_spec = {
    .name = "shapeflow._core.ApiFunction",
    .basicsize = sizeof(Api),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
             Py_TPFLAGS_METHOD_DESCRIPTOR,
    .slots = api_slots,
};

/* lookup */
/* 1 -> SF_TF1, 2 -> SF_TF2; 0 with ValueError. */
static unsigned flag_of(long version)
{
    if (version != 1 && version != 2) {
        PyErr_SetString(PyExc_ValueError, "version must be 1 or 2");
        return 0;
    }
    return version == 1 ? SF_TF1 : SF_TF2;
}

/* The one object of `dotted` and its row, made when there is none; None without a row. */
static PyObject *find_api(SfpyState *st, PyObject *dotted, unsigned flag)
{
    const char *text = PyUnicode_AsUTF8(dotted);
    if (!text) {
        return NULL;
    }
    const SfApiRow *row = sf_api_find_at(text, flag, st->version);
    if (!row) {
        Py_RETURN_NONE;
    }
    PyObject *key =
        Py_BuildValue("(ONI)", dotted, PyLong_FromVoidPtr((void *)(uintptr_t)row), flag);
    PyObject *f = !key ? NULL : Py_XNewRef(PyDict_GetItemWithError(st->api_cache, key));
    if (!f && key && !PyErr_Occurred()) {
        f = api_new(st, row, dotted, flag);
        if (f && PyDict_SetItem(st->api_cache, key, f) < 0) {
            Py_CLEAR(f);
        }
    }
    Py_XDECREF(key);
    return f;
}

PyObject *sfpy_find_api(SfpyState *st, PyObject *dotted, long version)
{
    const unsigned flag = flag_of(version);
    if (flag == 0) {
        return NULL;
    }
    PyObject *found = flag == SF_TF1 ? st->apis_found_v1 : st->apis_found_v2;
    PyObject *f = Py_XNewRef(PyDict_GetItemWithError(found, dotted));
    if (!f && !PyErr_Occurred()) {
        f = find_api(st, dotted, flag);
        if (f && f != Py_None && PyDict_SetItem(found, dotted, f) < 0) {
            Py_CLEAR(f);
        }
    }
    return f;
}

void sfpy_forget_apis(SfpyState *st)
{
    if (st->apis_found_v1 && st->apis_found_v2) {
        PyDict_Clear(st->apis_found_v1);
        PyDict_Clear(st->apis_found_v2);
    }
}

PyObject *sfpy_api_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2 || !PyUnicode_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "api_function() takes a dotted name and a version");
        return NULL;
    }
    const long version = PyLong_AsLong(args[1]);
    return version == -1 && PyErr_Occurred() ? NULL
                                             : sfpy_find_api(sfpy_state(module), args[0], version);
}

static int append_names(PyObject *list, const char *names)
{
    while (*names != '\0') {
        const size_t len = strcspn(names, " ");
        if (!sfpy_append_new(list, PyUnicode_FromStringAndSize(names, (Py_ssize_t)len))) {
            return -1;
        }
        names += len;
        names += *names == ' ';
    }
    return 0;
}

PyObject *sfpy_api_names(PyObject *module, PyObject *version)
{
    const SfpyState *st = sfpy_state(module);
    const long v = PyLong_AsLong(version);
    const unsigned flag = v == -1 && PyErr_Occurred() ? 0 : flag_of(v);
    PyObject *list = flag == 0 ? NULL : PyList_New(0);
    for (int t = 0; list && t < sf_api_table_count(); t++) {
        const SfApiTable *table = sf_api_table_at(t);
        for (int i = 0; i < table->count; i++) {
            const SfApiRow *row = &table->rows[i];
            const bool there = (row->versions & flag) != 0 && row->since <= st->version &&
                               (row->until == 0 || st->version < row->until);
            if (there && append_names(list, row->names) < 0) {
                Py_CLEAR(list);
                break;
            }
        }
    }
    return list;
}
