#!/usr/bin/env bash
# Sets everything up and runs the main job: checks a real script and shows the finding. The first
# command of the README; it may be run again, from any folder. Needs a Debian / Ubuntu with Python 3.9+;
# installs the rest from the system's packages and PyPI, into .venv of this checkout.
#   examples/demo.sh [SCRIPT [-- ARGS]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/tools/packages.sh"
sf_packages gcc uthash-dev
python=$(sf_python)
venv=$root/.venv
if [ ! -x "$venv/bin/pip" ]; then
  sf_step "making the environment $venv" "$python" -m venv "$venv"
  sf_step "the newest pip" "$venv/bin/pip" install --upgrade pip
fi
sf_step "compiling and installing ShapeFlow, the first time half a minute on two idle cores" \
  "$venv/bin/pip" install --upgrade "$root"
if [ $# = 0 ]; then
  cd "$root"
  set -- examples/mnist_cnn.py
fi
echo "\$ shapeflow check $*"
status=0
"$venv/bin/shapeflow" check "$@" || status=$?
# 1 says that something was found, which is what the example is for.
[ "$status" = 1 ] && exit 0
exit "$status"
