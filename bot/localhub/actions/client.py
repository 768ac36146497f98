"""The runner's HTTP client for the messages of `runner_messages.py`.

Network errors are retried with growing delay; a refusal is final and means that the job or the
runner is no longer ours.
"""

import threading
from collections.abc import Callable

import httpx

from bot.localhub.actions.runner_messages import (
    POLL_SECONDS_MAX,
    ActionLocation,
    ActionQuery,
    Completion,
    JobMessage,
    JobSignal,
    Registered,
    Registration,
    RenewAnswer,
    StepsUpdate,
)

# A long poll takes up to POLL_SECONDS_MAX; after that the connection is dead.
_TIMEOUT = httpx.Timeout(10.0, read=POLL_SECONDS_MAX + 15.0)
_TROUBLE = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)
_DELAYS_SECONDS = (0.1, 0.3, 1.0, 3.0, 5.0)


class RefusedError(Exception):
    """The service does not know this runner or job, or refuses the request."""


class ServiceClient:
    """One runner's connection to the service. Thread-safe."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/_actions/runner", timeout=_TIMEOUT, trust_env=False
        )
        self._token = ""
        self._closed = threading.Event()

    def close(self) -> None:
        """Stop retrying; requests in progress end on their own."""
        self._closed.set()

    def register(self, registration: Registration) -> Registered:
        answer = self._post("/register", registration.model_dump_json())
        registered = Registered.model_validate_json(answer.content)
        self._token = registered.runner_token
        return registered

    def acquire(self) -> JobMessage | None:
        """Wait for a job; None if there was none. Raises RefusedError."""
        answer = self._post(f"/acquire?wait_seconds={POLL_SECONDS_MAX}", "")
        return JobMessage.model_validate_json(answer.content) if answer.status_code == 200 else None

    def renew(self, job_id: int, seen: JobSignal) -> JobSignal:
        """Renew a job's lease, and wait for a signal other than the one already seen."""
        path = f"/jobs/{job_id}/renew?wait_seconds={POLL_SECONDS_MAX}&seen={seen}"
        return RenewAnswer.model_validate_json(self._post(path, "").content).signal

    def append_log(self, job_id: int, offset: int, chunk: bytes) -> None:
        self._post(f"/jobs/{job_id}/log?offset={offset}", chunk)

    def update_steps(self, job_id: int, update: StepsUpdate) -> None:
        self._post(f"/jobs/{job_id}/steps", update.model_dump_json())

    def find_action(self, job_id: int, uses: str) -> ActionLocation:
        answer = self._post(f"/jobs/{job_id}/action", ActionQuery(uses=uses).model_dump_json())
        return ActionLocation.model_validate_json(answer.content)

    def complete(self, job_id: int, completion: Completion) -> None:
        self._post(f"/jobs/{job_id}/complete", completion.model_dump_json())

    def _post(self, path: str, body: str | bytes) -> httpx.Response:
        def send() -> httpx.Response:
            headers = {"Authorization": f"bearer {self._token}"} if self._token else {}
            return self._http.post(path, content=body, headers=headers)

        return self._retried(send)

    def _retried(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        trouble = ""
        for delay in (*_DELAYS_SECONDS, 0.0):
            try:
                answer = send()
            except _TROUBLE as error:
                trouble = f"{type(error).__name__}: {error}"
            else:
                if answer.status_code < 400:
                    return answer
                trouble = f"{answer.status_code}: {_message(answer)}"
                if answer.status_code < 500:
                    raise RefusedError(trouble)
            if self._closed.wait(delay):
                break
        raise RefusedError(f"The service cannot be reached ({trouble})")


def _message(answer: httpx.Response) -> str:
    try:
        body = answer.json()
    except ValueError:
        return answer.text[:200]
    return str(body.get("message", "")) if isinstance(body, dict) else ""
