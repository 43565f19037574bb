"""Loops that repeat are not repeated: docs/loops.md has the rule and its argument.

instrument.py marks the loops and conditions of the user's modules, which places.py lists; watch.py is asked
at the head of a turn; analysis.py reads in the source, and state.py in the frame, what a turn changes;
forecast.py computes conditions of turns that are still to come; plan.py leaves turns out. Only instrument.py
and places.py are loaded for each script.
"""
