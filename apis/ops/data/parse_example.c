/* tf.Example and tf.SequenceExample protos taken apart: a sparse feature becomes indices, values
 * and a shape; a dense one has the shape that was declared, behind the batch. Source:
 * parsing_ops.cc, example_proto_helper.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "core/base/arena.h"
#include "core/graphdef/attr_value.h"

/* setting outputs by name */

static SfStatus set_all_outputs(SfInfer *c, const char *output, const SfShape *s)
{
    int first;
    const int n = sf_output_range(c, output, &first);
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_set_output_shape(c, first + i, s));
    }
    return SF_OK;
}

/* Three lists: indices [?, rank], values [?], shapes [rank]. */
static SfStatus set_output_sparse(SfInfer *c, const char *const names[3], SfDim rank)
{
    SF_TRY(set_all_outputs(c, names[0], sf_shape_matrix(SF_DIM_UNKNOWN, rank)));
    SF_TRY(set_all_outputs(c, names[1], sf_shape_vector(SF_DIM_UNKNOWN)));
    return set_all_outputs(c, names[2], sf_shape_vector(rank));
}

/* Each dense feature: `batch`, then what the attr declares (of unknown rank: nothing). */
static SfStatus set_output_dense(SfInfer *c, const char *output, const char *attr,
                                 const SfShape *batch)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, attr, &shapes);
    int first;
    const int outputs = sf_output_range(c, output, &first);
    for (int i = 0; i < n && i < outputs; i++) {
        const SfShape *s = sf_shape_is_ranked(shapes[i]) ? shapes[i] : sf_shape_scalar();
        SF_TRY(sf_set_output_shape(c, first + i, sf_shape_concat(batch, s)));
    }
    return SF_OK;
}

/* attrs that must agree */

/* Number of entries of a list attr, or the number attr itself. */
static int64_t attr_length(const SfInfer *c, const char *name)
{
    const SfAttr *a = sf_attr(c, name);
    return a->type >= SF_ATTR_LIST ? a->u.list.n : a->u.i;
}

/* `keys` and `of` name attrs; messages call them by the feature's list, not by the count's name. */
static SfStatus want_lengths(SfInfer *c, const char *keys, const char *keys_name, const char *of,
                             const char *of_name)
{
    if (attr_length(c, keys) == attr_length(c, of)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_ATTR(of), SF_ATTR(keys), "len({0}) != len({1})",
                        SF_TEXT_ARG(keys_name), SF_TEXT_ARG(of_name));
}

/* Only the first dim of a dense shape may be open: features of variable length. */
static SfStatus want_dense_shapes(SfInfer *c, const char *attr)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, attr, &shapes);
    for (int i = 0; i < n; i++) {
        const int rank = sf_shape_rank(shapes[i]);
        bool ok = rank >= 0;
        for (int axis = 1; axis < rank; axis++) {
            ok = ok && sf_dim_is_known(sf_shape_dim(shapes[i], axis));
        }
        SF_TRY(sf_expect(c, ok, SF_ATTR(attr),
                         "dense_shapes[{0}] has unknown rank or unknown inner dimensions: {1}",
                         SF_INT_ARG(i), SF_SHAPE_ARG(shapes[i])));
    }
    return SF_OK;
}

/* what kernels ask */

/* The protos are of rank `least` to `most`. */
static SfStatus check_serialized(SfInfer *c, int least, int most)
{
    const SfShape *s = sf_input(c, 0);
    const int rank = sf_shape_rank(s);
    return sf_require(c, rank < 0 || (rank >= least && rank <= most), SF_INPUT(0),
                      "Expected serialized to be a {0}, got shape: {1}",
                      SF_TEXT_ARG(least == 1  ? "vector"
                                  : most == 0 ? "scalar"
                                              : "scalar or vector"),
                      SF_SHAPE_ARG(s));
}

static SfStatus check_names(SfInfer *c)
{
    const SfShape *names = sf_input(c, 1), *protos = sf_input(c, 0);
    const SfDim n = sf_shape_count(names);
    return sf_require_as(
        c, !sf_dim_differs(n, 0) || sf_shape_compatible(names, protos), SF_DIAG_RUN_REFUSED,
        SF_INPUT(1), SF_INPUT(0),
        "Expected names have the same shape as serialized: name.shape={0}, serialized.shape={1}",
        SF_SHAPE_ARG(names), SF_SHAPE_ARG(protos));
}

/* Input `name` of keys has as many as there are `expected`. */
static SfStatus check_keys(SfInfer *c, const char *name, int64_t expected, const char *what)
{
    int at;
    sf_input_range(c, name, &at);
    const SfDim n = sf_shape_count(sf_input(c, at));
    return sf_require(c, !sf_dim_is_known(n) || n == expected, SF_INPUT(at),
                      "Expected len({0}) == {1} but got: {2} vs. {3}", SF_TEXT_ARG(name),
                      SF_TEXT_ARG(what), SF_DIM_ARG(n), SF_INT_ARG(expected));
}

/* Defaults of an Example: of the declared shape, or empty; of a feature of variable length, one
 * element. */
static SfStatus check_defaults(SfInfer *c)
{
    const SfShape *const *shapes;
    int first;
    const int n = sf_attr_shapes(c, "dense_shapes", &shapes);
    const int given = sf_input_range(c, "dense_defaults", &first);
    for (int i = 0; i < n && i < given; i++) {
        const SfShape *s = sf_input(c, first + i);
        const SfDim count = sf_shape_count(s);
        const bool variable =
            sf_shape_rank(shapes[i]) > 0 && !sf_dim_is_known(sf_shape_dim(shapes[i], 0));
        SF_TRY(sf_require_as(
            c, !variable || !sf_dim_differs(count, 1), SF_DIAG_RUN_REFUSED, SF_INPUT(first + i),
            SF_ATTR("dense_shapes"),
            "dense_shape[{0}] is a variable length shape: {1}, therefore def_value[{0}] must "
            "contain a single element (the padding element).  But its shape is: {2}",
            SF_INT_ARG(i), SF_SHAPE_ARG(shapes[i]), SF_SHAPE_ARG(s)));
        SF_TRY(sf_require_as(
            c,
            variable || !sf_dim_is_known(count) || count <= 0 || sf_shape_compatible(s, shapes[i]),
            SF_DIAG_RUN_REFUSED, SF_INPUT(first + i), SF_ATTR("dense_shapes"),
            "def_value[{0}].shape() == {1} is not compatible with dense_shapes_[{0}] == {2}",
            SF_INT_ARG(i), SF_SHAPE_ARG(s), SF_SHAPE_ARG(shapes[i])));
    }
    return SF_OK;
}

/* Of a SequenceExample: shapes are known whole, or not at all (a scalar). */
static SfStatus check_defined(SfInfer *c)
{
    static const char *const attrs[] = {"context_dense_shapes", "feature_list_dense_shapes"};
    for (int k = 0; k < 2; k++) {
        const SfShape *const *shapes;
        const int n = sf_attr_shapes(c, attrs[k], &shapes);
        for (int i = 0; i < n; i++) {
            SF_TRY(sf_expect(c, !sf_shape_is_ranked(shapes[i]) || sf_shape_is_known(shapes[i]),
                             SF_ATTR(attrs[k]), "Shape {0} is not fully defined",
                             SF_SHAPE_ARG(shapes[i])));
        }
    }
    return SF_OK;
}

/* Defaults of context features have their shapes, or are empty. */
static SfStatus check_sequence_shapes(SfInfer *c, const char *default_name, const char *tail)
{
    const SfShape *const *shapes;
    int first;
    const int given = sf_input_range(c, "context_dense_defaults", &first);
    const int n = sf_attr_shapes(c, "context_dense_shapes", &shapes);
    for (int i = 0; i < n && i < given; i++) {
        const SfShape *s = sf_input(c, first + i),
                      *want = sf_shape_is_ranked(shapes[i]) ? shapes[i] : sf_shape_scalar();
        const SfDim count = sf_shape_count(s);
        SF_TRY(
            sf_require_as(c, !sf_dim_is_known(count) || count <= 0 || sf_shape_compatible(s, want),
                          SF_DIAG_RUN_REFUSED, SF_INPUT(first + i), SF_ATTR("context_dense_shapes"),
                          "{0}[{1}].shape() == {2} != context_dense_shapes{3}[{1}] == {4}",
                          SF_TEXT_ARG(default_name), SF_INT_ARG(i), SF_SHAPE_ARG(s),
                          SF_TEXT_ARG(tail), SF_SHAPE_ARG(want)));
    }
    return SF_OK;
}

/* Input `name` against a number attr or the length of a list attr. */
static SfStatus check_matches(SfInfer *c, const char *name, const char *attr, const char *what)
{
    int at;
    sf_input_range(c, name, &at);
    const SfDim n = sf_shape_count(sf_input(c, at));
    return sf_require_as(c, !sf_dim_is_known(n) || n == attr_length(c, attr), SF_DIAG_RUN_REFUSED,
                         SF_INPUT(at), SF_ATTR(attr), "Expected len({0} to match {1}",
                         SF_TEXT_ARG(name), SF_TEXT_ARG(what));
}

/* ParseSequenceExample*: keys that are inputs (V2) are counted; a shape-checked debug name. */
static SfStatus check_sequence_inputs(SfInfer *c)
{
    static const char *const keys[][3] = {
        {"context_sparse_keys", "Ncontext_sparse", "Ncontext_sparse"},
        {"context_dense_keys", "Tcontext_dense", "len(Tcontext_dense)"},
        {"context_ragged_keys", "context_ragged_value_types", "len(context_ragged_value_types)"},
        {"feature_list_sparse_keys", "Nfeature_list_sparse", "Nfeature_list_sparse"},
        {"feature_list_dense_keys", "Nfeature_list_dense", "Nfeature_list_dense"},
        {"feature_list_ragged_keys", "feature_list_ragged_value_types",
         "len(feature_list_ragged_value_types)"},
    };
    int at;
    SF_TRY(check_sequence_shapes(c, "default_value", ""));
    SF_TRY(check_serialized(c, 0, 1));
    const SfDim names = sf_shape_count(sf_input(c, 1)), protos = sf_shape_count(sf_input(c, 0));
    for (int i = 0; i < SF_ARRAY_LEN(keys); i++) {
        if (sf_input_range(c, keys[i][0], &at) > 0) {
            const SfDim n = sf_shape_count(sf_input(c, at));
            SF_TRY(sf_require_as(c, !sf_dim_is_known(n) || n == attr_length(c, keys[i][1]),
                                 SF_DIAG_RUN_REFUSED, SF_INPUT(at), SF_ATTR(keys[i][1]),
                                 "Expected len({0}) to match {1}", SF_TEXT_ARG(keys[i][0]),
                                 SF_TEXT_ARG(keys[i][2])));
        }
    }
    if (sf_input_range(c, "feature_list_dense_missing_assumed_empty", &at) > 0) {
        SF_TRY(check_matches(c, "feature_list_dense_missing_assumed_empty", "Nfeature_list_dense",
                             "Nfeature_list_dense"));
    }
    return sf_require_as(c,
                         !sf_dim_differs(names, 0) || !sf_dim_is_known(protos) || names == protos,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_INPUT(0),
                         "example_names must be empty or have the correct number of elements");
}

/* ParseSingleSequenceExample: keys are scalars. */
static SfStatus check_single_sequence(SfInfer *c)
{
    static const char *const keys[] = {"context_sparse_keys", "context_dense_keys",
                                       "feature_list_sparse_keys", "feature_list_dense_keys"};
    const int last = sf_input_count(c) - 1;
    SF_TRY(check_sequence_shapes(c, "def_value", "_"));
    SF_TRY(sf_require(c, sf_shape_rank(sf_input(c, last)) <= 0, SF_INPUT(last),
                      "Expected debug_name to be a scalar, got shape: {a.shape}"));
    const SfShape *empty = sf_input(c, 1);
    SF_TRY(sf_require(
        c, sf_shape_may_have_rank(empty, 1), SF_INPUT(1),
        "Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: {0}",
        SF_SHAPE_ARG(empty)));
    SF_TRY(check_serialized(c, 0, 0));
    for (int k = 0; k < SF_ARRAY_LEN(keys); k++) {
        int first;
        const int n = sf_input_range(c, keys[k], &first);
        for (int i = 0; i < n; i++) {
            SF_TRY(sf_require(c, sf_shape_rank(sf_input(c, first + i)) <= 0, SF_INPUT(first + i),
                              "Expected {0}[{1}] to be a scalar, got shape: {a.shape}",
                              SF_TEXT_ARG(keys[k]), SF_INT_ARG(i)));
        }
    }
    return SF_OK;
}

/* An op without outputs does nothing. */
static bool is_kernel(const SfInfer *c)
{
    return sf_common_runs(c) && sf_output_count(c) > 0;
}

/* Example */

static const char *const sparse[] = {"sparse_indices", "sparse_values", "sparse_shapes"};

static SfStatus check_example(SfInfer *c, const char *nsparse, const char *ndense)
{
    SF_TRY(want_lengths(c, nsparse, "sparse_keys", "sparse_types", "sparse_types"));
    SF_TRY(want_lengths(c, ndense, "dense_keys", "Tdense", "dense_types"));
    SF_TRY(want_lengths(c, ndense, "dense_keys", "dense_shapes", "dense_shapes"));
    return want_dense_shapes(c, "dense_shapes");
}

static SfStatus infer_example(SfInfer *c)
{
    const SfShape *batch;
    SF_TRY(check_example(c, "Nsparse", "Ndense"));
    if (is_kernel(c)) {
        SF_TRY(check_serialized(c, 1, 1));
        SF_TRY(check_names(c));
        SF_TRY(check_defaults(c));
    }
    if (sf_common_runs(c)) {
        batch = sf_input(c, 0);
    } else {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &batch));
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    }
    SF_TRY(set_output_sparse(c, sparse, 2));
    return set_output_dense(c, "dense_values", "dense_shapes", batch);
}

static SfStatus infer_single_example(SfInfer *c)
{
    const int64_t n = sf_attr_int(c, "num_sparse"), keys = attr_length(c, "sparse_keys"),
                  types = attr_length(c, "sparse_types");
    SF_TRY(sf_require_as(
        c, n == keys && n == types, SF_DIAG_OP_SHAPE, SF_ATTR("num_sparse"), SF_ATTR("sparse_keys"),
        "num_sparse ({0}) must match the size of sparse_keys ({1}) and sparse_types ({2})",
        SF_INT_ARG(n), SF_INT_ARG(keys), SF_INT_ARG(types)));
    SF_TRY(check_example(c, "sparse_keys", "dense_keys"));
    if (is_kernel(c)) {
        SF_TRY(check_serialized(c, 0, 0));
        SF_TRY(check_defaults(c));
    }
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    }
    SF_TRY(set_output_sparse(c, sparse, 1));
    return set_output_dense(c, "dense_values", "dense_shapes", sf_shape_scalar());
}

/* Of the versions that take a scalar or a vector of protos. */
typedef struct Batch {
    const SfShape *shape;
    SfDim rank;   /* of the protos */
    SfDim splits; /* of a ragged row partition over the batch */
} Batch;

static SfStatus want_batch(SfInfer *c, Batch *out)
{
    out->shape = sf_input(c, 0);
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(0), 1, &out->shape));
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(1), 1, NULL));
    }
    const int rank = sf_shape_rank(out->shape);
    out->rank = rank < 0 ? SF_DIM_UNKNOWN : rank;
    out->splits = rank == 1 ? sf_dim_add(sf_shape_dim(out->shape, 0), 1) : SF_DIM_UNKNOWN;
    return SF_OK;
}

static SfDim deeper(const Batch *b, int by)
{
    return b->rank == SF_DIM_UNKNOWN ? SF_DIM_UNKNOWN : b->rank + by;
}

static SfStatus infer_example_v2(SfInfer *c)
{
    Batch b;
    SF_TRY(want_lengths(c, "num_sparse", "sparse_keys", "sparse_types", "sparse_types"));
    SF_TRY(want_lengths(c, "Tdense", "dense_keys", "dense_shapes", "dense_shapes"));
    SF_TRY(want_lengths(c, "ragged_value_types", "ragged_keys", "ragged_split_types",
                        "ragged_split_types"));
    SF_TRY(want_dense_shapes(c, "dense_shapes"));
    if (is_kernel(c)) {
        SF_TRY(check_serialized(c, 0, 1));
        SF_TRY(check_names(c));
        SF_TRY(check_keys(c, "dense_keys", attr_length(c, "Tdense"), "len(dense_types)"));
        SF_TRY(check_keys(c, "sparse_keys", attr_length(c, "num_sparse"), "num_sparse"));
        SF_TRY(check_keys(c, "ragged_keys", attr_length(c, "ragged_value_types"),
                          "len(ragged_value_types)"));
        SF_TRY(check_defaults(c));
    }
    SF_TRY(want_batch(c, &b));
    SF_TRY(set_output_sparse(c, sparse, deeper(&b, 1)));
    SF_TRY(set_output_dense(c, "dense_values", "dense_shapes", b.shape));
    SF_TRY(set_all_outputs(c, "ragged_values", sf_shape_vector(SF_DIM_UNKNOWN)));
    return set_all_outputs(c, "ragged_row_splits", sf_shape_vector(b.splits));
}

/* SequenceExample */

static const char *const context_sparse[] = {"context_sparse_indices", "context_sparse_values",
                                             "context_sparse_shapes"};
static const char *const list_sparse[] = {
    "feature_list_sparse_indices", "feature_list_sparse_values", "feature_list_sparse_shapes"};

/* Counts of features against the lists that describe them; NULL: no such list. */
typedef struct Counted {
    const char *count, *name, *keys, *first, *second;
} Counted;

static SfStatus check_count(SfInfer *c, const Counted *x, bool v2)
{
    const int64_t n = attr_length(c, x->count), a = attr_length(c, x->first);
    SF_TRY(sf_require_as(c, v2 || !x->keys || n == attr_length(c, x->keys), SF_DIAG_OP_SHAPE,
                         SF_ATTR(x->count), SF_ATTR(x->keys),
                         "num_{0} ({1}) must match the size of {2} ({3})", SF_TEXT_ARG(x->name),
                         SF_INT_ARG(n), SF_TEXT_ARG(x->keys), SF_INT_ARG(attr_length(c, x->keys))));
    const char *first = strcmp(x->first, "Tcontext_dense") == 0 ? "context_dense_types" : x->first;
    if (!x->second) {
        return sf_require_as(c, n == a, SF_DIAG_OP_SHAPE, SF_ATTR(x->count), SF_ATTR(x->first),
                             "num_{0} ({1}) must match the size of {2} ({3})", SF_TEXT_ARG(x->name),
                             SF_INT_ARG(n), SF_TEXT_ARG(first), SF_INT_ARG(a));
    }
    const int64_t b = attr_length(c, x->second);
    return sf_require_as(
        c, n == a && n == b, SF_DIAG_OP_SHAPE, SF_ATTR(x->count), SF_ATTR(x->second),
        "num_{0} ({1}) must match the size of {2} ({3}) and {4} ({5})", SF_TEXT_ARG(x->name),
        SF_INT_ARG(n), SF_TEXT_ARG(first), SF_INT_ARG(a), SF_TEXT_ARG(x->second), SF_INT_ARG(b));
}

/* ParseSequenceExample (its keys are attrs) and V2. */
static SfStatus check_counts(SfInfer *c, bool v2)
{
    const Counted counts[] = {
        {"Ncontext_sparse", "context_sparse", "context_sparse_keys", "context_sparse_types", NULL},
        {v2 ? "Tcontext_dense" : "Ncontext_dense", "context_dense", "context_dense_keys",
         "Tcontext_dense", "context_dense_shapes"},
        {"Nfeature_list_sparse", "feature_list_sparse", "feature_list_sparse_keys",
         "feature_list_sparse_types", NULL},
        {"Nfeature_list_dense", "feature_list_dense", "feature_list_dense_keys",
         "feature_list_dense_types", "feature_list_dense_shapes"},
        {"context_ragged_value_types", "context_ragged", NULL, "context_ragged_value_types",
         "context_ragged_split_types"},
        {"feature_list_ragged_value_types", "feature_list_ragged", NULL,
         "feature_list_ragged_value_types", "feature_list_ragged_split_types"},
    };
    for (int i = 0; i < (v2 ? 6 : 4); i++) {
        SF_TRY(check_count(c, &counts[i], v2));
    }
    return check_defined(c);
}

static SfStatus check_sequence(SfInfer *c)
{
    SF_TRY(want_lengths(c, "Ncontext_sparse", "context_sparse_keys", "context_sparse_types",
                        "context_sparse_types"));
    SF_TRY(want_lengths(c, "Ncontext_dense", "context_dense_keys", "Tcontext_dense",
                        "context_dense_types"));
    SF_TRY(want_lengths(c, "Ncontext_dense", "context_dense_keys", "context_dense_shapes",
                        "context_dense_shapes"));
    SF_TRY(want_lengths(c, "Nfeature_list_sparse", "feature_list_sparse_keys",
                        "feature_list_sparse_types", "feature_list_sparse_types"));
    return want_lengths(c, "Nfeature_list_dense", "feature_list_dense_keys",
                        "feature_list_dense_types", "feature_list_dense_types");
}

/* Context features behind `batch`, feature lists with the steps of the sequence after it. */
static SfStatus set_output_sequence(SfInfer *c, const SfShape *batch, SfDim depth)
{
    const SfShape *steps = sf_shape_concat(batch, sf_shape_vector(SF_DIM_UNKNOWN));
    SF_TRY(set_output_sparse(c, context_sparse, depth));
    SF_TRY(set_output_dense(c, "context_dense_values", "context_dense_shapes", batch));
    SF_TRY(set_output_sparse(c, list_sparse, depth == SF_DIM_UNKNOWN ? depth : depth + 1));
    SF_TRY_ALLOC(steps);
    return set_output_dense(c, "feature_list_dense_values", "feature_list_dense_shapes", steps);
}

static SfStatus infer_sequence(SfInfer *c)
{
    const SfShape *batch = sf_input(c, 0);
    SF_TRY(check_counts(c, false));
    if (is_kernel(c)) {
        SF_TRY(check_sequence_inputs(c));
    }
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &batch));
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    }
    SF_TRY(set_output_sequence(c, batch, sf_shape_rank(batch) == 0 ? 1 : 2));
    return set_all_outputs(c, "feature_list_dense_lengths", batch);
}

static SfStatus infer_single_sequence(SfInfer *c)
{
    SF_TRY(check_sequence(c));
    SF_TRY(check_defined(c));
    if (is_kernel(c)) {
        SF_TRY(check_single_sequence(c));
    }
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
        SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    }
    return set_output_sequence(c, sf_shape_scalar(), 1);
}

static SfStatus infer_sequence_v2(SfInfer *c)
{
    Batch b;
    const SfShape *vector = sf_shape_vector(SF_DIM_UNKNOWN);
    SF_TRY(check_counts(c, true));
    if (is_kernel(c)) {
        SF_TRY(check_sequence_inputs(c));
    }
    SF_TRY(want_batch(c, &b));
    SF_TRY(set_output_sequence(c, b.shape, deeper(&b, 1)));
    /* Of one proto the kernel makes scalars of the outer splits; construction says vectors. */
    const SfShape *splits = b.rank == 1   ? sf_shape_vector(b.splits)
                            : b.rank == 0 ? sf_shape_scalar()
                                          : sf_shape_unknown();
    SF_TRY(set_all_outputs(c, "feature_list_dense_lengths", b.shape));
    SF_TRY(set_all_outputs(c, "context_ragged_values", vector));
    SF_TRY(set_all_outputs(c, "context_ragged_row_splits", splits));
    SF_TRY(set_all_outputs(c, "feature_list_ragged_values", vector));
    SF_TRY(set_all_outputs(c, "feature_list_ragged_outer_splits", splits));
    return set_all_outputs(c, "feature_list_ragged_inner_splits", vector);
}

/* other protos */

static SfStatus fields_kernel(SfInfer *c)
{
    const SfDtype *types;
    const int n = sf_attr_types(c, "output_types", &types);
    const int names = sf_attr(c, "field_names")->u.list.n;
    SF_TRY(sf_require(c, sf_shape_count(sf_input(c, 0)) != 0, SF_INPUT(0),
                      "Bufs argument must contain at least one value"));
    return sf_require_as(c, n == names, SF_DIAG_RUN_REFUSED, SF_ATTR("output_types"),
                         SF_ATTR("field_names"),
                         "field_names and output_types attributes must have same length");
}

/* DecodeProtoV2: of each message, how often each field is there, and what is in it. */
static SfStatus infer_decode_proto(SfInfer *c)
{
    const SfShape *in = sf_input(c, 0);
    SF_TRY(sf_ask_kernel(c, fields_kernel));
    for (int i = 0; i < sf_output_count(c); i++) {
        const SfDim last = i == 0 ? sf_output_count(c) - 1 : SF_DIM_UNKNOWN;
        SF_TRY(sf_set_output_shape(c, i, sf_shape_concat(in, sf_shape_vector(last))));
    }
    return SF_OK;
}

static const SfMessage encode_messages[] = {
    {SF_ON_MERGE, .text = "Values must match up to the last dimension"}, {0}};

/* EncodeProto: the messages are all axes but the last of every field. */
static SfStatus infer_encode_proto(SfInfer *c)
{
    const SfShape *out = sf_shape_unknown();
    int from = sf_input_count(c) - 1;
    sf_kernel_messages(c, encode_messages);
    for (int i = from; i > 0; i--) {
        const SfShape *field;
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(i), 2, &field));
        const SfShape *messages =
            sf_shape_is_ranked(field) ? sf_shape_slice(field, 0, sf_shape_rank(field) - 1) : field;
        SF_TRY(sf_want_merge(c, SF_INPUT(i), messages, SF_INPUT(from), out, &out));
        from = i;
    }
    return sf_set_output_shape(c, 0, out);
}

/* tensors, JSON */

/* The tensor that input 0 is known to hold. */
static SfDecoded parsed_tensor(SfInfer *c, SfAttr *out)
{
    const SfElem e = sf_common_elem(c, 0, 0);
    if (e.kind != SF_ELEM_STRING) {
        return SF_DECODED_STRANGE;
    }
    SfArena arena;
    sf_arena_init(&arena);
    SfDecoder d = {.arena = &arena, .elements_left = SF_VALUE_MAX};
    const SfDecoded how = sf_tensor_decode(&d, (SfSpan){e.u.s->bytes, e.u.s->len}, out);
    sf_arena_free(&arena);
    return how;
}

/* ParseTensor: whatever the string holds. */
static SfStatus infer_parse_tensor(SfInfer *c)
{
    const SfShape *in = sf_input(c, 0);
    const SfDtype want = sf_attr_type(c, "out_type");
    SfAttr found;
    SF_TRY(sf_require(c, !sf_common_runs(c) || sf_shape_rank(in) <= 0, SF_INPUT(0),
                      "Expected `serialized` to be a scalar, got shape: {0}", SF_SHAPE_ARG(in)));
    const SfDecoded how = parsed_tensor(c, &found);
    if (how == SF_DECODED_NOMEM) {
        return SF_NOMEM;
    }
    SF_TRY(sf_require(c, !sf_common_runs(c) || how != SF_DECODED_BAD, SF_INPUT(0),
                      "Could not parse `serialized` as TensorProto"));
    SF_TRY(sf_require(c,
                      !sf_common_runs(c) || sf_common_elem(c, 0, 0).kind != SF_ELEM_STRING ||
                          sf_common_elem(c, 0, 0).u.s->len != 0,
                      SF_INPUT(0), "Cannot parse tensor from proto"));
    if (how != SF_DECODED) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || found.u.tensor.dtype == want, SF_DIAG_RUN_REFUSED,
                         SF_INPUT(0), SF_ATTR("out_type"),
                         "Type mismatch between parsed tensor ({0}) and dtype ({1})",
                         SF_DTYPE_ARG(found.u.tensor.dtype), SF_DTYPE_ARG(want)));
    return found.u.tensor.dtype == want ? sf_set_output_shape(c, 0, found.u.tensor.shape)
                                        : sf_set_output_unknown(c, 0);
}

static void fold_parse_tensor(SfInfer *c)
{
    SfAttr found;
    if (parsed_tensor(c, &found) == SF_DECODED &&
        found.u.tensor.dtype == sf_attr_type(c, "out_type")) {
        sf_fold_set_output_value(c, 0, found.u.tensor.value);
    }
}

/* An object whose braces close. More is not asked: the parser of protobuf takes more than JSON. */
static bool may_be_object(const SfString *s)
{
    const char *p = s->bytes, *end = p + s->len;
    int depth = 0;
    char quote = 0;
    while (p < end && strchr(" \t\r\n", *p) && *p) {
        p++;
    }
    if (p == end || *p != '{') {
        return false;
    }
    for (; p < end; p++) {
        if (quote) {
            p += *p == '\\';
            quote = p < end && *p == quote ? 0 : quote;
        } else if (*p == '"' || *p == '\'') {
            quote = *p;
        } else {
            depth += (*p == '{') - (*p == '}');
        }
    }
    return depth == 0 && !quote;
}

static SfStatus infer_decode_json(SfInfer *c)
{
    for (int64_t i = 0; sf_common_runs(c) && i < sf_common_elems(c, 0); i++) {
        const SfElem e = sf_common_elem(c, 0, i);
        SF_TRY(sf_require(c, e.kind != SF_ELEM_STRING || may_be_object(e.u.s), SF_INPUT(0),
                          "Error while parsing JSON: invalid JSON in {0}",
                          SF_TEXT_ARG(e.u.s->bytes)));
    }
    return sf_set_output_same(c, 0, 0);
}

/* table */

/* clang-format off */
#define TYPES "list({float, int64, string}) >= 0"
#define SPLITS "list({int32, int64}) >= 0"
#define NONE " = []"
#define SPARSE_OUT(n) "sparse_indices: " n " * int64, sparse_values: sparse_types, " \
    "sparse_shapes: " n " * int64, dense_values: Tdense"
#define CONTEXT_OUT "context_sparse_indices: Ncontext_sparse * int64, " \
    "context_sparse_values: context_sparse_types, " \
    "context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense"
#define LIST_OUT "feature_list_sparse_indices: Nfeature_list_sparse * int64, " \
    "feature_list_sparse_values: feature_list_sparse_types, " \
    "feature_list_sparse_shapes: Nfeature_list_sparse * int64, " \
    "feature_list_dense_values: feature_list_dense_types"
#define LENGTHS_OUT ", feature_list_dense_lengths: Nfeature_list_dense * int64"
#define COUNTS "Ncontext_sparse: int >= 0 = 0, Ncontext_dense: int >= 0 = 0, " \
    "Nfeature_list_sparse: int >= 0 = 0, Nfeature_list_dense: int >= 0 = 0, "
#define SEQUENCE_TYPES "context_sparse_types: " TYPES NONE ", Tcontext_dense: " TYPES NONE ", " \
    "feature_list_dense_types: " TYPES NONE ", context_dense_shapes: list(shape) >= 0 = [], " \
    "feature_list_sparse_types: " TYPES NONE ", feature_list_dense_shapes: list(shape) >= 0 = []"
#define PARSE(name, in_, out_, attrs_, infer_) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .traits = SF_OP_ASK_KERNEL, .grad = SF_GRAD_MISSING)

static const SfOpDef ops[] = {
    PARSE(ParseExample,
          "serialized: string, names: string, sparse_keys: Nsparse * string, "
          "dense_keys: Ndense * string, dense_defaults: Tdense", SPARSE_OUT("Nsparse"),
          "Nsparse: int >= 0, Ndense: int >= 0, sparse_types: " TYPES ", Tdense: " TYPES ", "
          "dense_shapes: list(shape) >= 0", infer_example),
    PARSE(ParseExampleV2,
          "serialized: string, names: string, sparse_keys: string, dense_keys: string, "
          "ragged_keys: string, dense_defaults: Tdense",
          SPARSE_OUT("num_sparse") ", ragged_values: ragged_value_types, "
          "ragged_row_splits: ragged_split_types",
          "Tdense: " TYPES ", num_sparse: int >= 0, sparse_types: " TYPES ", "
          "ragged_value_types: " TYPES ", ragged_split_types: " SPLITS ", "
          "dense_shapes: list(shape) >= 0", infer_example_v2),
    PARSE(ParseSingleExample, "serialized: string, dense_defaults: Tdense",
          SPARSE_OUT("num_sparse"),
          "num_sparse: int >= 0, sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, "
          "sparse_types: " TYPES ", Tdense: " TYPES ", dense_shapes: list(shape) >= 0",
          infer_single_example),
    PARSE(ParseSequenceExample,
          "serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense",
          CONTEXT_OUT ", " LIST_OUT LENGTHS_OUT,
          "feature_list_dense_missing_assumed_empty: list(string) >= 0, "
          "context_sparse_keys: list(string) >= 0, context_dense_keys: list(string) >= 0, "
          "feature_list_sparse_keys: list(string) >= 0, "
          "feature_list_dense_keys: list(string) >= 0, " COUNTS SEQUENCE_TYPES, infer_sequence),
    PARSE(ParseSequenceExampleV2,
          "serialized: string, debug_name: string, context_sparse_keys: string, "
          "context_dense_keys: string, context_ragged_keys: string, "
          "feature_list_sparse_keys: string, feature_list_dense_keys: string, "
          "feature_list_ragged_keys: string, feature_list_dense_missing_assumed_empty: bool, "
          "context_dense_defaults: Tcontext_dense",
          CONTEXT_OUT ", context_ragged_values: context_ragged_value_types, "
          "context_ragged_row_splits: context_ragged_split_types, " LIST_OUT LENGTHS_OUT ", "
          "feature_list_ragged_values: feature_list_ragged_value_types, "
          "feature_list_ragged_outer_splits: feature_list_ragged_split_types, "
          "feature_list_ragged_inner_splits: feature_list_ragged_split_types",
          "Ncontext_sparse: int >= 0 = 0, Tcontext_dense: " TYPES NONE ", "
          "context_sparse_types: " TYPES NONE ", context_ragged_value_types: " TYPES NONE ", "
          "context_ragged_split_types: " SPLITS NONE ", "
          "context_dense_shapes: list(shape) >= 0 = [], Nfeature_list_sparse: int >= 0 = 0, "
          "Nfeature_list_dense: int >= 0 = 0, feature_list_dense_types: " TYPES NONE ", "
          "feature_list_sparse_types: " TYPES NONE ", "
          "feature_list_ragged_value_types: " TYPES NONE ", "
          "feature_list_ragged_split_types: " SPLITS NONE ", "
          "feature_list_dense_shapes: list(shape) >= 0 = []", infer_sequence_v2),
    PARSE(ParseSingleSequenceExample,
          "serialized: string, feature_list_dense_missing_assumed_empty: string, "
          "context_sparse_keys: Ncontext_sparse * string, "
          "context_dense_keys: Ncontext_dense * string, "
          "feature_list_sparse_keys: Nfeature_list_sparse * string, "
          "feature_list_dense_keys: Nfeature_list_dense * string, "
          "context_dense_defaults: Tcontext_dense, debug_name: string",
          CONTEXT_OUT ", " LIST_OUT, COUNTS SEQUENCE_TYPES, infer_single_sequence),
    PARSE(DecodeJSONExample, "json_examples: string", "binary_examples: string", "",
          infer_decode_json),
    SF_OP(DecodeProtoV2, .inputs = "bytes: string",
          .outputs = "sizes: int32, values: output_types",
          .attrs = "message_type: string, field_names: list(string), "
                   "output_types: list(type) >= 0, descriptor_source: string = 'local://', "
                   "message_format: string = 'binary', sanitize: bool = false",
          .infer = infer_decode_proto, .cost = sf_common_cost_none, .grad = SF_GRAD_NONE),
    SF_OP(EncodeProto, .inputs = "sizes: int32, values: Tinput_types", .outputs = "bytes: string",
          .attrs = "field_names: list(string), message_type: string, "
                   "descriptor_source: string = 'local://', Tinput_types: list(type) >= 1",
          .infer = infer_encode_proto, .cost = sf_common_cost_none, .grad = SF_GRAD_NONE),
    SF_OP(ParseTensor, .inputs = "serialized: string", .outputs = "output: out_type",
          .attrs = "out_type: type", .infer = infer_parse_tensor, .fold = fold_parse_tensor,
          .cost = sf_common_cost_none, .traits = SF_OP_ASK_KERNEL,
          .grad = SF_GRAD_NONE),
    SF_OP(SerializeTensor, .inputs = "tensor: T", .outputs = "serialized: string",
          .attrs = "T: type", .infer = sf_infer_scalar, .cost = sf_common_cost_none,
          .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_parse = {ops, SF_ARRAY_LEN(ops), "parse"};
