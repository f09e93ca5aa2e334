"""What the single things that PEF does cost, and how the cost grows.

`./bench micro` is for whoever makes the engine faster: it takes an exploration apart into
operations, decisions, queries, replays and paths. What users are promised is measured by
`pef bench`, other tools by `./bench versus`; whether a figure got worse is for `./bench guard` to
tell.
"""
