#!/usr/bin/env bash
# clang-tidy over the four layers with the checks of .clang-tidy: tidy.sh [PYTHON [FILE...]]
# PYTHON has numpy: the extension's headers are found through it.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-python3}
shift || true
includes=$("$python" -c 'import sysconfig, numpy
print("-isystem", sysconfig.get_paths()["include"], "-isystem", numpy.get_include())')
[ $# -gt 0 ] || set -- $(git ls-files 'lattice/*.c' 'core/*.c' 'apis/*.c' 'pymodule/*/*.c')
# shellcheck disable=SC2086  # the includes are words
printf '%s\0' "$@" | xargs -0 -n 4 -P "$(nproc)" sh -c '
  includes=$0
  clang-tidy --quiet "$@" -- -std=gnu11 -D_POSIX_C_SOURCE=200809L -I. $includes 2>/dev/null' "$includes"
echo "clang-tidy: $# files are clean"
