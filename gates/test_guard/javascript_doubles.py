"""Modules that a test file in JavaScript has doubles of: all of one, or some names where the rest is the original."""

import re
from collections.abc import Mapping
from itertools import pairwise

from gates.test_guard.tokens import Kind, Tokens, closing

_ORIGINAL = (
    r"(?:\( )?(?:await )?(?:(?P=asks)(?: < .{1,200}? >)? \( \)"
    r"|(?:vi|vitest|jest) \. (?:importActual|requireActual)(?: < .{1,200}? >)? \( (?P<path>\S+) \))(?: \))?"
)
# `() => ({ ...original(), a: … })`, and the same by a name and `return`.
_KEEPS = re.compile(
    rf"(?:async )?(?:\( )?(?:(?P<asks>\w+) )?(?:\) )?=> "
    rf"(?:\( \{{ \.\.\. {_ORIGINAL}(?= [,}}])"
    rf"|\{{ const (?P<name>\w+) = {_ORIGINAL.replace('?P<path>', '?P<other>')}(?: ;)? "
    rf"return \{{ \.\.\. (?P=name)(?= [,}}]))"
)
_MOCKS = frozenset({"mock", "doMock"})


def doubled(tokens: Tokens, modules: Mapping[str, str]) -> frozenset[str]:
    """The names of a file that are doubles; `modules` are where its imported names come from."""
    found: set[str] = set()
    for at, token in enumerate(tokens[:-3]):
        is_mock = token.text in _MOCKS or (token.text == "module" and tokens[at - 2].text == "mock")
        if not is_mock or tokens[at - 1].text != "." or tokens[at + 1].text != "(":
            continue
        path = _plain(tokens[at + 2].text)
        theirs = {name for name, module in modules.items() if _plain(module) == path}
        replaced = _replaced(tokens[at + 4 : closing(tokens, at + 1)], path)
        found |= theirs if replaced is None else _named(tokens, theirs, replaced)
    return frozenset(found)


def _plain(module: str) -> str:
    """`"./shop.js"` and `'./shop'` are one module."""
    return re.sub(r"(?:/index)?(?:\.[cm]?[jt]sx?)?$", "", module.strip("\"'`"))


def _replaced(factory: Tokens, path: str) -> frozenset[str] | None:
    """What a factory gives in place of the original's; None for all of it, or what nobody can tell."""
    keeps = _KEEPS.match(" ".join(one.text for one in factory))
    if keeps is None:
        return None
    of = keeps["path"] or keeps["other"]
    if of is not None and _plain(of) != path:
        return None
    opened = keeps[0].rindex("{ ...")
    brace = keeps[0][:opened].count(" ")
    if factory[brace].text != "{" or closing(factory, brace) < len(factory) - 4:
        return None
    return _keys(factory[keeps[0].count(" ") + 1 : closing(factory, brace)])


def _keys(inside: Tokens) -> frozenset[str] | None:
    """The keys of what stands behind the original in an object; None where one is computed."""
    found: set[str] = set()
    depth = 0
    for at, token in enumerate(inside):
        text = token.text if token.kind is Kind.SIGN else ""
        if depth == 0 and text == "," and at + 1 < len(inside):
            key = next(
                (one for one in inside[at + 1 : at + 4] if one.text not in {"async", "get"}),
                inside[at + 1],
            )
            if key.kind is Kind.SIGN:
                return None
            found.add(key.text.strip("\"'`"))
        depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
    return frozenset(found)


def _named(tokens: Tokens, theirs: set[str], replaced: frozenset[str]) -> set[str]:
    """Those of a module's names that mean something replaced: itself, or a part of it."""
    found = {name for name in theirs if name in replaced}
    for before, sign, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if sign.text in {".", "?."} and after.text in replaced and before.text in theirs:
            found.add(before.text)
    if "default" in replaced:
        found |= {
            after.text
            for before, after in pairwise(tokens)
            if before.text == "import" and after.text in theirs
        }
    return found
