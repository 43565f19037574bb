import tempfile
import numpy as np
import tensorflow as tf


def model_fn(features, labels, mode, params):
    net = tf.feature_column.input_layer(features, params["columns"])
    net = tf.layers.dense(net, 10, activation=tf.nn.relu)
    logits = tf.layers.dense(net, 3)
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"class": classes})
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    accuracy = tf.metrics.accuracy(labels, classes)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


columns = [tf.feature_column.numeric_column("a"),
           tf.feature_column.embedding_column(tf.feature_column.categorical_column_with_hash_bucket("b", 10), 4),
           tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_vocabulary_list("c", ["x", "y"]))]
data = {"a": np.zeros(20, np.float32), "b": np.array(["q"] * 20), "c": np.array(["x"] * 20)}
labels = np.zeros(20, np.int32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices((data, labels)).shuffle(20).batch(5)


classifier = tf.estimator.Estimator(model_fn, model_dir=tempfile.mkdtemp(), params={"columns": columns})
classifier.train(input_fn=input_fn, steps=3)
result = classifier.evaluate(input_fn=input_fn)
print(result["accuracy"] >= 0)
for p in classifier.predict(input_fn=lambda: input_fn()):
    print(p["class"])
    break
dnn = tf.estimator.DNNClassifier([8, 8], columns, n_classes=3)
dnn.train(tf.estimator.inputs.numpy_input_fn(data, labels, batch_size=4, num_epochs=1, shuffle=True))
