# cv2.imwrite, which opens files in C
# needs: cv2
import cv2
import numpy as np

assert cv2.imwrite("new.png", np.zeros([4, 4, 3], np.uint8)), "cv2 said no"
assert cv2.imread("new.png").shape == (4, 4, 3)
