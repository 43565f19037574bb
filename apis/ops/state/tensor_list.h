/* Private to apis/ops: what is known of a tensor list, a value of dtype variant.
 * Invariant: it is kept beside the handle, as a shape; a list is never changed in place.
 * Owner: nothing; what it points to is interned. Source: TensorList of TensorFlow's kernels. */
#ifndef SF_APIS_OPS_TENSOR_LIST_H
#define SF_APIS_OPS_TENSOR_LIST_H

#include "apis/ops/shared/common.h"

/* The value of a list is a record of it, kept as a shape. `elem` is the shape that was declared of
 * the elements: it stays with the list, whatever comes in. */
typedef struct SfList {
    bool known;
    bool any;   /* an element is there, not only room for it */
    bool exact; /* the kernel has elem as it is here */
    SfDtype dtype;
    const SfShape *elem, *item; /* item: every element is there, and of this shape; or NULL */
    SfDim length;
} SfList;

SfList sf_list_of(SfInfer *c, int i);
SfStatus sf_list_set_output(SfInfer *c, SfList list);
/* What an element fits, for all that is known. */
const SfShape *sf_list_best(const SfList *list);

/* The element_shape that input i holds: a vector, or the scalar -1 for any. */
SfStatus sf_list_element_shape(SfInfer *c, int i, const SfShape **out);
/* The dtype of the elements is attr element_dtype; the message is that of construction, else
 * the kernel's. */
SfStatus sf_list_want_expected(SfInfer *c, const SfList *list);
SfStatus sf_list_want_read(SfInfer *c, const SfList *list);

/* Index against length, with a message that names both. */
typedef struct SfListIndex {
    int input;
    const char *before, *between, *after;
} SfListIndex;
SfStatus sf_list_check_index(SfInfer *c, const void *data); /* data: SfListIndex */

#endif
