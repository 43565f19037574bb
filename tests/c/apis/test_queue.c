/* Rows of queues whose owner is not known; test_queue_run.c has those that are. */
#include "tests/c/support/op_rows.h"

static const SfOpCase queue_v2[] = {
    ROW("component_types=[float],shapes=[[2]]", "", "[]:resource"),
    ROW("component_types=[float,int32]", "", "[]:resource"),
    ROW("component_types=[float],shapes=[[2],[]]", "",
        "deferred SF129 @shapes @component_types 'Different number of component types.  Types: "
        "float, "
        "Shapes: [[2], []]' / []"),
};
SF_OPS_TEST(queues_v2, queue_v2, "FIFOQueueV2", "RandomShuffleQueueV2")

static const SfOpCase queue[] = {ROW("component_types=[float]", "", "[2]:string_ref")};
SF_OPS_TEST(queues, queue, "FIFOQueue", "RandomShuffleQueue")

static const SfOpCase padding[] = {
    ROW("component_types=[float],shapes=[[?,2]]", "", "[]:resource"),
    ROW("component_types=[float,int32]", "",
        "deferred SF129 @shapes @component_types 'Shapes must be provided for all components, but "
        "received 2 dtypes and 0 shapes.' / []"),
    ROW("component_types=[float,int32],shapes=[[2],?],@phase=eager", "",
        "SF129 @shapes 'shape <unknown> must have known rank.'"),
    ROW("component_types=[float],shapes=[[2],[]],@phase=eager", "",
        "SF129 @shapes @component_types 'Different number of component types.'"),
};
SF_OP_TEST(PaddingFIFOQueueV2, padding)

static const SfOpCase priority[] = {
    ROW("component_types=[float],shapes=[[2]]", "", "[]:resource"),
    ROW("shapes=[]", "", "[]"),
};
SF_OP_TEST(PriorityQueueV2, priority)

static const SfOpCase enqueue[] = {
    ROW("", "[] ( [2] [3]:int32 )", ""),
    ROW("", "[] ( [?] [3]:int32 )", ""),
    ROW("", "? ( ? )", ""),
    ROW("@phase=run", "[] ( [2] )", ""),
};
SF_OP_TEST(QueueEnqueueV2, enqueue)

static const SfOpCase enqueue_many[] = {
    ROW("", "[] ( [5,2] [4]:int32 )", "deferred SF129 c.0 b.0 / "),
    ROW("", "[] ( [?,2] [4]:int32 )", ""), /* construction does not look */
    ROW("", "[] ( [n,2] [n+1]:int32 )", "deferred SF129 c.0 b.0 'has ?, and should have ?' / "),
    ROW("", "? ( ? )", ""),
    ROW("@phase=run", "[] ( [5,2] [5]:int32 )", ""),
    ROW("@phase=run", "[] ( [5,2] [4]:int32 )",
        "SF129 c.0 b.0 'All input tensors must have the same size in the 0th dimension. Component "
        "1 "
        "has 4, and should have 5'"),
};
SF_OP_TEST(QueueEnqueueManyV2, enqueue_many)

static const SfOpCase dequeue[] = {
    ROW("component_types=[float,int32]", "[]", "?:float ?:int32"),
    ROW("component_types=[float,int32]", "[?]", "? ?"),
    ROW("component_types=[float]", "?", "?"),
};
SF_OP_TEST(QueueDequeueV2, dequeue)

static const SfOpCase dequeue_many[] = {
    ROW("component_types=[float]", "[] 3", "?"),
    ROW("component_types=[float]", "[?] 3", "?"),
    ROW("component_types=[float]", "? ?", "?"),
    ROW("component_types=[float]", "[] -1", "SF128 b 'Input 'n' must be >= 0, but is -1'"),
};
SF_OP_TEST(QueueDequeueManyV2, dequeue_many)

static const SfOpCase dequeue_up_to[] = {
    ROW("component_types=[float]", "[] 3", "?"),
    ROW("component_types=[float]", "[?] 3", "?"),
    ROW("component_types=[float]", "? ?", "?"),
};
SF_OP_TEST(QueueDequeueUpToV2, dequeue_up_to)

static const SfOpCase size[] = {
    ROW("", "[]", "[]:int32"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(QueueSizeV2, size)

static const SfOpCase closed[] = {
    ROW("", "[]", "[]:bool"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(QueueIsClosedV2, closed)

static const SfOpCase close[] = {
    ROW("cancel_pending_enqueues=true", "[]", ""),
    ROW("cancel_pending_enqueues=true", "[?]", ""),
    ROW("", "?", ""),
};
SF_OP_TEST(QueueCloseV2, close)

static const SfOpCase fake[] = {
    ROW("", "[]", "[2]:string_ref"),
    ROW("", "[?]", "[2]"),
    ROW("", "?", "[2]"),
};
SF_OP_TEST(FakeQueue, fake)

static const SfOpCase stage[] = {
    ROW("", "( [2] [3]:int32 )", ""),
    ROW("", "( [?] [3]:int32 )", ""),
    ROW("", "( ? )", ""),
};
SF_OP_TEST(Stage, stage)

static const SfOpCase unstage[] = {ROW("dtypes=[float,int32]", "", "?:float ?:int32")};
SF_OP_TEST(Unstage, unstage)

static const SfOpCase stage_size[] = {ROW("dtypes=[float]", "", "[]:int32")};
SF_OP_TEST(StageSize, stage_size)

static const SfOpCase padding_fifo_queue[] = {
    ROW("component_types=[float],shapes=[[2]]", "", "[2]"),
};
SF_OPS_TEST(padding_fifo_queue_rows, padding_fifo_queue, "PaddingFIFOQueue", "PriorityQueue")

static const SfOpCase queue_enqueue[] = {
    ROW("", "[] ( [2] [3]:int32 )", ""),
    ROW("", "[] ( [?] [3]:int32 )", ""),
    ROW("", "? ( ? ?:int32 )", ""),
};
SF_OP_TEST(QueueEnqueue, queue_enqueue)

static const SfOpCase queue_enqueue_many[] = {
    ROW("", "&[2,3] ( [] )", ""),
    ROW("", "&[?,3] ( [] )", ""),
    ROW("", "? ( ? )", ""),
};
SF_OP_TEST(QueueEnqueueMany, queue_enqueue_many)

static const SfOpCase queue_dequeue[] = {
    ROW("component_types=[float,int32]", "[]", "? ?"),
    ROW("component_types=[float,int32]", "[?]", "? ?"),
    ROW("component_types=[float,int32]", "?", "? ?"),
};
SF_OP_TEST(QueueDequeue, queue_dequeue)

static const SfOpCase queue_dequeue_many[] = {
    ROW("component_types=[float]", "[] 3", "?"),
    ROW("component_types=[float]", "[?] 3", "?"),
    ROW("component_types=[float]", "? ?", "?"),
};
SF_OPS_TEST(queue_dequeue_many_rows, queue_dequeue_many, "QueueDequeueMany", "QueueDequeueUpTo")

static const SfOpCase queue_close[] = {
    ROW("cancel_pending_enqueues=true", "[2]", ""),
    ROW("cancel_pending_enqueues=true", "[?]", ""),
    ROW("cancel_pending_enqueues=true", "?", ""),
};
SF_OP_TEST(QueueClose, queue_close)

static const SfOpCase queue_size[] = {
    ROW("", "[2]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(QueueSize, queue_size)

/* These two alone look at a reference. */
static const SfOpCase reference[] = {
    ROW("", "[]", "SF102 a"),
    ROW("", "[3]", "SF106 a.0"),
    ROW("", "[1,2]", "SF102 a"),
};
SF_OPS_TEST(queue_reference, reference, "QueueClose", "QueueSize")

static const SfOpCase number_of_reference[] = {
    ROW("component_types=[float]", "[2] -1",
        "deferred SF129 b 'DequeueManyOp requested -1 < 0 elements' / ?"),
};
SF_OP_TEST(QueueDequeueMany, number_of_reference)

static const SfOpCase queue_is_closed[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(QueueIsClosed, queue_is_closed)
