"""Writes what a real TensorFlow's API is: names, kinds, signatures, members, constants, defining modules.

    python tests/tools/api_snapshot.py PYTHON          writes pymodule/shapeflow/api/VERSION.txt
    python tests/tools/api_snapshot.py PYTHON --check  exit 1 when that differs; says where

PYTHON is an interpreter that has the TensorFlow in question (0.12, 1.8, 1.15 or 2.21); this file is run
under it and so must suit Python 3.6. The format is described in pymodule/shapeflow/api/snapshot.py.
"""
import abc
import argparse
import difflib
import enum
import functools
import os
import re
import subprocess
import sys
import types

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "pymodule", "shapeflow", "api")
VERSIONS = ("0.12", "1.8", "1.15", "2.21")
# Names of the package itself that are public though they begin with two underscores.
PUBLIC_DUNDERS = ("__version__", "__git_version__", "__compiler_version__", "__cxx11_abi_flag__",
                  "__monolithic_build__", "__operators__", "__internal__", "__cxx_version__")
# Public namespaces that say again what another says. tf.compat.v2 of TensorFlow 1 does not: it is the only
# one that has TensorFlow 2's functions.
REPEATED = {"tf.compat.v1.compat", "tf.compat.v2.compat", "tf.keras.api", "tf.keras._tf_keras",
            "tf.contrib.compat.v1", "tf.compat.v1.compat.v1"}
# Sources of the package that are no namespace of its public API; they are seen once they are imported.
SOURCES = {"tf.python", "tf.core", "tf.tools", "tf.include", "tf.examples", "tf.compiler", "tf.security",
           "tf.dtensor", "tf.tsl", "tf.lite.python"}
# What every class has.
OF_OBJECT = set(dir(type("Empty", (), {}))) | {
    "__slots__", "__abstractmethods__", "__annotations__", "__orig_bases__", "__parameters__",
    "__match_args__", "__init__", "__new__", "__dataclass_fields__", "__dataclass_params__",
    "__static_attributes__",
    "__firstlineno__", "__metaclass__", "__getnewargs__", "__signature__"}
LITERAL_MAX = 200
FOLDERS = (sys.prefix, os.path.expanduser("~"), os.getcwd(), "site-packages")
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
OURS = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "keras", "tf_keras")
# What comes from the package keras, whose version is its own.
OF_KERAS = ("tf.keras", "tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers")
# Whose classes are bases by their own name; what they have is not repeated.
OUTSIDE = ("builtins", "google.protobuf.message")
OF_SOURCES = "t:"  # before the header of a private class, which thus is none of a module
STAR = 8  # so many names of a module, and all it exports: they came by `from module import *`
WIDTH = 110
OF_PYTHON = ("builtins", "enum", "collections")  # whose classes are bases by their own name
# Packages that TensorFlow does without, and some modules try: what they have must not depend on the machine.
OPTIONAL = ("IPython", "PIL", "jax", "matplotlib", "pandas", "pydot", "scipy", "sklearn", "tf_keras", "torch")
# Ends of the names of functions that TensorFlow's generator of ops makes for itself.
PLUMBING = ("_eager_fallback", "_dispatcher", "_type_based_dispatcher")
FUTURES = ("absolute_import", "division", "print_function", "unicode_literals", "annotations")


def literal(value):
    """A constant in Python's words, or None when it is none."""
    if isinstance(value, bool) or value is None or type(value) in (int, str, bytes):
        text = ascii(value)
        # Longer ones are texts for people, and what names a folder is of this machine.
        return text if len(text) <= LITERAL_MAX and not any(folder in text for folder in FOLDERS) else "..."
    if isinstance(value, float):  # one of numpy's too
        text = repr(float(value))
        return "float('%s')" % text if text.lstrip("-") in ("inf", "nan") else text
    if type(value) in (tuple, list) and len(value) < 40:
        inner = [literal(v) for v in value]
        if None not in inner:
            comma = "," if len(inner) == 1 and type(value) is tuple else ""
            return ("(%s%s)" if type(value) is tuple else "[%s%s]") % (", ".join(inner), comma)
    if type(value) is dict and not value:
        return "{}"
    return None


def is_ours(module_name):
    return module_name.split(".")[0] in OURS


def path_of(module_name):
    """The import path that scripts write: what 1.15 calls tensorflow_core is tensorflow."""
    if module_name.startswith("tensorflow_core"):
        return "tensorflow" + module_name[len("tensorflow_core"):]
    return module_name


class Snapshot:
    """Collects the blocks of one version."""

    def __init__(self, tf, version):
        self.tf, self.version = tf, version
        self.names = {}  # id of an object -> its first public dotted name
        self.kept = []  # keeps what `names` knows alive, so that an id is of one object
        self.blocks = {}  # header -> set of lines
        self.modules = {}  # id of a public namespace -> dotted name
        self.partial = {}  # id of a functools.partial -> the dotted name of the first that is called it
        self.star_of = {}  # path of a source -> the paths of which it has everything

    # --- words for objects ------------------------------------------------------------------------
    def word(self, value):
        """A default or a constant as it is written in a signature."""
        text = literal(value)
        if text is not None:
            return text
        if type(value).__name__ == "DType" and hasattr(value, "as_numpy_dtype"):
            return "tf." + value.name if is_ours(type(value).__module__) else "..."
        try:
            name = self.names.get(id(value))
        except Exception:
            name = None
        if name:
            return name
        if hasattr(type(value), "__members__") and hasattr(value, "name"):
            owner = self.names.get(id(type(value)))
            if owner:
                return "%s.%s" % (owner, value.name)
        return "..."

    def signature(self, value):
        """"(a, b=1, *, c)", or "?" when Python does not know."""
        import inspect

        try:
            by_init = is_made_by_init(value)  # then `self` is the first
            found = inspect.signature(value.__init__ if by_init else value)
            parameters = list(found.parameters.values())[by_init:]
        except Exception:
            return "?"
        out, star = [], False
        for position, p in enumerate(parameters):
            if p.kind is p.VAR_POSITIONAL:
                star = True
                out.append("*" + p.name)
                continue
            if p.kind is p.VAR_KEYWORD:
                out.append("**" + p.name)
                continue
            if p.kind is p.KEYWORD_ONLY and not star:
                star = True
                out.append("*")
            out.append(p.name + ("" if p.default is p.empty else "=" + self.word(p.default)))
            after = parameters[position + 1:position + 2]
            if p.kind is p.POSITIONAL_ONLY and not (after and after[0].kind is p.POSITIONAL_ONLY):
                out.append("/")
        return "(" + ", ".join(out) + ")"

    def home(self, value):
        """The module that defines a function or class, as " @tensorflow.python..."; "" for none."""
        module = getattr(value, "__module__", None)
        if isinstance(module, str) and is_ours(module):
            return " @" + path_of(module)
        return ""

    def bases(self, cls):
        """The nearest bases that have a name outside: public ones of TensorFlow, or Python's."""
        out = []
        for base in cls.__mro__[1:]:
            if base is object:
                continue
            known = self.names.get(id(base))
            if known is None and base.__module__ == "google.protobuf.message":
                known = "google.protobuf.message.Message"
            if known is None and (base is abc.ABCMeta or base.__module__ in OF_PYTHON):
                known = ("" if base.__module__ == "builtins" else base.__module__ + ".") + base.__name__
            if known and not any(issubclass(b, base) for b, _ in out):
                out.append((base, known))
        return [name for _, name in out]

    def describe(self, value):
        """Kind and what goes with it: "f (x, y=1) @tensorflow.python.ops.math_ops"."""
        if isinstance(value, types.ModuleType):
            return "m"
        if isinstance(value, type):
            bases = " ".join(self.bases(value))
            return "c " + self.signature(value) + (bases and " : " + bases) + self.home(value)
        text = literal(value)
        if text is not None:
            return "v " + text
        if isinstance(value, FUNCTIONS + (functools.partial,)) or callable(value) and (
                hasattr(value, "__wrapped__") or hasattr(value, "python_function")):
            return "f " + self.signature(value) + self.home(value)
        kind = type(value)
        known = self.names.get(id(kind))
        called = self.signature(value) if callable(value) else ""
        return "o " + (known or kind.__name__) + (" " + called.replace("?", "()") if called else "")

    # --- the public namespaces --------------------------------------------------------------------
    def is_namespace(self, dotted, value):
        if not isinstance(value, types.ModuleType) or dotted in SOURCES or dotted in REPEATED:
            return False
        if dotted == "tf.compat.v2" and not self.version.startswith("1."):
            return False
        if ".python." in path_of(getattr(value, "__name__", "")) and dotted.count(".") > (
                1 if dotted.startswith("tf.contrib") else 2):
            return False  # found among the sources
        if ".python." in dotted + ".":  # not tf.python_io
            return False
        return is_ours(getattr(value, "__name__", "")) or type(value) is not types.ModuleType

    def children(self, dotted, module):
        try:
            found = list(dir(module))
        except Exception:
            found = list(vars(module))
        folders = [name[3:] for name in SOURCES if name.count(".") == 1]  # 1.15 does not list them
        extra = [n for n in (*PUBLIC_DUNDERS, *folders) if dotted == "tf" and hasattr(module, n)]
        return sorted({n for n in found if not n.startswith("_") and n not in FUTURES} | set(extra))

    def find(self):
        """Names every public object, the shortest name first."""
        self.root = types.ModuleType("tensorflow")  # before other files add to it
        vars(self.root).update((name, value) for name, value in vars(self.tf).items()
                               if name.startswith("_") and not name.startswith("__")
                               and type(value).__name__ != "_Feature")
        level, self.found = [("tf", self.tf)], {}
        self.modules[id(self.tf)] = "tf"
        while level:
            below = []
            for dotted, module in level:
                members = self.found[dotted] = {}
                for name in self.children(dotted, module):
                    try:
                        value = getattr(module, name)
                    except Exception:
                        continue
                    if type(value).__name__ == "_LazyContribLoader":  # of 0.12; later ones are modules
                        value = __import__("tensorflow.contrib", fromlist=["_"])
                    full = dotted + "." + name
                    if isinstance(value, types.ModuleType):
                        if not self.is_namespace(full, value):
                            # The root has some of its folders: `tf.tools`, `tf.python` of 1.15.
                            if full in SOURCES and dotted == "tf" or full not in SOURCES and \
                                    ".python." in getattr(value, "__name__", ""):
                                members[name] = value
                            continue
                        members[name] = value
                        if id(value) not in self.modules:
                            self.modules[id(value)] = full
                            self.kept.append(value)
                            below.append((full, value))
                    else:
                        members[name] = value
                        if literal(value) is None and id(value) not in self.names:
                            self.names[id(value)] = full
                            self.kept.append(value)
            # compat.v1 comes after all others of its depth: what both have is named outside it.
            level = sorted(below, key=lambda item: (item[0].startswith("tf.compat."), item[0]))

    def write_public(self):
        for dotted, members in self.found.items():
            lines = self.blocks.setdefault(dotted, set())
            same = {}
            for name, value in members.items():
                full = dotted + "." + name
                if isinstance(value, types.ModuleType):
                    first = self.modules.get(id(value)) or path_of(value.__name__)
                    self.alias(lines, same, name, full, first, "m")
                elif literal(value) is None and self.names[id(value)] != full:
                    self.alias(lines, same, name, full, self.names[id(value)])
                else:
                    lines.add(name + " " + self.describe(value))
                    if isinstance(value, type):
                        self.write_class(full, value)
            add_groups(lines, "<", same)

    @staticmethod
    def alias(lines, same, name, full, first, own_kind=None):
        """A line, or a place in `same`, for a name of what is called `first`."""
        home, _, last = first.rpartition(".")
        if own_kind and first == full:
            lines.add(name + " " + own_kind)
        elif last == name:
            same.setdefault(home, []).append(name)
        else:
            lines.add(name + " = " + first)

    def write_class(self, full, cls):
        lines = set()
        import inspect

        public = [b for b in cls.__mro__[1:] if id(b) in self.names or b.__module__ in OUTSIDE]
        inherited = {name for base in public for name in dir(base)}
        dunders = []
        for name in dir(cls):
            if name in OF_OBJECT or name.startswith("_") and not name.startswith("__"):
                continue
            try:
                raw = inspect.getattr_static(cls, name)
            except AttributeError:  # of the metaclass
                continue
            if name in inherited and not any(name in vars(b) for b in cls.__mro__
                                             if b is cls or (b not in public and b is not object)):
                continue
            if name.startswith("__"):
                dunders.append(name)
                continue
            lines.add(name + " " + self.member(cls, name, raw))
        if "__init__" in dir(cls) and cls.__init__ is not object.__init__:
            own = self.signature(cls.__init__)
            if own != "?" and own != "(self, /, *args, **kwargs)" and not issubclass(cls, BaseException) or \
                    isinstance(cls.__init__, types.FunctionType):
                lines.add("__init__ f " + own)
        if dunders:
            lines.add("* " + " ".join(sorted(dunders)))
        if getattr(cls, "__abstractmethods__", None):
            lines.add("! " + " ".join(sorted(cls.__abstractmethods__)))
        if isinstance(cls, enum.EnumMeta):
            lines.add("> " + " ".join(member.name for member in cls))
        self.blocks[full] = lines

    def member(self, cls, name, raw):
        if isinstance(raw, (staticmethod, classmethod)):
            made = self.signature(raw.__func__)
            return ("s " if isinstance(raw, staticmethod) else "k ") + made
        if isinstance(raw, types.FunctionType) or callable(raw) and hasattr(raw, "__wrapped__"):
            return "f " + self.signature(raw)
        if isinstance(raw, type):
            return "c " + self.signature(raw)
        text = literal(raw)
        if text is not None:
            return "v " + text
        if hasattr(type(cls), "__members__") and name in getattr(cls, "__members__", {}):
            value = literal(cls.__members__[name].value)
            return "v " + (value or "...")
        if callable(raw):
            return "f " + self.signature(raw)
        return "p"

    # --- the modules of its sources ---------------------------------------------------------------
    def write_sources(self):
        sources = {}
        for name in source_modules(self.tf):
            module = sys.modules.get(name)
            if module is None:
                try:
                    module = __import__(name, fromlist=["_"])
                except BaseException:  # noqa: B902 a module may end the interpreter when it is imported
                    continue
            if isinstance(module, types.ModuleType):
                sources[name] = module
        self.short = {}  # last component -> the path that it means
        for path in sorted(sources, key=lambda p: (p.count("."), p)):
            self.short.setdefault(path.rpartition(".")[2], path)
        self.exports = {}
        for path, module in sources.items():
            names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
            self.exports[path] = {n: id(vars(module)[n]) for n in names
                                  if n in vars(module) and not isinstance(vars(module)[n], types.ModuleType)
                                  and literal(vars(module)[n]) is None and n not in FUTURES}
        # They do not say where they are of: the file of their function comes first, then one of their name.
        partials = [(path_of(getattr(value.func, "__module__", None) or "") != path,
                     name.lstrip("_") != path.rpartition(".")[2], path, name, value)
                    for path, module in sources.items() for name, value in vars(module).items()
                    if isinstance(value, functools.partial)]
        for _, _, path, name, value in sorted(partials, key=lambda found: found[:4]):
            self.partial.setdefault(id(value), path + "." + name)
        # Of private classes those have members here that ShapeFlow has: of others nothing is missing.
        with open(os.path.join(FOLDER, "index.txt")) as index:
            modelled = {word for line in index for word in line.split() if word.startswith("tensorflow.")}
        for path in sorted(sources):
            self.write_source(path, sources[path], modelled)
        self.write_source("tensorflow", self.root)

    def stars(self, path, module):
        """The modules of which this one has everything, as after `from module import *`."""
        own = {n: id(v) for n, v in vars(module).items()}
        out, have = [], set()
        candidates = [(len(names), other) for other, names in self.exports.items()
                      if other != path and len(names) >= STAR and not path.startswith(other + ".")
                      and all(own.get(n) == i for n, i in names.items())]
        for _, other in sorted(candidates, key=lambda c: (-c[0], c[1])):
            names = self.exports[other]
            if any(getattr(vars(module)[n], "__module__", None) == module.__name__ for n in names):
                continue
            if len(set(names) - have) >= STAR and not self.is_star_of(other, path):
                out.append(other)
                have |= set(names)
        return out, have

    def is_star_of(self, other, path):
        """Does `other` have its names from `path`, at once or by others? Then they are written there."""
        below = self.star_of.get(other, ())
        return path in below or any(self.is_star_of(star, path) for star in below)

    def write_source(self, path, module, modelled=()):
        lines = self.blocks.setdefault(path, set())
        stars, covered = self.stars(path, module)
        self.star_of[path] = stars
        same, of_modules, outside = {}, [], []
        if stars:
            lines.add("* " + " ".join(stars))
        for name in sorted(vars(module)):
            if name.startswith("__") or name in FUTURES or name in covered or name.endswith(PLUMBING):
                continue
            value = vars(module)[name]
            if type(value).__name__ in ("TypeVar", "TypeAliasType", "_GenericAlias", "_UnionGenericAlias"):
                continue
            if isinstance(value, types.ModuleType):
                own = path_of(getattr(value, "__name__", name))
                last = own.rpartition(".")[2]
                word = last if self.short.get(last) == own else own
                (of_modules if is_ours(own) else outside).append(word if last == name else word + ":" + name)
                continue
            public = self.names.get(id(value)) if literal(value) is None else None
            if public:
                self.alias(lines, same, name, "", public)
                continue
            first = self.partial.get(id(value), path + "." + name)
            if first != path + "." + name:
                self.alias(lines, same, name, "", first)
                continue
            home = getattr(value, "__module__", None) if callable(value) else None
            if isinstance(home, str) and home != module.__name__ and getattr(value, "__name__", None) == name:
                if not is_ours(home) or path_of(home) in self.exports and \
                        getattr(sys.modules.get(home), name, None) is value:
                    same.setdefault(path_of(home), []).append(name)
                    continue
            # Texts of the package itself are folders, and what its loops over them have left.
            text = "v ..." if module is self.root and isinstance(value, str) else self.describe(value)
            if text.endswith(" @" + path):
                text = text[:-len(" @" + path)]
            lines.add(name + " " + text)
            if isinstance(value, type) and path + "." + name in modelled:
                self.write_class(OF_SOURCES + path + "." + name, value)
        add_groups(lines, "<", same)
        add_groups(lines, ">", {"": of_modules})
        add_groups(lines, "^", {"": outside})

    def text(self):
        keras = sys.modules.get("keras")
        beside = ", Keras " + keras.__version__ if hasattr(keras, "__version__") else ""
        out = ["# TensorFlow %s%s, Python %d.%d; by tests/tools/api_snapshot.py, format: snapshot.py" % (
            (self.version, beside) + sys.version_info[:2])]
        for header in sorted(self.blocks):
            out.append(header)
            out += [" " + line for line in sorted(self.blocks[header])]
        return "\n".join(out) + "\n"


def add_groups(lines, mark, groups):
    """Lines of names that come from one place, so many that a difference stays readable."""
    for home, names in groups.items():
        line = ""
        for name in sorted(names):
            if line and len(line) + len(name) > WIDTH:
                lines.add(line)
                line = ""
            line = line + " " + name if line else " ".join(w for w in (mark, home, name) if w)
        if line:
            lines.add(line)


def source_modules(tf):
    """The dotted names of the modules in the package's folders of Python files."""
    packages = []
    for package in (os.path.dirname(os.path.abspath(f)) for f in [tf.__file__]):
        root = os.path.dirname(package)
        while os.path.basename(package) in ("_api", "v1", "v2"):  # 1.14 and later keep the API apart
            package, root = root, os.path.dirname(root)
        for top in ("tensorflow_core", "tensorflow", "tensorflow_estimator"):
            if os.path.isdir(os.path.join(root, top, "python")):
                packages.append((root, top))
    seen, out = set(), []
    for root, top in packages:
        for folder in ("python", "contrib", "core", "examples", "tools", "compiler", "distribute", "dtensor",
                       "security", "tsl", "models", "tensorboard", "lite"):
            start = os.path.join(root, top, folder)
            for place, folders, files in sorted(os.walk(start)):
                folders[:] = sorted(f for f in folders if f not in ("__pycache__", "testdata", "test_data"))
                base = os.path.relpath(place, root).replace(os.sep, ".")
                for file in sorted(files):
                    stem, end = os.path.splitext(file)
                    if end != ".py" or stem.endswith("_test") or stem.startswith("__") and stem != "__init__":
                        continue
                    # 1.15 keeps its files in tensorflow_core and imports them as tensorflow.
                    name = path_of(base if stem == "__init__" else base + "." + stem)
                    if name not in seen:
                        seen.add(name)
                        out.append(name)
    return out


def inside(path):
    """Run under the interpreter that has TensorFlow: writes the snapshot to `path`."""
    import warnings

    warnings.simplefilter("ignore")
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    sys.argv = ["api_snapshot"]  # some module keeps it
    import logging

    logging.disable(logging.CRITICAL)
    # None makes an import of it fail.
    sys.modules.update(dict.fromkeys(OPTIONAL))
    import tensorflow as tf

    version = ".".join(tf.__version__.split(".")[:2])
    snapshot = Snapshot(tf, version)
    snapshot.find()
    snapshot.write_public()
    snapshot.write_sources()
    with open(path, "w", encoding="ascii") as f:
        f.write(version + "\n" + snapshot.text())
    sys.stdout.flush()
    os._exit(0)  # threads that modules have started


def without_keras(lines):
    """The lines of the blocks that do not come from the package keras, whose version is its own."""
    out, keep = [], True
    for line in lines[1:]:
        if not line.startswith(" "):
            keep = not line.startswith(OF_KERAS) and ".keras" not in line
        if keep and not any(name + "." in line or name + " " in line for name in OF_KERAS):
            out.append(line)
    return out


def is_made_by_init(value):
    """Does a class say its parameters in an __init__ that is nearer than its __new__? Patch releases of
    Python 3.11 differ in which of the two inspect.signature asks."""
    if not isinstance(value, type) or type(value).__call__ is not type.__call__ or \
            sys.version_info < (3, 11) or "__signature__" in vars(value):
        return False
    makers = [name for base in value.__mro__ for name in ("__new__", "__init__")
              if isinstance(vars(base).get(name), (staticmethod, types.FunctionType))]
    return makers[:1] == ["__init__"] and "__new__" in makers


def of_any_machine(line):
    """A list of what has no name, as of folders: how many there are depends on the machine."""
    return re.sub(r"\[\.\.\.(, \.\.\.)*\]", "[...]", line)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "snapshot.txt")
        with open(os.path.join(folder, "log"), "w+") as log:
            status = subprocess.call([options.python, os.path.abspath(__file__), "--inside", path],
                                     stdout=log, stderr=log, cwd=folder,
                                     env=dict(os.environ, PYTHONHASHSEED="0"))
            if status or not os.path.exists(path):
                log.seek(0)
                sys.exit("api_snapshot: %s could not be read:\n%s" % (options.python, log.read()[-4000:]))
        with open(path, encoding="ascii") as f:
            version, new = f.read().split("\n", 1)
    if version not in VERSIONS:
        sys.exit("api_snapshot: TensorFlow %s is none of %s" % (version, ", ".join(VERSIONS)))
    target = os.path.join(FOLDER, version + ".txt")
    if options.check:
        with open(target, encoding="ascii") as f:
            old = f.read()
        old_lines, new_lines = old.splitlines(True), new.splitlines(True)
        if old_lines[0] != new_lines[0]:
            print("not compared: %s; here is another Keras:\n%s%s" % (
                ", ".join(OF_KERAS), old_lines[0], new_lines[0]))
            old_lines, new_lines = without_keras(old_lines), without_keras(new_lines)
        old_lines = [of_any_machine(line) for line in old_lines]
        new_lines = [of_any_machine(line) for line in new_lines]
        if old_lines != new_lines:
            sys.stdout.writelines(list(difflib.unified_diff(old_lines, new_lines, target, "real", n=0))[:200])
            sys.exit(1)
        return
    with open(target, "w", encoding="ascii") as f:
        f.write(new)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        main()
