"""The files of a witness: the values of all externals, and the part of the graph that computes the result
from them, as a GraphDef of its own. A replay needs nothing else but TensorFlow."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Set

    from .externals import External


def part_of(tf: Any, graph: Any, targets: List[str], ends: List[External]) -> Any:
    """The GraphDef from the externals, which are placeholders in it, to some tensors."""
    whole = graph.as_graph_def()
    nodes = {node.name: node for node in whole.node}
    stands = {end.name: end.node for end in ends}
    targets = [name for name in targets if name.split(":")[0] in nodes]
    made = tf.GraphDef()
    made.versions.CopyFrom(whole.versions)
    made.library.CopyFrom(whole.library)
    added: Dict[str, bool] = {}
    chosen: Set[str] = set()
    rest = list(targets)
    for end in ends:
        node = made.node.add(name=end.node, op="Placeholder")
        node.attr["dtype"].type = end.tensor.dtype.base_dtype.as_datatype_enum
        added[end.node] = True
    while rest:
        source = rest.pop()
        full = source if ":" in source else source + ":0"
        name = full.split(":")[0]
        if full in stands or name in chosen or name in added:
            continue
        chosen.add(name)
        rest += [item for item in nodes[name].input if not item.startswith("^")]
    for node in whole.node:
        if node.name in chosen:
            copy = made.node.add()
            copy.CopyFrom(node)
            del copy.input[:]
            for source in node.input:
                if not source.startswith("^"):
                    copy.input.append(stands.get(source if ":" in source else source + ":0", source))
            if "_class" in copy.attr:  # what it is to be placed with may not be here
                del copy.attr["_class"]
    return made


def write(tf: Any, graph: Any, targets: List[str], ends: List[External], values: Dict[str, Any],
          stem: str) -> None:
    """STEM.pb and STEM.npz."""
    import numpy as np

    with open(stem + ".pb", "wb") as stream:
        stream.write(part_of(tf, graph, targets, ends).SerializeToString())
    np.savez(stem + ".npz", **{end.node: values[end.name] for end in ends})
