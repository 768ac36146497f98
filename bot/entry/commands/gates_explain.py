"""`headgate gates explain`: each gate's mode for a change, and where it comes from."""

import json
from pathlib import Path

from rich.table import Table

from bot.core.journal.state import Candidate, ChangeFacts
from bot.core.spec.gate_modes import ExplainedGate, explained_gates
from bot.core.talk.policy_text import no_file
from bot.core.values.plan_model import ChangeType
from bot.entry.commands.policy_here import policy_at
from bot.entry.local_journal import open_journal, repositories_named
from bot.entry.terminal import Terminal
from bot.ports import UserError


def print_gates(name: str, policy_file: Path, as_json: bool) -> int:
    """`name` is a change or a type of changes. Returns 1 if it is neither or has no gate, 2 for a bad policy."""
    try:
        policy = policy_at(policy_file)
    except UserError as wrong:
        Terminal(stderr=True, soft_wrap=True).print(wrong.sentence)
        return 2
    type_ = next((one for one in ChangeType if one == name), None)
    change, candidate = _change(name) if type_ is None else (None, None)
    if type_ is None and change is None:
        types = ", ".join(ChangeType)
        Terminal(stderr=True, soft_wrap=True, highlight=False).print(
            f"The journal of this machine has no change {name}, and {name} is not a type of "
            f"change ({types})."
        )
        return 1
    gates = explained_gates(
        policy,
        type_ or (change.planned.type if change else ChangeType.FIX),
        candidate.raised if candidate else (),
    )
    rows = [_row(gate, candidate) for gate in gates]
    if as_json:
        Terminal(soft_wrap=True, highlight=False).out(json.dumps(rows, indent=2))
        return 0
    if not rows:
        told = (
            f"{policy_file} has no gates." if policy_file.is_file() else no_file(str(policy_file))
        )
        Terminal(stderr=True, soft_wrap=True).print(told)
        return 1
    table = Table("Gate", "Is", "Mode", "Said by", "Now")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    Terminal(soft_wrap=True, highlight=False).print(table)
    return 0


def _change(name: str) -> tuple[ChangeFacts | None, Candidate | None]:
    journal = open_journal()
    for repository in repositories_named(journal, ""):
        state = journal.load(repository)
        for change in state.changes.values():
            if name.lstrip("#") in {change.id, change.slug, str(change.issue), str(change.pull)}:
                return change, state.candidate_of(change)
    return None, None


def _row(gate: ExplainedGate, candidate: Candidate | None) -> dict[str, str]:
    return {
        "gate": gate.name,
        "is": gate.what,
        "mode": gate.mode.value,
        "said by": gate.where,
        "now": _now(gate, candidate),
    }


def _now(gate: ExplainedGate, candidate: Candidate | None) -> str:
    results = {r.gate: r for r in candidate.results} if candidate else {}
    said = results[gate.name].ending.replace("_", " ") if gate.name in results else ""
    if not gate.when:
        return said
    is_beside = candidate is not None and gate.name in candidate.beside
    about = "main's result still counts: untouched " if is_beside else "about "
    return f"{said} ({about}{', '.join(gate.when)})".strip()
