"""Texts about a spec that was edited while its run is under way."""

from bot.core.journal.state import ChangeFacts, ProposedEdit, SpecRun
from bot.core.plan.diff import plan_diff
from bot.core.talk.replanned import planned_by_rules_text
from bot.core.talk.text import cell, code
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Finding

_NAMES_MAX = 40


def _diff_text(run: SpecRun, proposed_edit: ProposedEdit) -> str:
    """Which requirements and which changes of the plan an edit adds, changes and removes."""
    rows = [
        ("Added", proposed_edit.added),
        ("Changed", proposed_edit.altered),
        ("Removed", proposed_edit.removed),
    ]
    lines = [f"- {name}: {_names(ids)}" for name, ids in rows if ids]
    diff = plan_diff(run.plan or Plan(revision=0, changes=()), proposed_edit.plan)
    lines += [f"- The plan gets the change `{slug}`." for slug in diff.appeared]
    lines += [f"- The plan's change `{one.slug}` is different." for one in diff.altered]
    lines += [f"- The plan loses the change `{slug}`; its work is kept." for slug in diff.vanished]
    return "\n".join(lines)


def _names(ids: tuple[str, ...]) -> str:
    named = ", ".join(code(i.partition("#")[2] or i) for i in ids[:_NAMES_MAX])
    return named if len(ids) <= _NAMES_MAX else f"{named} and {len(ids) - _NAMES_MAX} more"


def edit_line(run: SpecRun, proposed_edit: ProposedEdit) -> str:
    """What the tracking issue says below the plan while a revision waits for approval."""
    revision = proposed_edit.plan.revision
    by_rules = f"{planned_by_rules_text(proposed_edit.beside)}\n\n" if proposed_edit.beside else ""
    return (
        "**The spec was edited while this run is in progress.**\n\n"
        f"{_diff_text(run, proposed_edit)}\n\n"
        f"{by_rules}Changes that the edit does not affect continue. To accept the edit, comment "
        f"`/headgate approve r{revision}`. To reject it, revert it on the default branch."
    )


def spec_edited(run: SpecRun, proposed_edit: ProposedEdit) -> str:
    """The comment in the tracking issue."""
    return (
        f"{code(run.path)} was edited on the default branch.\n\n{_diff_text(run, proposed_edit)}\n\n"
        "Changes that the edit does not affect continue. To accept the edit, comment "
        f"`/headgate approve r{proposed_edit.plan.revision}`."
    )


def change_touched(run: SpecRun, proposed_edit: ProposedEdit, change: ChangeFacts) -> str:
    """The comment in the issue of a change that an edit affects."""
    own = set(change.planned.requirements)
    altered = tuple(r for r in proposed_edit.altered if r in own)
    removed = tuple(r for r in proposed_edit.removed if r in own)
    parts = [f"changed {_names(altered)}"] if altered else []
    parts += [f"removed {_names(removed)}"] if removed else []
    return (
        f"An edit of {code(run.path)} {' and '.join(parts)}, so this change is stopped. Its work "
        f"is kept. Revision {proposed_edit.plan.revision} in #{run.issue} shows how it will continue."
    )


def edit_waits(path: str, findings: tuple[Finding, ...]) -> str:
    """The comment about an edit that cannot be planned while the run is under way."""
    lines = [
        f"{code(path)} was changed on the default branch. This run continues with the text that "
        "was approved. Headgate plans what changed when the run has ended."
    ]
    if findings:
        lines += ["", "The edit could not be added to this run:", ""]
    lines += [
        f"- {code(f'{f.path or path}:{f.line}')} {cell(f.question)}" for f in findings[:_NAMES_MAX]
    ]
    return "\n".join(lines)


def landed_stays(path: str, gone: tuple[str, ...], *, stays_in_changes: bool) -> str:
    """What an edit of a delta folder takes away has landed."""
    archive = ""
    if stays_in_changes:
        archive = (
            f" Every change of its run has landed, so Headgate no longer moves {code(path)} to "
            f"the archive. To move it, run `headgate spec archive {path.rpartition('/')[2]}`."
        )
    return (
        f"An edit of {code(path)} removed requirements that have already landed: "
        f"{_names(gone)}. They stay in the code and in the main specs. To remove them there, "
        f"write a delta that removes them.{archive}"
    )


def resumed_after_edit() -> str:
    """For the next attempt: why the change was stopped and continues."""
    return "An edit of the spec stopped this change; the edit was reverted."
