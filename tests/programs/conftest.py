"""What the tests of programs share."""
import os
import venv
from pathlib import Path

import numpy
import pytest

import shapeflow


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """A Python that has numpy and ShapeFlow, and none of the packages that the programs import."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for module in (numpy, shapeflow):
        installed = Path(module.__file__).parent
        for part in [installed, *installed.parent.glob(installed.name + "?libs")]:
            os.symlink(part, packages / part.name)
    return folder / "bin" / "python"
