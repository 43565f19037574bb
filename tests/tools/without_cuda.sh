#!/usr/bin/env bash
# Builds ShapeFlow without the headers of the CUDA runtime, by setup.py and by CMake, in folders of its own, and checks
# that both say so, that what needs them is refused with the reason, and that GPUs of the catalogue work.
#   tests/tools/without_cuda.sh [PYTHON]
# PYTHON (default: .venv-test/bin/python) has setuptools and numpy: nothing is fetched. An empty CUDA_RUNTIME_INCLUDE
# leaves out those headers that are here. Ends with 1 at the first thing that is not so.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-.venv-test/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
! command -v ccache >/dev/null || export CC="ccache ${CC:-gcc}"
export CUDA_RUNTIME_INCLUDE= SHAPEFLOW_WERROR=1

# expect NAME WORDS FILE: the file has the words.
expect() {
  grep -qF -- "$2" "$3" && echo "ok   $1" && return
  echo "FAIL $1: no \"$2\" in"
  tail -20 "$3"
  exit 1
}

git ls-files -z | tar --null -cf - -T - | tar -xf - -C "$work" # the build leaves nothing in the checkout
site=$work/site
(cd "$work" && "$OLDPWD/$python" -m pip install -v --no-index --no-deps --no-build-isolation --target "$site" .) \
  >"$work/build.log" 2>&1 || { tail -20 "$work/build.log"; exit 1; }
expect "setup.py builds and says what is left out" "\`--device auto\` is left out, GPUs are those of the catalogue" \
  "$work/build.log"

cat >"$work/train.py" <<'PROGRAM'
import tensorflow as tf
with tf.device('/gpu:1'):
    y = tf.nn.relu(tf.random_uniform([2, 3]))
with tf.Session() as session:
    session.run(y)
PROGRAM
python=$(realpath -s "$python")
cd "$work"
flow() { PYTHONPATH=$site SHAPEFLOW_CACHE_DIR=$work/cache "$python" -m shapeflow "$@"; }
reason="this build of ShapeFlow was made without the headers of the CUDA runtime (nvidia-cuda-runtime-cu12): only GPUs of the catalogue can be named"
flow doctor >doctor.txt
expect "doctor says why no GPU is told" "$reason" doctor.txt
status=0
flow check --tf-version 1.15.0 --devices auto train.py >auto.txt 2>&1 || status=$?
expect "check --devices auto is refused with the reason" "$reason" auto.txt
[ $status -eq 2 ] || { echo "FAIL its exit status is $status"; exit 1; }
flow check --tf-version 1.15.0 --devices 't4*2' train.py >two.txt 2>&1 || { cat two.txt; exit 1; }
expect "two GPUs of the catalogue are placed on" "0 errors" two.txt
flow check --tf-version 1.15.0 --devices t4 train.py >one.txt 2>&1 || true
expect "of one the second is missed" "SF309" one.txt

cmake -S . -B cmake -DCUDA_RUNTIME_INCLUDE= >cmake.log 2>&1 || { tail -20 cmake.log; exit 1; }
expect "CMake says what is left out" "\`--device auto\` is left out, GPUs are those of the catalogue" cmake.log
cmake --build cmake -j2 --target test_core >build_c.log 2>&1 || { tail -20 build_c.log; exit 1; }
cmake/test_core --filter 'cuda/*' >cuda.log 2>&1 || cmake/tests/c/test_core --filter 'cuda/*' >cuda.log 2>&1 ||
  { cat cuda.log; exit 1; }
echo "ok   the C core builds, and its tests of the CUDA runtime pass"
