"""The files of a change of its own in an OpenSpec folder, as an agent finds them."""

from collections.abc import Iterator

from action.order import Artefacts
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.state.artefacts import artefact_paths
from bot.core.values.spec_model import Operation, Requirement, Spec
from gates.unseen import without_unseen_characters


def artefacts_of(run: SpecRun, spec: Spec, change: ChangeFacts) -> Artefacts | None:
    """None where the spec has no folder whose archive could keep them."""
    paths = artefact_paths(run, change)
    if not paths:
        return None
    wanted = [r for r in spec.requirements if r.id in change.planned.requirements]
    tasks = "".join(_tasks(number, one) for number, one in enumerate(wanted, start=1))
    title = _line(change.planned.title)
    return Artefacts(
        folder=run.path,
        tasks_path=paths[0],
        tasks=f"# Tasks: {title}\n{tasks}",
        design_path=paths[1],
        design=f"# Design: {title}\n\n## Decided, and why\n\n## Rejected, and why\n",
    )


def _tasks(number: int, requirement: Requirement) -> str:
    """A task for the code, and one for each scenario; each names its requirement."""
    heading = f"\n## {number}. {_line(requirement.title)}\n\n"
    lines = enumerate(_said(requirement), start=1)
    return heading + "".join(f"- [ ] {number}.{n} {requirement.id}: {said}\n" for n, said in lines)


def _said(requirement: Requirement) -> Iterator[str]:
    if requirement.operation is Operation.REMOVED:
        yield "remove its code and its tests"
        return
    yield "the code does what it says"
    for scenario in requirement.scenarios:
        yield f"a test shows “{_line(scenario.name) or 'its scenario'}”"
    if not requirement.scenarios:
        yield "a test shows it"


def _line(text: str) -> str:
    return " ".join(without_unseen_characters(text).split())
