"""Real TensorFlow 2 as the judge: signatures of our rows, and shapes and errors of random calls.

Needs $SHAPEFLOW_ORACLE, a Python that has TensorFlow (tests/run.sh sets it); skipped without it.
$SHAPEFLOW_ORACLE_CASES: how many random calls (default 1500); $SHAPEFLOW_ORACLE_SEED: which.
"""
import json
import os
import subprocess
from pathlib import Path

import pytest
from cases import pairs
from differences import CALLS, EAGER_CALLS, SIGNATURES
from evaluate import evaluate, evaluate_eagerly, signature
from raw_judge import fits, plain

import shapeflow
from shapeflow import _core
from shapeflow.api import registry
from shapeflow.tensorflow.compat import version_detection

PYTHON = os.environ.get("SHAPEFLOW_ORACLE", "")
CASES = int(os.environ.get("SHAPEFLOW_ORACLE_CASES") or 1500)
SEED = int(os.environ.get("SHAPEFLOW_ORACLE_SEED") or 20)

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")


class Oracle:
    def __init__(self):
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [PYTHON, str(Path(__file__).with_name("tf_server.py"))], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.version = self._read()["version"]

    def ask(self, **request):
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return self._read()

    def _read(self):
        line = self._process.stdout.readline()
        assert line, "the TensorFlow process ended with status %s" % self._process.wait()
        return json.loads(line)

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)


@pytest.fixture(scope="module")
def oracle():
    server = Oracle()
    yield server
    server.close()


@pytest.fixture
def ours(oracle):
    """Our tf.compat.v1 in graph mode, as the version of the oracle."""
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate(oracle.version, "graph")
    yield shapeflow.compat.v1
    _core.clear_findings()
    version_detection.activate(*before)


# --- signatures ---------------------------------------------------------------------------------
def _ours_by_name(version):
    """{name: (signature, is it a row of the C tables?)} of all functions that we have."""
    found = {}
    for name in sorted(set(_core.api_names(version)) | set(registry._index(version))):
        value = registry.find(name, version)
        is_row = value is registry.MISSING
        if is_row:
            value = _core.api_function(name, version)
        if name.startswith("tf.") and callable(value) and not isinstance(value, type):
            found[name] = signature(value), is_row
    return found


def _same_default(ours, theirs):
    return ours == theirs or ours.strip("'") == theirs[3:] or theirs.isidentifier()  # an enum's member


def _accepts(ours, theirs):
    """Can ours be called in every way that theirs can? `*args, **kwargs` of ours take anything."""
    kinds = [kind for _, kind, _ in ours]
    rest = "VAR_POSITIONAL" in kinds and "VAR_KEYWORD" in kinds
    names = {name: default for name, _, default in ours}
    places = [name for name, kind, _ in ours if kind == "POSITIONAL_OR_KEYWORD"]
    given = set()
    for place, (name, kind, default) in enumerate(theirs):
        if kind.startswith("VAR_"):
            if kind not in kinds:
                return False
        elif name not in names:
            if not rest and not ("VAR_KEYWORD" in kinds and kind == "KEYWORD_ONLY"):
                return False
        else:
            given.add(name)
            if kind == "POSITIONAL_OR_KEYWORD" and not rest and places[place:place + 1] != [name]:
                return False
            if default != "-" and not _same_default(names[name], default):
                return False
    return all(name in given or default != "-" or kind.startswith("VAR_")
               for name, kind, default in ours)


@pytest.mark.parametrize("version", [1, 2])
def test_signatures(oracle, ours, version):
    """Rows of the C tables are TensorFlow's to the letter; Python functions accept its calls."""
    mine = _ours_by_name(version)
    theirs = oracle.ask(signatures=sorted(mine), version=version)
    assert sum(found not in ("missing", None) for found in theirs.values()) > 400
    allowed = {**SIGNATURES[0], **SIGNATURES[version]}
    wrong, needless = [], set(SIGNATURES[version])
    for name, found in theirs.items():
        own, is_row = mine[name]
        if found in ("missing", None) or own == found:
            continue
        if own is not None and not is_row and _accepts(own, found):
            continue
        if name in allowed:
            needless.discard(name)
            continue
        wrong.append("%s\n   ours   %s\n   theirs %s" % (name, _text(own), _text(found)))
    wrong += ["%s\n   is listed as different and is not" % name for name in sorted(needless)]
    if wrong:
        pytest.fail("%d of %d\n" % (len(wrong), len(mine)) + "\n".join(wrong), pytrace=False)


def _text(parameters):
    if parameters is None:
        return "none"
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**", "KEYWORD_ONLY": "(kw) "}
    return ", ".join(stars.get(kind, "") + name + ("" if default == "-" else "=" + default)
                     for name, kind, default in parameters)


# --- random calls -------------------------------------------------------------------------------
def _refines(ours, theirs):
    """Is every output of ours at least as precise as, and nowhere against, theirs?"""
    if len(ours) != len(theirs):
        return False
    for (our_type, our_dims), (their_type, their_dims) in zip(ours, theirs):
        if our_type != their_type:
            return False
        if our_type == "python":
            if our_dims != their_dims:
                return False
        elif their_dims is not None:
            if our_dims is None or len(our_dims) != len(their_dims):
                return False
            if any(t is not None and o != t for o, t in zip(our_dims, their_dims)):
                return False
    return True


def _agree(theirs, ours):
    """Is there a shape that fits both, for every output?"""
    def fit(a, b):
        return a is None or b is None or a == b

    return len(theirs) == len(ours) and all(
        a[0] == b[0] and (a == b or a[1] is None or b[1] is None or (
            len(a[1]) == len(b[1]) and all(map(fit, a[1], b[1]))))
        for a, b in zip(theirs, ours))


def _judge(whole, hidden):
    """What is wrong with our two answers, given TensorFlow's two; None: nothing."""
    for what, (ours, theirs) in (("whole", whole), ("hidden", hidden)):
        if ("error" in ours) != ("error" in theirs):
            # To say it earlier than TensorFlow is sound when the whole case fails there too.
            if "error" in ours and what == "hidden" and "error" in whole[1]:
                continue
            return "%s: only %s report an error" % (what, "we" if "error" in ours else "they")
        if "error" in ours:
            if ours["error"] != theirs["error"]:
                return "%s: %s is not %s" % (what, ours["error"], theirs["error"])
        elif not _refines(ours["outputs"], theirs["outputs"]):
            return "%s: less precise, or different" % what
    # What we know more of the hidden case must hold of the whole one.
    if "outputs" in hidden[0] and "outputs" in whole[1] and hidden[0] != hidden[1]:
        if not _agree(whole[1]["outputs"], hidden[0]["outputs"]):
            return "hidden: unsound"
    return None


def _is_known(text, verdict, theirs):
    said = " ".join(answer.get("message", "") for answer in theirs)
    return any(call in text and what in verdict and words in said for call, what, words in CALLS)


def test_random_calls(oracle, ours):
    drawn = list(pairs(SEED, (CASES + 1) // 2))
    flat = [case for pair in drawn for case in pair]
    theirs = []
    for at in range(0, len(flat), 500):
        theirs += oracle.ask(evaluate=flat[at:at + 500])
    failures = []
    for number, (whole, hidden) in enumerate(drawn):
        mine = evaluate(ours, whole), evaluate(ours, hidden)
        found = _judge((mine[0], theirs[2 * number]), (mine[1], theirs[2 * number + 1]))
        if found and not _is_known(whole["text"], found, theirs[2 * number:2 * number + 2]):
            failures.append("%s\n   %s\n   whole  %s\n     ours   %s\n     theirs %s\n   hidden %s\n"
                            "     ours   %s\n     theirs %s" % (
                                found, whole["text"], whole["inputs"], mine[0], theirs[2 * number],
                                hidden["inputs"], mine[1], theirs[2 * number + 1]))
    if failures:
        pytest.fail("%d of %d (seed %d)\n%s" % (len(failures), len(drawn), SEED, "\n".join(failures)),
                    pytrace=False)


# --- the same eagerly ---------------------------------------------------------------------------
LEFT = 0.006  # of the calls; the goal is 0
WORDS = 0.15  # of the errors may be worded otherwise


def _judge_eagerly(ours, theirs):
    if "error" in theirs:
        if theirs["content"] and "error" not in ours:
            return None
        if "error" not in ours:
            return "only they report an error"
        if ours["error"] != theirs["error"]:
            return None if theirs["content"] else "%s is not %s" % (ours["error"], theirs["error"])
        return "words" if plain(ours["message"]) != plain(theirs["message"]) else None
    if "error" in ours:
        return "only we report an error"
    return None if fits(ours["outputs"], theirs["outputs"]) else "wrong shapes"


def test_random_calls_eagerly(oracle, ours):
    drawn = [case for case, _ in pairs(SEED, (CASES + 1) // 2) if case["eager"]]
    theirs = []
    for at in range(0, len(drawn), 500):
        theirs += oracle.ask(eager=drawn[at:at + 500])
    version_detection.activate(oracle.version, "eager")
    failures, words, errors = [], [], 0
    for case, their in zip(drawn, theirs):
        mine = evaluate_eagerly(shapeflow.compat.v1, case, lambda t, s, _: _core.eager_tensor(t, s))
        found = _judge_eagerly(mine, their)
        errors += "error" in their
        said = their.get("message", "") + mine.get("message", "")
        if found and not any(call in case["text"] and what in found and words in said
                             for call, what, words in EAGER_CALLS):
            (words if found == "words" else failures).append(
                "%s\n   %s\n   %s\n     ours   %s\n     theirs %s" % (
                    found, case["text"], case["inputs"], mine, their))
    if len(failures) > LEFT * len(drawn) or len(words) > WORDS * errors:
        pytest.fail("%d, and %d in words, of %d (%d errors, seed %d)\n%s" % (
            len(failures), len(words), len(drawn), errors, SEED, "\n".join(failures + words)), pytrace=False)
