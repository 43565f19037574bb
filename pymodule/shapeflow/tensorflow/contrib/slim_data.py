"""tf.contrib.slim.dataset: what a data set is, as it was told."""
from __future__ import annotations

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.contrib.slim.dataset.Dataset")
class Dataset:
    def __init__(self, data_sources: Any, reader: Any, decoder: Any, num_samples: Any,
                 items_to_descriptions: Any, **kwargs: Any) -> None:
        kwargs.update(data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
                      items_to_descriptions=items_to_descriptions)
        self.__dict__.update(kwargs)
