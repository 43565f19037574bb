/* Accumulators of gradients, and barriers: state with declared shapes. Construction checks
 * almost nothing; the kernels compare with what the owner declares. An accumulator whose
 * declared shape is partly unknown takes that of its first gradient, so an output is only known
 * as far as it was declared. Source: data_flow_ops.cc, conditional_accumulator.h,
 * sparse_conditional_accumulator.h, barrier_ops.cc. */

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "core/graph/graph.h"

/* accumulators */

/* Construction says (container, name) of any handle; that of a resource is a scalar all the
 * same. */
static SfStatus infer_pair(SfInfer *c)
{
    if (sf_phase(c) == SF_PHASE_EAGER && !sf_dtype_is_ref(sf_output_dtype(c, 0))) {
        return sf_set_output_scalar(c, 0);
    }
    return sf_set_output_vector(c, 0, 2);
}

/* What the owner behind the handle declares; unknown rank when there is none. */
static const SfShape *declared(const SfInfer *c)
{
    const SfNode *owner = sf_input_state_node(c, 0);
    const SfAttr *a = owner ? sf_node_attr(owner, "shape") : NULL;
    return a && a->type == SF_ATTR_SHAPE && a->u.shape ? a->u.shape : sf_shape_unknown();
}

static SfStatus apply_kernel(SfInfer *c)
{
    const SfShape *want = declared(c), *is = sf_input(c, 2);
    return sf_require_as(c, sf_shape_compatible(want, is), SF_DIAG_MERGE_DIM, SF_INPUT(2),
                         SF_INPUT(0), "Shape mismatch: expected {0}, got {1}", SF_SHAPE_ARG(want),
                         SF_SHAPE_ARG(is));
}

/* Indices of rows, their values, and the shape that all of it has: axis `i` of the values. */
static SfStatus want_row_dim(SfInfer *c, int i, SfDim want)
{
    const SfElem e = sf_common_elem(c, 4, i);
    const SfDim is = sf_input_dim(c, 3, i);
    if (!sf_dim_is_known(want)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || e.u.i == want, SF_DIAG_MERGE_DIM, SF_INPUT(4),
                         SF_INPUT(0), "Shape mismatch: expected shape dim {0} to be {1}, got {2}",
                         SF_INT_ARG(i), SF_DIM_ARG(want), SF_INT_ARG(e.u.i)));
    return sf_require_as(c, i == 0 || !sf_dim_is_known(is) || is == want, SF_DIAG_MERGE_DIM,
                         SF_AXIS(3, i), SF_INPUT(0),
                         "Shape mismatch: expected values dim {0} to be {1}, got {2}",
                         SF_INT_ARG(i), SF_DIM_ARG(want), SF_DIM_ARG(is));
}

static SfStatus sparse_apply_kernel(SfInfer *c)
{
    const SfShape *indices = sf_input(c, 2), *values = sf_input(c, 3), *want = declared(c);
    const SfDim n = sf_shape_count(indices), rows = sf_input_dim(c, 3, 0);
    SF_TRY(sf_require_rank(c, 2, 1, "Input indices should be vector but received shape: {0}",
                           SF_SHAPE_ARG(indices)));
    SF_TRY(sf_require_as(c, sf_shape_rank(values) != 0, SF_DIAG_RUN_REFUSED, SF_INPUT(3),
                         SF_INPUT(0), "Values cannot be 0-dimensional."));
    SF_TRY(sf_require_equal(c, SF_AXIS(3, 0), rows, SF_AXIS(2, 0), n,
                            "Expected {0} non-empty input values, got {1}", SF_DIM_ARG(n),
                            SF_DIM_ARG(rows)));
    for (int i = 0; i < sf_shape_rank(want) && i < sf_shape_rank(values); i++) {
        SF_TRY(want_row_dim(c, i, sf_shape_dim(want, i)));
    }
    return SF_OK;
}

static const SfCheck take_checks[] = {
    {SF_INT_AT_LEAST(1, 1), .text = "Argument num_required must be positive, but was {1}"}, {0}};

static SfStatus infer_take(SfInfer *c)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    return sf_set_output_shape(c, 0, declared(c));
}

/* barriers */

static SfStatus barrier_kernel(SfInfer *c)
{
    const SfShape *const *shapes;
    const SfDtype *types;
    const int n = sf_attr_shapes(c, "shapes", &shapes);
    SF_TRY(sf_require(c, n == sf_attr_types(c, "component_types", &types), SF_ATTR("shapes"),
                      "All of the component shapes must be specified"));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_require(c, !sf_shape_is_ranked(shapes[i]) || sf_shape_is_known(shapes[i]),
                          SF_ATTR("shapes"), "Shape {0} is not fully defined",
                          SF_SHAPE_ARG(shapes[i])));
    }
    return SF_OK;
}

static SfStatus want_handle(SfInfer *c)
{
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    return sf_want_dim(c, SF_AXIS(0, 0), 2);
}

/* Component `i` of the barrier behind the handle; NULL: not known. */
static const SfShape *barrier_component(const SfInfer *c, int64_t i, int *ncomponents)
{
    const SfNode *owner = sf_input_state_node(c, 0);
    const SfAttr *shapes = owner ? sf_node_attr(owner, "shapes") : NULL;
    *ncomponents = -1;
    if (!shapes || shapes->type < SF_ATTR_LIST) {
        return NULL;
    }
    *ncomponents = shapes->u.list.n;
    return i >= 0 && i < shapes->u.list.n ? shapes->u.list.u.shape[i] : NULL;
}

static SfStatus insert_kernel(SfInfer *c)
{
    const int64_t index = sf_attr_int(c, "component_index");
    int n;
    const SfShape *want = barrier_component(c, index, &n), *is = sf_input(c, 2);
    SF_TRY(sf_require_as(c, n <= 0 || index < n, SF_DIAG_INDEX_RANGE, SF_ATTR("component_index"),
                         SF_INPUT(0),
                         "The component ID is out of range {0} > num_components (= {1})",
                         SF_INT_ARG(index), SF_INT_ARG(n)));
    if (!want || !sf_shape_is_ranked(want) || sf_shape_rank(is) < 1) {
        return SF_OK;
    }
    const SfShape *one = sf_shape_slice(is, 1, sf_shape_rank(is));
    SF_TRY_ALLOC(one);
    /* The queue below counts the priority and the index of insertion before it. */
    return sf_require_as(c, sf_shape_compatible(one, want), SF_DIAG_MERGE_DIM, SF_INPUT(2),
                         SF_INPUT(0),
                         "Shape mismatch in tuple component {0}. Expected {1}, got {2}",
                         SF_INT_ARG(index + 2), SF_SHAPE_ARG(want), SF_SHAPE_ARG(one));
}

static SfStatus infer_insert(SfInfer *c)
{
    const SfShape *keys, *values;
    SF_TRY(want_handle(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &keys));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(2), 1, &values));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), keys, SF_INPUT(2),
                         sf_shape_vector(sf_shape_dim(values, 0)), NULL));
    return sf_ask_kernel(c, insert_kernel);
}

static const SfCheck take_many_checks[] = {{SF_IS_SCALAR(1), .b = SF_INPUT(0), SF_AS(RUN_REFUSED),
                                            .text = "num_elements must be a scalar."},
                                           {0}};

/* BarrierTakeMany: as many as asked for, or fewer when that is allowed. */
static SfStatus infer_take_many(SfInfer *c)
{
    int64_t n;
    int ncomponents;
    const bool known = !sf_attr_bool(c, "allow_small_batch") && sf_input_int(c, 1, &n) && n >= 0;
    const SfShape *batch = sf_shape_vector(known ? n : SF_DIM_UNKNOWN);
    for (int i = 0; i < sf_output_count(c); i++) {
        const SfShape *one = i < 2 ? sf_shape_scalar() : barrier_component(c, i - 2, &ncomponents);
        SF_TRY(sf_set_output_shape(c, i,
                                   one && sf_shape_is_ranked(one) ? sf_shape_concat(batch, one)
                                                                  : sf_shape_unknown()));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
#define T_NUMBER "dtype: " SF_NUMBERTYPE
#define NAMES "container: string = '', shared_name: string = ''"
#define MAKE(name, handle_, attrs_, ...) \
    SF_OP(name, .outputs = "handle: " handle_, .attrs = attrs_, .infer = __VA_ARGS__, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE, \
          .grad = SF_GRAD_MISSING)
#define ACCUMULATOR(name, handle_) \
    MAKE(name, handle_, T_NUMBER ", shape: shape, " NAMES \
        ", reduction_type: {'MEAN', 'SUM'} = 'MEAN'", \
         infer_pair)
/* The reference ones are not stateful by TensorFlow's word; they must not be merged all the
 * same. */
#define USE(name, handle_, in_, out_, attrs_, ...) \
    SF_OP(name, .inputs = "handle: " handle_ in_, .outputs = out_, .attrs = attrs_, \
          .infer = __VA_ARGS__, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, \
          .grad = SF_GRAD_MISSING)
#define DENSE(prefix, handle_) \
    USE(prefix##ApplyGradient, handle_, ", local_step: int64, gradient: dtype", "", \
        T_NUMBER, SF_SHAPES("? [] ->"), .kernel = apply_kernel, .checks_last = true), \
    USE(prefix##TakeGradient, handle_, ", num_required: int32", "average: dtype", \
        T_NUMBER, infer_take, .checks = take_checks, .checks_last = true), \
    USE(prefix##NumAccumulated, handle_, "", "num_accumulated: int32", "", sf_infer_scalar), \
    USE(prefix##SetGlobalStep, handle_, ", new_global_step: int64", "", "", SF_SHAPES("? [] ->"))
#define REF "Ref(string)"

static const SfOpDef ops[] = {
    ACCUMULATOR(ConditionalAccumulator, REF),
    ACCUMULATOR(SparseConditionalAccumulator, REF),
    ACCUMULATOR(ResourceConditionalAccumulator, "resource"),
    DENSE(Accumulator, REF),
    DENSE(ResourceAccumulator, "resource"),
    USE(SparseAccumulatorApplyGradient, REF,
        ", local_step: int64, gradient_indices: int64, gradient_values: dtype, gradient_shape: "
        "int64",
        "", T_NUMBER ", has_known_shape: bool", SF_SHAPES("? [] ->"),
        .kernel = sparse_apply_kernel, .checks_last = true),
    USE(SparseAccumulatorTakeGradient, REF, ", num_required: int32",
        "indices: int64, values: dtype, shape: int64", T_NUMBER,
        SF_SHAPES("? [] -> [?] ? [?]"), .checks = take_checks, .checks_last = true),
    MAKE(Barrier, REF,
         "component_types: list(type) >= 1, shapes: list(shape) >= 0 = [], capacity: int = -1, "
         NAMES,
         infer_pair, .kernel = barrier_kernel),
    USE(BarrierInsertMany, REF, ", keys: string, values: T", "", "T: type, component_index: int",
        infer_insert),
    USE(BarrierTakeMany, REF, ", num_elements: int32",
        "indices: int64, keys: string, values: component_types",
        "component_types: list(type) >= 1, allow_small_batch: bool = false, "
        "wait_for_incomplete: bool = false, timeout_ms: int = -1", infer_take_many,
        .checks = take_many_checks),
    USE(BarrierClose, REF, "", "", "cancel_pending_enqueues: bool = false", SF_SHAPES("[2] ->")),
    USE(BarrierReadySize, REF, "", "size: int32", "", SF_SHAPES("[2] -> []")),
    USE(BarrierIncompleteSize, REF, "", "size: int32", "", SF_SHAPES("[2] -> []")),
};
/* clang-format on */
const SfOpTable sf_ops_accumulator = {ops, SF_ARRAY_LEN(ops), "accumulator"};
