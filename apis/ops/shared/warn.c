/* Warnings of transfer functions: what TensorFlow accepts and nobody means.
 * Invariant: a warning only speaks when shapes prove it for every value of their symbols.
 * Owner: nothing. Source: questions of users; Verma and Su 2020; Zhang et al. 2018. */
#include "apis/ops/shared/common.h"

#include <stdio.h>
#include <string.h>

#include "core/graph/graph.h"

/* an axis of one */

void sf_common_warn_axis_of_one(SfInfer *c, const char *what, int64_t axis)
{
    const SfShape *s = sf_input(c, 0);
    const int rank = sf_shape_rank(s);
    axis += axis < 0 && rank > 0 ? rank : 0;
    if (sf_phase(c) != SF_PHASE_BUILD || sf_in_kernel(c) || rank < 2 || axis < 0 || axis >= rank ||
        sf_shape_dim(s, (int)axis) != 1) {
        return;
    }
    const SfDiagArg args[] = {SF_TEXT_ARG(what), SF_INT_ARG(axis)};
    sf_warn_args(c, SF_DIAG_AXIS_OF_ONE, SF_AXIS(0, (int)axis), SF_THE_OP, args, 2);
}

/* labels of one column */

/* [n,1] for [n,k], k > 1. */
static bool is_column_for(const SfShape *labels, const SfShape *logits)
{
    return sf_shape_rank(labels) == 2 && sf_shape_rank(logits) == 2 &&
           sf_shape_dim(labels, 1) == 1 && sf_shape_dim(logits, 1) > 1;
}

void sf_common_warn_labels(SfInfer *c)
{
    const SfShape *logits = sf_input(c, 0), *labels = sf_input(c, 1);
    const SfShape *were = sf_static_input(c, 1);
    if (!is_column_for(labels, logits) ||
        (were && sf_shape_rank(were) == 2 && sf_shape_dim(were, 1) == 1)) {
        return;
    }
    const SfDiagArg args[] = {SF_SHAPE_ARG(labels), SF_SHAPE_ARG(logits),
                              SF_DIM_ARG(sf_shape_dim(logits, 1))};
    sf_warn_args(c, SF_DIAG_LABELS_BROADCAST, SF_AXIS(1, 1), SF_AXIS(0, 1), args, 3);
}

/* reshapes that mix samples */

/* Known dims from axis `from` on multiplied; 0: some are not known. */
static SfDim known_product(const SfShape *s, int from)
{
    SfDim product = 1;
    for (int i = from; i < sf_shape_rank(s) && sf_dim_is_known(product); i++) {
        product = sf_dim_mul(product, sf_shape_dim(s, i));
    }
    return sf_dim_is_known(product) ? product : 0;
}

/* Is axis 0 a symbol by itself, which stands nowhere else in `s`? */
static bool has_batch(const SfShape *s)
{
    const SfDim n = sf_shape_dim(s, 0);
    if (!sf_dim_is_symbol(n)) {
        return false;
    }
    for (int i = 1; i < sf_shape_rank(s); i++) {
        if (sf_dim_is_symbolic(sf_shape_dim(s, i)) && sf_dim_mentions(sf_shape_dim(s, i), n)) {
            return false;
        }
    }
    return true;
}

/* The axis of `out` where the batch `n` of the input stands behind dims that are not 1; 0: there is
 * none, or it is not certain. */
static int moved_axis(const SfShape *out, SfDim n)
{
    int at = 0, count = 0;
    bool behind = false;
    for (int i = 0; i < sf_shape_rank(out); i++) {
        const SfDim d = sf_shape_dim(out, i);
        if (d == n) {
            at = behind ? i : 0;
            count++;
        } else if (sf_dim_is_symbolic(d) && sf_dim_mentions(d, n)) {
            return 0;
        } else if (count == 0) {
            behind = behind || sf_dim_lower(d) > 1 || sf_dim_is_symbolic(d);
        }
    }
    return count == 1 ? at : 0;
}

/* Padding and then reading rows of another length shifts them on purpose (relative attention). */
static bool is_shifted(const SfInfer *c)
{
    const SfNode *n = sf_input_node(c, 0);
    return n && sf_node_role(n) == SF_ROLE_LENGTHEN;
}

void sf_common_warn_mixed_batch(SfInfer *c, const SfShape *out)
{
    const SfShape *in = sf_input(c, 0);
    if (sf_phase(c) != SF_PHASE_BUILD || sf_in_kernel(c) || sf_shape_rank(in) < 2 ||
        sf_shape_rank(out) < 2 || sf_shape_dim(out, 0) == sf_shape_dim(in, 0) || !has_batch(in) ||
        is_shifted(c)) {
        return;
    }
    enum { TEXT_MAX = 160 };
    char *text = sf_scratch(c, TEXT_MAX);
    const SfDim n = sf_shape_dim(in, 0);
    const int moved = moved_axis(out, n);
    const SfDim sample = known_product(in, 1), row = known_product(out, 1);
    if (!text) {
        return;
    }
    if (moved > 0) {
        char name[32];
        sf_dim_format(n, true, name, sizeof name);
        (void)snprintf(text, TEXT_MAX, "takes %s from axis 0 to axis %d, which is no transposition",
                       name, moved);
    } else if (!sf_dim_is_known(sf_shape_dim(out, 0)) && sample > 0 && row > 0 &&
               row % sample != 0 && sample % row != 0) {
        (void)snprintf(text, TEXT_MAX, "cuts rows of %lld elements from samples of %lld",
                       (long long)row, (long long)sample);
    } else {
        return;
    }
    const SfDiagArg args[] = {SF_SHAPE_ARG(in), SF_SHAPE_ARG(out), SF_TEXT_ARG(text)};
    sf_warn_args(c, SF_DIAG_BATCH_MIXED, SF_AXIS(0, 0), SF_INPUT(1), args, 3);
}
