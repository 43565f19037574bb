/* Private to apis/ops: the range functions and hazards that rows share, a function a family.
 * Invariant: as in core/op/range.h: each holds every element that the kernel can give.
 * Owner: nothing. Source: tf.raw_ops; DEBAR (FSE 2020), table 1. */
#ifndef SF_APIS_OPS_RANGE_H
#define SF_APIS_OPS_RANGE_H

#include "core/op/range.h"

/* movers: each output holds elements of inputs, as they are */
void sf_range_move(SfRange *c);        /* of input 0 */
void sf_range_move_all(SfRange *c);    /* of all floating inputs, or of those of its dtype */
void sf_range_move_second(SfRange *c); /* of input 1, after an axis or dims */
void sf_range_each(SfRange *c);        /* output i holds those of input i */
void sf_range_or_zero(SfRange *c);     /* of input 0, or zeros */
void sf_range_cast(SfRange *c);
void sf_range_one_hot(SfRange *c); /* of inputs 2 and 3 */
void sf_range_between(SfRange *c); /* Range, LinSpace: from input 0 to input 1 */

/* movers that answer for parts of their outputs too, for .range_of_parts */
#define SF_PARTS(range_) .range = (range_), .range_of_parts = true
void sf_range_concat(SfRange *c);
void sf_range_pack(SfRange *c);
void sf_range_unpack(SfRange *c);
void sf_range_split(SfRange *c);
void sf_range_split_v(SfRange *c);
void sf_range_slice(SfRange *c);
void sf_range_strided_slice(SfRange *c);
void sf_range_reshape(SfRange *c); /* and what adds or drops axes of one element */
void sf_range_transpose(SfRange *c);

void sf_range_gather(SfRange *c);
void sf_range_gather_nd(SfRange *c);
void sf_range_unique(SfRange *c);
void sf_range_cholesky(SfRange *c);
void sf_range_set_diag(SfRange *c);
void sf_range_diag_part(SfRange *c);
void sf_range_scatter_nd(SfRange *c);
void sf_range_tensor_scatter_add(SfRange *c);
void sf_range_tensor_scatter_sub(SfRange *c);

/* sources */
void sf_range_unit_uniform(SfRange *c);     /* [0, 1) */
void sf_range_normal(SfRange *c);           /* finite, any */
void sf_range_truncated_normal(SfRange *c); /* two standard deviations */
void sf_range_uniform_int(SfRange *c);      /* the last two inputs are its bounds */
void sf_range_positive(SfRange *c);         /* never below zero: Gamma, Poisson */
void sf_range_index(SfRange *c);            /* sizes and indices: integers from 0 on */
void sf_range_sizes(SfRange *c);            /* of input i, or its count; a batch is not empty */
void sf_range_candidates(SfRange *c);       /* samplers: ids, and how often each is expected */
void sf_range_arg(SfRange *c);              /* places along the axis that input 1 names */
void sf_range_where(SfRange *c);            /* the places that are true */
void sf_range_truth(SfRange *c);            /* 0 or 1 */
void sf_range_not(SfRange *c);              /* of booleans; a function for each op */
void sf_range_less(SfRange *c);
void sf_range_less_equal(SfRange *c);
void sf_range_greater(SfRange *c);
void sf_range_greater_equal(SfRange *c);
void sf_range_equal(SfRange *c);
void sf_range_not_equal(SfRange *c);
void sf_range_is_nan(SfRange *c);
void sf_range_is_inf(SfRange *c);
void sf_range_is_finite(SfRange *c);
void sf_range_zeros(SfRange *c);
void sf_range_ones(SfRange *c);

/* variables */
void sf_range_variable(SfRange *c);
void sf_range_read(SfRange *c);
void sf_range_assign(SfRange *c);
void sf_range_assign_add(SfRange *c);
void sf_range_assign_sub(SfRange *c);
void sf_range_scatter(SfRange *c); /* any of what was there and is written */
void sf_range_scatter_add(SfRange *c);

/* element by element */
void sf_range_neg(SfRange *c);
void sf_range_abs(SfRange *c);
void sf_range_sign(SfRange *c);
void sf_range_square(SfRange *c);
void sf_range_reciprocal(SfRange *c);
void sf_range_sqrt(SfRange *c);
void sf_range_rsqrt(SfRange *c);
void sf_range_exp(SfRange *c);
void sf_range_expm1(SfRange *c);
void sf_range_log(SfRange *c);
void sf_range_log1p(SfRange *c);
void sf_range_wave(SfRange *c); /* sin and cos: [-1, 1] */
void sf_range_asin(SfRange *c);
void sf_range_acos(SfRange *c);
void sf_range_atan(SfRange *c);
void sf_range_sinh(SfRange *c);
void sf_range_cosh(SfRange *c);
void sf_range_tanh(SfRange *c);
void sf_range_asinh(SfRange *c);
void sf_range_acosh(SfRange *c);
void sf_range_sigmoid(SfRange *c);
void sf_range_erf(SfRange *c);
void sf_range_erfc(SfRange *c);
void sf_range_floor(SfRange *c);
void sf_range_ceil(SfRange *c);
void sf_range_round(SfRange *c);
void sf_range_softplus(SfRange *c);
void sf_range_softsign(SfRange *c);
void sf_range_relu(SfRange *c);
void sf_range_relu6(SfRange *c);
void sf_range_elu(SfRange *c);
void sf_range_selu(SfRange *c);
void sf_range_leaky_relu(SfRange *c);
void sf_range_add(SfRange *c);
void sf_range_sub(SfRange *c);
void sf_range_mul(SfRange *c);
void sf_range_div(SfRange *c);
void sf_range_div_no_nan(SfRange *c);
void sf_range_minimum(SfRange *c);
void sf_range_maximum(SfRange *c);
void sf_range_squared_difference(SfRange *c);
void sf_range_pow(SfRange *c);
void sf_range_floor_div(SfRange *c);
void sf_range_floor_mod(SfRange *c);
void sf_range_truncate_mod(SfRange *c);
void sf_range_atan2(SfRange *c);
void sf_range_share(SfRange *c); /* incomplete integrals: [0, 1] */
void sf_range_clip(SfRange *c);
void sf_range_select(SfRange *c);
void sf_range_add_n(SfRange *c);

/* many elements in one */
void sf_range_sum(SfRange *c);
void sf_range_mean(SfRange *c);
void sf_range_prod(SfRange *c);
void sf_range_max(SfRange *c);
void sf_range_min(SfRange *c);
void sf_range_norm(SfRange *c); /* EuclideanNorm */
void sf_range_l2_loss(SfRange *c);
void sf_range_scan_sum(SfRange *c);
void sf_range_scan_prod(SfRange *c);
void sf_range_segment_sum(SfRange *c); /* sums of any number, zero of none */
void sf_range_bincount(SfRange *c);
void sf_range_matmul(SfRange *c); /* and batches, Einsum of two */
void sf_range_conv(SfRange *c);
void sf_range_average_pool(SfRange *c);

/* layers */
void sf_range_softmax(SfRange *c);
void sf_range_log_softmax(SfRange *c);
void sf_range_cross_entropy(SfRange *c);
void sf_range_batch_norm(SfRange *c);

extern const SfHazard sf_hazards_div[], sf_hazards_reciprocal[], sf_hazards_exp[],
    sf_hazards_expm1[], sf_hazards_log[], sf_hazards_log1p[], sf_hazards_sqrt[], sf_hazards_rsqrt[],
    sf_hazards_pow[], sf_hazards_lgamma[], sf_hazards_digamma[], sf_hazards_acos[],
    sf_hazards_acosh[], sf_hazards_atanh[], sf_hazards_sinh[], sf_hazards_cosh[], sf_hazards_norm[],
    sf_hazards_ndtri[], sf_hazards_atan2[], sf_hazards_xlog1py[], sf_hazards_inverse[],
    sf_hazards_cholesky[], sf_hazards_xlogy[], sf_hazards_xdivy[];

#endif
