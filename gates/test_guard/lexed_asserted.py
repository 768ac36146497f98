"""What functions of a test file in JavaScript, Go and Rust assert, themselves and by others of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, pairwise

from gates.test_guard.found_test import Assertion
from gates.test_guard.javascript_methods import called_name
from gates.test_guard.lexed_assertions import assertions
from gates.test_guard.lexed_blocks import living
from gates.test_guard.lexed_conditions import conditions
from gates.test_guard.tokens import Kind, Language, Tokens

_DEEP_MAX = 5
_SAID_MAX = 200

_Called = list[tuple[str, bool]]


def asserted_by(
    functions: Iterable[tuple[str, Tokens]], language: Language, filled: frozenset[str]
) -> Mapping[str, tuple[Assertion, ...]]:
    """By their names; functions of one name count together."""
    own: defaultdict[str, list[Assertion]] = defaultdict(list)
    called: defaultdict[str, _Called] = defaultdict(list)
    every = [(name, body) for name, body in functions if body]
    names = {name for name, _ in every}
    for name, body in every:
        reached = living(body, language)
        under = conditions(body, language, filled)
        said = assertions(reached, language, under)
        # What is compiled out is the product's own.
        own[name] += (one for one in said if not one.text.startswith("debug_"))
        called[name] += [
            (other, under.over(one.start))
            for at, (one, after) in enumerate(pairwise(reached))
            if one.kind is Kind.WORD and after.text in {"(", "!"}
            if (other := called_name(reached, at, names)) in names and other != name
        ]
    told = {name: tuple(own[name][:_SAID_MAX]) for name in names}
    for _ in range(_DEEP_MAX):
        told = {
            name: tuple(islice(_with_others(own[name], called[name], told), _SAID_MAX))
            for name in names
        }
    return {name: each for name, each in told.items() if each}


def _with_others(
    own: Iterable[Assertion], called: _Called, said: Mapping[str, tuple[Assertion, ...]]
) -> Iterator[Assertion]:
    yield from own
    for other, is_conditional in called:
        for one in said[other]:
            yield replace(one, is_conditional=one.is_conditional or is_conditional)
