"""Gate lines side by side: each place has a sandbox, layers and temporary folders of its own.

A line begins when a place is free. If the order says so, no line begins after a red gate that counts;
lines that run already are finished, and their results kept.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from action.harness.folder import OwnFolders
from action.harness.gate_line import Place
from action.harness.order_context import OrderContext
from action.order import GateOrder
from gates.result import Ending, GateDefinition, GateResult

# More lines at once would wait for each other's disk.
PLACES_MAX = 8

JudgeLine = Callable[[GateDefinition, Place], GateResult]


class Results:
    """The results so far, each told of as it comes; threads share it."""

    def __init__(self, tell: Callable[[GateResult], None], *, stops_at_first_red: bool) -> None:
        self._tell = tell
        self._stops = stops_at_first_red
        self._lock = threading.Lock()
        self._red: list[str] = []
        self.by_gate: dict[str, GateResult] = {}

    def add(self, definition: GateDefinition, result: GateResult) -> None:
        """Keep a result; with a red one that counts, what was not begun stays so."""
        with self._lock:
            self.by_gate[definition.name] = result
            is_red = definition.required and result.ending is not Ending.PASSED
            if self._stops and is_red and not result.stopped_by:
                self._red.append(definition.name)
            self._tell(result)

    def take_again(self, result: GateResult) -> None:
        """Keep what a red gate ended with when it ran once more; what it stopped may begin if it passed."""
        with self._lock:
            self.by_gate[result.gate] = result
            if result.ending is Ending.PASSED:
                self._red = [gate for gate in self._red if gate != result.gate]
            self._tell(result)

    def stopped(self, definition: GateDefinition) -> GateResult | None:
        """The result of a gate that is not started after a red one; None if it is to be started."""
        with self._lock:
            red = next(iter(self._red), None)
        if red is None:
            return None
        return GateResult(
            gate=definition.name,
            judges=definition.judges,
            ending=Ending.COULD_NOT_RUN,
            sentence=f"It was not started, because `{red}` is red (`stop_at_first_red`).",
            stopped_by=red,
        )

    def may_begin(self, definition: GateDefinition) -> bool:
        """Whether it was stopped by a red gate that passed since."""
        return bool(self.by_gate[definition.name].stopped_by) and self.stopped(definition) is None


def in_order(order: GateOrder) -> list[GateDefinition]:
    rank = {name: number for number, name in enumerate(order.begin_with)}
    return sorted(order.gates, key=lambda gate: rank.get(gate.name, len(rank)))


def places(order: GateOrder, context: OrderContext, first: Place, lines: int) -> tuple[Place, ...]:
    """Where lines run at once; one place where the machine has no layers to keep them apart."""
    wanted = order.at_once or len(os.sched_getaffinity(0))
    count = min(wanted, lines, PLACES_MAX) if first.saved.is_layered else 1
    found = [first]
    for number in range(1, count):
        own = _own_folders(context, number)
        sandbox = context.folder.make_sandbox(
            first.sandbox.kind, context.environment, (), order.sandbox_allow, own
        )
        context.halt.on_ask(sandbox.end)
        found.append(Place(context.folder, sandbox, first.saved.beside(sandbox, own)))
    return tuple(found)


def _own_folders(context: OrderContext, number: int) -> OwnFolders:
    root = context.folder.root / f"place{number}"
    own = OwnFolders(root / "tmp", root / "out")
    for part in (root, own.tmp, own.out):
        part.mkdir(mode=0o700)
    return own


def judge_all(
    lines: Iterable[GateDefinition], at: Sequence[Place], judge_line: JudgeLine, results: Results
) -> None:
    """Judge every line, as many at once as there are places."""
    waiting = deque(lines)

    def work(place: Place) -> None:
        while True:
            try:
                definition = waiting.popleft()
            except IndexError:
                return
            stopped = results.stopped(definition)
            results.add(definition, stopped or judge_line(definition, place))

    if len(at) == 1:
        work(at[0])
        return
    with ThreadPoolExecutor(len(at)) as pool:
        for done in [pool.submit(work, place) for place in at]:
            done.result()
