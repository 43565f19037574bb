/* Fetches: from a nested structure to unique tensors and back to values. See fetch.h. */
#include "pymodule/ext/fetch.h"

enum { TAG_LIST = 1, TAG_TUPLE = 3, TAG_DICT = 5, TAG_CLASS = 7 };
enum { TAG_OUTPUT = 2, TAG_NODE = 4 };

/* tokens */
static void push(SfpyTokens *t, uintptr_t token)
{
    if (t->n < SFPY_TOKENS) {
        t->t[t->n++] = token;
    } else {
        t->simple = false;
    }
}

static void push_tag(SfpyTokens *t, int tag, Py_ssize_t n)
{
    push(t, ((uintptr_t)n << 3) | (uintptr_t)tag); /* small: never an address */
}

/* By node, whose address names it while the graph lives; an object may be gone and made again. */
static void push_tensor(SfpyTokens *t, const SfpyTensor *tensor)
{
    push(t, (uintptr_t)tensor->t.node);
    push_tag(t, TAG_OUTPUT, tensor->t.index);
}

static void push_operation(SfpyTokens *t, const SfpyOperation *op)
{
    push(t, (uintptr_t)op->node);
    push_tag(t, TAG_NODE, 0);
}

static bool is_namedtuple(SfpyState *st, PyObject *o)
{
    if (!PyTuple_Check(o) || PyTuple_CheckExact(o)) {
        return false;
    }
    const int has = PyObject_HasAttr((PyObject *)Py_TYPE(o), st->str_fields);
    return has != 0;
}

static int named_token(SfpyGraph *graph, PyObject *name, SfpyTokens *t)
{
    PyObject *element = sfpy_graph_element(graph, name, true, true);
    if (!element) {
        PyErr_Clear(); /* the general preparation reports what is wrong with it */
        t->simple = false;
        return 0;
    }
    if (sfpy_is_tensor(element)) {
        push_tensor(t, (SfpyTensor *)element);
    } else {
        push_operation(t, (SfpyOperation *)element);
    }
    Py_DECREF(element);
    return 0;
}

static int sequence_tokens(SfpyGraph *graph, PyObject *o, SfpyTokens *t)
{
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    int r = 0;
    for (Py_ssize_t i = 0; r == 0 && t->simple && i < PySequence_Fast_GET_SIZE(o); i++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(o, i));
        r = sfpy_fetch_tokens(graph, item, t);
        Py_DECREF(item);
    }
    t->simple = t->simple && PySequence_Fast_GET_SIZE(o) == n; /* a metaclass may change the list */
    return r;
}

static int dict_tokens(SfpyGraph *graph, PyObject *o, SfpyTokens *t)
{
    const Py_ssize_t n = PyDict_GET_SIZE(o);
    PyObject *key, *value;
    Py_ssize_t pos = 0;
    int r = 0;
    push_tag(t, TAG_DICT, n);
    while (r == 0 && t->simple && PyDict_Next(o, &pos, &key, &value)) {
        Py_INCREF(value);
        push(t, (uintptr_t)key);
        r = sfpy_fetch_tokens(graph, value, t);
        Py_DECREF(value);
        t->simple = t->simple && PyDict_GET_SIZE(o) == n;
    }
    return r;
}

int sfpy_fetch_tokens(SfpyGraph *graph, PyObject *o, SfpyTokens *t)
{
    SfpyState *st = graph->st;
    PyTypeObject *type = Py_TYPE(o);
    if (type == st->tensor_type) {
        push_tensor(t, (SfpyTensor *)o);
        return 0;
    }
    if (type == st->operation_type) {
        push_operation(t, (SfpyOperation *)o);
        return 0;
    }
    if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
        push_tag(t, PyList_CheckExact(o) ? TAG_LIST : TAG_TUPLE, PySequence_Fast_GET_SIZE(o));
        return sequence_tokens(graph, o, t);
    }
    if (PyDict_CheckExact(o)) {
        return dict_tokens(graph, o, t);
    }
    if (PyUnicode_CheckExact(o)) {
        return named_token(graph, o, t);
    }
    if (PyType_IsSubtype(type, st->variable_type)) {
        PyObject *tensor = ((SfpyVariable *)o)->tensor;
        t->simple = t->simple && tensor && Py_IS_TYPE(tensor, st->tensor_type);
        if (t->simple) {
            push(t, (uintptr_t)o);
            push_tensor(t, (SfpyTensor *)tensor);
        }
        return 0;
    }
    if (is_namedtuple(st, o)) {
        push_tag(t, TAG_CLASS, PyTuple_GET_SIZE(o));
        push(t, (uintptr_t)type);
        return sequence_tokens(graph, o, t);
    }
    t->simple = false; /* objects that compute their fetches: asked each time */
    return 0;
}

/* preparing */
static int reserve(void **array, int n, int *cap, size_t size)
{
    if (n < *cap) {
        return 0;
    }
    const int grown = *cap == 0 ? 8 : *cap * 2;
    void *p = PyMem_Realloc(*array, size * (size_t)grown);
    if (!p) {
        PyErr_NoMemory();
        return -1;
    }
    *array = p;
    *cap = grown;
    return 0;
}

/* Appends a node of the tree; `object` is a borrowed reference or NULL. Its number, or -1. */
static int add_node(SfpyPrepared *p, SfpyFetchKind kind, int n, PyObject *object)
{
    if (reserve((void **)&p->tree, p->ntree, &p->tree_cap, sizeof *p->tree) < 0) {
        return -1;
    }
    p->tree[p->ntree] = (SfpyFetch){kind, n, Py_XNewRef(object)};
    return p->ntree++;
}

static int add_tensor(SfpyPrepared *p, const SfpyTensor *t)
{
    for (int i = 0; i < p->nfetch; i++) {
        if (p->fetches[i].node == t->t.node && p->fetches[i].index == t->t.index) {
            return add_node(p, SFPY_FETCH_TENSOR, i, NULL);
        }
    }
    if (reserve((void **)&p->fetches, p->nfetch, &p->fetch_cap, sizeof *p->fetches) < 0) {
        return -1;
    }
    p->fetches[p->nfetch] = sfpy_tensor_read(t);
    return add_node(p, SFPY_FETCH_TENSOR, p->nfetch++, NULL);
}

static int add_target(SfpyPrepared *p, SfNode *node)
{
    if (reserve((void **)&p->targets, p->ntarget, &p->target_cap, sizeof(SfNode *)) < 0) {
        return -1;
    }
    p->targets[p->ntarget++] = node;
    return add_node(p, SFPY_FETCH_OP, 0, NULL);
}

static int add_fetch(SfpyGraph *graph, SfpyPrepared *p, PyObject *o);

/* A node with the items as its children. Methods of the items may change the list: as for a loop
 * in Python there are as many as it is long when its end is reached. */
static int add_items(SfpyGraph *graph, SfpyPrepared *p, SfpyFetchKind kind, PyObject *object,
                     PyObject *items)
{
    const int at = add_node(p, kind, 0, object);
    int r = at < 0 ? -1 : 0;
    int n = 0;
    for (; r == 0 && n < PySequence_Fast_GET_SIZE(items); n++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, n));
        r = add_fetch(graph, p, item);
        Py_DECREF(item);
    }
    if (r == 0) {
        p->tree[at].n = n;
    }
    return r;
}

static int add_mapping(SfpyGraph *graph, SfpyPrepared *p, PyObject *o)
{
    PyObject *keys = PyMapping_Keys(o);
    PyObject *values = !keys ? NULL : PyList_New(0);
    int r = !values ? -1 : 0;
    for (Py_ssize_t i = 0; r == 0 && i < PyList_GET_SIZE(keys); i++) {
        PyObject *v = PyObject_GetItem(o, PyList_GET_ITEM(keys, i));
        r = !v ? -1 : PyList_Append(values, v);
        Py_XDECREF(v);
    }
    if (r == 0) {
        PyObject *what = Py_BuildValue("(OO)", (PyObject *)Py_TYPE(o), keys);
        r = !what ? -1 : add_items(graph, p, SFPY_FETCH_DICT, what, values);
        Py_XDECREF(what);
        if (r == 0 && PyList_Append(p->keep, keys) < 0) {
            r = -1;
        }
    }
    Py_XDECREF(keys);
    Py_XDECREF(values);
    return r;
}

/* The fields of an attrs class in order, as a list. */
static PyObject *attrs_values(PyObject *o, PyObject *attributes)
{
    PyObject *list = PySequence_List(attributes);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *name = PyObject_GetAttrString(PyList_GET_ITEM(list, i), "name");
        PyObject *value = !name ? NULL : PyObject_GetAttr(o, name);
        Py_XDECREF(name);
        if (!value || PyList_SetItem(list, i, value) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* What `_sf_fetch()` gives: a structure, or (list of fetches, function of the values). */
static int add_custom(SfpyGraph *graph, SfpyPrepared *p, PyObject *given)
{
    if (PyTuple_CheckExact(given) && PyTuple_GET_SIZE(given) == 2 &&
        PyCallable_Check(PyTuple_GET_ITEM(given, 1)) &&
        !sfpy_is_tensor(PyTuple_GET_ITEM(given, 1))) {
        PyObject *items = PySequence_List(PyTuple_GET_ITEM(given, 0));
        const int r =
            !items ? -1 : add_items(graph, p, SFPY_FETCH_CUSTOM, PyTuple_GET_ITEM(given, 1), items);
        Py_XDECREF(items);
        return r;
    }
    return add_fetch(graph, p, given);
}

/* 1: handled; 0: has no `_sf_fetch`; -1. */
static int try_custom(SfpyGraph *graph, SfpyPrepared *p, PyObject *o)
{
    if (sfpy_is_tensor(o) || PyUnicode_Check(o) || PyBytes_Check(o)) {
        return 0;
    }
    PyObject *given = NULL;
    int r = sfpy_call_special(o, graph->st->str_sf_fetch, NULL, &given);
    if (r == 1 && add_custom(graph, p, given) < 0) {
        r = -1;
    }
    Py_XDECREF(given);
    return r;
}

/* Replaces the exception that is set by one of `type` with TensorFlow's message around its text. */
static int explain(SfpyState *st, PyObject *o, bool type_error)
{
    const bool newer = st->version >= SF_VERSION(2, 5);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *text = !value ? NULL : PyObject_Str(value);
    PyErr_Clear();
    if (newer && type_error) {
        PyErr_Format(PyExc_TypeError,
                     "Argument `fetch` = %S has invalid type \"%s\" must be a string or Tensor. "
                     "(%V)",
                     o, Py_TYPE(o)->tp_name, text, "");
    } else if (newer) {
        PyErr_Format(PyExc_ValueError,
                     "Argument `fetch` = %S cannot be interpreted as a Tensor. (%V)", o, text, "");
    } else if (type_error) {
        PyErr_Format(PyExc_TypeError,
                     "Fetch argument %R has invalid type %R, must be a string or Tensor. (%V)", o,
                     (PyObject *)Py_TYPE(o), text, "");
    } else {
        PyErr_Format(PyExc_ValueError, "Fetch argument %R cannot be interpreted as a Tensor. (%V)",
                     o, text, "");
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    Py_XDECREF(text);
    return -1;
}

static int add_element(SfpyGraph *graph, SfpyPrepared *p, PyObject *o)
{
    PyObject *e = sfpy_graph_element(graph, o, true, true);
    if (!e) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            return explain(graph->st, o, true);
        }
        return PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_KeyError)
                   ? explain(graph->st, o, false)
                   : -1;
    }
    int r = PyList_Append(p->keep, e);
    if (r == 0) {
        r = sfpy_is_tensor(e) ? add_tensor(p, (SfpyTensor *)e)
                              : add_target(p, ((SfpyOperation *)e)->node);
    }
    Py_DECREF(e);
    return r < 0 ? -1 : 0;
}

static int add_fetch(SfpyGraph *graph, SfpyPrepared *p, PyObject *o)
{
    SfpyState *st = graph->st;
    if (o == Py_None) {
        PyErr_Format(PyExc_TypeError,
                     st->version >= SF_VERSION(2, 5)
                         ? "Argument `fetch` = %R has invalid type \"NoneType\". Cannot be None"
                         : "Fetch argument %R has invalid type %R",
                     o, (PyObject *)Py_TYPE(o));
        return -1;
    }
    if (PyList_Append(p->keep, o) < 0) {
        return -1;
    }
    if (Py_IS_TYPE(o, st->tensor_type) || Py_IS_TYPE(o, st->operation_type)) {
        return add_element(graph, p, o);
    }
    if (Py_EnterRecursiveCall(" in the fetches of Session.run")) {
        return -1;
    }
    int r;
    PyObject *attributes = NULL;
    if (PyList_Check(o) || PyTuple_CheckExact(o)) {
        const SfpyFetchKind kind = PyList_Check(o) ? SFPY_FETCH_LIST : SFPY_FETCH_TUPLE;
        r = add_items(graph, p, kind, NULL, o);
    } else if (PyTuple_Check(o)) {
        r = add_items(graph, p, SFPY_FETCH_CLASS, (PyObject *)Py_TYPE(o), o);
    } else if ((r = try_custom(graph, p, o)) != 0) {
        r = r < 0 ? -1 : 0;
    } else if (PyDict_Check(o) ||
               (PyMapping_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o) &&
                !sfpy_is_tensor(o) && !PyType_IsSubtype(Py_TYPE(o), st->variable_type) &&
                PyObject_HasAttrString(o, "keys"))) {
        r = add_mapping(graph, p, o);
    } else if ((attributes = PyObject_GetAttr((PyObject *)Py_TYPE(o), st->str_attrs_attrs)) !=
               NULL) {
        PyObject *items = attrs_values(o, attributes);
        r = !items ? -1 : add_items(graph, p, SFPY_FETCH_CLASS, (PyObject *)Py_TYPE(o), items);
        Py_XDECREF(items);
        Py_DECREF(attributes);
    } else {
        PyErr_Clear();
        r = add_element(graph, p, o);
    }
    Py_LeaveRecursiveCall();
    return r;
}

void sfpy_prepared_free(SfpyPrepared *p)
{
    if (!p || --p->refs > 0) {
        return;
    }
    for (int i = 0; i < p->ntree; i++) {
        Py_XDECREF(p->tree[i].object);
    }
    for (int i = 0; p->scalars && i < p->nfetch; i++) {
        Py_XDECREF(p->scalars[i]);
    }
    Py_XDECREF(p->keep);
    PyMem_Free(p->tokens);
    PyMem_Free(p->tree);
    PyMem_Free(p->fetches);
    PyMem_Free(p->fed_by);
    PyMem_Free(p->targets);
    PyMem_Free(p->scalars);
    PyMem_Free(p->before);
    PyMem_Free(p);
}

static int find_feeds(SfpyPrepared *p, const SfpyFeeds *feeds)
{
    const size_t n = (size_t)p->nfetch + 1;
    p->fed_by = PyMem_New(int, n);
    p->scalars = PyMem_Calloc(n, sizeof *p->scalars);
    if (!p->fed_by || !p->scalars) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < p->nfetch; i++) {
        p->fed_by[i] = -1;
        for (int k = 0; k < feeds->n; k++) {
            if (feeds->targets[k]->t.node == p->fetches[i].node &&
                feeds->targets[k]->t.index == p->fetches[i].index) {
                p->fed_by[i] = k;
            }
        }
    }
    p->nfeed = feeds->n;
    return 0;
}

SfpyPrepared *sfpy_prepare(SfpyGraph *graph, PyObject *fetches, const SfpyFeeds *feeds)
{
    SfpyPrepared *p = PyMem_Calloc(1, sizeof *p);
    if (!p) {
        PyErr_NoMemory();
        return NULL;
    }
    p->refs = 1;
    p->keep = PyList_New(0);
    if (!p->keep || add_fetch(graph, p, fetches) < 0 || find_feeds(p, feeds) < 0) {
        sfpy_prepared_free(p);
        return NULL;
    }
    return p;
}

/* results */
typedef struct Build {
    SfpyState *st;
    SfpyPrepared *p;
    const SfTensor *results;
    const SfpyFeeds *feeds;
    uint64_t run_id;
    int at; /* next node of the tree */
} Build;

/* A fetched feed comes back as numpy reads it. */
static PyObject *fed_value(Build *b, int feed)
{
    return sfpy_np_asarray(b->st, b->feeds->values[feed],
                           sf_dtype_base(sfpy_tensor_dtype(b->feeds->targets[feed])));
}

static PyObject *tensor_value(Build *b, int i)
{
    SfpyPrepared *p = b->p;
    if (p->fed_by[i] >= 0) {
        return fed_value(b, p->fed_by[i]);
    }
    if (p->run_id == b->run_id && p->scalars[i]) {
        return Py_NewRef(p->scalars[i]);
    }
    PyObject *value = sfpy_np_result(b->st, &b->results[i], false);
    /* Another thread may have run the same structure meanwhile. */
    if (value && p->run_id == b->run_id && sf_shape_rank(b->results[i].shape) == 0) {
        Py_XSETREF(p->scalars[i], Py_NewRef(value)); /* numpy scalars and bytes are immutable */
    }
    return value;
}

static PyObject *build(Build *b);

static PyObject *build_list(Build *b, int n)
{
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        sfpy_list_put(&list, i, build(b));
    }
    return list;
}

static PyObject *build_dict(Build *b, const SfpyFetch *f)
{
    PyObject *keys = PyTuple_GET_ITEM(f->object, 1);
    PyObject *dict = PyObject_CallNoArgs(PyTuple_GET_ITEM(f->object, 0));
    for (int i = 0; dict && i < f->n; i++) {
        PyObject *item = build(b);
        if (!item || PyObject_SetItem(dict, PyList_GET_ITEM(keys, i), item) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(item);
    }
    return dict;
}

static PyObject *build(Build *b)
{
    const SfpyFetch f = b->p->tree[b->at++];
    PyObject *list, *r = NULL;
    switch (f.kind) {
    case SFPY_FETCH_TENSOR:
        return tensor_value(b, f.n);
    case SFPY_FETCH_OP:
        Py_RETURN_NONE;
    case SFPY_FETCH_LIST:
        return build_list(b, f.n);
    case SFPY_FETCH_DICT:
        return build_dict(b, &f);
    case SFPY_FETCH_TUPLE:
    case SFPY_FETCH_CLASS:
    case SFPY_FETCH_CUSTOM:
        break;
    }
    list = build_list(b, f.n);
    if (!list) {
        return NULL;
    }
    if (f.kind == SFPY_FETCH_CUSTOM) {
        r = PyObject_CallFunctionObjArgs(f.object, list, NULL);
    } else {
        PyObject *tuple = PyList_AsTuple(list);
        if (f.kind == SFPY_FETCH_TUPLE) {
            r = Py_XNewRef(tuple);
        } else if (tuple) {
            r = PyObject_CallObject(f.object, tuple);
        }
        Py_XDECREF(tuple);
    }
    Py_DECREF(list);
    return r;
}

PyObject *sfpy_fetch_build(SfpyState *st, SfpyPrepared *p, const SfTensor *results,
                           const SfpyFeeds *feeds, bool memo_hit, uint64_t run_id)
{
    if (!memo_hit || run_id != p->run_id) {
        for (int i = 0; i < p->nfetch; i++) {
            Py_CLEAR(p->scalars[i]);
        }
        p->run_id = run_id;
    }
    Build b = {.st = st, .p = p, .results = results, .feeds = feeds, .run_id = run_id};
    return build(&b);
}
