#!/usr/bin/env bash
# pytest of the extension under AddressSanitizer and UBSan: asan_pytest.sh PYTHON [--all]
# The layers are those of build-asan, which tests/run.sh makes before. The interpreter is not instrumented,
# so the runtime is preloaded and Python's own allocator is off; leak detection is off because CPython keeps
# objects to its end on purpose. Left out are tests that start the command (no_commands.py): each process
# takes a second here, and runs in C what tests/programs run; and those of the backends, which run Keras on NumPy
# for minutes and nothing in C that others don't. --all leaves out only the search for fixes.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1
mode=${2:-}
lib=$PWD/build-asan-ext
rm -rf "$lib/shapeflow"  # a module that is gone would be tested again
CC="ccache ${CC:-gcc}" SHAPEFLOW_WERROR=1 SHAPEFLOW_BUILT_LAYERS=build-asan SHAPEFLOW_SANITIZE=1 \
  "$python" setup.py --quiet build_ext --build-lib "$lib" --build-temp "$lib/tmp"
cp -r pymodule/shapeflow/. "$lib/shapeflow/"
rm -f "$lib"/asan.log*
tests=(tests/py tests/programs '--ignore-glob=tests/py/test_fixes*.py')
if [ "$mode" != --all ]; then
  # test_loops runs up to a million turns of Python: minutes already without a sanitizer.
  tests+=(-p no_commands --ignore=tests/py/test_loops.py '--ignore-glob=tests/py/test_backends*.py')
fi
status=0
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0:log_path=$lib/asan.log PYTHONMALLOC=malloc PYTHONPATH=$lib:tests/tools \
  SHAPEFLOW_UNDER_ASAN=1 "$python" -m pytest -q -rs -p no:cacheprovider -n "$(nproc)" --dist worksteal \
  ${report:+--junitxml="$report.xml"} "${tests[@]}" || status=$?
if ls "$lib"/asan.log* >/dev/null 2>&1; then cat "$lib"/asan.log*; status=1; fi
exit "$status"
