"""`headgate spec check | show | diff`: what a spec says, on disk, without a server.

Exit codes are for CI: 0 good, 1 something blocks or was refused, 2 wrong usage.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from bot.core.plan.readiness import uncovered
from bot.core.spec.read import read_spec
from bot.core.spec.triage.triage import Strictness, ranked, stops
from bot.core.talk.spec_rules import explained, rule_names
from bot.core.talk.text import counted, places
from bot.core.values.spec_model import Finding, Requirement, Spec, SpecDocument
from bot.entry.commands.plan import name_in_repository, no_spec_in, read_files
from bot.entry.terminal import Terminal
from bot.ports import UserError

_CONSTRAINT_MAX = 100


def _read(paths: Sequence[Path]) -> list[Spec] | None:
    specs = []
    for path in paths:
        try:
            files = read_files(path)
        except UserError as wrong:
            Terminal(stderr=True, soft_wrap=True).print(wrong.sentence)
            return None
        specs.append(read_spec(name_in_repository(path), files))
    return specs


def check_specs(paths: Sequence[Path], strict: bool, as_json: bool) -> int:
    """Returns 1 if one spec cannot be planned."""
    if not paths:
        Terminal(stderr=True).print("Name a spec file or a folder, or a rule with --explain.")
        return 2
    specs = _read(paths)
    if specs is None:
        return 2
    strictness = Strictness.STRICT if strict else Strictness.LENIENT
    stopped = any(stops(s, strictness) or not s.requirements for s in specs)
    if as_json:
        _print_json([{"path": s.path, "findings": _dumped(ranked(s))} for s in specs])
        return int(stopped)
    console = Terminal(soft_wrap=True, highlight=False)
    for spec in specs:
        if not spec.documents:
            console.out(_nothing_read(spec, spec.path))
        for finding in ranked(spec):
            where = f"{finding.path or spec.path}:{finding.line}"
            more = places(finding.lines)
            console.out(f"{where}: {finding.severity}: {finding.question}{more} [{finding.code}]")
        scenarios = sum(len(d.scenarios) for d in spec.documents)
        found = [counted(len(spec.requirements), "requirement"), counted(scenarios, "scenario")]
        if spec.constraints:
            found.append(counted(len(spec.constraints), "constraint"))
        console.out(f"{spec.path}: {', '.join([*found, _verdict(spec, strictness)])}")
    return int(stopped)


def _verdict(spec: Spec, strictness: Strictness) -> str:
    if not spec.requirements:
        return "no requirement was recognised"
    if stops(spec, strictness):
        return "cannot be planned"
    planned = len(uncovered({}, spec).requirements)
    if not planned:
        return "there is nothing left to plan"
    count = len(spec.requirements)
    return "can be planned" if planned == count else f"{planned} of {count} can be planned"


def explain_rule(rule: str) -> int:
    """Returns 2 if there is no such rule."""
    text = explained(rule)
    if text is None:
        known = ", ".join(rule_names())
        Terminal(stderr=True, soft_wrap=True).print(f"There is no rule {rule}. Rules: {known}.")
        return 2
    Terminal(soft_wrap=True, highlight=False).out(text)
    return 0


def show_specs(paths: Sequence[Path], as_json: bool) -> int:
    """Returns 1 if nothing was read from one of them, and prints why."""
    specs = _read(paths)
    if specs is None:
        return 2
    nothing_read = any(not spec.requirements for spec in specs)
    if as_json:
        _print_json([_shown(spec) for spec in specs])
        return int(nothing_read)
    console = Terminal(soft_wrap=True, highlight=False)
    for spec in specs:
        if not spec.documents:
            console.out(_nothing_read(spec, spec.path))
        for document in spec.documents:
            _show(document, console)
    return int(nothing_read)


def _show(document: SpecDocument, console: Terminal) -> None:
    form = f"{document.format} ({document.confidence:.2f})"
    console.out(f"{document.path}: {form}: {document.title}")
    for requirement in document.requirements:
        console.out(f"  {requirement.line_start:>5} {requirement.id} {requirement.title}")
        for scenario in requirement.scenarios:
            console.out(f"  {scenario.line_start:>5}   {scenario.name}")
    for story in document.stories:
        for scenario in story.scenarios:
            console.out(f"  {scenario.line_start:>5} {story.title}: {scenario.name}")
    for constraint in document.constraints:
        text = " ".join(constraint.text.split())
        text = text if len(text) <= _CONSTRAINT_MAX else f"{text[: _CONSTRAINT_MAX - 1]}…"
        console.out(f"  {constraint.line:>5} applies to every change: {text}")
    for first, last in document.unparsed:
        one = f"line {first} belongs" if first == last else ""
        lines = one or f"lines {first} to {last} belong"
        console.out(f"  {first:>5} {lines} to no requirement")
    for finding in document.findings if not document.requirements else ():
        console.out(f"  {finding.line:>5} {finding.question} [{finding.code}]")


def _shown(spec: Spec) -> dict[str, object]:
    return {
        "path": spec.path,
        "format": ", ".join(dict.fromkeys(d.format.value for d in spec.documents)),
        "confidence": min((d.confidence for d in spec.documents), default=0.0),
        "requirements": [r.model_dump(mode="json") for r in spec.requirements],
        "scenarios": [
            s.model_dump(mode="json")
            for scenarios in (
                *(r.scenarios for r in spec.requirements),
                *(story.scenarios for story in spec.stories),
            )
            for s in scenarios
        ],
        "stories": [s.model_dump(mode="json") for s in spec.stories],
        "constraints": [c.model_dump(mode="json") for c in spec.constraints],
        "findings": _dumped(spec.findings),
        "unparsed": [
            {"path": d.path, "line_start": first, "line_end": last}
            for d in spec.documents
            for first, last in d.unparsed
        ],
    }


def _dumped(findings: Sequence[Finding]) -> list[dict[str, object]]:
    return [f.model_dump(mode="json") for f in findings]


def _is_no_spec(spec: Spec) -> bool:
    return not spec.documents or bool(stops(spec, Strictness.LENIENT))


def _nothing_read(spec: Spec, path: str) -> str:
    if not spec.documents:
        return no_spec_in(path)
    return f"No requirement was recognised in {path}. To see why, run `headgate spec check`."


def diff_specs(old: Path, new: Path, as_json: bool) -> int:
    """Returns 1 if a requirement was added, removed or changed; 2 if nothing was read from one."""
    specs = _read([old, new])
    if specs is None:
        return 2
    read = zip((old, new), specs, strict=True)
    empty = [(path, spec) for path, spec in read if not spec.requirements]
    # A spec that was emptied, or begins, is compared; what is no spec is not.
    if len(empty) == len(specs) or any(_is_no_spec(spec) for _, spec in empty):
        for path, spec in empty:
            Terminal(stderr=True, soft_wrap=True).out(_nothing_read(spec, str(path)))
        return 2
    before = {_name(r): r for r in specs[0].requirements}
    after = {_name(r): r for r in specs[1].requirements}
    added = [n for n in after if n not in before]
    removed = [n for n in before if n not in after]
    changed = [n for n in after if n in before and after[n].text_hash != before[n].text_hash]
    if as_json:
        _print_json({"added": added, "removed": removed, "changed": changed})
    else:
        console = Terminal(soft_wrap=True, highlight=False)
        for sign, names, where in (
            ("+", added, after),
            ("-", removed, before),
            ("~", changed, after),
        ):
            for name in names:
                console.out(f"{sign} {name} (line {where[name].line_start})")
        if not (added or removed or changed):
            console.out("The same requirements with the same texts.")
    return int(bool(added or removed or changed))


def _name(requirement: Requirement) -> str:
    """By what a requirement is found again in another version of its spec."""
    return requirement.source_id or requirement.title


def _print_json(value: object) -> None:
    Terminal(soft_wrap=True).out(json.dumps(value, ensure_ascii=False, indent=2))
