"""Names of one group without the words before a dash that all of them begin with."""

from collections.abc import Sequence


def without_shared_lead(names: Sequence[str]) -> list[str]:
    """`Engine - Health` and `Engine - Record` as `Health` and `Record`."""
    lead, dash, _ = names[0].partition(" - ")
    shared = lead + dash
    if not dash or len(names) < 2 or not all(name.startswith(shared) for name in names):
        return list(names)
    return [name.removeprefix(shared) for name in names]
