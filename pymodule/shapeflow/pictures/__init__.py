"""Pictures of the shape graph: `collect` makes a document of it inside the run, `page`, `svg`, `png` and
`dot` draw one. A document is plain data (graph.schema.json says which); docs/graph.md describes it.

Nothing here is loaded by `import shapeflow` or by `shapeflow check`.
"""
