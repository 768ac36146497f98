"""What an agent is told of a spec: the texts of its change's requirements, and what binds every change.

The rule: texts are those of the approved version, word for word, and what does not fit is left out
whole. Deliberately absent: decisions of people (`bot.core.talk.decisions_text`) and the order itself.
"""

from action.order import RequirementText
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.talk import replanned
from bot.core.values.spec_model import Spec

# What is said to every agent of a spec is cut here; the spec itself is in the tree.
_BEARING_CHARACTERS_MAX = 12_000


def bearings(spec: Spec) -> tuple[str, ...]:
    """Stories and constraints, which bind every change and belong to none."""
    texts = ["\n".join((story.title, *(s.text for s in story.scenarios))) for story in spec.stories]
    texts += [f"{c.source_id or ''} {c.text}".strip() for c in spec.constraints]
    kept, room = [], _BEARING_CHARACTERS_MAX
    for text in texts:
        room -= len(text)
        if room >= 0:
            kept.append(text)
    return tuple(kept)


def requirement_texts(spec: Spec, change: ChangeFacts) -> tuple[RequirementText, ...]:
    """The texts of a change's requirements, from the approved version of the spec."""
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
    """What an agent is told of requirements of a replan that are on main already."""
    landed = tuple(r for r in change.planned.requirements if r in state.covered)
    return (replanned.tests_asked(landed),) if change.cycle and landed else ()
