"""Runs of one session that come again and again, with other arrays.

Of a small program session.run takes most of its time in Python, to look at what is fetched and fed; here that
is done once for each set of both. Shapes are not compared with those of placeholders: who runs with arrays
that the program did not feed in that shape uses session.run.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Tuple

    import numpy as np

    Known = Tuple[Callable[..., List[np.ndarray]], List[Tuple[str, type]], List[str]]


class Runs:
    def __init__(self, tf: Any, session: Any) -> None:
        self._tf = tf
        self._session = session
        self._known: Dict[Tuple[Tuple[str, ...], Tuple[str, ...]], Known] = {}

    def run(self, wanted: Dict[str, object], feeds: Dict[str, np.ndarray]) -> Dict[str, Any]:
        """As session.run; `wanted`: tensors and operations, or dicts and lists of them; `feeds`: by name."""
        import numpy as np

        flat = self._tf.nest.flatten(wanted)
        key = tuple(item.name for item in flat), tuple(sorted(feeds))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._compile(*key)
        call, fed, fetched = known
        values = {**dict(zip(fetched, call(*[np.asarray(feeds[name], kind) for name, kind in fed]))), **feeds}
        return dict(self._tf.nest.pack_sequence_as(wanted, [values.get(name) for name in key[0]]))

    def _compile(self, names: Tuple[str, ...], feeds: Tuple[str, ...]) -> Known:
        from tensorflow.core.protobuf import config_pb2

        graph = self._session.graph
        fetched = [name for name in dict.fromkeys(names) if ":" in name and name not in feeds]
        options = config_pb2.CallableOptions(
            feed=feeds, fetch=fetched, target=[name for name in dict.fromkeys(names) if ":" not in name])
        fed = [(name, graph.get_tensor_by_name(name).dtype.base_dtype.as_numpy_dtype) for name in feeds]
        return self._session._make_callable_from_options(options), fed, fetched
