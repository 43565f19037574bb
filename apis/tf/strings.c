/* tf.strings and the raw readers of tf.io: ops that take strings. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* reduce_join over all axes when none is given. */
static SfStatus body_reduce_join(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor in[2];
    const SfArg *axis, *keep_arg;
    const char *separator = "";
    SF_TRY(sf_compose_arg(c, "inputs", &in[0]));
    SF_TRY(sf_api_either(c, "axis", "reduction_indices", &axis));
    SF_TRY(sf_api_either(c, "keepdims", "keep_dims", &keep_arg));
    SF_TRY(sf_api_string(c, "separator", &separator));
    SF_TRY(sf_compose_reduction_dims(c, in[0], axis, &in[1]));
    const bool keep = keep_arg->kind == SF_ARG_BOOL && keep_arg->u.b;
    const SfAttrArg attrs[] = {SF_ABOOL("keep_dims", keep),
                               {.name = "separator", .value = sf_attr_make_string(separator)}};
    return sf_api_op(c, "ReduceJoin", name, in, 2, attrs, 2, out);
}

/* tf.string_split: the three parts of a SparseTensor (indices, values, dense_shape), which pymodule
 * puts together. */
static SfStatus api_string_split(SfCall *c)
{
    SfTensor in[2], out[3];
    bool skip = true;
    int n = 0;
    const SfArg *delimiter;
    const SfArg space = {.kind = SF_ARG_STRING, .u.s = {" ", 1}};
    SF_TRY(sf_api_either(c, "sep", "delimiter", &delimiter));
    SF_TRY(sf_api_bool(c, "skip_empty", &skip));
    SF_TRY(sf_compose_arg_as(c, "source", SF_DT_STRING, &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_arg_is_none(delimiter) ? &space : delimiter, SF_DT_STRING,
                               "delimiter", &in[1]));
    const SfAttrArg attrs[] = {SF_ABOOL("skip_empty", skip)};
    SF_TRY(sf_api_op_multi(c, "StringSplit", sf_api_name(c), in, 2, NULL, attrs, 1, out, 3, &n));
    sf_compose_return(c, out, 3);
    return SF_OK;
}

/* With a fixed length strings are padded to it, and need not be of one size. */
static SfStatus api_decode_raw(SfCall *c)
{
    SfTensor in[2], out;
    SfDtype dtype = SF_DT_INVALID;
    bool little = true;
    const SfArg *length = sf_api_arg(c, "fixed_length");
    SF_TRY(sf_compose_arg_as(c, "input_bytes", SF_DT_STRING, &in[0]));
    SF_TRY(sf_api_dtype(c, "out_type", &dtype));
    SF_TRY(sf_api_bool(c, "little_endian", &little));
    const SfAttrArg attrs[] = {SF_ATYPE("out_type", dtype), SF_ABOOL("little_endian", little)};
    if (sf_arg_is_none(length)) {
        SF_TRY(sf_api_op(c, "DecodeRaw", sf_api_name(c), in, 1, attrs, 2, &out));
    } else {
        SF_TRY(sf_api_tensor_named(c, length, SF_DT_INT32, "fixed_length", &in[1]));
        SF_TRY(sf_api_op(c, "DecodePaddedRaw", sf_api_name(c), in, 2, attrs, 2, &out));
    }
    sf_compose_return(c, &out, 1);
    return SF_OK;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.strings.join", SF_TF12, "inputs, separator='', name=None", .op = "StringJoin"},
    {"tf.string_join", SF_TF1, "inputs, separator='', name=None", .op = "StringJoin"},
    {"tf.reduce_join tf.strings.reduce_join", SF_TF1,
     "inputs, axis=None, keep_dims=None, separator='', name=None, reduction_indices=None, "
     "keepdims=None", SF_PLAIN(body_reduce_join)},
    {"tf.strings.reduce_join", SF_TF2,
     "inputs, axis=None, keepdims=False, separator='', name=None", SF_PLAIN(body_reduce_join)},
    {"tf.strings.unsorted_segment_join", SF_TF12,
     "inputs, segment_ids, num_segments, separator='', name=None", .op = "UnsortedSegmentJoin"},
    {"tf.strings.regex_full_match", SF_TF12, "input, pattern, name=None", .op = "RegexFullMatch"},
    {"tf.strings.regex_replace", SF_TF12,
     "input, pattern, rewrite, replace_global=True, name=None", .op = "RegexReplace"},
    {"tf.regex_replace", SF_TF1, "input, pattern, rewrite, replace_global=True, name=None",
     .op = "RegexReplace"},
    {"tf.strings.length", SF_TF1, "input, name=None, unit='BYTE'", .op = "StringLength"},
    {"tf.strings.length", SF_TF2, "input, unit='BYTE', name=None", .op = "StringLength"},
    {"tf.strings.substr", SF_TF1, "input, pos, len, name=None, unit='BYTE'", .op = "Substr"},
    {"tf.substr", SF_TF1, "input, pos, len, name=None, unit='BYTE'", .op = "Substr"},
    {"tf.strings.substr", SF_TF2, "input, pos, len, unit='BYTE', name=None", .op = "Substr"},
    {"tf.string_to_hash_bucket tf.strings.to_hash_bucket", SF_TF1,
     "string_tensor=None, num_buckets=None, name=None, input=None",
     .op = "StringToHashBucket", .rename = "input=string_tensor"},
    {"tf.strings.to_hash_bucket", SF_TF2, "input, num_buckets, name=None",
     .op = "StringToHashBucket", .rename = "input=string_tensor"},
    {"tf.string_to_number tf.strings.to_number", SF_TF1,
     "string_tensor=None, out_type=tf.float32, name=None, input=None",
     .op = "StringToNumber", .rename = "input=string_tensor"},
    {"tf.strings.to_number", SF_TF2, "input, out_type=tf.float32, name=None",
     .op = "StringToNumber", .rename = "input=string_tensor"},
    {"tf.string_split", SF_TF1,
     "source, sep=None, skip_empty=True, delimiter=None, result_type='SparseTensor', name=None",
     .call = api_string_split},
    {"tf.as_string tf.strings.as_string", SF_TF12,
     "input, precision=-1, scientific=False, shortest=False, width=-1, fill='', name=None",
     .op = "AsString"},
    {"tf.dtypes.as_string", SF_TF1,
     "input, precision=-1, scientific=False, shortest=False, width=-1, fill='', name=None",
     .op = "AsString"},
    {"tf.io.decode_base64", SF_TF12, "input, name=None", .op = "DecodeBase64"},
    {"tf.decode_base64", SF_TF1, "input, name=None", .op = "DecodeBase64"},
    {"tf.io.encode_base64", SF_TF12, "input, pad=False, name=None", .op = "EncodeBase64"},
    {"tf.encode_base64", SF_TF1, "input, pad=False, name=None", .op = "EncodeBase64"},
    {"tf.strings.strip", SF_TF12, "input, name=None", .op = "StringStrip"},
    {"tf.string_strip", SF_TF1, "input, name=None", .op = "StringStrip"},
    {"tf.strings.to_hash_bucket_fast", SF_TF12, "input, num_buckets, name=None",
     .op = "StringToHashBucketFast"},
    {"tf.string_to_hash_bucket_fast", SF_TF1, "input, num_buckets, name=None",
     .op = "StringToHashBucketFast"},
    {"tf.strings.to_hash_bucket_strong", SF_TF12, "input, num_buckets, key, name=None",
     .op = "StringToHashBucketStrong"},
    {"tf.string_to_hash_bucket_strong", SF_TF1, "input, num_buckets, key, name=None",
     .op = "StringToHashBucketStrong"},
    {"tf.strings.lower", SF_TF12, "input, encoding='', name=None", .op = "StringLower"},
    {"tf.strings.unicode_script", SF_TF12, "input, name=None", .op = "UnicodeScript"},
    {"tf.strings.unicode_transcode", SF_TF12,
     "input, input_encoding, output_encoding, errors='replace', replacement_char=65533, "
     "replace_control_characters=False, name=None", .op = "UnicodeTranscode"},
    {"tf.strings.upper", SF_TF12, "input, encoding='', name=None", .op = "StringUpper"},
    {"tf.decode_raw tf.io.decode_raw", SF_TF1,
     "input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None",
     .op = "DecodeRaw", .rename = "input_bytes=bytes"},
    {"tf.io.decode_raw", SF_TF2,
     "input_bytes, out_type, little_endian=True, fixed_length=None, name=None",
     .call = api_decode_raw},
    {"tf.decode_csv tf.io.decode_csv", SF_TF1,
     "records, record_defaults, field_delim=',', use_quote_delim=True, name=None, "
     "na_value='', select_cols=None", .op = "DecodeCSV"},
    {"tf.io.decode_csv", SF_TF2,
     "records, record_defaults, field_delim=',', use_quote_delim=True, na_value='', "
     "select_cols=None, name=None", .op = "DecodeCSV"},
    {"tf.io.decode_json_example", SF_TF12, "json_examples, name=None", .op = "DecodeJSONExample"},
    {"tf.decode_json_example", SF_TF1, "json_examples, name=None", .op = "DecodeJSONExample"},
    {"tf.io.read_file", SF_TF12, "filename, name=None", .op = "ReadFile"},
    {"tf.read_file", SF_TF1, "filename, name=None", .op = "ReadFile"},
    {"tf.io.matching_files", SF_TF12, "pattern, name=None", .op = "MatchingFiles"},
    {"tf.matching_files", SF_TF1, "pattern, name=None", .op = "MatchingFiles"},
    {"tf.io.decode_compressed", SF_TF12, "bytes, compression_type='', name=None",
     .op = "DecodeCompressed"},
    {"tf.decode_compressed", SF_TF1, "bytes, compression_type='', name=None",
     .op = "DecodeCompressed"},
    {"tf.io.parse_tensor", SF_TF12, "serialized, out_type, name=None", .op = "ParseTensor"},
    {"tf.parse_tensor", SF_TF1, "serialized, out_type, name=None", .op = "ParseTensor"},
};
/* clang-format on */
const SfApiTable sf_api_strings = {rows, SF_ARRAY_LEN(rows), "strings"};
