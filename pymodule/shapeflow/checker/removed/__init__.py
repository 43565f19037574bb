"""Names that packages have dropped, package by package (restore.py)."""
