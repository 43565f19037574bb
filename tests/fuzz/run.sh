#!/usr/bin/env bash
# Builds the libFuzzer targets (clang, AddressSanitizer, UndefinedBehaviorSanitizer) into build-fuzz and
# runs each for SECONDS, from the seeds and the past findings in tests/fuzz/corpus.
#   tests/fuzz/run.sh [SECONDS] [TARGET ...]     60 seconds each, all targets: ops sig graphdef
# What they find on the way is kept in build-fuzz/corpus, so that the next run goes on from there; an
# input that fails is left in build-fuzz as TARGET-crash-..., and the run ends with status 1.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(ops sig graphdef)
cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DSF_FUZZ=ON -DSF_TESTS=OFF >/dev/null
cmake --build build-fuzz -j"$(nproc)" --target "${targets[@]/#/fuzz_}"
# CI's minute runs the same inputs each time, so that what it finds is of the change, not of chance:
# one seed, the corpus in one order (a folder's is the file system's), the same addresses (libFuzzer
# learns from what it sees compared, pointers too), and nothing kept from the run before.
# Leaks are looked for at the end: after each input that interned something it took nine tenths of the
# time. The entropic schedule took two thirds of the rest: it keeps books of every feature of an input.
fixed=()
run=()
options=(-detect_leaks=0 -entropic=0 -max_len=4096 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1)
if [ "$seconds" -le 60 ]; then
  fixed=(-seed=1 -runs=30000)
  ! setarch -R true 2>/dev/null || run=(setarch -R)
fi
for target in "${targets[@]}"; do
  echo "--- fuzz_$target: $seconds s"
  found=build-fuzz/corpus/$target
  inputs=("$found" "tests/fuzz/corpus/$target")
  mkdir -p "$found"
  if [ ${#fixed[@]} -gt 0 ]; then
    inputs=(-seed_inputs="$(printf '%s\n' "tests/fuzz/corpus/$target"/* | LC_ALL=C sort | paste -sd,)")
  fi
  if ! "${run[@]}" build-fuzz/fuzz_"$target" -max_total_time="$seconds" "${fixed[@]}" "${options[@]}" \
      -artifact_prefix="build-fuzz/$target-" "${inputs[@]}" >"build-fuzz/$target.log" 2>&1; then
    grep -v '^#' "build-fuzz/$target.log" | tail -60
    exit 1
  fi
  grep -E '^#[0-9]+.*DONE|^stat::' "build-fuzz/$target.log"
done
