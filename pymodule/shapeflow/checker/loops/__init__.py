"""Loops that repeat are not repeated: docs/loops.md has the rule and its argument.

instrument.py compiles the user's modules so that their loops and conditions are seen; state.py says what a
turn of a loop changes; forecast.py computes conditions of turns that are still to come; watch.py leaves
loops; own.py does so for the loops that are ours.
"""
