"""`python -m gates`: judges the commit of a checkout by Headgate's own gates and writes a report.

Exit code 0: every required gate passed; 1: one did not; 2: nothing was judged. Start it from
outside the checkout, whose own packages would otherwise be imported.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gates.definition_file import UnreadableDefinitionError, read_definition
from gates.judge import Subject, all_required_passed, judge
from gates.plumbing import CheckoutError
from gates.result import GateReport, report_json

PASSED, NOT_PASSED, NOTHING_JUDGED = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge as the command line says; returns the exit code. Usage errors raise `SystemExit(2)`."""
    asked = _parser().parse_args(arguments)
    out: Path = asked.out
    try:
        # A report of an earlier run must not be taken for this one's if this one dies.
        out.unlink(missing_ok=True)
        definition = read_definition(asked.definition.read_bytes())
        subject = Subject(asked.checkout, asked.diff_base)
        report = judge(subject, definition.gates, definition, _say)
        _write_whole(out, report_json(report, indent=2))
    except OSError as error:
        return _nothing_judged(f"{error.filename}: {error.strerror}")
    except UnreadableDefinitionError as error:
        return _nothing_judged(f"{asked.definition} is not a valid definition file: {error}")
    except CheckoutError as refusal:
        return _nothing_judged(refusal.sentence)
    sys.stdout.write(report_json(report) + "\n" if asked.json else _summary(report))
    return PASSED if all_required_passed(definition.gates, report) else NOT_PASSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gates",
        description="Run the builtin gates of a definition file on the commit of a checkout.",
        epilog="Exit code: 0 every required gate passed, 1 one did not pass, 2 no gate could run.",
    )
    parser.add_argument(
        "--definition", type=Path, required=True, help="JSON: gates, protected, archive_paths"
    )
    parser.add_argument("--checkout", type=Path, required=True, help="the folder to judge")
    parser.add_argument("--diff-base", required=True, help="full SHA of the commit to compare with")
    parser.add_argument("--out", type=Path, required=True, help="the file for the report (JSON)")
    parser.add_argument("--json", action="store_true", help="print the report instead of a summary")
    return parser


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def _nothing_judged(sentence: str) -> int:
    sys.stderr.write(f"No gate could run. {sentence}\n")
    return NOTHING_JUDGED


def _write_whole(out: Path, text: str) -> None:
    unfinished = out.with_name(f"{out.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, out)  # noqa: PTH105 (named for what it promises: all or nothing)


def _summary(report: GateReport) -> str:
    lines = [
        f"{result.ending.value:>13}  {result.gate}: {result.sentence}" for result in report.results
    ]
    return "\n".join([f"{report.candidate_sha} (tree {report.tree_sha})", *lines, ""])


if __name__ == "__main__":
    sys.exit(main())
