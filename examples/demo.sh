#!/usr/bin/env bash
# Sets everything up and runs the main job: checks a real script and shows the finding. The first
# command of the README; it may be run again. Needs a Debian / Ubuntu with Python 3.9+; installs the
# rest from the system's packages and PyPI, into .venv of this checkout.
#   examples/demo.sh [SCRIPT [-- ARGS]]
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/tools/packages.sh
sf_packages gcc uthash-dev
python=$(sf_python)
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/pip install --quiet --upgrade pip
.venv/bin/pip install --quiet --upgrade .
[ $# -gt 0 ] || set -- examples/mnist_cnn.py
echo "\$ shapeflow check $*"
status=0
.venv/bin/shapeflow check "$@" || status=$?
# 1 says that something was found, which is what the example is for.
[ "$status" = 0 ] || [ "$status" = 1 ] || exit "$status"
