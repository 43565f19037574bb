# exit: 3
import tensorflow as tf
print "python 2"
