"""What is certain of packages that are not installed (api/known_packages): the programs say it themselves."""
import json
import subprocess

import pytest

HEAD = "import sys\nimport numpy as np\nimport tensorflow as tf\nreal = []\n"
PROGRAMS = {
    "a bar gives what it is given": """
from tqdm import tqdm, trange
assert [x for x in tqdm([1, 2], desc="a")] == [1, 2] and list(trange(3)) == [0, 1, 2]
class Endless:
    __iter__ = lambda self: iter([4])
    def __len__(self):
        raise TypeError("nobody knows")
assert [x for x in tqdm(Endless())] == [4] and tqdm(Endless()).total is None
with tqdm(total=5) as bar:
    bar.update(2)
    bar.set_postfix(loss=1.0)
    real.append(bar.n == 2 and len(bar) == 5)
import tqdm as module
for i, x in enumerate(module.tqdm(range(2))):
    real.append(i == x)
""",
    "attributes of a dictionary": """
from easydict import EasyDict as edict
from munch import munchify
from addict import Dict
c = edict({"a": {"b": 1}, "l": [{"x": 2}]})
c.d = {"e": 3}
real += [c.a.b == 1, c["d"]["e"] == 3, c.d.e == 3, c.l[0].x == 2, dict(c)["a"] == {"b": 1}]
real.append(munchify({"q": {"r": 1}}).q.r == 1)
d = Dict()
d.x.y.z = 5
real.append(d["x"]["y"]["z"] == 5)
try:
    c.none
except AttributeError:
    real.append(True)
""",
    "scikit-learn splits": """
from sklearn.model_selection import train_test_split, KFold
from sklearn.preprocessing import StandardScaler, MinMaxScaler, LabelEncoder
x, y = np.arange(20.).reshape(10, 2), np.arange(10)
a, b, c, d = train_test_split(x, y, test_size=0.25, random_state=3)
real += [a.shape == (7, 2), b.shape == (3, 2), c.shape == (7,), d.shape == (3,)]
a, b = train_test_split([1, 2, 3, 4], train_size=1)
real += [len(a) == 1, len(b) == 3]
s = StandardScaler().fit(x)
real += [abs(s.transform(x).mean()) < 1e-9, np.allclose(s.inverse_transform(s.transform(x)), x)]
m = MinMaxScaler(feature_range=(-1, 1)).fit_transform(x)
real += [m.min() == -1, m.max() == 1]
e = LabelEncoder()
real += [list(e.fit_transform(["b", "a", "b"])) == [1, 0, 1], list(e.inverse_transform([0])) == ["a"]]
real += [[len(t) for _, t in KFold(5).split(x)] == [2] * 5]
""",
    "scikit-learn's data": """
from sklearn import datasets
from sklearn.datasets import load_digits, make_moons, make_blobs, make_regression
iris = datasets.load_iris()
real += [iris.data.shape == (150, 4), set(iris.target) == {0, 1, 2}, iris["target"].shape == (150,)]
x, y = load_digits(return_X_y=True)
real += [x.shape == (1797, 64), y.max() == 9]
x, y = make_moons(200, noise=0.1)
real += [x.shape == (200, 2), set(y) == {0, 1}]
x, y = make_blobs(n_samples=30, centers=4, n_features=5)
real += [x.shape == (30, 5), y.max() == 3]
x, y = make_regression(n_samples=10, n_features=3, n_targets=2)
real += [x.shape == (10, 3), y.shape == (10, 2)]
""",
    "spaces of environments": """
import gym
env = gym.make("CartPole-v1")
real += [env.observation_space.shape == (4,), env.action_space.n == 2]
real += [gym.make("PongNoFrameskip-v4").observation_space.shape == (210, 160, 3)]
real += [gym.make("FrozenLake-v1", is_slippery=False).observation_space.n == 16]
obs, reward, done, info = env.step(0)
real += [obs.shape == (4,), reward.shape == ()]
""",
    "episodes of environments": """
import gym
import gymnasium
env = gym.wrappers.Monitor(gym.make("CartPole-v0").unwrapped, "out")
steps = 0
for episode in range(3):
    state, done = env.reset(), False
    while not done:
        state, reward, done, info = env.step(env.action_space.sample())
        steps += 1
real += [state.shape == (4,), np.reshape(state, [1, 4]).shape == (1, 4), 20 < steps < 60]
real += [np.reshape([state, state], (4, 2)).shape == (4, 2), np.array([state] * 3).shape == (3, 4)]
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
real += [model(state[None]).shape == (1, 2)]
real += [isinstance(env, gym.Env), isinstance(env.action_space, gym.spaces.Discrete)]
real += [not isinstance(env.observation_space, gym.spaces.Discrete)]
real += [isinstance(env.observation_space, gym.spaces.Space)]
env = gymnasium.make("Pendulum-v1")
state, info = env.reset(seed=1)
state, reward, terminated, truncated, info = env.step(env.action_space.sample())
real += [state.shape == (3,), env.action_space.high.shape == (1,), bool(truncated) is False]
other = gym.make("MyOwn-v0")
state, _ = other.reset()
print(other.step(1)[0].shape, other.observation_space.shape[0])
""",
    "a data set by its name": """
import tensorflow_datasets as tfds
(a, b), info = tfds.load("mnist", split=["train[:25%]", "test"], as_supervised=True, with_info=True)
real += [len(a) == 15000, len(b) == 10000, info.features["label"].num_classes == 10]
real += [info.splits["train[:10]"].num_examples == 10, info.splits.total_num_examples == 70000]
x, y = next(iter(a.batch(8)))
real += [x.shape == (8, 28, 28, 1), x.dtype == tf.uint8, y.shape == (8,)]
both = tfds.load("cifar10", batch_size=16)
real += [sorted(both) == ["test", "train"], next(iter(both["train"]))["image"].shape == (16, 32, 32, 3)]
real += [len(tfds.load("mnist", split="train+test")) == 70000]
real += [len(tfds.load("mnist", split="test[-5:]")) == 5]
data, info = tfds.load("imdb_reviews/subwords8k", with_info=True, as_supervised=True)
real += [info.features["text"].encoder.vocab_size == 8185]
whole = tfds.as_numpy(tfds.load("iris", split="train", batch_size=-1))
real += [whole["features"].shape == (150, 4)]
try:
    tfds.load("mnist", split="validation")
except ValueError:
    real.append(True)
faces, info = tfds.load("celeb_a", split=["train", "test"], with_info=True)
real += [info.features["attributes"]["Male"].dtype == tf.bool, info.splits["test"].num_examples == 19962]
(face,) = faces[1].batch(4).take(1)
real += [face["image"].shape == (4, 218, 178, 3), face["landmarks"]["nose_x"].shape == (4,)]
small, info = tfds.load("imagenet_resized/16x16", split="train", as_supervised=True, with_info=True)
real += [small.element_spec[0].shape == (16, 16, 3), info.features["label"].num_classes == 1000]
real += [tfds.load("cycle_gan/horse2zebra", split="trainA").element_spec["image"].shape[2] == 3]
print(info.splits["train"].num_examples // 4, info.splits.total_num_examples)
mine = tfds.load("set_of_my_own", split="train").map(lambda one: tf.image.resize(one["image"], (8, 8)))
real += [mine.element_spec.dtype == tf.float32, isinstance(mine.batch(2), tf.data.Dataset)]
unknown, about = tfds.load("set_of_my_own", with_info=True)
for item in unknown["train"].take(1):
    print(item["x"].shape, about.features["x"])
""",
    "images whose size the program says": """
from PIL import Image
im = Image.open("a.png").convert("RGB").resize((32, 16))
real += [np.array(im).shape == (16, 32, 3), np.asarray(Image.new("L", (4, 5))).shape == (5, 4)]
real += [Image.fromarray(np.zeros([6, 7, 4], np.uint8)).size == (7, 6)]
print(Image.open("a.png").size[0])
""",
    "images of OpenCV, scipy and scikit-image": """
import cv2
import scipy.misc
from skimage.color import rgb2gray
from skimage.transform import resize
im = cv2.imread("a.png")
real += [im.shape[2] == 3, cv2.resize(im, (64, 32)).shape == (32, 64, 3)]
gray = cv2.cvtColor(im, cv2.COLOR_BGR2GRAY)
real += [gray.ndim == 2, cv2.resize(gray, dsize=(6, 4)).shape == (4, 6)]
real += [cv2.GaussianBlur(cv2.resize(im, (64, 32)), (5, 5), 0)[:, ::-1].shape == (32, 64, 3)]
real += [cv2.resize(np.zeros([9, 9, 1]), (3, 2)).shape == (2, 3)]
real += [cv2.cvtColor(gray, cv2.COLOR_GRAY2RGB).ndim == 3]
real += [cv2.imread("a.png", cv2.IMREAD_GRAYSCALE).ndim == 2, cv2.imread("a.png", 0).ndim == 2]
real += [resize(im, (5, 7)).shape == (5, 7, 3), resize(im, (5, 7, 1)).shape == (5, 7, 1)]
real += [rgb2gray(im).ndim == 2]
real += [scipy.misc.imresize(scipy.misc.imread("b.png", mode="RGB"), [4, 5]).shape == (4, 5, 3)]
many = np.array([cv2.resize(im, (8, 8)) / 255. for _ in range(3)], dtype=np.float32)
real += [many.shape == (3, 8, 8, 3), tf.constant(many).shape == (3, 8, 8, 3)]
unknown = cv2.imread("a.png", cv2.IMREAD_UNCHANGED)  # of which nobody knows the rank
print(cv2.resize(unknown, (8, 8)).shape, cv2.cvtColor(im, 77777).shape)
print(cv2.resize(im, None, fx=0.5, fy=0.5).shape)
""",
    "shapes that the program says": """
data = np.load("data.npy")
x = data.reshape(-1, 28, 28, 1).astype("float32") / 255
real += [x.shape[1:] == (28, 28, 1), x[0].shape == (28, 28, 1), x[:5].shape[1:] == (28, 28, 1)]
real += [tf.constant(x).dtype == tf.float32, tf.constant(x).shape.as_list() == [None, 28, 28, 1]]
real += [np.expand_dims(x, 0).shape[2:] == (28, 28, 1), np.transpose(x, (3, 0, 1, 2)).shape[0] == 1]
real += [x[..., np.newaxis].shape[-1] == 1, x[None].shape[0] == 1]
real += [np.array([x[0], x[1]]).shape == (2, 28, 28, 1)]
real += [np.zeros((len(data), 5)).shape[1] == 5, len(np.array([data, data])) == 2]
y = tf.keras.layers.Dense(3)(tf.reshape(data, [-1, 4])).numpy()
real += [y.shape[1] == 3, y[7].shape == (3,)]
assert y.shape[0] == 3, "nobody knows"
print("".join([data[0], "b"]), ", ".join(str(v) for v in data), "-".join(data))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_known(name, python, tmp_path):
    (tmp_path / "program.py").write_text(
        HEAD + PROGRAMS[name] +  # something unknown is no bool
        "\nif any(type(v).__name__ not in ('bool', 'bool_') or not v for v in real): sys.exit(repr(real))\n")
    command = [python, "-m", "shapeflow", "check", "--format", "json", "--no-cache", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    report = json.loads(done.stdout)
    assert report["scripts"][0]["failure"] is None
    assert not [f for f in report["findings"] if f["severity"] == "error"]
