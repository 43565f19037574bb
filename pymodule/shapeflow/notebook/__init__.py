"""Notebooks: files of them as programs, and the extension of IPython."""
