"""What mypy does not check grows nowhere: uses of `Any` by folder, kept in any_counts.txt."""
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import any_counts  # noqa: E402


def test_no_folder_has_more_uses_of_any_than_are_kept_nor_fewer():
    assert list(any_counts.differences(any_counts.measured(), any_counts.kept())) == []


def test_uses_are_counted():
    text = "from typing import Any\ndef f(x: Any, *y: Dict[str, Any]) -> Any:\n    z: Any = 1"
    assert any_counts.uses(text) == 4
    assert any_counts.uses("from typing import Any\n# Any\nx = 'Any'\n") == 0
    files = ["lsp/a.py", "tensorflow/keras/layers/b.py", "tensorflow/python/data/ops/c.py", "d.py"]
    assert [any_counts.folder(any_counts.PACKAGE / name) for name in files] == [
        "lsp", "tensorflow/keras", "tensorflow/python/data", "."]


def test_more_is_refused_and_fewer_is_to_be_written_down():
    more, fewer = any_counts.differences(Counter(a=3, b=1, c=2), Counter(a=2, b=2, c=2))
    assert more.startswith("a: 3 uses of Any, 2 are allowed")
    assert fewer.startswith("b: 1 ") and "--write" in fewer
