"""Programs of Python 2: translated when they do not parse, or fail as such programs do; their lines are kept.

By lib2to3, which Pythons before 3.13 have, or by fissix, its continuation, where that is installed. What the
translation cannot know, `/` of two integers, is decided when it runs: it gives an integer, as it did.
"""
from __future__ import annotations

import operator
from numbers import Integral

from shapeflow import _core
from shapeflow.checker import source_loading
from shapeflow.checker.findings import Record, Span, assumed, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional

    from shapeflow.checker.patches import Patcher

# What changes the number of lines, or what is as good without.
_LEFT_OUT = ("future", "callable", "idioms", "set_literal", "ws_comma", "buffer", "asserts")
_DIVIDE = "__shapeflow_divide__"  # two at its end: classes do not mangle it
# Of Python 2's library: no package has them.
MODULES = frozenset(
    "BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO "
    "Tkinter UserDict UserList UserString __builtin__ anydbm cPickle cProfile2 cStringIO commands "
    "cookielib copy_reg dummy_thread exceptions httplib itertools2 md5 new robotparser sets sha "
    "thread tkFileDialog tkMessageBox urllib2 urlparse xmlrpclib".split())
# What Python 3 says of a program of Python 2 that it parses: names and methods that are gone, lists that have
# become iterators, and integers that `/` has made floats.
_NAMES = frozenset("xrange unicode raw_input long reduce basestring unichr file cmp execfile reload buffer "
                   "intern apply coerce".split())
_MEMBERS = frozenset("iteritems iterkeys itervalues viewitems viewkeys viewvalues has_key next izip imap "
                     "ifilter izip_longest maxint getcwdu urlretrieve urlopen urlencode quote unquote "
                     "letters lowercase uppercase maketrans join".split())
_ITERATORS = ("'map'", "'zip'", "'filter'", "'range'", "'dict_keys'", "'dict_values'", "'dict_items'")
_OF_FLOATS = ("'float' object cannot be interpreted as an integer", "slice indices must be integers",
              "list indices must be integers or slices, not float", "by non-int of type 'float'",
              "of type 'float' instead", "integer argument expected, got float", "please use // instead")


_INTEGERS = (Integral, _core.Dimension)  # numpy's too


def divide(a: object, b: object) -> object:
    """`a / b` as Python 2 has it."""
    if isinstance(a, _INTEGERS) and isinstance(b, _INTEGERS):
        return operator.floordiv(a, b)
    return operator.truediv(a, b)


def is_meant(error: BaseException) -> bool:
    """Does a program of TensorFlow 1's time end by this exception because it is Python 2?"""
    words = str(error)
    if isinstance(error, ModuleNotFoundError):
        return error.name in MODULES
    if isinstance(error, NameError):
        return words.split("'")[1:2] != [] and words.split("'")[1] in _NAMES
    if isinstance(error, AttributeError):
        parts = words.split("'")
        return len(parts) > 3 and parts[-2] in _MEMBERS
    return isinstance(error, TypeError) and (
        any(part in words for part in _OF_FLOATS) or
        any(part in words for part in _ITERATORS) and any(
            part in words for part in ("subscriptable", "has no len()", "unsupported operand", "assignment")))


class Translator:
    """Of one check: translates what does not parse, or with `always` all of the program, and remembers it for
    a note."""

    def __init__(self, by: Patcher, always: bool = False) -> None:
        self._by = by
        self._always = always
        self._paths: List[str] = []

    def tree(self, source: object, path: str) -> Any:
        """The tree of a source, translated; the source, where nobody can translate it."""
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
        tree = translated(text, path) if isinstance(text, str) else None
        if tree is None:
            return source
        if not self._paths:
            import builtins

            self._by.set(builtins, _DIVIDE, divide)
        self._paths.append(path)
        return tree

    def compile(self, source: Any, path: str, flags: int = 0) -> Any:
        """The code of a source that compile() refuses. Raises its SyntaxError where that is no Python 2."""
        try:
            return compile(source, path, "exec", flags, dont_inherit=True)
        except SyntaxError:
            tree = self.tree(source, path)
            if tree is source:
                raise
        return compile(tree, path, "exec", flags, dont_inherit=True)

    def watch_imports(self, is_library: Callable[[str], bool]) -> None:
        """The script's modules as well."""
        def is_concerned(path: str) -> bool:
            return not is_library(path)

        if self._always:
            source_loading.change_sources(self._by, is_concerned, self.tree)
        source_loading.compile_refused(self._by, is_concerned, self.compile)

    def records(self) -> List[Record]:
        """A note for each file, or one for all."""
        if self._always and self._paths:
            path, more = self._paths[0], len(self._paths) - 1
            if more:
                text = "{text} is Python 2: it was translated, with {int} module{text} that it imports"
                return [assumed(text, display_path(path), more, "s" * (more > 1), primary=Span(path, 1))]
        return [assumed("{text} is Python 2: it was translated", display_path(path), primary=Span(path, 1))
                for path in self._paths]


def _dividing() -> Any:
    import ast

    class Division(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            if not isinstance(node.op, ast.Div):
                return node
            name = ast.copy_location(ast.Name(_DIVIDE, ast.Load()), node)
            return ast.copy_location(ast.Call(name, [node.left, node.right], []), node)

    return Division()


def translated(text: str, path: str) -> object:
    """The tree of a program that Python 3 does not parse; None: nobody can translate it, or it is wrong in
    Python 2 as well."""
    import ast

    source = _refactor(text if text.endswith("\n") else text + "\n")
    if source is None or source.count("\n") != text.count("\n") + (not text.endswith("\n")):
        return None
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError):
        return None
    if not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and
               any(item.name == "division" for item in node.names) for node in tree.body):
        tree = ast.fix_missing_locations(_dividing().visit(tree))
    return tree


def _refactor(text: str) -> Optional[str]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from lib2to3 import refactor

            package = "lib2to3.fixes"
        except ImportError:
            try:
                from fissix import refactor  # type: ignore[import-not-found, no-redef]

                package = "fissix.fixes"
            except ImportError:
                return None
        names: List[str] = [name for name in refactor.get_fixers_from_package(package)
                            if name.rpartition("fix_")[2] not in _LEFT_OUT]
        try:
            return str(refactor.RefactoringTool(names).refactor_string(text, "<program>"))
        except Exception:  # its parser has errors of its own
            return None
