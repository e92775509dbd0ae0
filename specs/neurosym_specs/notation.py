"""The written forms of spec values: the plain notation of TOML and JSON, and Python source.

``from_plain`` reads what ``to_plain`` writes back to an equal value. The plain notation:

=========================  =========================================================================
type                       plain
=========================  =========================================================================
int                        a whole number, or a string that reads as one
decimal                    a string or a number (``"10.10"``); with fixed ``places`` missing zeros are added
float                      a string or a number: the nearest float; ``"nan"``, ``"inf"``, ``"-inf"``, ``"-0.0"``
fraction                   as decimal, or ``"1/3"``
bool, str                  as they are
enum                       the choice
date                       a TOML date, or ``"2024-02-29"``
record                     a table by field; for ``as = "tuple"`` also an array in field order
list, tuple, set           an array
dict                       a table (its keys read like values), or an array of ``[key, value]`` pairs
none                       ``null``, a field left out, or ``{ none = true }``
=========================  =========================================================================
"""

from __future__ import annotations

from neurosym_specs._input_values import calls_from_json, calls_from_plain
from neurosym_specs._plain import date_from_plain, from_plain, inputs_to_plain, to_plain
from neurosym_specs._python_source import call_source, to_source
from neurosym_specs.membership import member_fault

__all__ = [
    "call_source",
    "calls_from_json",
    "calls_from_plain",
    "date_from_plain",
    "from_plain",
    "inputs_to_plain",
    "member_fault",
    "to_plain",
    "to_source",
]
