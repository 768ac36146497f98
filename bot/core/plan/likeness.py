"""To which of some texts of the author a requirement belongs, by the words that only few of them use."""

from collections import Counter
from collections.abc import Sequence
from math import log

from bot.core.plan.vocabulary import subjects

_ONLY_HERE, _IN_TWO = 3, 1
_IN_TITLE = 2
_SURE = 3
# How long a thing lasts, and how a requirement is written, is not what it is about.
_NO_SUBJECT = subjects(
    "system must shall should able allow second seconds minute minutes hour hours today tomorrow days week weeks "
    "month months year years sekunden minuten stunde stunden tage tagen woche wochen monat monate jahr jahre "
    "segundos minutos hora horas días semana semanas meses años dias anos secondes heure heures jours semaine mois"
)


class Texts:
    """Titles with texts, of which one is told from the others by its own words."""

    def __init__(self, titles: Sequence[str], texts: Sequence[str]) -> None:
        self._titles = [subjects(title) for title in titles]
        self._texts = [subjects(text) for text in texts]
        bearers = Counter(word for text in self._texts for word in text)
        self._worth = {
            word: _ONLY_HERE if count == 1 else _IN_TWO
            for word, count in bearers.items()
            if count <= 2 and count < len(texts)
        }

    def nearest(self, words: frozenset[str]) -> int | None:
        """The place of the one text that fits clearly better than all others."""
        scores = [
            self._sum(words & text) + _IN_TITLE * self._sum(words & title)
            for text, title in zip(self._texts, self._titles, strict=True)
        ]
        best = max(scores, default=0)
        return scores.index(best) if best >= _SURE and scores.count(best) == 1 else None

    def is_titled(self, at: int, words: frozenset[str]) -> bool:
        """Whether a title has one of the words, and few other texts have it."""
        return self._sum(words & self._titles[at]) > 0

    def _sum(self, words: frozenset[str]) -> int:
        return sum(self._worth.get(word, 0) for word in words)


# What it costs to leave a text for the next one, for each that is left out on the way, and for one before:
# a word that only one text of five has is worth 1.6. Measured on the lists of six public specs.
_NEXT, _ON, _BACK = 0.1, 0.4, 1.2
_IN_TITLES, _IN_TEXT = 2.0, 0.6
# `Sort` and `sorting` are one deed.
_SHORT = 4
_DEED = 2.0
_GIVEN = 1_000.0
# Sums of the same numbers in another order differ by less.
_TIE = 1e-9
# So many in a row at the end of a list that speak of no text are work of their own.
_REST_MIN = 3


def aligned(
    items: Sequence[frozenset[str]],
    titles: Sequence[frozenset[str]],
    texts: Sequence[frozenset[str]],
    given: Sequence[int | None],
    deeds: Sequence[frozenset[str]],
) -> list[int | None]:
    """The text of each item, where both stand in about the same order; `given` ones are kept.

    `deeds` are the first words of each item's name: `Edit all` belongs to the title `Edit a task`.
    """
    worth, short_titles = _worth(texts), [_short(title) for title in titles]
    # What a title says is the same in most texts where all speak of it.
    named = _worth([_short(text) | title for text, title in zip(texts, short_titles, strict=True)])
    likes = []
    for item in items:
        words = item - _NO_SUBJECT
        short = _short(words)
        likes.append(
            [
                _IN_TEXT * sum(worth[w] for w in words & text)
                + _IN_TITLES * sum(named[w] for w in short & title)
                for text, title in zip(texts, short_titles, strict=True)
            ]
        )
    for own, at, deed in zip(likes, given, deeds, strict=True):
        if at is not None:
            own[at] += _GIVEN
        for word in _short(deed):
            bearers = [n for n, title in enumerate(short_titles) if word in title]
            if len(bearers) == 1:
                own[bearers[0]] += _DEED
    path = _cheapest(likes)
    rest = len(items)
    while rest and max(likes[rest - 1], default=0.0) == 0:
        rest -= 1
    if len(items) - rest < _REST_MIN:
        rest = len(items)
    # Words that fit a few by chance tell nothing.
    if 2 * sum(own[at] > 0 for own, at in zip(likes[:rest], path, strict=False)) < rest:
        return [None] * len(items)
    return [at if n < rest else None for n, at in enumerate(path)]


def _worth(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """What each word tells: the fewer texts have it, the more."""
    bearers = Counter(word for text in texts for word in text)
    return {word: log(len(texts) / count) for word, count in bearers.items()}


def _short(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:_SHORT] for word in words)


def _cheapest(likes: Sequence[Sequence[float]]) -> list[int]:
    """The path of most likeness, less what each change of text costs."""
    if not likes or not likes[0]:
        return [0] * len(likes)
    # The first item may belong to any text, the first of them before all others.
    best = [like - (_NEXT if at else 0.0) for at, like in enumerate(likes[0])]
    came: list[list[int]] = []
    for own in likes[1:]:
        before = _befores(best)
        best = [worth + like for (worth, _), like in zip(before, own, strict=True)]
        came.append([at for _, at in before])
    path = [max(range(len(best)), key=best.__getitem__)]
    for chosen in reversed(came):
        path.append(chosen[path[-1]])
    return path[::-1]


def _befores(best: Sequence[float]) -> list[tuple[float, int]]:
    """For each text the best one before it on the path, and what is left; linear in the texts."""
    found = [(worth, at) for at, worth in enumerate(best)]
    from_left, left = float("-inf"), 0
    for at in range(1, len(best)):
        if best[at - 1] + _ON * (at - 1) > from_left + _TIE:
            from_left, left = best[at - 1] + _ON * (at - 1), at - 1
        onward = from_left - _NEXT - _ON * (at - 1)
        # Of equals the earlier text: an item that says nothing stands with the one before it.
        if onward > found[at][0] - _TIE:
            found[at] = (onward, left)
    from_right, right = float("-inf"), 0
    for at in range(len(best) - 2, -1, -1):
        if best[at + 1] >= from_right:
            from_right, right = best[at + 1], at + 1
        if from_right - _BACK > found[at][0] + _TIE:
            found[at] = (from_right - _BACK, right)
    return found
