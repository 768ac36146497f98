"""What a judgement is given from outside: definitions, and the limits they are held to.

All of it comes from the base's policy by way of the order; nothing is read from the checkout. This
is the format of the file behind `--definition`. Deliberately absent: which commit is judged.
"""

from collections import Counter
from typing import Annotated, Self

from pydantic import Field, model_validator

from gates.result import Frozen, GateDefinition

# GitHub warns of files above 50 MB and refuses them above 100 MB ("About large files on GitHub");
# what people review is far below.
FILE_BYTES_MAX = 5_000_000
# A job on a self-hosted runner may take days, but its workflow's token lives for a day at most;
# five hours end before the six that GitHub's own runners give ("Usage limits").
TOTAL_TIMEOUT_SECONDS = 18_000


class JudgeSettings(Frozen):
    """Limits of one judgement; `protected` are gitignore patterns, `archive_paths` the paths or
    anchored patterns that the archive itself writes."""

    protected: tuple[str, ...] = ()
    archive_paths: tuple[str, ...] = ()
    file_bytes_max: Annotated[int, Field(ge=1)] = FILE_BYTES_MAX
    total_timeout_seconds: Annotated[int, Field(ge=1)] = TOTAL_TIMEOUT_SECONDS


class Definition(JudgeSettings):
    """The definition file: gates by unique names, and the settings beside them."""

    gates: tuple[GateDefinition, ...]

    @property
    def settings(self) -> JudgeSettings:
        """The settings without the gates."""
        return JudgeSettings.model_validate(self.model_dump(exclude={"gates"}))

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        counts = Counter(gate.name for gate in self.gates)
        twice = sorted(name for name, count in counts.items() if count > 1)
        if twice:
            raise ValueError(f"two gates are called {twice[0]!r}; every gate needs its own name")
        return self
