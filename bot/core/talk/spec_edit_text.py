"""What people read about a spec that was edited while its run is under way."""

from bot.core.journal.state import Amendment, ChangeFacts, SpecRun
from bot.core.plan.diff import plan_diff
from bot.core.talk.replanned import beside_text
from bot.core.talk.text import cell, code
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Finding

_NAMES_MAX = 40


def diff_text(run: SpecRun, amendment: Amendment) -> str:
    """Which requirements an edit adds, alters and removes, and what of the plan follows."""
    rows = [
        ("Added", amendment.added),
        ("Altered", amendment.altered),
        ("Removed", amendment.removed),
    ]
    lines = [f"- {name}: {_names(ids)}" for name, ids in rows if ids]
    diff = plan_diff(run.plan or Plan(revision=0, changes=()), amendment.plan)
    lines += [f"- The change `{slug}` appears." for slug in diff.appeared]
    lines += [f"- The change `{one.slug}` alters." for one in diff.altered]
    lines += [f"- The change `{slug}` vanishes; its work is kept." for slug in diff.vanished]
    return "\n".join(lines)


def _names(ids: tuple[str, ...]) -> str:
    named = ", ".join(code(i.partition("#")[2] or i) for i in ids[:_NAMES_MAX])
    return named if len(ids) <= _NAMES_MAX else f"{named} and {len(ids) - _NAMES_MAX} more"


def amendment_line(run: SpecRun, amendment: Amendment) -> str:
    """What the tracking issue says below the plan while a revision waits for approval."""
    revision = amendment.plan.revision
    told = f"{beside_text(amendment.beside)}\n\n" if amendment.beside else ""
    return (
        f"**The spec was edited while this run is under way.**\n\n{diff_text(run, amendment)}\n\n"
        f"{told}"
        "What the edit does not touch goes on. To go on with the rest as well, comment "
        f"`/headgate approve r{revision}`; to drop the edit, take it back on the default branch."
    )


def spec_amended(run: SpecRun, amendment: Amendment) -> str:
    """The comment in the tracking issue."""
    return (
        f"{code(run.path)} was edited on the default branch.\n\n{diff_text(run, amendment)}\n\n"
        f"Everything else goes on. `/headgate approve r{amendment.plan.revision}` goes on with "
        "this, too."
    )


def change_touched(run: SpecRun, amendment: Amendment, change: ChangeFacts) -> str:
    """The comment in the issue of a change that an edit touches."""
    mine = set(change.planned.requirements)
    altered = tuple(r for r in amendment.altered if r in mine)
    removed = tuple(r for r in amendment.removed if r in mine)
    said = [f"altered {_names(altered)}"] if altered else []
    said += [f"removed {_names(removed)}"] if removed else []
    return (
        f"An edit of {code(run.path)} {' and '.join(said)}, so this change is stopped. Its work is "
        f"kept; revision {amendment.plan.revision} in #{run.issue} says how it goes on."
    )


def edit_waits(path: str, findings: tuple[Finding, ...]) -> str:
    """An edit that cannot be planned while the run is under way."""
    lines = [
        f"{code(path)} was changed on the default branch. This run goes on with the text that was "
        "approved; when it has ended, what changed is planned anew."
    ]
    if findings:
        lines += ["", "It could not be planned into this run:", ""]
    lines += [
        f"- {code(f'{f.path or path}:{f.line}')} {cell(f.question)}" for f in findings[:_NAMES_MAX]
    ]
    return "\n".join(lines)


def resumed_after_edit() -> str:
    """What the next attempt is told where an edit was taken back."""
    return "An edit of the spec had stopped this change, and was taken back."
