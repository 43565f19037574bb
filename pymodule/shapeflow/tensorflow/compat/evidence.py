"""What one source file says of the TensorFlow that it was written for: what it binds, uses, asserts.

The syntax tree is read once and nothing is resolved here: a use is the name that an expression starts
with and the attributes after it, `("tf", ".nn.relu")`; programs.py knows what "tf" is. A use is *guarded*
where the program itself expects that it may fail: below a test of the version or of `hasattr`, in a `try`
that catches ImportError or AttributeError. Below a test of an imported name it has *flags*: another file may
say that such a name stands for the version. Text that is no Python 3 is read by regular expressions, without
calls.
"""
from __future__ import annotations

import _ast  # what ast.py wraps, without re and enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

    # What a name may stand for: ("module", dotted), ("from", module, level, name), ("same", root, suffix).
    Binding = Tuple[Any, ...]
    Imported = Tuple[str, int, Tuple[str, ...], int, bool, "Flags"]  # module, level, names, line, guarded
    # Imported names that a test asks, (root, suffix): where they say the version, what is below is guarded.
    Flags = Tuple[Tuple[str, str], ...]

_ONLY_TREE = 0x400  # ast.PyCF_ONLY_AST
_GUARDING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "NameError"})
_CATCHING_ALL = frozenset({"Exception", "BaseException", "TypeError", "ValueError"})
_VERSIONS = frozenset({"__version__", "VERSION", "__git_version__", "GIT_VERSION"})
_ASKING = frozenset({"hasattr", "getattr", "dir", "vars"})
_LEAVING = frozenset({"exit", "_exit", "quit"})
# Calls that find modules, or make them found.
_FINDING = ("import_module", "__import__", "path.insert", "path.append")
# Calls that run a text or a file; the level of what such a file binds, as if all of it were imported.
_RUNNING = frozenset({"exec", "eval", "execfile", "run_path", "run_module"})
RUN = -1
# Fields that hold no expression or statement with names of their own.
_PLAIN = frozenset("""ctx op ops id attr name names level kind conversion module type_comment type_ignores
    simple is_async arg rest""".split())
_CHILDREN: Dict[type, Tuple[str, ...]] = {}
_TEXTS_MOST = 100  # that are given to exec
_SMALL = 3  # statements of a `try` that says how either of two versions wants it


class Use:
    """`tf.nn.relu(x)` in a file: `root` "tf", `suffix` ".nn.relu"; `call` its node where it is called."""

    __slots__ = ("root", "suffix", "call", "line", "guarded", "flags")

    def __init__(self, root: str, suffix: str, call: Optional[ast.Call], line: int, guarded: bool,
                 flags: Flags = ()) -> None:
        self.root, self.suffix, self.call, self.line, self.guarded = root, suffix, call, line, guarded
        self.flags = flags


class FileEvidence:
    """All that one file says."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.bindings: Dict[str, List[Binding]] = {}
        self.stars: List[Tuple[str, int]] = []  # module, level
        self.bound: Set[str] = set()  # names that stand for something else too: parameters, results
        self.uses: List[Use] = []
        self.assigned: List[Tuple[str, str]] = []  # `tf.Session = ...`: names that the program makes itself
        self.imports: List[Imported] = []
        self.version_tests: List[Tuple[ast.expr, bool, int]] = []  # test, what it must be, line
        self.keys: Dict[str, FrozenSet[str]] = {}  # of dictionaries: `options = {"a": 1}`
        self.kinds: Dict[str, str] = {}  # as kind_of: of names that stand for nothing else; "" of others
        self.values: Dict[str, ast.expr] = {}  # what names are first assigned
        self.search_paths: List[ast.expr] = []  # what is put on sys.path
        self.runs: List[Tuple[ast.expr, bool]] = []  # what is run, and whether it is the path of a file
        self.asked: Set[str] = set()  # names that are used otherwise than as `**name`, or bound again
        self.tainted: Set[str] = set()  # names and functions that say which version runs
        self.legacy_keras = False
        self.own_graph = False  # `with graph.as_default()`: there TensorFlow 2 is as TensorFlow 1 was
        self.is_tree = True
        self.python2_line = 0  # where it is no Python 3 and, by its statements, Python 2; 0: nowhere
        self.parsed: Optional[Tuple[object, object]] = None  # its text and tree, which gave no warning

    def bind(self, name: str, kind: str = "") -> None:
        """A name stands for something of the program's own."""
        self.bound.add(name)
        self.kinds[name] = kind if self.kinds.get(name, kind) == kind else ""


def read(path: str, text: Any) -> FileEvidence:
    """The evidence of a source: text, or bytes as in its file."""
    found = FileEvidence(path)
    text = _readable(text)
    try:
        tree, is_warned = _tree(path, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        text = text if isinstance(text, str) else bytes(text).decode("utf-8", "replace")
        try:
            tree, is_warned = _tree(path, _as_python3(text))[0], True
            found.python2_line = isinstance(error, SyntaxError) and error.lineno or 0
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            found.is_tree = False
            _read_text(found, text)
            return found
    if not is_warned:
        found.parsed = text, tree
    try:
        _Reader(found).statements(tree.body, False)
    except RecursionError:
        pass  # nested without end: what was read counts
    return found


def _readable(text: object) -> Any:
    """The source; of one in another encoding than UTF-8, which it does not name, what can be read of it."""
    if isinstance(text, bytes) and b"coding" not in text:
        try:
            text.decode()
        except UnicodeDecodeError:
            return text.decode("utf-8", "replace")
    return text


def _tree(path: str, text: Any) -> Tuple[Any, bool]:
    """The syntax tree, without the warnings that the program's own compilation gives; were there any?"""
    if ("\\" if isinstance(text, str) else b"\\") not in text:
        return compile(text, path, "exec", _ONLY_TREE, dont_inherit=True), False
    import warnings

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")  # of escapes that are none
        tree = compile(text, path, "exec", _ONLY_TREE, dont_inherit=True)
    return tree, bool(given)


def chain(node: object) -> Optional[Tuple[str, str]]:
    """("tf", ".nn.relu") of `tf.nn.relu`; None of what starts with no name."""
    names: List[str] = []
    while type(node) is _ast.Attribute:
        names.append(node.attr)
        node = node.value
    if type(node) is not _ast.Name:
        return None
    if not names:
        return node.id, ""
    names.append("")
    names.reverse()
    return node.id, ".".join(names)


def children(node: Any) -> List[Any]:
    """The nodes directly below one that may hold names."""
    fields = _CHILDREN.get(type(node))
    if fields is None:
        fields = _CHILDREN[type(node)] = tuple(f for f in node._fields if f not in _PLAIN)
    found: List[Any] = []
    for field in fields:
        value = getattr(node, field)
        if type(value) is list:
            found += value
        elif isinstance(value, _ast.AST):
            found.append(value)
    return found


def _all_below(node: object) -> List[Any]:
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        if isinstance(node, _ast.AST):
            found.append(node)
            stack += children(node)
    return found


class _Reader:
    """Walks one tree: statements by recursion, since they guard each other, expressions by a stack."""

    def __init__(self, found: FileEvidence) -> None:
        self._found = found
        self._function = ""
        self._flags: Flags = ()
        self._texts = 0

    def statements(self, nodes: Sequence[Any], guarded: bool) -> None:
        before = self._flags
        for node in nodes:
            handler = _STATEMENTS.get(type(node))
            if handler is not None:
                handler(self, node, guarded)
            else:
                self._walk(children(node), guarded)
            if type(node) is _ast.If and type(node.body[-1]) is _ast.Return:  # the rest is its `else`
                guarded = guarded or self._is_version_test(node.test)
                self._ask(node.test)
        self._flags = before

    def _walk(self, stack: List[Any], guarded: bool) -> None:
        """Expressions, and statements that only hold others (with, for, while)."""
        found = self._found
        uses, bindings = found.uses, found.bindings
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is _ast.Name:
                found.asked.add(node.id)
                if type(node.ctx) is _ast.Store:
                    found.bind(node.id)
                elif node.id in bindings or found.stars:
                    is_asked = guarded or node.id in found.tainted
                    uses.append(Use(node.id, "", None, node.lineno, is_asked, self._flags))
            elif kind is _ast.Attribute:
                names = chain(node)
                if names is None:
                    while type(node) is _ast.Attribute:
                        node = node.value
                    stack.append(node)
                else:
                    self._use(names, None, node.lineno, guarded)
            elif kind is _ast.Call:
                names = chain(node.func)
                if names is None:
                    stack.append(node.func)
                    if type(node.func) is _ast.Attribute:
                        if node.func.attr == "as_default":
                            found.own_graph = True
                        elif node.func.attr in _RUNNING:  # `__import__("runpy").run_path("train.py")`
                            self._run(node, node.func.attr, guarded)
                else:
                    self._use(names, node, node.lineno, guarded)
                    if names[1].endswith(_FINDING) or names[0] in _FINDING:
                        self._find_modules(node, names, guarded)
                    if names[1][1:] in _RUNNING or not names[1] and names[0] in _RUNNING:
                        self._run(node, names[1][1:] or names[0], guarded)
                stack += node.args
                stack += [keyword.value for keyword in node.keywords
                          if keyword.arg is not None or type(keyword.value) is not _ast.Name]
            elif kind is _ast.Constant:
                continue
            elif kind is _ast.IfExp:
                inner = guarded or self._is_version_test(node.test)
                self._walk([node.test], guarded)
                before = self._ask(node.test)
                self._walk([node.body, node.orelse], inner)
                self._flags = before
            elif kind is _ast.arguments:
                self._parameters(node)
                stack += [value for value in (*node.defaults, *node.kw_defaults) if value is not None]
            elif kind in _STATEMENTS:
                _STATEMENTS[kind](self, node, guarded)
            elif isinstance(node, _ast.AST):
                stack += children(node)

    def _use(self, names: Tuple[str, str], call: Optional[ast.Call], line: int, guarded: bool) -> None:
        root, suffix = names
        self._found.asked.add(root)
        if suffix:
            if self._function and not _VERSIONS.isdisjoint(suffix.split(".")):
                self._found.tainted.add(self._function)
            elif suffix.endswith(".as_default"):
                self._found.own_graph = True
        if root in self._found.bindings or self._found.stars:
            self._found.uses.append(Use(root, suffix, call, line, guarded, self._flags))

    def _find_modules(self, call: ast.Call, names: Tuple[str, str], guarded: bool) -> None:
        """`importlib.import_module("nets.vgg")`, `sys.path.insert(0, folder)`."""
        if "path" in names[1]:
            self._found.search_paths += call.args[-1:] if names[0] == "sys" else []
        elif call.args and type(call.args[0]) is _ast.Constant and isinstance(call.args[0].value, str):
            text = call.args[0].value
            module = text.lstrip(".")
            self._found.imports.append(
                (module, len(text) - len(module), (), call.lineno, guarded, self._flags))

    def _run(self, call: ast.Call, name: str, guarded: bool) -> None:
        """`exec("import tensorflow as tf")`, `exec(open("ops.py").read())`, `runpy.run_path("train.py")`."""
        given = call.args[0] if call.args else None
        while type(given) is _ast.Name and given.id in self._found.values:
            known = self._found.values[given.id]
            given = known if known is not given and type(known) is not _ast.Name else None
        text = given.value if type(given) is _ast.Constant else None
        if name in ("exec", "eval") and isinstance(text, str):
            self._run_text(text.strip(), call.lineno, guarded)
        elif name == "run_module" and isinstance(text, str):
            self._found.imports.append((text, 0, (), call.lineno, guarded, self._flags))
        elif given is not None and name != "run_module":
            self._found.runs.append((given, name in ("execfile", "run_path")))
            self._found.stars.append(("", RUN))  # programs.py knows the file

    def _run_text(self, text: str, line: int, guarded: bool) -> None:
        if self._texts > _TEXTS_MOST:  # that run each other
            return
        self._texts += 1
        try:
            tree = _tree(self._found.path, text)[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in _all_below(tree):
            node.lineno = line
        self.statements(tree.body, guarded)

    def _parameters(self, node: Any) -> None:
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
            if argument is not None:
                self._found.bind(argument.arg)
                self._found.asked.add(argument.arg)

    def _is_version_test(self, test: object) -> bool:
        """Does it ask which TensorFlow runs?"""
        for node in _all_below(test):
            kind = type(node)
            if kind is _ast.Attribute and node.attr in _VERSIONS:
                return True
            if kind is _ast.Name and node.id in self._found.tainted:
                return True
            if kind is _ast.Call and type(node.func) is _ast.Name and node.func.id in _ASKING:
                names = chain(node.args[0]) if node.args else None
                if names is not None and names[0] in self._found.bindings:
                    return True
        return False

    def _ask(self, test: object) -> Flags:
        """What follows is below `test`; gives the flags that counted before."""
        before = self._flags
        asked = [chain(node) for node in _all_below(test) if type(node) in (_ast.Name, _ast.Attribute)]
        self._flags += tuple(names for names in asked if names is not None and any(
            binding[0] != "same" for binding in self._found.bindings.get(names[0], ())))
        return before

    # --- statements ---------------------------------------------------------------------------------
    def _import(self, node: Any, guarded: bool) -> None:
        found = self._found
        for alias in node.names:
            found.imports.append((alias.name, 0, (), node.lineno, guarded, self._flags))
            if alias.asname:
                found.bindings.setdefault(alias.asname, []).append(("module", alias.name))
            else:
                top = alias.name.partition(".")[0]
                found.bindings.setdefault(top, []).append(("module", top))

    def _import_from(self, node: Any, guarded: bool) -> None:
        found, module = self._found, node.module or ""
        if module == "__future__":
            return
        names = tuple(alias.name for alias in node.names)
        found.imports.append((module, node.level, names, node.lineno, guarded, self._flags))
        for alias in node.names:
            if alias.name == "*":
                found.stars.append((module, node.level))
            else:
                found.bindings.setdefault(alias.asname or alias.name, []).append(
                    ("from", module, node.level, alias.name))

    def _assign(self, node: Any, guarded: bool) -> None:
        value = node.value
        targets = node.targets if type(node) is _ast.Assign else [node.target]
        if value is None:
            return
        kind = type(value)
        meanings = [meaning for meaning in _meanings(value) if meaning[0] == "module" or
                    meaning[1] in self._found.bindings or self._found.stars] if kind in _NAMING else []
        for target in targets:
            if type(target) is _ast.Name:
                self._found.values.setdefault(target.id, value)
                self._name_dictionary(target.id, value)
                if meanings:
                    self._found.bindings.setdefault(target.id, []).extend(meanings)
                elif not (kind is _ast.Constant and value.value is None):
                    self._found.bind(target.id, kind_of(value, self._found))
            elif type(target) is _ast.Attribute and chain(target) is not None:
                self._found.assigned.append(chain(target) or ("", ""))
            else:
                self._environment(target, value)
                self._walk([target], guarded)
        if kind is not _ast.Constant and self._is_version_test(value):
            for target in targets:
                self._found.tainted.update(n.id for n in _all_below(target) if type(n) is _ast.Name)
            guarded = True
        self._walk([value], guarded)

    def _name_dictionary(self, name: str, value: object) -> None:
        keys = keys_of(value, None)
        if keys is None or name in self._found.keys:
            self._found.asked.add(name)
        else:
            self._found.keys[name] = keys

    def _environment(self, target: object, value: object) -> None:
        if type(target) is _ast.Subscript and type(target.slice) is _ast.Constant and \
                target.slice.value == "TF_USE_LEGACY_KERAS" and type(value) is _ast.Constant and \
                value.value not in ("0", "", "False", "false"):
            self._found.legacy_keras = True

    def _function_definition(self, node: Any, guarded: bool) -> None:
        only = node.body[-1] if all(type(s) is _ast.Expr for s in node.body[:-1]) else None
        returned = kind_of(only.value, None) if type(only) is _ast.Return and not node.decorator_list else ""
        self._found.bind(node.name, returned and "gives " + returned)
        self._walk([*node.decorator_list, node.args], guarded)
        before, self._function = self._function, node.name if len(node.body) <= 4 else ""
        self.statements(node.body, guarded)
        self._function = before

    def _class_definition(self, node: Any, guarded: bool) -> None:
        self._found.bind(node.name)
        self._walk([*node.decorator_list, *node.bases, *(k.value for k in node.keywords)], guarded)
        self.statements(node.body, guarded)

    def _if(self, node: Any, guarded: bool) -> None:
        test = node.test
        if type(test) is _ast.Constant and not test.value or \
                "".join(chain(test) or ()).rpartition(".")[2] == "TYPE_CHECKING":
            self.statements(node.orelse, guarded)
            return
        self._walk([test], guarded)
        if self._is_version_test(test):
            if not guarded and _leaves(node.body):
                self._found.version_tests.append((test, False, node.lineno))
                self.statements(node.orelse, guarded)
                return
            guarded = True
        before = self._ask(test)
        self.statements(node.body, guarded)
        self.statements(node.orelse, guarded)
        self._flags = before

    def _assert(self, node: Any, guarded: bool) -> None:
        if self._is_version_test(node.test) and not guarded:
            self._found.version_tests.append((node.test, True, node.lineno))
        self._walk([node.test], True)

    def _try(self, node: Any, guarded: bool) -> None:
        inner = guarded or any(_expects(handler, node.body) for handler in node.handlers)
        self.statements(node.body, inner)
        for handler in node.handlers:
            self.statements(handler.body, inner)
            if inner and any(map(self._is_of_tensorflow, node.body)):  # `layer_norm = None`, often
                self._found.tainted.update(
                    target.id for statement in handler.body if type(statement) is _ast.Assign
                    for target in statement.targets if type(target) is _ast.Name)
        self.statements(node.orelse, guarded)
        self.statements(node.finalbody, guarded)

    def _is_of_tensorflow(self, statement: Any) -> bool:
        """Does it import a part of TensorFlow, or look something up there?"""
        kind = type(statement)
        if kind is _ast.ImportFrom:
            return (statement.module or "").partition(".")[0] == "tensorflow"
        if kind is _ast.Import:
            return any(alias.name.startswith("tensorflow.") for alias in statement.names)
        roots = {node.value.id for node in _all_below(statement)
                 if type(node) is _ast.Attribute and type(node.value) is _ast.Name}
        return any(binding[0] == "module" and binding[1].partition(".")[0] == "tensorflow"
                   for root in roots for binding in self._found.bindings.get(root, ()))

    def _block(self, node: Any, guarded: bool) -> None:
        """with, for, while: what they ask, then what they hold."""
        bodies: List[object] = []
        items = getattr(node, "items", ())
        inner = guarded or any(_suppresses(item.context_expr) for item in items)
        for item in items:
            if type(item.optional_vars) is _ast.Name:  # `with open("ops.py") as source`
                self._found.values.setdefault(item.optional_vars.id, item.context_expr)
        for field in node._fields:
            value = getattr(node, field)
            if field in ("body", "orelse"):
                bodies += value
            elif field not in _PLAIN:
                self._walk(list(value) if type(value) is list else [value], guarded)
        self.statements(bodies, inner)

    def _expression(self, node: Any, guarded: bool) -> None:
        if type(node.value) is not _ast.Constant:
            self._walk([node.value], guarded)


_STATEMENTS: Dict[type, Any] = {
    _ast.Import: _Reader._import, _ast.ImportFrom: _Reader._import_from, _ast.Assign: _Reader._assign,
    _ast.AnnAssign: _Reader._assign, _ast.FunctionDef: _Reader._function_definition,
    _ast.AsyncFunctionDef: _Reader._function_definition, _ast.ClassDef: _Reader._class_definition,
    _ast.If: _Reader._if, _ast.Assert: _Reader._assert, _ast.Try: _Reader._try,
    _ast.With: _Reader._block, _ast.AsyncWith: _Reader._block, _ast.For: _Reader._block,
    _ast.AsyncFor: _Reader._block, _ast.While: _Reader._block, _ast.Expr: _Reader._expression,
}
_NAMING = (_ast.Name, _ast.Attribute, _ast.IfExp, _ast.BoolOp, _ast.Call)


# What a function of these names gives is no whole number, whoever's it is: it has a rank of its own, or is a
# float.
_GIVE_ARRAYS = frozenset("""concat matmul batch_matmul conv1d conv2d conv3d max_pool avg_pool relu relu6 elu
    tanh sigmoid softmax log_softmax dropout embedding_lookup bias_add xw_plus_b batch_normalization
    l2_normalize one_hot""".split())
# And of these, where they are given a shape, or values, as a list that is not empty.
_TAKE_SHAPES = frozenset("""placeholder zeros ones fill random_normal random_uniform truncated_normal constant
    reshape tile get_variable""".split())


def kind_of(node: Any, file: Optional[FileEvidence]) -> str:
    """What an argument surely is: "number", "list", "truths" (a list of them), "array" (more than one number,
    or a float); "" of what nobody knows. With its file also of a name, and of what a function returns."""
    kind = type(node)
    if kind is _ast.UnaryOp and type(node.op) is _ast.USub:
        node, kind = node.operand, type(node.operand)
    if kind is _ast.Constant:
        return "number" if type(node.value) in (int, float) else ""
    if kind is _ast.List or kind is _ast.Tuple:
        truths = node.elts and all(type(e) is _ast.Constant and type(e.value) is bool for e in node.elts)
        return "truths" if truths else "list"
    if file is None:
        return ""
    if kind is _ast.Name:
        known = "" if node.id in file.bindings else file.kinds.get(node.id, "")
        return "" if known.startswith("gives ") else known
    return _kind_of_call(node, file) if kind is _ast.Call else ""


def _kind_of_call(call: ast.Call, file: FileEvidence) -> str:
    names = chain(call.func)
    if names is None:
        return ""
    root, suffix = names
    if not suffix:
        kind = "" if root in file.bindings else file.kinds.get(root, "")
        return kind[6:] if kind.startswith("gives ") else ""
    if root not in file.bindings or root in file.bound:
        return ""
    name = suffix[suffix.rfind(".") + 1:]
    if name in _GIVE_ARRAYS:
        return "array"
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if name == "Variable":
        return "array" if given and kind_of(given[0], file) == "array" else ""
    return "array" if name in _TAKE_SHAPES and any(map(_is_filled, given)) else ""


def _is_filled(node: ast.expr) -> bool:
    return isinstance(node, (_ast.List, _ast.Tuple)) and bool(node.elts)


def keys_of(value: Any, found: Optional[FileEvidence]) -> Optional[FrozenSet[str]]:
    """The keys of `{"a": 1}`, `dict(a=1)` or, with its file, of a name that stands for one such; None: nobody
    knows."""
    kind = type(value)
    if kind is _ast.Dict:
        texts = [getattr(key, "value", None) for key in value.keys]
        keys = frozenset(text for text in texts if isinstance(text, str))
        return keys if len(keys) == len(texts) else None
    if kind is _ast.Call and type(value.func) is _ast.Name and value.func.id == "dict" and not value.args:
        keys = frozenset(keyword.arg for keyword in value.keywords if keyword.arg is not None)
        return keys if len(keys) == len(value.keywords) else None
    if kind is _ast.Name and found is not None and value.id not in found.asked:
        return found.keys.get(value.id)
    return None


def _meanings(value: Any) -> List[Binding]:
    """What a name that is assigned `value` stands for, where that is another name."""
    kind = type(value)
    if kind is _ast.IfExp:
        return _meanings(value.body) + _meanings(value.orelse)
    if kind is _ast.BoolOp:
        return [meaning for part in value.values for meaning in _meanings(part)]
    if kind is _ast.Call:
        names = chain(value.func)
        texts = [a.value for a in value.args if type(a) is _ast.Constant and isinstance(a.value, str)]
        if names is None or not texts or value.keywords:
            return []
        if names == ("getattr", ""):
            owner = chain(value.args[0])
            found: List[Binding] = [("same", owner[0], owner[1] + "." + texts[0])] if owner else []
            return found + [m for default in value.args[2:] for m in _meanings(default)]
        if names[0] == "__import__" or names[1].endswith(".import_module") or names[0] == "import_module":
            return [("module", texts[0])]
        return []
    names = chain(value)
    return [("same", *names)] if names is not None else []


def _leaves(body: Sequence[Any]) -> bool:
    """Does a branch end the program?"""
    last = body[-1]
    if type(last) is _ast.Raise:
        return True
    names = chain(last.value.func) if type(last) is _ast.Expr and type(last.value) is _ast.Call else None
    return names is not None and (names[0] + names[1]).rpartition(".")[2] in _LEAVING


def _suppresses(context: Any) -> bool:
    """Is it `contextlib.suppress` of what another TensorFlow raises?"""
    names = chain(context.func) if type(context) is _ast.Call else None
    return names is not None and ".".join(names).endswith("suppress") and any(
        (chain(argument) or ("",))[0] in _GUARDING for argument in context.args)


def _expects(handler: Any, body: Sequence[Any]) -> bool:
    """Is the handler there for another TensorFlow?"""
    caught = handler.type
    parts = caught.elts if type(caught) is _ast.Tuple else [caught] if caught is not None else []
    names = {(chain(part) or ("", ""))[0] for part in parts}
    if names & _GUARDING:
        return True
    if parts and not names & _CATCHING_ALL:
        return False
    naming = (_ast.Import, _ast.ImportFrom, _ast.Assign)
    if not any(type(s) in (*naming, _ast.Return) for s in handler.body):
        return False
    return all(type(s) in naming for s in body) or \
        len(body) <= _SMALL and all(type(s) in (*naming, _ast.Return, _ast.Expr) for s in body)


# --- what is no Python 3 --------------------------------------------------------------------------------
# What Python 2 has and Python 3 has not, and what parses in its place and has the same names and calls: a
# statement becomes the assignment of its operands, which may go on over several lines, too.
_OF_PYTHON2 = (
    (r"(?m)(^[ \t]*|[:;][ \t]*)(?:print|exec)[ \t]+(?![=(.,)\]])", r"\1_ = "),
    (r"_ = >>", "_ = 0 >>"),
    (r"(?m)\bexcept[ \t]+([^:\n]+?)[ \t]*,[ \t]*(\w+)[ \t]*:", r"except \1 as \2:"),
    (r"(?m)\braise[ \t]+([\w.]+)[ \t]*,[ \t]*", r"raise \1; _ = "),
    (r"\blambda[ \t]*\(([\w \t,]+)\)[ \t]*:", r"lambda \1:"),
    (r"(?<![\w.])0(?=[0-7]+\b(?!\.))", "0o"),
    (r"\b(\d+)[lL]\b", r"\1"),
    (r"\b[uU][rR](?=['\"])", "r"),
    (r"`([^`\n]*)`", r"(\1)"),
    (r"<>", "!="),
)


def _as_python3(text: str) -> str:
    """A program of Python 2 as one that Python 3 parses, for its names and calls only; lines are kept."""
    import re

    text = text.expandtabs(8)
    for pattern, instead in _OF_PYTHON2:
        text = re.sub(pattern, instead, text)
    return text


def _read_text(found: FileEvidence, text: str) -> None:
    """Imports, names and plain aliases of a text without comments and strings."""
    import re

    kept = re.compile(r"'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*",
                      re.DOTALL)
    text = kept.sub(lambda m: "''" + "\n" * m.group().count("\n") if m.group()[0] != "#" else "", text)
    text = text.replace("\\\n", " \n")
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        started = re.match(r"\s*import\s+(.+)", line)
        if started:
            for part in started.group(1).split(";")[0].split(","):
                words = part.split()
                if words and re.match(r"[\w.]+$", words[0]):
                    found.imports.append((words[0], 0, (), number, False, ()))
                    top = words[0].partition(".")[0]
                    name, module = (words[2], words[0]) if words[1:2] == ["as"] and words[2:] else (top, top)
                    found.bindings.setdefault(name, []).append(("module", module))
            continue
        started = re.match(r"\s*from\s+(\.*)([\w.]*)\s+import\s+(.*)", line)
        if started:
            level, module, rest = len(started.group(1)), started.group(2), started.group(3)
            at = number
            while "(" in rest and ")" not in rest and at < len(lines):
                rest, at = rest + " " + lines[at], at + 1
            names = [part.split() for part in re.sub(r"[()]", " ", rest.split(";")[0]).split(",")]
            found.imports.append((module, level, tuple(w[0] for w in names if w), number, False, ()))
            for words in names:
                if words[:1] == ["*"]:
                    found.stars.append((module, level))
                elif words:
                    found.bindings.setdefault(words[-1], []).append(("from", module, level, words[0]))
            continue
        aliased = re.match(r"\s*(\w+)\s*=\s*([A-Za-z_]\w*)((?:\.\w+)+)\s*$", line)
        if aliased:
            found.bindings.setdefault(aliased.group(1), []).append(
                ("same", aliased.group(2), aliased.group(3)))
        for use in re.finditer(r"(?<![\w.])([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)+)", line):
            found.uses.append(Use(use.group(1), use.group(2), None, number, False))
            found.own_graph = found.own_graph or use.group(2).endswith(".as_default")
