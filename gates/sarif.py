"""SARIF 2.1.0, the reports of security scanners: what they found, and what of it stands in the way.

An error that nobody suppressed is a failure, whatever the scanner's exit code. A run that did not succeed
by its own words found nothing that counts.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from gates.evidence import UnreadableReportError
from gates.failure_locations import LINE_MAX, FailureLocations
from gates.result import Annotation, AnnotationLevel
from gates.wording import MESSAGE_CHARS_MAX, TITLE_CHARS_MAX, cut_end, plain_text, shown_path

_ANNOTATIONS_MAX = 200
_LEVELS = {
    "error": AnnotationLevel.FAILURE,
    "warning": AnnotationLevel.WARNING,
    "note": AnnotationLevel.NOTICE,
}
# What a scanner did not meet before; "unchanged" it met on the commit that it compares with.
_OLD = frozenset({"unchanged", "absent"})

Json = dict[str, object]


@dataclass(frozen=True)
class Findings:
    errors: int
    others: int
    annotations: tuple[Annotation, ...]


def read_sarif(reports: list[bytes], locations: FailureLocations) -> Findings:
    """Read whole reports. Raises `UnreadableReportError` where one is none, or its run failed."""
    errors = others = 0
    annotations: list[Annotation] = []
    for report in reports:
        for run in _runs(report):
            rules = _Rules.of(run)
            for result in _objects(run.get("results")):
                level = _level(result, rules)
                if level is None:
                    continue
                errors += level == "error"
                others += level != "error"
                annotations += _annotation(result, _LEVELS[level], locations)
    # Errors first: what is cut is of less weight.
    annotations.sort(key=lambda one: one.level is not AnnotationLevel.FAILURE)
    return Findings(errors, others, tuple(annotations[:_ANNOTATIONS_MAX]))


def _runs(report: bytes) -> Iterator[Json]:
    try:
        read = json.loads(report)
    except (ValueError, RecursionError) as error:
        raise UnreadableReportError("it is not JSON") from error
    if not isinstance(read, dict) or not isinstance(read.get("runs"), list):
        raise UnreadableReportError("it has no `runs`")
    for run in _objects(read["runs"]):
        for invocation in _objects(run.get("invocations")):
            if invocation.get("executionSuccessful") is False:
                raise UnreadableReportError("the scanner says that its run did not succeed")
        yield run


def _level(result: Json, rules: "_Rules") -> str | None:
    """One of `_LEVELS`; None for what is no finding, or an accepted one."""
    if result.get("kind", "fail") != "fail" or result.get("baselineState") in _OLD:
        return None
    suppressions = _objects(result.get("suppressions"))
    if suppressions and all(s.get("status", "accepted") == "accepted" for s in suppressions):
        return None
    level = result.get("level") or rules.level(result) or "warning"
    return level if isinstance(level, str) and level in _LEVELS else None


@dataclass(frozen=True)
class _Rules:
    rules: list[Json]
    by_id: dict[str, Json]

    @classmethod
    def of(cls, run: Json) -> "_Rules":
        rules = _objects(_object(_object(run.get("tool")).get("driver")).get("rules"))
        # The first of a name counts.
        by_id = {id_: one for one in reversed(rules) if isinstance(id_ := one.get("id"), str)}
        return cls(rules, by_id)

    def level(self, result: Json) -> object:
        index, id_ = result.get("ruleIndex"), result.get("ruleId")
        if isinstance(index, int) and 0 <= index < len(self.rules):
            rule = self.rules[index]
        else:
            rule = self.by_id.get(id_, {}) if isinstance(id_, str) else {}
        return _object(rule.get("defaultConfiguration")).get("level")


def _annotation(
    result: Json, level: AnnotationLevel, locations: FailureLocations
) -> Iterator[Annotation]:
    for location in _objects(result.get("locations"))[:1]:
        physical = _object(location.get("physicalLocation"))
        uri = _object(physical.get("artifactLocation")).get("uri")
        line = _object(physical.get("region")).get("startLine", 1)
        path = locations.in_tree(unquote(str(uri)).removeprefix("file://")) if uri else None
        if path is None or not isinstance(line, int):
            continue
        text = _object(result.get("message")).get("text")
        message = plain_text(str(text or "")).strip() or "The report gives no details."
        yield Annotation(
            path=shown_path(path),
            line_start=min(max(line, 1), LINE_MAX),
            line_end=min(max(line, 1), LINE_MAX),
            level=level,
            title=cut_end(plain_text(str(result.get("ruleId") or "Finding")), TITLE_CHARS_MAX),
            message=cut_end(message, MESSAGE_CHARS_MAX),
        )


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
