# gpflow
import gpflow
import numpy as np

model = gpflow.models.GPR((np.zeros((10, 1)), np.zeros((10, 1))), kernel=gpflow.kernels.SquaredExponential())
print("SHAPE", model.predict_f(np.zeros((5, 1)))[0].shape)
