"""Whether PEF became slower: figures of today against those that were committed last.

A figure is a cost divided by that of a yardstick, a fixed piece of plain Python and C, measured in
the same run on the same machine. Where times are too noisy, instructions are counted instead. What
single steps cost is told by `./bench micro`; here only a change counts.
"""
