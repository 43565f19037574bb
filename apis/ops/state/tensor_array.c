/* TensorArray, stacks and tensor lists. A TensorArray is state: its node owns
 * [size, element dims...], where the element is the join of what was written in this run; before
 * the first write, what attr element_shape says. While a graph is built only that attr is known,
 * when it is fully defined or the array has identical_element_shapes, as in TensorFlow. A tensor
 * list is a value; its elements are known by the element_shape that each op is given.
 * Source: data_flow_ops.cc, list_ops.cc, tensor_array_ops.cc (kernels). */
#include "core/graph/graph.h"

#include <string.h>

#include "apis/ops/shared/common.h"

/* the state of a TensorArray */

typedef struct Array {
    const SfNode *owner;  /* NULL: nothing is known */
    const SfShape *elem;  /* unknown rank when not known */
    const SfShape *given; /* attr element_shape */
    SfDim size;
    bool written, identical, dynamic;
} Array;

static bool owner_flag(const SfNode *owner, const char *name)
{
    const SfAttr *a = sf_node_attr(owner, name);
    return a && a->u.b;
}

static Array array_of(SfInfer *c)
{
    Array a = {.owner = sf_input_state_node(c, 0),
               .elem = sf_shape_unknown(),
               .given = sf_shape_unknown(),
               .size = SF_DIM_UNKNOWN};
    const SfAttr *given = a.owner ? sf_node_attr(a.owner, "element_shape") : NULL;
    if (!given || !given->u.shape) {
        a.owner = NULL;
        return a;
    }
    a.given = given->u.shape;
    a.identical = owner_flag(a.owner, "identical_element_shapes");
    a.dynamic = owner_flag(a.owner, "dynamic_size");
    SfState s;
    if (sf_phase(c) == SF_PHASE_BUILD) {
        a.elem = a.identical || sf_dim_is_known(sf_shape_count(a.given)) ? a.given : a.elem;
        int64_t size;
        if (!a.dynamic && a.owner->nin > 0 && a.owner->inputs[0].value &&
            sf_value_as_int(a.owner->inputs[0].value, &size) && size >= 0) {
            a.size = size;
        }
        return a;
    }
    a.elem = a.given;
    if (!sf_state_read(c, 0, &s) || !sf_shape_is_ranked(s.shape) || sf_shape_rank(s.shape) == 0) {
        return a;
    }
    a.size = sf_shape_dim(s.shape, 0);
    a.written = s.initialized;
    if (a.written) {
        const SfShape *elem = sf_shape_slice(s.shape, 1, sf_shape_rank(s.shape));
        a.elem = elem ? elem : a.elem;
    }
    return a;
}

/* [size, elem...], or [size] alone while nothing is known of the elements. */
static SfStatus array_store(SfInfer *c, int input, SfDim size, const SfShape *elem, bool written)
{
    const SfShape *shape = sf_shape_vector(size);
    if (shape && sf_shape_is_ranked(elem)) {
        shape = sf_shape_concat(shape, elem);
    } else if (written) {
        shape = sf_shape_unknown();
    }
    const SfState s = {.shape = shape, .initialized = written, .dtype = SF_DT_INVALID};
    SF_TRY_ALLOC(shape);
    sf_state_write(c, input, &s);
    return SF_OK;
}

/* An element of shape `elem` comes in: the kernel's check, then the new state. */
static SfStatus array_take(SfInfer *c, Array *a, const SfShape *elem, int64_t index, SfPlace place)
{
    if (!a->owner || sf_phase(c) == SF_PHASE_BUILD) {
        return SF_OK;
    }
    const SfShape *want = a->identical && a->written ? a->elem : a->given;
    SF_TRY(sf_require_as(
        c, sf_shape_compatible(want, elem), SF_DIAG_RUN_REFUSED, place, SF_INPUT(0),
        "TensorArray {0}_0: Could not write to TensorArray index {1} because the value shape is "
        "{2} which is incompatible with the TensorArray's inferred element shape: {3} (consider "
        "setting infer_shape=False).",
        SF_TEXT_ARG(a->owner->name), SF_INT_ARG(index), SF_SHAPE_ARG(elem), SF_SHAPE_ARG(want)));
    const SfShape *now = a->written ? sf_shape_join(a->elem, elem) : elem;
    a->elem = now;
    a->written = true;
    return now ? array_store(c, 0, a->size, now, true) : SF_NOMEM;
}

/* TensorArray */

/* What is written or read is of the array's dtype. */
static SfStatus check_dtype(SfInfer *c)
{
    const SfNode *owner = sf_input_state_node(c, 0);
    const SfAttr *has = owner ? sf_node_attr(owner, "dtype") : NULL;
    const bool writes = sf_op_attr_index(sf_op_sig(c), "T") >= 0;
    if (!has || has->type != SF_ATTR_TYPE ||
        (!writes && sf_op_attr_index(sf_op_sig(c), "dtype") < 0)) {
        return SF_OK;
    }
    const SfDtype t = sf_attr_type(c, writes ? "T" : "dtype");
    return sf_require_as(c, t == has->u.type, SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                         SF_ATTR(writes ? "T" : "dtype"),
                         writes ? "TensorArray dtype is {0} but Op is trying to write dtype {1}."
                                : "TensorArray dtype is {0} but Op requested dtype {1}.",
                         SF_DTYPE_ARG(has->u.type), SF_DTYPE_ARG(t));
}

static SfStatus check_size(SfInfer *c)
{
    int64_t size;
    return sf_require(c, !sf_input_int(c, 0, &size) || size >= 0, SF_INPUT(0),
                      "Size should be >= 0.");
}

/* Kernels check a handle and indices, and never the flow. */
#define HANDLE_MESSAGES(index)                                                                     \
    {SF_ON(RANK_EXACT), SF_OF(0),                                                                  \
     .text = "Tensor array handle must be 2-element vector, but had shape: {a.shape}"},            \
        {SF_ON(DIM_VALUE), SF_OF(0),                                                               \
         .text = "Tensor array handle must be 2-element vector, but had shape: {a.shape}"},        \
        {SF_ON(RANK_EXACT), .text = index ": {a.shape}"},                                          \
    {                                                                                              \
        0                                                                                          \
    }
static const SfMessage index_messages[] = {HANDLE_MESSAGES(
    "TensorArray index must be scalar, but had shape")},
                       indices_messages[] = {
                           HANDLE_MESSAGES("Expected indices to be a vector, but received shape")};

/* The handle at input 0, the rank of input 1 (negative: any), and the flow, in TensorFlow's order.
 */
static SfStatus want_inputs(SfInfer *c, int index, int rank, int flow)
{
    const bool eager = sf_phase(c) == SF_PHASE_EAGER; /* where a handle is a scalar */
    sf_kernel_messages(c, rank == 0 ? index_messages : indices_messages);
    if (!eager) {
        SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    }
    if (index > 0) {
        SF_TRY(sf_want_rank(c, SF_INPUT(index), rank, NULL));
    }
    if (!eager) {
        SF_TRY(sf_want_dim(c, SF_AXIS(0, 0), 2));
    }
    SF_TRY(sf_ask_kernel(c, check_dtype));
    sf_kernel_messages(c, NULL);
    return flow > 0 && !sf_in_kernel(c) ? sf_want_scalar(c, SF_INPUT(flow)) : SF_OK;
}

/* Versions 1 and 2 have no flow beside a handle. */
static SfStatus set_output_flow(SfInfer *c, int output)
{
    return output < sf_output_count(c) ? sf_set_output_scalar(c, output) : SF_OK;
}

static const SfMessage size_messages[] = {
    {SF_ON(RANK_EXACT), .text = "TensorArray size must be scalar, but had shape: {shape 0}"}, {0}};

static SfStatus infer_array(SfInfer *c)
{
    int64_t size;
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(sf_ask_kernel(c, check_size));
    SF_TRY(sf_phase(c) == SF_PHASE_EAGER ? sf_set_output_scalar(c, 0)
                                         : sf_set_output_vector(c, 0, 2));
    SF_TRY(set_output_flow(c, 1));
    const bool known = sf_input_int(c, 0, &size) && size >= 0;
    return array_store(c, -1, known ? size : SF_DIM_UNKNOWN, sf_attr_shape(c, "element_shape"),
                       false);
}

/* TensorArrayWriteV3: one element at index. */
static SfStatus infer_write(SfInfer *c)
{
    SF_TRY(want_inputs(c, 1, 0, 3));
    const SfShape *value = sf_input(c, 2);
    Array a = array_of(c);
    int64_t index;
    const bool known = sf_input_int(c, 1, &index);
    if (sf_phase(c) == SF_PHASE_BUILD) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), a.elem, SF_INPUT(2), value, NULL));
        return set_output_flow(c, 0);
    }
    SF_TRY(sf_require_as(c, !known || !sf_dim_is_known(a.size) || index < a.size || a.dynamic,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                         "TensorArray {0}_0: Tried to write to index {1} but array is not "
                         "resizeable and size is: {2}",
                         SF_TEXT_ARG(a.owner->name), SF_INT_ARG(index), SF_DIM_ARG(a.size)));
    if (a.dynamic && !known) {
        a.size = SF_DIM_UNKNOWN;
    } else if (a.dynamic && sf_dim_is_known(a.size) && index >= a.size && index < SF_DIM_MAX) {
        a.size = index + 1;
    }
    SF_TRY(array_take(c, &a, value, known ? index : 0, SF_INPUT(2)));
    return set_output_flow(c, 0);
}

/* Every index that is read is one of the array. */
static SfStatus check_index(SfInfer *c)
{
    const Array a = array_of(c);
    return sf_require_ints(c, 1, 0, a.size, SF_DIAG_INDEX_RANGE, SF_INPUT(0),
                           "Tried to read from index {1} but array size is: {2}");
}

static SfStatus infer_read(SfInfer *c)
{
    SF_TRY(want_inputs(c, 1, 0, 2));
    SF_TRY(sf_ask_kernel(c, check_index));
    return sf_set_output_shape(c, 0, array_of(c).elem);
}

/* What is given must fit the elements that are read. */
static SfStatus check_given(SfInfer *c)
{
    const SfShape *given = sf_attr_shape(c, "element_shape");
    const Array a = array_of(c);
    SF_TRY(sf_require_as(c,
                         !sf_shape_is_ranked(a.given) || !sf_shape_is_ranked(given) ||
                             sf_shape_rank(a.given) == sf_shape_rank(given),
                         SF_DIAG_MERGE_RANK, SF_ATTR("element_shape"), SF_INPUT(0),
                         "PartialTensorShape: Incompatible ranks during merge: {0} vs. {1}",
                         SF_INT_ARG(sf_shape_rank(a.given)), SF_INT_ARG(sf_shape_rank(given))));
    SF_TRY(sf_require_as(c, sf_shape_compatible(a.given, given), SF_DIAG_MERGE_DIM,
                         SF_ATTR("element_shape"), SF_INPUT(0),
                         "PartialTensorShape: Incompatible shapes during merge: {0} vs. {1}",
                         SF_SHAPE_ARG(a.given), SF_SHAPE_ARG(given)));
    SF_TRY(check_index(c));
    return sf_require_as(
        c, !a.written || sf_shape_compatible(a.elem, given), SF_DIAG_RUN_REFUSED,
        SF_ATTR("element_shape"), SF_INPUT(0),
        "TensorArray was passed element_shape {0} which does not match the Tensor at index 0: {1}",
        SF_SHAPE_ARG(given), SF_SHAPE_ARG(a.elem));
}

/* TensorArrayGatherV3: [number of indices, element dims...]. */
static SfStatus infer_gather(SfInfer *c)
{
    const SfShape *indices, *elem = sf_attr_shape(c, "element_shape");
    SF_TRY(want_inputs(c, 1, 1, 2));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &indices));
    SF_TRY(sf_ask_kernel(c, check_given));
    const Array a = array_of(c);
    const SfShape *both = sf_shape_meet(elem, a.elem);
    elem = both && sf_shape_is_bottom(both) ? a.elem : both;
    const SfShape *out = sf_shape_is_ranked(elem)
                             ? sf_shape_concat(sf_shape_vector(sf_shape_dim(indices, 0)), elem)
                             : elem;
    return sf_set_output_shape(c, 0, out);
}

static SfStatus scatter_kernel(SfInfer *c, const void *data)
{
    const Array a = array_of(c);
    const SfShape *value = sf_input(c, 2);
    const SfDim rows = sf_shape_dim(value, 0), n = sf_input_dim(c, 1, 0);
    int64_t most = -1;
    SF_TRY(
        sf_require_as(c, sf_shape_rank(value) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(2), SF_THE_OP,
                      "Input value for unpack must be at least a vector but received shape: []"));
    SF_TRY(sf_require_as(c, sf_dim_compatible(rows, n), SF_DIAG_DIM_EQUAL, SF_AXIS(2, 0),
                         SF_AXIS(1, 0),
                         "Expected len(indices) == values.shape[0], but saw: {0} vs. {1}",
                         SF_DIM_ARG(n), SF_DIM_ARG(rows)));
    for (int64_t i = 0; i < sf_common_elems(c, 1); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        most = e.kind == SF_ELEM_INT && e.u.i > most ? e.u.i : most;
    }
    return sf_require_as(c, !a.owner || a.dynamic || !sf_dim_is_known(a.size) || most < a.size,
                         SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_INPUT(0),
                         "Max scatter index must be < array size ({0} vs. {1})", SF_INT_ARG(most),
                         SF_DIM_ARG(a.size));
}

/* TensorArrayScatterV3: row i of value goes to indices[i]. */
static SfStatus infer_scatter(SfInfer *c)
{
    const SfShape *indices, *value;
    SF_TRY(want_inputs(c, 1, 1, 3));
    SF_TRY(sf_common_kernel_first(c, scatter_kernel, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &indices));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(2), 1, &value));
    SF_TRY(sf_want_equal(c, SF_AXIS(2, 0), sf_shape_dim(value, 0), SF_AXIS(1, 0),
                         sf_shape_dim(indices, 0), NULL));
    Array a = array_of(c);
    const int rank = sf_shape_rank(value);
    const SfShape *elem = rank > 0 ? sf_shape_slice(value, 1, rank) : sf_shape_unknown();
    SF_TRY_ALLOC(elem);
    if (sf_phase(c) == SF_PHASE_BUILD) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), a.elem, SF_INPUT(2), elem, NULL));
        SF_TRY(sf_kernel_check(c, scatter_kernel, NULL));
    }
    if (a.dynamic) {
        a.size = SF_DIM_UNKNOWN;
    }
    int64_t first = 0;
    const SfElem e = sf_common_elem(c, 1, 0);
    first = e.kind == SF_ELEM_INT ? e.u.i : first;
    SF_TRY(array_take(c, &a, elem, first, SF_INPUT(2)));
    return set_output_flow(c, 0);
}

static SfStatus concat_kernel(SfInfer *c)
{
    const Array a = array_of(c);
    const SfShape *rest = sf_attr_shape(c, "element_shape_except0");
    const int rank = sf_shape_rank(a.elem);
    const SfShape *is = rank > 0 ? sf_shape_slice(a.elem, 1, rank) : sf_shape_unknown();
    return !is ? SF_NOMEM
           : !a.written || sf_shape_compatible(is, rest)
               ? SF_OK
               : sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_ATTR("element_shape_except0"), SF_INPUT(0),
                              "TensorArray was passed element_shape_except0 {0} but index 0 has "
                              "(excepting dimension 0) shape: {1} which does not match.",
                              SF_SHAPE_ARG(rest), SF_SHAPE_ARG(is));
}

/* TensorArrayConcatV3: elements joined along their first axis, and their lengths. */
static SfStatus infer_concat(SfInfer *c)
{
    SF_TRY(want_inputs(c, 0, 0, 1));
    SF_TRY(sf_ask_kernel(c, concat_kernel));
    const Array a = array_of(c);
    const bool runs = sf_phase(c) != SF_PHASE_BUILD;
    const int rank = sf_shape_rank(a.elem);
    const SfShape *rest = sf_attr_shape(c, "element_shape_except0");
    const SfShape *out = sf_shape_unknown();
    if (runs && rank > 0) {
        const SfDim total = sf_dim_mul(a.size, sf_shape_dim(a.elem, 0));
        out = sf_shape_replace(a.elem, 0, total == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : total);
    } else if (runs && sf_shape_is_ranked(rest)) {
        out = sf_shape_concat(sf_shape_vector(SF_DIM_UNKNOWN), rest);
    }
    SF_TRY(sf_set_output_shape(c, 0, out));
    return sf_set_output_vector(c, 1, runs ? a.size : SF_DIM_UNKNOWN);
}

static SfStatus split_kernel(SfInfer *c, const void *data)
{
    const Array a = array_of(c);
    const SfShape *value = sf_input(c, 1), *lengths = sf_input(c, 2);
    const SfValue *v = sf_input_value(c, 2);
    const SfDim n = sf_shape_dim(lengths, 0);
    int64_t sum = 0;
    SF_TRY(sf_require_rank(c, 2, 1, "Expected lengths to be a vector, received shape: {0}",
                           SF_SHAPE_ARG(lengths)));
    SF_TRY(sf_require_as(c, sf_shape_rank(value) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(1),
                         SF_THE_OP,
                         "Expected value to be at least a vector, but received shape: []"));
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind != SF_ELEM_INT) {
            v = NULL;
        } else {
            sum = (int64_t)((uint64_t)sum + (uint64_t)e.u.i); /* as the kernel's wraps */
        }
    }
    SF_TRY(sf_require_as(c, !v || !sf_dim_never(sf_shape_dim(value, 0), sum), SF_DIAG_RUN_REFUSED,
                         SF_INPUT(2), SF_AXIS(1, 0),
                         "Expected sum of lengths to be equal to values.shape[0], but sum of "
                         "lengths is {0} and value's shape is: {1}",
                         SF_INT_ARG(sum), SF_SHAPE_ARG(value)));
    return sf_require_as(
        c, !a.owner || a.dynamic || !sf_dim_is_known(a.size) || !sf_dim_is_known(n) || n == a.size,
        SF_DIAG_RUN_REFUSED, SF_AXIS(2, 0), SF_INPUT(0),
        "TensorArray's size is not equal to the size of lengths ({0} vs. {1}), and the TensorArray "
        "is not marked as dynamically resizeable",
        SF_DIM_ARG(a.size), SF_DIM_ARG(n));
}

/* TensorArraySplitV3: pieces of lengths[i] rows. */
static SfStatus infer_split(SfInfer *c)
{
    const SfShape *value = sf_input(c, 1);
    SF_TRY(sf_common_kernel_first(c, split_kernel, NULL));
    SF_TRY(want_inputs(c, 2, 1, 3));
    SF_TRY(sf_common_kernel_last(c, split_kernel, NULL));
    Array a = array_of(c);
    const SfValue *v = sf_input_value(c, 2);
    SfDim rows = SF_DIM_UNKNOWN;
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfDim d = sf_elem_as_dim(sf_value_elem(v, i));
        rows = i == 0 ? d : sf_dim_join(rows, d);
    }
    const SfShape *elem =
        sf_shape_rank(value) > 0 ? sf_shape_replace(value, 0, rows) : sf_shape_unknown();
    SF_TRY_ALLOC(elem);
    if (a.dynamic) {
        a.size = SF_DIM_UNKNOWN;
    }
    SF_TRY(array_take(c, &a, elem, 0, SF_INPUT(1)));
    return set_output_flow(c, 0);
}

static SfStatus infer_size(SfInfer *c)
{
    SF_TRY(want_inputs(c, 0, 0, 0));
    SF_TRY(sf_set_output_scalar(c, 0));
    const Array a = array_of(c);
    if (sf_phase(c) != SF_PHASE_BUILD && sf_dim_is_known(a.size)) {
        sf_set_output_value(c, 0, sf_value_int(SF_DT_INT32, a.size));
    }
    return SF_OK;
}

static SfStatus infer_close(SfInfer *c)
{
    return want_inputs(c, 0, 0, 0);
}

static SfStatus infer_array_grad(SfInfer *c)
{
    const SfShape *prepended;
    SF_TRY(want_inputs(c, 0, 0, 0));
    if (sf_common_runs(c) && sf_input_count(c) == 3) {
        SF_TRY(sf_want_dims_value(c, SF_INPUT(2), &prepended));
    }
    SF_TRY(sf_phase(c) == SF_PHASE_EAGER ? sf_set_output_scalar(c, 0)
                                         : sf_set_output_vector(c, 0, 2));
    return set_output_flow(c, 1);
}

/* TensorArrayPack of version 1: all elements. */
static SfStatus infer_pack(SfInfer *c)
{
    SF_TRY(want_inputs(c, 0, 0, 1));
    const Array a = array_of(c);
    const SfShape *elem = sf_shape_meet(sf_attr_shape(c, "element_shape"), a.elem);
    elem = elem && sf_shape_is_bottom(elem) ? a.elem : elem;
    return sf_set_output_shape(
        c, 0, sf_shape_is_ranked(elem) ? sf_shape_concat(sf_shape_vector(a.size), elem) : elem);
}

/* TensorArrayUnpack of version 1: row i of value becomes element i. */
static SfStatus infer_unpack(SfInfer *c)
{
    const SfShape *value = sf_input(c, 1);
    SF_TRY(want_inputs(c, 0, 0, 2));
    SF_TRY(
        sf_require_as(c, sf_shape_rank(value) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(1), SF_THE_OP,
                      "Input value for unpack must be at least a vector but received shape: []"));
    Array a = array_of(c);
    const int rank = sf_shape_rank(value);
    const SfShape *elem = rank > 0 ? sf_shape_slice(value, 1, rank) : sf_shape_unknown();
    SF_TRY_ALLOC(elem);
    if (a.dynamic) {
        a.size = sf_shape_dim(value, 0);
    }
    SF_TRY(array_take(c, &a, elem, 0, SF_INPUT(1)));
    return set_output_flow(c, 0);
}

/* stacks */

static SfStatus infer_stack(SfInfer *c)
{
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || sf_shape_rank(sf_input(c, 0)) <= 0,
                         SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_THE_OP,
                         "Stack size must be a scalar, but had shape: {a.shape}"));
    return sf_phase(c) == SF_PHASE_EAGER ? sf_set_output_scalar(c, 0)
                                         : sf_set_output_vector(c, 0, 2);
}

/* A stack is known by its maker. */
static SfStatus infer_push(SfInfer *c)
{
    const SfNode *n = sf_input_node(c, 0);
    const SfAttr *of = n && n->sig->def->infer == infer_stack ? sf_node_attr(n, "elem_type") : NULL;
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || !of || of->u.type == sf_attr_type(c, "T"),
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                         "Must have type {0} but got {1}", SF_INT_ARG(of->u.type),
                         SF_INT_ARG(sf_attr_type(c, "T"))));
    return sf_set_output_same(c, 0, 1);
}

/* table */

/* clang-format off */
#define STATEFUL .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL
#define ELEM "element_dtype: type"
#define SHAPE_TYPE "shape_type: {int32, int64}"

#define ARRAY(name, out_, attrs_, ...) \
    SF_OP(name, .inputs = "size: int32", .outputs = out_, .attrs = "dtype: type, " attrs_, \
          .infer = infer_array, .messages = size_messages, .cost = sf_common_cost_none,            \
          .traits = SF_OP_STATEFUL | SF_OP_STATE | SF_OP_UNINIT_OK __VA_ARGS__,                   \
          .grad = SF_GRAD_NONE)
#define OLD1(name, handle_, in_, out_, attrs_, infer_, traits_, ...) \
    SF_OP(name, .inputs = "handle: " handle_ in_, .outputs = out_, .attrs = attrs_, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = traits_, __VA_ARGS__)
/* The three versions of an op. */
#define EVERY(name, in_, out_, attrs_, infer_, traits_, ...) \
    OLD1(name, "Ref(string)", in_, out_, attrs_, infer_, (traits_) | SF_OP_KERNEL_ONLY, \
        __VA_ARGS__), \
    OLD1(name##V2, "string", in_, out_, attrs_, infer_, traits_, __VA_ARGS__), \
    OLD1(name##V3, "resource", in_, out_, attrs_, infer_, (traits_) | SF_OP_STATEFUL, __VA_ARGS__)
#define FLOW ", flow_in: float"

/* Versions 1 and 2 are older than flows in GraphDefs that anyone still writes; TensorFlow reads
 * them. Version 1 has no shape functions. */
static const SfOpDef ops[] = {
    ARRAY(TensorArray, "handle: Ref(string)",
          "dynamic_size: bool = false, clear_after_read: bool = true, "
          "tensor_array_name: string = '', element_shape: shape = ?", | SF_OP_KERNEL_ONLY),
    ARRAY(TensorArrayV2, "handle: string",
          "element_shape: shape = ?, dynamic_size: bool = false, clear_after_read: bool = true, "
          "tensor_array_name: string = ''", ),
    EVERY(TensorArrayWrite, ", index: int32, value: T" FLOW, "flow_out: float", "T: type",
        infer_write, SF_OP_WRITES, .role = SF_ROLE_ARRAY_WRITE, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArrayRead, ", index: int32" FLOW, "value: dtype", "dtype: type", infer_read,
        0, .role = SF_ROLE_ARRAY_READ, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArrayGather, ", indices: int32" FLOW, "value: dtype",
        "dtype: type, element_shape: shape = ?", infer_gather, 0,
        .role = SF_ROLE_ARRAY_GATHER, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArrayScatter, ", indices: int32, value: T" FLOW, "flow_out: float", "T: type",
        infer_scatter, SF_OP_WRITES, .role = SF_ROLE_ARRAY_SCATTER, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArrayConcat, FLOW, "value: dtype, lengths: int64",
        "dtype: type, element_shape_except0: shape = ?", infer_concat, 0,
        .role = SF_ROLE_ARRAY_GATHER, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArraySplit, ", value: T, lengths: int64" FLOW, "flow_out: float", "T: type",
        infer_split, SF_OP_WRITES, .role = SF_ROLE_ARRAY_SCATTER, .grad = SF_GRAD_FLOATS),
    EVERY(TensorArraySize, FLOW, "size: int32", "", infer_size, 0, .grad = SF_GRAD_NONE),
    EVERY(TensorArrayClose, "", "", "", infer_close, 0, .grad = SF_GRAD_NONE),
    OLD1(TensorArrayPack, "Ref(string)", FLOW, "value: dtype",
         "dtype: type, element_shape: shape = ?", infer_pack, SF_OP_KERNEL_ONLY,
         .grad = SF_GRAD_MISSING),
    OLD1(TensorArrayUnpack, "Ref(string)", ", value: T" FLOW, "flow_out: float", "T: type",
         infer_unpack, SF_OP_WRITES | SF_OP_KERNEL_ONLY, .grad = SF_GRAD_MISSING),
    OLD1(TensorArrayGrad, "string", FLOW, "grad_handle: Ref(string)", "source: string",
         infer_array_grad, SF_OP_STATEFUL | SF_OP_KERNEL_ONLY, .grad = SF_GRAD_NONE),
    OLD1(TensorArrayGradV2, "string", FLOW, "grad_handle: string", "source: string",
         infer_array_grad, SF_OP_STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(TensorArrayV3, .inputs = "size: int32", .outputs = "handle: resource, flow: float",
          .attrs = "dtype: type, element_shape: shape = ?, dynamic_size: bool = false, "
                   "clear_after_read: bool = true, identical_element_shapes: bool = false, "
                   "tensor_array_name: string = ''",
          .infer = infer_array, .messages = size_messages, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_STATE | SF_OP_UNINIT_OK, .grad = SF_GRAD_NONE),
    SF_OP(TensorArrayGradV3, .inputs = "handle: resource, flow_in: float",
          .outputs = "grad_handle: resource, flow_out: float", .attrs = "source: string",
          .infer = infer_array_grad, STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(TensorArrayGradWithShape,
          .inputs = "handle: resource, flow_in: float, shape_to_prepend: int32",
          .outputs = "grad_handle: resource, flow_out: float", .attrs = "source: string",
          .infer = infer_array_grad, STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(StackV2, .inputs = "max_size: int32", .outputs = "handle: resource",
          .attrs = "elem_type: type, stack_name: string = ''", .infer = infer_stack,
          .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_MISSING),
    SF_OP(StackPushV2, .inputs = "handle: resource, elem: T", .outputs = "output: T",
          .attrs = "T: type, swap_memory: bool = false", .infer = infer_push,
          .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_MISSING),
    SF_OP(StackPopV2, .inputs = "handle: resource", .outputs = "elem: elem_type",
          .attrs = "elem_type: type", .infer = sf_infer_unknown, STATEFUL,
          .grad = SF_GRAD_MISSING),
    SF_OP(StackCloseV2, .inputs = "handle: resource", .outputs = "", .attrs = "",
          .infer = infer_close, STATEFUL, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_tensor_array = {ops, SF_ARRAY_LEN(ops), "tensor_array"};
