"""The parts of a spec that an agent reads: its change's requirements, and what all changes share.

Texts are from the approved version, word for word; a text that is too long is left out as a whole.
"""

from action.order import RequirementText, RetryContext, RetryReason
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.talk import replanned
from bot.core.values.spec_model import Spec

# The whole spec is in the tree that the agent gets.
_NOTES_CHARACTERS_MAX = 12_000
# An agent that resolves a conflict is told of so many commits on main.
_LANDED_TOLD = 20


def context_notes(spec: Spec) -> tuple[str, ...]:
    """Stories and constraints: they apply to every change."""
    texts = ["\n".join((story.title, *(s.text for s in story.scenarios))) for story in spec.stories]
    texts += [f"{c.source_id or ''} {c.text}".strip() for c in spec.constraints]
    kept, room = [], _NOTES_CHARACTERS_MAX
    for text in texts:
        room -= len(text)
        if room >= 0:
            kept.append(text)
    return tuple(kept)


def requirement_texts(spec: Spec, change: ChangeFacts) -> tuple[RequirementText, ...]:
    wanted = set(change.planned.requirements)
    return tuple(
        RequirementText(
            id=r.id,
            title=r.title,
            statement=r.statement,
            scenarios=tuple(s.text for s in r.scenarios),
            spec_path=r.path,
            line=r.line_start,
        )
        for r in spec.requirements
        if r.id in wanted
    )


def tests_wanted(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """The note about requirements of a replan that are on main and only lack a test."""
    landed = tuple(r for r in change.planned.requirements if r in state.covered)
    return (replanned.tests_asked(landed),) if change.cycle and landed else ()


def with_landed_since(state: RepositoryState, change: ChangeFacts) -> RetryContext | None:
    """Why it is tried again; where the work meets main also what landed since it began."""
    retry = change.retry
    prepared = change.start_attempt == change.attempt + 1
    files = change.start_conflicts if prepared else ()
    is_conflict = bool(files) or (retry is not None and retry.reason is RetryReason.CONFLICT)
    if retry is None or not is_conflict or change.head is None:
        return retry
    began = state.orders.get(change.head.order) if change.head.order else None
    stands_on = began.commit if began is not None else change.head.stands_on
    titles: list[str] = []
    for line in reversed(state.ledger):
        if line.sha == stands_on or len(titles) == _LANDED_TOLD:
            break
        landed = state.changes.get(line.change) if line.change else None
        titles.append(landed.planned.title if landed else f"a commit by {line.author or 'people'}")
    return retry.replace(
        conflicting_files=files or retry.conflicting_files,
        landed_since=tuple(titles),
        main_changed=change.main_changed,
        work_changed=change.work_changed,
    )
