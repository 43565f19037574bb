/* Operands that ops cannot take, in value and in derivative. Source: GRIST, table 1. */
#include <math.h>

#include "apis/ops/shared/range_relation.h"

#define END                                                                                        \
    {                                                                                              \
        .condition = SF_CONDITION_NONE                                                             \
    }
#define VALUE(name, i)                                                                             \
    {                                                                                              \
        .condition = SF_CONDITION_##name, .input = (i)                                             \
    }
#define DERIVATIVE(name, i)                                                                        \
    {                                                                                              \
        .condition = SF_CONDITION_##name, .input = (i), .in_gradient = true                        \
    }
/* Its gradient has a kernel that gives 0 of 0 whatever the operand is. */
#define KEPT(name, i, in_gradient_)                                                                \
    {                                                                                              \
        .condition = SF_CONDITION_##name, .input = (i), .in_gradient = (in_gradient_),             \
        .keeps_zero = true                                                                         \
    }
#define OVERFLOWS(f)                                                                               \
    {                                                                                              \
        .condition = SF_CONDITION_OVERFLOW, .grows = (f)                                           \
    }

static bool has_fraction(const SfRange *c)
{
    return !(c->in[1].flags & SF_ALL_INTEGERS);
}

static bool may_divide(const SfRange *c)
{
    return c->in[1].lo < 0;
}

/* The derivative of x^y is y * x^(y - 1). */
static bool has_steep_start(const SfRange *c)
{
    return c->in[1].lo < 1 && c->in[1].hi > 0 && c->in[1].lo >= 0;
}

/* The derivative of atan2(y, x) is divided by x^2 + y^2. */
static bool has_no_angle(const SfRange *c)
{
    return sf_interval_has_zero(c->in[1]);
}

/* What is below zero as well is a suspect by that. */
static bool is_above_zero(const SfRange *c)
{
    return c->in[0].lo >= 0 && !sf_interval_has_zero(c->in[0]);
}

static bool is_floating(const SfRange *c)
{
    return sf_dtype_is_floating(sf_dtype_base(c->node->inputs[0].dtype));
}

/* clang-format off */
const SfHazard sf_hazards_div[] = {
    {.condition = SF_CONDITION_ZERO, .input = 1, .applies = is_floating}, END};
const SfHazard sf_hazards_reciprocal[] = {KEPT(ZERO, 0, false), END};
const SfHazard sf_hazards_exp[] = {OVERFLOWS(exp), END};
const SfHazard sf_hazards_expm1[] = {OVERFLOWS(expm1), END};
const SfHazard sf_hazards_sinh[] = {OVERFLOWS(sinh), END};
const SfHazard sf_hazards_cosh[] = {OVERFLOWS(cosh), END};
const SfHazard sf_hazards_log[] = {VALUE(NONPOSITIVE, 0), END};
const SfHazard sf_hazards_log1p[] = {
    {.condition = SF_CONDITION_NONPOSITIVE, .edge = 1}, END};
const SfHazard sf_hazards_sqrt[] = {
    KEPT(NEGATIVE, 0, false), KEPT(ZERO, 0, true), END};
const SfHazard sf_hazards_rsqrt[] = {KEPT(NONPOSITIVE, 0, false), END};
const SfHazard sf_hazards_pow[] = {
    {.condition = SF_CONDITION_NEGATIVE, .applies = has_fraction},
    {.condition = SF_CONDITION_ZERO, .applies = may_divide},
    {.condition = SF_CONDITION_ZERO, .in_gradient = true, .applies = has_steep_start}, END};
const SfHazard sf_hazards_lgamma[] = {VALUE(POLE, 0), END};
const SfHazard sf_hazards_digamma[] = {VALUE(POLE, 0), END};
const SfHazard sf_hazards_acos[] = {
    VALUE(OUT_OF_UNIT_INTERVAL, 0), DERIVATIVE(AT_UNIT_BOUNDARY, 0), END};
const SfHazard sf_hazards_acosh[] = {
    {.condition = SF_CONDITION_NEGATIVE, .edge = -1},
    {.condition = SF_CONDITION_ZERO, .edge = -1, .in_gradient = true}, END};
const SfHazard sf_hazards_atanh[] = {VALUE(AT_UNIT_BOUNDARY, 0), END};
const SfHazard sf_hazards_ndtri[] = {
    VALUE(NONPOSITIVE, 0), {.condition = SF_CONDITION_AT_UNIT_BOUNDARY, .applies = is_above_zero},
    END};
const SfHazard sf_hazards_atan2[] = {
    {.condition = SF_CONDITION_ZERO, .in_gradient = true, .applies = has_no_angle}, END};
const SfHazard sf_hazards_norm[] = {DERIVATIVE(ZERO, 0), END};
const SfHazard sf_hazards_inverse[] = {VALUE(SINGULAR, 0), END};
const SfHazard sf_hazards_cholesky[] = {VALUE(SINGULAR, 0), END};
const SfHazard sf_hazards_xlogy[] = {VALUE(NONPOSITIVE, 1), END};
const SfHazard sf_hazards_xlog1py[] = {
    {.condition = SF_CONDITION_NONPOSITIVE, .input = 1, .edge = 1}, END};
const SfHazard sf_hazards_xdivy[] = {VALUE(ZERO, 1), END};
/* clang-format on */
