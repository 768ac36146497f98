"""To which of some texts of the author a requirement belongs, by the words that only few of them use."""

from collections import Counter
from collections.abc import Sequence

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
        self._titles = [subjects(title) - _NO_SUBJECT for title in titles]
        self._texts = [subjects(text) - _NO_SUBJECT for text in texts]
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
