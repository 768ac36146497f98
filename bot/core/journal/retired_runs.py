"""The spec runs that have left the state, in a text: in a table each took as much as ten lines of it."""

from dataclasses import dataclass

from bot.core.values.ids import IssueNumber, SpecRunId


@dataclass(frozen=True, kw_only=True, slots=True)
class RetiredRuns:
    """A line each: the version in its id and its tracking issue, if it had one.

    A spec with the text of another path's gets an id as if it had been there before.
    """

    lines: str = "\n"

    def __contains__(self, run: SpecRunId) -> bool:
        return f"\n{_version(run)} " in self.lines

    def have_issue(self, issue: IssueNumber) -> bool:
        """Whether one of them had this tracking issue."""
        return f" {issue}\n" in self.lines

    def with_run(self, run: SpecRunId, issue: IssueNumber | None) -> "RetiredRuns":
        return RetiredRuns(lines=f"{self.lines}{_version(run)} {issue or ''}\n")


def _version(run: SpecRunId) -> str:
    return run.rpartition("@")[2]
