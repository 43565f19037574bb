/* Where tensors come from: constants, placeholders, empty memory. */
#include <stdio.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* Const */

/* Const: its value is an attr. */
static SfStatus infer_const(SfInfer *c)
{
    const SfShape *shape = sf_attr(c, "value")->u.tensor.shape;
    return !shape ? sf_set_output_unknown(c, 0) : sf_set_output_shape(c, 0, shape);
}

static void fold_const(SfInfer *c)
{
    sf_set_output_value(c, 0, sf_attr(c, "value")->u.tensor.value);
}

/* PlaceholderWithDefault...: a shape that is declared. */
static SfStatus infer_declared(SfInfer *c)
{
    return sf_set_output_shape(c, 0, sf_attr_shape(c, "shape"));
}

/* ImmutableConst: what the file holds is of a whole shape. */
static SfStatus whole_kernel(SfInfer *c, const void *data)
{
    return sf_require(c, !sf_shape_is_ranked(data) || sf_shape_is_known(data), SF_ATTR("shape"),
                      "Shape {0} is not fully defined", SF_SHAPE_ARG(data));
}

static SfStatus infer_immutable(SfInfer *c)
{
    SF_TRY(sf_kernel_check(c, whole_kernel, sf_attr_shape(c, "shape")));
    return infer_declared(c);
}

/* Placeholder */

static SfDim axis_symbol(int axis)
{
    char name[16] = "batch";
    if (axis > 0) {
        (void)snprintf(name, sizeof name, "d%d", axis);
    }
    return sf_dim_symbol(name);
}

/* A dim that is declared unknown becomes a symbol, so that it can be followed: the first axis is
 * the batch in nearly every program. Binding a feed replaces it. */
static const SfShape *with_symbols(const SfShape *declared)
{
    const int rank = sf_shape_rank(declared);
    const SfShape *s = declared;
    for (int i = 0; i < rank; i++) {
        if (sf_shape_dim(declared, i) == SF_DIM_UNKNOWN) {
            s = sf_shape_replace(s, i, axis_symbol(i));
        }
    }
    return s;
}

/* Placeholder: the shape that feeds must have. (In graph files older than producer 24 the shape []
 * means "not given": who reads such a file drops the attr.) */
static SfStatus infer_placeholder(SfInfer *c)
{
    const SfShape *declared = sf_attr_shape(c, "shape");
    SF_TRY(sf_expect(c, !sf_shape_overflows(declared), SF_ATTR("shape"),
                     "Shape {0} is too large (more than 2**63 - 1 entries)",
                     SF_SHAPE_ARG(declared)));
    return sf_set_output_shape(c, 0,
                               sf_phase(c) == SF_PHASE_BUILD ? with_symbols(declared) : declared);
}

/* PlaceholderWithDefault: the default must fit the declared shape; its content may be replaced. */
static SfStatus infer_placeholder_with_default(SfInfer *c)
{
    const SfShape *declared = sf_attr_shape(c, "shape");
    const SfShape *both;
    if (sf_phase(c) == SF_PHASE_EAGER) { /* the kernel is Identity's */
        return sf_set_output_same(c, 0, 0);
    }
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_ATTR("shape"), declared, &both));
    /* A run without a feed passes the default through. */
    return sf_set_output_shape(c, 0, sf_common_runs(c) ? both : with_symbols(declared));
}

static void fold_placeholder_with_default(SfInfer *c)
{
    if (sf_common_runs(c)) {
        sf_fold_same(c);
    }
}

/* Empty and copies */

static const SfMessage empty_messages[] = {
    {SF_ON(RANK_EXACT), .text = "shape must be a vector of int32, got shape {shape 0}"}, {0}};

/* Empty: memory of a shape that is an input. */
static SfStatus infer_empty(SfInfer *c)
{
    const SfShape *out;
    sf_kernel_messages(c, empty_messages);
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &out));
    return sf_set_output_shape(c, 0, out);
}

static void fold_empty(SfInfer *c)
{
    const SfDtype t = sf_output_dtype(c, 0);
    if (sf_attr_bool(c, "init") && sf_dtype_size(t) > 0) {
        const SfElem zero = sf_dtype_is_floating(t) ? sf_elem_float(0) : sf_elem_int(0);
        sf_fold_set_output_value(c, 0, sf_value_fill(t, sf_output(c, 0), zero));
    }
}

/* InplaceUpdate...: rows i of x become those of v. An index counts modulo the number of rows, so
 * none is out of range. */
static const SfCheck inplace_checks[] = {
    {SF_IS_VECTOR(1), .text = "i must be a vector. {a.shape}"},
    {SF_RANKS_EQUAL(0, 2), SF_AS(OP_SHAPE),
     .text = "x and v shape doesn't match (ranks differ): {a.shape} vs. {b.shape}"},
    {0}};

static SfStatus check_inplace(SfInfer *c)
{
    const SfShape *i = sf_input(c, 1), *v = sf_input(c, 2);
    for (int k = 1; k < sf_shape_rank(sf_input(c, 0)); k++) {
        SF_TRY(sf_require_as(c, sf_dim_compatible(sf_input_dim(c, 0, k), sf_shape_dim(v, k)),
                             SF_DIAG_OP_SHAPE, SF_AXIS(0, k), SF_AXIS(2, k),
                             "x and v shape doesn't match at index {a.axis} : {a.shape} vs. "
                             "{b.shape}"));
    }
    const bool rows = sf_shape_rank(i) != 1 || sf_shape_rank(v) != 0;
    return sf_require_as(c, rows && sf_dim_compatible(sf_shape_dim(i, 0), sf_shape_dim(v, 0)),
                         SF_DIAG_OP_SHAPE, SF_AXIS(1, 0), SF_AXIS(2, 0),
                         "i and x shape doesn't match at index 0: {a.shape} vs. {b.shape}");
}

/* rows */

#define CONST(name, role_, folds_)                                                                 \
    SF_OP(name, .inputs = "", .outputs = "output: dtype", .attrs = "value: tensor, dtype: type",   \
          .infer = infer_const, .fold = fold_const, .cost = sf_common_cost_none,                   \
          .grad = SF_GRAD_NONE, .role = (role_), .folds = (folds_))
#define INPLACE(name)                                                                              \
    SF_OP(name, .inputs = "x: T, i: int32, v: T", .outputs = "y: T", .attrs = "T: type",           \
          .infer = sf_infer_unchanged, .checks = inplace_checks, .kernel = check_inplace,          \
          .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING)

/* clang-format off */
static const SfOpDef ops[] = {
    CONST(Const, SF_ROLE_CONST, SF_FOLDS_WHEN_EXACT_18),
    CONST(HostConst, SF_ROLE_NONE, SF_FOLDS_WHEN_EXACT),
    SF_OP(ImmutableConst, .inputs = "", .outputs = "tensor: dtype",
          .attrs = "dtype: type, shape: shape, memory_region_name: string",
          .infer = infer_immutable, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(Placeholder, .inputs = "", .outputs = "output: dtype",
          .attrs = "dtype: type, shape: shape = { unknown_rank: true }", .infer = infer_placeholder,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING,
          .role = SF_ROLE_PLACEHOLDER, .traits = SF_OP_OLD_EMPTY_SHAPE),
    SF_OP(PlaceholderV2, .inputs = "", .outputs = "output: dtype",
          .attrs = "dtype: type, shape: shape", .infer = infer_placeholder,
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING, .role = SF_ROLE_PLACEHOLDER),
    SF_OP(PlaceholderWithDefault, .inputs = "input: dtype", .outputs = "output: dtype",
          .attrs = "dtype: type, shape: shape", .infer = infer_placeholder_with_default,
          .fold = fold_placeholder_with_default, .cost = sf_common_cost_none,
          .role = SF_ROLE_PLACEHOLDER_WITH_DEFAULT, .range = sf_range_move),
    SF_OP(Empty, .inputs = "shape: int32", .outputs = "output: dtype",
          .attrs = "dtype: type, init: bool = false", .infer = infer_empty, .fold = fold_empty,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL, .cost = sf_common_cost_none,
          .grad = SF_GRAD_MISSING),
    SF_OP(DeepCopy, .inputs = "x: T", .outputs = "y: T", .attrs = "T: type",
          .infer = sf_infer_unchanged, .traits = SF_OP_STATEFUL, .cost = sf_common_cost_none,
          .grad = SF_GRAD_MISSING, .range = sf_range_move),
    SF_OP(GuaranteeConst, .inputs = "input: T", .outputs = "output: T", .attrs = "T: type",
          .infer = sf_infer_unchanged, .traits = SF_OP_STATEFUL, .cost = sf_common_cost_none,
          .grad = SF_GRAD_MISSING, .range = sf_range_move),
    INPLACE(InplaceUpdate),
    INPLACE(InplaceAdd),
    INPLACE(InplaceSub),
};
/* clang-format on */
const SfOpTable sf_ops_constant = {ops, SF_ARRAY_LEN(ops), "constant"};
