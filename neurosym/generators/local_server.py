"""A server on this machine that speaks OpenAI's chat completions, with a script instead of a model, and with faults.

It belongs to the package and not to its tests because whoever brings a generator, a prompt or a product of their own
needs the same thing: a whole run over real HTTP without network, key or model.

    with LocalServer([Fault.BUSY, "```python\\n...```"]) as server:
        solve(spec, base_url=server.base_url, ...)
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from neurosym.fences import code_blocks
from neurosym.generators.constraint import FIELDS, Form

_PIECE = 24
"""Characters in one piece of a streamed reply."""


class Fault(StrEnum):
    """What can go wrong on the way, in the place of one reply."""

    BUSY = "busy"
    OVERLOADED = "overloaded"
    QUOTA = "quota spent"
    BAD_KEY = "bad key"
    NO_SUCH_MODEL = "no such model"
    NO_MAX_TOKENS = "takes no max_tokens"
    SLOW = "slow"
    ONLY_COMMENTS = "only comments"
    ENDLESS_LINE = "endless line"
    CUT_OFF = "cut off"
    MALFORMED = "malformed"
    NO_COMPLETION = "no completion"
    ERROR_INSIDE = "error inside the stream"
    REFUSED = "refused"
    FILTERED = "filtered"
    NO_CHOICE = "no choice"
    EMPTY_TEXT = "empty text"


@dataclass(frozen=True, slots=True)
class Said:
    """One reply of the script. ``model``: who says it, by default the one that was asked; ``finish``: why it ended."""

    text: str
    model: str = ""
    finish: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


Turn = str | Said | Fault | Callable[[Mapping[str, Any]], str]
"""A text, a reply, a fault, or a function of the request's body."""

_STATUS: Mapping[Fault, tuple[int, str, str | None, str | None]] = {
    Fault.BUSY: (429, "too many requests", "rate_limit_exceeded", None),
    Fault.OVERLOADED: (503, "the server is overloaded", None, None),
    Fault.QUOTA: (429, "you exceeded your current quota", "insufficient_quota", None),
    Fault.BAD_KEY: (401, "incorrect API key provided", "invalid_api_key", None),
    Fault.NO_SUCH_MODEL: (404, "the model does not exist", "model_not_found", None),
    Fault.NO_MAX_TOKENS: (400, "use max_completion_tokens", "unsupported_parameter", "max_tokens"),
    Fault.FILTERED: (400, "the prompt was filtered", "content_filter", None),
}


class LocalServer:
    """A context manager: while it is open it answers at ``base_url``, each request with the next turn of its script.

    Behind the last turn it answers 404. ``requests`` are the bodies that came, ``keys`` the keys that came with them.
    ``offers``: the forms that it holds replies to (``grammar``, ``json_schema``), while it answers 400 where another is
    asked for; by default it takes all and holds to none, as some endpoints do.
    """

    def __init__(self, script: Iterable[Turn], *, slow_s: float = 30.0, offers: Collection[str] | None = None) -> None:
        self._script = iter(script)
        self._lock = threading.Lock()
        self.slow_s = slow_s
        self.offers = None if offers is None else frozenset(offers)
        self.closing = threading.Event()
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self._server = _Server(("127.0.0.1", 0), type("_Handler", (_Handler,), {"owner": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> LocalServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_turn(self, body: dict[str, Any], key: str) -> Turn:
        """Keeps the request, and gives what comes for it."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            return next(self._script, Fault.NO_SUCH_MODEL)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: LocalServer

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: whoever wants to know reads ``requests``."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        if self.path != "/v1/chat/completions":
            self._error(404, f"there is no {self.path}", None, None)
            return
        form = next((each for each in Form if FIELDS[each] in body), None)
        if form is not None and self.owner.offers is not None and form not in self.owner.offers:
            self.owner.requests.append(body)
            self._error(400, f"unrecognized request argument: {FIELDS[form]}", "unknown_parameter", FIELDS[form])
            return
        turn = self.owner.next_turn(body, self.headers.get("Authorization", "").removeprefix("Bearer "))
        match turn:
            case Fault() if turn in _STATUS:
                status, message, code, param = _STATUS[turn]
                key = f": {self.headers.get('Authorization', '')}" if turn is Fault.BAD_KEY else ""
                self._error(status, message + key, code, param)
            case Fault():
                self._broken(turn, body)
            case str():
                self._say(Said(turn), body)
            case Said():
                self._say(turn, body)
            case _:
                self._say(Said(turn(body)), body)

    def _error(self, status: int, message: str, code: str | None, param: str | None) -> None:
        content = json.dumps({"error": {"message": message, "type": "error", "code": code, "param": param}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _say(self, said: Said, body: Mapping[str, Any]) -> None:
        said = replace(said, text=_held(said.text, body, self.owner.offers or ()))
        model = said.model or str(body.get("model", ""))
        usage = {
            "prompt_tokens": _words(body) if said.prompt_tokens is None else said.prompt_tokens,
            "completion_tokens": len(said.text.split()) if said.completion_tokens is None else said.completion_tokens,
        }
        self._begin()
        for start in range(0, len(said.text), _PIECE):
            self._event(_chunk(model, {"content": said.text[start : start + _PIECE]}))
        self._event(_chunk(model, {}, said.finish))
        self._event({**_chunk(model, {}), "choices": [], "usage": {**usage, "total_tokens": sum(usage.values())}})
        self._send(b"data: [DONE]\n\n")
        self._end()

    def _broken(self, fault: Fault, body: Mapping[str, Any]) -> None:
        model = str(body.get("model", ""))
        self._begin()
        match fault:
            case Fault.SLOW:
                begun = time.monotonic()
                while not self.owner.closing.wait(0.02) and time.monotonic() - begun < self.owner.slow_s:
                    self._event(_chunk(model, {"content": "#"}))
            case Fault.ONLY_COMMENTS:
                begun = time.monotonic()
                while not self.owner.closing.wait(0.02) and time.monotonic() - begun < self.owner.slow_s:
                    self._send(b": still at work\n\n")
            case Fault.ENDLESS_LINE:
                for _ in range(32):
                    self._send(b"x" * 500_000)
            case Fault.CUT_OFF:
                self._event(_chunk(model, {"content": "```python\ndef "}))
                self.close_connection = True
                return  # without the end that the chunked encoding asks for
            case Fault.MALFORMED:
                self._send(b"data: {this is no JSON\n\n")
            case Fault.NO_COMPLETION:
                self._event({"choices": [{"delta": "text"}]})
            case Fault.ERROR_INSIDE:
                self._event({"error": {"message": "the worker died", "type": "server_error", "code": None}})
            case Fault.REFUSED:
                self._event(_chunk(model, {"refusal": "I cannot help with that."}, "stop"))
            case Fault.NO_CHOICE:
                self._event({**_chunk(model, {}), "choices": []})
            case _:
                self._event(_chunk(model, {"content": ""}, "stop"))
        self._send(b"data: [DONE]\n\n")
        self._end()

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _event(self, value: Mapping[str, Any]) -> None:
        self._send(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _send(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")


def _held(text: str, body: Mapping[str, Any], offers: Collection[str]) -> str:
    """The text in the form that is asked for and offered: its code alone, as a block or as the field of an object."""
    block = next(iter(code_blocks(text)), None)
    code = text if block is None else block.of(text)
    if Form.GRAMMAR in offers and FIELDS[Form.GRAMMAR] in body:
        return f"```python\n{code}```"
    if Form.SCHEMA in offers and FIELDS[Form.SCHEMA] in body:
        return json.dumps({"module": code})
    return text


def _chunk(model: str, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-local",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}],
    }


def _words(body: Mapping[str, Any]) -> int:
    return sum(len(str(message.get("content", "")).split()) for message in body.get("messages", ()))
