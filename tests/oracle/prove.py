"""Proves the programs of tests/programs/without_data on real TensorFlow with real data: each is right, and
its mistake is one. What was proved stands in proofs.txt, by a fingerprint of the program, so that CI runs
only what is new.

    tests/oracle/prove.py --python 2.21.0=PATH [--python 1.15.0=PATH] [--all]

PATH is a Python with that TensorFlow and pandas, scikit-learn, opencv, tqdm, matplotlib and PyYAML. Proves
what no line of proofs.txt has (with --all, everything), adds the lines, and drops those of programs that are
gone. Exits with 1 when a program is not as it should be.
"""
import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "programs"))
import data_programs  # noqa: E402

PROOFS = Path(__file__).with_name("proofs.txt")
LIMIT_S = 300


def to_prove():
    return [program for program in data_programs.programs() if not program.unproved]


def fingerprint(program):
    """Of all that a proof runs: the lines that make the data are lines of the text."""
    return hashlib.sha256(f"{program.version}\n{program.text}".encode()).hexdigest()[:16]


def kept():
    """The fingerprints of proofs.txt."""
    return {line.split()[0] for line in PROOFS.read_text(encoding="utf-8").splitlines()}


def write(programs):
    """Makes proofs.txt anew: these programs are proved."""
    rows = sorted((program.version, program.name, fingerprint(program)) for program in programs)
    lines = "".join(f"{key}  {version}  {name}\n" for version, name, key in rows)
    PROOFS.write_text(lines, encoding="utf-8")


def refuted(program, python, folder):
    """Why real TensorFlow does not agree with `program`, or None. Data and programs go to `folder`."""
    def run(text, name):
        (folder / name).write_text(text, encoding="utf-8")
        return subprocess.run([python, name], cwd=folder, capture_output=True, text=True, timeout=LIMIT_S,
                              env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""})

    for text, name in (("import os\nimport numpy as np\n" + program.setup, "setup.py"),
                       (program.text, "right.py")):
        done = run(text, name)
        if done.returncode:
            return f"{name} ends with {done.returncode}\n{done.stderr[-2000:]}"
    if program.bug and run(program.wrong, "wrong.py").returncode == 0:
        return f"the mistake in line {program.bug} is none"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", required=True, metavar="VERSION=PATH")
    parser.add_argument("--all", action="store_true", help="also what is proved already")
    options = parser.parse_args()
    pythons = dict(given.split("=", 1) for given in options.python)
    before = kept() if PROOFS.exists() else set()
    programs = to_prove()
    due = [program for program in programs
           if program.version in pythons and (options.all or fingerprint(program) not in before)]

    def proved(program):
        with tempfile.TemporaryDirectory() as folder:
            reason = refuted(program, pythons[program.version], Path(folder))
        print(f"{program.name}: {'proved' if reason is None else reason}", flush=True)
        return reason is None

    known = {fingerprint(program): program for program in programs}
    verdicts = {}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for program, verdict in zip(due, threads.map(proved, due)):
            verdicts[fingerprint(program)] = verdict
            write(known[key] for key in known if verdicts.get(key, key in before))
    print(f"{len(programs)} programs, {len(due)} run, {sum(verdicts.values())} of these proved")
    sys.exit(0 if all(verdicts.values()) else 1)


if __name__ == "__main__":
    main()
