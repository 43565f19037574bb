# tensorflow-text
import tensorflow as tf
import tensorflow_text as text

tokens = text.WhitespaceTokenizer().tokenize(["everything not saved", "will be lost"])
print("RANK", tokens.shape.rank)
table = tf.nn.embedding_lookup(tf.zeros([10, 4]), tf.zeros([2, 3], tf.int32))
print("SHAPE", table.shape)
