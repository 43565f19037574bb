/* Private to the range functions: what holds between two tensors, element by element.
 * Invariant: true means that it holds for all their elements, rounding included.
 * Owner: nothing. Source: DEBAR (FSE 2020), section 4.2, elementwise relations. */
#ifndef SF_APIS_OPS_RANGE_RELATION_H
#define SF_APIS_OPS_RANGE_RELATION_H

#include "apis/ops/shared/range.h"

static inline bool sf_range_is(const SfTensor *t, SfRangeFn range)
{
    return t->node && t->node->sig->def->range == range;
}

/* No element of `big` is below that of `small` which it meets when the two are broadcast: a
 * maximum of it, a sum of what is never negative. */
bool sf_range_dominates(const SfRange *c, const SfTensor *big, const SfTensor *small);
/* Does each element of `t`, computed by the reduction `n`, meet its own group of `of`? */
bool sf_range_is_aligned(const SfTensor *t, const SfNode *n, const SfTensor *of);
/* Is input `k` of `n`, the number of a diagonal, that of the main one? */
bool sf_range_is_main(const SfNode *n, int k);
/* `v` with part of its distance to something taken off: v - (v - x) * d where 0 <= d <= 1. Gives
 * x; NULL: `off` is no such part of v. */
const SfTensor *sf_range_target(const SfRange *c, const SfTensor *v, const SfTensor *off);
/* The same where it is added: v + (x - v) * d. */
const SfTensor *sf_range_gained(const SfRange *c, const SfTensor *v, const SfTensor *on);
/* Among the terms of the reduction `sum` is one that is exp(0) = 1: exp(x - max(x)). */
bool sf_range_sums_peak(const SfRange *c, const SfNode *sum);
/* What is known of which tensor where `condition` is `truth`; NULL: nothing. */
const SfTensor *sf_range_given(const SfRange *c, const SfTensor *condition, bool truth,
                               SfInterval *as);

/* What an op of two floating operands makes of two intervals. */
typedef SfInterval (*SfCombine)(SfInterval a, SfInterval b, SfDtype t);
/* `y` where an operand depends on a condition, or a mask of 0 and 1, less what neither case gives:
 * x + cast(x == 0), x * m + (1 - m). */
SfInterval sf_range_by_cases(const SfRange *c, SfCombine combine, SfInterval y);
/* Are a and b p * x and (1 - p) * y where 0 <= p <= 1? Then `ends` are x and y. */
bool sf_range_blends(const SfRange *c, const SfTensor *a, const SfTensor *b,
                     const SfTensor *ends[2]);
/* Bounds of in[0] + sign * in[1] where both are sums of multiples of the same tensors. */
bool sf_range_linear(const SfRange *c, double sign, double *lo, double *hi);

#endif
