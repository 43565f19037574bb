"""Our answer against TensorFlow's, one raw case at a time.

Verdicts: agree; precise (we know more, and execution or TensorFlow does not contradict it); less (TensorFlow
knows more); wrong (what we say is not so); false (an error of ours only); missed (an error of TensorFlow's
only); words (the same error, other words: counted by itself). None: TensorFlow gives no verdict.
"""
import re

FAILS = ("wrong", "false", "less", "missed")
VERDICTS = ("agree", "precise", "less", "wrong", "false", "missed", "words")


def fits(known, concrete):
    """Is every concrete output among those that `known` allows?"""
    if len(known) != len(concrete):
        return False
    return all(a[0] == b[0] and _fits(a[1], b[1]) for a, b in zip(known, concrete))


def _fits(a, b):
    return a is None or b is None or (
        len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b)))


def _at_least(a, b):
    """Does shape `a` say all that `b` says?"""
    return b is None or (a is not None and len(a) == len(b) and
                         all(y is None or x == y for x, y in zip(a, b)))


def plain(message):
    """The words of a message without what names the node, or the tail of the call."""
    message = re.sub(r"\{\{function_node [^}]*\}\} ?", "", message)
    message = re.sub(r"\{\{node ([^}]*)\}\} = \w+\[.*?\]\(.*?\)'", r"'", message)
    message = re.sub(r" ?\[Op:\w+\]( name: ?.*)?$", "", message)
    return message.strip()


def _strange(graph, eager):
    """Is the eager answer no answer: of other dtypes than the op's (Switch's dead output), or from a stub
    of a kernel, whose outputs are all empty vectors (quantised convolutions without oneDNN)?"""
    if not graph or "outputs" not in graph or "outputs" not in eager:
        return False
    return [x[0] for x in graph["outputs"]] != [x[0] for x in eager["outputs"]] or (
        all(x[1] == [0] for x in eager["outputs"]) and not fits(graph["outputs"], eager["outputs"]))


def _errors(ours, theirs):
    if ours["error"] != theirs["error"]:
        return "wrong", "%s instead of %s" % (ours["error"], theirs["error"])
    if plain(ours["message"]) != plain(theirs["message"]):
        return "words", ""
    return "agree", ""


def judge_graph(ours, theirs, truth, concrete, run_needed=False):
    """(verdict, why) of graph construction. `truth`: the eager answer of the concrete case behind this one,
    or None; `concrete`: is this one that case, so that all is known of it?"""
    if theirs is None or "skip" in theirs or "skip" in ours:
        return None, (ours.get("skip") or "") if theirs and "skip" not in theirs else ""
    if truth is not None and ("skip" in truth or truth.get("content") or _strange(theirs, truth)):
        truth = None
    if "error" in theirs:
        if "error" in ours:
            return _errors(ours, theirs)
        return "missed", "of graph construction" + (" (we say it late)" if ours["deferred"] else "")
    if "error" in ours:
        if truth is not None and "error" in truth:
            return "false", "the kernel's, which should be deferred"
        return "false", "in graph construction"
    if ours["deferred"]:
        if truth is None or "error" in truth:
            return "agree", ""
        return "false", "deferred: " + ours["deferred"]
    if truth is not None and "error" in truth and concrete and not run_needed:
        return "missed", "of the kernel: should be deferred (%s)" % plain(truth["message"])[:160]
    a, b = ours["outputs"], theirs["outputs"]
    if truth is not None and "outputs" in truth and len(truth["outputs"]) == len(a):
        if not fits(a, truth["outputs"]):
            return "wrong", "the run gives %s" % _text(truth["outputs"])
        if not fits(b, truth["outputs"]):
            return "precise", "TensorFlow is refuted by the run"
    elif not fits(a, b):
        return "wrong", "not TensorFlow's"
    if [x[0] for x in a] != [x[0] for x in b]:
        return "wrong", "dtypes"
    if not all(_at_least(x[1], y[1]) for x, y in zip(a, b)):
        return "less", ""
    return "agree" if a == b else "precise", ""


def judge_eager(ours, theirs, graph):
    """(verdict, why) of an eager call; `graph`: what TensorFlow says of the same in construction."""
    if theirs is None or "skip" in theirs or "skip" in ours:
        return None, (ours.get("skip") or "") if theirs and "skip" not in theirs else ""
    if _strange(graph, theirs):
        return None, ""
    if "error" in theirs:
        if "error" in ours:
            verdict = _errors(ours, theirs)
            return (None, "") if theirs.get("content") and verdict[0] == "wrong" else verdict
        return (None, "") if theirs.get("content") else ("missed", "in eager mode")
    if "error" in ours:
        return "false", "in eager mode"
    if not fits(ours["outputs"], theirs["outputs"]):
        return "wrong", "in eager mode"
    if graph and "outputs" in graph and fits(graph["outputs"], theirs["outputs"]) and not all(
            _at_least(x[1], y[1]) for x, y in zip(ours["outputs"], graph["outputs"])):
        return "less", "in eager mode"
    return "agree", ""


def _text(outputs):
    return " ".join("%s%s" % (t, "?" if s is None else str(s).replace("None", "?")) for t, s in outputs)


def text_of(answer):
    """One line for people."""
    if answer is None:
        return "-"
    if "skip" in answer:
        return "no verdict: " + answer["skip"]
    if "error" in answer:
        return "%s%s: %s" % (answer["error"], " (of this content)" if answer.get("content") else "",
                             answer["message"].replace("\n", " | ")[:600])
    return (_text(answer["outputs"]) or "no outputs") + (
        "   deferred: " + answer["deferred"] if answer.get("deferred") else "")
