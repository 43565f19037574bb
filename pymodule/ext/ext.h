/* What the files of the extension share: the module state, the object layouts, and one block of
 * declarations for each file.
 * Invariant: every heap type keeps its module alive, so an object may keep a plain SfpyState *.
 * Owner: the module owns the state; a graph object owns its SfGraph and the objects of its nodes.
 * Source: PEP 630, Modules/_queuemodule.c. */
#ifndef SFPY_EXT_H
#define SFPY_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "apis/api.h"
#include "core/analysis/memory.h"
#include "core/session/session.h"
#include "core/graph/trace.h"

#if PY_VERSION_HEX < 0x03090000
#error "shapeflow needs Python 3.9 or newer"
#endif

#if PY_VERSION_HEX < 0x030a0000
static inline PyObject *Py_NewRef(PyObject *o)
{
    Py_INCREF(o);
    return o;
}
static inline PyObject *Py_XNewRef(PyObject *o)
{
    Py_XINCREF(o);
    return o;
}
#endif

typedef struct SfpyState SfpyState;
typedef struct SfpyGraph SfpyGraph;
typedef struct SfpyContext SfpyContext;
typedef struct SfpyWorkspace SfpyWorkspace;
typedef struct SfpyLocations SfpyLocations;
typedef struct SfpySeen SfpySeen;
typedef struct SfpyRuns SfpyRuns;
typedef struct SfpyLoops SfpyLoops;

/* the module state */
/* clang-format off */
#define SFPY_TYPES(X)                                                                              \
    X(dtype) X(dimension) X(shape) X(tensor) X(eager_tensor) X(tensor_ref) X(tensor_iter)          \
    X(operation) X(graph) X(session) X(variable) X(api) X(rawop) X(scope) X(context) X(finding) \
    X(loop)

/* Objects that live as long as the module, and how each begins. */
#define SFPY_OBJECTS(X)                                                                            \
    X(error_classes, PyDict_New()) X(findings, PyList_New(0)) X(other_findings, PyList_New(0))     \
    X(finding_keys, PySet_New(NULL))                                                               \
    X(finding_hook, Py_NewRef(Py_None)) X(go_on_hook, Py_NewRef(Py_None)) \
    X(content_hook, Py_NewRef(Py_None)) \
    X(seen_hook, Py_NewRef(Py_None)) X(memory_hook, Py_NewRef(Py_None))                            \
    X(run_hook, Py_NewRef(Py_None))                                                                \
    X(result_hook, Py_NewRef(Py_None)) X(shape_hook, Py_NewRef(Py_None))                           \
    X(device_hook, Py_NewRef(Py_None)) X(graph_loop_hook, Py_NewRef(Py_None))                      \
    X(reads, Py_NewRef(Py_None))                                                                   \
    X(device_names, Py_BuildValue("[O]", Py_None))                                                 \
    X(notices, PySet_New(NULL)) X(trace_scopes, PyDict_New())                                      \
    X(graph_class, Py_NewRef((PyObject *)st->graph_type)) X(api_cache, PyDict_New())               \
    X(apis_found_v1, PyDict_New()) X(apis_found_v2, PyDict_New()) X(rawop_cache, PyDict_New())     \
    X(tuple_cache, PyDict_New()) X(empty_tuple, PyTuple_New(0))                                    \
    X(empty_string, PyUnicode_FromString("")) X(zero_name, PyUnicode_FromString(":0"))             \
    X(scalar_shape, sfpy_shape(st, sf_shape_scalar()))

/* Interned names: attribute names and keywords that are looked up often. */
#define SFPY_NAMES(X)                                                                              \
    X(graph, "graph") X(run, "run") X(capture, "capture") X(building_function, "building_function")\
    X(sf_tensor, "__sf_tensor__") X(tf_tensor, "__tf_tensor__")                                    \
    X(sf_fetch, "_sf_fetch") X(sf_feed, "_sf_feed")                                                \
    X(sf_dispatch, "__sf_dispatch__")                                                              \
    X(sf_source, "_sf_source") X(undo, "undo") X(sf_branch, "_sf_branch") X(array, \
        "__array__") X(as_graph_element, "_as_graph_element") \
    X(op, "op") X(name, "name") X(indices, "indices") X(fields, "_fields") X(dtype, "dtype")       \
    X(shape, "shape") X(attrs_attrs, "__attrs_attrs__")
/* clang-format on */

#define SFPY_OPERATORS 20
typedef struct SfpyOperator { /* tensor_ops.c; all NULL until first used */
    const SfApiSig *forward, *reflected;
    const SfOpSig *plain, *old_plain; /* for two tensors; before 1.15 */
} SfpyOperator;

/* The session.run that is under way, for its findings; number 0: none. */
typedef struct SfpyRunning {
    uint64_t number; /* how often these fetches were run with these feeds, this time included */
    int nfeeds;
    const SfFeed *feeds;
    const SfShape *const *before; /* shapes of the feeds of the last run that went well, or NULL */
} SfpyRunning;

struct SfpyState {
#define X(name) PyTypeObject *name##_type;
    SFPY_TYPES(X)
#undef X
    PyObject *numpy; /* the module, when it was needed */
#define X(name, begin) PyObject *name;
    SFPY_OBJECTS(X)
#undef X
#define X(name, text) PyObject *str_##name;
    SFPY_NAMES(X)
#undef X
    SfpyOperator operators[SFPY_OPERATORS];
    PyObject *dtypes[2 * SF_DT_COUNT]; /* by number; the reference types follow */

    SfTrace *trace;           /* of eager calls, while a go-on hook is set */
    SfTraceLog *trace_log;    /* who holds them: `shapeflow memory`; NULL mostly */
    bool notes_numbers;       /* the trace has values: `shapeflow numeric` */
    bool places_tensors;      /* some eager tensor is not on the first device */
    bool watches_tensors;     /* either of both: what is made is looked at */
    SfpyLocations *locations; /* where ops were made */
    SfpySeen *seen;           /* what expressions were, for an editor; NULL: nobody asks */
    SfpyLoops *loops;         /* of the user's sources; NULL: nobody watches them */
    SfpyRuns *run_records;    /* shapes of runs, for a picture; NULL: nobody asks */
    const SfMachine *machine; /* that sessions are placed on; NULL: any */
    SfArena machines;
    int version; /* SF_VERSION(1, 15) */
    char version_text[32];
    bool eager; /* set_eager: the mode outside of every graph */
    bool v2_shapes;
    uint64_t ops_made, ops_unknown; /* ops that were made; those of them of unknown rank */
    uint64_t runs, hits, steps; /* session.runs, those answered by the memo, eager training steps */
    int open_calls;             /* of all threads: brackets that have not ended */
    int64_t sweep_after;        /* new transient values */
    bool numpy_ready;           /* the C API of numpy is loaded */
    uint64_t context_thread;    /* whose context `context_cached` is; 0: nobody's */
    SfpyContext *context_cached;
};

extern struct PyModuleDef sfpy_module;
/* The state behind `type` or one of its bases; NULL, without an exception, for a foreign type. */
SfpyState *sfpy_state_of(PyTypeObject *type);
SfpyState *sfpy_state(PyObject *module);

/* object layouts */
typedef struct SfpyDtype {
    PyObject_HEAD SfDtype dtype;
} SfpyDtype;

typedef struct SfpyDimension {
    PyObject_HEAD SfDim dim;
} SfpyDimension;

typedef struct SfpyShape {
    PyObject_HEAD SfpyState *st;
    const SfShape *shape;
    PyObject *weak;
} SfpyShape;

typedef struct SfpyTensor {
    PyObject_HEAD SfpyState *st;
    SfTensor t;       /* in graph mode only node and index are current: sfpy_tensor_read */
    SfpyGraph *graph; /* NULL: eager */
    PyObject *shape;  /* the TensorShape last handed out; programs compare them by identity */
    PyObject *dict, *weak;
} SfpyTensor;

typedef struct SfpyEagerTensor { /* graph tensors are many, and have no need of it */
    SfpyTensor tensor;
    int device; /* its number, see eager_device.c */
} SfpyEagerTensor;

typedef struct SfpyOperation {
    PyObject_HEAD SfpyState *st;
    SfpyGraph *graph; /* NULL: made by make_op in eager mode */
    SfNode *node;
    const SfOpSig *sig;
    PyObject *outputs; /* eager only */
    PyObject *dict, *weak;
} SfpyOperation;

/* SfNode.user: the Python objects of a node that are alive, so that there is one of each. Not
 * owned: an object empties its slot when it goes. SfpyGraph.kept owns those with attributes of
 * their own. */
typedef struct SfpySlots {
    PyObject *op;
    PyObject *outputs[];
} SfpySlots;

struct SfpyGraph {
    PyObject_HEAD SfpyState *st;
    SfGraph *g;
    SfBuilder b;
    PyObject *collections, *seed, *dict, *weak;
    SfNode **control; /* flat stack of the control nodes of all frames; in the graph's arena */
    int ncontrol, control_cap, control_base;
    SfNode **colocation; /* flat stack of the nodes of colocate_with; in the graph's arena */
    int ncolocation, colocation_cap, colocation_base;
    PyObject *devices; /* list: str, callable or None (which hides what lies below it) */
    PyObject **kept;   /* objects of its nodes that must not go: the user hung attributes on them */
    int nkept, kept_cap;
    bool has_device_functions;
    bool building_function;
};

typedef struct SfpyVariable {
    PyObject_HEAD PyObject *tensor; /* `_tensor` */
    PyObject *dict, *weak;
} SfpyVariable;

typedef enum SfpyScopeKind {
    SFPY_SCOPE_NAME,
    SFPY_SCOPE_DEVICE,
    SFPY_SCOPE_COLOCATE,
    SFPY_SCOPE_CONTROL,
    SFPY_SCOPE_EACH_STEP,
    SFPY_SCOPE_RECOMPUTED,
    SFPY_SCOPE_DEFAULT,
    SFPY_SCOPE_INIT,
    SFPY_SCOPE_MUTE
} SfpyScopeKind;

/* workspace.c: what one call into core has for itself. A call may run code of the script (a
 * conversion, a hook), which may call TensorFlow again, in this thread or in another one. */
struct SfpyWorkspace {
    SfpyState *st;
    SfpyContext *owner;  /* of the thread; keeps it when no call uses it */
    SfpyWorkspace *next; /* unused as well */
    SfArena arena;       /* what lives as long as the call */
    SfArena scratch;     /* what lives as long as the inference of one op */
    SfSink sink;
    SfpyRunning running;
};

SfpyWorkspace *sfpy_workspace_acquire(SfpyState *st); /* NULL: exception */
SfpyWorkspace *sfpy_workspace_of(SfpyContext *cx);    /* the same, of the running thread's `cx` */
/* Drains what is left in the sink; an exception that is set stays. */
void sfpy_workspace_release(SfpyWorkspace *ws);
void sfpy_workspaces_free(SfpyContext *cx);

/* interrupt.c */
void sfpy_interrupt_init(void); /* Ctrl-C ends long work of the core */

/* errors.c */
/* Raises what `status` says (the newest record of the sink) and drains the sink; for SF_OK too:
 * warnings and deferred findings. 0, or -1 with an exception. */
int sfpy_check(SfpyWorkspace *ws, SfStatus status, PyObject *operation);
int sfpy_raise_class(SfpyState *st, SfErrorClass class_, SfPhase phase, PyObject *operation,
                     const char *message);
PyObject *sfpy_register_error_classes(PyObject *module, PyObject *classes);
/* ValueError & co. that TensorFlow raises by a registered class ("OPERATOR_NOT_ALLOWED"). */
int sfpy_raise_registered(SfpyState *st, const char *name, PyObject *fallback, const char *message);

/* srcloc.c */
/* The location of the running user code: an interned chain of (code, instruction). 0: none. */
uint32_t sfpy_location(SfpyState *st);
/* The location of what is made now: that, or the one that Python code has set. */
uint32_t sfpy_location_to_record(SfpyState *st);
/* The chain as a list of (file, line, col, end_line, end_col, function), innermost first. */
PyObject *sfpy_location_frames(SfpyState *st, uint32_t location);
int sfpy_locations_init(SfpyState *st);
void sfpy_locations_free(SfpyState *st);
int sfpy_locations_traverse(SfpyState *st, visitproc visit, void *arg);
PyObject *sfpy_register_library_path(PyObject *module, PyObject *prefix);
PyObject *sfpy_user_frames(PyObject *module, PyObject *unused);
PyObject *sfpy_here(PyObject *module, PyObject *unused);
PyObject *sfpy_set_located(PyObject *module, PyObject *location);
PyObject *sfpy_enter_function(PyObject *module, PyObject *name);
PyObject *sfpy_leave_function(PyObject *module, PyObject *unused);
PyObject *sfpy_inside_function(PyObject *module, PyObject *unused);
PyObject *sfpy_set_batch(PyObject *module, PyObject *size);

/* finding.c */
bool sfpy_is_shape_finding(SfDiagCode code);
PyObject *sfpy_symbolic_text(const SfShape *s); /* `[batch, 784]`; None for NULL */
/* The content of a small vector or scalar of integers ("[batch, 28, 28, 1]"), None for any
 * other. */
PyObject *sfpy_value_text(const SfValue *v);
/* origin.c: the producer of an operand, in eager mode as it was recorded; NULL: unknown. */
const SfNode *sfpy_operand_producer(const SfpyState *st, const SfDiagOperand *o, int *output);
/* For each place that is to blame the way of its dims; false with an exception. */
bool sfpy_add_origins(SfpyState *st, PyObject *list, const SfDiag *d);
bool sfpy_add_nearby(SfpyState *st, PyObject *list, const SfDiag *d, PyObject *frames);
/* Makes Findings of all records in the sink and clears it; the hook sees each. 0 or -1. */
int sfpy_drain(SfpyWorkspace *ws);
PyObject *sfpy_findings(PyObject *module, PyObject *unused);
PyObject *sfpy_other_findings(PyObject *module, PyObject *unused);
PyObject *sfpy_clear_findings(PyObject *module, PyObject *unused);
PyObject *sfpy_set_go_on_hook(PyObject *module, PyObject *hook);
/* an empty sink that asks the hook whether to go on after an error */
void sfpy_sink_open(SfpyWorkspace *ws);
PyObject *sfpy_set_finding_hook(PyObject *module, PyObject *hook);
PyObject *sfpy_report(PyObject *module, PyObject *args, PyObject *kwargs);
/* The program branches on content that is not known: SF902, once a place. 0 or -1. */
int sfpy_notice_assumed(SfpyState *st, int truth);
PyObject *sfpy_notice_unmodelled(PyObject *module, PyObject *dotted);
PyObject *sfpy_is_unmodelled(PyObject *module, PyObject *args);
PyObject *sfpy_codes(PyObject *module, PyObject *unused);
PyObject *sfpy_is_shape_finding_py(PyObject *module, PyObject *code);

/* seen.c */
PyObject *sfpy_seen(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *sfpy_shape_and_dtype(PyObject *module, PyObject *value);
PyObject *sfpy_shapes_seen(PyObject *module, PyObject *unused);
PyObject *sfpy_set_seen_hook(PyObject *module, PyObject *hook); /* forgets what was seen */
void sfpy_seen_free(SfpyState *st);

/* loops.c */
PyObject *sfpy_loop(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *sfpy_loop_enter(PyObject *module, PyObject *place);
PyObject *sfpy_loop_turn(PyObject *module, PyObject *place);
PyObject *sfpy_branch_test(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *sfpy_branch_truth(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *sfpy_branches_open(PyObject *module, PyObject *since);
PyObject *sfpy_branch_of_tensor(PyObject *module, PyObject *branch);
PyObject *sfpy_set_graph_loop_hook(PyObject *module, PyObject *hook);
PyObject *sfpy_variations(PyObject *module, PyObject *unused);
PyObject *sfpy_watch_loops(PyObject *module, PyObject *args);
PyObject *sfpy_novelty(PyObject *module, PyObject *unused);
PyObject *sfpy_count_novelty(PyObject *module, PyObject *unused);
PyObject *sfpy_store_locals(PyObject *module, PyObject *frame);
void sfpy_loops_free(SfpyState *st);
extern PyType_Spec sfpy_loop_spec;

/* picture.c */
/* Which node of all graphs that there were: (number of its graph, id), or None. */
PyObject *sfpy_node_key(const SfNode *n);
/* The calls of an import as [(key of the caller, function, rows, results, names of
 * its arguments)]; each body once. */
struct SfImport;
PyObject *sfpy_import_calls(const struct SfImport *im, int most);
PyObject *sfpy_graph_rows(PyObject *module, PyObject *args);
/* (n, 10); `texts` is a dict that keeps what was written: shapes are interned. */
PyObject *sfpy_shape_text_of(PyObject *texts, const SfShape *s);
/* picture_attrs.c: ((name, text), ...); nodes share attrs, which `texts` keeps too. */
PyObject *sfpy_attr_texts(PyObject *texts, const SfNode *n, SfArena *scratch);
PyObject *sfpy_key_of(PyObject *module, PyObject *o);
PyObject *sfpy_trace_scope(PyObject *module, PyObject *scope);
PyObject *sfpy_frames_of_locations(PyObject *module, PyObject *locations);
/* picture_runs.c: the shapes of runs; nothing is noted until record_runs() was called. */
PyObject *sfpy_record_runs(PyObject *module, PyObject *most);
PyObject *sfpy_recorded_runs(PyObject *module, PyObject *unused);
void sfpy_runs_free(SfpyState *st);

/* The one argument of a method, by position or by `name`: borrowed; NULL with a TypeError. */
PyObject *sfpy_only_argument(const char *name, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames);

/* A method of one argument that may be given by its name, for PyMethodDef. A declaration at its end
 * takes the semicolon. */
#define SFPY_BY_NAME(method, name)                                                                 \
    static PyObject *method##_by_name(PyObject *self, PyObject *const *args, Py_ssize_t nargs,     \
                                      PyObject *kwnames)                                           \
    {                                                                                              \
        PyObject *only = sfpy_only_argument(name, args, nargs, kwnames);                           \
        return !only ? NULL : method(self, only);                                                  \
    }                                                                                              \
    static PyObject *method##_by_name(PyObject *, PyObject *const *, Py_ssize_t, PyObject *)
#define SFPY_METHOD_BY_NAME(method)                                                                \
    (PyCFunction)(void (*)(void)) method##_by_name, METH_FASTCALL | METH_KEYWORDS

/* What a method's documentation begins with for inspect.signature: TensorFlow's parameters. */
#define SFPY_TAKES(name, parameters) name "($self" parameters ")\n--\n\n"

/* objects.c */
/* Appends a new reference that may be NULL; false with an exception. */
bool sfpy_append_new(PyObject *list, PyObject *item);
/* Take over `item`, and clear the container when it is NULL or does not get in. */
void sfpy_list_add(PyObject **list, PyObject *item); /* at the end */
void sfpy_list_put(PyObject **list, Py_ssize_t i, PyObject *item);
void sfpy_tuple_put(PyObject **tuple, Py_ssize_t i, PyObject *item);
void sfpy_dict_put(PyObject **dict, PyObject *key, PyObject *value); /* takes over the key too */
PyObject *sfpy_text(const char *bytes, size_t n); /* of UTF-8, or nearly: names in graph files */
PyObject *sfpy_text_or_none(const char *s);
PyObject *sfpy_import_attr(const char *module, const char *name);
PyObject *sfpy_namespace(SfpyState *st, PyObject *fields); /* takes over the dict, may be NULL */
bool sfpy_hook_set(PyObject **hook, PyObject *to); /* None or what is callable; else TypeError */
/* Did it return True? What it raises is written to stderr. `second` and both may be NULL. */
bool sfpy_hook_call(PyObject *hook, PyObject *first, PyObject *second);
/* tp_new of types that only C makes; tp_dealloc of those that own nothing. */
PyObject *sfpy_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
void sfpy_plain_dealloc(PyObject *self);
/* The cast keeps -Wcast-function-type quiet: CPython calls such a function as its flags say. */
#define SFPY_KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

/* dtype.c */
PyObject *sfpy_dtype(SfpyState *st, SfDtype t); /* new reference to the singleton */
/* What TensorFlow's as_dtype takes. 1: *out is set; 0: not a dtype (no exception); -1. */
int sfpy_dtype_from(SfpyState *st, PyObject *value, SfDtype *out);
/* As above, but raises TypeError in TensorFlow's message. */
int sfpy_dtype_need(SfpyState *st, PyObject *value, SfDtype *out);
PyObject *sfpy_as_dtype(PyObject *module, PyObject *value);
/* What a pickled TensorShape, or Dimension, is made of again. */
PyObject *sfpy_make_shape(PyObject *module, PyObject *dims);
PyObject *sfpy_make_dimension(PyObject *module, PyObject *value);
int sfpy_dtype_init(SfpyState *st, PyObject *module);

/* dimension.c, shape.c */
PyObject *sfpy_dimension(SfpyState *st, SfDim d);
/* Dimension(value): None, int, Dimension... 0 or -1 with TensorFlow's exception. */
int sfpy_dim_from(SfpyState *st, PyObject *value, SfDim *out);
PyObject *sfpy_shape(SfpyState *st, const SfShape *s); /* NULL shape: MemoryError */
/* TensorShape(value). NULL with TensorFlow's exception. */
const SfShape *sfpy_shape_from(SfpyState *st, PyObject *value);
PyObject *sfpy_shape_text(SfpyState *st, const SfShape *s); /* str(TensorShape) */
PyObject *sfpy_dim_object(SfDim d);                         /* int or None */
PyObject *sfpy_shape_tuple(const SfShape *s);               /* tuple of int / None, or None */

/* tensor.c */
/* True for a Tensor proper, symbolic or eager, without a look at the state. */
bool sfpy_is_tensor(PyObject *o);
SfTensor sfpy_tensor_read(const SfpyTensor *t); /* with the current static shape */
/* The same for a look while `t` lives, or within a call: its content is not kept beyond that. */
SfTensor sfpy_tensor_peek(const SfpyTensor *t);
/* The one object of an output (graph mode), or a new eager tensor. */
PyObject *sfpy_tensor_wrap(SfpyState *st, SfpyGraph *graph, const SfTensor *t);
/* One dtype of the object itself, without a look at its shape. */
SfDtype sfpy_tensor_dtype(const SfpyTensor *t);
PyObject *sfpy_tensor_name(const SfpyTensor *t);
PyObject *sfpy_tensor_str(PyObject *self);
/* default_session().run(what), with TensorFlow's checks: Tensor.eval and Operation.run. */
PyObject *sfpy_run_default(SfpyState *st, PyObject *what, SfpyGraph *graph, PyObject *args,
                           PyObject *kwargs, bool eval);
extern PyType_Spec sfpy_tensor_spec;
void sfpy_tensor_dealloc(PyObject *self);
int sfpy_tensor_traverse(PyObject *self, visitproc visit, void *arg);
int sfpy_tensor_clear(PyObject *self);
/* tensor_eager.c */
extern PyType_Spec sfpy_eager_tensor_spec, sfpy_tensor_ref_spec, sfpy_tensor_iter_spec;
PyObject *sfpy_tensor_ref(PyObject *self, PyObject *unused);
PyObject *sfpy_tensor_iter(PyObject *self);
PyObject *sfpy_eager_repr(PyObject *self, bool repr);
int sfpy_eager_bool(PyObject *self);

/* tensor_ops.c, tensor_slice.c */
/* Of Tensor and Variable: X(name, OPERATOR, slot). */
/* clang-format off */
#define SFPY_BINARY(X)                                                                             \
    X(add, ADD, add) X(sub, SUB, subtract) X(mul, MUL, multiply) X(truediv, TRUEDIV, true_divide)  \
    X(floordiv, FLOORDIV, floor_divide) X(mod, MOD, remainder) X(matmul, MATMUL, matrix_multiply)  \
    X(and, AND, and) X(or, OR, or) X(xor, XOR, xor)
#define SFPY_UNARY(X) X(neg, NEG, negative) X(abs, ABS, absolute) X(invert, INVERT, invert)
/* clang-format on */
#define X(name, op, slot) PyObject *sfpy_op_##name(PyObject *a, PyObject *b);
SFPY_BINARY(X)
#undef X
#define X(name, op, slot) PyObject *sfpy_op_##name(PyObject *a);
SFPY_UNARY(X)
#undef X
PyObject *sfpy_op_pow(PyObject *a, PyObject *b, PyObject *modulo);
PyObject *sfpy_op_pos(PyObject *a);
PyObject *sfpy_op_compare(PyObject *a, PyObject *b, int op);
PyObject *sfpy_op_getitem(PyObject *a, PyObject *key);
/* The operators of a type, in its slots. */
#define SFPY_SLOT(name, op, slot) {Py_nb_##slot, sfpy_op_##name},
#define SFPY_OPERATOR_SLOTS                                                                        \
    SFPY_BINARY(SFPY_SLOT)                                                                         \
    SFPY_UNARY(SFPY_SLOT){Py_nb_power, sfpy_op_pow}, {Py_nb_positive, sfpy_op_pos},                \
        {Py_tp_richcompare, sfpy_op_compare},                                                      \
    {                                                                                              \
        Py_mp_subscript, sfpy_op_getitem                                                           \
    }
/* a[index] for iteration. */
PyObject *sfpy_op_index(PyObject *a, Py_ssize_t index);

/* operation.c */
PyObject *sfpy_operation_wrap(SfpyState *st, SfpyGraph *graph, SfNode *node); /* the one object */
PyObject *sfpy_operation_eager(SfpyState *st, const SfOpSig *sig, PyObject *outputs);
PyObject *sfpy_attr_object(SfpyState *st, const SfAttr *a);
extern PyType_Spec sfpy_operation_spec;

/* source.c */
PyObject *sfpy_set_source(PyObject *module, PyObject *args);
PyObject *sfpy_locate_as(PyObject *module, PyObject *args);
PyObject *sfpy_mark_array(PyObject *module, PyObject *args);
PyObject *sfpy_eager_tensor(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sfpy_eager_beside(PyObject *module, PyObject *args);
PyObject *sfpy_eager_like(PyObject *module, PyObject *args);

/* graph.c, graph_scope.c */
SfpyGraph *sfpy_graph_new(SfpyState *st); /* an instance of the registered class */
/* An element of `graph` from a Tensor, Operation, Variable or name, as Graph.as_graph_element. */
PyObject *sfpy_graph_element(SfpyGraph *graph, PyObject *obj, bool allow_tensor,
                             bool allow_operation);
SfpySlots *sfpy_slots(SfNode *node); /* NULL: no memory, with an exception */
/* Keeps an object of one of its nodes for as long as the graph lives; 0 or -1. */
int sfpy_graph_keep(SfpyGraph *graph, PyObject *o);
/* setattr and `__dict__` of an object of a node of `graph` (NULL: eager); `dict`: where it is. */
int sfpy_node_setattr(PyObject *self, SfpyGraph *graph, PyObject *const *dict, PyObject *name,
                      PyObject *value);
PyObject *sfpy_node_getdict(PyObject *self, SfpyGraph *graph, PyObject *const *dict, void *closure);
extern PyType_Spec sfpy_graph_spec, sfpy_scope_spec;
PyObject *sfpy_graph_name_scope(PyObject *self, PyObject *name);
PyObject *sfpy_graph_device(PyObject *self, PyObject *device);
PyObject *sfpy_graph_colocate_with(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sfpy_graph_own_gradients(PyObject *self, PyObject *ops);
PyObject *sfpy_graph_each_step(PyObject *self, PyObject *args);
PyObject *sfpy_graph_recomputed(PyObject *self, PyObject *unused);
PyObject *sfpy_graph_control(PyObject *self, PyObject *inputs);
PyObject *sfpy_graph_as_default(PyObject *self, PyObject *unused);
PyObject *sfpy_mute(PyObject *module, PyObject *unused);
PyObject *sfpy_init_scope(PyObject *module, PyObject *unused);
/* Runs the device functions of `graph` on the nodes made since it had `size` nodes. */
int sfpy_apply_devices(SfpyGraph *graph, int size);

/* memory.c */
/* Of a plan that has just run. */
/* Over time, in at most 600 columns: bytes, and {scope: bytes} */
PyObject *sfpy_memory_columns(const SfMemory *m);
PyObject *sfpy_memory_stack(const SfMemory *m);
typedef struct SfpyMemoryAsk {
    SfMemoryTrial trial; /* its rounding is 0: nothing is asked */
    bool by_node;        /* the shares of scopes are those of nodes, by their whole names */
} SfpyMemoryAsk;
PyObject *sfpy_memory_of(const SfPlan *plan, const SfpyMemoryAsk *ask);
/* (rounding, half, segments, no_slots, device, by_node), of which the last ones may be missing. -1:
 * not so. */
int sfpy_memory_ask(PyObject *how, SfpyMemoryAsk *out);
PyObject *sfpy_numeric(PyObject *module, PyObject *args); /* numeric.c */
PyObject *sfpy_intervals(PyObject *module, PyObject *args);
PyObject *sfpy_start_numbers(PyObject *module, PyObject *hook);
PyObject *sfpy_trace_program(PyObject *module, PyObject *unused); /* numeric_trace.c */
PyObject *sfpy_notes_numbers(PyObject *module, PyObject *unused);
PyObject *sfpy_eager_variable(PyObject *module, PyObject *content);
PyObject *sfpy_bounds_of(PyObject *module, PyObject *tensor);
PyObject *sfpy_nan_content(PyObject *module, PyObject *graph);
PyObject *sfpy_least_normal(PyObject *module, PyObject *dtype);
PyObject *sfpy_node_location(PyObject *module, PyObject *args);
int sfpy_bounds_read(PyObject *bounds, SfDtype t, SfInterval *out);
/* Between what the elements of an array lie that is too large to be kept: 1, 0 (nothing is known of
 * it, or nobody asks), -1. */
int sfpy_content_bounds(SfpyState *st, PyObject *array, SfDtype t, SfInterval *out);
PyObject *sfpy_set_memory_hook(PyObject *module, PyObject *hook);
PyObject *sfpy_set_run_hook(PyObject *module, PyObject *hook);
PyObject *sfpy_start_memory_log(PyObject *module, PyObject *unused);
PyObject *sfpy_stop_memory_log(PyObject *module, PyObject *unused);
PyObject *sfpy_memory_moment(PyObject *module, PyObject *unused);
PyObject *sfpy_memory_place(PyObject *module, PyObject *args);
PyObject *sfpy_memory_span(PyObject *module, PyObject *args);
PyObject *sfpy_memory_state(PyObject *module, PyObject *tensor);
PyObject *sfpy_memory_given(PyObject *module, PyObject *tensor);
PyObject *sfpy_memory_batch(PyObject *module, PyObject *unused);
PyObject *sfpy_memory_of_log(PyObject *module, PyObject *args);

/* eager_device.c */
#define SFPY_FIRST_CPU "/job:localhost/replica:0/task:0/device:CPU:0"
/* To be called when what eager tensors are looked at for has changed. */
void sfpy_watch_tensors(SfpyState *st);
/* Says where a tensor is that was just made; -1: there is no such device. */
int sfpy_tensor_place(SfpyState *st, SfpyEagerTensor *t);
PyObject *sfpy_eager_device(SfpyEagerTensor *t);
PyObject *sfpy_eager_on_cpu(SfpyEagerTensor *t);
PyObject *sfpy_add_eager_device(PyObject *module, PyObject *name);
PyObject *sfpy_set_eager_device(PyObject *module, PyObject *number);
PyObject *sfpy_places_tensors(PyObject *module, PyObject *unused);
PyObject *sfpy_eager_here(PyObject *module, PyObject *tensor);
PyObject *sfpy_set_first_device(PyObject *module, PyObject *name);
PyObject *sfpy_set_device_hook(PyObject *module, PyObject *hook);

/* device.c */
/* Raises ValueError for a text that `tf.device` refuses. */
int sfpy_device_check(SfpyState *st, const char *device);
PyObject *sfpy_check_device_name(PyObject *module, PyObject *device);
PyObject *sfpy_set_machine(PyObject *module, PyObject *text);
PyObject *sfpy_cuda_gpus(PyObject *module, PyObject *libraries);
PyObject *sfpy_machine(PyObject *module, PyObject *unused);
PyObject *sfpy_gpus(PyObject *module, PyObject *unused);

/* context.c */
struct SfpyContext { /* one for each thread */
    PyObject_HEAD SfpyState *st;
    SfpyGraph *global; /* default graph outside of every as_default() */
    SfpyGraph **stack; /* as_default(); NULL entries: eager stretches (init_scope) */
    int depth, cap;
    PyObject *sessions;
    int mute;              /* > 0: errors raise but leave no finding */
    PyObject *function;    /* name of the tf.function whose body runs; NULL: none */
    int function_depth;    /* of the stack when that began */
    int device;            /* of eager tensors, see eager_device.c */
    int device_outside;    /* of the function */
    int64_t batch;         /* size of the batch that it took from an iterator; 0: none */
    uint32_t located;      /* where what is made now is said to be made; 0: where it is */
    SfpyWorkspace *unused; /* workspaces of finished calls */
};

SfpyContext *sfpy_context(SfpyState *st); /* of this thread; NULL: exception */
bool sfpy_context_is_eager(const SfpyContext *cx);
/* Does the body of a tf.function run, or is a graph of it being built? Without a context: false. */
bool sfpy_is_in_function(SfpyState *st);
SfpyGraph *sfpy_context_graph(SfpyContext *cx); /* default graph, made when needed; borrowed */
int sfpy_context_push(SfpyContext *cx, SfpyGraph *graph); /* NULL: eager */
int sfpy_context_pop(SfpyContext *cx, SfpyGraph *graph);
/* Where ops made now go: borrowed, or NULL in eager mode. 0, or -1 (a finalized graph). */
int sfpy_context_target(SfpyContext *cx, SfpyGraph **graph);
extern PyType_Spec sfpy_context_spec;
extern PyMethodDef sfpy_context_methods[];

/* nparray.c, nparray_out.c: all use of numpy's C API */
typedef struct SfpyArray {
    SfDtype dtype;
    const SfShape *shape;
    const SfValue *value;
} SfpyArray;

int sfpy_np_load(SfpyState *st); /* imports numpy; 0 or -1 */
/* Is `o` an array or array scalar? Never imports numpy: who has one did. */
bool sfpy_np_is_array(SfpyState *st, PyObject *o);
bool sfpy_np_present(SfpyState *st);
/* Describes an array or array scalar; content up to `max_values` elements. 0 or -1. */
int sfpy_np_describe(SfpyState *st, PyObject *array, int64_t max_values, SfpyArray *out);
/* np.asarray(obj), described. `narrow`: float64 -> float32 and int64 -> int32, as TensorFlow reads
 * Python numbers. 1, 0 when numpy makes an object array or refuses, -1. */
int sfpy_np_coerce(SfpyState *st, PyObject *obj, bool narrow, SfpyArray *out);
/* np.asarray(value, dtype=want); integers that do not fit wrap around. */
PyObject *sfpy_np_asarray(SfpyState *st, PyObject *value, SfDtype want);
/* np.asarray(value, dtype=want), described: what a feed does. 0 or -1 with numpy's exception. */
int sfpy_np_feed(SfpyState *st, PyObject *value, SfDtype want, int64_t max_values, SfpyArray *out);
/* The same with content that is transient: of an eager tensor that is made next. */
int sfpy_np_element(SfpyState *st, PyObject *value, SfDtype want, int64_t max_values,
                    SfpyArray *out);
/* The array (rank 0: the scalar) that a tensor is to a program: known content exactly, else
 * plausible. `exact_only`: NULL without an exception when the content is not known. */
PyObject *sfpy_np_result(SfpyState *st, const SfTensor *t, bool as_array);
PyObject *sfpy_set_result_hook(PyObject *module, PyObject *hook); /* of results of unknown size */
PyObject *sfpy_set_shape_hook(PyObject *module,
                              PyObject *hook);               /* of eager tensors of such a size */
PyObject *sfpy_np_constant(SfpyState *st, const SfValue *v); /* exact value as an ndarray */
int sfpy_np_dtype_from(SfpyState *st, PyObject *o, SfDtype *out); /* 1, 0, -1 */
PyObject *sfpy_np_type(SfpyState *st, SfDtype t);                 /* np.float32... */
/* A 0-d object array around `o`: what numpy makes of objects that it cannot read. */
PyObject *sfpy_np_object(SfpyState *st, PyObject *o);
bool sfpy_np_is_bool_array(SfpyState *st, PyObject *o);

/* convert.c */
typedef struct SfpyCall SfpyCall;
/* What a conversion needs: where tensors go and where lists are kept. */
typedef struct SfpyConv {
    SfpyState *st;
    SfpyCall *call;
    SfArena *arena;
    SfpyGraph *graph;      /* borrowed from the bracket; NULL: eager */
    int64_t budget;        /* list items left before a list is handed to numpy */
    int depth;             /* of nested lists */
    const SfTensor *first; /* output of `graph` that was converted first, for messages; or NULL */
    bool finds_composites; /* does an object that handles calls itself end the conversion? */
    PyObject *composite;   /* that object, held by the call's arguments; or NULL */
} SfpyConv;

int sfpy_arg(SfpyConv *cv, PyObject *o, SfArg *out); /* 0 or -1 */
/* A Tensor or Variable as a tensor of `graph`: captures tensors of elsewhere. 0 or -1. */
int sfpy_tensor_in(SfpyConv *cv, SfpyTensor *t, SfTensor *out);
/* The Tensor behind a VariableBase, `__sf_tensor__` object or Tensor; NULL, with an exception only
 * on failure (check PyErr_Occurred). New reference. */
PyObject *sfpy_tensor_of(SfpyState *st, PyObject *o);
PyObject *sfpy_arg_object(SfpyState *st, const SfArg *a); /* a default as a Python object */
PyObject *sfpy_convert_to_tensor(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sfpy_constant_value(PyObject *module, PyObject *tensor);
PyObject *sfpy_constant_value_as_shape(PyObject *module, PyObject *tensor);

/* dispatch.c, signature.c, rawop.c */
/* The bracket around every call into apis: a workspace and the builder. */
struct SfpyCall {
    SfpyState *st;
    SfpyGraph *graph; /* a reference; NULL: eager */
    SfpyWorkspace *ws;
    uint32_t location;        /* of the line that calls; 0: nobody keeps it, or not asked yet */
    int size_before;          /* nodes of the graph, for device functions */
    bool chosen;              /* an operand has decided about the graph */
    bool in_core;             /* after sfpy_call_core in eager mode: what is made is transient */
    bool was_transient;       /* before it */
    const SfOpSig *op;        /* when the results are the outputs of one op */
    PyObject *held;           /* a list of objects that its arguments point into, or NULL */
    PyObject *const *objects; /* what c.args were made from; NULL entries, or NULL */
    SfpyConv conv;
    SfBuilder b; /* its own: others may use the graph before this call is done */
    SfCall c;
};

/* Forgets what eager calls made and nobody holds; nothing while a call is open. */
void sfpy_sweep(SfpyState *st);
int sfpy_call_begin(SfpyState *st, SfpyCall *call); /* 0 or -1 */
/* The call as apis takes it, with a builder for its graph as that is now: ask for it after the
 * last conversion. */
SfCall *sfpy_call_core(SfpyCall *call);
/* An op goes to the graph of its operands, not to the default graph: call it for each operand
 * before any is converted. 0 or -1. */
int sfpy_call_prefer(SfpyCall *call, PyObject *operand);
/* Raises what `status` says and places new nodes on their devices. 0 or -1. */
int sfpy_call_check(SfpyCall *call, SfStatus status);
PyObject *sfpy_call_results(SfpyCall *call); /* objects of c.results as c.form says */
/* Leaves the bracket: whatever is in its arena is gone. */
void sfpy_call_leave(SfpyCall *call);
/* For SF_UNMODELLED: the result that an unmodelled function would have. Does not leave. */
PyObject *sfpy_call_unmodelled(SfpyCall *call);
PyObject *sfpy_opaque(const char *name, PyObject *inputs);   /* of _unmodelled.py */
PyObject *sfpy_call_finish(SfpyCall *call, SfStatus status); /* check, results and leave */

PyObject *sfpy_api_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
/* The function of a dotted text in tf.compat.v1 or v2; None without one. */
PyObject *sfpy_find_api(SfpyState *st, PyObject *dotted, long version);
void sfpy_forget_apis(SfpyState *st); /* the version has changed */
PyObject *sfpy_api_names(PyObject *module, PyObject *version);
PyObject *sfpy_raw_op(PyObject *module, PyObject *name);
PyObject *sfpy_lend_method(PyObject *module, PyObject *args);
PyObject *sfpy_raw_op_names(PyObject *module, PyObject *unused);
PyObject *sfpy_op_info(PyObject *module, PyObject *name);
PyObject *sfpy_make_op(PyObject *module, PyObject *args, PyObject *kwargs);
/* A number of FLOPs or bytes; None: not known. */
PyObject *sfpy_amount(double value);
PyObject *sfpy_graph_costs(PyObject *module, PyObject *args);
PyObject *sfpy_warn_unused(PyObject *module, PyObject *args);
PyObject *sfpy_warn_untrained(PyObject *module, PyObject *args);
extern PyType_Spec sfpy_api_spec, sfpy_rawop_spec;
/* SfCall.describe: repr(argument) or the name of its type, for messages. */
const char *sfpy_describe(const SfCall *c, const SfArg *a, bool type);

/* The signature that the emulated TensorFlow has for a dotted name; None when no list says it. */
/* The file of TensorFlow's sources that has a public name, as the emulated version says. */
PyObject *sfpy_module_of_version(PyObject *dotted, int api);
PyObject *sfpy_signature_of_version(PyObject *dotted, int api);
PyObject *sfpy_signature_object(SfpyState *st, const SfApiSig *sig);      /* inspect.Signature */
PyObject *sfpy_raw_signature(SfpyState *st, const SfOpSig *sig);          /* of tf.raw_ops.X */
const char *sfpy_raw_parameter(const SfOpSig *sig, const char *declared); /* its public name */
PyObject *sfpy_op_tuple_type(SfpyState *st, const SfOpSig *sig); /* namedtuple of the outputs */

/* gradient.c */
PyObject *sfpy_gradients_connected(PyObject *module, PyObject *args);
PyObject *sfpy_tape_gradients(PyObject *module, PyObject *args);
PyObject *sfpy_note_reads(PyObject *module, PyObject *into);
PyObject *sfpy_lint_loss(PyObject *module, PyObject *loss);

/* model.c */
PyObject *sfpy_import_graph_def(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sfpy_graph_def_bytes(PyObject *module, PyObject *args);
PyObject *sfpy_text_to_wire(PyObject *module, PyObject *args);
PyObject *sfpy_model_parts(PyObject *module, PyObject *args);

/* others */
extern PyType_Spec sfpy_dtype_spec, sfpy_dimension_spec, sfpy_shape_spec, sfpy_session_spec;
extern PyType_Spec sfpy_variable_spec, sfpy_finding_spec;

/* o.name(arg) when the type of `o` has such a method, `__getattr__` of strange objects aside; `arg`
 * NULL: none. 1 and *out, 0 without such a method, -1. */
int sfpy_call_special(PyObject *o, PyObject *name, PyObject *arg, PyObject **out);
/* Python's text as UTF-8, or NULL with TypeError "... must be str". */
const char *sfpy_utf8(PyObject *text, const char *what);

#endif
