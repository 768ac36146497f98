"""What the JUnit reports of a gate say, or that they say nothing that can be believed."""

from dataclasses import dataclass

from gates.result import Annotation, TestCounts


class UnreadableReportError(Exception):
    """A JUnit report that cannot be believed; `reason` is half a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class TestEvidence:
    __test__ = False

    counts: TestCounts
    passed_tests: tuple[str, ...]
    failed_tests: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    @property
    def executed(self) -> int:
        return self.counts.passed + self.counts.failed + self.counts.errored

    @property
    def not_passed(self) -> int:
        return self.counts.failed + self.counts.errored
