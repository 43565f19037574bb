/* Rows by themselves: every signature parses and binds, every op that a row or a composition names
 * is registered, names are found, and what is wrong is told. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lattice/intern.h"
#include "tests/c/apis/api_kit.h"
#include "tests/c/support/op_rows.h"

static const SfApiRow *row_at(int table, int i)
{
    return &sf_api_table_at(table)->rows[i];
}

Test(rows, every_signature_parses_and_binds)
{
    cr_assert_eq(sf_apis_init(), SF_OK);
    int names = 0;
    for (int t = 0; t < sf_api_table_count(); t++) {
        for (int i = 0; i < sf_api_table_at(t)->count; i++) {
            const SfApiRow *row = row_at(t, i);
            SfArena arena;
            const char *error = NULL;
            sf_arena_init(&arena);
            const SfApiSig *sig = sf_api_sig_parse(row, &arena, &error);
            cr_expect_not_null(sig, "%s: %s", row->names, error);
            cr_expect(!sig || sig->op || row->call, "%s", row->names);
            sf_arena_free(&arena);
            names++;
            for (const char *p = row->names; *p != '\0'; p++) {
                names += *p == ' ';
            }
        }
    }
    cr_expect_geq(names, 900, "%d names", names);
}

/* A name has at most one row in each namespace and version. */
Test(rows, no_name_has_two_rows)
{
    static const int versions[] = {SF_VERSION(0, 12), SF_VERSION(1, 8), SF_VERSION(1, 15),
                                   SF_VERSION(2, 21)};
    for (int t = 0; t < sf_api_table_count(); t++) {
        for (int i = 0; i < sf_api_table_at(t)->count; i++) {
            const SfApiRow *row = row_at(t, i);
            for (int k = 0; k < SF_ARRAY_LEN(versions) * 2; k++) {
                const unsigned flag = k % 2 == 0 ? SF_TF1 : SF_TF2;
                const int v = versions[k / 2];
                const bool here = (row->versions & flag) != 0 && v >= row->since &&
                                  (row->until == 0 || v < row->until);
                char name[128];
                for (const char *p = row->names; here && *p != '\0';) {
                    const size_t len = strcspn(p, " ");
                    snprintf(name, sizeof name, "%.*s", (int)len, p);
                    cr_expect_eq(sf_api_find_at(name, flag, v), row, "%s at %d", name, v);
                    p += len + (p[len] == ' ');
                }
            }
        }
    }
}

Test(rows, are_found_by_name_and_version)
{
    cr_expect_not_null(sf_api_find("tf.reshape", SF_TF1));
    cr_expect_not_null(sf_api_find("tf.reshape", SF_TF2));
    cr_expect_null(sf_api_find("tf.resh", SF_TF2));
    cr_expect_null(sf_api_find("tf.reshapes", SF_TF2));
    cr_expect_null(sf_api_find("tf.to_float", SF_TF2));
    cr_expect_null(sf_api_find("tf.mul", SF_TF1));
    cr_expect_not_null(sf_api_find_at("tf.mul", SF_TF1, SF_VERSION(0, 12)));
    cr_expect_null(sf_api_find_at("tf.mul", SF_TF1, SF_VERSION(1, 0)));
    const SfApiRow *row = sf_api_find("tf.abs", SF_TF2);
    cr_expect_not_null(sf_api_sig(row));
    cr_expect_eq(sf_api_sig(row), sf_api_sig(row), "parsed once");
}

Test(rows, a_signature_says_names_defaults_and_kinds)
{
    static const SfApiRow row = {
        "tf.x", SF_TF1,
        "a, b=None, c=-1.5, d='SAME', e=[1, 2], f=(3,), g=tf.float32, *, h=True, **k",
        .call = (SfApiFn)sf_api_call};
    SfArena arena;
    const char *error = NULL;
    sf_arena_init(&arena);
    const SfApiSig *sig = sf_api_sig_parse(&row, &arena, &error);
    cr_assert_not_null(sig, "%s", error);
    cr_assert_eq(sig->nparams, 9);
    cr_expect_not(sig->params[0].has_default);
    cr_expect_eq(sig->params[1].def.kind, SF_ARG_NONE);
    cr_expect_eq(sig->params[2].def.u.f, -1.5);
    cr_expect_str_eq(sig->params[3].def.u.s.bytes, "SAME");
    cr_expect_eq(sig->params[4].def.u.list.n, 2);
    cr_expect(sig->params[5].def.is_tuple);
    cr_expect_eq(sig->params[6].def.u.dtype, SF_DT_FLOAT);
    cr_expect_eq(sig->params[7].kind, 1);
    cr_expect_eq(sig->params[8].kind, 3);
    sf_arena_free(&arena);
}

Test(rows, wrong_rows_are_refused_with_a_reason)
{
    static const SfApiRow wrong[] = {
        {"tf.x", SF_TF1, "x, name=None", .op = "NoSuchOp"},
        {"tf.x", SF_TF1, "y, name=None", .op = "Abs"},
        {"tf.x", SF_TF1, "name=None", .op = "Abs"},
        {"tf.x", SF_TF1, "x, name=", .op = "Abs"},
        {"tf.x", SF_TF1, "x name", .op = "Abs"},
        {"tf.x", SF_TF1, "x, name='", .op = "Abs"},
        {"tf.x", SF_TF1, "x, name=[1, 2", .op = "Abs"},
        {"tf.x", SF_TF1, "x, name=[[[[[1]]]]]", .op = "Abs"},
        {"tf.x", SF_TF1, "x, name=tf.nothing", .op = "Abs"},
        {"tf.x", SF_TF1, "x", .op = NULL},
    };
    for (int i = 0; i < SF_ARRAY_LEN(wrong); i++) {
        SfArena arena;
        const char *error = NULL;
        sf_arena_init(&arena);
        cr_expect_null(sf_api_sig_parse(&wrong[i], &arena, &error), "row %d", i);
        cr_expect_not_null(error, "row %d", i);
        sf_arena_free(&arena);
    }
}

/* names that only old programs use */
static void expect_call(ApiKit *k, const char *call, const char *expected)
{
    const char *got = kit_call(k, call);
    cr_expect_str_eq(got, expected, "%s\n  expected %s\n  got      %s", call, expected, got);
}

Test(rows, names_before_1_0)
{
    static const char *const calls[][2] = {
        {"tf.mul(f[2,3], f[3])", "Mul float32 [2,3]"},
        {"tf.sub(f[2], 1)", "Sub float32 [2]"},
        {"tf.neg(f[2])", "Neg float32 [2]"},
        {"tf.concat(1, [f[2,3], f[2,4]])", "concat float32 [2,7]"},
        {"tf.concat_v2([f[2,3], f[2,4]], 1)", "concat_v2 float32 [2,7]"},
        {"tf.split(1, 3, f[2,6])",
         "list split float32 [2,2]; split float32 [2,2]; split float32 [2,2]"},
        {"tf.pack([f[2], f[2]])", "pack float32 [2,2]"},
        {"tf.unpack(f[2,3])", "list unpack float32 [3]; unpack float32 [3]"},
        {"tf.select(b[2], f[2], f[2])", "Select float32 [2]"},
        {"tf.batch_matmul(f[5,2,3], f[5,3,4])", "BatchMatMul float32 [5,2,4]"},
        {"tf.scalar_summary('loss', f[])", "ScalarSummary string []"},
        {"tf.merge_summary([s[], s[]])", "MergeSummary string []"},
        {"tf.nn.softmax_cross_entropy_with_logits(f[8,10], f[8,10])",
         "softmax_cross_entropy_with_logits/Reshape_2 float32 [8]"},
        {"tf.nn.sigmoid_cross_entropy_with_logits(f[8], f[8])", "logistic_loss float32 [8]"},
    };
    cr_assert_eq(sf_apis_init(), SF_OK);
    for (int i = 0; i < SF_ARRAY_LEN(calls); i++) {
        ApiKit k;
        kit_open(&k, SF_VERSION(0, 12), SF_TF1, false);
        expect_call(&k, calls[i][0], calls[i][1]);
        kit_close(&k);
    }
}

/* names within one graph */
Test(rows, scopes_and_names_follow_each_other)
{
    ApiKit k;
    cr_assert_eq(sf_apis_init(), SF_OK);
    kit_open(&k, SF_VERSION(1, 15), SF_TF1, false);
    expect_call(&k, "tf.add(f[2], 1)", "Add float32 [2]");
    expect_call(&k, "tf.add(f[2], 1)", "Add_1 float32 [2]");
    expect_call(&k, "tf.add(f[2], f[2])", "Add_2 float32 [2]");
    cr_expect_not_null(sf_graph_find(k.b.graph, "Add_1/y"));
    expect_call(&k, "tf.reshape(f[6], [2, 3], name='r')", "r float32 [2,3]");
    cr_expect_not_null(sf_graph_find(k.b.graph, "r/shape"));
    expect_call(&k, "tf.nn.dropout(f[2], rate=0.5, name='d')", "d/mul_1 float32 [2]");
    expect_call(&k, "tf.reduce_sum(f[2,3])", "Sum float32 []");
    cr_expect_not_null(sf_graph_find(k.b.graph, "Const"));
    expect_call(&k, "tf.reduce_sum(f[2,3], 1)", "Sum_1 float32 [2]");
    cr_expect_not_null(sf_graph_find(k.b.graph, "Sum_1/reduction_indices"));
    const char *broken = sf_graph_verify(k.b.graph);
    cr_expect_null(broken, "%s", broken);
    kit_close(&k);
}

/* A symbolic batch dim flows through compositions as itself. */
Test(rows, symbols_survive)
{
    static const char *const calls[] = {
        "tf.reshape(f[n,28,28], [-1, 784])",
        "tf.nn.softmax(f[n,10])",
        "tf.nn.dropout(f[n,10], rate=0.5)",
        "tf.nn.bias_add(f[n,10], f[10])",
        "tf.nn.moments(f[n,10], [1])",
        "tf.nn.softmax_cross_entropy_with_logits_v2(labels=f[n,10], logits=f[n,10])",
        "tf.nn.conv1d(f[n,28,1], f[5,1,32], 2, 'SAME')",
        "tf.image.resize_images(f[n,28,28,3], [32, 32])",
        "tf.clip_by_norm(f[n,10], 5.0)",
        "tf.tensordot(f[n,3], f[3,4], 1)",
        "tf.zeros_like(f[n,10])",
        "tf.nn.embedding_lookup(f[100,16], i[n,20])",
        "tf.expand_dims(f[n,10], 1)",
        "tf.stack([f[n,10], f[n,10]], axis=1)",
        "tf.one_hot(i[n], 10)",
    };
    cr_assert_eq(sf_apis_init(), SF_OK);
    for (int i = 0; i < SF_ARRAY_LEN(calls); i++) {
        ApiKit k;
        kit_open(&k, SF_VERSION(1, 15), SF_TF1, false);
        kit_call(&k, calls[i]);
        const SfNode *last = sf_graph_node(k.b.graph, sf_graph_size(k.b.graph) - 1);
        cr_expect(last->nout > 0 && sf_dim_is_symbolic(sf_shape_dim(last->outputs[0].shape, 0)),
                  "%s gave %s", calls[i], k.text);
        kit_close(&k);
    }
}

/* memory */
static long allocations, fail_at;

static int fail_one(void)
{
    return ++allocations != fail_at;
}

/* The n-th allocation of a call fails, n = 1, 2, ... until there is none: no crash. */
Test(rows, survive_every_failed_allocation)
{
    static const char *const calls[] = {
        "tf.add(f[2,3], [1., 2., 3.])",
        "tf.reshape(f[n,28,28], [-1, 784], name='r')",
        "tf.convert_to_tensor([f[], 1.5, [2.]])",
        "tf.concat([f[2,3], f[2,4]], axis=1)",
        "tf.nn.dropout(f[n,10], rate=0.5)",
        "tf.nn.conv2d(f[n,28,28,1], f[5,5,1,32], [1, 2, 2, 1], 'SAME')",
        "tf.nn.moments(f[n,10], [0])",
        "tf.meshgrid([1, 2, 3], [4, 5])",
        "tf.reduce_sum(f[4,3], axis='a')",
        "tf.tensordot(f[n,3], f[3,4], 1)",
    };
    cr_assert_eq(sf_apis_init(), SF_OK);
    for (int i = 0; i < SF_ARRAY_LEN(calls); i++) {
        for (fail_at = 1; fail_at < 1000; fail_at++) {
            ApiKit k;
            kit_open(&k, SF_VERSION(1, 15), SF_TF1, false);
            allocations = 0;
            sf_alloc_set_hook(fail_one);
            kit_call(&k, calls[i]);
            sf_alloc_set_hook(NULL);
            kit_close(&k);
            if (allocations < fail_at) {
                break;
            }
        }
        cr_expect_lt(fail_at, 1000, "%s", calls[i]);
    }
}

/* raw ops */
Test(rows, raw_ops_take_keywords)
{
    ApiKit k;
    cr_assert_eq(sf_apis_init(), SF_OK);
    kit_open(&k, SF_VERSION(1, 15), SF_TF1, false);
    const SfArg one = {.kind = SF_ARG_INT, .u.i = 1};
    const SfArg pair[] = {{.kind = SF_ARG_FLOAT, .u.f = 1.5}, one};
    const SfArg args[] = {{.kind = SF_ARG_LIST, .u.list = {2, pair}}, one};
    const char *const names[] = {"values", "axis"};
    SfCall c = {.b = &k.b, .arena = &k.arena};
    cr_expect_eq(sf_api_raw(&c, sf_op_find("Pack"), "p", names, args, 1), SF_REPORTED,
                 "a list of a float and an int");
    cr_expect_str_eq(k.sink.first->message,
                     "Tensors in list passed to 'values' of 'Pack' Op have types [float32, int32] "
                     "that don't all match.");
    sf_sink_clear(&k.sink);
    const SfArg same[] = {one, one};
    const SfArg good[] = {{.kind = SF_ARG_LIST, .u.list = {2, same}}};
    cr_expect_eq(sf_api_raw(&c, sf_op_find("Pack"), "p", names, good, 1), SF_OK);
    cr_assert_eq(c.nresults, 1);
    cr_expect_eq(c.results[0].dtype, SF_DT_INT32);
    cr_expect_eq(sf_api_raw(&c, sf_op_find("Pack"), "p", names, good, 0), SF_REPORTED);
    cr_expect_str_eq(k.sink.first->message, "No argument for input values");
    kit_close(&k);
}

/* rows of raw ops */
/* The promise of CONTRIBUTING.md: each modelled op has known, partly known, unknown and error rows. */
Test(rows, every_modelled_op_has_rows_of_each_kind)
{
    cr_assert_eq(sf_apis_init(), SF_OK);
    for (int i = 0; i < sf_op_count(); i++) {
        const SfOpSig *sig = sf_op_at(i);
        char lacks[80];
        if (sig->def->infer != sf_infer_unknown) {
            sf_rows_lacks(sig, lacks, sizeof lacks);
            cr_expect_str_empty(lacks, "%s has no row:%s", sig->def->name, lacks);
        }
    }
}
