"""What the names of one group share: their first words, a few words, or what stands before a dash."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.core.plan.loose_ends import LOOSE, without_loose_end
from bot.core.plan.vocabulary import stem

_SHARED_MAX = 3
# So many first words in common are the name of all.
_LEAD_WORDS = 3
_MODALS = frozenset(
    [
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "will",
        "would",
        "cannot",
        "puede",
        "pode",
        "peut",
        "kann",
        "może",
        "может",
    ]
)


def shared_words(
    members: Sequence[Sequence[str]], bearers: Mapping[str, int], total: int
) -> tuple[str, ...]:
    """The words that nearly all members have and few others; none if there are no such words.

    `members` are the words of each, `bearers` says how many of all `total` have a stem.
    """
    if len(members) < 2:
        return ()
    inside = Counter(s for words in members for s in {stem(w) for w in words})
    needed = max(2, -(-2 * len(members) // 3))
    others = total - len(members)
    good = {
        s
        for s, n in inside.items()
        if n >= needed and 5 * (bearers[s] - n) * len(members) <= n * others
    }
    found: dict[str, str] = {}
    for word in members[0]:
        if stem(word) in good:
            found.setdefault(stem(word), word)
    words = tuple(found.values())[:_SHARED_MAX]
    # One word says too little, and in many languages stands in a case that fits its sentence only.
    return words if len(words) > 1 else ()


def as_written(words: Sequence[str], names: Sequence[str]) -> str:
    """The words with the small ones that stand between them in one of the names: `cards to keep`."""
    sought = frozenset(words)
    for name in names:
        said = name.split()
        bare = [word.strip(",;:.()") for word in said]
        at = [n for n, word in enumerate(bare) if word in sought]
        if at and len(at) == len(words) and [bare[n] for n in at] == list(words):
            span = range(at[0], at[-1] + 1)
            if all(bare[n] in sought or said[n].casefold() in LOOSE for n in span):
                return " ".join(said[n] for n in span).strip(",;:.")
    return " ".join(words)


def shared_lead(names: Sequence[str]) -> str:
    """The first words that all names have in common, if they are enough to be a name."""
    lead = []
    for words in zip(*(name.split() for name in names), strict=False):
        if len(set(words)) > 1:
            break
        lead.append(words[0])
    lead = without_loose_end(lead)
    while lead and lead[-1].casefold() in _MODALS:
        lead = without_loose_end(lead[:-1])
    return " ".join(lead).rstrip(",;:") if len(lead) >= _LEAD_WORDS else ""


def without_shared_lead(names: Sequence[str]) -> list[str]:
    """`Engine - Health` and `Engine - Record` as `Health` and `Record`."""
    lead, dash, _ = names[0].partition(" - ")
    shared = lead + dash
    if not dash or len(names) < 2 or not all(name.startswith(shared) for name in names):
        return list(names)
    return [name.removeprefix(shared) for name in names]
