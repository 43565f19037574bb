"""A backend of Keras 3 in a process of its own.

Its Python has Keras and the framework and need not have shapeflow (only the worker that answers for shapes
has it): nothing here imports it otherwise. serve.py says what is said over its pipes.
"""
