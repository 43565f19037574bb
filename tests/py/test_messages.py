"""Protocol buffer messages: ConfigProto, Example, Summary..., with google.protobuf and without it."""
import importlib.util
import json
import pickle
import subprocess
import sys

import pytest

from shapeflow.api import modules
from shapeflow.tensorflow.compat import protobuf

PROGRAM = """
import tensorflow as tf
from google.protobuf import json_format, message, text_format

config = tf.ConfigProto(allow_soft_placement=True)
text_format.Merge("gpu_options { allow_growth: true } # as text", config)
assert config.gpu_options.allow_growth and "allow_growth: true" in text_format.MessageToString(config)
assert json_format.MessageToDict(config)["gpuOptions"] == {"allowGrowth": True}
assert json_format.Parse('{"allowSoftPlacement": true}', tf.ConfigProto()).allow_soft_placement
try:
    text_format.Parse("gpu_option { }", tf.ConfigProto())
except text_format.ParseError as error:
    print(error)
try:
    tf.train.Example.FromString(b"\\xff\\xff")
except message.DecodeError as error:
    print(type(error).__name__)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
"""


def ours(name):
    spec = protobuf.MAKERS[name](name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checked(tmp_path, *before):
    (tmp_path / "train.py").write_text(PROGRAM)
    code = "import sys\n%s\nfrom shapeflow.cli import main\nsys.exit(main(sys.argv[1:]))" % "\n".join(before)
    return subprocess.run([sys.executable, "-c", code, "check", "--no-sandbox", "--show-output", "--no-cache",
                           "--format", "concise", str(tmp_path / "train.py")], capture_output=True, text=True)


# --- fields ---------------------------------------------------------------------------------------
def test_fields_are_those_of_tensorflow(tf):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True), device_count={"GPU": 2})
    config.gpu_options.per_process_gpu_memory_fraction = 0.3
    config.device_filters.append("/job:ps")
    assert config.experimental.executor_type == "" and not config.HasField("experimental")  # only looked at
    assert config.HasField("gpu_options") and config.device_count["GPU"] == 2
    set_fields = [field.name for field, _ in config.ListFields()]
    assert set_fields == ["device_count", "device_filters", "gpu_options"]
    assert str(config) == ('device_count {\n  key: "GPU"\n  value: 2\n}\ndevice_filters: "/job:ps"\n'
                           'gpu_options {\n'
                           '  per_process_gpu_memory_fraction: 0.3\n  allow_growth: true\n}\n')
    same = tf.ConfigProto.FromString(config.SerializeToString())
    assert same == config and pickle.loads(pickle.dumps(config)) == config
    same.ClearField("gpu_options")
    assert same != config and not same.gpu_options.allow_growth


def test_enums_and_declared_messages(tf):
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    assert options.trace_level == 3 and tf.RunOptions.TraceLevel.Name(3) == "FULL_TRACE"
    assert str(options) == "trace_level: FULL_TRACE\n" and tf.OptimizerOptions.ON_1 == 1
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    assert config.graph_options.optimizer_options.global_jit_level == 1
    assert tf.Summary.Value(tag="loss").tag == "loss"
    step_stats_pb2, types_pb2 = (modules.resolve_module("tensorflow.core.framework.%s_pb2" % name)
                                 for name in ("step_stats", "types"))
    assert types_pb2.DataType.Name(types_pb2.DT_FLOAT) == "DT_FLOAT"
    assert step_stats_pb2.StepStats().dev_stats.add(device="/cpu:0").device == "/cpu:0"


@pytest.mark.parametrize("wrong, error, said", [
    (lambda tf: tf.ConfigProto(alow_growth=True), ValueError,
     'Protocol message ConfigProto has no "alow_growth" field.'),
    (lambda tf: setattr(tf.ConfigProto(), "alow", 1), AttributeError,
     "'ConfigProto' object has no attribute 'alow'"),
    (lambda tf: tf.ConfigProto().alow, AttributeError, "alow"),
    (lambda tf: setattr(tf.ConfigProto(), "gpu_options", tf.GPUOptions()), AttributeError,
     'Assignment not allowed to field "gpu_options" in protocol message object.'),
    (lambda tf: tf.ConfigProto(gpu_options=1), TypeError,
     "Parameter to MergeFrom() must be instance of same class: "
     "expected tensorflow.GPUOptions got int."),
    (lambda tf: tf.train.Int64List(value=[1.5]), TypeError, "1.5 has type float, but expected one of: int"),
    (lambda tf: tf.train.Int64List(value=[1 << 70]), ValueError, "Value out of range: %d" % (1 << 70)),
    (lambda tf: tf.train.Int64List(value=3), TypeError, "Value must be iterable"),
    (lambda tf: tf.train.BytesList(value=["text"]), TypeError,
     "'text' has type str, but expected one of: bytes"),
    (lambda tf: tf.train.Feature(int64_list=tf.train.BytesList()), TypeError,
     "Parameter to MergeFrom() must be "
     "instance of same class: expected tensorflow.Int64List got tensorflow.BytesList."),
    (lambda tf: tf.train.Example.FromString(b"\xff\xff"), Exception,
     "Error parsing message with type 'tensorflow.Example'"),
])
def test_what_does_not_fit_is_refused_in_protobuf_s_words(tf, wrong, error, said):
    with pytest.raises(error) as found:
        wrong(tf)
    assert str(found.value) == said


def test_records_there_and_back(tf):
    train = tf.train
    features = {"size": train.Feature(int64_list=train.Int64List(value=[28, -1])),
                "name": train.Feature(bytes_list=train.BytesList(value=[b"\x00\xff'"])),
                "mean": train.Feature(float_list=train.FloatList(value=[0.5, 1e20]))}
    example = train.Example(features=train.Features(feature=features))
    same = train.Example.FromString(example.SerializeToString())
    assert same == example and same.features.feature["size"].WhichOneof("kind") == "int64_list"
    assert list(same.features.feature["size"].int64_list.value) == [28, -1]
    assert "other" not in same.features.feature and same.features.feature["other"].WhichOneof("kind") is None
    steps = train.FeatureLists(feature_list={"steps": train.FeatureList(feature=[features["size"]])})
    sequence = train.SequenceExample(feature_lists=steps)
    again = train.SequenceExample.FromString(sequence.SerializeToString())
    assert list(again.feature_lists.feature_list["steps"].feature[0].int64_list.value) == [28, -1]


def test_one_of_several_fields_excludes_the_others(tf):
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
    feature.bytes_list.value.append(b"x")
    value = tf.AttrValue(i=3)
    value.f = 0.5
    assert value.WhichOneof("value") == "f" and not value.HasField("i")


def test_what_is_unknown_fits_everywhere(tf):
    import shapeflow.api.unmodelled as unmodelled

    unknown = unmodelled.unmodelled_function("tf.no.such")()
    made = tf.train.Example(features=tf.train.Features(feature={
        "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[unknown, 2])),
        "b": tf.train.Feature(bytes_list=tf.train.BytesList(value=[unknown])),
        "c": tf.train.Feature(float_list=tf.train.FloatList(value=[unknown]))}))
    assert len(made.SerializeToString()) > 10


def test_a_graph_s_meta_graph(tf):
    tf.placeholder(tf.float32, [None, 3], name="x")
    meta = tf.train.export_meta_graph()
    assert [node.op for node in meta.graph_def.node] == ["Placeholder"]
    shape = meta.graph_def.node[0].attr["shape"].shape
    assert [dim.size for dim in shape.dim] == [-1, 3]
    assert tf.MetaGraphDef.FromString(meta.SerializeToString()) == meta


def test_a_cluster_s_definition(tf):
    cluster = tf.train.ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]})
    definition = cluster.as_cluster_def()
    assert definition.job[1].tasks[1] == "c:1"
    assert tf.train.ClusterSpec(definition).as_dict() == cluster.as_dict()
    server = tf.train.Server(cluster, job_name="worker", task_index=1)
    assert server.server_def.task_index == 1 and server.server_def.cluster == definition


# --- google.protobuf --------------------------------------------------------------------------------
def test_text_and_json_where_the_package_is_missing(tf):
    text_format, json_format = ours("google.protobuf.text_format"), ours("google.protobuf.json_format")
    example = text_format.Parse(
        'features { feature { key: "a" value { int64_list { value: [1, 2] value: 3 } } } }  # three\n'
        "features < feature: { key: 'b' value { bytes_list { value: '\\001' \"\\x41\" } } } >",
        tf.train.Example())
    assert list(example.features.feature["a"].int64_list.value) == [1, 2, 3]
    assert example.features.feature["b"].bytes_list.value == [b"\x01A"]
    assert text_format.Parse(text_format.MessageToString(example), tf.train.Example()) == example
    assert json_format.Parse(json_format.MessageToJson(example), tf.train.Example()) == example
    assert json.loads(json_format.MessageToJson(example))["features"]["feature"]["a"] == {
        "int64List": {"value": ["1", "2", "3"]}}
    for text, said in (("foo: 1", '1:1 : Message type "tensorflow.ConfigProto" has no field named "foo".'),
                       ("gpu_options { allow_growth: 7x }", "1:29 : 'gpu_options { allow_growth: 7x }': "
                        'Expected "true" or "false".')):
        with pytest.raises(text_format.ParseError) as found:
            text_format.Merge(text, tf.ConfigProto())
        assert str(found.value) == said
    with pytest.raises(json_format.ParseError):
        json_format.Parse('{"foo": 1}', tf.ConfigProto())


@pytest.mark.parametrize("hidden", [False, True])
def test_a_program_that_uses_google_protobuf(tmp_path, hidden):
    if not hidden:
        pytest.importorskip("google.protobuf")
    hide = """
import importlib.machinery
find = importlib.machinery.PathFinder.find_spec
class Finder(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == "google" else find(name, path, target)
theirs = importlib.machinery.PathFinder
sys.meta_path[:] = [Finder if finder is theirs else finder for finder in sys.meta_path]
"""
    done = checked(tmp_path, hide if hidden else "")
    assert 'has no field named "gpu_option".' in done.stdout and "DecodeError" in done.stdout, done.stderr
    assert "SF101" in done.stdout and "SF904" not in done.stdout


def test_the_defaults_of_a_signature(tf2):
    """As TensorFlow 2.21: of eager tensors and constants, nothing else."""
    build = tf2.compat.v1.saved_model.build_signature_def
    made = build(method_name="m", defaults={"a": tf2.constant([1.0, 2.0])})
    assert made.method_name == "m" and list(made.defaults) == ["a"]
    assert tf2.make_ndarray(made.defaults["a"]).tolist() == [1.0, 2.0]
    with tf2.Graph().as_default():
        constant = tf2.constant([3, 4])
        assert tf2.make_ndarray(build(defaults={"c": constant}).defaults["c"]).tolist() == [3, 4]
        with pytest.raises(ValueError, match="Unable to convert object"):
            build(defaults={"c": constant + 1})


def test_entries_of_maps_and_extensions(version):
    version("2.21.0", "eager")
    from shapeflow.tensorflow.python.framework.message import message_class

    NodeDef = message_class("NodeDef")
    entry = NodeDef.AttrEntry(key="a")
    assert entry.key == "a" and NodeDef.AttrEntry.__name__ == "AttrEntry"
    entry.value.i = 3
    assert NodeDef.AttrEntry.FromString(entry.SerializeToString()).value.i == 3
    assert message_class("GraphDebugInfo").FramesByIdEntry(key=3).key == 3
    node = NodeDef(name="n")
    for refused in (lambda: node.HasExtension(1), lambda: node.ClearExtension(1)):
        with pytest.raises(KeyError, match="Object 1 is not a field descriptor"):
            refused()
    with pytest.raises(AttributeError):
        node.Extensions
    with pytest.raises(NotImplementedError):
        node.UnknownFields()
    with pytest.raises(AttributeError):
        NodeDef.name
    version("1.15.0")
    assert isinstance(NodeDef.name, property) and NodeDef.name.fget(node) == "n" and node.name == "n"
    assert node.UnknownFields() == []
