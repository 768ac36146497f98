"""A person's pull that may enter the queue by itself."""

from bot.core.values.ids import Frozen
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import Pull
from bot.core.values.seen_check import SeenCheck


class ApprovedPull(Frozen):
    """A pull with enough approvals: `by` is the last who approved it and may queue it, empty if nobody
    may. `checks` are those at its head that are required of other Apps.
    """

    pull: Pull
    approvals: Approvals
    by: str = ""
    checks: tuple[SeenCheck, ...] = ()
