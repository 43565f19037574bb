/* Summaries of TensorFlow 1: one op each, whose tag is its own scope. Collections are Python's. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <ctype.h>
#include <string.h>

/* summary_op_util.clean_tag: what no node name may hold becomes _, and slashes in front go. */
static const char *clean_tag(SfCall *c, const char *name)
{
    char *copy = sf_arena_copy(c->arena, name, strlen(name) + 1);
    for (char *p = copy; p && *p != '\0'; p++) {
        if (!isalnum((unsigned char)*p) && !strchr("-/_.", *p)) {
            *p = '_';
        }
    }
    while (copy && *copy == '/') {
        copy++;
    }
    return copy;
}

/* The scope's name without its slash, after the family when there is one. */
static const char *tag_of(SfCall *c, const char *scope, const char *family)
{
    const size_t len = scope ? strlen(scope) : 0;
    const int n = (int)(len > 0 && scope[len - 1] == '/' ? len - 1 : len);
    return !family ? sf_arena_printf(c->arena, "%.*s", n, scope ? scope : "")
                   : sf_arena_printf(c->arena, "%s/%.*s", family, n, scope ? scope : "");
}

static SfStatus string_const(SfCall *c, const char *text, const char *name, SfTensor *out)
{
    const SfElem e = sf_elem_string(text, strlen(text));
    const SfShape *scalar = sf_shape_scalar();
    return sf_convert_const(c, SF_DT_STRING, scalar, sf_value_make(SF_DT_STRING, scalar, &e), name,
                            out);
}

/* data: the op; its tag input is named "tags" in ScalarSummary, else "tag". */
static SfStatus write_summary(SfCall *c, const char *scope, const char *family, SfTensor *out)
{
    const char *op = c->sig->row->data, *tag = tag_of(c, scope, family);
    const bool image = op[0] == 'I', audio = op[0] == 'A';
    const char *values = op[0] == 'H' ? "values" : "tensor";
    SfTensor in[3];
    int64_t most = 3;
    int n = 2;
    SF_TRY_ALLOC(tag);
    SF_TRY(string_const(c, tag, op[0] == 'S' ? "tags" : "tag", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, values), SF_DT_INVALID,
                               op[0] == 'S' || op[0] == 'H' ? "values" : "tensor", &in[1]));
    SF_TRY(sf_api_int(c, "max_outputs", &most));
    if (audio) {
        SF_TRY(sf_compose_arg_as(c, "sample_rate", SF_DT_FLOAT, &in[n++]));
    }
    const SfAttrArg attrs[] = {SF_AINT(image ? "max_images" : "max_outputs", most)};
    return sf_api_op(c, op, scope, in, n, attrs, image || audio, out);
}

static SfStatus api_summary(SfCall *c)
{
    const char *name = NULL, *family = NULL;
    SfTensor out = {0};
    SfScope scope;
    SF_TRY(sf_api_string(c, "name", &name));
    SF_TRY(sf_api_string(c, "family", &family));
    if (!name) {
        return sf_api_type_error(c, "expected string or bytes-like object");
    }
    const char *base = clean_tag(c, name);
    const char *clean_family = family ? clean_tag(c, family) : NULL;
    if (clean_family) {
        base = sf_arena_printf(c->arena, "%s/%s", clean_family, base);
    }
    SF_TRY_ALLOC(base);
    SF_TRY(sf_api_scope_enter(c, base, NULL, &scope));
    const SfStatus st = write_summary(c, scope.scope, clean_family, &out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_tensor(c, out);
    }
    return st;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.summary.scalar", SF_TF1, "name, tensor, collections=None, family=None",
     .call = api_summary, .data = "ScalarSummary"},
    {"tf.summary.histogram", SF_TF1, "name, values, collections=None, family=None",
     .call = api_summary, .data = "HistogramSummary"},
    {"tf.summary.image", SF_TF1, "name, tensor, max_outputs=3, collections=None, family=None",
     .call = api_summary, .data = "ImageSummary"},
    {"tf.summary.audio", SF_TF1,
     "name, tensor, sample_rate, max_outputs=3, collections=None, family=None",
     .call = api_summary, .data = "AudioSummaryV2"},
    {"tf.summary.merge", SF_TF1, "inputs, collections=None, name=None",
     .op = "MergeSummary", .rename = "collections=", .data = "Merge/MergeSummary"},
    {"tf.scalar_summary", SF_TF1, "tags, values, collections=None, name=None",
     .op = "ScalarSummary", .rename = "collections=", .until = SF_VERSION(1, 0)},
    {"tf.histogram_summary", SF_TF1, "tag, values, collections=None, name=None",
     .op = "HistogramSummary", .rename = "collections=", .until = SF_VERSION(1, 0)},
    {"tf.image_summary", SF_TF1, "tag, tensor, max_images=3, collections=None, name=None",
     .op = "ImageSummary", .rename = "collections=", .until = SF_VERSION(1, 0)},
    {"tf.merge_summary", SF_TF1, "inputs, collections=None, name=None",
     .op = "MergeSummary", .rename = "collections=", .until = SF_VERSION(1, 0)},
};
/* clang-format on */
const SfApiTable sf_api_summary = {rows, SF_ARRAY_LEN(rows), "summary"};
