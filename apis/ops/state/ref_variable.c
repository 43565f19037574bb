/* Variables behind references (TensorFlow 1): making, assigning and scattering into them.
 * Source: state_ops.cc; kernels: variable_ops.cc, assign_op.h, dense_update_ops.cc,
 * count_up_to_op.cc; Verma and Su 2020, figure 8 (an assignment may change the shape). */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/state/variable.h"

/* variables */

/* What it holds now; before the first assignment, and while a graph is built, what was declared. */
static SfStatus set_output_variable(SfInfer *c, const SfShape *declared)
{
    SfState now;
    if (sf_phase(c) != SF_PHASE_RUN || !sf_state_read(c, -1, &now) || !now.initialized) {
        return sf_set_output_shape(c, 0, declared);
    }
    SF_TRY(sf_set_output_shape(c, 0, now.shape));
    sf_set_output_value(c, 0, now.value);
    return SF_OK;
}

static SfStatus infer_variable_v2(SfInfer *c)
{
    return set_output_variable(c, sf_attr_shape(c, "shape"));
}

/* Variable of GraphDef version 1 cannot tell a scalar from an unknown shape. */
static SfStatus infer_variable(SfInfer *c)
{
    const SfShape *s = sf_attr_shape(c, "shape");
    return set_output_variable(c, sf_shape_rank(s) > 0 ? s : sf_shape_unknown());
}

/* Allocated, hence initialised, whenever it runs. */
static SfStatus infer_temporary(SfInfer *c)
{
    const SfShape *s = sf_attr_shape(c, "shape");
    sf_state_write(c, -1, &(SfState){s, NULL, true, sf_attr_type(c, "dtype")});
    return sf_set_output_shape(c, 0, s);
}

static SfStatus infer_destroy_temporary(SfInfer *c)
{
    SF_TRY(sf_set_output_same(c, 0, 0));
    sf_set_output_value(c, 0, sf_input_value(c, 0));
    return SF_OK;
}

/* assignments */

/* The output is the reference, with what is known of its content after the write. */
static SfStatus set_output_ref(SfInfer *c, const SfShape *shape)
{
    SfState now;
    SF_TRY(sf_set_output_shape(c, 0, shape));
    sf_set_output_state(c, 0, 0);
    if (sf_phase(c) == SF_PHASE_RUN && sf_state_read(c, 0, &now)) {
        sf_set_output_value(c, 0, now.value);
    }
    return SF_OK;
}

/* The kernel compares with the buffer as it is: that of a variable declared without a shape is a
 * scalar until something was assigned. */
static const SfShape *assigned_shape(SfInfer *c)
{
    SfState now;
    const SfShape *s = sf_input(c, 0);
    const bool empty = sf_phase(c) == SF_PHASE_RUN && !sf_shape_is_ranked(s) &&
                       sf_state_read(c, 0, &now) && !now.initialized &&
                       !sf_shape_is_ranked(now.shape);
    return empty ? sf_shape_scalar() : s;
}

static int assign_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_SHAPE_ARG(assigned_shape(c));
    out[1] = SF_SHAPE_ARG(sf_input(c, 1));
    return 2;
}

static const SfMessage assign_messages[] = {{SF_AS(ASSIGN_SHAPE), .args = assign_args}, {0}};

/* Assign: without validate_shape the variable takes the value's shape, whatever it was. */
static SfStatus infer_assign(SfInfer *c)
{
    const SfShape *shape = sf_input(c, 1);
    if (sf_attr_bool(c, "validate_shape")) {
        sf_kernel_messages(c, assign_messages);
        SF_TRY(sf_want_merge(c, SF_INPUT(0), assigned_shape(c), SF_INPUT(1), shape, &shape));
    }
    sf_variable_assign(c, 0, 1, shape);
    return set_output_ref(c, shape);
}

static const SfMessage update_messages[] = {{.text = "Parameters and update must be the same size"},
                                            {0}};

static SfStatus infer_assign_update(SfInfer *c)
{
    const SfShape *shape;
    sf_kernel_messages(c, update_messages);
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &shape));
    sf_variable_update(c, 0, 1);
    return set_output_ref(c, shape);
}

/* CountUpTo */

static const SfMessage count_messages[] = {
    {SF_ON(RANK_EXACT), .text = "input is not a scalar: {shape 0}"}, {0}};

/* CountUpTo: gives the content and adds one; at the limit it ends the program's loop. */
static SfStatus infer_count_up_to(SfInfer *c)
{
    SfState now;
    int64_t n;
    const int64_t limit = sf_attr_int(c, "limit");
    const SfDtype t = sf_attr_type(c, "T");
    sf_kernel_messages(c, count_messages);
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(sf_set_output_scalar(c, 0));
    if (sf_phase(c) != SF_PHASE_RUN || !sf_state_read(c, 0, &now) ||
        !sf_value_as_int(now.value, &n)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, n < limit, SF_DIAG_END_OF_DATA, SF_INPUT(0), SF_ATTR("limit"),
                         "Reached limit of {0}", SF_INT_ARG(limit)));
    sf_set_output_value(c, 0, sf_value_int(t, n));
    now.value = sf_value_int(t, n + 1);
    sf_state_write(c, 0, &now);
    return SF_OK;
}

/* Scatter */

static SfStatus infer_scatter(SfInfer *c)
{
    const SfShape *var = sf_input(c, 0);
    SF_TRY(sf_variable_scatter(c, var));
    return set_output_ref(c, var);
}

static SfStatus infer_scatter_nd(SfInfer *c)
{
    const SfShape *var = sf_input(c, 0);
    SF_TRY(sf_variable_scatter_nd(c, var));
    return set_output_ref(c, var);
}

/* table */

/* clang-format off */
#define VARIABLE "shape: shape, dtype: type, container: string = '', shared_name: string = ''"
#define OWNS (SF_OP_STATEFUL | SF_OP_STATE)
#define SCATTER_IN "ref: Ref(T), indices: Tindices, updates: T"
#define SCATTER(name, infer_, types, locking, more, grad_, range_) \
    SF_OP(name, .inputs = SCATTER_IN, .outputs = "output_ref: Ref(T)", \
          .attrs = "T: " types ", Tindices: {int32, int64}, use_locking: bool = " locking more, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_WRITES | SF_OP_STATEFUL, \
          .grad = grad_, .range = range_)
#define SCATTER_TYPES "{half, bfloat16, float, double, int32, int64}"
#define POLICY ", bad_indices_policy: string = ''"

static const SfOpDef ops[] = {
    SF_OP(Variable, .outputs = "ref: Ref(dtype)", .attrs = VARIABLE, .infer = infer_variable,
          .cost = sf_common_cost_none, .traits = OWNS, .role = SF_ROLE_VARIABLE,
          .range = sf_range_variable),
    SF_OP(VariableV2, .outputs = "ref: Ref(dtype)", .attrs = VARIABLE, .infer = infer_variable_v2,
          .cost = sf_common_cost_none, .traits = OWNS, .role = SF_ROLE_VARIABLE,
          .range = sf_range_variable),
    SF_OP(TemporaryVariable, .outputs = "ref: Ref(dtype)",
          .attrs = "shape: shape, dtype: type, var_name: string = ''", .infer = infer_temporary,
          .cost = sf_common_cost_none, .traits = OWNS),
    SF_OP(DestroyTemporaryVariable, .inputs = "ref: Ref(T)", .outputs = "value: T",
          .attrs = "T: type, var_name: string", .infer = infer_destroy_temporary,
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL),
    SF_OP(IsVariableInitialized, .inputs = "ref: Ref(dtype)", .outputs = "is_initialized: bool",
          .attrs = "dtype: type", .infer = sf_variable_is_initialized, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_UNINIT_OK | SF_OP_BOOKKEEPING, .grad = SF_GRAD_NONE),
    SF_OP(Assign, .inputs = "ref: Ref(T), value: T", .outputs = "output_ref: Ref(T)",
          .attrs = "T: type, validate_shape: bool = true, use_locking: bool = true",
          .infer = infer_assign, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES | SF_OP_UNINIT_OK, .grad = SF_GRAD_NONE,
          .role = SF_ROLE_ASSIGN, .range = sf_range_assign),
    SF_OP(AssignAdd, .inputs = "ref: Ref(T), value: T", .outputs = "output_ref: Ref(T)",
          .attrs = "T: " SF_NUMBERTYPE ", use_locking: bool = false", .infer = infer_assign_update,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_NONE,
          .range = sf_range_assign_add),
    SF_OP(AssignSub, .inputs = "ref: Ref(T), value: T", .outputs = "output_ref: Ref(T)",
          .attrs = "T: " SF_NUMBERTYPE ", use_locking: bool = false", .infer = infer_assign_update,
          .variant = SF_VARIABLE_SUBTRACTS,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_NONE,
          .range = sf_range_assign_sub),
    SF_OP(CountUpTo, .inputs = "ref: Ref(T)", .outputs = "output: T",
          .attrs = "limit: int, T: {int32, int64}", .infer = infer_count_up_to,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_MISSING),
    SCATTER(ScatterUpdate, infer_scatter, "type", "true", "", SF_GRAD_MISSING, sf_range_scatter),
    SCATTER(ScatterAdd, infer_scatter, SF_NUMBERTYPE, "false", "", SF_GRAD_NONE,
            sf_range_scatter_add),
    SCATTER(ScatterSub, infer_scatter, SF_NUMBERTYPE, "false", "", SF_GRAD_NONE, sf_range_scatter),
    SCATTER(ScatterMul, infer_scatter, SF_NUMBERTYPE, "false", "", SF_GRAD_NONE, sf_range_scatter),
    SCATTER(ScatterDiv, infer_scatter, SF_NUMBERTYPE, "false", "", SF_GRAD_NONE, sf_range_scatter),
    SCATTER(ScatterMin, infer_scatter, SCATTER_TYPES, "false", "", SF_GRAD_MISSING,
            sf_range_scatter),
    SCATTER(ScatterMax, infer_scatter, SCATTER_TYPES, "false", "", SF_GRAD_MISSING,
            sf_range_scatter),
    SCATTER(ScatterNdUpdate, infer_scatter_nd, "type", "true", POLICY, SF_GRAD_NONE,
            sf_range_scatter),
    SCATTER(ScatterNdAdd, infer_scatter_nd, SF_NUMBERTYPE, "false", POLICY, SF_GRAD_NONE,
            sf_range_scatter_add),
    SCATTER(ScatterNdSub, infer_scatter_nd, SF_NUMBERTYPE, "false", POLICY, SF_GRAD_NONE,
            sf_range_scatter),
    SCATTER(ScatterNdMax, infer_scatter_nd, SF_NUMBERTYPE, "false", POLICY, SF_GRAD_MISSING,
            sf_range_scatter),
    SCATTER(ScatterNdMin, infer_scatter_nd, SF_NUMBERTYPE, "false", POLICY, SF_GRAD_MISSING,
            sf_range_scatter),
};
/* clang-format on */
const SfOpTable sf_ops_state = {ops, SF_ARRAY_LEN(ops), "state"};
