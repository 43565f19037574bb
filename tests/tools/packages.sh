# Shared by examples/demo.sh and tests/run.sh: finds Python and installs what the system lacks.
# Says what it installs; uses sudo only when not root; leaves a system without apt to its owner.

# The newest usable Python: $PYTHON, else python3.
sf_python() {
  local python=${PYTHON:-python3}
  if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "shapeflow: needs Python 3.9 or newer (set PYTHON to one)" >&2
    return 1
  fi
  command -v "$python"
}

# Installs the Debian packages that are not installed yet, and the headers of a system Python.
sf_packages() {
  command -v dpkg-query >/dev/null || { echo "no dpkg here: please provide: $*"; return 0; }
  local wanted=("$@") missing=() name
  local python
  python=$(sf_python) || wanted+=(python3)
  if [ -z "$python" ] || [ "$(readlink -f "$python" | cut -d/ -f1-3)" = /usr/bin ]; then
    wanted+=(python3-dev python3-venv)
  fi
  for name in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "installing from the system's packages: ${missing[*]}"
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# clang with libFuzzer and the sanitizers' runtime, which Debian packages by the version of clang.
# Status 1 when there is none to be had.
sf_fuzzer() {
  local probe=(clang -x c - -fsanitize=fuzzer,address -o /dev/null)
  local code='#include <stddef.h>
    int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) { (void)d; return n > 9; }'
  sf_packages clang
  "${probe[@]}" <<<"$code" 2>/dev/null && return 0
  sf_packages "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" || true
  "${probe[@]}" <<<"$code" 2>/dev/null
}
