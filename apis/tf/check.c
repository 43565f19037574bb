/* tf.assert_* and tf.debugging: checks that hold while the graph is built, and the op Assert for
 * those that can only be made when it runs. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* The result of a check that holds: no_op in a graph, nothing in eager mode. */
static SfStatus holds(SfCall *c)
{
    if (!sf_api_eager(c)) {
        SF_TRY(sf_api_op(c, "NoOp", "static_checks_determined_all_ok", NULL, 0, NULL, 0, NULL));
        sf_return_op(c, c->op);
        return SF_OK;
    }
    c->form = SF_RESULT_NONE;
    return SF_OK;
}

static const char *message_of(SfCall *c)
{
    const SfArg *a = sf_api_arg(c, "message");
    return a->kind == SF_ARG_STRING ? a->u.s.bytes : "";
}

/* ranks */
/* data: "=", ">=" or "in" */
static bool rank_fits(const char *how, int rank, const int64_t *want, int n)
{
    for (int i = 0; i < n; i++) {
        if (how[0] == '>' ? rank >= want[i] : rank == want[i]) {
            return true;
        }
    }
    return false;
}

static SfStatus check_rank(SfCall *c, const char *how)
{
    SfTensor x;
    int64_t *want = NULL;
    int n = 0;
    SF_TRY(sf_compose_arg(c, "x", &x));
    const bool in = how[0] == 'i';
    const SfArg *ranks = sf_api_arg(c, in ? "ranks" : "rank");
    if (ranks->kind == SF_ARG_TENSOR && !sf_api_eager(c)) {
        return SF_OK;
    }
    SF_TRY(sf_api_ints(c, in ? "ranks" : "rank", &want, &n));
    const int rank = sf_tensor_rank(x);
    if (rank < 0 || n == 0 || rank_fits(how, rank, want, n)) {
        return SF_OK;
    }
    const char *text = in ? sf_int_list_text(c, want, n, '(', ')')
                          : sf_arena_printf(c->arena, "%lld", (long long)want[0]);
    const char *verb = in ? "in" : how[0] == '>' ? "at least" : "";
    const SfArg arg = {.kind = SF_ARG_TENSOR, .u.tensor = x};
    const bool words2 = sf_api_is_v2(c);
    const char *tensor = words2 && !x.node ? ""
                         : x.node ? sf_arena_printf(c->arena, "%s:%d", x.node->name, x.index)
                                  : sf_arg_repr(c, &arg);
    return sf_api_shape_error(c, "%s%sTensor %s must have rank %s%s%s.  Received rank %d, shape %s",
                              message_of(c), words2 ? (message_of(c)[0] != '\0' ? " " : "") : ".  ",
                              tensor, verb, verb[0] != '\0' ? " " : "", text, rank,
                              sf_shape_tuple_text(c, x.shape));
}

static SfStatus api_assert_rank(SfCall *c)
{
    const char *how = c->sig->row->data;
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c),
                              how[0] == '>'   ? "assert_rank_at_least"
                              : how[0] == 'i' ? "assert_rank_in"
                                              : "assert_rank",
                              &scope));
    SfStatus st = check_rank(c, how);
    if (st == SF_OK) {
        st = holds(c);
    }
    sf_api_scope_exit(c, &scope);
    return st;
}

static SfStatus api_assert_scalar(SfCall *c)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    if (sf_tensor_rank(x) > 0) {
        return sf_api_shape_error(c, "Expected scalar shape, saw shape: %s.",
                                  sf_shape_tuple_text(c, x.shape));
    }
    sf_return_tensor(c, x);
    return SF_OK;
}

/* dtypes */
static SfStatus api_assert_type(SfCall *c)
{
    SfTensor x;
    SfDtype want = SF_DT_INVALID;
    SF_TRY(sf_api_tensor(c, &c->args[0], SF_DT_INVALID, &x));
    SF_TRY(sf_api_dtype(c, "tf_type", &want));
    if (sf_dtype_base(want) != sf_tensor_dtype(x)) {
        return sf_api_type_error(c, "%s  tensor must be of type <dtype: '%s'>; got <dtype: '%s'>",
                                 message_of(c), sf_dtype_name(want), sf_dtype_name(x.dtype));
    }
    return holds(c);
}

static SfStatus api_assert_integer(SfCall *c)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    if (!sf_dtype_is_integer(sf_tensor_dtype(x))) {
        return sf_api_type_error(c, "%s  Expected \"x\" to be integer type.  Found: <dtype: '%s'>",
                                 message_of(c), sf_dtype_name(x.dtype));
    }
    return holds(c);
}

/* values */
static bool all_true(const SfValue *v, bool *any_false)
{
    bool all = v;
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        all = all && e.kind == SF_ELEM_INT && e.u.i != 0;
        *any_false = *any_false || (e.kind == SF_ELEM_INT && e.u.i == 0);
    }
    return all;
}

static SfStatus refused(SfCall *c, const char *relation)
{
    return sf_compose_assert_fails(
        c,
        sf_arena_printf(c->arena, "%s\nCondition x %s y did not hold.", message_of(c), relation));
}

static SfStatus assert_op(SfCall *c, SfTensor condition)
{
    const SfTensor in[] = {condition, condition};
    const int sizes[] = {1};
    int n = 0;
    return sf_api_op_multi(c, "Assert", NULL, in, 2, sizes, NULL, 0, NULL, 0, &n);
}

/* Does TensorFlow know so before anything runs? In a branch that may never run only that counts. */
static bool is_static(const SfCall *c, SfTensor x, SfTensor y)
{
    return !sf_build_may_not_run(c->b) ||
           (x.node && y.node && sf_node_role(x.node) == SF_ROLE_CONST &&
            sf_node_role(y.node) == SF_ROLE_CONST);
}

/* data: the relation, and " 0" for a comparison with zero. */
static SfStatus compare(SfCall *c)
{
    const char *data = c->sig->row->data, *zero = strchr(data, ' ');
    const char *relation =
        sf_arena_strndup(c->arena, data, zero ? (size_t)(zero - data) : strlen(data));
    SfTensor x, y, condition;
    bool any_false = false;
    SF_TRY_ALLOC(relation);
    SF_TRY(sf_compose_arg(c, "x", &x));
    if (zero) {
        SF_TRY(sf_compose_scalar(c, 0, x.dtype, "y", &y));
    } else {
        SF_TRY(sf_compose_arg_hint(c, "y", x.dtype, &y));
    }
    SF_TRY(sf_compose_binary(c, c->sig->row->op, NULL, x, y, &condition));
    const bool all = all_true(condition.value, &any_false);
    if (any_false && is_static(c, x, y)) {
        return refused(c, relation);
    }
    if (sf_api_eager(c)) {
        c->form = SF_RESULT_NONE;
        return SF_OK;
    }
    if (all) {
        return holds(c);
    }
    SF_TRY(sf_compose_reduce_all(c, "All", NULL, condition, &condition));
    SF_TRY(assert_op(c, condition));
    sf_return_op(c, c->op);
    return SF_OK;
}

static SfStatus api_assert_values(SfCall *c)
{
    SfScope scope;
    const char *dotted = c->sig->row->names, *end = strchr(dotted, ' ');
    const char *last = dotted;
    for (const char *p = dotted; *p != '\0' && p != end; p++) {
        last = *p == '.' ? p + 1 : last;
    }
    const char *name = sf_arena_strndup(c->arena, last, end ? (size_t)(end - last) : strlen(last));
    SF_TRY_ALLOC(name);
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), name, &scope));
    const SfStatus st = compare(c);
    sf_api_scope_exit(c, &scope);
    return st;
}

/* What assert_near compares is known in a run only. */
static SfStatus api_assert_near(SfCall *c)
{
    SfTensor x, y;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_arg_hint(c, "y", x.dtype, &y));
    SF_TRY(sf_compose_binary(c, "Sub", "assert_near/sub", x, y, &x));
    return holds(c);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.assert_equal tf.debugging.assert_equal", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "Equal", .call = api_assert_values, .data = "=="},
    {"tf.assert_equal tf.debugging.assert_equal", SF_TF2,
     "x, y, message=None, summarize=None, name=None",
     .op = "Equal", .call = api_assert_values, .data = "=="},
    {"tf.assert_none_equal tf.debugging.assert_none_equal", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "NotEqual", .call = api_assert_values, .data = "!="},
    {"tf.debugging.assert_none_equal", SF_TF2, "x, y, summarize=None, message=None, name=None",
     .op = "NotEqual", .call = api_assert_values, .data = "!="},
    {"tf.assert_less tf.debugging.assert_less", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "Less", .call = api_assert_values, .data = "<"},
    {"tf.assert_less tf.debugging.assert_less", SF_TF2,
     "x, y, message=None, summarize=None, name=None",
     .op = "Less", .call = api_assert_values, .data = "<"},
    {"tf.assert_less_equal tf.debugging.assert_less_equal", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "LessEqual", .call = api_assert_values, .data = "<="},
    {"tf.debugging.assert_less_equal", SF_TF2, "x, y, message=None, summarize=None, name=None",
     .op = "LessEqual", .call = api_assert_values, .data = "<="},
    {"tf.assert_greater tf.debugging.assert_greater", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "Greater", .call = api_assert_values, .data = ">"},
    {"tf.assert_greater tf.debugging.assert_greater", SF_TF2,
     "x, y, message=None, summarize=None, name=None",
     .op = "Greater", .call = api_assert_values, .data = ">"},
    {"tf.assert_greater_equal tf.debugging.assert_greater_equal", SF_TF1,
     "x, y, data=None, summarize=None, message=None, name=None",
     .op = "GreaterEqual", .call = api_assert_values, .data = ">="},
    {"tf.debugging.assert_greater_equal", SF_TF2, "x, y, message=None, summarize=None, name=None",
     .op = "GreaterEqual", .call = api_assert_values, .data = ">="},
    {"tf.assert_positive tf.debugging.assert_positive", SF_TF1,
     "x, data=None, summarize=None, message=None, name=None",
     .op = "Greater", .call = api_assert_values, .data = "> 0"},
    {"tf.debugging.assert_positive", SF_TF2, "x, message=None, summarize=None, name=None",
     .op = "Greater", .call = api_assert_values, .data = "> 0"},
    {"tf.assert_negative tf.debugging.assert_negative", SF_TF1,
     "x, data=None, summarize=None, message=None, name=None",
     .op = "Less", .call = api_assert_values, .data = "< 0"},
    {"tf.debugging.assert_negative", SF_TF2, "x, message=None, summarize=None, name=None",
     .op = "Less", .call = api_assert_values, .data = "< 0"},
    {"tf.assert_non_negative tf.debugging.assert_non_negative", SF_TF1,
     "x, data=None, summarize=None, message=None, name=None",
     .op = "GreaterEqual", .call = api_assert_values, .data = ">= 0"},
    {"tf.debugging.assert_non_negative", SF_TF2, "x, message=None, summarize=None, name=None",
     .op = "GreaterEqual", .call = api_assert_values, .data = ">= 0"},
    {"tf.assert_non_positive tf.debugging.assert_non_positive", SF_TF1,
     "x, data=None, summarize=None, message=None, name=None",
     .op = "LessEqual", .call = api_assert_values, .data = "<= 0"},
    {"tf.debugging.assert_non_positive", SF_TF2, "x, message=None, summarize=None, name=None",
     .op = "LessEqual", .call = api_assert_values, .data = "<= 0"},
    {"tf.assert_near tf.debugging.assert_near", SF_TF1,
     "x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None",
     .call = api_assert_near},
    {"tf.debugging.assert_near", SF_TF2,
     "x, y, rtol=None, atol=None, message=None, summarize=None, name=None",
     .call = api_assert_near},
    {"tf.assert_rank tf.debugging.assert_rank", SF_TF1,
     "x, rank, data=None, summarize=None, message=None, name=None",
     .call = api_assert_rank, .data = "="},
    {"tf.assert_rank tf.debugging.assert_rank", SF_TF2, "x, rank, message=None, name=None",
     .call = api_assert_rank, .data = "="},
    {"tf.assert_rank_at_least tf.debugging.assert_rank_at_least", SF_TF1,
     "x, rank, data=None, summarize=None, message=None, name=None",
     .call = api_assert_rank, .data = ">="},
    {"tf.debugging.assert_rank_at_least", SF_TF2, "x, rank, message=None, name=None",
     .call = api_assert_rank, .data = ">="},
    {"tf.assert_rank_in tf.debugging.assert_rank_in", SF_TF1,
     "x, ranks, data=None, summarize=None, message=None, name=None",
     .call = api_assert_rank, .data = "in"},
    {"tf.debugging.assert_rank_in", SF_TF2, "x, ranks, message=None, name=None",
     .call = api_assert_rank, .data = "in"},
    {"tf.assert_scalar tf.debugging.assert_scalar", SF_TF1, "tensor, name=None, message=None",
     .call = api_assert_scalar},
    {"tf.debugging.assert_scalar", SF_TF2, "tensor, message=None, name=None",
     .call = api_assert_scalar},
    {"tf.assert_type tf.debugging.assert_type", SF_TF1, "tensor, tf_type, message=None, name=None",
     .call = api_assert_type},
    {"tf.debugging.assert_type", SF_TF2, "tensor, tf_type, message=None, name=None",
     .call = api_assert_type},
    {"tf.assert_integer tf.debugging.assert_integer", SF_TF1, "x, message=None, name=None",
     .call = api_assert_integer},
    {"tf.debugging.assert_integer", SF_TF2, "x, message=None, name=None",
     .call = api_assert_integer},
};
/* clang-format on */
const SfApiTable sf_api_check = {rows, SF_ARRAY_LEN(rows), "check"};
