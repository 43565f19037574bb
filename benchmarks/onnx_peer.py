"""Shape inference of ResNet-50 and BERT-base: our C on the GraphDef against ONNX's C++ on the same model.

    PYTHON benchmarks/onnx_peer.py FOLDER BUILD/benchmarks/bench_graphdef

PYTHON has onnx; FOLDER was written by onnx_models.py. Both read serialised bytes and infer every node, in
turns in one run; the best of each counts.

`all`: read, build and infer, for each operation: our Const and Identity nodes, which ONNX has as
initialisers, are in the time but not in the number. `infer`: the inference of all nodes alone, for
each node. ONNX: onnx.shape_inference.infer_shapes(model), as its users call it, and its C++ function
from bytes to bytes.
"""
import argparse
import subprocess
import time
from pathlib import Path

import onnx
import onnx.onnx_cpp2py_export.shape_inference as cpp
import onnx.shape_inference


def best_of(seconds, call, *arguments):
    """Nanoseconds of CPU of the best call."""
    best, end = float("inf"), time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.process_time_ns()
        call(*arguments)
        best = min(best, time.process_time_ns() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", help="bench_graphdef, built with -DSF_BENCHMARKS=ON")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each side and model")
    args = parser.parse_args()
    print("onnx %s; nanoseconds a node" % onnx.__version__)
    print("%-9s %6s %6s %6s %6s %8s %8s %22s" % (
        "", "nodes", "all", "infer", "nodes", "onnx", "C++", "onnx/infer, onnx/all"))
    for path in sorted(args.folder.glob("*.pb")):
        data = path.with_suffix(".onnx").read_bytes()
        model = onnx.load_from_string(data)
        ours, inference, theirs, bare = [], [], [], []
        for _ in range(3):
            said = subprocess.run([args.program, path, str(args.seconds / 3)], check=True,
                                  capture_output=True, text=True).stdout.split()
            ours.append(int(said[2]) / int(said[1]))
            inference.append(int(said[3]) / int(said[0]))
            theirs.append(best_of(args.seconds / 3, onnx.shape_inference.infer_shapes, model))
            bare.append(best_of(args.seconds / 3, cpp.infer_shapes, data, False, False, False))
        nodes = len(model.graph.node)
        its = min(theirs) / nodes
        print("%-9s %6s %6.0f %6.0f %6d %8.0f %8.0f %14.1f %7.1f" % (
            path.stem, said[0], min(ours), min(inference), nodes, its, min(bare) / nodes,
            its / min(inference), its / min(ours)))


if __name__ == "__main__":
    main()
