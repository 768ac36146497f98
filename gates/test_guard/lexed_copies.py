"""Values in JavaScript, Go and Rust that are copies of another: held against it, a copy says nothing."""

from collections.abc import Mapping

from gates.test_guard.javascript_sequences import unwrapped
from gates.test_guard.tokens import Kind, Language, Tokens, closing, parts

# What they give is what they are given, by the words in front of the bracket.
_COPIES = {
    Language.JAVASCRIPT: frozenset(
        {"structuredClone", "clone", "cloneDeep", "_.clone", "_.cloneDeep", "JSON.parse"}
        | {"JSON.stringify", "Array.from", "Array.of", "Object.freeze", "Object.assign"}
        | {"new Map", "new Set", "new Array", "new Date", "String", "Number"}
    ),
    Language.GO: frozenset(
        {"append", "slices.Clone", "maps.Clone", "bytes.Clone", "strings.Clone"}
    ),
    Language.RUST: frozenset({"Clone::clone", "Vec::from", "String::from"}),
}
_COPYING_METHODS = frozenset(
    {"slice", "concat", "clone", "Clone", "cloned", "to_owned", "to_vec", "into", "valueOf", "copy"}
)
# A name is followed through so many others.
_NAMES_MAX = 5


def meant(side: Tokens, given: Mapping[str, Tokens], language: Language) -> Tokens:
    """What a side of a comparison was made of, through names and copies."""
    side = _without_copies(side, language)
    for _ in range(_NAMES_MAX):
        if len(side) != 1 or side[0].kind is not Kind.WORD or side[0].text not in given:
            break
        side = _without_copies(given[side[0].text], language)
    return side


def _without_copies(side: Tokens, language: Language) -> Tokens:
    while (inner := _copied(unwrapped(side), language)) is not None:
        side = inner
    return unwrapped(side)


def _copied(side: Tokens, language: Language) -> Tokens | None:
    texts = [one.text for one in side]
    if len(texts) < 2 or side[0].kind is Kind.STRING:
        return None
    if texts[0] in {"&", "*"} and language is not Language.JAVASCRIPT:
        return side[1:]
    if texts[0] in {"[", "{"} and texts[1] == "..." and closing(side, 0) == len(side) - 1:
        inside = list(parts(side[2:-1]))
        return inside[0] if len(inside) == 1 else None
    if texts[-2:] == ["(", ")"] and texts[-4:-3] == ["."] and texts[-3] in _COPYING_METHODS:
        return side[:-4]
    opened = texts.index("(") if "(" in texts else len(texts)
    if opened < len(texts) and closing(side, opened) == len(side) - 1:
        called = "".join(f"{one} " if one == "new" else one for one in texts[:opened])
        given = list(parts(side[opened + 1 : -1]))
        # `Object.assign({}, got)` and `append([]int{}, got...)`: the last one, into nothing.
        is_copy = called in _COPIES[language] and (
            len(given) == 1 or (len(given) == 2 and _is_nothing(given[0]))
        )
        return _without_dots(given[-1]) if is_copy else None
    return None


def _is_nothing(value: Tokens) -> bool:
    return [one.text for one in value[-2:]] in (["{", "}"], ["[", "]"], ["nil", ")"])


def _without_dots(value: Tokens) -> Tokens:
    return value[:-1] if len(value) > 1 and value[-1].text == "..." else value
