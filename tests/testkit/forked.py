"""Our programs as processes that are forked from one which has imported them.

The process is real: its environment, folder, output, signals and exit code are its own. Only the
imports, up to two seconds of processor time for each, are paid once. Where the start itself is tested,
or what can be read in `/proc`, start the program with its command.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

_IMPORTED = [
    # The main module of these tests, which every process of `multiprocessing` looks at.
    "pytest",
    *("action.command_line", "action.harness.agent_order", "gates.secret_rules"),
    *("action.agents.builtin", "action.agents.command", "action.harness.model_proxy"),
    *("bot.entry.cli", "bot.entry.commands.coverage", "bot.entry.commands.doctor"),
    *("bot.entry.commands.explain", "bot.entry.commands.journal", "bot.entry.commands.plan"),
    *("bot.entry.commands.gates_run", "bot.entry.commands.models_explain"),
    *("bot.entry.commands.spec", "bot.demo.run_demo", "tests.testkit.forked"),
    "tests.testkit.frozen",
]
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(_IMPORTED)


@dataclass(frozen=True)
class Program:
    """`python -m module arguments`, and where it runs."""

    module: str
    arguments: Sequence[str]
    folder: Path
    environment: Mapping[str, str]


class ForkedProcess:
    """The part of `subprocess.Popen` that tests use; both outputs go to `output` or to two files."""

    def __init__(self, program: Program, output: Path, errors: Path | None = None) -> None:
        self._output = output
        self._process: BaseProcess = _FORKS.Process(
            target=_run, args=(program, output, errors or output), daemon=True
        )
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def communicate(self, timeout: float | None = None) -> tuple[bytes, None]:
        """What it has written, once it has ended. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return self._output.read_bytes(), None

    def send_signal(self, number: int) -> None:
        if self._process.pid is not None and self._process.exitcode is None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_forked(program: Program, timeout_seconds: float) -> subprocess.CompletedProcess[str]:
    """Start it and wait for its end, as `subprocess.run` does with text."""
    with TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        process = ForkedProcess(program, output, errors)
        try:
            process.communicate(timeout_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        code = -1 if process.returncode is None else process.returncode
        said = output.read_text(), errors.read_text()
        return subprocess.CompletedProcess(program.module, code, *said)


def _run(program: Program, output: Path, errors: Path) -> None:
    """In the new process."""
    for number, path in ((1, output), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.chdir(program.folder)
    os.environ.clear()
    os.environ.update(program.environment)
    sys.argv = [program.module, *program.arguments]
    sys.exit(import_module(program.module).main())
