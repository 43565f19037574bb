/* Rows of string ops; expectations asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define V8  "@version=1.8,"
#define V2  "@version=2.21,"
#define RUN "@phase=run,"

static const SfOpCase join[] = {
    ROW("", "( [2] [2] )", "[2]"),
    ROW("", "( [2] [] )", "[2]"),
    ROW("", "( [] [n] )", "[n]"),
    ROW("", "( [?] ? )", "[a.0]"),
    ROW("", "( [] ? )", "?"),
    ROW("", "( [] [] )", "[]"),
    ROW("N=0", "( )", "[]"),
    ROW("separator='/'", "( 'data' {'a','b'} )", "{'data/a','data/b'}"),
    ROW(V8 "separator='/'", "( 'data' {'a','b'} )", "[2]=?"),
    ROW("", "( [2] [3] )", "SF107 a.0 b.0"),
    ROW("", "( [2] [2,2] )", "SF108 a b"),
    ROW(RUN, "( [2] [3] )", "SF107 a.0 b.0 'Input shapes do not match: [2] vs. [3]'"),
};
SF_OP_TEST(StringJoin, join)

static const SfOpCase reduce_join[] = {
    ROW("", "[2,n] {0}", "[n]"),
    ROW("", "[2,3] -1", "[2]"),
    ROW("keep_dims=true", "[2,3] {0,1}", "[1,1]"),
    ROW("", "[2,3] {}", "[2,3]"),
    ROW("", "[2,3] [1]", "?"),
    ROW("", "? {1}", "?"),
    ROW("", "[2,3] {2}", "SF112 b a"),
};
SF_OP_TEST(ReduceJoin, reduce_join)

static const SfOpCase segment_join[] = {
    ROW("", "[5,2] [5]:int32 3", "[3,2]"),
    ROW("", "[5,2] [5,2]:int64 3", "[3]"),
    ROW("", "[5,n] [5]:int32 []", "[?,n]"),
    ROW("", "? ?:int32 ?", "?"),
    ROW("", "[5,n] []:int32 []", "deferred SF129 b 'cannot have rank 0' / [?,5,n]"),
    ROW("", "[5,2] [4]:int32 3", "SF101 a.0 b.0"),
};
SF_OP_TEST(UnsortedSegmentJoin, segment_join)

static const SfOpCase format[] = {
    ROW("template='%s %s'", "( [2] [3] )", "[]"),
    ROW("template='%s %s'", "( [?] [3] )", "[]"),
    ROW("template='%s %s'", "( ? ? )", "[]"),
    ROW("template='none'", "( )", "[]"),
    ROW("template='%s'", "( [2] [3] )",
        "SF128 @template 'num placeholders in template and num inputs must match: 1 vs. 2'"),
};
SF_OP_TEST(StringFormat, format)

static const SfOpCase as_string[] = {
    ROW("", "[2,n]", "[2,n]"),
    ROW("", "{1,-20}", "{'1','-20'}"),
    ROW("", "true", "'true'"),
    ROW("width=4", "{1,2}", "{'   1','   2'}"),
    ROW("", "{1.5,2.0}", "{'1.500000','2.000000'}"),
    ROW("", "?", "?"),
    ROW("fill='s'", "{1,2}", "deferred SF129 @fill / [2]=?"), /* no part of a format of ours */
};
SF_OP_TEST(AsString, as_string)

static const SfOpCase unchanged[] = {
    ROW("", "[2,n]", "[2,n]"),
    ROW("", "[2,2]", "[2,2]"),
    ROW("", "?", "?"),
    ROW("", "!", "!"),
};
SF_OPS_TEST(unchanged, unchanged, "EncodeBase64", "DecodeBase64", "DecodeCompressed",
            "StringToNumber", "UnicodeScript")

static const SfOpCase length[] = {
    ROW("", "[2,n]", "[2,n]:int32"),
    ROW("", "{'abc',''}", "{3,0}"),
    ROW("unit='UTF8_CHAR'", "{'abc',''}", "[2]=?"),
    ROW("", "?", "?"),
};
SF_OP_TEST(StringLength, length)

static const SfOpCase lower[] = {
    ROW("", "{'aBc','Z1'}", "{'abc','z1'}"),
    ROW("encoding='utf-8'", "{'aBc','Z1'}", "[2]=?"),
    ROW("", "[n]", "[n]"),
};
SF_OP_TEST(StringLower, lower)

static const SfOpCase upper[] = {
    ROW("", "'aBc1'", "'ABC1'"),
    ROW("", "?", "?"),
};
SF_OP_TEST(StringUpper, upper)

static const SfOpCase strip[] = {
    ROW("", "{' a b ','  ',''}", "{'a b','',''}"),
    ROW("", "[?]", "[?]"),
    ROW("", "?", "?"),
};
SF_OP_TEST(StringStrip, strip)

static const SfOpCase regex_replace[] = {
    ROW("", "[n] [] []", "[n]"),
    ROW("", "[2] [] []", "[2]"),
    ROW("", "? ? ?", "?"),
    ROW("", "[2] [1] []", "SF102 b"),
};
SF_OP_TEST(RegexReplace, regex_replace)

static const SfOpCase regex_match[] = {
    ROW("", "[n] []", "[n]:bool"),
    ROW("", "? ?", "?"),
    ROW("", "[2] []", "[2]"),
    ROW("", "[2] [1]", "SF102 b"),
};
SF_OP_TEST(RegexFullMatch, regex_match)

static const SfOpCase static_replace[] = {
    ROW("pattern='a',rewrite='b'", "[n]", "[n]"),
    ROW("pattern='a',rewrite='b'", "?", "?"),
    ROW("pattern='a',rewrite='b'", "[2]", "[2]"),
};
SF_OP_TEST(StaticRegexReplace, static_replace)

static const SfOpCase static_match[] = {
    ROW("pattern='a'", "[n]", "[n]:bool"),
    ROW("pattern='a'", "?", "?"),
    ROW("pattern='a'", "[2]", "[2]"),
};
SF_OP_TEST(StaticRegexFullMatch, static_match)

static const SfOpCase substr[] = {
    ROW("", "[2,3] 1 2", "[2,3]"),
    ROW("", "[2,n] [n]:int64 [n]:int64", "[2,n]"),
    ROW("", "[] [3]:int32 [3]:int32", "[3]"),
    ROW("", "? ?:int32 ?:int32", "?"),
    ROW("", "[2,3] [2]:int32 [2]:int32", "SF101 a.1 b.0"),
    ROW("", "[2,3] [3]:int32 []:int32", "SF102 b"),
    ROW("", "[2,3] [3]:int32 [2]:int32", "SF128 b c 'pos and len shapes must match: [3] vs. [2]'"),
};
SF_OP_TEST(Substr, substr)

static const SfOpCase hash[] = {
    ROW("num_buckets=4", "[2,n]", "[2,n]:int64"),
    ROW("num_buckets=4", "[2,2]", "[2,2]"),
    ROW("num_buckets=4", "?", "?"),
};
SF_OPS_TEST(hash, hash, "StringToHashBucket", "StringToHashBucketFast")

static const SfOpCase hash_strong[] = {
    ROW("num_buckets=4,key=[1,2]", "[2,n]", "[2,n]:int64"),
    ROW("num_buckets=4,key=[1,2]", "?", "?"),
    ROW("num_buckets=4,key=[1,2]", "[2,2]", "[2,2]"),
};
SF_OP_TEST(StringToHashBucketStrong, hash_strong)

static const SfOpCase split[] = {
    ROW("", "[5] []", "[?,2]:int64 [?] [2]"),
    ROW("", "[?] []", "[?,2] [?] [2]"),
    ROW("", "? ?", "[?,2] [?] [2]"),
    ROW("", "[] []", "SF102 a"),
    ROW("", "[5] [1]", "SF102 b"),
    ROW(RUN, "[5,1] []", "SF102 a 'input must be a vector, got shape: [5,1]'"),
};
SF_OPS_TEST(split, split, "StringSplit", "StringSplitV2")

static const SfOpCase ngrams[] = {
    ROW("separator='',ngram_widths=[1],left_pad='',right_pad='',pad_width=0,"
        "preserve_short_sequences=false",
        "[5] [3]", "[?] [3]"),
    ROW("separator='',ngram_widths=[1],left_pad='',right_pad='',pad_width=0,"
        "preserve_short_sequences=false",
        "? ?", "[?] [?]"),
    ROW("separator='',ngram_widths=[1],left_pad='',right_pad='',pad_width=0,"
        "preserve_short_sequences=false",
        "[] [3]", "SF102 a"),
    ROW("separator='',ngram_widths=[-9223372036854775808],left_pad='',right_pad='',pad_width=0,"
        "preserve_short_sequences=false",
        "[5] {0,5}:int64", "deferred SF129 / [0] [2]"),
};
SF_OP_TEST(StringNGrams, ngrams)

static const SfOpCase transcode[] = {
    ROW("input_encoding='UTF-8',output_encoding='UTF-8'", "[n]", "[n]"),
    ROW("input_encoding='UTF-8',output_encoding='UTF-8'", "[2]", "[2]"),
};
SF_OP_TEST(UnicodeTranscode, transcode)

static const SfOpCase unicode_encode[] = {
    ROW("output_encoding='UTF-8'", "[?] [4]", "[3]"),
    ROW("output_encoding='UTF-8'", "? ?", "[?]"),
    ROW("output_encoding='UTF-8'", "[2,2] [4]", "SF102 a"),
};
SF_OP_TEST(UnicodeEncode, unicode_encode)

static const SfOpCase unicode_decode[] = {
    ROW("input_encoding='UTF-8'", "[2,3]", "[7]:int64 [?]"),
    ROW("input_encoding='UTF-8'", "[?,3]", "[?] [?]"),
    ROW("input_encoding='UTF-8'", "?", "[?] [?]"),
};
SF_OP_TEST(UnicodeDecode, unicode_decode)

static const SfOpCase unicode_offsets[] = {
    ROW("input_encoding='UTF-8'", "[2]", "[3] [?] [?]"),
    ROW("input_encoding='UTF-8'", "[?]", "[?] [?] [?]"),
    ROW("input_encoding='UTF-8'", "?", "[?] [?] [?]"),
};
SF_OP_TEST(UnicodeDecodeWithOffsets, unicode_offsets)

static const SfOpCase decode_raw[] = {
    ROW("out_type=int32", "[2,n]", "[2,n,?]:int32"),
    ROW("out_type=uint8", "[]", "[?]"),
    ROW("out_type=uint8", "?", "?"),
};
SF_OP_TEST(DecodeRaw, decode_raw)

static const SfOpCase decode_padded[] = {
    ROW("out_type=int32", "[2,n] 8", "[2,n,2]"),
    ROW("out_type=uint8", "[2] []", "[2,?]"),
    ROW("out_type=uint8", "? 8", "?"),
    ROW("out_type=int32", "[2] 7", "SF109 b @out_type"),
};
SF_OP_TEST(DecodePaddedRaw, decode_padded)

static const SfOpCase decode_csv[] = {
    ROW("", "[n] ( {1.0} {'a'} )", "[n]:float [n]:string"),
    ROW("", "[5,?] ( ? {1} )", "[5,a.1] [5,a.1]:int32"),
    ROW("", "? ( [] [0]:int32 )", "? ?"),
    ROW("", "[5] ( [2] )",
        "SF128 b.0 'Shape of a default must be a length-0 or length-1 vector, or a scalar.'"),
    ROW("", "[5] ( [1,1] )", "SF105 b"),
    ROW(V8, "[5] ( [] )", "SF102 b"),
    ROW(RUN, "[5] ( [2] )",
        "SF128 b.0 'There should only be 1 default per field but field 0 has 2'"),
};
SF_OP_TEST(DecodeCSV, decode_csv)
