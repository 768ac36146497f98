"""Gates on a checkout for stories: shell lines as plain processes, judged as a harness judges them."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gates.command_gate import CommandContext, ReportPlace, judge_line
from gates.execute import Command, CommandEnd, CommandOutcome, gate_shell
from gates.failure_locations import FailureLocations
from gates.judge import Subject, judge
from gates.result import GateDefinition, GateReport, GateResult, definition_hash
from gates.settings import JudgeSettings
from gates.wording import log_tail


def judge_all(
    subject: Subject, definitions: Sequence[GateDefinition], settings: JudgeSettings
) -> GateReport:
    """What builtin gates and shell lines say of a checkout, in the order of the definitions."""
    builtin = [one for one in definitions if not _is_line(one)]
    found: dict[str, GateResult] = {}
    if builtin:
        report = judge(subject, builtin, settings, lambda _: None)
        found = {result.gate: result for result in report.results}
    lines = [one for one in definitions if _is_line(one)]
    for one in lines:
        if one is not lines[0]:
            # As before the line that has just run.
            _git(subject.checkout, "checkout", "--quiet", "--force", "HEAD", "--", ".")
        found[one.name] = judge_one(subject, one)
    candidate, tree = _git(subject.checkout, "rev-parse", "HEAD", "HEAD^{tree}").split()
    return GateReport(
        candidate_sha=candidate,
        tree_sha=tree,
        definition_hash=definition_hash(definitions),
        results=tuple(found[one.name] for one in definitions),
    )


def judge_one(subject: Subject, definition: GateDefinition) -> GateResult:
    """What a shell line says of the checkout as it is."""
    paths = _git(subject.checkout, "ls-files", "-z").split("\0")
    context = CommandContext(
        checkout=subject.checkout,
        diff_base_sha=subject.diff_base_sha,
        locations=FailureLocations(paths, subject.checkout),
    )
    with tempfile.TemporaryDirectory(prefix="headgate-gate-") as folder:
        file = Path(folder, "junit.xml")
        command = Command(
            definition.command or "",
            subject.checkout,
            {},
            float(definition.gate_timeout_seconds),
        )
        return judge_line(definition, command, context, ReportPlace(file, file), _run)


def _is_line(definition: GateDefinition) -> bool:
    return definition.builtin is None and bool((definition.command or "").strip())


def _run(command: Command) -> CommandOutcome:
    started = time.monotonic()
    known = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    try:
        process = subprocess.Popen(
            [*gate_shell(), "-c", command.line],
            cwd=command.folder,
            env={**known, "CI": "true", **command.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except ValueError as error:
        return CommandOutcome(CommandEnd.NOT_STARTED, None, str(error), 0.0, "")
    try:
        output, _ = process.communicate(timeout=command.timeout_seconds)
    except subprocess.TimeoutExpired:
        # Its children, too: one that holds the output open would be waited for.
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        reason = f"ran longer than {command.timeout_seconds:g} s"
        seconds = time.monotonic() - started
        return CommandOutcome(CommandEnd.TIMED_OUT, None, reason, seconds, log_tail(output, 0))
    # A death by signal is said as the first process of a sandbox says it.
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    seconds = round(time.monotonic() - started, 3)
    return CommandOutcome(CommandEnd.EXITED, code, "", seconds, log_tail(output, 0))


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout
