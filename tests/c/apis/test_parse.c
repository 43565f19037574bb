/* Rows of tf.Example parsing; expectations asked of TensorFlow 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define EXAMPLE "sparse_types=[int64],dense_shapes=[[],[3]]"
static const SfOpCase example[] = {
    ROW(EXAMPLE, "[5] [5] ( [] ) ( [] [] ) ( [] [3] )",
        "[?,2]:int64 [?]:int64 [2]:int64 [a.0] [a.0,3]"),
    ROW(EXAMPLE, "[n] [0] ( ? ) ( ? ? ) ( ? ? )", "[?,2] [?] [2] [n] [n,3]"),
    ROW(EXAMPLE, "? ? ( ? ) ( ? ? ) ( ? ? )", "[?,2] [?] [2] [?] [?,3]"),
    ROW("sparse_types=[],dense_shapes=[[?,2]]", "[4] [4] ( ) ( [] ) ( [] )", "[4,?,2]"),
    ROW(EXAMPLE, "[] [5] ( [] ) ( [] [] ) ( [] [3] )", "SF102 a"),
    ROW(EXAMPLE, "[5] [] ( [] ) ( [] [] ) ( [] [3] )", "SF102 b"),
    ROW("sparse_types=[],dense_shapes=[[2,?]]", "[4] [4] ( ) ( [] ) ( [] )",
        "SF128 @dense_shapes 'dense_shapes[0] has unknown rank or unknown inner dimensions: "
        "[2,?]'"),
    ROW("sparse_types=[],dense_shapes=[?]", "[4] [4] ( ) ( [] ) ( [] )",
        "SF128 @dense_shapes 'inner dimensions: <unknown>'"),
    ROW("sparse_types=[],dense_shapes=[]", "[4] [4] ( ) ( [] ) ( [] )",
        "SF128 @dense_shapes @Ndense 'len(dense_keys) != len(dense_shapes)'"),
};
SF_OP_TEST(ParseExample, example)

static const SfOpCase example_v2[] = {
    ROW("num_sparse=1,sparse_types=[int64],ragged_value_types=[int64],ragged_split_types=[int32],"
        "dense_shapes=[[3]]",
        "[5] [0] [1] [1] [1] ( [3] )", "[?,2] [?]:int64 [2] [5,3] [?]:int64 [6]:int32"),
    ROW("num_sparse=1,sparse_types=[int64],ragged_value_types=[int64],ragged_split_types=[int32],"
        "dense_shapes=[[3]]",
        "[?] [0] [1] [1] [1] ( [3] )", "[?,2] [?] [2] [?,3] [?] [?]"),
    ROW("num_sparse=1,sparse_types=[int64],ragged_value_types=[int64],ragged_split_types=[int32],"
        "dense_shapes=[[3]]",
        "[] [0] [1] [1] [1] ( [3] )", "[?,1] [?] [1] [3] [?] [?]"),
    ROW("num_sparse=1,sparse_types=[int64],ragged_value_types=[int64],ragged_split_types=[int32],"
        "dense_shapes=[[3]]",
        "? ? ? ? ? ( ? )", "[?,?] [?] [?] ? [?] [?]"),
    ROW("num_sparse=0,sparse_types=[],ragged_value_types=[],ragged_split_types=[],"
        "dense_shapes=[[3]]",
        "[2,2] [0] [1] [1] [1] ( [3] )", "SF105 a"),
};
SF_OP_TEST(ParseExampleV2, example_v2)

static const SfOpCase single[] = {
    ROW("num_sparse=1,sparse_keys=['a'],dense_keys=['b','c'],sparse_types=[int64],"
        "dense_shapes=[[],[3]]",
        "[] ( [] [3] )", "[?,1]:int64 [?]:int64 [1]:int64 [] [3]"),
    ROW("num_sparse=1,sparse_keys=['a'],dense_keys=['b','c'],sparse_types=[int64],"
        "dense_shapes=[[],[3]]",
        "[] ( [] [?] )", "[?,1] [?] [1] [] [3]"),
    ROW("num_sparse=0,sparse_keys=[],dense_keys=['b'],sparse_types=[],dense_shapes=[[?,3]]",
        "? ( ? )", "[?,3]"),
    ROW("num_sparse=0,sparse_keys=[],dense_keys=['b'],sparse_types=[],dense_shapes=[[3]]",
        "[1] ( [3] )", "SF102 a"),
    ROW("num_sparse=0,sparse_keys=['a'],dense_keys=['b'],sparse_types=[int64],dense_shapes=[[3]]",
        "[] ( [3] )",
        "SF128 @num_sparse @sparse_keys 'num_sparse (0) must match the size of sparse_keys (1) and "
        "sparse_types (1)'"),
    ROW("num_sparse=0,sparse_keys=[],dense_keys=['b','c'],sparse_types=[],dense_shapes=[[3]]",
        "[] ( [3] )", "SF128 @Tdense @dense_keys 'len(dense_keys) != len(dense_types)'"),
};
SF_OP_TEST(ParseSingleExample, single)

#define SEQUENCE                                                                                   \
    "feature_list_dense_missing_assumed_empty=[],context_sparse_keys=['a'],"                       \
    "context_dense_keys=['b'],feature_list_sparse_keys=['c'],feature_list_dense_keys=['d'],"       \
    "Ncontext_sparse=1,Ncontext_dense=1,Nfeature_list_sparse=1,Nfeature_list_dense=1,"             \
    "context_sparse_types=[int64],feature_list_dense_types=[float],context_dense_shapes=[[3]],"    \
    "feature_list_sparse_types=[int64],feature_list_dense_shapes=[[7]]"
static const SfOpCase sequence[] = {
    ROW(SEQUENCE, "[5] [5] ( [3] )", "[?,2] [?] [2] [5,3] [?,3] [?] [3] [5,?,7] [5]"),
    ROW(SEQUENCE, "[?] [5] ( [3] )", "[?,2] [?] [2] [?,3] [?,3] [?] [3] [?,?,7] [?]"),
    ROW(SEQUENCE, "? ? ( ? )", "[?,2] [?] [2] [?,3] [?,3] [?] [3] [?,?,7] [?]"),
    ROW(SEQUENCE, "[] [5] ( [3] )", "SF102 a"),
    ROW(SEQUENCE, "[5] [] ( [3] )", "SF102 b"),
};
SF_OP_TEST(ParseSequenceExample, sequence)

#define SINGLE                                                                                     \
    "context_sparse_types=[int64],feature_list_dense_types=[float],context_dense_shapes=[[3]],"    \
    "feature_list_sparse_types=[int64],feature_list_dense_shapes=[[7]]"
static const SfOpCase single_sequence[] = {
    ROW(SINGLE, "[] [0] ( [] ) ( [] ) ( [] ) ( [] ) ( [3] ) []",
        "[?,1] [?] [1] [3] [?,2] [?] [2] [?,7]"),
    ROW(SINGLE, "[] [?] ( [] ) ( [] ) ( [] ) ( [] ) ( [3] ) []",
        "[?,1] [?] [1] [3] [?,2] [?] [2] [?,7]"),
    ROW(SINGLE, "? ? ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ?", "[?,1] [?] [1] [3] [?,2] [?] [2] [?,7]"),
    ROW(SINGLE, "[1] [0] ( [] ) ( [] ) ( [] ) ( [] ) ( [3] ) []", "SF102 a"),
    ROW(SINGLE, "[] [] ( [] ) ( [] ) ( [] ) ( [] ) ( [3] ) []", "SF102 b"),
};
SF_OP_TEST(ParseSingleSequenceExample, single_sequence)

#define SEQUENCE_V2                                                                                \
    "Ncontext_sparse=1,context_sparse_types=[int64],context_ragged_value_types=[int64],"           \
    "context_ragged_split_types=[int32],context_dense_shapes=[[3]],Nfeature_list_sparse=1,"        \
    "Nfeature_list_dense=1,feature_list_dense_types=[float],feature_list_sparse_types=[int64],"    \
    "feature_list_ragged_value_types=[int64],feature_list_ragged_split_types=[int32],"             \
    "feature_list_dense_shapes=[[7]]"
static const SfOpCase sequence_v2[] = {
    ROW(SEQUENCE_V2, "[5] [0] [1] [1] [1] [1] [1] [1] [1] ( [3] )",
        "[?,2] [?] [2] [5,3] [?] [6] [?,3] [?] [3] [5,?,7] [5] [?] [6] [?]"),
    ROW(SEQUENCE_V2, "[?] [0] [1] [1] [1] [1] [1] [1] [1] ( [3] )",
        "[?,2] [?] [2] [?,3] [?] [?] [?,3] [?] [3] [?,?,7] [?] [?] [?] [?]"),
    ROW(SEQUENCE_V2, "[] [0] [1] [1] [1] [1] [1] [1] [1] ( [3] )",
        "[?,1] [?] [1] [3] [?] [] [?,2] [?] [2] [?,7] [] [?] [] [?]"),
    ROW(SEQUENCE_V2, "? ? ? ? ? ? ? ? ? ( ? )",
        "[?,?] [?] [?] ? [?] ? [?,?] [?] [?] ? ? [?] ? [?]"),
    ROW(SEQUENCE_V2, "[5] [2,2] [1] [1] [1] [1] [1] [1] [1] ( [3] )", "SF105 b"),
};
SF_OP_TEST(ParseSequenceExampleV2, sequence_v2)

static const SfOpCase parse_tensor[] = {
    ROW("out_type=int32", "[]", "?:int32"),
    ROW("out_type=int32", "?", "?:int32"),
};
SF_OP_TEST(ParseTensor, parse_tensor)

static const SfOpCase serialize_tensor[] = {
    ROW("", "[2,3]", "[]:string"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(SerializeTensor, serialize_tensor)

static const SfOpCase decode_json[] = {
    ROW("", "[n]", "[n]:string"),
    ROW("", "?", "?"),
};
SF_OP_TEST(DecodeJSONExample, decode_json)

#define RUN "@phase=run,@version=2.21,"

/* dtype int32, shape [2], content 1 and 2 */
#define TENSOR "'\x08\x03\x12\x04\x12\x02\x08\x02\x3a\x02\x01\x02'"
static const SfOpCase parse_tensor_kernel[] = {
    ROW("out_type=int32", TENSOR, "{1,2}:int32"),
    ROW("out_type=int32", "[]", "?:int32"),
    ROW("out_type=float", TENSOR,
        "deferred SF129 a @out_type 'parsed tensor (int32) and dtype (float)' / ?"),
    ROW("out_type=int32", "'x'",
        "deferred SF129 a 'Could not parse `serialized` as TensorProto' / ?"),
    ROW("out_type=int32", "''", "deferred SF129 a 'Cannot parse tensor from proto' / ?"),
    ROW(RUN "out_type=int32", "[1]",
        "SF129 a 'Expected `serialized` to be a scalar, got shape: [1]'"),
};
SF_OP_TEST(ParseTensor, parse_tensor_kernel)

static const SfOpCase json_kernel[] = {
    ROW("", "{'{}',' {\"a\": \"}\"}'}", "[2]"),
    ROW("", "'{'", "deferred SF129 a 'invalid JSON' / []"),
    ROW(RUN, "'x{}'", "SF129 a"),
    ROW(RUN, "''", "SF129 a"),
};
SF_OP_TEST(DecodeJSONExample, json_kernel)

#define DENSE "Nsparse=0,Ndense=1,sparse_types=[],Tdense=[float],"
static const SfOpCase example_kernel[] = {
    ROW(DENSE "dense_shapes=[[2]]", "[3] [0] ( ) ( [] ) ( [2] )", "[3,2]"),
    ROW(DENSE "dense_shapes=[[?]]", "[3] [0] ( ) ( [] ) ( [1] )", "[3,?]"),
    ROW(DENSE "dense_shapes=[[2]]", "[3] [0] ( ) ( [] ) ( [3] )",
        "deferred SF129 d @dense_shapes 'def_value[0].shape() == [3] is not compatible' / [3,2]"),
    ROW(DENSE "dense_shapes=[[?]]", "[3] [0] ( ) ( [] ) ( [2] )",
        "deferred SF129 d @dense_shapes 'is a variable length shape' / [3,?]"),
    ROW(DENSE "dense_shapes=[[2]]", "[3] [2] ( ) ( [] ) ( [2] )",
        "deferred SF129 b a 'Expected names have the same shape as serialized' / [3,2]"),
    ROW(RUN DENSE "dense_shapes=[[2]]", "[] [0] ( ) ( [] ) ( [2] )",
        "SF129 a 'Expected serialized to be a vector, got shape: []'"),
};
SF_OP_TEST(ParseExample, example_kernel)

#define DECODE_PROTO_V2_ATTRS "message_type='google.protobuf.Any',field_names=[],output_types=[]"
static const SfOpCase decode_proto_v2[] = {
    ROW(DECODE_PROTO_V2_ATTRS, "[1]", "[1,0]"),
    ROW(DECODE_PROTO_V2_ATTRS, "[?]", "[?,0]"),
    ROW(DECODE_PROTO_V2_ATTRS, "?", "?"),
};
SF_OP_TEST(DecodeProtoV2, decode_proto_v2)

#define ENCODE_PROTO_ATTRS "field_names=['type_url'],message_type='google.protobuf.Any'"
static const SfOpCase encode_proto[] = {
    ROW(ENCODE_PROTO_ATTRS, "[5,1] ( [5,1]:string )", "[5]"),
    ROW(ENCODE_PROTO_ATTRS, "[?,1] ( [5,1]:string )", "[5]"),
    ROW(ENCODE_PROTO_ATTRS, "? ( ?:string )", "?"),
    ROW(ENCODE_PROTO_ATTRS, "[5,1] ( [5]:string )", "SF103 b"),
};
SF_OP_TEST(EncodeProto, encode_proto)
