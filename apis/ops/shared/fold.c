/* Value functions shared by the families: setting outputs, elementwise loops, strided copies. */
#include "apis/ops/shared/fold.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* what a version of TensorFlow knows while a graph is built */

static bool inputs_exact(SfInfer *c)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfValue *v = sf_input_value(c, i);
        if (!v || !sf_value_is_exact(v)) {
            return false;
        }
    }
    return true;
}

/* May numbers be known of this op's output? Asked of the real ones: 1.8 folds in Python, a few ops
 * only; 1.15 evaluates constant subgraphs, so everything when all inputs are exact; 2.x also sees
 * through the slice of a partly known shape. A constant that enters a loop counts as partly known
 * in 1.x. tf.Variable refuses an initial value whose shape is not known, so knowing more than the
 * emulated version would change programs. */
static bool is_known_to_version(SfInfer *c)
{
    if (sf_phase(c) != SF_PHASE_BUILD || sf_version(c) >= SF_VERSION(2, 0)) {
        return true;
    }
    if (sf_version(c) >= SF_VERSION(1, 9) && inputs_exact(c) && !sf_enters_loop(c)) {
        return true;
    }
    switch (sf_op_sig(c)->def->folds) {
    case SF_FOLDS_ALWAYS:
        return true;
    case SF_FOLDS_SLICES:
        return sf_attr_int(c, "shrink_axis_mask") == 0;
    case SF_FOLDS_WHEN_EXACT_18:
        return sf_version(c) < SF_VERSION(1, 9) && inputs_exact(c);
    case SF_FOLDS_WHEN_EXACT:
    default:
        return false;
    }
}

/* setting outputs */

void sf_fold_set_output_value(SfInfer *c, int output, const SfValue *v)
{
    if (v && !is_known_to_version(c)) {
        v = sf_infer_symbols_of(c, v);
    }
    sf_set_output_value(c, output, v);
}

SfElem *sf_fold_begin(SfInfer *c, int output, int64_t *count)
{
    const SfShape *s = sf_output(c, output);
    if (!sf_shape_is_known(s)) {
        return NULL;
    }
    *count = sf_shape_count(s);
    if (*count < 0 || *count > SF_VALUE_MAX) {
        return NULL;
    }
    return sf_scratch(c, (size_t)(*count > 0 ? *count : 1) * sizeof(SfElem));
}

void sf_fold_set_output(SfInfer *c, int output, const SfElem *elems)
{
    const SfShape *s = sf_output(c, output);
    const int64_t n = !elems ? -1 : sf_shape_count(s);
    bool any = n == 0;
    for (int64_t i = 0; i < n && !any; i++) {
        any = elems[i].kind != SF_ELEM_UNKNOWN;
    }
    if (any) {
        sf_fold_set_output_value(c, output, sf_value_make(sf_output_dtype(c, output), s, elems));
    }
}

/* elementwise */

bool sf_elem_is_subnormal(SfElem e, SfDtype t)
{
    const bool wide = t == SF_DT_DOUBLE || t == SF_DT_COMPLEX128;
    const double least = wide ? DBL_MIN : t == SF_DT_HALF ? 0 : FLT_MIN;
    if (e.kind == SF_ELEM_COMPLEX && e.im != 0 && fabs(e.im) < least) {
        return true;
    }
    return (e.kind == SF_ELEM_FLOAT || e.kind == SF_ELEM_COMPLEX) && e.u.f != 0 &&
           fabs(e.u.f) < least;
}

/* May a function know what the element is? */
static bool is_plain(SfElem e, SfDtype t)
{
    return e.kind != SF_ELEM_UNKNOWN && !sf_elem_is_subnormal(e, t);
}

void sf_fold_unary(SfInfer *c, SfElemUnary f)
{
    const SfValue *x = sf_input_value(c, 0);
    int64_t n;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || n != sf_value_count(x)) {
        return;
    }
    const SfDtype t = sf_dtype_base(sf_input_dtype(c, 0)), to = sf_output_dtype(c, 0);
    const SfElem *in = sf_value_elems(x);
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = is_plain(in[i], t) ? f(in[i], t) : sf_elem_unknown();
        out[i] = is_plain(e, to) ? e : sf_elem_unknown();
    }
    sf_fold_set_output(c, 0, out);
}

int64_t sf_fold_broadcast_index(const SfShape *from, const SfShape *shape, int64_t at)
{
    if (from == shape) {
        return at;
    }
    const int rank = sf_shape_rank(shape);
    const int missing = rank - sf_shape_rank(from);
    int64_t index = 0;
    int64_t step = 1;
    for (int axis = rank - 1; axis >= missing; axis--) {
        const SfDim d = sf_shape_dim(shape, axis);
        const SfDim f = sf_shape_dim(from, axis - missing);
        index += f == 1 ? 0 : step * (at % d);
        if (__builtin_mul_overflow(step, f, &step)) {
            step = 0; /* an empty tensor whose rows are long: see sf_fold_strides */
        }
        at /= d;
    }
    return index;
}

void sf_fold_binary(SfInfer *c, SfElemBinary f)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *y = sf_input_value(c, 1);
    int64_t n;
    SfElem *out = !x || !y ? NULL : sf_fold_begin(c, 0, &n);
    if (!out) {
        return;
    }
    const SfShape *shape = sf_output(c, 0);
    int axis;
    if (sf_shape_broadcast(sf_value_shape(x), sf_value_shape(y), &axis) != shape) {
        return; /* Equal of what does not broadcast */
    }
    const SfDtype t = sf_dtype_base(sf_input_dtype(c, 0)), to = sf_output_dtype(c, 0);
    for (int64_t i = 0; i < n; i++) {
        const SfElem a = sf_value_elem(x, sf_fold_broadcast_index(sf_value_shape(x), shape, i));
        const SfElem b = sf_value_elem(y, sf_fold_broadcast_index(sf_value_shape(y), shape, i));
        const SfElem e = is_plain(a, t) && is_plain(b, t) ? f(a, b, t) : sf_elem_unknown();
        out[i] = is_plain(e, to) ? e : sf_elem_unknown();
    }
    sf_fold_set_output(c, 0, out);
}

/* moving elements */

void sf_fold_copy(const SfFoldCopy *p, SfElem *to, const SfElem *from)
{
    int64_t at[2 * SF_FOLD_RANK] = {0};
    int64_t dst = p->to;
    int64_t src = p->from;
    for (int i = 0; i < p->rank; i++) {
        if (p->count[i] <= 0) {
            return;
        }
    }
    for (;;) {
        to[dst] = from[src];
        int axis = p->rank - 1;
        for (; axis >= 0; axis--) {
            dst += p->to_step[axis];
            src += p->from_step[axis];
            if (++at[axis] < p->count[axis]) {
                break;
            }
            at[axis] = 0;
            dst -= p->to_step[axis] * p->count[axis];
            src -= p->from_step[axis] * p->count[axis];
        }
        if (axis < 0) {
            return;
        }
    }
}

bool sf_fold_strides(const SfShape *s, int64_t *steps)
{
    const int rank = sf_shape_rank(s);
    if (rank < 0 || rank > SF_FOLD_RANK || !sf_shape_is_known(s)) {
        return false;
    }
    int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        steps[axis] = step;
        if (__builtin_mul_overflow(step, sf_shape_dim(s, axis), &step)) {
            /* an empty tensor with long rows ([0,7,2**62]): there is nothing to loop over */
            step = 0;
        }
    }
    return true;
}

bool sf_fold_copy_block(SfFoldCopy *p, const SfShape *block, const SfShape *to, const SfShape *from)
{
    p->rank = sf_shape_rank(block);
    p->to = 0;
    p->from = 0;
    if (!sf_shape_is_known(block) || sf_shape_rank(to) != p->rank ||
        sf_shape_rank(from) != p->rank || !sf_fold_strides(to, p->to_step) ||
        !sf_fold_strides(from, p->from_step)) {
        return false;
    }
    for (int axis = 0; axis < p->rank; axis++) {
        p->count[axis] = sf_shape_dim(block, axis);
    }
    return true;
}

void sf_fold_take(SfInfer *c, int input, int output, const SfShape *block, int axis, int64_t offset)
{
    const SfValue *v = sf_input_value(c, input);
    SfFoldCopy copy;
    int64_t n;
    SfElem *out = !v ? NULL : sf_fold_begin(c, output, &n);
    if (!out || !sf_fold_copy_block(&copy, block, block, sf_value_shape(v))) {
        return;
    }
    copy.from = offset * copy.from_step[axis];
    sf_fold_copy(&copy, out, !v ? NULL : sf_value_elems(v));
    sf_fold_set_output(c, output, out);
}

/* shared value functions */

void sf_fold_same(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c) && i < sf_input_count(c); i++) {
        sf_fold_set_output_value(c, i, sf_input_value(c, i));
    }
}

void sf_fold_reshape(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    if (v && sf_shape_is_known(sf_output(c, 0))) {
        sf_fold_set_output_value(c, 0, sf_value_reshape(v, sf_output(c, 0)));
    }
}
