#!/usr/bin/env bash
# What ShapeFlow says of the NVIDIA GPUs of this machine, beside what nvidia-smi and CUDA's own libraries say.
# Needs no network: for a machine with a GPU and nothing else of ours.
#   tests/tools/gpu_facts.sh [FOLDER]
# FOLDER may hold what the machine lacks, carried there: wheels (of shapeflow for its Python, of
# nvidia-cuda-runtime-cu12, of setuptools, of numpy) and uthash.h. Without a wheel of shapeflow the extension is built
# from this checkout. `gpu_facts.sh --carry FOLDER [VERSION...]` fills such a folder on a machine with network.
# Without a GPU it says that it is skipped. Ends with 1 when a GPU is there and ShapeFlow does not tell its name, memory and capability as CUDA does.
set -uo pipefail
cd "$(dirname "$0")/../.."

if [ "${1:-}" = --carry ]; then
  folder=$(realpath -m "$2")
  shift 2
  mkdir -p "$folder"
  cp "${UTHASH_INCLUDE:-/usr/include}"/uthash.h "$folder/"
  python3 -m pip download -q --no-deps -d "$folder" nvidia-cuda-runtime-cu12 setuptools
  for version in "$@"; do
    python=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python | sort -V | tail -1)
    "$python" -m pip wheel -q --no-deps --wheel-dir "$folder" . || exit 1
    "$python" -m pip download -q --no-deps -d "$folder" numpy || exit 1
  done
  ls -l "$folder"
  exit 0
fi

if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "SKIPPED ALOUD: no NVIDIA GPU is here (nvidia-smi lists none), so there is nothing to compare with"
  exit 0
fi

carried=$(realpath -m "${1:-/nonexistent}")
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
python=${PYTHON:-python3}
has() { "$python" -c "import $1" 2>/dev/null; }
carry() { "$python" -m pip install -q --no-index --no-deps --no-compile --target "$site" "$@"; }
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH} SHAPEFLOW_CACHE_DIR=$site/cache
shopt -s nullglob

echo "== this machine"
uname -sr
"$python" --version
nvidia-smi --query-gpu=name,memory.total,memory.free,compute_cap,clocks.max.sm,clocks.max.mem,driver_version \
  --format=csv || echo "nvidia-smi is not there"

echo "== building"
for name in numpy setuptools; do
  wheels=("$carried/$name"-*.whl)
  has "$name" || { [ ${#wheels[@]} -gt 0 ] && carry --find-links "$carried" "$name"; } || echo "no $name here"
done
wheels=("$carried"/nvidia_cuda_runtime_cu12-*.whl)
[ ${#wheels[@]} -eq 0 ] || carry "${wheels[0]}"
[ ! -f "$carried/uthash.h" ] || export UTHASH_INCLUDE=$carried
[ ! -d "$site/nvidia/cuda_runtime/include" ] || export CUDA_RUNTIME_INCLUDE=$site/nvidia/cuda_runtime/include
if "$python" -m pip install -q --no-index --no-deps --no-build-isolation --no-compile --target "$site" . \
     >"$site/build.log" 2>&1; then
  echo "built here from the sources"
elif carry --find-links "$carried" shapeflow; then
  echo "not built here, the wheel that was carried is used; the build said:"
  tail -5 "$site/build.log"
else
  tail -20 "$site/build.log"
  exit 1
fi
flow() { "$python" -m shapeflow "$@"; }

echo "== shapeflow doctor"
flow doctor | sed -n '/^gpus/,/^extras/p' | grep -v ^extras

echo "== each CUDA runtime that is here"
for library in $(ldconfig -p | awk '/libcudart\.so/ {print $NF}') /usr/local/cuda*/lib64/libcudart.so.1[123] \
    $("$python" -c "import sys, glob; print(*(p for s in sys.path for p in glob.glob(s + '/nvidia/*/lib/libcudart.so*')))"); do
  echo "$library"
  SHAPEFLOW_CUDART=$library flow doctor | sed -n '/^gpus/,/^extras/p' | grep -v "^extras\|^gpus"
done

echo "== contexts left behind (no process of ours may be listed)"
nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv 2>/dev/null

echo "== shapeflow check --devices auto, memory --device auto"
cat >"$site/train.py" <<'SCRIPT'
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4096])
with tf.device("/gpu:0"):
    h = x
    for n in (8192, 8192, 8192):
        h = tf.layers.dense(h, n, activation=tf.nn.relu)
    loss = tf.reduce_mean(h)
step = tf.train.AdamOptimizer().minimize(loss)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    session.run(tf.global_variables_initializer())
    session.run(step, {x: np.zeros([64, 4096], np.float32)})
SCRIPT
(cd "$site" && flow check --no-cache --devices auto train.py; echo "exit status $?"
 sed -i "s|/gpu:0|/gpu:7|; s|config=.*)) as|config=None) as|" train.py
 flow check --no-cache --no-suggestions --devices auto train.py; echo "exit status $? (GPU 7 is asked for)"
 sed -i 's|/gpu:7|/gpu:0|' train.py
 flow memory --device auto train.py; echo "exit status $?")

echo "== against CUDA's own words (PyTorch, where it is)"
flow doctor --json >"$site/doctor.json"
"$python" - "$site/doctor.json" <<'SCRIPT'
import json, subprocess, sys
said = json.load(open(sys.argv[1]))["gpus"]
gpus = [text for name, text in said.items() if name.startswith("GPU")]
try:
    import torch
    real = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
    facts = [(p.name, f"{p.total_memory / 2**30:.1f} GiB", f"capability {p.major}.{p.minor}",
              f"{p.multi_processor_count} SMs") for p in real]
except ImportError:
    rows = subprocess.run(["nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout.splitlines()
    facts = [(name, f"capability {cap.strip()}") for name, cap in (row.split(",") for row in rows)]
wrong = [(fact, text) for words, text in zip(facts, gpus) for fact in words if fact not in text]
print(f"{len(gpus)} told, {len(facts)} there" + "".join(f"\n  {f!r} is not in: {t}" for f, t in wrong))
sys.exit(bool(wrong) or len(gpus) != len(facts))
SCRIPT
status=$?
[ "$status" = 0 ] && echo "the same" || echo "DIFFERENT"
exit "$status"
