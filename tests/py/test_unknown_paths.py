"""Paths, rows and folders of which a program knows nothing, in the hands of Python and numpy."""
import pytest

from command import report_of, write

HEAD = "import os\nimport numpy as np\nimport tensorflow as tf\n" \
       "import not_there\nu = not_there.args['path']\n"
TAIL = "\ntf.matmul(tf.zeros([2, 3]), tf.zeros([3, 2]))\n"
RIGHT = {
    "a file that is read": "text = open(u).read()\nwith open(u, encoding='utf-8') as f:\n    f.readlines()\n"
                           "os.fstat(1)\n",
    "a file that is written": "with open(u, 'w') as f:\n    f.write('a')\nprint('still there')\n",
    "a folder": "if not os.path.isdir(u):\n    os.makedirs(u)\nfor name in os.listdir(u):\n"
                "    open(os.path.join(u, name)).read()\nopen(os.path.join(u, 'log.txt'), 'w').write('a')\n",
    "a folder that is scanned": "os.path.exists(u)\nassert len(list(os.scandir('no_such/images'))) >= 1\n",
    "a file that exists": "assert os.path.exists(u) and os.path.isfile(u)\n",
    "folders in a folder": "import pathlib\nroot = pathlib.Path('speech')\n"
                           "names = np.array([d.name for d in root.iterdir() if d.is_dir()])\n"
                           "assert os.path.isdir(str(root / names[0]))\n"
                           "assert len(tf.io.gfile.listdir(str(root / names[0])))\nx = '*.wav'\n",
    "many files": "files = sorted(os.listdir('data/images'))\nassert len(files[:-40]) >= 64\n"
                  "masks = [f for f in os.listdir('some/where') if f.endswith('.png')]\n"
                  "assert len(masks) >= 64\n"
                  "assert len(os.listdir('data/train')) < 10\n",
    "rows of folds": "from not_there_either import KFold\nx = np.zeros([50, 4], np.float32)\n"
                     "for train, val in KFold(5).split(x):\n"
                     "    tf.matmul(x[train], tf.zeros([4, 2]))\n    out = np.zeros([50, 2])\n"
                     "    out[val] = np.ones([len(val), 2])\n",
    "rows by name": "x = np.zeros([50, 4], np.float32)\ntf.matmul(x[not_there.rows], tf.zeros([4, 2]))\n"
                    "y = np.zeros([50])\ny[not_there.rows] = np.zeros([7])\n",
    "folders that are samples": "ids = next(os.walk('train'))[1]\nassert len(ids) > 16\n"
                                "assert all(next(os.walk('train/' + i + '/masks'))[2] for i in ids)\n"
                                "assert sum(1 for _ in os.walk('other')) == 2\n",
    "messages of a generated module": "from google.protobuf import text_format\n"
                                      "from not_there import model_pb2\n"
                                      "m = model_pb2.Model()\ntext_format.Merge('a: 1', m)\n"
                                      "assert isinstance(text_format.MessageToString(m), str)\n",
    "an item of a list": "assert [tf.zeros([3]), 2][not_there.number].shape == (3,)\n",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(tmp_path, name):
    write(tmp_path, train=HEAD + RIGHT[name] + TAIL)
    report, done = report_of(tmp_path, "--tf-version", "2.21.0")
    assert done.returncode == 0, done.stdout
    codes = {f["code"] for f in report["findings"]}
    assert not codes & {"SF401", "SF101"}, report["findings"]
    assert "SF908" not in codes or name == "rows by name", report["findings"]


def test_known_rows_are_compared(tmp_path):
    write(tmp_path, train=HEAD + """
from not_there_either import KFold
x = np.zeros([50, 4], np.float32)
for train, val in KFold(5).split(x):
    tf.matmul(x[train], tf.zeros([5, 2]))
""")
    report, done = report_of(tmp_path, "--tf-version", "2.21.0")
    assert done.returncode == 1
    assert {f["code"] for f in report["findings"] if f["severity"] == "error"} == {"SF114"}
