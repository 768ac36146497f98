"""JUnit XML as evidence: what runners of many kinds write, and what an attacker might."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gates.evidence import UnreadableReportError
from gates.failure_locations import FailureLocations
from gates.junit import ANNOTATIONS_MAX, read_reports
from gates.junit_files import FILES_MAX, ReportFiles
from gates.result import TestCounts

TREE = FailureLocations(
    [
        "tests/test_calc.py",
        "src/calc.py",
        "pkg/sum/sum_test.go",
        "web/src/app.test.js",
        "a/same.py",
        "b/same.py",
    ],
    Path("/srv/checkout"),
)

PYTEST = b"""<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1"
 tests="4" time="0.1">
<testcase classname="tests.test_calc" name="test_adds" time="0.001" />
<testcase classname="tests.test_calc" name="test_divides" time="0.001">
 <failure message="ZeroDivisionError: division by zero">def test_divides():
&gt;       divide(1, 0)

tests/test_calc.py:12:
_ _ _ _
    def divide(a, b):
&gt;       return a / b
E       ZeroDivisionError: division by zero

src/calc.py:3: ZeroDivisionError</failure></testcase>
<testcase classname="tests.test_calc.TestLater" name="test_later" time="0.000">
 <skipped type="pytest.skip" message="later">later</skipped></testcase>
<testcase classname="" name="tests.test_broken" time="0.000">
 <error message="collection failure">E   ModuleNotFoundError: No module named 'nope'</error>
</testcase></testsuite></testsuites>"""

NESTED = b"""<testsuites xmlns="urn:x"><testsuite name="outer"><testsuite name="inner">
<testcase classname="A" name="one"/><testsuite><testcase classname="B" name="two">
<failure message="no"/></testcase></testsuite></testsuite>
<testcase name="three" status="notrun"/></testsuite></testsuites>"""


def wrap(inside: str) -> bytes:
    return f"<testsuite>{inside}</testsuite>".encode()


def test_reports_written_by_pytest_are_understood() -> None:
    evidence = read_reports([PYTEST], TREE)
    assert evidence.counts == TestCounts(passed=1, failed=1, errored=1, skipped=1)
    assert evidence.passed_tests == ("tests.test_calc.test_adds",)
    annotation = evidence.annotations[0]
    assert (annotation.path, annotation.line_start) == ("tests/test_calc.py", 12)
    assert annotation.title == "test_divides failed"
    assert "division by zero" in annotation.message
    assert len(evidence.annotations) == 1  # the broken module is in no file of the tree


def test_nested_suites_namespaces_and_skipped_tests_are_read() -> None:
    evidence = read_reports([NESTED], TREE)
    assert evidence.counts == TestCounts(passed=1, failed=1, skipped=1)
    assert evidence.passed_tests == ("A.one",)


def test_several_reports_are_counted_together() -> None:
    assert read_reports([PYTEST, NESTED], TREE).counts == TestCounts(
        passed=2, failed=2, errored=1, skipped=2
    )


@pytest.mark.parametrize(
    ("case", "place"),
    [
        ('file="tests/test_calc.py" line="7"', ("tests/test_calc.py", 7)),
        ('file="./tests/test_calc.py" line="0"', ("tests/test_calc.py", 1)),
        ('file="/srv/checkout/src/calc.py" line="2"', ("src/calc.py", 2)),
        ('file="src/calc.py" line="99999999999999"', ("src/calc.py", 1)),
        ('classname="tests.test_calc.TestA"', ("tests/test_calc.py", 1)),
        ('file="/etc/passwd" line="1"', None),
        ('file="../../etc/passwd"', None),
        ('classname="nobody"', None),
    ],
)
def test_the_location_comes_from_the_test_case(case: str, place: tuple[str, int] | None) -> None:
    report = wrap(f'<testcase name="t" {case}><failure message="no"/></testcase>')
    annotations = read_reports([report], TREE).annotations
    assert [(one.path, one.line_start) for one in annotations] == ([place] if place else [])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("tests/test_calc.py:12: AssertionError", ("tests/test_calc.py", 12)),
        ('  File "/srv/checkout/src/calc.py", line 3, in divide', ("src/calc.py", 3)),
        ("    sum_test.go:41: got 3, want 4", ("pkg/sum/sum_test.go", 41)),
        ("at it (/srv/checkout/web/src/app.test.js:9:15)", ("web/src/app.test.js", 9)),
        ("at file:///srv/checkout/web/src/app.test.js:9:15", ("web/src/app.test.js", 9)),
        ("/usr/lib/x.py:1: Error\nsrc/calc.py:0: Error", ("src/calc.py", 1)),
        ("same.py:3: which one?", None),
        ("https://example.com/src/calc.py:80", None),
        ("nothing here", None),
    ],
)
def test_the_location_comes_from_the_text(text: str, place: tuple[str, int] | None) -> None:
    report = wrap(f'<testcase name="t"><failure>{text.replace("<", "")}</failure></testcase>')
    annotations = read_reports([report], TREE).annotations
    assert [(one.path, one.line_start) for one in annotations] == ([place] if place else [])


def test_a_file_attribute_is_part_of_a_tests_name() -> None:
    report = wrap('<testcase classname="x.Y" name="adds" file="tests/test_calc.py"/>')
    assert read_reports([report], TREE).passed_tests == ("tests/test_calc.py::adds",)


def test_a_tests_name_is_the_same_in_each_checkout() -> None:
    named = 'name="adds" file="/srv/checkout/web/src/app.test.js"'
    report = wrap(f'<testcase {named}/><testcase {named[:-1]}x"><failure/></testcase>')
    evidence = read_reports([report], TREE)
    assert evidence.passed_tests == ("web/src/app.test.js::adds",)
    assert evidence.failed_tests == ("web/src/app.test.jsx::adds",)


def test_a_test_that_also_failed_has_not_passed() -> None:
    report = wrap('<testcase name="t"/><testcase name="t"><failure/></testcase>')
    evidence = read_reports([report], TREE)
    assert evidence.passed_tests == ()
    assert evidence.counts == TestCounts(passed=1, failed=1)


@pytest.mark.parametrize(
    "report",
    [
        b'<testsuites failures="2"><testsuite><testcase name="t"/></testsuite></testsuites>',
        b'<testsuites><testsuite failures="1"/><testsuite failures="1"/></testsuites>',
        b'<testsuites failures="2"><testsuite failures="1"/></testsuites>',
    ],
)
def test_failures_counted_but_not_listed_are_believed(report: bytes) -> None:
    assert read_reports([report], TREE).counts.failed == 2


def test_the_number_of_kept_tests_and_annotations_is_limited() -> None:
    failing = '<testcase name="{}" file="src/calc.py"><failure>{}</failure></testcase>'
    passing = "".join(f'<testcase name="p{number}"/>' for number in range(2_500))
    report = wrap("".join(failing.format("n" * 900, "x" * 9_000) for _ in range(299)) + passing)
    evidence = read_reports([report], TREE)
    assert len(evidence.annotations) == ANNOTATIONS_MAX
    assert len(evidence.passed_tests) == 2_000
    assert evidence.counts == TestCounts(passed=2_500, failed=299)
    assert max(len(one.message) for one in evidence.annotations) == 4_000
    assert max(len(one.title) for one in evidence.annotations) <= 255


BILLION_LAUGHS = (
    b'<!DOCTYPE x [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + step, b"&%c;" % (97 + step) * 10) for step in range(9))
    + b"]><testsuite><testcase name='t'><failure>&j;</failure></testcase></testsuite>"
)


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (b"", "not XML"),
        (b"<testsuite><testcase", "not XML"),
        (b"\xff\xfe\x00", "not XML"),
        (b'<?xml version="1.0" encoding="no-such"?><testsuite/>', "not XML"),
        (b"<html/>", "root is <html>"),
        (BILLION_LAUGHS, "document type"),
        (
            b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite>&a;</testsuite>',
            "document type",
        ),
        (b"<testsuite>" * 5_000 + b"</testsuite>" * 5_000, "nested too deep"),
    ],
    ids=["empty", "cut off", "bytes", "encoding", "html", "laughs", "external", "deep"],
)
def test_unreadable_reports_are_refused(report: bytes, reason: str) -> None:
    with pytest.raises(UnreadableReportError, match=reason):
        read_reports([report], TREE)


ATTRIBUTES = st.sampled_from(["name", "file", "line", "status", "failures", "errors", "classname"])
TAGS = st.sampled_from(["testsuite", "testcase", "failure", "error", "skipped", "other"])
TEXTS = st.text(st.characters(codec="ascii", exclude_characters="<>&\"'", min_codepoint=32))


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    tag = draw(TAGS)
    attributes = draw(st.dictionaries(ATTRIBUTES, TEXTS | st.integers().map(str), max_size=3))
    inner = draw(TEXTS)
    if depth < 3:
        inner += "".join(draw(st.lists(elements(depth + 1), max_size=3)))
    listed = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<{tag} {listed}>{inner}</{tag}>"


@given(elements())
def test_any_xml_is_counted_without_a_crash(inside: str) -> None:
    evidence = read_reports([wrap(inside)], TREE)
    assert len(evidence.passed_tests) <= evidence.counts.passed


@given(st.binary())
def test_any_bytes_are_a_report_or_unreadable(report: bytes) -> None:
    try:
        read_reports([report], TREE)
    except UnreadableReportError:
        return


class TestFiles:
    """Which files count as written by this execution."""

    def place(self, folder: Path, glob: str | None = "out/*.xml") -> ReportFiles:
        (folder / "checkout/out").mkdir(parents=True, exist_ok=True)
        return ReportFiles((folder / "checkout").resolve(), folder / "own.xml", glob)

    def test_only_new_and_changed_files_count(self, tmp_path: Path) -> None:
        place = self.place(tmp_path)
        out = place.checkout / "out"
        for name in ("old", "rewritten"):
            (out / f"{name}.xml").write_text("before")
        before = place.stamps()
        (out / "rewritten.xml").write_text("after!")
        (out / "new.xml").write_text("new")
        (out / "new.txt").write_text("not asked for")
        place.own_file.write_text("own")
        assert place.written_since(before) == [b"new", b"after!", b"own"]

    @pytest.mark.parametrize("glob", ["/etc/*", "../*.xml", "a/../../b", "", "a**b", "/"])
    def test_a_pattern_stays_below_the_checkout(self, tmp_path: Path, glob: str) -> None:
        place = self.place(tmp_path, glob)
        with pytest.raises(UnreadableReportError, match="pattern"):
            place.stamps()

    def test_links_and_pipes_are_not_followed(self, tmp_path: Path) -> None:
        place = self.place(tmp_path, "**/*.xml")
        (tmp_path / "secret").mkdir()
        (tmp_path / "secret/s.xml").write_text("secret")
        (place.checkout / "out/link.xml").symlink_to(tmp_path / "secret/s.xml")
        (place.checkout / "far").symlink_to(tmp_path / "secret")
        os.mkfifo(place.checkout / "out/pipe.xml")
        assert place.written_since({}) == []
        os.mkfifo(place.own_file)
        with pytest.raises(UnreadableReportError, match="not a regular file"):
            place.written_since({})

    def test_a_report_may_not_be_a_link(self, tmp_path: Path) -> None:
        place = self.place(tmp_path)
        place.own_file.symlink_to("/etc/passwd")
        with pytest.raises(UnreadableReportError, match="cannot be opened"):
            place.written_since({})

    def test_reports_with_too_many_bytes_are_refused(self, tmp_path: Path) -> None:
        place = self.place(tmp_path)
        with (place.checkout / "out/big.xml").open("wb") as file:
            file.truncate(10_000_000)
        assert len(place.written_since({})[0]) == 10_000_000
        with place.own_file.open("wb") as file:
            file.truncate(10_000_000)
        with pytest.raises(UnreadableReportError, match="larger than"):
            place.written_since({})

    def test_too_many_reports_are_refused(self, tmp_path: Path) -> None:
        place = self.place(tmp_path)
        for number in range(FILES_MAX + 1):
            (place.checkout / f"out/{number}.xml").touch()
        with pytest.raises(UnreadableReportError, match="more than 2,000 files"):
            place.written_since({})
