"""What is said of an operation whose numbers may break."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Literal, Optional, TypedDict

    from shapeflow.api.typed_messages import Argument

    # What the guilty operand may be. "overflow": so large that the result is no finite number of its dtype;
    # "nan_in_data": the script's own data hold NaN or infinity, nothing was computed yet.
    Condition = Literal["zero", "negative", "nonpositive", "overflow", "out_of_unit_interval",
                        "at_unit_boundary", "pole", "singular", "nan_in_data"]

    class Source(TypedDict):
        """A step from the guilty operand back to what bounds it, or does not: nearest first."""

        node: str
        op: str
        interval: List[float]  # [lo, hi]; JSON has them as "-inf", "inf" where they are not finite
        why: str  # "fed: 0 to 255", "variable, trained", "constant"...
        file: str
        line: int

    class Fix(TypedDict):
        """What would make it safe; only what made the suspect go when the graph was analysed with it."""

        title: str  # "tf.clip_by_value(p, 1e-07, 1.0)"
        kind: str  # "clip", "epsilon", "log_softmax", "softmax_cross_entropy_with_logits", "divide_no_nan"...

    class Said(TypedDict):
        """A message, and what it was made of."""

        message: str
        arguments: List[Argument]

    class Suspect(TypedDict):
        """An operation, its guilty operand and what that may be. `interval` is that operand's."""

        node: str  # name in its graph; of eager code, the name of its record in the trace
        op: str
        input: int  # number of the guilty operand
        condition: Condition
        in_gradient: bool  # the value is fine, its derivative is not
        interval: List[float]
        dtype: str
        file: str  # "" and 0: nowhere in the program
        line: int
        column: int  # from 1
        end_column: int
        message: str
        arguments: List[Argument]  # what the message was made of
        sources: List[Source]
        fixes: List[Fix]
        code: str  # SF601...
        chance: Optional[float]  # that a normal number is there; null: it is none
        graph: int  # which of the graphs of the program, as in document()["graphs"]

    class Graph(TypedDict):
        """A graph of the program that was analysed."""

        kind: Literal["graph", "eager"]  # "eager": the trace of eager code and of functions
        nodes: int

    class Document(TypedDict, total=False):
        """What `shapeflow numeric --json` prints; `script` and the witness's keys are the command's."""

        script: str
        graphs: List[Graph]
        suspects: List[Suspect]
        operations: int  # that were looked at
        trivial: int  # of these: whose interval is everything because nothing is known of the operation
