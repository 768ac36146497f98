"""JUnit XML as evidence: counts, the tests that passed, annotations for those that did not.

There is no single JUnit format, so reading is strict: a suite that claims more failures than it
lists is believed, and a test that says it was not run has not passed. The text is untrusted: no
declarations, so no entities and no attributes by default; bounded depth. `junit_files.py` finds and
opens the files.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from junitparser import Error, Failure, Skipped, TestCase

from gates.evidence import TestEvidence, UnreadableReportError
from gates.failure_locations import FailureLocations
from gates.result import FAILED_TESTS_MAX, PASSED_TESTS_MAX, Annotation, AnnotationLevel, TestCounts
from gates.wording import MESSAGE_CHARS_MAX, TITLE_CHARS_MAX, cut_end, plain_text, shown_path

# GitHub takes 50 annotations in one request (REST, "Update a check run").
ANNOTATIONS_MAX = 200

_DEPTH_MAX = 60
# GoogleTest marks tests that it left out on the test case itself, without a `skipped` element.
_NOT_RUN = frozenset({"notrun", "disabled", "skipped", "suppressed", "ignored"})


@dataclass(frozen=True)
class _Case:
    """One test case: its name for people and, where it did not pass, why."""

    id: str
    outcome: str
    title: str = ""
    text: str = ""
    file: str = ""
    classname: str = ""
    line: int = 1


def read_reports(reports: list[bytes], locations: FailureLocations) -> TestEvidence:
    """Read whole reports, in order. Raises `UnreadableReportError` if one of them is no report."""
    counts: Counter[str] = Counter()
    passed: dict[str, None] = {}
    not_passed: set[str] = set()
    failed: dict[str, None] = {}
    annotations: list[Annotation] = []
    for report in reports:
        root = _root(report)
        found: Counter[str] = Counter()
        for case in _cases(root, locations):
            found[case.outcome] += 1
            if case.outcome == "passed":
                passed[case.id] = None
                continue
            not_passed.add(case.id)
            if case.outcome == "skipped":
                continue
            failed[case.id] = None
            if len(annotations) < ANNOTATIONS_MAX:
                annotations.extend(_annotation(case, locations))
        for outcome, attribute in (("failed", "failures"), ("errored", "errors")):
            found[outcome] = max(found[outcome], _claimed(root, attribute))
        counts += found
    # A name that both passed and failed (parametrised, or run again) has not passed.
    names = [name for name in passed if name not in not_passed]
    return TestEvidence(
        TestCounts(
            passed=counts["passed"],
            failed=counts["failed"],
            errored=counts["errored"],
            skipped=counts["skipped"],
        ),
        tuple(names[:PASSED_TESTS_MAX]),
        tuple(failed)[:FAILED_TESTS_MAX],
        tuple(annotations),
    )


def _root(report: bytes) -> Element:
    try:
        # A declaration of 200 kB can give each test case as much in attributes.
        root: Element = fromstring(report, forbid_dtd=True)
    except (ParseError, ValueError, LookupError) as error:
        if isinstance(error, DefusedXmlException):
            raise UnreadableReportError("it declares a document type") from error
        raise UnreadableReportError(f"it is not XML ({cut_end(str(error), 100)})") from error
    if _tag(root) not in ("testsuites", "testsuite"):
        raise UnreadableReportError(f"its root is <{cut_end(plain_text(_tag(root)), 40)}>")
    for element in root.iter():
        element.tag = _tag(element)
    return root


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _cases(element: Element, locations: FailureLocations, depth: int = 0) -> Iterator[_Case]:
    if depth > _DEPTH_MAX:
        raise UnreadableReportError("its suites are nested too deep")
    for child in element:
        if child.tag == "testcase":
            yield _case(child, locations)
        elif child.tag == "testsuite":
            yield from _cases(child, locations, depth + 1)


def _case(element: Element, locations: FailureLocations) -> _Case:
    case: TestCase = TestCase.fromelem(element)  # type: ignore[no-untyped-call]
    name, classname = _attribute(element, "name"), _attribute(element, "classname")
    file = _attribute(element, "file")
    prefix = f"{file}::" if file else f"{classname}." if classname else ""
    case_id = locations.without_checkout(prefix + name)
    results = [result for result in case.result if isinstance(result, Error | Failure)]
    if results:
        texts = [part for result in results for part in (result.message, result.text) if part]
        outcome = "errored" if all(isinstance(result, Error) for result in results) else "failed"
        text = plain_text("\n".join(texts))
        return _Case(case_id, outcome, name, text, file, classname, _line(element))
    marked = {element.get("status", "").lower(), element.get("result", "").lower()}
    if any(isinstance(result, Skipped) for result in case.result) or marked & _NOT_RUN:
        return _Case(case_id, "skipped")
    return _Case(case_id, "passed")


def _attribute(element: Element, name: str) -> str:
    return cut_end(plain_text(element.get(name, "")).replace("\n", " ").strip(), 500)


def _line(element: Element) -> int:
    number = element.get("line", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 8 else 1


def _claimed(element: Element, attribute: str) -> int:
    """Failures that a suite's attribute states, or its suites' together, whichever is more."""
    number = element.get(attribute, "")
    own = int(number) if number.isascii() and number.isdigit() and len(number) < 8 else 0
    inner = sum(_claimed(suite, attribute) for suite in element.iterfind("testsuite"))
    return max(own, inner)


def _annotation(case: _Case, locations: FailureLocations) -> Iterator[Annotation]:
    place = locations.find(case.file, case.classname, case.line, case.text)
    if place is not None:
        path, line = place
        yield Annotation(
            path=shown_path(path),
            line_start=line,
            line_end=line,
            level=AnnotationLevel.FAILURE,
            title=cut_end(f"{case.title or 'A test'} {case.outcome}", TITLE_CHARS_MAX),
            message=cut_end(case.text.strip() or "The report gives no details.", MESSAGE_CHARS_MAX),
        )
