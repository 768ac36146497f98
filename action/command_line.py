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

EPILOG = """\
exit codes:
  0  the report was handed back (what the agent or the gates found is in it)
  2  the command line is wrong
  3  no OIDC token, or the server refused the order, the bundle or the report
  4  the server told us to stop, or the lease ran out
  5  the server could not be reached
  6  interrupted (the workflow was cancelled)

environment:
  ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN   set by GitHub for jobs with
                          `permissions: id-token: write`
  HEADGATE_READ_TOKEN     may read the repository (`github.token` with `contents: read`)
  HEADGATE_SERVERS        the only servers that this runner works for, separated by commas
  HEADGATE_PLAIN_HTTP     `loopback`: http is spoken with a server on this machine
  HEADGATE_SANDBOX_PATHS  further tools to show read-only in the sandbox, separated by `:`
"""


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
        prog="python -m action doctor", description="Say what this runner lacks, and what to do."
    )
    parser.add_argument("--server", default="", help="the address of the Headgate server")
    parser.add_argument("--repository", default="", help="OWNER/NAME, to look at the labels")
    parser.add_argument("--label", default="headgate", help="the label that jobs ask for")
    parser.add_argument("--api", default="https://api.github.com", help="GitHub's REST address")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    read = parser.parse_args(arguments)
    asked = Asked(dict(os.environ), read.server, read.api, read.repository, read.label)
    return run_doctor(asked, read.json)


def _judge(arguments: Sequence[str]) -> int:
    from action.harness.local import run_local_order

    parser = argparse.ArgumentParser(
        prog="python -m action judge", description="Judge a commit on this machine."
    )
    parser.add_argument("--order", type=Path, required=True, help="a gate order, as JSON")
    parser.add_argument("--repository", type=Path, required=True, help="where its commit is HEAD")
    parser.add_argument("--out", type=Path, required=True, help="where its report goes, as JSON")
    read = parser.parse_args(arguments)
    _end_with_parent()
    halt = Halt()
    _listen_to_signals(halt)
    repository = read.repository.resolve()
    return run_local_order(read.order, repository, read.out, dict(os.environ), halt)


def _read(arguments: Sequence[str] | None) -> SessionOptions:
    parser = argparse.ArgumentParser(
        prog="python -m action",
        description="Carry out one Headgate order on this runner and hand the outcome back.",
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
