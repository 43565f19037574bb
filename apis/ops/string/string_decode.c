/* What strings hold: numbers, base64, raw bytes, CSV, Unicode text, n-grams of words. Their kernels
 * look at content: where it is known, so is what they refuse. Source: parsing_ops.cc,
 * string_ops.cc, base64.cc, decode_csv_op.cc, unicode_ops.cc, string_ngrams_op.cc. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"

#define SF_1_13 SF_VERSION(1, 13)

/* String `at` of an input's content; NULL when it is not known. */
static const SfString *string_at(const SfValue *v, int64_t at)
{
    const SfElem e = sf_value_elem(v, at);
    return e.kind == SF_ELEM_STRING ? e.u.s : NULL;
}

/* Asks `check` of every known string of input 0. */
static SfStatus each_string(SfInfer *c, SfStatus (*check)(SfInfer *c, const SfString *s))
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, 0) : NULL;
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfString *s = string_at(v, i);
        if (s) {
            SF_TRY(check(c, s));
        }
    }
    return SF_OK;
}

/* numbers */

/* A decimal integer between blanks, as absl::SimpleAtoi reads it: false when it is none, or beyond
 * 64 bits. `*negative`: whether it has a minus sign. */
static bool read_integer(const SfString *s, uint64_t *out, bool *negative)
{
    const char *p = s->bytes, *end = p + s->len;
    while (p < end && isspace((unsigned char)*p)) {
        p++;
    }
    while (end > p && isspace((unsigned char)end[-1])) {
        end--;
    }
    *negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    *out = 0;
    for (const char *digit = p; digit < end; digit++) {
        if (*digit < '0' || *digit > '9' || *out > (UINT64_MAX - (uint64_t)(*digit - '0')) / 10) {
            return false;
        }
        *out = *out * 10 + (uint64_t)(*digit - '0');
    }
    return p < end;
}

static SfElem integer_of(const SfString *s, SfDtype t, bool *bad)
{
    uint64_t n;
    bool negative;
    const uint64_t most = t == SF_DT_INT32    ? INT32_MAX
                          : t == SF_DT_INT64  ? INT64_MAX
                          : t == SF_DT_UINT32 ? UINT32_MAX
                                              : UINT64_MAX;
    const bool is_signed = t == SF_DT_INT32 || t == SF_DT_INT64;
    *bad = !read_integer(s, &n, &negative) || (negative && !is_signed) ||
           n > most + (negative ? 1u : 0u);
    if (*bad || n > INT64_MAX) { /* an element has 64 bits with a sign */
        return sf_elem_unknown();
    }
    return sf_elem_int(negative ? -(int64_t)n : (int64_t)n);
}

/* What of a number's text is plain decimal: sign, digits, a point, an exponent. NULL: nothing. */
static const char *skip_decimal(const char *p, const char *end)
{
    const char *first = p;
    int digits = 0;
    for (; p < end && isdigit((unsigned char)*p); p++) {
        digits++;
    }
    if (p < end && *p == '.') {
        for (p++; p < end && isdigit((unsigned char)*p); p++) {
            digits++;
        }
    }
    if (digits == 0) {
        return first;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        q += q < end && (*q == '-' || *q == '+');
        if (q < end && isdigit((unsigned char)*q)) {
            for (p = q; p < end && isdigit((unsigned char)*p); p++) {
            }
        }
    }
    return p;
}

/* A decimal number between blanks. Hexadecimal numbers, infinities and NaN are not recognised. */
static SfElem real_of(const SfString *s, SfDtype t, bool *bad)
{
    const char *p = s->bytes, *end = p + s->len;
    while (p < end && isspace((unsigned char)*p)) {
        p++;
    }
    while (end > p && isspace((unsigned char)end[-1])) {
        end--;
    }
    const char *number = p;
    p += p < end && (*p == '-' || *p == '+');
    const char *after = skip_decimal(p, end);
    const bool special =
        p < end && (strchr("iInN", *p) || (p[0] == '0' && end - p > 1 && strchr("xX", p[1])));
    *bad = !special && (after == p || after != end);
    if (*bad || special) {
        return sf_elem_unknown();
    }
    char *stop;
    const double x = t == SF_DT_FLOAT ? (double)strtof(number, &stop) : strtod(number, &stop);
    return stop == end ? sf_elem_float(x) : sf_elem_unknown(); /* a locale with another point */
}

static SfElem number_of(SfInfer *c, const SfString *s, bool *bad)
{
    const SfDtype t = sf_attr_type(c, "out_type");
    return t == SF_DT_FLOAT || t == SF_DT_DOUBLE ? real_of(s, t, bad) : integer_of(s, t, bad);
}

static SfStatus check_number(SfInfer *c, const SfString *s)
{
    bool bad;
    (void)number_of(c, s, &bad);
    return sf_require_as(c, !bad, SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_ATTR("out_type"),
                         "StringToNumberOp could not correctly convert string: {0}",
                         SF_TEXT_ARG(s->bytes));
}

static SfStatus infer_to_number(SfInfer *c)
{
    SF_TRY(each_string(c, check_number));
    return sf_set_output_same(c, 0, 0);
}

static void fold_to_number(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    int64_t n;
    SfElem *out = v ? sf_fold_begin(c, 0, &n) : NULL;
    if (!out || n != sf_value_count(v)) {
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const SfString *s = string_at(v, i);
        bool bad;
        if (s) {
            out[i] = number_of(c, s, &bad);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* encodings */

static bool is_base64(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)p[i]) && p[i] != '-' && p[i] != '_') {
            return false;
        }
    }
    return true;
}

/* Groups of four, the last one padded or not. */
static SfStatus check_base64(SfInfer *c, const SfString *s)
{
    const size_t whole = s->len > 4 ? (s->len - 1) / 4 * 4 : 0;
    const char *tail = s->bytes + whole;
    size_t left = s->len - whole;
    SF_TRY(sf_require(c, is_base64(s->bytes, whole), SF_INPUT(0),
                      "Invalid character found in base64."));
    if (left == 4 && tail[3] == '=') {
        left -= tail[2] == '=' ? 2 : 1;
    }
    SF_TRY(sf_require(c, left != 1, SF_INPUT(0), "Base64 string length cannot be 1 modulo 4."));
    return sf_require(c, is_base64(tail, left), SF_INPUT(0), "Invalid character found in base64.");
}

static SfStatus infer_decode_base64(SfInfer *c)
{
    SF_TRY(each_string(c, check_base64));
    return sf_set_output_same(c, 0, 0);
}

static SfStatus decompress_kernel(SfInfer *c)
{
    const char *kind = sf_attr_string(c, "compression_type");
    return sf_require(c, !kind[0] || sf_common_is_among(kind, "ZLIB GZIP ZSTD"),
                      SF_ATTR("compression_type"),
                      "Only ZLIB, ZSTD, GZIP or NONE are supported compressions");
}

/* DecodeRaw: each string becomes a last axis, of its bytes divided by the size of an element. */
static SfStatus infer_decode_raw(SfInfer *c)
{
    const SfShape *in = sf_input(c, 0);
    const SfValue *v = sf_input_value(c, 0);
    const SfDtype t = sf_attr_type(c, "out_type");
    const size_t width = sf_dtype_size(t);
    const SfString *first = v && sf_value_count(v) > 0 ? string_at(v, 0) : NULL;
    for (int64_t i = 1; first && sf_common_runs(c) && i < sf_value_count(v); i++) {
        const SfString *s = string_at(v, i);
        SF_TRY(sf_require(c, !s || s->len == first->len, SF_INPUT(0),
                          "DecodeRaw requires input strings to all be the same size, but element "
                          "{0} has size {1} != {2}",
                          SF_INT_ARG(i), SF_INT_ARG((int64_t)first->len),
                          SF_INT_ARG((int64_t)s->len)));
    }
    SF_TRY(sf_require_as(
        c, !first || !sf_common_runs(c) || first->len % width == 0, SF_DIAG_RUN_REFUSED,
        SF_INPUT(0), SF_ATTR("out_type"),
        "Input to DecodeRaw has length {0} that is not a multiple of {1}, the size "
        "of {2}",
        SF_INT_ARG((int64_t)first->len), SF_INT_ARG((int64_t)width), SF_DTYPE_ARG(t)));
    const SfDim last = first ? (SfDim)(first->len / width) : SF_DIM_UNKNOWN;
    return sf_set_output_shape(
        c, 0, sf_shape_is_ranked(in) ? sf_shape_concat(in, sf_shape_vector(last)) : in);
}

/* DecodePaddedRaw: of fixed_length bytes. */
static SfStatus infer_decode_padded(SfInfer *c)
{
    const SfShape *in = sf_input(c, 0), *length = sf_input(c, 1);
    const SfDtype t = sf_attr_type(c, "out_type");
    const int64_t width = (int64_t)sf_dtype_size(t);
    int64_t n;
    SfDim bytes;
    if (sf_common_runs(c)) {
        SF_TRY(sf_require(c, sf_shape_rank(length) <= 0, SF_INPUT(1),
                          "k must be scalar, got shape {0}", SF_SHAPE_ARG(length)));
        SF_TRY(sf_require_as(c, !sf_input_int(c, 1, &n) || n % width == 0, SF_DIAG_RUN_REFUSED,
                             SF_INPUT(1), SF_ATTR("out_type"),
                             "fixed_length ({0}) must be a multiple of the size of out_type ({1})",
                             SF_INT_ARG(n), SF_INT_ARG(width)));
        SF_TRY(sf_require(c, !sf_input_int(c, 1, &n) || n > 0, SF_INPUT(1),
                          "fixed_length ({0}) must be greater than zero.", SF_INT_ARG(n)));
    }
    SF_TRY(sf_common_dim_value(c, 1, &bytes));
    const SfDim last = sf_dim_div_exact(bytes, width);
    if (last == SF_DIM_BOTTOM) {
        return sf_fail(c, SF_DIAG_RESHAPE_DIVIDE, SF_INPUT(1), SF_ATTR("out_type"),
                       SF_INT_ARG(width), SF_DIM_ARG(bytes));
    }
    return sf_set_output_shape(
        c, 0, sf_shape_is_ranked(in) ? sf_shape_concat(in, sf_shape_vector(last)) : in);
}

/* CSV */

/* One record, taken apart field by field (DecodeCSVOp::ExtractFields). */
typedef struct Record {
    const char *bytes;
    size_t len, at;
    char delim, *field; /* the text of the last field; room for the record */
    size_t field_len;
    bool quotes;
    const char *wrong; /* why it cannot be taken apart */
} Record;

static void bare_field(Record *r)
{
    for (; r->at < r->len && r->bytes[r->at] != r->delim; r->at++) {
        const char b = r->bytes[r->at];
        if ((r->quotes && b == '"') || b == '\n' || b == '\r') {
            r->wrong = "Unquoted fields cannot have quotes/CRLFs inside";
            return;
        }
        r->field[r->field_len++] = b;
    }
    r->at++;
}

static void quoted_field(Record *r)
{
    const char *b = r->bytes;
    r->at++;
    while (r->at + 1 < r->len && (b[r->at] != '"' || b[r->at + 1] != r->delim)) {
        if (b[r->at] == '"' && b[r->at + 1] != '"') {
            r->wrong = "Quote inside a string has to be escaped by another quote";
            return;
        }
        r->field[r->field_len++] = b[r->at];
        r->at += b[r->at] == '"' ? 2 : 1;
    }
    if (r->at >= r->len || b[r->at] != '"' || (r->at + 1 < r->len && b[r->at + 1] != r->delim)) {
        r->wrong = "Quoted field has to end with quote followed by delim or end";
    }
    r->at += 2;
}

/* The next field; false at the end of the record, or when something is wrong. */
static bool next_field(Record *r)
{
    while (r->at < r->len && (r->bytes[r->at] == '\n' || r->bytes[r->at] == '\r')) {
        r->at++;
    }
    r->field_len = 0;
    if (r->at >= r->len) {
        return false;
    }
    if (r->quotes && r->bytes[r->at] == '"') {
        quoted_field(r);
    } else {
        bare_field(r);
    }
    r->field[r->field_len] = 0;
    return !r->wrong;
}

static SfStatus check_field(SfInfer *c, const Record *r, int field, int64_t record)
{
    const SfDtype t = sf_output_dtype(c, field);
    const SfString text = {.len = r->field_len, .bytes = r->field};
    const SfDim defaults = sf_shape_count(sf_input(c, 1 + field));
    const SfString *na = sf_attr(c, "na_value")->u.s;
    if (r->field_len == 0 ||
        (na && na->len == r->field_len && memcmp(na->bytes, r->field, na->len) == 0)) {
        return sf_require_as(c, !sf_dim_differs(defaults, 1), SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                             SF_INPUT(1 + field),
                             "Field {0} is required but missing in record {1}!", SF_INT_ARG(field),
                             SF_INT_ARG(record));
    }
    bool bad = false;
    if (t == SF_DT_FLOAT || t == SF_DT_DOUBLE) {
        (void)real_of(&text, t, &bad);
    } else if (t != SF_DT_STRING) {
        (void)integer_of(&text, t, &bad);
    }
    return sf_require_as(c, !bad, SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_INPUT(1 + field),
                         "Field {0} in record {1} is not a valid {2}: {3}", SF_INT_ARG(field),
                         SF_INT_ARG(record), SF_DTYPE_ARG(t), SF_TEXT_ARG(r->field));
}

/* The output that a field goes to; -1: none. */
static int field_output(SfInfer *c, int number)
{
    const int64_t *columns;
    const int n = sf_attr_ints(c, "select_cols", &columns);
    for (int i = 0; i < n; i++) {
        if (columns[i] == number) {
            return i;
        }
    }
    return n > 0 ? -1 : number;
}

static SfStatus check_record(SfInfer *c, const SfString *s, int64_t number)
{
    const int outputs = sf_output_count(c);
    const SfString *delim = sf_attr(c, "field_delim")->u.s;
    Record r = {.bytes = s->bytes,
                .len = s->len,
                .delim = delim->bytes[0],
                .quotes = sf_attr_bool(c, "use_quote_delim"),
                .field = sf_scratch(c, s->len + 1)};
    const int64_t *columns;
    const bool selects = sf_attr_ints(c, "select_cols", &columns) > 0;
    int found = 0, fields = 0;
    SF_TRY_ALLOC(r.field);
    /* Two passes: the number of fields is checked before their content. */
    for (int turn = 0; turn < 2; turn++) {
        r.at = 0;
        for (found = fields = 0; !(selects && found == outputs) && next_field(&r); fields++) {
            const int output = field_output(c, fields);
            if (turn == 1 && output >= 0) {
                SF_TRY(check_field(c, &r, output, number));
            }
            found += output >= 0;
        }
        SF_TRY(sf_require(c, !r.wrong, SF_INPUT(0), "{0}", SF_TEXT_ARG(r.wrong)));
        /* A delimiter at the end is followed by an empty field. */
        if (!(selects && found == outputs) && r.len > 0 && r.bytes[r.len - 1] == r.delim) {
            const int output = field_output(c, fields);
            r.field_len = 0;
            r.field[0] = 0;
            if (turn == 1 && output >= 0) {
                SF_TRY(check_field(c, &r, output, number));
            }
            found += output >= 0;
        }
        SF_TRY(sf_require(c, turn != 0 || found == outputs, SF_INPUT(0),
                          "Expect {0} fields but have {1} in record {2}", SF_INT_ARG(outputs),
                          SF_INT_ARG(found), SF_INT_ARG(number)));
    }
    return SF_OK;
}

static SfStatus check_csv_attrs(SfInfer *c)
{
    const SfString *delim = sf_attr(c, "field_delim")->u.s;
    const int64_t *columns;
    const int n = sf_attr_ints(c, "select_cols", &columns);
    SF_TRY(sf_require(c, delim && delim->len == 1, SF_ATTR("field_delim"),
                      "field_delim should be only 1 char"));
    SF_TRY(sf_require(c, n <= 0 || n == sf_output_count(c), SF_ATTR("select_cols"),
                      "select_cols should match output size"));
    for (int i = 1; i < n; i++) {
        SF_TRY(sf_require(c, columns[i] > columns[i - 1], SF_ATTR("select_cols"),
                          "select_cols should be strictly increasing indices"));
    }
    return sf_require(c, n <= 0 || columns[0] >= 0, SF_ATTR("select_cols"),
                      "select_cols should be non-negative indices");
}

static SfStatus check_csv_records(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfString *s = string_at(v, i);
        if (s) {
            SF_TRY(check_record(c, s, i));
        }
    }
    return SF_OK;
}

/* DecodeCSV: records to one tensor for each default, of the records' shape. */
static SfStatus infer_decode_csv(SfInfer *c)
{
    const bool scalars = sf_version(c) >= SF_1_13, runs = sf_common_runs(c);
    if (runs) {
        SF_TRY(check_csv_attrs(c));
    }
    for (int i = 1; i < sf_input_count(c); i++) {
        const SfShape *s = sf_input(c, i);
        SF_TRY(sf_require(c, !runs || !scalars || sf_shape_rank(s) <= 1, SF_INPUT(i),
                          "Each record default should be at most rank 1"));
        if (scalars) {
            SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 1, &s));
        } else {
            SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &s));
        }
        const SfDim n = sf_shape_rank(s) == 1 ? sf_shape_dim(s, 0) : SF_DIM_UNKNOWN;
        if (!sf_dim_is_known(n) || n <= 1) {
            continue;
        }
        SF_TRY(sf_expect(c, !runs, SF_AXIS(i, 0),
                         "There should only be 1 default per field but field {0} has {1}",
                         SF_INT_ARG(i - 1), SF_DIM_ARG(n)));
        return sf_fail_with(
            c, SF_DIAG_OP_SHAPE, SF_AXIS(i, 0), SF_THE_OP,
            scalars ? "Shape of a default must be a length-0 or length-1 vector, or a scalar."
                    : "Shape of a default must be a length-0 or length-1 vector");
    }
    if (runs) {
        SF_TRY(check_csv_records(c));
    }
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_same(c, i, 0));
    }
    return SF_OK;
}

/* Unicode */

/* ICU knows a thousand encodings. No name of them is empty, and every one with UTF in it says
 * which. */
static bool is_no_encoding(const char *name)
{
    const char *p = name;
    if (!name[0]) {
        return true;
    }
    for (; *p; p++) {
        if (tolower((unsigned char)p[0]) == 'u' && tolower((unsigned char)p[1]) == 't' &&
            tolower((unsigned char)p[2]) == 'f') {
            for (p += 3; *p == '-' || *p == '_' || *p == ' '; p++) {
            }
            return !isdigit((unsigned char)*p);
        }
    }
    return false;
}

static SfStatus check_replacement(SfInfer *c)
{
    const int64_t code = sf_attr_int(c, "replacement_char");
    return sf_require(c, code >= 0 && code <= 0x10FFFF, SF_ATTR("replacement_char"),
                      "replacement_char out of unicode codepoint range");
}

static SfStatus check_unicode(SfInfer *c)
{
    const char *encoding = sf_attr_string(c, "input_encoding");
    SF_TRY(check_replacement(c));
    return sf_require(c, !is_no_encoding(encoding), SF_ATTR("input_encoding"),
                      "Could not create converter for input encoding: {0}", SF_TEXT_ARG(encoding));
}

/* UnicodeDecode: row splits, one more than there are strings, then the characters. */
static SfStatus infer_unicode_decode(SfInfer *c)
{
    SF_TRY(sf_set_output_vector(c, 0, sf_dim_add(sf_shape_count(sf_input(c, 0)), 1)));
    for (int i = 1; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_vector(c, i, SF_DIM_UNKNOWN));
    }
    return SF_OK;
}

/* The kernel: splits from zero to the number of values, never falling. */
static SfStatus encode_kernel(SfInfer *c)
{
    const SfDim values = sf_shape_count(sf_input(c, 0));
    const int64_t n = sf_common_elems(c, 1);
    SF_TRY(check_replacement(c));
    SF_TRY(sf_require_as(c,
                         sf_shape_rank(sf_input(c, 0)) <= 1 && sf_shape_rank(sf_input(c, 0)) != 0 &&
                             sf_shape_rank(sf_input(c, 1)) <= 1 &&
                             sf_shape_rank(sf_input(c, 1)) != 0,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                         "Both the input_tensor and input_splits should be of rank 1. "));
    SF_TRY(
        sf_require(c, sf_shape_count(sf_input(c, 1)) != 0, SF_INPUT(1),
                   "Input_splits should contain elements, but given input_values has 0 elements"));
    const SfElem first = sf_common_elem(c, 1, 0), last = sf_common_elem(c, 1, n - 1);
    SF_TRY(sf_require(c, n <= 0 || first.kind != SF_ELEM_INT || first.u.i == 0, SF_INPUT(1),
                      "First value in input_splits must be zero."));
    SF_TRY(sf_require_as(
        c, n <= 0 || last.kind != SF_ELEM_INT || !sf_dim_is_known(values) || last.u.i == values,
        SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
        "Last value in input_splits must be equal to length of input_tensor."));
    for (int64_t i = 1; i < n; i++) {
        const SfElem a = sf_common_elem(c, 1, i - 1), b = sf_common_elem(c, 1, i);
        SF_TRY(sf_require_as(
            c, b.kind != SF_ELEM_INT || !sf_dim_is_known(values) || b.u.i <= values,
            SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
            "Values in input_splits must be less than or equal to input_tensor length."));
        SF_TRY(sf_require(c, a.kind != SF_ELEM_INT || b.kind != SF_ELEM_INT || b.u.i >= a.u.i,
                          SF_INPUT(1),
                          "Values in input_splits must be equal or in ascending order."));
    }
    return SF_OK;
}

static SfStatus infer_unicode_encode(SfInfer *c)
{
    const SfShape *splits;
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &splits));
    const SfDim n = sf_dim_sub(sf_shape_dim(splits, 0), 1);
    return sf_set_output_vector(c, 0, n == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : n);
}

/* n-grams */

static SfStatus check_ngrams(SfInfer *c)
{
    const SfDim words = sf_shape_count(sf_input(c, 0));
    const int64_t n = sf_common_elems(c, 1), *widths;
    const int nwidths = sf_attr_ints(c, "ngram_widths", &widths);
    for (int i = 0; i < nwidths; i++) {
        SF_TRY(sf_require(c, widths[i] > 0, SF_ATTR("ngram_widths"),
                          "ngram_widths must contain positive values"));
    }
    SfElem before = sf_common_elem(c, 1, 0);
    SF_TRY(sf_require(c, n <= 0 || before.kind != SF_ELEM_INT || before.u.i == 0, SF_INPUT(1),
                      "First split value must be 0, got {0}", SF_INT_ARG(before.u.i)));
    for (int64_t i = 1; i < n; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_require_as(c,
                             e.kind != SF_ELEM_INT || before.kind != SF_ELEM_INT ||
                                 !sf_dim_is_known(words) || (e.u.i >= before.u.i && e.u.i <= words),
                             SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                             "Invalid split value {0}, must be in [{1}, {2}]", SF_INT_ARG(e.u.i),
                             SF_INT_ARG(before.u.i), SF_DIM_ARG(words)));
        before = e;
    }
    return sf_require_as(
        c, n <= 0 || before.kind != SF_ELEM_INT || !sf_dim_is_known(words) || before.u.i == words,
        SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
        "Last split value must be data size. Expected {0}, got {1}", SF_DIM_ARG(words),
        SF_INT_ARG(before.u.i));
}

/* How many n-grams a row of so many words gives. */
static int64_t row_ngrams(SfInfer *c, int64_t words)
{
    const int64_t *widths, pad = sf_attr_int(c, "pad_width");
    const int nwidths = sf_attr_ints(c, "ngram_widths", &widths);
    int64_t found = 0;
    for (int i = 0; i < nwidths; i++) {
        if (widths[i] < INT32_MIN || widths[i] > INT32_MAX) {
            continue; /* no list of TensorFlow's holds it */
        }
        const int64_t padded = pad < 0 || pad > widths[i] - 1 ? widths[i] - 1 : pad;
        const int64_t here = words + 2 * padded - widths[i] + 1;
        found += here > 0 ? here : 0;
    }
    return found == 0 && words > 0 && sf_attr_bool(c, "preserve_short_sequences") ? 1 : found;
}

static SfStatus infer_ngrams(SfInfer *c)
{
    const SfShape *splits = sf_input(c, 1);
    const int64_t *rows;
    int n;
    if (sf_common_runs(c)) { /* the kernel takes both in any form */
        SF_TRY(check_ngrams(c));
    } else {
        SF_TRY(sf_want_vector(c, SF_INPUT(0)));
        SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &splits));
    }
    SF_TRY(sf_set_output_shape(c, 1, splits));
    if (sf_shape_count(sf_input(c, 0)) == 0 || sf_shape_count(splits) == 0) {
        return sf_set_output_same(c, 0, 0); /* the kernel ends here, whatever the splits say */
    }
    const bool is_known =
        sf_dim_is_known(sf_shape_count(sf_input(c, 0))) && sf_dim_is_known(sf_shape_count(splits));
    if (sf_common_runs(c) && !is_known && sf_shape_rank(sf_input(c, 0)) != 1) {
        return sf_set_output_unknown(c, 0); /* the kernel may refuse it */
    }
    int64_t found = 0;
    if (!sf_dim_is_known(sf_shape_count(sf_input(c, 0))) || !sf_common_ints(c, 1, &rows, &n)) {
        return sf_set_output_vector(c, 0, SF_DIM_UNKNOWN);
    }
    for (int i = 1; i < n; i++) {
        if (rows[i - 1] < 0 || rows[i] < rows[i - 1] || rows[i] > SF_VALUE_MAX) {
            return sf_set_output_vector(c, 0, SF_DIM_UNKNOWN);
        }
        found += row_ngrams(c, rows[i] - rows[i - 1]);
    }
    return sf_set_output_vector(c, 0, found);
}

/* table */

/* clang-format off */
#define STRINGS .inputs = "input: string", .outputs = "output: string"
#define ERRORS \
    "errors: {'strict', 'replace', 'ignore'} = 'replace', replacement_char: int = 65533, " \
    "replace_control_characters: bool = false"
#define TSPLITS "Tsplits: {int32, int64} = int64"
/* An op whose kernel refuses what construction takes. */
#define OP(name, ...) SF_OP(name, .traits = SF_OP_ASK_KERNEL, __VA_ARGS__)

static const SfOpDef ops[] = {
    SF_OP(EncodeBase64, STRINGS, .attrs = "pad: bool = false", .infer = sf_infer_unchanged,
          .grad = SF_GRAD_NONE),
    OP(DecodeBase64, STRINGS, .attrs = "", .infer = infer_decode_base64, .grad = SF_GRAD_NONE),
    OP(DecodeCompressed, .inputs = "bytes: string", .outputs = "output: string",
          .attrs = "compression_type: string = ''", .infer = sf_infer_unchanged,
          .kernel = decompress_kernel,
          .grad = SF_GRAD_MISSING),
    OP(StringToNumber, .inputs = "string_tensor: string", .outputs = "output: out_type",
          .attrs = "out_type: {float, double, int32, int64, uint32, uint64} = float",
          .infer = infer_to_number, .fold = fold_to_number, .grad = SF_GRAD_NONE),
    OP(StringNGrams, .inputs = "data: string, data_splits: Tsplits",
          .outputs = "ngrams: string, ngrams_splits: Tsplits",
          .attrs = "separator: string, ngram_widths: list(int) >= 0, left_pad: string, "
                   "right_pad: string, pad_width: int, preserve_short_sequences: bool, " TSPLITS,
          .infer = infer_ngrams, .grad = SF_GRAD_MISSING),
    OP(UnicodeTranscode, STRINGS,
          .attrs = "input_encoding: string, output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}, "
          ERRORS,
          .infer = sf_infer_unchanged, .kernel = check_unicode, .grad = SF_GRAD_MISSING),
    OP(UnicodeEncode, .inputs = "input_values: int32, input_splits: Tsplits",
          .outputs = "output: string",
          .attrs = "errors: {'ignore', 'replace', 'strict'} = 'replace', "
                   "output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}, "
                   "replacement_char: int = 65533, " TSPLITS,
          .infer = infer_unicode_encode, .kernel = encode_kernel, .grad = SF_GRAD_MISSING),
    OP(UnicodeDecode, .inputs = "input: string",
          .outputs = "row_splits: Tsplits, char_values: int32",
          .attrs = "input_encoding: string, " ERRORS ", " TSPLITS, .infer = infer_unicode_decode,
          .kernel = check_unicode, .grad = SF_GRAD_MISSING),
    OP(UnicodeDecodeWithOffsets, .inputs = "input: string",
          .outputs = "row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64",
          .attrs = "input_encoding: string, " ERRORS ", " TSPLITS, .infer = infer_unicode_decode,
          .kernel = check_unicode, .grad = SF_GRAD_MISSING),
    OP(DecodeRaw, .inputs = "bytes: string", .outputs = "output: out_type",
          .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
                   "complex64, complex128, bool, bfloat16}, little_endian: bool = true",
          .infer = infer_decode_raw, .grad = SF_GRAD_NONE),
    OP(DecodePaddedRaw, .inputs = "input_bytes: string, fixed_length: int32",
          .outputs = "output: out_type",
          .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
                   "bfloat16}, little_endian: bool = true",
          .infer = infer_decode_padded, .grad = SF_GRAD_NONE),
    OP(DecodeCSV, .inputs = "records: string, record_defaults: OUT_TYPE",
          .outputs = "output: OUT_TYPE",
          .attrs = "OUT_TYPE: list({float, double, int32, int64, string}) >= 1, "
                   "field_delim: string = ',', use_quote_delim: bool = true, "
                   "na_value: string = '', select_cols: list(int) = []",
          .infer = infer_decode_csv, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_string_decode = {ops, SF_ARRAY_LEN(ops), "string_decode"};
