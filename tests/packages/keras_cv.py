# keras-cv
import keras_cv
import tensorflow as tf

boxes = tf.zeros([2, 5, 4])
print("SHAPE", keras_cv.bounding_box.convert_format(boxes, source="xywh", target="xyxy").shape)
print("SHAPE", keras_cv.bounding_box.compute_iou(boxes, boxes, bounding_box_format="xyxy").shape)
backbone = keras_cv.models.ResNetBackbone(
    stackwise_filters=[64, 128, 256, 512], stackwise_blocks=[2, 2, 2, 2], stackwise_strides=[1, 2, 2, 2],
    block_type="basic_block", include_rescaling=False, input_shape=(64, 64, 3))
print("SHAPE", backbone.output_shape)
