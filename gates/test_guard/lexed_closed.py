"""Whether an assertion in JavaScript, Go or Rust is about what its own file makes up: a stand-in for the product.

A name that nobody knows may be the product's, and so may one that gets its value in two places or is handed on.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gates.test_guard.lexed_statements import ends_statement
from gates.test_guard.tokens import Kind, Language, Tokens, closing, covered, tokens_of

_KNOWN = {
    Language.JAVASCRIPT: frozenset(
        [
            "expect",
            "assert",
            "jest",
            "vi",
            "true",
            "false",
            "null",
            "undefined",
            "NaN",
            "Infinity",
            "Number",
            "String",
            "Boolean",
            "Array",
            "Object",
            "Math",
            "JSON",
            "Date",
            "Map",
            "Set",
            "Symbol",
            "BigInt",
            "RegExp",
            "Error",
            "TypeError",
            "RangeError",
            "Promise",
            "parseInt",
            "parseFloat",
            "isNaN",
            "new",
            "typeof",
            "await",
            "async",
            "function",
            "return",
            "const",
            "let",
            "var",
            "if",
            "else",
            "for",
            "of",
            "in",
            "instanceof",
            "void",
            "class",
            "throw",
        ]
    ),
    Language.GO: frozenset(
        [
            "t",
            "assert",
            "require",
            "if",
            "else",
            "return",
            "func",
            "nil",
            "true",
            "false",
            "int",
            "int64",
            "int32",
            "uint",
            "uint64",
            "float64",
            "float32",
            "string",
            "bool",
            "byte",
            "rune",
            "error",
            "len",
            "cap",
            "append",
            "make",
            "map",
            "range",
            "for",
            "struct",
            "var",
            "const",
            "any",
        ]
    ),
    Language.RUST: frozenset(
        [
            "assert",
            "assert_eq",
            "assert_ne",
            "debug_assert",
            "debug_assert_eq",
            "u8",
            "u16",
            "u32",
            "u64",
            "usize",
            "i8",
            "i16",
            "i32",
            "i64",
            "isize",
            "f32",
            "f64",
            "bool",
            "str",
            "String",
            "Vec",
            "vec",
            "Some",
            "None",
            "Ok",
            "Err",
            "let",
            "mut",
            "fn",
            "if",
            "else",
            "match",
            "as",
            "true",
            "false",
            "format",
            "return",
            "move",
            "for",
            "in",
            "const",
            "static",
        ]
    ),
}
_ASSERTS = frozenset({"expect", "assert", "assert_eq", "assert_ne", "require"})
_BINDS = frozenset({"const", "let", "var", "static"})
_FUNCTIONS = frozenset({"function", "fn", "func", "class"})
_IN_TEMPLATE = re.compile(r"\$\{([^`{}]{0,300}+)\}")
_IN_FORMAT = re.compile(r"(?<!\{)\{([^\W\d]\w{0,100}+)[:}]")
_NAMES_MAX = 50
# What is longer is no stand-in that one could follow.
_VALUE_TOKENS_MAX = 300


@dataclass(frozen=True)
class Made:
    """What names of a text are made of; empty for what nobody can say. `handed_on` are given to something."""

    values: Mapping[str, Tokens] = field(default_factory=dict)
    handed_on: frozenset[str] = frozenset()


def made_in(tokens: Tokens, language: Language) -> Made:
    found: dict[str, Tokens] = {}
    defined: set[int] = set()
    for at, name, value in _bound(tokens, language):
        defined.add(at)
        found[name] = () if name in found or len(value) > _VALUE_TOKENS_MAX else value
    is_asserted = covered(len(tokens), _assertions(tokens))
    handed_on = {
        one.text
        for at, one in enumerate(tokens[:-1])
        if one.kind is Kind.WORD
        and one.text in found
        and at not in defined
        and not is_asserted[at]
        and tokens[at + 1].text != "("
        and (at == 0 or tokens[at - 1].text not in {".", "="})
    }
    return Made(found, frozenset(handed_on))


def is_closed(said: Tokens, own: Made, file: Made, language: Language) -> bool:
    left = list(_words(said, language))
    seen = set(left)
    if not seen:
        return False
    while left:
        name = left.pop()
        made = own if name in own.values else file
        value = made.values.get(name, ())
        if not value or (name in own.handed_on) or len(seen) > _NAMES_MAX:
            return False
        new = set(_words(value, language)) - _own_of(value) - seen
        seen |= new
        left += new
    return True


def _words(tokens: Tokens, language: Language) -> Iterator[str]:
    """The names in it: no members, no keys, and nothing of the language's own."""
    for at, token in enumerate(tokens):
        if token.kind is Kind.STRING:
            yield from _words_of_text(tokens, at, language)
        if token.kind is not Kind.WORD or token.text in _KNOWN[language]:
            continue
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        is_key = after == ":" and before in {"{", ","}
        if before not in {".", "?."} and not is_key:
            yield token.text


def _words_of_text(tokens: Tokens, at: int, language: Language) -> Iterator[str]:
    """The names of `${price(1)}` in JavaScript, and of `format!("{got:?}")` in Rust."""
    text = tokens[at].text
    if language is Language.JAVASCRIPT and text.startswith("`"):
        for found in _IN_TEMPLATE.finditer(text):
            yield from _words(tokens_of(found[1], language) or (), language)
    elif language is Language.RUST and [t.text for t in tokens[max(at - 2, 0) : at]] == ["!", "("]:
        yield from (found[1] for found in _IN_FORMAT.finditer(text))


def _own_of(value: Tokens) -> set[str]:
    """What a function's value names itself: its parameters, and what it binds."""
    found: set[str] = set()
    opened: list[int] = []
    start = 0
    for at, token in enumerate(value):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            start = opened.pop()
        if token.text == "=>" and at:
            start = start if value[at - 1].text == ")" else at - 1
            found |= {one.text for one in value[start:at] if one.kind is Kind.WORD}
        elif token.text in _FUNCTIONS:
            first = next((p for p in range(at, len(value)) if value[p].text == "("), at)
            found |= {
                one.text for one in value[at : closing(value, first)] if one.kind is Kind.WORD
            }
        elif token.text in _BINDS and at + 1 < len(value):
            found.add(value[at + 1].text)
    return found


def _bound(tokens: Tokens, language: Language) -> Iterator[tuple[int, str, Tokens]]:
    """Where names get a meaning, and what they get."""
    for at, token in enumerate(tokens[:-2]):
        if token.text in _FUNCTIONS and tokens[at + 1].kind is Kind.WORD:
            brace = next(
                (p for p in range(at + 2, min(at + 80, len(tokens))) if tokens[p].text == "{"), None
            )
            if brace is not None:
                yield at + 1, tokens[at + 1].text, tokens[at : closing(tokens, brace) + 1]
        elif token.text in {"=", ":="} and token.kind is Kind.SIGN and at:
            near = tokens[at + 1 : at + 3 + _VALUE_TOKENS_MAX]
            value = near[: max(ends_statement(near, 0), 1)]
            for place in _names_before(tokens, at, language):
                yield place, tokens[place].text, value


def _names_before(tokens: Tokens, at: int, language: Language) -> Iterator[int]:
    """`price` of `price =`, `{ price, cost: other } =`, `got, err :=` and `let price: u32 =`."""
    place = at - 1
    if tokens[place].text == "}" and language is Language.JAVASCRIPT:
        place -= 1
        while place > 0 and tokens[place].text != "{":
            if tokens[place].kind is Kind.WORD and tokens[place + 1].text in {",", "}"}:
                yield place
            place -= 1
        return
    for start in range(place, max(place - 12, -1), -1):
        if tokens[start].text in _BINDS:
            place = start + 1 + (tokens[start + 1].text == "mut")
            break
        if tokens[start].text in {";", "{", "}", "=", ")"}:
            break
    while place >= 0 and tokens[place].kind is Kind.WORD:
        if place and tokens[place - 1].text == ".":
            return
        yield place
        if not place or tokens[place - 1].text != ",":
            return
        place -= 2


def _assertions(tokens: Tokens) -> Iterator[tuple[int, int]]:
    for at, token in enumerate(tokens[:-2]):
        if token.text in _ASSERTS:
            opened = next(
                (p for p in range(at + 1, min(at + 4, len(tokens))) if tokens[p].text == "("), None
            )
            if opened is not None:
                end = closing(tokens, opened)
                # The matcher behind it is given something, too.
                while end + 3 < len(tokens) and tokens[end + 1].text == ".":
                    end += 2
                    end = closing(tokens, end + 1) if tokens[end + 1].text == "(" else end
                yield at, end
        elif token.text == "if":
            yield (
                at,
                next(
                    (p for p in range(at, min(at + 60, len(tokens))) if tokens[p].text == "{"), at
                ),
            )
