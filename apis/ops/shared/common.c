/* Wants that several families share. */
#include "apis/ops/shared/common.h"

#include "core/base/strbuf.h"
#include "core/graphdef/wire.h"

#include <stdio.h>
#include <string.h>

const SfMessage sf_common_same_shape[] = {SF_SAME_SHAPE_MESSAGES, {0}};

SfStatus sf_common_want_scalar(SfInfer *c, SfPlace place)
{
    return sf_common_runs(c) && !sf_dim_never(sf_shape_count(sf_input(c, place.index)), 1)
               ? SF_OK
               : sf_want_scalar(c, place);
}

SfStatus sf_common_want_scalars(SfInfer *c, int first, int end)
{
    for (int i = first; i < end; i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    return SF_OK;
}

int64_t sf_common_elems(SfInfer *c, int input)
{
    const SfValue *v = sf_input_value(c, input);
    return !v ? 0 : sf_value_count(v);
}

/* TensorFlow looks at the rank of a scalar argument only when it knows the content. */
static SfStatus want_scalar_value(SfInfer *c, int input)
{
    const SfValue *v = sf_input_value(c, input);
    const int rank = !v ? 0 : sf_shape_rank(sf_value_shape(v));
    return sf_require_as(c, rank == 0, SF_DIAG_RANK_EXACT, SF_INPUT(input), SF_THE_OP,
                         "Input must be scalar but has rank {0}", SF_INT_ARG(rank));
}

SfStatus sf_common_dim_value(SfInfer *c, int input, SfDim *out)
{
    *out = SF_DIM_UNKNOWN;
    SF_TRY(want_scalar_value(c, input));
    const SfElem e = sf_common_elem(c, input, 0);
    SF_TRY(sf_expect(c, e.kind != SF_ELEM_INT || e.u.i >= 0, SF_INPUT(input),
                     "Dimension size, given by scalar input {0}, must be non-negative but is {1}",
                     SF_INT_ARG(input), SF_INT_ARG(e.u.i)));
    *out = sf_elem_as_dim(e);
    return SF_OK;
}

SfStatus sf_common_want_dim_number(SfInfer *c, int input)
{
    int64_t n;
    return sf_require_as(c, sf_common_runs(c) || !sf_input_int(c, input, &n) || n >= -1,
                         SF_DIAG_SHAPE_ENTRY, SF_INPUT(input), SF_THE_OP,
                         "Dimension {0} must be >= 0", SF_INT_ARG(n));
}

SfStatus sf_common_axis_value(SfInfer *c, int input, const SfShape *of, int64_t *axis, bool *known)
{
    *known = false;
    *axis = -1;
    SF_TRY(want_scalar_value(c, input));
    int64_t value;
    if (!sf_input_int(c, input, &value)) {
        return SF_OK;
    }
    const int rank = sf_shape_rank(of);
    if (rank < 0) {
        *axis = value;
        *known = value >= 0;
        return SF_OK;
    }
    SF_TRY(sf_expect(c, value >= -rank && value < rank, SF_INPUT(input),
                     "Dimension size, given by scalar input {0} must be in range [-{1}, {1})",
                     SF_INT_ARG(value), SF_INT_ARG(rank)));
    *axis = value < 0 ? value + rank : value;
    *known = true;
    return SF_OK;
}

SfStatus sf_common_prefix(SfInfer *c, SfPlace ps, const SfShape *s, SfPlace pp,
                          const SfShape *prefix, const SfShape **out_s, const SfShape **out_prefix)
{
    const int rank = sf_shape_rank(prefix);
    if (rank >= 0 && sf_shape_is_ranked(s) && sf_shape_rank(s) < rank) {
        return sf_fail(c, SF_DIAG_RANK_AT_LEAST, ps, pp, SF_RANK_ARG(rank),
                       SF_RANK_ARG(sf_shape_rank(s)));
    }
    if (rank >= 0 && sf_shape_is_ranked(s)) {
        for (int i = 0; i < rank; i++) {
            SfDim d;
            const SfPlace a = SF_AXIS(ps.index, i);
            const SfPlace b = SF_AXIS(pp.index, i);
            SF_TRY(sf_want_equal(c, a, sf_shape_dim(s, i), b, sf_shape_dim(prefix, i), &d));
            s = sf_shape_replace(s, i, d);
            prefix = sf_shape_replace(prefix, i, d);
        }
    }
    SF_TRY_ALLOC(s && prefix);
    if (out_s) {
        *out_s = s;
    }
    if (out_prefix) {
        *out_prefix = prefix;
    }
    return SF_OK;
}

bool sf_common_ints(SfInfer *c, int input, const int64_t **items, int *n)
{
    const SfValue *v = sf_input_value(c, input);
    if (!v) {
        return false;
    }
    const int64_t count = sf_value_count(v);
    int64_t *out = sf_scratch(c, (size_t)(count > 0 ? count : 1) * sizeof *out);
    if (!out) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind != SF_ELEM_INT) {
            return false;
        }
        out[i] = e.u.i;
    }
    *items = out;
    *n = (int)count;
    return true;
}

bool sf_common_pair(SfInfer *c, int input, int64_t row, int64_t *first, int64_t *second)
{
    const SfElem a = sf_common_elem(c, input, 2 * row);
    const SfElem b = sf_common_elem(c, input, 2 * row + 1);
    *first = a.u.i;
    *second = b.u.i;
    return a.kind == SF_ELEM_INT && b.kind == SF_ELEM_INT;
}

int64_t sf_common_stray_index(const SfValue *rows, const SfDim *sizes, int64_t depth)
{
    for (int64_t i = 0; rows && depth > 0 && i < sf_value_count(rows); i++) {
        const SfElem e = sf_value_elem(rows, i);
        const SfDim d = sizes[i % depth];
        if (e.kind == SF_ELEM_INT && sf_dim_is_known(d) && (e.u.i < 0 || e.u.i >= d)) {
            return i;
        }
    }
    return -1;
}

const char *sf_common_place_text(SfInfer *c, const SfShape *s, int64_t i)
{
    SfDim at[SF_RANK_MAX];
    for (int axis = sf_shape_rank(s) - 1; axis >= 0; axis--) {
        const SfDim d = sf_shape_dim(s, axis);
        at[axis] = d > 0 ? i % d : 0;
        i /= d > 0 ? d : 1;
    }
    const SfShape *place = sf_shape_make(sf_shape_rank(s), at);
    return !place || sf_shape_rank(s) == 0 ? "" : sf_shape_text(c, place);
}

const char *sf_common_list_text(SfInfer *c, const SfElem *elems, int64_t n, const char *separator)
{
    SfStrbuf text;
    sf_strbuf_init(&text, c->args->scratch);
    for (int64_t i = 0; i < n; i++) {
        sf_strbuf_add(&text, i > 0 ? separator : "");
        if (elems[i].kind == SF_ELEM_INT) {
            sf_strbuf_printf(&text, "%lld", (long long)elems[i].u.i);
        } else {
            sf_strbuf_char(&text, '?');
        }
    }
    const char *all = sf_strbuf_end(&text);
    return !all ? "" : all;
}

const char *sf_common_joined_ints(SfInfer *c, int input)
{
    const SfValue *v = sf_input_value(c, input);
    return !v ? "" : sf_common_list_text(c, sf_value_elems(v), sf_value_count(v), ",");
}

const char *sf_common_dim_text(SfInfer *c, SfDim d)
{
    char *text = sf_scratch(c, 24);
    if (!text) {
        return "?";
    }
    sf_dim_format(d, false, text, 24);
    return text;
}

const char *sf_common_value_text(SfInfer *c, int input)
{
    enum { MOST = 3 }; /* elements; of more, TensorFlow prints the first ones */
    const SfValue *v = sf_input_value(c, input);
    const int n = v && sf_value_count(v) <= MOST ? sf_value_format(v, NULL, 0) : 0;
    char *text = sf_scratch(c, (size_t)n + 1);
    if (text && n > 0) {
        (void)sf_value_format(v, text, (size_t)n + 1);
    }
    return !text ? "" : text;
}

const char *sf_common_tensor_text(SfInfer *c, int input)
{
    const char *type = sf_dtype_sig_name(sf_dtype_base(sf_input_dtype(c, input)));
    const char *shape = sf_shape_text(c, sf_input(c, input));
    const char *values = sf_common_value_text(c, input);
    const size_t room = strlen(type) + strlen(shape) + strlen(values) + 40;
    char *text = sf_scratch(c, room);
    if (!text) {
        return "";
    }
    (void)snprintf(text, room, "Tensor<type: %s shape: %s values: %s>", type, shape, values);
    return text;
}

const char *sf_common_text(SfInfer *c, const char *text, size_t n)
{
    char *part = sf_scratch(c, n + 1);
    return part ? memcpy(part, text, n) : "";
}

const char *sf_common_upper(SfInfer *c, const char *text)
{
    const size_t n = strlen(text);
    char *upper = sf_scratch(c, n + 1);
    for (size_t i = 0; upper && i < n; i++) {
        upper[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
    }
    return !upper ? "" : upper;
}

int64_t sf_common_length(const SfShape *s)
{
    if (sf_shape_rank(s) == 0) {
        return 1;
    }
    return sf_shape_rank(s) == 1 && sf_dim_is_known(sf_shape_dim(s, 0)) ? sf_shape_dim(s, 0) : -1;
}

const SfShape *sf_common_batch(const SfShape *s, int inner)
{
    const int rank = sf_shape_rank(s);
    return rank < inner ? s : sf_shape_slice(s, 0, rank - inner);
}

SfStatus sf_common_broadcast(SfInfer *c, int ia, const SfShape *a, int ib, const SfShape *b,
                             int inner, const SfShape **out)
{
    int back;
    *out = sf_shape_broadcast(a, b, &back);
    if (!*out || !sf_shape_is_bottom(*out)) {
        return !*out ? SF_NOMEM : SF_OK;
    }
    const int axis = -1 - back;
    return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_AXIS(ia, axis - inner), SF_AXIS(ib, axis - inner),
                   SF_DIM_ARG(sf_shape_dim(a, axis)), SF_DIM_ARG(sf_shape_dim(b, axis)));
}

SfStatus sf_common_set_output_vectors(SfInfer *c, int first, int end, SfDim d)
{
    for (int i = first; i < end; i++) {
        SF_TRY(sf_set_output_vector(c, i, d));
    }
    return SF_OK;
}

SfStatus sf_common_set_output_scalars(SfInfer *c, int first, int end)
{
    for (int i = first; i < end; i++) {
        SF_TRY(sf_set_output_scalar(c, i));
    }
    return SF_OK;
}

const SfShape *sf_common_record(const SfInfer *c, int input)
{
    const SfValue *v = sf_input_handle(c, input);
    const SfElem e = v && sf_value_count(v) == 1 ? sf_value_elem(v, 0) : sf_elem_unknown();
    return e.kind == SF_ELEM_SHAPE ? e.u.shape : NULL;
}

SfStatus sf_common_set_output_record(SfInfer *c, const SfShape *record)
{
    SF_TRY(sf_set_output_scalar(c, 0));
    if (record && !sf_shape_is_bottom(record)) {
        const SfElem e = sf_elem_shape(record);
        sf_set_output_value(c, 0, sf_value_make(SF_DT_VARIANT, sf_shape_scalar(), &e));
    }
    return SF_OK;
}

/* A record of it: dtype, whether the rank is known, dims. */
enum { AT_DTYPE, AT_RANKED, AT_DIMS };

SfKept sf_common_kept(const SfInfer *c, int input)
{
    SfKept kept = {.shape = sf_shape_unknown()};
    const SfShape *record = sf_common_record(c, input);
    if (!record || sf_shape_rank(record) < AT_DIMS) {
        return kept;
    }
    const SfShape *dims = sf_shape_slice(record, AT_DIMS, sf_shape_rank(record));
    kept.known = dims;
    kept.dtype = (SfDtype)sf_shape_dim(record, AT_DTYPE);
    kept.shape = dims && sf_shape_dim(record, AT_RANKED) ? dims : kept.shape;
    return kept;
}

SfStatus sf_common_keep(SfInfer *c, SfKept kept)
{
    SF_TRY(sf_set_output_scalar(c, 0));
    if (!kept.known || !kept.shape || sf_shape_is_bottom(kept.shape)) {
        return kept.shape ? SF_OK : SF_NOMEM;
    }
    const bool ranked = sf_shape_is_ranked(kept.shape) && sf_shape_rank(kept.shape) < 200;
    const SfDim head[] = {kept.dtype, ranked};
    const SfShape *record = sf_shape_make(SF_ARRAY_LEN(head), head);
    record = record && ranked ? sf_shape_concat(record, kept.shape) : record;
    return record ? sf_common_set_output_record(c, record) : SF_NOMEM;
}

SfStatus sf_common_set_output_grown(SfInfer *c, const SfShape *s, int axis, SfDim times)
{
    SF_TRY_ALLOC(s);
    SfDim dims[SF_RANK_MAX]; /* not sf_shape_replace: what is past int64 is judged by its dims */
    memcpy(dims, sf_shape_dims(s), (size_t)sf_shape_rank(s) * sizeof *dims);
    dims[axis] = sf_dim_mul(dims[axis], times);
    return sf_set_output_dims(c, 0, sf_shape_rank(s), dims);
}

bool sf_common_is_among(const char *text, const char *list)
{
    const size_t n = strlen(text);
    for (const char *at = n ? strstr(list, text) : NULL; at; at = strstr(at + 1, text)) {
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n])) {
            return true;
        }
    }
    return false;
}

int sf_common_first_misfit(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    int i = 1;
    while (i < sf_input_count(c) - 1 && sf_shape_compatible(sf_input(c, 0), sf_input(c, i))) {
        i++;
    }
    out[0] = SF_INT_ARG(i);
    out[1] = SF_SHAPE_ARG(sf_input(c, i));
    return 2;
}

bool sf_common_may_be_proto(SfElem e)
{
    if (e.kind != SF_ELEM_STRING) {
        return true;
    }
    SfWire w = sf_wire((SfSpan){e.u.s->bytes, e.u.s->len});
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
    }
    return !w.bad;
}

double sf_common_cost_none(SfInfer *c)
{
    return 0;
}

double sf_common_cost_input(SfInfer *c)
{
    const SfDim n = sf_shape_count(sf_input(c, 0));
    return sf_dim_is_known(n) ? (double)n : 0;
}
