/* Queues: each component has a dtype and, when declared, a shape. Source: data_flow_ops.cc,
 * queue_base.cc, fifo_queue.cc, padding_fifo_queue.cc, priority_queue.cc. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "core/graph/graph.h"

/* Variants of a queue, and TensorFlow's classes. */
enum { FIRST_IN, PADDED, SHUFFLING, BY_PRIORITY };
static const char *const classes[] = {"FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue",
                                      "PriorityQueue"};

static SfStatus infer_queue(SfInfer *c);

/* what a handle stands for */

typedef struct Queue {
    const SfNode *owner; /* NULL: not known */
    int ncomponents;
    int nshapes; /* 0: none declared */
    const SfShape *const *shapes;
    int kind;
    bool priority; /* a scalar int64 comes before the components */
    bool padding;
} Queue;

static Queue queue_behind(const SfInfer *c)
{
    Queue q = {.owner = sf_input_state_node(c, 0)};
    const SfAttr *types = q.owner ? sf_node_attr(q.owner, "component_types") : NULL;
    const SfAttr *shapes = q.owner ? sf_node_attr(q.owner, "shapes") : NULL;
    if (!types || !shapes || shapes->type < SF_ATTR_LIST) {
        q.owner = NULL;
        return q;
    }
    const SfOpDef *def = q.owner->sig->def;
    q.kind = def->infer == infer_queue ? def->variant : FIRST_IN;
    q.priority = q.kind == BY_PRIORITY;
    q.padding = q.kind == PADDED;
    q.ncomponents = types->u.list.n + q.priority;
    q.nshapes = shapes->u.list.n;
    q.shapes = shapes->u.list.u.shape;
    return q;
}

/* Unknown for what was not declared. */
static const SfShape *component(const Queue *q, int i)
{
    if (q->priority && i == 0) {
        return sf_shape_scalar();
    }
    const int at = i - q->priority;
    return at >= 0 && at < q->nshapes ? q->shapes[at] : sf_shape_unknown();
}

/* What a queue holds: one that does not pad takes an unknown rank for a scalar. */
static const SfShape *held(const Queue *q, int i)
{
    const SfShape *s = component(q, i);
    const bool unmodelled = i - q->priority < q->nshapes && !q->padding && !sf_shape_is_ranked(s);
    return unmodelled ? sf_shape_scalar() : s;
}

/* One component of no declared shape: in a run it has the shape of what was enqueued. */
static bool is_open(const Queue *q)
{
    return q->owner && q->ncomponents == 1 && q->nshapes == 0;
}

static void note_element(SfInfer *c, const Queue *q, const SfShape *s)
{
    SfState now;
    if (!is_open(q) || !sf_state_read(c, 0, &now)) {
        return;
    }
    now.shape = now.initialized ? sf_shape_join(now.shape, s) : s;
    now.initialized = true;
    sf_state_write(c, 0, &now);
}

/* putting in */

static SfStatus want_component(SfInfer *c, int i, const SfShape *want)
{
    const SfShape *is = sf_input(c, i + 1);
    SF_TRY_ALLOC(want);
    if (sf_shape_compatible(is, want)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(i + 1), SF_INPUT(0),
                        "Shape mismatch in tuple component {0}. Expected {1}, got {2}",
                        SF_INT_ARG(i), SF_SHAPE_ARG(want), SF_SHAPE_ARG(is));
}

/* The kernels support no timeout. */
static SfStatus check_timeout(SfInfer *c)
{
    return sf_require(c, sf_attr_int(c, "timeout_ms") == -1, SF_ATTR("timeout_ms"),
                      "Timeout not supported yet.");
}

static SfStatus enqueue_kernel(SfInfer *c, const void *data)
{
    const Queue *q = data;
    SF_TRY(check_timeout(c));
    for (int i = 0; i < sf_input_count(c) - 1; i++) {
        SF_TRY(want_component(c, i, held(q, i)));
    }
    return SF_OK;
}

static SfStatus infer_enqueue(SfInfer *c)
{
    const Queue q = queue_behind(c);
    SF_TRY(sf_kernel_check(c, enqueue_kernel, &q));
    note_element(c, &q, sf_input(c, 1));
    return SF_OK;
}

/* Every component holds as many elements as the first. */
static SfStatus want_batch(SfInfer *c, int i, SfDim n)
{
    const SfDim is = sf_input_dim(c, i + 1, 0);
    if (sf_dim_compatible(is, n)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_AXIS(i + 1, 0), SF_AXIS(1, 0),
                        "All input tensors must have the same size in the 0th dimension. Component "
                        "{0} has {1}, and should have {2}",
                        SF_INT_ARG(i), SF_DIM_ARG(is), SF_DIM_ARG(n));
}

static SfStatus enqueue_many_kernel(SfInfer *c, const void *data)
{
    const Queue *q = data;
    const SfDim n = sf_input_dim(c, 1, 0);
    SF_TRY(check_timeout(c));
    for (int i = 0; i < sf_input_count(c) - 1; i++) {
        SF_TRY(q->nshapes == 0
                   ? want_batch(c, i, n)
                   : want_component(c, i, sf_shape_concat(sf_shape_vector(n), held(q, i))));
    }
    return SF_OK;
}

static SfStatus infer_enqueue_many(SfInfer *c)
{
    const Queue q = queue_behind(c);
    const SfShape *first = sf_input(c, 1);
    SF_TRY(sf_kernel_check(c, enqueue_many_kernel, &q));
    const int rank = sf_shape_rank(first);
    const SfShape *element = rank > 0 ? sf_shape_slice(first, 1, rank) : sf_shape_unknown();
    SF_TRY_ALLOC(element);
    note_element(c, &q, element);
    return SF_OK;
}

/* taking out */

static SfStatus infer_dequeue(SfInfer *c)
{
    const Queue q = queue_behind(c);
    const int n = sf_output_count(c);
    SfState now;
    SF_TRY(sf_ask_kernel(c, check_timeout));
    if (sf_phase(c) == SF_PHASE_RUN && is_open(&q) && n == 1 && sf_state_read(c, 0, &now) &&
        now.initialized) {
        return sf_set_output_shape(c, 0, now.shape);
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(
            sf_set_output_shape(c, i, n == q.ncomponents ? component(&q, i) : sf_shape_unknown()));
    }
    return SF_OK;
}

static SfStatus dequeue_many(SfInfer *c, SfDim n)
{
    const Queue q = queue_behind(c);
    const int outputs = sf_output_count(c);
    SF_TRY(sf_ask_kernel(c, check_timeout));
    if (sf_phase(c) == SF_PHASE_RUN && q.owner && q.nshapes == 0 && !q.priority) {
        return sf_refuse(c, SF_INPUT(0),
                         "{0}'s DequeueMany and DequeueUpTo require the components to have "
                         "specified shapes.",
                         SF_TEXT_ARG(classes[q.kind]));
    }
    for (int i = 0; i < outputs; i++) {
        const SfShape *one = outputs == q.ncomponents ? component(&q, i) : sf_shape_unknown();
        SF_TRY(sf_set_output_shape(c, i, sf_shape_concat(sf_shape_vector(n), one)));
    }
    return SF_OK;
}

/* Kernels look at the number before they look at the queue. */
static SfStatus number_kernel(SfInfer *c, const void *data)
{
    const char *which = data;
    int64_t n;
    return sf_require(c, !sf_input_int(c, 1, &n) || n >= 0, SF_INPUT(1),
                      "Dequeue{0}Op requested {1} < 0 elements", SF_TEXT_ARG(which), SF_INT_ARG(n));
}

static bool is_reference(const SfInfer *c)
{
    return sf_dtype_is_ref(sf_input_dtype(c, 0));
}

/* The number of elements asked for, as far as known; of a reference's only the kernel asks. */
static SfStatus want_number(SfInfer *c, SfDim *n)
{
    int64_t value;
    *n = SF_DIM_UNKNOWN;
    if (!sf_input_int(c, 1, &value)) {
        return SF_OK;
    }
    *n = value >= 0 ? value : SF_DIM_UNKNOWN;
    return sf_expect(c, value >= 0 || is_reference(c), SF_INPUT(1),
                     "Input 'n' must be >= 0, but is {0}", SF_INT_ARG(value));
}

static SfStatus infer_dequeue_many(SfInfer *c)
{
    SfDim n;
    SF_TRY(sf_common_kernel_first(c, number_kernel, "Many"));
    SF_TRY(want_number(c, &n));
    SF_TRY(sf_common_kernel_last(c, number_kernel, "Many"));
    return dequeue_many(c, n);
}

/* At most n elements: how many is unknown while a graph is built. A run is given all n, as for
 * every batch but the last. */
static SfStatus infer_dequeue_up_to(SfInfer *c)
{
    int64_t n;
    SF_TRY(sf_kernel_check(c, number_kernel, "UpTo"));
    const bool known = sf_phase(c) == SF_PHASE_RUN && sf_input_int(c, 1, &n) && n >= 0;
    return dequeue_many(c, known ? n : SF_DIM_UNKNOWN);
}

/* QueueClose, QueueSize: the only two that look at a reference, the vector (container, name). */
static SfStatus want_reference(SfInfer *c)
{
    if (!is_reference(c)) {
        return SF_OK;
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    return sf_want_dim(c, SF_AXIS(0, 0), 2);
}

static SfStatus infer_size(SfInfer *c)
{
    SF_TRY(want_reference(c));
    return sf_set_output_scalar(c, 0);
}

/* handles */

/* Rows are padded to the widest: a padding queue must know how many axes there are. */
static SfStatus padded_kernel(SfInfer *c, int ntypes, int nshapes, const SfShape *const *shapes)
{
    for (int i = 0; i < nshapes; i++) {
        SF_TRY(sf_require(c, sf_shape_is_ranked(shapes[i]), SF_ATTR("shapes"),
                          "shape {0} must have known rank.", SF_SHAPE_ARG(shapes[i])));
    }
    return sf_require_as(
        c, nshapes > 0 || ntypes == 0, SF_DIAG_RUN_REFUSED, SF_ATTR("shapes"),
        SF_ATTR("component_types"),
        "Shapes must be provided for all components, but received {0} dtypes and {1} shapes.",
        SF_INT_ARG(ntypes), SF_INT_ARG(nshapes));
}

/* A shuffled queue keeps fewer elements back than its capacity. */
static SfStatus shuffle_kernel(SfInfer *c)
{
    if (sf_op_variant(c) != SHUFFLING) {
        return SF_OK;
    }
    const int64_t room = sf_attr_int(c, "capacity"), kept = sf_attr_int(c, "min_after_dequeue");
    SF_TRY(sf_require(c, kept >= 0, SF_ATTR("min_after_dequeue"),
                      "min_after_dequeue {0} must be >= 0", SF_INT_ARG(kept)));
    return sf_require_as(c, room < 0 || kept < room, SF_DIAG_RUN_REFUSED,
                         SF_ATTR("min_after_dequeue"), SF_ATTR("capacity"),
                         "min_after_dequeue {0} must be < capacity {1}", SF_INT_ARG(kept),
                         SF_INT_ARG(room));
}

/* A shape for each type, or (but for a padding queue) none at all. */
static SfStatus queue_kernel(SfInfer *c)
{
    const SfDtype *types;
    const SfShape *const *shapes;
    const int ntypes = sf_attr_types(c, "component_types", &types);
    const int nshapes = sf_attr_shapes(c, "shapes", &shapes);
    const bool padding = sf_op_variant(c) == PADDED;
    if (padding) {
        SF_TRY(padded_kernel(c, ntypes, nshapes, shapes));
    }
    for (int i = 0; !padding && i < nshapes; i++) {
        SF_TRY(sf_require(c, !sf_shape_is_ranked(shapes[i]) || sf_shape_is_known(shapes[i]),
                          SF_ATTR("shapes"), "Shape {0} is not fully defined",
                          SF_SHAPE_ARG(shapes[i])));
    }
    if (nshapes == 0 || nshapes == ntypes) {
        return shuffle_kernel(c);
    }
    enum { ROOM = 400 };
    char *left = sf_scratch(c, ROOM), *right = sf_scratch(c, ROOM);
    int nleft = 0, nright = 0;
    for (int i = 0; left && i < ntypes && nleft < ROOM; i++) {
        nleft += snprintf(left + nleft, (size_t)(ROOM - nleft), "%s%s", i > 0 ? ", " : "",
                          sf_dtype_sig_name(types[i]));
    }
    for (int i = 0; right && i < nshapes && nright < ROOM; i++) {
        nright += snprintf(right + nright, (size_t)(ROOM - nright), "%s%s", i > 0 ? ", " : "",
                           sf_shape_text(c, shapes[i]));
    }
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_ATTR("shapes"), SF_ATTR("component_types"),
                        "Different number of component types.  Types: {0}, Shapes: [{1}]",
                        SF_TEXT_ARG(left ? left : ""), SF_TEXT_ARG(right ? right : ""));
}

/* A reference handle is the vector (container, name). */
static SfStatus infer_queue(SfInfer *c)
{
    SF_TRY(sf_ask_kernel(c, queue_kernel));
    return sf_dtype_is_ref(sf_output_dtype(c, 0)) ? sf_set_output_vector(c, 0, 2)
                                                  : sf_set_output_scalar(c, 0);
}

static SfStatus infer_fake_queue(SfInfer *c)
{
    sf_set_output_state(c, 0, 0);
    return sf_set_output_vector(c, 0, 2);
}

/* table */

/* clang-format off */
#define NAMES "container: string = '', shared_name: string = ''"
#define COMPONENTS \
    "component_types: list(type) >= 1, shapes: list(shape) >= 0 = [], capacity: int = -1, "
#define SHUFFLED COMPONENTS "min_after_dequeue: int = 0, seed: int = 0, seed2: int = 0, "
#define PRIORITY \
    "component_types: list(type) >= 0 = [], shapes: list(shape) >= 0, capacity: int = -1, "
#define MAKE1(name, out_, attrs_, variant_) \
    SF_OP(name, .outputs = "handle: " out_, .attrs = attrs_ NAMES, .infer = infer_queue, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE, \
          .grad = SF_GRAD_MISSING, .variant = (variant_))
#define MAKE(name, attrs_, variant_) \
    MAKE1(name, "Ref(string)", attrs_, variant_), MAKE1(name##V2, "resource", attrs_, variant_)
#define USE1(name, handle_, in_, out_, attrs_, infer_, grad_) \
    SF_OP(name, .inputs = "handle: " handle_ in_, .outputs = out_, .attrs = attrs_, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_WRITES, \
          .grad = grad_)
#define USE(name, in_, out_, attrs_, infer_) \
    USE1(name, "Ref(string)", in_, out_, attrs_, infer_, SF_GRAD_NONE), \
    USE1(name##V2, "resource", in_, out_, attrs_, infer_, SF_GRAD_MISSING)
#define PUT "Tcomponents: list(type) >= 1, timeout_ms: int = -1"
#define TAKE "component_types: list(type) >= 1, timeout_ms: int = -1"

static const SfOpDef ops[] = {
    MAKE(FIFOQueue, COMPONENTS, FIRST_IN),
    MAKE(PaddingFIFOQueue, COMPONENTS, PADDED),
    MAKE(RandomShuffleQueue, SHUFFLED, SHUFFLING),
    MAKE(PriorityQueue, PRIORITY, BY_PRIORITY),
    SF_OP(FakeQueue, .inputs = "resource: resource", .outputs = "handle: Ref(string)",
          .infer = infer_fake_queue, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL,
          .grad = SF_GRAD_MISSING),
    USE(QueueEnqueue, ", components: Tcomponents", "", PUT, infer_enqueue),
    USE(QueueEnqueueMany, ", components: Tcomponents", "", PUT, infer_enqueue_many),
    USE(QueueDequeue, "", "components: component_types", TAKE, infer_dequeue),
    USE(QueueDequeueMany, ", n: int32", "components: component_types", TAKE, infer_dequeue_many),
    USE(QueueDequeueUpTo, ", n: int32", "components: component_types", TAKE, infer_dequeue_up_to),
    USE(QueueClose, "", "", "cancel_pending_enqueues: bool = false", want_reference),
    USE(QueueSize, "", "size: int32", "", infer_size),
    USE(QueueIsClosed, "", "is_closed: bool", "", sf_infer_scalar),
};
/* clang-format on */
const SfOpTable sf_ops_queue = {ops, SF_ARRAY_LEN(ops), "queue"};
