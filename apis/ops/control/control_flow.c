/* Control flow: the primitives of TensorFlow 1 loops and branches, the functional ops, and ops that
 * act by running (Assert, Print, PyFunc). Which branch runs, how often a loop turns, is the
 * session's to say (core/session/flow.c); here is what holds of every run.
 * Source: control_flow_ops.cc, functional_ops.cc, logging_ops.cc, script_ops.cc. */
#include "core/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/range.h"

/* forwarding */

/* Every output is input 0, with the state behind it. */
static SfStatus infer_forward(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_same(c, i, 0));
        sf_set_output_state(c, i, 0);
    }
    return SF_OK;
}

static void fold_forward(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        sf_fold_set_output_value(c, i, sf_input_value(c, 0));
    }
}

static const SfMessage switch_messages[] = {
    {.text = "The second input must be a scalar, but it has shape {shape 1}"}, {0}};

/* Switch: data on the side that pred chooses; the other side is dead. */
static SfStatus infer_switch(SfInfer *c)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    return infer_forward(c);
}

/* Enter, Merge */

/* Enter: a loop variable's shape may change from turn to turn, so nothing is said of it until
 * while_loop sets its shape invariant; a loop constant is what it was outside. */
static bool enters_variable(const SfInfer *c)
{
    return sf_phase(c) == SF_PHASE_BUILD && !sf_attr_bool(c, "is_constant");
}

static SfStatus frame_kernel(SfInfer *c)
{
    return sf_require(c, sf_attr_string(c, "frame_name")[0] != '\0', SF_ATTR("frame_name"),
                      "The Enter {{node {op}}} must have a frame name.");
}

static SfStatus infer_enter(SfInfer *c)
{
    SF_TRY(infer_forward(c));
    return enters_variable(c) ? sf_set_output_unknown(c, 0) : SF_OK;
}

static void fold_enter(SfInfer *c)
{
    if (!enters_variable(c)) {
        fold_forward(c);
    }
}

static bool merges_loop(const SfInfer *c)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfNode *n = sf_input_node(c, i);
        const SfOpRole role = n ? sf_node_role(n) : SF_ROLE_NONE;
        if (role == SF_ROLE_ENTER || role == SF_ROLE_NEXT_ITERATION) {
            return true;
        }
    }
    return false;
}

static bool merges_one_state(const SfInfer *c)
{
    for (int i = 1; i < sf_input_count(c); i++) {
        if (sf_input_state_node(c, i) != sf_input_state_node(c, 0)) {
            return false;
        }
    }
    return true;
}

/* Merge: whichever input comes. At the head of a loop a dim that is not known may be another one
 * in each turn, so it has no identity. */
static SfStatus infer_merge(SfInfer *c)
{
    const SfShape *all = sf_input(c, 0);
    for (int i = 1; i < sf_input_count(c); i++) {
        all = sf_shape_join(all, sf_input(c, i));
    }
    SF_TRY(sf_set_output_shape(c, 0, all && merges_loop(c) ? sf_shape_forget_symbols(all) : all));
    if (merges_one_state(c)) {
        sf_set_output_state(c, 0, 0);
    }
    return sf_set_output_scalar(c, 1);
}

/* TensorFlow folds nothing through a Merge; in eager mode there is no loop to go round. */
static void fold_merge(SfInfer *c)
{
    if (sf_phase(c) == SF_PHASE_BUILD) {
        return;
    }
    const SfValue *all = sf_input_value(c, 0);
    for (int i = 1; i < sf_input_count(c); i++) {
        all = sf_value_join(all, sf_input_value(c, i));
    }
    sf_set_output_value(c, 0, all);
}

static SfStatus infer_loop_cond(SfInfer *c)
{
    if (sf_phase(c) == SF_PHASE_EAGER) { /* the kernel forwards whatever it gets */
        return sf_set_output_same(c, 0, 0);
    }
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    return sf_set_output_scalar(c, 0);
}

/* functional */

/* The shapes that attr output_shapes declares; *given tells whether it does. */
static SfStatus declared_outputs(SfInfer *c, bool *given)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "output_shapes", &shapes);
    *given = n > 0;
    SF_TRY(sf_expect(c, n <= 0 || n == sf_output_count(c), SF_ATTR("output_shapes"),
                     "`output_shapes` must be the same length as num outputs ({0} vs. {1}",
                     SF_INT_ARG(n), SF_INT_ARG(sf_output_count(c))));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_set_output_shape(c, i, shapes[i]));
    }
    return SF_OK;
}

/* If, Case: as declared, else unknown. */
static SfStatus infer_if(SfInfer *c)
{
    bool given;
    return declared_outputs(c, &given);
}

static SfStatus forget_inputs(SfInfer *c, int first)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, sf_shape_forget_symbols(sf_input(c, first + i))));
        sf_set_output_state(c, i, first + i);
    }
    return SF_OK;
}

/* While: as declared, else a body is trusted to keep its variables' shapes. */
static SfStatus infer_while(SfInfer *c)
{
    bool given;
    SF_TRY(declared_outputs(c, &given));
    return given ? SF_OK : forget_inputs(c, 0);
}

/* SymbolicGradient: one for each argument of the function, of its shape. */
static SfStatus infer_symbolic_gradient(SfInfer *c)
{
    SF_TRY(sf_expect(c, sf_input_count(c) >= sf_output_count(c), SF_THE_OP,
                     "len(inputs) < len(outputs)"));
    return sf_infer_each(c);
}

/* ops that act */

/* Text that stops growing when it is full: assertion messages are cut, never refused. */
typedef struct Text {
    char bytes[2000];
    size_t len;
} Text;

static void text_add(Text *t, const char *bytes, size_t n)
{
    const size_t room = sizeof t->bytes - 1 - t->len;
    n = n < room ? n : room;
    memcpy(t->bytes + t->len, bytes, n);
    t->len += n;
    t->bytes[t->len] = 0;
}

static void text_append(Text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

static void text_elem(Text *t, SfElem e)
{
    char buf[40];
    switch (e.kind) {
    case SF_ELEM_INT:
        (void)snprintf(buf, sizeof buf, "%" PRId64, e.u.i);
        break;
    case SF_ELEM_FLOAT:
        (void)snprintf(buf, sizeof buf, "%.6g", e.u.f);
        break;
    case SF_ELEM_STRING:
        text_add(t, e.u.s->bytes, e.u.s->len);
        return;
    case SF_ELEM_COMPLEX:
    case SF_ELEM_UNKNOWN:
    case SF_ELEM_DIM:
    case SF_ELEM_SHAPE:
    default:
        (void)snprintf(buf, sizeof buf, "?");
    }
    text_append(t, buf);
}

/* PrintOneDim of tensor.cc: brackets and dots as they fall there. */
static void text_dim(Text *t, const SfValue *v, int axis, int64_t limit, int64_t *at)
{
    const SfShape *s = sf_value_shape(v);
    const SfDim n = sf_shape_dim(s, axis);
    if (*at >= limit) {
        return;
    }
    if (axis < sf_shape_rank(s) - 1) {
        for (SfDim i = 0; i < n && *at < limit; i++) {
            text_append(t, "[");
            text_dim(t, v, axis + 1, limit, at);
            text_append(t, "]");
        }
        return;
    }
    for (SfDim i = 0; i < n; i++) {
        if (*at >= limit) {
            text_append(t, axis ? "..." : "");
            return;
        }
        text_append(t, i ? " " : "");
        text_elem(t, sf_value_elem(v, (*at)++));
    }
}

/* Tensor::SummarizeValue; "?" for content that is not known. */
static void text_value(Text *t, const SfValue *v, int64_t summarize)
{
    if (!v) {
        text_append(t, "?");
        return;
    }
    const int64_t count = sf_value_count(v);
    const int64_t limit = summarize < 0 || summarize > count ? count : summarize;
    int64_t at = 0;
    if (sf_shape_rank(sf_value_shape(v)) > 0) {
        text_dim(t, v, 0, limit, &at);
    } else if (limit > 0) {
        text_elem(t, sf_value_elem(v, 0));
    }
    text_append(t, count > limit ? "..." : "");
}

/* Assert: only its kernel looks at the condition. */
static SfStatus infer_assert(SfInfer *c)
{
    int64_t holds;
    const SfShape *cond = sf_input(c, 0);
    if (!sf_common_runs(c)) {
        return SF_OK;
    }
    SF_TRY(sf_require_rank(c, 0, 0, "In[0] should be a scalar: {0}", SF_SHAPE_ARG(cond)));
    if (!sf_input_int(c, 0, &holds) || holds) {
        return SF_OK;
    }
    Text *t = sf_scratch(c, sizeof *t);
    SF_TRY_ALLOC(t);
    for (int i = 1; i < sf_input_count(c); i++) {
        text_append(t, i > 1 ? " [" : "[");
        text_value(t, sf_input_value(c, i), sf_attr_int(c, "summarize"));
        text_append(t, "]");
    }
    return sf_refuse(c, SF_INPUT(0), "assertion failed: {0}", SF_TEXT_ARG(t->bytes));
}

/* Print: its input; stateful, so TensorFlow folds nothing through it while it builds. */
static SfStatus infer_print(SfInfer *c)
{
    SF_TRY(infer_forward(c));
    if (sf_phase(c) != SF_PHASE_BUILD) {
        sf_set_output_value(c, 0, sf_input_value(c, 0));
    }
    return SF_OK;
}

static SfStatus infer_print_v2(SfInfer *c)
{
    static const char streams[] = "stdout stderr log(info) log(warning) log(error)";
    const int rank = sf_shape_rank(sf_input(c, 0));
    SF_TRY(sf_require_rank(c, 0, 0, "input must be a scalar, but has rank: {0}", SF_INT_ARG(rank)));
    const char *to = sf_attr_string(c, "output_stream");
    const bool known = strstr(to, "file://") == to || sf_common_is_among(to, streams);
    return sf_require(c, known || !sf_common_runs(c), SF_ATTR("output_stream"),
                      "Unknown output stream: {0}, Valid streams are: stdout stderr log(info) "
                      "log(warning) log(error)",
                      SF_TEXT_ARG(to));
}

/* table */

/* clang-format off */
#define FRAME \
    "T: type, frame_name: string, is_constant: bool = false, parallel_iterations: int = 10"
#define TIN "Tin: list(type) >= 0, Tout: list(type) >= 0"
#define SHAPES "output_shapes: list(shape) = []"
#define BRANCHES "Tcond: type, " TIN ", then_branch: func, else_branch: func, " SHAPES
#define LOOP "T: list(type) >= 0, cond: func, body: func, " SHAPES ", parallel_iterations: int = 10"
#define CASES TIN ", branches: list(func) >= 1, " SHAPES
#define CALLED TIN \
    ", f: func, config: string = '', config_proto: string = '', executor_type: string = ''"

static const SfOpDef ops[] = {
    SF_OP(NoOp, .inputs = "", .outputs = "", .attrs = "", .infer = sf_infer_no_output,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING, .role = SF_ROLE_NO_OP),
    SF_OP(ControlTrigger, .inputs = "", .outputs = "", .attrs = "", .infer = sf_infer_no_output,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(Switch, .inputs = "data: T, pred: bool", .outputs = "output_false: T, output_true: T",
          .attrs = "T: type", .infer = infer_switch, .messages = switch_messages,
          .fold = fold_forward,
          .cost = sf_common_cost_none, .grad = SF_GRAD_INPUTS(1u),
          .role = SF_ROLE_SWITCH, .traits = SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    SF_OP(RefSwitch, .inputs = "data: Ref(T), pred: bool",
          .outputs = "output_false: Ref(T), output_true: Ref(T)", .attrs = "T: type",
          .infer = infer_switch, .messages = switch_messages, .fold = fold_forward,
          .cost = sf_common_cost_none,
          .traits = SF_OP_UNINIT_OK | SF_OP_PASSES_GRADIENT, .grad = SF_GRAD_INPUTS(1u),
          .role = SF_ROLE_SWITCH, .range = sf_range_move),
    SF_OP(_SwitchN, .inputs = "data: T, output_index: int32", .outputs = "outputs: num_outs * T",
          .attrs = "num_outs: int >= 1, T: type", .infer = infer_switch, .fold = fold_forward,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING, .role = SF_ROLE_SWITCH_N),
    SF_OP(Merge, .inputs = "inputs: N * T", .outputs = "output: T, value_index: int32",
          .attrs = "T: type, N: int >= 1", .infer = infer_merge, .fold = fold_merge,
          .cost = sf_common_cost_none, .role = SF_ROLE_MERGE, .range = sf_range_move_all),
    SF_OP(RefMerge, .inputs = "inputs: Ref(N * T)", .outputs = "output: Ref(T), value_index: int32",
          .attrs = "T: type, N: int >= 1", .infer = infer_merge, .fold = fold_merge,
          .cost = sf_common_cost_none, .traits = SF_OP_UNINIT_OK, .role = SF_ROLE_MERGE,
          .range = sf_range_move_all),
    SF_OP(Enter, .inputs = "data: T", .outputs = "output: T", .attrs = FRAME,
          .infer = infer_enter, .kernel = frame_kernel, .fold = fold_enter,
          .cost = sf_common_cost_none,
          .role = SF_ROLE_ENTER, .traits = SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    SF_OP(RefEnter, .inputs = "data: Ref(T)", .outputs = "output: Ref(T)", .attrs = FRAME,
          .infer = infer_forward, .fold = fold_enter, .cost = sf_common_cost_none,
          .traits = SF_OP_UNINIT_OK | SF_OP_PASSES_GRADIENT, .role = SF_ROLE_ENTER,
          .range = sf_range_move),
    SF_OP(Exit, .inputs = "data: T", .outputs = "output: T", .attrs = "T: type",
          .infer = infer_forward, .fold = fold_forward, .cost = sf_common_cost_none,
          .role = SF_ROLE_EXIT, .traits = SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    SF_OP(RefExit, .inputs = "data: Ref(T)", .outputs = "output: Ref(T)", .attrs = "T: type",
          .infer = infer_forward, .fold = fold_forward, .cost = sf_common_cost_none,
          .traits = SF_OP_UNINIT_OK | SF_OP_PASSES_GRADIENT, .role = SF_ROLE_EXIT,
          .range = sf_range_move),
    SF_OP(NextIteration, .inputs = "data: T", .outputs = "output: T", .attrs = "T: type",
          .infer = infer_forward, .fold = fold_forward, .cost = sf_common_cost_none,
          .role = SF_ROLE_NEXT_ITERATION, .traits = SF_OP_PASSES_GRADIENT, .range = sf_range_move),
    SF_OP(RefNextIteration, .inputs = "data: Ref(T)", .outputs = "output: Ref(T)",
          .attrs = "T: type", .infer = infer_forward, .fold = fold_forward,
          .cost = sf_common_cost_none, .traits = SF_OP_UNINIT_OK, .role = SF_ROLE_NEXT_ITERATION,
          .range = sf_range_move),
    SF_OP(LoopCond, .inputs = "input: bool", .outputs = "output: bool", .attrs = "",
          .infer = infer_loop_cond, .fold = fold_forward, .cost = sf_common_cost_none,
          .role = SF_ROLE_LOOP_COND, .range = sf_range_move),
    SF_OP(If, .inputs = "cond: Tcond, input: Tin", .outputs = "output: Tout", .attrs = BRANCHES,
          .infer = infer_if, .traits = SF_OP_STATEFUL, .role = SF_ROLE_IF),
    SF_OP(StatelessIf, .inputs = "cond: Tcond, input: Tin", .outputs = "output: Tout",
          .attrs = BRANCHES, .infer = infer_if, .role = SF_ROLE_IF),
    SF_OP(While, .inputs = "input: T", .outputs = "output: T", .attrs = LOOP,
          .infer = infer_while, .traits = SF_OP_STATEFUL, .role = SF_ROLE_WHILE),
    SF_OP(StatelessWhile, .inputs = "input: T", .outputs = "output: T", .attrs = LOOP,
          .infer = infer_while, .role = SF_ROLE_WHILE),
    SF_OP(Case, .inputs = "branch_index: int32, input: Tin", .outputs = "output: Tout",
          .attrs = CASES, .infer = infer_if, .traits = SF_OP_STATEFUL, .role = SF_ROLE_CASE),
    SF_OP(StatelessCase, .inputs = "branch_index: int32, input: Tin", .outputs = "output: Tout",
          .attrs = CASES, .infer = infer_if, .role = SF_ROLE_CASE),
    SF_OP(For, .inputs = "start: int32, limit: int32, delta: int32, input: T",
          .outputs = "output: T", .attrs = "T: list(type) >= 0, body: func",
          .infer = sf_infer_unknown, .grad = SF_GRAD_MISSING),
    SF_OP(PartitionedCall, .inputs = "args: Tin", .outputs = "output: Tout", .attrs = CALLED,
          .infer = sf_infer_unknown, .role = SF_ROLE_CALL),
    SF_OP(StatefulPartitionedCall, .inputs = "args: Tin", .outputs = "output: Tout",
          .attrs = CALLED, .infer = sf_infer_unknown, .traits = SF_OP_STATEFUL,
          .role = SF_ROLE_CALL),
    SF_OP(SymbolicGradient, .inputs = "input: Tin", .outputs = "output: Tout",
          .attrs = "Tin: list(type) >= 1, Tout: list(type) >= 1, f: func",
          .infer = infer_symbolic_gradient, .grad = SF_GRAD_MISSING),
    SF_OP(RemoteCall, .inputs = "target: string, args: Tin", .outputs = "output: Tout",
          .attrs = "Tin: list(type) >= 1, Tout: list(type) >= 1, f: func",
          .infer = sf_infer_unknown, .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(FakeParam, .inputs = "", .outputs = "output: dtype", .attrs = "dtype: type, shape: shape",
          .infer = SF_SHAPES("-> {shape}"), .grad = SF_GRAD_MISSING),
    SF_OP(ToBool, .inputs = "input: T", .outputs = "output: bool", .attrs = "T: type",
          .infer = sf_infer_scalar, .grad = SF_GRAD_MISSING),
    SF_OP(DeviceIndex, .inputs = "", .outputs = "index: int32",
          .attrs = "device_names: list(string)", .infer = sf_infer_scalar,
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(Abort, .inputs = "", .outputs = "",
          .attrs = "error_msg: string = '', exit_without_error: bool = false",
          .infer = sf_infer_no_output, .grad = SF_GRAD_MISSING),
    SF_OP(Assert, .inputs = "condition: bool, data: T", .outputs = "",
          .attrs = "T: list(type) >= 1, summarize: int = 3", .infer = infer_assert,
          .cost = sf_common_cost_none, .grad = SF_GRAD_NONE,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL | SF_OP_SHAPE_ONLY),
    SF_OP(Print, .inputs = "input: T, data: U", .outputs = "output: T",
          .attrs = "T: type, U: list(type) >= 0, message: string = '', first_n: int = -1, "
                   "summarize: int = 3",
          .infer = infer_print, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL,
          .grad = SF_GRAD_INPUTS(1u), .range = sf_range_move),
    SF_OP(PrintV2, .inputs = "input: string", .outputs = "",
          .attrs = "output_stream: string = 'stderr', end: string = '\n'",
          .infer = infer_print_v2, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_MISSING),
    SF_OP(Timestamp, .inputs = "", .outputs = "ts: double", .attrs = "", .infer = sf_infer_scalar,
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(PyFunc, .inputs = "input: Tin", .outputs = "output: Tout",
          .attrs = "token: string, " TIN, .infer = sf_infer_unknown, .traits = SF_OP_STATEFUL,
          .grad = SF_GRAD_NONE),
    SF_OP(PyFuncStateless, .inputs = "input: Tin", .outputs = "output: Tout",
          .attrs = "token: string, " TIN, .infer = sf_infer_unknown, .grad = SF_GRAD_NONE),
    SF_OP(EagerPyFunc, .inputs = "input: Tin", .outputs = "output: Tout",
          .attrs = "token: string, is_async: bool = false, " TIN, .infer = sf_infer_unknown,
          .traits = SF_OP_STATEFUL),
};
/* clang-format on */
const SfOpTable sf_ops_control_flow = {ops, SF_ARRAY_LEN(ops), "control_flow"};
