"""The map of `shapeflow backends compare --format html` in a real browser: the rates of change, what they
mark, and the findings."""

from __future__ import annotations

from shapeflow.backends import rendering


def layer(key, kind, source):
    return {"key": key, "layer": key, "class": kind, "inputs": [source], "indices": [0], "weights": [],
            "precision": "float32", "input_precisions": ["float32"],
            "outputs": [[[8, 4], "float32"]], "is_output": key == "scores"}


def compared():
    rates = {"pool": (0.155, 1.5e5, True), "norm": (0.3, 2.0, True), "scores": (0.1, 0.0, False)}
    return {
        "title": "m.keras", "reference": "jax", "inputs": [[[8, 4], "float32"]], "ends": ["scores"],
        "versions": {}, "refused": {},
        "nodes": [layer("pool", "AveragePooling2D", "input 0"), layer("norm", "LayerNormalization", "pool"),
                  layer("scores", "Dense", "norm")],
        "maps": {"torch": {key: {"deviation": deviation, "rate": rate, "high": high}
                           for key, (deviation, rate, high) in rates.items()}},
        "pairs": [{"pair": ["jax", "torch"], "output": 0, "metric": "class", "largest": 9.0, "share": 0.125,
                   "pattern": [15, 1]}],
        "findings": [{"code": "SF701", "kind": "inconsistent", "phase": "forward", "layer": "pool",
                      "class": "AveragePooling2D", "backends": ["torch"], "against": ["jax"],
                      "distance": 0.155,
                      "message": "AveragePooling2D 'pool' differs by 0.155 between torch and jax (forward)",
                      "blame": ["padding='valid'"]}],
    }


def test_the_map_of_a_comparison_is_walked(open_page):
    opened = open_page(rendering.graph(compared()))
    wanted = {
        "pool": ("SF701", "differs by 0.155", "gone with padding='valid'", "highest quarter for torch",
                 "R torch"),
        "norm": ("SF708", "in the highest quarter for torch against jax: R = 2", "deviation torch from jax"),
        "scores": ("D_class jax, torch",
                   "9 at most, 12% of the samples at the threshold or above, histogram 15 1"),
    }
    for name, words in wanted.items():
        opened.probe("goTo", f"n{opened.node(name)}")
        assert opened.selected() == name
        for word in words:
            assert word in opened.panel(), (name, opened.panel())
    assert "SF70" not in opened.panel()  # of the last layer, which only takes what differs
    opened.page.click("#next")
    assert opened.selected() == "pool"  # errors come first
    assert opened.probe("misplaced") == []
