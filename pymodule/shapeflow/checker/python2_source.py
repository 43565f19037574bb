"""Programs of Python 2: translated when they do not parse, or fail as such programs do; their lines are kept.

By lib2to3, which Pythons before 3.13 have, or by fissix, its continuation, where that is installed. What the
translation cannot know, `/` of two integers, is decided when it runs: python2_runtime.
"""
from __future__ import annotations

from shapeflow.checker import source_loading
from shapeflow.checker.findings import Record, Span, assumed, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any, Callable, List, Optional, Sequence, Set

    from shapeflow.checker.patches import Patcher

# What is as good without.
_LEFT_OUT = ("future", "callable", "idioms", "set_literal", "ws_comma", "buffer", "asserts", "types")
_RUNTIME = "__shapeflow_python2__"  # two at its end: classes do not mangle it
# Of Python 2's library: no package has them.
MODULES = frozenset(
    "BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO "
    "Tkinter UserDict UserList UserString __builtin__ anydbm cPickle cProfile2 cStringIO commands "
    "cookielib copy_reg dummy_thread exceptions httplib itertools2 md5 new robotparser sets sha "
    "thread tkFileDialog tkMessageBox urllib2 urlparse xmlrpclib".split())
# What Python 3 says of a program of Python 2 that it parses: names, methods and what modules had are gone,
# lists have become iterators, integers that `/` has made floats, and strings bytes.
_NAMES = frozenset("xrange unicode raw_input long reduce basestring unichr file cmp execfile reload buffer "
                   "intern apply coerce".split())
_MEMBERS = frozenset("iteritems iterkeys itervalues viewitems viewkeys viewvalues has_key next izip imap "
                     "ifilter izip_longest maxint getcwdu urlretrieve urlopen urlencode quote unquote "
                     "letters lowercase uppercase maketrans join decode message xreadlines func_name "
                     "func_code im_func im_self setdefaultencoding unquote_plus quote_plus".split())
_CHANGED_MODULES = frozenset("string types itertools urllib sys os collections".split())
_ITERATORS = ("'map'", "'zip'", "'filter'", "'range'", "'dict_keys'", "'dict_values'", "'dict_items'")
_SAYINGS = (
    "'float' object cannot be interpreted as an integer", "slice indices must be integers",
    "list indices must be integers or slices, not float", "by non-int of type 'float'",
    "of type 'float' instead", "integer argument expected, got float", "please use // instead",
    "unsupported operand type(s) for /", "unsupported operand type(s) for >>", "iter() returned non-iterator",
    "'cmp' is an invalid keyword", "sort() takes no positional arguments", "sorted expected 1 argument",
    "str.translate() takes exactly one argument", "a bytes-like object is required", "must be str, not bytes",
    'can only concatenate str (not "bytes")', "can't concat str to bytes", "encoded before hashing",
    "iterator should return strings, not bytes", "is not a text encoding",
    "dictionary changed size during iteration", "catching classes that do not inherit from BaseException")


def is_meant(error: BaseException) -> bool:
    """May a program of TensorFlow 1's time end by this exception because it is Python 2?"""
    words = str(error)
    if isinstance(error, ModuleNotFoundError):
        return error.name in MODULES
    parts = words.split("'")
    if isinstance(error, ImportError):
        return len(parts) > 3 and parts[3] in _CHANGED_MODULES
    if isinstance(error, NameError):
        return parts[1:2] != [] and parts[1] in _NAMES
    if isinstance(error, AttributeError):
        return len(parts) > 3 and (parts[-2] in _MEMBERS or "'%s'" % parts[1] in _ITERATORS or
                                   words.startswith("module ") and parts[1] in _CHANGED_MODULES)
    if any(part in words for part in _SAYINGS):
        return True
    return isinstance(error, TypeError) and any(part in words for part in _ITERATORS) and any(
        part in words for part in ("subscriptable", "has no len()", "unsupported operand", "assignment"))


def is_sure(error: BaseException) -> bool:
    """Does any program end by this exception only because it is Python 2?"""
    if isinstance(error, NameError):
        return is_meant(error)
    parts = str(error).split("'")
    return isinstance(error, AttributeError) and parts[1:2] == ["dict"] and parts[-2] in _MEMBERS or \
        isinstance(error, ModuleNotFoundError) and error.name in MODULES


class Translator:
    """Of one check: translates what does not parse, or with `always` all of the program, and remembers it for
    a note."""

    def __init__(self, by: Patcher, always: bool = False) -> None:
        self._by = by
        self._always = always
        self._paths: List[str] = []

    def tree(self, source: object, path: str) -> object:
        """The tree of a source, translated; the source, where nobody can translate it."""
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
        tree = translated(text, path) if isinstance(text, str) else None
        if tree is None:
            return source
        if not self._paths:
            from shapeflow.checker import python2_runtime

            python2_runtime.install(self._by)
        self._paths.append(path)
        return tree

    def compile(self, source: Any, path: str, flags: int = 0) -> Any:
        """The code of a source that compile() refuses. Raises its SyntaxError where that is no Python 2."""
        try:
            return compile(source, path, "exec", flags, dont_inherit=True)
        except SyntaxError:
            tree: Any = self.tree(source, path)
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


def _rewriter(bound: Set[str]) -> ast.NodeTransformer:
    """What puts the runtime's functions where Python 3 has another meaning; `bound` are names that the
    program itself gives a meaning."""
    import ast
    import copy

    from shapeflow.checker.python2_runtime import METHODS, NAMES, READERS

    def of_runtime(name: str, node: ast.AST) -> ast.expr:
        whole = ast.copy_location(ast.Name(_RUNTIME, ast.Load()), node)
        return ast.copy_location(ast.Attribute(whole, name, ast.Load()), node)

    def called(name: str, node: ast.AST, args: List[ast.expr],
               keywords: Sequence[ast.keyword] = ()) -> ast.expr:
        return ast.copy_location(ast.Call(of_runtime(name, node), args, list(keywords)), node)

    class Rewriter(ast.NodeTransformer):
        def __init__(self) -> None:
            self.caught: List[str] = []  # names of exceptions

        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            return called("divide", node, [node.left, node.right]) if isinstance(node.op, ast.Div) else node

        def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
            self.generic_visit(node)
            if not isinstance(node.op, ast.Div) or any(
                    isinstance(part, ast.Call) for part in ast.walk(node.target)):  # not to be called twice
                return node
            read = copy.deepcopy(node.target)
            read.ctx = ast.Load()
            return ast.copy_location(
                ast.Assign([node.target], called("divide_in_place", node, [read, node.value])), node)

        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in NAMES and node.id not in bound and isinstance(node.ctx, ast.Load):
                return of_runtime(node.id, node)
            return node

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            if node.attr == "message" and isinstance(node.ctx, ast.Load) and \
                    isinstance(node.value, ast.Name) and node.value.id in self.caught:
                return called("message", node, [node.value])
            return node

        def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
            self.caught.append(node.name or "")
            self.generic_visit(node)
            self.caught.pop()
            return node

        def visit_Call(self, node: ast.Call) -> ast.AST:
            function = node.func
            self.generic_visit(node)
            names = [keyword.arg for keyword in node.keywords]
            if isinstance(function, ast.Attribute) and function.attr in METHODS | READERS and \
                    None not in names and (
                        function.attr != "sort" or len(node.args) == 1 or "cmp" in names):
                attribute = ast.copy_location(ast.Constant(function.attr), node)
                return called("method", node, [function.value, attribute, *node.args], node.keywords)
            if isinstance(function, ast.Name) and function.id not in bound:
                if function.id == "sorted" and (len(node.args) > 1 or "cmp" in names):
                    return called("sorted", node, node.args, node.keywords)
                if function.id == "map" and node.args and isinstance(node.args[0], ast.Constant) and \
                        node.args[0].value is None:
                    return called("map_none", node, node.args[1:])
            return node

        def visit_For(self, node: ast.For) -> ast.AST:
            self.generic_visit(node)
            of = node.iter
            if isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and not of.args and \
                    of.func.attr in ("keys", "values", "items"):  # lists: the loop may change the dictionary
                node.iter = ast.copy_location(
                    ast.Call(ast.copy_location(ast.Name("list", ast.Load()), of), [of], []), of)
            return node

    return Rewriter()


def _bound_names(tree: ast.AST) -> Set[str]:
    import ast

    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _old_lines(old: List[str], new: List[str]) -> List[int]:
    """Of each line of a translation the number of the one that it comes from; what it adds, an import or the
    parts of a parameter, is at the line for which it is needed."""
    import difflib

    found = [1]
    for _, i, i_end, j, j_end in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        found.extend(min(i + k, max(i, i_end - 1), len(old) - 1) + 1 for k in range(j_end - j))
    return [*found, len(old)]


def translated(text: str, path: str) -> Optional[ast.Module]:
    """The tree of a program that Python 3 does not parse, at its lines; None: nobody can translate it, or
    it is wrong in Python 2 as well."""
    import ast

    source = _refactor(text if text.endswith("\n") else text + "\n")
    if source is None:
        return None
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError):
        return None
    old, new = text.splitlines(), source.splitlines()
    if len(old) != len(new):
        lines = _old_lines(old, new)
        for node in ast.walk(tree):
            for name in ("lineno", "end_lineno"):
                if hasattr(node, name):
                    setattr(node, name, lines[getattr(node, name)])
    if not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and
               any(item.name == "division" for item in node.names) for node in tree.body):
        tree = ast.fix_missing_locations(_rewriter(_bound_names(tree)).visit(tree))
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
