#include "apis/ops/shared/window.h"

#include <string.h>

SfLayout sf_layout_of(const SfInfer *c, int nspatial)
{
    const int at = sf_op_attr_index(sf_op_sig(c), "data_format");
    const SfString *given = at >= 0 ? sf_attr_at(sf_op_sig(c), c->attrs, at)->u.s : NULL;
    const char *name = given ? given->bytes : nspatial == 3 ? "NDHWC" : "NHWC";
    const bool channel_first = name[1] == 'C';
    const bool inner = channel_first && strcmp(name, "NCHW_VECT_C") == 0;
    const int first = channel_first ? 2 : 1;
    return (SfLayout){.name = name,
                      .rank = nspatial + 2 + inner,
                      .nspatial = nspatial,
                      .channel = channel_first ? 1 : nspatial + 1,
                      .spatial = {first, first + 1, first + 2},
                      .inner = inner ? nspatial + 2 : -1};
}

SfPadding sf_padding_of(const SfInfer *c)
{
    const char *text = sf_attr_string(c, "padding");
    return text[0] == 'S'   ? SF_PADDING_SAME
           : text[0] == 'V' ? SF_PADDING_VALID
                            : SF_PADDING_EXPLICIT;
}

static SfStatus pads_check(SfInfer *c, SfPlace place, const int64_t *pads, int n, const SfLayout *l)
{
    SF_TRY(sf_expect(c, n == 2 * l->rank, place,
                     "explicit_paddings attribute must contain {0} values, but got: {1}",
                     SF_INT_ARG(2 * l->rank), SF_INT_ARG(n)));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_expect(c, pads[i] >= 0, place,
                         "All elements of explicit_paddings must be nonnegative"));
    }
    const int fixed[2] = {l->batch, l->channel};
    for (int i = 0; i < 2; i++) {
        SF_TRY(sf_expect(
            c, pads[2 * fixed[i]] == 0 && pads[2 * fixed[i] + 1] == 0, place,
            "Nonzero explicit padding in the batch or depth dimensions is not supported"));
    }
    return SF_OK;
}

SfStatus sf_padding_check(SfInfer *c, SfPadding padding, const SfLayout *l, const int64_t **items)
{
    *items = NULL;
    if (sf_op_attr_index(sf_op_sig(c), "explicit_paddings") < 0) {
        return SF_OK;
    }
    const SfPlace place = SF_ATTR("explicit_paddings");
    const int64_t *pads;
    const int n = sf_attr_ints(c, "explicit_paddings", &pads);
    if (padding != SF_PADDING_EXPLICIT) {
        return sf_expect(
            c, n == 0, place,
            "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
    }
    SF_TRY(pads_check(c, place, pads, n, l));
    *items = pads;
    return SF_OK;
}

SfStatus sf_padding_list(SfInfer *c, SfPadding *padding, const SfLayout *l, const int64_t **items)
{
    const int64_t *pads;
    if (sf_op_attr_index(sf_op_sig(c), "padding_list") < 0) {
        return SF_OK;
    }
    const int n = sf_attr_ints(c, "padding_list", &pads);
    if (n == 0) {
        return SF_OK;
    }
    SF_TRY(pads_check(c, SF_ATTR("padding_list"), pads, n, l));
    *padding = SF_PADDING_EXPLICIT;
    *items = pads;
    return SF_OK;
}

/* How far the window reaches: (size - 1) * dilation + 1. */
static SfDim window_reach(const SfWindow *w)
{
    if (w->dilation == 1) {
        return w->size;
    }
    if (w->size == 0) { /* sizes of 0 are TensorFlow's to accept: 1 - dilation is no dim */
        return SF_DIM_UNKNOWN;
    }
    return sf_dim_add(sf_dim_mul(sf_dim_sub(w->size, 1), w->dilation), 1);
}

static SfDim window_padded(const SfWindow *w)
{
    return w->padding == SF_PADDING_EXPLICIT ? sf_dim_add(sf_dim_add(w->input, w->before), w->after)
                                             : w->input;
}

SfDim sf_window_size(const SfWindow *w)
{
    if (w->padding == SF_PADDING_SAME) {
        return sf_dim_div_ceil(w->input, w->stride);
    }
    /* (padded - reach + stride) / stride, where the sum may be negative before the stride is added
     * (a kernel's empty output): add first. */
    const SfDim span = sf_dim_add(window_padded(w), w->stride);
    return sf_dim_div_floor(sf_dim_sub(span, window_reach(w)), w->stride);
}

SfStatus sf_window_output(SfInfer *c, const SfWindow *w, SfDim *out)
{
    SF_TRY(sf_require_as(c, w->dilation >= 1 || !(!w->as_kernel), SF_DIAG_OP_SHAPE,
                         SF_ATTR("dilations"), w->in, "Dilation rate must be >= 1, but got {0}",
                         SF_INT_ARG(w->dilation)));
    SF_TRY(sf_require_as(c, w->stride > 0, SF_DIAG_OP_SHAPE, SF_ATTR("strides"), w->in,
                         "Stride must be > 0, but got {0}", SF_INT_ARG(w->stride)));
    const SfDim size = sf_window_size(w);
    *out = size == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : size;
    if (w->padding == SF_PADDING_SAME) {
        return SF_OK;
    }
    const SfDim padded = window_padded(w), reach = window_reach(w);
    if (!w->as_kernel && sf_phase(c) == SF_PHASE_BUILD) {
        return sf_dim_sub(padded, reach) != SF_DIM_BOTTOM
                   ? SF_OK
                   : sf_fail(c, SF_DIAG_NEGATIVE_DIM, w->in, w->filter, SF_DIM_ARG(reach),
                             SF_DIM_ARG(padded));
    }
    if (sf_dim_is_known(padded) && sf_dim_is_known(reach) && padded - reach < -w->stride) {
        /* C's division truncates: -1 / 2 is an empty output, not a negative one. */
        const int64_t negative = (padded - reach + w->stride) / w->stride;
        SF_TRY(sf_require_as(c, negative >= 0, SF_DIAG_NEGATIVE_DIM, w->in, w->filter,
                             "Computed output size would be negative: {0} [input_size: {1}, "
                             "effective_filter_size: {2}, stride: {3}]",
                             SF_INT_ARG(negative), SF_DIM_ARG(w->input), SF_DIM_ARG(reach),
                             SF_INT_ARG(w->stride)));
        *out = 0;
    }
    return SF_OK;
}

SfStatus sf_want_sizes(SfInfer *c, int input, int rank, const SfShape **out)
{
    const SfShape *s;
    SF_TRY(sf_want_shape_value(c, SF_INPUT(input), &s));
    if (!sf_shape_is_ranked(s)) {
        s = sf_shape_of_rank(rank);
    } else if (sf_shape_rank(s) != rank) {
        return sf_fail(c, SF_DIAG_RANK_EXACT, SF_INPUT(input), SF_THE_OP, SF_RANK_ARG(rank),
                       SF_RANK_ARG(sf_shape_rank(s)));
    }
    *out = s;
    return s ? SF_OK : SF_NOMEM;
}

/* What a kernel calls an attr of its windows. */
static const char *kernel_field(const char *attr, int rank, bool one_stride)
{
    switch (attr[0]) {
    case 'r':
        return "Input stride (atrous rate)";
    case 'd':
        return rank == 5 ? "Dilation rates" : "Sliding window dilations";
    case 'k':
        return "Sliding window ksize";
    default:
        return one_stride ? "Sliding window stride" : "Sliding window strides";
    }
}

SfStatus sf_window_attr(SfInfer *c, const char *attr, SfWindowText text, int rank,
                        const int64_t **items)
{
    const int n = sf_attr_ints(c, attr, items);
    SF_TRY(sf_expect(c, n == rank || sf_phase(c) == SF_PHASE_BUILD, SF_ATTR(attr),
                     "{0} field must specify {1} dimensions",
                     SF_TEXT_ARG(kernel_field(attr, rank, text.one_stride)), SF_INT_ARG(rank)));
    return sf_expect(c, n == rank, SF_ATTR(attr),
                     "{0} requires the {1} attribute to contain {2} values, but got: {3}",
                     SF_TEXT_ARG(text.who), SF_TEXT_ARG(text.what), SF_INT_ARG(rank),
                     SF_INT_ARG(n));
}
