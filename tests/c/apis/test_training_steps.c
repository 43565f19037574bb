/* Rows of the optimizer steps that test_training.c has no table for: apis/ops/state/training.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase resource_apply_proximal_gradient_descent[] = {
    ROW("", "&[5] 0.1 0.5 0.5 [5]", ""),
    ROW("", "&[?] 0.1 0.5 0.5 [5]", ""),
    ROW("", "? ? ? ? ?", ""),
    ROW("", "&[5] [2] 0.5 0.5 [5]", "SF102 b"),
    ROW("", "&[5] 0.1 [2] 0.5 [5]", "SF102 c"),
    ROW("", "&[5] 0.1 0.5 [2] [5]", "SF102 d"),
};
SF_OP_TEST(ResourceApplyProximalGradientDescent, resource_apply_proximal_gradient_descent)

static const SfOpCase sparse_apply_proximal_gradient_descent[] = {
    ROW("", "&[5] 0.5 0.1 0.5 [1] {3}", "[5]"),
    ROW("", "&[?] 0.5 0.1 0.5 [1] {3}", "[?]"),
    ROW("", "? ? ? ? ? ?", "?"),
    ROW("", "&[] 0.5 0.1 0.5 [1] {3}", "SF108 a e"),
    ROW("", "&[5] [2] 0.1 0.5 [1] {3}", "SF102 b"),
    ROW("", "&[5] 0.5 [2] 0.5 [1] {3}", "SF102 c"),
};
SF_OP_TEST(SparseApplyProximalGradientDescent, sparse_apply_proximal_gradient_descent)

static const SfOpCase resource_apply_momentum[] = {
    ROW("", "&[5] &[5] 0.5 [5] 0.5", ""),
    ROW("", "&[?] &[5] 0.5 [5] 0.5", ""),
    ROW("", "? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 [5] 0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 [5] 0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] [5] 0.5", "SF102 c"),
};
SF_OPS_TEST(resource_apply_momentum_rows, resource_apply_momentum, "ResourceApplyMomentum",
            "ResourceApplyKerasMomentum")

static const SfOpCase sparse_apply_momentum[] = {
    ROW("", "&[5] &[5] 0.5 [1] {0} 0.5", "[5]"),
    ROW("", "&[?] &[5] 0.5 [1] {0} 0.5", "[5]"),
    ROW("", "? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] 0.5 [1] {0} 0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 [1] {0} 0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] [1] {0} 0.5", "SF102 c"),
};
SF_OP_TEST(SparseApplyMomentum, sparse_apply_momentum)

static const SfOpCase resource_apply_adam_with_amsgrad[] = {
    ROW("", "&[5] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 0.5 [5]", ""),
    ROW("", "&[?] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 0.5 [5]", ""),
    ROW("", "? ? ? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] &[5] 0.5 0.5 0.5 0.1 0.1 0.5 [5]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyAdamWithAmsgrad, resource_apply_adam_with_amsgrad)

static const SfOpCase resource_apply_ada_max[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 [5]", ""),
    ROW("", "&[?] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 [5]", ""),
    ROW("", "? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] 0.5 0.5 0.5 0.1 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.5 0.5 0.1 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.5 0.5 0.1 0.1 [5]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyAdaMax, resource_apply_ada_max)

static const SfOpCase resource_apply_adagrad[] = {
    ROW("", "&[5] &[5] 0.5 [5]", ""),
    ROW("", "&[?] &[5] 0.5 [5]", ""),
    ROW("", "? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] [5]", "SF102 c"),
};
SF_OP_TEST(ResourceApplyAdagrad, resource_apply_adagrad)

static const SfOpCase resource_sparse_apply_adagrad[] = {
    ROW("", "&[5] &[5] 0.5 [1] {3}", ""),
    ROW("", "&[?] &[5] 0.5 [1] {3}", ""),
    ROW("", "? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] [1] {3}", "SF102 c"),
};
SF_OP_TEST(ResourceSparseApplyAdagrad, resource_sparse_apply_adagrad)

static const SfOpCase resource_apply_adagrad_v2[] = {
    ROW("", "&[5] &[5] 0.5 0.5 [5]", ""),
    ROW("", "&[?] &[5] 0.5 0.5 [5]", ""),
    ROW("", "? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.5 [5]", "SF102 c"),
};
SF_OP_TEST(ResourceApplyAdagradV2, resource_apply_adagrad_v2)

static const SfOpCase sparse_apply_adagrad_v2[] = {
    ROW("", "&[5] &[5] 0.5 0.1 [1] {3}", "[5]"),
    ROW("", "&[?] &[5] 0.5 0.1 [1] {3}", "[5]"),
    ROW("", "? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] 0.5 0.1 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.1 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.1 [1] {3}", "SF102 c"),
};
SF_OP_TEST(SparseApplyAdagradV2, sparse_apply_adagrad_v2)

static const SfOpCase resource_sparse_apply_adagrad_v2[] = {
    ROW("", "&[5] &[5] 0.5 0.5 [1] {3}", ""),
    ROW("", "&[?] &[5] 0.5 0.5 [1] {3}", ""),
    ROW("", "? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.5 [1] {3}", "SF102 c"),
};
SF_OP_TEST(ResourceSparseApplyAdagradV2, resource_sparse_apply_adagrad_v2)

static const SfOpCase resource_apply_adagrad_da[] = {
    ROW("", "&[5] &[5] &[5] [5] 0.5 0.5 0.5 2", ""),
    ROW("", "&[?] &[5] &[5] [5] 0.5 0.5 0.5 2", ""),
    ROW("", "? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] [5] 0.5 0.5 0.5 2", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [5] 0.5 0.5 0.5 2", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [5] 0.5 0.5 0.5 2", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyAdagradDA, resource_apply_adagrad_da)

static const SfOpCase sparse_apply_adagrad_da[] = {
    ROW("", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "[4,3]"),
    ROW("", "&[?,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "[4,3]"),
    ROW("", "? ? ? ? ?:int32 ? ? ? ?", "?"),
    ROW("", "&[5,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "SF107 a.0 b.0"),
    ROW("", "&[4,3] &[5,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "SF107 a.0 b.0"),
    ROW("", "&[4,3] &[4,3] &[5,3] [2,3] [2]:int32 [] [] [] []", "SF107 a.0 c.0"),
};
SF_OP_TEST(SparseApplyAdagradDA, sparse_apply_adagrad_da)

static const SfOpCase resource_sparse_apply_adagrad_da[] = {
    ROW("", "&[5] &[5] &[5] [1] {3} 0.5 0.5 0.1 1", ""),
    ROW("", "&[?] &[5] &[5] [1] {3} 0.5 0.5 0.1 1", ""),
    ROW("", "? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] [1] {3} 0.5 0.5 0.1 1", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [1] {3} 0.5 0.5 0.1 1", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [1] {3} 0.5 0.5 0.1 1", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceSparseApplyAdagradDA, resource_sparse_apply_adagrad_da)

static const SfOpCase resource_apply_proximal_adagrad[] = {
    ROW("", "&[5] &[5] 0.5 0.5 0.5 [5]", ""),
    ROW("", "&[?] &[5] 0.5 0.5 0.5 [5]", ""),
    ROW("", "? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.5 0.5 [5]", "SF102 c"),
};
SF_OP_TEST(ResourceApplyProximalAdagrad, resource_apply_proximal_adagrad)

static const SfOpCase sparse_apply_proximal_adagrad[] = {
    ROW("", "&[5] &[5] 0.5 0.1 0.5 [1] {3}", "[5]"),
    ROW("", "&[?] &[5] 0.5 0.1 0.5 [1] {3}", "[5]"),
    ROW("", "? ? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] 0.5 0.1 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.1 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.1 0.5 [1] {3}", "SF102 c"),
};
SF_OP_TEST(SparseApplyProximalAdagrad, sparse_apply_proximal_adagrad)

static const SfOpCase resource_sparse_apply_proximal_adagrad[] = {
    ROW("", "&[5] &[5] 0.5 0.5 0.5 [1] {3}", ""),
    ROW("", "&[?] &[5] 0.5 0.5 0.5 [1] {3}", ""),
    ROW("", "? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.5 0.5 [1] {3}", "SF102 c"),
};
SF_OP_TEST(ResourceSparseApplyProximalAdagrad, resource_sparse_apply_proximal_adagrad)

static const SfOpCase resource_apply_adadelta[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.5 0.5 [5]", ""),
    ROW("", "&[?] &[5] &[5] 0.5 0.5 0.5 [5]", ""),
    ROW("", "? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.5 0.5 [5]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyAdadelta, resource_apply_adadelta)

static const SfOpCase sparse_apply_adadelta[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.1 0.5 [1] {3}", "[5]"),
    ROW("", "&[?] &[5] &[5] 0.5 0.1 0.5 [1] {3}", "[5]"),
    ROW("", "? ? ? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] &[5] 0.5 0.1 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.1 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.1 0.5 [1] {3}", "SF107 a.0 c.0"),
};
SF_OP_TEST(SparseApplyAdadelta, sparse_apply_adadelta)

static const SfOpCase resource_apply_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", ""),
    ROW("", "&[?] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", ""),
    ROW("", "? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyRMSProp, resource_apply_rms_prop)

static const SfOpCase sparse_apply_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "[5]"),
    ROW("", "&[?] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "[5]"),
    ROW("", "? ? ? ? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 c.0"),
};
SF_OP_TEST(SparseApplyRMSProp, sparse_apply_rms_prop)

static const SfOpCase resource_sparse_apply_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", ""),
    ROW("", "&[?] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", ""),
    ROW("", "? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceSparseApplyRMSProp, resource_sparse_apply_rms_prop)

static const SfOpCase resource_apply_centered_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", ""),
    ROW("", "&[?] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", ""),
    ROW("", "? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] &[5] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] &[5] 0.5 0.5 0.5 0.1 [5]", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyCenteredRMSProp, resource_apply_centered_rms_prop)

static const SfOpCase sparse_apply_centered_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "[5]"),
    ROW("", "&[?] &[5] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "[5]"),
    ROW("", "? ? ? ? ? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] &[5] 0.5 0.1 0.5 0.5 [1] {3}", "SF107 a.0 c.0"),
};
SF_OP_TEST(SparseApplyCenteredRMSProp, sparse_apply_centered_rms_prop)

static const SfOpCase resource_sparse_apply_centered_rms_prop[] = {
    ROW("", "&[5] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", ""),
    ROW("", "&[?] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", ""),
    ROW("", "? ? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] &[5] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] &[5] 0.5 0.5 0.5 0.1 [1] {0}", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceSparseApplyCenteredRMSProp, resource_sparse_apply_centered_rms_prop)

static const SfOpCase resource_apply_ftrl[] = {
    ROW("", "&[5] &[5] &[5] [5] 0.5 0.5 0.5 -0.5", ""),
    ROW("", "&[?] &[5] &[5] [5] 0.5 0.5 0.5 -0.5", ""),
    ROW("", "? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] [5] 0.5 0.5 0.5 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [5] 0.5 0.5 0.5 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [5] 0.5 0.5 0.5 -0.5", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyFtrl, resource_apply_ftrl)

static const SfOpCase resource_apply_ftrl_v2[] = {
    ROW("", "&[5] &[5] &[5] [5] 0.5 0.5 0.5 0.1 -0.5", ""),
    ROW("", "&[?] &[5] &[5] [5] 0.5 0.5 0.5 0.1 -0.5", ""),
    ROW("", "? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] [5] 0.5 0.5 0.5 0.1 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [5] 0.5 0.5 0.5 0.1 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [5] 0.5 0.5 0.5 0.1 -0.5", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceApplyFtrlV2, resource_apply_ftrl_v2)

static const SfOpCase sparse_apply_ftrl_v2[] = {
    ROW("", "&[5] &[5] &[5] [1] {2} 0.1 0.5 0.5 0.5 -0.5", "[5]"),
    ROW("", "&[?] &[5] &[5] [1] {2} 0.1 0.5 0.5 0.5 -0.5", "[5]"),
    ROW("", "? ? ? ? ? ? ? ? ? ?", "?"),
    ROW("", "&[6] &[5] &[5] [1] {2} 0.1 0.5 0.5 0.5 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [1] {2} 0.1 0.5 0.5 0.5 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [1] {2} 0.1 0.5 0.5 0.5 -0.5", "SF107 a.0 c.0"),
};
SF_OP_TEST(SparseApplyFtrlV2, sparse_apply_ftrl_v2)

static const SfOpCase resource_sparse_apply_ftrl_v2[] = {
    ROW("", "&[5] &[5] &[5] [1] {3} 0.5 0.5 0.1 0.1 -0.5", ""),
    ROW("", "&[?] &[5] &[5] [1] {3} 0.5 0.5 0.1 0.1 -0.5", ""),
    ROW("", "? ? ? ? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] &[5] [1] {3} 0.5 0.5 0.1 0.1 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] &[5] [1] {3} 0.5 0.5 0.1 0.1 -0.5", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] &[6] [1] {3} 0.5 0.5 0.1 0.1 -0.5", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceSparseApplyFtrlV2, resource_sparse_apply_ftrl_v2)

static const SfOpCase resource_apply_add_sign[] = {
    ROW("", "&[5] &[5] 0.5 0.5 0.5 0.5 [5]", ""),
    ROW("", "&[?] &[5] 0.5 0.5 0.5 0.5 [5]", ""),
    ROW("", "? ? ? ? ? ? ?", ""),
    ROW("", "&[6] &[5] 0.5 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[6] 0.5 0.5 0.5 0.5 [5]", "SF107 a.0 b.0"),
    ROW("", "&[5] &[5] [2] 0.5 0.5 0.5 [5]", "SF102 c"),
};
SF_OPS_TEST(resource_apply_add_sign_rows, resource_apply_add_sign, "ResourceApplyAddSign",
            "ResourceApplyPowerSign")
static const SfOpCase sparse_proximal[] = {
    ROW("", "&[4,3] [] [] [] [2,3] [2]:int32", ""),
    ROW("", "&[?,3] [] [] [] [2,3] [?]:int32", ""),
    ROW("", "? ? ? ? ? ?:int32", ""),
    ROW("", "&[4,3] [2] [] [] [2,3] [2]:int32", "SF102 b"),
};
SF_OP_TEST(ResourceSparseApplyProximalGradientDescent, sparse_proximal)

static const SfOpCase sparse_adadelta[] = {
    ROW("", "&[4,3] &[4,3] &[4,3] [] [] [] [2,3] [2]:int32", ""),
    ROW("", "&[?,3] &[4,3] &[4,?] [] [] [] [2,3] [?]:int32", ""),
    ROW("", "? ? ? ? ? ? ? ?:int32", ""),
    ROW("", "&[4,3] &[4,3] &[5,3] [] [] [] [2,3] [2]:int32", "SF107 a.0 c.0"),
};
SF_OP_TEST(ResourceSparseApplyAdadelta, sparse_adadelta)

static const SfOpCase sparse_ftrl[] = {
    ROW("", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [] [] []", ""),
    ROW("", "&[?,3] &[4,3] &[4,?] [2,3] [?]:int32 [] [] [] []", ""),
    ROW("", "? ? ? ? ?:int32 ? ? ? ?", ""),
    ROW("", "&[4,3] &[5,3] &[4,3] [2,3] [2]:int32 [] [] [] []", "SF107 a.0 b.0"),
    ROW("", "&[4,3] &[4,3] &[4,3] [2,3] [2]:int32 [] [2] [] []", "SF102 g"),
};
SF_OP_TEST(ResourceSparseApplyFtrl, sparse_ftrl)
