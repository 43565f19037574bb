/* FractionalMaxPool, FractionalAvgPool: windows of varying size, as pooling sequences say, and
 * their gradients. Source: FractionalPoolShapeFn of nn_ops.cc, the fractional_*_pool_op.cc
 * kernels. */
#include "core/op/infer.h"

#include <math.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"

#define SF_2_0 SF_VERSION(2, 0)

/* An axis must have a cell for each window. */
static SfStatus fractional_kernel(SfInfer *c, const void *data)
{
    const SfShape *in = data;
    const SfAttr *ratio = sf_attr(c, "pooling_ratio");
    SF_TRY(sf_require_as(c,
                         sf_attr_bool(c, "deterministic") ||
                             (sf_attr_int(c, "seed") == 0 && sf_attr_int(c, "seed2") == 0),
                         SF_DIAG_RUN_REFUSED, SF_ATTR("seed"), SF_ATTR("deterministic"),
                         "Both seed and seed2 should be 0 if deterministic is false."));
    for (int i = 0; i < 4; i++) {
        const SfDim d = sf_shape_dim(in, i);
        const double r = ratio->u.list.u.f[i];
        SF_TRY(sf_require_as(c, !sf_dim_is_known(d) || !((double)d < r), SF_DIAG_RUN_REFUSED,
                             SF_AXIS(0, i), SF_ATTR("pooling_ratio"),
                             "Pooling ratio is higher than input dimension size for dimension {0}. "
                             "Input dim size: {1} pooling ratio: {2:g}",
                             SF_INT_ARG(i), SF_DIM_ARG(d), SF_FLOAT_ARG(r)));
    }
    return SF_OK;
}

/* FractionalMaxPool: each dim divided by its ratio, rounded down. The pooling sequences have one
 * entry more than the output has rows and columns: TensorFlow's shape function forgets it, its
 * kernel does not. */
static SfStatus infer_fractional_pool(SfInfer *c)
{
    const SfShape *in;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    const SfAttr *ratio = sf_attr(c, "pooling_ratio");
    SF_TRY(sf_expect(c, ratio->u.list.n == 4, SF_ATTR("pooling_ratio"),
                     "pooling_ratio field must specify 4 dimensions"));
    SfDim dims[4];
    for (int i = 0; i < 4; i++) {
        const double r = ratio->u.list.u.f[i];
        const SfDim d = sf_shape_dim(in, i);
        const double size = r != 0 && sf_dim_is_known(d) ? floor((double)d / r) : -1;
        SF_TRY(sf_require_as(c, !(size < 0) || r == 0 || !sf_dim_is_known(d), SF_DIAG_OP_SHAPE,
                             SF_ATTR("pooling_ratio"), SF_AXIS(0, i),
                             "Size computed for dim {0} is negative: {1:f}", SF_INT_ARG(i),
                             SF_FLOAT_ARG(size)));
        dims[i] = r == 1 ? d : size >= 0 && size < 9e18 ? (SfDim)size : SF_DIM_UNKNOWN;
    }
    for (int i = 0; sf_version(c) >= SF_2_0 && i < 4; i++) {
        SF_TRY(sf_require_as(c, !(ratio->u.list.u.f[i] < 1), SF_DIAG_OP_SHAPE,
                             SF_ATTR("pooling_ratio"), SF_AXIS(0, i),
                             "pooling_ratio cannot be smaller than 1, got: {0:g}",
                             SF_FLOAT_ARG(ratio->u.list.u.f[i])));
    }
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_make(4, dims)));
    for (int i = 1; i <= 2; i++) {
        SF_TRY(sf_set_output_vector(c, i, sf_dim_add(dims[i], 1)));
    }
    return sf_version(c) >= SF_2_0 ? sf_kernel_check(c, fractional_kernel, in) : SF_OK;
}

/* Sequences (inputs `first` and the next) are vectors, one entry longer than the grad's axes. */
static SfStatus sequences_kernel(SfInfer *c, const void *data)
{
    static const char *const names[] = {"row", "col"};
    const bool avg = data;
    const int first = sf_input_count(c) - 2;
    const SfShape *out = sf_input(c, 1);
    SF_TRY(avg ? sf_require_rank(c, 1, 4, "out_backprop must be 4-dimensional") : SF_OK);
    for (int i = 0; avg && i < sf_shape_rank(out); i++) {
        SF_TRY(sf_require(c, sf_shape_dim(out, i) != 0, SF_AXIS(1, i),
                          "out_backprop must be positive for all dimension, got:0"));
    }
    const SfDim batch = sf_input_dim(c, 0, 0), pooled = sf_shape_dim(out, 0);
    SF_TRY(sf_require_as(
        c, avg || !sf_dim_is_known(batch) || !sf_dim_is_known(pooled) || batch >= pooled,
        SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
        "tensor_out_dup is not the same as tensor_out"));
    for (int i = 0; i < 2; i++) {
        const SfShape *s = sf_input(c, first + i);
        const SfDim n = sf_shape_dim(s, 0), d = sf_shape_dim(out, i + 1);
        SF_TRY(avg ? SF_OK
                   : sf_require_rank(c, first + i, 1,
                                     "{a.name} must be a vector, received shape {a.shape}"));
        if (sf_shape_rank(out) != 4 || sf_shape_rank(s) != 1 || !sf_dim_is_known(n) ||
            !sf_dim_is_known(d) || (avg ? n > d : n - 1 == d)) {
            continue;
        }
        return avg ? sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(first + i), SF_AXIS(1, i + 1),
                                  "Given out_backprop shape {0}, {1}_seq_tensor must have at least "
                                  "{2} elements, but got {3}",
                                  SF_SHAPE_ARG(out), SF_TEXT_ARG(names[i]),
                                  SF_INT_ARG((int64_t)((uint64_t)d + 1)), SF_DIM_ARG(n))
                   : sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(first + i), SF_AXIS(1, i + 1),
                                  "tensor_out_dup is not the same as tensor_out");
    }
    return SF_OK;
}

static SfStatus not_empty_kernel(SfInfer *c)
{
    for (int i = 0; i < 2; i++) {
        SF_TRY(sf_require(c, sf_shape_count(sf_input(c, i)) != 0, SF_INPUT(i),
                          "{a.name} must not be empty, got {0}",
                          SF_TEXT_ARG(sf_common_tensor_text(c, i))));
    }
    return SF_OK;
}

static SfStatus infer_fractional_max_grad(SfInfer *c)
{
    const SfShape *s;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &s));
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_ask_kernel(c, not_empty_kernel));
        SF_TRY(sf_kernel_check(c, sequences_kernel, NULL));
    }
    return sf_set_output_shape(c, 0, s);
}

static SfStatus four_sizes_kernel(SfInfer *c)
{
    static const char *const axes[] = {"Batch", "Rows", "Columns", "Depth"};
    const SfDim n = sf_input_dim(c, 0, 0);
    SF_TRY(sf_require(c, !sf_dim_differs(n, 4), SF_INPUT(0),
                      "original input tensor shape must be1-dimensional and 4 elements"));
    for (int i = 0; sf_version(c) >= SF_2_0 && i < sf_common_elems(c, 0) && i < 4; i++) {
        const SfElem e = sf_common_elem(c, 0, i);
        SF_TRY(sf_require(c, !sf_common_below(e, 1), SF_INPUT(0),
                          e.u.i == 0 ? "{0} dimension of input must not be 0"
                                     : "Expected a non-negative size, got {1}",
                          SF_TEXT_ARG(axes[i]), SF_INT_ARG(e.u.i)));
    }
    return SF_OK;
}

/* FractionalAvgPoolGrad takes known sizes as they are. */
static SfStatus infer_fractional_avg_grad(SfInfer *c)
{
    const SfShape *s;
    SF_TRY(sf_ask_kernel(c, four_sizes_kernel));
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_kernel_check(c, sequences_kernel, ""));
    }
    if (!sf_input_value(c, 0)) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(4));
    }
    SF_TRY(sf_want_shape_value(c, SF_INPUT(0), &s));
    return sf_set_output_shape(c, 0, s);
}

/* table */

/* clang-format off */
#define T_FRACTIONAL "T: {float, double, int32, int64}"
#define FRACTIONAL "pooling_ratio: list(float) >= 4, pseudo_random: bool = false, " \
    "overlapping: bool = false, deterministic: bool = false, seed: int = 0, seed2: int = 0, " \
    T_FRACTIONAL
#define SEQUENCES "row_pooling_sequence: int64, col_pooling_sequence: int64"

static const SfOpDef ops[] = {
    SF_OP(FractionalMaxPool, .inputs = "value: T", .outputs = "output: T, " SEQUENCES,
          .attrs = FRACTIONAL, .infer = infer_fractional_pool),
    SF_OP(FractionalAvgPool, .inputs = "value: T", .outputs = "output: T, " SEQUENCES,
          .attrs = FRACTIONAL, .infer = infer_fractional_pool),
    SF_OP(FractionalMaxPoolGrad,
          .inputs = "orig_input: T, orig_output: T, out_backprop: T, " SEQUENCES,
          .outputs = "output: T", .attrs = "overlapping: bool = false, " T_FRACTIONAL,
          .infer = infer_fractional_max_grad, .grad = SF_GRAD_MISSING),
    SF_OP(FractionalAvgPoolGrad,
          .inputs = "orig_input_tensor_shape: int64, out_backprop: T, " SEQUENCES,
          .outputs = "output: T", .attrs = "overlapping: bool = false, " T_FRACTIONAL,
          .infer = infer_fractional_avg_grad, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_pool_fractional = {ops, SF_ARRAY_LEN(ops), "pool_fractional"};
