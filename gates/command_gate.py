"""A gate that is a shell line: its exit code and its JUnit report become one of five endings.

The exit code decides, and JUnit can only take a pass away: a gate that declares a report and writes
none, that ran no test, or that reports a failure, has not passed.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gates.evidence import TestEvidence, UnreadableReportError
from gates.execute import Command, CommandEnd, CommandOutcome, Progress, run_command
from gates.failure_locations import FailureLocations
from gates.junit_files import ReportFiles
from gates.result import Ending, GateDefinition, GateResult
from gates.wording import counted

JUNIT_VARIABLE = "HEADGATE_JUNIT"
DIFF_BASE_VARIABLE = "HEADGATE_DIFF_BASE"

# POSIX, "Exit Status for Commands".
_NOT_EXECUTABLE = {126: "cannot be executed", 127: "was not found"}
# 128 + n is how a shell passes on that a program died by signal n. Only signals that mean a crash:
# 130 (SIGINT), for one, is also what well-behaved programs exit with.
_CRASHES = {
    128 + number: name
    for number, name in (
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (31, "SIGSYS"),
    )
}


@dataclass(frozen=True)
class CommandContext:
    """What the commands of one judgement run with; `environment` is all that they may see."""

    checkout: Path
    environment: dict[str, str]
    diff_base_sha: str
    locations: FailureLocations


@dataclass(frozen=True)
class _Reading:
    """What JUnit said; `fault` is half a sentence, set if it cannot be believed."""

    evidence: TestEvidence | None = None
    fault: str = ""


def judge_command(
    definition: GateDefinition,
    line: str,
    context: CommandContext,
    timeout_seconds: float,
    on_progress: Progress,
) -> GateResult:
    """Run a gate's command and judge it; `timeout_seconds` may be less than the definition's.

    The command finds `$HEADGATE_JUNIT`, a path to write a report to, and `$HEADGATE_DIFF_BASE`.
    A report is declared by the definition's `junit` or by a line that names the variable.
    """
    with tempfile.TemporaryDirectory(prefix="headgate-gate-", ignore_cleanup_errors=True) as folder:
        files = ReportFiles(context.checkout, Path(folder) / "junit.xml", definition.junit)
        try:
            before = files.stamps()
        except UnreadableReportError as fault:
            return could_not_run(definition, f"The JUnit report has no place: {fault.reason}.")
        environment = context.environment | {
            JUNIT_VARIABLE: str(files.own_file),
            DIFF_BASE_VARIABLE: context.diff_base_sha,
        }
        command = Command(definition.name, line, context.checkout, environment, timeout_seconds)
        outcome = run_command(command, on_progress)
        try:
            reading = _Reading(_evidence_in(files.written_since(before), context))
        except UnreadableReportError as fault:
            reading = _Reading(fault=fault.reason)
    is_declared = definition.junit is not None or JUNIT_VARIABLE in line
    ending, sentence = _verdict_on(outcome, reading, is_declared=is_declared)
    evidence = reading.evidence
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=ending,
        sentence=sentence,
        exit_code=outcome.exit_code,
        seconds=outcome.seconds,
        log_tail=outcome.log_tail,
        annotations=evidence.annotations if evidence else (),
        tests=evidence.counts if evidence else None,
        passed_tests=evidence.passed_tests if evidence else (),
        failed_tests=evidence.failed_tests if evidence else (),
    )


def _evidence_in(reports: list[bytes], context: CommandContext) -> TestEvidence | None:
    if not reports:
        return None
    # Imported here: only a gate that wrote a report needs the XML packages.
    from gates.junit import read_reports

    return read_reports(reports, context.locations)


def could_not_run(definition: GateDefinition, sentence: str) -> GateResult:
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=Ending.COULD_NOT_RUN,
        sentence=sentence,
    )


def _verdict_on(
    outcome: CommandOutcome, reading: _Reading, *, is_declared: bool
) -> tuple[Ending, str]:
    took = f"after {outcome.seconds:.1f} s"
    match outcome.end:
        case CommandEnd.NOT_STARTED:
            return Ending.COULD_NOT_RUN, f"The command could not be started: {outcome.reason}."
        case CommandEnd.TIMED_OUT:
            return Ending.TIMED_OUT, f"The command {outcome.reason} and was ended."
        case CommandEnd.SIGNALLED:
            return Ending.CRASHED, f"The command died by {outcome.reason} {took}."
        case CommandEnd.EXITED:
            pass
    code = outcome.exit_code
    if code in _NOT_EXECUTABLE:
        sentence = f"A program that the command needs {_NOT_EXECUTABLE[code]} (exit code {code})."
        return Ending.COULD_NOT_RUN, sentence
    if code in _CRASHES:
        sentence = f"A program of the command died by {_CRASHES[code]} (exit code {code}) {took}."
        return Ending.CRASHED, sentence
    if code != 0:
        said = f"; {_tests_in_words(reading.evidence)}" if reading.evidence else ""
        return Ending.FAILED, f"The command exited with {code} {took}{said}."
    return _verdict_on_exit_0(reading, took, is_declared=is_declared)


def _verdict_on_exit_0(reading: _Reading, took: str, *, is_declared: bool) -> tuple[Ending, str]:
    if reading.fault:
        sentence = (
            f"The command exited with 0, but its JUnit report is unreadable: {reading.fault}."
        )
        return Ending.COULD_NOT_RUN, sentence
    evidence = reading.evidence
    if evidence is None:
        if is_declared:
            sentence = "The command exited with 0, but wrote no JUnit report where it says it does."
            return Ending.COULD_NOT_RUN, sentence
        return Ending.PASSED, f"The command exited with 0 {took}."
    words = _tests_in_words(evidence)
    if evidence.not_passed:
        return Ending.FAILED, f"The command exited with 0, but its JUnit report says: {words}."
    if not evidence.executed:
        sentence = f"The command exited with 0, but no test was executed ({words})."
        return Ending.COULD_NOT_RUN, sentence
    return Ending.PASSED, f"The command exited with 0 {took}; {words}."


def _tests_in_words(evidence: TestEvidence) -> str:
    counts = evidence.counts
    parts = [f"{counted(counts.passed, 'test')} passed"]
    for count, outcome in (
        (counts.failed, "failed"),
        (counts.errored, "errored"),
        (counts.skipped, "skipped"),
    ):
        if count:
            parts.append(f"{count} {outcome}")
    return ", ".join(parts)
