"""The examples in the docstrings of TensorFlow and Keras, on our TensorFlow: what differs from the real one.

    python tests/tools/docstrings.py PYTHON [--list] [--record FILE] [PACKAGE/FOLDER ...]

PYTHON has the real packages; PACKAGE/FOLDER is a part of what is installed there, `tensorflow/python/ops`
and `keras/src/layers` among them; all of `tensorflow` and `keras/src` without. The lines after `>>>` of one
docstring are run one after the other in a namespace of their own, a block of ```python as a whole, once by
PYTHON and once by this Python with our TensorFlow. What the real one does not run itself is left out. Of
what it prints only shapes, dtypes, names of classes, whole numbers and words are compared: numbers with a
point are not computed here. --record keeps what the real one printed in FILE and takes it from there the next
time.
"""
import argparse
import ast
import collections
import contextlib
import doctest
import importlib
import io
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import textwrap

PACKAGES = ("tensorflow", "keras/src")
SECONDS = 20  # of one docstring
PORTION = 40  # files of one process
BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


# --- in the process that runs the examples ------------------------------------------------------------------
def examples_of(docstring):
    """Lists of sources that share a namespace: the `>>>` lines of a docstring, then each block."""
    try:
        lines = [example.source for example in doctest.DocTestParser().get_examples(docstring)]
    except ValueError:  # its lines are not what doctest reads
        lines = []
    found = [lines] if lines else []
    return found + [[textwrap.dedent(body)] for _, body in BLOCK.findall(docstring) if ">>>" not in body]


def docstrings_of(path):
    """(dotted name, docstring) of each class and function of a file, and of the module itself."""
    def walk(node, name):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)):
                yield from walk(child, [*name, child.name])
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module)) and ast.get_docstring(node):
            yield ".".join(name), ast.get_docstring(node)

    yield from walk(ast.parse(path.read_text(encoding="utf-8", errors="replace")), [])


def run_one(sources):
    """[kind, text] of each source: "ok" and what it printed, or "raised" and the error."""
    import numpy as np
    import tensorflow as tf

    namespace = {"tf": tf, "np": np, "os": os, "__name__": "__main__", "keras": sys.modules.get("keras")}
    said = []
    for source in sources:
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(source, "<docstring>", "single" if len(sources) > 1 else mode_of(source)),
                     namespace)
            said.append(["ok", out.getvalue()])
        except (Exception, SystemExit) as error:
            said.append(["raised", f"{type(error).__name__}: {error}"[:600]])
    return said


def run_apart(sources):
    """As run_one, in a process of its own: what an example switches on is not there for the next one."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException), os.fdopen(writer, "w", encoding="utf-8") as answer:
            answer.write(json.dumps(run_one(sources)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as answer:
        ready, _, _ = select.select([answer], [], [], SECONDS)
        if not ready:
            os.kill(child, signal.SIGKILL)
        text = answer.read() if ready else ""
    os.waitpid(child, 0)
    return json.loads(text) if text else [["died" if ready else "late", ""]]


def mode_of(source):
    try:
        compile(source, "<docstring>", "single")
    except SyntaxError:
        return "exec"
    return "single"


def run_files(root, answers):
    """Reads paths from standard input; a line of JSON for each docstring, appended to `answers`."""
    for module in ("numpy", "tensorflow", "keras"):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    with open(answers, "a", encoding="utf-8") as file:
        for line in sys.stdin:
            path = line.strip()
            for name, docstring in docstrings_of(pathlib.Path(root, path)):
                for number, sources in enumerate(examples_of(docstring)):
                    where = f"{path}:{name}:{number}"
                    file.write(json.dumps([where, sources, run_apart(sources)]) + "\n")
                    file.flush()
            file.write(json.dumps([path, None, None]) + "\n")
            file.flush()


OURS = """
import sys
from shapeflow.checker import import_hook
from shapeflow.checker.patches import Scope
from shapeflow.tensorflow.compat import version_detection
version_detection.activate("2.21.0", "eager")
scope = Scope("script")
import_hook.replace_tensorflow(scope.by("checker.import_hook", "tensorflow is ShapeFlow"))
"""


# --- in the process that compares ---------------------------------------------------------------------------
def site_packages(python):
    text = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return pathlib.Path(subprocess.check_output([python, "-c", text], text=True).strip())


def files_of(root, folders):
    for folder in folders:
        top = root / folder
        for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
            text = path.read_text(encoding="utf-8", errors="replace")
            if not path.name.endswith("_test.py") and (">>>" in text or "```python" in text):
                yield str(path.relative_to(root))


def run_all(python, prelude, root, files):
    """{where: (sources, answers)}, by as many processes as it takes: one that dies loses its file."""
    found, left = {}, list(files)
    with tempfile.TemporaryDirectory() as folder:
        while left:
            answers = pathlib.Path(folder, "answers")
            answers.write_text("")
            code = (prelude + "\nimport sys\nsys.path.insert(0, {!r})\nimport docstrings\n"
                    "docstrings.run_files({!r}, {!r})").format(str(pathlib.Path(__file__).parent), str(root),
                                                              str(answers))
            environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
            listed = pathlib.Path(folder, "files")
            listed.write_text("\n".join(left[:PORTION]))
            with open(listed, encoding="utf-8") as given:
                subprocess.run([python, "-c", code], stdin=given, cwd=folder, env=environment, check=False,
                               stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            ended = set()
            for line in answers.read_text(encoding="utf-8").splitlines():
                where, sources, said = json.loads(line)
                if sources is None:
                    ended.add(where)
                else:
                    found[where] = (sources, said)
            died = [path for path in left[:PORTION] if path not in ended][:1]
            if died:
                print(f"{python} died in {died[0]}", file=sys.stderr)
            left = [path for path in left if path not in ended and path not in died]
    return found


FACTS = re.compile(r"shape=\([^)]*\)?|TensorShape\([^)]*\)|dtype=[\w.]+|<dtype: '\w+'>|tf\.\w+|"
                   r"True|False|None|[A-Za-z_]\w*|-?\d+(?![\w.])")
VALUES = re.compile(r"(numpy|value)=.*?(?=>$|>,|>\)|>\]|\Z)|array\(.*?\)\)?|0x[0-9a-f]+", re.DOTALL)


RAGGED = re.compile(r"<tf.RaggedTensor .*?>$", re.DOTALL | re.MULTILINE)  # its text is its values
LACKS = re.compile("NameError|ModuleNotFoundError|ImportError|FileNotFound|SyntaxError|NotFound|Indent")


def facts_of(text):
    """What is compared of what was printed."""
    text = RAGGED.sub("", text)
    text = "".join(line for line in text.splitlines(True) if "/step" not in line)
    return FACTS.findall(re.sub(r"-?\d+\.\d*(e[+-]?\d+)?|\d+e[+-]?\d+|b'.*?'", "", VALUES.sub("", text)))


def judge(sources, real, ours):
    """(kind, source, real's words, our words) of the first difference, None without one."""
    for source, (kind, text), (our_kind, our_text) in zip(sources, real, ours):
        if kind in ("late", "died"):
            return None
        if kind == "raised":
            if our_kind == "raised" and text.split(":")[0] == our_text.split(":")[0]:
                continue
            if LACKS.match(text):
                return None  # what follows needs what is not there
            return ("real one raises", source, text, our_text) if our_kind != "raised" else (
                "other error", source, text, our_text)
        if our_kind != "ok":
            return our_kind, source, text, our_text
        if facts_of(text) != facts_of(our_text):
            return "prints otherwise", source, text, our_text
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("python")
    parser.add_argument("folder", nargs="*", default=PACKAGES)
    parser.add_argument("--list", action="store_true", help="each difference")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE",
                        help="what the real one says is kept there")
    options = parser.parse_intermixed_args()
    root = site_packages(options.python)
    files = list(files_of(root, options.folder))
    kept = json.loads(options.record.read_text()) if options.record and options.record.exists() else {}
    missing = [path for path in files if path not in kept]
    for where, answer in run_all(options.python, "", root, missing).items():
        kept.setdefault(where.split(":")[0], {})[where] = answer
    for path in missing:
        kept.setdefault(path, {})
    if options.record:
        options.record.write_text(json.dumps(kept))
    ours = run_all(sys.executable, OURS, root, files)
    counts = collections.Counter()
    for path in files:
        for where, (sources, real) in kept[path].items():
            _, said = ours.get(where, (None, [["died", ""]]))
            difference = judge(sources, real, said)
            counts[difference[0] if difference else "same"] += 1
            if difference and options.list:
                kind, source, words, our_words = difference
                print(f"== {where}: {kind}\n{source.strip()[:400]}\n-- real\n{words.strip()[:500]}\n"
                      f"-- ours\n{our_words.strip()[:500]}\n")
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")


if __name__ == "__main__":
    main()
