"""Builds shapeflow._core (the four layers) and shapeflow._sandbox; the rest is in pyproject.toml."""
import glob
import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
            "-fno-omit-frame-pointer", "-g"] if os.environ.get("SHAPEFLOW_SANITIZE") else []
WARNINGS = [
    "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wshadow", "-Wmissing-prototypes",
    "-Wstrict-prototypes", "-Wswitch-enum",
]
EXTENSION = ["pymodule/ext"]
LAYERS = ["lattice", "core/*", "apis", "apis/ops/*", "apis/tf"]
# For tests: a CMake build folder whose libraries of the lower layers are linked, not compiled again.
BUILT = os.environ.get("SHAPEFLOW_BUILT_LAYERS")
LIBRARIES = [f"{BUILT}/libsf_{layer}.a" for layer in ("apis", "core", "lattice")] if BUILT else []
SANDBOX = ["pymodule/sandbox"]
FLAGS = ["-std=gnu11", "-O2", "-fvisibility=hidden", *WARNINGS, *SANITIZE]


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


class BuildExt(build_ext):
    """Our lines are compiled with -Werror, those of Python, numpy and uthash as system headers."""

    def build_extensions(self):
        import numpy

        system = [numpy.get_include()]
        uthash = uthash_folder()
        if uthash != "/usr/include":  # the compiler looks there anyway
            system.append(uthash)
        for extension in self.extensions:
            ours = [ROOT]
            for folder in list(self.compiler.include_dirs) + list(extension.include_dirs):
                (ours if os.path.abspath(folder) == ROOT else system).append(folder)
            extension.include_dirs = ours[:1]
            extension.extra_compile_args += [f"-isystem{folder}" for folder in dict.fromkeys(system)]
        self.compiler.set_include_dirs([])
        self.compile_in_parallel()
        super().build_extensions()

    def compile_in_parallel(self):
        """One compiler process for each core: setuptools runs one at a time within an extension."""
        from concurrent.futures import ThreadPoolExecutor

        one_by_one = self.compiler.compile

        def compile_all(sources, *args, **kwargs):
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                jobs = [pool.submit(one_by_one, [path], *args, **kwargs) for path in sources]
                return [obj for job in jobs for obj in job.result()]

        self.compiler.compile = compile_all


def extension(name, folders, **options):
    return Extension(
        name,
        sources=sources(folders),
        depends=headers(folders) + options.get("extra_objects", []),
        include_dirs=[ROOT],
        extra_compile_args=list(FLAGS),
        extra_link_args=SANITIZE,
        **options,
    )


setup(
    ext_modules=[
        extension("shapeflow._core", EXTENSION if BUILT else LAYERS + EXTENSION, libraries=["m"],
                  extra_objects=LIBRARIES),
        extension("shapeflow._sandbox", SANDBOX),
    ],
    cmdclass={"build_ext": BuildExt},
)
