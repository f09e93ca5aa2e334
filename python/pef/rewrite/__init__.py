"""Source rewriting: how the target's own code comes to ask PEF about its values.

Native symbolic values see arithmetic, comparison and truth by themselves. What CPython settles
without consulting the value (the identity of two objects, an index, the argument of a C function)
is routed here to small native helpers, by rewriting the syntax tree before it is compiled.

The one law of the room: *code without symbolic values cannot tell that it was rewritten*. Same
results, same exceptions, same frames, same line and column for every instruction that can fail.

=============  ====================================================================
`names`        the helper names: the seam between this room and the native module
`scopes`       which binding a name refers to, decided from the syntax alone
`shapes`       facts about one expression (constant, list display, cannot be a str)
`places`       where CPython reports an instruction; lets helpers stand in its place
`transform`    the rewriting rules
`sites`        names every branch of a file, from the position of its instruction
`compiling`    source text in, rewritten code objects out
`naming`       from a file's path to the module name Python would give it
`loader`       the import hook
`adopt`        the same for functions that were loaded before PEF
=============  ====================================================================

What stays out: symbolic values, models, decisions. Nothing here imports the native module.
Import the submodules directly; this package imports none, so that it costs nothing to name.
"""
