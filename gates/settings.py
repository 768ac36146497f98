"""What a judgement is given from outside: definitions, and the limits they are held to.

All of it comes from the base's policy by way of the order; nothing is read from the checkout. This
is the format of the file behind `--definition`.
"""

from collections import Counter
from dataclasses import dataclass

from gates.asked import AskedRequirement
from gates.declared import NOTHING_DECLARED, DeclaredScope
from gates.result import GateDefinition

# GitHub warns of files above 50 MB and refuses them above 100 MB ("About large files on GitHub");
# what people review is far below.
FILE_BYTES_MAX = 5_000_000


@dataclass(frozen=True, kw_only=True)
class JudgeSettings:
    """Limits of one judgement; `protected` are gitignore patterns, `archive_paths` the paths or
    anchored patterns that the archive itself writes.

    `requirements` are those that the candidate is about, `declared` what its plan names; `is_of_person`: no change is judged but
    what people have put on main.
    """

    protected: tuple[str, ...] = ()
    archive_paths: tuple[str, ...] = ()
    file_bytes_max: int = FILE_BYTES_MAX
    requirements: tuple[AskedRequirement, ...] = ()
    is_of_person: bool = False
    declared: DeclaredScope = NOTHING_DECLARED

    def __post_init__(self) -> None:
        if self.file_bytes_max < 1:
            raise ValueError("file_bytes_max must be at least 1")


@dataclass(frozen=True, kw_only=True)
class Definition(JudgeSettings):
    """The definition file: gates by unique names, and the settings beside them."""

    gates: tuple[GateDefinition, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where two gates have one name."""
        super().__post_init__()
        counts = Counter(gate.name for gate in self.gates)
        twice = sorted(name for name, count in counts.items() if count > 1)
        if twice:
            raise ValueError(f"two gates have the name {twice[0]!r}; every gate needs its own name")
