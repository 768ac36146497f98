"""Issues that asked for work, or were specs, and have left the state: a line of text each, as of runs."""

import json
from dataclasses import dataclass

from bot.core.journal.dialogue_state import Dialogue
from bot.core.journal.spec_state import SpecIssue
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.replacement import replace


@dataclass(frozen=True, kw_only=True, slots=True)
class RetiredIssue:
    """What counts if the issue is labelled again, or if somebody answers there.

    `labelling` is the act that began the last dialogue, `begun` how many there were (0: none);
    `path` and `pull` are those of the spec that was proposed last, in `round` (0: none was).
    """

    issue: IssueNumber
    labelling: int = 0
    begun: int = 0
    pull: PullNumber | None = None
    round: int = 0
    path: str = ""

    @property
    def line(self) -> str:
        numbers = (self.issue, self.labelling, self.begun, self.pull or 0, self.round)
        return f"{' '.join(map(str, numbers))} {json.dumps(self.path)}\n"

    @property
    def dialogue(self) -> Dialogue | None:
        """The last dialogue, without its words."""
        if not self.begun:
            return None
        return Dialogue(
            issue=self.issue,
            begun=self.begun,
            labelling=self.labelling,
            asked_by="",
            title="",
            digest="",
            phase=DialoguePhase.ENDED,
            pull=self.pull,
            is_told=True,
        )

    @property
    def spec(self) -> SpecIssue | None:
        """The spec that was proposed last, which is withdrawn."""
        if self.pull is None or not self.round:
            return None
        return SpecIssue(
            path=self.path, pull=self.pull, digest="", round=self.round, is_withdrawn=True
        )


# Of issues that led to no spec the newest are remembered.
WITHOUT_SPEC_KEPT = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class RetiredIssues:
    """One line for each issue that led to a spec (`lines`), and for the newest that did not (`bare`).

    `forgotten_up_to` is the newest act of labelling of the issues that have no line any more.
    """

    lines: str = "\n"
    bare: str = "\n"
    forgotten_up_to: int = 0

    def get(self, issue: IssueNumber) -> RetiredIssue | None:
        return _found(self.lines, issue) or _found(self.bare, issue)

    def is_old(self, labelling: int) -> bool:
        """Whether an issue without a line that was labelled then may have had its dialogue; GitHub counts up."""
        return 0 < labelling <= self.forgotten_up_to

    def paths(self) -> set[str]:
        """Of all specs that were proposed."""
        return {_read(line).path for line in self.lines.split("\n") if line} - {""}

    def having(self, one: RetiredIssue) -> "RetiredIssues":
        """With this line in the place of the issue's older one."""
        lines, bare = _without(self.lines, one.issue), _without(self.bare, one.issue)
        if one.spec is not None:
            return replace(self, lines=lines + one.line, bare=bare)
        bare, forgotten = bare + one.line, self.forgotten_up_to
        if bare.count("\n") > WITHOUT_SPEC_KEPT + 1:
            oldest, _, rest = bare[1:].partition("\n")
            bare, forgotten = f"\n{rest}", max(forgotten, _read(oldest).labelling)
        return RetiredIssues(lines=lines, bare=bare, forgotten_up_to=forgotten)


def _found(lines: str, issue: IssueNumber) -> RetiredIssue | None:
    begin = lines.find(f"\n{issue} ") + 1
    return _read(lines[begin : lines.index("\n", begin)]) if begin else None


def _without(lines: str, issue: IssueNumber) -> str:
    known = _found(lines, issue)
    return lines.replace(f"\n{known.line}", "\n", 1) if known else lines


def _read(line: str) -> RetiredIssue:
    issue, labelling, begun, pull, round_, path = line.split(" ", 5)
    return RetiredIssue(
        issue=IssueNumber(int(issue)),
        labelling=int(labelling),
        begun=int(begun),
        pull=PullNumber(int(pull)) if int(pull) else None,
        round=int(round_),
        path=json.loads(path),
    )
