/* Rows of what goes with data sets: apis/ops/data/dataset_handle.c.
 * Construction as TensorFlow 2.21 does it; what kernels want of values is in test_dataset.c. */
#include "tests/c/support/op_rows.h"

#define OF "output_types=[int64],output_shapes=[[]]"

static const SfOpCase anonymous_memory_cache[] = {
    ROW("", "", "[] []"),
};
SF_OP_TEST(AnonymousMemoryCache, anonymous_memory_cache)

static const SfOpCase anonymous_multi_device_iterator[] = {
    ROW("devices=['a']," OF, "", "[] []"),
};
SF_OP_TEST(AnonymousMultiDeviceIterator, anonymous_multi_device_iterator)

static const SfOpCase anonymous_multi_device_iterator_v3[] = {
    ROW("devices=['a']," OF, "", "[]"),
};
SF_OP_TEST(AnonymousMultiDeviceIteratorV3, anonymous_multi_device_iterator_v3)

static const SfOpCase anonymous_random_seed_generator[] = {
    ROW("", "[] []", "[] []"),
    ROW("", "[?] []", "deferred SF102 a / [] []"), /* only the kernel looks */
    ROW("", "? ?", "[] []"),
};
SF_OP_TEST(AnonymousRandomSeedGenerator, anonymous_random_seed_generator)

static const SfOpCase anonymous_seed_generator[] = {
    ROW("", "[] [] []", "[] []"),
    ROW("", "[?] [] []", "deferred SF102 a / [] []"),
    ROW("", "? ? ?", "[] []"),
};
SF_OP_TEST(AnonymousSeedGenerator, anonymous_seed_generator)

static const SfOpCase compute_batch_size[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OPS_TEST(compute_batch_size_rows, compute_batch_size, "ComputeBatchSize",
            "ExperimentalIteratorGetDevice", "ExperimentalStatsAggregatorSummary", "GetOptions",
            "IteratorGetDevice", "IteratorGetModelProto", "MultiDeviceIteratorToStringHandle",
            "OptionalHasValue", "StatsAggregatorSummary", "WorkerHeartbeat")

static const SfOpCase delete_memory_cache[] = {
    ROW("", "[] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
};
SF_OPS_TEST(delete_memory_cache_rows, delete_memory_cache, "DeleteMemoryCache",
            "DeleteRandomSeedGenerator", "DeleteSeedGenerator", "StatsAggregatorSetSummaryWriter")

static const SfOpCase delete_multi_device_iterator[] = {
    ROW("", "[] ( [] ) []", ""),
    ROW("", "[?] ( [] ) []", ""),
    ROW("", "? ( ? ) ?", ""),
};
SF_OP_TEST(DeleteMultiDeviceIterator, delete_multi_device_iterator)

static const SfOpCase dummy_iteration_counter[] = {
    ROW("", "", "[]"),
};
SF_OPS_TEST(dummy_iteration_counter_rows, dummy_iteration_counter, "DummyIterationCounter",
            "DummyMemoryCache", "DummySeedGenerator", "ExperimentalStatsAggregatorHandle",
            "OptionalNone", "StatsAggregatorHandle", "StatsAggregatorHandleV2")

static const SfOpCase thread_pool_handle[] = {
    ROW("num_threads=1,display_name='a'", "", "[]"),
};
SF_OPS_TEST(thread_pool_handle_rows, thread_pool_handle, "ExperimentalThreadPoolHandle",
            "ThreadPoolHandle")

static const SfOpCase get_element_at_index[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "[] [?]", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[2] []", "SF102 a"),
};
SF_OP_TEST(GetElementAtIndex, get_element_at_index)

static const SfOpCase multi_device_iterator[] = {
    ROW("devices=['a'],shared_name='a',container='a'," OF, "", "[]"),
};
SF_OP_TEST(MultiDeviceIterator, multi_device_iterator)

static const SfOpCase multi_device_iterator_get_next_from_shard[] = {
    ROW(OF, "[] [] []", "[]"),
    ROW(OF, "[] [?] []", "[]"),
    ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[2] [] []", "SF102 a"),
};
SF_OP_TEST(MultiDeviceIteratorGetNextFromShard, multi_device_iterator_get_next_from_shard)

static const SfOpCase multi_device_iterator_init[] = {
    ROW("", "[] [] []", "[]"),
    ROW("", "[?] [] []", "[]"),
    ROW("", "? ? ?", "[]"),
};
SF_OP_TEST(MultiDeviceIteratorInit, multi_device_iterator_init)

static const SfOpCase uncompress_element[] = {
    ROW(OF, "[]", "[]"),
    ROW(OF, "?", "[]"),
    ROW(OF, "[2]", "SF102 a"),
};
SF_OP_TEST(UncompressElement, uncompress_element)

static const SfOpCase window_op[] = {
    ROW(OF, "( [] )", "[]"),
    ROW(OF, "( [?] )", "[]"),
    ROW(OF, "( ? )", "[]"),
};
SF_OP_TEST(WindowOp, window_op)

static const SfOpCase one_shot_iterator[] = {
    ROW("dataset_factory=f," OF, "", "[]"),
};
SF_OP_TEST(OneShotIterator, one_shot_iterator)

static const SfOpCase anonymous_iterator[] = {
    ROW("output_types=[int32,int32],output_shapes=[[1],[5]]", "", "[]"),
};
SF_OPS_TEST(anonymous_iterator_rows, anonymous_iterator, "AnonymousIterator", "AnonymousIteratorV3")

static const SfOpCase anonymous_iterator_v2[] = {
    ROW("output_types=[int32,int32],output_shapes=[[1],[5]]", "", "[] []"),
};
SF_OP_TEST(AnonymousIteratorV2, anonymous_iterator_v2)

static const SfOpCase iterator_get_next_as_optional[] = {
    ROW(OF, "( [] )", "[]"),
    ROW(OF, "( [?] )", "[]"),
    ROW(OF, "( ? )", "[]"),
};
SF_OP_TEST(IteratorGetNextAsOptional, iterator_get_next_as_optional)

static const SfOpCase delete_iterator[] = {
    ROW("", "[] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
};
SF_OPS_TEST(delete_iterator_rows, delete_iterator, "DeleteIterator", "DeserializeIterator")

static const SfOpCase iterator_to_string_handle[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(IteratorToStringHandle, iterator_to_string_handle)

static const SfOpCase iterator_from_string_handle[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OPS_TEST(iterator_from_string_handle_rows, iterator_from_string_handle,
            "IteratorFromStringHandle", "IteratorFromStringHandleV2")

static const SfOpCase serialize_iterator[] = {
    ROW("", "[]", "[?]"),
    ROW("", "[?]", "[?]"),
    ROW("", "?", "[?]"),
};
SF_OP_TEST(SerializeIterator, serialize_iterator)
