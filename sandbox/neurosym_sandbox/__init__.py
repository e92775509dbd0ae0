"""Runs untrusted Python in a jail of this machine's kernel, and tells what happened; standard library only.

with Jail() as jail, jail.open(Program(source, "f")) as session:
    outcome = session.call((Decimal("10.00"), 3))
"""

from neurosym_sandbox.errors import JailLost, SandboxError, SandboxUnavailable
from neurosym_sandbox.jail import Jail
from neurosym_sandbox.levels import LAYER_NAMES, JailRecord, Layer, Level
from neurosym_sandbox.limits import DATA_IMPORTS, DEFAULT_IMPORTS, Limits, Module, Package, Program
from neurosym_sandbox.outcomes import (
    BadValue,
    Crashed,
    ExceptionInfo,
    Exited,
    Loaded,
    LoadFailed,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Raised,
    RefusedCall,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
    Usage,
)
from neurosym_sandbox.session import Session
from neurosym_sandbox.values import EnumMember, Instance, NumpyScalar

__all__ = [
    "DATA_IMPORTS",
    "DEFAULT_IMPORTS",
    "LAYER_NAMES",
    "BadValue",
    "Crashed",
    "EnumMember",
    "ExceptionInfo",
    "Exited",
    "Instance",
    "Jail",
    "JailLost",
    "JailRecord",
    "Layer",
    "Level",
    "Limits",
    "LoadFailed",
    "Loaded",
    "MemoryExceeded",
    "Module",
    "NumpyScalar",
    "Outcome",
    "OutputExceeded",
    "Package",
    "Program",
    "Raised",
    "RefusedCall",
    "ResultExceeded",
    "Returned",
    "SandboxError",
    "SandboxUnavailable",
    "Session",
    "Tampered",
    "TimedOut",
    "Usage",
]
