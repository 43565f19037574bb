"""Protocol-buffer-like classes that scripts configure things with: ConfigProto, RunOptions...

Any field can be set; a field never set is a nested message made when touched (so that
`config.gpu_options.allow_growth = True` works), or the default of a known scalar field.
"""
from typing import Any, Dict, Iterator, List

from shapeflow.api.registry import put


class Message:
    """A record with open fields, good enough for configuration messages."""

    _DEFAULTS: Dict[str, Any] = {}

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        default = type(self)._DEFAULTS.get(name, Message)
        value = default() if isinstance(default, type) else default
        if isinstance(default, type):
            self.__dict__[name] = value
        return value

    def CopyFrom(self, other: "Message") -> None:
        self.__dict__.clear()
        self.__dict__.update(other.__dict__)

    def MergeFrom(self, other: "Message") -> None:
        self.__dict__.update(other.__dict__)

    def SerializeToString(self) -> bytes:
        return repr(self).encode()

    def ParseFromString(self, data: bytes) -> int:
        return len(data)

    def HasField(self, name: str) -> bool:
        return name in self.__dict__

    def ClearField(self, name: str) -> None:
        self.__dict__.pop(name, None)

    def WhichOneof(self, group: str) -> Any:
        return next(iter(self.__dict__), None)

    def Clear(self) -> None:
        self.__dict__.clear()

    def ListFields(self) -> List[Any]:
        return list(self.__dict__.items())

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    # a repeated field that was never set, as far as scripts use one
    def add(self, **fields: Any) -> "Message":
        return Message(**fields)

    def append(self, item: Any) -> None:
        pass

    def extend(self, items: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return bool(self.__dict__)

    def __getitem__(self, key: Any) -> Any:
        return Message()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Message) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return "".join("%s: %r\n" % item for item in sorted(self.__dict__.items()))


def _message(names: str, **members: Any) -> type:
    first = names.split()[0].rsplit(".", 1)[-1]
    cls = type(first, (Message,), members)
    put(cls, *["tf." + n for n in names.split()])
    return cls


GPUOptions = _message("GPUOptions", _DEFAULTS={
    "allow_growth": False, "per_process_gpu_memory_fraction": 0.0, "visible_device_list": ""})
OptimizerOptions = _message(
    "OptimizerOptions", L0=-1, L1=0, DEFAULT=0, OFF=-1, ON_1=1, ON_2=2,
    _DEFAULTS={"opt_level": 0, "global_jit_level": 0, "do_function_inlining": False})
GraphOptions = _message("GraphOptions", _DEFAULTS={"optimizer_options": OptimizerOptions})
ConfigProto = _message("ConfigProto", _DEFAULTS={
    "gpu_options": GPUOptions, "graph_options": GraphOptions, "allow_soft_placement": False,
    "log_device_placement": False, "intra_op_parallelism_threads": 0,
    "inter_op_parallelism_threads": 0, "operation_timeout_in_ms": 0, "device_count": dict})
RunOptions = _message("RunOptions", NO_TRACE=0, SOFTWARE_TRACE=1, HARDWARE_TRACE=2, FULL_TRACE=3,
                      _DEFAULTS={"trace_level": 0, "timeout_in_ms": 0})
RunMetadata = _message("RunMetadata")
_message("SessionLog", STATUS_UNSPECIFIED=0, START=1, STOP=2, CHECKPOINT=3)
_message("MetaGraphDef")
_message("NameAttrList")
_message("HistogramProto")
_message("Event event.Event")
_message("LogMessage")
_message("TensorInfo")
_message("summary.TaggedRunMetadata")
_message("train.ServerDef")
_message("train.ClusterDef")
_message("train.JobDef")
_message("train.SaverDef")
_message("saved_model.TensorInfo")


class Summary(Message):
    """tf.Summary: a message with values; `Summary.Value` and `Summary.FromString` exist."""

    class Value(Message):
        pass

    class Image(Message):
        pass

    class Audio(Message):
        pass

    def __init__(self, value: Any = (), **fields: Any) -> None:
        super().__init__(**fields)
        self.value = _Repeated(value)

    @classmethod
    def FromString(cls, data: bytes) -> "Summary":
        return cls()


class _Repeated(list[Any]):
    def add(self, **fields: Any) -> Message:
        item = Message(**fields)
        self.append(item)
        return item


put(Summary, "tf.Summary", "tf.summary.Summary")
put(Message, "tf.SummaryMetadata", "tf.summary.SummaryDescription")
