"""`PYTHON replays.py SCRIPT...`: runs replay scripts in this process, which has run nothing else, and
prints of each its path, exit status and last line, with tabs between."""
import contextlib
import io
import os
import runpy
import sys


def main(scripts: list) -> None:  # type: ignore[type-arg]
    for script in scripts:
        said = io.StringIO()
        status = 0
        try:
            with contextlib.redirect_stdout(said):
                runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        except BaseException as error:
            status = 3
            said.write("%s: %s" % (type(error).__name__, error))
        lines = said.getvalue().strip().splitlines() or [""]
        print("%s\t%d\t%s" % (script, status, lines[-1].replace("\t", " ")), flush=True)


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]
    main(sys.argv[1:])
