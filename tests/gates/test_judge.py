"""Stories of whole judgements: what a person would read in the report."""

import json
import re
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import gates
from gates.judge import Subject, all_required_passed, judge
from gates.plumbing import CheckoutError
from gates.result import (
    Ending,
    GateDefinition,
    GateReport,
    Judges,
    TestCounts,
    definition_hash,
    report_json,
)
from gates.settings import JudgeSettings
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
        ("kill -SEGV $$", Ending.CRASHED, None, "died by SIGSEGV"),
        ("(kill -ABRT $BASHPID); true", Ending.CRASHED, 134, "died by SIGABRT (exit code 134)"),
        ("exit 137", Ending.CRASHED, 137, "died by SIGKILL"),
        ("exit 130", Ending.FAILED, 130, "exited with 130"),
        ("no-such-tool --version", Ending.COULD_NOT_RUN, 127, "was not found"),
        ("./README.md", Ending.COULD_NOT_RUN, 126, "cannot be executed"),
        ("a \0 b", Ending.COULD_NOT_RUN, None, "could not be started"),
        (writes(PASSING), Ending.PASSED, 0, "1 test passed"),
        (writes(FAILING), Ending.FAILED, 0, "report says: 1 test passed, 1 failed"),
        (f"{writes(FAILING)}; exit 1", Ending.FAILED, 1, "1 test passed, 1 failed"),
        (writes(SKIPPED), Ending.COULD_NOT_RUN, 0, "no test was executed"),
        (writes("<testsuites/>"), Ending.COULD_NOT_RUN, 0, "no test was executed"),
        (writes("<testsuite"), Ending.COULD_NOT_RUN, 0, "report is unreadable: it is not XML"),
        (f"{writes('<testsuite')}; exit 5", Ending.FAILED, 5, "exited with 5"),
        ("true $HEADGATE_JUNIT", Ending.COULD_NOT_RUN, 0, "wrote no JUnit report"),
    ],
)
def test_the_five_endings_of_a_command(
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
    assert "leaves the checkout" in result.sentence


def test_an_undeclared_report_is_read_too(repository: Repository) -> None:
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


def test_every_gate_runs_and_builtin_ones_first(repository: Repository) -> None:
    repository.commit({"src/new.py": "NEW = 1\n"})
    report = report_on(
        repository,
        gate("fails", "exit 1"),
        gate("hangs", "sleep 60", gate_timeout_seconds=1),
        gate("passes", "true"),
        SCOPE_CHECK,
    )
    assert list(endings(report).items()) == [
        ("scope", Ending.PASSED),
        ("fails", Ending.FAILED),
        ("hangs", Ending.TIMED_OUT),
        ("passes", Ending.PASSED),
    ]


def test_the_report_names_commit_tree_and_definitions(repository: Repository) -> None:
    head = repository.commit({"src/new.py": "NEW = 1\n"})
    definitions = (gate("passes", "true"), SCOPE_CHECK)
    report = report_on(repository, *definitions)
    assert report.candidate_sha == head
    assert report.tree_sha == repository.git("rev-parse", "HEAD^{tree}")
    assert report.definition_hash == definition_hash(definitions)
    assert [result.judges for result in report.results] == [Judges.DIFF, Judges.TREE]
    assert TypeAdapter(GateReport).validate_json(report_json(report)) == report


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"builtin": "no_such_gate"}, "no builtin gate 'no_such_gate' (there is: scope_check)"),
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


def test_without_the_base_only_tree_gates_run(repository: Repository) -> None:
    repository.base_sha = "1" * 40
    report = report_on(repository, SCOPE_CHECK, gate("passes", "true"))
    assert endings(report) == {"scope": Ending.COULD_NOT_RUN, "passes": Ending.PASSED}
    assert "is not in this checkout; fetch it first" in report.results[0].sentence


def test_each_gate_starts_with_the_files_of_the_commit(repository: Repository) -> None:
    repository.write("from-setup/tool", "tool\n")
    report = report_on(
        repository,
        gate("rewrites", "echo 'ONE = 2' > src/calc.py; rm README.md; touch conftest.py"),
        gate("is_clean", "test \"$(cat src/calc.py)\" = 'ONE = 1' && test -e README.md"),
        gate("is_alone", "test ! -e conftest.py && test -e from-setup/tool"),
    )
    assert set(endings(report).values()) == {Ending.PASSED}


def test_a_gate_that_breaks_the_checkout_does_not_change_other_results(
    repository: Repository,
) -> None:
    report = report_on(
        repository,
        gate("breaks", "rm -rf .git src"),
        gate("after", "true"),
    )
    assert endings(report) == {"breaks": Ending.PASSED, "after": Ending.COULD_NOT_RUN}
    assert "An earlier gate changed the checkout." in report.results[1].sentence


def test_the_time_for_all_gates_is_limited(repository: Repository) -> None:
    report = report_on(
        repository,
        gate("hangs", "sleep 60", gate_timeout_seconds=600),
        gate("late", "true"),
        settings=JudgeSettings(total_timeout_seconds=1),
    )
    assert endings(report) == {"hangs": Ending.TIMED_OUT, "late": Ending.COULD_NOT_RUN}
    assert "limit of 1 s for all gates was used up" in report.results[1].sentence


def test_a_command_sees_no_secret(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "HEADGATE_LEASE", "ANTHROPIC_API_KEY", "BASH_ENV", "GIT_DIR"):
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("LC_TIME", "C")
    result = judged(repository, "env")
    names = {line.split("=")[0] for line in result.log_tail.splitlines()}
    assert "hunter2" not in result.log_tail
    assert {"PATH", "CI", "HEADGATE_JUNIT", "HEADGATE_DIFF_BASE", "LC_TIME"} <= names
    assert f"HEADGATE_DIFF_BASE={repository.base_sha}\n" in result.log_tail


def test_a_package_of_the_candidate_called_gates_is_its_own(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours = Path(gates.__file__).parent.parent
    monkeypatch.setenv("PYTHONPATH", f"{ours}:{tmp_path}")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    result = judged(repository, "env")
    assert f"PYTHONPATH={tmp_path}\n" in result.log_tail
    assert "PYTHONSAFEPATH" not in result.log_tail


def test_progress_never_contains_the_commands_output(repository: Repository) -> None:
    sentences: list[str] = []
    judge(
        Subject(repository.folder, repository.base_sha),
        (gate("chatty", "echo ::error::hello; sleep 6"),),
        JudgeSettings(),
        sentences.append,
    )
    assert sentences[0] == "Gate 1 of 1: chatty"
    assert re.fullmatch(r"chatty runs for \d+ s, 15 bytes of log", sentences[1])
    assert sentences[-1].startswith("chatty: passed. The command exited with 0")


def test_a_dirty_checkout_is_not_judged(repository: Repository) -> None:
    repository.write("src/calc.py", "ONE = 2\n")
    with pytest.raises(CheckoutError, match="dirty"):
        report_on(repository, gate("passes", "true"))


def test_all_required_gates_must_pass(repository: Repository) -> None:
    good = gate("good", "true")
    bad = gate("bad", "false")
    optional = replace(bad, required=False)
    report = report_on(repository, good, bad)
    assert all_required_passed([good, optional], report)
    assert not all_required_passed([good, bad], report)
    assert not all_required_passed([good, gate("never_ran", "true")], report)
    assert not all_required_passed([optional], report)
    assert not all_required_passed([], report)


def test_a_report_is_plain_json(repository: Repository) -> None:
    result = judged(repository, r"printf '\377\033[1m\0bad \355\240\200'; false")
    written = json.dumps(asdict(result), ensure_ascii=False).encode()
    assert json.loads(written)["log_tail"].endswith("bad ���")
