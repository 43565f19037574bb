"""Builds shapeflow._core (the four layers) and shapeflow._sandbox; the rest is in pyproject.toml.

Where it is installed nothing is warned of and nothing fails because of a warning: a compiler that we do not
know has warnings that we do not know. SHAPEFLOW_WERROR=1, which CI sets, makes errors of them.
"""
import glob
import importlib
import os
import sys
import types
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = os.path.dirname(os.path.abspath(__file__))
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
            "-fno-omit-frame-pointer", "-g"] if os.environ.get("SHAPEFLOW_SANITIZE") else []
WARNINGS = [
    "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-Wconversion", "-Wshadow",
    "-Wmissing-prototypes", "-Wstrict-prototypes", "-Wswitch-enum",
] if os.environ.get("SHAPEFLOW_WERROR") else []
# Python's own flags ask for debugging information and often for -O3: the last one counts. Information that
# nobody installs a package for takes a sixth of the time.
DEBUG = [] if SANITIZE else ["-g0"]
EXTENSION = ["pymodule/ext"]
LAYERS = ["lattice", "core/*", "core/device/cuda_crt/crt", "apis", "apis/ops/*", "apis/tf"]
# For tests: a CMake build folder whose libraries of the lower layers are linked, not compiled again.
BUILT = os.environ.get("SHAPEFLOW_BUILT_LAYERS")
LIBRARIES = [f"{BUILT}/libsf_{layer}.a" for layer in ("apis", "core", "lattice")] if BUILT else []
SANDBOX = ["pymodule/sandbox"]
FLAGS = ["-std=gnu11", "-O2", *DEBUG, "-fvisibility=hidden", *WARNINGS, *SANITIZE]


def sources(folders):
    """Every C file of the folders, relative to the root, in a stable order."""
    os.chdir(ROOT)
    return [path for folder in folders for path in sorted(glob.glob(folder + "/*.c"))]


def headers(folders):
    os.chdir(ROOT)
    return [p for folder in folders for ext in ("h", "def") for p in glob.glob(f"{folder}/*.{ext}")]


def uthash_folder():
    """The folder of uthash.h: $UTHASH_INCLUDE, else where systems put it."""
    places = [os.environ.get("UTHASH_INCLUDE"), "/usr/include", "/usr/local/include",
              "/opt/homebrew/include", "/opt/local/include"]
    for place in filter(None, places):
        if os.path.exists(os.path.join(place, "uthash.h")):
            return place
    raise SystemExit(
        "shapeflow: uthash.h was not found. Install it (Debian: apt install uthash-dev; macOS: "
        "brew install uthash), or set UTHASH_INCLUDE to the folder that holds it.")


def cuda_folder():
    """The folder of cuda_runtime_api.h: $CUDA_RUNTIME_INCLUDE, the wheel's, the system's; None, also where
    that variable is empty: the build goes on without `--device auto`."""
    told = os.environ.get("CUDA_RUNTIME_INCLUDE")
    wheels = [os.path.join(folder, "nvidia", "cuda_runtime", "include") for folder in sys.path]
    homes = [os.path.join(home, "include") for home in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda")]
    for place in [] if told == "" else [told, *wheels, *homes, "/usr/include"]:
        if place and os.path.exists(os.path.join(place, "cuda_runtime_api.h")):
            return place
    why = "is left out, as CUDA_RUNTIME_INCLUDE is empty" if told == "" else "was not found"
    print(f"shapeflow: cuda_runtime_api.h {why}: `--device auto` is left out, GPUs are those of the "
          "catalogue. For more: pip install nvidia-cuda-runtime-cu12, or set CUDA_RUNTIME_INCLUDE.",
          file=sys.stderr)
    return None


def usable_cores():
    """Those that this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class BuildExt(build_ext):
    """Python, numpy and uthash are system headers, so that warnings are of our lines only."""

    def build_extensions(self):
        import numpy

        system = [numpy.get_include()]
        uthash = uthash_folder()
        if uthash != "/usr/include":  # the compiler looks there anyway
            system.append(uthash)
        cuda = cuda_folder()
        if cuda and cuda != "/usr/include":
            system.append(cuda)
        crt = ["-idirafter", "core/device/cuda_crt"] if cuda else ["-DSF_NO_CUDA_HEADERS"]
        for extension in self.extensions:
            ours = ["."]
            for folder in list(self.compiler.include_dirs) + list(extension.include_dirs):
                (ours if os.path.abspath(folder) == ROOT else system).append(folder)
            extension.include_dirs = ours[:1]
            # Two words each: of "-isystemFOLDER" ccache does not know that what it says is read already, and
            # pip makes another folder for numpy each time.
            for folder in dict.fromkeys(system):
                extension.extra_compile_args += ["-isystem", folder]
            extension.extra_compile_args += crt
        self.compiler.set_include_dirs([])
        self.compile_in_parallel()
        super().build_extensions()

    def compile_in_parallel(self):
        """One compiler process for each core: setuptools runs one at a time within an extension."""
        from concurrent.futures import ThreadPoolExecutor

        one_by_one = self.compiler.compile

        def compile_all(sources, *args, **kwargs):
            with ThreadPoolExecutor(usable_cores()) as pool:
                jobs = [pool.submit(one_by_one, [path], *args, **kwargs) for path in sources]
                return [obj for job in jobs for obj in job.result()]

        self.compiler.compile = compile_all


def extension(name, folders, **options):
    return Extension(
        name,
        sources=sources(folders),
        depends=headers(folders) + options.get("extra_objects", []),
        include_dirs=["."],  # sources() goes to ROOT: no path of a checkout in a cache of the compiler
        extra_compile_args=list(FLAGS),
        extra_link_args=SANITIZE,
        **options,
    )


class BuildPy(build_py):
    """The package, and beside it the type stubs of TensorFlow's API, written from the snapshot."""

    def run(self):
        super().run()
        if not self.editable_mode:
            stubs().write(Path(self.build_lib))

    def get_outputs(self, include_bytecode=1):
        written = [str(Path(self.build_lib, "shapeflow-stubs", path)) for path in stubs().files()]
        return super().get_outputs(include_bytecode) + written


def stubs():
    """shapeflow.api.stubs, without the C core, which is not built yet: only files are read."""
    package = types.ModuleType("shapeflow")
    package.__path__ = [os.path.join(ROOT, "pymodule", "shapeflow")]
    before = sys.modules.get("shapeflow")
    sys.modules["shapeflow"] = package
    try:
        return importlib.import_module("shapeflow.api.stubs")
    finally:
        if before is None:
            del sys.modules["shapeflow"]
        else:
            sys.modules["shapeflow"] = before


setup(
    ext_modules=[
        extension("shapeflow._core", EXTENSION if BUILT else LAYERS + EXTENSION, libraries=["m", "dl"],
                  extra_objects=LIBRARIES),
        extension("shapeflow._sandbox", SANDBOX),
    ],
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy},
)
