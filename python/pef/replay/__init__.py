"""Replays calls in plain CPython, so that nothing is reported that was not seen.

This room knows nothing of symbolic values, terms or rewriting: source text of arguments goes in,
what plain Python did comes out. `worker` is the other process, `client` this side of the pipe. The
package imports neither, because the worker must start without the rest of PEF.
"""
