/* The attrs of a node as texts, for pictures: a wrong padding or stride is a common cause of a
 * shape that does not fit.
 * Invariant: left out is what says nothing of shapes that the picture does not say already: dtypes,
 * counts of inputs, functions, tensors, and what has its default.
 * Owner: the caller. Source: docs/graph.md. */
#include "core/base/strbuf.h"
#include "pymodule/ext/ext.h"

enum { SHOWN_ELEMENTS = 12, SHOWN_BYTES = 60 };

/* Bytes of a name that the program gave may be cut within a character: they are decoded later. */
static void add_string(SfStrbuf *t, const SfString *s)
{
    if (s) {
        sf_strbuf_addn(t, s->bytes, s->len < SHOWN_BYTES ? s->len : SHOWN_BYTES);
    }
}

static void add_scalar(SfStrbuf *t, const SfAttr *a)
{
    switch (a->type) {
    case SF_ATTR_INT:
        sf_strbuf_printf(t, "%lld", (long long)a->u.i);
        break;
    case SF_ATTR_FLOAT:
        sf_strbuf_float(t, a->u.f);
        break;
    case SF_ATTR_BOOL:
        sf_strbuf_add(t, a->u.b ? "True" : "False");
        break;
    case SF_ATTR_STRING:
        add_string(t, a->u.s);
        break;
    case SF_ATTR_SHAPE:
        sf_strbuf_shape(t, a->u.shape);
        break;
    case SF_ATTR_TYPE:
    case SF_ATTR_TENSOR:
    case SF_ATTR_FUNC:
    case SF_ATTR_LIST:
        break;
    }
}

static void add_attr(SfStrbuf *t, const SfAttr *a)
{
    if (!sf_attr_is_list(a->type)) {
        add_scalar(t, a);
        return;
    }
    const int n = a->u.list.n < SHOWN_ELEMENTS ? a->u.list.n : SHOWN_ELEMENTS;
    sf_strbuf_char(t, '[');
    for (int i = 0; i < n; i++) {
        const SfAttr element = sf_attr_element(a, i);
        sf_strbuf_add(t, i > 0 ? ", " : "");
        add_scalar(t, &element);
    }
    sf_strbuf_add(t, n < a->u.list.n ? ", ...]" : "]");
}

static bool is_shown(const SfAttrSpec *spec, const SfAttr *a)
{
    const SfAttrType type = (SfAttrType)(a->type & ~(unsigned)SF_ATTR_LIST);
    if (type == SF_ATTR_TYPE || type == SF_ATTR_TENSOR || type == SF_ATTR_FUNC || spec->inferred ||
        spec->is_number || spec->name[0] == '_') {
        return false;
    }
    SfAttr given = *a;
    given.set = spec->def.set;
    return a->set && !(spec->has_default && sf_attr_same(&given, &spec->def));
}

/* ((name, text), ...) */
static PyObject *made(const SfNode *n, SfArena *scratch)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && n->attrs && i < n->sig->nattr; i++) {
        if (!is_shown(&n->sig->attrs[i], &n->attrs[i])) {
            continue;
        }
        SfStrbuf t;
        sf_strbuf_init(&t, scratch);
        add_attr(&t, &n->attrs[i]);
        const char *text = sf_strbuf_end(&t);
        PyObject *pair =
            !text ? PyErr_NoMemory()
                  : Py_BuildValue("(sN)", n->sig->attrs[i].name, sfpy_text_or_none(text));
        sfpy_list_add(&list, pair);
    }
    PyObject *tuple = !list ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

PyObject *sfpy_attr_texts(PyObject *texts, const SfNode *n, SfArena *scratch)
{
    if (!n->attrs) {
        return PyTuple_New(0);
    }
    PyObject *key = PyLong_FromVoidPtr(n->attrs);
    PyObject *found = !key ? NULL : PyDict_GetItemWithError(texts, key);
    if (found) {
        Py_INCREF(found);
    } else if (key && !PyErr_Occurred()) {
        found = made(n, scratch);
        if (found && PyDict_SetItem(texts, key, found) < 0) {
            Py_CLEAR(found);
        }
    }
    Py_XDECREF(key);
    return found;
}
