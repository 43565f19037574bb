/* What ops that read or write a variable share. See variable.h. */
#include "apis/ops/state/variable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/array/scatter_nd.h"

#define SF_1_13 SF_VERSION(1, 13)
#define SF_2_0  SF_VERSION(2, 0)

/* reading */

const SfShape *sf_variable_shape(SfInfer *c, int i)
{
    SfState now;
    if (sf_dtype_is_ref(sf_input_dtype(c, i))) {
        return sf_input(c, i);
    }
    (void)sf_state_read(c, i, &now);
    return now.shape;
}

SfStatus sf_variable_handle(SfInfer *c, const char *dtype, const SfShape **shape)
{
    SfState now;
    *shape = sf_shape_unknown();
    if (!sf_state_read(c, 0, &now)) {
        return SF_OK;
    }
    *shape = now.shape;
    const SfDtype want = sf_attr_type(c, dtype), is = sf_dtype_base(now.dtype);
    return sf_require_as(
        c, is == SF_DT_INVALID || is == want, SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_ATTR(dtype),
        "Trying to read variable with wrong dtype. Expected {0} got {1}",
        SF_DTYPE_ARG(sf_common_runs(c) ? want : is), SF_DTYPE_ARG(sf_common_runs(c) ? is : want));
}

SfStatus sf_variable_is_initialized(SfInfer *c)
{
    SfState now;
    SF_TRY(sf_set_output_scalar(c, 0));
    if (sf_phase(c) == SF_PHASE_RUN && sf_state_read(c, 0, &now)) {
        sf_set_output_value(c, 0, sf_value_int(SF_DT_BOOL, now.initialized));
    }
    return SF_OK;
}

/* writing */

static void write_content(SfInfer *c, int i, const SfShape *shape, const SfValue *value)
{
    SfState now;
    (void)sf_state_read(c, i, &now);
    now.shape = shape;
    now.value = value;
    now.initialized = true;
    sf_state_write(c, i, &now);
}

void sf_variable_assign(SfInfer *c, int i, int by, const SfShape *shape)
{
    write_content(c, i, shape, sf_input_value(c, by));
}

static const SfValue *combine(SfInfer *c, const SfValue *a, const SfValue *b)
{
    SfElem (*const f)(SfElem, SfElem, SfDtype) =
        sf_op_variant(c) == SF_VARIABLE_SUBTRACTS ? sf_elem_sub : sf_elem_add;
    if (!a || !b || sf_value_shape(a) != sf_value_shape(b)) {
        return NULL;
    }
    const int64_t n = sf_value_count(a);
    SfElem *out = sf_scratch(c, (size_t)(n > 0 ? n : 1) * sizeof *out);
    for (int64_t k = 0; out && k < n; k++) {
        const SfElem x = sf_value_elem(a, k), y = sf_value_elem(b, k);
        out[k] = x.kind == SF_ELEM_UNKNOWN || y.kind == SF_ELEM_UNKNOWN
                     ? sf_elem_unknown()
                     : f(x, y, sf_value_dtype(a));
    }
    return out ? sf_value_make(sf_value_dtype(a), sf_value_shape(a), out) : NULL;
}

void sf_variable_update(SfInfer *c, int i, int by)
{
    SfState now;
    if (sf_state_read(c, i, &now) && now.value) {
        write_content(c, i, now.shape, combine(c, now.value, sf_input_value(c, by)));
    }
}

void sf_variable_forget(SfInfer *c, int i)
{
    SfState now;
    if (sf_state_read(c, i, &now) && now.value) {
        write_content(c, i, now.shape, NULL);
    }
}

/* indices */

/* "[1,0]" for element `at` of a shape, "" for a scalar: SliceDebugString. */
static const char *slice_text(SfInfer *c, const SfShape *s, int64_t at)
{
    enum { SIZE = 160 };
    const int rank = sf_shape_rank(s);
    char *text = rank > 0 ? sf_scratch(c, SIZE) : NULL;
    if (!text) {
        return "";
    }
    int n = 0;
    int64_t left = sf_shape_count(s);
    for (int axis = 0; axis < rank && n < SIZE - 24; axis++) {
        left /= sf_shape_dim(s, axis);
        n += snprintf(text + n, (size_t)(SIZE - n), "%c%" PRId64, axis ? ',' : '[', at / left);
        at %= left;
    }
    (void)snprintf(text + n, (size_t)(SIZE - n), "]");
    return text;
}

SfStatus sf_variable_indices(SfInfer *c, int axis, SfDim limit)
{
    if (!sf_common_runs(c) || !sf_dim_is_known(limit)) {
        return SF_OK;
    }
    const SfValue *v = sf_input_value(c, 1);
    for (int64_t k = 0; v && k < sf_value_count(v); k++) {
        const SfElem e = sf_value_elem(v, k);
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || (e.u.i >= 0 && e.u.i < limit),
                             SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_AXIS(0, axis),
                             "indices{0} = {1} is not in [0, {2})",
                             SF_TEXT_ARG(slice_text(c, sf_value_shape(v), k)), SF_INT_ARG(e.u.i),
                             SF_DIM_ARG(limit)));
    }
    return SF_OK;
}

/* Scatter */

int sf_variable_message_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    out[0] = SF_SHAPE_ARG(sf_variable_shape(c, 0));
    return 1;
}

static bool is_ref(SfInfer *c, const SfFinding *f)
{
    return sf_dtype_is_ref(sf_input_dtype(c, 0));
}

static const SfMessage scatter_messages[] = {
    {SF_ON_MERGE, .when = is_ref, .args = sf_variable_message_args,
     .text = "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], "
             "got updates.shape {shape 2}, indices.shape {shape 1}, params.shape {0}"},
    {SF_ON_MERGE,
     .text =
         "shape of indices ({shape 1}) is not compatible with the shape of updates ({shape 2})"},
    {0}};

/* Merge(updates, want), with each axis of `want` placed where it came from. */
static SfStatus merge_updates(SfInfer *c, const SfShape *want, int indices_rank)
{
    const SfShape *updates = sf_input(c, 2);
    const SfShape *both = sf_shape_meet(updates, want);
    SF_TRY_ALLOC(both);
    if (!sf_shape_is_bottom(both)) {
        return SF_OK;
    }
    const int rank = sf_shape_rank(want);
    if (sf_shape_rank(updates) != rank) {
        return sf_fail(c, SF_DIAG_MERGE_RANK, SF_INPUT(2), SF_INPUT(0),
                       SF_INT_ARG(sf_shape_rank(updates)), SF_INT_ARG(rank));
    }
    int axis = 0;
    while (axis < rank - 1 &&
           sf_dim_compatible(sf_shape_dim(updates, axis), sf_shape_dim(want, axis))) {
        axis++;
    }
    return sf_fail(c, SF_DIAG_MERGE_DIM, SF_AXIS(2, axis),
                   axis < indices_rank ? SF_AXIS(1, axis) : SF_AXIS(0, axis - indices_rank + 1),
                   SF_INT_ARG(axis), SF_DIM_ARG(sf_shape_dim(updates, axis)),
                   SF_DIM_ARG(sf_shape_dim(want, axis)), SF_SHAPE_ARG(updates), SF_SHAPE_ARG(want));
}

/* ScatterUpdateOp of 2.x on a resource: the ranks, then that indices are a prefix of updates; it
 * never compares what is behind. */
static SfStatus scatter_resource(SfInfer *c, const SfShape *var)
{
    const SfShape *indices = sf_input(c, 1), *updates = sf_input(c, 2);
    const int rank = sf_shape_rank(var), ri = sf_shape_rank(indices), ru = sf_shape_rank(updates);
    if (rank < 0 || ri < 0 || ru <= 0) {
        return SF_OK;
    }
    sf_kernel_messages(c, NULL);
    SF_TRY(
        sf_require_as(c, ru == ri + rank - 1, SF_DIAG_MERGE_RANK, SF_INPUT(2), SF_INPUT(0),
                      "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape "
                      "= [], got updates.shape {0}, indices.shape {1}, params.shape {2}",
                      SF_SHAPE_ARG(updates), SF_SHAPE_ARG(indices), SF_SHAPE_ARG(var)));
    for (int i = 0; i < ri && sf_dim_lower(sf_shape_count(indices)) > 0; i++) {
        SF_TRY(sf_require_as(
            c, sf_dim_compatible(sf_shape_dim(indices, i), sf_shape_dim(updates, i)),
            SF_DIAG_MERGE_DIM, SF_AXIS(2, i), SF_AXIS(1, i),
            "The shape of indices ({0}) must be a prefix of the shape of updates ({1})",
            SF_SHAPE_ARG(indices), SF_SHAPE_ARG(updates)));
    }
    return SF_OK;
}

SfStatus sf_variable_scatter(SfInfer *c, const SfShape *var)
{
    const SfShape *indices = sf_input(c, 1);
    const bool ref = sf_dtype_is_ref(sf_input_dtype(c, 0));
    sf_kernel_messages(c, scatter_messages);
    SF_TRY(sf_require_as(c, !ref || !sf_common_runs(c) || sf_shape_rank(var) != 0,
                         SF_DIAG_RANK_AT_LEAST, SF_INPUT(0), SF_THE_OP,
                         "params must be at least 1-D, got shape []"));
    const int rank = sf_shape_rank(var);
    const SfShape *inner = rank > 0 ? sf_shape_slice(var, 1, rank) : var;
    const SfShape *want = sf_shape_concat(indices, inner);
    SF_TRY_ALLOC(want);
    if (!ref && sf_common_runs(c) && sf_version(c) >= SF_2_0) {
        SF_TRY(scatter_resource(c, var));
    } else if (sf_shape_rank(sf_input(c, 2)) != 0) {
        SF_TRY(merge_updates(c, want, sf_shape_rank(indices)));
    }
    if (rank > 0) {
        SF_TRY(sf_variable_indices(c, 0, sf_shape_dim(var, 0)));
    }
    sf_variable_forget(c, 0);
    return SF_OK;
}

/* ScatterNd */

/* The first `n` dims as one prints a shape without brackets: "2" of [2,3], "2,3". */
static const char *dims_text(SfInfer *c, const SfShape *s, int n)
{
    const SfShape *part = sf_shape_slice(s, 0, n < sf_shape_rank(s) ? n : sf_shape_rank(s));
    const char *text = part ? sf_shape_text(c, part) : "[]";
    const size_t len = strlen(text);
    char *inner = sf_scratch(c, len + 1);
    if (!inner) {
        return "";
    }
    memcpy(inner, text + 1, len - 2);
    return inner;
}

/* {0}: the variable; {1} {2}: where its inner axes begin, and its rank; {3} {4}: the same of the
 * updates; {5} {6}: the outer axes of indices and updates. */
static int scatter_nd_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const SfShape *var = sf_variable_shape(c, 0), *indices = sf_input(c, 1),
                  *updates = sf_input(c, 2);
    const int outer = sf_shape_rank(indices) - 1;
    out[0] = SF_SHAPE_ARG(var);
    out[1] = SF_DIM_ARG(sf_shape_dim(indices, -1));
    out[2] = SF_INT_ARG(sf_shape_rank(var));
    out[3] = SF_INT_ARG(outer);
    out[4] = SF_INT_ARG(sf_shape_rank(updates));
    out[5] = SF_TEXT_ARG(outer < 0 ? "" : dims_text(c, indices, outer));
    out[6] = SF_TEXT_ARG(outer < 0 ? "" : dims_text(c, updates, outer));
    return 7;
}

static bool has_outer(SfInfer *c, const SfFinding *f)
{
    return sf_shape_rank(sf_input(c, 1)) >= 1;
}

#define OUTERMOST                                                                                  \
    "The outermost dimension of updates and indices must match. Got indices.shape {shape 1}, "     \
    "updates.shape {shape 2}"
/* Since 2.0: PrepareAndValidateInputs of scatter_nd_op.cc. */
static const SfMessage scatter_nd_messages[] = {
    {SF_ON(OP_SHAPE),
     .text = "Indices and updates specified for empty output.  indices shape: {shape 1}"},
    {SF_ON_MERGE, SF_OF(1), .since = SF_2_0, .when = has_outer, .args = scatter_nd_args,
     .text = "Dimensions [0,{3}) of indices[shape={shape 1}] = {5} must match dimensions [0,{3}) "
             "of updates[shape={shape 2}] = {6}"},
    {SF_ON_MERGE, .since = SF_2_0, .when = has_outer, .args = scatter_nd_args,
     .text = "Dimensions [{1},{2}) of input[shape={0}] must match dimensions [{3},{4}) of "
             "updates[shape={shape 2}]"},
    {SF_ON_MERGE, SF_OF(1), .text = OUTERMOST},
    {SF_ON(RANK_AT_LEAST), .text = OUTERMOST},
    {SF_ON_MERGE, .args = scatter_nd_args,
     .text = "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
             "updates.shape: {shape 2}, indices.shape: {shape 1}, params_shape: {0}, slice_dim: "
             "{1}, and batch_dim: {3}"},
    {0}};

/* "[1, 7]": one row of indices. */
static const char *row_text(SfInfer *c, const SfValue *v, int64_t first, int64_t depth)
{
    enum { SIZE = 200 };
    char *text = sf_scratch(c, SIZE);
    int n = 0;
    for (int64_t k = 0; text && k < depth && n < SIZE - 24; k++) {
        n += snprintf(text + n, (size_t)(SIZE - n), "%s%" PRId64, k ? ", " : "",
                      sf_value_elem(v, first + k).u.i);
    }
    return text ? text : "";
}

static SfStatus fail_row(SfInfer *c, const SfShape *var, int64_t row, const char *text, int axis,
                         const char *what)
{
    const char *shape = sf_shape_text(c, var);
    SF_TRY(sf_require_as(c, sf_version(c) >= SF_1_13, SF_DIAG_INDEX_RANGE, SF_INPUT(1),
                         SF_AXIS(0, axis),
                         "Invalid indices: [{0},0] = [{1}] does not index into {2}",
                         SF_INT_ARG(row), SF_TEXT_ARG(text), SF_TEXT_ARG(shape)));
    return sf_fail_with(c, SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_AXIS(0, axis),
                        "indices[{0}] = [{1}] does not index into {2} {3}", SF_INT_ARG(row),
                        SF_TEXT_ARG(text), SF_TEXT_ARG(what), SF_TEXT_ARG(shape));
}

SfStatus sf_variable_rows(SfInfer *c, const SfShape *var, const char *what)
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, 1) : NULL;
    const SfDim depth = v ? sf_shape_dim(sf_value_shape(v), -1) : 0;
    if (!v || depth <= 0 || !sf_value_is_exact(v) || depth > sf_shape_rank(var)) {
        return SF_OK;
    }
    for (int64_t k = 0; k < sf_value_count(v); k++) {
        const int axis = (int)(k % depth);
        const SfDim limit = sf_shape_dim(var, axis);
        const int64_t at = sf_value_elem(v, k).u.i;
        if (at < 0 || (sf_dim_is_known(limit) && at >= limit)) {
            return fail_row(c, var, k / depth, row_text(c, v, k - axis, depth), axis, what);
        }
    }
    return SF_OK;
}

static SfStatus check_policy(SfInfer *c)
{
    static const char *const known[] = {"", "DEFAULT", "ERROR", "IGNORE"};
    const char *policy = sf_attr_string(c, "bad_indices_policy");
    for (int i = 0; i < SF_ARRAY_LEN(known); i++) {
        if (strcmp(known[i], policy) == 0) {
            return SF_OK;
        }
    }
    return sf_refuse(c, SF_ATTR("bad_indices_policy"),
                     "Unknown bad indices handling attribute: {0}", SF_TEXT_ARG(policy));
}

static SfStatus check_vector_of_rows(SfInfer *c)
{
    const SfDim n = sf_input_dim(c, 1, 0), m = sf_input_dim(c, 2, 0);
    if (sf_shape_rank(sf_input(c, 2)) < 1 || sf_dim_compatible(n, m)) {
        return SF_OK;
    }
    sf_kernel_messages(c, NULL);
    return sf_fail_with(c, SF_DIAG_MERGE_DIM, SF_AXIS(1, 0), SF_AXIS(2, 0),
                        "Dimensions [0,1) of indices[shape={a.shape}] = {0} must match dimensions "
                        "[0,1) of updates[shape={shape 2}] = {1}",
                        SF_DIM_ARG(n), SF_DIM_ARG(m));
}

SfStatus sf_variable_scatter_nd(SfInfer *c, const SfShape *var)
{
    sf_kernel_messages(c, scatter_nd_messages);
    SF_TRY(sf_ask_kernel(c, check_policy));
    const int rank = sf_shape_rank(sf_input(c, 1));
    if (sf_common_runs(c) && sf_version(c) >= SF_2_0 && (rank == 1 || rank < 0)) {
        /* the kernel takes a vector for rows of one index each; an unknown rank may be one */
        SF_TRY(sf_scatter_nd_empty(c, 0, var, sf_input(c, 1), sf_input(c, 2)));
        SF_TRY(rank == 1 ? check_vector_of_rows(c) : SF_OK);
        sf_variable_forget(c, 0);
        return SF_OK;
    }
    SF_TRY(sf_scatter_nd_check(c, 0, var, 1, 2));
    const SfDim depth = sf_shape_dim(sf_input(c, 1), -1);
    if (sf_common_runs(c) && sf_shape_is_ranked(var) && sf_dim_is_known(depth) &&
        depth > sf_shape_rank(var)) {
        return sf_fail(c, SF_DIAG_MERGE_RANK, SF_INPUT(0), SF_AXIS(1, -1), SF_DIM_ARG(depth),
                       SF_INT_ARG(sf_shape_rank(var))); /* only the kernel minds */
    }
    SF_TRY(sf_variable_rows(c, var, "shape"));
    sf_variable_forget(c, 0);
    return SF_OK;
}
