"""Who writes candidates: a model behind an endpoint, a command, a recording, a script; one seam for all of them."""

from __future__ import annotations

from neurosym.generators.cassette import Recording
from neurosym.generators.request import (
    IS_GONE,
    Answer,
    Message,
    NoReply,
    NoReplyKind,
    OnProgress,
    Reply,
    Request,
    Usage,
)
from neurosym.generators.scripted import Scripted
from neurosym.generators.seam import Generator, ModelFault, Settings, names, open_generator

__all__ = [
    "IS_GONE",
    "Answer",
    "Generator",
    "Message",
    "ModelFault",
    "NoReply",
    "NoReplyKind",
    "OnProgress",
    "Recording",
    "Reply",
    "Request",
    "Scripted",
    "Settings",
    "Usage",
    "names",
    "open_generator",
]
