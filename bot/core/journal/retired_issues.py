"""Issues that asked for work, or were specs, and have left the state: a line of text each, as of runs."""

import json
from dataclasses import dataclass

from bot.core.journal.dialogue_state import Dialogue
from bot.core.journal.spec_state import SpecIssue
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.lifecycle import DialoguePhase


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
        """As it is kept."""
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


@dataclass(frozen=True, kw_only=True, slots=True)
class RetiredIssues:
    """One line for each issue."""

    lines: str = "\n"

    def get(self, issue: IssueNumber) -> RetiredIssue | None:
        begin = self.lines.find(f"\n{issue} ") + 1
        return _read(self.lines[begin : self.lines.index("\n", begin)]) if begin else None

    def paths(self) -> set[str]:
        """Of all specs that were proposed."""
        return {_read(line).path for line in self.lines.split("\n") if line} - {""}

    def having(self, one: RetiredIssue) -> "RetiredIssues":
        """With this line in the place of the issue's older one."""
        known = self.get(one.issue)
        left = self.lines.replace(f"\n{known.line}", "\n", 1) if known else self.lines
        return RetiredIssues(lines=left + one.line)


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
