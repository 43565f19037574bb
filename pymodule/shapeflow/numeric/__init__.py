"""Where the numbers of a program may break: NaN, infinity, a derivative that is neither.

`suspects` asks the core for the operations whose operands may hold what they cannot take, and says of
each what `Suspect` declares: the contract between this analysis, its renderers and the search for witnesses
(which starts from a `Document` and the graph that its suspects are in). Nothing here imports TensorFlow.
"""
