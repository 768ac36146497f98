"""What a judgement is given from outside: definitions, and the limits they are held to.

All of it comes from the base's policy by way of the order; nothing is read from the checkout. This
is the format of the file behind `--definition`.
"""

from collections import Counter
from dataclasses import dataclass

from gates.result import GateDefinition

# GitHub warns of files above 50 MB and refuses them above 100 MB ("About large files on GitHub");
# what people review is far below.
FILE_BYTES_MAX = 5_000_000
# A job on a self-hosted runner may take days, but its workflow's token lives for a day at most;
# five hours end before the six that GitHub's own runners give ("Usage limits").
TOTAL_TIMEOUT_SECONDS = 18_000


@dataclass(frozen=True, kw_only=True)
class JudgeSettings:
    """Limits of one judgement; `protected` are gitignore patterns, `archive_paths` the paths or
    anchored patterns that the archive itself writes."""

    protected: tuple[str, ...] = ()
    archive_paths: tuple[str, ...] = ()
    file_bytes_max: int = FILE_BYTES_MAX
    total_timeout_seconds: int = TOTAL_TIMEOUT_SECONDS

    def __post_init__(self) -> None:
        """Raises ValueError for a limit below 1."""
        if self.file_bytes_max < 1 or self.total_timeout_seconds < 1:
            raise ValueError("file_bytes_max and total_timeout_seconds must be at least 1")


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
            raise ValueError(f"two gates are called {twice[0]!r}; every gate needs its own name")
