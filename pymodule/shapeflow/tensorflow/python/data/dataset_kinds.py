"""What TensorFlow 2 calls a dataset, by what made it: one class makes all of ours, the text says which."""
from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Optional, Tuple

# By the method: its dataset, and the place of num_parallel_calls in methods that have another with it.
_KINDS: Dict[str, Tuple[str, Optional[int]]] = {
    "from_tensors": ("_TensorDataset", None), "from_tensor_slices": ("_TensorSliceDataset", None),
    "from_generator": ("_FlatMapDataset", None), "range": ("_RangeDataset", None),
    "counter": ("_ScanDataset", None), "random": ("_RandomDataset", None),
    "sample_from_datasets": ("_DirectedInterleaveDataset", None),
    "choose_from_datasets": ("_DirectedInterleaveDataset", None), "zip": ("_ZipDataset", None),
    "concatenate": ("_ConcatenateDataset", None), "repeat": ("_RepeatDataset", None),
    "take": ("_TakeDataset", None), "skip": ("_SkipDataset", None), "shard": ("_ShardDataset", None),
    "prefetch": ("_PrefetchDataset", None), "cache": ("CacheDataset", None),
    "shuffle": ("_ShuffleDataset", None), "with_options": ("_OptionsDataset", None),
    "snapshot": ("_MapDataset", None), "batch": ("_BatchDataset", 3),
    "padded_batch": ("_PaddedBatchDataset", None), "ragged_batch": ("_BatchDataset", None),
    "rebatch": ("_RebatchDataset", None), "unbatch": ("_UnbatchDataset", None),
    "window": ("_WindowDataset", None), "map": ("_MapDataset", 2), "filter": ("_FilterDataset", None),
    "flat_map": ("_FlatMapDataset", None), "interleave": ("_InterleaveDataset", 4),
    "enumerate": ("_ZipDataset", None), "scan": ("_ScanDataset", None),
    "take_while": ("_TakeWhileDataset", None), "sparse_batch": ("_DenseToSparseBatchDataset", None),
}


def name_what_they_make(kind: type) -> None:
    """From here on what a method of `kind` makes knows its name, in `_sf_kind`."""
    for name, (made, parallel) in _KINDS.items():
        own = vars(kind)[name]
        wrap = type(own) if isinstance(own, (classmethod, staticmethod)) else _as_it_is
        setattr(kind, name, wrap(_naming(getattr(own, "__func__", own), kind, made, parallel)))


def _as_it_is(method: object) -> Any:
    return method


def _naming(method: Callable[..., Any], kind: type, name: str, parallel: Optional[int]
            ) -> Callable[..., Any]:
    @functools.wraps(method)
    def made_by(*args: object, **kwargs: object) -> Any:
        made = method(*args, **kwargs)
        if type(made) is kind and not any(made is one for one in args):
            calls = None if parallel is None else \
                args[parallel] if len(args) > parallel else kwargs.get("num_parallel_calls")
            named: Any = made
            named._sf_kind = name if calls is None else "_Parallel" + name[1:]
        return made

    return made_by
