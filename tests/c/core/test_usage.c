/* What the observer of a session notes, and what is said of a variable that is not trained. */
#include "tests/c/core/kit.h"

#include "core/analysis/usage.h"

static const SfOpDef ops[] = {
    SF_OP(Vote, .inputs = "axis: int32, scores: N * T, weight: T", .outputs = "winner: T",
          .attrs = "N: int >= 1, T: type", .infer = sf_infer_unknown, .grad = SF_GRAD_NONE),
};
static const SfOpTable table = {ops, SF_ARRAY_LEN(ops), "vote"};

/* The loss reads the variable through an op without a gradient; `observed` runs are noted. */
static SfTensor run_vote(Kit *k, SfTensor *x, bool observed)
{
    cr_assert(sf_ops_register(&table) == SF_OK);
    const SfTensor axis = kit_const(k, "axis", 0);
    const SfTensor a = kit_const_f(k, "a", "[2]");
    *x = kit_variable(k, "x", SF_DT_FLOAT, "[2]");
    const SfTensor init = OP(k, "Assign", "x/Assign", *x, a);
    const SfTensor read = OP(k, "Identity", "read", *x);
    const SfTensor loss = OP(k, "Vote", "vote", axis, a, read, a);
    sf_session_observe(k->s, observed ? &sf_usage_observer : NULL);
    SfTensor out;
    cr_assert(sf_session_run(k->s, NULL, 0, &init.node, 1, NULL, 0, &k->sink, NULL) == SF_OK);
    cr_assert(sf_session_run(k->s, &loss, 1, NULL, 0, NULL, 0, &k->sink, &out) == SF_OK);
    return loss;
}

Test(usage, the_operands_of_a_list_have_its_name)
{
    Kit k;
    SfTensor x;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor loss = run_vote(&k, &x, true);
    cr_expect((sf_graph_use(k.g, loss.node) & SF_USE_RAN) != 0);
    sf_usage_warn_untrained(k.g, &loss, x.node, &k.sink);
    const SfDiag *d = k.sink.first;
    cr_assert(d && d->code == SF_DIAG_NOT_TRAINED && d->noperands == 4);
    static const char *const names[] = {"axis", "scores[0]", "scores[1]", "weight"};
    for (int i = 0; i < SF_ARRAY_LEN(names); i++) {
        cr_expect_str_eq(d->operands[i].name, names[i]);
    }
    sf_sink_clear(&k.sink);
    kit_close(&k);
}

Test(usage, what_nobody_observes_is_not_noted)
{
    Kit k;
    SfTensor x;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor loss = run_vote(&k, &x, false);
    cr_expect(sf_graph_use(k.g, loss.node) == 0);
    sf_usage_warn_untrained(k.g, &loss, x.node, &k.sink);
    cr_expect(!k.sink.first);
    kit_close(&k);
}
