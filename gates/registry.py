"""The builtin gates by name. To add one: a file with a pure function, and a line in the table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gates.result import Judges
from gates.scope_check import Judgement, check_scope
from gates.settings import JudgeSettings
from gates.tree import TreeDiff


@dataclass(frozen=True)
class BuiltinGate:
    """A gate of Headgate's own that judges a diff: a pure function, fast and unable to hang."""

    judges: Judges
    judge: Callable[[TreeDiff, JudgeSettings], Judgement]


BUILTIN_GATES: Mapping[str, BuiltinGate] = MappingProxyType(
    {"scope_check": BuiltinGate(Judges.DIFF, check_scope)}
)
