"""The search for witnesses, on real TensorFlow.

Runs in a process of its own whose interpreter has TensorFlow (1.15 or 2.x) and need not have shapeflow:
nothing here imports it, and all of it runs on Python 3.7. worker_start.py starts it with a folder that holds
the graph and what the script fed; see serve.py for what is said over its pipes.
"""
