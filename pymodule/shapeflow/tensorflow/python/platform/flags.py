"""tf.app.flags, tf.flags and tf.app.run: argparse-free flags parsed when first read.

Source: tensorflow/python/platform/{flags,app}.py, absl.flags.
"""
from __future__ import annotations

import functools
import os
import sys

from shapeflow.api.registry import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union


class Error(Exception):
    """flags.Error"""


class DuplicateFlagError(Error):
    pass


class IllegalFlagValueError(Error):
    pass


class UnrecognizedFlagError(Error):
    def __init__(self, flagname: str, flagvalue: Any = "", suggestions: Any = None) -> None:
        self.flagname, self.flagvalue = flagname, flagvalue
        tip = ". Did you mean: %s ?" % ", ".join(suggestions) if suggestions else ""
        super().__init__("Unknown command line flag '%s'%s" % (flagname, tip))


class UnparsedFlagAccessError(Error):
    pass


class ValidationError(Error):
    pass


def _as_bool(text: object) -> bool:
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
                 boolean: bool = False, multi: bool = False, limits: Sequence[Any] = (None, None)) -> None:
        self.name, self.help, self.parse, self.boolean, self.multi = name, help, parse, boolean, multi
        self.default = default if default is None or multi else parse(default)
        self.value = self.default
        self.present = 0
        self.lowest, self.highest = limits

    def take(self, text: Any) -> None:
        """A value of the command line."""
        try:
            value = self.parse(text)
        except (ValueError, TypeError) as e:
            raise IllegalFlagValueError("flag --%s=%s: %s" % (self.name, text, e))
        self.set((self.value if self.present else []) + [value] if self.multi else value)
        self.present += 1

    def set(self, value: Any) -> None:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, (int, float)) and (self.lowest is not None and one < self.lowest
                                                  or self.highest is not None and one > self.highest):
                raise IllegalFlagValueError("flag --%s=%s: %s is not in [%s, %s]" % (
                    self.name, one, one, self.lowest, self.highest))
        self.value = value

    default_as_str = property(lambda self: repr(self.default))
    is_text = property(lambda self: self.parse is _text)


def complete(flags: List[Flag]) -> None:
    """Called with all flags when they were parsed; a check puts a function of its own here."""


def _absl() -> Optional[ModuleType]:
    """The module absl.flags of an installed absl, when the program has imported it."""
    found = sys.modules.get("absl.flags")
    return found if found is not None and "absl.flags._flagvalues" in sys.modules else None


def _others() -> Any:
    """The flags that the program defined by absl, which are TensorFlow's as well."""
    absl = _absl()
    return {} if absl is None else absl.FLAGS


class _FlagValues:
    """FLAGS: attribute access parses sys.argv once. With absl's FLAGS it has all flags in common."""

    def __init__(self) -> None:
        self.__dict__["__flags"] = {}
        self.__dict__["__parsed"] = False

    def _flags(self) -> Dict[str, Flag]:
        return self.__dict__["__flags"]

    def _define(self, flag: Flag) -> None:
        self._flags()[flag.name] = flag
        if _absl() is not None:
            from shapeflow.tensorflow.python.platform import absl_flags

            absl_flags.define(flag)

    def _parse_flags(self, args: Optional[List[str]] = None) -> List[str]:
        self.__dict__["__parsed"] = True
        for flag in self._flags().values():
            flag.present = 0
        rest = list(sys.argv[1:] if args is None else args)
        absl = _absl()
        if absl is not None:
            rest = absl.FLAGS(sys.argv[:1] + rest, known_only=True)[1:]
        rest = self._consume(rest, strict=False)
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
                    raise UnrecognizedFlagError(name)
                rest.append(arg)
                continue
            if not eq:
                if flag.boolean:
                    text = "true"
                elif args:
                    text = args.pop(0)
                else:
                    raise Error("Missing value for flag --%s" % name)
            flag.take(text)
        return rest

    def __getattr__(self, name: str) -> Any:
        if name == "_FlagValues__flags" or name == "__flags":
            return self._legacy()
        flags, others = self._flags(), _others()
        if name not in flags and name not in others:
            raise AttributeError(name)
        if not self.__dict__["__parsed"]:
            self._parse_flags()
        return (flags if name in flags else others)[name].value

    def get_flag_value(self, name: str, default: object) -> Any:
        """The value of a flag, `default` where that is None."""
        value = getattr(self, name)
        return default if value is None else value

    def set_default(self, name: str, value: object) -> None:
        """Another default, which is the value until the command line gives one."""
        flag = self._flags().get(name)
        if flag is None:
            raise UnrecognizedFlagError(name)
        flag.default = value
        if not flag.present:
            flag.value = value

    def validate_all_flags(self) -> None:
        """Would end a program whose flags break its own rules."""

    def set_gnu_getopt(self, gnu_getopt: bool = True) -> None:
        """Whether flags may stand after other arguments; here they always may."""
        self.__dict__["__gnu_getopt"] = gnu_getopt

    def is_gnu_getopt(self) -> bool:
        return bool(self.__dict__.get("__gnu_getopt", False))

    def _legacy(self) -> Dict[str, Any]:
        """FLAGS.__flags of TensorFlow before 1.5: name -> value."""
        from shapeflow.api import names

        if not self.__dict__["__parsed"]:
            self._parse_flags()
        if names.emulated() < (1, 5):
            return {n: f.value for n, f in self._flags().items()}
        return dict(self._flags())

    def __setattr__(self, name: str, value: object) -> None:
        flag = self._flags().get(name)
        if flag is not None:
            flag.set(value)
        elif name in _others():
            setattr(_others(), name, value)
        else:
            self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        self._flags().pop(name, None)

    def __getitem__(self, name: str) -> Any:
        flags = self._flags()
        return flags[name] if name in flags else _others()[name]

    def __contains__(self, name: str) -> bool:
        return name in self._flags() or name in _others()

    def __iter__(self) -> Iterator[str]:
        return iter([*self._flags(), *(name for name in _others() if name not in self._flags())])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __dir__(self) -> List[str]:
        return sorted(self)

    def __call__(self, argv: List[str], known_only: bool = False) -> List[str]:
        self.__dict__["__parsed"] = True
        return argv[:1] + self._parse_flags(list(argv[1:]))

    def flag_values_dict(self) -> Dict[str, Any]:
        return {name: self[name].value for name in self}

    def mark_as_parsed(self) -> None:
        self.__dict__["__parsed"] = True

    def is_parsed(self) -> bool:
        return self.__dict__["__parsed"]

    def unparse_flags(self) -> None:
        self.__dict__["__parsed"] = False

    def get_help(self) -> str:
        return "\n".join("  --%s: %s" % (n, f.help) for n, f in sorted(self._flags().items()))


FLAGS = _FlagValues()


_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _old_names(define: Callable[..., None]) -> Callable[..., None]:
    """`define` that takes the names its parameters had before TensorFlow took absl's, too."""

    @functools.wraps(define)
    def wrapped(*args: object, **kwargs: object) -> None:
        define(*args, **{_OLD_NAMES.get(name, name): value for name, value in kwargs.items()})

    return wrapped


def _add(flag: Flag, flag_values: object) -> None:
    (flag_values if isinstance(flag_values, _FlagValues) else FLAGS)._define(flag)


def _of_text(parse: Callable[[Any], Any], multi: bool = False) -> Any:
    def define(name: str, default: Any, help: Any, flag_values: Any = FLAGS, required: bool = False,
               **args: object) -> None:
        _add(Flag(name, default, help, parse, multi=multi), flag_values)

    return _old_names(define)


def _of_number(kind: type, multi: bool = False) -> Any:
    def define(name: str, default: Any, help: Any, lower_bound: Any = None, upper_bound: Any = None,
               flag_values: object = FLAGS, required: bool = False, **args: object) -> None:
        _add(Flag(name, default, help, _number(kind), multi=multi, limits=(lower_bound, upper_bound)),
             flag_values)

    return _old_names(define)


@_old_names
def DEFINE_boolean(name: str, default: Any, help: Any, flag_values: Any = FLAGS, module_name: object = None,
                   required: bool = False, **args: object) -> None:
    _add(Flag(name, default, help, _as_bool, boolean=True), flag_values)


def _number(kind: type) -> Any:
    def parse(text: Any) -> Any:
        if kind is int and isinstance(text, str):
            return int(text, 16 if text.lower().startswith("0x") else 10)
        if kind is int and isinstance(text, float) and not text.is_integer():
            return text  # np.inf as "no limit" was a default that TensorFlow took as it is
        return kind(text)

    return parse


def _text(value: object) -> Optional[Union[str, bytes]]:
    return value if isinstance(value, (str, bytes)) or value is None else str(value)


def _one_of(values: Sequence[str], any_case: bool = False) -> Callable[[Any], Any]:
    def parse(text: Any) -> str:
        for value in values:
            if text == value or any_case and str(text).lower() == value.lower():
                return value
        raise ValueError("value should be one of <%s>" % "|".join(values))

    return parse


@_old_names
def DEFINE_enum(name: str, default: Any, enum_values: Any, help: Any, flag_values: Any = FLAGS,
                module_name: object = None, required: bool = False, **args: Any) -> None:
    parse = _one_of(enum_values, args.get("case_sensitive") is False)
    _add(Flag(name, default, help, parse), flag_values)


@_old_names
def DEFINE_multi_enum(name: str, default: object, enum_values: Any, help: Any, flag_values: Any = FLAGS,
                      case_sensitive: bool = True, required: bool = False, **args: object) -> None:
    start = [default] if isinstance(default, str) else default
    _add(Flag(name, start, help, _one_of(enum_values, not case_sensitive), multi=True), flag_values)


@_old_names
def DEFINE_spaceseplist(name: str, default: Any, help: Any, comma_compat: bool = False,
                        flag_values: Any = FLAGS, required: bool = False, **args: object) -> None:
    def parse(value: Any) -> Any:
        if isinstance(value, list):
            return value
        return (value.replace(",", " ") if comma_compat else value).split()

    _add(Flag(name, default, help, parse), flag_values)


# Checks of flags, which could only end the program, and what a help text lists.
def mark_flag_as_required(flag_name: str, flag_values: object = FLAGS) -> None: ...
def mark_flags_as_required(flag_names: object, flag_values: object = FLAGS) -> None: ...
def mark_flags_as_mutual_exclusive(flag_names: object, required: bool = False,
                                   flag_values: object = FLAGS) -> None: ...
def register_validator(flag_name: str, checker: object, message: str = "Flag validation failed",
                       flag_values: object = FLAGS) -> None: ...
def declare_key_flag(flag_name: str, flag_values: object = FLAGS) -> None: ...
def adopt_module_key_flags(module: object, flag_values: object = FLAGS) -> None: ...
def disclaim_key_flags() -> None: ...


def validator(flag_name: str, message: str = "Flag validation failed",
              flag_values: object = FLAGS) -> Callable[[Any], Any]:
    return lambda function: function


class _Flags:
    """The module tf.flags."""


_MEMBERS: Dict[str, object] = {
    "FLAGS": FLAGS, "DEFINE_string": _of_text(_text),
    "DEFINE_integer": _of_number(int), "DEFINE_float": _of_number(float),
    "DEFINE_bool": DEFINE_boolean, "DEFINE_boolean": DEFINE_boolean, "DEFINE_list": _of_text(_as_list),
    "DEFINE_spaceseplist": DEFINE_spaceseplist,
    "DEFINE_multi_string": _of_text(_text, multi=True), "DEFINE_multi_integer": _of_number(int, multi=True),
    "DEFINE_multi_float": _of_number(float, multi=True), "DEFINE_enum": DEFINE_enum,
    "DEFINE_multi_enum": DEFINE_multi_enum,
    "mark_flag_as_required": mark_flag_as_required, "mark_flags_as_required": mark_flags_as_required,
    "mark_flags_as_mutual_exclusive": mark_flags_as_mutual_exclusive,
    "register_validator": register_validator, "validator": validator, "declare_key_flag": declare_key_flag,
    "adopt_module_key_flags": adopt_module_key_flags, "disclaim_key_flags": disclaim_key_flags,
    "Error": Error, "DuplicateFlagError": DuplicateFlagError,
    "IllegalFlagValueError": IllegalFlagValueError, "ValidationError": ValidationError,
    "UnrecognizedFlagError": UnrecognizedFlagError,
    "UnparsedFlagAccessError": UnparsedFlagAccessError, "FlagValues": _FlagValues}
for _name, _value in _MEMBERS.items():
    put(_value, "tf.flags." + _name, "tf.app.flags." + _name, "tf.python.platform.flags." + _name)
    put(_value, "tensorflow.python.platform.flags." + _name, v2=True)


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
