"""Loops over a text that cost more than its length; every function that takes words is called"""

import ast
import contextlib
import importlib
import inspect
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from math import inf
from time import perf_counter, process_time

import pytest

from bot.shell.deadline import TooCostly, within
from tests.testkit.linear import no_pauses
from tests.testkit.made_arguments import NotMade, arguments
from tests.testkit.patterns import modules

PARTS = (
    *("action", "gates"),
    *("bot.core.journal", "bot.core.plan", "bot.core.prompts", "bot.core.talk"),
)
_SIZE = 2_000
# What is noticed is looked at; what is convicted takes so long, where the clock may count in hundredths.
_NOTICED_SECONDS, _CONVICTED_SECONDS = 0.002, 0.1
_HUNG_SECONDS = 1.0
# Eight times the text: 8 where it is linear, 64 with its square.
_TIMES, _COST_MAX = 8, 22.0
_ANYWHERE = (
    " ",
    "a",
    "\n",
    "a b ",
    "a\n",
    "- a\n",
    "# a\n",
    "`",
    "[",
    "(",
    '"',
    "<",
    "\\",
    "a: b\n",
)
_OWN_MAX = 6
_NUMBERS = count()

# Whoever imports one of these may do more than read what it is given.
_OUTSIDE = frozenset({
    *("asyncio", "ctypes", "http", "httpx", "importlib", "os", "pathlib", "shutil", "signal"),
    *("socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib"),
})  # fmt: skip

# Functions that take more than linear time, and why no long text comes to them.
BOUNDED = {
    "gates.test_guard.allowance.names_requirement": "a requirement's id is short",
}


@dataclass(frozen=True)
class _Reader:
    """A function, and texts of what its own code looks for."""

    name: str
    call: Callable[..., object]
    pieces: tuple[str, ...]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with no_pauses():
        yield


@pytest.mark.attack(
    "A text that makes a loop look again at what it has read, in whatever function it is read",
    held="every function of these parts that takes words and only reads is found and called by itself",
)
@pytest.mark.parametrize("part", PARTS)
def test_every_function_takes_time_with_the_length_of_a_text(part: str) -> None:
    readers = _readers(part)
    costly = {
        reader.name: piece
        for reader in readers
        if reader.name not in BOUNDED and (piece := _costly(reader)) is not None
    }
    assert costly == {}
    assert readers


def _costly(reader: _Reader) -> str | None:
    for piece in reader.pieces:
        if _seconds(reader, piece, _SIZE, perf_counter) > _NOTICED_SECONDS and all(
            _grows_too_fast(reader, piece) for _ in range(2)
        ):
            return piece
    return None


def _grows_too_fast(reader: _Reader, piece: str) -> bool:
    large = min(_seconds(reader, piece, _TIMES * _SIZE) for _ in range(2))
    if large < _CONVICTED_SECONDS:
        return False
    return large > _COST_MAX * min(_seconds(reader, piece, _SIZE) for _ in range(3))


def _seconds(
    reader: _Reader, piece: str, size: int, clock: Callable[[], float] = process_time
) -> float:
    # Another text each time: what is remembered costs nothing.
    text = piece * (size // len(piece) + 1) + f"\0{next(_NUMBERS)}"
    try:
        given = arguments(reader.call, text)
    except NotMade:
        return 0.0
    started = clock()
    try:
        within(_HUNG_SECONDS, lambda: _call(reader, given))
    except TooCostly:
        return inf
    return clock() - started


def _call(reader: _Reader, given: dict[str, object]) -> None:
    try:
        found = reader.call(**given)
        if isinstance(found, Iterator):
            deque(found, maxlen=0)
    except TooCostly:
        raise
    except Exception:  # noqa: BLE001, S110 - nonsense may be refused; only its time counts here
        pass


def _readers(part: str) -> list[_Reader]:
    """The functions of modules that only read, which take words and nothing that words do not make."""
    found = []
    for name, tree in modules().items():
        if f"{name}.".startswith(f"{part}.") and _only_reads(name, tree):
            module = importlib.import_module(name)
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and _takes_words(node):
                    call = inspect.unwrap(getattr(module, node.name))
                    with contextlib.suppress(NotMade):
                        arguments(call, "a\n")
                        found.append(_Reader(f"{name}.{node.name}", call, _pieces(node)))
    return found


def _only_reads(name: str, tree: ast.Module) -> bool:
    # The core cannot look: an import contract.
    return name.startswith("bot.core.") or not _OUTSIDE & {
        imported.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for imported in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
        )
    }


def _takes_words(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id in ("str", "bytes") for part in ast.walk(node.args)
    )


def _pieces(node: ast.FunctionDef) -> tuple[str, ...]:
    """What the function's own code looks for, and what is nasty anywhere."""
    own = dict.fromkeys(
        part.value
        for statement in node.body
        for part in ast.walk(statement)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and 0 < len(part.value) < 20
    )
    return tuple(dict.fromkeys([*_ANYWHERE, *list(own)[:_OWN_MAX]]))
