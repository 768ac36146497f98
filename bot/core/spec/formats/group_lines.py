"""Lines with an id that only name what stands below them: `**R1. Loans**` above R1.1 and R1.2."""

from collections.abc import Sequence

from bot.core.spec.items import Definition, is_row
from bot.core.spec.outline import Block, BlockKind
from bot.core.spec.triage.words import modality
from bot.core.values.spec_model import Modality

_MARKS = ".-"
_LABEL_WORDS = 4


def without_group_lines(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """Without a line of which the next id is a part, and that says nothing of its own before it."""
    return tuple(
        one
        for one, following in zip(found, (*found[1:], None), strict=False)
        if following is None or not _names_only(one, following)
    )


def _names_only(one: Definition, following: Definition) -> bool:
    at, end = one.position, following.position
    if at is None or end is None or one.section is not following.section or end <= at:
        return False
    is_part = following.id.startswith(one.id) and following.id[len(one.id) :][:1] in (*_MARKS,)
    return is_part and _is_label(one) and not any(map(_says, one.section.blocks[at + 1 : end]))


def _is_label(definition: Definition) -> bool:
    """`**R1. Accounts**` or `R3.3 Exceptions:` above R3.3.1: it names what follows, and says nothing."""
    if definition.position is None or is_row(definition):
        return False
    said = (definition.text or definition.title).strip(" *_`")
    is_short = len(said.split()) <= _LABEL_WORDS and not said.endswith((".", "。"))
    return (is_short or said.endswith((":", "："))) and modality(said) is Modality.UNSTATED


def _says(block: Block) -> bool:
    """Whether it is more than a word on what follows."""
    return block.kind is not BlockKind.PARAGRAPH or modality(block.text) is not Modality.UNSTATED
