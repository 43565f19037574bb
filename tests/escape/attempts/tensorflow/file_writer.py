# tf.summary.FileWriter and tf.train.write_graph into folders that are there
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 2])
tf.summary.scalar("loss", tf.reduce_sum(x))
with tf.Session() as session:
    writer = tf.summary.FileWriter("runs", session.graph)
    writer.add_summary(session.run(tf.summary.merge_all(), {x: [[1, 2], [3, 4]]}), 1)
    writer.close()
    tf.train.write_graph(session.graph_def, ".", "notes.txt")
