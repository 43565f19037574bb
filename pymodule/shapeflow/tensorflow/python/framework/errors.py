"""tf.errors: TensorFlow's exception classes, with its constructors, codes and attributes."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Type

_CODES = ("OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
          "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE "
          "UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED").split()
for _number, _code in enumerate(_CODES):
    put(_number, "tf.errors." + _code, v2=True)


_MODULE = "tensorflow.python.framework.errors_impl"


class OpError(Exception):
    """An error with the op that it came from."""

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = 2,
                 *args: Any) -> None:
        super().__init__(message)
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    def __reduce__(self) -> Any:
        return type(self), (self._node_def, None, self._message)

    @property
    def message(self) -> str:
        return self._message

    @property
    def op(self) -> Any:
        return self._op

    @property
    def error_code(self) -> int:
        return self._error_code

    @property
    def node_def(self) -> Any:
        return self._node_def

    @property
    def experimental_payloads(self) -> Dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return self._message


put(OpError, "tf.errors.OpError", "tf.OpError", v2=True)


def _define(name: str, code: int) -> Type[OpError]:
    def __init__(self: Any, node_def: Any, op: Any, message: str, *args: Any) -> None:
        OpError.__init__(self, node_def, op, message, code, *args)

    __init__.__qualname__ = name + ".__init__"
    body = {"__init__": __init__, "__module__": _MODULE, "__doc__": "tf.errors." + name}
    cls = type(name, (OpError,), body)
    put(cls, "tf.errors." + name, v2=True)
    return cls


class UnknownError(OpError):
    """tf.errors.UnknownError"""

    __module__ = _MODULE

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = 2, *args: Any) -> None:
        super().__init__(node_def, op, message, error_code, *args)


put(UnknownError, "tf.errors.UnknownError", v2=True)


CancelledError = _define("CancelledError", 1)
InvalidArgumentError = _define("InvalidArgumentError", 3)
DeadlineExceededError = _define("DeadlineExceededError", 4)
NotFoundError = _define("NotFoundError", 5)
AlreadyExistsError = _define("AlreadyExistsError", 6)
PermissionDeniedError = _define("PermissionDeniedError", 7)
ResourceExhaustedError = _define("ResourceExhaustedError", 8)
FailedPreconditionError = _define("FailedPreconditionError", 9)
AbortedError = _define("AbortedError", 10)
OutOfRangeError = _define("OutOfRangeError", 11)
UnimplementedError = _define("UnimplementedError", 12)
InternalError = _define("InternalError", 13)
UnavailableError = _define("UnavailableError", 14)
DataLossError = _define("DataLossError", 15)
UnauthenticatedError = _define("UnauthenticatedError", 16)


class raise_exception_on_not_ok_status:
    """Kept for code that enters it: there is no status here that could be bad."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None


put(raise_exception_on_not_ok_status, "tf.errors.raise_exception_on_not_ok_status")
_BY_CODE = {1: CancelledError, 2: UnknownError, 3: InvalidArgumentError, 4: DeadlineExceededError,
            5: NotFoundError, 6: AlreadyExistsError, 7: PermissionDeniedError,
            8: ResourceExhaustedError, 9: FailedPreconditionError, 10: AbortedError,
            11: OutOfRangeError, 12: UnimplementedError, 13: InternalError, 14: UnavailableError,
            15: DataLossError, 16: UnauthenticatedError}


def exception_type_from_error_code(error_code: int) -> type:
    return _BY_CODE[error_code]


def error_code_from_exception_type(cls: type) -> Optional[int]:
    return {v: k for k, v in _BY_CODE.items()}.get(cls)


put(exception_type_from_error_code, "tf.errors.exception_type_from_error_code")
put(error_code_from_exception_type, "tf.errors.error_code_from_exception_type")


class OperatorNotAllowedInGraphError(TypeError):
    """`if tensor:` or `for t in tensor:` while a graph is built."""


put(OperatorNotAllowedInGraphError, "tf.errors.OperatorNotAllowedInGraphError")


def register() -> None:
    """Tells the core which class stands for which of its error classes."""
    _core.register_error_classes({
        "INVALID_ARGUMENT": InvalidArgumentError,
        "FAILED_PRECONDITION": FailedPreconditionError,
        "NOT_FOUND": NotFoundError,
        "OUT_OF_RANGE": OutOfRangeError,
        "UNIMPLEMENTED": UnimplementedError,
        "INTERNAL": InternalError,
        "OPERATOR_NOT_ALLOWED": OperatorNotAllowedInGraphError,
    })
