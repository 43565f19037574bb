"""What TensorFlow has in Python, in TensorFlow's own folders; a module loads when a name of it is first used.

The folders are here and not one level up because `import shapeflow as tf` makes `shapeflow.keras`,
`shapeflow.compat`, `shapeflow.contrib` and `shapeflow.python` names of TensorFlow's: a package of such a
name would hide them.
"""
