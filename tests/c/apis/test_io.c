/* Rows of checkpoints, files and readers; expectations asked of TensorFlow 1.15. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase save_v2[] = {
    ROW("", "'f' {'a','b'} {'',''} ( [2] [3,4]:int32 )", ""),
    ROW("", "? ? ? ( ? )", ""),
    ROW("", "'f' [2] [2] ( [2] )", "SF106 b.0 'Dimension must be 1 but is 2'"),
    ROW("", "'f' [1] [2] ( [2] )", "SF106 c.0"),
    ROW("", "[1] [1] [1] ( [2] )", "SF102 a"),
    ROW("", "'f' [] [1] ( [2] )", "SF102 b"),
    ROW("", "'f' {'a'} {'3 4 -:-'} ( [2] )",
        "deferred SF129 c d 'Slice in shape_and_slice specification does not match' /"),
    ROW("", "'f' {'a'} {'3 4 0,2:-'} ( [2,?] )", ""),
    ROW("", "'f' {'a'} {'x'} ( [2] )", "deferred SF128 c 'Need least two elements' /"),
    ROW(RUN, "'f' {'a'} {'3 4 -'} ( [2] )",
        "SF133 c 'Mismatching ranks: shape = [3,4], slice = -'"),
};
SF_OPS_TEST(save_slices, save_v2, "SaveV2", "SaveSlices")

static const SfOpCase save_v2_kernel[] = {
    ROW("", "'f' {'a','a'} {'',''} ( [2] [3] )", "deferred SF129 b 'Adding duplicate key: a' /"),
    ROW(RUN, "'f' [2] [2] ( [2] )", "SF129 b 'Got 2 tensor names but 1 tensors.'"),
    ROW(RUN, "'f' [2] [1] ( [2] )", "SF129 b c 'have different number of elements: 2 vs. 1'"),
    ROW(RUN, "[2] [1] [1] ( [2] )", "SF129 a 'Input prefix should have a single element, got 2'"),
    ROW(RUN, "'f' [] [] ( [2] )", "SF129 b c 'should be an 1-D tensors, got [] and [] instead.'"),
};
SF_OP_TEST(SaveV2, save_v2_kernel)

static const SfOpCase save_slices_kernel[] = {
    ROW(RUN, "'f' [2] [2] ( [2] )", "SF129 b 'Expected totally 5 inputs'"),
    ROW(RUN, "'f' [2] [1] ( [2] )",
        "SF129 c b 'Expected 2 elements for the tensor shapes and slices'"),
};
SF_OP_TEST(SaveSlices, save_slices_kernel)

static const SfOpCase save[] = {
    ROW("", "'f' {'a'} ( [2] )", ""),
    ROW("", "'f' {'a'} ( [?] )", ""),
    ROW("", "? ? ( ? ? )", ""),
    ROW("", "'f' {'a','b'} ( [2] )", "SF106 b.0"),
    ROW(RUN, "{'f'} {{'a'}} ( [2] )", ""),
    ROW(RUN, "[2] {'a'} ( [2] )", "SF129 a 'must be a string scalar; got a tensor of 2elements'"),
    ROW(RUN, "'f' {'a','b'} ( [2] )",
        "SF129 b 'Expected totally 4 inputs as input #1 (which is a string tensor of saved names) "
        "contains 2 names, but received 3 inputs'"),
};
SF_OP_TEST(Save, save)

static const SfOpCase restore_v2[] = {
    ROW("dtypes=[float]", "'f' {'a'} {''}", "?:float"),
    ROW("dtypes=[float]", "'f' [?] {''}", "?"),
    ROW("dtypes=[float,int32]", "'f' {'a','b'} {'3 4 0,2:-','2 -'}", "[2,4]:float [2]:int32"),
    ROW("dtypes=[float]", "? ? ?", "?"),
    ROW("dtypes=[float]", "'f' {'a'} {'3 4'}",
        "SF128 c 'Expected a pair of numbers or '-' but got '4': string = 4'"),
    ROW("dtypes=[float]", "'f' {'a'} {'3 4 0,7:-'}",
        "SF133 c 'Extent in dimension 0 out of bounds: shape = [3,4], slice = 0,7:-'"),
    ROW("dtypes=[float]", "'f' {'a'} {'3 4 -'}", "SF133 c 'Mismatching ranks'"),
    ROW("dtypes=[float]", "'f' {'a'} {'3 x -:-'}", "SF128 c 'Non numerical dimension'"),
    ROW("dtypes=[float]", "'f' {'a'} {'3 4 0,0:-'}", "SF128 c 'positive length'"),
    ROW("dtypes=[float]", "'f' {'a'} {'x'}", "SF128 c 'Need least two elements'"),
    ROW(RUN "dtypes=[float]", "'f' [2] [2]",
        "SF129 b @dtypes 'Got 2 tensor names, but 1 expected'"),
    ROW(RUN "dtypes=[float]", "[2] [1] [1]", "SF129 a"),
    ROW(RUN "dtypes=[float]", "{'f'} [1] [1]", "?"),
    ROW("dtypes=[float]", "'f' [2] [1]", "SF107 b.0 c.0"),
    ROW("dtypes=[float]", "[1] [1] [1]", "SF102 a"),
    ROW("dtypes=[float]", "'f' {'a','b'} {'',''}",
        "SF128 c.0 @dtypes 'The number of shape_and_slice doesn't match tensor outputs.'"),
};
SF_OP_TEST(RestoreV2, restore_v2)

static const SfOpCase restore[] = {
    ROW("dt=float", "'f' 'a'", "?:float"),
    ROW("dt=int32", "? ?", "?:int32"),
    ROW("dt=float", "[1] 'a'", "SF102 a"),
    ROW("dt=float", "'f' [1]", "SF102 b"),
    ROW(RUN "dt=float", "{'f'} [1]", "?"),
    ROW(RUN "dt=float", "[2] 'a'", "SF129 a 'Input 0 (file_pattern) must be a string scalar'"),
};
SF_OP_TEST(Restore, restore)

static const SfOpCase restore_slice[] = {
    ROW("dt=float", "'f' 'a' '3 4 0,2:-'", "[2,4]:float"),
    ROW("dt=float", "'f' 'a' '3 4 -:1,3'", "[3,3]"),
    ROW("dt=float", "'f' 'a' ''", "?"),
    ROW("dt=float", "? ? ?", "?"),
    ROW("dt=float", "'f' 'a' [1]", "SF102 c"),
    ROW("dt=float,preferred_shard=-1,@phase=eager", "'f' 'a' '3 4 -:1,3'", "[3,3]"),
    ROW("dt=float,preferred_shard=-2,@phase=eager", "'f' 'a' ''",
        "SF129 @preferred_shard 'must be greater or equal to -1'"),
};
SF_OP_TEST(RestoreSlice, restore_slice)

static const SfOpCase merge_checkpoints[] = {
    ROW("", "[2] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
    ROW("", "[] []", "SF102 a"),
    ROW("", "[2] [1]", "SF102 b"),
    ROW("", "[0] []", "deferred SF129 a 'At least one prefix checkpoint file must exist' /"),
    ROW(RUN, "[] []", "SF129 a 'should be an 1-D tensor, got [] instead.'"),
    ROW(RUN, "[2] [1]", "SF129 b 'should be a scalar tensor, got [1] instead.'"),
};
SF_OP_TEST(MergeV2Checkpoints, merge_checkpoints)

static const SfOpCase sharded[] = {
    ROW("", "'f' 1 2", "[]:string"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[1] [] []", "SF102 a"),
    ROW("", "[] [] [2]", "SF102 c"),
};
SF_OP_TEST(ShardedFilename, sharded)

static const SfOpCase filespec[] = {
    ROW("", "'f' 2", "[]:string"),
    ROW("", "? ?", "[]"),
    ROW("", "[] [1]", "SF102 b"),
};
SF_OP_TEST(ShardedFilespec, filespec)

static const SfOpCase read_file[] = {
    ROW("", "'f'", "[]:string"),
    ROW("", "?", "[]"),
    ROW("", "[1]", "SF102 a"),
    ROW(RUN, "[1]", "SF102 a 'Input filename tensor must be scalar, but had shape: [1]'"),
};
SF_OP_TEST(ReadFile, read_file)

static const SfOpCase write_file[] = {
    ROW("", "'f' 'x'", ""),
    ROW("", "? ?", ""),
    ROW("", "[] [1]", "SF102 b"),
};
SF_OP_TEST(WriteFile, write_file)

static const SfOpCase matching_files[] = {
    ROW("", "'f*'", "[?]:string"), ROW("", "[?]", "[?]"),       ROW("", "[3]", "[?]"),
    ROW("", "?", "[?]"),           ROW("", "[3,3]", "SF105 a"),
};
SF_OP_TEST(MatchingFiles, matching_files)

/* readers */

static const SfOpCase reader_v2[] = {ROW("", "", "[]:resource")};
SF_OPS_TEST(readers_v2, reader_v2, "TFRecordReaderV2", "TextLineReaderV2", "WholeFileReaderV2",
            "IdentityReaderV2")

static const SfOpCase fixed_v2[] = {ROW("record_bytes=3", "", "[]:resource")};
SF_OP_TEST(FixedLengthRecordReaderV2, fixed_v2)

static const SfOpCase reader[] = {ROW("", "", "[2]:string_ref")};
SF_OPS_TEST(readers, reader, "TFRecordReader", "TextLineReader", "WholeFileReader",
            "IdentityReader", "LMDBReader")

static const SfOpCase read_v2[] = {
    ROW("", "[] []", "[]:string []:string"),
    ROW("", "? ?", "[] []"),
    ROW("", "[1] []", "SF102 a"),
};
SF_OP_TEST(ReaderReadV2, read_v2)

static const SfOpCase read[] = {
    ROW("", "[2] [2]", "[]:string []:string"),
    ROW("", "[?] [2]", "[] []"),
    ROW("", "? ?", "[] []"),
    ROW("", "[] [2]", "SF102 a"),
    ROW("", "[2] [3]", "SF106 b.0"),
};
SF_OP_TEST(ReaderRead, read)

static const SfOpCase read_up_to[] = {
    ROW("", "[] [] 10", "[?]:string [?]:string"),
    ROW("", "? ? ?", "[?] [?]"),
    ROW("", "[] [] [1]", "SF102 c"),
};
SF_OP_TEST(ReaderReadUpToV2, read_up_to)

static const SfOpCase produced[] = {
    ROW("", "[]", "[]:int64"),
    ROW("", "?", "[]"),
    ROW("", "[2]", "SF102 a"),
};
SF_OPS_TEST(reader_counts, produced, "ReaderNumRecordsProducedV2", "ReaderNumWorkUnitsCompletedV2")

static const SfOpCase restore_state[] = {
    ROW("", "[] []", ""),
    ROW("", "? ?", ""),
    ROW("", "[] [1]", "SF102 b"),
};
SF_OP_TEST(ReaderRestoreStateV2, restore_state)

/* iterators */

static const SfOpCase iterator[] = {
    ROW("shared_name='',container='',output_types=[float],output_shapes=[[2]]", "", "[]:resource"),
};
SF_OPS_TEST(iterators, iterator, "Iterator", "IteratorV2")

static const SfOpCase get_next[] = {
    ROW("output_types=[float,int32],output_shapes=[[2,?],[]]", "[]", "[2,?]:float []:int32"),
    ROW("output_types=[float],output_shapes=[?]", "?", "?:float"),
    ROW("output_types=[float,int32],output_shapes=[[2]]", "[]",
        "SF128 @output_shapes @output_types '`output_shapes` must be the same length as "
        "`output_types` (1 vs. 2'"),
    ROW("output_types=[float],output_shapes=[[2]]", "[2]", "SF102 a"),
};
SF_OPS_TEST(get_next, get_next, "IteratorGetNext", "IteratorGetNextSync")

static const SfOpCase make_iterator[] = {
    ROW("", "[] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
};
SF_OP_TEST(MakeIterator, make_iterator)

static const SfOpCase configuration[] = {
    ROW("", "'s' 'k' 'v'", ""),
    ROW("", "? ? ?", ""),
    ROW("", "'s' [1] 'v'", "deferred SF129 b 'key must be scalar, got shape [1]' /"),
};
SF_OP_TEST(FileSystemSetConfiguration, configuration)

static const SfOpCase fixed_reader[] = {
    ROW("record_bytes=4", "", "[]"),
    ROW("record_bytes=-1", "",
        "deferred SF129 @record_bytes 'record_bytes must be >= 0 not -1' / []"),
};
SF_OP_TEST(FixedLengthRecordReaderV2, fixed_reader)

static const SfOpCase line_reader[] = {
    ROW("skip_header_lines=-1", "", "deferred SF129 @skip_header_lines / []"),
};
SF_OP_TEST(TextLineReaderV2, line_reader)

static const SfOpCase restore_state_kernel[] = {
    ROW("", "[] ''", ""),
    ROW("", "? ?", ""),
    ROW("", "[] 'x'", "deferred SF129 b a 'Could not parse state for reader' /"),
    ROW(RUN, "[] [1]", "SF129 b 'Reader state must be scalar, but had shape: [1]'"),
};
SF_OP_TEST(ReaderRestoreStateV2, restore_state_kernel)

#define REMAP "num_rows=2,num_cols=2,"
static const SfOpCase remap_kernel[] = {
    ROW(REMAP, "'p' 't' {0,-1}:int64 {} [2]", "[2,2]"),
    ROW(REMAP, "'p' 't' [?]:int64 ? [?]", "[2,2]"),
    ROW(REMAP, "'p' 't' {0,1}:int64 {} [1]",
        "deferred SF129 e 'only 0 elements were used' / [2,2]"),
    ROW(RUN REMAP, "'p' 't' {0,-1}:int64 {} [1]", "SF129 e 'more missing values remain.'"),
    ROW(RUN REMAP, "'p' 't' [1,2]:int64 {} [0]",
        "SF129 c 'must be 1-D, got a tensor of shape [1,2]'"),
};
SF_OP_TEST(LoadAndRemapMatrix, remap_kernel)

#define GENERATE_VOCAB_REMAPPING_ATTRS "new_vocab_offset=1,num_new_vocab=1,old_vocab_size=1"
static const SfOpCase generate_vocab_remapping[] = {
    ROW(GENERATE_VOCAB_REMAPPING_ATTRS, "'text' 'text'", "[1] []"),
    ROW(GENERATE_VOCAB_REMAPPING_ATTRS, "? ?", "[1] []"),
    ROW(GENERATE_VOCAB_REMAPPING_ATTRS, "[2] 'text'", "SF102 a"),
    ROW(GENERATE_VOCAB_REMAPPING_ATTRS, "'text' [2]", "SF102 b"),
};
SF_OP_TEST(GenerateVocabRemapping, generate_vocab_remapping)

static const SfOpCase distributed_save[] = {
    ROW("", "[] [] []", ""),
    ROW("", "[?] [] []", ""),
    ROW("", "? ? ?", ""),
};
SF_OP_TEST(DistributedSave, distributed_save)

static const SfOpCase fixed_length_record_reader[] = {
    ROW("header_bytes=1,record_bytes=4", "", "[2]"),
};
SF_OP_TEST(FixedLengthRecordReader, fixed_length_record_reader)

static const SfOpCase reader_num_records_produced[] = {
    ROW("", "[2]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OPS_TEST(reader_num_records_produced_rows, reader_num_records_produced,
            "ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted", "ReaderSerializeState")

static const SfOpCase reader_serialize_state_v2[] = {
    ROW("", "[]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(ReaderSerializeStateV2, reader_serialize_state_v2)

static const SfOpCase reader_restore_state[] = {
    ROW("", "[2] []", ""),          ROW("", "[?] []", ""),         ROW("", "? ?", ""),
    ROW("", "[3] []", "SF106 a.0"), ROW("", "[2] [2]", "SF102 b"),
};
SF_OP_TEST(ReaderRestoreState, reader_restore_state)

static const SfOpCase reader_reset[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(ReaderReset, reader_reset)

static const SfOpCase reader_reset_v2[] = {
    ROW("", "[]", ""),
    ROW("", "?", ""),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(ReaderResetV2, reader_reset_v2)

static const SfOpCase reader_read_up_to[] = {
    ROW("", "[2] [2] 3", "[?] [?]"),
    ROW("", "[?] [2] []", "[?] [?]"),
    ROW("", "? ? ?", "[?] [?]"),
    ROW("", "[2] [2] [3]", "SF102 c"),
};
SF_OP_TEST(ReaderReadUpTo, reader_read_up_to)
