/* Rows of string ops whose kernels refuse what construction takes, and of content that folds; expectations
 * asked of TensorFlow 2.21. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase as_string_kernel[] = {
    ROW("width=5", "{1,-20}", "{'    1','  -20'}"),
    ROW("width=5,fill='0'", "{1,-20}", "{'00001','-0020'}"),
    ROW("width=5,fill='-'", "{1,-20}", "{'1    ','-20  '}"),
    ROW("fill='+'", "{1,-2}", "{'+1','-2'}"),
    ROW("", "{1.0,-20.0}", "{'1.000000','-20.000000'}"),
    ROW("precision=2,width=7", "{1.0,-20.0}", "{'   1.00',' -20.00'}"),
    ROW("scientific=true", "1.0", "'1.000000e+00'"),
    ROW("shortest=true", "1.5", "'1.5'"),
    ROW("width=3", "'a'", "'  a'"),
    ROW("width=3", "[?]:string", "[a.0]"),
    ROW("width=3", "?:float", "?"),
    ROW("fill='xx'", "[2]",
        "deferred SF129 @fill 'Fill string must be one or fewer characters' / [2]"),
    ROW("fill='x'", "[2]", "deferred SF129 @fill 'Fill argument not supported: \"x\"' / [2]"),
    ROW(RUN "scientific=true", "[2]:int32", "SF129 a 'format not supported for datatype int32'"),
    ROW(RUN "precision=1", "[2]:bool",
        "SF129 a @precision 'precision not supported for datatype bool'"),
    ROW(RUN "scientific=true,shortest=true", "[2]", "SF129 @scientific @shortest"),
};
SF_OP_TEST(AsString, as_string_kernel)

static const SfOpCase letter_case_kernel[] = {
    ROW("encoding='utf-8'", "[n]", "[n]"),
    ROW("encoding='utf-8'", "?", "?"),
    ROW("encoding='UTF-8'", "[n]", "deferred SF129 @encoding / [n]"),
    ROW(RUN "encoding='x'", "[2]", "SF129 @encoding 'received x'"),
};
SF_OPS_TEST(letter_case, letter_case_kernel, "StringLower", "StringUpper")

static const SfOpCase substr_kernel[] = {
    ROW("", "{'abcdef','ab'} 0 2", "{'ab','ab'}"),
    ROW("", "'abc' -2 1", "'b'"),
    ROW("", "'abc' 1 99", "'bc'"),
    ROW("", "'abc' 1 -1", "'bc'"),
    ROW("unit=UTF8_CHAR", "'abc' 1 -1", "''"),
    ROW("", "'abc' {1,0} {1,2}", "{'b','ab'}"),
    ROW("", "'abc' [?]:int32 [?]:int32", "[b.0]"),
    ROW("", "?:string ?:int32 ?:int32", "?"),
    ROW("", "{'abcdef','ab'} 3 2",
        "deferred SF129 b a 'pos 3 out of range for string b'ab' at index 1' / [2]"),
    ROW(RUN, "'abc' -4 1", "SF129 b a 'pos -4 out of range'"),
    ROW(RUN "unit=UTF8_CHAR", "{'abc','b'} {3,3} {1,1}", "SF129 b a 'for string at index 1'"),
    ROW(RUN, "{{'abc','b'},{'a','b'}} {1,3} {1,1}", "SF129 b a 'at index (0, 1)'"),
    ROW(RUN, "[2] [1]:int32 []:int32",
        "SF129 b c 'pos and len should have the same shape, got: [1] vs. []'"),
    ROW(RUN, "[3] [2]:int32 [2]:int32", "SF113 a.0 b.0 'Incompatible shapes: [3] vs. [2]'"),
};
SF_OP_TEST(Substr, substr_kernel)

static const SfOpCase to_number_kernel[] = {
    ROW("", "[2,n]", "[2,n]"),
    ROW("", "?", "?"),
    ROW("", "{' 1.5 ','.5','2e3'}", "{1.5,0.5,2000.0}"),
    ROW("out_type=int32", "{'42',' -7 ','+0'}", "{42,-7,0}:int32"),
    ROW("out_type=int64", "'9999999999'", "9999999999:int64"),
    ROW("out_type=float", "'nan'", "[]=?"),
    ROW("out_type=int32", "'9999999999'", "deferred SF129 a @out_type / []:int32"),
    ROW("out_type=int64", "{'0','','7'}", "deferred SF129 a @out_type / [3]:int64"),
    ROW(RUN "out_type=int32", "'1.5'",
        "SF129 a @out_type 'StringToNumberOp could not correctly convert string: 1.5'"),
    ROW(RUN "out_type=uint32", "'-1'", "SF129 a @out_type"),
    ROW(RUN, "'1 2'", "SF129 a @out_type"),
    ROW(RUN, "'abc'", "SF129 a @out_type"),
};
SF_OP_TEST(StringToNumber, to_number_kernel)

static const SfOpCase base64_kernel[] = {
    ROW("", "{'YWI=','YQ==','','-_AA'}", "[4]"),
    ROW("", "[n]", "[n]"),
    ROW("", "?", "?"),
    ROW("", "'x'", "deferred SF129 a 'Base64 string length cannot be 1 modulo 4.' / []"),
    ROW(RUN, "'YQ='", "SF129 a 'Invalid character found in base64.'"),
    ROW(RUN, "'YW=I'", "SF129 a"),
    ROW(RUN, "'+/AA'", "SF129 a"),
};
SF_OP_TEST(DecodeBase64, base64_kernel)

static const SfOpCase decompress_kernel[] = {
    ROW("compression_type='ZLIB'", "[n]", "[n]"),
    ROW("compression_type='GZIP'", "?", "?"),
    ROW("compression_type='x'", "[n]", "deferred SF129 @compression_type / [n]"),
};
SF_OP_TEST(DecodeCompressed, decompress_kernel)

static const SfOpCase raw_kernel[] = {
    ROW("out_type=int32", "{'abcdefgh','12345678'}", "[2,2]"),
    ROW("out_type=uint8", "'abc'", "[3]"),
    ROW("out_type=uint8", "{?,'ab'}:string", "[2,?]"),
    ROW("out_type=float", "'abc'",
        "deferred SF129 a @out_type 'length 3 that is not a multiple of 4, the size of float' / "
        "[0]"),
    ROW(RUN "out_type=uint8", "{'abc','ab'}", "SF129 a 'element 1 has size 3 != 2'"),
};
SF_OP_TEST(DecodeRaw, raw_kernel)

static const SfOpCase padded_kernel[] = {
    ROW(RUN "out_type=int32", "[2] 6", "SF129 b @out_type 'fixed_length (6) must be a multiple'"),
    ROW(RUN "out_type=int32", "[2] 0", "SF129 b 'fixed_length (0) must be greater than zero.'"),
    ROW(RUN "out_type=int32", "[2] [1]", "SF129 b 'k must be scalar, got shape [1]'"),
};
SF_OP_TEST(DecodePaddedRaw, padded_kernel)

#define TWO "OUT_TYPE=[int32,float],"
static const SfOpCase csv_kernel[] = {
    ROW(TWO, "{'1,2','3,\"4\"'} ( [1] [] )", "[2]:int32 [2]"),
    ROW(TWO, "{'1,',?} ( [1] [1] )", "[2]:int32 [2]"),
    ROW(TWO "select_cols=[0,2]", "{'1,x,2'} ( [1] [] )", "[1]:int32 [1]"),
    ROW(TWO "field_delim=''", "[n] ( [1] [] )", "deferred SF129 @field_delim / [n]:int32 [n]"),
    ROW(TWO, "{'1,2','3'} ( [1] [] )",
        "deferred SF129 a 'Expect 2 fields but have 1 in record 1' / [2]:int32 [2]"),
    ROW(RUN TWO, "{'1,'} ( [1] [0] )", "SF129 a c 'Field 1 is required but missing in record 0!'"),
    ROW(RUN TWO, "{'x,2'} ( [1] [1] )", "SF129 a b 'Field 0 in record 0 is not a valid int32: x'"),
    ROW(RUN TWO, "{'1\"2,2'} ( [1] [1] )",
        "SF129 a 'Unquoted fields cannot have quotes/CRLFs inside'"),
    ROW(RUN TWO, "{'\"a\"b\",2'} ( [1] [1] )", "SF129 a 'Quote inside a string'"),
    ROW(RUN TWO, "{'1,\"2'} ( [1] [1] )", "SF129 a 'Quoted field has to end'"),
    ROW(RUN TWO "select_cols=[1]", "[2] ( [1] [1] )",
        "SF129 @select_cols 'should match output size'"),
    ROW(RUN TWO "select_cols=[1,0]", "[2] ( [1] [1] )", "SF129 @select_cols 'strictly increasing'"),
    ROW(RUN TWO "select_cols=[-1,0]", "[2] ( [1] [1] )", "SF129 @select_cols 'non-negative'"),
    ROW(RUN TWO, "[2] ( [1,1] [1] )", "SF129 b 'Each record default should be at most rank 1'"),
};
SF_OP_TEST(DecodeCSV, csv_kernel)

#define UTF "input_encoding='UTF-8',"
static const SfOpCase decode_kernel[] = {
    ROW("input_encoding='latin1'", "[2]", "[3]:int64 [?]:int32"),
    ROW("input_encoding='utf_16le'", "?", "[?]:int64 [?]:int32"),
    ROW("input_encoding=''", "[2]", "deferred SF129 @input_encoding / [3]:int64 [?]:int32"),
    ROW("input_encoding='UTF-8'", "[9223372036854775807]", "deferred SF122 / [?]:int64 [?]:int32"),
    ROW(RUN "input_encoding='UTF-'", "[2]",
        "SF129 @input_encoding 'Could not create converter for input encoding: UTF-'"),
    ROW(RUN UTF "replacement_char=-1", "[2]", "SF129 @replacement_char"),
};
SF_OP_TEST(UnicodeDecode, decode_kernel)

#define OUT8 "output_encoding='UTF-8',"
static const SfOpCase transcode_kernel[] = {
    ROW(UTF OUT8, "[n]", "[n]"),
    ROW(UTF OUT8, "?", "?"),
    ROW("input_encoding='UTF'," OUT8, "[n]", "deferred SF129 @input_encoding / [n]"),
    ROW(RUN UTF OUT8 "replacement_char=1114112", "[2]", "SF129 @replacement_char"),
};
SF_OP_TEST(UnicodeTranscode, transcode_kernel)

static const SfOpCase encode_kernel[] = {
    ROW(OUT8, "[3] {0,1,3}:int64", "[2]"),
    ROW(OUT8, "[?] {0,?,3}:int64", "[2]"),
    ROW(OUT8, "[3] {0,2}:int64", "deferred SF129 b a 'Last value in input_splits' / [1]"),
    ROW(RUN OUT8, "[3] {1,3}:int64", "SF129 b 'First value in input_splits must be zero.'"),
    ROW(RUN OUT8, "[3] {0,2,1,3}:int64", "SF129 b 'in ascending order'"),
    ROW(RUN OUT8, "[3] {0,5,3}:int64", "SF129 b a 'less than or equal to input_tensor length'"),
    ROW(RUN OUT8, "[3] {}:int64", "SF129 b 'Input_splits should contain elements'"),
    ROW(RUN OUT8, "[3,1] [2]:int64", "SF129 b a 'should be of rank 1'"),
    ROW(RUN OUT8 "replacement_char=-1", "[3] [2]:int64", "SF129 @replacement_char"),
};
SF_OP_TEST(UnicodeEncode, encode_kernel)

#define GRAMS                                                                                      \
    "separator=' ',left_pad='<',right_pad='>',preserve_short_sequences=false,pad_width=1,"         \
    "ngram_widths=[1,2],"
static const SfOpCase ngrams_kernel[] = {
    ROW(GRAMS, "[3] {0,1,3}:int64", "[8] [3]:int64"),
    ROW(GRAMS, "[3] {0,?,3}:int64", "[?] [3]:int64"),
    ROW(GRAMS, "[0] [4]:int64", "[0] [4]:int64"),
    ROW("separator=' ',left_pad='',right_pad='',preserve_short_sequences=true,pad_width=0,"
        "ngram_widths=[3]",
        "[3] {0,1,3}:int64", "[2] [3]:int64"),
    ROW(GRAMS, "[3] {0,4}:int64", "deferred SF129 b a 'must be in [0, 3]' / [9] [2]:int64"),
    ROW(RUN GRAMS, "[?,2] [2,0]:int64", "[?,2] [2,0]:int64"),
    ROW(RUN GRAMS, "[?,2] [2,?]:int64",
        "? [2,?]:int64"), /* [?], or as it came when nothing is split */
    ROW(RUN GRAMS, "[?] [2,?]:int64", "[?] [2,?]:int64"),
    ROW(RUN GRAMS, "[3] {1,3}:int64", "SF129 b 'First split value must be 0, got 1'"),
    ROW(RUN GRAMS, "[3] {0,2}:int64", "SF129 b a 'Expected 3, got 2'"),
    ROW(RUN "separator='',left_pad='',right_pad='',preserve_short_sequences=true,pad_width=0,"
            "ngram_widths=[0]",
        "[3] [2]:int64", "SF129 @ngram_widths"),
};
SF_OP_TEST(StringNGrams, ngrams_kernel)

static const SfOpCase reduce_join_kernel[] = {
    ROW("", "[2,3] {1,-1}", "deferred SF129 b 'Duplicate reduction dimension -1' / [2]"),
};
SF_OP_TEST(ReduceJoin, reduce_join_kernel)

static const SfOpCase segment_join_kernel[] = {
    ROW("", "[2] {0,5}:int32 2", "deferred SF129 b c 'not allowed to exceed num_segments' / [2]"),
    ROW("", "[2] [2]:int32 0", "deferred SF129 b c / [0]"),
    ROW(RUN, "[2] [2]:int32 -1", "SF129 c 'Number of segments must be non-negative but got -1'"),
    ROW(RUN, "[2] []:int32 2", "SF129 b 'Segment_id cannot have rank 0'"),
    ROW(RUN, "[2] [2]:int32 [1]", "SF129 c 'Number of segments must be a scalar'"),
    ROW(RUN, "[2,3] [2,4]:int32 2",
        "SF129 b.1 a.1 'Segment dimension is 4 while input dimension is 2 in rank 1'"),
};
SF_OP_TEST(UnsortedSegmentJoin, segment_join_kernel)

static const SfOpCase strong_kernel[] = {
    ROW("num_buckets=2,key=[1]", "[n]",
        "deferred SF129 @key 'Key must have 2 elements' / [n]:int64"),
};
SF_OP_TEST(StringToHashBucketStrong, strong_kernel)
