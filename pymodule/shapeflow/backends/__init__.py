"""The backends of Keras 3 against each other: `shapeflow backends`.

Each backend runs in a process of its own (worker/), which keeps its framework loaded; nothing here imports
one. `process` starts and asks workers, `models` reads and makes what they run, `distances` says how far
results are apart, `comparing` finds which layer, phase and backend it is. `generator` makes models that are
valid, by the shapes that our TensorFlow gives (a worker, too); `genetic` searches parameters, inputs and
weights; `reduce` makes a finding small, `store` and `results` keep it. Sources: CRADLE (ICSE 2019), Audee
(ASE 2020), Muffin (ICSE 2022).
"""
