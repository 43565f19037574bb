"""What a check does about the Keras of a program: the installed one is followed, a missing one is unknown."""
from __future__ import annotations

import sys

import shapeflow.checker.import_hook as import_hook
import shapeflow.checker.script_failures as failures
from shapeflow import _core
from shapeflow.api import installed_keras, made_up_layers
from shapeflow.checker.findings import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Callable, List, Optional

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.findings import Span
    from shapeflow.checker.patches import Patcher


def follow(by: Patcher, script: str) -> None:
    """Before the script starts."""

    def start() -> None:
        import shapeflow.checker.unknown_values as unknown_values

        unknown_values.start(by, script)

    by.set(installed_keras, "before_unknown", [start])
    if installed_keras.package() == installed_keras.KERAS_3:
        def follow_calls() -> None:
            import shapeflow.checker.keras_calls as keras_calls

            keras_calls.follow(by, script)

        import_hook.act_before(by, "keras", follow_calls)
        if installed_keras.is_stand_in():
            import shapeflow.checker.keras_2 as keras_2

            keras_2.stand_in(by, start)


    elif installed_keras.package() == installed_keras.KERAS_2:
        import_hook.act_on(by, {"tf_keras.src.engine.base_layer": make_up_sizes})


def make_up_sizes(module: ModuleType, by: Patcher) -> None:
    """Layers of Keras 2 of sizes that nobody knows have some that are made up."""
    kind: type = vars(module)["Layer"]
    new: Callable[..., object] = kind.__new__

    def __new__(cls: type, *args: object, **kwargs: object) -> object:
        if cls.__module__.startswith("tf_keras.src.") and made_up_layers.has_unknown(args, kwargs):
            args, kwargs = made_up_layers.known(cls, args, kwargs)
            made = new(cls, *args, **kwargs)
            made_up_layers.construct_with(made, args, kwargs)
            return made
        return new(cls, *args, **kwargs)

    by.set(kind, "__new__", staticmethod(__new__))


def follow_data(by: Patcher, data: DataFiles) -> None:
    """The data that Keras would read or fetch are declared, or unknown."""

    def complete() -> None:
        import shapeflow.checker.keras_data as keras_data

        keras_data.install(by, data)

    if installed_keras.package() == installed_keras.KERAS_3:
        import_hook.act_before(by, "keras", complete)


def record_of(error: BaseException, frames: List[Span]) -> Optional[Record]:
    """What Keras refused where no call of it was followed; None: it was not Keras."""
    refused = None
    if "keras.src" in sys.modules or "tf_keras.src" in sys.modules:
        import shapeflow.checker.keras_errors as keras_errors

        refused = keras_errors.refusal(error)
    if refused is not None:
        name = next(name for code, name, *_ in _core.codes() if code == refused.code)
        record = Record(refused.code, name, "error", refused.message, primary=frames[0] if frames else None,
                        chain=frames[1:])
        record.arguments = refused.arguments
        return record
    keras_2 = sys.modules.get("shapeflow.checker.keras_2")
    if keras_2 is not None and installed_keras.is_stand_in() and keras_2.is_of_keras(error):
        found: Record = keras_2.refused(failures.message_of(error), frames)
        return found
    return None
