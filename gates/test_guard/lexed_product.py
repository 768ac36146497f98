"""Whether an assertion in JavaScript, Go or Rust holds the product against its own word: `price(1)` against `ONE`."""

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.lexed_closed import Made, is_closed, made_in
from gates.test_guard.lexed_copies import meant
from gates.test_guard.lexed_names import imported
from gates.test_guard.lexed_tolerance import tolerance
from gates.test_guard.tokens import Kind, Language, Tokens, closing, parts, tokens_of

_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_OF_THE_TREE = re.compile(r"\.{1,2}/|#|[@~]/")
_OF_TESTS = re.compile(
    r"(?:^|[/._-])(?:tests?|__\w+__|specs?|fakes?|mocks?|stubs?|fixtures?|helpers?|utils?|data|cases|setup)(?:[/._-]|$)"
)
_SCREAMING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_STANDARD = re.compile(r"std|core|alloc|[iuf]\d+|[iu]size|f32|f64|char|str")
_GO_FREE = re.compile(r"nil|true|false|iota|[eE]rr\w*|io|New\w*|Must\w*")
_COMPARED = frozenset({"!=", "=="})
_VALUE_TOKENS_MAX = 30


@dataclass(frozen=True)
class Product:
    """What of a file's names is the product's: for JavaScript those that it imports, else all but its own."""

    language: Language
    imports: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    given: dict[str, Tokens] = field(default_factory=dict)
    made: Made = field(default_factory=Made)

    @classmethod
    def of(cls, path: str, tokens: Tokens, language: Language, outside: Tokens) -> "Product":
        given, made = _given(tokens), made_in(outside, language)
        if language is Language.JAVASCRIPT:
            modules = imported(tokens)
            theirs = {
                n for n, m in modules.items() if _OF_THE_TREE.match(m) and not _OF_TESTS.search(m)
            }
            return cls(language, imports=frozenset(theirs), given=given, made=made)
        if language is Language.GO:
            return cls(language, own=_go_bound(tokens), given=given, made=made)
        return cls(language, own=_rust_bound(path, tokens), given=given, made=made)

    def marked(self, said: Iterable[Assertion], body: Tokens) -> tuple[Assertion, ...]:
        """The assertions, with those that hold the product against itself told from the others."""
        given, made = _given(body), made_in(body, self.language)
        return tuple(self._marked(one, given, made) for one in said)

    def _marked(self, one: Assertion, given: dict[str, Tokens], made: Made) -> Assertion:
        tokens = tokens_of(one.text, self.language) or []
        one = replace(
            one,
            tolerance=tolerance(tokens, ChainMap(given, self.given)),
            is_closed=is_closed(tokens, made, self.made, self.language),
        )
        sides = _sides(tokens, self.language)
        if len(sides) != 2:
            return one
        first, second = ([t.text for t in meant(side, given, self.language)] for side in sides)
        if first == second:
            # It is the same, and what it is nobody says.
            return replace(one, strength=min(one.strength, Strength.RELATION))
        return replace(one, is_by_product=self._is_by([_meant(side, given) for side in sides]))

    def _is_by(self, sides: Sequence[Tokens]) -> bool:
        if any(map(_is_written_out, sides)):
            return False
        words = [self._is_word(side) for side in sides]
        return any(words) or all(map(self._is_answer, sides))

    def _is_word(self, side: Tokens) -> bool:
        texts = [one.text for one in side]
        if "(" in texts:
            return False
        if self.language is Language.JAVASCRIPT:
            return texts[0] in self.imports
        if self.language is Language.GO:
            return len(texts) == 1 and self._is_of_package(texts[0])
        return (
            _SCREAMING.fullmatch(texts[-1]) is not None
            and not _STANDARD.fullmatch(texts[0])
            and texts[-1] not in self.own
        )

    def _is_answer(self, side: Tokens) -> bool:
        texts = [one.text for one in side]
        if self.language is Language.JAVASCRIPT:
            return texts[0] in self.imports
        if texts[1:2] != ["("]:
            return False
        if self.language is Language.GO:
            return texts[0][:1].isupper() and self._is_of_package(texts[0])
        return texts[0].islower() and texts[0] not in self.own

    def _is_of_package(self, name: str) -> bool:
        return name.isidentifier() and not _GO_FREE.fullmatch(name) and name not in self.own


def _meant(side: Tokens, given: Mapping[str, Tokens]) -> Tokens:
    return given.get(side[0].text, side) if len(side) == 1 else side


def _given(body: Tokens) -> dict[str, Tokens]:
    found: dict[str, Tokens] = {}
    for at, token in enumerate(body[:-1]):
        if token.text in {"=", ":="} and at and body[at - 1].kind is Kind.WORD:
            name = body[at - 1].text
            end, depth = at + 1, 0
            while end < min(len(body), at + _VALUE_TOKENS_MAX):
                depth += (body[end].text in _OPENS) - (body[end].text in _CLOSES)
                following = body[end + 1] if end + 1 < len(body) else None
                end += 1
                if depth <= 0 and (following is None or following.text in {";", "{"}):
                    break
                if depth <= 0 and following is not None and following.line > body[end - 1].line:
                    break
            # One that is given two values may be either.
            found[name] = body[at - 1 : at] if name in found else body[at + 1 : end]
    return {name: value for name, value in found.items() if value}


def _sides(tokens: Tokens, language: Language) -> list[Tokens]:
    """What is looked at, and what it is held against."""
    texts = [one.text for one in tokens]
    if language is Language.JAVASCRIPT and texts[:2] == ["expect", "("]:
        end = closing(tokens, 1)
        opened = next((p for p in range(end + 1, len(tokens)) if texts[p] == "("), None)
        given = tokens[opened + 1 : closing(tokens, opened)] if opened is not None else ()
        return [tokens[2:end], given] if given else []
    if language is Language.GO and "!=" in texts and texts[:1] not in (["assert"], ["require"]):
        at = texts.index("!=")
        start = max((p + 1 for p in range(at) if texts[p] in {";", "||", "&&"}), default=0)
        stops = (p for p in range(at + 1, len(texts)) if texts[p] in {"||", "&&"})
        end = next(stops, len(texts) - 3)
        return [one for one in (tokens[start:at], tokens[at + 1 : end]) if one]
    opened = next((p for p, text in enumerate(texts) if text == "("), None)
    if opened is None or not _is_equality(texts[:opened]):
        return []
    sides = [one for one in parts(tokens[opened + 1 : closing(tokens, opened)]) if one]
    if language is Language.RUST:
        sides = [one[1:] if one[0].text == "&" else one for one in sides]
    return [one for one in sides if one and one[0].text not in {"t", "&"}][:2]


def _is_equality(head: list[str]) -> bool:
    return any(
        one in {"equal", "strictEqual", "deepEqual", "deepStrictEqual", "is", "Equal", "assert_eq"}
        for one in head
    )


def _is_written_out(side: Tokens) -> bool:
    """A value that stands there, or something that is made of one."""
    if not side or side[0].kind is not Kind.WORD:
        return True
    texts = [one.text for one in side]
    if texts[0] in {
        "true",
        "false",
        "null",
        "undefined",
        "nil",
        "new",
        "vec",
        "await",
        "typeof",
        "None",
        "Some",
        "Ok",
        "Err",
    }:
        return True
    is_made = (
        texts[0][:1].isupper()
        and not _SCREAMING.fullmatch(texts[0])
        and bool({"(", "{"} & set(texts))
    )
    has_value = any(one.kind in {Kind.NUMBER, Kind.STRING} for one in side)
    is_more = bool({"+", "-", "*", "/", "!"} & set(texts))
    return has_value and (is_more or (is_made and side[0].text[:1].isupper() and "{" in texts))


def _go_bound(tokens: Tokens) -> frozenset[str]:
    """Names that a file of tests gives a meaning, wherever it does."""
    found: set[str] = set()
    for at, (token, after) in enumerate(pairwise(tokens)):
        if token.text in {"var", "const", "func", "type"}:
            found.add(after.text)
        if token.kind is not Kind.WORD:
            continue
        if after.kind is Kind.WORD and after.line == token.line:
            # A parameter or a field, with its type behind it.
            found.add(token.text)
        if after.text in {":=", "=", "*", "[", ":"}:
            found.add(token.text)
        # Of a list of names its first one is enough.
        if after.text == "," and not (at and tokens[at - 1].text == ","):
            place = at
            while place + 2 < len(tokens) and tokens[place + 1].text == ",":
                place += 2
            behind = tokens[min(place + 1, len(tokens) - 1)]
            # `a, b := …`, and `a, b int` among parameters.
            has_type = behind.kind is Kind.WORD and behind.line == tokens[place].line
            if has_type or behind.text in {":=", "="}:
                found |= {one.text for one in tokens[at : place + 1]}
    return frozenset(found)


def _rust_bound(path: str, tokens: Tokens) -> frozenset[str]:
    """Names that tests in Rust define for themselves."""
    if "tests" in path.split("/"):
        spans = [(0, len(tokens))]
    else:
        spans = [
            (at, closing(tokens, at + 2))
            for at, token in enumerate(tokens[:-3])
            if token.text == "mod" and tokens[at + 2].text == "{"
        ]
    return frozenset(
        after.text
        for start, end in spans
        for one, after in pairwise(tokens[start:end])
        if one.text in {"const", "static", "fn", "let", "mut"}
    )
