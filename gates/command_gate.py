"""A gate that is a shell line: its exit code and its reports become one of five endings.

The exit code decides, and JUnit or SARIF can only take a pass away: a gate that declares a report and
writes none, that ran no test, or that reports a failure, has not passed.
"""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from gates.evidence import TestEvidence, UnreadableReportError
from gates.execute import Command, CommandEnd, CommandOutcome
from gates.failure_locations import FailureLocations
from gates.junit_files import ReportFiles
from gates.line_variables import DIFF_BASE_VARIABLE, JUNIT_VARIABLE, SARIF_VARIABLE
from gates.remarks import remarks
from gates.result import Annotation, Ending, GateDefinition, GateResult
from gates.sarif import Findings, read_sarif
from gates.wording import counted

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
    checkout: Path
    diff_base_sha: str
    locations: FailureLocations


@dataclass(frozen=True)
class ReportPlace:
    """A gate's own file: where it is `read`, and where the command writes it behind the walls."""

    read: Path
    written: Path


@dataclass(frozen=True)
class _Reading:
    """What reports said; `fault` is half a sentence, set if one cannot be believed."""

    evidence: TestEvidence | None = None
    findings: Findings | None = None
    fault: str = ""


# How a policy's `cwd` begins a line.
_FOLDER = re.compile(r"cd (?P<folder>[^\n;&|]+)\n")

# Runs a command until nothing of it is alive.
RunLine = Callable[[Command], CommandOutcome]


def judge_line(
    definition: GateDefinition,
    command: Command,
    context: CommandContext,
    report: ReportPlace,
    run: RunLine,
) -> GateResult:
    """Let `run` carry out a gate's command, and judge how it ended and what it left.

    The command finds `$HEADGATE_JUNIT` and `$HEADGATE_SARIF`, paths to write a report to, and
    `$HEADGATE_DIFF_BASE`. A report is declared by the definition's `junit` or `sarif`, or by a line that
    names the variable. Files are read after `run` has returned.
    """
    declared = (
        ReportFiles(context.checkout, report.read, definition.junit),
        ReportFiles(context.checkout, report.read.with_suffix(".sarif"), definition.sarif),
    )
    try:
        before = [files.stamps() for files in declared]
    except UnreadableReportError as fault:
        return could_not_run(definition, f"The JUnit report cannot be found: {fault.reason}.")
    environment = {
        **command.environment,
        JUNIT_VARIABLE: str(report.written),
        SARIF_VARIABLE: str(report.written.with_suffix(".sarif")),
        DIFF_BASE_VARIABLE: context.diff_base_sha,
    }
    outcome = run(replace(command, environment=environment))
    written = zip(declared, before, strict=True)
    try:
        junit, sarif = (files.written_since(stamps) for files, stamps in written)
        findings = read_sarif(sarif, context.locations) if sarif else None
        reading = _Reading(_evidence_in(junit, context), findings)
    except UnreadableReportError as fault:
        reading = _Reading(fault=fault.reason)
    ending, sentence = _verdict_on(outcome, reading, _declared(definition, command.line))
    evidence = reading.evidence
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=ending,
        sentence=sentence,
        exit_code=outcome.exit_code,
        seconds=outcome.seconds,
        log_tail=outcome.log_tail,
        annotations=_annotations(reading, ending, outcome, context, command.line),
        tests=evidence.counts if evidence else None,
        passed_tests=evidence.passed_tests if evidence else (),
        failed_tests=evidence.failed_tests if evidence else (),
    )


def _declared(definition: GateDefinition, line: str) -> tuple[str, ...]:
    """The kinds of reports without which there is no pass."""
    kinds = (
        ("JUnit", definition.junit, JUNIT_VARIABLE),
        ("SARIF", definition.sarif, SARIF_VARIABLE),
    )
    return tuple(kind for kind, glob, variable in kinds if glob is not None or variable in line)


def _evidence_in(reports: list[bytes], context: CommandContext) -> TestEvidence | None:
    if not reports:
        return None
    # Imported here: only a gate that wrote a report needs the XML packages.
    from gates.junit import read_reports

    return read_reports(reports, context.locations)


def _annotations(
    reading: _Reading, ending: Ending, outcome: CommandOutcome, context: CommandContext, line: str
) -> tuple[Annotation, ...]:
    """What reports say at lines; else, where it failed, what the log does."""
    said = reading.evidence.annotations if reading.evidence else ()
    said += reading.findings.annotations if reading.findings else ()
    if said or ending is not Ending.FAILED:
        return said
    begins = _FOLDER.match(line)
    folder = shlex.split(begins["folder"])[0] if begins else ""
    return remarks(outcome.log_tail, context.locations, folder.strip("/"))


def could_not_run(definition: GateDefinition, sentence: str) -> GateResult:
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=Ending.COULD_NOT_RUN,
        sentence=sentence,
    )


def _verdict_on(
    outcome: CommandOutcome, reading: _Reading, declared: tuple[str, ...]
) -> tuple[Ending, str]:
    took = f"after {outcome.seconds:.1f} s"
    match outcome.end:
        case CommandEnd.NOT_STARTED:
            return Ending.COULD_NOT_RUN, f"The command could not be started: {outcome.reason}."
        case CommandEnd.TIMED_OUT:
            return Ending.TIMED_OUT, f"The command {outcome.reason} and was ended."
        case CommandEnd.EXITED:
            pass
    code = outcome.exit_code
    if code in _NOT_EXECUTABLE:
        sentence = f"A program that the command needs {_NOT_EXECUTABLE[code]} (exit code {code})."
        return Ending.COULD_NOT_RUN, sentence
    if code in _CRASHES:
        sentence = (
            f"A program of the command was ended by {_CRASHES[code]} (exit code {code}) {took}."
        )
        return Ending.CRASHED, sentence
    if code != 0:
        said = f"; {_tests_in_words(reading.evidence)}" if reading.evidence else ""
        return Ending.FAILED, f"The command exited with {code} {took}{said}."
    return _verdict_on_exit_0(reading, took, declared)


def _verdict_on_exit_0(
    reading: _Reading, took: str, declared: tuple[str, ...]
) -> tuple[Ending, str]:
    if reading.fault:
        kinds = " or ".join(declared) or "JUnit"
        sentence = (
            f"The command exited with 0, but its {kinds} report cannot be read: {reading.fault}."
        )
        return Ending.COULD_NOT_RUN, sentence
    evidence, findings = reading.evidence, reading.findings
    for kind, written in (("JUnit", evidence), ("SARIF", findings)):
        if kind in declared and written is None:
            sentence = (
                f"The command exited with 0, but wrote no {kind} report to the declared place."
            )
            return Ending.COULD_NOT_RUN, sentence
    if findings is not None and findings.errors:
        found = counted(findings.errors, "error")
        return Ending.FAILED, f"The command exited with 0, but its SARIF report says: {found}."
    if evidence is None:
        others = f"; {counted(findings.others, 'finding')} below error" if findings else ""
        return Ending.PASSED, f"The command exited with 0 {took}{others}."
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
