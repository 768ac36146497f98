"""`headgate plan`: read specs from disk and print their plans, for people or as JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from rich.table import Column, Table

from bot.core.plan.check import check
from bot.core.plan.circles import circles
from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import NOT_PLANNED, left_out
from bot.core.plan.readiness import uncovered
from bot.core.plan.shown_waits import shown_waits
from bot.core.spec.read import read_spec
from bot.core.talk.text import counted, places
from bot.core.values.ids import Frozen
from bot.core.values.plan_model import Plan, PlanFinding
from bot.core.values.spec_model import Finding, Severity, Spec
from bot.entry.terminal import Terminal
from bot.ports import UserError


class PlannedSpec(Frozen):
    """A spec's plan and all findings, as JSON shows them."""

    path: str
    format: str
    requirements: tuple[dict[str, str | int], ...]
    plan: Plan
    plan_hash: str
    findings: tuple[Finding, ...]
    plan_findings: tuple[PlanFinding, ...]

    @property
    def is_refused(self) -> bool:
        """Whether Headgate would start nothing from this spec."""
        blocked = any(f.severity is Severity.BLOCK for f in self.findings)
        return blocked or bool(self.plan_findings) or not self.requirements


def planned(path: str, files: Mapping[str, bytes], *, with_put_off: bool = False) -> PlannedSpec:
    """`with_put_off`: also what is done or for later, as if a person had included it."""
    spec = read_spec(path, files)
    live = uncovered({}, spec, [r.id for r in spec.requirements] if with_put_off else ())
    later = left_out(spec, {r.id for r in live.requirements}, {})
    proposal = plan(live).replace(left_out=later)
    return PlannedSpec(
        path=path,
        format=_formats(spec),
        requirements=tuple(
            {"id": r.id, "title": r.title, "path": r.path, "line_start": r.line_start}
            for r in spec.requirements
        ),
        plan=proposal,
        plan_hash=proposal.hash,
        findings=(*_true_of(spec.findings, with_put_off=with_put_off), *circles(spec)),
        plan_findings=check(proposal, live),
    )


def _true_of(findings: Sequence[Finding], *, with_put_off: bool) -> list[Finding]:
    """Without those that say what is not planned, where it is."""
    return [f for f in findings if not (with_put_off and f.code in NOT_PLANNED)]


def _formats(spec: Spec) -> str:
    return ", ".join(dict.fromkeys(d.format.value for d in spec.documents))


_FILES_MAX = 10_000
_ROOT_MARKS = (".git", ".github")
# Where a spec stands in its repository, if nothing marks the repository's root.
_KNOWN_FOLDERS = ("openspec", ".kiro", "kitty-specs", "specs", "docs")


def name_in_repository(path: Path) -> str:
    """The path as the repository has it, wherever the command is run: ids depend on it."""
    whole = path.resolve()
    for folder in whole.parents:
        if any((folder / mark).exists() for mark in _ROOT_MARKS):
            return whole.relative_to(folder).as_posix()
    parts = whole.parts
    at = next((n for n, part in enumerate(parts[:-1]) if part in _KNOWN_FOLDERS), len(parts) - 1)
    return Path(*parts[at:]).as_posix()


def read_files(path: Path) -> dict[str, bytes]:
    """A file, or all files of a folder, by path in the repository. Raises `UserError`."""
    name = name_in_repository(path)
    if path.is_file():
        return {name: bytes_of(path)}
    if not path.is_dir():
        raise UserError(f"There is no file or folder {path}.")
    below = list(islice(path.rglob("*"), _FILES_MAX + 1))
    if len(below) > _FILES_MAX:
        raise UserError(f"{path} has more than {_FILES_MAX} files: name the folder of one spec.")
    return {
        f"{name}/{p.relative_to(path).as_posix()}": bytes_of(p)
        for p in sorted(below)
        if p.is_file()
    }


def bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as failure:
        raise UserError(f"{file} cannot be read ({failure.strerror}).") from failure


def no_spec_in(path: str) -> str:
    """Why nothing is read from a folder in which no file holds requirements."""
    told = f"{path} has no spec file."
    if re.search(r"(?:^|/)openspec/changes/[^/]+/?$", path):
        told += (
            " The requirements that a change adds or modifies belong in "
            "specs/<capability>/spec.md inside this folder."
        )
    return told


def print_plans(paths: Sequence[Path], as_json: bool, with_put_off: bool) -> int:
    """Returns 0; 1 if a spec cannot be planned; 2 if a path cannot be read."""
    found = {}
    for path in paths:
        try:
            found[name_in_repository(path)] = read_files(path)
        except UserError as wrong:
            Terminal(stderr=True, soft_wrap=True).print(wrong.sentence)
            return 2
    plans = [planned(path, files, with_put_off=with_put_off) for path, files in found.items()]
    if as_json:
        shown = [p.model_dump(mode="json") for p in plans]
        Terminal(soft_wrap=True).print_json(json.dumps(shown if len(shown) > 1 else shown[0]))
    else:
        for one in plans:
            _print(one)
    return 1 if any(p.is_refused for p in plans) else 0


def _print(one: PlannedSpec) -> None:
    console = Terminal()
    if one.plan.changes:
        _print_changes(one, console)
    for line in one.plan.left_out:
        console.print(f"not planned: {line}", highlight=False)
    if one.plan.left_out:
        console.print("To plan these, too, run `headgate plan --all`.", highlight=False)
    for finding in one.findings:
        where = f"{finding.path or one.path}:{finding.line}"
        more = places(finding.lines)
        console.print(f"{finding.severity}: {where} {finding.question}{more}", highlight=False)
    for fault in one.plan_findings:
        console.print(f"refused: {fault.sentence}", highlight=False)
    if not one.format:
        console.print(no_spec_in(one.path), highlight=False, soft_wrap=True)
    elif not one.requirements:
        console.print(
            f"No requirement was recognised in {one.path}. To see why, run `headgate spec check`.",
            soft_wrap=True,
        )


def _print_changes(one: PlannedSpec, console: Terminal) -> None:
    # Names are typed again in commands: they may be broken, and never cut.
    first, *rest = (Column(name, overflow="fold") for name in ("Change", "Requirements", "After"))
    table = Table(first, "Type", *rest, title=f"{one.path} ({one.format})")
    waits = shown_waits(one.plan)
    for change in one.plan.changes:
        names = "\n".join(r.partition("#")[2] or r for r in change.requirements)
        after = "\n".join(f"{d.on} ({d.kind})" for d in waits[change.slug])
        table.add_row(f"{change.slug}\n{change.title}", change.type.value, names, after)
    console.print(table)
    there = {r for change in one.plan.changes for r in change.requirements}
    known = counted(len(one.requirements), "requirement")
    console.print(
        f"{known if len(there) == len(one.requirements) else f'{len(there)} of {known}'} in "
        f"{counted(len(one.plan.changes), 'change')}, plan {one.plan_hash}"
    )
