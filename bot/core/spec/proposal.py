"""A pull that touches specs: each spec on main, at the pull's head, and merged.

`head` is read at the pull's own commit, so that its lines are those that people see in the pull;
`merged` is the result on main, equal to `head` if nobody else edited the file.
"""

from bot.core.spec.archive.main_rules import Refusal
from bot.core.values.ids import Frozen, PullNumber, Sha
from bot.core.values.spec_model import Spec


class ProposedSpec(Frozen):
    """One spec that the pull changes; None where it does not exist.

    `is_work` is False for OpenSpec's main specs, which describe what has landed. `refusals` say why
    the delta could not be folded into the main specs after the merge.
    """

    path: str
    is_work: bool
    before: Spec | None
    head: Spec | None
    merged: Spec | None
    refusals: tuple[Refusal, ...] = ()


class PullSnapshot(Frozen):
    """An open pull to main that touches specs; `conflicts` are the files that do not merge.

    `archived` are the delta folders that the pull itself moves into the archive, as on main.
    `digest_seconds` of the processor were taken by the digests of its specs, when they were tried.
    """

    number: PullNumber
    head: Sha
    specs: tuple[ProposedSpec, ...]
    conflicts: tuple[str, ...] = ()
    archived: tuple[Spec, ...] = ()
    digest_seconds: float = 0.0
