"""Random graphs on real TensorFlow: no element lies outside of what shapeflow claims of its tensor.

The long run is numeric_run.py. Needs $SHAPEFLOW_ORACLE.
"""
import os

import pytest

ORACLE = os.environ.get("SHAPEFLOW_ORACLE")

pytestmark = pytest.mark.skipif(
    not ORACLE, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")


def test_no_element_lies_outside_of_its_interval():
    import numeric_run

    found = numeric_run.search(ORACLE, 400, 4, seed=100_000)
    assert found["violations"] == []
    assert found["operations"] > 10_000  # most of what is drawn is run
    bounded = [op for op, (_, said) in found["known"].items() if said]
    assert len(bounded) > 0.9 * len(found["known"])


def test_a_claim_that_is_too_narrow_is_seen():
    import numeric_graphs
    import numeric_run

    graph = numeric_graphs.draw(100_001)
    for item in graph["items"]:
        if "op" in item:
            item["claims"] = [[12345.0, 12345.0, 0]] * item["outputs"]
    server = numeric_run.Server(ORACLE)
    server.send([graph], 1)
    answer = server.receive()
    server.close()
    assert [(v["seed"], v["claim"]) for v in answer["violations"]] == [(100_001, [12345.0, 12345.0, 0])]
