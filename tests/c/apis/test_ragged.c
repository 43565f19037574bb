/* Rows of ragged tensors: partitions, and what their constants tell. */
#include "tests/c/apis/net.h"
#include "tests/c/support/op_rows.h"

#include <string.h>

#define SPLITS  "row_partition_types=[ROW_SPLITS]"
#define SPLITS2 "row_partition_types=[ROW_SPLITS,ROW_SPLITS]"
#define ROWIDS  "row_partition_types=[FIRST_DIM_SIZE,VALUE_ROWIDS]"

static const SfOpCase to_tensor[] = {
    ROW(SPLITS, "{-1,-1}:int64 [5,7] [] ( {0,2,5}:int64 )", "SF102"),
    ROW(SPLITS, "{-1,-1,7}:int64 [5,7] [] ( {0,2,5}:int64 )", "[2,3,7]"),
    ROW(SPLITS, "-1:int64 [5,7] [] ( [n]:int64 )", "[n-1,?,7]"),
    ROW(SPLITS, "{4,-1}:int64 [5] [] ( [3]:int64 )", "[4,?]"),
    ROW(SPLITS, "[2]:int64 [5] [] ( [3]:int64 )", "[?,?]"),
    ROW(SPLITS, "?:int64 ? ? ( ?:int64 )", "?"),
    ROW(ROWIDS, "{-1,-1}:int64 [4] [] ( 3:int64 {0,0,2,2}:int64 )", "[3,2]"),
    ROW(SPLITS, "{-1,-1,5}:int64 [5,7] [] ( [3]:int64 )", "SF101 b.1 a"),
    ROW(SPLITS, "{-1,-1}:int64 [5] [1] ( [3]:int64 )", "SF105 c b"),
    ROW(SPLITS, "{-1,-1}:int64 [5] [] ( []:int64 )", "SF102 d 'Row partition must be a vector.'"),
    ROW("row_partition_types=[VALUE_ROWIDS]", "{-1,-1}:int64 [5] [] ( [3]:int64 )",
        "SF128 @row_partition_types 'VALUE_ROWIDS cannot be first'"),
    ROW("row_partition_types=[FOO]", "{-1,-1}:int64 [5] [] ( [3]:int64 )",
        "SF128 @row_partition_types 'Unknown string for partition info type: FOO'"),
    ROW(SPLITS, "{-1,-1}:int64 [3] [] ( {1,3}:int64 )",
        "deferred SF129 d 'Invalid row split size.' / [1,2]"),
    ROW(ROWIDS ",@phase=eager", "{-1,-1}:int64 [3] [] ( 2:int64 {0,0,5}:int64 )",
        "SF129 e 'Got next_value_rowid=5 which is not less than 2'"),
    ROW(ROWIDS, "{-1,-1}:int64 [2] [] ( 2:int64 {5,5}:int64 )",
        "deferred SF129 e 'Got current_value_rowid=5 which is not less than 2' / [2,2]"),
    ROW(ROWIDS, "{-1,-1}:int64 [2] [] ( 2:int64 {0,-1}:int64 )",
        "deferred SF129 e 'Got next_value_rowid=-1 which is not less than 2' / [2,1]"),
    ROW(ROWIDS, "{-1,-1}:int64 [2] [] ( 0:int64 {0,0}:int64 )", "[0,2]"),
    ROW(SPLITS2, "{-1,-1,-1}:int64 [2] [] ( {0,1}:int64 {0,1,2}:int64 )",
        "deferred SF129 e 'Row partition size is greater than output size: 2 > 1' / [1,1,1]"),
    ROW(SPLITS2, "{-1,-1,-1}:int64 [2] [] ( {0,3}:int64 {0,2}:int64 )", "[1,3,2]"),
    ROW(SPLITS2, "{-1,-1,-1}:int64 [2] [] ( {9,3}:int64 {0,2}:int64 )", "[1,0,2]"),
    ROW(SPLITS, "{0,3}:int64 [5] [] ( {0,7,5}:int64 )", "[0,3]"),
    ROW(SPLITS, "-1:int64 [5,2,1] [2] ( {0,2,5}:int64 )", "[2,3,2,1]"),
    ROW(SPLITS, "-1:int64 [5,1,2] [2] ( {0,2,5}:int64 )",
        "SF101 c.0 b.1 'default_value.shape[-1] = 2 but rt_input.flat_values.shape[-1] = 1'"),
    ROW(SPLITS, "-1:int64 [5,3,2] [3] ( {0,2,5}:int64 )",
        "deferred SF113 c b 'Error broadcasting default_value' / [2,3,3,2]"),
    ROW(SPLITS, "-1:int64 [5,3,2] [3] ( {0}:int64 )", "[0,0,3,2]"),
    ROW(SPLITS, "-1:int64 [5,3,3] [1,3] ( {0,2,5}:int64 )", "[2,3,3,3]"),
};
SF_OP_TEST(RaggedTensorToTensor, to_tensor)

static const SfOpCase to_sparse[] = {
    ROW("", "( [3] ) [5,7]", "[35,3] [35] [3]"),
    ROW("", "( [3] [4] ) [n]", "[n,3] [n] [3]"),
    ROW("", "( ?:int64 ) ?", "[?,?] [?] [?]"),
    ROW("", "( [3,1] ) [5]", "SF102 a"),
    ROW("", "( [3] ) []", "SF103 b"),
    ROW("", "( {0,2} ) [3]",
        "deferred SF129 a b 'Final value of ragged splits must match the length' / [3,2] [3] [2]"),
    ROW("@phase=eager", "( {0,2,1,3} ) [3]",
        "SF129 a 'Ragged splits should be non decreasing, but we got 2 followed by 1'"),
};
SF_OP_TEST(RaggedTensorToSparse, to_sparse)

static const SfOpCase to_variant[] = {
    ROW("batched_input=false", "( [3] ) [5]", "[]:variant"),
    ROW("batched_input=true", "( [3] ) [5]", "[2]"),
    ROW("batched_input=true", "( [n] ) ?", "[n-1]"),
    ROW("batched_input=true", "( ?:int64 ) ?", "[?]"),
    ROW("batched_input=true", "( ) [5,2]", "[5]"),
    ROW("batched_input=true", "( [0] ) [5]", "SF110 a.0"),
    ROW("batched_input=true,@phase=eager", "( {0,2} ) [3]",
        "SF129 a b 'Invalid ragged splits: last element of ragged splits must be the number of "
        "ragged values(3) but is 2'"),
};
SF_OP_TEST(RaggedTensorToVariant, to_variant)

#define OUT(in, out) "Tvalues=float,input_ragged_rank=" in ",output_ragged_rank=" out
static const SfOpCase from_variant[] = {
    ROW(OUT("0", "1"), "[4]", "[5] ?:float"), ROW(OUT("0", "1"), "[?]", "[?] ?"),
    ROW(OUT("-1", "2"), "[]", "[?] [?] ?"),   ROW(OUT("1", "2"), "?", "[?] [?] ?"),
    ROW(OUT("1", "1"), "[4]", "SF102 a"),
};
SF_OP_TEST(RaggedTensorFromVariant, from_variant)

static const SfOpCase to_variant_grad[] = {
    ROW("Tvalues=float", "[4] [5] {n,3}", "[n,3]"),
    ROW("Tvalues=float", "? [5] [2]", "[?,?]"),
    ROW("Tvalues=float", "? [5] ?", "?"),
    ROW("Tvalues=float", "? [5] [2,2]", "SF102 c"),
    ROW("Tvalues=float", "? [5] {2,-1}", "deferred SF130 c 'Dimension -1 must be >= 0' / [2,?]"),
    ROW("Tvalues=float", "? [1,5] [2]",
        "deferred SF105 b 'ragged splits must be rank 1 but is rank 2' / [?,?]"),
    ROW("Tvalues=float", "? [0] [2]", "deferred SF129 b 'but is empty' / [?,?]"),
};
SF_OP_TEST(RaggedTensorToVariantGradient, to_variant_grad)

static const SfOpCase gather[] = {
    ROW("OUTPUT_RAGGED_RANK=1", "( [3] ) [5,2] [4]:int32", "[5] [?,2]"),
    ROW("OUTPUT_RAGGED_RANK=2", "( [3] ) [5] [4,n]:int32", "[5] [4*n+1] [?]"),
    ROW("OUTPUT_RAGGED_RANK=1", "( ?:int64 ) ? ?:int32", "[?] ?"),
    ROW("OUTPUT_RAGGED_RANK=1", "( [3] ) [5] [4,2]:int32", "SF102 c"),
    ROW("OUTPUT_RAGGED_RANK=1", "( [3] ) [] [4]:int32", "SF103 b"),
    ROW("OUTPUT_RAGGED_RANK=1", "( [3] ) [5] {0,7}:int32",
        "deferred SF117 c a.0 'indices[1] = 7 is not in [0, 2)' / [3] [?]"),
    ROW("OUTPUT_RAGGED_RANK=2", "( {0,0,2} {0,2} ) [2] {0}:int32", "[2] [?] [?]"),
    ROW("OUTPUT_RAGGED_RANK=2", "( {0,0,3} {0,2} ) [2] {0}:int32",
        "deferred SF129 a b 'Ragged splits must not point past values' / [2] [?] [?]"),
    ROW("OUTPUT_RAGGED_RANK=1", "( {0,0,3} ) [2] {0}:int32",
        "deferred SF129 a b 'Ragged splits must not point past values' / [2] [?]"),
};
SF_OP_TEST(RaggedGather, gather)

#define CROSS                                                                                      \
    "input_order='RD',hashed_output=false,num_buckets=0,hash_key=1,out_values_type=string,"        \
    "out_row_splits_type=int64"
static const SfOpCase cross[] = {
    ROW(CROSS, "( [2]:string ) ( [3]:int64 ) ( ) ( ) ( ) ( [2,4]:string )", "[?]:string [3]"),
    ROW(CROSS, "( [2]:string ) ( ?:int64 ) ( ) ( ) ( ) ( [n,4]:string )", "[?] [n+1]"),
    ROW(CROSS, "( ?:string ) ( ?:int64 ) ( ) ( ) ( ) ( ?:string )", "[?] [?]"),
    ROW(CROSS, "( [2]:string ) ( [3]:int64 ) ( ) ( ) ( ) ( [3,4]:string )",
        "SF101 c 'inputs must all have the same batch dimension size.'"),
    ROW(CROSS, "( [2]:string ) ( [3]:int64 ) ( ) ( ) ( ) ( [2]:string )",
        "SF102 c 'tf.ragged.cross only supports inputs with rank=2'"),
};
SF_OP_TEST(RaggedCross, cross)

static const SfOpCase range[] = {
    ROW("", "{0,2} {3,4} 1", "{0,3,5} {0,1,2,2,3}"),
    ROW("", "[n] [] []", "[n+1] [?]"),
    ROW("", "[] [] []", "[2] [?]"),
    ROW("", "? ? ?", "[?] [?]"),
    ROW("", "[2] [3] []", "SF101 b.0 a.0"),
    ROW("", "[2,1] [2] []", "SF105 a"),
    ROW("@phase=eager", "[2] [3] []",
        "SF101 b.0 a.0 'starts, limits, and deltas must have the same shape'"),
    ROW("", "{0,2} {3,4} 0", "deferred SF127 c 'Requires delta != 0' / {0,0,0} [0]"),
};
SF_OP_TEST(RaggedRange, range)

static const SfOpCase fill_rows[] = {
    ROW("", "{0,2} [2] 4 []", "[4] [4] [4]:bool [2]"),
    ROW("", "[n] [n] [] []", "[?] [?] [?] [n]"),
    ROW("", "? ? ? ?", "[?] [?] [?] [?]"),
    ROW("", "[3] [2] [] []", "SF101 a.0 b.0"),
    ROW("", "[3] [3] [1] []", "SF102 c"),
    ROW("", "{0,7} [2] 4 []",
        "deferred SF117 a c 'indices(1, 0) is invalid: 7 >= 4' / [4] [4] [4] [2]"),
};
SF_OP_TEST(RaggedFillEmptyRows, fill_rows)

static const SfOpCase fill_rows_grad[] = {
    ROW("", "[n] [3]", "[n]:float []"),
    ROW("", "[2] [3]", "[2] []"),
    ROW("", "? ?", "[?] []"),
    ROW("", "[2,1] [3]", "SF102 a"),
    ROW("@phase=eager", "{0,7} [3]",
        "SF117 a b.0 'Elements in reverse index must be in [0, 3) but got 7'"),
};
SF_OP_TEST(RaggedFillEmptyRowsGrad, fill_rows_grad)

Test(ragged, a_variant_holds_values_of_one_dtype)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor variant =
        NET(&n, "RaggedTensorToVariant", "RAGGED_RANK=0,Tsplits=int64,batched_input=true", x);
    const SfTensor same =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=0,output_ragged_rank=1,Tvalues=float,Tsplits=int64", variant);
    const SfTensor other =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=0,output_ragged_rank=1,Tvalues=int32,Tsplits=int64", variant);
    cr_expect_str_eq(net_run(&n, same, &x, "[2,3]"), "[3]");
    const char *said = net_run(&n, other, &x, "[2,3]");
    cr_expect(strstr(said, "Expected values Tensor dtype: int32, found: float"), "%s", said);
    cr_expect_str_eq(net_code(&n), "SF129");
    net_close(&n);
}

Test(ragged, a_variant_holds_as_many_splits_as_the_attrs_say)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor variant =
        NET(&n, "RaggedTensorToVariant", "RAGGED_RANK=0,batched_input=false", x);
    const SfTensor none =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=-1,output_ragged_rank=0,Tvalues=float,Tsplits=int64", variant);
    const SfTensor two =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=-1,output_ragged_rank=2,Tvalues=float,Tsplits=int64", variant);
    cr_expect_str_eq(net_run(&n, none, &x, "[2,3]"), "<unknown>");
    const char *said = net_run(&n, two, &x, "[2,3]");
    cr_expect(strstr(said, "Encoded input RaggedTensorVariant has ragged_rank=0.  Expected "
                           "ragged_rank=2."),
              "%s", said);
    net_close(&n);
}

/* Rows that the outermost splits divide keep none of their own. */
Test(ragged, a_variant_holds_splits_of_one_dtype)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor from = net_int(&n, "int64", 0), to = net_int(&n, "int64", 3);
    const SfTensor splits = NET(&n, "Range", "", from, to, net_int(&n, "int64", 1));
    const SfTensor rows =
        NET(&n, "RaggedTensorToVariant", "RAGGED_RANK=1,batched_input=true", splits, x);
    const SfTensor whole =
        NET(&n, "RaggedTensorToVariant", "RAGGED_RANK=1,batched_input=false", splits, x);
    const SfTensor of_rows =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=0,output_ragged_rank=1,Tvalues=float,Tsplits=int32", rows);
    const SfTensor of_whole =
        NET(&n, "RaggedTensorFromVariant",
            "input_ragged_rank=1,output_ragged_rank=1,Tvalues=float,Tsplits=int32", whole);
    cr_expect_str_eq(net_run(&n, of_rows, &x, "[2,3]"), "[3]");
    const char *said = net_run(&n, of_whole, &x, "[2,3]");
    cr_expect(strstr(said, "Expected row_splits Tensor dtype: int32, found: int64"), "%s", said);
    const SfTensor size = NET(&n, "Shape", "out_type=int32", x);
    const SfTensor back =
        NET(&n, "RaggedTensorToVariantGradient", "Tvalues=float", whole, splits, size);
    const SfTensor doubles =
        NET(&n, "RaggedTensorToVariantGradient", "Tvalues=double", whole, splits, size);
    cr_expect_str_eq(net_run(&n, back, &x, "[2,3]"), "[2,3]");
    said = net_run(&n, doubles, &x, "[2,3]");
    cr_expect(strstr(said, "Type mismatch: actual float vs. expect double"), "%s", said);
    net_close(&n);
}

static const SfOpCase ragged_tensor_to_variant_gradient[] = {
    ROW("Tvalues=float32", "[] {0,4}:int64 {4,2}", "[4,2]"),
    ROW("Tvalues=float32", "[?] {0,4}:int64 {4,2}", "[4,2]"),
    ROW("Tvalues=float32", "? ?:int64 ?", "?"),
    ROW("Tvalues=float32", "[] {0,4}:int64 [2,3]", "SF102 c"),
};
SF_OP_TEST(RaggedTensorToVariantGradient, ragged_tensor_to_variant_gradient)
