# Shared by examples/demo.sh and tests/run.sh: finds Python and installs what the system lacks.
# Says what it does and how long it took; uses sudo only when not root; leaves a system without apt to its owner.

# sf_step WORDS COMMAND...: runs it, saying WORDS before and the seconds after, which in a terminal are
# counted while it runs; what it prints is shown when it fails.
sf_step() {
  local words=$1 log counter="" status=0 began=$SECONDS
  shift
  log=$(mktemp)
  printf '%s ...' "$words"
  if [ -t 1 ]; then
    while sleep 1 && kill -0 $$ 2>/dev/null; do
      printf '\r%s ... %d s' "$words" $((SECONDS - began))
    done &
    counter=$!
  fi
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ -n "$counter" ]; then
    kill "$counter"
    wait "$counter" 2>/dev/null || true
    printf '\r%s ...' "$words"
  fi
  printf ' %d s\n' $((SECONDS - began))
  if [ "$status" != 0 ]; then
    tail -60 "$log" >&2
    echo "failed (exit status $status): $*" >&2
  fi
  rm -f "$log"
  return "$status"
}

# A usable Python: $PYTHON, else python3.
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
  python=$(sf_python 2>/dev/null) || wanted+=(python3)
  if [ -z "$python" ] || [ "$(readlink -f "$python" | cut -d/ -f1-3)" = /usr/bin ]; then
    wanted+=(python3-dev python3-venv)
  fi
  for name in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo "${as_root[@]}")
    sudo true # asks for the password here, not below, where nothing is seen
  fi
  sf_step "the system's list of packages (apt-get update)" "${as_root[@]}" apt-get update -qq
  sf_step "installing from the system's packages: ${missing[*]}" \
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
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
