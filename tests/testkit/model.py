"""Short scripts for a scripted model, which Headgate asks over the real client and real HTTP."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.localhub.model_server.script import Script
from bot.localhub.model_server.server import running
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY

Turn = dict[str, Any]


def change(slug: str, *requirements: str, **more: object) -> Turn:
    """One change of a plan, with defaults for the other fields."""
    return {
        "slug": slug,
        "title": f"Build {slug}",
        "type": "feature",
        "scope": f"What {slug} is about.",
        "left_out": "",
        "requirements": list(requirements),
        "files": [],
        "depends_on": [],
        "gates": [],
        "done": [f"{slug} works"],
        **more,
    }


def waits(on: str, evidence: str) -> dict[str, list[dict[str, str]]]:
    """The `depends_on` of a change."""
    return {"depends_on": [{"on": on, "evidence": evidence}]}


def plan(*changes: Turn, risks: tuple[str, ...] = (), **turn: object) -> Turn:
    """A turn that hands in a plan; `turn` adds a fault, a wait or a stop reason."""
    answer = {"changes": list(changes), "risks": list(risks), "left_out": []}
    return {"calls": [{"tool": "submit_plan", "input": answer}], **turn}


def brief(**turn: object) -> Turn:
    """A turn that hands in a brief with nothing shared."""
    answer: Mapping[str, object] = {"shared": [], "order": [], "risks": []}
    return {"calls": [{"tool": "submit_brief", "input": answer}], **turn}


def merge(**more: object) -> Turn:
    """A turn that hands in a merge of parts; it joins nothing by default."""
    answer = {"edges": [], "join": [], "risks": [], "left_out": [], **more}
    return {"calls": [{"tool": "submit_merge", "input": answer}]}


def handed_in(tool: str, answer: Mapping[str, object], **turn: object) -> Turn:
    """A turn that calls a tool with any input."""
    return {"calls": [{"tool": tool, "input": dict(answer)}], **turn}


def scene(name: str, *turns: Turn, **match: object) -> Turn:
    """Turns for the conversations that match."""
    return {"name": name, "match": match, "turns": list(turns)}


def script(*scenes: Turn) -> Script:
    return Script.model_validate({"version": 1, "scenes": list(scenes)})


@contextlib.contextmanager
def house_with_model(
    folder: Path,
    *scenes: Turn,
    policy: str = POLICY,
    files: Mapping[str, str] | None = None,
) -> Iterator[House]:
    """A house whose Headgate asks a model with these scenes."""
    with running(script(*scenes)) as url, house(folder, files, policy, url) as story:
        yield story
