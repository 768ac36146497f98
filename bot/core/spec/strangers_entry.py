"""The key `strangers` of the policy file."""

from typing import Annotated

from pydantic import Field

from bot.core.values.ids import Frozen


class StrangersEntry(Frozen):
    """What a pull from a fork may bring, and what people without a role may ask; more is not read."""

    kilobytes: Annotated[int, Field(ge=1, le=1_000)] = Field(
        64, description="How long one file of a spec may be, in thousands of bytes."
    )
    requirements: Annotated[int, Field(ge=1, le=20_000)] = Field(
        300, description="How many requirements one spec may have."
    )
    commands_an_hour: Annotated[int, Field(ge=1, le=1_000)] = Field(
        10,
        description="How many comments with commands are answered in an hour to one person whose role "
        "is below triage, and three times as many to all of them.",
    )
