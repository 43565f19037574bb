"""`np.eye(10)[labels]` of labels that nobody knows: one hot row for each of them. numpy would ask for the
number of one row, and it may be many of them.
"""
from __future__ import annotations

import numpy

from shapeflow.api.unknown_package import Unknown


class Rows(numpy.ndarray):
    """An identity matrix, and what is computed of it."""

    def __getitem__(self, key: object) -> object:  # type: ignore[override]  # of whatever numpy takes
        if not isinstance(key, Unknown):
            return super().__getitem__(key)  # type: ignore[call-overload]
        shape = key._sf_shape
        if key._sf_dtype == "bool":
            rows = None if shape is None or len(shape) > self.ndim else (None, *self.shape[len(shape):])
        else:
            rows = None if shape is None else (*shape, *self.shape[1:])
        made = key._more(".__getitem__()")
        return made._shaped(rows, self.dtype.name)

    def __repr__(self) -> str:
        return repr(self.view(numpy.ndarray))
