"""Figures from the logs of ``solve``: execution, correctness, failures, tokens, money, latency."""
