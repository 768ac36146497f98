"""The names of a main spec while operations are applied to it, found by what they look like.

However many operations a delta has, each costs the same.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice

from bot.core.spec.archive.delta_text import folded

# So many names that differ in case and blanks alone are looked at, for one that counts.
_ALIKE_MAX = 100
# Names that are compared letter by letter, for a proposal; a delta that needs more has none.
_COMPARED_MAX = 50_000
_COMPARED_LETTERS_MAX = 200


class Names:
    """Names in the order of the file."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._alike: dict[str, dict[str, None]] = defaultdict(dict)
        self._compared = 0
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self._alike[folded(name)][name] = None

    def remove(self, name: str) -> None:
        self._alike[folded(name)].pop(name, None)

    def near_miss(
        self, name: str, is_left_out: Callable[[str], bool] = lambda _: False
    ) -> str | None:
        """The first name that differs only in case or white space."""
        alike = islice(self._alike.get(folded(name), ()), _ALIKE_MAX)
        return next((other for other in alike if other != name and not is_left_out(other)), None)

    def nearest(self, name: str) -> str | None:
        """The most similar name: it differs in case, white space or one or two letters."""
        return self.near_miss(name) or self._close(name)

    def _close(self, name: str) -> str | None:
        if self._compared > _COMPARED_MAX or len(name) > _COMPARED_LETTERS_MAX:
            return None
        known = [
            other
            for alike in self._alike.values()
            for other in alike
            if len(other) <= _COMPARED_LETTERS_MAX
        ]
        self._compared += len(known)
        return next(iter(get_close_matches(name, known, 1, 0.85)), None)
