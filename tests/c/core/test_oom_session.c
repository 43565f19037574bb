/* The allocation sweep over graphs and sessions: the n-th allocation fails, for n = 0, 1, 2...
 * until all goes well. Each step may say SF_NOMEM; none may crash, leak, or find an error that is
 * not there. */
#include "tests/c/core/kit.h"

static long allowed;

static int count_down(void)
{
    return allowed-- > 0;
}

typedef struct Sweep {
    SfGraph *g;
    SfSession *s;
    SfSink sink;
    SfArena scratch;
    SfBuilder b;
} Sweep;

#define BUILD(w, op, in, nin, attrs, nattrs, out)                                                  \
    do {                                                                                           \
        const SfOpSig *sig_ = sf_op_find(op);                                                      \
        int nout_;                                                                                 \
        if (!sig_) {                                                                               \
            return SF_NOMEM;                                                                       \
        }                                                                                          \
        SF_TRY(sf_build(&(w)->b, sig_, NULL, (in), (nin), NULL, (attrs), (nattrs), (out), 2,       \
                        &nout_));                                                                  \
    } while (0)

static SfStatus placeholder(Sweep *w, SfDtype t, const SfShape *shape, SfTensor *out)
{
    if (!shape) {
        return SF_NOMEM;
    }
    SfAttrArg attrs[] = {kit_type("dtype", t),
                         {"shape", {.type = SF_ATTR_SHAPE, .set = true, .u = {.shape = shape}}}};
    BUILD(w, "Placeholder", NULL, 0, attrs, 2, out);
    return SF_OK;
}

static SfStatus constant(Sweep *w, int64_t i, SfTensor *out)
{
    SfAttrArg attrs[] = {kit_type("dtype", SF_DT_INT32),
                         {"value", {.type = SF_ATTR_TENSOR, .set = true}}};
    attrs[1].value.u.tensor.dtype = SF_DT_INT32;
    attrs[1].value.u.tensor.shape = sf_shape_scalar();
    attrs[1].value.u.tensor.value = sf_value_int(SF_DT_INT32, i);
    if (!attrs[1].value.u.tensor.value) {
        return SF_NOMEM;
    }
    BUILD(w, "Const", NULL, 0, attrs, 2, out);
    return SF_OK;
}

/* step += 1; y = relu(relu(...relu(x))) if p else x */
static SfStatus scenario(Sweep *w)
{
    SfTensor x[2], p[2], v[2], one[2], sw[2], y[2], out[2];
    SF_TRY(placeholder(w, SF_DT_FLOAT, sf_shape_vector(SF_DIM_UNKNOWN), x));
    SF_TRY(placeholder(w, SF_DT_BOOL, sf_shape_scalar(), p));
    SfAttrArg attrs[] = {kit_type("dtype", SF_DT_INT32),
                         {"shape", {.type = SF_ATTR_SHAPE, .set = true}}};
    attrs[1].value.u.shape = sf_shape_scalar();
    BUILD(w, "VariableV2", NULL, 0, attrs, 2, v);
    SF_TRY(constant(w, 1, one));
    const SfTensor v1[] = {v[0], one[0]};
    BUILD(w, "Assign", v1, 2, NULL, 0, out);
    SfNode *const init = out[0].node;
    BUILD(w, "AssignAdd", v1, 2, NULL, 0, out);
    SfNode *const add = out[0].node;
    const SfTensor xp[] = {x[0], p[0]};
    BUILD(w, "Switch", xp, 2, NULL, 0, sw);
    y[0] = sw[1];
    for (int i = 0; i < 70; i++) { /* past the first size of every table */
        BUILD(w, "Relu", y, 1, NULL, 0, y);
    }
    const SfTensor both[] = {sw[0], y[0]};
    BUILD(w, "Merge", both, 2, NULL, 0, y);
    SF_TRY(sf_node_add_control(y[0].node, add));
    SF_TRY(sf_session_run(w->s, NULL, 0, &init, 1, NULL, 0, &w->sink, NULL));
    for (int i = 0; i < 3; i++) {
        SfFeed feeds[] = {{x[0], sf_shape_vector(3 + i / 2), NULL},
                          {p[0], sf_shape_scalar(), sf_value_int(SF_DT_BOOL, 1)}};
        if (!feeds[0].shape || !feeds[1].value) {
            return SF_NOMEM;
        }
        SfTensor result;
        SF_TRY(sf_session_run(w->s, y, 1, NULL, 0, feeds, 2, &w->sink, &result));
        cr_expect_eq(result.shape, feeds[0].shape);
    }
    SfGradient connected;
    SF_TRY(sf_graph_connected(w->g, y, 1, x, 1, NULL, 0, &connected, &w->sink));
    cr_expect_eq(connected.kind, SF_GRADIENT_DENSE);
    SfState s;
    int64_t steps;
    cr_expect(sf_session_state(w->s, v[0].node, &s));
    cr_expect(sf_value_as_int(s.value, &steps) && steps == 4);
    return sf_graph_find(w->g, "Relu_69") ? SF_OK : SF_NOMEM;
}

static SfStatus sweep_once(void)
{
    Sweep w;
    memset(&w, 0, sizeof w);
    SfStatus status = SF_NOMEM;
    sf_sink_init(&w.sink);
    w.g = sf_graph_new(SF_VERSION(1, 15));
    w.s = w.g ? sf_session_new(w.g) : NULL;
    w.b = (SfBuilder){.graph = w.g,
                      .sink = &w.sink,
                      .version = SF_VERSION(1, 15),
                      .device = "/cpu:0",
                      .scratch = &w.scratch};
    if (w.s) {
        status = scenario(&w);
    }
    cr_expect_neq(status, SF_REPORTED, "%s", w.sink.last ? w.sink.last->message : "");
    sf_session_free(w.s);
    sf_graph_free(w.g);
    sf_sink_free(&w.sink);
    sf_arena_free(&w.scratch);
    return status;
}

Test(oom, graphs_and_sessions)
{
    int n = 0;
    SfStatus status = SF_NOMEM;
    for (; n < 5000 && status != SF_OK; n++) {
        kit_register();
        allowed = n;
        sf_alloc_set_hook(count_down);
        status = sweep_once();
        sf_alloc_set_hook(NULL);
        sf_eager_reset();
        sf_ops_reset();
        sf_intern_reset();
    }
    cr_expect_eq(status, SF_OK);
    cr_expect_gt(n, 20, "only %d allocations", n);
}
