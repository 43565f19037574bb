/* Lookup tables: keys of a dtype and shape to values of a dtype and shape, as their owner declares.
 * Source: lookup_ops.cc, lookup_table_op.h, lookup_util.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "core/graph/graph.h"

#define SF_2_0 SF_VERSION(2, 0)

enum { FIXED, MUTABLE, OF_TENSORS }; /* variant of a table; OF_TENSORS is mutable too */

static SfStatus infer_table(SfInfer *c);

/* what a handle stands for */

typedef struct Table {
    const SfNode *owner; /* NULL: not known */
    bool checked;        /* construction knows its types: all but HashTable, which is immutable */
    SfDtype key, value;
    const SfShape *key_shape, *value_shape;
} Table;

static SfDtype type_of(const SfNode *n, const char *attr)
{
    const SfAttr *a = sf_node_attr(n, attr);
    return a ? a->u.type : SF_DT_INVALID;
}

static Table table_behind(const SfInfer *c)
{
    Table t = {.owner = sf_input_state_node(c, 0),
               .key_shape = sf_shape_scalar(),
               .value_shape = sf_shape_scalar()};
    if (!t.owner || !sf_node_attr(t.owner, "value_dtype")) {
        t.owner = NULL;
        return t;
    }
    const SfOpDef *def = t.owner->sig->def;
    t.checked = def->infer == infer_table && def->variant != FIXED;
    t.key = type_of(t.owner, "key_dtype");
    t.value = type_of(t.owner, "value_dtype");
    const SfAttr *shape = sf_node_attr(t.owner, "value_shape");
    if (shape && shape->u.shape) {
        t.value_shape = shape->u.shape;
    }
    if (t.owner->nin > 0 && t.owner->inputs[0].shape) {
        t.key_shape = t.owner->inputs[0].shape; /* of empty_key */
    }
    return t;
}

static SfStatus want_handle(SfInfer *c)
{
    if (!sf_dtype_is_ref(sf_input_dtype(c, 0))) {
        return sf_want_scalar(c, SF_INPUT(0));
    }
    SF_TRY(sf_want_vector(c, SF_INPUT(0)));
    return sf_want_dim(c, SF_AXIS(0, 0), 2);
}

static SfStatus want_type(SfInfer *c, SfDtype is, const char *attr)
{
    const SfDtype asked = sf_attr_type(c, attr);
    if (is == SF_DT_INVALID || is == asked) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_ATTR(attr),
                        "Trying to read value with wrong dtype. Expected {0} got {1}",
                        SF_DTYPE_ARG(is), SF_DTYPE_ARG(asked));
}

static SfStatus want_types(SfInfer *c, const Table *t, const char *key, const char *value)
{
    if (!t->checked) {
        return SF_OK;
    }
    SF_TRY(want_type(c, t->key, key));
    return want_type(c, t->value, value);
}

/* The values of keys: the key's own axes are replaced by the value's. Unknown when the owner or a
 * rank is. */
static SfStatus value_shape(SfInfer *c, const Table *t, const SfShape **out)
{
    const SfShape *keys = sf_input(c, 1);
    const int rank = sf_shape_rank(keys), inner = sf_shape_rank(t->key_shape);
    *out = sf_shape_unknown();
    if (!t->owner || rank < 0 || inner < 0) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, rank >= inner, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(0),
                         "Expected keys to have suffix {0} but saw shape: {1}",
                         SF_SHAPE_ARG(t->key_shape), SF_SHAPE_ARG(keys)));
    *out = sf_shape_concat(sf_shape_slice(keys, 0, rank - inner), t->value_shape);
    return *out ? SF_OK : SF_NOMEM;
}

/* reading */

/* Only tables that are filled once know whether they are. */
static SfStatus check_filled(SfInfer *c, const Table *t)
{
    SfState now;
    if (sf_phase(c) != SF_PHASE_RUN || !t->owner || t->checked || !sf_state_read(c, 0, &now) ||
        now.initialized) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_UNINITIALIZED, SF_INPUT(0), SF_THE_OP, "Table not initialized.");
}

static SfStatus check_default(SfInfer *c, const void *data)
{
    const Table *t = data;
    const SfShape *given = sf_input(c, 2), *values;
    SF_TRY(value_shape(c, t, &values));
    if (!t->owner || sf_shape_compatible(given, t->value_shape)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, sf_version(c) >= SF_2_0, SF_DIAG_RUN_REFUSED, SF_INPUT(2), SF_INPUT(0),
                         "Expected shape {0} for default value, got {1}",
                         SF_SHAPE_ARG(t->value_shape), SF_SHAPE_ARG(given)));
    return sf_require_as(c, sf_shape_compatible(given, values), SF_DIAG_RUN_REFUSED, SF_INPUT(2),
                         SF_INPUT(0), "Expected shape {0} or {1} for default value, got {2}",
                         SF_SHAPE_ARG(t->value_shape), SF_SHAPE_ARG(values), SF_SHAPE_ARG(given));
}

static SfStatus infer_find(SfInfer *c)
{
    const Table t = table_behind(c);
    const SfShape *values;
    SF_TRY(want_handle(c));
    if (sf_version(c) < SF_2_0) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(2), 1, NULL));
    }
    SF_TRY(want_types(c, &t, "Tin", "Tout"));
    SF_TRY(value_shape(c, &t, &values));
    SF_TRY(sf_kernel_check(c, check_default, &t));
    SF_TRY(check_filled(c, &t));
    return sf_set_output_shape(c, 0, values);
}

static SfStatus infer_size(SfInfer *c)
{
    SF_TRY(want_handle(c));
    return sf_set_output_scalar(c, 0);
}

/* All keys and their values, in any number. */
static SfStatus infer_export(SfInfer *c)
{
    const Table t = table_behind(c);
    const SfShape *n = sf_shape_vector(SF_DIM_UNKNOWN);
    SF_TRY(want_handle(c));
    SF_TRY(want_types(c, &t, "Tkeys", "Tvalues"));
    if (!t.owner) {
        SF_TRY(sf_set_output_vector(c, 0, SF_DIM_UNKNOWN));
        return sf_set_output_unknown(c, 1);
    }
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_concat(n, t.key_shape)));
    return sf_set_output_shape(c, 1, sf_shape_concat(n, t.value_shape));
}

/* writing */

static void fill(SfInfer *c)
{
    sf_state_write(c, 0, &(SfState){.shape = sf_shape_unknown(), .initialized = true});
}

static int insert_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const Table t = table_behind(c);
    const SfShape *want;
    out[0] = SF_SHAPE_ARG(value_shape(c, &t, &want) == SF_OK ? want : sf_shape_unknown());
    return 1;
}

static const SfMessage insert_messages[] = {{SF_ON_MERGE, SF_AS(RUN_REFUSED), .args = insert_args,
                                             .text = "Expected shape {0} for value, got {shape 2}"},
                                            {0}};

static SfStatus insert_kernel(SfInfer *c, const void *data)
{
    const SfShape *want;
    SF_TRY(value_shape(c, data, &want));
    return sf_want_merge(c, SF_INPUT(2), sf_input(c, 2), SF_INPUT(1), want, NULL);
}

/* Insert: values for keys; only the kernel compares them. */
static SfStatus infer_insert(SfInfer *c)
{
    const Table t = table_behind(c);
    SF_TRY(want_handle(c));
    sf_kernel_messages(c, insert_messages);
    SF_TRY(sf_kernel_check(c, insert_kernel, &t));
    fill(c);
    return SF_OK;
}

static const SfMessage initialize_messages[] = {
    {SF_ON(MERGE_DIM), .text = "Keys and values must have the same size {count 1} vs {count 2}"},
    {0}};

static SfStatus filled_kernel(SfInfer *c)
{
    return sf_require_as(c, sf_shape_count(sf_input(c, 1)) != 0, SF_DIAG_RUN_REFUSED, SF_INPUT(1),
                         SF_INPUT(2), "keys and values cannot be empty tensors.");
}

/* InitializeTable: two vectors of one length. */
static SfStatus infer_initialize(SfInfer *c)
{
    const SfShape *keys;
    sf_kernel_messages(c, initialize_messages);
    SF_TRY(want_handle(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &keys));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), keys, SF_INPUT(2), sf_input(c, 2), NULL));
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_ask_kernel(c, filled_kernel));
    }
    fill(c);
    return SF_OK;
}

/* What construction wants of a resource table; from 2.0 on values may have axes of their own behind
 * the keys'. */
static SfStatus want_import(SfInfer *c)
{
    const SfShape *keys;
    if (sf_common_runs(c) || sf_dtype_is_ref(sf_input_dtype(c, 0)) ||
        sf_version(c) <= SF_VERSION(1, 8)) {
        return SF_OK;
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &keys));
    if (sf_version(c) < SF_2_0) {
        return sf_want_merge(c, SF_INPUT(1), keys, SF_INPUT(2), sf_input(c, 2), NULL);
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(2), 1, NULL));
    return sf_shape_is_ranked(sf_input(c, 2))
               ? sf_want_same_dim(c, SF_AXIS(1, 0), SF_AXIS(2, 0), NULL)
               : SF_OK;
}

/* Import: its kernel compares keys and values as Insert's does. */
static SfStatus infer_import(SfInfer *c)
{
    const Table t = table_behind(c);
    SF_TRY(want_handle(c));
    SF_TRY(want_import(c));
    sf_kernel_messages(c, insert_messages);
    SF_TRY(sf_kernel_check(c, insert_kernel, &t));
    fill(c);
    return SF_OK;
}

static SfStatus infer_from_file(SfInfer *c)
{
    SF_TRY(want_handle(c));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    fill(c);
    return SF_OK;
}

static SfStatus infer_from_dataset(SfInfer *c)
{
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    SF_TRY(sf_want_scalar(c, SF_INPUT(1)));
    fill(c);
    return SF_OK;
}

static SfStatus infer_remove(SfInfer *c)
{
    SF_TRY(want_handle(c));
    return sf_common_runs(c) ? SF_OK : sf_want_rank_at_least(c, SF_INPUT(1), 1, NULL);
}

/* A table of tensors has vectors for values; the dense one anything. */
static SfStatus tensors_kernel(SfInfer *c)
{
    const SfShape *s = sf_attr_shape(c, "value_shape");
    SF_TRY(sf_require(c, !sf_shape_is_ranked(s) || sf_shape_is_known(s), SF_ATTR("value_shape"),
                      "Shape {0} is not fully defined", SF_SHAPE_ARG(s)));
    return sf_require(c, sf_shape_rank(s) < 0 || sf_shape_rank(s) == 1, SF_ATTR("value_shape"),
                      "Default value must be a vector, got shape {0}", SF_SHAPE_ARG(s));
}

/* A reference handle is the vector (container, name). */
static SfStatus infer_table(SfInfer *c)
{
    if (sf_op_variant(c) == OF_TENSORS) {
        SF_TRY(sf_ask_kernel(c, tensors_kernel));
    }
    return sf_dtype_is_ref(sf_output_dtype(c, 0)) ? sf_set_output_vector(c, 0, 2)
                                                  : sf_set_output_scalar(c, 0);
}

/* table */

/* clang-format off */
#define NAMES \
    "container: string = '', shared_name: string = '', use_node_name_sharing: bool = false, "
#define TYPES "key_dtype: type, value_dtype: type"
#define VALUES ", value_shape: shape = []"
#define BUCKETS ", initial_num_buckets: int = 131072, max_load_factor: float = 0.800000011920929"
#define MAKE(name, in_, out_, attrs_, grad_, variant_) \
    SF_OP(name, .inputs = in_, .outputs = "table_handle: " out_, .attrs = attrs_, \
          .infer = infer_table, .cost = sf_common_cost_none, \
          .traits = SF_OP_STATEFUL | SF_OP_STATE, .grad = grad_, .variant = (variant_))
#define MAKE_BOTH(name, attrs_, variant_) \
    MAKE(name, "", "Ref(string)", NAMES attrs_, SF_GRAD_NONE, variant_), \
    MAKE(name##V2, "", "resource", NAMES attrs_, SF_GRAD_NONE, variant_)
#define USE(name, in_, out_, attrs_, infer_, writes_, grad_) \
    SF_OP(name, .inputs = "table_handle: Ref(string)" in_, .outputs = out_, .attrs = attrs_, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | (writes_), \
          .grad = grad_), \
    SF_OP(name##V2, .inputs = "table_handle: resource" in_, .outputs = out_, .attrs = attrs_, \
          .infer = infer_, .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | (writes_), \
          .grad = grad_)
#define IN_OUT "Tin: type, Tout: type"

static const SfOpDef ops[] = {
    MAKE_BOTH(HashTable, TYPES, FIXED),
    MAKE_BOTH(MutableHashTable, TYPES, MUTABLE),
    MAKE_BOTH(MutableHashTableOfTensors, TYPES VALUES, OF_TENSORS),
    MAKE(MutableDenseHashTable, "empty_key: key_dtype", "Ref(string)", NAMES TYPES VALUES BUCKETS,
         SF_GRAD_NONE, MUTABLE),
    MAKE(MutableDenseHashTableV2, "empty_key: key_dtype, deleted_key: key_dtype", "resource",
         NAMES TYPES VALUES BUCKETS, SF_GRAD_NONE, MUTABLE),
    MAKE(AnonymousHashTable, "", "resource", TYPES, SF_GRAD_MISSING, FIXED),
    MAKE(AnonymousMutableHashTable, "", "resource", TYPES, SF_GRAD_MISSING, MUTABLE),
    MAKE(AnonymousMutableHashTableOfTensors, "", "resource", TYPES VALUES, SF_GRAD_MISSING,
         OF_TENSORS),
    MAKE(AnonymousMutableDenseHashTable, "empty_key: key_dtype, deleted_key: key_dtype",
         "resource", TYPES VALUES BUCKETS, SF_GRAD_MISSING, MUTABLE),
    USE(LookupTableFind, ", keys: Tin, default_value: Tout", "values: Tout", IN_OUT, infer_find, 0,
        SF_GRAD_NONE),
    USE(LookupTableSize, "", "size: int64", "", infer_size, 0, SF_GRAD_NONE),
    USE(LookupTableInsert, ", keys: Tin, values: Tout", "", IN_OUT, infer_insert, SF_OP_WRITES,
        SF_GRAD_NONE),
    USE(LookupTableImport, ", keys: Tin, values: Tout", "", IN_OUT, infer_import, SF_OP_WRITES,
        SF_GRAD_MISSING),
    USE(LookupTableExport, "", "keys: Tkeys, values: Tvalues", "Tkeys: type, Tvalues: type",
        infer_export, 0, SF_GRAD_MISSING),
    USE(InitializeTable, ", keys: Tkey, values: Tval", "", "Tkey: type, Tval: type",
        infer_initialize, SF_OP_WRITES, SF_GRAD_NONE),
    USE(InitializeTableFromTextFile, ", filename: string", "",
        "key_index: int >= -2, value_index: int >= -2, vocab_size: int >= -1 = -1, "
        "delimiter: string = '\t', offset: int = 0", infer_from_file, SF_OP_WRITES, SF_GRAD_NONE),
    SF_OP(InitializeTableFromDataset, .inputs = "table_handle: resource, dataset: variant",
          .infer = infer_from_dataset, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_MISSING),
    SF_OP(LookupTableRemoveV2, .inputs = "table_handle: resource, keys: Tin", .attrs = "Tin: type",
          .infer = infer_remove, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_lookup = {ops, SF_ARRAY_LEN(ops), "lookup"};
