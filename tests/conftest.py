"""Shared by all Python tests."""
import os


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite golden files")


# Results of checks that tests make are never taken from an earlier session; test_cache.py undoes it.
os.environ["SHAPEFLOW_NO_CACHE"] = "1"
# Goldens hold what is said without trying fixes, which takes seconds; tests/py/test_fixes*.py try them.
os.environ["SHAPEFLOW_NO_SUGGESTIONS"] = "1"
