"""Lists below a line in which somebody says that he wants them: `What I want:`."""

import re
from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.prose_items import item_draft, outer_items
from bot.core.spec.formats.prose_words import INTRODUCES, NOT_A_FEATURE, TELLS_WHY
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import HeadingKind, is_future, trail_kind

_WANTED = re.compile(
    r"(?:(?:here(?: is|['’]s)|this is) )?what (?:i|we) (?:want|need|would like|wish for)\b|(?:i|we)(?: would|['’]d)? (?:want|need|like|wish)\b|"
    r"was (?:ich|wir) (?:will|wollen|möchten?|brauchen?)\b|(?:ich|wir) (?:will|wollen|möchten?|brauchen?|wünschen?)\b|"
    r"ce que (?:je|nous) (?:veux|voulons|souhaite|souhaitons)\b|(?:je|nous) (?:veux|voulons|voudrais|voudrions|souhaite|souhaitons)\b|"
    r"lo que (?:quiero|queremos|necesito)\b|(?:yo |nosotros )?(?:quiero|queremos|necesito|necesitamos)\b|"
    r"o que (?:eu )?(?:quero|queremos|preciso)\b|(?:eu |nós )?(?:quero|queremos|preciso|precisamos)\b|"
    r"(?:quello che |cosa )?(?:voglio|vogliamo|vorrei|vorremmo)\b|(?:ik|wij|we) (?:wil|willen)\b|(?:chcę|chcemy|chciał(?:a)?bym)\b|"
    r"(?:что )?(?:я|мы) (?:хочу|хотим|хотел(?:а|и)? бы)\b|我们?(?:想要?|希望|需要)|(?:ほしい|欲しい)(?:もの|機能)|(?:내가 |우리가 )?원하는",
    re.IGNORECASE,
)
# What somebody wants to be told, or to have before the work begins.
_FROM_OTHERS = re.compile(
    r"\b(?:to )?(?:know|decide|clarify|discuss|ask|check|install|hear|understand|avoid|wissen|klären|entscheiden|savoir|décider|saber|decidir)\b",
    re.IGNORECASE,
)
_WORDS_MAX = 120
_LEAST = 2


def wish_lists(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Items below such a line: on a page with nothing that says more clearly what is required."""
    found = tuple(
        item_draft(source, section, block)
        for section in sections
        if not _is_beside(section)
        for block in _wanted(section)
    )
    return found if len(found) >= _LEAST else ()


def _is_beside(section: Section) -> bool:
    inner = section.titles[1:]
    return trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE or any(
        NOT_A_FEATURE.search(t) or INTRODUCES.match(t) or TELLS_WHY.match(t) or is_future(t)
        for t in inner
    )


def _wanted(section: Section) -> Iterator[Block]:
    lines = [block for block in section.blocks if block.kind is BlockKind.PARAGRAPH]
    leads = {block.line_start: _says_wish(block.text) for block in lines}
    items = {block.line_start for _, block in outer_items([section])}
    is_wanted = False
    for block in section.blocks:
        is_wanted = leads.get(block.line_start, is_wanted)
        if is_wanted and block.line_start in items:
            yield block


def _says_wish(text: str) -> bool:
    """Whether the last line of a paragraph says what somebody wants, and a list follows."""
    line = text.strip().rpartition("\n")[2].strip(" *_")
    if not line.endswith((":", "：", "…", "...")) or len(line) > _WORDS_MAX:
        return False
    wish = line.rpartition(". ")[2].strip(" *_")
    return _WANTED.match(wish) is not None and not _FROM_OTHERS.search(wish)
