"""The builtin gates by name. To add one: a file with a pure function, and a line in the table.

Deliberately absent: gates that are commands, which need no entry here, and gates that ask a model,
which are not run on a runner.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gates.result import Judges
from gates.scope_check import Judgement, check_scope
from gates.settings import JudgeSettings
from gates.tree import TreeDiff


@dataclass(frozen=True)
class BuiltinGate:
    """A gate of ours that judges a diff: a pure function, so it takes no time and cannot hang."""

    judges: Judges
    judge: Callable[[TreeDiff, JudgeSettings], Judgement]


BUILTIN_GATES: Mapping[str, BuiltinGate] = MappingProxyType(
    {"scope_check": BuiltinGate(Judges.DIFF, check_scope)}
)
