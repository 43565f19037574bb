"""Loops that repeat are not repeated: docs/loops.md has the rule and its argument.

watch.py is asked at the head of a turn; instrument.py marks the loops and conditions of the user's modules,
which places.py lists; state.py says what a turn changes; forecast.py computes conditions of turns that are
still to come; plan.py leaves turns out. Only watch.py and places.py are loaded for each script.
"""
