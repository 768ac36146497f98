"""Twenty small tasks in four languages: what is asked, how it is checked, and one way to do it."""

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML


@dataclass(frozen=True)
class AgentTask:
    """`check` fails on `files`, and passes once the line `solution` has run."""

    language: str
    name: str
    statement: str
    check: str
    files: dict[str, str]
    solution: str


def tasks() -> list[AgentTask]:
    found = []
    for place in sorted(Path(__file__).parent.glob("*.yaml")):
        for said in YAML(typ="safe", pure=True).load(place.read_text(encoding="utf-8")):
            found.append(AgentTask(language=place.stem, **said))
    return found
