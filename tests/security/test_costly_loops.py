"""Loops over a text that cost more than its length; every function that takes words is called"""

import ast
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

# A module belongs to the last of these that it stands under.
PARTS = (
    *("action", "gates", "gates.test_guard"),
    *("bot.core.decide", "bot.core.journal", "bot.core.plan", "bot.core.prompts"),
    *("bot.core.spec", "bot.core.spec.archive", "bot.core.spec.formats", "bot.core.spec.steering"),
    *("bot.core.spec.triage", "bot.core.state", "bot.core.talk", "bot.core.values"),
)
_SIZE = 2_000
# What is noticed is looked at; what is convicted takes so long, where the clock may count in hundredths.
_NOTICED_SECONDS, _CONVICTED_SECONDS = 0.002, 0.1
_HUNG_SECONDS = 1.0
# Eight times the text: 8 where it is linear, 64 with its square.
_TIMES, _COST_MAX = 8, 22.0
# What costs too little to be noticed is asked of eight times as much.
_LATE_SECONDS, _LATE_TIMES = 0.015, 14.0
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
    **dict.fromkeys(
        ("gates.remarks.remarks", "gates.remarks._remarks"),
        "a gate's folder is a path of at most 4,096 bytes; each line is asked of it",
    ),
}

# Functions whose arguments no text makes, and who calls them with one.
_MATCH = "a match of its own module's pattern; whoever looks for it is called"
_HARNESS = "what an order's run has in hand; what it reads of words is called by itself"
NOT_CALLED = {
    **dict.fromkeys(
        (
            "action.harness.artefacts._ticked",
            *(f"bot.core.spec.triage.contradictions.{name}" for name in ("_bound", "_measured")),
            *(
                f"bot.core.spec.triage.open_text.{name}"
                for name in ("_asks", "_is_struck", "_is_mentioned", "_may_be_a_name")
            ),
            *("bot.core.spec.formats.tasks._task", "bot.core.spec.step_words._bold_steps"),
            *(f"bot.core.talk.text.{name}" for name in ("_parted", "_split", "_split_or_parted")),
            "gates.remarks._of_command",
        ),
        _MATCH,
    ),
    **dict.fromkeys(
        (
            *("action.agents.builtin.run_builtin_agent", "action.agents.builtin._note"),
            *("action.harness.conventions.conventions", "action.harness.gate_line.judge_gate_line"),
            *("action.harness.reruns.run_alone", "action.harness.reruns._passed_alone"),
        ),
        _HARNESS,
    ),
    **dict.fromkeys(
        (
            *("gates.contents._read", "gates.secrets_gate._found", "gates.tree.read_diff"),
            *(
                f"action.harness.inline_tests.{name}"
                for name in (
                    *("with_inline_tests", "mains_inline_tests", "lines_of_product"),
                    "_is_declared_for_tests",
                )
            ),
        ),
        "they read a tree by git",
    ),
    "gates.definition_file._record": "a definition that the bot wrote",
    "bot.core.talk.bootstrap.first_policy": "the signs of profiles, which are our own",
    **dict.fromkeys(
        [f"bot.core.prompts.spec_from_answers.{name}" for name in ("written", "_judged")],
        "a model's answer, whose texts are bounded where they are read",
    ),
    "bot.core.spec.policy._line_of": "a policy's table, of a text with a ceiling",
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
    readers, not_called = _readers(part)
    costly = {reader.name: piece for reader in readers if (piece := _costly(reader)) is not None}
    assert {name: piece for name, piece in costly.items() if name not in BOUNDED} == {}
    assert not_called == {name for name in NOT_CALLED if _part_of(name) == part}
    assert [name for name in BOUNDED if _part_of(name) == part and name not in costly] == []
    assert readers


def _costly(reader: _Reader) -> str | None:
    return next((piece for piece in reader.pieces if _is_costly(reader, piece)), None)


def _is_costly(reader: _Reader, piece: str) -> bool:
    small, size = _seconds(reader, piece, _SIZE, perf_counter), _SIZE
    if small < _NOTICED_SECONDS:
        size = _TIMES * _SIZE
        late = _seconds(reader, piece, size, perf_counter)
        if late < max(_LATE_SECONDS, _LATE_TIMES * small):
            return False
    return all(_grows_too_fast(reader, piece, size) for _ in range(2))


def _grows_too_fast(reader: _Reader, piece: str, size: int) -> bool:
    small = min(_seconds(reader, piece, size) for _ in range(3))
    bound = max(_CONVICTED_SECONDS, _COST_MAX * small)
    return small == inf or all(
        _seconds(reader, piece, _TIMES * size, hung=bound + _HUNG_SECONDS) > bound for _ in range(2)
    )


def _seconds(
    reader: _Reader,
    piece: str,
    size: int,
    clock: Callable[[], float] = process_time,
    *,
    hung: float = _HUNG_SECONDS,
) -> float:
    # Another text each time: what is remembered costs nothing.
    text = piece * (size // len(piece) + 1) + f"\0{next(_NUMBERS)}"
    try:
        given = arguments(reader.call, text)
    except NotMade:
        return 0.0
    started = clock()
    try:
        within(hung, lambda: _call(reader, given))
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


def _readers(part: str) -> tuple[list[_Reader], set[str]]:
    """The functions of modules that only read, which take words, and the names of those that no text calls."""
    found, not_called = [], set()
    for name, tree in modules().items():
        if _part_of(name) == part and _only_reads(name, tree):
            module = importlib.import_module(name)
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and _takes_words(node):
                    call = inspect.unwrap(getattr(module, node.name))
                    try:
                        arguments(call, "a\n" * (_SIZE // 2))
                        found.append(_Reader(f"{name}.{node.name}", call, _pieces(node)))
                    except NotMade:
                        not_called.add(f"{name}.{node.name}")
    return found, not_called


def _part_of(name: str) -> str:
    return max((part for part in PARTS if f"{name}.".startswith(f"{part}.")), key=len, default="")


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
