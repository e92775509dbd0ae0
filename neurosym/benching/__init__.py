"""Sets of candidates as benchmarks: what came out, kept as a history, and whether it got worse.

The command is ``neurosym bench``; ``docs/bench.md`` describes it. ``exams`` (labelled candidates), ``cases`` (a
candidate with what came out), ``history`` (runs in a chained log), ``comparing`` (two runs, by the tasks that both
have). The statistics are in ``neurosym.figures``.
"""
