"""What reviews of a pull say, as it was last seen: of a person's pull in the queue, and of a change's."""

from bot.core.values.pull_review import Approvals


class Reviewed:
    """`approvals_needed` None: reviews do not count."""

    __slots__ = ()

    approvals: Approvals
    approvals_needed: int | None

    @property
    def approvals_lacking(self) -> int:
        return max(0, (self.approvals_needed or 0) - len(self.approvals.by))

    @property
    def outdated(self) -> tuple[str, ...]:
        """Who approved something else than what would land."""
        return self.approvals.outdated if self.approvals_needed is not None else ()

    @property
    def pushers(self) -> tuple[str, ...]:
        """Who approved and does not count, because they may have pushed last."""
        return self.approvals.by_pushers if self.approvals_needed is not None else ()

    @property
    def against(self) -> tuple[str, ...]:
        return self.approvals.against if self.approvals_needed is not None else ()

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Where its threads are that a rule wants resolved."""
        return self.approvals.unresolved

    @property
    def owners_lacking(self) -> tuple[tuple[str, ...], ...]:
        """Groups of code owners of whom one has still to approve it."""
        return self.approvals.owners

    @property
    def waits_for_reviews(self) -> bool:
        return (
            bool(self.against or self.unresolved or self.owners_lacking)
            or self.approvals_lacking > 0
        )
