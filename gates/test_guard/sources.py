"""Names that a test file takes from another file than before, while the one that it was about still has them.

So a test may be given a product of its own: `from easy import price` in place of `from shop import price`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gates.test_guard.rows_elsewhere import Use, uses

# The texts of files by their paths; those that are not there have none.
Texts = Callable[[list[str]], Mapping[str, str]]


@dataclass(frozen=True)
class OtherSource:
    """`name` comes from `now`, which the change gave it, although `was` has it still."""

    name: str
    was: str
    now: str


def other_sources(
    path: str, before: str, after: str, base: Texts, candidate: Texts
) -> Iterator[OtherSource]:
    old = {use.own: use for use in uses(path, before)}
    new = {use.own: use for use in uses(path, after)}
    for own in sorted(old.keys() & new.keys()):
        if old[own].paths == new[own].paths:
            continue
        was, now = _defining(old[own], base), _defining(new[own], candidate)
        if not was or not now or was == now:
            continue
        is_still_there = was in candidate([was]) and _defines(candidate([was])[was], old[own].name)
        is_given = not _defines(base([now]).get(now, ""), new[own].name)
        if is_still_there and is_given:
            yield OtherSource(own, was, now)


def _defining(use: Use, texts: Texts) -> str:
    """The file that defines what is taken; empty where none does."""
    found = texts(list(use.paths))
    return next((one for one in use.paths if one in found and _defines(found[one], use.name)), "")


def _defines(text: str, name: str) -> bool:
    """Whether a file says itself what a name is, and does not take it from elsewhere."""
    if not name:
        return re.search(r"^export default\s(?!\{)", text, re.MULTILINE) is not None
    plain = re.escape(name)
    return (
        re.search(
            rf"^(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?"
            rf"(?:def|class|function(?:[ \t]*+\*)?|const|let|var)[ \t]+{plain}\b"
            rf"|^{plain}[ \t]*(?::[^=\n]+)?=",
            text,
            re.MULTILINE,
        )
        is not None
    )
