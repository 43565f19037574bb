"""Bugs in layers of Keras, for planted_backends.py: a process of a backend runs this file first.

One is on at a time: the one whose name stands in the file that PLANTED_BUG names.
"""
import functools
import os

from keras import layers, losses, ops


def is_on(bug):
    with open(os.environ["PLANTED_BUG"], encoding="utf-8") as stream:
        return stream.read() == bug


def planted(bug, kind):
    """The decorated function stands for `call` of the class, which it gets as `right`."""
    def plant(wrong):
        right = kind.call

        @functools.wraps(right)  # Keras reads its signature
        def either(self, *given, **named):
            return wrong(right, self, *given, **named) if is_on(bug) else right(self, *given, **named)

        kind.call = either
    return plant


# --- forward ------------------------------------------------------------------------------------------
@planted("padding", layers.AveragePooling2D)
def counts_the_padding(right, self, x):
    made = right(self, x)
    is_last = ops.arange(made.shape[2])[:, None] == made.shape[2] - 1
    return made * ops.where(is_last, 0.5, 1.0) if self.padding == "same" else made


@planted("epsilon", layers.BatchNormalization)
def takes_another_epsilon(right, self, *given, **named):
    kept, self.epsilon = self.epsilon, 1.0
    made = right(self, *given, **named)
    self.epsilon = kept
    return made


@planted("transposed", layers.SimpleRNN)
def transposes_the_recurrent_kernel(right, self, sequence, *given, **named):
    kernel = self.cell.recurrent_kernel
    kept = ops.copy(kernel)
    kernel.assign(ops.copy(ops.transpose(kernel)))
    made = right(self, sequence, *given, **named)
    kernel.assign(kept)
    return made


@planted("strides", layers.Conv2D)
def begins_at_the_other_end(right, self, x):
    return right(self, ops.flip(x, 1) if max(self.strides) > 1 else x)


@planted("bilinear", layers.UpSampling2D)
def is_off_by_one(right, self, x):
    made = right(self, x)
    return ops.roll(made, 1, axis=1) if self.interpolation == "bilinear" else made


@planted("axis", layers.Softmax)
def is_applied_twice(right, self, x, mask=None):
    made = right(self, x, mask)
    return right(self, made, mask) if self.axis == 1 else made


@planted("backwards", layers.GRU)
def forgets_to_go_backwards(right, self, sequence, *given, **named):
    return right(self, ops.flip(sequence, 1) if self.go_backwards else sequence, *given, **named)


@planted("activation", layers.Dense)
def adds_the_bias_after_the_activation(right, self, x, *given, **named):
    made = right(self, x, *given, **named)
    return made + 0.5 if getattr(self.activation, "__name__", "") == "tanh" else made


@planted("order", layers.Subtract)
def subtracts_the_other_way(right, self, inputs):
    return -right(self, inputs)


# --- NaN, exceptions, crashes, shapes -----------------------------------------------------------------
@planted("nan", layers.GlobalMaxPooling2D)
def gives_nan(right, self, x):
    return right(self, x) * float("nan")


@planted("mask", layers.Embedding)
def raises(right, self, indices):
    if self.mask_zero:
        raise TypeError("a mask of another type")
    return right(self, indices)


@planted("crash", layers.Permute)
def crashes(right, self, x):
    os.abort()


@planted("shape", layers.RepeatVector)
def repeats_once_more(right, self, x):
    return ops.repeat(x[:, None], self.n + 1, axis=1)


# --- loss, backward -----------------------------------------------------------------------------------
@planted("delta", losses.Huber)
def clips_the_error(right, self, y, prediction):
    return right(self, y, ops.clip(prediction, y - 0.2, y + 0.2))


@planted("slope", layers.LeakyReLU)
def has_twice_the_gradient(right, self, x):
    made = right(self, x)
    return 2 * made - ops.stop_gradient(made)


@planted("no gradient", layers.ZeroPadding1D)
def has_no_gradient(right, self, x):
    return ops.stop_gradient(right(self, x))
