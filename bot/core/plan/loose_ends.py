"""Small words that a name does not end with."""

_LOOSE_WORDS = """
a an the of to with for and or by in on at via as that which from into per using when if is are be its their his her
this any each every not no de la le les du des et ou el los las un una une y o e da do em com para por con der die das
und oder mit für zu von im w z i na do że nie se su sus au aux à dans sur pour avec than then it all through after
before while where within so including upon during accepting allowing containing having indicating providing returning
showing supporting whether but also both either such → ->
в во на с со к ко от из за по для при без о об у и или что чтобы как их его её не после перед через
um fur falls wenn weil welche welcher welches ob dass auf bei aus nach zur zum eine einen einer einem den dem konnen
"""
LOOSE = frozenset(_LOOSE_WORDS.split())
# `log in` and `turn it on` are whole.
_VERBS_WITH_IN = frozenset({"log", "sign", "check", "opt", "zoom", "plug", "fill", "book"})
_VERBS_WITH_ON = frozenset({"log", "sign", "turn", "switch"})


def without_loose_end(words: list[str]) -> list[str]:
    """Without articles and prepositions at the end, which a cut has left there."""
    end = len(words)
    while end > 1 and _is_loose(words[end - 2], words[end - 1]):
        end -= 1
    return words[:end]


def _is_loose(before: str, word: str) -> bool:
    last = word.casefold().strip(",;:'\"")
    verbs = {"in": _VERBS_WITH_IN, "on": _VERBS_WITH_ON}.get(last, frozenset())
    return last in LOOSE and before.casefold() not in verbs
