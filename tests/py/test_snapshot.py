"""The snapshots of TensorFlow's API, read: blocks, aliases, signatures, versions."""
import pytest

from shapeflow.api import names, snapshot


@pytest.mark.parametrize("version", snapshot.VERSIONS)
def test_headers_are_sorted_and_found(version):
    lists = snapshot.of(version)
    headers = list(lists.headers())
    assert headers == sorted(headers) and len(headers) > 700
    for header in headers:
        assert lists.block(header).header == header
    for missing in ("", "a", "tf.", "tf.nope", "tfa", "tensorflow.python.nope", "zzz"):
        assert lists.block(missing) is None


@pytest.mark.parametrize("version", snapshot.VERSIONS)
def test_every_alias_leads_to_what_it_names(version):
    lists = snapshot.of(version)
    for header in list(lists.headers())[::7]:
        for name in lists.block(header).lines:
            assert lists.entry(header + "." + name) is not None, (header, name)


def test_signatures_are_python():
    seen = 0
    for name, entry in snapshot.of((2, 21)).public_names():
        if entry.kind in "cf" and entry.signature and seen < 2000:
            compile("def f%s: pass" % entry.signature, name, "exec")
            seen += 1
    assert seen == 2000


def test_what_an_entry_says():
    last = snapshot.of((2, 21))
    matmul = last.entry("tf.linalg.matmul")
    assert (matmul.dotted, matmul.kind, matmul.home) == ("tf.matmul", "f", "tensorflow.python.ops.math_ops")
    assert matmul.signature.startswith("(a, b, transpose_a=False")
    assert last.entry("tf.errors.InvalidArgumentError").bases == ["tf.errors.OpError"]
    assert last.entry("tf.errors.OpError").bases == ["Exception"]
    assert last.entry("tf.VariableSynchronization.AUTO").rest == "0"
    assert last.entry("tensorflow.python.ops.array_ops.gen_array_ops").dotted == (
        "tensorflow.python.ops.gen_array_ops")
    assert last.entry("tensorflow.python.framework.ops.Graph").dotted == "tf.Graph"
    assert last.entry("tensorflow.python.ops.math_ops.np") is None
    assert last.entry("tf.no_such_name") is None


def test_quotes_and_brackets_in_defaults():
    entry = snapshot.Entry("tf.f", "f", "(a=')', b=(1, 2), c='\\'(') : tf.Base @tensorflow.python.x")
    assert entry.signature == "(a=')', b=(1, 2), c='\\'(')"
    assert (entry.bases, entry.home) == (["tf.Base"], "tensorflow.python.x")


@pytest.mark.parametrize("dotted, api, have", [
    ("tf.sub", 1, ["0.12"]), ("tf.subtract", 1, ["0.12", "1.4", "1.8", "1.15", "2.4", "2.21"]),
    ("tf.math.subtract", 2, ["2.4", "2.21"]),
    ("tf.contrib.layers.convolution2d", 1, ["0.12", "1.4", "1.8", "1.15"]),
    ("tf.contrib.seq2seq.BasicDecoder", 1, ["1.4", "1.8", "1.15"]),
    ("tf.placeholder", 1, ["0.12", "1.4", "1.8", "1.15", "2.4", "2.21"]), ("tf.placeholder", 2, []),
    ("tf.estimator.Estimator", 1, ["1.4", "1.8", "1.15", "2.4"]),
])
def test_versions_of_a_name(dotted, api, have):
    asked = {"0.12": (0, 12), "1.4": (1, 4), "1.8": (1, 8), "1.15": (1, 15), "2.4": (2, 4), "2.21": (2, 21)}
    found = [text for text, version in asked.items()
             if names.in_version(dotted, 1 if version < (2, 0) else api, version) is not None]
    if api == 2:
        found = [text for text in found if text.startswith("2")]
    assert found == have


def test_names_below(tf2):
    assert "matmul" in names.below("tf", 2) and "contrib" not in names.below("tf", 2)
    assert {"relu", "conv2d"} <= set(names.below("tf.nn", 2))
