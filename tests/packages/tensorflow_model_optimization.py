# tensorflow-model-optimization
import tensorflow_model_optimization as tfmot
import tf_keras as keras

model = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(3)])
pruned = tfmot.sparsity.keras.prune_low_magnitude(model)
pruned.compile("adam", "mse")
print("SHAPE", pruned.output_shape)
print("LAYERS", [layer.name for layer in tfmot.sparsity.keras.strip_pruning(pruned).layers])
