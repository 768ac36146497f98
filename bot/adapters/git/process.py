"""Starts git with a clean environment, a deadline, a cap on its output and no secret in its errors.

A secret travels only in the environment of the one process that needs it.
"""

import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from bot.ports import Retryable

_LOCAL_TIMEOUT_SECONDS = 300.0
_READ_BYTES = 1 << 20
_ERROR_CHARACTERS_MAX = 4_000
# Proxies and certificates belong to the machine; no other variable is passed on.
_PASSED_ON = (
    *("PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "CURL_CA_BUNDLE"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY"),
)
# For git on untrusted input: CPU seconds, KiB of address space, blocks of 512 bytes per file. A limit
# that cannot be set is lower already; where there is no limit at all, git is not started.
_LIMITED = (
    *("sh", "-c"),
    'lower() { ulimit "$1" "$2" 2>/dev/null || test "$(ulimit "$1")" != unlimited; }; '
    "lower -t 60 && lower -v 2097152 && lower -f 2097152 || exit 126; "
    'exec "$@"',
    "sh",
)
_UNLIMITED = 126


class GitFailed(Exception):
    """git ended with another code than 0; `text` is its redacted error output."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class OutputTooLong(Exception):
    """git was ended because its output exceeded `out_bytes_max`."""


class TimedOut(Retryable):
    """git was ended at its deadline."""


@dataclass(frozen=True)
class Answer:
    """git's exit code and output; `complaint` is its redacted error output."""

    code: int
    out: bytes
    complaint: str


@dataclass(frozen=True)
class CallOptions:
    """`secrets` are redacted in errors; `limited` is for untrusted input."""

    environment: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    timeout_seconds: float = _LOCAL_TIMEOUT_SECONDS
    out_bytes_max: int | None = None
    limited: bool = False


_PLAIN = CallOptions()


@dataclass(frozen=True)
class GitProgram:
    """git with a HOME of its own; it may use only `protocols`."""

    home: Path
    protocols: tuple[str, ...]

    def run(
        self,
        git_dir: Path,
        arguments: Sequence[str],
        stdin: bytes = b"",
        options: CallOptions = _PLAIN,
    ) -> bytes:
        answer = self.attempt(git_dir, arguments, stdin, options)
        if answer.code != 0:
            raise GitFailed(answer.code, answer.complaint)
        return answer.out

    def attempt(
        self,
        git_dir: Path,
        arguments: Sequence[str],
        stdin: bytes = b"",
        options: CallOptions = _PLAIN,
    ) -> Answer:
        command = ["git", f"--git-dir={git_dir}", "-c", "core.hooksPath=/dev/null", *arguments]
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaint:
            given.write(stdin)
            given.seek(0)
            process = subprocess.Popen(
                [*_LIMITED, *command] if options.limited else command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaint,
                env={**self._environment(), **options.environment},
                cwd=self.home,
                start_new_session=True,
            )
            out = _read(process, options, arguments[0])
            if options.limited and process.returncode == _UNLIMITED:
                raise Retryable("This machine cannot limit the resources of git; see `ulimit`.")
            complaint.seek(0)
            return Answer(process.returncode, out, _redacted(complaint, options.secrets))

    def _environment(self) -> dict[str, str]:
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return {
            "PATH": "/usr/bin:/bin",
            **passed_on,
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": ":".join(self.protocols),
            "LC_ALL": "C",
            "TZ": "UTC",
        }


def _read(process: subprocess.Popen[bytes], options: CallOptions, command: str) -> bytes:
    until = time.monotonic() + options.timeout_seconds
    with process:
        try:
            said = _read_capped(process, options.out_bytes_max, until)
            process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired as late:
            _kill_group(process)
            seconds = f"{options.timeout_seconds:.0f} seconds"
            raise TimedOut(f"`git {command}` did not end within {seconds}.") from late
        except BaseException:
            # Before `with process` waits for the process.
            _kill_group(process)
            raise
    return said


def _read_capped(process: subprocess.Popen[bytes], bytes_max: int | None, until: float) -> bytes:
    """What it writes until it closes its output. Raises `TimeoutExpired`, `OutputTooLong`."""
    chunks: list[bytes] = []
    length = 0
    if process.stdout is None:
        return b""
    output = process.stdout.fileno()
    waiting = select.poll()
    waiting.register(output, select.POLLIN)
    while waiting.poll(max(until - time.monotonic(), 0) * 1000):
        chunk = os.read(output, _READ_BYTES)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        length += len(chunk)
        if bytes_max is not None and length > bytes_max:
            raise OutputTooLong
        if time.monotonic() > until:
            break
    raise subprocess.TimeoutExpired(process.args, 0)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End git and the helpers that it started, which share its process group."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def _redacted(complaint: IO[bytes], secrets: tuple[str, ...]) -> str:
    text = complaint.read().decode("utf-8", errors="replace").strip()
    for secret in secrets:
        text = text.replace(secret, "***")
    return text[-_ERROR_CHARACTERS_MAX:]
