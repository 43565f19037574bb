/* Signatures for inspect, and the namedtuples of ops with several outputs.
 * Invariant: the dispatcher binds all that inspect.signature shows. A row takes the parameters of
 * each version that has it; what is shown are those of the emulated one.
 * Owner: the module caches the namedtuple types. Source: inspect.Signature; op_def_library. */
#include "pymodule/ext/ext.h"

/* `def` is stolen; without `has_default` it is NULL, and NULL with it is an error that is set. */
static PyObject *make_parameter(PyObject *cls, const char *name, int which, bool has_default,
                                PyObject *def)
{
    static const char *const kinds[] = {"POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", "VAR_POSITIONAL",
                                        "VAR_KEYWORD"};
    PyObject *kind = PyObject_GetAttrString(cls, kinds[which & 3]);
    PyObject *args = !kind ? NULL : Py_BuildValue("(sN)", name, kind);
    PyObject *kwargs = !args ? NULL : PyDict_New();
    if (kwargs && has_default && (!def || PyDict_SetItemString(kwargs, "default", def) < 0)) {
        Py_CLEAR(kwargs);
    }
    Py_XDECREF(def);
    PyObject *r = !kwargs ? NULL : PyObject_Call(cls, args, kwargs);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return r;
}

static PyObject *parameter(SfpyState *st, PyObject *cls, const SfApiParam *p)
{
    return make_parameter(cls, p->name, p->kind, p->has_default,
                          p->has_default ? sfpy_arg_object(st, &p->def) : NULL);
}

static PyObject *signature_of(PyObject *list)
{
    PyObject *signature = !list ? NULL : sfpy_import_attr("inspect", "Signature");
    PyObject *r = !signature ? NULL : PyObject_CallFunctionObjArgs(signature, list, NULL);
    Py_XDECREF(signature);
    Py_XDECREF(list);
    return r;
}

PyObject *sfpy_signature_of_version(PyObject *dotted, int api)
{
    PyObject *shown = sfpy_import_attr("shapeflow.api.signatures", "shown");
    PyObject *r = !shown ? NULL : PyObject_CallFunction(shown, "Oi", dotted, api);
    Py_XDECREF(shown);
    return r;
}

PyObject *sfpy_module_of_version(PyObject *dotted, int api)
{
    PyObject *home = sfpy_import_attr("shapeflow.api.names", "home");
    PyObject *r = !home ? NULL : PyObject_CallFunction(home, "Oi", dotted, api);
    Py_XDECREF(home);
    return r;
}

PyObject *sfpy_signature_object(SfpyState *st, const SfApiSig *sig)
{
    PyObject *cls = sfpy_import_attr("inspect", "Parameter");
    PyObject *list = !cls ? NULL : PyList_New(0);
    for (int i = 0; list && i < sig->nparams; i++) {
        sfpy_list_add(&list, parameter(st, cls, &sig->params[i]));
    }
    Py_XDECREF(cls);
    return signature_of(list);
}

/* raw ops */
/* A float as TensorFlow writes it into the source: as few digits as give the float32 back, and
 * 3.0 as `3`. */
static PyObject *float_default(double f)
{
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, f);
        if (strtof(text, NULL) == (float)f) {
            break;
        }
    }
    return strspn(text, "-0123456789") == strlen(text) ? PyLong_FromString(text, NULL, 10)
                                                       : PyFloat_FromDouble(strtod(text, NULL));
}

static PyObject *text_of(PyObject *def)
{
    if (!def || !PyBytes_Check(def)) {
        return def;
    }
    PyObject *text = PyUnicode_FromEncodedObject(def, "utf-8", "surrogateescape");
    Py_DECREF(def);
    return text;
}

/* A shape is shown as the list of its dims, one of unknown rank as None. */
static PyObject *raw_default(SfpyState *st, const SfAttr *a)
{
    if (a->type == SF_ATTR_FLOAT) {
        return float_default(a->u.f);
    }
    if (a->type == (SF_ATTR_LIST | SF_ATTR_FLOAT)) {
        PyObject *floats = PyList_New(0);
        for (int i = 0; floats && i < a->u.list.n; i++) {
            sfpy_list_add(&floats, float_default(a->u.list.u.f[i]));
        }
        return floats;
    }
    if (a->type != SF_ATTR_SHAPE || !a->u.shape) {
        return text_of(sfpy_attr_object(st, a));
    }
    const int rank = sf_shape_rank(a->u.shape);
    if (rank < 0) {
        Py_RETURN_NONE;
    }
    PyObject *list = PyList_New(rank);
    for (int i = 0; list && i < rank; i++) {
        const SfDim d = sf_shape_dim(a->u.shape, i);
        sfpy_list_put(&list, i, PyLong_FromLongLong(sf_dim_is_known(d) ? d : -1));
    }
    return list;
}

/* The attrs that the caller may give: those with a default, or those without. */
static void append_attrs(SfpyState *st, PyObject *cls, const SfOpSig *sig, bool defaults,
                         PyObject **list)
{
    for (int i = 0; *list && i < sig->nattr; i++) {
        const SfAttrSpec *a = &sig->attrs[i];
        if (!a->inferred && a->has_default == defaults) {
            PyObject *def = defaults ? raw_default(st, &a->def) : NULL;
            sfpy_list_add(list,
                          make_parameter(cls, sfpy_raw_parameter(sig, a->name), 0, defaults, def));
        }
    }
}

/* The generated function's: inputs, attrs without default, attrs with one, name=None. */
PyObject *sfpy_raw_signature(SfpyState *st, const SfOpSig *sig)
{
    PyObject *cls = sfpy_import_attr("inspect", "Parameter");
    PyObject *list = !cls ? NULL : PyList_New(0);
    for (int i = 0; list && i < sig->nin; i++) {
        const char *name = sfpy_raw_parameter(sig, sig->in[i].name);
        sfpy_list_add(&list, make_parameter(cls, name, 0, false, NULL));
    }
    append_attrs(st, cls, sig, false, &list);
    append_attrs(st, cls, sig, true, &list);
    if (list) {
        sfpy_list_add(&list, make_parameter(cls, "name", 0, true, Py_NewRef(Py_None)));
    }
    Py_XDECREF(cls);
    return signature_of(list);
}

PyObject *sfpy_op_tuple_type(SfpyState *st, const SfOpSig *sig)
{
    PyObject *key = PyUnicode_FromString(sig->def->name);
    PyObject *type = !key ? NULL : PyDict_GetItemWithError(st->tuple_cache, key);
    if (type || !key || PyErr_Occurred()) {
        Py_XINCREF(type);
        Py_XDECREF(key);
        return type;
    }
    PyObject *make = sfpy_import_attr("collections", "namedtuple");
    PyObject *fields = !make ? NULL : PyList_New(0);
    for (int i = 0; fields && i < sig->nout; i++) {
        sfpy_list_add(&fields, PyUnicode_FromString(sig->out[i].name));
    }
    if (fields) {
        type = PyObject_CallFunctionObjArgs(make, key, fields, NULL);
        if (type && PyDict_SetItem(st->tuple_cache, key, type) < 0) {
            Py_CLEAR(type);
        }
    }
    Py_XDECREF(make);
    Py_XDECREF(fields);
    Py_DECREF(key);
    return type;
}
