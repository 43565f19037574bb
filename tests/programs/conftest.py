"""What the tests of programs share."""
import os
import re
import venv
from importlib import metadata

import pytest


def _needed(names):
    """Distributions and what they need, as far as it is installed."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = metadata.distribution(name)
        for requirement in found[name].requires or ():
            needed = re.match(r"[\w.-]+", requirement).group()
            if "extra ==" not in requirement and next(metadata.distributions(name=needed), None):
                waiting.append(needed)
    return found.values()


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """A Python that has ShapeFlow with its extra `keras`, and no other package that the programs import."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for distribution in _needed(["shapeflow", "keras"]):
        for part in {file.parts[0] for file in distribution.files}:
            if part != ".." and not (packages / part).exists():
                os.symlink(distribution.locate_file(part), packages / part)
    return folder / "bin" / "python"
