"""Processes that read what nobody trusts: started when first wanted, killable, replaced when they die or hang.

A ``Worker`` is the host's end. Its process (``zygote.py``) prepares a service once and forks for each request, so that
every request meets the same state, under limits on memory and time.
"""

from neurosym.workers.host import Broken, Limits, Worker

__all__ = ["Broken", "Limits", "Worker"]
