/* Raw state and control: assignments to references, scatters, prints, groups that need no Python.
 */
#include "apis/apis.h"
#include "apis/tf/compose.h"

/* tf.tuple: identities that all wait for all. */
static SfStatus wait_for_all(SfCall *c, SfTensor *items, int n)
{
    SF_TRY(sf_api_op(c, "NoOp", "group_deps", NULL, 0, NULL, 0, NULL));
    SfNode *gate = c->op;
    for (int i = 0; i < n && gate; i++) {
        if (items[i].node) {
            SF_TRY(sf_node_add_control(gate, items[i].node));
        }
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_compose_unary(c, "Identity", "control_dependency", items[i], &items[i]));
        if (gate && items[i].node) {
            SF_TRY(sf_node_add_control(items[i].node, gate));
        }
    }
    return SF_OK;
}

static SfStatus api_tuple(SfCall *c)
{
    SfTensor *items = NULL;
    SfScope scope;
    int n = 0;
    const SfArg *tensors = sf_api_arg(c, "tensors");
    SF_TRY(sf_compose_list(c, tensors, false, "tensors", &items, &n));
    if (n == 0) {
        return sf_api_value_error(c, "Must have at least one Tensor: %s", sf_arg_repr(c, tensors));
    }
    if (!sf_api_eager(c)) {
        SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "tuple", &scope));
        const SfStatus st = wait_for_all(c, items, n);
        sf_api_scope_exit(c, &scope);
        SF_TRY(st);
    }
    sf_return_list(c, items, n);
    return SF_OK;
}

/* verify_tensor_all_finite: the tensor again, behind a check. */
static SfStatus body_verify_finite(SfCall *c, const char *scope, SfTensor *out)
{
    const SfArg *x, *message;
    SfTensor t, check;
    SF_TRY(sf_api_either(c, "x", "t", &x));
    SF_TRY(sf_api_either(c, "message", "msg", &message));
    SF_TRY(sf_api_tensor_named(c, x, SF_DT_INVALID, "x", &t));
    const SfAttrArg attrs[] = {
        {.name = "message",
         .value = sf_attr_make_string(message->kind == SF_ARG_STRING ? message->u.s.bytes : "")}};
    SF_TRY(sf_api_op(c, "CheckNumerics", NULL, &t, 1, attrs, 1, &check));
    SF_TRY(sf_compose_unary(c, "Identity", "control_dependency", t, out));
    return out->node ? sf_node_add_control(out->node, check.node) : SF_OK;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.assign", SF_TF1, "ref, value, validate_shape=None, use_locking=None, name=None",
     .op = "Assign"},
    {"tf.assign_add", SF_TF1, "ref, value, use_locking=None, name=None", .op = "AssignAdd"},
    {"tf.assign_sub", SF_TF1, "ref, value, use_locking=None, name=None", .op = "AssignSub"},
    {"tf.scatter_update", SF_TF1, "ref, indices, updates, use_locking=True, name=None",
     .op = "ScatterUpdate"},
    {"tf.scatter_add", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterAdd"},
    {"tf.scatter_sub", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterSub"},
    {"tf.scatter_mul", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterMul"},
    {"tf.scatter_div", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterDiv"},
    {"tf.scatter_min", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterMin"},
    {"tf.scatter_max", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterMax"},
    {"tf.scatter_nd_update", SF_TF1, "ref, indices, updates, use_locking=True, name=None",
     .op = "ScatterNdUpdate"},
    {"tf.scatter_nd_add", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterNdAdd"},
    {"tf.scatter_nd_sub", SF_TF1, "ref, indices, updates, use_locking=False, name=None",
     .op = "ScatterNdSub"},
    {"tf.count_up_to", SF_TF1, "ref, limit, name=None", .op = "CountUpTo"},
    {"tf.is_variable_initialized", SF_TF1, "variable",
     .op = "IsVariableInitialized", .rename = "variable=ref"},
    {"tf.tuple", SF_TF1, "tensors, name=None, control_inputs=None", .call = api_tuple},
    {"tf.tuple", SF_TF2, "tensors, control_inputs=None, name=None", .call = api_tuple},
    {"tf.verify_tensor_all_finite tf.debugging.assert_all_finite", SF_TF1,
     "t=None, msg=None, name=None, x=None, message=None",
     SF_SCOPED("VerifyFinite", body_verify_finite)},
    {"tf.debugging.assert_all_finite", SF_TF2, "x, message, name=None",
     SF_SCOPED("VerifyFinite", body_verify_finite)},
    {"tf.Print", SF_TF1, "input_, data, message=None, first_n=None, summarize=None, name=None",
     .op = "Print", .rename = "input_=input"},
    {"tf.Assert tf.debugging.Assert", SF_TF12, "condition, data, summarize=None, name=None",
     .op = "Assert"},
    {"tf.no_op", SF_TF12, "name=None", .op = "NoOp"},
    {"tf.timestamp", SF_TF12, "name=None", .op = "Timestamp"},
    {"tf.random.log_uniform_candidate_sampler", SF_TF12,
     "true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None",
     .op = "LogUniformCandidateSampler"},
    {"tf.nn.log_uniform_candidate_sampler", SF_TF1,
     "true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None",
     .op = "LogUniformCandidateSampler"},
    {"tf.random.uniform_candidate_sampler", SF_TF12,
     "true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None",
     .op = "UniformCandidateSampler"},
    {"tf.nn.uniform_candidate_sampler", SF_TF1,
     "true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None",
     .op = "UniformCandidateSampler"},
    {"tf.nn.learned_unigram_candidate_sampler tf.random.learned_unigram_candidate_sampler",
     SF_TF12, "true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None",
     .op = "LearnedUnigramCandidateSampler"},
    {"tf.nn.all_candidate_sampler tf.random.all_candidate_sampler", SF_TF12,
     "true_classes, num_true, num_sampled, unique, seed=None, name=None",
     .op = "AllCandidateSampler"},
    {"tf.nn.fixed_unigram_candidate_sampler tf.random.fixed_unigram_candidate_sampler", SF_TF12,
     "true_classes, num_true, num_sampled, unique, range_max, vocab_file='', distortion=1.0, "
     "num_reserved_ids=0, num_shards=1, shard=0, unigrams=(), seed=None, name=None",
     .op = "FixedUnigramCandidateSampler"},
};
/* clang-format on */
const SfApiTable sf_api_state = {rows, SF_ARRAY_LEN(rows), "state"};
