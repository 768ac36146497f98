"""What a delivery or the sweep asks us to look at; it says nothing about what is there."""

from datetime import datetime
from enum import StrEnum

from bot.core.values.check_button import Press
from bot.core.values.ids import Frozen


class HintKind(StrEnum):
    """What a delivery or the sweep says should be observed; `again` is only the order store.

    `review` is a comment at a line of a pull, `reviewed` a pull that somebody approved or asks to change,
    `thread` one in which a thread of a review was resolved or opened again, `checked` one whose checks an App has brought to a green end.
    `main` is main's commit and everything that depends on it, `tip` only what git knows, `branch`
    what the branches of changes show, `repository` its names and whether we may work there, `rules` GitHub's rules for main.
    `rewound`: the journal lacks what was written to it; what we did since then is looked for.
    """

    EVERYTHING = "everything"
    AGAIN = "again"
    BRANCH = "branch"
    BUTTON = "button"
    CHECKED = "checked"
    COMMENT = "comment"
    ISSUE = "issue"
    LABEL = "label"
    MAIN = "main"
    PULL = "pull"
    REPOSITORY = "repository"
    REVIEW = "review"
    REVIEWED = "reviewed"
    REWOUND = "rewound"
    RULES = "rules"
    THREAD = "thread"
    TIP = "tip"
    WORKFLOW_RUN = "workflow_run"


class Hint(Frozen):
    """`number` is the number of an issue or pull, or the id of a comment or workflow run.

    `issue` is the issue or pull of a comment (of a review, too), `press` what somebody pressed: nothing else tells of it.
    `since` is the time of the last event that a rewound journal still has.
    """

    kind: HintKind
    number: int = 0
    issue: int = 0
    press: Press | None = None
    since: datetime | None = None

    @property
    def is_seen_by_looking(self) -> bool:
        """Whether a look at everything sees what it tells of."""
        return self.press is None and self.since is None
