"""Where a test in JavaScript, Go or Rust stands, before it is read."""

from dataclasses import dataclass

from gates.test_guard.found_test import Assertion, Mark
from gates.test_guard.tokens import Token, Tokens


@dataclass(frozen=True)
class Block:
    """Its first token, the tokens behind its name, and what stands around it says of it."""

    name: str
    first: Token
    body: Tokens
    marks: frozenset[Mark] = frozenset()
    cases: int = 1
    expected: tuple[Assertion, ...] = ()
    rows: int | None = None
    suite: str = ""
    tries: int = 0
