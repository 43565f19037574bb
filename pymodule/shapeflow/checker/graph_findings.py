"""Findings of graph files: of a node, since there is no source line."""
from __future__ import annotations

from shapeflow.checker.findings import Record, record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Tuple


class GraphRecord(Record):
    """A finding at a node of a file."""

    def key(self) -> Tuple[Any, ...]:
        return (self.code, self.op_type, self.node_name, self.message)


def graph_record(finding: Any, shown: str) -> GraphRecord:
    plain = record_of(finding)
    record = GraphRecord(
        plain.code, plain.name, plain.severity, plain.message, plain.phase, plain.op_type,
        plain.node_name, operands=plain.operands, blamed=plain.blamed,
    )
    record.arguments = plain.arguments
    for operand, item in zip(record.operands, finding.operands):
        operand.made_at = None
        operand.producer = item["producer"]
    record.place = f"{shown}: node '{record.node_name}'" if record.node_name else shown
    return record
