"""Any endpoint that speaks OpenAI's chat completions: the ``openai`` package, streaming, with our own retries.

The package's own retries are off: they say nothing of themselves, and do not cover a stream that breaks off.
"""

from __future__ import annotations

import ipaddress
import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from neurosym.generators.constraint import FIELDS, Constraint, Form, Held
from neurosym.generators.heard import Heard, bound, no_reply
from neurosym.generators.request import (
    MOST_CHARS,
    Answer,
    NoReply,
    NoReplyKind,
    OnProgress,
    Reply,
    Request,
)
from neurosym.generators.retrying import Again, Clock, seconds_of, with_retries
from neurosym.generators.seam import ModelFault, Settings

if TYPE_CHECKING:
    import openai

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
_BUSY = frozenset({408, 409, 425, 429})
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""What a 429 says when waiting does not help."""

_TRANSPORTS = frozenset({"httpx", "httpx2", "httpcore", "httpcore2"})
"""While a stream is read the package lets errors of its transport through, which is another one by its version."""

_INSTEAD = {"max_tokens": "max_completion_tokens", "temperature": "", "stream_options": ""}
"""What some models and servers do not take, and what is sent to them in its place."""


_LEAST_SECRET = 16
"""A shorter key, as those that local servers ask for, is no secret, and may be a word of a program."""

EXAMPLE = "as http://localhost:8080/v1 is one"

_GRACE_S = 0.25
"""What an attempt may take beyond its time to notice itself that it is late."""


class Endpoint:
    """The generator ``openai``. Raises ``ModelFault`` where the key is missing that the endpoint will ask for."""

    name = "openai"

    def __init__(self, settings: Settings, clock: Clock = Clock()) -> None:  # noqa: B008  # frozen
        base_url = settings.base_url or os.environ.get(BASE_URL_VARIABLE, "")
        if base_url and not is_endpoint(base_url):
            named = "--base-url" if settings.base_url else BASE_URL_VARIABLE
            raise ModelFault(f"{named} {base_url} is no address of an endpoint, {EXAMPLE}")
        key = os.environ.get(settings.key_variable, "")
        if not key and not _is_here(base_url):
            where = urlsplit(base_url).hostname or "api.openai.com"
            raise ModelFault(
                f"no key for {where}: the environment variable {settings.key_variable} is not set. Set it, name "
                "another with --key-variable, or point --base-url at a server on this machine, which needs none"
            )
        import openai  # deferred: it takes most of a second to load

        self._openai = openai
        self._tries = settings.tries
        self._clock = clock
        self._key = key
        self._unwanted: set[str] = set()
        self._not_held: set[tuple[str, Form]] = set()
        self._ignored: set[tuple[str, Form]] = set()
        self._learning = threading.Lock()
        self._where = urlsplit(base_url).netloc.rpartition("@")[2] or "the endpoint"
        http = openai.DefaultHttpxClient(event_hooks={"response": [bound]})
        self._client = openai.OpenAI(api_key=key or "none", base_url=base_url or None, max_retries=0, http_client=http)

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        answer = with_retries(
            lambda left_s: self._in_time(request, left_s, on_progress),
            tries=self._tries,
            timeout_s=timeout_s,
            on_progress=on_progress,
            clock=self._clock,
        )
        if isinstance(answer, NoReply) or len(self._key) < _LEAST_SECRET:
            return answer
        return replace(answer, text=self._hidden(answer.text), model=self._hidden(answer.model))

    def close(self) -> None:
        self._client.close()

    def _in_time(self, request: Request, left_s: float, on_progress: OnProgress) -> Answer | Again:
        """An attempt that is left alone when its time is up.

        The transport's own limit is one for each read: a name server that hangs, headers that drip and comments that
        keep a stream alive outlast it.
        """
        heard = Heard(request, self._clock, left_s, on_progress)
        found: list[Answer | Again | BaseException] = []

        def run() -> None:
            try:
                found.append(self._attempt(request, heard))
            except BaseException as error:
                found.append(error)

        worker = threading.Thread(target=run, name="neurosym-endpoint", daemon=True)
        worker.start()
        worker.join(max(left_s, 0.0) + _GRACE_S)
        if not found:
            heard.abandoned = True
            return heard.late()
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0]

    def _attempt(self, request: Request, heard: Heard) -> Answer | Again:
        try:
            return self._streamed(request, heard)
        except self._openai.APITimeoutError:
            return heard.late()
        except self._openai.APIConnectionError as error:
            if heard.begun:
                return heard.broken_off()
            return Again(
                no_reply(NoReplyKind.UNAVAILABLE, f"{self._where} cannot be reached: {self._hidden(_cause(error))}")
            )
        except self._openai.APIStatusError as error:
            return self._status(error, request)
        except self._openai.APIError as error:  # the stream itself brought an error
            return Again(
                no_reply(NoReplyKind.UNAVAILABLE, f"{self._where} gave up in the middle: {self._hidden(error.message)}")
            )
        except (ValueError, TypeError, AttributeError, ArithmeticError) as error:
            return heard.malformed(self._hidden(f"{type(error).__name__}: {error}"))
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in _TRANSPORTS:
                raise
            return heard.late() if heard.is_late or "Timeout" in type(error).__name__ else heard.broken_off()

    def _streamed(self, request: Request, heard: Heard) -> Answer | Again:
        stream, form = self._open(request, heard.left_s)
        with stream:
            for chunk in stream:
                heard.take(chunk)
                if heard.is_late:
                    return heard.late()
                if heard.chars > MOST_CHARS:
                    return heard.malformed(f"a reply of more than {MOST_CHARS:,} characters")
        answer = heard.answer()
        if request.constraint is None or not isinstance(answer, Reply):
            return answer
        return self._held(answer, request.model, request.constraint, form)

    def _open(self, request: Request, timeout_s: float) -> tuple[Any, Form | None]:
        """The stream of chunks, and the form that was asked for; what this endpoint does not take is found out once,
        and left out from then on."""
        refused: list[Form] = []
        while True:
            form = self._next_form(request, refused)
            arguments: dict[str, Any] = {
                "max_tokens": request.max_tokens,
                "temperature": request.temperature,
                "stream_options": {"include_usage": True},
            }
            with self._learning:
                for unwanted in self._unwanted:
                    value = arguments.pop(unwanted)
                    if _INSTEAD[unwanted]:
                        arguments[_INSTEAD[unwanted]] = value
            if form is not None and request.constraint is not None:
                arguments["extra_body"] = request.constraint.field(form)
            messages: Any = [{"role": each.role, "content": each.text} for each in request.messages]
            try:
                stream = self._client.chat.completions.create(
                    model=request.model, messages=messages, stream=True, timeout=max(timeout_s, 0.001), **arguments
                )
            except (self._openai.BadRequestError, self._openai.UnprocessableEntityError) as error:
                if error.param in arguments and error.param in _INSTEAD:
                    with self._learning:
                        self._unwanted.add(error.param)
                elif form is not None and error.code != "content_filter":
                    refused.append(form)  # it may be the form; if it is taken without, it was
                else:
                    raise
                continue
            with self._learning:
                self._not_held.update((request.model, each) for each in refused)
            return stream, form

    def _next_form(self, request: Request, refused: list[Form]) -> Form | None:
        """The form to ask for: the first that is not known to be refused or passed over; None where there is none."""
        if request.constraint is None:
            return None
        with self._learning:
            known = {form for model, form in self._not_held if model == request.model}
        return next((form for form in FIELDS if form not in known and form not in refused), None)

    def _held(self, reply: Reply, model: str, constraint: Constraint, form: Form | None) -> Reply:
        """The reply with what is known of its form; a form that was passed over is not asked for again."""
        if form is None:
            with self._learning:
                ignored = any(each == model for each, _ in self._ignored)
            return replace(reply, held=Held.IGNORED if ignored else Held.NOT_OFFERED)
        text = constraint.text_of(form, reply.text, cut=reply.cut)
        if text is not None:
            return replace(reply, text=text, held=Held(form.value))
        if not reply.cut:
            with self._learning:
                self._not_held.add((model, form))
                self._ignored.add((model, form))
        return replace(reply, held=Held.IGNORED)

    def _status(self, error: openai.APIStatusError, request: Request) -> Answer | Again:
        status, said = error.status_code, self._hidden(_said(error))[:300]
        if status in (401, 403):
            raise ModelFault(f"{self._where} refuses the key (HTTP {status}): {said}")
        if status == 404:
            return no_reply(NoReplyKind.UNKNOWN_MODEL, f"{self._where} does not know {request.model}: {said}")
        if status == 429 and error.code in _SPENT:
            return no_reply(NoReplyKind.UNAVAILABLE, f"the account's quota is spent: {said}")
        if status in _BUSY or status >= 500:
            wait_s = seconds_of(error.response.headers.get("retry-after"))
            return Again(no_reply(NoReplyKind.UNAVAILABLE, f"{self._where} is busy (HTTP {status}): {said}"), wait_s)
        if error.code == "content_filter":
            return no_reply(NoReplyKind.REFUSED, f"the endpoint's filter stopped the request: {said}")
        return no_reply(NoReplyKind.NOT_ACCEPTED, f"{self._where} does not take the request (HTTP {status}): {said}")

    def _hidden(self, text: str) -> str:
        """``text`` without the key: an endpoint may repeat what it was sent."""
        return text.replace(self._key, "(the key)") if self._key else text


def _said(error: openai.APIStatusError) -> str:
    """The endpoint's own words: the message in the body, where there is one."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return str(message or error.message)


def _cause(error: BaseException) -> str:
    return str(error.__cause__ or error) or type(error).__name__


def is_endpoint(base_url: str) -> bool:
    """Whether it can be the address of an endpoint."""
    try:
        parts = urlsplit(base_url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 80) > 0
    except ValueError:  # an address or a port that can be none
        return False


def _is_here(base_url: str) -> bool:
    """Whether the endpoint is on this machine, where none asks for a key."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
