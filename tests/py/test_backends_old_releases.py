"""Which backend benchmarks/old_releases.py says is off: one that most others contradict, and no other."""
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RIGHT = {"shape": [2, 2], "values": [1.0, 2.0, 3.0, 4.0]}
WRONG = {"shape": [2, 2], "values": [1.0, 2.0, 3.0, 2.0]}
FLAT = {"shape": [4], "values": [1.0, 2.0, 3.0, 4.0]}
RAISES = {"raises": "ValueError: no"}


@pytest.fixture
def old_releases(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import old_releases

    return old_releases


@pytest.fixture
def verdict(old_releases):
    return old_releases.verdict


def test_one_of_three_is_off(verdict):
    assert verdict({"torch": WRONG, "jax": RIGHT, "numpy": RIGHT}) == {"torch": "off by 0.5"}
    assert verdict({"jax": RIGHT, "numpy": RIGHT, "torch": FLAT}) == {"torch": "shape (4,) for (2, 2)"}


@pytest.mark.parametrize("order", [("torch", "numpy"), ("numpy", "torch")])
def test_of_two_neither_is_off(verdict, order):
    rows = {"torch": WRONG, "numpy": RIGHT}
    (named, words), = verdict({backend: rows[backend] for backend in order}).items()
    assert named == ", ".join(order)
    assert words in ("apart by 0.5, without a majority", "apart by 0.667, without a majority")
    assert verdict({"torch": FLAT, "numpy": RIGHT}) == {
        "torch, numpy": "shapes (4,), (2, 2), without a majority"}


def test_two_against_two_have_no_majority(verdict):
    told = verdict({"torch": WRONG, "jax": RIGHT, "numpy": RIGHT, "tensorflow": WRONG})
    assert list(told) == ["torch, jax, numpy, tensorflow"]


def test_what_raises_is_said_and_has_no_vote(verdict):
    assert verdict({"torch": RAISES, "numpy": RIGHT}) == {"torch": "raises ValueError: no"}
    told = verdict({"tensorflow": RAISES, "torch": WRONG, "numpy": RIGHT})
    assert set(told) == {"tensorflow", "torch, numpy"}
    assert verdict({"torch": RAISES, "numpy": RAISES}) == {}


def test_what_agrees_is_not_said(verdict):
    assert verdict({"torch": RIGHT, "numpy": RIGHT}) == {}


def test_what_raises_is_said_without_the_colours_of_it(old_releases):
    """As Keras words what a layer raises."""
    error = ValueError("Exception encountered when calling Pool.call().\n\n\x1b[1mno padding here\x1b[0m\n\n"
                       "Arguments received")
    assert old_releases.in_words(error) == "ValueError: no padding here"
    assert old_releases.in_words(TypeError("\x1b[0;31mno\x1b[0m")) == "TypeError: no"
    assert old_releases.in_words(KeyError()) == "KeyError: "
