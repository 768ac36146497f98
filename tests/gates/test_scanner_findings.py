"""Findings of linters, compilers and scanners at their lines."""

import json
from pathlib import Path

import pytest

from gates.evidence import UnreadableReportError
from gates.failure_locations import FailureLocations
from gates.remarks import REMARKS_MAX, remarks
from gates.result import AnnotationLevel, Ending, GateDefinition, Judges, definition_hash
from gates.sarif import read_sarif
from tests.gates.checkouts import Repository, judged

CHECKOUT = Path("/srv/tree")
PATHS = (
    *("src/a.py", "src/a.ts", "src/main.rs", "main.go", "lib/a.c", "test/sum.test.js"),
    *("apps/one/src/index.ts", "apps/two/src/index.ts"),
)
LOCATIONS = FailureLocations(PATHS, CHECKOUT)
FAILURE, WARNING, NOTICE = AnnotationLevel.FAILURE, AnnotationLevel.WARNING, AnnotationLevel.NOTICE

ESLINT = """
/srv/tree/src/a.ts
  3:5   error    'x' is never reassigned. Use 'const' instead  prefer-const
  9:1   warning  Unexpected console statement                  no-console

✖ 2 problems (1 error, 1 warning)
"""
RUFF = """F401 [*] `os` imported but unused
 --> src/a.py:1:8
  |
1 | import os
"""
RUSTC = """error[E0308]: mismatched types
  --> src/main.rs:2:18
   |
"""
TAP = """TAP version 13
not ok 1 - adds two numbers
  ---
  duration_ms: 0.9
  location: '/srv/tree/test/sum.test.js:4:1'
  failureType: 'testCodeFailure'
  ...
not ok 2 - nowhere
ok 3 - fine
"""


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("lib/a.c:3:5: error: 'x' undeclared", [("lib/a.c", 3, FAILURE)]),
        ("lib/a.c:3:5: warning: unused 'x' [-Wunused]", [("lib/a.c", 3, WARNING)]),
        ("lib/a.c:3:5: note: declared here", [("lib/a.c", 3, NOTICE)]),
        ("src/a.py:12:1: F401 [*] `os` imported but unused", [("src/a.py", 12, FAILURE)]),
        ("src/a.py:7: error: Incompatible types  [assignment]", [("src/a.py", 7, FAILURE)]),
        ("# shop\nvet: ./main.go:5:2: undefined: x", [("main.go", 5, FAILURE)]),
        ("./main.go:5:2: fmt.Println call has a wrong verb", [("main.go", 5, FAILURE)]),
        ("src/a.ts(4,7): error TS2322: Type 'x'", [("src/a.ts", 4, FAILURE)]),
        ("src/a.ts:4:7 - error TS2322: Type 'x'", [("src/a.ts", 4, FAILURE)]),
        (ESLINT, [("src/a.ts", 3, FAILURE), ("src/a.ts", 9, WARNING)]),
        (RUFF, [("src/a.py", 1, FAILURE)]),
        (RUSTC, [("src/main.rs", 2, FAILURE)]),
        (TAP, [("test/sum.test.js", 4, FAILURE)]),
        ("::error file=src/a.py,line=3,col=1::no: not so", [("src/a.py", 3, FAILURE)]),
        ("::warning file=src/a.py,line=3::hm", [("src/a.py", 3, WARNING)]),
        ("\x1b[31mlib/a.c:3:5: error: red\x1b[0m", [("lib/a.c", 3, FAILURE)]),
        ("/usr/lib/a.c:3:5: error: not ours", []),
        ("../../etc/passwd:3: error: not ours", []),
        ("12:30: something", []),
        ("see src/a.py", []),
        ("::error file=src/a.py,line=x::hm", []),
    ],
)
def test_a_remark_is_found_at_its_line(
    log: str, found: list[tuple[str, int, AnnotationLevel]]
) -> None:
    said = remarks(log, LOCATIONS)
    assert [(one.path, one.line_start, one.level) for one in said] == found
    assert all(one.message and one.title for one in said)


def test_paths_are_relative_to_the_folder_of_the_gate() -> None:
    log = "src/index.ts(4,7): error TS2322: no"
    assert remarks(log, LOCATIONS) == ()
    (one,) = remarks(log, LOCATIONS, "apps/two")
    assert (one.path, one.title) == ("apps/two/src/index.ts", "TS2322")


def test_a_remark_counts_once_and_their_number_is_limited() -> None:
    assert len(remarks("lib/a.c:3:5: error: x\n" * 3, LOCATIONS)) == 1
    many = "".join(f"lib/a.c:{n}:5: error: x\n" for n in range(1, 500))
    assert len(remarks(many, LOCATIONS)) == REMARKS_MAX


def result(level: str | None, **more: object) -> dict[str, object]:
    place = {"artifactLocation": {"uri": "src/a.py"}, "region": {"startLine": 7}}
    said: dict[str, object] = {"ruleId": "B602", "message": {"text": "shell=True"}}
    said["locations"] = [{"physicalLocation": place}]
    return said | ({"level": level} if level else {}) | more


def sarif(*results: dict[str, object], **run: object) -> bytes:
    return json.dumps({"version": "2.1.0", "runs": [{"results": list(results), **run}]}).encode()


def test_scanners_findings_are_counted_by_level() -> None:
    found = read_sarif([sarif(result("note"), result("error"), result(None))], LOCATIONS)
    assert (found.errors, found.others) == (1, 2)
    assert [(a.path, a.line_start, a.level) for a in found.annotations] == [
        ("src/a.py", 7, FAILURE),
        ("src/a.py", 7, NOTICE),
        ("src/a.py", 7, WARNING),
    ]


def test_the_level_of_the_rule_counts_for_a_finding_without_one() -> None:
    rules = [{"id": "B602", "defaultConfiguration": {"level": "error"}}]
    tool = {"driver": {"rules": rules}}
    assert read_sarif([sarif(result(None), tool=tool)], LOCATIONS).errors == 1
    assert read_sarif([sarif(result(None, ruleIndex=0), tool=tool)], LOCATIONS).errors == 1


@pytest.mark.parametrize(
    ("more", "errors"),
    [
        ({"suppressions": [{"kind": "inSource"}]}, 0),
        ({"suppressions": [{"kind": "external", "status": "underReview"}]}, 1),
        ({"suppressions": []}, 1),
        ({"baselineState": "unchanged"}, 0),
        ({"baselineState": "new"}, 1),
        ({"kind": "pass"}, 0),
    ],
)
def test_suppressed_and_unchanged_findings_are_not_errors(
    more: dict[str, object], errors: int
) -> None:
    assert read_sarif([sarif(result("error", **more))], LOCATIONS).errors == errors


@pytest.mark.parametrize("report", [b"[]", b"{", b"[" * 100_000, b'{"runs": 3}'])
def test_an_invalid_sarif_report_is_refused(report: bytes) -> None:
    with pytest.raises(UnreadableReportError):
        read_sarif([report], LOCATIONS)


def test_a_report_of_a_failed_scanner_is_refused() -> None:
    failed = sarif(invocations=[{"executionSuccessful": False}])
    with pytest.raises(UnreadableReportError, match="did not succeed"):
        read_sarif([failed], LOCATIONS)


def test_an_error_in_sarif_fails_a_passed_gate(repository: Repository) -> None:
    writes = f"echo '{sarif(result('error')).decode()}' >$HEADGATE_SARIF"
    red = judged(repository, writes)
    assert red.ending is Ending.FAILED
    assert "its SARIF report says: 1 error" in red.sentence
    green = judged(repository, f"echo '{sarif(result('note')).decode()}' >$HEADGATE_SARIF")
    assert green.ending is Ending.PASSED
    assert "1 finding below error" in green.sentence


def test_a_declared_report_of_a_scanner_must_be_there(repository: Repository) -> None:
    missing = judged(repository, "true", sarif="$HEADGATE_SARIF")
    assert missing.ending is Ending.COULD_NOT_RUN
    assert "wrote no SARIF report" in missing.sentence


def test_a_red_line_without_a_report_is_read_for_remarks(repository: Repository) -> None:
    red = judged(repository, "cd src\necho 'calc.py:1:1: E501 too long'; exit 1")
    assert [(a.path, a.line_start, a.title) for a in red.annotations] == [
        ("src/calc.py", 1, "E501")
    ]
    assert judged(repository, "echo 'src/calc.py:1:1: E501 too long'").annotations == ()


def test_a_definition_without_later_fields_keeps_its_name() -> None:
    plain = GateDefinition(name="a", judges=Judges.TREE, command="true")
    assert definition_hash([plain]).startswith("d9987ac89803")
    other = GateDefinition(name="a", judges=Judges.TREE, command="true", sarif="x")
    assert definition_hash([other]) != definition_hash([plain])
