/* Strings: joining, splitting, hashing, formatting. Small known strings (file names, class names)
 * fold. What strings hold is in string_decode.c. Source: string_ops.cc. */
#include "core/op/infer.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

/* joining */

static const SfMessage join_messages[] = {
    {SF_ON(MERGE_DIM), .text = "Input shapes do not match: {a.shape} vs. {b.shape}"},
    {SF_ON(MERGE_RANK), .text = "Input shapes do not match: {a.shape} vs. {b.shape}"},
    {0}};

/* StringJoin: tensors of one shape, and scalars. */
static SfStatus infer_join(SfInfer *c)
{
    const SfShape *out = NULL;
    int from = 0;
    sf_kernel_messages(c, join_messages);
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfShape *s = sf_input(c, i);
        if (sf_shape_rank(s) == 0) {
            continue;
        }
        if (!out) {
            out = s;
            from = i;
        }
        SF_TRY(sf_want_merge(c, SF_INPUT(from), out, SF_INPUT(i), s, &out));
    }
    return out ? sf_set_output_shape(c, 0, out) : sf_set_output_scalar(c, 0);
}

/* Text of a fold, in scratch memory: longer strings stay unknown. */
enum { FOLD_TEXT = 4096 };

typedef struct Text {
    char *bytes;
    size_t len;
    bool full;
} Text;

static void text_add(Text *t, const char *bytes, size_t n)
{
    if (t->full || n > FOLD_TEXT - t->len) {
        t->full = true;
        return;
    }
    if (n > 0) {
        memcpy(t->bytes + t->len, bytes, n);
    }
    t->len += n;
}

static SfElem text_elem(const Text *t)
{
    return t->full ? sf_elem_unknown() : sf_elem_string(t->bytes, t->len);
}

/* Element `at` of input i, a scalar standing for all. */
static SfElem join_elem(SfInfer *c, int i, int64_t at)
{
    const SfValue *v = sf_input_value(c, i);
    if (!v) {
        return sf_elem_unknown();
    }
    return sf_value_elem(v, sf_shape_rank(sf_value_shape(v)) == 0 ? 0 : at);
}

static void fold_join(SfInfer *c)
{
    int64_t n;
    SfElem *out = sf_fold_begin(c, 0, &n);
    Text t = {.bytes = out ? sf_scratch(c, FOLD_TEXT) : NULL};
    const SfString *separator = sf_attr(c, "separator")->u.s;
    for (int64_t at = 0; t.bytes && at < n; at++) {
        t.len = 0;
        t.full = false;
        for (int i = 0; i < sf_input_count(c); i++) {
            const SfElem e = join_elem(c, i, at);
            if (i > 0 && separator) {
                text_add(&t, separator->bytes, separator->len);
            }
            if (e.kind == SF_ELEM_STRING) {
                text_add(&t, e.u.s->bytes, e.u.s->len);
            } else {
                t.full = true;
            }
        }
        out[at] = text_elem(&t);
    }
    if (t.bytes) {
        sf_fold_set_output(c, 0, out);
    }
}

/* ReduceJoin: the named axes go, or stay as 1; nothing is known until they are. */
static SfStatus infer_reduce_join(SfInfer *c)
{
    const SfShape *in = sf_input(c, 0);
    const int rank = sf_shape_rank(in);
    const int64_t *axes;
    int n;
    bool gone[SF_RANK_MAX] = {false};
    if (!sf_common_runs(c)) { /* the kernel takes axes in any form */
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    }
    if (rank < 0 || !sf_common_ints(c, 1, &axes, &n)) {
        return sf_set_output_shape(c, 0,
                                   sf_shape_of_rank(sf_attr_bool(c, "keep_dims") ? rank : -1));
    }
    for (int i = 0; i < n; i++) {
        if (axes[i] < -rank || axes[i] >= rank) {
            return sf_fail(c, SF_DIAG_REDUCTION_AXIS, SF_INPUT(1), SF_INPUT(0), SF_INT_ARG(axes[i]),
                           SF_INT_ARG(rank));
        }
        const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        SF_TRY(sf_require(c, !gone[axis] || !sf_common_runs(c), SF_INPUT(1),
                          "Duplicate reduction dimension {0}", SF_INT_ARG(axes[i])));
        gone[axis] = true;
    }
    SfDim dims[SF_RANK_MAX];
    int left = 0;
    for (int i = 0; i < rank; i++) {
        if (!gone[i] || sf_attr_bool(c, "keep_dims")) {
            dims[left++] = gone[i] ? 1 : sf_shape_dim(in, i);
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(left, dims));
}

static SfStatus check_ids(SfInfer *c)
{
    static const char *const message =
        "segment_ids are not allowed to exceed num_segments or to have negative values.";
    const SfShape *ids = sf_input(c, 1);
    const SfDim all = sf_shape_count(ids);
    int64_t n;
    if (!sf_input_int(c, 2, &n)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, n != 0 || !sf_dim_is_known(all) || all <= 0, SF_DIAG_RUN_REFUSED,
                         SF_INPUT(1), SF_INPUT(2), "{0}", SF_TEXT_ARG(message)));
    for (int64_t i = 0; i < sf_common_elems(c, 1); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < n),
                             SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(2), "{0}",
                             SF_TEXT_ARG(message)));
    }
    return SF_OK;
}

static SfStatus segment_join_kernel(SfInfer *c)
{
    const SfShape *data = sf_input(c, 0), *ids = sf_input(c, 1);
    int64_t n;
    SF_TRY(sf_require(c, sf_shape_rank(sf_input(c, 2)) <= 0, SF_INPUT(2),
                      "Number of segments must be a scalar"));
    SF_TRY(sf_require(c, sf_shape_rank(ids) != 0, SF_INPUT(1), "Segment_id cannot have rank 0"));
    SF_TRY(sf_require(c, !sf_input_int(c, 2, &n) || n >= 0, SF_INPUT(2),
                      "Number of segments must be non-negative but got {0}", SF_INT_ARG(n)));
    for (int i = 0; i < sf_shape_rank(ids) && i < sf_shape_rank(data); i++) {
        const SfDim a = sf_shape_dim(ids, i), b = sf_shape_dim(data, i);
        if (sf_dim_differs(a, b)) { /* the message shows the rank, not the dim */
            return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_AXIS(1, i), SF_AXIS(0, i),
                                "Segment dimension is {0} while input dimension is {1} in rank {2}",
                                SF_DIM_ARG(a), SF_INT_ARG(sf_shape_rank(data)), SF_INT_ARG(i));
        }
    }
    return check_ids(c);
}

/* UnsortedSegmentJoin: data[ids dims..., rest...] to [num_segments, rest...]. */
static SfStatus infer_segment_join(SfInfer *c)
{
    const SfShape *data, *ids;
    SfDim n;
    if (sf_common_runs(c)) {
        SF_TRY(segment_join_kernel(c));
    }
    SF_TRY(
        sf_common_prefix(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &data, &ids));
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    SF_TRY(sf_common_dim_value(c, 2, &n));
    if (!sf_shape_is_ranked(data) || !sf_shape_is_ranked(ids)) {
        return sf_set_output_unknown(c, 0);
    }
    const SfShape *rest = sf_shape_slice(data, sf_shape_rank(ids), sf_shape_rank(data));
    return sf_set_output_shape(c, 0, sf_shape_concat(sf_shape_vector(n), rest));
}

/* StringFormat: one string; each placeholder of the template takes an input. */
static SfStatus infer_format(SfInfer *c)
{
    const char *at = sf_attr_string(c, "template"), *what = sf_attr_string(c, "placeholder");
    int found = 0;
    for (; *what && (at = strstr(at, what)); at += strlen(what)) {
        found++;
    }
    SF_TRY(sf_expect(c, found == sf_input_count(c), SF_ATTR("template"),
                     "num placeholders in template and num inputs must match: {0} vs. {1}",
                     SF_INT_ARG(found), SF_INT_ARG(sf_input_count(c))));
    return sf_set_output_scalar(c, 0);
}

/* one string to another */

static void fold_strings(SfInfer *c, void (*one)(Text *t, const SfString *s))
{
    const SfValue *v = sf_input_value(c, 0);
    int64_t n;
    SfElem *out = v ? sf_fold_begin(c, 0, &n) : NULL;
    Text t = {.bytes = out ? sf_scratch(c, FOLD_TEXT) : NULL};
    if (!t.bytes || n != sf_value_count(v)) {
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_STRING) {
            t.len = 0;
            t.full = false;
            one(&t, e.u.s);
            out[i] = text_elem(&t);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* ASCII alone, as the ops do without an encoding; other bytes stay. */
static void lower(Text *t, const SfString *s)
{
    for (size_t i = 0; i < s->len; i++) {
        const char b = s->bytes[i];
        const char low = b >= 'A' && b <= 'Z' ? (char)(b - 'A' + 'a') : b;
        text_add(t, &low, 1);
    }
}

static void upper(Text *t, const SfString *s)
{
    for (size_t i = 0; i < s->len; i++) {
        const char b = s->bytes[i];
        const char up = b >= 'a' && b <= 'z' ? (char)(b - 'a' + 'A') : b;
        text_add(t, &up, 1);
    }
}

static void strip(Text *t, const SfString *s)
{
    size_t from = 0, to = s->len;
    while (from < to && isspace((unsigned char)s->bytes[from])) {
        from++;
    }
    while (to > from && isspace((unsigned char)s->bytes[to - 1])) {
        to--;
    }
    text_add(t, s->bytes + from, to - from);
}

static bool ascii_only(SfInfer *c)
{
    return !sf_attr(c, "encoding")->u.s || sf_attr(c, "encoding")->u.s->len == 0;
}

static void fold_lower(SfInfer *c)
{
    if (ascii_only(c)) {
        fold_strings(c, lower);
    }
}

static void fold_upper(SfInfer *c)
{
    if (ascii_only(c)) {
        fold_strings(c, upper);
    }
}

static void fold_strip(SfInfer *c)
{
    fold_strings(c, strip);
}

static void fold_length(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    int64_t n;
    SfElem *out = v ? sf_fold_begin(c, 0, &n) : NULL;
    if (!out || n != sf_value_count(v) || sf_attr_string(c, "unit")[0] != 'B') {
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_STRING) {
            out[i] = sf_elem_int((int64_t)e.u.s->len);
        }
    }
    sf_fold_set_output(c, 0, out);
}

static bool is_real(SfDtype t)
{
    return sf_dtype_is_floating(t) || sf_dtype_is_complex(t);
}

static bool is_fill(const char *fill)
{
    return !fill[0] || (strchr(" +-0#", fill[0]) && !fill[1]);
}

/* AsString: the kernel's constructor looks at the format. */
static SfStatus infer_as_string(SfInfer *c)
{
    const char *fill = sf_attr_string(c, "fill");
    const SfDtype t = sf_input_dtype(c, 0);
    const bool scientific = sf_attr_bool(c, "scientific"), shortest = sf_attr_bool(c, "shortest");
    SF_TRY(sf_set_output_same(c, 0, 0));
    if (!sf_common_runs(c)) {
        return SF_OK;
    }
    if (!is_real(t) && sf_dtype_base(t) != SF_DT_STRING && sf_dtype_base(t) != SF_DT_VARIANT) {
        SF_TRY(sf_require(c, !scientific && !shortest, SF_INPUT(0),
                          "scientific and shortest format not supported for datatype {0}",
                          SF_DTYPE_ARG(t)));
        SF_TRY(sf_require_as(c, sf_attr_int(c, "precision") < 0, SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                             SF_ATTR("precision"), "precision not supported for datatype {0}",
                             SF_DTYPE_ARG(t)));
    }
    SF_TRY(sf_require(c, !fill[0] || !fill[1], SF_ATTR("fill"),
                      "Fill string must be one or fewer characters"));
    SF_TRY(sf_require_as(c, !scientific || !shortest, SF_DIAG_RUN_REFUSED, SF_ATTR("scientific"),
                         SF_ATTR("shortest"),
                         "Cannot select both scientific and shortest notation"));
    return sf_require(c, is_fill(fill), SF_ATTR("fill"), "Fill argument not supported: \"{0}\"",
                      SF_TEXT_ARG(fill));
}

/* How AsString writes one element; false: not known. `format` is the kernel's. */
static bool write_elem(SfInfer *c, Text *t, const char *format, SfElem e)
{
    const SfDtype type = sf_input_dtype(c, 0);
    const int64_t width = sf_attr_int(c, "width"), precision = sf_attr_int(c, "precision");
    const int w = width > 0 ? (int)width : 0, p = precision >= 0 ? (int)precision : -1;
    int n = -1;
    if (e.kind == SF_ELEM_INT && sf_dtype_is_bool(type)) {
        n = snprintf(t->bytes, FOLD_TEXT, "%s", e.u.i ? "true" : "false");
    } else if (e.kind == SF_ELEM_INT) {
        n = snprintf(t->bytes, FOLD_TEXT, format, w, e.u.i);
    } else if (e.kind == SF_ELEM_FLOAT && localeconv()->decimal_point[0] == '.') {
        n = snprintf(t->bytes, FOLD_TEXT, format, w, p, e.u.f);
    } else if (e.kind == SF_ELEM_STRING && !memchr(e.u.s->bytes, 0, e.u.s->len)) {
        n = snprintf(t->bytes, FOLD_TEXT, sf_attr_string(c, "fill")[0] == '-' ? "%-*s" : "%*s", w,
                     e.u.s->bytes);
    }
    t->len = n < 0 ? 0 : (size_t)n;
    return n >= 0 && n < FOLD_TEXT;
}

static void fold_as_string(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    const char *fill = sf_attr_string(c, "fill");
    const int64_t width = sf_attr_int(c, "width"), precision = sf_attr_int(c, "precision");
    int64_t n;
    SfElem *out = v ? sf_fold_begin(c, 0, &n) : NULL;
    Text t = {.bytes = out ? sf_scratch(c, FOLD_TEXT) : NULL};
    if (!is_fill(fill)) {
        return; /* construction does not look at it; it must not become part of our format */
    }
    if (!t.bytes || n != sf_value_count(v) || width > FOLD_TEXT || precision > FOLD_TEXT) {
        return;
    }
    char format[16];
    (void)snprintf(format, sizeof format, "%%%s%s", fill[0] == '#' ? "" : fill,
                   !is_real(sf_input_dtype(c, 0))  ? "*" PRId64
                   : sf_attr_bool(c, "scientific") ? "*.*e"
                   : sf_attr_bool(c, "shortest")   ? "*.*g"
                                                   : "*.*f");
    for (int64_t i = 0; i < n; i++) {
        if (write_elem(c, &t, format, sf_value_elem(v, i))) {
            out[i] = text_elem(&t);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* StringLower, StringUpper: no other encoding. */
static SfStatus case_kernel(SfInfer *c)
{
    const char *encoding = sf_attr_string(c, "encoding");
    return sf_require(c, !encoding[0] || strcmp(encoding, "utf-8") == 0, SF_ATTR("encoding"),
                      "only utf-8 or '' (no encoding) is supported, received {0}",
                      SF_TEXT_ARG(encoding));
}

static SfStatus strong_hash_kernel(SfInfer *c)
{
    const int64_t *key;
    return sf_require(c, sf_attr_ints(c, "key", &key) == 2, SF_ATTR("key"),
                      "Key must have 2 elements");
}

static const SfMessage regex_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "Pattern must be scalar, but received {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "Rewrite must be scalar, but received {a.shape}"},
    {0}};

/* Characters of UTF-8: bytes that continue none. */
static int64_t text_length(SfInfer *c, const SfString *s)
{
    int64_t n = 0;
    if (sf_attr_string(c, "unit")[0] == 'B') {
        return (int64_t)s->len;
    }
    for (size_t i = 0; i < s->len; i++) {
        n += ((unsigned char)s->bytes[i] & 0xC0) != 0x80;
    }
    return n;
}

/* What element `at` of the output is cut from: false when it is not all known. */
static bool substr_of(SfInfer *c, const SfShape *out, int64_t at, const SfString **s,
                      int64_t cut[2])
{
    for (int i = 0; i < 3; i++) {
        const SfValue *v = sf_input_value(c, i);
        const SfElem e = v ? sf_value_elem(v, sf_fold_broadcast_index(sf_value_shape(v), out, at))
                           : sf_elem_unknown();
        if (e.kind != (i == 0 ? SF_ELEM_STRING : SF_ELEM_INT)) {
            return false;
        }
        if (i == 0) {
            *s = e.u.s;
        } else {
            cut[i - 1] = e.u.i;
        }
    }
    return true;
}

/* The kernel's message for a position beyond the string; of a row when it broadcasts a matrix. */
static SfStatus refuse_position(SfInfer *c, const SfShape *out, const SfString *s, int64_t pos,
                                int64_t at)
{
    const bool same = sf_shape_rank(sf_input(c, 1)) == 0 ||
                      sf_shape_rank(sf_input(c, 0)) == sf_shape_rank(sf_input(c, 1));
    const SfDim row = sf_shape_dim(out, 1);
    SF_TRY(sf_require_as(c, sf_attr_string(c, "unit")[0] == 'B', SF_DIAG_RUN_REFUSED, SF_INPUT(1),
                         SF_INPUT(0), "pos {0} out of range for string at index {1}",
                         SF_INT_ARG(pos),
                         SF_DIM_ARG(same || sf_shape_rank(out) != 2 ? at : at / row)));
    SF_TRY(sf_require_as(c, !same && sf_shape_rank(out) == 2, SF_DIAG_RUN_REFUSED, SF_INPUT(1),
                         SF_INPUT(0), "pos {0} out of range for string b'{1}' at index {2}",
                         SF_INT_ARG(pos), SF_TEXT_ARG(s->bytes), SF_INT_ARG(at)));
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                        "pos {0} out of range for string b'{1}' at index ({2}, {3})",
                        SF_INT_ARG(pos), SF_TEXT_ARG(s->bytes), SF_DIM_ARG(at / row),
                        SF_DIM_ARG(at % row));
}

static SfStatus check_positions(SfInfer *c)
{
    const SfShape *out = sf_output(c, 0);
    const SfDim n = sf_shape_count(out);
    if (!sf_dim_is_known(n) || n > SF_VALUE_MAX) {
        return SF_OK;
    }
    for (int64_t at = 0; at < n; at++) {
        const SfString *s;
        int64_t cut[2];
        if (!substr_of(c, out, at, &s, cut)) {
            continue;
        }
        /* Characters are counted from the end to a length, which is then not negative. */
        const bool backwards = cut[0] < 0 && cut[1] < 0 && sf_attr_string(c, "unit")[0] != 'B';
        if (backwards || cut[0] > text_length(c, s) || cut[0] < -text_length(c, s)) {
            return refuse_position(c, out, s, cut[0], at);
        }
    }
    return SF_OK;
}

/* Substr: input broadcast with pos; pos and len of one shape. */
static SfStatus infer_substr(SfInfer *c)
{
    const SfShape *pos = sf_input(c, 1), *len = sf_input(c, 2);
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || sf_shape_compatible(pos, len),
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(2),
                         "pos and len should have the same shape, got: {0} vs. {1}",
                         SF_SHAPE_ARG(pos), SF_SHAPE_ARG(len)));
    if (sf_shape_is_ranked(len)) {
        SF_TRY(sf_want_rank(c, SF_INPUT(1), sf_shape_rank(len), &pos));
        SF_TRY(sf_require_as(c, sf_shape_compatible(pos, len), SF_DIAG_OP_SHAPE, SF_INPUT(1),
                             SF_INPUT(2), "pos and len shapes must match: {0} vs. {1}",
                             SF_SHAPE_ARG(pos), SF_SHAPE_ARG(len)));
    }
    SF_TRY(sf_infer_broadcast(c));
    return sf_common_runs(c) ? check_positions(c) : SF_OK;
}

static void fold_substr(SfInfer *c)
{
    const SfShape *shape = sf_output(c, 0);
    const bool bytes = sf_attr_string(c, "unit")[0] == 'B';
    int64_t n;
    SfElem *out = sf_fold_begin(c, 0, &n);
    for (int64_t at = 0; out && at < n; at++) {
        const SfString *s;
        int64_t cut[2];
        if (!substr_of(c, shape, at, &s, cut) || (!bytes && text_length(c, s) != (int64_t)s->len)) {
            continue; /* characters of several bytes are not cut here */
        }
        const int64_t size = (int64_t)s->len, from = cut[0] < 0 ? size + cut[0] : cut[0];
        if (from < 0 || from > size) {
            continue;
        }
        const int64_t asked = cut[1] >= 0 ? cut[1]
                              : bytes     ? size
                                          : 0; /* a length of -1 in bytes: the rest */
        out[at] =
            sf_elem_string(s->bytes + from, (size_t)(asked < size - from ? asked : size - from));
    }
    if (out) {
        sf_fold_set_output(c, 0, out);
    }
}

/* splitting */

static const SfMessage split_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be a vector, got shape: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "{name 1} must be a scalar, got shape: {a.shape}"},
    {0}};

/* table */

/* clang-format off */
#define STRINGS .inputs = "input: string", .outputs = "output: string"
#define SPLITS .infer = SF_SHAPES("[?] [] -> [?,2] [?] [2]"), .messages = split_messages
#define UNIT "unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'"

static const SfOpDef ops[] = {
    SF_OP(StringJoin, .inputs = "inputs: N * string", .outputs = "output: string",
          .attrs = "N: int >= 0, separator: string = ''", .infer = infer_join, .fold = fold_join,
          .grad = SF_GRAD_NONE),
    SF_OP(ReduceJoin, .inputs = "inputs: string, reduction_indices: int32",
          .outputs = "output: string", .attrs = "keep_dims: bool = false, separator: string = ''",
          .infer = infer_reduce_join, .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_NONE),
    SF_OP(UnsortedSegmentJoin,
          .inputs = "inputs: string, segment_ids: Tindices, num_segments: Tnumsegments",
          .outputs = "output: string",
          .attrs = "separator: string = '', Tindices: {int32, int64}, "
                   "Tnumsegments: {int32, int64} = int32",
          .infer = infer_segment_join, .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING),
    SF_OP(StringFormat, .inputs = "inputs: T", .outputs = "output: string",
          .attrs = "T: list(type) >= 0, template: string = '%s', placeholder: string = '%s', "
                   "summarize: int = 3",
          .infer = infer_format, .grad = SF_GRAD_MISSING),
    SF_OP(AsString, .inputs = "input: T", .outputs = "output: string",
          .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
                   "uint32, uint64, complex64, complex128, bool, variant, string}, "
                   "precision: int = -1, scientific: bool = false, shortest: bool = false, "
                   "width: int = -1, fill: string = ''",
          .infer = infer_as_string, .traits = SF_OP_ASK_KERNEL, .fold = fold_as_string,
          .grad = SF_GRAD_NONE),
    SF_OP(StringLength, .inputs = "input: string", .outputs = "output: int32", .attrs = UNIT,
          .infer = sf_infer_unchanged, .fold = fold_length, .grad = SF_GRAD_MISSING,
          .range = sf_range_index),
    SF_OP(StringLower, STRINGS, .attrs = "encoding: string = ''", .infer = sf_infer_unchanged,
          .kernel = case_kernel, .fold = fold_lower, .grad = SF_GRAD_MISSING),
    SF_OP(StringUpper, STRINGS, .attrs = "encoding: string = ''", .infer = sf_infer_unchanged,
          .kernel = case_kernel, .fold = fold_upper, .grad = SF_GRAD_MISSING),
    SF_OP(StringStrip, STRINGS, .attrs = "", .infer = sf_infer_unchanged, .fold = fold_strip,
          .grad = SF_GRAD_MISSING),
    SF_OP(RegexReplace, .inputs = "input: string, pattern: string, rewrite: string",
          .outputs = "output: string", .attrs = "replace_global: bool = true",
          .infer = SF_SHAPES("? [] [] -> =0"), .messages = regex_messages,
          .grad = SF_GRAD_NONE),
    SF_OP(RegexFullMatch, .inputs = "input: string, pattern: string", .outputs = "output: bool",
          .attrs = "", .infer = SF_SHAPES("? [] -> =0"), .messages = regex_messages,
          .grad = SF_GRAD_MISSING),
    SF_OP(StaticRegexReplace, STRINGS,
          .attrs = "pattern: string, rewrite: string, replace_global: bool = true",
          .infer = sf_infer_unchanged, .grad = SF_GRAD_MISSING),
    SF_OP(StaticRegexFullMatch, .inputs = "input: string", .outputs = "output: bool",
          .attrs = "pattern: string", .infer = sf_infer_unchanged, .grad = SF_GRAD_MISSING),
    SF_OP(Substr, .inputs = "input: string, pos: T, len: T", .outputs = "output: string",
          .attrs = "T: " SF_INDEX ", " UNIT, .infer = infer_substr, .fold = fold_substr,
          .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING),
    SF_OP(StringToHashBucket, .inputs = "string_tensor: string", .outputs = "output: int64",
          .attrs = "num_buckets: int >= 1", .infer = sf_infer_unchanged, .grad = SF_GRAD_NONE,
          .range = sf_range_index),
    SF_OP(StringToHashBucketFast, .inputs = "input: string", .outputs = "output: int64",
          .attrs = "num_buckets: int >= 1", .infer = sf_infer_unchanged, .grad = SF_GRAD_NONE,
          .range = sf_range_index),
    SF_OP(StringToHashBucketStrong, .inputs = "input: string", .outputs = "output: int64",
          .attrs = "num_buckets: int >= 1, key: list(int)", .infer = sf_infer_unchanged,
          .kernel = strong_hash_kernel, .grad = SF_GRAD_NONE,
          .range = sf_range_index),
    SF_OP(StringSplit, .inputs = "input: string, delimiter: string",
          .outputs = "indices: int64, values: string, shape: int64",
          .attrs = "skip_empty: bool = true", SPLITS, .grad = SF_GRAD_NONE),
    SF_OP(StringSplitV2, .inputs = "input: string, sep: string",
          .outputs = "indices: int64, values: string, shape: int64",
          .attrs = "maxsplit: int = -1", SPLITS, .grad = SF_GRAD_MISSING),
    SF_OP(UnicodeScript, .inputs = "input: int32", .outputs = "output: int32", .attrs = "",
          .infer = sf_infer_unchanged, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_string = {ops, SF_ARRAY_LEN(ops), "string"};
