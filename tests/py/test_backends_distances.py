"""Distances, rates of change, patterns and votes of `shapeflow backends`, by exact tables."""
import numpy as np
import pytest

from shapeflow.backends import distances

INF = float("inf")
NAN = float("nan")


@pytest.mark.parametrize("scores, label, score", [
    ([.9, .1, 0, 0, 0, 0], 0, 16), ([.9, .1, 0, 0, 0, 0], 1, 8), ([6, 5, 4, 3, 2, 1], 4, 1),
    ([6, 5, 4, 3, 2, 1], 5, 0), ([1, 1, 1, 1, 1, 1], 2, 4)])
def test_class_score(scores, label, score):
    assert distances.class_score(np.array([scores]), np.array([label])).tolist() == [score]


def test_class_based_distance():
    a, b = np.array([[3., 2, 1]] * 2), np.array([[3., 2, 1], [1, 2, 3]])
    gaps = distances.d_class(a, b, np.array([0, 0]))
    assert gaps.tolist() == [0, 12]  # ranks 1 and 3: 16 - 4
    assert [distances.share_reaching(gaps, limit) for limit in (8, 12, 13)] == [0.5, 0.5, 0]
    assert distances.d_class(a, b, np.array([0, 0]), k=2).tolist() == [0, 2]


def test_mad_based_distance():
    truth, a, b = np.zeros([3, 2]), np.array([[1., 1], [0, 0], [2, 2]]), np.array([[3., 3], [0, 0], [2, 2]])
    assert distances.d_mad(a, b, truth).tolist() == [0.5, 0, 0]


@pytest.mark.parametrize("a, b, gap", [
    ([1, 2], [1, 2.5], .5), ([NAN, 1], [NAN, 1], 0), ([NAN, 1], [0, 1], INF), ([INF], [INF], 0),
    ([INF], [-INF], INF), ([INF], [1], INF), ([], [], 0), ([1], [1, 2], INF)])
def test_chebyshev(a, b, gap):
    assert distances.chebyshev(np.array(a, "f4"), np.array(b, "f4")) == gap


def test_relative_is_by_the_larger_size_and_one_at_least():
    assert distances.relative(np.array([100.]), np.array([90.])) == 0.1
    assert distances.relative(np.array([.5]), np.array([.4])) == pytest.approx(.1)


def test_rates_of_change_and_their_highest_quarter():
    deviations = {"a": 0.0, "b": 1e-3, "c": 2e-3, "d": 2e-3}
    inputs = {"a": ["input 0"], "b": ["a"], "c": ["b", "a"], "d": ["c"]}
    rates = distances.rates_of_change(deviations, inputs)
    assert rates["a"] == 0 and rates["b"] == pytest.approx(1e-3 / 1e-7)
    assert rates["c"] == pytest.approx(1e-3 / (1e-3 + 1e-7)) and rates["d"] == 0
    assert distances.third_quantile({"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}) == 3
    assert distances.rates_of_change({"a": INF, "b": INF}, {"b": ["a"]})["b"] == 0


@pytest.mark.parametrize("values, groups, off", [
    ({"a": 1, "b": 1, "c": 2}, [["a", "b"], ["c"]], ["c"]),
    ({"a": 1, "b": 2}, [["a"], ["b"]], []),
    ({"a": 1, "b": 1, "c": 2, "d": 2}, [["a", "b"], ["c", "d"]], []),
    ({"a": 1, "b": 1.4, "c": 1.8, "d": 9}, [["a", "b", "c"], ["d"]], ["d"])])
def test_the_majority_says_who_is_off(values, groups, off):
    made = distances.groups_that_agree(list(values), lambda a, b: abs(values[a] - values[b]) <= .5)
    assert made == groups and distances.majority(made) == off


def test_patterns_tell_causes_apart():
    assert distances.pattern([0, 0, 15.9, 16], 16) == (2, 0, 0, 0, 0, 0, 0, 2)
