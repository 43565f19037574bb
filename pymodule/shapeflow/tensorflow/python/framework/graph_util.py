"""tf.graph_util: parts of a GraphDef, and variables turned into constants.

A constant that stands for a variable has its shape and dtype, and zeros for content.
Source: tensorflow/python/framework/graph_util_impl.py.
"""
from __future__ import annotations

import copy

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.graph_def import GraphDef

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Set

_VARIABLES = frozenset({"Variable", "VariableV2", "AutoReloadVariable", "VarHandleOp", "ReadVariableOp"})
# Of a TensorProto, which field holds values of a dtype; the rest are integers of 32 bits or less.
_FIELDS = {"float32": "float_val", "float64": "double_val", "int64": "int64_val", "bool": "bool_val",
           "float16": "half_val", "bfloat16": "half_val", "string": "string_val", "uint32": "uint32_val",
           "uint64": "uint64_val"}


def _name(text: str) -> str:
    """The node of an input: "^node" and "node:1" are of "node"."""
    return text[1:] if text.startswith("^") else text.split(":")[0]


def _check(graph_def: Any, names: Any) -> None:
    if not isinstance(graph_def, GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(names, str):
        raise TypeError("dest_nodes must be a list.")


@export("tf.graph_util.extract_sub_graph")
def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> GraphDef:
    """The nodes that `dest_nodes` need, in their order."""
    _check(graph_def, dest_nodes)
    needs: Dict[str, List[str]] = {node.name: [_name(i) for i in node.input] for node in graph_def.node}
    for name in dest_nodes:
        assert name in needs, "%s is not in graph" % name
    kept: Set[str] = set()
    todo = list(dest_nodes)
    while todo:
        name = todo.pop()
        if name not in kept:
            kept.add(name)
            todo += needs.get(name, [])
    out = GraphDef()
    out.node.extend([copy.deepcopy(node) for node in graph_def.node if node.name in kept])
    out.library.CopyFrom(graph_def.library)
    out.versions.CopyFrom(graph_def.versions)
    return out


@export("tf.graph_util.convert_variables_to_constants")
def convert_variables_to_constants(sess: Any, input_graph_def: Any, output_node_names: object,
                                   variable_names_whitelist: Any = None,
                                   variable_names_blacklist: Any = None) -> GraphDef:
    found = extract_sub_graph(input_graph_def, output_node_names)
    frozen = {node.name: node for node in found.node if node.op in _VARIABLES and node.op != "ReadVariableOp"
              and (variable_names_whitelist is None or node.name in variable_names_whitelist)
              and (variable_names_blacklist is None or node.name not in variable_names_blacklist)}
    out = GraphDef()
    for node in found.node:
        if node.name in frozen:
            _add_constant(out, node, sess.graph)
        elif node.op == "ReadVariableOp" and _name(node.input[0]) in frozen:
            read = out.node.add()
            read.op, read.name = "Identity", node.name
            read.input.extend([node.input[0]])
            read.attr["T"].CopyFrom(node.attr["dtype"])
        else:
            out.node.extend([copy.deepcopy(node)])
    out.library.CopyFrom(input_graph_def.library)
    return out


def _add_constant(out: Any, variable: Any, graph: object) -> None:
    made = out.node.add()
    made.op, made.name = "Const", variable.name
    made.attr["dtype"].CopyFrom(variable.attr["dtype"])
    tensor = made.attr["value"].tensor
    tensor.dtype = variable.attr["dtype"].type
    for dim in variable.attr["shape"].shape.dim:
        tensor.tensor_shape.dim.add().size = dim.size
    field = _FIELDS.get(_core.as_dtype(tensor.dtype).name, "int_val")
    getattr(tensor, field).append(b"" if field == "string_val" else 0)


@export("tf.graph_util.remove_training_nodes")
def remove_training_nodes(input_graph: Any, protected_nodes: Any = None) -> GraphDef:
    """Takes out Identity and CheckNumerics nodes that nothing but data flows through."""
    kept = set(protected_nodes or ())
    source: Dict[str, str] = {}
    for node in input_graph.node:
        if node.op in ("Identity", "CheckNumerics") and node.name not in kept and len(node.input) == 1 \
                and not node.input[0].startswith("^") and node.attr["T"].type < 100:
            source[node.name] = node.input[0]
    # A node that only orders others, or is the end of the graph, stays.
    ordered = {_name(i) for node in input_graph.node for i in node.input if i.startswith("^")}
    used = {_name(i) for node in input_graph.node for i in node.input}
    gone = {name for name in source if name not in ordered and name in used}
    out = GraphDef()
    for node in input_graph.node:
        if node.name in gone:
            continue
        new = copy.deepcopy(node)
        del new.input[:]
        for text in node.input:
            while not text.startswith("^") and _name(text) in gone:
                text = source[_name(text)]
            new.input.append(text)
        out.node.extend([new])
    out.library.CopyFrom(input_graph.library)
    out.versions.CopyFrom(input_graph.versions)
    return out


@export("tf.graph_util.tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> Any:
    name = input_name if ":" in input_name else input_name + ":0"
    return graph.get_tensor_by_name(name).get_shape()


@export("tf.graph_util.must_run_on_cpu")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    definition = node.node_def if hasattr(node, "node_def") else node
    if pin_variables_on_cpu and definition.op in _VARIABLES:
        return True
    attr, kinds = {"Const": ("dtype", (3, 7)), "DynamicStitch": ("T", (3,)),
                   "ParallelDynamicStitch": ("T", (3,)), "Cast": ("SrcT", (3,))}.get(definition.op, ("", ()))
    return bool(attr) and definition.attr[attr].type in kinds
