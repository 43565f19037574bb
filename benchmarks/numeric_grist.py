"""The seconds that GRIST needs for a witness, beside ours, on one machine and one TensorFlow 1.15.

python benchmarks/numeric_grist.py --programs scripts/study_case --tensorflow PYTHON [--limit 120] [ID_20 ...]

The programs are those of benchmarks/numeric.py; of each, X_grist.py is the authors' own search, which is run
as it is, by PYTHON, and ends with "FINAL RESULTS ... Success": its seconds are those that it says, from where
it begins to search to where it has NaN. Ours are the same of the search at the known bug, but for one thing:
they have the making of its derivatives, which theirs have not. Both leave out the start of Python and
TensorFlow, which `all` has. All are seconds of processor time, so that what else the machine does counts for
neither: the twin's clock says those (`datetime.now`). Of a twin that does not end within the limit (>) the
start is in what it took; --start is what is taken off for it.
"""
import argparse
import os
import re
import resource
import signal
import subprocess
from pathlib import Path
from statistics import geometric_mean

from numeric import analysed, known_lines, programs, twin_of

# Starts a twin with a clock of processor time; compiled packages take no other class for a datetime.
_START = """\
import datetime, importlib, resource, runpy, sys, time
for name in ("tensorflow", "pandas", "matplotlib.pyplot", "sklearn.preprocessing", "scipy.stats"):
    try:
        importlib.import_module(name)
    except ImportError:
        pass
class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.process_time(), tz)
datetime.datetime = Clock
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
sys.argv = sys.argv[2:]
sys.path.insert(0, "")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_ENDED = re.compile(r"FINAL RESULTS.*Success.*Time cost: <(\d+):(\d+):([\d.]+)>")


def spent():
    """Seconds of processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_authors(python, script, root, limit):
    """(seconds of the search, or None where it did not succeed; of the process; what it said at last)."""
    begun = spent()
    folders = [str(root.parent.parent), str(root.parent), os.environ.get("PYTHONPATH", "")]
    try:
        done = subprocess.run([str(python), "-u", "-c", _START, str(limit), twin_of(script).name],
                              cwd=script.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=20 * limit,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(folders), "MPLBACKEND": "agg"})
    except subprocess.TimeoutExpired:
        return None, spent() - begun, "no end within the limit"
    seconds = spent() - begun
    if done.returncode == -signal.SIGKILL:
        return None, seconds, "no end within the limit"
    ended = _ENDED.search(done.stdout)
    if ended is None:
        return None, seconds, (done.stdout.strip().splitlines() or ["?"])[-1]
    hours, minutes, rest = ended.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(rest), seconds, ""


def ours(python, subject, script, root, search_time):
    """(seconds until it broke, or None without a witness; of all processes)."""
    begun = spent()
    document, _, _ = analysed(script, root, [
        "--confirm", "--tensorflow", str(python), "--search-time", str(search_time),
        "--witnesses", "/tmp/shapeflow_witnesses", "--time-limit", "60"])
    known = known_lines(script, root / subject)
    suspects = document["suspects"] if document else []
    found = [s["witness"]["found_after_cpu"] for s in suspects
             if s["line"] in known.get(os.path.normpath(s["file"]), ())
             and s.get("witness", {}).get("status") == "found"]
    return min(found) if found else None, spent() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--tensorflow", required=True)
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time of a twin")
    parser.add_argument("--search-time", default="30")
    parser.add_argument("--start", type=float, default=6, help="seconds of a twin that does not end")
    parser.add_argument("subjects", nargs="*", help="ID_20 ...: these alone")
    given = parser.parse_args()
    root = given.programs.resolve()
    ratios, totals = [], [0.0, 0.0, 0.0, 0.0]
    print(f"{'program':42} {'GRIST':>8} {'all':>7} {'ours':>8} {'all':>7} {'ratio':>8}")
    for subject, script in programs(root):
        if given.subjects and subject not in given.subjects:
            continue
        theirs, their_all, said = of_authors(given.tensorflow, script, root, given.limit)
        is_late = said.startswith("no end")
        mine, my_all = ours(given.tensorflow, subject, script, root, given.search_time)
        least = their_all - given.start if is_late else theirs
        ratio = None if mine is None or least is None else least / max(mine, 0.001)
        if ratio is not None:
            ratios.append(ratio)
            totals = [total + one for total, one in zip(totals, (least, their_all, mine, my_all))]
        print(f"{subject + ' ' + script.name:42} {('>' if is_late else '') + number(least):>8} "
              f"{number(their_all):>7} {number(mine):>8} {number(my_all):>7} "
              f"{('>' if is_late else '') + number(ratio):>8}  {'' if is_late else said[:70]}", flush=True)
    if ratios:
        print(f"{len(ratios)} compared: {sum(r >= 10 for r in ratios)} at least ten times faster, "
              f"geometric mean {geometric_mean(ratios):.1f}, least {min(ratios):.1f}")
        print("together: GRIST at least {:.0f} s (processes {:.0f}), ours {:.0f} s ({:.0f}), 1/{:.0f}".format(
            *totals, totals[0] / totals[2]))


def number(value):
    return "-" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


if __name__ == "__main__":
    main()
