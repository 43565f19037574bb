"""The CPython extension's surface: the contract between pymodule/ext (C) and this package (Python).

Everything called often is here; what users subclass or hand callables to is Python above it.
"""
from typing import Any, Callable, Dict, Iterable, List, NoReturn, Optional, Sequence, Tuple, TypeVar, Union

_T = TypeVar("_T")

# --- types -------------------------------------------------------------------------------------
class DType:
    """tf.DType. Instances are singletons: as_dtype("float32") is float32. `==` compares with
    DTypes, strings and numpy dtypes, as TensorFlow's does."""
    name: str
    as_datatype_enum: int
    base_dtype: DType
    real_dtype: DType
    is_floating: bool
    is_integer: bool
    is_complex: bool
    is_bool: bool
    is_unsigned: bool
    is_numpy_compatible: bool
    _is_ref_dtype: bool
    size: int
    min: Any
    max: Any
    @property
    def as_numpy_dtype(self) -> Any: ...
    def is_compatible_with(self, other: object) -> bool: ...

def as_dtype(value: object) -> DType: ...
def make_shape(dims: object) -> TensorShape: ...
def make_dimension(value: object) -> Dimension: ...

class Dimension:
    """tf.compat.v1.Dimension: arithmetic and comparison give None when unknown."""
    value: Optional[int]
    def __init__(self, value: object) -> None: ...

class TensorShape:
    """tf.TensorShape. Indexing gives Dimension under v1 behaviour and int/None under v2."""
    ndims: Optional[int]
    rank: Optional[int]
    dims: Optional[List[Dimension]]
    def __init__(self, dims: object) -> None: ...
    def as_list(self) -> List[Optional[int]]: ...
    def merge_with(self, other: object) -> TensorShape: ...
    def concatenate(self, other: object) -> TensorShape: ...
    def with_rank(self, rank: int) -> TensorShape: ...
    def with_rank_at_least(self, rank: int) -> TensorShape: ...
    def with_rank_at_most(self, rank: int) -> TensorShape: ...
    def assert_has_rank(self, rank: int) -> None: ...
    def assert_same_rank(self, other: object) -> None: ...
    def assert_is_compatible_with(self, other: object) -> None: ...
    def assert_is_fully_defined(self) -> None: ...
    def is_compatible_with(self, other: object) -> bool: ...
    def is_fully_defined(self) -> bool: ...
    def most_specific_compatible_shape(self, other: object) -> TensorShape: ...
    def num_elements(self) -> Optional[int]: ...
    def as_proto(self) -> Any: ...

class Tensor:
    """tf.Tensor, symbolic or eager. All operator overloads (+ - * / // % ** @ & | ^ ~ < <= > >= abs
    neg, slicing with ints, slices, Ellipsis, newaxis, tensors), iteration over a known dim 0, `bool`
    (TypeError in graph mode), __array__ in eager mode, __len__, hash by identity in graph mode."""
    name: str
    op: Operation
    graph: Graph
    dtype: DType
    shape: TensorShape
    device: str
    value_index: int
    _constant_value: Any  # numpy array when the content is exactly known, else None
    def get_shape(self) -> TensorShape: ...
    def set_shape(self, shape: object) -> None: ...
    def eval(self, feed_dict: object = None, session: object = None) -> Any: ...
    def consumers(self) -> List[Operation]: ...
    def ref(self) -> Any: ...  # hashable, with deref(); also experimental_ref
    def numpy(self) -> Any: ...  # eager only; known values exactly, else plausible content

class Operation:
    """tf.Operation: one per node, kept by its graph."""
    name: str
    type: str
    inputs: Sequence[Tensor]
    outputs: List[Tensor]
    control_inputs: List[Operation]
    graph: Graph
    device: str
    op_def: Any
    node_def: Any
    def get_attr(self, name: str) -> Any: ...
    def run(self, feed_dict: object = None, session: object = None) -> None: ...
    def values(self) -> Tuple[Tensor, ...]: ...
    def _set_control_input(self, op: Operation) -> None: ...
    def _update_input(self, index: int, tensor: Tensor) -> None: ...

class Graph:
    """tf.Graph: node store, names, scopes, collections. Subclassable; the Python class
    shapeflow.framework.Graph adds the rest."""
    version: int
    finalized: bool
    seed: Optional[int]
    def __init__(self) -> None: ...
    def unique_name(self, name: str, mark_as_used: bool = True) -> str: ...
    def name_scope(self, name: Optional[str]) -> Any: ...  # context manager giving "scope/"
    def get_name_scope(self) -> str: ...
    def device(self, name_or_function: object) -> Any: ...
    def _sf_own_gradients(self, ops: Optional[Iterable[str]]) -> None: ...
    def _sf_each_step(self, op: object, parallel: int) -> Any: ...  # context manager
    def _sf_recomputed(self) -> Any: ...  # context manager
    def colocate_with(self, op: object, ignore_existing: bool = False) -> Any: ...
    def control_dependencies(self, inputs: object) -> Any: ...
    def get_operations(self) -> List[Operation]: ...
    def _has_unmodelled(self) -> bool: ...  # may TensorFlow know more of the shape of an op here
    def get_operation_by_name(self, name: str) -> Operation: ...
    def get_tensor_by_name(self, name: str) -> Tensor: ...
    def as_graph_element(self, obj: object, allow_tensor: bool = True,
                         allow_operation: bool = True) -> Any: ...
    def finalize(self) -> None: ...
    def _unsafe_unfinalize(self) -> None: ...
    def as_default(self) -> Any: ...  # context manager, pushes on this thread's stack
    _collections: Dict[Any, List[Any]]
    _sf_is_body: bool  # of a function that may never be called: what only a run refuses is left to the run
    building_function: bool
    """A graph that traces a function. Methods that a subclass may define, and the core then calls:
    capture(tensor) -> Tensor of this graph, for a tensor from elsewhere used inside;
    _sf_branch(tensor) -> bool, for `if tensor:` (without it: TypeError)."""

class EagerTensor(Tensor):
    """A tensor that is no node of a graph."""


class VariableBase:
    """C base of shapeflow.Variable: anything derived from it converts to its `_tensor` wherever a
    tensor is taken, and has Tensor's operators. `_tensor` is set by the Python class."""
    def __getitem__(self, key: Any) -> Any: ...
    _tensor: Any
    def __getattr__(self, name: str) -> Any: ...  # what the Python class adds

class SessionCore:
    """A session over one graph: prepared fetch/feed structures, state, memo."""
    graph: Graph
    closed: bool
    def __init__(self, graph: Graph) -> None: ...
    def run(self, fetches: object, feed_dict: object = None) -> Any:
        """Everything of tf.Session.run but options and metadata: nested fetches (list, tuple,
        namedtuple, dict, None, names, Operations, Variables, objects with `_sf_fetch()`), feeds
        keyed by Tensor, Variable or name; numpy in, numpy out. `_sf_fetch()` of a fetch gives a
        structure or (list of fetches, function of their values); `_sf_feed(value)` of a key gives
        (tensor, value) pairs."""
    def state_shape(self, op: Operation) -> Optional[TensorShape]: ...
    def set_state(self, op: Operation, shape: object, value: object = None) -> None: ...
    def state_value(self, op: Operation) -> Any: ...  # as a fetch would give it, or None
    def initialized(self, op: Operation) -> bool: ...
    def replay(self, fetches: object, feed_dict: object) -> Any: ...
    def note_usage(self, on: bool) -> None: ...
    def memory(self, fetches: object, feed_dict: object, trial: Tuple[Any, ...] = (),
               elements: Optional[Dict[Any, Any]] = None) -> Optional[Dict[str, Any]]:
        """What such a run holds: peak, at, parts, workspace, at_least, flops, moved, largest, moments,
        shares, copies, stack, and where shares are asked for by node the order.
        `trial`: as SfMemoryTrial of core/analysis/memory.h, or less of it."""
    def place(self, soft: bool) -> None: ...  # runs are placed on the machine of set_machine
    def placement(self) -> Optional[Dict[str, str]]: ...  # {node: device}, newest; None: nothing was placed
    def close(self) -> None: ...
    stats: Dict[str, int]

# --- functions of TensorFlow -------------------------------------------------------------------
class ApiFunction:
    """The C function behind a user-facing name; what `api_function` gives."""
def api_function(dotted: str, version: int) -> Optional[Callable[..., Any]]:
    """The C function behind a user-facing name ("tf.reshape"; version 1 or 2), or None."""
def api_names(version: int) -> List[str]: ...
def raw_op(name: str) -> Optional[Callable[..., Any]]:
    """tf.raw_ops.<name>: keyword-only inputs and attrs, and name=None."""
def raw_op_names() -> List[str]: ...
def op_info(name: str) -> Dict[str, Any]: ...
def make_op(op_type: str, inputs: Sequence[Any], attrs: Optional[Dict[str, Any]] = None,
            name: Optional[str] = None) -> Operation:
    """One node in the default graph, inputs in signature order (a list for a list input)."""
def convert_to_tensor(value: object, dtype: object = None, name: Optional[str] = None,
                      preferred_dtype: object = None) -> Tensor: ...
def constant_value(tensor: object) -> Any: ...  # numpy array or None
def constant_value_as_shape(tensor: object) -> TensorShape: ...
def numeric(graph: Optional[Graph], facts: List[Any],
            trial: Optional[Tuple[str, int, float, float, bool]] = None
            ) -> Tuple[List[Tuple[Any, ...]], int, int]:
    """(suspects, operations, trivial) of a graph, or of eager code (None); facts: (node, output, lo, hi,
    flags of lattice/interval.h); with a trial (node, input, lo, hi, may be zero) as if that operand were
    so. A suspect: (node, op, input, condition, in_gradient, lo, hi, dtype, location, sources), a source:
    (node, op, lo, hi, trained, location), nearest first."""
def set_memory_hook(hook: Optional[Callable[[Any, Any, Any, Any], None]]) -> None:
    """hook(session, fetches, feed_dict) after each run that was inferred."""
def set_run_hook(hook: Optional[Callable[[Any, Any, Any], None]]) -> None:
    """hook(session, fetches, feed_dict) after each run; None: none."""
def start_memory_log() -> None:
    """From here on it is noted what holds each eager tensor, and how long."""
def stop_memory_log() -> None: ...
def memory_moment() -> int:
    """The number of eager calls so far; -1: there is no log."""
def memory_span(first: int, recomputed: bool) -> None:
    """The calls from moment `first` on ran as a function, or run again in the backward pass."""
def memory_given(tensor: object) -> None:
    """A function gives it."""
def memory_state(tensor: object) -> None:
    """It is the content of a variable."""
def memory_place(first: int, devices: int) -> None:
    """The calls from moment `first` on ran on these devices: bit i for device i; 0: TensorFlow's choice."""
def memory_of_log(variables: int, slots: int, batch: int = -1, trial: Tuple[Any, ...] = (),
                  device: int = -1) -> Optional[Dict[str, Any]]:
    """What eager code held, beside so many bytes of state; None: nothing, or no such batch goes through.
    `device`: where runs what the program does not place."""
def memory_batch() -> int:
    """Axis 0 of most of what eager code got from outside; -1: there is none."""
def add_eager_device(name: Union[str, Tuple[str]]) -> int:
    """The number of a new device; (name,): of what a scope in the body of a function says."""
def set_eager_device(number: int) -> int:
    """Of what this thread makes from now on; gives the one before. Negative: it is not there."""
def places_tensors() -> bool:
    """Was a device but the first one ever asked for?"""
def eager_beside(tensor: _T, origin: object) -> _T:
    """The tensor, on the device of `origin`."""
def eager_here(tensor: _T) -> _T:
    """It, or one like it where this thread makes its tensors."""
def set_first_device(name: Optional[str]) -> None:
    """Of eager tensors that nobody places; None: by the machine."""
def set_device_hook(hook: Optional[Callable[[int], NoReturn]]) -> None:
    """What raises where the device of a number is not there."""
def set_machine(text: Optional[str]) -> None:
    """What sessions are placed on, "cpu,gpu:2"; None: any. ValueError says what is wrong."""
GpuRow = Tuple[str, str, int, int, float, float, float, int, int]
def machine() -> Optional[List[Tuple[str, str, Optional[GpuRow]]]]:
    """Name and kind of each device, and its model where one is named."""
def gpus() -> List[GpuRow]:
    """The catalogue: name, title, bytes, free bytes, bytes a second, FLOP a second (of half precision the
    next), compute capability (86: 8.6), SMs."""
def cuda_gpus(libraries: Sequence[str]) -> Dict[str, Any]:
    """What the first CUDA runtime that opens says of this machine's GPUs; ValueError says why nothing. It
    makes a context on each: for a process of its own."""
def check_device_name(text: str) -> None: ...  # raises ValueError as tf.device does
def graph_costs(graph: Graph, assumed: int = -1) -> List[Tuple[Optional[float], Optional[float]]]:
    """(FLOPs, bytes of the outputs) of each node, in order; None: not known. With `assumed` >= 0 dims
    that nothing computes are taken as that number."""
def warn_unused(graph: object, is_users: object) -> None: ...
def warn_untrained(loss: object, x: object) -> None: ...
def lint_loss(loss: object) -> None: ...
def gradients_connected(ys: Sequence[Tensor], xs: Sequence[Tensor],
                        stop: Sequence[Tensor]) -> List[Any]:
    """None: unconnected, True: dense, of IndexedSlices the shape and the dtype of their indices; LookupError
    for an op without gradient."""

def note_reads(into: Optional[Dict[int, VariableBase]]) -> Optional[Dict[int, VariableBase]]:
    """Variables that are read are put there, by id; None: nowhere. What it was before."""
def tape_gradients(ys: Sequence[Any], xs: Sequence[Any]) -> Optional[List[Any]]:
    """The same of eager tensors, None for those that nothing is known of; None: all are dense."""

# --- context -----------------------------------------------------------------------------------
def default_graph() -> Graph: ...
def reset_default_graph() -> None: ...
def set_graph_class(cls: type) -> None: ...     # class that default_graph() instantiates
def default_session() -> Any: ...               # top of this thread's session stack, or None
def push_session(session: object) -> None: ...
def pop_session(session: object) -> None: ...
def executing_eagerly() -> bool: ...
def set_eager(on: bool) -> None: ...            # TF2: eager unless inside a graph's as_default
def set_version(text: str) -> None: ...         # emulated version, "1.8.0"
def get_version() -> str: ...
def lend_method(of: type, name: str, method: Optional[Callable[..., Any]], /) -> None: ...
def compiler() -> str: ...                      # what compiled this extension
def counters() -> Dict[str, int]:
    """Of this process: ops that were made ("ops"), those of unknown rank ("unknown"), session runs
    ("runs"), those that the memo answered ("hits"), eager training
    steps ("steps")."""
# --- loops of the user's sources (checker/loops) --------------------------------------------------
class Loop:
    """An iterator that is watched; of a while loop it has none."""
    place: int
    iterator: Any
    data: Any                                   # the hook's
    turns: int                                  # that were begun
    quiet: int                                  # since something was new
    since: int                                  # variations() at that time
    wait: int                                   # turns until the hook is asked again
    spent: float                                # seconds at its place
def loop(place: int, iterable: object) -> Any: ...
def loop_enter(place: int) -> None: ...
def loop_turn(place: int) -> bool: ...
def branch_test(branch: int, op: int, left: object, right: object) -> bool: ...
def branch_truth(branch: int, value: object) -> bool: ...
def branches_open(since: int) -> List[Tuple[int, bool, bool]]:
    """(branch, the way it took, did its operands vary since) of those that took one way only."""
def branch_of_tensor(branch: int) -> bool: ...  # was its newest condition a tensor?
def set_graph_loop_hook(
    hook: Optional[Callable[[int, object], Optional[Tuple[object, Callable[[], bool]]]]]) -> None: ...
def variations() -> int: ...                    # what branches_open() takes
def watch_loops(hook: Optional[Callable[[Loop], bool]], seconds: float = 0, need: int = 0) -> None: ...
def novelty() -> int: ...                       # a count that grows with all that is new
def count_novelty() -> None: ...
def store_locals(frame: object) -> None: ...       # what was put into f_locals becomes the frame's

def count_step() -> None: ...                   # an eager training step
def set_sweep_after(count: int) -> None: ...     # new contents that no tensor holds are forgotten past it
def set_v2_shapes(on: bool) -> None: ...        # TensorShape indexing gives ints
def init_scope() -> Any: ...
def register_library_path(prefix: str) -> None: ...  # frames of files below it are not the user's
def register_error_classes(classes: Dict[str, type]) -> None:
    """Name of SfErrorClass ("INVALID_ARGUMENT", ...) -> exception class (op, node_def, message)."""

# --- findings ----------------------------------------------------------------------------------
class Finding:
    """One diagnostic record, resolved against the Python code that made the nodes."""
    code: str           # "SF101"
    name: str           # "DIM_EQUAL"
    severity: str       # "error", "warning", "note"
    phase: str          # "build", "run", "eager", "api"
    message: str        # TensorFlow's words
    op_type: Optional[str]
    node_name: Optional[str]
    operands: List[Dict[str, Any]]  # name, shape (text with symbols), dtype, frames, node (see
    # node_key) and output of it
    places: List[Dict[str, Any]]    # kind, index, axis, attr
    frames: List[Tuple[str, int, int, int, int, str]]
    """Where the op was made, innermost user frame first: file, line, col, end_line, end_col,
    function; columns are -1 where Python keeps none (< 3.11)."""
    raised_frames: List[Tuple[str, int, int, int, int, str]]  # where the error surfaced
    node: Optional[Tuple[int, int]]  # see node_key; (graph, -1) or None: it never became one
    args: List[Tuple[str, Any]]
    """The typed arguments of the message: (kind, value). Kinds: dim and count (of elements), an int or a
    text of symbols; rank (the one asked for, then the one that is there); int, float; shape (text with
    symbols), dtype, text. A finding made in Python has some more: error_report.py."""
    run: Optional[Dict[str, Any]]
    """Of a session.run: {number: how often it ran, feeds: [(name, shape, shape of the run before or
    None)]}."""
    origins: List[Dict[str, Any]]
    """While a go-on hook is set, in graph mode: for each offending dim {operand, axis, dim, steps},
    steps from the operand back to the op that fixed it: {op_type, node_name, output, axis or -1, element
    or -1, dim, computed, shape, frames, node: see node_key}."""
    nearby: List[Dict[str, Any]]
    """While a go-on hook is set: the failing op and the nodes up to two steps before it, at most 24:
    {node: as of the finding, name, op_type, steps, inputs: [(place in this list or -1, output, shape)],
    outputs: [shape], frames}."""
    deferred: bool        # inevitable, but TensorFlow would say so only when the node runs

def import_graph_def(data: object, graph: Graph, name: str = "",
                     input_map: Optional[Dict[str, Tensor]] = None,
                     keep_going: bool = False, calls: bool = False) -> Dict[str, Any]:
    """The nodes of a serialised GraphDef, in `graph`, under scope `name` (used as it is). ValueError
    when the bytes are none; else, unless keep_going, the error of the first node that is refused.
    With `calls` the functions of the library as nodes call them: [(key of the caller, function, graph_rows
    of its body, results, names of its arguments)]."""
def graph_def_bytes(graph: Graph, add_shapes: bool = False) -> bytes: ...
def text_to_wire(data: object, kind: str) -> Optional[bytes]:
    """The text format of a GraphDef ("graph"), MetaGraphDef ("meta") or SavedModel ("saved") as the
    bytes of the message. None when it does not look like text; ValueError, with the line, on a
    mistake."""
def model_parts(data: object, kind: str) -> List[Tuple[Tuple[str, ...], str, int, int, int, int]]:
    """The GraphDefs in a file of kind "graph", "meta" or "saved": (tags, version of TensorFlow, where
    its GraphDef starts, its size, where its MetaGraphDef starts, its size)."""
def codes() -> List[Tuple[str, str, str, str]]: ...  # (code, name, severity, words) of every diagnostic
def findings() -> List[Finding]: ...           # since the last clear
def other_findings() -> List[Finding]: ...     # errors about arguments, feeds that are missing...
def is_shape_finding(code: str) -> bool: ...   # does an id or name count in findings()?
def clear_findings() -> None: ...              # both lists
def set_go_on_hook(hook: Optional[Callable[[], bool]]) -> None: ...  # True: nothing is raised
def set_result_hook(hook: Optional[Callable[[Optional[Tuple[Optional[int], ...]], str], Any]]) -> None: ...
def set_shape_hook(hook: Optional[Callable[[TensorShape], Any]]) -> None: ...
def set_finding_hook(hook: Optional[Callable[[Finding], None]]) -> None: ...
def report(code: str, message: str, frames: object = None, operands: object = (), axis: object = None,
           args: Sequence[Tuple[str, Any]] = ()) -> None:
    """A finding made by Python code: SF_DIAG name or id; args as of a Finding. operands: (name, tensor) or
    (name, tensor, axis), else `axis` is that of each."""
def mute() -> Any: ...                         # context manager: probing, reports are dropped
def set_source(op: Operation, handler: object) -> None:
    """handler(session, feed_dict) gives the outputs of `op` in each run."""
def mark_array(tensor: object, part: int) -> None:
    """What its op is of a TensorArray (SfArrayPart of core/op/node.h)."""
def locate_as(op: Operation, tensor: object) -> None:
    """`op` stands for a tensor of elsewhere: findings name the line where the last dim of that was fixed."""
def least_normal(dtype: object) -> float: ...  # below it kernels may take a number for zero
def nan_content(graph: Optional[Graph]) -> List[Tuple[str, int]]: ...  # (node, location); None: of eager code
def node_location(graph: Graph, name: str) -> int: ...  # where it was made; 0: nobody knows
def bounds_of(tensor: object) -> Optional[Tuple[float, float, int]]:
    """(lo, hi, flags) of the elements of an eager tensor that comes from outside, after start_numbers."""

def eager_tensor(dtype: object, shape: object, value: object = None,
                 bounds: Optional[Tuple[float, float, int]] = None) -> Tensor:
    """What is known of a tensor, by itself."""
def notice_unmodelled(dotted: str) -> None: ... # once per name
def is_unmodelled(tensor: object, dtype: bool = False) -> bool: ... # TensorFlow may know better
def eager_like(tensor: object, origin: object, writes: bool = True) -> Any:
    """`tensor`, said to come from where `origin` does, of the same shape and dtype: it is written to the
    variable that held `origin`, or else stands for what other writes left there."""
def intervals(graph: Optional[Graph], facts: List[Any]
              ) -> List[Tuple[str, int, float, float, int]]:
    """(node, output, lo, hi, flags) of each tensor, as numeric() has them; lo > hi: none is finite."""
def eager_variable(content: object) -> Any: ...   # as a new variable's, where start_numbers was called
def trace_program() -> Optional[Tuple[
        bytes, Dict[str, List[Tuple[str, Optional[Tuple[Optional[int], ...]]]]],
        List[Tuple[str, str, Optional[Tuple[Optional[int], ...]], float, float]],
        List[Tuple[str, str, List[Tuple[str, int]]]]]]:
    """After start_numbers, eager code as a GraphDef; {node: [(dtype, shape)]}; (name, dtype, shape, lo, hi)
    of what comes from outside, lo > hi: nobody knows its content; and (variable, record of what it holds
    afterwards, [(record that is written, output)]) for each place that writes one. None: nothing ran."""
def notes_numbers() -> bool: ...               # was start_numbers called?
def start_numbers(bounds: Callable[[Any], Optional[Tuple[float, float, int]]]) -> None:
    """Eager code is recorded for numeric(); bounds(array) gives (lo, hi, flags), None: nobody knows."""
def here() -> int: ...                         # a number for where the user's program is now
def set_located(here: int) -> int: ...         # what is made from now on was made there, 0: here; before
def enter_function(name: str) -> bool: ...     # the body of a tf.function runs; False inside of another one
def leave_function() -> None: ...              # the one that was entered has ended
def inside_function() -> bool: ...             # a body runs, or the graph of a function is being built
def set_batch(size: int) -> None: ...          # of what that function took from an iterator; 0: none
def user_frames() -> List[Tuple[str, int, int, int, int, str]]: ...

# --- graphs as plain rows, for pictures ------------------------------------------------------------
def graph_rows(graph: Optional[Graph], most: int = ...) -> Tuple[int, int, List[Tuple[Any, ...]]]:
    """(number, size, rows) of a graph, or of the record of eager calls (None). A row: name, op, outputs
    [(shape in symbols, dtype, bytes or None)], inputs [(number or key of the producer, output)], control
    inputs, device, site, FLOPs or None, parameters (None: no variable, -1: not known), frame of an Enter,
    attrs ((name, text), ...) that are not at their defaults, the content of output 0 where that is a few
    integers."""
def node_key(value: object) -> Optional[Tuple[int, int]]:
    """(number of its graph, its own) of the node behind a Tensor or Operation, eager ones as recorded."""
def trace_scope(scope: str) -> None: ...  # of the eager calls that are recorded from now on
def record_runs(most: int) -> None: ...  # from now on, so many that differ in their shapes
def recorded_runs() -> Tuple[List[Dict[str, Any]], List[int], int]:
    """([{graph: number, first, feeds, fetches, shapes: {number of a node: shapes}}], how often each ran,
    how many more there were)."""
def frames_of_locations(sites: object) -> Dict[int, List[Tuple[str, int, int, int, int, str]]]: ...

# --- shapes of expressions, for editors ----------------------------------------------------------
def seen(place: int, value: object) -> Any: ...  # value, of which shape and dtype are noted
def shapes_seen() -> Dict[int, List[Tuple[str, str, str]]]:
    """{place: up to three (shape in symbols, dtype, "tensor" or "array")}."""
def set_seen_hook(hook: Optional[Callable[[int, Any], None]]) -> None:
    """hook(place, value) sees the first lists, tuples and objects of each place. Forgets what was seen."""
def shape_and_dtype(value: object) -> Optional[Tuple[str, str, str]]:
    """(shape in symbols, dtype, "tensor" or "array"); None for what is no tensor, variable or array."""
