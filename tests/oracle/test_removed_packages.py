"""What pandas, SciPy, scikit-learn, matplotlib and Pillow have dropped is given back in a check.
$SHAPEFLOW_PROOF is a Python that has them, and ShapeFlow."""
import os
import subprocess

import pytest

PYTHON = os.environ.get("SHAPEFLOW_PROOF")
HEAD = {
    "pandas": "import pandas as pd\ndf = pd.DataFrame({'a': [3, 1, 2], 'b': [4, None, 6]})\n",
    "scipy": "import scipy, scipy.signal, scipy.integrate, scipy.stats\n",
    "sklearn": "",
    "matplotlib": "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n",
    "PIL": "from PIL import Image, ImageDraw, ImageFont\nimage = Image.new('RGB', (20, 30))\n"}
# Statements; what each gives is what the package gave when it had it.
PROGRAMS = {
    "pandas": """
assert df.append({'a': 3, 'b': 2}, ignore_index=True).shape == (4, 2)
assert df['a'].append(df['b']).shape == (6,)
assert df.as_matrix().shape == (3, 2) and df.ix[0, 'a'] == 3 and df.ix[:, 1].shape == (3,)
assert df.drop('a', 1).shape == (3, 1) and pd.concat([df, df], 1).shape == (3, 4)
assert df.dropna(1).shape == (3, 1)
assert df.fillna(method='ffill').shape == (3, 2) and list(df.sort(['a'])['a']) == [1, 2, 3]
assert [name for name, column in df.iteritems()] == ['a', 'b'] and df.applymap(str).shape == (3, 2)
assert pd.np.zeros(3).shape == (3,) and pd.rolling_mean(df['a'], 2).shape == (3,)
open('x.csv', 'w').write('a b\\n1 2\\n')
assert pd.read_csv('x.csv', error_bad_lines=False, delim_whitespace=True).shape == (1, 2)
""", "scipy": """
from scipy.ndimage.filters import gaussian_filter
from scipy.sparse.linalg.eigen.arpack import eigsh
from scipy.optimize.optimize import _status_message
assert "success" in _status_message
assert eigsh(np.diag(np.arange(1.0, 9.0)), 2)[0].shape == (2,)
assert scipy.zeros([3]).shape == (3,) and scipy.signal.hann(5).shape == (5,)
assert scipy.integrate.trapz([1, 2]) == 1.5 and scipy.stats.itemfreq([1, 1, 2]).shape == (2, 2)
assert gaussian_filter(np.zeros([4, 4]), 1).shape == (4, 4)
""", "sklearn": """
from sklearn.externals import joblib
from sklearn.cross_validation import train_test_split
from sklearn.preprocessing import Imputer, OneHotEncoder
from sklearn.datasets import load_boston
from sklearn.metrics import mean_squared_error
from sklearn.feature_extraction.text import CountVectorizer
assert train_test_split(np.zeros([10, 2]), test_size=0.2)[0].shape == (8, 2)
assert Imputer().fit_transform(np.zeros([3, 2])).shape == (3, 2)
assert OneHotEncoder(sparse=False).fit_transform([[1], [2]]).shape == (2, 2)
assert load_boston().data.shape == (506, 13) and load_boston(return_X_y=True)[1].shape == (506,)
assert mean_squared_error([1., 2.], [1., 4.], squared=False) == 2 ** 0.5
words = CountVectorizer().fit(['a bc', 'de bc'])
assert words.get_feature_names() == ['bc', 'de'] and joblib.dump([1], 'a.pkl')
""", "matplotlib": """
plt.style.use('seaborn-whitegrid')
figure = plt.figure()
axes = figure.gca(projection='3d')
figure.canvas.set_window_title('loss')
plt.cm.get_cmap('jet', 5); matplotlib.cm.get_cmap('jet'); plt.hold(True)
plt.subplot(2, 1, 1, axisbg='r'); plt.hist([1, 2], normed=True)
""", "PIL": """
assert image.resize((5, 6), Image.ANTIALIAS).size == (5, 6)
assert len(ImageDraw.Draw(image).textsize('abc')) == len(ImageFont.load_default().getsize('abc')) == 2
"""}


@pytest.mark.parametrize("package", PROGRAMS)
def test_what_old_programs_use_is_there(tmp_path, package):
    if not PYTHON:
        pytest.skip("SKIPPED ALOUD: no Python with pandas, scikit-learn and matplotlib")
    text = "import numpy as np\nimport tensorflow as tf\n" + HEAD[package] + PROGRAMS[package]
    (tmp_path / "old.py").write_text(text + "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n")
    done = subprocess.run([PYTHON, "-m", "shapeflow", "check", "--no-suggestions", "--no-cache", "old.py"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "error[SF114]" in done.stdout, done.stdout + done.stderr
    assert f"note[SF902]: {package} " in done.stderr and "SF908" not in done.stderr, done.stderr
