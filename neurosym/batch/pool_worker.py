"""One process of a pool: it is equipped by its first message, and then answers one call after the other.

A thread of its own reads what comes, so that the end of the pool, whose pipe closes with it, ends this process and the
solvers it started at once, whatever it is at.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from typing import IO

from neurosym.batch.memory import memory_of_tree
from neurosym.batch.messages import Failed, Reply, Returned, receive_bytes, send


def main() -> None:
    """Serves the pool at standard input and output, which nothing else in this process gets to see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    coming, going = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(coming, messages), daemon=True).start()
    initializer, arguments = pickle.loads(messages.get())
    failed: BaseException | None = None
    try:
        initializer(*arguments)
    except Exception as error:
        failed = error  # every call is answered with it: it says what is wrong with this place
    while body := messages.get():
        reply = _answer(body) if failed is None else Failed(failed, 0)
        send(going, _packed(reply))
    sys.exit(0)  # closes what was opened, as any program's end does


def _listen(coming: IO[bytes], messages: queue.SimpleQueue[bytes]) -> None:
    try:
        while True:
            body = receive_bytes(coming)
            messages.put(body)
            if not body:
                return
    except EOFError:
        os.killpg(os.getpgrp(), signal.SIGKILL)


def _answer(body: bytes) -> Reply:
    try:
        function, args, kwargs = pickle.loads(body)
        return Returned(function(*args, **kwargs), memory_of_tree())
    except Exception as error:
        error.add_note(traceback.format_exc())
        return Failed(error, memory_of_tree())


def _packed(reply: Reply) -> bytes:
    """The reply, or what it says where it cannot be pickled, or could not be read as an exception again."""
    try:
        body = pickle.dumps(reply)
        if isinstance(reply, Failed):
            pickle.loads(body)
        return body
    except Exception as error:
        what = reply.error if isinstance(reply, Failed) else error
        return pickle.dumps(Failed(RuntimeError(f"{type(what).__name__}: {what}"), reply.memory_bytes))


if __name__ == "__main__":
    main()
