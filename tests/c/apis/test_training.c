/* Rows of optimizer steps; expectations asked of TensorFlow 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase gradient_descent[] = {
    ROW("", "&[2,3] [] [2,3]", "[2,3]:float_ref"),
    ROW("", "&[2,?] [] [?,3]", "[2,3]"),
    ROW("", "&? ? ?", "?"),
    ROW("", "&[2,3] [] !", "!"),
    ROW("", "&[2,3] [] [3,3]", "SF107 a.0 c.0"),
    ROW("", "&[2,3] [] []", "SF108 a c"),
    ROW("", "&[2,3] [1] [2,3]", "SF102 b"),
    ROW(RUN, "&[2,3] [] [3,3]",
        "SF107 a.0 c.0 'var and delta do not have the same shape[2,3] [3,3]'"),
    ROW(RUN, "&[2,3] [2] [2,3]", "SF102 b 'alpha is not a scalar: [2]'"),
    ROW("", "&[2,3] [] [2,3]", "[2,3] cost 12"),
};
SF_OP_TEST(ApplyGradientDescent, gradient_descent)

static const SfOpCase resource_descent[] = {
    ROW("", "&[2,3] [] [2,3]", ""),
    ROW("", "&[?,3] [] [2,3]", ""),
    ROW("", "[] [] [2,3]", ""),
    ROW("", "&? ? ?", ""),
    ROW("", "&[2,3] [] [3,3]", "SF107 a.0 c.0"),
    ROW(RUN, "&[2,3] [] [3,3]", "SF107 a.0 c.0 'var and delta do not have the same shape'"),
};
SF_OP_TEST(ResourceApplyGradientDescent, resource_descent)

static const SfOpCase proximal_descent[] = {
    ROW("", "&[2] [] [] [] [2]", "[2]"),
    ROW("", "&[?] [] [] [] [2]", "[2]"),
    ROW("", "&? ? ? ? ?", "?"),
    ROW("", "&[2] [1] [] [] [2]", "SF102 b"),
    ROW("", "&[2] [] [] [] [3]", "SF107 a.0 e.0"),
};
SF_OP_TEST(ApplyProximalGradientDescent, proximal_descent)

static const SfOpCase momentum[] = {
    ROW("", "&[2,3] &[2,3] [] [2,3] []", "[2,3]:float_ref"),
    ROW("", "&[?,3] &[2,?] [] ? []", "[2,3]"),
    ROW("", "&? &? ? ? ?", "?"),
    ROW("", "&[2,3] &[3] [] [2,3] []", "SF108 a b"),
    ROW("", "&[2,3] &[2,3] [] [2,4] []", "SF107 a.1 d.1"),
    ROW("", "&[2,3] &[2,3] [] [2,3] [1]", "SF102 e"),
    ROW(RUN, "&[2,3] &[3] [] [2,3] []",
        "SF108 a b 'var and accum do not have the same shape[2,3] [3]'"),
    ROW(RUN, "&[2,3] &[2,3] [] [2,4] []",
        "SF107 a.1 d.1 'var and grad do not have the same shape[2,3] [2,4]'"),
    ROW(RUN, "&[2,3] &[2,3] [] [2,3] [1]", "SF102 e 'momentum is not a scalar: [1]'"),
};
SF_OP_TEST(ApplyMomentum, momentum)

static const SfOpCase adam[] = {
    ROW("", "&[2,3] &[2,3] &[2,3] [] [] [] [] [] [] [2,3]", "[2,3]:float_ref"),
    ROW("", "&[2,?] &? &[?,3] [] [] [] [] [] [] ?", "[2,3]"),
    ROW("", "&? &? &? ? ? ? ? ? ? ?", "?"),
    ROW("", "&[2,3] &[2,3] &[2,4] [] [] [] [] [] [] [2,3]", "SF107 a.1 c.1"),
    ROW("", "&[2,3] &[2,3] &[2,3] [] [] [] [] [] [] [3]", "SF108 a j"),
    ROW("", "&[2,3] &[2,3] &[2,3] [] [] [2] [] [] [] [2,3]", "SF102 f"),
    ROW(RUN, "&[2,3] &[2,3] &[2] [] [] [] [] [] [] [2,3]",
        "SF108 a c 'var and v do not have the same shape[2,3] [2]'"),
    ROW(RUN, "&[2,3] &[2,3] &[2,3] [1] [] [] [] [] [] [2,3]",
        "SF102 d 'beta1_power is not a scalar: [1]'"),
};
SF_OP_TEST(ApplyAdam, adam)

static const SfOpCase resource_adam[] = {
    ROW("", "&[2,3] &[2,3] &[2,3] [] [] [] [] [] [] [2,3]", ""),
    ROW("", "&[?,3] &[2,3] &[2,3] [] [] [] [] [] [] [2,3]", ""),
    ROW("", "[] [] [] ? ? ? ? ? ? ?", ""),
    ROW("", "&[2,3] &[2,4] &[2,3] [] [] [] [] [] [] [2,3]", "SF107 a.1 b.1"),
    ROW("", "&[2,3] &[2,3] &[2,3] [] [] [] [] [] [] [3]", "SF108 a j"),
};
SF_OP_TEST(ResourceApplyAdam, resource_adam)

static const SfOpCase ada_max[] = {
    ROW("", "&[2] &[2] &[2] [] [] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] &[2] [] [] [] [] [] [2]", "[2]"),
    ROW("", "&? &? &? ? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] [] [] [] [] [] [3]", "SF107 a.0 i.0"),
    ROW("", "&[2] &[2] &[2] [] [] [] [] [1] [2]", "SF102 h"),
};
SF_OP_TEST(ApplyAdaMax, ada_max)

static const SfOpCase adagrad[] = {
    ROW("", "&[2,3] &[2,3] [] [2,3]", "[2,3]"),
    ROW("", "&[?,3] &[2,3] [] [2,3]", "[2,3]"),
    ROW("", "&? &? ? ?", "?"),
    ROW("", "&[2,3] &[2,3] [] [3]", "SF108 a d"),
    ROW("", "&[2,3] &[2,3] [3] [2,3]", "SF102 c"),
};
SF_OP_TEST(ApplyAdagrad, adagrad)

static const SfOpCase adagrad_v2[] = {
    ROW("", "&[2,3] &[2,3] [] [] [2,3]", "[2,3]"),
    ROW("", "&[?,3] &[2,3] [] [] [2,3]", "[2,3]"),
    ROW("", "&? &? ? ? ?", "?"),
    ROW("", "&[2,3] &[2,3] [] [] [3]", "SF108 a e"),
};
SF_OP_TEST(ApplyAdagradV2, adagrad_v2)

static const SfOpCase adagrad_da[] = {
    ROW("", "&[2] &[2] &[2] [2] [] [] [] []", "[2]"),
    ROW("", "&[?] &[2] &[2] [2] [] [] [] []", "[2]"),
    ROW("", "&? &? &? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] [3] [] [] [] []", "SF107 a.0 d.0"),
    ROW(RUN, "&[2] &[2] &[2] [2] [] [] [] [1]", "SF102 h 'global_step is not a scalar: [1]'"),
};
SF_OP_TEST(ApplyAdagradDA, adagrad_da)

static const SfOpCase slots_2[] = {
    /* lr, rho, epsilon or l1...: how many scalars differs */
    ROW("", "&[2] &[2] &[2] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] &[2] [] [] [] [2]", "[2]"),
    ROW("", "&? &? &? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] [] [] [] [3]", "SF107 a.0 g.0"),
    ROW("", "&[2] &[2] &[3] [] [] [] [2]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ApplyAdadelta, slots_2)

static const SfOpCase rms_prop[] = {
    ROW("", "&[2] &[2] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&? &? &? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] [] [] [] [] [3]", "SF107 a.0 h.0"),
    ROW(RUN, "&[2] &[2] &[2] [1] [] [] [] [2]", "SF102 d 'lr is not a scalar : [1]'"),
};
SF_OP_TEST(ApplyRMSProp, rms_prop)

static const SfOpCase centered[] = {
    ROW("", "&[2] &[2] &[2] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] &[2] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&? &? &? &? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] &[3] [] [] [] [] [2]", "SF107 a.0 d.0"),
    ROW(RUN, "&[2] &[2] &[2] &[3] [] [] [] [] [2]",
        "SF107 a.0 d.0 'var and mom do not have the same shape[2] [3]'"),
};
SF_OP_TEST(ApplyCenteredRMSProp, centered)

static const SfOpCase ftrl[] = {
    ROW("", "&[2] &[2] &[2] [2] [] [] [] []", "[2]"),
    ROW("", "&[?] &[2] &[2] [2] [] [] [] []", "[2]"),
    ROW("", "&? &? &? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] &[2] [3] [] [] [] []", "SF107 a.0 d.0"),
    ROW(RUN, "&[2] &[2] &[2] [2] [2] [] [] []", "SF102 e 'lr is not a positive scalar: [2]'"),
    ROW(RUN "@version=2.21", "&[2] &[2] &[2] [2] [2] [] [] []",
        "SF102 e 'lr is not a scalar: [2]'"),
};
SF_OP_TEST(ApplyFtrl, ftrl)

static const SfOpCase ftrl_v2[] = {
    ROW("", "&[2] &[2] &[2] [2] [] [] [] [] []", "[2]"),
    ROW("", "&[?] &[2] &[2] [2] [] [] [] [] []", "[2]"),
    ROW("", "&? &? &? ? ? ? ? ? ?", "?"),
    /* construction never looks at lr_power, in no version */
    ROW("", "&[2] &[2] &[2] [2] [] [] [] [] [2]", "deferred SF102 i / [2]"),
    ROW(RUN "@version=2.21", "&[2] &[2] &[2] [2] [] [] [] [] [2]",
        "SF102 i 'lr_power is not a scalar[2]'"),
};
SF_OP_TEST(ApplyFtrlV2, ftrl_v2)

static const SfOpCase proximal_adagrad[] = {
    ROW("", "&[2] &[2] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] [] [] [] [2]", "[2]"),
    ROW("", "&? &? ? ? ? ?", "?"),
    ROW(RUN, "&[2] &[2] [1] [] [] [2]", "SF102 c 'lr is not a positive scalar: [1]'"),
};
SF_OP_TEST(ApplyProximalAdagrad, proximal_adagrad)

static const SfOpCase sign[] = {
    ROW("", "&[2] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&[?] &[2] [] [] [] [] [2]", "[2]"),
    ROW("", "&? &? ? ? ? ? ?", "?"),
    ROW("", "&[2] &[2] [] [] [] [] [3]", "SF107 a.0 g.0"),
    ROW(RUN, "&[2] &[2] [1] [] [] [] [2]", "SF102 c 'lr is not a scalar: [1]'"),
};
SF_OPS_TEST(apply_sign, sign, "ApplyAddSign", "ApplyPowerSign")

static const SfOpCase sparse_adagrad[] = {
    ROW("", "&[4,3] &[4,3] [] [2,3] [2]:int32", "[4,3]:float_ref"),
    ROW("", "&[4,?] &[4,3] [] ? ?:int64", "[4,3]"),
    ROW("", "&[4,3] &[4,3] [] [n,3] [n]:int32", "[4,3]"),
    ROW("", "&? &? ? ? ?:int32", "?"),
    ROW("", "&? &[4,?] [] [2,3] ?:int32", "[4,3]"),
    ROW("", "&[4,3] &[4,3] [] [2,3] [3]:int32",
        "SF101 e.0 d.0 'Dimensions must be equal, but are 3 and 2'"),
    ROW("", "&[4,3] &[4,3] [] [2,5] [2]:int32",
        "SF107 a.1 d.1 'Dimension 1 in both shapes must be equal, but are 3 and 5. Shapes are "
        "[4,3] and [?,5].'"),
    ROW("", "&[4,3] &[4] [] [2,3] [2]:int32", "SF108 a b"),
    ROW("", "&[4,3] &[4,3] [] [2,3] [2,2]:int32", "SF102 e"),
    ROW("", "&[4,3] &[4,3] [1] [2,3] [2]:int32", "SF102 c"),
    ROW("", "&[4,3] &[4,3] [] [2,3] {1,9}:int32", "deferred SF117 e a.0 / [4,3]"),
    ROW(RUN, "&[4,3] &[4,3] [] [2,3] {1,9}:int32",
        "SF117 e a.0 'Index 9 at offset 1 in indices is out of range'"),
    ROW(RUN, "&[4,3] &[4,3] [] [2,3] [3]:int32",
        "SF101 e.0 d.0 'grad must be the same size as indices in the first dimension.'"),
    ROW(RUN, "&[4,3] &[4,3] [] [2,5] [2]:int32",
        "SF107 a.1 d.1 'var and grad must match in dimension 1'"),
    ROW(RUN, "&[4,3] &[4,3] [] [2,3] [2,1]:int32", "SF102 e 'indices must be one-dimensional'"),
    ROW(RUN, "&[] &[] [] [2,3] [2]:int32", "SF103 a 'var must be at least 1 dimensional'"),
};
SF_OP_TEST(SparseApplyAdagrad, sparse_adagrad)

static const SfOpCase resource_sparse[] = {
    ROW("", "&[4,3] &[4,3] [] [2,3] [2]:int32 []", ""),
    ROW("", "&[?,3] &[4,3] [] [2,3] [2]:int32 []", ""),
    ROW("", "[] [] ? ? ?:int64 ?", ""),
    ROW("", "&[4,3] &[4,3] [] [2,5] [2]:int32 []", "SF107 a.1 d.1"),
    ROW("", "&[4,3] &[4,3] [] [2,3] [3]:int32 []", "SF101 e.0 d.0"),
    ROW("", "&[4,3] &[4,3] [] [2,3] [2]:int32 [1]", "SF102 f"),
    /* since 2.0 the gradient of a resource is its kernel's alone */
    ROW("@version=2.21", "&[4,3] &[4,3] [] [2,5] [2]:int32 []", "deferred SF107 a.1 d.1 /"),
    ROW("@version=2.21", "&[4,3] &[4,3] [] [2,3] [3]:int32 []",
        "deferred SF101 e.0 d.0 'grad must be the same size as indices in the first dimension.' /"),
    ROW("@version=2.21", "&[4,3] &[4,3] [] [2,3] [2,1]:int32 []", "SF102 e"),
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] [1] [2,3] [2]:int32 []",
        "SF102 c 'lr is not a scalar : [1]'"),
    ROW(RUN "@version=2.21", "&[4,3] &[4] [] [2,3] [2]:int32 []",
        "SF108 a b 'var and accum do not have the same shape[4,3] [4]'"),
};
SF_OPS_TEST(resource_sparse_momentum, resource_sparse, "ResourceSparseApplyMomentum",
            "ResourceSparseApplyKerasMomentum")

static const SfOpCase keras_rows[] = {
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] [] [2,3] {1,9}:int32 []",
        "SF117 e a.0 'indices[1] = 9 is not in [0, 4)'"),
};
SF_OPS_TEST(keras_rows, keras_rows, "ResourceSparseApplyKerasMomentum")

/* Most kernels look at the variable's axes only: a gradient may have more. */
static const SfOpCase more_axes[] = {
    ROW(RUN "@version=2.21", "&[4,3] [] [] [] [2,3,5] [2]:int32", ""),
    ROW(RUN "@version=2.21", "&[4,3] [] [] [] [2,5,3] [2]:int32",
        "SF107 a.1 e.1 'var and grad must match in dimension 1'"),
};
SF_OPS_TEST(more_axes, more_axes, "ResourceSparseApplyProximalGradientDescent")

static const SfOpCase more_axes_slots[] = {
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] &[4,3] [] [] [] [2,3,5] [2]:int32", ""),
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] &[4,3] [] [] [] [2,5,3] [2]:int32",
        "SF107 a.1 g.1 'var and grad must match in dimension 1'"),
};
SF_OPS_TEST(more_axes_slots, more_axes_slots, "ResourceSparseApplyAdadelta")

static const SfOpCase same_axes[] = {
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] [] [2,3,5] [2]:int32", "SF108 a d"),
};
SF_OPS_TEST(same_axes, same_axes, "ResourceSparseApplyAdagrad")

static const SfOpCase signs[] = {
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] 0.5 [] []", ""),
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] -0.5 [] []",
        "SF129 g 'l1 regularization strength is not a non-negative scalar: []'"),
    ROW(RUN "@version=2.21", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 0.0 [] [] []",
        "SF129 f 'lr is not a positive scalar (or zero if multiply_linear_by_lr is set): []'"),
    ROW(RUN "@version=2.21,multiply_linear_by_lr=true",
        "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 0.0 [] [] []", ""),
    ROW("@version=2.21", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] 1.0", "deferred SF129 i /"),
};
SF_OPS_TEST(signs, signs, "ResourceSparseApplyFtrl")

static const SfOpCase sparse_ftrl[] = {
    ROW("", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "[4,3]"),
    ROW("", "&[?,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "[4,3]"),
    ROW("", "&? &? &? ? ?:int32 ? ? ? ?", "?"),
    ROW("", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] [1]", "SF102 i"),
    ROW("", "&[4,3] &[4,3] &[4,3] [2,4] [2]:int32 [] [] [] []", "SF107 a.1 d.1"),
};
SF_OP_TEST(SparseApplyFtrl, sparse_ftrl)
