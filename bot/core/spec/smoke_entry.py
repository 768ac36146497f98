"""One smoke gate of the policy file: what runs on main after a landing."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from bot.core.spec.gate_entry import GateEntry
from bot.core.values.ids import Frozen


class SmokeEntry(Frozen):
    """A shell line that runs on the commit that main is after a landing; exit code 0 passes."""

    run: str | Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        description="Shell line, or a list of lines of one shell; exit code 0 passes."
    )
    cwd: str | None = Field(None, description="The folder of the checkout in which it runs.")
    junit: bool | str = Field(
        False, description="JUnit XML: true for $HEADGATE_JUNIT, or a glob below the checkout."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run; then it is red."
    )
    repeat: Annotated[int, Field(ge=0, le=2)] = Field(
        1, description="How often all smoke gates run once more before its red freezes the queue."
    )


def as_gates(entries: Mapping[str, SmokeEntry]) -> dict[str, GateEntry]:
    """The same lines as gates of an order."""
    return {name: GateEntry(**entry.model_dump()) for name, entry in entries.items()}
