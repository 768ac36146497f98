"""Sentences that say which user story needs which: `User Story 3 depends on US1 and US2`.

They stand in a spec or in the list of tasks beside it. A sentence that allows work side by side, or
denies the need, says nothing.
"""

import re
from collections.abc import Iterator

from bot.core.spec.reading import Source
from bot.core.spec.story_names import STORY_NAME
from bot.core.values.spec_model import StoryOrder

_STORY = rf"(?<![A-Za-z])(?:US|{STORY_NAME})[ -]?#?0*(\d{{1,3}})\b"
_NAMED = re.compile(_STORY, re.IGNORECASE)
_ONE = _STORY.replace("(\\d{1,3})", "\\d{1,3}")
_SEVERAL = rf"{_ONE}(?:\s*+(?:\([^()]{{1,40}}\)\s*+)?(?:,\s*+and|,|、|，|&|\+|/|and|und|y|et|と|和)\s*+(?:{_ONE}|\d{{1,3}}\b)){{0,8}}"
_ALL = re.compile(_SEVERAL, re.IGNORECASE)
# What all stories stand on, named before them: `depends on Phase 2 and US1`.
_GROUND = (
    r"(?:(?:phase|fase|setup|foundation(?:al)?|fundacional|fundamento)(?: phase)?(?: \d{1,2})?(?: \([^()]{1,30}\))?\s?"
    r"(?:,|and|y|e|et|und|&|\+) (?:[\w./-]{1,40} (?:de|of|from) )?){0,2}"
)
# `depends on the agent structure from US1`
_WHAT = r"(?:(?:[\w/'-]{1,30} ){1,8}(?:from|of|by|in|de|von|aus) )?"
_NEEDS = re.compile(
    r"(?:\b(?:depends? (?:up)?on|requires?|needs|builds? (?:up)?on|relies on|is blocked by|blocked by|waits? for|must follow|comes after|"
    r"start(?:s|ed)? after|begins? after|after|once|integrates with|extends|depende de|dépend de|hängt ab von|abhängig von|hängt von|zależy od|зависит от)|依赖于?|依賴於?)"
    rf"\W{{0,5}}{_GROUND}(?:(?:the )?completion of |finishing |completed |the )?{_WHAT}(?P<on>{_SEVERAL})",
    re.IGNORECASE,
)
_NEEDS_BEHIND = re.compile(
    rf"(?P<on>{_SEVERAL})\s*+(?:\([^()]{{1,40}}\)\s*+)?(?:に依存|の完了後|が必要|에 의존)",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:no|not|never|without|independent\w*|parallel(?! (?:after|once) )|optional\w*|may|kein\w*|sin|sans)\b|n['’]t\b|不依赖|独立|並行|并行|依存しない|없",
    re.IGNORECASE,
)
_LINE_MAX = 400
# The head of a column: `| Story | Depends On |`.
_HEAD = re.compile(
    r"^(?:depends?(?: on)?|dependenc(?:y|ies)|requires|prerequisites?|blocked by|blockers?|depende de|dependencias?|dependências?|依赖|依存(?:先|関係)?|前提)$",
    re.IGNORECASE,
)


def story_order(source: Source) -> Iterator[StoryOrder]:
    column: int | None = None
    for line, text in enumerate(source.visible, 1):
        cells = [c.strip(" *_`") for c in text.strip().strip("|").split("|")] if "|" in text else []
        if not cells:
            column = None
        elif column is None:
            column = next((at for at, cell in enumerate(cells) if _HEAD.match(cell)), None)
        elif row := _row(cells, column):
            story, after = row
            quote = " ".join(text.split())
            yield StoryOrder(story=story, after=after, line=line, quote=quote, path=source.path)
        if cells or len(text) > _LINE_MAX or not _NAMED.search(text):
            continue
        said = re.sub(r"[*_`]", "", text)
        need = _NEEDS.search(said) or _NEEDS_BEHIND.search(said)
        if need is None or _NOTHING.search(said[: need.end()]):
            continue
        users = _NAMED.findall(said[: need.start()])
        on = _numbers(need["on"])
        quote = " ".join(said.split())
        for user in dict.fromkeys(users):
            if not set(users) & set(on):
                yield StoryOrder(story=user, after=on, line=line, quote=quote, path=source.path)


def _numbers(stories: str) -> tuple[str, ...]:
    """`US1 (form) and 2` as `1`, `2`."""
    return tuple(dict.fromkeys(re.findall(r"\d{1,3}", re.sub(r"\([^()]*\)", "", stories))))


def _row(cells: list[str], column: int) -> tuple[str, tuple[str, ...]] | None:
    """The story in the first cell, and those in the column of what it depends on."""
    user = _NAMED.match(cells[0]) if 0 < column < len(cells) else None
    on = tuple(n for one in _ALL.findall(cells[column]) for n in _numbers(one)) if user else ()
    return (user[1], on) if user and on and user[1] not in on else None
