/* Shapes given as numbers: BroadcastArgs, BroadcastGradientArgs. Source: BCast (bcast.h) and the
 * bcast_ops.cc kernels. */
#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"

/* Two shape arguments as shapes; NULL while one is not known. */
static const SfShape *broadcast_of_arguments(SfInfer *c, const SfShape **a, const SfShape **b)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *y = sf_input_value(c, 1);
    if (!x || !y || sf_shape_rank(sf_value_shape(x)) != 1 ||
        sf_shape_rank(sf_value_shape(y)) != 1) {
        return NULL;
    }
    *a = sf_value_as_shape(x);
    *b = sf_value_as_shape(y);
    return sf_shape_broadcast(*a, *b, NULL);
}

/* The kernel compares plain numbers. A negative one is an unknown dim to us, so it is read from
 * the value. */
static bool arguments_differ(const SfValue *x, const SfValue *y)
{
    const int64_t nx = sf_value_count(x), ny = sf_value_count(y);
    for (int64_t back = 1; back <= nx && back <= ny; back++) {
        const SfElem a = sf_value_elem(x, nx - back), b = sf_value_elem(y, ny - back);
        if (a.kind == SF_ELEM_INT && b.kind == SF_ELEM_INT && a.u.i != b.u.i && a.u.i != 1 &&
            b.u.i != 1) {
            return true;
        }
    }
    return false;
}

/* The kernel refuses what cannot broadcast. */
static SfStatus check_arguments(SfInfer *c)
{
    const SfShape *a;
    const SfShape *b;
    const SfShape *both = sf_common_runs(c) ? broadcast_of_arguments(c, &a, &b) : NULL;
    if (both && sf_shape_is_bottom(both)) {
        return sf_fail(c, SF_DIAG_BROADCAST, SF_INPUT(0), SF_INPUT(1), SF_SHAPE_ARG(a),
                       SF_SHAPE_ARG(b));
    }
    return sf_require_as(
        c, !both || !arguments_differ(sf_input_value(c, 0), sf_input_value(c, 1)),
        SF_DIAG_BROADCAST, SF_INPUT(0), SF_INPUT(1), "Incompatible shapes: [{0}] vs. [{1}]",
        SF_TEXT_ARG(sf_common_joined_ints(c, 0)), SF_TEXT_ARG(sf_common_joined_ints(c, 1)));
}

static const SfMessage vector_messages[] = {
    {SF_ON(RANK_EXACT), .text = "In[{a}] must be a vector.{a.shape}"}, {0}};

static SfStatus infer_broadcast_args(SfInfer *c)
{
    sf_kernel_messages(c, vector_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(check_arguments(c));
    const SfDim x = sf_input_dim(c, 0, 0);
    const SfDim y = sf_input_dim(c, 1, 0);
    return sf_set_output_vector(
        c, 0, sf_dim_is_known(x) && sf_dim_is_known(y) ? (x < y ? y : x) : SF_DIM_UNKNOWN);
}

static void fold_broadcast_args(SfInfer *c)
{
    const SfShape *a;
    const SfShape *b;
    const SfShape *both = broadcast_of_arguments(c, &a, &b);
    if (both && sf_shape_is_ranked(both)) {
        sf_fold_set_output_value(c, 0, sf_value_from_shape(both, sf_output_dtype(c, 0)));
    }
}

/* BroadcastGradientArgs: which axes each gradient is summed over. */
static SfStatus infer_broadcast_gradient_args(SfInfer *c)
{
    sf_kernel_messages(c, vector_messages);
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(check_arguments(c));
    SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 1, SF_DIM_UNKNOWN);
}

/* Axes of the result where `s` is broadcast; both of size 1 count when the ranks or any other dim
 * differ, as BCast reduces them; equal shapes reduce nothing. */
static void set_output_reduced(SfInfer *c, int output, const SfShape *s, const SfShape *other)
{
    const int rank =
        sf_shape_rank(s) > sf_shape_rank(other) ? sf_shape_rank(s) : sf_shape_rank(other);
    SfElem axes[SF_RANK_MAX];
    int n = 0;
    for (int i = 0; i < rank && s != other; i++) {
        const int back = rank - i;
        const SfDim d = back > sf_shape_rank(s) ? 1 : sf_shape_dim(s, -back);
        axes[n] = sf_elem_int(i);
        n += d == 1;
    }
    sf_fold_set_output_value(c, output,
                             sf_value_make(sf_output_dtype(c, output), sf_shape_vector(n), axes));
}

static void fold_broadcast_gradient_args(SfInfer *c)
{
    const SfShape *a;
    const SfShape *b;
    const SfShape *both = broadcast_of_arguments(c, &a, &b);
    if (both && sf_shape_is_known(a) && sf_shape_is_known(b) && !sf_shape_is_bottom(both)) {
        set_output_reduced(c, 0, a, b);
        set_output_reduced(c, 1, b, a);
    }
}

/* rows */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(BroadcastArgs, .inputs = "s0: T, s1: T", .outputs = "r0: T",
            .attrs = "T: " SF_INDEX " = int32", .infer = infer_broadcast_args,
            .fold = fold_broadcast_args, .grad = SF_GRAD_MISSING),
    SF_MOVE(BroadcastGradientArgs, .inputs = "s0: T, s1: T", .outputs = "r0: T, r1: T",
            .attrs = "T: " SF_INDEX " = int32", .infer = infer_broadcast_gradient_args,
            .fold = fold_broadcast_gradient_args,
            .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_array_arguments = {ops, SF_ARRAY_LEN(ops), "array_arguments"};
