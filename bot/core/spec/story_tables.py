"""Tables of user stories: a column for each part of a wish, or one with the whole of it."""

import re
from collections.abc import Sequence
from itertools import chain

from bot.core.spec.columns import ACCEPTANCE, PRIORITY
from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.prose_words import SAYS_STORIES, STORY
from bot.core.spec.outline import Section
from bot.core.spec.priorities import normal_priority
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion
from bot.core.spec.triage.words import HeadingKind, trail_kind

_ROLE_HEADER = re.compile(
    r"(?:as|as an?|as a/an|role|actor|en tant qu(?:e|['’])|rôle|como|como un|rol|papel|come|ruolo|als|rolle|作为|角色|用户角色|として|역할)$",
    re.IGNORECASE,
)
_WANT_HEADER = re.compile(
    r"(?:i )?(?:want|need|can|would like)(?: to)?(?: be able to)?$|(?:je |j['’])(?:veux|souhaite|peux|voudrais|aimerais|ai besoin)(?: de)?(?: pouvoir)?$|"
    r"(?:yo |eu )?(?:quiero|necesito|deseo|quero|preciso|desejo)$|voglio|vorrei$|(?:ich )?(?:möchte|will)(?: ich)?$|我(?:想|希望|要|需要)|원하는",
    re.IGNORECASE,
)
_STORY_HEADER = re.compile(
    r"(?:user )?stor(?:y|ies)$|historias?(?: de usuario)?$|histórias?(?: de usuário)?$|récits?(?: utilisateur)?$|storia$|(?:nutzer|user[- ]?)geschichte$|"
    r"(?:пользовательская )?история$|(?:用户)?故事$|ストーリー$|(?:사용자 )?스토리$",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"(?:total|sum|summe|gesamt|totale?|suma|somme|итого|razem|合计|合計|합계)\W*$", re.IGNORECASE
)
_IS_ID = re.compile(r"(?:ids?|no|nr|#|code|código|编号|番号|번호)\W*$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?:[A-Za-z][\w.-]{0,20})?\d[\w.-]{0,20}$")


def tabled_stories(_: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Rows of tables with a column for who wants it and one for what: `| As a | I want | So that |`."""
    drafts: list[Draft] = []
    for section in sections:
        for block in section.blocks:
            header = [cell.strip(" .…*_:：") for cell in block.header]
            roles = [n for n, cell in enumerate(header) if _ROLE_HEADER.match(cell)]
            wants = [n for n, cell in enumerate(header) if _WANT_HEADER.match(cell)]
            if not (roles and wants) or len(header) != len(block.cells):
                continue
            want = block.cells[wants[0]]
            said = [f"{h} {c}" for h, c in zip(header, block.cells, strict=True) if h and c]
            if want and block.cells[roles[0]]:
                drafts.append(
                    Draft(
                        title=first_words(want),
                        statement=", ".join(said),
                        domain=section.title if section.level > 1 else "",
                        line_start=block.line_start,
                        line_end=block.line_end,
                    )
                )
    return tuple(drafts)


def _says(cell: str) -> bool:
    """Whether it is more than the id of a story that stands elsewhere, or the line below them all."""
    said = cell.strip(" *_`")
    return bool(said) and not _IDENTIFIER.match(said) and not _SUM.match(said)


def rows_of_stories(_: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Rows of a table with a column of stories that say no wish, below a heading of stories."""
    drafts: list[Draft] = []
    for section in sections:
        if not any(SAYS_STORIES.search(title) for title in section.titles):
            continue
        if trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE:
            continue
        for block in section.blocks:
            header = [cell.strip(" *_:：") for cell in block.header]
            named = (n for n, cell in enumerate(header) if _STORY_HEADER.match(cell))
            wished = (n for n, cell in enumerate(block.cells) if STORY.match(cell))
            at = next(chain(named, wished), None)
            if at is None or len(header) != len(block.cells) or not _says(block.cells[at]):
                continue
            told = [
                (h, c) for n, (h, c) in enumerate(zip(header, block.cells, strict=True)) if n != at
            ]
            accepted = [c for h, c in told if ACCEPTANCE.search(h) and c]
            drafts.append(
                Draft(
                    title=first_words(block.cells[at]),
                    statement=block.cells[at],
                    source_id=next(
                        (c for h, c in told if _IS_ID.match(h) and _IDENTIFIER.match(c)), None
                    ),
                    scenarios=tuple(
                        criterion("", c, block.line_start, block.line_end) for c in accepted[:1]
                    ),
                    domain=section.title if section.level > 1 else "",
                    priority=next(
                        (normal_priority(c) for h, c in told if PRIORITY.search(h)), None
                    ),
                    line_start=block.line_start,
                    line_end=block.line_end,
                )
            )
    ids = [draft.source_id for draft in drafts if draft.source_id]
    return tuple(drafts) if len(drafts) > 1 and len(set(ids)) == len(ids) else ()
