/* Tensor lists: reading them. See tensor_list.h.
 * Source: list_ops.cc, kernels/list_kernels.{cc,h}. */

#include "apis/ops/state/tensor_list.h"

static const SfListIndex accessed = {1, "Trying to access element ", " in a list with ",
                                     " elements."};
static const SfListIndex gathered = {1, "Index ", " out o range; list only has ", " elements."};

static SfStatus set_output_rows(SfInfer *c, int output, SfDim rows, const SfShape *elem)
{
    return sf_set_output_shape(
        c, output, sf_shape_is_ranked(elem) ? sf_shape_concat(sf_shape_vector(rows), elem) : elem);
}

/* PartialTensorShape::MergeWith. */
static SfStatus fail_merge(SfInfer *c, SfPlace place, const SfShape *given, const SfShape *is)
{
    const bool ranks = sf_shape_rank(given) != sf_shape_rank(is);
    return ranks ? sf_fail_with(c, SF_DIAG_MERGE_RANK, SF_INPUT(0), place,
                                "PartialTensorShape: Incompatible ranks during merge: {0} vs. {1}",
                                SF_INT_ARG(sf_shape_rank(given)), SF_INT_ARG(sf_shape_rank(is)))
                 : sf_fail_with(c, SF_DIAG_MERGE_DIM, SF_INPUT(0), place,
                                "PartialTensorShape: Incompatible shapes during merge: {0} vs. {1}",
                                SF_SHAPE_ARG(given), SF_SHAPE_ARG(is));
}

/* Input `i` gives a shape that must fit every element. */
typedef struct Merge {
    int i;
    const SfShape *given;
} Merge;

static SfStatus check_items(SfInfer *c, const void *data)
{
    const Merge *m = data;
    const SfList list = sf_list_of(c, 0);
    return sf_shape_compatible(m->given, sf_list_best(&list))
               ? SF_OK
               : fail_merge(c, SF_INPUT(m->i), m->given, sf_list_best(&list));
}

/* `elem` comes in as what input `i` gives, and goes out as what is known of the elements. */
static SfStatus want_items(SfInfer *c, const SfList *list, int i, const SfShape **elem)
{
    const Merge m = {i, *elem};
    SF_TRY(sf_common_kernel_first(c, check_items, &m));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), list->elem, SF_INPUT(i), *elem, elem));
    SF_TRY(sf_common_kernel_last(c, check_items, &m));
    const SfShape *both = sf_shape_meet(*elem, sf_list_best(list));
    *elem = both && sf_shape_is_bottom(both) ? *elem : both;
    return *elem ? SF_OK : SF_NOMEM;
}

static SfStatus infer_list_item(SfInfer *c)
{
    const SfShape *elem;
    const SfList list = sf_list_of(c, 0);
    if (sf_common_runs(c) && sf_shape_is_ranked(list.elem)) {
        elem = list.elem; /* the kernel does not look at the argument */
    } else {
        SF_TRY(sf_list_element_shape(c, 2, &elem));
    }
    SF_TRY(sf_list_want_expected(c, &list));
    SF_TRY(sf_want_merge(c, SF_INPUT(0), list.elem, SF_INPUT(2), elem, &elem));
    SF_TRY(sf_kernel_check(c, sf_list_check_index, &accessed));
    const SfShape *both = sf_shape_meet(elem, sf_list_best(&list));
    return sf_set_output_shape(c, 0, both && sf_shape_is_bottom(both) ? sf_list_best(&list) : both);
}

static SfStatus check_stack(SfInfer *c, const void *data)
{
    const SfShape *elem = *(const SfShape *const *)data;
    const SfList list = sf_list_of(c, 0);
    const int64_t n = sf_attr_int(c, "num_elements");
    SF_TRY(sf_require_as(
        c, n == -1 || !sf_dim_is_known(list.length) || n == list.length, SF_DIAG_RUN_REFUSED,
        SF_ATTR("num_elements"), SF_INPUT(0),
        "Operation expected a list with {0} elements but got a list with {1} elements.",
        SF_INT_ARG(n), SF_DIM_ARG(list.length)));
    const bool open = !sf_dim_is_known(sf_shape_count(elem));
    return sf_require_as(
        c, list.length != 0 || !open || !sf_common_runs(c), SF_DIAG_RUN_REFUSED, SF_INPUT(0),
        SF_INPUT(1),
        "Tried to stack elements of an empty list with non-fully-defined element_shape: {0}",
        SF_SHAPE_ARG(elem));
}

static SfStatus infer_list_stack(SfInfer *c)
{
    const SfShape *elem;
    const SfList list = sf_list_of(c, 0);
    const int64_t n = sf_attr_int(c, "num_elements");
    SF_TRY(sf_list_element_shape(c, 1, &elem));
    SF_TRY(sf_list_want_read(c, &list));
    SF_TRY(want_items(c, &list, 1, &elem));
    SF_TRY(sf_require_as(c, n >= -1 || !sf_shape_is_ranked(elem) || sf_common_runs(c),
                         SF_DIAG_SHAPE_ENTRY, SF_ATTR("num_elements"), SF_THE_OP,
                         "Dimension {0} must be >= 0", SF_INT_ARG(n)));
    SF_TRY(sf_kernel_check(c, check_stack, &elem));
    return set_output_rows(c, 0, n >= 0 ? n : list.length, elem);
}

/* TensorListGather: an element for each index; construction keeps the shape of the indices, the
 * kernel does not. */
static SfStatus infer_list_gather(SfInfer *c)
{
    const SfShape *elem;
    const SfList list = sf_list_of(c, 0);
    SF_TRY(sf_list_element_shape(c, 2, &elem));
    SF_TRY(sf_list_want_expected(c, &list));
    SF_TRY(want_items(c, &list, 2, &elem));
    SF_TRY(sf_kernel_check(c, sf_list_check_index, &gathered));
    const SfShape *indices = sf_input(c, 1);
    const SfDim n = sf_shape_count(indices); /* past int64: of indices that can't be made */
    return set_output_rows(c, 0,
                           sf_shape_rank(indices) == 1 ? sf_shape_dim(indices, 0)
                           : n == SF_DIM_BOTTOM        ? SF_DIM_UNKNOWN
                                                       : n,
                           elem);
}

static SfStatus check_vectors(SfInfer *c, const void *data)
{
    const SfShape *elem = *(const SfShape *const *)data;
    return sf_require(c, sf_shape_rank(elem) != 0, SF_INPUT(0),
                      "Concat requires elements to be at least vectors, found scalars instead.");
}

static SfStatus set_output_concat(SfInfer *c, const SfList *list, const SfShape *elem)
{
    const int rank = sf_shape_rank(elem);
    SF_TRY(sf_kernel_check(c, check_vectors, &elem));
    const SfDim first = rank > 0 ? sf_shape_dim(elem, 0) : SF_DIM_UNKNOWN;
    const SfDim total = sf_dim_is_known(first) && sf_dim_is_known(list->length) && list->known &&
                                sf_shape_rank(sf_list_best(list)) > 0
                            ? sf_dim_mul(first, list->length)
                            : SF_DIM_UNKNOWN;
    SF_TRY(sf_set_output_shape(
        c, 0,
        rank > 0 ? sf_shape_replace(elem, 0, total == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : total)
                 : sf_shape_unknown()));
    return sf_set_output_vector(c, 1, list->length);
}

/* The kernel merges what it is given with every element, without their first dims. */
static SfStatus check_merge(SfInfer *c, const void *data)
{
    const SfShape *given = *(const SfShape *const *)data;
    const SfList list = sf_list_of(c, 0);
    const SfShape *is =
        list.item || (list.any && list.exact) ? sf_list_best(&list) : sf_shape_unknown();
    const int rank = sf_shape_rank(given);
    if (rank <= 0 || sf_shape_rank(is) <= 0) {
        return SF_OK;
    }
    const SfShape *a = sf_shape_slice(given, 1, rank);
    const SfShape *b = sf_shape_slice(is, 1, sf_shape_rank(is));
    SF_TRY_ALLOC(a && b);
    if (!sf_shape_compatible(a, b)) {
        return fail_merge(c, SF_THE_OP, a, b);
    }
    const SfDim want = sf_shape_dim(given, 0);
    const SfDim first = sf_shape_dim(is, 0);
    return sf_require_as(
        c, sf_output_count(c) != 2 || sf_input_count(c) <= 1 || sf_dim_compatible(want, first),
        SF_DIAG_DIM_EQUAL, SF_INPUT(0), SF_THE_OP,
        "First entry of element_shape input does not match the first dim of list element at index: "
        "0 Expected: {0} Actual: {1}",
        SF_DIM_ARG(want), SF_DIM_ARG(first));
}

static SfStatus set_output_merged(SfInfer *c, const SfList *list, const SfShape *elem)
{
    const SfShape *both = sf_shape_meet(elem, sf_list_best(list));
    return !both ? SF_NOMEM
                 : set_output_concat(c, list, sf_shape_is_bottom(both) ? sf_list_best(list) : both);
}

/* TensorListConcat: the first dim of its attr is not looked at when it runs, and nothing of it when
 * the list itself declares a known shape: the kernel then believes the attr. */
static SfStatus infer_list_concat(SfInfer *c)
{
    const SfList list = sf_list_of(c, 0);
    const SfShape *elem = sf_attr_shape(c, "element_shape");
    SF_TRY(sf_list_want_read(c, &list));
    if (sf_common_runs(c) && list.exact && sf_shape_is_known(list.elem) &&
        sf_shape_rank(list.elem) > 0 && sf_shape_rank(elem) > 0) {
        return set_output_concat(c, &list, sf_shape_replace(elem, 0, sf_shape_dim(list.elem, 0)));
    }
    SF_TRY(sf_common_kernel_first(c, check_merge, &elem));
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_merge(c, SF_ATTR("element_shape"), elem, SF_INPUT(0), list.elem, NULL));
    }
    SF_TRY(sf_common_kernel_last(c, check_merge, &elem));
    return set_output_merged(
        c, &list, sf_shape_rank(elem) > 0 ? sf_shape_replace(elem, 0, SF_DIM_UNKNOWN) : elem);
}

static SfStatus infer_list_concat_v2(SfInfer *c)
{
    const SfShape *elem;
    const SfList list = sf_list_of(c, 0);
    SF_TRY(sf_list_element_shape(c, 1, &elem));
    SF_TRY(sf_list_want_read(c, &list));
    SF_TRY(sf_common_kernel_first(c, check_merge, &elem));
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_merge(c, SF_INPUT(1), elem, SF_INPUT(0), list.elem, NULL));
    }
    SF_TRY(sf_common_kernel_last(c, check_merge, &elem));
    return set_output_merged(c, &list, elem);
}

/* A vector, or the scalar -1. */
static SfStatus infer_list_element_shape(SfInfer *c)
{
    const SfList list = sf_list_of(c, 0);
    const int rank = sf_shape_rank(list.elem);
    return rank >= 0 ? sf_set_output_vector(c, 0, rank) : sf_set_output_unknown(c, 0);
}

/* Only a run knows its number: construction of TensorFlow folds nothing here. */
static SfStatus infer_list_length(SfInfer *c)
{
    const SfList list = sf_list_of(c, 0);
    SF_TRY(sf_set_output_scalar(c, 0));
    if (sf_common_runs(c) && sf_dim_is_known(list.length)) {
        sf_set_output_value(c, 0, sf_value_int(SF_DT_INT32, list.length));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
#define ELEM "element_dtype: type"
#define SHAPE_TYPE "shape_type: {int32, int64}"

static const SfOpDef ops[] = {
    SF_OP(TensorListGetItem,
          .inputs = "input_handle: variant, index: int32, element_shape: Tshape",
          .outputs = "item: element_dtype", .attrs = ELEM ", Tshape: {int32, int64} = int32",
          .infer = infer_list_item),
    SF_OP(TensorListStack, .inputs = "input_handle: variant, element_shape: int32",
          .outputs = "tensor: element_dtype", .attrs = ELEM ", num_elements: int = -1",
          .infer = infer_list_stack),
    SF_OP(TensorListLength, .inputs = "input_handle: variant", .outputs = "length: int32",
          .attrs = "", .infer = infer_list_length, .grad = SF_GRAD_NONE),
    SF_OP(TensorListElementShape, .inputs = "input_handle: variant",
          .outputs = "element_shape: shape_type", .attrs = SHAPE_TYPE,
          .infer = infer_list_element_shape, .grad = SF_GRAD_NONE),
    SF_OP(TensorListGather,
          .inputs = "input_handle: variant, indices: int32, element_shape: int32",
          .outputs = "values: element_dtype", .attrs = ELEM, .infer = infer_list_gather),
    SF_OP(TensorListConcat, .inputs = "input_handle: variant",
          .outputs = "tensor: element_dtype, lengths: int64",
          .attrs = ELEM ", element_shape: shape = ?", .infer = infer_list_concat),
    SF_OP(TensorListConcatV2,
          .inputs = "input_handle: variant, element_shape: shape_type, leading_dims: int64",
          .outputs = "tensor: element_dtype, lengths: int64", .attrs = ELEM ", " SHAPE_TYPE,
          .infer = infer_list_concat_v2),
};
/* clang-format on */
const SfOpTable sf_ops_tensor_list_read = {ops, SF_ARRAY_LEN(ops), "tensor_list_read"};
