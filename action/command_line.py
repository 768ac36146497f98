"""`python -m action agent|gates --order-id ID --server URL`: one order on a runner.

`python -m action doctor` says what the runner lacks; `python -m action judge` carries out a gate order that
lies in a file, on a repository of this machine.

Reads the command line and GitHub's environment variables, and turns signals into a halt.
"""

import argparse
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from action.halt import Halt, HaltedError, HaltReason
from action.harness.addresses import refusal_of_server
from action.harness.session import Mode, SessionOptions, run_session
from action.harness.workflow import Workflow

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4

EPILOG = (
    "exit codes:\n  0  the report was sent (with the result of the agent or the gates)\n  2  "
    "the command line is wrong\n  3  no OIDC token, or the server refused the order, the "
    "bundle or the report\n  4  the server stopped this run, or the lease expired\n  5  the "
    "server cannot be reached\n  6  interrupted (the workflow was cancelled)\n\n"
    "environment:\n  ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN   set by "
    "GitHub for jobs with\n                          `permissions: id-token: write`\n  "
    "HEADGATE_READ_TOKEN     a token that may read the repository (`github.token` with\n"
    "                          `contents: read`)\n  HEADGATE_SERVERS        the only servers "
    "that this runner works for, separated by commas\n  HEADGATE_PLAIN_HTTP     `loopback`: "
    "use http for a server on this machine\n  HEADGATE_SANDBOX_PATHS  further tools to show "
    "read-only in the sandbox, separated by `:`\n"
)


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["doctor"]:
        return _doctor(given[1:])
    if given[:1] == ["judge"]:
        return _judge(given[1:])
    asked = _read(given)
    _close_own_memory()
    halt = Halt()
    _listen_to_signals(halt)
    return run_session(asked, dict(os.environ), Workflow(os.environ), halt)


def _doctor(arguments: Sequence[str]) -> int:
    from action.harness.doctor import Asked, run_doctor

    parser = argparse.ArgumentParser(
        prog="python -m action doctor",
        description="Show what this runner lacks, and how to fix it.",
    )
    parser.add_argument("--server", default="", help="the address of the Headgate server")
    parser.add_argument("--repository", default="", help="OWNER/NAME, to check the labels")
    parser.add_argument("--label", default="headgate", help="the label that jobs require")
    parser.add_argument("--api", default="https://api.github.com", help="GitHub's REST address")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    read = parser.parse_args(arguments)
    asked = Asked(dict(os.environ), read.server, read.api, read.repository, read.label)
    return run_doctor(asked, read.json)


def _judge(arguments: Sequence[str]) -> int:
    from action.harness.local import run_local_order

    parser = argparse.ArgumentParser(
        prog="python -m action judge", description="Run the gates on a commit on this machine."
    )
    parser.add_argument("--order", type=Path, required=True, help="a gate order, as JSON")
    parser.add_argument(
        "--repository", type=Path, required=True, help="a checkout with the commit as HEAD"
    )
    parser.add_argument("--out", type=Path, required=True, help="the file for its report, as JSON")
    read = parser.parse_args(arguments)
    _end_with_parent()
    halt = Halt()
    _listen_to_signals(halt)
    repository = read.repository.resolve()
    return run_local_order(read.order, repository, read.out, dict(os.environ), halt)


def _read(arguments: Sequence[str] | None) -> SessionOptions:
    parser = argparse.ArgumentParser(
        prog="python -m action",
        description="Carry out one Headgate order on this runner and send back the result.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("mode", choices=[mode.value for mode in Mode], help="the order's kind")
    parser.add_argument("--order-id", required=True, help="from the workflow's input")
    parser.add_argument("--server", required=True, help="the address of the Headgate server")
    read = parser.parse_args(arguments)
    if refused := refusal_of_server(str(read.server), os.environ):
        parser.error(f"--server: {refused}")
    return SessionOptions(Mode(read.mode), str(read.order_id), str(read.server).rstrip("/"))


def _close_own_memory() -> None:
    """Not dumpable: programs of the same user cannot read our memory or `/proc/<pid>/environ`."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def _end_with_parent() -> None:
    """What waits for the report may be killed, or its terminal closed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _listen_to_signals(halt: Halt) -> None:
    """A halt raises `HaltedError` on the main thread once, whatever that is waiting for."""
    main_thread = threading.get_ident()
    raised = threading.Event()

    def raise_halted(number: int, _frame: FrameType | None) -> None:
        if raised.is_set():
            return
        raised.set()
        if number != signal.SIGUSR1:
            sentence = f"The workflow was cancelled ({signal.Signals(number).name})."
            halt.ask(HaltReason.INTERRUPTED, sentence)
        raise HaltedError(halt.sentence)

    def wake_main_thread() -> None:
        if threading.get_ident() != main_thread:
            signal.pthread_kill(main_thread, signal.SIGUSR1)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        signal.signal(number, raise_halted)
    halt.on_ask(wake_main_thread)
