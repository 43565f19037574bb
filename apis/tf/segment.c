/* Segments and counts: sums by group, histograms, confusion matrices. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

/* segments */
/* SparseSegmentMean and its family: the WithNumSegments op when the number is given. */
static SfStatus api_sparse_segment(SfCall *c)
{
    const bool counted = !sf_arg_is_none(sf_api_arg(c, "num_segments"));
    const char *op = counted ? sf_arena_printf(c->arena, "%sWithNumSegments", c->sig->row->data)
                             : c->sig->row->data;
    SfTensor in[4], out;
    SF_TRY_ALLOC(op);
    SF_TRY(sf_compose_arg(c, "data", &in[0]));
    SF_TRY(sf_compose_arg_hint(c, "indices", SF_DT_INT32, &in[1]));
    SF_TRY(sf_compose_arg_hint(c, "segment_ids", SF_DT_INT32, &in[2]));
    if (counted) {
        SF_TRY(sf_compose_arg_hint(c, "num_segments", SF_DT_INT32, &in[3]));
    }
    SF_TRY(sf_api_op(c, op, sf_api_name(c), in, counted ? 4 : 3, NULL, 0, &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

/* A mean by segments has the shape of the sum; it is divided by the number of rows of each. */
static SfStatus body_unsorted_segment_mean(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[3], sum;
    SF_TRY(sf_compose_arg(c, "data", &in[0]));
    SF_TRY(sf_compose_arg(c, "segment_ids", &in[1]));
    SF_TRY(sf_compose_arg_hint(c, "num_segments", SF_DT_INT32, &in[2]));
    SF_TRY(sf_api_op(c, "UnsortedSegmentSum", NULL, in, 3, NULL, 0, &sum));
    return sf_compose_binary_const(c, "RealDiv", scope, sum, 1, out);
}

/* counting */
/* Is each row of a matrix counted by itself? */
static bool counts_rows(SfCall *c, SfTensor arr)
{
    const SfArg *axis = sf_api_arg(c, "axis");
    return axis->kind == SF_ARG_INT && axis->u.i != 0 && sf_shape_rank(arr.shape) != 1;
}

/* Bincount needs the size; TensorFlow takes it from the largest value, which is known only at run
 * time unless minlength and maxlength pin it. */
static SfStatus body_bincount(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[3], axes;
    SfDtype dtype = SF_DT_INT32;
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "arr"), SF_DT_INVALID, "arr", &in[0]));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_compose_cast(c, in[0], SF_DT_INT32, NULL, &in[0]));
    const bool by_row = counts_rows(c, in[0]);
    SF_TRY(sf_compose_reduction_dims(c, in[0], &(SfArg){.kind = SF_ARG_NONE}, &axes));
    SF_TRY(sf_compose_reduce(c, "Max", NULL, in[0], axes, false, &in[1]));
    SF_TRY(sf_compose_binary_const(c, "AddV2", NULL, in[1], 1, &in[1]));
    const char *const limits[] = {"minlength", "maxlength"};
    for (int i = 0; i < 2; i++) {
        SfTensor limit;
        if (!sf_arg_is_none(sf_api_arg(c, limits[i]))) {
            SF_TRY(sf_compose_arg_as(c, limits[i], SF_DT_INT32, &limit));
            SF_TRY(
                sf_compose_binary(c, i == 0 ? "Maximum" : "Minimum", NULL, limit, in[1], &in[1]));
        }
    }
    if (sf_arg_is_none(sf_api_arg(c, "weights"))) {
        const SfShape *empty = sf_shape_vector(0);
        SF_TRY(sf_convert_const(c, dtype, empty, sf_value_fill(dtype, empty, sf_elem_int(0)),
                                "Const", &in[2]));
    } else {
        SF_TRY(sf_compose_arg(c, "weights", &in[2]));
    }
    if (by_row) {
        bool binary = false;
        SF_TRY(sf_api_bool(c, "binary_output", &binary));
        const SfAttrArg attrs[] = {SF_ABOOL("binary_output", binary)};
        return sf_api_op(c, "DenseBincount", scope, in, 3, attrs, 1, out);
    }
    return sf_api_op(c, "Bincount", scope, in, 3, NULL, 0, out);
}

/* [num_classes, num_classes]; unknown when the number comes from the data. */
static SfStatus body_confusion_matrix(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor labels, predictions, n, shape, indices, ones, parts[2];
    SfDtype dtype = SF_DT_INT32;
    SF_TRY(sf_compose_arg(c, "labels", &labels));
    SF_TRY(sf_compose_arg(c, "predictions", &predictions));
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(sf_compose_cast(c, labels, SF_DT_INT64, NULL, &labels));
    SF_TRY(sf_compose_cast(c, predictions, SF_DT_INT64, NULL, &predictions));
    if (sf_arg_is_none(sf_api_arg(c, "num_classes"))) {
        SF_TRY(sf_compose_reduce_all(c, "Max", NULL, labels, &n));
        SF_TRY(sf_compose_binary_const(c, "AddV2", NULL, n, 1, &n));
    } else {
        SF_TRY(sf_compose_arg(c, "num_classes", &n));
        SF_TRY(sf_compose_cast(c, n, SF_DT_INT64, NULL, &n));
    }
    parts[0] = parts[1] = n;
    SF_TRY(sf_compose_pack(c, parts, 2, 0, NULL, &shape));
    parts[0] = labels;
    parts[1] = predictions;
    SF_TRY(sf_compose_pack(c, parts, 2, 1, "stack", &indices));
    SF_TRY(sf_compose_cast(c, labels, dtype, NULL, &ones));
    SF_TRY(sf_compose_unary(c, "OnesLike", NULL, ones, &ones));
    const SfTensor in[] = {indices, ones, shape};
    return sf_api_op(c, "ScatterNd", scope, in, 3, NULL, 0, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    /* segments and counts */
    {"tf.math.segment_max", SF_TF12, "data, segment_ids, name=None", .op = "SegmentMax"},
    {"tf.segment_max", SF_TF1, "data, segment_ids, name=None", .op = "SegmentMax"},
    {"tf.math.segment_mean", SF_TF12, "data, segment_ids, name=None", .op = "SegmentMean"},
    {"tf.segment_mean", SF_TF1, "data, segment_ids, name=None", .op = "SegmentMean"},
    {"tf.math.segment_min", SF_TF12, "data, segment_ids, name=None", .op = "SegmentMin"},
    {"tf.segment_min", SF_TF1, "data, segment_ids, name=None", .op = "SegmentMin"},
    {"tf.math.segment_prod", SF_TF12, "data, segment_ids, name=None", .op = "SegmentProd"},
    {"tf.segment_prod", SF_TF1, "data, segment_ids, name=None", .op = "SegmentProd"},
    {"tf.math.segment_sum", SF_TF12, "data, segment_ids, name=None", .op = "SegmentSum"},
    {"tf.segment_sum", SF_TF1, "data, segment_ids, name=None", .op = "SegmentSum"},
    {"tf.math.unsorted_segment_max", SF_TF12, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentMax"},
    {"tf.unsorted_segment_max", SF_TF1, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentMax"},
    {"tf.math.unsorted_segment_min", SF_TF12, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentMin"},
    {"tf.unsorted_segment_min", SF_TF1, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentMin"},
    {"tf.math.unsorted_segment_prod", SF_TF12, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentProd"},
    {"tf.unsorted_segment_prod", SF_TF1, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentProd"},
    {"tf.math.unsorted_segment_sum", SF_TF12, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentSum"},
    {"tf.unsorted_segment_sum", SF_TF1, "data, segment_ids, num_segments, name=None",
     .op = "UnsortedSegmentSum"},
    {"tf.sparse_segment_sum tf.sparse.segment_sum", SF_TF1,
     "data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentSum"},
    {"tf.sparse.segment_sum", SF_TF2,
     "data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentSum"},
    {"tf.sparse_segment_mean tf.sparse.segment_mean", SF_TF1,
     "data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentMean"},
    {"tf.sparse.segment_mean", SF_TF2,
     "data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentMean"},
    {"tf.sparse_segment_sqrt_n tf.sparse.segment_sqrt_n", SF_TF1,
     "data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentSqrtN"},
    {"tf.sparse.segment_sqrt_n", SF_TF2,
     "data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False",
     .call = api_sparse_segment, .data = "SparseSegmentSqrtN"},
    {"tf.math.unsorted_segment_mean", SF_TF12, "data, segment_ids, num_segments, name=None",
     SF_SCOPED("UnsortedSegmentMean", body_unsorted_segment_mean), .data = "UnsortedSegmentMean"},
    {"tf.unsorted_segment_mean", SF_TF1, "data, segment_ids, num_segments, name=None",
     SF_SCOPED("UnsortedSegmentMean", body_unsorted_segment_mean), .data = "UnsortedSegmentMean"},
    {"tf.math.unsorted_segment_sqrt_n", SF_TF12, "data, segment_ids, num_segments, name=None",
     SF_SCOPED("UnsortedSegmentSqrtN", body_unsorted_segment_mean), .data = "UnsortedSegmentSqrtN"},
    {"tf.unsorted_segment_sqrt_n", SF_TF1, "data, segment_ids, num_segments, name=None",
     SF_SCOPED("UnsortedSegmentSqrtN", body_unsorted_segment_mean), .data = "UnsortedSegmentSqrtN"},
    {"tf.bincount tf.math.bincount", SF_TF1,
     "arr, weights=None, minlength=None, maxlength=None, dtype=tf.int32",
     SF_SCOPED("bincount", body_bincount)},
    {"tf.math.bincount", SF_TF2,
     "arr, weights=None, minlength=None, maxlength=None, dtype=tf.int32, name=None, "
     "axis=None, binary_output=False", SF_SCOPED("bincount", body_bincount)},
    {"tf.confusion_matrix tf.math.confusion_matrix", SF_TF1,
     "labels, predictions, num_classes=None, dtype=tf.int32, name=None, weights=None",
     SF_SCOPED("confusion_matrix", body_confusion_matrix)},
    {"tf.math.confusion_matrix", SF_TF2,
     "labels, predictions, num_classes=None, weights=None, dtype=tf.int32, name=None",
     SF_SCOPED("confusion_matrix", body_confusion_matrix)},
    {"tf.histogram_fixed_width", SF_TF12,
     "values, value_range, nbins=100, dtype=tf.int32, name=None",
     .op = "HistogramFixedWidth", .data = "histogram_fixed_width"},
};
/* clang-format on */
const SfApiTable sf_api_segment = {rows, SF_ARRAY_LEN(rows), "segment"};
