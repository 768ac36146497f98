"""A test as its syntax shows it, whatever the language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

# A suite that is run, and nobody can tell which.
ANY_SUITE = "*"


class Strength(IntEnum):
    """How much an assertion says: that there is something, something of it, or exactly what."""

    PRESENCE = 1
    RELATION = 2
    VALUE = 3


class Mark(StrEnum):
    """Why a test does not count as it stands."""

    SKIPPED = "skipped"
    EXPECTED_TO_FAIL = "expected to fail"
    CONDITIONAL = "run only under a condition"
    ONLY = "marked to run alone"
    TRIED_AGAIN = "run again when it fails"
    DESELECTED = "left out by the configuration of the runner"


@dataclass(frozen=True)
class Assertion:
    """`text` without white space and comments; `atoms` are its names and literals; `tolerance` how far
    off it lets a number be, where it says so. `is_conditional`: the test may pass without it.
    `is_by_product`: what it expects is the product's own word. `is_awaited`: it may fail later, and the test waits.
    `is_closed`: it is about what its own file makes up, and nothing else.
    """

    text: str
    atoms: frozenset[str]
    strength: Strength
    tolerance: float | None = None
    is_conditional: bool = False
    is_by_product: bool = False
    is_awaited: bool = False
    is_closed: bool = False


@dataclass(frozen=True)
class FoundTest:
    """One test function or test call.

    `name` is unique in its file and says where it stands (`TestCart::test_sum`). `body` is its text
    without comments and layout. `said` are its words for people: name, comments, strings. `cases`
    counts the literal rows of its parameters, 1 where it has none; `rows` those of tables that it goes
    through itself, None where it has none. `is_empty`: nothing in it has an
    effect. `about` are names that its file imports and it uses as such, `own` those that mean something
    of the test's or its file's own. `by_rows` is what it asserts in each row of its tables. `head` is what
    stands before its body but for its name. `suite` is the type whose method it is. `tries` is how often it may fail
    and be tried again, as far as a number says so; `labels` are names of marks by which a runner may choose. Lines count from 1.
    """

    path: str
    name: str
    line: int
    body: str
    said: str
    assertions: tuple[Assertion, ...] = ()
    marks: frozenset[Mark] = frozenset()
    cases: int = 1
    rows: int | None = None
    is_empty: bool = False
    about: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    by_rows: tuple[Assertion, ...] = ()
    head: str = ""
    suite: str = ""
    tries: int = 0
    labels: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        return f"{self.path}::{self.name}"

    @property
    def short_name(self) -> str:
        return self.name.rpartition("::")[2]


@dataclass(frozen=True)
class TestFile:
    """The tests of one file; `is_readable` is False where its syntax could not be understood.

    `put_in_place` is what the file makes something else for every test of the run, with its line;
    `declared` are files of tests that are compiled only because it says so; `around` is the text that no
    test has; `suites_run` are the types whose methods one of its tests runs.
    """

    __test__ = False

    path: str
    tests: tuple[FoundTest, ...] = ()
    is_readable: bool = True
    put_in_place: tuple[tuple[str, int], ...] = ()
    declared: frozenset[str] = frozenset()
    around: str = ""
    suites_run: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Helpers:
    """The functions of a file that are no tests, by name: what they assert. `waiting` are those that fail only where
    somebody waits for them.
    """

    asserted: Mapping[str, tuple[Assertion, ...]] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()

    def called(self, names: Iterable[str]) -> tuple[Assertion, ...]:
        return tuple(one for name in names for one in self.asserted.get(name, ()))
