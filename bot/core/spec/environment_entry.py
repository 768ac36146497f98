"""What the policy says of a runner's environment: names that `setup` gets, and never a value."""

from typing import Annotated

from pydantic import AfterValidator, Field

from bot.core.values.ids import Frozen


def _is_free(name: str) -> str:
    if name in _OF_THE_SANDBOX or name.upper().startswith(_NOBODYS):
        raise ValueError(f"{name} is the runner's own, and setup does not get it")
    return name


# GitHub's and ours: a job's tokens among them; what the sandbox sets; and what a loader obeys.
_NOBODYS = ("ACTIONS_", "GITHUB_", "HEADGATE_", "RUNNER_", "LD_")
_OF_THE_SANDBOX = frozenset({"PATH", "HOME", "TMPDIR", "SHELL", "USER"})

VariableName = Annotated[
    str, Field(max_length=100, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_is_free)
]
CaFile = Annotated[str, Field(max_length=500, pattern=r"^/[^\x00-\x1f]+$")]


class EnvironmentEntry(Frozen):
    """What `setup` gets of the runner, for private registries and a proxy that reads TLS."""

    variables: Annotated[tuple[VariableName, ...], Field(max_length=50)] = Field(
        (),
        description="Names of variables that the runner, or the workflow's `env`, has. Their values are "
        "shown to nobody; agents and gates do not get them.",
    )
    ca_files: Annotated[tuple[CaFile, ...], Field(max_length=10)] = Field(
        (),
        description="Paths on the runner of certificates in PEM form that are trusted beside those of "
        "the system.",
    )
