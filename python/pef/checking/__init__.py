"""`pef check`: from files and folders to findings and verdicts.

`discovery` finds what there is to analyse without running it. `supervisor` shares the work out and
never runs any of it: `server` imports a module rewritten and forks a worker for each function,
`analysis` explores in the worker, `judge` decides which endings are suspicious. Every suspicion is
replayed in plain CPython; `findings` says what that showed. What a report looks like is decided
elsewhere (`crates/report`).
"""
