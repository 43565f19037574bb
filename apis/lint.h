/* Lints: what TensorFlow accepts and nobody means.
 * Invariant: a lint only speaks when shapes prove it; silence says nothing.
 * Owner: nothing; findings go to the sink. Source: the bugs collected by Verma and Su 2020 and by
 * Zhang et al. 2018 (a loss that broadcasts [n] against [n,1] trains, towards the mean). */
#ifndef SF_APIS_LINT_H
#define SF_APIS_LINT_H

#include "core/graph/graph.h"

/* Called when gradients of `ys` are taken, which makes them losses. Walks back through reductions,
 * elementwise functions, products with scalars and sums of scalars to differences; SF501 at each
 * Sub or SquaredDifference that broadcasts [n] against [n,1] to [n,n], when both n are the same
 * known number > 1 or the same symbol; where only a run can tell, the run does (usage.h). Silent
 * where every pair is meant: both operands are views of one computed tensor, or the column was made
 * by x[:, None]. Tensors of other graphs are passed over; `eager`: g holds the record of eager
 * calls. */
void sf_lint_loss(SfGraph *g, const SfTensor *ys, int ny, bool eager, SfSink *sink);

/* Called for a Mean or Sum: SF501 when all of a comparison of [n] with [n,1] is reduced to a
 * scalar, as in mean(cast(equal(prediction, label))). */
void sf_lint_metric(const SfNode *mean, bool eager, SfSink *sink);

#endif
