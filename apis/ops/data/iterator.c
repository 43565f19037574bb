/* Iterators over datasets: what they give is declared by output_types and output_shapes.
 * Source: dataset_ops.cc (IteratorGetNextShapeFn). */
#include "apis/apis.h"
#include "apis/ops/data/dataset.h"

/* What is expected of the iterator: types and shapes, or either alone. */
static SfStatus infer_from_string(SfInfer *c)
{
    const SfDtype *types;
    const SfShape *const *shapes;
    const int n = sf_attr_types(c, "output_types", &types),
              m = sf_attr_shapes(c, "output_shapes", &shapes);
    SF_TRY(sf_require_as(
        c, !sf_common_runs(c) || n <= 0 || m <= 0 || n == m, SF_DIAG_RUN_REFUSED,
        SF_ATTR("output_types"), SF_ATTR("output_shapes"),
        "If both 'output_types' and 'output_shapes' are set, they must have the same length."));
    return sf_infer_scalar(c);
}

/* table */

/* clang-format off */
#define COMPONENTS SF_DATASET_TYPES
#define OPTIONAL "output_types: list(type) >= 0 = [], output_shapes: list(shape) >= 0 = []"
#define NAMED "shared_name: string, container: string, " COMPONENTS
#define ITERATOR(name, in_, out_, attrs_, infer_, traits_) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | (traits_), \
          .grad = SF_GRAD_MISSING)
#define OWNS SF_OP_STATE

static const SfOpDef ops[] = {
    ITERATOR(Iterator, "", "handle: resource", NAMED, sf_infer_scalar, OWNS),
    ITERATOR(IteratorV2, "", "handle: resource", NAMED, sf_infer_scalar, OWNS),
    ITERATOR(OneShotIterator, "", "handle: resource",
             "dataset_factory: func, " COMPONENTS ", container: string = '', "
             "shared_name: string = ''", sf_infer_scalar, OWNS),
    ITERATOR(AnonymousIterator, "", "handle: resource", COMPONENTS, sf_infer_scalar, OWNS),
    ITERATOR(AnonymousIteratorV2, "", "handle: resource, deleter: variant", COMPONENTS,
             sf_infer_scalar, OWNS),
    ITERATOR(AnonymousIteratorV3, "", "handle: resource", COMPONENTS, sf_infer_scalar, OWNS),
    ITERATOR(IteratorGetNext, "iterator: resource", "components: output_types", COMPONENTS,
             sf_dataset_infer_components, 0),
    ITERATOR(IteratorGetNextSync, "iterator: resource", "components: output_types", COMPONENTS,
             sf_dataset_infer_components, 0),
    ITERATOR(IteratorGetNextAsOptional, "iterator: resource", "optional: variant", COMPONENTS,
             sf_infer_scalar, 0),
    ITERATOR(MakeIterator, "dataset: variant, iterator: resource", "", "", sf_infer_no_output, 0),
    ITERATOR(DeleteIterator, "handle: resource, deleter: variant", "", "", sf_infer_no_output, 0),
    ITERATOR(IteratorToStringHandle, "resource_handle: resource", "string_handle: string", "",
             sf_infer_scalar, 0),
    ITERATOR(IteratorFromStringHandle, "string_handle: string", "resource_handle: resource",
             OPTIONAL, infer_from_string, OWNS | SF_OP_ASK_KERNEL),
    ITERATOR(IteratorFromStringHandleV2, "string_handle: string", "resource_handle: resource",
             OPTIONAL, infer_from_string, OWNS | SF_OP_ASK_KERNEL),
    ITERATOR(SerializeIterator, "resource_handle: resource", "serialized: variant",
             "external_state_policy: int = 0", SF_SHAPES("-> [?]"), 0),
    ITERATOR(DeserializeIterator, "resource_handle: resource, serialized: variant", "", "",
             sf_infer_no_output, 0),
};
/* clang-format on */
const SfOpTable sf_ops_iterator = {ops, SF_ARRAY_LEN(ops), "iterator"};
