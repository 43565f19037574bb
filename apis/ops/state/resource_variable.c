/* Variables behind resource handles (TensorFlow 2 and use_resource=True).
 * Source: resource_variable_ops.cc (shape functions and kernels), array_ops.cc (GatherNdShape). */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/array/strided_slice.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/state/variable.h"

#define SF_1_13 SF_VERSION(1, 13)
#define SF_2_0  SF_VERSION(2, 0)

/* handles */

/* The variable is gone until it is assigned again. */
static SfStatus infer_destroy(SfInfer *c)
{
    SfState now;
    if (sf_state_read(c, 0, &now)) {
        now.initialized = false;
        now.value = NULL;
        sf_state_write(c, 0, &now);
    }
    return SF_OK;
}

/* VariableShape: the content's shape as a vector; its length is the rank. */
static SfStatus infer_variable_shape(SfInfer *c)
{
    const SfShape *s = sf_variable_shape(c, 0);
    const int rank = sf_shape_rank(s);
    SF_TRY(sf_set_output_vector(c, 0, rank < 0 ? SF_DIM_UNKNOWN : rank));
    sf_fold_set_output_value(c, 0, sf_value_from_shape(s, sf_attr_type(c, "out_type")));
    return SF_OK;
}

/* reading and assigning */

static SfStatus infer_read(SfInfer *c)
{
    SfState now;
    const SfShape *shape;
    SF_TRY(sf_variable_handle(c, "dtype", &shape));
    SF_TRY(sf_set_output_shape(c, 0, shape));
    if (sf_phase(c) == SF_PHASE_RUN && sf_state_read(c, 0, &now)) {
        sf_set_output_value(c, 0, now.value);
    }
    return SF_OK;
}

static const SfMessage assign_messages[] = {
    {.args = sf_variable_message_args,
     .text =
         "Trying to assign to variable with tensor with wrong shape. Expected {0} got {shape 1}"},
    {0}};

/* AssignVariableOp: construction compares with the declared shape; the kernel takes any shape
 * unless attr validate_shape is set. */
static SfStatus infer_assign(SfInfer *c)
{
    const SfShape *var, *shape = sf_input(c, 1);
    SF_TRY(sf_variable_handle(c, "dtype", &var));
    if (sf_phase(c) == SF_PHASE_BUILD || sf_attr_bool(c, "validate_shape")) {
        sf_kernel_messages(c, assign_messages);
        SF_TRY(sf_want_merge(c, SF_INPUT(0), var, SF_INPUT(1), shape, &shape));
    }
    sf_variable_assign(c, 0, 1, shape);
    return SF_OK;
}

static const SfMessage update_messages[] = {
    {SF_ON_MERGE, .args = sf_variable_message_args,
     .text = "Cannot update variable with shape {0} using a Tensor with shape {shape 1}, shapes "
             "must be equal."},
    {0}};

static SfStatus infer_assign_update(SfInfer *c)
{
    const SfShape *var;
    sf_kernel_messages(c, update_messages);
    SF_TRY(sf_variable_handle(c, "dtype", &var));
    /* Kernels before 1.13 took any operand. */
    if (sf_phase(c) == SF_PHASE_BUILD || sf_version(c) >= SF_1_13) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), var, SF_INPUT(1), sf_input(c, 1), NULL));
    }
    sf_variable_update(c, 0, 1);
    return SF_OK;
}

/* ResourceCountUpTo */

static SfStatus infer_count_up_to(SfInfer *c)
{
    SfState now;
    int64_t n;
    const SfDtype t = sf_attr_type(c, "T");
    SF_TRY(sf_set_output_scalar(c, 0));
    if (!sf_state_read(c, 0, &now)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, now.dtype == SF_DT_INVALID || sf_dtype_base(now.dtype) == t,
                         SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_ATTR("T"),
                         "Data types do not match: {0} and {1}", SF_DTYPE_ARG(t),
                         SF_DTYPE_ARG(sf_dtype_base(now.dtype))));
    const int rank = sf_shape_rank(now.shape);
    SF_TRY(sf_require_as(c, rank <= 0 || !sf_common_runs(c), SF_DIAG_RANK_EXACT, SF_INPUT(0),
                         SF_THE_OP, "input is not a scalar: {0}", SF_SHAPE_ARG(now.shape)));
    if (rank > 0) {
        return sf_fail(c, SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_THE_OP, SF_RANK_ARG(0),
                       SF_RANK_ARG(rank));
    }
    if (sf_phase(c) != SF_PHASE_RUN || !sf_value_as_int(now.value, &n)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, n < sf_attr_int(c, "limit"), SF_DIAG_END_OF_DATA, SF_INPUT(0),
                         SF_ATTR("limit"), "Reached limit of {attr limit}"));
    sf_set_output_value(c, 0, sf_value_int(t, n));
    now.value = sf_value_int(t, n + 1);
    sf_state_write(c, 0, &now);
    return SF_OK;
}

/* gathering */

static SfStatus want_var_rank_at_least(SfInfer *c, const SfShape *var, int rank)
{
    const int is = sf_shape_rank(var);
    if (is < 0 || is >= rank) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, !sf_common_runs(c), SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "params must be at least {0} dimensional", SF_INT_ARG(rank)));
    return sf_fail(c, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP, SF_RANK_ARG(rank),
                   SF_RANK_ARG(is));
}

/* The leading axes that both have in common; only running, TensorFlow finds out that the indices
 * have more (and aborts): with fewer it goes on. */
static SfStatus check_batch(SfInfer *c, const SfShape *var, int batch)
{
    const SfDim rows = sf_shape_count(sf_shape_slice(var, 0, batch));
    const SfDim given = sf_shape_count(sf_shape_slice(sf_input(c, 1), 0, batch));
    if (!sf_dim_is_known(rows) || !sf_dim_is_known(given) || given <= rows) {
        return SF_OK;
    }
    for (int i = 0; i < batch && sf_common_runs(c); i++) {
        SF_TRY(sf_want_equal(c, SF_AXIS(0, i), sf_shape_dim(var, i), SF_AXIS(1, i),
                             sf_input_dim(c, 1, i), NULL));
    }
    return SF_OK;
}

/* Without indices kernels do not look at the variable's dtype. */
static SfStatus gathered_handle(SfInfer *c, const SfShape **var)
{
    if (sf_common_runs(c) && sf_dim_lower(sf_shape_count(sf_input(c, 1))) <= 0) {
        *var = sf_variable_shape(c, 0);
        return SF_OK;
    }
    return sf_variable_handle(c, "dtype", var);
}

/* ResourceGather: var[:b] + indices[b:] + var[b+1:]. */
static SfStatus infer_gather(SfInfer *c)
{
    const SfShape *var, *indices;
    const int64_t given = sf_attr_int(c, "batch_dims");
    SF_TRY(gathered_handle(c, &var));
    SF_TRY(sf_expect(c, given >= 0, SF_ATTR("batch_dims"), "batch_dims is negative ({0})",
                     SF_INT_ARG(given)));
    const int batch = given < SF_RANK_MAX ? (int)given : SF_RANK_MAX;
    SF_TRY(want_var_rank_at_least(c, var, batch + 1));
    indices = sf_input(c, 1);
    const int known = sf_shape_rank(indices);
    if (sf_common_runs(c) && known >= 0 && known < batch) {
        return sf_set_output_unknown(c, 0); /* the kernel does not look */
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), batch, &indices));
    SF_TRY(check_batch(c, var, batch));
    SF_TRY(sf_variable_indices(c, batch, sf_shape_dim(var, batch)));
    const SfShape *before = batch ? sf_shape_slice(var, 0, batch) : sf_shape_scalar();
    const SfShape *at = sf_shape_slice(indices, batch, SF_RANK_MAX);
    const SfShape *after = sf_shape_slice(var, batch + 1, SF_RANK_MAX);
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_shape_concat(before, at), after));
}

static const SfMessage gather_nd_messages[] = {
    {SF_ON(RANK_AT_LEAST), SF_OF(1), .text = "indices must be at least a vector"}, {0}};

/* ResourceGatherNd: indices[..., k] -> indices[:-1] + var[k:]. */
static SfStatus infer_gather_nd(SfInfer *c)
{
    const SfShape *var, *indices;
    SF_TRY(gathered_handle(c, &var));
    if (sf_common_runs(c)) {
        SF_TRY(want_var_rank_at_least(c, var, 1));
    }
    sf_kernel_messages(c, gather_nd_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, &indices));
    const SfDim depth = sf_shape_dim(indices, -1);
    const int rank = sf_shape_rank(var);
    if (rank < 0 || !sf_dim_is_known(depth)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_require_as(
        c, depth <= rank || !sf_common_runs(c), SF_DIAG_OP_SHAPE, SF_AXIS(1, -1), SF_INPUT(0),
        "index innermost dimension length must be <= params rank; saw: {0} vs. {1}",
        SF_DIM_ARG(depth), SF_INT_ARG(rank)));
    SF_TRY(sf_require_as(c, depth <= rank, SF_DIAG_OP_SHAPE, SF_AXIS(1, -1), SF_INPUT(0),
                         "indices.shape[-1] must be <= params.rank, but saw indices shape: {0} and "
                         "params shape: {1}",
                         SF_SHAPE_ARG(indices), SF_SHAPE_ARG(var)));
    const SfShape *rows = sf_common_batch(indices, 1);
    SF_TRY(sf_require_as(c,
                         !sf_common_runs(c) || !rows || sf_shape_count(var) != 0 ||
                             sf_dim_lower(sf_shape_count(rows)) <= 0,
                         SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(1),
                         "Requested more than 0 entries, but params is empty.  Params shape: {0}",
                         SF_SHAPE_ARG(var)));
    SF_TRY(sf_variable_rows(c, var, "param shape"));
    return sf_set_output_shape(
        c, 0,
        sf_shape_concat(sf_shape_slice(indices, 0, -1), sf_shape_slice(var, (int)depth, rank)));
}

/* scattering */

static SfStatus infer_scatter(SfInfer *c)
{
    const SfShape *var;
    SF_TRY(sf_variable_handle(c, "dtype", &var));
    return sf_variable_scatter(c, var);
}

static SfStatus infer_scatter_nd(SfInfer *c)
{
    return sf_variable_scatter_nd(c, sf_variable_shape(c, 0));
}

static SfStatus fail_sliced(SfInfer *c, const SfShape *part)
{
    const char *is = sf_shape_text(c, sf_input(c, 4)), *want = sf_shape_text(c, part);
    return sf_version(c) < SF_2_0
               ? sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(4), SF_INPUT(0),
                              "sliced l-value shape {0} does not match r-value shape {1}. "
                              "Automatic broadcasting not yet implemented.",
                              SF_TEXT_ARG(want), SF_TEXT_ARG(is))
               : sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(4), SF_INPUT(0),
                              "Cannot broadcast input shape {0} into final shape {1}",
                              SF_TEXT_ARG(is), SF_TEXT_ARG(want));
}

/* ResourceStridedSliceAssign: construction looks at nothing; from 2.x on the value broadcasts. */
static SfStatus check_strided(SfInfer *c)
{
    SfStrided plan;
    SF_TRY(sf_strided_plan(c, 1, SF_INPUT(0), sf_variable_shape(c, 0), &plan));
    const SfShape *part = sf_strided_shape(&plan), *value = sf_input(c, 4);
    if (sf_version(c) >= SF_2_0 && part && !sf_dim_never(sf_shape_count(part), 0)) {
        return SF_OK; /* where nothing is written, anything may come */
    }
    /* Axes of size 1 in front of the value are not counted. */
    while (value && part && sf_shape_is_ranked(part) &&
           sf_shape_rank(value) > sf_shape_rank(part) && !sf_dim_never(sf_shape_dim(value, 0), 1)) {
        value = sf_shape_slice(value, 1, sf_shape_rank(value));
    }
    const SfShape *both = !part || !value          ? NULL
                          : sf_version(c) < SF_2_0 ? sf_shape_meet(part, sf_input(c, 4))
                                                   : sf_shape_broadcast(part, value, NULL);
    both = both && !sf_shape_is_bottom(both) ? sf_shape_meet(both, part) : both;
    SF_TRY_ALLOC(both);
    return sf_shape_is_bottom(both) ? fail_sliced(c, part) : SF_OK;
}

static SfStatus infer_strided_assign(SfInfer *c)
{
    sf_variable_forget(c, 0);
    return sf_ask_kernel(c, check_strided);
}

/* table */

/* clang-format off */
#define WRITES (SF_OP_STATEFUL | SF_OP_WRITES)
#define NO_COST .cost = sf_common_cost_none
#define GATHERS (SF_GRAD_INPUTS(1u))
#define UPDATE(name, variant_, range_) \
    SF_OP(name, .inputs = "resource: resource, value: dtype", .attrs = "dtype: type", \
          .infer = infer_assign_update, .cost = sf_common_cost_none, .traits = WRITES, \
          .grad = SF_GRAD_MISSING, .variant = (variant_), .range = (range_))
#define SCATTER(name, types, range_) \
    SF_OP(name, .inputs = "resource: resource, indices: Tindices, updates: dtype", \
          .attrs = "dtype: " types ", Tindices: {int32, int64}", .infer = infer_scatter, \
          .cost = sf_common_cost_none, .traits = WRITES, .grad = SF_GRAD_MISSING, \
          .range = range_)
#define SCATTER_ND(name) \
    SF_OP(name, .inputs = "ref: resource, indices: Tindices, updates: T", \
          .attrs = "T: type, Tindices: {int32, int64}, use_locking: bool = true, " \
                   "bad_indices_policy: string = ''", \
          .infer = infer_scatter_nd, .cost = sf_common_cost_none, .traits = WRITES, \
          .grad = SF_GRAD_MISSING, .range = sf_range_scatter)

static const SfOpDef ops[] = {
    SF_OP(VarHandleOp, .outputs = "resource: resource",
          .attrs = "container: string = '', shared_name: string = '', debug_name: string = '', "
                   "dtype: type, shape: shape, allowed_devices: list(string) = []",
          .infer = sf_infer_scalar, NO_COST, .traits = SF_OP_STATEFUL | SF_OP_STATE,
          .role = SF_ROLE_VARIABLE),
    SF_OP(VarIsInitializedOp, .inputs = "resource: resource", .outputs = "is_initialized: bool",
          .infer = sf_variable_is_initialized, NO_COST, .grad = SF_GRAD_NONE,
          .traits = SF_OP_STATEFUL | SF_OP_UNINIT_OK | SF_OP_BOOKKEEPING),
    SF_OP(DestroyResourceOp, .inputs = "resource: resource",
          .attrs = "ignore_lookup_error: bool = true", .infer = infer_destroy, NO_COST,
          .traits = WRITES | SF_OP_UNINIT_OK, .grad = SF_GRAD_MISSING),
    SF_OP(VariableShape, .inputs = "input: resource", .outputs = "output: out_type",
          .attrs = "out_type: {int32, int64} = int32", .infer = infer_variable_shape, NO_COST,
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(ReadVariableOp, .inputs = "resource: resource", .outputs = "value: dtype",
          .attrs = "dtype: type", .infer = infer_read, NO_COST, .grad = GATHERS,
          .role = SF_ROLE_READ_VARIABLE, .traits = SF_OP_STATEFUL | SF_OP_PASSES_GRADIENT,
          .range = sf_range_read),
    SF_OP(AssignVariableOp, .inputs = "resource: resource, value: dtype",
          .attrs = "dtype: type, validate_shape: bool = false", .infer = infer_assign, NO_COST,
          .traits = WRITES | SF_OP_UNINIT_OK, .grad = SF_GRAD_MISSING, .role = SF_ROLE_ASSIGN,
          .range = sf_range_assign),
    UPDATE(AssignAddVariableOp, 0, sf_range_assign_add),
    UPDATE(AssignSubVariableOp, SF_VARIABLE_SUBTRACTS, sf_range_assign_sub),
    SF_OP(ResourceCountUpTo, .inputs = "resource: resource", .outputs = "output: T",
          .attrs = "limit: int, T: {int32, int64}", .infer = infer_count_up_to, NO_COST,
          .traits = WRITES, .grad = SF_GRAD_MISSING),
    SF_OP(ResourceGather, .inputs = "resource: resource, indices: Tindices",
          .outputs = "output: dtype",
          .attrs = "batch_dims: int = 0, validate_indices: bool = true, dtype: type, "
                   "Tindices: {int32, int64}",
          .infer = infer_gather, NO_COST, .traits = SF_OP_STATEFUL, .grad = GATHERS,
          .role = SF_ROLE_GATHER, .range = sf_range_read),
    SF_OP(ResourceGatherNd, .inputs = "resource: resource, indices: Tindices",
          .outputs = "output: dtype", .attrs = "dtype: type, Tindices: {int32, int64}",
          .infer = infer_gather_nd, NO_COST, .traits = SF_OP_STATEFUL, .grad = GATHERS,
          .role = SF_ROLE_GATHER_ND, .range = sf_range_read),
    SCATTER(ResourceScatterUpdate, "type", sf_range_scatter),
    SCATTER(ResourceScatterAdd, SF_NUMBERTYPE, sf_range_scatter_add),
    SCATTER(ResourceScatterSub, SF_NUMBERTYPE, sf_range_scatter),
    SCATTER(ResourceScatterMul, SF_NUMBERTYPE, sf_range_scatter),
    SCATTER(ResourceScatterDiv, SF_NUMBERTYPE, sf_range_scatter),
    SCATTER(ResourceScatterMin, SF_NUMBERTYPE, sf_range_scatter),
    SCATTER(ResourceScatterMax, SF_NUMBERTYPE, sf_range_scatter),
    SCATTER_ND(ResourceScatterNdUpdate),
    SCATTER_ND(ResourceScatterNdAdd),
    SCATTER_ND(ResourceScatterNdSub),
    SCATTER_ND(ResourceScatterNdMax),
    SCATTER_ND(ResourceScatterNdMin),
    SF_OP(ResourceStridedSliceAssign,
          .inputs = "ref: resource, begin: Index, end: Index, strides: Index, value: T",
          .attrs = "T: type, Index: {int32, int64}, begin_mask: int = 0, end_mask: int = 0, "
                   "ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0",
          .infer = infer_strided_assign, NO_COST, .traits = WRITES, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_resource = {ops, SF_ARRAY_LEN(ops), "resource"};
