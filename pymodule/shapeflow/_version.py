"""The version of ShapeFlow, in one place: setup.py and the command line read it here."""
__version__ = "0.1.0"
