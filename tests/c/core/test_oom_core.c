/* The allocation sweep: the n-th allocation fails, n = 0, 1, 2..., until all goes well. Every step
 * must say SF_NOMEM (or NULL) until then, leak nothing, and leave the registry usable. */
#include <criterion/criterion.h>
#include <string.h>

#include "core/graph/graph.h"
#include "lattice/intern.h"

static long allowed;

static int count_down(void)
{
    return allowed-- > 0;
}

static SfStatus infer_add_n(SfInfer *c)
{
    return sf_infer_merge_all(c);
}

static SfStatus infer_fresh(SfInfer *c)
{
    const SfShape *want;
    SF_TRY(sf_want_shape_value(c, SF_INPUT(1), &want));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, NULL));
    const SfDiagArg args[] = {SF_TEXT_ARG(sf_shape_text(c, want)), SF_INT_ARG(1)};
    sf_warn_args(c, SF_DIAG_AXIS_OF_ONE, SF_AXIS(0, 1), SF_THE_OP, args, 2);
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_input(c, 0), want));
}

static const SfOpDef ops[] = {
    SF_OP(SweepAddN, .inputs = "inputs: N * T", .outputs = "sum: T",
          .attrs = "N: int >= 1, T: {half, float, numbertype}, s: {'a', 'b'} = 'a', "
                   "l: list(string) = ['x', 'y'], p: shape = [3,4,5,6,7]",
          .infer = infer_add_n),
    SF_OP(SweepFresh, .inputs = "x: T, shape: int32", .outputs = "y: T", .attrs = "T: type",
          .infer = infer_fresh),
};
static const SfOpTable table = {ops, SF_ARRAY_LEN(ops), "sweep"};

/* Runs with the n-th allocation failing for n = 0, 1...; returns how many runs failed. */
static int sweep(bool (*run)(void))
{
    int failed = 0;
    for (;; failed++) {
        cr_assert(failed < 100000, "the sweep does not end");
        sf_intern_reset();
        sf_ops_reset();
        allowed = failed;
        sf_alloc_set_hook(count_down);
        const bool done = run();
        const bool ran_out = allowed < 0;
        sf_alloc_set_hook(NULL);
        if (done && !ran_out) {
            return failed;
        }
        cr_expect(!done || ran_out);
    }
}

static bool register_and_parse(void)
{
    return sf_ops_register(&table) == SF_OK && sf_op_find("SweepAddN") && sf_op_find("SweepFresh");
}

Test(oom, registry)
{
    cr_expect(sweep(register_and_parse) > 3);
    cr_expect(sf_op_count() == 2);
    sf_ops_reset();
}

Test(oom, registry_recovers)
{
    sf_ops_reset();
    for (allowed = 0; allowed >= 0 && allowed < 50; allowed++) {
        const long before = allowed;
        sf_alloc_set_hook(count_down);
        (void)register_and_parse();
        sf_alloc_set_hook(NULL);
        allowed = before;
    }
    cr_expect(register_and_parse(), "a registry that once ran out of memory goes on");
    sf_ops_reset();
}

/* One inference with its sink and scratch; true when it ended in `want`. */
static bool infer(const char *op, const SfTensor *inputs, int nin, SfStatus want, int count)
{
    SfSink sink;
    SfArena scratch = {0};
    SfTensor out = {.dtype = SF_DT_FLOAT};
    const SfOpSig *sig = sf_op_find(op);
    if (!sig) {
        return false;
    }
    SfAttr attrs[8];
    memset(attrs, 0, sizeof(attrs));
    attrs[0].set = true;
    attrs[0].u.i = nin;
    sf_sink_init(&sink);
    const SfInferArgs args = {.sig = sig,
                              .attrs = attrs,
                              .inputs = inputs,
                              .nin = nin,
                              .outs = &out,
                              .nout = 1,
                              .name = "x",
                              .version = SF_VERSION(2, 21),
                              .sink = &sink,
                              .scratch = &scratch};
    const SfStatus status = sf_infer_run(&args);
    const bool done = status == want && sink.count == count;
    cr_expect(status == want || status == SF_NOMEM);
    sf_sink_free(&sink);
    sf_arena_free(&scratch);
    return done;
}

static bool failing_merge(void)
{
    const SfShape *a = sf_shape_matrix(2, 3), *b = sf_shape_matrix(4, 5);
    if (!register_and_parse() || !a || !b) {
        return false;
    }
    const SfTensor inputs[] = {{.shape = a, .dtype = SF_DT_FLOAT},
                               {.shape = b, .dtype = SF_DT_FLOAT}};
    return infer("SweepAddN", inputs, 2, SF_REPORTED, 1);
}

Test(oom, a_failing_op)
{
    cr_expect(sweep(failing_merge) > 5);
    sf_ops_reset();
}

static bool deferred_merge(void)
{
    const SfDim n = sf_dim_symbol("n");
    const SfDim m = sf_dim_add(n, 1);
    const SfShape *a = sf_shape_matrix(2, n), *b = sf_shape_matrix(2, m);
    /* Without memory the symbols are simply unknown, and then nothing contradicts. */
    if (!register_and_parse() || !a || !b || !sf_dim_is_symbolic(m)) {
        return false;
    }
    const SfTensor inputs[] = {{.shape = a, .dtype = SF_DT_FLOAT},
                               {.shape = b, .dtype = SF_DT_FLOAT}};
    return infer("SweepAddN", inputs, 2, SF_OK, 1);
}

Test(oom, a_deferred_finding)
{
    cr_expect(sweep(deferred_merge) > 5);
    sf_ops_reset();
}

static bool warning_and_value(void)
{
    const SfElem elems[] = {sf_elem_int(2), sf_elem_dim(sf_dim_symbol("k"))};
    const SfShape *two = sf_shape_vector(2);
    const SfValue *v = two ? sf_value_make(SF_DT_INT32, two, elems) : NULL;
    if (!register_and_parse() || !v) {
        return false;
    }
    const SfTensor inputs[] = {{.shape = sf_shape_unknown(), .dtype = SF_DT_FLOAT},
                               {.shape = two, .value = v, .dtype = SF_DT_INT32}};
    return infer("SweepFresh", inputs, 2, SF_OK, 1);
}

Test(oom, a_warning)
{
    cr_expect(sweep(warning_and_value) > 5);
    sf_ops_reset();
}
