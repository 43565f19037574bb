/* The context managers: name scopes, devices, control dependencies, default graphs, init_scope,
 * mute.
 * Invariant: leaving restores what entering saved, also when the body raised.
 * Owner: a scope keeps its graph alive; control nodes and names live in the graph.
 * Source: tensorflow/python/framework/ops.py. */
#include "pymodule/ext/ext.h"

typedef struct Scope {
    PyObject_HEAD SfpyState *st;
    SfpyScopeKind kind;
    SfpyGraph *graph;
    PyObject *payload;    /* name, device */
    const char *previous; /* name scope to restore */
    SfNode **control;
    int ncontrol, saved_count, saved_base;
    bool clears;             /* control_dependencies(None) */
    bool pushed;             /* init_scope */
    SfNode *colocated;       /* colocate_with; NULL: with nothing */
    const SfNode *step;      /* each_step; left: that around it */
    int32_t parallel;        /* the same */
    int32_t call;            /* recomputed; left: that around it */
    uint32_t saved_location; /* of the device around */
} Scope;

static PyObject *scope_new(SfpyState *st, SfpyScopeKind kind, PyObject *graph, PyObject *payload)
{
    Scope *s = PyObject_GC_New(Scope, st->scope_type);
    if (!s) {
        return NULL;
    }
    memset(&s->st, 0, sizeof *s - offsetof(Scope, st));
    s->st = st;
    s->kind = kind;
    s->graph = (SfpyGraph *)Py_XNewRef(graph);
    s->payload = Py_XNewRef(payload);
    PyObject_GC_Track(s);
    return (PyObject *)s;
}

static int scope_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Scope *)self)->graph);
    Py_VISIT(((Scope *)self)->payload);
    return 0;
}

static int scope_clear(PyObject *self)
{
    Py_CLEAR(((Scope *)self)->graph);
    Py_CLEAR(((Scope *)self)->payload);
    return 0;
}

static void scope_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    scope_clear(self);
    PyMem_Free(((Scope *)self)->control);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

/* names */
static PyObject *enter_name(Scope *s)
{
    SfGraph *g = s->graph->g;
    const char *name = NULL;
    if (s->payload != Py_None) {
        if (PyBytes_Check(s->payload)) {
            name = PyBytes_AS_STRING(s->payload);
        } else if (!(name = sfpy_utf8(s->payload, "a scope name"))) {
            return NULL;
        }
        if (name[0] != '\0' && !sf_name_is_valid(name, sf_graph_scope(g)[0] == '\0')) {
            return PyErr_Format(PyExc_ValueError, "'%s' is not a valid scope name", name);
        }
    }
    const char *full = sf_graph_enter_scope(g, name, &s->previous);
    return !full ? PyErr_NoMemory() : PyUnicode_FromString(full);
}

/* devices */
/* The device of the ops made next: all text entries merged, the innermost first. */
static int update_device(SfpyGraph *g)
{
    const char *device = "";
    g->has_device_functions = false;
    for (Py_ssize_t i = PyList_GET_SIZE(g->devices) - 1; i >= 0; i--) {
        PyObject *entry = PyList_GET_ITEM(g->devices, i);
        if (entry == Py_None) {
            break;
        }
        if (!PyUnicode_Check(entry)) {
            g->has_device_functions = true;
            continue;
        }
        const char *text = PyUnicode_AsUTF8(entry);
        device = !text ? NULL : sf_device_merge(sf_graph_arena(g->g), device, text);
        if (!device) {
            if (!PyErr_Occurred()) {
                PyErr_NoMemory();
            }
            return -1;
        }
    }
    g->b.device = device;
    /* What is colocated has the device of such an op, whatever stands inside: in TensorFlow 1 of
     * the outermost that has one, in TensorFlow 2 of the innermost. */
    const bool innermost = g->st->version >= SF_VERSION(2, 0);
    for (int i = g->colocation_base; i < g->ncolocation; i++) {
        const SfNodeContext *context = g->colocation[i]->context;
        if (*context->device != '\0') {
            g->b.device = context->device;
            g->b.device_location = context->device_location;
            g->has_device_functions = false;
            if (!innermost) {
                break;
            }
        }
    }
    return 0;
}

/* Text of a device argument: str, an object with to_string(), a callable or None as it is. */
static PyObject *device_payload(PyObject *device)
{
    if (device == Py_None || PyUnicode_Check(device)) {
        return Py_NewRef(device);
    }
    PyObject *to_string = PyObject_GetAttrString(device, "to_string");
    if (to_string) {
        PyObject *text = PyObject_CallNoArgs(to_string);
        Py_DECREF(to_string);
        return text;
    }
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return NULL;
    }
    PyErr_Clear();
    return Py_NewRef(device);
}

static int apply_functions(SfpyGraph *g, SfNode *node)
{
    SfArena *arena = sf_graph_arena(g->g);
    PyObject *op = sfpy_operation_wrap(g->st, g, node);
    PyObject *entries = !op ? NULL : PyList_GetSlice(g->devices, 0, PY_SSIZE_T_MAX);
    int r = !entries ? -1 : 0;
    const char *device = "";
    for (Py_ssize_t i = !entries ? -1 : PyList_GET_SIZE(entries) - 1; r == 0 && i >= 0; i--) {
        PyObject *entry = PyList_GET_ITEM(entries, i);
        if (entry == Py_None) {
            break;
        }
        const bool merges = PyUnicode_Check(entry);
        PyObject *raw = merges ? Py_NewRef(entry) : PyObject_CallFunctionObjArgs(entry, op, NULL);
        PyObject *text = !raw ? NULL : device_payload(raw);
        Py_XDECREF(raw);
        if (text && PyUnicode_Check(text)) {
            const char *utf8 = PyUnicode_AsUTF8(text);
            const char *d = !utf8    ? NULL
                            : merges ? sf_device_merge(arena, device, utf8)
                                     : sf_arena_strdup(arena, utf8); /* as the function says it */
            r = !d ? -1 : 0;
            device = !d ? device : d;
            r = r == 0 && sf_node_set_device(node, device) != SF_OK ? -1 : r;
        } else if (!text) {
            r = -1;
        }
        Py_XDECREF(text);
    }
    Py_XDECREF(entries);
    Py_XDECREF(op);
    return r;
}

int sfpy_apply_devices(SfpyGraph *g, int size)
{
    for (int i = size; g->has_device_functions && i < sf_graph_size(g->g); i++) {
        if (apply_functions(g, sf_graph_node(g->g, i)) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Makes room for `more` nodes in one of the stacks of a graph; 0 or -1. Calls under way may read
 * the old array: it stays, as all memory of the graph. */
static int reserve(SfpyGraph *g, SfNode ***nodes, int n, int *cap, int more)
{
    if (n + more <= *cap) {
        return 0;
    }
    const int wanted = (n + more) * 2;
    SfNode **grown = sf_arena_alloc(sf_graph_arena(g->g), sizeof *grown * (size_t)wanted);
    if (!grown) {
        PyErr_NoMemory();
        return -1;
    }
    if (n > 0) {
        memcpy(grown, *nodes, sizeof *grown * (size_t)n);
    }
    *nodes = grown;
    *cap = wanted;
    return 0;
}

/* control dependencies */
static int add_control(Scope *s, PyObject *input, int i)
{
    PyObject *element = sfpy_graph_element(s->graph, input, true, true);
    if (!element && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyObject *type, *value, *trace; /* IndexedSlices and such stand for their op */
        PyErr_Fetch(&type, &value, &trace);
        PyObject *op = PyObject_GetAttr(input, s->st->str_op);
        if (!op) {
            PyErr_Restore(type, value, trace);
            return -1;
        }
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        element = sfpy_graph_element(s->graph, op, true, true);
        Py_DECREF(op);
    }
    if (!element) {
        return -1;
    }
    s->control[i] = sfpy_is_tensor(element) ? ((SfpyTensor *)element)->t.node
                                            : ((SfpyOperation *)element)->node;
    Py_DECREF(element);
    return 0;
}

PyObject *sfpy_graph_control(PyObject *self, PyObject *inputs)
{
    SfpyGraph *g = (SfpyGraph *)self;
    Scope *s = (Scope *)scope_new(g->st, SFPY_SCOPE_CONTROL, self, NULL);
    if (!s || inputs == Py_None) {
        if (s) {
            s->clears = true;
        }
        return (PyObject *)s;
    }
    PyObject *list = PySequence_List(inputs);
    const Py_ssize_t n = !list ? -1 : PyList_GET_SIZE(list);
    s->control = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof *s->control);
    bool ok = s->control;
    if (n >= 0 && !ok) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        ok = add_control(s, PyList_GET_ITEM(list, i), (int)i) == 0;
    }
    s->ncontrol = (int)n;
    Py_XDECREF(list);
    if (!ok) {
        Py_DECREF(s);
        return NULL;
    }
    return (PyObject *)s;
}

/* colocation */
static void set_colocation(SfpyGraph *g)
{
    g->b.colocation = !g->colocation ? NULL : g->colocation + g->colocation_base;
    g->b.ncolocation = g->ncolocation - g->colocation_base;
}

/* The op of a tensor, an operation or a variable of this graph, of a resource variable its handle;
 * else nothing. Source: _op_to_colocate_with of framework/ops.py. */
static SfNode *node_of(SfpyGraph *g, PyObject *op)
{
    PyObject *handle = NULL, *element = NULL;
    SfNode *node = NULL;
    if (op != Py_None && !sfpy_is_tensor(op) && !Py_IS_TYPE(op, g->st->operation_type)) {
        handle = PyObject_GetAttrString(op, "handle");
        PyErr_Clear();
    }
    if (op != Py_None) {
        element = sfpy_graph_element(g, handle && sfpy_is_tensor(handle) ? handle : op, true, true);
    }
    Py_XDECREF(handle);
    if (element) {
        node = sfpy_is_tensor(element) ? ((SfpyTensor *)element)->t.node
                                       : ((SfpyOperation *)element)->node;
    }
    Py_XDECREF(element);
    PyErr_Clear();
    return node;
}

static int enter_device(Scope *s, PyObject *payload, uint32_t location)
{
    SfpyGraph *g = s->graph;
    s->saved_location = g->b.device_location;
    if (PyList_Append(g->devices, payload) < 0) {
        return -1;
    }
    g->b.device_location = location;
    return update_device(g);
}

static int exit_device(Scope *s)
{
    SfpyGraph *g = s->graph;
    const Py_ssize_t n = PyList_GET_SIZE(g->devices);
    if (n > 0 && PyList_SetSlice(g->devices, n - 1, n, NULL) < 0) {
        return -1;
    }
    g->b.device_location = s->saved_location;
    return update_device(g);
}

static int enter_colocation(Scope *s)
{
    SfpyGraph *g = s->graph;
    s->saved_count = g->ncolocation;
    s->saved_base = g->colocation_base;
    if (reserve(g, &g->colocation, g->ncolocation, &g->colocation_cap, 1) < 0) {
        return -1;
    }
    if (s->clears) {
        g->colocation_base = g->ncolocation;
    }
    if (s->colocated) {
        g->colocation[g->ncolocation++] = s->colocated;
    }
    set_colocation(g);
    return enter_device(s, Py_None, 0); /* stronger than the devices around */
}

static int exit_colocation(Scope *s)
{
    s->graph->ncolocation = s->saved_count;
    s->graph->colocation_base = s->saved_base;
    set_colocation(s->graph);
    return exit_device(s);
}

static void exchange_step(Scope *s)
{
    const SfNode *around = s->graph->b.sequence_step;
    const int32_t parallel = s->graph->b.parallel;
    s->graph->b.sequence_step = s->step;
    s->graph->b.parallel = s->parallel;
    s->step = around;
    s->parallel = parallel;
}

static void exchange_call(Scope *s)
{
    const int32_t around = s->graph->b.recomputed;
    s->graph->b.recomputed = s->call;
    s->call = around;
}

static void set_control(SfpyGraph *g)
{
    g->b.control = !g->control ? NULL : g->control + g->control_base;
    g->b.ncontrol = g->ncontrol - g->control_base;
}

static int enter_control(Scope *s)
{
    SfpyGraph *g = s->graph;
    s->saved_count = g->ncontrol;
    s->saved_base = g->control_base;
    if (reserve(g, &g->control, g->ncontrol, &g->control_cap, s->ncontrol) < 0) {
        return -1;
    }
    if (s->clears) {
        g->control_base = g->ncontrol;
    }
    for (int i = 0; i < s->ncontrol; i++) {
        bool seen = false;
        for (int k = g->control_base; k < g->ncontrol && !seen; k++) {
            seen = g->control[k] == s->control[i];
        }
        if (!seen) {
            g->control[g->ncontrol++] = s->control[i];
        }
    }
    set_control(g);
    return 0;
}

static void exit_control(Scope *s)
{
    s->graph->ncontrol = s->saved_count;
    s->graph->control_base = s->saved_base;
    set_control(s->graph);
}

/* init_scope */
/* Out of all functions being traced: into the graph around them, or into eager mode. */
static int enter_init(Scope *s)
{
    SfpyContext *cx = sfpy_context(s->st);
    if (!cx) {
        return -1;
    }
    int i = cx->depth - 1;
    while (i >= 0 && cx->stack[i] && cx->stack[i]->building_function) {
        i--;
    }
    SfpyGraph *target = i >= 0 ? cx->stack[i] : NULL;
    if (i < 0 && !s->st->eager) {
        if (!cx->global && !(cx->global = sfpy_graph_new(s->st))) {
            return -1;
        }
        target = cx->global;
    }
    Py_XSETREF(s->graph, (SfpyGraph *)Py_XNewRef((PyObject *)target));
    if (sfpy_context_push(cx, target) < 0) {
        return -1;
    }
    s->pushed = true;
    if (target) {
        s->clears = true;
        return enter_control(s);
    }
    return 0;
}

static int exit_pushed(Scope *s)
{
    SfpyContext *cx = sfpy_context(s->st);
    if (!cx) {
        return -1;
    }
    if (s->kind == SFPY_SCOPE_INIT && s->graph) {
        exit_control(s);
    }
    return sfpy_context_pop(cx, s->graph);
}

/* the protocol */
static PyObject *scope_enter(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Scope *s = (Scope *)self;
    SfpyContext *cx;
    switch (s->kind) {
    case SFPY_SCOPE_NAME:
        return enter_name(s);
    case SFPY_SCOPE_DEVICE:
        if (enter_device(s, s->payload, s->payload == Py_None ? 0 : sfpy_location(s->st)) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_COLOCATE:
        if (enter_colocation(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_EACH_STEP:
        exchange_step(s);
        break;
    case SFPY_SCOPE_RECOMPUTED:
        exchange_call(s);
        break;
    case SFPY_SCOPE_CONTROL:
        if (enter_control(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_DEFAULT:
        cx = sfpy_context(s->st);
        if (!cx || sfpy_context_push(cx, s->graph) < 0) {
            return NULL;
        }
        return Py_NewRef((PyObject *)s->graph);
    case SFPY_SCOPE_INIT:
        if (enter_init(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_MUTE:
        if (!(cx = sfpy_context(s->st))) {
            return NULL;
        }
        cx->mute++;
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *scope_exit(PyObject *self, PyObject *Py_UNUSED(args))
{
    Scope *s = (Scope *)self;
    SfpyContext *cx;
    switch (s->kind) {
    case SFPY_SCOPE_NAME:
        if (s->previous) {
            sf_graph_set_scope(s->graph->g, s->previous);
        }
        break;
    case SFPY_SCOPE_DEVICE:
        if (exit_device(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_COLOCATE:
        if (exit_colocation(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_EACH_STEP:
        exchange_step(s);
        break;
    case SFPY_SCOPE_RECOMPUTED:
        exchange_call(s);
        break;
    case SFPY_SCOPE_CONTROL:
        exit_control(s);
        break;
    case SFPY_SCOPE_DEFAULT:
    case SFPY_SCOPE_INIT:
        if (exit_pushed(s) < 0) {
            return NULL;
        }
        break;
    case SFPY_SCOPE_MUTE:
        if (!(cx = sfpy_context(s->st))) {
            return NULL;
        }
        cx->mute -= cx->mute > 0;
        break;
    }
    Py_RETURN_FALSE;
}

static PyMethodDef scope_methods[] = {
    {"__enter__", scope_enter, METH_NOARGS, NULL},
    {"__exit__", scope_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot scope_slots[] = {
    {Py_tp_doc, "A context manager of shapeflow."},
    {Py_tp_new, sfpy_no_new},
    {Py_tp_dealloc, scope_dealloc},
    {Py_tp_traverse, scope_traverse},
    {Py_tp_clear, scope_clear},
    {Py_tp_methods, scope_methods},
    {0, NULL},
};

PyType_Spec sfpy_scope_spec = {
    .name = "shapeflow._core.Scope",
    .basicsize = sizeof(Scope),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = scope_slots,
};

/* makers */
PyObject *sfpy_graph_name_scope(PyObject *self, PyObject *name)
{
    return scope_new(((SfpyGraph *)self)->st, SFPY_SCOPE_NAME, self, name);
}

PyObject *sfpy_graph_device(PyObject *self, PyObject *device)
{
    SfpyState *st = ((SfpyGraph *)self)->st;
    PyObject *payload = device_payload(device);
    if (payload && PyUnicode_Check(payload)) {
        const char *text = PyUnicode_AsUTF8(payload);
        if (!text || sfpy_device_check(st, text) < 0) {
            Py_CLEAR(payload);
        }
    }
    PyObject *s =
        !payload ? NULL : scope_new(((SfpyGraph *)self)->st, SFPY_SCOPE_DEVICE, self, payload);
    Py_XDECREF(payload);
    return s;
}

PyObject *sfpy_graph_colocate_with(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SfpyGraph *g = (SfpyGraph *)self;
    PyObject *op;
    int ignore_existing = 0;
    static char *names[] = {"op", "ignore_existing", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|p:colocate_with", names, &op,
                                     &ignore_existing)) {
        return NULL;
    }
    Scope *s = (Scope *)scope_new(g->st, SFPY_SCOPE_COLOCATE, self, NULL);
    if (s) {
        s->clears = ignore_existing != 0;
        s->colocated = node_of(g, op);
    }
    return (PyObject *)s;
}

PyObject *sfpy_graph_own_gradients(PyObject *self, PyObject *ops)
{
    SfpyGraph *graph = (SfpyGraph *)self;
    if (ops == Py_None) {
        graph->b.nown_gradients = -1;
        Py_RETURN_NONE;
    }
    PyObject *names = PySequence_List(ops);
    const Py_ssize_t n = !names ? 0 : PyList_GET_SIZE(names);
    const SfOpSig **sigs =
        !names ? NULL : sf_arena_alloc(sf_graph_arena(graph->g), sizeof *sigs * (size_t)(n + 1));
    int found = 0;
    for (Py_ssize_t i = 0; sigs && i < n; i++) {
        const char *name = sfpy_utf8(PyList_GET_ITEM(names, i), "an op");
        const SfOpSig *sig = !name ? NULL : sf_op_find(name);
        if (!name) {
            Py_DECREF(names);
            return NULL;
        }
        if (sig) {
            sigs[found++] = sig;
        }
    }
    Py_XDECREF(names);
    if (!sigs) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    graph->b.own_gradients = sigs;
    graph->b.nown_gradients = found;
    Py_RETURN_NONE;
}

PyObject *sfpy_graph_each_step(PyObject *self, PyObject *args)
{
    PyObject *op;
    int parallel;
    if (!PyArg_ParseTuple(args, "Oi:_sf_each_step", &op, &parallel)) {
        return NULL;
    }
    Scope *s = (Scope *)scope_new(((SfpyGraph *)self)->st, SFPY_SCOPE_EACH_STEP, self, NULL);
    if (s) {
        s->step = node_of((SfpyGraph *)self, op);
        s->parallel = parallel;
    }
    return (PyObject *)s;
}

PyObject *sfpy_graph_recomputed(PyObject *self, PyObject *Py_UNUSED(unused))
{
    SfpyGraph *g = (SfpyGraph *)self;
    Scope *s = (Scope *)scope_new(g->st, SFPY_SCOPE_RECOMPUTED, self, NULL);
    if (s) {
        s->call =
            sf_graph_size(g->b.graph) + 1; /* no two calls that make nodes begin at one place */
    }
    return (PyObject *)s;
}

PyObject *sfpy_graph_as_default(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return scope_new(((SfpyGraph *)self)->st, SFPY_SCOPE_DEFAULT, self, NULL);
}

PyObject *sfpy_mute(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return scope_new(sfpy_state(module), SFPY_SCOPE_MUTE, NULL, NULL);
}

PyObject *sfpy_init_scope(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return scope_new(sfpy_state(module), SFPY_SCOPE_INIT, NULL, NULL);
}
