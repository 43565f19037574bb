#!/usr/bin/env bash
# Hunts ops that break a law of fuzz_ops.c (see hunt.c): each op for MILLISECONDS, all of them or those
# that are named, from random numbers of SEED. Built without AddressSanitizer, so that it is fast.
#   tests/fuzz/hunt.sh MILLISECONDS SEED [OP ...]
# What is found is told and kept in build-hunt/found, one input a law and op; the run goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake -S . -B build-hunt -DCMAKE_C_COMPILER=clang -DSF_HUNT=ON -DSF_TESTS=OFF >/dev/null
cmake --build build-hunt -j"$(nproc)" --target fuzz_hunt
exec build-hunt/fuzz_hunt build-hunt/found "$@"
