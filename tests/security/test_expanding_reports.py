"""Reports that tests and scanners write: small files that would be large once they are read."""

import contextlib
import json
import tracemalloc
from pathlib import Path

import pytest

from gates.evidence import UnreadableReportError
from gates.failure_locations import FailureLocations
from gates.junit import read_reports
from gates.sarif import read_sarif
from tests.testkit.pace import at_most

PLACES = FailureLocations(["a.py"], Path("/nowhere"))
CASE = "<testcase name='t'><failure>a.py:1: x</failure></testcase>"
MANY = 10_000


def declared(words: str, suite: str = "") -> bytes:
    return f"<!DOCTYPE x [{words}]><testsuite>{suite}</testsuite>".encode()


# Each step ten times the one before.
LAUGHS = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
ATTRIBUTES = " ".join(f"a{n} CDATA '{'y' * 50}'" for n in range(200))
MULTIPLIED = {
    "entities of entities": declared(f"<!ENTITY a0 'ha'>{LAUGHS}", "&a9;"),
    "one long entity": declared(f"<!ENTITY a '{'a' * MANY}'>", "&a;" * MANY),
    "a file of the machine": declared("<!ENTITY a SYSTEM 'file:///etc/passwd'>", "&a;"),
    "a parameter": declared("<!ENTITY % a SYSTEM 'http://e.example/x'> %a;"),
    "an address": b"<!DOCTYPE x SYSTEM 'http://e.example/x'><testsuite/>",
    "attributes of each test": declared(f"<!ATTLIST testcase {ATTRIBUTES}>", CASE * 500),
}


@pytest.mark.attack(
    "A candidate's tests write a report whose declarations make gigabytes of it",
    held="`gates.junit`: a report that declares a document type is refused",
)
@pytest.mark.parametrize("report", MULTIPLIED.values(), ids=MULTIPLIED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_report_whose_declarations_multiply_is_refused(report: bytes, encoding: str) -> None:
    with pytest.raises(UnreadableReportError, match="document type"):
        read_reports([report.decode().encode(encoding)], PLACES)


def suite(inside: str, attributes: str = "") -> bytes:
    return f"<testsuite {attributes}>{inside}</testsuite>".encode()


def finding(**more: object) -> dict[str, object]:
    return {"level": "error", "message": {"text": "x"}, **more}


def place(uri: str) -> dict[str, object]:
    return finding(locations=[{"physicalLocation": {"artifactLocation": {"uri": uri}}}])


def scan(*findings: object, **more: object) -> bytes:
    return json.dumps({"runs": [{"results": findings, **more}]}).encode()


RULES = {"driver": {"rules": [{"id": f"r{n}"} for n in range(MANY)]}}
JUNIT = {
    "suites in suites": b"<testsuite>" * MANY + b"</testsuite>" * MANY,
    "elements in a test": suite("<testcase>" + "<a>" * MANY + "</a>" * MANY + "</testcase>"),
    "elements that do not end": b"<testsuite>" + b"<a>" * MANY,
    "attributes": suite("", " ".join(f"a{n}='1'" for n in range(MANY))),
    "names of spaces": suite("", " ".join(f"xmlns:n{n}='u{n}'" for n in range(MANY))),
    "a long name": suite(f"<testcase name='{'a' * 100 * MANY}'><failure/></testcase>"),
    "tests": suite(CASE * MANY),
    "failures of a test": suite(f"<testcase>{'<failure>a.py:1: y</failure>' * MANY}</testcase>"),
    "places in a text": suite(CASE.replace("x", "a.py:1 " * 10 * MANY)),
    "a path in a text": suite(CASE.replace("x", "a/" * 10 * MANY)),
    "a number": suite("", f"tests='{'9' * MANY}' failures='{'9' * MANY}'"),
}
SARIF = {
    "lists that do not end": b'{"runs":[' + b"[" * 100 * MANY,
    "lists in lists": b'{"runs":' + b"[" * 10 * MANY + b"]" * 10 * MANY + b"}",
    "objects in objects": b'{"a":' * 10 * MANY + b"1" + b"}" * 10 * MANY,
    "a number": b'{"runs":[{"results":[{"ruleIndex":' + b"9" * MANY + b"}]}]}",
    "no number": b'{"runs":[{"results":[{"ruleIndex":Infinity,"rank":NaN}]}]}',
    "steps up": scan(place("%2e%2e/" * MANY)),
    "percents": scan(place("file://" + "%" * 10 * MANY)),
    "findings": scan(*[finding()] * MANY),
    "rules": scan(*[finding(ruleId=f"r{MANY - 1}")] * MANY, tool=RULES),
    "half a character": scan(place("\ud800"), finding(message={"text": "\ud800"})),
}


@pytest.mark.attack(
    "A report that nests without end, or has a hundred thousand of whatever it may have",
    held="`gates.junit`, `gates.sarif`: time and memory go with the length",
)
@pytest.mark.parametrize(
    ("kind", "report"),
    [
        *(pytest.param("junit", report, id=f"junit: {name}") for name, report in JUNIT.items()),
        *(pytest.param("sarif", report, id=f"sarif: {name}") for name, report in SARIF.items()),
    ],
)
def test_a_report_is_read_in_linear_time(kind: str, report: bytes) -> None:
    read = read_reports if kind == "junit" else read_sarif
    with at_most(10):
        tracemalloc.start()
        # Refused, or read.
        with contextlib.suppress(UnreadableReportError):
            read([report], PLACES)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 250 * len(report) + 8_000_000
