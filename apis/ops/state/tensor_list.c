/* Tensor lists: values of dtype variant, each a list of tensors of one dtype. What is known of the
 * elements is the element_shape that each op is given, and what the op that made the list was
 * given. Source: list_ops.cc, kernels/list_kernels.{cc,h}. */
#include <string.h>

#include "apis/ops/state/tensor_list.h"

enum { RESERVES = 1, INTO_EXISTING }; /* variant */

/* what is known of a list */

/* Of elem and item: 0 for none, 1 for unknown rank, rank + 2. Their dims follow. */
enum { AT_DTYPE, AT_LENGTH, AT_ANY, AT_EXACT, AT_ELEM, AT_ITEM, AT_DIMS };

static const SfShape *field(const SfShape *record, int at, int *from)
{
    const int code = (int)sf_shape_dim(record, at);
    const int start = *from;
    *from += code > 2 ? code - 2 : 0;
    return code == 0 ? NULL : code == 1 ? sf_shape_unknown() : sf_shape_slice(record, start, *from);
}

SfList sf_list_of(SfInfer *c, int i)
{
    SfList list = {.elem = sf_shape_unknown(), .length = SF_DIM_UNKNOWN};
    const SfShape *record = sf_common_record(c, i);
    if (!record || sf_shape_rank(record) < AT_DIMS) {
        return list;
    }
    int from = AT_DIMS;
    const SfShape *elem = field(record, AT_ELEM, &from);
    list = (SfList){.known = elem,
                    .any = sf_shape_dim(record, AT_ANY) != 0,
                    .exact = sf_shape_dim(record, AT_EXACT) != 0,
                    .dtype = (SfDtype)sf_shape_dim(record, AT_DTYPE),
                    .elem = elem ? elem : sf_shape_unknown(),
                    .length = sf_shape_dim(record, AT_LENGTH)};
    list.item = field(record, AT_ITEM, &from);
    return list;
}

SfStatus sf_list_set_output(SfInfer *c, SfList list)
{
    enum { MOST = 100 }; /* dims of an element */
    SF_TRY(sf_set_output_scalar(c, 0));
    if (!list.known || !list.elem || sf_shape_is_bottom(list.elem) ||
        sf_shape_rank(list.elem) > MOST || (list.item && sf_shape_rank(list.item) > MOST)) {
        return SF_OK;
    }
    const int elem = sf_shape_rank(list.elem), item = list.item ? sf_shape_rank(list.item) : 0;
    const SfDim head[] = {[AT_DTYPE] = list.dtype,
                          [AT_LENGTH] = list.length,
                          [AT_ANY] = list.any,
                          [AT_EXACT] = list.exact,
                          [AT_ELEM] = elem < 0 ? 1 : elem + 2,
                          [AT_ITEM] = !list.item ? 0
                                      : item < 0 ? 1
                                                 : item + 2};
    const SfShape *record = sf_shape_make(SF_ARRAY_LEN(head), head);
    record = record && elem > 0 ? sf_shape_concat(record, list.elem) : record;
    record = record && item > 0 ? sf_shape_concat(record, list.item) : record;
    return record ? sf_common_set_output_record(c, record) : SF_NOMEM;
}

/* Does the kernel see the same shape in input i as we do? */
static bool is_exact(SfInfer *c, int i)
{
    const SfValue *v = sf_input_value(c, i);
    return v && sf_value_is_exact(v);
}

/* What an element fits, for all that is known. */
const SfShape *sf_list_best(const SfList *list)
{
    return list->item ? list->item : list->elem;
}

/* The kernel of an op that is given the dtype of the elements. */
static SfStatus check_dtype(SfInfer *c, const void *data)
{
    const SfList list = sf_list_of(c, 0);
    const SfDtype t = sf_attr_type(c, "element_dtype");
    if (!list.known || list.dtype == t) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, sf_op_variant(c) != INTO_EXISTING, SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                         SF_ATTR("element_dtype"),
                         "Invalid data types; input tensor type: {0} list element_type: {1}",
                         SF_DTYPE_ARG(t), SF_DTYPE_ARG(list.dtype)));
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_ATTR("element_dtype"),
                        "Invalid data types; op elements {0} but list elements {1}",
                        SF_DTYPE_ARG(t), SF_DTYPE_ARG(list.dtype));
}

/* The same in construction, with the message of each op: the two dtypes stand after `before` and
 * `between`. */
static SfStatus want_dtype(SfInfer *c, const SfList *list, const char *before, SfDtype first,
                           const char *between, SfDtype second)
{
    if (sf_common_runs(c) || !list->known || list->dtype == sf_attr_type(c, "element_dtype")) {
        return sf_kernel_check(c, check_dtype, NULL);
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_ATTR("element_dtype"), "{0}{1}{2}{3}",
                        SF_TEXT_ARG(before), SF_DTYPE_ARG(first), SF_TEXT_ARG(between),
                        SF_DTYPE_ARG(second));
}

SfStatus sf_list_want_expected(SfInfer *c, const SfList *list)
{
    return want_dtype(c, list, "Expected list with element dtype ",
                      sf_attr_type(c, "element_dtype"), " but got list with element dtype ",
                      list->dtype);
}

SfStatus sf_list_want_read(SfInfer *c, const SfList *list)
{
    return want_dtype(c, list, "Trying to read from list with wrong element dtype. List has type ",
                      list->dtype, " but expected type ", sf_attr_type(c, "element_dtype"));
}

SfStatus sf_list_check_index(SfInfer *c, const void *data)
{
    const SfListIndex *x = data;
    const SfList list = sf_list_of(c, 0);
    const SfValue *v = sf_input_value(c, x->input);
    for (int64_t k = 0; v && sf_dim_is_known(list.length) && k < sf_value_count(v); k++) {
        const SfElem e = sf_value_elem(v, k);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < list.length),
                             SF_DIAG_INDEX_RANGE, SF_INPUT(x->input), SF_INPUT(0),
                             "{0}{1}{2}{3}{4}", SF_TEXT_ARG(x->before), SF_INT_ARG(e.u.i),
                             SF_TEXT_ARG(x->between), SF_DIM_ARG(list.length),
                             SF_TEXT_ARG(x->after)));
    }
    return SF_OK;
}

/* making lists */

/* The element_shape that input i holds: a vector, or the scalar -1 for any. */
SfStatus sf_list_element_shape(SfInfer *c, int i, const SfShape **out)
{
    int64_t whole;
    SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL));
    if (sf_shape_rank(sf_input(c, i)) != 0 || !sf_input_int(c, i, &whole) || whole == -1 ||
        sf_version(c) < SF_VERSION(2, 0)) {
        return sf_want_shape_or_any(c, SF_INPUT(i), out);
    }
    SF_TRY(sf_require_as(
        c, !sf_common_runs(c), SF_DIAG_RANK_EXACT, SF_INPUT(i), SF_THE_OP,
        "The only valid scalar shape tensor is the fully unknown shape specified as -1."));
    return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(i), SF_THE_OP,
                        "Received an invalid shape scalar with a static value that is not '-1': "
                        "Tensor<type: {0} shape: [] values: {1}>",
                        SF_DTYPE_ARG(sf_input_dtype(c, i)), SF_INT_ARG(whole));
}

/* A list of that length; input `from` holds the shape of its elements. */
static SfList new_list(SfInfer *c, const SfShape *elem, int from, SfDim length)
{
    return (SfList){.known = true,
                    .dtype = sf_attr_type(c, "element_dtype"),
                    .elem = elem,
                    .exact = is_exact(c, from),
                    .length = length};
}

static SfStatus check_number(SfInfer *c, const void *data)
{
    const bool reserve = *(const bool *)data;
    const SfShape *s = sf_input(c, 1);
    int64_t n;
    SF_TRY(sf_require_rank(c, 1, 0,
                           reserve
                               ? "The num_elements to reserve must be a tensor size 1, but got {0}"
                               : "max_num_elements expected to be a scalar but got shape: {0}",
                           SF_SHAPE_ARG(s)));
    return sf_require(c, !reserve || !sf_input_int(c, 1, &n) || n >= 0, SF_INPUT(1),
                      "The num_elements to reserve must be a non negative number, but got {0}",
                      SF_INT_ARG(n));
}

/* EmptyTensorList, TensorListReserve. */
static SfStatus infer_list_new(SfInfer *c)
{
    const SfShape *elem;
    int64_t n;
    const bool reserve = sf_op_variant(c) == RESERVES;
    SF_TRY(sf_list_element_shape(c, 0, &elem));
    SF_TRY(sf_kernel_check(c, check_number, &reserve));
    const bool known = reserve && sf_input_int(c, 1, &n) && n >= 0;
    return sf_list_set_output(c, new_list(c, elem, 0, known ? n : reserve ? SF_DIM_UNKNOWN : 0));
}

static const SfShape *rows_of(const SfShape *s)
{
    const int rank = sf_shape_rank(s);
    return rank > 0 ? sf_shape_slice(s, 1, rank) : sf_shape_unknown();
}

static SfStatus check_rows(SfInfer *c, const void *data)
{
    const SfShape *in = sf_input(c, 0), *elem = *(const SfShape *const *)data;
    SF_TRY(sf_require_as(c, sf_shape_rank(in) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "Tensor must be at least a vector, but saw shape: []"));
    const SfShape *rest = rows_of(in);
    SF_TRY_ALLOC(rest);
    return sf_require_as(c, sf_shape_compatible(rest, elem), SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                         SF_INPUT(1),
                         "Specified a list with shape {0} from a tensor with shape {1}",
                         SF_SHAPE_ARG(elem), SF_SHAPE_ARG(rest));
}

static SfStatus infer_list_from_tensor(SfInfer *c)
{
    const SfShape *elem, *in = sf_input(c, 0);
    SF_TRY(sf_list_element_shape(c, 1, &elem));
    if (sf_common_runs(c)) {
        SF_TRY(check_rows(c, &elem));
    }
    const int rank = sf_shape_rank(in);
    const SfShape *rest = rank > 0 ? sf_shape_slice(in, 1, rank) : in;
    SF_TRY_ALLOC(rest);
    const SfShape *item;
    SF_TRY(sf_want_merge(c, SF_INPUT(0), rest, SF_INPUT(1), elem, &item));
    SF_TRY(sf_kernel_check(c, check_rows, &elem));
    const bool some = rank > 0 && sf_dim_never(sf_shape_dim(in, 0), 0);
    return sf_list_set_output(c, (SfList){.known = true,
                                          .any = some,
                                          .exact = is_exact(c, 1),
                                          .dtype = sf_attr_type(c, "element_dtype"),
                                          .elem = elem,
                                          .item = item,
                                          .length = sf_shape_dim(in, 0)});
}

/* As many indices as rows, none negative, all below num_elements where there is one. */
static SfStatus check_scatter(SfInfer *c, const void *data)
{
    const SfDim rows = sf_input_dim(c, 0, 0), count = sf_shape_count(sf_input(c, 1));
    const bool sized = sf_input_count(c) > 3;
    int64_t n = -1;
    SF_TRY(check_rows(c, data));
    SF_TRY(sf_require_as(c, !sized || sf_shape_rank(sf_input(c, 3)) <= 0, SF_DIAG_RUN_REFUSED,
                         SF_INPUT(3), SF_INPUT(0), "num_elements must be a scalar"));
    SF_TRY(sf_require(c, !sized || !sf_input_int(c, 3, &n) || n >= -1, SF_INPUT(3),
                      "TensorListScatter expects num_elements >= -1, found: {0}", SF_INT_ARG(n)));
    SF_TRY(sf_require_as(c, sf_dim_compatible(rows, count), SF_DIAG_RUN_REFUSED, SF_AXIS(0, 0),
                         SF_INPUT(1),
                         "Invalid number of rows in input tensor. Expected: {0} Actual: {1}",
                         SF_DIM_ARG(count), SF_DIM_ARG(rows)));
    const SfValue *v = sf_input_value(c, 1);
    for (int64_t k = 0; v && k < sf_value_count(v); k++) {
        const SfElem e = sf_value_elem(v, k);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || e.u.i >= 0, SF_DIAG_RUN_REFUSED,
                             SF_INPUT(1), SF_INPUT(0),
                             "Indices in TensorListScatter must all be non-negative."));
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || n < 0 || e.u.i < n, SF_DIAG_INDEX_RANGE, SF_INPUT(1),
            SF_INPUT(3), "TensorListScatter: Trying to scatter at index {0} in list with size {1}",
            SF_INT_ARG(e.u.i), SF_INT_ARG(n)));
    }
    return SF_OK;
}

/* TensorListScatter: row i of tensor becomes element indices[i]. */
static SfStatus infer_list_scatter(SfInfer *c)
{
    const SfShape *elem;
    int64_t n;
    SF_TRY(sf_list_element_shape(c, 2, &elem));
    SF_TRY(sf_kernel_check(c, check_scatter, &elem));
    const bool sized = sf_input_count(c) > 3 && sf_input_int(c, 3, &n) && n >= 0;
    return sf_list_set_output(c, new_list(c, elem, 2, sized ? n : SF_DIM_UNKNOWN));
}

static SfStatus check_split(SfInfer *c, const void *data)
{
    const SfShape *elem = *(const SfShape *const *)data, *in = sf_input(c, 0);
    const SfDim rows = sf_shape_dim(in, 0);
    const SfValue *v = sf_input_value(c, 2);
    int64_t used = 0;
    const SfShape *one = sf_shape_replace(in, 0, SF_DIM_UNKNOWN);
    SF_TRY(sf_require_as(c, !one || !sf_shape_is_ranked(elem) || sf_shape_compatible(one, elem),
                         SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_INPUT(1),
                         "tensor shape {0} is not compatible with element_shape {1}",
                         SF_SHAPE_ARG(in), SF_SHAPE_ARG(elem)));
    if (!v || !sf_value_is_exact(v) || !sf_dim_is_known(rows)) {
        return SF_OK;
    }
    for (int64_t k = 0; k < sf_value_count(v); k++) {
        const int64_t n = sf_value_elem(v, k).u.i;
        SF_TRY(sf_require_as(c, n >= 0, SF_DIAG_RUN_REFUSED, SF_INPUT(2), SF_INPUT(0),
                             "Invalid value in lengths: it must not be negative"));
        SF_TRY(sf_require_as(c, n <= rows - used, SF_DIAG_RUN_REFUSED, SF_INPUT(2), SF_AXIS(0, 0),
                             "Attempting to slice [{0}, {1}] from tensor with length {2}",
                             SF_INT_ARG(used), SF_INT_ARG(used + n), SF_DIM_ARG(rows)));
        used += n;
    }
    return sf_require_as(c, used == rows, SF_DIAG_RUN_REFUSED, SF_INPUT(2), SF_AXIS(0, 0),
                         "Unused values in tensor. Length of tensor: {0} Values used: {1}",
                         SF_DIM_ARG(rows), SF_INT_ARG(used));
}

/* TensorListSplit: element i is the next lengths[i] rows. */
static SfStatus infer_list_split(SfInfer *c)
{
    const SfShape *elem, *in, *lengths;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, &lengths));
    SF_TRY(sf_list_element_shape(c, 1, &elem));
    const SfShape *one =
        sf_shape_is_ranked(in) ? sf_shape_replace(in, 0, SF_DIM_UNKNOWN) : sf_shape_unknown();
    SF_TRY_ALLOC(one);
    if (!sf_common_runs(c)) {
        const SfShape *any =
            sf_shape_rank(elem) > 0 ? sf_shape_replace(elem, 0, SF_DIM_UNKNOWN) : elem;
        SF_TRY(sf_want_merge(c, SF_INPUT(0), one, SF_INPUT(1), any, NULL));
    }
    SF_TRY(sf_kernel_check(c, check_split, &elem));
    return sf_list_set_output(c, new_list(c, elem, 1, sf_shape_dim(lengths, 0)));
}

/* changing lists */

static SfStatus check_item(SfInfer *c, const void *data)
{
    const bool push = *(const bool *)data;
    const int i = push ? 1 : 2;
    const SfList list = sf_list_of(c, 0);
    SF_TRY(check_dtype(c, NULL));
    if (!list.exact || sf_shape_compatible(list.elem, sf_input(c, i))) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(i), SF_INPUT(0),
                        push ? "Tried to append a tensor with incompatible shape to a list. Op "
                               "element shape: {a.shape} list shape: {0}"
                             : "Tried to set a tensor with incompatible shape at a list index. "
                               "Item element shape: {a.shape} list shape: {0}",
                        SF_SHAPE_ARG(list.elem));
}

static const SfListIndex modified = {1, "Trying to modify element ", " in a list with ",
                                     " elements."};

static const SfCheck index_checks[] = {{SF_IS_SCALAR(1), .b = SF_INPUT(0), SF_AS(RUN_REFUSED),
                                        .text = "Expected argument 1 to be a scalar."},
                                       {0}};

static SfStatus infer_list_set(SfInfer *c)
{
    static const bool push = false;
    SfList list = sf_list_of(c, 0);
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_merge(c, SF_INPUT(2), sf_input(c, 2), SF_INPUT(0), list.elem, NULL));
    }
    SF_TRY(sf_kernel_check(c, sf_check_table, index_checks));
    SF_TRY(sf_kernel_check(c, check_item, &push));
    if (sf_attr_bool(c, "resize_if_index_out_of_bounds")) {
        list.length = SF_DIM_UNKNOWN;
    } else {
        SF_TRY(sf_kernel_check(c, sf_list_check_index, &modified));
    }
    list.any = true;
    list.item = NULL;
    return sf_list_set_output(c, list);
}

static SfStatus infer_list_push(SfInfer *c)
{
    static const bool push = true;
    SfList list = sf_list_of(c, 0);
    SF_TRY(want_dtype(c, &list, "Trying to push to list with wrong element dtype. List has type ",
                      list.dtype, " but trying to push element with type ",
                      sf_attr_type(c, "element_dtype")));
    SF_TRY(sf_kernel_check(c, check_item, &push));
    list.length = sf_dim_is_known(list.length) ? list.length + 1 : SF_DIM_UNKNOWN;
    list.any = true;
    list.item = NULL;
    return sf_list_set_output(c, list);
}

/* What each list holds is not known: lists in a vector are content. */
static const SfMessage push_batch_messages[] = {
    {SF_ON(RANK_EXACT), .text = "Expected input_handles to be a vector, but saw shape: {shape 0}"},
    {SF_ON(DIM_EQUAL),
     .text = "Expected tensor.shape[0] == input_handles.size, but saw {0} vs. {1}"},
    {0}};

/* TensorListPushBackBatch: row i goes to list i. */
static SfStatus infer_list_push_batch(SfInfer *c)
{
    const SfShape *lists, *rows;
    SfDim n;
    sf_kernel_messages(c, push_batch_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &lists));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, &rows));
    SF_TRY(sf_want_equal(c, SF_AXIS(1, 0), sf_shape_dim(rows, 0), SF_AXIS(0, 0),
                         sf_shape_dim(lists, 0), &n));
    return sf_set_output_vector(c, 0, n);
}

static SfStatus check_pop(SfInfer *c)
{
    return sf_require(c, sf_list_of(c, 0).length != 0, SF_INPUT(0),
                      "Trying to pop from an empty list.");
}

static SfStatus infer_list_pop(SfInfer *c)
{
    SfList list = sf_list_of(c, 0);
    SF_TRY(want_dtype(c, &list, "Trying to read from list with wrong element dtype. List has type ",
                      list.dtype, " but trying to push element with type ",
                      sf_attr_type(c, "element_dtype")));
    SF_TRY(sf_ask_kernel(c, check_pop));
    SF_TRY(sf_set_output_shape(c, 1, list.known ? sf_list_best(&list) : sf_shape_unknown()));
    list.length =
        sf_dim_is_known(list.length) && list.length > 0 ? list.length - 1 : SF_DIM_UNKNOWN;
    list.any = list.any && list.item && sf_dim_is_known(list.length) && list.length > 0;
    return sf_list_set_output(c, list);
}

static const SfCheck resize_checks[] = {
    {SF_IS_SCALAR(1), .b = SF_INPUT(0), SF_AS(RUN_REFUSED), .text = "size must be a scalar"},
    {SF_INT_AT_LEAST(1, 0), .text = "TensorListSlice expects size to be non-negative. Got: {1}"},
    {0}};

static SfStatus infer_list_resize(SfInfer *c)
{
    SfList list = sf_list_of(c, 0);
    int64_t n;
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    }
    SF_TRY(sf_kernel_check(c, sf_check_table, resize_checks));
    list.length = sf_input_int(c, 1, &n) && n >= 0 ? n : SF_DIM_UNKNOWN;
    list.any = false;
    list.item = NULL;
    return sf_list_set_output(c, list);
}

static SfStatus check_into(SfInfer *c)
{
    const SfDim rows = sf_input_dim(c, 1, 0), n = sf_input_dim(c, 2, 0);
    return sf_require_as(c, sf_dim_compatible(rows, n), SF_DIAG_RUN_REFUSED, SF_AXIS(2, 0),
                         SF_AXIS(1, 0),
                         "Expected len(indices) == tensor.shape[0], but saw: {0} vs. {1}",
                         SF_DIM_ARG(n), SF_DIM_ARG(rows));
}

/* TensorListScatterIntoExistingList: row i of tensor becomes element indices[i]. */
static SfStatus infer_list_scatter_into(SfInfer *c)
{
    SfList list = sf_list_of(c, 0);
    SF_TRY(sf_want_vector(c, SF_INPUT(2)));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL));
    SF_TRY(sf_list_want_expected(c, &list));
    SF_TRY(sf_ask_kernel(c, check_into));
    list.length = SF_DIM_UNKNOWN;
    list.item = NULL;
    return sf_list_set_output(c, list);
}

static SfStatus check_lists(SfInfer *c)
{
    static const char *const names[] = {"input_a", "input_b"};
    const SfDtype t = sf_attr_type(c, "element_dtype");
    SfList lists[2];
    for (int i = 0; i < 2; i++) {
        lists[i] = sf_list_of(c, i);
        SF_TRY(sf_require_as(c, !lists[i].known || lists[i].dtype == t, SF_DIAG_RUN_REFUSED,
                             SF_INPUT(i), SF_ATTR("element_dtype"),
                             "{0}[0].dtype != element_dtype.  Saw: {1} vs. {2}",
                             SF_TEXT_ARG(names[i]), SF_DTYPE_ARG(lists[i].dtype), SF_DTYPE_ARG(t)));
    }
    return sf_require_as(c, !lists[0].exact || !lists[1].exact || lists[0].elem == lists[1].elem,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_INPUT(1),
                         "input_a and input_b TensorList element shapes are not identical at index "
                         "0.  Saw {0} vs. {1}",
                         SF_SHAPE_ARG(lists[0].elem), SF_SHAPE_ARG(lists[1].elem));
}

static SfStatus infer_list_concat_lists(SfInfer *c)
{
    static const char *const names[] = {"input_a", "input_b"};
    SfList a = sf_list_of(c, 0);
    const SfList b = sf_list_of(c, 1);
    const SfShape *both;
    const SfDtype t = sf_attr_type(c, "element_dtype");
    SF_TRY(sf_want_merge(c, SF_INPUT(0), sf_input(c, 0), SF_INPUT(1), sf_input(c, 1), &both));
    for (int i = 0; i < 2 && !sf_common_runs(c); i++) {
        const SfList *list = i == 0 ? &a : &b;
        SF_TRY(sf_require_as(c, !list->known || list->dtype == t, SF_DIAG_OP_SHAPE, SF_INPUT(i),
                             SF_ATTR("element_dtype"), "{0}.type != element_dtype: {1} vs. {2}",
                             SF_TEXT_ARG(names[i]), SF_DTYPE_ARG(list->dtype), SF_DTYPE_ARG(t)));
    }
    const bool one = sf_shape_rank(both) == 0;
    SF_TRY(one ? sf_ask_kernel(c, check_lists) : SF_OK);
    if (!a.known || !b.known || a.dtype != b.dtype || !one) {
        return sf_set_output_shape(c, 0, both);
    }
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), a.elem, SF_INPUT(1), b.elem, &a.elem));
    } else {
        a.elem = a.elem == b.elem ? a.elem : sf_shape_unknown();
    }
    a.length = sf_dim_is_known(a.length) && sf_dim_is_known(b.length)
                   ? sf_dim_add(a.length, b.length)
                   : SF_DIM_UNKNOWN;
    a.any = a.any || b.any;
    a.exact = a.exact && b.exact;
    a.item = a.item && b.item ? sf_shape_join(a.item, b.item) : NULL;
    return sf_list_set_output(c, a);
}

/* table */

/* clang-format off */
#define ELEM "element_dtype: type"
#define SHAPE_TYPE "shape_type: {int32, int64}"

static const SfOpDef ops[] = {
    SF_OP(EmptyTensorList, .inputs = "element_shape: shape_type, max_num_elements: int32",
          .outputs = "handle: variant", .attrs = ELEM ", " SHAPE_TYPE, .infer = infer_list_new,
          .grad = SF_GRAD_MISSING),
    SF_OP(TensorListReserve, .inputs = "element_shape: shape_type, num_elements: int32",
          .outputs = "handle: variant", .attrs = ELEM ", " SHAPE_TYPE, .infer = infer_list_new,
          .grad = SF_GRAD_MISSING, .variant = RESERVES),
    SF_OP(TensorListSetItem, .inputs = "input_handle: variant, index: int32, item: element_dtype",
          .outputs = "output_handle: variant",
          .attrs = ELEM ", resize_if_index_out_of_bounds: bool = false", .infer = infer_list_set),
    SF_OP(TensorListFromTensor, .inputs = "tensor: element_dtype, element_shape: shape_type",
          .outputs = "output_handle: variant", .attrs = ELEM ", " SHAPE_TYPE,
          .infer = infer_list_from_tensor),
    SF_OP(TensorListPushBack, .inputs = "input_handle: variant, tensor: element_dtype",
          .outputs = "output_handle: variant", .attrs = ELEM, .infer = infer_list_push),
    SF_OP(TensorListPopBack, .inputs = "input_handle: variant, element_shape: int32",
          .outputs = "output_handle: variant, tensor: element_dtype", .attrs = ELEM,
          .infer = infer_list_pop),
    SF_OP(TensorListScatter,
          .inputs = "tensor: element_dtype, indices: int32, element_shape: shape_type",
          .outputs = "output_handle: variant", .attrs = ELEM ", " SHAPE_TYPE,
          .infer = infer_list_scatter),
    SF_OP(TensorListScatterV2,
          .inputs = "tensor: element_dtype, indices: int32, element_shape: shape_type, "
                    "num_elements: int32",
          .outputs = "output_handle: variant", .attrs = ELEM ", " SHAPE_TYPE,
          .infer = infer_list_scatter),
    SF_OP(TensorListScatterIntoExistingList,
          .inputs = "input_handle: variant, tensor: element_dtype, indices: int32",
          .outputs = "output_handle: variant", .attrs = ELEM, .infer = infer_list_scatter_into,
          .variant = INTO_EXISTING),
    SF_OP(TensorListSplit,
          .inputs = "tensor: element_dtype, element_shape: shape_type, lengths: int64",
          .outputs = "output_handle: variant", .attrs = ELEM ", " SHAPE_TYPE,
          .infer = infer_list_split),
    SF_OP(TensorListResize, .inputs = "input_handle: variant, size: int32",
          .outputs = "output_handle: variant", .attrs = "", .infer = infer_list_resize),
    SF_OP(TensorListConcatLists, .inputs = "input_a: variant, input_b: variant",
          .outputs = "output: variant", .attrs = ELEM, .infer = infer_list_concat_lists,
          .grad = SF_GRAD_NONE),
    SF_OP(TensorListPushBackBatch, .inputs = "input_handles: variant, tensor: element_dtype",
          .outputs = "output_handles: variant", .attrs = ELEM, .infer = infer_list_push_batch,
          .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_tensor_list = {ops, SF_ARRAY_LEN(ops), "tensor_list"};
