"""The first process of a jail: preload, give up rights, fork the zygote, tell the host which layers hold, wait.

Started as `python -s -S -P -B -c BOOT package-folder configuration` (see `_host`), so that neither site packages nor
this package's public modules are loaded into what children are forked from.
"""

from __future__ import annotations

import json
import os
import socket
from typing import NoReturn

from neurosym_sandbox import _preload, _rights
from neurosym_sandbox._layers import Builder
from neurosym_sandbox._namespaces import NamespacesFailed
from neurosym_sandbox._zygote import CONTROL, Zygote


def main(configuration: str) -> NoReturn:
    """Runs the launcher with a configuration in JSON: control descriptor, hash seed, layers to leave out."""
    settings = json.loads(configuration)
    _arrange_descriptors(settings["control"])
    _preload.preload()
    if settings["folders"]:
        _preload_data(settings["folders"], settings["hash_seed"])
    threads = _rights.thread_count()
    if threads != 1:
        _refuse(f"what it preloads started {threads - 1} threads, and a process with threads cannot be forked safely")
    base_bytes = _rights.address_space_bytes()
    builder = Builder(frozenset(settings["without"]), base_bytes, settings["host"])
    try:
        builder.before_fork()
        pid = os.fork()
        if pid:
            _wait_for(pid)
        _become_zygote(builder, base_bytes, settings["hash_seed"])
    except NamespacesFailed as error:
        _tell({"namespaces_failed": str(error)})
        os._exit(1)
    except BaseException as error:
        _tell({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)


def _become_zygote(builder: Builder, base_bytes: int, hash_seed: int) -> NoReturn:
    _rights.die_with_parent()
    builder.in_zygote()
    os.environ.clear()
    control = socket.socket(fileno=CONTROL)
    zygote = Zygote(
        control, builder.filter, base_bytes, hash_seed, rlimits=builder.rlimits, recording=builder.recording
    )
    _preload.seal(hash_seed)
    _tell({"layers": builder.report(), "landlock_abi": builder.landlock_abi})
    zygote.run()


def _arrange_descriptors(control: int | str) -> None:
    """Leaves an empty pipe as stdin, stdout and stderr as given, the control socket as 3, and nothing else.

    The control socket is inherited, or to be found at a path.
    """
    if isinstance(control, str):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
            door.connect(control)
            control = os.dup(door.fileno())
    if control != CONTROL:
        os.dup2(control, CONTROL)
    _rights.close_from(CONTROL + 1)
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.close(reader)
    os.close(writer)


def _preload_data(folders: list[str], seed: int) -> None:
    try:
        _preload.preload_data(folders, seed)
    except Exception as error:  # whatever a package that does not fit raises when it is imported
        _refuse(f"numpy or pandas cannot be imported: {type(error).__name__}: {error}")


def _refuse(reason: str) -> NoReturn:
    _tell({"failed": reason})
    raise SystemExit(1)


def _tell(message: object) -> None:
    os.write(CONTROL, json.dumps(message).encode())


def _wait_for(pid: int) -> NoReturn:
    _rights.forbid_dumps()
    os.close(CONTROL)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0x7F)
