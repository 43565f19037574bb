#!/usr/bin/env bash
# Builds the libFuzzer targets (clang, AddressSanitizer, UndefinedBehaviorSanitizer) and runs them from the
# seeds and the past findings in tests/fuzz/corpus.
#   tests/fuzz/run.sh SECONDS [TARGET ...]  each for SECONDS, all targets: ops sig graphdef. What they find
#                                           on the way is kept in build-fuzz/corpus: the next run goes on
#   tests/fuzz/run.sh fixed [TARGET ...]    CI's: the same inputs each time, about half a minute each
# An input that fails is left in the build's folder as TARGET-crash-..., and the run ends with status 1.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?SECONDS or fixed}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(ops sig graphdef)
# What CI finds is to be of the change, not of chance. Guided by coverage, other inputs are tried with each
# change, and in each folder: hashes of pointers and __FILE__ are enough. So coverage is left out there,
# and the mutations depend on the seed, the corpus and its order (a folder's is the file system's).
build=build-fuzz
guided=ON
if [ "$seconds" = fixed ]; then
  build=build-fuzz-fixed
  guided=OFF
fi
cmake -S . -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache)" -DSF_FUZZ=ON -DSF_FUZZ_GUIDED=$guided \
  -DSF_TESTS=OFF >/dev/null
cmake --build "$build" -j"$(nproc)" --target "${targets[@]/#/fuzz_}"
# Leaks are looked for at the end: after each input that interned something it took nine tenths of the
# time. The entropic schedule took two thirds of the rest: it keeps books of every feature of an input.
options=(-detect_leaks=0 -entropic=0 -max_len=4096 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1)
fuzz() {  # fuzz TARGET
  local target=$1 status=0 inputs seeds=tests/fuzz/corpus/$1
  if [ "$seconds" = fixed ]; then
    inputs=(-seed=1 -runs=500000 -keep_seed=1
      -seed_inputs="$(printf '%s\n' "$seeds"/* | LC_ALL=C sort | paste -sd,)")
  else
    mkdir -p "$build/corpus/$target"
    inputs=(-max_total_time="$seconds" "$build/corpus/$target" "$seeds")
  fi
  "$build/fuzz_$target" "${options[@]}" -artifact_prefix="$build/$target-" "${inputs[@]}" \
    >"$build/$target.log" 2>&1 || status=$?
  echo "$status" >"$build/$target.status"
}
# Side by side, as each needs one core; what one finds does not end the others.
for target in "${targets[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  fuzz "$target" &
done
wait
failed=0
for target in "${targets[@]}"; do
  echo "--- fuzz_$target: $seconds"
  if [ "$(cat "$build/$target.status")" = 0 ]; then
    grep -E '^#[0-9]+.*DONE|^stat::' "$build/$target.log"
  else
    failed=1
    grep -v '^#' "$build/$target.log" | tail -60
  fi
done
exit $failed
