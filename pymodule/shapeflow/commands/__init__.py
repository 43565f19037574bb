"""One module for each subcommand of `shapeflow`: `OPTIONS`, its words, and `run(arguments, rest)`.

Only the module of the command that was asked for is imported.
"""
