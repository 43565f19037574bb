/* Values of dtype variant that hold others: tensor maps, composite tensors.
 * Source: map_ops.cc, composite_tensor_ops.cc. */
#include <string.h>

#include "apis/ops/shared/common.h"
#include "lattice/hash.h"

/* composite tensors */

/* Of a composite: for each component its dtype, rank + 1 (0: not known) and dims. */
static SfStatus infer_compose(SfInfer *c)
{
    const SfShape *record = sf_shape_vector(sf_input_count(c));
    for (int i = 0; record && i < sf_input_count(c); i++) {
        const SfShape *s = sf_input(c, i);
        const int rank = sf_shape_rank(s);
        const SfDim head[] = {sf_dtype_base(sf_input_dtype(c, i)), rank < 0 ? 0 : rank + 1};
        if (sf_shape_rank(record) + rank > 200) {
            return sf_set_output_scalar(c, 0); /* too much to keep */
        }
        record = sf_shape_concat(record, sf_shape_make(SF_ARRAY_LEN(head), head));
        record = record && rank > 0 ? sf_shape_concat(record, s) : record;
    }
    return record ? sf_common_set_output_record(c, record) : SF_NOMEM;
}

static SfStatus components_kernel(SfInfer *c)
{
    const SfShape *record = sf_common_record(c, 0);
    const SfDtype *types;
    const int n = sf_attr_types(c, "Tcomponents", &types);
    SF_TRY(sf_require_as(
        c, !record || sf_shape_dim(record, 0) == n, SF_DIAG_OP_SHAPE, SF_INPUT(0),
        SF_ATTR("Tcomponents"),
        "Encoded value has {0} tensor components; expected {1} components based on type_spec",
        SF_DIM_ARG(sf_shape_dim(record, 0)), SF_INT_ARG(n)));
    for (int i = 0, at = 1; record && i < n; i++) {
        const SfDtype is = (SfDtype)sf_shape_dim(record, at);
        SF_TRY(sf_require_as(c, is == types[i], SF_DIAG_OP_SHAPE, SF_INPUT(0),
                             SF_ATTR("Tcomponents"),
                             "Tensor component {0} had dtype DT_{1}; expected dtype DT_{2}",
                             SF_INT_ARG(i), SF_TEXT_ARG(sf_common_upper(c, sf_dtype_sig_name(is))),
                             SF_TEXT_ARG(sf_common_upper(c, sf_dtype_sig_name(types[i])))));
        const int rank = (int)sf_shape_dim(record, at + 1);
        at += 2 + (rank > 0 ? rank - 1 : 0);
    }
    return SF_OK;
}

/* CompositeTensorVariantToComponents: what went into it, when that is seen. */
static SfStatus infer_components(SfInfer *c)
{
    const SfShape *record = sf_common_record(c, 0);
    SF_TRY(sf_ask_kernel(c, components_kernel));
    const bool same = record && sf_shape_dim(record, 0) == sf_output_count(c);
    for (int i = 0, at = 1; i < sf_output_count(c); i++) {
        const int rank = same ? (int)sf_shape_dim(record, at + 1) - 1 : -1;
        SF_TRY(sf_set_output_shape(
            c, i, rank < 0 ? sf_shape_unknown() : sf_shape_slice(record, at + 2, at + 2 + rank)));
        at += 2 + (rank > 0 ? rank : 0);
    }
    return SF_OK;
}

/* tensor maps */

/* Of a map: are all keys known?, and for each key its dtype, that of its value, and a number that
 * stands for its content, shape and dtype. */
enum { AT_COMPLETE, AT_ENTRIES, KEY_DTYPE = 0, VALUE_DTYPE, KEY, ENTRY, ENTRIES_MAX = 60 };

/* 0: the key is not known. */
static SfDim key_of(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 1);
    uint64_t hash = 0;
    const char *texts[] = {"", sf_shape_text(c, sf_input(c, 1)),
                           sf_dtype_sig_name(sf_input_dtype(c, 1))};
    if (!v || !sf_value_is_exact(v)) {
        return 0;
    }
    const int n = sf_value_format(v, NULL, 0);
    char *text = n >= 0 ? sf_scratch(c, (size_t)n + 1) : NULL;
    if (!text) {
        return 0;
    }
    (void)sf_value_format(v, text, (size_t)n + 1);
    texts[0] = text;
    for (int i = 0; i < SF_ARRAY_LEN(texts); i++) {
        hash = sf_hash_mix(hash, sf_hash_text(texts[i], strlen(texts[i]), 0));
    }
    return (SfDim)(hash >> 24) + 1;
}

static int entries_of(const SfShape *record)
{
    return record ? (sf_shape_rank(record) - AT_ENTRIES) / ENTRY : 0;
}

static SfDim entry(const SfShape *record, int i, int what)
{
    return sf_shape_dim(record, AT_ENTRIES + i * ENTRY + what);
}

/* The entry of a known key; -1: there is none. */
static int find(const SfShape *record, SfDim key)
{
    for (int i = 0; i < entries_of(record); i++) {
        if (entry(record, i, KEY) == key) {
            return i;
        }
    }
    return -1;
}

static SfStatus infer_map(SfInfer *c)
{
    return sf_common_set_output_record(c, sf_shape_vector(true));
}

static SfStatus infer_insert(SfInfer *c)
{
    const SfShape *record = sf_common_record(c, 0);
    const SfDim key = key_of(c);
    if (!record) {
        return sf_set_output_scalar(c, 0);
    }
    if (key == 0 || entries_of(record) >= ENTRIES_MAX || find(record, key) >= 0) {
        return sf_common_set_output_record(c, sf_shape_vector(false));
    }
    const SfDim dims[ENTRY] = {sf_attr_type(c, "key_dtype"), sf_attr_type(c, "value_dtype"), key};
    return sf_common_set_output_record(c, sf_shape_concat(record, sf_shape_make(ENTRY, dims)));
}

static SfStatus key_kernel(SfInfer *c, const void *data)
{
    const SfShape *record = sf_common_record(c, 0);
    const SfDim key = key_of(c);
    const char *verb = data;
    const bool lookup = strcmp(verb, "lookup") == 0;
    const int at = record && key ? find(record, key) : -1;
    SF_TRY(sf_require_as(c, !record || !key || at >= 0 || !sf_shape_dim(record, AT_COMPLETE),
                         SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(0),
                         "Trying to {0} non-existent {1}. Could not find key \"{2}\".",
                         SF_TEXT_ARG(verb), SF_TEXT_ARG(lookup ? "key" : "item"),
                         SF_TEXT_ARG(sf_common_value_text(c, 1))));
    const SfDtype want = sf_attr_type(c, "value_dtype");
    return sf_require_as(c, at < 0 || !lookup || entry(record, at, VALUE_DTYPE) == (SfDim)want,
                         SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_ATTR("value_dtype"),
                         "Type mismatch: actual {0} vs. expect {1}",
                         SF_DTYPE_ARG((SfDtype)entry(record, at, VALUE_DTYPE)), SF_DTYPE_ARG(want));
}

static SfStatus infer_lookup(SfInfer *c)
{
    SF_TRY(sf_kernel_check(c, key_kernel, "lookup"));
    return sf_set_output_unknown(c, 0);
}

static SfStatus infer_erase(SfInfer *c)
{
    const SfShape *record = sf_common_record(c, 0);
    SF_TRY(sf_kernel_check(c, key_kernel, "erase"));
    const SfDim key = key_of(c);
    const int at = record && key ? find(record, key) : -1;
    if (at < 0) {
        return record ? sf_common_set_output_record(c, sf_shape_vector(false))
                      : sf_set_output_scalar(c, 0);
    }
    const int from = AT_ENTRIES + at * ENTRY;
    return sf_common_set_output_record(
        c, sf_shape_concat(sf_shape_slice(record, 0, from),
                           sf_shape_slice(record, from + ENTRY, sf_shape_rank(record))));
}

static SfStatus keys_kernel(SfInfer *c)
{
    const SfShape *record = sf_common_record(c, 0);
    const SfDtype want = sf_attr_type(c, "key_dtype");
    for (int i = 0; i < entries_of(record); i++) {
        SF_TRY(sf_require_as(c, entry(record, i, KEY_DTYPE) == (SfDim)want, SF_DIAG_OP_SHAPE,
                             SF_INPUT(0), SF_ATTR("key_dtype"),
                             "Key does not match requested dtype."));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_PLAIN_OP(EmptyTensorMap, "", "handle: variant", "", infer_map),
    SF_PLAIN_OP(TensorMapSize, "input_handle: variant", "size: int32", "", sf_infer_scalar),
    SF_PLAIN_OP(TensorMapLookup, "input_handle: variant, key: key_dtype", "value: value_dtype",
                "key_dtype: type, value_dtype: type", infer_lookup),
    SF_PLAIN_OP(TensorMapInsert, "input_handle: variant, key: key_dtype, value: value_dtype",
                "output_handle: variant", "key_dtype: type, value_dtype: type", infer_insert),
    SF_PLAIN_OP(TensorMapErase, "input_handle: variant, key: key_dtype", "output_handle: variant",
                "key_dtype: type, value_dtype: type", infer_erase),
    SF_PLAIN_OP(TensorMapHasKey, "input_handle: variant, key: key_dtype", "has_key: bool",
                "key_dtype: type", sf_infer_scalar),
    SF_PLAIN_OP(TensorMapStackKeys, "input_handle: variant", "keys: key_dtype", "key_dtype: type",
                SF_SHAPES("-> ?"), .kernel = keys_kernel),
    SF_OP(CompositeTensorVariantFromComponents, .inputs = "components: Tcomponents",
          .outputs = "encoded: variant", .attrs = "metadata: string, Tcomponents: list(type) >= 0",
          .infer = infer_compose, .cost = sf_common_cost_none),
    SF_OP(CompositeTensorVariantToComponents, .inputs = "encoded: variant",
          .outputs = "components: Tcomponents",
          .attrs = "metadata: string, Tcomponents: list(type) >= 0", .infer = infer_components,
          .cost = sf_common_cost_none),
};
/* clang-format on */
const SfOpTable sf_ops_variant = {ops, SF_ARRAY_LEN(ops), "variant"};
