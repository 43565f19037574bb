"""`python -m shapeflow`: the same command as `shapeflow`."""
import sys

from shapeflow.cli import main

if __name__ == "__main__":
    sys.exit(main())
