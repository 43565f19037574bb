#!/usr/bin/env bash
# Every C file is as clang-format leaves it. `tests/tools/format.sh --fix` rewrites.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=(--dry-run --Werror)
[ "${1:-}" = "--fix" ] && mode=(-i)
git ls-files '*.c' '*.h' | xargs clang-format "${mode[@]}"
