/* Calls of rows as a script makes them, against the answers of real TensorFlow (1.8, 2.21):
 * names of nodes, dtypes, shapes, the beginning of an error's message. */
#include "tests/c/apis/api_calls.h"

/* Where 1.8 answers otherwise than 1.15. */
/* clang-format off */
static const Call graph_1_8[] = {
    CALL("tf.add(f[2], 'a')",
         "TypeError: Expected float32 passed to parameter 'y' of op 'Add', got 'a' of type "
         "'str' instead."),
    CALL("tf.add(i[], 1.5)",
         "TypeError: Expected int32 passed to parameter 'y' of op 'Add', got 1.5 of type "
         "'float' instead."),
    CALL("tf.multiply(i[], 2.0)",
         "TypeError: Expected int32 passed to parameter 'y' of op 'Mul', got 2.0 of type "
         "'float' instead."),
    CALL("tf.add_n([])",
         "ValueError: inputs must be a list of at least one Tensor with the same dtype and shape"),
    CALL("tf.reduce_logsumexp(f[4,3], 1)", "ReduceLogSumExp/add float32 [4]"),
    CALL("tf.concat([f[2,3]], 1)", "concat float32 [2,3]"),
    CALL("tf.concat(f[2,3], 1)", "concat float32 [2,3]"),
    CALL("tf.split(f[4,6], f[], 1)",
         "ValueError: Cannot infer num from shape Tensor(\"in_1:0\", shape=(), dtype=float32)"),
    CALL("tf.matmul(f[5,2,3], f[3,4])", "ValueError: Shape must be rank 2 but is rank 3"),
    CALL("tf.matmul(f?, f[3,4])", "MatMul float32 [?,4]"),
    CALL("tf.eye(3)", "eye/MatrixDiag float32 [3,3]"),
    CALL("tf.eye(2, 3)", "eye/MatrixSetDiag float32 [2,3]"),
    CALL("tf.one_hot([1,2],'a')",
         "TypeError: Expected int32 passed to parameter 'depth' of op 'OneHot', got 'a' of type "
         "'str' instead."),
    CALL("tf.convert_to_tensor([f[],f[]], tf.int32)",
         "TypeError: Expected int32, got list containing Tensors of type '_Message' instead."),
    CALL("tf.convert_to_tensor(f[], tf.int32)",
         "ValueError: Tensor conversion requested dtype int32 for Tensor with dtype float32: "
         "'Tensor(\"in:0\", shape=(),"),
    CALL("tf.where([True], [1], [2.5])",
         "TypeError: Expected int32 passed to parameter 'e' of op 'Select', got [2.5] of type "
         "'list' instead."),
    CALL("tf.matrix_diag(f[3])", "MatrixDiag float32 [3,3]"),
    CALL("tf.nn.conv2d(f[8,28,28,3], f[5,5,1,32], [1,1,1,1], 'SAME')",
         "ValueError: Dimensions must be equal, but are 3 and 1"),
    CALL("tf.nn.conv2d(f[8,28,28,1], f[5,5,1,32], [1,2,2], 'SAME')",
         "ValueError: Conv2D on data format NHWC requires the stride attribute to contain 4 "
         "values, but got: 3 for"),
    CALL("tf.nn.conv2d_transpose(f[8,14,14,32], f[5,5,16,30], [8,28,28,16], [1,2,2,1])",
         "ValueError: input channels does not match filter's input channels, 32 != 30"),
    CALL("tf.nn.conv2d_transpose(f[8,14,14,32], f[5,5,16,32], [8,28,28,17], [1,2,2,1])",
         "ValueError: output_shape does not match filter's output channels, 17 != 16"),
    CALL("tf.nn.max_pool(f[8,28,28,32], [1,2,2], [1,2,2,1], 'SAME')",
         "ValueError: Attr 'ksize' of 'MaxPool' Op passed list of length 3 less than minimum 4."),
    CALL("tf.nn.bias_add(f[2,10], i[10])",
         "ValueError: Tensor conversion requested dtype float32 for Tensor with dtype int32: "
         "'Tensor(\"in_1:0\","),
    CALL("tf.nn.leaky_relu(f[2])", "LeakyRelu/Maximum float32 [2]"),
    CALL("tf.nn.leaky_relu(f[2], alpha=0.1, name='lr')", "lr/Maximum float32 [2]"),
    CALL("tf.nn.dropout(f[?,10], 0.5)", "dropout/mul float32 [?,10]"),
    CALL("tf.nn.dropout(f[2,10], 2.0)",
         "ValueError: keep_prob must be a scalar tensor or a float in the range (0, 1], got 2"),
    CALL("tf.nn.dropout(f[2,10], f[])", "dropout/mul float32 [2,10]"),
    CALL("tf.nn.dropout(f[2,10,3], 0.5, noise_shape=[2,1,3])", "dropout/mul float32 [2,10,3]"),
    CALL("tf.nn.fused_batch_norm(f[2,4,4,3], f[3], f[3])",
         "FusedBatchNorm float32 [2,4,4,3]; FusedBatchNorm float32 [3]; FusedBatchNorm float32 "
         "[3]"),
    CALL("tf.nn.embedding_lookup(f[100,16], i[?,20])", "embedding_lookup float32 [?,20,16]"),
    CALL("tf.nn.embedding_lookup(f[100,16], [1,2,3])", "embedding_lookup float32 [3,16]"),
    CALL("tf.nn.zero_fraction(f[2,3])", "zero_fraction/Mean float32 []"),
    CALL("tf.random_normal([2,None])",
         "TypeError: Failed to convert object of type <class 'list'> to Tensor. Contents: [2, "
         "None]. Consider casting"),
    CALL("tf.nn.softmax(f[2,3])", "Softmax float32 [2,3]"),
    CALL("tf.nn.softmax(f[2,4,3,1,1], dim=2)", "transpose_1 float32 [2,4,3,1,1]"),
    CALL("tf.nn.log_softmax(f[2,3,4], name='pred')", "pred float32 [2,3,4]"),
    CALL("tf.nn.log_softmax(f[?,3,?], dim=0)", "transpose_1 float32 [?,3,?]"),
    CALL("tf.nn.softmax(f[4])", "Reshape_1 float32 [4]"),
    CALL("tf.nn.softmax(f?)", "Reshape_1 float32 ?"),
    CALL("tf.image.resize_images(f[2,28,28,3], [32,32])",
         "resize_images/ResizeBilinear float32 [2,32,32,3]"),
    CALL("tf.image.resize_images(f[28,28,3], [32,32])", "resize_images/Squeeze float32 [32,32,3]"),
    CALL("tf.image.resize_images(f[28,28,3], [28,28])", "resize_images/Squeeze float32 [28,28,3]"),
    CALL("tf.image.resize_images(f[?,?,?,3], (32,32), method=1)",
         "resize_images/ResizeNearestNeighbor float32 [?,32,32,3]"),
    CALL("tf.image.transpose_image(f[20,28,3])",
         "transpose_image/transpose_image float32 [28,20,3]"),
    CALL("tf.image.per_image_standardization(f[28,28,3])",
         "per_image_standardization float32 [28,28,3]"),
    CALL("tf.image.non_max_suppression(f[5,4], f[5], 3)",
         "non_max_suppression/NonMaxSuppressionV2 int32 [?]"),
    CALL("tf.reduce_join(s[2,3], 1)", "ReduceJoin string [2]"),
    CALL("tf.scalar_mul(2.0, f[3])", "mul float32 [3]"),
    CALL("tf.setdiff1d([1,2],[2])", "ListDiff int32 [?]; ListDiff int32 [?]"),
    CALL("tf.Tensor.__add__(f[2], i[2])",
         "ValueError: Tensor conversion requested dtype float32 for Tensor with dtype int32: "
         "'Tensor(\"in_1:0\","),
    CALL("tf.nn.dropout(f?, 0.5)", "dropout/mul float32 ?"),
    CALL("tf.nn.fused_batch_norm(f?, f[3], f[3])",
         "FusedBatchNorm float32 [?,?,?,3]; FusedBatchNorm float32 [3]; FusedBatchNorm float32 "
         "[3]"),
    CALL("tf.nn.fused_batch_norm(f[2,4,4,3], f[3], f[3], f[3], f[3], is_training=False)",
         "FusedBatchNorm float32 [2,4,4,3]; FusedBatchNorm float32 [3]; FusedBatchNorm float32 "
         "[3]"),
    CALL("tf.nn.embedding_lookup(f?, i?)", "embedding_lookup float32 ?"),
    CALL("tf.eye(i[])", "eye/MatrixDiag float32 [?,?]"),
    CALL("tf.eye(3, batch_shape=[2])", "eye/MatrixDiag float32 [2,3,3]"),
    CALL("tf.boolean_mask([1,2,3], [True,False,True])", "boolean_mask/GatherV2 int32 [?]"),
    CALL("tf.matrix_diag(f?)", "MatrixDiag float32 ?"),
    CALL("tf.matrix_diag_part(f[3,3])", "MatrixDiagPart float32 [3]"),
    CALL("tf.matrix_set_diag(f[3,3], f[3])", "MatrixSetDiag float32 [3,3]"),
    CALL("tf.add([1,2], [3.,4.])",
         "TypeError: Expected int32 passed to parameter 'y' of op 'Add', got [3.0, 4.0] of type "
         "'list' instead."),
    CALL("tf.pow(i[2], 0.5)",
         "TypeError: Expected int32 passed to parameter 'y' of op 'Pow', got 0.5 of type "
         "'float' instead."),
    CALL("tf.image.resize_images(f[?,?,?,?], [32,32])",
         "resize_images/ResizeBilinear float32 [?,32,32,?]"),
    CALL("tf.image.resize_images(f[28,28,3], i[2])", "resize_images/Squeeze float32 [?,?,3]"),
    CALL("tf.image.per_image_standardization(i[28,28,3])",
         "per_image_standardization float32 [28,28,3]"),
};
/* clang-format on */

Test(calls, graph_1_8)
{
    check_calls(graph_1_8, SF_ARRAY_LEN(graph_1_8), SF_VERSION(1, 8), SF_TF1, false);
}

/* Where tf.compat.v1 of 2.21 does. */
/* clang-format off */
static const Call graph_2_21[] = {
    CALL("tf.add(f[2], i[2])",
         "TypeError: Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of "
         "argument 'x'."),
    CALL("tf.add(f[2], 'a')",
         "TypeError: Input 'y' of 'AddV2' Op has type string that does not match type float32 "
         "of argument 'x'."),
    CALL("tf.add(i[], 1.5)",
         "TypeError: Input 'y' of 'AddV2' Op has type float32 that does not match type int32 of "
         "argument 'x'."),
    CALL("tf.add(1, f[])",
         "TypeError: Input 'y' of 'AddV2' Op has type float32 that does not match type int32 of "
         "argument 'x'."),
    CALL("tf.add(f[], None)", "ValueError: None values not supported."),
    CALL("tf.cast(f[2], 'abc')",
         "TypeError: Cannot convert the argument `type_value`: 'abc' to a TensorFlow DType."),
    CALL("tf.add_n([])",
         "ValueError: Inputs must be an iterable of at least one Tensor/IndexedSlices with the "
         "same dtype and shape."),
    CALL("tf.reduce_sum(f[4,3], axis=1, reduction_indices=[1])",
         "ValueError: Cannot specify both 'reduction_indices' and 'axis'."),
    CALL("tf.reduce_logsumexp(f[4,3], 1)", "ReduceLogSumExp float32 [4]"),
    CALL("tf.reshape(f[2,3], [1,None])",
         "TypeError: Failed to convert elements of [1, None] to Tensor. Consider casting "
         "elements to a supported type."),
    CALL("tf.stack([f[2,3],f[2,3]], axis=5)",
         "ValueError: Argument `axis` = 5 not in range [-3, 3)"),
    CALL("tf.unstack(f[?,4])", "ValueError: Cannot infer argument `num` from shape (None, 4)"),
    CALL("tf.pad(f[2,3], [[1,1],[0,0]], 'abc')",
         "ValueError: Value of argument `mode` expected to be one of \"CONSTANT\", \"REFLECT\", "
         "or \"SYMMETRIC\". Received"),
    CALL("tf.constant([1,2,3], shape=[2])",
         "ValueError: Too many elements provided. Takes at most 2, but got 3."),
    CALL("tf.constant([[1,2],[3]])",
         "ValueError: setting an array element with a sequence. The requested array has an "
         "inhomogeneous shape after 1"),
    CALL("tf.constant(f[2])",
         "TypeError: Expected any non-tensor type, but got a tensor instead."),
    CALL("tf.constant(1.5, tf.int32)", "TypeError: Expected int32, but got 1.5 of type 'float'."),
    CALL("tf.constant(1, tf.bool)", "TypeError: Expected bool, but got 1 of type 'int'."),
    CALL("tf.constant([1,'a'])",
         "TypeError: Failed to convert elements of [1, 'a'] to Tensor. Consider casting "
         "elements to a supported type."),
    CALL("tf.zeros([2,None])", "TypeError: Expected int32, but got None of type 'NoneType'."),
    CALL("tf.zeros('a')", "TypeError: Expected int32, but got a of type 'str'."),
    CALL("tf.fill([2,None], 1.)",
         "TypeError: Failed to convert elements of [2, None] to Tensor. Consider casting "
         "elements to a supported type."),
    CALL("tf.convert_to_tensor([i[],2.5])",
         "TypeError: Expected int32, but got 2.5 of type 'float'."),
    CALL("tf.convert_to_tensor([None,1])",
         "TypeError: Failed to convert elements of [None, 1] to Tensor. Consider casting "
         "elements to a supported type."),
    CALL("tf.convert_to_tensor('a', tf.float32)",
         "TypeError: Expected float32, but got a of type 'str'."),
    CALL("tf.nn.conv2d(f[8,28,28,1], f[5,5,1,32], [1,2,2], 'SAME')",
         "ValueError: strides should be of length 1, 2 or 4. Received: strides=[1, 2, 2] of "
         "length 3"),
    CALL("tf.nn.conv2d_transpose(f[8,14,14,32], f[5,5,16,30], [8,28,28,16], [1,2,2,1])",
         "ValueError: Dimensions must be equal, but are 32 and 30 for '{{node "
         "conv2d_transpose}} ="),
    CALL("tf.nn.conv2d_transpose(f[8,14,14,32], f[5,5,16,32], i[4], [1,2,2,1])",
         "conv2d_transpose float32 [8,?,?,?]"),
    CALL("tf.nn.max_pool(f[8,28,28,32], [1,2,2], [1,2,2,1], 'SAME')",
         "ValueError: ksize should be of length 1, 2 or 4. Received: ksize=[1, 2, 2] of length 3"),
    CALL("tf.nn.max_pool(f[8,28,28], [1,2,2,1], [1,2,2,1], 'SAME')",
         "ValueError: Shape must be rank 4 but is rank 3 for '{{node MaxPool}} = "
         "MaxPool[T=DT_FLOAT,"),
    CALL("tf.nn.bias_add(f[2,10], i[10])",
         "ValueError: bias: Tensor conversion requested dtype float32 for Tensor with dtype "
         "int32: <tf.Tensor 'in_1:0'"),
    CALL("tf.nn.dropout(f[?,10], 0.5)", "dropout/SelectV2 float32 [?,10]"),
    CALL("tf.nn.dropout(f[2,10], 2.0)",
         "ValueError: `rate` must be a scalar tensor or a float in the range [0, 1). Received: "
         "rate=-1.0"),
    CALL("tf.nn.dropout(f[2,10], f[])", "dropout/SelectV2 float32 [2,10]"),
    CALL("tf.nn.dropout(f[2,10,3], 0.5, noise_shape=[2,1,3])",
         "dropout/SelectV2 float32 [2,10,3]"),
    CALL("tf.nn.dropout(i[2], 0.5)",
         "ValueError: `x.dtype` must be a floating point tensor as `x` will be scaled. "
         "Received: x_dtype=<dtype:"),
    CALL("tf.nn.batch_normalization(f[2,10], f[11], f[10], None, None, 0.001)",
         "ValueError: Dimensions must be equal, but are 11 and 10 for '{{node batchnorm/mul_1}} "
         "="),
    CALL("tf.nn.softmax_cross_entropy_with_logits(f[8,10], f[8,10])",
         "softmax_cross_entropy_with_logits_sg/Reshape_2 float32 [8]"),
    CALL("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i[8,10], logits=f[8,10])",
         "ValueError: `labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
         "labels.shape=(8, 10) of rank 2"),
    CALL("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i[7], logits=f[8,10])",
         "ValueError: `labels.shape` must equal `logits.shape` except for the last dimension. "
         "Received:"),
    CALL("tf.nn.sigmoid_cross_entropy_with_logits(labels=f[8,1], logits=f[8])",
         "ValueError: `logits` and `labels` must have the same shape, received ((8,) vs (8, 1))."),
    CALL("tf.nn.sigmoid_cross_entropy_with_logits(f[8,1], f[8,1])", "logistic_loss float32 [8,1]"),
    CALL("tf.random_uniform([2,3])", "random_uniform/RandomUniform float32 [2,3]"),
    CALL("tf.random_uniform([])", "random_uniform/RandomUniform float32 []"),
    CALL("tf.image.per_image_standardization(f[28,28,3])",
         "per_image_standardization float32 [28,28,3]"),
    CALL("tf.assert_rank(f[2,3], 3)",
         "ValueError: Tensor in:0 must have rank 3.  Received rank 2, shape (2, 3)"),
    CALL("tf.einsum('ij,jk->ik', f[2,3], f[3,4])", "einsum/Einsum float32 [2,4]"),
    CALL("tf.einsum('ij,jk->ik', f[2,3], f[4,4])",
         "ValueError: Dimensions must be equal, but are 3 and 4"),
    CALL("tf.accumulate_n([f[2],f[2]])", "AddN float32 [2]"),
    CALL("tf.Tensor.__radd__(i[2], 1.5)",
         "TypeError: Expected int32, but got 1.5 of type 'float'."),
    CALL("tf.Tensor.__mul__(i[2], 2.0)",
         "TypeError: Expected int32 passed to parameter 'y' of op 'Mul', got 2.0 of type "
         "'float' instead. Error:"),
    CALL("tf.nn.conv2d_transpose(f?, f[5,5,16,32], [8,28,28,16], [1,2,2,1])",
         "conv2d_transpose float32 [?,28,28,16]"),
    CALL("tf.nn.dropout(f?, 0.5)", "dropout/SelectV2 float32 ?"),
    CALL("tf.split(f[4,6], i[?], 1)",
         "ValueError: Cannot infer argument `num` from shape Tensor(\"in_1:0\", shape=(None,), "
         "dtype=int32)"),
    CALL("tf.matmul(f[2,3], f[2,4], transpose_a=True, adjoint_a=True)",
         "ValueError: Only one of `transpose_a` and `adjoint_a` can be True. Received "
         "`transpose_a`=True,"),
    CALL("tf.constant([1.5], tf.int32)",
         "TypeError: Expected int32, but got 1.5 of type 'float'."),
    CALL("tf.constant('a', tf.float32)", "TypeError: Expected float32, but got a of type 'str'."),
    CALL("tf.constant([1,2,3], shape=[4], verify_shape=True)",
         "TypeError: Expected Tensor's shape: (4,), but got (3,)."),
    CALL("tf.fill([2,3], f[2])",
         "ValueError: Shape must be rank 0 but is rank 1 for '{{node Fill}} = Fill[T=DT_FLOAT,"),
    CALL("tf.range(0, 5, -1)",
         "ValueError: Requires start >= limit when delta < 0: 0/5 for '{{node range}} ="),
    CALL("tf.matrix_set_diag(f[3,3], f[4])", "set_diag float32 [3,3]"),
    CALL("tf.matrix_transpose(f[3])",
         "ValueError: Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = "
         "Tensor(\"in:0\","),
    CALL("tf.scatter_nd([[0],[1]], f[3,3], [4,3])",
         "ValueError: Dimensions [0,1) of indices[shape=[2,1]] = [2] must match dimensions "
         "[0,1) of"),
    CALL("tf.add([1,2], [3.,4.])",
         "TypeError: Input 'y' of 'AddV2' Op has type float32 that does not match type int32 of "
         "argument 'x'."),
    CALL("tf.truediv(f[2], i[2])",
         "TypeError: `x` and `y` must have the same dtype, got tf.float32 != tf.int32."),
    CALL("tf.div(i[2], 2.5)", "TypeError: Expected int32, but got 2.5 of type 'float'."),
    CALL("tf.random_uniform(i?)", "random_uniform/RandomUniform float32 ?"),
    CALL("tf.multinomial(f[10], 5)",
         "ValueError: Shape must be rank 2 but is rank 1 for '{{node multinomial/Multinomial}} ="),
    CALL("tf.image.per_image_standardization(i[28,28,3])",
         "per_image_standardization float32 [28,28,3]"),
    CALL("tf.string_join([s[2],s[3]])",
         "ValueError: Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] "
         "and [3]."),
    CALL("tf.assert_rank_in(f[2,3], [1,3])",
         "ValueError: Tensor in:0 must have rank in (1, 3).  Received rank 2, shape (2, 3)"),
    CALL("tf.einsum('bij,bjk->bik', f[?,2,3], f[?,3,4])", "einsum/Einsum float32 [?,2,4]"),
};
/* clang-format on */

Test(calls, graph_2_21)
{
    check_calls(graph_2_21, SF_ARRAY_LEN(graph_2_21), SF_VERSION(2, 21), SF_TF1, false);
}

/* clang-format off */
static const Call eager_2_21[] = {
    /* the dilation counts once: it was in the cropped input and in the op, 5 of 8 were left */
    CALL("tf.nn.depthwise_conv2d(f[2,8,8,3], f[2,2,3,2], [1,1,1,1], 'VALID', None, [2,2])",
         "float32 [2,6,6,6]"),
    CALL("tf.nn.depthwise_conv2d(f[2,1,8,3], f[1,2,3,2], [1,1,1,1], 'VALID', 'NHWC', [1,2])",
         "float32 [2,1,6,6]"),
    CALL("tf.nn.depthwise_conv2d(f[2,8,8,3], f[2,2,3,2], [1,1,1,1], 'SAME', None, [2,2])",
         "float32 [2,8,8,6]"),
    CALL("tf.nn.max_pool_with_argmax(f[2,8,8,3], 2, 2, 'VALID')",
         "float32 [2,4,4,3]; int64 [2,4,4,3]"),
    CALL("tf.nn.max_pool_with_argmax(f[2,8,8,3], [2], (3,1), 'SAME')",
         "float32 [2,3,8,3]; int64 [2,3,8,3]"),
    CALL("tf.nn.max_pool_with_argmax(f[2,8,8,3], [1,2,2,1], [1,2,2,1], 'SAME')",
         "float32 [2,4,4,3]; int64 [2,4,4,3]"),
    CALL("tf.nn.max_pool_with_argmax(f[2,8,8,3], [1,2,2], 2, 'VALID')",
         "ValueError: ksize should be of length 1, 2 or 4. Received: ksize=[1, 2, 2] of length 3"),
    CALL("tf.nn.max_pool_with_argmax(f[2,8,8,3], 2, 2, 'VALID', 'NCHW')",
         "ValueError: `data_format` values other  than 'NHWC' are not supported."),
    CALL("tf.image.resize(f[2,8,8,3], [4,6], method='mitchellcubic')", "float32 [2,4,6,3]"),
    CALL("tf.image.resize(f[2,8,8,3], [4,6], method='cubic')",
         "ValueError: Resize method is not implemented: cubic"),
    CALL("tf.image.resize(f[2,8,8,3], [4,6], method=1)",
         "ValueError: Resize method is not implemented: 1"),
    CALL("tf.image.resize_with_pad(i[2,8,8,3], 4, 6, method='nearest')", "int32 [2,4,6,3]"),
    CALL("tf.einsum('i,j', f[2], f[3])", "float32 [2,3]"),
    CALL("tf.einsum('ba', f[2,3])", "float32 [3,2]"),
    CALL("tf.einsum('ii', f[3,3])", "float32 []"),
    CALL("tf.einsum('b...a', f[2,5,3])", "float32 [5,3,2]"),
    CALL("tf.einsum('iJ,Jk', f[2,3], f[3,4])", "float32 [2,4]"),
    CALL("tf.einsum(' i j , j k -> k i', f[2,3], f[3,4])", "float32 [4,2]"),
    CALL("tf.einsum('ij,jk,kl', f[2,3], f[3,4], f[4,5])", "float32 [2,5]"),
    CALL("tf.einsum('bij,bjk,bkl->bil', f[7,2,3], f[7,3,4], f[7,4,5])", "float32 [7,2,5]"),
    CALL("tf.einsum('ij,ij,ij->i', f[2,3], f[2,3], f[2,3])", "float32 [2]"),
    CALL("tf.einsum('a,b,c,d', f[2], f[3], f[4], f[5])", "float32 [2,3,4,5]"),
    CALL("tf.einsum('...ij,...jk,kl->...il', f[7,2,3], f[7,3,4], f[4,5])",
         "float32 [7,2,5]"),
    CALL("tf.einsum('...ij,...jk', f[5,2,3], f[5,3,4])",
         "InvalidArgumentError: {{function_node __wrapped__Einsum_N_2_device_"),
    CALL("tf.einsum('i.j', f[2,3])", "InvalidArgumentError: {{function_node __wrapped__Einsum_N_1_device_"),
    CALL("tf.einsum('ij,jk', f[2,3], f[4,5])", "InvalidArgumentError: {{function_node __wrapped__Einsum_N_2_device_"),
    CALL("tf.add(f[2,3], f[2,3])", "float32 [2,3]"),
    CALL("tf.add(f[2], i[2])",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.add(f[2], 'a')",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.add(i[], 1.5)",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a int32 tensor but is a"),
    CALL("tf.add(1, f[])",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a int32 tensor but is a"),
    CALL("tf.add(f[], None)",
         "ValueError: Attempt to convert a value (None) with an unsupported type (<class "
         "'NoneType'>) to a Tensor."),
    CALL("tf.multiply(f[2,3], f[3])", "float32 [2,3]"),
    CALL("tf.multiply(i[], 2.0)", "TypeError: Cannot convert 2.0 to EagerTensor of dtype int32"),
    CALL("tf.truediv(i[2], 2)", "float64 [2]"),
    CALL("tf.abs(c[2])", "float32 [2]"),
    CALL("tf.cast(f[2], 'abc')",
         "TypeError: Cannot convert the argument `type_value`: 'abc' to a TensorFlow DType."),
    CALL("tf.sigmoid(i[2])",
         "InvalidArgumentError: Value for attr 'T' of int32 is not in the list of allowed "
         "values: bfloat16, half,"),
    CALL("tf.nn.relu('a')",
         "InvalidArgumentError: Value for attr 'T' of string is not in the list of allowed "
         "values: float, double,"),
    CALL("tf.add_n([f[2],f[2]])", "float32 [2]"),
    CALL("tf.add_n([])",
         "ValueError: Inputs must be an iterable of at least one Tensor/IndexedSlices with the "
         "same dtype and shape."),
    CALL("tf.add_n([f[2],i[2]])",
         "InvalidArgumentError: cannot compute AddN as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.clip_by_norm(f[2,3], 5.)", "float32 [2,3]"),
    CALL("tf.equal(f[2], i[2])",
         "InvalidArgumentError: cannot compute Equal as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.logical_and(f[], f[])",
         "InvalidArgumentError: cannot compute LogicalAnd as input #0(zero-based) was expected "
         "to be a bool tensor but"),
    CALL("tf.reduce_sum(f[4,3], 'a')",
         "InvalidArgumentError: Value for attr 'Tidx' of string is not in the list of allowed "
         "values: int32, int64"),
    CALL("tf.reduce_logsumexp(f[4,3], 1)", "float32 [4]"),
    CALL("tf.argmax(f[4,3])", "int64 [3]"),
    CALL("tf.reshape(f[2,3], [1.5])",
         "InvalidArgumentError: Value for attr 'Tshape' of float is not in the list of allowed "
         "values: int32, int64"),
    CALL("tf.reshape(f[2,3], 'a')",
         "InvalidArgumentError: Value for attr 'Tshape' of string is not in the list of allowed "
         "values: int32, int64"),
    CALL("tf.reshape(f[2,3], None)",
         "ValueError: Attempt to convert a value (None) with an unsupported type (<class "
         "'NoneType'>) to a Tensor."),
    CALL("tf.reshape(f[2,3], [1,None])",
         "ValueError: Can't convert Python sequence with mixed types to Tensor."),
    CALL("tf.transpose(f[2,3,4])", "float32 [4,3,2]"),
    CALL("tf.expand_dims(f[2,3], 1)", "float32 [2,1,3]"),
    CALL("tf.squeeze(f[1,2,1])", "float32 [2]"),
    CALL("tf.concat([f[2,3],f[2,4]], 1)", "float32 [2,7]"),
    CALL("tf.concat(f[2,3], 1)", "float32 [2,3]"),
    CALL("tf.concat([f[2],i[2]], 0)",
         "InvalidArgumentError: cannot compute ConcatV2 as input #1(zero-based) was expected to "
         "be a float tensor but"),
    CALL("tf.concat([[1,2],[3]], 0)", "int32 [3]"),
    CALL("tf.stack([f[2,3],f[2,3]], axis=5)",
         "ValueError: Argument `axis` = 5 not in range [-3, 3)"),
    CALL("tf.stack([f[],i[]])",
         "InvalidArgumentError: cannot compute Pack as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.split(f[4,6], 3, 1)", "list float32 [4,2]; float32 [4,2]; float32 [4,2]"),
    CALL("tf.split(f[4,6], f[], 1)",
         "ValueError: Rank-0 tensors are not supported as the num_or_size_splits argument to "
         "split. Argument provided:"),
    CALL("tf.split(value=f[4,6], num_or_size_splits=2, axis=0)",
         "list float32 [2,6]; float32 [2,6]"),
    CALL("tf.pad(f[2,3], [[1,1],[0,0]], 'REFLECT')", "float32 [4,3]"),
    CALL("tf.pad(f[2,3], [[1,1],[0,0]], 'abc')",
         "ValueError: Value of argument `mode` expected to be one of \"CONSTANT\", \"REFLECT\", "
         "or \"SYMMETRIC\". Received"),
    CALL("tf.matmul(f[2,3], f[3,4])", "float32 [2,4]"),
    CALL("tf.matmul(f[5,2,3], f[3,4])", "float32 [5,2,4]"),
    CALL("tf.tensordot(f[2,3,4], f[4,3,5], [[1,2],[1,0]])", "float32 [2,5]"),
    CALL("tf.eye(3)", "float32 [3,3]"),
    CALL("tf.constant([1,2,3])", "int32 [3]"),
    CALL("tf.constant([1,2,3], shape=[2])",
         "TypeError: Eager execution of tf.constant with unsupported shape. Tensor [1 2 3] "
         "(converted from [1, 2, 3])"),
    CALL("tf.constant([1,2], shape=[3])",
         "TypeError: Eager execution of tf.constant with unsupported shape. Tensor [1 2] "
         "(converted from [1, 2]) has 2"),
    CALL("tf.constant([[1,2],[3]])",
         "ValueError: Can't convert non-rectangular Python sequence to Tensor."),
    CALL("tf.constant([True,False])", "bool [2]"),
    CALL("tf.constant(1.5, tf.int32)",
         "TypeError: Cannot convert 1.5 to EagerTensor of dtype int32"),
    CALL("tf.constant(1, tf.bool)", "TypeError: Cannot convert 1 to EagerTensor of dtype bool"),
    CALL("tf.constant([1,'a'])",
         "ValueError: Can't convert Python sequence with mixed types to Tensor."),
    CALL("tf.constant(None)",
         "ValueError: Attempt to convert a value (None) with an unsupported type (<class "
         "'NoneType'>) to a Tensor."),
    CALL("tf.constant([])", "float32 [0]"),
    CALL("tf.constant(True, tf.float32)", "float32 []"),
    CALL("tf.zeros(5)", "float32 [5]"),
    CALL("tf.zeros([2,None])",
         "ValueError: Can't convert Python sequence with mixed types to Tensor."),
    CALL("tf.zeros('a')", "TypeError: Cannot convert 'a' to EagerTensor of dtype int32"),
    CALL("tf.ones_like(f[2,3])", "float32 [2,3]"),
    CALL("tf.fill([2,None], 1.)",
         "ValueError: Can't convert Python sequence with mixed types to Tensor."),
    CALL("tf.range(0., 1., 0.25)", "float32 [4]"),
    CALL("tf.one_hot([1,2], 3)", "float32 [2,3]"),
    CALL("tf.one_hot([1,2],'a')", "TypeError: Cannot convert 'a' to EagerTensor of dtype int32"),
    CALL("tf.one_hot(i[2], 3, on_value=5, off_value=0)", "int32 [2,3]"),
    CALL("tf.meshgrid(f[3],f[4],indexing='ij')", "list float32 [3,4]; float32 [3,4]"),
    CALL("tf.rank(f[2,3])", "int32 []"),
    CALL("tf.convert_to_tensor([1,2])", "int32 [2]"),
    CALL("tf.convert_to_tensor([f[],i[]])",
         "InvalidArgumentError: cannot compute Pack as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.convert_to_tensor([i[],2.5])",
         "TypeError: Cannot convert 2.5 to EagerTensor of dtype int32"),
    CALL("tf.convert_to_tensor(f[], tf.int32)",
         "ValueError: Tensor conversion requested dtype int32 for Tensor with dtype float32: "
         "<tf.Tensor: shape=(),"),
    CALL("tf.convert_to_tensor([None,1])",
         "ValueError: Attempt to convert a value (None) with an unsupported type (<class "
         "'NoneType'>) to a Tensor."),
    CALL("tf.convert_to_tensor('a', tf.float32)",
         "TypeError: Cannot convert 'a' to EagerTensor of dtype float"),
    CALL("tf.where(b[2], f[2], f[2])", "float32 [2]"),
    CALL("tf.where(b[2], f[2])", "ValueError: x and y must both be non-None or both be None."),
    CALL("tf.where([True], [1], [2.5])",
         "TypeError: Cannot convert [2.5] to EagerTensor of dtype int32"),
    CALL("tf.reverse(f[2,3], [1])", "float32 [2,3]"),
    CALL("tf.gather_nd(f[4,3], [[0,1]])", "float32 [1]"),
    CALL("tf.linalg.band_part(f[3,3], 0, -1)", "float32 [3,3]"),
    CALL("tf.sort(f[4,3], axis=0)", "float32 [4,3]"),
    CALL("tf.nn.conv2d(f[8,28,28,1], f[5,5,1,32], [1,2,2,1], 'VLAID')",
         "InvalidArgumentError: Value for attr 'padding' of \"VLAID\" is not in the list of "
         "allowed values: \"SAME\","),
    CALL("tf.nn.conv2d(f[8,28,28,1], f[5,5,1,32], [1,2,2], 'SAME')",
         "ValueError: strides should be of length 1, 2 or 4. Received: strides=[1, 2, 2] of "
         "length 3"),
    CALL("tf.nn.conv2d(f[8,28,28,1], f[5,5,1,32], ['a',2,2,1], 'SAME')",
         "TypeError: Expected int for argument 'strides' not 'a'."),
    CALL("tf.nn.conv3d(f[8,9,9,9,1], f[3,3,3,1,32], [1,1,1,1,1], 'SAME')", "float32 [8,9,9,9,32]"),
    CALL("tf.nn.separable_conv2d(f[8,28,28,3], f[5,5,3,2], f[1,1,6,10], [1,1,1,1], 'SAME')",
         "float32 [8,28,28,10]"),
    CALL("tf.nn.max_pool(f[8,28,28,32], [1,2,2], [1,2,2,1], 'SAME')",
         "ValueError: ksize should be of length 1, 2 or 4. Received: ksize=[1, 2, 2] of length 3"),
    CALL("tf.nn.max_pool(f[8,28,28], [1,2,2,1], [1,2,2,1], 'SAME')",
         "ValueError: ksize should be of length 1, 1 or 3. Received: ksize=[1, 2, 2, 1] of "
         "length 4"),
    CALL("tf.nn.bias_add(f[2,10], i[10])",
         "InvalidArgumentError: cannot compute BiasAdd as input #1(zero-based) was expected to "
         "be a float tensor but is"),
    CALL("tf.nn.elu(f[2])", "float32 [2]"),
    CALL("tf.nn.crelu(f[2,3])", "float32 [2,6]"),
    CALL("tf.nn.l2_loss(f[2,3])", "float32 []"),
    CALL("tf.nn.softmax(i[2])",
         "InvalidArgumentError: Value for attr 'T' of int32 is not in the list of allowed "
         "values: half, bfloat16,"),
    CALL("tf.nn.dropout(f[2,10], 2.0)",
         "ValueError: `rate` must be a scalar tensor or a float in the range [0, 1). Received: "
         "rate=2.0"),
    CALL("tf.nn.dropout(i[2], 0.5)",
         "ValueError: `x.dtype` must be a floating point tensor as `x` will be scaled. "
         "Received: x_dtype=<dtype:"),
    CALL("tf.nn.embedding_lookup(f[100,16], [1,2,3])", "float32 [3,16]"),
    CALL("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i[8,10], logits=f[8,10])",
         "ValueError: `labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
         "labels.shape=(8, 10) of rank 2"),
    CALL("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i[7], logits=f[8,10])",
         "ValueError: `labels.shape` must equal `logits.shape` except for the last dimension. "
         "Received:"),
    CALL("tf.nn.sigmoid_cross_entropy_with_logits(labels=f[8,1], logits=f[8])",
         "ValueError: `logits` and `labels` must have the same shape, received ((8,) vs (8, 1))."),
    CALL("tf.nn.log_poisson_loss(f[8], f[8])", "float32 [8]"),
    CALL("tf.random.categorical(f[2,10], 5)", "int64 [2,5]"),
    CALL("tf.image.crop_to_bounding_box(f[28,28,3], 20, 2, 10, 10)",
         "ValueError: height must be >= target + offset."),
    CALL("tf.image.flip_left_right(f[28,28,3])", "float32 [28,28,3]"),
    CALL("tf.image.per_image_standardization(f[28,28,3])", "float32 [28,28,3]"),
    CALL("tf.image.convert_image_dtype(i[28,28,3], tf.float32)", "float32 [28,28,3]"),
    CALL("tf.image.random_brightness(f[28,28,3], 0.1)", "float32 [28,28,3]"),
    CALL("tf.image.random_hue(f[28,28,3], 0.1)", "float32 [28,28,3]"),
    CALL("tf.image.hsv_to_rgb(f[2,28,28,3])", "float32 [2,28,28,3]"),
    CALL("tf.no_op()", "nothing"),
    CALL("tf.assert_rank(f[2,3], 3)",
         "ValueError: Tensor  must have rank 3.  Received rank 2, shape (2, 3)"),
    CALL("tf.nn.sampled_softmax_loss(f[100,16], f[100], i[8,1], f[8,16], 5, 100)", "float32 [8]"),
    CALL("tf.scalar_mul(2.0, f[3])", "float32 [3]"),
    CALL("tf.sequence_mask([1,3], 4, tf.float32)", "float32 [2,4]"),
    CALL("tf.Tensor.__add__(f[2], i[2])",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
    CALL("tf.Tensor.__add__(i[2], 1.5)",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a int32 tensor but is a"),
    CALL("tf.Tensor.__radd__(i[2], 1.5)",
         "TypeError: Cannot convert 1.5 to EagerTensor of dtype int32"),
    CALL("tf.Tensor.__sub__(f[2], f[2])", "float32 [2]"),
    CALL("tf.Tensor.__mul__(i[2], 2.0)",
         "TypeError: Cannot convert 2.0 to EagerTensor of dtype int32"),
    CALL("tf.Tensor.__truediv__(i[2], 2)", "float64 [2]"),
    CALL("tf.Tensor.__mod__(i[2], 2)", "int32 [2]"),
    CALL("tf.Tensor.__abs__(f[2])", "float32 [2]"),
    CALL("tf.Tensor.__and__(b[2], b[2])", "bool [2]"),
    CALL("tf.Tensor.__add__(f[2], None)",
         "ValueError: Attempt to convert a value (None) with an unsupported type (<class "
         "'NoneType'>) to a Tensor."),
    CALL("tf.nn.conv3d_transpose(f[8,4,4,4,32], f[3,3,3,16,32], [8,8,8,8,16], [1,2,2,2,1])",
         "float32 [8,8,8,8,16]"),
    CALL("tf.nn.normalize_moments(f[], f[3], f[3], None)", "float32 [3]; float32 [3]"),
    CALL("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=f[8], logits=f[8,10])",
         "InvalidArgumentError: Value for attr 'Tlabels' of float is not in the list of allowed "
         "values: int32, int64"),
    CALL("tf.nn.sigmoid_cross_entropy_with_logits(labels=i[8], logits=f[8])",
         "InvalidArgumentError: cannot compute Mul as input #1(zero-based) was expected to be a "
         "float tensor but is a"),
    CALL("tf.reduce_all(b[2,3], 1)", "bool [2]"),
    CALL("tf.reshape(f[2,3], [3,2.])",
         "InvalidArgumentError: Value for attr 'Tshape' of float is not in the list of allowed "
         "values: int32, int64"),
    CALL("tf.matmul(f[2,3], f[2,4], transpose_a=True, adjoint_a=True)",
         "ValueError: Only one of `transpose_a` and `adjoint_a` can be True. Received "
         "`transpose_a`=True,"),
    CALL("tf.norm(f[2,3], ord=1)", "float32 []"),
    CALL("tf.constant(5, dtype=tf.float32, shape=[2,2], name='five')", "float32 [2,2]"),
    CALL("tf.constant([1.5], tf.int32)",
         "TypeError: Cannot convert [1.5] to EagerTensor of dtype int32"),
    CALL("tf.constant('a', tf.float32)",
         "TypeError: Cannot convert 'a' to EagerTensor of dtype float"),
    CALL("tf.constant([1,2,3,4,5,6], shape=[2,3], dtype=tf.int64)", "int64 [2,3]"),
    CALL("tf.zeros((2,3))", "float32 [2,3]"),
    CALL("tf.ones([], tf.bool)", "bool []"),
    CALL("tf.fill([2,3], 'a')", "string [2,3]"),
    CALL("tf.range(5, 0, -1)", "int32 [5]"),
    CALL("tf.one_hot(i[4], 10, on_value=True, off_value=False, dtype=tf.bool)", "bool [4,10]"),
    CALL("tf.one_hot(f[4], 10)",
         "InvalidArgumentError: Value for attr 'TI' of float is not in the list of allowed "
         "values: uint8, int8, int32,"),
    CALL("tf.shape_n([f[2],f[3,4]])", "list int32 [1]; int32 [2]"),
    CALL("tf.boolean_mask(f[4,3], b[3])", "ValueError: Shapes (4,) and (3,) are incompatible"),
    CALL("tf.gather(f[4,3], f[2])",
         "InvalidArgumentError: Value for attr 'Tindices' of float is not in the list of "
         "allowed values: int16, int32,"),
    CALL("tf.strided_slice(f[4,3], [0], [1], shrink_axis_mask=1)", "float32 [3]"),
    CALL("tf.searchsorted(f[5], f[3])", "int32 [3]"),
    CALL("tf.add(b[2], b[2])",
         "InvalidArgumentError: Value for attr 'T' of bool is not in the list of allowed "
         "values: bfloat16, half, float,"),
    CALL("tf.add([1,2], [3.,4.])",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a int32 tensor but is a"),
    CALL("tf.multiply(f[2], True)", "float32 [2]"),
    CALL("tf.truediv(f[2], i[2])",
         "TypeError: `x` and `y` must have the same dtype, got tf.float32 != tf.int32."),
    CALL("tf.pow(2, f[2])", "float32 [2]"),
    CALL("tf.pow(i[2], 0.5)", "TypeError: Cannot convert 0.5 to EagerTensor of dtype int32"),
    CALL("tf.equal(f[2], 0)", "bool [2]"),
    CALL("tf.greater(f[2], i[2])",
         "InvalidArgumentError: cannot compute Greater as input #1(zero-based) was expected to "
         "be a float tensor but is"),
    CALL("tf.less(1, 2)", "bool []"),
    CALL("tf.logical_not(f[2])",
         "InvalidArgumentError: cannot compute LogicalNot as input #0(zero-based) was expected "
         "to be a bool tensor but"),
    CALL("tf.cast(b[2], tf.float32)", "float32 [2]"),
    CALL("tf.round(f[2])", "float32 [2]"),
    CALL("tf.clip_by_value(i[2], 0, 5)", "int32 [2]"),
    CALL("tf.clip_by_value(i[2], 0., 5)",
         "TypeError: Cannot convert 0.0 to EagerTensor of dtype int32"),
    CALL("tf.clip_by_norm(f[2,3], 1.0, axes=[1])", "float32 [2,3]"),
    CALL("tf.image.pad_to_bounding_box(f[28,28,3], 2, 2, 10, 10)",
         "ValueError: width must be <= target - offset"),
    CALL("tf.image.central_crop(f[28,28,3], 2.0)",
         "ValueError: central_fraction must be within (0, 1]"),
    CALL("tf.image.flip_up_down(f[2,28,28,3])", "float32 [2,28,28,3]"),
    CALL("tf.image.per_image_standardization(i[28,28,3])", "float32 [28,28,3]"),
    CALL("tf.image.convert_image_dtype(f[28,28,3], tf.uint8)", "uint8 [28,28,3]"),
    CALL("tf.image.adjust_saturation(f[28,28,3], 0.1)", "float32 [28,28,3]"),
    CALL("tf.image.encode_jpeg(f[28,28,3])",
         "InvalidArgumentError: cannot compute EncodeJpeg as input #0(zero-based) was expected "
         "to be a uint8 tensor but"),
    CALL("tf.image.sobel_edges(f[2,28,28,3])", "float32 [2,28,28,3,2]"),
    CALL("tf.Tensor.__rsub__(f[2], 1.5)", "float32 [2]"),
    CALL("tf.Tensor.__rpow__(f[2], 2)", "float32 [2]"),
    CALL("tf.Tensor.__ge__(f[2], i[2])",
         "InvalidArgumentError: cannot compute GreaterEqual as input #1(zero-based) was "
         "expected to be a float tensor"),
    CALL("tf.Tensor.__or__(b[2], True)", "bool [2]"),
    CALL("tf.Tensor.__abs__(c[2])", "float32 [2]"),
    CALL("tf.Tensor.__add__(f[2], 'a')",
         "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be "
         "a float tensor but is a"),
};
/* clang-format on */

Test(calls, eager_2_21)
{
    check_calls(eager_2_21, SF_ARRAY_LEN(eager_2_21), SF_VERSION(2, 21), SF_TF2, true);
}
