"""The gateway's web application: one event loop, no thread for a stream.

What may be asked and how it is counted is the harness's own (`action.model_request`,
`action.agents.budget`): somebody who takes the token out of a runner gets no more than the order allows.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Self

import aiohttp
from aiohttp import web

from action.agents.budget import Admission, LimitReached
from action.agents.usage import UsageReader, upper_estimate
from action.model_headers import HEADERS_PASSED_BACK, headers_to_send
from action.model_request import (
    NO_RESPONSES,
    REQUEST_BYTES_MAX,
    ModelApi,
    ModelRequest,
    RefusedRequest,
    api_of,
    error_body,
    judge_request,
    lacks_responses,
    may_lack,
    target_of,
    words_of,
)
from bot.entry.gateway.leases import OWNER_STREAMS_MAX, Lease, Leases

log = logging.getLogger(__name__)

# Requests under way: of one run, and of all; `OWNER_STREAMS_MAX` is between them.
LEASE_STREAMS_MAX = 32
STREAMS_MAX = 512
# Requests whose body is in memory; the others wait.
BODIES_MAX = 4
# For a body to begin, and then for what is here of it: who sends slower than a slow line is given up.
_BODY_SECONDS = 10.0
_BODY_BYTES_A_SECOND = 512 * 1024
# A piece of an answer that nobody takes; a program that is stopped at a question may take its time.
_UNREAD_SECONDS = 600.0
# For its run's other requests; the harness has waited already.
_ROOM_SECONDS = 30.0
_ROOM_POLL_SECONDS = 0.2
_PIECE_BYTES = 64 * 1024
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=30.0, sock_read=600.0)

_NO_LEASE = (
    "This token does not belong to a running order. A token is valid while its run has the "
    "order and sends heartbeats."
)
_NO_KEY = "This server has no model key: set ANTHROPIC_API_KEY for `headgate gateway`."


class _Refused(Exception):
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass(frozen=True)
class Upstream:
    """Where the model is, and the key that never leaves this process. No key: nothing is asked."""

    base_url: str
    key: str


class _Place:
    """A place in memory for one body, until it has been sent on: one of its run's, of its owner's, and of all."""

    def __init__(self, *places: asyncio.Semaphore) -> None:
        self._places = places
        self._held: list[asyncio.Semaphore] = []

    async def __aenter__(self) -> Self:
        try:
            for places in self._places:
                await places.acquire()
                self._held.append(places)
        except asyncio.CancelledError:
            self._free()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._free()

    def _free(self) -> None:
        while self._held:
            self._held.pop().release()

    async def sent(self, body: bytes) -> AsyncIterator[bytes]:
        """The body in pieces; afterwards it is in memory no more."""
        for start in range(0, len(body), _PIECE_BYTES):
            yield body[start : start + _PIECE_BYTES]
        del body
        self._free()


@dataclass(frozen=True)
class _Prepared:
    """A request that may be sent; `admitted` is None for one that costs nothing."""

    model: str
    body: bytes
    input_bytes: int
    admitted: Admission | None


class Gateway:
    def __init__(self, leases: Leases, upstream: Upstream) -> None:
        self._leases, self._upstream = leases, upstream
        self._places = asyncio.Semaphore(BODIES_MAX)
        self._streams = 0
        self._session: aiohttp.ClientSession | None = None
        self._keeping: set[asyncio.Task[None]] = set()

    async def connections(self, _: web.Application) -> AsyncIterator[None]:
        """The connections to the model, as long as the application runs."""
        # As many as there are streams; those are bounded.
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, timeout=_TIMEOUT) as session:
            self._session = session
            yield
            await asyncio.gather(*self._keeping)

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """One request to the model, from its token to the end of its answer."""
        api = api_of(request.path)
        if api is None:
            sentence = f"{request.path[:200]} is not allowed; only {', '.join(ModelApi)} are."
            raise _Refused(403, sentence)
        if not self._upstream.key:
            raise _Refused(503, _NO_KEY)
        lease = await self._leases.of(_token(request))
        if lease is None:
            raise _Refused(401, _NO_LEASE)
        if (
            lease.streams >= LEASE_STREAMS_MAX
            or lease.owner.streams >= OWNER_STREAMS_MAX
            or self._streams >= STREAMS_MAX
        ):
            raise _Refused(429, "Too many requests at the same time. Try again in a second.")
        over = lease.budget.over()
        if over is not None:
            raise _Refused(400, over.sentence)
        lease.streams += 1
        lease.owner.streams += 1
        self._streams += 1
        try:
            return await self._pass_on(request, api, lease)
        finally:
            lease.streams -= 1
            lease.owner.streams -= 1
            self._streams -= 1

    async def _pass_on(
        self, request: web.Request, api: ModelApi, lease: Lease
    ) -> web.StreamResponse:
        async with _Place(lease.bodies, lease.owner.bodies, self._places) as place:
            asked = await _prepared(request, api, lease)
            headers = headers_to_send(
                {name.lower(): value for name, value in request.headers.items()},
                request.headers.getall("anthropic-beta", []),
                self._upstream.key,
            )
            headers["content-length"] = str(len(asked.body))
            sent, admitted = place.sent(asked.body), asked.admitted
            meter = _Meter(lease, asked.model, admitted, UsageReader(asked.input_bytes))
            # From here on only `sent` has the body, and only until it is sent.
            del asked
            url = f"{self._upstream.base_url.rstrip('/')}{target_of(api, request.query_string)}"
            assert self._session is not None  # noqa: S101 - `connections` has run
            try:
                async with self._session.post(url, data=sent, headers=headers) as far:
                    if may_lack(api, far.status):
                        said = await far.read()
                        sentence = NO_RESPONSES if lacks_responses(said) else words_of(said)
                        raise _Refused(far.status, sentence)
                    return await _passed_back(request, far, meter)
            except asyncio.CancelledError:
                # Nobody listens any more, and what was asked is paid for.
                meter.is_success = True
                raise
            except (aiohttp.ClientError, TimeoutError) as error:
                log.warning(
                    "model_unreachable", extra={"error": f"{type(error).__name__}: {error}"}
                )
                sentence = f"The model cannot be reached: {type(error).__name__}."
                raise _Refused(502, sentence) from error
            finally:
                meter.settle()
                if admitted is not None:
                    self._keep(lease)

    def _keep(self, lease: Lease) -> None:
        task = asyncio.create_task(lease.keep())
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)


class _Meter:
    """Reads an answer along, and charges for it when it has ended, however it did."""

    def __init__(
        self, lease: Lease, model: str, admitted: Admission | None, reader: UsageReader
    ) -> None:
        self._lease, self._model, self._admitted = lease, model, admitted
        self.reader = reader
        # Only an answer costs something: neither an error nor a count does.
        self.is_success = False

    def settle(self) -> None:
        if self._admitted is None:
            return
        with self._admitted:
            if self.is_success:
                use = self.reader.finish()
                self._admitted.charge(use)
                self._lease.charge(self._model, use)


async def _prepared(request: web.Request, api: ModelApi, lease: Lease) -> _Prepared:
    """Read a request, judge it and reserve what it may cost."""
    length = request.content_length
    if length is None or length > REQUEST_BYTES_MAX:
        raise _Refused(413, "A request must have a Content-Length of at most 32 MiB.")
    body = await _arrived(request, length)
    models = (lease.agent.model, *lease.agent.helpers)
    judged = await asyncio.to_thread(judge_request, api, body, models)
    if isinstance(judged, RefusedRequest):
        raise _Refused(400, judged.sentence)
    admitted = await _admitted(lease, judged)
    if isinstance(admitted, LimitReached):
        raise _Refused(400, admitted.sentence)
    written = judged.written(_answer_tokens_left(lease, judged))
    if isinstance(written, RefusedRequest):
        if admitted is not None:
            lease.budget.release(admitted)
        raise _Refused(400, written.sentence)
    return _Prepared(judged.model, written, judged.input_bytes, admitted)


async def _arrived(request: web.Request, length: int) -> bytes:
    pieces: list[bytes] = []
    here = 0
    until = asyncio.get_running_loop().time() + _BODY_SECONDS
    try:
        while here < length:
            async with asyncio.timeout_at(until + here / _BODY_BYTES_A_SECOND):
                piece = await request.content.readany()
            if not piece:
                raise _Refused(408, "The request did not arrive completely.")
            pieces.append(piece)
            here += len(piece)
    except TimeoutError as error:
        raise _Refused(408, "The request did not arrive completely.") from error
    return b"".join(pieces)


async def _admitted(lease: Lease, judged: ModelRequest) -> Admission | LimitReached | None:
    """None: the request is free of charge."""
    if judged.api is ModelApi.COUNT:
        return lease.budget.over()
    until = asyncio.get_running_loop().time() + _ROOM_SECONDS
    while True:
        longest = min(judged.answer_tokens, _answer_tokens_left(lease, judged))
        upper = upper_estimate(judged.input_bytes, longest)
        admitted = lease.budget.admit_now(judged.model, upper)
        if admitted is not None:
            return admitted
        if asyncio.get_running_loop().time() > until:
            raise _Refused(
                429, "Other requests of this run may use the rest of its budget. Try again."
            )
        await asyncio.sleep(_ROOM_POLL_SECONDS)


def _answer_tokens_left(lease: Lease, judged: ModelRequest) -> int:
    reading = upper_estimate(judged.input_bytes, 0)
    return lease.budget.answer_tokens_left(judged.model, reading)


async def _passed_back(
    request: web.Request, far: aiohttp.ClientResponse, meter: _Meter
) -> web.StreamResponse:
    meter.is_success = far.ok
    headers = {name: far.headers[name] for name in HEADERS_PASSED_BACK if name in far.headers}
    answer = web.StreamResponse(status=far.status, headers=headers)
    answer.enable_chunked_encoding()
    await answer.prepare(request)
    try:
        async for chunk in far.content.iter_any():
            meter.reader.feed(chunk)
            async with asyncio.timeout(_UNREAD_SECONDS):
                await answer.write(chunk)
    except (aiohttp.ClientError, TimeoutError):
        # Broken off there, broken off here: without the last chunk.
        if request.transport is not None:
            request.transport.abort()
        return answer
    await answer.write_eof()
    return answer


def _token(request: web.Request) -> str:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return bearer or request.headers.get("x-api-key", "")


async def _healthz(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


@web.middleware
async def _refusing(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except _Refused as refused:
        headers = {"retry-after": "1"} if refused.status == 429 else {}
        answer = web.Response(
            status=refused.status,
            body=error_body(refused.sentence),
            content_type="application/json",
            headers=headers,
        )
        # A body that was not read is not waited for.
        answer.force_close()
        return answer


def make_gateway(leases: Leases, upstream: Upstream) -> web.Application:
    gateway = Gateway(leases, upstream)
    app = web.Application(middlewares=[_refusing])
    app.router.add_get("/healthz", _healthz)
    app.router.add_post("/{path:.*}", gateway.ask)
    app.cleanup_ctx.append(gateway.connections)
    return app
