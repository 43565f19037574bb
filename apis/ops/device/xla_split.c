/* Splitting a tensor into a grid of pieces and back, for XLA on many devices. TensorFlow gives no
 * shape; it follows from the attrs wherever the pieces are even.
 * Source: tpu_partitioned_ops.cc, xla_ops (xla_split_nd, xla_concat_nd). */
#include "apis/ops/shared/common.h"
#include "apis/ops/state/variable.h"

/* Axis by axis, `way` of (dim, pieces, padding), unknown where it would be past `most`. */
typedef SfDim (*Axis)(SfDim dim, int64_t pieces, int64_t padding, int64_t most);

static SfDim split_axis(SfDim dim, int64_t pieces, int64_t padding, int64_t most)
{
    const SfDim padded = padding < 0 ? SF_DIM_UNKNOWN : sf_dim_add(dim, padding);
    return sf_dim_is_known(padded) && pieces >= 1 && padded % pieces == 0 ? padded / pieces
                                                                          : SF_DIM_UNKNOWN;
}

static SfDim concat_axis(SfDim dim, int64_t pieces, int64_t padding, int64_t most)
{
    if (!sf_dim_is_known(dim) || pieces < 1 || pieces > most || dim > most / pieces ||
        padding < 0 || padding > dim * pieces) {
        return SF_DIM_UNKNOWN;
    }
    return dim * pieces - padding;
}

static const SfShape *over_axes(SfInfer *c, const SfShape *in, const char *attr, Axis way)
{
    const int64_t *pieces, *paddings;
    const int n = sf_attr_ints(c, attr, &pieces), np = sf_attr_ints(c, "paddings", &paddings);
    if (sf_shape_rank(in) != n || (np > 0 && np != n)) {
        return sf_shape_unknown();
    }
    const SfShape *out = in;
    const int64_t most = n > 0 ? INT64_C(1) << (62 / n) : 1; /* n of them are a number */
    for (int i = 0; out && i < n; i++) {
        out = sf_shape_replace(out, i,
                               way(sf_shape_dim(in, i), pieces[i], np ? paddings[i] : 0, most));
    }
    return out;
}

static SfStatus set_output_pieces(SfInfer *c, const SfShape *whole)
{
    return sf_set_outputs(c, over_axes(c, whole, "num_splits", split_axis));
}

static SfStatus infer_split(SfInfer *c)
{
    return set_output_pieces(c, sf_input(c, 0));
}

static SfStatus infer_read(SfInfer *c)
{
    return set_output_pieces(c, sf_variable_shape(c, 0));
}

static const SfShape *joined(SfInfer *c, int first)
{
    const SfShape *piece = sf_input(c, first);
    for (int i = first + 1; i < sf_input_count(c); i++) {
        const SfShape *both = sf_shape_meet(piece, sf_input(c, i));
        piece = both && sf_shape_is_bottom(both) ? sf_shape_unknown() : both;
    }
    return over_axes(c, piece, "num_concats", concat_axis);
}

static SfStatus infer_concat(SfInfer *c)
{
    return sf_set_output_shape(c, 0, joined(c, 0));
}

static SfStatus infer_assign(SfInfer *c)
{
    const SfShape *whole = joined(c, 1);
    SfState now;
    SF_TRY_ALLOC(whole);
    if (sf_state_read(c, 0, &now)) {
        now.shape = sf_shape_is_ranked(whole) ? whole : now.shape;
        now.initialized = true;
        now.value = NULL;
        sf_state_write(c, 0, &now);
    }
    return SF_OK;
}

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_PLAIN_OP(XlaSplitND, "input: T", "outputs: N * T",
                "T: type, N: int >= 1, num_splits: list(int), paddings: list(int) = []",
                infer_split),
    SF_STATEFUL_OP(ReadVariableXlaSplitND, "resource: resource", "outputs: N * T",
                   "T: type, N: int >= 1, num_splits: list(int), paddings: list(int) = []",
                   infer_read),
    SF_PLAIN_OP(XlaConcatND, "inputs: N * T", "output: T",
                "T: type, N: int >= 1, num_concats: list(int), paddings: list(int) = []",
                infer_concat),
    SF_OP(AssignVariableXlaConcatND, .inputs = "resource: resource, inputs: N * T", .outputs = "",
          .attrs = "T: type, N: int >= 1, num_concats: list(int), paddings: list(int) = []",
          .infer = infer_assign, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES | SF_OP_UNINIT_OK, .grad = SF_GRAD_MISSING),
    SF_STATEFUL_OP(DisableCopyOnRead, "resource: resource", "", "", sf_infer_no_output),
};
/* clang-format on */
const SfOpTable sf_ops_xla_split = {ops, SF_ARRAY_LEN(ops), "xla_split"};
