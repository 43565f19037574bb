#!/usr/bin/env bash
# pytest of the extension under AddressSanitizer and UBSan: asan_pytest.sh PYTHON
# The interpreter is not instrumented, so the runtime is preloaded and Python's own allocator is off;
# leak detection is off because CPython keeps objects to its end on purpose. The search for fixes is left out:
# it takes a quarter of the time, and runs in C what tests/programs run.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1
lib=$PWD/build-asan-ext
SHAPEFLOW_SANITIZE=1 "$python" setup.py --quiet build_ext --build-lib "$lib" --build-temp "$lib/tmp"
cp -r pymodule/shapeflow/. "$lib/shapeflow/"
rm -f "$lib"/asan.log*
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0:log_path=$lib/asan.log PYTHONMALLOC=malloc PYTHONPATH=$lib \
  SHAPEFLOW_UNDER_ASAN=1 "$python" -m pytest -q -rs -p no:cacheprovider \
  --ignore-glob='tests/py/test_fixes*.py' tests/py tests/programs
if ls "$lib"/asan.log* >/dev/null 2>&1; then cat "$lib"/asan.log*; exit 1; fi
