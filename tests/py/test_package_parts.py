"""Parts of TensorFlow that packages above it use, and few programs: they are as in TensorFlow 2.21."""
from command import shapeflow, write

TEXT = """\
import tensorflow as tf
from tensorflow.python.framework import type_spec_registry
from tensorflow.python.util import nest
made = tf.add(tf.random.normal([2]), 1.0)
print(made.shape, tf.inside_function(), tf.debugging.is_traceback_filtering_enabled())
print(nest.flatten_up_to([0, (1, 2)], [{"a": 1}, ([2], 3)]))
print(nest.map_structure_up_to((0, 0), lambda x, y: x + y, (1, 2), (3, 4)))
for bad in (lambda: nest.flatten_up_to([1], 2), lambda: nest.flatten_up_to([1, 2], [3]),
            lambda: nest.map_structure_up_to((0, 0), len), lambda: type_spec_registry.lookup("my.Spec")):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)
class Spec:
    pass
print(type_spec_registry.register("my.Spec")(Spec) is Spec, type_spec_registry.lookup("my.Spec") is Spec,
      type_spec_registry.get_name(Spec))
class Holder(tf.Module):
    def __init__(self):
        super().__init__()
        self.kept, self.followed = self._no_dependency([1]), [1]
holder = Holder()
print(type(holder.kept).__name__, type(holder.followed).__name__)
variable = tf.compat.v1.Variable(1.0, experimental_enable_variable_lifting=False)
print(variable.shape, tf.distribute.get_strategy()._should_use_with_coordinator)
from tensorflow.python.saved_model.model_utils.mode_keys import KerasModeKeys
print(tf.__internal__.nest.list_to_tuple([1, [2, (3, [4])], {"a": [5]}]), KerasModeKeys.TEST)
with tf.profiler.experimental.Trace("step", step_num=1) as traced:
    traced.set_metadata(loss=1)
    print(tf.__internal__.ops.broadcast_weights(tf.ones([2, 1]), tf.ones([2, 3])).shape)
"""
SAID = """\
(2,) False True
[{'a': 1}, [2], 3]
(4, 6)
TypeError If shallow structure is a sequence, input must also be a sequence. Input has type: <class 'int'>.
ValueError The two structures don't have the same sequence length. Input structure has length 1, while \
shallow structure has length 2.
ValueError Cannot map over no sequences
ValueError No TypeSpec has been registered with name 'my.Spec'
True True my.Spec
list ListWrapper
() False
(1, (2, (3, (4,))), {'a': (5,)}) test
(2, 3)
"""


def test_parts_that_packages_use(tmp_path):
    write(tmp_path, train=TEXT)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "train.py")
    assert (done.returncode, done.stdout) == (0, SAID), done.stdout + done.stderr
