"""Stories of whole judgements: what a person would read in the report."""

import json
import sys
from dataclasses import asdict, replace

import pytest
from pydantic import TypeAdapter

from gates.judge import all_required_passed
from gates.result import (
    Ending,
    GateDefinition,
    GateReport,
    Judges,
    TestCounts,
    definition_hash,
    report_json,
)
from gates.wording import LOG_TAIL_CHARS_MAX
from tests.gates.checkouts import SCOPE_CHECK, Repository, endings, gate, judged, report_on

PASSING = '<testsuite><testcase classname="a" name="b"/></testsuite>'
SKIPPED = '<testsuite><testcase name="b"><skipped/></testcase></testsuite>'
FAILING = (
    '<testsuite><testcase name="b" file="src/calc.py" line="1"><failure message="no"/>'
    '</testcase><testcase name="c"/></testsuite>'
)


def writes(report: str) -> str:
    return f"echo '{report}' > $HEADGATE_JUNIT"


@pytest.mark.parametrize(
    ("command", "ending", "exit_code", "says"),
    [
        ("true", Ending.PASSED, 0, "exited with 0"),
        ("exit 3", Ending.FAILED, 3, "exited with 3"),
        ("sleep 60", Ending.TIMED_OUT, None, "ran longer than 1 s and was ended"),
        ("kill -SEGV $$", Ending.CRASHED, 139, "was ended by SIGSEGV"),
        (
            "(kill -ABRT $BASHPID); true",
            Ending.CRASHED,
            134,
            "was ended by SIGABRT (exit code 134)",
        ),
        ("exit 137", Ending.CRASHED, 137, "was ended by SIGKILL"),
        ("exit 130", Ending.FAILED, 130, "exited with 130"),
        ("no-such-tool --version", Ending.COULD_NOT_RUN, 127, "was not found"),
        ("./README.md", Ending.COULD_NOT_RUN, 126, "cannot be executed"),
        ("a \0 b", Ending.COULD_NOT_RUN, None, "could not be started"),
        (writes(PASSING), Ending.PASSED, 0, "1 test passed"),
        (writes(FAILING), Ending.FAILED, 0, "report says: 1 test passed, 1 failed"),
        (f"{writes(FAILING)}; exit 1", Ending.FAILED, 1, "1 test passed, 1 failed"),
        (writes(SKIPPED), Ending.COULD_NOT_RUN, 0, "no test was executed"),
        (writes("<testsuites/>"), Ending.COULD_NOT_RUN, 0, "no test was executed"),
        (writes("<testsuite"), Ending.COULD_NOT_RUN, 0, "report cannot be read: it is not XML"),
        (f"{writes('<testsuite')}; exit 5", Ending.FAILED, 5, "exited with 5"),
        ("true $HEADGATE_JUNIT", Ending.COULD_NOT_RUN, 0, "wrote no JUnit report"),
    ],
)
def test_a_command_has_five_possible_endings(
    repository: Repository, command: str, ending: Ending, exit_code: int | None, says: str
) -> None:
    result = judged(repository, command, gate_timeout_seconds=1 if "sleep" in command else 60)
    assert (result.ending, result.exit_code) == (ending, exit_code)
    assert says in result.sentence


def test_a_junit_report_is_part_of_the_result(repository: Repository) -> None:
    result = judged(repository, f"echo hello; {writes(FAILING)}")
    assert result.tests == TestCounts(passed=1, failed=1)
    assert result.passed_tests == ("c",)
    assert [(one.path, one.line_start) for one in result.annotations] == [("src/calc.py", 1)]
    assert result.log_tail == "hello\n"
    assert result.seconds > 0


def test_a_report_is_found_by_the_definitions_glob(repository: Repository) -> None:
    command = f"mkdir -p out && echo '{PASSING}' > out/junit.xml"
    assert judged(repository, command, junit="out/*.xml").ending is Ending.PASSED
    missing = judged(repository, command, junit="elsewhere/*.xml")
    assert missing.ending is Ending.COULD_NOT_RUN
    assert "wrote no JUnit report" in missing.sentence


def test_a_report_committed_by_the_candidate_proves_nothing(repository: Repository) -> None:
    repository.commit({"out/junit.xml": PASSING})
    assert judged(repository, "true", junit="out/*.xml").ending is Ending.COULD_NOT_RUN


def test_a_report_outside_the_checkout_is_not_looked_for(repository: Repository) -> None:
    result = judged(repository, "touch ran", junit="../*.xml")
    assert result.ending is Ending.COULD_NOT_RUN
    assert "points outside the checkout" in result.sentence


def test_an_undeclared_report_is_read(repository: Repository) -> None:
    repository.commit({"run.sh": f"{writes(FAILING)}\n"})
    assert judged(repository, "sh run.sh").ending is Ending.FAILED


def test_reports_of_pytest_are_read(repository: Repository) -> None:
    repository.commit(
        {
            "calc.py": "def divide(a, b):\n    return a / b\n",
            "tests/test_calc.py": (
                "import sys\nsys.path.insert(0, '.')\nimport calc\n\n"
                "def test_divides():\n    assert calc.divide(4, 2) == 2\n\n"
                "def test_divides_by_zero():\n    assert calc.divide(1, 0) == 0\n"
            ),
        }
    )
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT"
    result = judged(repository, command)
    assert result.ending is Ending.FAILED
    assert result.tests == TestCounts(passed=1, failed=1)
    assert result.passed_tests == ("tests.test_calc.test_divides",)
    place = [(one.path, one.line_start) for one in result.annotations]
    assert place == [("tests/test_calc.py", 9)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"builtin": "no_such_gate"},
            "no builtin gate 'no_such_gate' (known: base_tests, guardrails, junk, rules, "
            "scope_check, secrets, spec_verify, tests)",
        ),
        ({"builtin": "scope_check", "command": "true"}, "one of `command` and `builtin`"),
        ({"builtin": None}, "one of `command` and `builtin`"),
        ({"builtin": None, "command": " \n"}, "one of `command` and `builtin`"),
        ({"judges": Judges.TREE}, "scope_check judges the diff, not the tree"),
    ],
)
def test_a_contradictory_definition_could_not_run(
    repository: Repository, change: dict[str, object], says: str
) -> None:
    changed = TypeAdapter(GateDefinition).validate_python(asdict(SCOPE_CHECK) | change)
    result = report_on(repository, changed).results[0]
    assert result.ending is Ending.COULD_NOT_RUN
    assert says in result.sentence


def test_a_shell_line_is_a_harness_to_run(repository: Repository) -> None:
    result = report_on(repository, gate("line", "touch ran")).results[0]
    assert result.ending is Ending.COULD_NOT_RUN
    assert result.sentence == "Only a runner can run a shell line."
    assert not (repository.folder / "ran").exists()


def test_the_report_names_commit_tree_and_definitions(repository: Repository) -> None:
    head = repository.commit({"src/new.py": "NEW = 1\n"})
    report = report_on(repository, SCOPE_CHECK)
    assert report.candidate_sha == head
    assert report.tree_sha == repository.git("rev-parse", "HEAD^{tree}")
    assert report.definition_hash == definition_hash((SCOPE_CHECK,))
    assert [result.judges for result in report.results] == [Judges.DIFF]
    assert TypeAdapter(GateReport).validate_json(report_json(report)) == report


def test_without_the_base_no_diff_is_judged(repository: Repository) -> None:
    repository.base_sha = "1" * 40
    report = report_on(repository, SCOPE_CHECK)
    assert endings(report) == {"scope": Ending.COULD_NOT_RUN}
    assert "is not in this checkout; fetch it first" in report.results[0].sentence


def test_all_required_gates_must_pass(repository: Repository) -> None:
    repository.commit({"src/new.py": "NEW = 1\n"})
    bad = gate("bad", "false")
    optional = replace(bad, required=False)
    report = report_on(repository, SCOPE_CHECK, bad)
    assert all_required_passed([SCOPE_CHECK, optional], report)
    assert not all_required_passed([SCOPE_CHECK, bad], report)
    assert not all_required_passed([SCOPE_CHECK, gate("never_ran", "true")], report)
    assert not all_required_passed([optional], report)
    assert not all_required_passed([], report)


def test_only_the_end_of_a_long_log_is_kept(repository: Repository) -> None:
    tail = judged(repository, "head -c 60000 /dev/zero | tr '\\0' x; echo; echo the end").log_tail
    assert len(tail) == LOG_TAIL_CHARS_MAX
    assert tail.endswith("x\nthe end\n")


def test_terminal_sequences_and_broken_text_are_made_plain(repository: Repository) -> None:
    line = r"printf '\033[31mred\033[0m\r\n\033]8;;http://x\033\\link\a\0 \377 50%%\r100%%\n'"
    assert judged(repository, line).log_tail == "red\nlink � 50%\n100%\n"


@pytest.mark.parametrize("line", ["false\ntrue", "false; true", "false | true"])
def test_a_line_after_a_failing_one_does_not_hide_the_failure(
    repository: Repository, line: str
) -> None:
    assert judged(repository, line).exit_code == 1


def test_a_report_is_plain_json(repository: Repository) -> None:
    result = judged(repository, r"printf '\377\033[1m\0bad \355\240\200'; false")
    written = json.dumps(asdict(result), ensure_ascii=False).encode()
    assert json.loads(written)["log_tail"].endswith("bad ���")
