/* See kit.h. */
#include "tests/c/core/kit.h"
#include "tests/c/domain/domain.h"

#include <stdio.h>

/* ops */

static SfStatus infer_attr_shape(SfInfer *c)
{
    return sf_set_output_shape(c, 0, sf_attr_shape(c, "shape"));
}

static SfStatus infer_const(SfInfer *c)
{
    const SfAttr *a = sf_attr(c, "value");
    SF_TRY(sf_set_output_shape(c, 0, a->u.tensor.shape));
    sf_set_output_value(c, 0, a->u.tensor.value);
    return SF_OK;
}

static SfStatus infer_matmul(SfInfer *c)
{
    const SfShape *a, *b;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &b));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, 1), SF_AXIS(1, 0), NULL));
    return sf_set_output_matrix(c, 0, sf_shape_dim(a, 0), sf_shape_dim(b, 1));
}

static SfStatus infer_identity(SfInfer *c)
{
    sf_set_output_state(c, 0, 0);
    return sf_set_output_same(c, 0, 0);
}

static void fold_identity(SfInfer *c)
{
    sf_set_output_value(c, 0, sf_input_value(c, 0));
}

static void fold_add(SfInfer *c)
{
    int64_t a, b;
    if (sf_input_int(c, 0, &a) && sf_input_int(c, 1, &b)) {
        sf_set_output_value(c, 0, sf_value_int(sf_dtype_base(sf_output_dtype(c, 0)), a + b));
    }
}

static void fold_less(SfInfer *c)
{
    int64_t a, b;
    if (sf_input_int(c, 0, &a) && sf_input_int(c, 1, &b)) {
        sf_set_output_value(c, 0, sf_value_int(SF_DT_BOOL, a < b));
    }
}

/* A vector as long as the integer says: content becomes shape. */
static SfStatus infer_range(SfInfer *c)
{
    int64_t n;
    return sf_set_output_vector(c, 0, sf_input_int(c, 0, &n) ? n : SF_DIM_UNKNOWN);
}

static SfStatus infer_concat(SfInfer *c)
{
    const SfDim d = sf_dim_add(sf_input_dim(c, 0, 0), sf_input_dim(c, 1, 0));
    return sf_set_output_vector(c, 0, d);
}

static SfStatus infer_gather(SfInfer *c)
{
    return sf_set_output_shape(c, 0, sf_input(c, 1));
}

static SfStatus infer_cast(SfInfer *c)
{
    return sf_set_output_same(c, 0, 0);
}

static void fold_cast(SfInfer *c)
{
    int64_t v;
    if (sf_input_int(c, 0, &v) && sf_dtype_is_floating(sf_output_dtype(c, 0))) {
        sf_set_output_value(c, 0, sf_value_float(sf_output_dtype(c, 0), (double)v));
    }
}

/* ops with state */

static SfStatus infer_variable(SfInfer *c)
{
    SfState s;
    (void)sf_state_read(c, -1, &s);
    return sf_set_output_shape(c, 0, s.shape);
}

static SfStatus write_input(SfInfer *c, const SfShape *shape, const SfValue *value)
{
    const SfState s = {
        .shape = shape, .value = value, .initialized = true, .dtype = sf_input_dtype(c, 1)};
    sf_state_write(c, 0, &s);
    return SF_OK;
}

static SfStatus infer_assign(SfInfer *c)
{
    const SfShape *out = sf_input(c, 1);
    if (sf_attr_bool(c, "validate_shape")) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &out));
    }
    sf_set_output_state(c, 0, 0);
    SF_TRY(write_input(c, out, sf_input_value(c, 1)));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_assign_add(SfInfer *c)
{
    int64_t a, b;
    SfState now;
    const SfValue *sum = NULL;
    if (sf_state_read(c, 0, &now) && sf_value_as_int(now.value, &a) && sf_input_int(c, 1, &b)) {
        sum = sf_value_int(sf_dtype_base(sf_input_dtype(c, 0)), a + b);
    }
    sf_set_output_state(c, 0, 0);
    SF_TRY(write_input(c, now.shape, sum));
    return sf_set_output_shape(c, 0, now.shape);
}

static SfStatus infer_read_variable(SfInfer *c)
{
    SfState s;
    (void)sf_state_read(c, 0, &s);
    SF_TRY(sf_set_output_shape(c, 0, s.shape));
    sf_set_output_value(c, 0, s.value);
    return SF_OK;
}

static SfStatus infer_assign_variable(SfInfer *c)
{
    return write_input(c, sf_input(c, 1), sf_input_value(c, 1));
}

static SfStatus infer_is_initialized(SfInfer *c)
{
    SfState s;
    (void)sf_state_read(c, 0, &s);
    SF_TRY(sf_set_output_scalar(c, 0));
    if (sf_phase(c) == SF_PHASE_RUN) {
        sf_set_output_value(c, 0, sf_value_int(SF_DT_BOOL, s.initialized));
    }
    return SF_OK;
}

/* control flow: the session runs these itself; here only what a graph needs */

static SfStatus infer_pass(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        sf_set_output_state(c, i, 0);
        SF_TRY(sf_set_output_same(c, i, 0));
    }
    return SF_OK;
}

static SfStatus infer_merge(SfInfer *c)
{
    const SfShape *all = sf_input(c, 0);
    for (int i = 1; i < sf_input_count(c); i++) {
        all = sf_shape_join(all, sf_input(c, i));
    }
    SF_TRY(sf_set_output_shape(c, 0, all));
    return sf_set_output_scalar(c, 1);
}

#define T_ANY "T: type"
#define T_NUM "T: {bfloat16, half, float, double, int32, int64}"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(Placeholder, .outputs = "output: dtype", .attrs = "dtype: type, shape: shape = ?",
          .infer = infer_attr_shape, .role = SF_ROLE_PLACEHOLDER),
    SF_OP(PlaceholderWithDefault, .inputs = "input: dtype", .outputs = "output: dtype",
          .attrs = "dtype: type, shape: shape", .infer = infer_attr_shape,
          .role = SF_ROLE_PLACEHOLDER_WITH_DEFAULT),
    SF_OP(Const, .outputs = "output: dtype", .attrs = "value: tensor, dtype: type",
          .infer = infer_const, .role = SF_ROLE_CONST),
    SF_OP(NoOp, .infer = sf_infer_no_output, .role = SF_ROLE_NO_OP),
    SF_OP(MatMul, .inputs = "a: T, b: T", .outputs = "product: T",
          .attrs = "transpose_a: bool = false, transpose_b: bool = false, " T_NUM,
          .infer = infer_matmul),
    SF_OP(Add, .inputs = "x: T, y: T", .outputs = "z: T", .attrs = T_NUM,
          .infer = sf_infer_broadcast, .fold = fold_add),
    SF_OP(Less, .inputs = "x: T, y: T", .outputs = "z: bool", .attrs = T_NUM,
          .infer = sf_infer_broadcast, .fold = fold_less),
    SF_OP(Relu, .inputs = "features: T", .outputs = "activations: T",
          .attrs = "T: {float, double, int32, half}", .infer = sf_infer_unchanged),
    SF_OP(LogicalAnd, .inputs = "x: bool, y: bool", .outputs = "z: bool",
          .infer = sf_infer_broadcast),
    SF_OP(Identity, .inputs = "input: T", .outputs = "output: T", .attrs = T_ANY,
          .infer = infer_identity, .fold = fold_identity,
          .role = SF_ROLE_IDENTITY, .traits = SF_OP_PASSES_GRADIENT),
    SF_OP(IdentityN, .inputs = "input: T", .outputs = "output: T", .attrs = "T: list(type) >= 1",
          .infer = sf_infer_unknown),
    SF_OP(AddN, .inputs = "inputs: N * T", .outputs = "sum: T",
          .attrs = "N: int >= 1, T: {float, double, int32}", .infer = sf_infer_merge_all),
    SF_OP(Pack, .inputs = "values: N * T", .outputs = "output: T",
          .attrs = "N: int >= 1, T: type, axis: int = 0", .infer = sf_infer_unknown,
          .role = SF_ROLE_PACK),
    SF_OP(DynamicStitch, .inputs = "indices: N * int32, data: N * T", .outputs = "merged: T",
          .attrs = "N: int >= 1, T: type", .infer = sf_infer_unknown),
    SF_OP(Switchboard, .inputs = "x: Ta, y: Ta", .outputs = "z: Ta", .attrs = "Ta: list(type)",
          .infer = sf_infer_unknown),
    SF_OP(Unpack, .inputs = "value: T", .outputs = "output: num * T",
          .attrs = "num: int >= 0, T: type, axis: int = 0", .infer = sf_infer_unknown),
    SF_OP(Cast, .inputs = "x: SrcT", .outputs = "y: DstT",
          .attrs = "SrcT: type, DstT: type, Truncate: bool = false", .infer = infer_cast,
          .fold = fold_cast),
    SF_OP(Conv2D, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = "T: {half, float}, strides: list(int), padding: {'SAME', 'VALID'}",
          .infer = sf_infer_unknown),
    SF_OP(ConcatV2, .inputs = "values: N * T, axis: Tidx", .outputs = "output: T",
          .attrs = "N: int >= 2, T: type, Tidx: {int32, int64} = int32", .infer = sf_infer_unknown),
    SF_OP(Join, .inputs = "x: T, y: T", .outputs = "z: T", .attrs = T_ANY, .infer = infer_concat),
    SF_OP(Range, .inputs = "n: int32", .outputs = "output: int32", .infer = infer_range),
    SF_OP(ArgMax, .inputs = "input: T", .outputs = "output: int64", .attrs = T_ANY,
          .infer = sf_infer_unknown, .grad = SF_GRAD_NONE),
    SF_OP(SfGradient, .inputs = "x: T, ys: Tys", .outputs = "grad: T",
          .attrs = "T: type, Tys: list(type) >= 0", .infer = sf_infer_unchanged,
          .role = SF_ROLE_GRADIENT),
    SF_OP(Floor, .inputs = "x: T", .outputs = "y: T", .attrs = T_ANY, .infer = sf_infer_unchanged,
          .grad = SF_GRAD_NONE),
    SF_OP(Mystery, .inputs = "x: T", .outputs = "y: T", .attrs = T_ANY,
          .infer = sf_infer_unchanged, .grad = SF_GRAD_MISSING),
    SF_OP(First, .inputs = "x: T, y: T", .outputs = "z: T", .attrs = T_ANY,
          .infer = sf_infer_unchanged, .grad = SF_GRAD_INPUTS(1)),
    SF_OP(Gather, .inputs = "params: T, indices: int32", .outputs = "output: T", .attrs = T_ANY,
          .infer = infer_gather, .role = SF_ROLE_GATHER),
    SF_OP(GatherV2, .inputs = "params: T, indices: int32, axis: int32", .outputs = "output: T",
          .attrs = T_ANY, .infer = infer_gather, .role = SF_ROLE_GATHER_ALONG),
    SF_OP(GatherNd, .inputs = "params: T, indices: int32", .outputs = "output: T", .attrs = T_ANY,
          .infer = sf_infer_unknown, .role = SF_ROLE_GATHER_ND),
    SF_OP(Kinds, .outputs = "output: float",
          .attrs = "i: int = 1, f: float = 2.0, b: bool = false, s: string = 'a', t: type = float, "
                   "p: shape = [2], fn: func = nothing, li: list(int) = [], lf: list(float) = [], "
                   "lb: list(bool) = [], ls: list({'x', 'y'}) = ['x'], "
                   "lt: list({float, int32}) = [], lp: list(shape) = []",
          .infer = sf_infer_unknown),
    SF_OP(Wide, .inputs = "x: a0", .outputs = "output: a0",
          .attrs = "a0: type, a1: int = 1, a2: int = 1, a3: int = 1, a4: int = 1, a5: int = 1, "
                   "a6: int = 1, a7: int = 1, a8: int = 1, a9: int = 1, a10: int = 1, "
                   "a11: int = 1, a12: int = 1, a13: int = 1, a14: int = 1, a15: int = 1, "
                   "a16: int = 1, a17: int = 1, a18: int = 1, a19: int = 1, a20: int = 1, "
                   "a21: int = 1, a22: int = 1, a23: int = 1, a24: int = 1, a25: int = 25",
          .infer = sf_infer_unchanged),
    SF_OP(Maybe, .inputs = "x: N * T", .outputs = "output: T",
          .attrs = "N: int >= 0, T: type = int32", .infer = sf_infer_unknown),
    SF_OP(Some, .inputs = "x: N * T", .outputs = "output: T", .attrs = "N: int >= 0, T: type",
          .infer = sf_infer_unknown),
    SF_OP(After, .inputs = "y: T, x: N * T", .outputs = "output: T",
          .attrs = "N: int >= 0, T: type", .infer = sf_infer_unknown),
    SF_OP(ResourceGather, .inputs = "resource: resource, indices: int32",
          .outputs = "output: dtype", .attrs = "dtype: type", .infer = infer_gather,
          .role = SF_ROLE_GATHER),

    SF_OP(VariableV2, .outputs = "ref: Ref(dtype)",
          .attrs = "shape: shape, dtype: type, container: string = '', shared_name: string = ''",
          .infer = infer_variable, .traits = SF_OP_STATEFUL | SF_OP_STATE,
          .role = SF_ROLE_VARIABLE),
    SF_OP(Assign, .inputs = "ref: Ref(T), value: T", .outputs = "output_ref: Ref(T)",
          .attrs = "T: type, validate_shape: bool = true", .infer = infer_assign,
          .traits = SF_OP_WRITES | SF_OP_UNINIT_OK, .role = SF_ROLE_ASSIGN),
    SF_OP(AssignAdd, .inputs = "ref: Ref(T), value: T", .outputs = "output_ref: Ref(T)",
          .attrs = T_ANY, .infer = infer_assign_add, .traits = SF_OP_WRITES),
    SF_OP(IsVariableInitialized, .inputs = "ref: Ref(dtype)", .outputs = "is_initialized: bool",
          .attrs = "dtype: type", .infer = infer_is_initialized,
          .traits = SF_OP_UNINIT_OK | SF_OP_BOOKKEEPING),
    SF_OP(VarHandleOp, .outputs = "resource: resource",
          .attrs = "shape: shape, dtype: type, container: string = '', shared_name: string = ''",
          .infer = sf_infer_scalar, .traits = SF_OP_STATEFUL | SF_OP_STATE,
          .role = SF_ROLE_VARIABLE),
    SF_OP(ReadVariableOp, .inputs = "resource: resource", .outputs = "value: dtype",
          .attrs = "dtype: type", .infer = infer_read_variable, .role = SF_ROLE_READ_VARIABLE,
          .traits = SF_OP_STATEFUL | SF_OP_PASSES_GRADIENT),
    SF_OP(AssignVariableOp, .inputs = "resource: resource, value: dtype", .attrs = "dtype: type",
          .infer = infer_assign_variable,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES | SF_OP_UNINIT_OK, .role = SF_ROLE_ASSIGN),

    SF_OP(Switch, .inputs = "data: T, pred: bool", .outputs = "output_false: T, output_true: T",
          .attrs = T_ANY, .infer = infer_pass,
          .role = SF_ROLE_SWITCH, .traits = SF_OP_PASSES_GRADIENT),
    SF_OP(Merge, .inputs = "inputs: N * T", .outputs = "output: T, value_index: int32",
          .attrs = "T: type, N: int >= 1", .infer = infer_merge, .role = SF_ROLE_MERGE),
    SF_OP(Enter, .inputs = "data: T", .outputs = "output: T",
          .attrs = "T: type, frame_name: string, is_constant: bool = false", .infer = infer_pass,
          .role = SF_ROLE_ENTER, .traits = SF_OP_PASSES_GRADIENT),
    SF_OP(Exit, .inputs = "data: T", .outputs = "output: T", .attrs = T_ANY, .infer = infer_pass,
          .role = SF_ROLE_EXIT, .traits = SF_OP_PASSES_GRADIENT),
    SF_OP(NextIteration, .inputs = "data: T", .outputs = "output: T", .attrs = T_ANY,
          .infer = infer_pass, .role = SF_ROLE_NEXT_ITERATION, .traits = SF_OP_PASSES_GRADIENT),
    SF_OP(LoopCond, .inputs = "input: bool", .outputs = "output: bool", .infer = infer_pass,
          .role = SF_ROLE_LOOP_COND),
};
/* clang-format on */
static const SfOpTable table = {ops, SF_ARRAY_LEN(ops), "kit"};

/* a graph and its session */

void kit_register(void)
{
    cr_assert(sf_ops_register(&table) == SF_OK);
}

void kit_open(Kit *k, int version)
{
    memset(k, 0, sizeof *k);
    kit_register();
    for (int i = 0; i < table.count; i++) {
        const char *error = NULL;
        SfArena a = {0};
        cr_assert(sf_op_parse(&ops[i], &a, &error), "%s: %s", ops[i].name, error);
        sf_arena_free(&a);
    }
    sf_sink_init(&k->sink);
    sf_arena_init(&k->arena);
    k->g = sf_graph_new(version);
    k->s = sf_session_new(k->g);
    k->b = (SfBuilder){.graph = k->g, .sink = &k->sink, .version = version, .scratch = &k->arena};
}

void kit_close(Kit *k)
{
    const char *wrong = sf_graph_verify(k->g);
    cr_expect(!wrong, "%s", wrong ? wrong : "");
    sf_session_free(k->s);
    sf_graph_free(k->g);
    sf_sink_free(&k->sink);
    sf_arena_free(&k->arena);
    sf_eager_reset();
    sf_ops_reset();
    sf_intern_reset();
}

const SfShape *kit_shape(const char *text)
{
    const SfShape *s = sf_shape_parse(text, NULL, NULL);
    cr_assert(s, "not a shape: %s", text);
    return s;
}

SfAttrArg kit_type(const char *name, SfDtype t)
{
    return (SfAttrArg){name, {.type = SF_ATTR_TYPE, .set = true, .u = {.type = t}}};
}

SfAttrArg kit_int(const char *name, int64_t i)
{
    return (SfAttrArg){name, {.type = SF_ATTR_INT, .set = true, .u = {.i = i}}};
}

SfAttrArg kit_bool(const char *name, bool b)
{
    return (SfAttrArg){name, {.type = SF_ATTR_BOOL, .set = true, .u = {.b = b}}};
}

SfAttrArg kit_string(const char *name, const char *s)
{
    return (SfAttrArg){
        name, {.type = SF_ATTR_STRING, .set = true, .u = {.s = sf_elem_string(s, strlen(s)).u.s}}};
}

SfAttrArg kit_shape_attr(const char *name, const char *text)
{
    return (SfAttrArg){name, {.type = SF_ATTR_SHAPE, .set = true, .u = {.shape = kit_shape(text)}}};
}

SfTensor kit_op(Kit *k, const char *op, const char *name, const SfTensor *in, int nin,
                const SfAttrArg *attrs, int nattrs)
{
    const SfOpSig *sig = sf_op_find(op);
    cr_assert(sig, "no op %s", op);
    SfTensor outs[8];
    memset(outs, 0, sizeof outs);
    int nout = 0;
    const SfStatus status =
        sf_build(&k->b, sig, name, in, nin, NULL, attrs, nattrs, outs, SF_ARRAY_LEN(outs), &nout);
    cr_assert(status == SF_OK, "%s: %s", op, k->sink.last ? k->sink.last->message : "no memory");
    if (nout == 0 && k->g) {
        outs[0].node = sf_graph_node(k->g, sf_graph_size(k->g) - 1);
    }
    return outs[0];
}

const char *kit_refused(Kit *k, const char *op, const char *name, const SfTensor *in, int nin,
                        const SfAttrArg *attrs, int nattrs)
{
    const SfOpSig *sig = sf_op_find(op);
    cr_assert(sig, "no op %s", op);
    SfTensor outs[8];
    int nout = 0;
    const int size = sf_graph_size(k->g);
    sf_sink_clear(&k->sink);
    if (sf_build(&k->b, sig, name, in, nin, NULL, attrs, nattrs, outs, 8, &nout) != SF_REPORTED) {
        return "(accepted)";
    }
    cr_expect(k->sink.count == 1);
    cr_expect(sf_graph_size(k->g) == size, "a refused op is in the graph");
    return k->sink.last->message;
}

SfTensor kit_placeholder(Kit *k, const char *name, SfDtype t, const char *shape)
{
    const SfAttrArg attrs[] = {kit_type("dtype", t), kit_shape_attr("shape", shape)};
    return kit_op(k, "Placeholder", name, NULL, 0, attrs, 2);
}

static SfTensor constant(Kit *k, const char *name, SfDtype t, const SfShape *shape,
                         const SfValue *value)
{
    SfAttrArg v = {"value", {.type = SF_ATTR_TENSOR, .set = true}};
    v.value.u.tensor.dtype = t;
    v.value.u.tensor.shape = shape;
    v.value.u.tensor.value = value;
    const SfAttrArg attrs[] = {v, kit_type("dtype", t)};
    return kit_op(k, "Const", name, NULL, 0, attrs, 2);
}

SfTensor kit_const(Kit *k, const char *name, int64_t i)
{
    return constant(k, name, SF_DT_INT32, sf_shape_scalar(), sf_value_int(SF_DT_INT32, i));
}

SfTensor kit_const_f(Kit *k, const char *name, const char *shape)
{
    return constant(k, name, SF_DT_FLOAT, kit_shape(shape), NULL);
}

SfTensor kit_const_bool(Kit *k, const char *name, bool b)
{
    return constant(k, name, SF_DT_BOOL, sf_shape_scalar(), sf_value_int(SF_DT_BOOL, b));
}

SfTensor kit_variable(Kit *k, const char *name, SfDtype t, const char *shape)
{
    const SfAttrArg attrs[] = {kit_type("dtype", t), kit_shape_attr("shape", shape)};
    return kit_op(k, "VariableV2", name, NULL, 0, attrs, 2);
}

SfTensor kit_out(SfTensor t, int index)
{
    cr_assert(t.node && index < t.node->nout);
    return t.node->outputs[index];
}

void kit_control(Kit *k, SfNode *const *nodes, int n)
{
    k->b.control = nodes;
    k->b.ncontrol = n;
}

/* runs */

SfFeed kit_feed(SfTensor t, const char *shape)
{
    return (SfFeed){t, kit_shape(shape), NULL};
}

SfFeed kit_feed_int(SfTensor t, int64_t i)
{
    return (SfFeed){t, sf_shape_scalar(), sf_value_int(sf_dtype_base(t.dtype), i)};
}

const char *kit_run(Kit *k, SfTensor fetch, const SfFeed *feeds, int nfeed)
{
    static char text[1024];
    SfTensor result;
    sf_sink_clear(&k->sink);
    const SfStatus status =
        sf_session_run(k->s, &fetch, 1, NULL, 0, feeds, nfeed, &k->sink, &result);
    if (status != SF_OK) {
        cr_expect(k->sink.count == 1, "%d findings for one failure", k->sink.count);
        return k->sink.last ? k->sink.last->message : "(no memory)";
    }
    cr_expect(k->sink.count == 0);
    sf_shape_format(result.shape, true, text, sizeof text);
    return text;
}

SfStatus kit_run_op(Kit *k, SfNode *op, const SfFeed *feeds, int nfeed)
{
    sf_sink_clear(&k->sink);
    return sf_session_run(k->s, NULL, 0, &op, 1, feeds, nfeed, &k->sink, NULL);
}

bool kit_int_of(SfTensor t, int64_t *out)
{
    return sf_value_as_int(t.value, out);
}
