"""The key under which a gate's result is found again: the gate, its definition, what it judged (law 8)."""

from bot.core.values.ids import Frozen


class EvidenceKey(Frozen):
    """A gate, the digest of all that defines it, and what it judged.

    `judged` is a tree, a diff, both, or a commit. Whose commit it was is no part of it.
    """

    gate: str
    definition: str
    judged: str

    @property
    def name(self) -> str:
        return f"{self.gate} {self.definition} {self.judged}"

    def is_about(self, *things: str) -> bool:
        """Whether it judged one of these trees, diffs or commits."""
        return not set(things).isdisjoint(self.judged.split(":"))
