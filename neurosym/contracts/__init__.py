"""Contracts that stand in code, read as specs: icontract, deal, asserts, PEP 316 docstrings.

Nothing is run. ``reading`` goes through a module, ``conditions`` are what it finds of each way of writing contracts,
``translating`` turns them into the expression language where both say the same of every value, ``writing`` makes the
spec's TOML. What has no counterpart is ``Unread``: it is named, and never counts as checked.
"""
