"""What a check run says, as a value, cut to GitHub's limits.

GitHub counts `neutral` and `skipped` as success for a required check, so neither can be said here
(law 6).
"""

from enum import StrEnum

from bot.core.values.ids import Frozen
from gates.result import Annotation

# The check run that rules of a repository may require.
VERDICT_NAME = "headgate/verdict"
# A gate's own check run is called so, and then as the gate.
GATE_PREFIX = "headgate/gate/"

# GitHub refuses a longer summary or text of a check run. REST, "Create a check run", says characters; they are
# bytes (github/docs #35252).
OUTPUT_BYTES_MAX = 65_535
# One request carries at most 50 annotations; more are appended by updates (same page).
ANNOTATIONS_PER_REQUEST = 50
# So many are kept of one gate: they travel in the journal, and cost a request for every 50.
ANNOTATIONS_MAX = 200


class Conclusion(StrEnum):
    """The conclusions that we publish. None of them lets anything pass that did not."""

    SUCCESS = "success"
    FAILURE = "failure"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    ACTION_REQUIRED = "action_required"


class CheckAction(Frozen):
    """A button: GitHub shows `label` (20 characters) and `description` (40)."""

    label: str
    description: str
    identifier: str


class CheckRunText(Frozen):
    """One check run: `conclusion` None means that it is in progress, or `is_queued`."""

    name: str
    conclusion: Conclusion | None
    title: str
    summary: str
    text: str = ""
    annotations: tuple[Annotation, ...] = ()
    details_url: str | None = None
    actions: tuple[CheckAction, ...] = ()
    is_queued: bool = False


class PublishedCheckRun(Frozen):
    """A check run of ours as GitHub has it; `conclusion` None: it is not completed."""

    id: int
    conclusion: str | None = None

    def takes(self, text: CheckRunText) -> bool:
        """Whether GitHub would show this text here: what is completed keeps its conclusion."""
        return self.conclusion is None or self.conclusion == text.conclusion
