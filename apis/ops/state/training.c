/* Optimizer steps: a variable, its slots and a gradient of one shape, and scalars.
 * One function serves them all: TensorFlow checks the inputs in the order of the signature, and
 * what an input must be follows from its name and type.
 * Source: training_ops.cc (shape functions and kernels). */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/state/variable.h"

/* what an input is */

static const char *input_name(const SfInfer *c, int i)
{
    return sf_op_sig(c)->in[i].name;
}

static bool is_variable(const SfInfer *c, int i)
{
    const SfPortSpec *port = &sf_op_sig(c)->in[i];
    return port->is_ref || port->dtype == SF_DT_RESOURCE;
}

static bool is_gradient(const SfInfer *c, int i)
{
    return strcmp(input_name(c, i), "grad") == 0 || strcmp(input_name(c, i), "delta") == 0;
}

static bool is_sparse_at(const SfInfer *c, int i)
{
    return i < sf_input_count(c) && strcmp(input_name(c, i), "indices") == 0;
}

/* the kernels' messages */

/* The optimizers, as bits of the variant. */
enum {
    SPARSE_STEP = 1 << 0,
    IS_GradientDescent = 1 << 1,
    IS_ProximalGradientDescent = 1 << 2,
    IS_Momentum = 1 << 3,
    IS_KerasMomentum = 1 << 4,
    IS_Adam = 1 << 5,
    IS_AdaMax = 1 << 6,
    IS_Adagrad = 1 << 7,
    IS_AdagradV2 = 1 << 8,
    IS_AdagradDA = 1 << 9,
    IS_ProximalAdagrad = 1 << 10,
    IS_Adadelta = 1 << 11,
    IS_RMSProp = 1 << 12,
    IS_CenteredRMSProp = 1 << 13,
    IS_Ftrl = 1 << 14,
    IS_FtrlV2 = 1 << 15,
    IS_AddSign = 1 << 16,
    IS_PowerSign = 1 << 17,
    FTRLS = IS_Ftrl | IS_FtrlV2,
    RMS_PROPS = IS_RMSProp | IS_CenteredRMSProp
};

static bool op_is(const SfInfer *c, int ops)
{
    return (sf_op_variant(c) & ops) != 0;
}

static bool is_resource(const SfInfer *c)
{
    return sf_op_sig(c)->in[0].dtype == SF_DT_RESOURCE;
}

/* What a scalar must be, by op; the messages of TensorFlow 1 are shorter. */
enum { ANY, POSITIVE, NOT_NEGATIVE, NOT_POSITIVE };

static int wanted_sign(const SfInfer *c, const char *name)
{
    const bool ftrl = op_is(c, SPARSE_STEP) && op_is(c, FTRLS),
               proximal = op_is(c, IS_ProximalAdagrad);
    if (strcmp(name, "lr") == 0) {
        return ftrl || proximal ? POSITIVE : ANY;
    }
    if (strcmp(name, "lr_power") == 0) {
        return ftrl ? NOT_POSITIVE : ANY;
    }
    return name[0] == 'l' && (ftrl || proximal) ? NOT_NEGATIVE : ANY; /* l1, l2, l2_shrinkage */
}

/* Kernels whose message has a blank before the colon. */
static bool has_blank(const SfInfer *c, const char *name)
{
    if (sf_version(c) < SF_VERSION(2, 0)) {
        return op_is(c, RMS_PROPS);
    }
    return strcmp(name, "lr") == 0 &&
           (op_is(c, SPARSE_STEP) ? op_is(c, IS_Momentum | IS_KerasMomentum)
                                  : op_is(c, RMS_PROPS | IS_Adam | IS_AdaMax));
}

static const char *scalar_name(const SfInfer *c, const char *name)
{
    if (sf_version(c) < SF_VERSION(2, 0)) {
        return name;
    }
    if (strcmp(name, "l1") == 0 || strcmp(name, "l2") == 0) {
        return name[1] == '1' ? "l1 regularization strength" : "l2 regularization strength";
    }
    if (strcmp(name, "l2_shrinkage") == 0) {
        return "l2 shrinkage regularization strength";
    }
    return op_is(c, SPARSE_STEP) && op_is(c, IS_ProximalGradientDescent) && is_resource(c) &&
                   strcmp(name, "alpha") == 0
               ? "lr"
               : name;
}

static const char *scalar_is_no(const SfInfer *c, const char *name)
{
    if (sf_version(c) < SF_VERSION(2, 0)) {
        return strcmp(name, "lr") == 0 && (op_is(c, FTRLS) || op_is(c, IS_ProximalAdagrad))
                   ? " is not a positive scalar: "
                   : (has_blank(c, name) ? " is not a scalar : " : " is not a scalar: ");
    }
    switch (wanted_sign(c, name)) {
    case POSITIVE:
        return op_is(c, FTRLS)
                   ? " is not a positive scalar (or zero if multiply_linear_by_lr is set): "
                   : " is not a positive scalar: ";
    case NOT_NEGATIVE:
        return " is not a non-negative scalar: ";
    case NOT_POSITIVE:
        return " is not a non-positive scalar: ";
    default:
        break;
    }
    if (strcmp(name, "lr_power") == 0) {
        return " is not a scalar";
    }
    return has_blank(c, name) ? " is not a scalar : " : " is not a scalar: ";
}

static int scalar_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const char *name = input_name(c, f->a.index);
    out[0] = SF_TEXT_ARG(scalar_name(c, name));
    out[1] = SF_TEXT_ARG(scalar_is_no(c, name));
    return 2;
}

/* The input that is held against the variable. */
static int compared(const SfFinding *f)
{
    return f->b.kind == SF_PLACE_OP ? f->a.index : f->b.index;
}

static int shape_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const int i = compared(f);
    out[0] = SF_TEXT_ARG(input_name(c, i));
    out[1] = SF_SHAPE_ARG(sf_variable_shape(c, 0));
    out[2] = SF_SHAPE_ARG(is_variable(c, i) ? sf_variable_shape(c, i) : sf_input(c, i));
    return 3;
}

static bool is_indices(SfInfer *c, const SfFinding *f)
{
    return is_sparse_at(c, f->a.index);
}

static bool is_sparse(SfInfer *c, const SfFinding *f)
{
    return is_sparse_at(c, compared(f) + 1);
}

static const SfMessage apply_messages[] = {
    {SF_ON(RANK_EXACT), .when = is_indices, .text = "indices must be one-dimensional"},
    {SF_ON(RANK_EXACT), .args = scalar_args, .text = "{0}{1}{a.shape}"},
    {SF_ON(DIM_EQUAL), .text = "grad must be the same size as indices in the first dimension."},
    {SF_ON(MERGE_DIM), .when = is_sparse, .text = "var and grad must match in dimension {b.axis}"},
    {SF_ON_MERGE, .args = shape_args, .text = "var and {0} do not have the same shape{1} {2}"},
    {0}};

/* the checks */

typedef struct Gradient {
    int input;
    const SfShape *var; /* as known so far; refined by the check */
} Gradient;

/* Indices that are known lie within the variable's rows; only kernels look. */
static SfStatus check_rows(SfInfer *c, const void *data)
{
    const Gradient *g = data;
    const int indices = g->input + 1;
    SF_TRY(sf_require_as(c, sf_shape_rank(g->var) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0),
                         SF_THE_OP, "var must be at least 1 dimensional"));
    const SfDim rows = sf_shape_dim(g->var, 0);
    const SfValue *v = sf_input_value(c, indices);
    for (int64_t k = 0; v && sf_dim_is_known(rows) && k < sf_value_count(v); k++) {
        const SfElem e = sf_value_elem(v, k);
        if (e.kind == SF_ELEM_INT && (e.u.i < 0 || e.u.i >= rows)) {
            SF_TRY(sf_require_as(c, !op_is(c, IS_KerasMomentum), SF_DIAG_INDEX_RANGE,
                                 SF_INPUT(indices), SF_AXIS(0, 0),
                                 "indices[{0}] = {1} is not in [0, {2})", SF_INT_ARG(k),
                                 SF_INT_ARG(e.u.i), SF_DIM_ARG(rows)));
            return sf_fail_with(c, SF_DIAG_INDEX_RANGE, SF_INPUT(indices), SF_AXIS(0, 0),
                                "Index {0} at offset {1} in indices is out of range",
                                SF_INT_ARG(e.u.i), SF_INT_ARG(k));
        }
    }
    return SF_OK;
}

/* grad[n, ...] for the rows indices[n] of var; its other axes are the variable's. */
static SfStatus want_sparse(SfInfer *c, Gradient *of)
{
    const SfShape *g, *indices;
    const int grad = of->input;
    SF_TRY(sf_want_rank(c, SF_INPUT(grad + 1), 1, &indices));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(grad), 1, &g));
    SF_TRY(sf_want_equal(c, SF_AXIS(grad + 1, 0), sf_shape_dim(indices, 0), SF_AXIS(grad, 0),
                         sf_shape_dim(g, 0), NULL));
    if (sf_shape_is_ranked(g)) {
        g = sf_shape_replace(g, 0, SF_DIM_UNKNOWN);
    }
    const int rank = sf_shape_rank(of->var);
    if (sf_common_runs(c) && !op_is(c, IS_Adagrad | IS_AdagradV2)) {
        /* These kernels look at the variable's axes only: the gradient says nothing of its rank. */
        if (rank < 0) {
            return SF_OK;
        }
        g = rank > 0 && sf_shape_rank(g) > rank ? sf_shape_slice(g, 0, rank) : g;
    }
    return sf_want_merge(c, SF_INPUT(0), of->var, SF_INPUT(grad), g, &of->var);
}

static SfStatus want_gradient(SfInfer *c, Gradient *of)
{
    return is_sparse_at(c, of->input + 1)
               ? want_sparse(c, of)
               : sf_want_merge(c, SF_INPUT(0), of->var, SF_INPUT(of->input), sf_input(c, of->input),
                               &of->var);
}

static SfStatus check_gradient(SfInfer *c, const void *data)
{
    Gradient g = *(const Gradient *)data;
    return want_gradient(c, &g);
}

/* Since 2.0 construction takes the shape of a resource's gradient for unknown, but in two ops. */
static bool gradient_is_late(const SfInfer *c)
{
    const bool early = !op_is(c, SPARSE_STEP) && op_is(c, IS_GradientDescent | IS_ProximalAdagrad);
    return !early && is_resource(c) && sf_version(c) >= SF_VERSION(2, 0);
}

static SfStatus check_step_gradient(SfInfer *c, Gradient *g)
{
    const bool sparse = is_sparse_at(c, g->input + 1);
    if (sparse && sf_common_runs(c)) {
        SF_TRY(check_rows(
            c, &(Gradient){g->input, sf_shape_rank(g->var) == 0 ? g->var : sf_shape_unknown()}));
    }
    if (!gradient_is_late(c)) {
        SF_TRY(want_gradient(c, g));
    } else {
        if (sparse) {
            SF_TRY(sf_want_rank(c, SF_INPUT(g->input + 1), 1, NULL));
        }
        SF_TRY(sf_kernel_check(c, check_gradient, g));
    }
    return sparse ? sf_kernel_check(c, check_rows, g) : SF_OK;
}

/* The kernel's: a known scalar must be of the sign that the optimizer needs. */
static SfStatus check_sign(SfInfer *c, const void *data)
{
    const int i = *(const int *)data;
    const char *name = input_name(c, i);
    const int sign = wanted_sign(c, name);
    SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    if (sign == ANY || sf_version(c) < SF_VERSION(2, 0)) {
        return SF_OK;
    }
    const SfValue *v = sf_input_value(c, i);
    const SfElem e = v && sf_value_count(v) == 1 ? sf_value_elem(v, 0) : sf_elem_unknown();
    if (e.kind != SF_ELEM_FLOAT) {
        return SF_OK;
    }
    const bool zero_too = op_is(c, FTRLS) && sf_attr_bool(c, "multiply_linear_by_lr");
    const bool fits = sign == POSITIVE       ? e.u.f > 0 || (zero_too && e.u.f >= 0)
                      : sign == NOT_NEGATIVE ? e.u.f >= 0
                                             : e.u.f <= 0;
    return sf_require(c, fits, SF_INPUT(i), "{0}{1}{a.shape}", SF_TEXT_ARG(scalar_name(c, name)),
                      SF_TEXT_ARG(scalar_is_no(c, name)));
}

/* A scalar that its kernel (sign_decay) or construction (lr_power of FtrlV2) does not check. */
static SfStatus want_scalar(SfInfer *c, int i)
{
    const char *name = input_name(c, i);
    const bool late = strcmp(name, "lr_power") == 0 && op_is(c, IS_FtrlV2);
    if (!late && (!sf_common_runs(c) || strcmp(name, "sign_decay") != 0)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    return strcmp(name, "sign_decay") == 0 ? SF_OK : sf_kernel_check(c, check_sign, &i);
}

/* Slots that kernels take for granted. */
static bool is_unchecked(const SfInfer *c, int i)
{
    const char *name = input_name(c, i);
    return sf_common_runs(c) && !op_is(c, SPARSE_STEP) &&
           (strcmp(name, "accum_update") == 0 || strcmp(name, "vhat") == 0);
}

static SfStatus infer_apply(SfInfer *c)
{
    const SfShape *var = sf_variable_shape(c, 0);
    sf_kernel_messages(c, apply_messages);
    for (int i = 1; i < sf_input_count(c); i++) {
        if (is_unchecked(c, i)) {
            continue;
        }
        if (is_variable(c, i)) {
            SF_TRY(sf_want_merge(c, SF_INPUT(0), var, SF_INPUT(i), sf_variable_shape(c, i), &var));
        } else if (is_gradient(c, i)) {
            Gradient g = {i, var};
            SF_TRY(check_step_gradient(c, &g));
            var = g.var;
            i += is_sparse_at(c, i + 1);
        } else {
            SF_TRY(want_scalar(c, i));
        }
    }
    for (int i = 0; i < sf_input_count(c) && is_variable(c, i); i++) {
        sf_variable_forget(c, i);
    }
    if (sf_output_count(c) > 0) {
        SF_TRY(sf_set_output_shape(c, 0, var));
        sf_set_output_state(c, 0, 0);
    }
    return SF_OK;
}

/* About as many operations an element as there are inputs. */
static double cost_apply(SfInfer *c)
{
    const int n = sf_input_count(c);
    for (int i = 0; i < n; i++) {
        if (is_gradient(c, i)) {
            const SfDim count = sf_shape_count(sf_input(c, i));
            return sf_dim_is_known(count) ? (double)count * (n - 1) : -1.0;
        }
    }
    return 0;
}

/* table: each optimizer is four ops. V is the type of a variable, G the gradient with its
 * indices. */

/* clang-format off */
#define LOCKING "use_locking: bool = false"
#define NESTEROV ", use_nesterov: bool = false"
#define SLOTS ", update_slots: bool = true"
#define TIMES_LR ", multiply_linear_by_lr: bool = false"
#define DENSE "T: " SF_NUMBERTYPE ", " LOCKING
#define SPARSE "T: " SF_NUMBERTYPE ", Tindices: {int32, int64}, " LOCKING
#define STEP(name, in_, attrs_, ...) \
    SF_OP(name, .inputs = in_, .attrs = attrs_, .infer = infer_apply, .cost = cost_apply, \
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_MISSING, \
          .role = SF_ROLE_UPDATE, __VA_ARGS__)
#define REF "Ref(T)"
#define RES "resource"
#define GRAD "grad: T"
#define AT "grad: T, indices: Tindices"
#define OUT .outputs = "out: Ref(T)"
#define NO_OUT .outputs = NULL

#define DENSE_PAIR(name, in_, more) \
    STEP(Apply##name, in_(REF, GRAD), DENSE more, OUT, .variant = IS_##name), \
    STEP(ResourceApply##name, in_(RES, GRAD), DENSE more, NO_OUT, .variant = IS_##name)
#define SPARSE_PAIR(name, in_, more) \
    STEP(SparseApply##name, in_(REF, AT), SPARSE more, OUT, .variant = SPARSE_STEP | IS_##name), \
    STEP(ResourceSparseApply##name, in_(RES, AT), SPARSE more, NO_OUT, \
         .variant = SPARSE_STEP | IS_##name)
#define BOTH(name, in_, more) DENSE_PAIR(name, in_, more), SPARSE_PAIR(name, in_, more)

#define GRADIENT_DESCENT(V, G) "var: " V ", alpha: T, delta: T"
#define PROXIMAL_DESCENT(V, G) "var: " V ", alpha: T, l1: T, l2: T, delta: T"
#define PROXIMAL_DESCENT_AT(V, G) "var: " V ", alpha: T, l1: T, l2: T, " G
#define MOMENTUM(V, G) "var: " V ", accum: " V ", lr: T, " G ", momentum: T"
#define ADAM_IN "beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, "
#define ADAM(V, G) "var: " V ", m: " V ", v: " V ", " ADAM_IN G
#define AMSGRAD(V, G) "var: " V ", m: " V ", v: " V ", vhat: " V ", " ADAM_IN G
#define ADA_MAX(V, G) \
    "var: " V ", m: " V ", v: " V ", beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: T, " G
#define ADAGRAD(V, G) "var: " V ", accum: " V ", lr: T, " G
#define ADAGRAD_V2(V, G) "var: " V ", accum: " V ", lr: T, epsilon: T, " G
#define PROXIMAL_ADAGRAD(V, G) "var: " V ", accum: " V ", lr: T, l1: T, l2: T, " G
#define ADAGRAD_DA(V, G) \
    "var: " V ", gradient_accumulator: " V ", gradient_squared_accumulator: " V ", " G \
    ", lr: T, l1: T, l2: T, global_step: int64"
#define ADADELTA(V, G) \
    "var: " V ", accum: " V ", accum_update: " V ", lr: T, rho: T, epsilon: T, " G
#define RMS_PROP(V, G) \
    "var: " V ", ms: " V ", mom: " V ", lr: T, rho: T, momentum: T, epsilon: T, " G
#define CENTERED(V, G) \
    "var: " V ", mg: " V ", ms: " V ", mom: " V ", lr: T, rho: T, momentum: T, epsilon: T, " G
#define FTRL_IN(V, G) "var: " V ", accum: " V ", linear: " V ", " G ", lr: T, l1: T, l2: T, "
#define FTRL(V, G) FTRL_IN(V, G) "lr_power: T"
#define FTRL_V2(V, G) FTRL_IN(V, G) "l2_shrinkage: T, lr_power: T"
#define ADD_SIGN(V, G) "var: " V ", m: " V ", lr: T, alpha: T, sign_decay: T, beta: T, " G
#define POWER_SIGN(V, G) "var: " V ", m: " V ", lr: T, logbase: T, sign_decay: T, beta: T, " G

static const SfOpDef ops[] = {
    DENSE_PAIR(GradientDescent, GRADIENT_DESCENT, ""),
    DENSE_PAIR(ProximalGradientDescent, PROXIMAL_DESCENT, ""),
    SPARSE_PAIR(ProximalGradientDescent, PROXIMAL_DESCENT_AT, ""),
    BOTH(Momentum, MOMENTUM, NESTEROV),
    STEP(ResourceApplyKerasMomentum, MOMENTUM(RES, GRAD), DENSE NESTEROV, NO_OUT,
         .variant = IS_KerasMomentum),
    STEP(ResourceSparseApplyKerasMomentum, MOMENTUM(RES, AT), SPARSE NESTEROV, NO_OUT,
         .variant = SPARSE_STEP | IS_KerasMomentum),
    DENSE_PAIR(Adam, ADAM, NESTEROV),
    STEP(ResourceApplyAdamWithAmsgrad, AMSGRAD(RES, GRAD), DENSE, NO_OUT, .variant = IS_Adam),
    DENSE_PAIR(AdaMax, ADA_MAX, ""),
    BOTH(Adagrad, ADAGRAD, SLOTS),
    BOTH(AdagradV2, ADAGRAD_V2, SLOTS),
    BOTH(AdagradDA, ADAGRAD_DA, ""),
    BOTH(ProximalAdagrad, PROXIMAL_ADAGRAD, ""),
    BOTH(Adadelta, ADADELTA, ""),
    BOTH(RMSProp, RMS_PROP, ""),
    BOTH(CenteredRMSProp, CENTERED, ""),
    BOTH(Ftrl, FTRL, TIMES_LR),
    BOTH(FtrlV2, FTRL_V2, TIMES_LR),
    DENSE_PAIR(AddSign, ADD_SIGN, ""),
    DENSE_PAIR(PowerSign, POWER_SIGN, ""),
};
/* clang-format on */
const SfOpTable sf_ops_training = {ops, SF_ARRAY_LEN(ops), "training"};
