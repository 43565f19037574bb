/* UniformQuantizedConvolution: a convolution with any layout, dilations of both sides and
 * groups. */
#include <stdio.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/quant/uniform_quant.h"

/* Which axis is what; `spatial` has rank - 2 entries. */
typedef struct Axes {
    int first, second; /* batch and feature; of the kernel: output and input feature */
    int spatial[SF_RANK_MAX];
    int nspatial;
} Axes;

typedef struct Conv {
    const SfShape *lhs, *rhs;
    int rank;
    bool hybrid;
    Axes in, kernel, out;
    const int64_t *strides, *lhs_dilation, *rhs_dilation, *pads; /* NULL: the default */
    int npads;
} Conv;

/* dimension_numbers: a serialised UniformQuantizedConvolutionDimensionNumbersAttr */

static bool read_varint(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        const unsigned char byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return true;
        }
    }
    return false;
}

/* Fields 1-3 are of the input, 4-6 of the kernel (input feature first), 7-9 of the output. */
static bool set_axis(Conv *v, unsigned field, uint64_t value)
{
    Axes *const groups[] = {&v->in, &v->kernel, &v->out};
    if (field < 1 || field > 9) {
        return true;
    }
    Axes *a = groups[(field - 1) / 3];
    const int axis = value < SF_RANK_MAX ? (int)value : -1;
    const unsigned part = (field - 1) % 3;
    if (part == 2) {
        if (a->nspatial == SF_RANK_MAX) {
            return false;
        }
        a->spatial[a->nspatial++] = axis;
    } else {
        *((part == 0) == (a != &v->kernel) ? &a->first : &a->second) = axis;
    }
    return true;
}

static bool parse_numbers(const SfString *s, Conv *v)
{
    const unsigned char *at = (const unsigned char *)s->bytes;
    const unsigned char *end = at + s->len;
    while (at < end) {
        uint64_t tag;
        uint64_t value;
        if (!read_varint(&at, end, &tag) || !read_varint(&at, end, &value)) {
            return false;
        }
        if ((tag & 7) == 0) {
            if (!set_axis(v, (unsigned)(tag >> 3), value)) {
                return false;
            }
            continue;
        }
        if ((tag & 7) != 2 || value > (uint64_t)(end - at)) {
            return false;
        }
        const unsigned char *stop = at + value;
        while (at < stop) { /* packed */
            if (!read_varint(&at, stop, &value) || !set_axis(v, (unsigned)(tag >> 3), value)) {
                return false;
            }
        }
    }
    return true;
}

static SfStatus check_axes(SfInfer *c, const Axes *a, int rank)
{
    const SfPlace place = SF_ATTR("dimension_numbers");
    SF_TRY(sf_expect(
        c, a->nspatial == rank - 2, place,
        "Spatial dimensions size must be rank - 2. Given rank {0} and spatial dimensions size {1}",
        SF_INT_ARG(rank), SF_INT_ARG(a->nspatial)));
    for (int i = -2; i < a->nspatial; i++) {
        const int axis = i == -2 ? a->first : i == -1 ? a->second : a->spatial[i];
        SF_TRY(sf_expect(c, axis >= 0 && axis < rank, place,
                         "Each dimension number must be in region [0, rank). Given rank {0} and "
                         "dimension number value {1}",
                         SF_INT_ARG(rank), SF_INT_ARG(axis)));
    }
    return SF_OK;
}

static void default_axes(Axes *a, int rank)
{
    a->first = 0;
    a->second = 1;
    a->nspatial = rank - 2;
    for (int i = 0; i < a->nspatial; i++) {
        a->spatial[i] = i + 2;
    }
}

static SfStatus want_axes(SfInfer *c, Conv *v)
{
    const SfString *numbers = sf_attr(c, "dimension_numbers")->u.s;
    SF_TRY(sf_expect(c, !numbers || numbers->len == 0 || parse_numbers(numbers, v),
                     SF_ATTR("dimension_numbers"), "Error parsing convolution dimension numbers."));
    if (v->in.nspatial == 0) {
        default_axes(&v->in, v->rank);
        default_axes(&v->kernel, v->rank);
        default_axes(&v->out, v->rank);
        return SF_OK;
    }
    SF_TRY(check_axes(c, &v->in, v->rank));
    SF_TRY(check_axes(c, &v->kernel, v->rank));
    return check_axes(c, &v->out, v->rank);
}

/* attrs */

static const char *joined(SfInfer *c, const int64_t *items, int n)
{
    const size_t room = (size_t)n * 24 + 1;
    char *text = sf_scratch(c, room);
    size_t used = 0;
    for (int i = 0; text && i < n; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s%lld", i > 0 ? ", " : "",
                                 (long long)items[i]);
    }
    return !text ? "" : text;
}

/* One number for each spatial axis, at least 1; *items is NULL when the attr is empty. */
static SfStatus want_factors(SfInfer *c, const char *attr, int nspatial, const int64_t **items)
{
    const int n = sf_attr_ints(c, attr, items);
    if (n == 0) {
        *items = NULL;
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, n == nspatial, SF_DIAG_OP_SHAPE, SF_ATTR(attr), SF_INPUT(0),
                         "Size of {0} Attr must be dims - 2.", SF_TEXT_ARG(attr)));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_expect(c, (*items)[i] >= 1, SF_ATTR(attr),
                         "All elements of {0} must be >= 1. Given {1}", SF_TEXT_ARG(attr),
                         SF_TEXT_ARG(joined(c, *items, n))));
    }
    return SF_OK;
}

static SfStatus want_padding(SfInfer *c, Conv *v)
{
    const char *padding = sf_attr_string(c, "padding");
    v->npads = sf_attr_ints(c, "explicit_padding", &v->pads);
    const bool given = strcmp(padding, "EXPLICIT") == 0;
    SF_TRY(sf_expect(c, given || strcmp(padding, "SAME") == 0 || strcmp(padding, "VALID") == 0,
                     SF_ATTR("padding"),
                     "padding Attr must be one of [EXPLICIT | SAME | VALID], but given: {0}",
                     SF_TEXT_ARG(padding)));
    SF_TRY(sf_expect(c, given || v->npads <= 0, SF_ATTR("explicit_padding"),
                     "If padding Attr is not 'EXPLICIT', explicit_padding Attr must be empty. "
                     "Given padding {0} and explicit_padding of size {1}",
                     SF_TEXT_ARG(padding), SF_INT_ARG(v->npads)));
    v->pads = given ? v->pads : NULL;
    return SF_OK;
}

static SfStatus check_explicit(SfInfer *c, const Conv *v)
{
    if (!v->pads) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, v->npads == 2 * (v->rank - 2), SF_DIAG_OP_SHAPE,
                         SF_ATTR("explicit_padding"), SF_INPUT(0),
                         "Size of explicit_padding Attr must be 2 * (rank - 2). Given rank {0} and "
                         "explicit_padding of size {1}",
                         SF_INT_ARG(v->rank), SF_INT_ARG(v->npads)));
    for (int i = 0; i < v->npads; i++) {
        SF_TRY(sf_expect(c, v->pads[i] >= 0, SF_ATTR("explicit_padding"),
                         "All explicit_padding elems must be >= 0, Given {0}",
                         SF_TEXT_ARG(joined(c, v->pads, v->npads))));
    }
    return SF_OK;
}

/* groups */

/* `by` ({0}) must divide d ({1}). */
static SfStatus want_multiple(SfInfer *c, SfPlace place, SfDim d, int64_t by, const char *text)
{
    return sf_require_as(c, !sf_dim_is_known(d) || by <= 0 || d % by == 0, SF_DIAG_RESHAPE_DIVIDE,
                         place, SF_THE_OP, text, SF_INT_ARG(by), SF_DIM_ARG(d));
}

static SfStatus want_groups(SfInfer *c, const Conv *v)
{
    const int64_t groups = sf_attr_int(c, "feature_group_count");
    const int64_t batches = sf_attr_int(c, "batch_group_count");
    const SfPlace features = SF_AXIS(0, v->in.second);
    const SfPlace outputs = SF_AXIS(1, v->kernel.first);
    const SfDim have = sf_shape_dim(v->lhs, v->in.second);
    const SfDim each = sf_shape_dim(v->rhs, v->kernel.second);
    const SfDim out = sf_shape_dim(v->rhs, v->kernel.first);
    SF_TRY(sf_expect(c, groups > 0, SF_ATTR("feature_group_count"),
                     "feature_group_count must be a positive integer, given: {0}",
                     SF_INT_ARG(groups)));
    SF_TRY(want_multiple(c, features, have, groups,
                         "feature_group_count must divide lhs feature dimension size, but {0} "
                         "does not divide {1}"));
    SF_TRY(want_multiple(c, features, have, each,
                         "rhs input feature dimension must divide lhs feature dimension size, but "
                         "{0} does not divide {1}"));
    SF_TRY(sf_require_as(c, sf_dim_compatible(sf_dim_div_exact(have, groups), each),
                         SF_DIAG_DIM_EQUAL, features, SF_AXIS(1, v->kernel.second),
                         "lhs feature dimension size divided by feature_group_count must equal the "
                         "rhs input feature dimension size, but {0} / {1} != {2}",
                         SF_DIM_ARG(have), SF_INT_ARG(groups), SF_DIM_ARG(each)));
    SF_TRY(want_multiple(c, outputs, out, groups,
                         "rhs output dimension size must be a multiple of feature_group_count, but "
                         "{1} is not a multiple of {0}"));
    SF_TRY(sf_expect(c, batches > 0, SF_ATTR("batch_group_count"),
                     "batch_group_count Attr must be a positive integer. Given: {0}",
                     SF_INT_ARG(batches)));
    SF_TRY(want_multiple(c, SF_AXIS(0, v->in.first), sf_shape_dim(v->lhs, v->in.first), batches,
                         "batch_group_count must divide lhs batch dimension size, but {0} does not "
                         "divide {1}"));
    return want_multiple(c, outputs, out, batches,
                         "rhs output dimension size must be a multiple of batch_group_count, but "
                         "{1} is not a multiple of {0}");
}

/* spatial axes */

/* With holes between the entries; of nothing, nothing. */
static SfDim dilated(SfDim d, int64_t by)
{
    if (by == 1 || d == 0) {
        return d;
    }
    return sf_dim_lower(d) < 1 ? SF_DIM_UNKNOWN : sf_dim_sub(sf_dim_mul(d, by), by - 1);
}

static SfStatus spatial_size(SfInfer *c, const Conv *v, int i, SfDim *out)
{
    const int64_t stride = !v->strides ? 1 : v->strides[i];
    const SfDim in =
        dilated(sf_shape_dim(v->lhs, v->in.spatial[i]), !v->lhs_dilation ? 1 : v->lhs_dilation[i]);
    const SfDim window = dilated(sf_shape_dim(v->rhs, v->kernel.spatial[i]),
                                 !v->rhs_dilation ? 1 : v->rhs_dilation[i]);
    const SfPlace place = SF_AXIS(0, v->in.spatial[i]);
    SfDim padded = in;
    if (strcmp(sf_attr_string(c, "padding"), "SAME") == 0) {
        const SfDim wanted = sf_dim_div_ceil(in, stride);
        if (sf_dim_lower(window) >= stride) { /* margins are never negative then */
            *out = wanted;
            return SF_OK;
        }
        if (!sf_dim_is_known(in) || !sf_dim_is_known(window)) {
            *out = SF_DIM_UNKNOWN;
            return SF_OK;
        }
        const SfDim steps = wanted > 0 ? sf_dim_mul(wanted - 1, stride) : 0;
        const SfDim covered = wanted > 0 ? sf_dim_add(steps, window) : 0;
        padded = sf_dim_is_known(covered) && covered <= in ? in : covered;
    } else if (v->pads) {
        const int64_t *pads = &v->pads[(ptrdiff_t)2 * i]; /* not negative */
        padded = sf_dim_add(sf_dim_add(in, pads[0]), pads[1]);
    }
    if (sf_dim_is_known(padded) && sf_dim_is_known(window) && padded <= INT64_MAX - stride) {
        const int64_t size = (padded - window + stride) / stride; /* rounds to zero, as C does */
        SF_TRY(sf_require_as(
            c, size >= 0, SF_DIAG_NEGATIVE_DIM, place, SF_AXIS(1, v->kernel.spatial[i]),
            "Expected shape dimensions to be non-negative, got {0}", SF_INT_ARG(size)));
        *out = size;
        return SF_OK;
    }
    const SfDim room = sf_dim_sub(sf_dim_add(padded, 1), window);
    *out = room == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : sf_dim_div_ceil(room, stride);
    return SF_OK;
}

static SfStatus output_shape(SfInfer *c, const Conv *v, const SfShape **out)
{
    SfDim dims[SF_RANK_MAX];
    const SfDim batch =
        sf_dim_div_exact(sf_shape_dim(v->lhs, v->in.first), sf_attr_int(c, "batch_group_count"));
    for (int i = 0; i < v->rank; i++) {
        dims[i] = SF_DIM_UNKNOWN;
    }
    dims[v->out.first] = batch == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : batch;
    dims[v->out.second] = sf_shape_dim(v->rhs, v->kernel.first);
    for (int i = 0; i < v->in.nspatial; i++) {
        SF_TRY(spatial_size(c, v, i, &dims[v->out.spatial[i]]));
    }
    *out = sf_shape_make(v->rank, dims);
    return !*out ? SF_NOMEM : SF_OK;
}

/* the op */

static SfStatus check_channel_attr(SfInfer *c, const char *attr, int64_t channel, const char *what)
{
    const int64_t axis = sf_attr_int(c, attr);
    return sf_require_as(c, axis == -1 || axis == channel, SF_DIAG_AXIS_RANGE, SF_ATTR(attr),
                         SF_THE_OP,
                         "{a.name} Attr must be -1 (per-tensor) or dimension_numbers.{0} "
                         "(per-channel).",
                         SF_TEXT_ARG(what));
}

static SfStatus check_conv_attrs(SfInfer *c, const Conv *v)
{
    SF_TRY(sf_require_as(c, !(!v->hybrid) || sf_attr_int(c, "lhs_quantization_axis") == -1,
                         SF_DIAG_AXIS_RANGE, SF_ATTR("lhs_quantization_axis"), SF_THE_OP,
                         "lhs_quantization_axis Attr must be -1 (per-tensor)."));
    SF_TRY(check_channel_attr(c, "rhs_quantization_axis", v->kernel.first,
                              "kernel_output_feature_dimension"));
    return v->hybrid ? SF_OK
                     : check_channel_attr(c, "output_quantization_axis", v->out.second,
                                          "output_feature_dimension");
}

static SfStatus check_conv_scales(SfInfer *c, const Conv *v, const SfShape *out)
{
    if (v->hybrid) {
        SF_TRY(sf_uniform_check_scales(c, v->rhs, 2, sf_attr_int(c, "rhs_quantization_axis")));
        return sf_uniform_check_positive(c, 2, "rhs");
    }
    SF_TRY(sf_uniform_check_lhs_scales(c));
    SF_TRY(sf_uniform_check_scales(c, v->rhs, 4, sf_attr_int(c, "rhs_quantization_axis")));
    SF_TRY(sf_uniform_check_scales(c, out, 6, sf_attr_int(c, "output_quantization_axis")));
    SF_TRY(sf_uniform_check_output_scales(c));
    SF_TRY(sf_uniform_check_positive(c, 2, "lhs"));
    SF_TRY(sf_uniform_check_positive(c, 4, "rhs"));
    return sf_uniform_check_positive(c, 6, "output");
}

static SfStatus want_conv_scales(SfInfer *c, const Conv *v)
{
    const SfPlace place = SF_AXIS(1, v->kernel.first);
    const SfDim channels = sf_shape_dim(v->rhs, v->kernel.first);
    if (v->hybrid) {
        return sf_uniform_want_scales(c, 2, place, channels);
    }
    SF_TRY(sf_uniform_want_scalar_scales(c, 2));
    SF_TRY(sf_uniform_want_scales(c, 4, place, channels));
    return sf_uniform_want_scales(c, 6, place, channels);
}

/* lhs and rhs are of one rank; -1 when neither's is known. Construction checks nothing more until
 * both shapes are known; what a dim contradicts before that fails in the kernel: deferred. */
static SfStatus want_conv_rank(SfInfer *c, Conv *v)
{
    const int a = sf_shape_rank(v->lhs);
    const int b = sf_shape_rank(v->rhs);
    SF_TRY(sf_require_as(
        c, a < 0 || b < 0 || a == b, SF_DIAG_MERGE_RANK, SF_INPUT(0), SF_INPUT(1),
        sf_common_runs(c)
            ? "lhs and rhs must have same dims. Given lhs and rhs of shapes: {a.shape}{b.shape}"
            : "lhs and rhs must have same rank."));
    v->rank = a >= 0 ? a : b;
    return sf_require_as(c, a < 0 || b < 0 || v->rank >= 3, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0),
                         SF_INPUT(1), "lhs and rhs shape dims must be at least 3. Given: {0}",
                         SF_INT_ARG(v->rank));
}

SfStatus sf_infer_uniform_conv(SfInfer *c)
{
    Conv v = {.lhs = sf_input(c, 0),
              .rhs = sf_input(c, 1),
              .hybrid = sf_op_variant(c) == SF_UNIFORM_HYBRID};
    const SfShape *out;
    SF_TRY(want_conv_rank(c, &v));
    const bool known = sf_shape_is_known(v.lhs) && sf_shape_is_known(v.rhs);
    if (v.rank < 3 || (!known && !sf_common_runs(c))) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(v.rank));
    }
    SF_TRY(want_padding(c, &v));
    SF_TRY(want_axes(c, &v));
    SF_TRY(want_factors(c, "window_strides", v.rank - 2, &v.strides));
    SF_TRY(want_factors(c, "lhs_dilation", v.rank - 2, &v.lhs_dilation));
    SF_TRY(want_factors(c, "rhs_dilation", v.rank - 2, &v.rhs_dilation));
    SF_TRY(sf_common_runs(c) ? check_conv_attrs(c, &v) : SF_OK);
    SF_TRY(want_groups(c, &v));
    SF_TRY(check_explicit(c, &v));
    SF_TRY(output_shape(c, &v, &out));
    SF_TRY(sf_common_runs(c) ? check_conv_scales(c, &v, out) : want_conv_scales(c, &v));
    return sf_set_output_shape(c, 0, out);
}
