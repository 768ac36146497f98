"""What names mean in test files of JavaScript, Go and Rust, and the functions that they define."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from gates.test_guard.found_test import FoundTest
from gates.test_guard.javascript_doubles import doubled
from gates.test_guard.lexed_statements import ends_statement
from gates.test_guard.tokens import Kind, Language, Token, Tokens, closing


@dataclass(frozen=True)
class Names:
    """What a file imports, None where a language asks for no import; `put_in` has names of its own in their
    place.
    """

    imports: frozenset[str] | None = None
    put_in: frozenset[str] = frozenset()
    renamed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tokens: Tokens, language: Language) -> "Names":
        if language is Language.GO:
            # What `init` of a test file gives another value is no longer the package's own.
            every = [(name, body) for name, body, _ in go_functions(tokens)]
            given = {one for name, body in every if name == "init" for one in _assigned(body)}
            # A method of a fake has a name of its own.
            plain = {after.text for token, after in pairwise(tokens) if token.text == "func"}
            own = {name for name, _ in every if name in plain}
            return cls(None, frozenset({*given, *own, *_go_values(tokens)}))
        renamed = frozenset(_renamed(tokens))
        if language is Language.RUST:
            return cls(None, _rust_own(tokens), renamed)
        modules = imported(tokens)
        put_in = {
            name for name, module in modules.items() if _FAKE.search(module) is not None
        } | doubled(tokens, modules)
        put_in |= {
            tokens[at + 4].text.strip("\"'`")
            for at, token in enumerate(tokens[:-5])
            if token.text in {"spyOn", "method", "stub"} and tokens[at + 3].text == ","
        }
        defined = {name for name, _ in functions(tokens, language)} - set(modules)
        return cls(frozenset(modules), frozenset(put_in | defined), renamed)

    def put_into(self, test: FoundTest, body: Tokens) -> FoundTest:
        used = frozenset(token.text for token in body if token.kind is Kind.WORD)
        own = (used & self.put_in) | _assigned(body)
        about = _called(body) if self.imports is None else used & self.imports
        return replace(test, about=about - own, own=own | (used & self.renamed))


_FAKE = re.compile(r"(?:^|[/._-])(?:fakes?|mocks?|__mocks__|stubs?|doubles?)(?:[/._-]|$)")


def _renamed(tokens: Tokens) -> Iterator[str]:
    """`price` of `import { right as price }` and of `use shop::right as price`."""
    is_import = False
    for at, token in enumerate(tokens[:-1]):
        if token.text in {"import", "use"} and token.kind is Kind.WORD:
            is_import = True
        elif token.text in {";", "from"}:
            is_import = False
        elif token.text == "as" and is_import and at:
            was, name = tokens[at - 1].text, tokens[at + 1].text
            if was not in {"*", "default", name}:
                yield name


def _called(body: Tokens) -> frozenset[str]:
    return frozenset(
        token.text
        for at, token in enumerate(body[:-1])
        if token.kind is Kind.WORD
        and body[at + 1].text == "("
        and (at == 0 or body[at - 1].text not in {".", "::", "fn", "func"})
    )


def _assigned(body: Tokens) -> frozenset[str]:
    """Names that get a meaning of the body's own."""
    found = {
        after.text
        for token, after in pairwise(body)
        if token.text in {"const", "let", "var", "function", "fn"}
    }
    for at, token in enumerate(body[:-1]):
        if (
            token.kind is Kind.WORD
            and body[at + 1].text == "="
            and at
            and body[at - 1].text in {"(", ","}
        ):
            # A parameter with a value of its own.
            found.add(token.text)
        is_plain = token.kind is Kind.WORD and (at == 0 or body[at - 1].text not in {".", ","})
        if is_plain and (
            body[at + 1].text == ":="
            or (body[at + 1].text == "=" and _text_at(body, at + 2) == "func")
        ):
            found.add(token.text)
    return frozenset(found)


def _go_values(tokens: Tokens) -> Iterator[str]:
    """Variables that are functions: `var Price = func(…)`."""
    for at, token in enumerate(tokens[:-3]):
        if token.text == "var" and [one.text for one in tokens[at + 2 : at + 4]] == ["=", "func"]:
            yield tokens[at + 1].text


def _text_at(body: Tokens, at: int) -> str:
    return body[at].text if at < len(body) else ""


def _rust_own(tokens: Tokens) -> frozenset[str]:
    """Functions that stand in a module for tests, beside them."""
    found: set[str] = set()
    for at, token in enumerate(tokens[:-3]):
        if (
            token.text == "mod"
            and tokens[at + 2].text == "{"
            and "cfg" in {one.text for one in tokens[max(at - 8, 0) : at]}
        ):
            inside = tokens[at + 2 : closing(tokens, at + 2)]
            found |= {after.text for one, after in pairwise(inside) if one.text == "fn"}
    return frozenset(found)


def imported(tokens: Tokens) -> dict[str, str]:
    """The names of `import {a, b as c} from "m"` and `const {a} = require("m")`, by their module."""
    found: dict[str, str] = {}
    for at, token in enumerate(tokens):
        if token.text not in {"import", "const", "let", "var"}:
            continue
        end = next(
            (p for p in range(at + 1, min(at + 80, len(tokens))) if tokens[p].kind is Kind.STRING),
            None,
        )
        if end is None:
            continue
        words = [one.text for one in tokens[at + 1 : end]]
        is_one = words[-1:] == ["from"] or words[-3:] in (
            ["=", "require", "("],
            ["await", "import", "("],
        )
        if is_one and not {";", "=>", "function", "let", "var"} & set(words):
            names = {w for w in words if w.isidentifier()} - {
                "from",
                "require",
                "as",
                "type",
                "await",
            }
            found |= dict.fromkeys(names, tokens[end].text.strip("\"'`"))
    return found


def go_functions(tokens: Tokens) -> Iterator[tuple[str, Tokens, Token]]:
    for at, token in enumerate(tokens):
        if token.text != "func" or token.kind is not Kind.WORD or at + 2 >= len(tokens):
            continue
        place = at + 1
        if tokens[place].text == "(":
            place = closing(tokens, place) + 1
        if place + 1 >= len(tokens) or tokens[place].kind is not Kind.WORD:
            continue
        parameters = closing(tokens, place + 1)
        brace = parameters + 1
        while brace < len(tokens) and tokens[brace].text != "{" and tokens[brace].text != "func":
            brace += 1
        if brace < len(tokens) and tokens[brace].text == "{":
            body = tokens[brace : closing(tokens, brace) + 1]
            yield tokens[place].text, body, token


def functions(tokens: Tokens, language: Language) -> Iterator[tuple[str, Tokens]]:
    if language is Language.GO:
        yield from ((name, body) for name, body, _ in go_functions(tokens))
        return
    word = "fn" if language is Language.RUST else "function"
    for at, token in enumerate(tokens[:-1]):
        if token.text == word:
            name = _name_of_function(tokens, at)
            brace = next(
                (p for p in range(at, min(at + 120, len(tokens))) if tokens[p].text == "{"), None
            )
            if brace is not None:
                yield name, tokens[brace : closing(tokens, brace) + 1]
        elif token.text == "=>" and (named := _named_arrow(tokens, at)):
            is_block = tokens[at + 1].text == "{"
            end = closing(tokens, at + 1) + 1 if is_block else ends_statement(tokens, at + 1)
            yield named, tokens[at + 1 : end]


def _name_of_function(tokens: Tokens, at: int) -> str:
    """`check` of `function check()`, of `exports.check = function ()` and of `check: async function ()`."""
    if tokens[at + 1].text != "(":
        return tokens[at + 1].text
    at -= tokens[at - 1].text == "async"
    return tokens[at - 2].text if at > 1 and tokens[at - 1].text in {"=", ":"} else ""


def _named_arrow(tokens: Tokens, at: int) -> str:
    """`check` of `const check = async (got, wanted): Promise<void> =>`; empty for what has no name."""
    depth = 0
    for place in range(at - 1, max(at - _ARROW_TOKENS_MAX, 0), -1):
        text = tokens[place].text if tokens[place].kind is Kind.SIGN else ""
        depth += (text in {")", "]", "}"}) - (text in {"(", "[", "{"})
        if depth < 0 or (depth == 0 and text in {";", "=>", ","}):
            return ""
        if depth == 0 and text == "=":
            name = tokens[place - 1]
            return name.text if name.kind is Kind.WORD else ""
    return ""


_ARROW_TOKENS_MAX = 60
