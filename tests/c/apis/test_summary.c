/* Rows of summaries; the kernels' words asked of TensorFlow 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase scalar[] = {
    ROW("", "'loss' []", "[]:string"),
    ROW("", "[?] [?]", "[]"),
    ROW("", "'loss' [2]",
        "deferred SF129 b a 'tags and values' / []"), /* only the kernel compares */
    ROW("", "? ?", "[]"),
    ROW("", "'loss' !", "!"),
    ROW(RUN, "'loss' []", "[]"),
    ROW(RUN, "[3] [3]", "[]"),
    ROW(RUN, "'loss' [2]",
        "SF129 b a 'tags and values not the same shape: [] != [2] (tag 'loss')'"),
    ROW(RUN, "[1] []", "SF129 b a 'tags and values not the same shape: [1] != []'"),
    ROW(RUN "@version=2.21", "[2] [3]",
        "SF129 b a 'tags and values are not the same shape: [2] != [3]'"),
};
SF_OP_TEST(ScalarSummary, scalar)

static const SfOpCase histogram[] = {
    ROW("", "'w' [2,3]", "[]:string"),
    ROW("", "'w' [?,3]", "[]"),
    ROW("", "? ?", "[]"),
    ROW(RUN, "[2] [3]", "SF129 a 'tags must be scalar'"),
};
SF_OP_TEST(HistogramSummary, histogram)

static const SfOpCase image[] = {
    ROW("", "'i' [2,28,28,1]", "[]:string"),
    ROW("max_images=1", "'i' [2,28,28,3]:uint8", "[]"),
    ROW("", "? ?", "[]"),
    ROW(RUN, "'i' [n,28,28,4]", "[]"),
    ROW(RUN, "'i' [2,3,3,2]",
        "SF129 b.3 'Tensor must be 4-D with last dim 1, 3, or 4, not [2,3,3,2]'"),
    ROW(RUN, "'i' [2,28,28]",
        "SF129 b 'Tensor must be 4-D with last dim 1, 3, or 4, not [2,28,28]'"),
    ROW(RUN, "[1] [2,3,3,1]", "SF129 a 'Tags must be a scalar'"),
};
SF_OP_TEST(ImageSummary, image)

static const SfOpCase audio[] = {
    ROW("", "'a' [2,100] []", "[]:string"),
    ROW("", "'a' [?,100] []", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW(RUN, "'a' [3] []", "SF129 b 'Tensor must be 3-D or 2-D, got: [3]'"),
    ROW(RUN, "[2] [3,1] []", "SF129 a 'Tag must be a scalar'"),
};
SF_OP_TEST(AudioSummaryV2, audio)

static const SfOpCase audio_v1[] = {
    ROW("sample_rate=44100.0", "'a' [2,100,2]", "[]:string"),
    ROW("sample_rate=44100.0", "'a' [?,100,2]", "[]"),
    ROW("sample_rate=44100.0", "? ?", "[]"),
    ROW(RUN "sample_rate=44100.0", "'a' []", "SF129 b"),
};
SF_OP_TEST(AudioSummary, audio_v1)

static const SfOpCase tensor_v2[] = {
    ROW("", "'t' [2,3] []", "[]:string"),
    ROW("", "'t' [?,3] []", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW(RUN, "[2] [2] []", "SF129 a 'tag must be scalar'"),
};
SF_OP_TEST(TensorSummaryV2, tensor_v2)

static const SfOpCase tensor[] = {
    ROW("", "[2,3]", "[]:string"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(TensorSummary, tensor)

static const SfOpCase merge[] = {
    ROW("", "[] [] []", "[]:string"),
    ROW("", "? [2]", "[]"),
};
SF_OP_TEST(MergeSummary, merge)

static const SfOpCase writer[] = {
    ROW("", "", "[]:resource"),
};
SF_OP_TEST(SummaryWriter, writer)

static const SfOpCase write_scalar[] = {
    ROW("", "[] [] 'loss' []", ""),
    ROW("", "[?] [] 'loss' []", ""),
    ROW("", "? ? ? ?", ""),
};
SF_OP_TEST(WriteScalarSummary, write_scalar)

#define NEW "@version=2.21,@phase=run,"

static const SfOpCase merge_kernel[] = {
    ROW("", "( '' {'',''} )", "[]"),
    ROW("", "( [?] {'',''} )", "[]"),
    ROW("", "( ? )", "[]"),
    ROW("", "( 'x' )", "deferred SF129 a 'Could not parse one of the summary inputs' / []"),
};
SF_OP_TEST(MergeSummary, merge_kernel)

static const SfOpCase audio_kernel[] = {
    ROW("", "'a' [2,3,0] 8.0", "deferred SF129 b.2 'num_channels' / []"),
    ROW("", "'a' [2,3] 0.0", "deferred SF129 c 'sample_rate must be > 0' / []"),
};
SF_OP_TEST(AudioSummaryV2, audio_kernel)

static const SfOpCase tensor_kernel[] = {
    ROW("", "'t' [2] [2]", "deferred SF129 c 'serialized_summary_metadata must be scalar' / []"),
};
SF_OP_TEST(TensorSummaryV2, tensor_kernel)

static const SfOpCase create_writer[] = {
    ROW("", "[] 'd' 1 1 'x'", ""),
    ROW("", "[?] 'd' 1 1 'x'", ""),
    ROW("", "? ? ? ? ?", ""),
    ROW("", "[] 'd' [1] 1 'x'", "deferred SF129 c 'max_queue must be a scalar' /"),
};
SF_OP_TEST(CreateSummaryFileWriter, create_writer)

static const SfOpCase write_image[] = {
    ROW("", "[] 1 'i' [2,3,3,1] [4]", ""),
    ROW("", "[] 1 'i' [?,3,3,1] [4]", ""),
    ROW("", "[] 1 'i' ? ?", ""),
    ROW("", "[] 1 'i' [2,3,3] [4]", "deferred SF129 d 'Tensor must be 4-D' /"),
    ROW("", "[] 1 'i' [2,3,3,3] [1]",
        "deferred SF129 d.3 e.0 'expected depth <= bad_color.size' /"),
    ROW("", "[] 1 'i' [2,3,3,3]:uint8 [1]", ""),
    ROW(NEW, "[] 1 'i' [2,3,3,3] [1,4]", "SF129 e 'bad_color must be a vector, got shape [1,4]'"),
};
SF_OP_TEST(WriteImageSummary, write_image)

static const SfOpCase write_audio[] = {
    ROW("", "[] 1 'a' [2,3] 8.0", ""),
    ROW("", "[] 1 'a' [?,3] 8.0", ""),
    ROW("", "[] 1 'a' ? ?", ""),
    ROW("", "[] 1 'a' [2] 8.0", "deferred SF129 d 'Tensor must be 3-D or 2-D' /"),
};
SF_OP_TEST(WriteAudioSummary, write_audio)

static const SfOpCase write_raw[] = {
    ROW("", "[] 1 ''", ""),
    ROW("", "[?] 1 ''", ""),
    ROW("", "[] ? ?", ""),
    ROW("", "[] [1] ''", "deferred SF129 b 'step must be scalar, got shape [1]' /"),
};
SF_OP_TEST(WriteRawProtoSummary, write_raw)

static const SfOpCase create_summary_db_writer[] = {
    ROW("", "[] 'a' 'b' 'c' 'd'", ""),
    ROW("", "[?] 'a' 'b' 'c' 'd'", ""),
    ROW("", "? ? ? ? ?", ""),
};
SF_OP_TEST(CreateSummaryDbWriter, create_summary_db_writer)

static const SfOpCase flush_summary_writer[] = {
    ROW("", "[]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
};
SF_OPS_TEST(flush_summary_writer_rows, flush_summary_writer, "FlushSummaryWriter",
            "CloseSummaryWriter")

static const SfOpCase write_summary[] = {
    ROW("", "[] 3 [] 'a' ''", ""),
    ROW("", "[?] 3 [] 'a' ''", ""),
    ROW("", "? ? ? ? ?", ""),
};
SF_OP_TEST(WriteSummary, write_summary)

static const SfOpCase write_histogram_summary[] = {
    ROW("", "[] [] 'loss' []", ""),
    ROW("", "[?] [] 'loss' []", ""),
    ROW("", "? ? ? ?", ""),
};
SF_OP_TEST(WriteHistogramSummary, write_histogram_summary)

static const SfOpCase write_graph_summary[] = {
    ROW("", "[] [] []", ""),
    ROW("", "[?] [] []", ""),
    ROW("", "? ? ?", ""),
};
SF_OP_TEST(WriteGraphSummary, write_graph_summary)

static const SfOpCase import_event[] = {
    ROW("", "[] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
};
SF_OP_TEST(ImportEvent, import_event)
