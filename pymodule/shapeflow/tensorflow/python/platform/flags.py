"""tf.app.flags, tf.flags and tf.app.run: argparse-free flags parsed when first read.

Source: tensorflow/python/platform/{flags,app}.py, absl.flags.
"""
from __future__ import annotations

import os
import sys

from shapeflow.api.registry import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional


class Error(Exception):
    """flags.Error"""


class DuplicateFlagError(Error):
    pass


class IllegalFlagValueError(Error):
    pass


class UnrecognizedFlagError(Error):
    pass


class UnparsedFlagAccessError(Error):
    pass


class ValidationError(Error):
    pass


def _as_bool(text: Any) -> bool:
    if isinstance(text, str):
        if text.lower() in ("true", "t", "1", "yes", "y"):
            return True
        if text.lower() in ("false", "f", "0", "no", "n"):
            return False
        raise ValueError("Non-boolean argument to boolean flag", text)
    return bool(text)


def _as_list(text: Any) -> List[str]:
    return text if isinstance(text, list) else [s.strip() for s in text.split(",")] if text else []


class Flag:
    """One flag: name, default, current value, parser."""

    def __init__(self, name: str, default: Any, help: Optional[str], parse: Callable[[Any], Any],
                 boolean: bool = False, multi: bool = False) -> None:
        self.name, self.help, self.parse, self.boolean, self.multi = name, help, parse, boolean, multi
        self.default = default if default is None or multi else parse(default)
        self.value = self.default
        self.present = 0

    default_as_str = property(lambda self: repr(self.default))
    is_text = property(lambda self: self.parse is _text)


def complete(flags: List[Flag]) -> None:
    """Called with all flags when they were parsed; a check puts a function of its own here."""


class _FlagValues:
    """FLAGS: attribute access parses sys.argv once."""

    def __init__(self) -> None:
        self.__dict__["__flags"] = {}
        self.__dict__["__parsed"] = False

    def _flags(self) -> Dict[str, Flag]:
        return self.__dict__["__flags"]

    def _define(self, flag: Flag) -> None:
        self._flags()[flag.name] = flag

    def _parse_flags(self, args: Optional[List[str]] = None) -> List[str]:
        self.__dict__["__parsed"] = True
        rest = self._consume(list(sys.argv[1:] if args is None else args), strict=False)
        complete(list(self._flags().values()))
        return rest

    def _consume(self, args: List[str], strict: bool) -> List[str]:
        rest: List[str] = []
        flags = self._flags()
        while args:
            arg = args.pop(0)
            if arg == "--":
                rest.extend(args)
                break
            if not arg.startswith("-") or arg == "-":
                rest.append(arg)
                continue
            name, eq, text = arg.lstrip("-").partition("=")
            name = name.replace("-", "_") if name not in flags else name
            flag = flags.get(name)
            if flag is None and name.startswith("no") and name[2:] in flags and not eq:
                flags[name[2:]].value, flags[name[2:]].present = False, 1
                continue
            if flag is None:
                if strict:
                    raise UnrecognizedFlagError("Unknown command line flag '%s'" % name)
                rest.append(arg)
                continue
            if not eq:
                if flag.boolean:
                    text = "true"
                elif args:
                    text = args.pop(0)
                else:
                    raise Error("Missing value for flag --%s" % name)
            try:
                value = flag.parse(text)
            except (ValueError, TypeError) as e:
                raise IllegalFlagValueError("flag --%s=%s: %s" % (name, text, e))
            flag.value = (flag.value if flag.present else []) + [value] if flag.multi else value
            flag.present += 1
        return rest

    def __getattr__(self, name: str) -> Any:
        if name == "_FlagValues__flags" or name == "__flags":
            return self._legacy()
        flags = self._flags()
        if name not in flags:
            raise AttributeError(name)
        if not self.__dict__["__parsed"]:
            self._parse_flags()
        return flags[name].value

    def _legacy(self) -> Dict[str, Any]:
        """FLAGS.__flags of TensorFlow before 1.5: name -> value."""
        from shapeflow.api import names

        if not self.__dict__["__parsed"]:
            self._parse_flags()
        if names.emulated() < (1, 5):
            return {n: f.value for n, f in self._flags().items()}
        return dict(self._flags())

    def __setattr__(self, name: str, value: Any) -> None:
        flag = self._flags().get(name)
        if flag is None:
            self.__dict__[name] = value
        else:
            flag.value = value

    def __delattr__(self, name: str) -> None:
        self._flags().pop(name, None)

    def __getitem__(self, name: str) -> Flag:
        return self._flags()[name]

    def __contains__(self, name: str) -> bool:
        return name in self._flags()

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags())

    def __len__(self) -> int:
        return len(self._flags())

    def __dir__(self) -> List[str]:
        return sorted(self._flags())

    def __call__(self, argv: List[str], known_only: bool = False) -> List[str]:
        self.__dict__["__parsed"] = True
        return argv[:1] + self._parse_flags(list(argv[1:]))

    def flag_values_dict(self) -> Dict[str, Any]:
        return {n: f.value for n, f in self._flags().items()}

    def mark_as_parsed(self) -> None:
        self.__dict__["__parsed"] = True

    def is_parsed(self) -> bool:
        return self.__dict__["__parsed"]

    def unparse_flags(self) -> None:
        self.__dict__["__parsed"] = False

    def get_help(self) -> str:
        return "\n".join("  --%s: %s" % (n, f.help) for n, f in sorted(self._flags().items()))


FLAGS = _FlagValues()


def _definer(parse: Callable[[Any], Any], boolean: bool = False, multi: bool = False) -> Any:
    def define(flag_name: Any = None, default_value: Any = None, docstring: Any = None,
               *args: Any, **kwargs: Any) -> None:
        name = kwargs.get("name", flag_name)
        default = kwargs.get("default", default_value)
        FLAGS._define(Flag(name, default, kwargs.get("help", docstring), parse, boolean, multi))

    return define


def _number(kind: type) -> Any:
    def parse(text: Any) -> Any:
        if kind is int and isinstance(text, str):
            return int(text, 16 if text.lower().startswith("0x") else 10)
        if kind is int and isinstance(text, float) and not text.is_integer():
            return text  # np.inf as "no limit" was a default that TensorFlow took as it is
        return kind(text)

    return parse


def _text(value: Any) -> Any:
    return value if isinstance(value, (str, bytes)) or value is None else str(value)


def DEFINE_enum(name: str, default: Any, enum_values: Any, help: Any = None, **kwargs: Any) -> None:
    def parse(text: Any) -> Any:
        if text not in enum_values:
            raise ValueError("value should be one of <%s>" % "|".join(enum_values))
        return text

    FLAGS._define(Flag(name, default, help, parse))


def _nothing(*args: Any, **kwargs: Any) -> None:
    """A check of flags that could only end the program."""


def _validator(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda function: function


class _Flags:
    """The module tf.flags."""


_MEMBERS: Dict[str, Any] = {
    "FLAGS": FLAGS, "DEFINE_string": _definer(_text),
    "DEFINE_integer": _definer(_number(int)), "DEFINE_float": _definer(_number(float)),
    "DEFINE_bool": _definer(_as_bool, boolean=True),
    "DEFINE_boolean": _definer(_as_bool, boolean=True), "DEFINE_list": _definer(_as_list),
    "DEFINE_spaceseplist": _definer(lambda v: v if isinstance(v, list) else v.split()),
    "DEFINE_multi_string": _definer(_text, multi=True),
    "DEFINE_multi_integer": _definer(_number(int), multi=True),
    "DEFINE_multi_float": _definer(_number(float), multi=True), "DEFINE_enum": DEFINE_enum,
    "mark_flag_as_required": _nothing, "mark_flags_as_required": _nothing,
    "mark_flags_as_mutual_exclusive": _nothing, "register_validator": _nothing,
    "validator": _validator, "declare_key_flag": _nothing, "adopt_module_key_flags": _nothing,
    "disclaim_key_flags": _nothing, "Error": Error, "DuplicateFlagError": DuplicateFlagError,
    "IllegalFlagValueError": IllegalFlagValueError, "ValidationError": ValidationError,
    "UnrecognizedFlagError": UnrecognizedFlagError,
    "UnparsedFlagAccessError": UnparsedFlagAccessError, "FlagValues": _FlagValues}
for _name, _value in _MEMBERS.items():
    put(_value, "tf.flags." + _name, "tf.app.flags." + _name, "tf.python.platform.flags." + _name)


def run(main: Optional[Callable[..., Any]] = None, argv: Optional[List[str]] = None) -> None:
    """tf.app.run: parses the flags, calls main(argv), exits with its result."""
    args = list(sys.argv if argv is None else argv)
    rest = FLAGS(args)
    main = main or sys.modules["__main__"].main
    sys.exit(main(rest))


put(run, "tf.app.run")


def get_resource_path(path: str) -> str:
    return os.path.join(os.getcwd(), path)


put(get_resource_path, "tf.resource_loader.get_path_to_datafile",
    "tf.compat.v1.resource_loader.get_path_to_datafile")
