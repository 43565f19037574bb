/* The module shapeflow._core: state, types, tables. Multi-phase init; nothing is static but tables.
 * Invariant: after sfpy_exec every SfpyState field is set, or the import failed.
 * Owner: the interpreter owns the module, the module its state.
 * Source: PEP 489, PEP 630. */
#include "pymodule/ext/ext.h"

SfpyState *sfpy_state(PyObject *module)
{
    return PyModule_GetState(module);
}

SfpyState *sfpy_state_of(PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;
    if (!mro) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (!PyType_HasFeature(base, Py_TPFLAGS_HEAPTYPE)) {
            continue;
        }
        PyObject *module = ((PyHeapTypeObject *)base)->ht_module;
        if (module && PyModule_GetDef(module) == &sfpy_module) {
            return PyModule_GetState(module);
        }
    }
    return NULL;
}

int sfpy_call_special(PyObject *o, PyObject *name, PyObject *arg, PyObject **out)
{
    PyObject *method = PyObject_GetAttr((PyObject *)Py_TYPE(o), name);
    if (!method) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    *out = PyObject_CallFunctionObjArgs(method, o, arg, NULL);
    Py_DECREF(method);
    return !*out ? -1 : 1;
}

const char *sfpy_utf8(PyObject *text, const char *what)
{
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "%s must be str, not %.200s", what, Py_TYPE(text)->tp_name);
        return NULL;
    }
    return PyUnicode_AsUTF8(text);
}

/* version and flags */
static int set_version(SfpyState *st, const char *text)
{
    char *end = NULL;
    const long major = strtol(text, &end, 10);
    const char *point = end;
    const long minor = *point == '.' ? strtol(point + 1, &end, 10) : -1;
    if (point == text || end == point + 1 || major < 0 || minor < 0 || major > 99 || minor > 999) {
        PyErr_Format(PyExc_ValueError, "not a TensorFlow version: '%s'", text);
        return -1;
    }
    st->version = SF_VERSION((int)major, (int)minor);
    PyOS_snprintf(st->version_text, sizeof st->version_text, "%s", text);
    sfpy_forget_apis(st);
    return 0;
}

static PyObject *py_set_version(PyObject *module, PyObject *arg)
{
    SfpyState *st = sfpy_state(module);
    const char *text = sfpy_utf8(arg, "version");
    if (!text || set_version(st, text) < 0) {
        return NULL;
    }
    SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        return NULL;
    }
    for (int i = -1; i < cx->depth; i++) {
        SfpyGraph *graph = i < 0 ? cx->global : cx->stack[i];
        if (graph) {
            graph->b.version = st->version;
            sf_graph_set_version(graph->g, st->version);
        }
    }
    Py_RETURN_NONE;
}

static PyObject *py_get_version(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyUnicode_FromString(sfpy_state(module)->version_text);
}

static PyObject *py_compiler(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
#if defined(__clang__)
    return PyUnicode_FromString("clang " __clang_version__);
#elif defined(__GNUC__)
    return PyUnicode_FromString("gcc " __VERSION__);
#else
    return PyUnicode_FromString("unknown");
#endif
}

static PyObject *py_counters(PyObject *module, PyObject *Py_UNUSED(unused))
{
    const SfpyState *st = sfpy_state(module);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K}", "ops", (unsigned long long)st->ops_made,
                         "unknown", (unsigned long long)st->ops_unknown, "runs",
                         (unsigned long long)st->runs, "hits", (unsigned long long)st->hits,
                         "steps", (unsigned long long)st->steps);
}

static PyObject *py_count_step(PyObject *module, PyObject *Py_UNUSED(unused))
{
    sfpy_state(module)->steps++;
    Py_RETURN_NONE;
}

static PyObject *py_set_sweep_after(PyObject *module, PyObject *count)
{
    const long long after = PyLong_AsLongLong(count);
    if (after == -1 && PyErr_Occurred()) {
        return NULL;
    }
    sfpy_state(module)->sweep_after = after;
    Py_RETURN_NONE;
}

static PyObject *py_set_v2_shapes(PyObject *module, PyObject *on)
{
    int truth = PyObject_IsTrue(on);
    if (truth < 0) {
        return NULL;
    }
    sfpy_state(module)->v2_shapes = truth != 0;
    Py_RETURN_NONE;
}

/* types */
static int add_type(PyObject *module, PyTypeObject **slot, PyType_Spec *spec, PyTypeObject *base,
                    bool public)
{
    PyObject *bases = !base ? NULL : PyTuple_Pack(1, base);
    if (base && !bases) {
        return -1;
    }
    *slot = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, bases);
    Py_XDECREF(bases);
    if (!*slot) {
        return -1;
    }
    /* Messages of the interpreter shall name it as they name TensorFlow's Python classes. */
    (*slot)->tp_name = strrchr(spec->name, '.') + 1;
    return public ? PyModule_AddType(module, *slot) : 0;
}

static int add_types(PyObject *m, SfpyState *st)
{
    const struct {
        PyTypeObject **slot;
        PyType_Spec *spec;
        bool public;
    } rows[] = {
        {&st->dtype_type, &sfpy_dtype_spec, true},
        {&st->dimension_type, &sfpy_dimension_spec, true},
        {&st->shape_type, &sfpy_shape_spec, true},
        {&st->tensor_type, &sfpy_tensor_spec, true},
        {&st->tensor_ref_type, &sfpy_tensor_ref_spec, false},
        {&st->tensor_iter_type, &sfpy_tensor_iter_spec, false},
        {&st->operation_type, &sfpy_operation_spec, true},
        {&st->graph_type, &sfpy_graph_spec, true},
        {&st->session_type, &sfpy_session_spec, true},
        {&st->variable_type, &sfpy_variable_spec, true},
        {&st->api_type, &sfpy_api_spec, true},
        {&st->rawop_type, &sfpy_rawop_spec, true},
        {&st->scope_type, &sfpy_scope_spec, false},
        {&st->context_type, &sfpy_context_spec, false},
        {&st->finding_type, &sfpy_finding_spec, true},
        {&st->loop_type, &sfpy_loop_spec, false},
    };
    for (int i = 0; i < SF_ARRAY_LEN(rows); i++) {
        if (add_type(m, rows[i].slot, rows[i].spec, NULL, rows[i].public) < 0) {
            return -1;
        }
    }
    /* numpy_array * tensor is the tensor's business. */
    PyObject *priority = PyLong_FromLong(100);
    const bool set =
        priority &&
        PyObject_SetAttrString((PyObject *)st->tensor_type, "__array_priority__", priority) == 0 &&
        PyObject_SetAttrString((PyObject *)st->variable_type, "__array_priority__", priority) == 0;
    Py_XDECREF(priority);
    return !set ? -1
                : add_type(m, &st->eager_tensor_type, &sfpy_eager_tensor_spec, st->tensor_type,
                           true);
}

static int init_objects(SfpyState *st)
{
#define X(name, text)                                                                              \
    if (!(st->str_##name = PyUnicode_InternFromString(text))) {                                    \
        return -1;                                                                                 \
    }
    SFPY_NAMES(X)
#undef X
#define X(name, begin)                                                                             \
    if (!(st->name = (begin))) {                                                                   \
        return -1;                                                                                 \
    }
    SFPY_OBJECTS(X)
#undef X
    return 0;
}

static int sfpy_exec(PyObject *m)
{
    SfpyState *st = sfpy_state(m);
    st->sweep_after = SF_SWEEP_AFTER;
    if (set_version(st, "2.15.0") < 0 || sfpy_locations_init(st) < 0 || add_types(m, st) < 0 ||
        init_objects(st) < 0 || sfpy_dtype_init(st, m) < 0) {
        return -1;
    }
    sfpy_interrupt_init();
    if (sf_apis_init() != SF_OK) {
        PyErr_NoMemory();
        return -1;
    }
    return PyModule_AddFunctions(m, sfpy_context_methods);
}

static int sfpy_traverse(PyObject *m, visitproc visit, void *arg)
{
    SfpyState *st = sfpy_state(m);
    if (!st) {
        return 0;
    }
#define X(name) Py_VISIT(st->name##_type);
    SFPY_TYPES(X)
#undef X
    Py_VISIT(st->numpy);
#define X(name, begin) Py_VISIT(st->name);
    SFPY_OBJECTS(X)
#undef X
    for (int i = 0; i < 2 * SF_DT_COUNT; i++) {
        Py_VISIT(st->dtypes[i]);
    }
    return sfpy_locations_traverse(st, visit, arg);
}

static int sfpy_clear(PyObject *m)
{
    SfpyState *st = sfpy_state(m);
    if (!st) {
        return 0;
    }
    st->context_thread = 0;
    st->context_cached = NULL;
    Py_CLEAR(st->numpy);
#define X(name, begin) Py_CLEAR(st->name);
    SFPY_OBJECTS(X)
#undef X
    for (int i = 0; i < 2 * SF_DT_COUNT; i++) {
        Py_CLEAR(st->dtypes[i]);
    }
#define X(name, text) Py_CLEAR(st->str_##name);
    SFPY_NAMES(X)
#undef X
#define X(name) Py_CLEAR(st->name##_type);
    SFPY_TYPES(X)
#undef X
    return 0;
}

static void sfpy_free(void *module)
{
    SfpyState *st = sfpy_state(module);
    if (!st) {
        return;
    }
    sfpy_clear(module);
    sf_trace_free(st->trace);
    st->trace = NULL;
    st->trace_log = NULL;
    sfpy_watch_tensors(st);
    sf_arena_free(&st->machines);
    sfpy_locations_free(st);
    sfpy_seen_free(st);
    sfpy_loops_free(st);
    sfpy_runs_free(st);
}

/* tables */
/* clang-format off */
static PyMethodDef methods[] = {
    {"as_dtype", sfpy_as_dtype, METH_O, "as_dtype(value): the DType that value names."},
    {"make_shape", sfpy_make_shape, METH_O, "make_shape(dims): the TensorShape, for pickle."},
    {"make_dimension", sfpy_make_dimension, METH_O,
        "make_dimension(value): the Dimension, for pickle."},
    {"api_function", (PyCFunction)(void (*)(void))sfpy_api_function, METH_FASTCALL,
        "api_function(dotted, version): the function, or None."},
    {"api_names", sfpy_api_names, METH_O, "api_names(version): all dotted names."},
    {"lend_method", sfpy_lend_method, METH_VARARGS,
     "lend_method(class, name, function): a method for a class that Python lets nobody change and "
     "that lacks it; None: it is taken away again."},
    {"raw_op", sfpy_raw_op, METH_O, "raw_op(name): the function of tf.raw_ops, or None."},
    {"raw_op_names", sfpy_raw_op_names, METH_NOARGS, "raw_op_names(): all raw ops."},
    {"op_info", sfpy_op_info, METH_O, "op_info(name): the signature of a raw op as a dict."},
    {"make_op", SFPY_KEYWORDS(sfpy_make_op),
        "make_op(op_type, inputs, attrs=None, name=None): one node."},
    {"set_source", sfpy_set_source, METH_VARARGS,
        "set_source(op, handler): handler(session, feed_dict) gives the outputs of each run."},
    {"mark_array", sfpy_mark_array, METH_VARARGS,
        "mark_array(tensor, part): what its op is of a TensorArray (SfArrayPart)."},
    {"locate_as", sfpy_locate_as, METH_VARARGS,
        "locate_as(op, tensor): `op` stands for a tensor of elsewhere: it was made there."},
    {"eager_tensor", SFPY_KEYWORDS(sfpy_eager_tensor),
        "eager_tensor(dtype, shape, value=None, bounds=None): what is known of a tensor."},
    {"eager_beside", sfpy_eager_beside, METH_VARARGS,
        "eager_beside(tensor, origin): the tensor, on the device of `origin`."},
    {"eager_like", sfpy_eager_like, METH_VARARGS,
        "eager_like(tensor, origin, writes=True): `tensor`, said to come from where `origin` "
        "does."},
    {"convert_to_tensor", SFPY_KEYWORDS(sfpy_convert_to_tensor),
        "convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None)"},
    {"constant_value", sfpy_constant_value, METH_O,
        "constant_value(tensor): the known content as an array, or None."},
    {"constant_value_as_shape", sfpy_constant_value_as_shape, METH_O,
        "constant_value_as_shape(tensor): the shape that the content means."},
    {"numeric", sfpy_numeric, METH_VARARGS,
        "numeric(graph, facts, trial=None): operations whose numbers may break, of a graph, or of "
        "eager code (None)."},
    {"intervals", sfpy_intervals, METH_VARARGS,
        "intervals(graph, facts): (node, output, lo, hi, flags) of each tensor."},
    {"start_numbers", sfpy_start_numbers, METH_O,
        "start_numbers(bounds): numeric() is asked later; bounds(array): (lo, hi, flags)."},
    {"trace_program", sfpy_trace_program, METH_NOARGS,
        "trace_program(): after start_numbers, eager code as (GraphDef, {name: [(dtype, shape)]}, "
        "[(name, dtype, shape, lo, hi)] of what comes from outside, [(variable, what it holds "
        "then, [(written, output)])]); None: there was none."},
    {"notes_numbers", sfpy_notes_numbers, METH_NOARGS, "Was start_numbers called?"},
    {"nan_content", sfpy_nan_content, METH_O,
        "nan_content(graph or None): [(node, location)] of data with NaN among them."},
    {"least_normal", sfpy_least_normal, METH_O,
        "least_normal(dtype): below it kernels may take a number for zero."},
    {"node_location", sfpy_node_location, METH_VARARGS,
        "node_location(graph, name): a number for where the node was made."},
    {"bounds_of", sfpy_bounds_of, METH_O,
        "bounds_of(tensor): (lo, hi, flags) of an eager one from outside, or None."},
    {"eager_variable", sfpy_eager_variable, METH_O,
        "eager_variable(content): as a new variable's, where start_numbers was called."},
    {"set_memory_hook", sfpy_set_memory_hook, METH_O,
        "set_memory_hook(hook): hook(session, fetches, feed_dict, elements) after each run that "
        "inferred, with what its sources gave; None: nobody asks."},
    {"set_run_hook", sfpy_set_run_hook, METH_O,
        "set_run_hook(hook): hook(session, fetches, feed_dict) after each run; None: none."},
    {"start_memory_log", sfpy_start_memory_log, METH_NOARGS,
        "start_memory_log(): from here on it is noted what holds each eager tensor, and how long."},
    {"stop_memory_log", sfpy_stop_memory_log, METH_NOARGS,
        "stop_memory_log(): nothing is noted any more."},
    {"memory_moment", sfpy_memory_moment, METH_NOARGS,
        "memory_moment(): the number of eager calls so far; -1: there is no log."},
    {"memory_place", sfpy_memory_place, METH_VARARGS,
        "memory_place(first, devices): the calls from moment `first` on ran on these devices."},
    {"memory_span", sfpy_memory_span, METH_VARARGS,
        "memory_span(first, recomputed): the calls from moment `first` on ran as a function, or "
        "run again in the backward pass."},
    {"memory_given", sfpy_memory_given, METH_O,
        "memory_given(tensor): a function gives it."},
    {"memory_state", sfpy_memory_state, METH_O,
        "memory_state(tensor): it is the content of a variable."},
    {"memory_of_log", sfpy_memory_of_log, METH_VARARGS,
        "memory_of_log(variables, slots, batch=-1, trial=()): what eager code held, beside so "
        "many bytes; None: nothing, or it does not go through with that batch."},
    {"memory_batch", sfpy_memory_batch, METH_NOARGS,
        "memory_batch(): axis 0 of most of what eager code got from outside; -1: there is none."},
    {"set_machine", sfpy_set_machine, METH_O,
        "set_machine(text): what sessions are placed on, \"cpu,gpu:2\"; None: any."},
    {"machine", sfpy_machine, METH_NOARGS,
        "machine(): (name, kind, a row of gpus() or None) of each device, or None."},
    {"gpus", sfpy_gpus, METH_NOARGS,
        "gpus(): the catalogue: (name, title, bytes, free bytes, bytes/s, FLOP/s, half FLOP/s, "
        "capability, SMs)."},
    {"cuda_gpus", sfpy_cuda_gpus, METH_O,
        "cuda_gpus(libraries): what the first CUDA runtime that opens says of this machine's GPUs; "
        "ValueError says why nothing. Makes a context: for a process of its own."},
    {"add_eager_device", sfpy_add_eager_device, METH_O,
        "add_eager_device(name): the number of a new device of eager tensors; (name,): of what a "
        "scope in the body of a function says."},
    {"set_eager_device", sfpy_set_eager_device, METH_O,
        "set_eager_device(number): of what this thread makes from now on; gives the one before. "
        "Negative: it is not there, and set_device_hook's function is called with the number."},
    {"places_tensors", sfpy_places_tensors, METH_NOARGS,
        "places_tensors(): was a device but the first one ever asked for?"},
    {"eager_here", sfpy_eager_here, METH_O,
        "eager_here(tensor): it, or one like it where this thread makes its tensors."},
    {"set_first_device", sfpy_set_first_device, METH_O,
        "set_first_device(name): of eager tensors that nobody places; None: by the machine."},
    {"set_device_hook", sfpy_set_device_hook, METH_O,
        "set_device_hook(f): f(number) raises where the device of that number is not there."},
    {"check_device_name", sfpy_check_device_name, METH_O,
        "check_device_name(text): raises ValueError as tf.device does."},
    {"graph_costs", sfpy_graph_costs, METH_VARARGS,
        "graph_costs(graph, assumed=-1): (FLOPs, bytes of the outputs) of each node, None where "
        "not known."},
    {"warn_unused", sfpy_warn_unused, METH_VARARGS,
        "warn_unused(graph, is_users): of nodes for whose frames is_users(op_type, frames) is "
        "true."},
    {"warn_untrained", sfpy_warn_untrained, METH_VARARGS,
        "warn_untrained(loss, x): when no gradient reaches x."},
    {"lint_loss", sfpy_lint_loss, METH_O,
        "lint_loss(loss): warns about what makes no sense in a loss."},
    {"gradients_connected", sfpy_gradients_connected, METH_VARARGS,
        "gradients_connected(ys, xs, stop): for each x None, True (a dense one), or of "
        "IndexedSlices the shape and the dtype of their indices."},
    {"note_reads", sfpy_note_reads, METH_O,
        "note_reads(into): variables that are read are put into the dict, by id; None: nowhere. "
        "What it was before."},
    {"tape_gradients", sfpy_tape_gradients, METH_VARARGS,
        "tape_gradients(ys, xs): the same of eager tensors; None when all are dense."},
    {"set_version", py_set_version, METH_O, "set_version(text): the emulated TensorFlow version."},
    {"get_version", py_get_version, METH_NOARGS, "get_version(): the emulated TensorFlow version."},
    {"compiler", py_compiler, METH_NOARGS, "compiler(): what compiled this extension."},
    {"counters", py_counters, METH_NOARGS,
        "counters(): ops that were made, those of unknown rank, session.runs, memo hits and eager "
     "training steps of this process."},
    {"count_step", py_count_step, METH_NOARGS, "count_step(): an eager training step was made."},
    {"set_sweep_after", py_set_sweep_after, METH_O,
        "set_sweep_after(count): forgets contents that no tensor holds when so many are new; tests "
        "make it 0."},
    {"set_v2_shapes", py_set_v2_shapes, METH_O,
        "set_v2_shapes(on): indexing a TensorShape gives ints."},
    {"init_scope", sfpy_init_scope, METH_NOARGS,
        "init_scope(): outside of every function being traced."},
    {"mute", sfpy_mute, METH_NOARGS, "mute(): errors raise, but leave no finding."},
    {"register_library_path", sfpy_register_library_path, METH_O,
        "register_library_path(prefix): files below it are not the user's."},
    {"register_error_classes", sfpy_register_error_classes, METH_O,
        "register_error_classes(classes): {'INVALID_ARGUMENT': cls, ...}."},
    {"import_graph_def", SFPY_KEYWORDS(sfpy_import_graph_def),
        "import_graph_def(data, graph, name='', input_map=None, keep_going=False, calls=False): "
        "the nodes of a serialised GraphDef."},
    {"model_parts", sfpy_model_parts, METH_VARARGS,
        "model_parts(data, kind): [(tags, version, graph at, size, meta graph at, size)]."},
    {"graph_def_bytes", sfpy_graph_def_bytes, METH_VARARGS,
        "graph_def_bytes(graph, add_shapes=False): as_graph_def, serialised."},
    {"text_to_wire", sfpy_text_to_wire, METH_VARARGS,
        "text_to_wire(data, kind): a .pbtxt as the bytes of its message; None: it is no text."},
    {"codes", sfpy_codes, METH_NOARGS,
        "codes(): [(code, name, severity, message)] of every diagnostic."},
    {"findings", sfpy_findings, METH_NOARGS, "findings(): since the last clear_findings()."},
    {"other_findings", sfpy_other_findings, METH_NOARGS,
        "other_findings(): errors that are not about shapes."},
    {"clear_findings", sfpy_clear_findings, METH_NOARGS, "clear_findings(): forgets both lists."},
    {"set_go_on_hook", sfpy_set_go_on_hook, METH_O,
        "set_go_on_hook(hook): called without arguments after an op's shape error; True: its "
        "outputs become unknown and nothing is raised."},
    {"set_finding_hook", sfpy_set_finding_hook, METH_O,
        "set_finding_hook(hook): called with each Finding, or None."},
    {"report", SFPY_KEYWORDS(sfpy_report),
        "report(code, message, frames=None, operands=(), axis=None): a finding made by Python "
        "code, about (name, tensor) each."},
    {"is_shape_finding", sfpy_is_shape_finding_py, METH_O,
        "is_shape_finding(code): does the code count in findings()?"},
    {"notice_unmodelled", sfpy_notice_unmodelled, METH_O,
        "notice_unmodelled(dotted): one note for each name."},
    {"is_unmodelled", sfpy_is_unmodelled, METH_VARARGS,
        "is_unmodelled(tensor, dtype=False): may TensorFlow know more of its shape, or another "
        "dtype?"},
    {"seen", (PyCFunction)(void (*)(void))sfpy_seen, METH_FASTCALL,
        "seen(place, value): value, of which shape and dtype are noted."},
    {"shapes_seen", sfpy_shapes_seen, METH_NOARGS,
        "shapes_seen(): {place: [(shape, dtype, 'tensor' or 'array')]}."},
    {"set_result_hook", sfpy_set_result_hook, METH_O,
        "set_result_hook(hook): hook(dims or None, dtype) makes results of unknown size, or None."},
    {"set_shape_hook", sfpy_set_shape_hook, METH_O,
        "set_shape_hook(hook): hook(shape) makes what a program sees of an eager shape that is not "
        "fully known."},
    {"set_seen_hook", sfpy_set_seen_hook, METH_O,
        "set_seen_hook(hook): hook(place, value) sees lists, tuples and objects; forgets what was "
        "seen."},
    {"shape_and_dtype", sfpy_shape_and_dtype, METH_O,
        "shape_and_dtype(value): (shape in symbols, dtype, 'tensor' or 'array'), or None."},
    {"loop", (PyCFunction)(void (*)(void))sfpy_loop, METH_FASTCALL,
        "loop(place, iterable): an iterator of it that is watched."},
    {"loop_enter", sfpy_loop_enter, METH_O, "loop_enter(place): a while loop begins."},
    {"loop_turn", sfpy_loop_turn, METH_O, "loop_turn(place): does the while loop go on?"},
    {"branch_test", (PyCFunction)(void (*)(void))sfpy_branch_test, METH_FASTCALL,
        "branch_test(branch, op, left, right): the truth of a comparison."},
    {"branch_truth", (PyCFunction)(void (*)(void))sfpy_branch_truth, METH_FASTCALL,
        "branch_truth(branch, value): the truth of a condition."},
    {"branches_open", sfpy_branches_open, METH_O,
        "branches_open(since): [(branch, the way it took, did its operands vary since)] of those "
        "that took one way only."},
    {"branch_of_tensor", sfpy_branch_of_tensor, METH_O,
        "branch_of_tensor(branch): was its newest condition a tensor?"},
    {"set_graph_loop_hook", sfpy_set_graph_loop_hook, METH_O,
        "set_graph_loop_hook(hook): hook(place, iterable) is called where a loop over a tensor, or "
        "a while loop with the iterable None, begins in the body of a tf.function; it gives None, "
        "or (an iterator or None, what is called at the head of each turn until it gives False)."},
    {"variations", sfpy_variations, METH_NOARGS, "variations(): what branches_open() takes."},
    {"watch_loops", sfpy_watch_loops, METH_VARARGS,
        "watch_loops(hook, seconds=0, need=0): hook(loop) is asked about steady loops of this "
        "thread; None: nobody is."},
    {"novelty", sfpy_novelty, METH_NOARGS, "novelty(): a count that grows with all that is new."},
    {"count_novelty", sfpy_count_novelty, METH_NOARGS, "count_novelty(): something is new."},
    {"store_locals", sfpy_store_locals, METH_O,
        "store_locals(frame): what was put into its f_locals becomes the frame's."},
    {"graph_rows", sfpy_graph_rows, METH_VARARGS,
        "graph_rows(graph, most): (number, size, rows) of a graph, or of the eager calls so far "
        "(None)."},
    {"node_key", sfpy_key_of, METH_O,
        "node_key(tensor or operation): (number of its graph, its own), or None."},
    {"record_runs", sfpy_record_runs, METH_O,
        "record_runs(most): notes the shapes of runs from now on, of so many that differ; 0: no "
        "more."},
    {"recorded_runs", sfpy_recorded_runs, METH_NOARGS,
        "recorded_runs(): (records, how often each ran, how many more there were)."},
    {"trace_scope", sfpy_trace_scope, METH_O,
        "trace_scope(scope): of the eager calls that are recorded from now on."},
    {"frames_of_locations", sfpy_frames_of_locations, METH_O,
        "frames_of_locations(locations): {location: frames}, innermost first."},
    {"here", sfpy_here, METH_NOARGS, "here(): a number for where the user's program is now."},
    {"set_located", sfpy_set_located, METH_O,
        "set_located(here): what is made from now on was made there; gives the one before."},
    {"enter_function", sfpy_enter_function, METH_O,
        "enter_function(name): the body of a tf.function runs; False inside of another one."},
    {"leave_function", sfpy_leave_function, METH_NOARGS,
        "leave_function(): the body that was entered has ended."},
    {"inside_function", sfpy_inside_function, METH_NOARGS,
        "inside_function(): is what runs now part of a tf.function?"},
    {"set_batch", sfpy_set_batch, METH_O,
        "set_batch(size): of what that function took from an iterator; 0: none."},
    {"user_frames", sfpy_user_frames, METH_NOARGS,
        "user_frames(): where the user's program is now."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, sfpy_exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};
/* clang-format on */

struct PyModuleDef sfpy_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_core",
    .m_doc = "The C half of shapeflow; pymodule/shapeflow/_core.pyi is its contract.",
    .m_size = sizeof(SfpyState),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = sfpy_traverse,
    .m_clear = sfpy_clear,
    .m_free = sfpy_free,
};

PyMODINIT_FUNC PyInit__core(void); /* Python.h declares none */
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&sfpy_module);
}
