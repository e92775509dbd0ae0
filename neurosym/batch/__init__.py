"""Thousands of candidates: a manifest of jobs, workers that judge them, a store that keeps each result.

The command is ``neurosym batch``; ``docs/batch.md`` describes it. The parts, in the order in which a job meets them:
``manifest`` (what is asked), ``planning`` (what is known before anything runs), ``store`` (one sqlite file),
``running`` (what is handed out when), an executor (``pool`` on this machine, ``cluster`` on Dask), ``serving`` (what
a worker does with a job), ``outline`` (a result in one row), ``merging`` (of shards).
"""
