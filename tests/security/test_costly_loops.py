"""Loops over a text that cost more than its length; every function that takes words is called"""

import ast
import importlib
import inspect
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from math import inf
from time import perf_counter, process_time

import pytest

from bot.shell.deadline import TooCostly, within
from tests.testkit.linear import no_pauses
from tests.testkit.made_arguments import NotMade, arguments, made
from tests.testkit.patterns import modules

# A module belongs to the last of these that it stands under.
PARTS = (
    *("action", "gates", "gates.test_guard", "gates.test_guard.lexed_unused"),
    *("gates.test_guard.python_closed", "gates.test_guard.python_reach"),
    *("gates.test_guard.python_tests", "gates.test_guard.rust_inline"),
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


def _tick() -> float:
    """What the clock of the processor counts in while a limit on it is set."""
    seen = [process_time()]
    while len(seen) < 4:
        now = process_time()
        if now != seen[-1]:
            seen.append(now)
    return max(later - one for one, later in pairwise(seen))


_TICK_SECONDS = within(_HUNG_SECONDS, _tick)

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
    **dict.fromkeys(
        (
            *(f"action.agents.contracts.Contracts.{name}" for name in ("refuse", "saw")),
            *(f"action.agents.contracts.Contracts.{name}" for name in ("_denied_by", "_note")),
        ),
        "their rules are main's policy, and not the agent's; what it runs is asked of each",
    ),
    **dict.fromkeys(
        (
            f"gates.test_guard.lexed_unused._Read.{name}"
            for name in ("_block_around", "_is_given", "_is_said")
        ),
        "of brackets that are read each one has another around it, and none itself",
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
            "bot.core.spec.reading._said_small",
            *(f"bot.core.talk.text.{name}" for name in ("_parted", "_split", "_split_or_parted")),
            "gates.remarks._of_command",
            "gates.tests_gate._other_sources",
        ),
        _MATCH,
    ),
    **dict.fromkeys(
        (
            *("action.agents.builtin.run_builtin_agent", "action.agents.builtin._note"),
            *("action.harness.conventions.conventions", "action.harness.gate_line.judge_gate_line"),
            *(
                f"action.harness.reruns.{name}"
                for name in ("run_alone", "_passed_alone", "judge_red_again")
            ),
        ),
        _HARNESS,
    ),
    **dict.fromkeys(
        (
            *("gates.contents._read", "gates.secrets_gate._found", "gates.tree.read_diff"),
            *("gates.guardrails._code", "gates.guardrails._edited"),
            *(
                f"gates.pairs_of_tests.{name}"
                for name in ("pairs_of_tests", "_pair", "_with_other_rows", "_with_other_lists")
            ),
            *(f"gates.pairs_of_tests.{name}" for name in ("_with_helpers", "_with_other_helpers")),
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
    **dict.fromkeys(
        (
            *("action.agents.builtin.Model.__init__", "action.agents.builtin._Run.__init__"),
            "action.agents.builtin._Run._go_on_anew",
            "action.agents.conversation.Conversation.add_results",
        ),
        _HARNESS,
    ),
    "gates.profiles.profile.Proposal.__post_init__": "what a profile proposes, which is our own",
    **dict.fromkeys(
        [f"gates.test_guard.languages.Readers.{name}" for name in ("is_test_path", "read")],
        "the adapters of profiles, which are called by themselves",
    ),
    **dict.fromkeys(
        [f"gates.test_guard.compare.{name}" for name in ("_taken_from", "_weakened")],
        "tests that are read already; their readers are called",
    ),
    **dict.fromkeys(
        [
            "gates.test_guard.python_marks._tries",
            "gates.test_guard.python_classes._is_made_otherwise",
        ],
        "a tree that is parsed already; whoever parses it is called",
    ),
    "gates.definition_file._record": "a definition that the bot wrote",
    **dict.fromkeys(
        [f"bot.core.prompts.spec_from_answers.{name}" for name in ("written", "_judged")],
        "a model's answer, whose texts are bounded where they are read",
    ),
    **dict.fromkeys(
        [f"bot.core.spec.code_owners.{name}" for name in ("_owners_of", "_Pattern.fits")],
        "lines that are read already; `owners_lacking` is called",
    ),
    "bot.core.spec.policy._line_of": "a policy's table, of a text with a ceiling",
}


@dataclass(frozen=True)
class _Reader:
    """A function, and texts of what its own code looks for."""

    name: str
    call: Callable[..., object]
    pieces: tuple[str, ...]
    # Of a method: its class, and what it calls itself.
    owner: type | None = None
    me: str = ""
    is_of_class: bool = False

    def given(self, text: str) -> dict[str, object]:
        """What it is called with."""
        given = arguments(self.call, text)
        if self.owner is None:
            return given
        return {self.me: self.owner if self.is_of_class else made(self.owner, text), **given}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with no_pauses():
        yield


@pytest.mark.slow
@pytest.mark.attack(
    "A text that makes a loop look again at what it has read, in whatever function it is read",
    held="every function and method of these parts that takes words and only reads is found and called",
)
@pytest.mark.parametrize("part", PARTS)
def test_every_function_takes_linear_time(part: str) -> None:
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
    # What is known to be costly needs no second look.
    looks = 1 if reader.name in BOUNDED else 2
    if looks == 1 and small == inf:
        return True
    # Most are linear, and the large text alone shows it.
    is_short = looks == 2 and _NOTICED_SECONDS <= small < _CONVICTED_SECONDS / _TIMES
    if is_short and _seconds(reader, piece, _TIMES * size) <= _CONVICTED_SECONDS:
        return False
    if small < _NOTICED_SECONDS:
        size = _TIMES * _SIZE
        late = _seconds(reader, piece, size, perf_counter)
        if late < max(_LATE_SECONDS, _LATE_TIMES * small):
            return False
    return all(_grows_too_fast(reader, piece, size, looks) for _ in range(looks))


def _grows_too_fast(reader: _Reader, piece: str, size: int, looks: int) -> bool:
    # The clock may have seen one tick too few.
    small = min(_seconds(reader, piece, size) for _ in range(looks)) + _TICK_SECONDS
    bound = max(_CONVICTED_SECONDS, _COST_MAX * small)
    # The signal counts in ticks, and comes early on a busy machine: only the clock convicts.
    hung = bound if looks == 1 else bound + _HUNG_SECONDS
    return small == inf or all(
        _seconds(reader, piece, _TIMES * size, hung=hung) > bound for _ in range(looks)
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
        given = reader.given(text)
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
    """What takes words in modules that only read: functions, and methods of what words are in; and the names
    of those that no text calls.
    """
    found, not_called = [], set()
    for name, tree in modules().items():
        if _part_of(name) == part and _only_reads(name, tree):
            for reader in _of_module(name, tree):
                try:
                    reader.given("a\n" * (_SIZE // 2))
                    found.append(reader)
                except NotMade:
                    not_called.add(reader.name)
    return found, not_called


def _of_module(name: str, tree: ast.Module) -> Iterator[_Reader]:
    module = importlib.import_module(name)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _takes_words(node):
            call = inspect.unwrap(getattr(module, node.name))
            yield _Reader(f"{name}.{node.name}", call, _pieces(node))
        elif isinstance(node, ast.ClassDef) and not _is_protocol(getattr(module, node.name)):
            yield from _of_class(f"{name}.{node.name}", getattr(module, node.name), node)


def _is_protocol(owner: type) -> bool:
    return bool(getattr(owner, "_is_protocol", False))


def _of_class(name: str, owner: type, tree: ast.ClassDef) -> Iterator[_Reader]:
    holds_words = any(map(_says_words, tree.body))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (holds_words or _takes_words(node)):
            kept = inspect.getattr_static(owner, node.name)
            call = next(
                (getattr(kept, way) for way in ("fget", "func", "__func__") if hasattr(kept, way)),
                kept,
            )
            is_of_class = isinstance(kept, classmethod) or node.name == "__new__"
            me = None if isinstance(kept, staticmethod) else node.args.args[0].arg
            yield _Reader(
                f"{name}.{node.name}",
                inspect.unwrap(call),
                _pieces(node),
                owner if me else None,
                me or "",
                is_of_class=is_of_class,
            )


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
    return _says_words(node.args)


def _says_words(node: ast.AST) -> bool:
    """Whether a parameter, or a field, is of words."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.AnnAssign):
        return False
    return any(
        isinstance(part, ast.Name) and part.id in ("str", "bytes") for part in ast.walk(node)
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
