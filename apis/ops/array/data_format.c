/* Numbers that name axes and places: DataFormatDimMap, DataFormatVecPermute, UnravelIndex; and what
 * picks one tensor by number, RefSelect. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"

/* data formats */

static SfStatus check_formats(SfInfer *c)
{
    static const char *const attrs[] = {"src_format", "dst_format"};
    static const char *const names[] = {"Source", "Destination"};
    for (int i = 0; i < 2; i++) {
        const char *format = sf_attr_string(c, attrs[i]);
        const size_t n = strlen(format);
        SF_TRY(sf_expect(c, n == 4 || n == 5, SF_ATTR(attrs[i]),
                         "{0} format must be of length 4 or 5, received {1} = {2}",
                         SF_TEXT_ARG(names[i]), SF_TEXT_ARG(attrs[i]), SF_TEXT_ARG(format)));
    }
    return SF_OK;
}

/* Where the letter of each source axis stands in the destination; false when it does not, or the
 * formats differ in length. With `spatial`, the axes of N and C are left out. */
static bool map_axes(SfInfer *c, bool spatial, int *map, int *n)
{
    char formats[2][8];
    int lengths[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const char *s = sf_attr_string(c, i == 0 ? "src_format" : "dst_format");
        if (strlen(s) > 5) {
            return false;
        }
        for (; *s != '\0'; s++) {
            if (!spatial || strchr("DHW", *s)) {
                formats[i][lengths[i]++] = *s;
            }
        }
        formats[i][lengths[i]] = '\0';
    }
    for (int i = 0; i < lengths[0]; i++) {
        const char *at = strchr(formats[1], formats[0][i]);
        if (!at) {
            return false;
        }
        map[i] = (int)(at - formats[1]);
    }
    *n = lengths[0];
    return lengths[0] == lengths[1];
}

/* Every letter of one format stands once in the other. */
static SfStatus check_permutation(SfInfer *c)
{
    const char *from = sf_attr_string(c, "src_format");
    const char *to = sf_attr_string(c, "dst_format");
    bool fits = strlen(from) == strlen(to);
    for (const char *s = from; fits && *s != '\0'; s++) {
        fits = strchr(to, *s) && !strchr(s + 1, *s);
    }
    return sf_require_as(
        c, fits, SF_DIAG_OP_SHAPE, SF_ATTR("dst_format"), SF_ATTR("src_format"),
        "Destination and source format must determine a permutation, got {0} and {1}",
        SF_TEXT_ARG(from), SF_TEXT_ARG(to));
}

/* DataFormatDimMap: axes renumbered from one format to the other. */
static SfStatus check_dim_map(SfInfer *c)
{
    SF_TRY(check_formats(c));
    return check_permutation(c);
}

static void fold_dim_map(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    int map[8];
    int axes;
    int64_t n;
    SfElem *out = !x || !map_axes(c, false, map, &axes) ? NULL : sf_fold_begin(c, 0, &n);
    for (int64_t i = 0; out && i < n; i++) {
        const SfElem e = sf_value_elem(x, i);
        if (e.kind == SF_ELEM_INT && e.u.i >= -axes && e.u.i < axes) {
            out[i] = sf_elem_int(map[e.u.i < 0 ? e.u.i + axes : e.u.i]);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* DataFormatVecPermute: one number, or a pair of them, for each axis, in the other format's
 * order. */
static SfStatus check_vec_permute(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const char *format = sf_attr_string(c, "src_format");
    const int64_t full = (int64_t)strlen(format);
    const SfPlace rows = SF_AXIS(0, 0);
    SF_TRY(check_dim_map(c));
    if (!sf_shape_is_ranked(x)) {
        return SF_OK;
    }
    const int rank = sf_shape_rank(x);
    SF_TRY(sf_require_as(c, rank == 1 || rank == 2, SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_THE_OP,
                         "input must be a vector or 2D tensor, but got shape {a.shape}"));
    const SfDim d = sf_shape_dim(x, 0);
    SF_TRY(sf_require_as(
        c, !sf_dim_never(d, full) || !sf_dim_never(d, full - 2), SF_DIAG_DIM_VALUE, rows,
        SF_ATTR("src_format"),
        rank == 1
            ? "1D input must be of size {0} or {1}, but got shape {shape 0}"
            : "First dimension of 2D input must be of size {0} or {1}, but got shape {shape 0}",
        SF_INT_ARG(full - 2), SF_INT_ARG(full)));
    SF_TRY(sf_require_as(c,
                         d != full - 2 || (strchr(format, 'H') && strchr(format, 'W') &&
                                           (full != 5 || strchr(format, 'D'))),
                         SF_DIAG_OP_SHAPE, SF_ATTR("src_format"), rows,
                         "Format specifier must contain {0} for {1}D case",
                         SF_TEXT_ARG(full == 5 ? "D, H and W" : "H and W"), SF_INT_ARG(full - 2)));
    return sf_require_as(c, rank != 2 || !sf_dim_never(sf_shape_dim(x, 1), 2), SF_DIAG_DIM_VALUE,
                         SF_AXIS(0, 1), SF_THE_OP,
                         "Second dimension of 2D input must be of size 2, but got shape {shape 0}");
}

static void fold_vec_permute(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    int map[8];
    int axes;
    int64_t n;
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || sf_shape_rank(sf_value_shape(x)) < 1) {
        return;
    }
    const int64_t rows = sf_shape_dim(sf_value_shape(x), 0);
    const bool spatial = rows == (int64_t)strlen(sf_attr_string(c, "src_format")) - 2;
    if (!map_axes(c, spatial, map, &axes) || axes != rows || rows == 0) {
        return;
    }
    const int64_t width = n / rows;
    for (int64_t i = 0; i < n; i++) {
        out[map[i / width] * width + i % width] = sf_value_elem(x, i);
    }
    sf_fold_set_output(c, 0, out);
}

/* UnravelIndex */

static const SfCheck unravel_checks[] = {
    {SF_RANK_AT_MOST(0, 1), .text = "The indices can only be scalar or vector, got \"{a.shape}\""},
    {SF_IS_VECTOR(1), .text = "The indices can only be 1-D, got \"{a.shape}\""},
    {0}};

static SfStatus check_unravel(SfInfer *c)
{
    const int64_t *sizes, *flat;
    int n, m;
    int64_t product = 1;
    if (!sf_common_ints(c, 1, &sizes, &n)) {
        return SF_OK;
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_expect(
            c, sizes[i] != 0, SF_INPUT(1),
            "Input dims cannot contain a dim of zero, but dims contains zero at index {0}",
            SF_INT_ARG(i)));
        SF_TRY(sf_expect(c, sizes[i] >= 0, SF_INPUT(1),
                         "Input dims cannot be negative. Got dim = {0} at index {1}",
                         SF_INT_ARG(sizes[i]), SF_INT_ARG(i)));
        product = product > INT64_MAX / sizes[i] ? INT64_MAX : product * sizes[i];
    }
    for (int i = 0; sf_common_ints(c, 0, &flat, &m) && i < m; i++) {
        SF_TRY(sf_require_as(c, flat[i] < product, SF_DIAG_INDEX_RANGE, SF_INPUT(0), SF_INPUT(1),
                             "index is out of bound as with dims"));
    }
    return SF_OK;
}

/* UnravelIndex: a column of coordinates for each flat index. */
static SfStatus infer_unravel(SfInfer *c)
{
    const SfShape *indices = sf_input(c, 0);
    const SfShape *dims;
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &dims));
    const SfDim n = sf_shape_dim(dims, 0);
    return sf_shape_rank(indices) == 0   ? sf_set_output_vector(c, 0, n)
           : sf_shape_is_ranked(indices) ? sf_set_output_matrix(c, 0, n, sf_shape_count(indices))
                                         : sf_set_output_unknown(c, 0);
}

static void fold_unravel(SfInfer *c)
{
    const int64_t *sizes;
    const int64_t *flat;
    int n;
    int m;
    int64_t count;
    SfElem *out = sf_common_ints(c, 1, &sizes, &n) && sf_common_ints(c, 0, &flat, &m)
                      ? sf_fold_begin(c, 0, &count)
                      : NULL;
    if (!out || count != (int64_t)n * m) {
        return;
    }
    for (int k = 0; k < m; k++) {
        int64_t rest = flat[k];
        for (int i = n - 1; i >= 0; i--) {
            if (rest < 0 || sizes[i] <= 0) {
                return;
            }
            out[(ptrdiff_t)i * m + k] = sf_elem_int(rest % sizes[i]);
            rest /= sizes[i];
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* RefSelect */

/* RefSelect: the reference that the index names. TensorFlow asks for equal, known shapes; what all
 * inputs have in common holds of each. */
static SfStatus infer_ref_select(SfInfer *c)
{
    const int n = sf_input_count(c) - 1;
    int64_t index;
    SF_TRY(sf_want_scalar(c, SF_INPUT(0)));
    if (sf_input_int(c, 0, &index)) {
        const bool within = index >= 0 && index < n;
        SF_TRY(sf_require_as(c, within || !sf_common_runs(c), SF_DIAG_INDEX_RANGE, SF_INPUT(0),
                             SF_THE_OP, "Index must be in the range [0, {0}) but got {1}",
                             SF_INT_ARG(n), SF_INT_ARG(index)));
        if (!within) {
            return sf_set_output_unknown(c, 0);
        }
        sf_set_output_state(c, 0, (int)index + 1);
        return sf_set_output_same(c, 0, (int)index + 1);
    }
    const SfShape *all = sf_input(c, 1);
    for (int i = 2; i <= n; i++) {
        all = sf_shape_join(all, sf_input(c, i));
    }
    return sf_set_output_shape(c, 0, all);
}

/* rows */

#define FORMATS "T: " SF_INDEX " = int32, src_format: string = 'NHWC', dst_format: string = 'NCHW'"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(DataFormatDimMap, .inputs = "x: T", .outputs = "y: T", .attrs = FORMATS,
            .infer = sf_infer_unchanged, .kernel = check_dim_map, .fold = fold_dim_map,
            .grad = SF_GRAD_MISSING),
    SF_MOVE(DataFormatVecPermute, .inputs = "x: T", .outputs = "y: T", .attrs = FORMATS,
            .infer = sf_infer_unchanged, .kernel = check_vec_permute, .fold = fold_vec_permute,
            .grad = SF_GRAD_MISSING),
    SF_MOVE(UnravelIndex, .inputs = "indices: Tidx, dims: Tidx", .outputs = "output: Tidx",
            .attrs = "Tidx: " SF_INDEX " = int32", .infer = infer_unravel,
            .checks = unravel_checks, .kernel = check_unravel, .fold = fold_unravel,
            .grad = SF_GRAD_MISSING),
    /* Removed in GraphDef version 3: no kernel runs it, and TensorFlow infers nothing. */
    SF_MOVE(TileGrad, .inputs = "input: T, multiples: int32", .outputs = "output: T",
            .attrs = "T: type", .infer = sf_infer_unknown, .grad = SF_GRAD_MISSING),
    SF_MOVE(RefSelect, .inputs = "index: int32, inputs: Ref(N * T)", .outputs = "output: Ref(T)",
            .attrs = "T: type, N: int >= 1", .infer = infer_ref_select, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_array_number = {ops, SF_ARRAY_LEN(ops), "array_number"};
