/* Rows of accumulators, barriers, staging maps, stacks of references and session handles. */
#include "tests/c/support/op_rows.h"

static const SfOpCase make_ref[] = {ROW("dtype=float,shape=[2,?]", "", "[2]:string_ref")};
SF_OPS_TEST(accumulators, make_ref, "ConditionalAccumulator", "SparseConditionalAccumulator")

static const SfOpCase make_resource[] = {ROW("dtype=float,shape=?", "", "[2]:resource")};
SF_OP_TEST(ResourceConditionalAccumulator, make_resource)

static const SfOpCase apply[] = {
    ROW("", "[2] [] [3,4]", ""),
    ROW("", "[?] [] [3,4]", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[2] [1] [3,4]", "SF102 b"),
};
SF_OP_TEST(ResourceAccumulatorApplyGradient, apply)

static const SfOpCase take[] = {
    ROW("dtype=float", "[2] []", "?:float"),
    ROW("dtype=float", "[?] []", "?"),
    ROW("dtype=float", "? ?", "?"),
    ROW("dtype=float", "[2] [1]", "SF102 b"),
    ROW("dtype=float", "[2] 0",
        "deferred SF129 b 'Argument num_required must be positive, but was 0' / ?"),
};
SF_OP_TEST(ResourceAccumulatorTakeGradient, take)

static const SfOpCase number[] = {
    ROW("", "[2]", "[]:int32"),
    ROW("", "?", "[]"),
    ROW("", "[?]", "[]"),
};
SF_OP_TEST(ResourceAccumulatorNumAccumulated, number)

static const SfOpCase set_step[] = {
    ROW("", "[2] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
    ROW("", "[2] [1]", "SF102 b"),
};
SF_OP_TEST(ResourceAccumulatorSetGlobalStep, set_step)

static const SfOpCase barrier[] = {
    ROW("component_types=[float],shapes=[[2]]", "", "[2]:string_ref"),
    ROW("component_types=[float],shapes=[?]", "", "[2]"),
    ROW("component_types=[float]", "",
        "deferred SF129 @shapes 'All of the component shapes must be specified' / [2]"),
    ROW("component_types=[float],shapes=[[?]]", "",
        "deferred SF129 @shapes 'Shape [?] is not fully defined' / [2]"),
};
SF_OP_TEST(Barrier, barrier)

/* maps and the rest */

static const SfOpCase map_stage[] = {
    ROW("dtypes=[float]", "[] {0} ( [2,3] )", ""),
    ROW("dtypes=[float]", "? ? ( ? )", ""),
    ROW("dtypes=[float]", "[1] {0} ( [2,3] )", ""),
    ROW("dtypes=[float]", "[1,1] {0} ( [2,3] )", ""),
    ROW("dtypes=[float]", "[n] {0} ( [2,3] )", ""),
    ROW("dtypes=[float]", "[2] {0} ( [2,3] )",
        "deferred SF102 a 'key must be an int64 scalar, got tensor with shape: [2]' / "),
    ROW("dtypes=[float]", "[0] {0} ( [2,3] )", "deferred SF106 a 'key must not be empty' / "),
    ROW("dtypes=[float,float]", "[] {1,0} ( [2] [3] )",
        "deferred SF129 b 'Indices are not strictly ordered' / "),
};
SF_OPS_TEST(map_stage, map_stage, "MapStage", "OrderedMapStage")

static const SfOpCase map_take[] = {
    ROW("dtypes=[float,int32]", "[] [2]", "?:float ?:int32"),
    ROW("dtypes=[float,int32]", "[] [?]", "? ?"),
    ROW("dtypes=[float]", "? ?", "?"),
    ROW("dtypes=[float]", "[1] [1]", "deferred SF102 a / ?"),
};
SF_OPS_TEST(map_take, map_take, "MapUnstage", "MapPeek", "OrderedMapUnstage", "OrderedMapPeek")

static const SfOpCase map_any[] = {
    ROW("dtypes=[float]", "[1]", "?:int64 ?:float"),
    ROW("dtypes=[float]", "[?]", "? ?"),
    ROW("dtypes=[float]", "?", "? ?"),
};
SF_OPS_TEST(map_any, map_any, "MapUnstageNoKey", "OrderedMapUnstageNoKey")

static const SfOpCase map_size[] = {ROW("dtypes=[float]", "", "[]:int32")};
SF_OPS_TEST(map_size, map_size, "MapSize", "MapIncompleteSize", "OrderedMapSize",
            "OrderedMapIncompleteSize")

static const SfOpCase get_tensor[] = {
    ROW("dtype=float", "[]", "?:float"),
    ROW("dtype=float", "?", "?"),
    ROW("dtype=float", "[1]", "SF102 a"),
};
SF_OP_TEST(GetSessionTensor, get_tensor)

static const SfOpCase handle[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[?,3]", "[]"),
};
SF_OPS_TEST(session_handles, handle, "GetSessionHandle", "GetSessionHandleV2")

static const SfOpCase records[] = {
    ROW("file_pattern='a'", "", "[32]:string"),
    ROW("file_pattern='a',batch_size=5", "", "[5]"),
};
SF_OP_TEST(RecordInput, records)

static const SfOpCase stage_clear[] = {
    ROW("dtypes=[float32]", "", ""),
};
SF_OPS_TEST(stage_clear_rows, stage_clear, "StageClear", "MapClear", "OrderedMapClear")

static const SfOpCase stack_[] = {
    ROW("elem_type=float", "", "[2]"),
};
SF_OP_TEST(Stack, stack_)

static const SfOpCase stack_push[] = {
    ROW("", "&[2,3] []", "[]"),
    ROW("", "&[?,3] []", "[]"),
    ROW("", "? ?", "?"),
};
SF_OP_TEST(StackPush, stack_push)

static const SfOpCase stack_close[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(StackClose, stack_close)

static const SfOpCase delete_session_tensor[] = {
    ROW("", "[]", ""),
    ROW("", "?", ""),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(DeleteSessionTensor, delete_session_tensor)

static const SfOpCase accumulator_apply_gradient[] = {
    ROW("", "[2] [] [3,4]", ""),
    ROW("", "[?] [] [3,4]", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[2] [2] [3,4]", "SF102 b"),
};
SF_OP_TEST(AccumulatorApplyGradient, accumulator_apply_gradient)

static const SfOpCase accumulator_take_gradient[] = {
    ROW("dtype=float", "[2] []", "?"),
    ROW("dtype=float", "[?] []", "?"),
    ROW("dtype=float", "? ?", "?"),
    ROW("dtype=float", "[2] [2]", "SF102 b"),
};
SF_OP_TEST(AccumulatorTakeGradient, accumulator_take_gradient)

static const SfOpCase accumulator_num_accumulated[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(AccumulatorNumAccumulated, accumulator_num_accumulated)

static const SfOpCase accumulator_set_global_step[] = {
    ROW("", "[2] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
    ROW("", "[2] [2]", "SF102 b"),
};
SF_OP_TEST(AccumulatorSetGlobalStep, accumulator_set_global_step)

static const SfOpCase sparse_accumulator_take_gradient[] = {
    ROW("dtype=float32", "&[2,3] []", "[?] ? [?]"),
    ROW("dtype=float32", "&[?,3] []", "[?] ? [?]"),
    ROW("dtype=float32", "? ?", "[?] ? [?]"),
    ROW("dtype=float32", "&[2,3] [2]", "SF102 b"),
};
SF_OP_TEST(SparseAccumulatorTakeGradient, sparse_accumulator_take_gradient)

static const SfOpCase barrier_insert_many[] = {
    ROW("component_index=1", "[2] [2] [2]", ""),
    ROW("component_index=1", "[?] [2] [2]", ""),
    ROW("component_index=1", "? ? ?", ""),
    ROW("component_index=1", "[3] [2] [2]", "SF106 a.0"),
    ROW("component_index=1", "[2] [3] [2]", "SF107 b.0 c.0"),
    ROW("component_index=1", "[2] [2] [3]", "SF107 b.0 c.0"),
};
SF_OP_TEST(BarrierInsertMany, barrier_insert_many)

static const SfOpCase barrier_take_many[] = {
    ROW("component_types=[float]", "&[2,3] []", "[?] [?] ?"),
    ROW("component_types=[float]", "&[?,3] []", "[?] [?] ?"),
    ROW("component_types=[float]", "? ?", "[?] [?] ?"),
};
SF_OP_TEST(BarrierTakeMany, barrier_take_many)

static const SfOpCase barrier_close[] = {
    ROW("", "[2]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(BarrierClose, barrier_close)

static const SfOpCase barrier_ready_size[] = {
    ROW("", "[2]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OPS_TEST(barrier_ready_size_rows, barrier_ready_size, "BarrierReadySize",
            "BarrierIncompleteSize")

static const SfOpCase sparse_accumulator_apply_gradient[] = {
    ROW("has_known_shape=true", "[2] [] [3] [3,4] [2]", ""),
    ROW("has_known_shape=true", "[?] [] [?] [?,4] [2]", ""),
    ROW("has_known_shape=true", "? ? ? ? ?", ""),
    ROW("has_known_shape=true", "[2] [2] [3] [3,4] [2]", "SF102 b"),
};
SF_OP_TEST(SparseAccumulatorApplyGradient, sparse_accumulator_apply_gradient)
