"""`python -m shapeflow`: the same command as `shapeflow`."""
from shapeflow.cli import run

if __name__ == "__main__":
    run()
